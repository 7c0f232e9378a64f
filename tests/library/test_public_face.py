"""The public face: what loads when, what a room lists, and how each name is told of."""

import ast
import importlib
import importlib.metadata
import inspect
import pkgutil
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

import nystheory
from nystheory.chapters import theorems

PACKAGE = Path(nystheory.__file__).parent
# What a user imports: the engine and the chapters are asked less.
ROOMS = tuple(room for room in nystheory.ROOMS if room not in ("engine", "chapters"))
# Folders and modules that are no rooms: proofs, and what all rooms share.
NO_ROOMS = {
    "exact",
    "style",
    "_checks",
    "_formulas",
    "_progress",
    "_rounding",
    "_semidefinite",
    "__main__",
}

# What cannot raise, and why: no Raises is asked of it.
NEVER_RAISES = {
    "kernels.KernelMatrix.diagonal": "takes nothing; each kind of matrix tells",
    "datasets.table": "takes nothing, and reads a list",
    "guarantees.catalogue": "takes nothing, and reads the claims",
    "lowrank.Factored.spectral_reconstruction": "takes nothing, of what was checked",
    "lowrank.Factored.diagonal": "takes nothing, of what was checked",
    "lowrank.Factored.to_linear_operator": "takes nothing, of what was checked",
}
COST = re.compile(r"O\(|operations|entries|evaluat|\bcosts?\b", re.IGNORECASE)
# A reference, a theorem of the book, the book itself, or where data come from.
SOURCE = re.compile(r"\[1\]_|theorems\[\"|book's own|scikit-learn")
# Symbols of the formulas, and the names that they have as arguments.
SYMBOLS = {"k": "rank", "r": "rank", "l": "n_landmarks", "m": "n_landmarks"}
SYMBOLS |= {"count": "n_landmarks", "p": "n_experts"}


# Where K is not the first argument, and why.
NOT_FIRST = dict.fromkeys(
    ("guarantees.stability", "guarantees.columns_for_change"),
    "the learner is asked; K and the rest are what it gets",
)


# --- What loads when ------------------------------------------------------------------

FRESH = """
import sys
import nystheory
loaded = [name for name in sys.modules if name.startswith("nystheory.")]
assert not loaded and "numpy" not in sys.modules, loaded
assert nystheory.kernels is sys.modules["nystheory.kernels"]
assert "numpy" in sys.modules and "nystheory.lowrank" not in sys.modules
"""


def test_an_import_loads_nothing_and_a_touch_one_room():
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_the_package():
    assert nystheory.__version__ == importlib.metadata.version("nystheory")


def test_the_citation_is_of_this_version():
    root = PACKAGE.parent
    told = re.search(r"^version: (.*)$", (root / "CITATION.cff").read_text(), re.M)
    built = re.search(
        r'^version = "(.*)"$', (root / "pyproject.toml").read_text(), re.M
    )
    assert told[1] == built[1]


# A theorem in a docstring, and the claims of it that are named after it.
CITED = re.compile(
    r'theorems\["([^"]+)"\]``(?:,\s+claims?\s+((?:"[^"]+"(?:,|,? and)?\s*)+))?'
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_theorem_that_is_cited_is_there_and_has_the_claim(room):
    for module in modules(room):
        for id, claims in CITED.findall(Path(module.__file__).read_text("utf-8")):
            named = set(re.findall('"([^"]+)"', claims))
            assert named <= set(theorems[id].claims), (module.__name__, id, named)


@pytest.mark.parametrize("room", nystheory.ROOMS)
def test_every_room_loads_by_attribute(room):
    loaded = nystheory.__getattr__(room)  # also when it was imported before
    assert loaded is sys.modules[f"nystheory.{room}"] is getattr(nystheory, room)


def test_the_rooms_are_listed():
    found = {module.name for module in pkgutil.iter_modules(nystheory.__path__)}
    assert found == {*nystheory.ROOMS, *NO_ROOMS}
    assert set(nystheory.ROOMS) <= set(nystheory.__all__)
    assert all(f"`{room}`" in nystheory.__doc__ for room in nystheory.ROOMS)
    assert {*nystheory.__all__, "__version__"} <= set(dir(nystheory))
    assert all(hasattr(nystheory, name) for name in dir(nystheory))


def test_an_unknown_attribute_is_told():
    with pytest.raises(AttributeError, match="no attribute 'cellar'"):
        nystheory.cellar  # noqa: B018 - asked for


# --- What a room lists ----------------------------------------------------------------


@cache
def modules(room):
    """A room and the modules in it, but for tests."""
    whole = importlib.import_module(f"nystheory.{room}")
    inside = pkgutil.iter_modules(getattr(whole, "__path__", []), f"{whole.__name__}.")
    return [whole, *(importlib.import_module(found.name) for found in inside)]


@cache
def public(room):
    """What a room lists, by name."""
    whole = modules(room)[0]
    return {name: getattr(whole, name) for name in whole.__all__}


@cache
def names_used(path):
    """The names that a module of the package uses, its own definitions left out."""
    tree = ast.parse(path.read_text("utf-8"))
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def used_elsewhere(module, name):
    """Whether another module of the package uses a function of this one."""
    own = Path(module.__file__)
    return any(name in names_used(p) for p in PACKAGE.rglob("*.py") if p != own)


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_lists_is_there(room):
    listed = modules(room)[0].__all__
    assert len(set(listed)) == len(listed) == len(public(room))


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_function_is_listed(room):
    """In a module with an underscore also what the other modules share."""
    forgotten = [
        f"{module.__name__}.{name}"
        for module in modules(room)
        for name, value in vars(module).items()
        if inspect.isfunction(value) or inspect.isclass(value)
        if value.__module__ == module.__name__
        if not name.startswith("_") and name not in public(room)
        if not (
            module.__name__.rpartition(".")[2].startswith("_")
            and used_elsewhere(module, name)
        )
    ]
    assert forgotten == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_repeats_the_room(room):
    """It is `coherence.of_matrix`, and not `coherence.coherence_of`."""
    stutters = [
        name for name in public(room) if name == room or name.startswith(f"{room}_")
    ]
    assert stutters == []


# --- How each name is told of ---------------------------------------------------------


def functions(room):
    """Functions and public methods, by the name that a user writes."""
    for name, value in public(room).items():
        if inspect.isfunction(value):
            yield f"{room}.{name}", value
        elif inspect.isclass(value):
            for own, method in vars(value).items():
                if inspect.isfunction(method) and not own.startswith("_"):
                    yield f"{room}.{name}.{own}", method


def classes(room):
    for name, value in public(room).items():
        if inspect.isclass(value):
            yield f"{room}.{name}", value


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [each for each in found if each.name != "self"]


def sections(doc):
    """The sections of a docstring by their titles."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section):
    """The names that a section of parameters or attributes explains."""
    heads = re.findall(r"^([\w*][\w*, ]*?)(?: :|$)", section, re.MULTILINE)
    return {name.strip(" *") for head in heads for name in head.split(",")}


def faults_of_function(name, function):
    doc = inspect.getdoc(function) or ""
    told, method = sections(doc), name.count(".") > 1
    takes = {each.name for each in parameters(function)}
    wanted = {"Parameters": bool(takes), "Raises": name not in NEVER_RAISES}
    for title in ("Parameters", "Returns", "Raises", "Examples"):
        if wanted.get(title, True) and title not in told:
            yield f"{name}: no {title}"
    for each in sorted(takes - described(told.get("Parameters", ""))):
        yield f"{name}: nothing on {each}"
    if ">>>" not in told.get("Examples", ""):
        yield f"{name}: no example"
    if not method and not COST.search(doc):
        yield f"{name}: no cost"
    if not method and not SOURCE.search(doc):
        yield f"{name}: no source"
    yield from faults_of_references(name, doc)


def faults_of_class(name, kind):
    doc = inspect.getdoc(kind) or ""
    if ">>>" not in sections(doc).get("Examples", ""):
        yield f"{name}: no example"
    if is_dataclass(kind):
        wanted = {each.name for each in fields(kind) if each.name[0] != "_"}
        for each in sorted(wanted - told_of(kind)):
            yield f"{name}: nothing on {each}"
    for own, value in vars(kind).items():
        if own[0] != "_" and not callable(value) and hasattr(value, "__get__"):
            if not inspect.getdoc(value):
                yield f"{name}.{own}: no docstring"
    yield from faults_of_references(name, doc)


def told_of(kind):
    """What a class tells of its fields, or the class that it has them from."""
    found = set()
    for each in kind.__mro__:
        told = sections(inspect.getdoc(each) or "") if is_dataclass(each) else {}
        # An estimator of scikit-learn's takes its fields as parameters.
        for title in ("Attributes", "Parameters"):
            found |= described(told.get(title, ""))
    return found


def faults_of_references(name, doc):
    """Numbers without an entry, entries without a number, theorems that are none."""
    cited = set(re.findall(r"\[(\d+)\]_", doc))
    listed = set(re.findall(r"^\.\. \[(\d+)\]", doc, re.MULTILINE))
    if cited != listed and "." not in name.partition(".")[2]:
        yield f"{name}: cites {sorted(cited)}, lists {sorted(listed)}"
    for id in re.findall(r'theorems\["([^"]+)"\]', doc):
        if id not in theorems:
            yield f"{name}: no theorem {id}"


# A default as a docstring has it, "default 400" or "400 by default"; no formula.
VALUE = r"(?P<value>-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?|None|True|False|\"\w+\")"
DEFAULTS = re.compile(
    rf"\bdefault {VALUE}(?![\w.]*\d| [/*])|{VALUE.replace('value', 'other')} by default"
)


def is_warning(takes):
    """Errors and warnings are made by the package, not by its users."""
    return inspect.isclass(takes) and issubclass(takes, Exception)


def faults_of_defaults(name, takes):
    """Defaults that a docstring tells and the signature has otherwise."""
    told = sections(inspect.getdoc(takes) or "").get("Parameters", "")
    known = {} if is_warning(takes) else inspect.signature(takes).parameters
    for head in re.finditer(r"^(\w+) : (.*(?:\n(?: .*|$))*)", told, re.MULTILINE):
        for found in DEFAULTS.finditer(head[2]):
            value = ast.literal_eval(found["value"] or found["other"])
            # None may stand for a number that is filled in later.
            if head[1] in known and known[head[1]].default not in (value, None):
                yield f"{name}: {head[1]} has not the default {value!r}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_default_that_is_told_is_that_of_the_signature(room):
    some = [*functions(room), *classes(room)]
    assert [fault for pair in some for fault in faults_of_defaults(*pair)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_has_a_docstring_that_tells_all(room):
    told = [fault for pair in functions(room) for fault in faults_of_function(*pair)]
    told += [fault for pair in classes(room) for fault in faults_of_class(*pair)]
    assert told == []


def test_what_never_raises_is_there():
    known = {name for room in ROOMS for name, _ in functions(room)}
    assert {*NEVER_RAISES, *NOT_FIRST} <= known


@pytest.mark.parametrize("room", ROOMS)
def test_the_order_and_the_names_of_arguments(room):
    """K is first, or asked for by name where it can be left out."""
    told = []
    for name, function in functions(room):
        takes = parameters(function)
        by_place = [p.name for p in takes if p.kind is not p.KEYWORD_ONLY]
        if "K" in by_place[1:] and name not in NOT_FIRST:
            told.append(f"{name}: K is not first")
        for each in {p.name for p in takes} & set(SYMBOLS):
            told.append(f"{name}: {each} is called {SYMBOLS[each]}")
    assert told == []


# --- Controls: what the checks above would see ----------------------------------------


def bare(K, k):
    """Nothing."""


def false(K):
    """A number from nowhere, [1]_; it is ``theorems["book:none"]``."""


def otherwise(count=400, tol=1e-6, gamma=None):
    """It has other defaults.

    Parameters
    ----------
    count : int, default 200
    tol : float
        Where to stop; 1e-3 by default.
    gamma : float, default 1 / d
    """


def test_another_default_is_seen():
    found = [*faults_of_defaults("it", otherwise)]
    assert [each.partition(" has")[0] for each in found] == ["it: count", "it: tol"]


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        *((bare, f"no {title}") for title in ("Parameters", "Returns", "Raises")),
        *((bare, f"no {thing}") for thing in ("example", "cost", "source")),
        (bare, "nothing on k"),
        (false, "cites ['1'], lists []"),
        (false, "no theorem book:none"),
    ],
)
def test_a_docstring_that_is_wanting_is_seen(function, fault):
    assert f"room.name: {fault}" in list(faults_of_function("room.name", function))
