"""Promises beside the errors that are observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import svds

from nystheory import certificates, kernels, lowrank, sampling, style
from nystheory.chapters import theorems
from nystheory.engine import Instance
from nystheory.engine.findings.experiments import (
    four_matrices,
    one_thread,
    uneven_clusters,
)
from nystheory.engine.promises.promises import kept

# The probability with which a promise may fail.
DELTA = 0.1
# Points in the uneven clusters, as shares.
UNEVEN = (0.7, 0.2, 0.075, 0.025)


def three_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """Digits, linear patches of photographs and uneven clusters, each of size n.

    Examples
    --------
    >>> list(three_matrices(40))
    ['digits, RBF', 'patches, linear', 'clusters, RBF']
    """
    Ks = four_matrices(n)
    sizes = [round(share * n) for share in UNEVEN]
    clusters = kernels.rbf(uneven_clusters(sizes), gamma=0.5)
    return {
        "digits, RBF": Ks["digits, RBF"],
        "patches, linear": Ks["patches, linear"],
        "clusters, RBF": kernels.DenseKernel(clusters.dense()),
    }


# ---- over the number of columns ----


@dataclass(frozen=True, eq=False)
class Curves:
    """Promises and errors in the trace, as shares of the trace of K.

    Attributes
    ----------
    counts : tuple of int, length m
    promised : dict of str to ndarray (m,)
    observed : ndarray (m,)
        Of one sample of uniform columns; its trace certificate is the same number.
    estimated, spread : ndarray (m,)
        By leaving one landmark out, and the standard error of that.
    """

    counts: tuple[int, ...]
    promised: Mapping[str, np.ndarray]
    observed: np.ndarray
    estimated: np.ndarray
    spread: np.ndarray


# What is drawn over the number of columns: all of the trace.
PROMISED = {
    "uniform, coherence": ("modern:uniform-coherence", "the trace"),
    "leverage scores": ("modern:leverage", "the trace"),
    "Gaussian sketch": ("modern:gaussian-sketch", "nuclear"),
    "RPCholesky, limit": ("modern:rpcholesky", "map"),
}


@one_thread
def over_columns(K, counts: Sequence[int], seed: int = 0) -> Curves:
    """Promises for several numbers of columns, and the error of uniform ones.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    counts : sequence of int
        At least 3 each.
    seed : int

    Examples
    --------
    >>> K = three_matrices(40)["digits, RBF"]
    >>> curves = over_columns(K, [5, 20])
    >>> bool((np.diff(curves.observed) < 0).all())
    True
    """
    rng, case = np.random.default_rng(seed), Instance(K.dense(), [0], 1)
    case.points, case.rank_K  # noqa: B018 - kept for the copies
    trace = float(case.diagonal.sum())
    shares = {
        name: np.array([_promised(case, m, *claim) / trace for m in counts])
        for name, claim in PROMISED.items()
    }
    rows = [_self_judged(K, sampling.uniform(K, m, rng)) for m in counts]
    observed, estimated, spread = np.array(rows).T / trace
    return Curves(tuple(counts), shares, observed, estimated, spread)


def _promised(case, n_landmarks, id, claim):
    """The promise of a claim at its best, at most the trace of K itself."""
    there = case.but(landmarks=np.arange(n_landmarks), rank=n_landmarks)
    return min(kept(theorems[id], claim, there, DELTA).bound, case.diagonal.sum())


def _self_judged(K, landmarks):
    error = certificates.trace_certificate(K, lowrank.nystrom(K, landmarks)).value
    guess = certificates.leave_one_out_trace(K, landmarks)
    return error, guess.value, guess.error


# ---- one number of columns, every theorem ----


@dataclass(frozen=True)
class Kept:
    """A promise and what was observed, as shares of the trace of K.

    Attributes
    ----------
    name : str
        The scheme.
    holds : str
        With what probability the promise holds, or that it is a mean.
    promised : float
        1 where nothing is promised.
    observed, largest : float
        Mean and largest of the draws; `largest` is nan where the mean is exact.
    """

    name: str
    holds: str
    promised: float
    observed: float
    largest: float


def sketch_errors(values, n_landmarks: int, rng) -> tuple[float, float]:
    """Trace and spectral norm of the error of one Gaussian sketch.

    The law of a Gaussian matrix does not see the eigenvectors, so the eigenvalues are
    all that is needed.

    Parameters
    ----------
    values : ndarray (n,)
        Eigenvalues of K.
    n_landmarks : int
        Number of test vectors.
    rng : numpy.random.Generator

    Examples
    --------
    >>> trace, norm = sketch_errors(np.ones(4), 1, np.random.default_rng(0))
    >>> round(trace, 9), round(norm, 9)
    (3.0, 1.0)
    """
    root = np.sqrt(values)
    seen = root[:, None] * rng.standard_normal((len(values), n_landmarks))
    U, s, _ = np.linalg.svd(seen, full_matrices=False)
    U = U[:, s > 1e-12 * s[0]]
    missed = np.diag(root) - U @ (U.T * root)
    trace = float(np.vdot(missed, missed))
    largest = svds(missed, 1, v0=root, return_singular_vectors=False)[0]
    return trace, float(largest) ** 2


def drawn_error(K, row, n_landmarks: int, rng) -> float:
    """The error of one draw of the scheme of a promise, in the norm of the promise.

    Parameters
    ----------
    K : DenseKernel (n, n)
    row : Guarantee
        Of a scheme that draws columns.
    n_landmarks : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> from nystheory import guarantees
    >>> K = three_matrices(40)["digits, RBF"]
    >>> row = best_rows(guarantees.promises(K, 20), "trace")["uniform"]
    >>> 0 < drawn_error(K, row, 20, np.random.default_rng(0)) < 40
    True
    """
    scheme, l = row.scheme, n_landmarks  # noqa: E741
    # A theorem that promises nothing gets the largest ridge that means something.
    alpha, given = row.chosen.get("alpha", np.trace(K.dense())), {"replace": True}
    if scheme == "leverage scores, with replacement":
        S = sampling.leverage(K, l, rng, rank=int(row.chosen.get("k", 1)), **given)
    elif scheme == "ridge leverage scores, with replacement":
        S = sampling.ridge_leverage(K, l, rng, alpha=alpha, **given)
    elif scheme == "RPCholesky":
        S = sampling.rp_cholesky(K, l, rng)
    else:
        S = sampling.uniform(K, l, rng)
    return lowrank.nystrom(K, S).error(K, row.norm)


def best_rows(promised, norm: str) -> dict:
    """The best promise of each scheme in a norm.

    Parameters
    ----------
    promised : Guarantees
    norm : {"trace", "spectral"}

    Examples
    --------
    >>> from nystheory import guarantees
    >>> K = three_matrices(40)["digits, RBF"]
    >>> "RPCholesky" in best_rows(guarantees.promises(K, 20), "trace")
    True
    """
    best = {}
    for row in promised.rows:  # the best come first
        if row.norm == norm and row.scheme in SCHEMES:
            best.setdefault(row.scheme, row)
    return best


# The schemes that are tried; the mean of a k-DPP is computed.
SCHEMES = (
    "uniform",
    "leverage scores, with replacement",
    "ridge leverage scores, with replacement",
    *("Gaussian sketch", "RPCholesky", "k-DPP"),
)


@one_thread
def compare(K, promised, draws: int, seed: int = 0) -> dict[str, tuple[Kept, ...]]:
    """What is promised of each scheme by its best theorem, and what the scheme does.

    Parameters
    ----------
    K : DenseKernel (n, n)
    promised : Guarantees
        Of this matrix, from `guarantees.promises`.
    draws : int
        Draws of every scheme.
    seed : int

    Returns
    -------
    dict of str to tuple of Kept
        By norm, trace and spectral.

    Examples
    --------
    >>> from nystheory import guarantees
    >>> K = three_matrices(40)["digits, RBF"]
    >>> found = compare(K, guarantees.promises(K, 20), draws=2)
    >>> [kept.name for kept in found["trace"]][-1]
    'k-DPP'
    """
    rng, l = np.random.default_rng(seed), promised.n_landmarks  # noqa: E741
    values, out = np.maximum(np.linalg.eigvalsh(K.dense())[::-1], 0), {}
    for which, norm in enumerate(("trace", "spectral")):
        best, kept_ones = best_rows(promised, norm), []
        for scheme in (s for s in SCHEMES if s in best):
            row = best[scheme]
            if scheme == "k-DPP":
                errors = [row.share * promised.trace]
            elif scheme == "Gaussian sketch":
                sketched = [sketch_errors(values, l, rng) for _ in range(draws)]
                errors = [errors[which] for errors in sketched]
            else:
                errors = [drawn_error(K, row, l, rng) for _ in range(draws)]
            kept_ones.append(_kept(row, np.array(errors) / promised.trace))
        out[norm] = tuple(kept_ones)
    return out


def _kept(row, errors) -> Kept:
    largest = float(np.max(errors)) if len(errors) > 1 else np.nan
    return Kept(
        row.scheme, row.holds, min(row.share, 1.0), float(np.mean(errors)), largest
    )


def table(found: Mapping[str, Mapping[str, Sequence[Kept]]], norm: str) -> style.Table:
    """Promised and observed in percent of the trace, a row for each scheme.

    Parameters
    ----------
    found : mapping of str to mapping
        By matrix, as `compare` returns them.
    norm : {"trace", "spectral"}

    Examples
    --------
    >>> kept = {"K": {"trace": [Kept("k-DPP", "on average", 0.5, 0.25, 0.3)]}}
    >>> table(kept, "trace").rows
    [('k-DPP', 'on average', '50 → 25')]
    """
    columns = [each[norm] for each in found.values()]
    rows = [
        (row[0].name, row[0].holds, *(_promised_and_observed(kept) for kept in row))
        for row in zip(*columns, strict=True)
    ]
    return style.Table(("promised → observed, %", "holds", *found), rows)


def _promised_and_observed(kept: Kept) -> str:
    promised = "nothing" if kept.promised >= 1 else _percent(kept.promised)
    return f"{promised} → {_percent(kept.observed)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g}"
