"""Errata: what shows words that could be exchanged."""

from sides_shown import sides

from nystheory import theorems
from nystheory.engine.language.claims import WEIGHTS

PRINTED = [x for theorem in theorems.values() for x in theorem.printed.values()]
GAPS = [x for x in PRINTED if x.weight == "gap in the proof"]
ARE_OPEN = ["conclusion is open" in each.why for each in GAPS]
LEFT_ALONE = ["statement holds" in x.why or "not touched" in x.why for x in GAPS]


STATUSES = {
    weight: {x.status for x in theorems.values() for y in x.printed.values()
             if y.weight == weight}
    for weight in WEIGHTS
}


def weighs(*among):
    """Which weight the theorems have whose statement is left so, and no other."""
    return lambda words: [
        weight for weight, told in STATUSES.items() if told <= {*among}
    ] == [NAMED[words]]


NAMED = {
    "it is a gap in the proof": "gap in the proof",
    "a hypothesis is missing": "missing hypothesis",
    "that hypothesis is missing": "missing hypothesis",
    "it is a misprint": "misprint",
    "false statement": "false statement",
    "misprint": "misprint",
}


sides(
    "errata",
    {
        "does not show the statement, which [holds or is open|holds|is false]": {
            "holds or is open": any(ARE_OPEN) and any(LEFT_ALONE),
            "holds": not any(ARE_OPEN),
            "is false": not any(LEFT_ALONE),
        },
        "or open? Then [it is a gap in the proof|a hypothesis is missing|it is a "
        "misprint].": weighs("holds", "gap"),
        "elsewhere? Then [that hypothesis is missing|it is a gap in the proof].": (
            weighs("corrected", "conditional")
        ),
        "Otherwise it is a [false statement|misprint].": (
            weighs("refuted", "conditional")
        ),
    },
)
