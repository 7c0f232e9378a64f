"""Orthogonal clusters of equal points, of any size, in fractions.

One count for each cluster says all of a sample.  A cluster of m points of squared
length s is one eigenvalue m s of K; with c of its points in the sample it is the
eigenvalue c s of W, and the approximation of rank k keeps the k largest of these.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial, prod

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.case import CASES, AnyCase
from nystheory.exact.laws import counts


@dataclass(frozen=True, eq=False)
class ClusterCase(AnyCase):
    """Clusters, how many points of each are sampled, and a rank.

    Parameters
    ----------
    sizes : tuple of int
    squares : tuple of fmpq
        Squared lengths of the points.
    counts : tuple of int
        Sampled points of each cluster.
    rank : int
    given : dict
    """

    sizes: tuple
    squares: tuple
    counts: tuple
    rank: int
    given: dict
    scopes: tuple = ()

    @classmethod
    def of(cls, sizes, squares, counts, rank, given, scopes=(), draws=()):
        """From integers and texts."""
        values = {name: balls.number(x) for name, x in given.items()}
        lengths = tuple(map(balls.number, squares))
        return cls(tuple(sizes), lengths, tuple(counts), rank, values, tuple(scopes))

    @property
    def n(self):
        return sum(self.sizes)

    @property
    def l(self):  # noqa: E743 - the field's letter
        return sum(self.counts)

    @property
    def K(self):
        """The matrix of one point of each cluster: lengths and distances are there."""
        return balls.diagonal(list(self.squares))

    @cached_property
    def values(self):
        """The eigenvalue of each cluster."""
        return [m * s for m, s in zip(self.sizes, self.squares, strict=True)]

    @cached_property
    def spectrum(self):
        """The eigenvalues, and as many zeros as anybody asks for."""
        zeros = [fmpq(0)] * min(self.n - len(self.values), self.rank + 1)
        return sorted(self.values, reverse=True) + zeros

    @cached_property
    def spread(self):
        pairs = zip(self.sizes, self.squares, strict=True)
        diagonal = balls.total(m * s**2 for m, s in pairs)
        return diagonal - balls.total(v**2 for v in self.values) / self.n

    @cached_property
    def error(self):
        """What is missed, a diagonal matrix with one entry for each cluster."""
        seen = [c * s for c, s in zip(self.counts, self.squares, strict=True)]
        order = sorted(range(len(seen)), key=lambda j: -seen[j])
        kept = [j for j in order[: self.rank] if seen[j] > 0]
        left = [seen[j] for j in order[self.rank :]]
        if kept and left and seen[kept[-1]] == left[0]:
            raise Unknown("a tie at the cut: the approximation is not unique")
        missed = [0 if j in kept else self.values[j] for j in range(len(seen))]
        return balls.diagonal([fmpq(x) for x in missed])

    @cached_property
    def distance(self):
        """``X X' - Z Z'`` along the axes."""
        share = fmpq(self.n, self.l)
        rows = zip(self.sizes, self.counts, self.squares, strict=True)
        return balls.diagonal([(m - share * c) * s for m, c, s in rows])

    def outcomes(self, law):
        """Every count with its exact probability."""
        if law == "surely":
            yield fmpq(1), self
            return
        repeated = {"uniform": False, "with_replacement": True}[law]
        for count in counts(self.sizes, self.l, repeated):
            yield self._chance(count, repeated), self.but(counts=count)

    def _chance(self, count, repeated):
        if not repeated:
            ways = prod(comb(m, c) for m, c in zip(self.sizes, count, strict=True))
            return fmpq(ways, comb(self.n, self.l))
        orders = factorial(self.l) // prod(map(factorial, count))
        ways = prod(m**c for m, c in zip(self.sizes, count, strict=True))
        return fmpq(orders * ways, self.n**self.l)


CASES["Clusters"] = ClusterCase
