"""A word of a docstring that compares, or names a norm or a law, is computed.

In the rooms of `WHOLE` each such word stands in the brackets of a phrase of `SAID`, or
in a phrase of `EXPLAINED`; of the others there are phrases in `SAID` alone.  With the
opposite word, or another norm, each check has to fail.
"""

import inspect
import re

import pytest
import words_of_approximations  # noqa: F401 - which fill the table
import words_of_bins  # noqa: F401
import words_of_features  # noqa: F401
import words_of_kernels  # noqa: F401
import words_of_learners  # noqa: F401
import words_of_manifolds  # noqa: F401
import words_of_more_docstrings  # noqa: F401
import words_of_schemes  # noqa: F401
import words_of_scores  # noqa: F401
import words_of_systems  # noqa: F401
from test_costs_of_docstrings import told
from test_public_face import ROOMS, classes, functions
from words_of_docstrings import BRACKETS, CONTRARY, NORMS, OTHERS, SAID, TRUE_TOO

WHOLE = ("certificates", "coherence", "lowrank")
COMPARES = re.compile(
    r"<=|>=|\b(?:never|at most|at least|[Nn]o (?=eigenvalue|entry|other)|exceeds"
    r"|spectral(?= norm)|Frobenius|trace(?= norm)|without(?= replacement)"
    r"|(?:lower|upper)(?= bound)|worse|better|closer|larger|smaller|largest|smallest"
    r"|rises|falls)\b"
)
UNREAD = re.compile(
    r"^(?:Raises|Warns|Examples|References)\n-+\n.*?(?=^\w[\w ]*\n-+\n|\Z)", re.M | re.S
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
]


def words_left(name, doc, phrases):
    """The words of a docstring that stand in the brackets of no phrase."""
    doc = " ".join(UNREAD.sub("", doc).split())
    covered = set()
    for phrase in phrases:
        plain = BRACKETS.sub(r"\1", phrase)
        at = doc.find(plain)
        while at >= 0:
            whole = range(at, at + len(plain)) if "[" not in phrase else ()
            covered |= {*whole, *places(phrase, at)}
            at = doc.find(plain, at + 1)
    return [x[0] for x in COMPARES.finditer(doc) if x.start() not in covered]


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
