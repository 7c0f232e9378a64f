"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory import datasets
from nystheory.chapters.manifolds import experiments, measures, poses, spectrum
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

NEIGHBOURS = Field("neighbours", "neighbours $t$")
LIMITS = {
    "free": Competitor("no limit", None),
    "limited": Competitor("limit", measures.QUANTILE),
}

# ---- does the graph fall apart? ----

JOINED = Field("joined", "points in the largest component", "%", by="with")


def _pictures(size, rng):
    return datasets.poses(size, rng).X


def _digits(size, rng):
    return measures.digits(size, rng).X


def _roll(size, rng):
    return datasets.swiss_roll(size, rng).X


PIECES = Experiment(
    id="manifolds:pieces",
    question="How many neighbours join the points?",
    competitors=LIMITS,
    fields=[JOINED],
    measure=measures.pieces,
    along=NEIGHBOURS,
    settings=measures.PIECES,
    shown={"heads": Data(_pictures, 500)},
    beyond={"digits": Data(_digits, 500), "roll": Data(_roll, 500)},
    findings={
        "one": Finding(
            "joined(free) <= 25",
            when="neighbours <= 1",
            but={"25": "3"},
            says="One neighbour joins at most 25 percent of the points",
        ),
        "five": Finding(
            "joined(free) >= 90",
            on=("heads", "digits"),
            when="neighbours >= 5",
            but={"joined(free)": "joined(limited)"},
            says="Five neighbours join at least 90 percent of the points",
        ),
        "limit": Finding(
            "joined(limited) >= joined(free) - 20",
            MEAN,
            on=("heads", "digits"),
            when="neighbours >= 5",
            but={">=": "<="},
            says="With five neighbours the limit leaves out at most 20 percent "
            "of the points",
        ),
    },
)

# ---- short circuits ----

WRONG = Field("wrong", "edges that join two windings", by="with")
ALONG = Field("along", "correlation along the strip", by="with")
LEFT_OUT = Field("left_out", "points left out", "%", by="with")
BRIDGES = Experiment(
    id="manifolds:bridges",
    question="Does a limit on the length of edges keep a roll flat?",
    competitors=LIMITS,
    fields=[WRONG, ALONG, LEFT_OUT],
    measure=measures.bridges,
    along=NEIGHBOURS,
    settings=measures.BRIDGED,
    shown={
        "noise 0": Data(measures.roll, 1500),
        "noise 0.6": Data(partial(measures.roll, noise=0.6), 1500),
        "noise 1": Data(partial(measures.roll, noise=1.0), 1500),
    },
    beyond={
        "noise 0.3": Data(partial(measures.roll, noise=0.3), 1500),
    },
    findings={
        "repairs": Finding(
            "wrong(limited) <= 0",
            on=("noise 0", "noise 0.3"),
            but={"wrong(limited)": "wrong(free)"},
            says="Within the limit no edge joins two windings",
        ),
        "flat": Finding(
            "along(limited) >= 0.98",
            on=("noise 0", "noise 0.3"),
            when="neighbours >= 20",
            but_on="noise 1",
            says="With 20 neighbours and the limit the correlation along the strip is "
            "at least 0.98",
        ),
        "too noisy": Finding(
            "wrong(limited) >= 1",
            on=("noise 1",),
            but_on="noise 0",
            says="Even within the limit at least 1 edge joins two windings",
        ),
        "bent": Finding(
            "wrong(free) >= 1",
            on=("noise 0.6", "noise 1"),
            when="neighbours >= 20",
            but={"wrong(free)": "wrong(limited)"},
            says="With 20 neighbours and no limit at least 1 edge joins two windings",
        ),
    },
)

# ---- one centring or two, and negative eigenvalues ----

PURITY, ERROR = poses.PURITY, poses.ERROR
COORDINATES = Field("coordinates", "coordinates")
LOST = Field("lost", "loss of squared distances", "%")
NEGATIVE = Field("negative", "share of the moduli that is negative", "%", by="with")
CENTRED = {
    "nystrom": Competitor(spectrum.NYSTROM, spectrum.NYSTROM),
    "doubly": Competitor(spectrum.DOUBLY, spectrum.DOUBLY),
    "singly": Competitor(spectrum.SINGLY, spectrum.SINGLY),
}
CENTRING = Experiment(
    id="manifolds:centring",
    question="What do one centring and negative eigenvalues do to coordinates?",
    competitors={
        **CENTRED,
        "positive": Competitor("all points, positive", "positive eigenvalues"),
        "moduli": Competitor("all points, moduli", "all moduli"),
    },
    fields=[LOST, PURITY, ERROR, NEGATIVE],
    prepare=measures.all_paths,
    measure=measures.ways,
    along=COORDINATES,
    settings=measures.COORDINATES,
    shown={"heads": Data(measures.heads, 400)},
    beyond={
        "noisy heads": Data(partial(measures.heads, noise=0.5), 400),
        "digits": Data(measures.digits, 400),
    },
    findings={
        "negative": Finding(
            "negative(positive) >= 10",
            but={"10": "40"},
            says="At least 10 percent of the sum of all moduli is negative",
        ),
        "moduli": Finding(
            "lost(positive) <= lost(moduli)",
            when="coordinates >= 40",
            but={"<=": "<= 0.3 *"},
            says="With 40 coordinates positive eigenvalues lose no more of the "
            "squared distances than the largest moduli",
        ),
        "one": Finding(
            "lost(singly) >= lost(doubly) + 5",
            when="coordinates >= 40",
            but={"+ 5": "+ 50"},
            says="With 40 coordinates one centring loses at least 5 percentage points "
            "more of the squared distances than two",
        ),
        "many": Finding(
            "lost(doubly) <= lost(nystrom)",
            MEAN,
            on=("heads", "noisy heads"),
            when="coordinates >= 40",
            but={"lost(doubly) <= lost(nystrom)": "lost(nystrom) <= lost(doubly)"},
            says="With 40 coordinates the Nyström method loses at least as much of the "
            "squared distances as Column-sampling",
        ),
        "few": Finding(
            "lost(nystrom) <= lost(doubly)",
            MEAN,
            when="coordinates <= 20",
            but={"lost(nystrom) <= lost(doubly)": "lost(doubly) <= lost(nystrom)"},
            says="With up to 20 coordinates the Nyström method loses no more of the "
            "squared distances than Column-sampling",
        ),
    },
)

OF_MEAN = Field("of_mean", "correlation with the mean squared distance", by="with")
WIDTH = Field("width", "width of the strip that is kept", "% of its variance")
ROLLED = Experiment(
    id="manifolds:rolled",
    question="What does one centring do to a roll?",
    competitors=CENTRED,
    fields=[OF_MEAN, WIDTH],
    prepare=measures.with_columns,
    measure=measures.laid_flat,
    shown={"roll": Data(measures.roll, 1500)},
    beyond={
        "fewer points": Data(measures.roll, 800),
        "noise 0.3": Data(partial(measures.roll, noise=0.3), 800),
    },
    findings={
        "mean": Finding(
            "of_mean(singly) >= of_mean(doubly) + 0.2",
            MEAN,
            on=("roll", "noise 0.3"),
            but={"of_mean(singly)": "of_mean(nystrom)"},
            says="With one centring the correlation of a coordinate with the mean "
            "squared distance is at least 0.2 larger than with two",
        ),
        "width": Finding(
            "width(singly) <= 0.5 * width(doubly)",
            MEAN,
            but={"width(singly)": "width(nystrom)"},
            says="With one centring at most 0.5 times as much of the width of the "
            "strip is kept as with two",
        ),
    },
)

# ---- what errors of geodesics move ----

POINTS = Field("points", "points $n$")
SQUARES = Field("error", "error of squares", "%")
MOVED = Field("moved", "points moved", "%")
BOUND = Field("bound", "bound", "%")
MOVES = Experiment(
    id="manifolds:moves",
    question="How far do points move, and how far may they?",
    competitors={
        "root": Competitor("root of n neighbours", 1.0),
    },
    fields=[SQUARES, MOVED, BOUND],
    measure=measures.moves,
    along=POINTS,
    settings=measures.POINTS,
    shown={"strip": Data(measures.strip, 400)},
    beyond={
        "square": Data(partial(measures.strip, length=1.0), 400),
        "longer strip": Data(partial(measures.strip, length=5.0), 400),
        "strip with a hole": Data(partial(measures.strip, hole=0.5), 400),
    },
    findings={
        "less": Finding(
            "moved(root) <= error(root)",
            on=("strip", "square", "strip with a hole"),
            but={"<=": "<= 0.2 *"},
            says="The points move by no more than the error of their squared distances",
        ),
        "loose": Finding(
            "bound(root) >= 4 * moved(root)",
            but={"4": "20"},
            says="The bound is at least 4 times the movement",
        ),
        "not so loose": Finding(
            "bound(root) <= 40 * moved(root)",
            but={"40": "5"},
            says="The bound is at most 40 times the movement",
        ),
        "small": Finding(
            "moved(root) <= 4",
            on=("strip", "square", "longer strip"),
            when="points >= 400",
            but_on="strip with a hole",
            says="With 400 points they move by at most 4 percent",
        ),
    },
)

# ---- distances of kernel matrices ----

KEPT = Field("accuracy", "relative accuracy of distances")
COLUMNS = Field("columns", "columns")
BOTH = {
    "nystrom": Competitor(experiments.NYSTROM, experiments.NYSTROM),
    "columns": Competitor(experiments.COLUMNS, experiments.COLUMNS),
}
PAGE = (
    "digits, linear",
    "digits, RBF",
    "patches, linear",
    "documents, linear",
    "heads, linear",
)
OTHERS = ("cells, RBF", "patients, RBF")
GAUSSIAN = ("digits, RBF", *OTHERS)


def _matrices(names):
    draw = measures.matrix
    return {name: Data(partial(draw, name=name), 300) for name in names}


PRESERVED = Experiment(
    id="manifolds:preserved",
    question="Which method keeps distances, with ten coordinates?",
    competitors=BOTH,
    fields=[KEPT],
    prepare=measures.with_best,
    measure=measures.by_columns,
    along=COLUMNS,
    settings=measures.COLUMNS,
    shown=_matrices(PAGE),
    beyond=_matrices(OTHERS),
    findings={
        "behind": Finding(
            "accuracy(nystrom) <= accuracy(columns)",
            MEAN,
            on=(
                "digits, linear",
                "digits, RBF",
                "heads, linear",
                "cells, RBF",
                "patients, RBF",
            ),
            but={"<=": "<= 0.5 *"},
            says="Column-sampling keeps distances at least as well as the Nyström "
            "method",
        ),
        "ahead": Finding(
            "accuracy(nystrom) >= accuracy(columns)",
            MEAN,
            on=("patches, linear",),
            when="columns <= 15",
            but_on="digits, linear",
            says="With 15 columns the Nyström method keeps distances at least as well "
            "as Column-sampling",
        ),
    },
)

NUMBERS = Experiment(
    id="manifolds:numbers",
    question="Which method keeps distances, with more and more coordinates?",
    competitors=BOTH,
    fields=[KEPT],
    prepare=measures.with_best,
    measure=measures.by_numbers,
    along=COORDINATES,
    settings=measures.NUMBERS,
    shown=_matrices(PAGE),
    beyond=_matrices(OTHERS),
    findings={
        "few": Finding(
            "accuracy(nystrom) <= accuracy(columns)",
            MEAN,
            on=("digits, linear", "documents, linear", *GAUSSIAN),
            when="coordinates <= 10",
            but={"<=": "<= 0.5 *"},
            says="With up to 10 coordinates Column-sampling keeps distances at least "
            "as well as the Nyström method",
        ),
        "many": Finding(
            "accuracy(nystrom) >= accuracy(columns)",
            MEAN,
            on=("digits, linear",),
            when="coordinates >= 50",
            but_on="digits, RBF",
            says="With 50 coordinates the Nyström method keeps distances at least as "
            "well as Column-sampling",
        ),
        "always": Finding(
            "accuracy(nystrom) <= accuracy(columns)",
            MEAN,
            on=("digits, RBF", "patients, RBF"),
            but_on="digits, linear",
            says="With each number of coordinates Column-sampling keeps distances at "
            "least as well as the Nyström method",
        ),
    },
)

# ---- whether coordinates tell the poses, and new points ----

JUDGES, ANGLES, PLACED = poses.JUDGES, poses.ANGLES, poses.PLACED
