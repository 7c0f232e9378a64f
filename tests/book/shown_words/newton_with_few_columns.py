"""Newton's method with few columns: what shows its words that compare."""

import warnings
from dataclasses import replace

import numpy as np
from words_shown import found, ran, shown, sides, typed

from nystheory.chapters import theorems
from nystheory.chapters.newton_with_few_columns import both_forms, findings
from nystheory.chapters.newton_with_few_columns.theorems.quantities import Logistic
from nystheory.learners import NotConverged, _newton, newton

CHAPTER = "newton_with_few_columns"

# ---- The loss and its parabola

EXCESSES = [
    sides("talwalkar2010:eq-3.12", "excess", Logistic.whole(x, y, w))
    for x, y, w in (
        ([[1]], [1], [0]),
        ([[2, -1]], [1, 1], [3]),
        ([[1, 0], [0, 1]], [1, 0], [1, 1]),
        ([[4, 3], [3, 4]], [1, 0], [0, -2]),
    )
]
assert all(excess <= most for excess, most in EXCESSES)

K = np.array([[4.0, 3, 0], [3, 4, 1], [0, 1, 2]])
Y = np.array([1.0, 1, 0])
RIDGES = (0.01, 0.1, 1.0)


def roots(X, w):
    """What has the product T with itself."""
    s = 1 / (1 + np.exp(-X @ w))
    return np.sqrt(s * (1 - s))[:, None] * X


def parabola_at_step():
    """At the end of Newton's step, less its least value around."""
    w, rng = np.array([1.0, -1.0, 0.5]), np.random.default_rng(0)
    g, G = both_forms.slope(K, Y, 1.0, w), roots(K, w)
    H = np.eye(3) + G.T @ G
    step = -np.linalg.solve(H, g)
    values = [p @ g + p @ H @ p / 2 for p in step + rng.standard_normal((40, 3))]
    return step @ g + step @ H @ step / 2 - min(values)


# ---- How long a step is


def path(ridge, columns, steps=30):
    """The weights of the package's steps."""
    with warnings.catch_warnings(action="ignore", category=NotConverged):
        ends = [
            newton(K, Y, ridge, columns=columns, max_iter=count).w
            for count in range(1, steps)
        ]
    return [np.zeros(3), *ends]


PATHS = {ridge: path(ridge, [2]) for ridge in RIDGES}


def steps_made():
    """Their lengths, as shares of the whole ones."""
    for ridge, ends in PATHS.items():
        for w, v in zip(ends, ends[1:], strict=False):
            g = both_forms.slope(K, Y, ridge, w)
            p = both_forms.solved(roots(K, w), ridge, [2], g)
            if np.linalg.norm(g) > 1e-6:
                yield np.linalg.norm(v - w) / np.linalg.norm(p)


def halved():
    """The longest step that is not whole; all others are powers of it."""
    shortened = [x for x in steps_made() if x < 0.9]
    powers = np.log(shortened) / np.log(max(shortened))
    assert np.allclose(powers, powers.round(), atol=1e-4)
    return max(shortened)


HALVED = halved()


def accepted(X, y, ridge, columns, w, asked):
    """How long a step the search of the algorithm makes, asking for a share."""
    g = both_forms.slope(X, y, ridge, w)
    p = both_forms.solved(roots(X, w), ridge, columns, g)
    length, here = 1.0, both_forms.loss(X, y, ridge, w)
    while (
        both_forms.loss(X, y, ridge, w - length * p) > here - asked * length * (g @ p)
    ):
        length *= HALVED
    return length


def of_sure_length(feature=0.1):
    """The least that is found, in units of a length that goes down enough."""
    X, curved = np.diag([0.0, feature]), feature**2 / 4
    least = min(
        accepted(X, np.ones(2), ridge, [0], np.zeros(2), 1 / 2)
        * (ridge + curved)
        / ridge
        for ridge in curved / np.linspace(0.3, 5, 60)
    )
    assert least < 0.55
    return least


def rise_over_square():
    """The largest of all steps of the package; and a share that is fixed is kept."""
    shares = []
    for ridge, ends in PATHS.items():
        curved = ridge + np.linalg.norm(K, 2) ** 2 / 4
        sure = _newton.ENOUGH * (ridge / curved / 2) / curved
        for w, v in zip(ends, ends[1:], strict=False):
            square = np.sum(both_forms.slope(K, Y, ridge, w) ** 2)
            rise = both_forms.loss(K, Y, ridge, v) - both_forms.loss(K, Y, ridge, w)
            if square > 1e-10:
                shares.append(rise / square)
                assert shares[-1] < -sure
    return max(shares)


# ---- Two orthogonal points, of which the first is sampled

TWO, ONES = np.eye(2), np.ones(2)


def ridge_of(missed):
    """The ridge of which such a share is missed at the minimum."""
    low, high = 1e-3, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        is_less = both_forms.multiples([middle])[0] - 1 < missed
        low, high = (low, middle) if is_less else (middle, high)
    return middle


def near_the_minimum(missed, asked):
    """How long a step is next to the minimum, and what it leaves of the error."""
    ridge = ridge_of(missed)
    goal = newton(TWO, ONES, ridge, tol=1e-12).w
    w = goal + [0, 1e-3]
    length = accepted(TWO, ONES, ridge, [0], w, asked)
    g = both_forms.slope(TWO, ONES, ridge, w)
    end = w - length * both_forms.solved(roots(TWO, w), ridge, [0], g)
    return length, np.linalg.norm(end - goal) / np.linalg.norm(w - goal)


TRIED = (0.3, 0.4, 0.49, 0.51, 0.6)
WHOLE = max(x for x in TRIED if near_the_minimum(x, 1 / 4)[0] == 1)
LEFT = near_the_minimum(WHOLE, 1 / 4)[1]


def one_and_a_part(asked=1e-4, missed=0.99):
    """Of whole steps with the eigenvalue 1.99: their change of length, and E's."""
    ridge = ridge_of(missed)
    w = newton(TWO, ONES, ridge, tol=1e-12).w + [0, 1e-2]
    lengths, losses = [], []
    for _ in range(20):
        assert accepted(TWO, ONES, ridge, [0], w, asked) == 1
        p = both_forms.solved(
            roots(TWO, w), ridge, [0], both_forms.slope(TWO, ONES, ridge, w)
        )
        lengths.append(np.linalg.norm(p))
        losses.append(both_forms.loss(TWO, ONES, ridge, w))
        w = w - p
    shorter = lengths[-1] / lengths[0] - 1
    assert abs(shorter) < 0.25
    return shorter, max(np.diff(losses))


SHORTER, FALLS = one_and_a_part()
STUCK = ran(CHAPTER, "ridges = [")
ABOVE_TWO = STUCK["almost_two"] > 2
assert STUCK["little"][ABOVE_TWO].max() < 10
MADE_ABOVE_TWO = near_the_minimum(STUCK["almost_two"][ABOVE_TWO].min() - 1, 1e-4)[0]

# ---- Steps, and small ridges

FORMS = found(f"{CHAPTER}:forms")
MORE_COLUMNS = max(
    np.diff(FORMS.measured("steps", "few", data).mean(axis=0)).max()
    for data in FORMS.experiment.shown
)
MOST_WORK = max(
    FORMS.measured("work", "few", data).mean(axis=0).max() for data in findings.SMOOTH
)
DIVIDED = ran(CHAPTER, "two, ones =", "small = [")


def longer_weights():
    """With each smaller ridge, for points of which weights predict all labels."""
    return min(
        np.diff([np.linalg.norm(newton(X, y, each).w) for each in DIVIDED["small"]])
        .min()
        for X, y in ((K, Y), (np.eye(3), Y), (K @ K, ONES[[0, 1, 1]] - [0, 0, 1]))
    )


def stands(letter="T"):
    """How often T stands in the second form of the step."""
    theorem = theorems.get("talwalkar2010:eq-3.14")
    hessian = theorem.where["hessian"].line
    right = str(theorem.claims["step"]).split("==")[1].replace("hessian", hessian)
    return right.count("features @ variances @")


def ridge_in(data):
    return FORMS.experiment.data[data].draw.keywords.get("ridge", 0.01)


def share_of(run):
    return run.keywords["damped"]


def restless_share():
    """Of each step, with which most draws do not come to rest."""
    data, each = "threes against eights", FORMS["restless"]
    assert each.good and {claim.data for claim in each.claimed} == {data}
    assert FORMS.measured("rest", "quarter", data)[:, 0].mean() < 50
    return share_of(FORMS.experiment.competitors["quarter"].run)


def by_which_it_is_less():
    """The ridge that is chosen of those that are alike, less than any other."""
    alike = replace(findings.LEARNERS.choose, loss=lambda run, ridge, known: 0.0)
    chosen = alike.best(None, None)
    return min(ridge for ridge in findings.RIDGES if ridge != chosen) - chosen


shown(
    CHAPTER,
    {
        "what is left to [gain]": min(excess for excess, _ in EXCESSES),
        "Newton's method goes to its [lowest] point": parabola_at_step(),
        "a line search that [halves] finds one of at least [half] of that length": (
            HALVED,
            of_sure_length(),
        ),
        "So $E$ [falls] by a fixed share": rise_over_square(),
        "misses less than [half] of the ridge and $c \\le \\frac14$, the whole step "
        "passes near the minimum, and each step at least [halves] the error": (
            WHOLE,
            1 - LEFT,
        ),
        "There $T$ stands [twice]": stands(),
        "a line search that [halves] a step is not counted": HALVED,
        "[Fewer] columns cost steps, and with more each step costs more": MORE_COLUMNS,
        "here for [fewer] operations than with all columns, except on the moons": (
            MOST_WORK - 100
        ),
        "The weights then [grow] without bound as the ridge [shrinks], and here the "
        "number of steps [grows], too": (
            longer_weights(),
            max(np.diff(DIVIDED["small"])),
            min(np.diff(DIVIDED["taken"])),
        ),
        "Steps that hardly get [shorter]": SHORTER,
        "$E$ [falls] at each of these steps": FALLS,
        "The third column is for a search that requires a [ten-thousandth] of what the "
        "slope promises, the fourth for one that requires [a quarter]": (
            *typed(CHAPTER, r"little = .*asked=(.*)\)"),
            *typed(CHAPTER, r"more = .*asked=(.*)\)"),
        ),
        "where it is above two it [halves] the step": MADE_ABOVE_TWO,
        "The package requires [a quarter]": _newton.ENOUGH,
        "percent of the draws with [a tenth] of each step, and in": share_of(
            findings.TENTH
        ),
        "percent with [a quarter]": share_of(findings.QUARTER),
        "The [larger] ridge is": min(map(ridge_in, findings.LARGER)) - 0.01,
        "columns [a quarter] often does not on threes against eights": (
            restless_share()
        ),
        "the least ridge that was tried; it also [wins] every tie": (
            by_which_it_is_less()
        ),
        "columns and [a quarter] of each step": both_forms.DAMPED,
    },
)
