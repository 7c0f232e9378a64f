"""A race: ridge regression solved exactly, against inducing points.

    python -m nystheory.chapters.solving_with_few_columns.race 20000

runs it for so many points, writes what came to ``race_20000.json`` beside this file,
and prints it.  The page shows that file.  There all learners have the ridge with which
inducing points are best; in `own_ridges` each has its own.
"""

from __future__ import annotations

import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.engine.findings.runs import LongRun
from nystheory.engine.trial.statistics import Interval, mean_interval
from nystheory.learners import KernelRidge

# Points on which the ridge is chosen, and points on which all are judged.
VALIDATION, TEST = 500, 1000
RIDGES = (1e-2, 1e-1, 1.0, 10.0)
# From these each learner takes its own where each has one.
OWN_RIDGES = (1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-4)
# More digits of the coefficients change no digit of an error that the page shows.
TOLERANCE = 1e-4
# A limit of an interval is wrong with this probability.
LEVEL = 0.01
FULL = "all points"
SAME_MEMORY, SAME_WORK, SAME_TIME = (
    f"inducing points, same {what}" for what in ("memory", "work", "time")
)


# ---- tasks ----


def surface(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """A smooth function in the plane, with noise: few eigenvalues matter."""
    X = rng.uniform(-1, 1, (n, 2))
    y = np.sin(3 * X[:, 0]) * np.cos(2 * X[:, 1]) + X[:, 0] * X[:, 1]
    return X, y + 0.1 * rng.standard_normal(n), 8.0


def arm(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """How far the hand of an arm of 8 links is from its shoulder, by its angles."""
    angles = rng.uniform(-0.25, 0.25, (n, 8)) * np.pi
    turned = np.cumsum(angles, axis=1)
    hand = np.cos(turned).sum(axis=1), np.sin(turned).sum(axis=1)
    return angles, np.hypot(*hand) + 0.05 * rng.standard_normal(n), 0.15


def waves(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """Waves in the plane that change sign many times: many eigenvalues matter."""
    X = rng.uniform(-1, 1, (n, 2))
    y = np.sin(20 * X[:, 0] + 5 * X[:, 1]) + np.cos(25 * X[:, 1])
    return X, y + 0.1 * rng.standard_normal(n), 60.0


def pixels(n: int, rng) -> tuple[np.ndarray, np.ndarray, float]:
    """A pixel in the middle of a patch of a photograph, by the others."""
    patches = datasets.patches(4 * n if n < 25000 else n, 6).X
    patches = patches[rng.permutation(len(patches))[:n]]
    middle = 6 * 3 + 3
    X = np.delete(patches, middle, axis=1)
    return X, patches[:, middle], 0.2


TASKS: dict[str, Callable] = {
    each.__name__: each for each in (surface, arm, waves, pixels)
}


@dataclass(frozen=True, eq=False)
class Problem:
    """Points and targets to learn from, to choose the ridge with, and to judge by."""

    X: np.ndarray
    y: np.ndarray
    gamma: float
    validation: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]


def problem(task: str, n: int, seed: int) -> Problem:
    """A task with n points to learn from.

    Parameters
    ----------
    task : str
        One of `TASKS`.
    n, seed : int

    Returns
    -------
    Problem

    Examples
    --------
    >>> problem("arm", 20, 0).X.shape
    (20, 8)
    """
    some = TASKS[task](n + VALIDATION + TEST, np.random.default_rng(seed))
    return parted(*some, n)


def parted(X: np.ndarray, y: np.ndarray, gamma: float, n: int) -> Problem:
    """The first n points to learn from, the next for the ridge, the rest to judge by.

    Examples
    --------
    >>> given = parted(np.eye(4000), np.ones(4000), 1.0, 2500)
    >>> len(given.y), len(given.test[1])
    (2500, 1000)
    """
    y = y - y[:n].mean()
    learn, choose, judge = np.split(np.arange(len(y)), [n, n + VALIDATION])
    return Problem(X[learn], y[learn], gamma, *((X[S], y[S]) for S in (choose, judge)))


# ---- runners ----


@dataclass(frozen=True)
class Row:
    """One learner on one problem.

    Attributes
    ----------
    task : str
    seed : int
    method : str
    landmarks : int
    ridge : float
    error : float
        Root mean square over the standard deviation of the test targets.
    operations, words : float
        Counted: entries of the kernel cost twice their dimension.
    seconds : float
        Of the fit, landmarks included.
    iterations : int
    """

    task: str
    seed: int
    method: str
    landmarks: int
    ridge: float
    error: float
    operations: float
    words: float
    seconds: float
    iterations: int = 0


class Runner:
    """The learners on one problem.

    Parameters
    ----------
    task : str
    n, seed : int
    stored : bool
        Whether the kernel matrix is kept: n^2 words, and faster products.
    given : Problem, optional
        In place of that of task, n and seed.
    """

    def __init__(
        self,
        task: str,
        n: int,
        seed: int,
        stored: bool,
        given: Problem | None = None,
    ):
        self.given, self.task, self.seed = given or problem(task, n, seed), task, seed
        self.stored, self.rng = stored, np.random.default_rng([seed, 1])
        self.points = kernels.rbf(self.given.X, self.given.gamma)
        self.K = kernels.DenseKernel(self.points.dense()) if stored else self.points
        self.n, self.entry = n, 2 * self.given.X.shape[1]

    def run(self, count: int, clock: bool) -> list[Row]:
        """All points with so many landmarks to precondition, and who races it."""
        ridge = self.ridge(count)
        full = self.row(FULL, "preconditioned", count, ridge)
        columns = self.as_much_work(full.operations)
        rows = [
            full,
            self.row(SAME_MEMORY, "regressors", count, ridge),
            self.row(SAME_WORK, "regressors", columns, ridge),
        ]
        return [*rows, self.as_long(rows[2], full)] if clock else rows

    def ridge(self, count: int) -> float:
        """With which so many inducing points are best: a choice in their favour."""
        near, (X, y) = self.approximation(count), self.given.validation
        models = {ridge: self.fitted("regressors", near, ridge) for ridge in RIDGES}
        return min(models, key=lambda ridge: self.error(models[ridge], X, y))

    def approximation(self, count: int) -> lowrank.LowRank:
        """From so many random pivots."""
        return lowrank.from_factor(sampling.rp_cholesky(self.K, count, self.rng))

    def fitted(self, method: str, near, ridge: float) -> KernelRidge:
        """A learner that has learned."""
        model = KernelRidge(ridge, method=method, tol=TOLERANCE)
        return model.fit(near, self.given.y)

    def row(self, name: str, method: str, count: int, ridge: float) -> Row:
        """Fit one, and judge it."""
        start = time.perf_counter()
        model = self.fitted(method, self.approximation(count), ridge)
        seconds, steps = time.perf_counter() - start, model.n_iter_ or 0
        error = self.error(model, *self.given.test)
        counted = self.counted(count, steps)
        told = self.task, self.seed, name, count, ridge, error
        return Row(*told, *counted, seconds, steps)

    def error(self, model, X, y) -> float:
        """With the true kernel between new points and those that have coefficients."""
        own = np.arange(self.n) if model.regressors_ is None else model.regressors_
        found = self.points.between(X, own) @ model.dual_coef_
        return float(np.sqrt(np.mean((found - y) ** 2)) / y.std())

    def counted(self, count: int, steps: int) -> tuple[float, float]:
        """Operations and words of so many landmarks and steps."""
        n, columns = self.n, self.n * count
        work = 2 * columns * count + self.entry * columns
        if not steps:
            return work, columns
        work += steps * (2 * n**2 + 4 * columns)
        if self.stored:
            return work + self.entry * n**2 / 2, n**2 + columns
        return work + steps * self.entry * n**2 / 2, columns

    def as_much_work(self, operations: float) -> int:
        """How many inducing points take so many operations."""
        half = self.entry / 4
        most = math.sqrt(operations / (2 * self.n) + half**2) - half
        return min(self.n, round(most))

    def as_long(self, row: Row, full: Row) -> Row:
        """So many that they take as long, within a tenth; at most a quarter of all.

        Of four tries the last, where none comes so near.
        """
        for _ in range(4):
            ratio = full.seconds / row.seconds
            count = round(row.landmarks * math.sqrt(ratio))
            count = max(1, min(self.n // 4, count))
            if abs(ratio - 1) < 0.1 and row.method == SAME_TIME:
                break
            row = self.row(SAME_TIME, "regressors", count, row.ridge)
        return row


# ---- the race ----


@dataclass(frozen=True, eq=False)
class Race:
    """What came of it.

    Attributes
    ----------
    n : int
    rows : tuple of Row
    machine : str
        What it ran on.
    """

    n: int
    rows: tuple[Row, ...]
    machine: str

    def of(self, task: str, method: str) -> list[Row]:
        """The rows of a method on a task, in the order of the seeds."""
        return [r for r in self.rows if (r.task, r.method) == (task, method)]

    def mean(self, task: str, method: str, what: str) -> float:
        """The mean of an attribute."""
        return float(np.mean([getattr(r, what) for r in self.of(task, method)]))

    def lost(self, task: str, method: str) -> Interval:
        """By how much the error of a method is above that of all points, as a share.

        The geometric mean over seeds, with limits of level `LEVEL`, paired.
        """
        pairs = zip(self.of(task, method), self.of(task, FULL), strict=True)
        logs = [math.log(one.error / full.error) for one, full in pairs]
        found = mean_interval(logs, LEVEL)
        return Interval(*(math.expm1(x) for x in found[:3]), found.method)


def race(
    n: int,
    seeds: Iterable[int],
    tasks: Sequence[str] = tuple(TASKS),
    *,
    count: int | None = None,
    stored: bool = True,
    clock: bool = False,
) -> Race:
    """Run it.

    Parameters
    ----------
    n : int
        Points to learn from.
    seeds : iterable of int
    tasks : sequence of str
    count : int, optional
        Landmarks to precondition with, ``5 sqrt(n)`` by default.
    stored : bool
        Whether the kernel matrix is kept.
    clock : bool
        Whether inducing points that take as long race, too.

    Returns
    -------
    Race

    Examples
    --------
    >>> found = race(200, [0, 1], ["surface"])
    >>> len(found.rows), found.of("surface", FULL)[0].landmarks
    (6, 70)
    """
    count = 5 * math.isqrt(n) if count is None else count
    rows = [
        row
        for task in tasks
        for seed in seeds
        for row in Runner(task, n, seed, stored).run(count, clock)
    ]
    return Race(n, tuple(rows), machine())


def machine() -> str:
    """What this runs on, in a line."""
    blas = [each for each in threadpool_info() if each["user_api"] == "blas"]
    told = blas[0] if blas else {"internal_api": "BLAS", "num_threads": 1}
    kind = told.get("architecture") or platform.machine()
    return (
        f"{os.cpu_count()} cores ({_processor()}), NumPy {np.__version__}, "
        f"{told['internal_api']} for {kind} with {told['num_threads']} threads"
    )


def _processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if "model name" in line)
    return next(names, platform.machine())


def path(n: int) -> Path:
    """Where a race of n points is kept."""
    return Path(__file__).with_name(f"race_{n}.json")


def stored(n: int) -> Race | None:
    """A race that was run before, or none.

    Examples
    --------
    >>> stored(7) is None
    True
    """
    if not path(n).exists():
        return None
    told = kept(n).read()
    return Race(told["n"], tuple(Row(**row) for row in told["rows"]), told["machine"])


def keep(found: Race) -> None:
    """Write a race beside this file, errors and times to six digits."""
    rows = [
        {k: float(f"{x:.6g}") if isinstance(x, float) else x for k, x in row.items()}
        for row in map(asdict, found.rows)
    ]
    told = {"n": found.n, "machine": found.machine, "rows": rows}
    kept(found.n).keep(told)


def small() -> dict:
    """The errors of a race of two hundred points.

    Examples
    --------
    >>> len(small()["error"])
    3
    """
    return {"error": [row.error for row in race(200, [0], ["surface"]).rows]}


def kept(n: int = 20_000) -> LongRun:
    """The file of a race."""
    return LongRun(path(n), __spec__.name, small)


KEPT = kept()


def summary(found: Race | None) -> style.Table | str:
    """A table of a race, or where it comes from if it was not run here.

    Examples
    --------
    >>> summary(None)
    'not run yet'
    """
    if found is None:
        return "not run yet"
    header = ("task", "columns", "run", "steps", "seconds", "error")
    rows = [
        (task, *_told(found, task, method))
        for task in dict.fromkeys(row.task for row in found.rows)
        for method in (FULL, SAME_MEMORY, SAME_WORK, SAME_TIME)
    ]
    told = f"A race of {found.n} points, on {found.machine}."
    return style.Table((*header, "above all points, %"), rows, told)


def _told(found: Race, task: str, method: str) -> tuple[str, ...]:
    """A row of the table: means, and the limits of what is lost."""
    columns, steps, seconds, error = (
        found.mean(task, method, each)
        for each in ("landmarks", "iterations", "seconds", "error")
    )
    told = f"{columns:.0f}", method.rpartition(", ")[2]
    if method == FULL:
        return *told, f"{steps:.1f}", f"{seconds:.1f}", f"{error:.4f}", ""
    lost = found.lost(task, method)
    # A zero has no sign.
    low, high = (round(100 * each, 2) + 0.0 for each in (lost.low, lost.high))
    above = f"{low:.2f} to {high:.2f}"
    return *told, "", f"{seconds:.1f}", f"{error:.4f}", above


def main(arguments: Sequence[str]) -> None:
    """Run a large race and print it; kept after each run, and taken up where it was."""
    n = int(arguments[0]) if arguments else 20000
    before = stored(n)
    rows = before.rows if before and before.machine == machine() else ()
    for task in TASKS:
        for seed in range(8):
            if not any((row.task, row.seed) == (task, seed) for row in rows):
                rows += race(n, [seed], [task], stored=n <= 5000, clock=True).rows
                keep(Race(n, rows, machine()))
    for row in rows:
        print(*asdict(row).values(), sep="\t")
    print(machine())


if __name__ == "__main__":
    main(sys.argv[1:])
