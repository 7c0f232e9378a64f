"""The comparison on two data sets that are not shipped, computed once and kept.

    NYSTHEORY_DATA=FOLDER python -m nystheory.chapters.eigengap_and_rate.from_folder

runs it on ``cpusmall.npz`` and ``abalone.npz`` of that folder, in some minutes, and
writes ``from_folder.json``; the page reads that.  Yang et al. 2012 have the first with
21 columns in place of 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import ttest_rel

from nystheory import datasets, style
from nystheory.chapters.eigengap_and_rate import protocol
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.runs import LongRun

NAMES = ("cpusmall", "abalone")
COUNTS = (10, 20, 50, 100, 200, 500)
REPEATS = 10
MAPS = {
    "nystrom": protocol.landmarks,
    "waves": protocol.waves,
    "equal": protocol.half_as_many,
}
LABELS = {
    "nystrom": "Nyström features",
    "waves": "m frequencies",
    "equal": "as many random features",
}
PATH = Path(__file__).with_name("from_folder.json")

Errors = dict[str, np.ndarray]


def points(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Points of mean 0 and variance 1 in each column, and numbers to predict.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Raises
    ------
    FileNotFoundError
        If `NYSTHEORY_DATA` does not name a folder that holds the file.

    Examples
    --------
    >>> X, y = points("abalone")  # doctest: +SKIP
    """
    found = datasets.from_folder(name)
    X = (found.X - found.X.mean(axis=0)) / found.X.std(axis=0)
    return X, np.asarray(found.y, dtype=float)


@one_thread
def errors(
    X: np.ndarray,
    y: np.ndarray,
    counts: Sequence[int] = COUNTS,
    repeats: int = REPEATS,
    seed: int = 0,
) -> Errors:
    """The errors of each map on the test, in percent of the variance.

    Parameters
    ----------
    X : ndarray (n, d)
    y : ndarray (n,)
    counts : sequence of int
    repeats, seed : int
        Each repeat has a split of its own, which the maps share.

    Returns
    -------
    dict of str to ndarray (len(counts), repeats)

    Examples
    --------
    >>> arm = datasets.robot_arm(200, np.random.default_rng(0))
    >>> errors(arm.X, arm.y, [5], 2)["waves"].shape
    (1, 2)
    """
    out = {name: np.empty((len(counts), repeats)) for name in MAPS}
    for repeat in range(repeats):
        rng = np.random.default_rng([seed, repeat])
        known, judged = protocol.split(X, y, rng)
        for place, count in enumerate(counts):
            drawn = int(rng.integers(2**32))
            for name, each in MAPS.items():
                found = protocol.cross_validated(each, count, known, judged, drawn)
                out[name][place, repeat] = found["error"]
    return out


def table(found: Mapping[str, Errors], counts: Sequence[int] = COUNTS) -> style.Table:
    """Means, deviations, and p-values of paired t-tests against Nyström features.

    Parameters
    ----------
    found : mapping of str to dict
        By data set, as from `errors` or `stored`.
    counts : sequence of int

    Returns
    -------
    Table

    Examples
    --------
    >>> table(stored()).header[:3]
    ('data', 'samples', 'Nyström features')
    """
    rows = []
    for name, each in found.items():
        for place, count in enumerate(counts):
            drawn = {key: x[place] for key, x in each.items()}
            cells = [f"{x.mean():.1f} ({x.std(ddof=1):.1f})" for x in drawn.values()]
            ours = drawn.pop("nystrom")
            tests = (ttest_rel(ours, x).pvalue for x in drawn.values())
            rows.append((name, f"{count}", *cells, *(f"{p:.1g}" for p in tests)))
    others = [f"p, {LABELS[key]}" for key in LABELS if key != "nystrom"]
    return style.Table(("data", "samples", *LABELS.values(), *others), rows)


def ahead(found: Errors, other: str = "waves") -> list[bool]:
    """Whether Nyström features have the smaller mean, by number of samples.

    Examples
    --------
    >>> ahead({"nystrom": np.array([[1.0], [3.0]]), "waves": np.array([[2.0], [2.0]])})
    [True, False]
    """
    differences = found[other].mean(axis=1) - found["nystrom"].mean(axis=1)
    return [bool(x > 0) for x in differences]


def keep(found: Mapping[str, Errors]) -> None:
    """Write the errors beside this file, to five digits."""
    told = {
        name: {
            key: [[float(f"{x:.5g}") for x in row] for row in rows]
            for key, rows in each.items()
        }
        for name, each in found.items()
    }
    KEPT.keep(told)


def small() -> dict:
    """Two repeats on two hundred points of a robot's arm.

    Examples
    --------
    >>> sorted(small()) == sorted(MAPS)
    True
    """
    arm = datasets.robot_arm(200, np.random.default_rng(0))
    return errors(arm.X, arm.y, [5], 2)


KEPT = LongRun(PATH, __spec__.name, small)


def stored() -> dict[str, Errors]:
    """The errors that came with the package.

    Examples
    --------
    >>> stored()["abalone"]["nystrom"].shape
    (6, 10)
    """
    told = KEPT.read()
    return {
        name: {key: np.array(rows) for key, rows in each.items()}
        for name, each in told.items()
    }


if __name__ == "__main__":
    keep({name: errors(*points(name)) for name in NAMES})
