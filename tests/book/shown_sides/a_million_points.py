"""A million points: what shows words that could be exchanged."""

import re
import warnings
from inspect import getsource

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse.csgraph import shortest_path
from sides_shown import sides

from nystheory import lowrank, manifold
from nystheory.chapters.a_million_points import (
    costs,
    experiments,
    measured,
    pipeline,
)

CHAPTER = "a_million_points"
RUNS = [pipeline.stored(10**power) for power in (4, 5, 6)]
MILLION = RUNS[-1]
RNG = np.random.default_rng(0)


def power_of(name, n=10**6):
    """The power of n in a formula, by ten times the points."""
    told = [costs.operations(m, 100, 50)[name] for m in (n, 10 * n)]
    return np.log10(told[1] / told[0])


GRAPH = costs.operations(2**20, 100, 50)["graph"]
GRAPHS = {r"$n t \log n$": 2**20 * pipeline.NEIGHBOURS * 20, "$n t$": 2**20 * 5}
BYTES = 1e9 * costs.words(10**6, 100)["geodesics"]
CELLS = {
    name: experiments.an_index(
        RNG.standard_normal((3000, 2)).astype(np.float32), 1
    ).nlist
    == 3000 // size
    for name, size in {"$n / 60$": 60, "$n / 24$": 24}.items()
}


def slope_with_overhead():
    """How the last slope changes if some seconds of the second point are no paths."""
    times = [run.of("geodesics").seconds for run in RUNS[1:]]
    told = [np.log10(times[1] / (times[0] - some)) for some in (0, 0.1 * times[0])]
    return told[0] - told[1]


def hours_of_graph():
    """Those foretold by the formula, less those by the power that was measured."""
    n, power = 18 * 10**6, costs.slope(RUNS, "graph")
    told = costs.foretold(RUNS, n, 100)["graph"]
    return told - MILLION.of("graph").seconds * (n / MILLION.n) ** power


# ---- Neighbours and graphs

X = RNG.standard_normal((1200, 3)).astype(np.float32)
NEAR = manifold.neighbours(X, 5, search="exact")


COMPARED = [experiments.compared(X[:n], 3) for n in (600, 1200)]
SEARCHED = 1 + np.log2(COMPARED[1] / COMPARED[0])


def found_in(probes):
    made = experiments.by_index(X, 5, probes)
    pairs = zip(NEAR.indices, made.indices, strict=True)
    return np.mean([len(set(a) & set(b)) / 5 for a, b in pairs])


def cut_by_limit(of):
    """The share of edges that a limit cuts which is the 95th percentile of all."""
    limit = np.percentile(NEAR.distances, 95)
    return np.mean(manifold.neighbours(X[:of], 5).distances > limit)


APART = np.array([[0.0], [1], [2], [5], [6]])


def pieces(how):
    isomap = manifold.Isomap(1, n_neighbors=1, disconnected=how)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return isomap.fit(APART)


def across():
    """The distance of the nearest points of two components, once they are joined."""
    Y = pieces("connect").embedding_[:, 0]
    return abs(Y[2] - Y[3])


KEPT = np.isfinite(pieces("largest").embedding_).all(axis=1).sum()

# ---- Landmarks

P = RNG.standard_normal((40, 4))
D = np.linalg.norm(P[:, None] - P[:8], axis=2)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    PLACED = manifold.LandmarkMDS(2).fit(D)
Y = PLACED.embedding_
CENTRED = {"landmarks": P[:8].mean(axis=0), "points": P.mean(axis=0)}
LEFT = 1 - (Y**2).sum() / ((P - CENTRED["landmarks"]) ** 2).sum()
BETWEEN = np.linalg.norm(Y[:, None] - Y[:8], axis=2) - D
PROJECTOR = np.diag([1.0, 1, 0, 0])
SHRUNK = np.linalg.norm(P @ PROJECTOR, axis=1) - np.linalg.norm(P, axis=1)
PAIRS = ((P[:, None] - P) ** 2).sum()
SUM = 2 * (P.sum(axis=0) ** 2).sum()


def small_and_positive():
    """Whether K may be indefinite: flat points, two of which are farther apart."""
    flat = RNG.standard_normal((6, 3)) * [1, 1, 0.1]
    far = np.linalg.norm(flat[:, None] - flat, axis=2)
    far[4, 5] = far[5, 4] = 1.3 * far[4, 5]
    H = np.eye(6) - np.tile(np.r_[np.full(4, 1 / 4), 0, 0], (6, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        residual = manifold.LandmarkMDS(2).fit(far[:, :4]).residual_
    assert 1e-6 < residual < 0.05
    return np.linalg.eigvalsh(-H @ far**2 @ H.T / 2)[0] < -0.01


UNKNOWN = small_and_positive()


SOURCES = measured.sources(500, 100, RNG)

# ---- The cells of an index


def best_cells(rounds=4, probes=24, n=10**5):
    best = minimize_scalar(
        lambda c: rounds * n * c + n * probes * n / c, (10, 1000), method="golden"
    )
    return best.x, best.fun, rounds * n * best.x, n * probes * n / best.x


CHOSEN, LEAST, LEARNED, LOOKED = best_cells()
OF_CELLS = {
    r"$c = \sqrt{p n / r}$": np.sqrt(24 * 1e5 / 4),
    r"$c = \sqrt{r n / p}$": np.sqrt(4 * 1e5 / 24),
}
SMALLEST = {
    r"$2 n \sqrt{r p n}$": 2e5 * np.sqrt(4 * 24 * 1e5),
    r"$n \sqrt{r p n}$": 1e5 * np.sqrt(4 * 24 * 1e5),
}

EDGES = [manifold.neighbours(X[:n], 5).indices.size for n in (300, 600)]
RING = np.diag(np.ones(9), 1)
RING[0, 9] = 1
MISSING, WRONG = RING.copy(), RING.copy()
MISSING[4, 5] = 0
WRONG[0, 5] = 0.1
RING, MISSING, WRONG = (
    shortest_path(x, directed=False) for x in (RING, MISSING, WRONG)
)


def ways(missing, wrong):
    word = {"longer": np.greater, "shorter": np.less}
    other = {"longer": np.less, "shorter": np.greater}
    return (
        word[missing](MISSING, RING).any()
        and not other[missing](MISSING, RING).any()
        and word[wrong](WRONG, RING).any()
        and not other[wrong](WRONG, RING).any()
    )

GRAM = P @ P.T
MADE = lowrank.nystrom(GRAM, [0, 1, 2])
VALUES, U = (x[..., ::-1] for x in np.linalg.eigh(MADE.spectral_reconstruction()))
CUT = U[:, :2] * VALUES[:2] @ U[:, :2].T
NUCLEAR = np.linalg.norm(GRAM - CUT, "nuc")
MISSED = np.trace(GRAM) - VALUES.sum()


def are_off(word):
    """What held-out geodesics of a ring tell, if an edge is missing from all."""
    (graph,) = {*re.findall(r"(\w+)\.geodesics\(", getsource(pipeline.run))}
    assert graph == "graph"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Y = manifold.LandmarkMDS(1).fit(MISSING[:, :4]).embedding_
    held = {"same": MISSING, "exact": RING}[word][:, [5, 8]]
    return pipeline.apart(Y, [5, 8], held) < 1e-9


def rise_last(words):
    """Whether each line is least, or largest, inside."""
    pick = {"fall and rise": np.argmin, "rise and fall": np.argmax}[words]
    inside = [pick([*run.held_out.values()]) for run in RUNS]
    return all(0 < at < len(pipeline.COUNTS) - 1 for at in inside)


sides(
    CHAPTER,
    {
        "goes into the neighbours. The search itself is [linear|quadratic]": {
            "linear": abs(SEARCHED - 1) < 0.1,
            "quadratic": abs(SEARCHED - 2) < 0.1,
        },
        "times Dijkstra's algorithm, and nearly [linear|quadratic]": {
            "linear": abs(power_of("geodesics") - 1) < 0.1,
            "quadratic": abs(power_of("geodesics") - 2) < 0.1,
        },
        "An index that looks through [few|many] cells misses neighbours": {
            "few": found_in(1) < 0.95,
            "many": found_in(20) < 0.95,
        },
        "A projector [lengthens|shortens] nothing": {
            "lengthens": SHRUNK.max() <= 0,
            "shortens": SHRUNK.min() >= 0,
        },
        r"\|z_i - z_j\|^2 = [2 n|n] \sum_i": {
            "2 n": np.isclose(PAIRS, 80 * (P**2).sum() - SUM),
            "n": np.isclose(PAIRS, 40 * (P**2).sum() - SUM),
        },
        "In Landmark MDS $K$ has the mean of the [landmarks|points] at the origin": (
            lambda word: np.allclose(
                Y[:8].mean(axis=0) if word == "landmarks" else Y.mean(axis=0), 0
            )
        ),
        "`residual_` holds the trace that is [left out|kept] as a share": {
            "left out": np.isclose(PLACED.residual_, LEFT),
            "kept": np.isclose(PLACED.residual_, 1 - LEFT),
        },
        "is below zero: the fifty coordinates hold [more] than the trace": (
            -MILLION.residual
        ),
        "- A small positive residual proves [nothing|that $K$ is semidefinite].": {
            "nothing": UNKNOWN,
            "that $K$ is semidefinite": not UNKNOWN,
        },
        "coordinates exist for the [largest|smallest] component only": {
            "largest": KEPT == 3,
            "smallest": KEPT == 2,
        },
        "adds an edge between the [nearest|farthest] points of every two": {
            "nearest": np.isclose(across(), 3),
            "farthest": np.isclose(across(), 2 + 6 + 1),
        },
        r"both parts are equal, [$c = \sqrt{p n / r}$|$c = \sqrt{r n / p}$]": (
            lambda formula: np.isclose(CHOSEN, OF_CELLS[formula], rtol=1e-4)
            and np.isclose(LEARNED, LOOKED, rtol=1e-4)
        ),
        r"and is then [$2 n \sqrt{r p n}$|$n \sqrt{r p n}$]": (
            lambda formula: np.isclose(LEAST, SMALLEST[formula])
        ),
        "There are [$n / 60$|$n / 24$] cells": CELLS,
        r"*The graph* sorts its edges, [$n t \log n$|$n t$]": (
            lambda formula: np.isclose(GRAPH, GRAPHS[formula])
        ),
        "Its slope is [above] that of the formula": (
            costs.slope(RUNS, "graph") - power_of("graph", 10**5)
        ),
        "from a few [points that are not landmarks|of the landmarks], and compare": {
            "points that are not landmarks": not np.intersect1d(*SOURCES).size,
            "of the landmarks": set(SOURCES[1]) <= set(SOURCES[0]),
        },
        "so that the last slope is rather too [small]": slope_with_overhead(),
        "as for the graph, the hours are rather too [few]": hours_of_graph(),
        "$C$ takes [$4 n l$|$8 n l$] bytes": {
            "$4 n l$": np.isclose(BYTES, 4 * 10**6 * 100),
            "$8 n l$": np.isclose(BYTES, 8 * 10**6 * 100),
        },
        "are shorter, and a limit is [milder|stricter]": {
            "milder": cut_by_limit(1200) < cut_by_limit(300),
            "stricter": cut_by_limit(1200) > cut_by_limit(300),
        },
        "no distance between coordinates could be [longer|shorter] than the": {
            "longer": BETWEEN.max() < 1e-9,
            "shorter": BETWEEN.min() > -1e-9,
        },
        "each over [twice|half] as many edges": {
            "twice": np.isclose(EDGES[1] / EDGES[0], 2),
            "half": np.isclose(EDGES[1] / EDGES[0], 1 / 2),
        },
        "Where an edge is missing, the way around is [longer|shorter]; a wrong edge in "
        "its place may make others [shorter|longer]": ways,
        r"plus the eigenvalues of $\tilde K$ [after|among] the first $k$": {
            "after": np.isclose(NUCLEAR, MISSED + VALUES[2:].sum()),
            "among": np.isclose(NUCLEAR, MISSED + VALUES[:2].sum()),
        },
        "They come from the [same graph, so what its index misses is missing from both"
        "|exact graph, so what the index misses shows in them]": (
            lambda words: are_off(words.split()[0])
        ),
        "that lies further [below|above] zero than rounding can bring it": {
            "below": PLACED.residual_ >= 0,
            "above": PLACED.residual_ <= 0,
        },
        "that are [no landmarks|landmarks] and the distances between k coordinates": {
            "no landmarks": not np.intersect1d(*SOURCES).size,
            "landmarks": set(SOURCES[1]) <= set(SOURCES[0]),
        },
        "Three lines that [fall and rise|rise and fall] again": rise_last,
    },
)
