"""The modules that an experiment draws by.

The imports of the chapter's `findings` are followed, however deep: a name that a folder
passes on leads to the module that defines it, and not to all that the folder imports.
What judges and shows the draws is not followed, because they are judged whenever they
are read.  Where a measure reads lines or quantities, which are entered in tables when
their modules are imported, everything that is imported counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

from nystheory.engine.trial import store

# They judge and show what was drawn, whenever it is read.
READERS = (
    "nystheory.engine.findings.measured_lines",
    "nystheory.engine.findings.afresh",
    "nystheory.engine.findings.command",
    "nystheory.engine.findings.found",
    "nystheory.engine.findings.registry",
    "nystheory.engine.findings.runs",
    "nystheory.engine.findings.stored",
    "nystheory.engine.findings.used",
    "nystheory.engine.language.latex",
    "nystheory.engine.language.stated",
    "nystheory._progress",
    "nystheory.style",
)
# Rooms with tables that importing them fills.
TABLES = (
    "nystheory.engine.language",
    "nystheory.engine.worlds",
    "nystheory.engine.promises",
    "nystheory.exact",
)


def used(module: str, stated: Iterable[str] = ()) -> set[str]:
    """The modules by which a module draws, and those of the theorems that it names."""
    found = set().union(*map(followed, (module, *stated)))
    if any(name.startswith(TABLES) for name in found):
        found = set().union(*map(store.imported, (module, *stated)))
    return found - set(READERS)


def followed(module: str, package: str = "nystheory") -> set[str]:
    """The modules of the package from which a module takes names, and itself."""
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        path = store.file_of(name)
        if name in found or name in READERS or path is None or path.suffix != ".py":
            continue
        found.add(name)
        for base, each in _taken(name):
            if base.partition(".")[0] == package:
                waiting.append(_defined(base, each))
    return found


@cache
def _taken(module: str) -> tuple[tuple[str, str], ...]:
    """What a module takes: pairs of a module and a name, empty for the module itself.

    Behind the name of a folder its parts are taken: ``folder.part``.
    """
    path, nodes = store.file_of(module), [*ast.walk(store._tree(module))]
    pairs, bound = [], {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                pairs.append((alias.name, ""))
                bound[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            base = store._base(node, module, path)
            pairs += [(base, alias.name) for alias in node.names]
            bound |= {a.asname or a.name: f"{base}.{a.name}" for a in node.names}
    package = module.partition(".")[0]
    chains = store._reached(nodes, bound, package)
    pairs += [(base, name) for base, _, name in (x.rpartition(".") for x in chains)]
    return tuple(dict.fromkeys(pairs))


@cache
def _defined(base: str, name: str) -> str:
    """The module that defines what `base` calls by this name."""
    path = store.file_of(base)
    if not name or path is None or path.name != "__init__.py":
        return base
    if store.file_of(f"{base}.{name}") is not None:
        return f"{base}.{name}"
    for other, each in _taken(base):
        if each == name and other != base:
            return _defined(other, each)
    return base
