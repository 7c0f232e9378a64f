"""Routes for what the eigenvalues after l hold, and for estimates of a trace."""

from nystheory.exact import arithmetic as exact
from nystheory.exact.routes import route


@route
def tail_l(c):
    return exact.total(c.spectrum[c.l :])


@route
def tail_rank(c):
    tail = c.spectrum[c.k :]
    return exact.divide(exact.total(tail), tail[0])


# --- Estimates of a trace ------------------------------------------------------------


def _from(c, columns):
    """``K - K Omega (Omega' K Omega)^+ Omega' K`` with these columns of Omega."""
    omega = exact.part(c.chosen("omega"), range(c.n), columns)
    Y = c.K * omega
    return c.K - Y * exact.pseudo_inverse(omega.transpose() * Y) * Y.transpose()


def _estimate(c, seeing, testing):
    """The trace of the approximation, and what the other vectors find of the rest."""
    rest, omega = _from(c, seeing), c.chosen("omega")
    tests = exact.part(omega, range(c.n), testing)
    found = exact.trace(tests.transpose() * rest * tests)
    return exact.trace(c.K) - exact.trace(rest) + found / len(testing)


@route
def exchangeable(c):
    columns = range(c.l)
    parts = [_estimate(c, [m for m in columns if m != j], [j]) for j in columns]
    return exact.total(parts) / c.l


@route
def half_and_half(c):
    half = c.l // 2
    return _estimate(c, list(range(half)), list(range(half, c.l)))
