"""What every low-rank approximation can do, and the best one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from nystheory import _checks
from nystheory._rounding import allowed
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.kernels._base import digits
from nystheory.lowrank import _core, _norms
from nystheory.lowrank._eigen import leading_pairs
from nystheory.lowrank._factored import Factored
from nystheory.lowrank._missing import missing

OF = ("spectral_reconstruction", "matrix_projection")
NORMS = ("spectral", "frobenius", "trace")


def _fixed(array):
    """A view that cannot be written to: what is certified stays what it was."""
    view = array.view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True, eq=False, repr=False)
class LowRank(Factored):
    """An approximation of K from k (approximate) eigenpairs: chapter 2 of [1]_.

    Made by `best_rank_k`, `nystrom`, `from_factor`, `column_sampling`,
    `orthonormal_nystrom` and `optimal_reconstruction`.  Eigenpairs and factor are
    computed on first use, and kept.

    Attributes
    ----------
    method : str
        Name of the function that made it, with its variant.
    n : int
        Number of points.
    landmarks : ndarray (l,) or None
        The sampled columns, where there are any.
    rank_requested : int
        The rank k requested.
    rank : int
        Number of eigenpairs: fewer than requested where the columns have a lower
        numerical rank.
    below : bool
        Whether ``0 <= approximation <= K`` is known, in the order of semidefinite
        matrices, if K is semidefinite.
    kernel : KernelMatrix or None
        The K that it approximates: asked about another, every error, ratio and
        certificate is an error.  None for one that was made by hand.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.  Its equation numbers are used below.

    Examples
    --------
    >>> best_rank_k(np.diag([3.0, 1.0]), 1).spectral_reconstruction().round(12)
    array([[3., 0.],
           [0., 0.]])
    """

    method: str
    n: int
    landmarks: np.ndarray | None
    rank_requested: int
    rank: int
    below: bool
    _pairs: Callable[[], tuple[np.ndarray, np.ndarray]]
    _root: np.ndarray | None = None
    kernel: KernelMatrix | None = None
    _rows: Callable[[np.ndarray], np.ndarray] | None = None
    _landmark_points: np.ndarray | None = None
    _blur: Callable[[], float] | float = 0.0

    def __post_init__(self):
        if self.below and self.kernel is None:
            raise ValueError("kernel: expected the K that it is below, got none")
        if self._root is not None:
            object.__setattr__(self, "_root", _fixed(self._root))

    @cached_property
    def blur(self) -> float:
        """By how much, in the trace, rounding may have lifted it above K.

        Small pivots of the core multiply the rounding of its entries.  Certificates
        and enclosures add it to what they allow for rounding.  It is right to first
        order, and no bound for the worst case.
        """
        return self._blur() if callable(self._blur) else self._blur

    @property
    def eigenvalues(self) -> np.ndarray:
        """Approximate eigenvalues of K, (k,), largest first; k is `rank`."""
        return self._eigen[0]

    @property
    def eigenvectors(self) -> np.ndarray:
        """Approximate eigenvectors of K, (n, k); not always orthonormal."""
        return self._eigen[1]

    @cached_property
    def factor(self) -> np.ndarray:
        """F, (n, k), with F F^T the spectral reconstruction; read-only."""
        if self._root is not None:
            return self._root
        return _fixed(self.eigenvectors * np.sqrt(self.eigenvalues))

    @property
    def factor_pair(self) -> tuple[np.ndarray, np.ndarray]:
        """F and F."""
        return self.factor, self.factor

    @property
    def _columns(self) -> np.ndarray:
        """The landmarks, indices or points of their own."""
        return (
            self.landmarks if self._landmark_points is None else self._landmark_points
        )

    @cached_property
    def _eigen(self) -> tuple[np.ndarray, np.ndarray]:
        return tuple(map(_fixed, self._pairs()))

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Features of new points: rows that the factor would have for them.

        Parameters
        ----------
        X : array_like (m, d)
            Of a stored K rows of entries k(x, x_i), (m, n), as `DenseKernel.between`
            takes them.

        Returns
        -------
        ndarray (m, k)
            Their inner products with each other and with the rows of `factor` are the
            approximate kernel; of the points themselves it is the factor.

        Raises
        ------
        ValueError, TypeError
            If the method has no features for new points, or X is not finite with d
            coordinates.

        Notes
        -----
        Asks for m l entries between the points and the landmarks, and costs
        ``m l^2`` operations, ``2 m l k`` more for k < l.  For the Nyström approximation
        ``k(x, S) W^+ k(S, y)`` is the inner product: equation (2.2) of [1]_ at any two
        points.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, equation (2.2).

        Examples
        --------
        >>> from nystheory.kernels import linear
        >>> from nystheory.lowrank import nystrom
        >>> near = nystrom(linear([[2.0, 0.0], [1.0, 1.0]]), [0])
        >>> near.transform([[3.0, 5.0]]).tolist()
        [[3.0]]
        """
        if self._rows is None:
            raise ValueError(
                "transform: expected an approximation by nystrom, from_factor "
                f"or column_sampling, got {self!r}"
            )
        if not hasattr(self.kernel, "between"):
            raise ValueError(
                "transform: expected an approximation of a kernel that knows new "
                f"points, such as kernels.rbf(X), got one of {self.kernel!r}"
            )
        with _checks.told_as("others", "X"):
            return self._rows(self.kernel.between(X, self._columns))

    def extend(self, X: np.ndarray) -> np.ndarray:
        """The approximate kernel between new points and those of K.

        Parameters
        ----------
        X : array_like (m, d)

        Returns
        -------
        ndarray (m, n)

        Raises
        ------
        ValueError, TypeError
            As `transform`.

        Notes
        -----
        The features of `transform` times the factor: 2 m n k operations more.  The
        extension by equation (2.2) of the thesis, at new points: the book's own.

        Examples
        --------
        >>> from nystheory.kernels import linear
        >>> from nystheory.lowrank import nystrom
        >>> near = nystrom(linear([[2.0, 0.0], [1.0, 1.0]]), [0])
        >>> near.extend([[3.0, 5.0]]).tolist()
        [[6.0, 3.0]]
        """
        return self.transform(X) @ self.factor.T

    def matrix_projection(self, K: KernelMatrix | np.ndarray) -> np.ndarray:
        """``U U^T K``: equation (2.5), right; it needs all of K.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)

        Returns
        -------
        ndarray (n, n)
            Not symmetric in general.

        Raises
        ------
        ValueError, TypeError
            If K is not the matrix that is approximated.

        Notes
        -----
        Costs 4 n^2 k operations, n^2 words and n^2 entries of K.  The Nyström
        vectors of eigenvalues near eps times the largest are quotients of rounding:
        choose a rank that leaves them out.

        Examples
        --------
        >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
        >>> from nystheory.lowrank import column_sampling
        >>> column_sampling(K, [0]).matrix_projection(K).round(12)
        array([[2. , 1.2],
               [1. , 0.6]])
        """
        U = self.eigenvectors
        return U @ (self.of(K) @ U).T

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
        ValueError, TypeError
            If K is not the matrix that is approximated, a name is not one of those
            above, or what is left on the diagonal is negative beyond rounding: then K
            is not semidefinite.

        Notes
        -----
        Frobenius: n^2 k operations in blocks, K is never stored, half of it is
        asked for.  Trace: n k operations and the diagonal of K where the
        approximation is known to lie between 0 and K (``below``), else n^3 and n^2
        words.  Spectral: n^3 up to n = 1000, above by Lanczos iteration from a fixed
        start, to a relative accuracy of about 1e-6, with up to 2 GB of memory.

        Examples
        --------
        >>> K = np.array([[2.0, 1.0], [1.0, 1.0]])
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(K, [0]).error(K, "trace")
        0.5
        """
        _checks.choice(norm, "norm", NORMS)
        _checks.choice(of, "of", OF)
        K = self.of(K)
        if of == "matrix_projection":
            U = self.eigenvectors
            residual = _norms.Residual(K, U, K @ U, symmetric=False)
        else:
            residual = _norms.Residual(K, self.factor, self.factor, symmetric=True)
            if norm == "trace" and self.below:
                return missing(K, self).trace
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
            ``best_rank_k(K, rank_requested)``, when it is at hand; computed
            otherwise.

        Returns
        -------
        float
            1 also when the approximation is exact up to rounding, as the best one
            then is.

        Raises
        ------
        ValueError, TypeError
            If K is not the matrix that is approximated, `of` is not one of the names
            above, or `best` is not the best approximation of K of rank k.

        Notes
        -----
        Twice the cost of `error` in the Frobenius norm, and that of `best_rank_k`
        where `best` is not given.  That it is at most 1 is
        ``theorems["talwalkar2010:eq-2.24"]``.

        Examples
        --------
        >>> K = np.diag([3.0, 1.0])
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(K, [1]).relative_accuracy(K) == 1 / 3
        True
        """
        K = self.of(K)
        k = min(self.rank_requested, self.n)  # repeated landmarks may exceed n
        if best is None:
            best = best_rank_k(K, k)
        elif not (
            isinstance(best, LowRank)
            and (best.method, best.rank_requested) == ("best", k)
        ):
            got = _checks.shown(best)
            raise ValueError(f"best: expected best_rank_k(K, {k}), got {got}")
        error = self.error(K, "frobenius", of)
        # Sums are in float64; entries are off by eps of themselves, in the type of K.
        rounding = self.n * digits(None) + digits(K)
        rounding *= float(K.diagonal().sum(dtype=np.float64))
        return best.error(K, "frobenius") / error if error > rounding else 1.0

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


def best_rank_k(K: KernelMatrix | np.ndarray, rank: int) -> LowRank:
    """The best approximation of rank at most k: section 2.1.1 of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    rank : int
        The rank k, from 1 to n.

    Returns
    -------
    LowRank
        The k largest eigenvalues with orthonormal eigenvectors; fewer where the
        others are zero up to rounding.

    Raises
    ------
    ValueError, TypeError
        If `rank` is not an integer from 1 to n, or an array K is not a kernel matrix.

    Notes
    -----
    Costs n^3 operations, n^2 words and n^2 entries up to n = 1500.  Above that and
    for k < n/20 by Lanczos iteration, some multiple of n^2 k, after which what is left
    is searched for copies of a repeated eigenvalue (then all is done anew in n^3);
    from n = 15000 on K is computed anew in each step, and counted.  What it minimises
    is ``theorems["talwalkar2010:def-2.1"]``.  Unique (in the Frobenius norm) when
    eigenvalue k is above eigenvalue k + 1.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 2.1.1.

    Examples
    --------
    >>> best = best_rank_k(np.diag([3.0, 1.0, 2.0]), 2)
    >>> best.eigenvalues.round(12).tolist()
    [3.0, 2.0]
    """
    K = as_kernel(K)
    n = K.n
    k = _checks.integer(rank, "rank", high=n, why="the number of points")
    values, vectors = leading_pairs(K, k)
    pairs = partial(_core.given, values, vectors)
    blur = len(values) * n * np.finfo(np.float64).eps * float(values.max(initial=0.0))
    parts = "best", n, None, k, len(values), True, pairs
    return LowRank(*parts, kernel=K, _blur=allowed("the best of rank k", blur))
