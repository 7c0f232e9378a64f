"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory import sampling
from nystheory.chapters.certificates_afterwards import measured, rounding
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

SCHEMES = {
    "uniform": Competitor("uniform columns", sampling.uniform),
    "pivots": Competitor("random pivots", sampling.rp_cholesky),
}
PERCENT = Field("percent", "columns $l/n$", "%")

# ---- sizes of an error ----

TRACE = Field("trace", "trace", by="with")
FROBENIUS = Field("frobenius", "Frobenius norm", by="with")
SPECTRAL = Field("spectral", "spectral norm", by="with")
ENTRY = Field("entry", "largest entry", by="with")
SURE = Field("sure", "certificate above the Frobenius norm", "%", by="with")
GUESS = Field("guess", "estimate of the Frobenius norm off by", "%", by="with")
GUESS_TRACE = Field("guess_trace", "estimate of the trace off by", "%", by="with")

SIZES = Experiment(
    id="certificates_afterwards:sizes",
    question="How large are four sizes of an error, and what do two numbers tell?",
    competitors=SCHEMES,
    fields=[TRACE, FROBENIUS, SPECTRAL, ENTRY, SURE, GUESS, GUESS_TRACE],
    measure=measured.sizes,
    along=PERCENT,
    settings=measured.PERCENTS,
    shown={"digits": Data(measured.digits, 300)},
    beyond={
        "diabetes": Data(measured.patients, 300),
        "patches": Data(measured.photographs, 300),
        "four clusters": Data(measured.clusters, 320),
        "points in a square": Data(measured.square, 300),
    },
    findings={
        "generous": Finding(
            "trace(pivots) >= 5 * spectral(pivots)",
            MEAN,
            on=("digits", "diabetes", "patches"),
            but={"5 *": "50 *"},
            says=(
                "The trace, which is certified, is at least 5 times the spectral norm"
            ),
        ),
        "nearer": Finding(
            "guess(uniform) <= 0.5 * sure(uniform)",
            MEAN,
            on=("digits", "diabetes", "patches"),
            but_on="four clusters",
            says=(
                "With uniform columns the estimate of the Frobenius norm is off by at "
                "most 0.5 times as much as the certificate"
            ),
        ),
        "guess": Finding(
            "guess_trace(uniform) <= 20",
            MEAN,
            on=("digits", "diabetes"),
            but_on="four clusters",
            says=(
                "With uniform columns the estimate of the trace is off by at most 20 "
                "percent"
            ),
        ),
    },
)

# ---- inverses ----

OBSERVED = Field("observed", "observed", by="with")
BY_NORM = Field("by_norm", "from the norm", by="with")
BY_TRACE = Field("by_trace", "from the trace", by="with")
SQUARED = Field("squared", r"$\|E\|_2 / \alpha^2$", by="with")
RATIO = Field("ratio", r"ridge $\alpha$ / $\|E\|_2$")

INVERSES = Experiment(
    id="certificates_afterwards:inverses",
    question="How far are inverses apart, and what do bounds tell of it?",
    competitors=SCHEMES,
    fields=[OBSERVED, BY_NORM, BY_TRACE, SQUARED],
    measure=measured.inverses,
    along=RATIO,
    settings=measured.RATIOS,
    shown={"digits": Data(measured.digits, 200)},
    beyond={
        "diabetes": Data(measured.patients, 200),
        "patches": Data(measured.photographs, 200),
        "four clusters": Data(measured.clusters, 200),
        "points in a square": Data(measured.square, 200),
    },
    findings={
        "tight": Finding(
            "by_norm(uniform) <= 2 * observed(uniform)",
            MEAN,
            but={"by_norm": "by_trace"},
            says="The bound from the norm is at most 2 times the error of the inverse",
        ),
    },
)

# ---- where to truncate ----

RANK = Field("rank", "rank")
OF_FROBENIUS = Field(
    "frobenius", "samples with the core cut better, Frobenius norm", "%", by="with"
)
OF_SPECTRAL = Field(
    "spectral", "samples with the core cut better, spectral norm", "%", by="with"
)

CUTS = Experiment(
    id="certificates_afterwards:cuts",
    question="How often is it better to cut the core?",
    competitors=SCHEMES,
    fields=[OF_FROBENIUS, OF_SPECTRAL],
    measure=measured.cuts,
    along=RANK,
    settings=measured.RANKS,
    shown={"digits": Data(measured.digits, 150)},
    beyond={
        "diabetes": Data(measured.patients, 150),
        "patches": Data(measured.photographs, 150),
        "four clusters": Data(measured.clusters, 160),
        "points in a square": Data(measured.square, 150),
    },
    findings={
        "seldom": Finding(
            "frobenius(uniform) <= 10",
            MEAN,
            but={"10": "1"},
            says=(
                "With uniform columns cutting the core has the smaller Frobenius "
                "error in at most 10 percent of the samples"
            ),
        ),
    },
)

# ---- functions ----

LOG = Field("log", "log determinant left", "%", by="with")
ROOT = Field("root", "trace of the square root left", "%", by="with")
DIMENSION = Field("dimension", "effective dimension left", "%", by="with")
KEPT = Field("kept", "eigenvalues kept", "%")

FUNCTIONS = Experiment(
    id="certificates_afterwards:functions",
    question="How much of three functions does an approximation have?",
    competitors=SCHEMES,
    fields=[LOG, ROOT, DIMENSION],
    measure=measured.functions,
    along=KEPT,
    settings=measured.KEPT,
    shown={"digits": Data(measured.digits, 400)},
    beyond={
        "diabetes": Data(measured.patients, 400),
        "cell samples": Data(measured.cells, 400),
        "four clusters": Data(measured.clusters, 400),
        "points in a square": Data(measured.square, 400),
    },
    findings={
        "little": Finding(
            "log(pivots) <= 70",
            MEAN,
            on=("digits", "diabetes"),
            but_on="points in a square",
            says=(
                "From a fifth of the columns the log determinant is at most 70 "
                "percent of that of $K$"
            ),
        ),
    },
)

# ---- rounding ----

RIGHT = Field("right", "correct digits", by="by")
LOST = Field("lost", "digits lost from the best number of columns to 80", by="by")
COLUMNS = Field("columns", "columns $l$")

ROUNDING = Experiment(
    id="certificates_afterwards:rounding",
    question="How many digits does a computation of one approximation reach?",
    competitors={
        "formed": Competitor(rounding.FORMED, rounding.WAYS[rounding.FORMED]),
        "solved": Competitor(rounding.SOLVED, rounding.WAYS[rounding.SOLVED]),
        "shifted": Competitor(rounding.SHIFTED, rounding.WAYS[rounding.SHIFTED]),
        "package": Competitor(rounding.PACKAGE, rounding.WAYS[rounding.PACKAGE]),
    },
    fields=[RIGHT, LOST],
    prepare=measured.sampled,
    measure=measured.computed,
    along=COLUMNS,
    settings=measured.COUNTS,
    shown={"points on a line": Data(measured.on_line, 200)},
    beyond={
        "narrower kernel": Data(measured.narrow, 200),
        "points in a square": Data(measured.square, 200),
        "digits": Data(measured.digits, 200),
    },
    findings={
        "worse": Finding(
            "lost(formed) >= 0.7",
            MEAN,
            on=("points on a line", "narrower kernel"),
            but={"formed": "solved"},
            says=(
                "Forming $W^+$ loses at least 0.7 digits from its best number of "
                "columns to the largest"
            ),
        ),
        "keeps": Finding(
            "lost(package) <= 0.7",
            MEAN,
            but={"package": "formed"},
            says=(
                "The package loses at most 0.7 digits from its best number of columns "
                "to the largest"
            ),
        ),
        "furthest": Finding(
            "right(package) >= 12",
            MEAN,
            on=("points on a line", "narrower kernel"),
            when="columns >= 40",
            but={"package": "shifted"},
            says=(
                "With 40 columns, half as many again or twice as many, the package has "
                "at least 12 correct digits"
            ),
        ),
    },
)
