"""How well do coordinates keep labels, neighbours and distances?"""

from __future__ import annotations

import numpy as np
from sklearn.metrics.cluster import contingency_matrix
from sklearn.neighbors import KNeighborsClassifier

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel, row_blocks
from nystheory.manifold._neighbours import offset, taken_off


def purity(labels, clusters) -> float:
    """How often what is in the same cluster has the same label: section 3.1.4 of [1]_.

    Parameters
    ----------
    labels, clusters : array_like (n,)
        The class of each point, and the cluster that it was put into.

    Returns
    -------
    float
        Each cluster counts as its most frequent label; 1 where all are of one label.

    Raises
    ------
    ValueError, TypeError
        If they are not of one length, or empty.

    Notes
    -----
    The thesis says "the frequency of data belonging to the same cluster sharing the
    same class label" and prints no formula; it is read as the usual one.  Clusters of
    one point each have the purity 1.  Costs O(n log n) operations.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 3.1.4.

    Examples
    --------
    >>> purity(["a", "a", "b", "b"], [0, 0, 0, 1])
    0.75
    """
    counts = _counts(labels, clusters)
    return float(counts.max(axis=0).sum() / counts.sum())


def accuracy(labels, clusters) -> float:
    """How often what has the same label is in one cluster: section 3.1.4 of [1]_.

    Parameters
    ----------
    labels, clusters : array_like (n,)
        The class of each point, and the cluster that it was put into.

    Returns
    -------
    float
        Each label counts where most of it is; 1 for one cluster of all points.

    Raises
    ------
    ValueError, TypeError
        If they are not of one length, or empty.

    Notes
    -----
    The thesis says "the frequency of data from the same class appearing in a single
    cluster" and prints no formula.  It is not the accuracy of a classifier.  Costs
    O(n log n) operations.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 3.1.4.

    Examples
    --------
    >>> accuracy(["a", "a", "a", "b"], [0, 0, 1, 1])
    0.75
    """
    counts = _counts(labels, clusters)
    return float(counts.max(axis=1).sum() / counts.sum())


def neighbour_error(
    embedding: np.ndarray,
    labels,
    rng: np.random.Generator,
    n_neighbors: int = 1,
    test_share: float = 0.5,
) -> float:
    """The error of nearest-neighbour classification on a part that was held out.

    Parameters
    ----------
    embedding : array_like (n, k)
        Coordinates.
    labels : array_like (n,)
    rng : numpy.random.Generator
        Draws the part.
    n_neighbors : int, default 1
    test_share : float, default 0.5
        The share of points that are held out, above 0 and below 1.

    Returns
    -------
    float
        The share of the points held out that are classified wrongly: Table 3.4 of [1]_.

    Raises
    ------
    ValueError, TypeError
        If the embedding is not finite, there is not a label for each point, a share is
        not between 0 and 1, or there are fewer points to learn from than neighbours.

    Notes
    -----
    scikit-learn's `KNeighborsClassifier`.  Costs up to O(n^2 k) operations.  The thesis
    does not say how large the part was.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, Tables 3.4 and 3.5.

    Examples
    --------
    >>> line = [[0.0], [0.1], [5.0], [5.1]] * 3
    >>> neighbour_error(line, ["a", "a", "b", "b"] * 3, np.random.default_rng(0))
    0.0
    """
    embedding = _checks.real_array(embedding, "embedding", 2)
    if not embedding.size:
        raise ValueError(f"embedding: expected some points, got {embedding.shape}")
    labels = _labels(labels, "labels")
    n = len(embedding)
    if len(labels) != n:
        raise ValueError(f"labels: expected {n}, one for each point, got {len(labels)}")
    _checks.generator(rng)
    share = _checks.positive(test_share, "test_share")
    if share >= 1:
        raise ValueError(f"test_share: expected a number below 1, got {share:.4g}")
    held = max(1, round(share * n))
    why = "the points that are left to learn from"
    t = _checks.integer(n_neighbors, "n_neighbors", high=n - held, why=why)
    order = rng.permutation(n)
    test, train = order[:held], order[held:]
    embedding = taken_off(embedding, offset(embedding))
    learner = KNeighborsClassifier(t).fit(embedding[train], labels[train])
    return float((learner.predict(embedding[test]) != labels[test]).mean())


def distance_preservation(
    K: KernelMatrix | np.ndarray, embedding: np.ndarray, best: np.ndarray
) -> float:
    """Relative accuracy of squared distances: section 3.1.2 of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
        A kernel matrix, which has the squared distances
        ``D_ij = K_ii + K_jj - 2 K_ij``.
    embedding : array_like (n, k)
        The coordinates that are judged.
    best : array_like (n, k)
        Those of the k leading eigenpairs of K.

    Returns
    -------
    float
        ``|D - D_k|_F / |D - D~|_F``, the second norm that of the coordinates that are
        judged: about 1 where they are as good as the best; above it where they are
        better, which the best in the Frobenius norm of K does not exclude; and infinite
        where they keep all distances, or as large as rounding lets it be.

    Raises
    ------
    ValueError, TypeError
        If an argument is not finite, or there is not a point for each row of K.

    Notes
    -----
    Costs O(n^2 k) operations, in blocks.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 3.1.2.

    Examples
    --------
    >>> K = np.diag([4.0, 1.0])
    >>> distance_preservation(K, [[2.0], [0.0]], [[2.0], [0.0]])
    1.0
    """
    K = as_kernel(K).dense()
    n = len(K)
    embedding = _checks.rows(
        _checks.real_array(embedding, "embedding", 2), n, "embedding"
    )
    best = _checks.rows(_checks.real_array(best, "best", 2), n, "best")
    # A power of two, so that no square is too large, and the ratio stays as it is.
    sizes = (np.abs(embedding), np.abs(best), np.sqrt(np.abs(K)))
    _, power = np.frexp(max(float(x.max(initial=0)) for x in sizes))
    K = np.ldexp(K, -2 * power)
    embedding, best = np.ldexp(embedding, -power), np.ldexp(best, -power)
    lost, least = _lost(K, embedding), _lost(K, best)
    if lost == 0:
        return float("inf") if least else 1.0
    return float(np.sqrt(least / lost))


def _lost(K, Y):
    """``|D - D~|_F^2`` of coordinates Y."""
    gap, total = K.diagonal() - (Y**2).sum(axis=1), 0.0
    for rows in row_blocks(len(K), len(K)):
        off = K[rows] - Y[rows] @ Y.T
        total += float(((gap[rows, None] + gap - 2 * off) ** 2).sum())
    return total


def _counts(labels, clusters):
    """Points of each label in each cluster, (labels, clusters)."""
    labels, clusters = _labels(labels, "labels"), _labels(clusters, "clusters")
    if len(labels) != len(clusters):
        raise ValueError(
            f"clusters: expected {len(labels)}, one for each label, got {len(clusters)}"
        )
    return contingency_matrix(labels, clusters, sparse=True)


def _labels(values, name):
    """Labels as numbers from 0 on."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name}: expected no missing ones, got masked ones")
    try:
        values = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name}: expected one label a point, got {_checks.shown(values)}"
        ) from None
    if values.ndim != 1 or not values.size:
        raise ValueError(
            f"{name}: expected a non-empty sequence, got {_checks.shown(values)}"
        )
    if values.dtype.kind in "fc" and not np.isfinite(values).all():
        raise ValueError(
            f"{name}: expected no missing ones, got {values[~np.isfinite(values)][0]}"
        )
    try:
        return np.unique(values, return_inverse=True)[1]
    except TypeError:
        raise TypeError(
            f"{name}: expected labels of one kind, none of them missing, got "
            f"{_checks.shown(values)}"
        ) from None
