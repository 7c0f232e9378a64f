"""Routes for projections on columns and for the risk of ridge regression."""

from nystheory.exact import arithmetic as exact
from nystheory.exact.routes import chosen, route

chosen("core")


@route
def range_projector(c):
    C = c.C
    return C * exact.pseudo_inverse(C.transpose() * C) * C.transpose()
