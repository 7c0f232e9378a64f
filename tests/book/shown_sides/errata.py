"""Errata: what shows words that could be exchanged."""

import re

from sides_shown import sides

from nystheory import theorems

PRINTED = [x for theorem in theorems.values() for x in theorem.printed.values()]
GAPS = [x for x in PRINTED if x.weight == "gap in the proof"]
ARE_OPEN = ["conclusion is open" in each.why for each in GAPS]
LEFT_ALONE = ["statement holds" in x.why or "not touched" in x.why for x in GAPS]


# What is said of a step of a proof, and of it alone.
OF_PROOFS = re.compile(
    r"(conclusion is open|[Ss]tatement holds|not touched|bound is true"
    r"|without proof|gives no proof|observation itself[^.]* is right)"
)
WEIGHTS_OF_PROOFS = {x.weight for x in PRINTED if OF_PROOFS.search(x.why)}
COUNTER = [x for x in PRINTED if x.weight == "false statement"]


sides(
    "errata",
    {
        "does not show the statement, which [holds or is open|holds|is false]": {
            "holds or is open": any(ARE_OPEN) and any(LEFT_ALONE),
            "holds": not any(ARE_OPEN),
            "is false": not any(LEFT_ALONE),
        },
        "or open? Then [it is a gap in the proof|a hypothesis is missing|it is a "
        "misprint].": {
            "it is a gap in the proof": {"gap in the proof"} == WEIGHTS_OF_PROOFS,
            "a hypothesis is missing": {"missing hypothesis"} == WEIGHTS_OF_PROOFS,
            "it is a misprint": {"misprint"} == WEIGHTS_OF_PROOFS,
        },
    },
)
