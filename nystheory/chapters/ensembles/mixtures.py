"""What mixtures of experts gain, and at what price.

Figures 4.5 to 4.8 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from nystheory import datasets, ensemble, kernels, lowrank, sampling

# Columns of an expert in percent of n, as in the thesis; n over the rank of an expert;
# validation columns, and as many hold-out columns.
SHARE, PER_RANK, VALIDATION = 3, 40, 20
COUNTS, TEN = (2, 4, 10, 20, 30), 10
SIZES = (5, 10, 25, 50)
BEST, MEAN = "best base learner", "mean base learner"


# ---- matrices ----


@dataclass(frozen=True, eq=False)
class Drawn:
    """A stored kernel matrix, and of what experts are made.

    Attributes
    ----------
    K : DenseKernel (n, n)
    lazy : PointKernel (n, n)
        The same, with its points.
    n_landmarks, rank : int
        The number l of columns of an expert, and its rank k.
    """

    K: kernels.DenseKernel
    lazy: kernels.PointKernel
    n_landmarks: int
    rank: int


def drawn_from(K: kernels.PointKernel) -> Drawn:
    """A matrix with experts of the share of columns that the page has.

    Examples
    --------
    >>> some = drawn_from(kernels.linear(np.eye(200)))
    >>> some.n_landmarks, some.rank
    (6, 5)
    """
    columns, rank = SHARE * K.n // 100, K.n // PER_RANK
    return Drawn(kernels.DenseKernel(K.dense()), K, columns, rank)


def digits(size: int, rng, rbf: bool = True, narrower: float = 1.0) -> Drawn:
    """Some of the digits, with a Gaussian or a linear kernel.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    rbf : bool
    narrower : float
        A factor of gamma.
    """
    X = _some(datasets.digits().X, size, rng)
    if not rbf:
        return drawn_from(kernels.linear(X))
    gamma = kernels.rbf(X).parameters["gamma"]
    return drawn_from(kernels.rbf(X, narrower * gamma))


def cells(size: int, rng) -> Drawn:
    """Some of the cell samples, with a Gaussian kernel."""
    return drawn_from(kernels.rbf(_some(datasets.breast_cancer().X, size, rng)))


def photographs(size: int, rng) -> Drawn:
    """Some patches of 16 x 16 pixels of two photographs, with a linear kernel."""
    return drawn_from(kernels.linear(_some(datasets.patches(4000, 16).X, size, rng)))


def documents(size: int, rng) -> Drawn:
    """Generated documents, with a linear kernel: a slowly decaying spectrum."""
    return drawn_from(kernels.linear(datasets.documents(size, 5000, rng).X))


def forty_columns(size: int, rng, make, gamma=None) -> Drawn:
    """Points with a Gaussian kernel, and experts as large as those of the race."""
    K = kernels.rbf(_some(make(), size, rng), gamma)
    return Drawn(kernels.DenseKernel(K.dense()), K, 40, 30)


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


# ---- what all of them start from ----


@dataclass(frozen=True, eq=False)
class Given:
    """Experts, and what they get wrong: the same for all who compete.

    Attributes
    ----------
    drawn : Drawn
    columns : list of ndarray (l,)
        Of each expert, disjoint.
    made : list of LowRank
    unseen : ndarray
        The columns that no expert has, in random order.
    every : Validation
        Of all columns.
    """

    drawn: Drawn
    columns: list[np.ndarray]
    made: list[lowrank.LowRank]
    unseen: np.ndarray
    every: ensemble.Validation

    @classmethod
    def of(cls, drawn: Drawn, rng: np.random.Generator, most: int) -> Given:
        """Draw the experts."""
        samples = ensemble.samples(drawn.K, most, drawn.n_landmarks, rng)
        made = ensemble.experts(drawn.K, samples, drawn.rank)
        columns = [sample.indices for sample in samples]
        rest = np.setdiff1d(np.arange(drawn.K.n), np.concatenate(columns))
        every = ensemble.validate(drawn.K, made, slice(None))
        return cls(drawn, columns, made, rng.permutation(rest), every)

    @property
    def K(self) -> kernels.DenseKernel:
        """The matrix."""
        return self.drawn.K

    @property
    def rank(self) -> int:
        """The rank of an expert."""
        return self.drawn.rank

    def joined(self, p: int) -> np.ndarray:
        """The columns of the first p experts."""
        return np.concatenate(self.columns[:p])

    def validated(self, first: int, last: int) -> ensemble.Validation:
        """What all experts get wrong on some of the columns that none of them has."""
        return ensemble.validate(self.K, self.made, self.unseen[first:last])

    def rng(self) -> np.random.Generator:
        """Numbers of this draw, for those who draw more."""
        return np.random.default_rng(self.unseen)

    @cached_property
    def halves(self) -> tuple[ensemble.Validation, ensemble.Validation]:
        """Validation and hold-out columns."""
        return self.validated(0, VALIDATION), self.validated(VALIDATION, 2 * VALIDATION)

    @cached_property
    def alone(self) -> np.ndarray:
        """The error of each expert in the spectral norm, in percent."""
        each = [(e.factor, np.ones(e.factor.shape[1])) for e in self.made]
        return np.array([self.spectral(*one) for one in each])

    @cached_property
    def size(self) -> float:
        """The spectral norm of K."""
        return _spectral(self.K.dense(), np.zeros((self.K.n, 1)), np.zeros(1))

    def frobenius(self, error: float) -> float:
        """An error in the Frobenius norm, in percent (4.4)."""
        return 100 * float(error) / self.every.size

    def spectral(self, A: np.ndarray, mu: np.ndarray) -> float:
        """The error of ``A diag(mu) A^T`` in the spectral norm, in percent (4.4)."""
        return 100 * _spectral(self.K.dense(), A, mu) / self.size


def _spectral(K, A, mu):
    """``|K - A diag(mu) A^T|_2`` of a stored K, by Lanczos, to about 1e-4."""
    operator = LinearOperator(
        K.shape, matvec=lambda v: K @ v - A @ (mu * (A.T @ v)), dtype=float
    )
    start = np.random.default_rng(0).standard_normal(len(K))
    found = eigsh(
        operator, 1, v0=start, ncv=min(len(K), 16), tol=1e-4, return_eigenvectors=False
    )
    return abs(float(found[0]))


# ---- who competes: percent errors of the first p experts ----


def weighted(name: str, columns: int = VALIDATION):
    """A mixture, its weights chosen on so many columns and as many again.

    Returns
    -------
    callable (Given, p) -> dict of str to float
    """

    def run(given, p):
        now = given.every.first(p)
        halves = (now,)
        if name != "optimal":
            some = given.halves
            if columns != VALIDATION:
                some = (
                    given.validated(0, columns),
                    given.validated(columns, 2 * columns),
                )
            halves = [each.first(p) for each in some]
        mu, _ = ensemble.choose_weights(name, *halves)
        made = given.made[:p]
        A = np.concatenate([expert.factor for expert in made], axis=1)
        counts = [expert.factor.shape[1] for expert in made]
        return {
            "frobenius": given.frobenius(now.error(mu)),
            "spectral": given.spectral(A, np.repeat(mu, counts)),
        }

    return run


def best_expert(given, p):
    """Of the first p; which one it is depends on the norm."""
    errors = given.every.errors[:p], given.alone[:p]
    return {"frobenius": given.frobenius(errors[0].min()), "spectral": errors[1].min()}


def mean_expert(given, p):
    """The mean error of the first p."""
    errors = given.every.errors[:p], given.alone[:p]
    return {
        "frobenius": given.frobenius(errors[0].mean()),
        "spectral": errors[1].mean(),
    }


def rescaled_mean(given, p):
    """Equal weights times their best factor."""
    now, mu = given.every.first(p), ensemble.uniform_weights(p)
    G, g = now.normal_equations
    return {"frobenius": given.frobenius(now.error((g @ mu) / (mu @ G @ mu) * mu))}


def cut_mean(given, p):
    """Equal weights, cut down to the rank of one expert."""
    mean = ensemble.Ensemble(given.made[:p], ensemble.uniform_weights(p))
    return {"frobenius": given.frobenius(mean.truncated(given.rank).error(given.K))}


def one_cut(given, p):
    """One approximation from all columns of the experts, cut down like `cut_mean`."""
    made = lowrank.nystrom(given.K, given.joined(p), given.rank, "approximation")
    return {"frobenius": given.frobenius(made.error(given.K))}


def one_sample(given, p):
    """One approximation from all columns of the experts."""
    made = lowrank.nystrom(given.K, given.joined(p))
    return {"frobenius": given.frobenius(made.error(given.K))}


def affordable(given, p) -> int:
    """The columns m with ``m^2 = p l^2``: one sample for the work of p experts."""
    return int(np.sqrt(p) * len(given.columns[0]))


def fewer_columns(given, p):
    """One approximation from `affordable` of these columns."""
    made = lowrank.nystrom(given.K, given.joined(p)[: affordable(given, p)])
    return {"frobenius": given.frobenius(made.error(given.K))}


def centroids(given, p):
    """One approximation from `affordable` centroids, by mini-batches."""
    lazy = given.drawn.lazy
    with warnings.catch_warnings(action="ignore", category=sampling.FewerLandmarks):
        found = sampling.kmeans(lazy, affordable(given, p), given.rng(), minibatch=True)
    made = lowrank.nystrom(lazy, found)
    return {"frobenius": given.frobenius(made.error(lazy))}


# ---- what is measured ----


def along_experts(trial):
    """Percent errors for each number of experts, and what more of them gain."""
    rows = [trial.run(trial.known, p) for p in COUNTS]
    found = {name: [row[name] for row in rows] for name in rows[0]}
    at = dict(zip(COUNTS, found["frobenius"], strict=True))
    ends = COUNTS[0], TEN, COUNTS[-1]
    first, ten, last = (at[p] for p in ends)
    return found | {"early": first - ten, "late": ten - last}


def fitted(name: str):
    """Weights of ten experts, fitted to s columns.

    Parameters
    ----------
    name : str
        ``"linear"``, or one of the package's.
    """

    def run(given, s):
        seen = given.validated(2 * VALIDATION, 2 * VALIDATION + s)
        if name == "linear":
            return ensemble.ridge_weights(*seen.normal_equations, 0.0)
        if name == "optimal":
            seen = given.every
        return ensemble.choose_weights(name, seen, given.halves[0])[0]

    return run


def along_columns(trial):
    """Percent errors for each number of validation columns."""
    given, run = trial.known, trial.run
    errors = [given.every.error(run(given, s)) for s in SIZES]
    return {"frobenius": [given.frobenius(error) for error in errors]}


def with_ten(trial):
    """Percent errors of one number of experts."""
    given = trial.known
    return {"frobenius": trial.run(given, len(given.made))["frobenius"]}
