"""Generated data sets, each made to show one thing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.datasets import make_swiss_roll

from nystheory import _checks
from nystheory.datasets._base import Dataset, made


def spectrum(
    eigenvalues: Sequence[float],
    rng: np.random.Generator,
    coherence: float | None = None,
) -> Dataset:
    """Points X for which X X^T has the given eigenvalues.

    Parameters
    ----------
    eigenvalues : array_like (n,)
        Not negative; used largest first.
    rng : numpy.random.Generator
    coherence : float, optional
        From 1 to sqrt(n): the leading eigenvector gets one spike, an entry of
        coherence / sqrt(n), and entries of equal size elsewhere.  By default all
        eigenvectors are random orthogonal.

    Returns
    -------
    Dataset
        X (n, r) with r the number of eigenvalues above 0 (1 if there are none).

    Raises
    ------
    ValueError, TypeError
        If there is no eigenvalue, one is negative or not finite, the coherence is out
        of range, or `rng` is not a generator.

    Notes
    -----
    Costs O(n^3) operations and n^2 words.  The coherence ``sqrt(n) max |U_ij|``
    ([1]_, Definition 5.1) of the leading k eigenvectors U is the larger of `coherence`
    and that of the other vectors, about sqrt(2 log(2 n k)); the construction is
    ``theorems["talwalkar2010:sec-5.2.3"]``, from [1]_.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 5.2.3.

    Examples
    --------
    >>> X = spectrum([4.0, 1.0, 0.0], np.random.default_rng(0)).X
    >>> np.linalg.eigvalsh(X @ X.T).round(12).clip(0).tolist()
    [0.0, 1.0, 4.0]
    """
    _checks.generator(rng)
    values = _checks.real_array(eigenvalues, "eigenvalues", 1)
    if values.size == 0 or values.min() < 0:
        shown = _checks.shown(eigenvalues)
        raise ValueError(f"eigenvalues: expected numbers of at least 0, got {shown}")
    values = np.sort(values.astype(np.float64))[::-1]
    n = len(values)
    vectors = rng.standard_normal((n, n))
    if coherence is not None:
        vectors[:, 0] = _spiky(n, coherence, rng)
    vectors, R = np.linalg.qr(vectors)
    vectors *= np.where(R.diagonal() < 0, -1, 1)  # Haar, and the spike as it was
    r = max(1, int((values > 0).sum()))
    return made("spectrum", vectors[:, :r] * np.sqrt(values[:r]))


def low_rank(
    n: int, rank: int, rng: np.random.Generator, integer: bool = False
) -> Dataset:
    """Points X for which X X^T has exactly the given rank.

    Parameters
    ----------
    n : int
        Number of points.
    rank : int
        From 1 to n.
    rng : numpy.random.Generator
    integer : bool
        Integer points, entries -2 to 2, so that X X^T has no rounding at all;
        standard normal points otherwise.

    Returns
    -------
    Dataset
        X (n, rank).

    Raises
    ------
    ValueError, TypeError
        If n or rank is out of range, or `rng` is not a generator.

    Notes
    -----
    The book's own.  Costs O(n rank) operations.

    Examples
    --------
    >>> X = low_rank(6, 2, np.random.default_rng(0), integer=True).X
    >>> np.linalg.matrix_rank(X @ X.T)
    np.int64(2)
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    rank = _checks.integer(rank, "rank", high=n, why="n")
    if not _checks.truth(integer, "integer"):
        return made("low_rank", rng.standard_normal((n, rank)))
    X = rng.integers(-2, 3, (n, rank)).astype(float)
    # A unit triangular block makes the rank certain; the rows are then mixed.
    X[:rank] = np.triu(X[:rank], 1) + np.eye(rank)
    return made("low_rank", rng.permutation(X))


def clusters(sizes: Sequence[int]) -> Dataset:
    """Clusters of repeated points, orthogonal to each other.

    ``X X^T`` is block diagonal with blocks of ones.

    Parameters
    ----------
    sizes : sequence of int, length c
        Number of points in each cluster, at least 1.

    Returns
    -------
    Dataset
        X (sum of sizes, c); y the cluster.

    Raises
    ------
    ValueError, TypeError
        If there is no cluster, or a size is not an integer of at least 1.

    Notes
    -----
    The book's own: one landmark in each cluster determines all of K.  Costs O(n c)
    operations for n points.

    Examples
    --------
    >>> clusters([2, 1]).X.tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    if not _checks.iterable(sizes):
        got = _checks.shown(sizes)
        raise TypeError(f"sizes: expected a sequence of integers, got {got}")
    counts = [_checks.integer(size, "sizes") for size in sizes]
    if not counts:
        raise ValueError("sizes: expected at least one cluster, got none")
    y = np.repeat(np.arange(len(counts)), counts)
    return made("clusters", np.eye(len(counts))[y], y)


def gaussian_clusters(n: int, rng: np.random.Generator, n_clusters: int = 4) -> Dataset:
    """Gaussian clusters in the plane, centres on a circle of radius 3.

    Parameters
    ----------
    n : int
        Number of points, spread over the clusters as evenly as possible.
    rng : numpy.random.Generator
    n_clusters : int
        How many, at least 1.

    Returns
    -------
    Dataset
        X (n, 2), standard deviation 0.5 around the centres; y the cluster.

    Raises
    ------
    ValueError, TypeError
        If n or n_clusters is not an integer of at least 1, or `rng` is not a
        generator.

    Notes
    -----
    The book's own.  Costs O(n) operations.

    Examples
    --------
    >>> gaussian_clusters(10, np.random.default_rng(0)).y.tolist()
    [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    y = np.arange(n) % _checks.integer(n_clusters, "n_clusters")
    angle = 2 * np.pi * y / n_clusters
    centres = 3 * np.column_stack([np.cos(angle), np.sin(angle)])
    return made("gaussian_clusters", centres + 0.5 * rng.standard_normal((n, 2)), y)


def identity_block(n: int, rank: int) -> Dataset:
    """The most coherent matrix of rank r: ``K = [e_1 .. e_r 0 .. 0]``.

    Parameters
    ----------
    n : int
        Number of points.
    rank : int
        The rank r, from 1 to n.

    Returns
    -------
    Dataset
        X (n, r), the first r columns of the identity.

    Raises
    ------
    ValueError, TypeError
        If n or rank is out of range.

    Notes
    -----
    Equation (5.1) of [1]_: columns beyond the first r say nothing of K.  Costs O(n r)
    operations.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (5.1).

    Examples
    --------
    >>> identity_block(3, 1).X.ravel().tolist()
    [1.0, 0.0, 0.0]
    """
    n = _checks.integer(n, "n")
    rank = _checks.integer(rank, "rank", high=n, why="n")
    return made("identity_block", np.eye(n, rank))


def two_balls(n: int, rng: np.random.Generator, n_redundant: int = 100) -> Dataset:
    """Two discs that touch, in the first two of many features.

    Parameters
    ----------
    n : int
        Number of points.
    rng : numpy.random.Generator
    n_redundant : int
        Number of features, uniform in [0, 1], that say nothing of the label.

    Returns
    -------
    Dataset
        X (n, 2 + n_redundant): coordinates 0 and 1 uniform in the discs of radius
        1/2 around (-1/2, 1/2) and (1/2, 1/2); y -1 or 1, balanced.

    Raises
    ------
    ValueError, TypeError
        If n is below 1 or n_redundant below 0, or `rng` is not a generator.

    Notes
    -----
    The data of Figure 1 of [1]_, there with n = 10000.  Costs O(n n_redundant)
    operations.

    References
    ----------
    .. [1] T. Yang, Y.-F. Li, M. Mahdavi, R. Jin, Z.-H. Zhou, "Nyström Method vs
       Random Fourier Features: A Theoretical and Empirical Comparison", NIPS 2012.

    Examples
    --------
    >>> two_balls(6, np.random.default_rng(0))
    Dataset(two_balls, X (6, 102), y (6,))
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    n_redundant = _checks.integer(n_redundant, "n_redundant", low=0)
    y = np.where(np.arange(n) % 2, 1, -1)
    radius, angle = 0.5 * np.sqrt(rng.random(n)), 2 * np.pi * rng.random(n)
    first = 0.5 * y + radius * np.cos(angle)
    second = 0.5 + radius * np.sin(angle)
    X = np.column_stack([first, second, rng.random((n, n_redundant))])
    return made("two_balls", X, y)


def documents(n: int, n_terms: int, rng: np.random.Generator) -> Dataset:
    """Texts as bags of words: sparse, not negative, a slowly decaying spectrum.

    Parameters
    ----------
    n : int
        Number of documents.
    n_terms : int
        Number of terms.
    rng : numpy.random.Generator

    Returns
    -------
    Dataset
        X (n, n_terms), rows of length 1.

    Raises
    ------
    ValueError, TypeError
        If n or n_terms is not an integer of at least 1, or `rng` is not a generator.

    Notes
    -----
    The book's own.  Term j has a frequency proportional to 1/(j + 10), documents have
    50 to 200 words, counts are weighted by the logarithm of the inverse document
    frequency.  It stands in for text collections, such as the one called DEXT in
    [1]_.  Costs O(n n_terms) operations and words.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 2.2.3.

    Examples
    --------
    >>> X = documents(50, 400, np.random.default_rng(0)).X
    >>> bool((X == 0).mean() > 0.7), bool(X.min() >= 0)
    (True, True)
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    n_terms = _checks.integer(n_terms, "n_terms")
    frequency = 1 / (np.arange(n_terms) + 10)
    frequency /= frequency.sum()
    lengths = rng.integers(50, 201, n)
    counts = rng.multinomial(lengths, frequency).astype(float)
    # One more document that has every term, so that no weight is zero or infinite.
    X = counts * np.log((n + 2) / (1 + (counts > 0).sum(axis=0)))
    return made("documents", X / np.linalg.norm(X, axis=1, keepdims=True))


def robot_arm(n: int, rng: np.random.Generator, noise: float = 0.02) -> Dataset:
    """A planar arm of eight joints: how far its hand is from a point.

    Parameters
    ----------
    n : int
        Number of positions of the arm.
    rng : numpy.random.Generator
    noise : float
        Standard deviation of the error of a measured distance, at least 0.

    Returns
    -------
    Dataset
        X (n, 8), the angles of the joints in radians, each uniform between -pi/2 and
        pi/2; y (n,) the measured distances.

    Raises
    ------
    ValueError, TypeError
        If n is not an integer of at least 1, the noise is negative or not finite, or
        `rng` is not a generator.

    Notes
    -----
    The book's own; it stands in for the data set KIN-8nm of [1]_.  Joint j turns the
    rest of the arm by its angle, so that link j points at the sum of the first j
    angles; every link has the length 1/8, and the point is (1/2, 1/2).  Costs O(n)
    operations and words.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, Table 3.6.

    Examples
    --------
    >>> arm = robot_arm(100, np.random.default_rng(0))
    >>> arm.X.shape, bool(np.abs(arm.y).max() < 2)
    ((100, 8), True)
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    noise = _checks.not_below_zero(noise, "noise")
    X = rng.uniform(-np.pi / 2, np.pi / 2, (n, 8))
    directions = np.cumsum(X, axis=1)
    hand = np.stack([np.cos(directions), np.sin(directions)]).mean(axis=2)
    distance = np.hypot(*(hand - 0.5))
    return made("robot_arm", X, distance + noise * rng.standard_normal(n))


def swiss_roll(n: int, rng: np.random.Generator, noise: float = 0.0) -> Dataset:
    """A strip with a hole in it, rolled up in space.

    Parameters
    ----------
    n : int
        Number of points.
    rng : numpy.random.Generator
    noise : float
        Standard deviation of what is added to each coordinate, at least 0.

    Returns
    -------
    Dataset
        X (n, 3); y (n,) the angle, from 3 pi / 2 to 9 pi / 2, along which it is rolled.

    Raises
    ------
    ValueError, TypeError
        If n is not an integer of at least 1, the noise is negative or not finite, or
        `rng` is not a generator.

    Notes
    -----
    `sklearn.datasets.make_swiss_roll` of scikit-learn, with its hole.  The strip itself
    is flat, but because of the hole not convex: geodesics lead around it, and are no
    distances of a plane.  Costs O(n).

    Examples
    --------
    >>> swiss_roll(100, np.random.default_rng(0))
    Dataset(swiss_roll, X (100, 3), y (100,))
    """
    _checks.generator(rng)
    n = _checks.integer(n, "n")
    noise = _checks.not_below_zero(noise, "noise")
    seed = int(rng.integers(2**31))
    X, y = make_swiss_roll(n, noise=noise, hole=True, random_state=seed)
    return made("swiss_roll", X, y.reshape(n))  # one point has an angle of no shape


def _spiky(n, coherence, rng):
    """A unit vector with an entry of coherence/sqrt(n) and equal ones elsewhere."""
    top = _checks.positive(coherence, "coherence")
    if not 1 <= top <= np.sqrt(n) * (1 + 1e-12):
        raise ValueError(
            f"coherence: expected a number from 1 to sqrt(n) = {np.sqrt(n):.6g}, "
            f"got {coherence}"
        )
    vector = rng.choice([-1.0, 1.0], n)
    rest = max(0.0, 1 - top**2 / n)
    vector *= np.sqrt(rest / max(1, n - 1))
    vector[rng.integers(n)] = np.sqrt(1 - rest)
    return vector
