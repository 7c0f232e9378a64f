"""Concentration without replacement: what shows words that could be exchanged."""

from itertools import combinations, permutations, product

import numpy as np
from scipy.optimize import brentq
from scipy.stats import hypergeom
from sides_shown import sides

from nystheory.chapters.concentration import covariances
from nystheory.engine import Instance, value
from nystheory.engine.worlds.concentration import distances

CHAPTER = "concentration"
RNG = np.random.default_rng(0)
NEAR = 1e-9

# ---- Covariances

X = RNG.standard_normal((3, 7)) + 2
S = [1, 4, 5]
CASE = Instance.from_points(X, S, 2)
Z = np.sqrt(7 / 3) * X[:, S]
CENTRED = X - X.mean(axis=1, keepdims=True)
OFF = {
    "neither centred nor": X @ X.T - Z @ Z.T,
    "centred, and not": CENTRED @ CENTRED.T - 7 / 3 * CENTRED[:, S] @ CENTRED[:, S].T,
}
SIZE = distances(X.T @ X, np.bincount(S, minlength=7))[0]
MATRICES = np.array([np.outer(x, x) for x in X.T])
VARIANCE = ((MATRICES - MATRICES.mean(axis=0)) ** 2).sum() / 7
K = X.T @ X
V = (K.diagonal() ** 2).sum() - (K**2).sum() / 7
SELECTED = np.eye(7)[:, S]


def selects(taken, place):
    """The column taken and its place, of a one in row i and column j."""
    told = []
    for i, j in zip(*np.nonzero(SELECTED), strict=True):
        at = {"$j$th": j, "$i$th": i}
        told.append(
            at[taken] < 3 and np.allclose((K @ SELECTED)[:, at[taken]], K[:, at[place]])
        )
    return all(told)


# ---- One exchange


def change(a, b):
    return np.linalg.norm(np.outer(a, a) - np.outer(b, b))


ANGLES = np.linspace(0, np.pi, 181)
TURNED = [change([1, 0], [np.cos(t), np.sin(t)]) for t in ANGLES]
WORST = {"at a right angle": np.pi / 2, "as opposites": np.pi}
ON_RAY = change([1, 0], [0.7, 0])
TILT = np.array([0.96, 0.28])
OF_ONE_LENGTH = change([1, 0], TILT)


def candidates(first, second):
    """Which pair of points at a distance has which change."""
    d = np.linalg.norm(TILT - [1, 0])
    told = {"length": ON_RAY, "direction": OF_ONE_LENGTH}
    formulas = 0.3 * (2 - 0.3), d * np.sqrt((4 - d**2) / 2)
    return np.allclose([told[first], told[second]], formulas)


def places():
    """Where the two candidates are the same, for R = 1."""
    return brentq(lambda d: d * (2 - d) - d * np.sqrt((4 - d**2) / 2), 0.1, 1.3)


ON_RAY_LESS = 0.3 * (2 - 0.3) - 0.3 * np.sqrt((4 - 0.3**2) / 2)


def expression(p, r, far=0.8):
    return p**2 + r**2 - 1 / 2 * (p + r - far**2) ** 2


SLOPE = (expression(2 + 1e-6, 1.5) - expression(2 - 1e-6, 1.5)) / 2e-6
SLOPES = {r"$p - r + \delta^2": 0.5 + 0.8**2, r"$r - p + \delta^2": -0.5 + 0.8**2}
ALONG_R = expression(2.0, np.linspace(0.2, 2, 50))
FAR = np.linspace(1, np.sqrt(2), 50)
FULL = 1 / 2 * FAR**2 * (4 - FAR**2)
TILTED = np.outer([1, 0], [1, 0]) - np.outer([0.6, 0.8], [0.6, 0.8])
NORMS = [np.linalg.norm(TILTED, 2), np.linalg.norm(TILTED)]
BOUNDS = covariances.exchange_bounds(np.eye(6), 3)
SPECTRAL_CHANGE = 6 / 3 * np.linalg.norm(np.diag([1.0, -1.0]), 2)
FACTORS = {r"$2 \sqrt 2$": 2 * np.sqrt(2), "2": 2}


def smaller_by(spectral, frobenius):
    """The printed bound over the sharp value, at a right angle."""
    told = BOUNDS["printed"] / SPECTRAL_CHANGE, BOUNDS["printed"] / BOUNDS["g_F"]
    return np.allclose(told, [FACTORS[spectral], FACTORS[frobenius]])


# ---- Means

N, DRAWS = 7, 3
DRAWN = [np.isin(range(N), some) for some in combinations(range(N), DRAWS)]
SIGNS = np.where(DRAWN, 1 - N / DRAWS, 1.0)
SQUARE, PRODUCT = (SIGNS[:, 0] ** 2).mean(), (SIGNS[:, 0] * SIGNS[:, 1]).mean()


def factor(size, drawn):
    case = Instance(np.diag(np.arange(1.0, size + 1)), range(drawn), 1)
    return value("e_l", case) ** 2 / value("e_l_replaced", case) ** 2


OF_FACTOR = {
    r"\frac{n - l}{n - 1}": (N - DRAWS) / (N - 1),
    r"\frac{n - l}{n}": (N - DRAWS) / N,
}
RED = np.array(DRAWN)[:, :3].sum(axis=1)
BINOMIAL = DRAWS * 3 / N * (1 - 3 / N)
NUMBERS = np.array([1.0, 2, 4, 8])
WITHOUT = [NUMBERS[list(x)].sum() for x in combinations(range(4), 2)]
WITH = [NUMBERS[list(x)].sum() for x in product(range(4), repeat=2)]
HS = {"convex": np.square, "concave": np.sqrt}
DISTINCT = 1 - (1 - 1 / 10**6) ** 10**6
SHARES = {
    r"$(1 - e^{-1})\, n = 0.63\, n$": 1 - np.exp(-1),
    r"$e^{-1}\, n = 0.37\, n$": np.exp(-1),
}
LAST = np.var([50 - red for red in (0, 1)])  # what is left of 100, half of them red

# ---- The constant


def branch(u, size):
    return u**2 * sum(1 / j**2 for j in range(u, size))


SHARP = {drawn: value("alpha_sharp", n=20, l=drawn) for drawn in range(1, 20)}
BRANCHES = {drawn: (branch(20 - drawn, 20), branch(drawn, 20)) for drawn in SHARP}
LOWER = min(min(two) - drawn * (20 - drawn) / 20 for drawn, two in BRANCHES.items())


def are_different(i=2, size=6, drawn=3):
    """How often the two samples of the proof differ, over all orders."""
    left = range(i, size)  # after i - 1 elements and a; the first of them is b
    orders = list(permutations(left))
    return np.mean([order.index(i) >= drawn - i for order in orders])


DIFFER = {"$u / (n - i)$": 3 / 4, "$(l - i) / (n - i)$": 1 / 4}
S_ = np.linspace(0.1, 4, 50)
EIGHTH = {
    size: (np.cosh(S_ / 2) <= np.exp(S_**2 / int(size))).all() for size in ("8", "16")
}
EPSILON = 0.7
DEVIATION = {
    r"$\frac12 c \sqrt{\alpha_\sharp}$": 3 * np.sqrt(SHARP[6]) / 2,
    r"$c \sqrt{\alpha_\sharp}$": 3 * np.sqrt(SHARP[6]),
}
INDICATOR = np.array([0, 1, 1])  # of at least one, for counts 0, 1, 2


def of_clusters(formula):
    """The distance for two orthogonal clusters of four, three drawn."""
    gram = np.kron(np.eye(2), np.ones((4, 4)))
    own = np.arange(4)
    counts = [np.r_[own < t, own < 3 - t].astype(int) for t in own]
    told = [distances(gram, each)[0] for each in counts]
    size = {r"\sqrt 2\, \frac nl": np.sqrt(2), r"2\, \frac nl": 2}[formula]
    return np.allclose(told, [size * 8 / 3 * abs(t - 3 / 2) for t in range(4)])


def root(count, of=10**4):
    return np.sqrt((of - count) / count) * np.sqrt(count)


ROOTS = {
    "small": np.isclose(root(10), root(20), rtol=0.01),
    "large": np.isclose(root(9000), root(9900), rtol=0.01),
}

D = np.linspace(1.01, 1.99, 50)
BAR = np.minimum(D, np.sqrt(2))
BEYOND = D * (2 - D) - BAR * np.sqrt((4 - BAR**2) / 2)
TOWARDS = 1e-4 * (2 - 1e-4) / (1e-4 * np.sqrt(4 - 1e-8) / 2)
OF_HALF = hypergeom(2000, 1000, 800).var()
LOG = np.log(1 / 0.3)  # one element drawn, of which three tenths are ones


BASEL = (1 / np.arange(1.0, 10**5) ** 2).sum()
LIMITS = {
    r"\frac{\pi^2}{6} = 1.64": (np.pi**2 / 6, 1.64),
    r"\frac{\pi^2}{8} = 1.23": (np.pi**2 / 8, 1.23),
}
BEYOND_MIDDLE = np.diff([SHARP[drawn] for drawn in range(10, 20)])
# ---- The arch

MISSES = [
    [not np.isclose(one, SHARP[count]) for one in BRANCHES[count]] for count in (1, 19)
]
LARGE = value("alpha_sharp", n=10**4, l=3000)


def ends_missed(word):
    """At how many ends each of the branches has not the right value."""
    count = {"one": 1, "both": 2}[word]
    return (np.sum(MISSES, axis=0) == count).all()


sides(
    CHAPTER,
    {
        "(It is [neither centred nor|centred, and not] divided by $n$.)": (
            lambda words: np.isclose(np.linalg.norm(OFF[words]), SIZE)
        ),
        "two points on one ray, which differ in [length|direction] only, and two "
        "points of full length, which differ in [direction|length] only": candidates,
        "are farthest from agreeing [at a right angle|as opposites]": (
            lambda words: np.isclose(ANGLES[np.argmax(TURNED)], WORST[words])
        ),
        r"The derivative in $p$ is [$p - r + \delta^2|$r - p + \delta^2] \ge 0$": (
            lambda formula: np.isclose(SLOPE, SLOPES[formula])
        ),
        "In the second case the expression is a [convex] function of $r$": (
            np.diff(ALONG_R, 2).min()
        ),
        r"which [grows] up to $\delta = \sqrt 2 R$": np.diff(FULL).min(),
        r"that is at [least|most] $\frac32 R^4$": {
            "least": FULL.min() >= 3 / 2 - NEAR,
            "most": FULL.max() <= 3 / 2 + NEAR,
        },
        r"spectral norm is its Frobenius norm [over|times] $\sqrt 2$": {
            "over": np.isclose(NORMS[0], NORMS[1] / np.sqrt(2)),
            "times": np.isclose(NORMS[0], NORMS[1] * np.sqrt(2)),
        },
        "times a factor that vanishes when [everybody|nobody] is asked": {
            "everybody": np.isclose(factor(7, 7), 0),
            "nobody": np.isclose(factor(7, 1), 0),
        },
        r"\frac1n \|K\|_F^2$ is [$n$|$n^2$] times their variance": {
            "$n$": np.isclose(V, 7 * VARIANCE),
            "$n^2$": np.isclose(V, 49 * VARIANCE),
        },
        r"So $\mathbb E\, c_i^2 = \frac{n - l}{[l|n]}$ and $\mathbb E\, c_i c_j = [-|+]"
        r"\frac{n - l}{l (n - 1)}$": lambda under, sign: np.allclose(
            [SQUARE, PRODUCT],
            [
                (N - DRAWS) / {"l": DRAWS, "n": N}[under],
                float(sign + "1") * (N - DRAWS) / (DRAWS * (N - 1)),
            ],
        ),
        r"between the mean squares is $[\frac{n - l}{n - 1}|\frac{n - l}{n}]$": (
            lambda formula: np.isclose(factor(N, DRAWS), OF_FACTOR[formula])
        ),
        r"variance $l\, p (1 - p)\, [\frac{n - l}{n - 1}|\frac{n - l}{n}]$": (
            lambda formula: np.isclose(RED.var(), BINOMIAL * OF_FACTOR[formula])
        ),
        r"has a constant $\alpha_\sharp$, the [smaller] of two sums": max(
            alpha - max(BRANCHES[drawn])
            for drawn, alpha in SHARP.items()
            if drawn != 10
        ),
        "with probability [" + "|".join(DIFFER) + "]. Hence": (
            lambda formula: np.isclose(are_different(), DIFFER[formula])
        ),
        r"has $\mathbb E\, e^{sV} \le e^{s^2 r^2 / [8|16]}$": EIGHTH,
        "the middle and is [1|0] when one element is left in the bag": (
            lambda number: np.isclose(SHARP[19], float(number))
        ),
        "The last marble is [red or not|known from the others], and the": {
            "red or not": LAST > 0,
            "known from the others": np.isclose(LAST, 0),
        },
        r"that is $d = [\frac23|\frac32] R$": {
            r"\frac23": np.isclose(places(), 2 / 3),
            r"\frac32": np.isclose(places(), 3 / 2),
        },
        r"For $d < \frac23 R$ the pair on one ray is [worse|better]": {
            "worse": ON_RAY_LESS > 0,
            "better": ON_RAY_LESS < 0,
        },
        "(They show about [" + "|".join(SHARES) + "] distinct columns": (
            lambda formula: np.isclose(DISTINCT, SHARES[formula])
        ),
        "so the [second|first] branch is $l^2 / l^2 = 1$": lambda word: np.isclose(
            BRANCHES[19][{"first": 0, "second": 1}[word]], 1
        ),
        "The first branch is at [least|most] its first term": {
            "least": BRANCHES[19][0] >= 1,
            "most": BRANCHES[19][0] <= 1,
        },
        "says: the [$j$th|$i$th] column taken is the [$i$th|$j$th]": selects,
        r"smaller by the factor [$2 \sqrt 2$|2], and in the Frobenius norm by the "
        r"factor [2|$2 \sqrt 2$]": smaller_by,
        r"h(\text{sum with})$ for every [convex|concave] function": (
            lambda word: HS[word](WITHOUT).mean() <= HS[word](WITH).mean()
        ),
        r"$\psi = [\sqrt 2\, \frac nl|2\, \frac nl]\, |t - \frac l2|$": of_clusters,
        "a standard deviation of [" + "|".join(DEVIATION) + "], and": (
            lambda formula: np.isclose(
                np.exp(-(EPSILON**2) / (2 * DEVIATION[formula] ** 2)),
                np.exp(-2 * EPSILON**2 / (SHARP[6] * 3**2)),
            )
        ),
        r"and each branch of $\alpha_\sharp$ is at [least|most] $\frac{l u}{n}$": {
            "least": LOWER >= -NEAR,
            "most": max(max(two) for two in BRANCHES.values()) <= 5,
        },
        "as long as $l$ is [small|large] against $n$": ROOTS,
        r"The indicator of $\phi \ge 1$ is [not a convex|a convex] function": {
            "not a convex": np.diff(INDICATOR, 2).min() < 0,
            "a convex": np.diff(INDICATOR, 2).min() >= 0,
        },
        "but the covariance knows [lengths|directions only]": {
            "lengths": change([0.6, 0.8], [1.2, 1.6]) > 1,
            "directions only": change([0.6, 0.8], [1.2, 1.6]) < NEAR,
        },
        "1, their distance. Lengths enter [squared|alone]": {
            "squared": np.isclose(change([0.6, 0.8], [1.2, 1.6]), 2**2 - 1),
            "alone": np.isclose(change([0.6, 0.8], [1.2, 1.6]), 2 - 1),
        },
        "so that variance is at most $r^2 / [4|12]$": {
            size: np.var([0, 1]) <= 1 / int(size) for size in ("4", "12")
        },
        "is not attained, it is the [smaller] of the two": BEYOND.max(),
        "the factor grows towards [2|1]: on one ray": (
            lambda limit: np.isclose(TOWARDS, int(limit), rtol=1e-3)
        ),
        r"the count has variance about $\frac{lu}{[4|2]n}$": (
            lambda size: np.isclose(
                OF_HALF, 800 * 1200 / (int(size) * 2000), rtol=0.01
            )
        ),
        r"the elements $2\, [(1 - p)^2|p^2] / \log \frac1p$ is enough": {
            "(1 - p)^2": np.isclose(np.exp(-2 * 0.7**2 / (2 * 0.7**2 / LOG)), 0.3),
            "p^2": np.isclose(np.exp(-2 * 0.7**2 / (2 * 0.3**2 / LOG)), 0.3),
        },
        "which tends to $[" + "|".join(LIMITS) + "]$, stands in place of 1": (
            lambda formula: np.allclose(LIMITS[formula], BASEL, atol=5e-3)
        ),
        "[falls] again beyond the middle and is": BEYOND_MIDDLE.max(),
        "it misses the right value at [one|both] of the ends": ends_missed,
        r"without, it is about $\frac{l u}{[n|2 n]}$, falls": (
            lambda under: np.isclose(
                LARGE, 3000 * 7000 / {"n": 10**4, "2 n": 2e4}[under], rtol=0.01
            )
        ),
        "falls again [beyond|before] the middle": {
            "beyond": all(SHARP[k] > SHARP[k + 1] for k in range(10, 19)),
            "before": all(SHARP[k] > SHARP[k + 1] for k in range(1, 10)),
        },
    },
)
