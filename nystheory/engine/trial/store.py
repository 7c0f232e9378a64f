"""Each theorem once in a run: verdicts that were computed are kept for the others.

The folder is named by the environment variable ``NYSTHEORY_VERDICTS``; the tests make
a new one for each run.  Without it everything is computed.  A verdict is filed under
the code of everything that it was computed from, comments and docstrings left out, and
a bad one is never kept.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import pickle
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from nystheory.engine.trial.results import GOOD

VARIABLE = "NYSTHEORY_VERDICTS"
PACKAGE = Path(__file__).resolve().parents[2]
# What computes a verdict, besides the module of the theorem.
ENGINE = "nystheory.engine.trial.verification"
LIBRARIES = ("numpy", "scipy", "sympy", "scikit-learn", "python-flint")


class StaleError(RuntimeError):
    """What is stored was computed from other contents than are at hand."""


def module_of(theorem) -> str:
    """The name of the module in which a theorem object stands.

    Raises
    ------
    LookupError
        If no chapter has it: it was made on the fly.
    """
    if not theorem.module:
        raise LookupError(f"{theorem.id} stands in no chapter")
    return theorem.module


@cache
def file_of(module: str) -> Path | None:
    """The file of a module, None if there is none."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None


def imported(module: str, package: str = "nystheory") -> set[str]:
    """The modules of the package that a module imports, however deep, and itself.

    The folders that hold them are imported with them.
    """
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if name in found or path is None or path.suffix != ".py":
            continue
        found.add(name)
        told = [n for n in _imports(name) if n.split(".")[0] == package]
        waiting += [*told, *([name.rpartition(".")[0]] if "." in name else [])]
    return found


def _tree(module: str) -> ast.Module:
    return ast.parse(file_of(module).read_text("utf-8"))


@cache
def _imports(module: str) -> tuple[str, ...]:
    """Every module that one may import, in functions too.

    After ``import p`` the modules of p are its attributes: what is written behind the
    name that it was given, ``p.room.function``, is followed as far as there are files.
    """
    path = file_of(module)
    nodes = list(ast.walk(_tree(module)))
    names, bound = [], {}
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
            for alias in node.names:
                first = alias.name.partition(".")[0]
                bound[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module, path)
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
            bound |= {a.asname or a.name: f"{base}.{a.name}" for a in node.names}
    names += _reached(nodes, bound, module.partition(".")[0])
    # A folder brings the files of its own name along.
    if path.name == "__init__.py" and path.parent.name == "exact":
        names += [f"nystheory.exact.{p.stem}" for p in path.parent.glob("*.py")]
    return tuple(dict.fromkeys(names))


def _base(node, module, path) -> str:
    """The module from which something is imported; one point is the folder."""
    if not node.level:
        return node.module
    up = node.level - (path.name == "__init__.py")
    parts = module.split(".")
    return ".".join([*parts[: len(parts) - up], *filter(None, [node.module])])


def _reached(nodes, bound, package) -> list[str]:
    """What is written behind the names of modules of a package, each part of it."""
    found = []
    for node in nodes:
        chain = []
        while isinstance(node, ast.Attribute):
            chain, node = [node.attr, *chain], node.value
        start = bound.get(node.id, "") if chain and isinstance(node, ast.Name) else ""
        if start.partition(".")[0] == package:
            found += [".".join([start, *chain[: k + 1]]) for k in range(len(chain))]
    return found


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def code(module: str) -> str:
    """A digest of what a module does: its syntax tree without docstrings.

    Each version of Python has the same one: fields that are empty do not count, nor do
    the empty pieces of an f-string that some versions add.
    """
    out, waiting = [], [_tree(module)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            out.append(repr(node.value))
        elif isinstance(node, ast.AST):
            out.append(type(node).__name__)
            for name, value in ast.iter_fields(node):
                value = _told(node, name, value)
                if value or value == 0:
                    out.append(name)
                    waiting += [*value[::-1], len(value)] if _many(value) else [value]
        else:
            out.append(str(node))
    return hashlib.sha256(" ".join(out).encode()).hexdigest()


def _many(value) -> bool:
    return isinstance(value, list)


def _told(node, name, value):
    """A field as it counts: no docstring, no empty piece of an f-string."""
    documented = name == "body" and isinstance(node, _DOCUMENTED)
    if documented and ast.get_docstring(node, clean=False) is not None:
        return value[1:]
    if isinstance(node, ast.JoinedStr):
        return [each for each in value if getattr(each, "value", None) != ""]
    return value


def contents(theorem, by: str = ENGINE) -> str:
    """A digest of the code from which `by` computes what it says of a theorem."""
    from nystheory.engine.trial.two_routes import used

    fast = [theorem.quantities[name].fast for name in used(theorem)]
    modules = {module_of(theorem), by, *(f.__module__ for f in fast if f)}
    modules |= set(_exact_of(module_of(theorem)))
    digest = hashlib.sha256()
    for module in sorted(set().union(*map(imported, modules))):
        digest.update(f"{module} {code(module)}".encode())
    return digest.hexdigest()


def _exact_of(module: str) -> list[str]:
    """The modules with the rigorous routes of a theorem's chapter."""
    chapter = ".".join(module.split(".")[:3])
    folder = file_of(chapter).parent
    return [f"{chapter}.{path.stem}" for path in folder.glob("exact_*.py")]


def _key(theorem) -> str:
    """Of a verdict: the contents, and the versions of what computes."""
    told = [sys.version.split()[0], *(f"{x} {version(x)}" for x in LIBRARIES)]
    digest = hashlib.sha256(f"{contents(theorem)} {' '.join(told)}".encode())
    return digest.hexdigest()


# Where a run writes down which chapter asked for which verdict.
ASKED = "asked.txt"
_NOTEBOOK = re.compile(r"notebooks/(\w+)\.ipynb")


def note(theorem, verdict) -> None:
    """Write down that a notebook under test has the verdict of a theorem.

    One that was changed on the fly is another theorem, whatever its id.
    """
    folder = os.environ.get(VARIABLE)
    found = _NOTEBOOK.search(os.environ.get("PYTEST_CURRENT_TEST", ""))
    if folder and found and theorem.module:
        with open(Path(folder) / ASKED, "a", encoding="utf-8") as file:
            file.write(f"{found[1]} {theorem.id} {verdict.outcome}\n")


def asked() -> dict[str, set[str]]:
    """The ids whose verdicts each chapter had in this run, and that were good."""
    path, out = Path(os.environ.get(VARIABLE, "")) / ASKED, {}
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    for line in lines:
        chapter, id, outcome = line.split(maxsplit=2)
        if outcome in GOOD:
            out.setdefault(chapter, set()).add(id)
    return out


def kept(theorem, effort: str, compute: Callable):
    """The verdict that is filed, or a new one, which is filed if it is good.

    Parameters
    ----------
    theorem : Theorem
    effort : str
    compute : callable () -> Verdict
    """
    folder = os.environ.get(VARIABLE)
    if not folder:
        return compute()
    try:
        key = _key(theorem)
    except LookupError:
        return compute()
    name = f"{theorem.id.replace(':', '-')}-{effort}-{key[:24]}"
    path = Path(folder) / f"{name}.pickle"
    while True:
        if path.exists():
            return pickle.loads(path.read_bytes()).of(theorem)
        if _locked(path):
            break
        time.sleep(0.1)
    try:
        verdict = compute()
        if verdict:
            _write(path, verdict.of(None))
        return verdict
    finally:
        path.with_suffix(".lock").unlink(missing_ok=True)


def _locked(path: Path) -> bool:
    """Take the lock of a file; one whose owner has died is taken over."""
    lock = path.with_suffix(".lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(lock, "x") as file:
            file.write(str(os.getpid()))
        return True
    except FileExistsError:
        owner = lock.read_text() if lock.exists() else ""
        if owner and not _alive(int(owner)):
            lock.unlink(missing_ok=True)
        return False


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _write(path: Path, verdict) -> None:
    """All at once, so that nobody reads half of it."""
    half = path.with_suffix(f".{os.getpid()}")
    half.write_bytes(pickle.dumps(verdict))
    half.replace(path)
