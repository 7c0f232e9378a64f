"""What is known of the change of K: a number, another matrix, or a promise."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite, certificates
from nystheory._rounding import allowed
from nystheory.guarantees._rules import OF_LANDMARKS
from nystheory.guarantees._table import Guarantee, Guarantees
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import Factored

# The norms of an error that its spectral norm does not exceed.
ABOVE = ("trace", "spectral", "Frobenius")
# What is drawn where the approximation is not C W^+ C' of some columns.
NO_COLUMNS = ("uniform, in disjoint groups", "Gaussian sketch")


class _Change(NamedTuple):
    """What ``|K' - K|_2`` is at most, and how that is known.

    `fails` is as of a `Guarantee`; `given` holds what nobody checked, in words.
    """

    size: float
    source: str
    fails: float | None = 0.0
    given: tuple[str, ...] = ()


def change_of(K, known) -> _Change:
    """What is known of the change of K."""
    if isinstance(known, Guarantees):
        _of_this(K, known)
        rows = [row for row in known.rows if row.says and row.norm in ABOVE]
        if not rows:
            wanted = "expected at least one informative promise"
            raise ValueError(f"known: {wanted}, got none")
        row = min(rows, key=lambda row: row.share)
        return _promised(K, row, ())
    if isinstance(known, Guarantee):
        if not known.says or known.norm not in ABOVE:
            raise ValueError(
                f"known: expected a promise on one of {ABOVE} that says something, got "
                f"{known!r}"
            )
        if known.trace is None:
            return _promised(K, known, ("the promise is one for K",))
        _of_this(K, known)
        return _promised(K, known, ())
    if isinstance(known, Factored):
        with _checks.told_as("approximation", "known"):
            found = certificates.trace_certificate(K, known)
        # What rounding may have hidden counts.
        source = "trace of what the approximation misses"
        return _Change(found.value + found.error, source)
    if is_matrix(known):
        return _Change(_between(K, known), "from both matrices")
    return _as_given(known)


def _as_given(known) -> _Change:
    """A number, which nobody checked."""
    try:
        size = _checks.not_below_zero(known, "known")
    except TypeError:
        wanted = "expected a number, an approximation below K, a matrix or promises"
        raise TypeError(f"known: {wanted}, got {_checks.shown(known)}") from None
    return _Change(size, "as given", given=(f"the change is at most {size:.6g}",))


def _promised(K, row, given) -> _Change:
    size = row.share * float(K.diagonal().sum())
    return _Change(size, f"promise of {row.id} for {row.scheme}", row.fails, given)


def _of_this(K, known) -> None:
    """Raise unless promises are for as many points, and for the trace of K."""
    if known.n != K.n:
        raise ValueError(
            f"known: expected promises for {K.n} points, got some for {known.n}"
        )
    trace = float(np.asarray(K.diagonal(), float).sum())
    # A sum of n numbers rounds n times, and each of them as entries do.
    eps = float(np.finfo(getattr(K, "dtype", float)).eps)
    slack = (K.n + _semidefinite.ROUNDING_SLACK) * eps * trace
    if abs(known.trace - trace) > slack:
        raise ValueError(
            f"known: expected promises for K, whose trace is {trace:.6g}, got some for "
            f"a trace of {known.trace:.6g}"
        )


def _between(K, known) -> float:
    """The spectral norm of ``K' - K`` of two semidefinite matrices, rounding included.

    The subtraction rounds every entry once, which moves the norm by at most eps times
    that of Frobenius, and the eigenvalues are those of a matrix within n eps of it.
    """
    with _checks.told_as("K", "known"):
        other = as_kernel(known).dense()
    if other.shape != (K.n, K.n):
        raise ValueError(f"known: expected shape {(K.n, K.n)}, got {other.shape}")
    own = K.dense()
    for name, matrix in (("known", other), ("K", own)):
        _semidefinite.factored(matrix, name)
    return _norm_of(other.astype(np.float64) - own)


def _norm_of(D) -> float:
    """The spectral norm of a symmetric difference, with its rounding."""
    norm = float(np.abs(scipy.linalg.eigvalsh(D)).max())
    lost = (len(D) + 1) * np.finfo(float).eps * float(np.linalg.norm(D))
    return norm + allowed("the norm of a difference", lost)


def is_matrix(known) -> bool:
    """Whether it is K' itself."""
    if isinstance(known, (list, tuple)):
        known = _checks.as_array(known, "known")
    return isinstance(known, KernelMatrix) or np.ndim(known) == 2


def of_columns(learner, known):
    """What is known of K~ = C W^+ C', whose features the learner predicts with."""
    if isinstance(known, Guarantees):
        rows = tuple(row for row in known.rows if row.scheme not in NO_COLUMNS)
        if known.rows and not rows:
            raise ValueError(
                "known: expected promises for columns, got some for "
                + " and ".join(sorted({row.scheme for row in known.rows}))
            )
        return replace(known, rows=rows)
    if isinstance(known, Guarantee):
        told = known.scheme not in NO_COLUMNS
    elif isinstance(known, Factored):
        chosen = getattr(known, "landmarks", None) if known.below else None
        told = chosen is not None and known.rank_requested >= len(np.unique(chosen))
    else:
        told = not is_matrix(known)
    if not told:
        raise ValueError(
            "known: expected a number, what `promises` says of columns, or "
            "lowrank.nystrom(K, landmarks) with indices and no smaller rank, since the "
            f"theorem speaks of features of columns, got {_checks.shown(known)}"
            + "; with predict_with='kernel' any K' will do"
            * (learner.method not in OF_LANDMARKS)
        )
    return known


def graphs(L, known) -> tuple[dict[str, float], _Change]:
    """The change of a Laplacian, and the second smallest eigenvalues."""
    second = _second(L)
    if is_matrix(known):
        other = laplacian(known, "known")
        if other.shape != L.shape:
            raise ValueError(f"known: expected shape {L.shape}, got {other.shape}")
        change = _Change(_norm_of(other - L), "from both Laplacians")
        smallest = _second(other)
    else:
        change = _as_given(known)
        smallest = second - change.size
    for name, value in (("K", second), ("known", smallest)):
        if value <= 0:
            raise ValueError(
                f"{name}: expected a graph that is surely connected, got a second "
                f"smallest eigenvalue that may be {value:.3g}"
            )
    told = {"lambda_2": second, "other_lambda_2": smallest}
    return told | {"laplacian_change": change.size}, change


def laplacian(L, name):
    L = L.dense() if isinstance(L, KernelMatrix) else L
    L = _checks.real_array(L, name, 2).astype(float)
    size = max(1.0, float(np.abs(L).max(initial=0.0)))
    if (
        L.shape[0] != L.shape[1]
        or len(L) < 2
        or np.abs(L.sum(axis=1)).max() > 1e-9 * size
    ):
        raise ValueError(
            f"{name}: expected a Laplacian of two vertices or more, (N, N) with rows "
            f"that sum to 0, got shape {L.shape}"
        )
    return _semidefinite.symmetric(L, name)


def _second(L) -> float:
    """The second smallest eigenvalue, less what rounding may have added."""
    values = scipy.linalg.eigvalsh(L)
    lost = len(L) * np.finfo(float).eps * values[-1]
    return float(values[1] - allowed("connected", lost))
