"""The route for the best approximation of a rank."""

from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import Routes

_ROUTES = Routes("BestRank")


@_ROUTES.route
def best_approximation(c):
    """On the leading eigenvectors; at a tie it is a choice."""
    return function_of(c.K, lambda x: x, c.k)
