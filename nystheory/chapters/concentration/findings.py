"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.concentration import measured
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

DIGITS, DIGITS_RBF = "digits, linear", "digits, RBF"
PATCHES, CELLS = "patches, linear", "cell samples, RBF"
PLANE, CLUSTERS = "normal points in the plane", "two tight clusters"
SOURCES = {
    DIGITS: measured.digits,
    DIGITS_RBF: measured.digits_rbf,
    PATCHES: measured.patches,
    CELLS: measured.cells,
    PLANE: measured.plane,
    CLUSTERS: measured.clusters,
}


def some(size: int, *names: str) -> dict[str, Data]:
    """Data sets of one size."""
    return {name: Data(SOURCES[name], size) for name in names}


# ---- samples of several sizes ----

COLUMNS = Field("columns", "columns $l$")
ROOT = Field("root", "root mean square distance", r"% of $\|K\|_F$")
HIGH = Field("high", "distance, 99 percent quantile", r"% of $\|K\|_F$")

PROMISES = Experiment(
    id="concentration:promises",
    question="Below which distance does the covariance of 99 of 100 samples stay?",
    competitors={
        "without": Competitor("without replacement", (measured.seen, "without")),
        "replaced": Competitor("with replacement", (measured.seen, "replaced")),
        "mean": Competitor("$e_l$", (measured.said, "e_l", "root", "high")),
        "mean_replaced": Competitor(
            r"$\tilde e_l$", (measured.said, "e_l replaced", "root")
        ),
        "mean_printed": Competitor(
            "bound of the mean, as printed", (measured.said, "mean, printed", "root")
        ),
        "sharp": Competitor(
            r"promised by $e_l$, $g_F$, $\alpha_\sharp$",
            (measured.said, "sharp", "high"),
        ),
        "printed": Competitor(
            "promised, as printed", (measured.said, "printed", "high")
        ),
    },
    fields=[ROOT, HIGH],
    prepare=measured.sampled,
    measure=measured.along_counts,
    along=COLUMNS,
    settings=measured.COUNTS,
    shown=some(400, DIGITS, DIGITS_RBF),
    beyond=some(400, PATCHES, CELLS, PLANE, CLUSTERS),
    findings={
        "long": Finding(
            "root(mean_printed) >= 1.5 * root(mean_replaced)",
            EACH,
            on=(DIGITS, PATCHES, PLANE),
            but_on=DIGITS_RBF,
            says=r"The printed bound of the mean is at least 1.5 times $\tilde e_l$",
        ),
        "alike": Finding(
            "root(mean_printed) <= 1.2 * root(mean_replaced)",
            EACH,
            on=(DIGITS_RBF, CELLS),
            but_on=DIGITS,
            says=r"The printed bound of the mean is at most 1.2 times $\tilde e_l$",
        ),
        "tails": Finding(
            "high(without) <= 0.7 * high(replaced)",
            MEAN,
            when="320 <= columns <= 390",
            but={"0.7": "0.3"},
            says=(
                "With 320 columns and with 390, the quantile of the distance is "
                "without replacement at most 0.7 times what it is with"
            ),
        ),
        "few": Finding(
            "high(without) >= 0.85 * high(replaced)",
            MEAN,
            on=(DIGITS, DIGITS_RBF, PATCHES, CELLS, CLUSTERS),
            when="columns <= 40",
            but={"0.85": "1"},
            says=(
                "With 40 columns, half and a quarter of them, the quantile of the "
                "distance is without replacement at least 0.85 times what it is with"
            ),
        ),
        "narrow": Finding(
            "high(without) <= 1.5 * high(mean)",
            EACH,
            on=(DIGITS, DIGITS_RBF, CELLS),
            but_on=PLANE,
            says="The quantile of the distance is at most 1.5 times $e_l$",
        ),
        "wide": Finding(
            "high(without) >= 1.5 * high(mean)",
            EACH,
            on=(PATCHES, PLANE, CLUSTERS),
            but_on=DIGITS,
            says="The quantile of the distance is at least 1.5 times $e_l$",
        ),
        "loose": Finding(
            "high(sharp) >= 2 * high(without)",
            EACH,
            on=(DIGITS, DIGITS_RBF, PATCHES, CELLS, PLANE),
            but_on=CLUSTERS,
            says=("What is promised is at least 2 times the quantile of the distance"),
        ),
        "not worse": Finding(
            "high(sharp) <= 5 * high(without)",
            EACH,
            on=(DIGITS, DIGITS_RBF, PATCHES, CELLS, CLUSTERS),
            but_on=PLANE,
            says="What is promised is at most 5 times the quantile of the distance",
        ),
        "printed": Finding(
            "high(printed) >= 1.5 * high(sharp)",
            EACH,
            but={"1.5": "2.5"},
            says="The printed promise is at least 1.5 times the sharp one",
        ),
    },
)

# ---- every sample ----

CHANGE = Field("change", "largest change at an exchange", r"% of $\|K\|_F$")
DEVIATION = Field("deviation", "standard deviation", r"% of $\|K\|_F$")
NOT_CLUSTERS = (DIGITS, DIGITS_RBF, PATCHES, CELLS, PLANE)

EVERY = Experiment(
    id="concentration:every-sample",
    question="Where is the tail bound loose, when eight of sixteen columns are drawn?",
    competitors={
        "all": Competitor("distance, all samples", "all"),
        "exact": Competitor("largest change of the distance", "exact"),
        "pair": Competitor("worst pair of the points", "pair"),
        "sharp": Competitor("bound by $g_F$", "sharp"),
        "printed": Competitor("bound as printed", "printed"),
    },
    fields=[CHANGE, DEVIATION],
    prepare=measured.listed,
    measure=measured.of_every_sample,
    shown=some(16, DIGITS, CLUSTERS),
    beyond=some(16, DIGITS_RBF, PATCHES, CELLS, PLANE),
    findings={
        "pair": Finding(
            "change(pair) >= 0.8 * change(sharp)",
            EACH,
            on=(DIGITS, CLUSTERS, DIGITS_RBF, CELLS),
            but_on=PATCHES,
            says=(
                r"The worst exchange moves the covariance by at least 0.8 times "
                r"$\frac nl g_F$"
            ),
        ),
        "aside": Finding(
            "change(exact) <= 0.8 * change(pair)",
            EACH,
            on=(DIGITS, DIGITS_RBF, CELLS),
            but_on=PATCHES,
            says=(
                "No exchange changes the distance by more than 0.8 times as much as "
                "the worst one moves the covariance"
            ),
        ),
        "deviation": Finding(
            "deviation(exact) >= 2 * deviation(all)",
            EACH,
            on=NOT_CLUSTERS,
            but_on=CLUSTERS,
            says=(
                "With the exact $c$ the standard deviation that is allowed for is at "
                "least 2 times the true one"
            ),
        ),
        "second": Finding(
            "deviation(exact) / deviation(all) >= change(sharp) / change(exact)",
            MEAN,
            on=(CLUSTERS, DIGITS_RBF, PATCHES, CELLS, PLANE),
            but={">=": ">= 2 *"},
            says=(
                "McDiarmid's inequality with the exact $c$ loses at least as large a "
                "factor as the bound of $c$"
            ),
        ),
    },
)
