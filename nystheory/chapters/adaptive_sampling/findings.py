"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.adaptive_sampling import measured
from nystheory.chapters.adaptive_sampling.measured import MIXED, PERCENTS
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.engine.findings.schemes import THESIS

MISSED = Field("missed", "share of the trace missed", "%", by="with")
PERCENT = Field("percent", "columns $l/n$", "%")
ACCURACY = Field("accuracy", "relative accuracy with the core truncated", "%")
AFTER = Field("after", "relative accuracy, truncated after", "%")
ENTRIES = Field("entries", "entries of $K$ asked for, over $n^2$", by="by")
LOSS = Field("loss", "accuracy lost from 5 to 10 percent, core truncated", "%")
GAIN = Field("gain", "accuracy gained from 5 to 10 percent, truncated after", "%")

SCHEMES = {name: Competitor(label, name) for name, label in THESIS.items()}
SCHEMES["uniform"] = Competitor("Uniform, without replacement", "uniform")

# ---- landmarks in clusters ----

ROUND = ("four clusters", "half as many points", "clusters of one size")
CLUSTERED = (*ROUND, "narrower kernel")
PLANE = Experiment(
    id="adaptive_sampling:clusters",
    question="What do twelve landmarks miss of points in the plane?",
    competitors=SCHEMES | {MIXED: Competitor("Adapt-Part, half of it uniform", MIXED)},
    fields=[MISSED],
    measure=measured.of_clusters,
    shown={"four clusters": Data(measured.clusters, 400)},
    beyond={
        "half as many points": Data(measured.clusters, 200),
        "clusters of one size": Data(measured.even_clusters, 400),
        "narrower kernel": Data(measured.narrow, 400),
        "digits in the plane": Data(measured.digits_in_plane, 400),
    },
    findings={
        "full": Finding(
            "missed(adaptive_full) <= missed(uniform)",
            MEAN,
            but={"<=": "<= 0.6 *"},
            says="Landmarks of Adapt-Full miss at most as much as uniform ones",
        ),
        "greedy": Finding(
            "missed(sgma) <= missed(adaptive_full)",
            MEAN,
            but={"adaptive_full": "kmeans"},
            says="Landmarks of SGMA miss at most as much as those of Adapt-Full",
        ),
        "centroids": Finding(
            "missed(kmeans) <= missed(adaptive_full)",
            MEAN,
            but={"adaptive_full": "sgma"},
            says="Centroids miss at most as much as landmarks of Adapt-Full",
        ),
        "blind": Finding(
            "missed(adaptive_partial) >= 1.5 * missed(uniform)",
            MEAN,
            on=ROUND,
            but_on="digits in the plane",
            says=(
                "Landmarks of Adapt-Part miss at least 1.5 times as much as uniform "
                "ones"
            ),
        ),
        "rims": Finding(
            "missed(incomplete_cholesky) >= missed(uniform)",
            MEAN,
            on=CLUSTERED,
            but={"missed(uniform)": "missed(adaptive_partial)"},
            says="Landmarks of ICL miss at least as much as uniform ones",
        ),
        "mended": Finding(
            "missed(mixed) <= 0.8 * missed(adaptive_partial)",
            MEAN,
            on=ROUND,
            but={"adaptive_partial": "uniform"},
            says=(
                "Half of it uniform, Adapt-Part misses at most 0.8 times as much as "
                "before"
            ),
        ),
        "not enough": Finding(
            "missed(mixed) >= missed(uniform)",
            MEAN,
            on=ROUND,
            but={"missed(uniform)": "missed(adaptive_partial)"},
            says=(
                "Half of it uniform, Adapt-Part misses at least as much as uniform "
                "landmarks"
            ),
        ),
    },
)

# ---- six schemes ----

LINEAR_DIGITS, DIGITS = "digits, linear", "digits, RBF"
PATCHES, SMALL = "patches, linear", "small patches, RBF"
CELLS, DOCUMENTS = "cell samples, RBF", "documents, linear"
NOT_RECOVERED = (DIGITS, PATCHES, SMALL, CELLS, DOCUMENTS)


def more(
    field: str,
    better: str,
    worse: str,
    says: str,
    rival: str = "",
    margin: str = "",
    **limits,
) -> Finding:
    """In the mean one scheme is at least as accurate as another, and not as a rival."""
    line = f"{field}({better}) >= {field}({worse}){margin}"
    if rival:
        limits["but"] = {f"{field}({worse})": f"{field}({rival})"}
    return Finding(line, MEAN, says=says, **limits)


SIX = Experiment(
    id="adaptive_sampling:schemes",
    question="Which columns, and what is truncated to rank 20?",
    competitors=SCHEMES,
    fields=[ACCURACY, AFTER, ENTRIES, LOSS, GAIN],
    prepare=measured.judge,
    measure=measured.along_percents,
    along=PERCENT,
    settings=PERCENTS,
    shown={
        LINEAR_DIGITS: Data(measured.digits, 400),
        DIGITS: Data(measured.digits_rbf, 400),
        PATCHES: Data(measured.photographs, 400),
    },
    beyond={
        SMALL: Data(measured.photographs_rbf, 400),
        CELLS: Data(measured.cells, 400),
        DOCUMENTS: Data(measured.documents, 400),
    },
    findings={
        # What the truncation does.
        "falls": Finding(
            "loss(sgma) >= 5",
            MEAN,
            on=(PATCHES, SMALL),
            but={"sgma": "uniform"},
            says=(
                "From five to ten percent of the columns, SGMA with the core "
                "truncated loses at least 5 points of accuracy"
            ),
        ),
        "grows": Finding(
            "gain(sgma) >= 10",
            MEAN,
            on=(LINEAR_DIGITS, DIGITS, PATCHES, SMALL, CELLS),
            but_on=DOCUMENTS,
            says=(
                "From five to ten percent of the columns, SGMA with the approximation "
                "truncated gains at least 10 points of accuracy"
            ),
        ),
        "recovered": Finding(
            "after(uniform) >= 99",
            EACH,
            on=(LINEAR_DIGITS,),
            when="percent >= 20",
            but_on=DIGITS,
            says=(
                "With the approximation truncated, 20 percent of the columns, drawn "
                "uniformly, reach an accuracy of at least 99 percent"
            ),
        ),
        # With the core truncated.
        "few": more(
            "accuracy",
            "sgma",
            "uniform",
            "With 5 percent of the columns, as many as the rank, SGMA is at least as "
            "accurate as uniform sampling",
            rival="kmeans",
            when="percent <= 5",
        ),
        "behind": more(
            "accuracy",
            "uniform",
            "sgma",
            "With the core truncated and 20 percent of the columns, uniform sampling "
            "is at least as accurate as SGMA",
            on=(SMALL, CELLS),
            when="percent >= 20",
            but_on=PATCHES,
        ),
        "centroids": more(
            "accuracy",
            "kmeans",
            "uniform",
            "With the core truncated, $K$-means is at least as accurate as uniform "
            "sampling",
            on=(LINEAR_DIGITS, DIGITS, PATCHES, DOCUMENTS),
            but_on=SMALL,
        ),
        "partial": more(
            "accuracy",
            "adaptive_partial",
            "uniform",
            "With the core truncated and 10 percent of the columns or twice as many, "
            "Adapt-Part is at least as accurate as uniform sampling",
            rival="kmeans",
            on=(PATCHES,),
            when="percent >= 10",
        ),
        "near": Finding(
            "accuracy(adaptive_partial) <= accuracy(uniform) + 10",
            MEAN,
            on=(LINEAR_DIGITS, DIGITS, DOCUMENTS),
            but_on=PATCHES,
            says=(
                "With the core truncated, Adapt-Part is at most 10 points more "
                "accurate than uniform sampling"
            ),
        ),
        "near too": Finding(
            "accuracy(uniform) <= accuracy(adaptive_partial) + 10",
            MEAN,
            on=(LINEAR_DIGITS, DIGITS, DOCUMENTS),
            but={"+ 10": "- 10"},
            says=(
                "With the core truncated, uniform sampling is at most 10 points more "
                "accurate than Adapt-Part"
            ),
        ),
        "full": more(
            "accuracy",
            "adaptive_partial",
            "adaptive_full",
            "With the core truncated and 20 percent of the columns, Adapt-Part is at "
            "least as accurate as Adapt-Full",
            on=(LINEAR_DIGITS, PATCHES, SMALL, CELLS),
            when="percent >= 20",
            but_on=DIGITS,
        ),
        "rims": more(
            "accuracy",
            "uniform",
            "incomplete_cholesky",
            "With the core truncated, uniform sampling is at least as accurate as ICL",
            on=(SMALL, CELLS, DOCUMENTS),
            but_on=PATCHES,
        ),
        # With the approximation truncated.
        "centroids after": more(
            "after",
            "kmeans",
            "adaptive_full",
            "With the approximation truncated, $K$-means is at least as accurate as "
            "Adapt-Full",
            rival="sgma",
            on=NOT_RECOVERED,
        ),
        "greedy after": more(
            "after",
            "sgma",
            "adaptive_full",
            "With the approximation truncated, SGMA is at least as accurate as "
            "Adapt-Full",
            rival="kmeans",
            on=NOT_RECOVERED,
        ),
        "full after": more(
            "after",
            "adaptive_full",
            "uniform",
            "With the approximation truncated and 10 percent of the columns or twice "
            "as many, Adapt-Full is at least as accurate as uniform sampling",
            rival="sgma",
            on=(DIGITS, PATCHES, SMALL, CELLS),
            when="percent >= 10",
        ),
        "pass after": more(
            "after",
            "adaptive_full",
            "adaptive_partial",
            "With the approximation truncated and 20 percent of the columns, "
            "Adapt-Full is at least as accurate as Adapt-Part",
            rival="sgma",
            on=(DIGITS, PATCHES, SMALL, CELLS),
            when="percent >= 20",
        ),
        "pivots after": more(
            "after",
            "incomplete_cholesky",
            "uniform",
            "With the approximation truncated and 10 percent of the columns or twice "
            "as many, ICL is at least as accurate as uniform sampling",
            on=(PATCHES,),
            when="percent >= 10",
            but_on=SMALL,
        ),
    },
)
