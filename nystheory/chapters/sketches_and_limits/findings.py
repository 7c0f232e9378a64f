"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

import numpy as np

from nystheory import guarantees, kernels, sampling
from nystheory.chapters.sketches_and_limits import measured
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

DIGITS, PATCHES, CLUSTERS = "RBF digits", "linear patches", "RBF clusters"
CELLS, DOCUMENTS = "RBF cell samples", "linear documents"

# ---- promises ----

MISSED = Field("missed", "trace error", "% of the trace")
PROMISED = Field("promised", "promised trace error", "% of the trace", by="for")
FACTOR = Field("factor", "promised over observed trace error", by="for")
MISSED_2 = Field("missed_2", "error", "% of the trace", "spectral norm")
PROMISED_2 = Field(
    "promised_2", "promised error", "% of the trace", "spectral norm", by="for"
)
FACTOR_2 = Field(
    "factor_2", "promised over observed error", norm="spectral norm", by="for"
)


def promised(K, rng):
    """The best promises for a share of the columns, and what they were made from."""
    stored = kernels.DenseKernel(K.dense())
    values = np.maximum(np.linalg.eigvalsh(stored.dense())[::-1], 0)
    told = guarantees.promises(stored, round(measured.SHARE * K.n))
    return measured.Promised(stored, values, told), None


PROMISES = Experiment(
    id="sketches_and_limits:promises",
    question="What is promised of 15 percent of the columns, and what do they miss?",
    competitors={
        "uniform": Competitor("uniform columns, without replacement", "uniform"),
        "again": Competitor("uniform columns, with replacement", measured.AGAIN),
        "leverage": Competitor(
            "leverage scores of the rank with the best promise, with replacement",
            "leverage scores, with replacement",
        ),
        "sketch": Competitor("Gaussian sketches", measured.SKETCH),
        "pivots": Competitor("RPCholesky", "RPCholesky"),
    },
    fields=[MISSED, PROMISED, FACTOR, MISSED_2, PROMISED_2, FACTOR_2],
    prepare=promised,
    measure=measured.kept,
    shown={
        DIGITS: Data(measured.digits, 240),
        PATCHES: Data(measured.patches, 240),
        CLUSTERS: Data(measured.clusters, 240),
    },
    beyond={
        CELLS: Data(measured.cells, 240),
        DOCUMENTS: Data(measured.documents, 240),
    },
    findings={
        # What is promised; at most the trace itself.
        "nothing": Finding(
            "promised(uniform) >= 100",
            EACH,
            but={"uniform": "leverage"},
            says=(
                "For uniform columns no trace error below 100 percent of the trace is "
                "promised"
            ),
        ),
        "sketches": Finding(
            "promised(leverage) >= 1.5 * promised(sketch)",
            EACH,
            on=(DIGITS, PATCHES, CLUSTERS, CELLS),
            but={"promised(leverage)": "promised(pivots)"},
            says=(
                "The promised trace error is at least 1.5 times as large for leverage "
                "scores as for Gaussian sketches"
            ),
        ),
        "spectrum": Finding(
            "promised(pivots) <= promised(sketch)",
            EACH,
            on=(DIGITS, PATCHES, CELLS, DOCUMENTS),
            but_on=CLUSTERS,
            says=(
                "The promised trace error is at most as large for RPCholesky as for "
                "Gaussian sketches"
            ),
        ),
        # How near it is.
        "pivots near": Finding(
            "factor(pivots) <= 2",
            EACH,
            on=(DIGITS, PATCHES, CELLS, DOCUMENTS),
            but_on=CLUSTERS,
            says=(
                "The trace error promised for RPCholesky is at most 2 times the one "
                "observed"
            ),
        ),
        "sketches near": Finding(
            "factor(sketch) <= 5",
            EACH,
            but={"sketch": "pivots"},
            says=(
                "The trace error promised for Gaussian sketches is at most 5 times the "
                "one observed"
            ),
        ),
        "norms": Finding(
            "factor_2(sketch) >= 2 * factor(sketch)",
            MEAN,
            on=(DIGITS, PATCHES, CLUSTERS, CELLS),
            but_on=DOCUMENTS,
            says=(
                "For Gaussian sketches the ratio of promised to observed error is at "
                "least 2 times as large in the spectral norm as in the trace"
            ),
        ),
        # What is missed.
        "leverage": Finding(
            "missed(leverage) >= missed(uniform)",
            MEAN,
            but={"missed(uniform)": "1.2 * missed(uniform)"},
            says=(
                "Leverage scores of the rank with the best promise, drawn with "
                "replacement, miss at least as much of the trace as uniform columns "
                "without"
            ),
        ),
        "twice": Finding(
            "missed(again) >= missed(uniform)",
            MEAN,
            on=(DIGITS, PATCHES, CELLS, DOCUMENTS),
            but={">=": ">= 1.2 *"},
            says=(
                "Uniform columns with replacement miss at least as much of the trace "
                "as without"
            ),
        ),
        "equal terms": Finding(
            "missed(leverage) >= missed(again)",
            MEAN,
            on=(PATCHES, CLUSTERS, CELLS),
            but={"missed(again)": "1.5 * missed(again)"},
            says=(
                "With replacement for both, leverage scores of the rank with the best "
                "promise miss at least as much of the trace as uniform columns"
            ),
        ),
        "order": Finding(
            "missed(pivots) <= missed(sketch)",
            MEAN,
            on=(DIGITS, PATCHES, CLUSTERS, CELLS),
            but={"pivots": "uniform"},
            says=(
                "RPCholesky misses at most as much of the trace as Gaussian sketches "
                "of as many vectors"
            ),
        ),
    },
)

# ---- a witness for a sketch ----

LEAST = Field("least", "least ratio of estimate to error", by="with")
LARGEST = Field("largest", "largest ratio of estimate to error", by="with")
OFF = Field("off", "mean distance of the estimate from the error", "%", by="with")
SLOW = (DIGITS, PATCHES, CELLS, DOCUMENTS)

LOOKS = Experiment(
    id="sketches_and_limits:looks",
    question="How near is the estimate by leaving one test vector out?",
    competitors={
        "few": Competitor("5 test vectors", 5),
        "many": Competitor("30 test vectors", 30),
    },
    fields=[LEAST, LARGEST, OFF],
    measure=measured.looks,
    shown={DIGITS: Data(measured.digits, 300)},
    beyond={
        PATCHES: Data(measured.patches, 300),
        CELLS: Data(measured.cells, 300),
        DOCUMENTS: Data(measured.documents, 300),
        CLUSTERS: Data(measured.clusters, 300),
    },
    findings={
        "least": Finding(
            "least(many) >= 0.7",
            EACH,
            on=SLOW,
            but={"many": "few"},
            says=(
                "With thirty test vectors the estimate of the Frobenius error is at "
                "least 0.7 times the error, in all sketches of a draw"
            ),
        ),
        "largest": Finding(
            "largest(many) <= 1.5",
            EACH,
            on=SLOW,
            but_on=CLUSTERS,
            says=(
                "With thirty test vectors the estimate of the Frobenius error is at "
                "most 1.5 times the error, in all sketches of a draw"
            ),
        ),
        "more": Finding(
            "off(many) <= 0.3 * off(few)",
            MEAN,
            on=SLOW,
            but_on=CLUSTERS,
            says=(
                "With thirty test vectors the estimate is at most 0.3 times as far off "
                "as with five"
            ),
        ),
    },
)

# ---- traces ----

VECTORS = Field("vectors", "test vectors $l$")
ERROR = Field("error", "root mean square error", "% of the trace")
EXPONENT = Field("exponent", "exponent of the error from 16 to 32 test vectors")
HARMONIC, HALF = "400 eigenvalues 1/j", "200 eigenvalues 1/j"
SQUARES, LEVEL = "squares of 1/j", "eigenvalues from 1 to 2"
FALLING = (HARMONIC, HALF, SQUARES, DIGITS)

TRACES = Experiment(
    id="sketches_and_limits:traces",
    question="What is a trace estimated with, from as many products with the matrix?",
    competitors={
        "exchangeable": Competitor("XNysTrace", measured.ESTIMATORS["exchangeable"]),
        "halves": Competitor("two halves", measured.ESTIMATORS["halves"]),
        "plain": Competitor("no approximation", measured.ESTIMATORS["plain"]),
    },
    fields=[ERROR, EXPONENT],
    measure=measured.traces,
    along=VECTORS,
    settings=measured.VECTORS,
    shown={HARMONIC: Data(measured.harmonic, 400)},
    beyond={
        HALF: Data(measured.harmonic, 200),
        SQUARES: Data(measured.squares, 400),
        DIGITS: Data(measured.of_digits, 200),
        LEVEL: Data(measured.level, 400),
    },
    findings={
        "exchangeable": Finding(
            "error(exchangeable) <= 0.9 * error(halves)",
            MEAN,
            but={"0.9": "0.5"},
            says="The error of XNysTrace is at most 0.9 times that of two halves",
        ),
        "approximation": Finding(
            "error(halves) <= error(plain)",
            MEAN,
            on=FALLING,
            when="vectors >= 16",
            but_on=LEVEL,
            says=(
                "With 16 test vectors or more of those tried, two halves err at most "
                "as much as no approximation"
            ),
        ),
        "few": Finding(
            "error(halves) >= error(plain)",
            MEAN,
            on=(HARMONIC, HALF, LEVEL),
            when="vectors <= 4",
            but_on=SQUARES,
            says=(
                "With 4 test vectors two halves err at least as much as no "
                "approximation"
            ),
        ),
        "rate": Finding(
            "exponent(exchangeable) <= -0.7",
            MEAN,
            on=FALLING,
            but_on=LEVEL,
            says=(
                "Over the last doubling of the test vectors the error of XNysTrace "
                "falls with an exponent of at most -0.7"
            ),
        ),
    },
)

# ---- groups ----

COLUMNS = Field("columns", "columns or test vectors $l$")
RATIO = Field("ratio", r"error over $\lambda_{k+1}$", norm="spectral norm", by="with")
OVER = Field("over", "error over what no columns beat", norm="spectral norm", by="with")
THREE, FIVE, LESS = "three groups", "five groups", "three groups less alike"

GROUPS = Experiment(
    id="sketches_and_limits:groups",
    question="How near to the limit do columns and sketches come on groups of points?",
    competitors={
        "sketch": Competitor("Gaussian sketches", measured.SKETCH),
        "pivots": Competitor("RPCholesky", sampling.rp_cholesky),
        "uniform": Competitor("uniform columns, without replacement", sampling.uniform),
    },
    fields=[RATIO, OVER],
    measure=measured.of_groups,
    along=COLUMNS,
    settings=measured.COUNTS,
    shown={THREE: Data(measured.groups, 60)},
    beyond={
        FIVE: Data(measured.five, 60),
        LESS: Data(measured.less_alike, 60),
    },
    findings={
        "limit": Finding(
            "over(pivots) <= 3",
            EACH,
            but={"pivots": "sketch"},
            says=(
                "The median spectral error of RPCholesky is at most 3 times what no "
                "columns can beat"
            ),
        ),
        "sketches": Finding(
            "ratio(sketch) >= ratio(pivots)",
            MEAN,
            on=(THREE,),
            when="columns <= 12",
            but={"ratio(pivots)": "2 * ratio(pivots)"},
            says=(
                "With up to 12 columns or test vectors the median spectral error of "
                "Gaussian sketches is at least that of RPCholesky"
            ),
        ),
        "groups": Finding(
            "ratio(uniform) >= 100 * ratio(pivots)",
            MEAN,
            on=(FIVE,),
            when="columns <= 6",
            but={"uniform": "sketch"},
            says=(
                "With 6 columns the median spectral error is at least 100 times as "
                "large for uniform columns as for RPCholesky"
            ),
        ),
    },
)

# ---- steps of a spectrum ----

BEFORE = Field("before", "factor with one column fewer than before the step", by="at")
SHARE = Field("share", "factor over the worst case, at the step", by="at")
DEEP, DEEPER, LOW = "steps to 1/1000", "steps to 1/10000", "steps to 1/10"

STAIRS = Experiment(
    id="sketches_and_limits:stairs",
    question="What is the factor of volume-weighted columns at a step of the spectrum?",
    competitors={
        "first": Competitor("the first step", 0),
        "second": Competitor("the second step", 1),
    },
    fields=[BEFORE, SHARE],
    measure=measured.at_a_step,
    shown={DEEP: Data(measured.steps(1e-3), 200)},
    beyond={
        DEEPER: Data(measured.steps(1e-4), 200),
        "half as many points": Data(measured.steps(1e-3), 100),
        LOW: Data(measured.steps(0.1), 200),
    },
    findings={
        "before": Finding(
            "before(first) <= 1.5",
            EACH,
            on=(DEEP, DEEPER, "half as many points"),
            but_on=LOW,
            says=(
                "With one column fewer than there are eigenvalues before the first "
                "step, the mean error is at most 1.5 times the best"
            ),
        ),
        "at": Finding(
            "share(first) >= 0.6",
            EACH,
            on=(DEEP, DEEPER, "half as many points"),
            but_on=LOW,
            says=(
                "With as many columns as there are eigenvalues before the first step, "
                "the factor is at least 0.6 times the worst case"
            ),
        ),
        "second": Finding(
            "share(second) <= share(first)",
            EACH,
            but={"<=": "<= 0.5 *"},
            says=(
                "At the second step the factor is no nearer to the worst case than at "
                "the first"
            ),
        ),
    },
)
