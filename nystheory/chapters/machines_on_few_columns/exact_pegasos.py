"""Routes for the steps of Pegasos: fractions, and balls where steps are projected."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes
from nystheory.exact.vectors import from_columns

_ROUTES = Routes("Steps")
route = _ROUTES.route


def _signed(c, j):
    """A point times its label, entry by entry."""
    y, X = c.chosen("labels"), c.chosen("features")
    return [y[j] * x for x in balls.column(X, j)]


def _inner(a, b):
    return balls.total(balls.times(x, y) for x, y in zip(a, b, strict=True))


def _combined(s, a, t, b):
    """``s a + t b``, entry by entry."""
    pairs = zip(a, b, strict=True)
    return [balls.plus(balls.times(s, x), balls.times(t, y)) for x, y in pairs]


def _is_less(a, b):
    """Whether one number is below another; unknown where balls overlap."""
    if isinstance(a, fmpq):
        return a < b
    if a < balls.ball(b):
        return True
    if a >= balls.ball(b):
        return False
    raise Unknown("a margin that may be one")


def _smaller(c, t):
    return 1 / (c.chosen("ridge") * t)


def _constant(c, t):
    return 1 / c.chosen("ridge")


def _into_the_ball(c, w):
    """By the smaller of one and ``1 / (sqrt(ridge) |w|)``."""
    square = balls.times(c.chosen("ridge"), _inner(w, w))
    # A ball that holds one is that of a point on the sphere, and stays there.
    scale = balls.divide(1, balls.square_root(balls.largest([fmpq(1), square])))
    return [balls.times(scale, x) for x in w]


def _visited(c):
    return [int(j) for j in c.chosen("picked")]


def _run(c, step=_smaller, project=None):
    """Iterates and subgradients, by the definition."""
    w, iterates, slopes = [fmpq(0)] * c.sizes["d"], [], []
    for t, j in enumerate(_visited(c), 1):
        z = _signed(c, j)
        iterates.append(w)
        pull = fmpq(-1) if _is_less(_inner(w, z), fmpq(1)) else fmpq(0)
        slopes.append(_combined(c.chosen("ridge"), w, pull, z))
        w = _combined(fmpq(1), w, -step(c, t), slopes[-1])
        w = project(c, w) if project else w
    return [*iterates, w], slopes


def _loss(c, w, j):
    """``f(w)`` at one point."""
    missing = balls.plus(fmpq(1), balls.times(-1, _inner(w, _signed(c, j))))
    half = balls.times(c.chosen("ridge") / 2, _inner(w, w))
    return balls.plus(half, balls.largest([fmpq(0), missing]))


def _mean(values):
    values = list(values)
    return balls.divide(balls.total(values), len(values))


def _suffered(c, **how):
    pairs = zip(_run(c, **how)[0], _visited(c), strict=False)
    return _mean(_loss(c, w, j) for w, j in pairs)


@route
def suffered(c):
    return _suffered(c)


@route
def suffered_projected(c):
    return _suffered(c, project=_into_the_ball)


@route
def suffered_constant(c):
    return _suffered(c, step=_constant)


@route
def suffered_by_one(c):
    return _mean(_loss(c, c.chosen("reference"), j) for j in _visited(c))


@route
def slopes(c):
    found = enumerate(_run(c)[1], 1)
    return balls.total(balls.divide(_inner(g, g), t) for t, g in found)


@route
def iterates(c):
    found = _run(c)[0]
    return from_columns(found, c.sizes["d"], len(found))


@route
def visited(c):
    found = [_signed(c, j) for j in _visited(c)]
    return from_columns(found, c.sizes["d"], len(found))


@route
def longest(c):
    """The root of the largest square."""
    squares = [_inner(w, w) for w in _run(c)[0]]
    return balls.square_root(balls.largest(squares))


@route
def last(c):
    """As the mean of what was added, which the steps come to: ``w_{T+1} = v / T``."""
    iterates, _ = _run(c)
    added = [fmpq(0)] * c.sizes["d"]
    for w, j in zip(iterates, _visited(c), strict=False):
        z = _signed(c, j)
        if _inner(w, z) < 1:
            added = _combined(fmpq(1), added, fmpq(1), z)
    return [x / (c.chosen("ridge") * c.sizes["T"]) for x in added]


def _objective(c, w):
    return _mean(_loss(c, w, j) for j in range(c.sizes["n"]))


@route
def F_average(c):
    iterates = _run(c)[0][:-1]
    return _objective(c, [_mean(entries) for entries in zip(*iterates, strict=True)])


@route
def F_reference(c):
    return _objective(c, c.chosen("reference"))


@law
def repeated_point(case):
    """One point, visited in each step."""
    n, T = case.sizes["n"], case.sizes["T"]
    for j in range(n):
        yield fmpq(1, n), case.but(picked=[fmpq(j)] * T)
