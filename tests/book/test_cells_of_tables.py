"""Cells of tables whose words or formulas are typed say what is so.

`cells_of_tables.py` and `cells_of_advice.py` hold each by a computation, or list it as
one that explains. Cells that the run makes are compared with the run, and the tables of
the notation have their own test.
"""

import re
from itertools import combinations

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


# ---- Cells that the run makes


def made(page):
    """Heads and rows of the tables of a page that the run makes."""
    for table in TABLE.findall(TEXTS[page]):
        head, _, *rows = (
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in table.strip().split("\n")
        )
        rows = [row for row in rows if all(map(MADE.fullmatch, row[1:]))]
        if rows:
            yield head[1:], rows


def under_another(head, rows):
    """Cells with the name or the number of another column than theirs."""
    for _, *row in rows:
        for k, cell in enumerate(row):
            names = {*re.findall(r"[\"']([^\"']+)[\"']", cell)} & {*head}
            places = {*map(int, re.findall(r"\w\[(\d)\]", cell))}
            if names - {head[k]} or places - {k}:
                yield cell


def mixed(rows):
    """Rows whose cells are not all made of one name."""
    for _, *row in rows:
        names = {x for cell in row for x in re.findall(r"\{\{ (\w+)", cell)}
        if len(names) > 1:
            yield row, names


def beginnings(words):
    return {x[:4].lower() for x in re.findall(r"[A-Za-z]{4,}", words)}


def beside_another(rows):
    """Pairs of rows whose names fit as well if they are exchanged."""
    for one, other in combinations(rows, 2):
        names, cells = ([beginnings(x[k]) for x in (one, other)] for k in (0, 1))
        straight, crossed = (
            sum(len(name & cell) for name, cell in zip(names, some, strict=True))
            for some in (cells, cells[::-1])
        )
        if straight <= crossed:
            yield one[0], other[0]


@pytest.mark.parametrize("page", TEXTS)
def test_what_is_made_stands_in_its_column_and_row(page):
    for head, rows in made(page):
        assert [*under_another(head, rows)] == []
        assert [*beside_another(rows)] == [*mixed(rows)] == []


# What a page counts from 0 in the columns of such a table.
COUNTED = {"stability_of_learners": 'both = "patients", "robot arm"'}


@pytest.mark.parametrize("page", COUNTED)
def test_heads_are_in_the_order_of_the_page(page):
    """The cell that draws what the table shows has them, too."""
    assert TEXTS[page].count(COUNTED[page]) == 1, "enter the new order"
    names = re.findall(r'"([^"]+)"', COUNTED[page])
    counted = [head for head, rows in made(page) if re.search(r"\w\[0\]", rows[0][1])]
    assert counted == [names]


def test_another_column_or_row_is_seen():
    tables = [each for page in TEXTS for each in made(page)]
    assert len(tables) >= 2
    for head, rows in tables:
        assert [*under_another(head[1:] + head[:1], rows)] or not any(
            x in cell for x in head for cell in rows[0][1:]
        ) and [*under_another(head, [[x[0], *x[:0:-1]] for x in rows])]
        labels = [x[0] for x in rows]
        turned = [[name, *x[1:]] for name, x in zip(labels[::-1], rows, strict=True)]
        assert [*beside_another(turned)]


def test_a_formula_of_matrices_is_read():
    with pytest.raises(ValueError, match="expected a product"):
        value("A + B")
