"""What schemes miss, and what their columns are worth: one draw of the findings."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn import linear_model, pipeline

from nystheory import features, kernels, lowrank, sampling
from nystheory.chapters.pivots_and_volumes import expected_errors
from nystheory.engine.findings import schemes
from nystheory.engine.findings.held_out import Points
from nystheory.sampling import FewerLandmarks

LANDMARKS = 12
COUNTS = (1, 2, 5, 10, 20, 40)
RANK = 20
OF_400 = (20, 40, 80)
COMPUTED = {
    "k_dpp": expected_errors.k_dpp_mean,
    "rp_cholesky": expected_errors.rp_cholesky_limit,
}


def left_over(K: kernels.KernelMatrix, landmarks) -> np.ndarray:
    """The squared length of what each point misses.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    landmarks : Landmarks or sequence of int

    Returns
    -------
    ndarray (n,)

    Examples
    --------
    >>> left_over(kernels.DenseKernel(np.diag([2.0, 1.0])), [0]).tolist()
    [0.0, 1.0]
    """
    made = lowrank.nystrom(K, landmarks)
    return (K.diagonal() - (made.factor**2).sum(axis=1)).clip(0)


def missed(trial) -> dict:
    """What a dozen landmarks of a scheme miss, of the trace and at one point."""
    K = trial.known
    S = sampling.SCHEMES[trial.run](K, LANDMARKS, trial.rng)
    left, lengths = left_over(K, S), K.diagonal()
    return {
        "missed": 100 * left.sum() / lengths.sum(),
        "worst": 100 * left.max() / lengths.max(),
    }


def with_spectrum(K, rng) -> tuple:
    """The matrix, stored, and its eigenvalues, largest first."""
    stored = kernels.DenseKernel(K.dense())
    return (stored, np.linalg.eigvalsh(stored.dense())[::-1].clip(1e-300)), None


def shares(trial) -> dict:
    """What is missed with each number of landmarks, and what was computed before."""
    K, values = trial.known
    draws = (sampling.SCHEMES[trial.run](K, c, trial.rng) for c in COUNTS)
    found = {"missed": [left_over(K, S).sum() for S in draws]}
    if trial.run in COMPUTED:
        found["computed"] = COMPUTED[trial.run](values, COUNTS)
    return {k: 100 * np.array(x) / values.sum() for k, x in found.items()}


def accuracies(trial) -> dict:
    """Relative accuracy and entries of K with each number of columns."""
    found = schemes.compare(trial.known, RANK, OF_400, 1, [trial.run])
    return {
        "accuracy": 100 * found.after[trial.run][:, 0],
        "entries": found.entries[trial.run][:, 0] / trial.known.n**2,
    }


def quarter_apart(drawn: Points, rng) -> tuple[Points, Points]:
    """Three quarters to learn from, a quarter to be judged by."""
    n = 3 * len(drawn.y) // 4
    return Points(drawn.X[:n], drawn.y[:n]), Points(drawn.X[n:], drawn.y[n:])


def learned(trial) -> dict:
    """New labels that are right with features of a tolerance, and what they miss."""
    known, new = trial.known, trial.judged
    made = features.NystromFeatures(
        gamma="scale", tol=trial.run, random_state=int(trial.rng.integers(2**31))
    )
    model = pipeline.make_pipeline(made, linear_model.RidgeClassifier())
    with warnings.catch_warnings(action="ignore", category=FewerLandmarks):
        model.fit(known.X, known.y)
    share = 1 - (made.transform(new.X) ** 2).sum(axis=1)
    return {
        "right": 100 * model.score(new.X, new.y),
        "features": made.n_features_out_,
        "new": 100 * share.mean(),
        "strangest": 100 * share.max(),
    }
