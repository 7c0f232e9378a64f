"""The route for a second kernel matrix of the same points."""

from nystheory.exact import balls
from nystheory.exact.certificates import full_approximation
from nystheory.exact.routes import route


@route
def other(c):
    """As it is given, or of the points that are given, or from the landmarks."""
    if "other" in c.given:
        return c.given["other"]
    if "other_points" in c.given:
        Y = c.given["other_points"]
        return Y.transpose() * Y
    return full_approximation(c)


@route
def change_2(c):
    return balls.norm(balls.subtract(other(c), c.K))
