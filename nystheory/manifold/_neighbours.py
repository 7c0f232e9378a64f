"""Who is near whom: nearest neighbours, exact or by an approximate index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from nystheory import _checks
from nystheory.kernels import row_blocks
from nystheory.manifold._graph import NeighbourGraph, largest_of, whole_graph

SEARCHES = ("auto", "exact", "approximate")
# Up to as many points "auto" compares all pairs.
SMALL = 30_000
# Points of which the exact neighbours are found, too, to tell the recall.
SAMPLED = 1000
# Of the cells of the index, each with about 60 points, as many are looked through.
POINTS_A_CELL, CELLS = 60, 24
# Points for each cell from which the cells are learned: more cost time, and find the
# same neighbours.
LEARNED_FROM = 10
# Points so many times farther from the origin than from each other lose digits.
FAR = 100
# Distances that agree to float32's digits are ties.
TIES = 1e-5


@dataclass(frozen=True, eq=False, repr=False)
class Neighbours:
    """The nearest neighbours of every point, itself left out.

    Attributes
    ----------
    indices : ndarray (n, t)
        Nearest first.
    distances : ndarray (n, t)
        Infinite where fewer neighbours were found, whatever the index there.
    recall : float or None
        Of an approximate search: the share of true neighbours that were found, of
        `recall_of` points that were drawn; None of an exact one.
    recall_of : int
        How many points that was measured on.

    Raises
    ------
    ValueError, TypeError, IndexError
        If a point is among its own neighbours, or one is not in order or no point.

    Examples
    --------
    >>> neighbours([[0.0], [1.0], [3.0]], 1)
    Neighbours(n=3, t=1, exact)
    """

    indices: np.ndarray
    distances: np.ndarray
    recall: float | None = None
    recall_of: int = 0

    def __post_init__(self):
        near, far = _checked(self.indices, self.distances)
        object.__setattr__(self, "indices", near)
        object.__setattr__(self, "distances", far)
        _checks.integer(self.recall_of, "recall_of", low=0)
        if self.recall is not None:
            share = _checks.as_number(self.recall, "recall")
            if not 0 <= share <= 1:
                raise ValueError(f"recall: expected a share from 0 to 1, got {share}")
            object.__setattr__(self, "recall", share)

    def graph(
        self,
        n_neighbors: int | None = None,
        limit: float | None = None,
        *,
        whole: bool = False,
    ) -> NeighbourGraph:
        """The graph of neighbours, or its largest connected component.

        Two points are joined if one is among the nearest of the other.

        Parameters
        ----------
        n_neighbors : int, optional
            The number t of neighbours, at most as many as were found; all by default.
        limit : float, optional
            No edge is longer: section 3.1.3 of [1]_ takes the 95th percentile of the
            distances to neighbours, ``numpy.quantile(found.distances, 0.95)``.
        whole : bool, default False
            Whether all components are kept, and not the largest only.

        Returns
        -------
        NeighbourGraph

        Raises
        ------
        ValueError, TypeError
            If `n_neighbors` is not an integer from 1 to the number that was found, or
            the limit is below zero or not finite.

        Notes
        -----
        Costs O(n t log(n t)) operations and some 60 n t bytes.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, section 3.1.3.

        Examples
        --------
        >>> neighbours([[0.0], [1.0], [9.0]], 2).graph(limit=5.0)
        NeighbourGraph(n=3, largest of 2 components: 2 points, 1 edge)
        """
        found = self.indices.shape[1]
        t = found if n_neighbors is None else n_neighbors
        why = "the neighbours that were found"
        t = _checks.integer(t, "n_neighbors", high=found, why=why)
        _checks.truth(whole, "whole")
        near, far = self.indices[:, :t], self.distances[:, :t]
        inside = np.isfinite(far)
        if limit is not None:
            inside &= far <= _checks.not_below_zero(limit, "limit")
        graph = whole_graph(near, far, inside)
        return graph if whole else largest_of(graph)

    def components(
        self, n_neighbors: Sequence[int], limits: Sequence[float | None] = (None,)
    ) -> Components:
        """How the graph falls apart, for numbers of neighbours: Table 3.1 of [1]_.

        Parameters
        ----------
        n_neighbors : sequence of int
        limits : sequence of float or None
            As for `graph`.

        Returns
        -------
        Components
            Shown as a table.

        Raises
        ------
        ValueError, TypeError
            As `graph`.

        Notes
        -----
        Costs that of a `graph` for each pair.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, Table 3.1.

        Examples
        --------
        >>> neighbours([[0.0], [1.0], [9.0], [10.0]], 2).components([1, 2])
        t = 1: 2 components, 50.0% in the largest
        t = 2: 1 component, 100.0% in the largest
        """
        rows = []
        for t in _sequence(n_neighbors, "n_neighbors"):
            for limit in _sequence(limits, "limits"):
                with _checks.told_as("limit", "limits"):
                    sizes = self.graph(t, limit).sizes
                share = float(sizes[0] / sizes.sum())
                rows.append((int(t), limit, len(sizes), share))
        return Components(rows)

    def __repr__(self):
        n, t = self.indices.shape
        how = "exact"
        if self.recall is not None:
            how = f"recall {self.recall:.3f} of {self.recall_of} points"
        return f"Neighbours(n={n}, t={t}, {how})"


def _checked(indices, distances):
    """Neighbours and how far they are, (n, t), the nearest first."""
    near = _checks.as_array(indices, "indices")
    far = _checks.as_array(distances, "distances")
    if near.dtype.kind not in "iu":
        raise TypeError(f"indices: expected integers, got {_checks.shown(indices)}")
    if far.dtype.kind not in "iuf":
        raise TypeError(f"distances: expected numbers, got {_checks.shown(distances)}")
    if near.ndim != 2 or not near.size:
        raise ValueError(f"indices: expected a row a point, got shape {near.shape}")
    if far.shape != near.shape:
        raise ValueError(
            f"distances: expected shape {near.shape}, that of indices, got {far.shape}"
        )
    if far.dtype.kind != "f":
        far = far.astype(np.float64)
    if not (far >= 0).all():
        raise ValueError("distances: expected numbers of at least 0, got others")
    if (far[:, 1:] < far[:, :-1]).any():
        raise ValueError("distances: expected the nearest first, got another order")
    n, found = len(near), np.isfinite(far)
    bad = found & ((near < 0) | (near >= n))
    if bad.any():
        raise IndexError(
            f"indices: expected indices from 0 to {n - 1}, got {near[bad][0]}"
        )
    own = (found & (near == np.arange(n)[:, None])).any(axis=1)
    if own.any():
        raise ValueError(
            "indices: expected the point itself to be left out, got it among its "
            f"neighbours in row {own.argmax()}; a search that includes it has it in "
            "the first column"
        )
    return near, far


@dataclass(frozen=True)
class Components:
    """How graphs fall apart.

    Attributes
    ----------
    rows : list of tuple
        Number of neighbours, limit or None, number of components, and the share of
        the points in the largest.

    Examples
    --------
    >>> Components([(5, None, 1, 1.0)])
    t = 5: 1 component, 100.0% in the largest
    """

    rows: list[tuple[int, float | None, int, float]]

    def __post_init__(self):
        rows = self.rows if isinstance(self.rows, list) else [self.rows]
        if any(not isinstance(row, tuple) or len(row) != 4 for row in rows):
            raise TypeError(
                "rows: expected a list of (neighbours, limit, components, share), got "
                f"{_checks.shown(self.rows)}"
            )

    def __repr__(self):
        told = []
        for t, limit, count, share in self.rows:
            within = "" if limit is None else f" within {limit:.4g}"
            many = "" if count == 1 else "s"
            largest = f"{100 * share:.1f}% in the largest"
            told.append(f"t = {t}{within}: {count} component{many}, {largest}")
        return "\n".join(told)

    def _repr_html_(self) -> str:
        from nystheory.style import table

        rows = [
            (t, "none" if limit is None else limit, count, f"{100 * share:.1f}%")
            for t, limit, count, share in self.rows
        ]
        return table(rows, ("$t$", "limit", "components", "in the largest"))


def _sequence(values, name):
    if np.ndim(values) != 1 or isinstance(values, (set, dict)):
        raise TypeError(f"{name}: expected a sequence, got {_checks.shown(values)}")
    return values


def neighbours(
    X: np.ndarray,
    n_neighbors: int = 5,
    *,
    search: str = "auto",
    rng: np.random.Generator | None = None,
    n_jobs: int | None = None,
) -> Neighbours:
    """The nearest neighbours of every point, by Euclidean distance.

    Parameters
    ----------
    X : array_like (n, d)
        Points.
    n_neighbors : int, default 5
        The number t of neighbours, below n.
    search : {"auto", "exact", "approximate"}
        ``"exact"`` is scikit-learn's; ``"approximate"`` an inverted file of faiss,
        which has to be installed; ``"auto"`` the exact one for up to 30,000 points.
    rng : numpy.random.Generator, optional
        An approximate search needs it: for the points on which recall is measured.
    n_jobs : int, optional
        Processes or threads of the exact search, as in scikit-learn.

    Returns
    -------
    Neighbours

    Raises
    ------
    ValueError, TypeError
        If X is not finite, there are not more points than neighbours requested, or an
        approximate search has no generator.
    ImportError
        If an approximate search is requested and faiss is not there.

    Notes
    -----
    Exact: up to n^2 d operations, in blocks.  Approximate: k-means splits a sample of
    the points into n / 60 cells, and a point is compared with those of the 24 cells
    that are nearest to it, some 1500 n d operations, and n^2 d / 15 for the cells, in
    float32; recall is then measured on 1000 points that `rng` draws, a true neighbour
    counted as found if one as near was.  Copies of a point are its neighbours.

    The thesis took random projections and spill trees ([1]_, section 3.1.3).

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.

    Examples
    --------
    >>> neighbours([[0.0], [1.0], [3.0]], 2).indices.tolist()
    [[1, 2], [0, 2], [1, 0]]
    """
    X = _checks.points(X)
    size = float(np.abs(X).max())
    if size and not _checks.SMALLEST <= size <= _checks.LARGEST:
        span = f"from {_checks.SMALLEST:.0e} to {_checks.LARGEST:.0e}"
        raise ValueError(f"X: expected a largest entry {span}, got {size:.4g}")
    n, why = len(X), "one less than the number of points"
    if n < 2:
        raise ValueError(f"X: expected at least 2 points, got {n} sample")
    t = _checks.integer(n_neighbors, "n_neighbors", high=n - 1, why=why)
    _checks.choice(search, "search", SEARCHES)
    n_jobs = _checks.jobs(n_jobs)
    X = taken_off(X, offset(X))
    if search == "exact" or (search == "auto" and n <= SMALL):
        search = NearestNeighbors(n_neighbors=t, n_jobs=n_jobs).fit(X)
        return Neighbours(*nearest_first(X, X, search.kneighbors()[1]))
    _checks.generator(rng)
    near, far = nearest_first(X, X, _of_index(X, t))
    sample = rng.choice(n, min(SAMPLED, n), replace=False)
    return Neighbours(near, far, _recall(X, far, sample), len(sample))


def offset(X):
    """What may be taken off all points, so that squares keep the digits that differ.

    The medians of some of them, if these are far from zero; otherwise zero.

    Examples
    --------
    >>> offset(np.array([[0.0], [1.0]])), offset(np.array([[1e6], [1e6 + 1]]))
    (array([0.]), array([1000000.5]))
    """
    some = X[:: -(-len(X) // SAMPLED)].astype(np.float64)
    middle = np.median(some, axis=0)
    apart = np.median(np.abs(some - middle).max(axis=1))
    if np.abs(middle).max() <= FAR * apart:
        middle = np.zeros_like(middle)
    return middle.astype(X.dtype)


def taken_off(X, middle):
    """X less an offset; X itself if that is zero.

    Examples
    --------
    >>> taken_off(np.ones((1, 1)), np.ones(1))
    array([[0.]])
    """
    return X - middle if middle.any() else X


def nearest_first(Y, X, near):
    """Of each row of Y its neighbours among X, (n, t), in order, and the distances.

    They are found again from differences: the searches take differences of squares,
    which are not zero for copies.

    Examples
    --------
    >>> nearest_first(np.zeros((1, 1)), np.array([[3.0], [2.0]]), np.array([[0, 1]]))
    (array([[1, 0]]), array([[2., 3.]]))
    """
    n, t = near.shape
    far = np.empty((n, t))
    for rows in row_blocks(n, t * X.shape[1]):
        gaps = X[near[rows]].astype(np.float64) - Y[rows, None]
        size = np.abs(gaps).max(axis=2)
        unit = np.where(size > 0, size, 1)
        gaps /= unit[:, :, None]
        far[rows] = unit * np.sqrt(np.einsum("ijk,ijk->ij", gaps, gaps))
    order = far.argsort(axis=1, kind="stable")
    return np.take_along_axis(near, order, 1), np.take_along_axis(far, order, 1)


def _of_index(X, t):
    """Neighbours by an inverted file."""
    try:
        import faiss
    except ImportError as error:
        raise ImportError(
            "search: expected faiss to be installed for an approximate search, or "
            "search='exact'; pip install faiss-cpu"
        ) from error
    # A power of two, so that no square overflows in float32: faiss would abort.
    _, power = np.frexp(np.abs(X).max())
    X = np.ldexp(X, -power, out=np.empty(X.shape, np.float32), casting="same_kind")
    n, d = X.shape
    cells = max(1, n // POINTS_A_CELL)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(d), d, cells)
    index.cp.seed = 0  # the only chance in it
    index.cp.min_points_per_centroid = 1  # or it prints that there are few
    index.cp.max_points_per_centroid = LEARNED_FROM
    index.train(X)
    index.add(X)
    index.nprobe = min(CELLS, cells)
    return _without_self(index.search(X, t + 1)[1])


def _without_self(near):
    """Of t + 1 found the t others.

    Where a point has many copies it may not be among its own neighbours, or not first.
    """
    n, t = len(near), near.shape[1] - 1
    if (near < 0).any():
        raise ValueError(
            f"search: expected {t} neighbours of every point, got fewer where the "
            "index is sparse; use search='exact'"
        )
    own = near == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    return near[~own].reshape(n, t)


def _recall(X, far, sample):
    """The share of true neighbours of the sample that are at most as far."""
    t = far.shape[1]
    search = NearestNeighbors(n_neighbors=t + 1, algorithm="brute").fit(X)
    # The nearest of t + 1 is the point itself, or a copy; the last bounds all t.
    _, true = nearest_first(X[sample], X, search.kneighbors(X[sample])[1])
    farthest = true[:, -1:]
    return float((far[sample] <= farthest * (1 + TIES)).mean())
