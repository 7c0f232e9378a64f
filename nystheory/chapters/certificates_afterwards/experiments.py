"""Norms of an error beside its certificates, and inverses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.engine.findings.experiments import one_thread

# ---- norms ----


@dataclass(frozen=True, eq=False)
class Chain:
    """Sizes of an error over the trace of K, and what certifies two of them.

    Attributes
    ----------
    counts : tuple of int, length m
    entry, spectral, frobenius, trace : ndarray (m,)
        The largest diagonal entry of the error, and three norms.
    by_diagonal, by_factor : ndarray (m,)
        The certificates for the entries and for the trace.
    """

    counts: tuple[int, ...]
    entry: np.ndarray
    spectral: np.ndarray
    frobenius: np.ndarray
    trace: np.ndarray
    by_diagonal: np.ndarray
    by_factor: np.ndarray


@one_thread
def chain(K, counts: Sequence[int], seed: int = 0) -> Chain:
    """Sizes of the error with the first columns of one run of RPCholesky.

    Parameters
    ----------
    K : DenseKernel (n, n)
    counts : sequence of int
    seed : int

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> shown = chain(digits_kernel(30), [5, 10])
    >>> bool(np.allclose(shown.trace, shown.by_factor))
    True
    """
    pivots = sampling.rp_cholesky(K, max(counts), np.random.default_rng(seed))
    dense, rows = K.dense(), []
    for count in counts:
        near = lowrank.nystrom(K, pivots.indices[:count])
        E = dense - near.spectral_reconstruction()
        norms = (near.error(K, norm) for norm in ("spectral", "frobenius", "trace"))
        certified = (
            certificates.entry_certificate(K, near).value,
            certificates.trace_certificate(K, near).value,
        )
        rows.append((np.diag(E).max(), *norms, *certified))
    return Chain(tuple(counts), *(np.array(rows) / np.trace(dense)).T)


# ---- inverses ----


@dataclass(frozen=True, eq=False)
class Inverses:
    """Spectral errors of a regularised inverse, each times the ridge.

    Attributes
    ----------
    ratios : ndarray (m,)
        The ridge over the spectral error of the approximation.
    observed, by_norm, by_trace, squared : ndarray (m,)
        The error, its bounds from the norm and from the trace of the error of the
        matrix, and the older bound with the square of the ridge.
    """

    ratios: np.ndarray
    observed: np.ndarray
    by_norm: np.ndarray
    by_trace: np.ndarray
    squared: np.ndarray


@one_thread
def inverses(K, n_landmarks: int, ratios: Sequence[float], seed: int = 0) -> Inverses:
    """The error of ``(K~ + alpha I)^-1`` for uniform columns and many ridges.

    Parameters
    ----------
    K : DenseKernel (n, n)
    n_landmarks : int
    ratios : sequence of float
    seed : int

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> shown = inverses(digits_kernel(30), 5, [0.1, 10.0])
    >>> bool((shown.observed <= shown.by_norm).all())
    True
    """
    drawn = sampling.uniform(K, n_landmarks, np.random.default_rng(seed))
    near = lowrank.nystrom(K, drawn)
    dense, approximate = K.dense(), near.spectral_reconstruction()
    norm, trace = near.error(K, "spectral"), near.error(K, "trace")
    one, bound = np.eye(len(dense)), theorems["modern:resolvent"].bound
    found = []
    for alpha in np.asarray(ratios) * norm:
        gap = np.linalg.inv(approximate + alpha * one)
        gap -= np.linalg.inv(dense + alpha * one)
        by_norm, by_trace = (bound(alpha=alpha, norm_E=e) for e in (norm, trace))
        row = (np.linalg.norm(gap, 2), by_norm, by_trace, norm / alpha**2)
        found.append(alpha * np.array(row))
    return Inverses(np.asarray(ratios), *np.array(found).T)


# ---- a group that a sample may miss ----


@dataclass(frozen=True, eq=False)
class FarGroup:
    """Uniform samples of a crowd and of a small group far away.

    Attributes
    ----------
    missed : ndarray of bool (draws,)
        Whether no point of the group was drawn.
    entry, trace : ndarray (draws,)
        The certificates.
    guess, error : ndarray (draws,)
        The trace by leaving one out, and its standard error.
    """

    missed: np.ndarray
    entry: np.ndarray
    trace: np.ndarray
    guess: np.ndarray
    error: np.ndarray


@one_thread
def far_group(
    crowd: int, group: int, n_landmarks: int, draws: int, seed: int = 0
) -> FarGroup:
    """What a sample guesses of its error, and what is certified afterwards.

    Parameters
    ----------
    crowd, group : int
        Gaussian points in the plane, and equal points far away.
    n_landmarks : int
        Uniform columns.
    draws : int
        Of points and of columns.
    seed : int

    Examples
    --------
    >>> found = far_group(50, 2, 10, draws=4)
    >>> bool((found.entry[found.missed] == 1).all())
    True
    """
    rng, rows = np.random.default_rng(seed), []
    for _ in range(draws):
        far = np.tile([50.0, 0.0], (group, 1))
        K = kernels.rbf(np.vstack([rng.standard_normal((crowd, 2)), far]), gamma=0.1)
        drawn = sampling.uniform(K, n_landmarks, rng)
        near = lowrank.nystrom(K, drawn)
        guess = certificates.leave_one_out_trace(K, drawn)
        certified = (
            certificates.entry_certificate(K, near).value,
            certificates.trace_certificate(K, near).value,
        )
        missed = (drawn.indices < crowd).all()
        rows.append((missed, *certified, guess.value, guess.error))
    missed, *numbers = np.array(rows).T
    return FarGroup(missed == 1, *numbers)


# ---- functions of a matrix ----


@dataclass(frozen=True, eq=False)
class Functions:
    """Three functions of a matrix, of its approximation and of what is left of that.

    Attributes
    ----------
    exact : dict of str to float
    approximate : dict of str to ndarray (draws, m)
        For every rank kept, all of them first.
    """

    exact: dict
    approximate: dict


@one_thread
def functions(
    K, ridge: float, n_landmarks: int, ranks: Sequence[int], draws: int, seed: int = 0
) -> Functions:
    """Log determinant, trace of the root and effective dimension from random pivots.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    ridge : float
    n_landmarks : int
    ranks : sequence of int
        To which the approximation is truncated.
    draws : int
    seed : int

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> found = functions(digits_kernel(30), 0.1, 10, [5], draws=2)
    >>> {name: each.shape for name, each in found.approximate.items()}["root"]
    (2, 2)
    """
    of = {
        "log determinant": lambda t: np.log1p(t / ridge).sum(),
        "root": lambda t: np.sqrt(t).sum(),
        "effective dimension": lambda t: (t / (t + ridge)).sum(),
    }
    values = np.maximum(np.linalg.eigvalsh(K.dense()), 0.0)
    rng, kept = np.random.default_rng(seed), []
    for _ in range(draws):
        factor = sampling.rp_cholesky(K, n_landmarks, rng).factor
        kept.append(np.linalg.svd(factor, compute_uv=False) ** 2)
    every = (n_landmarks, *ranks)
    return Functions(
        {name: float(f(values)) for name, f in of.items()},
        {
            name: np.array([[f(each[:rank]) for rank in every] for each in kept])
            for name, f in of.items()
        },
    )
