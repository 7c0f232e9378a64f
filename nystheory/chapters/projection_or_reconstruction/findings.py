"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.projection_or_reconstruction import measured
from nystheory.chapters.projection_or_reconstruction.measured import (
    PARTS,
    PERCENTS,
    RANKS,
    SIZES,
)
from nystheory.engine.findings import (
    EACH,
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

PERCENT = Field("percent", "columns $l/n$", "%")
PROJECTED = Field("projected", "error of the projected row over its norm", "decades")
REBUILT = Field("rebuilt", "error of the rebuilt row over its norm", "decades")
PROJECTION = Field("projection", "relative accuracy of the projection", "%")
RECONSTRUCTION = Field("reconstruction", "relative accuracy of the reconstruction", "%")
LEAD = Field("lead", "difference in relative accuracy", "points")
RANK = Field("rank", "rank $k$")
POINTS = Field("points", "points $n$")
NEEDED = Field("needed", "number of columns needed", by="by")
SHARE = Field("share", "columns needed", "%", by="by")
GROWTH = Field("growth", "growth of the number of columns needed", by="by")
EXACT = Field("exact", "samples that determine the matrix", "%")
ERROR = Field("error", "error of the matrix", "%", "Frobenius norm")

METHODS = {
    "nystrom": Competitor("Nyström", "Nyström"),
    "column": Competitor("Column-sampling", "Column-sampling"),
    "orthonormal": Competitor("Orthonormal Nyström", "Orthonormal Nyström"),
}
TWO = {name: METHODS[name] for name in ("nystrom", "column")}

# ---- one row ----

LINES = ("three columns on a line", "six columns on a line", "wider kernel")
ROW = Experiment(
    id="projection_or_reconstruction:row",
    question="Which method comes nearer to a row that is far from its landmarks?",
    competitors=TWO,
    fields=[PROJECTED, REBUILT],
    measure=measured.of_a_row,
    draws=40,
    shown={"three columns on a line": Data(measured.on_a_line, 120)},
    beyond={
        "six columns on a line": Data(partial(measured.on_a_line, count=6), 120),
        "wider kernel": Data(partial(measured.on_a_line, gamma=2.0), 120),
        "narrower kernel": Data(partial(measured.on_a_line, gamma=32.0), 120),
    },
    findings={
        "projected": Finding(
            "projected(column) <= projected(nystrom)",
            MEAN,
            on=LINES,
            but={"projected(nystrom)": "projected(nystrom) - 3"},
            says="The row that Column-sampling projects has in the mean of logarithms "
            "at most the error of the one that Nyström projects",
        ),
        "rebuilt": Finding(
            "rebuilt(nystrom) <= rebuilt(column)",
            MEAN,
            on=LINES,
            but={"rebuilt(column)": "rebuilt(column) - 1"},
            says="The row that Nyström reconstructs has in the mean of logarithms at "
            "most the error of the one that Column-sampling reconstructs",
        ),
    },
)

# ---- methods, with more and more columns ----

DIGITS, GAUSSIAN = "digits, linear", "digits, RBF"
PATCHES, DOCUMENTS = "patches, linear", "documents, linear"
CELLS, SMALL = "cell samples, RBF", "small patches, RBF"
NOISE = "Gaussian points, RBF"
USUAL = (DIGITS, GAUSSIAN, PATCHES, DOCUMENTS, CELLS, SMALL)


def matrix(points, kernel=measured.linear, size=400) -> Data:
    """A kernel matrix of points that are drawn."""
    return Data(partial(kernel, points=points), size)


SHOWN = {
    DIGITS: matrix(measured.some_digits),
    GAUSSIAN: matrix(measured.some_digits, measured.gaussian),
    PATCHES: matrix(measured.some_patches),
    DOCUMENTS: matrix(measured.some_documents),
}
BEYOND = {
    CELLS: matrix(measured.some_cells, measured.gaussian),
    SMALL: matrix(measured.small_patches, measured.gaussian),
    NOISE: matrix(measured.some_noise, measured.gaussian),
}
MORE = "With 10 percent of the columns, twice and four times as many, "

METHOD = Experiment(
    id="projection_or_reconstruction:methods",
    question="How accurate is each method under either measure?",
    competitors=METHODS,
    fields=[PROJECTION, RECONSTRUCTION],
    prepare=measured.judge,
    measure=measured.along_percents,
    along=PERCENT,
    settings=PERCENTS,
    shown=SHOWN,
    beyond=BEYOND,
    findings={
        "projects": Finding(
            "projection(column) >= projection(nystrom)",
            MEAN,
            when="percent >= 10",
            but={">=": "<="},
            says=MORE + "the projection by Column-sampling is at least as accurate as "
            "the one by Nyström",
        ),
        "orthonormal": Finding(
            "projection(orthonormal) >= projection(nystrom)",
            MEAN,
            but={"nystrom": "column"},
            says="The projection by Orthonormal Nyström is at least as accurate as the "
            "one by Nyström",
        ),
        "deficit": Finding(
            "projection(column) >= projection(orthonormal)",
            MEAN,
            when="percent >= 10",
            but={">=": "<="},
            says=MORE + "the projection by Column-sampling is at least as accurate as "
            "the one by Orthonormal Nyström",
        ),
        "small": Finding(
            "projection(orthonormal) >= projection(column) - 15",
            MEAN,
            but={"- 15": "- 2"},
            says="The projection by Orthonormal Nyström is at most 15 points less "
            "accurate than the one by Column-sampling",
        ),
        "reconstructs": Finding(
            "reconstruction(nystrom) >= reconstruction(column)",
            MEAN,
            on=USUAL,
            when="percent >= 10",
            but_on=NOISE,
            says=MORE + "the reconstruction by Nyström is at least as accurate as the "
            "one by Column-sampling",
        ),
        "turned": Finding(
            "reconstruction(column) >= reconstruction(nystrom)",
            MEAN,
            on=(NOISE,),
            when="percent == 10",
            but_on=PATCHES,
            says="With 10 percent of the columns the reconstruction by Column-sampling "
            "is at least as accurate as the one by Nyström",
        ),
        "hurts": Finding(
            "reconstruction(nystrom) >= reconstruction(orthonormal) + 5",
            MEAN,
            but={"orthonormal": "column"},
            says="The reconstruction by Nyström is at least 5 points more accurate "
            "than the one by Orthonormal Nyström",
        ),
        "apart": Finding(
            "reconstruction(nystrom) >= reconstruction(column) + 5",
            MEAN,
            on=(DOCUMENTS,),
            when="percent <= 5",
            but_on=NOISE,
            says="With 5 percent of the columns the reconstruction by Nyström is at "
            "least 5 points more accurate than the one by Column-sampling",
        ),
        "near": Finding(
            "reconstruction(nystrom) <= reconstruction(column) + 5",
            MEAN,
            on=(DOCUMENTS,),
            when="percent >= 20",
            but_on=PATCHES,
            says="With 20 percent of the columns and twice as many, the reconstruction "
            "by Nyström is at most 5 points more accurate than the one by "
            "Column-sampling",
        ),
        "closest": Finding(
            "projection(column) >= reconstruction(nystrom)",
            MEAN,
            when="percent >= 10",
            but={"column": "nystrom"},
            says=MORE + "the projection by Column-sampling is at least as accurate as "
            "the reconstruction by Nyström",
        ),
    },
)

# ---- every rank ----

RANKED = Experiment(
    id="projection_or_reconstruction:ranks",
    question="Which reconstruction is more accurate at which rank?",
    competitors=TWO,
    fields=[RECONSTRUCTION],
    prepare=measured.judge_ranks,
    measure=measured.along_ranks,
    along=RANK,
    settings=RANKS,
    shown=SHOWN,
    beyond=BEYOND,
    findings={
        "large": Finding(
            "reconstruction(nystrom) >= reconstruction(column)",
            MEAN,
            on=USUAL,
            when="rank >= 16",
            but_on=NOISE,
            says="With rank 16 and with twice that rank, the reconstruction by Nyström "
            "is at least as accurate as the one by Column-sampling",
        ),
        "small": Finding(
            "reconstruction(column) >= reconstruction(nystrom)",
            MEAN,
            on=(DOCUMENTS, NOISE),
            when="rank <= 4",
            but_on=PATCHES,
            says="With rank 4 and with half that rank, the reconstruction by "
            "Column-sampling is at least as accurate as the one by Nyström",
        ),
    },
)

# ---- how many columns ----


def growing(points, kernel=measured.linear) -> Data:
    """Kernel matrices of more and more points."""
    return Data(partial(measured.nested, points=points, kernel=kernel), SIZES[-1])


SIZED = Experiment(
    id="projection_or_reconstruction:sizes",
    question="How many uniform columns does Nyström need for 75 % at rank 20?",
    competitors={"nystrom": METHODS["nystrom"]},
    fields=[NEEDED, SHARE, GROWTH],
    measure=measured.along_sizes,
    along=POINTS,
    settings=SIZES,
    shown={
        DIGITS: growing(measured.some_digits),
        GAUSSIAN: growing(measured.some_digits, measured.gaussian),
        PATCHES: growing(measured.some_patches),
        DOCUMENTS: growing(measured.some_documents),
    },
    beyond={
        CELLS: growing(measured.some_cells, measured.gaussian),
        SMALL: growing(measured.small_patches, measured.gaussian),
    },
    findings={
        "slowly": Finding(
            "growth(nystrom) <= 2",
            MEAN,
            but={"2": "1"},
            says="With 2 times the points, Nyström needs at most 2 times the columns",
        ),
        "as few": Finding(
            "needed(nystrom) <= 20",
            EACH,
            on=(DOCUMENTS,),
            but_on=DIGITS,
            says="Nyström needs at most 20 columns, as many as the rank",
        ),
    },
)

# ---- exact recovery ----

DRAWN = ("all digits", "half of the digits", "few digits")
RECOVERY = Experiment(
    id="projection_or_reconstruction:recovery",
    question="How many uniform columns determine a linear kernel matrix?",
    competitors={
        "uniform": Competitor("uniform samples", "uniform"),
        "dark": Competitor("no pixel is dark", measured.DARK),
        "line": Competitor("$l/n$", measured.LINE),
    },
    fields=[EXACT, ERROR],
    measure=measured.along_parts,
    along=PERCENT,
    settings=PARTS,
    shown={"all digits": Data(measured.some_digits, 1797)},
    beyond={
        "half of the digits": Data(measured.some_digits, 800),
        "few digits": Data(measured.some_digits, 300),
        "zeros, ones": Data(measured.zeros_and_ones, 360),
        "small patches": Data(measured.small_patches, 600),
    },
    findings={
        "late": Finding(
            "exact(uniform) <= 10",
            MEAN,
            on=DRAWN,
            when="percent <= 20",
            but_on="small patches",
            says="With 20 percent of the columns, a half and a quarter of these, at "
            "most 10 percent of the samples determine the matrix",
        ),
        "early": Finding(
            "error(uniform) <= 0.1",
            MEAN,
            on=("all digits", "half of the digits", "small patches"),
            when="percent >= 10",
            but_on="few digits",
            says="From 10 to ninety percent of the columns, the error is at most 0.1 "
            "percent",
        ),
        "explained": Finding(
            "exact(uniform) >= exact(dark) - 18",
            MEAN,
            on=("all digits",),
            but={"dark": "line"},
            says="The share of samples that determine the matrix is at most 18 points "
            "less than the chance that no pixel is dark",
        ),
        "explained too": Finding(
            "exact(uniform) <= exact(dark) + 15",
            MEAN,
            on=("all digits",),
            but={"exact(uniform)": "exact(line)"},
            says="The share of samples that determine the matrix is at most 15 points "
            "more than the chance that no pixel is dark",
        ),
    },
)
