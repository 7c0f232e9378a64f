"""Each word of a solution that compares, and each share, is shown to be true.

As in the prose, `test_words_shown`: the words stand in brackets beside a number, in
`shown_solutions` and `more_shown_solutions`, by the label of the exercise.  What
`words_of_answers` and the warm-ups compute whole needs no second entry.
"""

import re

import more_shown_solutions
import pytest
import shown_solutions
import words_of_answers
from statements_of_texts import sentences
from test_second_routes import EXERCISES
from test_words_of_warm_ups import SAID as OF_WARM_UPS
from words_shown import (
    EXPLAINED,
    SHOWN,
    marked,
    misfits,
    open_words,
    strangers,
    unshown,
    words,
)

# Their import enters the phrases.
ENTERED = (shown_solutions, more_shown_solutions)
LABELS = [label for label in EXERCISES if label in {**SHOWN, **EXPLAINED}]


def said(solution):
    """The sentences of a solution, none of them at a figure."""
    told = (x for each in sentences(solution) for x in re.split(r"(?<=;) ", each))
    return [(" ".join(each.split()), False) for each in told]


def whole(label):
    """What is computed, and what is explained, whole: each word of it stands."""
    computed = [
        phrase
        for of in (words_of_answers.SAID, OF_WARM_UPS)
        for phrase, _ in of.get(label, ())
    ]
    told = computed, words_of_answers.EXPLAINED.get(label, ())
    return [[f"[{x}]" for x in of if "[" not in x] for of in told]


def phrases(label):
    return [*SHOWN[label], *EXPLAINED[label], *(x for of in whole(label) for x in of)]


@pytest.mark.parametrize("label", EXERCISES)
def test_every_word_that_compares_is_shown(label):
    assert not unshown(said(EXERCISES[label][1]), phrases(label))


@pytest.mark.parametrize("label", LABELS)
def test_numbers_show_the_words(label):
    assert not misfits(SHOWN[label])


@pytest.mark.parametrize("label", LABELS)
def test_every_phrase_stands_in_its_solution(label):
    entered = [*SHOWN[label], *EXPLAINED[label]]
    assert not strangers(said(EXERCISES[label][1]), entered)


def explained_words():
    """The words of all solutions that no number shows."""
    return [
        word
        for label, (_, solution) in EXERCISES.items()
        for x, at in said(solution)
        for word in open_words(x, at, [*SHOWN[label], *whole(label)[0]])
    ]


def test_most_are_shown():
    """At most a fifth is left to a referee."""
    told = [x for _, solution in EXERCISES.values() for x, _ in said(solution)]
    assert len(explained_words()) <= sum(len(words(x)) for x in told) / 5


# What is said, and the same turned or with its sides exchanged.
TURNED = [
    ("ex-exact-nodes", "a quarter of that", "half of that"),
    ("ex-crowd", "slightly longer", "slightly shorter"),
    ("ex-larger-multiples", "its inverse decreases", "its inverse increases"),
    ("ex-seven", "The smaller group", "The larger group"),
    ("ex-shorter", "one ray is worse", "one ray is better"),
    ("ex-thirty-columns", "the spectral error doubles", "the spectral error halves"),
    ("ex-constants-of-memory", "Half of the memory", "A third of the memory"),
    ("ex-sum-of-moduli", "twice the sum", "three times the sum"),
    ("ex-weighted-kernel", "a narrower normal law", "a wider normal law"),
    ("ex-half-of-the-trace", "the lower end", "the higher end"),
]
EXCHANGED = [
    ("ex-larger-multiples", "increases", "decreases"),
    ("ex-feature-map", "smaller", "larger"),
    ("ex-truncated-projection", "larger", "longer"),
    ("ex-truncated-projection", "Nyström", "Column-sampling"),
    ("ex-which-ridge", "squares", "ridge"),
]


@pytest.mark.parametrize(("label", "old", "new"), TURNED)
def test_a_turned_word_is_seen(label, old, new):
    solution = EXERCISES[label][1]
    assert old in solution
    assert unshown(said(solution.replace(old, new)), phrases(label)) or strangers(
        said(solution.replace(old, new)), SHOWN[label]
    )


@pytest.mark.parametrize(("label", "one", "other"), EXCHANGED)
def test_exchanged_sides_are_seen(label, one, other):
    sides = {one: other, other: one}
    turned = re.sub(
        f"{one}|{other}", lambda found: sides[found[0]], EXERCISES[label][1]
    )
    assert strangers(said(turned), SHOWN[label])


@pytest.mark.parametrize(("label", "old", "new"), TURNED)
def test_a_word_that_is_turned_twice_does_not_fit(label, old, new):
    """In the solution and in its brackets: the number shows another word."""
    (phrase,) = (x for x in SHOWN[label] if old in marked(x)[0])
    turned = _bracketed(marked(phrase)[0].replace(old, new))
    assert misfits({turned: SHOWN[label][phrase]})


def _bracketed(plain):
    for a, b in reversed(words(plain)):
        plain = f"{plain[:a]}[{plain[a:b]}]{plain[b:]}"
    return plain
