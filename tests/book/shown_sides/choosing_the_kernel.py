"""Choosing the kernel: what shows words that could be exchanged."""

import re
from itertools import combinations
from math import comb

import numpy as np
from sides_shown import sides
from words_shown import found, ran

from nystheory import kernels, lowrank, sampling, selection, theorems
from nystheory.chapters.choosing_the_kernel import experiments, points
from nystheory.chapters.choosing_the_kernel.experiments import FOLDS, SHARE

CHAPTER = "choosing_the_kernel"
RNG = np.random.default_rng(0)
NEAR = 1e-9


def is_below(A, B):
    return np.linalg.eigvalsh(B - A).min() > -NEAR


# ---- The criterion

SIX = ran(CHAPTER, "by_hand = []")
MU, N, Y = SIX["mu"], SIX["n"], SIX["y"]
WIDE, NARROW = (np.exp(-g * (SIX["X"] - SIX["X"].T) ** 2) for g in (0.1, 1.0))
NAMED = {"wide": WIDE, "narrow": NARROW}
A = NARROW + N * MU * np.eye(N)
W = np.linalg.solve(A, Y)  # the best function, as a combination of the points


def criterion(K, ridge=N * MU):
    return selection.criterion(K, Y, ridge)


def has_smaller(word):
    return criterion(NAMED[word]) == min(criterion(K) for K in NAMED.values())


def follows_last(follows, hardly):
    """Whether the fit at the last point has its label, and not that of others."""
    fit = {
        name: (K @ np.linalg.solve(K + N * MU * np.eye(N), Y))[-1] / Y[-1]
        for name, K in NAMED.items()
    }
    return fit[follows] > 2 / 3 and fit[hardly] < 1 / 3


PENALTY = W @ NARROW @ W
LEAST = np.mean((NARROW @ W - Y) ** 2)
RESIDUALS = {
    r"$X^\top w_* - y = K A^{-1} y - y = -n \mu A^{-1} y$": -N * MU * W,
    r"$X^\top w_* - y = K A^{-1} y - y = -\mu A^{-1} y$": -MU * W,
}
CUTS = [lowrank.nystrom(NARROW, S) for S in combinations(range(N), 3)]
LIFTED = [criterion(K) - criterion(NARROW) for K in CUTS]
CURVES = {
    name: found(f"{CHAPTER}:figure").measured("criterion", name, "moons").mean(axis=0)
    for name in ("original", "uniform")
}
GAP = CURVES["uniform"] - CURVES["original"]  # from wide kernels to narrow ones
PAIR = RNG.standard_normal((2, 5, 5))
LESS = PAIR[0] @ PAIR[0].T + np.eye(5)
MORE = LESS + PAIR[1] @ PAIR[1].T
INVERSES = np.linalg.inv(LESS), np.linalg.inv(MORE)


def misses(best, column):
    """How much of the labels is not fitted, by the best rank and by one column."""
    K, y = np.diag([2.0, 1]), np.array([0.0, 1])
    shares = []
    for made in (lowrank.best_rank_k(K, 1), lowrank.nystrom(K, [1])):
        off = made.spectral_reconstruction() @ y - K @ y
        shares.append(np.linalg.norm(off) / np.linalg.norm(K @ y))
    return np.allclose(shares, [{"all": 1, "nothing": 0}[x] for x in (best, column)])


def at_infinity(word):
    """The criterion of a huge multiple of a singular matrix."""
    K = PAIR[0][:, :3] @ PAIR[0][:, :3].T
    y = np.arange(1.0, 6)
    onto = PAIR[0][:, :3] @ np.linalg.pinv(PAIR[0][:, :3])
    P = {"kernel": np.eye(5) - onto, "range": onto}[word]
    return np.isclose(selection.criterion(1e9 * K, y, 1.0), np.sum((P @ y) ** 2) / 5)


# ---- Probabilities

LINE = RNG.permutation(np.linspace(0, 6, 12))[:, None]
K = kernels.rbf(LINE, 1.0).dense()
OWN = [0, 1, 2]
CORE = lowrank.nystrom(K, OWN, 1).spectral_reconstruction()
F = K[:, OWN] - CORE[:, OWN]
UNLIKE = np.where(np.arange(12) < 4, 1.0, -1.0)
ALIKE = np.where(np.arange(12) < 6, 1.0, -1.0)


def driven(y, rank=1, columns=OWN):
    return sampling.update_probability_criterion(K, columns, y, rank=rank)


def by_sizes(power):
    size = np.where(UNLIKE > 0, 4.0, 8.0) ** power
    p = ((F * np.outer(size, size[OWN])) ** 2).sum(axis=1)
    p[OWN] = 0
    return np.allclose(p / p.sum(), driven(UNLIKE))


def labels_matter(y):
    return not np.allclose(driven(y), driven(np.ones(12)))


def is_for_all(word):
    """Whether sums along it are a probability for each point."""
    return len(F.sum(axis={"row": 1, "column": 0}[word])) == len(K)


def large_near(size, where):
    """Mean probability near the columns, and far from them, for a narrow kernel."""
    points = np.linspace(0, 6, 40)[:, None]
    narrow = kernels.rbf(points, 20.0)
    own = [10, 11, 12]
    p = sampling.update_probability_criterion(narrow, own, np.ones(40), rank=1)
    away = abs(points - points[own].T).min(axis=1)
    where = {"near": (away < 0.4) & (away > 0), "far from": away > 1}[where]
    return (p[where].mean() > 0.02) == (size == "large")


BLOCKS = np.kron(np.eye(2), kernels.rbf(np.arange(5.0)[:, None], 0.3).dense())
RULES = {
    "Adapt-Part": sampling.update_probability_partial(BLOCKS, [0, 2]),
    "Adapt-Full": sampling.update_probability_full(BLOCKS, [0, 2]),
}
BLIND = {name: p[5:].sum() < NEAR for name, p in RULES.items()}
FIVE = sampling.update_probability_criterion(K, list(range(5)), UNLIKE)
IN_FIRST = comb(5000, 6) / comb(10000, 6)
CHANCES = {"$2^{-s}$": 2.0**-6, "$1 - 2^{-s}$": 1 - 2.0**-6}


def at_every_size(id):
    """Whether a claim bounds the difference from below by a number without n."""
    lines = (claim.line for claim in theorems[id].claims.values())
    below = [x.partition(">=")[2] for x in lines if x.startswith("C_T - C_K >=")]
    return any(set(re.findall(r"[A-Za-z_]+", x)) == {"mu"} for x in below)


# ---- Proofs

C = PAIR[0][:, :3]
VOLUMES = [np.linalg.det(x.T @ x) for x in (C[:, :2], C)]
AWAY = np.linalg.norm(C[:, 2] - C[:, :2] @ np.linalg.pinv(C[:, :2]) @ C[:, 2])
SMALL = [sum(i >= 2 for i in some) for some in combinations(range(6), 4)]
a, COUNT = 0.3, 5
EQUAL = (1 - a) * np.eye(COUNT) + a
OUTSIDE = (EQUAL - np.outer(EQUAL[0], EQUAL[0]))[1:, 1:]
ENTRIES = {"$1 - a^2$": 1 - a**2, "$a - a^2$": a - a**2}
LEADING = {"1 - a + a l": 1 - a + a * COUNT, "1 + a - a l": 1 + a - a * COUNT}
DELTA = np.linspace(0, 5, 200)
RELATIVE = DELTA / (DELTA + 0.7)

GROWN = np.diff([criterion(lowrank.nystrom(NARROW, range(k))) for k in (1, 2, 4, 5)])

UNIFORM = theorems["ding2019:uniform-columns"]
ALONG = np.ones(N) * (Y.sum() / N)
OF_ONES = {}
for sign, size in (("+", N + N * MU), ("-", N - N * MU)):
    OF_ONES[sign] = MU * (ALONG @ ALONG) / size + (Y - ALONG) @ (Y - ALONG) / N


def in_unit(words):
    """What the package's experiments make one."""
    X = points.scaled(RNG.standard_normal((30, 3)) @ np.diag([1.0, 2, 5]))
    away = ((X[:, None] - X) ** 2).sum(axis=-1).mean()
    told = {"two points have a mean squared distance of one": away}
    told |= {"each coordinate has a variance of one": X.var(axis=0)}
    return np.allclose(told[words], 1)


DRIVEN = sampling.criterion_driven
SOME = kernels.rbf(RNG.standard_normal((60, 2)))


def in_a_round(word, of=40):
    """How many columns are drawn at a time: of the same law, one more or not."""
    parts = {"tenth": of // 10, "fifth": of // 5}
    y = np.sign(RNG.standard_normal(60))
    own, told = (
        DRIVEN(SOME, of, np.random.default_rng(5), y=y, **given).indices
        for given in ({}, {"batch": parts[word]})
    )
    return np.array_equal(own, told)


sides(
    CHAPTER,
    {
        "part from it towards [narrow|wide] kernels": {
            "narrow": GAP[-1] > 2 * GAP[0] and GAP.min() >= 0,
            "wide": GAP[0] > 2 * GAP[-1],
        },
        r"the mean squared error plus $\mu$ times the [squared norm|norm]": {
            "squared norm": np.isclose(LEAST + MU * PENALTY, criterion(NARROW)),
            "norm": np.isclose(LEAST + MU * np.sqrt(PENALTY), criterion(NARROW)),
        },
        "The residual of $w_*$ is [" + "|".join(RESIDUALS) + "]": (
            lambda formula: np.allclose(RESIDUALS[formula], NARROW @ W - Y)
        ),
        "The [narrow|wide] kernel has the smaller criterion": has_smaller,
        "It follows the label of the last point, against those of its neighbours; the "
        "[wide|narrow] one hardly does": lambda word: follows_last(
            {"wide": "narrow", "narrow": "wide"}[word], word
        ),
        r"is in units of $K$, that is [$n \mu$|$\mu$]": {
            r"$n \mu$": np.isclose(criterion(NARROW, N * MU), MU * Y @ W),
            r"$\mu$": np.isclose(criterion(NARROW, MU), MU * Y @ W),
        },
        r"with the same norms, so $\mathcal C(\tilde K) [\ge|\le] \mathcal C(K)$": {
            r"\ge": min(LIFTED) > 0,
            r"\le": max(LIFTED) < 0,
        },
        r"Inverses [turn|keep] the order: $\mathcal C(K)": {
            "turn": is_below(INVERSES[1], INVERSES[0]),
            "keep": is_below(INVERSES[0], INVERSES[1]),
        },
        "for two classes, [one over the size|the size] of its class": {
            "one over the size": by_sizes(-1),
            "the size": by_sizes(1),
        },
        "number of columns so far, rounded [down|up], as": {
            "down": np.allclose(FIVE, driven(UNLIKE, 2, list(range(5)))),
            "up": np.allclose(FIVE, driven(UNLIKE, 3, list(range(5)))),
        },
        "$p_i$ is [large|small] only for points *[near|far from]* the columns": (
            large_near
        ),
        "[Adapt-Part|Adapt-Full] has this blind spot, too; "
        "[Adapt-Full|Adapt-Part] does not": (
            lambda one, other: BLIND[one] and not BLIND[other]
        ),
        r"$\mathcal C$ depends on [$K / \mu$|$K \mu$] only": {
            r"$K / \mu$": np.isclose(criterion(3 * NARROW, 3), criterion(NARROW, 1)),
            r"$K \mu$": np.isclose(criterion(3 * NARROW, 1), criterion(NARROW, 3)),
        },
        "By {ref}`[ding2019:thm-1|ding2019:def-1]` this happens at every size of": (
            at_every_size
        ),
        "and with two classes of [one size|unlike sizes] not on the labels at all": {
            "one size": not labels_matter(ALIKE),
            "unlike sizes": not labels_matter(UNLIKE),
        },
        "of rank one misses [all|nothing] of $y$, and the second column misses "
        "[nothing|all]": misses,
        r"[increases] in $t$ in the order of semidefinite matrices": (
            np.linalg.eigvalsh(2 * LESS - LESS).min()
        ),
        "the projector onto the [kernel|range] of $K$": at_infinity,
        "This takes about [$4 n l^2$|$5 n l^2$] operations": {
            f"${k} n l^2$": np.isclose(FOLDS * (1 - 1 / FOLDS), k) for k in (4, 5)
        },
        "the source writes *[column|row]* where only *[row|column]* gives": (
            lambda theirs, ours: is_for_all(ours) and not is_for_all(theirs)
        ),
        "the squared volume is multiplied by the [squared distance|distance]": {
            "squared distance": np.isclose(VOLUMES[1] / VOLUMES[0], AWAY**2),
            "distance": np.isclose(VOLUMES[1] / VOLUMES[0], AWAY),
        },
        r"of the $\lambda_i^2$ has at [least|most] $l + 1 - k$ factors": {
            "least": min(SMALL) >= 4 - 2,
            "most": max(SMALL) <= 4 - 2,
        },
        "are [$1 - a^2$|$a - a^2$] on the diagonal and [$a - a^2$|$1 - a^2$] beside": (
            lambda own, beside: np.allclose(OUTSIDE.diagonal(), ENTRIES[own])
            and np.allclose(np.diag(OUTSIDE, 1), ENTRIES[beside])
        ),
        "$W$ has the leading eigenvalue $[1 - a + a l|1 + a - a l] =": (
            lambda formula: np.isclose(np.linalg.eigvalsh(EQUAL)[-1], LEADING[formula])
        ),
        "with a probability near [$2^{-s}$|$1 - 2^{-s}$] all of them lie": (
            lambda formula: np.isclose(IN_FIRST, CHANCES[formula], rtol=0.01)
        ),
        r"This is a [concave] function of $\delta$": np.diff(RELATIVE, 2).max(),
        r"function of $\delta$ that [grows], so": np.diff(RELATIVE).min(),
        "errors cancel. All have the [same|opposite] sign": {
            "same": min(LIFTED) > 0 or max(LIFTED) < 0,
            "opposite": min(LIFTED) < 0 < max(LIFTED),
        },
        "Nyström criteria are never too [small|large], so the second": {
            "small": min(LIFTED) >= 0,
            "large": max(LIFTED) <= 0,
        },
        "A machine on [fewer|more] functions fits no better": {
            "fewer": GROWN.max() <= NEAR,
            "more": GROWN.min() >= -NEAR,
        },
        r"have norms of at most $\frac{1}{[n \mu|\mu]}$": {
            r"n \mu": np.linalg.norm(np.linalg.inv(A), 2) <= 1 / (N * MU),
            r"\mu": np.linalg.norm(np.linalg.inv(A), 2) > 1 / MU,
        },
        r"and $\frac{\mu \|y\|^2}{\|K\|_2 [+|-] n \mu}$": (
            lambda sign: np.isclose(
                criterion(np.ones((N, N))), OF_ONES[sign]
            )
        ),
        "in the first round already if $k [\\ge|<] s$; we draw": {
            r"\ge": np.ptp(driven(UNLIKE, 3)[3:]) < NEAR,
            "<": np.ptp(driven(UNLIKE, 2)[3:]) < NEAR,
        },
        r"the mean difference is at most $M^2 / (1 + \mu [\sqrt l|l])$": (
            lambda size: np.isclose(
                UNIFORM.right_side("bound", y=np.array([2.0]), mu=0.3, l=9),
                4 / (1 + 0.3 * {r"\sqrt l": 3, "l": 9}[size]),
            )
        ),
        "scaled so that [two points have a mean squared distance of one|each "
        "coordinate has a variance of one]": in_unit,
        r"It takes $l = [0.2|0.1]\, n$ columns, a": (
            lambda share: SHARE == float(share)
        ),
        "columns, a [tenth|fifth] of them in a round": in_a_round,
        r"in a round, $\mu = [0.005|0.05]$, and ten runs": (
            lambda size: experiments.MU == float(size)
        ),
    },
)
