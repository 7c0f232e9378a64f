"""Routes for mixtures of experts, their weights, and linear systems with them."""

from functools import reduce

from flint import arb, arb_mat, fmpq, fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
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
    parts = (exact.multiply(x, A) for x, A in zip(values, matrices, strict=True))
    return reduce(exact.add, parts)


@route
def mixture(c):
    return _mix(weights(c), _experts(c))


# --- Errors of mixtures --------------------------------------------------------------


def _missed(c):
    return [exact.symmetric_part(exact.subtract(c.K, A)) for A in _experts(c)]


@route
def mean_of_errors(c):
    return _mix(weights(c), _missed(c))


@route
def expert_errors_F(c):
    return [exact.frobenius(A) for A in _missed(c)]


def _norms(A):
    """Frobenius, spectral, trace norm, largest entry, largest row sum."""
    sizes = [[abs(A[i, j]) for j in range(A.ncols())] for i in range(A.nrows())]
    entries = [x for row in sizes for x in row]
    rows = [exact.total(row) for row in sizes]
    largest = [exact.largest(values) for values in (entries, rows)]
    return [exact.frobenius(A), exact.norm(A), exact.nuclear(A), *largest]


@route
def mixture_norms(c):
    return _norms(exact.symmetric_part(exact.subtract(c.K, mixture(c))))


@route
def mean_norms(c):
    columns = zip(*map(_norms, _missed(c)), strict=True)
    return [_dot(weights(c), column) for column in columns]


@route
def largest_norms(c):
    columns = zip(*map(_norms, _missed(c)), strict=True)
    return [exact.largest(column) for column in columns]


def _dot(x, y):
    return exact.total(exact.times(a, b) for a, b in zip(x, y, strict=True))


def _counting_ranks(c):
    pairs = zip(weights(c), _experts(c), strict=True)
    return [fmpq(exact.rank(A)) for x, A in pairs if x != 0]


@route
def largest_rank(c):
    return exact.largest(_counting_ranks(c))


@route
def total_rank(c):
    return exact.total(_counting_ranks(c))


@route
def mixture_rank(c):
    return fmpq(exact.rank(mixture(c)))


# --- Exponential weights -------------------------------------------------------------

expert_errors = _row("expert_errors")
nu = _row("nu")


def _unscaled(c):
    """``exp(-eta error_r)``."""
    exponents = [exact.times(-c.chosen("eta"), x) for x in expert_errors(c)]
    return [exact.ball(x).exp() for x in exponents]


@route
def log_partition(c):
    return exact.ball(exact.total(_unscaled(c))).log()


@route
def gibbs(c):
    whole = exact.total(_unscaled(c))
    return [exact.divide(x, whole) for x in _unscaled(c)]


def _entropy(values):
    """With ``0 log 0 = 0``."""
    some = [x for x in values if x != 0]
    return -exact.total(exact.times(x, exact.ball(x).log()) for x in some)


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
    ratios = [(x, exact.ball(exact.divide(x, y))) for x, y in pairs]
    return exact.total(exact.times(x, ratio.log()) for x, ratio in ratios)


# --- Ridge regression on columns V ---------------------------------------------------

V = _row("V")
free = _row("free")


def _columns(c):
    return [j for j, x in enumerate(V(c)) if x > 0]


def _on_V(c, matrix):
    """The entries of a matrix in the columns V, as one list."""
    return exact.part(matrix, range(c.n), _columns(c)).entries()


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
    balls = any(isinstance(x, arb) for row in entries for x in row)
    return arb_mat(entries) if balls else fmpq_mat(entries)


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
    return exact.pseudo_inverse(A)


def _solved(c, ridge):
    """``(G + ridge I)^+ g``."""
    shifted = exact.add(G(c), exact.multiply(ridge, exact.identity(len(g(c)))))
    inverse = exact.inverse if ridge > 0 else _pseudo_inverse
    return _apply(inverse(shifted), g(c))


@route
def best_weights(c):
    return _solved(c, c.chosen("ridge"))


@route
def explained(c):
    return _dot(g(c), best_weights(c))


def _sum(x, y, sign=1):
    return [exact.plus(a, sign * b) for a, b in zip(x, y, strict=True)]


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
    return exact.plus(square_V(c), -_dot(g(c), _solved(c, fmpq(0))))


@route
def solution_misfit(c):
    """At the shortest solution plus ``(I - G^+ G)`` times the free weights."""
    kept = _apply(_pseudo_inverse(G(c)), _apply(G(c), free(c)))
    return _misfit(c, _sum(_solved(c, fmpq(0)), _sum(free(c), kept, -1)))


def _square(c, values):
    return exact.squares(exact.subtract(c.K, _mix(values, _experts(c))))


@route
def fitted_square(c):
    return _square(c, best_weights(c))


@route
def expert_squares(c):
    return [exact.squares(A) for A in _missed(c)]


@route
def equal_square(c):
    count = len(weights(c))
    return _square(c, [fmpq(1, count)] * count)


@route
def exact_sum(c):
    """From the equations ``(N 1 1' + ridge I) mu = N 1``."""
    count, size = len(weights(c)), square_V(c)
    ones = exact.matrix([[1] * count] * count)
    system = size * ones + c.chosen("ridge") * exact.identity(count)
    return exact.total(_apply(exact.pseudo_inverse(system), [size] * count))


# --- Linear systems ------------------------------------------------------------------


def _factors(c):
    whole, count = c.chosen("factors"), len(weights(c))
    size = whole.ncols() // count
    places = [range(r * size, (r + 1) * size) for r in range(count)]
    return [exact.part(whole, range(c.n), place) for place in places]


def _sums(c):
    """``T_0, ..., T_p``."""
    T = [exact.multiply(c.chosen("alpha"), exact.identity(c.n))]
    for x, F in zip(weights(c), _factors(c), strict=True):
        T.append(T[-1] + exact.multiply(x, F, F.transpose()))
    return T


@route
def mixed(c):
    return _mix(weights(c), [F * F.transpose() for F in _factors(c)])


@route
def lowest(c):
    return [exact.eigenvalues(T)[-1] for T in _sums(c)[1:]]


@route
def solved(c):
    return exact.inverse(_sums(c)[-1])


@route
def recursion_end(c):
    """One column of a factor after another: each is a change of rank one."""
    R = exact.inverse(_sums(c)[0])
    for x, F in zip(weights(c), _factors(c), strict=True):
        for j in range(F.ncols()):
            f = exact.part(F, range(c.n), [j])
            moved = R * f
            scale = exact.divide(x, 1 + x * (f.transpose() * moved)[0, 0])
            R = R - exact.multiply(scale, moved, moved.transpose())
    return R


def _change(before, after):
    return fmpq(exact.rank(exact.inverse(after) - exact.inverse(before)))


@route
def step_rank(c):
    T = _sums(c)
    return exact.largest([_change(*pair) for pair in zip(T, T[1:], strict=False)])


@route
def join_rank(c):
    return _change(_sums(c)[1], _sums(c)[-1])


@route
def stacked(c):
    roots = [exact.square_root(x) for x in weights(c)]
    blocks = [exact.multiply(x, F) for x, F in zip(roots, _factors(c), strict=True)]
    rows = [[x for F in blocks for x in F.tolist()[j]] for j in range(c.n)]
    balls = any(isinstance(x, arb) for row in rows for x in row)
    return (
        arb_mat([[exact.ball(x) for x in row] for row in rows])
        if balls
        else (fmpq_mat(rows))
    )


@route
def smallest_rank(c):
    return fmpq(min(exact.rank(T) for T in _sums(c)[1:]))
