"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.surely_worse_kernels import experiments
from nystheory.chapters.surely_worse_kernels.experiments import MU, WIDTHS
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.selection import MEASURES

WORSE = Field("worse", "number of widths that are certainly worse", by="by")
LOST = Field("lost", "whether the best width is among them", by="by")
RIDGE = Field("ridge", "ridge per point")
COLUMNS = Field("columns", "columns")

# ---- one number of columns ----

MUS = (0.001, MU, 0.05)
COUNT = 100


def with_ends(points, rng):
    """The kernels of all widths, approximated, and their criterion."""
    return experiments.searched(points, WIDTHS, [COUNT], MUS, ["criterion"], rng), None


def told(trial):
    """How many kernels are certainly worse, for each ridge."""
    return experiments.told_worse(trial.known, MUS, trial.run)


CERTAIN = Experiment(
    id="surely_worse_kernels:certain",
    question=f"Of {len(WIDTHS)} widths, how many are certainly worse?",
    competitors={
        "trace": Competitor("the trace alone", 0),
        "one": Competitor("one product", 1),
        "two": Competitor("two products", 2),
        "bare": Competitor(
            "no ends",
            None,
            "the criterion of the approximations, taken for exact",
        ),
    },
    fields=[WORSE, LOST],
    prepare=with_ends,
    measure=told,
    along=RIDGE,
    settings=MUS,
    shown={
        "diabetes": Data(experiments.diabetes, 300),
        "digits": Data(experiments.digits, 300),
        "cell samples": Data(experiments.cells, 300),
    },
    beyond={
        "photographs": Data(experiments.photographs, 300),
    },
    findings={
        "trace": Finding("worse(trace) >= 5", but={"5": "15"}),
        "product": Finding("worse(one) >= 2 * worse(trace)", but={"2": "4"}),
        "safe": Finding("lost(one) <= 0", but={"one": "bare"}),
    },
)

# ---- more and more columns ----

OTHER = Field("other", "draws in which another width is picked", "%", by="by")
WIDER = Field("wider", "steps by which the width is too wide", by="by")
COUNTS = (25, 50, 100)
FEWER = WIDTHS[::2]


def with_measures(points, rng):
    """The kernels of fewer widths, approximated, and all of their measures."""
    return experiments.searched(points, FEWER, COUNTS, [MU], MEASURES, rng), None


def told_along(trial):
    """What is told with more and more columns."""
    return experiments.along_columns(trial.known, trial.run, MU)


TELL = Experiment(
    id="surely_worse_kernels:tell",
    question="What do more columns tell, and what do they pick?",
    competitors={
        "criterion": Competitor("the criterion", "criterion"),
        "likelihood": Competitor("the likelihood", "likelihood"),
        "alone": Competitor("leaving one out", "leave-one-out"),
    },
    fields=[WORSE, OTHER, WIDER],
    prepare=with_measures,
    measure=told_along,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "diabetes": Data(experiments.diabetes, 250),
        "digits": Data(experiments.digits, 250),
        "cell samples": Data(experiments.cells, 250),
    },
    beyond={
        "waves": Data(experiments.waves, 250),
    },
    findings={
        "other": Finding("other(criterion) >= 50", MEAN, but={"50": "100"}),
        "wider": Finding("wider(criterion) >= 0", but={"criterion": "likelihood"}),
    },
)
