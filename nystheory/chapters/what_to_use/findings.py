"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

import warnings
from bisect import bisect_left
from dataclasses import replace
from functools import partial

import numpy as np

from nystheory import certificates, datasets, guarantees, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.what_to_use import experiments, learned
from nystheory.engine import kept
from nystheory.engine.findings import (
    MEAN,
    Choice,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
    Trial,
)
from nystheory.engine.findings.held_out import RIDGES, some_of

COLUMNS = Field("columns", "columns")
MISSED = Field("missed", "share of the trace missed", "%", by="with")
NEEDED = Field("needed", "number of columns for five percent", "columns", by="by")
UNSEEN = Field("unseen", "share of draws that miss the group", by="with")
SURE = Field("sure", "entry certificate")
UNLEARNED = Field("unlearned", "share of the variance missed", "%", by="with")

# Columns that are seen before something is promised of fewer.
SEEN = 400
FIVE_PERCENT = 5


# ---- data: kernel matrices ----


def _some(make, size, rng, gamma=None, kernel=kernels.rbf):
    """Random points of a data set that is not drawn itself."""
    X = make().X
    X = X[rng.permutation(len(X))[:size]]
    return kernel(X) if kernel is kernels.linear else kernel(X, gamma)


def _patches(size, rng, gamma=None):
    return kernels.rbf(datasets.patches(size).X, gamma)


def _clusters(size, rng):
    return kernels.rbf(datasets.gaussian_clusters(size, rng, 5).X)


def _roll(size, rng):
    return kernels.rbf(datasets.swiss_roll(size, rng).X)


def _documents(size, rng, n_terms=4000):
    return kernels.linear(datasets.documents(size, n_terms, rng).X)


_digits = partial(_some, datasets.digits)
_cells = partial(_some, datasets.breast_cancer)


# ---- few columns ----


def by_pivots(K, counts, rng):
    """The shares of the trace in percent that random pivots miss."""
    drawn = _distinct(K, max(counts), rng)
    if drawn.factor is not None:
        left = experiments.missed_by_factor(K, drawn.factor)
        return 100 * left[np.minimum(counts, len(left)) - 1]
    nears = (lowrank.nystrom(K, drawn.indices[:count]) for count in counts)
    each = (certificates.trace_certificate(K, near).value for near in nears)
    return 100 * np.array([*each]) / K.diagonal().sum()


def _distinct(K, count, rng):
    """Random pivots; fewer where K has no more."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        return sampling.rp_cholesky(K, count, rng)


def by_uniform(K, counts, rng):
    """The shares of the trace in percent that uniform columns miss."""
    return 100 * experiments.missed_by_uniform(K, counts, rng, 1)[0]


def by_promise(K, counts, rng, seen=SEEN):
    """What is promised of random pivots, from as many columns as are seen."""
    known = guarantees.estimate(K, lowrank.nystrom(K, _distinct(K, seen, rng)))
    return np.array([promised(known, count) for count in counts])


def promised(known, count: int) -> float:
    """The share of the trace in percent that the theorem promises for random pivots."""
    case = known.but(count=count, rank=count)
    bound = kept(theorems["modern:rpcholesky"], "map", case).bound
    return 100 * bound / known.diagonal.sum()


def missed(trial: Trial, counts) -> dict:
    """What a competitor misses with each number of columns."""
    return {"missed": trial.run(trial.known, counts, trial.rng)}


SETTINGS = (10, 20, 50, 100, 200, 400)
SCHEMES = {
    "pivots": Competitor("random pivots", by_pivots),
    "uniform": Competitor("uniform columns", by_uniform),
}
PROMISE = Competitor(
    "promise for random pivots", by_promise, "the promise for random pivots"
)


def on_a_grid(trial):
    """With each number of columns of the figure."""
    return missed(trial, SETTINGS)


FEW_COLUMNS = Experiment(
    id="what_to_use:few-columns",
    question="How much of the trace do few columns miss, and how much is promised?",
    competitors=SCHEMES | {"promise": PROMISE},
    fields=[MISSED],
    measure=on_a_grid,
    along=COLUMNS,
    settings=SETTINGS,
    shown={"patches": Data(_patches, 20_000)},
    beyond={
        "5000 patches": Data(_patches, 5000),
        "patches with half the width": Data(partial(_patches, gamma=0.625), 5000),
        "digits": Data(_digits, 1500),
        "cell samples": Data(_cells, 550),
        "five clusters": Data(_clusters, 2000),
        "Swiss roll": Data(_roll, 2000),
    },
    findings={
        "few": Finding(
            "missed(pivots) <= 5",
            on=("patches", "5000 patches"),
            when="columns >= 200",
            but={"5": "1"},
            says="With 200 columns or more, random pivots miss at most 5 % of the "
            "trace",
        ),
        "promise": Finding(
            "missed(promise) >= missed(pivots)",
            MEAN,
            on=(
                "patches",
                "5000 patches",
                "patches with half the width",
                "digits",
                "five clusters",
                "Swiss roll",
            ),
            but={">=": "<="},
            says="Random pivots miss no more than is promised for them",
        ),
        "close": Finding(
            "missed(promise) <= 2 * missed(pivots)",
            MEAN,
            on=("patches",),
            but={"2": "1.2"},
            says="The promise is at most 2 times what random pivots miss",
        ),
        "uniform": Finding(
            "missed(uniform) <= 1.3 * missed(pivots)",
            MEAN,
            on=("patches",),
            when="columns >= 20",
            but={"1.3": "1.0"},
            says="With 20 columns or more, uniform columns miss at most 1.3 times what "
            "random pivots miss",
        ),
    },
)


# ---- the promise on other data ----


def with_fifty(trial):
    """With 50 columns; the promise has seen a hundred."""
    return missed(trial, [50])


ELSEWHERE = Experiment(
    id="what_to_use:promise-elsewhere",
    question="How far above the mean of 50 random pivots is what 100 columns promise?",
    competitors={
        "pivots": SCHEMES["pivots"],
        "promise": replace(PROMISE, run=partial(by_promise, seen=100)),
    },
    fields=[MISSED],
    measure=with_fifty,
    shown={
        "digits": Data(_digits, 1000),
        "cell samples": Data(_cells, 569),
        "five clusters": Data(_clusters, 1000),
        "Swiss roll": Data(_roll, 1000),
    },
    beyond={
        "half of the digits": Data(_digits, 500),
        "digits with a linear kernel": Data(
            partial(_digits, kernel=kernels.linear), 1000
        ),
        "documents": Data(_documents, 1000),
        "2000 points of five clusters": Data(_clusters, 2000),
        "2000 points of the roll": Data(_roll, 2000),
    },
    findings={
        "slow": Finding(
            "missed(promise) <= 2 * missed(pivots)",
            MEAN,
            on=("digits", "cell samples", "half of the digits", "documents"),
            but={"2": "1.05"},
            says="The promise is at most 2 times what random pivots miss",
        ),
        "fast": Finding(
            "missed(promise) >= 10 * missed(pivots)",
            MEAN,
            on=(
                "five clusters",
                "Swiss roll",
                "2000 points of five clusters",
                "2000 points of the roll",
            ),
            but={"10 *": "100 *"},
            says="The promise is at least 10 times what random pivots miss",
        ),
    },
)


# ---- the number of columns for five percent ----


def needed_by_pivots(K, rng):
    """The columns of one run."""
    counts = range(1, SEEN + 1)
    left = by_pivots(K, counts, rng)
    return int(np.argmax(left <= FIVE_PERCENT)) + 1


def needed_by_promise(K, rng):
    """The columns that the theorem asks for, from 200 of them."""
    known = guarantees.estimate(K, lowrank.nystrom(K, _distinct(K, 200, rng)))

    def is_enough(count):
        return promised(known, count) <= FIVE_PERCENT

    return bisect_left(range(K.n), True, lo=1, key=is_enough)


def needed(trial):
    """The number of columns for five percent of the trace."""
    return {"needed": trial.run(trial.known, trial.rng)}


FIVE_PERCENT_OF = Experiment(
    id="what_to_use:five-percent",
    question="How many random pivots leave five percent, and how many are asked for?",
    competitors={
        "pivots": Competitor("the run", needed_by_pivots),
        "promise": Competitor("the theorem", needed_by_promise),
    },
    fields=[NEEDED],
    measure=needed,
    shown={"patches": Data(_patches, 20_000)},
    beyond={
        "5000 patches": Data(_patches, 5000),
        "five clusters": Data(_clusters, 2000),
        "Swiss roll": Data(_roll, 2000),
        "cell samples": Data(_cells, 550),
    },
    findings={
        "enough": Finding(
            "needed(promise) > needed(pivots)",
            but={">": "<"},
            says="The theorem asks for more columns than the run needs",
        ),
        "factor": Finding(
            "needed(promise) <= 4 * needed(pivots)",
            but={"4": "1"},
            says="The theorem asks for at most 4 times the columns that the run needs",
        ),
    },
)


# ---- points that say nothing of each other ----


def with_a_tenth(trial):
    """With a tenth of the columns."""
    return missed(trial, [trial.known.n // 10])


NO_COLUMN_HELPS = Experiment(
    id="what_to_use:no-column-helps",
    question="How much of the trace does a tenth of the columns miss?",
    competitors=SCHEMES,
    fields=[MISSED],
    measure=with_a_tenth,
    shown={"documents": Data(_documents, 2000)},
    beyond={
        "1000 documents": Data(_documents, 1000),
        "8000 terms": Data(partial(_documents, n_terms=8000), 1000),
        "digits": Data(_digits, 1000),
    },
    findings={
        "most": Finding(
            "missed(pivots) > 50",
            on=("documents", "1000 documents", "8000 terms"),
            but_on="digits",
            says="Random pivots miss more than 50 % of the trace",
        ),
        "uniform": Finding(
            "missed(uniform) > 50",
            on=("documents", "1000 documents", "8000 terms"),
            but_on="digits",
            says="Uniform columns miss more than 50 % of the trace",
        ),
    },
)


# ---- a rare kind of point ----


# Points that are far away from all others.
FEW = 20


def rare(size, rng, dimension=2, few=FEW, gamma=0.5):
    """Gaussian points, of which a few are far away from all others."""
    X = rng.standard_normal((size, dimension))
    X[:few] = 0.1 * X[:few] + 100
    return kernels.rbf(X, gamma), few


def seen(trial):
    """Whether the group is missed, and the entry certificate."""
    K, few = trial.known
    chosen = trial.run(K, 60, trial.rng)
    near = lowrank.nystrom(K, chosen)
    sure = certificates.entry_certificate(K, near).value
    return {"unseen": float(chosen.indices.min() >= few), "sure": sure}


RARE = Experiment(
    id="what_to_use:rare-group",
    question="Do 60 columns find a group of points far away from all others?",
    competitors={
        "pivots": Competitor("random pivots", sampling.rp_cholesky),
        "uniform": Competitor("uniform columns", sampling.uniform),
    },
    fields=[UNSEEN, SURE],
    measure=seen,
    draws=20,
    shown={"20 of 2000": Data(rare, 2000)},
    beyond={
        "20 of 4000": Data(rare, 4000),
        "10 of 1000": Data(partial(rare, few=10), 1000),
        "twice the width": Data(partial(rare, gamma=0.125), 2000),
        "ten dimensions": Data(partial(rare, dimension=10, gamma=0.05), 2000),
    },
    findings={
        "shown": Finding(
            "sure(uniform) >= 0.9 * unseen(uniform)",
            but={">=": "<="},
            says="Whenever uniform columns miss the group, the entry certificate is at "
            "least 0.9",
        ),
        "never": Finding(
            "unseen(pivots) <= 0",
            on=("20 of 2000", "20 of 4000", "10 of 1000", "twice the width"),
            but={"pivots": "uniform"},
            says="Random pivots never miss the group",
        ),
    },
)


# ---- features from the data, or drawn without them ----


def chosen_by(make, ridge, known):
    """What is missed of the points that are set aside."""
    return learned.unlearned(make, known, known.aside)[ridge]


def missed_by_ridge(trial):
    """With the ridge that was chosen, of the points of the test."""
    found = learned.unlearned(trial.run, trial.known, trial.judged)
    return {"unlearned": found[trial.chosen]}


def _points(make, size=1500, of_classes=False):
    return Data(partial(some_of, make, of_classes=of_classes), size)


FEATURES = Experiment(
    id="what_to_use:features",
    question="Features of a hundred columns, or random Fourier features?",
    competitors={
        "columns": Competitor("uniform columns", learned.of_columns),
        "many": Competitor("as many random Fourier features", learned.of_waves),
        "fourfold": Competitor(
            "four times as many random Fourier features",
            partial(learned.of_waves, times=4),
        ),
    },
    fields=[UNLEARNED],
    prepare=learned.known_of,
    choose=Choice(
        Field("ridge", "ridge over $n$", by="of"),
        "the least error on points that are set aside",
        lambda known: RIDGES,
        chosen_by,
    ),
    measure=missed_by_ridge,
    draws=20,
    shown={
        "robot arm": _points(lambda rng: datasets.robot_arm(3000, rng), 3000),
        "digits": _points(lambda rng: datasets.digits(), 1797, of_classes=True),
        "two balls": _points(lambda rng: datasets.two_balls(1500, rng)),
        "eight clusters": _points(
            lambda rng: datasets.gaussian_clusters(3000, rng, 8), 3000, of_classes=True
        ),
    },
    beyond={
        "Swiss roll": _points(lambda rng: datasets.swiss_roll(1500, rng, noise=0.5)),
        "patches": _points(lambda rng: datasets.patches(20_000), 3000),
        "cell samples": _points(lambda rng: datasets.breast_cancer(), 569),
        "patients": _points(lambda rng: datasets.diabetes(), 442),
    },
    findings={
        "number": Finding(
            "unlearned(columns) <= unlearned(many)",
            MEAN,
            on=(
                "robot arm",
                "digits",
                "two balls",
                "Swiss roll",
                "cell samples",
            ),
            but={"<=": "<= 0.7 *"},
        ),
        "fourfold": Finding(
            "unlearned(fourfold) <= unlearned(columns)",
            MEAN,
            on=("robot arm", "digits"),
            but_on="two balls",
        ),
        "columns": Finding(
            "unlearned(columns) <= unlearned(fourfold)",
            MEAN,
            on=("two balls",),
            but_on="robot arm",
        ),
    },
)
