"""The two-way gate: the statements in the book and the registry are the same."""

import csv
import importlib.util
from pathlib import Path

import pytest
import yaml
from statements_of_texts import ROOT, STATED, TEXTS, faults, loose, proved, surprises

from nystheory.chapters import theorems

_spec = importlib.util.spec_from_file_location(
    "make_notebooks", ROOT / "book" / "make_notebooks.py"
)
make_notebooks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_notebooks)

with open(ROOT / "nystheory" / "chapters" / "register.csv", encoding="utf-8") as file:
    REGISTER = list(csv.DictReader(file))
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
# The chapters by their part: what comes after "Part" in its caption.
PARTS = {
    Path(page["file"]).name: part["caption"].split()[1].rstrip(":")
    for part in TOC["parts"]
    if part["caption"].startswith("Part")
    for page in part["chapters"]
}
CHAPTERS = [*PARTS]


@pytest.mark.parametrize("row", REGISTER, ids=lambda row: row["id"])
def test_every_row_of_the_register_is_a_theorem(row):
    theorem = theorems[row["id"]]
    assert (theorem.kind, theorem.status) == (row["kind"], row["status"])
    assert PARTS[theorem.chapter] == row["part"], "another part than in _toc.yml"


def test_no_theorem_is_extra():
    assert [t.id for t in theorems.values()] == [row["id"] for row in REGISTER]


def test_every_block_is_what_an_object_says():
    """Nothing more, nothing less, and no block without an object."""
    assert faults(STATED) == []


@pytest.mark.parametrize("name", TEXTS)
def test_the_insides_of_the_boxes_are_written_by_the_objects(name):
    """Run python book/make_notebooks.py NAME when this fails."""
    same = make_notebooks.stated(TEXTS[name]) == TEXTS[name]
    assert same, "a box says something else than its object"


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_hidden_and_no_result_stands_outside_a_block(name):
    assert surprises(TEXTS[name]) + loose(TEXTS[name]) == []


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_is_stated_once_and_proved_there(theorem):
    """The run itself says whether it was verified there: see conftest."""
    found = [b for b in STATED if b.label == theorem.label]
    assert len(found) == 1, f"{theorem.label} is stated {len(found)} times"
    assert theorem.label in proved(TEXTS[found[0].chapter]), "no proof after the box"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_folder_holds_what_its_chapter_states(chapter):
    """In the same order, so that whoever reads one finds the other."""
    stated = [block.label for block in STATED if block.chapter == chapter]
    assert [theorem.label for theorem in theorems.chapter(chapter)] == stated


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
