"""What a page of the book shows of the package: a verdict, a listing."""

from __future__ import annotations

import inspect
import re
import textwrap
from pkgutil import resolve_name

from nystheory import style
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.trial.verification import verify


def verdict(theorem: Theorem) -> str:
    """The verdict of a theorem in one line that unfolds, as HTML in one line.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> verdict(theorems["talwalkar2010:eq-2.7"])[:40]
    '<details class="nys-mark"><summary>verif'
    """
    found = verify(theorem)
    summary = f"<summary>{found.outcome}: {style.text(found.mark)}</summary>"
    told = found._repr_html_().replace("\n", " ")
    return f'<details class="nys-mark">{summary}{told}</details>'


def listing(name: str) -> tuple[str, str]:
    """Docstring, and source without it, of a function, class or method of the package.

    Parameters
    ----------
    name : str
        As one would write it after ``import nystheory``: ``lowrank.nystrom``,
        ``lowrank.LowRank.matrix_projection``.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> docstring, source = listing("engine.report.page.verdict")
    >>> docstring.splitlines()[0]
    'The verdict of a theorem in one line that unfolds, as HTML in one line.'
    >>> source.splitlines()[0]
    'def verdict(theorem: Theorem) -> str:'
    """
    try:
        found = resolve_name(f"nystheory.{name}")
        source = textwrap.dedent(inspect.getsource(found))
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        told = f"name: expected a function of the package, got {name!r}"
        raise ValueError(told) from error
    # The first string after a signature is the docstring.
    short = re.sub(r'\n +r?""".*?"""', "", source, count=1, flags=re.DOTALL)
    return inspect.getdoc(found) or "", short.strip()
