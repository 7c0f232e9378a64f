"""What a whole run of the tests must show: asked of the run, not of the texts."""

from __future__ import annotations

from collections.abc import Iterable

from nystheory.engine.trial import statistics, store
from nystheory.engine.trial.registry import Registry


def complaints(ran: Iterable[str], theorems: Registry) -> list[str]:
    """What is wrong with a run, as sentences.

    Parameters
    ----------
    ran : iterable of str
        The chapters whose notebooks ran.
    theorems : Registry

    Returns
    -------
    list of str
        A chapter that had no good verdict of a theorem that it states; a budget of
        false alarms that is overspent.
    """
    told, had = [], store.asked()
    for chapter in sorted(set(ran)):
        stated = {theorem.id for theorem in theorems.chapter(chapter)}
        missing = sorted(stated - had.get(chapter, set()))
        if missing:
            told.append(f"{chapter} has no good verdict of {', '.join(missing)}")
    if statistics.spent() > statistics.FALSE_ALARMS:
        told.append(
            f"all tests together may raise a false alarm with probability "
            f"{statistics.spent():.1e}, more than {statistics.FALSE_ALARMS:.0e}"
        )
    return told
