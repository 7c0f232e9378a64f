"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

import warnings

from nystheory.chapters.choosing_the_kernel import experiments, points
from nystheory.chapters.choosing_the_kernel.experiments import (
    EIGHT,
    GAMMAS,
    Known,
    Rule,
)
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.engine.findings.held_out import Points
from nystheory.sampling import FewerLandmarks

CRITERION = Field("criterion", "criterion", by="with")
APART = Field("apart", "mean distance from the exact criterion", by="with")
RIGHT = Field("right", "share of draws with the right width", "%", by="with")
NARROWER = Field("narrower", "widths by which the pick is too narrow", by="with")
EXCESS = Field(
    "excess", "exact criterion of the pick above its least value", "%", by="with"
)
GAMMA = Field("gamma", "$\\gamma$")

# ---- the source's Figure 1 ----


def with_exact(drawn, rng):
    """The kernel matrices and their exact criteria, the same for each competitor."""
    return Known.of(drawn), None


def all_widths(trial):
    """The criterion along the widths, and what it picks."""
    with _quietly():
        found = experiments.criteria(trial.run, trial.known, trial.rng)
    return {"criterion": found, **experiments.picked(found, trial.known.exact)}


def _quietly():
    """A wide kernel has fewer columns that differ than are asked for."""
    return warnings.catch_warnings(action="ignore", category=FewerLandmarks)


SMOOTH = ("cell samples", "fours and nines", "moons", "waves", "odd digits")
NOT_WAVES = ("cell samples", "fours and nines", "moons", "photographs", "odd digits")
CLOSE = ("cell samples", "moons", "waves", "odd digits")

FIGURE = Experiment(
    id="choosing_the_kernel:figure",
    question="How near is the criterion of an approximation, and what does it pick?",
    competitors=EIGHT,
    fields=[CRITERION, APART, RIGHT, NARROWER, EXCESS],
    prepare=with_exact,
    measure=all_widths,
    along=GAMMA,
    settings=GAMMAS,
    shown={
        "cell samples": Data(points.cells, 200),
        "fours and nines": Data(points.digits, 200),
        "moons": Data(points.moons, 200),
        "waves": Data(points.waves, 200),
    },
    beyond={
        "photographs": Data(points.photographs, 200),
        "odd digits": Data(points.parity, 200),
    },
    findings={
        "farther": Finding(
            "apart(driven) >= apart(uniform)",
            MEAN,
            but={">=": ">= 3 *"},
            says=(
                "The criterion of criterion-driven columns is at least as far "
                "from the exact one as that of uniform columns"
            ),
        ),
        "full": Finding(
            "apart(full) <= apart(uniform)",
            MEAN,
            on=NOT_WAVES,
            but={"<=": "<= 0.5 *"},
            says=(
                "The criterion of Adapt-Full is at most as far from the exact "
                "one as that of uniform columns"
            ),
        ),
        "optimal": Finding(
            "apart(optimal) <= apart(full)",
            MEAN,
            but={"<=": "<= 0.3 *"},
            says=(
                "The criterion of the best matrix of its rank is at most as far "
                "from the exact one as that of Adapt-Full"
            ),
        ),
        "alike": Finding(
            "apart(driven) >= 0.9 * apart(partial)",
            MEAN,
            on=CLOSE,
            but={"0.9": "1.3"},
            says=(
                "The criterion of criterion-driven columns is at least 0.9 "
                "times as far from the exact one as that of Adapt-Part"
            ),
        ),
        "alike_too": Finding(
            "apart(driven) <= 1.1 * apart(partial)",
            MEAN,
            on=CLOSE,
            but={"1.1": "0.8"},
            says=(
                "The criterion of criterion-driven columns is at most 1.1 "
                "times as far from the exact one as that of Adapt-Part"
            ),
        ),
        "wider": Finding(
            "narrower(uniform) <= 0",
            EACH,
            on=SMOOTH,
            but={"<=": ">="},
            says="Uniform columns never pick a kernel that is too narrow",
        ),
        "wider_driven": Finding(
            "narrower(driven) <= 0",
            EACH,
            on=SMOOTH,
            but={"<=": ">="},
            says="Criterion-driven columns never pick a kernel that is too narrow",
        ),
        "misses": Finding(
            "right(driven) <= 70",
            MEAN,
            on=("fours and nines", "waves"),
            but={"right(driven)": "right(original)"},
            says=(
                "Criterion-driven columns pick the width of the exact "
                "criterion in at most 70 percent of the draws"
            ),
        ),
        "costs": Finding(
            "excess(driven) >= 5",
            MEAN,
            on=("odd digits",),
            but={"5": "50"},
            says=(
                "The exact criterion of what criterion-driven columns pick is "
                "at least 5 percent above its least value"
            ),
        ),
        "spares": Finding(
            "excess(full) <= 10",
            MEAN,
            on=("fours and nines", "moons"),
            but={"10": "1"},
            says=(
                "The exact criterion of what Adapt-Full picks is at most "
                "10 percent above its least value"
            ),
        ),
    },
)

# ---- the rank, which the text at hand has lost ----

SHARES = (10, 30, 100)
RANK = Field("rank", "rank", "% of the columns")
COARSE = GAMMAS[1::2]


def with_coarse(drawn, rng):
    """The same with every second width."""
    return Known.of(drawn, COARSE), None


def all_ranks(trial):
    """How far the criterion is with each rank."""
    found = []
    for share in SHARES:
        rank = max(1, round(share * trial.known.columns / 100))
        with _quietly():
            some = experiments.criteria(trial.run, trial.known, trial.rng, rank)
        found.append(experiments.picked(some, trial.known.exact)["apart"])
    return {"apart": found}


RANKS = Experiment(
    id="choosing_the_kernel:rank",
    question="Does the comparison depend on the rank?",
    competitors={name: each for name, each in EIGHT.items() if name != "original"},
    fields=[APART],
    prepare=with_coarse,
    measure=all_ranks,
    along=RANK,
    settings=SHARES,
    shown={
        "cell samples": Data(points.cells, 150),
        "waves": Data(points.waves, 150),
    },
    beyond={
        "photographs": Data(points.photographs, 150),
        "moons": Data(points.moons, 150),
    },
    findings={
        "farther": Finding(
            "apart(driven) >= apart(uniform)",
            MEAN,
            when="rank >= 100",
            but={">=": ">= 3 *"},
            says=(
                "With the full rank the criterion of criterion-driven columns "
                "is at least as far from the exact one as that of uniform columns"
            ),
        ),
        "near": Finding(
            "apart(driven) <= 1.1 * apart(uniform)",
            MEAN,
            on=("cell samples", "waves"),
            when="rank <= 10",
            but={"1.1": "0.8"},
            says=(
                "With a rank of 10 percent of the columns the criterion of "
                "criterion-driven columns is at most 1.1 times as far from the "
                "exact one as that of uniform columns"
            ),
        ),
        "near_too": Finding(
            "apart(driven) >= 0.9 * apart(uniform)",
            MEAN,
            on=("cell samples", "waves"),
            when="rank <= 10",
            but={"0.9": "1.5"},
            says=(
                "With a rank of 10 percent of the columns the criterion of "
                "criterion-driven columns is at least 0.9 times as far from the "
                "exact one as that of uniform columns"
            ),
        ),
        "low": Finding(
            "apart(optimal) >= 0.8 * apart(uniform)",
            MEAN,
            when="rank <= 10",
            but={"0.8": "1.3"},
            says=(
                "With a rank of 10 percent of the columns the criterion of the "
                "best matrix of its rank is at least 0.8 times as far from the "
                "exact one as that of uniform columns"
            ),
        ),
    },
)

# ---- judged on new points ----

FEW = Field("few", "wrong labels of the machine on few columns", "%", by="with")
ALL = Field("all", "wrong labels of the machine on all columns", "%", by="with")
CHOSEN = Field("gamma", "chosen $\\gamma$", by="with")
NEW = 300
RULES = {
    "exact": Competitor("criterion, all columns", Rule("criterion", few=False)),
    "near": Competitor("criterion, few columns", Rule("criterion")),
    "evidence": Competitor("likelihood, few columns", Rule("likelihood")),
    "alone": Competitor("leave-one-out, few columns", Rule("leave-one-out")),
    "folds": Competitor("five folds, few columns", Rule("folds")),
    "brief": Competitor(
        "five folds, fewer columns for the same work", Rule("folds", share=5**-0.5)
    ),
}


def learn_and_judge(drawn, rng):
    """What is learned from, and the new points."""
    n = len(drawn.y) - NEW
    learn, new = (Points(drawn.X[s], drawn.y[s]) for s in (slice(n), slice(n, None)))
    return Known.of(learn), new


def new_labels(trial):
    """The wrong labels of new points."""
    seed = int(trial.rng.integers(2**31))
    return experiments.wrong(trial.run, trial.known, trial.judged, seed)


JUDGED = Experiment(
    id="choosing_the_kernel:judged",
    question="Which rule picks a kernel with few wrong labels?",
    competitors=RULES,
    fields=[FEW, ALL, CHOSEN],
    prepare=learn_and_judge,
    measure=new_labels,
    shown={
        "cell samples": Data(points.cells, 500),
        "moons": Data(points.moons, 500),
        "waves": Data(points.waves, 500),
    },
    beyond={
        "photographs": Data(points.photographs, 500),
        "odd digits": Data(points.parity, 500),
    },
    findings={
        "own": Finding(
            "few(near) <= few(exact) + 2",
            MEAN,
            but={"+ 2": "- 5"},
            says=(
                "With the width of the criterion on few columns the machine on "
                "these columns has at most 2 percentage points more wrong labels "
                "than with the width of the exact criterion"
            ),
        ),
        "gains": Finding(
            "few(near) <= few(exact)",
            MEAN,
            on=("waves",),
            but={"<=": "<= 0.5 *"},
            says=(
                "With the width of the criterion on few columns the machine on "
                "these columns has at most as many wrong labels as with the width of "
                "the exact criterion"
            ),
        ),
        "evidence": Finding(
            "few(evidence) <= few(near) + 2",
            MEAN,
            but={"+ 2": "- 5"},
            says=(
                "With the width of the likelihood the machine on few columns has "
                "at most 2 percentage points more wrong labels than with that of "
                "the criterion"
            ),
        ),
        "folds": Finding(
            "few(near) <= few(folds) + 2",
            MEAN,
            on=("cell samples", "moons", "photographs", "odd digits"),
            but={"+ 2": "- 2"},
            says=(
                "With the width of the criterion the machine on few columns has "
                "at most 2 percentage points more wrong labels than with that of "
                "five folds"
            ),
        ),
        "brief": Finding(
            "few(near) <= few(brief) + 2",
            MEAN,
            on=("cell samples", "moons", "waves", "odd digits"),
            but={"+ 2": "- 2"},
            says=(
                "With the width of the criterion the machine on few columns has "
                "at most 2 percentage points more wrong labels than with that of "
                "five folds for the same work"
            ),
        ),
    },
)
