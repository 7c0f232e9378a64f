"""Routes for what the eigenvalues of K decide."""

from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import enter, route, tail_2, tail_F


@route
def sigma_last(c):
    return c.spectrum[c.k - 1]


enter("sigma_next", tail_2)
enter("sigma_rest", tail_F)


@route
def leading_terms(c):
    return function_of(c.K, lambda x: x, c.k)


enter("best", leading_terms)
enter("some_best", leading_terms)
