"""Routes for kernel matrices from drawn frequencies, and their ridge regressions."""

from math import factorial, prod

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.laws import counts, law
from nystheory.exact.routes import Routes

route = Routes("DrawnFrequencies").route


def _wave(turns):
    """The cosines and the sines of a frequency at the points, as two columns."""
    cosines = [(1 - t * t) / (1 + t * t) for t in turns]
    sines = [2 * t / (1 + t * t) for t in turns]
    return balls.matrix(zip(cosines, sines, strict=True))


def _waves(c):
    turns = c.given["turns"]
    return [
        _wave([turns[j, i] for i in range(turns.ncols())]) for j in range(turns.nrows())
    ]


def _summed(c, weights):
    n = c.given["turns"].ncols()
    whole = balls.zeros(n, n)
    for w, A in zip(weights, _waves(c), strict=True):
        whole += w * (A * A.transpose())
    return whole


@route
def K(c):
    return _summed(c, c.given["p"])


@route
def approximation(c):
    """Each drawn frequency with the quotient of its two probabilities."""
    g = c.given
    drawn = zip(g["times"], g["p"], g["q"], strict=True)
    return _summed(c, [times * p / (q * g["m"]) for times, p, q in drawn])


def _inverse(c, M):
    return balls.inverse(M + c.chosen("alpha") * balls.identity(M.nrows()))


def _scores(c):
    """``|a|^2 + |b|^2`` in the inverse of K + alpha I, for cosines a and sines b."""
    inverse = _inverse(c, K(c))
    return [balls.trace(A.transpose() * inverse * A) for A in _waves(c)]


@route
def scores(c):
    return _scores(c)


@route
def d_eff(c):
    return balls.trace(K(c) * _inverse(c, K(c)))


@route
def largest_ratio(c):
    drawn = zip(_scores(c), c.given["p"], c.given["q"], strict=True)
    return balls.largest([score * p / q for score, p, q in drawn])


@route
def spectral(c):
    """Whether both differences are semidefinite."""
    n, accuracy = c.given["turns"].ncols(), c.chosen("accuracy")
    ridge = c.chosen("alpha") * balls.identity(n)
    exact, other = K(c) + ridge, approximation(c) + ridge
    lower, upper = other - (1 - accuracy) * exact, (1 + accuracy) * exact - other
    return all(value >= 0 for M in (lower, upper) for value in balls.eigenvalues(M))


# --- Ridge regression -----------------------------------------------------------------


def _norm_of_signal(c, power):
    """``f' (M + alpha I)^-power f`` for a matrix M."""
    f = balls.matrix([[x] for x in c.given["signal"]])

    def of(M):
        inverse = _inverse(c, M)
        return balls.trace(f.transpose() * inverse**power * f)

    return of


def _ceiling(c, M):
    smoother = M * _inverse(c, M)
    bias = c.chosen("alpha") * _norm_of_signal(c, 1)(M)
    return (bias + c.chosen("noise") * balls.trace(smoother)) / M.nrows()


@route
def ceiling(c):
    return _ceiling(c, K(c))


@route
def ceiling_drawn(c):
    return _ceiling(c, approximation(c))


@route
def risk_drawn(c):
    M = approximation(c)
    smoother = M * _inverse(c, M)
    bias = c.chosen("alpha") ** 2 * _norm_of_signal(c, 2)(M)
    variance = c.chosen("noise") * balls.squares(smoother)
    return (bias + variance) / M.nrows()


# --- Laws -----------------------------------------------------------------------------


@law
def frequency_counts(case):
    """m independent frequencies with the probabilities q, by their counts."""
    m, q = int(case.given["m"]), case.given["q"]
    for times in counts((1,) * len(q), m, repeated=True):
        ways = factorial(m) // prod(map(factorial, times))
        chance = fmpq(ways) * prod(x**t for x, t in zip(q, times, strict=True))
        yield chance, case.but(times=[fmpq(t) for t in times])


@law
def one_frequency(case):
    """One frequency with the probabilities q, m times."""
    m, q = case.given["m"], case.given["q"]
    for j, chance in enumerate(q):
        yield chance, case.but(times=[m if i == j else fmpq(0) for i in range(len(q))])
