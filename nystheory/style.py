"""What everything looks like: colours, figures, tables, the card of a theorem."""

from __future__ import annotations

import base64
import html
import io
import math
import re
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from PIL import Image

from nystheory._formulas import inline

# Okabe and Ito's palette, safe for the common kinds of colour blindness.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "grey": "#666666",
}

# Matrices as pictures: dark to bright also for the colour-blind and in print.
COLOUR_MAP = "cividis"

_RC = {
    "axes.prop_cycle": mpl.cycler(color=list(COLOURS.values())),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "font.size": 10.5,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "figure.facecolor": "white",
    "axes.facecolor": "none",  # the figure's ground is seen, light or dark
    "figure.constrained_layout.use": True,
}


@contextmanager
def figures():
    """Context in which matplotlib draws in the book's style.

    Examples
    --------
    >>> with figures():
    ...     figure = Figure()
    """
    with mpl.rc_context(_RC):
        yield


# The metadata of an output that hold its figure drawn for dark pages; only the site
# shows it.
DARK = "application/vnd.nystheory.dark"
DARK_GROUND = "#121212"
# Pictures are saved with this many dots for one of the page.
DOTS = _RC["savefig.dpi"] / _RC["figure.dpi"]


class BookFigure(Figure):
    """A matplotlib figure that a notebook shows when it ends a cell.

    It is drawn twice: black on white, and for dark pages white on nearly black.
    """

    def _repr_png_(self) -> bytes:
        return self._png("white")

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        """The light picture, and what is known of it: its width, its dark twin."""
        light = self._repr_png_()
        _exchange_greys(self)
        try:
            dark = self._png(DARK_GROUND)
        finally:
            _exchange_greys(self)
        encoded = base64.b64encode(dark).decode()
        width = round(int.from_bytes(light[16:20], "big") / DOTS)
        metadata = {"image/png": {"width": width}, DARK: encoded}
        return {"image/png": light, "text/plain": "<a figure>"}, metadata

    def _png(self, ground: str) -> bytes:
        """A picture of at most 256 colours; two runs give the same bytes."""
        with (
            figures(),
            _legends_on(self, ground),
            io.BytesIO() as drawn,
            io.BytesIO() as file,
        ):
            self.savefig(drawn, format="png", facecolor=ground)
            full = Image.open(drawn).convert("RGB")
            small = full.quantize(256, dither=Image.Dither.NONE)
            small.save(file, "png", optimize=True)
            return file.getvalue()


@contextmanager
def _legends_on(figure, ground):
    """Context in which every legend has the ground of its figure and no border."""
    frames = [legend.get_frame() for legend in figure.findobj(Legend)]
    before = [(frame.get_facecolor(), frame.get_edgecolor()) for frame in frames]
    for frame in frames:
        frame.set(facecolor=ground, edgecolor="none")
    try:
        yield
    finally:
        for frame, (face, edge) in zip(frames, before, strict=True):
            frame.set(facecolor=face, edgecolor=edge)


def _exchange_greys(figure) -> None:
    """Black becomes white and white black, in all that is drawn; colours stay."""
    for artist in figure.findobj():
        if isinstance(artist, (Figure, Axes)):  # their grounds are artists too
            continue
        # All are read before one is written: a marker has the colour of its line.
        found = {
            what: _rgba(getattr(artist, f"get_{what}")())
            for what in ("color", "facecolor", "edgecolor", "markerfacecolor")
            if hasattr(artist, f"get_{what}") and hasattr(artist, f"set_{what}")
        }
        for what, colours in found.items():
            if colours is not None and colours[:, 3].any():  # not an unseen edge
                new = _exchanged(colours)
                write = getattr(artist, f"set_{what}")
                write(new if len(new) > 1 else tuple(new[0]))
    for axes in figure.axes:  # lines of ticks and of the grid are drawn by the axis
        for axis in (axes.xaxis, axes.yaxis):
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                for line in (tick.tick1line, tick.tick2line):
                    line.set_markeredgecolor(
                        tuple(_exchanged(_rgba(line.get_markeredgecolor()))[0])
                    )


def _rgba(colour):
    try:
        return np.atleast_2d(mpl.colors.to_rgba_array(colour))
    except (ValueError, TypeError):  # "auto", or values of a colour map
        return None


def _exchanged(colours):
    """Greys turned over, rows of red, green, blue and opacity."""
    grey = np.ptp(colours[:, :3], axis=1) < 1e-6
    out = colours.copy()
    out[grey, :3] = 1 - out[grey, :3]
    return out


def panels(count: int = 1, *, height: float = 3.0, width: float = 7.6):
    """A figure with `count` panels side by side, in the book's style.

    Returns
    -------
    figure : BookFigure
    axes : list of matplotlib Axes, length `count`

    Examples
    --------
    >>> figure, (left, right) = panels(2)
    """
    with figures():
        figure = BookFigure(figsize=(width, height))
        axes = figure.subplots(1, count, squeeze=False)
    return figure, list(axes[0])


def grid(rows: int = 2, columns: int = 2, *, height: float = 5.4):
    """A figure with panels in rows and columns, in the book's

    Returns
    -------
    figure : BookFigure
    axes : list of matplotlib Axes, row by row

    Examples
    --------
    >>> figure, axes = grid()
    >>> len(axes)
    4
    """
    with figures():
        figure = BookFigure(figsize=(7.6, height))
        axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.ravel())


def number(x) -> str:
    """A number as tables show it: three significant digits, words for the rest.

    >>> number(0.000123456), number(3), number(True), number(None), number(0.25)
    ('1.23e-04', '3', 'yes', '-', '0.25')
    """
    if x is None:
        return "-"
    if isinstance(x, str):
        return x
    if isinstance(x, (bool, np.bool_)):
        return "yes" if x else "no"
    x = float(x)
    if math.isfinite(x) and x == int(x) and abs(x) < 1e15:
        return str(int(x))
    if not math.isfinite(x) or 1e-3 <= abs(x) < 1e5:
        return f"{x:.3g}"
    return f"{x:.2e}"


def cases(decided: int, undecided: int) -> str:
    """How many cases were decided, and not.

    >>> cases(120, 0), cases(120, 3)
    ('120', '120, 3 undecided')
    """
    return f"{decided}, {undecided} undecided" if undecided else str(decided)


# A place in the book, as Markdown links to it; the site leads to the page instead.
_PLACE = re.compile(r"\[([^\[\]]+)\]\(([\w./-]+\.ipynb(?:#[\w-]+)?)\)")


def text(markdown: str) -> str:
    """Short Markdown with $formulas$ as HTML that MathJax and JupyterLab typeset.

    >>> text("by [Lemma 8.1](concentration.ipynb#lemma): $x^2$")
    'by <a href="concentration.ipynb#lemma">Lemma 8.1</a>: \\\\(x^2\\\\)'
    """
    out = html.escape(markdown, quote=False)
    out = re.sub(r"\s*\$\$\s*(.+?)\s*\$\$\s*", r" \\[\1\\] ", out, flags=re.S)
    out = _ITEMS.sub(_list, out)
    out = out.replace("\n\n", "<br>").replace("\n", "<br>")
    out = re.sub(r"(?<!\\)\$(.+?)(?<!\\)\$", _where_it_may_break, out, flags=re.S)
    out = re.sub(r"(?<!\\)\$(.+?)(?<!\\)\$", r"\\(\1\\)", out, flags=re.S)
    # In a formula a mark is a mark, and in code a star is a star.
    parts = re.split(r"(\\\[.*?\\\]|\\\(.*?\\\))", out, flags=re.S)
    parts[::2] = [_code_and_emphasis(part) for part in parts[::2]]
    parts[1::2] = [_of_every_viewer(part) for part in parts[1::2]]
    return _MARKED.sub(r'<span class="nys-join">\1</span>', "".join(parts))


# Lines that begin with a hyphen, after an empty line.
_ITEMS = re.compile(r"\n\n((?:- [^\n]+(?:\n|$))+)")


def _list(found):
    items = found[1].strip().removeprefix("- ").split("\n- ")
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


# A mark does not begin a line after a formula.
_MARKED = re.compile(r"(\\\((?:(?!\\\().)*?\\\)[.,;:)?]+)", re.S)


def _where_it_may_break(found):
    plain = html.unescape(found[1])
    return html.escape(inline(plain), quote=False)


def _of_every_viewer(formula):
    """Without entities: JupyterLab takes a formula out of Markdown as it stands."""
    for entity, mark in (("&lt;", r"\lt "), ("&gt;", r"\gt "), ("&amp;", "& ")):
        formula = formula.replace(f"{entity} ", mark).replace(entity, mark)
    return formula


def _code_and_emphasis(plain):
    parts = re.split(r"(`[^`]+`)", plain)
    parts[1::2] = [f"<code>{part[1:-1]}</code>" for part in parts[1::2]]
    parts[::2] = [_emphasis(part) for part in parts[::2]]
    return "".join(parts)


def _emphasis(plain):
    plain = _PLACE.sub(r'<a href="\2">\1</a>', plain)
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", plain)


# What the words of a verdict mean; the book shows this table, each word links to it.
OUTCOMES = {
    "verified": (
        "the claim speaks of all matrices; at least 50 cases were decided, less than a "
        "quarter was undecided, and none violates it; where the cases are fewer, or "
        "more are undecided, the claim says beside the word why that is enough"
    ),
    "certified": (
        "the claim speaks of a chance, a mean or a rate; it was computed over every "
        "sample, or an interval of stated confidence lies on the right side of the "
        "bound (for a rate: holds the exponent, excludes its rival and is narrow)"
    ),
    "consistent": (
        "the claim speaks of chance; the interval holds the bound, so the draws "
        "neither contradict the claim nor certify it"
    ),
    "undecided": (
        "there were fewer than 50 decided cases, or a quarter was undecided, and the "
        "claim does not say in words why that is enough"
    ),
    "refuted": "a case, or the statistics of many, violates it",
}
_MARKS = {
    "verified": "good",
    "certified": "good",
    "consistent": "good",
    "checked": "good",
    "rightly refuted": "good",
    "held": "good",
    "open": "warn",
    "undecided": "warn",
}


# JupyterLab puts what stands in a table to the right, words too.
LEFT = ' style="text-align:left"'


def table(rows: Iterable[Sequence], header: Sequence[str], caption: str = "") -> str:
    """An HTML table; strings may hold $formulas$, numbers are shown by `number`.

    The column called 'outcome' is coloured: good ones green, unknown ones red.
    """
    head = "".join(f'<th scope="col"{LEFT}>{text(h)}</th>' for h in header)
    body = "".join(f"<tr>{''.join(cells(row, header))}</tr>" for row in rows)
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    return (
        '<div class="nys-table tex2jax_process"><table>'
        f"{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def cells(row: Sequence, header: Sequence[str]) -> list[str]:
    """The cells of one row of such a table, as HTML."""
    return list(map(_cell, row, header))


def plain(rows: Iterable[Sequence[str]], header: Sequence[str], caption: str) -> str:
    """The same for a terminal: words in columns.

    >>> print(plain([("trace", "0.7"), ("spectral", "12")], ("error", "%"), "2 rows"))
    2 rows
    error     %
    trace     0.7
    spectral  12
    """
    lines = [tuple(header), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    told = (
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True))
        for line in lines
    )
    return "\n".join([caption, *(line.rstrip() for line in told)])


@dataclass(frozen=True)
class Table:
    """Rows under a header, shown as a table in a notebook.

    Attributes
    ----------
    header : tuple of str
    rows : list of tuple
    caption : str
    """

    header: tuple[str, ...]
    rows: list[tuple]
    caption: str = ""

    def __repr__(self) -> str:
        """For a terminal; as many digits as the page shows, so on every machine alike.

        >>> Table(("error", "%"), [("trace", 1 / 3)], "1 row")
        1 row
        error  %
        trace  0.333
        """
        rows = [tuple(map(_word, row)) for row in self.rows]
        return plain(rows, self.header, self.caption).removeprefix("\n")

    def _repr_html_(self) -> str:
        return table(self.rows, self.header, self.caption)


@dataclass(frozen=True)
class Folded:
    """A line of Markdown in a table that unfolds to a table of its own.

    Attributes
    ----------
    summary : str
    header : tuple of str
    rows : list of tuple
    """

    summary: str
    header: tuple[str, ...]
    rows: list[tuple]

    def _repr_html_(self) -> str:
        inner = table(self.rows, self.header)
        summary = f"<summary>{text(self.summary)}</summary>"
        return f"<details>{summary}{inner}</details>"


def _word(value) -> str:
    return value.summary if isinstance(value, Folded) else number(value)


def _cell(value, column) -> str:
    if isinstance(value, Folded):
        return f"<td{LEFT}>{value._repr_html_()}</td>"
    content = text(number(value))
    if column == "outcome":
        mark, meaning = _MARKS.get(value, "bad"), OUTCOMES.get(value, "")
        told = f' title="{meaning}"' if meaning else ""
        content = f'<span class="nys-{mark} nys-word"{told}>{content}</span>'
    kept = ' class="nys-number"' if _NUMBER.fullmatch(content) else LEFT
    return f"<td{kept}>{content}</td>"


# It does not break at its sign.
_NUMBER = re.compile(r"-?[\d.]+(?:e[+-]?\d+)?")


def card(
    title: str, note: str, parts: Iterable[tuple[str, str]], anchor: str = ""
) -> str:
    """A box with a title, a note beside it, and named paragraphs.

    With an anchor it can be linked to, and its title is a heading.
    """
    body = "".join(
        f"<p><span class='nys-muted'>{text(name)}</span><br>{content}</p>"
        for name, content in parts
    )
    tag, place = ("h3", f' id="{anchor}"') if anchor else ("p", "")
    return (
        f'<div class="nys-card tex2jax_process"{place}><{tag} class="nys-card-title">'
        f"<strong>{text(title)}</strong> <span class='nys-muted'>{text(note)}</span>"
        f"</{tag}>{body}</div>"
    )
