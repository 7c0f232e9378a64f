"""The exact system (K + ridge I) x = b, by conjugate gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from nystheory import _checks
from nystheory._progress import counter
from nystheory.kernels import DenseKernel, KernelMatrix, as_kernel, row_blocks
from nystheory.learners._preconditioner import Preconditioner
from nystheory.sampling._landmarks import _calls_inside

# Times that the iteration begins anew where rounding has moved the residual.
RESTARTS = 4
FURTHER = (
    "raise the ridge, take more landmarks for the preconditioner, or allow more "
    "iterations"
)
INDEFINITE = (
    "K has an eigenvalue below -ridge: it is not positive semidefinite, or the ridge "
    "is below its rounding"
)


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
        q of at least 1; the systems are solved side by side, each with steps of its own
        and divided by a power of 2 of the size of its right-hand side.
    ridge : float
        Above 0: for ridge 0 and singular K there need not be a solution.
    preconditioner : Preconditioner, optional
        Of an approximation of K; its ridge may be another one.  None, the default, is
        plain conjugate gradients: the approximation by RPCholesky is the default of
        ``KernelRidge(method="preconditioned")``.
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
        If a number is not in its range, b has other rows than K, no columns, or is not
        finite, the preconditioner is of another size, or x is above what float64 has.

    Warns
    -----
    NotConverged
        If the residual is above `tol` after `max_iterations`, where rounding lets it
        not fall any more, or where K is met to have an eigenvalue below -ridge.  Then x
        is, of the steps taken, the one of smallest residual, which may be above 1: in
        the norm of ``K + ridge I`` each step is nearer to the solution than x = 0.

    Notes
    -----
    Each step costs one product with K, ``2 n^2 q`` operations, 4 n k q for the
    preconditioner, and n (q + k) words: K is computed in blocks of rows, and of a
    kernel of points only half of it is read.  One product more checks the
    residual.  With c the condition number that ``Preconditioner.condition(K, ridge)``
    bounds, and but for rounding, the error after t steps, in the norm of
    ``K + ridge I``, is at most ``2 ((sqrt(c) - 1) / (sqrt(c) + 1))^t`` times that of
    x = 0, and the relative residual at most this times the root of the condition number
    of ``K + ridge I``.  As in [1]_.  Where rounding has moved the residual the
    iteration begins again, at most three times, and t counts from there.

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
    """``K @ x``, with half of the entries where they are computed on demand."""
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
    times: Callable,
    b: np.ndarray,
    solve: Callable,
    tol: float,
    most: int,
    indefinite: str = INDEFINITE,
) -> Solution:
    """Conjugate gradients for ``A x = b``, with A known by its products.

    `solve` applies the inverse of the preconditioner.  Where the residual that is
    computed anew is above the tolerance the iteration begins again from what it has.
    `indefinite` says what it means that ``p' A p`` is not above 0.
    """
    B, powers = scaled(b)
    length = np.linalg.norm(B, axis=0)
    x, left, told = np.zeros_like(B), B, np.full(len(length), np.inf)
    taken = 0
    with counter("conjugate gradients, at most", most) as bar:
        for _ in range(RESTARTS):
            run = _run(times, left, solve, tol * length, most - taken, bar)
            step, steps, ended = run
            taken += steps
            near = x + step
            found = B - times(near)
            now = relative(found, length)
            better = now < told
            x, left = np.where(better, near, x), np.where(better, found, left)
            told = np.where(better, now, told)
            if not better.any() or told.max() <= tol or taken >= most or ended:
                break
    told = float(np.where(np.isinf(told), 1.0, told).max())  # x = 0 leaves all of b
    if not told <= tol:
        _warn(tol, told, taken, indefinite if ended else FURTHER)
    return Solution(unscaled(x, powers, b), told, taken)


def _run(times, r, solve, goal, most, bar):
    """Steps from 0 until every residual is at its goal, as far as recurrences tell.

    Returned are the x of smallest residual, 0 only where no step was taken; the steps;
    and whether ``p' A p`` has become 0 or negative for all columns that are open.
    """
    x, z = np.zeros_like(r), solve(r)
    p, rz, steps = z, _inner(r, z), 0
    best, least = x, np.full(r.shape[1], np.inf)
    while steps < most and (wide := np.linalg.norm(r, axis=0) > goal).any():
        Ap = times(p)
        curved = _inner(p, Ap)
        if (curved[wide] <= 0).all():
            return best, steps, True
        a = _quotient(rz, curved)
        x, r = x + a * p, r - a * Ap
        z = solve(r)
        rz, before = _inner(r, z), rz
        p = z + _quotient(rz, before) * p
        size = np.linalg.norm(r, axis=0)
        best, least = np.where(size < least, x, best), np.fmin(size, least)
        steps += 1
        bar.update(1)
    return best, steps, False


def _warn(tol, told, taken, advice):
    warnings.warn(
        f"tol: expected a relative residual of {tol:.3g}, got {told:.3g} after {taken} "
        f"iterations; {advice}",
        NotConverged,
        stacklevel=_calls_inside() + 1,
    )


def scaled(b: np.ndarray, name: str = "b") -> tuple[np.ndarray, np.ndarray]:
    """The columns of b, (n, q), divided by powers of 2 near their sizes; the powers.

    Examples
    --------
    >>> scaled(np.array([4e200, 1e200]))[0].round(3).tolist()
    [[0.653], [0.163]]
    """
    B = b[:, None] if b.ndim == 1 else b
    if B.shape[1] == 0:
        raise ValueError(f"{name}: expected at least one column, got shape {b.shape}")
    powers = np.frexp(np.abs(B).max(axis=0, initial=0.0))[1]
    return np.ldexp(B, -powers), powers


def unscaled(x, powers, b, name="b"):
    """What solves the system of b, in its shape, where x solves that of ``scaled(b)``.

    Examples
    --------
    >>> unscaled(np.array([[0.5]]), np.array([3]), np.array([8.0]))
    array([4.])
    """
    with np.errstate(over="ignore"):
        x = np.ldexp(x, powers)
    if not np.isfinite(x).all():
        raise ValueError(
            f"{name}: expected numbers for which float64 has the solution, got some up "
            f"to {np.abs(b).max():.3g}"
        )
    return x.reshape(len(x), *b.shape[1:])


def _inner(a, b):
    """Inner products of columns."""
    return np.einsum("ij,ij->j", a, b)


def _quotient(a, b):
    """a / b, and 0 where a column is solved: b is 0 or below by rounding."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def relative(r: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Relative lengths of the columns, (q,); those of length 0 count as 0."""
    r = np.linalg.norm(r, axis=0)
    return np.divide(r, length, out=np.zeros_like(r), where=length > 0)


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
