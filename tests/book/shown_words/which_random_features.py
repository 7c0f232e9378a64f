"""Which random features: what shows its words that compare."""

from fractions import Fraction
from unittest import mock

import numpy as np
from words_shown import bound, change, found, more, shown, sides

from nystheory import theorems
from nystheory.chapters.which_random_features import costs, experiments, points
from nystheory.chapters.which_random_features.findings import BUDGETS
from nystheory.chapters.which_random_features.theorems import orthogonal_worse
from nystheory.chapters.which_random_features.theorems.orthogonal import (
    product_of_cosines,
)
from nystheory.chapters.which_random_features.variance_maps import ratios

CHAPTER = "which_random_features"
ORTHOGONAL = "modern:orthogonal-features"
BINNED = "wikipedia:random-binning"
KINDS = found(f"{CHAPTER}:kinds")
GRIDS = found(f"{CHAPTER}:binning")
COSTS = found(f"{CHAPTER}:budgets")

# ---- orthogonal frequencies

NEAR = np.linspace(0.1, 1.3, 7)  # where phases are better for squared distances
DIMENSIONS = range(2, 17)
TABLE = ratios(NEAR, DIMENSIONS)
GAIN = (1 - TABLE).min()
PLANE = ratios(np.linspace(0.1, 5, 50), [2]).max() - 1


def least_excess():
    """Of the mean product of two waves, over dimensions at their witnesses."""
    most = {}
    for z, (first, last) in orthogonal_worse.WITNESSES.items():
        z = float(Fraction(z))
        for d in range(first, last + 1):
            excess = product_of_cosines(d, z) / np.exp(-(z**2)) - 1
            most[d] = max(most.get(d, -1), excess)
    assert set(most) == set(range(3, 65))
    return min(most.values())


def lightest_dimension():
    """The dimension with the least ratio, less the next one."""
    dimensions = range(2, 33)
    least = ratios([0.05], dimensions)[:, 0]
    return dimensions[int(least.argmin())] - dimensions[-2]


EXCESS = least_excess()
LIGHTER = min(12 - bound(ORTHOGONAL, "fourth moment", d=d) for d in DIMENSIONS)

# ---- pairs and phases, for squared distances and for two frequencies


def saved_by_phases(z):
    """Of the variance of a squared distance, for the Gaussian kernel."""
    k = np.exp(-(z**2) / 2)
    pairs = 4 * (1 - k**2) ** 2
    return (pairs - (5 - 4 * k + 3 * k**4 - 4 * k**2)) / pairs


def two_frequencies():
    """The chance for a mean of 0, and the variance of phases less that of pairs."""
    chance = 1 / (1 - np.cos(np.pi))
    turns = np.arange(4) * np.pi / 4  # phases that stand for all
    pairs = np.mean([1.0, 1.0])
    phases = np.mean(
        [(2 * np.cos(b) * np.cos(b + w)) ** 2 for w in (0, np.pi) for b in turns]
    )
    return phases - 2 * pairs, chance  # D phases have D terms, pairs D / 2


# ---- costs


def affordable(wave, d=10, n_columns=100):
    """Waves for the work of columns, if a cosine counts for so many operations."""
    with mock.patch.object(costs, "WAVE", wave):
        return costs.waves_for_the_work(n_columns, 10_000, d)


def most_waves():
    """Waves over columns for the same work or memory; none if ever twice as many."""
    few = [costs.waves_for_the_work(50, 1000, d) / 50 for d in (1, 10, 100, 10_000)]
    few += [costs.waves_for_the_memory(50, d) / 50 for d in (1, 10, 100, 10_000)]
    return max(few) if max(few) < 2 else np.nan


def fourfold_free():
    """Waves over columns for the same features at the number the page names."""
    d, n = 10, 10_000
    number = 2 * d + 3 * costs.WAVE
    return costs.waves_for_the_features(number, n, d) / number


def ratio_grows():
    each = [costs.waves_for_the_features(x, 10_000, 10) / x for x in (80, 160)]
    return each[1] - each[0]


def triangular(size=40):
    """Operations of a triangular system, over those of the product with the core."""
    return sum(2 * j + 1 for j in range(size)) / (2 * size**2)


# ---- experiments


def number(name, data, of=COSTS):
    return of.measured("number", name, data).max()


FOUR = number("fourfold", "digits") / number("many", "digits")


def width(data):
    """Of the kernel on a data set, over the width on all others."""
    return BUDGETS.data[data].draw(20, np.random.default_rng(0))[-1]


def held_with_more():
    """Features over those at which quasi-Monte Carlo failed, where it held."""
    few, many = "digits", "digits with 512 features"
    quasi = KINDS["quasi"]
    assert (quasi.on(few).outcome, quasi.on(many).outcome) == ("failed", "held")
    return number("pairs", many, KINDS) / number("pairs", few, KINDS)


def coordinates(data):
    draw = KINDS.experiment.data[data].draw
    return draw(20, np.random.default_rng(0))[0].X.shape[1]


def most_coordinates():
    """The most with which quasi-Monte Carlo held, less the fewest where it failed."""
    shown_data = {x: KINDS["quasi"].on(x).outcome for x in KINDS.experiment.shown}
    held = [coordinates(x) for x, came in shown_data.items() if came == "held"]
    assert max(held) <= 10
    return max(held) - min(
        coordinates(x) for x, came in shown_data.items() if came == "failed"
    )


def closer():
    """How far columns are from binning in predictions, less how far in the matrix."""

    def apart(field, data):
        each = (GRIDS.measured(field, x, data).mean() for x in ("uniform", "binning"))
        return abs(np.log(np.divide(*each)))

    return max(
        apart("missed", data) - apart("error", data) for data in GRIDS.experiment.shown
    )


ORDERED = ("many", "first")


def behind_in_order():
    """What as many waves miss more than columns of the first tenth, on two balls."""
    ordered = found(f"{CHAPTER}:in-order")
    waves, columns = (ordered.measured("missed", x, "two balls") for x in ORDERED)
    return (waves - columns).mean()


def first_tenth():
    """The last place, by label, of as many columns as there are in the first tenth."""
    drawn = (points.clusters(500, np.random.default_rng(0)), "rbf", 30, 1.0)
    known, _ = experiments.split(*drawn, np.random.default_rng(0))
    places = np.argsort(np.lexsort(known.learn.y.T))
    return (places[experiments.first_tenth(known).landmarks].max() + 1) / len(places)


QUASI_LARGER = -more(f"{CHAPTER}:kinds/quasi", "quasi")
NEARER = bound(BINNED, "Laplacian", z=0.5) - bound(BINNED, "Laplacian", z=2.0)
PHASES, CHANCE = two_frequencies()
GRID = theorems[BINNED].world
DISTANCES = [GRID.of_points(["1/2"], [1], z=z) for z in ("1/4", 1, 3)]
NEAR_GAIN = (1 - TABLE - saved_by_phases(NEAR)).min()
PROMISE = "modern:frequency-leverage"
REQUIRED = min(
    change(PROMISE, "plain", n=(500, 1000), alpha=10),
    change(PROMISE, "leverage", d_eff=(50, 100)),
)
MATRIX = -more(f"{CHAPTER}:kinds/orthogonal", "orthogonal")

shown(
    CHAPTER,
    {
        "at which distances orthogonal frequencies [help]": GAIN,
        "enough for phases to have the [smaller] variance": PHASES,
        "be $0$ or $\\pi$, each with a chance of one [half]": CHANCE,
        "have a [smaller] variance with phases": -saved_by_phases(NEAR).min(),
        "with phases, by [an eighth] at most": saved_by_phases(0.05),
        "which follow, [gain] more in each dimension above one": NEAR_GAIN,
        "The moments show where the [gain] comes from": LIGHTER,
        "In the plane they are never [worse]": PLANE,
        "there are distances at which they are [worse]: {ref}": -EXCESS,
        "for a Gaussian kernel, because near points [gain]": GAIN,
        "That they have no [larger] error than pairs": QUASI_LARGER,
        "A [better] matrix is hardly seen in the predictions": MATRIX,
        "| near points [gain] (": GAIN,
        "the same in ten coordinates or [fewer]": most_coordinates(),
        "less than [half] of the variance": max(
            np.divide(*sides(BINNED, "below pairs", at)) / 2 for at in DISTANCES
        ),
        "at which orthogonal features have the [larger] variance": EXCESS,
        "Monte Carlo pairs have no [larger] error than independent": QUASI_LARGER,
        "On the digits it held with [four times] as many": held_with_more(),
        "the [better] matrix is seen in the predictions, too": -more(
            f"{CHAPTER}:binning/pairs", "binning"
        ),
        "are [better] still at its matrix: that their error is no [larger]": (
            -more(f"{CHAPTER}:binning/columns", "uniform"),
            more(f"{CHAPTER}:binning/columns", "binning"),
        ),
        "Predictions are [closer]": closer(),
        "which takes [half] of the product": triangular(),
        "never allows [twice] as many waves as columns": most_waves(),
        "columns and [grows] with their number": ratio_grows(),
        "the budget allows [fewer] waves": (
            affordable(2 * costs.WAVE) - affordable(costs.WAVE)
        ),
        "on the Swiss roll with [half] the width": width(
            "Swiss roll with half the width"
        ),
        "*[Four times] as many.*": FOUR,
        "were [ahead] in few coordinates only": -more(
            f"{CHAPTER}:budgets/work_of_waves", "work"
        ),
        "columns on, [four times] as many waves cost no more": fourfold_free(),
        "against [four times] as many waves, on": FOUR,
        "Which of these cases you have, with [four times] as many waves": FOUR,
        "on the digits with [half] the width": width("digits with half the width"),
        "columns of the first [tenth] miss": first_tenth(),
        "Even then waves are not always [ahead]": behind_in_order(),
        "at which orthogonal frequencies are [worse], and": -EXCESS,
        "they show what the numbers [grow] with": REQUIRED,
        "the distances at which it is [larger]": EXCESS,
        "hatched orthogonal frequencies are [worse]": -EXCESS,
        "in the [highest] dimension": lightest_dimension(),
        "so near points have a [larger] one": NEARER,
        "for [four times] as many waves.": FOUR,
        "[Four times] as many are left of 1": FOUR,
    },
)
