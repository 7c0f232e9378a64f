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
from nystheory.engine import lines
from nystheory.engine.numbers import Number
from nystheory.exact import arithmetic
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
        return arithmetic.matrix(rows) if m and n else arithmetic.zeros(m, n)
    if isinstance(value, list):
        return [arithmetic.number(x) for x in value]
    return arithmetic.number(value)


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
        vector = self.one("sum", "min", "max", "norm_2")
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
            lambda: f"{self.one(*OF_ENTRIES)}({self.of('vector', shape, depth)})",
            lambda: f"diag({self.of('matrix', (m, m), depth)})",
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
    reader = without_rounding.Reader(case, {}, None)
    reader._seen = {name: in_fractions(value) for name, value in known.items()}
    try:
        with precision(200):
            return reader.value(without_rounding.parsed(line))
    except arithmetic.Unknown:
        return None
    except ValueError:
        return REFUSED


def shape_of(value):
    if isinstance(value, Number):
        return lines.kind_of(value)
    return without_rounding.kind_of(value)


def middles(value):
    """Of the balls, in an array, and the largest radius."""
    found = [arithmetic.ball(x) for x in without_rounding.flat(value)]
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


thorough = settings(
    deadline=None,
    derandomize=True,
    max_examples=400,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@thorough
@given(any_line(), values())
def test_both_readers_refuse_a_line_or_agree(line, known):
    assert not disagreement(line, known), line
