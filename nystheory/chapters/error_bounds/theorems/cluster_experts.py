"""Experts on disjoint samples of two clusters: where their bounds come close, or fail.

What an expert does depends on how many points of each cluster it has; the chances are
hypergeometric, here in floats through logarithms.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import scipy.stats

from nystheory.engine.worlds.matrices import as_float, in_fractions
from nystheory.engine.worlds.measured import Measured
from nystheory.engine.worlds.worlds import Given, World


class DisjointSamples(World):
    """Experts on disjoint samples of one size, of which a mixture is formed."""

    experts = Given(
        "p",
        "number of experts, with l columns each",
        range="1 <= floor(experts) == experts",
        says=r"$p \ge 1$ be an integer",
    )
    mu_max = Given(r"\mu_{\max}", "largest weight of an expert", range="mu_max > 0")


class ClusterExperts(DisjointSamples):
    """Orthogonal clusters of ``a >= b`` equal points of length one, and p experts.

    Parameters
    ----------
    a, b : int
    l, p : int
        p disjoint samples of l points.
    rank : int
        With rank 2 an expert misses the cluster that it has not met; with rank 1 it
        takes the cluster of which it has more for the leading direction.
    weights : str
        ``first``: all weight on the first expert; ``equal``: on two experts;
        ``worst``: all on the worst, chosen after sampling (``p l = n``).
    missed, worst : (float, float)
        Of an outcome: the share of each cluster that the mixture misses, and that
        the worst expert does.
    **given : number
        delta; text means what it says.

    Examples
    --------
    >>> case = ClusterExperts(3, 1, 1, 2, 2, "equal")
    >>> [(round(p, 3), o.missed) for p, o in case.outcomes("decompositions")]
    [(0.5, (0.5, 0.5)), (0.5, (0.0, 1.0))]
    """

    moves = False
    draw = Measured.draw
    condition_of_experts = 1.0

    def __init__(
        self,
        a,
        b,
        l,  # noqa: E741 - the field's letter
        p,
        rank,
        weights="first",
        missed=(0.0, 0.0),
        worst=(0.0, 0.0),
        name="experts on two clusters",
        **given,
    ):
        self.a, self.b, self.l, self.p, self.rank = a, b, l, p, rank
        self.weights, self.missed, self.worst = weights, missed, worst
        largest = "1/2" if weights == "equal" else 1
        given = {"experts": p, "mu_max": largest} | given
        super().__init__(name, **{x: as_float(value) for x, value in given.items()})
        self.plain = given

    # What is known of the matrix; of the spectrum what is not zero, and one zero.
    n = property(lambda self: self.a + self.b)
    k = property(lambda self: self.rank)
    norm_K = property(lambda self: float(max(self.a, self.b)))
    diagonal = property(lambda self: np.ones(2))
    largest_distance = property(lambda self: math.sqrt(2))
    spread = property(lambda self: self.n - (self.a**2 + self.b**2) / self.n)
    spectrum = property(lambda self: np.sort([0.0, self.a, self.b])[::-1])

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cases of one shape are compared with each other by a search."""
        return self.n, self.l, self.k

    def __repr__(self):
        sizes = f"a={self.a}, b={self.b}, l={self.l}, p={self.p}, k={self.k}"
        return f"ClusterExperts({sizes}, {self.weights})"

    def but(self, **changes):
        """A copy with some of its parts exchanged."""
        own = ("a", "b", "l", "p", "rank", "weights", "missed", "worst", "name")
        fields = {name: getattr(self, name) for name in own}
        return type(self)(**{**fields, **self.plain, **changes})

    @property
    def spectra(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """Eigenvalues of the error of the mixture, and of the worst expert."""
        sizes = np.array([self.a, self.b])
        return sizes * np.array(self.missed), [sizes * np.array(self.worst)]

    def outcomes(self, law: str):
        """What the experts miss, with probabilities."""
        if law != "decompositions":
            raise ValueError(f"law: expected 'decompositions', got {law!r}")
        rows = {"first": self._first, "equal": self._equal, "worst": self._worst}
        return [
            (float(p), self.but(missed=missed, worst=worst))
            for p, missed, worst in rows[self.weights]()
            if p > 0
        ]

    def _misses(self):
        """What an expert misses for which counts of a, and what it misses otherwise."""
        if self.rank == 1:
            return {(1.0, 0.0): range(self.l // 2 + 1)}, (0.0, 1.0)
        return {(1.0, 0.0): [0], (0.0, 1.0): [self.l]}, (0.0, 0.0)

    def _chances(self, counts, before=None):
        """Of counts of a; `before` is that of another expert who has drawn before."""
        drawn, seen = (0, 0) if before is None else (self.l, before)
        law = scipy.stats.hypergeom(self.n - drawn, self.a - seen, self.l)
        return np.exp(law.logpmf(counts))

    def _first(self):
        some, otherwise = self._misses()
        chances = {x: self._chances(counts).sum() for x, counts in some.items()}
        chances[otherwise] = 1 - sum(chances.values())
        yield from ((p, x, x) for x, p in chances.items())

    def _equal(self):
        """Chances of what two experts miss, in any order."""
        some, otherwise = self._misses()
        pairs = defaultdict(float)
        for x, counts in some.items():
            alone = self._chances(counts)
            drawn = [(c, p) for c, p in zip(counts, alone, strict=True) if p > 0]
            once = alone.sum()
            for y in some:
                both = sum(p * self._chances(some[y], c).sum() for c, p in drawn)
                pairs[max(x, y), min(x, y)] += both
                once -= both
            # What cancels to rounding is nothing.
            pairs[x, otherwise] = 2 * once if once > 1e-9 * alone.sum() else 0.0
        none = 1 - sum(pairs.values())
        pairs[otherwise, otherwise] = none if none > 1e-12 else 0.0
        for (x, y), p in pairs.items():
            mixture = tuple((u + v) / 2 for u, v in zip(x, y, strict=True))
            worst = max(x, y, key=lambda missed: np.dot(missed, (self.a, self.b)))
            yield p, mixture, worst

    def _worst(self):
        """Counts of the smaller cluster are binomial, given their sum."""
        if self.rank != 1 or self.p * self.l != self.n:
            raise ValueError("weights: the worst expert is for rank 1 and p l = n")
        share = self.b / self.n
        right = scipy.stats.binom(self.l, share).pmf(np.arange((self.l + 1) // 2))
        sums = np.ones(1)
        for _ in range(self.p):
            sums = np.convolve(sums, right)
        none = sums[self.b] if self.b < len(sums) else 0.0
        none /= scipy.stats.binom(self.n, share).pmf(self.b)
        yield 1 - none, (1.0, 0.0), (1.0, 0.0)
        yield none, (0.0, 1.0), (0.0, 1.0)

    def in_fractions(self) -> dict:
        """In exact numbers, for `nystheory.exact.Case.of`."""
        given = {name: in_fractions(value) for name, value in self.plain.items()}
        told = {"sizes": [self.a, self.b], "l": self.l, "p": self.p}
        told |= {"weights": self.weights, "rank": self.rank}
        return told | {"given": given} | self._scopes()
