"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.which_random_features import experiments, points
from nystheory.engine.findings import (
    MEAN,
    Choice,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.engine.findings.held_out import RIDGES, missed

ERROR = Field("error", "error of $K$", "% of its norm", "Frobenius norm", by="with")
MISSED = Field("missed", "share of the variance missed", "%", by="with")
NUMBER = Field("number", "number of features", by="of")

OWN_RIDGE = Choice(
    Field("ridge", "ridge over $n$", by="of"),
    "the least error on points that are set aside",
    lambda known: RIDGES,
    lambda make, ridge, known: known.losses(make)[ridge],
)


def _of(make, size, number, kernel="rbf", width=1.0) -> Data:
    """Points, a number of features or columns, and the kernel."""
    return Data(lambda n, rng: (make(n, rng), kernel, number, width), size)


def in_fifths(drawn, rng):
    """What is learned from and chosen by, and the points of the test."""
    return experiments.split(*drawn, rng)


def learned(trial):
    """The features, and what their ridge regression misses."""
    known, features = trial.known, trial.run(trial.known)
    F, G = experiments.made(features, known.learn.X, trial.judged.X)
    ridge = trial.chosen * known.shape[0]
    (found,) = experiments.predictions(F, known.learn.y, [ridge], G)
    return F, missed(found, trial.judged.y)


# ---- kinds of features, as many of each ----


def compared(trial):
    """How far inner products are from the kernel, and what is learned from them."""
    F, left = learned(trial)
    error = experiments.error_of_matrix(F, trial.known)
    return {"error": error, "missed": left, "number": F.shape[1]}


def _waves(label, **options) -> Competitor:
    return Competitor(label, partial(experiments.waves, **options))


PAIRS = _waves("pairs")
QUASI = _waves("quasi-Monte Carlo pairs", draws="quasi-monte-carlo")
UNIFORM = Competitor("uniform columns", experiments.uniform)
MANY = Competitor("as many waves", experiments.as_many)

FEW_COORDINATES = (
    "Swiss roll",
    "robot arm",
    "patients",
    "robot arm with half the width",
    "robot arm with 512 features",
)
MANY_COORDINATES = (
    "two balls",
    "digits with half the width",
    "digits with 32 features",
)

KINDS = Experiment(
    id="which_random_features:kinds",
    question="Which random features of a Gaussian kernel, as many of each?",
    competitors={
        "pairs": PAIRS,
        "phases": _waves("phases", kind="phases"),
        "orthogonal": _waves("orthogonal pairs", draws="orthogonal"),
        "quasi": QUASI,
    },
    fields=[ERROR, MISSED, NUMBER],
    prepare=in_fifths,
    choose=OWN_RIDGE,
    measure=compared,
    draws=20,
    shown={
        "Swiss roll": _of(points.roll, 700, 128),
        "robot arm": _of(points.arm, 700, 128),
        "patients": _of(points.patients, 442, 128),
        "cell samples": _of(points.cells, 569, 128),
        "digits": _of(points.digits, 700, 128),
        "patches": _of(points.patches, 700, 128),
        "two balls": _of(points.balls, 700, 128),
    },
    beyond={
        "robot arm with half the width": _of(points.arm, 700, 128, width=0.5),
        "digits with half the width": _of(points.digits, 700, 128, width=0.5),
        "robot arm with 32 features": _of(points.arm, 700, 32),
        "digits with 32 features": _of(points.digits, 700, 32),
        "robot arm with 512 features": _of(points.arm, 1000, 512),
        "digits with 512 features": _of(points.digits, 1000, 512),
    },
    findings={
        "phases": Finding(
            "error(phases) >= error(pairs)",
            MEAN,
            on=(
                "two balls",
                "digits with 32 features",
                "digits with 512 features",
            ),
            but={">=": ">= 2 *"},
        ),
        "orthogonal": Finding(
            "error(orthogonal) <= error(pairs)",
            MEAN,
            on=(
                "robot arm",
                "patients",
                "cell samples",
                "digits",
                "two balls",
                "robot arm with half the width",
                "digits with half the width",
                "robot arm with 32 features",
                "digits with 32 features",
                "robot arm with 512 features",
                "digits with 512 features",
            ),
            but={"<=": "<= 0.5 *"},
        ),
        "quasi": Finding(
            "error(quasi) <= error(pairs)",
            MEAN,
            on=FEW_COORDINATES,
            but_on="two balls",
        ),
        "quasi_far": Finding(
            "error(quasi) >= error(pairs)",
            MEAN,
            on=MANY_COORDINATES,
            but_on="digits with 512 features",
        ),
        "phases_learned": Finding(
            "missed(phases) >= 0.7 * missed(pairs)", MEAN, but={"0.7": "1.2"}
        ),
        "orthogonal_learned": Finding(
            "missed(orthogonal) >= 0.7 * missed(pairs)", MEAN, but={"0.7": "1.2"}
        ),
        "quasi_learned": Finding(
            "missed(quasi) >= 0.5 * missed(pairs)", MEAN, but={"0.5": "1.2"}
        ),
    },
)

_laplacian = partial(_of, kernel="laplacian")

BINNING = Experiment(
    id="which_random_features:binning",
    question="Which features of a Laplacian kernel, as many of each?",
    competitors={
        "pairs": PAIRS,
        "quasi": QUASI,
        "binning": Competitor("binning", experiments.grids),
        "uniform": UNIFORM,
    },
    fields=[ERROR, MISSED, NUMBER],
    prepare=in_fifths,
    choose=OWN_RIDGE,
    measure=compared,
    shown={
        "Swiss roll": _laplacian(points.roll, 700, 128),
        "robot arm": _laplacian(points.arm, 700, 128),
        "patients": _laplacian(points.patients, 442, 128),
        "cell samples": _laplacian(points.cells, 569, 128),
        "digits": _laplacian(points.digits, 700, 128),
        "patches": _laplacian(points.patches, 700, 128),
        "two balls": _laplacian(points.balls, 700, 128),
    },
    beyond={
        "robot arm with half the width": _laplacian(points.arm, 700, 128, width=0.5),
        "digits with half the width": _laplacian(points.digits, 700, 128, width=0.5),
        "robot arm with 32 features": _laplacian(points.arm, 700, 32),
        "digits with 32 features": _laplacian(points.digits, 700, 32),
        "robot arm with 512 features": _laplacian(points.arm, 1000, 512),
    },
    findings={
        "pairs": Finding(
            "error(binning) <= 0.8 * error(pairs)", MEAN, but={"0.8": "0.2"}
        ),
        "quasi": Finding(
            "error(quasi) <= error(pairs)",
            MEAN,
            but={"<=": "<= 0.5 *"},
            expected="open",
        ),
        "columns": Finding(
            "error(uniform) <= error(binning)",
            MEAN,
            on=(
                "Swiss roll",
                "robot arm",
                "patients",
                "cell samples",
                "digits",
                "patches",
                "two balls",
                "robot arm with 32 features",
                "digits with 32 features",
                "robot arm with 512 features",
            ),
            but={"<=": "<= 0.2 *"},
        ),
        "learned": Finding(
            "missed(binning) <= missed(pairs)",
            MEAN,
            on=(
                "digits",
                "patches",
                "digits with half the width",
                "digits with 32 features",
            ),
            but={"<=": "<= 0.4 *"},
        ),
        "columns_learned": Finding(
            "missed(uniform) <= missed(binning)",
            MEAN,
            on=("digits", "robot arm with 512 features"),
            but={"<=": "<= 0.5 *"},
        ),
    },
)


# ---- the same number, work and memory ----


def afforded(trial):
    """The number of features, and what is learned from them."""
    F, left = learned(trial)
    return {"number": F.shape[1], "missed": left}


COLUMNS_AHEAD = (
    "eight clusters",
    "cell samples",
    "digits",
    "patches",
    "two balls",
    "digits with half the width",
    "two balls with ten redundant coordinates",
    "digits with 30 columns",
)

BUDGETS = Experiment(
    id="which_random_features:budgets",
    question="Columns, or waves that cost as much?",
    competitors={
        "uniform": UNIFORM,
        "pivots": Competitor("random pivots", experiments.pivots),
        "many": MANY,
        "work": Competitor("waves for the same work", experiments.for_the_work),
        "memory": Competitor("waves for the same memory", experiments.for_the_memory),
        "fourfold": Competitor("four times as many waves", experiments.fourfold),
    },
    fields=[MISSED, NUMBER],
    prepare=in_fifths,
    choose=OWN_RIDGE,
    measure=afforded,
    draws=20,
    shown={
        "eight clusters": _of(points.clusters, 3000, 100),
        "Swiss roll": _of(points.roll, 3000, 100),
        "robot arm": _of(points.arm, 3000, 100),
        "patients": _of(points.patients, 442, 100),
        "cell samples": _of(points.cells, 569, 100),
        "digits": _of(points.digits, 1797, 100),
        "patches": _of(points.patches, 3000, 100),
        "two balls": _of(points.balls, 3000, 100),
    },
    beyond={
        "Swiss roll with half the width": _of(points.roll, 3000, 100, width=0.5),
        "robot arm with half the width": _of(points.arm, 3000, 100, width=0.5),
        "digits with half the width": _of(points.digits, 1797, 100, width=0.5),
        "two balls with ten redundant coordinates": _of(
            partial(points.balls, n_redundant=10), 3000, 100
        ),
        "robot arm with 30 columns": _of(points.arm, 3000, 30),
        "digits with 30 columns": _of(points.digits, 1797, 30),
        "patches with 200 columns": _of(points.patches, 3000, 200),
        "12,000 positions of the arm": _of(points.arm, 12_000, 100),
        "12,000 patches": _of(points.patches, 12_000, 100),
    },
    findings={
        "number": Finding(
            "missed(uniform) <= missed(many)",
            MEAN,
            on=(
                "eight clusters",
                "Swiss roll",
                "robot arm",
                "cell samples",
                "digits",
                "patches",
                "two balls",
                "robot arm with half the width",
                "digits with half the width",
                "two balls with ten redundant coordinates",
                "digits with 30 columns",
            ),
            but={"<=": "<= 0.7 *"},
        ),
        "work": Finding(
            "missed(uniform) <= missed(work)",
            MEAN,
            on=COLUMNS_AHEAD,
            but_on="Swiss roll with half the width",
        ),
        "memory": Finding(
            "missed(uniform) <= missed(memory)",
            MEAN,
            on=COLUMNS_AHEAD,
            but_on="Swiss roll with half the width",
        ),
        "work_of_waves": Finding(
            "missed(work) <= missed(uniform)",
            MEAN,
            on=("Swiss roll with half the width",),
            but_on="two balls",
        ),
        "fourfold": Finding(
            "missed(fourfold) <= missed(uniform)",
            MEAN,
            on=(
                "Swiss roll",
                "robot arm",
                "digits",
                "Swiss roll with half the width",
                "robot arm with half the width",
                "two balls with ten redundant coordinates",
                "robot arm with 30 columns",
                "digits with 30 columns",
                "12,000 positions of the arm",
            ),
            but_on="two balls",
        ),
        "columns": Finding(
            "missed(uniform) <= missed(fourfold)",
            MEAN,
            on=("eight clusters", "two balls", "digits with half the width"),
            but_on="robot arm",
        ),
        "pivots": Finding(
            "missed(pivots) >= 0.85 * missed(uniform)", MEAN, but={"0.85": "1.2"}
        ),
        "pivots_behind": Finding(
            "missed(uniform) <= missed(pivots)",
            MEAN,
            on=("Swiss roll", "Swiss roll with half the width"),
            but={"<=": "<= 0.5 *"},
        ),
        "counted": Finding("number(work) <= 1.6 * number(many)", but={"1.6": "1.2"}),
        "stored": Finding("number(memory) <= 1.6 * number(many)", but={"1.6": "1.2"}),
    },
)


# ---- points that come in order ----


IN_ORDER = Experiment(
    id="which_random_features:in-order",
    question="Columns of the first points, or waves, where points come in order?",
    competitors={
        "uniform": UNIFORM,
        "first": Competitor("columns of the first tenth", experiments.first_tenth),
        "many": MANY,
    },
    fields=[MISSED, NUMBER],
    prepare=in_fifths,
    choose=OWN_RIDGE,
    measure=afforded,
    shown={
        "eight clusters": _of(points.clusters, 3000, 100),
        "Swiss roll": _of(points.roll, 3000, 100),
        "robot arm": _of(points.arm, 3000, 100),
        "digits": _of(points.digits, 1797, 100),
    },
    beyond={
        "robot arm with 30 columns": _of(points.arm, 3000, 30),
        "Swiss roll with half the width": _of(points.roll, 3000, 100, width=0.5),
        "patches": _of(points.patches, 3000, 100),
        "two balls": _of(points.balls, 3000, 100),
    },
    findings={
        "first": Finding(
            "missed(first) >= missed(uniform)",
            MEAN,
            on=(
                "eight clusters",
                "Swiss roll",
                "robot arm",
                "digits",
                "robot arm with 30 columns",
                "Swiss roll with half the width",
                "two balls",
            ),
            but={">=": ">= 3 *"},
        ),
        "waves": Finding(
            "missed(many) <= missed(first)",
            MEAN,
            on=(
                "Swiss roll",
                "robot arm",
                "robot arm with 30 columns",
                "Swiss roll with half the width",
            ),
            but_on="two balls",
        ),
    },
)
