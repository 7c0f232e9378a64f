"""What an experiment measures: name, words and unit, for lines and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import style


@dataclass(frozen=True)
class Field:
    """Something that is measured.

    Parameters
    ----------
    name : str
        As lines have it: ``missed(pivots)``.
    label : str
        In words, without an article: "share of the trace missed".
    unit : str
        That of the values; empty for a number without one.
    norm : str
        Of which norm, where that is a question.
    by : str
        What joins it with a competitor: "missed *with* random pivots".  Empty where
        the competitor alone says enough: "the bound".

    Examples
    --------
    >>> error = Field("error", "error of the matrix", "% of its norm", "spectral norm")
    >>> error.axis
    'error of the matrix, spectral norm, % of its norm'
    """

    name: str
    label: str
    unit: str = ""
    norm: str = ""
    by: str = "of"

    @property
    def axis(self) -> str:
        """The label of an axis on which it is drawn."""
        return ", ".join(filter(None, (self.label, self.norm, self.unit)))


@dataclass(frozen=True, eq=False)
class Series:
    """Values of a field that are drawn, and whose they are.

    Parameters
    ----------
    field : Field
    values : array (m,)
        In the unit of the field.
    of : str
        The label of a competitor, empty for what belongs to none.
    """

    field: Field
    values: Sequence[float]
    of: str = ""


def plot(axes, x: Series, y: Series, look: tuple[str, str, str]) -> None:
    """Draw one series against another; both axes and the legend are labelled by them.

    Parameters
    ----------
    axes : matplotlib Axes
    x, y : Series
    look : (str, str, str)
        A colour of `style.COLOURS`, a marker or "", and the dashes or "".

    Raises
    ------
    ValueError
        If the axes have another field already.

    Examples
    --------
    >>> from nystheory import style
    >>> columns, missed = Field("columns", "columns"), Field("missed", "missed", "%")
    >>> figure, (axes,) = style.panels(1)
    >>> counts = Series(columns, [1, 2])
    >>> plot(axes, counts, Series(missed, [40, 20], "pivots"), ("blue", "", "-"))
    >>> axes.get_xlabel(), axes.get_ylabel(), axes.lines[0].get_label()
    ('columns', 'missed, %', 'pivots')
    """
    label_axes(axes, x.field, y.field)
    colour, marker, dashes = look
    axes.plot(
        x.values,
        y.values,
        linestyle=dashes or "none",
        marker=marker or None,
        color=style.COLOURS[colour],
        label=y.of,
    )


def label_axes(axes, x: Field, y: Field) -> None:
    """Label both axes; those that have the label of another field are refused."""
    for axis, field in ((axes.xaxis, x), (axes.yaxis, y)):
        there = axis.get_label_text()
        if there and there != field.axis:
            raise ValueError(f"axis: expected {there!r}, as is drawn, got {field.axis}")
        axis.set_label_text(field.axis)


def strays(axes, x: Field, drawn: Sequence[Series]) -> list[str]:
    """Where the labels or the curves of a panel are not those of some series.

    Reads back what was drawn: the labels of both axes, and for each name of the legend
    the values of its curve.

    Examples
    --------
    >>> from nystheory import style
    >>> columns, missed = Field("columns", "columns"), Field("missed", "missed", "%")
    >>> some = Series(missed, [40, 20], "pivots"), Series(missed, [50, 30], "uniform")
    >>> figure, (axes,) = style.panels(1)
    >>> for each in some:
    ...     plot(axes, Series(columns, [1, 2]), each, ("blue", "", "-"))
    >>> strays(axes, columns, some)
    []
    >>> axes.lines[0].set_label("uniform"), axes.lines[1].set_label("pivots")
    (None, None)
    >>> strays(axes, columns, some)
    ['pivots: its curve is another one', 'uniform: its curve is another one']
    """
    told = []
    for axis, fields in (("x", {x.axis}), ("y", {each.field.axis for each in drawn})):
        there = getattr(axes, f"get_{axis}label")()
        # Panels side by side share the label of the first.
        if there and there not in fields:
            told.append(f"{axis}: {there!r} is no label of {' or '.join(fields)!r}")
    curves = {line.get_label(): line.get_ydata() for line in axes.lines}
    for each in drawn:
        if each.of not in curves:
            told.append(f"{each.of}: no curve has this label")
        elif not np.array_equal(curves[each.of], each.values):
            told.append(f"{each.of}: its curve is another one")
    return told
