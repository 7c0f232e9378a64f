"""Routes for schemes that look at the columns so far: shares and batches."""

from flint import arb, fmpq

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
from nystheory.exact.case import eliminated as left_after
from nystheory.exact.case import law
from nystheory.exact.routes import route

# --- Probabilities of the next column ------------------------------------------------


@route
def full_shares(c):
    """Squared distances from the span of the columns, by Gram's determinants."""
    reduced, r = c.C.rref()
    basis = [
        c.landmarks[next(j for j in range(c.l) if reduced[row, j] != 0)]
        for row in range(r)
    ]
    squares = [_gram(c.K, [*basis, j]) for j in range(c.n)]
    return _divided(squares, exact.total(squares))


def _gram(K, columns):
    chosen = exact.part(K, range(K.nrows()), columns)
    return (chosen.transpose() * chosen).det() if columns else fmpq(1)


def _divided(values, whole):
    return [exact.divide(x, whole) if whole != 0 else fmpq(0) for x in values]


@route
def on_R(c):
    return [fmpq(int(j in c.landmarks)) for j in range(c.n)]


@route
def partial_error(c):
    inverse = exact.truncated_inverse(c.W, c.k)
    return exact.subtract(c.C, exact.multiply(c.C, inverse, c.W))


@route
def row_errors(c):
    """By the projector on the leading eigenvectors of the core."""
    rest = exact.function_of(c.W, lambda x: fmpq(1), c.k)
    rest = exact.subtract(exact.identity(c.l), rest)
    products = exact.multiply(c.C, rest, c.C.transpose())
    if c.k >= exact.rank(c.W):
        return [fmpq(0)] * c.n
    return [fmpq(0) if j in c.landmarks else products[j, j] for j in range(c.n)]


@route
def rows_seen(c):
    return fmpq(sum(_is_positive(e) for e in row_errors(c)))


def _is_positive(x):
    if isinstance(x, arb) and x.contains(0):
        raise Unknown("a row error that may be zero")
    return bool(x > 0)


@route
def something_seen(c):
    return rows_seen(c) != 0


@route
def nothing_seen(c):
    return rows_seen(c) == 0


@route
def partial_rank(c):
    return fmpq(c.k)


@route
def columns_so_far(c):
    return fmpq(c.l)


@route
def uniform_rest(c):
    left = c.n - len(set(c.landmarks))
    return [fmpq(0) if j in c.landmarks else fmpq(1, left) for j in range(c.n)]


@route
def partial_shares(c):
    if rows_seen(c) == 0:
        return uniform_rest(c)
    errors = row_errors(c)
    return _divided(errors, exact.total(errors))


# --- Samples in batches of two, from the first landmark on ---------------------------


@law
def adaptive_full(case):
    """In proportion to squared distances of columns, without replacement."""
    yield from _batches(case, _full)


@law
def adaptive_full_replaced(case):
    """The same, each batch with replacement."""
    yield from _batches(case, _full, replaced=True)


@law
def adaptive_partial(case):
    """In proportion to errors of rows, with half of the columns as rank."""
    yield from _batches(case, _partial)


def _full(case, S):
    shares = full_shares(case.but(landmarks=S))
    return shares if any(x != 0 for x in shares) else None


def _partial(case, S):
    if len(set(S)) == case.n:
        return None
    return partial_shares(case.but(landmarks=S, rank=max(1, len(S) // 2)))


def _batches(case, shares, replaced=False):
    def grow(chance, S, p, room):
        if len(S) == case.l:
            yield chance, case.but(landmarks=S)
            return
        if not room:
            p, room = shares(case, S), 2
        if p is None:
            filled = S + S[:1] * (case.l - len(S))
            yield chance, case.but(landmarks=filled)
            return
        for j, x in enumerate(p):
            if x != 0:
                rest, still = p, room - 1
                if not replaced:
                    rest = [fmpq(0) if i == j else y for i, y in enumerate(p)]
                    still = still if any(y != 0 for y in rest) else 0
                    rest = _divided(rest, exact.total(rest))
                yield from grow(exact.times(chance, x), (*S, j), rest, still)

    yield from grow(fmpq(1), case.landmarks[:1], None, 0)


# --- Incomplete Cholesky -------------------------------------------------------------


@route
def eliminated(c):
    """By Gauss's elimination of rows and columns."""
    return c.K - left_after(c.K, c.landmarks)


@route
def pivots(c):
    """Quotients of the leading minors of the core, as long as they do not vanish."""
    used, before, found = [], fmpq(1), []
    for j in c.landmarks:
        minor = exact.part(c.K, [*used, j], [*used, j]).det()
        found.append(minor / before)
        if minor != 0:
            used, before = [*used, j], minor
    return found


def _greedy(c):
    """The greedy pivots, and the largest entry of the diagonal before each."""
    chosen, largest, left = [], [], c.K
    for _ in range(min(c.l, c.n)):
        diagonal = [left[i, i] for i in range(c.n)]
        if not any(x != 0 for x in diagonal):
            break
        largest.append(exact.largest(diagonal))
        chosen.append(diagonal.index(largest[-1]))
        left = left_after(left, chosen[-1:])
    return c.but(landmarks=tuple(chosen)), largest


@route
def greedy_product(c):
    return eliminated(_greedy(c)[0])


@route
def greedy_nystrom(c):
    greedy = _greedy(c)[0]
    return exact.multiply(
        greedy.C, exact.pseudo_inverse(greedy.W), greedy.C.transpose()
    )


@route
def greedy_pivots(c):
    return pivots(_greedy(c)[0])


@route
def greedy_largest(c):
    return _greedy(c)[1]
