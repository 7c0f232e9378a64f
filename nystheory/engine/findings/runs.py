"""Runs of minutes and hours, kept beside their chapter with what they came from.

A file of such a run has what came of it, a seal over that, a digest of the code that it
ran by, and what a *small* run by the same functions gave: the tests run that one again,
and whoever changes the code runs it again before the digest is written anew.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nystheory.engine.findings.stored import same
from nystheory.engine.findings.used import used
from nystheory.engine.trial.store import StaleError, code

COMMAND = "python -m nystheory runs"


@dataclass(frozen=True)
class LongRun:
    """Where a long run is kept, and how a small one is made.

    Parameters
    ----------
    path : Path
        A file beside the chapter.
    module : str
        The ``__name__`` of the module that runs it.
    small : callable () -> dict of str to array
        A run of a second or two by the same functions, without what a clock says.
    """

    path: Path
    module: str
    small: Callable[[], Mapping[str, Any]]

    @property
    def id(self) -> str:
        """Chapter and file: ``a_million_points/run_10000``."""
        return f"{self.path.parent.name}/{self.path.stem}"

    def keep(self, told) -> None:
        """Write what came of the run, with the rest.

        Parameters
        ----------
        told : dict or list
            As JSON has it.
        """
        self._write(_as_read(told), _as_read(self._tried()))

    def read(self):
        """What came of the run.

        Raises
        ------
        StaleError
            If somebody changed it by hand.
        """
        kept = self._kept()
        if kept["seal"] != _seal(kept["run"], kept["small"]):
            raise StaleError(
                f"{self.id} was changed by hand: run python -m {self.module}"
            )
        return kept["run"]

    def is_fresh(self) -> bool:
        """Whether the code at hand is the code that it is kept with."""
        return self._kept()["code"] == self.digest()

    def digest(self) -> str:
        """Of the code by which it runs: all modules that it takes names from."""
        digest = hashlib.sha256(self.module.encode())
        for name in sorted(used(self.module)):
            digest.update(f"{name} {code(name)}".encode())
        return digest.hexdigest()

    def stands(self) -> bool:
        """Whether the small run, run again, gives what it gave."""
        return same(self._kept()["small"], _as_read(self._tried()))

    def renew(self) -> bool:
        """Write the digest of the code anew if the small run still gives what it gave.

        Returns
        -------
        bool
            False where it does not: then the long one is to be run.
        """
        if not self.stands():
            return False
        self._write(self.read(), self._kept()["small"])
        return True

    def _tried(self):
        return {name: np.asarray(x).tolist() for name, x in self.small().items()}

    def _kept(self) -> dict:
        return json.loads(self.path.read_text("utf-8"))

    def _write(self, told, small) -> None:
        kept = {"code": self.digest(), "seal": _seal(told, small)}
        lines = (f'"{key}": {json.dumps(value)}' for key, value in kept.items())
        parts = (f'"small": {json.dumps(small)}', f'"run": {_lines(told)}')
        self.path.write_text("{" + ",\n".join((*lines, *parts)) + "}\n", "utf-8")


def _as_read(told):
    return json.loads(json.dumps(told))


def _lines(told) -> str:
    """Rows have a line each, and so have the entries of a dictionary."""
    if isinstance(told, dict):
        rows = (f"{json.dumps(key)}: {_lines(value)}" for key, value in told.items())
        return "{\n" + ",\n".join(rows) + "\n}"
    if isinstance(told, list) and told and isinstance(told[0], dict):
        return "[\n" + ",\n".join(map(json.dumps, told)) + "\n]"
    return json.dumps(told)


def _seal(told, small) -> str:
    return hashlib.sha256(json.dumps([told, small]).encode()).hexdigest()


def discover(package: str) -> dict[str, LongRun]:
    """The long runs of the modules in the folders of a package, by id.

    Parameters
    ----------
    package : str
        Its folder holds one folder for each chapter.
    """
    folder = Path(importlib.util.find_spec(package).origin).parent
    found = {}
    for path in sorted(folder.glob("*/*.py")):
        if "LongRun(" in path.read_text("utf-8"):
            module = importlib.import_module(
                f"{package}.{path.parent.name}.{path.stem}"
            )
            for each in vars(module).values():
                some = each.values() if isinstance(each, dict) else [each]
                found |= {one.id: one for one in some if isinstance(one, LongRun)}
    return found


def renew(runs: Mapping[str, LongRun]) -> int:
    """Run the small one again wherever the code has changed, and say what came.

    Returns
    -------
    int
        1 where a long one is to be run anew.
    """
    fallen = 0
    for id, each in runs.items():
        if not each.is_fresh():
            stands = each.renew()
            fallen += not stands
            told = "as before" if stands else f"another: run python -m {each.module}"
            print(f"{id}: {told}")
    return 1 if fallen else 0
