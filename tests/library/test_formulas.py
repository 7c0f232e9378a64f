"""Wide formulas break where a reader would break them, and nowhere else."""

import re

import pytest

from nystheory import _formulas
from nystheory.chapters import theorems

LATEX = [
    pytest.param(theorem.latex(claim), id=f"{theorem.id}, {name}")
    for theorem in theorems.values()
    for name, claim in theorem.claims.items()
]


def bare(latex):
    """What is left without layout."""
    latex = re.sub(r"\\begin\{aligned\}|\\end\{aligned\}|\\\\|&|\\quad|\{\}", "", latex)
    latex = re.sub(r"\\left|\\right", "", latex)
    return re.sub(r"[\s()$]|\\text\{([^}]*)\}", r"\1", latex).replace(" ", "")


@pytest.mark.parametrize("latex", LATEX)
def test_nothing_is_lost_on_several_lines(latex):
    assert bare(_formulas.displayed(latex)) == bare(latex)


@pytest.mark.parametrize("latex", LATEX)
def test_every_piece_in_a_cell_is_a_formula(latex):
    """Braces and norms that are opened are shut, in each piece."""
    told = _formulas.inline(latex)
    for piece in re.findall(r"\$(.*?)\$", told):
        grouping = re.sub(r"\\[{}]", "", piece)  # a set may be cut after a comma
        assert grouping.count("{") == grouping.count("}"), piece
        assert piece.count(r"\left") == piece.count(r"\right"), piece
        assert piece[-1] not in "^_", piece
    assert bare(told) == bare(latex)


def test_what_is_wide_fits_after_it_was_broken():
    wide = [each.values[0] for each in LATEX]
    lines = [
        line
        for latex in wide
        if _formulas.width(latex) > _formulas.LINE
        for line in re.split(r"\\\\", _formulas.displayed(latex))
    ]
    assert len(lines) > 20
    assert max(map(_formulas.width, lines)) <= 1.3 * _formulas.LINE
