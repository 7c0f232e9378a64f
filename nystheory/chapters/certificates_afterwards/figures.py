"""Norms and certificates, inverses, rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory.chapters.certificates_afterwards import experiments, rounding
from nystheory.engine.report.curves import count_axis, curve

WAYS = {
    rounding.FORMED: ("vermilion", "^", "--"),
    rounding.SOLVED: ("orange", "s", "-."),
    rounding.SHIFTED: ("green", "D", ":"),
    rounding.PACKAGE: ("blue", "o", "-"),
}


def draw_chain(axes, shown: experiments.Chain) -> None:
    """Draw four sizes of an error, and the two certificates as rings.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    shown : Chain

    Examples
    --------
    >>> from nystheory import style
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> figure, (axes,) = style.panels(1)
    >>> draw_chain(axes, experiments.chain(digits_kernel(30), [5, 10]))
    """
    counts = shown.counts
    curve(axes, counts, shown.trace, ("blue", "", "-"), "trace")
    curve(axes, counts, shown.frobenius, ("orange", "s", "--"), "Frobenius norm")
    curve(axes, counts, shown.spectral, ("green", "^", "-."), "spectral norm")
    curve(axes, counts, shown.entry, ("purple", "", ":"), "largest entry")
    for certified, label in ((shown.by_factor, "certified"), (shown.by_diagonal, "")):
        axes.plot(counts, certified, "o", color="black", fillstyle="none", label=label)
    axes.set(xscale="log", yscale="log", ylabel="size of the error / trace of $K$")
    count_axis(axes, counts)
    axes.legend(fontsize=8.5, loc="center left", bbox_to_anchor=(1, 0.5))


def draw_inverses(axes, shown: experiments.Inverses) -> None:
    """Draw errors of a regularised inverse against the ridge.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    shown : Inverses

    Examples
    --------
    >>> from nystheory import style
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> K = digits_kernel(30)
    >>> figure, (axes,) = style.panels(1)
    >>> draw_inverses(axes, experiments.inverses(K, 5, [0.1, 1, 10]))
    """
    ratios = shown.ratios
    curve(axes, ratios, shown.squared, ("grey", "", ":"), r"$\|E\|_2 / \alpha^2$")
    curve(axes, ratios, shown.by_trace, ("green", "", "-."), "from the trace")
    curve(axes, ratios, shown.by_norm, ("vermilion", "", "--"), "from the norm")
    curve(axes, ratios, shown.observed, ("blue", "o", ""), "observed")
    axes.set(xscale="log", yscale="log", ylim=(None, 30))
    axes.set(xlabel=r"ridge $\alpha$ / $\|E\|_2$", ylabel=r"error $\times\ \alpha$")
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
    >>> from nystheory import style
    >>> figure, (axes,) = style.panels(1)
    >>> errors = rounding.rounding(rounding.line(30), [3, 9], draws=1)
    >>> draw_rounding(axes, [3, 9], errors)
    """
    for name, look in WAYS.items():
        curve(axes, counts, errors[name], look, name)
    axes.set(yscale="log", xlabel="columns $l$", ylabel="spectral error / norm of K")
    axes.legend(fontsize=8.5)
