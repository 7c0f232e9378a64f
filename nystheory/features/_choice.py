"""Which columns?  A scheme's name, indices, points, or as many as a tolerance asks."""

from __future__ import annotations

import math
import numbers
import warnings
from inspect import signature
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from nystheory import _checks
from nystheory.kernels import KernelMatrix
from nystheory.lowrank import LowRank, from_factor, nystrom
from nystheory.sampling import SCHEMES, FewerLandmarks, Landmarks
from nystheory.sampling._landmarks import Run, _calls_inside
from nystheory.sampling._pivoted import Factor, _rejection

# As many landmarks as scikit-learn's Nystroem takes where no number is given.
DEFAULT = 100
# Schemes that need a number of landmarks and no more.
BY_NAME = tuple(
    name
    for name, scheme in SCHEMES.items()
    if name != "user"
    and all(
        p.default is not p.empty for p in [*signature(scheme).parameters.values()][3:]
    )
)
# Columns with which the growth towards a tolerance begins.
FIRST = 16


def generator(random_state: Any) -> np.random.Generator:
    """A Generator of what users of scikit-learn pass.

    An int seeds it; a Generator is used as it is; of a RandomState, or NumPy's global
    one for None, one number is drawn for the seed.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    try:
        state = check_random_state(random_state)
        if isinstance(random_state, numbers.Integral) and random_state < 0:
            raise ValueError
    except ValueError:
        raise ValueError(
            "random_state: expected None, an integer of at least 0, a RandomState or "
            f"a Generator, got {_checks.shown(random_state)}"
        ) from None
    if random_state is None or random_state is state or random_state is np.random:
        return np.random.default_rng(state.randint(2**31 - 1))
    return np.random.default_rng(random_state)


def chosen(
    K: KernelMatrix, landmarks, n_landmarks, tol, rng, ridge: float | None = None
) -> Landmarks:
    """The landmarks that a user requests, by a scheme that may need the ridge."""
    if tol is not None:
        return _by_tolerance(K, landmarks, n_landmarks, tol, rng)
    if isinstance(landmarks, str):
        return _by_name(K, landmarks, _count(n_landmarks, K.n, DEFAULT), rng, ridge)
    own = _own(K, landmarks)
    if n_landmarks is not None and n_landmarks != len(own):
        raise ValueError(
            f"n_landmarks: expected None or {len(own)}, the number of landmarks that "
            f"were given, got {n_landmarks}"
        )
    return own


def approximated(K: KernelMatrix, drawn: Landmarks, rank: int | None = None) -> LowRank:
    """The Nyström approximation of K from landmarks, with the factor that they carry.

    Of the leading eigenpairs of ``C W^+ C^T`` where a rank is given.
    """
    options = {} if rank is None else {"truncate": "approximation"}
    if drawn.factor is not None:
        near = from_factor(drawn, rank, **options)
    else:
        with _checks.told_as("others", "landmarks"):
            near = nystrom(K, drawn, rank, **options)
    if near.rank == 0:
        raise ValueError(
            "landmarks: expected some that explain a part of the kernel, got "
            f"{drawn!r}, among which every entry is zero"
        )
    return near


def _count(n_landmarks, n, default):
    """How many landmarks: as many as points, with a warning, where there are fewer."""
    if n_landmarks is None:
        return min(default, n)
    count = _checks.integer(n_landmarks, "n_landmarks")
    if count > n:
        warnings.warn(
            f"n_landmarks: expected at most the number of points, {n}, got {count}; "
            f"{n} are taken",
            FewerLandmarks,
            stacklevel=_calls_inside() + 1,
        )
    return min(count, n)


def named(name: str) -> None:
    """Raise if this is no scheme that needs a number of landmarks and no more."""
    if name in SCHEMES and name not in BY_NAME:
        raise ValueError(
            "landmarks: expected a scheme that needs no more than a number, got "
            f"{name!r}; pass the indices that sampling.{name} draws"
        )
    _checks.choice(name, "landmarks", BY_NAME)


def _by_name(K, name, count, rng, ridge):
    if name == "bless" and ridge is not None:
        with _checks.told_as("alpha", "ridge"):
            return SCHEMES[name](K, count, rng, alpha=ridge)
    named(name)
    if name == "kmeans" and K.points is None:
        raise ValueError(
            "landmarks: expected a scheme that chooses among the points, got 'kmeans', "
            f"which needs dense points for its centroids, not {K!r}"
        )
    options = {"method": "accelerated"} if name == "rp_cholesky" else {}
    return SCHEMES[name](K, count, rng, **options)


def _own(K, landmarks):
    """Landmarks that the user gives: indices, or points in their place."""
    if isinstance(landmarks, Landmarks):
        raise TypeError(
            "landmarks: expected a scheme's name, indices or points, got "
            f"{landmarks!r}; pass its indices, or its points"
        )
    if not sparse.issparse(landmarks):
        landmarks = _checks.as_array(landmarks, "landmarks")
        if landmarks.ndim == 1:
            indices = _checks.indices(landmarks, K.n, "landmarks")
            return Landmarks(indices, None, None, 0, 0.0, "indices")
        if landmarks.ndim == 0:
            raise TypeError(
                "landmarks: expected a scheme's name, indices or points, got "
                f"{_checks.shown(landmarks.item())}"
            )
        landmarks = _checks.real_array(landmarks, "landmarks", 2).copy()
    if not hasattr(K, "columns_of"):
        raise ValueError(
            "landmarks: expected a scheme's name or indices for a precomputed kernel, "
            f"got points of shape {landmarks.shape}"
        )
    if landmarks.shape[0] == 0:
        raise ValueError("landmarks: expected at least one point, got none")
    if sparse.issparse(landmarks):
        _checks.real_array(landmarks.tocoo().data, "landmarks", 1)
        dense = K.points is not None
        landmarks = landmarks.toarray() if dense else landmarks.tocsr()
    return Landmarks(None, None, None, 0, 0.0, "points", points=landmarks)


def _by_tolerance(K, landmarks, n_landmarks, tol, rng):
    """Pivots until their trace certificate is below tol times the trace of K."""
    tol = _checks.positive(tol, "tol")
    if tol >= 1:
        raise ValueError(f"tol: expected a share of the trace below 1, got {tol}")
    if not (isinstance(landmarks, str) and landmarks == "rp_cholesky"):
        raise ValueError(
            "tol: expected None for landmarks that do not grow by pivoting, as "
            f"'rp_cholesky' does, got {tol} with {_checks.shown(landmarks)}"
        )
    most = _count(n_landmarks, K.n, K.n)
    found, left = _grown(K, tol, most, rng)
    if left > tol:
        why = "n_landmarks" if len(found) == most else "the rounding of " + str(K.dtype)
        warnings.warn(
            f"tol: expected the share {tol:.3g} of the trace to be left, got "
            f"{left:.3g} with {len(found)} landmarks: limited by {why}",
            stacklevel=_calls_inside() + 1,
        )
    return found


def _grown(K, tol, most, rng):
    """Landmarks, and the share of the trace that they leave.

    An eighth more pivots at a time, with the factor kept; the memory of the factor
    doubles when it is full.  At the end the pivots that were too many are dropped: what
    is left has the law of a run that stopped there.
    """
    run = Run("rp_cholesky, to a tolerance", K, min(FIRST, most), rng)
    factor = Factor(run)
    trace = float(factor.residual.sum())
    while True:
        _rejection(factor, min(-(-run.l // 8), math.isqrt(run.n)), run.rng)
        left = _left(factor, trace)
        if left[-1] <= tol * trace or len(left) == most or not factor.residual.any():
            break
        _enlarge(run, factor, min(most, run.l + max(FIRST, run.l // 8)))
    run.l = min(len(left), int(np.count_nonzero(left > tol * trace)) + 1)
    del factor.pivots[run.l :]
    factor.F = factor.F[:, : run.l].copy()
    return factor.landmarks(), left[run.l - 1] / trace


def _left(factor, trace):
    """What is left of the trace after each pivot."""
    F = factor.F[:, : len(factor.pivots)]
    return trace - np.cumsum(np.einsum("ij,ij->j", F, F))


def _enlarge(run, factor, goal):
    """Room for more pivots."""
    run.l = goal
    if goal > factor.F.shape[1]:
        wider = np.zeros((run.n, min(2 * goal, run.n)))
        wider[:, : factor.F.shape[1]] = factor.F
        room = wider.shape[1] - factor.F.shape[1]
        factor._inverse = np.pad(factor._inverse, (0, room))
        factor.F = wider
