"""A number that is typed in prose is one of the code; what asserts can fail.

A number that was measured stands in braces and is compared with the run. What is left
are numbers that somebody chose or counted: those stand in the code of the page, in the
modules of its chapter, in an exercise, or in the list below.
"""

import ast
import re

import labels
import numpy as np
import pytest
from statements_of_texts import (
    GROUP,
    MYST,
    ROOT,
    TEXTS,
    UNSAID,
    _prose,
    read,
    said_of_figures,
    sentences,
)
from statements_of_texts import folded as one_line

from nystheory.engine.findings import registry

# What is printed in a source, counted elsewhere, or follows from the line before it.
GIVEN = {
    # The year of Nyström's paper.
    "a_few_columns": {1930},
    # SGMA's candidates; features of the faces; seconds in the thesis's Table 4.3.
    "adaptive_sampling": {59, 2304, 24, 28},
    "bibliography": {2010},
    # Years; the root of a half.
    "certificates_afterwards": {2001, 2010, 0.707},
    # 1 - 7 b and 1 - 9 b.
    "coherence": {0.24, 0.026},
    # 0.99 times 0.3.
    "concentration": {0.297},
    # The ones of n = 50 but one; sizes that a proof excludes; 60 over the root of 10.
    "error_bounds": {49, 28, 29, 18.97},
    # The sizes of the thesis's data sets.
    "fixed_sampling": {2731, 7412},
    # Words a minute, of `portable.minutes`.
    "how_to_read_this_book": {130},
    # The pixels of a picture.
    "kernel_matrices": {64},
    # The thesis's points for training; 1.99 less one, in percent.
    "newton_with_few_columns": {2400, 99},
    # Published constants.
    "ridge_and_preconditioning": {334, 78, 48, 28},
}
NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?")
# What says how a figure looks is no number of the page.
LOOKS = re.compile(r"\b(?:fontsize|height|linewidth|markersize)=[\d.]+")
# Decimals, and integers of two digits or more.
TYPED = re.compile(r"(?<![\w.,$\\-])(?:\d+\.\d+|\d[\d,]*\d)(?![\w.]*\d)")
LEFT_OUT = (
    re.compile(r"[\"“][^\"”]*[\"”]"),
    GROUP,
    re.compile(r"sections?\s+\d[\d.]*(?:(?:, | and | to )\d[\d.]*)*", re.I),
    re.compile(r"'s (?:own )?\(\d[\d.]*\)(?: and \(\d[\d.]*\))?"),
)


def code(text):
    """The code cells of a text."""
    found = labels.jupytext.reads(text, fmt="md:myst").cells
    return [cell.source for cell in found if cell.cell_type == "code"]


def known(name, text):
    """The numbers that the prose of a page may have."""
    folder = ROOT / "nystheory" / "chapters" / name
    paths = [*folder.glob("*.py"), *folder.glob("theorems/*.py")]
    told = [*code(text), *(path.read_text("utf-8") for path in paths)]
    posed = ("exercise", "quiz")
    told += [block.inside for block in read(text)[0] if block.name in posed]
    told = LOOKS.sub("", "\n".join(told))
    found = {float(x.replace("_", "")) for x in NUMBER.findall(told)}
    return found | GIVEN.get(name, set())


def typed(name, text):
    """The numbers in prose that are nowhere in what the page runs, with their words."""
    allowed, told = known(name, text), []
    titles = [block.title for block in read(text)[0] if " " in block.title]
    for words in (*read(text)[1], *titles, *said_of_figures(text)):
        words = re.sub(r"\{\{ .*? \}\}", "LINK", words, flags=re.S)
        # A formula that is a number is one.
        for token in MYST.parse(re.sub(r"(?<!\$)\$(\d[\d.]*)\$", r"\1", words)):
            prose = one_line(_prose(token.children or []))
            for pattern in LEFT_OUT:
                prose = pattern.sub("LINK", prose)
            for found in TYPED.finditer(prose):
                number = float(found[0].replace(",", ""))
                if not {number, number / 100} & allowed:
                    told.append(prose[max(0, found.start() - 40) : found.end() + 20])
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_a_typed_number_is_one_of_the_code(name):
    """A measured one belongs in braces, {{ ... }}."""
    assert typed(name, TEXTS[name]) == []


@pytest.mark.parametrize(
    "planted", ["It is 99.73 %.", "249 columns recover it.", "So $8.53$ is enough."]
)
def test_a_number_from_nowhere_is_seen(planted):
    text = TEXTS["coherence"].replace("## Sources", f"{planted}\n\n## Sources")
    assert len(typed("coherence", text)) == 1


# --- Numbers in words -----------------------------------------------------------------

WORDS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5}
WORDS |= {"sixth": 1 / 6, "tenth": 1 / 10, "twice": 2}
WORDS |= {x: k for k, x in enumerate("two three four five six seven".split(), 2)}
WORDS |= {"eight": 8, "nine": 9, "ten": 10, "twelve": 12, "twenty": 20, "fifty": 50}
WORDS |= {"thirty": 30, "forty": 40, "hundred": 100, "thousand": 1000}
SHARE = r"(?P<share>half|third|quarter|fifth|sixth|tenth|twice)s?"
SOME = "|".join(WORDS)
# "at most a fifth", "about three times", "within ten percent", "a factor of two".
BOUND = "at most|at least|about|nearly|almost|more than|less than|fewer than|within"
RESULT = re.compile(
    rf"\b(?P<bound>{BOUND}) (?:(?:a|an|one|the|as|of|its|their|factor) )*"
    rf"(?:{SHARE}|(?P<times>{SOME}) (?P<unit>percent|percentage points|times|thirds"
    rf"|fifths|tenths)|(?<=factor of )(?P<factor>{SOME}))\b",
    re.IGNORECASE,
)
# Of a source, a theorem or a formula; a letter alone proves nothing.
NO_RESULT = re.compile(
    r"\b[Tt]he (thesis|paper|source)\b|\{ref\}`[^`]*\w:\w"
    r"|\$[^$]*([=<>\d]|\\[lg]e\b)[^$]*\$"
)
ESTIMATE = ("about", "nearly", "almost")
UNITS = {"percent": 1 / 100, "thirds": 1 / 3, "fifths": 1 / 5, "tenths": 1 / 10}


def said_by_findings(name):
    """The numbers of the findings of a chapter."""
    every = registry.discover("nystheory.chapters").items()
    told = " ".join(
        f"{each.line} {each.when or ''} {each.says}"
        for id, experiment in every
        if id.startswith(f"{name}:")
        for each in experiment.findings.values()
    )
    words = re.findall("[a-z]+", told.lower())
    found = {float(x) for x in re.findall(r"(?<![\w.])\d+\.?\d*", told)}
    return found | {WORDS[word] for word in words if word in WORDS}


def results_in_words(name, text):
    """Sentences whose result is a number in words that no finding of the chapter has.

    A bound is one of a finding, as it stands, upside down, or beside one; an estimate
    is computed.  What a theorem, a formula or a source says is not meant.
    """
    allowed, told = said_by_findings(name), []
    for sentence in sentences(text):
        found = RESULT.search(UNSAID.sub(" ", sentence))
        if not found or NO_RESULT.search(sentence):
            continue
        word = found["share"] or found["times"] or found["factor"]
        number = WORDS[word.lower()] * UNITS.get(found["unit"], 1)
        same = [number, 100 * number if found["unit"] == "percent" else 1 / number]
        same += [1 + number, 1 - number] if number < 1 else []
        known = any(np.isclose(x, y) for x in same for y in allowed)
        if found["bound"].lower() in ESTIMATE or not known:
            told.append(sentence)
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_a_result_in_words_is_that_of_a_finding_or_computed(name):
    """Write {{ 100 * share:.0f }} percent, or quote the finding."""
    assert results_in_words(name, TEXTS[name]) == []


@pytest.mark.parametrize(
    ("planted", "seen"),
    [
        ("The error is at most a seventh of that, or nearly a third.", True),
        ("It takes about three times the entries.", True),
        ("On the digits the two agree within ten percent.", True),
        ("Scores are off by less than a factor of seven.", True),
        ("About half of the $l$ eigenvalues are negative.", True),
        ("A fifth of the columns, and ten of them.", False),
        ("It is at most half of $x = 2$.", False),
        ("It needs about three times as many ({ref}`modern:preconditioner`).", False),
        ("The thesis finds about half of it.", False),
    ],
)
def test_a_result_in_words_is_seen(planted, seen):
    assert bool(results_in_words("coherence", planted)) == seen


# --- Asserts that can fail ------------------------------------------------------------

# Names and attributes that are truths, or verdicts and ledgers that have one.
TRUTHS = {"verdict", "graded", "ledger", "hidden"}
TRUE_ATTRIBUTES = {"control_refuted", "violated"}


def empty(text):
    """The asserts of a text on a name, an attribute or a constant: nearly always true.

    ``assert verdict.outcome`` passes on "refuted" too.
    """

    def fixed(test):
        return not any(isinstance(node, ast.Name) for node in ast.walk(test))

    def says_nothing(test):
        if isinstance(test, ast.BoolOp):
            either = isinstance(test.op, ast.Or)
            return any(says_nothing(v) or either and fixed(v) for v in test.values)
        if isinstance(test, ast.Name):
            return test.id not in TRUTHS
        if isinstance(test, ast.Attribute):
            return test.attr not in TRUE_ATTRIBUTES
        return isinstance(test, (ast.Constant, ast.JoinedStr, ast.Tuple, ast.List))

    nodes = (n for c in code(text) for n in ast.walk(ast.parse(_plain(c))))
    asserts = (n for n in nodes if isinstance(n, ast.Assert))
    return [ast.unparse(n) for n in asserts if says_nothing(n.test)]


def _plain(source):
    """A cell without the commands of a notebook."""
    return re.sub(r"^[%!].*$", "", source, flags=re.M)


@pytest.mark.parametrize("name", TEXTS)
def test_every_assert_can_fail(name):
    assert empty(TEXTS[name]) == []


@pytest.mark.parametrize(
    "planted",
    [
        *("verdict.outcome", "by_gamma and by_size", "error", "(1 > 2, 'why')"),
        "error > 2 or 1 < 2",
    ],
)
def test_an_assert_that_says_nothing_is_seen(planted):
    cell = f"\n```{{code-cell}}\nassert {planted}\n```\n"
    assert len(empty(TEXTS["coherence"] + cell)) == 1


# --- Asserts that say what failed -----------------------------------------------------

SOLUTION = re.compile(r"^(:{3,})\{solution\}.*?^\1$", re.M | re.S)
# Below it a number is an allowance for rounding.
ROUNDING = 1e-4


def speechless(text):
    """The asserts of a page that compare with a typed number and have no words.

    Whoever halves a number of points may see them fail, and is told what was expected.
    What a solution asserts grades, and has words of its own.
    """

    def typed_number(node):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        return number and node.value not in (0, 1, 2) and abs(node.value) >= ROUNDING

    cells = code(SOLUTION.sub("", text))
    nodes = (n for c in cells for n in ast.walk(ast.parse(_plain(c))))
    asserts = (n for n in nodes if isinstance(n, ast.Assert) and n.msg is None)
    return [
        ast.unparse(n) for n in asserts if any(map(typed_number, ast.walk(n.test)))
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_an_assert_on_a_typed_number_says_what_failed(name):
    """``assert turning > 0.9, "expected a coordinate that follows the turn"``."""
    assert speechless(TEXTS[name]) == []


@pytest.mark.parametrize(
    ("planted", "seen"),
    [
        ("0.05 < share < 0.15", True),
        ("all(len(x) > 20 for x in found)", True),
        ("share > 0.9, 'expected a large share'", False),
        ("(moved <= bound * (1 + 1e-9)).all()", False),
        ("low < high", False),
    ],
)
def test_an_assert_without_words_is_seen(planted, seen):
    cell = f"\n```{{code-cell}}\nassert {planted}\n```\n"
    assert bool(speechless(TEXTS["coherence"] + cell)) == seen
    solved = f"\n:::{{solution}} ex-x\n{cell}\n:::\n"
    assert speechless(TEXTS["coherence"] + solved) == []
