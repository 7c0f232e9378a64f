"""The same numbers from an approximation below K, with two ends each."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory._rounding import allowed
from nystheory.kernels import KernelMatrix
from nystheory.lowrank import LowRank
from nystheory.lowrank._missing import missing, rounding


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Two numbers, or two arrays, with the true value between them.

    Attributes
    ----------
    low, high : float or ndarray (n,)
        Rounding included, where K is what it was said to be.
    advice : str
        Where an end says no more than what is known without the approximation: which,
        and what would help.

    Examples
    --------
    >>> Enclosure(1.0, 1.5)
    Enclosure(low=1, high=1.5)
    >>> Enclosure(np.zeros(3), np.ones(3), "nothing is known; take more columns")
    Enclosure(3 numbers, low=0 to 0, high=1 to 1: nothing is known; take more columns)
    """

    low: float | np.ndarray
    high: float | np.ndarray
    advice: str = ""

    def __repr__(self) -> str:
        told = f": {self.advice}" if self.advice else ""
        if isinstance(self.low, Real):
            return f"Enclosure(low={self.low:.6g}, high={self.high:.6g}{told})"
        ends = [f"{min(end):.3g} to {max(end):.3g}" for end in (self.low, self.high)]
        sizes = f"{len(self.low)} numbers, low={ends[0]}, high={ends[1]}"
        return f"Enclosure({sizes}{told})"

    @property
    def width(self) -> float:
        """The largest distance of the two ends, 0 where the value is known."""
        return float(np.max(np.asarray(self.high) - self.low))

    def _repr_html_(self) -> str:
        from nystheory.style import table

        if isinstance(self.low, Real):
            return table([(self.low, self.high)], ("at least", "at most"), self.advice)
        rows = [
            (name, float(min(end)), float(max(end)))
            for name, end in (("at least", self.low), ("at most", self.high))
        ]
        return table(rows, ("end", "smallest", "largest"), self.advice)


def approximate_ridge_scores(
    K: KernelMatrix | np.ndarray, approximation: LowRank, alpha: float
) -> Enclosure:
    """Ridge leverage scores of K, enclosed by those of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).
    alpha : float
        The ridge, above 0.

    Returns
    -------
    Enclosure of ndarray (n,)

    Raises
    ------
    ValueError, TypeError
        If the approximation is not one of K or not known to be below K, or alpha
        is not above 0.

    Notes
    -----
    The inverse is monotone: ``(K + alpha)^-1 <= (K~ + alpha)^-1`` makes the scores of
    K~ a lower bound.  With ``t = tr(K - K~)`` the two inverses differ by at most
    ``t / (alpha (alpha + t))`` in the spectral norm (both are
    ``theorems["modern:resolvent"]``), so a score of K is at most ``t / (alpha + t)``
    larger; that, and ``K_ii / (K_ii + alpha)``, of which it is never above, is the
    book's own.  Costs 2 n l^2 operations and the diagonal of K, twice.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 1.0])
    >>> found = approximate_ridge_scores(K, nystrom(K, [0]), 1.0)
    >>> found.low.round(9).tolist(), found.high.round(9).tolist()
    ([0.75, 0.0], [0.75, 0.5])
    """
    K, diagonal, t = _known(K, approximation)
    alpha = _checks.positive(alpha, "alpha")
    F = approximation.factor.astype(np.float64, copy=False)
    core = F.T @ F
    blur = rounding(K, approximation, 1 + np.trace(core) / alpha)
    blur = allowed("ridge scores", blur + approximation.blur / alpha)
    core[np.diag_indices_from(core)] += alpha
    half = scipy.linalg.solve_triangular(
        scipy.linalg.cholesky(core, lower=True), F.T, lower=True
    )
    found = np.einsum("ij,ij->j", half, half)
    known = diagonal / (diagonal + alpha)
    high = np.minimum(found + t / (alpha + t) + blur, known)
    told = (high < known).any() or t < 1e-3 * alpha
    advice = "" if told else _more("the upper ends say", t, alpha)
    return Enclosure(np.maximum(found - blur, 0), high, advice)


def approximate_effective_dimension(
    K: KernelMatrix | np.ndarray, approximation: LowRank, alpha: float
) -> Enclosure:
    """The effective dimension of K, enclosed by that of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
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
    1/alpha for each unit: ``d(K~) <= d(K) <= d(K~) + tr(K - K~) / alpha``, and never
    above the sum of ``K_ii / (K_ii + alpha)``.  No eigenvalue of K~ is above that of K
    (``theorems["modern:error-chain"]``); the enclosure is the book's own.  Costs n l^2
    operations and the n entries of the diagonal.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
    >>> approximate_effective_dimension(K, nystrom(K, [0]), 4.0)
    Enclosure(low=0.384615, high=0.509615)
    """
    K, diagonal, t = _known(K, approximation)
    alpha = _checks.positive(alpha, "alpha")
    F = approximation.factor.astype(np.float64, copy=False)
    values = np.maximum(scipy.linalg.eigvalsh(F.T @ F), 0)  # of a square: rounding only
    found = float((values / (values + alpha)).sum())
    blur = len(values) * rounding(K, approximation, 1 + values.sum() / alpha)
    blur = allowed("the dimension", blur + approximation.blur / alpha)
    known = float((diagonal / (diagonal + alpha)).sum())
    high = min(found + t / alpha + blur, known)
    told = high < known or t < 1e-3 * alpha
    advice = "" if told else _more("the upper end says", t, alpha)
    return Enclosure(max(found - blur, 0.0), high, advice)


def approximate_stable_rank(
    K: KernelMatrix | np.ndarray, approximation: LowRank, beyond: int = 0
) -> Enclosure:
    """The stable rank of K, enclosed through a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).
    beyond : int
        The number s of leading eigenvalues that are left out.

    Returns
    -------
    Enclosure of float

    Raises
    ------
    ValueError, TypeError
        If the approximation is not one of K or not known to be below K, or
        `beyond` is not an integer from 0 to n - 1.

    Notes
    -----
    No eigenvalue of K is below that of K~ (``theorems["modern:error-chain"]``), and
    together they are larger by ``t = tr(K - K~)``.  The rest is the book's own: if all
    of t goes to eigenvalue s + 1 the quotient is smallest, if all of it goes to the
    ones after it is largest; it is never above n - s.  Costs about 6 n l^2 operations
    and the n entries of the diagonal.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([4.0, 1.0])
    >>> approximate_stable_rank(K, nystrom(K, [0]))
    Enclosure(low=1, high=1.25)
    """
    K, diagonal, t = _known(K, approximation)
    s = _checks.integer(beyond, "beyond", low=0, high=K.n - 1, why="n - 1")
    values, _ = _eigenpairs(approximation)
    rest = np.append(values[s:], 0.0)
    whole, n = rest.sum() + t, float(K.n - s)
    if not diagonal.any():
        return Enclosure(0.0, 0.0)
    blur = len(values) * rounding(K, approximation, 1.0)
    blur += approximation.blur / max(whole, np.finfo(float).tiny)
    # Without an eigenvalue s + 1 there is no rank: 0, by convention.
    zero = blur * values.max(initial=0.0) + approximation.blur
    sure = rest[0] > allowed("an eigenvalue of zero", zero)
    blur = 1 + allowed("the stable rank", blur)
    low = max(1.0, float(whole / (rest[0] + t) / blur)) if sure else 0.0
    high = min(n, float(whole / rest[0] * blur)) if sure else n
    advice = ""
    if low <= 1 < n <= high:
        advice = (
            f"the ends say nothing, since tr(K - K~) = {t:.3g} is large beside "
            f"eigenvalue {s + 1} of K~, {rest[0]:.3g}; more columns would help"
        )
    return Enclosure(low, max(low, high), advice)


def approximate_leverage_scores(
    K: KernelMatrix | np.ndarray, approximation: LowRank, rank: int
) -> Enclosure:
    """Leverage scores of rank k of K, enclosed by those of a Nyström approximation.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).
    rank : int
        The rank k.

    Returns
    -------
    Enclosure of ndarray (n,)
        The lower ends are 0 where the trace of the error is not below the gap after
        eigenvalue k of the approximation.

    Raises
    ------
    ValueError, TypeError
        If the approximation is not one of K or not known to be below K, or `rank` is
        not an integer from 1 to n.

    Notes
    -----
    Since ``K_ii >= lambda_k(K) l_i`` and no eigenvalue of K~ is above that of K, a
    score is at most ``K_ii / lambda_k(K~)``, for every sample: the book's own.  With
    ``t = tr(K - K~)`` below the gap the leading eigenvectors of K and of K~ make
    angles theta with ``sin 2 theta <= t / gap`` and ``theta <= 45°``
    (``theorems["modern:error-chain"]``).  A score is the squared cosine of the angle of
    a coordinate axis and the space, and that angle differs by at most theta.  Costs
    O(n l^2) operations and the n entries of the diagonal.

    In general the diagonal cannot tell more of small scores once t is above the gap:
    a matrix of rank one with the residual diagonal, added to K~, may bring another
    direction before eigenvector k.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([100.0, 1.0])
    >>> found = approximate_leverage_scores(K, nystrom(K, [0]), 1)
    >>> found.low.round(6).tolist(), found.high.round(6).tolist()
    ([0.999975, 0.0], [1.0, 2.5e-05])
    """
    K, diagonal, t = _known(K, approximation)
    k = _checks.integer(rank, "rank", high=K.n, why="the number of points")
    values, vectors = _eigenpairs(approximation)
    values = np.pad(values, (0, max(0, k + 1 - len(values))))
    blur = rounding(K, approximation, 1.0)
    blur += approximation.blur / max(values[0], np.finfo(float).tiny)
    low, high = np.zeros(K.n), np.ones(K.n)
    if values[k - 1] > 0:
        more = 1 + allowed("a quotient", blur * len(values))
        high = np.minimum(high, diagonal / values[k - 1] * more)
    gap = values[k - 1] - values[k] - allowed("a gap", blur * values[0])
    if t >= gap:
        need = "more columns, or a rank with a gap below it, would help"
        kept = f"the lower ends say nothing, since tr(K - K~) = {t:.3g} is not below "
        kept += f"the gap {max(gap, 0.0):.3g} after eigenvalue {k} of K~; {need}"
        return Enclosure(low, high, kept)
    turn = np.arcsin(t / gap) / 2 + allowed("an angle", np.sqrt(blur))
    scores = np.einsum("ij,ij->i", vectors[:, :k], vectors[:, :k])
    angle = np.arccos(np.sqrt(np.clip(scores, 0, 1)))  # of orthonormal columns
    farther, nearer = np.minimum(angle + turn, np.pi / 2), np.maximum(angle - turn, 0)
    return Enclosure(np.cos(farther) ** 2, np.minimum(high, np.cos(nearer) ** 2))


def approximate_of_matrix(
    K: KernelMatrix | np.ndarray, approximation: LowRank, rank: int
) -> Enclosure:
    """The basis-free coherence of the leading eigenvectors of K, enclosed.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
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
    >>> approximate_of_matrix(K, nystrom(K, [0]), 1)
    Enclosure(low=1.99995, high=2)
    """
    found = approximate_leverage_scores(K, approximation, rank)
    n = len(found.low)
    low = max(float(n * found.low.max()), float(rank))
    high = max(low, min(float(n * found.high.max()), float(n)))
    advice = "" if low > rank else found.advice.replace("ends say", "end says")
    return Enclosure(low, high, advice)


def _known(K, approximation):
    """K, its diagonal, and a bound on the trace of what is missed, with its rounding.

    What it assumes and does not check: that K is semidefinite.
    """
    found = missing(K, approximation)
    return found.K, found.diagonal, found.trace + allowed("missed", found.trace_floor)


def _more(what, t, size):
    """Why an end says nothing, and what would help."""
    return (
        f"{what} nothing that the diagonal does not, since tr(K - K~) = {t:.3g} is "
        f"large beside {size:.3g}; more columns, or a larger ridge, would help"
    )


def _eigenpairs(approximation):
    """Eigenvalues of K~, largest first, and orthonormal eigenvectors."""
    F = approximation.factor.astype(np.float64, copy=False)
    vectors, singular, _ = scipy.linalg.svd(F, full_matrices=False)
    return singular**2, vectors
