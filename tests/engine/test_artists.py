"""The reader of panels sees what a person sees, and what would mislead one."""

import numpy as np
import pytest

from nystheory import style
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


@pytest.fixture
def axes():
    return style.panels(1)[1][0]


def two_curves(axes):
    return [
        *axes.plot([1, 2], [5, 6], "-", color=style.COLOURS["blue"], label="ours"),
        *axes.plot([1, 2], [7, 8], "--", color=style.COLOURS["orange"], label="theirs"),
    ]


def test_a_legend_is_read_by_its_keys_and_not_by_labels(axes):
    ours, theirs = two_curves(axes)
    axes.legend([theirs, ours], ["ours", "theirs"])
    assert (
        unlike(named(axes), {"ours": ([1, 2], [7, 8]), "theirs": ([1, 2], [5, 6])})
        == []
    )
    assert looks(axes) == {"ours": "orange --", "theirs": "blue -"}


def test_the_legend_of_the_figure_counts_where_a_panel_has_none(axes):
    handles = two_curves(axes)
    axes.figure.legend(handles[::-1], ["ours", "theirs"])
    assert named(axes)["ours"].tolist() == [[1, 2], [7, 8]]
    axes.legend()
    assert named(axes)["ours"].tolist() == [[1, 2], [5, 6]]


@pytest.mark.parametrize("change", ["look", "words"])
def test_what_a_reader_cannot_tell_apart_is_refused(axes, change):
    ours, theirs = two_curves(axes)
    if change == "look":
        theirs.set(color=ours.get_color(), linestyle="-")
    else:
        theirs.set_label("ours")
    with pytest.raises(ValueError, match="differ"):
        named(axes)


def test_a_key_without_a_curve_is_refused(axes):
    ours, _ = two_curves(axes)
    axes.legend()
    ours.set_color("red")
    with pytest.raises(ValueError, match="looks like ours"):
        named(axes)


def test_bars_bands_and_errors_have_their_ends(axes):
    axes.bar([1, 2], [3, 4], color=style.COLOURS["sky"], label="bars")
    axes.fill_between([1, 2], [0, 1], [5, 6], color="black", alpha=0.2, label="band")
    axes.errorbar(
        [1, 2], [3, 4], [0.5, 1], fmt="x", color="red", label="two", capsize=3
    )
    axes.axhline(2, color="black", linestyle=":")
    axes.legend()
    wanted = {
        "bars": ([1, 2], [3, 4]),
        "band": ([1, 2], [0, 1], [5, 6]),
        "two": ([1, 2], [3, 4], [2.5, 3], [3.5, 5]),
    }
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black :": ([0, 1], [2, 2])}) == []


def test_bars_of_errors_that_lie_have_their_ends(axes):
    ends = [[0.5, 1], [2, 3]]
    axes.errorbar([3, 4], [1, 2], xerr=ends, fmt="o", color="red", label="marked")
    axes.errorbar([6, 8], [1, 2], xerr=[1, 2], fmt="none", color="blue", label="ends")
    wanted = {
        "marked": ([1, 2], [3, 4], [2.5, 3], [5, 7]),
        "ends": ([1, 2], [6, 8], [5, 6], [7, 10]),
    }
    assert unlike(named(axes), wanted) == []


def test_dots_and_rings_are_told_apart(axes):
    axes.scatter([1], [2], color=style.COLOURS["blue"], label="dot")
    axes.scatter([3], [4], facecolor="none", edgecolor="black", label="ring")
    assert unlike(named(axes), {"dot": ([1], [2]), "ring": ([3], [4])}) == []
    dot, ring = looks(axes).values()
    assert dot.startswith("blue dots") and ring.startswith("black rings")


def test_what_is_unlike_is_told(axes):
    two_curves(axes)
    wanted = {"ours": ([1, 2], [2.5, 3]), "others": ([1], [2])}
    told = unlike(named(axes), wanted)
    assert [x.partition(":")[0] for x in told] == ["others", "ours", "theirs"]
    assert unlike(named(axes), {"ours": ([1], [5]), "theirs": ([1, 2], [7, 8])}) == [
        "ours: of shape (2, 2), expected (2, 1)"
    ]


def test_words_scales_and_ticks(axes):
    axes.set(xlabel="columns", ylabel="error", title="digits", xscale="log")
    axes.set_xticks([1, 10], ["one", "ten"])
    assert words(axes) == ("columns", "error", "digits", "log linear")
    assert ticks(axes.xaxis) == {1: "one", 10: "ten"}
    assert by_look(axes) == {}


def test_lines_of_one_look_are_one_entry(axes):
    for height in (1, 2):
        axes.plot([0], [height], "ko")
    assert np.array_equal(by_look(axes)["black o"], [[0, 0], [1, 2]])
