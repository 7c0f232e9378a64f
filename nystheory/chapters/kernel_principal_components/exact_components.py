"""Routes for kernel principal components: residuals and leading subspaces."""

from collections import Counter

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.certificates import full_approximation
from nystheory.exact.matrix_functions import is_below
from nystheory.exact.projections import leading
from nystheory.exact.routes import route
from nystheory.exact.two_kernels import other

# --- What the leading directions leave -----------------------------------------------


def _left_out(A, k):
    """What k leading directions leave of the trace, for each point.

    Of a tie at the cut every choice leaves as much.
    """
    head = balls.total(balls.eigenvalues(A)[:k])
    return balls.divide(balls.plus(balls.trace(A), -head), fmpq(A.nrows()))


@route
def residual(c):
    return _left_out(c.K, c.k)


@route
def projected_residual(c):
    """Less what they hold, which is what they hold of the projected points."""
    near = full_approximation(c)
    head = balls.total(balls.eigenvalues(near)[: c.k])
    return balls.divide(balls.plus(balls.trace(c.K), -head), fmpq(c.n))


@route
def other_residual(c):
    return _left_out(other(c), c.k)


@route
def other_tail(c):
    return balls.total(balls.eigenvalues(other(c))[c.k :])


def _other_core(c):
    return balls.part(other(c), c.landmarks, c.landmarks)


@route
def sample_change_2(c):
    return balls.norm(balls.subtract(_other_core(c), c.W))


@route
def change_F(c):
    return balls.frobenius(balls.subtract(other(c), c.K))


@route
def sample_residual(c):
    return _left_out(c.W, c.k)


@route
def other_sample_residual(c):
    return _left_out(_other_core(c), c.k)


# --- Leading subspaces ---------------------------------------------------------------


@route
def projected(c):
    """Rounded points are neither projected nor surely not."""
    X, Y = c.points, _other_points(c)
    if balls.size(X) != balls.size(Y):
        return False
    gap = balls.subtract(Y, balls.multiply(_directions(_part(X, c), c.k), X))
    if isinstance(gap, fmpq_mat) and gap == gap * 0:
        return True
    if balls.ball(balls.frobenius(gap)) > balls.frobenius(X) * fmpq(1, 10**6):
        return False
    raise Unknown("too near to a projection to tell")


def _part(X, c):
    return balls.part(X, range(X.nrows()), c.landmarks)


def _covariance(X):
    return X * X.transpose()


def _directions(X, k):
    """The projector on k leading left singular vectors; on fewer if there are fewer."""
    return leading(_covariance(X), k)


def _other_points(c):
    return c.chosen("other_points")


@route
def components(c):
    return _directions(c.points, c.k)


@route
def other_components(c):
    return _directions(_other_points(c), c.k)


@route
def covariance_change_F(c):
    return balls.frobenius(_covariance(_other_points(c)) - _covariance(c.points))


def _half_gap(values, k):
    ends = [*values, fmpq(0), fmpq(0)][k - 1 : k + 1]
    return balls.divide(balls.plus(ends[0], -ends[1]), fmpq(2))


@route
def half_gap(c):
    return _half_gap(c.spectrum, c.k)


@route
def square_roots(c):
    both = c.points, _other_points(c)
    if any(balls.size(A) != (c.n, c.n) for A in both):
        return False
    return all(A == A.transpose() and is_below(A * 0, A) for A in both)


# --- Of a sample ---------------------------------------------------------------------


def _mean_square(X, landmarks):
    """``X_S X_S'``, from how often each point is drawn."""
    times = Counter(landmarks)
    weights = balls.diagonal([fmpq(times[i]) for i in range(X.ncols())])
    return X * weights * X.transpose()


def _sampled(c):
    return _mean_square(c.points, c.landmarks)


def _other_sampled(c):
    return _mean_square(_other_points(c), c.landmarks)


@route
def sample_components(c):
    return leading(_sampled(c), c.k)


@route
def other_sample_components(c):
    return leading(_other_sampled(c), c.k)


@route
def sample_covariance_change(c):
    return balls.frobenius(_other_sampled(c) - _sampled(c))


@route
def sample_change_F(c):
    """Every pair of points as often as it is drawn."""
    times, change = Counter(c.landmarks), other(c) - c.K
    pairs = ((i, j) for i in times for j in times)
    squares = (times[i] * times[j] * change[i, j] ** 2 for i, j in pairs)
    return balls.square_root(balls.total(squares))


@route
def sample_half_gap(c):
    """The covariance of the sample has the eigenvalues of its kernel matrix."""
    return _half_gap(balls.eigenvalues(_sampled(c)), c.k)
