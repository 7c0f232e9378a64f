"""What the opening concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.engine.findings.experiments import one_thread, uneven_clusters

COLUMNS = Field("columns", "columns")
RIGHT = Field("right", "new points labelled correctly", "%", by="with")
LOST = Field("lost", "diagonal of the small cluster missed", "%", by="with")
COUNTS = (20, 50, 100, 200)
# The share of the points from which is learned: 1000 of the 1797 digits.
LEARNED = 1000 / 1797
RIDGE, LANDMARKS, WIDTH = 0.1, 10, 0.25


# ---- reading with a few columns ----


def labelled(size, rng, make):
    """Points in random order, with the number of their class."""
    X, y = make(rng)
    order = rng.permutation(len(X))[:size]
    return X[order], np.unique(y, return_inverse=True)[1][order]


def to_learn(some, rng):
    """The first points with their labels are known, of the others the points alone."""
    X, y = some
    count = round(LEARNED * len(X))
    return (X, y[:count]), y[count:]


def _by_columns(K, known, votes, count, rng):
    """What is read by ridge regression with so many uniform columns."""
    landmarks = rng.permutation(known)[:count]
    F = lowrank.nystrom(K, landmarks).factor
    gram = F[:known].T @ F[:known] + RIDGE * np.eye(F.shape[1])
    return F[known:] @ np.linalg.solve(gram, F[:known].T @ votes)


def _by_all(K, known, votes):
    """What is read with all columns of the known points."""
    core = K[np.arange(known), np.arange(known)] + RIDGE * np.eye(known)
    rest = K[np.arange(known, K.n), np.arange(known)]
    return rest @ np.linalg.solve(core, votes)


@one_thread
def of_reading(trial) -> dict:
    """The share of the new points that are labelled correctly."""
    X, y = trial.known
    K, votes, known = kernels.rbf(X), np.eye(y.max() + 1)[y], len(y)
    if trial.run == "all":
        read = [_by_all(K, known, votes)]
    else:
        read = [_by_columns(K, known, votes, each, trial.rng) for each in COUNTS]
    return {
        "right": [100 * float(np.mean(r.argmax(axis=1) == trial.judged)) for r in read]
    }


def _roll(rng):
    """A Swiss roll in four parts, by the turn."""
    X, turn = _both(datasets.swiss_roll(1500, rng))
    return X, np.digitize(turn, np.quantile(turn, [0.25, 0.5, 0.75]))


def _both(data):
    return data.X, data.y


def _digits(rng):
    return _both(datasets.digits())


def _cells(rng):
    return _both(datasets.breast_cancer())


def _arm(rng):
    """Positions of a robot arm: is the hand far from the point?"""
    X, distance = _both(datasets.robot_arm(1500, rng))
    return X, distance > np.median(distance)


def _of(size, make):
    return Data(partial(labelled, make=make), size)


READ = Experiment(
    id="a_few_columns:read",
    question="How many digits are read with a few columns?",
    competitors={
        "some": Competitor("uniform columns"),
        "all": Competitor("all columns", "all"),
    },
    fields=[RIGHT],
    prepare=to_learn,
    measure=of_reading,
    along=COLUMNS,
    settings=COUNTS,
    shown={"digits": _of(1797, _digits)},
    beyond={
        "half of the digits": _of(900, _digits),
        "cell samples": _of(569, _cells),
        "quarters of a Swiss roll": _of(1500, _roll),
        "halves of a robot arm": _of(1500, _arm),
    },
    findings={
        "hundred": Finding(
            "right(some) >= right(all) - 4",
            EACH,
            on=("digits", "cell samples", "quarters of a Swiss roll"),
            when="columns >= 100",
            but={"- 4": "- 0.4"},
            says="With 100 columns or more at most 4 percentage points are lost, "
            "compared with all columns",
        ),
        "fifty": Finding(
            "right(some) >= 90",
            EACH,
            on=("digits", "cell samples", "quarters of a Swiss roll"),
            when="columns >= 50",
            but_on="halves of a robot arm",
            says="With 50 columns or more at least 90 % are right",
        ),
        "twenty": Finding(
            "right(some) <= right(all) - 5",
            MEAN,
            on=("digits", "half of the digits"),
            when="columns <= 20",
            but_on="quarters of a Swiss roll",
            says="With 20 columns at least 5 percentage points are lost",
        ),
        "slow": Finding(
            "right(some) <= right(all) - 1",
            MEAN,
            on=("halves of a robot arm",),
            when="columns <= 100",
            but_on="quarters of a Swiss roll",
            says="With 100 columns or fewer at least 1 percentage point is lost",
        ),
    },
)


# ---- a small cluster ----


def clusters(size, rng, small, spread=0):
    """Two large clusters and a small one, in that order, and the size of the last.

    Parameters
    ----------
    size : int
        The number of points.
    rng : numpy.random.Generator
    small : int
        The number of points of the small cluster.
    spread : int
        How many coordinates of noise are added.
    """
    half = (size - small) // 2
    X = uneven_clusters((half, size - small - half, small), rng.integers(2**31))
    noise = 0.1 * rng.standard_normal((len(X), spread))
    return np.hstack([X, noise]), small


@one_thread
def of_clusters(trial) -> dict:
    """The share of the diagonal of the small cluster that a scheme misses."""
    X, small = trial.known
    K = kernels.rbf(X, WIDTH)
    landmarks = trial.run(K, LANDMARKS, trial.rng)
    kept = lowrank.nystrom(K, landmarks).diagonal()[-small:].sum()
    return {"lost": 100 * float(1 - kept / K.diagonal()[-small:].sum())}


def uniform(K, count, rng):
    """Columns drawn uniformly without replacement."""
    return sampling.uniform(K, count, rng)


def pivots(K, count, rng):
    """The columns with the largest diagonal left, one after the other."""
    return sampling.incomplete_cholesky(K, count)


MISSED = Experiment(
    id="a_few_columns:missed",
    question="Who finds a small cluster?",
    competitors={
        "uniform": Competitor("uniform columns", uniform),
        "pivots": Competitor("pivots", pivots),
    },
    fields=[LOST],
    measure=of_clusters,
    draws=40,
    shown={"6 of 96 points": Data(partial(clusters, small=6), 96)},
    beyond={
        "3 of 96 points": Data(partial(clusters, small=3), 96),
        "60 of 960 points": Data(partial(clusters, small=60), 960),
        "6 of 96 points in ten dimensions": Data(
            partial(clusters, small=6, spread=8), 96
        ),
    },
    findings={
        "found": Finding(
            "lost(pivots) <= 20",
            MEAN,
            but={"20": "2"},
            says="Ten pivots miss at most 20 % of the diagonal of the small cluster",
        ),
        "lost": Finding(
            "lost(uniform) >= 30",
            MEAN,
            but={"30": "90"},
            says="Ten uniform columns miss at least 30 % of it",
        ),
        "pivots": Finding(
            "lost(pivots) <= 0.5 * lost(uniform)",
            MEAN,
            but={"0.5": "0.05"},
            says="Pivots miss at most 0.5 times as much of it as uniform columns",
        ),
    },
)
