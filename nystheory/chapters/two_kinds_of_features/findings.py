"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets
from nystheory.chapters.two_kinds_of_features import experiments
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
    Trial,
)

FUNCTIONS = Field("functions", "functions")
DISTANCE = Field("distance", "distance from the whole machine", "%")
UNLEARNED = Field("unlearned", "what is not learned of the wave", "%", by="with")

COLUMNS = Competitor("Nyström features", experiments.columns)
WAVES = Competitor("random Fourier features", experiments.plain_waves)
WEIGHTED = Competitor("weighted random Fourier features", experiments.weighted_waves)
MACHINES = {"columns": COLUMNS, "waves": WAVES, "weighted": WEIGHTED}


def far(trial: Trial, counts) -> dict:
    """How far each machine is from the one with all functions."""
    X, y, gamma, ridge = trial.known
    whole = experiments.whole_machine(X, y, gamma, ridge).predict(X)
    models = (trial.run(X, count, gamma, ridge, y, trial.rng) for count in counts)
    return {"distance": [experiments.distance(model, X, whole) for model in models]}


# ---- a dozen points ----

FEW = (6, 8, 10)


def _line(size, rng, gamma=0.5):
    return *experiments.dozen(rng, size), gamma, 0.1


def with_few(trial):
    """With each number of functions."""
    return far(trial, FEW)


DOZEN = Experiment(
    id="two_kinds_of_features:dozen",
    question="How far is a machine of few functions from the one with all of them?",
    competitors=MACHINES,
    fields=[DISTANCE],
    measure=with_few,
    along=FUNCTIONS,
    settings=FEW,
    draws=40,
    shown={"a dozen points": Data(_line, 12)},
    beyond={
        "forty points": Data(_line, 40),
        "twice the width": Data(partial(_line, gamma=0.125), 12),
        "a twentieth of the width": Data(partial(_line, gamma=200.0), 40),
    },
    findings={
        "nearer": Finding(
            "distance(columns) <= 0.7 * distance(waves)",
            MEAN,
            on=("a dozen points", "forty points", "twice the width"),
            but_on="a twentieth of the width",
            says="Nyström features are at most 0.7 times as far from the machine with "
            "all functions as random Fourier features",
        ),
        "nearer than weighted": Finding(
            "distance(columns) <= 0.7 * distance(weighted)",
            MEAN,
            on=("a dozen points", "forty points", "twice the width"),
            but_on="a twentieth of the width",
            says="Nyström features are at most 0.7 times as far from it as weighted "
            "random Fourier features",
        ),
    },
)


# ---- the two families ----

WIDE = (4, 8, 16, 24, 32, 48)


def _lattice(size, rng, chances):
    return chances(size), experiments.rare_wave(size)


def of_a_wave(trial):
    """What each kind of features leaves of a wave, with each number of them."""
    chances, signal = trial.known
    drawn = (trial.run(chances, count, trial.rng) for count in WIDE)
    left = [experiments.unlearned(F, signal, 0.01) for F in drawn]
    return {"unlearned": left}


_RARE = partial(_lattice, chances=experiments.rare)
_FLAT = partial(_lattice, chances=experiments.flat)
FAMILIES = Experiment(
    id="two_kinds_of_features:families",
    question="What is not learned of one period of a wave on a lattice?",
    competitors={
        "columns": Competitor("Nyström features", experiments.columns_of_lattice),
        "waves": Competitor("random Fourier features", experiments.waves_of_lattice),
    },
    fields=[UNLEARNED],
    measure=of_a_wave,
    along=FUNCTIONS,
    settings=WIDE,
    draws=100,
    shown={"rare frequency": Data(_RARE, 60), "all alike": Data(_FLAT, 60)},
    beyond={
        "rare among 120": Data(_RARE, 120),
        "all alike of 120": Data(_FLAT, 120),
    },
    findings={
        "rare": Finding(
            "unlearned(columns) <= 1",
            on=("rare frequency", "rare among 120"),
            but_on="all alike",
            says="Four uniform columns or more leave at most 1 % of the rare wave",
        ),
        "not drawn": Finding(
            "unlearned(waves) >= 50",
            MEAN,
            on=("rare frequency", "rare among 120"),
            when="functions <= 32",
            but={">=": "<="},
            says="With 32 random Fourier features or fewer at least 50 % of the rare "
            "wave is not learned",
        ),
        "alike": Finding(
            "unlearned(columns) >= 0.5 * unlearned(waves)",
            MEAN,
            on=("all alike", "all alike of 120"),
            when="functions <= 32",
            but_on="rare frequency",
            says="Where all frequencies are alike Nyström features leave at least 0.5 "
            "times as much of the wave as random Fourier features, with 32 or fewer",
        ),
    },
)


# ---- fast and slow spectra ----

MANY = (20, 40, 80, 160)


def _some(size, rng, make, times=1.0):
    """Random points of a data set, each coordinate of variance 1, and a width."""
    data = make()
    places = rng.permutation(len(data.X))[:size]
    X, y = data.X[places].astype(float), data.y[places].astype(float)
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, (y - y.mean()) / y.std(), times / X.shape[1], 1.0


def _gaussian(size, rng):
    X = rng.standard_normal((size, 10))
    return X, np.sin(X[:, 0]), 1.0, 1.0


def with_many(trial):
    """With each number of functions."""
    return far(trial, MANY)


_digits = partial(_some, make=datasets.digits)
_narrow_digits = partial(_some, make=datasets.digits, times=20.0)
FAST = ("digits", "cell samples", "patients")
SLOW = ("narrow kernel", "Gaussian points in ten dimensions")
SPECTRA = Experiment(
    id="two_kinds_of_features:spectra",
    question="How far are as many functions of each kind from the machine with all?",
    competitors=MACHINES,
    fields=[DISTANCE],
    measure=with_many,
    along=FUNCTIONS,
    settings=MANY,
    draws=20,
    shown={"digits": Data(_digits, 500), "narrow kernel": Data(_narrow_digits, 500)},
    beyond={
        "cell samples": Data(partial(_some, make=datasets.breast_cancer), 500),
        "patients": Data(partial(_some, make=datasets.diabetes), 400),
        "Gaussian points in ten dimensions": Data(_gaussian, 500),
    },
    findings={
        "fast": Finding(
            "distance(columns) <= distance(waves)",
            MEAN,
            on=FAST,
            but={"<=": "<= 0.3 *"},
            says="Nyström features are no farther from the machine with all functions "
            "than random Fourier features",
        ),
        "slow": Finding(
            "distance(columns) >= 0.85 * distance(waves)",
            MEAN,
            on=SLOW,
            but_on="digits",
            says="Nyström features are at least 0.85 times as far from the machine "
            "with all functions as random Fourier features",
        ),
        "weights": Finding(
            "distance(waves) <= distance(weighted)",
            MEAN,
            on=("digits", "narrow kernel", "cell samples"),
            when="functions >= 80",
            but={"<=": "<= 0.5 *"},
            says="With 80 functions or more waves with equal weights are no farther "
            "from the machine with all functions than the weighted ones",
        ),
    },
)
