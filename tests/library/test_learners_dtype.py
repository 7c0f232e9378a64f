"""A learner keeps the type of its points, and in float32 what it learns in float64."""

import warnings

import numpy as np
import pytest

from nystheory import kernels, lowrank, sampling
from nystheory.learners import (
    GaussianProcess,
    KernelLogistic,
    KernelPCA,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
    SubspaceClassifier,
)

RNG = np.random.default_rng(0)
X, NEW = RNG.standard_normal((300, 4)), RNG.standard_normal((40, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
FEW = {"n_landmarks": 30, "random_state": 0}

RIDGES = [
    KernelRidge(),
    KernelRidge(ridge=0.01),
    KernelRidge(**FEW),
    KernelRidge(landmarks="uniform", **FEW),
    KernelRidge(predict_with="kernel", **FEW),
    KernelRidge(method="regressors", **FEW),
    KernelRidge(method="preconditioned", **FEW),
    KernelRidge(method="falkon", **FEW),
]
REGRESSORS = [
    *RIDGES,
    GaussianProcess(0.1),
    GaussianProcess(0.1, **FEW),
    GaussianProcess(0.1, method="inducing", **FEW),
    KernelSVR(100.0),
    KernelSVR(100.0, **FEW),
    LaplacianRegression(10.0),
    LaplacianRegression(0.01, landmarks="uniform", **FEW),
]
CLASSIFIERS = [
    KernelLogistic(),
    KernelLogistic(**FEW),
    KernelLogistic(method="falkon", **FEW),
    KernelLogistic(penalty="coefficients"),
    KernelLogistic(penalty="coefficients", **FEW),
    KernelSVC(100.0),
    KernelSVC(100.0, **FEW),
    SubspaceClassifier(0.01, **FEW),
    SubspaceClassifier(loss="logistic", tol=1e-9, **FEW),
    SubspaceClassifier(loss="square", **FEW),
]
COMPONENTS = [KernelPCA(3), KernelPCA(3, **FEW), KernelPCA(3, centre=False)]
COMPONENTS += [KernelPCA(3, predict_with="kernel", **FEW)]
COEFFICIENTS = ("coef_", "dual_coef_", "values_", "eigenvectors_", "eigenvalues_")
# What a certificate is of: the duality gap, and the residual.
CERTIFIED = (KernelSVC, KernelSVR, SubspaceClassifier)
ITERATED = ("preconditioned", "falkon")


def answers(model, dtype):
    """What a learner says of new points, fitted on points of this type."""
    points, new = X.astype(dtype), NEW.astype(dtype)
    if isinstance(model, KernelPCA):
        found = model.fit_transform(points)
        return [model.transform(new), np.abs(found)]
    if model in CLASSIFIERS:
        model.fit(points, Y > 0)
        return [model.decision_function(new)]
    model.fit(points, Y)
    if isinstance(model, GaussianProcess):
        return list(model.predict(new, return_std=True))
    return [model.predict(new)]


@pytest.mark.parametrize("model", [*REGRESSORS, *CLASSIFIERS, *COMPONENTS], ids=str)
def test_answers_are_of_the_type_of_the_points_and_as_good(model):
    expected = answers(model, np.float64)
    assert {found.dtype for found in expected} == {np.dtype(np.float64)}
    given = {name: getattr(model, name, None) for name in COEFFICIENTS}
    assert all(c is None or c.dtype == np.float64 for c in given.values())
    found = answers(model, np.float32)
    assert {each.dtype for each in found} == {np.dtype(np.float32)}
    if not (isinstance(model, CERTIFIED) or model.method_ in ITERATED):
        given = [getattr(model, name, None) for name in COEFFICIENTS]
        assert all(c is None or c.dtype == np.float32 for c in given)
    for one, other in zip(found, expected, strict=True):
        size = np.abs(other).max()
        if isinstance(model, KernelPCA):
            one, other = np.abs(one), np.abs(other)
        assert np.abs(one - other).max() <= 2e-4 * size


@pytest.mark.parametrize("model", [KernelSVC(10.0), KernelSVR(10.0)], ids=str)
def test_what_is_certified_stays_in_float64(model):
    model.fit(X.astype(np.float32), Y > 0)
    assert model.dual_coef_.dtype == np.float64


def test_a_laplacian_of_float32_gives_values_of_float32():
    W = kernels.rbf(X.astype(np.float32)).dense()
    L = np.diag(W.sum(axis=1)) - W
    found = LaplacianRegression(graph="laplacian").fit(L, Y)
    assert found.values_.dtype == np.float32
    assert found.predict(W[:3]).dtype == np.float32


@pytest.mark.parametrize("size", [1e-35, 1e35, 1e100])
def test_coefficients_that_float32_has_not_stay_in_float64(size):
    model = KernelRidge().fit(X.astype(np.float32), size * Y)
    expected = KernelRidge().fit(X, size * Y).predict(NEW)
    found = model.predict(NEW.astype(np.float32))
    assert model.dual_coef_.dtype == np.float64
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()


def friedman(n, seed):
    """friedman1: ten uniform coordinates, five of them in the function."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return X, y + 10 * X[:, 3] + 5 * X[:, 4] + rng.standard_normal(n)


def test_the_default_ridge_is_as_good_in_float32():
    """With all its defaults but the number of columns, of which none is missing."""
    errors = {np.float32: [], np.float64: []}
    for seed in range(3):
        X, y = friedman(16_000, seed)
        mean, half = y[:8000].mean(), slice(8000, None)
        for dtype, found in errors.items():
            model = KernelRidge(n_landmarks=600, random_state=seed)
            with warnings.catch_warnings():
                warnings.simplefilter("error", sampling.FewerLandmarks)
                model.fit(X[:8000].astype(dtype), y[:8000] - mean)
            off = model.predict(X[half].astype(dtype)) + mean - y[half]
            found.append(np.sqrt(np.mean(off**2)))
    single, double = (np.array(errors[kind]) for kind in errors)
    assert np.abs(single / double - 1).max() < 0.02


def test_systems_of_many_rows_are_summed_in_float64():
    """The ridge is far below the rounding of a sum in float32."""
    F = RNG.standard_normal((60_000, 5)).astype(np.float32)
    F[:, 4] = F[:, 3] * (1 + 1e-3 * RNG.standard_normal(60_000).astype(np.float32))
    K = kernels.linear(F)
    near = lowrank.nystrom(K, range(5))
    y = F[:, 0].astype(np.float64)
    model = KernelRidge(1e-4).fit(near, y)
    wide = near.factor.astype(np.float64)
    core = wide.T @ wide + 1e-4 * np.eye(wide.shape[1])
    expected = np.linalg.solve(core, wide.T @ y)
    assert model.coef_ == pytest.approx(expected, rel=1e-5, abs=1e-5)
