"""Criteria of a kernel: against scikit-learn, by brute force, and in fractions."""

import numpy as np
import pytest
from selection_cases import as_float, case, exact
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge

from nystheory import ensemble, kernels, lowrank
from nystheory.selection import MEASURES, criterion

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = np.sin(X[:, 0]) + X[:, 1]
K = kernels.rbf(X, gamma=0.5)
RIDGES = [1e-3, 0.1, 2.0, 50.0]
WEIGHT = RNG.uniform(0.5, 3.0, 30)
every_measure = pytest.mark.parametrize("measure", MEASURES)


@pytest.mark.parametrize("ridge", RIDGES)
def test_criterion_is_the_least_regularised_risk(ridge):
    model = KernelRidge(alpha=ridge, kernel="precomputed").fit(K.dense(), Y)
    fitted, a = model.predict(K.dense()), model.dual_coef_
    risk = np.mean((fitted - Y) ** 2) + ridge / 30 * a @ K.dense() @ a
    assert np.isclose(criterion(K, Y, ridge), risk, rtol=1e-9)


@pytest.mark.parametrize("ridge", RIDGES)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["even", "weighted"])
def test_likelihood_is_that_of_a_gaussian_process(ridge, weight):
    noise = ridge if weight is None else ridge / weight
    process = GaussianProcessRegressor(RBF(1.0), alpha=noise, optimizer=None)
    told = -process.fit(X, Y).log_marginal_likelihood_value_
    found = criterion(K, Y, ridge, measure="likelihood", sample_weight=weight)
    assert np.isclose(found, told, rtol=1e-9)


def left_out(ridge, weight):
    """The weighted squared error of each point, from fits without it."""
    A, errors = K.dense(), []
    for i in range(30):
        rest = np.delete(np.arange(30), i)
        model = KernelRidge(alpha=ridge, kernel="precomputed")
        model.fit(A[np.ix_(rest, rest)], Y[rest], weight[rest])
        errors.append(weight[i] * (Y[i] - model.predict(A[[i]][:, rest])[0]) ** 2)
    return np.mean(errors)


@pytest.mark.parametrize("ridge", RIDGES)
@pytest.mark.parametrize("weight", [np.ones(30), WEIGHT], ids=["even", "weighted"])
def test_leave_one_out_is_that_of_fits_without_each_point(ridge, weight):
    found = criterion(K, Y, ridge, measure="leave-one-out", sample_weight=weight)
    assert np.isclose(found, left_out(ridge, weight), rtol=1e-7)


@every_measure
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["even", "weighted"])
@pytest.mark.parametrize("number", [0, 16])
def test_all_ridges_at_once_are_one_by_one(measure, weight, number):
    near = lowrank.nystrom(K, [0, 5, 9, 20])
    other = lowrank.nystrom(K, [1, 2])
    mixture = ensemble.Ensemble([near, other], np.array([0.5, 0.5]))
    options = {"measure": measure, "sample_weight": weight}
    ridges = np.geomspace(1e-3, 50.0, 4 + number)
    for each in (K, K.dense(), near, mixture):
        at_once = criterion(each, Y, ridges, **options)
        alone = [criterion(each, Y, ridge, **options) for ridge in ridges]
        assert at_once.shape == (4 + number,)
        assert all(isinstance(value, float) for value in alone)
        np.testing.assert_allclose(at_once, alone, rtol=1e-8)


@every_measure
@pytest.mark.parametrize("rank", [1, 4, 30])
def test_of_an_approximation_it_is_that_of_its_matrix(measure, rank):
    near = lowrank.nystrom(K, range(rank))
    dense = near.spectral_reconstruction()
    for weight in (None, WEIGHT):
        options = {"measure": measure, "sample_weight": weight}
        one, other = (criterion(each, Y, RIDGES, **options) for each in (near, dense))
        np.testing.assert_allclose(one, other, rtol=1e-7)


@every_measure
def test_an_approximation_of_rank_0_leaves_the_noise(measure):
    near = lowrank.nystrom(np.zeros((3, 3)), [0])
    y = [1.0, 2.0, 3.0]
    told = criterion(near, y, 2.0, measure=measure)
    assert np.isclose(told, criterion(np.zeros((3, 3)), y, 2.0, measure=measure))


def test_weights_are_repeated_points():
    weight = np.arange(30) % 3 + 1.0
    often = np.repeat(np.arange(30), weight.astype(int))
    many, y = kernels.rbf(X[often], 0.5), Y[often]
    n, extra = len(often), len(often) - 30
    found = criterion(K, Y, RIDGES, sample_weight=weight)
    np.testing.assert_allclose(criterion(many, y, RIDGES), found * 30 / n, rtol=1e-9)
    # Repeated observations are their mean, with noise ridge / w, and what is between
    # them: of the same y only constants.
    logs = extra * np.log(2 * np.pi * np.array(RIDGES)) + np.log(weight).sum()
    told = criterion(many, y, RIDGES, measure="likelihood") - logs / 2
    found = criterion(K, Y, RIDGES, measure="likelihood", sample_weight=weight)
    np.testing.assert_allclose(found, told, rtol=1e-8)


@every_measure
def test_a_weight_of_zero_drops_the_point(measure):
    weight = WEIGHT.copy()
    weight[[3, 17]] = 0
    rest = np.flatnonzero(weight)
    near = lowrank.nystrom(K, [0, 3, 5])
    whole = near.spectral_reconstruction()
    for each, of in ((K, K.dense()), (near, whole)):
        found = criterion(each, Y, RIDGES, measure=measure, sample_weight=weight)
        without, left = of[np.ix_(rest, rest)], weight[rest]
        told = criterion(without, Y[rest], RIDGES, measure=measure, sample_weight=left)
        np.testing.assert_allclose(found, told, rtol=1e-7)


@pytest.mark.parametrize("seed", range(40))
def test_in_fractions(seed):
    K, y, ridge, weight, near = case(seed)
    told = exact(K, y, ridge, weight)
    for measure in MEASURES:
        options = {"measure": measure, "sample_weight": weight}
        one = criterion(K, y, ridge, **options)
        several = criterion(K, y, ridge * np.arange(1, 13), **options)[0]
        np.testing.assert_allclose([one, several], as_float(told[measure]), rtol=1e-5)


@every_measure
def test_targets_of_any_size(measure):
    few = criterion(K, Y, 0.1, measure=measure)
    small = criterion(K, 2.0**-200 * Y, 0.1, measure=measure)
    large = criterion(K, 2.0**200 * Y, 0.1, measure=measure)
    if measure != "likelihood":
        assert (small, large) == (few * 2.0**-400, few * 2.0**400)
    assert np.isfinite([small, large]).all()
    assert np.isfinite(criterion(K, np.zeros(30), 0.1, measure=measure))
    with pytest.raises(ValueError, match="^y: expected numbers of size"):
        criterion(K, 1e100 * Y, 0.1, measure=measure)


def test_squares_that_overflow_are_an_error():
    with pytest.raises(ValueError, match="^y: expected numbers whose squares"):
        criterion(np.zeros((1, 1)), [1e70], 1e-200, measure="likelihood")


def test_what_is_asked_for():
    kernel = kernels.rbf(X, 0.5)
    near = lowrank.nystrom(kernel, [0, 1])
    before = kernel.entries_asked
    criterion(near, Y, RIDGES)
    assert kernel.entries_asked == before
    criterion(kernel, Y, RIDGES)
    assert kernel.entries_asked == before + 900


@every_measure
def test_sums_are_in_float64(measure):
    single = kernels.rbf(X.astype(np.float32), 0.5)
    double = single.dense().astype(np.float64)
    told = criterion(double, Y, RIDGES, measure=measure)
    for each in (single, single.dense()):
        found = criterion(each, Y, RIDGES, measure=measure)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, told, rtol=1e-12)
    factor = lowrank.nystrom(single, range(5)).factor
    assert factor.dtype == np.float32
    double = factor.astype(np.float64) @ factor.astype(np.float64).T
    told = criterion(double, Y, RIDGES, measure=measure)
    found = criterion(lowrank.nystrom(single, range(5)), Y, RIDGES, measure=measure)
    np.testing.assert_allclose(found, told, rtol=1e-7)


NAN = np.where(np.arange(30) == 4, np.nan, Y)
BAD = {
    "y with nan": ((NAN, 1.0, {}), "y: expected finite numbers, got nan at index 4"),
    "short y": ((Y[:9], 1.0, {}), "y: expected 30 numbers"),
    "table y": ((Y[:, None], 1.0, {}), "y: expected 30 numbers"),
    "words": ((["a"] * 30, 1.0, {}), "y: expected real numbers"),
    "zero ridge": ((Y, 0.0, {}), "ridge: expected a finite number above 0, got 0"),
    "negative ridge": ((Y, [1.0, -1.0], {}), "ridge: expected a finite number above 0"),
    "nan ridge": ((Y, np.nan, {}), "ridge: expected a finite number above 0"),
    "no ridge": ((Y, [], {}), "ridge: expected a number above 0 or a sequence"),
    "table of ridges": ((Y, [[1.0]], {}), "ridge: expected a number above 0 or a seq"),
    "a word": ((Y, "large", {}), "ridge: expected a number"),
    "measure": ((Y, 1.0, {"measure": "risk"}), "measure: expected one of 'criterion'"),
    "negative weight": (
        (Y, 1.0, {"sample_weight": -WEIGHT}),
        "sample_weight: expected numbers of at least 0",
    ),
    "no weight": (
        (Y, 1.0, {"sample_weight": np.zeros(30)}),
        "sample_weight: expected one above 0",
    ),
    "nan weight": ((Y, 1.0, {"sample_weight": NAN}), "sample_weight: expected finite"),
    "few weights": ((Y, 1.0, {"sample_weight": [1.0]}), "sample_weight: expected 30"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(name):
    (y, ridge, options), told = BAD[name]
    for each in (K, lowrank.nystrom(K, [0])):
        with pytest.raises((ValueError, TypeError)) as error:
            criterion(each, y, ridge, **options)
        assert str(error.value).startswith(told)


def test_a_matrix_that_is_no_kernel_is_named():
    with pytest.raises(ValueError, match="^K: expected a positive semidefinite"):
        criterion(np.diag([1.0, -1.0]), [1.0, 1.0], 1.0)
