"""Random subspaces: what shows its words that compare."""

import re

import numpy as np
from words_shown import bound, found, more, never, ran, shown, sides, typed

from nystheory import guarantees, kernels, theorems
from nystheory.chapters.random_subspaces import circle, experiments, figures, points
from nystheory.datasets import digits
from nystheory.learners import SubspaceClassifier

CHAPTER = "random_subspaces"
TRADEOFF, MAP, SCORES = (
    found(f"{CHAPTER}:{name}") for name in ("tradeoff", "map", "scores")
)
CIRCLES = TRADEOFF.experiment.data
LAWS = {name: each.draw(each.size, None)[0] for name, each in CIRCLES.items()}
SLOW, FAST = LAWS["slow decay"], LAWS["fast decay"]

# ---- Fewer functions


def more_than_the_minimum():
    """By how much the minima on the spans of two columns exceed that of all."""
    page = ran(CHAPTER, "y, n, lam = ")

    def least(landmarks):
        how = {"kernel": "rbf", "gamma": 0.5, "landmarks": landmarks, "tol": 1e-9}
        machine = SubspaceClassifier(2 * page["n"] * page["lam"], **how)
        return machine.fit(page["X"], page["y"]).objective_

    pairs = ([0, 3], [0, 1], [1, 2], [2, 3])
    return min(map(least, pairs)) - least([0, 1, 2, 3])


# ---- Enough for a loss

STEP = "dellavecchia2024:projection-step"


def one_point(missed):
    """Of this length, and with nothing of it in the subspace."""
    one = np.ones(1)
    parts = {"X": missed * np.eye(1), "y": missed * one, "B": np.zeros((1, 1))}
    return theorems[STEP].world(**parts, q=one, w=one, slope=1.0)


def level(claim, cost):
    """The largest level at which the projection costs no more than this."""
    missed = np.geomspace(1e-2, 1, 25)
    costs = [sides(STEP, claim, one_point(x))[1] for x in missed]
    return max(x**2 / 3 for x, each in zip(missed, costs, strict=True) if each <= cost)


def columns_of_the_square_loss():
    """Less those of the hinge loss, at the same cost."""
    return max(
        law.effective_dimension(level("square at most", cost))
        - law.effective_dimension(level("hinge", cost))
        for law in (SLOW, FAST)
        for cost in (0.3, 0.05)
    )


def step(values):
    """The largest change of eigenvalues, from one number to its double."""
    return np.diff(np.log(values[2 ** np.arange(1, 8)])).max()


def spectrum_of_digits():
    """And that the rates prescribe all columns for the hinge loss."""
    some = digits(400)
    K = kernels.rbf(some.X, gamma=1 / (2 * some.X.var(axis=0).sum())).dense()
    labels = np.where(some.y.astype(int) % 2 == 1, 1, -1)
    rates = guarantees.landmarks_for_learning(K, labels, "hinge").rows
    assert {min(each.columns) for each in rates} == {len(K)}
    return step(np.linalg.eigvalsh(K)[::-1])


def lost_by_a_little():
    """The least that the square loss loses, the square of what a function is off."""
    missed = np.array([0.01, 0.1, 0.3])
    lost = [sides(STEP, "square at most", one_point(x))[0] for x in missed]
    assert np.allclose(lost, missed**2, rtol=1e-6)
    return min(lost)


# ---- Too few


def most_that_fail(r=50):
    """Columns with which half of the labels are lost, less the effective dimension."""
    id = "modern:too-few-columns"
    few = [m for m in range(1, r) if bound(id, "hinge", m=m, s=1, r=r) > 1 / 2]
    return max(few) - bound(id, "dimension", r=r, alpha=1 / r)


TOO_FEW = most_that_fail()

# ---- The trade-off


def half_of_the_circle():
    """The share of the circle on which 95 % of the points are."""
    (percent,) = typed(CHAPTER, r"a circle with (\d+) % of its points on one half")
    weights = LAWS["slow decay on uneven points"].weights(circle.GRID)
    many = weights > weights.mean()
    assert np.isclose(100 * weights[many].sum(), percent)
    return many.mean()


def fewer_points():
    """Of the sample on which the finding is not claimed."""
    sizes = {name: each.size for name, each in CIRCLES.items()}
    claimed = {sizes[each.data] for each in TRADEOFF["square"].claimed}
    (other,) = {*sizes.values()} - claimed
    return other - min(claimed)


def unit_of_excess():
    """An excess risk over what is measured of it."""
    sample = experiments.Sample.of(SLOW, 40, np.random.default_rng(0))
    chosen = np.arange(8)
    places = (sample.t[chosen], sample.t, sample.aside, circle.GRID)
    kernels_to = (SLOW.kernel(t, sample.t[chosen]) for t in places)
    F, G, H = experiments.embedded(*kernels_to)
    w, _ = experiments.best("square", F, sample.y, G, sample.of_aside)
    return SLOW.excess("square", H @ w) / sample.learned("square", chosen)["excess"]


# ---- The map


def flipped():
    """The share of labels that are, on the wave and on the digits."""
    draw = MAP.experiment.shown["digits with flipped labels"].draw
    seeds = [np.random.default_rng([k]) for k in (*range(15), *range(15))]
    pairs = zip(seeds[:15], seeds[15:], strict=True)
    on_digits = [draw(1797, a)[0].y != points.digits(1797, b).y for a, b in pairs]
    wave = MAP.experiment.shown["wave with flipped labels"].draw(
        100_000, np.random.default_rng(0)
    )[0]
    above = np.where(wave.X[:, 1] > points.border(wave.X[:, 0]), 1, -1)
    return np.mean(wave.y != above), np.mean(on_digits)


def largest_set():
    """Less a million points, the least of the paper's."""
    return max(each.size for each in MAP.experiment.shown.values()) - 10**6


def enough(data, points_above=3):
    """The smallest number of columns with few more wrong labels than with all."""
    errors = MAP.measured("error", "chosen", data).mean(axis=0)
    near = errors <= errors[-1] + points_above
    return MAP.experiment.settings[near.argmax()]


FAR_FEWER = (
    max(map(enough, ("wave with flipped labels", "cell samples")))
    - MAP.experiment.settings[-1] / 2
)


def more_columns(data):
    """The least that the next number of columns gains, for each lambda."""
    return -np.diff(figures.table(MAP, data), axis=1).max()


def row_of_smallest_lambda():
    """In the picture, from the bottom, less the middle row; it is not turned round."""
    picture = figures.plot_map(MAP).axes[0]
    bottom, top = picture.get_ylim()
    table = picture.images[0].get_array()
    smallest = MAP.measured("error", "lambda_6", "wave with flipped labels")
    (row,) = np.flatnonzero((table == smallest.mean(axis=0)).all(axis=1))
    return (row - (len(table) - 1) / 2) * np.sign(top - bottom)


# ---- Scores


def gain(scheme, data, at=-1):
    uniform, other = (
        SCORES.measured("error", x, data).mean(axis=0)[at] for x in ("uniform", scheme)
    )
    return uniform / other


UNEVEN = [each.data for each in SCORES["pays"].claimed]
RARE = ("rare groups", "rarer groups")


def such_a_gain(data):
    """The gain by exact scores on few columns, less the one that is found on many."""
    (share,) = re.findall(r"<= (0\.\d+) \*", SCORES["pays"].finding.line)
    return gain("exact", data, 0) - 1 / float(share)


LATER = min(gain("exact", x) - gain("exact", x, 0) for x in UNEVEN)


def of_estimated():
    """What they leave of the gain of exact scores; both gain."""
    both = [(gain("exact", x), gain("recursive", x)) for x in UNEVEN]
    assert min(exact - some for exact, some in both) > 0
    return min(some - 1 for _, some in both)


def lost_in_the_mean():
    """The mean effective dimension of data, below that of the population."""
    id = "dellavecchia2024:prop-23"
    cases = [
        theorems[id].world(
            X=np.array(X), n=n, picked=[0] * n, B=np.zeros((len(X), 1)), alpha=alpha
        )
        for X in ([[1.0, 2.0, 0.0]], [[1.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
        for n, alpha in ((1, 0.5), (3, 0.1))
    ]
    of_data, of_all = zip(*(sides(id, "mean", case) for case in cases), strict=True)
    return np.subtract(of_all, of_data).min()


shown(
    CHAPTER,
    {
        "The problem has $m$ unknowns in place of $n$; its solution is another "
        "function, and its minimum is in general [larger]": more_than_the_minimum(),
        "[fewer] columns are proved to be enough for the square loss than for the "
        "hinge loss": columns_of_the_square_loss(),
        "the square loss is flat, and a function that is off by a little [loses] the "
        "square of a little": -lost_by_a_little(),
        "on which [fewer] columns than the {term}`effective dimension` fail": TOO_FEW,
        "The population on which [fewer] columns fail": TOO_FEW,
        "If the eigenvalues [fall] like $j^{-1/p}$": max(
            step(circle.eigenvalues(law)) for law in (SLOW, FAST)
        ),
        "on three [smaller] sets": largest_set(),
        "where [a tenth] of the labels is flipped; odd against even digits, with "
        "[a tenth] flipped": flipped(),
        "On some data far [fewer] are.": FAR_FEWER,
        "on the digits as they are, more columns are [better] for each $\\lambda$": (
            more_columns("digits")
        ),
        "the spectrum of the digits [falls] slowly": spectrum_of_digits(),
        "95 % of its points on one [half]": half_of_the_circle(),
        "points; of [fewer] it is not claimed": fewer_points(),
        "is open with [twice] as many waves": (
            LAWS["twice as many waves"].waves / SLOW.waves
        ),
        "The scores [pay] on data with rare parts, once there are columns for them": (
            min(-more(f"{CHAPTER}:scores/pays", "exact"), LATER)
        ),
        "columns there is no such [gain]: on both sets with rare groups": (
            never(max(map(such_a_gain, RARE)))
        ),
        "Estimated scores [gain] less than exact ones here": of_estimated(),
        "In the mean there is nothing to [lose]": never(lost_in_the_mean()),
        ".1f }} [hundredths] for the hinge loss": unit_of_excess(),
        "the [lower] right corner, many columns and a small lambda, is brighter than "
        "the middle": (
            row_of_smallest_lambda()
        ),
    },
)
