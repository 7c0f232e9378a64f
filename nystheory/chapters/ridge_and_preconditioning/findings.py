"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory import sampling
from nystheory.chapters.ridge_and_preconditioning import measured, rules
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

# ---- the risk ----

RISK = Field("risk", "risk over that with all of K", by="with")
BY_NORM = Field("by_norm", "bound from the norm", by="with")
BY_TRACE = Field("by_trace", "bound from the trace", by="with")
TIMES = Field("times", "columns over the effective dimension")
FLAT = ("digits", "diabetes", "cell samples")
FAR = "wave with far groups"

RISKS = Experiment(
    id="ridge_and_preconditioning:risks",
    question="What do columns do to the risk of ridge regression?",
    competitors={
        "uniform": Competitor("uniform columns", sampling.uniform),
        "scores": Competitor("columns by estimated scores", sampling.recursive_rls),
    },
    fields=[RISK, BY_NORM, BY_TRACE],
    prepare=measured.with_risk,
    measure=measured.risks,
    along=TIMES,
    settings=measured.TIMES,
    shown={
        "digits": Data(measured.digits, 400),
        FAR: Data(measured.far_groups, 400),
    },
    beyond={
        "diabetes": Data(measured.patients, 400),
        "cell samples": Data(measured.cells, 400),
        "wave": Data(measured.wave, 400),
    },
    findings={
        "uniform": Finding(
            "risk(uniform) <= 1.2",
            MEAN,
            on=(*FLAT, "wave"),
            when="times >= 4",
            but_on=FAR,
            says=(
                "With four or eight times as many uniform columns as the effective "
                "dimension the risk is at most 1.2 times that with all of $K$"
            ),
        ),
        "scores": Finding(
            "risk(scores) <= 1.2",
            MEAN,
            when="times >= 8",
            but={"scores": "uniform"},
            says=(
                "With eight times as many columns by estimated scores as the effective "
                "dimension the risk is at most 1.2 times that with "
                "all of $K$"
            ),
        ),
        "norm": Finding(
            "by_norm(uniform) >= 2 * risk(uniform)",
            EACH,
            on=(*FLAT, "wave"),
            when="times <= 1",
            but_on=FAR,
            says=(
                "With as many uniform columns as the effective dimension, half or a "
                "quarter of them, the bound from the norm is at least 2 times the "
                "ratio of the risks"
            ),
        ),
        "trace": Finding(
            "by_trace(uniform) >= 5 * by_norm(uniform)",
            MEAN,
            on=FLAT,
            when="times >= 1",
            but_on="wave",
            says=(
                "With one to eight times as many uniform columns as the effective "
                "dimension the bound from the trace is at least 5 times that from the "
                "norm"
            ),
        ),
    },
)

# ---- solving ----

CONDITION = Field("condition", "condition number", by="with")
BOUND = Field("bound", "bound from the trace", by="with")
STEPS = Field("steps", "iterations", by="with")
OVER = Field("over", "columns over the effective dimension")

SOLVES = Experiment(
    id="ridge_and_preconditioning:solves",
    question="What does a preconditioner from few columns gain?",
    competitors={
        "none": Competitor("no preconditioner"),
        "pivots": Competitor("random pivots", measured.pivots),
        "uniform": Competitor("uniform columns", measured.uniform),
        "sketch": Competitor("Gaussian sketch, of products with K", measured.sketched),
    },
    fields=[CONDITION, BOUND, STEPS],
    prepare=measured.system,
    measure=measured.solves,
    along=OVER,
    settings=measured.SHARES,
    shown={
        "digits": Data(measured.wide_digits, 300),
        "four clusters": Data(measured.clusters, 320),
    },
    beyond={
        "diabetes": Data(measured.of_patients, 300),
        "cell samples": Data(measured.of_cells, 300),
        "points in a square": Data(measured.in_square, 300),
    },
    findings={
        "steps": Finding(
            "3 * steps(pivots) <= steps(none)",
            MEAN,
            when="over >= 1",
            but={"3 *": "10 *"},
            says=(
                "With one to three times as many pivots as the effective dimension "
                "the iterations are at most a third of those without preconditioner"
            ),
        ),
        "condition": Finding(
            "condition(pivots) <= 10",
            MEAN,
            when="over >= 1",
            but={"10": "2"},
            says=(
                "With one to three times as many pivots as the effective dimension the "
                "condition number is at most 10"
            ),
        ),
        "uniform": Finding(
            "steps(pivots) <= steps(uniform)",
            MEAN,
            on=("four clusters", "cell samples"),
            when="over >= 1",
            but={"<=": "<= 0.5 *"},
            says=(
                "With one to three times as many pivots as the effective dimension "
                "there are at most as many iterations as with as many uniform columns"
            ),
        ),
        "sketch": Finding(
            "condition(pivots) <= 1.5 * condition(sketch)",
            MEAN,
            when="over >= 2",
            but={"pivots": "uniform"},
            says=(
                "With two or three times as many pivots as the effective dimension the "
                "condition number is at most 1.5 times that with a Gaussian sketch of "
                "as many vectors"
            ),
        ),
        "promised": Finding(
            "condition(sketch) <= 2",
            MEAN,
            when="over >= 3",
            but={"sketch": "uniform"},
            says=(
                "With three times as many Gaussian vectors as the effective dimension "
                "the condition number is at most 2"
            ),
        ),
        "loose": Finding(
            "bound(pivots) >= 2 * condition(pivots)",
            MEAN,
            when="over <= 1",
            but={"2 *": "10 *"},
            says=(
                "With as many pivots as the effective dimension, half or a quarter of "
                "them, the bound from the trace is at least 2 times the condition "
                "number"
            ),
        ),
    },
)

# ---- how many columns in practice ----

PIVOTS = Field("pivots", "pivots", by="by")
EXCESS = Field("excess", "error on new points above that with all of K", "%", by="by")
DIMENSION = Field("dimension", "effective dimension", by="by")

RULES = Experiment(
    id="ridge_and_preconditioning:rules",
    question="How many columns does a regression need, and which rule finds out?",
    competitors={
        "half": Competitor(
            "half of the effective dimension", partial(rules.by_dimension, times=0.5)
        ),
        "dimension": Competitor("the effective dimension", rules.by_dimension),
        "validated": Competitor(
            "the effective dimension, doubled until validation gains less than 1 %",
            rules.by_validation,
        ),
        "norm": Competitor("norm of the error a tenth of the ridge", rules.by_norm),
        "trace": Competitor("trace of the error a tenth of the ridge", rules.by_trace),
        "enough": Competitor(
            "fewest for the new points, which no rule sees: within 1 %",
            rules.enough,
        ),
    },
    fields=[PIVOTS, EXCESS, DIMENSION],
    prepare=rules.halves,
    measure=rules.ruled,
    shown={
        "diabetes": Data(measured.patients, 442),
        "noisy wave": Data(measured.noisy_wave, 600),
    },
    beyond={
        "three times the noise": Data(measured.noisier_wave, 600),
        "noisy digits": Data(measured.noisy_digits, 500),
        "cell samples": Data(measured.cells, 500),
    },
    findings={
        "dimension": Finding(
            "excess(dimension) <= 10",
            MEAN,
            but={"dimension": "half"},
            says=(
                "With as many pivots as the effective dimension the error on new "
                "points is at most 10 percent above that with all of $K$"
            ),
        ),
        "validated": Finding(
            "excess(validated) <= 5",
            MEAN,
            but={"validated": "half"},
            says=(
                "With as many, doubled until the error on a validation set gains less "
                "than one percent, the error on new points is at most 5 percent above "
                "that with all of $K$"
            ),
        ),
        "wasteful": Finding(
            "pivots(norm) >= 1.2 * pivots(dimension)",
            MEAN,
            but={"1.2 *": "3 *"},
            says=(
                "Until the norm of the error is a tenth of the ridge it takes at least "
                "1.2 times as many pivots as the effective dimension"
            ),
        ),
        "more": Finding(
            "pivots(norm) >= 1.2 * pivots(enough)",
            MEAN,
            on=("diabetes", "noisy wave", "noisy digits"),
            but={"1.2 *": "3 *"},
            says=(
                "Until the norm of the error is a tenth of the ridge it takes at least "
                "1.2 times as many pivots as are enough for an error on new points "
                "within one percent of that with all of $K$"
            ),
        ),
    },
)
