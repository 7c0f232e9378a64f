"""Which cells a reader of a page sees open, and what one hears when an assert falls."""

import ast
from functools import cache

import labels
import make_notebooks
import portable
import pytest

FOLDED = {"hide-input", "hide-cell"}


@cache
def numbered():
    """All labels of the book; reading every text takes seconds."""
    return labels.read()


@cache
def code(name):
    """The cells of code of a page as they are shown."""
    raw = make_notebooks.from_text(make_notebooks.text_path(name))
    made = make_notebooks.written(name, raw, numbered(), lambda *_: "7")
    return [cell for cell in made.cells if cell.cell_type == "code"]


def cells(name):
    """The same, but for the cells of solutions."""
    return [x for x in code(name) if "solution" not in x.metadata.get("tags", [])]


def without_words(source):
    """The asserts of a cell that say nothing when they fall.

    >>> without_words("for x in (1, 2):\\n    assert x\\nassert x > 1, 'a large x'")
    ['assert x']
    """
    nodes = ast.walk(portable._parsed(source))
    asserts = [node for node in nodes if isinstance(node, ast.Assert)]
    return [ast.unparse(node) for node in asserts if node.msg is None]


def judges(source):
    """Whether a cell asserts on its own, or does nothing but verify.

    >>> [judges(cell) for cell in ("x = 1\\nassert x, 'an x'", "verified('id')", "-x")]
    [True, True, False]
    """
    body = portable._parsed(source).body
    asserts = any(isinstance(statement, ast.Assert) for statement in body)
    return asserts or portable.is_plumbing(source)


@pytest.mark.parametrize("name", make_notebooks.names())
def test_an_assert_says_what_it_expected(name):
    """In a solution, too: these words are what a student is told."""
    assert [x for cell in code(name) for x in without_words(cell.source)] == []


@pytest.mark.parametrize("name", make_notebooks.names())
def test_what_only_judges_is_folded(name):
    """What is open is what a student would type; a verdict is shown nevertheless."""
    judging = [cell for cell in cells(name) if judges(cell.source)]
    tags = [{*cell.metadata.get("tags", [])} for cell in judging]
    seen = [c.source for c, own in zip(judging, tags, strict=True) if not FOLDED & own]
    assert seen == []
