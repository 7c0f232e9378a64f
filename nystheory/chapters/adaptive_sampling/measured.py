"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.findings.schemes import SHARE, largest_gamma

# ---- landmarks in clusters ----

PLANE, ROOM, AGAIN = (280, 80, 30, 10), 12, 8
MIXED = "mixed"


def clusters(size: int, rng, sizes=PLANE, gamma: float = 0.5) -> kernels.PointKernel:
    """Clusters in the plane, of these sizes, and a Gaussian kernel.

    Examples
    --------
    >>> clusters(400, np.random.default_rng(0)).n
    400
    """
    parts = np.array(sizes) * size // sum(sizes)
    X = uneven_clusters(tuple(map(int, parts)), int(rng.integers(2**31)))
    return kernels.rbf(X, gamma)


def even_clusters(size: int, rng) -> kernels.PointKernel:
    """The same with clusters of one size."""
    return clusters(size, rng, (1, 1, 1, 1))


def narrow(size: int, rng) -> kernels.PointKernel:
    """The same with a narrower kernel."""
    return clusters(size, rng, gamma=2.0)


def digits_in_plane(size: int, rng) -> kernels.PointKernel:
    """The two leading principal coordinates of some digits, scaled to variance one."""
    X = datasets.digits().X
    X = X[rng.permutation(len(X))[:size]]
    U, _, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return kernels.rbf(U[:, :2] * np.sqrt(size), 0.5)


def mixed(K, n_landmarks: int, rng) -> list[int]:
    """Adapt-Part with its probabilities mixed with uniform ones, half and half.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    n_landmarks : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 2.0, 1.0]))
    >>> sorted(mixed(K, 3, np.random.default_rng(0)))
    [0, 1, 2]
    """
    batch = -(-n_landmarks // 10)
    chosen = [int(j) for j in rng.choice(K.n, batch, replace=False)]
    while len(chosen) < n_landmarks:
        p = 0.5 * sampling.update_probability_partial(K, chosen)
        p[np.setdiff1d(np.arange(K.n), chosen)] += 0.5 / (K.n - len(chosen))
        size = min(batch, n_landmarks - len(chosen))
        chosen += [int(j) for j in rng.choice(K.n, size, replace=False, p=p)]
    return chosen


def of_clusters(trial) -> dict:
    """Percent of the trace that is missed, in the mean of some samples."""
    K = trial.known
    scheme = mixed if trial.run == MIXED else sampling.SCHEMES[trial.run]
    times = 1 if trial.run == "incomplete_cholesky" else AGAIN
    errors = [
        lowrank.nystrom(K, scheme(K, ROOM, trial.rng)).error(K, "trace")
        for _ in range(times)
    ]
    return {"missed": 100 * float(np.mean(errors)) / K.diagonal().sum()}


# ---- six schemes ----

RANK, PERCENTS = 20, (5, 10, 20)
# Samples of each draw, of which means are taken; those of greedy schemes vary little.
SAMPLES = {"incomplete_cholesky": 1, "sgma": 1}
CUTS = {"accuracy": "core", "after": "approximation"}


def digits(size: int, rng) -> kernels.PointKernel:
    """Some of the digits, with a linear kernel."""
    return kernels.linear(_some(datasets.digits().X, size, rng))


def digits_rbf(size: int, rng) -> kernels.PointKernel:
    """Some of the digits, with the narrowest Gaussian kernel of the rule."""
    return _narrowest(_some(datasets.digits().X, size, rng))


def photographs(size: int, rng) -> kernels.PointKernel:
    """Some patches of two photographs, with a linear kernel."""
    return kernels.linear(_some(datasets.patches(4000, 16).X, size, rng))


def photographs_rbf(size: int, rng) -> kernels.PointKernel:
    """Some smaller patches, with the narrowest Gaussian kernel of the rule."""
    return _narrowest(_some(datasets.patches(4000, 8).X, size, rng))


def cells(size: int, rng) -> kernels.PointKernel:
    """Some cell samples, with the narrowest Gaussian kernel of the rule."""
    return _narrowest(_some(datasets.breast_cancer().X, size, rng))


def documents(size: int, rng) -> kernels.PointKernel:
    """Generated documents, with a linear kernel: a slowly decaying spectrum."""
    return kernels.linear(datasets.documents(size, 1000, rng).X)


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


def _narrowest(X):
    """Of which the leading eigenvalues still hold their share of the trace."""
    return kernels.rbf(X, largest_gamma(X, RANK, SHARE, step=1e-3))


@dataclass(frozen=True, eq=False)
class Judge:
    """A matrix, with its points and stored, and the least error at the rank.

    Attributes
    ----------
    K : PointKernel (n, n)
    dense : ndarray (n, n)
    least : float
    """

    K: kernels.PointKernel
    dense: np.ndarray
    least: float

    def accuracy(self, approximation) -> float:
        """The relative accuracy, in percent."""
        made = approximation.spectral_reconstruction()
        return 100 * self.least / float(np.linalg.norm(self.dense - made))


def judge(K, rng):
    """Who judges the schemes."""
    dense = K.dense()
    least = lowrank.best_rank_k(dense, RANK).error(dense)
    return Judge(K, dense, least), None


def along_percents(trial) -> dict:
    """Accuracies with either cut, and entries, for each percentage of the columns.

    Loss and gain are from the first percentage to the second.
    """
    counts = [x * trial.known.K.n // 100 for x in PERCENTS]
    times = SAMPLES.get(trial.run, 3)
    rows = [[_with(trial, count) for _ in range(times)] for count in counts]
    found = {
        name: [float(np.mean([each[name] for each in row])) for row in rows]
        for name in rows[0][0]
    }
    found["loss"] = found["accuracy"][0] - found["accuracy"][1]
    found["gain"] = found["after"][1] - found["after"][0]
    return found


def _with(trial, count):
    """The same for one number of columns; columns are asked for once."""
    of, name = trial.known, trial.run
    # A kernel of its own: no scheme finds what another has computed.
    source = of.K if name == "kmeans" else kernels.DenseKernel(of.dense)
    before = source.entries_asked
    with warnings.catch_warnings():
        # Where the rank of K is below l, a scheme ends early.
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        S = sampling.SCHEMES[name](source, count, trial.rng)
    made, asked = {}, 0.0
    for field, cut in CUTS.items():
        rank = min(RANK, len(S))
        if S.factor is not None:
            made[field] = of.accuracy(lowrank.from_factor(S, rank, cut))
        else:
            made[field] = of.accuracy(lowrank.nystrom(source, S, rank, cut))
        asked = asked or (source.entries_asked - before) / of.K.n**2
    return made | {"entries": asked}
