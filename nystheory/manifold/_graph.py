"""The graph of neighbours: its largest component, and the distances along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from scipy.sparse.csgraph import connected_components, dijkstra
from sklearn.metrics import euclidean_distances

from nystheory import _checks
from nystheory._progress import counter
from nystheory.kernels import row_blocks

# Pairs of points of different components that are compared, as in an exact search for
# neighbours of 30,000 points; and components, each two of which get an edge.
MOST_PAIRS, MOST_PARTS = 30_000**2 // 2, 1000
# Sizes of components that are told one by one.
TOLD = 3
# Sources of one call of Dijkstra's algorithm, whose rows are float64 at first.
A_BLOCK = 16


@dataclass(frozen=True, eq=False, repr=False)
class NeighbourGraph:
    """A graph of neighbours, or its largest connected component.

    Attributes
    ----------
    lengths : scipy.sparse.csr_array (m, m)
        The lengths of its edges, symmetric; edges between copies have length 0.
    kept : ndarray (m,)
        Which points it joins, ascending.
    n : int
        The number of all points.
    sizes : ndarray (c,)
        The sizes of all components, largest first.
    parts : ndarray (m,) or None
        The component of each point that is kept, 0 for the largest; None where only
        one is kept.
    links : ndarray (e, 2) or None
        The edges that were added to connect the components, by their ends.

    Raises
    ------
    ValueError, TypeError, IndexError
        If the fields do not agree with one another, or the lengths are not symmetric.

    Examples
    --------
    >>> from nystheory import manifold
    >>> near = manifold.neighbours([[0.0], [1.0], [9.0], [10.0]], 1)
    >>> near.graph()
    NeighbourGraph(n=4, largest of 2 components: 2 points, 1 edge)
    >>> near.graph(whole=True)
    NeighbourGraph(n=4, 2 components: 2 and 2 points, 2 edges)
    """

    lengths: sparse.csr_array
    kept: np.ndarray
    n: int
    sizes: np.ndarray
    parts: np.ndarray | None = None
    links: np.ndarray | None = None

    def __post_init__(self):
        for name, value in _checked(self).items():
            object.__setattr__(self, name, value)

    def geodesics(
        self, sources, *, n_jobs: int | None = None, dtype: type = np.float32
    ) -> np.ndarray:
        """Lengths of the shortest paths to some points: section 3.1.3 of [1]_.

        Parameters
        ----------
        sources : sequence of int, length l
            From 0 to m - 1, among the points that are kept.
        n_jobs : int, optional
            Processes, as in scikit-learn; -1 for all cores.
        dtype : type
            Of what is kept; they are found in float64.

        Returns
        -------
        ndarray (m, l)
            In Fortran's order; infinite between components.

        Raises
        ------
        ValueError, TypeError, IndexError
            If the sources are not indices of points that are kept, or paths may be too
            long for `dtype`.

        Notes
        -----
        SciPy's Dijkstra from each source, in blocks: O(l m (t + log m)) operations, and
        m l words of `dtype`.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, section 3.1.3.

        Examples
        --------
        >>> from nystheory import manifold
        >>> line = manifold.neighbours([[0.0], [1.0], [3.0]], 1).graph()
        >>> line.geodesics([0]).T.tolist()
        [[0.0, 1.0, 3.0]]
        """
        m = len(self.kept)
        sources = _checks.indices(sources, m, "sources")
        n_jobs, dtype = _checks.jobs(n_jobs), _checks.float_type(dtype, "dtype")
        _check_longest(m * self.lengths.data.max(initial=0), dtype)
        blocks = np.array_split(sources, -(-len(sources) // A_BLOCK))
        rows = np.empty((len(sources), m), dtype)
        # Sent to other processes once, as a file that they share.
        parts = (self.lengths.data, self.lengths.indices, self.lengths.indptr)
        work = (delayed(_from)(*parts, block, dtype) for block in blocks)
        done = 0
        with counter("geodesics", len(sources)) as bar:
            for found in Parallel(n_jobs, return_as="generator")(work):
                rows[done : done + len(found)] = found
                done += len(found)
                bar.update(len(found))
        return rows.T

    def __repr__(self):
        c, m = len(self.sizes), len(self.kept)
        part = "connected" if c == 1 else f"largest of {c} components: {m} points"
        if c > 1 and m == self.n:
            part = f"{c} components: {in_words(self.sizes)}"
        if self.links is not None:
            part += f" by {_counted(len(self.links), 'added edge')}"
        edges = _counted(self.lengths.nnz // 2, "edge")
        return f"NeighbourGraph(n={self.n}, {part}, {edges})"


def _checked(graph) -> dict:
    """The fields of a graph that agree with one another, as arrays."""
    lengths = _lengths(graph.lengths)
    m, n = lengths.shape[0], _checks.integer(graph.n, "n")
    kept = _checks.indices(graph.kept, n, "kept")
    if len(kept) != m or (np.diff(kept) <= 0).any():
        raise ValueError(
            f"kept: expected {m} distinct points, one for each row of lengths, "
            f"ascending, got {_checks.shown(graph.kept)}"
        )
    sizes = _checks.indices(graph.sizes, n + 1, "sizes")
    if sizes.sum() != n or sizes[-1] < 1 or (np.diff(sizes) > 0).any():
        raise ValueError(
            f"sizes: expected sizes of components of {n} points, largest first, got "
            f"{_checks.shown(graph.sizes)}"
        )
    parts, count = graph.parts, connected_components(lengths, directed=False)[0]
    if parts is not None:
        parts = _checks.indices(parts, len(sizes), "parts")
        if m != n or count != len(sizes) or (np.bincount(parts) != sizes).any():
            raise ValueError(
                f"parts: expected the component of each of {n} points, got "
                f"{_checks.shown(graph.parts)} for {count} components"
            )
    elif count != 1 or m != sizes[0]:
        raise ValueError(
            f"lengths: expected one component of {sizes[0]} points, or parts, got "
            f"{_counted(count, 'component')} of {_counted(m, 'point')}"
        )
    links = graph.links
    if links is not None:
        links = _checks.as_array(links, "links")
        if links.dtype.kind not in "iu" or links.shape[1:] != (2,):
            raise ValueError(
                "links: expected pairs of indices, one for each added edge, got "
                f"{_checks.shown(graph.links)}"
            )
    own = dict(lengths=lengths, n=n, kept=kept, sizes=sizes, parts=parts)
    return own | {"links": links}


def _lengths(lengths):
    """The lengths of edges, symmetric and finite, as an array of floats."""
    if not sparse.issparse(lengths):
        raise TypeError(
            f"lengths: expected a sparse array, got {_checks.shown(lengths)}"
        )
    if lengths.ndim != 2 or len(set(lengths.shape)) > 1 or not lengths.shape[0]:
        raise ValueError(f"lengths: expected a square, got shape {lengths.shape}")
    if lengths.dtype.kind not in "iuf":
        raise TypeError(f"lengths: expected real numbers, got {lengths.dtype}")
    found = sparse.csr_array(lengths).astype(np.float64, copy=False)
    if not (np.isfinite(found.data) & (found.data >= 0)).all():
        raise ValueError("lengths: expected finite numbers of at least 0, got others")
    found = found if found.has_sorted_indices else found.sorted_indices()
    turned = found.T.tocsr()
    same = ("indptr", "indices", "data")
    if not all(np.array_equal(getattr(found, x), getattr(turned, x)) for x in same):
        raise ValueError(
            "lengths: expected a symmetric array, got one with edges that differ in "
            "the two directions; lengths.maximum(lengths.T) joins them"
        )
    own = np.repeat(np.arange(len(found.indptr) - 1), np.diff(found.indptr))
    if (own == found.indices).any():
        raise ValueError("lengths: expected edges between two points, got a loop")
    return found


def _counted(count, what):
    return f"{count} {what}{'s' * (count != 1)}"


def in_words(sizes) -> str:
    """Sizes of components, largest first; many small ones are only counted.

    >>> in_words([20, 10]), in_words([20, 10, 5, 1, 1])
    ('20 and 10 points', '20, 10 and 5 points, and 2 no larger')
    """
    *most, last = (f"{size}" for size in sizes[:TOLD])
    told = f"{', '.join(most)} and {last} points" if most else f"{last} points"
    more = len(sizes) - TOLD
    return told + f", and {more} no larger" * (more > 0)


def _check_longest(length, dtype):
    """Raise if a path of so many edges of the longest length does not fit."""
    if length > np.finfo(dtype).max:
        raise ValueError(
            f"dtype: expected float64 for paths of lengths up to {length:.4g}, got "
            f"{dtype}"
        )


def _from(data, indices, indptr, sources, dtype):
    """Distances from some sources, (b, m)."""
    m = len(indptr) - 1
    lengths = sparse.csr_array((data, indices, indptr), shape=(m, m))
    # It is symmetric, so that directed edges need not be looked for twice.
    return dijkstra(lengths, directed=True, indices=sources).astype(dtype)


def whole_graph(near, far, inside) -> NeighbourGraph:
    """The graph of some neighbours, (n, t), in all its components.

    `inside` tells which are joined.
    """
    n, t = near.shape
    rows, columns = np.repeat(np.arange(n), t)[inside.ravel()], near[inside]
    # Each edge once, whoever found it; its length may be zero, which is stored.
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    _, first = np.unique(low * np.int64(n) + high, return_index=True)
    lengths = _symmetric(low[first], high[first], far[inside][first], n)
    _, label = connected_components(lengths, directed=False)
    counts = np.bincount(label)
    # The largest first, and of equal ones that of the first point.
    order = np.argsort(-counts, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    parts = place[label] if len(order) > 1 else None
    return NeighbourGraph(lengths, np.arange(n), n, counts[order], parts)


def largest_of(graph: NeighbourGraph) -> NeighbourGraph:
    """The largest component of a graph."""
    if graph.parts is None:
        return graph
    kept = np.flatnonzero(graph.parts == 0)
    ends, place = graph.lengths.tocoo(), np.full(graph.n, -1)
    place[kept] = np.arange(len(kept))
    rows, columns = (place[each] for each in ends.coords)
    own = (rows >= 0) & (rows < columns)
    lengths = _symmetric(rows[own], columns[own], ends.data[own], len(kept))
    return NeighbourGraph(lengths, kept, graph.n, graph.sizes)


def connected(graph: NeighbourGraph, X) -> NeighbourGraph:
    """A graph with an edge between the nearest points of each two of its components.

    Exact: all pairs of points of different components are compared.
    """
    n, sizes = graph.n, graph.sizes.astype(float)
    pairs = (n**2 - float((sizes**2).sum())) / 2
    if pairs > MOST_PAIRS or len(sizes) > MOST_PARTS:
        raise ValueError(
            f"X: expected a graph of neighbours of at most {MOST_PARTS} components, "
            f"which {MOST_PAIRS:.2g} comparisons connect, got {len(sizes)}, of "
            f"{in_words(graph.sizes)}; take more neighbours, or "
            "disconnected='largest'"
        )
    order = np.argsort(graph.parts, kind="stable")
    links = np.array(_nearest_pairs(X[order], np.cumsum(graph.sizes)[:-1]))
    low, high = np.sort(order[links], axis=1).T
    added = np.array([_distance(X[i], X[j]) for i, j in zip(low, high, strict=True)])
    old = graph.lengths.tocoo()
    once = old.coords[0] < old.coords[1]
    ends = (
        np.concatenate([each[once], new])
        for each, new in zip(old.coords, (low, high), strict=True)
    )
    lengths = _symmetric(*ends, np.concatenate([old.data[once], added]), n)
    links = np.column_stack([low, high])
    return NeighbourGraph(lengths, graph.kept, n, np.array([n]), None, links)


def _nearest_pairs(X, ends):
    """The nearest points of each two components, which lie one after another in X.

    `ends` are the ends of all but the last of them.
    """
    size = float(np.abs(X).max()) or 1.0
    X = X.astype(np.float64) / size
    starts, found = np.append(0, ends), []
    for a in range(1, len(starts)):
        stop = starts[a + 1] if a + 1 < len(starts) else len(X)
        own, before = X[starts[a] : stop], X[: starts[a]]
        best = np.full(a, np.inf)
        pairs = np.zeros((a, 2), np.intp)
        for rows in row_blocks(len(own), len(before)):
            D = euclidean_distances(own[rows], before, squared=True)
            least = np.minimum.reduceat(D, starts[:a], axis=1)
            nearest = least.argmin(axis=0)
            for b in np.flatnonzero(least.min(axis=0) < best):
                row, part = nearest[b], slice(starts[b], starts[b + 1])
                column = starts[b] + D[row, part].argmin()
                pairs[b] = column, starts[a] + rows.start + row
                best[b] = least[row, b]
        found.extend(pairs)
    return found


def _distance(x, y) -> float:
    gap = np.abs(x.astype(np.float64) - y)
    size = float(gap.max())
    return size * float(np.linalg.norm(gap / size)) if size else 0.0


def _symmetric(low, high, length, n):
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return sparse.csr_array((np.tile(length, 2), both), shape=(n, n))
