"""Ellipses, distances, exchanges, constants, tails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from matplotlib.ticker import NullFormatter

from nystheory import style
from nystheory.chapters.concentration import covariances as experiments
from nystheory.chapters.concentration.counting import binomial_tails
from nystheory.chapters.concentration.findings import COLUMNS, HIGH, ROOT
from nystheory.chapters.concentration.theorems.mcdiarmid import hypergeometric_tails
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.worlds.concentration import value

BLUE, ORANGE = style.COLOURS["blue"], style.COLOURS["orange"]
GREEN, VERMILION = style.COLOURS["green"], style.COLOURS["vermilion"]
GREY = style.COLOURS["grey"]

# Colour, marker and dashes of each competitor, in the two figures of distances.
MEANS = {
    "replaced": ("orange", "s", ""),
    "without": ("blue", "o", ""),
    "mean_replaced": ("orange", "", "--"),
    "mean": ("blue", "", "-"),
    "mean_printed": ("vermilion", "", ":"),
}
PROMISES = {
    "printed": ("vermilion", "", "--"),
    "sharp": ("green", "", "-."),
    "without": ("blue", "o", ""),
    "mean": ("blue", "", "-"),
}


def draw_ellipses(axes, X: np.ndarray, samples: Sequence[Sequence[int]]) -> None:
    """Draw points, the ellipse of each sample and the ellipse of all.

    Parameters
    ----------
    axes : matplotlib Axes
    X : ndarray (2, n)
    samples : sequence of sequence of int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_ellipses(axes, experiments.cloud(), [[0, 1, 2]])
    """
    axes.scatter(*X, s=7, color=GREY, alpha=0.6)
    for S in samples:
        axes.plot(*experiments.ellipse(X, S), "--", color=ORANGE, linewidth=1)
    axes.plot(*experiments.ellipse(X), color=BLUE, linewidth=2.2)
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    axes.set(xlim=(-2.8, 2.8), ylim=(-2.8, 2.8))


def means(found, field: Field, competitor: str, data: str) -> np.ndarray:
    """Means over the draws, one for each number of columns.

    Parameters
    ----------
    found : Found
        Of `findings.PROMISES`.
    field : Field
    competitor, data : str

    Returns
    -------
    ndarray (numbers of columns,)
    """
    return found.measured(field.name, competitor, data).mean(axis=0)


def draw_means(axes, found, data: str) -> None:
    """Draw root mean squares of drawn distances, and what (5.7) says of them.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.PROMISES`.
    data : str
    """
    _draw(axes, found, ROOT, data, MEANS)


def draw_promises(axes, found, data: str) -> None:
    """Draw what 99 of 100 samples stay below, and what Theorem 5.1 promises of it.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.PROMISES`.
    data : str
    """
    _draw(axes, found, HIGH, data, PROMISES)


def _draw(axes, found, field, data, looks):
    counts = Series(COLUMNS, found.experiment.settings)
    for name, look in looks.items():
        label = found.experiment.competitors[name].label
        plot(axes, counts, Series(field, means(found, field, name, data), label), look)
    axes.loglog()
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_title(data)


def draw_exchanges(axes, norm: str, pairs: Mapping[str, np.ndarray]) -> None:
    """Draw differences of pairs under the sharp curves and the printed line.

    Parameters
    ----------
    axes : matplotlib Axes
    norm : {"spectral", "Frobenius"}
    pairs : mapping of str to ndarray
        As `experiments.random_pairs` makes them.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> pairs = experiments.random_pairs(4, np.random.default_rng(0))
    >>> draw_exchanges(axes, "spectral", pairs)
    """
    distances = np.linspace(0, 2, 201)
    names = {"spectral": ("g_2", "g_2_equal"), "Frobenius": ("g_F", "g_F_equal")}
    dots = {"markersize": 2, "color": GREY, "alpha": 0.4, "label": "_random pairs"}
    axes.plot(pairs["distance"], pairs[norm], ".", **dots)
    looks = (("all lengths", BLUE, "-"), ("equal lengths", ORANGE, "--"))
    for name, (label, colour, dashes) in zip(names[norm], looks, strict=True):
        curve = [value(name, K_max=1.0, d_max=d) for d in distances]
        axes.plot(distances, curve, dashes, color=colour, label=label)
    printed = "$2 d R$, printed"
    axes.plot(distances, 2 * distances, ":", color=VERMILION, label=printed)
    axes.set(xlabel="largest distance $d$, $R = 1$", ylim=(0, 2), xlim=(0, 2))
    axes.set(title=f"{norm} norm", ylabel="difference of $aa^T$ and $bb^T$")


def draw_constants(axes, found: Mapping[str, np.ndarray]) -> None:
    """Draw the constants of Theorem 5.1 over l/n, as shares of n.

    Parameters
    ----------
    axes : matplotlib Axes
    found : mapping of str to ndarray (n - 1,)
        As `counting.constants` computes them.

    Examples
    --------
    >>> from nystheory.chapters.concentration import counting
    >>> figure, (axes,) = style.panels(1)
    >>> draw_constants(axes, counting.constants(5))
    """
    n = len(found["sharp"]) + 1
    share = np.arange(1, n) / n
    for key, label, colour, dashes in (
        ("with replacement", "$l$, with replacement", VERMILION, "--"),
        ("drawn", "first branch", GREY, ":"),
        ("left", "second branch", ORANGE, "-."),
        ("sharp", r"$\alpha_\sharp$", BLUE, "-"),
    ):
        axes.plot(share, found[key] / n, dashes, color=colour, label=label)
    needed = found["needed"] / n
    axes.plot(share, needed, "o", ms=3.5, color=GREEN, label="needed for counts")
    axes.set(xlabel="share $l/n$ drawn", ylabel="constant, share of $n$")
    axes.set(xlim=(0, 1), ylim=(0, 0.62))


def draw_tail(axes, epsilon, chances, colour: str, label: str) -> None:
    """Draw exact tail probabilities as dots on a logarithmic scale.

    Parameters
    ----------
    axes : matplotlib Axes
    epsilon, chances : array (m,)
    colour : str
        A name of `style.COLOURS`.
    label : str

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_tail(axes, [0.5, 1.5], [0.5, 0.1], "blue", "exact")
    """
    chances = np.asarray(chances, dtype=float)
    some = chances > 0
    look = {"color": style.COLOURS[colour], "ms": 4, "label": label}
    axes.semilogy(np.asarray(epsilon)[some], chances[some], "o-", lw=0.8, **look)


def draw_counts(axes, n: int, ones: int, drawn: int) -> None:
    """Draw exact tails of a count of ones, with and without replacement, and bounds.

    Parameters
    ----------
    axes : matplotlib Axes
    n, ones, drawn : int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_counts(axes, 8, 4, 4)
    """
    alpha, mean = value("alpha_sharp", n=n, l=drawn), drawn * ones // n
    for words, law, colour, bound in (
        ("with", binomial_tails, "orange", (drawn, "vermilion", "--")),
        ("without", hypergeometric_tails, "blue", (alpha, "green", "-")),
    ):
        tail = above_the_mean(law(n, ones, drawn))
        draw_tail(axes, *tail, colour, f"{words}, exact")
        draw_bound(axes, mean, bound[0], (*bound[1:], f"{words}, bound"))


def draw_bound(axes, reach: float, constant: float, look: Sequence[str]) -> None:
    """Draw ``exp(-2 epsilon^2 / constant)`` up to a reach.

    Parameters
    ----------
    axes : matplotlib Axes
    reach : float
    constant : float
        ``alpha c^2``.
    look : (colour, dashes, label)

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_bound(axes, 2.0, 1.0, ("green", "--", "bound"))
    """
    colour, dashes, label = look
    epsilon = np.linspace(0, reach, 101)
    tail = np.exp(-2 * epsilon**2 / constant)
    axes.semilogy(epsilon, tail, dashes, color=style.COLOURS[colour], label=label)
    axes.set(xlabel=r"above the mean by $\epsilon$", ylabel="probability")


def draw_changes(
    axes,
    law: experiments.EverySample,
    n: int,
    drawn: int,
    sharp: float,
    printed: float,
) -> None:
    """Draw the bounds of Theorem 5.1 for three bounds of the largest change.

    Parameters
    ----------
    axes : matplotlib Axes
    law : EverySample
    n, drawn : int
    sharp, printed : float
        Bounds for its change.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_changes(axes, experiments.two_clusters(2, 2), 4, 2, 3.0, 6.0)
    """
    alpha = value("alpha_sharp", n=n, l=drawn)
    for c, look in (
        (law.change, ("green", "-", "$c$ exact")),
        (sharp, ("orange", "--", r"$c = \frac{n}{l} g_F$")),
        (printed, ("vermilion", ":", "$c$ printed")),
    ):
        draw_bound(axes, law.reach, alpha * c**2, look)


def above_the_mean(tails: Mapping[int, Fraction]) -> tuple[np.ndarray, np.ndarray]:
    """Deviations and probabilities of the tails above the mean of a count.

    Examples
    --------
    >>> tails = {1: Fraction(1, 2), 0: Fraction(1)}
    >>> [found.tolist() for found in above_the_mean(tails)]
    [[0.5], [0.5]]
    """
    mean = sum(q for t, q in tails.items() if t > min(tails)) + min(tails)
    kept = [(float(t - mean), float(q)) for t, q in tails.items() if t > mean]
    return tuple(np.array(kept).T)
