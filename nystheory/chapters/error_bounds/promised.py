"""What theorems promise of the error, and what it turns out to be.

Theorems 5.2 and 5.3 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, as printed and as proved in the book.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.stats

from nystheory import kernels
from nystheory.chapters import theorems
from nystheory.engine.findings.experiments import four_matrices
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import value
from nystheory.style import Table

DELTA = 0.05
RANK = 25
NORMS = ("2", "F")
KERNELS = ("patches, linear", "digits, RBF", "documents, linear")

OBSERVED, BEST_RANK = "observed", "best of that rank"
CERTIFICATE, LEFT_OUT = "trace certificate", "leave one out"
PROVED, PRINTED = "proved", "printed"


def three_kernels(n: int = 1000) -> dict[str, kernels.DenseKernel]:
    """Matrices whose spectra decay fast, less fast and slowly.

    Parameters
    ----------
    n : int
        Number of points, at most 1797.

    Examples
    --------
    >>> list(three_kernels(20))
    ['patches, linear', 'digits, RBF', 'documents, linear']
    """
    Ks = four_matrices(n)
    return {name: Ks[name] for name in KERNELS}


# ---- what is known of a matrix ----


def know(K) -> Instance:
    """What bounds need to know of a matrix, measured once.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)

    Examples
    --------
    >>> sizes(know(np.diag([3.0, 2.0, 1.0])))
    {'2': 3.0, 'F': 3.741...}
    """
    case = Instance(kernels.as_kernel(K).dense(), [0], 1)
    case.spectrum, case.largest_distance, case.spread  # noqa: B018 - kept for copies
    return case


def sizes(known: Instance) -> dict[str, float]:
    """The norms of the matrix."""
    return {"2": value("norm_K", known), "F": value("norm_K_F", known)}


def best(known: Instance, rank: int) -> dict[str, float]:
    """The error of the best matrix of this rank, in both norms."""
    there = known.but(rank=rank)
    return {norm: value(f"tail_{norm}", there) for norm in NORMS}


# ---- promises ----


def promises(
    known: Instance, n_landmarks: int, rank: int, delta: float = DELTA
) -> dict[tuple[str, str], float]:
    """The bounds of Theorem 5.2 for one number of columns.

    Parameters
    ----------
    known : Instance
    n_landmarks, rank : int
    delta : float

    Returns
    -------
    dict of (str, str) to float
        By `PROVED` or `PRINTED` and the norm.  Proved is the smaller of the two
        bounds for the Frobenius norm, and for ``k = l`` the distance of the
        covariances alone.

    Examples
    --------
    >>> found = promises(know(np.eye(4)), 2, 2, delta=1.0)
    >>> found[PROVED, "2"], round(found[PRINTED, "2"], 3)
    (2.0, 6.657)
    """
    case = known.but(landmarks=np.arange(n_landmarks), rank=rank)
    given = {"delta": delta}
    proved = {
        "2": [_bound("2", "proved", case, **given)],
        "F": [
            _bound("F", "proved", case, **given),
            _bound("F", "by squares", case, **given),
        ],
    }
    if rank == n_landmarks:
        distance = _bound("2", "one event", case, **given)
        proved = {norm: [distance] for norm in NORMS}
    return {(PROVED, norm): min(proved[norm]) for norm in NORMS} | {
        (PRINTED, norm): _bound(norm, "printed", case, **given) for norm in NORMS
    }


def _bound(norm: str, claim: str, case: Instance | None, **given) -> float:
    """A bound of Theorem 5.2 on a matrix, or from numbers."""
    name = {"2": "spectral", "F": "frobenius"}[norm]
    theorem = theorems[f"talwalkar2010:thm-5.2-{name}"]
    return theorem.bound_on(case, claim, **given)


def first(holds: Callable[[int], bool], n: int) -> int | None:
    """The smallest number from 1 to n with a monotone property, by bisection.

    Examples
    --------
    >>> first(lambda l: l * l >= 10, 100), first(lambda l: l > 100, 100)
    (4, None)
    """
    if not holds(n):
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


# ---- one sample, growing ----


@dataclass(frozen=True, eq=False)
class Paths:
    """Errors of full rank of samples that grow by one column after the other.

    Attributes
    ----------
    frobenius, trace : ndarray (draws, n + 1)
        Entry l is the norm of the error from the first l columns.
    """

    frobenius: np.ndarray
    trace: np.ndarray


def paths(K, draws: int, rng) -> Paths:
    """Draw columns until all are drawn, and record the error on the way.

    Parameters
    ----------
    K : KernelMatrix (n, n)
        Of full rank, or of a rank that random columns reach as soon as they can:
        the triangular factor of other matrices would not be unique.
    draws : int
    rng : numpy.random.Generator

    Notes
    -----
    ``X[:, order] = Q R`` gives ``K - K~_l`` the norms of ``R_l' R_l``, where R_l are
    the rows of R from the l-th on: those of the lower right blocks of ``R R'``.

    Examples
    --------
    >>> found = paths(np.diag([2.0, 2.0]), 1, np.random.default_rng(0))
    >>> found.trace.round(6).tolist(), found.frobenius.round(6).tolist()
    ([[4.0, 2.0, 0.0]], [[2.828427, 2.0, 0.0]])
    """
    X = Instance(kernels.as_kernel(K).dense(), [0], 1).points
    frobenius, trace = [], []
    for _ in range(draws):
        R = scipy.linalg.qr(X[:, rng.permutation(X.shape[1])], mode="r")[0]
        G = R @ R.T
        # Rows and columns from the l-th on: one more in the corner each time.
        squares = G**2
        shells = 2 * np.triu(squares, 1).sum(axis=1) + np.diag(squares)
        frobenius.append(np.sqrt(_from_the_end(shells)))
        trace.append(_from_the_end(np.diag(G)))
    return Paths(np.array(frobenius), np.array(trace))


def _from_the_end(terms):
    return np.append(np.cumsum(terms[::-1])[::-1], 0.0)


@dataclass(frozen=True, eq=False)
class Asked:
    """How many columns different voices ask for, by matrix and voice.

    Attributes
    ----------
    n : int
    counts : dict of str to dict of str to int or None
        None where all n columns are not enough.
    """

    n: int
    counts: Mapping[str, Mapping[str, int | None]]

    def table(self) -> Table:
        """The numbers, one row for each voice."""
        voices = list(next(iter(self.counts.values())))
        rows = [
            (voice, *(_says(each[voice]) for each in self.counts.values()))
            for voice in voices
        ]
        return Table(("who says so", *self.counts), rows)


def _says(count):
    return "never" if count is None else str(count)


def columns_asked(
    Ks: Mapping[str, kernels.DenseKernel],
    knowns: Mapping[str, Instance],
    share: float = 0.1,
    draws: int = 5,
    seed: int = 0,
) -> Asked:
    """How many columns it takes until someone says that the error is small.

    Parameters
    ----------
    Ks : mapping of str to DenseKernel
    knowns : mapping of str to Instance
    share : float
        Small means ``|K - K~|_F <= share |K|_F``, for full rank, ``k = l``.
    draws, seed : int

    Returns
    -------
    Asked
        ``best of that rank``: no matrix of a smaller rank does it; ``observed`` and
        ``trace certificate``: the largest number over the draws; ``proved`` and
        ``printed``: Theorem 5.2 with probability ``1 - DELTA``.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([9.0, 8.0, 7.0, 0.1]))
    >>> asked = columns_asked({"K": K}, {"K": know(K)}, share=0.5, draws=3)
    >>> asked.counts["K"]["best of that rank"]
    3
    """
    rng, counts = np.random.default_rng(seed), {}
    for name, K in Ks.items():
        known, seen = knowns[name], paths(K, draws, rng)
        tests = _voices(known, seen, share * sizes(known)["F"])
        counts[name] = {voice: first(test, known.n) for voice, test in tests.items()}
    return Asked(known.n, counts)


def _voices(known, seen, target):
    """Whether each of them is content with l columns."""
    worst, trace = seen.frobenius.max(axis=0), seen.trace.max(axis=0)
    return {
        BEST_RANK: lambda m: best(known, m)["F"] <= target,
        OBSERVED: lambda m: worst[m] <= target,
        CERTIFICATE: lambda m: trace[m] <= target,
        PROVED: lambda m: promises(known, m, m)[PROVED, "F"] <= target,
        PRINTED: lambda m: promises(known, m, m)[PRINTED, "F"] <= target,
    }


# ---- the worst matrix ----


def worst_flip(n: int, n_landmarks: int, delta: float) -> float:
    """An excess, over n, that two clusters have with probability above delta.

    The sample takes the smaller of two orthogonal clusters of points of length one
    for the larger when it has as many points of it; the excess of rank one is then
    the difference of the sizes, in either norm.

    Parameters
    ----------
    n, n_landmarks : int
        n even.
    delta : float

    Returns
    -------
    float
        The largest difference of two such clusters, over n; a bound that knows n, l,
        ``K_max``, ``d_max`` and delta alone cannot be smaller.

    Examples
    --------
    >>> worst_flip(4, 1, 0.2), worst_flip(4, 1, 0.3)
    (0.5, 0.0)
    """
    need = (n_landmarks + 1) // 2

    def unlikely(half):
        """Whether clusters of n/2 + half and n/2 - half points flip too seldom."""
        law = scipy.stats.hypergeom(n, n // 2 - half, n_landmarks)
        return law.sf(need - 1) <= delta

    # first() counts from 1: at half = n / 2 there is no smaller cluster.
    return 2 * (first(unlikely, n // 2) - 1) / n


def worst_case(n: int, n_landmarks: int, delta: float, rank: int = 1) -> dict:
    """What is promised of the Frobenius excess over n, and what cannot be avoided.

    Parameters
    ----------
    n, n_landmarks : int
    delta : float
    rank : int
        It matters for the printed bound only.

    Returns
    -------
    dict of str to float
        ``proved`` and ``printed`` for points of length one at distance sqrt 2 and
        the V of two equal clusters, and ``unavoidable``, see `worst_flip`.

    Examples
    --------
    >>> found = worst_case(1000, 100, 0.05)
    >>> found["unavoidable"] < found["proved"] < found["printed"]
    True
    """
    given = {"n": n, "l": n_landmarks, "delta": delta, "k": rank, "K_max": 1.0}
    given |= {"d_max": math.sqrt(2), "spread": n / 2, "tail_F": 0.0}
    found = {"unavoidable": worst_flip(n, n_landmarks, delta)}
    for name in (PROVED, PRINTED):
        found[name] = _bound("F", name, None, **given) / n
    return found


# ---- the crossed experts ----


def crossed(size: int = 65) -> tuple[np.ndarray, list[range]]:
    """Two clusters of equal points, and two experts that have seen one each.

    Examples
    --------
    >>> K, samples = crossed(1)
    >>> K.tolist(), samples
    ([[1.0, 0.0], [0.0, 1.0]], [range(0, 1), range(1, 2)])
    """
    K = np.kron(np.eye(2), np.ones((size, size)))
    return K, [range(size), range(size, 2 * size)]
