"""Why it is not known whether a theorem promises something."""

from __future__ import annotations

import ast
import re

from nystheory.engine.language import lines
from nystheory.engine.language.claims import shown
from nystheory.engine.promises.known import Known
from nystheory.engine.promises.promises import undecided
from nystheory.guarantees._estimate import Estimated


def why_not(theorem, name, case, target, delta) -> str:
    """In words; empty where the claim is known not to promise the target.

    Of a matrix that is known only as far as an estimate shows, nothing is known not to.

    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.guarantees import estimate
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([4.0, 2.0, 1.0])
    >>> known = estimate(K, nystrom(K, [0])).but(count=2, rank=2)
    >>> why = why_not(theorems["modern:k-dpp-expectation"], "mean", known, 6.5, 0.1)
    >>> for part in why.split("; "):
    ...     print(part)
    It speaks where `l <= rank_K`
    of `rank_K` it is only known that it is at least 1
    """
    found = undecided(theorem, name, case, target, delta)
    if found:
        return _in_words(found, Known.of(case))
    if isinstance(case, Estimated) and case.missed > 0:
        return "What is known of K is not enough to tell"
    return ""


def typeset(why, quantities) -> str:
    r"""The same for a notebook: what is code becomes formulas.

    >>> from nystheory.engine import QUANTITIES
    >>> typeset("It speaks where `l <= rank_K`", QUANTITIES)
    'It speaks where $l \\le \\operatorname{rank} K$'
    """

    def formula(code):
        return f"${shown(lines.parse(code[1]), quantities)}$"

    return re.sub("`([^`]+)`", formula, why)


def told_well(why) -> int:
    """A condition tells more than that something is not known; nothing tells least.

    >>> told_well(""), told_well("What it promises"), told_well("It speaks where ...")
    (0, 1, 2)
    """
    return bool(why) + why.startswith("It speaks where")


def _in_words(trees, case) -> str:
    told = "It speaks where " + " and ".join(f"`{ast.unparse(x)}`" for x in trees)
    if {"rank_K", "r"} & {name for tree in trees for name in lines.names(tree)}:
        told += f"; of `rank_K` it is only known that it is at least {case.rank_K}"
    return told
