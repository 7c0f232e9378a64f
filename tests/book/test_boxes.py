"""Algorithm boxes: each runs, and gives what the function of the package gives."""

import csv
import math
import re
from pathlib import Path

import boxes_of_columns  # noqa: F401  enters what runs them
import boxes_of_learners  # noqa: F401
import labels
import make_notebooks
import pytest
import work_of_boxes  # noqa: F401
from running_boxes import DRIVERS, WORK

LABELS = labels.read()
BOXES = {
    box.label: box
    for path in sorted((make_notebooks.BOOK / "md").glob("*.md"))
    if "{algorithm}" in path.read_text("utf-8")
    for box in make_notebooks.boxes(path.stem, found=LABELS)
}
STATED = [label for label, box in BOXES.items() if box.steps]


@pytest.mark.parametrize("label", STATED)
def test_a_box_gives_what_the_package_gives(label):
    run = BOXES[label].run()
    DRIVERS[label](run)
    every = {
        (number, place)
        for number, some in BOXES[label].steps.items()
        for place in range(len(some))
    }
    assert run.done == every, f"never run: {every - run.done}"


@pytest.mark.parametrize("label", STATED)
def test_each_line_of_a_box_with_one_thing_changed_falls(label):
    """Else what is compared would see no error in it."""
    unseen = []
    for text, changed in BOXES[label].changed():
        try:
            DRIVERS[label](changed.run())
        except (AssertionError, IndexError, ValueError):
            continue
        unseen.append(text)
    assert not unseen


def test_what_runs_a_box_has_one():
    assert {*DRIVERS} == {*STATED}


COSTLY = [label for label, box in BOXES.items() if box.costs]


@pytest.mark.parametrize("label", COSTLY)
def test_a_cost_grows_as_what_is_counted(label):
    """Entries and plain counts are held to their factor, others to their growth."""
    count, sizes = WORK[label]
    grown = [sizes, *({**sizes, name: 4 * sizes[name]} for name in sizes)]
    counted = [count(**each) for each in grown]
    for place, (what, line) in enumerate(BOXES[label].costs):
        told = [BOXES[label].cost_of(line, each) for each in grown]
        ratios = [own[place] / one for own, one in zip(counted, told, strict=True)]
        assert max(ratios) < 2 * min(ratios), f"{line}: {ratios}"
        if not line.startswith("O("):
            near = 0.03 if what == "entries" else 0.35
            assert all(abs(math.log(r)) < near for r in ratios), f"{line}: {ratios}"


def test_what_counts_a_cost_has_one():
    assert {*WORK} == {*COSTLY}


# Formulas of boxes that are typed and compute: how many, and why they are no lines.
TYPED = Path(__file__).with_name("typed_in_boxes.csv")
_BOX = re.compile(r":::\{algorithm\} (\S+)(.*?)\n:::\n", re.S)
_COMPUTES = re.compile(r"\\(?:frac|sqrt|sum|prod|log)|\\operatorname|[+*/^-]|\\\|")
# A letter with its size, a product of two letters, an inverse that is not taken.
_SAYS = re.compile(r".* \\in \\mathbb R.*|\w\^\\top \w|P\^\{-1\}|n \|I\||[kl] [+-] 1")


def typed(text):
    """Formulas of the boxes of a text that compute, by label."""
    found = {}
    for label, inside in _BOX.findall(text):
        words = re.sub(r"\{\w+\}`[^`]*`", "", inside)
        some = re.findall(r"\$([^$]+)\$", words)
        each = [f for f in some if _COMPUTES.search(f) and not _SAYS.fullmatch(f)]
        found |= {label: each} if each else {}
    return found


def test_a_formula_of_a_box_is_a_line_or_stands_in_the_list():
    texts = [path.read_text("utf-8") for path in (make_notebooks.BOOK / "md").glob("*")]
    found = {label: some for text in texts for label, some in typed(text).items()}
    with TYPED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    counted = {label: len(some) for label, some in found.items()}
    assert {row["algorithm"]: int(row["formulas"]) for row in rows} == counted, found
    assert all(re.fullmatch(r"[a-z].{6,80}", row["reason"]) for row in rows)
    lines = sum(len(some) for box in BOXES.values() for some in box.steps.values())
    costs = sum(len(box.costs) for box in BOXES.values())
    assert 5 * sum(counted.values()) < lines + costs
