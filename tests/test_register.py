"""The two-way gate: the statements in the book and the registry are the same."""

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from nystheory.theorems import CHAPTERS, theorems

ROOT = Path(__file__).resolve().parents[1]
TEXTS = {
    path.stem: path.read_text("utf-8")
    for path in sorted((ROOT / "book" / "md").glob("*.md"))
}
with open(ROOT / "tests" / "data" / "register.csv", encoding="utf-8") as file:
    REGISTER = list(csv.DictReader(file))

FENCE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<fence>:{3,}|`{3,})\{prf:(?P<kind>[\w-]+)\}(?P<title>.*)$"
)
# A result that has a number and no block: '**Theorem 99.**', '*Lemma 2.1*'.
LOOSE = re.compile(
    r"\*{1,2}(?:Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Observation)"
    r"\s+\(?\d"
)


@dataclass(frozen=True)
class Block:
    """A block of the book: where, of what kind, with what label, and what it says."""

    chapter: str
    kind: str
    title: str
    label: str
    body: str
    indented: bool


def blocks(chapter, text):
    """Every block of a text, however it is fenced and indented."""
    lines = text.splitlines()
    for start, line in enumerate(lines):
        found = FENCE.match(line)
        if not found:
            continue
        body = []
        for inner in lines[start + 1 :]:
            if inner.strip(" \t>") == found["fence"]:
                break
            body.append(inner)
        label = next(
            (x.split()[1] for x in body if x.strip().startswith(":label: ")), None
        )
        said = "\n".join(x for x in body if not x.startswith(":"))
        kind, title = found["kind"], found["title"].strip()
        yield Block(chapter, kind, title, label, said, bool(found["indent"]))


BLOCKS = [b for name, text in TEXTS.items() for b in blocks(name, text)]
STATED = [b for b in BLOCKS if b.kind != "proof"]


def folded(text):
    """The text with white space collapsed."""
    return " ".join(text.split())


BY_LABEL = {theorem.label: theorem for theorem in theorems.values()}


@pytest.mark.parametrize("row", REGISTER, ids=lambda row: row["id"])
def test_every_row_of_the_register_is_a_theorem(row):
    theorem = theorems[row["id"]]
    assert (theorem.part, theorem.kind, theorem.status) == (
        row["part"],
        row["kind"],
        row["status"],
    )


def test_no_theorem_is_extra():
    assert [t.id for t in theorems.values()] == [row["id"] for row in REGISTER]


def faults(stated):
    """What is wrong with the numbered blocks of the book, as sentences."""
    told = []
    for block in stated:
        theorem, place = BY_LABEL.get(block.label), f"{block.chapter}, {block.label}"
        if theorem is None:
            told.append(f"{place}: no registered object")
        elif block.indented:
            told.append(f"{place}: indented")
        elif folded(block.body) != folded(theorem.statement):
            told.append(f"{place}: says something else than the object")
        elif block.title != theorem.title:
            told.append(f"{place}: has another title than the object")
    return told


def test_every_block_is_what_an_object_says():
    """Nothing more, nothing less, and no block without an object."""
    assert faults(STATED) == []


@pytest.mark.parametrize(
    "planted",
    [
        ":::{prf:algorithm} A new one\n:label: alg-new\n\nDo it.\n:::",
        "  :::{prf:theorem} A new one\n  :label: thm-new\n\n  It is so.\n  :::",
        "- ````{prf:lemma}\n  It is so.\n  ````",
        "> :::{prf:theorem} A new one\n> It is so.\n> :::",
    ],
)
def test_a_block_without_an_object_is_seen(planted):
    planted = planted.replace("- ````", "  ````")
    assert faults(blocks("planted", planted))


def test_a_sentence_added_to_a_box_is_seen():
    right = next(b for b in STATED if b.label in BY_LABEL)
    assert faults([right]) == []
    assert faults([replace(right, body=right.body + "\nIt is never attained.")])


def test_no_result_stands_outside_a_block():
    found = {name: LOOSE.findall(text) for name, text in TEXTS.items()}
    assert {name: told for name, told in found.items() if told} == {}
    assert LOOSE.search("**Theorem 99.** Every matrix is good.")


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_is_stated_once_and_proved_there(theorem):
    """The run itself says whether it was verified there: see conftest."""
    found = [b for b in STATED if b.label == theorem.label]
    assert len(found) == 1, f"{theorem.label} is stated {len(found)} times"
    text = TEXTS[found[0].chapter]
    stem = theorem.label.split("-", 1)[1]
    proof = rf"^\(proof-(?:{re.escape(stem)}|{re.escape(theorem.label)})\)=\n+"
    assert re.search(proof + r"[:`]{3,}\{prf:proof\}", text, re.M), "no proof"


@pytest.mark.parametrize("folder", CHAPTERS, ids=lambda folder: folder.__name__)
def test_a_folder_holds_what_its_chapter_states(folder):
    """In the same order, so that whoever reads one finds the other."""
    chapter = folder.__name__.rpartition(".")[2]
    stated = [block.label for block in STATED if block.chapter == chapter]
    assert [theorem.label for theorem in folder.THEOREMS] == stated


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_has_a_control(theorem):
    assert theorem.controls


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_what_is_called_wrong_comes_with_a_counterexample(theorem):
    if theorem.status in ("corrected", "misprint", "refuted"):
        assert theorem.printed
    for printed in theorem.printed.values():
        assert printed.instance is not None
        assert len(printed.why) > 80
