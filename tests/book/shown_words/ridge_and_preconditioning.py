"""Ridge regression and preconditioning: what shows its words that compare."""

import re

import numpy as np
from scipy.optimize import brentq
from words_shown import bound, change, explained, found, more, ran, shown, typed

from nystheory import guarantees, lowrank
from nystheory.chapters.ridge_and_preconditioning import experiments, rules
from nystheory.engine import value
from nystheory.engine.findings.held_out import Points

CHAPTER = "ridge_and_preconditioning"
CORE = "modern:ridge-risk-core"
RISKS = found(f"{CHAPTER}:risks")

# ---- The risk, and an error in units of the ridge


def inflated(error):
    return bound(CORE, gap_2=error, alpha=1.0, risk=1.0)


def error_that_inflates(factor):
    return brentq(lambda error: inflated(error) - factor, 0, 10)


RISK_GROWS = change(CORE, gap_2=(0.0, 0.1), alpha=1.0, risk=1.0)
UNIFORM = RISKS["uniform"].finding
(ABOVE_ALL,) = map(float, re.findall(r"<= (\S+)", UNIFORM.line))
(FROM_TIMES,) = map(float, re.findall(r">= (\S+)", UNIFORM.when))
assert RISKS["uniform"].good and "digits" in UNIFORM.on

# ---- Columns

CIRCLE = ran(CHAPTER, "waves_in = 40")
POINTS, RIDGE = typed(CHAPTER, r"digits_kernel\((\d+)\), (\d+\.\d+)")


def columns_asked(values, alpha):
    """What uniform columns require for equal scores, as the page computes it."""
    score = (values / (values + alpha)).sum()
    return (32 * score + 2) * np.log(CIRCLE["n"] * values.sum() / alpha)


def fall_of_eigenvalues():
    """Fast enough for a small ridge; with slow ones all columns are too few."""
    n, values, alpha = (CIRCLE[name] for name in ("n", "values", "alpha"))
    assert np.isclose(columns_asked(values, alpha), CIRCLE["asked"])
    assert CIRCLE["asked"] < n
    slow = n * 0.99 ** np.abs(np.arange(-2000, 2001))
    assert columns_asked(slow, slow.max() / 10000) > n
    return max(np.diff(values[CIRCLE["waves_in"] :]))


RATIOS = np.array([10.0, 1e3, 1e6])


def more_columns_with_the_logarithm():
    """On larger and larger clusters, while the largest score stays below four."""
    assert (4 / (1 + 1 / RATIOS)).max() < 4
    return min(
        np.diff([experiments.columns_for_factor(4, size, x, 5.0) for x in RATIOS]).min()
        for size in (50, 100, 200)
    )


def promised_factor():
    return bound("modern:bach", "mean risk", accuracy=1.0, risk=1.0)


# ---- A preconditioner


def vectors_of_a_dimension():
    """That the preconditioner asks for, by its mean."""
    known = guarantees.know(np.diag([1e4] * 40 + [0.0] * 10)).but(alpha=1.0)
    return (2 * value("half_asked", known) + 1) / value("d_eff", known)


def trace_of_flat_errors():
    """Less the norm, of mutually orthogonal points; the quotient is their number."""
    beyond = []
    for missed in (2, 3, 5):
        K = np.eye(missed + 1)
        made = lowrank.nystrom(K, [0])
        trace, norm = (made.error(K, name) for name in ("trace", "spectral"))
        assert np.isclose(trace / norm, missed)
        beyond.append(trace - norm)
    return min(beyond)


def parts_of_the_points(n=40):
    X = np.random.default_rng(0).standard_normal((n, 2))
    made, _ = rules.halves(Points(X, X[:, :1]), np.random.default_rng(1))
    return [len(y) / n for y in (made.y, made.y_choosing, made.y_judging)]


shown(
    CHAPTER,
    {
        "solve with all of $K$, exactly, with the [help] of a crude approximation": (
            more(f"{CHAPTER}:solves/steps", "none")
        ),
        "An error of [a tenth] of the ridge inflates the risk by a factor of at most "
        "$1.1^2 = 1.21$": error_that_inflates(1.21),
        "eigenvalues that [fall] fast and no point that stands out": (
            fall_of_eigenvalues()
        ),
        "A ridge of a [ten-thousandth] of the largest eigenvalue": (
            CIRCLE["alpha"] / CIRCLE["values"].max()
        ),
        "A thousand digits, the default kernel and a ridge of [a hundredth] of their "
        "number": RIDGE / POINTS,
        "a risk at most [a fifth] above that with all of $K$, with [four times] as "
        "many uniform columns as the effective dimension": (ABOVE_ALL - 1, FROM_TIMES),
        "about [three times] as many vectors as the effective dimension": (
            vectors_of_a_dimension()
        ),
        "is [a tenth] of the ridge: then by {ref}`modern:ridge-risk-core` the risk "
        "[grows] by a factor of at most $1.1^2$, about [a fifth]": (
            error_that_inflates(1.1**2),
            RISK_GROWS,
            inflated(0.1) - 1,
        ),
        "[half] of the points are for training, [a quarter] chooses the ridge, with "
        "all of $K$, and [a quarter] is for testing": parts_of_the_points(),
        "$\\operatorname{tr} E$ [exceeds] $\\|E\\|_2$ by as many times": (
            trace_of_flat_errors()
        ),
        "A mean risk of at most [five times] that of $K$, which the theorem promises "
        "for $\\varepsilon = 1$": promised_factor(),
        "The number [grows] with the logarithm of $\\|K\\|_2 / \\alpha$ while "
        "$N_\\infty$ stays below 4": more_columns_with_the_logarithm(),
    },
)

explained(
    CHAPTER,
    {
        "no number that [rises] with $N_\\infty$ and depends on nothing else": (
            "of any such function, which is denied: it is at most its value at 4"
        ),
    },
)
