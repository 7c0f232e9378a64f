"""What a caption says of a difference, and of the points that are left out of it.

Of "Nyström minus Column-sampling" the first is ahead above zero, and the second below.
And of "every fifth point" the code of the figure has the step, ``[::5]``.
"""

import re

import pytest
from figures_of_texts import figures

FIGURES = figures()
MINUS = re.compile(r"^(.*?)\b(?:minus|less)\b (?:that (?:of|by) )?([^.;,]*)", re.S)
SIDE = re.compile(
    r"\b(above|below) zero ([A-Z][\w-]*) is (?:better|ahead|closer|more accurate)", re.I
)
STEPS = {"third": 3, "fourth": 4, "fifth": 5, "tenth": 10, "twentieth": 20}
STEPS |= {"fiftieth": 50, "hundredth": 100}
EVERY = re.compile(rf"\bevery ({'|'.join(STEPS)})\b", re.I)


def told(caption):
    """Each side of zero with who is ahead there, and who should be."""
    difference = MINUS.search(caption)
    for side, name in SIDE.findall(caption) if difference else ():
        first, second = (name in part for part in difference.groups())
        yield side, name, first != second and first == (side.lower() == "above")


def thinned(figure):
    """The steps that a caption tells, and whether the code has them."""
    for word in EVERY.findall(figure.typed):
        steps = re.findall(r"::(\d+)\]", figure.code)
        if not steps and re.search(r"::[A-Z]+\]", figure.code):
            steps = re.findall(r"\b\d+\b", figure.code)
        yield word, str(STEPS[word.lower()]) in steps


def plain(figure):
    return " ".join(figure.typed.split())


@pytest.mark.parametrize("name", FIGURES)
def test_who_is_ahead_stands_on_its_side(name):
    assert all(right for *_, right in told(plain(FIGURES[name])))


@pytest.mark.parametrize("name", FIGURES)
def test_points_that_are_left_out_are_left_out(name):
    assert all(right for _, right in thinned(FIGURES[name]))


def test_such_captions_are_there():
    assert sum(bool([*told(plain(each))]) for each in FIGURES.values()) >= 4
    assert sum(bool([*thinned(each)]) for each in FIGURES.values()) >= 3


@pytest.mark.parametrize(
    ("old", "new"),
    [("zero A", "zero B"), ("Above", "Below"), ("A minus B", "B minus A")],
)
def test_another_side_is_seen(old, new):
    caption = "Accuracy of A minus B, means. Above zero A is better."
    assert all(right for *_, right in told(caption))
    assert not all(right for *_, right in told(caption.replace(old, new)))
