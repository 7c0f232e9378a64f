"""What is said of the error of growing samples, by whom, and where a bound is lost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import eigsh

from nystheory import certificates, datasets, kernels, lowrank
from nystheory.chapters.error_bounds.error_sweeps import where_it_lies
from nystheory.chapters.error_bounds.promised import (
    PRINTED,
    PROVED,
    RANK,
    Paths,
    best,
    first,
    know,
    paths,
    promises,
    sizes,
)
from nystheory.engine.worlds.concentration import distances
from nystheory.engine.worlds.instances import Instance

COUNTS = (25, 50, 100, 200)
CUT_COUNTS = (50, 100, 200)
# Where the distance lies is asked with so many columns.
AT = 100
# The error is small when it is at most this share of the norm.
SMALL = 0.1

# ---- matrices of which every draw is another one ----


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


def patches(size: int, rng) -> kernels.DenseKernel:
    """Some patches of 16 x 16 pixels of two photographs, with a linear kernel."""
    X = _some(datasets.patches(4000, 16).X, size, rng)
    return kernels.DenseKernel(X @ X.T)


def digits(size: int, rng) -> kernels.DenseKernel:
    """Some of the digits, with a Gaussian kernel."""
    return kernels.DenseKernel(
        kernels.rbf(_some(datasets.digits().X, size, rng)).dense()
    )


def documents(size: int, rng) -> kernels.DenseKernel:
    """Generated documents, with a linear kernel."""
    X = datasets.documents(size, 5000, rng).X
    return kernels.DenseKernel(X @ X.T)


def cells(size: int, rng) -> kernels.DenseKernel:
    """Some of the cell samples, with a Gaussian kernel."""
    X = _some(datasets.breast_cancer().X, size, rng)
    return kernels.DenseKernel(kernels.rbf(X).dense())


def gaussian(size: int, rng) -> kernels.DenseKernel:
    """Gaussian points in five dimensions, with a Gaussian kernel."""
    return kernels.DenseKernel(kernels.rbf(rng.standard_normal((size, 5))).dense())


# ---- full rank: before and afterwards ----


@dataclass(frozen=True, eq=False)
class Seen:
    """A matrix, and a sample that grows by one column after the other.

    Attributes
    ----------
    K : DenseKernel
    known : Instance
        What bounds read.
    order : ndarray (n,)
        The columns as they are drawn.
    path : Paths
        The errors on the way.
    """

    K: kernels.DenseKernel
    known: Instance
    order: np.ndarray
    path: Paths

    @property
    def size(self) -> float:
        """The Frobenius norm of K."""
        return sizes(self.known)["F"]


def growing(K: kernels.DenseKernel, rng) -> tuple:
    """Draw all columns, one after the other."""
    seed = int(rng.integers(2**32))
    path = paths(K, 1, np.random.default_rng(seed))
    order = np.random.default_rng(seed).permutation(K.n)
    return Seen(K, know(K), order, path), None


def observed(seen: Seen, count: int) -> float:
    """The error."""
    return float(seen.path.frobenius[0, count])


def certified(seen: Seen, count: int) -> float:
    """The trace certificate."""
    return float(seen.path.trace[0, count])


def left_out(seen: Seen, count: int) -> float:
    """The root of the estimate that leaves one column out."""
    found = certificates.leave_one_out_frobenius(seen.K, seen.order[:count])
    return math.sqrt(found.value)


def proved(seen: Seen, count: int) -> float:
    """The proved bound."""
    return promises(seen.known, count, count)[PROVED, "F"]


def said_of_error(trial) -> dict:
    """Each number in percent of the norm, and the columns until it is small.

    Where the certificate speaks, also how many directions the samples miss: the square
    of the trace of the error over its Frobenius norm.
    """
    seen, run = trial.known, trial.run
    found = {"said": [100 * run(seen, count) / seen.size for count in COUNTS]}
    if run in (observed, certified, proved):
        count = first(lambda m: run(seen, m) <= SMALL * seen.size, seen.K.n)
        found["asked"] = 100 * count / seen.K.n
    if run is certified:
        loose = [run(seen, count) / observed(seen, count) for count in COUNTS]
        found["missed"] = [ratio**2 for ratio in loose]
    return found


# ---- rank 25: where a bound is lost ----


def cut(K: kernels.DenseKernel, rng) -> tuple:
    """A matrix, what bounds read of it, and columns in random order."""
    return (K, know(K), rng.permutation(K.n)), None


def of_sample(K, known, order, count) -> dict:
    """The errors of a sample, and where its covariance differs."""
    dense = K.dense()
    F = lowrank.nystrom(K, order[:count], RANK).factor
    left, start = dense - F @ F.T, np.ones(len(dense))
    top = eigsh(left, 1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)
    size, tail = sizes(known), best(known, RANK)
    return {
        "excess": 100 * (float(top[0]) - tail["2"]) / size["2"],
        "error": 100 * float(np.linalg.norm(left)) / size["F"],
    }


def of_best(K, known, order, count) -> dict:
    """The error of the best matrix of rank 25."""
    return {"error": 100 * best(known, RANK)["F"] / sizes(known)["F"]}


def of_distance(K, known, order, count) -> dict:
    """What the lemma makes of the distance of the two covariances."""
    dense = K.dense()
    often = np.bincount(order[:count], minlength=len(dense))
    far = float(distances(dense, often)[0])
    return {"excess": 100 * math.sqrt(2) * far / sizes(known)["2"]}


def of_proof(K, known, order, count) -> dict:
    """What is proved."""
    return _promised(known, count, PROVED)


def of_print(K, known, order, count) -> dict:
    """What is printed."""
    return _promised(known, count, PRINTED)


def _promised(known, count, whose):
    said, size, tail = promises(known, count, RANK), sizes(known), best(known, RANK)
    return {
        "excess": 100 * (said[whose, "2"] - tail["2"]) / size["2"],
        "error": 100 * said[whose, "F"] / size["F"],
    }


def lost_on_the_way(trial) -> dict:
    """Errors and excesses with each number of columns."""
    rows = [trial.run(*trial.known, count) for count in CUT_COUNTS]
    return {name: [row[name] for row in rows] for name in rows[0]}


def shares(K: kernels.DenseKernel, rng) -> tuple:
    """Where the squared distance lies, for `AT` columns."""
    return where_it_lies(K, AT, rng), None


def where(trial) -> dict:
    """One of the shares, in percent."""
    return {"share": 100 * trial.known[trial.run]}
