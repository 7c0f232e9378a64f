"""Two kinds of features: what shows its words that compare."""

import numpy as np
from scipy.stats import norm
from words_shown import bound, explained, found, shown

from nystheory import lowrank
from nystheory.chapters.two_kinds_of_features import experiments

CHAPTER = "two_kinds_of_features"
VARIANCE, RARE = "wikipedia:rff-variance", "modern:rare-frequency"
FAMILIES = found(f"{CHAPTER}:families")


def far(count):
    """From the fit with all functions, as on the page: with waves, and with bumps."""
    made = experiments.spans(np.random.default_rng(1), count)
    fits = (made.by_waves, made.by_bumps)
    return np.array([np.sqrt(np.mean((fit - made.by_all) ** 2)) for fit in fits])


def left(competitor, data):
    """The part of a wave that 32 functions of sixty do not learn."""
    at = FAMILIES.experiment.settings.index(32)
    return FAMILIES.measured("unlearned", competitor, data)[:, at].mean()


def smaller_span():
    """The dimension of the span of two bumps, less that of all four of the page."""
    X = np.array([0.0, 1.0, 2.0, 4.0])
    K = np.exp(-(np.subtract.outer(X, X) ** 2) / 2)
    return np.linalg.matrix_rank(K[:, [0, 2]]) - np.linalg.matrix_rank(K)


def error(frequencies, kernel=0.5):
    return np.sqrt(bound(VARIANCE, "Gaussian, pairs", kernel=kernel, m=frequencies))


def level_from(most=0.02):
    """The distance from which the error of pairs is within 2 percent of its limit."""
    z = np.linspace(0, 4, 401)
    off = [1 - error(50, np.exp(-(x**2) / 2)) / error(50, 0.0) for x in z]
    return z[np.argmax(np.array(off) <= most)]


def for_a_digit():
    """How many times as many features make the error ten times smaller."""
    times = range(1, 201)
    return next(k for k in times if error(50) / error(50 * k) > 10 - 1e-9)


def always_wrong(alpha=0.25, n=60):
    """The last number of draws, over n, with which every draw errs by two thirds."""

    def least(m):
        hits = np.arange(m + 1)
        return (np.abs(0.5 - n * hits / (2 * m)) / (0.5 + alpha)).min()

    most = bound(RARE, "error", alpha=alpha) - 1e-9
    return next(m for m in range(1, n) if least(m + 1) < most) / n


def found_waves(n=60, m=16):
    """Waves that m draws find, in the mean, less as many landmarks as functions."""
    return n * (1 - (1 - 2 / n) ** m) - 2 * m


def missed(width):
    """The share of the trace that ten columns of a hundred on a line miss."""
    X = np.linspace(0, 10, 100)
    K = np.exp(-((np.subtract.outer(X, X) / width) ** 2))
    near = lowrank.nystrom(K, range(5, 100, 10)).spectral_reconstruction()
    return 1 - np.trace(near) / np.trace(K)


def weight(u, width=1.0):
    """One over the density of a frequency."""
    return 1 / norm.pdf(u, scale=1 / width)


UNLEARNED = min(left(x, "all alike") for x in ("columns", "waves"))

shown(
    CHAPTER,
    {
        "More functions [help] both, in {ref}`fig-more": (far(2) - far(12)).min(),
        "and one on which neither kind [helps]": (
            UNLEARNED - left("columns", "rare frequency")
        ),
        "*is* the kernel machine in the [smaller] span": smaller_span(),
        "for all distances beyond [twice] the width": level_from(),
        "the error [falls] only with the root of $D$: one more digit takes a "
        "[hundred times]": (error(100) - error(50), for_a_digit()),
        "until [half] as many frequencies as points are drawn, *every* draw has an "
        "error of at least [two thirds]": (
            always_wrong(),
            bound(RARE, "error", alpha=0.25),
        ),
        "and there independent waves [lose]": found_waves(),
        "if they [fall] fast, a few columns hold most": missed(2.0) - missed(0.2),
        "[grow] like $e^{\\sigma^2 \\|u\\|^2 / 2}$": weight(2.0) - weight(1.0),
    },
)

explained(
    CHAPTER,
    {
        "Data-dependent functions cannot [help] where": (
            "the theorem above has equality, for any functions of that number"
        ),
        "with probability one [half], and weigh": "defines a law",
    },
)
