"""Lines: parsed once, then a number, a formula on the page, and a proof."""

import math
from itertools import product

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import exact
from nystheory.engine.language import lines
from nystheory.engine.language.latex import latex
from nystheory.engine.language.numbers import Number
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES

CASE = Instance.exactly([0, 1], 1, points=[[1, 2, 0], [0, 1, 1]], delta="1/10")
EXACT = exact.Case.of(**CASE.in_fractions())
SYMBOLS = QUANTITIES.symbols() | {"a": "a", "b": "b"}


def shown(line):
    return latex(lines.parse(line), SYMBOLS)


def value(line, **given):
    return lines.Reader(QUANTITIES, CASE, given).value(lines.parse(line))


# --- As a person would write it -------------------------------------------------------


SQUARED = r"\left(\prod_{j \le k} a_{j}\right)^{2}"
PRODUCT = r"\prod_{j < k} \left(1 - \frac{c}{n - j}\right)"


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("max(eigenvalues(A + B)) <= c", r"\lambda_{\max}(A + B) \le c"),
        ("power(A + c * identity(n), -1 / 2)", "(A + c I_{n})^{-1 / 2}"),
        ("leading(A, k) @ B", "P_{k}(A) B"),
        ("outer(a, B @ a)", r"a (B a)^\top"),
        ("binomial(n - c, k)", r"\binom{n - c}{k}"),
        ("elementary(a, k + 1)", "e_{k + 1}(a)"),
        ("prod(1 - c / (n - counting(k)))", PRODUCT),
        ("sum(c ** counting(k))", r"\sum_{j < k} c^{j}"),
        ("sum(taken(a, counting(k)) ** 2)", r"\sum_{j \le k} a_{j}^{2}"),
        ("sum(taken(eigenvalues(A), counting(k)))", r"\sum_{j \le k} \lambda_{j}(A)"),
        ("taken(a, counting(k))", "a_{1:k}"),
        ("column(A, 0)", "A_{:,1}"),
        ("column(A, k - 1).T @ a", r"A_{:,k}^\top a"),
        ("column(A @ B, k)", "(A B)_{:,k + 1}"),
        ("A / c @ (A / c)", r"\left(\frac{A}{c}\right)^{2}"),
        ("prod(taken(a, counting(k))) ** 2", SQUARED),
    ],
)
def test_places_and_matrices_are_shown_as_a_person_writes_them(line, formula):
    symbols = {name: name for name in "ABacnk"}
    assert latex(lines.parse(line), symbols) == formula


def test_what_is_counted_is_a_number_or_a_place():
    tree = lines.parse("sum(taken(a, counting(k)) * counting(k))")
    with pytest.raises(ValueError, match="as places or as numbers, got both"):
        latex(tree, {})


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("1 * n", "n"),
        ("2 * n * l", "2 n l"),
        ("2 * 3", r"2 \cdot 3"),
        ("n / l * k", r"\frac{n}{l} k"),
        ("(n + 1) / (l + 1 - k)", r"\frac{n + 1}{l + 1 - k}"),
        ("log(1 / delta)", r"\log\frac{1}{\delta}"),
        ("log(n)", r"\log n"),
        ("sqrt(2) * n", r"\sqrt{2} n"),
        ("n ** 2", "n^{2}"),
        ("(n + 1) ** 2", "(n + 1)^{2}"),
        ("exp(-l / n)", "e^{-l / n}"),
        ("n - (l - k)", "n - (l - k)"),
        ("n - l - k", "n - l - k"),
        ("n * (l + k)", "n (l + k)"),
        ("-n / l", r"-\frac{n}{l}"),
        ("1 / (1 + n / l)", r"\frac{1}{1 + n / l}"),
        ("C @ pinv(W) @ C.T", r"C W^+ C^\top"),
        ("min(n, l)", r"\min\{n, l\}"),
        ("1 <= k <= l", r"1 \le k \le l"),
        ("below(approximation, K)", r"\tilde K \preceq K"),
        (
            "(rank_W == rank_K) == (error_2 == 0)",
            r"\operatorname{rank} W = \operatorname{rank} K "
            r"\quad\Longleftrightarrow\quad \|K-\tilde K\|_2 = 0",
        ),
        ("mean(error_trace) <= n", r"\mathbb E\, \|K-\tilde K\|_* \le n"),
        (
            "chance(error_2 > n) <= delta",
            r"\Pr\left[\|K-\tilde K\|_2 > n\right] \le \delta",
        ),
    ],
)
def test_formulas(line, formula):
    assert shown(line) == formula


def test_no_fraction_stands_inside_another():
    tall = shown("(n / l + 1) / (k / (n + 1))")
    assert tall.count(r"\frac") == 1


# --- Numbers with their rounding ------------------------------------------------------


def test_a_cancellation_is_known_to_be_blurred():
    big, small = Number(1e16, 2.0, 1e16), Number.exact(1.0)
    rest = (big + small) - big
    assert rest.error >= 4 and rest.scale >= 1e16
    assert lines.decide("<=", rest, Number.exact(0)) is None


def test_counts_have_no_error():
    assert value("n * l - k").error == 0
    assert value("1 <= k <= l") is True
    assert value("k == l - 1") is True


@pytest.mark.parametrize(
    "line", ["sqrt(0 - n)", "log(0 - 1)", "1 / (n - n)", "inv(K - K)"]
)
def test_outside_its_domain_a_function_knows_nothing(line):
    found = value(line)
    assert np.isnan(found.value).all() or not math.isfinite(found.error)


def test_unlike_shapes_are_an_error():
    with pytest.raises(ValueError, match="shapes"):
        value("C - W")


def test_unknown_names_and_nodes_are_errors():
    with pytest.raises(ValueError, match="no quantity is called 'nonsense'"):
        value("nonsense + 1")
    with pytest.raises(ValueError, match=r"got f\(1\)"):
        value("f(1)")
    with pytest.raises(ValueError, match="got Lambda"):
        value("lambda: 1")
    with pytest.raises(ValueError, match="expected an expression"):
        lines.parse("1 +")


# --- Three walks over one tree --------------------------------------------------------

NAMES = ("n", "l", "k", "norm_K", "tail_2", "error_2", "distance_F", "trace_K")
atoms = st.sampled_from(NAMES) | st.sampled_from(("1", "2", "3", "0.5"))


def _joined(inner):
    pairs = st.tuples(inner, st.sampled_from("+-*/"), inner)
    return pairs.map(lambda t: f"({t[0]} {t[1]} {t[2]})") | inner.map(
        lambda x: f"sqrt(abs({x}))"
    )


expressions = st.recursive(atoms, _joined, max_leaves=6)


def midpoint(text):
    """The middle of a fraction or of a ball, as it is shown."""
    if "[" not in text:
        return float(exact.balls.ball(text).mid())
    return float(text.strip("[]").split(" ")[0].replace("+/-", "0"))


@given(expressions)
@settings(max_examples=150, deadline=None)
def test_float_and_exact_agree_within_the_rounding(line):
    found = value(line)
    proof = exact.prove(f"{line} == 0", EXACT)
    if proof.left and math.isfinite(found.error) and not np.isnan(found.value):
        there = midpoint(proof.left)
        size = max(1.0, abs(there), found.scale)
        assert abs(found.value - there) <= found.error + 1e-9 * size


@given(expressions)
@settings(max_examples=100, deadline=None)
def test_brackets_are_where_they_must_be(line):
    """The formula, read by a parser of LaTeX's little language, has the same value."""
    text = shown(line)
    assert text.count("{") == text.count("}") and text.count("(") == text.count(")")
    assert r"1 \cdot" not in text


# --- Without rounding -----------------------------------------------------------------


def test_fractions_stay_fractions():
    proof = exact.prove("trace_K <= 7", EXACT)
    assert (proof.holds, proof.left, proof.by) == (True, "7", "exact")
    assert exact.prove("trace_K <= 6.9", EXACT).holds is False


def test_balls_refute_an_equation_and_never_prove_one():
    assert exact.prove("sqrt(2) ** 2 == 2", EXACT).holds is None
    assert exact.prove("sqrt(2) ** 2 == 2", EXACT).near
    assert exact.prove("sqrt(2) == 1.41421356", EXACT).holds is False


def test_balls_that_overlap_hold_every_value_of_their_place():
    """Of two balls that overlap either may come first."""
    wide, narrow = flint.arb(3, 3), flint.arb(4, 0.5)
    first, second = exact.balls.descending([narrow, wide])
    for a, b in product((0.5, 3.5, 5.9), (3.6, 4.4)):
        assert first.contains(flint.arb(max(a, b)))
        assert second.contains(flint.arb(min(a, b)))
    fractions = [flint.fmpq(1, 3), flint.fmpq(2), flint.fmpq(1, 3)]
    assert exact.balls.descending(fractions) == [2, *fractions[::2]]


def test_a_tie_is_unknown():
    case = exact.Case.of([0, 1], 1, matrix=[[1, 0], [0, 1]])
    proof = exact.prove("error_2 <= 1", case)
    assert proof.holds is None and "tie" in proof.reason


def test_chances_are_fractions():
    case = exact.Case.of([0], 1, matrix=[[2, 0, 0], [0, 1, 0], [0, 0, 1]])
    proof = exact.prove("chance(error_2 > 1) <= 0.5", case, law="uniform")
    assert (proof.holds, proof.left, proof.by) == (False, "2/3", "enumerated")


def test_decimals_mean_what_they_say():
    assert exact.prove("0.1 + 0.2 == 0.3", EXACT).holds is True
