"""What docstrings of manifolds and kernels say in words, and whether it is true."""

import itertools
import warnings
from functools import cache

import numpy as np
from scipy.spatial.distance import cdist
from words_of_docstrings import NORMS, says

from nystheory import manifold

X = np.random.default_rng(3).standard_normal((16, 2))
# Three groups, of 6, 5 and 3 points.
GROUPS = np.repeat([[0.0, 0], [50, 0], [0, 90]], [6, 5, 3], axis=0)
APART = GROUPS + 0.5 * np.random.default_rng(1).standard_normal((14, 2))
APART.setflags(write=False)


def quietly(function, *given, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given, **more)


def graph(points=APART, t=2, **given):
    return manifold.neighbours(points, t).graph(**given)


# ---- Accuracy


def squares(A):
    return cdist(A, A, "sqeuclidean")


def stretched():
    """A kernel matrix, its best coordinates, and these times some factors."""
    K = X[:8] @ X[:8].T + np.diag(np.linspace(0.1, 2, 8))
    s, V = np.linalg.eigh(K)
    best = V[:, -2:] * np.sqrt(s[-2:])
    return K, best, [t * best for t in np.linspace(0.9, 1.4, 26)]


@says("manifold.distance_preservation", "``|D - D_k|_F [/] |D - D~|_F``", "*")
def of_distances(by):
    K, best, some = stretched()
    D = kernel_distances(K)
    size = np.linalg.norm(D - squares(best))
    others = np.array([np.linalg.norm(D - squares(Y)) for Y in some])
    told = [manifold.distance_preservation(K, Y, best) for Y in some]
    return np.allclose(told, size / others if by == "/" else size * others)


@says(
    "manifold.distance_preservation",
    "[above] it where they are [better], which the best in the [Frobenius] norm "
    "of K does",
    "below", "worse", "largest",
)
def better_than_the_best(word, other, norm):
    """Nothing of rank 2 is nearer to K, and some distances are nearer all the same."""
    norms = {"Frobenius": NORMS["Frobenius"], "largest": lambda E: abs(E).max()}
    K, best, some = stretched()
    D, size = kernel_distances(K), norms[norm]
    own = np.linalg.norm(D - squares(best))
    told = np.array([manifold.distance_preservation(K, Y, best) for Y in some])
    nearer = np.array([np.linalg.norm(D - squares(Y)) for Y in some]) < own
    up = told > 1 if word == "above" else told < 1
    right = np.array_equal(up, nearer if other == "better" else ~nearer)
    best_of_all = all(size(K - Y @ Y.T) > size(K - best @ best.T) - 1e-9 for Y in some)
    return right and nearer.any() and best_of_all


def kernel_distances(K):
    d = np.diag(K)
    return d[:, None] + d - 2 * K


LABELS, CLUSTERS = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]


@says(
    "manifold.accuracy",
    "Each label counts where [most] of it is; [1] for one cluster",
    "least", "0",
)
def each_label(word, whole):
    end = {"most": max, "least": min}[word]
    by_hand = sum(end(_counts(CLUSTERS, LABELS, c)) for c in {*LABELS}) / 6
    one = manifold.accuracy(LABELS, [0] * 6)
    return np.isclose(manifold.accuracy(LABELS, CLUSTERS), by_hand) and (
        one == float(whole)
    )


def _counts(names, others, c):
    """How often each name stands beside c."""
    beside = [x for x, y in zip(names, others, strict=True) if y == c]
    return [beside.count(x) for x in {*beside}]


@says(
    "manifold.purity",
    "Each cluster counts as its [most] frequent label; [1] where all are of one "
    "label",
    "least", "0",
)
@says("manifold.purity", "Clusters of [one] point each have the purity [1]", "two", "0")
def each_cluster(word, whole):
    if word in ("one", "two"):
        each = range(6) if word == "one" else [0, 0, 1, 1, 2, 2]
        return manifold.purity(LABELS, [*each]) == float(whole)
    end = {"most": max, "least": min}[word]
    by_hand = sum(end(_counts(LABELS, CLUSTERS, c)) for c in {*CLUSTERS}) / 6
    return np.isclose(manifold.purity(LABELS, CLUSTERS), by_hand) and (
        manifold.purity([0] * 6, CLUSTERS) == float(whole)
    )


@says(
    "manifold.neighbour_error",
    "the points held out that are classified [wrongly]",
    "rightly",
)
def wrongly(word):
    """Of points of one class and a single other one few can be wrong."""
    y = np.eye(16)[0]
    found = manifold.neighbour_error(X, y, np.random.default_rng(0))
    return found <= 2 / 8 if word == "wrongly" else found >= 6 / 8


# ---- Graphs


@says("manifold.Neighbours", "of every point, itself [left out]", "included")
@says("manifold.Neighbours", "ndarray (n, t) [Nearest] first", "Farthest")
def nearest(word):
    found = manifold.neighbours(X, 4)
    own = (found.indices == np.arange(16)[:, None]).any()
    steps = np.diff(found.distances, axis=1)
    return {
        "left out": not own,
        "included": own,
        "Nearest": (steps >= 0).all(),
        "Farthest": (steps <= 0).all(),
    }[word]


@says("manifold.neighbours", "[Copies] of a point are its neighbours", "Opposites")
def copies(word):
    A = np.vstack([X[:5], X[:5] if word == "Copies" else -X[:5]])
    found = manifold.neighbours(A, 1)
    return bool((found.indices[:5, 0] == np.arange(5, 10)).all())


@says(
    "manifold.Neighbours.graph",
    "Two points are joined if [one is] among the nearest of the other",
    "each is",
)
def joined(word):
    found = manifold.neighbours(X, 3)
    near = np.zeros((16, 16), dtype=bool)
    near[np.arange(16)[:, None], found.indices] = True
    by_hand = near | near.T if word == "one is" else near & near.T
    made = found.graph(whole=True).lengths.toarray() > 0
    return np.array_equal(made, by_hand)


@says(
    "manifold.Neighbours.graph",
    "The graph of neighbours, or its [largest] connected",
)
@says("manifold.NeighbourGraph", "A graph of neighbours, or its [largest] connected")
@says("manifold.LeftOut", "Points that are not in the [largest] component have no")
@says(
    "manifold.Neighbours.graph",
    "Whether all components are kept, and not the [largest]",
)
def kept(word):
    some = {"largest": range(6), "smallest": range(11, 14)}[word]
    found = quietly(graph)
    made = quietly(
        manifold.Isomap(1, n_neighbors=2, disconnected="largest").fit, APART
    ).embedding_
    with_numbers = np.flatnonzero(np.isfinite(made[:, 0]))
    same = [*found.kept] == [*some] and [*with_numbers] == [*some]
    return same and len(quietly(graph, whole=True).kept) == 14


@says("manifold.Neighbours.graph", "No edge is [longer]: section", "shorter")
@says("manifold.LaplacianEigenmaps", "No edge of the graph is [longer]", "shorter")
def limited(word):
    end = float(np.quantile(manifold.neighbours(X, 3).distances, 0.6))
    long = manifold.neighbours(X, 3).graph(limit=end, whole=True).lengths.data
    return bool(np.all(long <= end) if word == "longer" else np.all(long >= end))


@says("manifold.NeighbourGraph", "The sizes of all components, [largest] first")
@says("manifold.NeighbourGraph", "0 for the [largest]; None where only one is kept")
def parts(word):
    found = quietly(graph, t=2, whole=True)
    sizes = [int(n) for n in found.sizes]
    first = {"largest": max, "smallest": min}[word]
    return sizes[0] == first(sizes) and [*np.bincount(found.parts)] == sizes


@says("manifold.NeighbourGraph", "symmetric; edges between copies have length [0]", "1")
def between_copies(word):
    found = graph(np.vstack([X[:5], X[:5]]), t=3, whole=True).lengths.tocoo()
    twin = abs(found.row - found.col) == 5
    return twin.any() and bool((found.data[twin] == float(word)).all())


@says(
    "manifold.NeighbourGraph.geodesics",
    "order; [infinite] between components",
    "zero",
)
def between_components(word):
    found = quietly(graph, whole=True).geodesics([0])
    value = {"infinite": np.inf, "zero": 0}[word]
    return bool((found[6:] == value).all() and np.isfinite(found[:6]).all())


@says("manifold.Components", "and the share of the points in the [largest]")
def share_of_the_largest(word):
    row = quietly(manifold.neighbours(APART, 2).components, [2], [None]).rows[0]
    share = {"largest": 6 / 14, "smallest": 3 / 14}[word]
    return np.isclose(row[3], share)


# ---- Landmark MDS


def distances(euclidean=True, m=9, size=5):
    """Of points; or the lengths of paths on a star, which no points have."""
    if euclidean:
        return cdist(X[:m], X[:size])
    far = np.full((m, size), 2.0)
    far[0], far[:, 0] = 1.0, 1.0
    far[np.arange(size), np.arange(size)] = 0
    return far


def scaled(far, method="nystrom", k=2):
    return quietly(manifold.LandmarkMDS(k, method=method).fit, far)


@says(
    "manifold.LandmarkMDS",
    "``[-1/2] (d - mean_) weights_`` are the coordinates of [squared] distances d",
    "1/2", "plain",
)
@says("manifold.Isomap.transform", "``[-1/2] (d - mean) weights``", "1/2")
def coordinates(by, power="squared"):
    for method in ("nystrom", "column-sampling"):
        far = distances()
        made = scaled(far, method)
        d = far**2 if power == "squared" else far
        own = {"-1/2": -0.5, "1/2": 0.5}[by] * (d - made.mean_) @ made.weights_
        if not np.allclose(own, made.embedding_):
            return False
    return True


@says("manifold.LandmarkMDS", "as the method estimates them, [largest] first")
@says("manifold.Isomap", "as the method estimates them, [largest] first")
def falling(word):
    s = scaled(distances()).eigenvalues_
    return bool(s[0] > s[1] if word == "largest" else s[0] < s[1])


@says(
    "manifold.LandmarkMDS",
    "the share of the negative ones: [0] where the landmarks are points of a "
    "[Euclidean] space",
    "1", "non-Euclidean",
)
@says(
    "manifold.Isomap",
    "the share of the negative ones: [0] where geodesics are distances of a "
    "[Euclidean] space",
    "1", "non-Euclidean",
)
def negative(value, space):
    made = scaled(distances(space == "Euclidean"), k=1)
    return np.isclose(made.negative_share_, float(value))


@cache
def stars():
    """Distances of a graph, with what is left of the trace beside the least eigenvalue.

    Points of the plane, with a point that is nearer to all others than they allow.
    """
    told = []
    for seed in range(40):
        A = np.random.default_rng(seed).standard_normal((12, 2))
        far = cdist(A, A)
        for near in (1.0, 0.6, 0.3):
            path = np.minimum(far, near * (far[:, :1] + far[:1]))
            np.fill_diagonal(path, 0)
            try:
                made = scaled(path[:, :6], k=2)
            except ValueError:
                continue
            H = np.eye(12) - np.outer(np.ones(12), np.arange(12) < 6) / 6
            W = -0.5 * (H @ path**2 @ H.T)
            least = np.linalg.eigvalsh(W)[0]
            told.append((made.residual_, made.negative_share_, least))
    return told


@says(
    "manifold.LandmarkMDS",
    "it [may be below] zero where there are [negative] eigenvalues",
    "is never below", "no negative",
)
@says(
    "manifold.Isomap",
    "and [may be below] zero where some [are]",
    "is never below", "are not",
)
def residuals(word, sign):
    some = [r for r, share, least in stars() if (least < -1e-9) == (sign in (
        "negative", "are"))]
    assert some
    return (min(some) < -1e-9) == (word == "may be below")


@says(
    "manifold.Isomap",
    "The share of the [trace] of the centred kernel that the coordinates leave "
    "[out]",
    "spectral norm", "in",
)
@says(
    "manifold.LandmarkMDS",
    "The share of the [trace] of the centred kernel that `embedding_` leaves "
    "[out]",
    "spectral norm", "in",
)
def left_out(norm, side):
    far = distances(size=9)
    made = scaled(far, k=1)
    H = np.eye(9) - 1 / 9
    K = -0.5 * H @ far**2 @ H
    E = K - made.embedding_ @ made.embedding_.T
    of = np.trace if norm == "trace" else NORMS["spectral"]
    share = of(E) / of(K) if side == "out" else 1 - of(E) / of(K)
    return np.isclose(made.residual_, share)


@says(
    "manifold.LandmarkMDS",
    "by interlacing its [smallest] eigenvalue is [not above] that of W",
    "largest", "not below",
)
def interlacing(end, word):
    told = []
    for seed in range(20):
        A = np.random.default_rng(seed).standard_normal((8, 8))
        A = A + A.T
        place = {"smallest": 0, "largest": -1}[end]
        whole, part = (np.linalg.eigvalsh(x)[place] for x in (A, A[:4, :4]))
        told.append(whole <= part if word == "not above" else whole >= part)
    return all(told)


@says(
    "manifold.LandmarkMDS",
    "for the Nyström method it is all [the same] whether the rows of C are "
    "centred, too",
    "another",
)
@says(
    "manifold.LandmarkMDS",
    "For Column-sampling it is [not], and they [are]",
    "the same", "are not",
)
def rows_centred(word, which=None):
    far = distances()
    d = far[:5] ** 2
    made = scaled(far)
    C = -0.5 * (far**2 - d.mean(axis=0))
    rows = C - C.mean(axis=1, keepdims=True)
    if which is None:
        same = np.allclose(C @ made.weights_, rows @ made.weights_)
        return same == (word == "the same")
    one, other = (np.linalg.svd(A, full_matrices=False) for A in (C, rows))
    differ = not np.allclose(one[1][:2], other[1][:2])
    own = scaled(far, "column-sampling").embedding_
    U = (other if which == "are" else one)[0][:, :2]
    spans = np.allclose(U @ (U.T @ own), own)
    return spans and differ == (word == "not")


@says(
    "manifold.Isomap",
    '``"connect"`` adds an edge between the [nearest] points of each two '
    "components",
    "farthest",
)
def links(word):
    made = quietly(manifold.Isomap(1, n_neighbors=2).fit, APART)
    far, parts = cdist(APART, APART), quietly(graph, whole=True).parts
    ends = [np.flatnonzero(parts == c).tolist() for c in range(parts.max() + 1)]
    own = {tuple(sorted(map(int, x))) for x in made.graph_.links}
    take = {"nearest": min, "farthest": max}[word]
    by_hand = {
        tuple(sorted(take(itertools.product(a, b), key=lambda p: far[p])))
        for a, b in itertools.combinations(ends, 2)
    }
    return own == by_hand and len(ends) > 2
