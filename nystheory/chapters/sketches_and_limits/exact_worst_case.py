"""Routes for the matrix of blocks on which no choice of columns does well."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import route


def _size(c):
    """Points in each of k blocks."""
    size, rest = divmod(c.n, c.k)
    if rest or size < 2:
        raise Unknown("no blocks of one size, at least 2")
    return size


@route
def similarity(c):
    if c.n < 2:
        raise Unknown("one point has no similarity to another")
    return c.K[0, 1]


@route
def worst_case(c):
    size, a = _size(c), similarity(c)
    together = [[i // size == j // size for j in range(c.n)] for i in range(c.n)]
    return balls.matrix(
        [
            [fmpq(1) if i == j else a if row[j] else fmpq(0) for j in range(c.n)]
            for i, row in enumerate(together)
        ]
    )


@route
def fewest(c):
    if c.n % c.k:
        raise Unknown("no blocks of one size")
    size = c.n // c.k
    counts = [len({j for j in c.landmarks if j // size == b}) for b in range(c.k)]
    return fmpq(min(counts))
