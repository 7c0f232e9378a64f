"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.solving_with_few_columns import own_ridges, race, trials
from nystheory.chapters.solving_with_few_columns.own_ridges import ALL, FEW, PAID, ROWS
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

# ---- all points, or inducing points ----

ERROR = Field("error", "test error", "% of the standard deviation", by="with")
RATIO = Field("ratio", "test error / test error with all points", by="with")
COLUMNS = Field("columns", "columns", by="with")
STEPS_TAKEN = Field("steps", "steps", by="with")
NORM = Field(
    "norm", "error of the kernel over the ridge of all points", norm="spectral norm"
)
TRACE = Field("trace", "share of the trace missed", "%", by="with")
CHOSEN = Field("ridge", "ridge", by="of")


def ridges(known):
    """The same for each learner."""
    return race.OWN_RIDGES


def learn_and_judge(given, rng):
    """What is learned from, and new points."""
    return own_ridges.Known(given, rng), given.test


def _task(make, size):
    return Data(partial(own_ridges.drawn, task=make), size)


FEWER = ("arm", "waves", "digits", "products")
RACE = Experiment(
    id="solving_with_few_columns:race",
    question="What do inducing points lose against all points?",
    competitors={
        "all": Competitor(race.FULL, ALL),
        "few": Competitor(race.SAME_MEMORY, FEW),
        "paid": Competitor(race.SAME_WORK, PAID),
        "rows": Competitor("true rows", ROWS),
        "lent": Competitor(
            f"all points with the ridge of {race.SAME_MEMORY}", ALL, chosen_for="few"
        ),
        "borrowed": Competitor(
            f"true rows with the ridge of {race.FULL}", ROWS, chosen_for="all"
        ),
    },
    fields=[ERROR, RATIO, COLUMNS, STEPS_TAKEN, NORM, TRACE],
    prepare=learn_and_judge,
    choose=Choice(CHOSEN, "the error on points set aside", ridges, own_ridges.loss),
    measure=own_ridges.measured,
    shown={
        "surface": _task(race.surface, 800),
        "pixels": _task(race.pixels, 800),
        "arm": _task(race.arm, 800),
        "waves": _task(race.waves, 800),
    },
    beyond={
        "digits": _task(own_ridges.numbers, 297),
        "products": _task(own_ridges.products, 600),
        "arm of 400 points": _task(race.arm, 400),
        "waves of 400 points": _task(race.waves, 400),
    },
    findings={
        "memory": Finding(
            "error(few) >= 1.02 * error(all)",
            MEAN,
            on=(*FEWER, "arm of 400 points", "waves of 400 points"),
            but_on="surface",
            says="With the same memory inducing points have at least 1.02 times the "
            "test error of all points",
        ),
        "much": Finding(
            "error(few) >= 1.5 * error(all)",
            MEAN,
            on=("waves", "waves of 400 points"),
            but_on="arm",
            says="With the same memory inducing points have at least 1.5 times the "
            "test error of all points",
        ),
        "even": Finding(
            "error(few) <= 1.05 * error(all)",
            MEAN,
            on=("surface", "pixels"),
            but_on="waves",
            says="With the same memory inducing points have at most 1.05 times the "
            "test error of all points",
        ),
        "work": Finding(
            "error(paid) >= 1.02 * error(all)",
            MEAN,
            on=FEWER,
            but_on="surface",
            says="With the same work inducing points have at least 1.02 times the test "
            "error of all points",
        ),
        "rows": Finding(
            "error(rows) >= 1.05 * error(few)",
            MEAN,
            on=("arm", "arm of 400 points"),
            but_on="products",
            says="True rows have at least 1.05 times the test error of features of the "
            "same landmarks, each with its own ridge",
        ),
        "borrowed": Finding(
            "error(borrowed) >= 1.5 * error(all)",
            EACH,
            on=FEWER,
            but_on="surface",
            says="With the ridge of all points true rows have at least 1.5 times the "
            "test error of all points",
        ),
        "larger": Finding(
            "ridge(rows) >= 5 * ridge(all)",
            EACH,
            on=FEWER,
            but={"5": "50"},
            says="The ridge of true rows is at least 5 times that of all points",
        ),
        "lent": Finding(
            "error(lent) >= 1.05 * error(all)",
            MEAN,
            on=("waves of 400 points",),
            but_on="digits",
            says="With the ridge of inducing points, all points have at least 1.05 "
            "times the test error that they have with their own",
        ),
    },
)

# ---- steps ----

PIVOTS = (5, 10, 20, 40, 80, 160)
COUNT = Field("columns", "columns $l$")
CONDITION = Field("condition", "condition number", by="with")
BY_NORM = Field("by_norm", "bound from the norm", by="with")
BY_TRACE = Field("by_trace", "bound from the trace", by="with")
STEPS = Field("steps", "steps to a relative residual of 1e-6", by="with")
ENOUGH = Field("enough", "columns for a condition number of 3", by="of")
PROMISED = Field("promised", "columns promised to be enough", by="of")


def solved(trial):
    """With each number of columns, or without preconditioner."""
    return trials.solves(trial, PIVOTS) if trial.run else trials.unaided(trial)


def _system(make, size):
    return Data(partial(trials.system, make=make), size)


FALLING = ("digits", "arm", "surface", "cell samples")
CONDITIONS = Experiment(
    id="solving_with_few_columns:conditions",
    question="How many steps do conjugate gradients take with few columns?",
    competitors={
        "pivots": Competitor("pivots of RPCholesky", "rp_cholesky"),
        "volume": Competitor("volume-weighted columns", "k_dpp"),
        "uniform": Competitor("uniform columns", "uniform"),
        "plain": Competitor("no preconditioner"),
    },
    fields=[CONDITION, BY_NORM, BY_TRACE, STEPS, ENOUGH, PROMISED],
    measure=solved,
    along=COUNT,
    settings=PIVOTS,
    shown={"digits": _system(trials.of_digits, 500)},
    beyond={
        "arm": _system(race.arm, 300),
        "surface": _system(race.surface, 300),
        "cell samples": _system(trials.of_cells, 300),
        "waves": _system(race.waves, 300),
    },
    findings={
        "fewer": Finding(
            "steps(pivots) <= 0.5 * steps(plain)",
            EACH,
            on=FALLING,
            when="columns >= 40",
            but_on="waves",
            says="With 40 pivots or more of those tried conjugate gradients take at "
            "most 0.5 times as many steps as without preconditioner",
        ),
        "uniform": Finding(
            "steps(uniform) <= 1.5 * steps(pivots)",
            MEAN,
            on=("digits", "arm"),
            but_on="cell samples",
            says="With uniform columns they take at most 1.5 times as many steps as "
            "with pivots",
        ),
        "trace": Finding(
            "by_trace(pivots) >= 3 * by_norm(pivots)",
            MEAN,
            when="columns <= 40",
            but={"3": "10"},
            says="With 40 pivots or fewer of those tried the bound from the trace is "
            "at least 3 times the bound from the norm",
        ),
        "norm": Finding(
            "by_norm(pivots) <= 10 * condition(pivots)",
            MEAN,
            but={"10": "2"},
            says="With pivots the bound from the norm is at most 10 times the "
            "condition number",
        ),
        "promise": Finding(
            "enough(volume) <= 0.5 * promised(volume)",
            EACH,
            on=("digits", "arm"),
            but_on="waves",
            says="At most 0.5 times as many volume-weighted columns as are promised "
            "are enough for a condition number of three",
        ),
    },
)

# ---- Gaussian processes ----

ABOVE = Field("above", "largest $v' / v$ over its bound", "%")
BELOW = Field("below", "largest $v / v'$ over its bound", "%")
LOWEST = Field("lowest", "lowest variance with true rows")
LANDMARKS = (9, 12, 18)
SHARE = Field("share", "largest change of the mean over its bound", "%", by="with")
MOVED = Field("moved", "largest change of the mean", by="with")
BOUND = Field("bound", "bound from the trace", by="with")
KEPT = (40, 80, 160)
NOISE = 10.0


def varied(trial):
    """With each number of landmarks."""
    return trials.variances(trial, LANDMARKS)


def moved(trial):
    """With each number of columns."""
    return trials.moves(trial, KEPT)


def _process(make, size, noise=NOISE):
    return Data(partial(trials.of_a_task, make=make, noise=noise), size)


def _line(size, noise=0.05, hole=True):
    return Data(partial(trials.on_a_line, noise=noise, hole=hole), size)


LINES = (
    "a line with a hole",
    "half as many points",
    "a line without a hole",
    "ten times the noise",
)
VARIANCES = Experiment(
    id="solving_with_few_columns:variances",
    question="How wrong is the variance with inducing points?",
    competitors={"pivots": Competitor("inducing points", "rp_cholesky")},
    fields=[ABOVE, BELOW, LOWEST],
    measure=varied,
    along=Field("landmarks", "landmarks"),
    settings=LANDMARKS,
    shown={"a line with a hole": _line(200)},
    beyond={
        "half as many points": _line(100),
        "a line without a hole": _line(200, hole=False),
        "ten times the noise": _line(200, 0.5),
        "points in the plane": _process(race.surface, 200, 0.1),
    },
    findings={
        "above": Finding(
            "above(pivots) >= 40",
            on=LINES,
            but={"above": "below"},
            says="Somewhere the variance is too large by at least 40 percent of the "
            "factor that the theorem allows",
        ),
        "below": Finding(
            "below(pivots) <= 60",
            but={"below": "above"},
            says="It is nowhere too small by more than 60 percent of that factor",
        ),
        "lowest": Finding(
            "lowest(pivots) <= 0",
            on=("a line with a hole", "half as many points", "a line without a hole"),
            but={"<=": ">="},
            says="With true rows the variance somewhere falls below zero",
        ),
    },
)
MOVES = Experiment(
    id="solving_with_few_columns:moves",
    question="How far does the mean move with inducing points?",
    competitors={"few": Competitor("inducing points")},
    fields=[SHARE, MOVED, BOUND],
    measure=moved,
    along=Field("columns", "columns"),
    settings=KEPT,
    shown={"surface": _process(race.surface, 500)},
    beyond={
        "arm": _process(race.arm, 500),
        "products": _process(own_ridges.products, 500),
        "waves": _process(race.waves, 500),
    },
    findings={
        "far": Finding(
            "share(few) <= 10",
            MEAN,
            but={"10": "2"},
            says="The mean moves by at most 10 percent of its bound",
        ),
    },
)
