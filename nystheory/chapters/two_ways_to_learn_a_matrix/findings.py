"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.two_ways_to_learn_a_matrix import (
    experiments,
    inversion,
    matrices,
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

STARTS = tuple(range(1, experiments.RANK, experiments.GROUP))
INDEX = Field("index", "first index of ten")
VALUES = Field("values", "accuracy of the singular values", "%")
SPANS = Field("spans", "principal cosine of ten singular vectors")
FACTOR = Field("factor", "singular value over the true one")
FIELDS = [
    VALUES,
    SPANS,
    FACTOR,
    Field("all_values", "accuracy of all singular values", "%"),
    Field("all_vectors", "cosine of all singular vectors"),
    Field("all_spans", "principal cosine, all groups of ten"),
    Field("longest", "length of the longest singular vector"),
    Field("mixed", "largest inner product of two singular vectors"),
]

METHODS = {
    "nystrom": Competitor("Nyström", experiments.METHODS[experiments.NYSTROM]),
    "straight": Competitor(
        "orthonormalised Nyström", experiments.METHODS[experiments.ORTHONORMALISED]
    ),
    "last": Competitor(
        "Nyström, truncated last", experiments.METHODS[experiments.TRUNCATED_LAST]
    ),
    "columns": Competitor("Column-sampling", experiments.METHODS[experiments.COLUMNS]),
}


def _compared(name, question, shown, beyond, findings):
    """An experiment with all methods."""
    return Experiment(
        id=f"two_ways_to_learn_a_matrix:{name}",
        question=question,
        competitors=METHODS,
        fields=FIELDS,
        prepare=experiments.with_columns,
        measure=experiments.accuracies,
        along=INDEX,
        settings=STARTS,
        draws=20,
        shown=shown,
        beyond=beyond,
        findings=findings,
    )


def _mean(line, on, but_on, says, when=""):
    """A finding about means, with other data as its control."""
    return Finding(line, MEAN, on=on, but_on=but_on, says=says, when=when)


def _behind(field, other, on=(), says=""):
    """Column-sampling is at least as near as another; so it is not with the third."""
    line = f"{field}(columns) >= {field}({other})"
    return Finding(line, MEAN, on=on, but={f"({other})": "(last)"}, says=says)


# ---- figure 2.1 of the thesis ----

DECAY = (
    "linear digits",
    "RBF digits",
    "linear patches",
    "RBF cell samples",
    "RBF Swiss roll",
    "RBF normal points",
)
STEEP = ("linear digits", "linear patches", "RBF Swiss roll")
SLOW = ("documents", "500 documents")

SPECTRA = _compared(
    "spectra",
    "Whose first 50 singular values and vectors are closer, from 100 columns?",
    shown={
        "linear digits": Data(matrices.linear_digits, 1000),
        "RBF digits": Data(matrices.digits, 1000),
        "linear patches": Data(matrices.patches, 1000),
        "documents": Data(matrices.documents, 1000),
    },
    beyond={
        "RBF cell samples": Data(matrices.cells, 500),
        "RBF Swiss roll": Data(matrices.swiss_roll, 1000),
        "RBF normal points": Data(matrices.points, 1000),
        "500 documents": Data(matrices.documents, 500),
    },
    findings={
        "values": _behind(
            "all_values",
            "nystrom",
            says="The singular values of Column-sampling are on average at least as "
            "accurate as those of Nyström",
        ),
        "values by group": _behind(
            "values",
            "nystrom",
            on=("RBF digits", *SLOW),
            says="In each group of ten the singular values of Column-sampling are at "
            "least as accurate as those of Nyström",
        ),
        "vectors": _behind(
            "all_vectors",
            "nystrom",
            on=DECAY,
            says="One by one the singular vectors of Column-sampling are on average "
            "at least as close as those of Nyström",
        ),
        "spans": _behind(
            "spans",
            "nystrom",
            on=DECAY[:4],
            says="In each group of ten the singular vectors of Column-sampling span "
            "a space at least as close as those of Nyström",
        ),
        "even": _mean(
            "all_vectors(columns) <= all_vectors(nystrom) + 0.05",
            SLOW,
            "RBF digits",
            "One by one the mean cosine of the vectors of Column-sampling is at "
            "most that of Nyström plus 0.05",
        ),
        "even spans": _mean(
            "spans(columns) <= spans(nystrom) + 0.1",
            SLOW,
            "linear digits",
            "In each group of ten the principal cosine of Column-sampling is at "
            "most that of Nyström plus 0.1",
        ),
        "straight": _behind(
            "all_vectors",
            "straight",
            on=DECAY,
            says="One by one the singular vectors of Column-sampling are on average "
            "at least as close as those of Nyström made orthonormal by QR",
        ),
        "straight spans": _behind(
            "all_spans",
            "straight",
            on=DECAY,
            says="Ten at a time the singular vectors of Column-sampling are on "
            "average at least as close as those of Nyström made orthonormal by QR",
        ),
        "shrinks": Finding(
            "all_spans(columns) - all_spans(straight) "
            "<= 0.9 * (all_spans(columns) - all_spans(nystrom))",
            MEAN,
            on=DECAY,
            but={"0.9": "0.3"},
            says="Ten at a time the lead of Column-sampling over the vectors made "
            "orthonormal by QR is at most 0.9 times that over the Nyström vectors",
        ),
        "third": _mean(
            "all_vectors(last) >= all_vectors(columns) + 0.05",
            DECAY,
            "documents",
            "One by one the mean cosine of Nyström truncated last is at least "
            "that of Column-sampling plus 0.05",
        ),
        "third spans": _mean(
            "all_spans(last) >= all_spans(columns) + 0.05",
            DECAY,
            "documents",
            "Ten at a time the mean principal cosine of Nyström truncated last "
            "is at least that of Column-sampling plus 0.05",
        ),
        "third exact": _mean(
            "all_vectors(last) >= 0.95",
            ("linear digits", "RBF Swiss roll"),
            "RBF digits",
            "One by one the mean cosine of Nyström truncated last is at least 0.95",
        ),
        "third values": _mean(
            "all_values(last) <= all_values(columns)",
            ("RBF digits", "RBF cell samples", "RBF normal points"),
            "linear digits",
            "The singular values of Nyström truncated last are on average at "
            "most as accurate as those of Column-sampling",
        ),
        "long": Finding(
            "longest(nystrom) >= 1.5",
            EACH,
            on=STEEP,
            but_on="documents",
            says="The longest Nyström vector has a length of at least 1.5",
        ),
        "mixed": Finding(
            "mixed(nystrom) >= 0.5",
            EACH,
            on=STEEP,
            but_on="documents",
            says="Two Nyström vectors have an inner product of at least 0.5",
        ),
        "overshoots": _mean(
            "factor(nystrom) >= 1.5 * factor(columns)",
            SLOW,
            "RBF digits",
            "From the 11th on the singular values of Nyström are at least 1.5 "
            "times those of Column-sampling",
            when="index >= 11",
        ),
        "both": _mean(
            "factor(columns) >= 1.2",
            SLOW,
            "RBF digits",
            "From the 11th on the singular values of Column-sampling are at least "
            "1.2 times the true ones",
            when="index >= 11",
        ),
        "larger": _mean(
            "factor(nystrom) >= factor(columns)",
            ("RBF digits", "RBF cell samples"),
            "linear digits",
            "In each group of ten the singular values of Nyström are at least as "
            "large as those of Column-sampling",
        ),
        "right": _mean(
            "values(columns) >= 80",
            ("RBF digits", "RBF cell samples", "RBF normal points"),
            "documents",
            "Before the 41st the singular values of Column-sampling are at least "
            "80 percent accurate",
            when="index < 41",
        ),
    },
)

# ---- other numbers of columns ----


AS_MANY = (
    "RBF digits from 50 columns",
    "RBF cell samples from 50 columns",
    "RBF normal points from 50 columns",
)
MORE = (
    "RBF digits from 200 columns",
    "linear digits from 200 columns",
    "RBF cell samples from 200 columns",
)

COLUMNS = _compared(
    "columns",
    "Does the comparison depend on the number of columns?",
    shown={
        "RBF digits from 50 columns": Data(partial(matrices.digits, columns=50), 1000)
    },
    beyond={
        "RBF cell samples from 50 columns": Data(
            partial(matrices.cells, columns=50), 500
        ),
        "RBF normal points from 50 columns": Data(
            partial(matrices.points, columns=50), 1000
        ),
        "RBF digits from 200 columns": Data(
            partial(matrices.digits, columns=200), 1000
        ),
        "linear digits from 200 columns": Data(
            partial(matrices.linear_digits, columns=200), 1000
        ),
        "RBF cell samples from 200 columns": Data(
            partial(matrices.cells, columns=200), 500
        ),
    },
    findings={
        "last": _mean(
            "values(nystrom) >= values(columns)",
            AS_MANY,
            "RBF digits from 200 columns",
            "From the 41st on the singular values of Nyström are at least as "
            "accurate as those of Column-sampling",
            when="index >= 41",
        ),
        "first": Finding(
            "values(nystrom) <= values(columns)",
            MEAN,
            on=AS_MANY,
            when="index < 31",
            but={"<=": "<= 0.7 *"},
            says="Before the 31st the singular values of Nyström are at most as "
            "accurate as those of Column-sampling",
        ),
        "values": _behind(
            "all_values",
            "nystrom",
            on=MORE,
            says="The singular values of Column-sampling are on average at least as "
            "accurate as those of Nyström",
        ),
        "spans": _behind(
            "all_spans",
            "nystrom",
            says="Ten at a time the singular vectors of Column-sampling are on average "
            "at least as close as those of Nyström",
        ),
        "third": Finding(
            "all_spans(last) >= all_spans(columns)",
            MEAN,
            but={"(columns)": "(columns) + 0.1"},
            says="Ten at a time the singular vectors of Nyström truncated last are on "
            "average at least as close as those of Column-sampling",
        ),
    },
)

# ---- how the core is inverted ----

RIGHT = Field("right", "right digits of the approximation", by="with")
SMALL = Field("small", "right digits, the matrix times 1e-8", by="with")
RECIPES = {
    "cholesky": Competitor("Cholesky", "Cholesky"),
    "cut": Competitor("`pinv`, default cut", "`pinv`, default cut"),
    "clipped": Competitor(*["singular values at least $10^{-12}$"] * 2),
    "added": Competitor(*["add $10^{-8} I$, then Cholesky"] * 2),
    "package": Competitor("this package", "this package"),
}


INVERSION = Experiment(
    id="two_ways_to_learn_a_matrix:inversion",
    question="How many digits are right, by how the core is inverted?",
    competitors=RECIPES,
    fields=[RIGHT, SMALL],
    prepare=inversion.inverted,
    measure=inversion.of_recipe,
    draws=20,
    shown={
        "a line": Data(matrices.on_a_line, 200),
        "one landmark twice": Data(partial(matrices.on_a_line, twice=True), 200),
    },
    beyond={
        "a square": Data(matrices.in_a_square, 200),
        "a circle": Data(matrices.on_a_circle, 200),
    },
    findings={
        "fails": Finding(
            "right(cholesky) <= 0",
            EACH,
            but={"cholesky": "cut"},
            says="Cholesky without pivoting gets no digit right, as it stops",
        ),
        "cut": Finding(
            "right(cut) <= 5",
            EACH,
            but={"cut": "clipped"},
            says="`pinv` with its default cut gets at most 5 digits right",
        ),
        "added": Finding(
            "right(added) >= right(cut) + 2",
            MEAN,
            but={"right(added)": "small(added)"},
            says="A multiple of the identity, added before Cholesky, gets at least 2 "
            "digits more right than `pinv` with its default cut",
        ),
        "package": Finding(
            "right(package) >= right(clipped)",
            MEAN,
            but={"package": "added"},
            says="This package gets at least as many digits right as singular values "
            "that are clipped",
        ),
        "clipped unit": Finding(
            "small(clipped) <= right(clipped) - 2",
            MEAN,
            but={
                "small(clipped) <= right(clipped)": "small(package) <= right(package)"
            },
            says="In the smaller unit clipped singular values get at least 2 digits "
            "fewer right",
        ),
        "added unit": Finding(
            "small(added) <= 3",
            EACH,
            but={"added": "clipped"},
            says="In the smaller unit the multiple of the identity leaves at most 3 "
            "digits right",
        ),
        "unit": Finding(
            "small(package) >= right(package) - 0.5",
            EACH,
            but={
                "small(package) >= right(package)": "small(clipped) >= right(clipped)"
            },
            says="In the smaller unit this package gets at most 0.5 digits fewer right",
        ),
    },
)
