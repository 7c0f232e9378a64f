"""200,000 points, for which a machine with all columns is slow, computed once and kept.

    python -m nystheory.chapters.machines_on_few_columns.large

writes ``large_200000.json`` in half an hour, each machine in a process of its own,
whose memory is told; the page reads that.  With a number, of that many points; with
names of machines behind it, these alone are run again.  The seconds are those that the
processors worked, which do not depend on what else runs.
"""

from __future__ import annotations

import math
import multiprocessing
import platform
import resource
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from nystheory import style
from nystheory.chapters.machines_on_few_columns.points import waves
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.held_out import Points
from nystheory.engine.findings.runs import LongRun
from nystheory.learners import KernelRidge, SubspaceClassifier

N, COLUMNS, JUDGED, SEED = 200_000, 1000, 20_000, 0
# Width and lambda are chosen with so many points to learn from, and half as many aside.
FEWER = 20_000
WIDTHS = (0.35, 0.5, 0.7, 1.0)
LAMBDAS = (1e-3, 1e-4, 1e-5, 1e-6)
PASSES = 10
# On so many points the machine with all columns runs.
SOME = (2500, 5000, 10_000, 20_000, 50_000)


@dataclass(frozen=True)
class Asked:
    """What a machine is made with."""

    gamma: float
    lambda_: float
    n: int
    columns: int

    @property
    def ridge(self) -> float:
        """Beside a sum of losses."""
        return self.lambda_ * self.n

    @property
    def ours(self) -> dict:
        """The options of our learners."""
        shared = {"gamma": self.gamma, "n_landmarks": self.columns}
        return {**shared, "random_state": SEED}


def linear(asked: Asked) -> Any:
    """LIBLINEAR's."""
    return LinearSVC(C=1 / asked.ridge, loss="hinge", random_state=SEED)


def kernel(asked: Asked) -> Any:
    """LIBSVM's, with a gigabyte for rows that it keeps."""
    return SVC(C=1 / asked.ridge, gamma=asked.gamma, cache_size=1000)


def hinge(asked: Asked, landmarks: str, solver: str) -> Any:
    """Ours."""
    return SubspaceClassifier(
        asked.ridge, solver=solver, max_iter=PASSES, landmarks=landmarks, **asked.ours
    )


def square(asked: Asked, landmarks: str) -> Any:
    """Ours, by factoring."""
    return SubspaceClassifier(
        asked.ridge, loss="square", landmarks=landmarks, **asked.ours
    )


def falkon(asked: Asked) -> Any:
    """Ours, by conjugate gradients."""
    made = partial(KernelRidge, method="falkon", tol=1e-4, landmarks="uniform")
    return made(asked.ridge, **asked.ours)


def _theirs(asked, learner):
    shared = {"gamma": asked.gamma, "n_components": asked.columns}
    return make_pipeline(Nystroem(random_state=SEED, **shared), learner)


def theirs(asked: Asked) -> Any:
    """Scikit-learn's features, and LIBLINEAR with as many passes."""
    made = partial(LinearSVC, loss="hinge", max_iter=PASSES, random_state=SEED)
    return _theirs(asked, made(C=1 / asked.ridge))


def theirs_by_gradients(asked: Asked) -> Any:
    """Scikit-learn's features, and as many passes of averaged gradients."""
    passes = {"max_iter": PASSES, "tol": None, "average": True}
    learner = SGDClassifier(alpha=asked.lambda_, random_state=SEED, **passes)
    return _theirs(asked, learner)


SCORES = "recursive_rls"
MACHINES: dict[str, tuple[str, Callable]] = {
    "linear": ("linear machine", linear),
    "uniform": (
        "Nyström-Pegasos, uniform",
        partial(hinge, landmarks="uniform", solver="pegasos"),
    ),
    "leverage": (
        "Nyström-Pegasos, leverage",
        partial(hinge, landmarks=SCORES, solver="pegasos"),
    ),
    "coordinates": (
        "hinge loss by coordinates, uniform",
        partial(hinge, landmarks="uniform", solver="coordinates"),
    ),
    "ridge_uniform": ("Nyström ridge, uniform", partial(square, landmarks="uniform")),
    "ridge": ("Nyström ridge, leverage", partial(square, landmarks=SCORES)),
    "falkon": ("FALKON, uniform", falkon),
    "gradients": ("scikit-learn, SGDClassifier", theirs_by_gradients),
    "liblinear": ("scikit-learn, LinearSVC", theirs),
}
THEIRS = ("gradients", "liblinear")


@dataclass(frozen=True)
class Row:
    """One machine.

    Attributes
    ----------
    machine : str
    n, columns : int
    error : float
        Wrong labels, in percent.
    worked : float
        Seconds that processors worked to learn.
    memory : float
        The peak of the process, in GB, imports and points included.
    gap : float or None
        The duality gap over n, where the machine tells one.
    steps : int or None
        Passes, or steps of conjugate gradients.
    width, lambda_ : float
    """

    machine: str
    n: int
    columns: int
    error: float
    worked: float
    memory: float
    gap: float | None
    steps: int | None
    width: float
    lambda_: float


def gamma_of(width: float, d: int = 4) -> float:
    """That of a width over the root of the mean square distance of two points.

    Examples
    --------
    >>> gamma_of(0.5)
    1.5
    """
    return 3 / (2 * d * width**2)


def points(n: int) -> tuple[Points, Points]:
    """To learn from, in float32, and to judge by.

    Examples
    --------
    >>> points(10)[0].X.dtype.name
    'float32'
    """
    rng = np.random.default_rng([SEED, n])
    found = [waves(size, rng) for size in (n, JUDGED)]
    return tuple(Points(each.X.astype(np.float32), each.y) for each in found)


def chosen(make: Callable, n: int, columns: int) -> tuple[float, float]:
    """Width and lambda with the fewest wrong labels on points set aside.

    Of a number of points that is not more than `FEWER`.
    """
    n = min(n, FEWER)
    learn = waves(n, np.random.default_rng([SEED, 1]))
    aside = waves(n // 2, np.random.default_rng([SEED, 2]))
    best, least = None, math.inf
    widths = WIDTHS if make is not linear else WIDTHS[:1]
    for width in widths:
        for lambda_ in LAMBDAS:
            model = make(Asked(gamma_of(width), lambda_, n, columns))
            model.fit(learn.X.astype(np.float32), learn.y)
            error = wrong(model, Points(aside.X.astype(np.float32), aside.y))
            if error < least:
                best, least = (width, lambda_), error
    return best


def wrong(model, some: Points) -> float:
    """Wrong labels, in percent; of a regression by its sign."""
    return float(100 * np.mean((model.predict(some.X) > 0) != (some.y > 0)))


@one_thread
def row_of(name: str, n: int, columns: int, pair=None) -> Row:
    """Choose, learn and judge.

    Examples
    --------
    >>> row_of("uniform", 300, 20, (0.5, 1e-3)).columns
    20
    """
    make = dict(MACHINES, kernel=("", kernel))[name][1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        width, lambda_ = pair or chosen(make, n, columns)
        learn, judged = points(n)
        model = make(Asked(gamma_of(width), lambda_, n, columns))
        start = time.process_time()
        model.fit(learn.X, learn.y)
        worked = time.process_time() - start
        error = wrong(model, judged)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    gap = getattr(model, "duality_gap_", None)
    told = None if gap is None else gap / n, _steps(model), width, lambda_
    return Row(name, n, columns, error, worked, peak, *told)


def _steps(model):
    """Passes or steps, where the machine tells them."""
    told = getattr(model, "n_iter_", None)
    return None if told is None else int(np.max(told))


def apart(name: str, n: int, columns: int, pair=None) -> Row:
    """`row_of` in a process of its own, so that the peak is that of one machine."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(row_of, (name, n, columns, pair))


# ---- what is kept ----


def path(n: int = N) -> Path:
    """Where a run is kept."""
    return Path(__file__).with_name(f"large_{n}.json")


def keep(rows: Sequence[Row], machine: str, n: int) -> None:
    """Write rows, numbers to four digits."""
    told = [
        {k: float(f"{x:.4g}") if isinstance(x, float) else x for k, x in each.items()}
        for each in map(asdict, rows)
    ]
    kept(n).keep({"machine": machine, "rows": told})


def small() -> dict:
    """The wrong labels of each machine with three hundred points.

    Examples
    --------
    >>> len(small()["error"]) == len(MACHINES)
    True
    """
    return {"error": [row_of(name, 300, 20, (0.5, 1e-3)).error for name in MACHINES]}


def kept(n: int = N) -> LongRun:
    """The file of a run."""
    return LongRun(path(n), __spec__.name, small)


KEPT = kept()


def machine() -> str:
    """What this runs on, in a line.

    Examples
    --------
    >>> "NumPy" in machine()
    True
    """
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if "model name" in line)
    kind = next(names, platform.machine())
    return (
        f"{kind}, one thread, NumPy {version('numpy')}, "
        f"scikit-learn {version('scikit-learn')}"
    )


@dataclass(frozen=True, eq=False)
class Large:
    """What came of it.

    Attributes
    ----------
    machine : str
        What it ran on.
    rows : dict of str to Row
        With few columns.
    whole : list of Row
        With all columns, on fewer points.
    """

    machine: str
    rows: dict[str, Row]
    whole: list[Row]

    @property
    def slope(self) -> float:
        """The seconds with all columns grow as n to this."""
        n, took = ([getattr(x, w) for x in self.whole] for w in ("n", "worked"))
        return float(np.polyfit(np.log(n), np.log(took), 1)[0])

    def hours(self, n: int = N) -> float:
        """That they would take with n points, if they grow so."""
        last = self.whole[-1]
        return last.worked * (n / last.n) ** self.slope / 3600

    def table(self) -> style.Table:
        """A machine a row."""
        header = (
            *("machine", "wrong, %", "learning, s", "memory, GB"),
            *("lambda", "gap", "passes or steps"),
        )
        rows = [self._told(*each) for each in self.rows.items()]
        return style.Table(header, rows, f"On {self.machine}.")

    def _told(self, name, row):
        paid = f"{row.worked:.1f}", f"{row.memory:.2f}", f"{row.lambda_:g}"
        gap = "" if row.gap is None else f"{row.gap:.1g}"
        steps = "" if row.steps is None else f"{row.steps}"
        return MACHINES[name][0], f"{row.error:.2f}", *paid, gap, steps


def stored(n: int = N) -> Large:
    """The run that came with the package.

    Examples
    --------
    >>> set(stored().rows) == set(MACHINES)
    True
    """
    told, rows = kept(n).read()["machine"], _rows(n)
    few = {row.machine: row for row in rows if row.machine != "kernel"}
    return Large(told, few, [row for row in rows if row.machine == "kernel"])


def _rows(n):
    return [Row(**each) for each in kept(n).read()["rows"]]


def main(arguments: Sequence[str]) -> None:
    """Run all machines, or those that are named; kept after each."""
    n, names = int((arguments or [N])[0]), arguments[1:]
    rows = _rows(n) if names else []
    for name in names or (*MACHINES, "kernel"):
        found = _whole(n, rows) if name == "kernel" else [_few(name, n)]
        rows = [row for row in rows if row.machine != name]
        for row in found:
            rows.append(row)
            print(row, flush=True)
            keep(sorted(rows, key=_place), machine(), n)


def _few(name, n):
    return apart(name, n, min(COLUMNS, n // 10))


def _whole(n, rows):
    """On fewer points, with the width and ridge of the same loss on few columns."""
    pair = next((x.width, x.lambda_) for x in rows if x.machine == "coordinates")
    return (apart("kernel", fewer, fewer, pair) for fewer in SOME if fewer < n)


def _place(row):
    return [*MACHINES, "kernel"].index(row.machine), row.n


if __name__ == "__main__":
    main(sys.argv[1:])
