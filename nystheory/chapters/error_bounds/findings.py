"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from nystheory.chapters.error_bounds import voices
from nystheory.engine.findings import (
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

COLUMNS = Field("columns", "columns $l$")
SHOWN = {
    "patches": Data(voices.patches, 500),
    "digits": Data(voices.digits, 500),
    "documents": Data(voices.documents, 500),
}
BEYOND = {
    "cells": Data(voices.cells, 500),
    "Gaussian points": Data(voices.gaussian, 500),
}

# ---- full rank ----

SAID = Field("said", "error or what is said of it", "% of the norm", "Frobenius norm")
ASKED = Field("asked", "columns until a tenth of the norm", "% of all", by="by")
MISSED = Field("missed", "directions that are missed", by="by")
OBSERVED = Competitor("observed", voices.observed)
CERTIFICATE = Competitor("trace certificate", voices.certified)
LEFT_OUT = Competitor("leave one out", voices.left_out)
PROVED = Competitor("proved", voices.proved)
# Their spectra fall; that of the documents hardly does.
FALLING = ("patches", "digits", "cells", "Gaussian points")

VOICES = Experiment(
    id="error_bounds:voices",
    question="What is said of the error when nothing is cut, and by whom?",
    competitors={
        "observed": OBSERVED,
        "certificate": CERTIFICATE,
        "left": LEFT_OUT,
        "proved": PROVED,
    },
    fields=[SAID, ASKED, MISSED],
    prepare=voices.growing,
    measure=voices.said_of_error,
    along=COLUMNS,
    settings=voices.COUNTS,
    shown=SHOWN,
    beyond=BEYOND,
    findings={
        "proved": Finding(
            "asked(proved) >= 5 * asked(observed)",
            on=FALLING,
            but={"asked(proved)": "asked(certificate)"},
            says="For an error of a tenth of the norm the proved bound asks for at "
            "least 5 times the columns that suffice",
        ),
        "estimate": Finding(
            "said(left) <= 2 * said(observed)",
            but={"2 *": "1 *"},
            says="The estimate that leaves one out is at most 2 times the error",
        ),
        "estimate below": Finding(
            "said(left) >= 0.3 * said(observed)",
            but={"0.3": "1"},
            says="The estimate that leaves one out is at least 0.3 times the error",
        ),
        "certificate": Finding(
            "said(certificate) <= said(proved)",
            on=FALLING,
            but_on="documents",
            says="The trace certificate is at most the proved bound",
        ),
        "documents": Finding(
            "said(certificate) >= said(proved)",
            on=("documents",),
            but_on="digits",
            says="The trace certificate is at least the proved bound",
        ),
        "loose": Finding(
            "said(certificate) >= 3 * said(observed)",
            but={"3": "10"},
            says="The trace certificate is at least 3 times the error",
        ),
        "hundreds": Finding(
            "missed(certificate) >= 300",
            on=("documents",),
            when="columns == 100",
            but_on="digits",
            says="With 100 columns at least 300 directions are missed",
        ),
        "fewer": Finding(
            "missed(certificate) <= 200",
            on=FALLING,
            when="columns == 100",
            but_on="documents",
            says="With 100 columns at most 200 directions are missed",
        ),
    },
)

# ---- rank 25 ----

# On the patches concentration may lose as much as the lemma.
NOT_PATCHES = ("digits", "documents", "cells", "Gaussian points")

EXCESS = Field("excess", "excess over the best", "% of the norm", "spectral norm")
ERROR = Field("error", "error", "% of the norm", "Frobenius norm")

LOST = Experiment(
    id="error_bounds:lost",
    question="By which steps does the bound of rank 25 lose?",
    competitors={
        "observed": Competitor("error of the sample", voices.of_sample),
        "best": Competitor("best matrix of rank 25", voices.of_best),
        "lemma": Competitor("bound of the lemma", voices.of_distance),
        "proved": Competitor("proved bound", voices.of_proof),
        "printed": Competitor("printed bound", voices.of_print),
    },
    fields=[EXCESS, ERROR],
    prepare=voices.cut,
    measure=voices.lost_on_the_way,
    along=COLUMNS,
    settings=voices.CUT_COUNTS,
    shown=SHOWN,
    beyond=BEYOND,
    findings={
        "far": Finding(
            "error(proved) >= 2 * error(observed)",
            but={"2": "5"},
            says="The proved bound is at least 2 times the error",
        ),
        "near the best": Finding(
            "error(observed) <= 4 * error(best)",
            when="100 <= columns <= 200",
            but={"4": "1.5"},
            says="With 100 and 200 columns the error is at most 4 times the best of "
            "that rank",
        ),
        "lemma": Finding(
            "excess(lemma) >= 5 * excess(observed)",
            but={"5": "20"},
            says="The lemma loses a factor of at least 5",
        ),
        "most": Finding(
            "excess(lemma) / excess(observed) >= 1.5 * excess(proved) / excess(lemma)",
            on=NOT_PATCHES,
            but={"1.5": "5"},
            says="The factor that the lemma loses is at least 1.5 times that of "
            "concentration",
        ),
        "concentration": Finding(
            "excess(proved) <= 5 * excess(lemma)",
            on=NOT_PATCHES,
            but_on="patches",
            says="Concentration loses a factor of at most 5",
        ),
        "printing": Finding(
            "excess(printed) <= 3 * excess(proved)",
            but={"3": "2"},
            says="Printing loses a factor of at most 3",
        ),
    },
)

# ---- where the distance lies ----

SHARE = Field("share", "share of the squared distance", "%", by="")

WHERE = Experiment(
    id="error_bounds:where",
    question="Where do the covariances of 100 columns and of all points differ?",
    competitors={
        "kept": Competitor("within the space that is kept", "kept"),
        "between": Competitor("between the two", "between"),
        "missed": Competitor("within the space that is missed", "missed"),
    },
    fields=[SHARE],
    prepare=voices.shares,
    measure=voices.where,
    shown=SHOWN,
    beyond=BEYOND,
    findings={
        "kept": Finding(
            "share(kept) >= 50",
            on=("patches",),
            but_on="documents",
            says="At least 50 % of the squared distance lies within the space that is "
            "kept",
        ),
        "missed": Finding(
            "share(missed) >= 50",
            on=("documents",),
            but_on="patches",
            says="At least 50 % of the squared distance lies within the space that is "
            "missed",
        ),
        "between": Finding(
            "share(between) >= 2 * share(missed)",
            on=("digits", "Gaussian points"),
            but={"2 *": "10 *"},
            says="At least 2 times as much mixes the two spaces as lies within the "
            "space that is missed",
        ),
    },
)
