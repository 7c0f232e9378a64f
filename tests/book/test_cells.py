"""Which cells a reader of a page sees open, and what one hears when an assert falls."""

import ast
import re
from functools import cache

import labels
import make_notebooks
import nbformat
import portable
import pytest
import sizes

FOLDED = {"hide-input", "hide-cell"}


@cache
def numbered():
    """All labels of the book; reading every text takes seconds."""
    return labels.read()


@cache
def shown(name):
    """The cells of a page as they are shown."""
    raw = make_notebooks.from_text(make_notebooks.text_path(name))
    return make_notebooks.written(name, raw, numbered(), lambda *_: "7").cells


def code(name):
    """Those of code."""
    return [cell for cell in shown(name) if cell.cell_type == "code"]


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


def binds(source):
    """The names that a cell binds."""
    return sizes.names(portable._parsed(source), ast.Store)


def takes(source):
    """The names that a cell takes from the cells before it.

    >>> sorted(takes("y = x + 1\\nfor k in y:\\n    f(k)\\ng = lambda t: t + z"))
    ['f', 'x', 'z']
    """
    tree = portable._parsed(source)
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return sizes.names(tree, ast.Load) - binds(source) - own


def unsaid(cells):
    """What open cells take from folded ones, and no words between the two name."""
    born, words = {}, ""
    for cell in cells:
        tags = {*cell.metadata.get("tags", [])}
        if cell.cell_type == "markdown":
            words += cell.source
        elif "solution" not in tags:
            folded = bool(FOLDED & tags)
            for name in () if folded else sorted(takes(cell.source) & {*born}):
                if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", words[born[name] :]):
                    yield name, cell.source
            for name in binds(cell.source):
                born.pop(name, None)
                if folded:
                    born[name] = len(words)


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


def test_what_is_taken_from_a_folded_cell_is_seen():
    def cell(source, *tags, kind="code"):
        metadata = nbformat.from_dict({"tags": [*tags]})
        return nbformat.from_dict(
            {"cell_type": kind, "source": source, "metadata": metadata}
        )

    born, used = cell("x, y = 1, 2", "hide-input"), cell("x + y")
    said = cell("Here `x` is one.", kind="markdown")
    assert list(unsaid([born, said, used])) == [("y", "x + y")]
    assert [name for name, _ in unsaid([said, born, used])] == ["x", "y"]
    assert list(unsaid([born, cell("x = y = 3"), used])) == []


@pytest.mark.parametrize("name", make_notebooks.names())
def test_what_an_open_cell_takes_from_a_folded_one_is_named_before(name):
    """A student who types the cell has to know what it speaks of."""
    assert list(unsaid(shown(name))) == []
