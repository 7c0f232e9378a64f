"""Six small data sets of a folder, two of them the source's, computed and kept.

    NYSTHEORY_DATA=FOLDER python -m nystheory.chapters.choosing_the_kernel.tables

runs the eight methods, in some minutes, and writes ``from_folder.json``; names of data
sets after the command run these alone and keep the others.  The page reads the file.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from nystheory import datasets, style
from nystheory.chapters.choosing_the_kernel import experiments
from nystheory.chapters.choosing_the_kernel.experiments import EIGHT, Known
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.held_out import Points
from nystheory.engine.findings.runs import LongRun
from nystheory.sampling import FewerLandmarks

RUNS = 5
FOLDER = Path(__file__).with_name("from_folder.json")
# The widths: the ends are those of the source's figure, for two data sets, of which it
# also has the ends of the axis of the criterion.
EVERY = tuple(2.0**k for k in range(-10, 3, 2))
WIDTHS = {
    "liver-disorders": tuple(2.0**k for k in range(-10, 11, 2)),
    "breast-cancer": EVERY,
    "sonar": EVERY,
    "ionosphere": EVERY,
    "heart": EVERY,
    "australian": EVERY,
}
PRINTED = {"liver-disorders": (0.5, 0.9), "breast-cancer": (0.1, 0.5)}


@dataclass(frozen=True)
class Row:
    """One method in one run.

    Attributes
    ----------
    data, method : str
        The method by its name in `experiments.EIGHT`.
    run, n, columns : int
    low, high : float
        The least and the largest exact criterion.
    apart, right : float
        As `experiments.picked` has them.
    """

    data: str
    method: str
    run: int
    n: int
    columns: int
    low: float
    high: float
    apart: float
    right: float


def points(name: str) -> Points:
    """Two classes, each coordinate scaled to the interval from -1 to 1.

    Parameters
    ----------
    name : str
        As `datasets.from_folder` takes it.
    """
    found = datasets.from_folder(name)
    low, high = found.X.min(axis=0), found.X.max(axis=0)
    X = 2 * (found.X - low) / np.where(high > low, high - low, 1) - 1
    return Points(X, np.where(found.y > 0, 1.0, -1.0))


@one_thread
def rows_of(data: str, some: Points, runs: Iterable[int] = range(RUNS)) -> list[Row]:
    """The methods on one data set; the points are the same in each run.

    Parameters
    ----------
    data : str
    some : Points
    runs : iterable of int

    Returns
    -------
    list of Row

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> toy = Points(rng.standard_normal((30, 2)), np.sign(rng.standard_normal(30)))
    >>> len(rows_of("sonar", toy, [0])) == len(EIGHT)
    True
    """
    known, found = Known.of(some, WIDTHS[data]), []
    ends = known.exact.min(), known.exact.max()
    best = experiments.criteria("optimal", known, np.random.default_rng(0))
    fixed = {"original": known.exact, "optimal": best}
    for run in runs:
        for name, each in EIGHT.items():
            values = fixed.get(name)
            if values is None:
                values = _drawn(each.run, known, run)
            picked = experiments.picked(values, known.exact)
            numbers = (*ends, picked["apart"], picked["right"])
            row = data, name, run, len(some.y), known.columns
            found.append(Row(*row, *map(float, numbers)))
    return found


def _drawn(method, known, run):
    """The criteria of columns that are drawn anew in each run."""
    rng = np.random.default_rng([2019, run])
    with warnings.catch_warnings(action="ignore", category=FewerLandmarks):
        return experiments.criteria(method, known, rng)


# ---- what is kept ----


def keep(rows: Sequence[Row]) -> None:
    """Write rows, numbers to four digits."""
    told = [
        {k: float(f"{x:.4g}") if isinstance(x, float) else x for k, x in each.items()}
        for each in map(asdict, rows)
    ]
    KEPT.keep(told)


def small() -> dict:
    """How far each method is from the exact criterion on thirty points.

    Examples
    --------
    >>> len(small()["apart"]) == len(EIGHT)
    True
    """
    rng = np.random.default_rng(0)
    toy = Points(rng.standard_normal((30, 2)), np.sign(rng.standard_normal(30)))
    return {"apart": [row.apart for row in rows_of("sonar", toy, [0])]}


KEPT = LongRun(FOLDER, __spec__.name, small)


def stored() -> list[Row]:
    """The rows that came with the package.

    Examples
    --------
    >>> {row.data for row in stored()} == set(WIDTHS)
    True
    """
    return [Row(**each) for each in KEPT.read()]


def means(rows: Sequence[Row], data: str) -> dict[str, float]:
    """The mean distance from the exact criterion, by method.

    Parameters
    ----------
    rows : sequence of Row
    data : str
    """
    return {
        name: float(np.mean([x.apart for x in _some(rows, data, name)]))
        for name in EIGHT
    }


def closest(rows: Sequence[Row], data: str) -> str:
    """Which method that samples columns is nearest to the exact criterion.

    Parameters
    ----------
    rows : sequence of Row
    data : str
    """
    found = means(rows, data)
    left = {k: x for k, x in found.items() if k not in ("original", "optimal")}
    return min(left, key=left.get)


def difference(rows: Sequence[Row], data: str) -> tuple[float, float]:
    """How much farther criterion-driven columns are than uniform ones, run by run.

    Returns
    -------
    tuple of float
        The mean of the paired differences and its standard error.
    """
    pairs = [_some(rows, data, name) for name in ("driven", "uniform")]
    some = np.array([a.apart - b.apart for a, b in zip(*pairs, strict=True)])
    return float(some.mean()), float(some.std(ddof=1) / np.sqrt(len(some)))


def table(rows: Sequence[Row]) -> style.Table:
    """Mean distances from the exact criterion, a data set a row.

    Parameters
    ----------
    rows : sequence of Row
    """
    names = [name for name in EIGHT if name != "original"]
    header = ("data", "points", "axis as printed", "criterion here")
    found = []
    for data in WIDTHS:
        one = next(row for row in rows if row.data == data)
        axis = " to ".join(f"{x:.1f}" for x in PRINTED.get(data, ())) or "lost"
        here = f"{one.low:.2f} to {one.high:.2f}"
        apart = means(rows, data)
        cells = (f"{apart[name]:.4f}" for name in names)
        found.append((data, f"{one.n:.0f}", axis, here, *cells))
    caption = f"Mean distance from the exact criterion over all widths and {RUNS} runs."
    return style.Table((*header, *(EIGHT[x].label for x in names)), found, caption)


def _some(rows, data, name):
    return [row for row in rows if (row.data, row.method) == (data, name)]


def main(names: Sequence[str]) -> None:
    """Run some data sets of a folder, or all, and keep them."""
    before = stored() if FOLDER.exists() else []
    fresh = tuple(names) or tuple(WIDTHS)
    kept = [row for row in before if row.data not in fresh]
    for data in fresh:
        kept += rows_of(data, points(data))
        keep(kept)
        print(data, means(kept, data), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
