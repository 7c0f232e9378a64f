"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets
from nystheory.chapters.ensembles import mixtures
from nystheory.chapters.ensembles.mixtures import COUNTS, SIZES, TEN, Given, weighted
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

FROBENIUS = Field("frobenius", "error", "%", "Frobenius norm", by="of")
SPECTRAL = Field("spectral", "error", "%", "spectral norm", by="of")
EARLY = Field("early", "gain from two to ten experts", "points", by="of")
LATE = Field("late", "gain from ten experts on", "points", by="of")
NUMBER = Field("experts", "experts")
COLUMNS = Field("columns", "validation columns")

# ---- more and more experts ----


def with_thirty(drawn, rng):
    """The experts and their errors, the same for all who compete."""
    return Given.of(drawn, rng, max(COUNTS)), None


MIXTURES = {
    "uniform": Competitor("uniform", weighted("uniform"), "equal weights"),
    "exponential": Competitor(
        "exponential", weighted("exponential"), "exponential weights"
    ),
    "ridge": Competitor("ridge", weighted("ridge"), "ridge weights"),
    "nonnegative": Competitor(
        "nonnegative", weighted("nonnegative"), "nonnegative weights"
    ),
    "optimal": Competitor("optimal", weighted("optimal"), "the optimal weights"),
    "best": Competitor(mixtures.BEST, mixtures.best_expert),
    "mean": Competitor(mixtures.MEAN, mixtures.mean_expert),
}
OTHERS = {
    "scaled": Competitor("uniform, rescaled", mixtures.rescaled_mean),
    "cut": Competitor("uniform, rank $k$", mixtures.cut_mean),
    "one_cut": Competitor("one sample, rank $k$", mixtures.one_cut),
    "one": Competitor("one sample", mixtures.one_sample),
    "fewer": Competitor("one sample, same work", mixtures.fewer_columns),
}
DIGITS = ("digits, linear", "digits, RBF")
SLOW = ("documents, linear", "digits, narrow RBF")
FAST = (*DIGITS, "patches, linear", "cell samples, RBF", "more digits, RBF")
NOT_PATCHES = (*DIGITS, *SLOW, "cell samples, RBF", "more digits, RBF")
NOT_PATCHES_RBF = ("digits, RBF", "cell samples, RBF", "Gaussian points")

EXPERTS = Experiment(
    id="ensembles:experts",
    question="What do more experts gain, with which weights, and against what?",
    competitors=MIXTURES | OTHERS,
    fields=[FROBENIUS, SPECTRAL, EARLY, LATE],
    prepare=with_thirty,
    measure=mixtures.along_experts,
    along=NUMBER,
    settings=COUNTS,
    shown={
        "digits, linear": Data(partial(mixtures.digits, rbf=False), 400),
        "digits, RBF": Data(mixtures.digits, 400),
        "patches, linear": Data(mixtures.photographs, 400),
        "documents, linear": Data(mixtures.documents, 400),
    },
    beyond={
        "cell samples, RBF": Data(mixtures.cells, 400),
        "digits, narrow RBF": Data(partial(mixtures.digits, narrower=4.0), 400),
        "more digits, RBF": Data(mixtures.digits, 600),
    },
    findings={
        "best": Finding(
            "frobenius(uniform) <= 1.25 * frobenius(best)",
            MEAN,
            but={"1.25": "0.9"},
            says=(
                "The error of equal weights is at most 1.25 times that of the "
                "best base learner"
            ),
        ),
        "best_behind": Finding(
            "frobenius(best) <= 1.25 * frobenius(uniform)",
            MEAN,
            but={"1.25": "0.9"},
            says=(
                "The error of the best base learner is at most 1.25 times that "
                "of equal weights"
            ),
        ),
        "spectral": Finding(
            "spectral(best) <= spectral(uniform)",
            MEAN,
            on=("documents, linear",),
            when="experts >= 20",
            but_on="digits, linear",
            says=(
                "With 20 experts or more the spectral error of the best base "
                "learner is at most that of equal weights"
            ),
        ),
        "ridge": Finding(
            "frobenius(ridge) <= frobenius(best)",
            MEAN,
            on=NOT_PATCHES,
            when="experts >= 4",
            but={"<=": ">="},
            says=(
                "With 4 experts or more the error of ridge weights is at most "
                "that of the best base learner"
            ),
        ),
        "ridge_equal": Finding(
            "frobenius(ridge) <= frobenius(uniform)",
            MEAN,
            on=NOT_PATCHES,
            but={"<=": ">="},
            says=("The error of ridge weights is at most that of equal weights"),
        ),
        "exponential": Finding(
            "frobenius(exponential) >= 0.8 * frobenius(uniform)",
            MEAN,
            but={"0.8": "1.05"},
            says=(
                "The error of exponential weights is at least 0.8 times that "
                "of equal weights"
            ),
        ),
        "nonnegative": Finding(
            "frobenius(nonnegative) <= 1.2 * frobenius(ridge)",
            MEAN,
            but={"1.2": "1.0"},
            says=(
                "The error of nonnegative weights is at most 1.2 times that "
                "of ridge weights"
            ),
        ),
        "near": Finding(
            "frobenius(ridge) <= 1.05 * frobenius(optimal)",
            MEAN,
            on=NOT_PATCHES,
            when="experts <= 4",
            but={"1.05": "1.001"},
            says=(
                "With 4 experts or fewer the error of ridge weights is at "
                "most 1.05 times that of the optimal weights"
            ),
        ),
        "near_all": Finding(
            "frobenius(ridge) <= 1.5 * frobenius(optimal)",
            MEAN,
            but={"1.5": "1.02"},
            says=(
                "With every number of experts the error of ridge weights is "
                "at most 1.5 times that of the optimal weights"
            ),
        ),
        "scale": Finding(
            "frobenius(uniform) - frobenius(scaled) >= "
            "0.8 * (frobenius(uniform) - frobenius(optimal))",
            MEAN,
            on=SLOW,
            but_on="patches, linear",
            says=(
                "The best factor for equal weights gains at least 0.8 times "
                "what the optimal weights gain on equal ones"
            ),
        ),
        "cut_behind": Finding(
            "frobenius(best) <= frobenius(cut)",
            MEAN,
            on=SLOW,
            when="experts >= 10",
            but={"<=": "<= 0.9 *"},
            says=(
                "With 10 experts or more the error of the best base learner "
                "is at most that of equal weights cut to its rank"
            ),
        ),
        "early": Finding(
            "early(ridge) >= late(ridge)",
            MEAN,
            on=(*DIGITS, *SLOW, "more digits, RBF"),
            when="experts >= 30",
            but={">=": ">= 10 *"},
            says=(
                "Ridge weights gain at least as much up to ten experts as "
                "from there to 30"
            ),
        ),
        "one": Finding(
            "frobenius(one) <= 0.9 * frobenius(ridge)",
            MEAN,
            when="experts >= 10",
            but={"0.9": "0.5"},
            says=(
                "With 10 experts or more the error of one sample of all their "
                "columns is at most 0.9 times that of ridge weights"
            ),
        ),
        "two": Finding(
            "frobenius(ridge) <= frobenius(one)",
            MEAN,
            on=("documents, linear",),
            when="experts <= 2",
            but_on="digits, RBF",
            says=(
                "With 2 experts the error of ridge weights is at most that of "
                "one sample of all their columns"
            ),
        ),
        "one_cut": Finding(
            "frobenius(one_cut) <= frobenius(cut)",
            MEAN,
            but={"<=": "<= 0.5 *"},
            says=(
                "Cut to the rank of one expert, one sample has at most the "
                "error of equal weights"
            ),
        ),
        "fewer": Finding(
            "frobenius(fewer) <= 0.8 * frobenius(ridge)",
            MEAN,
            on=FAST,
            when="experts >= 10",
            but_on="documents, linear",
            says=(
                "With 10 experts or more the error of one sample for the same "
                "work is at most 0.8 times that of ridge weights"
            ),
        ),
        "slow": Finding(
            "frobenius(ridge) <= frobenius(fewer)",
            MEAN,
            on=SLOW,
            when="experts <= 10",
            but_on="digits, RBF",
            says=(
                "With 10 experts or fewer the error of ridge weights is at "
                "most that of one sample for the same work"
            ),
        ),
    },
)

# ---- how many validation columns ----


def with_ten_experts(drawn, rng):
    """Ten experts and their errors."""
    return Given.of(drawn, rng, TEN), None


VALIDATION = Experiment(
    id="ensembles:validation",
    question="How many columns does a regression without a ridge need?",
    competitors={
        "uniform": Competitor("uniform", mixtures.fitted("uniform"), "equal weights"),
        "linear": Competitor(
            "linear", mixtures.fitted("linear"), "weights by linear regression"
        ),
        "ridge": Competitor("ridge", mixtures.fitted("ridge"), "ridge weights"),
        "optimal": Competitor(
            "optimal", mixtures.fitted("optimal"), "the optimal weights"
        ),
    },
    fields=[FROBENIUS],
    prepare=with_ten_experts,
    measure=mixtures.along_columns,
    along=COLUMNS,
    settings=SIZES,
    shown={
        "digits, linear": Data(partial(mixtures.digits, rbf=False), 500),
        "digits, RBF": Data(mixtures.digits, 500),
    },
    beyond={
        "patches, linear": Data(mixtures.photographs, 500),
        "documents, linear": Data(mixtures.documents, 500),
        "cell samples, RBF": Data(mixtures.cells, 500),
    },
    findings={
        "enough": Finding(
            "frobenius(linear) <= 1.05 * frobenius(ridge)",
            MEAN,
            when="columns >= 50",
            but={"<=": ">="},
            says=(
                "With 50 columns, a tenth of all, the error of linear "
                "regression is at most 1.05 times that with a ridge"
            ),
        ),
        "few": Finding(
            "frobenius(linear) >= frobenius(ridge)",
            MEAN,
            on=(*DIGITS, "documents, linear", "cell samples, RBF"),
            when="columns <= 5",
            but={">=": ">= 1.5 *"},
            says=(
                "With 5 columns the error of linear regression is at least "
                "that with a ridge"
            ),
        ),
        "ridge": Finding(
            "frobenius(ridge) <= 1.2 * frobenius(optimal)",
            MEAN,
            but={"1.2": "1.01"},
            says=(
                "With a ridge the error is at most 1.2 times that of the "
                "optimal weights"
            ),
        ),
    },
)

# ---- the same work ----


def _gaussian():
    return np.random.default_rng(0).standard_normal((4000, 5))


WORK = Experiment(
    id="ensembles:work",
    question="What do ten experts reach, and one sample for the work of ten?",
    competitors={
        "uniform": MIXTURES["uniform"],
        "ridge": MIXTURES["ridge"],
        "two": Competitor(
            "ridge, $s = s' = 2$",
            weighted("ridge", 2),
            "ridge weights from two and two columns",
        ),
        "best": MIXTURES["best"],
        "mean": MIXTURES["mean"],
        "one": OTHERS["one"],
        "fewer": OTHERS["fewer"],
        "centroids": Competitor("K-means", mixtures.centroids, "centroids"),
    },
    fields=[FROBENIUS],
    prepare=with_ten_experts,
    measure=mixtures.with_ten,
    shown={
        "patches, RBF": Data(
            partial(
                mixtures.forty_columns,
                make=lambda: datasets.patches(20_000).X,
                gamma=8.0,
            ),
            1000,
        ),
    },
    beyond={
        "digits, RBF": Data(
            partial(mixtures.forty_columns, make=lambda: datasets.digits().X), 1000
        ),
        "cell samples, RBF": Data(
            partial(mixtures.forty_columns, make=lambda: datasets.breast_cancer().X),
            560,
        ),
        "Gaussian points": Data(partial(mixtures.forty_columns, make=_gaussian), 1000),
    },
    findings={
        "one": Finding(
            "frobenius(one) <= 0.7 * frobenius(ridge)",
            MEAN,
            but={"0.7": "0.3"},
            says=(
                "The error of one sample of all columns is at most 0.7 times "
                "that of ridge weights"
            ),
        ),
        "fewer": Finding(
            "frobenius(fewer) <= frobenius(ridge)",
            MEAN,
            but={"<=": "<= 0.5 *"},
            says=(
                "The error of one sample for the same work is at most that of "
                "ridge weights"
            ),
        ),
        "centroids": Finding(
            "frobenius(centroids) <= 0.9 * frobenius(ridge)",
            MEAN,
            but={"0.9": "0.5"},
            says=(
                "The error from as many centroids is at most 0.9 times that "
                "of ridge weights"
            ),
        ),
        "equal": Finding(
            "frobenius(ridge) <= frobenius(uniform)",
            MEAN,
            on=NOT_PATCHES_RBF,
            but={"<=": ">="},
            says=("The error of ridge weights is at most that of equal weights"),
        ),
        "best": Finding(
            "frobenius(ridge) <= frobenius(best)",
            MEAN,
            on=NOT_PATCHES_RBF,
            but={"<=": ">="},
            says=(
                "The error of ridge weights is at most that of the best base learner"
            ),
        ),
        "two": Finding(
            "frobenius(ridge) <= 1.25 * frobenius(two)",
            EACH,
            but={"1.25": "0.9"},
            says=(
                "The error of ridge weights is at most 1.25 times that of "
                "ridge weights from two and two columns"
            ),
        ),
    },
)
