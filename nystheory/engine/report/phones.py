"""Figures for phones: drawn once more, their panels below one another.

A page is 7.6 inches wide and a phone half of that.  A figure made smaller cannot be
read, and one that is cut hides what its caption speaks of; so it is drawn a second time
when its page is made: panels in one column (small multiples in two), labels that break,
legends that stood beside the curves above them.  Only the site shows these pictures;
who draws a figure in a notebook does not wait for them.
"""

from __future__ import annotations

import base64
import io
import pickle
import re
import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.legend import Legend
from PIL import Image

from nystheory import style
from nystheory.engine.report.slider import Slider

# The metadata of an output that hold its pictures for phones, light and dark: of a
# figure one each, of a slider one of each frame, with a space between two.
PHONE = "application/vnd.nystheory.phone"
PHONE_DARK = f"{PHONE}.dark"
WIDTH = 3.75  # inches; a phone of 390 px shows 360 px of a hundredth of an inch
# Panels beyond so many stand in two columns; no row is higher than its names need, nor
# much lower.
IN_ONE_COLUMN, HIGHEST, LOWEST = 4, 3.3, 2.3
# A panel that was wider than this had room for a legend beside its curves.
WIDE = 5.0
A_LINE = 0.19  # inches that an entry of a legend, or a line of a label, takes
A_NAME = 0.13  # inches that a name beside a bar takes
_SPACE_IN_A_FORMULA = re.compile(r"\$[^$]*\$")


def with_phones(shown: style.BookFigure | Slider) -> tuple[dict, dict]:
    """What a cell shows, and in its metadata what a phone shows in its place.

    Examples
    --------
    >>> _, metadata = with_phones(style.panels(2)[0])
    >>> [key for key in metadata if key.startswith(PHONE)] == [PHONE, PHONE_DARK]
    True
    """
    data, metadata = shown._repr_mimebundle_()
    frames = shown.frames if isinstance(shown, Slider) else ()
    figures = [frame.figure for frame in frames] or [shown]
    light, dark = zip(*map(pictures, figures), strict=True)
    return data, {**metadata, PHONE: " ".join(light), PHONE_DARK: " ".join(dark)}


def install(shell) -> None:
    """In a kernel that makes a page: figures and sliders are drawn for phones, too."""
    for kind in (style.BookFigure, Slider):
        shell.display_formatter.mimebundle_formatter.for_type(kind, with_phones)


def pictures(figure: style.BookFigure) -> tuple[str, str]:
    """The figure for phones, for light and for dark pages: WebP in base64.

    Examples
    --------
    >>> light, dark = pictures(style.panels(2)[0])
    >>> Image.open(io.BytesIO(base64.b64decode(light))).width / style.DOTS / 100
    3.75
    """
    stack = stacked(figure)
    light = stack._repr_png_()
    _, known = stack._repr_mimebundle_()
    return _smaller(light), _smaller(base64.b64decode(known[style.DARK]))


def _smaller(png: bytes) -> str:
    with io.BytesIO() as file:
        full = Image.open(io.BytesIO(png)).convert("RGB")
        full.save(file, "webp", lossless=True)
        return base64.b64encode(file.getvalue()).decode()


def stacked(figure: style.BookFigure) -> style.BookFigure:
    """A copy, as wide as a phone; the figure itself stays as it is.

    Examples
    --------
    >>> figure, _ = style.panels(3)
    >>> stacked(figure).axes[0].get_gridspec().get_geometry()
    (3, 1)
    """
    with style.figures():
        copy = pickle.loads(pickle.dumps(figure))
        FigureCanvasAgg(copy)
        panels = [axes for axes in copy.axes if axes.get_subplotspec() is not None]
        columns = 1 if len(panels) <= IN_ONE_COLUMN else 2
        rows = -(-len(panels) // columns)
        high = _height_of_a_row(copy, panels, columns)
        _label_all(panels)
        legends = [x for x in copy.findobj(Legend) if _stood_beside(copy, panels, x)]
        lines = sum(_above(copy, legend) for legend in legends)
        _place(copy, panels, rows, columns)
        copy.set_size_inches(WIDTH, rows * high + A_LINE * lines)
        broken = sum(_break_labels(axes, WIDTH / columns) for axes in panels)
        copy.set_size_inches(WIDTH, rows * high + A_LINE * (lines + broken / columns))
        copy.canvas.draw()
        for axes in panels:
            _turn_names(axes)
    return copy


def _height_of_a_row(figure, panels, columns) -> float:
    width, height = figure.get_size_inches()
    rows_before, columns_before = panels[0].get_gridspec().get_geometry()
    high = height / rows_before
    if columns > 1:  # squares stay squares
        return high * min(1, WIDTH / columns / (width / columns_before)) + 0.1
    names = max(len(axes.get_yticks()) for axes in panels)
    return float(np.clip(high, LOWEST, max(HIGHEST, A_NAME * names + 0.7)))


def _label_all(panels: Sequence[Axes]) -> None:
    """What stood once beside a row, above or below a column, stands at each panel."""
    for axes in panels:
        spec = axes.get_subplotspec()
        for other in panels:
            beside = other.get_subplotspec()
            if beside.rowspan == spec.rowspan and not axes.get_ylabel():
                axes.set_ylabel(other.get_ylabel())
            if beside.colspan == spec.colspan:
                axes.set_xlabel(axes.get_xlabel() or other.get_xlabel())
                axes.title.set_text(axes.title.get_text() or other.title.get_text())
        axes.tick_params(labelbottom=True, labelleft=True)


def _place(figure, panels, rows, columns) -> None:
    grid = figure.add_gridspec(rows, columns)
    for place, axes in enumerate(panels):
        axes.set_subplotspec(grid[place // columns, place % columns])


def _stood_beside(figure, panels, legend) -> bool:
    """Whether a legend belongs to the whole figure, or to a panel that was wide."""
    _, columns = panels[0].get_gridspec().get_geometry()
    return legend.axes is None or figure.get_size_inches()[0] / columns > WIDE


def _above(figure, legend) -> int:
    """Put a legend above all panels; return how many lines it takes there."""
    texts = legend.get_texts()
    labels = [_broken(text.get_text(), 46) for text in texts]
    size = min((text.get_fontsize() for text in texts), default=9)
    widest = max(len(_seen(line)) for line in "\n".join(labels).split("\n"))
    columns = max(1, min(3, int(WIDTH * 72 / (0.58 * size * widest + 3.6 * size))))
    title = legend.get_title().get_text() or None
    look = {"fontsize": size, "title": title, "title_fontsize": size}
    figure.legend(
        legend.legend_handles, labels, ncols=columns, loc="outside upper left", **look
    )
    legend.remove()
    lines = sum(1 + label.count("\n") for label in labels)
    return -(-lines // columns) + 1 + bool(title)


def _seen(words: str) -> str:
    """About what a label shows: a sign for each command of a formula."""
    return re.sub(r"\\[A-Za-z]+", "x", re.sub(r"[${}^_]", "", words))


def _broken(words: str, most: int) -> str:
    """Words on several lines of at most so many signs; a formula stays in one.

    >>> print(_broken("share missed of $a + b$, per cent", 22))
    share missed of $a + b$,
    per cent
    """
    if len(_seen(words)) <= most or "\n" in words:
        return words
    whole = _SPACE_IN_A_FORMULA.sub(lambda x: x[0].replace(" ", "\0"), words)
    more = len(words) - len(_seen(words))
    return "\n".join(textwrap.wrap(whole, most + more)).replace("\0", " ")


def _break_labels(axes, width) -> int:
    """Break titles and labels that are wider than a panel; return the lines added."""
    before = 0
    for text, room in (
        (axes.title, width - 0.5),
        (axes._left_title, width - 0.5),
        (axes.xaxis.label, width - 0.6),
        (axes.yaxis.label, 2.6 if width > 2 else 1.6),
    ):
        words = text.get_text()
        new = _broken(words, int(room * 72 / (0.56 * text.get_fontsize())))
        text.set_text(new)
        before += (new.count("\n") - words.count("\n")) * (text is not axes.yaxis.label)
    return before


def _turn_names(axes) -> None:
    """Names below a panel that run into one another are turned; of numbers some go."""
    shown = [x for x in axes.get_xticklabels() if x.get_text() and x.get_visible()]
    boxes = [label.get_window_extent() for label in shown]
    if not any(a.x1 + 2 > b.x0 for a, b in zip(boxes, boxes[1:], strict=False)):
        return
    if any(re.search(r"[A-Za-z]{3}", x.get_text().replace("math", "")) for x in shown):
        for label in shown:
            label.set(rotation=40, ha="right", rotation_mode="anchor")
    else:
        for label in shown[1::2]:
            label.set_visible(False)
