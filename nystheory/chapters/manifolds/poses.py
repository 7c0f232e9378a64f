"""Whether coordinates tell the poses of heads, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.manifolds import measures
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

PURITY = Field("purity", "purity of clusters", "%", by="with")
ACCURACY = Field("accuracy", "accuracy of clusters", "%", by="with")
ERROR = Field("error", "error of the nearest neighbour", "%", by="with")
ERROR_5 = Field("error_5", "error of five neighbours", "%", by="with")
METHODS = {
    "components": Competitor("PCA", "components"),
    "exact": Competitor("exact Isomap", "exact"),
    "nystrom": Competitor("Nyström Isomap", "nystrom"),
    "columns": Competitor("Column-sampling Isomap", "column-sampling"),
    "eigenmaps": Competitor("Laplacian eigenmaps", "eigenmaps"),
}
JUDGES = Experiment(
    id="manifolds:judges",
    question="Which coordinates tell the poses?",
    competitors=METHODS,
    fields=[PURITY, ACCURACY, ERROR, ERROR_5],
    measure=measures.judges,
    shown={
        "heads": Data(measures.heads, 400),
        "noise in the pixels": Data(partial(measures.heads, noise=1.0), 400),
        "two neighbours": Data(partial(measures.heads, t=2), 400),
    },
    beyond={
        "digits": Data(measures.digits, 400),
    },
    findings={
        "purer": Finding(
            "purity(exact) >= purity(components) + 5",
            MEAN,
            on=("heads", "two neighbours"),
            but={"+ 5": "+ 50"},
            says="The clusters of exact Isomap are purer than those of principal "
            "components by at least 5 percentage points",
        ),
        "few are purer": Finding(
            "purity(nystrom) >= purity(components) + 5",
            MEAN,
            on=("heads", "two neighbours"),
            but_on="noise in the pixels",
            says="The clusters of Nyström Isomap are purer than those of principal "
            "components by at least 5 percentage points",
        ),
        "as pure": Finding(
            "purity(nystrom) >= purity(exact) - 10",
            MEAN,
            on=("heads", "two neighbours", "digits"),
            but={"- 10": "+ 10"},
            says="The clusters of Nyström Isomap are at most 10 percentage points less "
            "pure than those of exact Isomap",
        ),
        "impure": Finding(
            "purity(eigenmaps) <= purity(exact) - 5",
            MEAN,
            on=("heads", "two neighbours", "digits"),
            but={"- 5": "- 50"},
            says="The clusters of Laplacian eigenmaps are less pure than those of "
            "exact Isomap by at least 5 percentage points",
        ),
        "accurate": Finding(
            "accuracy(eigenmaps) >= purity(eigenmaps) + 2",
            MEAN,
            but={"+ 2": "+ 20"},
            says="With Laplacian eigenmaps the accuracy of clusters is at least 2 "
            "percentage points larger than their purity",
        ),
        "nearest": Finding(
            "error(exact) >= error(components)",
            MEAN,
            on=("heads", "noise in the pixels"),
            but={">=": ">= 3 *"},
            says="With one neighbour exact Isomap tells at least as many heads wrong "
            "as principal components",
        ),
        "nearest eigenmaps": Finding(
            "error(exact) >= error(eigenmaps)",
            MEAN,
            on=("heads", "noise in the pixels"),
            but={">=": ">= 3 *"},
            says="With one neighbour exact Isomap tells at least as many heads wrong "
            "as Laplacian eigenmaps",
        ),
        "noise": Finding(
            "error(exact) >= error(components) + 8",
            MEAN,
            on=("noise in the pixels",),
            but_on="two neighbours",
            says="Exact Isomap tells at least 8 percentage points more of the heads "
            "wrong than principal components",
        ),
        "five hurt": Finding(
            "error_5(components) >= error(components)",
            MEAN,
            on=("digits",),
            but={">=": ">= 4 *"},
            says="With principal components five neighbours err at least as often as "
            "one",
        ),
    },
)

TURNING = Field("turning", "correlation of a coordinate with the angle", by="with")
LIGHT = Field("light", "correlation of a coordinate with the light", by="with")
ANGLES = Experiment(
    id="manifolds:angles",
    question="Do two coordinates follow the pose or the light?",
    competitors={
        n: c for n, c in METHODS.items() if n in ("components", "nystrom", "columns")
    },
    fields=[TURNING, LIGHT],
    measure=measures.angles,
    shown={"heads": Data(measures.heads, 400)},
    beyond={
        "ten people": Data(partial(measures.heads, people=10), 400),
    },
    findings={
        "nystrom": Finding(
            "turning(nystrom) >= turning(components) + 0.1",
            MEAN,
            but={"turning(nystrom)": "light(nystrom)"},
            says="With Nyström Isomap the correlation of one of two coordinates with "
            "the angle to the side is at least 0.1 larger than with principal "
            "components",
        ),
        "columns": Finding(
            "turning(columns) >= turning(components) + 0.1",
            MEAN,
            but={"turning(columns)": "light(columns)"},
            says="With Column-sampling Isomap, too, it is at least 0.1 larger",
        ),
        "light": Finding(
            "light(components) >= turning(components)",
            MEAN,
            but={">=": "<="},
            says="Principal components follow the light at least as well as the pose",
        ),
    },
)

# ---- new points ----

KNOWN = Field("known", "error at known points", "% of the deviation", by="with")
NEW = Field("new", "error at new points", "% of the deviation", by="with")
PLACED = Experiment(
    id="manifolds:placed",
    question="Are new points placed as well as known ones?",
    competitors={"nystrom": METHODS["nystrom"]},
    fields=[KNOWN, NEW],
    prepare=measures.known_and_new,
    measure=measures.placed,
    shown={"heads": Data(measures.heads_and_angles, 400)},
    beyond={
        "roll": Data(measures.roll_and_place, 400),
    },
    findings={
        "as well": Finding(
            "new(nystrom) <= 1.5 * known(nystrom)",
            MEAN,
            but={"1.5": "0.7"},
            says="New points are placed with at most 1.5 times the error of known ones",
        ),
    },
)
