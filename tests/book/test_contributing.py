"""The example of the developers' guide runs, and names and numbers are the code's."""

import importlib
import re
import tomllib
from pathlib import Path

import portable
import pytest
import test_repository

import nystheory
from nystheory.chapters import theorems
from nystheory.engine.language import claims, functions
from nystheory.engine.worlds import quantities

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.M | re.S)


def test_the_example_is_a_good_theorem_in_twenty_lines():
    names = {}
    for block in BLOCKS:
        exec(block, names)
    assert names["verdict"].control_refuted
    code = [line for line in BLOCKS[0].splitlines() if line.strip()]
    assert len(code) <= 20


def test_every_path_of_the_guide_exists():
    for path in re.findall(r"`((?:nystheory|book|tests)/[\w/.]*)", GUIDE):
        stem = path.split("CHAPTER")[0]
        assert (ROOT / stem).exists(), path


# --- Names and numbers of README, CHANGELOG and the guide -----------------------------

GUIDES = {
    name: (ROOT / name).read_text("utf-8")
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
}
ONES = "one two three four five six seven eight nine".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
IN_WORDS = {ten: 10 * k for k, ten in enumerate(TENS, 2)}
IN_WORDS |= {
    f"{ten}-{one}": tens + k
    for ten, tens in IN_WORDS.items()
    for k, one in enumerate(ONES, 1)
}


def places():
    """Where a name of the guides may be defined."""
    rooms = [importlib.import_module(f"nystheory.{room}") for room in nystheory.ROOMS]
    return [nystheory, *rooms, claims, quantities]


def unknown(text):
    """The functions and classes in backticks that the package does not have."""
    told = []
    for call in re.findall(r"`([A-Za-z_][\w.]*)\(", text):
        path = call.removeprefix("nystheory.").split(".")
        if call not in functions.FUNCTIONS and call not in ("mean", "chance"):
            if not any(_reached(place, path) for place in places()):
                told.append(call)
    return told


def _reached(place, path):
    for name in path:
        place = getattr(place, name, None)
    return place is not None


def wrong_counts(text):
    """Numbers of theorems that are not that of the registry."""
    found = re.findall(r"([\w-]+) theorems\b", text)
    numbers = [IN_WORDS.get(x, int(x) if x.isdigit() else 0) for x in found]
    return [number for number in numbers if number and number != len(theorems)]


@pytest.mark.parametrize("name", GUIDES)
def test_a_function_in_backticks_exists(name):
    assert unknown(GUIDES[name]) == []


@pytest.mark.parametrize("name", GUIDES)
def test_the_number_of_theorems_is_that_of_the_registry(name):
    assert wrong_counts(GUIDES[name]) == []


def test_what_a_cell_and_a_chapter_may_take_is_what_is_tested():
    lines, columns = test_repository.CELL_LINES, test_repository.CELL_COLUMNS
    assert f"in at most {lines} lines of {columns} columns" in GUIDE
    assert f"words / {portable.WORDS_A_MINUTE}," in GUIDE


def test_the_readme_names_what_the_package_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}
    told = re.search(r"This brings (.*?), and none", GUIDES["README.md"])[1]
    assert {x.lower() for x in re.split(r", | and ", told)} == needs


def test_another_name_or_number_is_seen():
    assert unknown("`dare(K)` tells") == ["dare"]
    assert unknown("`nystheory.lowrank.nothing(K)`") == ["nystheory.lowrank.nothing"]
    assert wrong_counts("ninety-nine theorems, 12 theorems") == [99, 12]
