"""The error at a point as a distance: power function, fill distance, largest volume.

Gonzalez 1985 for farthest-point landmarks, Goreinov and Tyrtyshnikov 2001 for
landmarks of largest volume.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import scipy.linalg

from nystheory import sampling
from nystheory.engine import Claim, Control, Instance, Promise, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.columns import by_core
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.volumes import local_maximum_volume

# All choices of landmarks are tried where there are at most so many.
TRIED = 200

# --- Distances in feature space ------------------------------------------------------


@by_core(r"\delta", "squared distances of the points from the span of the landmarks")
def span_distances(i):
    """By least squares on the points, which no approximation solves."""
    X = i.points
    sampled = X[:, i.landmarks]
    weights = scipy.linalg.lstsq(sampled, X, cond=1e-9, lapack_driver="gelsd")[0]
    return ((X - sampled @ weights) ** 2).sum(axis=0)


def squared_distances(K) -> np.ndarray:
    """``K_ii + K_jj - 2 K_ij``, the squared distances of the points in feature space.

    Examples
    --------
    >>> squared_distances(np.array([[1.0, 0], [0, 4]])).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    diagonal = np.diag(K)
    squares = np.maximum(diagonal[:, None] + diagonal - 2 * K, 0)
    np.fill_diagonal(squares, 0)
    return squares


def _fill(squares, landmarks) -> float:
    """Squared distance of the point that is farthest from its nearest landmark."""
    return squares[:, landmarks].min(axis=1).max()


@quantity("h(S)^2", "squared fill distance: from the nearest landmark, at most", SAMPLE)
def fill_squared(i):
    return _fill(squared_distances(i.K), i.landmarks)


@quantity(
    r"h_{\mathrm{far}}^2",
    "squared fill distance of farthest points, the longest point first",
    condition=lambda i: 1e4,
)
def farthest_squared(i):
    """The package takes distances for equal that differ by less than 1e-9."""
    if i.norm_K == 0:
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        landmarks = sampling.farthest_point(i.K, i.l)
    return _fill(squared_distances(i.K), landmarks.indices)


@quantity(
    r"h_{\max}^2",
    "largest squared fill distance of farthest points, whichever is the first",
)
def any_farthest_squared(i):
    """Ties go to the first or to the last."""
    squares, choices = squared_distances(i.K), (np.argmax, _last_largest)
    starts = product(range(i.n), choices)
    return max(_fill(squares, _farthest(squares, i.l, *start)) for start in starts)


def _farthest(squares, count, first, choose) -> list[int]:
    chosen, nearest = [first], squares[:, first].copy()
    while len(chosen) < count and nearest.max() > 0:
        chosen.append(int(choose(nearest)))
        nearest = np.minimum(nearest, squares[:, chosen[-1]])
    return chosen


def _last_largest(values) -> int:
    return len(values) - 1 - int(np.argmax(values[::-1]))


@quantity("h_l^2", "smallest squared fill distance that l landmarks can have")
def optimal_squared(i):
    """None where there are too many choices to try."""
    if comb(i.n, i.l) > TRIED:
        return None
    choices = np.array(list(combinations(range(i.n), i.l)))
    nearest = squared_distances(i.K)[:, choices].min(axis=2)
    return nearest.max(axis=0).min()


# --- Largest volume ------------------------------------------------------------------


@quantity(r"\lambda_{l+1}", "eigenvalue after the l largest")
def next_eigenvalue(i):
    return np.append(i.spectrum, 0.0)[i.l]


@by_core(r"\max_{ij} |E_{ij}|", "largest entry of E")
def largest_entry(i):
    return np.abs(i.full.error).max()


# --- Where the constants are reached -------------------------------------------------


def _line(l) -> np.ndarray:  # noqa: E741
    """Three points on a line, and l - 1 of length 10 at right angles, as columns."""
    return scipy.linalg.block_diag([-1.0, 0.0, 1.0], *[10.0] * (l - 1))


def _nearly_singular(n) -> list:
    """K^-1 is nearly of rank 1, and every diagonal entry of it the same; exactly."""
    large = 10**6 * (n - 1)
    flat = Fraction(1 - large, n)
    return [[flat + large * (a == b) for b in range(n)] for a in range(n)]


def _is(i, K) -> bool:
    return i.K.shape == K.shape and np.abs(i.K - K).max() <= 1e-9


@quantity("K = K_l", "whether K is that of the line", SAMPLE, unit=None)
def is_line(i):
    X = _line(i.l)
    return _is(i, X.T @ X)


@quantity("K = L_l", "whether K is nearly singular and symmetric", SAMPLE, unit=None)
def is_nearly_singular(i):
    return _is(i, np.array(_nearly_singular(i.l + 1), dtype=float))


def _cases(rng):
    """Where constants are reached, and landmarks of locally largest volume."""
    for l in range(1, 6):  # noqa: E741
        yield Instance.exactly(range(l), 1, points=_line(l).tolist(), name="on a line")
        singular = _nearly_singular(l + 1)
        yield Instance.exactly(range(l), 1, matrix=singular, name="nearly singular")
    for n in (3, 5, 8, 20):
        for l in range(1, n):  # noqa: E741
            X = rng.standard_normal((n, n)) * 0.7 ** np.arange(n)[:, None]
            S = local_maximum_volume(X.T @ X, rng.choice(n, l, replace=False))
            if S is not None:
                yield Instance.from_points(X, S, 1, "largest volume")


_PAIR = Instance.exactly([0], 1, matrix=[[100, 99], [99, 100]])
_ON_A_LINE = Instance.exactly([0], 1, points=[[-1, 0, 1]])
_SPAN = Instance.exactly([0], 1, points=[[1, 2]])
_SHORTER = Instance.exactly([1], 1, matrix=diagonal([3, 1]))
_OF_ZEROS = Instance.exactly([2, 3], 1, matrix=diagonal([1, 1, 0, 0]))
_SINGULAR = Instance.exactly([0], 1, matrix=_nearly_singular(2))
_WITH_1_9 = {"4 *": "3.61 *"}

_SMALL_ONLY = f"the best of more than {TRIED} choices of landmarks is not looked for"

GEOMETRY = Theorem(
    id="modern:geometry",
    kind="inequality",
    status="holds",
    title="The geometry of the error",
    number="Gonzalez 1985; Goreinov and Tyrtyshnikov 2001",
    setting=(
        r"Let $K_{ij} = \langle \varphi(x_i), \varphi(x_j) \rangle$ be positive "
        r"semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - \tilde K$. Let "
        r"$\delta_i$ be the squared distance of $\varphi(x_i)$ from the span of the "
        r"landmarks, $h(S) = \max_i \min_{j \in S} \|\varphi(x_i) - \varphi(x_j)\|$ "
        "the fill distance, and $h_l$ the smallest fill distance of any $l$ points. "
        r"Let $h_{\max}$ be the largest fill distance of $l$ farthest points, each "
        "after the first a point farthest from those before, whatever the first "
        r"point, and $h_{\mathrm{far}}$ the fill distance when the first is the "
        "longest."
    ),
    claims={
        "distance": Claim("diag(E) == span_distances", says="*Distance*:"),
        "fill": Claim("diag(E) <= fill_squared", says="The diagonal of the error is "
            "at most the squared fill distance:"),
        "farthest": Claim(
            "any_farthest_squared <= 4 * optimal_squared",
            says="*Farthest points*:",
            reason=_SMALL_ONLY,
        ),
        "from the longest": Claim(
            "farthest_squared <= 4 * optimal_squared", reason=_SMALL_ONLY
        ),
        "volume": Claim(
            "largest_entry <= (l + 1) * next_eigenvalue",
            when="locally_largest",
            says="*Largest volume*:",
        ),
        "farthest, attained": Claim(
            "any_farthest_squared == 4 * optimal_squared",
            when="is_line",
            says=r"*The constants cannot be improved.* Let $K_l$ be the matrix of the "
            r"points $-1, 0, 1$ on a line and of $l - 1$ points of length $10$, at "
            "right angles to it and to each other. Then",
            reason="one matrix for each number of landmarks",
        ),
        "volume, reached": Claim(
            "largest_entry >= 0.9999 * (l + 1) * next_eigenvalue",
            when="is_nearly_singular",
            says=r"Let $L_l = 10^6\, l\, (I - \frac1n \mathbf 1 \mathbf 1^\top) + "
            r"\frac1n \mathbf 1 \mathbf 1^\top$ with $n = l + 1$. Then",
            reason="one matrix for each number of landmarks",
        ),
    },
    cases=_cases,
    promises={
        "volume": Promise(
            "largest entry", "locally largest volume", when="l <= rank_K"
        ),
    },
    controls={
        "half the error": Control("distance", _PAIR, {"diag(E)": "0.5 * diag(E)"}),
        "the nearest landmark, not the span": Control("fill", _SPAN, {"<=": "=="}),
        "1.9 in place of 2": Control("farthest", _ON_A_LINE, _WITH_1_9),
        "1.9 from the longest": Control("from the longest", _ON_A_LINE, _WITH_1_9),
        "l + 0.9": Control("volume", _PAIR, {"l + 1": "l + 0.9"}),
        "any landmarks": Control("volume", _SHORTER, lacks="locally_largest"),
        "a singular core": Control("volume", _OF_ZEROS, lacks="locally_largest"),
        "attained with 1.9": Control("farthest, attained", _ON_A_LINE, _WITH_1_9),
        "reached exactly": Control("volume, reached", _SINGULAR, {"0.9999 *": "1 *"}),
    },
)
