"""A word of a docstring that compares, or names a norm or a law, is computed.

In the rooms of `WHOLE` each such word stands in the brackets of a phrase of `SAID`, or
in a phrase of `EXPLAINED`; limits of numbers, and entries that are asked for, are those
of `test_docstrings.py`.  With the opposite word, or another norm, each check has to
fail.
"""

import inspect
import re

import pytest
import words_of_approximations  # noqa: F401 - which fill the table
import words_of_bins  # noqa: F401
import words_of_classifiers  # noqa: F401
import words_of_data  # noqa: F401
import words_of_decays  # noqa: F401
import words_of_dimensions  # noqa: F401
import words_of_features  # noqa: F401
import words_of_kernels  # noqa: F401
import words_of_laws  # noqa: F401
import words_of_learners  # noqa: F401
import words_of_limits  # noqa: F401
import words_of_machines  # noqa: F401
import words_of_manifolds  # noqa: F401
import words_of_means  # noqa: F401
import words_of_memory  # noqa: F401
import words_of_minima  # noqa: F401
import words_of_mixtures  # noqa: F401
import words_of_more_docstrings  # noqa: F401
import words_of_promises  # noqa: F401
import words_of_rates  # noqa: F401
import words_of_refusals  # noqa: F401
import words_of_schemes  # noqa: F401
import words_of_scores  # noqa: F401
import words_of_selection  # noqa: F401
import words_of_systems  # noqa: F401
import words_of_units  # noqa: F401
from docstrings import LIMITS
from test_costs_of_docstrings import told
from test_public_face import ROOMS, classes, functions
from words_of_docstrings import BRACKETS, CONTRARY, NORMS, OTHERS, SAID, TRUE_TOO

WHOLE = (
    *("certificates", "coherence", "ensemble", "features", "guarantees", "kernels"),
    *("learners", "lowrank", "manifold", "sampling", "selection"),
)
COMPARES = re.compile(
    r"<=|>=|\b(?:never|at most|at least|[Nn]o (?=eigenvalue|entry|other)|exceeds"
    r"|spectral(?= norm)|Frobenius|trace(?= norm)|without(?= replacement)"
    r"|(?:lower|upper)(?= bound)|worse|better|closer|larger|smaller|largest|smallest"
    r"|rises|falls|[Mm]inimis(?:es|er)|proportion(?:al)?)\b"
)
UNREAD = re.compile(
    r"^(?:Raises|Warns|Examples|References)\n-+\n.*?(?=^\w[\w ]*\n-+\n|\Z)", re.M | re.S
)
# Names: what an argument may be, and an attribute.
NAMES = re.compile(r'"[^"]*"|`\w+\.\w+`|\b\w+ : ')
# Limits of numbers in a list of parameters, and entries that are asked for.
ELSEWHERE = re.compile(
    r"^\w[\w, ]* : (?:int|float)\b.*(?:\n(?: .*|$))*|Asks\s+for\s[^.]*entr[^.]*\.", re.M
)
# They speak of rounding, of work or of a name.
EXPLAINED = [
    "near eps times the largest",
    "below n eps times the largest",
    'claims "spectral", "Frobenius" and',
    "cost of `error` in the Frobenius norm",
    "Frobenius: n^2 k operations in blocks, K is never stored",
    "counted in largest eigenvalues",
    "No entry of K is read",
    "largest eigenvalue first",
    "mostly better in the others",
    "n l entries at most as a rule",
    "to the smallest of the others stands in the certificate",
    "F and ``F^T F`` are never formed",
    "with ``\"coefficients\"``, never n^2",
    "are never made dense",
    "by the Woodbury identity, never n^2 words",
    "in D^2 words at most",
    "whose gap was a hundred times smaller after ten passes",  # measured once
    # The smallest that is not 0 would do.
    "R the largest difference of their places along an axis",
    # They do not compare.
    "another half falls outside",
    "How the graph falls apart",
    "there is no other",
    # The number of proposals is tried in `test_docstrings.py`.
    "by default the smallest of l/8 (rounded up) and the root of n",
]


def words_left(name, doc, phrases):
    """The words of a docstring that stand in the brackets of no phrase."""
    doc = UNREAD.sub("", doc)
    phrases = [*phrases, *elsewhere(doc)]
    doc = " ".join(doc.split())
    covered = {at for found in NAMES.finditer(doc) for at in range(*found.span())}
    for phrase in phrases:
        plain = BRACKETS.sub(r"\1", phrase)
        at = doc.find(plain)
        while at >= 0:
            whole = range(at, at + len(plain)) if "[" not in phrase else ()
            covered |= {*whole, *places(phrase, at)}
            at = doc.find(plain, at + 1)
    return [x[0] for x in COMPARES.finditer(doc) if x.start() not in covered]


def elsewhere(doc):
    """Limits of numbers, with the words before them, and what is asked for."""
    for found in ELSEWHERE.finditer(doc):
        words = " ".join(found[0].split())
        if words.startswith("Asks"):
            yield words
            continue
        for limit in LIMITS.finditer(words):
            yield words[max(0, limit.start() - 30) : limit.end()]


def places(phrase, at):
    """Where the brackets of a phrase stand that begins there."""
    for k, found in enumerate(BRACKETS.finditer(phrase)):
        yield from range(at + found.start() - 2 * k, at + found.end() - 2 * k - 2)


def open_words(name, doc):
    return words_left(name, doc, [*(p for n, p in SAID if n == name), *EXPLAINED])


@pytest.mark.parametrize("room", WHOLE)
def test_each_word_that_compares_is_computed(room):
    some = [*functions(room), *classes(room)]
    left = {name: open_words(name, inspect.getdoc(x) or "") for name, x in some}
    assert not {name: words for name, words in left.items() if words}


@pytest.mark.parametrize("key", SAID, ids=": ".join)
def test_what_a_docstring_says_is_true(key):
    name, phrase = key
    assert BRACKETS.sub(r"\1", phrase) in told()[name]
    assert SAID[key](*BRACKETS.findall(phrase))


def others(word, contrary=None):
    """The words that say something else in the same place."""
    if contrary:
        return [contrary]
    if word in OTHERS:
        return [OTHERS[word]]
    return [norm for norm in NORMS if norm != word]


@pytest.mark.parametrize("key", SAID, ids=": ".join)
def test_another_word_is_false(key):
    words = BRACKETS.findall(key[1])
    contrary = CONTRARY[key] or (None,) * len(words)
    assert words and len(contrary) == len(words)
    for k, word in enumerate(words):
        for other in others(word, contrary[k]):
            if (key[0], other) not in TRUE_TOO:
                assert not SAID[key](*words[:k], other, *words[k + 1 :]), other


def test_the_rooms_are_rooms():
    assert {*WHOLE} <= {*ROOMS}
    assert len(SAID) > 50


@pytest.mark.parametrize(
    ("doc", "left"),
    [
        ("It is at most the spectral norm of E.", ["at most"]),
        ("It is at most the Frobenius norm of E.", ["at most", "Frobenius"]),
        ("It is large.", []),
    ],
)
def test_a_word_in_no_bracket_is_seen(doc, left):
    assert words_left("it", doc, ["the [spectral] norm"]) == left
