"""Routes for ridge leverage scores, and for a sample that judges itself."""

from itertools import combinations, product

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.matrix_functions import eliminated
from nystheory.exact.routes import route


def _ridge(c):
    return balls.multiply(c.chosen("alpha"), balls.identity(c.n))


@route
def ridge_scores(c):
    product = c.K * balls.inverse(balls.add(c.K, _ridge(c)))
    return [product[j, j] for j in range(c.n)]


@route
def scores(c):
    return c.chosen("scores").entries()


@route
def score_sum(c):
    return balls.total(scores(c))


def _chances(c, constant):
    """``min(1, constant * score * log(sum of the scores / delta))``."""
    ratio = balls.ball(balls.divide(score_sum(c), c.chosen("delta")))
    wanted = [balls.times(constant * x, ratio.log()) for x in scores(c)]
    return [balls.smallest([fmpq(1), x]) for x in wanted]


@route
def inclusion(c):
    return _chances(c, fmpq(16))


@route
def mean_size(c):
    """From the chance of each size, one column after another."""
    law = [fmpq(1)]
    for p in inclusion(c):
        out, taken = balls.plus(1, -p), [fmpq(0), *law]
        law = [
            balls.plus(balls.times(stays, out), balls.times(grows, p))
            for stays, grows in zip([*law, fmpq(0)], taken, strict=True)
        ]
    return balls.total(balls.times(size, p) for size, p in enumerate(law))


@route
def spectral_miss(c):
    return balls.norm(eliminated(c.K, c.landmarks))


def _hit(c, chances):
    """Which groups of equal points are hit, told by their first points."""
    sizes = c.groups or (1,) * c.n
    first, missed = [sum(sizes[:g]) for g in range(len(sizes))], []
    for start, size in zip(first, sizes, strict=True):
        each = [balls.plus(1, -p) for p in chances[start : start + size]]
        missed.append(balls.multiply(*each))
    for hits in product((True, False), repeat=len(sizes)):
        pairs = zip(missed, hits, strict=True)
        chance = balls.multiply(*(balls.plus(1, -m) if hit else m for m, hit in pairs))
        if chance != 0:
            stand = [j for j, hit in zip(first, hits, strict=True) if hit]
            yield chance, c.but(landmarks=tuple(stand))


@law
def by_scores(case):
    """Every column on its own, by its score: which groups of points are hit."""
    yield from _hit(case, inclusion(case))


@law
def by_fewer_scores(case):
    """The same with the constant 2.4 in the place of 16."""
    yield from _hit(case, _chances(case, fmpq(12, 5)))


# --- One landmark left out -----------------------------------------------------------


def _left_out(c):
    """What the other landmarks leave of each sampled column."""
    kept = [[*c.landmarks[:place], *c.landmarks[place + 1 :]] for place in range(c.l)]
    return [
        balls.column(eliminated(c.K, rest), j)
        for rest, j in zip(kept, c.landmarks, strict=True)
    ]


@route
def left_entries(c):
    return [x[j] for x, j in zip(_left_out(c), c.landmarks, strict=True)]


@route
def left_squares(c):
    return [balls.total(balls.times(y, y) for y in x) for x in _left_out(c)]


@route
def trace_from_core(c):
    """From the core alone: one over the diagonal of its inverse, where it has one."""
    kept = [[j for j in range(c.l) if j != place] for place in range(c.l)]
    left = [eliminated(c.W, rest)[j, j] for j, rest in enumerate(kept)]
    return fmpq(c.n - c.l + 1, c.l) * balls.total(left)


@route
def inverse_entries(c):
    """By Cramer's rule."""
    whole, kept = c.W.det(), [[j for j in range(c.l) if j != p] for p in range(c.l)]
    minors = [balls.part(c.W, rest, rest) for rest in kept]
    return [balls.divide(A.det() if c.l > 1 else fmpq(1), whole) for A in minors]


@route
def solved_squares(c):
    solved = balls.multiply(c.C, balls.inverse(c.W))
    columns = [balls.column(solved, j) for j in range(c.l)]
    return [balls.total(balls.times(x, x) for x in column) for column in columns]


def _mean_error(c, count, measure):
    """Over all samples of so many columns."""
    samples = list(combinations(range(c.n), count))
    found = [measure(eliminated(c.K, S)) for S in samples]
    return balls.total(found) / len(found)


@route
def trace_with_fewer(c):
    return _mean_error(c, c.l - 1, balls.trace)


@route
def trace_with_as_many(c):
    return _mean_error(c, c.l, balls.trace)


@route
def square_with_fewer(c):
    return _mean_error(c, c.l - 1, balls.squares)
