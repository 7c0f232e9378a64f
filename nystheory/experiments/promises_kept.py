"""Chapter 11: promises beside the errors that are observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import certificates, guarantees, kernels, lowrank, sampling, style
from nystheory.experiments.adaptive_sampling import uneven_clusters
from nystheory.experiments.matrices import four_matrices
from nystheory.experiments.projection_or_reconstruction import one_thread

# Points in the uneven clusters, as shares.
_UNEVEN = (0.7, 0.2, 0.075, 0.025)


def three_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """Digits, linear patches of photographs and uneven clusters, each of size n.

    Examples
    --------
    >>> list(three_matrices(40))
    ['digits, RBF', 'patches, linear', 'clusters, RBF']
    """
    Ks = four_matrices(n)
    sizes = [round(share * n) for share in _UNEVEN]
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
    known, rng = guarantees.Known(K), np.random.default_rng(seed)
    promised = {
        "uniform, coherence": [guarantees.uniform(known, m)[0] for m in counts],
        "leverage scores": [guarantees.leverage(known, m)[0] for m in counts],
        "Gaussian sketch": [guarantees.gaussian(known, m)[0] for m in counts],
        "RPCholesky, limit": [guarantees.pivoted(known, m) for m in counts],
    }
    shares = {
        name: np.array([each.share for each in found])
        for name, found in promised.items()
    }
    rows = [_self_judged(K, sampling.uniform(K, m, rng)) for m in counts]
    observed, estimated, spread = np.array(rows).T / known.trace
    return Curves(tuple(counts), shares, observed, estimated, spread)


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
        The scheme and the theorem.
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
    s = np.linalg.svd(missed, compute_uv=False)
    return float((s**2).sum()), float(s[0] ** 2)


@one_thread
def compare(
    K, n_landmarks: int, draws: int, seed: int = 0
) -> dict[str, tuple[Kept, ...]]:
    """What each theorem promises of its scheme, and what the scheme does.

    Parameters
    ----------
    K : DenseKernel (n, n)
    n_landmarks : int
    draws : int
        Draws of every scheme.
    seed : int

    Returns
    -------
    dict of str to tuple of Kept
        By norm, see `guarantees.NORMS`.

    Examples
    --------
    >>> found = compare(three_matrices(40)["digits, RBF"], 20, draws=2)
    >>> [kept.name for kept in found["trace"]][-1]
    'k-DPP'
    """
    known, rng = guarantees.Known(K), np.random.default_rng(seed)
    l = n_landmarks  # noqa: E741
    coherence, scores = guarantees.uniform(known, l), guarantees.leverage(known, l)
    gauss, by_ridge = guarantees.gaussian(known, l), guarantees.ridge_scores(known, l)

    def drawn(norm, scheme, **given):
        def one():
            chosen = scheme(K, l, rng, **given)
            return lowrank.nystrom(K, chosen).error(K, norm)

        return [one() / known.trace for _ in range(draws)]

    def sketched(which):
        found = (sketch_errors(known.values, l, rng) for _ in range(draws))
        return [errors[which] / known.trace for errors in found]

    def by_scores(which):
        rank = int(scores[which].parameter)
        given = {"rank": rank, "replace": True}
        return drawn(guarantees.NORMS[which], sampling.leverage, **given)

    alpha = by_ridge.parameter * known.trace
    ridged = drawn("spectral", sampling.ridge_leverage, alpha=alpha, replace=True)
    plain = drawn("spectral", sampling.uniform)
    ridged_uniform = (
        guarantees.uniform_ridge(known, l, id=id) for id in guarantees.RIDGES
    )
    exact = guarantees.volume(known, l).share
    trace = (
        _kept("uniform, coherence", coherence[0], drawn("trace", sampling.uniform)),
        _kept("leverage scores", scores[0], by_scores(0)),
        _kept("Gaussian sketch", gauss[0], sketched(0)),
        _kept(
            "RPCholesky",
            guarantees.pivoted(known, l),
            drawn("trace", sampling.rp_cholesky),
        ),
        Kept("k-DPP", guarantees.how_often()["k-DPP"], exact, exact, np.nan),
    )
    spectral = (
        _kept("uniform, coherence", coherence[1], plain),
        _kept("uniform, ridge scores", min(ridged_uniform, key=_share), plain),
        _kept("leverage scores", scores[1], by_scores(1)),
        _kept("ridge leverage scores", by_ridge, ridged),
        _kept("Gaussian sketch", gauss[1], sketched(1)),
    )
    return dict(zip(guarantees.NORMS, (trace, spectral), strict=True))


def _share(promise) -> float:
    return promise.share


def _kept(name, promise, errors) -> Kept:
    holds = next(
        said
        for scheme, said in guarantees.how_often().items()
        if name.startswith(scheme)
    )
    observed, largest = float(np.mean(errors)), float(np.max(errors))
    return Kept(name, holds, promise.share, observed, largest)


def table(found: Mapping[str, Mapping[str, Sequence[Kept]]], norm: str) -> style.Table:
    """Promised and observed in percent of the trace, a row for each theorem.

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
    promised = (
        "nothing" if kept.promised >= guarantees.NOTHING else _percent(kept.promised)
    )
    return f"{promised} → {_percent(kept.observed)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g}"
