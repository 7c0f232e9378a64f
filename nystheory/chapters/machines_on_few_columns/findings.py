"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.machines_on_few_columns import experiments, machines, points
from nystheory.chapters.machines_on_few_columns.machines import LEVERAGE, MACHINES
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Choice,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

ERROR = Field("error", "share of wrong labels", "%", by="with")
WIDTH = Field("width", "width of the kernel", by="with")
LAMBDA = Field("lambda", "lambda", by="with")
COLUMNS = Field("columns", "columns")

# ---- the machines of the tables ----


def _of(make, size, count, columns, **options) -> Data:
    """Points, how many are learned from, and how many columns are taken."""
    return Data(lambda n, rng: (make(n, rng, **options), count, columns), size)


def in_parts(drawn, rng):
    """What is learned from and chosen by, and the points of the test."""
    return machines.split(*drawn, rng)


def compared(trial):
    """The wrong labels on the test."""
    return experiments.judged_by(trial.run, trial.chosen, trial.known, trial.judged)


PAIR = Choice(
    Field("pair", "place of width and ridge in their grid", by="of"),
    "the fewest wrong labels on points that are set aside",
    lambda known: range(len(machines.PAIRS)),
    machines.wrong_aside,
)
CURVED = ("digits", "moons", "waves", "photographs")
ENOUGH = ("digits", "cell samples", "moons", "waves")

TABLE = Experiment(
    id="machines_on_few_columns:table",
    question="How many labels are wrong, with all columns and with few?",
    competitors=MACHINES,
    fields=[ERROR, WIDTH, LAMBDA],
    prepare=in_parts,
    choose=PAIR,
    measure=compared,
    shown={
        "digits": _of(points.digits, 1797, 1078, 250),
        "cell samples": _of(points.cells, 569, 341, 60),
        "moons": _of(points.moons, 3000, 600, 60),
        "waves": _of(points.waves, 4000, 800, 150),
    },
    beyond={
        "photographs": _of(points.photographs, 2000, 600, 150),
        "digits with 60 columns": _of(points.digits, 1797, 1078, 60),
    },
    findings={
        "curved": Finding(
            "error(kernel) <= 0.6 * error(linear)",
            MEAN,
            on=CURVED,
            but_on="cell samples",
            says=(
                "The machine on all columns has at most 0.6 times the wrong "
                "labels of the linear machine"
            ),
        ),
        "flat": Finding(
            "error(linear) <= error(kernel) + 2",
            MEAN,
            on=("cell samples",),
            but_on="digits",
            says=(
                "The linear machine has at most 2 percentage points more "
                "wrong labels than the machine on all columns"
            ),
        ),
        "few": Finding(
            "error(leverage) <= error(kernel) + 2",
            MEAN,
            on=("digits", "moons", "waves"),
            but_on="photographs",
            says=(
                "Pegasos on columns by leverage scores has at most 2 "
                "percentage points more wrong labels than the machine on "
                "all columns"
            ),
        ),
        "too_few": Finding(
            "error(leverage) >= error(kernel) + 2",
            MEAN,
            on=("photographs",),
            but_on="moons",
            says=(
                "Pegasos on columns by leverage scores has at least 2 "
                "percentage points more wrong labels than the machine on "
                "all columns"
            ),
        ),
        "uniform": Finding(
            "error(uniform) <= error(leverage) + 2",
            MEAN,
            on=(*ENOUGH, "photographs"),
            but={"error(uniform)": "error(linear)"},
            says=(
                "Pegasos on uniform columns has at most 2 percentage points "
                "more wrong labels than on columns by leverage scores"
            ),
        ),
        "scores": Finding(
            "error(leverage) <= error(uniform) + 2",
            MEAN,
            on=(*ENOUGH, "photographs"),
            but={"error(leverage)": "error(linear)"},
            says=(
                "Pegasos on columns by leverage scores has at most 2 "
                "percentage points more wrong labels than on uniform "
                "columns"
            ),
        ),
        "square": Finding(
            "error(ridge) <= error(leverage) + 2",
            MEAN,
            on=(*ENOUGH, "photographs"),
            but={"error(ridge)": "error(linear)"},
            says=(
                "The square loss has at most 2 percentage points more wrong "
                "labels than Pegasos on the same columns"
            ),
        ),
        "hinge": Finding(
            "error(leverage) <= error(ridge) + 2",
            MEAN,
            on=(*ENOUGH, "photographs", "digits with 60 columns"),
            but={"error(leverage)": "error(linear)"},
            says=(
                "Pegasos has at most 2 percentage points more wrong labels "
                "than the square loss on the same columns"
            ),
        ),
        "solved": Finding(
            "error(solved) <= error(leverage) + 1",
            MEAN,
            on=("digits", "moons", "waves", "photographs"),
            but={"error(solved)": "error(linear)"},
            says=(
                "The hinge loss solved has at most 1 percentage point more "
                "wrong labels than Pegasos on the same columns"
            ),
        ),
    },
)

# ---- more and more columns ----

RARE = Field(
    "rare", "share of wrong labels in light groups, or in one class", "%", by="with"
)
SHARE = Field(
    "share", "share of columns in light groups, or in one class", "%", by="of"
)
COUNTS = (8, 16, 32, 64, 128)


def is_far(some):
    """The light groups."""
    return points.far(some.X)


def is_positive(some):
    """The class of the label 1."""
    return some.y > 0


def _part(make, size, count, rare=is_positive, **options) -> Data:
    return Data(lambda n, rng: (make(n, rng, **options), count, rare), size)


def with_width(drawn, rng):
    """The parts, and the width that the machine on all columns chooses."""
    some, count, rare = drawn
    known, judged = machines.split(some, count, 1, rng)
    place = machines.best(machines.Whole(), known)
    return (known, machines.PAIRS[place][0]), experiments.Part(judged, rare)


def more_columns(trial):
    """The wrong labels of all, and of the rare part."""
    known, width = trial.known
    if trial.run is None:
        return experiments.of_all_columns(known, trial.judged, width)
    return experiments.along(trial.run, known, trial.judged, width, COUNTS)


UNEVEN = ("lighter groups", "tight groups")

SCORES = Experiment(
    id="machines_on_few_columns:scores",
    question="Uniform columns, or columns by leverage scores?",
    competitors={
        "uniform": Competitor("uniform columns", "uniform"),
        "leverage": Competitor(
            "leverage scores", LEVERAGE, "columns by leverage scores"
        ),
        "more": Competitor(
            "uniform columns for the same work",
            "more",
        ),
        "pivots": Competitor("random pivots", "rp_cholesky"),
        "kernel": Competitor("all columns", None),
    },
    fields=[ERROR, RARE, SHARE],
    prepare=with_width,
    measure=more_columns,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "digits": _part(points.digits, 1797, 800),
        "cell samples": _part(points.cells, 569, 341),
        "waves": _part(points.waves, 3000, 600),
        "tight groups": _part(points.rare, 3000, 800, is_far, share=0.05, spread=0.1),
    },
    beyond={
        "photographs": _part(points.photographs, 2000, 600),
        "lighter groups": _part(points.rare, 3000, 600, is_far, share=0.05),
    },
    findings={
        "enough": Finding(
            "error(uniform) <= error(kernel) + 3",
            MEAN,
            on=("digits", "cell samples", "waves"),
            when="columns >= 128",
            but_on="photographs",
            says=(
                "With at least 128 uniform columns there are at most 3 "
                "percentage points more wrong labels than with all columns"
            ),
        ),
        "too_few": Finding(
            "error(uniform) >= error(kernel) + 2",
            MEAN,
            on=("digits", "waves", "photographs"),
            when="columns <= 32",
            but_on="cell samples",
            says=(
                "With at most 32 uniform columns there are at least 2 "
                "percentage points more wrong labels than with all columns"
            ),
        ),
        "share": Finding(
            "share(leverage) >= 2 * share(uniform)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but={">=": "<="},
            says=(
                "With at least 64 columns, leverage scores take at least 2 "
                "times as many of the rare part as uniform sampling"
            ),
        ),
        "pays": Finding(
            "rare(leverage) <= rare(uniform)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but={"<=": "<= 0.1 *"},
            says=(
                "With at least 64 columns by leverage scores the rare part "
                "has at most as many wrong labels as with uniform columns"
            ),
        ),
        "pays_for_the_work": Finding(
            "rare(leverage) <= rare(more)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but={"<=": "<= 0.1 *"},
            says=(
                "With at least 64 columns by leverage scores the rare part "
                "has at most as many wrong labels as with uniform columns "
                "for the same work"
            ),
        ),
        "does_not_pay": Finding(
            "error(more) <= error(leverage)",
            MEAN,
            on=("digits",),
            when="columns <= 32",
            but={"<=": "<= 0.1 *"},
            says=(
                "Where leverage scores have at most 32 columns, uniform "
                "columns for the same work have at most as many wrong "
                "labels"
            ),
        ),
        "alike": Finding(
            "error(leverage) >= 0.7 * error(uniform)",
            MEAN,
            on=("waves", "photographs"),
            when="columns >= 16",
            but={"0.7": "1.3"},
            says=(
                "With at least 16 columns, leverage scores have at least "
                "0.7 times the wrong labels of uniform columns"
            ),
        ),
        "pivots": Finding(
            "error(pivots) <= 0.8 * error(uniform)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but_on="waves",
            says=(
                "With at least 64 columns, random pivots have at most 0.8 "
                "times the wrong labels of uniform columns"
            ),
        ),
    },
)

# ---- passes ----

GAP = Field("gap", "duality gap", "% of the value at zero")
POWER = Field("power", "power of the passes by which the gap falls", by="with")
ALONG = Field("passes", "passes")
PASSES = (1, 3, 10, 30)


def _with_lambda(make, size, columns, lambda_, width=0.6) -> Data:
    place = experiments.place_of(width, lambda_)
    return Data(lambda n, rng: (make(n, rng), columns, place), size)


def all_known(drawn, rng):
    """All points are learned from: what is measured is the problem itself."""
    some, columns, place = drawn
    known, _ = machines.split(some, len(some.X), columns, rng)
    return (known, place), None


def solved(trial):
    """The gap after more and more passes."""
    known, place = trial.known
    found = experiments.gaps(trial.run, known, place, PASSES)
    return {"gap": found, "power": experiments.power(PASSES, found)}


GAPS = Experiment(
    id="machines_on_few_columns:gaps",
    question="How small is the duality gap after so many passes?",
    competitors={
        "pegasos": Competitor("Pegasos", "pegasos"),
        "coordinates": Competitor("coordinates", "coordinates", "dual coordinates"),
    },
    fields=[GAP, POWER],
    prepare=all_known,
    measure=solved,
    along=ALONG,
    settings=PASSES,
    shown={
        "digits": _with_lambda(points.digits, 1000, 100, 1e-3),
        "waves": _with_lambda(points.waves, 1000, 100, 1e-3),
    },
    beyond={
        "digits with a tenth of the ridge": _with_lambda(
            points.digits, 1000, 100, 1e-4
        ),
        "waves with a tenth of the ridge": _with_lambda(points.waves, 1000, 100, 1e-4),
        "moons": _with_lambda(points.moons, 1000, 50, 1e-3),
        "cell samples": _with_lambda(points.cells, 569, 50, 1e-3),
    },
    findings={
        "behind": Finding(
            "gap(coordinates) <= 0.5 * gap(pegasos)",
            EACH,
            when="passes >= 30",
            but={"0.5": "0.05"},
            says=(
                "After at least 30 passes, dual coordinates have at most "
                "0.5 times the gap of Pegasos"
            ),
        ),
        "rate": Finding(
            "power(pegasos) >= 0.9",
            EACH,
            but={"0.9": "2"},
            says=("The gap of Pegasos falls at least like the power 0.9 of the passes"),
        ),
    },
)
