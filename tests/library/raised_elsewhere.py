"""Calls that raise what a docstring lists and no bad argument of the table does."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np

from nystheory import datasets, features, kernels, learners, manifold, selection
from nystheory.datasets._real import FOLDER_VARIABLE

X = np.random.default_rng(0).standard_normal((8, 2))
Y = np.arange(8) % 2
FAR = {"landmarks": [0, 99], "gamma": 0.5}


def changed_since():
    """A stored array that was changed after it was wrapped."""
    K = np.eye(3)
    wrapped = kernels.as_kernel(K)
    K[0, 0] = 2.0
    return kernels.same_matrix(wrapped, kernels.as_kernel(np.eye(3)))


def from_folder(**arrays):
    """A file of the user's with these arrays."""

    def call():
        with TemporaryDirectory() as folder, mock.patch.dict(os.environ):
            os.environ[FOLDER_VARIABLE] = folder
            np.savez(Path(folder) / "some.npz", **arrays)
            return datasets.from_folder("some")

    return call


def fitted(kind, **given):
    return lambda: kind(**FAR, **given).fit(X, Y)


ELSEWHERE = {
    "datasets.from_folder": [from_folder(y=X), from_folder(X=np.full((2, 2), np.nan))],
    "kernels.PointKernel.between": [lambda: kernels.rbf(X, 0.5).between(X, [99])],
    "kernels.same_matrix": [changed_since],
    "features.NystromFeatures.inverse_transform": [
        lambda: features.NystromFeatures(gamma=0.5).inverse_transform(X)
    ],
    "selection.KernelSelector.predict": [
        lambda: selection.KernelSelector(["rbf"]).predict(X)
    ],
    **{
        f"learners.{kind.__name__}.fit": [fitted(kind, **more)]
        for kind, more in {
            learners.GaussianProcess: {},
            learners.KernelLogistic: {"method": "nystrom"},
            learners.KernelPCA: {"method": "nystrom"},
            learners.KernelRidge: {"method": "nystrom"},
            learners.KernelSVC: {"method": "nystrom"},
            learners.KernelSVR: {"method": "nystrom"},
            learners.SubspaceClassifier: {},
        }.items()
    },
    "learners.SubspaceClassifier.partial_fit": [
        lambda: learners.SubspaceClassifier(**FAR).partial_fit(X, Y)
    ],
    "manifold.Isomap.fit": [lambda: manifold.Isomap(landmarks=[0, 99]).fit(X)],
    "manifold.LaplacianEigenmaps.fit": [
        lambda: manifold.LaplacianEigenmaps(landmarks=[0, 99], method="nystrom").fit(X)
    ],
    "manifold.accuracy": [lambda: manifold.accuracy([None] * 8, Y)],
    "manifold.purity": [lambda: manifold.purity([None] * 8, Y)],
}
