"""Many samples beside what was promised, and what they say themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import eigsh

from nystheory import certificates, lowrank, sampling
from nystheory.chapters.error_bounds.promised import (
    BEST_RANK,
    DELTA,
    PRINTED,
    PROVED,
    RANK,
    best,
    promises,
    sizes,
)
from nystheory.engine.worlds.concentration import distances
from nystheory.engine.worlds.instances import Instance

# ---- many samples, one rank ----


@dataclass(frozen=True, eq=False)
class Sweep:
    """Errors of rank k against the number of columns, and what was promised.

    Attributes
    ----------
    counts : tuple of int, length m
    observed : dict of str to ndarray (m, draws)
        By norm, as shares of the norm of K.
    distance, certificate : ndarray (m, draws)
        ``|XX' - ZZ'|_F`` and the trace of the error, not divided by anything.
    promised : dict of (str, str) to ndarray (m,)
        As `promises`, and ``best of that rank``, as shares.
    known : Instance
    """

    counts: tuple[int, ...]
    observed: Mapping[str, np.ndarray]
    distance: np.ndarray
    certificate: np.ndarray
    promised: Mapping[tuple[str, str], np.ndarray]
    known: Instance


def sweep(
    K,
    known: Instance,
    counts: Sequence[int],
    draws: int,
    rng,
    rank: int = RANK,
    delta: float = DELTA,
) -> Sweep:
    """Draw samples of several sizes, approximate, and compare with the promises.

    Parameters
    ----------
    K : DenseKernel (n, n)
    known : Instance
    counts : sequence of int
        Numbers of columns, at least the rank.
    draws : int
    rng : numpy.random.Generator
    rank : int
    delta : float

    Examples
    --------
    >>> from nystheory.chapters.error_bounds.promised import (
    ...     know, three_kernels,
    ... )
    >>> K = three_kernels(40)["digits, RBF"]
    >>> found = sweep(K, know(K), [5, 20], 2, np.random.default_rng(0), rank=3)
    >>> found.observed["F"].shape, bool((found.observed["F"] < 1).all())
    ((2, 2), True)
    """
    dense, whole = K.dense(), sizes(known)
    rows = [
        [_one(K, dense, count, rank, rng) for _ in range(draws)] for count in counts
    ]
    error_2, error_F, distance, certificate = np.moveaxis(np.array(rows), -1, 0)
    said = [promises(known, count, rank, delta) for count in counts]
    promised = {
        key: np.array([row[key] for row in said]) / whole[key[1]] for key in said[0]
    }
    for norm, error in best(known, rank).items():
        promised[BEST_RANK, norm] = np.full(len(counts), error / whole[norm])
    observed = {"2": error_2 / whole["2"], "F": error_F / whole["F"]}
    return Sweep(tuple(counts), observed, distance, certificate, promised, known)


def _one(K, dense, count, rank, rng):
    drawn = sampling.uniform(K, count, rng).indices
    made = lowrank.nystrom(K, drawn, rank)
    left = dense - made.factor @ made.factor.T
    start = np.ones(len(left))
    top = eigsh(left, 1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)
    certificate = certificates.trace_certificate(K, made).value
    often = np.bincount(drawn, minlength=len(dense))
    distance = float(distances(dense, often)[0])
    return float(top[0]), float(np.linalg.norm(left)), distance, certificate


def steps(sweeps: Mapping[str, Sweep], count: int) -> dict[str, dict[str, float]]:
    """The factors that are lost between the error and the printed spectral bound.

    Parameters
    ----------
    sweeps : mapping of str to Sweep
    count : int
        A number of columns in all of them.

    Returns
    -------
    dict of str to dict of str to float
        The median excess as a share of the norm, and then factors: sqrt 2 times the
        median distance over it, the proved excess over that, the printed one over
        the proved one.

    Examples
    --------
    >>> from nystheory.chapters.error_bounds.promised import (
    ...     know, three_kernels,
    ... )
    >>> K = three_kernels(40)["digits, RBF"]
    >>> one = sweep(K, know(K), [20], 3, np.random.default_rng(0), rank=3)
    >>> list(steps({"K": one}, 20)["K"])
    ['excess', 'lemma', 'concentration', 'print']
    """
    found = {}
    for name, each in sweeps.items():
        at, size = each.counts.index(count), sizes(each.known)["2"]
        tail = each.promised[BEST_RANK, "2"][at]
        excess = np.median(each.observed["2"][at]) - tail
        by_lemma = math.sqrt(2) * np.median(each.distance[at]) / size
        proved = each.promised[PROVED, "2"][at] - tail
        printed = each.promised[PRINTED, "2"][at] - tail
        found[name] = {
            "excess": float(excess),
            "lemma": float(by_lemma / excess),
            "concentration": float(proved / by_lemma),
            "print": float(printed / proved),
        }
    return found


def where_it_lies(K, count: int, rng, rank: int = RANK) -> dict[str, float]:
    """The shares of the squared distance inside and outside the kept directions.

    Parameters
    ----------
    K : DenseKernel (n, n)
    count : int
        The number of columns.
    rng : numpy.random.Generator
    rank : int

    Returns
    -------
    dict of str to float
        Shares of ``|XX' - ZZ'|_F^2`` in the space of the k leading directions of the
        sample (``kept``), in the space orthogonal to it (``missed``), and ``between``.

    Examples
    --------
    >>> from nystheory.kernels import DenseKernel
    >>> K = DenseKernel(np.diag([1.0, 1.0, 1.0]))
    >>> found = where_it_lies(K, 1, np.random.default_rng(0), rank=1)
    >>> {share: round(value, 6) for share, value in found.items()}
    {'kept': 0.666667, 'between': 0.0, 'missed': 0.333333}
    """
    dense = K.dense()
    drawn = sampling.uniform(K, count, rng).indices
    X = Instance(dense, drawn, rank).points
    U = scipy.linalg.svd(X[:, drawn], full_matrices=False)[0][:, :rank]
    E = X @ X.T - (len(dense) / count) * (X[:, drawn] @ X[:, drawn].T)
    rows = U.T @ E
    whole = np.linalg.norm(E) ** 2
    kept = np.linalg.norm(rows @ U) ** 2 / whole
    between = 2 * (np.linalg.norm(rows) ** 2 / whole - kept)
    return {
        "kept": float(kept),
        "between": float(between),
        "missed": float(1 - kept - between),
    }
