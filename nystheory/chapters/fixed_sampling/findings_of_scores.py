"""Findings about scores: a theorem's constant, cheap scores, and a self-test."""

from __future__ import annotations

from nystheory.chapters.fixed_sampling import leverage_scores, measured
from nystheory.chapters.fixed_sampling.measured import CONSTANTS, PARTS
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

CONSTANT = Field("constant", "constant in place of 16")
PERCENT = Field("percent", "columns $l/n$", "%")
FAILURES = Field("failures", "share of failures", "%", by="with")
NUMBER = Field("columns", "mean number of columns", by="with")
LEAST = Field("least", "least ratio of estimated and exact score", by="by")
MOST = Field("most", "largest ratio of estimated and exact score", by="by")
ENTRIES = Field("entries", "entries asked for", "% of all", by="by")
WITHIN = Field("within", "errors known to a factor of two", "%", by="with")
BLIND = Field("blind", "errors at least ten times the estimate", "%", by="with")

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
        "zeros among digits": Data(measured.zero_features, 220),
    },
    findings={
        "kept": Finding(
            "failures(ridge) <= 10",
            EACH,
            when="2 <= constant <= 16",
            but={"ridge": "uniform"},
            says="With the constants 2 to 16, ridge leverage fails for at most "
            "10 percent of the samples",
        ),
        "small": Finding(
            "failures(ridge) <= 10",
            MEAN,
            on=("digits",),
            when="0.5 <= constant <= 16",
            but_on="crowd",
            says="With the constants 0.5 to 16, ridge leverage fails for at most "
            "10 percent of the samples",
        ),
        "crowd": Finding(
            "failures(ridge) <= failures(uniform) - 5",
            MEAN,
            on=("crowd",),
            when="constant == 1",
            but={"<=": ">="},
            says="With the constant 1, ridge leverage fails at least 5 points less "
            "often than as many uniform columns",
        ),
        "uniform": Finding(
            "failures(uniform) <= 10",
            EACH,
            on=("digits", "cell samples", "zeros among digits"),
            when="1 <= constant <= 16",
            but_on="crowd",
            says="With the constants 1 to 16, as many uniform columns fail for at "
            "most 10 percent of the samples",
        ),
    },
)

# ---- scores from few columns ----

SCORES = Experiment(
    id="fixed_sampling:scores",
    question="How near are the shares of scores, from a fifth of the columns and with "
    "the same ridge?",
    competitors={
        "bless": Competitor("BLESS", leverage_scores.bless_scores),
        "recursive": Competitor("recursive RLS", leverage_scores.recursive_scores),
    },
    fields=[LEAST, MOST, ENTRIES],
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
            MEAN,
            but={"3": "1.2"},
            says="The share that BLESS puts farthest below the exact one is below it "
            "by a factor of 3 or less",
        ),
        "bless_most": Finding(
            "most(bless) <= 3",
            MEAN,
            but={"3": "1.2"},
            says="The share that BLESS puts farthest above the exact one is above it "
            "by a factor of 3 or less",
        ),
        "recursive": Finding(
            "least(recursive) * 2 >= 1",
            EACH,
            but={"2": "1.2"},
            says="No share of recursive RLS is below the exact one by a factor above 2",
        ),
        "recursive_most": Finding(
            "most(recursive) <= 2",
            EACH,
            but={"2": "1.2"},
            says="No share of recursive RLS is above the exact one by a factor above 2",
        ),
        "price": Finding(
            "entries(bless) <= 0.5 * entries(recursive)",
            EACH,
            but={"0.5": "0.2"},
            says="BLESS, which may use fewer columns than it is allowed, asks for at "
            "most 0.5 times the entries that recursive RLS asks for",
        ),
    },
)

# ---- how a sample judges itself ----

SELF = Experiment(
    id="fixed_sampling:self_test",
    question="Does a sample know its error?",
    competitors={
        "uniform": Competitor("uniform, without replacement", said="uniform columns")
    },
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
            says="At least 95 percent of the samples estimate their error to a factor "
            "of two",
        ),
        "factor": Finding(
            "within(uniform) >= 60",
            on=("patches, linear", "patches, RBF"),
            when="2 <= percent <= 10",
            but={"60": "99"},
            says="With 2 to 10 percent of the columns at least 60 percent of the "
            "samples estimate their error to a factor of two",
        ),
        "blind": Finding(
            "blind(uniform) >= 10",
            MEAN,
            on=("crowd",),
            when="percent == 1",
            but_on="digits, RBF",
            says="With 1 percent of the columns at least 10 percent of the samples "
            "have an error ten times their estimate or more",
        ),
    },
)
