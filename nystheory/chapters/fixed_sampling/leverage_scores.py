"""The constant of a theorem, scores from few columns, and a self-test.

The theorem with the constant 16 is that of C. Musco and C. Musco, "Recursive sampling
for the Nyström method", Advances in Neural Information Processing Systems 30, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.optimize import brentq

from nystheory import certificates, lowrank, sampling
from nystheory.chapters.fixed_sampling.theorems.ridge_leverage import (
    Scored,
    chances,
    exact_scores,
)
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.trial.statistics import clopper_pearson
from nystheory.kernels import as_kernel

# Each limit of an interval is wrong with this probability.
LEVEL = 1e-3

# ---- the constant of the theorem ----


@dataclass(frozen=True, eq=False)
class Constants:
    """What becomes of the theorem when 16 is replaced.

    Attributes
    ----------
    columns : ndarray (constants,)
        Mean number of columns.
    failures : ndarray (constants,)
        Share of the trials with ``lambda_max(K - K~) > alpha``.
    limits : ndarray (constants, 2)
        Clopper-Pearson limits of level `LEVEL`.
    """

    columns: np.ndarray
    failures: np.ndarray
    limits: np.ndarray


def features(K) -> np.ndarray:
    """Points X (n, r) with ``X X^T = K`` up to 1e-9 of its largest eigenvalue.

    Examples
    --------
    >>> features(np.diag([0.0, 4.0])).tolist()
    [[0.0], [2.0]]
    """
    values, vectors = np.linalg.eigh(as_kernel(K).dense())
    keep = values > 1e-9 * values[-1]
    return vectors[:, keep] * np.sqrt(values[keep])


def ridge_of_dimension(X, dimension: float) -> float:
    """The ridge for which ``X X^T`` has an effective dimension.

    Examples
    --------
    >>> round(ridge_of_dimension(np.eye(4, 2), 1.0), 12)
    1.0
    """
    values = np.linalg.eigvalsh(X.T @ X).clip(0)

    def excess(log):
        return float((values / (values + np.exp(log))).sum()) - dimension

    top = np.log(values[-1])
    return float(np.exp(brentq(excess, top - 60, top + 60, xtol=1e-12)))


@one_thread
def over_constants(
    X,
    alpha: float,
    delta: float,
    constants: Sequence[float],
    trials: int,
    seed: int = 0,
) -> dict[str, Constants]:
    """Sampling by ridge leverage scores, with other constants than 16.

    Parameters
    ----------
    X : ndarray (n, d)
        Points; K is ``X X^T``.
    alpha : float
    delta : float
        The probability of failure that the theorem promises for 16.
    constants : sequence of float
    trials, seed : int

    Returns
    -------
    dict of str to Constants
        ``ridge leverage``, and ``uniform`` with the same mean number of columns.

    Examples
    --------
    >>> found = over_constants(np.eye(4, 2), 0.5, 0.05, [16.0], trials=5)
    >>> found["ridge leverage"].columns.tolist()
    [2.0]
    """
    case = Scored.from_points(np.asarray(X).T, [0], 1, alpha=alpha)
    case = case.but(scores=exact_scores(case), delta=delta)
    moment = case.points @ case.points.T
    rng, found = np.random.default_rng(seed), {}
    by_score = [chances(case, c) for c in constants]
    flat = [np.full(case.n, p.mean()) for p in by_score]
    for name, taken in (("ridge leverage", by_score), ("uniform", flat)):
        failed = [
            sum(
                _largest_error(case.points[:, rng.random(case.n) < p], moment) > alpha
                for _ in range(trials)
            )
            for p in taken
        ]
        limits = [clopper_pearson(int(f), trials, LEVEL) for f in failed]
        columns = np.array([p.sum() for p in taken])
        shares = np.array(failed) / trials
        found[name] = Constants(columns, shares, np.array(limits))
    return found


def _largest_error(sampled, moment) -> float:
    """``lambda_max(K - K~)`` from the sampled points and ``X X'``, in r dimensions."""
    Q, R, _ = scipy.linalg.qr(sampled, pivoting=True, check_finite=False)
    size = np.abs(np.diag(R))
    rest = Q[:, int((size > 1e-12 * size.max(initial=0.0)).sum()) :]
    if rest.shape[1] == 0:
        return 0.0
    return float(np.linalg.eigvalsh(rest.T @ moment @ rest)[-1])


# ---- scores from few columns ----


def estimated_scores(K, J, weights, alpha: float) -> np.ndarray:
    """Ridge leverage scores of all points from weighted landmarks, as BLESS has them.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    J : sequence of int, length l
    weights : ndarray (l,)
    alpha : float

    Returns
    -------
    ndarray (n,)
        ``(K_xx - K_xJ (K_JJ + alpha diag(w)^-1)^-1 K_Jx) / alpha``.

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> estimated_scores(K, [0, 1], np.ones(2), 1.0)
    array([0.75, 0.5 ])
    """
    K = as_kernel(K)
    C = K[:, J]
    core = C[J] + alpha * np.diag(1 / np.asarray(weights))
    explained = np.einsum("ij,ji->i", C, np.linalg.solve(core, C.T))
    return (K.diagonal() - explained) / alpha


@dataclass(frozen=True, eq=False)
class Scores:
    """Ridge leverage scores, exact and estimated.

    Attributes
    ----------
    exact : ndarray (n,)
    ratio : ndarray (n,)
        Estimated over exact, both divided by their sums: recursive RLS returns
        probabilities.
    columns : int
        Landmarks that the estimate rests on.
    entries : int
        Entries that were asked for until all points had a score.
    """

    exact: np.ndarray
    ratio: np.ndarray
    columns: int
    entries: int


def ridge_of_columns(K, n_landmarks: int) -> float:
    """The ridge that recursive RLS aims at with l columns.

    The mean of the tail of the spectrum beyond ``l / (4 log l)``, exactly; the scheme
    estimates it.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l.

    Examples
    --------
    >>> round(ridge_of_columns(np.eye(30), 20), 12)
    29.0
    """
    k = max(1, int(n_landmarks / (4 * np.log(n_landmarks))))
    values = np.linalg.eigvalsh(as_kernel(K).dense())[::-1]
    return float(values[k:].sum() / k)


@one_thread
def bless_scores(K, n_landmarks: int, seed: int = 0) -> Scores:
    """How far BLESS is from the exact scores, up to a common factor.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        At most so many columns, drawn with replacement; the ridge is that of
        `ridge_of_columns`.
    seed : int

    Returns
    -------
    Scores
        The estimates of all points, from the columns of the last level; their entries
        are counted, too.

    Examples
    --------
    >>> scores = bless_scores(np.eye(30), 20)
    >>> len(scores.ratio), scores.columns <= 20
    (30, True)
    """
    K, rng = as_kernel(K), np.random.default_rng(seed)
    alpha, before = ridge_of_columns(K, n_landmarks), K.entries_asked
    drawn = sampling.bless(K, n_landmarks, rng, alpha=alpha)
    # A column that is drawn twice counts once, with both weights.
    J, places = np.unique(drawn.indices, return_inverse=True)
    found = estimated_scores(K, J, np.bincount(places, drawn.weights), alpha)
    return _beside_exact(K, alpha, found, len(J), K.entries_asked - before)


@one_thread
def recursive_scores(K, n_landmarks: int, seed: int = 0) -> Scores:
    """How far recursive RLS is from the exact scores, up to a common factor.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns; the scheme estimates the ridge of `ridge_of_columns`
        by itself.
    seed : int

    Returns
    -------
    Scores

    Examples
    --------
    >>> scores = recursive_scores(np.eye(30), 20)
    >>> bool(abs(scores.ratio.mean() - 1) < 0.1)
    True
    """
    K, rng = as_kernel(K), np.random.default_rng(seed)
    alpha = ridge_of_columns(K, n_landmarks)
    drawn = sampling.recursive_rls(K, n_landmarks, rng)
    return _beside_exact(K, alpha, drawn.probabilities, len(drawn), drawn.entries_asked)


def _beside_exact(K, alpha, found, columns, entries):
    """Scores beside the exact ones of a ridge, both divided by their sums."""
    exact = sampling.ridge_leverage_scores(K, alpha)
    ratio = found / found.sum() * exact.sum() / exact
    return Scores(exact, ratio, columns, entries)


# ---- how a sample judges itself ----


@dataclass(frozen=True, eq=False)
class SelfTest:
    """Estimated and true errors in the trace, relative to the trace of K.

    Attributes
    ----------
    counts : tuple of int
    estimate, error : ndarray (counts, draws)
        From l landmarks; the error is that of the last l - 1 of them.
    samples : tuple of lists of ndarray
        The landmarks, count by count and draw by draw.
    """

    counts: tuple[int, ...]
    estimate: np.ndarray
    error: np.ndarray
    samples: tuple[list[np.ndarray], ...] = ()

    @property
    def too_small(self) -> np.ndarray:
        """How many times the estimate is below the error, (counts, draws)."""
        return self.error / self.estimate

    def inside(self, members: np.ndarray) -> np.ndarray:
        """Which samples lie in a set of points alone, (counts, draws)."""
        return np.array([[members[S].all() for S in row] for row in self.samples])


@one_thread
def self_test(K, counts: Sequence[int], draws: int, seed: int = 0) -> SelfTest:
    """The leave-one-out estimate of uniform samples beside the true error.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    counts : sequence of int
    draws, seed : int

    Returns
    -------
    SelfTest

    Examples
    --------
    >>> test = self_test(np.eye(5), [2], draws=3)
    >>> test.estimate.round(12).tolist(), test.error.round(12).tolist()
    ([[0.8, 0.8, 0.8]], [[0.8, 0.8, 0.8]])
    """
    K, rng = as_kernel(K), np.random.default_rng(seed)
    trace = K.diagonal().sum()
    estimate, error = np.empty((2, len(counts), draws))
    samples = tuple([] for _ in counts)
    for row, count in enumerate(counts):
        for draw in range(draws):
            S = sampling.uniform(K, count, rng).indices
            samples[row].append(S)
            estimate[row, draw] = certificates.leave_one_out_trace(K, S).value / trace
            error[row, draw] = lowrank.nystrom(K, S[1:]).error(K, "trace") / trace
    return SelfTest(tuple(counts), estimate, error, samples)
