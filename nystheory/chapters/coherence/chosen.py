"""Matrices with chosen eigenvalues and eigenvectors, and bounds for one split.

Section 5.2.3 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, and bounds that came after it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import coherence as spread
from nystheory import datasets, lowrank
from nystheory.chapters import theorems
from nystheory.chapters.coherence.recovery import leading
from nystheory.engine import Instance
from nystheory.engine.promises.promises import kept

# ---- full rank, chosen coherence ----


def decay(n: int, k: int, share: float) -> tuple[float, np.ndarray]:
    """Eigenvalues ``exp(-i eta)`` whose first k hold a share of the sum, and eta.

    Examples
    --------
    >>> eta, values = decay(500, 25, 0.95)
    >>> round(eta, 3), round(float(values[:25].sum() / values.sum()), 3)
    (0.12, 0.95)
    """
    eta = -math.log1p(-share) / k
    return eta, np.exp(-eta * np.arange(1, n + 1))


def one_spike(n: int, k: int, target: float | None, rng) -> np.ndarray:
    """Orthonormal columns (n, n), the first with one spike: section 5.2.3.

    Examples
    --------
    >>> U = one_spike(16, 2, 4.0, np.random.default_rng(0))
    >>> round(float(np.abs(U[:, 0]).max()), 9)
    1.0
    """
    return datasets.spectrum(np.ones(n), rng, target).X


def groups(n: int, k: int, size: int, rng) -> np.ndarray:
    """Orthonormal columns (n, n), the first k constant on groups of points.

    Examples
    --------
    >>> U = groups(12, 2, 3, np.random.default_rng(0))[:, :2]
    >>> round(spread.basis_free(U), 9)
    4.0
    """
    first = np.zeros((n, k))
    first[np.arange(k * size), np.arange(k * size) // size] = 1 / math.sqrt(size)
    Q = np.linalg.qr(np.hstack([first, rng.standard_normal((n, n - k))]))[0]
    Q[:, :k] = first
    return Q


COUNTS = (25, 50, 75, 100, 150)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues, and the rank to which an approximation is cut.

    Attributes
    ----------
    values : ndarray (n,)
        Eigenvalues, the largest first.
    k : int
        How many eigenvectors are chosen.
    cut : bool
        Whether the approximation is cut to rank k.
    """

    values: np.ndarray
    k: int
    cut: bool = True

    @property
    def best(self) -> float:
        """Percent error of the best approximation of rank k."""
        norms = np.linalg.norm(self.values[self.k :]), np.linalg.norm(self.values)
        return float(100 * norms[0] / norms[1])

    def error(self, K: np.ndarray, S: Sequence[int]) -> float:
        """Percent error in the Frobenius norm from some columns."""
        F = lowrank.nystrom(K, S, self.k if self.cut else None).factor
        return float(100 * np.linalg.norm(K - F @ F.T) / np.linalg.norm(self.values))


def decaying(n: int, rng, share: float, k: int = 25, cut: bool = True) -> Spectrum:
    """Eigenvalues that fall exponentially, of which the first k hold a share."""
    return Spectrum(decay(n, k, share)[1], k, cut)


def power_law(n: int, rng, power: float, k: int = 25) -> Spectrum:
    """Eigenvalues that fall like a power."""
    return Spectrum(np.arange(1.0, n + 1) ** -power, k)


def with_vectors(trial) -> dict:
    """Percent errors from uniform columns, and the coherence: figure 5.3."""
    known, rng = trial.known, trial.rng
    order = rng.permutation(len(known.values))
    U = trial.run(len(order), known.k, rng=rng)
    K = (U * known.values) @ U.T
    some = U[:, : known.k]
    return {
        "error": [known.error(K, order[:count]) for count in COUNTS],
        "mu": spread.of_vectors(some),
        "M": spread.basis_free(some),
    }


# ---- the structural bound ----


RANK, FAILURE = 5, 0.1
SAMPLES = (20, 40, 80, 160, 320)


@dataclass(frozen=True, eq=False)
class Split:
    """A matrix, and its spectrum split behind rank k.

    Attributes
    ----------
    K : ndarray (n, n)
    U : ndarray (n, k)
        The leading eigenvectors.
    rest : ndarray (n, n)
        K without its leading part.
    case : Instance
        What the theorems read.
    """

    K: np.ndarray
    U: np.ndarray
    rest: np.ndarray
    case: Instance

    @classmethod
    def of(cls, K: np.ndarray, k: int = RANK) -> Split:
        """Split a matrix."""
        head = leading(K, k)
        rest = K - (head.vectors * head.values) @ head.vectors.T
        return cls(K, head.vectors, rest, Instance(K, [0], k, delta=FAILURE))

    @property
    def tail(self) -> float:
        """The sum of the eigenvalues behind k."""
        return float(np.trace(self.rest))

    def missed(self, S: Sequence[int]) -> float:
        """The trace of the error, as a multiple of the tail."""
        return lowrank.nystrom(self.K, S).error(self.K, "trace") / self.tail


def split(K: np.ndarray, rng) -> tuple:
    """A split matrix, and the columns in random order."""
    return (Split.of(K), rng.permutation(len(K))), None


def uniform_columns(of: Split, order, count: int, rng) -> float:
    """The error of uniform columns."""
    return of.missed(order[:count])


def columns_by_leverage(of: Split, order, count: int, rng) -> float:
    """The error of columns drawn by leverage scores, with replacement."""
    p = np.einsum("ij,ij->i", of.U, of.U) / of.U.shape[1]
    return of.missed(np.unique(rng.choice(len(of.K), count, p=p)))


def structural_bound(of: Split, order, count: int, rng) -> float:
    """The bound that looks at the sample, of the same uniform columns.

    ``||G||_F^2 = tr P^T (K - K_k)_SS P`` with P the pseudo-inverse of the sampled
    rows of the k leading eigenvectors.
    """
    S = order[:count]
    P = np.linalg.pinv(of.U[S].T)
    return float(1 + np.sum(P * (of.rest[np.ix_(S, S)] @ P)) / of.tail)


def coherence_bound(of: Split, order, count: int, rng) -> float:
    """The bound for uniform columns."""
    return _promised(of, "modern:uniform-coherence", count)


def leverage_bound(of: Split, order, count: int, rng) -> float:
    """The bound for columns by leverage."""
    return _promised(of, "modern:leverage", count)


def whole_trace(of: Split, order, count: int, rng) -> float:
    """What every approximation misses at most."""
    return float(np.trace(of.K)) / of.tail


def _promised(of, id, count):
    """The bound on the trace for one rank, infinite where it does not apply."""
    theorem = theorems[id]
    free = theorem.promises["the trace"].free.items()
    others = {name: way for name, way in free if name != "k"}
    there = of.case.but(landmarks=np.arange(count))
    return float(kept(theorem, "the trace", there, free=others).bound) / of.tail


def how_far(trial) -> dict:
    """What is missed, or promised, with each number of columns.

    No bound counts for more than the trace of K, which bounds every error: this stands
    for a bound that is above it, and for one that does not apply.
    """
    of, order = trial.known
    told = [trial.run(of, order, count, trial.rng) for count in SAMPLES]
    return {"missed": np.minimum(told, whole_trace(of, order, 0, trial.rng))}
