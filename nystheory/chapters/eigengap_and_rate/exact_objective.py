"""Minima of objectives on few points: fractions, or balls between two bounds.

The hinge and the absolute loss have a dual problem in a box: every set of active bounds
is solved in fractions, and the best that is feasible is the maximum.  For the logistic
loss a point that Newton's method finds is feasible for both problems, and the minimum
lies between its two values, whatever the point is.
"""

from itertools import product

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import Routes, route_of

_OF_LEARNED = Routes("Learned")
route = _OF_LEARNED.route
# More points have too many sets of active bounds.
MOST = 5


# --- A quadratic in a box -------------------------------------------------------------


def _quadratic(B, c, alpha, b):
    return (c.transpose() * b)[0, 0] - (b.transpose() * B * b)[0, 0] / (2 * alpha)


def maximiser(B, c, alpha, bounds):
    """Where ``c.b - b.B b / (2 alpha)`` is largest between the bounds of each entry.

    At an extreme optimum the block of the free entries is regular.

    >>> B = balls.matrix([[2]])
    >>> maximiser(B, balls.matrix([[1]]), fmpq(1), [(fmpq(0), fmpq(1))])
    [1/2]
    """
    if not isinstance(B, fmpq_mat) or B.nrows() > MOST:
        raise Unknown("the optima of a matrix of balls, or of many points")
    found = (_solved(B, c, alpha, some) for some in product(*map(_states, bounds)))
    some = [b for b in found if b is not None and _inside(b, bounds)]
    return max(some, key=lambda b: _quadratic(B, c, alpha, b))


def _states(bounds):
    return (*bounds, None)


def _inside(b, bounds):
    pairs = zip(b.entries(), bounds, strict=True)
    return all(low <= x <= high for x, (low, high) in pairs)


def _solved(B, c, alpha, some):
    """With the free entries, those that are None, solved for."""
    n, free = len(some), [i for i, x in enumerate(some) if x is None]
    b = fmpq_mat(n, 1, [fmpq(0) if x is None else x for x in some])
    if not free:
        return b
    block = balls.part(B, free, free)
    if block.det() == 0:
        return None
    pull = B * b
    right = fmpq_mat([[alpha * c[i, 0] - pull[i, 0]] for i in free])
    for i, x in zip(free, block.solve(right).entries(), strict=True):
        b[i, 0] = x
    return b


def _labels(c):
    return fmpq_mat(c.n, 1, c.chosen("y").entries())


def hinge(c, B):
    """The maximiser of the dual of the hinge loss."""
    y, C = _labels(c), c.chosen("slope")
    bounds = [tuple(sorted([fmpq(0), C * x])) for x in y.entries()]
    return maximiser(B, y, c.chosen("alpha"), bounds)


def absolute(c, B):
    """The maximiser of the dual of the absolute loss."""
    C = c.chosen("slope")
    return maximiser(B, _labels(c), c.chosen("alpha"), [(-C, C)] * c.n)


def _box_gap(c, learner, near):
    y, alpha = _labels(c), c.chosen("alpha")
    found = [_quadratic(B, y, alpha, learner(c, B)) for B in (near, c.K)]
    return (found[0] - found[1]) / c.n


@route
def hinge_gap(c):
    return _box_gap(c, hinge, c.approximation)


@route
def absolute_gap(c):
    return _box_gap(c, absolute, c.approximation)


# --- Where landmarks are drawn many times ---------------------------------------------


def _kept(c):
    """The approximation, from the leading directions of the landmarks."""
    X = c.points
    return balls.multiply(X.transpose(), route_of(c, "landmark_H")(c), X)


Routes("Assembled").enter("hinge_gap", lambda c: _box_gap(c, hinge, _kept(c)))


# --- The logistic loss ----------------------------------------------------------------


def _softplus(z):
    return (1 + z.exp()).log()


def _share(z):
    """``1 / (1 + e^z)``."""
    return 1 / (1 + z.exp())


def _between(c, B):
    """n times the minimum, between the two values of a point."""
    y = [balls.ball(x) for x in c.chosen("y").entries()]
    C, alpha, B = (
        balls.ball(c.chosen("slope")),
        balls.ball(c.chosen("alpha")),
        arb_mat(B),
    )
    p = [_share(y[i] * f).mid() for i, f in enumerate(_newton(B, y, C / alpha))]
    b = arb_mat(c.n, 1, [C * y[i] * p[i] for i in range(c.n)])
    f = (B * b).entries()
    half = balls.total(f[i] * b[i, 0] for i in range(c.n)) / (2 * alpha)
    entropy = balls.total(-x * x.log() - (1 - x) * (1 - x).log() for x in p)
    losses = balls.total(_softplus(-y[i] * f[i] / alpha) for i in range(c.n))
    return (C * entropy - half).union(C * losses + half)


def _newton(B, y, weight):
    """Values f with ``f_i = weight (B s)_i`` for ``s_i = y_i / (1 + e^(y_i f_i))``."""
    n, f = B.nrows(), [arb(0)] * B.nrows()
    left = _residual(B, y, weight, f)
    for _ in range(200):
        p = [_share(y[i] * f[i]) for i in range(n)]
        curved = arb_mat(balls.identity(n))
        for i, j in product(range(n), repeat=2):
            curved[i, j] += weight * B[i, j] * y[j] ** 2 * p[j] * (1 - p[j])
        step = curved.solve(arb_mat(n, 1, left)).entries()
        size, near = arb(1), left
        for _ in range(40):
            moved = [(f[i] - size * step[i]).mid() for i in range(n)]
            near = _residual(B, y, weight, moved)
            if _length(near) < _length(left):
                break
            size /= 2
        if not _length(near) < _length(left):
            break
        f, left = moved, near
        if _length(left) < arb(2) ** (4 - ctx.prec):
            break
    return f


def _residual(B, y, weight, f):
    s = arb_mat(len(f), 1, [y[i] * _share(y[i] * f[i]) for i in range(len(f))])
    pulled = (B * s).entries()
    return [f[i] - weight * pulled[i] for i in range(len(f))]


def _length(values):
    return balls.total(x * x for x in values).mid()


@route
def logistic_gap(c):
    if c.n > MOST:
        raise Unknown("a minimum on many points")
    return (_between(c, c.approximation) - _between(c, c.K)) / c.n


# --- In a population ------------------------------------------------------------------


_OF_POPULATION = Routes("Population")


@_OF_POPULATION.route
def variation(c):
    q = c.chosen("population").entries()
    return balls.total(abs(x / sum(q) - fmpq(1, c.n)) for x in q) / 2


@_OF_POPULATION.route
def hinge_excess(c):
    q, alpha = c.chosen("population").entries(), c.chosen("alpha")
    y, C, risks = _labels(c).entries(), c.chosen("slope"), []
    for B in (c.approximation, c.K):
        b = hinge(c, B)
        f = [x / alpha for x in (B * b).entries()]
        kept = balls.total(x * z for x, z in zip(f, b.entries(), strict=True))
        losses = (max(fmpq(0), 1 - s * z) for s, z in zip(y, f, strict=True))
        mean = balls.total(w * x for w, x in zip(q, losses, strict=True)) / sum(q)
        risks.append(kept / (2 * c.n) + C * mean)
    return risks[0] - risks[1]
