"""What an approximation below K leaves on the diagonal: certificates rest on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix

# Roundings of an entry beside those of its inner product: 13 is the most that was seen
# of any kernel, any landmarks and either precision.
FEW = 16


def rounding(K, approximation, size: float) -> float:
    """What rounding may do to what is left of numbers of this size.

    An inner product of k numbers rounds k times, and the triangular solve before it a
    few times more.  The digits are those of K or of the factor, whichever has fewer.
    """
    eps = _digits(K, approximation)
    return (approximation.factor.shape[1] + FEW) * eps * float(size)


def _digits(K, approximation):
    """The larger eps, of K or of the factor."""
    used = (getattr(K, "dtype", np.float64), approximation.factor.dtype)
    return max(float(np.finfo(dtype).eps) for dtype in used)


@dataclass(frozen=True)
class _Missing:
    """The diagonal of K, what an approximation leaves of it, and what rounding may do.

    `floor` is for one entry of what is left, `trace_floor` for their sum.
    """

    K: KernelMatrix
    diagonal: np.ndarray
    left: np.ndarray
    floor: float
    trace_floor: float

    @property
    def trace(self) -> float:
        """The trace of what is left."""
        return float(self.left.sum())


def missing(K, approximation) -> _Missing:
    """What an approximation below K leaves on the diagonal.

    Assumes that K is semidefinite, and raises ValueError where it shows that it is not:
    what is left is negative by more than rounding.
    """
    if not hasattr(approximation, "below"):
        raise TypeError(
            "approximation: expected a LowRank or an Ensemble, got "
            f"{_checks.shown(approximation)}"
        )
    if not approximation.below:
        raise ValueError(
            "approximation: expected one that lies between 0 and K, such as "
            f"lowrank.nystrom(K, landmarks), got {approximation!r}"
        )
    # A K of another size may be right: what is told is that the two do not fit.
    shape = getattr(K, "shape", ())
    if len(shape) == 2 and shape[0] == shape[1] != approximation.n:
        raise ValueError(
            f"approximation: expected one of K, of shape {tuple(shape)}, got "
            f"{approximation!r}"
        )
    K = approximation.of(K)
    diagonal = _checks.real_array(K.diagonal(), "K", 1).astype(np.float64)
    F = approximation.factor
    left = diagonal - np.einsum("ij,ij->i", F, F, dtype=np.float64)
    i, size = int(left.argmin()), float(diagonal.max())
    floor = rounding(K, approximation, size) + approximation.blur
    if left[i] < -floor and not _by_rounding(K, approximation, left, i, size):
        raise ValueError(
            f"K: expected a positive semidefinite matrix, got K[{i}, {i}] = "
            f"{diagonal[i]:.6g}, of which the sampled columns explain "
            f"{diagonal[i] - left[i]:.6g}: K has a negative eigenvalue, or other "
            "entries than when its columns were asked for"
        )
    # Where a singular W has blurred one entry below zero others are blurred as much.
    blur = 2 * max(-float(left[i]), 0.0)
    trace_floor = rounding(K, approximation, diagonal.sum()) + approximation.blur
    trace_floor += len(left) * blur
    left[left < 0] = 0.0  # rounding, and no more
    return _Missing(K, diagonal, left, floor + blur, trace_floor)


def _by_rounding(K, approximation, left, i, size):
    """Whether K is semidefinite among the landmarks and point i, as far as one can see.

    The solve with a core W that is nearly singular multiplies the rounding of the
    entries, without limit, but not among the landmarks: there F F^T is W, or below.
    Where that is so the entries themselves decide: (l + 1)^2 of them.
    """
    if getattr(approximation, "landmarks", None) is None:
        return False
    chosen = np.unique(approximation.landmarks)
    if left[chosen].min() < -np.sqrt(_digits(K, approximation)) * size:
        return False
    some = np.unique(np.append(chosen, i))
    try:
        _semidefinite.semidefinite(K[some, some])
    except ValueError:
        return False
    return True
