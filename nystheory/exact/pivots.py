"""Routes for schemes that look at the columns so far: shares and batches."""

from functools import lru_cache
from itertools import combinations, permutations

from flint import arb, fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.determinants import independent
from nystheory.exact.laws import law, pivoted_blocks
from nystheory.exact.matrix_functions import eliminated as left_after
from nystheory.exact.matrix_functions import function_of, truncated_inverse
from nystheory.exact.routes import ROUTES, route

# --- Probabilities of the next column ------------------------------------------------


@route
def full_shares(c):
    """Squared distances from the span of the columns, by Gram's determinants."""
    basis = independent(c, c.C)
    squares = [_gram(c.K, [*basis, j]) for j in range(c.n)]
    return _divided(squares, balls.total(squares))


def _gram(K, columns):
    chosen = balls.part(K, range(K.nrows()), columns)
    return (chosen.transpose() * chosen).det() if columns else fmpq(1)


def _divided(values, whole):
    return [balls.divide(x, whole) if whole != 0 else fmpq(0) for x in values]


@route
def on_R(c):
    return [fmpq(int(j in c.landmarks)) for j in range(c.n)]


@route
def partial_error(c):
    inverse = truncated_inverse(c.W, c.k)
    return balls.subtract(c.C, balls.multiply(c.C, inverse, c.W))


@route
def row_errors(c):
    """By the projector on the leading eigenvectors of the core."""
    rest = function_of(c.W, lambda x: fmpq(1), c.k)
    rest = balls.subtract(balls.identity(c.l), rest)
    products = balls.multiply(c.C, rest, c.C.transpose())
    if c.k >= balls.rank(c.W):
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
    return _divided(errors, balls.total(errors))


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
                    rest = _divided(rest, balls.total(rest))
                yield from grow(balls.times(chance, x), (*S, j), rest, still)

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
        minor = balls.part(c.K, [*used, j], [*used, j]).det()
        found.append(minor / before)
        if minor != 0:
            used, before = [*used, j], minor
    return found


def _greedy(c):
    """The greedy pivots, and the largest entry of the diagonal before each.

    Those of an ``order`` that is given are as greedy as it is.
    """
    chosen, largest, left = [], [], c.K
    order = [int(j.p) for j in c.given["order"]] if "order" in c.given else None
    for t in range(min(c.l, c.n)):
        diagonal = [left[i, i] for i in range(c.n)]
        if not any(x != 0 for x in diagonal):
            break
        largest.append(balls.largest(diagonal))
        chosen.append(order[t] if order else diagonal.index(largest[-1]))
        left = left_after(left, chosen[-1:])
    return c.but(landmarks=tuple(chosen)), largest


@route
def greedy_product(c):
    return eliminated(_greedy(c)[0])


@route
def greedy_nystrom(c):
    greedy = _greedy(c)[0]
    return balls.multiply(
        greedy.C, balls.pseudo_inverse(greedy.W), greedy.C.transpose()
    )


@route
def greedy_pivots(c):
    return pivots(_greedy(c)[0])


@route
def greedy_largest(c):
    return _greedy(c)[1]


# --- Random pivots -------------------------------------------------------------------


def _iterated(values, times, size=1):
    """The sum after the map of the bounds, in balls where fractions would grow."""
    if times > 3:
        values = [balls.ball(x) for x in values]
    for _ in range(times):
        total = balls.total(values)
        if total == 0:
            break
        values = [
            balls.divide(
                balls.times(x, balls.plus(total, -x)),
                balls.plus(total, balls.times(fmpq(size - 1), x)),
            )
            for x in values
        ]
    return balls.total(values)


@route
def trace_after_pivots(c):
    return _iterated(c.spectrum, c.l)


def _block_size(c):
    return int(c.chosen("block_size").p)


@route
def trace_after_blocks(c):
    b = _block_size(c)
    return _iterated(c.spectrum, c.l // b, b)


@route
def block_mean(c):
    one = c.but(landmarks=(0,) * _block_size(c))
    mean = balls.zeros(c.n, c.n)
    for chance, outcome in pivoted_blocks(one):
        mean += chance * left_after(c.K, outcome.landmarks)
    return mean


@route
def fourth_powers(c):
    square = c.K * c.K
    return balls.total(square[i, i] ** 2 for i in range(c.n))


@route
def squared_diagonal(c):
    return balls.total(c.K[i, i] ** 2 for i in range(c.n))


# --- Proposals that are accepted or rejected -----------------------------------------


@lru_cache(maxsize=4)
def _diagonals(c):
    """What is left of the diagonal after every set of pivots."""
    sets = [S for m in range(c.n + 1) for S in combinations(range(c.n), m)]
    left = {frozenset(S): left_after(c.K, S) for S in sets}
    return {S: [E[i, i] for i in range(c.n)] for S, E in left.items()}


def _diagonal_after(c, pivots):
    return _diagonals(c)[frozenset(pivots)]


def _sequences(c):
    lengths = range(min(c.l, c.n) + 1)
    return [key for m in lengths for key in permutations(range(c.n), m)]


@route
def simple_law(c):
    """Products of shares of the diagonal."""

    def chance(sequence):
        result = fmpq(1)
        for t, j in enumerate(sequence):
            now = _diagonal_after(c, sequence[:t])
            result *= balls.divide(now[j], balls.total(now)) if any(now) else 0
        unfinished = len(sequence) < c.l and any(_diagonal_after(c, sequence))
        return fmpq(0) if unfinished else result

    return [chance(sequence) for sequence in _sequences(c)]


@route
def next_simple(c):
    return [balls.divide(x, balls.total(now)) for _, now, _ in _states(c) for x in now]


def _states(c):
    """In the order of the other route: sets grow by one index after the other."""
    sets = [()]
    for j in range(c.n):
        sets += [(*S, j) for S in sets]
    for now in sets:
        if any(_diagonal_after(c, now)):
            for start in sets:
                if set(start) <= set(now):
                    for left in range(int(c.chosen("proposals").p) + 1):
                        yield _diagonal_after(c, start), _diagonal_after(c, now), left


def _chances(now, before, accept):
    """What is accepted of one proposal, and the chance that it is rejected."""
    whole = balls.total(before)
    taken = [
        balls.times(y / whole, accept(x / y)) if y != 0 else fmpq(0)
        for x, y in zip(now, before, strict=True)
    ]
    return taken, balls.plus(fmpq(1), -balls.total(taken))


def _completing(c, sequence, accept):
    """The chance that the pivots come out as this sequence, from its end backwards."""
    b = int(c.chosen("proposals").p)
    diagonals = [_diagonal_after(c, sequence[:t]) for t in range(len(sequence) + 1)]

    def from_state(t, start, left):
        now = diagonals[t]
        if t == c.l or not any(now):
            return fmpq(int(t == len(sequence)))
        if t == len(sequence):
            return fmpq(0)
        if left == 0:
            return from_state(t, t, b)
        taken, rejected = _chances(now, diagonals[start], accept)
        chance = balls.times(taken[sequence[t]], from_state(t + 1, start, left - 1))
        if start == t:
            return chance
        again = from_state(t, start, left - 1)
        return balls.plus(chance, balls.times(rejected, again))

    return from_state(0, 0, b)


def _next(before, now, left, accept):
    """Of one proposal after the other, and of a new block after the last of them."""
    whole = balls.total(now)
    if left == 0 or before == now:
        return [x / whole for x in now]
    taken, rejected = _chances(now, before, accept)
    later = _next(before, now, left - 1, accept)
    return [
        balls.plus(x, balls.times(rejected, y))
        for x, y in zip(taken, later, strict=True)
    ]


def _accepted(name, accept):
    ROUTES[name] = lambda c: [_completing(c, s, accept) for s in _sequences(c)]
    ROUTES[f"{name}_next"] = lambda c: [
        x for state in _states(c) for x in _next(*state, accept)
    ]


_accepted("accepted_ratio", lambda share: share)
_accepted("accepted_all", lambda share: fmpq(int(share != 0)))
_accepted("accepted_square", lambda share: share * share)
_accepted("accepted_root", balls.square_root)
