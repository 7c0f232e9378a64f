"""Isomap: coordinates from the lengths of shortest paths to landmarks."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._checks import SMALLEST
from nystheory.features import _choice
from nystheory.kernels import rbf, row_blocks
from nystheory.manifold import _embedding
from nystheory.manifold._graph import connected
from nystheory.manifold._landmark_mds import Coordinates
from nystheory.manifold._neighbours import nearest_first, offset, taken_off
from nystheory.manifold._on_graph import OnGraph
from nystheory.sampling import as_indices

METHODS = ("auto", "exact", *_embedding.METHODS)
# Up to as many points "auto" takes all of them as landmarks: 200 MB.
SMALL = 5000
USUAL = 500


@dataclass(eq=False, repr=False)
class Isomap(OnGraph, Coordinates):
    """Isomap [2]_, with all points or a few as landmarks: section 3.1 of [1]_.

    Parameters
    ----------
    n_components : int, default 2
        The number k of coordinates.
    n_neighbors : int, default 5
        The number t of neighbours.
    limit : float, optional
        Maximum edge length, to guard against short circuits.
    method : {"auto", "exact", "nystrom", "column-sampling"}
        ``"exact"`` takes all geodesics, m^2 words of float64; the others those to the
        landmarks, m l words of float32.  ``"auto"`` is exact up to 5000 points, if no
        landmarks are given, and ``"nystrom"`` beyond.
    landmarks : str or array_like, default "uniform"
        The name of a scheme of `sampling.SCHEMES` that draws points and needs no more
        than their number, and is shown a Gaussian kernel of the points, as wide as they
        are spread; or indices, (l,), of points of the fit.
    n_landmarks : int, optional
        The number l of landmarks; 500, or all points if there are fewer, by default.
        A scheme may return fewer.
    search : {"auto", "exact", "approximate"}
        How neighbours are found, as for `neighbours`.
    disconnected : {"connect", "largest", "error"}
        What to do if the graph is not connected, where no path has a length.
        ``"connect"`` adds an edge between the nearest points of each two components,
        as scikit-learn does: distances across are then those of these edges, also
        where they are longer than `limit`.  With ``"largest"`` the points outside of
        the largest component get NaN as coordinates.  A warning says which it was.
    n_jobs : int, optional
        Processes, as in scikit-learn.
    random_state : int, RandomState, Generator or None
        For landmarks and for the recall of an approximate search.

    Attributes
    ----------
    embedding_ : ndarray (n, k)
    eigenvalues_ : ndarray (k,)
        Of the m x m kernel, as the method estimates them, largest first.
    graph_ : NeighbourGraph
        Its `kept` are the m points that have coordinates, its `links` the edges that
        were added to connect it.
    recall_ : float or None
        Of an approximate search.
    landmarks_ : ndarray (l,)
        Points of the fit.
    geodesics_ : ndarray (m, l)
        From the points that are kept to the landmarks.
    negative_share_ : float
        Of the moduli of the eigenvalues between the landmarks, or between 1000 of
        them, the share of the negative ones: 0 where geodesics are distances of a
        Euclidean space.
    residual_ : float
        The share of the trace of the centred kernel that the coordinates leave out; as
        `LandmarkMDS` says, it bounds other norms where no eigenvalue is negative, and
        may be below zero where some are.
    method_ : str
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Costs the search for neighbours; O(l m (t + log m)) operations for geodesics; and
    O(m l k + l^3), or O(m l^2) for Column-sampling, for coordinates.  The Nyström
    method is Landmark MDS of the geodesics.  What of it is a theorem: `LandmarkMDS`.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.
    .. [2] J. B. Tenenbaum, V. de Silva, and J. C. Langford, "A global geometric
       framework for nonlinear dimensionality reduction", Science 290, 2000.

    Examples
    --------
    >>> found = Isomap(1, n_neighbors=1).fit_transform([[0.0], [1.0], [5.0]])
    >>> found.round(9).T.tolist()
    [[-2.0, -1.0, 3.0]]
    """

    n_components: int = 2
    _: KW_ONLY
    n_neighbors: int = 5
    limit: float | None = None
    method: str = "auto"
    landmarks: Any = "uniform"
    n_landmarks: int | None = None
    search: str = "auto"
    disconnected: str = "connect"
    n_jobs: int | None = None
    random_state: Any = None

    _ANSWERS = ("connect", "largest", "error")

    def fit(self, X, y=None) -> Isomap:
        """Find the coordinates.

        Parameters
        ----------
        X : array_like (n, d) or NeighbourGraph
            Points; or a graph that was made of their `neighbours`, which then stands
            for `n_neighbors`, `limit` and `search`.
        y : ignored
            For pipelines.

        Returns
        -------
        Isomap
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, the graph is not
            connected and this is an error (or it was given without points, or would
            take too many comparisons to connect), all points are equal, its longest
            edge is not from 1e-30 to 1e30,
            there are more landmarks than points in its largest component, or not k
            eigenvalues are above zero.
        ImportError
            If faiss is needed and is not there.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> isomap = Isomap(1, n_neighbors=1, disconnected="error")
        >>> isomap.fit([[0.0], [1.0], [7.0], [8.0]])
        Traceback (most recent call last):
        ValueError: X: expected a connected graph of neighbours, got 2 components, of \
2 and 2 points; take more neighbours, or disconnected='connect'
        """
        _checks.choice(self.method, "method", METHODS)
        rng = _choice.generator(self.random_state)
        _checks.integer(self.n_components, "n_components")
        self._check_landmarks()
        self._take(X, rng)
        _embedding.of_a_size(self.graph_.lengths.data)
        method = self._chosen_method()
        if method == "exact":
            reason = "method='exact', which takes all points"
            self._usual(("landmarks", "n_landmarks"), reason)
            own = np.arange(len(self.graph_.kept))
        else:
            own = self._chosen_landmarks(rng)
        self._count_of(len(own))
        kind = np.float64 if method == "exact" else np.float32
        found = self.graph_.geodesics(own, n_jobs=self.n_jobs, dtype=kind)
        coordinates = self._embed(
            found, own, "nystrom" if method == "exact" else method
        )
        self.method_, self.geodesics_ = method, found
        self.landmarks_ = self.graph_.kept[own]
        self.embedding_ = self._for_all(coordinates)
        return self

    def _answer(self, graph, X):
        """A graph in parts with edges between them, and in words what was added."""
        if X is None:
            raise ValueError(
                "X: expected points for disconnected='connect', got a graph, which "
                "has none; take disconnected='largest'"
            )
        found = connected(graph, X)
        own = found.lengths[tuple(found.links.T)]
        edges = f"{len(own)} edge{'s' * (len(own) > 1)} of length {own.min():.4g}"
        edges += f" to {own.max():.4g}" * (len(own) > 1)
        return found, (
            f"the nearest points of every two were joined by {edges}, and distances "
            "across are those of these edges"
        )

    def _chosen_method(self):
        if self.method != "auto":
            return self.method
        named = isinstance(self.landmarks, str) and self.landmarks == "uniform"
        own = self.n_landmarks is not None or not named
        few = len(self.graph_.kept) <= SMALL
        return "exact" if few and not own else "nystrom"

    def _check_landmarks(self):
        """What can be said before the search, which may take long."""
        if self.n_landmarks is not None:
            _checks.integer(self.n_landmarks, "n_landmarks")
        if not isinstance(self.landmarks, str):
            count = len(_checks.indices(self.landmarks, _checks.WHOLE, "landmarks"))
            if self.n_landmarks not in (None, count):
                raise ValueError(
                    f"n_landmarks: expected None or {count}, the number of landmarks "
                    f"that were given, got {self.n_landmarks}"
                )
        elif self.landmarks == "kmeans":
            raise ValueError(
                "landmarks: expected a scheme that draws points of the fit, got "
                "'kmeans', whose centroids are none"
            )
        else:
            _choice.named(self.landmarks)

    def _chosen_landmarks(self, rng):
        """Landmarks as indices of points that are kept."""
        kept = self.graph_.kept
        if not isinstance(self.landmarks, str):
            own = _checks.indices(self.landmarks, self.graph_.n, "landmarks")
            place = np.searchsorted(kept, own)
            lost = kept[np.minimum(place, len(kept) - 1)] != own
            if lost.any():
                raise ValueError(
                    "landmarks: expected points of the largest component, got "
                    f"{own[lost][0]}"
                )
            return place
        count = min(USUAL, len(kept)) if self.n_landmarks is None else self.n_landmarks
        why = "the points in the largest component"
        count = _checks.integer(count, "n_landmarks", high=len(kept), why=why)
        if self.landmarks == "uniform":
            return rng.choice(len(kept), count, replace=False)
        if self._points is None:
            raise ValueError(
                "landmarks: expected 'uniform' or indices for a graph, which has no "
                f"points, got {self.landmarks!r}"
            )
        kernel = rbf(self._points, gamma=1 / max(self._spread(), SMALLEST))
        drawn = _choice.chosen(kernel, self.landmarks, count, None, rng)
        return np.unique(as_indices(drawn, len(kept)))

    def _spread(self):
        """The sum of the variances of the coordinates."""
        return float(self._points.var(axis=0, dtype=np.float64).sum())

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
        >>> Isomap(1, n_neighbors=1).fit_transform([[0.0], [2.0]]).round(9).tolist()
        [[1.0], [-1.0]]
        """
        return self.fit(X).embedding_

    def transform(self, X) -> np.ndarray:
        """The coordinates of new points, by paths through their nearest neighbours.

        Parameters
        ----------
        X : array_like (m, d)

        Returns
        -------
        ndarray (m, k)

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or on a graph without points, or X is not finite or
            has other columns than in `fit`, or a point has no neighbour within the
            limit, or within 1e30.

        Notes
        -----
        The geodesic from a new point is the shortest way over one of its t neighbours
        among the points that were kept, as in scikit-learn's Isomap; the coordinates
        are ``-1/2 (d - mean) weights``, as for the points of the fit.  Costs a search
        for neighbours among m points, and t l operations a point.

        Examples
        --------
        >>> isomap = Isomap(1, n_neighbors=1).fit([[0.0], [2.0]])
        >>> isomap.transform([[0.0], [2.0]]).round(9).tolist()
        [[1.0], [-1.0]]
        """
        check_is_fitted(self)
        if self._points is None:
            raise ValueError(
                "X: expected no new points for a graph without points, got some"
            )
        X = self._dense(X, copy=False, reset=False)
        near, far = self._near(X)
        _embedding.of_a_size(far, least=0)
        if self._limit is not None:
            lost = far[:, 0] > self._limit
            if lost.any():
                raise ValueError(
                    f"X: expected points with a neighbour within {self._limit:.4g}, "
                    f"got {int(lost.sum())} without"
                )
            far = np.where(far > self._limit, np.inf, far)
        found = np.empty((len(X), self._n_features_out))
        for rows in row_blocks(len(X), near.shape[1] * len(self.landmarks_)):
            paths = self.geodesics_[near[rows]] + far[rows][:, :, None]
            found[rows] = self._map.of(paths.min(axis=1) ** 2)
        return found

    def _near(self, X):
        """Neighbours of new points among those that were kept, and how far they are."""
        t, middle = min(self._t, len(self._points)), offset(self._points)
        _embedding.of_a_size(np.abs(X - middle), least=0)
        kept, X = taken_off(self._points, middle), taken_off(X, middle)
        search = NearestNeighbors(n_neighbors=t, n_jobs=self.n_jobs).fit(kept)
        return nearest_first(X, kept, search.kneighbors(X, return_distance=False))
