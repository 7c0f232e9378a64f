"""Sketches, and what no columns can do: what shows its words that compare."""

from itertools import combinations, product

import numpy as np
from words_shown import bound, found, never, ran, shown, sides, typed

from nystheory import lowrank, theorems
from nystheory.chapters.sketches_and_limits import findings, measured, staircase
from nystheory.chapters.sketches_and_limits.theorems import lower_bound, sketches

CHAPTER = "sketches_and_limits"
CORE, BLOCKS = "modern:modified-nystrom", "modern:lower-bound"
RNG = np.random.default_rng(0)

# ---- What is promised

PROMISES, TRACES = found(f"{CHAPTER}:promises"), found(f"{CHAPTER}:traces")


def percent(field, scheme, data):
    return PROMISES.measured(field, scheme, data).mean()


def missed_over_promised():
    """Of uniform columns, to which the whole trace is promised."""
    promised = {percent("promised", "uniform", data) for data in PROMISES.draws}
    assert promised == {100.0}
    return max(percent("missed", "uniform", data) for data in PROMISES.draws) - 100


def leverage_is_better(field):
    """The percent of uniform columns less those of draws by leverage."""
    return [
        percent(field, "uniform", data) - percent(field, "leverage", data)
        for data in PROMISES.experiment.shown
    ]


def spectrum(draw):
    values = np.linalg.eigvalsh(draw(240, np.random.default_rng(0)).dense())
    return np.maximum(values[::-1], 0)


DRAWS = (measured.digits, measured.patches, measured.clusters)
DIGITS, PATCHES, CLUSTERS = map(spectrum, DRAWS)


def left(values, columns):
    """The share of the trace after so many eigenvalues."""
    return values[columns:].sum() / values.sum()


def slowly(share=0.15):
    """What is left on other matrices, less what is left on the digits."""
    columns = round(share * len(DIGITS))
    return max(left(x, columns) for x in (PATCHES, CLUSTERS)) - left(DIGITS, columns)


# ---- A witness


def vectors_fewer(l=2):  # noqa: E741 - the field's letter
    """For how many vectors fewer the estimate has the mean square error, of signs."""
    K, signs = np.diag([3.0, 2.0, 1.0]), list(product([-1.0, 1.0], repeat=3))

    def squares(count):
        for each in product(signs, repeat=count):
            Omega = np.array(each).T
            Y = K @ Omega
            yield np.linalg.norm(K - Y @ np.linalg.pinv(Omega.T @ Y) @ Y.T) ** 2

    some = (np.array(each).T for each in product(signs, repeat=l))
    estimate = np.mean([sketches.leave_one_out_sketch(K @ x, x) for x in some])
    (alike,) = (m for m in (1, 2) if np.isclose(np.mean([*squares(m)]), estimate))
    return alike - l


def last_vector():
    """What the last of thirty vectors leaves on clusters, less that on the digits."""
    looked = found(f"{CHAPTER}:looks")
    ratios = {
        data: looked.measured("largest", "many", data).max() for data in looked.draws
    }
    assert max(ratios, key=ratios.get) == findings.CLUSTERS
    kept = [left(x, 30) / left(x, 29) for x in (CLUSTERS, DIGITS)]
    return kept[0] - kept[1]


# ---- What no columns can do


def limit_less_least():
    """Where no blocks share the columns evenly: the limit less the best choice."""
    return max(
        bound(BLOCKS, "spectral", n=n, l=count, k=2, similarity=a)
        - min(
            lowrank.nystrom(K, S).error(K, "spectral") / (1 - a)
            for S in combinations(range(n), count)
        )
        for n, count in ((6, 3), (8, 3), (8, 5))
        for a in (0.5, 0.99)
        for K in [lower_bound.blocks(n, 2, a, [0]).K]
    )


def error_over_matrix(count=50):
    """Of Gaussian sketches, in the trace and in the spectral norm."""
    for _ in range(count):
        X, Omega = RNG.standard_normal((2, 6, 3))
        K = X @ X.T
        Y = K @ Omega[:, :2]
        E = K - Y @ np.linalg.solve(Omega[:, :2].T @ Y, Y.T)
        yield max(np.linalg.norm(E, x) - np.linalg.norm(K, x) for x in (2, "nuc"))


# ---- Traces


def gained_by_few(vectors=4):
    """By an approximation from half of the vectors, where they are few."""
    few = [k for k, x in enumerate(TRACES.experiment.settings) if x <= vectors]
    plain, halves = (
        np.array([
            TRACES.measured("error", name, data)[:, few].mean(axis=0)
            for data in (findings.HARMONIC, findings.HALF, findings.LEVEL)
        ])
        for name in ("plain", "halves")
    )
    return (plain - halves).max()


def harmonic_tail(n=400):
    """What is left of 1, 1/2, ..., 1/n, which is about log(n / l)."""
    values = 1 / np.arange(1, n + 1)
    counts = np.array([4, 8, 16, 32])
    tails = np.array([values[count:].sum() for count in counts])
    assert np.allclose(tails, np.log(n / counts), rtol=0.05)
    return np.diff(tails).max()


# ---- Another core


def spectral_of_cores(core=1.5):
    K = np.array([[1.0, 1.0], [1.0, 2.0]])
    C = K[:, :1]
    C_plus = np.linalg.pinv(C)
    best = (C_plus @ K @ C_plus.T).item()
    assert np.isclose(best, 1.25)
    ends = [np.linalg.norm(K - u * C @ C.T, 2) for u in (core, best)]
    return ends[0] - ends[1]


def smaller_frobenius(count=20):
    """The error with the best core less that with the core of Nyström."""
    world, worst = theorems[CORE].world, []
    for _ in range(count):
        X, core = RNG.standard_normal((5, 4)), RNG.standard_normal((2, 2))
        case = world(X @ X.T, [0, 1], 2, core=core)
        worst.append(np.subtract(*sides(CORE, "not worse", case)))
    return max(worst)


# ---- Stairs

VALUES, COUNTS = staircase.stairs(), np.arange(1, 150)
FACTORS = staircase.dpp_factor(VALUES, COUNTS)
STEPS = np.flatnonzero(np.diff(VALUES)) + 1
BEST = np.array([VALUES[count:].sum() for count in range(len(VALUES))])


def after_a_step():
    """How the factor changes from column to column, after it has jumped."""
    return max(np.diff(FACTORS[step - 1 : step + 6]).max() for step in STEPS)


def columns_of_a_small_factor(step):
    """How many there are before the factor jumps, less the eigenvalues before it."""
    near = np.arange(step - 5, step + 5)
    jumps = FACTORS[near] / FACTORS[near - 1]
    return COUNTS[near[np.argmax(jumps)] - 1] - step


def gained(step):
    """By the best rank and by the columns, with the last column before a step."""
    means = FACTORS * BEST[COUNTS]
    return BEST[step - 1] - BEST[step], means[step - 2] - means[step - 1]


def fall(draw):
    """To which part the eigenvalues fall at each of two steps."""
    _, values = draw(200, np.random.default_rng(0))
    assert np.isclose(values[1] / values[0], values[2] / values[1])
    return values[1] / values[0]


STEEP, STEEPER, LOW = (
    fall(findings.STAIRS.data[data].draw)
    for data in (findings.DEEP, findings.DEEPER, findings.LOW)
)

# ---- Volume, beyond the worst case


def proved_up_to(accuracy):
    """The largest x on a grid for which the bound implies the published one."""
    x = np.linspace(0, 100, 100_001)
    return x[1 + x <= (1 + 2 * accuracy) ** 2 * np.sqrt(1 + 2 * x)].max()


REACH = ran(CHAPTER, "reach = {}")["reach"]
ACCURACIES = sorted(REACH, reverse=True)
PROVED = np.array([proved_up_to(eps) for eps in ACCURACIES])
assert np.allclose(PROVED, [REACH[eps] for eps in ACCURACIES], atol=0.1)


def open_beyond(accuracy=0.1):
    """Where the published bound does not follow any more, less where it does."""
    x = np.linspace(0, 100, 100_001)
    fails = x[1 + x > (1 + 2 * accuracy) ** 2 * np.sqrt(1 + 2 * x)].min()
    return fails - REACH[accuracy]


def smaller_share():
    """The bound with another share less that of the theorem."""
    l, k = typed(CHAPTER, r"l, k, flat = (\d+), (\d+)")  # noqa: E741
    proved = bound("modern:gaussian-sketch", "nuclear", k=k, l=l, tail_trace=1)
    return (1 + k / (l - k)) - proved


shown(
    CHAPTER,
    {
        "a theorem that promises an error no [larger] than the matrix": never(
            missed_over_promised()
        ),
        "The estimate is for one vector [fewer], and where the spectrum [falls] fast, "
        "each vector counts": (vectors_fewer(), last_vector()),
        "the digits, whose spectrum [falls] slowly": slowly(),
        "a [better] promise is not a [better] scheme": (
            min(leverage_is_better("promised")),
            never(max(leverage_is_better("missed"))),
        ),
        "an error never [exceeds] the norm of $K$": never(max(error_over_matrix())),
        "An approximation is no [gain] in itself": never(gained_by_few()),
        "the trace of what is left [falls], too, about like": harmonic_tail(),
        "there $U = 1.5$ has a [smaller] error than $U^* = 1.25$": spectral_of_cores(),
        "$C U^* C^\\top$ has the [smaller] Frobenius error": smaller_frobenius(),
        "jump when $l$ reaches a step, and [fall] after it": after_a_step(),
        "With one column [fewer] than there are eigenvalues before a step the factor": (
            max(map(columns_of_a_small_factor, STEPS))
        ),
        "the best rank [gains] all that there is to [gain], the columns do not": (
            min(gained(step)[0] for step in STEPS),
            min(np.subtract(*gained(step)) for step in STEPS),
        ),
        "let them [fall] to [a thousandth], to [a tenth] of that, or only to "
        "[a tenth]": (max(STEEP, STEEPER, LOW) - 1, STEEP, STEEPER / STEEP, LOW),
        "The [smaller] $\\varepsilon$, the [smaller] is the part": (
            np.diff(ACCURACIES).max(),
            np.diff(PROVED).max(),
        ),
        "the published bound for [larger] $x$, is open here": open_beyond(),
        "sketches is above the [smaller] bound by": smaller_share(),
        "No columns do [better] than a line": never(limit_less_least()),
    },
)
