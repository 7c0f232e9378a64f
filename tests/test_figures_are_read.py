"""What draws for a page is read back by a test of its chapter, from the artists.

A figure that runs may still show falsehoods: labels exchanged, another norm on an axis,
the mean for the largest.  So each function that draws is handed to a test that asserts
what its artists are: `nystheory.engine.report.artists` and `strays` read them.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS, PAGES = ROOT / "nystheory" / "chapters", sorted(ROOT.glob("book/md/*.md"))
NAMES = sorted(path.parent.name for path in CHAPTERS.glob("*/__init__.py"))
# What a test has to mention that reads artists.
DRAWS = r"(draw|plot)(_|$)"
READERS = {
    *("named", "unnamed", "by_look", "strays"),
    *("get_xdata", "get_ydata", "get_xydata", "get_offsets", "get_array", "vertices"),
}

# Exceptions: what no test reads, by chapter.
UNREAD: dict[str, set[str]] = {}


def drawing(source):
    """The public functions of a module that draw, and which of them each calls."""
    functions = {
        node.name: node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and re.match(DRAWS, node.name)
    }
    return {name: names_in(f) & set(functions) for name, f in functions.items()}


def read(source, chapter):
    """The functions, ``module.name``, that tests of a module hand to a reader."""
    tree = ast.parse(source)
    modules, plain = imported(tree, f"nystheory.chapters.{chapter}")
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    found = set()
    for name in functions:
        if name.startswith("test_"):
            parts = [functions[x] for x in reached(name, functions)]
            if is_reading(parts):
                found |= set().union(*(mentioned(x, modules, plain) for x in parts))
    return found


def reached(name, functions):
    """A test with the helpers and the fixtures that it names, and those of these."""
    found, new = set(), {name}
    while new:
        found |= new
        new = set().union(*(names_in(functions[x]) for x in new)) & set(functions)
        new -= found
    return found


def imported(tree, package):
    """The modules of a chapter by their names in a test, and functions by theirs."""
    modules, plain = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = alias.asname or alias.name
                if node.module == package:
                    modules[name] = alias.name
                elif node.module.startswith(f"{package}."):
                    place = node.module.removeprefix(f"{package}.")
                    plain[name] = f"{place}.{alias.name}"
    return modules, plain


def is_reading(parts):
    """Whether a test, or a helper that it calls, asserts and reads artists."""
    asserts = any(isinstance(x, ast.Assert) for part in parts for x in ast.walk(part))
    return asserts and bool(READERS & set().union(*map(names_in, parts)))


def mentioned(node, modules, plain):
    """The functions of the chapter that a test or its decorator mentions."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            if each.value.id in modules:
                found.add(f"{modules[each.value.id]}.{each.attr}")
        elif isinstance(each, ast.Name) and each.id in plain:
            found.add(plain[each.id])
    return found


def names_in(node):
    """All names, attributes and arguments of a function."""
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
    return found


def unread(chapter):
    """The functions of a chapter that draw, and that no test reads back."""
    folder = CHAPTERS / chapter
    drawn = {
        f"{path.stem}.{name}": {f"{path.stem}.{x}" for x in calls}
        for path in folder.glob("*.py")
        for name, calls in drawing(path.read_text("utf-8")).items()
    }
    tests = (path.read_text("utf-8") for path in folder.glob("tests/test_*.py"))
    found = set().union(*(read(source, chapter) for source in tests))
    # What another draws is read with it.
    while more := set().union(*(drawn[x] for x in found & set(drawn))) - found:
        found |= more
    return set(drawn) - found


@pytest.mark.parametrize("chapter", NAMES)
def test_every_figure_is_read_back(chapter):
    assert unread(chapter) == UNREAD.get(chapter, set())


# ---- pages ----

# What draws an artist; a page calls a function that does.
METHODS = {
    *("plot", "loglog", "semilogx", "semilogy", "scatter", "errorbar", "fill_between"),
    *("bar", "barh", "hist", "step", "stem", "imshow", "pcolormesh", "contour"),
    *("contourf", "axhline", "axvline", "axhspan", "axvspan", "text", "annotate"),
}
# Exceptions: figures of which the page draws some artists itself.
INLINE = {"fig-one-number", "fig-recovery"}


def inline(text):
    """The figures of a page in whose cells an artist is drawn."""
    found = set()
    for head, code in re.findall(
        r"```\{code-cell\}\n---\n(.*?)---\n(.*?)```", text, re.S
    ):
        name = re.search(r"name: (fig-\S+)", head)
        if name and any(map(is_drawing, ast.walk(ast.parse(code)))):
            found.add(name[1])
    return found


def is_drawing(node):
    """Whether a call draws: ``verdict.plot()``, of nothing, makes a figure."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in METHODS
        and bool(node.args)
    )


def test_pages_draw_by_functions_that_tests_read():
    assert set().union(*(inline(x.read_text("utf-8")) for x in PAGES)) == INLINE


CELL = """
```{code-cell}
---
mystnb:
  figure:
    name: fig-some
---
figure, (axes,) = style.panels(1)
figures.draw_a(axes, found)
figure
```
"""


@pytest.mark.parametrize(
    ("other", "is_seen"),
    [
        ("figures.draw_a(axes, found)", False),
        ("verdict.plot()", False),
        ("axes.plot([1, 2], found)", True),
        ("axes.axhline(0)", True),
    ],
)
def test_what_a_page_draws_is_seen(other, is_seen):
    cell = CELL.replace("figures.draw_a(axes, found)", other)
    assert inline(cell) == ({"fig-some"} if is_seen else set())


# ---- plants: does the gate see what it should? ----

TEST = """
from nystheory.chapters.some import figures
from nystheory.chapters.some.maps import draw_map
from nystheory.engine.report.artists import named

def shown(axes):
    return named(axes)

def test_a():
    figures.draw_a(axes)
    draw_map(axes)
    assert shown(axes)["a"] == 1
"""


def test_what_is_read_is_seen():
    assert {"figures.draw_a", "maps.draw_map"} == read(TEST, "some")
    some = """
def draw_a(): draw_c()
def draw_c(): ...
def _draw_b(): ...
def draws(): ...
"""
    assert drawing(some) == {"draw_a": {"draw_c"}, "draw_c": set()}


@pytest.mark.parametrize(
    ("piece", "other"),
    [
        ("    figures.draw_a(axes)\n", ""),
        ("figures.draw_a(axes)", "turning.draw_a(axes)"),
        ("figures.draw_a(axes)", "draw_a(axes)"),
        ('assert shown(axes)["a"] == 1', "shown(axes)"),
        ('assert shown(axes)["a"] == 1', "assert axes.get_xlabel()"),
        ("return named(axes)", "return len(axes.lines)"),
        ("def test_a", "def some_a"),
        ("chapters.some import figures", "chapters.other import figures"),
    ],
)
def test_what_is_not_read_is_seen(piece, other):
    assert piece in TEST
    assert "figures.draw_a" not in read(TEST.replace(piece, other), "some")
