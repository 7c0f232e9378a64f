"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.coherence import chosen, recovery
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

COLUMNS = Field("columns", "columns $l$")
POINTS = Field("points", "points $n$")

# ---- the coherence of data ----

COHERENCE = Field("coherence", "coherence")
SHARE = Field("share", "coherence", "% of its largest value")

SIX = {
    "digits, linear": Data(recovery.digits, 1000),
    "patches, linear": Data(recovery.photographs, 1000),
    "documents, linear": Data(recovery.documents, 1000),
    "digits, RBF": Data(partial(recovery.digits, gamma=0.061), 1000),
    "patches, RBF": Data(partial(recovery.photographs, gamma=0.048), 1000),
    "cells, narrow RBF": Data(partial(recovery.cells, gamma=3.0), 500),
}
OTHERS = {
    "cells, wide RBF": Data(partial(recovery.cells, gamma=0.03), 500),
    "patients, narrow RBF": Data(partial(recovery.patients, gamma=3.0), 440),
    "patients, wide RBF": Data(partial(recovery.patients, gamma=0.1), 440),
    "Gaussian points, RBF": Data(recovery.gaussian, 1000),
}
TAME = (
    "digits, linear",
    "patches, linear",
    "documents, linear",
    "digits, RBF",
    "patches, RBF",
    "cells, wide RBF",
    "patients, wide RBF",
    "Gaussian points, RBF",
)
NARROW = ("cells, narrow RBF", "patients, narrow RBF")
HIGH = ("patches, linear", "patches, RBF", "cells, wide RBF", *NARROW)

COHERENT = Experiment(
    id="coherence:coherent",
    question="How coherent are kernel matrices of rank 50?",
    competitors={
        "entries": Competitor("$\\mu$", recovery.by_entries),
        "rows": Competitor("$M$", recovery.by_rows),
    },
    fields=[COHERENCE, SHARE],
    prepare=recovery.shared,
    measure=recovery.how_coherent,
    along=POINTS,
    settings=recovery.POINTS,
    shown=SIX,
    beyond=OTHERS,
    findings={
        "outsiders": Finding(
            "share(entries) >= 25",
            on=("cells, narrow RBF", "cells, wide RBF", "patients, narrow RBF"),
            but_on="digits, linear",
            says="The square of $\\mu$ is at least 25 % of $n$",
        ),
        "rows": Finding(
            "share(rows) >= 30",
            on=HIGH,
            but_on="documents, linear",
            says="$M$ is at least 30 % of $n$",
        ),
    },
)

# ---- recovery ----

ERROR = Field("error", "error", "%", "Frobenius norm")
LEAST = Field("least", "smallest singular value of as many rows")
ASKED = Field("asked", "columns", "% of all", by="asked by")
REACH = Field("reach", "points of the eigenvector in the middle")

RECOVERY = Experiment(
    id="coherence:recovery",
    question="How many uniform columns recover a matrix of rank 50, and what tells?",
    competitors={
        "uniform": Competitor("uniform columns", recovery.uniform_columns),
        "space": Competitor("$M$", recovery.asked_by_space),
        "printed": Competitor("the printed condition", recovery.asked_as_printed),
        "vectors": Competitor("eigenvectors", recovery.reach_of_vectors),
    },
    fields=[ERROR, LEAST, ASKED, REACH],
    prepare=recovery.cut,
    measure=recovery.how_recovered,
    along=COLUMNS,
    settings=recovery.COLUMNS,
    shown=SIX,
    beyond=OTHERS,
    findings={
        "recovered": Finding(
            "error(uniform) <= 0",
            on=TAME[1:],
            when="50 <= columns <= 200",
            but_on="cells, narrow RBF",
            says="With 50 to 200 columns the error is 0",
        ),
        "not recovered": Finding(
            "error(uniform) >= 20",
            on=NARROW,
            when="5 <= columns <= 50",
            but_on="digits, RBF",
            says="With 5 to 50 columns the error is at least 20 %",
        ),
        "silent": Finding(
            "asked(space) >= 100",
            on=("digits, linear", *HIGH),
            but_on="documents, linear",
            says="The condition $l \\ge M \\ln(r / \\delta)$ asks for 100 % of the "
            "columns or more",
        ),
        "speaks": Finding(
            "asked(space) <= 100",
            on=("documents, linear", "digits, RBF"),
            but_on="patches, linear",
            says="The same condition asks for 100 % of the columns or fewer",
        ),
        "printed": Finding(
            "asked(printed) >= 100",
            but={"100": "1000"},
            says="The printed condition asks for 100 % of the columns or more",
        ),
        "few points": Finding(
            "reach(vectors) <= 4",
            on=NARROW,
            but_on="digits, RBF",
            says="Half of the eigenvectors live on at most 4 points",
        ),
        "many points": Finding(
            "reach(vectors) >= 40",
            on=TAME,
            but_on="cells, narrow RBF",
            says="Half of the eigenvectors live on at least 40 points",
        ),
        "ill conditioned": Finding(
            "least(uniform) <= 0.001",
            on=("patches, linear", "patches, RBF"),
            but_on="documents, linear",
            says="With as many columns as the rank the smallest singular value of "
            "$V_S$ is at most 0.001",
        ),
    },
)

# ---- a coherence of one's choice ----

MU = Field("mu", "$\\mu$")
SPACE = Field("M", "$M$")

VECTORS = {
    "random": Competitor("random vectors", partial(chosen.one_spike, target=None)),
    **{
        f"spike{t}": Competitor(f"spike of {t}", partial(chosen.one_spike, target=t))
        for t in (8, 14, 20)
    },
    **{
        f"groups{m}": Competitor(f"groups of {m}", partial(chosen.groups, size=m))
        for m in (20, 8, 3, 1)
    },
}
SPIKES = ("random", "spike8", "spike14", "spike20")
GROUPS = ("groups20", "groups8", "groups3", "groups1")

CHOSEN = Experiment(
    id="coherence:chosen",
    question="What does the coherence do to the error, for the same eigenvalues?",
    competitors=VECTORS,
    fields=[ERROR, MU, SPACE],
    measure=chosen.with_vectors,
    along=COLUMNS,
    settings=chosen.COUNTS,
    draws=20,
    shown={
        "80 % of the spectrum": Data(partial(chosen.decaying, share=0.8), 500),
        "95 % of the spectrum": Data(partial(chosen.decaying, share=0.95), 500),
    },
    beyond={
        "rank 10": Data(partial(chosen.decaying, share=0.8, k=10), 500),
        "power law": Data(partial(chosen.power_law, power=1.0), 500),
    },
    findings={
        "low spikes": Finding(
            "error(spike14) <= 1.15 * error(random)",
            MEAN,
            but={"1.15": "1"},
            says="The error of vectors with a spike of 14 is at most 1.15 times that "
            "of random vectors",
        ),
        "tall spike": Finding(
            "error(spike20) <= 1.5 * error(random)",
            MEAN,
            on=("80 % of the spectrum", "95 % of the spectrum"),
            but={"1.5": "1"},
            says="The error of vectors with a spike of 20 is at most 1.5 times that "
            "of random vectors",
        ),
        "20 and 3": Finding(
            "error(groups20) <= error(groups3)",
            MEAN,
            but={"<=": ">="},
            says="The error of groups of 20 is at most that of groups of 3",
        ),
        "8 and 1": Finding(
            "error(groups8) <= error(groups1)",
            MEAN,
            but={"<=": ">="},
            says="The error of groups of 8 is at most that of groups of 1",
        ),
        "single points": Finding(
            "error(groups1) >= 50",
            MEAN,
            but={"50": "90"},
            says="The error of groups of 1 is at least 50 %",
        ),
        "across M": Finding(
            "error(groups8) >= 1.5 * error(spike8)",
            MEAN,
            on=("80 % of the spectrum", "95 % of the spectrum", "rank 10"),
            when="25 <= columns <= 50",
            but={"1.5": "2"},
            says="With 25 and 50 columns the error of groups of 8 is at least 1.5 "
            "times that of a spike of 8",
        ),
        "across mu": Finding(
            "error(groups3) >= 1.5 * error(spike14)",
            MEAN,
            when="25 <= columns <= 50",
            but={">=": "<="},
            says="With 25 and 50 columns the error of groups of 3 is at least 1.5 "
            "times that of a spike of 14",
        ),
    },
)

# ---- bounds and errors ----

MISSED = Field("missed", "trace of the error", "tails")

SLOWER = ("digits, RBF", "documents, linear", "cells, wide RBF")

BOUNDS = Experiment(
    id="coherence:bounds",
    question="What do samples miss, and what do three theorems promise?",
    competitors={
        "uniform": Competitor(
            "error, uniform without replacement", chosen.uniform_columns
        ),
        "leverage": Competitor(
            "error, leverage with replacement", chosen.columns_by_leverage
        ),
        "structural": Competitor("structural bound", chosen.structural_bound),
        "coherence": Competitor("bound from coherence", chosen.coherence_bound),
        "scores": Competitor("leverage bound", chosen.leverage_bound),
        "nothing": Competitor("trace of $K$", chosen.whole_trace),
    },
    fields=[MISSED],
    prepare=chosen.split,
    measure=chosen.how_far,
    along=COLUMNS,
    settings=chosen.SAMPLES,
    shown={"digits, RBF": Data(partial(recovery.digits, gamma=0.061), 500)},
    beyond={
        "digits, linear": Data(recovery.digits, 500),
        "patches, linear": Data(recovery.photographs, 500),
        "documents, linear": Data(recovery.documents, 500),
        "cells, wide RBF": Data(partial(recovery.cells, gamma=0.03), 500),
    },
    findings={
        "structural": Finding(
            "missed(structural) <= 2 * missed(uniform)",
            MEAN,
            on=("digits, RBF", "cells, wide RBF"),
            when="columns == 20",
            but_on="digits, linear",
            says="With 20 columns the structural bound is at most 2 times the error",
        ),
        "nothing": Finding(
            "missed(coherence) >= missed(nothing)",
            when="columns == 320",
            but={"missed(coherence)": "missed(scores)"},
            says="With 320 columns the bound from coherence is at least the trace of "
            "$K$",
        ),
        "alike": Finding(
            "missed(leverage) <= 1.25 * missed(uniform)",
            MEAN,
            on=SLOWER,
            when="20 <= columns <= 40",
            but={"1.25": "0.8"},
            says="With 20 and 40 columns those drawn by leverage, with replacement, "
            "miss at most 1.25 times what uniform ones without replacement miss",
        ),
        "repetitions": Finding(
            "missed(leverage) >= 1.2 * missed(uniform)",
            MEAN,
            on=SLOWER,
            when="columns == 320",
            but={"1.2": "2"},
            says="With 320 columns those drawn by leverage, with replacement, miss at "
            "least 1.2 times what uniform ones without replacement miss",
        ),
        "gain": Finding(
            "missed(leverage) >= 0.8 * missed(uniform)",
            MEAN,
            when="20 <= columns <= 40",
            but={"0.8": "1.2"},
            says="With 20 and 40 columns those drawn by leverage, with replacement, "
            "miss at least 0.8 times what uniform ones without replacement miss",
        ),
    },
)
