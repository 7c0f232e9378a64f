"""What the front page, the guide and "How to read this book" say is what the code does.

A page of the book has its numbers from the run; these texts have none.  So each number
in them, and each *at most*, *never*, *weakest*, stands in a fact: words of the text,
and what the code says of them.  A number that stands in none is listed, and whoever
changes the words of a fact is told which.  What was measured once, seconds and
minutes, stands a second time in `measured.csv`, as it was noted.
"""

import csv
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import compared
import numpy as np
import portable
import pytest
import test_minutes
import test_quotations
import test_repository
import test_sources_done
from sides_shown import complaints
from what_commands_make import (
    brought,
    copied,
    each_for_itself,
    empty_to_work_in,
    every_solution_open,
    large,
    unlike_their_help,
)

from nystheory import certificates, guarantees, kernels, lowrank, sampling, style
from nystheory.chapters.how_to_read_this_book import experiments as planted
from nystheory.engine.findings import parts
from nystheory.engine.language import claims, lines
from nystheory.engine.trial import results, statistics, verdict, verification
from nystheory.engine.worlds import suite

ROOT = Path(__file__).resolve().parents[2]
README, GUIDE, READING = "README.md", "CONTRIBUTING.md", "how_to_read_this_book.md"
PATHS = {README: README, GUIDE: GUIDE, READING: f"book/md/{READING}"}
TEXTS = {name: (ROOT / path).read_text("utf-8") for name, path in PATHS.items()}
# What the exercises say their cells say.
TEXTS[READING] = re.sub(r"(?ms)^## Exercises$.*?(?=^## )", "", TEXTS[READING])


@cache
def constant(path, pattern):
    """A number of the code, by the words around it."""
    (found,) = {*re.findall(pattern, (ROOT / path).read_text("utf-8"))}
    return float(found)


def page(name):
    """The text of a page."""
    return (ROOT / "book" / "md" / f"{name}.md").read_text("utf-8")


def demonstrated(draw, count=200):
    """What so many demonstrations draw."""
    rng = np.random.default_rng(0)
    return [draw(rng) for _ in range(count)]


def dimensions(cases):
    """The dimensions of those with a linear kernel."""
    return {np.linalg.matrix_rank(x.K) for x in cases if "linear" in x.name}


def lengths(case):
    """The squared lengths of the points, as shares of the shortest."""
    return np.diag(case.K) / np.diag(case.K).min()


def spread_of_the_suite():
    """The orders of magnitude by which a diagonal of the suite varies, draw by draw."""
    for seed in range(5):
        some = [np.diag(x.K) for x in suite.stress_suite(np.random.default_rng(seed))]
        yield max(np.log10(x.max() / x.min()) for x in some if x.min() > 0)


def asked_by_a_certificate():
    """The entries of K that a certificate asks for, and the number of points."""
    K = kernels.rbf(np.random.default_rng(0).standard_normal((40, 3)))
    near = lowrank.nystrom(K, sampling.uniform(K, 5, np.random.default_rng(1)))
    before = K.entries_asked
    certificates.trace_certificate(K, near)
    return K.entries_asked - before, K.n


def outcome_of(*words):
    """The outcome of a theorem whose claims have these, and nothing else is wrong."""
    some = SimpleNamespace(
        results=[SimpleNamespace(outcome=word) for word in words],
        derivation="", control_refuted=True, printed_refuted=None,
    )
    return verdict.Verdict.outcome.fget(some)


def grades_of_a_box(*evidence):
    """What the line of a verdict says of claims with these grades."""
    some = SimpleNamespace(
        results=[SimpleNamespace(evidence=each) for each in evidence],
        reason="", outcome="verified",
    )
    return verdict.Verdict.mark.fget(some)


def undecided_alone():
    """What is said of a claim of which nothing was decided, and nothing violated."""
    return results.Result("a", "", "inequality", "", decided=0, undecided=60).lacking


QUICK, FULL = (vars(verification.EFFORTS[effort]) for effort in ("quick", "full"))
VERDICT = "nystheory/engine/trial/verdict.py"
REGISTER = "tests/book/test_register.py"
STEPS = "nystheory/engine/trial/steps.py"
WORDS = "tests/engine/test_words_of_theorems.py"
# Words of a text, and what the code says of them; a string says why it says nothing.
FACTS = {
    README: {
        "on at least fifty cases, or says beside its verdict why fewer are enough": (
            lambda: results.ENOUGH == 50
        ),
        "All five sources": lambda: len(test_sources_done.SOURCES) == 5,
        "two displayed inequalities, the lines of code that verify it, and the "
        "verdict, both claims verified and three false controls": "of a picture",
        "Python 3.11 to 3.15": lambda: (
            [test_repository.pythons()[k] for k in (0, -1)] == ["3.11", "3.15"]
        ),
        "CI stops after 80 minutes": lambda: (
            constant(".ci/run", r"kill-after=\d+ (\d+)") == 80 * 60
            and constant(".ci/run", r"under (\d+) minutes") == 80
        ),
        "searches more than four times as long": lambda: all(
            FULL[k] > 4 * QUICK[k] for k in ("random", "local", "exact", "chances")
        ),
        "starts it from three seeds that nobody has seen": lambda: (
            "`--fresh 3` starts" in TEXTS[README]
        ),
        "3000 points to 1000": "an example",
        "a theorem in twenty lines": lambda: (
            "## A new theorem, in twenty lines" in TEXTS[GUIDE]
        ),
        "and never the answer": "test_grading.py",
        "In the student's each solution is an empty cell to work in": empty_to_work_in,
        "The instructor's has every solution open": every_solution_open,
        "This writes a student's copy of a chapter and an instructor's": lambda: (
            copied("student") and copied("instructor")
        ),
        "NumPy, SciPy, SymPy, python-flint, scikit-learn, joblib, threadpoolctl, tqdm, "
        "Matplotlib and Pillow, and none of the book's tools": lambda: brought(
            "NumPy, SciPy, SymPy, python-flint, scikit-learn, joblib, threadpoolctl, "
            "tqdm, Matplotlib and Pillow"
        ),
        "takes `\"scale\"`, one over the number of coordinates times the variance": (
            lambda: np.isclose(
                kernels.rbf(np.eye(3, 2)).parameters["gamma"],
                1 / (2 * np.eye(3, 2).var()),
            )
        ),
        "`--only coherence` prints one chapter": lambda: (
            '"--only"' in (ROOT / "book" / "pdf.py").read_text("utf-8")
        ),
        "brings approximate neighbours": lambda: (
            large().startswith("faiss")
        ),
        "`TQDM_DISABLE=1` in the environment, switches all of them off": (
            "test_what_is_kept.py"
        ),
        "plans for one session, four hours, twelve hours and a term": "test_course.py",
        "# how good it surely is, from n entries": lambda: (
            len({*asked_by_a_certificate()}) == 1
        ),
        "# what the choice cost, of a million entries": lambda: (
            "standard_normal((1000, 3))" in TEXTS[README] and 1000**2 == 1e6
        ),
        "guarantees.columns(K, 0.01)  # how many columns each asks for until 1 % is "
        "missed": lambda: "until the error is a share" in guarantees.columns.__doc__,
    },
    GUIDE: {
        "four views of one thing": "the page, the notebook, the ledger, the calculator",
        "three floors": lambda: (
            len(re.findall(r"(?m)^    the \w+ {2,}", TEXTS[GUIDE])) == 3
        ),
        "a theorem is three things": lambda: "\n3. its row" in TEXTS[GUIDE],
        "A new theorem, in twenty lines": "test_contributing.py",
        "four fifths of it are pages that were replaced": "measured once",
        "two to five sentences": "advice",
        "ten lines of plain NumPy": "advice",
        "is changed by a hundredth": "test_boxes.py",
        "operations to a third": "test_boxes.py",
        "takes about 20 minutes, at most 24; all paths take at most ten hours, those "
        "of Parts I to V at most seven": lambda: (
            (test_minutes.PATH, test_minutes.ALL, test_minutes.FIRST)
            == (24, 10 * 60, 7 * 60)
        ),
        "about 45 minutes of reading, at most 50": lambda: (
            constant(REGISTER, r"minutes\(words\) <= (\d+)") == 50
        ),
        "words / 130, a quarter of a minute for a displayed formula or a quiz, one for "
        "an exercise": lambda: (
            portable.WORDS_A_MINUTE,
            portable.FORMULA_MINUTES,
            portable.EXERCISE_MINUTES,
        )
        == (130, 0.25, 1),
        "in at most 12 lines of 79 columns": lambda: (
            (test_repository.CELL_LINES, test_repository.CELL_COLUMNS) == (12, 79)
        ),
        "no letter below eight points": lambda: test_repository.SMALLEST_FONT == 8,
        "numbers to a twentieth": lambda: compared.SHARE == 1 / 20,
        "who changes 3000 to 1000": "an example",
        "*at most* is not said of a minimum": "test_comparisons.py",
        "at most three displays stay open": lambda: (
            constant(REGISTER, r"len\(shown\) <= (\d+)") == 3
        ),
        "`eigenvalues(A)` of a symmetric matrix are a vector, the largest first": (
            "test_lines.py"
        ),
        "its place counts from 0 in a line and from 1 in the formula": "test_lines.py",
        "three axes are a list of matrices": "test_worlds.py",
        "an integer of two digits": "test_words_of_theorems.py",
        "the texts of the five sources": lambda: len(test_quotations.FILES) == 5,
        "by a factor of at most ten, and not to 0": lambda: (
            constant(WORDS, r"FARTHEST = (\d+)") == 10
        ),
        "the four questions that decide it": lambda: (
            len(re.findall(r"(?m)^\d\. ", page("errata"))) == 4
        ),
        "Every claim has at least one": "test_register.py",
        "on ten draws of each data set": lambda: parts.FEWEST_DRAWS == 10,
        "which must fail on at least one of its data sets": "test_findings.py",
        "above 100 percent proves nothing": "test_findings_stored.py",
        "and never the points of the test": "test_findings.py",
        "comes within a tenth of equality": lambda: (
            constant("tests/book/test_steps.py", r"NEAR = (0\.\d+)") == 1 - 1 / 10
        ),
        "an identity grows by a hundredth": lambda: (
            constant(STEPS, r"ast.Constant\((1\.\d+)\)") == 1 + 1 / 100
        ),
    },
    READING: {
        "and it never failed": "the first cells of the page",
        "thirty random points in one to five dimensions": lambda: (
            {x.n for x in demonstrated(planted.demo)} == {30}
            and dimensions(demonstrated(planted.demo)) == {1, 2, 3, 4, 5}
        ),
        "up to fifteen columns": lambda: (
            max(len(x.landmarks) for x in demonstrated(planted.demo)) == 15
        ),
        "what is the largest ratio of the left side to the right?": "a question",
        "The largest ratio of the left side to the right side": "an expression",
        "Think of twenty equal points": lambda: planted.FLIPPED.n == 20 + 1,
        "the first cluster is far heavier than the lone point": lambda: (
            19 < np.divide(*np.linalg.eigvalsh(planted.FLIPPED.K)[[-1, -2]]) < 20
        ),
        "from two or three orthogonal clusters of random sizes, whose lengths differ "
        "by one percent at most": lambda: (
            max(lengths(x).max() for x in demonstrated(planted.clusters)) <= 1.01**2
        ),
        "tested in up to four ways": lambda: "\n4. **Its controls" in TEXTS[READING],
        "only if less than $\\frac14$ of its cases is undecided": lambda: (
            results.BLURRED_SHARE == 1 / 4
        ),
        "varies by more than ten orders of magnitude": lambda: (
            10 < min(spread_of_the_suite()) < 11
        ),
        "the search is for the largest chance of failure": "test_verify.py",
        "Each claim brings along at least one": "test_register.py",
        "the largest share of it that any case reached": "test_verify.py",
        "If four tenths of it were reached and nine tenths refuted": "an example",
        "A thousand random matrices agree with a claim": "an example",
        "Where less than $\\frac13$ of both was ever met": lambda: (
            constant("tests/engine/test_verify.py", r"LARGEST_FACTOR = (\d+)") == 3
        ),
        "words over 130, a quarter of a minute for each displayed formula and each "
        "question, and one minute for each exercise": lambda: (
            portable.WORDS_A_MINUTE,
            portable.FORMULA_MINUTES,
            portable.EXERCISE_MINUTES,
        )
        == (130, 0.25, 1),
        "Undecided is not evidence, and it never counts as held": lambda: (
            undecided_alone() == "few cases"
        ),
        "is one of five words": lambda: len(style.OUTCOMES) == 5,
        "The first three are good": lambda: (
            results.GOOD == tuple(style.OUTCOMES)[:3]
        ),
        "a theorem has the weakest outcome of its claims": lambda: (
            outcome_of("verified", "consistent", "certified") == "consistent"
        ),
        "Three more words": lambda: all(
            f'return "{word}"' in (ROOT / VERDICT).read_text("utf-8")
            for word in re.findall(r"\*([\w ]+ (?:refuted|broken))\*", TEXTS[READING])
        ),
        "the largest ratio of what was observed to what was promised; at 1 the bound "
        "is attained": "test_verify.py",
        "could be shrunk to a tenth": "an example",
        "there are ten draws or more": lambda: parts.FEWEST_DRAWS == 10,
        "and must fail on at least one data set": "test_findings.py",
        "on three unseen seeds each": lambda: (
            "count([*experiments], 3)" in page(READING.removesuffix(".md"))
        ),
        "or those of the weakest": "test_report.py",
        "to 30 digits": lambda: (
            constant("nystheory/exact/relations.py", r"arb\(10\) \*\* -(\d+)") == 30
        ),
        "balls can refute an equation, they never prove one": "test_enclosures.py",
        "First come the grades that every claim of the box has; those after *in part* "
        "belong to some of its claims": lambda: (
            grades_of_a_box(["exact", "stress suite"], ["stress suite"])
            == "stress suite; in part exact"
        ),
        "are counted together in a chapter, figures and exercises each for "
        "themselves": each_for_itself,
        "with probability below one in a million": lambda: (
            statistics.FALSE_ALARMS <= 1e-6
        ),
        "keep four weights apart": lambda: len(claims.WEIGHTS) == 4,
        "hide a violation of a tenth of a percent": lambda: lines.BLURRED == 0.1 / 100,
        "With 1.99 in place of 1.8": lambda: (
            "1.8" in planted.CONSTANT_TOO_SMALL.claims["spectral"].line
        ),
    },
}


# ---- Each is in the text, and true

PAIRS = [(name, words) for name, facts in FACTS.items() for words in facts]


@pytest.mark.parametrize(("name", "words"), PAIRS, ids=lambda each: each[:40])
def test_a_guide_says_what_the_code_does(name, words):
    told = FACTS[name][words]
    assert TEXTS[name].count(words) == 1, "enter the new words with what they say"
    if isinstance(told, str):
        if told.endswith(".py"):
            assert [*ROOT.glob(f"tests/*/{told}")], told
    else:
        assert told()


def test_most_facts_are_computed():
    some = [told for facts in FACTS.values() for told in facts.values()]
    assert sum(map(callable, some)) > 0.5 * len(some)


@pytest.mark.parametrize("name", [README, GUIDE])
def test_a_command_does_what_is_said_behind_it(name):
    """A comment has a word of the command's own help."""
    assert not unlike_their_help(TEXTS[name])


def test_another_comment_is_seen():
    told = "python -m nystheory where X  # every false claim"
    assert unlike_their_help(told) and not unlike_their_help(f"{told}, its file")


# ---- What was measured once


def measured():
    """The rows of the table of times, and the numbers of the words below it."""
    path = ROOT / "tests" / "benchmarks" / "measured.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def in_readme(text):
    """The times of the table with their work, and sentences that have a number."""
    rows = re.findall(r"^\| (.*) \| (.*) s \| (.*) s \| \S+ \|$", text, re.M)
    below = text.partition("\n\nThe four rows on")[2].partition("\n\n## Cite")[0]
    said = re.split(r"(?<=[.;]) ", f"The four rows on{below}")
    return rows + [(each,) for each in said if re.search(r"\d", each)]


def test_what_was_measured_is_what_was_noted():
    """Who measures anew writes both."""
    assert in_readme(TEXTS[README]) == measured()


def seconds(row):
    """Ours and theirs, of the rows of the table with these words and the next ones."""
    table = TEXTS[README][TEXTS[README].index(row) :]
    found = re.findall(r"\| (float\d\d) \| (\S+) s \| (\S+) s \|", table)
    return {kind: (float(ours), float(theirs)) for kind, ours, theirs in found[1::-1]}


COORDINATES = seconds("the hinge loss on 1,000")["float64"][0]
PEGASOS = seconds("the same by ten passes of Pegasos")["float64"][0]
AS_IT_COMES = seconds("ridge regression as it comes")["float32"]
FASTER = {"coordinates": PEGASOS / COORDINATES, "pegasos": COORDINATES / PEGASOS}
SIDES = {
    'for speed take `solver="[coordinates|pegasos]"`': lambda name: FASTER[name] > 2,
    "Pegasos is [slower|faster], the method of the paper": {
        "slower": PEGASOS > COORDINATES,
        "faster": PEGASOS < COORDINATES,
    },
    "In float32 the default, random pivots, is [slower|faster] than": {
        "slower": AS_IT_COMES[0] > AS_IT_COMES[1],
        "faster": AS_IT_COMES[0] < AS_IT_COMES[1],
    },
}


def test_what_is_faster_by_the_table_is_said_to_be():
    """Words of the README that could be exchanged, by the seconds of its table."""
    assert complaints(SIDES, " ".join(TEXTS[README].split())) == []


def test_a_ratio_of_the_table_is_the_quotient_of_its_row():
    """To the one digit after the point that it shows."""
    found = re.findall(r"^\| .* \| (.*) s \| (.*) s \| (\S+) \|$", TEXTS[README], re.M)
    rows = [tuple(map(float, row)) for row in found]
    assert len(rows) > 10
    wrong = [row for row in rows if abs(row[1] / row[0] - row[2]) > 0.05]
    assert not wrong, f"ours, theirs, ratio: {wrong}"


# ---- No number stands alone

COUNTED = (
    "three four five six seven eight nine ten eleven twelve fifteen twenty thirty "
    "forty fifty sixty seventy eighty ninety hundred thousand million billion half "
    "third thirds quarter quarters fifth fifths tenth tenths twentieth hundredth twice "
    "double never always weakest strongest largest smallest fewest"
).split()
SAID = re.compile(
    rf"(?<![\w.])(?:{'|'.join(COUNTED)}|at most|at least|less than|more than"
    r"|\d[\d.,]*)\b",
    re.I,
)
# Code, expressions, links, headings, a list's numbers; a table of measured times.
UNREAD = re.compile(
    r"^(?:`{3,}).*?^`{3,}$|^---\n.*?^---$|\{\{.*?\}\}|`[^`\n]*`|^#.*?$|^ *\d\. "
    r"|\]\([^)]*\)|^    .*?$|Theorem 5\.2|^\$\$$.*?^\$\$$|^\| .*\|$",
    re.M | re.S,
)
# Where the words below the table of times stand.
NOTED = re.compile(r"## Measure the speed.*", re.S)
# What else has a number: a name, a date, an example that the sentence explains.
NAMES = re.compile(
    r"28 November 2026|took 31 minutes with little else on the machine, and 47 beside"
    r"|\(2\.13\)|\$k = 1\$|constant is \$2\$|constant 2 is in inequality \(5\.3\)"
    r"|vector 0, \.\.\., m - 1|Talwalkar 2010"
)


def alone(name):
    """The numbers of a text that stand in no fact, with the words around them."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])

    text = NOTED.sub(blank, TEXTS[name])
    for words in FACTS[name]:
        text = text.replace(words, re.sub(r"[^\n]", " ", words))
    text = NAMES.sub(blank, UNREAD.sub(blank, text))
    return [TEXTS[name][x.start() - 30 : x.end() + 30] for x in SAID.finditer(text)]


@pytest.mark.parametrize("name", FACTS)
def test_a_number_of_a_guide_stands_in_a_fact(name):
    """Enter it in FACTS with what the code says."""
    assert alone(name) == []


def test_a_number_that_stands_alone_is_seen(monkeypatch):
    monkeypatch.setitem(TEXTS, GUIDE, f"{TEXTS[GUIDE]}\nIt takes seven minutes.\n")
    assert len(alone(GUIDE)) == 1
    monkeypatch.setitem(FACTS, GUIDE, dict.fromkeys([*FACTS[GUIDE]][1:]))
    assert len(alone(GUIDE)) == 2
