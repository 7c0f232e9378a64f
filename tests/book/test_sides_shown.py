"""Words that could be exchanged for their opposites are shown to be the right ones.

*Upper* and *lower*, *first* and *second*, *rows* and *columns*, a formula and its
inverse: a sentence that has one for the other keeps all its words.  In `shown_sides/`,
one module a chapter, each such phrase stands beside a function that says of each word
whether it is so; the page has to have the one that is.
"""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sides_shown import SIDES, complaints, text_of
from statements_of_texts import TEXTS

MODULES = Path(__file__).with_name("shown_sides").glob("[!_]*.py")
PAGES = sorted(path.stem for path in MODULES)


@pytest.mark.parametrize("page", PAGES)
def test_each_side_is_the_right_one(page):
    import_module(f"shown_sides.{page}")
    assert SIDES[page]
    assert complaints(SIDES[page], text_of(page)) == []


def test_no_module_is_of_no_page():
    assert set(PAGES) <= set(TEXTS)


def triangular(word):
    L = np.tril(np.ones((2, 2)))
    return (L == {"lower": np.tril, "upper": np.triu}[word](L)).all()


LOWER = ("an [upper|lower] triangular matrix", triangular)
SMALL = ("it can be [too small]", -1)
FEW = ("[small|large] means [few|many]", lambda p, d: (p == "small") == (d == "few"))
HALF = ("at most [$1/2$|$2$]", lambda formula: formula == "$1/2$")


@pytest.mark.parametrize(
    "entry, text, seen",
    [
        (LOWER, "an lower triangular matrix", ""),
        (LOWER, "an upper triangular matrix", "not so"),
        (LOWER, "a triangular matrix", "not said"),
        (SMALL, "it can be too small", ""),
        (SMALL, "it can be too large", "not so"),
        (SMALL, "it can be too small, but it can be too small", "not said"),
        (FEW, "small means few", ""),
        (FEW, "small means many", "not so"),
        (FEW, "large means many", ""),
        (HALF, "at most $1/2$", ""),
        (HALF, "at most $2$", "not so"),
        (("of [rows|columns]", lambda word: True), "of rows", "so as well"),
        (("it is [small]", float("nan")), "it is small", "not so"),
    ],
)
def test_exchanged_words_are_seen(entry, text, seen):
    told = complaints(dict([entry]), text)
    assert [each.partition(":")[0].partition(",")[0] for each in told] == [seen] * (
        seen != ""
    )
