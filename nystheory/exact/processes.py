"""Routes for Gaussian processes: densities of observations, and posteriors."""

from flint import arb, fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.certificates import full_approximation
from nystheory.exact.laws import law
from nystheory.exact.routes import route


@route
def norm_y(c):
    return balls.square_root(balls.squares(c.chosen("y")))


def _with_noise(c, A):
    return balls.add(A, balls.multiply(c.chosen("noise"), balls.identity(c.n)))


def _log_det(A):
    found = balls.ball(A.det()).log()
    if not found.is_finite():
        raise Unknown("the logarithm of a determinant that may be zero")
    return found


def _form(A, y):
    return balls.multiply(y.transpose(), A, y)[0, 0]


def _log_density(c, A):
    """Of N(0, A) at y."""
    square = balls.ball(_form(balls.inverse(A), c.chosen("y")))
    return -(square + _log_det(A) + c.n * (2 * arb.pi()).log()) / 2


@route
def log_p(c):
    return _log_density(c, _with_noise(c, c.K))


@route
def log_q(c):
    return _log_density(c, _with_noise(c, full_approximation(c)))


@route
def divergence(c):
    """Of two Gaussians: the posteriors of the values at all points."""
    noise, y, below = c.chosen("noise"), c.chosen("y"), full_approximation(c)
    ones = balls.identity(c.n)
    inverse = balls.inverse(_with_noise(c, below))
    precision = balls.inverse(c.K) + ones * (1 / noise)
    covariance = c.K - below * inverse * below
    away = balls.multiply(balls.inverse(precision) * (1 / noise) - below * inverse, y)
    inner = balls.plus(
        balls.trace(precision * covariance), _form(precision, away) - fmpq(c.n)
    )
    return (balls.ball(inner) - _log_det(precision) - _log_det(covariance)) / 2


@law
def second_moment(case):
    """n equally likely observations with the second moment ``K + sigma^2 I``."""
    rest = _with_noise(case, case.K)
    for j in range(case.n):
        scale = balls.square_root(fmpq(case.n) / rest[j, j])
        column = balls.part(rest, range(case.n), [j])
        y = balls.multiply(column, scale)
        yield fmpq(1, case.n), case.but(given={**case.given, "y": y})
        rest = rest - column * column.transpose() * (1 / rest[j, j])
