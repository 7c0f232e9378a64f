"""The engine of lines: numbers that may be unknown, relations, formulas, algebra."""

import numpy as np
import pytest

from nystheory import exact
from nystheory.engine.compare import compare
from nystheory.engine.derivation import _Algebra
from nystheory.engine.instances import SAMPLE, Instance
from nystheory.engine.latex import latex
from nystheory.engine.lines import Reader, decide, parse
from nystheory.engine.numbers import FUNCTIONS, UNKNOWN, Number
from nystheory.engine.quantities import QUANTITIES, Quantity
from nystheory.engine.theorem import Claim

UNCLEAR = Quantity("unclear", "?", "", SAMPLE, lambda i: None)
EQUAL = Instance.exactly([0], 1, points=[[1, 1]])


def holds(line, instance=EQUAL):
    """By the float64 observers, and without rounding."""
    case = exact.Case.of(**instance.in_fractions())
    fast = Reader(QUANTITIES, instance).value(parse(line))
    return fast, exact.prove(line, case).holds


@pytest.mark.parametrize(
    ("line", "truth"),
    [
        ("below(0, K)", True),
        ("below(K, 0)", False),
        ("below(0, approximation - 1.01 * K)", False),
        ("W == identity(k)", True),
        ("W != identity(k)", False),
        ("W == 2 * identity(k)", False),
        ("(W == identity(k)) == (rank_K == n)", False),
        ("(W == identity(k)) == (rank_K == 1)", True),
        ("block(C, C) == K", True),
        ("block(W, W, W, 2 * W) == K", False),
    ],
)
def test_both_routes_decide_a_line(line, truth):
    assert holds(line) == (truth, truth)


def test_only_zero_stands_for_a_matrix():
    with pytest.raises(ValueError, match="expected matrices or 0"):
        holds("below(1, K)")
    with pytest.raises(ValueError, match="expected matrices or 0"):
        exact.prove("below(1, K)", exact.Case.of([0], 1, matrix=[[1]]))


def test_an_error_of_numpy_decides_too():
    a = Number(np.eye(2), np.float64(1e-12), 1.0)
    assert decide("==", a, Number.exact(np.eye(2))) is True


def test_a_claim_that_two_sides_differ_can_fall():
    assert compare(Claim("W != identity(k)"), Reader(QUANTITIES, EQUAL)).violated
    assert not compare(
        Claim("W != 2 * identity(k)"), Reader(QUANTITIES, EQUAL)
    ).violated


@pytest.mark.parametrize("name", ["trace", "diag", "inv", "pinv", "norm_2", "identity"])
def test_what_is_unknown_stays_unknown(name):
    assert FUNCTIONS[name](UNKNOWN).unknown


def test_a_product_with_an_unknown_matrix_is_unknown():
    matrix = Number.exact(np.eye(2))
    assert (matrix @ UNKNOWN.transposed()).unknown
    assert FUNCTIONS["below"](matrix, UNKNOWN) is None


@pytest.mark.parametrize("line", ["(W == C) == unclear", "not unclear"])
def test_a_truth_that_is_unknown_decides_nothing(line):
    reading = Reader({"unclear": UNCLEAR, **QUANTITIES}, EQUAL)
    line = line.replace("C", "W")
    assert not compare(Claim(line), reading).decided


def test_an_exponent_stands_on_a_bracket():
    """One exponent above another would be no formula."""
    symbols = {"G": "G_k^{1/2}", "H": "(G^{2})"}
    assert latex(parse("pinv(G) @ H.T"), symbols) == r"(G_k^{1/2})^+ (G^{2})^\top"


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("A @ A", "A^{2}"),
        ("2 * (A @ A) @ B", r"2 A^{2} B"),
        ("A @ B @ A", "A B A"),
        ("A.T @ A.T", r"A^\top A^\top"),
        ("sqrt(l / n) * A", r"\sqrt{l / n} A"),
        ("sqrt((l + 1) / n)", r"\sqrt{\frac{l + 1}{n}}"),
        ("pinv(W) @ pinv(W)", "(W^+)^{2}"),
        ("block(W, 0 * A)", r"[\,W \;\; 0\,]"),
        ("block(W, A, B, D)", r"\begin{pmatrix} W & A \\ B & D \end{pmatrix}"),
        ("(W == A) == known", r"W = A \quad\Longleftrightarrow\quad known"),
    ],
)
def test_formulas(line, formula):
    assert latex(parse(line), {}) == formula


def test_numbers_before_a_matrix_commute():
    algebra = _Algebra(["sqrt(l / n) * C @ (n / l * S)", "C @ S"])
    assert algebra.matrices == {"C", "S"}
    assert algebra.of("n / l * C @ (l / n * S)") == algebra.of("C @ S")
