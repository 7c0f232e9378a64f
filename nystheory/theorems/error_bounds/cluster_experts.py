"""Experts on disjoint samples of two clusters: where their bounds come close, or fail.

What an expert does depends on how many points of each cluster it has; the chances are
hypergeometric, here in floats through logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.stats

from nystheory.engine.instances import Instance, as_float, in_fractions

WEIGHTS = ("first", "equal", "worst")


@dataclass(frozen=True, eq=False)
class ClusterExperts:
    """Orthogonal clusters of ``a >= b`` equal points of length one, and p experts.

    Parameters
    ----------
    a, b : int
    per_expert, p : int
        p disjoint samples of so many points.
    rank : int
        With rank 2 an expert misses the cluster that it has not met; with rank 1 it
        takes the cluster of which it has more for the leading direction.
    weights : str
        ``first``: all weight on the first expert; ``equal``: on two experts;
        ``worst``: all on the worst, chosen after sampling (``p l = n``).
    extra : mapping
        delta.
    missed, worst : (float, float)
        Of an outcome: the share of each cluster that the mixture misses, and that
        the worst expert does.

    Examples
    --------
    >>> case = ClusterExperts(3, 1, 1, 2, 2, "equal")
    >>> [(round(p, 3), o.missed) for p, o in case.outcomes("decompositions")]
    [(0.5, (0.5, 0.5)), (0.5, (0.0, 1.0))]
    """

    a: int
    b: int
    per_expert: int
    p: int
    rank: int
    weights: str = "first"
    extra: Mapping = field(default_factory=dict)
    missed: tuple = (0.0, 0.0)
    worst: tuple = (0.0, 0.0)
    name: str = "experts on two clusters"

    def __post_init__(self):
        if self.weights not in WEIGHTS:
            raise ValueError(f"weights: expected one of {WEIGHTS}")
        object.__setattr__(self, "_plain", dict(self.extra))
        known = {"experts": self.p, "mu_max": 0.5 if self.weights == "equal" else 1.0}
        floats = {name: as_float(value) for name, value in self.extra.items()}
        object.__setattr__(self, "extra", known | floats)

    measured, _measure = Instance.measured, Instance._measure

    @cached_property
    def _seen(self) -> dict:
        return {}

    @cached_property
    def _known(self) -> dict:
        return {}

    def but(self, **changes):
        """A copy with some fields exchanged; entries of `extra` may be named."""
        names = self.__dataclass_fields__
        extra = {k: v for k, v in changes.items() if k not in names}
        fields = {k: v for k, v in changes.items() if k in names}
        given = {**self._plain, **fields.pop("extra", {}), **extra}
        return replace(self, **fields, extra=given)

    n = property(lambda self: self.a + self.b)
    l = property(lambda self: self.per_expert)  # noqa: E741
    k = property(lambda self: self.rank)
    norm_K = property(lambda self: float(max(self.a, self.b)))
    diagonal = property(lambda self: np.ones(2))
    largest_distance = property(lambda self: math.sqrt(2))

    @property
    def spread(self) -> float:
        """``sum K_ii^2 - |K|_F^2 / n``."""
        return self.n - (self.a**2 + self.b**2) / self.n

    @property
    def spectrum(self) -> np.ndarray:
        """The eigenvalues that are not zero, largest first, and one that is."""
        return np.array([max(self.a, self.b), min(self.a, self.b), 0.0])

    def _of(self, shares) -> np.ndarray:
        return np.array([self.a, self.b]) * np.array(shares)

    @property
    def mixture_spectrum(self) -> np.ndarray:
        """Eigenvalues of the error of the mixture."""
        return self._of(self.missed)

    @property
    def worst_spectra(self) -> list[np.ndarray]:
        """Eigenvalues of the error of the worst expert."""
        return [self._of(self.worst)]

    def outcomes(self, law: str):
        """What the experts miss, with probabilities."""
        if law != "decompositions":
            raise ValueError(f"law: expected 'decompositions', got {law!r}")
        rows = getattr(self, f"_{self.weights}_{self.rank}")()
        return [
            (float(p), self.but(missed=missed, worst=worst))
            for p, missed, worst in rows
            if p > 0
        ]

    def _counts(self, size, total, drawn):
        """Logarithms of the chances of 0, ..., l points of a cluster."""
        law = scipy.stats.hypergeom(total, size, drawn)
        return law.logpmf(np.arange(drawn + 1))

    def _alone(self):
        """Chances that the first expert sees only b, and only a."""
        logs = self._counts(self.a, self.n, self.l)
        return np.exp(logs[0]), np.exp(logs[-1])

    def _first_2(self):
        no_a, no_b = self._alone()
        yield no_a, (1.0, 0.0), (1.0, 0.0)
        yield no_b, (0.0, 1.0), (0.0, 1.0)
        yield 1 - no_a - no_b, (0.0, 0.0), (0.0, 0.0)

    def _equal_2(self):
        no_a, no_b = self._alone()
        rest = self.n - self.l
        both_a = both_b = 0.0
        if self.b >= 2 * self.l:
            both_a = no_a * np.exp(self._counts(self.a, rest, self.l)[0])
        if self.a >= 2 * self.l:
            both_b = no_b * np.exp(self._counts(self.a - self.l, rest, self.l)[-1])
        crossed = 2 * no_a * np.exp(self._counts(self.a, rest, self.l)[-1])
        one_a = max(2 * (no_a - both_a) - crossed, 0.0)
        one_b = max(2 * (no_b - both_b) - crossed, 0.0)
        larger = (1.0, 0.0) if self.a >= self.b else (0.0, 1.0)
        # What cancels to rounding is nothing.
        small = 1e-9 * max(no_a, no_b)
        yield one_a if one_a > small else 0.0, (0.5, 0.0), (1.0, 0.0)
        yield one_b if one_b > small else 0.0, (0.0, 0.5), (0.0, 1.0)
        yield crossed, (0.5, 0.5), larger
        yield both_a, (1.0, 0.0), (1.0, 0.0)
        yield both_b, (0.0, 1.0), (0.0, 1.0)
        none = 1 - one_a - one_b - crossed - both_a - both_b
        yield none if none > 1e-12 else 0.0, (0.0, 0.0), (0.0, 0.0)

    def _first_1(self):
        wrong = np.exp(self._counts(self.b, self.n, self.l)[(self.l + 1) // 2 :]).sum()
        yield wrong, (1.0, 0.0), (1.0, 0.0)
        yield 1 - wrong, (0.0, 1.0), (0.0, 1.0)

    def _equal_1(self):
        half, left = (self.l + 1) // 2, self.n - self.l
        first = np.exp(self._counts(self.b, self.n, self.l))[half:]
        second = [
            np.exp(self._counts(self.b - c, left, self.l))[half:].sum()
            for c in range(half, self.l + 1)
        ]
        two, wrong = float(first @ second), float(first.sum())
        yield two, (1.0, 0.0), (1.0, 0.0)
        yield 2 * (wrong - two), (0.5, 0.5), (1.0, 0.0)
        yield 1 - 2 * wrong + two, (0.0, 1.0), (0.0, 1.0)

    def _worst_1(self):
        """Counts of the smaller cluster are binomial, given their sum."""
        share = self.b / self.n
        right = scipy.stats.binom(self.l, share).pmf(np.arange((self.l + 1) // 2))
        sums = np.ones(1)
        for _ in range(self.p):
            sums = np.convolve(sums, right)
        none = sums[self.b] if self.b < len(sums) else 0.0
        none /= scipy.stats.binom(self.n, share).pmf(self.b)
        yield 1 - none, (1.0, 0.0), (1.0, 0.0)
        yield none, (0.0, 1.0), (0.0, 1.0)

    def draw(self, law: str, rng):
        """The instance with a random outcome."""
        listed = self.outcomes(law)
        chosen = rng.choice(len(listed), p=[p for p, _ in listed])
        return listed[chosen][1]

    def in_fractions(self) -> dict:
        """In exact numbers, for `nystheory.exact.Case.of`."""
        given = {name: in_fractions(value) for name, value in self._plain.items()}
        given |= {"experts": self.p, "mu_max": "1/2" if self.weights == "equal" else 1}
        told = {"sizes": [self.a, self.b], "l": self.l, "p": self.p}
        told["weights"] = self.weights
        return {"experts": told, "rank": self.rank, "given": given, "landmarks": []}
