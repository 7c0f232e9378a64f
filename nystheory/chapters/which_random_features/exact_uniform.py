"""Routes for the largest error of random features: enclosed, on a cube.

With frequencies on the axes the error is a sum over the axes; of one axis it is a sum
of cosines of ``x - y`` and of ``x + y``.  Its largest value is enclosed by subdivision:
in a box around a centre it moves by the gradient there times the distance, and by half
of a bound for the second derivatives times its square, at most.
"""

import heapq
from itertools import count
from math import comb, factorial, prod

from flint import arb, ctx, fmpq

from nystheory.exact import balls
from nystheory.exact.laws import counts, law
from nystheory.exact.routes import Routes

route = Routes("Cube").route

# --- The largest value of a sum of cosines --------------------------------------------


def _cosines(terms, t):
    """``sum a cos(w t)`` and its derivative."""
    value, slope = arb(0), arb(0)
    for a, w in terms:
        sine, cosine = (w * t).sin_cos()
        value += a * cosine
        slope -= a * w * sine
    return value, slope


def _bend(terms):
    return sum((abs(a) * w * w for a, w in terms), arb(0)).upper()


# So many boxes are cut at most: where a function is flat, the balls are wider.
PARTS = 3000


def _largest(of_box, start):
    """From the largest value found to what a box may reach, until these are close.

    Parameters
    ----------
    of_box : callable (centre, half widths) -> (arb, arb)
        The value at a centre, and by how much the function may exceed it in the box.
    start : list of (arb, arb)
        Centre and half width on each axis; both are exact.
    """
    order, close = count(), arb(2) ** (-3 * min(ctx.prec, 320) // 8)

    def entry(box):
        """What the function may reach comes first, so that the heap has it on top."""
        value, room = of_box(*zip(*box, strict=True))
        return -(value + room).upper(), next(order), value.lower(), box

    heap = [entry(start)]
    best, parts = heap[0][2], 0
    while -heap[0][0] - best >= close and parts < PARTS:
        *_, box = heapq.heappop(heap)
        parts += 1
        for half in _halves(box):
            new = entry(half)
            best = best.max(new[2]).lower()
            heapq.heappush(heap, new)
    return best.union(-heap[0][0])


def _halves(box):
    """The box cut in two across its longest side."""
    widths = [float(half) for _, half in box]
    k = widths.index(max(widths))
    centre, half = box[k]
    for sign in (-1, 1):
        part = list(box)
        part[k] = (centre + sign * half / 2, half / 2)
        yield part


def _on_interval(terms, side, derivative):
    """The largest value of a sum of cosines, or of its square slope, on an interval."""
    held = [(balls.ball(a), balls.ball(w)) for a, w in terms]
    bend = _bend(held)

    def of_box(centres, halves):
        [t], [h] = centres, halves
        value, slope = _cosines(held, t)
        if not derivative:
            return value, abs(slope) * h + bend * h * h / 2
        second = sum((-a * w * w * (w * t).cos() for a, w in held), arb(0))
        third = sum((abs(a) * w**3 for a, w in held), arb(0)).upper()
        # |f'| grows by |f''| h and half of a bound for |f'''| times h^2.
        grown = abs(second) * h + third * h * h / 2
        return slope * slope, 2 * abs(slope) * grown + grown * grown

    half = balls.ball(side / 2)
    return _largest(of_box, [(half, half)])


def _on_square(near, far, side):
    """The largest value of ``A(x - y) + B(x + y)`` on a square."""
    A = [(balls.ball(a), balls.ball(w)) for a, w in near]
    B = [(balls.ball(a), balls.ball(w)) for a, w in far]
    bend = _bend(A) + _bend(B)

    def of_box(centres, halves):
        (x, y), (g, h) = centres, halves
        (a, a_slope), (b, b_slope) = _cosines(A, x - y), _cosines(B, x + y)
        room = abs(b_slope + a_slope) * g + abs(b_slope - a_slope) * h
        return a + b, room + bend * (g + h) ** 2 / 2

    half = balls.ball(side / 2)
    return _largest(of_box, [(half, half), (half, half)])


_SEEN = {}


def _kept(f, *args):
    """A value that is asked for again, with the next shares of the same frequencies."""
    key = (f.__name__, str(args), ctx.prec)
    if key not in _SEEN:
        _SEEN[key] = f(*args)
    return _SEEN[key]


def _merged(terms):
    """One term for each frequency, and what does not vary."""
    found = {}
    for a, w in terms:
        found[abs(w)] = found.get(abs(w), fmpq(0)) + a
    still = found.pop(fmpq(0), fmpq(0))
    return [(a, w) for w, a in found.items() if a != 0], still


def _scaled(terms, size):
    return tuple((a / size, w) for a, w in terms)


def _sup(near, far, side):
    """The largest value of ``A(x - y) + B(x + y)``, of which one may be nothing."""
    (near, some), (far, more) = _merged(near), _merged(far)
    still, size = some + more, max([abs(a) for a, _ in (*near, *far)], default=fmpq(0))
    if size == 0:
        return still
    near, far = _scaled(near, size), _scaled(far, size)
    if not far:
        found = _kept(_on_interval, near, side, False)
    elif not near:
        found = _kept(_on_interval, far, 2 * side, False)
    else:
        found = _kept(_on_square, near, far, side)
    return size * found + still


def _of_axes(c, near, far):
    """The largest modulus of a sum over the axes."""
    axes, side = c.given["axis"], _side(c)
    sums = []
    for sign in (1, -1):
        parts = []
        for k in set(axes):
            some = [
                [
                    (sign * a, w)
                    for a, w, axis in zip(terms, c.given["w"], axes, strict=True)
                    if axis == k
                ]
                for terms in (near, far)
            ]
            parts.append(_sup(*some, side))
        sums.append(balls.total(parts))
    return balls.largest(sums)


# --- Routes ---------------------------------------------------------------------------


def _side(c):
    """Of the cube with this diameter."""
    return balls.divide(c.given["ell"], balls.square_root(c.given["d"]))


def _drawn(c):
    """Shares of the frequencies less those of the spectrum, and signs of their sums."""
    times, N = c.given["times"], len(c.given["w"])
    whole = balls.total(x for row in times for x in row)
    near = [(row[0] + row[1]) / whole - fmpq(1, N) for row in times]
    far = [(row[0] - row[1]) / whole for row in times]
    return near, far


def _times(c):
    M = c.given["times"]
    rows = [[M[j, 0], M[j, 1]] for j in range(M.nrows())]
    return c.but(times=rows)


@route
def pair_error(c):
    near, _ = _drawn(_times(c))
    return _of_axes(c, near, [fmpq(0)] * len(near))


@route
def phase_error(c):
    return _of_axes(c, *_drawn(_times(c)))


@route
def pair_slope(c):
    """The root of a sum over the axes of largest squares."""
    near, _ = _drawn(_times(c))
    axes, total = c.given["axis"], fmpq(0)
    for k in set(axes):
        terms = zip(near, c.given["w"], axes, strict=True)
        terms, _ = _merged([(a, w) for a, w, axis in terms if axis == k])
        if terms:
            size = max(abs(a) for a, _ in terms)
            found = _kept(_on_interval, _scaled(terms, size), _side(c), True)
            total = balls.plus(total, size**2 * found)
    return balls.square_root(total)


@route
def sigma(c):
    w = c.given["w"]
    return balls.square_root(balls.total(x * x for x in w) / len(w))


@route
def isotropic(c):
    w, axes = c.given["w"], c.given["axis"]
    squares = {
        k: balls.total(x * x for x, axis in zip(w, axes, strict=True) if axis == k)
        for k in range(int(c.given["d"]))
    }
    return len({str(x) for x in squares.values()}) == 1


# --- Laws -----------------------------------------------------------------------------


# More outcomes are not listed.
LISTED = 4000


def _by_counts(case, size, draws):
    if comb(draws + size - 1, size - 1) > LISTED:
        raise balls.Unknown("too many outcomes to list")
    for found in counts((1,) * size, draws, repeated=True):
        ways = factorial(draws) // prod(map(factorial, found))
        yield fmpq(ways, size**draws), found


@law
def pair_counts(case):
    """D / 2 uniform frequencies, by how often each is drawn."""
    N = len(case.given["w"])
    for chance, found in _by_counts(case, N, int(case.given["D"]) // 2):
        yield chance, case.but(times=balls.matrix([[t, 0] for t in found]))


@law
def quarter_counts(case):
    """D uniform frequencies, each without or with a quarter of a turn."""
    N = len(case.given["w"])
    for chance, found in _by_counts(case, 2 * N, int(case.given["D"])):
        rows = [found[2 * j : 2 * j + 2] for j in range(N)]
        yield chance, case.but(times=balls.matrix(rows))


@law
def same_frequency(case):
    """One uniform frequency, for all features."""
    N = len(case.given["w"])
    for j in range(N):
        rows = [[case.given["D"] if i == j else 0, 0] for i in range(N)]
        yield fmpq(1, N), case.but(times=balls.matrix(rows))
