"""The draws of an experiment are kept beside its chapter, by what they came from.

``found.json`` in the folder of a chapter has what was measured, and a digest of the
code that measured it: the syntax trees of the modules by which it draws, `used`, and of
the theorems that the chapter names.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import numpy as np

from nystheory.engine.findings.drawing import Draw, drawn
from nystheory.engine.findings.used import used
from nystheory.engine.trial.store import StaleError, code, file_of, imported

COMMAND = "python -m nystheory findings"
FILE = "found.json"
# Other processors round differently: to this share, and below this size, draws agree.
NEARLY, NOTHING = 1e-3, 1e-7
MODULE = "findings"


def module_of(experiment) -> str:
    """The module of its chapter in which the experiment stands.

    Raises
    ------
    LookupError
        If no chapter has it: it was made on the fly.
    """
    package = experiment.measure.__module__.rpartition(".")[0]
    if package.rpartition(".")[2] != experiment.chapter:
        raise LookupError(f"{experiment.id} stands in no chapter")
    return f"{package}.{MODULE}"


def contents(experiment) -> str:
    """A digest of the code by which an experiment draws and measures."""
    module = module_of(experiment)
    stated = _stated(module.rpartition(".")[0], imported(module))
    modules = used(module, stated)
    digest = hashlib.sha256(experiment.id.encode())
    for name in sorted(modules):
        digest.update(f"{name} {code(name)}".encode())
    return digest.hexdigest()


def _stated(chapter: str, modules: Iterable[str]) -> set[str]:
    """The modules of the theorems whose ids stand in the code of a chapter."""
    book = importlib.import_module(chapter.rpartition(".")[0])
    known = {id: each.module for id, each in book.theorems.items()}
    own = [name for name in modules if name.startswith(f"{chapter}.")]
    trees = (ast.parse(file_of(name).read_text("utf-8")) for name in own)
    nodes = (node for tree in trees for node in ast.walk(tree))
    told = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {known[id] for id in set(known) & {x for x in told if isinstance(x, str)}}


def _path(experiment) -> Path:
    return file_of(module_of(experiment)).with_name(FILE)


def _read(path: Path) -> dict:
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def is_fresh(experiment) -> bool:
    """Whether its draws are stored, and were drawn by the code at hand."""
    entry = _read(_path(experiment)).get(experiment.id, {})
    return entry.get("key") == contents(experiment) and _is_whole(entry)


def _is_whole(entry) -> bool:
    """Whether nobody has changed what was stored."""
    return entry.get("seal") == _seal(entry["seconds"], entry["drawn"])


def _seal(seconds, rows) -> str:
    told = json.dumps([seconds, rows], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _entry(experiment) -> dict:
    if not is_fresh(experiment):
        raise StaleError(
            f"the draws of {experiment.id} are stale, or were changed by hand: run "
            f"{COMMAND} {experiment.id}"
        )
    return _read(_path(experiment))[experiment.id]


def draws_of(experiment) -> dict[str, list[Draw]]:
    """The stored draws, by data set.

    Raises
    ------
    StaleError
        If they were drawn by other code; it names the command that draws them.
    """
    entry, out = _entry(experiment)["drawn"], {}
    for data in experiment.data:
        out[data] = [{} for _ in range(experiment.draws)]
        for name in experiment.competitors:
            for field in experiment.measured:
                values = entry.get(f"{data} / {name} / {field}", [])
                for draw, each in zip(out[data], values, strict=False):
                    draw.setdefault(name, {})[field] = tuple(each)
    return out


def digest(experiment) -> str:
    """Of the stored draws: the same while whatever changed in the code moves none."""
    told = json.dumps(_entry(experiment)["drawn"], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def seconds_of(experiment) -> dict[str, float]:
    """The stored seconds of each competitor, a median over its draws."""
    return _entry(experiment)["seconds"]


def keep(experiment, progress: Callable = lambda: None) -> None:
    """Draw anew, and store what was measured."""
    found, seconds = drawn(experiment, progress=progress)
    rows = {}
    names = product(found, experiment.competitors, experiment.measured)
    for data, name, field in names:
        if field in found[data][0][name]:
            rows[f"{data} / {name} / {field}"] = [x[name][field] for x in found[data]]
    path = _path(experiment)
    before = _read(path).get(experiment.id, {})
    # The page shows the seconds: while the draws are the same, it stays as it is.
    if same(before.get("drawn", {}), rows):
        rows, seconds = before["drawn"], before["seconds"]
    entry = {"key": contents(experiment), "seconds": seconds, "drawn": rows}
    entry["seal"] = _seal(seconds, json.loads(json.dumps(rows)))
    entries = _read(path) | {experiment.id: entry}
    beside = vars(importlib.import_module(module_of(experiment))).values()
    known = {each.id for each in beside if isinstance(each, type(experiment))}
    entries = {id: each for id, each in entries.items() if id in known}
    path.write_text(_written(entries), "utf-8")


def same(before, after) -> bool:
    """Whether two draws differ by no more than other processors round.

    Parameters
    ----------
    before, after : mapping of str to array
        Of each row, what was measured.
    """
    return before.keys() == after.keys() and all(
        np.shape(before[name]) == np.shape(after[name])
        and np.allclose(before[name], after[name], NEARLY, NOTHING, equal_nan=True)
        for name in before
    )


def _written(entries) -> str:
    """JSON with a line for each field of each competitor, in the order of names."""
    parts = []
    for id, entry in sorted(entries.items()):
        rows = sorted(entry["drawn"].items())
        lines = ",\n".join(f"{json.dumps(k)}: {_short(v)}" for k, v in rows)
        seconds = json.dumps(entry["seconds"], sort_keys=True)
        parts.append(
            f'{json.dumps(id)}: {{"key": "{entry["key"]}",\n'
            f'"seal": "{entry.get("seal", "")}",\n"seconds": {seconds},\n'
            f'"drawn": {{\n{lines}\n}}}}'
        )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _short(values) -> str:
    return json.dumps(values, separators=(",", ":"))
