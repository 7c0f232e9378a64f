"""Laplacian eigenmaps: coordinates that keep neighbours together."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import pdist
from sklearn.utils.extmath import svd_flip
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._checks import LARGEST, SMALLEST
from nystheory.features import _choice
from nystheory.features._kernel import point_blocks
from nystheory.kernels import rbf
from nystheory.manifold._graph import NeighbourGraph
from nystheory.manifold._on_graph import OnGraph, different

METHODS = ("exact", "nystrom")
# Shift of the inverse: zero is an eigenvalue, and nothing can be solved there.
SHIFT = -1e-6
# Below it a second eigenvalue of the Laplacian is zero, up to rounding.
ZERO = 1e-14
# Up to as many points all eigenvalues are computed.
SMALL = 200


def _has_map(estimator) -> bool:
    if estimator.method != "nystrom":
        raise AttributeError(
            "transform: expected method='nystrom', the features of which new points "
            f"have, too, got method={estimator.method!r}"
        )
    return True


@dataclass(eq=False, repr=False)
class LaplacianEigenmaps(OnGraph, auto_wrap_output_keys=None):
    """Laplacian eigenmaps: section 3.1.1 of [1]_, as corrected.

    Parameters
    ----------
    n_components : int, default 2
        The number k of coordinates.
    n_neighbors : int, default 5
        The number t of neighbours.
    limit : float, optional
        No edge of the graph is longer.
    width : float, optional
        The sigma of the weights ``exp(-|x - y|^2 / sigma^2)``; by default the root of
        the mean square of the edges, or of the distances between landmarks.
    divided : bool, default True
        Whether the eigenvectors of the normalised Laplacian are divided by the square
        roots of the degrees, as in [2]_ and in scikit-learn.  With False they are as in
        (3.3).
    method : {"exact", "nystrom"}
        ``"exact"``: weights of edges between neighbours only, a sparse matrix.
        ``"nystrom"``: weights of all pairs, by the Nyström approximation; there is no
        graph, and `n_neighbors`, `limit`, `search` and `disconnected` stay as they are.
    landmarks : str or array_like, default "rp_cholesky"
        For the Nyström method: the name of a scheme of `sampling.SCHEMES`, or indices.
    n_landmarks : int, optional
        The number l of landmarks, 100 by default.
    search, n_jobs
        As for `Isomap`.
    disconnected : {"parts", "largest", "error"}
        What to do if the graph is not connected.  ``"parts"`` answers as the Notes
        say; with ``"largest"`` the points outside of the largest component get NaN as
        coordinates.  A warning says which it was, and the sizes.
    random_state : int, RandomState, Generator or None
        For landmarks and for the recall of an approximate search.

    Attributes
    ----------
    embedding_ : ndarray (n, k)
    eigenvalues_ : ndarray (k,)
        Of the normalised Laplacian, smallest first, without that of the constant.
    graph_ : NeighbourGraph or None
    recall_ : float or None
        Of an approximate search.
    approximation_ : LowRank or None
        Of the weights of all pairs.
    width_ : float
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    ``L = I - D^-1/2 W D^-1/2`` with the degrees D.  The eigenvectors 2 to k + 1 of a
    connected graph minimise the sum of ``W_ij |y_i / sqrt(D_ii) - y_j / sqrt(D_jj)|^2``
    over orthonormal coordinates that are orthogonal to ``D^1/2 1``.  The thesis prints
    another objective, which they do not minimise.

    *In parts.*  A graph of c components has the eigenvalue 0 c times, with the
    eigenvectors ``D^1/2 1`` on one component each and 0 elsewhere ([3]_, section
    3.2).  The constant is one vector of their span; of those orthogonal to it the first
    coordinates are, j = 1 to c - 1, the one that tells component j from all smaller
    ones, and is 0 on the larger.  After them come the eigenvectors of single
    components, 0 elsewhere, by eigenvalue.  So ``n_components=c - 1`` tells all
    components apart, and fewer coordinates the largest of them.  A point without an
    edge counts with degree 1.

    Exact: one sparse factorisation of ``L``, or of that of each component, and SciPy's
    Lanczos with its inverse.
    Nyström: with ``W~ = F F^T`` the degrees are ``F (F^T 1)``, and the singular values
    s of ``D^-1/2 F`` give the eigenvalues ``1 - s^2``: O(n l^2) operations and n l
    words.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equations (3.2) and (3.3).
    .. [2] M. Belkin and P. Niyogi, "Laplacian eigenmaps and spectral techniques for
       embedding and clustering", NIPS 14, 2001.
    .. [3] U. von Luxburg, "A tutorial on spectral clustering", Statistics and
       Computing 17, 2007.

    Examples
    --------
    >>> path = [[0.0], [1.0], [2.0], [3.0]]
    >>> maps = LaplacianEigenmaps(1, n_neighbors=1, divided=False).fit(path)
    >>> maps.eigenvalues_.round(9).tolist()
    [0.5]
    """

    n_components: int = 2
    _: KW_ONLY
    n_neighbors: int = 5
    limit: float | None = None
    width: float | None = None
    divided: bool = True
    method: str = "exact"
    landmarks: Any = "rp_cholesky"
    n_landmarks: int | None = None
    search: str = "auto"
    disconnected: str = "parts"
    n_jobs: int | None = None
    random_state: Any = None

    _ANSWERS = ("parts", "largest", "error")

    def fit(self, X, y=None) -> LaplacianEigenmaps:
        """Find the coordinates.

        Parameters
        ----------
        X : array_like (n, d) or NeighbourGraph
            Points; or, for the exact method, a graph that was made of their
            `neighbours`.
        y : ignored
            For pipelines.

        Returns
        -------
        LaplacianEigenmaps
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, all points or all
            neighbours are equal, the graph is not connected and this is an error, or
            one of its components would fall apart without edges whose weights vanish
            beside the others, or there are not k + 1 points, or features, to choose
            from.
        ImportError
            If faiss is needed and is not there.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> maps = LaplacianEigenmaps(1, n_neighbors=1, divided=False)
        >>> found = maps.fit([[0.0], [1.0], [2.0]]).embedding_
        >>> abs(found).round(6).T.tolist()
        [[0.707107, 0.0, 0.707107]]
        """
        _checks.choice(self.method, "method", METHODS)
        divided = _checks.truth(self.divided, "divided")
        rng = _choice.generator(self.random_state)
        _checks.integer(self.n_components, "n_components")
        if self.width is not None:
            width = _checks.positive(self.width, "width")
            if not SMALLEST <= width <= LARGEST:
                span = f"from {SMALLEST:.0e} to {LARGEST:.0e}"
                raise ValueError(f"width: expected a number {span}, got {width:.4g}")
        find = self._of_graph if self.method == "exact" else self._of_all_pairs
        values, U, degrees = find(X, rng)
        self.eigenvalues_ = 1 - values
        U, _ = svd_flip(U, None)
        self._divided = divided
        if divided:
            U = U / np.sqrt(degrees)[:, None]
        self.embedding_ = self._for_all(U) if self.graph_ is not None else U
        self._n_features_out = U.shape[1]
        return self

    def _of_graph(self, X, rng):
        """Eigenvalues of ``D^-1/2 W D^-1/2``, largest first, vectors, and degrees."""
        reason = "method='exact', which takes no landmarks"
        self._usual(("landmarks", "n_landmarks"), reason)
        self._take(X, rng)
        lengths = self.graph_.lengths
        m = lengths.shape[0]
        if not lengths.nnz:
            raise ValueError(
                "limit: expected one within which some points have a neighbour, got "
                f"{self.limit!r}"
            )
        if not lengths.data.any():
            raise ValueError(
                "X: expected points with neighbours at a distance, got edges between "
                "copies only; take more neighbours, or drop the copies"
            )
        why = "one less than the points that are kept"
        k = _checks.integer(self.n_components, "n_components", high=m - 1, why=why)
        self.width_, self.approximation_ = self._width_of(lengths.data), None
        with np.errstate(over="ignore"):
            weights = np.exp(-((lengths.data / self.width_) ** 2))
        W = sparse.csr_array((weights, lengths.indices, lengths.indptr), shape=(m, m))
        degrees = W.sum(axis=1)
        degrees[np.diff(lengths.indptr) == 0] = 1.0  # points without an edge
        if degrees.min() == 0:
            raise ValueError(
                "width: expected one with which each point has some weight, got "
                f"{self.width_:.4g}, too small for the longest edges"
            )
        half = sparse.diags_array(1 / np.sqrt(degrees))
        A = half @ W @ half
        parts = self.graph_.parts
        if parts is None:
            return *self._of_component(A, k), degrees
        return *self._of_all(A, degrees, parts, k), degrees

    def _of_all(self, A, degrees, parts, k):
        """The same of a graph in parts: between them, then within one of them each."""
        U = _between(degrees, parts, k)
        left, found = k - U.shape[1], []
        for own in np.split(np.argsort(parts, kind="stable"), _ends(parts)):
            some = min(left, len(own) - 1)
            if some > 0:
                values, inside = self._of_component(A[own][:, own], some)
                found += zip(values, [own] * some, inside.T, strict=True)
                # Of equal values those of the larger part.
                found = sorted(found, key=lambda one: -one[0])[:left]
        values = np.ones(k)
        within = np.zeros((len(parts), left))
        for j, (value, own, vector) in enumerate(found):
            values[k - left + j], within[own, j] = value, vector
        return values, np.hstack([U, within])

    def _of_component(self, A, k):
        """The k largest eigenvalues of a connected graph but the first, and vectors."""
        values, U = _largest(A, k + 1)
        if 1 - values[1] < ZERO:
            raise ValueError(
                "width: expected one with which the weights hold the graph together, "
                f"got {self.width_:.4g}, for which two eigenvalues are zero; take a "
                "larger one, or a limit that leaves the longest edges out"
            )
        return values[1:], U[:, 1:]

    def _answer(self, graph, X):
        """A graph in parts as it is, and in words what coordinates tell of them."""
        k, apart = self.n_components, len(graph.sizes) - 1
        if k < apart:
            return graph, (
                f"{k} coordinate{'s tell' if k > 1 else ' tells'} the {k} largest from "
                f"the others, and n_components={apart} would tell all of them apart"
            )
        first = f"the first {apart} coordinates tell" * (apart > 1)
        return graph, f"{first or 'the first coordinate tells'} them apart" + (
            ", and each of the others is zero outside of one of them" * (k > apart)
        )

    def _of_all_pairs(self, X, rng):
        """The same of the weights of all pairs, approximately."""
        reason = "method='nystrom', which makes no graph"
        self._usual(("n_neighbors", "limit", "search", "disconnected"), reason)
        if isinstance(X, NeighbourGraph):
            raise TypeError(f"X: expected points for method='nystrom', got {X!r}")
        X = self._dense(X, copy=True, reset=True)
        if len(X) < 2:
            raise ValueError(f"X: expected at least 2 points, got {len(X)} sample")
        different(X)
        self.graph_ = self.recall_ = None
        count = self.n_landmarks
        if count is None and isinstance(self.landmarks, str):
            count = min(_choice.DEFAULT, len(X))
        some = X[rng.choice(len(X), min(len(X), 500), replace=False)]
        rbf(X)  # of a size that has squares, or an error that names X
        self.width_ = self._width_of(pdist(some))
        kernel = rbf(X, gamma=self.width_**-2)
        drawn = _choice.chosen(kernel, self.landmarks, count, None, rng)
        self.approximation_ = _choice.approximated(kernel, drawn)
        F = self.approximation_.factor.astype(np.float64)
        self._sums = F.sum(axis=0)
        degrees = F @ self._sums
        if degrees.min() <= 0:
            raise ValueError(
                "n_landmarks: expected so many that each point has a positive degree, "
                f"got {self.approximation_.rank}, and a degree of {degrees.min():.3g}; "
                "a larger width helps, too"
            )
        S = F / np.sqrt(degrees)[:, None]
        why = "one less than the features of the approximation"
        high = min(S.shape) - 1
        k = _checks.integer(self.n_components, "n_components", high=high, why=why)
        U, sizes, V = scipy.linalg.svd(S, full_matrices=False)
        U, V = svd_flip(U, V)
        self._weights = V[1 : k + 1].T / sizes[1 : k + 1]
        return sizes[1 : k + 1] ** 2, U[:, 1 : k + 1], degrees

    def _width_of(self, lengths):
        if self.width is not None:
            return float(self.width)
        found = float(np.sqrt((lengths**2).mean()))
        return found if found > 0 else 1.0

    @available_if(_has_map)
    def transform(self, X) -> np.ndarray:
        """The coordinates of new points, for the Nyström method.

        Parameters
        ----------
        X : array_like (m, d)

        Returns
        -------
        ndarray (m, k)

        Raises
        ------
        AttributeError
            With the exact method: no theory gives coordinates to new points that those
            of the fit would have, too.
        ValueError, TypeError
            If it was not fitted, X is not finite or has other columns than in `fit`, or
            the approximate degree of a point is not above zero.

        Notes
        -----
        With the features phi of a point its degree is ``d = phi F^T 1`` and its
        eigenvector ``phi V / (s sqrt(d))``: what the points of the fit have.  Asks for
        l entries a point.

        Examples
        --------
        >>> maps = LaplacianEigenmaps(1, method="nystrom", n_landmarks=3)
        >>> maps = maps.fit([[0.0], [1.0], [2.0]])
        >>> bool(np.allclose(maps.transform([[0.0]]), maps.embedding_[:1]))
        True
        """
        check_is_fitted(self)
        X = self._dense(X, copy=False, reset=False)
        near, found = self.approximation_, []
        for _, block in point_blocks(near.kernel, X, near.rank):
            F = near.transform(block)
            degrees = (F @ self._sums)[:, None]
            if degrees.min() <= 0:
                raise ValueError(
                    "X: expected points whose approximate degree is above zero, got "
                    f"{degrees.min():.3g}: too far from the points of the fit"
                )
            root = degrees if self._divided else np.sqrt(degrees)
            found.append(F @ self._weights / root)
        return np.concatenate(found)

    def fit_transform(self, X, y=None) -> np.ndarray:
        """`fit`, and the coordinates of its points.

        Parameters
        ----------
        X : array_like (n, d) or NeighbourGraph
        y : ignored

        Returns
        -------
        ndarray (n, k)

        Raises
        ------
        ValueError, TypeError, IndexError, ImportError
            As `fit`.

        Notes
        -----
        Costs what `fit` does.

        Examples
        --------
        >>> maps = LaplacianEigenmaps(1, n_neighbors=1, divided=False)
        >>> abs(maps.fit_transform([[0.0], [1.0], [2.0]])).round(6).T.tolist()
        [[0.707107, 0.0, 0.707107]]
        """
        return self.fit(X).embedding_


def _ends(parts):
    """Where all but the last part end, where points are in the order of parts."""
    return np.cumsum(np.bincount(parts))[:-1]


def _between(degrees, parts, k):
    """k null vectors of a Laplacian in parts, or all, orthonormal with ``D^1/2 1``.

    Vector j is constant, times the roots of degrees, on part j and on those after it.
    """
    mass = np.bincount(parts, weights=degrees)
    after = np.cumsum(mass[::-1])[::-1][1:]
    U = np.zeros((len(parts), min(k, len(after))))
    for j in range(U.shape[1]):
        whole = mass[j] + after[j]
        U[parts == j, j] = np.sqrt(after[j] / (mass[j] * whole))
        U[parts > j, j] = -np.sqrt(mass[j] / (after[j] * whole))
    return U * np.sqrt(degrees)[:, None]


def _largest(A, k):
    """The k largest eigenvalues of a sparse matrix, at most 1, and their vectors."""
    m = A.shape[0]
    if m <= SMALL or k > m // 10:
        values, U = scipy.linalg.eigh(A.toarray())
    else:
        start = np.random.default_rng(0).standard_normal((1, m))[0]
        L = sparse.eye_array(m) - A
        found = eigsh(sparse.csc_matrix(L), k, sigma=SHIFT, which="LM", v0=start)
        values, U = 1 - found[0], found[1]
    order = np.argsort(values)[: -k - 1 : -1]
    return values[order], U[:, order]
