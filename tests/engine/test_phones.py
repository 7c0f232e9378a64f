"""Figures for phones: the same artists, one below another, large enough to read."""

import base64
import io

import numpy as np
import pytest
from matplotlib.legend import Legend
from PIL import Image

from nystheory import style
from nystheory.engine.report import phones
from nystheory.engine.report.slider import Frame, Slider

PIXELS = 100  # of the page, for an inch
SMALLEST = 8  # pixels of a letter on a phone


def curves(count):
    figure, panels = style.panels(count)
    for place, axes in enumerate(panels):
        axes.plot([1, 2, 3], [place, 2, 1], label="ours")
        axes.plot([1, 2, 3], [1, place, 3], label="theirs")
        axes.set_xlabel("columns")
        axes.legend(fontsize=8)
    panels[0].set_ylabel("share missed, %")
    return figure


def images():
    figure, panels = style.panels(3)
    for axes in panels:
        drawn = axes.imshow(np.eye(4))
    figure.colorbar(drawn, ax=panels)
    return figure


def six():
    figure, panels = style.grid(2, 3)
    for place, axes in enumerate(panels):
        axes.plot([0, place])
        axes.set_title(f"data {place}" if place < 3 else "")
    return figure


def boxes(figure):
    figure.canvas.draw()
    panels = [axes for axes in figure.axes if axes.get_subplotspec() is not None]
    return [axes.get_window_extent() for axes in panels]


@pytest.mark.parametrize("draw", [lambda: curves(2), lambda: curves(3), images])
def test_panels_stand_below_one_another(draw):
    stack = phones.stacked(draw())
    found = boxes(stack)
    assert stack.get_size_inches()[0] == phones.WIDTH
    for upper, lower in zip(found, found[1:], strict=False):
        assert lower.y1 < upper.y0 and abs(lower.x0 - upper.x0) < 60
    assert min(box.width for box in found) > phones.WIDTH * PIXELS / 3


def test_small_multiples_stand_in_two_columns_with_their_titles():
    stack = phones.stacked(six())
    assert len({round(box.x0) for box in boxes(stack)}) <= 4
    titles = [axes.get_title() for axes in stack.axes]
    assert titles == [f"data {k % 3}" for k in range(6)]


def test_every_panel_says_what_its_axes_are():
    labels = {axes.get_ylabel() for axes in phones.stacked(curves(3)).axes}
    assert labels == {"share missed, %"}


def test_the_legend_of_a_wide_panel_stands_above_it():
    stack = phones.stacked(curves(1))
    (axes,), (legend,) = stack.axes, stack.legends
    assert axes.get_legend() is None
    assert [text.get_text() for text in legend.get_texts()] == ["ours", "theirs"]
    stack.canvas.draw()
    assert legend.get_window_extent().y0 >= axes.get_window_extent().y1


def test_the_figure_itself_stays_as_it_was():
    figure = curves(2)
    before = figure._repr_png_()
    phones.pictures(figure)
    assert figure._repr_png_() == before


@pytest.mark.parametrize("draw", [lambda: curves(1), lambda: curves(3), images, six])
def test_nothing_is_cut_and_letters_are_large_enough(draw):
    stack = phones.stacked(draw())
    stack.canvas.draw()
    width, height = stack.get_size_inches() * stack.dpi
    phone = 360 / (phones.WIDTH * PIXELS)
    for axes in stack.axes:
        for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
            box = text.get_window_extent()
            if text.get_text():
                assert -1 <= box.x0 and box.x1 <= width + 1 and box.y1 <= height + 1
                assert text.get_fontsize() / 72 * PIXELS * phone >= SMALLEST
    for legend in stack.findobj(Legend):
        assert legend.get_window_extent().x1 <= width + 1


def test_long_labels_break_and_formulas_do_not():
    figure, (axes,) = style.panels(1)
    words = "share of all that is missed, $\\|K - \\tilde K\\|_F / \\|K\\|_F$, per cent"
    axes.set_xlabel(words)
    (found,) = phones.stacked(figure).axes
    lines = found.get_xlabel().split("\n")
    assert len(lines) > 1 and " ".join(lines) == words
    assert all(line.count("$") % 2 == 0 for line in lines)


def test_names_that_run_into_one_another_are_turned():
    figure, (axes,) = style.panels(1)
    names = ["uniform columns", "random pivots", "leverage scores", "column norms"]
    axes.bar(names, [1, 2, 3, 4])
    (found,) = phones.stacked(figure).axes
    assert {label.get_rotation() for label in found.get_xticklabels()} == {40.0}


def test_of_a_slider_there_is_a_picture_of_each_frame():
    frames = [Frame(f"{k}", f"Frame {k} of two.", curves(k)) for k in (1, 2)]
    data, metadata = phones.with_phones(Slider("Panels", frames))
    light, dark = (metadata[x].split() for x in (phones.PHONE, phones.PHONE_DARK))
    assert len(light) == len(dark) == 2 and "text/html" in data
    heights = [Image.open(io.BytesIO(base64.b64decode(x))).height for x in light]
    assert heights[1] > heights[0]


def test_a_kernel_that_makes_pages_draws_them():
    from IPython.core.formatters import DisplayFormatter

    class Shell:
        display_formatter = DisplayFormatter()

    phones.install(Shell)
    _, metadata = Shell.display_formatter.format(curves(1))
    assert phones.PHONE in metadata and style.DARK in metadata
