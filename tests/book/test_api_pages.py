"""The pages of the package: what is listed at their heads, sources and signatures."""

import importlib.util
from pathlib import Path

import nystheory
from nystheory import lowrank, sampling

PATH = Path(nystheory.__file__).parents[1] / "book" / "_ext" / "pages.py"
SPEC = importlib.util.spec_from_file_location("pages_of_the_package", PATH)
pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pages)


def told(text):
    lines = text.split("\n")
    pages.docstring(None, "function", "some", None, None, lines)
    return lines


def test_bars_in_code_are_not_escaped():
    assert told("``1 + |F|^2 / alpha`` and |F|") == [
        "``1 + |F|^2 / alpha`` and \\|F|",
    ]


def test_a_source_is_one_paragraph():
    assert told('  .. [1] A. B, "C", PhD\n     thesis, 2010.\n\n  More.') == [
        '  [1] A. B, "C", PhD',
        "  thesis, 2010.",
        "",
        "  More.",
    ]


def test_two_sources_are_two_paragraphs():
    assert told(".. [1] A.\n.. [2] B,\n   2010.") == ["[1] A.", "", "[2] B,", "2010."]


def test_a_page_begins_with_what_the_room_has():
    lines = []
    pages.docstring(None, "module", "nystheory.lowrank", lowrank, None, lines)
    listed = [line for line in lines if line.startswith("* ")]
    assert listed[0].startswith("* :py:obj:`~nystheory.lowrank.best_rank_k`: The best")
    assert sum("Factored" in line for line in listed[:6]) == 0
    assert len(listed) == len(lowrank.__all__)
    assert not any("[1]" in line or line.endswith(" of") for line in listed)


def test_a_signature_shows_what_a_user_may_pass():
    said, _ = pages.signature(
        None, "class", "", lowrank.LowRank, None, "(_pairs)", None
    )
    assert said == "(method, n, landmarks, rank_requested, rank, below, kernel=None)"
    same = pages.signature(None, "class", "", sampling.Landmarks, None, "(x)", None)
    assert same is None or "_" not in same[0].replace("entries_asked", "")
    made = "(world=<class 'nystheory.engine.Instance'>, claims=<factory>)"
    said, _ = pages.signature(None, "class", "", sampling.Landmarks, None, made, None)
    assert said == "(world=Instance, claims=...)"
