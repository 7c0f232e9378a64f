"""The figures of the texts: words, what the run says they show, and their code."""

import ast
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property

import make_notebooks
import yaml
from make_notebooks import BOOK, READING

CHAPTERS = BOOK.parent / "nystheory" / "chapters"
# What of the engine draws and measures for several chapters.
ENGINE = ("nystheory.engine.report", "nystheory.engine.findings")
CELLS = re.compile(
    r"```\{code-cell\}\n(?:---\n(.*?)---\n|:tags:[^\n]*\n)?(.*?)```", re.S
)
TAGS = re.compile(r"<[^>]*>|\*\*Figure [\d.]+\.\*\*")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Shown:
    """A figure of a page.

    Parameters
    ----------
    page, name : str
    caption, alt : str
        As a reader sees them.
    typed : str
        Both as the text has them, without what the run says.
    panels : list of dict
        What `nystheory.engine.report.readings.reading` has of each.
    of : list of str
        Of what its curves are means: statistic, field, competitor and data.
    cells : tuple of str
        The code of the page down to its own.
    texts : tuple of str
        Caption and alternative text as typed, with what the run says in braces.
    """

    page: str
    name: str
    caption: str
    alt: str
    typed: str
    panels: list
    of: list
    cells: tuple
    texts: tuple = ("", "")

    @cached_property
    def code(self):
        """What its cell says, and all of the page and its chapter that this uses."""
        return "\n".join(used(self.page, self.cells))

    @property
    def words(self):
        """What stands in the figure."""
        return [word for panel in self.panels for word in panel["words"]]

    @property
    def said(self):
        """What is said of it."""
        return f"{self.caption} {self.alt}"

    @property
    def drawn(self):
        """Name, look and way of all artists, of each panel."""
        return [
            [((*key.split(" | "), "")[:3] + (count,)) for key, count in drawn.items()]
            for drawn in (each["drawn"] for each in self.panels)
        ]


@cache
def figures() -> dict:
    """All figures of the book, by name."""
    found = {}
    for path in sorted((BOOK / "md").glob("*.md")):
        code = CELLS.findall(path.read_text("utf-8"))
        heads = [(yaml.safe_load(x or "") or {}).get("mystnb", {}) for x, _ in code]
        if any("figure" in head for head in heads):
            made = make_notebooks.notebook_path(path.stem).read_text("utf-8")
            cells = json.loads(made)["cells"]
            places = [k for k, x in enumerate(cells) if x["cell_type"] == "code"]
            for k, (head, at) in enumerate(zip(heads, places, strict=True)):
                if "figure" in head:
                    before = tuple(source for _, source in code[: k + 1])
                    each = _shown(path.stem, head, cells[at : at + 2], before)
                    found[each.name] = each
    return found


def _shown(page, head, made, cells):
    shown, below = made[0]["metadata"], "".join(made[1]["source"])
    alt = head.get("image", {}).get("alt", "")
    read = json.loads(shown.get("said", {}).get(READING, '{"of": [], "panels": []}'))
    return Shown(
        page,
        head["figure"]["name"],
        " ".join(LINK.sub(r"\1", TAGS.sub(" ", below)).split()),
        shown.get("mystnb", {}).get("image", {}).get("alt", ""),
        " ".join(f"{head['figure']['caption']} {alt}".split()),
        read["panels"],
        read["of"],
        cells,
        tuple(" ".join(x.split()) for x in (head["figure"]["caption"], alt)),
    )


# ---- what a figure depends on


def used(page, cells) -> list[str]:
    """The last cell, and what of the page and of its chapter it uses."""
    trees = [_parsed(each) for each in cells]
    rooms = {}
    for tree in trees:
        rooms |= _rooms(tree, page)
    kept, todo = set(), [len(trees) - 1]
    while todo:
        at = todo.pop()
        kept.add(at)
        for name in names_in(trees[at]) - _bound(trees[at]):
            binds = [k for k in range(at) if name in _bound(trees[k])]
            todo += {*binds[-1:]} - kept
    found, seen = [ast.unparse(trees[k]) for k in sorted(kept)], set()
    for tree in (trees[k] for k in sorted(kept)):
        for module, name in _asked(tree, rooms):
            _follow(page, module, name, seen, found)
    return found


def _follow(page, module, name, seen, found):
    """Add what a module of a chapter binds to a name, and what this uses."""
    if (module, name) in seen:
        return
    seen.add((module, name))
    names, rooms = _module(page, module)
    if name not in names:
        return
    node = names[name]
    found.append(_without_docstring(node))
    for other in names_in(node) & set(names):
        _follow(page, module, other, seen, found)
    for place, other in _asked(node, rooms):
        _follow(page, place, other, seen, found)


@cache
def _module(page, module):
    path = _path(page, module)
    if not path.exists():
        return {}, {}
    tree = ast.parse(path.read_text("utf-8"))
    names = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names |= dict.fromkeys(_bound(node), node)
    return names, _rooms(tree, page)


def _path(page, module):
    """The file of a module of a chapter, or of the engine by its whole name."""
    if "." in module:
        return CHAPTERS.parent.parent / f"{module.replace('.', '/')}.py"
    return CHAPTERS / page / f"{module}.py"


@cache
def _rooms(tree, page):
    """Names of a module or a page that stand for modules of its chapter, or in them."""
    rooms, package = {}, f"nystheory.chapters.{page}"
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                name = each.asname or each.name
                if node.module == package:
                    rooms[name] = (each.name, None)
                elif node.module.startswith(f"{package}."):
                    rooms[name] = (node.module.removeprefix(f"{package}."), each.name)
                elif node.module.startswith(ENGINE):
                    place = f"{node.module}.{each.name}"
                    rooms[name] = (node.module, each.name)
                    if _path(page, place).exists():
                        rooms[name] = (place, None)
    return rooms


def _asked(tree, rooms):
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in rooms:
                yield rooms[name][0], attr
            case ast.Name(id=name) if name in rooms and rooms[name][1]:
                yield rooms[name]


@cache
def _parsed(source):
    try:
        return ast.parse(source)
    except SyntaxError:  # a magic of IPython
        return ast.parse("")


@cache
def _bound(tree):
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {x.name for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)}


@cache
def names_in(tree):
    """All names that a piece of code has."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _without_docstring(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
        return "\n".join([node.name, *map(ast.unparse, node.body[1:])])
    return ast.unparse(node)
