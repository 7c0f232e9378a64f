"""The ledger of theorems: what shows its words that compare."""

from dataclasses import astuple

import numpy as np
from statements_of_texts import ROOT
from words_shown import shown

from nystheory.engine.trial.verification import EFFORTS

SCHEDULED = (ROOT / ".github" / "workflows" / "full.yml").read_text("utf-8")
assert "schedule:" in SCHEDULED and "python -m nystheory verify --full" in SCHEDULED
MORE_TRIES = min(
    np.subtract(*(astuple(EFFORTS[name]) for name in ("full", "quick")))
)

shown(
    "ledger_of_theorems",
    {
        "A scheduled run verifies all with a [larger] search": MORE_TRIES,
        "with the seconds that each result took, and with the [larger] search": (
            MORE_TRIES
        ),
    },
)
