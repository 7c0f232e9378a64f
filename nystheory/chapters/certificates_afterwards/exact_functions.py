"""Routes for functions of a matrix and of an approximation below it."""

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.between import between
from nystheory.exact.certificates import cut_approximation
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import ROUTES, route


@route
def B(c):
    given = {"between", "weights"} & set(c.given)
    return between(c) if given else cut_approximation(c)


@route
def missed_trace(c):
    return balls.nuclear(balls.symmetric_part(balls.subtract(c.K, B(c))))


@route
def lambda_k(c):
    return c.spectrum[c.k - 1]


def _logarithm(c, t):
    return (1 + balls.ball(balls.divide(t, c.chosen("alpha")))).log()


def _root(c, t):
    return balls.square_root(t)


def _shrunk(c, t):
    return balls.divide(t, balls.plus(t, c.chosen("alpha")))


def _least(c, t):
    return balls.smallest([t, c.chosen("alpha")])


def _f(c, t):
    b, *weights = c.chosen("slopes").entries()
    places = c.chosen("places").entries()
    parts = [
        balls.times(w, balls.divide(t, balls.plus(t, s)))
        for w, s in zip(weights, places, strict=True)
    ]
    return balls.total([c.chosen("offset"), balls.times(b, t), *parts])


def _enter(name, f, image):
    """The function at K and at B, and over the eigenvalues that rank k leaves out."""
    ROUTES[f"{name}_K"] = lambda c: image(c, c.K)
    ROUTES[f"{name}_B"] = lambda c: image(c, B(c))
    ROUTES[f"tail_{name}"] = lambda c: balls.total(f(c, t) for t in c.spectrum[c.k :])


def _of_eigenvalues(f):
    """For a function that is 0 at 0."""

    def image(c, A):
        if not hasattr(A, "rank"):
            raise Unknown("a function of a matrix of balls")
        return function_of(A, lambda t: f(c, t))

    return image


def _shrunk_matrix(c, A):
    alpha = balls.multiply(c.chosen("alpha"), balls.identity(c.n))
    return balls.multiply(A, balls.inverse(balls.add(A, alpha)))


def _f_of_matrix(c, A):
    """By inverses, without eigenvalues."""
    ones = balls.identity(c.n)
    b, *weights = c.chosen("slopes").entries()
    found = balls.add(balls.multiply(c.chosen("offset"), ones), balls.multiply(b, A))
    for w, s in zip(weights, c.chosen("places").entries(), strict=True):
        if w != 0:
            term = balls.multiply(A, balls.inverse(balls.add(A, s * ones)), w)
            found = balls.add(found, term)
    return found


_enter("log", _logarithm, _of_eigenvalues(_logarithm))
_enter("root", _root, _of_eigenvalues(_root))
_enter("shrunk", _shrunk, _shrunk_matrix)
_enter("least", _least, _of_eigenvalues(_least))
_enter("f", _f, _f_of_matrix)


@route
def slope_f(c):
    return balls.divide(_f(c, lambda_k(c)), lambda_k(c))
