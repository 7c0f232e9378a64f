"""Choosing the kernel: what shows its words that compare."""

from math import comb

import numpy as np
from counted_work import array, gram, work
from words_shown import bound, found, never, ran, shown, sides

from nystheory import kernels, sampling, selection, theorems
from nystheory.chapters.choosing_the_kernel import experiments, findings, tables
from nystheory.chapters.choosing_the_kernel.experiments import FOLDS, GAMMAS

CHAPTER = "choosing_the_kernel"
CHAIN, BLOCKS = "ding2019:chain", "ding2019:thm-1"
RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((50, 2)), RNG.choice([-1.0, 1.0], 50)
K = kernels.rbf(X, 1.0).dense()

# ---- Widths


def width(gamma):
    """The distance at which the kernel has fallen to its e-th part."""
    line = np.linspace(0, 3, 3001)[:, None]
    return line[np.argmax(kernels.rbf(line, gamma)[:, [0]][:, 0] < np.exp(-1)), 0]


WIDTHS = np.array([width(gamma) for gamma in (0.5, 1.0, 2.0, 8.0)])


def counted_narrower():
    """The width of a pick that counts as narrower, less that of the exact criterion."""
    exact, approximate = np.array([0.4, 0.3, 0.5]), np.array([0.4, 0.5, 0.3])
    assert experiments.picked(approximate, exact)["narrower"] > 0
    return width(GAMMAS[7]) - width(GAMMAS[6])


# ---- The criterion and its bounds


def chains(count=20):
    """Two matrices of one size with labels, some integers."""
    world = theorems[CHAIN].world
    for _ in range(count):
        A, B = RNG.integers(-2, 3, (2, 4, 3)).astype(float)
        y = RNG.integers(1, 4, (4, 1)).astype(float)
        yield world(A @ A.T + np.eye(4), [0, 1], 1, other=B @ B.T, y=y, mu=0.1)


CASES = list(chains())
APPROXIMATE_LOWER = max(np.subtract(*sides(CHAIN, "above", x)[::-1]) for x in CASES)
RELATIVE_OVER_PRINTED = max(np.subtract(*sides(CHAIN, "sharper", x)) for x in CASES)

CELLS = ran(CHAPTER, "cells = points.cells(200")
EXCEEDS_ONE = max(CELLS["exact"], CELLS["approximate"]) - 1

SIX = ran(CHAPTER, "by_hand = []")["by_hand"]
SCALES = np.array([1.0, 2.0, 4.0])
ALONG_SCALES = np.array([selection.criterion(c * K, Y, 1.0) for c in SCALES])
assert np.allclose(ALONG_SCALES, [selection.criterion(K, Y, 1 / c) for c in SCALES])
PREFERRED = SCALES[np.argmin(ALONG_SCALES[:2])]

# ---- The eight approximations

FIGURE, JUDGED, RANKS = (found(f"{CHAPTER}:{x}") for x in ("figure", "judged", "rank"))


def apart(name, data):
    return FIGURE.measured("apart", name, data).mean()


DRIVEN = {x: apart("driven", x) - apart("uniform", x) for x in FIGURE.draws}
ALIKE = max(abs(apart("driven", x) / apart("partial", x) - 1) for x in FIGURE.draws)


def curve(name, data):
    return FIGURE.measured("criterion", name, data).mean(axis=0)


def narrow_less_exact():
    """The exact criterion less approximate ones, at the narrow kernels of figure 1."""
    return max(
        (curve("original", data) - curve(name, data))[-6:].max()
        for data in ("moons", "waves")
        for name in ("optimal", "uniform")
    )


def lowest_of_the_highest():
    """Of the mean heights of two curves, less those of the others, in each panel."""
    two = ("partial", "driven")
    return min(
        curve(name, data).mean() - curve(other, data).mean()
        for data in FIGURE.experiment.shown
        for name in two
        for other in FIGURE.experiment.competitors
        if other not in two
    )


def nearer_at_a_rank():
    """The least mean difference from uniform columns, two standard errors higher."""
    least = []
    for data in RANKS.draws:
        more = RANKS.measured("apart", "driven", data)
        more = more - RANKS.measured("apart", "uniform", data)
        error = more.std(axis=0, ddof=1) / np.sqrt(len(more))
        least.append((more.mean(axis=0) + 2 * error).min())
    return min(least)


def picked_width(rule):
    """Of the machine on the waves, in the mean over draws of its logarithm."""
    return -np.log(JUDGED.measured("gamma", rule, "waves")).mean() / 2


# ---- What the package does


def kept_rank(so_far, update):
    """Which rank gives the probabilities of the default."""
    told = update(K, range(so_far), **LABELS[update])
    (rank,) = (
        k
        for k in range(1, so_far + 1)
        if np.allclose(update(K, range(so_far), rank=k, **LABELS[update]), told)
    )
    return rank


LABELS = {
    sampling.update_probability_criterion: {"y": Y},
    sampling.update_probability_partial: {},
}
HALF = np.mean([kept_rank(6, update) / 6 for update in LABELS])
assert [kept_rank(7, update) for update in LABELS] == [3, 3]


def share_of_a_round(columns=40):
    """Which size of a round gives the columns of the default."""
    def drawn(**batch):
        rng = np.random.default_rng(0)
        return sampling.criterion_driven(K, columns, rng, y=Y, **batch).indices

    sizes = [s for s in range(1, 11) if (drawn(batch=s) == drawn()).all()]
    return sizes[0] / columns if len(sizes) == 1 else np.nan


def entries(name):
    """How many the criterion reads, of all columns or of an approximation."""
    each = kernels.rbf(X, 1.0)
    method = experiments.EIGHT[name].run
    near = each
    if method != "original":
        near = selection.approximate(each, method, 10, np.random.default_rng(0), y=Y)
    selection.criterion(near, Y, 1.0)
    return each.entries_asked


READ = {name: entries(name) - entries("original") for name in experiments.EIGHT}
FEWER = [READ.pop(name) for name in ("uniform", "partial", "driven")]
assert min(READ.values()) == 0


def work_of_folds(n=500, l=20):  # noqa: E741 - the field's letter
    """Of five matrices, over that of one."""
    rows = n - n // FOLDS
    return FOLDS * work(gram, array(rows, l)) / work(gram, array(n, l))


# ---- Uniform first columns


def stays(first=3, mu=0.1):
    """The least mean error, at three sizes of two blocks."""
    chances = [comb(n // 2, first) / comb(n, first) for n in (10, 1000, 10**6)]
    assert np.isclose(chances[-1], 2.0**-first, rtol=1e-3)
    return min(chances) * bound(BLOCKS, "every size", mu=mu)


KEPT = tables.stored()


def farther_in_the_folder():
    """How much farther driven columns are, where the page counts them as farther."""
    told = {data: tables.difference(KEPT, data) for data in tables.WIDTHS}
    means = [tables.means(KEPT, x) for x, (gap, se) in told.items() if gap > 2 * se]
    return min(each["driven"] - each["uniform"] for each in means)


shown(
    CHAPTER,
    {
        "has a width, which [shrinks] as $\\gamma$ [grows]": (
            np.diff(WIDTHS).max(),
            np.diff(GAMMAS).min(),
        ),
        "they make narrow kernels look [worse] than they are": max(
            narrow_less_exact(), APPROXIMATE_LOWER
        ),
        "The narrow kernel has the [smaller] criterion": SIX[1] - SIX[0],
        "A relative bound of this book, in the fold, is never [larger]": never(
            RELATIVE_OVER_PRINTED
        ),
        "no criterion [exceeds] one here": never(EXCEEDS_ONE),
        "the package takes [half] the number of columns so far": HALF,
        "is in the mean [farther] from the exact one than that from uniform": min(
            DRIVEN.values()
        ),
        "What the [narrower] kernel lacks is columns": (
            picked_width("exact") - picked_width("near")
        ),
        "does not [rise] when this [grows]: it prefers the [larger] of two multiples": (
            never(np.diff(ALONG_SCALES).max()),
            np.diff(SCALES).min(),
            PREFERRED - min(SCALES[:2]),
        ),
        "[a tenth] of them in a round": share_of_a_round(),
        "the mean distances of the two agree within [ten percent]": ALIKE,
        "Criterion-driven columns are [farther] than uniform ones on all": min(
            DRIVEN.values()
        ),
        "uniform ones pick a [narrower] kernel than the exact": counted_narrower(),
        "Only uniform columns, Adapt-Part and criterion-driven sampling read [fewer] "
        "entries": max(FEWER),
        "each from [four fifths] of the rows": 1 - 1 / FOLDS,
        "[four times] as many as the one matrix of": work_of_folds(),
        "With a rank of [a tenth] of the columns": findings.RANKS.settings[0] / 100,
        "are criterion-driven columns [nearer] than uniform ones by": never(
            nearer_at_a_rank()
        ),
        "Uniform first columns do not [help] while": never(-stays()),
        "they are [farther] than uniform columns by": farther_in_the_folder(),
        "those of Adapt-Part and criterion-driven columns are [highest]": (
            lowest_of_the_highest()
        ),
    },
)
