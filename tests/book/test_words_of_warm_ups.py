r"""A formula or a number in the words of a warm-up is computed.

It is an equation of numbers, which `numbers_of_formulas` computes, or the run's, or a
long decimal of the exercise or of a cell; or it stands in a phrase of `SAID`, with
whether that is true.  So is a number in words, *twice*, a place, *the third*, and the
name of a norm.
"""

import re

import pytest
from more_words_of_warm_ups import SAID as OF_MORE
from numbers_of_formulas import FORMULA, RELATION, known, links, parts
from test_second_routes import EXERCISES
from test_solutions import LISTING, MADE, NUMBERED, in_words
from words_of_answers import EXPLAINED
from words_of_answers import SAID as CONCLUDED
from words_of_warm_ups import SAID as OF_COLUMNS

SAID = {**OF_COLUMNS, **OF_MORE}
WARM = [
    label
    for label, (exercise, _) in EXERCISES.items()
    if exercise.strip().startswith("(warm-up)")
]
STATES = re.compile(r"\d|[+/_^]|" + RELATION.pattern)
SHORT = re.compile(r"(?<![\w.])\d{1,2}(?![\w.]*\d)")
PLACES = re.compile(
    r"\b(first|second|third|fourth|last|Frobenius|spectral)\b", re.IGNORECASE
)


def sentences(solution):
    lines = LISTING.sub("", solution).split("\n")
    return [x for line in lines for x in re.split(r"(?<=[.?;]) ", line) if x.strip()]


def phrases(label):
    some = [phrase for of in (SAID, CONCLUDED) for phrase, _ in of.get(label, ())]
    return [*some, *EXPLAINED.get(label, ())]


def is_chain(formula):
    """Whether all of it are equations of numbers; the first side may have a letter."""
    for part in parts(formula):
        pieces = RELATION.split(part)
        sides, relations = pieces[::2], {*pieces[1::2]}
        if sum(map(known, sides)) < max(2, len(sides) - 1):
            return False
        if not relations <= {"=", r"\approx"}:
            return False
    return True


def left(label, sentence):
    """What nothing computes of a sentence."""
    for phrase in phrases(label):
        sentence = sentence.replace(phrase, " ")
    bare = NUMBERED.sub("", MADE.sub("", sentence))
    formulas = [one[1] or one[2] for one in FORMULA.finditer(bare)]
    words = FORMULA.sub(" ", bare)
    counted = [word for word, _ in in_words(words)]
    places = PLACES.findall(words) if not [*links(bare)] else []
    stated = [each for each in formulas if STATES.search(each) and not is_chain(each)]
    return [*stated, *SHORT.findall(words), *counted, *places]


def uncomputed(label, solution):
    return [(x, left(label, x)) for x in sentences(solution) if left(label, x)]


@pytest.mark.parametrize("label", WARM)
def test_what_a_warm_up_says_is_computed(label):
    assert not uncomputed(label, EXERCISES[label][1])


@pytest.mark.parametrize("label", SAID)
def test_what_is_said_is_true_and_is_said(label):
    for phrase, truth in SAID[label]:
        assert phrase in EXERCISES[label][1]
        assert truth, phrase


PLANTS = {
    "a power": ("ex-larger-ridge", "100^{3/2}", "100^{1/2}"),
    "an index": ("ex-whole-preconditioner", r"\lambda_n", r"\lambda_1"),
    "exchanged": ("ex-one-point", r"is 1, the others are $\frac12$",
                  r"is $\frac12$, the others are 1"),
    "a place": ("ex-three-intervals", "Only the third:", "Only the second:"),
    "a letter": ("ex-sizes", r"$W$ is $100 \times 100$", r"$W$ is $100 \times 20$"),
    "a product": ("ex-ensemble-entries", "n\\,(s + s')", "p\\,(s + s')"),
    "a norm": ("ex-read-errors", "In the spectral norm", "In the trace norm"),
}


@pytest.mark.parametrize("name", PLANTS)
def test_another_word_is_seen(name):
    label, old, new = PLANTS[name]
    solution = EXERCISES[label][1]
    assert old in solution
    turned = solution.replace(old, new)
    gone = [x for x in phrases(label) if x in solution and x not in turned]
    assert gone or uncomputed(label, turned)
