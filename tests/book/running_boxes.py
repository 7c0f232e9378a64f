"""What runs an algorithm box, by its label, and small matrices for it."""

import numpy as np

DRIVERS, WORK = {}, {}


def runs(label):
    """A function that does the steps of a box and compares what they give."""

    def enter(function):
        assert label not in DRIVERS, label
        DRIVERS[label] = function
        return function

    return enter


def counts(label, **sizes):
    """A function of sizes that counts what a box costs, by what is counted."""

    def enter(function):
        WORK[label] = function, sizes
        return function

    return enter


def close(found, expected):
    """Equal up to rounding."""
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


SAMPLE = [0, 3, 5]


def matrix(n=9, seed=0):
    """A positive definite matrix, of which the first directions are the largest."""
    X = np.random.default_rng(seed).standard_normal((n, n))
    return X @ np.diag(4.0 ** -np.arange(n)) @ X.T + 1e-3 * np.eye(n)


def core(K, S):
    """The entries at the landmarks."""
    return K[np.ix_(S, S)]


def leading(A, k):
    """The largest eigenvalues, in descending order, with their vectors."""
    values, vectors = np.linalg.eigh(A)
    return values[::-1][:k], vectors[:, ::-1][:, :k]
