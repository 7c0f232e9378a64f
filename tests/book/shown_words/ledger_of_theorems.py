"""The ledger of theorems: what shows its words that compare."""

from dataclasses import astuple

import numpy as np
from statements_of_texts import ROOT
from words_shown import shown

from nystheory.engine import QUANTITIES
from nystheory.engine.trial import mutations
from nystheory.engine.trial.verification import EFFORTS

SCHEDULED = (ROOT / ".github" / "workflows" / "full.yml").read_text("utf-8")
assert "schedule:" in SCHEDULED and "python -m nystheory verify --full" in SCHEDULED
MORE_TRIES = min(
    np.subtract(*(astuple(EFFORTS[name]) for name in ("full", "quick")))
)


def numbers_in_mutants(number=3):
    """What a number of a line becomes, as shares of it."""
    made = mutations.of_line(f"error_2 <= {number} * distance_2", QUANTITIES)
    told = [change.split(" becomes ") for sort, change, _ in made if sort == "number"]
    return tuple(float(new) / float(old) for old, new in told)


shown(
    "ledger_of_theorems",
    {
        "A scheduled run verifies all with a [larger] search": MORE_TRIES,
        "a number [halved] or [doubled], an exponent": numbers_in_mutants(),
        "with the seconds that each result took, and with the [larger] search": (
            MORE_TRIES
        ),
    },
)
