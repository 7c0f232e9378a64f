"""The tables of the paper, made from the list of rates."""

from __future__ import annotations

from nystheory import style
from nystheory.chapters.fast_and_slow_rates.theorems.exponents import Exponents
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS, TABLES, Row
from nystheory.engine.language.latex import latex
from nystheory.engine.language.lines import parse

HEADER = ("result", "loss", "assumptions", "decay", r"$\lambda$", r"$\alpha$")
HEADER = (*HEADER, "rate", "landmarks")


def table(number: int) -> style.Table:
    """Table 2, 3 or 4 of the paper, up to constants and logarithms.

    Parameters
    ----------
    number : {2, 3, 4}

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> [row[-1] for row in table(3).rows][1]
    '$n^{p / (1 + p)}$'
    """
    if number not in TABLES:
        expected = ", ".join(map(str, TABLES))
        raise ValueError(f"number: expected one of {expected}, got {number!r}")
    rows = [_cells(ROWS[name]) for name in TABLES[number]]
    return style.Table(HEADER, rows, f"After Table {number} of the paper")


def _cells(row: Row) -> tuple[str, ...]:
    symbols = Exponents.quantities.symbols() | {"n": "n"}
    if row.when == "theta == gamma":  # of the noise there is one exponent only
        symbols |= {"theta": symbols["gamma"], "q": r"q_\gamma"}

    def power(line, sign="-"):
        if "\\" in line or not line:
            return f"${line}$" if line else ""
        return f"${latex(parse(f'n ** ({sign}({line}))'), symbols)}$"

    ends = (row.ridge, row.projection, row.rate)
    decay = f"${row.decay}$" if row.decay else ""
    told = (row.source, row.loss, row.assumes, decay)
    return (*told, *map(power, ends), power(row.columns, ""))
