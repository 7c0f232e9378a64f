"""Everything that is public can be pickled: for joblib, for another day."""

import pickle

import numpy as np
import pytest

from nystheory import (
    certificates,
    coherence,
    datasets,
    ensemble,
    guarantees,
    kernels,
    lowrank,
    sampling,
    verify,
)
from nystheory.chapters import theorems
from nystheory.features import (
    NystromFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
)
from nystheory.learners import FeatureRidge, SubspaceClassifier

X = np.random.default_rng(0).standard_normal((30, 3))
K = kernels.rbf(X, 0.5)


def closeness(x, y):
    """A kernel of one's own, in a module of its own."""
    return float(np.exp(-np.abs(x - y).sum()))


def things():
    some = lowrank.nystrom(K, [0, 1, 2])
    other = lowrank.nystrom(K, [4, 5])
    rng = np.random.default_rng(0)
    return {
        "rbf": K,
        "linear": kernels.linear(X),
        "by name": kernels.pairwise(X, "laplacian"),
        "callable": kernels.pairwise(X, closeness),
        "dense": kernels.as_kernel(K.dense()),
        "approximation": some,
        "truncated": lowrank.best_rank_k(K, 2),
        "ensemble": ensemble.combine(K, [some, other], rng=rng),
        "landmarks": sampling.rp_cholesky(K, 5, rng=rng),
        "scheme": sampling.SCHEMES["uniform"],
        "features": NystromFeatures(random_state=0, n_landmarks=5).fit(X),
        "ridge on features": FeatureRidge(NystromFeatures(n_landmarks=5)).fit(
            X, X[:, 0]
        ),
        "classifier": SubspaceClassifier(n_landmarks=5, random_state=0).partial_fit(
            X, X[:, 0] > 0
        ),
        "waves": RandomFourierFeatures("matern", random_state=0).fit(X),
        "bins": RandomBinningFeatures(n_grids=5, random_state=0).fit(X),
        "accuracy": RandomFourierFeatures(random_state=0).fit(X).error(X),
        "estimate": certificates.trace_certificate(K, some),
        "enclosure": coherence.approximate_ridge_scores(K, some, 0.1),
        "operator": some.to_linear_operator(),
        "data": datasets.digits(50),
        "known": guarantees.know(K),
        "estimated": guarantees.estimate(K, some),
        "promises": guarantees.promises(K, 5),
        "columns": guarantees.columns(K, 0.1),
        "catalogue": guarantees.catalogue(),
        "dimension": guarantees.effective_dimension(K, 1.0),
        "decay": guarantees.decay(1 / np.arange(1, 40.0)),
        "verdict": verify(theorems["talwalkar2010:thm-2.3"]),
    }


THINGS = things()


@pytest.mark.parametrize("name", THINGS)
def test_what_was_pickled_is_the_same(name):
    thing = THINGS[name]
    again = pickle.loads(pickle.dumps(thing))
    assert type(again) is type(thing)
    assert repr(again) == repr(thing)


def test_a_theorem_comes_back_as_itself():
    for theorem in theorems.values():
        assert pickle.loads(pickle.dumps(theorem)) is theorem


def test_a_kernel_that_comes_back_is_the_one_that_was_approximated():
    some = lowrank.nystrom(K, [0, 1, 2])
    kernel, again = pickle.loads(pickle.dumps((K, some)))
    assert certificates.trace_certificate(kernel, again).value == pytest.approx(
        certificates.trace_certificate(K, some).value
    )
    assert again.error(K, "trace") == some.error(K, "trace")
