"""What each named quantity is, from its definition, in fractions and balls."""

from flint import fmpq

from nystheory.exact import balls

ROUTES = {}


class Routes:
    """Enters the routes of one world; of the columns of a matrix without a name.

    Two worlds may use one name; a case looks in its own worlds first.
    """

    def __init__(self, world=""):
        self.world = world

    def enter(self, name, compute):
        """Enter a route into the table."""
        key = f"{self.world}.{name}" if self.world else name
        # In a notebook a cell may be run again.
        again = getattr(ROUTES.get(key), "__module__", "") == "__main__"
        if key in ROUTES and not again:
            raise ValueError(f"route {key!r} is defined twice")
        ROUTES[key] = compute
        return compute

    def route(self, compute):
        """Enter a route under its own name."""
        return self.enter(compute.__name__, compute)

    def read(self, name, attribute, of=lambda x: x):
        """Enter an attribute of the case, or a function of it."""
        self.enter(name, lambda c: of(getattr(c, attribute)))


_OF_COLUMNS = Routes()
enter, route, read = _OF_COLUMNS.enter, _OF_COLUMNS.route, _OF_COLUMNS.read


def route_of(case, name):
    """The route of a name on a case: of its worlds, or what it brings along.

    Raises
    ------
    KeyError
        If there is none.
    """
    for scope in case.scopes:
        if f"{scope}.{name}" in ROUTES:
            return ROUTES[f"{scope}.{name}"]
    if name in ROUTES and case.of_columns:
        return ROUTES[name]
    if name in case.given:
        return lambda c: c.chosen(name)
    if name in getattr(case, "sizes", ()):
        return lambda c: fmpq(c.sizes[name])
    raise KeyError(f"{name}: no route without rounding")


def _rank(A):
    return fmpq(balls.rank(A))


def _length(values):
    """The root of the sum of squares."""
    return balls.square_root(balls.total(balls.times(x, x) for x in values))


# --- Sizes, and what is chosen -------------------------------------------------------


read("n", "n", fmpq)
read("l", "l", fmpq)
read("k", "k", fmpq)


# --- The matrix and its spectrum -----------------------------------------------------


read("K", "K")
read("X", "points")
read("rank_K", "K", _rank)
read("norm_K", "K", balls.norm)
read("norm_K_F", "K", balls.frobenius)
read("trace_K", "K", balls.trace)


@route
def K_max(c):
    return balls.largest([c.K[i, i] for i in range(c.K.nrows())])


@route
def tail_2(c):
    return c.spectrum[c.k] if c.k < c.n else fmpq(0)


@route
def tail_F(c):
    return _length(c.spectrum[c.k :])


@route
def tail_trace(c):
    return balls.total(c.spectrum[c.k :])


@route
def head_F(c):
    return _length(c.spectrum[: c.k])


@route
def d_eff(c):
    shifted = balls.add(c.K, balls.multiply(c.chosen("alpha"), balls.identity(c.n)))
    return balls.trace(balls.multiply(c.K, balls.inverse(shifted)))


@route
def column_chances(c):
    return c.chosen("probabilities").entries()


# --- The sample and the approximation ------------------------------------------------


read("C", "C")
read("W", "W")
read("rank_W", "W", _rank)
read("approximation", "approximation")
read("error_2", "error", balls.norm)
read("error_F", "error", balls.frobenius)
read("error_trace", "error", balls.trace)


@route
def different(c):
    return fmpq(len(set(c.landmarks)))


@route
def error_max(c):
    return balls.largest([abs(x) for x in c.error.entries()])


# --- Distances of covariances --------------------------------------------------------

read("distance_2", "distance", balls.norm)
read("distance_F", "distance", balls.frobenius)
read("distance_trace", "distance", balls.nuclear)
