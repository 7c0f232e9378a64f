"""Leading eigenvectors of a large kernel matrix, and how errors fall with landmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse.linalg

from nystheory import kernels, lowrank, sampling

# The width of the paper's synthetic experiment, sigma = 6.
GAMMA = 1 / 72
# The paper's numbers of samples, and what the eigenvectors are computed with.
COUNTS = (5, 10, 20, 50, 100)
MOST = COUNTS[-1]

# ---- leading eigenvectors ----


@dataclass(frozen=True, eq=False)
class Leading:
    """The largest eigenvalues of a matrix over n, and their eigenvectors.

    Attributes
    ----------
    values : ndarray (k,)
        Falling.
    vectors : ndarray (n, k)
        The entries of the first have a mean above zero.
    """

    values: np.ndarray
    vectors: np.ndarray

    def close_to(self, other: Leading) -> np.ndarray:
        """Moduli of the cosines between vectors of one place, (k,)."""
        return np.abs(np.sum(self.vectors * other.vectors, axis=0))

    def like(self, other: Leading) -> Leading:
        """With the signs for which no vector points away from that of the other."""
        signs = np.where(np.sum(self.vectors * other.vectors, axis=0) < 0, -1, 1)
        return Leading(self.values, self.vectors * signs)

    def every(self, step: int) -> Leading:
        """With the entries of every so many points."""
        return Leading(self.values, self.vectors[::step])

    @property
    def least(self) -> float:
        """The least entry of the first vector, times the root of n."""
        return float(np.sqrt(len(self.vectors)) * self.vectors[:, 0].min())


def of_features(Z: np.ndarray, count: int = 2) -> Leading:
    """The leading eigenvectors of ``Z Z'``, from the products of its features.

    Parameters
    ----------
    Z : ndarray (n, p)
    count : int

    Notes
    -----
    Costs O(n p^2 + p^3) operations.

    Examples
    --------
    >>> of_features(np.diag([2.0, 1.0])).values.tolist()
    [2.0, 0.5]
    """
    values, vectors = np.linalg.eigh(Z.T @ Z)
    values, vectors = values[::-1][:count], vectors[:, ::-1][:, :count]
    return _turned(values / len(Z), Z @ vectors / np.sqrt(values))


def of_kernel(K: kernels.PointKernel, rng, count: int = 2) -> Leading:
    """The leading eigenvectors of K, from products with blocks of its rows.

    Parameters
    ----------
    K : PointKernel (n, n)
    rng : numpy.random.Generator
        For the landmarks with which the iteration begins.
    count : int

    Notes
    -----
    LOBPCG [1]_, until residuals are below a thousandth of the last eigenvalue asked
    for.  Each step costs O(n^2 d) operations and O(n) words for each vector.

    References
    ----------
    .. [1] A. V. Knyazev, SIAM Journal on Scientific Computing 23 (2001), pages 517 to
       541; `scipy.sparse.linalg.lobpcg`.

    Examples
    --------
    >>> from nystheory import datasets
    >>> K = kernels.rbf(datasets.digits(300).X)
    >>> of_kernel(K, np.random.default_rng(0)).values.round(3).tolist()
    [0.389, 0.066]
    """
    near = lowrank.nystrom(K, sampling.uniform(K, min(200, K.n // 2), rng))
    start = of_features(near.factor, count)
    found = scipy.sparse.linalg.lobpcg(
        operator(K), start.vectors, tol=1e-3 * K.n * start.values[-1], maxiter=40
    )
    return _turned(found[0] / K.n, found[1])


def operator(K: kernels.PointKernel) -> scipy.sparse.linalg.LinearOperator:
    """K for SciPy: its products with vectors, block of rows by block of rows.

    Examples
    --------
    >>> operator(kernels.rbf(np.zeros((3, 1)))).matvec(np.ones(3)).tolist()
    [3.0, 3.0, 3.0]
    """
    times = K.__matmul__
    return scipy.sparse.linalg.LinearOperator(
        K.shape, matvec=times, matmat=times, dtype=float
    )


def _turned(values, vectors):
    signs = np.ones(len(values))
    signs[0] = np.sign(vectors[:, 0].sum())
    return Leading(values, vectors * signs)


def eigenvalues(X: np.ndarray, gamma: float) -> np.ndarray:
    """Those of the Gaussian kernel over n, falling, (n,).

    Examples
    --------
    >>> eigenvalues(np.zeros((2, 1)), 1.0).round(9).tolist()
    [1.0, 0.0]
    """
    return np.linalg.eigvalsh(kernels.rbf(X, gamma).dense())[::-1] / len(X)


# ---- how errors fall with the number of landmarks ----

# Sixteen times as many at the end as at the beginning.
GRID = (16, 32, 64, 128, 256)
RIDGE = 1e-3


@dataclass(frozen=True, eq=False)
class Whole:
    """A kernel matrix, and what errors are measured against.

    Attributes
    ----------
    K : ndarray (n, n)
    y : ndarray (n,)
        Of mean 0 and deviation 1.
    value : float
        The largest eigenvalue.
    vector : ndarray (n,)
        Its eigenvector.
    objective : float
        The least value of the objective of ridge regression, at the ridge `RIDGE`.
    """

    K: np.ndarray
    y: np.ndarray
    value: float
    vector: np.ndarray
    objective: float

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, gamma: float) -> Whole:
        """That of the Gaussian kernel.

        Examples
        --------
        >>> Whole.of(np.eye(3), np.arange(3.0), 1.0).K.shape
        (3, 3)
        """
        K, n = kernels.rbf(X, gamma).dense(), len(X)
        y = (y - y.mean()) / y.std()
        (value,), vector = scipy.linalg.eigh(K, subset_by_index=[n - 1, n - 1])
        solved = scipy.linalg.solve(K + RIDGE * n * np.eye(n), y, assume_a="pos")
        return cls(K, y, float(value), vector[:, 0], RIDGE / 2 * float(y @ solved))


def errors(whole: Whole, landmarks: np.ndarray) -> dict[str, float]:
    """What some landmarks miss, in three ways.

    Parameters
    ----------
    whole : Whole
    landmarks : ndarray (m,) of int
        A landmark may stand among them more than once.

    Returns
    -------
    dict
        ``component``: the spectral norm of the difference of the best matrix of rank
        one and that of the landmarks, over n; ``matrix``: of that of K and of its
        Nyström approximation, over n; ``objective``: by how much the least value of
        ``ridge / 2 |f|^2 + sum (f(x_i) - y_i)^2 / (2 n)`` grows where f is in the span
        of the landmarks.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((40, 2))
    >>> whole = Whole.of(X, X[:, 0], 0.5)
    >>> found = errors(whole, np.arange(40))
    >>> all(value < 1e-6 for value in found.values())
    True
    """
    K, n = whole.K, len(whole.K)
    C = K[:, landmarks]
    values, vectors = np.linalg.eigh(C[landmarks])
    kept = values > 1e-10 * values[-1]
    Z = C @ (vectors[:, kept] / np.sqrt(values[kept]))
    pair = np.column_stack([Z[:, -1], np.sqrt(whole.value) * whole.vector])
    first, best = np.linalg.qr(pair)[1].T
    component = np.linalg.norm(np.outer(first, first) - np.outer(best, best), 2)
    return {
        "component": float(component) / n,
        "matrix": _largest(lambda v: K @ v - Z @ (Z.T @ v), n) / n,
        "objective": _objective(Z, whole.y) - whole.objective,
    }


def _largest(times, n):
    multiplied = scipy.sparse.linalg.LinearOperator((n, n), matvec=times, dtype=float)
    options = {"k": 1, "tol": 1e-3, "return_eigenvectors": False}
    start = np.random.default_rng(0).standard_normal(n)
    found = scipy.sparse.linalg.eigsh(multiplied, v0=start, **options)
    return max(float(found[0]), 0.0)


def _objective(Z, y):
    """The least value on features Z: ``ridge / 2 y' (Z Z' + ridge n)^-1 y``."""
    shift = RIDGE * len(y)
    told = Z.T @ y
    solved = np.linalg.solve(Z.T @ Z + shift * np.eye(Z.shape[1]), told)
    return RIDGE / 2 * float(y @ y - told @ solved) / shift


def slope(counts: Sequence[int], values: Sequence[float]) -> float:
    """The slope of logarithms: ``values ~ counts ** slope``.

    Examples
    --------
    >>> round(slope([1, 2, 4], [8.0, 4.0, 2.0]), 6)
    -1.0
    """
    return float(np.polyfit(np.log(counts), np.log(values), 1)[0])


def slopes(whole: Whole, rng, counts: Sequence[int] = GRID) -> dict[str, float]:
    """How errors fall with landmarks that are drawn independently.

    Parameters
    ----------
    whole : Whole
    rng : numpy.random.Generator
    counts : sequence of int

    Returns
    -------
    dict
        A slope for each error of `errors`.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((60, 5))
    >>> whole = Whole.of(X, X[:, 0], 0.5)
    >>> found = slopes(whole, np.random.default_rng(0), [4, 8, 16])
    >>> all(value < 0 for value in found.values())
    True
    """
    each = [errors(whole, rng.integers(len(whole.K), size=m)) for m in counts]
    return {name: slope(counts, [row[name] for row in each]) for name in each[0]}


def verdict(low: float, high: float) -> str:
    """What an interval for a slope says of the powers -1/2 and -1.

    Examples
    --------
    >>> verdict(-1.2, -0.4), verdict(-1.2, -0.9), verdict(-0.9, -0.7)
    ('undecided', '-1', 'between')
    """
    held = [told for x, told in ((-0.5, "-1/2"), (-1, "-1")) if low <= x <= high]
    if held:
        return held[0] if len(held) == 1 else "undecided"
    return "faster" if high < -1 else "slower" if low > -0.5 else "between"
