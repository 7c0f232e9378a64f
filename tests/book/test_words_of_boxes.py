r"""The words of an algorithm box are tried, or stand in a list as they are.

`words_of_boxes` has phrases of steps with functions that try them.  Every other
sentence of a box, and each formula of its cost that nothing counts, stands in
`words_of_boxes.csv`.  The list shows that a sentence changed, and not that it is true:
who changes one looks at the code beside it, and makes the list anew,
``PYTHONPATH=book:tests/book python tests/book/test_words_of_boxes.py``.
"""

import csv
import re
from pathlib import Path

import make_notebooks
import pytest
from words_of_boxes import SAID

TABLE = Path(__file__).with_name("words_of_boxes.csv")
BOX = re.compile(r"^:::\{algorithm\} (\S+)[^\n]*\n(.*?)\n:::$", re.S | re.M)
MADE = re.compile(r"\{(?:line|cost)\}`[^`]*`")
TEXTS = {
    label: inside
    for path in sorted((make_notebooks.BOOK / "md").glob("*.md"))
    for label, inside in BOX.findall(path.read_text("utf-8"))
}


def sentences(inside):
    """The sentences of a box, without its numbers, its lines and its counted costs."""
    lines = [re.sub(r"^\s*(?:\d+\.|-) ", "", line) for line in inside.split("\n")]
    told = [x for line in lines for x in re.split(r"(?<=[.;]) ", line)]
    bare = (" ".join(MADE.sub("...", each).split()) for each in told)
    return [each for each in bare if re.search(r"[A-Za-z]", each)]


def untried(label):
    tried = [MADE.sub("...", phrase) for phrase in SAID.get(label, ())]
    some = sentences(TEXTS[label])
    return [each for each in some if not any(phrase in each for phrase in tried)]


def listed():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [(row["algorithm"], row["words"]) for row in csv.DictReader(file)]


def found():
    return [(label, words) for label in TEXTS for words in untried(label)]


def test_the_words_of_boxes_are_those_of_the_list():
    told, now = listed(), found()
    assert [each for each in now if each not in told] == []
    assert [each for each in told if each not in now] == []


TRIED = [(label, phrase) for label, some in SAID.items() for phrase in some]


@pytest.mark.parametrize("label, phrase", TRIED)
def test_a_phrase_is_said_and_is_so(label, phrase):
    assert phrase in TEXTS[label]
    assert SAID[label][phrase]()


if __name__ == "__main__":
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([("algorithm", "words"), *found()])
