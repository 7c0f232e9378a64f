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
from nystheory.engine.findings.experiments import one_thread
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


@dataclass(frozen=True, eq=False)
class Synthetic:
    """Errors of matrices with the same eigenvalues and other eigenvectors.

    Attributes
    ----------
    counts : tuple of int
        The numbers l of columns.
    mu, M : dict
        Mean coherences of the k leading eigenvectors, by target.
    errors : dict of (float, target) to ndarray (counts,)
        Mean percent errors, by share of the spectrum and target.
    best : dict of float to float
        Percent error of the best approximation of rank k.
    """

    counts: tuple[int, ...]
    mu: dict
    M: dict
    errors: dict
    best: dict


@one_thread
def synthetic(
    vectors,
    targets: Sequence,
    shares: Sequence[float],
    counts: Sequence[int],
    n: int = 500,
    k: int = 25,
    matrices: int = 4,
    draws: int = 5,
    truncate: bool = True,
) -> Synthetic:
    """Percent errors of rank-k approximations from uniform columns: figure 5.3.

    Parameters
    ----------
    vectors : function of n, k, a target and a generator
        Such as `one_spike` or `groups`.
    targets : sequence
        What to ask of it.
    shares : sequence of float
        Shares of the spectrum that the first k eigenvalues hold.
    counts : sequence of int
    n, k, matrices, draws : int
    truncate : bool
        Whether the approximation is cut to rank k.

    Returns
    -------
    Synthetic

    Examples
    --------
    >>> found = synthetic(groups, [2], [0.9], [8], n=20, k=4, matrices=1, draws=1)
    >>> round(found.M[2], 9)
    10.0
    """
    spectra = {share: decay(n, k, share)[1] for share in shares}
    found = {(s, t): np.zeros(len(counts)) for s in shares for t in targets}
    mu, M = dict.fromkeys(targets, 0.0), dict.fromkeys(targets, 0.0)
    for target in targets:
        for seed in range(matrices):
            rng = np.random.default_rng(seed)
            U = vectors(n, k, target, rng)
            mu[target] += spread.of_vectors(U[:, :k]) / matrices
            M[target] += spread.basis_free(U[:, :k]) / matrices
            orders = [rng.permutation(n) for _ in range(draws)]
            for share, values in spectra.items():
                error = _errors((U * values) @ U.T, orders, counts, truncate and k)
                found[share, target] += error / matrices
    norms = {s: np.linalg.norm(v[k:]) / np.linalg.norm(v) for s, v in spectra.items()}
    best = {share: 100 * float(norm) for share, norm in norms.items()}
    return Synthetic(tuple(counts), mu, M, found, best)


def _errors(K, orders, counts, rank):
    """Mean percent error for each l, over the first l of each order."""
    size, found = np.linalg.norm(K), []
    for count in counts:
        made = [lowrank.nystrom(K, o[:count], rank or None).factor for o in orders]
        errors = [np.linalg.norm(K - F @ F.T) / size for F in made]
        found.append(100 * np.mean(errors))
    return np.array(found)


# ---- the structural bound ----


@dataclass(frozen=True, eq=False)
class Promises:
    """Trace errors as multiples of the tail, and what is promised.

    Attributes
    ----------
    counts : ndarray (counts,)
    found, structural : ndarray (counts, draws)
        ``tr E`` and the structural bound of each sample.
    uniform, leverage : ndarray (counts,)
        The bounds of the two theorems, nan where they do not apply.
    by_leverage : ndarray (counts, draws)
        ``tr E`` of columns drawn by leverage scores, with replacement.
    """

    counts: np.ndarray
    found: np.ndarray
    structural: np.ndarray
    uniform: np.ndarray
    leverage: np.ndarray
    by_leverage: np.ndarray


@one_thread
def promises(
    K: np.ndarray, k: int, counts: Sequence[int], draws: int, delta: float = 0.1
) -> Promises:
    """The trace error of samples, with three bounds.

    ``||G||_F^2 = tr P^T (K - K_k)_SS P`` with P the pseudo-inverse of the sampled
    rows of the k leading eigenvectors.

    Examples
    --------
    >>> made = promises(np.diag([4.0, 3, 2, 1]) + 1, 1, [3], 2)
    >>> bool((made.found <= made.structural + 1e-9).all())
    True
    """
    head = leading(K, k)
    U = head.vectors
    rest = K - (U * head.values) @ U.T
    tail = float(np.trace(rest))
    p = np.einsum("ij,ij->i", U, U) / k
    rng = np.random.default_rng(0)
    found, bound, scored = np.zeros((3, len(counts), draws))
    for at, count in enumerate(counts):
        for draw in range(draws):
            S = rng.choice(len(K), count, replace=False)
            P = np.linalg.pinv(U[S].T)
            found[at, draw] = lowrank.nystrom(K, S).error(K, "trace") / tail
            bound[at, draw] = 1 + np.sum(P * (rest[np.ix_(S, S)] @ P)) / tail
            S = np.unique(rng.choice(len(K), count, p=p))
            scored[at, draw] = lowrank.nystrom(K, S).error(K, "trace") / tail
    case = Instance(K, [0], k, delta=delta)
    uniform, leverage = (
        np.array([_promised(case, theorems[id], count) for count in counts]) / tail
        for id in ("modern:uniform-coherence", "modern:leverage")
    )
    return Promises(np.asarray(counts), found, bound, uniform, leverage, scored)


def _promised(case, theorem, count):
    """The bound on the trace for one rank and delta, nan where it does not apply."""
    free = theorem.promises["the trace"].free.items()
    others = {name: way for name, way in free if name != "k"}
    there = case.but(landmarks=np.arange(count))
    bound = kept(theorem, "the trace", there, free=others).bound
    return bound if np.isfinite(bound) else np.nan
