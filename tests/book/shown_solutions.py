"""Solutions, from the first columns to the fixed schemes: what shows their words."""

import math
from fractions import Fraction

import numpy as np
from scipy.stats import hypergeom
from test_second_routes import EXERCISES, run_alone
from words_shown import bound, explained, found, never, shown, typed

from nystheory.chapters import theorems
from nystheory.chapters.fixed_sampling import measured
from nystheory.engine import Claim


def cells(label):
    """What the cells of a solution bind that need nothing of the page."""
    return run_alone(EXERCISES[label][1])


def random_kernel(n=6, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, n))
    return X @ X.T


def nystrom(K, S):
    return K[:, S] @ np.linalg.pinv(K[np.ix_(S, S)]) @ K[S]


def least_eigenvalue(K):
    return np.linalg.eigvalsh(K)[0]


# ---- a_few_columns


def missing(count, n=1000, group=10):
    return math.prod((n - group - i) / (n - i) for i in range(count))


def excess_of_nodes(count):
    y = (np.arange(count) + 0.5) / count
    found = np.linalg.eigvalsh(np.minimum.outer(y, y) / count)[-1]
    return found - 4 / np.pi**2


NODES, MORE = map(
    int, typed("a_few_columns", r"largest\((\d+)\) - limit\) / \(largest\((\d+)\) -")
)

shown(
    "ex-chance-of-missing",
    {
        "until the chance to miss all ten points is below [one percent]": missing(
            cells("ex-chance-of-missing")["enough"]
        )
    },
)
shown(
    "ex-exact-nodes",
    {
        "it [exceeds] the true one by about $\\frac{1}{12 l^2}$, [a quarter] of that "
        "when $l$ [doubles]": (
            excess_of_nodes(NODES),
            excess_of_nodes(MORE) / excess_of_nodes(NODES),
            MORE / NODES,
        )
    },
)

# ---- adaptive_sampling


def gains_beyond_mean(K):
    """Of each column, the trace that its elimination takes; and the weighted mean."""
    gains = [np.trace(nystrom(K, [j])) for j in range(len(K))]
    mean = K.diagonal() / np.trace(K) @ gains
    assert np.isclose(mean, np.trace(K @ K) / np.trace(K))
    return min(gains), max(gains) - mean, mean


LEAST, BEYOND, MEAN_GAIN = np.min(
    [gains_beyond_mean(random_kernel(seed=seed)) for seed in range(5)], axis=0
)
CROWD = cells("ex-crowd")["K"].diagonal()

shown(
    "ex-sgma-gain",
    {
        "Weight the [gains] with $E_{jj} / \\operatorname{tr} E$": LEAST,
        "The largest [gain] is at least this weighted mean": BEYOND,
        "The mean of the [gains] is attained in another way: draw the column with just "
        "these weights": MEAN_GAIN,
    },
)
shown(
    "ex-blind",
    {
        "Mix the distribution with the uniform one, [half] and [half]": typed(
            "adaptive_sampling",
            r"p = (0\.\d) \* sampling\.update_prob[^\n]*\n[^\n]*\+= (0\.\d) / \(K\.n",
        )
    },
)
shown(
    "ex-crowd",
    {
        "a lonely point, at a right angle to them, that is slightly [longer]": (
            CROWD[-1] - CROWD[:-1].max()
        )
    },
)

# ---- certificates_afterwards


def losses(seed, noise=0.1):
    """The variational bound less the evidence, in the mean and for one draw of y."""
    K = random_kernel(seed=seed)
    near = nystrom(K, [0, 1])
    A, B = (M + noise * np.eye(len(K)) for M in (K, near))
    left = np.trace(K - near)
    determinants = np.linalg.slogdet(A)[1] - np.linalg.slogdet(B)[1]
    mean = (np.trace(np.linalg.solve(B, K - near)) - determinants + left / noise) / 2
    assert mean <= left / noise
    y = np.random.default_rng(seed).standard_normal(len(K))
    squares = y @ (np.linalg.solve(B, y) - np.linalg.solve(A, y))
    return -mean, (determinants - squares - left / noise) / 2


IN_THE_MEAN, OF_A_DRAW = np.max([losses(seed) for seed in range(5)], axis=0)

shown(
    "ex-one-nat",
    {
        "On average over the model the whole [loses] at most": IN_THE_MEAN,
        "for $y$, the variational bound [loses]": OF_A_DRAW,
    },
)

# ---- choosing_the_kernel


def larger_variance(t, mu=1.0):
    """The order of the sums, that of their inverses, and the criterion's fall."""
    K, one = random_kernel(), np.eye(6)
    before, after = K + mu * one, t * K + mu * one
    inverses = [np.linalg.inv(M) for M in (before, after)]
    y = np.random.default_rng(1).standard_normal(6)
    falls = y @ (inverses[0] - inverses[1]) @ y
    turned = least_eigenvalue(inverses[0] - inverses[1])
    return least_eigenvalue(after - before), -turned, falls


VARIANCES = 1, 1.1
ORDER, OF_INVERSES, FALLS = larger_variance(VARIANCES[1])

shown(
    "ex-larger-multiples",
    {
        "$t K + n \\mu I$ [increases] in $t$ in the order of semidefinite matrices, so "
        "its inverse [decreases]": (ORDER, OF_INVERSES),
        "So a [larger] variance is never [worse], and": (
            np.diff(VARIANCES)[0],
            never(FALLS),
        ),
    },
)

# ---- coherence


def group_of_seven(n, delta):
    """Size of the group, chance to fail over delta, and what the bound makes of it."""
    size = math.ceil(math.sqrt(7 * n * math.log(2 / delta)))
    law, mean = hypergeom(n, size, size), size**2 / n
    most = math.ceil(1.5 * mean) - 1
    chance = law.cdf(math.floor(mean / 2)) + law.sf(most)
    power = 1 - 7 * (1.5 * math.log(1.5) - 0.5)
    return size, chance / delta, 1 - (2 / delta) ** power * delta / chance


FEW, MANY = typed("coherence", r"(?s)group_with\(7, 10\*\*(\d), 1e.*7, 10\*\*(\d), 0")
LARGE, SMALL = group_of_seven(10**FEW, 1e-8), group_of_seven(10**MANY, 0.05)
LOST = max(LARGE[2], SMALL[2])

shown(
    "ex-half-of-all",
    {
        "it is zero in [half] of all cases when the mean is $\\ln 2$": math.exp(
            -math.log(2)
        )
    },
)
shown(
    "ex-seven",
    {
        "Make the logarithm large, so that the polynomial factor that the bound "
        "[loses] no longer [helps]": (LOST, min(never(1 - LARGE[1]), 1 - SMALL[1])),
        "The [smaller] group, of $10^4$ points with $\\delta = 0.05$": (
            SMALL[0] - LARGE[0]
        ),
        "The power has to make up for the factor that the bound [loses]": LOST,
    },
)

# ---- concentration


def full_length_beyond_ray(d):
    """Two unit vectors, less two on a ray: the Frobenius norms of the differences."""
    angle = 2 * math.asin(d / 2)
    a, b = np.eye(2)[0], np.array([math.cos(angle), math.sin(angle)])
    on_circle = np.linalg.norm(np.outer(a, a) - np.outer(b, b))
    return on_circle - (1 - (1 - d) ** 2)


RAY = max(full_length_beyond_ray(d) for d in (0.1, 0.4, 0.6))
assert full_length_beyond_ray(0.7) > 0


def share_worth_all(n=400):
    """The least share of the columns with the mean square of n with replacement."""
    return next(x for x in range(1, n) if (n - x) / (x * (n - 1)) <= 1 / n) / n


shown("ex-shorter", {"For $d < \\frac23 R$ the pair on one ray is [worse]": RAY})
shown(
    "ex-worth",
    {
        "this is $\\frac{n^2}{2n - 1}$, about [half] of the columns": share_worth_all()
    },
)
shown(
    "ex-all-but-one",
    {
        "Let [half] the elements be ones": 1
        / typed("concentration", r"n - 1, ones=n // (\d)\)\n +assert np.isclose\(ne")[0]
    },
)

# ---- eigengap_and_rate

GAPS = typed("eigengap_and_rate", r"\$\\Delta = (0\.\d)\$, and if \$\\Delta = (.*)\$")
RARE = {"K_max": 1.0, "n": 600, "delta": 1e-6}


def of_operator(l, spread):  # noqa: E741
    return bound("yang2012:thm-5", "sharper", **RARE, l=l, spread=spread)


TERM = of_operator(2000, 0.0) - of_operator(1000, 0.0)
assert np.isclose(of_operator(2000, 0.0) / of_operator(1000, 0.0), 1 / 2)
ENOUGH = of_operator(10**6, 60.0) - math.sqrt(60 / (600 * 10**6 * 1e-6))

shown("ex-asked-by-the-gap", {"the [smaller] gap needs": GAPS[1] - GAPS[0]})
shown(
    "ex-by-chebyshev",
    {
        "a term that [falls] like $1 / l$, so for enough landmarks the theorem is "
        "[smaller]": (TERM, ENOUGH)
    },
)

# ---- ensembles


def growth_of_norms():
    A = np.diag([3.0, 2, 1])
    return min(
        np.linalg.norm(1.1 * A, norm) - np.linalg.norm(A, norm)
        for norm in ("fro", 2, "nuc")
    )


def gain_by_scale():
    """Of the mean of two experts, multiplied by the best factor."""
    K = random_kernel()
    mean = (nystrom(K, [0, 1]) + nystrom(K, [2, 3])) / 2
    factor = (mean * K).sum() / (mean**2).sum()
    return np.linalg.norm(K - mean) - np.linalg.norm(K - factor * mean)


def weights(eta):
    errors = np.array([1.0, 1.2, 2.0])
    found = np.exp(-eta * (errors - errors.min()))
    return found / found.sum()


LOSERS = (weights(1e4)[1:] - weights(0)[1:]).max()
assert (weights(1e4)[1:] < 1e-9).all()

shown("ex-union", {"each of the norms [grows] with the eigenvalues": growth_of_norms()})
shown("ex-scale", {"of the [gain] is scale here": gain_by_scale()})
shown("ex-eta", {"every expert but the best [loses] its weight": LOSERS})

# ---- error_bounds


def best_beyond_others(k=2):
    """How far any other matrix of this rank is behind the best one, at least."""
    K, rng = random_kernel(), np.random.default_rng(3)
    values, V = np.linalg.eigh(K)
    best = V[:, -k:] * values[-k:] @ V[:, -k:].T
    other = [rng.standard_normal((2, 6, k)) for _ in range(20)]
    behind = [
        np.linalg.norm(K - best - A @ B.T @ best, norm)
        - np.linalg.norm(K - best, norm)
        for A, B in other
        for norm in ("fro", 2, "nuc")
    ]
    return min(behind)


COPIES = np.unique(cells("ex-zero-distance")["X"], axis=1, return_counts=True)[1]
assert np.ptp(COPIES) == 0
ONES = np.kron(np.eye(2), np.ones((3, 3)))
BLOCKS = [ONES * np.kron([[1, 0], [0, 0]], np.ones((3, 3)))]
BLOCKS += [ONES - BLOCKS[0]]


def spectral(first):
    mean = first * BLOCKS[0] + (1 - first) * BLOCKS[1]
    return np.linalg.norm(ONES - mean, 2)


THIRD = theorems.get("talwalkar2010:thm-5.3")
PRINTED = THIRD.asserting(
    printed=Claim(THIRD.printed["one expert"].line, law="decompositions")
)


def printed(p, n=30, l=5):  # noqa: E741
    given = {"K_max": 1.0, "d_max": math.sqrt(2), "tail_2": 0.0, "delta": 0.05}
    return PRINTED.right_side("printed", n=n, l=l, experts=p, mu_max=1.0, **given)


UNUSED = min(printed(p) - printed(6) for p in (2, 3, 4, 5))
assert np.isclose(printed(6), 2 * 30 / math.sqrt(5))
MISSED = {a: 30 - a for a in range(10, 30)}  # all ten of the first expert lie in a
WORST = max(MISSED, key=MISSED.get)

shown(
    "ex-zero-distance",
    {
        "since nothing of rank $k$ is [better]": never(-best_beyond_others()),
        "An example is every point [twice]": COPIES[0],
    },
)
shown(
    "ex-thirty-columns",
    {
        "With all weight on one expert the spectral error [doubles]": (
            spectral(1) / spectral(1 / 2)
        ),
        "The printed bound is $2n / \\sqrt l$ for $pl = n$ and no [smaller] for "
        "$pl < n$": never(UNUSED),
        "Most is missed when the [smaller] cluster has just the $l$ points of the "
        "first expert": WORST - MISSED[WORST],
    },
)

# ---- fixed_sampling


def slope_of_odds():
    p = [Fraction(k, 20) for k in range(20)]
    odds = [q / (1 - q) for q in p]
    return min(b - a for a, b in zip(odds, odds[1:], strict=False))


N, RATIO = typed("fixed_sampling", r"n_equal, ratio = (\d+), (0\.\d+)  # alpha / n")
NARROWER, CROWDED = (
    make(100, np.random.default_rng(0)).K.dense().sum()
    for make in (measured.narrow_crowd, measured.crowd)
)
assert found("fixed_sampling:crowds")["shortest"].good

shown(
    "ex-inclusion",
    {"and with them all the $p_i$, as $h$ [increases]": slope_of_odds()},
)
shown(
    "ex-constant",
    {
        "then $K - \\tilde K = K$, whose norm $n$ [exceeds] $\\alpha$": (
            np.linalg.norm(np.ones((50, 50)), 2) / 50 - RATIO
        )
    },
)
shown(
    "ex-own-schemes",
    {"also on a crowd with a [narrower] kernel ({ref}`fig-cuts`)": NARROWER - CROWDED},
)
explained(
    "ex-which-laws-agree",
    {"(For a [larger] $k$ the other eigenvectors": "it names a case"},
)
