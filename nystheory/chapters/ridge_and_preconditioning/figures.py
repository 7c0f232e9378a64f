"""Iterations and risks."""

from __future__ import annotations

from nystheory.chapters.ridge_and_preconditioning import experiments
from nystheory.engine.report.curves import count_axis, curve


def draw_solves(left, right, solved: experiments.Solves) -> None:
    """Draw condition numbers and iterations against the number of pivots.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    solved : Solves

    Examples
    --------
    >>> from nystheory import style
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> K = digits_kernel(30, 0.02)
    >>> figure, (left, right) = style.panels(2)
    >>> draw_solves(left, right, experiments.solves(K, 0.01, [5, 20]))
    """
    counts = solved.counts
    bound = ("vermilion", "", "--")
    curve(left, counts, solved.certified, bound, "bound from the trace")
    curve(left, counts, solved.condition, ("blue", "o", "-"), "condition number")
    curve(right, counts, solved.iterations, ("blue", "o", "-"), "iterations")
    for axes, plain in zip((left, right), solved.plain, strict=True):
        axes.axhline(plain, color="black", linewidth=1, label="no preconditioner")
        d = solved.dimension
        axes.axvline(
            d, color="black", linewidth=1, linestyle=":", label="effective dim."
        )
        axes.set(xscale="log", yscale="log")
        count_axis(axes, counts, "pivots $l$")
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
    >>> from nystheory import style
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> K = digits_kernel(30)
    >>> figure, (axes,) = style.panels(1)
    >>> draw_risks(axes, experiments.risks(K, [1.0] * 30, 1.0, 1.0, [5, 20]))
    """
    counts = found.counts
    curve(axes, counts, found.by_trace, ("green", "", "-."), "bound from the trace")
    curve(axes, counts, found.by_norm, ("vermilion", "", "--"), "bound from the norm")
    curve(axes, counts, found.observed, ("blue", "o", "-"), "observed")
    axes.set(xscale="log", yscale="log", ylabel="risk / risk with all of K")
    count_axis(axes, counts)
    axes.legend(fontsize=8.5)
