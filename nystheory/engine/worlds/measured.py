"""What every instance offers, however it is stored: quantities, measured once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from nystheory.engine.language.numbers import UNKNOWN, Number
from nystheory.engine.language.quantity import BEFORE
from nystheory.engine.worlds.matrices import EPS

# A backward stable computation on n x n matrices errs by a modest multiple of
# n * eps * norm, and a quantity chains a handful of them.  A search maximises the
# residual, so the factor must cover the worst of thousands of cases: the largest seen
# is a tenth of it.  A false identity misses it by ten orders of magnitude.
ROUNDING = 1000.0


def _power(norm: float, unit: float) -> float:
    """The scale of a quantity; infinite where no float is large enough."""
    with np.errstate(over="ignore"):
        return float(np.float_power(norm, unit))


class Measured:
    """What every instance offers, however it is stored.

    Its sizes ``n``, ``l``, ``k`` and ``shape``; ``norm_K``, the scale of its numbers;
    `measured`, a quantity; ``outcomes(law)`` and `draw`; ``but(**changes)``, a copy;
    and, where it has them, an exact form and one landmark less.
    """

    # Whether a search may move what it is made of.
    moves = False

    @property
    def shape(self) -> tuple:
        """Cases of one shape are compared with each other by a search."""
        return self.n, self.l, self.k

    def measured(self, quantity):
        """A quantity of this instance, as a `Number` or a truth, measured once.

        Its error is that of a backward stable computation, times its condition.
        """
        found = self._known if quantity.when == BEFORE else self._seen
        if quantity.name not in found:
            found[quantity.name] = self._measure(quantity)
        return found[quantity.name]

    @cached_property
    def _seen(self) -> dict:
        """What was measured on this sample."""
        return {}

    @cached_property
    def _known(self) -> dict:
        """What was measured before sampling: every sample of the size shares it."""
        return {}

    def _measure(self, quantity):
        value = quantity.fast(self)
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        if value is None:
            return UNKNOWN
        if quantity.unit is None:
            return Number.exact(value)
        norm = max(float(self.norm_K), np.finfo(float).tiny)
        # An inverse of the zero matrix is the zero matrix.
        scale = (
            _power(norm, quantity.unit) if self.norm_K or quantity.unit >= 0 else 1.0
        )
        condition = quantity.condition(self) if quantity.condition else 1.0
        error = ROUNDING * self.n * EPS * condition * scale
        if np.ndim(value) == 0:
            return Number(float(value), error, scale)
        return Number(np.asarray(value, dtype=float), error, scale)

    @cached_property
    def _listed(self) -> dict:
        return {}

    def draw(self, law: str, rng):
        """The instance with a random sample, one of those that are listed."""
        outcomes = self.outcomes(law)
        if outcomes is None:
            raise ValueError(f"{self!r}: too many samples to list and draw from")
        listed = list(outcomes)
        p = np.array([chance for chance, _ in listed])
        return listed[rng.choice(len(listed), p=p / p.sum())][1]

    def in_fractions(self) -> dict | None:
        """In exact numbers, for `exact.Case.of`; None if there are none."""
        return None

    def without_last(self):
        """With one landmark less; None where landmarks are not told one by one."""
        return None
