"""Kernels that are certainly worse than another, from the ends of their criteria.

Kim and Teh 2018 keep the kernels whose intervals overlap that of the best, for the
evidence; how far apart the criteria have to be is this book's.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.worlds import Given, Size, World

# Ends that are apart by less than rounding do not drop a kernel.
SLACK = 1e-9


class Candidates(World):
    """Kernels on the same points, and what an approximation sees and misses of each.

    Each kernel matrix is ``K_j = F_j.T @ F_j + G_j.T @ G_j``, where the approximation
    is the first term.
    """

    m = Size("m", "number of kernels")
    n = Size("n", "number of points")
    # F_j and G_j.
    seen = Given(axes=("m", "p", "n"))
    missed = Given(axes=("m", "q", "n"))
    y = Given("y", "observations", axes=("n",))

    @classmethod
    def drawn(cls, instance, rng):
        """Small integers; what is missed is little, or as much as what is seen."""
        m, n, p, q = (int(rng.integers(2, 5)) for _ in range(4))
        little = 2.0 ** rng.integers(-6, 1)
        seen = rng.integers(-2, 3, (m, p, n)) * 2.0 ** rng.integers(-2, 3, (m, 1, 1))
        missed = rng.integers(-1, 2, (m, q, n)) * little
        y, alpha = rng.integers(-3, 4, n).astype(float), 2.0 ** rng.integers(-3, 3)
        return cls(seen=seen, missed=missed, y=y, alpha=alpha)

    @classmethod
    def of_two(cls, first, second, y=(0, 1)):
        """Two kernels by the diagonals of what is seen and missed, rooted; ridge 1."""
        seen, missed = zip(first, second, strict=True)
        given = {"seen": _diagonals(seen), "missed": _diagonals(missed)}
        return cls.exactly(**given, y=list(y), alpha=1)


def _diagonals(of_kernels):
    return [[[a, 0], [0, b]] for a, b in of_kernels]


def _criterion(i, K, ridge) -> float:
    """The criterion with another ridge inside, by one solution."""
    n = len(K)
    return float(i.alpha) / n * (i.y @ np.linalg.solve(K + ridge * np.eye(n), i.y))


def _matrices(i):
    """What is seen of each kernel matrix, and what is missed."""
    return [[F.T @ F for F in np.asarray(x, float)] for x in (i.seen, i.missed)]


def _exact(i):
    pairs = zip(*_matrices(i), strict=True)
    return np.array(
        [_criterion(i, near + rest, float(i.alpha)) for near, rest in pairs]
    )


def _above(i):
    return np.array([_criterion(i, near, float(i.alpha)) for near in _matrices(i)[0]])


def _below(i):
    pairs = zip(*_matrices(i), strict=True)
    ridges = [(near, float(i.alpha) + np.trace(rest)) for near, rest in pairs]
    return np.array([_criterion(i, near, ridge) for near, ridge in ridges])


def _of_solving(i):
    """Rounding of the solutions, in units of the observations."""
    ridge = float(i.alpha)
    if not ridge > 0:
        return np.inf
    largest = max(np.trace(a + b) for a, b in zip(*_matrices(i), strict=True))
    return (1 + largest / ridge) * (1 + float(i.y @ i.y))


_told = partial(Candidates.quantity, unit=0, condition=_of_solving)


@_told("C(K_1)", "criterion of the first kernel", CHOSEN)
def criterion_first(i):
    return _exact(i)[0]


@_told("C(K_j)", "criteria of the others", CHOSEN)
def criteria_rest(i):
    return _exact(i)[1:]


@_told(r"\overline C_1", "upper end of the criterion of the first kernel", SAMPLE)
def upper_first(i):
    return _above(i)[0]


@_told(r"\underline C_j", "lower ends of the criteria of the others", SAMPLE)
def lower_rest(i):
    return _below(i)[1:]


@_told("C_*", "smallest criterion of all kernels", CHOSEN)
def smallest(i):
    return _exact(i).min()


@_told(
    r"\min_{\underline C_j \le \min_i \overline C_i} C(K_j)",
    "smallest criterion of the kernels whose lower end no upper end is below",
    SAMPLE,
)
def smallest_left(i):
    low = _above(i).min()
    return _exact(i)[_below(i) <= low + SLACK * abs(low)].min()


@_told("t", "largest trace of what is missed of a kernel", SAMPLE)
def largest_trace(i):
    return max(np.trace(rest) for rest in _matrices(i)[1])


def _cases(rng):
    """The first kernel sees the observations, the second little of them or nothing."""
    for seen in 2.0 ** np.arange(0, 6):
        for rest in 2.0 ** np.arange(-6, 1):
            for other in (0.0, 0.5):
                one = np.array([_diagonals([(0, seen)]), _diagonals([(0, rest)])])
                two = np.array([_diagonals([(0, other)]), _diagonals([(rest, 0)])])
                given = {"y": np.array([0.0, 1.0]), "alpha": 1.0}
                parts = np.concatenate([one, two], axis=1)
                yield Candidates(seen=parts[0], missed=parts[1], **given)


# The second kernel misses what the observations are, the first sees half of it.
_WRONG = Candidates.of_two(((0, "1/2"), (0, 0)), ((0, 0), (0, 1)))
_APART = Candidates.of_two(((0, 2), (0, 0)), ((0, 0), (0, 0)))
_ENOUGH = Candidates.of_two(((0, "3/8"), (0, "1/4")), ((0, 0), ("1/4", 0)))
_NEAR = Candidates.of_two(((0, "1/4"), (0, 1)), ((0, 0), (1, 0)))

SAME_KERNEL = Theorem(
    id="modern:surely-the-same-kernel",
    kind="inequality",
    status="new",
    title="Kernels that are certainly worse",
    number="after Kim and Teh 2018",
    setting=(
        r"Let $K_1, \dots, K_m$ be kernel matrices of the same points and $0 \preceq "
        r"\tilde K_j \preceq K_j$. With the ridge $\alpha$ and observations $y$ let "
        r"$C(K) = \frac\alpha n\, y^\top (K + \alpha I)^{-1} y$, $\overline C_j = "
        r"C(\tilde K_j)$, $t_j = \operatorname{tr}(K_j - \tilde K_j)$ and $\underline "
        r"C_j = \frac\alpha n\, y^\top (\tilde K_j + (\alpha + t_j) I)^{-1} y$. The "
        "index $j$ runs over all kernels except the first, and $t$ is the largest "
        "$t_j$ of all."
    ),
    claims={
        "worse": Claim(
            "min(criteria_rest) > criterion_first",
            when="min(lower_rest) > upper_first",
            says="The first kernel is the best whenever it is certainly so,",
        ),
        "left": Claim(
            "smallest == smallest_left",
            says="and a best kernel is never dropped:",
        ),
        "loss": Claim(
            "criterion_first - min(criteria_rest) <= upper_first - min(lower_rest)",
            says="In any case, choosing the first loses at most",
        ),
        "enough": Claim(
            "upper_first < min(lower_rest)",
            when="min(criteria_rest) > (1 + largest_trace / alpha)**2 "
            "* criterion_first",
            says="The choice is certain once the criteria are this far apart:",
        ),
    },
    world=Candidates,
    cases=_cases,
    controls={
        "the smaller approximate criterion": Control(
            "worse", _WRONG, lacks="min(lower_rest) > upper_first"
        ),
        "1.1 of what is left": Control(
            "left", _APART, {"smallest_": "1.1 * smallest_"}
        ),
        "0.9 of the loss": Control(
            "loss", _WRONG, {"<= upper_first": "<= 0.9 * upper_first"}
        ),
        "1.1 of the upper end": Control(
            "enough", _ENOUGH, {"upper_f": "1.1 * upper_f"}
        ),
        "criteria that are near": Control(
            "enough",
            _NEAR,
            lacks="min(criteria_rest) > (1 + largest_trace / alpha)**2 "
            "* criterion_first",
        ),
    },
)
