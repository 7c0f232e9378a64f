"""The trace error to expect from random pivots, computed and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings.experiments import LEVEL, one_thread
from nystheory.engine.trial.statistics import Interval, mean_interval


def tail(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """The trace error of the best approximation of each rank.

    Parameters
    ----------
    values : ndarray (n,)
        Eigenvalues, largest first.
    counts : sequence of int, length m

    Returns
    -------
    ndarray (m,)

    Examples
    --------
    >>> tail(np.array([5.0, 3.0, 2.0]), [0, 1, 3]).tolist()
    [10.0, 5.0, 0.0]
    """
    beyond = np.append(np.cumsum(values[::-1])[::-1], 0.0)
    return beyond[np.asarray(counts)]


def k_dpp_mean(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """The mean trace error of a k-DPP: ``(l + 1) e_(l+1) / e_l``, exactly.

    Parameters
    ----------
    values : ndarray (n,)
        Positive eigenvalues.
    counts : sequence of int, length m
        The numbers l, below n.

    Returns
    -------
    ndarray (m,)

    Notes
    -----
    Costs O(n max l), in logarithms.

    Examples
    --------
    >>> k_dpp_mean(np.array([2.0, 3.0]), [0, 1]).round(9).tolist()
    [5.0, 2.4]
    """
    counts = np.asarray(counts)
    logs = sampling.log_elementary(values, int(counts.max()) + 1)[-1]
    return (counts + 1) * np.exp(logs[counts + 1] - logs[counts])


def dpp_mean(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """The mean trace error of a DPP with l points on the average: ``alpha d_eff``.

    Parameters
    ----------
    values : ndarray (n,)
        Eigenvalues.
    counts : sequence of float, length m
        The mean numbers of points, above 0 and below n.

    Returns
    -------
    ndarray (m,)
        With the ridge alpha for which the effective dimension is l.

    Examples
    --------
    >>> dpp_mean(np.array([1.0, 1.0]), [1]).round(9).tolist()
    [1.0]
    """

    def excess(log, count):
        return (values / (values + np.exp(log))).sum() - count

    low, high = np.log(values.min()) - 50, np.log(values.sum()) + 50
    ridges = [np.exp(brentq(excess, low, high, args=(count,))) for count in counts]
    return np.asarray(counts) * np.array(ridges)


def rp_cholesky_limit(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """A limit for the mean trace error of randomly pivoted Cholesky.

    Parameters
    ----------
    values : ndarray (n,)
        Eigenvalues.
    counts : sequence of int, length m

    Returns
    -------
    ndarray (m,)
        ``sum(phi^l(values))`` with ``phi(v) = v - v^2 / sum(v)``.

    Examples
    --------
    >>> rp_cholesky_limit(np.array([1.0, 1.0]), [0, 1, 2]).tolist()
    [2.0, 1.0, 0.5]
    """
    sums = [values.sum()]
    for _ in range(max(counts)):
        values = values - values**2 / values.sum()
        sums.append(values.sum())
    return np.array(sums)[np.asarray(counts)]


@dataclass(frozen=True, eq=False)
class Expected:
    """Trace errors as a share of the trace, against the number of landmarks.

    Attributes
    ----------
    counts : ndarray (m,)
    computed : dict of str to ndarray (m,)
        From the eigenvalues alone.
    measured : dict of str to list of Interval, length m
        Means of runs.
    """

    counts: np.ndarray
    computed: dict[str, np.ndarray]
    measured: dict[str, list[Interval]]


@one_thread
def expected_errors(
    K: kernels.KernelMatrix, counts: Sequence[int], runs: int, seed: int = 0
) -> Expected:
    """What the formulas say of the trace error, and what runs give.

    Parameters
    ----------
    K : KernelMatrix (n, n)
        Of full rank.
    counts : sequence of int, length m
        Numbers of landmarks, below n.
    runs : int
    seed : int

    Returns
    -------
    Expected
        Measured for uniform samples, k-DPP and randomly pivoted Cholesky.

    Examples
    --------
    >>> from nystheory.datasets import digits
    >>> found = expected_errors(kernels.rbf(digits(40).X), [1, 5], runs=5)
    >>> list(found.measured)
    ['uniform', '$k$-DPP', 'RPCholesky']
    """
    K = kernels.DenseKernel(K.dense())
    counts = np.asarray(counts)
    values = np.linalg.eigvalsh(K.dense())[::-1].clip(1e-300)
    computed = {
        "best rank $k$": tail(values, counts),
        "$k$-DPP, exact": k_dpp_mean(values, counts),
        "DPP, exact": dpp_mean(values, counts),
        "RPCholesky, limit": rp_cholesky_limit(values, counts),
    }
    total = values.sum()
    rng = np.random.default_rng(seed)
    errors = {"uniform": [], "$k$-DPP": [], "RPCholesky": []}
    for _ in range(runs):
        order = sampling.uniform(K, int(counts.max()), rng).indices
        errors["uniform"].append([_trace_error(K, order[:c]) for c in counts])
        sets = [sampling.k_dpp(K, int(c), rng).indices for c in counts]
        errors["$k$-DPP"].append([_trace_error(K, S) for S in sets])
        F = sampling.rp_cholesky(K, int(counts.max()), rng).factor
        # The factor of fewer pivots is the beginning of that of more.
        errors["RPCholesky"].append(total - (F**2).sum(axis=0).cumsum()[counts - 1])
    measured = {
        name: [mean_interval(column / total, LEVEL) for column in np.array(all_runs).T]
        for name, all_runs in errors.items()
    }
    shares = {name: curve / total for name, curve in computed.items()}
    return Expected(counts, shares, measured)


def _trace_error(K, indices):
    return lowrank.nystrom(K, indices).error(K, "trace")
