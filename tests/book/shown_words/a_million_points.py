"""A million points: what shows its words that compare."""

from math import comb
from types import SimpleNamespace

import numpy as np
from scipy.sparse.csgraph import shortest_path
from words_shown import TEXTS, found, more, never, ran, shown, typed

from nystheory import datasets, manifold
from nystheory.chapters.a_million_points import costs, experiments, pipeline
from nystheory.manifold import _neighbours as package

CHAPTER = "a_million_points"
INDEX, GROWN, CERTIFIED, ENOUGH, HELD = (
    found(f"{CHAPTER}:{name}")
    for name in ("index", "grown", "certified", "enough", "held")
)
RUNS = [pipeline.stored(10**power) for power in (4, 5, 6)]
N = 10**6

# ---- The half circle

BY_HAND = ran(CHAPTER, "angles = ")
OF_A_CIRCLE = np.ptp(BY_HAND["angles"]) / (2 * np.pi)
DRAWN_ON_THE_PAGE = TEXTS[CHAPTER].count("datasets.scenes(n,") + TEXTS[CHAPTER].count(
    "pipeline.run(n,"
)


def walks_from_a_landmark():
    """If no column is kept: first for W, and once more for the product."""
    edges, own = BY_HAND["edges"], BY_HAND["own"]
    walks = []

    def column(start):
        walks.append(start)
        return shortest_path(edges, indices=start) ** 2

    D = np.array([column(start)[own] for start in own])
    mean = D.mean(axis=0)
    values, U = np.linalg.eigh(-0.5 * (D - mean - mean[:, None] + mean.mean()))
    weights = -0.5 * U[:, -1] / np.sqrt(values[-1])
    parts = zip(own, mean, weights, strict=True)
    Y = sum(weight * (column(start) - x) for start, x, weight in parts)
    assert np.allclose(abs(Y), abs(BY_HAND["Y"]))
    return len(walks) / len(own)


# ---- Powers of n


def slope(costs_of, n):
    ends = [SimpleNamespace(n=m, seconds=costs_of(m)) for m in (n, 10 * n)]
    return costs.slope(ends)


def slope_of_what_grows():
    powers = (0.5, 1.0, 2.0)
    slopes = [slope(lambda n, p=power: 3.0 * n**p, 1000) for power in powers]
    assert np.allclose(slopes, powers)
    return min(slopes)


def time_of_twice_the_points(power):
    def line(n):
        return 3.0 * n**power

    assert np.isclose(slope(line, 1000), power)
    return line(2000) / line(1000)


def comparisons(n):
    return costs.operations(n, 100, 50)["neighbours"] / (2 * pipeline.REDUCED)


def with_cells(n):
    return comparisons(n) - n * package.CELLS * package.POINTS_A_CELL


def rise_by_cells():
    """Of the slope of the comparisons; that of the others is one throughout."""
    slopes = np.array([slope(comparisons, 10**power) for power in (3, 4, 5, 6, 7)])
    others = [slope(lambda n: comparisons(n) - with_cells(n), 10**k) for k in (3, 7)]
    assert np.allclose(others, 1) and slopes[-1] < 2
    return min(np.diff(slopes))


X = np.random.default_rng(0).standard_normal((2000, 3)).astype(np.float32)
MORE_CELLS = experiments.an_index(X, 1).nlist - experiments.an_index(X[:1000], 1).nlist
RECALLED = manifold.neighbours(
    X, 1, search="approximate", rng=np.random.default_rng(0)
).recall_of
LEARNED_FROM = package.LEARNED_FROM / package.POINTS_A_CELL
ROUNDS = experiments.an_index(X, 1).cp.niter


def times_with_all_cells():
    """Besides the rounds in which they are learned."""
    assert ROUNDS == 10
    return with_cells(N) / (N * N / package.POINTS_A_CELL) - ROUNDS * LEARNED_FROM


def power_of_comparing_with_cells():
    power = slope(with_cells, N)
    assert np.isclose(power, 2)
    return power


def power_of_memory():
    """From the graph on, on all data; it is that of the points to a hundredth."""
    powers = np.array([GROWN.measured("memory_power", "index", x) for x in GROWN.draws])
    assert abs(powers - 1).max() < 0.01
    return powers.min()


# ---- What is missed, and what is left


def farther_in_its_place():
    """By how much the farthest neighbour is, where the index missed a true one."""
    true = manifold.neighbours(X, 5, search="exact")
    made = experiments.by_index(X, 5, 1)
    pairs = zip(true.indices, made.indices, strict=True)
    missed = np.array([bool(set(x) - set(y)) for x, y in pairs])
    assert 20 < missed.sum() < len(X)
    return (made.distances - true.distances)[missed, -1].min()


def changed_by_more_points():
    """How much the mean distances to neighbours change with twice as many points."""
    digits = np.random.default_rng(0).permutation(datasets.digits().X)
    return max(
        np.subtract(
            manifold.neighbours(points, 5).distances.mean(axis=0),
            manifold.neighbours(points[::2], 5).distances.mean(axis=0),
        ).max()
        for points in (X, digits)
    )


def cells_less_those_of_the_package():
    runs = [x.run for x in INDEX.experiment.competitors.values() if x.run]
    assert max(runs) == package.CELLS
    return max(x for x in runs if x != max(runs)) - package.CELLS


def sizes_of_sets_that_move():
    """Less a million; their recall is above 99 percent."""
    on = INDEX.experiment.findings["moved"].on
    assert INDEX["moved"].good
    assert all(INDEX.measured("recall", "eight", x).min() > 99 for x in on)
    return max(INDEX.experiment.data[x].size for x in on) - N


def less_than_the_mean_square():
    """How much in mean squares between landmarks, for points in space."""
    X = np.random.default_rng(0).standard_normal((9, 3))
    D = ((X[:, None] - X[:4]) ** 2).sum(axis=2)
    diagonal = ((X - X[:4].mean(axis=0)) ** 2).sum(axis=1)
    shares = (D.mean(axis=1) - diagonal) / D[:4].mean()
    assert np.ptp(shares) < 1e-12
    return shares[0]


def certified(field):
    return CERTIFIED.measured(field, "all", "heads").mean(axis=0)


BOTH_FALL = max(np.diff(certified(field)).max() for field in ("error", "bound"))


def beyond_the_best():
    """By how much each step away from the best number costs, in all runs; negative."""
    steps = []
    for run in RUNS:
        counts, off = zip(*run.held_out.items(), strict=True)
        best = off.index(min(off))
        assert counts[best] < counts[-1]
        steps += list(np.diff(off[best:]))
    return -min(steps)


def gained_by_nearest():
    """How much fewer errors the coordinates make: in draws, and in the three runs."""
    assert more(f"{CHAPTER}:worth/nearest", "coordinates") > 0
    return max(run.error["reduced"] - run.error["embedded"] for run in RUNS)


def off(name):
    return np.ptp(ENOUGH.measured("away", name, "heads"), axis=0)


shown(
    CHAPTER,
    {
        "have [half] a million million pairs": comb(N, 2) / N**2,
        "nine points of a [half] circle": OF_A_CIRCLE,
        "The [half] circle has become a line": OF_A_CIRCLE,
        "the steps then run [twice], because they are timed once more": (
            DRAWN_ON_THE_PAGE
        ),
        "the power of $n$ by which the time [grows]": slope_of_what_grows(),
        "the number of cells [grows] with $n$, and each point is compared with all of "
        "them; this makes the slope [rise] towards two": (MORE_CELLS, rise_by_cells()),
        "the exact neighbours of a thousand points, drawn at random, cost a "
        "[thousand times] $n$ distances": RECALLED,
        "the index puts another point in its place, [farther] away": (
            farther_in_its_place()
        ),
        "Among more points of one kind the distances to neighbours are [shorter]": (
            changed_by_more_points()
        ),
        "24 cells, as for the million, and through [fewer]": (
            cells_less_those_of_the_package()
        ),
        "it is the mean of their squares, less [half] the mean square between "
        "landmarks": less_than_the_mean_square(),
        "On the heads both [fall] slowly": BOTH_FALL,
        "Beyond the best number more coordinates are [worse]": beyond_the_best(),
        "on {{ pipeline.JUDGED }} points, or on all where there are [fewer]": (
            RUNS[0].n - pipeline.JUDGED
        ),
        "here was little to [gain], because the graph was made of the nearest "
        "neighbours of the reduced points": never(gained_by_nearest()),
        "on [smaller] sets an index with a recall above 99 percent moves the "
        "points": (
            sizes_of_sets_that_move()
        ),
        "from the graph on this memory [grows] as the number of points does": (
            power_of_memory()
        ),
        "A slope of one says that [twice] the points take [twice] the time; a slope of "
        "two, [four times]": (
            2000 / 1000,
            time_of_twice_the_points(1),
            time_of_twice_the_points(2),
        ),
        "learns them from [a sixth] of the points in ten rounds, and then each point "
        "is compared with all cells [twice]": (LEARNED_FROM, times_with_all_cells()),
        "the comparison with all cells that makes the slope [rise]": rise_by_cells(),
        "Two hundred pictures, [six times] each": typed(
            CHAPTER, r"np\.repeat\(X\[:200\], (\d+), axis"
        ),
        "the comparison with the cells that [grows] as $n^2$": (
            power_of_comparing_with_cells()
        ),
        "Dijkstra's algorithm runs from every landmark [twice]": (
            walks_from_a_landmark()
        ),
        "With all fifty coordinates {{ 100 * too_long:.2f }} percent of them are "
        "[longer]": HELD.measured("long", "some", "heads").min() - 99,
        "the range of two coordinates is [wider]": min(off("two") - off("ten")),
    },
)
