"""Promises, inverses, groups, iterations, risks, rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.since_2010 import promises_kept, rounding
from nystheory.chapters.since_2010 import uses as experiments

# Colour, marker and line of each promise.
PROMISES = {
    "uniform, coherence": ("grey", "", "--"),
    "leverage scores": ("vermilion", "^", "--"),
    "Gaussian sketch": ("purple", "s", "--"),
    "RPCholesky, limit": ("green", "D", "--"),
}
WAYS = {
    rounding.FORMED: ("vermilion", "^", "--"),
    rounding.SOLVED: ("orange", "s", "-."),
    rounding.SHIFTED: ("green", "D", ":"),
    rounding.PACKAGE: ("blue", "o", "-"),
}


def _line(axes, places, values, look, label):
    colour, marker, dashes = look
    axes.plot(
        places,
        values,
        dashes,
        marker=marker or None,
        color=style.COLOURS[colour],
        label=label,
    )


def _counts(axes, counts, label="columns $l$"):
    axes.minorticks_off()
    axes.set_xticks(counts, counts)
    axes.set_xlabel(label)


def draw_promises(axes, curves: promises_kept.Curves) -> None:
    """Draw what is promised and what is observed, in percent of the trace.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    curves : Curves

    Examples
    --------
    >>> K = promises_kept.three_matrices(40)["digits, RBF"]
    >>> figure, (axes,) = style.panels(1)
    >>> draw_promises(axes, promises_kept.over_columns(K, [5, 20]))
    """
    for name, look in PROMISES.items():
        _line(axes, curves.counts, 100 * curves.promised[name], look, name)
    observed = ("blue", "o", "-")
    label = "observed, and certified"
    _line(axes, curves.counts, 100 * curves.observed, observed, label)
    axes.errorbar(
        curves.counts,
        100 * curves.estimated,
        200 * curves.spread,
        fmt="x",
        color="black",
        zorder=3,
        label="leave one out",
    )
    axes.set(xscale="log", yscale="log", ylabel="trace error, % of tr K")
    _counts(axes, curves.counts)
    axes.set_yticks([10, 20, 50, 100], [10, 20, 50, 100])


def draw_inverses(axes, shown: experiments.Inverses) -> None:
    """Draw errors of a regularised inverse against the ridge.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    shown : Inverses

    Examples
    --------
    >>> K = experiments.digits_kernel(30)
    >>> figure, (axes,) = style.panels(1)
    >>> draw_inverses(axes, experiments.inverses(K, 5, [0.1, 1, 10]))
    """
    ratios = shown.ratios
    _line(axes, ratios, shown.squared, ("grey", "", ":"), r"$\|E\|_2 / \alpha^2$")
    _line(axes, ratios, shown.by_trace, ("green", "", "-."), "from the trace")
    _line(axes, ratios, shown.by_norm, ("vermilion", "", "--"), "from the norm")
    _line(axes, ratios, shown.observed, ("blue", "o", ""), "observed")
    axes.set(xscale="log", yscale="log", ylim=(None, 30))
    axes.set(xlabel=r"ridge $\alpha$ / $\|E\|_2$", ylabel=r"error $\times\ \alpha$")
    axes.legend(fontsize=8.5)


def draw_groups(axes, grouped: experiments.Groups) -> None:
    """Draw what columns can do where points come in groups.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    grouped : Groups

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_groups(axes, experiments.groups(12, 2, 0.9, [2, 4], draws=2))
    """
    counts = grouped.counts
    _line(axes, counts, grouped.sketch, ("purple", "s", "-."), "Gaussian sketch")
    _line(axes, counts, grouped.uniform, ("orange", "^", ":"), "uniform columns")
    _line(axes, counts, grouped.pivoted, ("green", "D", "-"), "RPCholesky")
    _line(axes, counts, grouped.limit, ("blue", "", "--"), "no columns do better")
    axes.axhline(1, color="black", linewidth=1, linestyle=":", label="best rank 3")
    axes.set(xscale="log", yscale="log")
    axes.set_ylabel(r"$\|E\|_2 / \lambda_{k+1}$")
    _counts(axes, counts, "columns or test vectors $l$")
    axes.set_yticks([1, 2, 5, 10, 20, 50], [1, 2, 5, 10, 20, 50])
    axes.legend(fontsize=8.5)


def draw_solves(left, right, solved: experiments.Solves) -> None:
    """Draw condition numbers and iterations against the number of pivots.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    solved : Solves

    Examples
    --------
    >>> K = experiments.digits_kernel(30, 0.02)
    >>> figure, (left, right) = style.panels(2)
    >>> draw_solves(left, right, experiments.solves(K, 0.01, [5, 20]))
    """
    counts = solved.counts
    bound = ("vermilion", "", "--")
    _line(left, counts, solved.certified, bound, "bound from the trace")
    _line(left, counts, solved.condition, ("blue", "o", "-"), "condition number")
    _line(right, counts, solved.iterations, ("blue", "o", "-"), "iterations")
    for axes, plain in zip((left, right), solved.plain, strict=True):
        axes.axhline(plain, color="black", linewidth=1, label="no preconditioner")
        d = solved.dimension
        axes.axvline(
            d, color="black", linewidth=1, linestyle=":", label="effective dim."
        )
        axes.set(xscale="log", yscale="log")
        _counts(axes, counts, "pivots $l$")
        axes.legend(fontsize=8)
    right.set_yticks([10, 20, 50, 100, 200], [10, 20, 50, 100, 200])


def draw_risks(axes, found: experiments.Risks) -> None:
    """Draw the ratio of two risks and its bounds.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Risks

    Examples
    --------
    >>> K = experiments.digits_kernel(30)
    >>> figure, (axes,) = style.panels(1)
    >>> draw_risks(axes, experiments.risks(K, np.ones(30), 1.0, 1.0, [5, 20]))
    """
    counts = found.counts
    _line(axes, counts, found.by_trace, ("green", "", "-."), "bound from the trace")
    _line(axes, counts, found.by_norm, ("vermilion", "", "--"), "bound from the norm")
    _line(axes, counts, found.observed, ("blue", "o", "-"), "observed")
    axes.set(xscale="log", yscale="log", ylabel="risk / risk with all of K")
    _counts(axes, counts)
    axes.legend(fontsize=8.5)


def draw_stairs(
    axes, counts: Sequence[int], exact: np.ndarray, limit: np.ndarray
) -> None:
    """Draw the mean error of volume-weighted samples over that of the best rank.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic vertical scale.
    counts : sequence of int, length m
    exact, limit : ndarray (m,)

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_stairs(axes, [1, 2], np.ones(2), np.ones(2))
    """
    worst = np.asarray(counts) + 1.0
    _line(axes, counts, worst, ("grey", "", "--"), "worst case, $l + 1$")
    _line(axes, counts, limit, ("vermilion", "", "-."), "bound, best $k$")
    _line(axes, counts, exact, ("blue", "", "-"), "exact")
    axes.set(yscale="log", xlabel="columns $l$", ylabel="error / best of rank $l$")
    axes.set_yticks([1, 10, 100], [1, 10, 100])
    axes.legend(fontsize=8.5)


def draw_rounding(
    axes, counts: Sequence[int], errors: Mapping[str, np.ndarray]
) -> None:
    """Draw the errors of several computations of one approximation.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic vertical scale.
    counts : sequence of int, length m
    errors : mapping of str to ndarray (m,)

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> errors = rounding.rounding(rounding.line(30), [3, 9], draws=1)
    >>> draw_rounding(axes, [3, 9], errors)
    """
    for name, look in WAYS.items():
        _line(axes, counts, errors[name], look, name)
    axes.set(yscale="log", xlabel="columns $l$", ylabel="spectral error / norm of K")
    axes.legend(fontsize=8.5)
