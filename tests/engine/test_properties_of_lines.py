"""Properties of lines, of their formulas, and of numbers that know their error.

Expressions are drawn at random; Python itself, fractions, and a small reader of LaTeX
say what must come out.
"""

import ast
import math
import operator
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory.engine.language import lines
from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.language.latex import latex
from nystheory.engine.language.numbers import SCALAR, UNKNOWN, Number
from nystheory.engine.worlds.quantities import QUANTITIES

# Infinity less infinity, and escapes that Python warns of before it refuses them.
pytestmark = pytest.mark.filterwarnings("ignore:invalid")
quick = settings(deadline=None, derandomize=True, max_examples=60)

NAMES = ("a", "b", "c", "tail_2", "norm_K")
NUMBERS = ("0", "1", "2", "3", "0.5", "1.25")


@st.composite
def expressions(draw, names=NAMES, powers=("2", "3", "0.5", "-1"), leaves=7):
    """Lines of + - * / and **, with brackets where they are not needed either."""
    atoms, signs = st.sampled_from((*names, *NUMBERS)), st.sampled_from("+-*//")

    def grown(size):
        if size == 1:
            return draw(atoms)
        if powers and draw(st.integers(0, 5)) == 0:
            return f"({grown(size - 1)}) ** ({draw(st.sampled_from(powers))})"
        left = draw(st.integers(1, size - 1))
        text = f"{grown(left)} {draw(signs)} {grown(size - left)}"
        return text if draw(st.integers(0, 3)) == 0 else f"({text})"

    return grown(draw(st.integers(1, leaves)))


values = st.fixed_dictionaries(
    {name: st.floats(-50, 50).map(lambda x: round(x, 3)) for name in NAMES}
)


# --- Lines ----------------------------------------------------------------------------


def read(line, known):
    return lines.Reader({}, None, known).value(lines.parse(line))


def by_python(line, known):
    """What Python says, or None where it is no real number."""
    try:
        found = eval(line, {}, dict(known))
        return float(found) if not isinstance(found, complex) else None
    except ArithmeticError:
        return None


@quick
@given(expressions(), values)
def test_a_line_is_worth_what_python_says(line, known):
    """Within the error that it knows of; unknown where Python has no number."""
    found, expected = read(line, known), by_python(line, known)
    if expected is None or not math.isfinite(expected):
        assert not lines.is_clear(found)
    elif math.isfinite(found.error):
        assert abs(found.value - expected) <= found.error


@quick
@given(expressions(powers=()), values)
def test_sums_and_products_of_floats_are_those_of_python(line, known):
    """Bit by bit, so that a line can be checked at the prompt."""
    found, expected = read(line, known), by_python(line, known)
    if expected is not None and not found.unknown:
        assert found.value == expected


@quick
@given(expressions())
def test_names_are_those_that_are_written(line):
    """Each once, in the order of the line, and none that is called."""
    wanted = list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", line)))
    assert lines.names(lines.parse(line)) == wanted
    assert lines.names(lines.parse(f"sqrt({line}) <= log({line})")) == wanted


@quick
@given(expressions())
def test_a_line_written_again_is_the_same_tree(line):
    tree = lines.parse(line)
    assert ast.dump(lines.parse(ast.unparse(tree))) == ast.dump(tree)
    assert ast.dump(lines.parse(f"  {line}\n")) == ast.dump(tree)


@quick
@given(st.text(alphabet="ab1(.)[]{}*/+-<=>!@,:;'\"# \n\\_Tiflambda\0é", max_size=20))
def test_what_is_no_line_is_an_error_that_says_so(words):
    """Whatever somebody writes: a tree, or a ValueError."""
    try:
        assert isinstance(lines.parse(words), ast.expr)
    except ValueError as error:
        assert "line: expected" in str(error) or "null bytes" in str(error)


@quick
@given(st.floats(-9, 9), st.floats(-9, 9), st.sampled_from(["<=", "<", "==", "!="]))
def test_a_relation_of_known_numbers_is_decided(a, b, relation):
    """And its other side; where it is not decided, the two nearly agree."""
    turned = {"<=": ">=", "<": ">", "==": "==", "!=": "!="}[relation]
    one, other = Number.exact(a), Number.exact(b)
    found = lines.decide(relation, one, other)
    assert found is lines.decide(turned, other, one)
    if found is None:
        assert abs(a - b) <= 1e-12
    else:
        true = {"<=": a <= b, "<": a < b, "==": a == b, "!=": a != b}[relation]
        assert found is true or abs(a - b) <= 1e-12


# --- Formulas -------------------------------------------------------------------------

CLOSED = {"{": "}", r"\{": r"\}", "(": ")", "[": "]", r"\lfloor": r"\rfloor"}
CLOSED |= {r"\lceil": r"\rceil", r"\left(": r"\right)", r"\left\{": r"\right\}"}
CLOSED |= {r"\left[": r"\right]", r"\begin": r"\end"}
BRACKETS = re.compile(
    r"\\(?:left|right)\\?.|\\(?:[lr]floor|[lr]ceil|begin|end)(?![a-z])|\\[{}]|[][(){}]"
)


def balanced(formula):
    """Whether every bracket is closed by its own kind, in the right order."""
    stack = []
    for found in BRACKETS.findall(formula):
        if found in CLOSED:
            stack.append(CLOSED[found])
        elif not stack or stack.pop() != found:
            return False
    return not stack


ONE = ("sqrt", "log", "exp", "abs", "floor", "ceil", "sum", "trace", "diag", "inv")
ONE += ("pinv", "det", "log_det", "norm_2", "norm_F", "norm_trace", "identity", "erf")
ONE += ("rank", "eigenvalues", "prod", "diagonal", "counting")
TWO = ("min", "max", "inverse_squares", "block", "hadamard", "power", "leading")
TWO += ("elementary", "binomial", "outer", "column")


def of_everything():
    """Lines with all that the language has, as trees of text."""
    atoms = st.sampled_from(("K", "C", "W", "alpha_sharp", "delta", "n", "1", "0", "2"))

    def larger(inner):
        operators = st.sampled_from(("+", "-", "*", "/", "@", "**"))
        return st.one_of(
            st.tuples(inner, operators, inner).map(lambda t: f"({' '.join(t)})"),
            st.tuples(st.sampled_from(ONE), inner).map(lambda t: f"{t[0]}({t[1]})"),
            st.tuples(st.sampled_from(TWO), inner, inner).map(
                lambda t: f"{t[0]}({t[1]}, {t[2]})"
            ),
            inner.map(lambda x: f"(-{x})"),
            inner.map(lambda x: f"({x}).T"),
            inner.filter(lambda x: "mean" not in x).map(lambda x: f"mean({x})"),
        )

    sides = st.recursive(atoms, larger, max_leaves=8)
    relations = st.sampled_from(("<=", ">=", "<", ">", "==", "!="))
    claims = st.tuples(sides, relations, sides).map(" ".join)
    chances = claims.filter(lambda x: "mean" not in x)
    chances = chances.map(lambda x: f"chance({x}) <= delta")
    both = st.tuples(claims, st.sampled_from(("and", "or")), claims).map(" ".join)
    return st.one_of(sides, claims, chances, both, claims.map(lambda x: f"not ({x})"))


@settings(quick, max_examples=300)
@given(of_everything())
def test_every_line_has_a_formula_with_its_brackets_closed(line):
    formula = latex(lines.parse(line), QUANTITIES.symbols())
    assert formula and balanced(formula), formula


class Formula:
    """A reader of the formulas of arithmetic, from left to right."""

    TOKEN = re.compile(r"\\(?:frac|sqrt|cdot|left\(|right\))|[a-z]|[\d.]+|[-+/^{}()]")

    def __init__(self, formula, known):
        self.tokens, self.known = self.TOKEN.findall(formula) + ["end"], known

    def take(self, *wanted):
        found = self.tokens.pop(0)
        assert not wanted or found in wanted, (found, wanted)
        return found

    def within(self):
        """What stands in braces."""
        self.take("{")
        found = self.sum()
        self.take("}")
        return found

    def sum(self):
        found = self.product()
        while self.tokens[0] in "+-":
            sign = self.take()
            found = found + self.product() if sign == "+" else found - self.product()
        return found

    def product(self):
        if self.tokens[0] == "-":
            self.take()
            return -self.product()
        found = self.power()
        while self.tokens[0] not in ("+", "-", "}", ")", r"\right)", "end"):
            sign = self.take() if self.tokens[0] in ("/", r"\cdot") else ""
            found = found / self.power() if sign == "/" else found * self.power()
        return found

    def power(self):
        found = self.atom()
        if self.tokens[0] == "^":
            self.take()
            found = found ** self.within()
            assert self.tokens[0] != "^", "two exponents"
        return found

    def atom(self):
        token = self.take()
        if token == r"\frac":
            return self.within() / self.within()
        if token == r"\sqrt":
            return self.within() ** 0.5
        if token in ("(", r"\left("):
            found = self.sum()
            self.take(CLOSED[token])
            return found
        return self.known[token] if token in self.known else float(token)


@settings(quick, max_examples=300)
@given(expressions(names=("a", "b", "c")), st.permutations([1.3, 2.7, 4.1]))
def test_a_formula_is_worth_what_its_line_is_worth(line, three):
    """Its brackets are where they must be: read again, it is the same number."""
    known = dict(zip("abc", three, strict=True))
    expected = by_python(line, known)
    if expected is None or not 1e-6 < abs(expected) < 1e9:
        return
    reader = Formula(latex(lines.parse(line), {}), known)
    assert reader.sum() == pytest.approx(expected, rel=1e-6)
    assert reader.tokens == ["end"]


# --- Numbers and their errors ---------------------------------------------------------


@st.composite
def measured(draw, least=-20, most=20):
    """A fraction, and a number that errs by something and says by how much at most."""
    exact = draw(st.fractions(least, most, max_denominator=60))
    share = draw(st.sampled_from((0, 1e-15, 1e-9, 1e-3, 0.4)))
    value = float(exact) + draw(st.floats(-1, 1)) * share * abs(float(exact))
    away = abs(Fraction(value) - exact)
    error = math.nextafter(float(away), math.inf) if away else 0.0
    return exact, Number(value, error, abs(value))


def encloses(number, exact):
    """Up to the rounding of the error itself."""
    if not math.isfinite(number.error):
        return True
    away = abs(Fraction(number.value) - exact)
    return away <= Fraction(number.error) * (1 + Fraction(1, 10**12))


OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv)


@settings(quick, max_examples=300)
@given(measured(), measured(), st.sampled_from(OPERATORS))
def test_an_error_encloses_the_exact_sum_product_and_quotient(one, other, operation):
    (p, a), (q, b) = one, other
    found = operation(a, b)
    if operation is operator.truediv and q == 0:
        assert not math.isfinite(found.error)
    else:
        assert encloses(found, operation(p, q))


@quick
@given(st.lists(measured(), min_size=2, max_size=6), st.data())
def test_an_error_encloses_after_many_steps(drawn, data):
    exact, number = drawn[0]
    for q, b in drawn[1:]:
        operation = data.draw(st.sampled_from(OPERATORS[:3]))
        exact, number = operation(exact, q), operation(number, b)
    assert encloses(number, exact)
    assert encloses(-number, -exact)
    assert encloses(number ** Number.exact(2.0), exact**2)


@quick
@given(st.integers(-(2**20), 2**20), st.integers(-(2**20), 2**20))
def test_whole_numbers_have_no_error(p, q):
    a, b = Number.exact(p), Number.exact(q)
    for operation in OPERATORS[:3]:
        found = operation(a, b)
        assert (found.error, found.value) == (0, operation(p, q))


@quick
@given(measured(least=Fraction(1, 10)), st.sampled_from(("sqrt", "log", "exp", "abs")))
def test_a_function_of_a_number_encloses_that_of_the_fraction(pair, name):
    exact, number = pair
    # Not less than after any operation, with room for the rounding of both ends.
    error = max(1.25 * number.error, SCALAR * abs(number.value))
    found = FUNCTIONS[name](Number(number.value, error, number.scale))
    with mpmath.workdps(40):
        x = mpmath.mpf(exact.numerator) / exact.denominator
        expected = abs(x) if name == "abs" else getattr(mpmath, name)(x)
        assert abs(found.value - expected) <= found.error * (1 + 1e-12)


@quick
@given(st.sampled_from(OPERATORS), measured(), st.booleans())
def test_nothing_known_comes_of_the_unknown(operation, pair, first):
    two = (UNKNOWN, pair[1]) if first else (pair[1], UNKNOWN)
    assert not lines.is_clear(operation(*two))
    assert lines.decide("<=", *two) is None


# --- What was wrong once --------------------------------------------------------------

ONES = Number(np.ones(4), 0.1, 1.0)
MENDED = {
    "a negative power across zero": lambda: encloses(
        Number(0.1, 0.2, 0.1) ** Number.exact(-2.0), Fraction(10**6)
    ),
    "a logarithm across zero": lambda: encloses(
        FUNCTIONS["log"](Number(1e-3, 2e-3, 1e-3)), Fraction(math.log(1e-30))
    ),
    "a root across zero": lambda: encloses(
        FUNCTIONS["sqrt"](Number(1.0, 1.0001, 1.0)), Fraction(0)
    ),
    "an error that both ends lose to rounding": lambda: (
        FUNCTIONS["exp"](Number(600.0, 5e-14, 600.0)).error >= 4e-14 * math.exp(600)
    ),
    "both factors of a product of vectors": lambda: (ONES @ ONES).error >= 0.84,
    "the floor of what is unknown": lambda: FUNCTIONS["floor"](UNKNOWN).unknown,
    "the square of what large numbers leave": lambda: (
        read("(a - a) ** 2", {"a": 1e200}).value == 0
    ),
    "one minus for two": lambda: "--" not in latex(lines.parse("-(-a) * b"), {}),
    "what stands behind a slash": lambda: (
        latex(lines.parse("exp(a / b * c)"), {}) != "e^{a / b c}"
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_was_wrong_once(name):
    assert MENDED[name]()


@pytest.mark.parametrize(("line", "least"), [("a * K", 0.3), ("K / a", 0.33)])
def test_a_blurred_number_blurs_every_entry_of_a_matrix(line, least):
    """In the Frobenius norm of a matrix of three times three ones."""
    blurred = Number(1.0, 0.1, 1.0)
    assert read(line, {"a": blurred, "K": np.ones((3, 3))}).error >= least
    assert (blurred - Number.exact(np.ones((3, 3)))).error >= 0.3


def test_a_sine_moves_by_no_more_than_its_argument():
    found = FUNCTIONS["sin"](Number(1.0, 3.0, 1.0))
    assert found.error >= 3 and abs(found.value - math.sin(1)) < 1e-15
