"""Why it is not known whether a theorem promises something."""

from __future__ import annotations

import ast

from nystheory.engine import lines
from nystheory.engine.known import Known
from nystheory.engine.promises import undecided
from nystheory.guarantees._estimate import Estimated


def why_not(theorem, name, case, target, delta) -> str:
    """In words; empty where the claim is known not to promise the target.

    Of a matrix that is known only as far as an estimate tells, nothing is known not to.

    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.guarantees import estimate
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([4.0, 2.0, 1.0])
    >>> known = estimate(K, nystrom(K, [0])).but(count=2, rank=2)
    >>> why_not(theorems["modern:k-dpp-expectation"], "mean", known, 6.5, 0.1)
    'It promises this where `l <= rank_K`; of the rank of K all that is known is that it is at \
least 1'
    """
    found = undecided(theorem, name, case, target, delta)
    if found:
        return _in_words(found[0], Known.of(case))
    if isinstance(case, Estimated) and case.missed > 0:
        share = 100 * case.missed / float(case.diagonal.sum())
        return f"All but {share:.2g} % of tr K is known, which is not enough to tell"
    return ""


def told_well(why) -> int:
    """A condition tells more than that something is not known; nothing tells least.

    >>> told_well(""), told_well("What it promises"), told_well("It promises this where ...")
    (0, 1, 2)
    """
    return bool(why) + why.startswith("It promises this where")


def _in_words(tree, case) -> str:
    line = ast.unparse(tree)
    told = f"It promises this where `{line}`"
    if "rank_K" in lines.names(tree) or "r" in lines.names(tree):
        told += f"; of the rank of K all that is known is that it is at least {case.rank_K}"
    return told
