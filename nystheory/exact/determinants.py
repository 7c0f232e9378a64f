"""Routes for distances and volumes: determinants of the points that are chosen."""

from itertools import combinations

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.routes import route

# --- Distances of points -------------------------------------------------------------


@route
def span_distances(c):
    """Quotients of determinants of inner products, with one point more and without."""
    basis = independent(c, c.W)
    volume = _volume(c.K, basis)
    return [_volume(c.K, [*basis, i]) / volume for i in range(c.n)]


def independent(c, sampled):
    """The landmarks of the first independent ones among some sampled columns."""
    reduced, r = sampled.rref()
    rows = [[reduced[i, j] for j in range(c.l)] for i in range(r)]
    return [c.landmarks[next(j for j, x in enumerate(row) if x != 0)] for row in rows]


def _volume(K, columns):
    return balls.part(K, columns, columns).det() if columns else fmpq(1)


def _squares(K):
    n = K.nrows()
    return [[K[i, i] + K[j, j] - 2 * K[i, j] for j in range(n)] for i in range(n)]


def _fill(squares, S):
    return balls.largest([balls.smallest([row[j] for j in S]) for row in squares])


@route
def fill_squared(c):
    return _fill(_squares(c.K), c.landmarks)


@route
def farthest_squared(c):
    longest = _first([c.K[i, i] for i in range(c.n)])
    squares = _squares(c.K)
    return _fill(squares, _farthest(squares, c.l, longest, _first))


@route
def any_farthest_squared(c):
    squares = _squares(c.K)
    return balls.largest(
        [
            _fill(squares, _farthest(squares, c.l, first, choose))
            for first in range(c.n)
            for choose in (_first, _last)
        ]
    )


def _first(values):
    return values.index(balls.largest(values))


def _last(values):
    return len(values) - 1 - _first(values[::-1])


def _farthest(squares, count, first, choose):
    S = [first]
    for _ in range(count - 1):
        nearest = [balls.smallest([row[j] for j in S]) for row in squares]
        if all(x == 0 for x in nearest):
            break
        S.append(choose(nearest))
    return S


@route
def optimal_squared(c):
    """The smallest radius with which so many balls around points cover all points."""
    squares = _squares(c.K)
    radii = sorted({x for row in squares for x in row})
    return next(r for r in radii if _cover(squares, r, set(range(c.n)), c.l))


def _cover(squares, radius, left, count):
    """Whether some count cover what is left: one of them covers its first point."""
    if not left:
        return True
    return count > 0 and any(
        _cover(squares, radius, {i for i in left if row[i] > radius}, count - 1)
        for row in squares
        if row[min(left)] <= radius
    )


# --- Volumes -------------------------------------------------------------------------


@route
def locally_largest(c):
    volume = c.W.det()
    return volume > 0 and all(
        _volume(c.K, [*c.landmarks[:t], i, *c.landmarks[t + 1 :]]) <= volume
        for t in range(c.l)
        for i in range(c.n)
    )


@route
def next_eigenvalue(c):
    return c.spectrum[c.l] if c.l < c.n else fmpq(0)


@route
def largest_entry(c):
    E = balls.subtract(
        c.K, balls.multiply(c.C, balls.pseudo_inverse(c.W), c.C.transpose())
    )
    return balls.largest([abs(x) for x in E.entries()])


@route
def is_line(c):
    """Whether the points are -1, 0, 1 on a line and l - 1 of length 10, orthogonal."""
    sizes = [(-1, 0, 1), *[(10,)] * (c.l - 1)]
    points = [(axis, x) for axis, xs in enumerate(sizes) for x in xs]
    return len(points) == c.n and c.K == balls.matrix(
        [[x * y if a == b else 0 for b, y in points] for a, x in points]
    )


@route
def is_nearly_singular(c):
    n, large = c.n, 10**6 * c.l
    flat = fmpq(1 - large, n)
    return c.l == n - 1 and c.K == balls.matrix(
        [[flat + large * int(a == b) for b in range(n)] for a in range(n)]
    )


# --- Determinantal samples -----------------------------------------------------------


def _symmetric(K):
    """Elementary symmetric polynomials of the eigenvalues: sums of principal minors."""
    indices = range(K.nrows())
    return [
        balls.total(_volume(K, S) for S in combinations(indices, size))
        for size in range(K.nrows() + 1)
    ]


@route
def symmetric_ratio(c):
    e = [*_symmetric(c.K), *[fmpq(0)] * c.l]
    return balls.divide(e[c.l + 1], e[c.l])


@route
def weights_sum(c):
    alpha = c.chosen("alpha")
    return balls.total(e / alpha**size for size, e in enumerate(_symmetric(c.K)))


@route
def is_steep(c):
    sizes = [10**6 * c.l] * c.l + [1]
    return c.k == c.l and c.K == balls.diagonal([fmpq(x) for x in sizes])
