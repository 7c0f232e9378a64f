"""What a whole run of the tests must show: asked of the run, not of the texts."""

from __future__ import annotations

from collections.abc import Iterable

from nystheory.engine import statistics, store
from nystheory.theorems import CHAPTERS


def complaints(ran: Iterable[str]) -> list[str]:
    """What is wrong with a run, as sentences.

    Parameters
    ----------
    ran : iterable of str
        The chapters whose notebooks ran.

    Returns
    -------
    list of str
        A chapter that had no good verdict of a theorem that it states; a budget of
        false alarms that is overspent.
    """
    told, had = [], store.asked()
    chapters = {folder.__name__.rpartition(".")[2]: folder for folder in CHAPTERS}
    for chapter in sorted(set(ran) & set(chapters)):
        theorems = chapters[chapter].THEOREMS
        stated = {theorem.id for theorem in theorems}
        missing = sorted(stated - had.get(chapter, set()))
        if missing:
            told.append(f"{chapter} has no good verdict of {', '.join(missing)}")
    if statistics.spent() > statistics.FALSE_ALARMS:
        told.append(
            f"all tests together may raise a false alarm with probability "
            f"{statistics.spent():.1e}, more than {statistics.FALSE_ALARMS:.0e}"
        )
    return told
