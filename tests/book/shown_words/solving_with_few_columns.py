"""Solving with a low-rank kernel: what shows its words that compare."""

import warnings

import numpy as np
from words_shown import bound, explained, found, more, never, shown, sides, typed

from nystheory import kernels, lowrank, sampling
from nystheory.chapters.solving_with_few_columns import experiments, figures, race
from nystheory.chapters.solving_with_few_columns.theorems.dual import Dual

CHAPTER = "solving_with_few_columns"
RACE = found(f"{CHAPTER}:race")
LARGE = race.stored(20000)

# ---- The race


def differences(field, one, other, data):
    return RACE.measured(field, one, data) - RACE.measured(field, other, data)


def mends_a_part(data="waves"):
    """The larger ridge less the other, where the error falls, but not to the least."""
    assert differences("error", "rows", "borrowed", data).max() < 0
    assert differences("error", "rows", "all", data).min() > 0
    return differences("ridge", "rows", "all", data).min()


OWN_RIDGE = differences("ridge", "rows", "all", "waves").mean()
# More than twice the error with all points, in every draw.
WORSE = 2 * RACE.measured("error", "all", "waves")
WORSE = (WORSE - RACE.measured("error", "few", "waves")).max()
PAID = min(differences("columns", "paid", "few", x).min() for x in RACE.draws)
PAID_ON_WAVES = differences("columns", "paid", "few", "waves").mean()


def right_of_the_line():
    """The error of inducing points less that of all, of marks surely beyond one."""
    drawn = [(x, who) for x in RACE.experiment.shown for who in figures.LOOKS]
    beyond = [each for each in drawn if figures.lost(RACE, *each).low > 1]
    return min(differences("error", who, "all", x).mean() for x, who in beyond)


def a_tenth():
    """Of each ridge on offer, the next."""
    ridges = np.array(race.OWN_RIDGES)
    shares = ridges[1:] / ridges[:-1]
    assert np.ptp(shares) < 1e-9
    return shares[0]


def for_the_time():
    """Columns for the same time less those for the same work, of many points."""
    return min(
        LARGE.mean(task, race.SAME_TIME, "landmarks")
        - LARGE.mean(task, race.SAME_WORK, "landmarks")
        for task in race.TASKS
    )


def explain_all(asked=300):
    """The columns that pivots need on a smooth surface, less those asked for."""
    X, *_ = race.surface(asked, np.random.default_rng(0))
    K = kernels.DenseKernel(kernels.rbf(X, 0.5).dense())
    with warnings.catch_warnings(action="ignore", category=sampling.FewerLandmarks):
        drawn = sampling.rp_cholesky(K, asked, np.random.default_rng(0))
    assert lowrank.from_factor(drawn).error(K, "trace") < 1e-9 * asked
    return len(drawn) - asked


FEWER_FOR_ALL = explain_all()

# ---- Steps


def gained(condition=3):
    """The factor of a step by the classical bound, less one."""
    root = np.sqrt(condition)
    factor = (root + 1) / (root - 1)
    assert 3.5 < factor < 4
    return factor - 1


def saved_by_sketch(n):
    """Operations at once less those of a sketch, with the steps that are allowed."""
    landmarks, rows, steps = typed(
        CHAPTER,
        r"rp_cholesky\(K_arm, (\d+), rng\)(?s:.*?)sketch=(\d+)(?s:.*?)"
        r"krill\.iterations < (\d+)",
    )
    direct = 2 * n * landmarks**2
    return direct - steps * 4 * n * landmarks - 3 * rows * landmarks**2


def for_many_points_only(landmarks=300):
    return min(saved_by_sketch(100 * landmarks), -saved_by_sketch(3 * landmarks))


# ---- Minima, means and variances


def of_minima():
    """That with the approximation less the other, on several matrices."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        X, y = rng.integers(-2, 3, (3, 4)), rng.integers(1, 4, (4, 1))
        K = X.T @ X + np.eye(4, dtype=int)
        given = {"matrix": K.tolist(), "y": y.tolist(), "other_dual": y.tolist()}
        case = Dual.exactly([0], 1, alpha=1, **given)
        yield np.subtract(*sides("talwalkar2010:eq-3.17", "approximate", case))


WITH_APPROXIMATION = max(of_minima())


def rise_where_none_is_left():
    """Of the variance, where only the many inducing points of the slider are near."""
    few, many = (experiments.line(200, count, noise=0.05) for count in (4, 24))

    def away(seen):
        own = seen.x[seen.landmarks]
        return np.abs(seen.places[:, None] - own).min(axis=1)

    left = (away(few) > 1) & (away(many) < 0.2)
    return (few.near[1] ** 2 - many.near[1] ** 2)[left].min()


def of_mean(error):
    known = {"noise": 1.0, "norm_y": 1.0, "point_bound": 1.0}
    return bound("modern:gp-inducing", "mean, everywhere", norm_E=error, **known)


def with_a_hundredth(error=1e-4):
    """The change of the bound, with a hundredth of the error of the kernel."""
    before, after = of_mean(error), of_mean(error / 100)
    assert np.isclose(after, before / 10, rtol=1e-3)
    return after - before


shown(
    CHAPTER,
    {
        "A [larger] ridge mends a part of that": mends_a_part(),
        "If not, inducing points may still do as well, as on the pixels, or much "
        "[worse], as on the waves": WORSE,
        "each step [gains] a factor of nearly four": gained(),
        "all points, with $l$ columns to [help]": more(
            f"{CHAPTER}:conditions/fewer", "plain"
        ),
        "inducing points have as many more landmarks as [pay] for the operations of "
        "all points": PAID,
        "the dashed variance [rises] where no landmark is left": (
            rise_where_none_is_left()
        ),
        "so that it [pays] for $n \\gg l$ only": for_many_points_only(),
        "With $\\tilde K$ the minimum is not [higher]": never(WITH_APPROXIMATION),
        "By how much it is [lower] gives a bound": WITH_APPROXIMATION,
        "On the waves the ridge that is best for true rows, on points set aside, is "
        '[larger], in the mean {{ mean("ridge", "rows", "waves"):.2g }} instead of '
        '{{ mean("ridge", "all", "waves"):.2g }}': OWN_RIDGE,
        "}}, [a tenth] of it, and so on": a_tenth(),
        "how many columns the same work [pays] for": PAID,
        'The same work [pays] for {{ mean("columns", "paid", "waves"):.0f }}': (
            PAID_ON_WAVES
        ),
        "entries of $K$ take most of the time of a step, and the same time [pays] for "
        "more columns": for_the_time(),
        "[fewer] where [fewer] explain all of $K$ up to rounding": (
            FEWER_FOR_ALL,
            FEWER_FOR_ALL,
        ),
        "and [falls] as the root of $\\|E\\|_2$": with_a_hundredth(),
        "A mark to the right of the line means that inducing points have the "
        "[larger] test error": (
            right_of_the_line()
        ),
    },
)

explained(
    CHAPTER,
    {"here a number that no $k_{xx}$ [exceeds]": "defines the number"},
)
