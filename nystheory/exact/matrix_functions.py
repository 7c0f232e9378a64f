"""Functions of a symmetric matrix, what elimination leaves, and which is below."""

from flint import arb, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown


def function_of(A, f, k=None):
    """f of a symmetric matrix of fractions, on its k leading nonzero eigenvalues.

    ``f = 1/x`` gives the truncated pseudo-inverse, ``f = 1`` the projector on the
    leading directions.  By Lagrange's product over the distinct eigenvalues.

    Raises
    ------
    Unknown
        If an eigenvalue is tied at the cut, so that the choice is free.
    """
    n, taken = A.nrows(), 0
    spectrum, result = balls.roots(A), balls.zeros(A.nrows(), A.nrows())
    limit = n if k is None else k
    for i, (value, multiplicity) in enumerate(spectrum):
        if value == 0:
            continue
        if taken == limit:
            break
        if taken + multiplicity > limit:
            raise Unknown("a tie at the cut: the approximation is not unique")
        P = balls.identity(n)
        for j, (other, _) in enumerate(spectrum):
            if j != i:
                shifted = balls.subtract(A, _multiple(other, n))
                P = balls.multiply(
                    P, shifted, balls.divide(fmpq(1), balls.plus(value, -other))
                )
        result = balls.add(result, balls.multiply(f(value), P))
        taken += multiplicity
    return result


def _multiple(x, n):
    return balls.multiply(x, balls.identity(n))


def power(A, exponent):
    """A semidefinite matrix to a power from -1 to 1, by its eigenvalues.

    Raises
    ------
    Unknown
        If it is a matrix of balls, not semidefinite, or singular and the power
        negative.
    """
    if not isinstance(A, fmpq_mat) or not balls.is_symmetric(A):
        raise Unknown("a power of a matrix whose eigenvalues are not told apart")
    values = [value for value, _ in balls.roots(A)]
    if any(value < 0 for value in values):
        raise Unknown("a power of a matrix that is not semidefinite")
    if not isinstance(exponent, fmpq) or not -1 <= exponent <= 1:
        raise Unknown("a power beyond -1 or 1, or one that is not a fraction")
    if exponent == 0:
        return balls.identity(A.nrows())
    if exponent < 0 and not all(value > 0 for value in values):
        raise Unknown("a negative power of a singular matrix")
    return function_of(A, lambda x: _raised(x, exponent))


def _raised(x, exponent):
    if exponent.q == 1:
        return x if exponent == 1 else balls.divide(fmpq(1), x)
    if exponent.q == 2:
        root = balls.square_root(x)
        return root if exponent > 0 else balls.divide(fmpq(1), root)
    return balls.ball(x) ** balls.ball(exponent)


def leading(A, k):
    """The projector on k leading eigenvectors of a semidefinite A, or on its range."""
    if not isinstance(A, fmpq_mat) or not balls.is_symmetric(A):
        raise Unknown("eigenvectors of a matrix whose eigenvalues are not told apart")
    if k < 0 or not _semidefinite(A):
        raise Unknown("leading eigenvectors of what is not semidefinite")
    return function_of(A, lambda _: fmpq(1), k)


def truncated_inverse(A, k):
    """Pseudo-inverse of the best approximation of rank k of a semidefinite matrix."""
    if k >= balls.rank(A):
        return balls.pseudo_inverse(A)
    return function_of(A, lambda x: balls.divide(fmpq(1), x), k)


def eliminated(K, pivots):
    """What is left of K after Gauss's elimination of these rows and columns."""
    n = K.nrows()
    for j in pivots:
        if K[j, j] != 0:
            row = fmpq_mat([[K[j, b] for b in range(n)]])
            K = K - row.transpose() * row * (1 / K[j, j])
    return K


def log_determinant(A):
    """Of a symmetric positive definite matrix; of others it is unknown."""
    if not balls.is_symmetric(A) or not _definite(A):
        raise Unknown("the log determinant of what is not surely positive definite")
    return balls.ball(A.det()).log()


def _definite(A) -> bool:
    """Whether all pivots of elimination are surely positive."""
    n = A.nrows()
    B = [[A[i, j] for j in range(n)] for i in range(n)]
    for p in range(n):
        if not B[p][p] > 0:
            return False
        for i in range(p + 1, n):
            factor = B[i][p] / B[p][p]
            for j in range(p + 1, n):
                B[i][j] -= factor * B[p][j]
    return True


def is_below(A, B):
    """Whether B - A is semidefinite: True, False, or an error where it is not clear.

    One of them may be the number 0, which stands for the zero matrix.
    """
    A, B = _matrix_like(A, B), _matrix_like(B, A)
    if not A.nrows():
        return True
    difference = balls.symmetric_part(balls.subtract(B, A))
    if isinstance(difference, fmpq_mat):
        return _semidefinite(difference)
    lowest = balls.eigenvalues(difference)[-1]
    if lowest < 0:
        return False
    if lowest > 0:
        return True
    raise Unknown("an eigenvalue too close to zero")


def _matrix_like(A, other):
    if not isinstance(A, (fmpq, arb)):
        return A
    if isinstance(A, arb) and A.contains(0):
        raise Unknown("whether it is the number 0, which stands for a matrix")
    if A != 0:
        raise ValueError("below(A, B): expected matrices or 0")
    return balls.zeros(*balls.size(other))


def _semidefinite(A):
    """Whether a symmetric matrix of fractions is semidefinite, by elimination."""
    n = A.nrows()
    B = [[A[i, j] for j in range(n)] for i in range(n)]
    for p in range(n):
        if B[p][p] < 0:
            return False
        if B[p][p] == 0:
            if any(B[p][j] != 0 for j in range(p + 1, n)):
                return False
            continue
        for i in range(p + 1, n):
            factor = B[i][p] / B[p][p]
            if factor != 0:
                for j in range(p + 1, n):
                    B[i][j] -= factor * B[p][j]
    return True
