"""Ridge regression restricted to the landmarks: the subset of regressors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.linalg.lapack import dpocon

from nystheory import _checks
from nystheory.kernels import DenseKernel, KernelMatrix, as_kernel, row_blocks
from nystheory.learners._system import (
    Solution,
    iterated,
    relative,
    scaled,
    share_of_one,
    unscaled,
)
from nystheory.lowrank import nystrom
from nystheory.lowrank._factored import _core
from nystheory.sampling import Landmarks, as_indices

# Entries other than zero in a column of the sketch.
SIGNS = 8


def restricted(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    y: np.ndarray,
    ridge: float,
    *,
    sketch: int | None = None,
    rng: np.random.Generator | None = None,
    tol: float = 1e-6,
    max_iterations: int = 1000,
) -> Solution:
    """Ridge regression with a coefficient for each landmark, and none for others.

    It minimises ``|y - C b|^2 + ridge b^T W b`` over b, with C = K[:, S] and W =
    K[S, S]; the prediction at x is ``k(x, S) b``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        S; points of their own need a kernel of points.
    y : array_like (n,) or (n, q)
    ridge : float
        At least 0; above 0 with a sketch.  With 0 the predictions are the least squares
        fit, the limit for a ridge that falls to 0.
    sketch : int, optional
        The number d of rows of a random sketch, at least l: twice l is enough as a
        rule.  Then the system is not factored but solved by conjugate gradients, with
        the sketched system as preconditioner.
    rng : numpy.random.Generator, optional
        For the sketch, and only for it.
    tol : float
        Relative residual at which the iteration stops, below 1, of the system below.
    max_iterations : int

    Returns
    -------
    Solution
        With b as its x, (l,) or (l, q).  Without a sketch there are no iterations.

    Raises
    ------
    ValueError, TypeError, IndexError
        If an argument is not in its range, a landmark is not an index of K, W is
        not positive semidefinite, or b is above what float64 has.

    Warns
    -----
    NotConverged
        With a sketch, as `conjugate_gradients`.

    Notes
    -----
    Asks for n l entries of K.  With ``W = L L^T`` and F = C L^-T, so that F F^T is the
    Nyström approximation, it solves ``(F^T F + ridge I) w = F^T y`` and b = L^-T w: b
    is one of many where W is singular, and its predictions are those of the Nyström
    approximation by its features.

    Direct: ``2 n l^2 + l^3 / 3`` operations, in the memory of C.  By the sketch: F and
    ``F^T F`` are never formed; the preconditioner costs 16 n l operations to sketch C
    and ``3 d l^2 + 2 l^3`` for its factor, each step ``4 n l + 4 l^2`` for each of
    q.  It is KRILL of [1]_, in the coordinates of w, in which singular W does no harm.
    A sketch that keeps the lengths of all vectors C v up to factors 1 - e and 1 + e has
    a preconditioned system of condition number ``((1 + e) / (1 - e))^2`` at most: the
    ridge is in both.  The sketch has 8 signs a column: it embeds with high probability,
    which is *assumed, not proved* here; the residual is certain.

    References
    ----------
    .. [1] M. Díaz, E. N. Epperly, Z. Frangella, J. A. Tropp and R. J. Webber, "Robust,
       randomized preconditioning for kernel ridge regression", 2023, arXiv:2304.12465.

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> restricted(K, [0], [4.0, 5.0], ridge=1.0).x.tolist()
    [1.0]
    >>> rng = np.random.default_rng(0)
    >>> restricted(K, [0], [4.0, 5.0], ridge=1.0, sketch=8, rng=rng).x.round(9).tolist()
    [1.0]
    """
    K = as_kernel(K)
    y = _checks.rows(y, K.n, "y").astype(np.float64, copy=False)
    ridge = _checks.not_below_zero(ridge, "ridge")
    tol = share_of_one(tol, "tol")
    most = _checks.integer(max_iterations, "max_iterations")
    if sketch is None:
        if rng is not None:
            raise ValueError(
                "rng: expected None without a sketch, since nothing else is drawn, "
                f"got {_checks.shown(rng)}"
            )
        with _checks.told_as("others", "landmarks"):
            return of_columns(nystrom(K, landmarks), y, ridge)
    ridge = _checks.positive(ridge, "ridge")
    C, W = _columns(K, landmarks)
    small = nystrom(DenseKernel(W), np.arange(len(W)))
    T = small._rows.columns(np.eye(small.rank))  # k(x, S) T are the features of x
    d = _checks.integer(sketch, "sketch", low=len(W))
    Y, powers = scaled(y, "y")
    rough = _signs(d, K.n, _checks.generator(rng)) @ C @ T
    with _checks.told_as("alpha", "ridge"):
        core = _core(rough, ridge)
    found = iterated(
        lambda w: T.T @ (C.T @ (C @ (T @ w))) + ridge * w,
        T.T @ (C.T @ Y),
        lambda r: scipy.linalg.cho_solve(core, r),
        tol,
        most,
    )
    b = unscaled(T @ found.x, powers, y, "y")
    return Solution(b, found.residual, found.iterations)


def _columns(K, landmarks):
    """The columns of the landmarks, and the entries among them."""
    if isinstance(landmarks, Landmarks) and landmarks.indices is None:
        if not hasattr(K, "columns_of"):
            raise ValueError(
                f"landmarks: expected indices for {K!r}, got points of their own"
            )
        with _checks.told_as("others", "landmarks"):
            return K.columns_of(landmarks.points)
    S = as_indices(landmarks, K.n)
    C = K[:, S]
    return C, C[S]


def own_columns(near) -> np.ndarray:
    """The landmarks of an approximation, indices or points."""
    if getattr(near, "_rows", None) is None:
        raise ValueError(
            "X: expected an approximation with landmarks, such as lowrank.nystrom(K, "
            f"landmarks), for one coefficient each, got {near!r}"
        )
    return near._columns


def of_columns(near, y: np.ndarray, ridge: float) -> Solution:
    """Coefficients of the landmarks that predict as the features F do."""
    F, (Y, powers) = near.factor, scaled(y, "y")
    w, b = feature_weights(F, Y, ridge), _adjoint(F, Y)
    left = b - _adjoint(F, times(F, w)) - ridge * w
    left = relative(left, np.linalg.norm(b, axis=0))
    x = unscaled(near._rows.columns(w), powers, y, "y")
    return Solution(x, float(left.max()), 0)


def feature_weights(F: np.ndarray, y: np.ndarray, ridge: float) -> np.ndarray:
    """``(F^T F + ridge I)^-1 F^T y`` in float64; least squares where the ridge is 0.

    With more features than points it is ``F^T (F F^T + ridge I)^-1 y``.  Features may
    be sparse where the ridge is above 0.
    """
    if ridge == 0 or F.shape[1] == 0:
        return scipy.linalg.lstsq(F.astype(np.float64, copy=False), y)[0]
    wide = F.shape[1] > F.shape[0]
    tall, right = (F.T, y) if wide else (F, _adjoint(F, y))
    if sparse.issparse(F):
        tall = tall.astype(np.float64, copy=False)
        found = regularised((tall.T @ tall).toarray(), right, ridge)
    else:
        with _checks.told_as("alpha", "ridge"):
            found = scipy.linalg.cho_solve(_core(tall, ridge), right)
    return _adjoint(F, found) if wide else found


def regularised(A: np.ndarray, b: np.ndarray, ridge: float) -> np.ndarray:
    """``(A + ridge I)^-1 b``, of the lower triangle of a semidefinite A.

    A is overwritten where it is stored by columns.

    >>> regularised(np.diag([1.0, 3.0]), np.array([2.0, 4.0]), 1.0).tolist()
    [1.0, 1.0]
    >>> regularised(np.ones((2, 2)), np.array([2.0, 4.0]), 1e-20)
    Traceback (most recent call last):
    ValueError: ridge: expected a number above 4.4e-16, the rounding of the features, \
got 1e-20
    """
    size = float(A.trace())
    A[np.diag_indices_from(A)] += ridge
    try:
        factor = scipy.linalg.cho_factor(A, lower=True, overwrite_a=True)
        share, _ = dpocon(factor[0], size + ridge, uplo="L")
    except np.linalg.LinAlgError:
        share = 0.0
    eps = np.finfo(float).eps
    if share < eps:
        raise ValueError(
            f"ridge: expected a number above {eps * size:.2g}, the rounding of the "
            f"features, got {ridge:.3g}"
        )
    return scipy.linalg.cho_solve(factor, b)


def times(F: np.ndarray, w: np.ndarray) -> np.ndarray:
    """``F w`` in float64, in blocks of rows.

    >>> times(np.ones((2, 1), np.float32), np.array([1 + 2.0**-40])).dtype
    dtype('float64')
    """
    if sparse.issparse(F):
        return F.astype(np.float64, copy=False) @ w
    found = np.empty((len(F), *w.shape[1:]))
    for rows in row_blocks(*F.shape):
        np.matmul(F[rows].astype(np.float64, copy=False), w, out=found[rows])
    return found


def _adjoint(F: np.ndarray, y: np.ndarray) -> np.ndarray:
    """``F^T y`` in float64, in blocks of rows.

    >>> _adjoint(np.ones((2, 1), np.float32), np.array([1.0, 2.0**-40])).tolist()
    [1.0000000000009095]
    """
    if sparse.issparse(F):
        return F.T.astype(np.float64, copy=False) @ y
    found = np.zeros((F.shape[1], *y.shape[1:]))
    for rows in row_blocks(*F.shape):
        found += F[rows].astype(np.float64, copy=False).T @ y[rows]
    return found


def _signs(d, n, rng):
    """A sparse sketch, (d, n): in each column a sign in each of 8 blocks of rows."""
    blocks = np.linspace(0, d, min(SIGNS, d) + 1).astype(np.intp)
    rows = [rng.integers(low, high, n) for low, high in zip(blocks, blocks[1:])]  # noqa: B905
    signs = rng.choice([-1.0, 1.0], size=(len(rows), n)) / np.sqrt(len(rows))
    places = (np.concatenate(rows), np.tile(np.arange(n), len(rows)))
    return sparse.csr_array((signs.ravel(), places), shape=(d, n))
