"""Cells of tables whose words or formulas are typed say what is so.

`cells_of_tables.py` and `cells_of_advice.py` hold each by a computation, or list it as
one that explains. Cells that the run makes are compared with the run, and the tables of
the notation have their own test.
"""

import re

import pytest
from cells_of_advice import ADVICE, ELSEWHERE, EXPLAINED
from cells_of_tables import BRACKETS, CELLS, RESULT
from matrices_in_latex import value
from statements_of_texts import TEXTS

HELD = CELLS | ADVICE
TABLE = re.compile(r"(?:^\|.*\|$\n?)+", re.M)
MADE = re.compile(r"(?:\{\{.*?\}\}|\s|to)*")


def cells(page):
    """The cells of the tables of a page that somebody typed, without names of rows."""
    found = {}
    for table in TABLE.findall(TEXTS[page]):
        head, _, *rows = (
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in table.strip().split("\n")
        )
        for name, *row in rows:
            for column, cell in zip(head[1:], row, strict=True):
                if not MADE.fullmatch(cell):
                    found[page, name, column] = cell
    return found


TYPED = {
    key: cell
    for page in TEXTS
    if page not in ELSEWHERE
    for key, cell in cells(page).items()
}


def name(key):
    return ", ".join(key)


def holds(key, text):
    """Whether a cell may say that; what cannot be read says nothing."""
    try:
        return bool(HELD[key](text))
    except (ValueError, SyntaxError, NameError, IndexError, TypeError):
        return False


@pytest.mark.parametrize("key", HELD, ids=name)
def test_a_cell_says_what_is_so(key):
    assert HELD[key](TYPED[key])


def test_every_cell_is_held_or_explained():
    """Enter it in CELLS or in ADVICE with what it says."""
    assert TYPED.keys() == HELD.keys() | EXPLAINED.keys()
    assert not HELD.keys() & EXPLAINED.keys()
    assert 2 * len(EXPLAINED) < len(HELD)


@pytest.mark.parametrize("key", HELD, ids=name)
def test_the_cell_of_another_row_is_seen(key):
    page, row, column = key
    for (there, other, of), cell in TYPED.items():
        if (there, of) == (page, column) and other != row and cell != TYPED[key]:
            assert not holds(key, cell), cell


@pytest.mark.parametrize("key", HELD, ids=name)
def test_a_changed_cell_is_seen(key):
    """A word of a phrase exchanged, or another power in a formula."""
    text = TYPED[key]
    rows, computes = (getattr(HELD[key], x, ()) for x in ("rows", "computes"))
    for phrase, *_ in rows:
        this, other = (BRACKETS.sub(lambda x, k=k: x[k], phrase) for k in (1, 2))
        assert not holds(key, text.replace(this, other))
    for formula in re.findall(r"\$[^$]+\$", text) if computes else ():
        assert not holds(key, text.replace(formula, f"{formula[:-1]}^2$", 1))
    assert computes or rows or RESULT.search(text)


def test_a_formula_of_matrices_is_read():
    with pytest.raises(ValueError, match="expected a product"):
        value("A + B")
