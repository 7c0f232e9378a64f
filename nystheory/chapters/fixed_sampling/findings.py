"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.fixed_sampling import measured
from nystheory.chapters.fixed_sampling.measured import (
    CONSTANTS,
    DIAGONAL,
    FEW,
    NORM,
    PARTS,
    PERCENTS,
    UNIFORM,
    WITH,
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

PERCENT = Field("percent", "columns $l/n$", "%")
COLUMNS = Field("columns", "columns $l$")
CONSTANT = Field("constant", "constant in place of 16")
ACCURACY = Field("accuracy", "relative accuracy", "%")
FEWEST = Field("few", "relative accuracy from 5 percent, cut in the core", "%")
AFTER = Field("after", "relative accuracy from 5 percent, cut after", "%")
AHEAD = Field("ahead", "uniform, with replacement, ahead by", "points")
GAIN = Field("gain", "gain without replacement", "points")
CLUSTERS = Field("clusters", "clusters with a landmark", by="with")
ENTRIES = Field("entries", "entries asked for", "% of all", by="by")
FAILURES = Field("failures", "share of failures", "%", by="with")
NUMBER = Field("columns", "mean number of columns", by="with")
LEAST = Field("least", "least ratio of estimated and exact score", by="by")
MOST = Field("most", "largest ratio of estimated and exact score", by="by")
WITHIN = Field("within", "errors known to a factor of two", "%", by="with")
BLIND = Field("blind", "errors at least ten times the estimate", "%", by="with")

# ---- four ways to draw ----


def paired(K, rng):
    """Samples that share columns, the same for all who compete."""
    return measured.Paired.of(K, rng), None


DIGITS = ("digits, linear", "digits, RBF")
LINEAR_PATCHES = ("patches, linear", "small patches, linear")
PATCHES = (*LINEAR_PATCHES, "patches, RBF")
EVEN = (*DIGITS, "documents, linear")

SCHEMES = Experiment(
    id="fixed_sampling:schemes",
    question="Which columns, at a rank that is cut in the core?",
    competitors={
        "uniform": Competitor(
            "uniform, with replacement", WITH, "uniform sampling with replacement"
        ),
        "without": Competitor(
            "uniform", UNIFORM, "uniform sampling without replacement"
        ),
        "diagonal": Competitor(
            "diagonal, with replacement", DIAGONAL, "diagonal sampling"
        ),
        "norm": Competitor(
            "column norm, with replacement", NORM, "column-norm sampling"
        ),
    },
    fields=[ACCURACY, FEWEST, AFTER],
    prepare=paired,
    measure=measured.along_percents,
    along=PERCENT,
    settings=PERCENTS,
    shown={
        "digits, linear": Data(measured.digits, 1000),
        "digits, RBF": Data(measured.digits_rbf, 1000),
        "patches, linear": Data(measured.photographs, 1000),
        "patches, RBF": Data(measured.photographs_rbf, 1000),
    },
    beyond={
        "small patches, linear": Data(measured.small_photographs, 600),
        "cell samples, RBF": Data(measured.cells, 560),
        "documents, linear": Data(measured.documents, 600),
    },
    findings={
        "diagonal": Finding(
            "accuracy(uniform) >= accuracy(diagonal)",
            MEAN,
            on=LINEAR_PATCHES,
            when="percent >= 20",
            but={">=": ">= 2 *"},
            says=(
                "From 20 percent of the columns on, uniform sampling is at least "
                "as accurate as diagonal sampling"
            ),
        ),
        "norm": Finding(
            "accuracy(uniform) >= accuracy(norm)",
            MEAN,
            on=PATCHES,
            when="percent >= 20",
            but={">=": ">= 2 *"},
            says=(
                "From 20 percent of the columns on, uniform sampling is at least "
                "as accurate as column-norm sampling"
            ),
        ),
        "even": Finding(
            "accuracy(uniform) <= accuracy(norm) + 5",
            MEAN,
            on=EVEN,
            but_on="patches, linear",
            says=(
                "Uniform sampling is at most 5 points more accurate than "
                "column-norm sampling"
            ),
        ),
        "even_too": Finding(
            "accuracy(norm) <= accuracy(uniform) + 5",
            MEAN,
            on=EVEN,
            but={"+ 5": "- 5"},
            says=(
                "Column-norm sampling is at most 5 points more accurate than "
                "uniform sampling"
            ),
        ),
        "few": Finding(
            "few(diagonal) >= few(uniform)",
            MEAN,
            on=("patches, linear",),
            but={">=": ">= 2 *"},
            says=(
                "With the core cut, diagonal sampling of few columns is at least as "
                "accurate as uniform sampling"
            ),
        ),
        "few_after": Finding(
            "after(uniform) >= after(diagonal)",
            MEAN,
            on=("patches, linear",),
            but={"after(uniform)": "few(uniform)"},
            says=(
                "Cut after, uniform sampling of few columns is at least as accurate "
                "as diagonal sampling"
            ),
        ),
        "cut": Finding(
            "after(uniform) >= few(uniform) + 5",
            MEAN,
            on=(*DIGITS, *PATCHES, "cell samples, RBF"),
            but_on="documents, linear",
            says=(
                "Cut after, a uniform sample of few columns is at least 5 points "
                "more accurate than cut in the core"
            ),
        ),
        "digits": Finding(
            "after(uniform) >= 90",
            MEAN,
            on=("digits, linear",),
            but={"after(uniform)": "few(uniform)"},
            says="Cut after, a uniform sample of few columns has at least 90 percent",
        ),
        "gain": Finding(
            "accuracy(without) >= accuracy(uniform)",
            MEAN,
            when="percent >= 20",
            but={">=": ">= 2 *"},
            says=(
                "From 20 percent of the columns on, uniform sampling is at least as "
                "accurate without replacement as with it"
            ),
        ),
        "gain_digits": Finding(
            "few(without) >= few(uniform)",
            MEAN,
            on=DIGITS,
            but={">=": ">= 2 *"},
            says=(
                "With the core cut, few columns are at least as accurate without "
                "replacement as with it"
            ),
        ),
        "gain_after": Finding(
            "after(without) >= after(uniform)",
            MEAN,
            on=DIGITS,
            but={">=": ">= 2 *"},
            says=(
                "Cut after, few columns are at least as accurate without replacement "
                "as with it"
            ),
        ),
    },
)

# ---- crowds ----


def judge(of, rng):
    """Who judges a crowd."""
    return measured.Judge(of, measured.Accuracy(of.K, measured.RANK)), None


CROWDS = Experiment(
    id="fixed_sampling:crowds",
    question="Which columns find small groups, and how is the rank to be cut?",
    competitors={
        "uniform": Competitor("uniform, cut after", ("uniform", "approximation")),
        "norm": Competitor("column norm, cut after", ("column_norm", "approximation")),
        "leverage": Competitor("leverage, cut after", ("leverage", "approximation")),
        "ridge": Competitor(
            "ridge leverage, cut after", ("ridge_leverage", "approximation")
        ),
        "recursive": Competitor(
            "recursive RLS, cut after", ("recursive_rls", "approximation")
        ),
        "shortest": Competitor(
            "short columns, cut after", ("shortest", "approximation")
        ),
        "uniform_core": Competitor("uniform, cut in the core", ("uniform", "core")),
        "leverage_core": Competitor("leverage, cut in the core", ("leverage", "core")),
        "leverage_weighted": Competitor(
            "leverage, cut in the weighted core", ("leverage", "weighted core")
        ),
    },
    fields=[ACCURACY, CLUSTERS, ENTRIES],
    prepare=judge,
    measure=measured.along_few,
    along=COLUMNS,
    settings=FEW,
    shown={"crowd": Data(measured.crowd, 1000)},
    beyond={
        "larger groups": Data(measured.larger_groups, 700),
        "narrower kernel": Data(measured.narrow_crowd, 600),
        "zeros and other digits": Data(measured.zeros_and_others, 220),
    },
    findings={
        "groups": Finding(
            "clusters(ridge) >= clusters(uniform)",
            MEAN,
            but={"ridge": "norm"},
            says=(
                "By ridge leverage at least as many clusters get a landmark as with "
                "uniform columns"
            ),
        ),
        "groups_norm": Finding(
            "clusters(norm) <= clusters(uniform)",
            MEAN,
            but={"<=": "<= 0.1 *"},
            says=(
                "By column norm at most as many clusters get a landmark as with "
                "uniform columns"
            ),
        ),
        "norm": Finding(
            "accuracy(norm) <= accuracy(uniform)",
            MEAN,
            when="columns >= 40",
            but={"<=": "<= 0.5 *"},
            says=(
                "With 40 columns or more, column norms are at most as accurate as "
                "uniform columns"
            ),
        ),
        "leverage": Finding(
            "accuracy(leverage) >= accuracy(uniform)",
            MEAN,
            on=("crowd", "larger groups", "narrower kernel"),
            when="columns >= 40",
            but={"leverage": "leverage_core"},
            says=(
                "Cut after, 40 columns or more by leverage are at least as accurate "
                "as uniform ones"
            ),
        ),
        "recursive": Finding(
            "accuracy(recursive) >= accuracy(uniform)",
            MEAN,
            when="columns >= 40",
            but={"accuracy(recursive)": "accuracy(norm)"},
            says=(
                "With 40 columns or more, recursive RLS is at least as accurate as "
                "uniform columns"
            ),
        ),
        "after": Finding(
            "accuracy(leverage) >= accuracy(leverage_core) + 10",
            MEAN,
            on=("crowd", "larger groups", "zeros and other digits"),
            when="columns >= 40",
            but={"accuracy(leverage_core)": "accuracy(uniform)"},
            says=(
                "From 40 columns or more by leverage, the approximation cut after is "
                "at least 10 points more accurate than the one cut in the core"
            ),
        ),
        "weights": Finding(
            "accuracy(leverage_weighted) >= accuracy(leverage_core)",
            MEAN,
            on=("crowd", "zeros and other digits"),
            when="columns >= 40",
            but={"accuracy(leverage_core)": "accuracy(leverage)"},
            says=(
                "With 40 columns or more by leverage, a core with weights is at least "
                "as accurate as one without"
            ),
        ),
        "core": Finding(
            "accuracy(leverage_core) <= accuracy(uniform_core)",
            MEAN,
            on=("crowd",),
            when="columns >= 30",
            but={"<=": "<= 0.1 *"},
            says=(
                "Cut in the core, 30 columns or more by leverage are at most as "
                "accurate as uniform ones"
            ),
        ),
        "shortest": Finding(
            "accuracy(shortest) >= accuracy(uniform)",
            MEAN,
            on=("crowd", "narrower kernel"),
            when="columns <= 40",
            but={"accuracy(shortest)": "accuracy(norm)"},
            says=(
                "With at most 40 columns, short columns are at least as accurate as "
                "uniform ones"
            ),
        ),
    },
)

# ---- the constant of the theorem ----

LOOSE = Experiment(
    id="fixed_sampling:constant",
    question="How small may the constant of the theorem be?",
    competitors={
        "ridge": Competitor("ridge leverage", "ridge leverage"),
        "uniform": Competitor("uniform", "uniform", "as many uniform columns"),
    },
    fields=[FAILURES, NUMBER],
    prepare=measured.with_failures,
    measure=measured.along_constants,
    along=CONSTANT,
    settings=CONSTANTS,
    shown={
        "digits": Data(measured.centred_digits, 1797),
        "crowd": Data(measured.crowd_features, 1000),
    },
    beyond={
        "cell samples": Data(measured.centred_cells, 500),
        "zeros and other digits": Data(measured.zero_features, 220),
    },
    findings={
        "kept": Finding(
            "failures(ridge) <= 10",
            EACH,
            when="constant >= 2",
            but={"ridge": "uniform"},
            says=(
                "With the constant 2 or more, ridge leverage fails for at most 10 "
                "percent of the samples"
            ),
        ),
        "small": Finding(
            "failures(ridge) <= 10",
            MEAN,
            on=("digits",),
            when="constant >= 0.5",
            but_on="crowd",
            says=(
                "With the constant 0.5 or more, ridge leverage fails for at most 10 "
                "percent of the samples"
            ),
        ),
        "crowd": Finding(
            "failures(ridge) <= failures(uniform) - 5",
            MEAN,
            on=("crowd",),
            when="constant == 1",
            but_on="digits",
            says=(
                "With the constant 1, ridge leverage fails at least 5 points less "
                "often than as many uniform columns"
            ),
        ),
        "uniform": Finding(
            "failures(uniform) <= 10",
            EACH,
            on=("digits", "cell samples", "zeros and other digits"),
            when="constant >= 1",
            but_on="crowd",
            says=(
                "With the constant 1 or more, as many uniform columns fail for at "
                "most 10 percent of the samples"
            ),
        ),
    },
)

# ---- scores from few columns ----

SCORES = Experiment(
    id="fixed_sampling:scores",
    question="How near are scores from few columns?",
    competitors={
        "bless": Competitor("BLESS", "bless"),
        "recursive": Competitor("recursive RLS", "recursive_rls"),
    },
    fields=[LEAST, MOST, ENTRIES],
    prepare=measured.with_ridge,
    measure=measured.of_scores,
    shown={"patches, RBF": Data(measured.photographs_rbf, 1000)},
    beyond={
        "digits, RBF": Data(measured.digits_rbf, 600),
        "cell samples, RBF": Data(measured.cells, 500),
        "crowd": Data(measured.crowd_matrix, 600),
    },
    findings={
        "bless": Finding(
            "least(bless) * 3 >= 1",
            EACH,
            but={"3": "1"},
            says="No score of BLESS is below the exact one by a factor above 3",
        ),
        "bless_most": Finding(
            "most(bless) <= 3",
            MEAN,
            on=("digits, RBF", "cell samples, RBF"),
            but={"3": "1"},
            says="The largest score of BLESS is at most 3 times the exact one",
        ),
        "recursive": Finding(
            "least(recursive) * 2 >= 1",
            EACH,
            but={"2": "1"},
            says="No score of recursive RLS is below the exact one by a factor above 2",
        ),
        "recursive_most": Finding(
            "most(recursive) <= 2",
            EACH,
            but={"2": "1"},
            says="No score of recursive RLS is above the exact one by a factor above 2",
        ),
        "entries": Finding(
            "entries(bless) <= 25",
            MEAN,
            on=("patches, RBF",),
            but_on="crowd",
            says="BLESS asks for at most 25 percent of the entries",
        ),
    },
)

# ---- how a sample judges itself ----

SELF = Experiment(
    id="fixed_sampling:self_test",
    question="Does a sample know its error?",
    competitors={"uniform": Competitor("uniform columns")},
    fields=[WITHIN, BLIND, Field("ratio", "mean ratio of estimate and error")],
    measure=measured.along_parts,
    along=PERCENT,
    settings=PARTS,
    shown={
        "digits, RBF": Data(measured.digits_rbf, 1000),
        "patches, linear": Data(measured.photographs, 1000),
        "patches, RBF": Data(measured.photographs_rbf, 1000),
        "crowd": Data(measured.crowd_matrix, 1000),
    },
    beyond={
        "cell samples, RBF": Data(measured.cells, 560),
        "documents, linear": Data(measured.documents, 600),
    },
    findings={
        "known": Finding(
            "within(uniform) >= 95",
            MEAN,
            on=("digits, RBF", "cell samples, RBF", "documents, linear"),
            but_on="crowd",
            says=(
                "At least 95 percent of the samples know their error to a factor of two"
            ),
        ),
        "factor": Finding(
            "within(uniform) >= 70",
            MEAN,
            on=("patches, linear", "patches, RBF"),
            when="percent >= 2",
            but={"70": "99"},
            says=(
                "With 2 percent of the columns or more, at least 70 percent of the "
                "samples know their error to a factor of two"
            ),
        ),
        "blind": Finding(
            "blind(uniform) >= 10",
            MEAN,
            on=("crowd",),
            when="percent <= 1",
            but_on="digits, RBF",
            says=(
                "With 1 percent of the columns, at least 10 percent of the samples "
                "have an error ten times their estimate or more"
            ),
        ),
    },
)
