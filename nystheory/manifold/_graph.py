"""The graph of neighbours: its largest component, and the distances along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from scipy.sparse.csgraph import connected_components, dijkstra

from nystheory import _checks
from nystheory._progress import counter

# Sources of one call of Dijkstra's algorithm, whose rows are float64 at first.
A_BLOCK = 16


@dataclass(frozen=True, eq=False, repr=False)
class NeighbourGraph:
    """The largest connected component of a graph of neighbours.

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

    Examples
    --------
    >>> from nystheory import manifold
    >>> manifold.neighbours([[0.0], [1.0], [3.0]], 1).graph()
    NeighbourGraph(n=3, connected, 2 edges)
    """

    lengths: sparse.csr_array
    kept: np.ndarray
    n: int
    sizes: np.ndarray

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
            In Fortran's order.

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
        edges = self.lengths.nnz // 2
        part = "connected" if c == 1 else f"largest of {c} components: {m} points"
        return f"NeighbourGraph(n={self.n}, {part}, {edges} edge{'s' * (edges != 1)})"


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


def largest_component(near, far, inside) -> NeighbourGraph:
    """The largest component of the graph of some neighbours, (n, t).

    `inside` tells which are joined.
    """
    n, t = near.shape
    rows, columns = np.repeat(np.arange(n), t)[inside.ravel()], near[inside]
    # Each edge once, whoever found it; its length may be zero, which is stored.
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    _, first = np.unique(low * np.int64(n) + high, return_index=True)
    low, high, length = low[first], high[first], far[inside][first]
    whole = _symmetric(low, high, length, n)
    _, label = connected_components(whole, directed=False)
    counts = np.bincount(label)
    kept = np.flatnonzero(label == counts.argmax())
    if len(kept) < n:
        place = np.full(n, -1)
        place[kept] = np.arange(len(kept))
        own = place[low] >= 0
        ends = place[low[own]], place[high[own]]
        whole = _symmetric(*ends, length[own], len(kept))
    return NeighbourGraph(whole, kept, n, np.sort(counts)[::-1])


def _symmetric(low, high, length, n):
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return sparse.csr_array((np.tile(length, 2), both), shape=(n, n))
