"""Routes for the distance of two covariances, from the entries of K."""

from functools import partial
from itertools import combinations, permutations, product
from math import comb

from flint import arb, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.laws import LAWS
from nystheory.exact.routes import K_max, enter, route


def _squared_distance(c, i, j):
    return c.K[i, i] + c.K[j, j] - 2 * c.K[i, j]


@route
def d_max(c):
    points = range(c.K.nrows())
    squares = [_squared_distance(c, i, j) for i in points for j in points]
    return balls.square_root(balls.largest(squares))


@route
def spread(c):
    return c.spread


@route
def S(c):
    return fmpq_mat([[int(i == s) for s in c.landmarks] for i in range(c.n)])


def _weights(c, landmarks):
    """``1 - (n/l) m_i`` where column i is sampled m_i times."""
    share = fmpq(c.n, len(landmarks))
    return [1 - share * landmarks.count(i) for i in range(c.n)]


def _square(c, landmarks):
    """``|XX' - ZZ'|_F^2``: the product of x_i x_i' and x_j x_j' is K_ij^2."""
    w = _weights(c, landmarks)
    pairs = ((i, j) for i in range(c.n) for j in range(c.n))
    return balls.total(w[i] * w[j] * c.K[i, j] ** 2 for i, j in pairs)


@route
def distance_F_squared(c):
    return _square(c, c.landmarks)


# --- The selection matrix ------------------------------------------------------------


@route
def S_printed(c):
    entries = [
        [int(i == j and i in c.landmarks) for j in range(c.l)] for i in range(c.n)
    ]
    return fmpq_mat(entries)


@route
def distinct(c):
    """Rows of the selection matrix that are not zero."""
    rows = range(c.n)
    return fmpq(sum(any(S(c)[i, j] != 0 for j in range(c.l)) for i in rows))


# --- One landmark exchanged ----------------------------------------------------------


def _other(c):
    """The case with the other sample; a number stands for the nearest landmark."""
    numbers = c.chosen("other").entries()
    return c.but(landmarks=tuple(int((x + fmpq(1, 2)).floor()) % c.n for x in numbers))


@route
def exchanged(c):
    pairs = zip(_other(c).landmarks, c.landmarks, strict=True)
    return fmpq(sum(a != b for a, b in pairs))


@route
def other_distance_2(c):
    return balls.norm(_other(c).distance)


@route
def other_distance_F(c):
    return balls.square_root(_square(c, _other(c).landmarks))


def _pairs(c, norm):
    """The largest norm of ``aa' - bb'``, from the matrix itself."""
    squares = [c.points * _one(c, j) * c.points.transpose() for j in range(c.n)]
    return balls.largest([norm(a - b) for a in squares for b in squares])


def _one(c, j):
    return balls.diagonal([fmpq(int(i == j)) for i in range(c.n)])


@route
def difference_2(c):
    return _pairs(c, balls.norm)


@route
def difference_F(c):
    return _pairs(c, balls.frobenius)


@route
def K_min(c):
    return balls.smallest([c.K[i, i] for i in range(c.n)])


# The worst pair of this R and d, from inner products: a on the axis, of length R, and
# b at distance t from it, on the same ray or of length R as well.


def _attained(c, equal, frobenius):
    R, d = balls.square_root(K_max(c)), d_max(c)
    if equal or (frobenius and 3 * balls.ball(d) > 2 * balls.ball(R)):
        t = balls.smallest([d, balls.times(balls.square_root(fmpq(2)), R)])
        length = R
    else:
        t = balls.smallest([d, R])
        length = balls.plus(R, -t)
    squares = [balls.times(x, x) for x in (R, length, t)]
    p, r, apart = (balls.ball(x) for x in squares)
    inner = (p + r - apart) / 2
    if frobenius:
        return balls.square_root(balls.positive(p**2 + r**2 - 2 * inner**2))
    root = balls.square_root(balls.positive((p + r) ** 2 - 4 * inner**2))
    return (abs(p - r) + root) / 2


enter("attained_2", partial(_attained, equal=False, frobenius=False))
enter("attained_F", partial(_attained, equal=False, frobenius=True))
enter("attained_2_equal", partial(_attained, equal=True, frobenius=False))
enter("attained_F_equal", partial(_attained, equal=True, frobenius=True))


# --- A function of the sample, as a table --------------------------------------------


def _values(c):
    return c.chosen("values").entries()


@route
def symmetric(c):
    return bool(c.groups) or len(_values(c)) == comb(c.n, c.l)


def _table(c):
    """What every sample is called, and its value; a group by its counts."""
    if c.groups:
        listed = [x for x in product(range(c.l + 1), repeat=len(c.groups))]
        listed = [x for x in listed if sum(x) == c.l]
    else:
        list_all = combinations if symmetric(c) else permutations
        listed = list(list_all(range(c.n), c.l))
    return dict(zip(listed, _values(c), strict=True))


def _name(c, S):
    """What a sample is called in the table."""
    if c.groups:
        ends = [sum(c.groups[: g + 1]) for g in range(len(c.groups))]
        group = [next(g for g, end in enumerate(ends) if j < end) for j in S]
        return tuple(group.count(g) for g in range(len(c.groups)))
    return tuple(sorted(S)) if symmetric(c) else tuple(S)


@route
def phi(c):
    return _table(c)[_name(c, c.landmarks)]


@route
def mean_phi(c):
    table, drawn = _table(c), LAWS["in_turn"](c)
    return balls.total(p * table[_name(c, each.landmarks)] for p, each in drawn)


def _one_exchanged(c, S, T):
    if c.groups:
        return sum(abs(a - b) for a, b in zip(S, T, strict=True)) == 2
    if symmetric(c):
        return len(set(S) & set(T)) == c.l - 1
    return sum(a != b for a, b in zip(S, T, strict=True)) == 1


@route
def c(c):
    table, drawn = _table(c), LAWS["in_turn"](c)
    names = {_name(c, each.landmarks) for _, each in drawn}
    changes = [
        abs(table[S] - table[T])
        for S, T in combinations(names, 2)
        if _one_exchanged(c, S, T)
    ]
    return balls.largest([fmpq(0), *changes])


# --- Ky Fan norms --------------------------------------------------------------------


def _descending(values):
    """Numbers in order; of balls that overlap, what surely holds the j-th largest."""
    if not any(isinstance(x, arb) for x in values):
        return sorted(values, reverse=True)
    enclosed = [balls.ball(x) for x in values]
    lows = sorted((x.lower() for x in enclosed), reverse=True)
    highs = sorted((x.upper() for x in enclosed), reverse=True)
    return [low.union(high) for low, high in zip(lows, highs, strict=True)]


def _ky_fan(c, eigenvalues):
    moduli = _descending([abs(x) for x in eigenvalues])[: c.n]
    moduli += [fmpq(0)] * (c.n - len(moduli))
    return [balls.total(moduli[: j + 1]) for j in range(c.n)]


@route
def error_ky_fan(c):
    return _ky_fan(c, balls.eigenvalues(c.error))


@route
def tail_ky_fan(c):
    return _ky_fan(c, c.spectrum[c.k :])


@route
def distance_ky_fan(c):
    return _ky_fan(c, balls.eigenvalues(c.distance))


# --- Several experts: the landmarks are cut into parts, one for each weight -----------


def _experts(c):
    """Weights of sum 1, and the landmarks of each expert."""
    weights = c.chosen("weights").entries()
    whole, (size, more) = balls.total(weights), divmod(c.l, len(weights))
    left = list(c.landmarks)
    for r, weight in enumerate(weights):
        count = size + (r < more)
        yield weight / whole, tuple(left[:count])
        left = left[count:]


@route
def least_weight(c):
    return balls.smallest([weight for weight, _ in _experts(c)])


@route
def ensemble_error_F(c):
    error = c.K
    for weight, part in _experts(c):
        approximation = c.but(landmarks=part).approximation
        error = balls.subtract(error, balls.multiply(weight, approximation))
    return balls.frobenius(error)


@route
def ensemble_distance_F(c):
    distances = [(w, balls.square_root(_square(c, part))) for w, part in _experts(c)]
    return balls.total(balls.times(w, x) for w, x in distances)
