"""What the leading directions of the sample do to the error, where there is a gap.

Yang et al. 2012, Theorems 3 and 4 and their sum.  Eigenfunctions are vectors of the
space of the points: ``L_n = X X' / n``, ``L_l = X_S X_S' / l``.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import scipy.linalg

from nystheory.chapters.eigengap_and_rate.theorems.sampled_operator import halved
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import GREY_LOW


class Directions(Instance):
    """The columns of one matrix, and the leading eigenfunctions of both operators."""

    @classmethod
    def drawn(cls, instance, rng):
        """Points no longer than 1."""
        return halved(instance)


class Resolved(Directions):
    """The same, with landmarks that are enough for a gap to be seen."""

    @classmethod
    def drawn(cls, instance, rng):
        """In place of a few landmarks every point several times, some more often."""
        i = super().drawn(instance, rng)
        if i.l <= i.n <= 8:
            times = rng.integers(2, 40) + rng.integers(0, 3, i.n)
            i = i.but(landmarks=np.repeat(np.arange(i.n), times))
        return i


# --- Both operators -------------------------------------------------------------------


def leading(X: np.ndarray, k: int) -> np.ndarray:
    """The projector on k leading left singular vectors, on fewer where there are fewer.

    Examples
    --------
    >>> leading(np.array([[3.0, 4.0], [3.0, 4.0]]), 1).round(9).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    U, s, _ = scipy.linalg.svd(X, full_matrices=False)
    V = U[:, : min(k, _rank(s))]
    return V @ V.T


def _rank(s) -> int:
    """How many singular values are more than rounding."""
    return int((s > GREY_LOW * s.max(initial=0.0)).sum())


def counted(i) -> np.ndarray:
    """The sampled points once each, times the root of how often they are drawn."""
    drawn, times = np.unique(i.landmarks, return_counts=True)
    return i.points[:, drawn] * np.sqrt(times)


def _over_gap(X, k, size) -> float:
    """How the gap of the squared singular values amplifies rounding of this size."""
    s = scipy.linalg.svdvals(X)
    r, s = min(k, _rank(s)), np.append(s**2, 0.0)
    if not r:
        return 1.0
    gap = s[r - 1] - s[r]
    return size / gap if gap > 1e-12 * size else np.inf


def _of_all(i):
    return _over_gap(i.points, i.k, i.norm_K)


def _of_sample(i):
    return _over_gap(counted(i), i.k, i.l * i.norm_K)


def _of_both(i):
    return _of_all(i) + _of_sample(i)


def root_L(i) -> np.ndarray:
    """The root of ``L_n``."""
    U, s, _ = scipy.linalg.svd(i.points, full_matrices=False)
    return (U * s) @ U.T / np.sqrt(i.n)


@Directions.quantity(
    "H_k",
    "projector on the k leading eigenfunctions of all points",
    unit=0,
    condition=_of_all,
)
def leading_H(i):
    return leading(i.points, i.k)


@Directions.quantity(
    r"\hat H_k",
    "projector on the k leading eigenfunctions of the landmarks",
    SAMPLE,
    unit=0,
    condition=_of_sample,
)
def landmark_H(i):
    return leading(counted(i), i.k)


@Directions.quantity(
    r"\|L_n^{1/2} (H_k - \hat H_k) L_n^{1/2}\|_2",
    "how far apart the leading eigenfunctions are, each direction by its weight",
    SAMPLE,
    condition=_of_both,
)
def moved(i):
    root = root_L(i)
    return np.linalg.norm(root @ (leading_H(i) - landmark_H(i)) @ root, 2)


@Directions.quantity(
    r"\|\hat H_k - H_k \hat H_k\|_2",
    "sine of the largest angle between the leading eigenfunctions",
    SAMPLE,
    unit=0,
    condition=_of_both,
)
def turned(i):
    found = landmark_H(i)
    return np.linalg.norm(found - leading_H(i) @ found, 2)


@Directions.quantity(
    "K_k", "best approximation of rank k, by eigenvectors", condition=_of_all
)
def head(i):
    values, vectors = i.eigen_K
    return (vectors[:, : i.k] * values[: i.k]) @ vectors[:, : i.k].T


@Directions.quantity(r"\Delta", "gap of the eigenvalues after the k-th, over n")
def eigengap(i):
    values = np.append(i.spectrum, np.zeros(i.k + 1))
    return (values[i.k - 1] - values[i.k]) / i.n


# --- Instances ------------------------------------------------------------------------


def two_points(c, s, first: int, second: int, **given) -> Directions:
    """The points (c, s) and (c, -s), each drawn so often.

    ``L_n`` is diagonal, and the sample adds to it what is off the diagonal.

    Examples
    --------
    >>> case = two_points("0.8", "0.6", 2, 1)
    >>> case.n, case.l, case.measured(case.quantities["eigengap"]).value.__round__(9)
    (2, 3, 0.28)
    """
    drawn = [0] * first + [1] * second
    return Directions.exactly(drawn, 1, points=[[c, c], [s, f"-{s}"]], **given)


def _cases(rng):
    """Few points with few landmarks; two points of the plane, drawn often."""
    for n in (3, 4, 5, 6):
        X = rng.integers(-2, 3, (3, n)).astype(float)
        yield Instance.from_points(X, range(n // 2), 1, "few landmarks")
    for c, s in (("12/13", "5/13"), ("4/5", "3/5"), ("24/25", "7/25"), ("1", "1/100")):
        for first, second in ((2, 1), (4, 3), (11, 9), (50, 51), (33, 17), (13, 7)):
            yield two_points(c, s, first, second)
    for n, k in product((3, 4, 6), (1, 2)):
        for _ in range(8):
            X = rng.integers(-3, 4, (int(rng.integers(2, 4)), n)) / 8
            X[0] += 1 / 2
            times = 8 + rng.integers(0, 3, n)
            landmarks = np.repeat(np.arange(n), times)
            yield Directions.from_points(X / 2, landmarks, k, "few points, drawn often")


# --- The theorems ---------------------------------------------------------------------

SETTING = (
    r"Let $x_1, \dots, x_n$ be the columns of $X$ and $K = X^\top X$, let $X_S$ be any "
    r"$l$ of them, repetitions allowed, $L_n = \frac1n X X^\top$ and $L_l = \frac1l "
    r"X_S X_S^\top$, and $Z = \sqrt{n/l}\, X_S$, so that $\frac1n (X X^\top - Z "
    r"Z^\top) = L_n - L_l$."
)
_PROJECTORS = (
    r" Let $H_k$ and $\hat H_k$ be projectors onto the $k$ leading eigenvectors of "
    r"$L_n$ and of $L_l$ with eigenvalues above zero, or onto fewer if there are fewer."
)
_EIGENGAP = (
    r" Let $\Delta = (\lambda_k - \lambda_{k+1}) / n$ for the eigenvalues of $K$"
)
E_HS = Where("e", "distance_F / n")
_ETA = Where(r"\eta", "max(sqrt(tail_2 / n), 2 * e / (eigengap - e))")
_SIGMA = Where(r"\sigma", "distance_2 / (n * eigengap - distance_2)")
_SHARPER = "sigma**2 * norm_K / n + sigma / n * sqrt(norm_K * tail_2)"
_GAP = {"gap": Hypothesis("eigengap > distance_2 / n", domain=True)}
_SCALED = "K_max <= 1 and eigengap > e"
_PRINTED = "eta * (4 * e / (eigengap - e))"

# Nearly alike, and drawn a little unevenly.
_UNEVEN = two_points("399/401", "40/401", 33, 17)
_NEARLY_EVEN = two_points("12/13", "5/13", 51, 50)
_LONG = Directions.exactly(
    [0] * 33 + [1] * 17, 1, points=[["399/40", "399/40"], [1, -1]]
)

EQUALITY = Theorem(
    id="yang2012:thm-3",
    kind="identity",
    status="holds",
    title="The error as a difference of projectors",
    number="Yang et al. 2012, Theorem 3",
    setting=(
        f"{SETTING}{_PROJECTORS}"
        r" Let $K_k$ be the best approximation of $K$ of rank $k$ and $\tilde K$ the "
        r"Nyström approximation of rank $k$, at a tie by the same choices as $H_k$ and "
        r"$\hat H_k$."
    ),
    claims={
        "distance": "norm_2(approximation - head) == n * moved",
        "all points": Claim(
            "head == X.T @ leading_H @ X", says="Both matrices have the same form,"
        ),
        "landmarks": "approximation == X.T @ landmark_H @ X",
    },
    world=Directions,
    cases=_cases,
    controls={
        "a thousandth less": Control("distance", _UNEVEN, {"n *": "0.999 * n *"}),
        "the directions of the landmarks": Control(
            "all points", _UNEVEN, {"leading_H": "landmark_H"}
        ),
        "the directions of all points": Control(
            "landmarks", _UNEVEN, {"landmark_H": "leading_H"}
        ),
    },
)

PERTURBATION = Theorem(
    id="yang2012:thm-4",
    kind="inequality",
    status="holds",
    title="How far the leading directions turn",
    number="Yang et al. 2012, Theorem 4",
    setting=(f"{SETTING}{_PROJECTORS}{_EIGENGAP}."),
    hypotheses=_GAP,
    where={"e": E_HS, "eta": _ETA, "sigma": _SIGMA},
    claims={
        "as printed": Claim(
            f"moved <= {_PRINTED}",
            when=_SCALED,
            says="The printed bound, which is not tight,",
        ),
        "sharper": Claim(f"moved <= {_SHARPER}", says="Whatever the scale of $K$,"),
        "angle": Claim(
            "turned <= sigma",
            says="The sine of the largest angle between the two spans obeys",
        ),
    },
    world=Resolved,
    cases=_cases,
    controls={
        "without the tail": Control(
            "as printed", _NEARLY_EVEN, {"eta *": "2 * e / (eigengap - e) *"}
        ),
        "0.7 for 4": Control("as printed", _UNEVEN, {"(4 *": "(0.7 *"}),
        "points ten times as long": Control("as printed", _LONG, lacks="K_max <= 1"),
        "nine tenths": Control(
            "sharper", _NEARLY_EVEN, {"+ sigma / n": "+ 0.9 * sigma / n"}
        ),
        "without the product": Control(
            "sharper", _NEARLY_EVEN, {"sqrt(norm_K * tail_2)": "tail_2"}
        ),
        "nine tenths of the angle": Control("angle", _NEARLY_EVEN, {"<=": "<= 0.9 *"}),
    },
)

COMBINED = Theorem(
    id="yang2012:combined",
    kind="inequality",
    status="holds",
    title="The error with an eigengap",
    number="Yang et al. 2012, Theorems 3 and 4 together",
    setting=(
        f"{SETTING}{_EIGENGAP}, and let $\\tilde K$ be the Nyström approximation of "
        "rank $k$."
    ),
    hypotheses=_GAP,
    where={"e": E_HS, "eta": _ETA, "sigma": _SIGMA},
    claims={
        "squared": "error_2 <= tail_2 + sigma**2 * (norm_K - tail_2)",
        "as printed": Claim(
            f"error_2 <= tail_2 + n * {_PRINTED}",
            when=_SCALED,
            says="The two printed theorems together give the weaker bound",
        ),
    },
    world=Resolved,
    cases=_cases,
    controls={
        "nine tenths": Control(
            "squared", _NEARLY_EVEN, {"+ sigma**2": "+ 0.9 * sigma**2"}
        ),
        "nine tenths of the tail": Control(
            "as printed", _NEARLY_EVEN, {"<= tail_2": "<= 0.9 * tail_2"}
        ),
    },
)
