"""One meaning for each line: both readers refuse it, or both have the same value.

Lines are drawn of numbers, vectors, rows and matrices of any shape, with every operator
and every function of the language; most of them fit together, and some do not.
"""

import math
from contextlib import contextmanager
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine import Claim, Instance
from nystheory.engine.language import lines
from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.language.latex import latex
from nystheory.engine.language.numbers import Number
from nystheory.engine.trial.compare import compare
from nystheory.engine.trial.over_samples import over_samples
from nystheory.exact import balls, kinds
from nystheory.exact import lines as without_rounding

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# --- What is known by name ------------------------------------------------------------

SIZES = (0, 1, 2, 3)
NAMES = {("number", ()): ["a", "b", "o"]}
NAMES |= {("vector", (m,)): [f"v{m}", f"w{m}"] for m in SIZES}
NAMES |= {("matrix", (m, n)): [f"M{m}{n}", f"L{m}{n}"] for m in SIZES for n in SIZES}
NAMES |= {("truth", ()): ["a < b", "M22 == L22", "True", "(v2 >= 0)"]}
# Symmetric, singular, diagonal: what functions of matrices care for.
NAMES["matrix", (2, 2)] += ["S22", "Z22", "D22"]
entries = st.sampled_from((-2, -1, 0, 1, 1, 2, 3, Fraction(1, 2), Fraction(-3, 4)))


@st.composite
def values(draw):
    """Fractions by name: a number, a list, or rows with their shape."""
    known = {"a": draw(entries), "b": draw(entries), "o": 0}
    for m in SIZES:
        for name in NAMES["vector", (m,)]:
            known[name] = [draw(entries) for _ in range(m)]
        for n in SIZES:
            for name in NAMES["matrix", (m, n)]:
                rows = [[draw(entries) for _ in range(n)] for _ in range(m)]
                known[name] = (m, n), rows
    (p, q), (r, s) = known["M22"][1]
    known["S22"] = (2, 2), [[p, q], [q, s]]
    known["Z22"] = (2, 2), [[p, q], [2 * p, 2 * q]]
    known["D22"] = (2, 2), [[abs(p), 0], [0, abs(r)]]
    return known


def in_floats(value):
    if isinstance(value, tuple):
        (m, n), rows = value
        return Number.exact(np.array(rows, dtype=float).reshape(m, n))
    if isinstance(value, list):
        return Number.exact(np.array(value, dtype=float))
    return Number.exact(float(value))


def in_fractions(value):
    if isinstance(value, tuple):
        (m, n), rows = value
        return balls.matrix(rows) if m and n else balls.zeros(m, n)
    if isinstance(value, list):
        return [balls.number(x) for x in value]
    return balls.number(value)


# --- Lines ----------------------------------------------------------------------------

OF_NUMBERS = ("sqrt", "log", "exp", "erf", "sin", "asin", "abs", "floor", "ceil")
OF_ENTRIES = OF_NUMBERS[:-2]
POWERS = ("0", "1", "2", "3", "-1", "-2", "0.5", "1.5", "a", "o")


class Lines:
    """Draws a line of a kind and shape; now and then one of another."""

    def __init__(self, draw, wrong):
        self.draw, self.wrong = draw, wrong

    def one(self, *of):
        return self.draw(st.sampled_from(of))

    def size(self):
        return self.one(*SIZES, 2, 2)

    def of(self, kind, shape=(), depth=2):
        if self.wrong and self.one(*range(12)) == 0:
            kind = self.one(*(name for name, _ in NAMES), "row")
            count = {"vector": 1, "row": 1, "matrix": 2}.get(kind, 0)
            shape = tuple(self.size() for _ in range(count))
        if depth == 0 or self.one(*range(5)) == 0:
            if kind == "row":
                return f"{self.one(*NAMES['vector', shape])}.T"
            return self.one(*NAMES[kind, shape])
        return "(" + getattr(self, f"_{kind}")(shape, depth - 1) + ")"

    def _same(self, kind, shape, depth, signs):
        left, right = (self.of(kind, shape, depth) for _ in "ab")
        return f"{left} {self.one(*signs)} {right}"

    def _scaled(self, kind, shape, depth):
        sign, number = self.one("*", "/"), self.of("number", (), depth)
        value = self.of(kind, shape, depth)
        turned = sign == "*" and self.one(True, False)
        return f"{number} * {value}" if turned else f"{value} {sign} {number}"

    def _number(self, shape, depth):
        m, n = self.size(), self.size()
        vector = self.one("sum", "min", "max", "norm_2", "prod")
        matrix = self.one(*"sum min max rank norm_2 norm_F norm_trace".split())
        square = self.one("trace", "det", "log_det")
        several = ", ".join(self.of("number", (), depth) for _ in range(2))
        return self.one(
            lambda: self._same("number", (), depth, "+-*/"),
            lambda: f"{self.of('number', (), depth)} ** ({self.one(*POWERS)})",
            lambda: f"-{self.of('number', (), depth)}",
            lambda: f"{self.one(*OF_NUMBERS)}({self.of('number', (), depth)})",
            lambda: f"{self.one('min', 'max', 'inverse_squares')}({several})",
            lambda: f"{vector}({self.of('vector', (m,), depth)})",
            lambda: f"elementary({self.of('vector', (m,), depth)}, 2)",
            lambda: f"binomial({m}, {n})",
            lambda: f"{matrix}({self.of('matrix', (m, n), depth)})",
            lambda: f"{square}({self.of('matrix', (m, m), depth)})",
            lambda: f"{self.of('row', (m,), depth)} @ {self.of('vector', (m,), depth)}",
        )()

    def _vector(self, shape, depth):
        (m,), n = shape, self.size()
        number = self.of("number", (), depth)
        return self.one(
            lambda: self._same("vector", shape, depth, "+-*/"),
            lambda: self._scaled("vector", shape, depth),
            lambda: f"{number} {self.one(*'+-/')} {self.of('vector', shape, depth)}",
            lambda: f"{self.of('vector', shape, depth)} - {number}",
            lambda: f"{self.of('vector', shape, depth)} ** ({self.one(*POWERS)})",
            lambda: f"{number} ** {self.of('vector', shape, depth)}",
            lambda: f"column({self.of('matrix', (m, n), depth)}, {self.one('0', '1')})",
            lambda: f"{self.one(*OF_ENTRIES)}({self.of('vector', shape, depth)})",
            lambda: f"diag({self.of('matrix', (m, m), depth)})",
            lambda: f"counting({m})",
            lambda: f"{self.of('row', shape, depth)}.T",
            lambda: f"-{self.of('vector', shape, depth)}",
            lambda: f"{self.of('matrix', (m, n), depth)} "
            f"@ {self.of('vector', (n,), depth)}",
        )()

    def _row(self, shape, depth):
        (m,), n = shape, self.size()
        return self.one(
            lambda: self._same("row", shape, depth, "+-"),
            lambda: self._scaled("row", shape, depth),
            lambda: f"{self.of('vector', shape, depth)}.T",
            lambda: f"-{self.of('row', shape, depth)}",
            lambda: f"{self.of('row', (n,), depth)} "
            f"@ {self.of('matrix', (n, m), depth)}",
        )()

    def _matrix(self, shape, depth):
        (m, n), inner = shape, self.size()
        turned = self.of("matrix", (n, m), depth)
        options = [
            lambda: self._same("matrix", shape, depth, "+-"),
            lambda: self._scaled("matrix", shape, depth),
            lambda: f"{turned}.T",
            lambda: f"pinv({turned})",
            lambda: f"outer({self.of('vector', (m,), depth)}, "
            f"{self.of('vector', (n,), depth)})",
            lambda: f"-{self.of('matrix', shape, depth)}",
            lambda: f"abs({self.of('matrix', shape, depth)})",
            lambda: f"hadamard({self.of('matrix', shape, depth)}, "
            f"{self.of('matrix', shape, depth)})",
            lambda: f"{self.of('matrix', (m, inner), depth)} "
            f"@ {self.of('matrix', (inner, n), depth)}",
        ]
        if m == n:
            options += [lambda: f"inv({turned})", lambda: f"identity({m})"]
            options += [lambda: f"sqrt({turned})", lambda: "identity(a + 1)"]
        if n == 2:
            halves = ", ".join(self.of("matrix", (m, 1), depth) for _ in "ab")
            options.append(lambda: f"block({halves})")
        return self.one(*options)()

    def _truth(self, shape, depth):
        kind = self.one("number", "vector", "matrix")
        sizes = {"number": (), "vector": (self.size(),), "matrix": (2, self.size())}
        sign, other = (self.one("<=", ">=", "<", ">", "==", "!=") for _ in "ab")
        x, y, z = (self.of(kind, sizes[kind], depth) for _ in "xyz")
        p, q = (self.of("truth", (), depth) for _ in "pq")
        A, B = (self.of("matrix", (2, 2), depth) for _ in "AB")
        return self.one(
            f"{x} {sign} {y}",
            f"{x} {sign} {y} {other} {z}",
            f"{x} {sign} {self.of('number', (), depth)}",
            f"{p} {self.one('and', 'or', '==', '!=')} {q}",
            f"not {p}",
            f"below({A}, {self.one(B, '0')})",
        )


@st.composite
def any_line(draw, wrong=True):
    drawn = Lines(draw, wrong)
    kind = drawn.one("number", "vector", "row", "matrix", "truth", "truth")
    count = {"vector": 1, "row": 1, "matrix": 2}.get(kind, 0)
    return drawn.of(kind, tuple(drawn.size() for _ in range(count)), 3)


@st.composite
def any_claim(draw):
    """A relation, and now and then another truth."""
    return Lines(draw, True)._truth((), 2)


# --- Both readers ---------------------------------------------------------------------

REFUSED = "refused"


@contextmanager
def precision(bits):
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def by_floats(line, known):
    """A `Number` or a truth; None where it is unknown."""
    given = {name: in_floats(value) for name, value in known.items()}
    try:
        found = lines.Reader({}, None, given).value(lines.parse(line))
    except ValueError:
        return REFUSED
    vague = isinstance(found, Number) and not math.isfinite(found.error)
    return None if vague else found


def by_fractions(line, known):
    case = exact.Case.of([0], 1, matrix=[[1]])
    reader = without_rounding.ExactReader(case, {}, None)
    reader._seen = {name: in_fractions(value) for name, value in known.items()}
    try:
        with precision(200):
            return reader.value(without_rounding.parsed(line))
    except balls.Unknown:
        return None
    except ValueError:
        return REFUSED


def shape_of(value):
    if isinstance(value, Number):
        return lines.kind_of(value)
    return without_rounding.kind_of(value)


def middles(value):
    """Of the balls, in an array, and the largest radius."""
    found = [balls.ball(x) for x in without_rounding.flat(value)]
    kind = without_rounding.kind_of(value)
    radius = max((float(x.rad()) for x in found), default=0.0)
    return np.array([float(x.mid()) for x in found]).reshape(kind.shape), radius


def disagreement(line, known):
    """What the two readers say, where it is not the same; else nothing."""
    fast, slow = by_floats(line, known), by_fractions(line, known)
    if fast is None or slow is None:
        return ""
    if REFUSED in (str(fast), str(slow)) or isinstance(fast, bool):
        return "" if fast is slow else f"{fast} and {slow}"
    if shape_of(fast) != shape_of(slow):
        return f"{shape_of(fast)} and {shape_of(slow)}"
    there, radius = middles(slow)
    gap = np.asarray(fast.value) - there
    size = float(np.linalg.norm(gap)) if gap.ndim == 2 else abs(gap).max(initial=0.0)
    # The middles are rounded to floats.
    allowed = fast.error + gap.size * (radius + 1e-15 * abs(there).max(initial=0.0))
    return "" if size <= allowed else f"{fast} and {there}: {size} above {allowed}"


def claim_disagreement(line, known):
    """The same of a claim, which an adversary compares: what it says of the line."""
    given = {name: in_floats(value) for name, value in known.items()}
    slow = by_fractions(line, known)
    try:
        found = compare(Claim(line), lines.Reader({}, None, given))
    except ValueError:
        return "" if slow in (REFUSED, None) else f"refused and {slow}"
    if slow is None or not found.decided:
        return ""
    return "" if slow is not found.violated else f"{found} and {slow}"


thorough = settings(
    deadline=None,
    derandomize=True,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@thorough
@given(any_line(), values())
def test_both_readers_refuse_a_line_or_agree(line, known):
    assert not disagreement(line, known), line


@thorough
@given(any_claim(), values())
def test_a_claim_is_decided_as_it_is_without_rounding(line, known):
    assert not claim_disagreement(line, known), line


# --- One by one -----------------------------------------------------------------------

KNOWN = {"a": 2, "v": [1, 2], "w": [3, 4, 5], "e": []}
KNOWN |= {"M": ((2, 2), [[1, 2], [3, 4]]), "N": ((2, 2), [[0, 1], [1, 0]])}
KNOWN |= {"R": ((2, 3), [[1, 2, 3], [4, 5, 6]]), "C": ((2, 1), [[1], [2]])}
KNOWN |= {"D": ((2, 2), [[4, 0], [0, 9]]), "Z": ((2, 2), [[0, 0], [0, 0]])}
KNOWN |= {"E": ((0, 2), [])}


def refusal(read, line):
    with pytest.raises(ValueError) as found:
        read(line)
    return str(found.value)


def read_in_floats(line):
    given = {name: in_floats(value) for name, value in KNOWN.items()}
    return lines.Reader({}, None, given).value(lines.parse(line))


def read_in_fractions(line):
    case = exact.Case.of([0], 1, matrix=[[1]])
    reader = without_rounding.ExactReader(case, {}, None)
    reader._seen = {name: in_fractions(value) for name, value in KNOWN.items()}
    return reader.value(without_rounding.parsed(line))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("M + 1", r"M + c * identity(n)"),
        ("M - a", r"M + c * identity(n)"),
        ("M ** 2", "M @ M"),
        ("M ** 0.5", "M @ M"),
        ("M * N", "hadamard(A, B)"),
        ("1 / M", "inv(M)"),
        ("M / N", "inv(M)"),
        ("M + v", "got a matrix of 2 x 2 + a vector of 2"),
        ("M * v", "hadamard"),
        ("R + M", "shapes"),
        ("C + M", "shapes"),
        ("R @ M", "shapes"),
        ("v + w", "shapes"),
        ("v @ M", "a vector is a column"),
        ("v @ v", "a vector is a column"),
        ("v @ v.T", "a vector is a column"),
        ("a @ M", "numbers are multiplied by *"),
        ("v.T + v", "got a row"),
        ("v.T * v", "got a row"),
        ("v ** w", "what ** combines"),
        ("v ** v", "what ** combines"),
        ("2 ** M", "what ** combines"),
        ("2 ** v.T", "what ** combines"),
        ("column(v, 0)", "column(...)"),
        ("column(M, 2)", "places from 0 below 2"),
        ("column(M, -1)", "places from 0 below 2"),
        ("a.T", "for .T"),
        ("M == v", "shapes"),
        ("v == w", "shapes"),
        ("v == C", "shapes"),
        ("v.T == v", "shapes"),
        ("M <= R", "shapes"),
        ("1 <= v <= w", "shapes"),
        ("(a < 1) + 1", "got a truth"),
        ("-(a < 1)", "got a truth"),
        ("(a < 1) <= (a < 2)", "two truths"),
        ("(a < 1) == 1", "two truths"),
        ("a and a < 1", "expected a truth, got a number"),
        ("a < 1 and M + 1 == M", "M + c * identity(n)"),
        ("not v", "expected a truth, got a vector"),
        ("exp(M)", "exp(...)"),
        ("log(M)", "log(...)"),
        ("sqrt(M)", "diagonal matrix"),
        ("floor(v)", "floor(...)"),
        ("max(v, v)", "max(...)"),
        ("max(v, 1)", "max(...)"),
        ("trace(R)", "shapes"),
        ("diag(v)", "diag(...)"),
        ("diag(R)", "shapes"),
        ("inv(a)", "inv(...)"),
        ("inv(R)", "shapes"),
        ("det(R)", "shapes"),
        ("norm_2(a)", "norm_2(...)"),
        ("norm_F(v)", "norm_F(...)"),
        ("norm_trace(v)", "norm_trace(...)"),
        ("sum(v.T)", "sum(...)"),
        ("sum(a < 1)", "got a truth"),
        ("identity(v)", "identity(...)"),
        ("hadamard(v, v)", "hadamard(...)"),
        ("hadamard(M, R)", "shapes"),
        ("below(R, R)", "shapes"),
        ("below(0, 0)", "shapes"),
        ("below(v, M)", "below(...)"),
        ("block(M, v)", "block(...)"),
        ("block(R, R.T)", "shapes"),
        ("block(M, M, M)", "got 3 for block"),
        ("det(M, M)", "got 2 for det"),
        ("max()", "got 0 for max"),
    ],
)
def test_both_readers_refuse_in_the_same_words(line, words):
    told = refusal(read_in_floats, line)
    assert words in told
    assert refusal(read_in_fractions, line) == told


@pytest.mark.parametrize(
    "line",
    [
        "M @ M == M * 1 @ M",
        "hadamard(M, N) == hadamard(N, M)",
        "sum(hadamard(M, M)) == 30",
        "trace(M @ N.T) == sum(hadamard(M, N))",
        "M + a * identity(2) - M == 2 * identity(2)",
        "a * M / 2 == M",
        "v * v / v == v",
        "v ** 0 == 1",
        "a ** v == v + v / v * counting(2) + 1",
        "0 ** counting(2) == 1 - counting(2)",
        "a ** e == e",
        "column(M, 1) == v + v",
        "column(R, 2).T @ v == 15",
        "column(E, 1) == e",
        "0 ** 0 == 1",
        "(v.T @ M).T == M.T @ v",
        "v.T @ v == 5",
        "v.T.T == v",
        "-v.T == (-v).T",
        "sqrt(D) @ sqrt(D) == D",
        "sum(e) == 0",
        "e == e",
        "e.T @ e == 0",
        "sum(E) == 0",
        "norm_F(E) == 0",
        "E.T @ E == 0 * M",
        "rank(M) == 2",
        "rank(E) == 0",
        "pinv(Z) == Z",
        "below(E.T @ E, M.T @ M)",
        "det(identity(0)) == 1",
        "below(identity(0), identity(0))",
        "1 / e == e",
        "1 < a or 1 / (a - 2) > 0",
        "v <= 2",
        "M > 0",
        "norm_2(3 * v / 3) ** 2 >= 4.9",
    ],
)
def test_both_readers_say_yes(line):
    assert read_in_floats(line) is True
    assert read_in_fractions(line) is True


@pytest.mark.parametrize(
    "line",
    [
        "1 / (a - 2)",
        "0 ** (-1)",
        "(0 - a) ** 0.5",
        "sqrt(0 - a)",
        "log(0)",
        "inv(Z)",
        "max(e)",
        "min(E)",
        "log_det(0 * M)",
        "log_det(M)",
        "log_det(-1 * identity(2))",
        "identity(a / 4)",
        "identity(0 - a)",
        "inverse_squares(1, a / 4)",
        "counting(a / 4)",
        "column(M, a / 4)",
        "0 ** (counting(2) - 1)",
        "elementary(e, a / 4)",
        "binomial(0 - 2, 1)",
        "power(Z, 0 - 1)",
        "power(0 * M - identity(2), 1 / 2)",
        "power(identity(2), 2)",
        "leading(identity(2), 1)",
    ],
)
def test_outside_its_domain_neither_reader_has_a_value(line):
    found = read_in_floats(line)
    assert not math.isfinite(found.error)
    with pytest.raises(balls.Unknown):
        read_in_fractions(line)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("M @ M", "hadamard(M, M)"),
        ("hadamard(M, M @ N)", "hadamard(M, M) @ N"),
        ("hadamard(M + N, D)", "M + hadamard(N, D)"),
        ("M - hadamard(N, D)", "hadamard(M - N, D)"),
        ("hadamard(M, N).T", "hadamard(M, N.T)"),
        ("hadamard(hadamard(M, N), D)", "hadamard(M, hadamard(N, D))"),
        ("trace(hadamard(M, N))", "hadamard(trace(M) * M, N)"),
        ("v.T @ v", "v * v"),
        ("v ** 2", "v.T @ v"),
    ],
)
def test_other_meanings_have_other_formulas(line, other):
    assert latex(lines.parse(line), {}) != latex(lines.parse(other), {})


def test_a_product_of_entries_on_the_page():
    shown = latex(lines.parse("trace(hadamard(M @ M, N) + D) <= 1"), {})
    assert shown == r"\operatorname{tr}((M^{2}) \circ N + D) \le 1"


def test_the_readers_have_the_same_functions():
    assert set(kinds.NAMES) == set(FUNCTIONS) == set(without_rounding.FUNCTIONS)


# --- Laws in stages -------------------------------------------------------------------

CASE = exact.Case.of([0], 1, matrix=[[2, 0], [0, 1]])
NESTED = (
    "chance(mean(error_2) > 1) <= 0.5",
    "mean(chance(error_2 > 1)) <= 0.5",
    "mean(mean(error_2)) <= 1",
    "mean(1 + 2 * mean(error_2)) <= 1",
)


@pytest.mark.parametrize("line", NESTED)
def test_a_mean_within_another_is_refused_in_the_same_words(line):
    told = refusal(lambda x: Claim(x, law="uniform"), line)
    assert "expected a law with as many stages as means within each other" in told
    assert refusal(lambda x: exact.prove(x, CASE, law="uniform"), line) == told


def test_one_that_a_name_hides_is_refused():
    where = {"e": "mean(error_2)"}
    told = refusal(lambda x: exact.prove(x, CASE, where, "uniform"), "mean(e) <= 1")
    assert "expected a law for mean(error_2), got none" in told
    assert exact.prove("mean(error_2) <= e", CASE, where, "uniform").holds is True


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mean(error_2 > 1) <= 1", "mean(...): expected a number"),
        ("chance(error_2) <= 1", "chance(...): expected a truth"),
    ],
)
def test_a_chance_is_of_truths_and_a_mean_of_numbers(line, words):
    on = Instance.exactly([0], 1, matrix=[[2, 0], [0, 1]])
    claim = Claim(line, law="uniform")
    theorem = theorems["talwalkar2010:thm-2.3"].asserting(one=claim)
    rng = np.random.default_rng(0)
    told = refusal(lambda x: over_samples(theorem, claim, on, rng, 10), line)
    assert words in told
    assert refusal(lambda x: exact.prove(x, CASE, law="uniform"), line) == told
