"""What the chapter concludes from experiments, tried on other draws and problems."""

from __future__ import annotations

from nystheory.chapters.fast_and_slow_rates.experiments import (
    DENSE_SIZES,
    MACHINE_SIZES,
    NOISES,
    SIZES,
    Rule,
    classified,
    regressed,
)
from nystheory.chapters.fast_and_slow_rates.problems import (
    GaussianVectors,
    Geometric,
    OnArcs,
    OnCircle,
    Powers,
)
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

POINTS = Field("n", "points")
EXCESS = Field("excess", "excess risk", by="with")
HINGE_EXCESS = Field("excess", "excess risk", norm="hinge loss", by="with")
ERRORS = Field("errors", "excess risk", "%", "0-1 loss", by="with")
COLUMNS = Field("columns", "number of columns", by="of")
SLOPE = Field("slope", "slope", by="with")
PROMISED = Field("promised", "promised slope", by="with")

SQUARE = "square, well specified"

# ---- ridge regression ----


def regression(problem, size: int) -> Data:
    """Points of the largest size, and noises; smaller samples are the first of them."""
    return Data(
        lambda n, rng: (
            problem,
            problem.points(n, rng),
            rng.standard_normal((n, NOISES)),
        ),
        size,
    )


def over(sizes, measure):
    """What is measured of a rule with each number of points."""
    return lambda trial: measure(*trial.known, trial.run, sizes)


HALVES, QUARTERS, SIXTHS = "p = 1/2", "p = 1/4", "p = 1/6"
EXPONENTIAL, NOISY = "exponential decay", "twice the noise"
TURNED, SMOOTH, GAUSSIAN = "another target", "a smooth target", "Gaussian vectors"
POWERS = (HALVES, QUARTERS, SIXTHS, NOISY, TURNED, SMOOTH, GAUSSIAN)
STEEP = (QUARTERS, SIXTHS, TURNED, EXPONENTIAL)
PROBLEMS = {
    HALVES: OnCircle(Powers(1)),
    QUARTERS: OnCircle(Powers(2)),
    EXPONENTIAL: OnCircle(Geometric(0.5)),
    SIXTHS: OnCircle(Powers(3)),
    NOISY: OnCircle(Powers(1), noise=1.0),
    TURNED: OnCircle(Powers(2), turned=True),
    SMOOTH: OnCircle(Powers(1), edge=1.0),
    GAUSSIAN: GaussianVectors(0.5),
}


def _of(names, size):
    return {name: regression(PROBLEMS[name], size) for name in names}


FEW = Competitor(
    "ridge and columns of the fast rate",
    Rule(SQUARE, SQUARE),
    "the ridge and the columns of the fast rate",
)

SLOPES = Experiment(
    id="fast_and_slow_rates:slopes",
    question="How fast does the excess risk of ridge regression fall?",
    competitors={
        "few": FEW,
        "slow": Competitor(
            "ridge of the slow rate",
            Rule("subspace", SQUARE),
            "the ridge of the slow rate and as many columns",
        ),
    },
    fields=[EXCESS, COLUMNS, SLOPE, PROMISED],
    measure=over(SIZES, regressed),
    along=POINTS,
    settings=SIZES,
    draws=20,
    shown=_of((HALVES, QUARTERS, EXPONENTIAL), SIZES[-1]),
    beyond=_of((SIXTHS, NOISY, TURNED, SMOOTH, GAUSSIAN), SIZES[-1]),
    findings={
        "fast": Finding(
            "slope(few) <= -0.6",
            MEAN,
            but={"few": "slow"},
            says="With the ridge and the columns of the fast rate, the slope is at "
            "most -0.6",
        ),
        "kept": Finding(
            "slope(few) <= promised(few) + 0.06",
            MEAN,
            on=POWERS,
            but={"+ 0.06": "- 0.2"},
            says="The slope is at most the promised one plus 0.06",
        ),
        "faster": Finding(
            "slope(few) <= promised(few)",
            MEAN,
            on=(SMOOTH,),
            but_on=EXPONENTIAL,
            says="The slope is at most the promised one",
        ),
        "near": Finding(
            "slope(few) >= promised(few) - 0.15",
            MEAN,
            on=(QUARTERS, SIXTHS, TURNED),
            but={"promised(few)": "promised(slow)"},
            says="The slope is at least the promised one minus 0.15",
        ),
        "ridge": Finding(
            "slope(slow) >= slope(few)",
            MEAN,
            on=(EXPONENTIAL, *(x for x in POWERS if x != SMOOTH)),
            but_on=SMOOTH,
            says="The slope with the ridge of the slow rate is at least that with the "
            "ridge of the fast rate",
        ),
        "logarithm": Finding(
            "slope(few) >= promised(few) + 0.03",
            MEAN,
            on=(EXPONENTIAL,),
            but_on=QUARTERS,
            says="The slope is at least the promised one plus 0.03",
        ),
        "not steeper": Finding(
            "slope(few) >= -0.97",
            MEAN,
            on=STEEP,
            but={"0.97": "0.75"},
            says="The slope is at least -0.97",
        ),
        "steep": Finding(
            "slope(few) <= -0.76",
            MEAN,
            on=STEEP,
            but_on=NOISY,
            says="The slope is at most -0.76",
        ),
    },
)

FEWER = Experiment(
    id="fast_and_slow_rates:fewer",
    question="How many columns keep the rate of ridge regression?",
    competitors={
        "all": Competitor("all columns", Rule(SQUARE)),
        "more": Competitor(
            r"$n^p \log n$",
            Rule(SQUARE, "subspace"),
            r"$n^p \log n$ columns",
        ),
        "few": Competitor(
            r"$n^{p / (1 + p)} \log n$",
            Rule(SQUARE, SQUARE),
            r"$n^{p / (1 + p)} \log n$ columns",
        ),
        "half": Competitor(
            "half the exponent",
            Rule(SQUARE, SQUARE, 0.5),
            "columns that grow with half the exponent",
        ),
        "first": Competitor(
            "a fixed number",
            Rule(SQUARE, SQUARE, 0.0),
            "a fixed number of columns",
        ),
    },
    fields=[EXCESS, COLUMNS, SLOPE, PROMISED],
    measure=over(DENSE_SIZES, regressed),
    along=POINTS,
    settings=DENSE_SIZES,
    draws=20,
    shown=_of((HALVES, QUARTERS), DENSE_SIZES[-1]),
    beyond=_of((SIXTHS, NOISY), DENSE_SIZES[-1]),
    findings={
        "enough": Finding(
            "excess(few) <= 1.5 * excess(all)",
            MEAN,
            when="n >= 1600",
            but={"few": "first"},
        ),
        "same": Finding(
            "excess(few) <= 1.05 * excess(more)",
            MEAN,
            on=(SIXTHS,),
            when="n >= 1600",
            but={"1.05": "0.9"},
        ),
        "no faster": Finding("slope(few) <= slope(more) + 0.1", MEAN, but={"+": "-"}),
        "lost": Finding(
            "slope(first) >= promised(first) + 0.05",
            MEAN,
            on=(HALVES,),
            but={"slope(first)": "slope(more)"},
            says="The slope with a fixed number of columns is at least the promised "
            "one plus 0.05",
        ),
        "not by slope": Finding(
            "slope(half) <= -0.7",
            MEAN,
            on=(SIXTHS,),
            but={"0.7": "0.98"},
            says="With columns that grow with half the exponent, the slope is at most "
            "-0.7",
        ),
        "by risk": Finding(
            "excess(first) >= 1.05 * excess(few)",
            MEAN,
            on=(HALVES,),
            when="n >= 1600",
            but={">=": "<="},
        ),
    },
)

# ---- support vector machines ----

WIDE, NARROW = 0.1, 0.02
WIDE_HALVES, NARROW_HALVES = "wide gaps, p = 1/2", "narrow gaps, p = 1/2"
WIDE_QUARTERS, NARROW_QUARTERS = "wide gaps, p = 1/4", "narrow gaps, p = 1/4"
MILD, UNSURE = "wide gaps, more noise", "narrow gaps, unsure in the middle"
ARCS = {
    WIDE_HALVES: OnArcs(Powers(1), WIDE),
    NARROW_HALVES: OnArcs(Powers(1), NARROW),
    NARROW_QUARTERS: OnArcs(Powers(2), NARROW),
    WIDE_QUARTERS: OnArcs(Powers(2), WIDE),
    MILD: OnArcs(Powers(2), WIDE, sure=0.5),
    UNSURE: OnArcs(Powers(1), NARROW, sure=1.0, power=3.0),
}


def classes(problem) -> Data:
    """Points with labels; smaller samples are the first of them."""
    return Data(lambda n, rng: (problem, *problem.drawn(n, rng)), MACHINE_SIZES[-1])


MACHINES = Experiment(
    id="fast_and_slow_rates:machines",
    question="How fast does the excess risk of support vector machines fall?",
    competitors={
        "own": Competitor(
            "columns for the hinge loss",
            Rule("hinge", "hinge"),
            "the columns that are prescribed for the hinge loss",
        ),
        "square": Competitor(
            "columns for the square loss",
            Rule("hinge", SQUARE),
            "the columns that are prescribed for the square loss",
        ),
        "first": Competitor("a fixed number", Rule("hinge", "hinge", 0.0)),
    },
    fields=[HINGE_EXCESS, ERRORS, COLUMNS, SLOPE, PROMISED],
    measure=over(MACHINE_SIZES, classified),
    along=POINTS,
    settings=MACHINE_SIZES,
    draws=20,
    shown={x: classes(ARCS[x]) for x in (WIDE_HALVES, NARROW_HALVES, NARROW_QUARTERS)},
    beyond={x: classes(ARCS[x]) for x in (WIDE_QUARTERS, MILD, UNSURE)},
    findings={
        "faster": Finding(
            "slope(own) <= promised(own) - 0.2",
            MEAN,
            on=(WIDE_HALVES,),
            but_on=NARROW_QUARTERS,
            says="The slope is at most the promised one minus 0.2",
        ),
        "slower": Finding(
            "slope(own) >= promised(own) + 0.2",
            MEAN,
            on=(NARROW_QUARTERS,),
            but_on=WIDE_HALVES,
            says="The slope is at least the promised one plus 0.2",
        ),
        "fast": Finding(
            "slope(own) <= -0.5",
            MEAN,
            on=(NARROW_HALVES, MILD),
            but_on=NARROW_QUARTERS,
            says="With the columns that are prescribed for the hinge loss, the slope "
            "is at most -0.5",
        ),
        "alike": Finding(
            "slope(square) <= slope(own) + 0.2",
            MEAN,
            on=(NARROW_QUARTERS, WIDE_QUARTERS, MILD),
            but={"+": "-"},
            says="With the fewer columns that are prescribed for the square loss, the "
            "slope is at most larger by 0.2",
        ),
        "same": Finding(
            "excess(square) <= 1.6 * excess(own)",
            MEAN,
            on=(NARROW_QUARTERS, WIDE_QUARTERS),
            when="n >= 800",
            but_on=WIDE_HALVES,
        ),
        "lost": Finding(
            "slope(first) >= slope(own) + 0.1",
            MEAN,
            on=(WIDE_HALVES,),
            but_on=NARROW_QUARTERS,
            says="With a fixed number of columns, the slope is larger by at least 0.1",
        ),
        "nothing left": Finding(
            "errors(own) <= 0.1",
            MEAN,
            on=tuple(x for x in ARCS if x != UNSURE),
            when="n >= 800",
            but={"errors(own)": "100 * excess(own)"},
            says="With at least 800 points, the labels are wrong by at most 0.1 % more "
            "often than with the best classifier",
        ),
        "calibrated": Finding(
            "errors(own) <= 100 * excess(own)",
            but={"100": "20"},
            says="The excess share of wrong labels, in percent, is at most 100 times "
            "the excess risk of the hinge loss",
        ),
    },
)
