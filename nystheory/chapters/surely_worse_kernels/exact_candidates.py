"""Routes for the criteria of several kernels and their ends, in fractions."""

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_ROUTES = Routes("Candidates")
route = _ROUTES.route


def _criterion(c, K, ridge):
    """By determinants: ``y' A^-1 y = det(A + y y') / det A - 1``."""
    y = fmpq_mat([[x] for x in c.chosen("y")])
    A = K + balls.identity(K.nrows()) * ridge
    form = balls.divide((A + y * y.transpose()).det(), A.det()) - 1
    return c.chosen("alpha") / K.nrows() * form


def _grams(c, name):
    return [F.transpose() * F for F in c.chosen(name)]


def _seen_and_missed(c):
    return list(zip(_grams(c, "seen"), _grams(c, "missed"), strict=True))


def _exact(c):
    return [_criterion(c, a + b, c.chosen("alpha")) for a, b in _seen_and_missed(c)]


def _above(c):
    return [_criterion(c, a, c.chosen("alpha")) for a in _grams(c, "seen")]


def _below(c):
    return [
        _criterion(c, a, c.chosen("alpha") + balls.trace(b))
        for a, b in _seen_and_missed(c)
    ]


@route
def criterion_first(c):
    return _exact(c)[0]


@route
def criteria_rest(c):
    return _exact(c)[1:]


@route
def upper_first(c):
    return _above(c)[0]


@route
def lower_rest(c):
    return _below(c)[1:]


@route
def smallest(c):
    return min(_exact(c))


@route
def smallest_left(c):
    """Of those that no other kernel is certainly better than, pair by pair."""
    values, low, high = _exact(c), _below(c), _above(c)
    left = [j for j in range(len(values)) if not any(x < low[j] for x in high)]
    return min(values[j] for j in left)


@route
def largest_trace(c):
    squares = [balls.squares(G) for G in c.chosen("missed")]
    return max(squares, default=fmpq(0))
