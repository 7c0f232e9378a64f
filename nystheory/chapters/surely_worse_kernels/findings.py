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
BUNDLED = ("diabetes", "digits", "cell samples")


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
        "trace": Finding(
            "worse(trace) >= 6",
            but={"6": "20"},
            says="By the trace alone at least 6 of the other widths are certainly "
            "worse",
        ),
        "half": Finding(
            "worse(trace) <= 12",
            on=BUNDLED,
            but_on="photographs",
            says="By the trace alone at most 12 of the other widths are certainly "
            "worse",
        ),
        "one": Finding(
            "worse(one) >= 12",
            but={"one": "trace"},
            says="With one product at least 12 of the other widths are certainly worse",
        ),
        "most": Finding(
            "worse(one) >= 18",
            when="ridge >= 0.005",
            but={"one": "trace"},
            says="With one product, and a ridge per point of at least 0.005, at least "
            "18 of the other widths are certainly worse",
        ),
        "decided": Finding(
            "worse(one) >= 24",
            when="ridge >= 0.05",
            on=BUNDLED,
            but={"one": "trace"},
            says="With one product, and a ridge per point of 0.05, all 24 other widths "
            "are certainly worse",
        ),
        "two": Finding(
            "worse(two) >= 22",
            when="ridge >= 0.005",
            but={"two": "one"},
            says="With two products, and a ridge per point of at least 0.005, at least "
            "22 of the other widths are certainly worse",
        ),
        "safe": Finding(
            "lost(one) <= 0",
            but={"one": "bare"},
            says="The best width is never among those that one product shows to be "
            "worse",
        ),
        "picked": Finding(
            "lost(bare) >= 1",
            when="ridge <= 0.001",
            but={"bare": "one"},
            says="At a ridge per point of 0.001 the criterion of the approximations is "
            "smallest at another width than the criterion itself",
        ),
    },
)

# ---- more and more columns ----

OTHER = Field("other", "draws in which another width is picked", "%", by="by")
WIDER = Field("wider", "steps by which the width is too wide", by="by")
GAINED = Field("gained", "widths that the last columns show to be worse", by="by")
COUNTS = (20, 40, 80)
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
    fields=[WORSE, OTHER, WIDER, GAINED],
    prepare=with_measures,
    measure=told_along,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "diabetes": Data(experiments.diabetes, 200),
        "digits": Data(experiments.digits, 200),
        "cell samples": Data(experiments.cells, 200),
    },
    beyond={
        "waves": Data(experiments.waves, 200),
    },
    findings={
        "most": Finding(
            "worse(criterion) >= worse(alone)",
            but={">=": "<="},
            says="With one product the criterion shows at least as many widths to be "
            "worse as leaving one out does",
        ),
        "half": Finding(
            "worse(criterion) >= 6",
            when="columns >= 80",
            but={"criterion": "alone"},
            says="With one product and at least 80 columns the criterion shows at "
            "least 6 of the other widths to be worse",
        ),
        "more": Finding(
            "gained(likelihood) >= 2",
            on=("diabetes", "cell samples"),
            but={"2": "20"},
            says="From the fewest to the most columns the likelihood shows at least 2 "
            "more widths to be worse",
        ),
        "wider": Finding(
            "wider(criterion) >= 0",
            but={"criterion": "likelihood"},
            says="The criterion of the approximations picks no narrower width than the "
            "exact criterion",
        ),
        "other": Finding(
            "other(criterion) >= 60",
            MEAN,
            on=("diabetes",),
            when="columns <= 40",
            but={">=": "<="},
            says="With at most 40 columns the criterion of the approximations picks "
            "another width than the exact criterion in at least 60 % of the draws",
        ),
    },
)

# ---- searches ----

MISSED = Field("missed", "variance of the test missed", "%", by="with")
GAMMA = Field("gamma", "gamma", by="with")
LAMBDA = Field("lambda", "lambda", by="with")
SEARCHED, LEARNED, OF_SEARCH = 40, 0.6, WIDTHS[::4]


def in_parts(points, rng):
    """What is learned from, and the points of the test."""
    return experiments.parted(points, LEARNED, OF_SEARCH, SEARCHED, rng)


def compared(trial):
    """The error on the test with what a search has chosen."""
    search, option = trial.run
    pair = search(option, trial.known)
    missed = experiments.missed_with(pair, trial.known, trial.judged)
    return {"missed": missed, "gamma": pair[0], "lambda": pair[1]}


SEARCHES = Experiment(
    id="surely_worse_kernels:searches",
    question="Which search finds a width and a ridge that predict well?",
    competitors={
        "alone": Competitor("leaving one out", (experiments.by_ends, "leave-one-out")),
        "likelihood": Competitor("the likelihood", (experiments.by_ends, "likelihood")),
        "folds": Competitor("five folds", (experiments.by_folds, experiments.FOLDS)),
        "split": Competitor("one split", (experiments.by_folds, 1)),
    },
    fields=[MISSED, GAMMA, LAMBDA],
    prepare=in_parts,
    measure=compared,
    shown={
        "diabetes": Data(experiments.diabetes, 300),
        "digits": Data(experiments.digits, 300),
        "waves": Data(experiments.waves, 300),
    },
    beyond={
        "cell samples": Data(experiments.cells, 300),
    },
    findings={
        "folds": Finding(
            "missed(alone) <= 1.5 * missed(folds)",
            MEAN,
            on=("diabetes", "waves", "cell samples"),
            but={"1.5": "0.5"},
            says="The search by leaving one out misses at most 1.5 times as much of "
            "the variance of the test as that by five folds",
        ),
        "split": Finding(
            "missed(split) <= 1.5 * missed(folds)",
            MEAN,
            but={"1.5": "0.5"},
            says="One split misses at most 1.5 times as much as five folds",
        ),
        "likelihood": Finding(
            "missed(likelihood) >= 1.5 * missed(folds)",
            MEAN,
            on=("waves",),
            but={"likelihood": "alone"},
            says="The search by the likelihood misses at least 1.5 times as much as "
            "that by five folds",
        ),
    },
)
