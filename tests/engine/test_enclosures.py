"""The error of every function of a line encloses what its arguments may have been.

The arguments are moved by all of their errors, in the directions that matter most, and
the value there is computed without the engine.
"""

import ast
import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from flint import arb, fmpq, fmpq_mat

from nystheory.engine.language import lines
from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.language.lines import Reader
from nystheory.engine.language.numbers import Number
from nystheory.exact import lines as without_rounding

# Positive definite, positive definite and steep, and of rank two.
MATRICES = {
    "regular": np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 1.0]]),
    "steep": np.diag([5.0, 1.0, 0.2]),
    "flat": np.eye(4),
}
SHARES = (1e-6, 1e-3, 0.1, 0.3, 0.9)
BY_NUMPY = {
    "trace": np.trace,
    "diag": np.diag,
    "inv": np.linalg.inv,
    "pinv": np.linalg.pinv,
    "det": np.linalg.det,
    "log_det": lambda A: np.linalg.slogdet(A)[1],
    "norm_2": lambda A: np.linalg.norm(A, 2),
    "norm_F": np.linalg.norm,
    "norm_trace": lambda A: np.linalg.norm(A, "nuc"),
    "eigenvalues": lambda A: np.linalg.eigvalsh(A)[::-1],
    "prod": np.prod,
    "sum": np.sum,
    "min": np.min,
    "max": np.max,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "sin": np.sin,
    "asin": np.arcsin,
    "erf": scipy.special.erf,
}
OF_MATRICES = ("trace", "diag", "inv", "pinv", "det", "log_det", "norm_2", "norm_F")
OF_MATRICES += ("norm_trace", "eigenvalues")
OF_VECTORS = ("sum", "min", "max", "abs", "sqrt", "log", "exp", "sin", "asin", "erf")
OF_VECTORS += ("prod",)
# By cases of their own below.
OTHERS = {"below", "block", "identity", "floor", "ceil", "inverse_squares"}
OTHERS |= {"hadamard", "rank", "taken", "power", "leading"}
OTHERS |= {"elementary", "binomial", "outer", "counting", "diagonal", "column"}


def directions(A):
    """Of Frobenius norm 1: towards each eigenvector, the identity, and anywhere."""
    values, vectors = np.linalg.eigh(A)
    for v in vectors.T:
        yield np.outer(v, v)
    yield np.eye(len(A)) / math.sqrt(len(A))
    rng = np.random.default_rng(0)
    for _ in range(4):
        D = rng.standard_normal(A.shape)
        yield (D + D.T) / np.linalg.norm(D + D.T)


def away(found, expected):
    """How far a number is from the truth, in the measure of its error."""
    difference = np.asarray(found.value) - expected
    return np.linalg.norm(difference) if difference.ndim == 2 else abs(difference).max()


POWERS = (-1.0, -0.5, 0.25, 0.5, 1.0)


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("exponent", POWERS)
def test_a_power_encloses(matrix, exponent):
    A, worst = MATRICES[matrix], 0.0
    lowest = np.linalg.eigvalsh(A)[0]
    for share, D, sign in product(SHARES, [*directions(A)], (-1, 1)):
        moved = sign * share * lowest * D
        error = float(np.linalg.norm(moved))
        found = FUNCTIONS["power"](Number(A, error, 3.0), Number.exact(exponent))
        off = away(found, scipy.linalg.fractional_matrix_power(A + moved, exponent))
        assert off <= found.error * (1 + 1e-6), share
        worst = max(worst, off / found.error)
    assert worst > 0.1, worst


def test_a_root_of_a_singular_matrix_encloses():
    """The root of what rounding has made of a zero may be as large as its root."""
    A, worst = np.diag([4.0, 0.0]), 0.0
    half = Number.exact(0.5)
    for error in (1e-12, 1e-6, 1e-2):
        found = FUNCTIONS["power"](Number(A, error, 4.0), half)
        off = away(found, np.diag([2.0, math.sqrt(error)]))
        assert off <= found.error
        worst = max(worst, off / found.error)
    assert worst > 0.5
    assert FUNCTIONS["power"](Number(A, 1e-6, 4.0), Number.exact(-0.5)).unknown
    assert FUNCTIONS["power"](Number.exact(-A), half).unknown
    assert FUNCTIONS["power"](Number.exact(A), Number.exact(2.0)).unknown


@pytest.mark.parametrize("k", (0, 1, 2, 3))
def test_a_leading_projector_encloses(k):
    A, worst = MATRICES["regular"], 0.0
    for share, D, sign in product(SHARES, [*directions(A)], (-1, 1)):
        moved = sign * share * 0.3 * D
        error = float(np.linalg.norm(moved))
        found = FUNCTIONS["leading"](Number(A, error, 3.0), Number.exact(float(k)))
        if not math.isfinite(found.error):
            continue
        vectors = np.linalg.eigh(A + moved)[1][:, ::-1][:, :k]
        off = away(found, vectors @ vectors.T)
        assert off <= found.error * (1 + 1e-6), share
        worst = max(worst, off / found.error)
    assert worst > 0.1 or k in (0, 3), worst


def test_a_leading_projector_is_on_the_range_at_most_and_unknown_at_a_tie():
    leading = FUNCTIONS["leading"]
    two = Number.exact(2.0)
    found = leading(Number.exact(np.diag([3.0, 0.0, 0.0])), two)
    np.testing.assert_allclose(found.value, np.diag([1.0, 0, 0]), atol=1e-12)
    assert leading(Number.exact(np.diag([3.0, 1.0, 1.0])), two).unknown
    assert leading(Number.exact(np.diag([3.0, 1e-11, 0.0])), two).unknown
    assert not leading(Number.exact(np.zeros((3, 3))), two).value.any()
    skew = Number.exact(np.array([[1.0, 1.0], [0.0, 1.0]]))
    assert leading(skew, two).unknown
    assert FUNCTIONS["eigenvalues"](skew).unknown


def test_what_is_counted_encloses():
    x, error = np.array([0.5, -0.7, 2.0]), 1e-3
    number, two = Number(x, error, 2.0), Number.exact(2.0)
    found = FUNCTIONS["elementary"](number, two)
    assert math.isclose(found.value, -0.35 + 1.0 - 1.4)
    worst = max(
        abs(a * b + a * c + b * c - found.value)
        for a, b, c in product(*[(v - error, v + error) for v in x])
    )
    assert 0.5 * found.error < worst <= found.error
    found = FUNCTIONS["outer"](number, number)
    off = away(found, np.outer(x + error, x + error))
    assert 0.1 * found.error < off <= found.error
    found = FUNCTIONS["diagonal"](number)
    off = away(found, np.diag(x + error))
    assert 0.9 * found.error < off <= found.error * (1 + 1e-9)
    assert FUNCTIONS["binomial"](Number.exact(5.0), two).value == 10
    assert FUNCTIONS["binomial"](Number.exact(1.0), two).value == 0
    assert FUNCTIONS["binomial"](Number.exact(2.5), two).unknown
    assert FUNCTIONS["binomial"](Number.exact(3000.0), Number.exact(1500.0)).unknown
    assert FUNCTIONS["counting"](Number.exact(3.0)).value.tolist() == [0, 1, 2]
    assert FUNCTIONS["counting"](Number.exact(-1.0)).value.tolist() == []
    assert FUNCTIONS["elementary"](number, Number.exact(0.0)).value == 1
    assert FUNCTIONS["elementary"](number, Number.exact(4.0)).value == 0


@pytest.mark.parametrize("base", (0.3, 2.0))
@pytest.mark.parametrize("share", SHARES[:-1])
def test_a_number_to_each_entry_encloses(base, share):
    powers, error = np.array([0.5, -2.0, 3.0]), share * base
    found, worst = Number(base, error, base) ** Number(powers, share, 3.0), 0.0
    for a, b in product((-1, 1), repeat=2):
        off = away(found, (base + a * error) ** (powers + b * share))
        assert off <= found.error * (1 + 1e-9)
        worst = max(worst, off / found.error)
    assert worst > 0.1, worst


def test_a_column_has_the_error_of_its_matrix():
    found = FUNCTIONS["column"](Number(MATRICES["steep"], 0.5, 5.0), Number.exact(1.0))
    assert found.value.tolist() == [0, 1, 0] and found.error == 0.5
    assert FUNCTIONS["column"](found, Number(1.0, 0.1, 1.0)).unknown


@pytest.mark.parametrize(
    "line",
    [
        "eigenvalues(A)",
        "power(A, 1 / 2)",
        "power(A, -1 / 2)",
        "leading(A, 2)",
        "prod(v)",
        "elementary(v, 2)",
        "binomial(5, 2)",
        "outer(v, v)",
        "diagonal(v)",
        "counting(4)",
        "column(A, 1)",
    ],
)
def test_both_readers_find_the_same(line):
    """In floats, and without rounding."""
    tree, A, v = lines.parse(line), [[2, 1, 0], [1, 3, 1], [0, 1, 1]], [1, -2, 3]
    given = {"A": np.array(A, float), "v": np.array(v, float)}
    floats = Reader({}, None, given).value(tree).value
    parts = {"A": fmpq_mat(A), "v": [fmpq(x) for x in v]}
    arguments = [_without_rounding(each, parts) for each in tree.args]
    exact = without_rounding.FUNCTIONS[tree.func.id](*arguments)
    flat = [float(arb(x)) for x in without_rounding.flat(exact)]
    np.testing.assert_allclose(flat, np.ravel(floats), atol=1e-12)


def _without_rounding(tree, parts):
    text = ast.unparse(tree)
    if text in parts:
        return parts[text]
    top, _, bottom = text.partition(" / ")
    return fmpq(int(top), int(bottom or 1))


def test_every_function_is_tried():
    assert {*OF_MATRICES, *OF_VECTORS, *OTHERS} == set(FUNCTIONS)


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("name", OF_MATRICES)
def test_a_function_of_a_matrix_encloses(name, matrix):
    A, worst = MATRICES[matrix], 0.0
    smallest = np.linalg.eigvalsh(A)[0]
    for share in SHARES:
        for D in directions(A):
            for sign in (-1, 1):
                moved = sign * share * smallest * D
                number = Number(A, float(np.linalg.norm(moved)), float(abs(A).max()))
                found = FUNCTIONS[name](number)
                if not math.isfinite(found.error):
                    continue
                off = away(found, BY_NUMPY[name](A + moved))
                assert off <= found.error * (1 + 1e-6), (share, sign)
                worst = max(worst, off / found.error)
    # The enclosure is not far from what is reached: a smaller one would be noticed.
    assert worst > 0.1, worst


@pytest.mark.parametrize("name", OF_VECTORS)
def test_a_function_of_a_vector_encloses(name):
    worst = 0.0
    for v in (np.array([0.5, 0.7, 0.2]), np.array([0.9]), np.full(5, 0.01)):
        for share in SHARES:
            error = share * v.min() * (0.1 if name == "asin" else 1)
            found = FUNCTIONS[name](_as_number(v, error))
            if not math.isfinite(found.error):
                continue
            for sign in (-1, 1):
                off = away(found, BY_NUMPY[name](v + sign * error))
                assert off <= found.error * (1 + 1e-6), (v, share)
                worst = max(worst, off / found.error)
    assert worst > 0.5, worst


def _as_number(v, error):
    value = float(v[0]) if len(v) == 1 else v
    return Number(value, float(error), float(abs(v).max()))


@pytest.mark.parametrize("share", SHARES)
def test_products_and_powers_enclose(share):
    A, B = MATRICES["regular"], MATRICES["steep"]
    for D in directions(A):
        moved = share * D
        a, b = (Number(M, share, float(abs(M).max())) for M in (A, B))
        for sign in (-1, 1):
            assert away(a @ b, (A + sign * moved) @ (B + moved)) <= (a @ b).error
            assert away(a + b, A + sign * moved + B + moved) <= (a + b).error + 1e-12
    v = Number(np.array([1.0, 2.0, 3.0]), share, 3.0)
    moved = v.value + share
    assert away(v @ v, moved @ moved) <= (v @ v).error * (1 + 1e-12)
    for base, exponent in ((2.0, 3.0), (3.0, -2.0), (1.5, 0.5)):
        x, e = Number(base, share / 2, base), Number(exponent, share / 4, abs(exponent))
        for dx in (-share / 2, share / 2):
            for de in (-share / 4, share / 4):
                found = x**e
                off = abs(found.value - (base + dx) ** (exponent + de))
                assert not math.isfinite(found.error) or off <= found.error


def test_what_rounding_hides_is_not_decided():
    A, below = MATRICES["steep"], FUNCTIONS["below"]
    zero = Number.exact(0.0)
    assert below(zero, Number(A, 0.0, 5.0)) is True
    assert below(zero, Number(A - 0.3 * np.eye(3), 0.0, 5.0)) is False
    assert below(zero, Number(A - 0.3 * np.eye(3), 0.2, 5.0)) is None
    assert below(Number(A, 1e-9, 5.0), Number(A, 1e-9, 5.0)) is True
    for name in ("floor", "ceil"):
        assert FUNCTIONS[name](Number(2.0, 1e-9, 2.0)).unknown
        assert FUNCTIONS[name](Number(2.5, 1e-9, 2.5)).error == 0
    for x in (Number(0.1, 0.2, 0.1), Number(-1.0, 0.0, 1.0)):
        assert not math.isfinite(FUNCTIONS["sqrt"](x).error) or x.value > 0
    assert FUNCTIONS["sqrt"](Number(0.1, 0.2, 0.1)).error >= math.sqrt(0.1)
    assert (Number(0.0, 0.5, 1.0) ** Number(0.0, 0.1, 1.0)).error >= 1


def test_a_block_has_the_errors_of_its_parts():
    a, b = Number(np.eye(2), 3.0, 1.0), Number(np.eye(2), 4.0, 1.0)
    assert FUNCTIONS["block"](a, b).error >= 5


@pytest.mark.parametrize("share", SHARES)
def test_a_product_of_entries_encloses(share):
    """Entry by entry it moves by the largest entry of the other factor at most."""
    A, B = MATRICES["regular"], MATRICES["steep"]
    a, b = (Number(M, share, float(abs(M).max())) for M in (A, B))
    found, worst = FUNCTIONS["hadamard"](a, b), 0.0
    place = np.unravel_index(abs(B).argmax(), B.shape)
    unit = np.zeros(B.shape)
    unit[place] = share
    for D in (unit, *(share * D for D in directions(A))):
        for sign in (-1, 1):
            off = away(found, (A + sign * D) * (B + D))
            assert off <= found.error * (1 + 1e-9)
            worst = max(worst, off / found.error)
    assert worst > 0.3, worst


def test_a_rank_is_counted_or_unknown():
    rank = FUNCTIONS["rank"]
    two = Number.exact(np.diag([3.0, 1e-3, 0.0]))
    assert (rank(two).value, rank(two).error) == (2, 0)
    assert rank(Number(two.value, 1e-3, 3.0)).unknown
    assert rank(Number.exact(np.diag([1.0, 1e-11]))).unknown
    assert rank(Number.exact(np.zeros((0, 2)))).value == 0


def test_the_length_of_a_vector_adds_up_the_errors_of_its_entries():
    v = Number(np.full(9, 1.0), 0.1, 1.0)
    assert away(FUNCTIONS["norm_2"](v), 3.3) <= FUNCTIONS["norm_2"](v).error * 1.001


def test_the_rounding_of_a_matrix_is_that_of_all_its_entries():
    """A product with a number errs in each entry, and so does a quotient."""
    third = Number.exact(np.full((50, 50), 1 / 3))
    factor = Number.exact(0.1)
    exactly = Fraction(0.1) * Fraction(1 / 3)
    missed = abs(float(Fraction(0.1 * (1 / 3)) - exactly)) * 50
    assert (third * factor).error >= max(missed, 50 * 2.0**-54 * 0.1 / 3)


def test_sums_of_inverse_squares():
    found = FUNCTIONS["inverse_squares"](Number.exact(3.0), Number.exact(9.0))
    exact = math.fsum(1 / j**2 for j in range(3, 10))
    assert abs(found.value - exact) <= found.error < 1e-13
    assert FUNCTIONS["identity"](Number.exact(2.0)).value.tolist() == [[1, 0], [0, 1]]
