"""The two-way gate: the statements in the book and the registry are the same."""

import csv
import re
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

BLOCK = re.compile(
    r"^(:{3,}|`{3,})\{prf:(?!proof|algorithm)(\w+)\}[^\n]*\n(.*?)^\1\s*$", re.M | re.S
)


def statements():
    """Every numbered statement of the book: chapter, label and body."""
    for chapter, text in TEXTS.items():
        for _, _, body in BLOCK.findall(text):
            label = re.search(r"^:label: (\S+)$", body, re.M)
            yield chapter, label and label[1], body


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


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_is_stated_once_and_verified_there(theorem):
    """Its chapter states it in the words of the object, proves it and asserts it."""
    found = [(c, body) for c, label, body in statements() if label == theorem.label]
    assert len(found) == 1, f"{theorem.label} is stated {len(found)} times"
    chapter, body = found[0]
    assert folded(theorem.statement) in folded(body)
    text = TEXTS[chapter]
    stem = theorem.label.split("-", 1)[1]
    assert f"(proof-{stem})=" in text or f"(proof-{theorem.label})=" in text
    assert f'theorems["{theorem.id}"]' in text
    assert "assert verdict" in text


@pytest.mark.parametrize("folder", CHAPTERS, ids=lambda folder: folder.__name__)
def test_a_folder_holds_what_its_chapter_states(folder):
    """In the same order, so that whoever reads one finds the other."""
    chapter = folder.__name__.rpartition(".")[2]
    stated = [label for c, label, _ in statements() if c == chapter]
    assert [theorem.label for theorem in folder.THEOREMS] == stated


def test_every_statement_of_the_book_is_a_theorem():
    strangers = [(c, label) for c, label, _ in statements() if label not in BY_LABEL]
    assert strangers == []


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_has_a_control(theorem):
    assert theorem.controls


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_what_is_called_wrong_comes_with_a_counterexample(theorem):
    if theorem.status in ("corrected", "misprint", "refuted"):
        assert theorem.printed
    told = theorem.printed
    for printed in told.values() if isinstance(told, dict) else told:
        assert printed.instance is not None
        assert len(printed.why) > 80
