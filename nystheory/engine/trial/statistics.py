"""Exact statistics for statements about chance, and one budget of false alarms."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.stats

# A red build must mean a bug or a false theorem.  Every statistical test may cry
# wolf with probability LEVEL, so a run of up to FALSE_ALARMS / LEVEL = 1000 tests
# does so with probability at most FALSE_ALARMS (union bound).
FALSE_ALARMS = 1e-6
LEVEL = 1e-9
CERTAINTY = 0.99

# Where a run writes down what its tests spend of the budget.
LEDGER = "false_alarms.txt"


def spend(what: str, probability: float) -> None:
    """Write down that chance alone turns something red with this probability at most.

    Nothing is written outside a run that keeps verdicts.
    """
    folder = os.environ.get("NYSTHEORY_VERDICTS")
    if folder and probability:
        with open(Path(folder) / LEDGER, "a", encoding="utf-8") as file:
            file.write(f"{probability!r} {what}\n")


def spent() -> float:
    """The sum of what this run has spent (union bound)."""
    path = Path(os.environ.get("NYSTHEORY_VERDICTS", "")) / LEDGER
    if not path.is_file():
        return 0.0
    lines = path.read_text("utf-8").splitlines()
    return math.fsum(float(line.split()[0]) for line in lines)


def fits(found, law, level: float = LEVEL) -> bool:
    """Whether counts fit a law, by a test of exact level that sees any other law.

    Half of the draws choose an alternative, their own shares mixed with the law; the
    other half are asked by how much it explains them better.  Under the law that
    ratio of likelihoods has mean 1, so it exceeds ``1 / level`` with probability at
    most ``level`` (Markov), for any number of draws.

    Parameters
    ----------
    found : mapping of outcome to int
    law : mapping of outcome to float
        Probabilities of sum 1.
    level : float
        Probability that counts of this very law are said not to fit, at most.

    References
    ----------
    L. Wasserman, A. Ramdas and S. Balakrishnan, PNAS 117 (2020), the split test.

    Examples
    --------
    >>> fits({"a": 480, "b": 520}, {"a": 0.5, "b": 0.5})
    True
    >>> fits({"a": 900, "b": 100}, {"a": 0.5, "b": 0.5})
    False
    """
    if abs(math.fsum(law.values()) - 1) > 1e-9:
        raise ValueError("law: expected probabilities of sum 1")
    if any(law.get(cell, 0) < 1e-12 for cell in found):
        return False
    cells = [cell for cell, p in law.items() if p >= 1e-12]
    counts = np.array([found.get(cell, 0) for cell in cells])
    p = np.array([law[cell] for cell in cells])
    # Draws are exchangeable: any half will do that is chosen without looking.
    split = np.random.default_rng(0).multivariate_hypergeometric
    first = split(counts, counts.sum() // 2)
    prior = len(cells)
    share = (first + prior * p) / (first.sum() + prior)
    logs = (counts - first) @ np.log(share / p)
    return bool(logs < math.log(1 / level))


def clopper_pearson(
    failures: int, trials: int, level: float = 1 - CERTAINTY
) -> tuple[float, float]:
    """Exact lower and upper limits for a probability, each of confidence 1 - level.

    Parameters
    ----------
    failures, trials : int
        Failures seen in independent trials.
    level : float
        Probability with which either limit, taken alone, is wrong at most.

    Raises
    ------
    ValueError
        If ``failures`` is not between 0 and ``trials``.

    References
    ----------
    C. Clopper and E. Pearson, Biometrika 26 (1934).

    Examples
    --------
    >>> low, high = clopper_pearson(0, 460)
    >>> low, round(high, 4)
    (0.0, 0.01)
    """
    if not 0 <= failures <= trials or trials < 1:
        raise ValueError(
            f"failures: expected 0 <= failures <= trials, got {failures} of {trials}"
        )
    beta = scipy.stats.beta
    low = beta.ppf(level, failures, trials - failures + 1) if failures else 0.0
    high = (
        beta.ppf(1 - level, failures + 1, trials - failures)
        if failures < trials
        else 1.0
    )
    return float(low), float(high)


def failures_to_refute(trials: int, chance: float, level: float = LEVEL) -> int:
    """The fewest failures in so many trials that refute a chance; one more than all
    trials where no number does.

    >>> failures_to_refute(100, 0.5, 0.05), failures_to_refute(10, 1.0)
    (59, 11)
    """
    low, high = 0, trials + 1
    while high - low > 1:
        middle = (low + high) // 2
        refuted = clopper_pearson(middle, trials, level)[0] > chance
        low, high = (low, middle) if refuted else (middle, high)
    return high


def trials_to_certify(delta: float) -> int:
    """Trials after which no failure at all certifies a probability below delta.

    >>> trials_to_certify(0.05)
    93
    """
    if not 0 < delta <= 1:
        raise ValueError(f"delta: expected a number in (0, 1], got {delta}")
    return math.ceil(math.log(1 / (1 - CERTAINTY)) / delta)


class Interval(NamedTuple):
    """An estimate, its limits, and how they were found."""

    estimate: float
    low: float
    high: float
    method: str


def mean_interval(
    values, level: float = LEVEL, support: tuple[float, float] | None = None
) -> Interval:
    """One-sided limits for a mean, each wrong with probability at most level.

    Parameters
    ----------
    values : array (T,)
        Independent observations, ``T >= 2``.
    level : float
    support : (float, float), optional
        An interval that holds every observation surely.  With it the limits are
        Maurer and Pontil's empirical Bernstein bound or Hoeffding's, whichever is
        narrower, and valid for every T.  Without it they are Student's, which are
        exact only for normal observations.

    Raises
    ------
    ValueError
        With fewer than two values, or values outside the support.

    References
    ----------
    A. Maurer and M. Pontil, COLT 2009, Theorem 4; W. Hoeffding, JASA 58 (1963).

    Examples
    --------
    >>> interval = mean_interval([0, 1] * 500, level=0.01, support=(0, 1))
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (0.45, 0.55, 'Hoeffding')
    """
    values = np.asarray(values, dtype=float)
    count, mean = len(values), float(np.mean(values)) if len(values) else math.nan
    if count < 2:
        raise ValueError(f"values: expected at least 2 observations, got {count}")
    spread = float(np.std(values, ddof=1))
    if support is None:
        reach = scipy.stats.t.isf(level, count - 1) * spread / math.sqrt(count)
        return Interval(mean, mean - reach, mean + reach, "Student")
    low, high = support
    if values.min() < low or values.max() > high:
        raise ValueError(
            f"support: expected to hold every value, got [{low}, {high}] for values "
            f"in [{values.min()}, {values.max()}]"
        )
    # Either bound may be used, so each is taken at half the level; each of the
    # two limits of empirical Bernstein is one-sided with ln(2 / level).
    log = math.log(2 / level)
    hoeffding = (high - low) * math.sqrt(log / (2 * count))
    log = math.log(4 / level)
    bernstein = spread * math.sqrt(2 * log / count)
    bernstein += 7 * (high - low) * log / (3 * (count - 1))
    method = "Hoeffding" if hoeffding <= bernstein else "empirical Bernstein"
    reach = min(hoeffding, bernstein)
    return Interval(mean, mean - reach, mean + reach, method)


def slope_interval(sizes, errors, level: float = LEVEL) -> Interval:
    """Slope of log error against log size, with limits of total level `level`.

    Parameters
    ----------
    sizes : array (m,)
        At least three different sizes.
    errors : array (m, repeats)
        Positive errors, independent between all entries.
    level : float
        Probability that the slope of the mean log error is outside the limits,
        if log errors scatter normally and alike.

    Raises
    ------
    ValueError
        If an error is not positive or there are fewer than three sizes.

    Examples
    --------
    >>> m = np.array([10, 100, 1000])
    >>> noise = np.exp(0.01 * np.random.default_rng(0).standard_normal((3, 20)))
    >>> interval = slope_interval(m, noise / m[:, None])
    >>> interval.low < -1 < interval.high < -0.9
    True
    """
    errors = np.atleast_2d(np.asarray(errors, dtype=float))
    if len(set(sizes)) < 3:
        raise ValueError(f"sizes: expected at least 3 different ones, got {sizes}")
    if not (errors > 0).all():
        raise ValueError("errors: expected positive numbers, got a zero or less")
    x = np.repeat(np.log(sizes), errors.shape[1])
    fit = scipy.stats.linregress(x, np.log(errors).ravel())
    reach = scipy.stats.t.isf(level / 2, len(x) - 2) * fit.stderr
    slope, reach = float(fit.slope), float(reach)
    return Interval(slope, slope - reach, slope + reach, "regression")
