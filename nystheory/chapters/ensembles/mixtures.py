"""The chapter on ensembles: what mixtures of experts gain, and at what price.

Figures 4.5 to 4.8 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse.linalg import LinearOperator, eigsh
from threadpoolctl import threadpool_limits

from nystheory import ensemble, lowrank
from nystheory.engine.findings.experiments import LEVEL
from nystheory.engine.trial.statistics import Interval, mean_interval

# The thesis takes l = 3 percent of n = 2000 to 4700 and k = 50; here n = 1000.
LANDMARKS, RANK, VALIDATION = 30, 25, 20
COUNTS = (2, 4, 6, 10, 20, 30)
TRUNCATED_AT = (2, 5, 10)
FITTED = ("uniform", "exponential", "ridge", "nonnegative")
MIXTURES = (*FITTED, "optimal")
BEST, MEAN, ONE = "best base learner", "mean base learner", "one sample"
RESCALED = "base learner, rescaled"
RANK_K, ONE_RANK_K = "uniform, rank $k$", "one sample, rank $k$"


@dataclass(frozen=True, eq=False)
class Errors:
    """Percent errors (4.4) over a range of settings, and the same in each draw.

    Attributes
    ----------
    settings : tuple of int
        Numbers of experts, or of validation columns.
    found : dict of str to ndarray (settings, draws)
        By name.  In the same draw all see the same experts, so that differences are
        paired.
    """

    settings: tuple[int, ...]
    found: dict[str, np.ndarray]

    def means(self, name: str) -> list[Interval]:
        """The mean of one error at each setting, with limits of level `LEVEL`."""
        return [mean_interval(values, LEVEL) for values in self.found[name]]

    def lead(self, first: str, second: str, slack: float = 0.0) -> list[Interval]:
        """How far the first is below ``1 + slack`` times the second, at each setting.

        Examples
        --------
        >>> found = {"a": np.array([[1.0, 2.0]]), "b": np.array([[3.0, 4.0]])}
        >>> Errors((2,), found).lead("a", "b")[0].estimate
        2.0
        """
        paired = (1 + slack) * self.found[second] - self.found[first]
        return [mean_interval(values, LEVEL) for values in paired]

    def gain(self, name: str, first: int, middle: int, last: int) -> Interval:
        """Gain from the first setting to the middle one, minus gain from there on."""
        unknown = {first, middle, last} - {*self.settings}
        if unknown:
            raise ValueError(
                f"settings: expected some of {list(self.settings)}, got "
                f"{sorted(unknown)}"
            )
        a, b, c = (
            self.found[name][self.settings.index(at)] for at in (first, middle, last)
        )
        return mean_interval((a - b) - (b - c), LEVEL)


Leads = dict[str, list[Interval]]


def leads(
    errors: Mapping[str, Errors], first: str, second: str, slack: float = 0.0
) -> Leads:
    """How far the first is below ``1 + slack`` times the second, for each matrix.

    Parameters
    ----------
    errors : mapping of str to Errors
        By name of the matrix.
    first, second : str
        Names of approximations.
    slack : float
        0.05 for 'at most five percent worse'.

    Returns
    -------
    dict of str to list of Interval

    Examples
    --------
    >>> errors = Errors((2,), {name: np.array([[1.0, 2.0]]) for name in "ab"})
    >>> leads({"K": errors}, "a", "b", slack=1.0)["K"][0].estimate
    1.5
    """
    return {name: each.lead(first, second, slack) for name, each in errors.items()}


def over_experts(
    K,
    draws: int,
    counts: Sequence[int] = COUNTS,
    n_landmarks: int = LANDMARKS,
    rank: int = RANK,
    seed: int = 0,
) -> tuple[Errors, Errors]:
    """Percent errors of mixtures and base learners for growing numbers of experts.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    draws : int
        Independent lists of disjoint samples; p experts are the first p of a list.
    counts : sequence of int
        The numbers p of experts.
    n_landmarks, rank : int
        The number l of columns of an expert, and its rank k.
    seed : int

    Returns
    -------
    frobenius, spectral : Errors
        Of the mixtures in `MIXTURES` and the best and mean base learner.  In the
        Frobenius norm also of one Nyström approximation from all p l columns, and of
        the best single base learner times its own best factor.

    Notes
    -----
    Works on all of K, n^2 words, for the errors: an experiment, not a method.

    Examples
    --------
    >>> from nystheory.kernels import DenseKernel
    >>> K = DenseKernel(np.eye(60))
    >>> frobenius, spectral = over_experts(K, 2, [1, 2], 3, 2)
    >>> frobenius.found["uniform"].shape, spectral.found["uniform"].round(9).max()
    ((2, 2), np.float64(100.0))
    """
    dense = K.dense()
    made = _each_draw(_one_list, draws, seed, K, dense, counts, n_landmarks, rank)
    return tuple(_collected(counts, [each[i] for each in made]) for i in (0, 1))


def _one_list(rng, K, dense, counts, n_landmarks, rank):
    """Errors in both norms of one list of experts, for each p."""
    samples = ensemble.samples(K, max(counts), n_landmarks, rng)
    experts = ensemble.experts(K, samples, rank)
    seen, held_out = _validation(experts, K, VALIDATION, VALIDATION, rng)
    every = ensemble.validate(K, experts, slice(None))
    A = np.concatenate([expert.factor for expert in experts], axis=1)
    ends = np.cumsum([expert.rank for expert in experts])
    spectral_size = _spectral(dense, A[:, :0], np.empty(0))
    alone = [_spectral(dense, e.factor, np.ones(e.rank)) for e in experts]
    frobenius, spectral = [], []
    for p in counts:
        now, every_p = (seen.first(p), held_out.first(p)), every.first(p)
        mu = {name: ensemble.choose_weights(name, *now)[0] for name in FITTED}
        mu["optimal"] = ensemble.choose_weights("optimal", every_p)[0]
        found = {name: every_p.error(weights) for name, weights in mu.items()}
        found[BEST], found[MEAN] = every_p.errors.min(), every_p.errors.mean()
        found[RESCALED] = _rescaled(every_p)
        columns = np.concatenate([sample.indices for sample in samples[:p]])
        found[ONE] = lowrank.nystrom(K, columns).error(K)
        frobenius.append(_percent(found, every.size))
        ranks = [expert.rank for expert in experts[:p]]
        found = {
            name: _spectral(dense, A[:, : ends[p - 1]], np.repeat(weights, ranks))
            for name, weights in mu.items()
        }
        found[BEST], found[MEAN] = min(alone[:p]), np.mean(alone[:p])
        spectral.append(_percent(found, spectral_size))
    return frobenius, spectral


def over_truncated(
    K,
    draws: int,
    counts: Sequence[int] = TRUNCATED_AT,
    n_landmarks: int = LANDMARKS,
    rank: int = RANK,
    seed: int = 0,
) -> Errors:
    """Percent errors of the uniform mixture cut down to the rank of one expert.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    draws, counts, n_landmarks, rank, seed
        As `over_experts`.

    Returns
    -------
    Errors
        In the Frobenius norm: of the uniform mixture, its best approximation of rank
        k, the best base learner, and the leading k eigenpairs of one Nyström
        approximation from all p l columns.

    Examples
    --------
    >>> from nystheory.kernels import DenseKernel
    >>> errors = over_truncated(DenseKernel(np.eye(30)), 2, [1, 2], 3, 2)
    >>> sorted(errors.found)[:2]
    ['best base learner', 'one sample, rank $k$']
    """
    made = _each_draw(_one_truncated, draws, seed, K, counts, n_landmarks, rank)
    return _collected(counts, made)


def _one_truncated(rng, K, counts, n_landmarks, rank):
    samples = ensemble.samples(K, max(counts), n_landmarks, rng)
    experts = ensemble.experts(K, samples, rank)
    every = ensemble.validate(K, experts, slice(None))
    rows = []
    for p in counts:
        now, mu = every.first(p), ensemble.uniform_weights(p)
        columns = np.concatenate([sample.indices for sample in samples[:p]])
        single = lowrank.nystrom(K, columns, rank, truncate="approximation")
        found = {
            "uniform": now.error(mu),
            RANK_K: ensemble.Ensemble(experts[:p], mu).truncated(rank).error(K),
            BEST: now.errors.min(),
            ONE_RANK_K: single.error(K),
        }
        rows.append(_percent(found, every.size))
    return rows


def over_validation(
    K,
    draws: int,
    sizes: Sequence[int] = (5, 10, 20, 50, 100),
    n_experts: int = 10,
    n_landmarks: int = LANDMARKS,
    rank: int = RANK,
    seed: int = 0,
) -> Errors:
    """Percent errors of linear and ridge regression against the validation columns.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    draws : int
    sizes : sequence of int
        The numbers s of validation columns; each set holds the smaller ones.
    n_experts, n_landmarks, rank, seed : int

    Returns
    -------
    Errors
        In the Frobenius norm: "linear", "ridge" (hold-out of 20 more columns),
        "uniform" and "optimal".

    Examples
    --------
    >>> from nystheory.kernels import DenseKernel
    >>> K = DenseKernel(np.eye(60))
    >>> over_validation(K, 2, [5, 9], 2, 3, 2).found["ridge"].shape
    (2, 2)
    """
    made = _each_draw(
        _one_validation, draws, seed, K, sizes, n_experts, n_landmarks, rank
    )
    return _collected(sizes, made)


def _one_validation(rng, K, sizes, n_experts, n_landmarks, rank):
    samples = ensemble.samples(K, n_experts, n_landmarks, rng)
    experts = ensemble.experts(K, samples, rank)
    every = ensemble.validate(K, experts, slice(None))
    V, H = _unseen(experts, K.n, max(sizes), VALIDATION, rng)
    held_out = ensemble.validate(K, experts, H)
    rows = []
    for s in sizes:
        seen = ensemble.validate(K, experts, V[:s])
        mu = {
            "linear": ensemble.ridge_weights(*seen.normal_equations, 0.0),
            "ridge": ensemble.choose_weights("ridge", seen, held_out)[0],
            "uniform": ensemble.uniform_weights(n_experts),
            "optimal": ensemble.choose_weights("optimal", every)[0],
        }
        found = {name: every.error(weights) for name, weights in mu.items()}
        rows.append(_percent(found, every.size))
    return rows


# ---- machinery ----


def _each_draw(one, draws, seed, *arguments):
    """``one(rng, *arguments)`` for each draw, draws side by side in threads."""
    with threadpool_limits(1, user_api="blas"):
        work = (
            delayed(one)(rng, *arguments)
            for rng in np.random.default_rng(seed).spawn(draws)
        )
        return Parallel(n_jobs=-1, prefer="threads")(work)


def _collected(settings, made):
    """Draws x settings x name as one array (settings, draws) for each name."""
    found = {
        name: np.array([[row[name] for row in rows] for rows in made]).T
        for name in made[0][0]
    }
    return Errors(tuple(settings), found)


def _unseen(experts, n, s, held, rng):
    """s validation and s' hold-out columns, none of them a landmark."""
    used = np.concatenate([expert.landmarks for expert in experts])
    drawn = rng.permutation(np.setdiff1d(np.arange(n), used))
    return drawn[:s], drawn[s : s + held]


def _validation(experts, K, s, held, rng):
    V, H = _unseen(experts, K.n, s, held, rng)
    return ensemble.validate(K, experts, V), ensemble.validate(K, experts, H)


def _rescaled(every):
    """The smallest ``|K - c K~_r|_F`` over all factors c and experts r."""
    G, g = every.normal_equations
    return min(
        every.error(weights)
        for weights in np.diag(g / np.maximum(G.diagonal(), 1e-300))
    )


def _percent(found, size):
    return {name: 100 * float(error) / size for name, error in found.items()}


def _spectral(K, A, mu):
    """``|K - A diag(mu) A^T|_2`` of a stored K, by Lanczos, to about 1e-4."""
    operator = LinearOperator(
        K.shape, matvec=lambda v: K @ v - A @ (mu * (A.T @ v)), dtype=float
    )
    start = np.random.default_rng(0).standard_normal(len(K))
    return abs(
        eigsh(
            operator,
            1,
            v0=start,
            ncv=min(len(K), 16),
            tol=1e-4,
            return_eigenvectors=False,
        )[0]
    )
