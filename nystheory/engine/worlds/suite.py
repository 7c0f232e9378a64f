"""Matrices that are known to be awkward, and random ones for the search for worse."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np
import scipy.linalg

from nystheory import datasets, kernels
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.worlds import Draw, Moments


def stress_suite(rng: np.random.Generator, size: int = 40) -> list[Instance]:
    """Every kind of matrix that has broken an implementation or a statement.

    Kernels on real data; exact low rank, coherent (equation (5.1)) and incoherent;
    fast and slow spectra with low and high coherence; constant and wildly varying
    diagonal; repeated points; a singular core; rank below k; tiny and huge scale;
    n = 1; the zero matrix.  Each comes with several landmarks and ranks: one
    column, a few with full and with truncated rank, all columns, repeated ones.

    Parameters
    ----------
    rng : numpy.random.Generator
    size : int
        Size n of the larger matrices.

    Returns
    -------
    list of Instance
    """
    suite = []
    for name, K, X in _matrices(rng, size):
        for landmarks, rank in _selections(len(K), rng):
            suite.append(Instance(K, landmarks, rank, X=X, name=name))
    return suite


def _matrices(rng, size):
    digits = datasets.digits().X[:size]
    cancer = datasets.breast_cancer().X[:size]
    yield "digits, RBF", kernels.rbf(digits).dense(), None
    yield "digits, linear", kernels.linear(digits).dense(), digits.T
    yield "breast cancer, RBF", kernels.rbf(cancer).dense(), None
    for name, X in _points(rng, size):
        yield name, X.T @ X, X


def _points(rng, n):
    """Named matrices of points as columns, (N, n)."""
    orthogonal = _orthogonal(n, rng)
    geometric, polynomial = 0.6 ** np.arange(n), 1.0 / np.arange(1, n + 1)
    low = rng.standard_normal((5, n))
    signs = scipy.linalg.hadamard(16)[:4].astype(float)
    yield "rank 5", low
    yield "rank 4, incoherent", signs
    yield "identity block (5.1)", np.eye(n)[:4]
    yield "geometric spectrum", np.sqrt(geometric)[:, None] * orthogonal
    yield "geometric spectrum, coherent", np.diag(np.sqrt(geometric))
    yield "slow spectrum", np.sqrt(polynomial)[:, None] * orthogonal
    yield "slow spectrum, coherent", np.diag(np.sqrt(polynomial))
    yield "constant diagonal", low / np.linalg.norm(low, axis=0)
    yield "wild diagonal", low * 10.0 ** rng.uniform(-3, 3, n)
    yield "repeated points", np.repeat(low[:, : n // 4], 4, axis=1)
    yield "clusters", np.repeat(np.eye(3), (n // 2, n // 3, n // 6), axis=1)
    yield "integers", rng.integers(-2, 3, (6, 12)).astype(float)
    yield "rank 1", np.ones((1, n))
    yield "tiny", 1e-8 * low
    yield "huge", 1e8 * low
    yield "n = 1", np.array([[3.0]])
    yield "zero", np.zeros((1, 5))


def _selections(n, rng):
    """Landmarks and ranks to try on a matrix of size n."""
    few = max(1, n // 4)
    yield rng.choice(n, 1), 1
    yield rng.choice(n, few, replace=False), few
    yield rng.choice(n, few, replace=False), max(1, few // 2)
    yield rng.permutation(n), n
    yield rng.permutation(n), max(1, n // 2)
    yield rng.choice(max(1, n // 6), few), max(1, few // 2)


def _orthogonal(n, rng):
    return np.linalg.qr(rng.standard_normal((n, n)))[0]


def random_instance(rng: np.random.Generator) -> Instance:
    """A small instance from one of several families, for the adversary to start at.

    Small sizes are where extremal cases live and where a search is cheap.
    """
    if rng.random() < 0.3:
        return _balanced_clusters(rng)
    n = int(rng.integers(1, 8))
    N = int(rng.integers(1, n + 2))
    X = _FAMILIES[rng.integers(len(_FAMILIES))](N, n, rng)
    l = int(rng.integers(1, n + 1))  # noqa: E741
    repeated = rng.random() < 0.15
    landmarks = rng.choice(n, l, replace=repeated)
    return Instance.from_points(X, landmarks, int(rng.integers(1, l + 1)), "search")


def _balanced_clusters(rng):
    """Clusters of very different sizes, of which the sample sees as much of each.

    The order of the clusters in the sample is then decided by small differences
    in length and need not be their order in the matrix: the extremal case of
    bounds that compare a matrix with its sample.
    """
    count = int(rng.integers(2, 4))
    sizes = rng.integers(1, 8, count) ** rng.integers(1, 3)
    lengths = 1 + 0.05 * rng.standard_normal(count)
    X = np.repeat(np.diag(lengths), sizes, axis=1)
    starts = np.cumsum(sizes) - sizes
    rank = int(rng.integers(1, count + 1))
    return Instance.from_points(X, starts, rank, "search, clusters")


def _gaussian(N, n, rng):
    return rng.standard_normal((N, n))


def _integer(N, n, rng):
    return rng.integers(-2, 3, (N, n)).astype(float)


def _graded(N, n, rng):
    return rng.standard_normal((N, n)) * 10.0 ** rng.uniform(-2, 2, n)


def _clustered(N, n, rng):
    """Points on orthogonal axes, with lengths of their own axis."""
    return (np.eye(N) * rng.uniform(0.5, 2, N))[:, rng.integers(N, size=n)]


def _near_clusters(N, n, rng):
    return _clustered(N, n, rng) + 0.01 * rng.standard_normal((N, n))


def _collinear(N, n, rng):
    return np.outer(rng.standard_normal(N), rng.standard_normal(n))


_FAMILIES = (_gaussian, _integer, _graded, _clustered, _near_clusters, _collinear)


def integer_instances(rng: np.random.Generator, count: int) -> Iterator[Instance]:
    """Small instances of integers, for checks in exact arithmetic.

    First every one with points in {0, 1}^(2 x 3) and every non-empty set of
    landmarks with k = l, then `count` random ones with entries up to 2.
    """
    for bits in range(2**6):
        X = np.array([bits >> i & 1 for i in range(6)], dtype=float).reshape(2, 3)
        for mask in range(1, 8):
            landmarks = [i for i in range(3) if mask >> i & 1]
            yield Instance.from_points(X, landmarks, len(landmarks), "0-1, 2 x 3")
    for _ in range(count):
        n = int(rng.integers(1, 6))
        X = rng.integers(-2, 3, (int(rng.integers(1, n + 1)), n))
        l = int(rng.integers(1, n + 1))  # noqa: E741
        landmarks = rng.choice(n, l, replace=False)
        rank = int(rng.integers(1, l + 1))
        yield Instance.from_points(X, landmarks, rank, "integers")


def perturbed(instance, rng: np.random.Generator, step: float):
    """A neighbour of an instance: points moved, a landmark swapped, or k changed.

    What else the world speaks of moves too, so that a competitor is part of the
    search; where its shape may no longer fit it is dropped, to be drawn afresh.
    """
    if not isinstance(instance, Instance):
        return instance.but(**_moved_parts(instance, rng, step))
    choice = rng.random()
    if choice < 0.15:
        landmarks = instance.landmarks.copy()
        landmarks[rng.integers(len(landmarks))] = rng.integers(instance.n)
        return instance.bare.but(landmarks=landmarks)
    if choice < 0.2:
        return instance.bare.but(rank=int(rng.integers(1, instance.l + 1)))
    if instance.given and choice < 0.6:
        return instance.but(**_moved_parts(instance, rng, step))
    return instance.but(X=_moved(instance.points, rng, step))


def _moved_parts(instance, rng, step) -> dict:
    """What an instance brings, moved; what counts something stays."""
    sizes, moved = set(instance.sizes), {}
    for name, value in instance.given.items():
        if isinstance(instance.parts[name], (Draw, Moments)):  # a law moves them
            moved[name] = value
        elif np.ndim(value) == 0:
            moved[name] = _moved_number(value, instance.parts[name].range, rng, step)
        elif name not in sizes or isinstance(instance, Instance):
            moved[name] = _moved(value, rng, step)
    if not isinstance(instance, Instance):
        moved |= {name: x for name, x in instance.given.items() if name in sizes}
    return moved


def _moved_number(value, range, rng, step) -> float:
    """By a factor; now and then to an end of its range, or beyond.

    What lies beyond is dropped where a hypothesis forbids it.
    """
    choice = rng.random()
    if "floor" in range:  # it counts something
        return value
    if choice > 0.15:
        return value * np.exp(step * rng.standard_normal())
    end = float(rng.choice(_ends(range) or [0]))
    return end if choice < 0.1 else end + rng.choice([-1, 1]) * abs(value)


def _ends(range) -> list[float]:
    """The numbers that stand in a range, with their signs."""
    nodes = [*ast.walk(ast.parse(range))]
    below = [n.operand for n in nodes if isinstance(n, ast.UnaryOp)]
    plain = [n for n in nodes if isinstance(n, ast.Constant) and n not in below]
    return [n.value for n in plain] + [-n.value for n in below]


def _moved(array, rng, step):
    """Noise on all entries, on one, or a factor on one column or row."""
    array = np.array(array, dtype=float)
    size = np.abs(array).max(initial=0.0) or 1.0
    kind = rng.random()
    if kind < 0.4:
        return array + step * size * rng.standard_normal(array.shape)
    if kind < 0.7:
        index = tuple(rng.integers(d) for d in array.shape)
        array[index] += step * size * rng.standard_normal()
        return array
    column = rng.integers(array.shape[-1])
    array[..., column] *= np.exp(step * rng.standard_normal())
    return array


def small_instances(rng: np.random.Generator, most: int = 6) -> Iterator[Instance]:
    """Matrices of the kinds in the stress suite, small enough to list all samples.

    Each comes with every number of landmarks l up to n, and a rank k <= l.
    """
    for name, X in _small_points(rng, most):
        n = X.shape[1]
        for l in range(1, n + 1):  # noqa: E741
            landmarks = rng.choice(n, l, replace=False)
            rank = int(rng.integers(1, l + 1))
            yield Instance.from_points(X, landmarks, rank, name)


def _small_points(rng, n):
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    low = rng.standard_normal((3, n))
    yield "general", rng.standard_normal((n, n))
    yield "rank 3", low
    yield "rank 1", np.ones((1, n))
    yield "geometric spectrum", 0.3 ** np.arange(n)[:, None] * basis
    yield "geometric spectrum, coherent", np.diag(0.3 ** np.arange(n))
    yield "constant diagonal", low / np.linalg.norm(low, axis=0)
    yield "wild diagonal", rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-2, 2, n)
    yield "repeated points", np.repeat(low[:, : n // 2], 2, axis=1)
    yield "clusters", np.repeat(np.diag([1.0, 2, 3]), (n - 3, 2, 1), axis=1)
    yield "one point far away", np.diag(np.r_[np.ones(n - 1), 100.0])
    yield "tiny", 1e-8 * low
    yield "huge", 1e8 * low
    yield "integers", rng.integers(-2, 3, (4, n)).astype(float)
    yield "n = 1", np.array([[3.0]])
    yield "zero", np.zeros((1, 3))
