"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters.projection_or_reconstruction.experiments import (
    METHODS,
    chance_nothing_is_dark,
    columns_needed,
    recovery_share,
)

# ---- points, and matrices, of which every draw is another one ----


def some_digits(size: int, rng) -> np.ndarray:
    """Some of the digits."""
    return _some(datasets.digits().X, size, rng)


def some_patches(size: int, rng, side: int = 16) -> np.ndarray:
    """Some patches of two photographs."""
    return _some(datasets.patches(4000, side).X, size, rng)


def some_cells(size: int, rng) -> np.ndarray:
    """Some cell samples."""
    return _some(datasets.breast_cancer().X, size, rng)


def some_documents(size: int, rng) -> np.ndarray:
    """Generated documents."""
    return datasets.documents(size, 2000, rng).X


def some_noise(size: int, rng) -> np.ndarray:
    """Gaussian points in twenty dimensions."""
    return rng.standard_normal((size, 20))


small_patches = partial(some_patches, side=8)


def linear(size: int, rng, points) -> kernels.DenseKernel:
    """A linear kernel matrix of points that are drawn."""
    X = points(size, rng)
    return kernels.DenseKernel(X @ X.T)


def gaussian(size: int, rng, points) -> kernels.DenseKernel:
    """A Gaussian one, of the usual width."""
    return kernels.DenseKernel(kernels.rbf(points(size, rng)).dense())


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


# ---- one row ----


@dataclass(frozen=True, eq=False)
class Row:
    """A matrix, its landmarks, and the row that is far from all of them."""

    K: kernels.DenseKernel
    landmarks: np.ndarray
    row: int


def on_a_line(size: int, rng, count: int = 3, gamma: float = 8.0) -> Row:
    """Points from 0 to 1, a Gaussian kernel, a few uniform columns.

    Examples
    --------
    >>> on_a_line(20, np.random.default_rng(0)).K.n
    20
    """
    place = np.linspace(0, 1, size)[:, None]
    return _row(kernels.DenseKernel(kernels.rbf(place, gamma).dense()), count, rng)


def _row(K, count, rng):
    landmarks = sampling.uniform(K, count, rng).indices
    likest = K.dense()[:, landmarks].max(axis=1)
    middle = np.arange(K.n // 4, K.n - K.n // 4)
    return Row(K, landmarks, int(middle[np.argmin(likest[middle])]))


def of_a_row(trial) -> dict:
    """Logarithms to base 10 of the errors of the row, over its norm."""
    drawn = trial.known
    made = METHODS[trial.run](drawn.K, drawn.landmarks)
    true = drawn.K.dense()[drawn.row]
    both = made.matrix_projection(drawn.K), made.spectral_reconstruction()
    off = [np.linalg.norm(M[drawn.row] - true) / np.linalg.norm(true) for M in both]
    return {"projected": np.log10(off[0]), "rebuilt": np.log10(off[1])}


# ---- methods, with more and more columns, and with other ranks ----

PER_RANK, PERCENTS = 20, (5, 10, 20, 40)
PERCENT, RANKS = 20, (2, 4, 8, 16, 32)


@dataclass(frozen=True, eq=False)
class Judge:
    """A matrix, samples of its columns, and the least errors.

    Attributes
    ----------
    K : DenseKernel (n, n)
    samples : list of ndarray
        Uniform columns, the same for all methods.
    spectrum : ndarray (n,)
        From the largest eigenvalue on.
    """

    K: kernels.DenseKernel
    samples: list[np.ndarray]
    spectrum: np.ndarray

    def accuracy(self, M: np.ndarray, rank: int) -> float:
        """The relative accuracy (2.24) of a matrix of this rank, in percent."""
        least = np.linalg.norm(self.spectrum[rank:])
        return 100 * least / float(np.linalg.norm(self.K.dense() - M))


def judge(K, rng, percents=PERCENTS):
    """Columns in these percentages, and who judges."""
    samples = [sampling.uniform(K, x * K.n // 100, rng).indices for x in percents]
    spectrum = np.linalg.eigvalsh(K.dense())[::-1]
    return Judge(K, samples, spectrum), None


def judge_ranks(K, rng):
    """Two samples of a fifth of the columns, and who judges."""
    return judge(K, rng, (PERCENT, PERCENT))


def along_percents(trial) -> dict:
    """Accuracies under both measures, for each percentage of the columns."""
    of, rank = trial.known, trial.known.K.n // PER_RANK
    made = [METHODS[trial.run](of.K, S, rank) for S in of.samples]
    return {
        field: [of.accuracy(getattr(each, how)(*with_K), rank) for each in made]
        for field, how, with_K in (
            ("projection", "matrix_projection", (of.K,)),
            ("reconstruction", "spectral_reconstruction", ()),
        )
    }


def along_ranks(trial) -> dict:
    """Accuracies of the reconstruction for each rank, means of the samples."""
    of, found = trial.known, []
    for rank in RANKS:
        made = [METHODS[trial.run](of.K, S, rank) for S in of.samples]
        some = [of.accuracy(x.spectral_reconstruction(), rank) for x in made]
        found.append(float(np.mean(some)))
    return {"reconstruction": found}


# ---- columns that are needed, for more and more points ----

SIZES, FIXED, TARGET = (120, 240, 480), 20, 0.75


def nested(size: int, rng, points, kernel=linear) -> list[kernels.DenseKernel]:
    """Kernel matrices of more and more of the same points, up to all of them."""
    X = points(size, rng)
    parts = [lambda m, _, upto=m: X[:upto] for m in SIZES]
    return [kernel(m, rng, part) for m, part in zip(SIZES, parts, strict=True)]


def along_sizes(trial) -> dict:
    """Columns needed for 75 percent of the accuracy, and how their number grows.

    The growth is from one size to the next, and 1 at the first, which has none before.
    """
    needed = []
    for K in trial.known:
        best = lowrank.best_rank_k(K, FIXED)
        orders = [trial.rng.permutation(K.n) for _ in range(3)]
        some = [columns_needed(K, order, best, TARGET) for order in orders]
        needed.append(float(np.mean(some)))
    growth = np.array(needed[1:]) / needed[:-1]
    return {
        "needed": needed,
        "share": 100 * np.array(needed) / SIZES,
        "growth": [1.0, *growth],
    }


# ---- exact recovery ----

PARTS, TRIALS = (5, 10, 20, 40, 60, 80, 90), 40
EXACT, DARK, LINE = "exact", "dark", "line"


def zeros_and_ones(size: int, rng) -> np.ndarray:
    """Some of the digits 0 and 1."""
    data = datasets.digits()
    return _some(data.X[data.y <= 1], size, rng)


def along_parts(trial) -> dict:
    """How often a sample determines the matrix, in percent, and how near it comes."""
    X, share = trial.known, np.array(PARTS) / 100
    if trial.run == LINE:
        return {"exact": 100 * share}
    if trial.run == DARK:
        return {"exact": 100 * chance_nothing_is_dark(X, share)}
    counts = [part * len(X) // 100 for part in PARTS]
    seed = int(trial.rng.integers(2**31))
    exact = 100 * recovery_share(X, counts, TRIALS, seed)
    errors = [_missed(X, trial.rng.permutation(len(X))[:count]) for count in counts]
    return {"exact": exact, "error": errors}


def _missed(X, S):
    """The relative Frobenius error of the Nyström approximation, in percent.

    ``K - K~ = Y Y^T`` with the parts Y of the points that the sampled ones do not span.
    """
    _, s, V = np.linalg.svd(X[S], full_matrices=False)
    V = V[s > 1e-10 * s[0]]
    Y = X - (X @ V.T) @ V
    return 100 * float(np.linalg.norm(Y.T @ Y) / np.linalg.norm(X.T @ X))
