"""What a panel shows, read back from its artists: for the tests of the figures.

A reader takes a curve for what the legend says of its look; so do these functions.
Labels that are exchanged, a curve of other values, a norm or a unit of another field on
an axis, a colour that means the other sign are seen here and not in the program.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from nystheory import style

_NAMES = {code.lower(): name for name, code in style.COLOURS.items()}
_NAMES |= {"#000000": "black", "#ffffff": "white", "#808080": "middle grey"}


def planted(experiment, draws: int = 4) -> SimpleNamespace:
    """Measurements of their own for each field, competitor and data set.

    Drawn without running anything: no two curves of a figure of them are alike, and no
    mean over draws is a median or an end.

    Parameters
    ----------
    experiment : Experiment
        Or what has its competitors, fields, data and settings.
    draws : int

    Returns
    -------
    SimpleNamespace
        With ``experiment`` and ``measured``, as of a `Found`; from 10 to 90.

    Examples
    --------
    >>> some = SimpleNamespace(fields=[], competitors="ab", data="cd", settings=(1, 2))
    >>> some.fields.append(SimpleNamespace(name="error"))
    >>> planted(some).measured("error", "a", "d").shape
    (4, 2)
    """
    fields = [each.name for each in experiment.fields]
    names, data = list(experiment.competitors), list(experiment.data)

    def measured(field, competitor, of):
        key = fields.index(field), names.index(competitor), data.index(of)
        size = draws, max(1, len(experiment.settings))
        return np.random.default_rng(key).uniform(10, 90, size)

    return SimpleNamespace(experiment=experiment, measured=measured)


def words(axes) -> tuple[str, str, str, str]:
    """What is written at a panel: x, y, the title; and its scales, that of x first.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.set(xlabel="columns", ylabel="error, %", yscale="log")
    >>> words(axes)
    ('columns', 'error, %', '', 'linear log')
    """
    title = axes.get_title(loc="left") or axes.get_title()
    scales = f"{axes.get_xscale()} {axes.get_yscale()}"
    return axes.get_xlabel(), axes.get_ylabel(), title, scales


def colour(value) -> str:
    """The name of a colour in `style.COLOURS`, or its code.

    >>> colour("#0072B2"), colour("black"), colour("#123456")
    ('blue', 'black', '#123456')
    """
    code = to_hex(value)
    return _NAMES.get(code, code)


def named(axes, legend=None) -> dict[str, np.ndarray]:
    """What a reader takes from a panel for each entry of the legend.

    Parameters
    ----------
    axes : matplotlib Axes
    legend : matplotlib Legend, optional
        By default that of the panel, else that of the figure, else the labels.

    Returns
    -------
    dict of str to ndarray
        By the words of the legend the places of all artists that look like their key:
        rows x and y of a curve, of dots, of centres and heights of bars; x, lower and
        upper ends of a band; x, what is marked, lower and upper ends of bars of errors,
        where they lie y for x.

    Raises
    ------
    ValueError
        If nothing looks like a key, or two keys look alike.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1, 2], [5, 6], "b-", label="ours")
    >>> _ = axes.plot([1, 2], [7, 8], "r--", label="theirs")
    >>> named(axes)["theirs"].tolist()
    [[1.0, 2.0], [7.0, 8.0]]
    >>> legend = axes.legend(axes.lines[::-1], ["ours", "theirs"])
    >>> named(axes)["theirs"].tolist()
    [[1.0, 2.0], [5.0, 6.0]]
    """
    keys = _keys(axes, legend)
    looks = list(keys.values())
    twice = [label for label, look in keys.items() if looks.count(look) > 1]
    if twice:
        raise ValueError(f"legend: expected keys that differ, got {', '.join(twice)}")
    found = by_look(axes)
    missing = [label for label, look in keys.items() if look not in found]
    if missing:
        raise ValueError(f"legend: expected what looks like {', '.join(missing)}")
    return {label: found[look] for label, look in keys.items()}


def unnamed(axes, legend=None) -> dict[str, np.ndarray]:
    """The other artists of a panel, by their look: colour, marker and dashes.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1, 2], [5, 6], "k:"), axes.plot([1], [3], "b-", label="ours")
    >>> {look: places.tolist() for look, places in unnamed(axes).items()}
    {'black :': [[1.0, 2.0], [5.0, 6.0]]}
    """
    keys = set(_keys(axes, legend).values())
    return {k: places for k, places in by_look(axes).items() if k not in keys}


def by_look(axes) -> dict[str, np.ndarray]:
    """All artists of a panel by their look, whatever the legend says of them.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1], [5], "k:"), axes.plot([1], [3], "k-", label="ours")
    >>> sorted(by_look(axes))
    ['black -', 'black :']
    """
    found = {}
    for artist in _artists(axes):
        found.setdefault(_look(artist), []).append(_places(artist))
    return {
        look: np.hstack([x for x in some if x.shape[1]] or some[:1])
        for look, some in found.items()
    }


def looks(axes, legend=None) -> dict[str, str]:
    """The look of each entry of the legend: where a colour or a dash has a meaning.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1], [3], "o", color=style.COLOURS["blue"], label="ours")
    >>> looks(axes)
    {'ours': 'blue o'}
    """
    return _keys(axes, legend)


def unlike(found, wanted) -> list[str]:
    """Where what was read is not what is wanted, entry by entry.

    Parameters
    ----------
    found : mapping of str to ndarray
        As `named` and `unnamed` give it.
    wanted : mapping of str to array_like
        With all entries.

    Examples
    --------
    >>> found = {"ours": np.array([[1, 2], [5, 6]]), "theirs": np.array([[1], [7]])}
    >>> unlike(found, {"ours": ([1, 2], [5, 7]), "others": ([1], [7])})
    ['others: not there', 'ours: [5 6], expected [5 7]', 'theirs: too many']
    """
    told = []
    for name in sorted({*found, *wanted}):
        if name not in wanted:
            told.append(f"{name}: too many")
        elif name not in found:
            told.append(f"{name}: not there")
        else:
            told += _rows_unlike(name, found[name], np.array(wanted[name]))
    return told


def _rows_unlike(name, found, wanted):
    if found.shape != wanted.shape:
        return [f"{name}: of shape {found.shape}, expected {wanted.shape}"]
    return [
        f"{name}: {one}, expected {other}"
        for one, other in zip(found, wanted, strict=True)
        if not np.allclose(one, other, rtol=1e-9, atol=1e-13)
    ]


def ticks(axis) -> dict[float, str]:
    """Where an axis has ticks, and what is written there.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.set_xticks([1, 2], ["one", "two"])
    >>> ticks(axes.xaxis)
    {1.0: 'one', 2.0: 'two'}
    """
    labels = (text.get_text() for text in axis.get_ticklabels())
    return dict(zip(map(float, axis.get_ticklocs()), labels, strict=True))


def _keys(axes, legend):
    """The look of each key of the legend, by its words."""
    figure = axes.figure
    legend = legend or axes.get_legend() or next(iter(figure.legends), None)
    if legend is None:
        handles, labels = axes.get_legend_handles_labels()
    else:
        labels = [text.get_text() for text in legend.get_texts()]
        handles = legend.legend_handles
    if len(set(labels)) < len(labels):
        raise ValueError(f"legend: expected words that differ, got {labels}")
    return {x: _look(key) for x, key in zip(labels, handles, strict=True)}


def _artists(axes):
    """Lines, dots, bands and bars; each bar of errors stands for its line."""
    errors = [x for x in axes.containers if isinstance(x, ErrorbarContainer)]
    bars = [x for x in axes.containers if isinstance(x, BarContainer)]
    # Ends of bars of errors are markers without a name.
    inside = {id(part) for each in errors for part in (each[0], *each[1])}
    inside |= {id(part) for each in bars for part in each}
    kinds = (PathCollection, PolyCollection)
    yield from errors + bars
    for artist in (*axes.lines, *axes.collections, *axes.patches):
        known = isinstance(artist, (Line2D, Rectangle, *kinds))
        if known and id(artist) not in inside:
            yield artist


def _look(artist) -> str:
    if isinstance(artist, ErrorbarContainer):
        return f"{colour(artist[2][0].get_color()[0])} with bars"
    if isinstance(artist, BarContainer):
        artist = artist[0]
    if isinstance(artist, Line2D):
        marks = (artist.get_marker(), artist.get_linestyle())
        kept = [str(x) for x in marks if x not in ("None", "none", "", " ", None)]
        return " ".join([colour(artist.get_color()), *kept])
    if isinstance(artist, (Rectangle, PolyCollection)):
        return f"{colour(np.atleast_2d(artist.get_facecolor())[0])} area"
    if isinstance(artist, PathCollection):
        return _look_of_dots(artist)
    # The key of a line with bars of errors is made of the bars.
    return f"{colour(artist.get_color()[0])} with bars"


def _look_of_dots(artist):
    corners = len(artist.get_paths()[0].vertices)
    face, edge = artist.get_facecolor(), artist.get_edgecolor()
    if len(face):
        return f"{colour(face[0])} dots of {corners} corners"
    return f"{colour(edge[0])} rings of {corners} corners"


def _places(artist) -> np.ndarray:
    if isinstance(artist, ErrorbarContainer):
        return _between(artist[2][0], artist[0], artist.has_xerr)
    if isinstance(artist, Line2D):
        ends = artist.get_xdata(orig=True), artist.get_ydata(orig=True)
        return np.array(ends, dtype=float)
    if isinstance(artist, BarContainer):
        return np.hstack([_places(bar) for bar in artist] or [np.empty((2, 0))])
    if isinstance(artist, Rectangle):
        middle = artist.get_x() + artist.get_width() / 2
        return np.array([[middle], [artist.get_y() + artist.get_height()]])
    if isinstance(artist, PathCollection):
        return np.array(artist.get_offsets()).T
    return _band(artist.get_paths()[0].vertices)


def _between(bars, line, lie):
    """x, what is marked, and the lower and the upper end of each bar of errors.

    Where bars lie, x and y are exchanged.
    """
    x, ends = np.array(bars.get_segments()).transpose(2, 0, 1)[:: -1 if lie else 1]
    if line is None:
        middle = ends.mean(axis=1)
    else:
        middle = line.get_xdata() if lie else line.get_ydata()
    return np.array([x[:, 0], middle, ends.min(axis=1), ends.max(axis=1)])


def _band(corners):
    """x, and the lowest and highest corner there."""
    x = np.unique(corners[:, 0])
    ends = [corners[corners[:, 0] == each, 1] for each in x]
    return np.array([x, [min(y) for y in ends], [max(y) for y in ends]])
