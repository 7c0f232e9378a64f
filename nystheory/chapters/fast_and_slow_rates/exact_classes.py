"""Routes for two classes: each loss label by label, in fractions or balls."""

from flint import arb, fmpq

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_OF_CLASSES = Routes("TwoClasses")
route = _OF_CLASSES.route
_ONE = fmpq(1)


def _points(c):
    """Probability, chance of the class 1 and value of each point."""
    weights = c.chosen("weights")
    shares = [w / sum(weights) for w in weights]
    return list(zip(shares, c.chosen("eta"), c.chosen("f"), strict=True))


def _mean(c, at_a_point):
    terms = (balls.times(p, at_a_point(eta, f)) for p, eta, f in _points(c))
    return balls.total(terms)


@route
def sure(c):
    return [abs(eta - (_ONE - eta)) for _, eta, _ in _points(c)]


@route
def excess_01(c):
    """The chance of the label that is not predicted, less the smaller of both."""

    def at_a_point(eta, f):
        missed = {1: _ONE - eta, -1: eta, 0: max(eta, _ONE - eta)}
        return missed[(f > 0) - (f < 0)] - min(eta, _ONE - eta)

    return _mean(c, at_a_point)


@route
def excess_sq(c):
    """The loss of each label, less the variance of the labels."""

    def at_a_point(eta, f):
        loss = eta * (f - 1) ** 2 + (_ONE - eta) * (f + 1) ** 2
        return loss - 4 * eta * (_ONE - eta)

    return _mean(c, at_a_point)


def _hinge(y, f):
    return max(fmpq(0), _ONE - y * f)


@route
def excess_hinge(c):
    """The loss of each label, less the smaller of those of the values 1 and -1."""

    def loss(eta, f):
        return eta * _hinge(1, f) + (_ONE - eta) * _hinge(-1, f)

    return _mean(
        c, lambda eta, f: loss(eta, f) - min(loss(eta, _ONE), loss(eta, -_ONE))
    )


def _divergence(eta, f):
    """Of the labels from the chances 1 / (1 + exp(-f)) and 1 / (1 + exp(f))."""
    terms = []
    for chance, value in ((eta, f), (_ONE - eta, -f)):
        if chance:
            told = 1 / (1 + (-arb(value)).exp())
            terms.append(arb(chance) * (arb(chance) / told).log())
    return balls.total(terms)


@route
def excess_log(c):
    return _mean(c, _divergence)


@route
def excess_log2(c):
    return excess_log(c) / arb(2).log()


# --- Low noise ------------------------------------------------------------------------

_OF_NOISE = Routes("LowNoise")


def _visible(c, of):
    """Over the points with a margin above 0 that is no larger, for each point."""
    s, p = sure(c), [p for p, _, _ in _points(c)]
    return [
        sum((p[j] * of(s[j]) for j in range(len(s)) if 0 < s[j] <= most), fmpq(0))
        for most in s
    ]


@_OF_NOISE.route
def visible(c):
    return _visible(c, lambda s: _ONE)


@_OF_NOISE.route
def visible_excess(c):
    return _visible(c, lambda s: s)


@_OF_NOISE.route
def second(c):
    total = fmpq(0)
    for p, eta, f in _points(c):
        twice = 2 * eta - 1
        best = c.chosen("tie") if twice == 0 else fmpq((twice > 0) - (twice < 0))
        for y, chance in ((1, eta), (-1, _ONE - eta)):
            total += p * chance * (_hinge(y, f) - _hinge(y, best)) ** 2
    return total
