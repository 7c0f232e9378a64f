"""Ledger of theorems: what shows words that could be exchanged."""

from types import SimpleNamespace

from sides_shown import sides

from nystheory.engine.trial.verdict import Verdict

TIGHT = (0.3, 0.9, float("nan"))
CLAIMS = tuple(SimpleNamespace(tightness=x) for x in TIGHT)
ROW = Verdict(None, CLAIMS, (), "", "", 0.0).tightness
PICKS = {"smallest": min, "largest": max, "loosest": min, "tightest": max}


def of_row(word):
    """Which of the tightnesses of its claims a row has."""
    return PICKS[word](TIGHT[:2]) == ROW


sides(
    "ledger_of_theorems",
    {
        "the grades that all of them share, the [smallest|largest] tightness.": of_row,
        "with a bound, that of its [loosest|tightest] claim": of_row,
    },
)
