"""The root of the pseudo-inverse of the core, from its eigenvalues."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import Routes

_ROUTES = Routes("Embedded")


@_ROUTES.route
def inverse_root(c):
    return function_of(c.W, lambda x: balls.divide(fmpq(1), balls.square_root(x)))
