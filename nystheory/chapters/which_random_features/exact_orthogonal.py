"""Routes for orthogonal frequencies: 1F1 in balls, and moments of frames."""

from math import comb

from flint import acb, arb, fmpq

from nystheory.exact import balls
from nystheory.exact.routes import Routes

route = Routes("OrthogonalFrequencies").route


@route
def product_mean(c):
    """``1F1(d; d/2; -z^2/2)``: the mean of the wave of a sum of two frequencies."""
    x, d = c.given["z"] ** 2 / 2, c.given["d"]
    return arb.hypgeom_1f1(balls.ball(-x), balls.ball(d), balls.ball(d / 2))


@route
def orthogonal_value(c):
    waves = [balls.ball(c.given["z"] * w).cos() for w in c.given["projections"]]
    return balls.total(waves) / len(waves)


# --- Moments of the sum of two frequencies --------------------------------------------


def _rising(a, k):
    """``a (a + 1) ... (a + k - 1)``."""
    product = fmpq(1)
    for j in range(k):
        product *= a + j
    return product


def _moment(d, k):
    """The mean of the power 2k of one coordinate of the sum.

    Of a frame only two coordinates of a uniform unit vector count, for which the mean
    of ``u^2i v^2j`` is a quotient of rising factorials; a squared length has the mean
    ``2^j (d/2)_j`` of its power j.
    """
    half, whole = fmpq(1, 2), fmpq(0)
    for j in range(k + 1):
        frame = _rising(half, k - j) * _rising(half, j) / _rising(d / 2, k)
        lengths = 2**k * _rising(d / 2, k - j) * _rising(d / 2, j)
        whole += comb(2 * k, 2 * j) * frame * lengths
    return whole


@route
def fourth_moment(c):
    return _moment(c.given["d"], 2)


@route
def sixth_moment(c):
    return _moment(c.given["d"], 3)


# --- The excess in the mean over distances --------------------------------------------


def _power(x, exponent):
    return (exponent * x.log()).exp()


@route
def weighted_excess(c):
    """By transforms of Laplace, at s = 0 and s = i, of both variances.

    That of ``x^a 1F1(2a; a; -x) / Gamma(a + 1)`` is
    ``s^(a-1) (s - 1) / (1 + s)^(2a+1)``, with the limit 0 at 0 for a > 1.
    """
    a = acb(balls.ball(c.given["d"] / 2))
    if not a.real >= 1:
        raise balls.Unknown("the integral does not converge")
    i = acb(0, 1)
    at_0 = arb(0) if a.real > 1 else arb(-1)
    at_i = (_power(i, a - 1) * (i - 1) / _power(1 + i, 2 * a + 1)).real
    other = _power(acb(2), -a - 1).real + _power(2 + i, -a - 1).real
    return at_0 + at_i - other
