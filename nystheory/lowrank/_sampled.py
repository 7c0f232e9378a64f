"""Approximations from sampled columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.kernels._base import FEW, digits
from nystheory.lowrank import _core
from nystheory.lowrank._approximation import LowRank
from nystheory.sampling import Landmarks, as_indices


def nystrom(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
    truncate: str = "core",
) -> LowRank:
    """The Nyström approximation ``C W_k^+ C^T``, equations (2.2) and (2.3) of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        Repetitions are harmless.  Landmarks that are points of their own (centroids)
        need a kernel of points.
    rank : int, optional
        The rank k, from 1 to l; l by default.
    truncate : {"core", "approximation"}
        ``"core"`` is the thesis's form: the best rank-k approximation of W is
        inverted.  The eigenvalues are ``(n/l) Sigma_{W,k}``, the eigenvectors
        ``sqrt(l/n) C U_{W,k} Sigma_{W,k}^+``, which are not orthonormal in general.
        ``"approximation"`` takes the k leading eigenpairs of ``C W^+ C^T``
        (orthonormal); it is never worse in the trace norm
        (``theorems["modern:fixed-rank"]``), and mostly better in the others.

    Returns
    -------
    LowRank
        Of rank min(k, rank W), rank W taken numerically: a pivot below
        ``eps (tr W + 16 max W_ii)`` counts as zero.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `rank` is not an integer from 1 to l, a landmark is not an index of K,
        `truncate` is unknown, or W is not positive semidefinite.

    Notes
    -----
    Asks for n l entries of K, and l^2 more for landmarks that are points of their
    own.  Costs n l^2 operations (one triangular solve, in place: n l words), and
    2 n l k more for k < l; ``"approximation"`` costs 4 n l^2 more.  The eigenvectors
    are computed on demand, by 2 n l k operations.

    The two equations are ``theorems["talwalkar2010:eq-2.2"]`` and
    ``theorems["talwalkar2010:eq-2.3"]``.

    W is factored by Cholesky with diagonal pivoting, ``W = L L^T``, and
    ``F = C L^{-T}`` holds all of ``C W^+ C^T = F F^T``.  With the singular value
    decomposition ``L = P S Q^T``, W has the eigenvalues S^2, ``F Q_k`` is the factor
    of rank k, and no inverse is ever formed.  All tolerances are relative, so that
    K and c K behave alike.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equations (2.2), (2.3).

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> approximation = nystrom(K, [0, 2])
    >>> approximation
    LowRank(nystrom, n=3, l=2, rank=2)
    >>> approximation.eigenvalues.round(12).tolist()
    [3.0, 1.5]
    """
    _checks.choice(truncate, "truncate", ("core", "approximation"))
    own_points = landmarks.points if isinstance(landmarks, Landmarks) else None
    K, C, W, landmarks, k = _columns(K, landmarks, rank)
    factor, L, order = _core.nystrom_factor(C, W)
    near = _from_factor(K, factor, L, landmarks, k, truncate)
    rows = _Solved(L[: len(order)], order, len(W), near._rows)
    return replace(near, _rows=rows, _landmark_points=own_points)


def from_factor(
    landmarks: Landmarks, rank: int | None = None, truncate: str = "core"
) -> LowRank:
    """The Nyström approximation from the factor that a pivoted scheme left behind.

    The same as `nystrom` on the matrix that was sampled, up to rounding, but K is not
    read.

    Parameters
    ----------
    landmarks : Landmarks
        Of `sampling.rp_cholesky`, `sampling.incomplete_cholesky` or `sampling.sgma`.
    rank : int, optional
        The rank k, from 1 to l; l by default.
    truncate : {"core", "approximation"}
        As for `nystrom`.

    Returns
    -------
    LowRank

    Raises
    ------
    ValueError, TypeError
        If the landmarks carry no factor, `rank` is not an integer from 1 to l, or
        `truncate` is unknown.

    Notes
    -----
    Costs O(l^3) operations, and 2 n l k more for k < l; ``"approximation"`` costs
    4 n l^2 more.  No entry of K is read.  That the factor of pivots is that of
    the Nyström approximation is ``theorems["talwalkar2010:icl"]``, from [1]_.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.2.

    Examples
    --------
    >>> from nystheory.sampling import incomplete_cholesky
    >>> drawn = incomplete_cholesky([[2.0, 1.0], [1.0, 1.0]], 1)
    >>> from_factor(drawn).spectral_reconstruction().round(12)
    array([[2. , 1. ],
           [1. , 0.5]])
    """
    _checks.choice(truncate, "truncate", ("core", "approximation"))
    if not isinstance(landmarks, Landmarks) or landmarks.factor is None:
        raise ValueError(
            "landmarks: expected those of a scheme that keeps its factor "
            f"(rp_cholesky, incomplete_cholesky, sgma), got {_checks.shown(landmarks)}"
        )
    F, k, chosen = landmarks.factor, _rank(rank, len(landmarks)), landmarks.indices
    L = F[chosen]
    near = _from_factor(landmarks.kernel, F, L, chosen, k, truncate)
    rows = _Solved(L, np.arange(len(L)), len(L), near._rows)
    return replace(near, _rows=rows)


def _from_factor(K, F, L, landmarks, k, truncate):
    """The approximation of rank k from ``C W^+ C^T = F F^T`` and ``W = L L^T``."""
    n, r = F.shape
    if truncate == "approximation":
        values, vectors, turn = _core.leading_pairs(F, min(k, r))
        pairs = partial(_core.given, values, vectors)
        root, name = None, ", truncated after"
    elif k < r:
        S, Q = _core.right_singular(L)
        turn = Q[:, :k].astype(F.dtype, copy=False)
        root = F @ turn
        pairs, name = partial(_core.scaled_pairs, root, S[:k], len(L)), ""
    else:
        root, pairs, name, turn = F, partial(_core.core_pairs, F, L), "", None
    # Nothing else keeps a factor that was cut.
    blur = partial(_core.blur, F, L, FEW * digits(K))
    blur = blur if root is F else blur()
    method, rank = f"nystrom{name}", min(k, r)
    parts = method, n, landmarks, k, rank, True, pairs, root
    return LowRank(*parts, kernel=K, _rows=turn, _blur=blur)


@dataclass(frozen=True, eq=False)
class _Solved:
    """Rows of the factor for new points, from C, (m, l): solved, and turned."""

    L: np.ndarray
    order: np.ndarray
    n_landmarks: int
    turn: np.ndarray | None

    def __call__(self, C):
        F = _core.solved_in_place(np.ascontiguousarray(C[:, self.order]), self.L)
        return F if self.turn is None else F @ self.turn

    def columns(self, weights):
        """b, (l,) or (l, q), with ``C b`` what the rows give with these weights."""
        weights = weights if self.turn is None else self.turn @ weights
        b = np.zeros((self.n_landmarks, *weights.shape[1:]))
        if len(self.order):
            b[self.order] = scipy.linalg.solve_triangular(
                self.L, weights, lower=True, trans="T", check_finite=False
            )
        return b

    def steady(self, weights, b):
        """Whether ``C b`` is finite, and loses at most three digits beside the rows."""
        root = np.linalg.norm(self.L, axis=1).max(initial=0.0)
        with np.errstate(all="ignore"):
            size = np.abs(b).sum(axis=0) * root
            least = np.abs(weights).max(axis=0, initial=0.0)
            return bool(np.all(np.isfinite(size * root) & (size <= 1000 * least)))


def column_sampling(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """The Column-sampling approximation, from the singular vectors of C, (2.4) of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
    rank : int, optional
        The rank k, from 1 to l; l by default.

    Returns
    -------
    LowRank
        Eigenvalues ``sqrt(n/l) Sigma_{C,k}``, eigenvectors ``U_{C,k}`` (orthonormal);
        of rank min(k, rank C), singular values below n eps times the largest, in
        float64, or sqrt(l) eps in the type of K, counting as zero.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `rank` is not an integer from 1 to l or a landmark is not an index of K.

    Notes
    -----
    Asks for n l entries; costs about 6 n l^2 operations and 3 n l words.  The
    equation is ``theorems["talwalkar2010:eq-2.4"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (2.4).

    Examples
    --------
    >>> column_sampling(np.diag([3.0, 1.0]), [0]).eigenvalues.round(12).tolist()
    [4.242640687119]
    """
    K, landmarks, k = _arguments(K, landmarks, rank)
    C = K[:, landmarks]
    # The decomposition is in float64.  Entries that are off by eps of themselves move
    # singular values by eps |C|_F at most, and sqrt(l) times the largest is as much.
    cut = max(K.n * digits(None), np.sqrt(len(landmarks)) * digits(K))
    C = C.astype(np.float64, copy=False)
    U, S, Vt = scipy.linalg.svd(C, full_matrices=False, overwrite_a=True)
    r = min(k, int((S > cut * S[0]).sum()))
    values = np.sqrt(K.n / len(landmarks)) * S[:r]
    pairs = partial(_core.given, values, U[:, :r])
    rows = _Times(Vt[:r].T * (np.sqrt(values) / S[:r]))
    name = "column_sampling"
    return LowRank(name, K.n, landmarks, k, r, False, pairs, kernel=K, _rows=rows)


@dataclass(frozen=True, eq=False)
class _Times:
    """Rows of the factor for new points, from C, (m, l)."""

    B: np.ndarray

    def __call__(self, C):
        return C @ self.B

    def columns(self, weights):
        """As of `_Solved`."""
        return self.B @ weights

    def steady(self, weights, b):
        """The rows are a product, too: no digits are lost, but where b overflows."""
        return bool(np.isfinite(b).all())


def orthonormal_nystrom(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """Nyström eigenvalues with Nyström eigenvectors made orthonormal in order.

    The remedy for eigenvectors that are not orthonormal, section 2.2.1 of [1]_: those
    of (2.3) are orthonormalised, largest eigenvalue first, and the eigenvalues
    ``(n/l) Sigma_{W,k}`` are kept.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
    rank : int, optional
        The rank k, from 1 to l; l by default.

    Returns
    -------
    LowRank
        Of rank min(k, rank W), as for `nystrom`.

    Raises
    ------
    ValueError, TypeError, IndexError
        As `nystrom`.

    Notes
    -----
    Asks for n l entries; costs n l^2 operations as `nystrom`, and 4 n k^2 for the
    orthonormal basis.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 2.2.1.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
    >>> U = orthonormal_nystrom(K, [0]).eigenvectors
    >>> (U.T @ U).round(12).tolist()
    [[1.0]]
    """
    core = nystrom(K, landmarks, rank)
    pairs = partial(_core.given, core.eigenvalues, _core.orthonormal(core.eigenvectors))
    return LowRank(
        "orthonormal_nystrom",
        core.n,
        core.landmarks,
        core.rank_requested,
        core.rank,
        False,
        pairs,
        kernel=core.kernel,
    )


def optimal_reconstruction(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """The best reconstruction within the range of the Nyström approximation.

    ``P_A K P_A`` with P_A the orthogonal projector on the range of the rank-k
    Nyström approximation: the matrix ``A Z* A^T`` of Theorem 2.2 of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
    rank : int, optional
        The rank k, from 1 to l; l by default.

    Returns
    -------
    LowRank
        Orthonormal eigenvectors; of rank min(k, rank W), as for `nystrom`.

    Raises
    ------
    ValueError, TypeError, IndexError
        As `nystrom`.

    Notes
    -----
    It needs all of K: n l + n^2 entries and 2 n^2 k operations, beside n l^2.
    No approximation with this range is closer in the Frobenius norm
    (``theorems["talwalkar2010:thm-2.2-optimum"]``); it is not below K in general.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, Theorem 2.2.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
    >>> optimal_reconstruction(K, [0]).eigenvalues.round(12).tolist()
    [2.6]
    """
    K = as_kernel(K)
    core = nystrom(K, landmarks, rank)
    basis = _core.orthonormal(core.factor.astype(np.float64, copy=False))
    small = basis.T @ (K @ basis)
    values, vectors = scipy.linalg.eigh((small + small.T) / 2)
    # The entries of K have its digits, whatever a product with float64 has.
    slack = K.n * digits(K) * float(np.abs(values).max(initial=0.0))
    values = _semidefinite.not_negative(values[::-1], slack, "an eigenvalue")
    pairs = partial(_core.given, values, basis @ vectors[:, ::-1])
    return LowRank(
        "optimal_reconstruction",
        core.n,
        core.landmarks,
        core.rank_requested,
        core.rank,
        False,
        pairs,
        kernel=core.kernel,
    )


def _arguments(K, landmarks, rank):
    """Kernel matrix, indices and rank, checked."""
    K = as_kernel(K)
    landmarks = as_indices(landmarks, K.n)
    return K, landmarks, _rank(rank, len(landmarks))


def _columns(K, landmarks, rank):
    """Kernel matrix, columns, core, indices (None for own points) and rank."""
    points = landmarks.points if isinstance(landmarks, Landmarks) else None
    if points is None:
        K, landmarks, k = _arguments(K, landmarks, rank)
        C = K[:, landmarks]
        return K, C, C[landmarks], landmarks, k
    K = as_kernel(K)
    if not hasattr(K, "columns_of"):
        raise ValueError(
            "K: expected a kernel of points, such as kernels.rbf(X), for landmarks "
            f"that are points of their own ({landmarks.scheme}), got {K!r}"
        )
    with _checks.told_as("others", "landmarks"):
        C, W = K.columns_of(points)
    if not len(W):
        raise ValueError("landmarks: expected at least one point, got none")
    return K, C, W, None, _rank(rank, len(W))


def _rank(rank, l):  # noqa: E741
    if rank is None:
        return l
    return _checks.integer(rank, "rank", high=l, why="n_landmarks")
