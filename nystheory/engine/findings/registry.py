"""The experiments of the book by id, found in the folders of its chapters."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from pathlib import Path

from nystheory.engine.findings.experiment import Experiment
from nystheory.engine.findings.stored import MODULE, module_of


def discover(package: str) -> dict[str, Experiment]:
    """The experiments in ``findings.py`` of each folder of a package, by id.

    Parameters
    ----------
    package : str
        Its folder holds one folder for each chapter.

    Raises
    ------
    ValueError
        If two experiments have one id, or one is not named by its chapter.
    """
    folder = Path(importlib.util.find_spec(package).origin).parent
    found = {}
    for path in sorted(folder.glob(f"*/{MODULE}.py")):
        name = f"{package}.{path.parent.name}.{MODULE}"
        for each in vars(importlib.import_module(name)).values():
            if isinstance(each, Experiment):
                _enter(found, each, name)
    return found


def _enter(found, experiment, module):
    if experiment.chapter != module.split(".")[-2]:
        raise ValueError(
            f"{experiment.id}: expected an id that begins with its chapter, "
            f"{module.split('.')[-2]}"
        )
    if experiment.id in found:
        raise ValueError(
            f"{experiment.id}: expected one experiment of this id, got two"
        )
    if module_of(experiment) != module:
        raise ValueError(f"{experiment.id}: expected `measure` in its own chapter")
    found[experiment.id] = experiment


def chosen(found: dict[str, Experiment], id: str) -> list[Experiment]:
    """Those that an id means: an experiment, one of its findings, or a chapter.

    Raises
    ------
    KeyError
        If there is none; it names some that are near.
    """
    some = [e for e in found.values() if id.partition("/")[0] in (e.id, e.chapter)]
    if not some:
        near = difflib.get_close_matches(id, found, n=3, cutoff=0.3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise KeyError(f"no experiment {id!r}{hint}")
    _, slash, finding = id.partition("/")
    if slash and not any(finding in each.findings for each in some):
        known = ", ".join(name for each in some for name in each.findings)
        raise KeyError(f"no finding {finding!r}: expected {known}")
    return some
