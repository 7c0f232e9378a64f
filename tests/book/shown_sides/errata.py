"""Errata: what shows words that could be exchanged."""

from sides_shown import sides

from nystheory import theorems

PRINTED = [x for theorem in theorems.values() for x in theorem.printed.values()]
GAPS = [x for x in PRINTED if x.weight == "gap in the proof"]
ARE_OPEN = ["conclusion is open" in each.why for each in GAPS]
LEFT_ALONE = ["statement holds" in x.why or "not touched" in x.why for x in GAPS]


sides(
    "errata",
    {
        "does not show the statement, which [holds or is open|holds|is false]": {
            "holds or is open": any(ARE_OPEN) and any(LEFT_ALONE),
            "holds": not any(ARE_OPEN),
            "is false": not any(LEFT_ALONE),
        },
    },
)
