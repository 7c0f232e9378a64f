"""Routes for the optimum of a small support vector machine, in fractions.

Both are found by their definitions, not by the conditions of optimality and not from
each other.  The primal is quadratic where it is known which points are within the
margin and which on it; the dual where it is known which coefficients are at a bound.
"""

from itertools import product

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import Routes

_ROUTES = Routes("DualPair")
route = _ROUTES.route
# More points have too many sets of active bounds.
MOST = 4


def _signed(c):
    """The points times their labels, as columns."""
    X, y = c.chosen("features"), c.chosen("labels")
    if not isinstance(X, fmpq_mat) or X.ncols() > MOST:
        raise Unknown("the optimum of many points, or of balls")
    return X * balls.diagonal(y)


def _column(values):
    return fmpq_mat([[x] for x in values])


def _primal(c, Z, w):
    margins = (Z.transpose() * w).entries()
    costs = c.chosen("costs")
    losses = (max(fmpq(0), 1 - m) * b for m, b in zip(margins, costs, strict=True))
    return c.chosen("ridge") / 2 * balls.squares(w) + sum(losses, fmpq(0))


def _on_margins(c, Z, within, on):
    """The least of the quadratic with some points on the margin; None if undetermined.

    ``w = (Z_L c_L + Z_E v) / ridge``, and v makes the margins of the points of E one.
    """
    costs, ridge, rows = c.chosen("costs"), c.chosen("ridge"), range(Z.nrows())
    weights = [costs[j] if j in within else fmpq(0) for j in range(Z.ncols())]
    w = Z * _column(weights) / ridge
    if not on:
        return w
    E = balls.part(Z, rows, on)
    block = E.transpose() * E
    if block.det() == 0:
        return None
    missing = _column([1 - m for m in (E.transpose() * w).entries()])
    return w + E * block.solve(missing)


def _chosen(states, value):
    return [j for j, state in enumerate(states) if state == value]


@route
def minimiser(c):
    """The best of all candidates, one of which is the minimiser."""
    Z = _signed(c)
    choices = product((0, 1, 2), repeat=Z.ncols())
    found = (_on_margins(c, Z, _chosen(s, 1), _chosen(s, 2)) for s in choices)
    best = min((w for w in found if w is not None), key=lambda w: _primal(c, Z, w))
    return best.entries()


def _at_bounds(c, Q, states):
    """Coefficients at bounds, and between them the stationary ones."""
    costs, free = c.chosen("costs"), _chosen(states, 2)
    a = _column([costs[j] if s == 1 else fmpq(0) for j, s in enumerate(states)])
    if not free:
        return a
    block = balls.part(Q, free, free)
    if block.det() == 0:
        return None
    pull = balls.part(Q, free, range(len(states))) * a
    solved = block.solve(_column([1 - x for x in pull.entries()]))
    for k, j in enumerate(free):
        a[j, 0] = solved[k, 0]
    return a


@route
def largest_dual(c):
    """The largest over all extreme points that are within the bounds."""
    Z, costs = _signed(c), c.chosen("costs")
    Q = Z.transpose() * Z / c.chosen("ridge")
    choices = product((0, 1, 2), repeat=Z.ncols())
    found = [a for a in (_at_bounds(c, Q, s) for s in choices) if a is not None]
    values = [
        sum(a.entries(), fmpq(0)) - (a.transpose() * Q * a)[0, 0] / 2
        for a in found
        if all(0 <= x <= b for x, b in zip(a.entries(), costs, strict=True))
    ]
    if not values:
        raise Unknown("bounds with nothing between them")
    return max(values)
