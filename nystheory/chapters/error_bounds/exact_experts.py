"""Routes for experts on disjoint samples, on small matrices and on two clusters."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from flint import fmpq, fmpz_poly

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.case import CASES, AnyCase, Case
from nystheory.exact.laws import law
from nystheory.exact.routes import route


@law
def decompositions(case):
    """Every way to draw disjoint samples of l columns for the experts, in order."""
    if not isinstance(case, Case):
        yield from case.outcomes("decompositions")
        return
    found = list(_split(tuple(range(case.n)), case.l, _experts(case)))
    for S in found:
        yield fmpq(1, len(found)), case.but(landmarks=S)


def _experts(c):
    return c.samples


def _split(rest, l, p):  # noqa: E741
    if p == 0:
        yield ()
        return
    for part in combinations(rest, l):
        left = tuple(j for j in rest if j not in part)
        for others in _split(left, l, p - 1):
            yield part + others


def _errors(c):
    """The error of the mixture, and of each expert."""
    if not isinstance(c, Case):
        return c.errors()
    p = _experts(c)
    mu = c.given.get("weights", balls.matrix([[1]]))
    parts = [c.landmarks[r * c.l : (r + 1) * c.l] for r in range(p)]
    alone = [Case(c.K, part, c.rank).approximation for part in parts]
    mixed = balls.multiply(alone[0], mu[0, 0])
    for r in range(1, p):
        mixed = balls.add(mixed, balls.multiply(alone[r], mu[0, r]))
    return _error(c, mixed), [_error(c, each) for each in alone]


def _error(c, approximation):
    return balls.symmetric_part(balls.subtract(c.K, approximation))


@route
def mixture_2(c):
    return balls.norm(_errors(c)[0])


@route
def mixture_F(c):
    return balls.frobenius(_errors(c)[0])


@route
def worst_2(c):
    return balls.largest(list(map(balls.norm, _errors(c)[1])))


@route
def worst_F(c):
    return balls.largest(list(map(balls.frobenius, _errors(c)[1])))


# --- Two clusters, of any size ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ExpertCase(AnyCase):
    """Two orthogonal clusters of equal points of length one, and p experts.

    Parameters
    ----------
    sizes : (int, int)
        The larger first.
    l, p, rank : int
    weights : str
        ``first``: all on the first expert; ``equal``: of two experts; ``worst``: all
        on the worst, chosen after sampling, where all points are sampled.
    given : dict
    missed, worst : (fmpq, fmpq)
        Of an outcome: the share of each cluster that the mixture misses, and what
        the worst expert does.
    """

    sizes: tuple
    l: int  # noqa: E741
    p: int
    rank: int
    weights: str
    given: dict
    missed: tuple = ()
    worst: tuple = ()
    scopes: tuple = ()

    @classmethod
    def of(cls, sizes, l, p, weights, rank, given, scopes=(), draws=()):  # noqa: E741
        values = {name: balls.number(x) for name, x in given.items()}
        return cls(tuple(sizes), l, p, rank, weights, values, scopes=tuple(scopes))

    @property
    def n(self):
        return sum(self.sizes)

    @property
    def K(self):
        """The matrix of one point of each cluster: lengths and distances are there."""
        return balls.identity(2)

    @property
    def spectrum(self):
        return [fmpq(m) for m in self.sizes] + [fmpq(0)]

    @cached_property
    def spread(self):
        return self.n - fmpq(sum(m * m for m in self.sizes), self.n)

    def errors(self):
        """Diagonal errors of the mixture and of the worst expert."""
        mixture = [m * share for m, share in zip(self.sizes, self.missed, strict=True)]
        worst = [m * share for m, share in zip(self.sizes, self.worst, strict=True)]
        return balls.diagonal(mixture), [balls.diagonal(worst)]

    def outcomes(self, law):
        """What the experts miss, each outcome with its exact probability."""
        if law != "decompositions":
            raise Unknown(f"no law {law!r} for experts on clusters")
        listed = _LISTED[self.weights, self.rank](*self.sizes, self.l, self.p)
        for chance, missed, worst in listed:
            if chance:
                yield chance, self.but(missed=missed, worst=worst)


CASES["ClusterExperts"] = ExpertCase


_NONE, _A, _B = (fmpq(0), fmpq(0)), (fmpq(1), fmpq(0)), (fmpq(0), fmpq(1))
_HALF_A, _HALF_B = (fmpq(1, 2), fmpq(0)), (fmpq(0), fmpq(1, 2))
_HALVES = (fmpq(1, 2), fmpq(1, 2))


def _only(size, total, l):  # noqa: E741
    """The chance that l of `total` points are all among `size` of them."""
    return fmpq(comb(size, l), comb(total, l))


def _first_misses(a, b, l, p):  # noqa: E741
    """All weight on an expert of rank 2: it misses the cluster it has not met."""
    miss_a, miss_b = _only(b, a + b, l), _only(a, a + b, l)
    yield miss_a, _A, _A
    yield miss_b, _B, _B
    yield 1 - miss_a - miss_b, _NONE, _NONE


def _two_miss(a, b, l, p):  # noqa: E741
    """Two experts of rank 2 and equal weight."""
    n = a + b
    miss_a, miss_b = _only(b, n, l), _only(a, n, l)
    both_a = miss_a * _only(b - l, n - l, l) if b >= l else fmpq(0)
    both_b = miss_b * _only(a - l, n - l, l) if a >= l else fmpq(0)
    # One expert misses a and the other b, in either order.
    crossed = 2 * miss_a * _only(a, n - l, l)
    one_a, one_b = 2 * (miss_a - both_a) - crossed, 2 * (miss_b - both_b) - crossed
    yield one_a, _HALF_A, _A
    yield one_b, _HALF_B, _B
    yield crossed, _HALVES, _A if a >= b else _B
    yield both_a, _A, _A
    yield both_b, _B, _B
    yield 1 - one_a - one_b - crossed - both_a - both_b, _NONE, _NONE


def _wrong(l):  # noqa: E741
    """Counts of the smaller cluster that make it the leading direction."""
    if l % 2 == 0:
        raise Unknown("an even sample can have a tie")
    return range((l + 1) // 2, l + 1)


def _first_flips(a, b, l, p):  # noqa: E741
    """All weight on an expert of rank 1 that takes the wrong cluster, or not."""
    ways = sum(comb(b, c) * comb(a, l - c) for c in _wrong(l))
    wrong = fmpq(ways, comb(a + b, l))
    yield wrong, _A, _A
    yield 1 - wrong, _B, _B


def _two_flip(a, b, l, p):  # noqa: E741
    """Two experts of rank 1 and equal weight, by how many are wrong."""
    n, first, both = a + b, 0, 0
    for c in _wrong(l):
        ways = comb(b, c) * comb(a, l - c)
        first += ways * comb(n - l, l)
        both += ways * sum(
            comb(b - c, d) * comb(a - l + c, l - d) for d in _wrong(l) if d <= b - c
        )
    total = comb(n, l) * comb(n - l, l)
    two = fmpq(both, total)
    one = 2 * (fmpq(first, total) - two)
    yield two, _A, _A
    yield one, _HALVES, _A
    yield 1 - one - two, _B, _B


def _any_flips(a, b, l, p):  # noqa: E741
    """All weight on an expert that is wrong, if one is; all points are sampled."""
    if p * l != a + b:
        raise Unknown("not all points are sampled")
    right = fmpz_poly([comb(l, c) for c in range((l + 1) // 2)]) ** p
    none = int(right[b]) if b < right.length() else 0
    wrong = 1 - fmpq(none, comb(a + b, b))
    yield wrong, _A, _A
    yield 1 - wrong, _B, _B


_LISTED = {
    ("first", 2): _first_misses,
    ("equal", 2): _two_miss,
    ("first", 1): _first_flips,
    ("equal", 1): _two_flip,
    ("worst", 1): _any_flips,
}
