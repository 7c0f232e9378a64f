"""Orthogonal clusters of equal points: an instance of any size, one count a cluster.

Where a bound for a chance is close to attained the matrices are large.  Here they are
as large as one likes: what a sample shows depends on how many points of each cluster
it has, and the chance of that is hypergeometric.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import scipy.stats

from nystheory.engine.worlds.drawn_columns import counts
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import as_float, in_fractions
from nystheory.engine.worlds.measured import Measured
from nystheory.engine.worlds.worlds import World


def groups_of(points, sizes, rank=1, landmarks=(0,), **given) -> Instance:
    """Groups of equal points: a column of `points` for each, so many times.

    The matrix is formed; a sample is told by how many of each group it has.

    Examples
    --------
    >>> groups_of([[1, 2]], (2, 1)).points.tolist()
    [[1.0, 1.0, 2.0]]
    """
    X = np.repeat(np.asarray(points, dtype=float), sizes, axis=1)
    case = Instance.from_points(X, landmarks, rank, f"{len(sizes)} groups", **given)
    return case.but(groups=tuple(map(int, sizes)))


class Clusters(World):
    """Clusters, how many points of each are sampled, and a rank.

    Parameters
    ----------
    sizes : tuple of int
    counts : tuple of int
        Sampled points of each cluster; of a random sample only their sum matters.
    rank : int
    squares : tuple of number
        Squared lengths of the points, 1 by default; text means what it says.
    **given : number
        What a statement speaks of besides, delta for one; text means what it says.

    Examples
    --------
    >>> case = Clusters((3, 1), (1, 0), 1)
    >>> case.n, case.spectrum.tolist(), case.error_spectrum.tolist()
    (4, [3.0, 1.0, 0.0, 0.0], [0.0, 1.0])
    """

    sizes: tuple[int, ...] = ()
    moves = False
    # Of counts, one of those that are listed; the laws of columns draw columns.
    draw = Measured.draw

    def __init__(
        self, sizes, counts, rank, squares=(), name="orthogonal clusters", **given
    ):
        self.sizes, self.counts, self.rank = tuple(sizes), tuple(counts), rank
        self.squares = tuple(squares) or (1,) * len(self.sizes)
        super().__init__(name, **{x: as_float(value) for x, value in given.items()})
        self.plain = given

    @classmethod
    def of_ones(cls, sizes, l, origin=0, **given):  # noqa: E741 - the field's letter
        """Clusters of points of length 1, other points at the origin, and full rank.

        >>> Clusters.of_ones((2, 4), 3, origin=1).counts
        (2, 1, 0)
        """
        whole = (*sizes, origin) if origin else tuple(sizes)
        before = np.cumsum((0, *whole[:-1]))
        first = np.clip(l - before, 0, whole).tolist()
        squares = tuple(int(j < len(sizes)) for j in range(len(whole)))
        return cls(whole, tuple(first), len(sizes), squares, **given)

    def __repr__(self):
        return f"Clusters({self.name}: n={self.n}, l={self.l}, k={self.k})"

    def but(self, **changes):
        """A copy with some of its parts exchanged."""
        own = {"sizes": self.sizes, "counts": self.counts, "squares": self.squares}
        own |= {"rank": self.rank, "name": self.name}
        other = type(self)(**{**own, **self.plain, **changes})
        if set(changes) == {"counts"} and other.l == self.l:
            other.__dict__["_known"] = self._known
        return other

    @property
    def n(self) -> int:
        """Number of points."""
        return sum(self.sizes)

    @property
    def l(self) -> int:  # noqa: E743 - the field's letter
        """Number of landmarks."""
        return sum(self.counts)

    @property
    def k(self) -> int:
        """The rank asked for."""
        return self.rank

    @cached_property
    def lengths(self) -> np.ndarray:
        """Squared lengths, one for each cluster."""
        return np.array([as_float(s) for s in self.squares])

    @property
    def diagonal(self) -> np.ndarray:
        """The diagonal of the whole matrix, (n,)."""
        return np.repeat(self.lengths, self.sizes)

    @property
    def landmarks(self) -> np.ndarray:
        """The first points of each cluster, (l,)."""
        starts = np.cumsum((0, *self.sizes[:-1]))
        sampled = zip(starts, self.sizes, self.counts, strict=True)
        return np.concatenate([a + np.arange(c) % m for a, m, c in sampled])

    @cached_property
    def values(self) -> np.ndarray:
        """The eigenvalue of each cluster."""
        return np.array(self.sizes) * self.lengths

    @cached_property
    def apart(self) -> list[int]:
        """Sizes of the clusters that are not at the origin."""
        return np.array(self.sizes)[self.lengths > 0].tolist()

    @property
    def origin(self) -> int:
        """Number of points at the origin."""
        return self.n - sum(self.apart)

    # No singular value is grey, by construction.
    rank_is_clear = rank_is_obvious = True
    rank_K = property(lambda self: len(self.apart))

    @property
    def M(self) -> float:
        """Basis-free coherence: the points of the smallest cluster stand out most."""
        return self.n / min(self.apart)

    @property
    def vectors(self) -> np.ndarray:
        """Eigenvectors of the clusters that are not at the origin, (n, rank)."""
        rows = np.diag(1 / np.sqrt(self.sizes))[:, self.lengths > 0]
        return np.repeat(rows, self.sizes, axis=0)

    @property
    def K(self) -> np.ndarray:
        """The matrix of one point of each cluster, which tells the whole one."""
        return np.diag(self.lengths)

    @cached_property
    def norm_K(self) -> float:
        """Spectral norm of K."""
        return float(self.values.max())

    @cached_property
    def spectrum(self) -> np.ndarray:
        """Eigenvalues of K, largest first."""
        return np.r_[np.sort(self.values)[::-1], np.zeros(self.n - len(self.values))]

    @cached_property
    def spread(self) -> float:
        """``sum K_ii^2 - |K|_F^2 / n``."""
        return float((np.array(self.sizes) * self.lengths**2).sum()) - float(
            (self.values**2).sum() / self.n
        )

    @cached_property
    def largest_distance(self) -> float:
        """Of two points, in different clusters if there are two."""
        longest = np.sort(self.lengths)[-2:]
        return math.sqrt(longest.sum()) if len(self.sizes) > 1 else 0.0

    @cached_property
    def _in_sample(self) -> np.ndarray:
        return np.array(self.counts) * self.lengths

    @cached_property
    def condition(self) -> float:
        """Infinite at a tie of the core, else 1."""
        order = np.r_[np.sort(self._in_sample)[::-1], 0.0]
        tied = self.k < len(order) and order[self.k - 1] == order[self.k] > 0
        return math.inf if tied else 1.0

    @cached_property
    def kept(self) -> np.ndarray:
        """Whether a cluster is one of the k largest of the sample."""
        order = np.argsort(-self._in_sample, kind="stable")[: self.k]
        return np.isin(np.arange(len(self.sizes)), order) & (self._in_sample > 0)

    @property
    def approximation(self) -> np.ndarray:
        """That of one point of each cluster, beside `K`."""
        return np.diag(np.where(self.kept, self.lengths, 0.0))

    @cached_property
    def error_spectrum(self) -> np.ndarray:
        """Eigenvalues of the error: of the clusters that are not kept."""
        return np.where(self.kept, 0.0, self.values)

    @cached_property
    def distance(self) -> np.ndarray:
        """Eigenvalues of ``X X' - Z Z'``."""
        return self.values - self.n / self.l * self._in_sample

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cases of one shape are compared with each other by a search."""
        return self.n, self.l, self.k

    def outcomes(self, law: str):
        """Every count with its probability; all claims share what is measured."""
        if law not in self._listed:
            self._listed[law] = self._outcomes(law)
        return self._listed[law]

    def _outcomes(self, law):
        if law == "surely":
            return [(1.0, self)]
        repeated = {"uniform": False, "with_replacement": True}[law]
        found = np.array(list(counts(self.sizes, self.l, repeated)))
        if repeated:
            shares = np.array(self.sizes) / self.n
            chances = scipy.stats.multinomial(self.l, shares).pmf(found)
        else:
            law_of = scipy.stats.multivariate_hypergeom(self.sizes, self.l)
            chances = law_of.pmf(found)
        chances = chances / chances.sum()
        pairs = zip(chances, found.tolist(), strict=True)
        return [(float(p), self.but(counts=tuple(c))) for p, c in pairs if p > 0]

    def in_fractions(self) -> dict:
        """In exact numbers, for `nystheory.exact.Case.of`."""
        given = {name: in_fractions(value) for name, value in self.plain.items()}
        told = {"sizes": list(self.sizes), "counts": list(self.counts)}
        told["squares"] = [in_fractions(s) for s in self.squares]
        return told | {"rank": self.rank, "given": given} | self._scopes()
