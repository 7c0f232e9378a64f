"""The rates of the paper as exponents of n: one list, for the lines and for the tables.

With the ridge ``n ** -a`` and the projection's ``alpha = n ** -b`` each term of a bound
is a power of n, and the bound has the rate of its slowest term.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Row:
    """One result, up to constants and logarithms.

    Attributes
    ----------
    source : str
        Where it stands in the paper.
    loss : str
    assumes : str
        The assumptions of the paper, by its numbers.
    decay : str
        Of the eigenvalues of the covariance, as a formula.
    rate, ridge, projection, columns : str
        Exponents, as lines: the bound is ``n ** -rate`` with the ridge ``n ** -ridge``
        and ``alpha = n ** -projection`` for ``n ** columns`` landmarks.  Empty where
        there is none; a number of columns that is no power of n is a formula.
    terms : tuple of str
        Exponents of the terms of the bound, in the fields ``{a}`` and ``{b}``: of what
        the sample costs, of what the subspace costs, and of what the ridge costs.
    of : str
        The row that it is a case of.
    when : str
        The case, a line.
    """

    source: str
    loss: str
    assumes: str
    decay: str
    rate: str
    ridge: str = ""
    projection: str = ""
    columns: str = ""
    terms: tuple[str, ...] = ()
    of: str = ""
    when: str = ""

    def at(self, a: str, b: str, *terms: int) -> str:
        """The exponent of the bound at two exponents, or of some of its terms.

        >>> ROWS["subspace"].at("a", "b")
        'min(1 - a, b / 2, a)'
        >>> ROWS["subspace"].at("a", "b", 1)
        'b / 2'
        """
        chosen = [self.terms[k] for k in terms] if terms else self.terms
        line = f"min({', '.join(chosen)})" if len(chosen) > 1 else chosen[0]
        return line.format(a=a, b=b)

    @property
    def needed(self) -> str:
        """The exponent of the number of landmarks: an effective dimension."""
        return f"capacity * ({self.projection})"


POWER, EXPONENTIAL, ANY = r"j^{-1/p}", r"e^{-\beta j}", ""
# The denominator of the fast rates of the hinge loss.
Q = "source * (2 - capacity - theta + theta * capacity) + capacity"
_SLOW, _PROJECTION = "1 - {a} * (1 - source) / 2", "{b} - {a} * (1 - source)"

_SUBSPACE = Row(
    "Theorems 6 and 7, (32)",
    "any",
    "1, 2, 3",
    POWER,
    rate="1 / 2",
    ridge="1 / 2",
    projection="1",
    columns="capacity",
    terms=("1 - {a}", "{b} / 2", "{a}"),
)
_HINGE = Row(
    "Theorem 10, (41)",
    "hinge",
    "1, 2, 7",
    POWER,
    rate="min(2 * source / (source + 1), source / q)",
    ridge="min(2 / (source + 1), 1 / q)",
    projection="(source + 1) * min(2 / (source + 1), 1 / q)",
    columns="min(2 * capacity, capacity * (source + 1) / q)",
    terms=(
        "(1 - capacity * {a}) / (2 - capacity - theta + theta * capacity)",
        _SLOW,
        f"({_PROJECTION}) / 2",
        "source * {a}",
    ),
)
_SQUARE = Row(
    "Theorem 12",
    "square",
    "1",
    POWER,
    rate="min(2 * source / (source + 1), source / (source + capacity))",
    ridge="min(2 / (source + 1), 1 / (source + capacity))",
    projection="min(2 / (source + 1), 1 / (source + capacity))",
    columns="min(2 * capacity / (source + 1), capacity / (source + capacity))",
    terms=("1 - capacity * {a}", _SLOW, _PROJECTION, "source * {a}"),
)
_BEST = r"2, 6, 7 ($\theta = 1$)"

ROWS = {
    "all columns": Row(
        "Theorem 2",
        "any",
        "1, 2, 3",
        ANY,
        rate="1 / 2",
        ridge="1 / 2",
        terms=("1 - {a}", "{a}"),
    ),
    "subspace": _SUBSPACE,
    "subspace, exponential": replace(
        _SUBSPACE, decay=EXPONENTIAL, columns=r"\log^2 n", terms=(), of="subspace"
    ),
    "hinge": _HINGE,
    "hinge, well specified": Row(
        "(42), (43)",
        "hinge",
        f"1, {_BEST}",
        POWER,
        rate="1 / (1 + capacity)",
        ridge="1 / (1 + capacity)",
        projection="2 / (1 + capacity)",
        columns="2 * capacity / (1 + capacity)",
        of="hinge",
        when="source == 1 and theta == 1",
    ),
    "random features": Row(
        "after Sun et al. 2018",
        "hinge",
        f"bounded, {_BEST}",
        POWER,
        rate="1 / (2 * capacity + 1)",
        ridge="1 / (1 + capacity)",
        projection="2 / (2 * capacity + 1)",
        columns="2 * capacity / (2 * capacity + 1)",
        of="hinge",
        when="source == 1 and theta == 1",
    ),
    "square": _SQUARE,
    "square, well specified": Row(
        "Corollaries 13 and 15",
        "square",
        "bounded, 6",
        POWER,
        rate="1 / (1 + capacity)",
        ridge="1 / (1 + capacity)",
        projection="1 / (1 + capacity)",
        columns="capacity / (1 + capacity)",
        of="square",
        when="source == 1",
    ),
    "square, classes": replace(
        _SQUARE,
        source="Theorem 18",
        assumes="1, 8",
        rate=f"{_SQUARE.rate} / (2 - gamma)",
        of="square",
    ),
    "hinge, classes": replace(
        _HINGE, source="Theorem 19", assumes="1, 8", of="hinge", when="theta == gamma"
    ),
}

# The tables of the paper, each of rows of the list.
TABLES = {
    2: (
        "all columns",
        "subspace",
        "subspace, exponential",
        "hinge, well specified",
        "hinge",
        "random features",
    ),
    3: ("square", "square, well specified"),
    4: ("square, classes", "hinge, classes"),
}
