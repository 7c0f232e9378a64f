r"""What a solution concludes in words is the run's, or is computed, or is listed.

In a warm-up, and after the first cell of another solution, a sentence with a word that
could be turned, *again*, *equal*, *square*, *fewer*, has an expression, a link or a
formula with a relation; or `words_of_answers` computes that it is true, or lists it as
an explanation.  So a word that was typed wrong is told where nothing else looks.
"""

import re

import pytest
from numbers_of_formulas import FORMULA, RELATION
from test_second_routes import EXERCISES
from test_solutions import COMPARES, LISTING, cells
from words_of_answers import EXPLAINED, SAID

TURNS = re.compile(
    r"\b(equal|different|differ|alike|same|again|not|no|none|nothing|only|ever|yes"
    r"|pays?|gains?|loses?|lost|wins?|square|root|halves|half|double[sd]?|twice|both"
    r"|neither|all|every|first|second|last|best|worst|most|least|exact|without)\b|"
    + COMPARES.pattern,
    re.IGNORECASE,
)
SHOWN = re.compile(r"\{\{|\{ref\}|\{cite")


def concluded(exercise, solution):
    """The sentences of a solution that conclude."""
    if not cells(solution):
        return []
    warm = exercise.strip().startswith("(warm-up)")
    start = 0 if warm else solution.index("```{code-cell}")
    lines = LISTING.sub("", solution[start:]).split("\n")
    return [each for line in lines for each in re.split(r"(?<=[.?;]) ", line) if each]


def shown(sentence):
    formulas = [one[1] or one[2] for one in FORMULA.finditer(sentence)]
    return SHOWN.search(sentence) or any(map(RELATION.search, formulas))


def typed(label, exercise, solution):
    """The sentences that turn on a word, and that nothing shows or lists."""
    listed = [*EXPLAINED.get(label, ()), *(x for x, _ in SAID.get(label, ()))]
    return [
        each
        for each in concluded(exercise, solution)
        if TURNS.search(FORMULA.sub("", each)) and not shown(each)
        if not any(phrase in each for phrase in listed)
    ]


@pytest.mark.parametrize("label", EXERCISES)
def test_a_conclusion_in_words_is_shown(label):
    """Write {{ "again" if a == b else "once" }}, or let `SAID` compute it."""
    assert not typed(label, *EXERCISES[label])


@pytest.mark.parametrize("label", SAID)
def test_what_is_said_is_true_and_is_said(label):
    for phrase, truth in SAID[label]:
        assert phrase in EXERCISES[label][1]
        assert truth, phrase


def test_explanations_are_few_and_there():
    told = [(label, x) for label, of in EXPLAINED.items() for x in of]
    assert all(x in EXERCISES[label][1] for label, x in told)
    every = [x for of in EXERCISES.values() for x in concluded(*of)]
    assert len(told) < len(every) / 10


TURNED = [
    ("ex-count-entries", "The diagonal is not counted again where they cross it."),
    ("ex-certificate-of-one", "They are equal here, and not for the other landmark."),
    ("ex-power-function", "Farthest points gain in the mean: they go to the rim."),
    ("ex-overshoot", "Nyström overshoots by the root of what Column-sampling does."),
    ("ex-which-entries-are-exact", "The projection is symmetric, and exact."),
]


@pytest.mark.parametrize("label, sentence", TURNED)
def test_a_conclusion_that_is_typed_is_seen(label, sentence):
    exercise, solution = EXERCISES[label]
    assert typed(label, exercise, solution + "\n" + sentence)
