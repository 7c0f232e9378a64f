"""Figures for light and dark pages."""

import base64
import io

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from nystheory import style


def lines():
    figure, (left, right) = style.panels(2)
    left.plot([1, 2, 3], label="blue", marker="o")
    left.plot([3, 2, 1], color="black", label="black", markerfacecolor="white")
    left.axhline(2, color="0.4")
    left.fill_between([0, 2], 1, 2, color="#dddddd")
    left.set(title="Lines", xlabel="x", ylabel="y", yscale="log")
    left.legend()
    right.bar([1, 2], [3, 4], color=style.COLOURS["orange"], edgecolor="black")
    right.text(1, 2, "words")
    right.annotate("here", (1, 3), (2, 1), arrowprops={"arrowstyle": "->"})
    return figure


def pictures():
    figure, axes = style.grid()
    image = axes[0].imshow(np.eye(5), cmap=style.COLOUR_MAP)
    figure.colorbar(image)
    axes[1].scatter([1, 2], [3, 4], c=["black", style.COLOURS["blue"]], s=[9, 16])
    axes[2].scatter([1, 2], [3, 4], c=[0.1, 0.9])
    axes[3].errorbar([1, 2], [3, 4], yerr=0.5, color="k")
    figure.suptitle("Pictures")
    return figure


FIGURES = pytest.mark.parametrize("draw", [lines, pictures])


def png(data):
    """Pixels of a picture, rows of red, green and blue."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def both(figure):
    """Pixels of the light and of the dark picture."""
    data, metadata = figure._repr_mimebundle_()
    return png(data["image/png"]), png(base64.b64decode(metadata[style.DARK]))


def colours(figure):
    """Every colour of every artist, as it would be drawn."""
    told = []
    for artist in figure.findobj():
        for what in ("color", "facecolor", "edgecolor", "markerfacecolor"):
            read = getattr(artist, f"get_{what}", None)
            if read is not None and not isinstance(artist, (Figure, Axes)):
                found = style._rgba(read())
                told.append((type(artist), what, None if found is None else found))
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for tick in axis.get_major_ticks():
                edge = mpl.colors.to_rgba(tick.tick1line.get_markeredgecolor())
                told.append((type(tick), "edge", np.array([edge])))
    return told


@FIGURES
def test_drawn_twice_the_bytes_are_the_same(draw):
    first, second = draw()._repr_mimebundle_(), draw()._repr_mimebundle_()
    assert first == second
    assert [list(each) for each in first] == [
        ["image/png", "text/plain"],
        ["image/png", style.DARK],  # of the output: nbval compares its data only
    ]


def test_a_viewer_is_told_how_wide_a_figure_is():
    """As wide as it is drawn, and not as the window."""
    _, metadata = style.panels(1, width=6.0)[0]._repr_mimebundle_()
    assert metadata["image/png"]["width"] == pytest.approx(600, abs=2)


@FIGURES
def test_greys_come_back(draw):
    figure = draw()
    figure._repr_mimebundle_()  # ticks and limits are settled by drawing
    before = colours(figure)
    figure._repr_mimebundle_()
    after = colours(figure)
    assert len(before) == len(after) > 50
    for (kind, what, old), (_, _, new) in zip(before, after, strict=True):
        same = np.array_equal(old, new) if old is not None else new is None
        assert same or np.allclose(old, new), (kind, what, old, new)


@FIGURES
def test_a_dark_figure_has_no_white_ground(draw):
    light, dark = both(draw())
    ground = [int(style.DARK_GROUND[k : k + 2], 16) for k in (1, 3, 5)]
    for pixels, wanted in ((light, [255, 255, 255]), (dark, ground)):
        edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
        assert np.abs(edge - wanted).max() <= 8
    bright = dark.min(axis=2) > 200
    assert bright.mean() < 0.05, "white areas on a dark page"
    assert (dark.min(axis=2) > 150).any(), "its words can be read"
    assert (light.max(axis=2) < 100).any()
    assert light.shape == dark.shape


def test_colours_stay_and_greys_turn():
    colours = np.array([[0, 0, 0, 1], [0.9, 0.9, 0.9, 0.5], [0.0, 0.45, 0.7, 1]])
    turned = style._exchanged(colours)
    assert np.allclose(turned, [[1, 1, 1, 1], [0.1, 0.1, 0.1, 0.5], colours[2]])
    assert np.allclose(style._exchanged(turned), colours)


def test_an_error_in_the_dark_leaves_the_figure_light(monkeypatch):
    figure = lines()
    figure._repr_mimebundle_()
    before = colours(figure)
    draw = style.BookFigure._png

    def failing(self, ground):
        if ground != "white":
            raise MemoryError
        return draw(self, ground)

    monkeypatch.setattr(style.BookFigure, "_png", failing)
    with pytest.raises(MemoryError):
        figure._repr_mimebundle_()
    for (_, _, old), (_, _, new) in zip(before, colours(figure), strict=True):
        assert old is None or np.allclose(old, new)
