"""Ledger of theorems: what shows words that could be exchanged."""

from types import SimpleNamespace

import numpy as np
from sides_shown import sides

from nystheory.engine.language.numbers import Number
from nystheory.engine.trial import verification
from nystheory.engine.trial.compare import relate
from nystheory.engine.trial.verdict import Verdict

TIGHT = (0.3, 0.9, float("nan"))
CLAIMS = tuple(SimpleNamespace(tightness=x) for x in TIGHT)
ROW = Verdict(None, CLAIMS, (), "", "", 0.0).tightness
PICKS = {"smallest": min, "largest": max, "loosest": min, "tightest": max}


def of_row(word):
    """Which of the tightnesses of its claims a row has."""
    return PICKS[word](TIGHT[:2]) == ROW


def of_claim(word):
    """Which of the ratios of its cases is the tightness of a claim."""
    tally = SimpleNamespace(
        worst=None, ratios=[0.2, 0.7], origins=(), decided=2, undecided=0
    )
    claim = SimpleNamespace(kind="inequality", reason="")
    theorem = SimpleNamespace(claims={"one": claim}, latex=str)
    told = verification._of_tally(theorem, "one", tally).tightness
    return told == PICKS[word](tally.ratios)


def shrunk(word):
    """Whether a bound on a chance still holds by its ratio, and by no more."""
    chance, most = (Number.exact(x) for x in (0.3, 0.6))
    ratio = relate("<=", chance, most).ratio
    factor = {"multiplied": ratio, "divided": 1 / ratio}[word]
    return np.isclose(0.6 * factor, 0.3)


def at_one(word):
    same = Number.exact(0.6)
    return np.isclose(relate("<=", same, same).ratio, 1) == (word == "attained")


sides(
    "ledger_of_theorems",
    {
        "the grades that all of them share, the [smallest|largest] tightness.": of_row,
        "with a bound, that of its [loosest|tightest] claim": of_row,
        "*Tightness* is the [largest|smallest] observed value over its bound": of_claim,
        "the factor by which the bound could be [multiplied|divided] before": shrunk,
        "1 means that the bound is [attained|violated]": at_one,
    },
)
