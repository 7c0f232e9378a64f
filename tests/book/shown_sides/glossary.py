"""Glossary: what shows words that could be exchanged."""

import warnings
from itertools import combinations

import numpy as np
from flint import arb
from scipy.sparse.csgraph import shortest_path
from scipy.stats import norm
from sides_shown import sides

from nystheory import certificates, coherence, kernels, lowrank, manifold, sampling

CHAPTER = "glossary"
RNG = np.random.default_rng(0)
NEAR = 1e-9
X = RNG.standard_normal((4, 7))
K = X.T @ X
U = np.linalg.eigh(K)[1][:, -3:]

# ---- Spectra

ENDS = {
    word: (coherence.basis_free(V), coherence.of_vectors(V))
    for word, V in (
        ("even", np.kron([[1, 1], [1, -1]], [[1, 1], [1, -1]])[:, :2] / 2),
        ("one", np.eye(4)[:, :2]),
    )
}


def ends(kind, low, high):
    """The coherence of even eigenvectors, and of those on single points."""
    sizes = {"$k$": 2, "$n$": 4, "$1$": 1, r"$\sqrt n$": 2}
    told = ENDS["even"][kind], ENDS["one"][kind]
    return np.allclose(told, [sizes[low], sizes[high]])


SUMS = {"row": (U**2).sum(axis=1), "column": (U**2).sum(axis=0)}
SCORES = sampling.leverage_scores(K, 3)
RIDGE = sampling.ridge_leverage_scores(K, 0.5).sum()
VALUES = np.linalg.eigvalsh(K).clip(0)
Q = np.linalg.qr(K[:, [0, 2]])[0]
PROJECTED = Q @ Q.T @ K
SMALL, LARGE = np.array([[2.0, 1], [1, 1]]), np.array([[3.0, 1], [1, 1]])


def keeps_order(power):
    """Whether it keeps the order of two matrices, the second of which is larger."""

    def of(M):
        values, vectors = np.linalg.eigh(M)
        return vectors * values**power @ vectors.T

    return np.linalg.eigvalsh(of(LARGE) - of(SMALL)).min() > -NEAR


POWERS = {"$t^2$": 2, r"$\sqrt t$": 0.5}
GRAM = np.linalg.det(K[:3, :3])
VOLUME = np.prod(np.linalg.svd(X[:, :3], compute_uv=False))
E = K - np.outer(K[:, 2], K[2]) / K[2, 2]
PIVOTS = sampling.incomplete_cholesky(K, 1).indices[0]

# ---- Coordinates

LINE = RNG.standard_normal((6, 2)) @ np.diag([3.0, 1])
FAR = np.linalg.norm(LINE[:, None] - LINE, axis=2)
CENTRE = np.eye(6) - 1 / 6
BY_SIGN = {"minus half": -1 / 2, "half": 1 / 2}
POWER_OF = {"root": 1 / 2, "square": 2}


def coordinates(which, half, root):
    """Whether these are coordinates with the distances of the points."""
    values, vectors = np.linalg.eigh(BY_SIGN[half] * CENTRE @ FAR**2 @ CENTRE)
    places = {"largest": [-1, -2], "smallest": [1, 0]}[which]
    Y = vectors[:, places] * values[places].clip(0) ** POWER_OF[root]
    return np.allclose(np.linalg.norm(Y[:, None] - Y, axis=2), FAR)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    Y = manifold.LandmarkMDS(2).fit(FAR[:, :4]).embedding_
AT_ORIGIN = {"landmarks": Y[:4].mean(axis=0), "points": Y.mean(axis=0)}
PATH = np.diag(np.ones(9), 1)
SHORT = PATH.copy()
SHORT[0, 9] = 0.1
GEODESICS = [shortest_path(edges, directed=False) for edges in (PATH, SHORT)]

# ---- Laws

RED = [len(set(some) & {0, 1, 2}) for some in combinations(range(8), 4)]
WITHOUT = np.var(RED)
DRAWN = {
    "without": 4 * 3 / 8 * 5 / 8 * (8 - 4) / (8 - 1),
    "with": 4 * 3 / 8 * 5 / 8,
}
FREQUENCIES = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
WIDTH, AT = 2.0, 1.5
GAUSSIAN = kernels.rbf(np.array([[0.0], [AT]]), 1 / (2 * WIDTH**2)).dense()[0, 1]
SPREAD = {r"\sigma^{-2}": 1 / WIDTH, r"\sigma^2": WIDTH}
ERRORS = [
    np.linalg.norm(K - lowrank.nystrom(K, S, 2).spectral_reconstruction())
    for S in combinations(range(7), 3)
]
BEST = np.linalg.norm(VALUES[:-2])


PARTS = {"leave unexplained": K - PROJECTED, "explain": PROJECTED}
BY_ROUND = sampling.update_probability_full(K, [0, 2])
SOME = kernels.rbf(X.T)
NEAR_K = lowrank.nystrom(SOME, [0, 2])
BEFORE = SOME.entries_asked
certificates.trace_certificate(SOME, NEAR_K)
ENTRIES = {"diagonal": 7, "rows": 7 * 7}
BALL = arb(1) / 3
RADII = [float(x.rad()) for x in (arb(1), BALL, BALL * BALL, BALL * BALL + BALL)]


sides(
    CHAPTER,
    {
        "leverage scores, from [$k$|$n$] (even) to [$n$|$k$] (one coordinate": (
            lambda low, high: ends(0, low, high)
        ),
        r"of their entries, from [$1$|$\sqrt n$] to [$\sqrt n$|$1$], and": (
            lambda low, high: ends(1, low, high)
        ),
        "in proportion to $\\det K_{SS}$, the [squared volume|volume] that": {
            "squared volume": np.isclose(GRAM, VOLUME**2),
            "volume": np.isclose(GRAM, VOLUME),
        },
        "red marbles among those drawn [without|with] replacement from an urn": (
            lambda word: np.isclose(WITHOUT, DRAWN[word])
        ),
        "Elimination of the column with the [largest|smallest] diagonal entry": {
            "largest": K[PIVOTS, PIVOTS] == K.diagonal().max(),
            "smallest": K[PIVOTS, PIVOTS] == K.diagonal().min(),
        },
        "the eigenvectors for the [largest|smallest] positive eigenvalues of "
        "[minus half|half] their squares, centred, each times the [root|square]": (
            coordinates
        ),
        "that is centred at the mean of the [landmarks|points]. See": (
            lambda word: np.allclose(AT_ORIGIN[word], 0)
        ),
        "the squared length of its [row|column] of $U_k$": (
            lambda word: len(SUMS[word]) == 7 and np.allclose(SUMS[word], SCORES)
        ),
        "needs all of $K$, and is [not symmetric|symmetric] in general": {
            "not symmetric": not np.allclose(PROJECTED, PROJECTED.T),
            "symmetric": np.allclose(PROJECTED, PROJECTED.T),
        },
        r"/ (t + \alpha)$ do and [$t^2$|$\sqrt t$] does not": (
            lambda word: not keeps_order(POWERS[word])
        ),
        "which leaves its row and column [zero|unchanged]": {
            "zero": np.allclose([E[2], E[:, 2]], 0),
            "unchanged": np.allclose([E[2], E[:, 2]], K[2]),
        },
        "the [smallest|largest] error that rank $k$ allows over the one made": {
            "smallest": BEST <= min(ERRORS),
            "largest": BEST >= max(ERRORS),
        },
        "they sum to the [effective dimension|rank]": {
            "effective dimension": np.isclose(RIDGE, (VALUES / (VALUES + 0.5)).sum()),
            "rank": np.isclose(RIDGE, np.linalg.matrix_rank(K)),
        },
        "along the manifold: many geodesics become too [short|long]": {
            "short": (GEODESICS[1] <= GEODESICS[0]).all(),
            "long": (GEODESICS[1] >= GEODESICS[0]).all(),
        },
        r"it is normal with the variance $[\sigma^{-2}|\sigma^2]$": (
            lambda power: np.isclose(
                np.cos(SPREAD[power] * FREQUENCIES * AT).mean(), GAUSSIAN, atol=1e-3
            )
        ),
        "each round looks at what the columns so far [leave unexplained|explain].": (
            lambda words: np.allclose(
                BY_ROUND, (PARTS[words] ** 2).sum(axis=0) / (PARTS[words] ** 2).sum()
            )
        ),
        "A number computed from the sampled columns and the [diagonal|rows] of $K$": (
            lambda word: SOME.entries_asked - BEFORE == ENTRIES[word]
        ),
        "every operation [enlarges|reduces] the radius as much as": {
            "enlarges": RADII[0] == 0 and min(np.diff(RADII[:2])) > 0
            and RADII[3] > RADII[1],
            "reduces": max(np.diff(RADII)) < 0,
        },
    },
)
