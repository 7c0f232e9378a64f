"""The floors of the house: no import runs from a lower floor to a higher one.

The library is what a user imports; the engine is what a theorem is, `exact` its proofs;
the chapters say what one page says.  Arrows are drawn from the imports, those in
functions too.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "nystheory"
CHAPTERS = sorted(path.parent.name for path in PACKAGE.glob("chapters/*/__init__.py"))

# Rooms, and the rooms that each may import besides its own.
GROUND = ("_checks", "_formulas", "_progress", "_rounding", "_semidefinite", "style")
LIBRARY = {
    "datasets": (),
    "kernels": (),
    "sampling": ("kernels",),
    "lowrank": ("kernels", "sampling"),
    "coherence": ("kernels", "sampling", "lowrank"),
    "ensemble": ("kernels", "sampling", "lowrank"),
    "certificates": ("kernels", "sampling", "lowrank"),
    "features": ("kernels", "sampling", "lowrank", "certificates"),
    "learners": ("kernels", "sampling", "lowrank", "certificates", "features"),
    "manifold": ("kernels", "sampling", "lowrank", "features"),
    "selection": (
        *("kernels", "sampling", "lowrank"),
        *("certificates", "features", "learners"),
    ),
}
# What reads the registry stands on all floors, and nothing but a reader's page on it.
ROOF = ("guarantees", "__main__")
FLOORS = {
    **{room: () for room in GROUND},
    "_semidefinite": ("_checks",),
    "style": ("_formulas",),
    **{room: (*GROUND, *below) for room, below in LIBRARY.items()},
    "exact": (),
    "engine": (*GROUND, *LIBRARY, "exact"),
    "chapters": (*GROUND, *LIBRARY, "exact", "engine"),
    "guarantees": (*GROUND, *LIBRARY, "engine", "chapters"),
    "__main__": (*GROUND, *LIBRARY, "engine", "chapters", "exact"),
}

# The rooms of the engine: each may import those before it.
ENGINE = ("language", "worlds", "promises", "trial", "findings", "report")


def is_test(path):
    return "tests" in path.relative_to(PACKAGE).parts


def dotted(path):
    parts = ["nystheory", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules():
    return {dotted(path): path for path in PACKAGE.rglob("*.py") if not is_test(path)}


@cache
def named(source):
    """The modules that a source names in a string: to import them by a function."""
    texts = (
        n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)
    )
    return {x for x in texts if re.fullmatch(r"nystheory(\.\w+)+", str(x))}


def arrows(source, module, known):
    """The modules of the package that a source imports, wherever it does."""
    return _arrows(source, module, frozenset(known.items()))


@cache
def _arrows(source, module, known):
    """The same of what was read before; an attribute of an import is one, too."""
    found, tree, known = set(), ast.parse(source), dict(known)
    reached = chains(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                # One point is the folder of the module.
                parts = module.split(".")
                inside = parts if known[module].name == "__init__.py" else parts[:-1]
                inside = inside[: len(inside) - node.level + 1]
                base = ".".join([*inside, *filter(None, [base])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.add(full if full in known else base)
                for chain in reached.get(alias.asname or alias.name, ()):
                    found |= {f"{full}.{chain}"} & set(known)
    return {name for name in found if name.split(".")[0] == "nystheory"}


def chains(tree):
    """What is reached through each name: ``ensembles.figures`` through chapters."""
    found = {}
    for node in ast.walk(tree):
        chain, base = [], node
        while isinstance(base, ast.Attribute):
            chain, base = [base.attr, *chain], base.value
        if chain and isinstance(base, ast.Name):
            found.setdefault(base.id, set()).add(".".join(chain))
    return found


def room(module):
    return module.split(".")[1] if "." in module else "nystheory"


# The findings of a chapter try what promises are worth: they read the guarantees, and
# only their own page, its figures and the command line read them.
FINDINGS = re.compile(r"nystheory\.chapters\.\w+\.findings")

# The rigorous routes of a chapter stand on the room of proofs alone.
PROOFS = re.compile(r"nystheory\.chapters\.\w+\.exact_\w+")


def backward(known, read=Path.read_text):
    """The arrows that no floor allows, as sentences."""
    told = []
    for module, path in sorted(known.items()):
        start = room(module)
        allowed = FLOORS.get(start, ())
        if FINDINGS.fullmatch(module):
            allowed = (*allowed, "guarantees")
        if PROOFS.fullmatch(module):
            allowed = ("exact",)
        source = read(path)
        for target in sorted(arrows(source, module, known) | named(source)):
            end = room(target)
            if end not in (start, *allowed) or "tests" in target.split("."):
                told.append(f"{module} -> {target}")
            elif start == end == "chapters" and _strange(module, target):
                told.append(f"{module} -> {target}")
            elif FINDINGS.fullmatch(target) and not module.endswith(".figures"):
                told.append(f"{module} -> {target}")
    return told


def back_in_the_engine(known, read=Path.read_text):
    """The arrows between the rooms of the engine that run back, as sentences."""
    told = []
    for module, path in sorted(known.items()):
        start = _of_engine(module)
        for target in sorted(arrows(read(path), module, known)) if start else ():
            end = _of_engine(target)
            if end and ENGINE.index(end) > ENGINE.index(start):
                told.append(f"{module} -> {target}")
    return told


def _of_engine(module):
    """The room of the engine in which a module stands; none: it is the door."""
    return "".join(module.split(".")[2:3]) if room(module) == "engine" else ""


def _strange(module, target):
    """Whether one chapter imports another; all may import the registry."""
    own, other = (name.split(".")[2:3] for name in (module, target))
    return bool(other) and own != other


def test_no_arrow_runs_back():
    assert backward(modules()) == []


def test_no_arrow_of_the_engine_runs_back():
    assert back_in_the_engine(modules()) == []
    rooms = {_of_engine(module) for module in modules()} - {""}
    assert rooms == set(ENGINE)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("language.lines", "from nystheory.engine.worlds import laws"),
        ("worlds.laws", "def f():\n    from ..trial import store"),
        ("promises.known", "from nystheory.engine.trial.theorem import Theorem"),
        ("trial.search", "import nystheory.engine.report.ledger"),
    ],
)
def test_an_arrow_of_the_engine_that_runs_back_is_seen(module, line):
    path = modules()[f"nystheory.engine.{module}"]

    def read(some):
        return some.read_text() + (f"\n\n{line}\n" if some == path else "")

    assert back_in_the_engine(modules(), read)


def test_every_room_has_a_floor():
    rooms = {room(module) for module in modules()} - {"nystheory"}
    assert rooms == set(FLOORS)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("nystheory.lowrank", "from nystheory.engine import Theorem"),
        ("nystheory.kernels", "def f():\n    import nystheory.certificates"),
        ("nystheory.engine.trial.search", "from nystheory.chapters import theorems"),
        ("nystheory.engine.trial.search", "from ...chapters import theorems"),
        ("nystheory.exact.case", "from nystheory.engine import lines"),
        (
            "nystheory.chapters.coherence.figures",
            "from nystheory.chapters.error_bounds import figures",
        ),
        ("nystheory.chapters.coherence.figures", "from ..ensembles import figures"),
        ("nystheory.sampling", "f = __import__('nystheory.chapters')"),
        ("nystheory.chapters.coherence.figures", "from nystheory import guarantees"),
        (
            "nystheory.guarantees",
            "from nystheory.chapters.what_to_use import findings",
        ),
        ("nystheory.engine.trial.search", "f = import_module('nystheory.guarantees')"),
        ("nystheory.sampling", "from nystheory.sampling.tests import cases"),
        (
            "nystheory.chapters.coherence.figures",
            "from nystheory import chapters\nchapters.ensembles.figures",
        ),
    ],
)
def test_an_arrow_that_runs_back_is_seen(module, line):
    path = modules()[module]

    def read(some):
        return some.read_text() + (f"\n\n{line}\n" if some == path else "")

    assert backward(modules(), read)


def circles(known):
    """The modules that import each other, however long the way round."""
    edges = {n: arrows(path.read_text(), n, known) for n, path in known.items()}
    edges = {name: ends & set(known) - {name} for name, ends in edges.items()}
    while leaves := {name for name, ends in edges.items() if not ends}:
        edges = {n: ends - leaves for n, ends in edges.items() if n not in leaves}
    return edges


def test_no_modules_import_each_other():
    """Not in functions either; who imports a circle without being in it shows too."""
    assert circles(modules()) == {}


ALONE = """
import importlib, os, pkgutil, sys, traceback, types
import nystheory.engine, nystheory.exact
folder = next(iter(nystheory.__path__)) + "/chapters"
empty = types.ModuleType("nystheory.chapters")
empty.__path__ = [folder]
sys.modules["nystheory.chapters"] = empty
for chapter in sys.argv[1:]:
    if os.fork():  # the child imports one chapter, the parent none
        _, status = os.wait()
        print(chapter, status)
        continue
    try:
        name = "nystheory.chapters." + chapter
        importlib.import_module(name)
        for module in pkgutil.iter_modules([folder + "/" + chapter + "/theorems"]):
            importlib.import_module(name + ".theorems." + module.name)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
"""


def test_a_chapter_stands_without_the_others():
    """Its theorems name no quantity that another chapter enters."""
    command = [sys.executable, "-c", ALONE, *CHAPTERS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == [*(f"{name} 0" for name in CHAPTERS), ""], (
        done.stderr
    )
