"""What an approximation below K leaves on the diagonal: certificates rest on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from nystheory import _checks, _semidefinite
from nystheory._rounding import allowed
from nystheory.kernels import KernelMatrix
from nystheory.kernels._base import FEW, digits, entry_error


def rounding(K, approximation, size: float) -> float:
    """What rounding may do to what is left of numbers of this size.

    An entry of K is known to FEW eps of its own type.  An inner product of k numbers
    of the factor, and the triangular solve before it, rounds k times in the type of the
    factor: as independent numbers, sqrt(k) times eps.
    """
    return _rounding(digits(K), approximation, size)


def _rounding(eps, approximation, size):
    """The same, for the eps of the type of K."""
    k = approximation.factor.shape[1]
    own = float(np.finfo(approximation.factor.dtype).eps)
    return (math.sqrt(k) * own + FEW * eps) * float(size)


def summed(errors: np.ndarray) -> float:
    """A bound on a sum of roundings that are independent, each at most so large.

    The mean of their sizes is no more than a `FEW`-th, since FEW roundings are the most
    that was seen of an entry and one is the usual; what is above the mean adds up by
    squares.

    >>> summed(np.array([16.0])), summed(np.full(10**4, 16.0))
    (17.0, 11600.0)

    The norm is one that scales: the squares of small numbers are no numbers.

    >>> bool(summed(np.full(4, 1e-166)) > 2e-166)
    True
    """
    return float(errors.sum() / FEW + linalg.norm(errors))


def _worst(eps, approximation, size):
    """The same, and the blur, if all roundings had one sign: less accuses nobody."""
    k = approximation.factor.shape[1]
    more = (k + FEW) / (math.sqrt(k) + FEW)
    blur = more * approximation.blur
    return (k + FEW) * _coarser(eps, approximation) * float(size) + blur


def _coarser(eps, approximation):
    """The larger eps, of K or of the factor."""
    return max(eps, float(np.finfo(approximation.factor.dtype).eps))


@dataclass(frozen=True)
class _Missing:
    """The diagonal of K, what an approximation leaves of it, and what rounding may do.

    `floor` is for one entry of what is left, `trace_floor` for their sum.  Entries of
    many copies, or of sums of equal numbers, round alike: theirs are added up.

    The trace of ``K - F F^T`` is a sum in float64 of numbers that are given: as exact
    as the diagonal of K.  But F F^T is not quite below K, since F rounds, and so do the
    columns that it comes from.  By its error G it is moved by ``G F^T + F G^T``, of
    which no more than ``|G|_F |F|_F`` is above zero, in the trace, and the rows of G
    are `rounding` times those of F.  By so much the norms of the error may exceed its
    trace.
    """

    K: KernelMatrix
    diagonal: np.ndarray
    left: np.ndarray
    floor: float
    trace_floor: float
    trace: float


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
    # A K of another size may be right: what is said is that the two do not fit.
    shape = getattr(K, "shape", ())
    if len(shape) == 2 and shape[0] == shape[1] != approximation.n:
        raise ValueError(
            f"approximation: expected one of K, of shape {tuple(shape)}, got "
            f"{approximation!r}"
        )
    K = approximation.of(K)
    eps, error = digits(K), entry_error(K)
    diagonal = _checks.real_array(K.diagonal(), "K", 1).astype(np.float64)
    F = approximation.factor
    left = diagonal - np.einsum("ij,ij->i", F, F, dtype=np.float64)
    i, size = int(left.argmin()), float(diagonal.max())
    moved = diagonal * (error - FEW * eps)
    negative = left[i] < -(_worst(eps, approximation, size) + moved.max())
    if negative and (some := _in_doubt(eps, approximation, left, size)) is not None:
        negative = not _semidefinite.is_semidefinite(K[some, some])
    if negative:
        raise ValueError(
            f"K: expected a positive semidefinite matrix, got K[{i}, {i}] = "
            f"{diagonal[i]:.6g}, of which the sampled columns explain "
            f"{diagonal[i] - left[i]:.6g}: K has a negative eigenvalue, or other "
            "entries than when its columns were read"
        )
    # Where a singular W has blurred one entry below zero others are blurred as much.
    floor = _rounding(eps, approximation, size) + moved.max() + approximation.blur
    floor = allowed("an entry", floor)
    lifted = allowed("entries below zero", 2 * max(-float(left[i]) - floor, 0.0))
    whole = float(diagonal.sum())
    entries = FEW * eps * diagonal + moved
    own = float(np.finfo(F.dtype).eps) * math.sqrt(F.shape[1]) * whole
    trace_floor = allowed("the trace", own + entries.sum() + approximation.blur)
    trace_floor = float(trace_floor) + len(left) * lifted
    trace = max(math.fsum(left), 0.0)
    left[left < 0] = 0.0  # rounding, and no more
    return _Missing(K, diagonal, left, float(floor) + lifted, trace_floor, trace)


def _in_doubt(eps, approximation, left, size):
    """The landmarks and the point of which most seems to be explained, or None.

    The solve with a core W that is nearly singular multiplies the rounding of the
    entries, without limit, but not among the landmarks: there F F^T is W, or below.
    Where that is so the entries themselves decide, (l + 1)^2 of them: what seems to be
    a negative eigenvalue is rounding if these are semidefinite as far as one can see.
    """
    if getattr(approximation, "landmarks", None) is None:
        return None
    chosen = np.unique(approximation.landmarks)
    if left[chosen].min() < -np.sqrt(_coarser(eps, approximation)) * size:
        return None
    return np.unique(np.append(chosen, left.argmin()))
