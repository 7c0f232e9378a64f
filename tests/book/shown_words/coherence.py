"""Coherence: what shows its words that compare."""

import numpy as np
from words_shown import explained, found, shown, typed

from nystheory import coherence as spread
from nystheory import kernels, lowrank
from nystheory.chapters.coherence import recovery
from nystheory.datasets import digits
from nystheory.engine.findings.experiments import digits_kernel

CHAPTER = "coherence"
DELTA, R = 0.05, 50

# ---- Recovery


def highest_rank_that_fails(of=4):
    """Less the rank of the matrix, with enough columns."""
    X = np.random.default_rng(0).standard_normal((of, 30))
    K = X.T @ X
    errors = {k: lowrank.nystrom(K, range(10), k).error(K) for k in range(1, 8)}
    size = np.linalg.norm(K)
    return max(k for k, error in errors.items() if error > 1e-6 * size) - of


WANTED = recovery.columns_by_space(R, R, DELTA)
(KEPT,) = typed(CHAPTER, r"int\((0\.\d+) \* wanted\)")
FEWER = int(KEPT * WANTED)


def asked_less_points(times, n=1000):
    """Where the largest leverage is a multiple of one over the logarithm."""
    leverage = times / np.log(R / DELTA)
    return recovery.columns_by_space(R, n * leverage, DELTA) - n


# ---- Two ends

K = digits_kernel(300)
LINEAR = kernels.linear(digits().X[:300] - digits().X[:300].mean(axis=0)).dense()


def width_of_scores(rank=3):
    """The lower ends less the upper ones, with the scores between them."""
    made = lowrank.nystrom(LINEAR, range(100))
    told = spread.approximate_leverage_scores(LINEAR, made, rank)
    scores = (np.linalg.eigh(LINEAR)[1][:, -rank:] ** 2).sum(axis=1)
    assert (told.low <= scores).all() and (scores <= told.high).all()
    return (told.low - told.high).max()


def trivial_end(rank=5):
    """It is that of every matrix, the rank, and below the true number."""
    told = spread.approximate_of_matrix(K, lowrank.nystrom(K, range(20)), rank)
    assert np.isclose(told.low, rank)
    return told.low - spread.of_matrix(K, rank)


def signs_less_units(n=4):
    """One end of the range needs signs; at the other is a unit vector."""
    signs = np.kron([[1, 1], [1, -1]], [[1, 1], [1, -1]]) / 2
    low, high = spread.of_vectors(signs[:, :3]), spread.of_vectors(np.eye(n)[:, :3])
    assert np.allclose([low, high], [1, np.sqrt(n)])
    return low - high


# ---- A spike, and groups


def of_inequality_less_of_row(t=20, r=25):
    """And for one the two agree."""
    assert r * 1**2 == 1**2 + r - 1
    return r * t**2 - (t**2 + r - 1)


CHOSEN, BOUNDS = found(f"{CHAPTER}:chosen"), found(f"{CHAPTER}:bounds")


def chosen(field, kind, data):
    return CHOSEN.measured(field, kind, data).mean()


def of_tallest_spike():
    return min(
        chosen("error", "spike20", data) - chosen("error", "random", data)
        for data in CHOSEN.experiment.shown
    )


GROUPS = (20, 8, 3, 1)


def coherence_of(size, data="80 % of the spectrum"):
    return chosen("M", f"groups{size}", data)


MORE_COHERENT = min(np.diff([coherence_of(size) for size in GROUPS]))


def missed(who):
    return BOUNDS.measured("missed", who, "digits, RBF").mean(axis=0)


shown(
    CHAPTER,
    {
        "for one of [lower] rank is never exact": highest_rank_that_fails(),
        "with [a tenth] [fewer] it is": ((WANTED - FEWER) / WANTED, FEWER - WANTED),
        "$M \\ln(r/\\delta)$ [exceeds] $n$ as soon as one point": min(
            asked_less_points(1.01), 1 - asked_less_points(0.99)
        ),
        "gives a [lower] and an upper end for each score": width_of_scores(),
        "that the [lower] end requires a matrix of signs": signs_less_units(),
        "the [lower] end is what is true of every matrix": trivial_end(),
        "a tall spike makes the second [larger]": of_inequality_less_of_row(),
        "that the error [grows] with the coherence, is seen here for the tallest spike "
        "only": of_tallest_spike(),
        "Within this family [smaller] groups, with a [larger] $M$": (
            max(np.diff(GROUPS)),
            MORE_COHERENT,
        ),
        "It cannot [fall] below one": 1 - missed("structural").min(),
        "The bound from coherence [pays] for Markov's inequality": min(
            missed("coherence") - missed("structural")
        ),
    },
)

explained(
    CHAPTER,
    {
        "its smallest singular value [exceeds] $10^{-9}$": "defines the rank",
        "A bound that is [larger], or does not apply": "says how the figure counts it",
    },
)
