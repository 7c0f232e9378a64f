"""The error at a point as a distance: power function, fill distance, largest volume.

Gonzalez 1985 for farthest-point landmarks, Goreinov and Tyrtyshnikov 2001 for
landmarks of largest volume.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory import lowrank, sampling
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.laws import ENUMERABLE
from nystheory.theorems.quantities import l, quantity
from nystheory.theorems.routes import full_rank, one

# --- Distances in feature space ---------------------------------------------------


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


def fill_squared(squares, landmarks) -> float:
    """Squared distance of the point that is farthest from its nearest landmark."""
    return float(squares[:, landmarks].min(axis=1).max())


def gonzalez(K, n_landmarks: int, first=None, farthest=np.argmax) -> list[int]:
    """Farthest-point landmarks: the longest point first, then the one farthest off.

    Fewer than asked for when no point is left at a distance. A second route to
    `sampling.farthest_point`, with the whole matrix at hand; another first point
    may be given, and another way to choose among points that are equally far.

    Examples
    --------
    >>> points = np.array([0.0, 1, 2, 9])
    >>> gonzalez(np.outer(points, points), 2)
    [3, 0]
    """
    squares = squared_distances(K)
    chosen = [int(np.argmax(np.diag(K))) if first is None else first]
    nearest = squares[:, chosen[0]].copy()
    while len(chosen) < n_landmarks and nearest.max() > 0:
        chosen.append(int(farthest(nearest)))
        nearest = np.minimum(nearest, squares[:, chosen[-1]])
    return chosen


def _optimal_fill(i: Instance) -> float:
    """The smallest fill distance of l landmarks, over all choices."""
    if comb(i.n, i.l) > ENUMERABLE:
        raise ValueError(
            f"optimal_fill: expected few enough choices to try all, at most "
            f"{ENUMERABLE}, got C({i.n}, {i.l})"
        )
    choices = np.array(list(combinations(range(i.n), i.l)))
    nearest = squared_distances(i.K)[:, choices].min(axis=2)
    return float(np.sqrt(nearest.max(axis=0).min()))


fill_distance = quantity(
    "fill_distance",
    "h(S)",
    "largest distance of a point from its nearest landmark",
    of_sample=True,
)(lambda i: np.sqrt(fill_squared(squared_distances(i.K), i.landmarks)))
optimal_fill = quantity(
    "optimal_fill", "h_l", "smallest fill distance that l landmarks can have"
)(_optimal_fill)


def _distance_to_span(i: Instance, _) -> np.ndarray:
    """Squared distances of the points to the span of the sampled ones, (n,).

    By least squares, which the package's approximation never solves.
    """
    X = i.points
    sampled = X[:, i.landmarks]
    weights = scipy.linalg.lstsq(sampled, X, cond=1e-9, lapack_driver="gelsd")[0]
    return ((X - sampled @ weights) ** 2).sum(axis=0)


def _error_diagonal(i: Instance, _) -> np.ndarray:
    approximation = lowrank.nystrom(i.K, i.landmarks)
    return np.diag(i.K - approximation.spectral_reconstruction())


def _largest_error(i: Instance, _) -> float:
    return float(np.abs(_error_diagonal(i, _)).max())


def _farthest(i: Instance, _) -> float:
    return fill_squared(squared_distances(i.K), gonzalez(i.K, i.l))


def _last_largest(values) -> int:
    return len(values) - 1 - int(np.argmax(values[::-1]))


def _farthest_from_any(i: Instance, _) -> float:
    """The worst over all first landmarks; ties go to the first or to the last."""
    squares = squared_distances(i.K)
    return max(
        fill_squared(squares, gonzalez(i.K, i.l, first, farthest))
        for first in range(i.n)
        for farthest in (np.argmax, _last_largest)
    )


@lru_cache(maxsize=16)
def _twice_the_best(l) -> tuple[float, float]:  # noqa: E741
    """What farthest points make of three points on a line, and the best fill.

    The line is seen by one landmark: the others are spent on points far off.
    """
    X = np.zeros((l, l + 2))
    X[0, :3] = -1, 0, 1
    X[range(1, l), range(3, l + 2)] = 10
    K = X.T @ X
    found = fill_squared(squared_distances(K), gonzalez(K, l))
    return found, _optimal_fill(Instance(K, range(l), l)) ** 2


def _farthest_by_the_package(i: Instance, _) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        landmarks = sampling.farthest_point(i.K, i.l)
    return fill_squared(squared_distances(i.K), landmarks.indices)


def _is_tried(i: Instance) -> bool:
    return comb(i.n, i.l) <= 200


def _is_in_suite(i: Instance) -> bool:
    return i.norm_K > 0 and not i.name.startswith("search")


# --- Largest volume ---------------------------------------------------------------


def local_maximum_volume(K, landmarks, most: int = 200) -> np.ndarray | None:
    """Landmarks of which none can be exchanged for a larger determinant of W.

    An exchange of the landmark j for the point i multiplies ``det W`` by
    ``B_ij^2 + E_ii (W^-1)_jj`` with ``B = C W^-1`` and E the error; the best one is
    made until none gains.

    Parameters
    ----------
    K : ndarray (n, n)
        Positive semidefinite.
    landmarks : sequence of int
        Where the search starts.
    most : int
        Exchanges to make at most.

    Returns
    -------
    ndarray (l,) or None
        None where W is singular at the start, or to float64, or the search does
        not end.

    Examples
    --------
    >>> local_maximum_volume(np.diag([1.0, 3, 2]), [0, 2]).tolist()
    [1, 2]
    """
    S = np.array(landmarks)
    for _ in range(most):
        values, vectors = np.linalg.eigh(K[np.ix_(S, S)])
        if values[0] <= 1e-10 * max(values[-1], np.finfo(float).tiny):
            return None
        inverse = (vectors / values) @ vectors.T
        B = K[:, S] @ inverse
        error = np.maximum(np.diag(K) - (B * K[:, S]).sum(axis=1), 0)
        gains = B**2 + np.outer(error, np.diag(inverse))
        gains[S] = 0
        i, j = np.unravel_index(np.argmax(gains), gains.shape)
        if gains[i, j] <= 1 + 100 * EPS:
            return S
        S[j] = i
    return None


def _pivots(K, n_landmarks) -> list[int]:
    """Landmarks with a W that is as far from singular as a greedy choice makes it."""
    chosen, left = [], np.array(K, dtype=float)
    for _ in range(n_landmarks):
        j = int(np.argmax(np.diag(left)))
        if left[j, j] <= 0:
            break
        chosen.append(j)
        left -= np.outer(left[:, j], left[j]) / left[j, j]
    return chosen


def _at_largest_volume(i: Instance) -> Instance | None:
    """The instance with landmarks of locally largest volume, found from its own."""
    S = local_maximum_volume(i.K, np.unique(i.landmarks))
    if S is None or len(S) < i.l:
        S = local_maximum_volume(i.K, _pivots(i.K, i.l))
    return None if S is None or len(S) < i.l else i.but(landmarks=S, rank=i.l)


def _error_at_largest_volume(i: Instance, _) -> float | None:
    best = _at_largest_volume(i)
    if best is None:
        return None
    error = i.K - lowrank.nystrom(i.K, best.landmarks).spectral_reconstruction()
    return float(np.abs(error).max())


def _condition_at_largest_volume(i: Instance) -> float:
    best = _at_largest_volume(i)
    return np.inf if best is None else best.condition


next_eigenvalue = quantity(
    "next_eigenvalue", r"\lambda_{l+1}", "the eigenvalue after the l largest"
)(lambda i: float(np.append(np.maximum(i.eigen_K[0], 0), 0.0)[i.l]))


def _has_whole_sample(i: Instance) -> bool:
    """Whether l columns can be independent; every n where the rank is clear."""
    return i.l <= i.rank_K and i.n > i.l


def _nearly_singular(n) -> np.ndarray:
    """K^-1 is nearly of rank 1, and every diagonal entry of it the same."""
    return 1e6 * np.eye(n) - np.full((n, n), (1e6 - 1) / n)


@lru_cache(maxsize=64)
def _share_of_largest_volume(l) -> float:  # noqa: E741
    """The largest error over the bound, where all l landmarks have the same volume."""
    case = Instance(_nearly_singular(l + 1), range(l), l)
    return _largest_error(case, None) / ((l + 1) * case.eigen_K[0][l])


def _examples(rng):
    yield Instance.from_points([[-1.0, 0, 1]], [0], 1, "three points on a line")
    for n in range(2, 7):
        K = _nearly_singular(n)
        yield Instance(K, range(n - 1), n - 1, name="nearly singular, symmetric")


def _derive_largest_volume():
    a = sp.Symbol("a", positive=True)
    b = sp.Symbol("b", real=True)
    smaller = (a - sp.Abs(b)) * (a + sp.Abs(b)) / a
    return (
        Step(
            a - b**2 / a,
            r"what one landmark leaves of the other point, two points of equal length",
        ),
        Step(
            smaller,
            r"$\lambda_2 = a - |b|$ times $1 + |b| / a$, which is below $l + 1 = 2$",
        ),
    )


def _volume_claim(constant, says: str) -> Claim:
    return Claim(
        says,
        observe=_error_at_largest_volume,
        formula=Formula(sp.Mul(constant, next_eigenvalue, evaluate=False)),
        relation="<=",
        condition=_condition_at_largest_volume,
        applies=_has_whole_sample,
    )


def _gonzalez_claim(constant, says: str, **changes) -> Claim:
    claim = Claim(
        says,
        observe=_farthest,
        formula=Formula(
            sp.Pow(sp.Mul(constant, optimal_fill, evaluate=False), 2, evaluate=False)
        ),
        relation="<=",
        applies=_is_tried,
    )
    return replace(claim, **changes)


_SIZE = sp.Add(l, 1, evaluate=False)

GEOMETRY = Theorem(
    id="modern:geometry",
    part="II",
    kind="inequality",
    status="holds",
    title="The geometry of the error",
    number="Gonzalez 1985; Goreinov and Tyrtyshnikov 2001",
    statement=(
        r"Let $K_{ij} = \langle \varphi(x_i), \varphi(x_j) \rangle$ be positive "
        r"semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - \tilde K$. *Distance*: "
        r"$E_{ii}$ is the squared distance of $\varphi(x_i)$ from the span of the "
        r"landmarks, so $E_{ii} \le h(S)^2$, where $h(S) = \max_i \min_{j \in S} "
        r"\|\varphi(x_i) - \varphi(x_j)\|$ is the fill distance. *Farthest points*: "
        r"if each landmark after the first is a point farthest from those before, "
        r"then $h(S) \le 2 h_l$, where $h_l$ is the smallest fill distance of any $l$ "
        r"points. *Largest volume*: if $\det W > 0$, $l < n$, and no exchange of one "
        r"landmark for another point increases $\det W$, then $\max_{ij} |E_{ij}| "
        r"\le (l+1)\, \lambda_{l+1}(K)$. The constants $2$ and $l + 1$ cannot be "
        "improved, whatever $l$ is."
    ),
    claims=(
        Claim(
            "the diagonal of the error holds squared distances to the span",
            observe=_error_diagonal,
            expected=_distance_to_span,
            condition=lambda i: full_rank(i).condition,
        ),
        Claim(
            r"$\max_i E_{ii} \le h(S)^2$",
            observe=_largest_error,
            formula=Formula(fill_distance**2),
            relation="<=",
            applies=_is_in_suite,
            condition=lambda i: full_rank(i).condition,
        ),
        _gonzalez_claim(sp.Integer(2), "farthest points: the squared fill distance"),
        _gonzalez_claim(
            sp.Integer(2),
            "the same for `sampling.farthest_point`",
            observe=_farthest_by_the_package,
            applies=lambda i: _is_in_suite(i) and _is_tried(i),
            # It takes distances for equal that differ by less than 1e-9.
            condition=lambda i: 1e4,
        ),
        _volume_claim(_SIZE, r"largest volume: $\max_{ij} |E_{ij}|$"),
        _gonzalez_claim(
            sp.Integer(2),
            "farthest points from any first landmark, with ties broken in two ways",
            observe=_farthest_from_any,
        ),
        Claim(
            "for each $l$ tried, some points have $h(S)^2 = (2 h_l)^2$",
            observe=lambda i, _: _twice_the_best(i.l)[0],
            expected=lambda i, _: 4 * _twice_the_best(i.l)[1],
            applies=lambda i: i.l <= 10,
            scale=one,
        ),
        Claim(
            "for each $l$ tried, a matrix reaches the last bound to $10^{-4}$",
            observe=lambda i, _: _share_of_largest_volume(i.l),
            expected=lambda i, _: 1 - 1e-4,
            relation=">=",
            scale=one,
        ),
    ),
    instances=_examples,
    derivation=_derive_largest_volume,
    controls=(
        Control(
            _volume_claim(l + sp.Rational(9, 10), "largest volume with $l + 0.9$"),
            Instance(np.array([[100.0, 99], [99, 100]]), [0], 1),
        ),
        Control(
            Claim(
                r"$(l+1)\, \lambda_{l+1}$ for any landmarks",
                observe=_largest_error,
                formula=Formula(sp.Mul(_SIZE, next_eigenvalue, evaluate=False)),
                relation="<=",
            ),
            Instance(np.diag([3.0, 1]), [1], 1),
        ),
        Control(
            _gonzalez_claim(
                sp.Rational(19, 10), "farthest points with $1.9$; three on a line"
            ),
            Instance(np.array([[1.0, 0, -1], [0, 0, 0], [-1, 0, 1]]), [0], 1),
        ),
        Control(
            Claim(
                "the error is the distance to the nearest landmark, not to the span",
                observe=_largest_error,
                expected=lambda i, _: fill_squared(squared_distances(i.K), i.landmarks),
            ),
            Instance(np.array([[1.0, 2], [2, 4]]), [0], 1, X=np.array([[1.0, 2]])),
        ),
    ),
)
