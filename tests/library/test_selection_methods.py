"""The eight methods of the source: what each of them is, and what it asks for."""

import numpy as np
import pytest

from nystheory import kernels, lowrank, sampling, selection
from nystheory.selection import METHODS, approximate, criterion

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.sign(X[:, 0])
DENSE = kernels.rbf(X, 0.3).dense()
SAMPLED = METHODS[2:]


def made(method, n_landmarks=8, seed=0, **options):
    rng = np.random.default_rng(seed)
    return approximate(DENSE, method, n_landmarks, rng, y=Y, **options)


def test_there_are_eight():
    assert len(METHODS) == 8 and METHODS[:2] == ("original", "optimal")
    assert selection.METHODS is METHODS


def test_the_original_is_the_matrix_itself():
    assert np.array_equal(made("original").dense(), DENSE)


def test_the_optimal_one_is_the_best_of_its_rank():
    values = np.linalg.eigvalsh(DENSE)[::-1]
    assert made("optimal").eigenvalues == pytest.approx(values[:8])
    assert made("optimal", rank=3).eigenvalues == pytest.approx(values[:3])


@pytest.mark.parametrize("method", SAMPLED)
@pytest.mark.parametrize("rank", [None, 5])
def test_others_are_the_formula_on_the_columns_of_their_scheme(method, rank):
    options = {"y": Y} if method == "criterion_driven" else {}
    options |= {"rank": rank} if method == "leverage" else {}
    rng = np.random.default_rng(0)
    drawn = sampling.SCHEMES[method](DENSE, 8, rng, **options)
    C, W = DENSE[:, drawn.indices], DENSE[np.ix_(drawn.indices, drawn.indices)]
    values, vectors = np.linalg.eigh(W)
    kept = vectors[:, -(rank or 8) :]
    expected = C @ kept / values[-(rank or 8) :] @ kept.T @ C.T
    found = made(method, rank=rank)
    assert np.array_equal(found.landmarks, drawn.indices)
    assert found.spectral_reconstruction() == pytest.approx(expected, abs=1e-9)
    assert found.below


@pytest.mark.parametrize("method", METHODS)
def test_criterion_takes_what_is_made(method):
    """No method is above K, so that none has a smaller criterion."""
    exact = criterion(DENSE, Y, 0.4)
    assert exact * (1 - 1e-9) <= criterion(made(method), Y, 0.4) <= Y @ Y / 40 + 1e-9
    if method == "original":
        assert criterion(made(method), Y, 0.4) == exact


@pytest.mark.parametrize("method", SAMPLED)
def test_draws_are_reproducible(method):
    assert np.array_equal(made(method).landmarks, made(method).landmarks)


def test_targets_are_looked_at_by_one_method_alone():
    with pytest.raises(ValueError, match="^y: expected the targets, .*criterion_driv"):
        approximate(DENSE, "criterion_driven", 8, np.random.default_rng(0))
    for method in METHODS:
        if method != "criterion_driven":
            approximate(DENSE, method, 8, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("changed", "error", "told"),
    [
        ({"method": "kmeans"}, ValueError, "^method: expected one of 'original'"),
        ({"n_landmarks": 0}, ValueError, "^n_landmarks: expected an integer"),
        ({"n_landmarks": 41}, ValueError, "the number of points"),
        ({"rank": 9}, ValueError, r"^rank: .* 8 \(n_landmarks\)"),
        ({"rng": 0}, TypeError, "^rng: expected a numpy.random.Generator"),
        ({"K": [[0.0, 1.0], [1.0, 0.0]], "n_landmarks": 1}, ValueError, "^K: "),
    ],
)
def test_bad_input_is_named(changed, error, told):
    given = {"K": DENSE, "method": "uniform", "n_landmarks": 8}
    given |= {"rng": np.random.default_rng(0)} | changed
    with pytest.raises(error, match=told):
        approximate(**given)


def test_the_rank_falls_to_that_of_the_columns():
    K = kernels.linear(X)
    with pytest.warns(sampling.FewerLandmarks):
        near = approximate(K, "adaptive_full", 6, np.random.default_rng(0), rank=6)
    assert isinstance(near, lowrank.LowRank) and near.rank == 3
