"""The two-way gate: the statements in the book and the registry are the same."""

import csv
import re
from pathlib import Path

import labels
import make_notebooks
import nbformat
import portable
import pytest
import yaml
from statements_of_texts import (
    ROOT,
    TEXTS,
    box,
    faults,
    loose,
    proved,
    stated,
    surprises,
    unowned,
)

from nystheory.chapters import theorems

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


@pytest.fixture(scope="module")
def found():
    """The labels of the book, read once; a label in two places is an error."""
    return labels.read()


@pytest.mark.parametrize("row", REGISTER, ids=lambda row: row["id"])
def test_every_row_of_the_register_is_a_theorem(row):
    theorem = theorems[row["id"]]
    assert (theorem.kind, theorem.status) == (row["kind"], row["status"])
    assert PARTS[theorem.chapter] == row["part"], "another part than in _toc.yml"


def test_no_theorem_is_extra():
    assert [t.id for t in theorems.values()] == [row["id"] for row in REGISTER]


@pytest.mark.parametrize("row", REGISTER, ids=lambda row: row["id"])
def test_the_register_has_the_number_of_the_book(row, found):
    """Run python book/make_notebooks.py when this fails."""
    assert row["book"] == found.numbers[row["id"]] == theorems[row["id"]].book_number
    assert found[row["id"]].address == theorems[row["id"]].address


@pytest.mark.parametrize("name", TEXTS)
def test_every_box_is_that_of_an_object_of_its_chapter(name):
    assert faults(name, TEXTS[name]) == []


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_hidden_and_no_result_stands_outside_a_box(name):
    assert surprises(TEXTS[name]) + loose(TEXTS[name]) == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_number_of_a_result_is_a_link_or_has_an_owner(name):
    """{ref} for the book's; "the thesis's Theorem 5.2" for one of a source."""
    assert unowned(TEXTS[name]) == []


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_referred_to_exists(name, found):
    """Labels, sources, terms, listed functions, of the words and under figures."""
    raw = make_notebooks.from_text(make_notebooks.text_path(name))
    make_notebooks.wanted(name, raw, found)


@pytest.mark.parametrize("name", TEXTS)
def test_a_box_has_one_main_claim(name):
    """At most three displays are open, no two alike; variants fold under words."""
    for block in stated(TEXTS[name]):
        shown = re.findall(r"\$\$\n(.*?)\n\$\$", box(block)[""], re.S)
        assert len(shown) <= 3, f"{block.argument}: {len(shown)} displays"
        assert len(set(shown)) == len(shown), f"{block.argument}: two are alike"


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_is_stated_once_and_proved_there(theorem):
    """The run itself says whether it was verified there: see conftest."""
    places = [n for n, text in TEXTS.items() for b in stated(text) if _is(b, theorem)]
    assert places == [theorem.chapter], "expected one box, in the chapter of the object"
    assert theorem.id in proved(TEXTS[theorem.chapter]), "no proof after the box"


def _is(block, theorem):
    return block.argument == theorem.id


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_folder_holds_what_its_chapter_states(chapter):
    """In the order of the register, so that whoever reads one finds the other."""
    ids = [block.argument for block in stated(TEXTS[chapter])]
    assert [theorem.id for theorem in theorems.chapter(chapter)] == ids


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_takes_at_most_fifty_minutes(chapter):
    """Prose, displayed formulas and exercises, as the head of the page says."""
    notebook = nbformat.read(make_notebooks.notebook_path(chapter), as_version=4)
    words = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert portable.minutes(words) <= 50


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
