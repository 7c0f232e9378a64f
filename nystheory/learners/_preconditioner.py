"""Preconditioners of (K + ridge I) x = b, and how good an approximation they need."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory._rounding import allowed
from nystheory.certificates import trace_certificate
from nystheory.kernels import KernelMatrix
from nystheory.lowrank import Factored
from nystheory.lowrank._factored import _core


class Preconditioner:
    """``P = K~ + ridge I``, factored once, whose inverse takes O(n k) a vector.

    Where K~ is below K, as every Nyström approximation is, the eigenvalues of
    ``P^-1/2 (K + ridge I) P^-1/2`` lie between 1 and ``1 + |K - K~|_2 / ridge``: it
    is ``I + P^-1/2 (K - K~) P^-1/2``, and ``P^-1`` is at most ``1 / ridge``.

    Parameters
    ----------
    approximation : LowRank or Ensemble
    ridge : float
        Above 0.

    Attributes
    ----------
    approximation : LowRank or Ensemble
    ridge : float

    Raises
    ------
    ValueError, TypeError
        If the ridge is not above 0, or ``F^T F + ridge I`` has no Cholesky factor,
        as ``F^T F`` is singular and the ridge below its rounding, or the approximation
        is none, or has negative weights.

    Notes
    -----
    Costs ``n k^2 + k^3 / 3`` operations, and k^2 words beside the factor F.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> P = Preconditioner(nystrom(np.diag([8.0, 1.0]), [0]), 1.0)
    >>> P.solve([9.0, 1.0]).tolist()
    [1.0, 1.0]
    """

    def __init__(self, approximation: Factored, ridge: float):
        self.ridge = _checks.positive(ridge, "ridge")
        self.approximation = _factored(approximation)
        self._F = self.approximation.factor.astype(np.float64, copy=False)
        self._factored = None
        if self._F.shape[1]:
            with _checks.told_as("alpha", "ridge"):
                self._factored = _core(self._F, self.ridge)

    def solve(self, B: np.ndarray) -> np.ndarray:
        """``P^-1 B``.

        Parameters
        ----------
        B : array_like (n,) or (n, q)

        Returns
        -------
        ndarray, the shape of B

        Raises
        ------
        ValueError, TypeError
            If B has other rows, or is not finite.

        Notes
        -----
        4 n k q operations, by the Woodbury identity.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> P = Preconditioner(nystrom(np.diag([3.0, 1.0]), [0]), 1.0)
        >>> P.solve([4.0, 1.0]).tolist()
        [1.0, 1.0]
        """
        B = _checks.rows(B, len(self._F)).astype(np.float64, copy=False)
        return self._solved(B)

    def _solved(self, B):
        if self._factored is None:
            return B / self.ridge
        explained = scipy.linalg.cho_solve(self._factored, self._F.T @ B)
        return (B - self._F @ explained) / self.ridge

    def condition(
        self, K: KernelMatrix | np.ndarray, ridge: float | None = None
    ) -> float:
        """A bound on the condition number of ``P^-1/2 (K + ridge I) P^-1/2``.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
        ridge : float, optional
            The ridge of the system, above 0; by default that of the preconditioner.

        Returns
        -------
        float
            ``1 + tr(K - K~) / r``, at least 1, with the ridge r of the preconditioner;
            times ``max(ridge / r, r / ridge)`` where the system has another.

        Raises
        ------
        ValueError, TypeError
            If K is not what was approximated, or the approximation not known to be
            below it, or the ridge not above 0.

        Notes
        -----
        The trace from `certificates.trace_certificate`, with what rounding may have
        hidden: n entries and 2 n k operations.  ``K + ridge I`` lies between
        ``min(1, ridge / r)`` and ``max(1, ridge / r)`` times ``K + r I``.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> K = np.diag([8.0, 1.0])
        >>> Preconditioner(nystrom(K, [0]), 0.5).condition(K).__round__(9)
        3.0
        """
        K = self.approximation.of(K)
        left = trace_certificate(K, self.approximation)
        ratio = self.ridge if ridge is None else _checks.positive(ridge, "ridge")
        ratio /= self.ridge
        missed = left.value + allowed("the condition", left.error)
        return (1 + missed / self.ridge) * max(ratio, 1 / ratio)

    def __repr__(self) -> str:
        return f"Preconditioner({self.approximation!r}, ridge={self.ridge:.3g})"


def tolerated_error(
    ridge: float, condition: float = 3.0, *, below: bool = True, delta: float = 1.0
) -> float:
    """How large the error may be for a preconditioned system of this condition.

    Parameters
    ----------
    ridge : float
        Above 0.
    condition : float
        The condition number of ``P^-1/2 (K + ridge I) P^-1/2`` that is tolerated,
        above 1.
    below : bool
        Whether K~ lies between 0 and K; else it is any semidefinite matrix.
    delta : float
        Above 0 and at most 1: the chance to fail, where the error is a mean.

    Returns
    -------
    float
        If ``|K - K~|_2`` is at most this the condition is met, with delta = 1.  With
        less it is met with probability ``1 - delta`` if the mean of ``|K - K~|_2``, or
        of ``tr(K - K~)`` for K~ below K, is at most this.

    Raises
    ------
    ValueError, TypeError
        If a number is not in its range, or the result is none that float64 has.

    Notes
    -----
    `guarantees.columns` says how many columns that takes; it expects a share of
    the trace of K: with delta here for its rows that hold on average, and delta = 1 for
    those that hold with a probability of their own.

    ``(condition - 1) ridge delta`` for K~ below K, where all eigenvalues lie between
    1 and ``c = 1 + |K - K~|_2 / ridge``; else ``(sqrt(condition) - 1) ridge delta``,
    since they lie between 1 / c and c: with e the error ``K + ridge I`` is at most
    ``K~ + (ridge + e) I``, hence at most c P, and P as much of ``K + ridge I``.  Both
    are attained, by diagonal matrices.  The factor delta is Markov's inequality.  Costs
    nothing; the book's own, after [1]_, whose constants it does not use.

    References
    ----------
    .. [1] M. Díaz, E. N. Epperly, Z. Frangella, J. A. Tropp and R. J. Webber, "Robust,
       randomized preconditioning for kernel ridge regression", 2023, arXiv:2304.12465.

    Examples
    --------
    >>> tolerated_error(0.5), tolerated_error(0.5, 4.0, below=False)
    (1.0, 0.5)
    >>> tolerated_error(0.5, delta=0.1)
    0.1

    The columns for a condition number of at most 3, with probability 0.9:

    >>> from nystheory import guarantees
    >>> K = np.diag([1000.0, 500.0, *np.full(98, 0.01)])
    >>> share = tolerated_error(100.0, 3.0, delta=0.1) / K.trace()
    >>> row = guarantees.columns(K, share).rows[0]
    >>> row.count, row.at.scheme
    (2, 'k-DPP')
    """
    ridge = _checks.positive(ridge, "ridge")
    condition = _checks.positive(condition, "condition")
    if condition <= 1:
        raise ValueError(f"condition: expected a number above 1, got {condition}")
    delta = _checks.positive(delta, "delta")
    if delta > 1:
        raise ValueError(f"delta: expected a number above 0 and at most 1, got {delta}")
    ratio = condition if _checks.truth(below, "below") else math.sqrt(condition)
    error = (ratio - 1) * ridge * delta
    if not 0 < error < math.inf:
        raise ValueError(
            "ridge: expected one whose product with condition is a number above 0 that "
            f"float64 has, got ridge {ridge:.3g} and condition {condition:.3g}"
        )
    return error


def _factored(approximation):
    if not isinstance(approximation, Factored):
        raise TypeError(
            "approximation: expected a LowRank or an Ensemble, got "
            f"{_checks.shown(approximation)}"
        )
    return approximation
