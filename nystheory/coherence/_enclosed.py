"""The same numbers from an approximation below K, with two ends each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import LowRank


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Two numbers, or two arrays, with the true value between them.

    Attributes
    ----------
    low, high : float or ndarray (n,)

    Examples
    --------
    >>> Enclosure(1.0, 1.5)
    Enclosure(low=1.0, high=1.5)
    """

    low: float | np.ndarray
    high: float | np.ndarray

    @property
    def width(self) -> float:
        """The largest distance of the two ends, 0 where the value is known."""
        return float(np.max(np.asarray(self.high) - self.low))

    def _repr_html_(self) -> str:
        from nystheory.style import table

        ends = [np.asarray(end, dtype=float) for end in (self.low, self.high)]
        rows = [
            (name, float(end.min()), float(end.max()))
            for name, end in zip(("at least", "at most"), ends, strict=True)
        ]
        return table(rows, ("", "smallest", "largest"))


def approximate_ridge_scores(
    K: KernelMatrix | np.ndarray, approximation: LowRank, alpha: float
) -> Enclosure:
    """Ridge leverage scores of K, enclosed by those of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank
        Known to lie between 0 and K (``below``).
    alpha : float
        The ridge, above 0.

    Returns
    -------
    Enclosure of ndarray (n,)

    Raises
    ------
    ValueError, TypeError
        If the approximation is of another size or not known to be below K, or alpha
        is not above 0.

    Notes
    -----
    The inverse is monotone: ``(K + alpha)^-1 <= (K~ + alpha)^-1`` makes the scores of
    K~ a lower bound.  With ``t = tr(K - K~)`` the two inverses differ by at most
    ``t / (alpha (alpha + t))`` in the spectral norm (both are
    ``theorems["modern:resolvent"]``), so a score of K is at most ``t / (alpha + t)``
    larger; that, and ``K_ii / (K_ii + alpha)``, of which it is never above, is the
    book's own.  Costs n l^2 operations and the diagonal of K, twice.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 1.0])
    >>> found = approximate_ridge_scores(K, nystrom(K, [0]), 1.0)
    >>> found.low.round(9).tolist(), found.high.round(9).tolist()
    ([0.75, 0.0], [0.75, 0.5])
    """
    K, missing = _below(K, approximation)
    alpha = _checks.positive(alpha, "alpha")
    F = approximation.factor.astype(np.float64, copy=False)
    core = F.T @ F
    core[np.diag_indices_from(core)] += alpha
    half = scipy.linalg.solve_triangular(
        scipy.linalg.cholesky(core, lower=True), F.T, lower=True
    )
    low = np.einsum("ij,ij->j", half, half)
    diagonal = K.diagonal().astype(np.float64)
    high = np.minimum(low + missing / (alpha + missing), diagonal / (diagonal + alpha))
    return Enclosure(low, np.maximum(low, high))


def approximate_effective_dimension(
    K: KernelMatrix | np.ndarray, approximation: LowRank, alpha: float
) -> Enclosure:
    """The effective dimension of K, enclosed by that of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank
        Known to lie between 0 and K (``below``).
    alpha : float
        The ridge, above 0.

    Returns
    -------
    Enclosure of float

    Raises
    ------
    ValueError, TypeError
        As `approximate_ridge_scores`.

    Notes
    -----
    ``lambda / (lambda + alpha)`` rises with every eigenvalue, and by at most
    1/alpha for each unit: ``d(K~) <= d(K) <= d(K~) + tr(K - K~) / alpha``.  No
    eigenvalue of K~ is above that of K (``theorems["modern:error-chain"]``); the
    enclosure is the book's own.  Costs n l^2 operations and the n entries of the
    diagonal.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 1.0])
    >>> approximate_effective_dimension(K, nystrom(K, [0]), 1.0)
    Enclosure(low=0.75, high=1.75)
    """
    _, missing = _below(K, approximation)
    alpha = _checks.positive(alpha, "alpha")
    F = approximation.factor.astype(np.float64, copy=False)
    values = scipy.linalg.eigvalsh(F.T @ F).clip(0)
    low = float((values / (values + alpha)).sum())
    return Enclosure(low, low + missing / alpha)


def approximate_stable_rank(
    K: KernelMatrix | np.ndarray, approximation: LowRank, beyond: int = 0
) -> Enclosure:
    """The stable rank of K, enclosed through a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank
        Known to lie between 0 and K (``below``).
    beyond : int
        The number s of leading eigenvalues that are left out.

    Returns
    -------
    Enclosure of float

    Raises
    ------
    ValueError, TypeError
        If the approximation is of another size or not known to be below K, or
        `beyond` is not an integer from 0 to n - 1.

    Notes
    -----
    No eigenvalue of K is below that of K~ (``theorems["modern:error-chain"]``), and
    together they are larger by ``t = tr(K - K~)``.  The rest is the book's own: if all
    of t goes to eigenvalue s + 1 the quotient is smallest, if all of it goes to the
    ones after it is largest; it is never above n - s.  Costs n l^2 operations and the
    n entries of the diagonal.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([4.0, 1.0])
    >>> approximate_stable_rank(K, nystrom(K, [0]))
    Enclosure(low=1.0, high=1.25)
    """
    K, missing = _below(K, approximation)
    s = _checks.integer(beyond, "beyond", low=0, high=K.n - 1, why="n - 1")
    values, _ = _eigenpairs(approximation)
    rest = np.append(values[s:], 0.0)
    whole = rest.sum() + missing
    if whole <= K.n * np.finfo(np.float64).eps * values.max(initial=0.0):
        return Enclosure(0.0, 0.0)
    low = float(whole / (rest[0] + missing))
    high = float(K.n - s)
    if rest[0] > 0:
        high = min(high, float(whole / rest[0]))
    return Enclosure(low, max(low, high))


def approximate_leverage_scores(
    K: KernelMatrix | np.ndarray, approximation: LowRank, rank: int
) -> Enclosure:
    """Leverage scores of rank k of K, enclosed by those of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank
        Known to lie between 0 and K (``below``).
    rank : int
        The rank k.

    Returns
    -------
    Enclosure of ndarray (n,)
        From 0 to 1 for every point, that is nothing, where the trace of the error is
        not below the gap after eigenvalue k of the approximation.

    Raises
    ------
    ValueError, TypeError
        If the approximation is of another size or not known to be below K, or `rank`
        is not an integer from 1 to n.

    Notes
    -----
    With ``t = tr(K - K~)`` below the gap the leading eigenvectors of K and of K~ make
    angles theta with ``sin 2 theta <= t / gap`` and ``theta <= 45°``
    (``theorems["modern:error-chain"]``).  A score is the squared cosine of the angle of
    a coordinate axis and the space, and that angle differs by at most theta.  Costs
    O(n l^2) operations and the n entries of the diagonal.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([100.0, 1.0])
    >>> found = approximate_leverage_scores(K, nystrom(K, [0]), 1)
    >>> found.low.round(6).tolist(), found.high.round(6).tolist()
    ([0.999975, 0.0], [1.0, 2.5e-05])
    """
    K, missing = _below(K, approximation)
    k = _checks.integer(rank, "rank", high=K.n, why="the number of points")
    values, vectors = _eigenpairs(approximation)
    values = np.pad(values, (0, max(0, k + 1 - len(values))))
    gap = values[k - 1] - values[k]
    if missing >= gap:
        return Enclosure(np.zeros(K.n), np.ones(K.n))
    turn = np.arcsin(missing / gap) / 2
    scores = np.einsum("ij,ij->i", vectors[:, :k], vectors[:, :k])
    angle = np.arccos(np.sqrt(scores.clip(0, 1)))
    farther, nearer = np.minimum(angle + turn, np.pi / 2), np.maximum(angle - turn, 0)
    return Enclosure(np.cos(farther) ** 2, np.cos(nearer) ** 2)


def approximate_of_matrix(
    K: KernelMatrix | np.ndarray, approximation: LowRank, rank: int
) -> Enclosure:
    """The basis-free coherence of the leading eigenvectors of K, enclosed.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank
        Known to lie between 0 and K (``below``).
    rank : int
        The dimension r.

    Returns
    -------
    Enclosure of float
        Never outside r to n.

    Raises
    ------
    ValueError, TypeError
        As `approximate_leverage_scores`.

    Notes
    -----
    n times the largest leverage score, between the largest lower and the largest
    upper end of `approximate_leverage_scores`, which costs as much: O(n l^2)
    operations and the n entries of the diagonal.  The angle behind it is
    ``theorems["modern:error-chain"]``.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([100.0, 1.0])
    >>> approximate_of_matrix(K, nystrom(K, [0]), 1).high
    2.0
    """
    found = approximate_leverage_scores(K, approximation, rank)
    n = len(found.low)
    low = max(float(n * found.low.max()), float(rank))
    return Enclosure(low, max(low, min(float(n * found.high.max()), float(n))))


def _below(K, approximation):
    """Kernel matrix, and the trace of what the approximation misses."""
    K = as_kernel(K)
    if not approximation.below:
        raise ValueError(
            "approximation: expected one that lies between 0 and K, such as "
            f"lowrank.nystrom(K, landmarks), got {approximation!r}"
        )
    missing = approximation.error(K, "trace")
    return K, missing


def _eigenpairs(approximation):
    """Eigenvalues of K~, largest first, and orthonormal eigenvectors."""
    F = approximation.factor.astype(np.float64, copy=False)
    vectors, singular, _ = scipy.linalg.svd(F, full_matrices=False)
    return singular**2, vectors
