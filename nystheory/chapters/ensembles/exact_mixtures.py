"""Routes for mixtures of experts, their weights, and linear systems with them."""

from functools import reduce

from flint import arb, arb_mat, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import route


def _row(name):
    """Enter a row of numbers that the case brings along, as a list."""

    def given(c):
        return c.chosen(name).entries()

    given.__name__ = name
    return route(given)


weights = _row("weights")


@route
def p(c):
    return fmpq(len(weights(c)))


def _runs(c):
    """The landmarks of each expert: the first runs are longer by one at most."""
    count = len(weights(c))
    size, more = divmod(c.l, count)
    ends = [(r + 1) * size + min(r + 1, more) for r in range(count)]
    return [c.landmarks[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def _experts(c):
    """The approximation of each expert, from its definition."""
    if "experts" not in c.__dict__:
        cases = [c.but(landmarks=run, rank=min(c.k, len(run))) for run in _runs(c)]
        c.__dict__["experts"] = [each.approximation for each in cases]
    return c.__dict__["experts"]


def _mix(values, matrices):
    parts = (balls.multiply(x, A) for x, A in zip(values, matrices, strict=True))
    return reduce(balls.add, parts)


@route
def mixture(c):
    return _mix(weights(c), _experts(c))


# --- Errors of mixtures --------------------------------------------------------------


def _missed(c):
    return [balls.symmetric_part(balls.subtract(c.K, A)) for A in _experts(c)]


@route
def mean_of_errors(c):
    return _mix(weights(c), _missed(c))


@route
def expert_errors_F(c):
    return [balls.frobenius(A) for A in _missed(c)]


def _norms(A):
    """Frobenius, spectral, trace norm, largest entry, largest row sum."""
    sizes = [[abs(A[i, j]) for j in range(A.ncols())] for i in range(A.nrows())]
    entries = [x for row in sizes for x in row]
    rows = [balls.total(row) for row in sizes]
    largest = [balls.largest(values) for values in (entries, rows)]
    return [balls.frobenius(A), balls.norm(A), balls.nuclear(A), *largest]


@route
def mixture_norms(c):
    return _norms(balls.symmetric_part(balls.subtract(c.K, mixture(c))))


@route
def mean_norms(c):
    columns = zip(*map(_norms, _missed(c)), strict=True)
    return [_dot(weights(c), column) for column in columns]


@route
def largest_norms(c):
    columns = zip(*map(_norms, _missed(c)), strict=True)
    return [balls.largest(column) for column in columns]


def _dot(x, y):
    return balls.total(balls.times(a, b) for a, b in zip(x, y, strict=True))


def _counting_ranks(c):
    pairs = zip(weights(c), _experts(c), strict=True)
    return [fmpq(balls.rank(A)) for x, A in pairs if x != 0]


@route
def largest_rank(c):
    return balls.largest(_counting_ranks(c))


@route
def total_rank(c):
    return balls.total(_counting_ranks(c))


@route
def mixture_rank(c):
    return fmpq(balls.rank(mixture(c)))


# --- Exponential weights -------------------------------------------------------------

expert_errors = _row("expert_errors")
nu = _row("nu")


def _unscaled(c):
    """``exp(-eta error_r)``."""
    exponents = [balls.times(-c.chosen("eta"), x) for x in expert_errors(c)]
    return [balls.ball(x).exp() for x in exponents]


@route
def log_partition(c):
    return balls.ball(balls.total(_unscaled(c))).log()


@route
def gibbs(c):
    whole = balls.total(_unscaled(c))
    return [balls.divide(x, whole) for x in _unscaled(c)]


def _entropy(values):
    """With ``0 log 0 = 0``."""
    some = [x for x in values if x != 0]
    return -balls.total(balls.times(x, balls.ball(x).log()) for x in some)


@route
def gibbs_entropy(c):
    return _entropy(gibbs(c))


@route
def nu_entropy(c):
    return _entropy(nu(c))


@route
def relative_entropy(c):
    """From the ratios of both points."""
    pairs = [pair for pair in zip(nu(c), gibbs(c), strict=True) if pair[0] != 0]
    ratios = [(x, balls.ball(balls.divide(x, y))) for x, y in pairs]
    return balls.total(balls.times(x, ratio.log()) for x, ratio in ratios)


# --- Ridge regression on columns V ---------------------------------------------------

V = _row("V")
free = _row("free")


def _columns(c):
    return [j for j, x in enumerate(V(c)) if x > 0]


def _on_V(c, matrix):
    """The entries of a matrix in the columns V, as one list."""
    return balls.part(matrix, range(c.n), _columns(c)).entries()


@route
def s(c):
    return fmpq(len(_columns(c)))


@route
def seen(c):
    return fmpq(len({*c.landmarks, *_columns(c)}))


@route
def square_V(c):
    return _dot(_on_V(c, c.K), _on_V(c, c.K))


def _rows(c):
    return [_on_V(c, A) for A in _experts(c)]


@route
def G(c):
    entries = [[_dot(x, y) for y in _rows(c)] for x in _rows(c)]
    enclosed = any(isinstance(x, arb) for row in entries for x in row)
    return arb_mat(entries) if enclosed else fmpq_mat(entries)


@route
def g(c):
    return [_dot(x, _on_V(c, c.K)) for x in _rows(c)]


def _apply(A, x):
    """The product of a matrix and a vector."""
    rows = ([A[r, j] for j in range(A.ncols())] for r in range(A.nrows()))
    return [_dot(row, x) for row in rows]


def _pseudo_inverse(A):
    if isinstance(A, arb_mat):
        raise Unknown("the pseudo-inverse of a matrix of balls")
    return balls.pseudo_inverse(A)


def _solved(c, ridge):
    """``(G + ridge I)^+ g``."""
    shifted = balls.add(G(c), balls.multiply(ridge, balls.identity(len(g(c)))))
    inverse = balls.inverse if ridge > 0 else _pseudo_inverse
    return _apply(inverse(shifted), g(c))


@route
def best_weights(c):
    return _solved(c, c.chosen("ridge"))


@route
def explained(c):
    return _dot(g(c), best_weights(c))


def _sum(x, y, sign=1):
    return [balls.plus(a, sign * b) for a, b in zip(x, y, strict=True)]


def _misfit(c, values):
    rest = _sum(_on_V(c, _mix(values, _experts(c))), _on_V(c, c.K), -1)
    return _dot(rest, rest)


@route
def misfit(c):
    return _misfit(c, weights(c))


@route
def best_misfit(c):
    return _misfit(c, best_weights(c))


@route
def least_misfit(c):
    """By the normal equations: what is left of ``|K_V|^2``."""
    return balls.plus(square_V(c), -_dot(g(c), _solved(c, fmpq(0))))


@route
def solution_misfit(c):
    """At the shortest solution plus ``(I - G^+ G)`` times the free weights."""
    kept = _apply(_pseudo_inverse(G(c)), _apply(G(c), free(c)))
    return _misfit(c, _sum(_solved(c, fmpq(0)), _sum(free(c), kept, -1)))


def _square(c, values):
    return balls.squares(balls.subtract(c.K, _mix(values, _experts(c))))


@route
def fitted_square(c):
    return _square(c, best_weights(c))


@route
def expert_squares(c):
    return [balls.squares(A) for A in _missed(c)]


@route
def equal_square(c):
    count = len(weights(c))
    return _square(c, [fmpq(1, count)] * count)


@route
def exact_sum(c):
    """From the equations ``(N 1 1' + ridge I) mu = N 1``."""
    count, size = len(weights(c)), square_V(c)
    ones = balls.matrix([[1] * count] * count)
    system = size * ones + c.chosen("ridge") * balls.identity(count)
    return balls.total(_apply(balls.pseudo_inverse(system), [size] * count))


# --- Linear systems ------------------------------------------------------------------


def _factors(c):
    whole, count = c.chosen("factors"), len(weights(c))
    size = whole.ncols() // count
    places = [range(r * size, (r + 1) * size) for r in range(count)]
    return [balls.part(whole, range(c.n), place) for place in places]


def _sums(c):
    """``T_0, ..., T_p``."""
    T = [balls.multiply(c.chosen("alpha"), balls.identity(c.n))]
    for x, F in zip(weights(c), _factors(c), strict=True):
        T.append(T[-1] + balls.multiply(x, F, F.transpose()))
    return T


@route
def mixed(c):
    return _mix(weights(c), [F * F.transpose() for F in _factors(c)])


@route
def lowest(c):
    return [balls.eigenvalues(T)[-1] for T in _sums(c)[1:]]


@route
def solved(c):
    return balls.inverse(_sums(c)[-1])


@route
def recursion_end(c):
    """One column of a factor after another: each is a change of rank one."""
    R = balls.inverse(_sums(c)[0])
    for x, F in zip(weights(c), _factors(c), strict=True):
        for j in range(F.ncols()):
            f = balls.part(F, range(c.n), [j])
            moved = R * f
            scale = balls.divide(x, 1 + x * (f.transpose() * moved)[0, 0])
            R = R - balls.multiply(scale, moved, moved.transpose())
    return R


def _change(before, after):
    return fmpq(balls.rank(balls.inverse(after) - balls.inverse(before)))


@route
def step_rank(c):
    T = _sums(c)
    return balls.largest([_change(*pair) for pair in zip(T, T[1:], strict=False)])


@route
def join_rank(c):
    return _change(_sums(c)[1], _sums(c)[-1])


@route
def stacked(c):
    roots = [balls.square_root(x) for x in weights(c)]
    blocks = [balls.multiply(x, F) for x, F in zip(roots, _factors(c), strict=True)]
    rows = [[x for F in blocks for x in F.tolist()[j]] for j in range(c.n)]
    enclosed = any(isinstance(x, arb) for row in rows for x in row)
    return (
        arb_mat([[balls.ball(x) for x in row] for row in rows])
        if enclosed
        else (fmpq_mat(rows))
    )


@route
def smallest_rank(c):
    return fmpq(min(balls.rank(T) for T in _sums(c)[1:]))
