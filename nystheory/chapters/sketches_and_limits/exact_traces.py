"""Routes for what the eigenvalues after l hold, and for estimates of a trace."""

from nystheory.exact import balls
from nystheory.exact.routes import route


@route
def tail_l(c):
    return balls.total(c.spectrum[c.l :])


@route
def tail_rank(c):
    tail = c.spectrum[c.k :]
    return balls.divide(balls.total(tail), tail[0])


# --- Estimates of a trace ------------------------------------------------------------


def _from(c, columns):
    """``K - K Omega (Omega' K Omega)^+ Omega' K`` with these columns of Omega."""
    omega = balls.part(c.chosen("omega"), range(c.n), columns)
    Y = c.K * omega
    return c.K - Y * balls.pseudo_inverse(omega.transpose() * Y) * Y.transpose()


def _estimate(c, seeing, testing):
    """The trace of the approximation, and what the other vectors find of the rest."""
    rest, omega = _from(c, seeing), c.chosen("omega")
    tests = balls.part(omega, range(c.n), testing)
    found = balls.trace(tests.transpose() * rest * tests)
    return balls.trace(c.K) - balls.trace(rest) + found / len(testing)


@route
def exchangeable(c):
    columns = range(c.l)
    parts = [_estimate(c, [m for m in columns if m != j], [j]) for j in columns]
    return balls.total(parts) / c.l


@route
def half_and_half(c):
    half = c.l // 2
    return _estimate(c, list(range(half)), list(range(half, c.l)))
