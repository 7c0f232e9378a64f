"""Stability of learners: what shows its words that compare."""

import numpy as np
from words_shown import bound, found, never, shown, typed

from nystheory import datasets, lowrank
from nystheory.chapters.stability_of_learners.findings import PREDICTORS
from nystheory.chapters.stability_of_learners.theorems import dual_optima

CHAPTER = "stability_of_learners"
MACHINES = "talwalkar2010:prop-5.2"
RIDGE_MOVES, VECTOR_MOVES, GRAPHS, WHICH = (
    found(f"{CHAPTER}:{name}")
    for name in ("ridge-moves", "vector-moves", "graph-moves", "which-kernel")
)

# ---- Bounds


def steepest_descent():
    """The least slope of a machine's objective, where both points are at the bound."""
    K, y, most = np.array([[0.5, 0.1], [0.1, 0.4]]), np.array([1.0, -1.0]), 1.0
    (b,) = dual_optima.optima(dual_optima.of_machine(K, y, most)).values
    assert np.allclose(b, most * y)
    slopes = K @ b - y
    return min(-slopes * y)  # every b_i can only come nearer to zero


def quarter():
    """The power of a small change in the printed bound."""
    few, many = (
        bound(MACHINES, "printed", C_0=1, point_bound=1, change_2=x)
        for x in (1e-30, 1e-26)
    )
    return np.log(many / few) / np.log(1e4)


def larger_constant():
    at = {"C_0": 2.0, "point_bound": 1.0, "change_2": 3.0, "n": 10}
    regression = bound("talwalkar2010:cor-5.2", "sharper", **at)
    return regression - bound(MACHINES, "sharper", **at)


def lost_from_coefficients():
    """Of a change of all predictions, as the next step has it, for the identity."""
    kappa, ratios = 2.0, []
    for n in (4, 9, 100):
        change = np.random.default_rng(0).standard_normal(n)
        moved = np.sqrt(kappa) * np.linalg.norm(np.sqrt(kappa) * np.eye(n) @ change)
        said = np.sqrt(n) * kappa * np.linalg.norm(change)
        assert np.isclose(said / moved, np.sqrt(n))
        ratios.append(moved / said)
    return max(ratios) - 1


# ---- Ridges


def effect(ridge, seed):
    """On predictions with the true kernel, of labels that the approximation misses."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((4, 8))
    K = X.T @ X
    near = lowrank.nystrom(K, [0, 1]).spectral_reconstruction()
    y = rng.standard_normal(8)
    y -= near @ np.linalg.pinv(near, rcond=1e-9, hermitian=True) @ y
    a = np.linalg.solve(near + ridge * np.eye(8), y)
    assert np.linalg.norm(near @ a) < 1e-9
    return np.linalg.norm(K @ a)


RIDGES = (1.0, 0.3, 0.1, 0.01)


def gained_by_smaller():
    """The least by which the effect grows with the next ridge."""
    return min(
        np.diff([effect(ridge, seed) for ridge in RIDGES]).min() for seed in range(5)
    )


def ridge(data):
    return RIDGE_MOVES.measured("ridge", "learner", data)


# ---- Powers of the error


def least_power(of, who):
    """Of the means over draws, on any data."""
    return min(of.measured("power", who, data).mean() for data in of.draws)


def with_half_the_error(power):
    """What a change is, in units of that before, less one."""
    return 2.0**-power - 1


OF_VECTORS = least_power(VECTOR_MOVES, "farthest")
OF_RIDGE = least_power(RIDGE_MOVES, "mean")


# ---- Data


def parameters(of, data):
    """The points of a data set, and what is drawn with them."""
    return of.experiment.data[data].draw(60, np.random.default_rng(0))


def width_of_graph(data):
    """Of a Gaussian kernel, gamma being one over its square, up to a factor."""
    return parameters(GRAPHS, data)[1] ** -0.5


def shares_of_columns():
    """The share that all rows of the table but the last one have, and that of this."""
    *others, last = (parameters(WHICH, data)[1] for data in WHICH.experiment.data)
    (alike,) = set(others)
    return alike, last


def fewer_points():
    """Of the triangles of the figure, less those of its lines."""
    (some,) = typed(CHAPTER, r"diabetes\(\), 0\.1, again, (\d+)\)")
    arm, few = typed(CHAPTER, r"robot_arm\((\d+), again\), 0\.1, again, (\d+)\)")
    return max(some - len(datasets.diabetes().X), few - arm)


# ---- True rows, or features


def ahead(data):
    """By how much true rows explain more, in the mean."""
    who = "rows", "features"
    rows, features = (WHICH.measured("explained", x, data).mean() for x in who)
    return rows - features


def ahead_everywhere():
    """The larger of both least leads: above zero if one is ahead on all data."""
    leads = [ahead(data) for data in WHICH.experiment.data]
    return max(min(leads), -max(leads))


shown(
    CHAPTER,
    {
        "no feasible direction [decreases] the objective to first order": never(
            steepest_descent()
        ),
        "The printed bound has [the quarter] power of a small change": quarter(),
        "support vector regression, with a somewhat [larger] constant": (
            larger_constant()
        ),
        "The largest change of all [falls] like the error to the power": (
            with_half_the_error(OF_VECTORS)
        ),
        "and the [smaller] the ridge, the [larger] the effect": (
            max(np.diff(RIDGES)),
            gained_by_smaller(),
        ),
        "and with [half] the width of the kernel up to": (
            width_of_graph("4 and 9, half the width") / width_of_graph("4 and 9")
        ),
        "the next step, from coefficients to predictions, [loses] a factor": (
            lost_from_coefficients()
        ),
        "the change [falls] [faster] than the error": (
            with_half_the_error(OF_RIDGE),
            OF_RIDGE - 1,
        ),
        "The printed bound is looser for the arm, whose ridge is [smaller]": (
            ridge("robot arm").max() - ridge("patients").min()
        ),
        "Each is tried [twice], with the ridge that is best": len(
            {each.chosen_for for each in PREDICTORS.values()}
        ),
        "with [a fifth] of the columns ([two fifths] in its last row)": (
            shares_of_columns()
        ),
        "With ridges of their own, neither is [ahead] everywhere": never(
            ahead_everywhere()
        ),
        "on the arm true rows are [ahead] in these splits": ahead("robot arm"),
        "true rows are [ahead] while the columns are too few for either, and [behind] "
        "when there are more points and more columns": (
            ahead("waves"),
            ahead("more waves and columns"),
        ),
        "With [fewer] points the mean change rises": fewer_points(),
    },
)
