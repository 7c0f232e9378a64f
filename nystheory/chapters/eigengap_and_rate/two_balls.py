"""Eigenvalues and eigenvectors of the two balls at full size, kept beside this file.

    python -m nystheory.chapters.eigengap_and_rate.two_balls

computes them, in a few minutes, and writes ``two_balls.json``; the page reads that.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse.linalg

from nystheory import datasets, kernels
from nystheory.chapters.eigengap_and_rate.experiments import GAMMA, Leading, operator
from nystheory.engine.findings.runs import LongRun

POINTS = 10_000
# So many eigenvalues; of the eigenvectors every tenth entry is kept.
COUNT, STEP = 120, 10
PATH = Path(__file__).with_name("two_balls.json")


def points(n: int = POINTS, seed: int = 0) -> datasets.Dataset:
    """The points, those of the first ball before those of the second.

    Examples
    --------
    >>> points(4).y.tolist()
    [-1, -1, 1, 1]
    """
    drawn = datasets.two_balls(n, np.random.default_rng(seed))
    order = np.argsort(drawn.y, kind="stable")
    return datasets.Dataset(drawn.name, drawn.X[order], drawn.y[order], "", "")


@dataclass(frozen=True, eq=False)
class Stored:
    """What was computed.

    Attributes
    ----------
    n : int
    values : ndarray (k,)
        Eigenvalues of K over n, falling.
    leading : Leading
        Of the first two eigenvectors every tenth entry.
    seconds : float
    """

    n: int
    values: np.ndarray
    leading: Leading
    seconds: float


def computed(n: int = POINTS, count: int = COUNT) -> Stored:
    """The eigenvalues, by Lanczos' method on products with blocks of rows.

    Examples
    --------
    >>> computed(200, 3).leading.vectors.shape
    (20, 2)
    """
    start = time.perf_counter()
    times = operator(kernels.rbf(points(n).X, GAMMA))
    first = np.ones(n)
    values, vectors = scipy.sparse.linalg.eigsh(times, count, v0=first, tol=1e-6)
    values, vectors = values[::-1] / n, vectors[:, ::-1][:, :2]
    # The first vector has entries of one sign; the second is above zero at the end.
    vectors = vectors * np.sign([vectors[:, 0].sum(), vectors[n // 2 :, 1].sum()])
    seconds = time.perf_counter() - start
    return Stored(n, values, Leading(values[:2], vectors[::STEP]), seconds)


def keep(found: Stored) -> None:
    """Write it beside this file, to five digits."""
    first, second = found.leading.vectors.T
    told = {
        "n": found.n,
        "seconds": float(f"{found.seconds:.1g}"),
        "values": [float(f"{x:.5g}") for x in found.values],
        "first": [float(f"{x:.5g}") for x in first],
        "second": [float(f"{x:.5g}") for x in second],
    }
    KEPT.keep(told)


def small() -> dict:
    """The largest eigenvalues of two hundred points.

    Examples
    --------
    >>> len(small()["values"])
    3
    """
    return {"values": computed(200, 3).values}


KEPT = LongRun(PATH, __spec__.name, small)


def stored() -> Stored:
    """What is kept.

    Examples
    --------
    >>> stored().n
    10000
    """
    told = KEPT.read()
    values = np.array(told["values"])
    vectors = np.column_stack([told["first"], told["second"]])
    return Stored(told["n"], values, Leading(values[:2], vectors), told["seconds"])


if __name__ == "__main__":
    keep(computed())
