"""What a docstring says of a number of its source: an equation, a section, a theorem.

`sources_of_docstrings.csv` has each number that a docstring names, whose it is, and the
words that stand there.  Where `NYSTHEORY_SOURCES` names a folder with the sources that
are at hand, they are looked up: of an equation before its number, of another after it.
"""

import csv
import inspect
import os
import re
from functools import cache
from pathlib import Path

import pytest
from test_public_face import ROOMS, classes, functions

HERE = Path(__file__).parent
SOURCES = {
    "thesis": "talwalkar-2010-thesis.txt",
    "ding2019": "ding-2019-kernel-selection.txt",
    "dellavecchia2024": "della-vecchia-nystrom-convex-losses.txt",
    "yang2012": "yang-2012-nystrom-vs-rff.json",
}
NOT_AT_HAND = {"rasmussen2006", "luxburg2007", "rudi2018", "musco2017", "rahimi2007"}
KINDS = "section|chapter|figure|table|theorem|proposition|definition|corollary"
KINDS += "|algorithm|step"
NUMBER = r"\d+(?:\.\d+)*"
NAMED = re.compile(
    rf"\b({KINDS})s? ({NUMBER}(?:(?:, | and | to ){NUMBER})*)\b", re.IGNORECASE
)
EQUATION = re.compile(r"(?<![\w,\]])\((\d+(?:\.\d+)?)\)")
# It counts its own arguments.
ITS_OWN = {"guarantees.effective_dimension"}
SHOWN = re.compile(r"^Examples\n-+\n.*?(?=^References\n-+\n|\Z)", re.M | re.S)


def numbers(doc):
    """Kinds and numbers that a docstring names, as "section 4.3" or "(2.2)"."""
    doc = " ".join(SHOWN.sub("", doc).split())
    for kind, found in NAMED.findall(doc):
        for number in re.findall(NUMBER, found):
            yield f"{kind.lower()} {number}"
    for number in EQUATION.findall(doc):
        yield f"({number})"


@cache
def named():
    """All of them, with the docstring's name."""
    return {
        (name, number)
        for room in ROOMS
        for name, thing in [*functions(room), *classes(room)]
        if name not in ITS_OWN
        for number in numbers(inspect.getdoc(thing) or "")
    }


@cache
def table():
    path = HERE / "sources_of_docstrings.csv"
    return [*csv.DictReader(path.read_text("utf-8").splitlines())]


def test_each_number_of_a_source_is_listed_and_no_other():
    listed = {(row["docstring"], row["number"]) for row in table()}
    assert sorted(named() - listed) == [] and sorted(listed - named()) == []


def test_sources_have_names_and_words():
    for row in table():
        assert row["source"] in {*SOURCES, *NOT_AT_HAND}, row
        assert row["words"] or row["source"] in NOT_AT_HAND, row


@cache
def text(source):
    folder = Path(os.environ["NYSTHEORY_SOURCES"])
    found = (folder / SOURCES[source]).read_text("utf-8").replace("\\n", " ")
    return " ".join(found.split())


def places(number, source):
    """What stands beside a number: before an equation, and after another."""
    if number.startswith("("):
        ends = [x.end() for x in re.finditer(re.escape(number), text(source))]
        ends += [
            x.end() for x in re.finditer(rf"\\tag{{{number[1:-1]}}}", text(source))
        ]
        return [text(source)[max(0, end - 500) : end] for end in ends]
    kind, value = number.split()
    heads = {"section": "", "chapter": "", "step": ""}.get(kind, f"{kind.title()} ")
    pattern = rf"(?<![\d.]){heads}{re.escape(value)}(?![\d]|\.\d)"
    return [
        text(source)[x.start() : x.start() + 300]
        for x in re.finditer(pattern, text(source))
    ]


def stands(words, number, source):
    """A heading begins with its number, and another has the words near by."""
    heading = number.startswith(("section", "chapter", "step"))
    return any(
        x.startswith(words) if heading else words in x for x in places(number, source)
    )


@pytest.mark.skipif("NYSTHEORY_SOURCES" not in os.environ, reason="no sources at hand")
def test_the_words_stand_at_the_number():
    wrong = [
        row
        for row in table()
        if row["source"] in SOURCES
        and not stands(row["words"], row["number"], row["source"])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("doc", "found"),
    [
        ("Equations (2.2), (2.3): sections 3.2 and 5.3.1.",
         ["section 3.2", "section 5.3.1", "(2.2)", "(2.3)"]),
        ("A length of 2.5 (3 points), f(2), x[0] (n, 2).", []),
        ("Algorithms 1 and 2 of the source", ["algorithm 1", "algorithm 2"]),
    ],
)
def test_numbers_are_seen(doc, found):
    assert [*numbers(doc)] == found
