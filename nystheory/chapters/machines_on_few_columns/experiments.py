"""What the experiments of the chapter measure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nystheory.chapters.machines_on_few_columns.machines import (
    PAIRS,
    Few,
    Known,
    Whole,
    best,
    of_pair,
    wrong,
)
from nystheory.engine.findings.held_out import Points

# Operations that an exponential counts for.
EXPONENTIAL = 20


# ---- one number of columns ----


def judged_by(machine, place: float, known: Known, points: Points) -> dict[str, float]:
    """The wrong labels of a machine with a width and a ridge, and these.

    Returns
    -------
    dict
        ``error`` in percent, ``width`` and ``lambda``.
    """
    width, lambda_ = PAIRS[int(place)]
    error = wrong(of_pair(machine, place, known), points)
    return {"error": error, "width": width, "lambda": lambda_}


# ---- more and more columns ----


@dataclass(frozen=True, eq=False)
class Part:
    """Points to judge by, and which of them are of the part that is rare.

    Attributes
    ----------
    points : Points
    is_rare : callable (Points) -> ndarray (n,) of bool
    """

    points: Points
    is_rare: Callable


def columns_for_the_work(columns: int, d: int) -> int:
    """How many uniform columns cost what columns by estimated leverage scores cost.

    A column of n points costs n (2 d + 20) operations for its entries and n l for its
    part of the factor; the scores cost twice as much again, since the halves of halves
    add up to as many points once more.

    Parameters
    ----------
    columns : int
        By leverage scores.
    d : int
        Coordinates of a point.

    Examples
    --------
    >>> columns_for_the_work(100, 2), columns_for_the_work(100, 1000)
    (181, 277)
    """
    entry = 2 * d + EXPONENTIAL
    work = 3 * columns * (entry + columns)
    return round((math.sqrt(entry**2 + 4 * work) - entry) / 2)


def along(scheme: str, known: Known, part: Part, width: float, counts) -> dict:
    """What is wrong with more and more columns, with the best ridge for each number.

    Parameters
    ----------
    scheme : str
        Of `sampling.SCHEMES`, or ``"more"``: uniform columns for the work of leverage
        scores.
    known : Known
    part : Part
    width : float
    counts : sequence of int

    Returns
    -------
    dict of str to list of float
        ``error`` of all points and ``rare`` of those of the rare part, in percent;
        ``share``, how many percent of the columns are of that part.
    """
    d = known.learn.X.shape[1]
    found = {"error": [], "rare": [], "share": []}
    rare = part.is_rare(known.learn)
    for count in counts:
        more = scheme == "more"
        count = min(columns_for_the_work(count, d), known.n) if more else count
        some = replace(known, columns=count, _near={}, _wrong={})
        machine = Few("uniform" if more else scheme)
        model = of_pair(machine, best(machine, some, [width]), some)
        chosen = some.near(machine.scheme, count, width).landmarks
        _add(found, model, part)
        found["share"].append(100 * float(np.mean(rare[chosen])))
    return found


def of_all_columns(known: Known, part: Part, width: float) -> dict:
    """The same for the machine on all columns."""
    found = {"error": [], "rare": []}
    _add(found, of_pair(Whole(), best(Whole(), known, [width]), known), part)
    share = 100 * float(np.mean(part.is_rare(known.learn)))
    return {name: x[0] for name, x in found.items()} | {"share": share}


def _add(found, model, part):
    rare = part.is_rare(part.points)
    some = Points(part.points.X[rare], part.points.y[rare])
    found["error"].append(wrong(model, part.points))
    found["rare"].append(wrong(model, some))


# ---- passes ----


def gaps(solver: str, known: Known, place: int, passes) -> list[float]:
    """The duality gap after so many passes, in percent of the value at zero.

    Parameters
    ----------
    solver : str
    known : Known
    place : int
        Of width and ridge.
    passes : sequence of int

    Returns
    -------
    list of float
    """
    found = []
    for many in passes:
        machine = Few("uniform", solver=solver, passes=many, tol=1e-12)
        gap = of_pair(machine, place, known).duality_gap_
        found.append(100 * gap / known.n)
    return found


def power(passes, found) -> float:
    """By which power of the passes the gap falls: minus the slope of logarithms.

    Examples
    --------
    >>> round(power([1, 2, 4], [8.0, 4.0, 2.0]), 6)
    1.0
    """
    return -float(np.polyfit(np.log(passes), np.log(found), 1)[0])


def place_of(width: float, lambda_: float) -> int:
    """The place of a pair in the grid.

    Examples
    --------
    >>> PAIRS[place_of(0.6, 1e-3)]
    (0.6, 0.001)
    """
    return PAIRS.index((width, lambda_))
