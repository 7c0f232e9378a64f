"""Adaptive sampling: what shows words that could be exchanged."""

import re
import warnings
from inspect import signature
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
from figures_of_texts import figures
from sides_shown import sides

from nystheory import kernels, lowrank, sampling
from nystheory.chapters.adaptive_sampling import printed, table_4_2
from nystheory.engine.findings.experiments import uneven_clusters

CHAPTER = "adaptive_sampling"
X = np.random.default_rng(0).standard_normal((4, 8))
K = X.T @ X
STEPS = 3
DRAWN = sampling.incomplete_cholesky(K, STEPS)
S, F = DRAWN.indices, DRAWN.factor
L = F[S]
LEFT = K - lowrank.nystrom(K, S).spectral_reconstruction()

# ---- What a scheme looks at

SCHEMES = {
    "SGMA": lambda K: sampling.sgma(K, 1, np.random.default_rng(0)).indices[0],
    "incomplete Cholesky": lambda K: sampling.incomplete_cholesky(K, 1).indices[0],
}


def crowd(of=100, length=1.1):
    """Equal points of length 1, and one more at a right angle to them."""
    K = np.zeros((of + 1, of + 1))
    K[:of, :of], K[of, of] = 1, length**2
    return K


def sees_columns(name):
    """Whether entries beside the diagonal change what is taken first."""
    K = crowd()
    return SCHEMES[name](K) != SCHEMES[name](np.diag(K.diagonal()))


def alike():
    """How much more pivots are like those before them than most points are."""
    plane = kernels.rbf(uneven_clusters((280, 80, 30, 10)), gamma=0.5).dense()
    S = sampling.incomplete_cholesky(plane, 12).indices
    most = [plane[:, S[:k]].max(axis=1) for k in range(1, 12)]
    return [x[pivot] - np.median(x) for x, pivot in zip(most, S[1:], strict=True)]


# ---- Probabilities

U = np.linalg.qr(K[:, [0, 1]])[0]
E_FULL = K - U @ U.T @ K
SQUARES = (E_FULL**2).sum(axis=0)
BY_FULL = sampling.update_probability_full(K, [0, 1])
POWERS = {"squared distances": SQUARES, "distances": np.sqrt(SQUARES)}
R = [0, 1, 2, 3]
E_PARTIAL = K[:, R] - lowrank.nystrom(K, R, 2).spectral_reconstruction()[:, R]
BY_PARTIAL = sampling.update_probability_partial(K, R, 2)
OUTSIDE = np.setdiff1d(range(8), R)


def of_error(axis, side):
    """The squares of Adapt-Part: summed along rows or columns, in or outside R."""
    told = (E_PARTIAL**2).sum(axis={"rows": 1, "columns": 0}[axis])
    where = {"outside": OUTSIDE, "inside": R}[side]
    p = np.zeros(8)
    if len(told) == 8:
        p[where] = told[where] / told[where].sum()
    return np.allclose(p, BY_PARTIAL)


def of_two_rules(partial, full):
    K = np.diag([4.0, 3, 2, 1])
    told = {
        r"$(0, 0, \frac12, \frac12)$": [0, 0, 1 / 2, 1 / 2],
        r"$(0, 0, \frac45, \frac15)$": [0, 0, 4 / 5, 1 / 5],
    }
    return np.allclose(
        sampling.update_probability_partial(K, [0, 1]), told[partial]
    ) and np.allclose(sampling.update_probability_full(K, [0, 1]), told[full])


def summed_to_one(squares, numbers):
    """What a division by the Euclidean norm makes sum to one."""
    p = np.array([3.0, 4, 12]) / np.linalg.norm([3, 4, 12])
    sums = {"squares": (p**2).sum(), "numbers": p.sum()}
    return np.isclose(sums[squares], 1) and not np.isclose(sums[numbers], 1)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    RANK_TWO = X[:2].T @ X[:2]
    RETURNED = len(sampling.adaptive_full(RANK_TWO, 6, np.random.default_rng(0)))

# ---- The factor, and gains

ONE = sampling.incomplete_cholesky(K, 1).indices[0]
AFTER_ONE = K - np.outer(K[:, ONE], K[ONE]) / K[ONE, ONE]
LOST = np.trace(K) - np.trace(AFTER_ONE)
LENGTH = np.linalg.norm(K[:, ONE])
DETERMINANT = np.linalg.det(K[np.ix_(S, S)])
FACTORS = {
    r"$F = C L^{-\top}$": K[:, S] @ np.linalg.inv(L).T,
    r"$F = C L^{-1}$": K[:, S] @ np.linalg.inv(L),
}


def taken_of_crowd(word):
    """Whether a lonely point that is a little longer, or shorter, is taken first."""
    length = {"longer": 1.01, "shorter": 0.99}[word]
    return sampling.incomplete_cholesky(crowd(length=length), 1).indices[0] == 100


CROWD = crowd(length=1.005)
MISSED = [lowrank.nystrom(CROWD, [i]).error(CROWD, "trace") for i in (100, 0)]
SIZES = {"$m$": 100, r"$1 + \epsilon$": CROWD[100, 100]}
CHANCES = {r"$m / (m + 1)$": 100 / 101, r"$1 / (m + 1)$": 1 / 101}
COPIES = np.mean(CROWD[:, 0] == 1)


def entries(scheme, n=300, count=20):
    K = kernels.rbf(np.random.default_rng(0).standard_normal((n, 2)))
    scheme(K, count, np.random.default_rng(0))
    return K.entries_asked


# ---- The failure of a picture

TITLES = [panel["words"][0] for panel in figures()["fig-picks"].panels]
MISSES = [int(re.search(r"(\d+) %", title)[1]) for title in TITLES]
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")

NEAR = 1e-9
FAR = kernels.rbf(np.array([[0.0], [0.5], [1], [1.5], [90], [91]]), 1.0).dense()
ROWS_LEFT = FAR[:, [0, 1]] - lowrank.nystrom(FAR, [0, 1], 1).spectral_reconstruction()[
    :, [0, 1]
]
ROWS_LEFT = (ROWS_LEFT**2).sum(axis=1)
SUMMED = np.array([0.6, 0.6, 0.6])


COUNTED = {
    name.split(",")[0].strip(): [int(x) for x in counts.split(", ")]
    for name, counts in re.findall(
        r"([A-Za-z][\w ,-]*?) (\d+(?:, \d+)+)", figures()["fig-picks"].alt
    )
}


def spread(name):
    """Whether a scheme has landmarks in each of the four clusters."""
    return len(COUNTED[name]) == 4 and min(COUNTED[name]) > 0


def unlike(point):
    """The row of columns at a copy of a landmark, or at a stranger to all of them."""
    points = {"stranger to all landmarks": [0.0, 0, 1], "copy of a landmark": [1, 0, 0]}
    X = np.array([[1.0, 0, 0], [0, 1, 0], points[point]])
    return X @ X.T, not (X @ X.T)[2, :2].any()


def left_of(word):
    """What is missed of a point whose row is zero."""
    K, zero = unlike("stranger to all landmarks")
    missed = K[2, 2] - lowrank.nystrom(K, [0, 1]).spectral_reconstruction()[2, 2]
    return zero and {"does not mean": missed == K[2, 2], "means": missed == 0}[word]


def of_folder(name, raw):
    """The points of a row of the table, if the folder had these."""
    with patch.object(table_4_2.datasets, "from_folder", lambda _: raw):
        return table_4_2.points(name)


RAW = SimpleNamespace(X=np.random.default_rng(1).random((50, 8)))
ABALONE = of_folder("ABN", RAW)
IMAGES = SimpleNamespace(X=np.arange(10_000.0)[:, None])
DRAWN_IMAGES = of_folder("MNIST", IMAGES)[:, 0]


def of_abalone(words):
    made = {"standard deviations": RAW.X / RAW.X.std(axis=0)}
    made |= {"largest values": RAW.X[:, 1:] / RAW.X[:, 1:].max(axis=0)}
    expected = made[" ".join(words.split()[-2:])]
    return ABALONE.shape == expected.shape and np.allclose(ABALONE, expected)


sides(
    CHAPTER,
    {
        "because the points there are most [unlike|like] the earlier landmarks": {
            "unlike": max(alike()) < 0,
            "like": min(alike()) > 0,
        },
        "The [third|first|second|fourth|fifth|sixth] panel shows a failure": (
            lambda word: MISSES[PLACES.index(word)] == max(MISSES)
        ),
        "in proportion to the [squared distances|distances] from that span": (
            lambda word: np.allclose(BY_FULL, POWERS[word] / POWERS[word].sum())
        ),
        "step 4 takes the squared [rows|columns] of that error [outside|inside] $R$": (
            of_error
        ),
        r"a column $j$ removes [$\|E_{:,j}\|^2 / E_{jj}$|$\|E_{:,j}\| / E_{jj}$] for": {
            r"$\|E_{:,j}\|^2 / E_{jj}$": np.isclose(LOST, LENGTH**2 / K[ONE, ONE]),
            r"$\|E_{:,j}\| / E_{jj}$": np.isclose(LOST, LENGTH / K[ONE, ONE]),
        },
        "3. If $E = 0$, [stop|draw the next batch uniformly]: the columns so far": {
            "stop": RETURNED <= 3,
            "draw the next batch uniformly": RETURNED == 6,
        },
        "What is cheap about the [partial|full] rule is": {
            "partial": entries(sampling.adaptive_partial) < 300**2,
            "full": entries(sampling.adaptive_full) < 300**2,
        },
        "the rows of $F$ on $S$ form [a lower|an upper] triangular matrix": {
            "a lower": np.allclose(L, np.tril(L)),
            "an upper": np.allclose(L, np.triu(L)),
        },
        r"$\det W$ is their [product|sum]": {
            "product": np.isclose(DETERMINANT, (L.diagonal() ** 2).prod()),
            "sum": np.isclose(DETERMINANT, (L.diagonal() ** 2).sum()),
        },
        r"we get [$F = C L^{-\top}$|$F = C L^{-1}$] and": (
            lambda formula: np.allclose(FACTORS[formula], F)
        ),
        "That is what [SGMA|incomplete Cholesky] looks for, with whole columns; "
        "[incomplete Cholesky|SGMA] sees the diagonal only": (
            lambda one, other: sees_columns(one) and not sees_columns(other)
        ),
        "Adapt-Full reads $n^2$ entries, and SGMA can read [more]": (
            entries(sampling.sgma) - 300**2
        ),
        "at a right angle to them, that is slightly [longer|shorter]": taken_of_crowd,
        r"takes the lonely one and misses [$m$|$1 + \epsilon$]; any copy would miss "
        r"only [$1 + \epsilon$|$m$]": lambda lonely, copy: np.allclose(
            MISSED, [SIZES[lonely], SIZES[copy]]
        ),
        "takes a copy with probability [$m / (m + 1)$|$1 / (m + 1)$]": (
            lambda formula: np.isclose(COPIES, CHANCES[formula])
        ),
        "which makes the [squares|numbers] sum to one, not the [numbers|squares]": (
            summed_to_one
        ),
        "The package truncates the [core|approximation] by default": (
            lambda word: signature(lowrank.nystrom).parameters["truncate"].default
            == word
        ),
        "And $E_j$ has to be read as a [column|row]": {
            "column": np.allclose(E_FULL[:, [0, 1]], 0),
            "row": np.allclose(E_FULL[[0, 1]], 0),
        },
        r"columns they are [$(0, 0, \frac12, \frac12)$|$(0, 0, \frac45, \frac15)$] "
        r"against [$(0, 0, \frac45, \frac15)$|$(0, 0, \frac12, \frac12)$]": (
            of_two_rules
        ),
        "Only there are its own columns approximated [badly|perfectly]": {
            "badly": ROWS_LEFT[2:4].min() > 1e-6 and ROWS_LEFT[4:].max() < NEAR,
            "perfectly": ROWS_LEFT[2:4].max() < NEAR,
        },
        "The usual one adds up probabilities and takes the [first|last] index": {
            "first": np.allclose(printed.cut_at_one(SUMMED), [0.6, 0.4, 0]),
            "last": printed.cut_at_one(SUMMED)[-1] > 0,
        },
        "and so does [Adapt-Full|Adapt-Part].": spread,
        "[SGMA|Adapt-Part] and $K$-means spread over": spread,
        "It means that the point is a [stranger to all landmarks|copy of a landmark]": (
            lambda words: unlike(words)[1]
        ),
        "A zero row [does not mean|means] that a point is explained": left_of,
        "Abalone: [all eight columns, sex coded as one number, divided by their "
        "standard deviations|seven columns, sex left out, divided by their largest "
        "values], and": of_abalone,
        "MNIST: 4000 of the ten thousand test images, [drawn at random|the first "
        "ones],": {
            "drawn at random": len({*DRAWN_IMAGES}) == 4000 < DRAWN_IMAGES.max(),
            "the first ones": DRAWN_IMAGES.max() == 3999,
        },
        "Uniform sampling goes where [most|fewest] points are, and": {
            "most": COUNTED["Uniform"][0] > 12 / 2,
            "fewest": COUNTED["Uniform"][-1] > 12 / 2,
        },
    },
)
