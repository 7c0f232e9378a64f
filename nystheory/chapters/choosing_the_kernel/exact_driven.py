"""Routes for criterion-driven probabilities: from the definition, in fractions."""

from flint import arb, fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import Routes

_ROUTES = Routes("Driven")


@_ROUTES.route
def label_weights(c):
    """Of two different labels one over how many are like it."""
    y = c.chosen("y").entries()
    if len(set(y)) == 2:
        return [fmpq(1, sum(other == label for other in y)) for label in y]
    return [abs(label) for label in y]


@_ROUTES.route
def sampled_weights(c):
    z = label_weights(c)
    return [z[j] for j in c.landmarks]


@_ROUTES.route
def off_I(c):
    return [fmpq(i not in c.landmarks) for i in range(c.n)]


@_ROUTES.route
def column_error(c):
    """Columns of the error of the matrix."""
    return balls.part(
        balls.subtract(c.K, c.approximation), range(c.n), list(c.landmarks)
    )


@_ROUTES.route
def driven_error(c):
    z, z_I, F = label_weights(c), sampled_weights(c), column_error(c)
    left, right = balls.diagonal(z), balls.diagonal(z_I)
    return balls.multiply(left, F, right)


@_ROUTES.route
def driven_squares(c):
    E, off = driven_error(c), off_I(c)
    gram = balls.multiply(E, E.transpose())
    return [balls.times(off[i], gram[i, i]) for i in range(c.n)]


def _nothing(squares):
    """Whether all are zero; an error where that is not clear."""
    if any(isinstance(x, arb) and x > 0 for x in squares):
        return False
    if any(isinstance(x, arb) and x.rad() > 0 for x in squares):
        raise Unknown("a row that may be zero")
    return all(x == 0 for x in squares)


@_ROUTES.route
def driven_seen(c):
    return not _nothing(driven_squares(c))


@_ROUTES.route
def driven_unseen(c):
    return _nothing(driven_squares(c))


@_ROUTES.route
def others_alike(c):
    off = off_I(c)
    return [x / max(sum(off), fmpq(1)) for x in off]


@_ROUTES.route
def driven_shares(c):
    """In proportion to the squares, uniform where all are zero."""
    squares = driven_squares(c)
    whole = balls.total(squares)
    if _nothing(squares):
        return others_alike(c)
    return [balls.divide(x, whole) for x in squares]
