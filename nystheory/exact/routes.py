"""What each named quantity is, from its definition, in fractions and balls."""

from flint import fmpq

from nystheory.exact import arithmetic as exact

ROUTES = {}


def enter(name, compute):
    """Enter a route into the table."""
    if name in ROUTES:
        raise ValueError(f"route {name!r} is defined twice")
    ROUTES[name] = compute
    return compute


def route(compute):
    """Enter a route under its own name."""
    return enter(compute.__name__, compute)


def chosen(name):
    """Enter a quantity that the case brings along."""
    enter(name, lambda c: c.chosen(name))


def read(name, attribute, of=lambda x: x):
    """Enter an attribute of the case, or a function of it."""
    enter(name, lambda c: of(getattr(c, attribute)))


def _rank(A):
    return fmpq(exact.rank(A))


def _length(values):
    """The root of the sum of squares."""
    return exact.square_root(exact.total(exact.times(x, x) for x in values))


# --- Sizes, and what is chosen -------------------------------------------------------


read("n", "n", fmpq)
read("l", "l", fmpq)
read("k", "k", fmpq)
chosen("delta")
chosen("alpha")
chosen("accuracy")
chosen("noise")
chosen("y")


# --- The matrix and its spectrum -----------------------------------------------------


read("K", "K")
read("X", "points")
read("rank_K", "K", _rank)
read("norm_K", "K", exact.norm)
read("norm_K_F", "K", exact.frobenius)
read("trace_K", "K", exact.trace)


@route
def K_max(c):
    return exact.largest([c.K[i, i] for i in range(c.K.nrows())])


@route
def tail_2(c):
    return c.spectrum[c.k] if c.k < c.n else fmpq(0)


@route
def tail_F(c):
    return _length(c.spectrum[c.k :])


@route
def tail_trace(c):
    return exact.total(c.spectrum[c.k :])


@route
def head_F(c):
    return _length(c.spectrum[: c.k])


@route
def d_eff(c):
    shifted = exact.add(c.K, exact.multiply(c.chosen("alpha"), exact.identity(c.n)))
    return exact.trace(exact.multiply(c.K, exact.inverse(shifted)))


# --- The sample and the approximation ------------------------------------------------


read("C", "C")
read("W", "W")
read("rank_W", "W", _rank)
read("approximation", "approximation")
read("error_2", "error", exact.norm)
read("error_F", "error", exact.frobenius)
read("error_trace", "error", exact.trace)


@route
def different(c):
    return fmpq(len(set(c.landmarks)))


@route
def error_max(c):
    return exact.largest([abs(x) for x in c.error.entries()])


# --- Distances of covariances --------------------------------------------------------

read("distance_2", "distance", exact.norm)
read("distance_F", "distance", exact.frobenius)
read("distance_trace", "distance", exact.nuclear)
