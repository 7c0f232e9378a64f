"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

import numpy as np

from nystheory import sampling
from nystheory.chapters.random_subspaces import experiments, points
from nystheory.chapters.random_subspaces.circle import Circle, Geometric, Power
from nystheory.chapters.random_subspaces.experiments import LAMBDAS, Groups, Sample
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.kernels import DenseKernel

COLUMNS = Field("columns", "columns")

# ---- the trade-off ----

# Those of the hinge loss and of the share of wrong signs have no other unit.
EXCESS = Field("excess", "excess risk", "hundredths")
WRONG = Field("wrong", "excess share of wrong labels", "percentage points")
WHOLE = Field("whole", "excess risk on the span of all points", "hundredths")
PRESCRIBED = Field("prescribed", "excess risk with the prescribed number", "hundredths")
PLAIN = Field("plain", "excess risk without the logarithm", "hundredths")
OVER = Field("over", "excess risk", "% of that on the span of all points")
NUMBER = Field("number", "prescribed number of columns")
DIMENSION = Field("dimension", "effective dimension, rounded up")
FEW = (4, 8, 16, 32, 64)


def with_scores(drawn, rng):
    """The points, and the orders in which each loss takes columns."""
    sample = Sample.of(*drawn, rng)
    clock, orders = rng.integers(2**32), {}
    for loss in experiments.LOSSES:
        even = np.ones(len(sample.t))
        for scheme, scores in (("uniform", even), ("leverage", sample.scores(loss))):
            # The same numbers for both: they differ by the scores alone.
            orders[loss, scheme] = experiments.order(
                scores, np.random.default_rng(clock)
            )
    return (sample, orders), None


def traded(trial):
    """Excess risk with more and more columns, and with the prescribed number."""
    sample, orders = trial.known
    loss, _ = trial.run
    number, dimension = sample.number(loss), sample.number(loss, log=False)
    counts = [*FEW, number, dimension]
    found = experiments.along(sample, loss, orders[trial.run], counts)
    *excess, prescribed, plain = found["excess"]
    whole = sample.whole(loss)["excess"]
    return {
        "excess": excess,
        "over": [100 * x / whole for x in excess],
        "wrong": found["wrong"][: len(FEW)],
        "whole": whole,
        "prescribed": prescribed,
        "plain": plain,
        "number": number,
        "dimension": dimension,
    }


def _circle(*law, n=300, **options) -> Data:
    return Data(lambda n, rng: (Circle(*law, **options), n), n)


EVEN_POINTS = (
    "slow decay",
    "exponential decay",
    "twice as many waves",
    "labels nearer to coins",
    "150 points",
)
OTHER_LABELS = ("twice as many waves", "labels nearer to coins")
MANY_POINTS = ("slow decay", "fast decay", "exponential decay", *OTHER_LABELS)
SLOW, FAST, EXPONENTIAL = Power(2), Power(4), Geometric(0.8)

TRADEOFF = Experiment(
    id="random_subspaces:tradeoff",
    question="How many columns does each loss need?",
    competitors={
        "hinge": Competitor(
            "hinge loss, uniform columns",
            ("hinge", "uniform"),
            "the hinge loss on uniform columns",
        ),
        "hinge_scores": Competitor(
            "hinge loss, by leverage scores",
            ("hinge", "leverage"),
            "the hinge loss on columns by leverage scores",
        ),
        "square": Competitor(
            "square loss, uniform columns",
            ("square", "uniform"),
            "the square loss on uniform columns",
        ),
        "square_scores": Competitor(
            "square loss, by leverage scores",
            ("square", "leverage"),
            "the square loss on columns by leverage scores",
        ),
    },
    fields=[EXCESS, OVER, WRONG, WHOLE, PRESCRIBED, PLAIN, NUMBER, DIMENSION],
    prepare=with_scores,
    measure=traded,
    along=COLUMNS,
    settings=FEW,
    shown={
        "slow decay": _circle(SLOW),
        "fast decay": _circle(FAST),
        "exponential decay": _circle(EXPONENTIAL),
        "slow decay on uneven points": _circle(SLOW, share=0.95),
    },
    beyond={
        "twice as many waves": _circle(SLOW, waves=6),
        "labels nearer to coins": _circle(SLOW, clear=0.5),
        "150 points": _circle(SLOW, n=150),
    },
    findings={
        "hinge": Finding(
            "prescribed(hinge_scores) <= 1.25 * whole(hinge_scores)",
            MEAN,
            on=EVEN_POINTS,
            but={"1.25": "0.8"},
            says="With the prescribed number of columns by leverage scores the hinge "
            "loss has at most 1.25 times the excess risk that it has with all "
            "columns",
        ),
        "square": Finding(
            "prescribed(square_scores) <= 1.5 * whole(square_scores)",
            MEAN,
            on=MANY_POINTS,
            but={"1.5": "0.8"},
            says="With the prescribed number of columns by leverage scores the square "
            "loss has at most 1.5 times the excess risk that it has with all "
            "columns",
        ),
        "uniform": Finding(
            "prescribed(hinge) <= 1.25 * whole(hinge)",
            MEAN,
            on=EVEN_POINTS,
            but={"1.25": "0.8"},
            says="With the prescribed number of uniform columns the hinge loss has at "
            "most 1.25 times the excess risk that it has with all columns",
        ),
        "uniform_square": Finding(
            "prescribed(square) <= 1.5 * whole(square)",
            MEAN,
            on=MANY_POINTS,
            but={"1.5": "0.8"},
            says="With the prescribed number of uniform columns the square loss has "
            "at most 1.5 times the excess risk that it has with all columns",
        ),
        "too_few": Finding(
            "plain(hinge_scores) >= 1.2 * whole(hinge_scores)",
            MEAN,
            on=("fast decay",),
            but={">=": "<="},
            says="With as many columns by leverage scores as the effective dimension "
            "the hinge loss has at least 1.2 times the excess risk that it has "
            "with all columns",
        ),
        "too_few_square": Finding(
            "plain(square_scores) >= 1.5 * whole(square_scores)",
            MEAN,
            on=("fast decay", "twice as many waves"),
            but={"plain": "prescribed"},
            says="With as many columns by leverage scores as the effective dimension "
            "the square loss has at least 1.5 times the excess risk that it has "
            "with all columns",
        ),
        "sooner": Finding(
            "over(square_scores) <= over(hinge_scores)",
            MEAN,
            on=("slow decay",),
            when="columns == 16",
            but={"<=": "<= 0.1 *"},
            says="With 16 columns the square loss is nearer to its own excess risk on "
            "all points than the hinge loss is to its own",
        ),
    },
)


# ---- the map ----

ERROR = Field("error", "wrong labels", "%", by="with")
FEWER = Field("fewer", "wrong labels on 32 columns", "%", by="with")
HALF = Field("half", "wrong labels on half of the columns", "%", by="with")
ALL = Field("all", "wrong labels on all columns", "%", by="with")
COUNTS = (4, 8, 16, 32, 64, 128, 256)


def with_map(drawn, rng):
    """The errors over lambda and columns; the same columns for each lambda."""
    some, width = drawn
    groups = Groups.of(some, COUNTS[-1], width)
    order = rng.permutation(COUNTS[-1])
    return experiments.error_map(groups, order, COUNTS), None


def mapped(trial):
    """The errors with one lambda."""
    error = trial.known[trial.run]
    at = dict(zip(COUNTS, error, strict=True))
    return {"error": error, "fewer": at[32], "half": at[128], "all": at[256]}


def _labelled(make, size, width=1.0, **options) -> Data:
    return Data(lambda n, rng: (make(n, rng, **options), width), size)


NOISY = (
    "wave with flipped labels",
    "digits with flipped labels",
    "wave with twice as many",
    "cell samples with flipped labels",
)

MAP = Experiment(
    id="random_subspaces:map",
    question="How many labels are wrong, over lambda and the number of columns?",
    competitors={
        f"lambda_{k}": Competitor(f"lambda {x:g}", x, rf"$\lambda = 10^{{{-k}}}$")
        for k, x in enumerate(LAMBDAS, 1)
    }
    | {
        "chosen": Competitor("lambda chosen", None, r"$\lambda$ chosen on points aside")
    },
    fields=[ERROR, FEWER, HALF, ALL],
    prepare=with_map,
    measure=mapped,
    along=COLUMNS,
    settings=COUNTS,
    shown={
        "wave with flipped labels": _labelled(points.wave, 2000, 0.3),
        "digits with flipped labels": _labelled(points.digits, 1797, flipped=0.1),
        "cell samples": _labelled(points.cells, 569),
    },
    beyond={
        "wave with twice as many": _labelled(points.wave, 2000, 0.3, flipped=0.2),
        "digits": _labelled(points.digits, 1797),
        "cell samples with flipped labels": _labelled(points.cells, 569, flipped=0.1),
        "photographs": _labelled(points.photographs, 2000),
    },
    findings={
        "half": Finding(
            "half(chosen) <= all(chosen) + 3",
            MEAN,
            on=(
                "wave with flipped labels",
                "digits with flipped labels",
                "cell samples",
                "wave with twice as many",
                "digits",
                "cell samples with flipped labels",
            ),
            but={"+ 3": "- 3"},
            says="With half of the columns the share of wrong labels is at most 3 "
            "percentage points above that with all",
        ),
        "few": Finding(
            "fewer(chosen) <= all(chosen) + 3",
            MEAN,
            on=(
                "wave with flipped labels",
                "cell samples",
                "wave with twice as many",
                "cell samples with flipped labels",
            ),
            but={"+ 3": "- 3"},
            says="With thirty-two columns the share of wrong labels is at most 3 "
            "percentage points above that with all",
        ),
        "few_and_small": Finding(
            "fewer(lambda_6) <= fewer(chosen) + 5",
            MEAN,
            on=NOISY,
            but={"fewer(lambda_6) <= fewer(chosen)": "all(lambda_6) <= all(chosen)"},
            says="With thirty-two columns the smallest $\\lambda$ has a share of "
            "wrong labels at most 5 percentage points above that of the chosen "
            "one",
        ),
        "many_and_small": Finding(
            "fewer(lambda_6) <= half(lambda_6)",
            MEAN,
            on=NOISY,
            but_on="digits",
            says="With the smallest $\\lambda$, thirty-two columns have no more wrong "
            "labels than half of all columns",
        ),
        "large": Finding(
            "all(lambda_1) >= all(chosen) + 1",
            MEAN,
            on=(
                "digits with flipped labels",
                "cell samples",
                "digits",
                "cell samples with flipped labels",
                "photographs",
            ),
            but={"lambda_1": "lambda_3"},
            says="With all columns the largest $\\lambda$ has a share of wrong labels "
            "at least 1 percentage point above that of the chosen one",
        ),
    },
)


# ---- the columns: uniform or by scores ----

APART = Field("error", "projection error", "% of the trace", by="on")
MISSED = Field("missed", "share of the variance missed", "%", by="on")
SOME = (16, 32, 64)


def of_fifths(drawn, rng):
    """Three fifths to learn from."""
    some, width = drawn
    mixed = rng.permutation(len(some.X))
    y = some.y[mixed]
    count = 3 * len(y) // 5
    centred = points.Points(some.X[mixed], y - y[:count].mean(axis=0))
    return Groups.of(centred, count, width), None


def compared(trial):
    """What columns of one scheme miss, of the points and of their values."""
    groups, found = trial.known, []
    X = groups.learn.X
    K = DenseKernel(experiments.gaussian(X, X, groups.gamma))
    for m in SOME:
        chosen = trial.run(K, m, trial.rng).indices
        found.append(experiments.projected(groups, chosen))
    return {name: [each[name] for each in found] for name in found[0]}


def _valued(make, size, width, **options) -> Data:
    return Data(lambda n, rng: (make(n, rng, **options), width), size)


UNEVEN = (
    "circle on uneven points",
    "rare groups",
    "rarer groups",
    "circle on points more uneven",
)

SCORES = Experiment(
    id="random_subspaces:scores",
    question="Uniform columns, or columns by leverage scores?",
    competitors={
        "uniform": Competitor("uniform columns", sampling.uniform),
        "exact": Competitor(
            "columns by exact leverage scores",
            sampling.ridge_leverage,
        ),
        "recursive": Competitor(
            "columns by recursive leverage scores",
            sampling.recursive_rls,
        ),
    },
    fields=[APART, MISSED],
    prepare=of_fifths,
    measure=compared,
    along=COLUMNS,
    settings=SOME,
    draws=30,
    shown={
        "circle on uneven points": _valued(points.circle, 500, 0.5, share=0.95),
        "rare groups": _valued(points.rare, 500, 1.0),
        "robot arm": _valued(points.arm, 500, 0.7),
        "cell samples": _valued(points.which_cell, 569, 1.0),
    },
    beyond={
        "circle on points more uneven": _valued(points.circle, 500, 0.5, share=0.98),
        "rarer groups": _valued(points.rare, 500, 1.0, per=2),
        "circle on even points": _valued(points.circle, 500, 0.5),
        "digits": _valued(points.which_digit, 500, 1.0),
        "Swiss roll": _valued(points.roll, 500, 0.3),
    },
    findings={
        "pays": Finding(
            "error(exact) <= 0.6 * error(uniform)",
            MEAN,
            on=UNEVEN,
            when="columns >= 64",
            but_on="robot arm",
        ),
        "too_early": Finding(
            "error(exact) >= 0.7 * error(uniform)",
            MEAN,
            on=("rare groups", "rarer groups"),
            when="columns == 16",
            but={"0.7": "2"},
            says="With 16 columns the projection has at least 0.7 times the error on "
            "columns by exact leverage scores that it has on uniform columns",
        ),
        "recursive": Finding(
            "error(recursive) <= error(uniform)",
            MEAN,
            on=UNEVEN[:3],
            when="columns >= 64",
            but={"<=": "<= 0.1 *"},
        ),
        "learns": Finding(
            "missed(exact) <= missed(uniform)",
            MEAN,
            on=UNEVEN,
            when="columns == 32",
            but={"<=": "<= 0.1 *"},
            expected="open",
            says="With 32 columns ridge regression misses no more on columns by exact "
            "leverage scores than on uniform columns",
        ),
        "no_difference": Finding(
            "error(exact) >= 0.8 * error(uniform)",
            MEAN,
            on=("robot arm", "digits", "Swiss roll"),
            but_on="circle on uneven points",
        ),
        "learns_alike": Finding(
            "missed(exact) >= 0.8 * missed(uniform)",
            MEAN,
            on=("robot arm", "cell samples", "digits"),
            but={"0.8": "1.2"},
        ),
    },
)
