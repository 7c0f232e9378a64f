"""Orthogonal clusters of equal points: an instance of any size, one count a cluster.

Where a bound for a chance is close to attained the matrices are large.  Here they are
as large as one likes: what a sample shows depends on how many points of each cluster
it has, and the chance of that is hypergeometric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.stats

from nystheory.engine.instances import Instance, as_float, in_fractions
from nystheory.engine.laws import counts


@dataclass(frozen=True, eq=False)
class Clusters:
    """Clusters, how many points of each are sampled, and a rank.

    Parameters
    ----------
    sizes : tuple of int
    counts : tuple of int
        Sampled points of each cluster; of a random sample only their sum matters.
    rank : int
    squares : tuple of number
        Squared lengths of the points, 1 by default; text means what it says.
    extra : mapping of str to number
        What a statement needs besides, delta for one.

    Examples
    --------
    >>> case = Clusters((3, 1), (1, 0), 1)
    >>> case.n, case.spectrum.tolist(), case.error_spectrum.tolist()
    (4, [3.0, 1.0, 0.0, 0.0], [0.0, 1.0])
    """

    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    rank: int
    squares: tuple = ()
    name: str = "orthogonal clusters"
    extra: Mapping = field(default_factory=dict)

    def __post_init__(self):
        if not self.squares:
            object.__setattr__(self, "squares", (1,) * len(self.sizes))
        object.__setattr__(self, "_plain", dict(self.extra))
        floats = {name: as_float(value) for name, value in self.extra.items()}
        object.__setattr__(self, "extra", floats)

    def __repr__(self):
        return f"Clusters({self.name}: n={self.n}, l={self.l}, k={self.k})"

    # What was measured before sampling holds for every sample.
    measured, _measure = Instance.measured, Instance._measure
    _seen = cached_property(lambda self: {})

    @cached_property
    def _known(self) -> dict:
        return {}

    def but(self, **changes):
        """A copy with some fields exchanged; ``extra`` entries may be named."""
        names = self.__dataclass_fields__
        named = {k: v for k, v in changes.items() if k not in names}
        fields = {k: v for k, v in changes.items() if k in names}
        fields.setdefault("extra", {**self.extra, **named})
        other = replace(self, **fields)
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
    def diagonal(self) -> np.ndarray:
        """Squared lengths, one for each cluster."""
        return np.array([as_float(s) for s in self.squares])

    @cached_property
    def values(self) -> np.ndarray:
        """The eigenvalue of each cluster."""
        return np.array(self.sizes) * self.diagonal

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
        return float((np.array(self.sizes) * self.diagonal**2).sum()) - float(
            (self.values**2).sum() / self.n
        )

    @cached_property
    def largest_distance(self) -> float:
        """Of two points, in different clusters if there are two."""
        longest = np.sort(self.diagonal)[-2:]
        return math.sqrt(longest.sum()) if len(self.sizes) > 1 else 0.0

    @cached_property
    def _in_sample(self) -> np.ndarray:
        return np.array(self.counts) * self.diagonal

    @cached_property
    def condition(self) -> float:
        """Infinite at a tie of the core, else 1."""
        order = np.r_[np.sort(self._in_sample)[::-1], 0.0]
        tied = self.k < len(order) and order[self.k - 1] == order[self.k] > 0
        return math.inf if tied else 1.0

    @cached_property
    def error_spectrum(self) -> np.ndarray:
        """Eigenvalues of the error: of the clusters that are not kept."""
        order = np.argsort(-self._in_sample, kind="stable")[: self.k]
        kept = np.isin(np.arange(len(self.sizes)), order) & (self._in_sample > 0)
        return np.where(kept, 0.0, self.values)

    @cached_property
    def distance(self) -> np.ndarray:
        """Eigenvalues of ``X X' - Z Z'``."""
        return self.values - self.n / self.l * self._in_sample

    def outcomes(self, law: str):
        """Every count with its probability; all claims share what is measured."""
        if law not in self._listed:
            self._listed[law] = self._list(law)
        return self._listed[law]

    @cached_property
    def _listed(self) -> dict:
        return {}

    def _list(self, law):
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
        return [(float(p), self.but(counts=tuple(c))) for p, c in pairs]

    def draw(self, law: str, rng):
        """The instance with a random sample."""
        listed = self.outcomes(law)
        chosen = rng.choice(len(listed), p=[p for p, _ in listed])
        return listed[chosen][1]

    def in_fractions(self) -> dict:
        """In exact numbers, for `nystheory.exact.Case.of`."""
        given = {name: in_fractions(value) for name, value in self._plain.items()}
        told = {"sizes": list(self.sizes), "counts": list(self.counts)}
        told["squares"] = [in_fractions(s) for s in self.squares]
        return {"clusters": told, "rank": self.rank, "given": given, "landmarks": []}
