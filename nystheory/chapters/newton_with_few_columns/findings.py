"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.newton_with_few_columns import trials
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

# ---- both forms of the step ----

STEPS = Field("steps", "steps", by="with")
REST = Field("rest", "share of draws at rest", "%", by="with")
RIGHT = Field("right", "labels told right", "%", by="with")
OFF = Field("off", "distance from the minimiser", "% of its length", by="with")
WORK = Field("work", "operations", "% of those with all columns", by="with")
COLUMNS = Field("columns", "columns $l$")
COUNTS = (4, 7, 14, 28, 56)
TRAIN = 140


def ended(trial):
    """With each number of columns, or with all of them."""
    return trials.steps_and_ends(trial, COUNTS) if trial.run else trials.all_columns(trial)


QUARTER = partial(trials.form_3_14, damped=0.25, steps=100)
TENTH = partial(trials.form_3_14, damped=0.1, steps=250)
FORMS = Experiment(
    id="newton_with_few_columns:forms",
    question="Where do both forms of the step end, and after how many steps?",
    competitors={
        "few": Competitor("exact gradient", trials.exact_gradient),
        "quarter": Competitor("form (3.14), a quarter of each of 100 steps", QUARTER),
        "tenth": Competitor("form (3.14), a tenth of each of 250 steps", TENTH),
        "all": Competitor("all columns"),
    },
    fields=[STEPS, REST, RIGHT, OFF, WORK],
    prepare=trials.known_and_new,
    measure=ended,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "threes and eights": Data(trials.pair, TRAIN),
        "a larger ridge": Data(partial(trials.pair, ridge=0.1), TRAIN),
    },
    beyond={
        "fours and nines": Data(partial(trials.pair, digits=(4, 9)), TRAIN),
        "cell samples": Data(trials.cells, TRAIN),
        "moons": Data(trials.moons, TRAIN),
    },
    findings={
        "many": Finding(
            "steps(few) >= 2 * steps(all)",
            MEAN,
            when="columns <= 7",
            but={"2": "20"},
            says="x 7 2",
        ),
    },
)

# ---- who tells labels right ----

RIDGES = (0.01, 0.1, 1.0, 10.0)


def ridges(known):
    """The same for each learner."""
    return RIDGES


def _learner(label, linear=False, landmarks=None):
    return Competitor(label, {"linear": linear, "landmarks": landmarks})


LEARNERS = Experiment(
    id="newton_with_few_columns:learners",
    question="Which kernel and how many of its landmarks tell new labels right?",
    competitors={
        "linear": _learner("linear kernel", linear=True),
        "rbf": _learner("Gaussian kernel"),
        "seven": _learner("Gaussian kernel, 7 landmarks", landmarks=7),
        "some": _learner("Gaussian kernel, 28 landmarks", landmarks=28),
        "half": _learner("Gaussian kernel, 56 landmarks", landmarks=56),
    },
    fields=[RIGHT],
    prepare=trials.known_and_judged,
    choose=Choice(
        Field("ridge", "ridge"),
        "the share told right of a quarter of the training points, set aside",
        ridges,
        trials.wrong_aside,
    ),
    measure=trials.told_right,
    shown={"threes and eights": Data(trials.pair, TRAIN)},
    beyond={
        "fours and nines": Data(partial(trials.pair, digits=(4, 9)), TRAIN),
        "cell samples": Data(trials.cells, TRAIN),
        "moons": Data(trials.moons, TRAIN),
    },
    findings={
        "fewer": Finding("right(seven) <= right(rbf) - 2", MEAN, but={"2": "20"}, says="x 2"),
    },
)
