"""The exact system (K + ridge I) x = b, by conjugate gradients."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from sklearn.exceptions import ConvergenceWarning

from nystheory import _checks
from nystheory._progress import counter
from nystheory.certificates import trace_certificate
from nystheory.kernels import DenseKernel, KernelMatrix, as_kernel, row_blocks
from nystheory.lowrank import Factored
from nystheory.lowrank._factored import _core

# Times that the iteration begins anew where rounding has moved the residual.
RESTARTS = 4


class NotConverged(ConvergenceWarning):
    """The residual is above the tolerance when the iteration ends.

    Examples
    --------
    >>> issubclass(NotConverged, UserWarning)
    True
    """


@dataclass(frozen=True, eq=False)
class Solution:
    """What an iteration found, and how far it is from solving the system.

    Attributes
    ----------
    x : ndarray (n,) or (n, q)
    residual : float
        ``|b - A x| / |b|``, the largest of the q, computed anew from x; 0 for b = 0.
    iterations : int
        Steps, each with one product of A and q vectors.

    Examples
    --------
    >>> conjugate_gradients(np.eye(2), [1.0, 2.0], ridge=1.0)
    Solution(n=2, residual=0, iterations=1)
    """

    x: np.ndarray
    residual: float
    iterations: int

    def __repr__(self) -> str:
        told = f"residual={self.residual:.2g}, iterations={self.iterations}"
        return f"Solution(n={len(self.x)}, {told})"


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
        If the ridge is not above 0, or below the rounding of ``F^T F``, or the
        approximation is none, or has negative weights.

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

    def condition(self, K: KernelMatrix | np.ndarray) -> float:
        """A bound on the condition number of ``P^-1/2 (K + ridge I) P^-1/2``.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)

        Returns
        -------
        float
            ``1 + tr(K - K~) / ridge``, at least 1.

        Raises
        ------
        ValueError, TypeError
            If K is not what was approximated, or the approximation not known to be
            below it.

        Notes
        -----
        The trace from `certificates.trace_certificate`, with what rounding may have
        hidden: n entries and 2 n k operations.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> K = np.diag([8.0, 1.0])
        >>> Preconditioner(nystrom(K, [0]), 0.5).condition(K).__round__(9)
        3.0
        """
        left = trace_certificate(K, self.approximation)
        return 1 + (left.value + left.error) / self.ridge

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
        If a number is not in its range.

    Notes
    -----
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
    """
    ridge = _checks.positive(ridge, "ridge")
    condition = _checks.positive(condition, "condition")
    if condition <= 1:
        raise ValueError(f"condition: expected a number above 1, got {condition}")
    delta = _checks.positive(delta, "delta")
    if delta > 1:
        raise ValueError(f"delta: expected a number above 0 and at most 1, got {delta}")
    ratio = condition if _checks.truth(below, "below") else math.sqrt(condition)
    return (ratio - 1) * ridge * delta


def conjugate_gradients(
    K: KernelMatrix | np.ndarray,
    b: np.ndarray,
    ridge: float,
    preconditioner: Preconditioner | None = None,
    *,
    tol: float = 1e-6,
    max_iterations: int = 1000,
) -> Solution:
    """Solve ``(K + ridge I) x = b`` by preconditioned conjugate gradients.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    b : array_like (n,) or (n, q)
        The q systems are solved side by side, each with steps of its own.
    ridge : float
        Above 0: for ridge 0 and singular K there need not be a solution.
    preconditioner : Preconditioner, optional
        Of an approximation of K; its ridge may be another one.
    tol : float
        Relative residual ``|b - (K + ridge I) x| / |b|`` at which to stop, below 1.
    max_iterations : int

    Returns
    -------
    Solution
        With the residual computed anew from x.

    Raises
    ------
    ValueError, TypeError
        If a number is not in its range, b has other rows than K or is not finite, or
        the preconditioner is of another size.

    Warns
    -----
    NotConverged
        If the residual is above `tol` after `max_iterations`, or where rounding lets it
        not fall any more.

    Notes
    -----
    Each step costs one product with K, ``2 n^2 q`` operations, 4 n k q for the
    preconditioner, and n (q + k) words: K is computed in blocks of rows, and of a
    kernel of points only half of it is asked for.  One product more checks the
    residual.  With c the condition number that `Preconditioner.condition` bounds, the
    error after t steps, in the norm of ``K + ridge I``, is at most
    ``2 ((sqrt(c) - 1) / (sqrt(c) + 1))^t`` times that of x = 0, and the relative
    residual at most this times the root of the condition number of ``K + ridge I``.  As
    in [1]_.

    References
    ----------
    .. [1] M. Díaz, E. N. Epperly, Z. Frangella, J. A. Tropp and R. J. Webber, "Robust,
       randomized preconditioning for kernel ridge regression", 2023, arXiv:2304.12465.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([8.0, 1.0, 1.0])
    >>> conjugate_gradients(K, [9.0, 2.0, 4.0], 1.0).iterations
    2
    >>> P = Preconditioner(nystrom(K, [0]), 1.0)
    >>> conjugate_gradients(K, [9.0, 2.0, 4.0], 1.0, P).x.round(9).tolist()
    [1.0, 1.0, 2.0]
    """
    K = as_kernel(K)
    b = _checks.rows(b, K.n, "b").astype(np.float64, copy=False)
    ridge = _checks.positive(ridge, "ridge")
    tol = share_of_one(tol, "tol")
    most = _checks.integer(max_iterations, "max_iterations")
    solve = _inverse_of(preconditioner, K.n)
    return iterated(lambda x: product(K, x) + ridge * x, b, solve, tol, most)


def product(K: KernelMatrix, x: np.ndarray) -> np.ndarray:
    """``K @ x``, with half of the entries where they are computed when asked for."""
    if isinstance(K, DenseKernel):
        return K @ x
    result = np.zeros(x.shape)
    for rows in row_blocks(K.n, K.n):
        block = K[rows, rows.start :]
        result[rows] += block @ x[rows.start :]
        own = rows.stop - rows.start
        result[rows.stop :] += block[:, own:].T @ x[rows]
    return result


def iterated(
    times: Callable, b: np.ndarray, solve: Callable, tol: float, most: int
) -> Solution:
    """Conjugate gradients for ``A x = b``, with A known by its products.

    `solve` applies the inverse of the preconditioner.  Where the residual that is
    computed anew is above the tolerance the iteration begins again from what it has.
    """
    length = np.linalg.norm(b, axis=0)
    goal, x, left = tol * length, np.zeros_like(b), b.copy()
    taken, told = 0, _relative(b, length)
    with counter("conjugate gradients, at most", most) as bar:
        for _ in range(RESTARTS):
            step, steps = _run(times, left, solve, goal, most - taken, bar)
            taken += steps
            near = x + step
            found = b - times(near)
            now = _relative(found, length)
            if now >= told:  # rounding
                break
            x, left, told = near, found, now
            if told <= tol or taken >= most:
                break
    if told > tol:
        warnings.warn(
            f"tol: expected a relative residual of {tol:.3g}, got {told:.3g} after "
            f"{taken} iterations; raise the ridge, take more landmarks for the "
            "preconditioner, or allow more iterations",
            NotConverged,
            stacklevel=3,
        )
    return Solution(x, told, taken)


def _run(times, r, solve, goal, most, bar):
    """Steps from 0 until every residual is at its goal, as far as recurrences tell."""
    x, z = np.zeros_like(r), solve(r)
    p, rz, steps = z, _inner(r, z), 0
    while steps < most and (np.linalg.norm(r, axis=0) > goal).any():
        Ap = times(p)
        a = _quotient(rz, _inner(p, Ap))
        x, r = x + a * p, r - a * Ap
        z = solve(r)
        rz, before = _inner(r, z), rz
        p = z + _quotient(rz, before) * p
        steps += 1
        bar.update(1)
    return x, steps


def _inner(a, b):
    """Inner products of columns."""
    return np.einsum("i...,i...->...", a, b)


def _quotient(a, b):
    """a / b, and 0 where a column is solved: b is 0 or below by rounding."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def _relative(r, length):
    """The largest relative length of the columns; those of b = 0 count as 0."""
    r = np.linalg.norm(r, axis=0)
    return float(np.max(np.divide(r, length, out=np.zeros_like(r), where=length > 0)))


def _inverse_of(preconditioner, n):
    if preconditioner is None:
        return lambda B: B
    if not isinstance(preconditioner, Preconditioner):
        raise TypeError(
            "preconditioner: expected a Preconditioner or None, got "
            f"{_checks.shown(preconditioner)}"
        )
    if preconditioner.approximation.n != n:
        raise ValueError(
            f"preconditioner: expected one of {n} points, got {preconditioner!r}"
        )
    return preconditioner._solved


def share_of_one(value, name: str) -> float:
    """`value` as a number above 0 and below 1.

    Examples
    --------
    >>> share_of_one(1, "tol")
    Traceback (most recent call last):
    ValueError: tol: expected a number above 0 and below 1, got 1
    """
    if (number := _checks.positive(value, name)) >= 1:
        raise ValueError(f"{name}: expected a number above 0 and below 1, got {value}")
    return number


def _factored(approximation):
    if not isinstance(approximation, Factored):
        raise TypeError(
            "approximation: expected a LowRank or an Ensemble, got "
            f"{_checks.shown(approximation)}"
        )
    return approximation
