"""What an approximation below K says about the spectrum of K."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg
import scipy.special

from nystheory._rounding import allowed
from nystheory.lowrank._missing import missing, rounding

# Points from which distances are measured, and rows that are looked at together.
CENTRES, ROWS = 16, 4096


class Spectrum:
    """What an approximation below K says about it: in place of the eigenpairs of K.

    Attributes
    ----------
    n : int
    diagonal : ndarray (n,)
        Of K.
    values : ndarray (r,)
        Eigenvalues of the approximation, largest first.
    missed : float
        The trace of what it misses is at most this.
    blur : float
        What rounding may do to an eigenvalue, or to a sum of them.
    """

    def __init__(self, K, approximation):
        found = missing(K, approximation)
        self.kernel, self.n, self.diagonal = found.K, found.K.n, found.diagonal
        self.missed = found.trace + allowed("missed by an estimate", found.trace_floor)
        F = approximation.factor.astype(np.float64, copy=False)
        self._vectors, singular, _ = scipy.linalg.svd(F, full_matrices=False)
        self.values = singular**2
        largest = float(self.values.max(initial=0.0))
        blur = len(singular) * rounding(found.K, approximation, largest)
        self.blur = allowed("an eigenvalue", blur + approximation.blur)

    @property
    def norm_K(self) -> float:
        """An upper end of the spectral norm."""
        return float(self.values.max(initial=0.0) + self.missed + self.blur)

    @property
    def clear_rank(self) -> int:
        """The rank of K is at least this."""
        return int((self.values > self.blur).sum())

    @cached_property
    def leading(self) -> np.ndarray:
        """Eigenvalues of K are at most these, (n,): Weyl's inequalities for the rest.

        ``lambda_j(K) <= lambda_i(K~) + missed / (j - i + 1)`` for every i up to j.
        """
        found, left = np.full(self.n, np.inf), np.append(self.values, 0.0)
        for i, value in enumerate(left[: self.n]):
            steps = np.arange(1, self.n - i + 1)
            np.minimum(found[i:], value + self.missed / steps, out=found[i:])
        return found + self.blur

    @cached_property
    def levelled(self) -> np.ndarray:
        """The eigenvalues with what is missed added to the smallest ones, (n,).

        Of all spectra that are possible the most even: what is concave and symmetric
        in the eigenvalues is largest there.
        """
        low = np.append(self.values, np.zeros(self.n - len(self.values)))[::-1]
        raised = (np.cumsum(low) + self.missed) / np.arange(1, self.n + 1)
        level = raised.min()  # where the next eigenvalue is above the water
        return np.maximum(low, level)[::-1]

    @cached_property
    def squared(self) -> np.ndarray:
        """Squared entries of the eigenvectors of the approximation, (n, r)."""
        return self._vectors**2

    def part(self, some) -> np.ndarray:
        """Eigenvalues of the part of the approximation that belongs to some points."""
        factor = self._vectors[some] * np.sqrt(self.values)
        found = scipy.linalg.svdvals(factor) ** 2
        return np.pad(found, (0, max(0, len(some) - len(found))))

    @cached_property
    def leading_scores(self) -> np.ndarray:
        """The largest leverage score of the approximation for each rank, (r,)."""
        largest = np.zeros(self.squared.shape[1])
        for start in range(0, self.n, ROWS):
            found = np.cumsum(self.squared[start : start + ROWS], axis=1)
            np.maximum(largest, found.max(axis=0), out=largest)
        return np.minimum(largest, 1.0)

    @cached_property
    def distance(self) -> tuple[float, float]:
        """The largest kernel distance: seen, and by the triangle inequality."""
        some = np.unique(np.linspace(0, self.n - 1, CENTRES).astype(int))
        columns = self.kernel[:, some].astype(np.float64)
        squares = self.diagonal[:, None] + self.diagonal[some] - 2 * columns
        top = float(self.diagonal.max())
        seen = squares.max(axis=0)
        slack = allowed("a distance", 16 * np.finfo(np.float32).eps * top)
        low = np.sqrt(max(float(seen.max()) - slack, 0.0))
        high = 2 * np.sqrt(min(float(seen.min()) + slack, top))
        return low, max(low, high)

    @cached_property
    def elementary(self) -> np.ndarray:
        """Logarithms of the elementary symmetric polynomials of the levelled spectrum.

        Most of it is one value m times, whose polynomials are binomials.
        """
        values = self.levelled
        same = values <= values[-1] * (1 + 1e-12)
        logs, m = np.full(self.n + 2, -np.inf), int(same.sum())
        degrees = np.arange(m + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            powers = degrees * np.log(values[same].max())
        powers[0] = 0.0
        of = scipy.special.gammaln
        logs[: m + 1] = of(m + 1) - of(degrees + 1) - of(m - degrees + 1) + powers
        for j, log in enumerate(np.log(values[~same]), m):
            logs[1 : j + 2] = np.logaddexp(logs[1 : j + 2], log + logs[: j + 1])
        return logs
