"""Coherence: what shows words that could be exchanged."""

import re
from itertools import product
from math import comb

import numpy as np
from scipy.stats import chi2
from sides_shown import sides
from words_shown import draws, found, measured, ran

from nystheory import coherence as spread
from nystheory import lowrank, sampling, style
from nystheory.chapters.coherence import figures, findings, recovery
from nystheory.chapters.coherence.theorems import clusters, synthetic_coherence
from nystheory.chapters.coherence.theorems.clusters import Clusters

CHAPTER = "coherence"
RNG = np.random.default_rng(0)
NEAR = 1e-9

# ---- Two ways to count

TURNED = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
BOTH_BASES = {
    "first": np.isclose(spread.of_vectors(np.eye(2)), spread.of_vectors(TURNED)),
    "second": np.isclose(spread.basis_free(np.eye(2)), spread.basis_free(TURNED)),
}
POINTS = np.array([[1, 0], [1, 0.2], [1, -0.2], [1, 0], [0, 2]])
SCORES = sampling.leverage_scores(POINTS @ POINTS.T, 2)


def of_lone_point(score, M):
    size = {"$n$": 5, "$1$": 1}[M]
    return abs(SCORES[-1] - float(score)) < 0.1 and abs(5 * SCORES.max() - size) < 0.5


def extremes(hadamard, alone):
    """The coherence of rows on Hadamard columns, and of single points."""
    H = np.kron(np.kron(TURNED, TURNED), TURNED)[:, :3]
    wanted = {"r": 3, "n": 8}
    told = spread.basis_free(H), spread.basis_free(np.eye(8)[:, :3])
    return np.allclose(told, [wanted[hadamard], wanted[alone]])


def signs_agree(n):
    """Whether two vectors of signs can be orthogonal."""
    return any(sum(signs) == 0 for signs in product((-1, 1), repeat=n))


MEETS = {
    name: 1 - comb(400 - m, 40) / comb(400, 40)
    for name, m in (("many", 40), ("one", 1))
}
CASES = [Clusters.of_ones((size,) * 10, 1, origin=400 - 10 * size) for size in (40, 1)]
RANGE = {"least": 10, "most": 400}
COUNTED = np.r_[np.full(5, 1 / np.sqrt(5)), np.zeros(15)]
POINTS_OF = {"lives": np.count_nonzero(COUNTED), "vanishes": np.sum(COUNTED == 0)}

# ---- Recovery, and near isometry

BASIS = np.kron(np.eye(2), np.full((10, 1), 1 / np.sqrt(10)))
UNEVEN = BASIS[[0, 1, 2, 3, 4, 5, 6, 7, 8, 10]]  # one point of the second group
GRAM = UNEVEN.T @ UNEVEN
DONE = {
    "recovery": np.linalg.matrix_rank(UNEVEN) == 2,
    "near isometry": np.linalg.norm(20 / 10 * GRAM - np.eye(2), 2) < 1 / 2,
}
MANY = [recovery.columns_by_space(10, M, 0.05) for M in (10, 300)]


def m_of_quiz():
    angles = np.linspace(0.1, 3, 100)
    X = np.vstack([np.cos(angles), np.sin(angles)])
    X[:, 0] *= 1000
    return spread.basis_free(np.linalg.svd(X, full_matrices=False)[2].T)


R = 50
HALVES = {
    r"$l = r \ln(r / \ln 2)$": R * np.log(R / np.log(2)),
    r"$l = r \ln(r \ln 2)$": R * np.log(R * np.log(2)),
}


def is_half(formula):
    count = round(HALVES[formula])
    chance = clusters.missed(Clusters.of_ones((10**5,) * R, count))
    return abs(chance - 1 / 2) < 0.02


def repeats(m=4, n=200):
    """How likely the next draw is of a group that has one, less before."""
    return (m - 1) / (n - 1) - m / n


U = np.linalg.qr(RNG.standard_normal((60, 4)))[0]
P = U @ U.T
MU_0, MU_1 = 60 / 4 * P.diagonal().max(), 60 / 2 * abs(P).max()
ALONG = np.linalg.norm(P, axis=0)  # of the axes, in the space
ANGLE = {"cosine": ALONG**2, "sine": 1 - ALONG**2}
ROWS = (U**2).sum(axis=1)
LONG = ROWS.argmax()
SHARES = ROWS / ROWS.sum()

# ---- Bounds


def exponent(x):
    return 1 - x + x * np.log(x)


H_AT_ZERO = exponent(1e-9)
SHARES_KEPT = {"small": 1e-6, "large": 0.9}
COLUMNS_OF = {word: (1 - x) ** 2 / 2 / exponent(x) for word, x in SHARES_KEPT.items()}
DIGITS = ran(CHAPTER, "def matrix(name)")
K_RBF = DIGITS["matrix"]("digits, RBF")
MADE = lowrank.nystrom(K_RBF, DIGITS["columns"])
VALUES = np.linalg.svd(MADE.factor, compute_uv=False) ** 2
MISSED = np.trace(K_RBF) - (MADE.factor**2).sum()


def too_large(mean=40.0):
    """The bound of Chernoff on both tails of Poisson's law, less the chance."""
    lower, upper = recovery.poisson_rates(np.array([mean]))
    a, b = (1 - np.log(2)) / 2, (3 * np.log(1.5) - 1) / 2
    pairs = ((a, lower[0]), (b, upper[0]))
    return min(np.exp(-x * mean) - np.exp(-exact * mean) for x, exact in pairs)


def reached(target, size=60, rank=3, tries=100):
    """How often a target is the coherence."""
    rng = np.random.default_rng(0)
    each = (
        synthetic_coherence.columns_with(size, rank, target, rng) for _ in range(tries)
    )
    return np.mean([np.isclose(spread.of_vectors(made), target) for made in each])


REACHED = {"above": reached(5.0), "below": reached(1.5)}


def row_of_spike(t=4.0, r=5, n=60):
    """The mean of the row, less what the words bound it by."""
    return t**2 + (n - t**2) * (r - 1) / (n - 1) - (t**2 + r - 1)


Y = np.linspace(0.01, 8.99, 300)
AROUND = chi2.pdf(9 - Y, 9) - chi2.pdf(9 + Y, 9)  # around the mean
FLIPS = np.flatnonzero(np.diff(np.sign(AROUND)))


def changes_sign(before, after):
    sign = {"plus": 1, "minus": -1}
    ends = np.sign(AROUND[0]), np.sign(AROUND[-1])
    return len(FLIPS) == 1 and ends == (sign[before], sign[after])


# ---- Figures

COHERENT = found(f"{CHAPTER}:coherent")
CHOSEN = measured(f"{CHAPTER}:chosen", "M", "groups8", "80 % of the spectrum")
OF_GROUPS = CHOSEN.mean()


def drawn(word):
    """Whether the right panel draws this way of counting."""
    _, (axes,) = style.panels(1)
    figures.draw_growth(axes, COHERENT, ("digits, linear",))
    competitor = {"mu": "entries", "M": "rows"}[word]
    told = figures.means(COHERENT, findings.COHERENCE, competitor, "digits, linear")
    return np.allclose(axes.lines[0].get_ydata(), told)


def is_done(one, all_of_them):
    """Which of two is reached with one point of a group."""
    done = {name.capitalize(): x for name, x in DONE.items()} | DONE
    return done[one] and not done[all_of_them]

LONE = Clusters.of_ones((1,), 40, origin=99)
UNCERTAIN = 1 - clusters.missed(LONE)
ONE_EACH = recovery.points_of(Clusters.of_ones((40,) * 10, 1))[::40]

def clusters_at(logarithm, r=10, M=40.0):
    """Whether the bound is delta at so many columns, and not before."""
    return np.isclose(r * np.exp(-M * logarithm / M), 0.05)


RECOVERED = f"{CHAPTER}:recovery"
SETTINGS = np.array(draws(RECOVERED)[0].settings)
AT_RANK = [
    measured(RECOVERED, "error", "uniform", name).mean(axis=0)[
        (SETTINGS >= recovery.RANK) & (SETTINGS <= 2 * recovery.RANK)
    ].min()
    for name in findings.SIX
]
COUNT = {"one": 1, "five": 5}


def of_patches(words):
    """Whether a large M keeps the patches from being determined by fifty columns."""
    name = "patches, linear"
    asked = measured(RECOVERED, "asked", "space", name).min()
    worst = measured(RECOVERED, "error", "uniform", name).max(axis=0)
    determined = worst[SETTINGS == recovery.RANK].max() < 0.5
    return asked >= 100 and determined == (words == "nothing")


def asks_for_all(word):
    """On how many matrices the printed condition takes all columns or more."""
    asked = [measured(RECOVERED, "asked", "printed", x).min() for x in findings.SIX]
    return {"all": min(asked) >= 100, "none": max(asked) < 100}[word]


def are_recovered(words):
    """How many of the six have no error at the rank or soon after, and how many do."""
    done, left = (COUNT[x] for x in re.findall("one|five", words))
    none = np.isclose(AT_RANK, 0, atol=0.5)
    return (none.sum(), (~none).sum()) == (done, left)


# ---- Two crowds, of which the cut core keeps one


def missed_crowd(size):
    """Which of two crowds is missed, with two landmarks in the one of two points."""
    K = np.pad(np.ones((size, size)), (0, 2))
    K[size:, size:] = 1
    cut = lowrank.nystrom(K, [0, size, size + 1], 1, truncate="core")
    left = (K - cut.spectral_reconstruction()).diagonal()
    return "larger" if left[0] > 0.5 else "smaller", np.linalg.norm(left, 1)


CROWDS = [missed_crowd(size) for size in (3, 5, 20)]


def crowds(missed, points, factor):
    """The error over the best of rank one, which is the smaller crowd."""
    grows = (np.diff([error / 2 for _, error in CROWDS]) > 0).all()
    signs = {"more": 1, "fewer": -1, "larger": 1, "smaller": -1}
    one_way = signs[points] * signs[factor] > 0
    return {name for name, _ in CROWDS} == {missed} and one_way == grows


sides(
    CHAPTER,
    {
        "it may miss the [larger|smaller] of two crowds, and the [more|fewer] points "
        "this has, the [larger|smaller] the factor by which": crowds,
        "sees a direction well if [many|one] points share it": {
            name: chance > 0.9 for name, chance in MEETS.items()
        },
        "ways to count, and only the [second|first] belongs to the space": BOTH_BASES,
        "its score is close to [1|0], and $M$ close to [$n$|$1$]": of_lone_point,
        r"$M = [r|n]$ and $\mu = 1$ on Hadamard columns, $M = \mu^2 = [n|r]$": (
            extremes
        ),
        "is a sum of $n$ odd numbers, which can vanish only for [even|odd] $n$": {
            "even": signs_agree(4) and not signs_agree(3) and not signs_agree(5),
            "odd": signs_agree(3),
        },
        r"$1 / \sum_i u_i^4$ counts on how many points it [lives|vanishes]": (
            lambda word: np.isclose(1 / (COUNTED**4).sum(), POINTS_OF[word])
        ),
        "as long as the others, so that $M$ is nearly [$n$|$1$]": {
            "$n$": abs(m_of_quiz() - 100) < 5,
            "$1$": abs(m_of_quiz() - 1) < 5,
        },
        r"down to half as many for [small|large] $\varepsilon$": (
            lambda word: np.isclose(COLUMNS_OF[word], 1 / 2, rtol=0.01)
        ),
        r"Because $h(\varepsilon) \to [1|0]$": (
            lambda limit: np.isclose(H_AT_ZERO, float(limit), atol=1e-6)
        ),
        "Small $M$ makes [few] columns enough": MANY[0] - MANY[1],
        "and $M = 400/40 = 10$, the [least|most] that a rank of 10 allows": (
            lambda word: np.isclose(CASES[0].M, RANGE[word])
        ),
        "and $M = 400$, the [most|least] there is": (
            lambda word: np.isclose(CASES[1].M, RANGE[word])
        ),
        r"\|U_{i,:}\|^2 = [\sqrt r\, \mu_0|\mu_0 / \sqrt r]$": {
            r"\sqrt r\, \mu_0": np.isclose(MU_1, 2 * MU_0),
            r"\mu_0 / \sqrt r": np.isclose(MU_1, MU_0 / 2),
        },
        "that is [" + "|".join(HALVES) + "]": is_half,
        "so that the next draw is [less] likely to repeat it": repeats(),
        "Right, coherence [mu|M] of random principal submatrices": drawn,
        "A score is the squared [cosine|sine] of the angle between a coordinate axis": (
            lambda word: np.allclose(ANGLE[word], np.diag(P))
        ),
        "these hundred columns miss [more] than the gap": (
            MISSED - (VALUES[4] - VALUES[5])
        ),
        "[Recovery|Near isometry] needs one point of each group, "
        "[near isometry|recovery] a fair share": is_done,
        "with $r = 1$, is [too large] by a factor": too_large(),
        r"the median of $R^2$ is [below] its mean": chi2.median(9) - 9,
        "on $y > 0$, from [plus|minus] to [minus|plus], since": changes_sign,
        "A target [above|below] the random level is reached, with probability": (
            lambda word: REACHED[word] > 0.95
        ),
        r"So a target [below|above] $\mu_-$ is not reached": (
            lambda word: REACHED[word] < 0.05
        ),
        "The row of the spike has in the mean at [most|least] $t^2 + r - 1$": {
            "most": row_of_spike() <= NEAR,
            "least": row_of_spike() >= -NEAR,
        },
        "$M = n / 8 < 8^2$, [less] than a spike of 8": OF_GROUPS - 8**2,
        "the long rows are the trouble, draw them [more] often": SHARES[LONG] - 1 / 60,
        "it makes recovery [uncertain, not impossible|impossible]": {
            "uncertain, not impossible": 0 < UNCERTAIN < 1,
            "impossible": UNCERTAIN == 0,
        },
        "Ten good columns are [enough|too few]; uniform ones": {
            "enough": np.linalg.matrix_rank(ONE_EACH) == 10,
            "too few": np.linalg.matrix_rank(ONE_EACH) < 10,
        },
        r"\le \delta$ says $l \ge M \ln([r/\delta|\delta/r])$": {
            r"r/\delta": clusters_at(np.log(10 / 0.05)),
            r"\delta/r": clusters_at(np.log(0.05 / 10)),
        },
        "$M$ is $n$ [divided by|times] the size of a group": {
            "divided by": np.allclose([case.M for case in CASES], [400 / 40, 400]),
            "times": np.allclose([case.M for case in CASES], [400 * 40, 400]),
        },
        "[five matrices are recovered as soon as $l = r$ or soon after, one is not|one "
        "matrix is recovered as soon as $l = r$ or soon after, five are not].": (
            are_recovered
        ),
        "Large $M$ proves [nothing|that few columns fail]: the patches": of_patches,
        "with our constants, does so on [all|none] of these matrices": asks_for_all,
    },
)
