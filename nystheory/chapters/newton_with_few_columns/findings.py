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
COUNTS = (3, 6, 12, 24, 48)
TRAIN = 120


def ended(trial):
    """With each number of columns, or with all of them."""
    few = partial(trials.steps_and_ends, counts=COUNTS)
    return (few if trial.run else trials.all_columns)(trial)


FOURS = partial(trials.pair, digits=(4, 9))
LARGER = tuple(
    f"{pair} at the larger ridge"
    for pair in ("threes against eights", "fours against nines")
)
SMOOTH = ("threes against eights", "fours against nines", "cell samples", *LARGER)
QUARTER = partial(trials.form_3_14, damped=0.25, steps=100)
TENTH = partial(trials.form_3_14, damped=0.1, steps=250)
FORMS = Experiment(
    id="newton_with_few_columns:forms",
    question="Where do both forms of the step end, and after how many steps?",
    competitors={
        "few": Competitor("exact gradient", trials.exact_gradient),
        "quarter": Competitor("form (3.14), a quarter of each of 100 steps", QUARTER),
        "all": Competitor("all columns"),
    },
    fields=[STEPS, REST, RIGHT, OFF, WORK],
    prepare=trials.known_and_new,
    measure=ended,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "threes against eights": Data(trials.pair, TRAIN),
        LARGER[0]: Data(partial(trials.pair, ridge=0.1), TRAIN),
    },
    beyond={
        "fours against nines": Data(FOURS, TRAIN),
        LARGER[1]: Data(partial(FOURS, ridge=0.1), TRAIN),
        "cell samples": Data(trials.cells, TRAIN),
        "moons": Data(trials.moons, TRAIN),
    },
    findings={
        "steps": Finding(
            "steps(few) >= 2 * steps(all)",
            MEAN,
            on=("threes against eights", "fours against nines", *LARGER, "moons"),
            when="columns <= 6",
            but={"2": "10"},
            says="With 6 columns or fewer of those tried Newton's method with the "
            "exact gradient takes at least 2 times as many steps as with all columns",
        ),
        "enough": Finding(
            "steps(few) <= 2 * steps(all)",
            MEAN,
            on=SMOOTH,
            when="columns >= 24",
            but_on="moons",
            says="With 24 columns or more of those tried Newton's method with the "
            "exact gradient takes at most 2 times as many steps as with all columns",
        ),
        "work": Finding(
            "work(few) <= work(all)",
            MEAN,
            on=SMOOTH,
            when="columns >= 12",
            but_on="moons",
            says="With 12 columns or more of those tried the steps with the exact "
            "gradient take at most as many operations as those with all columns",
        ),
        "restless": Finding(
            "rest(quarter) <= 50",
            MEAN,
            on=("threes against eights",),
            when="columns <= 3",
            but={"<=": ">="},
            says="With 3 columns and a quarter of each step the printed form, mended, "
            "is at rest after the last step in at most 50 percent of the draws",
        ),
        "settled": Finding(
            "off(quarter) <= 20",
            MEAN,
            on=SMOOTH,
            when="columns >= 24",
            but={"20": "2"},
            says="With 24 columns or more of those tried and a quarter of each step "
            "the weights of the printed form, mended, differ from the minimiser by at "
            "most 20 percent of its length",
        ),
        "elsewhere": Finding(
            "off(quarter) >= 10",
            EACH,
            on=LARGER,
            when="columns <= 6",
            but={"10": "40"},
            says="With 6 columns or fewer of those tried and a quarter of each step "
            "the weights of the printed form, mended, differ from the minimiser by at "
            "least 10 percent of its length",
        ),
        "labels": Finding(
            "right(quarter) >= right(all) - 2",
            MEAN,
            on=LARGER,
            when="columns >= 12",
            but={">=": "<="},
            says="With 12 columns or more of those tried and a quarter of each step "
            "the printed form, mended, tells at most 2 percentage points fewer labels "
            "right than the minimiser",
        ),
    },
)

# ---- shorter steps ----

FEWEST = COUNTS[:2]


def ended_with_few(trial):
    """With the smaller numbers of columns."""
    found = trials.steps_and_ends(trial, FEWEST)
    return {field.name: found[field.name] for field in (REST, OFF)}


SHORTER = Experiment(
    id="newton_with_few_columns:shorter",
    question="Where does the form (3.14) end with shorter steps?",
    competitors={
        "quarter": FORMS.competitors["quarter"],
        "tenth": Competitor("form (3.14), a tenth of each of 250 steps", TENTH),
    },
    fields=[REST, OFF],
    prepare=trials.known_and_new,
    measure=ended_with_few,
    along=COLUMNS,
    settings=FEWEST,
    shown={"threes against eights": FORMS.shown["threes against eights"]},
    beyond={
        "fours against nines": FORMS.beyond["fours against nines"],
        "cell samples": FORMS.beyond["cell samples"],
        "moons": FORMS.beyond["moons"],
    },
    findings={
        "off": Finding(
            "off(tenth) >= 5",
            EACH,
            on=("threes against eights", "fours against nines"),
            but={"5": "40"},
            says="With three or six columns and a tenth of each step the weights of "
            "the printed form, mended, differ from the minimiser by at least 5 "
            "percent of its length",
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
        "linear": _learner("linear kernel, all points", linear=True),
        "rbf": _learner("Gaussian kernel, all points"),
        "six": _learner("Gaussian kernel, 6 landmarks", landmarks=6),
        "some": _learner("Gaussian kernel, 24 landmarks", landmarks=24),
    },
    fields=[RIGHT],
    draws=20,
    prepare=trials.known_and_judged,
    choose=Choice(
        Field("ridge", "ridge"),
        "the share told right of a quarter of the training points, set aside",
        ridges,
        trials.wrong_aside,
    ),
    measure=trials.told_right,
    shown={"threes against eights": Data(trials.pair, TRAIN)},
    beyond={
        "fours against nines": Data(FOURS, TRAIN),
        "cell samples": Data(trials.cells, TRAIN),
        "moons": Data(trials.moons, TRAIN),
    },
    findings={
        "six": Finding(
            "right(six) <= right(rbf)",
            MEAN,
            on=("threes against eights", "moons"),
            but={"<=": ">="},
            says="With six landmarks no more labels are told right than with all of K",
        ),
        "some": Finding(
            "right(some) >= right(rbf) - 2",
            MEAN,
            but={"some": "six"},
            says="With twenty-four landmarks at most 2 percentage points fewer labels "
            "are told right than with all of K",
        ),
        "linear": Finding(
            "right(linear) >= right(rbf) - 2",
            MEAN,
            on=("threes against eights", "fours against nines", "cell samples"),
            but_on="moons",
            says="With a linear kernel at most 2 percentage points fewer labels are "
            "told right than with the Gaussian one",
        ),
    },
)
