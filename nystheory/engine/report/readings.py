"""What a figure shows, read back from its artists: its words are held against it.

A page keeps a `reading` of each figure beside the numbers of the run, and
``tests/book/test_words_of_figures.py`` compares captions and alternative texts with it.
What a curve does is said by `Shown`: ``{{ trend("bound") }}`` under a figure is the
word that its artists deserve.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.collections import QuadMesh
from matplotlib.container import ErrorbarContainer
from matplotlib.contour import ContourSet
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from nystheory.engine.findings.found import Found
from nystheory.engine.report import artists

# Differences below this share of what a panel spans are not seen.
SEEN = 0.02
# Labels that it gives by itself.
OF_MATPLOTLIB = re.compile(r"_(child\d+|container\d+|nolegend_|line\d+)?")
STATISTICS = {
    "mean": lambda values: values.mean(axis=0),
    "median": lambda values: np.median(values, axis=0),
    "largest": lambda values: values.max(axis=0),
    "smallest": lambda values: values.min(axis=0),
}


def panels(figure) -> list:
    """The panels of a figure, without bars of colours."""
    bars = set()
    for axes in figure.axes:
        coloured = (*axes.images, *axes.collections)
        bars |= {x.colorbar.ax for x in coloured if getattr(x, "colorbar", None)}
    return [x for x in figure.axes if x not in bars and (x.axison or x.has_data())]


def reading(figure, found: Sequence[Found] = ()) -> str:
    """What the panels of a figure show, as JSON.

    Of each panel the words at its axes, in it and at its ticks, its scales, and how
    many artists there are of each name and look, with the way that curves go; and of
    what its curves are means, medians or ends.

    Examples
    --------
    >>> from nystheory import style
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1, 2, 3], [5, 6, 7], "k-", label="ours"), axes.legend()
    >>> print(reading(figure))  # doctest: +NORMALIZE_WHITESPACE
    {"of": [], "panels": [{"title": "", "words": ["ours"], "scales": "linear linear",
     "drawn": {"ours | black - | rises": 1}}]}
    """
    shown = Shown(figure)
    read = [_panel(axes, shown) for axes in panels(figure)]
    return json.dumps({"of": statistics(figure, found), "panels": read})


def of(figure, names: Mapping[str, object]) -> tuple:
    """What a page may ask of a figure: its reading, and five words on its curves.

    Parameters
    ----------
    figure : matplotlib Figure
    names : mapping of str to object
        Those of the page; its stored findings are what curves may be drawn of.
    """
    found = [each for each in names.values() if isinstance(each, Found)]
    shown = Shown(figure)
    asked = (shown.trend, shown.place, shown.side, shown.pace, shown.beyond)
    return (lambda: reading(figure, found)), *asked


def statistics(figure, found: Sequence[Found]) -> list[str]:
    """Which curves of a figure are means over draws, which their medians or ends.

    A curve may be a multiple.  Each is told as statistic, field, competitor and data.
    """
    told = set()
    curves = [
        np.asarray(artists._places(x)[1], float)
        for axes in panels(figure)
        for x in artists._artists(axes)
        if isinstance(x, (Line2D, ErrorbarContainer))
    ]
    for each in {id(x): x for x in found}.values():
        parts = each.experiment
        for field, who, data in itertools.product(
            parts.fields, parts.competitors, each.draws
        ):
            try:
                values = np.asarray(each.measured(field.name, who, data), float)
            except (KeyError, ValueError):  # not measured of this one
                continue
            # What does not vary is a mean, a median and an end in one.
            if values.ndim == 2 and values.shape[1] > 2 and np.ptp(values, 0).any():
                label = parts.competitors[who].label
                told |= {
                    f"{name} | {field.axis} | {label} | {data}"
                    for name, over in STATISTICS.items()
                    if any(_is_multiple(y, over(values)) for y in curves)
                }
    return sorted(told)


def _is_multiple(y, values):
    if y.shape != values.shape or not np.all(np.isfinite(values)) or not y.any():
        return False
    if not np.ptp(values):
        return False
    times = (y @ values) / (values @ values)
    return np.allclose(y, times * values, rtol=1e-9, atol=0)


def _panel(axes, shown):
    title = "".join(axes.get_title(loc=loc) for loc in ("left", "center", "right"))
    texts = [title, axes.get_xlabel(), axes.get_ylabel()]
    texts += [each.get_text() for each in (*axes.texts, *axes.figure.texts)]
    for axis in (axes.xaxis, axes.yaxis):
        ticks = (label.get_text() for label in axis.get_ticklabels())
        texts += [each for each in ticks if _is_word(each)]
    texts += shown.entries.values()
    drawn = {}
    for artist in artists._artists(axes):
        look = artists._look(artist)
        if isinstance(artist, ErrorbarContainer) and artist[0] is not None:
            look += f" {artist[0].get_marker()}"
        key = [shown.name(artist) or shown.meaning(artist), look]
        if isinstance(artist, Line2D) and len(artist.get_xdata()) > 1:
            key.append(_course(axes, artists._places(artist)))
        drawn[" | ".join(key)] = drawn.get(" | ".join(key), 0) + 1
    kinds = {"picture": (AxesImage, QuadMesh, ContourSet), "arrow": Annotation}
    for kind, classes in kinds.items():
        if count := sum(isinstance(x, classes) for x in axes.get_children()):
            drawn[f" | {kind}"] = count
    return {
        "title": title,
        "words": list(dict.fromkeys(filter(None, texts))),
        "scales": f"{axes.get_xscale()} {axes.get_yscale()}",
        "drawn": drawn,
    }


def _is_word(written):
    return sum(map(str.isalpha, written)) > 2 and "mathdefault" not in written


class Shown:
    """The curves of a figure by their names: those of the legend, or their looks.

    Parameters
    ----------
    figure : matplotlib Figure

    Examples
    --------
    >>> from nystheory import style
    >>> figure, (axes,) = style.panels(1)
    >>> _ = axes.plot([1, 2, 3], [5, 6, 7], label="ours")
    >>> _ = axes.plot([1, 2, 3], [8, 8, 9], label="the others")
    >>> shown = Shown(figure)
    >>> shown.trend("ours"), shown.trend("ours", "the others"), shown.place("ours")
    ('rises', 'rise', 'lowest')
    >>> shown.side("ours", "the others"), shown.side("ours", 4), shown.pace("ours")
    ('below', 'above', 'fastest')
    >>> shown.beyond(3)
    'ours and the others'
    """

    def __init__(self, figure):
        self.panels = panels(figure)
        found = (each.get_legend() for each in figure.axes)
        legends = [*filter(None, found), *figure.legends]
        self.entries = {
            artists._look(key): text.get_text()
            for legend in legends
            for text, key in zip(legend.get_texts(), legend.legend_handles, strict=True)
        }

    def name(self, artist) -> str:
        """What a legend calls an artist, else its label, or ''."""
        label = str(artist.get_label())
        own = "" if label.startswith("_") else label
        return own or self.entries.get(artists._look(artist), "")

    @staticmethod
    def meaning(artist) -> str:
        """What a label says that no legend shows, "_landmarks", or ''."""
        label = str(artist.get_label())
        is_own = label.startswith("_") and not OF_MATPLOTLIB.fullmatch(label)
        return label.removeprefix("_") if is_own else ""

    def trend(self, *names: str, panel: int | None = None) -> str:
        """Whether curves fall or rise, from their first to their last point."""
        ways = {
            _way(axes, places)
            for name in names
            for axes, places in self._curves(name, panel)
        }
        plural = {"falls": "fall", "rises": "rise", "is level": "are level"}
        way = _one("trend", ", ".join(names), ways)
        return way if len(names) == 1 else plural[way]

    def place(self, name: str, panel: int | None = None, to: float = np.inf) -> str:
        """Whether a curve is, up to a place, the lowest or highest of those named."""
        sides = set()
        for axes, places in self._curves(name, panel):
            mine = [x for x in axes.lines if self.name(x) == name]
            for other in axes.lines:
                is_curve = self.name(other) and len(other.get_xdata()) > 1
                if is_curve and other not in mine:
                    sides |= _sides(axes, _up_to(to, places), artists._places(other))
        return {"above": "highest", "below": "lowest"}[_one("place", name, sides)]

    def side(
        self,
        name: str,
        other: str | float,
        panel: int | None = None,
        to: float = np.inf,
    ) -> str:
        """Whether a curve runs, up to a place, above or below another, or a height."""
        sides = set()
        for axes, places in self._curves(name, panel):
            if isinstance(other, str):
                found = self._curves(other, self.panels.index(axes))
                lines = [line for _, line in found]
            else:
                lines = [np.array([places[0], np.full(len(places[0]), other)])]
            for line in lines:
                sides |= _sides(axes, _up_to(to, places), line)
        return _one("side", name, sides)

    def pace(self, name: str, panel: int | None = None) -> str:
        """Whether a curve goes the fastest or the slowest of all that have names."""
        paces = set()
        for axes, places in self._curves(name, panel):
            curves = [
                artists._places(x)
                for x in axes.lines
                if self.name(x) and len(x.get_xdata()) > 1
            ]
            gains = [abs(_slope(axes, each)) for each in curves]
            mine = abs(_slope(axes, places))
            ends = {max(gains): "fastest", min(gains): "slowest"}
            paces.add(ends.get(mine, "neither"))
        return _one("pace", name, paces)

    def beyond(self, x: float) -> str:
        """The names of all curves that come to a place on the axis or beyond."""
        found = {
            self.name(artist): None
            for axes in self.panels
            for artist in artists._artists(axes)
            if self.name(artist) and artists._places(artist)[0].max() >= x
        }
        *first, last = found
        return f"{', '.join(first)} and {last}" if first else last

    def _curves(self, name, panel):
        """The panels and places of the curves of a name, of a look, or of all names."""
        chosen = self.panels if panel is None else [self.panels[panel]]
        found = [
            (axes, artists._places(artist))
            for axes in chosen
            for artist in artists._artists(axes)
            if name in (self.name(artist), artists._look(artist))
            or (name == "all" and isinstance(artist, Line2D) and self.name(artist))
        ]
        if not found:
            there = [x for axes in chosen for x in artists._artists(axes)]
            known = sorted({self.name(x) or artists._look(x) for x in there})
            raise ValueError(f"figure: expected one of {known}, got {name!r}")
        return found


def _one(what, name, found):
    """The one word that is true of all panels and places."""
    if len(found) != 1:
        raise ValueError(f"{what}: {name}: expected one, got {sorted(found)}")
    return found.pop()


def _up_to(x, places):
    return places[:, places[0] <= x]


def _heights(axes, y):
    """Heights as they are seen: logarithms on a logarithmic axis."""
    y = np.asarray(y, float)
    if axes.get_yscale() != "log":
        return y
    return np.log10(np.where(y > 0, y, np.nan))


def _span(axes):
    low, high = _heights(axes, axes.get_ylim())
    return high - low if np.isfinite(high - low) else 1.0


def _way(axes, places) -> str:
    """'falls', 'rises' or 'is level'."""
    y = _heights(axes, places[1])[np.argsort(places[0], kind="stable")]
    y = y[np.isfinite(y)]
    gain = (y[-1] - y[0]) / abs(_span(axes)) if len(y) else 0
    return "rises" if gain > SEEN else "falls" if gain < -SEEN else "is level"


def _slope(axes, places) -> float:
    """How steeply a curve goes in the picture, from its first to its last place."""
    scale = np.log if axes.get_xscale() == "log" else np.asarray
    x, y = scale(places[0]), _heights(axes, places[1])
    x, y = x[np.isfinite(y)], y[np.isfinite(y)]
    return float((y[-1] - y[0]) / (x[-1] - x[0]))


def _course(axes, places) -> str:
    """'falls', 'rises', 'is level', or several of them, in their order."""
    y = _heights(axes, places[1])[np.argsort(places[0], kind="stable")]
    y = y[np.isfinite(y)]
    if not len(y):
        return "is level"
    turns = sorted({0, int(y.argmin()), int(y.argmax()), len(y) - 1})
    steps = np.diff(y[turns]) / abs(_span(axes))
    ways = ["rises" if x > 0 else "falls" for x in steps if abs(x) > SEEN]
    return " and ".join(ways) or "is level"


def _sides(axes, one, other) -> set[str]:
    """On which sides of another curve one is, where both are drawn."""
    order = np.argsort(other[0], kind="stable")
    x, y = np.asarray(other, float)[:2, order]
    # What is level is a line across the panel, wherever it ends.
    here = (one[0] >= x.min()) & (one[0] <= x.max()) | (not np.ptp(y))
    scale = np.log if axes.get_xscale() == "log" and x.min() > 0 else np.asarray
    its = np.interp(scale(one[0][here]), scale(x), _heights(axes, y))
    gaps = (_heights(axes, one[1][here]) - its) / abs(_span(axes))
    found = {"above"} if (gaps > SEEN).any() else set()
    return found | ({"below"} if (gaps < -SEEN).any() else set())
