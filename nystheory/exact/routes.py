"""What each named quantity is, from its definition, in fractions and balls."""

from flint import fmpq

from nystheory.exact import arithmetic as exact

ROUTES = {}


def route(compute):
    """Enter a route into the table, under its name."""
    if compute.__name__ in ROUTES:
        raise ValueError(f"route {compute.__name__!r} is defined twice")
    ROUTES[compute.__name__] = compute
    return compute


# --- Sizes, and what is chosen -------------------------------------------------------


@route
def n(c):
    return fmpq(c.n)


@route
def l(c):  # noqa: E743
    return fmpq(c.l)


@route
def k(c):
    return fmpq(c.k)


def chosen(name):
    """Enter a quantity that the case brings along."""
    ROUTES[name] = lambda c: c.chosen(name)


chosen("delta")
chosen("alpha")
chosen("accuracy")
chosen("noise")


# --- The matrix and its spectrum -----------------------------------------------------


@route
def K(c):
    return c.K


@route
def X(c):
    return c.points


@route
def rank_K(c):
    return fmpq(exact.rank(c.K))


@route
def norm_K(c):
    return exact.norm(c.K)


@route
def norm_K_F(c):
    return exact.frobenius(c.K)


@route
def trace_K(c):
    return exact.trace(c.K)


@route
def K_max(c):
    return exact.largest([c.K[i, i] for i in range(c.K.nrows())])


@route
def tail_2(c):
    return c.spectrum[c.k] if c.k < c.n else fmpq(0)


@route
def tail_F(c):
    return exact.square_root(exact.total(exact.times(x, x) for x in c.spectrum[c.k :]))


@route
def tail_trace(c):
    return exact.total(c.spectrum[c.k :])


@route
def head_F(c):
    return exact.square_root(exact.total(exact.times(x, x) for x in c.spectrum[: c.k]))


@route
def d_eff(c):
    shifted = exact.add(c.K, exact.multiply(c.chosen("alpha"), exact.identity(c.n)))
    return exact.trace(exact.multiply(c.K, exact.inverse(shifted)))


# --- The sample and the approximation ------------------------------------------------


@route
def rank_W(c):
    return fmpq(exact.rank(c.W))


@route
def different(c):
    return fmpq(len(set(c.landmarks)))


@route
def C(c):
    return c.C


@route
def W(c):
    return c.W


@route
def approximation(c):
    return c.approximation


@route
def error_2(c):
    return exact.norm(c.error)


@route
def error_F(c):
    return exact.frobenius(c.error)


@route
def error_trace(c):
    return exact.trace(c.error)


@route
def error_max(c):
    return exact.largest([abs(x) for x in c.error.entries()])


# --- Distances of covariances --------------------------------------------------------


@route
def distance_2(c):
    return exact.norm(c.distance)


@route
def distance_F(c):
    return exact.frobenius(c.distance)


@route
def distance_trace(c):
    return exact.nuclear(c.distance)
