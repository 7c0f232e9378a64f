"""Newton's method for logistic regression with a ridge, section 3.2.1 of the thesis."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.special import expit

from nystheory import _checks
from nystheory.learners._features import product
from nystheory.learners._system import NotConverged
from nystheory.sampling._landmarks import _calls_inside

# The share of the predicted decrease that a step has to reach, and the shortest step.
# With much less, steps pass that turn the error round and hardly shorten it.
ENOUGH, SHORTEST = 0.25, 1e-12
# Differences of values that mean nothing, relative to them.
ROUNDING = 1e-13


@dataclass(frozen=True)
class Minimum:
    """Where Newton's method ended.

    Attributes
    ----------
    w : ndarray (N,)
        The coefficients.
    value : float
        The objective there, E(w).
    gradient : float
        The length of its gradient there.
    iterations : int
        Steps that were taken.

    Examples
    --------
    >>> minimum = newton([[1.0], [-1.0]], [1, 0], ridge=1.0)
    >>> bool(minimum.gradient < 1e-7)
    True
    """

    w: np.ndarray
    value: float
    gradient: float
    iterations: int


def newton(
    X: np.ndarray,
    y: np.ndarray,
    ridge: float,
    *,
    columns: np.ndarray | None = None,
    tol: float = 1e-8,
    max_iter: int = 100,
) -> Minimum:
    """Logistic regression by Newton's method, whole or from columns of the Hessian.

    Minimises ``E(w) = ridge / 2 w'w - sum_i [y_i x_i'w - ln(1 + exp(x_i'w))]``,
    equations (3.11) and (3.12) of [1]_, by steps ``w - eta H^-1 grad E(w)``, (3.13),
    with eta from a line search.  With columns S, the matrix ``T = X' R X`` in the
    Hessian ``H = ridge I + T`` is replaced by its Nyström approximation, (3.15) and
    (3.16), but the gradient stays: the steps lead to the same minimum.

    Parameters
    ----------
    X : array_like (n, N)
        Features, one point a row; the kernel matrix K for the empirical kernel map.
    y : array_like (n,)
        Labels 0 and 1.
    ridge : float
        The ridge lambda, above 0.
    columns : sequence of int, length l, optional
        Columns of T, from 0 to N - 1; by default T itself.
    tol : float
        The gradient is at most this share of its length at w = 0.
    max_iter : int
        Steps that may be taken.

    Returns
    -------
    Minimum

    Raises
    ------
    ValueError, TypeError, IndexError
        If the ridge is not above 0, y has other labels or rows, X is not finite or has
        entries above 1e150, or a column is none of X.

    Warns
    -----
    NotConverged
        If `tol` is not reached.

    Notes
    -----
    A step costs ``n N^2 + N^3 / 3`` operations and n N + N^2 words, and from l columns
    ``2 n N l + 2 N l^2``, and n N words; the line search n more for each trial.  E is
    strictly convex, and every step goes down, since ``ridge I`` and an approximation of
    T make a positive definite matrix.  With the printed form (3.14) in place of (3.13)
    T stands in the gradient, too, and an approximation moves the fixed point.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 3.2.1.

    Examples
    --------
    >>> X, y = [[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]], [1, 1, 0]
    >>> whole, cheap = newton(X, y, 1.0), newton(X, y, 1.0, columns=[0])
    >>> bool(np.allclose(whole.w, cheap.w, atol=1e-6))
    True
    """
    X = _checks.real_array(X, "X", 2).astype(np.float64, copy=False)
    if X.size and (largest := float(np.abs(X).max())) > _checks.LARGEST:
        raise ValueError(
            f"X: expected entries up to {_checks.LARGEST:.0e}, whose squares float64 "
            f"has, got {largest:.3g}"
        )
    y = _labels(y, len(X))
    ridge = _checks.positive(ridge, "ridge")
    tol = _checks.positive(tol, "tol")
    if columns is not None:
        columns = _checks.indices(columns, X.shape[1], "columns")
    return minimised(
        X, 2 * y - 1, ridge, columns, tol, _checks.integer(max_iter, "max_iter")
    )


def _labels(y, n):
    y = _checks.real_array(y, "y", 1).astype(np.float64)
    if len(y) != n:
        raise ValueError(f"y: expected {n} labels, one for each point, got {len(y)}")
    if not np.isin(y, (0, 1)).all():
        other = y[~np.isin(y, (0, 1))][0]
        raise ValueError(f"y: expected labels 0 and 1, got {other:g} among them")
    return y


def minimised(X, signs, ridge, columns, tol, max_iter, weights=1.0) -> Minimum:
    """`newton`, of what was checked, for labels -1 and 1, whose losses have weights."""
    return descended(_Objective(X, signs, ridge, columns, weights), tol, max_iter)


def descended(objective: _Objective, tol, max_iter) -> Minimum:
    """The minimum of an objective by Newton's method with a line search, from zero."""
    n, N = objective.X.shape
    w, scores = np.zeros(N), np.zeros(n)
    gradient = objective.gradient(w, scores)
    first, taken, length = _length(gradient), 0, 1.0
    while _length(gradient) > tol * first and taken < max_iter and length:
        left = _length(gradient) / first
        down = -objective.solved(w, scores, gradient, left)
        change = objective.X @ down
        length = objective.length(w, scores, down, change, float(gradient @ down))
        w, scores = w + length * down, scores + length * change
        gradient = objective.gradient(w, scores)
        taken += 1
    left = _length(gradient)
    if not left <= tol * first:
        warnings.warn(
            f"tol: expected the gradient to become {tol:.3g} of what it is at 0, got "
            f"{left / first:.3g} after {taken} steps; raise max_iter or the ridge",
            NotConverged,
            stacklevel=_calls_inside() + 1,
        )
    return Minimum(w, objective.value(w, scores), left, taken)


def _length(v):
    """The length of a vector, where its square may be 0 or above all numbers."""
    return float(scipy.linalg.norm(v))


def pull(signs, scores):
    """The labels, as 0 and 1, minus the probabilities."""
    return signs * expit(-signs * scores)


@dataclass(frozen=True)
class _Objective:
    """E(w) of features X, (n, N), dense or CSR, and labels -1 and 1, of scores X w.

    With columns, those of the Hessian that stand for all of it.
    """

    X: np.ndarray
    signs: np.ndarray
    ridge: float
    columns: np.ndarray | None = None
    weights: np.ndarray | float = 1.0

    def value(self, w, scores):
        loss = (self.weights * np.logaddexp(0, -self.signs * scores)).sum()
        return float(self.ridge / 2 * (w @ w) + loss)

    def gradient(self, w, scores):
        return self.ridge * w - self.adjoint(self.pull(scores))

    def pull(self, scores):
        """`pull`, of losses with their weights."""
        return self.weights * pull(self.signs, scores)

    def adjoint(self, v):
        """``X^T v``."""
        return self.X.T @ v

    def solved(self, w, scores, b, left):
        """``(ridge I + T)^-1 b``, with T or what its columns say of it.

        An iteration need not solve it further than w and `left`, the share of the
        gradient that is left, ask for.
        """
        roots = np.sqrt(self.weights * expit(scores) * expit(-scores))
        G = roots[:, None] * self.X  # T = G'G
        if self.columns is None:
            H = product(G, G)
            size = float(H.trace())
            H[np.diag_indices_from(H)] += self.ridge
            try:
                return scipy.linalg.solve(H, b, assume_a="pos", overwrite_a=True)
            except np.linalg.LinAlgError:
                raise ValueError(
                    f"ridge: expected a number above {np.finfo(float).eps * size:.2g}, "
                    f"the rounding of the features, got {self.ridge:.3g}"
                ) from None
        Q, R, _ = scipy.linalg.qr(G[:, self.columns], mode="economic", pivoting=True)
        sizes = np.abs(np.diag(R))
        F = G.T @ Q[:, sizes > max(G.shape) * np.finfo(float).eps * sizes[0]]
        core = F.T @ F
        core[np.diag_indices_from(core)] += self.ridge
        inner = scipy.linalg.solve(core, F.T @ b, assume_a="pos", overwrite_a=True)
        return (b - F @ inner) / self.ridge

    def length(self, w, scores, down, change, slope):
        """How far to go down: 1, or halved until E falls enough; 0 if it never does.

        Next to the minimum differences of E are rounding, and its slope decides.
        """
        value, length = self.value(w, scores), 1.0
        while length > SHORTEST:
            at, f = w + length * down, scores + length * change
            reached = self.value(at, f)
            if reached <= value + ENOUGH * length * slope:
                return length
            there = self.ridge * float(at @ down) - float(self.pull(f) @ change)
            if reached <= value * (1 + ROUNDING) and there <= -(1 - 2 * ENOUGH) * slope:
                return length
            length /= 2
        return 0.0
