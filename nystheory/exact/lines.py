"""A claim is a line in named quantities; here it is evaluated without rounding.

``error_2 <= tail_2 + 2 * distance_2`` is parsed by Python's own parser and computed
with the `ROUTES` on one instance.  Both sides come out as fractions or as balls, so
that the comparison is proved, proved false, or unknown.  What a line may combine is
told by `kinds`.
"""

import ast
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from nystheory.exact import balls, kinds, laws, sums
from nystheory.exact.balls import Unknown
from nystheory.exact.case import Case
from nystheory.exact.matrix_functions import (
    is_below,
    leading,
    log_determinant,
    power,
)
from nystheory.exact.relations import (
    compare,
    flat,
    is_matrix,
    near,
    where_it_fails,
)
from nystheory.exact.routes import route_of
from nystheory.exact.sums import count

PRECISIONS = (128, 320, 1000)


@dataclass(frozen=True)
class Proof:
    """What came of a line on an instance.

    Attributes
    ----------
    holds : bool or None
        Proved true, proved false, or unknown.
    left, right : str
        Both sides: a fraction, a ball, or what a truth value says; empty where the
        line is a property or nothing came out.
    by : str
        ``exact`` where both sides are fractions, ``enclosed`` where balls decided,
        ``enumerated`` where all samples were listed.
    reason : str
        Why it is unknown.
    near : bool
        Whether the two sides of an equation agree to 30 digits: balls can refute an
        equation, and never prove one.
    """

    holds: bool | None
    left: str = ""
    right: str = ""
    by: str = ""
    reason: str = ""
    near: bool = False


def prove(line: str, case: Case, where=None, law: str | None = None) -> Proof:
    """Evaluate a line on a case; the balls get narrower until they decide.

    Parameters
    ----------
    line : str
    case : Case
    where : dict of str to str, optional
        Lines of named sub-expressions.
    law : str, optional
        How the columns are sampled, where the line speaks of a mean or a chance.

    Examples
    --------
    >>> case = Case.of([0], 1, points=[[1, 0], [0, 1]])
    >>> prove("error_2 <= distance_2", case).holds
    True
    >>> proof = prove("error_2 <= 0.9 * distance_2", case)
    >>> proof.holds, proof.left, proof.right, proof.by
    (False, '1', '9/10', 'exact')
    """
    found = Proof(None, reason="nothing was tried")
    before = ctx.prec
    try:
        for precision in PRECISIONS:
            ctx.prec = precision
            found = _attempt(line, case.but(), dict(where or {}), law)
            if found.holds is not None or found.near:
                break
    finally:
        ctx.prec = before
    return found


def _attempt(line, case, where, law) -> Proof:
    try:
        return ExactReader(case, where, law).proof(line)
    except Unknown as reason:
        return Proof(None, reason=str(reason))


def parsed(line):
    """The tree of a line; its numbers stay as they are written, not rounded."""
    text = line.strip()
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.text = ast.get_source_segment(text, node)
    return tree


class ExactRow(list):
    """A vector transposed."""


def kind_of(x) -> kinds.Kind:
    """What a value is."""
    if isinstance(x, bool):
        return kinds.Kind(kinds.TRUTH)
    if isinstance(x, list):
        return kinds.Kind(
            kinds.ROW if isinstance(x, ExactRow) else kinds.VECTOR, (len(x),)
        )
    return kinds.Kind(kinds.MATRIX, balls.size(x)) if is_matrix(x) else _NUMBER


_NUMBER = kinds.Kind(kinds.NUMBER)


def _as(value, name):
    """Numbers as a vector or as a row."""
    if not isinstance(value, list):
        return value
    return ExactRow(value) if name == kinds.ROW else list(value)


class ExactReader:
    """Evaluates expressions on one case, means and chances over what a law draws."""

    def __init__(self, case, where, law):
        self.case, self.where, self.law = case, where, law
        self.enumerated = False
        self._seen = {}

    def proof(self, line) -> Proof:
        tree = parsed(line)
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            left, right = self.value(tree.left), self.value(tree.comparators[0])
            _check_sides(tree.ops[0], left, right)
            holds = compare(tree.ops[0], left, right)
            worst = where_it_fails(tree.ops[0], left, right)
            tied = holds is None and isinstance(tree.ops[0], ast.Eq)
            close = tied and near(left, right)
            return Proof(holds, *worst, self._by(left, right), near=close)
        holds = _truth(self.value(tree))
        return Proof(holds, by=self._by(fmpq(1), fmpq(1)))

    def _by(self, left, right) -> str:
        if self.enumerated:
            return "enumerated"
        enclosed = any(
            isinstance(x, (arb, arb_mat)) for x in (*flat(left), *flat(right))
        )
        return "enclosed" if enclosed else "exact"

    def value(self, tree):
        """The value of an expression: number, list of numbers, matrix or truth."""
        method = getattr(self, f"_{type(tree).__name__}", None)
        if method is None:
            raise ValueError(
                f"a line has no {type(tree).__name__}: {ast.unparse(tree)}"
            )
        return method(tree)

    def _Constant(self, tree):
        if isinstance(tree.value, bool):
            return tree.value
        exactly = Fraction(tree.value if isinstance(tree.value, int) else tree.text)
        return fmpq(exactly.numerator, exactly.denominator)

    def _Name(self, tree):
        name = tree.id
        if name not in self._seen:
            if name in self.where:
                self._seen[name] = self.value(parsed(self.where[name]))
            else:
                self._seen[name] = route_of(self.case, name)(self.case)
        return self._seen[name]

    def _Attribute(self, tree):
        if tree.attr != "T":
            raise ValueError(f"a line has no attribute {tree.attr!r}")
        value = self.value(tree.value)
        result = kinds.transposed(kind_of(value))
        return _as(value, result) if isinstance(value, list) else value.transpose()

    def _UnaryOp(self, tree):
        value = self.value(tree.operand)
        if isinstance(tree.op, ast.Not):
            return not _truth(value)
        if not isinstance(tree.op, ast.USub):
            raise ValueError(f"a line has no {ast.unparse(tree)}")
        kind = kind_of(value)
        kinds.negated(kind)
        return _as(_each(lambda x: x * -1, value), kind.name)

    def _BinOp(self, tree):
        a, b = self.value(tree.left), self.value(tree.right)
        result = kinds.combined(tree.op, kind_of(a), kind_of(b))
        return _as(_OPERATIONS[type(tree.op)](a, b), result)

    def _BoolOp(self, tree):
        """A part that is unknown is no hindrance where another part decides."""
        found = [self._part(part) for part in tree.values]
        return _joined(found, isinstance(tree.op, ast.Or), tree)

    def _part(self, tree):
        try:
            return _truth(self.value(tree))
        except Unknown:
            return None

    def _Compare(self, tree):
        values = [self.value(part) for part in (tree.left, *tree.comparators)]
        pairs = list(zip(tree.ops, values, values[1:], strict=False))
        for pair in pairs:
            _check_sides(*pair)
        return _joined([compare(*pair) for pair in pairs], False, tree)

    def _Call(self, tree):
        name = tree.func.id
        if name in kinds.OVER_SAMPLES:
            return self._over_samples(name, tree)
        if name not in FUNCTIONS or tree.keywords:
            raise ValueError(f"a line has no function {name!r}; known: {[*FUNCTIONS]}")
        values = [self.value(argument) for argument in tree.args]
        kinds.called(name, [kind_of(value) for value in values])
        return FUNCTIONS[name](*values)

    def _over_samples(self, name, tree):
        """A mean or a chance, over every sample with its exact probability."""
        if not self.law:
            raise ValueError(f"line: expected a law for {ast.unparse(tree)}, got none")
        self.enumerated = True
        found = self._taken(name, tree, self.law)
        for law in laws.finer(self.case, self.law):
            again = self._taken(name, tree, law)
            if compare(ast.Eq(), found, again) is False:
                raise ValueError(
                    f"{ast.unparse(tree)}: expected a polynomial of the degree of "
                    f"{self.law}, got another mean of a finer measure"
                )
        return found

    def _taken(self, name, tree, law):
        law, rest = kinds.stages(law, tree)
        terms, whole = [], fmpq(0)
        for chance, outcome in self.case.outcomes(law):
            value = ExactReader(outcome, self.where, rest).value(tree.args[0])
            kinds.averaged(name, kind_of(value))
            if name == "chance":
                value = fmpq(int(value))
            terms.append(_each(lambda x, p=chance: balls.times(x, p), value))
            whole = balls.plus(whole, chance)
        # Probabilities that were floats add up to 1 but for their rounding.
        if abs(balls.ball(whole) - 1) > arb("1e-9"):
            raise ValueError(f"{law}: expected chances of sum 1, got {whole}")
        return reduce(_add, terms)


def _truth(value):
    """A value that is a truth."""
    if not isinstance(value, bool):
        raise ValueError(f"line: expected a truth, got {kind_of(value)}")
    return value


def _joined(truths, stop, tree) -> bool:
    """And, or of truths that may be None."""
    if stop in truths:
        return stop
    if None in truths:
        raise Unknown(f"too close to tell: {ast.unparse(tree)}")
    return not stop


def _check_sides(op, left, right):
    """Whether two sides can be compared."""
    sign = kinds.RELATIONS.get(type(op))
    if sign is None:
        raise ValueError(f"line: expected one of {' '.join(kinds.RELATIONS.values())}")
    kinds.compared(sign, kind_of(left), kind_of(right))


def _each(f, value):
    if isinstance(value, list):
        return [f(x) for x in value]
    if isinstance(value, (fmpq_mat, arb_mat)):
        rows, columns = balls.size(value)
        if not rows or not columns:
            return value
        entries = [[f(value[i, j]) for j in range(columns)] for i in range(rows)]
        return _matrix_of(entries)
    return f(value)


def _entrywise(f):
    def operate(a, b):
        if isinstance(a, list) or isinstance(b, list):
            pairs = _pairs(a, b)
            return [f(x, y) for x, y in pairs]
        return f(a, b)

    return operate


def _pairs(a, b):
    size = len(a) if isinstance(a, list) else len(b)
    left = a if isinstance(a, list) else [a] * size
    right = b if isinstance(b, list) else [b] * size
    return list(zip(left, right, strict=True))


def _add(a, b):
    if is_matrix(a) and is_matrix(b):
        return balls.add(a, b)
    return _entrywise(balls.plus)(a, b)


def _subtract(a, b):
    return _add(a, _each(lambda x: x * -1, b))


def _multiply(a, b):
    if is_matrix(a) or is_matrix(b):
        return balls.multiply(a, b)
    return _entrywise(balls.times)(a, b)


def _matmul(a, b):
    """A product of matrices; a list is a row on the left, a column on the right."""
    if isinstance(a, list) and isinstance(b, list):
        return balls.total(map(balls.times, a, b))
    if isinstance(a, list) and not a or isinstance(b, list) and not b:
        rows, columns = balls.size(a if is_matrix(a) else b)
        return [fmpq(0)] * (rows or columns)
    left = _matrix_of([a]) if isinstance(a, list) else a
    right = _matrix_of([[x] for x in b]) if isinstance(b, list) else b
    product = balls.multiply(left, right)
    return product.entries() if isinstance(a, list) or isinstance(b, list) else product


def _matrix_of(rows):
    enclosed = any(isinstance(x, arb) for row in rows for x in row)
    if not enclosed:
        return fmpq_mat(rows)
    return arb_mat([[balls.ball(x) for x in row] for row in rows])


def _divide(a, b):
    if is_matrix(a):
        return balls.multiply(a, balls.divide(fmpq(1), b))
    return _entrywise(balls.divide)(a, b)


def _times_itself(x, times):
    """A power; the library's has no value for a ball around zero."""
    if isinstance(x, arb) and x.contains(0):
        return reduce(balls.times, [x] * times, fmpq(1))
    return x**times


def _power(a, b):
    def one(x, y):
        if isinstance(y, fmpq) and y.q == 1:
            raised = _times_itself(x, abs(int(y.p)))
            return raised if y >= 0 else balls.divide(fmpq(1), raised)
        if isinstance(y, fmpq) and y == fmpq(1, 2):
            return balls.square_root(x)
        return _finite(balls.ball(x) ** balls.ball(y))

    return _entrywise(one)(a, b)


_OPERATIONS = {
    ast.Add: _add,
    ast.Sub: _subtract,
    ast.Mult: _multiply,
    ast.MatMult: _matmul,
    ast.Div: _divide,
    ast.Pow: _power,
}


def _finite(x):
    if not x.is_finite():
        raise Unknown("a function outside its domain")
    return x


def _of_numbers(f):
    return lambda x: _each(lambda y: _finite(f(balls.ball(y))), x)


def _round(x, up):
    if isinstance(x, fmpq):
        return fmpq(-(-x.p // x.q) if up else x.p // x.q)
    whole = (x.ceil() if up else x.floor()).unique_fmpz()
    if whole is None:
        raise Unknown("too close to an integer to round")
    return fmpq(whole)


def _identity(n):
    if count(n) < 0:
        raise Unknown("an identity of negative size")
    return balls.identity(count(n))


def _root(x):
    """The root of entries; of a matrix where it is diagonal, so that it is the root."""
    if is_matrix(x):
        rows, columns = balls.size(x)
        places = [(i, j) for i in range(rows) for j in range(columns) if i != j]
        if rows != columns or any(x[i, j] != 0 for i, j in places):
            raise ValueError(
                "sqrt(...): expected a number, a vector or a diagonal matrix"
            )
    return _each(balls.square_root, x)


def _hadamard(A, B):
    """The products of the entries."""
    entries = map(balls.times, A.entries(), B.entries())
    rows, columns = balls.size(A)
    if not rows or not columns:
        return A
    entries = list(entries)
    return _matrix_of([entries[i * columns :][:columns] for i in range(rows)])


def _taken(x, places):
    """Entries of a vector, or columns of a matrix, at these places, from 0."""
    chosen = [count(j) for j in places]
    size = x.ncols() if is_matrix(x) else len(x)
    if not all(0 <= j < size for j in chosen):
        got = ", ".join(map(str, chosen))
        raise ValueError(f"line: expected places from 0 below {size}, got {got}")
    return (
        balls.part(x, range(x.nrows()), chosen)
        if is_matrix(x)
        else [x[j] for j in chosen]
    )


def _column(A, j):
    """A column of a matrix as a vector, by its place, from 0."""
    return _taken(A, [j]).entries()


def _inverse_squares(first, last):
    """The sum of 1 / j^2 over the positive integers from `first` to `last`."""
    whole = range(max(count(first), 1), count(last) + 1)
    return balls.total(fmpq(1, j * j) for j in whole)


FUNCTIONS = {
    "block": balls.block,
    "inverse_squares": _inverse_squares,
    "hadamard": _hadamard,
    "column": _column,
    "taken": _taken,
    "sqrt": _root,
    "log": _of_numbers(lambda x: x.log()),
    "exp": _of_numbers(lambda x: x.exp()),
    "erf": _of_numbers(lambda x: x.erf()),
    "sin": _of_numbers(lambda x: x.sin()),
    "asin": _of_numbers(lambda x: x.asin()),
    "abs": lambda x: _each(abs, x),
    "floor": lambda x: _round(x, up=False),
    "ceil": lambda x: _round(x, up=True),
    "min": lambda *x: balls.smallest(_arguments(x)),
    "max": lambda *x: balls.largest(_arguments(x)),
    "sum": lambda x: balls.total(flat(x)),
    "trace": balls.trace,
    "diag": lambda A: [A[i, i] for i in range(A.nrows())],
    "inv": balls.inverse,
    "pinv": balls.pseudo_inverse,
    "det": lambda A: A.det(),
    "log_det": log_determinant,
    "rank": lambda A: fmpq(balls.rank(A)),
    "norm_2": lambda x: _length(x) if isinstance(x, list) else balls.norm(x),
    "norm_F": balls.frobenius,
    "norm_trace": balls.nuclear,
    "identity": _identity,
    "below": is_below,
    "eigenvalues": balls.eigenvalues,
    "power": power,
    "leading": lambda A, k: leading(A, count(k)),
    "counting": sums.counting,
    "prod": sums.prod,
    "elementary": sums.elementary,
    "binomial": sums.binomial,
    "outer": sums.outer,
    "diagonal": balls.diagonal,
}


def _length(values):
    return balls.square_root(balls.total(balls.times(x, x) for x in values))


def _arguments(x):
    values = x if len(x) > 1 else flat(x[0])
    if not values:
        raise Unknown("the smallest or the largest of nothing")
    return values
