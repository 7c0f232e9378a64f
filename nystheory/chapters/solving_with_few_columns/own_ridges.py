"""All points against inducing points once more, each with a ridge of its own.

What `race` does in one run, in parts for an experiment with findings: points, what is
known of them before the test, a ridge for each learner by one rule, and the test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np

from nystheory import datasets, lowrank, sampling
from nystheory.chapters.solving_with_few_columns import race

ALL, FEW, PAID, ROWS = "all", "few", "paid", "rows"
METHODS = {
    ALL: "preconditioned",
    FEW: "regressors",
    PAID: "regressors",
    ROWS: "nystrom",
}


def numbers(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """Which digit an image shows, as a number.

    Examples
    --------
    >>> numbers(5, np.random.default_rng(0))[0].shape
    (5, 64)
    """
    data = datasets.digits()
    some = rng.permutation(len(data.X))[:n]
    X = data.X[some].astype(float)
    return X, data.y[some].astype(float), 1 / np.mean(X.var(axis=0)) / 64 / 4


def products(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """Friedman's function of five coordinates, beside five that do not matter.

    Examples
    --------
    >>> products(5, np.random.default_rng(0))[0].shape
    (5, 10)
    """
    X = rng.uniform(0, 1, (n, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    y += 10 * X[:, 3] + 5 * X[:, 4] + rng.standard_normal(n)
    return X, y / y.std(), 0.3


def drawn(size: int, rng, task: Callable, times: float = 1.0) -> race.Problem:
    """Points to learn from, to choose the ridge with, and to judge by."""
    some = race.parted(*task(size + race.VALIDATION + race.TEST, rng), size)
    return replace(some, gamma=some.gamma * times)


class Known:
    """What the learners of an experiment know, and what they have computed.

    Parameters
    ----------
    given : race.Problem
        Its test points are not used.
    rng : numpy.random.Generator
        For the pivots: so many are the same for each learner.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> known = Known(drawn(50, rng, race.waves), rng)
    >>> known.count(FEW), known.count(PAID) > 35
    (35, True)
    """

    def __init__(self, given: race.Problem, rng):
        self.given = replace(given, test=None)
        self.runner = race.Runner("", len(given.y), 0, stored=True, given=self.given)
        self.seed = int(rng.integers(2**31))
        self.near, self.model = cache(self._near), cache(self._model)
        self.missed = cache(self._missed)
        self.n = self.runner.n
        self.aside = self.rows(self.given.validation[0])
        self.columns = 5 * int(self.n**0.5)

    def _near(self, count: int) -> lowrank.LowRank:
        rng = np.random.default_rng(self.seed)
        return lowrank.from_factor(sampling.rp_cholesky(self.runner.K, count, rng))

    def _model(self, name: str, ridge: float):
        """A learner that has learned."""
        return self.runner.fitted(METHODS[name], self.near(self.count(name)), ridge)

    def count(self, name: str) -> int:
        """How many columns it has."""
        return self.paid_for if name == PAID else self.columns

    def rows(self, X) -> np.ndarray:
        """The kernel between new points and all that are learned from."""
        return self.runner.points.between(X, np.arange(self.n))

    @staticmethod
    def error(model, rows, y) -> float:
        """Root mean square over the standard deviation."""
        own = model.regressors_
        some = rows if own is None else rows[:, own]
        return float(np.sqrt(np.mean((some @ model.dual_coef_ - y) ** 2)) / y.std())

    def loss(self, name: str, ridge: float) -> float:
        """The error on points set aside."""
        return self.error(self.model(name, ridge), self.aside, self.given.validation[1])

    def best(self, name: str) -> float:
        """The ridge with the smallest error on points set aside."""
        return min(race.OWN_RIDGES, key=partial(self.loss, name))

    @property
    def paid_for(self) -> int:
        """Inducing points for the operations that all points take."""
        steps = self.model(ALL, self.best(ALL)).n_iter_
        work, _ = self.runner.counted(self.columns, steps)
        return self.runner.as_much_work(work)

    def _missed(self, count: int, norm: str) -> float:
        """The error of the kernel matrix with so many columns."""
        return self.near(count).error(self.runner.K, norm)


def loss(run, value, known: Known) -> float:
    """Of a ridge, on points set aside."""
    return known.loss(run, value)


def measured(trial) -> dict[str, float]:
    """The error on new points, and what the columns miss."""
    known, name = trial.known, trial.run
    model, count = known.model(name, trial.chosen), known.count(name)
    ridge = known.best(ALL)
    whole = known.model(ALL, ridge)
    X, y = trial.judged
    rows = known.rows(X)
    error, least = (known.error(each, rows, y) for each in (model, whole))
    return {
        "error": 100 * error,
        "ratio": error / least,
        "columns": count,
        "steps": model.n_iter_ or 0,
        "norm": known.missed(count, "spectral") / ridge,
        "trace": 100 * known.missed(count, "trace") / known.n,
    }
