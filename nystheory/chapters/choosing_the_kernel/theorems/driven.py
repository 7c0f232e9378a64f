"""The distribution that errors of the columns so far, times labels, give the next ones.

Ding et al. 2019, Algorithm 2.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import sampling
from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    C_APPROXIMATION,
    C_K,
    SAID,
    Criterion,
    column,
)
from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.listed import small
from nystheory.engine.worlds.matrices import diagonal, truncated_inverse
from nystheory.kernels import DenseKernel

# Relative errors of a row below the first may be rounding, above the second are not.
GREY = 1e-13, 1e-6


class Driven(Criterion):
    """The columns so far, and what the labels and their errors say of the others."""


_of_sample = partial(Driven.quantity, when=SAMPLE)


def weights_of(y) -> np.ndarray:
    """Moduli of labels; of two classes one over the size of the class, (n,).

    >>> weights_of(np.array([1.0, -1.0, -1.0])).tolist()
    [1.0, 0.5, 0.5]
    """
    values, members, counts = np.unique(y, return_inverse=True, return_counts=True)
    return 1.0 / counts[np.ravel(members)] if len(values) == 2 else np.abs(np.ravel(y))


@Driven.quantity("z", "weights of the labels", CHOSEN, unit=0)
def label_weights(i):
    return weights_of(i.y)


@_of_sample("z_I", "weights of the labels of the columns so far", unit=0)
def sampled_weights(i):
    return label_weights(i)[i.landmarks]


@_of_sample(r"1_{I^c}", "1 for the other columns, 0 for those so far", unit=None)
def off_I(i):
    return (~np.isin(range(i.n), i.landmarks)).astype(float)


def _core(i):
    return i.condition


@_of_sample("F", "error on the columns so far", condition=_core)
def column_error(i):
    return i.C - i.C @ truncated_inverse(i.W, i.k) @ i.W


def _of_weighted(i):
    return i.condition * max(label_weights(i).max() ** 2, np.finfo(float).tiny)


@_of_sample("E", "this error times the weights", condition=_of_weighted)
def driven_error(i):
    return column_error(i) * np.outer(label_weights(i), sampled_weights(i))


def _squares(i):
    return (driven_error(i) ** 2).sum(axis=1) * off_I(i)


@_of_sample(
    "e", "squared rows of E outside the columns so far", unit=2, condition=_of_weighted
)
def driven_squares(i):
    return _squares(i)


def _rows_seen(i):
    """Rows with an error and a weight; None where rounding may look like one."""
    size = np.sqrt(max(np.sum(i.C**2), np.finfo(float).tiny))
    lengths = np.linalg.norm(column_error(i) * sampled_weights(i), axis=1)
    lengths = lengths * (off_I(i) > 0) / (size * label_weights(i).max())
    lengths[label_weights(i) == 0] = 0
    low = GREY[0] if np.count_nonzero(i.W) == np.count_nonzero(np.diag(i.W)) else -1.0
    outside = (off_I(i) > 0) & (label_weights(i) > 0)
    if i.k < i.l and ((lengths > low) & (lengths < GREY[1]) & outside).any():
        return None
    return int((lengths >= GREY[1]).sum())


@_of_sample(r"e \ne 0", "whether another column has an error", unit=None)
def driven_seen(i):
    return None if _is_free(i) or _rows_seen(i) is None else _rows_seen(i) > 0


@_of_sample("e = 0", "whether no other column has an error", unit=None)
def driven_unseen(i):
    return None if _is_free(i) or _rows_seen(i) is None else _rows_seen(i) == 0


def _is_free(i) -> bool:
    """Whether it is no case of the algorithm."""
    some = set(i.landmarks.tolist())
    return len(some) < i.l or len(some) == i.n or not np.any(i.y) or i.k < 1


def _of_shares(i):
    """Rounding in the rows, over what they hold; uniform shares have none."""
    total = float(_squares(i).sum())
    if _rows_seen(i) == 0 or i.k >= i.l:
        return 1.0
    grown = _of_weighted(i) * np.sqrt(np.sum(i.C**2))
    return grown / np.sqrt(total) if total > 0 else np.inf


@_of_sample("p", "probabilities of the next column", unit=0, condition=_of_shares)
def driven_shares(i):
    """By the package."""
    if _is_free(i):
        return None
    y = np.ravel(i.y)
    return sampling.update_probability_criterion(DenseKernel(i.K), i.landmarks, y, i.k)


@_of_sample("u", "uniform distribution on the other columns", unit=0)
def others_alike(i):
    return off_I(i) / max(off_I(i).sum(), 1.0)


# --- Algorithm 2 ----------------------------------------------------------------------


def _cases(rng):
    """Integers, of which fewer are kept than sampled, and labels of every kind."""
    for i in small(rng):
        yield Driven.of(i)
    for n in (4, 5, 6) * 6:
        X = rng.integers(-2, 3, (4, n))
        signs, some = rng.choice([-1.0, 1.0], (n, 1)), rng.integers(1, 4, (n, 1))
        for y in (signs, 2 * np.ones((n, 1)), signs * some):
            known = {"mu": 2.0 ** rng.integers(-3, 3), "y": y}
            S = rng.choice(n, 3, replace=False)
            yield Driven.from_points(X, S, int(rng.integers(1, 3)), "integers", **known)


def _example(matrix, y, landmarks=(0, 1), rank=1, **given) -> Driven:
    rest = {"y": column(y), "mu": "1/2"} | given
    return Driven.exactly(list(landmarks), rank, matrix=matrix, **rest)


# Two columns at a right angle; the others lean on the second, which is left out.
_LEANING_K = [
    [2, 0, 0, 0],
    [0, 1, "1/2", "1/2"],
    [0, "1/2", 1, 0],
    [0, "1/2", 0, 1],
]
_LEANING = _example(_LEANING_K, [1, 2, 3, -1])
_CLASSES = _example(_LEANING_K, [1, -1, 1, 1])
_ALIKE = _example(_LEANING_K, [2, 2, 2, 2])
_HIDDEN = _example(diagonal([4, 3, 2, 1]), [1, 2, 3, -1])
_FULL = _example(_LEANING_K, [1, 2, 3, -1], rank=2)
_LONG = _example([[2, 1], [1, 2]], [1, 2], [0])
_FIRST = _example(
    [[2, 1, 1, 1, 1, 1], *([1 + (a == b) for b in range(6)] for a in range(1, 6))],
    [1, 2, 3, 1, 2, 3],
    [0],
)

ALGORITHM_2 = Theorem(
    id="ding2019:alg-2",
    kind="algorithm",
    status="corrected",
    title="Criterion-driven probabilities",
    number="Algorithm 2",
    setting=(
        r"Let $K$ be positive semidefinite, $I$ a non-empty set of columns, "
        r"$C = K_{:,I}$, $W = K_{I,I}$ and $\tilde C = C W_k^+ W$, the Nyström "
        r"approximation of rank $k$ on these columns, and $F = C - \tilde C$ its "
        r"error. Let $z_i = |y_i|$ for the labels, or, for two classes, one over the "
        r"size of the class of $i$. Let $E = F \circ z z_I^\top$, entry by entry, and "
        r"$e_i$ the squared norm of the $i$-th row of $E$ for $i \notin I$, and zero "
        r"for $i \in I$. Let $p$ be "
        r"the probabilities of the next column, $u$ uniform on the columns outside of "
        r"$I$, $1_{I^c}$ the vector that is $1$ there and $0$ on $I$, and "
        f"{SAID}; vectors are multiplied entry by entry."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", domain=True),
        "different": Hypothesis(
            "different == l", "the columns $I$ be all distinct", domain=True
        ),
        "some left": Hypothesis(
            "different < n", "some column lie outside $I$", domain=True
        ),
        "labels": Hypothesis(
            "max(abs(y)) > 0", "some label be different from zero", domain=True
        ),
    },
    claims={
        "squares": Claim(
            "driven_squares == off_I * diag(driven_error @ driven_error.T)",
            says="The squared rows are",
        ),
        "proportional": Claim(
            "driven_shares * sum(driven_squares) == driven_squares", when="driven_seen"
        ),
        "nothing seen": Claim("driven_shares == others_alike", when="driven_unseen"),
        "sum": Claim(
            "sum(driven_shares) == 1",
            says="The probabilities sum to one for every $K$,",
        ),
        "new": Claim("(1 - off_I) * driven_shares == 0", says="They are zero on $I$,"),
        "exact on I": Claim(
            "driven_squares == 0",
            when="k >= rank_W",
            says="Nothing is seen with the whole core:",
        ),
        "signs": Claim(
            "driven_squares == off_I * label_weights**2 * (hadamard(column_error, "
            "column_error) @ sampled_weights**2)",
            says="The signs of the labels cancel:",
        ),
        "labels alike": Claim(
            "driven_squares == max(label_weights)**4 * off_I * diag(column_error @ "
            "column_error.T)",
            when="min(label_weights) == max(label_weights)",
            says="With labels of one modulus or classes of one size, the labels do "
            "not matter:",
        ),
        "columns": Claim(
            "norm_F(column_error) <= error_F",
            says="The error on the columns is at most that of the matrix,",
        ),
        "criterion": Claim(
            "C_K - C_T == mu * sum(hadamard(resolvent - other_resolvent, y @ y.T))",
            says="What these errors stand for is the error of the criterion,",
        ),
    },
    where={
        "resolvent": Where(
            r"(K + n \mu I)^{-1}", "inv(K + n * mu * identity(n))", False
        ),
        "other_resolvent": Where(
            r"(\tilde K + n \mu I)^{-1}",
            "inv(approximation + n * mu * identity(n))",
            False,
        ),
        "C_K": C_K,
        "C_T": C_APPROXIMATION,
    },
    world=Driven,
    cases=_cases,
    controls={
        "lengths, not squares": Control(
            "proportional",
            _LEANING,
            {
                "sum(driven_squares) == driven_squares": "sum(sqrt(driven_squares)) "
                "== sqrt(driven_squares)"
            },
        ),
        "columns for rows": Control(
            "squares",
            _LEANING,
            {"off_I * ": "0.5 * off_I * "},
        ),
        "something seen": Control("nothing seen", _LEANING, lacks="driven_unseen"),
        "a hundredth less": Control("sum", _LEANING, {"== 1": "== 0.99"}),
        "zero everywhere": Control(
            "new", _LEANING, {"(1 - off_I) * driven_shares": "driven_shares"}
        ),
        "a smaller rank": Control("exact on I", _LEANING, lacks="k >= rank_W"),
        "without the label of the row": Control(
            "signs", _LEANING, {"label_weights**2": "label_weights"}
        ),
        "other labels": Control(
            "labels alike",
            _LEANING,
            lacks="min(label_weights) == max(label_weights)",
        ),
        "classes of two sizes": Control(
            "labels alike",
            _CLASSES,
            lacks="min(label_weights) == max(label_weights)",
        ),
        "half of the error": Control(
            "columns", _LEANING, {"<= error_F": "<= 0.5 * error_F"}
        ),
        "lengths of the error": Control(
            "criterion", _LONG, {"mu * sum": "0.5 * mu * sum"}
        ),
    },
    printed={
        "columns for rows": Printed(
            "l == n",
            "misprint",
            "$E$ has one column for each sampled column and one row for each point, "
            "so columns give no probability for all points; the word should be row. "
            "The matrix of the display before, for which $E$ stands, is symmetric, "
            "and there both words mean the same. The counterexample has two points "
            "and one sampled column.",
            _LONG,
            says=r"$p_i = \|E_i\|_2^2 / \|E\|_F^2$, $i = 1, \dots, l$, where $E_i$ is "
            "the $i$-th column of $E$ (the text at hand lacks the bars of the norms)",
        ),
        "every round": Printed(
            "driven_seen",
            "missing hypothesis",
            "The Nyström approximation reproduces sampled columns if the rank of the "
            r"core is at most $k$, and then all $p_i$ are zero and the quotient is "
            r"$0/0$: in the first round whenever $k \ge s$. The source states $k \ll c "
            r"\ll l$ and nothing on $k$ against $s$, the columns of a round. A smaller "
            "rank within the rounds, and a uniform draw where all errors vanish, make "
            "it well defined. The counterexample has six points, $s = k = 1$.",
            _FIRST,
            says=r"$p_i = p_i / \sum_{i=1}^l p_i$ for $i = 1, \dots, l$ (the text at "
            "hand lacks the layout of the formula)",
        ),
    },
)
