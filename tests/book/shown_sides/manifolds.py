"""Manifolds: what shows words that could be exchanged."""

import warnings

import numpy as np
from sides_shown import sides

from nystheory import datasets, lowrank, manifold, theorems
from nystheory.chapters.manifolds import experiments, rolls, spectrum

CHAPTER = "manifolds"
RNG = np.random.default_rng(0)

# ---- Clusters


def measures(first, second):
    """Each by its words, on labels of which two are in one cluster."""
    labels, clusters = [0, 0, 1, 1, 2], [0, 0, 0, 0, 1]
    by_cluster = (2 + 1) / 5  # the most frequent label of each cluster
    by_label = (2 + 2 + 1) / 5  # where most of each label is
    own = {"*purity*": manifold.purity, "*accuracy*": manifold.accuracy}
    return (
        own[first](labels, clusters) == by_cluster
        and own[second](labels, clusters) == by_label
    )


def of_one_cluster(word):
    own = {"accuracy": manifold.accuracy, "purity": manifold.purity}[word]
    return own([0, 0, 1, 2], [0, 0, 0, 0]) == 1


# ---- Distances and coordinates


def centred(D):
    H = np.eye(len(D)) - 1 / len(D)
    return -H @ D @ H / 2


RING = np.array([[0, 1, 4, 1], [1, 0, 1, 4], [4, 1, 0, 1], [1, 4, 1, 0]], float)


def excess(formula):
    """Of the squared distances by the moduli, over the negative eigenvalues."""
    values, V = np.linalg.eigh(centred(RING))
    G = V * np.abs(values) @ V.T
    squares = np.add.outer(np.diag(G), np.diag(G)) - 2 * G
    more = squares.sum() - RING.sum()
    size = {"$4 n$": 16, "$2 n$": 8, "$n$": 4}[formula]
    return np.isclose(more, size * np.abs(values[values < 0]).sum())


def takes_for(word):
    """The sign of what Column-sampling has in the place of the eigenvalue -1."""
    assert np.isclose(np.linalg.eigvalsh(centred(RING)).min(), -1)
    Z = spectrum.column_coordinates(RING, np.arange(4), 3)
    values = np.linalg.eigvalsh(Z @ Z.T)
    return np.isclose(values, {"positive": 1, "negative": -1}[word]).any()


def root(word):
    """The power of n / l in the coordinates of Column-sampling."""
    K = np.diag([1.0, 0, 0, 0, 0, 0, 0, 0])
    (value,) = lowrank.column_sampling(K, [0, 1], 1).eigenvalues
    power = {"fourth": 1 / 4, "square": 1 / 2}[word]
    return np.isclose(np.sqrt(value), (8 / 2) ** power)


# ---- Centring

POINTS = RNG.standard_normal((30, 3)) + [5.0, 0, 0]
D = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)
OWN = np.arange(8)
H = np.eye(8) - 1 / 8
ONCE = -(D[:, OWN] - D[np.ix_(OWN, OWN)].mean(axis=0)) / 2
TWICE = ONCE @ H
W = -H @ D[np.ix_(OWN, OWN)] @ H / 2


def by_nystrom(C):
    return C @ np.linalg.pinv(W, rcond=1e-10) @ C.T


def by_columns(C):
    U, s, _ = np.linalg.svd(C, full_matrices=False)
    return U[:, :3] * s[:3] @ U[:, :3].T


def matters(nystrom, columns):
    """Whether the second centring changes each method."""
    methods = by_nystrom, by_columns
    told = [not np.allclose(made(ONCE), made(TWICE)) for made in methods]
    words = {"makes no": False, "makes a": True, "does": True, "does not": False}
    return told == [words[nystrom], words[columns]]


def centred_once(harmless, ruined):
    methods = {"Landmark MDS": by_nystrom, "Column-sampling": by_columns}
    same = {name: np.allclose(f(ONCE), f(TWICE)) for name, f in methods.items()}
    return harmless != ruined and same[harmless] and not same[ruined]


def origin(word):
    made = manifold.LandmarkMDS(2).fit(np.sqrt(D[:, OWN]), landmarks=OWN)
    own = {"landmarks": OWN, "points": np.arange(30)}[word]
    return np.allclose(made.embedding_[own].mean(axis=0), 0, atol=1e-9)


def mean_row(formula):
    """What the mean of a row is, up to a constant."""
    m = ONCE.mean(axis=1)
    size = {"$-2 m_i$": -2, "$2 m_i$": 2}[formula] * m
    off = size - D[:, OWN].mean(axis=1)
    return np.allclose(off, off[0])


def panels(left, right):
    """How C was centred in the panels of Column-sampling, which keeps the width."""
    places, _, _ = rolls.centred(400, 8, 40)
    _, middle, last = places.values()
    words = {"both sides": spectrum.DOUBLY, "one": spectrum.SINGLY}
    named = [*places][1:] == [words[left], words[right]]
    return named and not np.allclose(middle, last)


# ---- Graphs


def bottom(word):
    """The eigenvectors with the smallest sum, of a path with weights."""
    A = np.diag([1.0, 3.0, 0.5], 1)
    A = A + A.T
    d = A.sum(axis=1)
    L = np.eye(4) - A / np.sqrt(np.outer(d, d))
    values, V = np.linalg.eigh(L)
    at = {"bottom": 0, "top": -1}[word]
    return np.isclose(abs(V[:, at] @ np.sqrt(d)) / np.linalg.norm(np.sqrt(d)), 1)


def component(word):
    """Of a graph in two pieces."""
    X = np.array([[0.0], [1], [2], [3], [100], [101]])
    kept = manifold.neighbours(X, 1).graph().kept
    sizes = {"largest": 4, "smallest": 2}
    return len(kept) == sizes[word]


def shorter(word):
    """The pairs on a curve of twenty points that gain by an edge between its ends."""
    i = np.arange(20)
    along = np.abs(i[:, None] - i)
    gains = np.minimum(along, 20 - along) < along
    apart = {"more than half": along > 10, "less than half": along < 10}[word]
    return (gains == apart).all()


def sums(word):
    """Of squares with weights, for any coordinates."""
    A = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.5], [0.0, 0.5, 0.0]])
    d = A.sum(axis=1)
    told = [
        (A * np.subtract.outer(z / np.sqrt(d), z / np.sqrt(d)) ** 2).sum()
        for z in RNG.standard_normal((20, 3))
    ]
    return {"negative": min(told) >= 0, "positive": max(told) <= 0}[word]


def left_out(word):
    """The eigenvector that says nothing of the places, of a path."""
    A = np.diag([1.0, 1.0, 1.0], 1)
    A = A + A.T
    d = A.sum(axis=1)
    V = np.linalg.eigh(np.eye(4) - A / np.sqrt(np.outer(d, d)))[1]
    own = {"first": V[:, 0], "last": V[:, -1]}[word] / np.sqrt(d)
    return np.allclose(own, own[0])


def has_paths(word):
    """New distances, with fewer edges and with one that does not belong."""
    i = np.arange(20)
    along = np.abs(i[:, None] - i)
    wrong = np.minimum(along, 20 - along)
    return {"short": (wrong < along).any(), "long": (wrong > along).any()}[word]


def keeps_only(word):
    """The signs of the eigenvalues that Isomap has coordinates for."""
    values, V = np.linalg.eigh(centred(RING))
    kept = {"positive": values > 1e-9, "negative": values < -1e-9}[word]
    Z = V[:, kept] * np.sqrt(np.abs(values[kept]))
    off = [np.linalg.norm(centred(RING) - Z @ Z.T), np.linalg.norm(centred(RING))]
    return off[0] < off[1]


def signs_of_equality(root, right):
    """What stands behind each of the two, in the printed form and in the box."""
    theorem = theorems["talwalkar2010:eq-3.5"]
    _, first, second = theorem.printed["another power"].says.split("=")[:3]
    has_root = {"first": r"\sqrt{\frac nl}" in first}
    has_root["second"] = r"\sqrt{\frac nl}" in second
    return root != right and has_root[root] and not has_root[right]


# ---- How many neighbours

BEND = np.pi * np.linspace(0.1, 1.9, 40)
CURVE = np.c_[np.cos(BEND), np.sin(BEND)]  # its ends are near one another
PAIRS = np.r_[0:5, 10:15][:, None] * 1.0  # two pieces of a line


def short_circuits(t):
    """The edges between points that are far apart along the curve."""
    edges = manifold.neighbours(CURVE, t).graph().lengths.tocoo()
    return (abs(edges.row - edges.col) > 20).sum()


JOINING = [
    t for t in range(1, 20) if len(manifold.neighbours(CURVE, t).graph().kept) == 40
]
WRONG = {t: short_circuits(t) for t in JOINING}
IN_PIECES = {
    "few": len(manifold.neighbours(PAIRS, 2).graph().kept) < 10,
    "many": len(manifold.neighbours(PAIRS, 7).graph().kept) < 10,
}


def too(apart, circuits):
    """At which end a graph falls apart, and at which it has short circuits."""
    wrong = {"few": WRONG[JOINING[0]] > 0, "many": WRONG[JOINING[-1]] > 0}
    return IN_PIECES[apart] and wrong[circuits]


def joins(word):
    chosen = {"smallest": min, "largest": max}[word](JOINING)
    return WRONG[chosen] == min(WRONG.values())


def of_core(word):
    """How many eigenvalues of the core of a ring are above zero."""
    values = np.linalg.eigvalsh(centred(RING))
    return (values > 1e-9).all() == (word == "All")
def third_leg(n=2000, size=12):
    """How far the heads at its end are turned, to the side and up: small pictures."""
    shown = datasets.scenes(n, np.random.default_rng(0))
    graph = manifold.neighbours(datasets.rendered(shown, size), 5).graph()
    own = np.random.default_rng(0).choice(n, 100, replace=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mds = manifold.LandmarkMDS(2).fit(graph.geodesics(own), landmarks=own)
    Y = mds.embedding_
    turn = shown.angles[:, 0]
    ends = [np.argsort(sign * Y[:, axis])[:50] for axis in (0, 1) for sign in (-1, 1)]
    legs = [shown.angles[end].mean(axis=0) for end in ends]
    off = [abs(turn[end]).mean() for end in ends]
    return legs[:2], legs[int(np.argmin(off))]


(ONE_LEG, OTHER_LEG), THIRD_LEG = third_leg()


def turned(words):
    """Where the other leg turns, beside the first."""
    opposite = ONE_LEG[0] * OTHER_LEG[0] < 0
    far = min(abs(ONE_LEG[0]), abs(OTHER_LEG[0])) > 45
    return far and opposite == (words == "other side")


# ---- Twice as many heads


def by_purity(place, order):
    """In the thesis; that it is the order here the cell above the sentence asserts."""
    printed = {x: row["purity"] for x, row in experiments.PRINTED_LARGER.items()}
    names = sorted(printed, key=printed.get, reverse=place == "first")
    both = ["Nyström Isomap", "Column-sampling Isomap"]
    told = sorted(both, key=printed.get, reverse=True)
    ranked = told == (both if order.startswith("Nyström") else both[::-1])
    return {*names[:2]} == {*both} and ranked


sides(
    CHAPTER,
    {
        "We read the [*purity*|*accuracy*] of the thesis as the share of points that "
        "have the most frequent label of their cluster, and its [*accuracy*|*purity*] "
        "as the share": measures,
        "One cluster of all points has an [accuracy|purity] of 100 percent": (
            of_one_cluster
        ),
        "exceeds $\\sum_{ij} D_{ij}$ by [$4 n$|$2 n$|$n$] times": excess,
        "So Column-sampling takes negative eigenvalues for [positive|negative] ones": (
            takes_for
        ),
        "The factor is the [fourth|square] root of $n/l$": root,
        "For the Nyström method this [makes no|makes a] difference "
        "({ref}`talwalkar2010:isomap-centering`); for Column-sampling it [does|does "
        "not] (": matters,
        "It does no harm to [Landmark MDS|Column-sampling], and ruins "
        "[Column-sampling|Landmark MDS].": centred_once,
        "the Nyström method has its origin at the mean of the [landmarks|points].": (
            origin
        ),
        "[$-2 m_i$|$2 m_i$] is the mean squared distance of point": mean_row,
        "with C centred on [both sides|one] and on [one|both sides].": panels,
        "and take the [bottom|top] eigenvectors of $\\mathcal L": bottom,
        "Then we keep its [largest|smallest] component": component,
        "Each pair [more than half|less than half] the curve apart has": shorter,
        "The sum is never [negative|positive], so $\\mathcal L \\succeq 0$": sums,
        "except the very [first|last]. The matrix is sparse": left_out,
        "and all paths that can take it become [short|long] {cite": has_paths,
        "so the algorithm keeps [positive|negative] eigenvalues only": keeps_only,
        "has the square root after its [second|first] sign of equality, and the right "
        "power after the [first|second].": signs_of_equality,
        "Too [few|many], and the graph falls apart; too [many|few], and it has short "
        "circuits": too,
        "take the [smallest|largest] $t$ that joins nearly everything": joins,
        "[Only some|All] of the eigenvalues of $W$ are above zero": of_core,
        "along the other to the [other side|same side], and along the third": turned,
        "and along the third they look [down|up].": {
            "down": THIRD_LEG[1] < -15,
            "up": THIRD_LEG[1] > 15,
        },
        "By purity both Isomaps come [first|last] on these heads, as in the thesis, "
        "the [Nyström method before Column-sampling|Column-sampling before the Nyström "
        "method].": by_purity,
        "one leg is for heads that look [down|up]; other heads": {
            "down": THIRD_LEG[1] < -15,
            "up": THIRD_LEG[1] > 15,
        },
    },
)
