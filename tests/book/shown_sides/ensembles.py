"""Ensembles: what shows words that could be exchanged."""

from itertools import combinations

import numpy as np
from counted_work import array, symmetric, triangular, work
from sides_shown import sides
from words_shown import ran

from nystheory import ensemble, kernels, lowrank
from nystheory.chapters.ensembles import pictured

CHAPTER = "ensembles"
RNG = np.random.default_rng(0)
NEAR = 1e-9
X = RNG.standard_normal((6, 9))
K = X.T @ X
SAMPLES = [[0, 1, 2], [3, 4, 5], [2, 6]]
TWO = ensemble.experts(K, SAMPLES)
EXPERTS = [each.spectral_reconstruction() for each in TWO]
MIXED = sum(EXPERTS) / 3
JOINT = lowrank.nystrom(K, [0, 1, 2, 3, 4]).spectral_reconstruction()


def is_below(A, B):
    return np.linalg.eigvalsh(B - A).min() > -NEAR


# ---- Mixtures

FIRST, SECOND, _, BOTH = pictured.two_experts().missing.values()
ON_TWO = EXPERTS[0] + 2 * EXPERTS[2]  # the mixture of two experts that share a point


def kernel_of(M):
    values, vectors = np.linalg.eigh(M)
    return vectors[:, abs(values) < NEAR]


def combined(spaces):
    """Dimensions of the intersection and of the sum of spaces."""
    joint = np.linalg.matrix_rank(np.hstack(spaces))
    return {"intersection": sum(x.shape[1] for x in spaces) - joint, "sum": joint}


def of_kernels(kernels, ranges):
    some = EXPERTS[0], EXPERTS[2]
    dims = kernel_of(ON_TWO).shape[1], np.linalg.matrix_rank(ON_TWO)
    told = combined([kernel_of(M) for M in some])[kernels], combined(
        [np.linalg.qr(M)[0][:, : np.linalg.matrix_rank(M)] for M in some]
    )[ranges]
    return dims == told


def ranks(least, most):
    """Ranks of sums of two experts, beside those of the two."""
    told = []
    for pair in ([[0, 1, 2], [2, 6]], [[0, 1], [0, 1]], [[0], [1, 2, 3]]):
        two = [x.spectral_reconstruction() for x in ensemble.experts(K, pair)]
        each = [np.linalg.matrix_rank(x) for x in two]
        told.append((np.linalg.matrix_rank(sum(two)), max(each), sum(each)))
    compare = {"least": np.greater_equal, "most": np.less_equal}
    rank, largest, together = np.transpose(told)
    return (
        compare[least](rank, largest).all() and compare[most](rank, together).all()
    )


FACTOR = (MIXED * K).sum() / (MIXED**2).sum()
ZERO = lowrank.nystrom(np.diag([1.0, 0.0]), [1], rank=1).spectral_reconstruction()
HOLDS = {
    "upper": np.linalg.matrix_rank(ZERO) <= 1 * 1,
    "lower": np.linalg.matrix_rank(ZERO) >= 1,
}
SIGNED = -1.0 * np.diag([1.0, 0]) + 2 * np.diag([0, 1.0])
LEAST = np.linalg.eigvalsh(SIGNED)[0] + 1  # of K = I and weights (-1, 2)
E_1, E_2 = np.diag([1.0, 0, 0]), np.outer([0.6, 0.8, 0], [0.6, 0.8, 0])
ANGLE = np.arccos((E_1 * E_2).sum())
HALF = np.linalg.norm(E_1 + E_2) / 2
COSINES = {r"\vartheta / 2": np.cos(ANGLE / 2), r"\vartheta": np.cos(ANGLE)}

# ---- Weights

ERRORS = np.array([1.0, 2.0, 4.0])
AT = {
    limit: ensemble.exponential_weights(ERRORS, eta)
    for limit, eta in (("0", 1e-9), (r"\infty", 1e3))
}
BEST, EQUAL = np.array([1.0, 0, 0]), np.full(3, 1 / 3)
LEANS = {
    name: ensemble.exponential_weights(ERRORS, eta)[0]
    for name, eta in (("small", 0.1), ("large", 8.0))
}
HOW = {"slightly": (1 / 3, 1 / 2), "almost exclusively": (0.99, 1)}


def favours(first, small, second, large):
    """How much the best expert weighs."""
    told = []
    for how, size in ((first, small), (second, large)):
        low, high = HOW[how]
        told.append(low < LEANS[size] <= high)
    return all(told)


SEEN = ensemble.validate(K, TWO, [7])
HELD = ensemble.validate(K, TWO, [8])


def least_weight():
    """Of experts one of which has seen all that the other has."""
    seen = ensemble.validate(K, ensemble.experts(K, [[0, 1, 2], [0, 1]]), [7, 8])
    return ensemble.ridge_weights(*seen.normal_equations, ridge=1e-9).min()


TRIPLE = ensemble.experts(3 * K, SAMPLES)


def same_for_multiples(method):
    some = ensemble.choose_weights(method, SEEN, HELD)[0]
    others = ensemble.choose_weights(
        method, *(ensemble.validate(3 * K, TRIPLE, [j]) for j in (7, 8))
    )[0]
    return np.allclose(some, others)


SAME = same_for_multiples("ridge") and same_for_multiples("exponential")
EXACT = ensemble.validate(K, ensemble.experts(K, [range(6), range(1, 7)]), [7, 8])
SUM = ensemble.ridge_weights(*EXACT.normal_equations, ridge=0.5).sum()
FAR_APART = np.array([1000.0, 3000.0])
with np.errstate(over="ignore"):
    SHIFTED = {
        word: np.exp(-(FAR_APART - least))
        for word, least in (("smallest", 1000.0), ("largest", 3000.0))
    }
UNITS = {
    "over": ensemble.exponential_weights(2 * ERRORS, 1 / 2),
    "times": ensemble.exponential_weights(2 * ERRORS, 2),
}
BY_HAND = ran(CHAPTER, "i = np.arange(1, 6)", "two = ensemble.experts(small", "trust =")

# ---- Work


def factored(n, m):
    """Operations for the factor from so many columns."""
    return work(lambda C, L: triangular(L, C), array(n, m), symmetric(m))


def grows(p):
    """With which power of p the work of a single approximation grows."""
    return round(np.log2(factored(2000, 2 * p * 20) / factored(2000, p * 20)))


WORKS = {
    r"\sqrt p\, l": factored(2000, 2 * 50) / (4 * factored(2000, 50)),
    r"p\, l": factored(2000, 4 * 50) / (4 * factored(2000, 50)),
}

EXPLAINED = [
    lowrank.nystrom(K, S).diagonal() for S in ([0, 1, 2, 3, 4, 5], *SAMPLES[:2])
]

POOR = np.diag([1.0, 0])
OF_POOR = [x.spectral_reconstruction() for x in ensemble.experts(POOR, [[0], [1]])]
OF_POOR = dict(zip(("first", "second"), OF_POOR, strict=True))
OF_POOR["mean"] = (OF_POOR["first"] + OF_POOR["second"]) / 2
OF_POOR = {name: np.linalg.norm(POOR - x) for name, x in OF_POOR.items()}
BASES = [np.linalg.qr(X[:, S])[0] for S in ([0, 1, 2], [0, 1, 2, 3, 4])]
SPANS = {name: Q @ Q.T for name, Q in zip(("first", "second"), BASES, strict=True)}
C = K[:, SAMPLES[0]]
VALUES, U = np.linalg.eigh(C[SAMPLES[0]])
PRODUCT = U[:, 1:] / VALUES[1:] @ U[:, 1:].T @ C.T @ C
STEPS = np.cumsum([1.0, -1 * 1.0, 2 * 1.0])[1:]
PAIRS = list(combinations(range(9), 2))
SQUARES = (K - MIXED) ** 2
BLOCKS = np.mean([SQUARES[np.ix_(a, b)].mean() for a in PAIRS for b in PAIRS])


GRAMS = [
    ensemble.Validation(np.array(products))
    for products in (
        [[1.0, 0, 1], [0, 9, 9], [1, 9, 10]],
        [[9.0, 0, 9], [0, 1, 1], [9, 1, 10]],
    )
]


def role(words):
    """Which columns order the weights, and which move their parameter."""
    one, other = GRAMS
    both = ((one, one), (one, other))
    both = [ensemble.choose_weights("exponential", *x) for x in both]
    if words == "experts are compared with the truth":
        ordered = all(weights[0] > weights[1] for weights, _ in both)
        return "validation" if ordered else "hold-out"
    return "hold-out" if both[0][1] != both[1][1] else "validation"


def asked(weights):
    """The entries that a mixture reads beside those of its experts."""
    seen = kernels.rbf(X.T)
    made = ensemble.experts(seen, SAMPLES)
    before = seen.entries_asked
    ensemble.combine(seen, made, np.random.default_rng(0), weights, 2, 2)
    return seen.entries_asked - before


sides(
    CHAPTER,
    {
        "landmarks of both misses [less|more], everywhere": {
            "less": (np.minimum(FIRST, SECOND) - BOTH).min() > -NEAR,
            "more": (BOTH - np.maximum(FIRST, SECOND)).min() > -NEAR,
        },
        "The kernel of the mixture is therefore the [intersection|sum] of the kernels "
        "of the experts that count, and its range is the [sum|intersection]": (
            of_kernels
        ),
        "of a sum of spaces is at [least|most] that of the largest and at [most|least] "
        "the sum of the dimensions": ranks,
        "sum one, favour good experts, [slightly|almost exclusively] for [small|large] "
        r"$\eta$ and [almost exclusively|slightly] for [large|small] $\eta$": favours,
        "Exponential weights trust it [more] and": (
            BY_HAND["exponential"][1] - BY_HAND["exponential"][0]
        ),
        r"For $\lambda > 0$ this is [below] one, so": SUM - 1,
        "[Nor are they bound to be positive|But they are never negative].": {
            "Nor are they bound to be positive": least_weight() < -0.01,
            "But they are never negative": least_weight() >= 0,
        },
        "so that $K$ and $cK$ get the [same|different] weights": {
            "same": SAME,
            "different": not SAME,
        },
        "joint approximation lies [below|above] that of every expert": {
            "below": is_below(K - JOINT, K - EXPERTS[0]),
            "above": is_below(K - EXPERTS[0], K - JOINT),
        },
        r"and the single approximation $O(n [p^2|p^3|p] l^2)$": (
            lambda power: {"p": 1, "p^2": 2, "p^3": 3}[power] == grows(2)
        ),
        r"the single approximation can have $[\sqrt p\, l|p\, l]$ columns": (
            lambda count: np.isclose(WORKS[count], 1, rtol=0.05)
        ),
        r"= \epsilon \cos([\vartheta / 2|\vartheta])$": (
            lambda angle: np.isclose(HALF, COSINES[angle])
        ),
        r"For $\eta \to [0|\infty]$ all exponents vanish and the weights are equal": (
            lambda limit: np.allclose(AT[limit], EQUAL)
        ),
        r"For $\eta \to [\infty|0]$ every expert but the best loses its weight": (
            lambda limit: np.allclose(AT[limit], BEST)
        ),
        r"for $\eta \to [0|\infty]$ the weights become equal, for "
        r"$\eta \to [\infty|0]$ all weight goes to the best": (
            lambda equal, best: np.allclose([AT[equal], AT[best]], [EQUAL, BEST])
        ),
        "every convex mixture lies [below|above] $K$, as every expert does": {
            "below": is_below(MIXED, K),
            "above": is_below(K, MIXED),
        },
        "as every expert does: they are all [too small]": np.trace(MIXED - K),
        r"\|\tilde K\|_F^2$, which is never [below|above] one": {
            "below": FACTOR >= 1,
            "above": FACTOR <= 1,
        },
        "The [upper|lower] bound holds always. The [lower|upper] one needs": (
            lambda always, needs: HOLDS[always] and not HOLDS[needs]
        ),
        "Subtract the [smallest|largest] error first": (
            lambda word: np.isfinite(SHIFTED[word].sum()) and SHIFTED[word].sum() >= 1
        ),
        r"so $\eta$ carries the units of one [over|times] the error": (
            lambda word: np.allclose(
                UNITS[word], ensemble.exponential_weights(ERRORS, 1)
            )
        ),
        r"no eigenvalue of the mixture is [below|above] $-m \|K\|_2$": {
            "below": LEAST >= -NEAR and np.linalg.eigvalsh(SIGNED)[1] > 0,
            "above": np.linalg.eigvalsh(SIGNED)[1] <= -1,
        },
        "so it explains at [least|most] as much of each point": {
            "least": (EXPLAINED[0] >= np.maximum(*EXPLAINED[1:]) - NEAR).all(),
            "most": (EXPLAINED[0] <= np.minimum(*EXPLAINED[1:]) + NEAR).all(),
        },
        "as much of each point; it also costs [more] operations": (
            factored(2000, 6) - 2 * factored(2000, 3)
        ),
        "Errors of approximations from below all have the [same|opposite] sign": {
            "same": all(is_below(x, K) for x in EXPERTS),
            "opposite": is_below(EXPERTS[0], K) and is_below(K, EXPERTS[1]),
        },
        r"the mean errs by $\frac12$ and the [first|second] expert not at all": (
            lambda word: np.allclose(
                [OF_POOR["mean"], OF_POOR[word]], [1 / 2, 0], atol=NEAR
            )
        ),
        r"The [first|second] span lies in the [second|first], so $P_r \preceq P$": (
            lambda one, other: one != other and is_below(SPANS[one], SPANS[other])
        ),
        r"and it has the size $[l|k]$ of $W_k^+ C^\top C$": (
            lambda size: np.shape(PRODUCT) == ({"l": 3, "k": 2}[size],) * 2
        ),
        "give $T_1 = [0|2]$ and $T_2 = [2|0]$": (
            lambda first, second: np.allclose(STEPS, [int(first), int(second)])
        ),
        r"over a block has the expectation $\|K - \tilde K\|_F^2 / [n^2|n]$": (
            lambda size: np.isclose(
                BLOCKS, np.linalg.norm(K - MIXED) ** 2 / {"n^2": 81, "n": 9}[size]
            )
        ),
        "a *validation* set $V$ of $s$ columns, on which [experts are compared with "
        "the truth|the free parameter of the method is chosen], and a *hold-out* set "
        "$H$ of $s'$ columns, on which [the free parameter of the method is chosen|"
        "experts are compared with the truth].": lambda first, second: (
            (role(first), role(second)) == ("validation", "hold-out")
        ),
        "*Equal* weights need [nothing|further columns] beyond the experts": {
            "nothing": asked("uniform") == 0,
            "further columns": asked("uniform") > 0,
        },
        "All others except the [optimal|exponential|ridge] weights use further": (
            lambda word: asked(word) == 9**2
        ),
    },
)
