"""Routes for orthonormal columns and their sampled rows.

Columns that Gram and Schmidt make of rational ones are rational but for their lengths,
and the projector on their space is rational.  Single eigenvectors come from Lagrange's
product, as balls, where their eigenvalue is simple.
"""

from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz_poly

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import route

# --- Orthonormal columns --------------------------------------------------------------


def _gram_schmidt(B):
    """Orthogonal columns, lists of fractions, with the same spaces."""
    done = []
    for j in range(B.ncols()):
        v = balls.column(B, j)
        for u in done:
            share = _inner(u, v) / _inner(u, u)
            v = [x - share * y for x, y in zip(v, u, strict=True)]
        if not any(v):
            raise Unknown("dependent columns")
        done.append(v)
    return done


def _inner(u, v):
    return balls.total(balls.times(x, y) for x, y in zip(u, v, strict=True))


def _scaled(v):
    """A vector of length one."""
    length = balls.square_root(_inner(v, v))
    return [balls.divide(x, length) for x in v]


def _matrix(columns):
    """A matrix of fractions or of balls from its columns."""
    rows = [list(row) for row in zip(*columns, strict=True)]
    enclosed = any(isinstance(x, arb) for row in rows for x in row)
    if enclosed:
        return arb_mat([[balls.ball(x) for x in row] for row in rows])
    return balls.matrix(rows)


def _vectors(c):
    """Singular values and right singular vectors of the points, those above 0."""
    found = balls.roots(c.K)
    weights = [fmpq(1, j + 1) for j in range(c.n)]
    pairs = []
    for value, times in found:
        if value == 0:
            continue
        if times > 1:
            raise Unknown("a tie: the vectors are not unique")
        v = [_inner(row, weights) for row in _projector(c.K, found, value)]
        pairs.append((balls.square_root(value), _scaled(v)))
    return pairs


def _projector(A, found, value):
    """On the space of one eigenvalue, by Lagrange's product; its rows."""
    n = A.nrows()
    P = balls.identity(n)
    for other, _ in found:
        if other is not value:
            shifted = balls.subtract(A, balls.multiply(other, balls.identity(n)))
            gap = balls.plus(value, -other)
            P = balls.multiply(P, shifted, balls.divide(fmpq(1), gap))
    return [[P[i, j] for j in range(n)] for i in range(n)]


@route
def U(c):
    if "columns" in c.given:
        return c.given["columns"]
    if "basis" in c.given:
        return _matrix([_scaled(v) for v in _gram_schmidt(c.given["basis"])])
    return _matrix([v for _, v in _vectors(c)])


@route
def r(c):
    given = c.given.get("columns", c.given.get("basis"))
    return fmpq(balls.rank(c.K) if given is None else given.ncols())


def _onto(c):
    """The projector on the space of the columns."""
    B = c.given.get("basis", c.K)
    return B * balls.pseudo_inverse(B)


def _largest_row(P):
    return P.nrows() * balls.largest([P[i, i] for i in range(P.nrows())])


def _coherence(columns):
    """From orthogonal columns of any length; only the last step may be a root."""
    n = len(columns[0])
    shares = [balls.divide(x * x, _inner(v, v)) for v in columns for x in v]
    return balls.square_root(balls.times(fmpq(n), balls.largest(shares)))


def _row_lengths(columns, n):
    """n times the squared rows of orthogonal columns, scaled."""
    rows = zip(*([x * x / _inner(v, v) for x in v] for v in columns), strict=True)
    return [n * balls.total(row) for row in rows]


@route
def coherence(c):
    if "columns" in c.given:
        return _coherence([balls.column(U(c), j) for j in range(U(c).ncols())])
    if "basis" in c.given:
        return _coherence(_gram_schmidt(c.given["basis"]))
    return _coherence([v for _, v in _vectors(c)])


@route
def basis_free_coherence(c):
    if "columns" in c.given:
        return _largest_row(U(c) * U(c).transpose())
    return _largest_row(_onto(c))


def _sums(c):
    """Each column plus all that follow."""
    B = c.given["basis"] if "basis" in c.given else U(c)
    if not isinstance(B, fmpq_mat):
        raise Unknown("sums of columns that are not rational")
    r = B.ncols()
    return B * balls.matrix([[int(i >= j) for j in range(r)] for i in range(r)])


@route
def other_coherence(c):
    return _coherence(_gram_schmidt(_sums(c)))


@route
def other_free(c):
    return balls.largest(_row_lengths(_gram_schmidt(_sums(c)), c.n))


@route
def mu_1(c):
    P = U(c) * c.given["right"].transpose() if "right" in c.given else _onto(c)
    return balls.divide(
        c.n * balls.largest(map(abs, P.entries())), balls.square_root(r(c))
    )


@route
def sign_pairs(c):
    """The middle coefficient of (1 + x)^n: as many pluses as minuses."""
    return fmpq(0) if c.n % 2 else fmpq(int((fmpz_poly([1, 1]) ** c.n)[c.n // 2]))


@route
def sign_triples(c):
    """Row by row: how often each sum of the two vectors and of their product comes."""
    ways = {(0, 0, 0): 1}
    for _ in range(c.n):
        after = {}
        for (x, y, z), count in ways.items():
            for a in (-1, 1):
                for b in (-1, 1):
                    key = x + a, y + b, z + a * b
                    after[key] = after.get(key, 0) + count
        ways = after
    return fmpq(ways.get((0, 0, 0), 0))


# --- Sampled rows ---------------------------------------------------------------------


def _rows(A, S):
    return balls.part(A, S, range(A.ncols()))


@route
def X_S(c):
    return balls.part(c.points, range(c.points.nrows()), c.landmarks)


@route
def U_X(c):
    vectors = _vectors(c)
    images = [[_inner(row, v) for row in c.points.tolist()] for _, v in vectors]
    return _matrix(
        [
            [balls.divide(x, s) for x in image]
            for image, (s, _) in zip(images, vectors, strict=True)
        ]
    )


@route
def Sigma_X(c):
    return balls.diagonal([s for s, _ in _vectors(c)])


@route
def V_S(c):
    return _rows(U(c), c.landmarks)


@route
def rank_core(c):
    return fmpq(balls.rank(c.W))


@route
def rank_X_S(c):
    return fmpq(balls.rank(X_S(c)))


@route
def rank_V_S(c):
    """Of the sampled rows of the projector ``V V'``."""
    return fmpq(balls.rank(_rows(_onto(c), c.landmarks)))


@route
def rank_A(c):
    return fmpq(sum(1 for x in _gram_spectrum(c) if x != 0))


def _gram_spectrum(c):
    """Eigenvalues of ``V_S' V_S``: those of ``V_S V_S'``, with zeros added or left out.

    The second matrix is a block of the projector, and rational.
    """
    if "columns" in c.given:
        rows = V_S(c)
        return balls.eigenvalues(rows.transpose() * rows)
    S, count = c.landmarks, int(r(c).p)
    found = balls.eigenvalues(balls.part(_onto(c), S, S))
    return [*found, *[fmpq(0)] * count][:count]


@route
def sigma_A(c):
    return balls.largest(_gram_spectrum(c))


def _from_identity(c, factor):
    shifted = [balls.plus(balls.times(factor, x), fmpq(-1)) for x in _gram_spectrum(c)]
    return balls.largest([abs(x) for x in shifted])


@route
def from_identity(c):
    return _from_identity(c, c.chosen("scaling"))


@route
def isometry_defect(c):
    return _from_identity(c, fmpq(c.n, c.l))


def _off_zero(c):
    return [j for j in range(c.n) if c.K[j, j] != 0]


@route
def points_off_zero(c):
    return fmpq(len(_off_zero(c)))


@route
def equal_or_zero(c):
    """The block of the points other than 0 has one value."""
    some = _off_zero(c)
    return len({str(c.K[i, j]) for i in some for j in some}) <= 1


# --- Columns of signs, and groups of equal rows ---------------------------------------


@route
def size(c):
    return c.given.get("size", fmpq(c.n))


@route
def group_count(c):
    return c.given.get("group_count", r(c))


def _group_sizes(c):
    """How many groups, and how many points in each."""
    if size(c) > 5000 or group_count(c) > size(c):
        raise Unknown("more points than are counted")
    some = int(group_count(c).p // group_count(c).q)
    share = size(c) / some
    return some, int(share.p // share.q)


def _miss(some, points):
    """For each number of columns the chance that a group is missed.

    The samples that meet all groups are counted by ``((1 + x)^points - 1)^some``.
    """
    one = fmpz_poly([1, 1])
    met, whole = (one**points - 1) ** some, one ** (points * some)
    return lambda count: 1 - fmpq(int(met[count]), int(whole[count]))


@route
def group_missed(c):
    some, points = _group_sizes(c)
    return _miss(some, points)(c.l) if c.l < some * points else fmpq(0)


@route
def fewest_columns(c):
    """From all columns downward."""
    some, points = _group_sizes(c)
    chance, count = _miss(some, points), some * points
    while count > 1 and chance(count - 1) <= c.chosen("delta"):
        count -= 1
    return fmpq(count)


def _signs(c):
    B = c.given["basis"]
    columns = [balls.column(B, j) for j in range(B.ncols())]
    if any(x * x != 1 for v in columns for x in v):
        raise Unknown("columns that are not of signs")
    return columns


@route
def closed(c):
    columns = _signs(c)
    return all(
        [x * y for x, y in zip(u, v, strict=True)] in columns
        for u in columns
        for v in columns
    )


@route
def equal_or_orthogonal(c):
    rows = list(zip(*_signs(c), strict=True))
    return all(u == v or _inner(u, v) == 0 for u in rows for v in rows)


# --- A first column, and the others ---------------------------------------------------


def _first_and_others(c):
    if "basis" not in c.given:
        raise Unknown("columns that are not given")
    first, *others = _gram_schmidt(c.given["basis"])
    return first, others


@route
def target_coherence(c):
    return _coherence([_first_and_others(c)[0]])


@route
def rest_coherence(c):
    return _coherence(_first_and_others(c)[1])


@route
def rest_free(c):
    return balls.largest(_row_lengths(_first_and_others(c)[1], c.n))


@route
def spike_row(c):
    """The first of the rows in which the first column is largest."""
    first, others = _first_and_others(c)
    spike = max(range(c.n), key=lambda i: (abs(first[i]), -i))
    if sum(1 for x in first if abs(x) == abs(first[spike])) > 1:
        raise Unknown("a tie for the largest entry")
    return _row_lengths([first, *others], c.n)[spike]
