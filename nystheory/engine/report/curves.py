"""Lines of a figure that several chapters draw alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style


def curve(axes, places, values: np.ndarray, look: tuple[str, str, str], label: str):
    """Draw a line.

    Parameters
    ----------
    axes : matplotlib Axes
    places, values : array (m,)
    look : (str, str, str)
        A colour of `style.COLOURS`, a marker or "", and the dashes.
    label : str

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> curve(axes, [1, 2], np.ones(2), ("blue", "o", "-"), "ones")
    """
    colour, marker, dashes = look
    axes.plot(
        places,
        values,
        dashes,
        marker=marker or None,
        color=style.COLOURS[colour],
        label=label,
    )


def count_axis(axes, counts: Sequence[int], label: str = "columns $l$") -> None:
    """Label the horizontal axis with the numbers of columns that were tried.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> count_axis(axes, [5, 10])
    >>> axes.get_xticks().tolist()
    [5, 10]
    """
    axes.minorticks_off()
    axes.set_xticks(counts, counts)
    axes.set_xlabel(label)
