"""Routes for landmarks of large volume and for matrices that are perturbed."""

from nystheory.exact import balls
from nystheory.exact.certificates import E
from nystheory.exact.routes import route


@route
def seen_part(c):
    """``Q_S Q_S'`` is the block of the projector on the range of C: no basis needed."""
    C = c.C
    projector = C * balls.pseudo_inverse(C.transpose() * C) * C.transpose()
    block = balls.part(projector, c.landmarks, c.landmarks)
    return balls.square_root(balls.positive(balls.eigenvalues(block)[-1]))


@route
def are_sums(c):
    weights = c.C * balls.inverse(c.W)
    others = [i for i in range(c.n) if i not in c.landmarks]
    return all(weights[i, j] == 1 for i in others for j in range(c.l))


@route
def perturbation(c):
    """As it is given, or the Gram matrix of points that move, less K."""
    if "perturbation" in c.given:
        return c.given["perturbation"]
    moved, X = c.chosen("moved"), c.points
    rows, after = X.nrows(), balls.part(moved, range(moved.nrows()), range(c.n))
    for i in range(rows):
        for j in range(c.n):
            after[i, j] += X[i, j]
    return after.transpose() * after - c.K


@route
def moved_error(c):
    return E(c.but(K=c.K + perturbation(c)))
