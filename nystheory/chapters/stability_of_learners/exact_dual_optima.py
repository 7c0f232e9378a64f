"""Optima of small dual problems in fractions, and how far learners move with K'.

A support vector machine or regression without offset minimises
``b'Kb / 2 + sum f_i(b_i)`` with a convex, piecewise linear f_i, told as its kinks and
the slopes between them.  Active sets are tried one after the other; what solves the
linear system of the free points is kept where the conditions of Karush, Kuhn and
Tucker hold.
"""

from itertools import product

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.certificates import full_approximation
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.predictions import point_bound
from nystheory.exact.routes import route
from nystheory.exact.two_kernels import other


def optima(K, kinks, slopes):
    """Every extreme optimum, as a column of fractions; some come more than once.

    All optima are means of these: where the block of the free points is singular, an
    optimum can be moved until one of them meets a kink.

    >>> K = balls.matrix([[1, 1], [1, 1]])
    >>> found = optima(K, [[fmpq(0), fmpq(1)]] * 2, [[fmpq(-1)]] * 2)
    >>> sorted({tuple(map(str, b.entries())) for b in found})
    [('0', '1'), ('1', '0')]
    """
    if not isinstance(K, fmpq_mat):
        raise Unknown("the optima of a matrix of balls")
    states = [[*_states(*each)] for each in zip(kinks, slopes, strict=True)]
    for some in product(*states):
        b = _filled(K, [i for i, (at, *_) in enumerate(some) if at is None], some)
        if b is not None and _is_optimal(K, b, some):
            yield b


def _states(kinks, slopes):
    """At a kink with the slopes beside it, or between two kinks with its slope."""
    beside = [None, *slopes, None]
    for j, kink in enumerate(kinks):
        yield kink, None, beside[j], beside[j + 1]
    for j, slope in enumerate(slopes):
        yield None, slope, kinks[j], kinks[j + 1]


def _filled(K, free, some):
    """The free ones solved for; None where their block is singular."""
    n = len(some)
    b = fmpq_mat(n, 1, [fmpq(0) if at is None else at for at, *_ in some])
    if not free:
        return b
    block = balls.part(K, free, free)
    if block.det() == 0:
        return None
    pull = balls.part(K, free, range(n)) * b
    right = [[-some[i][1] - pull[j, 0]] for j, i in enumerate(free)]
    solved = block.solve(fmpq_mat(right))
    for j, i in enumerate(free):
        b[i, 0] = solved[j, 0]
    return b


def _is_optimal(K, b, some):
    """Free ones between their kinks; minus ``K b`` between the slopes at the others."""
    pull = K * b
    for i, (at, _, low, high) in enumerate(some):
        value = b[i, 0] if at is None else -pull[i, 0]
        if (low is not None and value < low) or (high is not None and value > high):
            return False
    return True


# --- Learners -------------------------------------------------------------------------


def machine(c, K):
    """Optima of the support vector machine, ``b_i = y_i alpha_i``."""
    y, bound = c.chosen("y").entries(), c.chosen("C_0") / c.n
    kinks = [sorted([fmpq(0), bound * each]) for each in y]
    return optima(K, kinks, [[-1 / each if each != 0 else fmpq(0)] for each in y])


def regression(c, K):
    """Optima of support vector regression."""
    y, bound, tube = c.chosen("y").entries(), c.chosen("C_0") / c.n, c.chosen("tube")
    kinks = [[-bound, fmpq(0), bound]] * c.n
    return optima(K, kinks, [[-each - tube, tube - each] for each in y])


def _change(c, learner):
    """``sqrt(kappa d'Kd)``, the largest over all optima with K'."""
    here = next(learner(c, c.K))
    moved = [there - here for there in learner(c, other(c))]
    square = max((d.transpose() * c.K * d)[0, 0] for d in moved)
    return balls.square_root(balls.times(point_bound(c), square))


@route
def machine_change(c):
    return _change(c, machine)


@route
def regression_change(c):
    return _change(c, regression)


# --- The optima themselves, for proofs ------------------------------------------------


def _first(found):
    """Of the extreme optima the first by its entries."""
    return min(found, key=lambda b: b.entries())


@route
def machine_optimum(c):
    return _first(machine(c, c.K))


@route
def other_machine_optimum(c):
    return _first(machine(c, other(c)))


@route
def regression_optimum(c):
    return _first(regression(c, c.K))


@route
def other_regression_optimum(c):
    return _first(regression(c, other(c)))


# --- At a point x ---------------------------------------------------------------------


@route
def K_xx(c):
    return balls.squares(c.chosen("x"))


def k_x(c):
    """The K(x_i, x), as a column."""
    return c.points.transpose() * c.chosen("x")


def _loss(c, b):
    """The hinge loss at x."""
    return max(fmpq(0), 1 - c.chosen("label") * (k_x(c).transpose() * b)[0, 0])


@route
def hinge_change(c):
    """Of all optima with K' the one that moves the loss most."""
    here = _loss(c, next(machine(c, c.K)))
    return max(abs(_loss(c, b) - here) for b in machine(c, other(c)))


def _bordered(A, k, corner):
    return balls.block(A, k, k.transpose(), fmpq_mat([[corner]]))


@route
def bordered(c):
    return _bordered(other(c), k_x(c), K_xx(c))


@route
def lowest_bordered(c):
    return balls.eigenvalues(bordered(c))[-1]


@route
def outside(c):
    """What of it is not in the range of K'."""
    A, k = other(c), k_x(c)
    return balls.square_root(balls.squares(k - A * balls.pseudo_inverse(A) * k))


@route
def lowest_of_all(c):
    """At nine tenths of each point, with the Nyström approximation."""
    share, near = fmpq(9, 10), full_approximation(c)
    columns = [balls.part(c.K, range(c.n), [j]) * share for j in range(c.n)]
    ends = [
        balls.eigenvalues(_bordered(near, k, c.K[j, j] * share**2))[-1]
        for j, k in enumerate(columns)
    ]
    return balls.smallest(ends)


@route
def three_points(c):
    """Whether they are at 2, -1 and -1, and K' keeps the first alone, six times."""
    if c.n != 3 or c.chosen("tube") != 0:
        return False
    beta, v = c.K[1, 1], balls.matrix([[2], [-1], [-1]])
    first = balls.matrix([[1], [0], [0]])
    return (
        c.K == beta * (v * v.transpose())
        and other(c) == 6 * beta * (first * first.transpose())
        and c.chosen("y") == 2 * beta * c.chosen("C_0") * first
    )


# --- Square roots ---------------------------------------------------------------------


def _root(A):
    return function_of(A, balls.square_root)


@route
def root_change(c):
    return balls.subtract(_root(other(c)), _root(c.K))


def _with(X, x):
    """The Gram matrix of points and one more."""
    k = X.transpose() * x
    return balls.block(X.transpose() * X, k, k.transpose(), x.transpose() * x)


def _roots_with_x(c):
    first = _root(_with(c.points, c.chosen("x")))
    return first, _root(_with(c.chosen("other_points"), c.chosen("other_x")))


@route
def root_with_x(c):
    return _roots_with_x(c)[0]


@route
def other_root_with_x(c):
    return _roots_with_x(c)[1]


@route
def root_change_with_x(c):
    first, second = _roots_with_x(c)
    return balls.subtract(second, first)


@route
def weight_change_squared(c):
    """``|w' - w|^2`` for ``w = K_{n+1}^{1/2} (b, 0)``."""
    roots = _roots_with_x(c)
    some = next(machine(c, c.K)), next(machine(c, other(c)))
    ends = [fmpq_mat(c.n + 1, 1, [*b.entries(), fmpq(0)]) for b in some]
    first, second = (balls.multiply(A, b) for A, b in zip(roots, ends, strict=True))
    return balls.squares(balls.subtract(second, first))
