"""Matrices of fractions and of balls, and eigenvalues that are enclosed.

A number is a fraction (`fmpq`) as long as it can be, else a ball (`arb`): a midpoint
and a radius that surely hold it.  A matrix is `fmpq_mat` or `arb_mat`.
"""

from fractions import Fraction
from functools import reduce

from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz

from nystheory.exact.rotations import jacobi


class Unknown(ArithmeticError):
    """The balls are too wide to tell, or the value is not determined (a tie)."""


def number(x):
    """A number as a fraction: from int, Fraction, float (its exact value) or text.

    >>> number("1.8"), number(0.5)
    (9/5, 1/2)
    """
    if isinstance(x, (fmpq, arb)):
        return x
    if isinstance(x, (int, fmpz)):
        return fmpq(int(x))
    exact = Fraction(str(x)) if isinstance(x, str) else Fraction(x)
    return fmpq(exact.numerator, exact.denominator)


def ball(x):
    """A number as a ball."""
    return x if isinstance(x, arb) else arb(number(x))


def matrix(rows):
    """A matrix of fractions from rows of numbers."""
    return fmpq_mat([[number(x) for x in row] for row in rows])


def identity(n):
    return fmpq_mat([[int(i == j) for j in range(n)] for i in range(n)])


def zeros(rows, columns):
    return fmpq_mat(rows, columns)


def diagonal(values):
    """The diagonal matrix with these entries, of balls if one of them is."""
    n = len(values)
    if any(isinstance(x, arb) for x in values):
        return arb_mat(
            [
                [ball(values[i]) if i == j else arb(0) for j in range(n)]
                for i in range(n)
            ]
        )
    return fmpq_mat([[values[i] if i == j else 0 for j in range(n)] for i in range(n)])


def size(A):
    """Rows and columns."""
    return A.nrows(), A.ncols()


def part(A, rows, columns):
    """The block of a matrix in these rows and columns, repetitions allowed."""
    if not rows or not columns:
        return zeros(len(rows), len(columns))
    return type(A)([[A[i, j] for j in columns] for i in rows])


def block(*parts):
    """A row of two matrices, or two rows of two."""
    rows = [parts] if len(parts) == 2 else [parts[:2], parts[2:]]
    if any(isinstance(part, arb_mat) for part in parts):
        rows = [[arb_mat(part) for part in row] for row in rows]
    entries = []
    for left, right in rows:
        for i in range(left.nrows()):
            here = [left[i, j] for j in range(left.ncols())]
            entries.append(here + [right[i, j] for j in range(right.ncols())])
    if not entries or not entries[0]:
        return zeros(len(entries), sum(part.ncols() for part in rows[0]))
    return type(rows[0][0])(entries)


def column(A, j):
    return [A[i, j] for i in range(A.nrows())]


def multiply(*factors):
    """The product of matrices and numbers; balls where one of them has balls."""
    return reduce(_times, factors)


def _times(a, b):
    kinds = {type(a), type(b)}
    if arb_mat in kinds or (arb in kinds and fmpq_mat in kinds):
        a = arb_mat(a) if isinstance(a, fmpq_mat) else ball_or_matrix(a)
        b = arb_mat(b) if isinstance(b, fmpq_mat) else ball_or_matrix(b)
    return a * b


def ball_or_matrix(x):
    return x if isinstance(x, (arb, arb_mat)) else ball(x)


def add(a, b):
    """Sum of two matrices."""
    if type(a) is not type(b):
        a, b = arb_mat(a), arb_mat(b)
    return a + b


def subtract(a, b):
    """Difference of two matrices."""
    if type(a) is not type(b):
        a, b = arb_mat(a), arb_mat(b)
    return a - b


def trace(A):
    return total(A[i, i] for i in range(min(size(A))))


def total(values):
    """Sum of numbers, a fraction if they all are."""
    result = fmpq(0)
    for value in values:
        result = plus(result, value)
    return result


def plus(a, b):
    return ball(a) + ball(b) if isinstance(a, arb) or isinstance(b, arb) else a + b


def times(a, b):
    return ball(a) * ball(b) if isinstance(a, arb) or isinstance(b, arb) else a * b


def divide(a, b):
    if isinstance(a, arb) or isinstance(b, arb):
        quotient = ball(a) / ball(b)
        if not quotient.is_finite():
            raise Unknown("a division by what may be zero")
        return quotient
    if b == 0:
        raise Unknown("a division by zero")
    return a / b


def square_root(x):
    """The root: a fraction where it is one, else a ball."""
    if isinstance(x, arb):
        root = x.nonnegative_part().sqrt() if x.contains(0) else x.sqrt()
        if not root.is_finite():
            raise Unknown("the root of a negative number")
        return root
    if x < 0:
        raise Unknown("the root of a negative number")
    p, q = fmpz(x.p).isqrt(), fmpz(x.q).isqrt()
    if p * p == x.p and q * q == x.q:
        return fmpq(int(p), int(q))
    return arb(x).sqrt()


def squares(A):
    """Sum of the squared entries."""
    return total(times(x, x) for x in A.entries())


def rank(A):
    """Exact rank of a matrix of fractions."""
    if isinstance(A, arb_mat):
        raise Unknown("the rank of a matrix of balls")
    return A.rank() if all(size(A)) else 0


def pseudo_inverse(A):
    """Moore-Penrose inverse of a matrix of fractions, by a full-rank factorisation.

    >>> M = matrix([[1, 1], [1, 1]])
    >>> M * pseudo_inverse(M) * M == M
    True
    """
    rows, columns = size(A)
    if not rows or not columns or rank(A) == 0:
        return zeros(columns, rows)
    reduced, r = A.rref()
    pivots = [next(j for j in range(columns) if reduced[i, j] != 0) for i in range(r)]
    B = part(A, range(rows), pivots)
    G = part(reduced, range(r), range(columns))
    BT, GT = B.transpose(), G.transpose()
    return GT * (G * GT).inv() * (BT * B).inv() * BT


def inverse(A):
    """Inverse of a square matrix, of fractions or of balls."""
    try:
        return A.inv()
    except ZeroDivisionError:
        raise Unknown("the inverse of a singular matrix") from None


# --- Eigenvalues of symmetric matrices ---------------------------------------------


def roots(A):
    """Distinct eigenvalues of a symmetric matrix of fractions, descending.

    Returns
    -------
    list of (fmpq or arb, int)
        A fraction where the eigenvalue is one, else a ball; and an exact
        multiplicity, from the factors of the characteristic polynomial.
    """
    _, factors = A.charpoly().numer().factor()
    pairs = []
    for factor, times in factors:
        if factor.degree() == 1:
            pairs.append((fmpq(int(-factor[0]), int(factor[1])), times))
        else:
            pairs += [(root.real, times) for root, _ in factor.complex_roots()]
    pairs.sort(key=lambda pair: _middle(pair[0]), reverse=True)
    for (larger, _), (smaller, _) in zip(pairs, pairs[1:], strict=False):
        if not ball(larger) > ball(smaller):
            raise Unknown("eigenvalues that are too close to be put in order")
    return pairs


def _middle(x):
    """The middle of a ball: a number without error, so that any two compare."""
    return ball(x).mid()


def descending(values):
    """Numbers, largest first, each in a ball that holds the one of its place.

    Where balls overlap, the j-th lies between the j-th of the lower ends and the j-th
    of the upper ends.
    """
    ordered = sorted(values, key=_middle, reverse=True)
    pairs = zip(ordered, ordered[1:], strict=False)
    if all(plus(larger, -smaller) >= 0 for larger, smaller in pairs):
        return ordered
    lower = sorted((ball(x).lower() for x in values), reverse=True)
    upper = sorted((ball(x).upper() for x in values), reverse=True)
    return [low.union(high) for low, high in zip(lower, upper, strict=True)]


def eigenvalues(A):
    """All eigenvalues of a symmetric matrix, descending, as balls that hold them.

    A matrix of fractions goes through its characteristic polynomial.  One of balls
    is turned by Jacobi's rotations, and the result is certified: for any V and
    diagonal D the j-th eigenvalue of A differs from D_jj by at most
    ``|A - V D V'|_F + |D_jj| |V'V - I|_F`` (Weyl, Ostrowski).
    """
    if isinstance(A, fmpq_mat):
        return [value for value, times in roots(A) for _ in range(times)]
    n = A.nrows()
    D, V = jacobi(A)
    turned = arb_mat(n, n)
    for j in range(n):
        turned[j, j] = D[j]
    rest = A - V * turned * V.transpose()
    defect = V.transpose() * V - arb_mat(identity(n))
    off, skew = square_root(squares(rest)), square_root(squares(defect))
    out = []
    for value in sorted(D, reverse=True):
        radius = (off + abs(value) * skew).upper()
        out.append((value - radius).union(value + radius))
    return out


def singular_values(A):
    """Singular values, descending; as many as the smaller side of A."""
    gram = (
        multiply(A.transpose(), A)
        if A.ncols() <= A.nrows()
        else multiply(A, A.transpose())
    )
    return [square_root(positive(value)) for value in eigenvalues(gram)]


def positive(x):
    """A value that is known not to be negative: the ball cut at zero."""
    return x.nonnegative_part() if isinstance(x, arb) else x


def norm(A):
    """Spectral norm."""
    if not all(size(A)):
        return fmpq(0)
    values = [abs(x) for x in eigenvalues(A)] if is_symmetric(A) else singular_values(A)
    return largest(values)


def nuclear(A):
    """Sum of the singular values."""
    values = [abs(x) for x in eigenvalues(A)] if is_symmetric(A) else singular_values(A)
    return total(values)


def frobenius(A):
    return square_root(squares(A))


def is_symmetric(A):
    """Whether both halves are the same; balls around one another count as the same."""
    if A.nrows() != A.ncols():
        return False
    if isinstance(A, fmpq_mat):
        return A == A.transpose()
    return all(A[i, j].overlaps(A[j, i]) for i in range(A.nrows()) for j in range(i))


def symmetric_part(A):
    """(A + A') / 2: balls of a symmetric matrix made symmetric."""
    half = fmpq(1, 2) if isinstance(A, fmpq_mat) else arb(1) / 2
    return (A + A.transpose()) * half


def largest(values):
    """The largest of some numbers, as a ball if one is."""
    return reduce(_larger, values)


def smallest(values):
    """The smallest of some numbers."""
    return -largest([-x for x in values])


def _larger(a, b):
    if isinstance(a, arb) or isinstance(b, arb):
        return ball(a).max(ball(b))
    return a if a >= b else b
