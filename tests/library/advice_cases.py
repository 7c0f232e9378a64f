"""Messages that advise something: calls, and what their words are to change."""

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.multiclass import OneVsRestClassifier

from nystheory import (
    certificates,
    coherence,
    datasets,
    features,
    guarantees,
    kernels,
    learners,
    lowrank,
    manifold,
    sampling,
    selection,
)
from nystheory.datasets._real import FOLDER_VARIABLE
from nystheory.manifold import _graph


@dataclass(frozen=True)
class Case:
    """A call, what each phrase of its message is to change, and false phrases."""

    call: object
    given: dict
    moves: dict
    turned: dict


X = np.random.default_rng(0).standard_normal((40, 2))
Y = np.sin(X[:, 0])
SIGNS = np.where(Y > 0, 1, -1)
K = kernels.rbf(X, 0.5)
# One large gap after the first eigenvalue, and none that the trace leaves after it.
GAP = np.diag([100.0, 2.0, *np.ones(8)])



def enclosed(name):
    def call(points, K=K, **given):
        near = lowrank.nystrom(K, range(points))
        return getattr(coherence, f"approximate_{name}")(K, near, **given)

    return call


COLUMNS = {"more columns": {"points": 40}}, {"fewer columns": {"points": 1}}
RIDGES = {"a larger ridge": {"alpha": 1e6}}, {"a smaller ridge": {"alpha": 1e-4}}
SCORES = Case(
    enclosed("ridge_scores"),
    {"points": 2, "alpha": 0.01},
    COLUMNS[0] | RIDGES[0],
    COLUMNS[1] | RIDGES[1],
)
OF_GAP = (
    {"points": 2, "rank": 2, "K": GAP},
    {"more columns": {"points": 10}, "a rank with a gap below it": {"rank": 1}},
    {"fewer columns": {"points": 1}, "a rank without a gap": {"rank": 3}},
)


def system(landmarks, ridge, max_iterations):
    P = learners.Preconditioner(lowrank.nystrom(K, range(landmarks)), ridge)
    given = {"tol": 1e-8, "max_iterations": max_iterations}
    return learners.conjugate_gradients(K, Y, ridge, P, **given)


SYSTEM = Case(
    system,
    {"landmarks": 2, "ridge": 1e-3, "max_iterations": 2},
    {
        "raise the ridge": {"ridge": 1e6},
        "take more landmarks": {"landmarks": 40},
        "allow more iterations": {"max_iterations": 200},
    },
    {
        "lower the ridge": {"ridge": 1e-5},
        "take fewer landmarks": {"landmarks": 1},
        "allow fewer iterations": {"max_iterations": 1},
    },
)


def subspace(**given):
    model = learners.SubspaceClassifier(
        gamma=0.5, n_landmarks=20, random_state=0, solver="coordinates", **given
    )
    return model.fit(X, SIGNS)


def newton(**given):
    return learners.newton(X, Y > 0, **given)


def far(kind, offset, gamma, **more):
    return kind(gamma=gamma, random_state=0, **more).fit(X).transform(X + offset)


FAR = {"offset": 1e14, "gamma": 1.0}
NEARER = (
    {"subtract its mean": {"offset": 0}, "a smaller gamma": {"gamma": 1e-30}},
    {"add its mean": {"offset": 2e14}, "a larger gamma": {"gamma": 1e2}},
)


def far_binning(**given):
    return far(features.RandomBinningFeatures, **given)


def far_waves(**given):
    return far(features.RandomFourierFeatures, **given)


def matern(**given):
    return features.RandomFourierFeatures(**given).fit(X)


TWO = np.vstack([X, X + 100])


def parts(**given):
    return manifold.Isomap(2, **given).fit(TWO)


def left_out(landmarks):
    return certificates.leave_one_out_trace(K, landmarks)


DRAWN = sampling.rp_cholesky(K, 5, np.random.default_rng(0))


def fitted(fit_inverse):
    made = features.NystromFeatures(gamma=0.5, n_landmarks=4, fit_inverse=fit_inverse)
    return made.fit(X).inverse_transform(made.transform(X))


def refitted(refit):
    return selection.KernelSelector(["rbf"], [0.5], refit=refit).fit(X, Y).predict(X)


def classes(wrap):
    model = learners.KernelLogistic(gamma=0.5)
    return (wrap(model) if wrap else model).fit(X, np.arange(40) % 3)


def words(y):
    return selection.KernelSelector(["rbf"], [0.5]).fit(X, y)


def noise(metric):
    return kernels.pairwise(X, metric)


def changed(anew):
    A = np.eye(3)
    wrapped = kernels.as_kernel(A)
    A[0, 0] = 2.0
    wrapped = kernels.as_kernel(A) if anew else wrapped
    return kernels.same_matrix(wrapped, kernels.as_kernel(np.eye(3)))


def nystrom_features(X=X, **given):
    return features.NystromFeatures(random_state=0, **given).fit(X)


def wave_features(X=X, **given):
    return features.RandomFourierFeatures(random_state=0, **given).fit(X)


def waves_error(X):
    return wave_features(gamma=0.5).error(X)


def ridge(X=X, y=Y, **given):
    return learners.KernelRidge(0.5, **given).fit(X, y)


def weighted(penalty):
    waves = features.RandomFourierFeatures(n_components=4, random_state=0)
    return learners.FeatureRidge(waves, penalty=penalty).fit(X, Y)


def deviation(kind, **more):
    model = kind(features=features.RandomBinningFeatures(random_state=0))
    return model.fit(X, Y).predict(X, **more)


def eigenmaps(X=X, **given):
    return manifold.LaplacianEigenmaps(2, **given).fit(X)


def isomap(X, **given):
    return manifold.Isomap(2, **given).fit(X)


def distances(X):
    return manifold.LandmarkMDS(2).fit(X)


def criterion(y):
    """Of a matrix of rank one: divided by the ridge y^2 is no number."""
    return selection.criterion(np.ones((2, 2)), y, 1e-200, measure="likelihood")


def required(theorem, **given):
    return guarantees.required_landmarks(theorem, 0.5, n=60, **given)


def many_parts(**given):
    """Two components, where one is the most that are connected."""
    with mock.patch.object(_graph, "MOST_PARTS", 1):
        return parts(**given)


def weights_of(name):
    """In many dimensions a weight is beyond float64, and its logarithm is not."""
    far = np.random.default_rng(0).standard_normal((5, 2000))
    made = features.RandomFourierFeatures("cauchy", gamma=1.0, random_state=0)
    return getattr(made.fit(far), name)


def from_folder(folder):
    """A data set of the user's, where the variable is set."""
    with TemporaryDirectory() as made, mock.patch.dict(os.environ):
        os.environ.pop(FOLDER_VARIABLE, None)
        np.savez(Path(made) / "some.npz", X=X)
        if folder:
            os.environ[FOLDER_VARIABLE] = made
        try:
            return datasets.from_folder("some")
        except FileNotFoundError as error:
            raise ValueError(*error.args) from None


def selector(kernels):
    return selection.KernelSelector(kernels, [0.5], random_state=0).fit(X, Y)


STORED = {"X": K.dense(), "kernel": "precomputed"}
OWN = {"landmarks": [0, 3], "n_landmarks": None}
NOISY = RBF() + WhiteKernel()
MASKED = np.ma.masked_array(X, np.arange(80).reshape(40, 2) == 3)
MASKED_Y = np.ma.masked_array(SIGNS, np.arange(40) == 3)
NEAR = lowrank.nystrom(K, range(5))
NEARBY = np.vstack([X[:20], X[:20] + 30])
COPIES = np.repeat(X[:2], 20, axis=0)
DISTANCES = np.linalg.norm(X[:, None] - X[:6], axis=2)
# A call, its arguments, and what the words of its message are to change.
MORE = {
    "noise": (noise, {"metric": NOISY}, {"leave it out": {"metric": RBF()}}),
    "a changed array": (changed, {"anew": False}, {"wrap it anew": {"anew": True}}),
    "a kernel matrix": (
        nystrom_features,
        {"X": K},
        {"pass K.dense() with kernel='precomputed'": STORED},
    ),
    "masked points": (
        nystrom_features,
        {"X": MASKED},
        {"fill them": {"X": MASKED.filled(0)}, "drop rows": {"X": X[4:]}},
    ),
    "a scheme that needs more": (
        nystrom_features,
        {"landmarks": "user"},
        {"pass the indices that sampling.user draws": OWN},
    ),
    "landmarks": (
        nystrom_features,
        {"landmarks": DRAWN, "gamma": 0.5},
        {"pass its indices": OWN},
    ),
    "waves of a matrix": (wave_features, {"X": K}, {"pass its points": {"X": X}}),
    "an odd number": (
        wave_features,
        {"n_components": 7, "kind": "pairs"},
        {"kind='phases'": {"kind": "phases"}, "take 8": {"n_components": 8}},
    ),
    "error of another": (
        waves_error, {"X": kernels.rbf(X, 0.7)}, {"pass the points": {"X": X}}
    ),
    "masked labels": (
        lambda X, y: learners.KernelSVC(gamma=0.5).fit(X, y),
        {"X": X, "y": MASKED_Y},
        {"drop these points": {"X": X[4:], "y": SIGNS[4:]}},
    ),
    "an approximation": (
        ridge, {"X": NEAR, "method": "exact"}, {"pass its `kernel`": {"X": NEAR.kernel}}
    ),
    "weights that are large": (
        weighted, {"penalty": np.full(4, 1e200)}, {"penalty=None": {"penalty": None}}
    ),
    "a deviation": (
        deviation,
        {"kind": learners.GaussianProcess},
        {"take learners.KernelRidge": {"kind": learners.KernelRidge}},
    ),
    "no theorem": (
        required,
        {"theorem": "nope", "tail_F": 1.0},
        {"'modern:rpcholesky'": {"theorem": "modern:rpcholesky"}},
    ),
    "a rank": (
        required,
        {"theorem": "ding2019:adaptive", "rank": 3, "tail_trace": 0.1},
        {"pass k= with the numbers": {"rank": None, "k": 3}},
    ),
    "many parts": (
        many_parts,
        {"disconnected": "connect"},
        {
            "take more neighbours": {"n_neighbors": 60},
            "disconnected='largest'": {"disconnected": "largest"},
        },
    ),
    "weights beyond float64": (
        weights_of,
        {"name": "penalty_"},
        {"take log_penalty_": {"name": "log_penalty_"}},
    ),
    "no variable": (from_folder, {"folder": False}, {"set it": {"folder": True}}),
    "a graph of one part": (
        isomap,
        {"X": manifold.neighbours(TWO, 5).graph(), "disconnected": "connect"},
        {
            "make it with graph(whole=True)": {
                "X": manifold.neighbours(TWO, 5).graph(whole=True)
            },
            "disconnected='largest'": {"disconnected": "largest"},
        },
    ),
    "copies": (
        eigenmaps,
        {"X": COPIES, "n_neighbors": 5},
        {"drop the copies": {"X": X}},
    ),
    "a narrow width": (
        eigenmaps,
        {"X": NEARBY, "n_neighbors": 25, "width": 4.0},
        {"take a larger one": {"width": 40.0}},
    ),
    "large distances": (
        distances,
        {"X": DISTANCES * 1e60},
        {"multiply X by a power of two": {"X": DISTANCES * 1e60 * 2.0**-200}},
    ),
    "a graph": (
        isomap,
        {"X": manifold.neighbours(TWO, 5).graph(whole=True), "disconnected": "connect"},
        {"disconnected='largest'": {"disconnected": "largest"}},
    ),
    "large targets": (
        criterion, {"y": [1e70, -1e70]}, {"divide y by a number": {"y": [1.0, -1.0]}}
    ),
    "a class": (selector, {"kernels": [RBF]}, {"pass RBF()": {"kernels": [RBF()]}}),
}
CASES = {
    "ridge scores": SCORES,
    "the dimension": Case(
        enclosed("effective_dimension"), SCORES.given, SCORES.moves, SCORES.turned
    ),
    "the stable rank": Case(
        enclosed("stable_rank"), {"points": 2, "beyond": 3}, *COLUMNS
    ),
    "leverage scores": Case(enclosed("leverage_scores"), *OF_GAP),
    "coherence": Case(enclosed("of_matrix"), *OF_GAP),
    "a system": SYSTEM,
    "a subspace": Case(
        subspace,
        {"max_iter": 1, "tol": 1e-9, "ridge": 1e-2},
        {
            "raise max_iter": {"max_iter": 10**5},
            "tol": {"tol": 1.0},
            "the ridge": {"ridge": 1e9},
        },
        {"lower max_iter": {"max_iter": 1}},
    ),
    "newton": Case(
        newton,
        {"max_iter": 1, "tol": 1e-8, "ridge": 1e-3},
        {"raise max_iter": {"max_iter": 100}, "the ridge": {"ridge": 1e12}},
        {"lower max_iter": {"max_iter": 0}},
    ),
    "bins": Case(far_binning, FAR, *NEARER),
    "too many bins": Case(far_binning, FAR | {"offset": 1e30}, *NEARER),
    "waves": Case(far_waves, FAR, *NEARER),
    "waves of Matern": Case(
        far_waves,
        FAR | {"kernel": "matern", "nu": 0.2},
        NEARER[0] | {"a larger nu": {"nu": 100.0, "offset": 1e8}},
        NEARER[1],
    ),
    "a rough kernel": Case(
        matern,
        {"kernel": "matern", "nu": 1000.0},
        {"above it take kernel='rbf'": {"kernel": "rbf"}},
        {},
    ),
    "components": Case(
        parts,
        {"disconnected": "error"},
        {
            "take more neighbours": {"n_neighbors": 60},
            "disconnected='connect'": {"disconnected": "connect"},
        },
        {"take fewer neighbours": {"n_neighbors": 3}},
    ),
    "another law": Case(
        left_out,
        {"landmarks": DRAWN},
        {"pass landmarks.indices": {"landmarks": DRAWN.indices}},
        {},
    ),
    "an inverse": Case(
        fitted,
        {"fit_inverse": False},
        {"expected True": {"fit_inverse": True}},
        {"expected False": {"fit_inverse": False}},
    ),
    "a refit": Case(
        refitted,
        {"refit": False},
        {"expected True": {"refit": True}},
        {"expected False": {"refit": False}},
    ),
    "classes": Case(
        classes,
        {"wrap": None},
        {"sklearn.multiclass.OneVsRestClassifier": {"wrap": OneVsRestClassifier}},
        {},
    ),
    "words": Case(
        words,
        {"y": np.where(SIGNS > 0, "a", "b")},
        {"pass -1 and 1": {"y": SIGNS}},
        {},
    ),
    **{name: Case(*each, {}) for name, each in MORE.items()},
}
