"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.pivots_and_volumes import experiments, points
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.engine.findings.schemes import ALL

LANDMARKS = Field("landmarks", "landmarks")
MISSED = Field("missed", "trace missed", "%", by="with")
WORST = Field("worst", "missed at one point", "% of the largest", by="with")
COMPUTED = Field("computed", "trace missed, computed", "%", by="with")
ACCURACY = Field("accuracy", "relative accuracy", "%", by="with")
ENTRIES = Field("entries", "entries asked for", "over $n^2$", by="by")
RIGHT = Field("right", "new labels that are right", "%", by="with")
FEATURES = Field("features", "features", by="with")
NEW = Field("new", "new points missed in the mean", "%", by="with")
STRANGEST = Field("strangest", "strangest new point missed", "%", by="with")


LABELS = ALL | {
    "uniform": "Uniform, without replacement",
    "leverage": "leverage scores of rank 20",
}


def _schemes(*names) -> dict[str, Competitor]:
    """Schemes by name."""
    return {name: Competitor(LABELS[name], name) for name in names}


def _mean(line, says, on=(), but="", but_on="", when="") -> Finding:
    """A finding about means; `but` is a piece of the line, and what it becomes."""
    pieces = dict([but.split(" -> ")]) if but else {}
    return Finding(line, MEAN, on=on, when=when, but=pieces, but_on=but_on, says=says)


CROWDED = ("four uneven clusters", "three uneven clusters")
NOT_DIGITS = (*CROWDED, "normal points", "four even clusters", "cell samples")

# ---- twelve landmarks ----

PICKS = Experiment(
    id="pivots_and_volumes:picks",
    question="What do twelve landmarks miss?",
    competitors=_schemes(
        "uniform",
        "incomplete_cholesky",
        "farthest_point",
        "adaptive_full",
        "k_dpp",
        "rp_cholesky",
    ),
    fields=[MISSED, WORST],
    measure=experiments.missed,
    draws=40,
    shown={
        "four uneven clusters": Data(points.clusters, 400),
        "normal points": Data(points.normal, 200),
    },
    beyond={
        "three uneven clusters": Data(points.lopsided, 400),
        "four even clusters": Data(points.even, 400),
        "digits": Data(points.digits, 300),
        "cell samples": Data(points.cells, 400),
    },
    findings={
        "uniform": _mean(
            "missed(rp_cholesky) <= missed(uniform)",
            "With twelve landmarks RPCholesky misses at most as much of the trace as "
            "uniform columns",
            on=(*CROWDED, "four even clusters"),
            but="<= -> <= 0.5 *",
        ),
        "greedy": _mean(
            "missed(rp_cholesky) <= missed(incomplete_cholesky)",
            "With twelve landmarks RPCholesky misses at most as much of the trace as "
            "incomplete Cholesky",
            on=NOT_DIGITS,
            but="<= -> <= 0.5 *",
        ),
        "farthest": _mean(
            "missed(rp_cholesky) <= missed(farthest_point)",
            "With twelve landmarks RPCholesky misses at most as much of the trace as "
            "farthest points",
            on=NOT_DIGITS,
            but="<= -> <= 0.5 *",
        ),
        "dpp": _mean(
            "missed(rp_cholesky) <= 1.2 * missed(k_dpp)",
            "With twelve landmarks RPCholesky misses at most 1.2 times as much of the "
            "trace as a $k$-DPP",
            but="1.2 -> 0.8",
        ),
        "power max": _mean(
            "worst(farthest_point) <= worst(uniform)",
            "At the worst point twelve farthest points miss at most as much as "
            "twelve uniform columns",
            but="<= -> <= 0.8 *",
        ),
        "power mean": _mean(
            "missed(farthest_point) >= missed(uniform)",
            "Twelve farthest points miss at least as much of the trace as twelve "
            "uniform columns",
            on=NOT_DIGITS,
            but=">= -> >= 2 *",
        ),
    },
)

# ---- computed and measured ----

EXPECTED = Experiment(
    id="pivots_and_volumes:expected",
    question="How much of the trace is missed, and how much was expected?",
    competitors=_schemes("uniform", "k_dpp", "rp_cholesky"),
    fields=[MISSED, COMPUTED],
    prepare=experiments.with_spectrum,
    measure=experiments.shares,
    along=LANDMARKS,
    settings=experiments.COUNTS,
    draws=20,
    shown={
        "four uneven clusters": Data(points.clusters, 400),
        "digits": Data(points.digits, 300),
    },
    beyond={
        "three uneven clusters": Data(points.lopsided, 400),
        "four even clusters": Data(points.even, 400),
        "cell samples": Data(points.cells, 400),
    },
    findings={
        "alike": _mean(
            "missed(uniform) <= 1.3 * missed(k_dpp)",
            "With one to forty landmarks uniform columns miss at most 1.3 times as "
            "much of the trace as a $k$-DPP",
            on=("digits", "cell samples"),
            but_on="four uneven clusters",
        ),
        "crowded": _mean(
            "missed(uniform) >= 3 * missed(k_dpp)",
            "With 40 landmarks uniform columns miss at least 3 times as much of the "
            "trace as a $k$-DPP",
            on=CROWDED,
            when="landmarks >= 40",
            but_on="digits",
        ),
        "limit": _mean(
            "computed(rp_cholesky) >= 1.1 * missed(rp_cholesky)",
            "With 40 landmarks the calculator of RPCholesky allows at least 1.1 times "
            "what is missed",
            when="landmarks >= 40",
            but="1.1 -> 2",
        ),
    },
)

# ---- against the other schemes ----

SCHEMES = Experiment(
    id="pivots_and_volumes:schemes",
    question="How accurate is rank 20, with 20, 40 and 80 columns of 400?",
    competitors=_schemes(
        "uniform",
        "sgma",
        "kmeans",
        "leverage",
        "recursive_rls",
        "bless",
        "farthest_point",
        "k_dpp",
        "rp_cholesky",
    ),
    fields=[ACCURACY, ENTRIES],
    measure=experiments.accuracies,
    along=LANDMARKS,
    settings=experiments.OF_400,
    shown={
        "linear digits": Data(points.linear_digits, 400),
        "RBF digits": Data(points.narrow_digits, 400),
        "linear patches": Data(points.patches, 400),
    },
    beyond={
        "RBF cell samples": Data(points.narrow_cells, 400),
        "RBF uneven clusters": Data(points.narrow_clusters, 400),
    },
    findings={
        "dpp": _mean(
            "accuracy(rp_cholesky) >= accuracy(k_dpp) - 5",
            "With 40 and with 80 columns RPCholesky is at most 5 percentage points "
            "below a $k$-DPP",
            on=(
                "linear digits",
                "linear patches",
                "RBF cell samples",
                "RBF uneven clusters",
            ),
            when="80 >= landmarks >= 40",
            but="rp_cholesky -> bless",
        ),
        "uniform": _mean(
            "accuracy(rp_cholesky) >= accuracy(uniform) - 5",
            "With 40 and with 80 columns RPCholesky is at most 5 percentage points "
            "below uniform columns",
            on=("linear digits", "RBF digits"),
            when="80 >= landmarks >= 40",
            but=">= -> <=",
        ),
        "lead": _mean(
            "accuracy(rp_cholesky) >= accuracy(uniform) + 2",
            "With 40 and with 80 columns RPCholesky is at least 2 percentage points "
            "above uniform columns",
            on=("linear patches", "RBF uneven clusters"),
            when="80 >= landmarks >= 40",
            but=">= -> <=",
        ),
        "kmeans": _mean(
            "accuracy(kmeans) >= accuracy(rp_cholesky) + 2",
            "With 20 and with 40 centroids $K$-means is at least 2 percentage points "
            "above RPCholesky",
            when="20 <= landmarks <= 40",
            but="kmeans -> uniform",
        ),
        "sgma": _mean(
            "accuracy(sgma) >= accuracy(rp_cholesky) + 2",
            "With 20 and with 40 columns SGMA is at least 2 percentage points above "
            "RPCholesky",
            when="20 <= landmarks <= 40",
            but="sgma -> uniform",
        ),
        "farthest": _mean(
            "accuracy(farthest_point) >= accuracy(rp_cholesky)",
            "With 20 to 80 columns farthest points are at least as accurate as "
            "RPCholesky",
            on=("linear patches",),
            when="80 >= landmarks >= 20",
            but_on="RBF cell samples",
        ),
    },
)

# ---- columns as features ----

TOLERANCES = {
    f"tol{100 * tol:.0f}": Competitor(f"tolerance of {100 * tol:.0f} percent", tol)
    for tol in (0.4, 0.2, 0.1, 0.05)
}

LEARNED = Experiment(
    id="pivots_and_volumes:learned",
    question="How small must the error be for a classifier?",
    competitors=TOLERANCES,
    fields=[RIGHT, FEATURES, NEW, STRANGEST],
    prepare=experiments.quarter_apart,
    measure=experiments.learned,
    shown={"digits": Data(points.labelled, 1200)},
    beyond={
        "cell samples": Data(points.labelled_cells, 569),
        "patches of photographs": Data(points.labelled_patches, 1200),
    },
    findings={
        "smaller": _mean(
            "right(tol5) >= right(tol40) + 5",
            "With a tolerance of 5 percent at least 5 percentage points more of the "
            "new labels are right than with one of 40 percent",
            on=("digits",),
            but=">= -> <=",
        ),
        "last step": _mean(
            "right(tol5) <= right(tol10) + 2",
            "From a tolerance of 10 percent to one of 5 percent at most 2 percentage "
            "points more of the new labels become right",
            on=("digits", "cell samples"),
            but="tol10 -> tol40",
        ),
        "new": _mean(
            "new(tol5) >= 6",
            "The landmarks that a tolerance of 5 percent takes miss at least 6 percent "
            "of new points in the mean",
            on=("digits", "cell samples"),
            but="6 -> 12",
        ),
        "strangest": _mean(
            "strangest(tol5) >= 2 * new(tol5)",
            "The landmarks that a tolerance of 5 percent takes miss at least 2 times "
            "as much of the strangest new point as of new points in the mean",
            but="2 * -> 5 *",
        ),
    },
)
