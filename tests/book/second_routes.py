r"""Reading an exercise and answering it a second time, without the package.

An answer is a function of the numbers that the exercise names: ``<n>`` in what is
`asked` is a number of its text, so who asks for another one gets another answer, and
``...`` is whatever stands between.  What it returns goes under the names that the
solution hands in.
"""

import math
import re
from fractions import Fraction

from numbers_of_formulas import NotANumber, value

ANSWERS = {}
WORDS = "zero one two three four five six seven eight nine ten".split()
IN_WORDS = {word: number for number, word in enumerate(WORDS)}
IN_WORDS |= {"once": 1, "twice": 2, "half": 1 / 2, "third": 1 / 3, "fifth": 1 / 5}
IN_WORDS |= {"double": 2, "hundred": 100, "thousand": 1000, "million": 10**6}
NUMBER = r"\\frac\{?\d+\}?\{?\d+\}?|-?\d+(?:\.\d+)?(?:\^\{?-?\d+\}?)?|[A-Za-z]+"
HOLE = re.compile(r"<(\w+)>")
ANYTHING = re.escape("...")


def answer(label, asked):
    """Enter a function as the second route to the answers of an exercise."""

    def enter(function):
        assert label not in ANSWERS, label
        ANSWERS[label] = (asked, function)
        return function

    return enter


def plain(text):
    """A text in one line, its numbers without commas."""
    text = re.sub(r"(?<=\d)(?:\\,|\{,\}|,)(?=\d{3})", "", text)
    return " ".join(text.split())


def number(text):
    """What a number of an exercise is, whole where it is whole."""
    if text.lower() in IN_WORDS:
        return IN_WORDS[text.lower()]
    try:
        found = value(text)
    except NotANumber:
        return math.nan
    return int(found) if found.is_integer() else found


def read(asked, exercise):
    """The numbers that an exercise names; None where it asks for something else."""
    pieces = HOLE.split(plain(asked))
    shape = "".join(
        f"(?P<{piece}>{NUMBER})" if k % 2 else re.escape(piece).replace(ANYTHING, ".*?")
        for k, piece in enumerate(pieces)
    )
    found = re.search(shape, plain(exercise))
    return found and {name: number(text) for name, text in found.groupdict().items()}


def floats(found):
    """Answers with floats in the place of fractions."""
    if isinstance(found, Fraction):
        return int(found) if found.denominator == 1 else float(found)
    if isinstance(found, list | tuple):
        return type(found)(map(floats, found))
    if isinstance(found, dict):
        return {name: floats(each) for name, each in found.items()}
    return found


def answered(label, exercise):
    """The answers by the second route, by their names."""
    asked, function = ANSWERS[label]
    numbers = read(asked, exercise)
    assert numbers is not None, f"{label} does not ask: {asked}"
    return floats(function(**numbers))
