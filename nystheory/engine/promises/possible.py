"""What numbers are possible?  What every kernel matrix that is not zero meets.

Who hands over numbers in place of a matrix may hand over some that no matrix has; a
formula would answer anyway.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from nystheory import _checks
from nystheory.engine.language.lines import Reader, names, parse
from nystheory.engine.language.numbers import Number
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import QUANTITIES

# One relation a line; it is asked where all of its names are known.
ALWAYS = (
    "0 < d_eff",
    "d_eff <= n",
    "d_eff <= largest_score",
    "0 < largest_score",
    "largest_score <= n",
    "0 < ridge_share",
    "ridge_share <= 1",
    "0 < score_share",
    "score_share <= 1",
    "0 <= k",
    "k <= n",
    "0 <= r",
    "r <= n",
    "0 <= rank_K",
    "rank_K <= n",
    "r <= basis_free_coherence",
    "0 <= basis_free_coherence",
    "basis_free_coherence <= n",
    "1 <= leading_coherence",
    "k * leading_coherence <= n",
    "0 <= points_off_zero",
    "points_off_zero <= n",
    "0 <= tail_2",
    "tail_2 <= tail_F",
    "0 <= tail_F",
    "tail_F <= tail_trace",
    "0 <= tail_trace",
    "0 <= tail_l",
    "0 <= tail_rank",
    "tail_rank <= n",
    "0 <= head_F",
    "0 <= next_eigenvalue",
    "0 <= symmetric_ratio",
    "0 <= spread",
    "spread <= n * K_max**2",
    "0 <= d_max",
    "d_max**2 <= 4 * K_max",
    "0 <= K_max",
    "0 <= norm_K",
    "norm_K <= norm_K_F",
    "0 <= norm_K_F",
    "norm_K_F <= trace_K",
    "0 <= trace_K",
    "1 <= experts",
    "0 < mu_max",
    "mu_max <= 1",
    "1 <= experts * mu_max",
)
# Sizes.
WHOLE = ("n", "k", "r", "rank_K", "points_off_zero", "experts", "block_size")
# Numbers, too, of which the hypotheses of a theorem speak.
CHOICES = ("delta", "alpha", "accuracy", "epsilon", "similarity", "kept_share", "noise")
SCALARS = {*WHOLE, *CHOICES, *(name for line in ALWAYS for name in names(parse(line)))}
# Whoever has computed a number has rounded it.
SLACK = 1e-9


def check(given: Mapping, n: int | None = None) -> None:
    """Refuse numbers that no kernel matrix has, and what is no number.

    Parameters
    ----------
    given : mapping of str to number or array
        Quantities by name.
    n : int, optional
        The size of the matrix, where it is not among them.

    Raises
    ------
    TypeError
        If a quantity that is one number is none.
    ValueError
        If no matrix has it, or has all of them.

    Examples
    --------
    >>> check({"d_eff": 5, "ridge_share": 1}, n=1000)
    >>> check({"ridge_share": 2})
    Traceback (most recent call last):
    ValueError: ridge_share: expected ridge_share <= 1, as it always is, got 2
    """
    known = {name: _number(x, name) for name, x in given.items() if name in SCALARS}
    known |= {"n": float(n)} if n is not None else {}
    reader = Reader(QUANTITIES, None, known)
    for line in ALWAYS:
        tree = parse(line)
        used = names(tree)
        told = [name for name in used if name in given]
        if not told or not {*used} <= {*known}:
            continue
        left, right = (float(reader.value(x).value) for x in _sides(tree))
        strict = line.startswith("0 <") and not line.startswith("0 <=")
        slack = SLACK * max(abs(left), abs(right))
        if not (left < right if strict else left <= right + slack):
            name = told[-1] if told[-1] != "n" else told[0]
            values = ", ".join(f"{x} = {known[x]:.6g}" for x in used)
            got = f"{known[name]:.6g}" if len(used) == 1 else values
            raise ValueError(f"{name}: expected {line}, as it always is, got {got}")


def _sides(tree):
    return tree.left, tree.comparators[0]


def _number(x, name) -> float:
    number = _checks.as_number(x.value if isinstance(x, Number) else x, name)
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {x!r}")
    if name in WHOLE and number != np.floor(number):
        raise ValueError(f"{name}: expected an integer, got {x!r}")
    return number


def check_used(
    given: Iterable[str], used: Iterable[str], of: str, quantities=QUANTITIES
) -> None:
    """Refuse what no line uses: it would be ignored.

    Examples
    --------
    >>> check_used(["delta"], ["n", "l", "d_eff"], "'error'")
    Traceback (most recent call last):
    ValueError: delta: expected one of d_eff, n, which 'error' uses, got 'delta'
    """
    for name in given:
        if name not in used:
            table, names = quantities, sorted({*used} - {"l"})
            before = (x for x in names if x not in table or table[x].when != SAMPLE)
            known = ", ".join(before)
            told = f"expected one of {known}, which {of} uses"
            raise ValueError(f"{name}: {told}, got {name!r}")
