"""Routes for any matrix between 0 and K, and for K with that divided out."""

from flint import fmpq

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
from nystheory.exact.certificates import full_approximation
from nystheory.exact.laws import law
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import d_eff, route


@route
def between(c):
    """As it is given, from weights G, from a test matrix, or from the landmarks.

    Landmarks that are repeated change nothing but the size of W.
    """
    if "between" in c.given:
        return c.given["between"]
    if "weights" in c.given:
        G = c.given["weights"]
        inner = exact.identity(G.ncols()) + G.transpose() * G
        seen = c.points.transpose() * G
        return seen * exact.inverse(inner) * seen.transpose()
    if "omega" in c.given:
        omega = c.given["omega"]
        Y = c.K * omega
        return Y * exact.pseudo_inverse(omega.transpose() * Y) * Y.transpose()
    return full_approximation(c.but(landmarks=tuple(sorted(set(c.landmarks)))))


@route
def gap_2(c):
    return exact.norm(exact.symmetric_part(exact.subtract(c.K, between(c))))


@law
def gaussian(case):
    """A test matrix of independent standard normal entries."""
    raise Unknown("a continuous law has no list of outcomes")


# --- The preconditioner --------------------------------------------------------------


@route
def sketched(c):
    return "omega" in c.given


@route
def smallest_kept(c):
    return exact.eigenvalues(between(c))[min(c.l, c.n) - 1]


@route
def smallest_eigenvalue(c):
    return exact.positive(exact.eigenvalues(c.K)[-1])


@route
def kappa(c):
    """From ``P^-1 = (last + alpha) (K~ + alpha I)^-1 Q + I - Q``, Q on the range of K~.

    Where K~ has fewer than l eigenvalues but zero, the last is zero and the first term
    is I on the others, whatever basis is taken there.
    """
    one, B, alpha = exact.identity(c.n), between(c), c.chosen("alpha")
    ridge = exact.multiply(alpha, one)
    Q = B * exact.pseudo_inverse(B)
    shrunk = exact.plus(smallest_kept(c), alpha)
    inverse = exact.multiply(shrunk, exact.inverse(B + ridge) * Q)
    inverse = exact.add(inverse, one - Q)
    root = function_of(c.K + ridge, exact.square_root)
    values = exact.eigenvalues(
        exact.symmetric_part(exact.multiply(root, inverse, root))
    )
    return exact.divide(values[0], values[-1])


def _asked(c):
    return int((3 * d_eff(c) / 2).ceil())


def _after(c, count):
    return c.spectrum[count] if count < c.n else fmpq(0)


@route
def lambda_q(c):
    return _after(c, _asked(c))


@route
def lambda_last(c):
    return _after(c, 2 * _asked(c))


@route
def tail_q(c):
    return exact.total(c.spectrum[_asked(c) :])
