"""A bound that a page says in words is one that an experiment of its chapter found.

"Its error is at most 1.2 times that of ridge weights" quotes no finding; so the line of
a finding has this number, on the side that "at most" says: in ``a <= 1.2 * b`` and in
``a <= b + 2`` a number is at most that, in ``a >= b + 10`` at least.  Before a cell
that shows what was found it is a line of that experiment.  "On all of these data" is
said of a finding of all of them, and "except the patches" of one of all others.
"""

import ast
import importlib
import re
from functools import cache

import pytest
import vocabulary
from statements_of_texts import TEXTS, UNSAID, sentences

COUNTED = "one two three four five six seven eight nine ten".split()
WORDS = {word: float(k) for k, word in enumerate(COUNTED, 1)} | {"half": 0.5}
NUMBER = rf"(?:a )?(?P<number>\d+(?:\.\d+)?|{'|'.join(WORDS)})"
BOUND = re.compile(
    r"(?P<side>at most|at least|no more than|more than|less than|fewer than)"
    rf" (?:(?P<twice>twice)\b|{NUMBER} (?P<unit>times|percent|points?)\b"
    r"(?P<more> (?:above|more|below|less|fewer))?)"
)
MOST = ("at most", "no more than", "less than", "fewer than")
DENIED = re.compile(r"\b(no|none|neither|never|nowhere|not)\b")
# What a source, a theorem or an exercise says.
OTHERS = re.compile(r"\b(thesis|paper|source)\b|\{cite|\{ref\}`[^`]*(\w:\w|ex-)|\?$")
ALL = re.compile(r"\bon all of (?:these data|them)(?: except the (?P<others>[\w ]+))?")
SHOWN = re.compile(r"^(?:\w+ = )?findings\.(\w+)\.found\(\)", re.M)


def bounds(sentence):
    """The bounds of a sentence: whether at most, and the numbers that may be meant.

    "Five percent above" may be 5 in a line, or 1.05.
    """
    plain = UNSAID.sub(" ", sentence)
    for found in BOUND.finditer(plain):
        most = found["side"] in MOST
        if found["side"] == "more than" and DENIED.search(plain[: found.start()]):
            most = True
        number = 2.0 if found["twice"] else WORDS.get(found["number"])
        number = float(found["number"]) if number is None else number
        some = {number}
        if found["unit"] == "percent":
            part = number / 100
            turned = re.search("below|less|fewer", found["more"] or "")
            some |= {1 - part if turned else 1 + part if found["more"] else part}
        yield most, some


def literals(line):
    """The numbers of a line, each with whether something is at most that."""
    found = set()

    def walk(tree, larger):
        if isinstance(tree, ast.Constant):
            found.add((larger, float(tree.value)))
        elif isinstance(tree, ast.BinOp):
            turned = isinstance(tree.op, ast.Sub | ast.Div)
            walk(tree.left, larger)
            walk(tree.right, larger ^ turned)

    for tree in ast.walk(ast.parse(line, mode="eval")):
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            below = isinstance(tree.ops[0], ast.Lt | ast.LtE)
            walk(tree.left, not below)
            walk(tree.comparators[0], below)
    return found


@cache
def of_chapter(name):
    """The experiments of a chapter."""
    here = f"nystheory.chapters.{name}.findings"
    try:
        found = vars(importlib.import_module(here))
    except ModuleNotFoundError:
        return []
    return [each for each in found.values() if hasattr(each, "findings")]


def shown_after(name, text, sentence):
    """The experiment of the cell that a sentence with a colon leads to; else all."""
    if sentence.endswith(":"):
        after = text.partition(sentence)[2].lstrip()
        cell = after.partition("\n```\n")[0] if after.startswith("```") else ""
        if found := SHOWN.findall(cell):
            module = importlib.import_module(f"nystheory.chapters.{name}.findings")
            return [getattr(module, each) for each in found]
    return of_chapter(name)


def is_of(experiment, finding, said):
    """Whether a finding is of the data that a sentence says, all or all but some."""
    left = {*experiment.data} - {*(finding.on or experiment.data)}
    if not said["others"]:
        return not left
    some = vocabulary.words(said["others"])
    return left == {x for x in experiment.data if some <= vocabulary.words(x)} != set()


def unfound(name, text):
    """Sentences with a bound, or of all data, that no finding of the chapter has."""
    told = []
    for each in sentences(text):
        plain = UNSAID.sub(" ", each)
        said, some = ALL.search(plain), [*bounds(each)]
        if not of_chapter(name) or OTHERS.search(each) or not (some or said):
            continue
        possible = [
            finding
            for experiment in shown_after(name, text, each)
            for finding in experiment.findings.values()
            if not said or is_of(experiment, finding, said)
        ]
        lines = [literals(x.line) for x in possible]
        fits = [any((m, v) in x for x in lines for v in values) for m, values in some]
        if not possible or not all(fits):
            told.append(each)
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_a_bound_in_words_is_that_of_a_finding(name):
    """Give the number of the finding, quote it, or compute the number."""
    assert unfound(name, TEXTS[name]) == []


def test_bounds_are_looked_at():
    told = [[*bounds(each)] for text in TEXTS.values() for each in sentences(text)]
    assert sum(map(bool, told)) > 15


def changed():
    """Each sentence of the book with a bound: turned, with a half more, of no data."""
    for name, text in TEXTS.items():
        for each in sentences(text) if of_chapter(name) else ():
            if OTHERS.search(each):
                continue
            if found := ALL.search(each):
                other = each.replace(found[0], f"{found[0]} except the triangles")
                yield name, each, other
            if found := BOUND.search(each):
                side = "at least" if found["side"] in MOST else "at most"
                yield name, each, each.replace(found["side"], side, 1)
                if found["number"]:
                    number = WORDS.get(found["number"]) or float(found["number"])
                    new = found[0].replace(found["number"], f"{1.5 * number:g}", 1)
                    yield name, each, each.replace(found[0], new)


def test_another_bound_is_seen():
    seen = [
        other in unfound(name, TEXTS[name].replace(each, other))
        for name, each, other in changed()
    ]
    assert sum(seen) > 0.8 * len(seen) > 30
