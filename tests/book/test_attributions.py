"""Who is credited with what, and which number of a source is meant.

No computation knows who found a method. `attributed.csv` lists each citation of the
prose, and each number of a source, with the words on both sides of it. The table shows
that one of them changed, and not that it is true: who changes a key, a number or those
words reads the source, and makes the table anew,
``PYTHONPATH=book python tests/book/test_attributions.py``. A number that stands
beside a link to a result of its source is computed from neither: it is the result's.
"""

import csv
import re
from pathlib import Path

import pytest
from statements_of_texts import GROUP, TEXTS, UNSAID, sentences

from nystheory.chapters import theorems

TABLE = Path(__file__).with_name("attributed.csv")
CITED = re.compile(r"\{cite:[tp]\}`([^`]*)`")
# Words on each side.
BESIDE = 4
SECTION = r"(?:sections?|chapters?) \d[\d.]*(?: and \d[\d.]*)?"
NUMBERED = re.compile(rf"{GROUP.pattern}|{SECTION}", re.I)


def words(text):
    """The words of a text, with citations by their keys and links by their labels."""
    text = re.sub(r"\{\{.*?\}\}", "number", text)
    plain = re.sub(r"\{[\w:]+\}`([^`]*)`", r"\1", text)
    return re.findall(r"[\w$\\*:'^{}()/.-]+", plain)


def beside(sentence, found):
    """The words on both sides of a piece of a sentence."""
    before = words(sentence[: found.start()])[-BESIDE:]
    after = words(sentence[found.end() :])[:BESIDE]
    return " ".join(before), " ".join(after)


def rows_of(name, text):
    """Of each citation and each number of a source: page, what, the words beside it."""
    for each in sentences(text):
        for found in CITED.finditer(each):
            yield (name, found[1], *beside(each, found))
        plain = re.sub(r"\{\{.*?\}\}|`[^`]*`", lambda x: "x" * len(x[0]), each)
        for found in NUMBERED.finditer(plain):
            yield (name, found[0], *beside(each, found))


def listed():
    """The rows of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_citation_and_a_number_of_a_source_are_those_listed(name):
    here = [row for row in listed() if row[0] == name]
    assert [*rows_of(name, TEXTS[name])] == here, "read the source, then the table anew"


def test_an_exchanged_source_is_seen():
    text = "Farthest points are due to {cite:t}`one1985`, volumes to {cite:t}`two2001`."
    other = text.replace("one1985", "x").replace("two2001", "one1985")
    assert [*rows_of("a", text)] != [*rows_of("a", other)]
    one, other = (f"its Table 3.{each} says" for each in (1, 3))
    assert [*rows_of("a", one)] != [*rows_of("a", other)]


# --- Numbers beside links -------------------------------------------------------------

LINKED = re.compile(r"\{ref\}`(?:[^`<]*<)?([\w]+:[\w.-]+)>?`")
NUMBER_OF_ID = re.compile(r":(?:thm|prop|lem|cor|def|alg|obs|eq)-(\d+(?:\.\d+)*)")
# Where both are named and are two things.
APART = {}


def other_numbers(text):
    """Sentences that link one result of a source and say another number of its kind."""
    told = []
    for each in sentences(text):
        ids = [x for x in LINKED.findall(each) if x in theorems]
        ids = [x for x in ids if NUMBER_OF_ID.search(x)]
        said = re.findall(r"\((\d\.\d+)\)", UNSAID.sub(" ", each))
        if len(ids) == len(said) == 1 and ":eq-" in ids[0]:
            if NUMBER_OF_ID.search(ids[0])[1] != said[0]:
                told.append(each)
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_a_number_beside_a_link_is_that_of_the_result(name):
    assert other_numbers(TEXTS[name]) == []


if __name__ == "__main__":
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for page, text in TEXTS.items():
            writer.writerows(rows_of(page, text))
