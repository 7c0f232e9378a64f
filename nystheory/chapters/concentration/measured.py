"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

import math

import numpy as np

from nystheory import datasets, kernels
from nystheory.chapters.concentration import covariances
from nystheory.engine.worlds.concentration import value

SAMPLES, COUNTS = 300, (10, 20, 40, 80, 160, 320, 390)


def digits(size: int, rng) -> np.ndarray:
    """Some of the digits, centred, with a linear kernel, (size, size)."""
    return _linear(_some(datasets.digits().X, size, rng))


def digits_rbf(size: int, rng) -> np.ndarray:
    """The same with a Gaussian kernel."""
    return kernels.rbf(_some(datasets.digits().X, size, rng)).dense()


def patches(size: int, rng) -> np.ndarray:
    """Some patches of photographs, centred, with a linear kernel."""
    return _linear(_some(datasets.patches(4000, 16).X, size, rng))


def cells(size: int, rng) -> np.ndarray:
    """Some cell samples with a Gaussian kernel."""
    return kernels.rbf(_some(datasets.breast_cancer().X, size, rng)).dense()


def plane(size: int, rng) -> np.ndarray:
    """Normal points in the plane, longer than wide, with a linear kernel."""
    return _linear(rng.standard_normal((size, 2)) @ covariances.SHEAR.T)


def clusters(size: int, rng) -> np.ndarray:
    """Two clusters around orthogonal centres of length one, equally large."""
    centres = np.repeat(np.eye(2), size // 2, axis=0)
    X = centres + 0.02 * rng.standard_normal(centres.shape)
    return X @ X.T


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


def _linear(X):
    X = X - X.mean(axis=0)
    return X @ X.T


# ---- what the theorems promise ----


def sampled(K, rng):
    """Distances of samples of all sizes, and what is said of them."""
    return covariances.over_sizes(K, COUNTS, SAMPLES, rng), None


def seen(distances, way: str) -> dict:
    """Of the samples drawn in a way: the root mean square, and a quantile."""
    found = 100 * getattr(distances, way)
    high = np.quantile(found, 1 - covariances.DELTA, axis=1)
    return {"root": np.sqrt((found**2).mean(axis=1)), "high": high}


def said(distances, curve: str, *fields: str) -> dict:
    """One of the curves, as what is said of some fields."""
    return dict.fromkeys(fields, 100 * distances.curves[curve])


def along_counts(trial) -> dict:
    """In percent of the norm of K, for each number of columns."""
    of, *what = trial.run
    return of(trial.known, *what)


# ---- every sample ----

NAMES = {"worst pair": "pair", "g_F": "sharp", "printed": "printed"}


def listed(K, rng):
    """The law of the distance over all samples of half of the columns, and bounds."""
    drawn = len(K) // 2
    law = covariances.every_sample(K, drawn)
    bounds = covariances.exchange_bounds(K, drawn)
    changes = {NAMES[name]: c for name, c in bounds.items()} | {"exact": law.change}
    unit = 100 / np.linalg.norm(K)
    allowed = unit / 2 * math.sqrt(value("alpha_sharp", n=len(K), l=drawn))
    told = {
        name: {"change": unit * c, "deviation": allowed * c}
        for name, c in changes.items()
    }
    return told | {"all": {"deviation": unit * law.deviation}}, None


def of_every_sample(trial) -> dict:
    """The largest change at an exchange, and the deviation that it allows for."""
    return trial.known[trial.run]
