"""Each word of a page that compares, and each share, is shown to be true.

Directions and shares in typed words, in the prose, in captions and in alternative
texts, stand in brackets in `shown_words/`, one module a chapter, beside a number that
is computed from a theorem, a finding, a figure or an example.  A word that is turned
stands in no bracket; turned there as well, it has a number of the other sign.  What is
made by the run, ``{{ found["more"].puts("fair", "fewer") }}``, needs none, and what
falls from one number of the run to another is compared as the page has it.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path

import make_notebooks
import pytest
from statements_of_texts import TEXTS
from test_words_of_figures import wrong_ways
from words_shown import (
    EXPLAINED,
    SHOWN,
    marked,
    misfits,
    said,
    strangers,
    unshown,
    words,
)

MODULES = Path(__file__).with_name("shown_words").glob("*.py")
PAGES = sorted(path.stem for path in MODULES)


@cache
def entered(page):
    """What shows the words of a page, and what explains them."""
    if page in PAGES:
        import_module(f"shown_words.{page}")
    return SHOWN[page], EXPLAINED[page]


def phrases(page):
    return [phrase for each in entered(page) for phrase in each]


@pytest.mark.parametrize("page", TEXTS)
def test_every_word_that_compares_is_shown(page):
    assert not unshown(said(page), phrases(page))


@pytest.mark.parametrize("page", PAGES)
def test_numbers_show_the_words(page):
    assert not misfits(entered(page)[0])


@pytest.mark.parametrize("page", PAGES)
def test_every_phrase_stands_on_its_page(page):
    """And in its brackets is a word that is looked for."""
    assert not strangers(said(page), phrases(page))


def test_most_are_shown():
    """At most a fifth is left to a referee."""
    counts = [0, 0]
    for page in PAGES:
        for k, of in enumerate(entered(page)):
            counts[k] += sum(len(marked(phrase)[1]) for phrase in of)
    assert counts[1] <= sum(counts) / 5


@pytest.mark.parametrize("page", TEXTS)
def test_what_falls_has_a_smaller_number_in_the_end(page):
    made = json.loads(make_notebooks.notebook_path(page).read_text("utf-8"))
    prose = (x for x in made["cells"] if x["cell_type"] == "markdown")
    assert not [told for x in prose for told in wrong_ways(" ".join(x["source"]))]


def test_no_module_is_of_no_page():
    assert set(PAGES) <= set(TEXTS)


PLANTS = {
    "turned": ({"it [rises]": -1.0}, True),
    "another share": ({"[half] of them": 1 / 3}, True),
    "at most": ({"at most [half] of them": 0.6}, True),
    "no number": ({"it [rises]": float("nan")}, True),
    "level": ({"it [falls]": 0.0}, True),
    "one number for two": ({"the [larger], the [better]": 1}, True),
    "rises": ({"it [rises]": 2.0}, False),
    "roughly": ({"about [half]": 0.45}, False),
    "two fifths": ({"[two fifths]": 0.4}, False),
    "ten-thousandth": ({"a [ten-thousandth]": 1e-4}, False),
}


@pytest.mark.parametrize("name", PLANTS)
def test_what_numbers_show(name):
    phrases, is_seen = PLANTS[name]
    assert bool(misfits(phrases)) == is_seen


@pytest.mark.parametrize(
    ("sentence", "seen"),
    [
        ("The error falls.", ["falls"]),
        ("The bound is {{ x:.1f }} times larger.", ["larger"]),
        ("`larger` and $half$ are hidden, {ref}`faster <x>` too.", []),
        ("It is {{ found.puts(1, 'larger') }}.", []),
        ("The thesis finds it slower.", []),
        ("It falls from {{ a }} percent to {{ b }}.", []),
        ("A wave takes two thirds.", ["two thirds"]),
        ("The third of them is in double precision.", []),
        ("The third has a third, and the tenth none.", ["a third"]),
    ],
)
def test_words_are_found(sentence, seen):
    assert [sentence[a:b] for a, b in words(sentence)] == seen
