"""Expected errors, computed and measured, and schemes side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import LogLocator

from nystheory import kernels, lowrank, style
from nystheory.chapters.pivots_and_volumes.expected_errors import Expected
from nystheory.chapters.pivots_and_volumes.findings import ACCURACY, ENTRIES
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.report.pictures import Pick, draw_picks
from nystheory.engine.report.slider import Frame, Slider

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


# ---- landmarks one after another ----


def plot_landmarks(
    K: kernels.PointKernel,
    cluster: np.ndarray,
    drawn: Mapping[str, np.ndarray],
    counts: Sequence[int],
) -> Slider:
    """The first landmarks of some schemes on points in the plane, with a slider.

    Parameters
    ----------
    K : PointKernel (n, n)
        Of points in the plane.
    cluster : ndarray (n,)
        The number of the cluster of each point.
    drawn : mapping of str to ndarray (draws, l)
        By the name of the scheme its landmarks, in their order.  Those of the first
        draw are shown; the share that is missed is the mean over draws.
    counts : sequence of int
        How many of them, frame by frame; the last is shown first.

    Returns
    -------
    Slider

    Examples
    --------
    >>> K = kernels.rbf(np.array([[0.0, 0.0], [0.0, 0.0], [9.0, 9.0]]))
    >>> plot_landmarks(K, np.array([0, 0, 1]), {"One": [[0, 2], [1, 2]]}, [1, 2])
    Landmarks
    1: One: 33 % of the trace missed, landmarks in 1 of 2 clusters.
    2: One: 0 % of the trace missed, landmarks in 2 of 2 clusters.
    """
    frames, trace = [], float(K.diagonal().sum())
    for count in counts:
        picks, words = [], []
        for name, draws in drawn.items():
            own = [landmarks[:count] for landmarks in draws]
            errors = [lowrank.nystrom(K, S).error(K, "trace") / trace for S in own]
            missed, touched = float(np.mean(errors)), len(set(cluster[own[0]]))
            picks.append(Pick(name, K.points[own[0]], missed))
            words.append(
                f"{name}: {100 * missed:.0f} % of the trace missed, "
                f"landmarks in {touched} of {len(set(cluster))} clusters."
            )
        figure = draw_picks(K.points, picks)
        frames.append(Frame(f"{count}", " ".join(words), figure))
    return Slider("Landmarks", frames, len(frames) - 1)


# ---- schemes side by side ----

LOOKS = {
    "uniform": ("grey", "o", "-"),
    "sgma": ("orange", "D", "-"),
    "kmeans": ("purple", "P", "-"),
    "recursive_rls": ("grey", "p", "--"),
    "farthest_point": ("sky", "X", "-"),
    "k_dpp": ("blue", ">", "-"),
    "rp_cholesky": ("vermilion", "*", "-"),
}


def means(found, field: Field, name: str, data: str) -> np.ndarray:
    """A field in the mean over draws, one number for each setting.

    Parameters
    ----------
    found : Found
    field : Field
    name : str
        The competitor.
    data : str
    """
    return found.measured(field.name, name, data).mean(axis=0)


def draw_entries(axes, found, data: str, names: Sequence[str] = tuple(LOOKS)) -> None:
    """Draw mean accuracy against the entries of K that are asked for.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal axis, and a line at all of K.
    found : Found
        Of `findings.SCHEMES`.
    data : str
    names : sequence of str
        Which competitors.
    """
    for name in names:
        label = found.experiment.competitors[name].label
        entries = Series(ENTRIES, means(found, ENTRIES, name, data), label)
        plot(axes, entries, Series(ACCURACY, means(found, ACCURACY, name, data), label),
             LOOKS[name])  # fmt: skip
    look = {"color": "black", "linewidth": 1, "linestyle": ":"}
    axes.axvline(1, **look, label="_all of $K$")
    axes.set(xscale="log", title=data)
    axes.set_xticks([0.05, 0.2, 1, 10], ["0.05", "0.2", "1", "10"])
    axes.minorticks_off()


def table_of_means(found, field: Field) -> style.Table:
    """A field in the mean over draws: a competitor a row, a data set a column.

    Parameters
    ----------
    found : Found
    field : Field
        In a cell are its means for the settings.
    """
    rows = [
        (
            each.label,
            *(
                ", ".join(f"{x:.0f}" for x in means(found, field, name, data))
                for data in found.draws
            ),
        )
        for name, each in found.experiment.competitors.items()
    ]
    return style.Table(("", *found.draws), rows, f"{field.axis}, mean over draws.")
