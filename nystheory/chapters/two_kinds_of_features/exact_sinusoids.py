"""Routes for waves: sines and cosines as fractions, or as balls."""

from itertools import product
from math import comb, prod

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

# --- Frequencies that are drawn, at two points ----------------------------------------

_DRAWN = Routes("RandomWaves")


def _point(t):
    """Cosine and sine of an angle from the tangent of its half."""
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def _turned(a, b):
    """Cosine and sine of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def _both(c):
    """Cosine and sine of each frequency with x, and with y."""
    return [[_point(t) for t in c.chosen(name)] for name in ("x", "y")]


def _inner(x, y):
    """``cos cos + sin sin``: the features of one frequency at both points."""
    return x[0] * y[0] + x[1] * y[1]


def _mean(values):
    return balls.total(values) / len(values)


@_DRAWN.route
def kernel(c):
    return _mean([_inner(x, y) for x, y in zip(*_both(c), strict=True)])


@_DRAWN.route
def kernel_twice(c):
    twice = [[_turned(a, a) for a in angles] for angles in _both(c)]
    return _mean([_inner(x, y) for x, y in zip(*twice, strict=True)])


@_DRAWN.route
def estimate(c):
    x, y = _both(c)
    return _mean([_inner(x[int(j)], y[int(j)]) for j in c.chosen("picked")])


def _product(x, y, eighths):
    """Twice the product of two cosines, as a sum; b is so many eighths of a turn / 2.

    ``2 cos(x + b) cos(y + b) = cos(x - y) + cos(x + y + 2 b)``.
    """
    quarter = [(1, 0), (0, 1), (-1, 0), (0, -1)][eighths]
    return _inner(x, y) + _turned(_turned(x, y), quarter)[0]


@_DRAWN.route
def estimate_phases(c):
    x, y = _both(c)
    pairs = zip(c.chosen("picked_once"), c.chosen("phases"), strict=True)
    return _mean([_product(x[int(j)], y[int(j)], int(b)) for j, b in pairs])


# --- Laws -----------------------------------------------------------------------------


def compositions(total, parts):
    """All ways to write a number as a sum of so many numbers, none negative."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def multinomial(chances, draws):
    """How often each outcome comes in so many draws, with its exact chance."""
    for counts in compositions(draws, len(chances)):
        ways = prod(comb(sum(counts[j:]), count) for j, count in enumerate(counts))
        powers = (p**count for p, count in zip(chances, counts, strict=True))
        chance = prod(powers, start=fmpq(ways))
        yield chance, [j for j, count in enumerate(counts) for _ in range(count)]


def _fractions(values):
    return [fmpq(x) for x in values]


@law
def wave_counts(case):
    """Frequencies by how often each is drawn."""
    q, m = case.sizes["q"], case.sizes["m"]
    for chance, S in multinomial([fmpq(1, q)] * q, m):
        yield chance, case.but(picked=_fractions(S))


@law
def phased_counts(case):
    """Frequencies and phases by how often each pair is drawn."""
    q, D = case.sizes["q"], case.sizes["D"]
    for chance, S in multinomial([fmpq(1, 4 * q)] * (4 * q), D):
        drawn = {"picked_once": _fractions(j // 4 for j in S)}
        yield chance, case.but(**drawn, phases=_fractions(j % 4 for j in S))


@law
def repeated_wave(case):
    """One frequency, m times."""
    q, m = case.sizes["q"], case.sizes["m"]
    for j in range(q):
        yield fmpq(1, q), case.but(picked=_fractions([j] * m))


def _phases(case, choices):
    D = case.sizes["D"]
    for S in product(choices, repeat=D):
        yield fmpq(1, len(choices) ** D), case.but(phases=_fractions(S))


@law
def no_phase(case):
    """The phase 0 for each feature."""
    yield from _phases(case, [0])


@law
def two_phases(case):
    """Phases 0 and a right angle."""
    yield from _phases(case, [0, 2])


# --- A lattice and its waves ----------------------------------------------------------

_RARE = Routes("RareFrequency")


def cosine(turns):
    """The cosine of so many whole turns: a fraction where it is one."""
    turns -= turns.floor()
    found = {fmpq(0): 2, fmpq(1, 2): -2, fmpq(1, 4): 0, fmpq(3, 4): 0}
    found |= {fmpq(1, 6): 1, fmpq(5, 6): 1, fmpq(1, 3): -1, fmpq(2, 3): -1}
    if turns in found:
        return fmpq(found[turns], 2)
    return arb.cos_pi_fmpq(2 * turns)


def sine(turns):
    return cosine(turns - fmpq(1, 4))


def _matrix(rows):
    """Rows of fractions or of balls as a matrix."""
    if any(isinstance(x, arb) for row in rows for x in row):
        return arb_mat([[balls.ball(x) for x in row] for row in rows])
    return fmpq_mat(rows)


def _lattice(n, weight):
    """The constant and the wave of one period, the latter with a weight."""
    rest = 1 - weight
    return _matrix(
        [
            [
                balls.plus(rest, balls.times(weight, cosine(fmpq(x - y, n))))
                for y in range(n)
            ]
            for x in range(n)
        ]
    )


def _n(c):
    return int(c.chosen("n"))


def _columns(c):
    return [int(j) for j in c.chosen("columns")]


def _rare(c):
    return _lattice(_n(c), fmpq(1, _n(c)))


_RARE.enter("K", _rare)


@_RARE.route
def ones(c):
    return [fmpq(1)] * _n(c)


@_RARE.route
def waves(c):
    n = _n(c)
    return _matrix([[cosine(fmpq(x, n)), sine(fmpq(x, n))] for x in range(n)])


@_RARE.route
def hits(c):
    return fmpq(sum(1 for j in c.chosen("picked") if j == 0))


@_RARE.route
def K_hat(c):
    """The kernel of the frequencies that were drawn, each as often as it was."""
    return _lattice(_n(c), hits(c) / c.chosen("m"))


@_RARE.route
def C(c):
    return balls.part(_rare(c), range(_n(c)), _columns(c))


@_RARE.route
def W(c):
    return balls.part(_rare(c), _columns(c), _columns(c))


@law
def rare_counts(case):
    """Draws by how often the rare frequency comes."""
    n, m = int(case.chosen("n")), int(case.chosen("m"))
    for chance, S in multinomial([fmpq(1, n), fmpq(n - 1, n)], m):
        yield chance, case.but(picked=_fractions(S))


# --- All frequencies alike ------------------------------------------------------------

_FLAT = Routes("FunctionSpan")


@_FLAT.route
def r(c):
    return fmpq(balls.rank(c.chosen("functions")))


@_FLAT.route
def all_frequencies(c):
    n = c.n

    def entry(x, y):
        return _mean([cosine(fmpq(j * (x - y), n)) for j in range(n)])

    return _matrix([[entry(x, y) for y in range(n)] for x in range(n)])


# --- Sums of sinusoids ----------------------------------------------------------------

_SUMS = Routes("Sinusoids")


def _frequencies(c):
    """The frequencies as integers, row by row."""
    u = c.chosen("u")
    half = fmpq(1, 2)
    return [
        [int((u[i, a] + half).floor()) for a in range(u.ncols())]
        for i in range(u.nrows())
    ]


def _dimension(c):
    return c.chosen("u").ncols()


def _highest(c):
    return max(abs(j) for u in _frequencies(c) for j in u)


def _grid(c):
    J = _highest(c)
    return [*product(range(-J, J + 1), repeat=_dimension(c))]


def _dot(a, b):
    return balls.total(balls.times(x, y) for x, y in zip(a, b, strict=True))


def _value(c, cosine_of, sine_of):
    """Of the sum, from the cosine and the sine of each angle."""
    terms = zip(c.chosen("ws"), c.chosen("wc"), _frequencies(c), strict=True)
    return balls.total(
        balls.plus(balls.times(s, sine_of(u)), balls.times(w, cosine_of(u)))
        for s, w, u in terms
    )


@_SUMS.route
def f(c):
    """At the points of the lattice, whose coordinates are multiples of a turn."""
    M = 2 * _highest(c) + 1

    def at(point):
        return _value(
            c,
            lambda u: cosine(_dot(map(fmpq, u), map(fmpq, point)) / M),
            lambda u: sine(_dot(map(fmpq, u), map(fmpq, point)) / M),
        )

    return [at(point) for point in _grid(c)]


def _coefficient(c, j):
    """The Fourier coefficient of the periodic kernel at a frequency."""
    sigma = balls.ball(c.chosen("sigma"))
    square = balls.total(fmpq(x) ** 2 for x in j)
    first = (sigma / (2 * arb.pi()).sqrt()) ** _dimension(c)
    return first * (-(sigma**2) * balls.ball(square) / 2).exp()


@_SUMS.route
def K(c):
    """Entries from the differences of the points."""
    M, grid = 2 * _highest(c) + 1, _grid(c)
    weights = [(j, _coefficient(c, j)) for j in grid]

    def entry(x, y):
        step = [fmpq(a - b, M) for a, b in zip(x, y, strict=True)]
        return balls.total(
            balls.times(w, cosine(_dot(map(fmpq, j), step))) for j, w in weights
        )

    return _matrix([[entry(x, y) for y in grid] for x in grid])


@_SUMS.route
def u2(c):
    return [balls.total(fmpq(j) ** 2 for j in u) for u in _frequencies(c)]


@_SUMS.route
def scale(c):
    sigma = balls.ball(c.chosen("sigma"))
    return ((2 * arb.pi()).sqrt() / sigma) ** _dimension(c) / 2


@_SUMS.route
def apart(c):
    some = _frequencies(c)
    return not any(
        u in (v, [-x for x in v]) for j, u in enumerate(some) for v in some[:j]
    )


def _summed(term, ratio):
    """A sum over all integers; what is left out is below a geometric series.

    ``ratio(k)`` bounds the quotient of the terms after k, on both sides.
    """
    found, k = term(0), 1
    while True:
        last = term(k), term(-k)
        found = found + last[0] + last[1]
        size = abs(last[0]).upper() + abs(last[1]).upper()
        bound = ratio(k)
        if bound < arb("0.5") and size < arb(2) ** (-ctx.prec - 10):
            return found + arb(0, size.upper())
        k += 1


@_SUMS.route
def images(c):
    """Images beyond the k-th are smaller by more than a half, each than the last."""
    x, sigma = (balls.ball(c.chosen(name)) for name in ("x", "sigma"))

    def term(k):
        return (-((x + 2 * arb.pi() * k) ** 2) / (2 * sigma**2)).exp()

    def ratio(k):
        nearest = 2 * arb.pi() * k - abs(x)
        quotient = (-(2 * arb.pi()) * nearest / sigma**2).exp()
        return quotient if nearest > 0 else arb(1)

    return _summed(term, ratio)


@_SUMS.route
def series(c):
    x, sigma = (balls.ball(c.chosen(name)) for name in ("x", "sigma"))

    def term(j):
        return (-((sigma * j) ** 2) / 2).exp() * (x * j).cos()

    def size(j):
        return (-((sigma * j) ** 2) / 2).exp()

    found, j = term(0), 1
    while True:
        found = found + term(j) + term(-j)
        after = size(j + 1)
        quotient = (-(sigma**2) * (2 * j + 3) / 2).exp()
        if quotient < arb("0.5") and after < arb(2) ** (-ctx.prec - 10):
            rest = found + arb(0, (4 * after).upper())
            return sigma / (2 * arb.pi()).sqrt() * rest
        j += 1


@_SUMS.route
def norm_on_examples(c):
    """``f' K^-1 f`` with the Gaussian kernel, on examples that are all different."""
    X = c.chosen("examples")
    rows = sorted({tuple(X[i, a] for a in range(X.ncols())) for i in range(X.nrows())})
    sigma = balls.ball(c.chosen("sigma"))

    def entry(x, y):
        square = balls.total((a - b) ** 2 for a, b in zip(x, y, strict=True))
        return (-balls.ball(square) / (2 * sigma**2)).exp()

    def at(x):
        angle = {tuple(u): balls.ball(_dot(map(fmpq, u), x)) for u in _frequencies(c)}
        return _value(
            c, lambda u: angle[tuple(u)].cos(), lambda u: angle[tuple(u)].sin()
        )

    gram = arb_mat([[entry(x, y) for y in rows] for x in rows])
    values = arb_mat([[balls.ball(at(x))] for x in rows])
    return (values.transpose() * balls.inverse(gram) * values)[0, 0]
