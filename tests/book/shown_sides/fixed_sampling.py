"""Fixed sampling: what shows words that could be exchanged."""

from fractions import Fraction
from inspect import signature
from itertools import combinations

import numpy as np
from sides_shown import sides
from words_shown import measured

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.chapters.fixed_sampling import crowds, drawing, leverage_scores
from nystheory.sampling import _estimated_leverage as package

CHAPTER = "fixed_sampling"
RNG = np.random.default_rng(0)
NEAR = 1e-9
X = RNG.standard_normal((40, 2))
GAUSSIAN = kernels.rbf(X, 1.0).dense()

# ---- Laws

LAWS = ("uniform", "diagonal", "column_norm", "leverage", "ridge_leverage")
PLACES = ("first", "second", "third", "fourth", "fifth")
OPTIONS = {"leverage": {"rank": 3}, "ridge_leverage": {"alpha": 1.0}}


def law(name, K):
    drawn = sampling.SCHEMES[name](K, 1, RNG, **OPTIONS.get(name, {}))
    return drawn.probabilities


def are_one(one, other):
    """Whether two of the five laws agree for a Gaussian kernel."""
    laws = [law(LAWS[PLACES.index(word)], GAUSSIAN) for word in (one, other)]
    return one != other and np.allclose(*laws)


CROWD = crowds.crowd_and_groups(crowd=182, groups=9, size=2)
OF_CROWD = crowds.crowd_kernel(CROWD).dense()
LENGTHS = np.linalg.norm(OF_CROWD, axis=0)
NEIGHBOURS = (OF_CROWD > 0.5).sum(axis=0)
LONG, SHORT = LENGTHS > np.quantile(LENGTHS, 0.8), LENGTHS < np.quantile(LENGTHS, 0.1)
OF_LONG, OF_SHORT = NEIGHBOURS[LONG].mean(), NEIGHBOURS[SHORT].mean()
AROUND = {"many": OF_LONG > 3 * OF_SHORT, "few": OF_SHORT > 3 * OF_LONG}
HUNDRED = np.zeros((101, 101))
HUNDRED[:100, :100] = HUNDRED[100, 100] = 1
PREFER = {
    "Column norms prefer them, and so draw": law("column_norm", HUNDRED),
    "Leverage prefers them, and so draws": sampling.ridge_leverage_scores(HUNDRED, 1),
}
SETS = [set(some) for some in combinations(range(9), 4)]
COUNTS = {
    r"$\binom{n-r}{l}$": sum(not some & {0, 1} for some in SETS),
    r"$\binom{n-r}{l-r}$": sum({0, 1} <= some for some in SETS),
}
MISS, GET = (float(x) * len(SETS) for x in drawing.miss_and_get(9, 2, 4))

# ---- Leverage

SIGMA = np.array([1e-3, 1e3])
COUNTED = SIGMA / (SIGMA + 1)


def count(fully, hardly):
    size = {"smaller": COUNTED[0], "larger": COUNTED[1]}
    return size[fully] > 0.99 and size[hardly] < 0.01


def of_cluster(m, alpha):
    K = np.zeros((m + 3, m + 3))
    K[:m, :m], K[m:, m:] = 1, np.eye(3)
    return sampling.ridge_leverage_scores(K, alpha)[0]


ONE = {
    r"$1 / (m + \alpha)$": np.isclose(of_cluster(5, 2.0), 1 / 7),
    r"$1 / (m \alpha)$": np.isclose(of_cluster(5, 2.0), 1 / 10),
}
SHARES = {
    "more": [m * of_cluster(m, 1.0) for m in (100, 400)],
    "fewer": [m * of_cluster(m, 1e4) for m in (100, 400)],
}


def are_between(alpha):
    """Whether all scores are, on a crowd of points of several lengths."""
    lengths = 1 + RNG.random(len(OF_CROWD))
    K = OF_CROWD * np.outer(lengths, lengths)
    alpha *= len(K) * K.diagonal().max()
    shares = sampling.ridge_leverage_scores(K, alpha) * alpha / K.diagonal()
    return shares.min() >= 1 / 2 and shares.max() <= 1


BETWEEN = {"small": are_between(1e-4), "large": are_between(1.0)}
RATIO = signature(sampling.bless).parameters["step"].default
RIDGES = list(package._ridges(64.0, 1.0, RATIO))
STEPS = np.divide(RIDGES[1:], RIDGES[:-1])
HOW = {"divides it by two": 1 / 2, "doubles it": 2}
EXACT = sampling.ridge_leverage_scores(GAUSSIAN, 0.5)
FROM = {
    "all": leverage_scores.estimated_scores(GAUSSIAN, range(40), np.ones(40), 0.5),
    "half of the": leverage_scores.estimated_scores(
        GAUSSIAN, range(20), np.ones(20), 0.5
    ),
}
MORE = GAUSSIAN + 2 * np.eye(40)
INVERSES = np.linalg.inv(MORE) - np.linalg.inv(MORE + GAUSSIAN)

# ---- With and without replacement

P = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
ORDERED = drawing.one_by_one(P, 2)
INCLUDED = drawing.inclusion(ORDERED, 3)


def drawn_often(likely, unlikely):
    """Beside twice the probability."""
    sign = {"less": -1, "more": 1}
    off = INCLUDED[0] - 2 * P[0], INCLUDED[2] - 2 * P[2]
    return off[0] * sign[likely] > 0 and off[1] * sign[unlikely] > 0


Q = np.linspace(0.01, 0.9, 50)
LONELY = np.array([[4.0, 0, 0], [0, 3, 3], [0, 3, 3]])
WITH, WITHOUT = (
    np.linalg.norm(LONELY - lowrank.nystrom(LONELY, S, 1).spectral_reconstruction(), 2)
    for S in ([0, 1], [1, 2])
)
AFTER = lowrank.nystrom(LONELY, [0, 1], 1, truncate="approximation")
TAKEN = {
    "pair": np.allclose(AFTER.spectral_reconstruction()[1:, 1:], 3),
    "single point": np.isclose(AFTER.spectral_reconstruction()[0, 0], 4),
}
IN_SAMPLE = 5 / 9 - 2 / 3  # with replacement, and without
CONSTANTS = np.linspace(0.5, 5, 46)
LIMIT = 2 * np.log(36.8) / np.log(18.4)
EMPTY = 18.4 ** (-CONSTANTS / 2) > 1 / 36.8


def left_out(word):
    """The mean of the estimate of the trace, beside that of fewer or more columns."""
    K = RNG.standard_normal((4, 6))
    K = K.T @ K
    told = {"fewer": 2, "more": 4}[word]
    mean = np.mean([
        certificates.leave_one_out_trace(K, list(S)).value
        for S in combinations(range(6), 3)
    ])
    errors = [
        lowrank.nystrom(K, S).error(K, "trace") for S in combinations(range(6), told)
    ]
    return np.isclose(mean, np.mean(errors))


READ = kernels.rbf(X, 1.0)
certificates.leave_one_out_trace(READ, list(range(7)))
ASKED = {"$l^2$": READ.entries_asked == 49, "$n l$": READ.entries_asked == 280}

ONCE, THRICE = [0, 5], [0, 0, 0, 5]
SUMS = [sum(GAUSSIAN[j] for j in S) for S in (ONCE, THRICE)]
SPANS = [
    np.linalg.matrix_rank(np.vstack([GAUSSIAN[[0, 5]], GAUSSIAN[S]]))
    for S in (ONCE, THRICE)
]

COLUMNS, D = GAUSSIAN[:, [0, 9, 20]], np.diag([1.0, 2, 0.5])
CORES = {"W": COLUMNS[[0, 9, 20]], "D W D": D @ COLUMNS[[0, 9, 20]] @ D}


# ---- Equal points

EQUAL, BELOW = np.ones((12, 12)), 11.9
MISSED_OF_EQUAL = {
    "empty": np.linalg.norm(EQUAL, 2),
    "full": np.linalg.norm(EQUAL - EQUAL @ np.linalg.pinv(EQUAL) @ EQUAL, 2),
}
SCORES = np.diag(EQUAL @ np.linalg.inv(EQUAL + BELOW * np.eye(12)))
def few(field, name):
    """Mean accuracy from five percent of the columns of the large patches."""
    return measured(f"{CHAPTER}:schemes", field, name, "patches, linear").mean()


LEADS = {x: few(x, "diagonal") - few(x, "uniform") for x in ("few", "after")}
CUT = {
    "C W_k^+ C^\\top": lowrank.nystrom(OF_CROWD, range(0, 60, 5), 2, "core"),
    "(C W^+ C^\\top)_k": lowrank.nystrom(OF_CROWD, range(0, 60, 5), 2, "approximation"),
}


def is_cut(core, after):
    """Whether formulas are what the package has by these two names."""
    S = np.arange(0, 60, 5)
    C = OF_CROWD[:, S]
    core, after = (CUT[x].spectral_reconstruction() for x in (core, after))
    values, U = np.linalg.eigh(C[S])
    by_core = C @ (U[:, -2:] / values[-2:]) @ U[:, -2:].T @ C.T
    values, U = np.linalg.eigh(C @ np.linalg.pinv(C[S]) @ C.T)
    by_end = U[:, -2:] * values[-2:] @ U[:, -2:].T
    return np.allclose(core, by_core) and np.allclose(after, by_end)


def reports(n=12, special=2, l=3):  # noqa: E741
    """The self-test of all samples of an identity block, and their errors."""
    K = np.diag(np.r_[np.ones(special), np.zeros(n - special)])
    told = []
    for S in combinations(range(n), l):
        error = lowrank.nystrom(K, S).error(K, "trace")
        told.append((certificates.leave_one_out_trace(K, list(S)).value, error))
    return np.array(told).T


TOLD, MISSED = reports()
SILENT = np.isclose(TOLD, 0)
MANY = {
    "no error at all and a few that report a huge one": SILENT.mean() > 1 / 2
    and (TOLD[~SILENT] > MISSED[~SILENT]).all(),
    "a huge error and a few that report none at all": SILENT.mean() < 1 / 2,
}
IN_CROWD = np.flatnonzero(OF_CROWD[0] > 0)[:12].tolist()
OF_BLIND = certificates.leave_one_out_trace(OF_CROWD, IN_CROWD).value


sides(
    CHAPTER,
    {
        "because a column is long when its point has [many|few] neighbours": AROUND,
        "the diagonal is constant, and the [second|third] law is the [first|third]": (
            are_one
        ),
        "and [" + "|".join(COUNTS) + "] of them miss all $r$ columns; ["
        + "|".join(list(COUNTS)[::-1]) + "] hold them all": (
            lambda miss, get: np.isclose(COUNTS[miss], MISS)
            and np.isclose(COUNTS[get], GET)
        ),
        r"$\sigma_j$ is much [larger|smaller] than $\alpha$ count fully, those with a "
        "much [smaller|larger] one hardly at all": count,
        "has the score [" + "|".join(ONE) + "] if it has length 1": ONE,
        r"as long as each has many [more|fewer] points than $\alpha$": (
            lambda word: np.ptp(SHARES[word]) < 0.01 * max(SHARES[word])
        ),
        "[" + "|".join(PREFER) + "] what one column would do for": (
            lambda words: PREFER[words][:100].min() > PREFER[words][100]
        ),
        "Inverting [reverses|keeps] the order in": {
            "reverses": np.linalg.eigvalsh(INVERSES).min() > -NEAR,
            "keeps": np.linalg.eigvalsh(INVERSES).max() < NEAR,
        },
        "which is the exact score if $J$ holds [all|half of the] points": (
            lambda word: np.allclose(FROM[word], EXACT)
        ),
        "starts from a ridge so [large|small] that each score is between": BETWEEN,
        r"K_{xx} / \alpha$, and [divides it by two|doubles it], again": (
            lambda words: np.allclose(STEPS, HOW[words])
        ),
        "Column norms are large where many points are [alike|apart], which": {
            "alike": AROUND["many"],
            "apart": AROUND["few"],
        },
        "and with them all the $p_i$, as $h$ [increases]": np.diff(Q / (1 - Q)).min(),
        "With replacement this happens [less] often": IN_SAMPLE,
        "The error is [6|4] when the single point is in the sample and [4|6] when": (
            lambda single, none: np.allclose([WITH, WITHOUT], [int(single), int(none)])
        ),
        r"takes the [pair|single point] whenever it can": TAKEN,
        r"$1/36.8$ as long as $c [<|>] 2 \log 36.8 / \log 18.4$": {
            "<": (EMPTY == (CONSTANTS < LIMIT)).all(),
            ">": (EMPTY == (CONSTANTS > LIMIT)).all(),
        },
        "The likely column is drawn [less|more] often than twice $p_i$, which would be "
        "certainty, and the unlikely one [more|less] often": drawn_often,
        "the error with one landmark *[fewer|more]*, and the Schur": left_out,
        r"The number $\hat T$ costs [$l^2$|$n l$] entries": ASKED,
        "so a short column means [few neighbours, and hardly any|many neighbours, and "
        "nearly any] point can stand in for its point": {
            "few neighbours, and hardly any": AROUND["many"],
            "many neighbours, and nearly any": AROUND["few"],
        },
        "The diagonal prefers [none|the single one]; leverage asks": {
            "none": np.ptp(law("diagonal", HUNDRED)) < NEAR,
            "the single one": law("diagonal", HUNDRED)[100] > 1.01 / 101,
        },
        "So it would be in a [sum|span]; a projection does not count the points": {
            "sum": not np.allclose(*SUMS),
            "span": not np.allclose(*SPANS),
        },
        r"In formulas, $C D ([D W D|W])^+ D C^\top = C W^+ C^\top$": (
            lambda core: np.allclose(
                COLUMNS @ D @ np.linalg.pinv(CORES[core]) @ D @ COLUMNS.T,
                COLUMNS @ np.linalg.pinv(CORES["W"]) @ COLUMNS.T,
            )
        ),
        "One point determines $K$, so only the [empty|full] sample fails": (
            lambda word: MISSED_OF_EQUAL[word] > BELOW
        ),
        r"then $K - \tilde K = K$, whose norm $[n|1]$ exceeds": (
            lambda size: np.isclose(MISSED_OF_EQUAL["empty"], {"n": 12, "1": 1}[size])
        ),
        r"The scores are $l_i = 1 / ([n + \alpha|\alpha])$, about": (
            lambda under: np.allclose(
                1 / SCORES, BELOW + {r"n + \alpha": 12, r"\alpha": 0}[under]
            )
        ),
        r"so $\tilde d$ is about $[\frac12|1]$ and $\delta$": (
            lambda size: np.isclose(
                SCORES.sum(), {r"\frac12": 1 / 2, "1": 1}[size], rtol=0.01
            )
        ),
        "So there the lead of diagonal sampling [is an artefact of the cut|belongs to "
        "its columns, however the rank is cut].": {
            "is an artefact of the cut": LEADS["few"] > 0 > LEADS["after"],
            "belongs to its columns, however the rank is cut": min(LEADS.values()) > 0,
        },
        "in the core, $[C W_k^+ C^\\top|(C W^+ C^\\top)_k]$, or after the "
        "approximation is formed, $[(C W^+ C^\\top)_k|C W_k^+ C^\\top]$": is_cut,
        "the average is made of many samples that report [no error at all and a few "
        "that report a huge one|a huge error and a few that report none at all]:": MANY,
        "a sample cannot speak of what it has [not seen|seen]": {
            "not seen": (MISSED[SILENT] > 0).any(),
            "seen": (MISSED[SILENT] == 0).all(),
        },
        "}} times too [small].": OF_BLIND
        - lowrank.nystrom(OF_CROWD, IN_CROWD).error(OF_CROWD, "trace"),
    },
)
