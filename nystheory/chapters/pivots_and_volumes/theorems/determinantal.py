"""Determinantal samples: the mean of the approximation in closed form.

Deshpande, Rademacher, Vempala and Wang 2006; Guruswami and Sinop 2012; Derezinski and
Mahoney 2021; Fanuel, Schreurs and Suykens 2021.
"""

from __future__ import annotations

import numpy as np

from nystheory import sampling
from nystheory.engine import Claim, Control, Hypothesis, Instance, Promise, Theorem
from nystheory.engine.promises.promises import SMALLEST
from nystheory.engine.worlds.listed import large_and_flat, small
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity

# --- Samples of a fixed size ---------------------------------------------------------


def _steep(l) -> Instance:  # noqa: E741
    return large_and_flat(1e6 * l, l, 1, l)


@quantity(
    r"k = l \text{ and } K = D_l",
    r"whether $K$ is $\operatorname{diag}(M, \dots, M, 1)$",
    unit=None,
)
def is_steep(i):
    return i.k == i.l and np.array_equal(i.K, _steep(i.l).K)


def _cases(rng):
    """Small matrices, and those that nearly attain the bound."""
    yield from small(rng)
    yield from map(_steep, (1, 2, 3, 4, 5, 30))


_FAR = Instance.exactly([0], 1, matrix=diagonal([1000, 1]))
_STEEP = Instance.exactly([0], 1, matrix=diagonal([10**6, 1]))
_BOUND = "(l + 1) / (l + 1 - k) * tail_trace"

K_DPP = Theorem(
    id="modern:k-dpp-expectation",
    kind="expectation",
    status="holds",
    title="Mean error of volume-weighted samples",
    number="Deshpande et al. 2006; Guruswami and Sinop 2012",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, let a set $S$ of $l$ landmarks be drawn with probability "
        r"proportional to $\det K_{SS}$, and $E = K - C W^+ C^\top$. Let $e_j$ be the "
        "elementary symmetric polynomial of degree $j$, and $K_k$ the best "
        r"approximation of rank $k$, so that $\|K - K_k\|_* = \sum_{j>k} \lambda_j$."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", domain=True),
        "whole sample": Hypothesis("l <= rank_K", domain=True),
    },
    claims={
        "mean": Claim(
            "mean(trace_E) == (l + 1) * symmetric_ratio", law="determinantal"
        ),
        "bound": Claim(f"(l + 1) * symmetric_ratio <= {_BOUND}", says="and this mean "
            "is at most a multiple of the best error:"),
        "reached": Claim(
            "mean(trace_E) >= 0.9999 * (l + 1) * tail_trace",
            when="is_steep",
            law="determinantal",
            says="For $k = l$ the factor is $l + 1$, and no factor below $0.9999 (l "
            r"+ 1)$ suffices for any $l$. Let $D_l = \operatorname{diag}(10^6 l, "
            r"\dots, 10^6 l, 1)$ with $n = l + 1$. Then",
            reason="one matrix for each number of landmarks",
        ),
    },
    cases=_cases,
    promises={"mean": Promise("trace", "k-DPP")},
    controls={
        "uniform samples": Control("mean", _FAR, law="uniform"),
        "squared determinants": Control("mean", _FAR, law="volume_squared"),
        "l + 0.99": Control("bound", _FAR, {"<= (l + 1)": "<= (l + 0.99)"}),
        "reached exactly": Control("reached", _STEEP, {"0.9999 *": "1 *"}),
    },
)

# --- Samples of random size ----------------------------------------------------------


class Determinantal(Instance):
    """The columns of one matrix, and a ridge that says how many are drawn."""

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge between a thousandth and tenfold of the norm."""
        size = instance.norm_K or 1.0
        return instance.but(alpha=size * 10.0 ** rng.uniform(-3, 1))


def _ridged(rng):
    """Small whole ridges; the landmarks do not matter."""
    return [i.but(alpha=int(rng.integers(1, 6))) for i in small(rng, most=1)]


def _of_weights(i):
    """The sum itself: a determinant errs in proportion."""
    return weights_sum(i) * (1 + i.norm_K / i.alpha)


@quantity(
    r"\textstyle\sum_S \det(K_{SS} / \alpha)",
    "sum over all sets of landmarks, the empty one included",
    unit=0,
    condition=_of_weights,
)
def weights_sum(i):
    """From the eigenvalues, through logarithms."""
    scaled = i.spectrum / i.alpha
    return np.exp(sampling.log_elementary(scaled[scaled > 0], i.n)[-1]).sum()


_ONE = Determinantal.exactly([0], 1, matrix=[[1]], alpha=1)
_TWO = Determinantal.exactly([0], 1, matrix=diagonal([2, 1]), alpha=1)

DPP = Theorem(
    id="modern:dpp-expectation",
    kind="expectation",
    status="holds",
    title="The mean of a determinantal sample is ridge regression",
    number="Dereziński and Mahoney 2021; Fanuel, Schreurs and Suykens 2021",
    setting=(
        r"Let $K$ be positive semidefinite, and let $S$ be drawn among all subsets of "
        r"$\{1, \dots, n\}$ with probability $\det(K_{SS} / \alpha) / \det(I + K / "
        r"\alpha)$, where the empty set has determinant $1$ and $\tilde K = 0$. Let "
        r"$\tilde K = C W^+ C^\top$, $E = K - \tilde K$, and let "
        r"$d_{\mathrm{eff}}(\alpha) = \operatorname{tr} K (K + \alpha I)^{-1}$ be the "
        "effective dimension."
    ),
    claims={
        "error": Claim("mean(trace_E) == alpha * d_eff", law="dpp"),
        "size": Claim("mean(different) == d_eff", law="dpp"),
        "approximation": Claim(
            "mean(full_approximation) == K @ inv(K + alpha * identity(n)) @ K",
            law="dpp",
        ),
        "weights": Claim(
            "weights_sum == det(identity(n) + K / alpha)",
            says="The probabilities sum to one,",
        ),
    },
    world=Determinantal,
    cases=_ridged,
    promises={
        "error": Promise(
            "trace", "DPP, a random number", {"alpha": SMALLEST}, columns="size"
        )
    },
    controls={
        "empty samples drawn again": Control("error", _ONE, law="dpp_not_empty"),
        "squared determinants": Control("error", _TWO, law="dpp_squared"),
        "size without the empty sample": Control("size", _ONE, law="dpp_not_empty"),
        "twice the ridge": Control(
            "approximation", _TWO, {"alpha * identity(n)": "2 * alpha * identity(n)"}
        ),
        "the largest sample alone": Control("weights", _TWO, {"identity(n) + K": "K"}),
    },
)
