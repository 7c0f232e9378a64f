"""Proofs by computation: fractions and balls, no floats, nothing else of this package.

Whoever doubts a refutation of the book reads these files.  They import the standard
library and python-flint, not NumPy, and nothing from the rest of ``nystheory``.

- `balls`: matrices of fractions and of balls; eigenvalues that are enclosed.
- `matrix_functions`: functions of such matrices, and which of two is below.
- `case`: an instance as fractions.
- `laws`: how its columns are sampled.
- `routes`: what each named quantity is, computed from its definition.
- `lines`: a claim, a line of text in these names, evaluated on an instance.

The other files hold the routes of one subject each.  Those that serve one chapter
stand with it, in its files ``exact_*.py``: they import this room and python-flint, and
are read by their path, so that nothing else of the chapter is.
"""

import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

from nystheory.exact.case import Case
from nystheory.exact.lines import Proof, prove
from nystheory.exact.routes import ROUTES

# Every module of this folder enters its routes and laws into the tables.
for _module in pkgutil.iter_modules(__path__):
    if _module.name != "__main__":
        importlib.import_module(f"{__name__}.{_module.name}")


def _of_chapters():
    """Enter the routes of the chapters, without the chapters."""
    home = Path(__file__).parents[1]
    for path in sorted(home.glob("chapters/*/exact_*.py")):
        name = ".".join((home.name, *path.relative_to(home).with_suffix("").parts))
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


_of_chapters()

__all__ = ["Case", "Proof", "ROUTES", "prove"]
