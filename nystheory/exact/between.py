"""Routes for any matrix between 0 and K, and for K with that divided out."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
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
        inner = balls.identity(G.ncols()) + G.transpose() * G
        seen = c.points.transpose() * G
        return seen * balls.inverse(inner) * seen.transpose()
    if "omega" in c.given:
        omega = c.given["omega"]
        Y = c.K * omega
        return Y * balls.pseudo_inverse(omega.transpose() * Y) * Y.transpose()
    return full_approximation(c.but(landmarks=tuple(sorted(set(c.landmarks)))))


@route
def gap_2(c):
    return balls.norm(balls.symmetric_part(balls.subtract(c.K, between(c))))


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
    return balls.eigenvalues(between(c))[min(c.l, c.n) - 1]


@route
def smallest_eigenvalue(c):
    return balls.positive(balls.eigenvalues(c.K)[-1])


@route
def kappa(c):
    """From ``P^-1 = (last + alpha) (K~ + alpha I)^-1 Q + I - Q``, Q on the range of K~.

    Where K~ has fewer than l eigenvalues but zero, the last is zero and the first term
    is I on the others, whatever basis is taken there.
    """
    one, B, alpha = balls.identity(c.n), between(c), c.chosen("alpha")
    ridge = balls.multiply(alpha, one)
    Q = B * balls.pseudo_inverse(B)
    shrunk = balls.plus(smallest_kept(c), alpha)
    inverse = balls.multiply(shrunk, balls.inverse(B + ridge) * Q)
    inverse = balls.add(inverse, one - Q)
    root = function_of(c.K + ridge, balls.square_root)
    values = balls.eigenvalues(
        balls.symmetric_part(balls.multiply(root, inverse, root))
    )
    return balls.divide(values[0], values[-1])


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
    return balls.total(c.spectrum[_asked(c) :])
