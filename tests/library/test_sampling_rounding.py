"""When is a point explained?  When what is left of it is rounding, in either precision.

A floor that is too high ends too early, one that is too low takes rounding for pivots:
both sides are tested, against the same points in float64.
"""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy.linalg import solve_triangular

from nystheory import kernels, lowrank, sampling
from nystheory.kernels._base import FEW, entry_rounding
from nystheory.sampling._landmarks import Run
from nystheory.sampling._pivoted import Factor, _Among

TYPES = (np.float32, np.float64)
PIVOTED = {
    "accelerated": sampling.rp_cholesky,
    "block": partial(sampling.rp_cholesky, method="block"),
    "simple": partial(sampling.rp_cholesky, method="simple"),
    "greedy": sampling.incomplete_cholesky,
}


def drawn(scheme, K, l, seed=0):  # noqa: E741
    """The landmarks, without the warning that there are few."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        return scheme(K, l, np.random.default_rng(seed))


@pytest.mark.parametrize(
    "scheme",
    [
        sampling.rp_cholesky,
        sampling.incomplete_cholesky,
        sampling.farthest_point,
        sampling.recursive_rls,
    ],
    ids=lambda scheme: scheme.__name__,
)
def test_millions_of_points_in_float32(scheme):
    """No pivot of twenty is near the rounding of float32, however many points."""
    X = np.random.default_rng(0).standard_normal((2_200_000, 5), dtype=np.float32)
    found = scheme(kernels.rbf(X), 20, np.random.default_rng(1))
    assert len(set(found.indices.tolist())) == 20


def friedman(n, seed=0):
    """Ten uniform coordinates, as in the regression of that name."""
    return np.random.default_rng(seed).uniform(size=(n, 10)).astype(np.float32)


@pytest.mark.parametrize("scheme", PIVOTED)
def test_float32_goes_on_as_far_as_float64(scheme):
    """The residuals fall to 5e-4 of K_ii, far above what float32 has."""
    X = friedman(4000)
    missed = {}
    for dtype in TYPES:
        found = drawn(PIVOTED[scheme], kernels.rbf(X.astype(dtype), 0.2), 400)
        assert len(found) == 400
        K = kernels.rbf(X.astype(np.float64), 0.2)
        missed[dtype] = lowrank.nystrom(K, found.indices).error(K, "trace")
        own = 4000 - np.einsum("ij,ij->", found.factor, found.factor)
        assert own == pytest.approx(missed[dtype], rel=1e-2)
    assert missed[np.float32] == pytest.approx(missed[np.float64], rel=0.1)


def test_what_float32_does_not_carry_is_said_with_the_remedy():
    X = np.random.default_rng(0).standard_normal((300, 2))
    says = "up to the rounding of float32; pass points of float64 for more"
    with pytest.warns(sampling.FewerLandmarks, match=says):
        fewer = sampling.incomplete_cholesky(kernels.rbf(X.astype(np.float32)), 200)
    K = kernels.rbf(X).dense().astype(np.float32)
    with pytest.warns(sampling.FewerLandmarks, match="pass K of float64"):
        sampling.incomplete_cholesky(K, 200)
    assert len(drawn(sampling.incomplete_cholesky, kernels.rbf(X), 200)) > len(fewer)
    with pytest.warns(sampling.FewerLandmarks, match="the rounding of float64$"):
        sampling.incomplete_cholesky(kernels.linear(X), 3)
    twins = np.ones((4, 2), dtype=np.float32)
    with pytest.warns(sampling.FewerLandmarks, match="coincides.* rounding of float32"):
        sampling.farthest_point(kernels.rbf(twins), 2)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scheme", [*PIVOTED, "sgma"])
@pytest.mark.parametrize(("n", "rank", "l"), [(60, 3, 20), (900, 5, 40), (700, 25, 60)])
def test_pivots_stop_at_the_rank(scheme, dtype, n, rank, l):  # noqa: E741
    """Of a matrix of low rank nothing but rounding is left then: ten draws."""
    scheme = PIVOTED.get(scheme, sampling.sgma)
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((n, rank)).astype(dtype)
        assert len(drawn(scheme, kernels.linear(X), l, seed)) == rank
        if seed < 3:
            K = kernels.linear(X).dense()
            assert len(drawn(scheme, K, l, seed)) == rank


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scheme", PIVOTED)
@pytest.mark.parametrize(("d", "gamma"), [(2, 20.0), (5, 0.3), (5, 30.0), (20, 0.01)])
def test_copies_are_no_pivots(scheme, dtype, d, gamma):
    """Off the diagonal a point and its copy have 1 but for rounding."""
    for seed in range(5):
        X = np.random.default_rng(seed).standard_normal((40, d)).astype(dtype)
        K = kernels.rbf(np.repeat(X, 6, axis=0), gamma)
        found = drawn(PIVOTED[scheme], K, 60, seed).indices // 6
        assert len(set(found.tolist())) == len(found)
        if gamma * d > 1:
            assert len(found) == 40


@pytest.mark.parametrize("gamma", [0.02, 0.2, 2.0, 20.0])
@pytest.mark.parametrize("d", [2, 5, 20])
@pytest.mark.parametrize("scheme", ["accelerated", "greedy"])
def test_no_residual_is_off_by_more_than_is_said(scheme, d, gamma):
    """Against the residual of the same pivots and points in float64."""
    for seed in range(3):
        X = np.random.default_rng(seed).uniform(size=(800, d)).astype(np.float32)
        K, true = kernels.rbf(X, gamma), kernels.rbf(X.astype(np.float64), gamma)
        found = drawn(PIVOTED[scheme], K, 200, seed)
        pivots, F = found.indices, found.factor
        L = np.linalg.cholesky(true[pivots, pivots])
        half = solve_triangular(L, true[pivots, :], lower=True)
        off = np.einsum("ij,ij->j", half, half) - np.einsum("ij,ij->i", F, F)
        factor = Factor(Run("by hand", K, len(pivots)))
        factor.add_block(pivots)
        assert (np.abs(off) <= factor.rounding(np.arange(800))).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_rounding_does_not_grow_with_the_points(dtype):
    """Nor does it shrink: one pivot leaves four roundings of an entry, and of a sum."""
    for n in (100, 10_000):
        K = kernels.rbf(np.ones((n, 2), dtype=dtype))
        factor = Factor(Run("by hand", K, 3))
        factor.add(0)
        rounded = entry_rounding(K) + np.finfo(np.float64).eps
        assert factor.rounding([1])[0] == pytest.approx(4 * rounded, rel=1e-9)


def test_the_vectors_of_a_block_are_those_of_its_pivots():
    """Elimination among proposals keeps |w|^2 as elimination by columns has it."""
    X = np.random.default_rng(0).standard_normal((60, 5))
    one, other = (Factor(Run("by hand", kernels.rbf(X, 0.1), 9)) for _ in range(2))
    for factor in (one, other):
        factor.add_block([3, 8])
    among = _Among(one, [5, 9, 40, 9, 22])
    among.eliminate(0)
    among.eliminate(1)
    other.add_block([5, 9])
    squares = other.weights([22]) ** 2 @ one.sizes([*other.pivots])
    assert among._products[4, 4] - among._own[4] == pytest.approx(squares[0], rel=1e-9)
    assert among.left(4) == pytest.approx(other.residual[22], rel=1e-9)
    assert among.left(3) == 0  # drawn twice


@pytest.mark.parametrize("dtype", TYPES)
def test_entries_that_cancel_are_known_to_fewer_digits(dtype):
    X = np.random.default_rng(0).standard_normal((500, 6)).astype(dtype)
    few, said = FEW * np.finfo(dtype).eps, {}
    for gamma in (1e-3, 1.0, 1e2):
        said[gamma] = entry_rounding(kernels.rbf(X, gamma)) - few
        twins = kernels.rbf(np.vstack([X, X]), gamma)[range(500), range(500, 1000)]
        assert (np.abs(1 - twins.diagonal()) <= few + said[gamma]).all()
    assert said[1e-3].max() < 0.1 * few and said[1e2].max() > 10 * few
    assert entry_rounding(kernels.rbf(X[:, :3], 1e3)) == few


@pytest.mark.parametrize("scheme", PIVOTED)
def test_copies_in_many_dimensions_accuse_nobody(scheme):
    """Sums of a thousand equal numbers round alike: copies differ by a hundred eps."""
    for dtype in TYPES:
        X = np.full((50, 1000), 0.1, dtype=dtype)
        K = kernels.pairwise(X, "polynomial", degree=2, gamma=1.0, coef0=0.0)
        assert len(drawn(PIVOTED[scheme], K, 10)) == 1
        assert len(drawn(PIVOTED[scheme], kernels.linear(X), 10)) == 1


@pytest.mark.parametrize("scheme", PIVOTED)
def test_one_far_point_hides_no_others(scheme):
    """Its own terms are large, theirs are not."""
    X = np.random.default_rng(0).standard_normal((400, 5)).astype(np.float32)
    X[7] *= 1e5
    assert len(drawn(PIVOTED[scheme], kernels.rbf(X, 0.2), 50)) == 50


@pytest.mark.parametrize("dtype", TYPES)
def test_a_point_far_from_all_others_is_a_pivot(dtype):
    """Digits that cancel elsewhere are not its own: its column is zero."""
    X = np.zeros((50, 6), dtype=dtype)
    X[:, 0] = 1e4 * np.arange(50)
    assert len(drawn(sampling.incomplete_cholesky, kernels.rbf(X, 10.0), 50)) == 50


@pytest.mark.parametrize("dtype", TYPES)
def test_estimated_leverage_at_low_rank(dtype):
    """Scores of copies and of a matrix of low rank, weighted: no false accusation."""
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((500, 3)).astype(dtype)
        rng = np.random.default_rng(seed)
        assert len(drawn(sampling.recursive_rls, kernels.linear(X), 20, seed)) == 20
        sampling.bless(kernels.rbf(np.repeat(X, 4, axis=0)), 30, rng, alpha=0.01)


def test_bless_takes_a_ridge_that_float32_carries():
    X = np.random.default_rng(0).standard_normal((3000, 3)).astype(np.float32)
    found = sampling.bless(kernels.rbf(X), 50, np.random.default_rng(0), alpha=0.01)
    assert len(found) == 50
    with pytest.raises(ValueError, match="alpha: expected at least"):
        sampling.bless(kernels.rbf(X), 50, np.random.default_rng(0), alpha=1e-6)


@pytest.mark.parametrize("dtype", TYPES)
def test_adaptive_batches_end_at_the_rank(dtype):
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((200, 4)).astype(dtype)
        found = drawn(sampling.adaptive_full, kernels.linear(X), 30, seed)
        assert len(found) < 30
