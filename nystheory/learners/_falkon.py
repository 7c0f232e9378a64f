"""FALKON: learning with a coefficient for each landmark, and without the matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.special import expit

from nystheory import _checks
from nystheory._progress import counter
from nystheory.kernels import DenseKernel, KernelMatrix, as_kernel, row_blocks
from nystheory.learners._margins import weights_of
from nystheory.learners._newton import (
    Minimum,
    _labels,
    _length,
    _Objective,
    descended,
)
from nystheory.learners._system import (
    Solution,
    _run,
    iterated,
    scaled,
    share_of_one,
    unscaled,
)
from nystheory.lowrank import nystrom
from nystheory.lowrank._factored import _core
from nystheory.sampling import Landmarks, as_indices

# Blocks of columns are kept up to so many bytes in all; others are computed each time.
KEPT_BYTES = 2**31
# An entry counts for so many bytes where blocks are multiplied: 2 MB at a time, so that
# those of float32 become float64 near the core.
NEAR = 8 * 16
# A step of Newton's method is solved for up to this share of the gradient, or less.
ROUGHLY = 0.1
# Steps of conjugate gradients that it may take.
MOST = 1000


def falkon(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    y: np.ndarray,
    ridge: float,
    *,
    weights: np.ndarray | None = None,
    tol: float = 1e-6,
    max_iterations: int = 1000,
) -> Solution:
    """Ridge regression with a coefficient for each landmark, by an iteration.

    It minimises ``sum_i p_i |y_i - (C b)_i|^2 + ridge b^T W b`` over b, with
    C = K[:, S], W = K[S, S] and weights p: with weights 1 the problem of `restricted`,
    which stores n l words for it.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        S; points of their own need a kernel of points.  Where they have weights, as
        those of `sampling.bless`, the preconditioner takes these.
    y : array_like (n,) or (n, q)
    ridge : float
        Above 0.
    weights : array_like (n,), optional
        Of the points, at least 0 and not all of them; 1 by default.
    tol : float
        Relative residual at which the iteration stops, below 1, of the system below.
    max_iterations : int

    Returns
    -------
    Solution
        With b as its x, (l,) or (l, q), and the residual computed anew from b.

    Raises
    ------
    ValueError, TypeError, IndexError
        If an argument is not in its range, a landmark is not an index of K, W is zero
        or not positive semidefinite, or b is above what float64 has; or if the
        preconditioner has no Cholesky factor, being singular with the ridge below its
        rounding.  Where it has one by chance the residual shows it.

    Warns
    -----
    NotConverged
        As `conjugate_gradients`.

    Notes
    -----
    The algorithm of [1]_.  With ``W = L L^T`` and F = C L^-T it solves
    ``(F^T P F + ridge I) w = F^T P y`` with P the diagonal of the weights, and
    b = L^-T w: in these coordinates, of which there are as many as the rank of W,
    singular W does no harm.  The preconditioner is the same matrix with the landmarks
    in place of all points, ``F_S^T D P_S F_S + ridge I`` with F_S the rows of F at the
    landmarks, which are known from W, and D = n / l for landmarks without weights of
    their own.  It reads n l entries of K in a step and costs ``4 n l q`` operations
    beside these, and once about ``4 l^3``.  Memory is that of six matrices (l, l) and
    a block of C, and of C itself as far as 2 GB go: blocks that fit are kept, the
    others are computed in each step.

    With r the residual vector the predictions at the points of the fit differ from
    those of the minimum by at most ``|r| / (2 sqrt(ridge))`` together, up to rounding
    and for weights 1, since no singular value of ``F (F^T F + ridge I)^-1`` is above
    ``1 / (2 sqrt(ridge))``; and ``|r|`` is at most the relative residual times
    ``sqrt(tr K) |y|``.  That so many landmarks make the condition number of the
    preconditioned system small as the theorem of [1]_ requires is *assumed, not
    checked*.  With fewer, as for a ridge far below what they resolve, the iteration
    takes longer, and `restricted` with a sketch, which sees all points, is faster.

    References
    ----------
    .. [1] A. Rudi, L. Carratino and L. Rosasco, "FALKON: An optimal large scale kernel
       method", Advances in Neural Information Processing Systems 30, 2017.

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> falkon(K, [0], [4.0, 5.0], ridge=1.0).x.round(9).tolist()
    [1.0]
    >>> falkon(K, [0], [4.0, 5.0], ridge=1.0, weights=[2.0, 1.0]).x.round(3).tolist()
    [1.143]
    """
    K = as_kernel(K)
    y = _checks.rows(y, K.n, "y").astype(np.float64, copy=False)
    ridge = _checks.positive(ridge, "ridge")
    tol = share_of_one(tol, "tol")
    most = _checks.integer(max_iterations, "max_iterations")
    p = np.ones(K.n) if weights is None else weights_of(weights, K.n, "weights")
    F = Columns(K, landmarks)
    Y, powers = scaled(y, "y")
    core = F.core(F.sampled(p), ridge)
    found = iterated(
        lambda w: F.gram(w, p) + ridge * w,
        F.adjoint(p[:, None] * Y),
        lambda r: scipy.linalg.cho_solve(core, r),
        tol,
        most,
        "the ridge is below the rounding of the columns",
    )
    b = unscaled(F.coefficients(found.x), powers, y, "y")
    return Solution(b, found.residual, found.iterations)


def logistic_falkon(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    y: np.ndarray,
    ridge: float,
    *,
    tol: float = 1e-8,
    max_iter: int = 100,
) -> Minimum:
    """Logistic regression with a coefficient for each landmark, by an iteration.

    It minimises ``ridge / 2 b^T W b - sum_i [y_i f_i - ln(1 + exp(f_i))]`` over b, with
    scores f = C b, C = K[:, S] and W = K[S, S]: what
    ``KernelLogistic(method="nystrom")`` does in n l words.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        S, as for `falkon`.
    y : array_like (n,)
        Labels 0 and 1.
    ridge : float
        Above 0.
    tol : float
        The gradient is at most this share of its length at b = 0.
    max_iter : int
        Steps of Newton's method that may be taken.

    Returns
    -------
    Minimum
        With b as its w; the gradient is that in the coordinates below, computed anew
        from b.

    Raises
    ------
    ValueError, TypeError, IndexError
        If an argument is not in its range, y has other labels, a landmark is not an
        index of K, W is zero or not positive semidefinite, or the preconditioner has no
        Cholesky factor, as for `falkon`.

    Warns
    -----
    NotConverged
        If `tol` is not reached.

    Notes
    -----
    The algorithm of [1]_, but for the ridges that fall to the one requested:
    from b = 0 Newton's method goes with a line search in place of them, as `newton`.
    In the coordinates w of `falkon`, where the objective has the curvature
    ``F^T P F + ridge I`` with P the diagonal of ``s (1 - s)``, s the probabilities,
    each step is solved by conjugate gradients with that of the landmarks alone as
    preconditioner, made anew for each.  It is solved for a residual of
    ``min(0.1, sqrt(g))`` of the gradient, with g what is left of it since the start: an
    unfinished step goes down, too, and the last ones are nearly exact.

    A step of either kind costs what one of `falkon` costs, with as much memory, and 6 n
    words for scores.  With g the gradient at the end, w is within ``|g| / ridge`` of
    the minimum, and the objective within ``|g|^2 / (2 ridge)``, since its curvature is
    nowhere below the ridge.

    References
    ----------
    .. [1] U. Marteau-Ferey, F. Bach and A. Rudi, "Globally convergent Newton methods
       for ill-conditioned generalized self-concordant losses", Advances in Neural
       Information Processing Systems 32, 2019.

    Examples
    --------
    >>> from nystheory.kernels import rbf
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    >>> found = logistic_falkon(rbf(X, 1.0), [0, 3], y, ridge=0.1)
    >>> bool(found.w[0] < 0 < found.w[1]), found.gradient < 1e-8
    (True, True)
    """
    K = as_kernel(K)
    signs = 2 * _labels(y, K.n) - 1
    ridge = _checks.positive(ridge, "ridge")
    tol = _checks.positive(tol, "tol")
    most = _checks.integer(max_iter, "max_iter")
    return of_columns(Columns(K, landmarks), signs, ridge, tol, most)


def of_columns(F: Columns, signs, ridge, tol, most) -> Minimum:
    """`logistic_falkon`, of what was checked, for labels -1 and 1."""
    objective = _ByColumns(F, signs, ridge)
    found = descended(objective, tol, most)
    scores = F @ found.w
    left = _length(objective.gradient(found.w, scores))
    value = objective.value(found.w, scores)
    return Minimum(F.coefficients(found.w), value, left, found.iterations)


@dataclass(frozen=True)
class _ByColumns(_Objective):
    """The objective of `Columns` in place of features, and its steps."""

    def adjoint(self, v):
        return self.X.adjoint(v)

    def solved(self, w, scores, b, left):
        """``(F^T P F + ridge I)^-1 b``, up to a share of b."""
        core = self.X.core(_curvature(self.X.scores(w)), self.ridge)
        p, right = _curvature(scores), b[:, None]
        with counter("conjugate gradients, at most", MOST) as bar:
            found, _, _ = _run(
                lambda v: self.X.gram(v, p) + self.ridge * v,
                right,
                lambda r: scipy.linalg.cho_solve(core, r),
                min(ROUGHLY, np.sqrt(left)) * _length(b),
                MOST,
                bar,
            )
        return found[:, 0]


def _curvature(scores):
    """``s (1 - s)`` of the probabilities s."""
    return expit(scores) * expit(-scores)


def _own(K, landmarks):
    """The landmarks: indices, or points of their own."""
    points = landmarks.points if isinstance(landmarks, Landmarks) else None
    if points is None:
        return as_indices(landmarks, K.n)
    if not hasattr(K, "columns_of"):
        raise ValueError(
            f"landmarks: expected indices for {K!r}, got points of their own"
        )
    if not sparse.issparse(points):
        points = _checks.real_array(points, "landmarks", 2)
    if points.shape[0] == 0:
        raise ValueError("landmarks: expected at least one point, got none")
    return points


def _shares(landmarks, n, l):  # noqa: E741
    """For how many points each of the landmarks stands, (l,)."""
    shares = getattr(landmarks, "weights", None)
    if shares is None:
        return np.full(l, n / l)
    shares = _checks.real_array(shares, "landmarks", 1)
    if len(shares) != l or shares.min() < 0:
        raise ValueError(
            f"landmarks: expected weights of at least 0, {l} of them, got "
            f"{_checks.shown(shares)}"
        )
    return shares


class Columns:
    """``F = C L^-T`` of landmarks, with ``F F^T = C W^+ C^T``, known by its products.

    C, (n, l), is computed block by block; `KEPT_BYTES` of it are kept.

    Attributes
    ----------
    own : ndarray or CSR (l,) or (l, d)
        The landmarks, indices or points.
    shape : tuple of int
        ``(n, r)``, with r the rank of W.

    Examples
    --------
    >>> F = Columns(as_kernel(np.diag([4.0, 1.0])), [0])
    >>> F.shape, (F @ np.ones(1)).tolist(), F.adjoint(np.ones(2)).tolist()
    ((2, 1), [2.0, 0.0], [2.0])
    """

    def __init__(self, K: KernelMatrix, landmarks: Landmarks | Sequence[int]):
        self._K, self.own = K, _own(K, landmarks)
        l = self.own.shape[0]  # noqa: E741
        with _checks.told_as("points", "landmarks"):  # of a kernel of dense ones
            with _checks.told_as("others", "landmarks"):
                W = self._among()
        small = nystrom(DenseKernel(W), np.arange(l))
        if small.rank == 0:
            raise ValueError(
                "landmarks: expected some that explain a part of the kernel, got "
                f"{_checks.shown(landmarks)}, among which every entry is zero"
            )
        self._rows = small._rows
        # F at the landmarks, and for how many points each of them stands.
        self._at = self._rows(W.astype(np.float64))
        self._shares = _shares(landmarks, K.n, l)
        self.shape = K.n, small.rank
        self._cuts, self._kept = row_blocks(K.n, l), []
        self._left = KEPT_BYTES

    def _among(self):
        if self.own.ndim == 1:
            return self._K[self.own, self.own]
        if hasattr(self._K, "on"):
            return self._K.on(self.own).dense()
        return self._K.between(self.own, self.own)

    def _blocks(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Rows, and C at these in float64."""
        for i, rows in enumerate(self._cuts):
            if i < len(self._kept):
                block = self._kept[i]
            else:
                block = self._entries(rows)
                if block.nbytes <= self._left and i == len(self._kept):
                    self._kept.append(block)
                    self._left -= block.nbytes
            for near in row_blocks(*block.shape, NEAR):
                at = slice(rows.start + near.start, rows.start + near.stop)
                yield at, block[near].astype(np.float64, copy=False)

    def _entries(self, rows):
        if self.own.ndim == 1:
            return self._K[rows, self.own]
        points = self._K._X if self._K.points is None else self._K.points
        return self._K.between(points[rows], self.own)

    def __matmul__(self, w: np.ndarray) -> np.ndarray:
        """``F w``, (n,) or (n, q)."""
        b = self.coefficients(w)
        found = np.empty((self.shape[0], *b.shape[1:]))
        for rows, block in self._blocks():
            np.matmul(block, b, out=found[rows])
        return found

    def adjoint(self, v: np.ndarray) -> np.ndarray:
        """``F^T v``, (r,) or (r, q)."""
        found = np.zeros((self.own.shape[0], *v.shape[1:]))
        for rows, block in self._blocks():
            found += block.T @ v[rows]
        return self._back(found)

    def gram(self, w: np.ndarray, p: np.ndarray) -> np.ndarray:
        """``F^T P F w``, for w (r, q), with P the diagonal of p: C is read once."""
        b = self.coefficients(w)
        found = np.zeros_like(b)
        for rows, block in self._blocks():
            found += block.T @ (p[rows, None] * (block @ b))
        return self._back(found)

    def coefficients(self, w: np.ndarray) -> np.ndarray:
        """b with ``C b = F w``."""
        return self._rows.columns(w)

    def _back(self, u):
        """``L^-1 u``, the transpose of `coefficients`."""
        return self._rows(u.T if u.ndim > 1 else u[None]).T.reshape(-1, *u.shape[1:])

    def sampled(self, p: np.ndarray) -> np.ndarray:
        """p at the landmarks, (l,), of p at the points; its mean for other points."""
        if self.own.ndim == 1:
            return p[self.own]
        return np.full(self.own.shape[0], p.mean())

    def scores(self, w: np.ndarray) -> np.ndarray:
        """``F w`` at the landmarks, (l,)."""
        return self._at @ w

    def core(self, p: np.ndarray, ridge: float):
        """The factor of ``F^T P F + ridge I`` by the landmarks alone, of p at them."""
        with _checks.told_as("alpha", "ridge"):
            return _core(np.sqrt(p * self._shares)[:, None] * self._at, ridge)
