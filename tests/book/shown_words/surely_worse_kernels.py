"""Kernels that are certainly worse: what shows its words that compare."""

import numpy as np
from words_shown import explained, found, shown, sides, typed

from nystheory import lowrank, selection, theorems
from nystheory.chapters.surely_worse_kernels import experiments

CHAPTER = "surely_worse_kernels"
EVIDENCE = "modern:evidence-enclosure"
RNG = np.random.default_rng(0)

# ---- the example of "Two ends"

COUNT, ALPHA = typed(CHAPTER, r"n, alpha = (\d+), (\d+\.\d)")
(EVERY,) = typed(CHAPTER, r"S = range\(0, n, (\d+)\)")
N, WIDTHS = int(COUNT), (0.2, 1.0, 5.0)
X = np.sort(RNG.uniform(0, 10, N))
Y = np.sin(2 * X) + 0.3 * RNG.standard_normal(N)
S, MORE = range(0, N, int(EVERY)), range(0, N, 2)


def gaussian(width):
    return np.exp(-((np.subtract.outer(X, X) / width) ** 2))


def ends(width, S=S, **options):
    near = lowrank.nystrom(gaussian(width), S)
    return selection.enclosure(near, Y, ALPHA, **options)


def missed(width, S=S):
    """The kernel matrix, and what its approximation misses."""
    K = gaussian(width)
    return K, K - lowrank.nystrom(K, S).spectral_reconstruction()


def apart(each):
    return each.upper - each.lower


EXACT = {w: selection.criterion(gaussian(w), Y, ALPHA) for w in WIDTHS}
ENDS = {w: ends(w) for w in WIDTHS}
AFTER = {w: ends(w, products=1) for w in WIDTHS}
LOW = max(each[w].lower - EXACT[w] for w in (0.2, 1.0) for each in (ENDS, AFTER))


def dropped(of):
    """The best criterion less that of a width whose lower end excludes it."""
    least = min(each.upper for each in of.values())
    out = [w for w in WIDTHS if of[w].lower > least]
    return max(min(EXACT.values()) - EXACT[w] for w in out)


def residual(width):
    """The residual of the coefficients that the page takes."""
    K, E = missed(width)
    z = np.linalg.solve(K - E + ALPHA * np.eye(N), Y)
    A_z = K @ z + ALPHA * z
    s = (z @ Y) / (z @ A_z)
    return Y - s * A_z


def inverses(width, S=S):
    """R_t and the inverse of the approximation."""
    K, E = missed(width, S)
    ridges = ((K - E, ALPHA + np.trace(E)), (K - E, ALPHA))
    return [np.linalg.inv(A + ridge * np.eye(N)) for A, ridge in ridges]


def gap(width, S=S):
    lifted, near = inverses(width, S)
    return near - lifted


def trace(S):
    return np.trace(missed(1.0, S)[1])


def closer(width):
    """The ends of q with the residual, less those without."""
    r = residual(width)
    return r @ gap(width) @ r - Y @ gap(width) @ Y


def halved(width):
    """What is left of a residual that is halved, and of the distance of its ends."""
    r = residual(width)
    less, G = r / 2, gap(width)
    return np.linalg.norm(less) / np.linalg.norm(r), (less @ G @ less) / (r @ G @ r)


# ---- an inverse reverses the order


def pairs():
    """A matrix below another one, and both values of q."""
    for _ in range(20):
        F, E = RNG.standard_normal((2, 4, 4))
        small, large = F @ F.T, F @ F.T + E @ E.T
        y = RNG.standard_normal(4)
        q = [y @ np.linalg.solve(K + np.eye(4), y) for K in (small, large)]
        yield small, large, *q


PAIRS = list(pairs())
ORDER = max(np.linalg.eigvalsh(a - b).max() for a, b, *_ in PAIRS)
LARGER = min(above - below for *_, above, below in PAIRS)


# ---- the criterion against its ridge and its scale


def criteria(ridges, scales):
    return np.array(
        [selection.criterion(c * gaussian(1.0), Y, a) for a in ridges for c in scales]
    )


RIDGES, SCALES = np.array([0.3, 1, 3, 10]), np.array([4, 2, 1, 0.5])
FALLS = max(
    -np.diff(criteria(RIDGES, [1.0])).min(), -np.diff(criteria([3.0], SCALES)).min()
)




def never_falls_or_rises(labels=5):
    """The least rise with the ridge, and the largest with the factor, for any labels.

    Relative to the criterion before.
    """
    K, up = gaussian(1.0), SCALES[::-1]
    rises = []
    for y in RNG.standard_normal((labels, N)):
        by_ridge = [selection.criterion(K, y, a) for a in RIDGES]
        by_scale = [selection.criterion(c * K, y, 3.0) for c in up]
        rises.append([np.diff(np.log(x)) for x in (by_ridge, by_scale)])
    ridge, scale = np.moveaxis(rises, 1, 0)
    return ridge.min(), scale.max()


LEAST_RISE, MOST_RISE = never_falls_or_rises()


# ---- determinants


def case(*errors, directions):
    world = theorems[EVIDENCE].world
    y = [1] + [0] * len(errors)
    return world.missing(*errors, y=y, directions=directions)


def exceeds():
    """How far the determinant is above that of the approximation, and at most t/a."""
    K, E = missed(1.0)
    more = np.diff([np.linalg.slogdet(A + ALPHA * np.eye(N))[1] for A in (K - E, K)])
    return min(more[0], np.trace(E) / ALPHA - more[0])


def looks_better():
    """What the determinant adds for a narrow kernel, and more than for a wider one."""
    added = []
    for width in (0.2, 1.0):
        K, E = missed(width)
        logs = [np.linalg.slogdet(A + ALPHA * np.eye(N))[1] for A in (K - E, K)]
        added.append(logs[1] - logs[0])
    return min(added[0], added[0] - added[1])


def fewer_directions():
    few, many = (
        sides(EVIDENCE, "determinant, above", case(1, 0, 0, directions=m))[1]
        for m in (1, 3)
    )
    return few - many


def hadamard(width):
    """The end of the theorem less that of Hadamard's inequality."""
    errors, m = np.diag(missed(width)[1]), N - len(S)
    return m * np.log1p(errors.sum() / (m * ALPHA)) - np.log1p(errors / ALPHA).sum()


def log_det_below():
    exact, below = sides(EVIDENCE, "determinant, below", case(1, 1, directions=2))
    return below - exact


# ---- experiments

CERTAIN = found(f"{CHAPTER}:certain")
TELL = found(f"{CHAPTER}:tell")


def smallest_ridge():
    """Widths removed at the smallest ridge, less those at the largest, in the mean."""
    means = [
        CERTAIN.measured("worse", name, data).mean(axis=0)
        for name in ("trace", "one", "two")
        for data in CERTAIN.experiment.data
    ]
    return max(each[0] - each[-1] for each in means)


def highest_at_first():
    """By how much the criterion excludes more widths than others, with few columns."""
    return min(
        TELL.measured("worse", "criterion", data).mean(axis=0)[0]
        - TELL.measured("worse", other, data).mean(axis=0)[0]
        for data in TELL.experiment.shown
        for other in ("likelihood", "alone")
    )


def fewer_with_more(data="waves"):
    """Widths excluded with more columns less those with fewer, in some draw."""
    return np.diff(TELL.measured("worse", "criterion", data), axis=1).min()


# ---- a product, and the nearer end


def kept_less_wider():
    """The upper end that the package keeps, less the other of the old and the new."""
    apart, wrong = [], 0
    for width in WIDTHS:
        K, E = missed(width)
        for alpha in (0.03, 0.3, 3.0):
            near = lowrank.nystrom(K, S)
            old, kept = (
                selection.enclosure(near, Y, alpha, products=k).upper for k in (0, 1)
            )
            ridge = alpha * np.eye(N)
            z = np.linalg.solve(K - E + ridge, Y)
            a = (z @ Y) / (z @ K @ z + alpha * z @ z) * z
            r = Y - K @ a - alpha * a
            rest = r @ np.linalg.solve(K - E + ridge, r)
            new = alpha / N * (a @ Y + a @ r + rest)
            if max(old, new) > 1.001 * min(old, new):
                apart.append(kept / max(old, new) - 1)
                wrong += new > old
    assert wrong
    return max(apart)


def helped(measure):
    """By how many times one product closes the ends, at least."""
    before, after = (
        [ends(w, measure=measure, products=k) for w in WIDTHS] for k in (0, 1)
    )
    return min(apart(a) / apart(b) for a, b in zip(before, after, strict=True))


def helped_most():
    """By how much the factor of the criterion exceeds those of the others."""
    most = helped("criterion")
    return min(most - helped(x) for x in selection.MEASURES if x != "criterion")


def moved():
    """From an estimate above both ends to the end the package takes, less the other."""
    estimate, each = ENDS[1.0].upper, AFTER[1.0]
    taken = np.clip(estimate, each.lower, each.upper)
    (other,) = {each.lower, each.upper} - {taken}
    return abs(estimate - taken) - abs(estimate - other)


def radius(width):
    """The radius about the middle, over the difference of both inverses."""
    lifted, near = inverses(width)
    middle = (near + lifted) / 2
    return np.linalg.norm(near - middle) / np.linalg.norm(near - lifted)




def attained():
    """The criterion of a kernel at the lower end less that of one at the upper end."""
    near = lowrank.nystrom(gaussian(1.0), S)
    A, t = near.spectral_reconstruction(), trace(S)
    z = np.linalg.solve(A + ALPHA * np.eye(N), Y)
    along = np.linalg.solve(A + (ALPHA + t) * np.eye(N), Y)
    away = RNG.standard_normal(N)
    away -= (away @ z) / (z @ z) * z
    low, high = (
        selection.criterion(A + t * np.outer(u, u) / (u @ u), Y, ALPHA)
        for u in (along, away)
    )
    found = ENDS[1.0]
    assert np.allclose([low, high], [found.lower, found.upper], rtol=1e-6)
    return low - high


(SHARE_MISSED,) = typed(CHAPTER, r"little less than \$(\d\.\d) \\cdot 10\^\{-4\}\$")
LARGER_BY = (1 + 1e-4 * SHARE_MISSED / experiments.MU) ** 2 - 1
NOW = AFTER[1.0].upper - AFTER[0.2].lower
SHARE_LOW = {w: ENDS[w].lower / EXACT[w] for w in WIDTHS}
HALF, QUARTER = halved(1.0)
SHRINK = max(np.trace(gap(w, MORE)) - np.trace(gap(w)) for w in (0.2, 1.0))
TIMED = "a time of one machine, which no test takes again"

shown(
    CHAPTER,
    {
        "say which kernels are certainly [worse] than another one": dropped(ENDS),
        "the *[lower] end* is never above it": LOW,
        "the [smaller] $K$ is, the [larger] is $q$": (ORDER, LARGER),
        "a matrix above $K$ gives a [lower] one": -LARGER,
        "the one in the middle: its [lower] end": ENDS[5.0].lower - EXACT[5.0],
        "The [lower] end is weak where the trace is large": (
            SHARE_LOW[0.2] - SHARE_LOW[1.0]
        ),
        "of good coefficients $a$, the theorem has [closer] ends": max(
            closer(w) for w in (0.2, 1.0)
        ),
        "Now the narrow kernel is certainly [worse], too": NOW,
        "[half] the residual leaves [a quarter] of the distance": (HALF, QUARTER),
        "A kernel whose [lower] end is above the upper end of another one "
        "({ref}`modern:criterion-enclosure`) is certainly [worse]": (
            LOW,
            dropped(AFTER),
        ),
        "A product can also move an end the wrong way, so the package keeps the "
        "[closer] of the old and the new ends": kept_less_wider(),
        "It never [falls] when the ridge [grows], and never [rises] when a kernel is "
        "multiplied by a factor above one": (
            -LEAST_RISE,
            np.diff(RIDGES).min(),
            -MOST_RISE,
        ),
        "for narrow kernels it can be much too small, which makes them look [better]": (
            looks_better()
        ),
        "orthogonal to $z$ for the upper end, and along $R_t y$ for the [lower] one": (
            attained()
        ),
        "there is a draw in which they exclude [fewer] by the criterion": (
            fewer_with_more()
        ),
        "for $\\mu = 0.005$ and a criterion that is [larger] by [a tenth]": (
            LARGER_BY,
            LARGER_BY,
        ),
        "moved to the [nearer] end if it lies outside": moved(),
        "In the mean over draws a [smaller] ridge never removes more": smallest_ridge(),
        "[exceeds] it by at most $\\frac t\\alpha$; if only few directions share $t$, "
        "the bound is [smaller]": (exceeds(), fewer_directions()),
        "$C$ does not [fall] when the ridge [grows] or the kernel [shrinks]": (
            FALLS,
            np.diff(RIDGES).min(),
            np.diff(SCALES).max(),
        ),
        "A product [helps] the criterion most": helped_most(),
        "it is no [larger] than the end of the theorem": min(map(hadamard, (0.2, 1.0))),
        "its radius from [half] their difference": radius(1.0),
        "more columns do, because they [shrink] $G$": SHRINK,
        "The search extrapolates the [fall] of the trace": trace(MORE) - trace(S),
        "What the trace adds to that [lower] end": LOW,
        "the [lower] end of the determinant": log_det_below(),
        "Crosses mark widths that are certainly [worse] than another one, because "
        "their [lower] end": (dropped(ENDS), LOW),
        "The [lower] curve is near zero for narrow widths": (
            SHARE_LOW[0.2] - ENDS[0.2].upper / EXACT[0.2]
        ),
        "the curves are [nearer] to each other": max(
            apart(ends(w, MORE)) - apart(ENDS[w]) for w in (0.2, 1.0)
        ),
        "Widths that are certainly [worse], of": dropped(AFTER),
        "That of the criterion is [highest] at first": highest_at_first(),
    },
)

explained(
    CHAPTER,
    {
        "On so few points the search does not [pay]": TIMED,
        "as the 900 digits of the path the search does not [pay]": TIMED,
        "took [longer] than the exact criterion of all kernels when we timed": TIMED,
        "the parameters of each kernel by the [lower] bound": "what the source does",
    },
)
