"""What do the columns say of K?  Low-rank approximations from sampled columns.

Notation of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, chapter 2, which equation numbers refer to:
C is the n x l matrix of sampled columns, W its l rows at the landmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from nystheory import _checks, _core, _norms
from nystheory.kernels import DenseKernel, KernelMatrix, as_kernel
from nystheory.sampling import Landmarks, as_indices

OF = ("spectral_reconstruction", "matrix_projection")
NORMS = ("spectral", "frobenius", "trace")

# Above this size the best approximation of small rank is found by Lanczos.
DENSE_EIGEN = 5000


@dataclass(frozen=True, eq=False, repr=False)
class LowRank:
    """An approximation of K from k (approximate) eigenpairs.

    Made by `best_rank_k`, `nystrom`, `column_sampling`, `orthonormal_nystrom` and
    `optimal_reconstruction`.  Eigenpairs and factor are computed when they are
    first asked for, and kept.

    Attributes
    ----------
    method : str
        Name of the function that made it, with its variant.
    n : int
        Number of points.
    landmarks : ndarray (l,) or None
        The sampled columns, where there are any.
    rank_requested : int
        The rank k that was asked for.
    rank : int
        Number of eigenpairs: less than asked for where the columns have a lower
        numerical rank.
    below : bool
        Whether ``0 <= approximation <= K`` is known, in the order of semidefinite
        matrices.
    """

    method: str
    n: int
    landmarks: np.ndarray | None
    rank_requested: int
    rank: int
    below: bool
    _pairs: Callable[[], tuple[np.ndarray, np.ndarray]]
    _root: np.ndarray | None = None

    @property
    def eigenvalues(self) -> np.ndarray:
        """Approximate eigenvalues of K, (k,), largest first."""
        return self._eigen[0]

    @property
    def eigenvectors(self) -> np.ndarray:
        """Approximate eigenvectors of K, (n, k); not always orthonormal."""
        return self._eigen[1]

    @cached_property
    def factor(self) -> np.ndarray:
        """F, (n, k), with F F^T the spectral reconstruction."""
        if self._root is not None:
            return self._root
        return self.eigenvectors * np.sqrt(self.eigenvalues)

    @cached_property
    def _eigen(self) -> tuple[np.ndarray, np.ndarray]:
        return self._pairs()

    def spectral_reconstruction(self) -> np.ndarray:
        """``U Sigma U^T``, (n, n): equation (2.5), left.

        Costs n^2 k operations and n^2 words.

        Examples
        --------
        >>> nystrom([[2.0, 1.0], [1.0, 1.0]], [0]).spectral_reconstruction().round(12)
        array([[2. , 1. ],
               [1. , 0.5]])
        """
        return self.factor @ self.factor.T

    def matrix_projection(self, K: KernelMatrix | np.ndarray) -> np.ndarray:
        """``U U^T K``, (n, n): equation (2.5), right; it needs all of K.

        Costs 4 n^2 k operations, n^2 words and n^2 entries of K.

        Examples
        --------
        >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
        >>> column_sampling(K, [0]).matrix_projection(K).round(12)
        array([[2. , 1.2],
               [1. , 0.6]])
        """
        U = self.eigenvectors
        return U @ (self._same_size(K) @ U).T

    def error(
        self,
        K: KernelMatrix | np.ndarray,
        norm: str = "frobenius",
        of: str = "spectral_reconstruction",
    ) -> float:
        """The norm of K minus the approximation.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
        norm : {"frobenius", "spectral", "trace"}
            ``"trace"`` is the trace norm, the sum of singular values.
        of : {"spectral_reconstruction", "matrix_projection"}

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If K has another size, or a name is not one of those above.

        Notes
        -----
        Frobenius: n^2 k operations in blocks, K is never stored, half of it is
        asked for.  Trace: n k operations and the diagonal of K where the
        approximation is known to lie between 0 and K (``below``), else n^3 and n^2
        words.  Spectral: n^3 up to n = 1000, above by Lanczos iteration from a fixed
        start, to a relative accuracy of about 1e-6.

        Examples
        --------
        >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
        >>> nystrom(K, [0]).error(K, "trace")
        0.5
        """
        _checks.choice(norm, "norm", NORMS)
        _checks.choice(of, "of", OF)
        K = self._same_size(K)
        if of == "matrix_projection":
            U = self.eigenvectors
            residual = _norms.Residual(K, U, K @ U, symmetric=False)
        else:
            residual = _norms.Residual(K, self.factor, self.factor, symmetric=True)
            if norm == "trace" and self.below:
                return residual.trace_of_diagonal()
        return getattr(residual, norm)()

    def relative_accuracy(
        self,
        K: KernelMatrix | np.ndarray,
        of: str = "spectral_reconstruction",
        best: LowRank | None = None,
    ) -> float:
        """``|K - K_k|_F / |K - approximation|_F``: equation (2.24), at most 1.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
        of : {"spectral_reconstruction", "matrix_projection"}
        best : LowRank, optional
            ``best_rank_k(K, k)``, when it is at hand; computed otherwise.

        Returns
        -------
        float
            1 also when the approximation is exact up to rounding, as the best one
            then is.

        Raises
        ------
        ValueError
            If K has another size, or `best` is not the best approximation of rank k.

        Examples
        --------
        >>> K = np.diag([3.0, 1.0])
        >>> nystrom(K, [1]).relative_accuracy(K) == 1 / 3
        True
        """
        K = self._same_size(K)
        if best is None:
            best = best_rank_k(K, self.rank_requested)
        elif (best.method, best.rank_requested) != ("best", self.rank_requested):
            raise ValueError(
                f"best: expected best_rank_k(K, {self.rank_requested}), got {best!r}"
            )
        error = self.error(K, "frobenius", of)
        rounding = self.n * np.finfo(np.float64).eps * float(K.diagonal().sum())
        return best.error(K, "frobenius") / error if error > rounding else 1.0

    def _same_size(self, K):
        # The approximation was made from a checked K: squareness is checked again,
        # semidefiniteness, which costs n^3, is not.
        K = K if isinstance(K, KernelMatrix) else DenseKernel(K)
        if K.n != self.n:
            raise ValueError(f"K: expected shape {(self.n, self.n)}, got {K.shape}")
        return K

    def __repr__(self) -> str:
        drawn = "" if self.landmarks is None else f", l={len(self.landmarks)}"
        return f"LowRank({self.method}, n={self.n}{drawn}, rank={self.rank})"

    def _repr_html_(self) -> str:
        from nystheory.style import number, table

        top = ", ".join(number(float(value)) for value in self.eigenvalues[:4])
        top += ", ..." if self.rank > 4 else ""
        drawn = None if self.landmarks is None else len(self.landmarks)
        header = ("method", "$n$", "$l$", "rank", "eigenvalues")
        return table([(self.method, self.n, drawn, self.rank, top)], header)


def best_rank_k(K: KernelMatrix | np.ndarray, k: int) -> LowRank:
    """The best approximation of rank at most k: equation (2.1).

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    k : int
        From 1 to n.

    Returns
    -------
    LowRank
        The k largest eigenvalues with orthonormal eigenvectors; fewer where the
        others are zero up to rounding.

    Raises
    ------
    ValueError, TypeError
        If k is not an integer from 1 to n, or an array K is not a kernel matrix.

    Notes
    -----
    Costs n^3 operations, n^2 words and n^2 entries up to n = 5000; above that and
    for k < n/20 Lanczos iteration, some multiple of n^2 k.  Unique (in the
    Frobenius norm) when eigenvalue k is above eigenvalue k + 1.

    Examples
    --------
    >>> best = best_rank_k(np.diag([3.0, 1.0, 2.0]), 2)
    >>> best.eigenvalues.round(12).tolist()
    [3.0, 2.0]
    """
    K = as_kernel(K)
    n = K.n
    k = _checks.integer(k, "k", high=n, why="the number of points")
    if n <= DENSE_EIGEN or k > n // 20:
        values, vectors = scipy.linalg.eigh(
            K.dense().astype(np.float64, copy=False),
            subset_by_index=[n - k, n - 1],
            overwrite_a=True,
        )
    else:
        operator = LinearOperator((n, n), matvec=K.__matmul__, dtype=np.float64)
        values, vectors = eigsh(operator, k, which="LA", v0=_norms.start_vector(n))
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = values > n * np.finfo(K.dtype).eps * max(values[0], 0)
    values, vectors = values[keep], vectors[:, keep]
    pairs = partial(_core.given, values, vectors)
    return LowRank("best", n, None, k, len(values), True, pairs)


def nystrom(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
    truncate: str = "core",
) -> LowRank:
    r"""The Nyström approximation ``C W_k^+ C^T``: equations (2.2) and (2.3).

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        Repetitions are harmless.
    rank : int, optional
        The rank k, from 1 to l; l by default.
    truncate : {"core", "approximation"}
        ``"core"`` is the thesis's form: the best rank-k approximation of W is
        inverted.  The eigenvalues are ``(n/l) Sigma_{W,k}``, the eigenvectors
        ``sqrt(l/n) C U_{W,k} Sigma_{W,k}^+``, which are not orthonormal in general.
        ``"approximation"`` takes the k leading eigenpairs of ``C W^+ C^T``
        (orthonormal), which is at least as good in every unitarily invariant norm
        among rank-k approximations of that matrix, and mostly better for K.

    Returns
    -------
    LowRank
        Of rank min(k, rank W), rank W taken numerically: a pivot below eps tr W
        counts as zero.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `rank` is not an integer from 1 to l, a landmark is not an index of K,
        `truncate` is unknown, or W is not positive semidefinite.

    Notes
    -----
    Asks for n l entries of K.  Costs n l^2 operations (one triangular solve, in
    place: n l words), and 2 n l k more for k < l; ``"approximation"`` costs 4 n l^2
    more.  The eigenvectors are computed when asked for, by 2 n l k operations.

    W is factored by Cholesky with diagonal pivoting, ``W = L L^T``, and
    ``F = C L^{-T}`` holds all of ``C W^+ C^T = F F^T``.  With the singular value
    decomposition ``L = P S Q^T``, W has the eigenvalues S^2, ``F Q_k`` is the factor
    of rank k, and no inverse is ever formed.  All tolerances are relative, so that
    K and c K behave alike.

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
    K, landmarks, k = _arguments(K, landmarks, rank)
    F, L = _core.nystrom_factor(K, landmarks)
    r = L.shape[1]
    if truncate == "approximation":
        values, vectors = _core.leading_pairs(F, min(k, r))
        pairs, root, name = partial(_core.given, values, vectors), None, ", truncated after"
    elif k < r:
        S, Q = _core.right_singular(L)
        root = F @ Q[:, :k].astype(F.dtype, copy=False)
        pairs, name = partial(_core.scaled_pairs, root, S[:k], len(landmarks)), ""
    else:
        root, pairs, name = F, partial(_core.core_pairs, F, L), ""
    return LowRank(f"nystrom{name}", K.n, landmarks, k, min(k, r), True, pairs, root)


def column_sampling(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """The Column-sampling approximation, from the singular vectors of C: (2.4).

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
        of rank min(k, rank C), singular values below n eps times the largest
        counting as zero.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `rank` is not an integer from 1 to l or a landmark is not an index of K.

    Notes
    -----
    Asks for n l entries; costs about 6 n l^2 operations and 3 n l words.

    Examples
    --------
    >>> column_sampling(np.diag([3.0, 1.0]), [0]).eigenvalues.round(12).tolist()
    [4.242640687119]
    """
    K, landmarks, k = _arguments(K, landmarks, rank)
    C = K[:, landmarks].astype(np.float64, copy=False)
    U, S, _ = scipy.linalg.svd(C, full_matrices=False, overwrite_a=True)
    r = min(k, int((S > K.n * np.finfo(K.dtype).eps * S[0]).sum()))
    values = np.sqrt(K.n / len(landmarks)) * S[:r]
    pairs = partial(_core.given, values, U[:, :r])
    return LowRank("column_sampling", K.n, landmarks, k, r, False, pairs)


def orthonormal_nystrom(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """Nyström eigenvalues with Nyström eigenvectors made orthonormal in order.

    The remedy that section 2.2.1 discusses for eigenvectors that are not
    orthonormal: those of (2.3) are orthonormalised, largest eigenvalue first, and
    the eigenvalues ``(n/l) Sigma_{W,k}`` are kept.

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
    )


def optimal_reconstruction(
    K: KernelMatrix | np.ndarray,
    landmarks: Landmarks | Sequence[int],
    rank: int | None = None,
) -> LowRank:
    """The best reconstruction within the range of the Nyström approximation.

    ``P_A K P_A`` with P_A the orthogonal projector on the range of the rank-k
    Nyström approximation: the matrix ``A Z* A^T`` of Theorem 2.2.

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
    No approximation with this range is closer in the Frobenius norm; it is not
    below K in general.

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
    pairs = partial(_core.given, values[::-1].clip(0), basis @ vectors[:, ::-1])
    return LowRank(
        "optimal_reconstruction",
        core.n,
        core.landmarks,
        core.rank_requested,
        core.rank,
        False,
        pairs,
    )


def _arguments(K, landmarks, rank):
    """Kernel matrix, indices and rank, checked."""
    K = as_kernel(K)
    landmarks = as_indices(landmarks, K.n)
    l = len(landmarks)  # noqa: E741
    if rank is None:
        return K, landmarks, l
    return K, landmarks, _checks.integer(rank, "rank", high=l, why="n_landmarks")
