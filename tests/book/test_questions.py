"""A solution answers the question that is asked: the numbers of an exercise are in it.

Each number of an exercise stands in its solution, in words, in a formula or in a cell,
as it is or as what is left of one, in percent or billions, or one more or less.  So
who asks for the probability 0.999 and answers for 0.99 is told.
"""

import re

import pytest
from statements_of_texts import TEXTS

PAIR = re.compile(
    r"^(:{3,})\{exercise\} (\S+)\n(.*?)^\1$.*?^(:{3,})\{solution\} \2\n(.*?)^\4$",
    re.S | re.M,
)
# Code, links, the number of a source, what is computed.
ELSEWHERE = re.compile(
    r"\{\{.*?\}\}|\{\w+(?::\w)?\}`[^`]*`|`[^`]*`"
    r"|(?:Theorem|Lemma|Figure|Table|section) [\d.]+|\(\d\.\d+\)",
    re.S,
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w]|\.\d)")
POWER = re.compile(r"10(?:\^|\*\*) ?\{?(-?\d+)\}?")
QUOTIENT = re.compile(r"(?<![\w.])(\d+) ?/ ?(\d+)(?![\w.])")
# Numbers that the solution needs not, and why.
SPARE = {
    ("ex-all-but-one", 0.72): "a value of the formula beside it",
    ("ex-blind", 10): "of the picture at the top",
    ("ex-constant", 16): "the constant, which is that of the theorem",
    ("ex-ensemble-entries", 20): "two of them, 40, are added",
    ("ex-far-from-optimal", 1.04): "an example beside it",
    ("ex-fewer-steps", 1e-6): "the default of what is called",
    ("ex-fewer-steps", 3000): "the points of the page",
    ("ex-groups-of-forty", 390): "ten less than 400",
    ("ex-other-sample", 200): "the answer is for any number",
    ("ex-see-the-excess", 0.125): "1/8",
    ("ex-see-the-excess", 0.12685): "computed",
    ("ex-seven", 9.25): "the constant of the theorem that is to be broken",
    ("ex-sgma-gain", 400): "the points of the page",
    ("ex-sum-of-moduli", 4): "two times twice",
    ("ex-thirty-columns", 130): "the counterexample that is to be bettered",
    ("ex-which-word", 140): "60 of 200 are enough to tell",
    ("ex-which-word", 190): "10 of 200 are enough to tell",
    ("ex-which-ridge", 0.1): "a name of the page",
}


def plain(text):
    """A text without the commas in its numbers, and with quotients in a line."""
    text = re.sub(r"(?<=\d)(?:\\,|\{,\}|,|_)(?=\d{3})", "", text)
    return re.sub(r"\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?", r"\1/\2", text)


def numbers(text, parts=""):
    """The numbers of a text, powers of ten and quotients as what they are."""
    text = plain(text)
    found = {float(10) ** int(x) for x in POWER.findall(text)}
    text = POWER.sub(" ", text)
    found |= {float(x) / float(y) for x, y in QUOTIENT.findall(text) if float(y)}
    return found | {float(x) for x in NUMBER.findall(QUOTIENT.sub(parts, text))}


def near(x):
    """A number as a solution may have it."""
    forms = {x, 1 - x, x / 100, 1 - x / 100, 100 - x, 100 * x, x - 1, x + 1, 1e9 * x}
    return forms | ({1 / x} if x else set())


def unanswered(text):
    """Numbers of exercises that their solutions have not: exercise and number."""
    told = []
    for _, label, asked, _, solved in PAIR.findall(text):
        have = numbers(solved, r"\1 \2")
        for x in sorted(numbers(ELSEWHERE.sub(" ", asked)) - {0, 1, 2}):
            if not any(abs(y - z) < 1e-9 for y in near(x) for z in have):
                told.append((label, x))
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_a_solution_has_the_numbers_of_its_exercise(name):
    assert [x for x in unanswered(TEXTS[name]) if x not in SPARE] == []


def test_the_list_is_short_and_needed():
    told = {x for text in TEXTS.values() for x in unanswered(text)}
    asked = [
        numbers(ELSEWHERE.sub(" ", x[2]))
        for text in TEXTS.values()
        for x in PAIR.findall(text)
    ]
    assert told == {*SPARE} and len(told) < sum(map(len, asked)) / 10


def test_another_question_is_seen():
    text = TEXTS["coherence"].replace("with probability 0.99, by", "with 0.999, by")
    assert unanswered(text) != unanswered(TEXTS["coherence"])
