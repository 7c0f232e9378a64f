"""The eigengap and the rate: what shows its words that compare."""

import numpy as np
from words_shown import bound, explained, found, shown, typed

from nystheory import datasets, kernels, lowrank, style, theorems
from nystheory.chapters.eigengap_and_rate import (
    experiments,
    families,
    figures,
    from_folder,
    protocol,
    turning,
)
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds.concentration import value

CHAPTER = "eigengap_and_rate"

# ---- Angles and errors


def mean_distance(landmarks):
    return value("e_l_replaced", n=100, l=landmarks, spread=50.0) / 100


rng = np.random.default_rng(60)
TURNED = turning.turned(turning.cloud(200, rng), [16, 64, 256], 200, rng)


def beyond(sine, first=1.0, second=0.25):
    """The error beyond the second eigenvalue, of a direction that is turned."""
    v = np.array([np.sqrt(1 - sine**2), sine])
    root = np.sqrt(np.diag([first, second]))
    return np.linalg.norm(root @ (np.eye(2) - np.outer(v, v)) @ root, 2) - second


def power(x, y):
    """Of a line on logarithmic axes."""
    return np.polyfit(np.log(x), np.log(y), 1)[0]


def squares():
    """How far the power of the sine is above that of a multiple, and half of it."""
    sines = [0.05, 0.1, 0.2]
    powers = power(TURNED.sines, TURNED.excess), power(sines, list(map(beyond, sines)))
    return min(powers) - 1.5


def beyond_the_second():
    X = np.array([[4.0, 4, 3, 3, 4, 4], [1, -1, 1, -1, 0, 0]]) / 5
    K = X.T @ X
    error = lowrank.nystrom(K, [0, 0, 0, 1, 1, 2, 2, 3, 4, 5], 1).error(K, "spectral")
    return error - np.linalg.eigvalsh(K)[-2]


def slopes_of_dotted_lines():
    """And the marks lie along them."""
    _, (axes,) = style.panels(1)
    turning.draw_costs(axes, TURNED)
    powers = [power(line.get_xdata(), line.get_ydata()) for line in axes.lines]
    marks, lines = powers[::2], powers[1::2]
    assert np.allclose(marks, lines, rtol=0.2)
    return np.negative(lines)


SINE, ERROR = slopes_of_dotted_lines()

# ---- When a gap helps


def resolved(share, norm=1.0, tail=0.1):
    """The trivial bound less that with the gap, at a distance of a share of the gap."""
    gap = {"n": 1, "eigengap": norm - tail, "distance_2": share * (norm - tail)}
    return norm - bound(
        "yang2012:combined", "squared", tail_2=tail, norm_K=norm, **gap
    )


HELPS = min(resolved(0.45), -resolved(0.55))
(WIDTH,) = typed(CHAPTER, r"kernels\.rbf\(X, (0\.\d+) / X\.var")


def of_width(X):
    return kernels.rbf(X, WIDTH / X.var(axis=0).sum()).dense()


SOME = {
    "digits": datasets.digits().X[:600],
    "patients": datasets.diabetes().X,
    "cell samples": datasets.breast_cancer().X,
    "robot arm": datasets.robot_arm(600, rng).X,
    "two balls": datasets.two_balls(600, rng).X,
}
MATRICES = {name: of_width(X) for name, X in SOME.items()}


def points_less_promised(K):
    gaps = turning.Gaps.of(K)
    return gaps.n - turning.columns(gaps.gap(gaps.widest()), gaps.n, 2)


def two_bounds(name, k):
    """With the gap less without it, for each number of landmarks."""
    counts = [16, 64, 256, 1024]
    of = turning.Bounds.of(MATRICES[name][:200, :200], k, counts, 9, rng)
    return of.squared - of.free


WIDE, NARROW = two_bounds("digits", 1).max(), two_bounds("patients", 2).min()


def cluster_and_lone(square):
    """Twenty equal points and one across, a landmark each; the squared length."""
    K = np.diag([0.0] * 20 + [square])
    K[:20, :20] = 1
    return K, lowrank.nystrom(K, [0, 20], 1).error(K, "spectral")


def distance_over_gap(square=1.01):
    n = 21
    of_all, of_landmarks = np.array([20, square]) / n, np.array([1, square]) / 2
    return np.abs(of_all - of_landmarks).max() / -np.diff(of_all)[0]


# ---- A learner


def cost(alpha, n=10**4, landmarks=100):
    return bound(
        "yang2012:objective-gap", slope=1.0, alpha=alpha, error_2=n / landmarks
    )


def attained_half():
    """The constant of the bound, where the inequality is an equality."""
    theorem = theorems["yang2012:objective-gap"]
    on = theorem.controls["0.49 for a half"].on
    constant = bound("yang2012:objective-gap", slope=1.0, alpha=1.0, error_2=1.0)
    return constant * compare(theorem.claims["hinge"], reader(theorem, on)).ratio


def least_of_ridge(K, y, ridge=1.0):
    return ridge * y @ np.linalg.solve(K + ridge * np.eye(len(K)), y)


def growth_of_ridge():
    K, y = MATRICES["patients"][:50, :50], np.sin(np.arange(50.0))
    rough = lowrank.nystrom(K, range(5)).spectral_reconstruction()
    return least_of_ridge(rough, y) - least_of_ridge(K, y)


def farthest_of(thresholds):
    """Over shares below thresholds: the farthest from the population, in the mean."""
    at = np.arange(1, thresholds + 1) / (thresholds + 1)
    samples = np.random.default_rng(0).uniform(size=(200, 50, 1))
    return abs((samples <= at).mean(axis=1) - at).max(axis=1).mean()


# Each class holds the one before.
LARGER_CLASS = np.diff([farthest_of(count) for count in (1, 3, 7, 15, 31)]).min()

# ---- Rates, from the stored slopes

RATES, ON_DATA = found("eigengap_and_rate:rates"), found("eigengap_and_rate:on-data")


def slopes(error):
    return {x: RATES.measured("slope", error, x).mean() for x in RATES.draws}


COMPONENT, OBJECTIVE = slopes("component"), slopes("objective")
assert RATES["slower"].good
SHOWN_FALL = max(COMPONENT[data] for data in RATES.experiment.shown)
# On most, so the middle one.
FASTER = -1 - np.median(list(OBJECTIVE.values()))
ENDS = np.linspace(-2, 0, 21)
SAID_FASTER = min(
    -1 - high
    for low in ENDS
    for high in ENDS[low <= ENDS]
    if experiments.verdict(low, high) == "faster"
)


def with_a_fixed_tail(measure):
    """The power of an error in the landmarks."""
    of_samples = families.measured(measure, families.fixed, 10, rng)
    return power(families.COUNTS[families.fixed], np.exp(np.log(of_samples).mean(1)))


EXCESS, MOVED = map(with_a_fixed_tail, (families.excess, families.moved))
assert EXCESS < -0.75 < MOVED


def said_of_features(word):
    """Theirs less ours, where the table has this word; the one next to zero."""
    told = [
        difference
        for data in ON_DATA.experiment.shown
        for other in ("waves", "equal")
        for said, difference in zip(
            figures.compared(ON_DATA, other, data),
            (
                ON_DATA.measured("error", other, data)
                - ON_DATA.measured("error", "nystrom", data)
            ).mean(axis=0),
            strict=True,
        )
        if said == word
    ]
    return min(told, key=abs)


def smaller_on_cpu():
    """Where Nyström features are said to be ahead."""
    errors = from_folder.stored()["cpusmall"]
    ours, theirs = (errors[name].mean(axis=1) for name in ("nystrom", "waves"))
    return (ours - theirs)[from_folder.ahead(errors)].max()


# ---- Two balls

BALLS = datasets.two_balls(2000, rng)


def radius():
    left = BALLS.X[BALLS.y == -1, :2]
    return np.ptp(left, axis=0).mean() / 2


def features(make, count=10):
    fitted = make(BALLS.X[:100], count, experiments.GAMMA, rng)
    return fitted.transform(BALLS.X[:100]).shape[1]


def share_learned():
    known, _ = protocol.split(BALLS.X[:100], BALLS.y[:100], rng, [1.0])
    return len(known.learn.X) / 100


shown(
    CHAPTER,
    {
        "with an error that [falls] like one over the root of its size": (
            mean_distance(40) - mean_distance(20)
        ),
        "asks when the gap [helps]": HELPS,
        "The angle [falls] like the distance between the two covariances, but the "
        "error [grows] with its *square*": (
            TURNED.sines[-1] - TURNED.sines[0],
            squares(),
        ),
        "The error [exceeds] $\\lambda_2$ by": beyond_the_second(),
        "so it [grows] with the square of the sine": squares(),
        "A gap [helps] if the landmarks resolve it": HELPS,
        "whose squared width is [twice] the total variance": 1 / (2 * WIDTH),
        "guarantees no gap with [fewer] landmarks than points": max(
            map(points_less_promised, MATRICES.values())
        ),
        "the bound with the gap is the [smaller] one at each number": WIDE,
        "and it is the [larger] of the two up to": NARROW,
        "Take the [smaller] of the two bounds": max(WIDE, -NARROW),
        "If $\\alpha$ [grows] in proportion to $n$, an error of order $n/l$ costs": (
            cost(alpha=1.0) - cost(alpha=10**4)
        ),
        "the excess of the error [falls] like $l^{-1}$": EXCESS,
        "one point that is slightly [longer], and each gets one landmark": (
            cluster_and_lone(1.01)[1] - cluster_and_lone(0.99)[1]
        ),
        "which is more than [half] of the gap": distance_over_gap(),
        "the [half] in {ref}`yang2012:objective-gap` is sharp": attained_half(),
        "Two balls of radius one [half] touch": radius(),
        "there are [twice] as many random Fourier features as Nyström features": (
            features(protocol.waves) / features(protocol.landmarks)
        ),
        "We also run [half] as many frequencies": (
            features(protocol.half_as_many) / features(protocol.waves)
        ),
        "learns by ridge regression from [four fifths] of the points": share_learned(),
        "*[Better]* and *[worse]* refer to Nyström features": (
            said_of_features("better"),
            said_of_features("worse"),
        ),
        "the mean error is [smaller] with Nyström features": smaller_on_cpu(),
        "The [larger] this class is, the farther its mean loss over the data": (
            LARGER_CLASS
        ),
        "[grows] on the span of the landmarks": growth_of_ridge(),
        "the error of the leading component then [falls] more slowly": SHOWN_FALL,
        "*between* or *[faster]* if neither": SAID_FASTER,
        "which uses the whole span of the landmarks, [falls] [faster] than $l^{-1}$ on "
        "most": (
            max(OBJECTIVE[data] for data in RATES.experiment.shown),
            FASTER,
        ),
        "along a line of slope one [half], the error": SINE,
        "along one that is [twice] as steep": ERROR / SINE,
    },
)

explained(
    CHAPTER,
    {
        "The [gain] comes from local Rademacher averages": "of the paper's proof",
    },
)
