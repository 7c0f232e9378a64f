"""What float64 can tell of ranks, and by how much an inverse amplifies rounding."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg

from nystheory.engine.worlds.matrices import GREY_HIGH, GREY_LOW


class Ranked:
    """Ranks of K and of W, counted on the points, and conditions of their inverses."""

    @cached_property
    def _singular_X(self) -> np.ndarray:
        return scipy.linalg.svdvals(self.points)

    @cached_property
    def _singular_X_S(self) -> np.ndarray:
        return scipy.linalg.svdvals(self.points[:, self.landmarks])

    @cached_property
    def rank_K(self) -> int:
        """Rank of K, counted on the points (see `rank_is_clear`)."""
        return int((self._singular_X > GREY_HIGH * self._scale_X).sum())

    @cached_property
    def rank_W(self) -> int:
        """Rank of W, counted on the sampled points."""
        return int((self._singular_X_S > GREY_HIGH * self._scale_X).sum())

    @property
    def _scale_X(self) -> float:
        return float(self._singular_X[0])

    @cached_property
    def rank_is_clear(self) -> bool:
        """Whether float64 can tell the ranks of K and of W: no singular value is grey.

        Without given points the singular values are roots of eigenvalues, so that a
        true zero shows up as the root of rounding; then only a full rank is clear.
        """
        return self._nothing_between(GREY_HIGH)

    @cached_property
    def rank_is_clear_of_K(self) -> bool:
        """Whether float64 can tell the rank of K, whatever the sample."""
        low = GREY_LOW if self.X is not None else 0.0
        relative = self._singular_X / (self._scale_X or 1.0)
        return not bool(((relative > low) & (relative < GREY_HIGH)).any())

    @cached_property
    def rank_is_obvious(self) -> bool:
        """Whether a missing rank shows: eigenvalues of K are 0 or above 1e-6 norm(K).

        By Eckart and Young an approximation of lower rank then errs by as much.
        """
        return self._nothing_between(1e-3)

    def _nothing_between(self, high) -> bool:
        if self._scale_X == 0:
            return True
        low = GREY_LOW if self.X is not None else 0.0
        relative = np.r_[self._singular_X, self._singular_X_S] / self._scale_X
        return not bool(((relative > low) & (relative < high)).any())

    @cached_property
    def condition(self) -> float:
        """How much rounding in W is amplified in ``C W_k^+ C.T`` (infinite if unclear).

        First-order perturbation: an error e in W moves the product by at most
        ``e * trace(K) / s_r`` through the inverse, and by ``s_1 / (s_r - s_{r+1})``
        more when truncation to rank k cuts through the spectrum s of W.
        """
        s = self._singular_X_S**2
        if s[0] == 0:
            return 1.0
        if not self.rank_is_clear:
            return np.inf
        r = min(self.k, self.rank_W)
        if r == 0:
            return np.inf
        amplified = max(np.trace(self.K), s[0]) / s[r - 1]
        if r < self.rank_W:
            gap = (s[r - 1] - s[r]) / s[0]
            amplified = amplified / gap if gap > 0 else np.inf
        return float(amplified)

    @cached_property
    def condition_of_columns(self) -> float:
        """Amplification of rounding by ``((C.T C)_k)^+``; infinite if rank is grey."""
        if not self.rank_is_clear:
            return np.inf
        s = scipy.linalg.svdvals(self.C)
        relative = s / (s[0] or 1.0)
        if np.any((relative > GREY_LOW) & (relative < GREY_HIGH)):
            return np.inf
        r = min(self.k, int((relative >= GREY_HIGH).sum()))
        if r == 0:
            return 1.0
        after = s[r] if r < len(s) else 0.0
        gap = (s[r - 1] - after) / s[0]
        return float((s[0] / s[r - 1]) ** 2 / gap) if gap > 0 else np.inf
