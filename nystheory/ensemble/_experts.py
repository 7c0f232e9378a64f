"""Experts: one Nyström approximation for each of several samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from joblib import Parallel, delayed

from nystheory import _checks
from nystheory.ensemble._validation import checked
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import LowRank, nystrom
from nystheory.sampling import Landmarks, uniform

# Threads, or with a minus sign cores that stay free.


def samples(
    K: KernelMatrix | np.ndarray,
    n_experts: int,
    n_landmarks: int,
    rng: np.random.Generator,
) -> list[Landmarks]:
    """p disjoint samples of l columns each, uniform without replacement: [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_experts : int
        The number p of samples.
    n_landmarks : int
        The number l of columns in each; ``p l <= n``.
    rng : numpy.random.Generator

    Returns
    -------
    list of Landmarks, length p
        Nothing of K is read.  For any other choice make the list yourself, for
        example ``[sampling.rp_cholesky(K, l, rng) for _ in range(p)]``.

    Raises
    ------
    ValueError, TypeError
        If there are not ``p l`` columns, a number is not a positive integer, or `rng`
        is not a generator.

    Notes
    -----
    Costs O(n) operations.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> S, T = samples(np.eye(6), 2, 3, np.random.default_rng(0))
    >>> sorted([*S.indices.tolist(), *T.indices.tolist()])
    [0, 1, 2, 3, 4, 5]
    """
    K = as_kernel(K)
    p = _checks.integer(n_experts, "n_experts", high=K.n, why="the number of points")
    most, why = K.n // p, f"{K.n} points for {p} disjoint samples"
    l = _checks.integer(n_landmarks, "n_landmarks", high=most, why=why)  # noqa: E741
    drawn = uniform(K, p * l, rng)
    chance = drawn.probabilities
    return [
        Landmarks(part, chance, None, 0, drawn.seconds / p, "uniform, disjoint")
        for part in drawn.indices.reshape(p, l)
    ]


def experts(
    K: KernelMatrix | np.ndarray,
    samples: Sequence[Landmarks | Sequence[int]],
    rank: int | None = None,
    n_jobs: int | None = None,
) -> list[LowRank]:
    """The Nyström approximation of each sample: the experts of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    samples : sequence of Landmarks or of sequences of int, length p
    rank : int, optional
        The rank k of each expert, at most its number of landmarks; by default that
        number.
    n_jobs : int, optional
        Experts at work at the same time, in threads, as joblib counts them: -1 for
        one for each core.  No influence on the result.

    Returns
    -------
    list of LowRank, length p

    Raises
    ------
    ValueError, TypeError, IndexError
        If there is no sample, `rank` is above the number of landmarks of one, or a
        landmark is not an index of K: as `lowrank.nystrom`.

    Notes
    -----
    p times the cost of `lowrank.nystrom`: ``p n l`` entries, ``p n l (l + 2 k)``
    operations, and ``p n k`` words that stay.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> experts(np.eye(4), [[0, 1], [2, 3]], rank=1)
    [LowRank(nystrom, n=4, l=2, rank=1), LowRank(nystrom, n=4, l=2, rank=1)]
    """
    K = as_kernel(K)
    if isinstance(samples, (Landmarks, str)) or not _checks.iterable(samples):
        raise TypeError(
            "samples: expected a sequence of landmarks, one for each expert, got "
            f"{_checks.shown(samples)}"
        )
    chosen = list(samples)
    if not chosen:
        raise ValueError("samples: expected at least one sample, got none")
    n_jobs = _checks.jobs(n_jobs)
    work = (delayed(nystrom)(K, sample, rank) for sample in chosen)
    with _checks.told_as("landmarks", "samples"):
        return Parallel(n_jobs=n_jobs, prefer="threads")(work)


def best_learner(
    K: KernelMatrix | np.ndarray, experts: Sequence[LowRank], norm: str = "frobenius"
) -> LowRank:
    """The expert with the smallest error, the best base learner of [1]_.

    The first one where several tie.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    experts : sequence of LowRank, length p
    norm : {"frobenius", "spectral", "trace"}

    Returns
    -------
    LowRank

    Raises
    ------
    ValueError, TypeError
        If there is no expert, one is not a LowRank or has another size, or the norm
        is unknown.

    Notes
    -----
    p times the cost of `LowRank.error`: it looks at all of K, and serves comparisons.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> K = np.diag([1.0, 2.0])
    >>> best_learner(K, experts(K, [[0], [1]])).landmarks.tolist()
    [1]
    """
    return min(checked(experts), key=lambda expert: expert.error(K, norm))


def mean_error(
    K: KernelMatrix | np.ndarray, experts: Sequence[LowRank], norm: str = "frobenius"
) -> float:
    """The mean error of the experts, the mean base learner of [1]_.

    The uniform mixture never exceeds it: ``theorems["talwalkar2010:eq-4.1"]``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    experts : sequence of LowRank, length p
    norm : {"frobenius", "spectral", "trace"}

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        As `best_learner`.

    Notes
    -----
    Costs as much as `best_learner`.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> K = np.diag([1.0, 2.0])
    >>> mean_error(K, experts(K, [[0], [1]]))
    1.5
    """
    return float(np.mean([expert.error(K, norm) for expert in checked(experts)]))
