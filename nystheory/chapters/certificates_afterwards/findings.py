"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory import sampling
from nystheory.chapters.certificates_afterwards import measured, rounding
from nystheory.engine.findings import (
    EACH,
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
STEEP = "points in a square"
FLAT = ("digits", "diabetes")
LINES = ("points on a line", "narrower kernel")

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
        STEEP: Data(measured.square, 300),
    },
    findings={
        "generous": Finding(
            "trace(pivots) >= 5 * spectral(pivots)",
            MEAN,
            on=FLAT,
            but_on=STEEP,
            says=(
                "The trace of the error with random pivots, which is certified, is at "
                "least 5 times its spectral norm"
            ),
        ),
        "guess": Finding(
            "guess_trace(uniform) <= 30",
            MEAN,
            on=FLAT,
            when="percent >= 5",
            but={"30": "3"},
            says=(
                "With 5 to forty percent of the columns, drawn uniformly, the estimate "
                "of the trace is off by at most 30 percent"
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
    shown={
        "digits": Data(measured.digits, 200),
        STEEP: Data(measured.square, 200),
    },
    beyond={
        "diabetes": Data(measured.patients, 200),
        "patches": Data(measured.photographs, 200),
        "four clusters": Data(measured.clusters, 200),
    },
    findings={
        "tight": Finding(
            "by_norm(uniform) <= 2 * observed(uniform)",
            MEAN,
            on=(*FLAT, "patches", "four clusters"),
            but_on=STEEP,
            says=(
                "With uniform columns the bound from the norm is at most 2 times the "
                "error of the inverse"
            ),
        ),
        "loose": Finding(
            "by_trace(uniform) >= 5 * observed(uniform)",
            MEAN,
            on=FLAT,
            when="ratio >= 10",
            but_on=STEEP,
            says=(
                "With a ridge of 10 times the error of the matrix, or more, the bound "
                "from the trace is at least 5 times the error of the inverse"
            ),
        ),
    },
)

# ---- where to truncate ----

RANK = Field("rank", "rank")
OF_FROBENIUS = Field(
    "frobenius", "error, Frobenius norm", "% of that of the best rank", by="with"
)
OF_SPECTRAL = Field(
    "spectral", "error, spectral norm", "% of that of the best rank", by="with"
)

CUTS = Experiment(
    id="certificates_afterwards:cuts",
    question="Where should twenty uniform columns be cut to a lower rank?",
    competitors={
        "core": Competitor("the core cut", "core"),
        "after": Competitor("the approximation cut", "approximation"),
    },
    fields=[OF_FROBENIUS, OF_SPECTRAL],
    prepare=measured.sample,
    measure=measured.cuts,
    along=RANK,
    settings=measured.RANKS,
    shown={"digits": Data(measured.digits, 300)},
    beyond={
        "diabetes": Data(measured.patients, 300),
        "patches": Data(measured.photographs, 300),
        "four clusters": Data(measured.clusters, 320),
        STEEP: Data(measured.square, 300),
    },
    findings={
        "frobenius": Finding(
            "frobenius(after) <= frobenius(core)",
            EACH,
            but={"<=": ">="},
            says=(
                "With the approximation cut the Frobenius norm of the error is at most "
                "as large as with the core cut"
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
        STEEP: Data(measured.square, 400),
    },
    findings={
        "little": Finding(
            "log(pivots) <= 60",
            MEAN,
            on=(*FLAT, "cell samples"),
            but_on="four clusters",
            says=(
                "From a fifth of the columns, random pivots, the log determinant is at "
                "most 60 percent of that of $K$"
            ),
        ),
        "half": Finding(
            "log(pivots) <= 40",
            MEAN,
            on=(*FLAT, "cell samples"),
            when="kept <= 50",
            but_on="four clusters",
            says=(
                "With 50 percent of the eigenvalues of the approximation kept, or half "
                "as many, the log determinant is at most 40 percent of that of $K$"
            ),
        ),
    },
)

# ---- rounding ----

RIGHT = Field("right", "correct digits", by="by")
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
    fields=[RIGHT],
    prepare=measured.sampled,
    measure=measured.computed,
    along=COLUMNS,
    settings=measured.COUNTS,
    shown={"points on a line": Data(measured.on_line, 200)},
    beyond={
        "narrower kernel": Data(measured.narrow, 200),
        STEEP: Data(measured.square, 200),
        "digits": Data(measured.digits, 200),
    },
    findings={
        "stops": Finding(
            "right(formed) <= 7",
            MEAN,
            on=LINES,
            but={"formed": "shifted"},
            says=(
                "Forming $W^+$ reaches at most 7 correct digits with any number of "
                "columns that was tried"
            ),
        ),
        "others": Finding(
            "right(shifted) >= right(formed) + 3",
            MEAN,
            on=LINES,
            when="columns >= 60",
            but_on="digits",
            says=(
                "With 60 or eighty columns Cholesky with a shift has at least 3 "
                "correct digits more than forming $W^+$"
            ),
        ),
        "furthest": Finding(
            "right(package) >= right(solved)",
            MEAN,
            on=LINES,
            when="columns >= 60",
            but={"right(solved)": "right(solved) + 3"},
            says=(
                "With 60 or eighty columns the package has at least as many correct "
                "digits as least squares with $W$"
            ),
        ),
    },
)
