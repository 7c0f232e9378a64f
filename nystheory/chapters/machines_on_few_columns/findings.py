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

ERROR = Field("error", "wrong labels", "%", by="with")
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
        "patients": _of(points.patients, 442, 265, 50),
        "digits with 60 columns": _of(points.digits, 1797, 1078, 60),
    },
    findings={
        "curved": Finding(
            "error(kernel) <= 0.6 * error(linear)",
            MEAN,
            on=CURVED,
            but_on="cell samples",
        ),
        "flat": Finding(
            "error(linear) <= error(kernel) + 2",
            MEAN,
            on=("cell samples",),
            but_on="digits",
        ),
        "few": Finding(
            "error(leverage) <= error(kernel) + 2",
            MEAN,
            on=ENOUGH,
            but_on="photographs",
        ),
        "too_few": Finding(
            "error(leverage) >= error(kernel) + 2",
            MEAN,
            on=("photographs", "digits with 60 columns"),
            but_on="moons",
        ),
        "uniform": Finding(
            "error(uniform) <= error(leverage) + 2",
            MEAN,
            on=(*ENOUGH, "photographs", "digits with 60 columns"),
            but={"error(uniform)": "error(linear)"},
        ),
        "scores": Finding(
            "error(leverage) <= error(uniform) + 2",
            MEAN,
            on=(*ENOUGH, "photographs", "digits with 60 columns"),
            but={"error(leverage)": "error(linear)"},
        ),
        "square": Finding(
            "error(ridge) <= error(leverage) + 2",
            MEAN,
            on=(*ENOUGH, "photographs", "digits with 60 columns"),
            but={"error(ridge)": "error(linear)"},
        ),
        "hinge": Finding(
            "error(leverage) <= error(ridge) + 2",
            MEAN,
            on=(*ENOUGH, "photographs", "digits with 60 columns"),
            but={"error(leverage)": "error(linear)"},
        ),
        "square_ahead": Finding(
            "error(ridge) <= error(leverage)", MEAN, on=("digits",), but_on="waves"
        ),
        "hinge_ahead": Finding(
            "error(leverage) <= error(ridge)", MEAN, on=("waves",), but_on="digits"
        ),
        "solved": Finding(
            "error(solved) <= error(leverage) + 1",
            MEAN,
            on=("digits", "moons", "waves", "photographs"),
            but={"error(solved)": "error(linear)"},
        ),
    },
)

# ---- more and more columns ----

RARE = Field("rare", "wrong labels in light groups, or in one class", "%", by="with")
SHARE = Field("share", "columns in light groups, or in one class", "%", by="of")
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


UNEVEN = ("light groups", "lighter groups", "tight groups")

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
        "light groups": _part(points.rare, 3000, 600, is_far),
        "photographs": _part(points.photographs, 2000, 600),
        "lighter groups": _part(points.rare, 3000, 600, is_far, share=0.05),
    },
    findings={
        "enough": Finding(
            "error(uniform) <= error(kernel) + 2",
            MEAN,
            on=("digits", "cell samples", "waves"),
            when="columns >= 128",
            but_on="photographs",
        ),
        "too_few": Finding(
            "error(uniform) >= error(kernel) + 2",
            MEAN,
            on=("digits", "waves", "photographs"),
            when="columns <= 32",
            but_on="cell samples",
        ),
        "share": Finding(
            "share(leverage) >= 2 * share(uniform)",
            MEAN,
            on=UNEVEN,
            when="columns >= 32",
            but_on="digits",
        ),
        "pays": Finding(
            "rare(leverage) <= rare(uniform)",
            MEAN,
            on=("tight groups", "lighter groups"),
            when="columns >= 64",
            but={"<=": "<= 0.1 *"},
        ),
        "pays_for_the_work": Finding(
            "rare(leverage) <= rare(more)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but={"<=": "<= 0.1 *"},
        ),
        "does_not_pay": Finding(
            "error(more) <= error(leverage)",
            MEAN,
            on=("digits", "waves"),
            when="columns <= 32",
            but_on="tight groups",
        ),
        "alike": Finding(
            "error(leverage) >= 0.7 * error(uniform)",
            MEAN,
            on=("waves", "photographs"),
            when="columns >= 16",
            but={"0.7": "1.3"},
        ),
        "pivots": Finding(
            "error(pivots) <= 0.8 * error(uniform)",
            MEAN,
            on=("tight groups",),
            when="columns >= 64",
            but_on="waves",
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
            "gap(coordinates) <= 0.2 * gap(pegasos)",
            EACH,
            when="passes >= 30",
            but={"0.2": "0.05"},
        ),
        "rate": Finding("power(pegasos) >= 1", EACH, but={"1": "2"}),
    },
)
