"""Error and times of five runs, in the form of the paper's tables, computed and kept.

    python -m nystheory.chapters.machines_on_few_columns.tables

runs the machines on data that come with scikit-learn, in some minutes, and writes
``tables.json``; with a folder of data, as `datasets.from_folder` tells,

    NYSTHEORY_DATA=FOLDER python -m nystheory.chapters.machines_on_few_columns.tables \
        usps mnist-t10k

runs them on digits of the post and of forms, two of the paper's data sets, and writes
``from_folder.json``.  The page reads both.  The seconds are those of the processor,
with one thread.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, stdev

import numpy as np

from nystheory import datasets, style
from nystheory.chapters.machines_on_few_columns import machines, points
from nystheory.chapters.machines_on_few_columns.machines import MACHINES, Known
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.held_out import Points
from nystheory.engine.findings.runs import LongRun

RUNS = 5
HERE = Path(__file__).with_name("tables.json")
FOLDER = Path(__file__).with_name("from_folder.json")

Split = tuple[Known, Points]


# ---- data ----


@dataclass(frozen=True)
class Task:
    """Where points come from, and how they are parted.

    Attributes
    ----------
    draw : callable (size, rng) -> Points
        In a random order.
    size, count : int
        Points, and those that are learned from.
    columns : int
    """

    draw: Callable
    size: int
    count: int
    columns: int

    def split(self, run: int) -> Split:
        """The parts of a run: what is learned from, and what judges."""
        rng = np.random.default_rng([2024, run])
        return machines.split(self.draw(self.size, rng), self.count, self.columns, rng)


@dataclass(frozen=True)
class Kept:
    """Data of a folder, of which the same points judge in all runs.

    Attributes
    ----------
    name : str
        As `datasets.from_folder` takes it.
    judged : int
        How many judge.
    columns : int
    """

    name: str
    judged: int
    columns: int

    def split(self, run: int) -> Split:
        """Is a digit odd?  Four fifths of the others are learned from, one is aside."""
        found = datasets.from_folder(self.name)
        y = np.where(np.asarray(found.y).astype(int) % 2 == 1, 1, -1)
        rng = np.random.default_rng([2024, run])
        n = len(y) - self.judged
        mixed = np.random.default_rng(2024).permutation(len(y))
        order = np.concatenate([rng.permutation(mixed[:n]), mixed[n:]])
        X = found.X[order] / found.X.max()
        count = 4 * n // 5
        share = (n - count) / (len(y) - count)
        return machines.split(Points(X, y[order]), count, self.columns, rng, share)


TASKS = {
    "digits": Task(points.digits, 1797, 1078, 250),
    "cell samples": Task(points.cells, 569, 341, 60),
    "waves": Task(points.waves, 4000, 800, 150),
}
FOLDERS = {
    "usps": Kept("usps", 1291, 1000),
    "mnist-t10k": Kept("mnist-t10k", 2000, 1000),
}


# ---- runs ----


@dataclass(frozen=True)
class Row:
    """One machine in one run.

    Attributes
    ----------
    data, machine : str
        The machine by its name in `machines.MACHINES`.
    run, n, columns : int
        Which run, points that are learned from, columns.
    error : float
        Wrong labels, in percent.
    fit, predict : float
        Seconds of the processor.
    width, lambda_ : float
        As chosen.
    """

    data: str
    machine: str
    run: int
    n: int
    columns: int
    error: float
    fit: float
    predict: float
    width: float
    lambda_: float


@one_thread
def rows_of(data: str, task, runs: Iterable[int] = range(RUNS)) -> list[Row]:
    """The machines on one data set; width and ridge are chosen in the first run.

    Parameters
    ----------
    data : str
    task : Task or Kept
    runs : iterable of int

    Returns
    -------
    list of Row

    Notes
    -----
    A `Task` has other points to judge in each run, and chooses in each.

    Examples
    --------
    >>> task = Task(points.moons, 200, 60, 10)
    >>> found = rows_of("moons", task, [0])
    >>> len(found) == len(MACHINES), found[0].n
    (True, 60)
    """
    found, places = [], {}
    for run in runs:
        known, judged = task.split(run)
        for name, each in MACHINES.items():
            if name not in places or isinstance(task, Task):
                places[name] = machines.best(each.run, known)
            place = places[name]
            fresh = replace(known, _near={}, _wrong={})
            start = time.process_time()
            model = machines.of_pair(each.run, place, fresh)
            middle = time.process_time()
            error = machines.wrong(model, judged)
            end = time.process_time()
            told = known.n, known.columns, error, middle - start, end - middle
            found.append(Row(data, name, run, *told, *machines.PAIRS[place]))
    return found


# ---- tables ----


def table(rows: Sequence[Row], data: str) -> style.Table:
    """Means and deviations of the runs on one data set, a machine a row.

    Examples
    --------
    >>> some = [Row("a", "linear", k, 9, 3, k, 1, 1, 1, 1) for k in (1, 3)]
    >>> table(some, "a").rows[0][:3]
    ('linear machine', 'none', '2.0 ± 1.4')
    """
    header = ("machine", "columns", "wrong, %", "learning, s", "labels, s")
    told = []
    for name, each in MACHINES.items():
        some = [row for row in rows if (row.data, row.machine) == (data, name)]
        if some:
            cells = (_spread(some, x) for x in ("error", "fit", "predict"))
            told.append((each.label, _columns(name, some[0]), *cells))
    caption = f"{data}: mean and deviation of {RUNS} runs, seconds of a processor."
    return style.Table(header, told, caption)


def _columns(name, row):
    """How many columns a machine has."""
    return {"linear": "none", "kernel": f"all {row.n}"}.get(name, f"{row.columns}")


def _spread(rows, what):
    """Mean and deviation, with the digits that it has."""
    values = [getattr(row, what) for row in rows]
    digits = 1 if what == "error" else 3
    return f"{mean(values):.{digits}f} ± {stdev(values):.{digits}f}"


def means(rows: Sequence[Row], data: str, what: str) -> dict[str, float]:
    """The mean over the runs, by machine.

    Examples
    --------
    >>> some = [Row("a", "linear", k, 9, 3, k, 1, 1, 1, 1) for k in (1, 3)]
    >>> means(some, "a", "error")
    {'linear': 2}
    """
    found: dict[str, list] = {}
    for row in rows:
        if row.data == data:
            found.setdefault(row.machine, []).append(getattr(row, what))
    return {name: mean(values) for name, values in found.items()}


# ---- what is kept ----


def keep(rows: Sequence[Row], path: Path) -> None:
    """Write rows, numbers to four digits."""
    told = [
        {k: float(f"{x:.4g}") if isinstance(x, float) else x for k, x in each.items()}
        for each in map(asdict, rows)
    ]
    KEPT[path].keep(told)


def small() -> dict:
    """The wrong labels of each machine on moons.

    Examples
    --------
    >>> len(small()["error"]) == len(MACHINES)
    True
    """
    rows = rows_of("moons", Task(points.moons, 200, 60, 10), [0])
    return {"error": [row.error for row in rows]}


KEPT = {path: LongRun(path, __spec__.name, small) for path in (HERE, FOLDER)}


def stored(path: Path = HERE) -> list[Row]:
    """The rows that came with the package.

    Examples
    --------
    >>> {row.data for row in stored()} == set(TASKS)
    True
    """
    return [Row(**each) for each in KEPT[path].read()]


def main(names: Sequence[str]) -> None:
    """Run some data sets of a folder, or all others, and keep them."""
    tasks: Mapping = {name: FOLDERS[name] for name in names} or TASKS
    found = []
    for data, task in tasks.items():
        found += rows_of(data, task)
        print(table(found, data), flush=True)
        keep(found, FOLDER if names else HERE)


if __name__ == "__main__":
    main(sys.argv[1:])
