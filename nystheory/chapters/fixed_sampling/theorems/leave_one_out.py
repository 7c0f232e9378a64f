"""The error with one landmark fewer, estimated from the sampled columns alone.

The leave-one-out estimators of Epperly and Tropp 2024, for uniform columns.
"""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np

from nystheory import certificates
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.quantities import quantity
from nystheory.kernels import DenseKernel

# All samples of an instance are tried where there are at most so many.
MOST = 60


def _of_core(i):
    """Rounding in the core, as its inverse amplifies it; the terms lie below K."""
    return min(i.full.condition, 10 / (ROUNDING * i.n * EPS))


_by_core = partial(quantity, when=SAMPLE, condition=_of_core)
_by_inverse = partial(quantity, when=SAMPLE, condition=lambda i: i.full.condition**2)


@_by_core("s_j", "what the other landmarks leave of entry j")
def left_entries(i):
    return certificates.schur_complements(i.W)


@_by_core(
    r"\|r_j\|^2", "squared length of what the other landmarks leave of column j", unit=2
)
def left_squares(i):
    return (certificates.residual_columns(i.C, i.landmarks) ** 2).sum(axis=0)


@_by_core(
    r"\hat T(W)",
    "the estimate of the trace by the package, noise for all that is outside W",
)
def trace_from_core(i):
    K = i.norm_K * np.random.default_rng(i.n).standard_normal(i.K.shape)
    K = K + K.T
    K[np.ix_(i.landmarks, i.landmarks)] = i.W
    return certificates.leave_one_out_trace(DenseKernel(K), i.landmarks).value


@_by_inverse("(W^{-1})_{jj}", "diagonal of the inverse of the core", unit=-1.0)
def inverse_entries(i):
    return np.diag(np.linalg.inv(i.W)) if i.rank_W == i.l else None


@_by_inverse(
    r"\|C W^{-1} e_j\|^2",
    "squared lengths of the columns after the inverse of the core",
    unit=0.0,
)
def solved_squares(i):
    if i.rank_W < i.l:
        return None
    return (np.linalg.solve(i.W, i.C.T) ** 2).sum(axis=1)


def _mean_of(name, latex, fewer, measure, unit=1.0):
    """A mean error over all samples of l columns less `fewer`."""

    def samples(i):
        return i.but(landmarks=i.landmarks[fewer:]).outcomes("uniform")

    def worst(i):
        return max(_of_core(sample) if sample.l else 1.0 for _, sample in samples(i))

    def fast(i):
        if comb(i.n, i.l - fewer) > MOST:
            return None
        return sum(p * measure(sample.full.error) for p, sample in samples(i))

    latex = rf"\mathbb E{latex}"
    meaning = f"mean error of {['as many', 'one fewer'][fewer]} uniform columns"
    quantity(latex, meaning, unit=unit, condition=worst, name=name)(fast)


def _square(error):
    return (error**2).sum()


_mean_of("trace_with_fewer", r" \operatorname{tr}(K - \tilde K_{l-1})", 1, np.trace)
_mean_of("trace_with_as_many", r" \operatorname{tr}(K - \tilde K_l)", 0, np.trace)
_mean_of("square_with_fewer", r"\, \|K - \tilde K_{l-1}\|_F^2", 1, _square, unit=2.0)


def _cases(rng):
    for n in range(2, 7):
        for n_landmarks in range(1, n + 1):
            X = rng.integers(-2, 3, (n, n))
            yield Instance.from_points(X, range(n_landmarks), n_landmarks, "integers")


_DIAGONAL = Instance.exactly([0, 1], 2, matrix=[[1, 0, 0], [0, 2, 0], [0, 0, 3]])
_CROSSED = Instance.exactly([0, 1], 2, matrix=[[2, 1], [1, 1]])
_EQUAL = Instance.exactly([0, 1], 2, points=[[1, 1]])
_SCALED = {"T": "(n - l) / (n - l + 1) * T"}

LEAVE_ONE_OUT = Theorem(
    id="modern:leave-one-out-columns",
    kind="expectation",
    status="holds",
    title="Leave one landmark out",
    number="after Epperly and Tropp 2024",
    setting=(
        "Let $K$ be positive semidefinite and let $S$ be $l$ landmarks drawn "
        "uniformly without replacement. Let $r_j$ be the residual of column $j$ "
        r"given the other landmarks, $s_j$ its entry $j$, and let $\tilde K_{l-1}$ be "
        "the Nyström approximation from $l - 1$ landmarks drawn in the same way, "
        r"with $\tilde K_0 = 0$."
    ),
    hypotheses={
        "distinct": Hypothesis(
            "different == l", says="the $l$ landmarks be distinct", domain=True
        )
    },
    where={
        "T": Where(r"\hat T", "(n - l + 1) / l * sum(left_entries)"),
        "F": Where(r"\hat F", "(n - l + 1) / l * sum(left_squares)"),
    },
    claims={
        "trace": Claim("mean(T) == trace_with_fewer", law="uniform"),
        "Frobenius": Claim("mean(F) == square_with_fewer", law="uniform"),
        "entries": Claim("left_entries == 1 / inverse_entries", when="rank_W == l"),
        "columns": Claim(
            "left_squares == solved_squares / inverse_entries ** 2", when="rank_W == l"
        ),
        "core": Claim(
            "trace_from_core == T",
            says=r"$\hat T$ needs no entry of $K$ outside $W$: with noise in place of "
            "these entries,",
        ),
    },
    cases=_cases,
    controls={
        "the error with l": Control(
            "trace", _DIAGONAL, {"trace_with_fewer": "trace_with_as_many"}
        ),
        "n - l in the place of n - l + 1": Control("trace", _DIAGONAL, _SCALED),
        "samples by determinant": Control("trace", _DIAGONAL, law="determinantal"),
        "a pseudo-inverse": Control(
            "trace", _EQUAL, {"T": "(n - l + 1) / l * sum(1 / diag(pinv(W)))"}
        ),
        "n - l, squares": Control(
            "Frobenius", _DIAGONAL, {"F": "(n - l) / (n - l + 1) * F"}
        ),
        "squares by determinant": Control("Frobenius", _DIAGONAL, law="determinantal"),
        "the entry of W": Control(
            "entries", _CROSSED, {"1 / inverse_entries": "diag(W)"}
        ),
        "the column of C": Control(
            "columns", _CROSSED, {" / inverse_entries ** 2": " / inverse_entries"}
        ),
        "n - l, from the core": Control("core", _DIAGONAL, _SCALED),
    },
)
