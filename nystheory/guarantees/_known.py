"""What is known of a matrix, measured once."""

from __future__ import annotations

import math
import os

import numpy as np

from nystheory import _checks
from nystheory.engine.promises.known import Known
from nystheory.engine.promises.promises import NORMS
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.guarantees._estimate import Estimated
from nystheory.kernels import as_kernel
from nystheory.lowrank import Factored

DELTA = 0.1


def know(K) -> Instance | Estimated:
    """What bounds must know of a matrix, measured once: pass it on in place of K.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance, or Estimated
        Positive semidefinite; what was measured before is returned as it is.

    Returns
    -------
    Instance or Estimated
        With the eigenpairs of K; of a large K see `estimate`.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, is zero, has one point only, or
        would take more than half of the memory.

    Notes
    -----
    Costs ``O(n^3)`` operations and n^2 entries of K (none of a linear kernel, which
    gives its points); keeps about twice the memory of K, and needs five times at its
    peak.  What is measured is the book's own choice: what the bounds of
    `catalogue` name.

    Examples
    --------
    >>> know(np.diag([3.0, 1.0])).spectrum.tolist()
    [3.0, 1.0]
    """
    case, digits = K, np.finfo(np.float64).eps
    if isinstance(K, Estimated):
        return K
    if isinstance(K, Factored):
        raise TypeError(
            "K: expected a kernel matrix, or guarantees.estimate(K, approximation), "
            f"got {K!r}"
        )
    if not isinstance(K, Instance):
        kernel = as_kernel(K)
        check_room(kernel.n)
        digits = np.finfo(getattr(kernel, "dtype", np.float64)).eps
        if getattr(kernel, "name", "") == "linear":  # whose points tell the rank
            case = Instance.from_points(kernel.points.T, [0], 1)
        else:
            case = Instance(kernel.dense(), [0], 1)
    if case.n < 2:
        raise ValueError("K: expected two points or more, got one")
    if not case.K.any():
        raise ValueError("K: expected a matrix that is not zero, got zeros only")
    lowest, size = case.eigen_K[0][-1], case.norm_K
    if lowest < -max(1e-8, case.n * digits) * size:
        raise ValueError(
            f"K: expected a positive semidefinite matrix, got an eigenvalue of "
            f"{lowest:.3g} beside a largest of {size:.3g}"
        )
    case.largest_distance, case.spread, Known.of(case)  # noqa: B018 - kept
    return case


def check_room(n) -> None:
    """An error where a matrix would take more than half of the memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = math.isqrt(memory // 2 // np.dtype(float).itemsize)
    if n > most:
        raise ValueError(
            f"K: expected at most {most} points, whose matrix takes half of the memory "
            f"of this machine ({memory / 2**30:.3g} GiB), got {n}; approximate first "
            f"and pass guarantees.estimate(K, approximation)"
        )


def known_norm(norm, case, end: int = -1) -> float:
    """The norm of K, which the error never exceeds: its lower end, or its upper."""
    found = Known.of(case).measured(QUANTITIES[NORMS[norm]])
    return float(
        found.value + (end * found.error if isinstance(case, Estimated) else 0)
    )


def missed_share(case) -> float:
    """The share of the trace that is not known."""
    if not isinstance(case, Estimated):
        return 0.0
    return case.missed / float(case.diagonal.sum())


def checked_delta(delta) -> float:
    """A probability as a float."""
    number = _checks.positive(delta, "delta")
    if not number < 1:
        raise ValueError(f"delta: expected a number between 0 and 1, got {delta!r}")
    return number
