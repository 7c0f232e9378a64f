"""What to use: what shows its words that compare."""

import numpy as np
from words_shown import bound, change, found, never, shown, typed

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters.which_random_features import costs

CHAPTER = "what_to_use"
ELSEWHERE, FIVE_PERCENT = (
    found(f"{CHAPTER}:{name}") for name in ("promise-elsewhere", "five-percent")
)
FEATURES = found(f"{CHAPTER}:features").experiment
CORE = "modern:ridge-risk-core"

# ---- How fast eigenvalues fall


def fall(X, from_to=(10, 50)):
    """The logarithm of a later eigenvalue over an earlier one."""
    values = np.linalg.eigvalsh(kernels.rbf(X[:300]).dense())[::-1]
    return np.diff(np.log(np.maximum(values[list(from_to)], 1e-16)))[0]


RNG = np.random.default_rng(0)
SLOW = [fall(each().X) for each in (datasets.digits, datasets.breast_cancer)]
FAST = [
    fall(datasets.swiss_roll(300, RNG).X),
    fall(datasets.gaussian_clusters(300, RNG, 5).X),
]
assert ELSEWHERE["slow"].good and ELSEWHERE["fast"].good
assert {"digits", "cell samples"} < {*ELSEWHERE["slow"].finding.on}
assert {"five clusters", "Swiss roll"} < {*ELSEWHERE["fast"].finding.on}

# ---- Columns


def asked_over_needed():
    return max(
        (
            FIVE_PERCENT.measured("needed", "promise", data)
            / FIVE_PERCENT.measured("needed", "pivots", data)
        ).max()
        for data in FIVE_PERCENT.draws
    )


def numbers_with_a_certificate(l=8):  # noqa: E741
    """Less that of the run, whose factor begins with that of the first pivots."""
    K = kernels.rbf(RNG.standard_normal((20, 3)), 0.3).dense()
    drawn = sampling.rp_cholesky(K, l, np.random.default_rng(1))
    certified = [
        count
        for count in range(1, l)
        if np.isclose(
            np.trace(K) - (drawn.factor[:, :count] ** 2).sum(),
            lowrank.nystrom(K, drawn.indices[:count]).error(K, "trace"),
        )
    ]
    assert certified == [*range(1, l)]
    return max(certified) - l


(POINTS,), (PIVOTS,) = (
    typed(CHAPTER, pattern)
    for pattern in (r"datasets\.documents\((\d+),", r"missed_by_pivots\(flat, (\d+)")
)

# ---- Coordinates in different units


def said_by_the_widest(times=1000.0):
    """How much nearer K is to that of one coordinate than to that of the others."""
    X = RNG.standard_normal((40, 3)) * [times, 1, 1]
    gamma = 1 / X.var(axis=0).sum()
    K = kernels.rbf(X, gamma).dense()
    alone, others = (kernels.rbf(X[:, own], gamma).dense() for own in ([0], [1, 2]))
    off = [np.linalg.norm(K - other) / np.linalg.norm(K) for other in (alone, others)]
    assert off[0] < 1e-4 < 0.1 < off[1]
    return off[1] - off[0]


# ---- The table


def some_matrices():
    for seed in range(8):
        X = np.random.default_rng(seed).standard_normal((5, 9))
        yield X.T @ X


def trace_saved_by_truncating_last(l=4, k=2):  # noqa: E741
    return min(
        lowrank.nystrom(K, range(l), k).error(K, "trace")
        - lowrank.nystrom(K, range(l), k, truncate="approximation").error(K, "trace")
        for K in some_matrices()
    )


def above_the_truth(alpha=0.5):
    """Logarithm of the determinant, trace of the root, effective dimension."""
    functions = (
        lambda x: np.log(x + alpha).sum(),
        lambda x: np.sqrt(x).sum(),
        lambda x: (x / (x + alpha)).sum(),
    )
    beyond = []
    for K in some_matrices():
        near = lowrank.nystrom(K, range(3)).spectral_reconstruction()
        values, true = (np.maximum(np.linalg.eigvalsh(A), 0) for A in (near, K))
        beyond += [f(values) - f(true) for f in functions]
    return max(beyond)


def inflated(error):
    return bound(CORE, gap_2=error, alpha=1.0, risk=1.0)


A_TENTH = np.sqrt(1.21) - 1
assert np.isclose(inflated(A_TENTH), 1.21)
TIMES = FEATURES.competitors["fourfold"].run.keywords["times"]

def waves_over_columns(d=10, n=10_000):
    """For the same work, the learner left aside, for so many columns and more."""
    enough = 2 * d + 3 * costs.WAVE
    each = [costs.waves_for_the_features(x, n, d) / x for x in (enough, 2 * enough)]
    assert each[1] > each[0]
    return each[0]


shown(
    CHAPTER,
    {
        "one whose spread is far [larger] than that of the others decides nearly": (
            said_by_the_widest()
        ),
        "where the eigenvalues [fall] slowly, the promise is close: {{ np.ceil(10 * "
        "slow) / 10:.1f }} times the mean or less, on the digits and the cell "
        "samples": max(SLOW),
        "Where they [fall] fast it is far above": max(FAST) - min(SLOW),
        "The theorem requires at most [four times] as many as a run needs, "
        "also on other data": (
            asked_over_needed()
        ),
        "One run with many pivots gives the certificate for every [smaller] number": (
            numbers_with_a_certificate()
        ),
        "truncate $\\tilde K$, not $W$ | {ref}`modern:fixed-rank`: never [worse] in "
        "the trace": never(trace_saved_by_truncating_last()),
        "$f$ of the approximation, without truncation | a [lower] bound: {ref}`": (
            above_the_truth()
        ),
        "until the trace certificate is [a tenth] of the ridge": A_TENTH,
        "the risk [grows] by about [a fifth] at most": (
            change(CORE, gap_2=(0.0, A_TENTH), alpha=1.0, risk=1.0),
            inflated(A_TENTH) - 1,
        ),
        "uniform columns, as many random Fourier features, and [four times] as "
        "many": TIMES,
        "the columns are many and the coordinates few, [four times] as many cost no "
        "more": waves_over_columns(),
        "[A tenth] of the columns": PIVOTS / POINTS,
    },
)
