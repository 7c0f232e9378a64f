"""Routes for what the eigenvalues of K decide."""

from flint import fmpq

from nystheory.exact import arithmetic as exact
from nystheory.exact.routes import chosen, route

chosen("left")
chosen("right")


@route
def sigma_next(c):
    return c.spectrum[c.k] if c.k < c.n else fmpq(0)


@route
def sigma_rest(c):
    return exact.square_root(exact.total(exact.times(x, x) for x in c.spectrum[c.k :]))


@route
def leading_terms(c):
    return exact.function_of(c.K, lambda x: x, c.k)


@route
def best(c):
    return leading_terms(c)


@route
def some_best(c):
    return leading_terms(c)
