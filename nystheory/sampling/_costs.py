"""What needs all of K says its cost before it is paid, and keeps what it paid for."""

from __future__ import annotations

import os
import warnings
from functools import cache
from time import perf_counter

import numpy as np
import scipy.linalg

from nystheory import _semidefinite
from nystheory.kernels._base import Counted
from nystheory.sampling._landmarks import Run, _calls_inside

# From here on a cost is worth a word.
SECONDS, SHARE_OF_MEMORY = 60.0, 0.5
# The size on which the speed of this machine is measured, once.
TRIAL = 400
# Digits that an eigenvalue of a matrix in single precision may lack.
SINGLE = 1e10
# Of n x n words that are alive at once: K, its copy inside LAPACK, eigenvectors.
COPIES = 3
# Operations of an eigendecomposition, times n^3.
EIGEN = 9


class Costly(UserWarning):
    """A scheme is about to take long, or much memory.

    Examples
    --------
    >>> issubclass(Costly, UserWarning)
    True
    """


def announce(run: Run, operations: float, copies: int) -> None:
    """Warn, if a scheme is about to take over a minute or half of the memory.

    An error where K alone is more than there is.
    """
    seconds = _trial_seconds() * operations / (EIGEN * TRIAL**3)
    gib, there = 8 * run.n**2 / 2**30, _memory() / 2**30
    instead = "use rp_cholesky or recursive_rls, which read only a few columns"
    if gib > there:
        raise MemoryError(
            f"K: {run.scheme} needs all of it, {gib:.1f} GiB of {there:.1f}; {instead}"
        )
    gib *= copies
    if seconds <= SECONDS and gib <= SHARE_OF_MEMORY * there:
        return
    warnings.warn(
        f"{run.scheme}: needs all of K, about {_in_words(seconds)} and {gib:.1f} GiB "
        f"(of {there:.1f}); {instead}",
        Costly,
        stacklevel=_calls_inside() + 1,
    )


def kept_eigenpairs(run: Run, k: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of K, largest first, without rounding, and eigenvectors.

    All of them, or the k leading ones.  They stay with a kernel matrix as long as it
    lives, so that another draw costs no more eigenpairs and no entries; of the leading
    ones only those that were read last.
    """
    kept = getattr(run.K, "_eigenpairs", {})
    if None in kept:
        values, vectors = kept[None]
        return values[:k], vectors[:, :k]
    if k not in kept:
        announce(run, EIGEN * run.n**3, COPIES)
        kept = {k: eigenpairs(run.dense(), k)}
        if isinstance(run.K, Counted):
            run.K._eigenpairs = kept
    return kept[k]


def eigenpairs(dense, k=None):
    """The k leading eigenvalues, those of rounding left out, and eigenvectors.

    The array is overwritten.
    """
    n = len(dense)
    span = [0 if k is None else n - k, n - 1]
    values, vectors = scipy.linalg.eigh(dense, subset_by_index=span, overwrite_a=True)
    floor = n * np.finfo(np.float64).eps * max(values[-1], 0)
    _semidefinite.not_negative(values, SINGLE * floor, "an eigenvalue")
    keep = values > floor
    return values[keep][::-1], vectors[:, keep][:, ::-1]


@cache
def _trial_seconds():
    K = np.random.default_rng(0).standard_normal((TRIAL, TRIAL))
    start = perf_counter()
    scipy.linalg.eigh(K @ K.T, overwrite_a=True)
    return perf_counter() - start


@cache
def _memory():
    """Bytes of the machine; infinite where it does not tell."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _in_words(seconds):
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"
