"""The dual of support vectors without offset: a quadratic program over a box.

    maximise  q'z - beta' K beta / 2  over  0 <= z <= C,  beta = sum_b signs_b z_b

z and q have one row for classification and two for regression, whose second row has
the points that are above their labels.  The slope ``g = q - signs K beta`` says for
any z in the box by how much at most the dual can grow:
``sum(C max(g, 0) - z g)``, a sum of terms of at least zero, is the duality gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy import sparse

from nystheory.learners._features import product

# How far towards the boundary a step may go.
SHARE = 0.99
# Twice the first z where C is larger, for K and q of size 1: z of one point is 1 there.
FARTHEST = 1e4
# What numpy and scipy raise where float64 does not suffice.
STOPPED = (ValueError, FloatingPointError)


@dataclass(frozen=True)
class Exact:
    """K, (n, n), stored."""

    K: np.ndarray

    def times(self, beta: np.ndarray) -> np.ndarray:
        """``K beta``."""
        return self.K @ beta

    def with_diagonal(self, d: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """What solves with ``K + diag(d)``: n^3 / 3 operations, then 2 n^2 each."""
        shifted = self.K.copy()
        shifted[np.diag_indices_from(shifted)] += d
        factor = scipy.linalg.cho_factor(shifted, lower=True, overwrite_a=True)
        return lambda r: scipy.linalg.cho_solve(factor, r)

    def semidefinite(self, rounding: float) -> bool:
        """Whether ``K + rounding I`` is positive definite: n^3 / 3 operations."""
        try:
            self.with_diagonal(np.full(len(self.K), rounding))
        except np.linalg.LinAlgError:
            return False
        return True

    def least_change(self, free: np.ndarray, r: np.ndarray) -> np.ndarray:
        """The shortest delta with ``K[free, free] delta`` next to r."""
        return scipy.linalg.lstsq(self.K[np.ix_(free, free)], r)[0]


@dataclass(frozen=True)
class InFactors:
    """``F F^T`` with F of shape (n, m), dense or CSR, never stored."""

    F: np.ndarray | sparse.csr_array

    def times(self, beta: np.ndarray) -> np.ndarray:
        """``F F^T beta``."""
        return self.F @ (self.F.T @ beta)

    def with_diagonal(self, d: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """What solves with ``F F^T + diag(d)``: n m^2 operations, then 4 n m each.

        By the Woodbury identity, with one step of refinement: the entries of d are of
        all sizes.
        """
        scaled = self.F / d[:, None]
        core = product(self.F, scaled)
        core[np.diag_indices_from(core)] += 1
        factor = scipy.linalg.cho_factor(core, lower=True, overwrite_a=True)

        def once(r):
            return r / d - scaled @ scipy.linalg.cho_solve(factor, scaled.T @ r)

        def solve(r):
            x = once(r)
            return x + once(r - d * x - self.times(x))

        return solve

    def least_change(self, free: np.ndarray, r: np.ndarray) -> np.ndarray:
        """The shortest delta with ``(F F^T)[free, free] delta`` next to r."""
        F = self.F[free]
        if sparse.issparse(F):
            return scipy.linalg.lstsq(product(F.T, F.T), r)[0]
        return scipy.linalg.lstsq(F.T, scipy.linalg.lstsq(F, r)[0])[0]


@dataclass(frozen=True)
class Program:
    """The quadratic program: K, signs and q of shape (b, n), and C, one or (n,)."""

    K: Exact | InFactors
    signs: np.ndarray
    q: np.ndarray
    C: float | np.ndarray

    def slope(self, z: np.ndarray) -> np.ndarray:
        """``q - signs K beta``, (b, n)."""
        return self.q - self.signs * self.K.times(self.beta(z))

    def beta(self, z: np.ndarray) -> np.ndarray:
        """The coefficients, (n,)."""
        return (self.signs * z).sum(axis=0)

    def gap(self, z: np.ndarray, g: np.ndarray) -> float:
        """Primal minus dual value at z, whose slope is g."""
        return float((self.C * np.maximum(g, 0) - z * g).sum())

    def start(self) -> float:
        """The primal value at beta = 0, which is at least the optimal one."""
        return float((self.C * np.maximum(self.q, 0)).sum())

    def at(self, z: np.ndarray) -> tuple[float, np.ndarray]:
        """The gap at z, and z; what is in both rows cancels in beta and is left out."""
        if len(z) == 2:
            z = z - z.min(axis=0)
        return self.gap(z, self.slope(z)), z


def solved(
    program: Program, tol: float, max_iter: int
) -> tuple[np.ndarray, float, int]:
    """z and its duality gap, if possible at most tol times the primal value at 0.

    Mehrotra's predictor and corrector, and from where the gap is small enough one step
    of Newton's method on the variables that are off the boundary, which puts the others
    on it: that z is preferred.  The number of steps comes last.
    """
    start = program.start()
    best, point, taken = (start, np.zeros_like(program.q)), None, 0
    if start == 0:
        return best[1], 0.0, 1
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        try:
            for taken, point in enumerate(_interior(program, max_iter)):  # noqa: B007
                best = min(best, program.at(point[0]), key=_first)
                if best[0] <= tol * start:
                    polished = program.at(_polished(program, *point))
                    if polished[0] <= tol * start:
                        best = polished
                        break
            else:
                best = min(best, program.at(_polished(program, *point)), key=_first)
        except STOPPED:  # what was found up to here
            pass
    return best[1], best[0], max(taken, 1)


def _first(pair):
    return pair[0]


def _interior(program, max_iter):
    """Points z inside the box, with their multipliers at 0 and at C."""
    C = program.C
    z = np.full(program.q.shape, np.minimum(C, FARTHEST) / 2)
    g = program.slope(z)
    low = np.full_like(z, np.abs(g).mean())
    high = low * z / (C - z)
    least = program.gap(z, g)
    yield z, low, high
    for _ in range(max_iter):
        try:
            steps = _steps(program, z, g, low, high)
        except STOPPED:  # K is singular and nothing is left to add to it
            return
        length = _length((z, C - z, low, high), (steps[0], -steps[0], *steps[1:]))
        z, low, high = (
            part + length * step
            for part, step in zip((z, low, high), steps, strict=True)
        )
        g = program.slope(z)
        gap = program.gap(z, g)
        if not gap < least * 10:  # rounding has taken over
            return
        least = min(gap, least)
        yield z, low, high


def _steps(program, z, g, low, high):
    """Steps of z and of its multipliers: predicted, then corrected."""
    signs, room = program.signs, program.C - z
    d = low / z + high / room
    spread = (1 / d).sum(axis=0)
    solve = program.K.with_diagonal(1 / spread)
    missed = high - low - g

    def step(centre_low, centre_high):
        right = centre_low / z - centre_high / room - missed
        r = (signs * right / d).sum(axis=0) / spread
        beta = solve(r)
        dz = (right - signs * (r - beta / spread)) / d
        return dz, (centre_low - low * dz) / z, (centre_high + high * dz) / room

    dz, dlow, dhigh = step(-low * z, -high * room)
    length = _length((z, room, low, high), (dz, -dz, dlow, dhigh))
    now = (low * z + high * room).mean()
    then = ((low + length * dlow) * (z + length * dz)).mean()
    then += ((high + length * dhigh) * (room - length * dz)).mean()
    target = (then / now) ** 3 * now / 2
    return step(target - low * z - dlow * dz, target - high * room + dhigh * dz)


def _length(parts, steps):
    """The longest step, at most 1, that keeps all parts above zero."""
    fastest = max(
        float((-step / part).max()) for part, step in zip(parts, steps, strict=True)
    )
    return min(1.0, SHARE / fastest) if fastest > 0 else 1.0


def _polished(program, z, low, high):
    """z with those near the boundary on it, and the slope of the others at zero."""
    C = program.C
    size = float((low + high).max()) or 1.0  # 0 where the first guess is the optimum
    at_zero, at_C = z / C < low / size, (C - z) / C < high / size
    z = np.where(at_zero, 0.0, np.where(at_C, C, z))
    if len(z) == 2:  # what is in both rows cancels in beta
        z = z - z.min(axis=0)
    rows, free = np.nonzero((z > 0) & (z < C))
    if not len(free):
        return z
    signs = program.signs[rows, free]
    change = program.K.least_change(free, signs * program.slope(z)[rows, free])
    most = np.broadcast_to(C, z.shape)[rows, free]
    z[rows, free] = np.clip(z[rows, free] + signs * change, 0, most)
    return z
