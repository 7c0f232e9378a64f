"""Routes for solving with an approximation, and for what it predicts."""

from nystheory.exact import balls
from nystheory.exact.between import between
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


@route
def by_landmarks(c):
    return not {"between", "weights", "omega"} & set(c.given)


@route
def spanned(c):
    w, inside = c.chosen("at_new"), set(c.landmarks)
    others = [i for i in range(c.n) if i not in inside]
    return c.chosen("beyond") == 0 and all(w[i, 0] == 0 for i in others)


@route
def condition_whole(c):
    """From ``(K + ridge I)^1/2 P^-1 (K + ridge I)^1/2``, of the same eigenvalues."""
    ridge = balls.multiply(c.chosen("alpha"), balls.identity(c.n))
    root = function_of(c.K + ridge, balls.square_root)
    inverse = balls.inverse(balls.add(between(c), ridge))
    inner = balls.multiply(root, inverse, root)
    values = balls.eigenvalues(balls.symmetric_part(inner))
    return balls.divide(values[0], values[-1])
