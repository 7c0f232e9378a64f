"""Fast and slow rates: what shows its words that compare."""

from itertools import product

import numpy as np
from words_shown import bound, explained, found, never, shown

from nystheory.chapters.fast_and_slow_rates import experiments, figures, problems
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS

CHAPTER = "fast_and_slow_rates"
SLOPES = found(f"{CHAPTER}:slopes")
FEWER = found(f"{CHAPTER}:fewer")
MACHINES = found(f"{CHAPTER}:machines")
TENTHS = np.arange(1, 10) / 10


def exponent(field, row, **at):
    return experiments.exponent(getattr(ROWS[row], field), **at)


# ---- More points, and the rates


def of_doubled_points():
    """The largest change of the mean excess risk, and how many times the points are."""
    data = SLOPES.experiment.data
    risks = [SLOPES.measured("excess", "few", x).mean(0) for x in data]
    sizes = np.array(SLOPES.experiment.settings)
    return np.mean(sizes[1:] / sizes[:-1]), np.diff(risks).max()


SLOW = exponent("rate", "subspace")
FAST = exponent("rate", "square, well specified", capacity=0.01)


def best_ridges():
    """How the best ridge of the slow bound changes with n."""
    n, ridge = 4.0 ** np.arange(3, 10), 2.0 ** np.arange(-24.0, 1)[:, None]
    return np.diff(ridge.ravel()[(1 / (ridge * n) + ridge).argmin(0)])


# ---- Spectra

SPECTRA = (problems.Powers(2), problems.Powers(3), problems.Geometric(1 / 2))
J = np.arange(1, 2001)


def decay(spectrum):
    """The largest step of the eigenvalues, in logarithms, for double the number."""
    values = spectrum.eigenvalues(2 ** np.arange(1, 7))
    return np.diff(np.log2(values)).max()


SLOWEST = max(map(decay, SPECTRA))


def over_sums(id, claim, eigenvalues, **at):
    """The least by which a bound exceeds the effective dimension."""
    each = ((x, np.sum(eigenvalues / (eigenvalues + x))) for x in (1e-1, 1e-2, 1e-3))
    return min(bound(id, claim, gamma=1, alpha=x, **at) - d for x, d in each)


# ---- Losses


def power_of(id, claim, name, **at):
    """The power of a quantity that a bound contains."""
    first, last = (bound(id, claim, **{name: x}, **at) for x in (1e-2, 1e-4))
    return np.log(last / first) / np.log(1e-2)


def halving():
    """What the root does to an exponent."""
    return power_of("dellavecchia2024:calibration", "square", "excess_sq")


def low_noise(gamma):
    id, claim = "dellavecchia2024:low-noise", "square, sharper"
    return power_of(id, claim, "excess_sq", b=1, gamma=gamma)


def for_an_error(loss, source, gamma):
    """The power of columns over that of the classification error, without p."""
    rate = exponent("rate", loss, capacity=0.1, source=source, theta=gamma)
    rate = rate / (2 - gamma) if loss == "square" else rate
    return exponent("columns", loss, capacity=0.1, source=source, theta=gamma) / rate


def hinge_less_square(where):
    """Columns of the hinge loss less those of the square loss, for the same error."""
    each = product(TENTHS, TENTHS)
    return [
        for_an_error("hinge", r, x) - for_an_error("square", r, x)
        for r, x in each
        if where(r, x)
    ]


def hinge_columns():
    """Where r < 1 - gamma, and nowhere else, the difference is negative."""
    assert min(hinge_less_square(lambda r, x: r + x > 1.01)) > 0
    return max(hinge_less_square(lambda r, x: r + x < 0.99))


HINGE = hinge_columns()


def hinge_rate():
    """The least by which the hinge loss has the larger exponent."""
    triples = product((0.2, 0.5, 0.8), repeat=3)
    each = [dict(capacity=p, source=r, theta=x) for p, r, x in triples]
    return min(
        exponent("rate", "hinge", **at)
        - exponent("rate", "square", **at) / (2 - at["theta"])
        for at in each
    )


def gained_by_choice():
    """The most that other ridges and subspaces gain, and what coarser ones lose."""
    row, at = ROWS["hinge"], dict(capacity=0.5, source=0.5, theta=0.5)
    best, b = exponent("rate", "hinge", **at), exponent("projection", "hinge", **at)
    pairs = product(np.linspace(0.05, 1.45, 29), b * np.linspace(0.5, 1.5, 11))
    rates = {
        pair: experiments.exponent(row.at(*map(str, pair)), **at) for pair in pairs
    }
    cheaper = max(rate for (_, x), rate in rates.items() if x < b)
    return max(rates.values()) - best, best - cheaper


def points_to_tell(variance, difference):
    """How many, until a mean difference is two standard errors."""
    return 4 * variance / difference**2


def with_variance_bound(difference):
    """The square loss's bound on the variance, and the largest of losses up to 4."""
    small = bound(
        "dellavecchia2024:square-loss-variance",
        "sharp",
        chance_i=np.ones(1),
        loss_f=np.array([1 + difference]),
        loss_best=np.ones(1),
    )
    return points_to_tell(small, difference) - points_to_tell(4**2, difference)


def constants():
    at = dict(chance_i=np.ones(1), loss_f=np.array([2.0]), loss_best=np.ones(1))
    id = "dellavecchia2024:square-loss-variance"
    return bound(id, "sharp", **at) / bound(id, "variance", **at)


# ---- Numbers of columns


def less(result, name, other, data):
    """How many more columns one number has than the other at the end."""
    first, last = (result.measured("columns", x, data)[:, -1] for x in (name, other))
    return np.mean(first - last)


def power_of_columns(name):
    """The power of n with which a number of columns grows, without its logarithm."""
    rule = FEWER.experiment.competitors[name].run
    logs = rule.share == 1
    few, many = (
        rule.columns_for(n, capacity=0.5) / np.log(n) ** logs for n in (1e8, 1e12)
    )
    return np.log(many / few) / np.log(1e4)


HALF = power_of_columns("half"), power_of_columns("half") / power_of_columns("few")
COARSE = less(FEWER, "few", "more", "p = 1/2")
FEWEST = less(MACHINES, "square", "own", "narrow gaps, p = 1/4")


def length_less_gap():
    """Of the interval of as many draws as are needed, less the difference of slopes."""
    drawn, gap = SLOPES.measured("slope", "few", "p = 1/4")[:, 0], 6 / 7 - 4 / 5
    count = figures.draws_to_tell(drawn, gap)
    return 2 * 1.96 * drawn.std(ddof=1) / np.sqrt(count) - gap


def on_the_thick_line(r):
    """The noise exponent at which both losses need as many columns."""
    gammas = np.linspace(0, 1, 101)
    return gammas[abs(figures.quotient(r, gammas) - 1).argmin()]


def at_the_first_level():
    """How much higher it lies than the last one, and its columns less those equal."""
    r, gamma = np.meshgrid(np.linspace(0, 1, 101), np.linspace(0, 1, 101))
    values = figures.quotient(r, gamma)
    first, last = values <= figures.LEVELS[0], values >= figures.LEVELS[-1]
    return gamma[first].max() - gamma[last].min(), values[first].max() - 1


shown(
    CHAPTER,
    {
        "with [twice] as many points usually makes a [smaller] error": (
            of_doubled_points()
        ),
        "a *slow* rate, [four times] as many points [halve] the bound": (
            2 ** (1 / SLOW),
            4**-SLOW,
        ),
        "a *fast* rate, [twice] as many do": 2 ** (1 / FAST),
        "The best ridge of the grid [falls] like": best_ridges().max(),
        "the eigenvalues of the covariance [fall] at least like $j^{-1/p}$": (
            decay(problems.Powers(1))
        ),
        "Spectra that [fall] like $j^{-4}$, $j^{-6}$ and $2^{-j}$": SLOWEST,
        "Eigenvalues that [fall] like $j^{-4}$, like $j^{-6}$ and like": SLOWEST,
        "The bounds [exceed] the sums": min(
            over_sums(
                "dellavecchia2024:prop-34", "sharp", 1.0 / J**2, capacity=0.5, pi=np.pi
            ),
            over_sums(
                "dellavecchia2024:prop-35", "bound", 0.5 ** J[:60], beta=np.log(2)
            ),
        ),
        "the root [halves] the exponent": halving(),
        "the exponent of a rate is [halved]": halving(),
        "when the hinge loss needs [fewer] columns than the square": HINGE,
        "the hinge loss needs [fewer] columns if and only if $r < 1 -": HINGE,
        "$n^{-2 / (1 + p)}$, [smaller] than $\\frac1n$": max(
            1e3 ** -exponent("projection", "hinge, well specified", capacity=p) - 1e-3
            for p in TENTHS
        ),
        "at the prescribed one, and then [grow] with [half] its exponent": HALF,
        "columns that [grow] with [half] the exponent": HALF,
        "The curve of [half] the exponent leaves them": HALF[1],
        "the experiment supports the [smaller] number": (
            less(FEWER, "few", "more", "p = 1/4")
        ),
        "For $p = \\frac12$ the [smaller] number has": COARSE,
        ":.2f }} times the excess risk of the [larger] one": -max(COARSE, FEWEST),
        "the [larger] and the [smaller] prescribed number": (-COARSE, COARSE),
        "and $p = \\frac14$: there the [smaller] number has": FEWEST,
        "the sample distinguishes them with [fewer] points": max(
            with_variance_bound(x) for x in (0.3, 0.1, 0.01)
        ),
        "and [a third] of it is enough": constants(),
        "then the root gets a [larger] exponent": (
            min(low_noise(x) for x in (0.25, 0.5, 0.75)) - low_noise(0)
        ),
        "the bound for the hinge loss is never [slower], and for $\\gamma < 1$ it is "
        "[faster]": (never(hinge_rate()), hinge_rate()),
        "An interval [shorter] than the difference between": length_less_gap(),
        "no choice of ridge and subspace gives a [better] or a [cheaper] bound": tuple(
            never(x) for x in gained_by_choice()
        ),
        "from upper left to [lower] right": on_the_thick_line(1) - on_the_thick_line(0),
        "at the [lower] left, where the hinge loss needs [fewer] columns": (
            at_the_first_level()
        ),
    },
)
explained(
    CHAPTER,
    {
        "which must not make the loss [larger]": (
            "what is asked for; {ref}`dellavecchia2024:clipping` has that it is so"
        ),
    },
)
