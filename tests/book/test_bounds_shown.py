"""Each "at most" and "at least" of a page is shown to be true, or is asked for.

A bound with a number of the run beside it is compared by `test_bounds_in_words.py`,
where an experiment found it; the others stand in brackets in `bounds_shown.py`.
"""

import re

import numpy as np
import pytest
from bounds_shown import BOUNDS, CONDITIONS, EXPLAINED, SHOWN, side
from statements_of_texts import TEXTS, UNSAID
from test_bounds_in_words import BOUND, OTHERS
from words_shown import hide, is_said, marked, said

# With a number of the run after it the expression says which one.
WORD = re.compile(rf"\b(?:{'|'.join(BOUNDS)})\b(?!(?: \w+){{0,2}} \{{\{{)")


def bounds(sentence):
    """Where bounds stand in a sentence, those that no finding says in numbers."""
    hidden = hide(sentence, UNSAID)
    compared = () if OTHERS.search(sentence) else BOUND.finditer(hidden)
    apart = {each.start() for each in compared}
    return [
        x.span()
        for x in WORD.finditer(hidden)
        if x.start() not in apart and is_said(sentence, x.start())
    ]


def phrases(page):
    """The phrases of a page with a bound in brackets."""
    listed = (SHOWN.get(page, {}), CONDITIONS.get(page, ()), EXPLAINED.get(page, {}))
    return [phrase for each in listed for phrase in each]


def fits(word, numbers):
    """Whether numbers lie on the side of zero that a bound says, not all at zero."""
    numbers = np.ravel(numbers).astype(float)
    numbers = numbers if word in ("at least", "no less than") else -numbers
    return bool(numbers.min() >= -1e-9 and numbers.max() > 1e-9)


@pytest.mark.parametrize("page", TEXTS)
def test_every_bound_is_shown(page):
    covered = [marked(phrase) for phrase in phrases(page)]
    open_ones = []
    for sentence, _ in said(page):
        held = set()
        for plain, spans in covered:
            at = sentence.find(plain)
            while at >= 0:
                held |= {(at + a, at + b) for a, b in spans}
                at = sentence.find(plain, at + 1)
        open_ones += [sentence for x in bounds(sentence) if x not in held]
    assert not open_ones


@pytest.mark.parametrize("page", SHOWN)
def test_numbers_show_the_bounds(page):
    for phrase, numbers in SHOWN[page].items():
        plain, ((a, b),) = marked(phrase)
        assert fits(plain[a:b], numbers), (phrase, numbers)


@pytest.mark.parametrize("page", {**SHOWN, **CONDITIONS, **EXPLAINED})
def test_every_phrase_stands_on_its_page(page):
    for phrase in phrases(page):
        plain, ((a, b),) = marked(phrase)
        held = [s for s, _ in said(page) if plain in s and bounds(s)]
        assert held, phrase
        assert plain[a:b] in BOUNDS


@pytest.mark.parametrize(
    ("line", "what", "sign"),
    [
        ("error <= tail + 2", "error", -1),
        ("hinge >= 1 - m", "hinge", 1),
        ("chance(error > tail) <= delta", "error", -1),
        ("chance(error > tail) <= delta", "chance", -1),
    ],
)
def test_sides_of_lines(line, what, sign):
    assert side(line, what) == sign


@pytest.mark.parametrize(
    ("word", "numbers", "good"),
    [
        ("at most", [-1, 0], True),
        ("at most", [-1, 0.1], False),
        ("at least", [-1, 0], False),
        ("at most", 0, False),
        ("no less than", 2, True),
        ("at most", np.nan, False),
    ],
)
def test_what_fits(word, numbers, good):
    assert fits(word, numbers) == good
