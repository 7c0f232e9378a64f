"""Routes for projections on columns and for the risk of ridge regression."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.between import between
from nystheory.exact.laws import law
from nystheory.exact.routes import route

# --- Ridge regression ----------------------------------------------------------------


def _risk(c, B, ridge):
    """The mean squared error of ``B (B + ridge I)^-1 y``, from the law of y."""
    one, z = balls.identity(c.n), c.chosen("signal")
    smoother = balls.multiply(B, balls.inverse(B + balls.multiply(ridge, one)))
    mean = z + c.given.get("error_mean", balls.zeros(c.n, 1))
    spread = c.given.get("error_covariance", balls.multiply(c.chosen("noise"), one))
    bias = balls.squares(smoother * mean - z)
    variance = balls.trace(smoother * spread * smoother.transpose())
    return (bias + variance) / c.n


@route
def risk(c):
    return _risk(c, c.K, c.chosen("alpha"))


@route
def risk_below(c):
    return _risk(c, between(c), c.chosen("alpha"))


@law
def single_errors(case):
    """An error of either sign on one point, of variance ``n sigma^2``."""
    yield from _errors(case, range(case.n))


@law
def first_error(case):
    """The same on the first point only."""
    yield from _errors(case, [0])


def _errors(case, points):
    size = balls.square_root(len(points) * case.chosen("noise"))
    z, chance = case.chosen("signal"), fmpq(1, 2 * len(points))
    for j in points:
        axis = balls.matrix([[int(i == j)] for i in range(case.n)])
        for sign in (-1, 1):
            y = balls.add(z, balls.multiply(size * sign, axis))
            yield chance, case.but(given={**case.given, "y": y})


@route
def eased_risk(c):
    return _risk(c, c.K, c.chosen("alpha") / c.chosen("accuracy"))


@route
def eased_risk_below(c):
    return _risk(c, between(c), c.chosen("alpha") / c.chosen("accuracy"))


# --- Columns drawn by scores, or uniformly -------------------------------------------


def _scores(c):
    shifted = c.K + balls.multiply(c.chosen("alpha"), balls.identity(c.n))
    smoother = c.K * balls.inverse(shifted)
    return [smoother[j, j] for j in range(c.n)]


@route
def largest_score(c):
    return c.n * balls.largest(_scores(c))


@route
def ridge_share(c):
    if "ridge_share" in c.given:
        return c.given["ridge_share"]
    p, scores = c.chosen("probabilities"), _scores(c)
    some = [j for j in range(c.n) if c.K[j, j] > 0]
    ratios = [p[0, j] / scores[j] * balls.total(scores) for j in some]
    return balls.smallest([*ratios, fmpq(1)])
