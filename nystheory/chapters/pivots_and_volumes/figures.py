"""Expected errors, computed and measured."""

from __future__ import annotations

from matplotlib.ticker import LogLocator

from nystheory import style
from nystheory.chapters.pivots_and_volumes.expected_errors import Expected

_CURVES = {
    "best rank $k$": ("black", "-"),
    "RPCholesky, limit": ("vermilion", "--"),
    "$k$-DPP, exact": ("blue", "-"),
    "DPP, exact": ("sky", ":"),
}
_RUNS = {
    "uniform": ("black", "x"),
    "RPCholesky": ("vermilion", "*"),
    "$k$-DPP": ("blue", "o"),
}


def draw_expected(axes, found: Expected) -> None:
    """Draw computed trace errors as lines and measured means as marks with limits.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Expected

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.engine.trial.statistics import mean_interval
    >>> figure, (axes,) = style.panels(1)
    >>> one = {"uniform": [mean_interval([0.4, 0.5])]}
    >>> draw_expected(axes, Expected(np.array([2]), {"best rank $k$": [0.3]}, one))
    """
    for name, curve in found.computed.items():
        colour, dashes = _CURVES[name]
        colour = style.COLOURS.get(colour, colour)
        axes.plot(found.counts, curve, dashes, color=colour, label=name, linewidth=1.4)
    for name, intervals in found.measured.items():
        colour, marker = _RUNS[name]
        colour = style.COLOURS.get(colour, colour)
        mean = [i.estimate for i in intervals]
        reach = [i.high - i.estimate for i in intervals]
        axes.errorbar(
            found.counts,
            mean,
            reach,
            fmt=marker,
            color=colour,
            markersize=6,
            linewidth=1,
            label=f"{name}, runs",
        )
    axes.loglog()
    axes.set_xticks(found.counts, found.counts)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=20))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set(xlabel="landmarks $l$", ylabel="trace error, share of the trace")
