"""What is known of the change of K: a number, another matrix, or a promise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite, certificates
from nystheory.guarantees._table import Guarantee, Guarantees
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import Factored

# The norms of an error that its spectral norm does not exceed.
ABOVE = ("trace", "spectral", "Frobenius")
# What is drawn where the approximation is not C W^+ C' of some columns.
NO_COLUMNS = ("uniform, in disjoint groups", "Gaussian sketch")


def change_of(K, known) -> tuple[float, str, float | None]:
    """What ``|K' - K|_2`` is at most, how that is known, and how often it fails."""
    if isinstance(known, Guarantees):
        if known.n != K.n:
            raise ValueError(
                f"known: expected promises for {K.n} points, got some for {known.n}"
            )
        rows = [row for row in known.rows if row.says and row.norm in ABOVE]
        if not rows:
            raise ValueError("known: expected promises that say something, got none")
        known = min(rows, key=lambda row: row.share)
    if isinstance(known, Guarantee):
        if not known.says or known.norm not in ABOVE:
            raise ValueError(
                f"known: expected a promise on one of {ABOVE} that says something, got "
                f"{known!r}"
            )
        change = known.share * float(K.diagonal().sum())
        return change, f"promise of {known.id} for {known.scheme}", known.fails
    if isinstance(known, Factored):
        with _checks.told_as("approximation", "known"):
            found = certificates.trace_certificate(K, known)
        # What rounding may have hidden counts.
        return found.value + found.error, "trace of what the approximation misses", 0.0
    if _is_matrix(known):
        with _checks.told_as("K", "known"):
            other = as_kernel(known).dense()
        if other.shape != (K.n, K.n):
            raise ValueError(f"known: expected shape {(K.n, K.n)}, got {other.shape}")
        moved = float(np.linalg.norm(other - K.dense(), 2))
        return moved, "from both matrices", 0.0
    return _checks.not_below_zero(known, "known"), "as given", 0.0


def _is_matrix(known) -> bool:
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
        told = not _is_matrix(known)
    if not told:
        raise ValueError(
            "known: expected a number, what `promises` tells of columns, or "
            "lowrank.nystrom(K, landmarks) with indices and no smaller rank, since the "
            f"theorem speaks of features of columns, got {_checks.shown(known)}"
            + "; with predict_with='kernel' any K' will do"
            * (learner.method != "regressors")
        )
    return known


def graphs(L, known) -> tuple[dict[str, float], str]:
    """The change of a Laplacian, and the second smallest eigenvalues."""
    second = _second(L)
    if _is_matrix(known):
        other = laplacian(known, "known")
        if other.shape != L.shape:
            raise ValueError(f"known: expected shape {L.shape}, got {other.shape}")
        change, source = float(np.linalg.norm(other - L, 2)), "from both Laplacians"
        smallest = _second(other)
    else:
        change = _checks.not_below_zero(known, "known")
        source, smallest = "as given", second - change
    for name, value in (("K", second), ("known", smallest)):
        if value <= 0:
            raise ValueError(
                f"{name}: expected a graph that is surely connected, got a second "
                f"smallest eigenvalue that may be {value:.3g}"
            )
    told = {"lambda_2": second, "other_lambda_2": smallest, "laplacian_change": change}
    return told, source


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
    return float(values[1] - len(L) * np.finfo(float).eps * values[-1])
