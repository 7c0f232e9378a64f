"""What does it cost?  Powers of n, formulas, and what they say of more points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory.chapters.a_million_points import pipeline

# --- The source ----------------------------------------------------------------------

# The thesis's scale, section 3.1.3: images of faces, landmarks, and what it told of
# times and memory, in seconds and in terabytes; it took a cluster of several hundred
# machines.  The graph took one machine; "about one hour" is the decomposition.
THESIS = {
    "n": 18_200_000,
    "n_landmarks": 10_000,
    "n_components": 100,
    "dimensions": 2304,
    "limit_from": 35_247,
    "neighbours": 2 * 24 * 3600,
    "graph": 10 * 60,
    "geodesics": 60 * 60,
    "coordinates": 3600 + 90 * 60,
    "all, TB": 1300,
    "without limit": {1: 0.05, 2: 97.2, 3: 99.3, 5: 99.9},
    "within limit": {1: 0.03, 2: 80.1, 3: 82.2, 5: 83.1},
}


# --- The line of cost ----------------------------------------------------------------


def slope(runs: Sequence[pipeline.Run], name: str | None = None) -> float:
    """By which power of n the time of a step grew between the two largest runs.

    Parameters
    ----------
    runs : sequence of Run
        By size.
    name : str, optional
        The step, or all of them.

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> round(slope([Some(n=10, seconds=1.0), Some(n=100, seconds=10.0)]), 9)
    1.0
    """
    times = [(run.of(name) if name else run).seconds for run in runs[-2:]]
    sizes = [run.n for run in runs[-2:]]
    return float(np.log(times[1] / times[0]) / np.log(sizes[1] / sizes[0]))


def foretold(
    runs: Sequence[pipeline.Run], n: int, n_landmarks: int
) -> dict[str, float]:
    """The seconds of each step for more points and landmarks, by its formula.

    Parameters
    ----------
    runs : sequence of Run
        By size; the two largest are used.
    n, n_landmarks : int

    Notes
    -----
    Neighbours are ``a n + b n^2``, through both runs: the search, and the cells.  All
    other steps are scaled from the largest run: the graph as ``n log n``, pictures as
    n, geodesics as ``l n log n``, coordinates as ``l n``: without the ``l^3`` of W.

    Examples
    --------
    >>> runs = [pipeline.stored(10**4), pipeline.stored(10**5)]
    >>> told = foretold(runs, 10**5, 100)
    >>> round(told["render"] / runs[1].of("render").seconds, 9)
    1.0
    """
    less, more = runs[-2:]
    times = [run.of("neighbours").seconds for run in (less, more)]
    powers = np.array([[run.n, float(run.n) ** 2] for run in (less, more)])
    a, b = np.linalg.solve(powers, times)
    sizes, few = n / more.n, n_landmarks / more.n_landmarks
    logs = sizes * np.log(n) / np.log(more.n)
    scale = {"render": sizes, "graph": logs}
    scale |= {"geodesics": few * logs, "coordinates": few * sizes}
    told = {name: more.of(name).seconds * by for name, by in scale.items()}
    return told | {"neighbours": float(a * n + b * float(n) ** 2)}


def operations(n: int, n_landmarks: int, n_components: int) -> dict[str, float]:
    """How many operations the steps ask for, by their formulas.

    Parameters
    ----------
    n, n_landmarks, n_components : int

    Notes
    -----
    Pictures have 1024 pixels of 8 balls each.  The index learns n / 60 cells
    from a sixth of the points in 10 rounds, finds the cell of each point once to store
    it and once to look it up, and looks through 24 cells; a distance of d numbers
    counts as 2 d.  The graph sorts its edges.  A visit of Dijkstra's algorithm counts
    its edges and a logarithm.

    Examples
    --------
    >>> operations(10**6, 100, 50)["coordinates"]
    10000000000
    """
    d, t, cells = pipeline.REDUCED, pipeline.NEIGHBOURS, n / 60
    logarithm = float(np.log2(n))
    return {
        "render": 8 * pipeline.SIZE**2 * n,
        "neighbours": 2 * n * d * ((10 / 6 + 2) * cells + 24 * 60),
        "graph": n * t * logarithm,
        "geodesics": n_landmarks * n * (2 * t + logarithm),
        "coordinates": 2 * n * n_landmarks * n_components,
    }


def words(n: int, n_landmarks: int, t: int = 5, d: int = 50) -> dict[str, float]:
    """Gigabytes of what must be kept, by their formulas.

    Parameters
    ----------
    n, n_landmarks : int
    t, d : int
        Neighbours and dimensions.

    Examples
    --------
    >>> words(10**6, 100)["geodesics"]
    0.4
    """
    return {
        "points": 4 * n * d / 1e9,
        "neighbours": 16 * n * t / 1e9,
        "geodesics": 4 * n * n_landmarks / 1e9,
        "all geodesics": 4 * n**2 / 1e9,
    }
