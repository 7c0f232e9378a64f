"""A group of points that a sample may miss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.engine.findings.experiments import one_thread


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
