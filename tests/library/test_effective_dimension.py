"""The effective dimension of a matrix and of a law: ends that hold, counted exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats

from nystheory import coherence, guarantees, kernels, lowrank
from nystheory.guarantees._dimension import _mean_between


def exact(K, alpha) -> Fraction:
    """``tr K (K + alpha I)^-1`` of a matrix of floats, in fractions."""
    n, alpha = len(K), Fraction(float(alpha))
    K = [[Fraction(float(x)) for x in row] for row in K]
    M = [[K[i][j] + alpha * (i == j) for j in range(n)] + K[i] for i in range(n)]
    for i in range(n):  # M is positive definite: no pivot is zero
        M[i] = [x / M[i][i] for x in M[i]]
        for j in range(n):
            if j != i:
                M[j] = [x - M[j][i] * y for x, y in zip(M[j], M[i], strict=True)]
    return sum(M[i][n + i] for i in range(n))


def whole_numbers(count):
    """Semidefinite matrices of integers: regular, nearly singular, and singular."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 6))
        size, wide = (3, 30, 3000)[seed % 3], n if seed % 2 else int(rng.integers(1, n))
        B = rng.integers(-size, size + 1, (n, max(wide, 1)))
        if seed % 4 == 0:  # rows that are nearly one
            B = B[:1] * 100 + rng.integers(-1, 2, B.shape)
        K = (B @ B.T).astype(float)
        if K.any():
            yield rng, K


def test_by_hand():
    K = np.diag([3.0, 1.0, 0.0])
    found = guarantees.effective_dimension(K, 1.0)
    assert found.low <= 1.25 <= found.high and found.high - found.low < 1e-12
    assert found.certain and found.fails == 0 and found.holds == "surely"
    pair = np.array([[2.0, 1.0], [1.0, 2.0]])  # eigenvalues 3 and 1
    assert guarantees.effective_dimension(pair, 1.0).low == pytest.approx(1.25)
    # In the units of the source, of the covariance, both are divided by n.
    values = np.linalg.eigvalsh(pair / 2)
    assert (values / (values + 0.5)).sum() == pytest.approx(1.25)


def test_ends_hold_in_fractions_rounding_included():
    for rng, K in whole_numbers(150):
        alpha = 10.0 ** rng.uniform(-9, 9)
        true = exact(K, alpha)
        found = guarantees.effective_dimension(K, alpha)
        assert found.low <= true <= found.high
        few = lowrank.nystrom(K, range(int(rng.integers(1, len(K)))))
        known = guarantees.effective_dimension(guarantees.estimate(K, few), alpha)
        assert known.low <= true <= known.high and known.certain


def cases(count):
    """Matrices, sampled columns and ridges, where much is missed."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 9))
        values = 10.0 ** rng.uniform(-4, 1, n)
        turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
        K = (
            np.diag(values),
            np.eye(n) + 10.0 ** rng.uniform(-3, 3),
            (turn * values) @ turn.T,
            np.diag(np.where(np.arange(n) < 2, 1.0, 0.01)),
        )[seed % 4]
        yield (K + K.T) / 2, int(rng.integers(1, n)), 10.0 ** rng.uniform(-3, 2)


def test_ends_from_an_approximation_are_nearly_met_and_the_nearest():
    nearest, better = np.zeros(2), 0
    for K, l, alpha in cases(200):  # noqa: E741
        near = lowrank.nystrom(K, range(l))
        found = guarantees.effective_dimension(guarantees.estimate(K, near), alpha)
        values = np.linalg.eigvalsh(K).clip(0)
        true = (values / (values + alpha)).sum()
        assert found.low <= true * (1 + 1e-9) and true <= found.high * (1 + 1e-9)
        if np.trace(K) - (near.factor**2).sum() > 1e-3 * np.trace(K):
            nearest = np.maximum(nearest, [found.low / true, true / found.high])
        other = coherence.approximate_effective_dimension(K, near, alpha)
        assert found.high <= other.high * (1 + 1e-9)
        better += found.high < 0.95 * other.high
    assert (nearest > 0.95).all() and better > 10


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("alpha", [1e-300, 1e299])
@pytest.mark.parametrize("unit", [1e-140, 1e-15, 1e30, 1e140])
def test_far_from_the_ridge_nothing_overflows_and_ends_hold(unit, alpha):
    K = unit * np.diag([3.0, 2.0, 1.0])
    known, d = guarantees.estimate(K, lowrank.nystrom(K, [0])), exact(K, alpha)
    for matrix in (K, known):
        found = guarantees.effective_dimension(matrix, alpha)
        assert 0 <= found.low <= found.high <= 3 * (1 + 1e-12)
        assert Fraction(found.low) <= d <= Fraction(found.high)
        assert guarantees.population_dimension(matrix, alpha).low <= 3


def test_an_instance_and_a_kernel_of_points_tell_the_same():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((30, 2)), 1.0)
    one, two, three = (
        guarantees.effective_dimension(each, 0.3)
        for each in (K, K.dense(), guarantees.know(K))
    )
    assert one.low == pytest.approx(two.low) == pytest.approx(three.low)
    assert one.low == pytest.approx(coherence.effective_dimension(K, 0.3))


def test_entries_of_few_digits_count_as_such():
    X = np.random.default_rng(0).standard_normal((40, 2))
    for alpha in (1e-6, 1e-3, 1.0):
        true = guarantees.effective_dimension(kernels.rbf(X, 1.0), alpha)
        some = kernels.rbf(X.astype(np.float32), 1.0).dense()
        assert some.dtype == np.float32
        few = guarantees.effective_dimension(some, alpha)
        assert few.low <= true.low and true.high <= few.high


# --- From a sample --------------------------------------------------------------------


class Handed(np.random.Generator):
    """A generator whose next integers are known."""

    def __init__(self, given):
        super().__init__(np.random.PCG64(0))
        self.given = given

    def integers(self, *_, **__):
        return self.given


def populations():
    """Small matrices: general, of rank one, one long point, orthogonal ones."""
    rng = np.random.default_rng(3)
    B = rng.standard_normal((4, 3))
    return {
        "general": B @ B.T,
        "rank one": np.outer(np.arange(1.0, 5), np.arange(1.0, 5)),
        "one long point": np.diag([100.0, 1, 1, 1]),
        "orthogonal": np.eye(4),
    }


def dimension(K, alpha):
    values = np.linalg.eigvalsh(K).clip(0)
    return float((values / (values + alpha)).sum())


@pytest.mark.parametrize("alpha", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("name", populations())
def test_over_all_samples_the_mean_lies_where_it_should(name, alpha):
    """All 256 samples of four points of four; leaving one out, too."""
    K, size = populations()[name], 4
    a, largest = alpha * size / len(K), K.diagonal().max()
    most, seen = largest / (largest + a), []
    for some in product(range(len(K)), repeat=size):
        z = dimension(K[np.ix_(some, some)], a)
        rest = [some[:i] + some[i + 1 :] for i in range(size)]
        lost = np.array([z - dimension(K[np.ix_(S, S)], a) for S in rest])
        # Self-bounding: what the bound on the deviation rests on.
        assert (lost > -1e-9).all() and (lost < most + 1e-9).all()
        assert lost.sum() <= z + 1e-9
        seen.append(z)
    true, mean = dimension(K, alpha), np.mean(seen)
    assert mean <= true * (1 + 1e-9) <= (1 + largest / a) * mean * (1 + 2e-9)


@pytest.mark.parametrize("delta", [0.05, 0.5])
@pytest.mark.parametrize("alpha", [0.3, 4.0])
@pytest.mark.parametrize("name", populations())
def test_coverage_counted_over_all_samples(name, alpha, delta):
    K, true = populations()[name], dimension(populations()[name], alpha)
    missed = 0
    for some in product(range(4), repeat=4):
        rng = Handed(np.array(some))
        found = guarantees.effective_dimension(
            K, alpha, n_sample=4, rng=rng, delta=delta
        )
        assert found.fails == delta and not found.certain
        missed += not found.low <= true <= found.high
    assert missed / 256 <= delta


def test_the_upper_end_is_nearly_met_and_needs_its_factor():
    """Many orthogonal points of one length, of which a sample sees a few."""
    n, size = 3000, 300
    K = kernels.DenseKernel(np.eye(n))
    for alpha in (1.0, 30.0):
        true, a = n / (1 + alpha), alpha * size / n
        some = Handed(np.arange(size))  # all different, as most samples nearly are
        found = guarantees.effective_dimension(K, alpha, n_sample=size, rng=some)
        z = size / (1 + a)
        assert true <= found.high
        # Control: without the factor the end is below the truth.
        assert _mean_between(z, 1 / (1 + a), 0.05)[1] < true
        if alpha > 10:  # (1 + 1 / a) z is n / alpha
            assert (1 + 1 / a) * z == pytest.approx(true, rel=0.04)


@pytest.mark.parametrize("mean", [0.01, 0.5, 2.0, 7.3, 40.0, 1000.0])
@pytest.mark.parametrize("delta", [0.01, 0.05, 0.5])
def test_the_deviation_of_a_poisson_number(mean, delta):
    """Of self-bounding numbers it is the least concentrated: counted without error."""
    law = scipy.stats.poisson(mean)
    counts = np.arange(int(law.ppf(1 - 1e-12)) + 2)
    ends = np.array([_mean_between(float(z), 1.0, delta) for z in counts])
    outside = (mean < ends[:, 0]) | (mean > ends[:, 1])
    assert law.pmf(counts)[outside].sum() <= delta
    assert ((ends[:, 0] <= counts) & (counts <= ends[:, 1])).all()


def test_a_sample_narrows_where_the_ridge_is_large():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((1200, 3)), 0.2)
    true = guarantees.effective_dimension(K, 100.0)
    K.entries_asked = 0
    rng = np.random.default_rng(1)
    found = guarantees.effective_dimension(K, 100.0, n_sample=400, rng=rng)
    assert K.entries_asked == 400**2 + 1200
    assert found.low <= true.low <= true.high <= found.high < 2 * found.low


# --- Of a law -------------------------------------------------------------------------


def test_coverage_of_a_law_counted_over_all_draws():
    """Three atoms, five draws: 243 matrices with their probabilities."""
    chance, delta = np.array([0.7, 0.2, 0.1]), 0.1
    features = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]])
    for alpha in (0.05, 1.0):  # of the covariance
        covariance = (features.T * chance) @ features
        true, missed = dimension(covariance, alpha), 0.0
        for some in product(range(3), repeat=5):
            K = features[list(some)] @ features[list(some)].T
            found = guarantees.population_dimension(
                K, 5 * alpha, point_bound=1.0, delta=delta
            )
            if not found.low <= true <= found.high:
                missed += chance[list(some)].prod()
        assert missed <= delta


def test_a_law_has_an_upper_end_where_its_kernel_is_bounded():
    X = np.random.default_rng(0).standard_normal((60, 2))
    bounded = guarantees.population_dimension(kernels.rbf(X, 1.0), 30.0)
    assert bounded.low < bounded.high < 40
    linear = guarantees.population_dimension(X @ X.T, 30.0)
    assert linear.high == np.inf and "nothing bounds" in linear.source
    told = guarantees.population_dimension(X @ X.T, 30.0, point_bound=50.0)
    assert told.high < np.inf and told.low >= linear.low
    with pytest.raises(ValueError, match="point_bound: expected at least the largest"):
        guarantees.population_dimension(X @ X.T, 30.0, point_bound=1.0)


def test_it_is_shown():
    found = guarantees.effective_dimension(np.diag([3.0, 1.0]), 1.0)
    assert repr(found) == "Dimension(1.25, surely, from all of K)"
    assert "<table>" in found._repr_html_() and "surely" in found._repr_html_()
    rng = np.random.default_rng(0)
    some = guarantees.effective_dimension(np.eye(9), 1.0, n_sample=3, rng=rng)
    assert "with probability 0.95, from 3 points of 9" in repr(some)


GOOD = np.diag([3.0, 2.0, 1.0])
INDEFINITE = np.diag([1.0, -1.0, 2.0])
BAD = {
    "NaN": (dict(K=np.diag([np.nan, 1.0])), "K: expected finite"),
    "not symmetric": (dict(K=np.triu(np.ones((3, 3)))), "K: expected a symmetric"),
    "not semidefinite": (dict(K=INDEFINITE), "K: expected a positive semidefinite"),
    "not square": (dict(K=np.ones((2, 3))), "K: expected a square"),
    "zeros": (dict(K=np.zeros((3, 3))), "K: expected a matrix that is not zero"),
    "one point": (dict(K=np.eye(1)), "K: expected two points"),
    "words": (dict(K="K"), "K: expected"),
    "no ridge": (dict(alpha=0.0), "alpha: expected a finite number above 0"),
    "a ridge below 0": (dict(alpha=-1.0), "alpha: expected a finite number above 0"),
    "a NaN ridge": (dict(alpha=np.nan), "alpha: expected a finite number above 0"),
    "a word": (dict(alpha="1"), "alpha: expected a number"),
    "a chance of 0": (dict(delta=0.0), "delta: expected"),
    "a chance of 1": (dict(delta=1.0), "delta: expected"),
    "no points": (dict(n_sample=0, rng=np.random.default_rng()), "n_sample: expected"),
    "half a point": (dict(n_sample=1.5, rng=np.random.default_rng()), "n_sample: exp"),
    "no generator": (dict(n_sample=2), "rng: expected"),
    "a seed": (dict(n_sample=2, rng=0), "rng: expected"),
    "too many points": (
        dict(n_sample=10**9, rng=np.random.default_rng()),
        "n_sample: expected at most",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    given, words = BAD[name]
    with pytest.raises((ValueError, TypeError), match=words):
        guarantees.effective_dimension(**{"K": GOOD, "alpha": 1.0} | given)
    if not {"n_sample", "rng"} & set(given):
        with pytest.raises((ValueError, TypeError), match=words):
            guarantees.population_dimension(**{"K": GOOD, "alpha": 1.0} | given)


@pytest.mark.parametrize("bad", [INDEFINITE, np.eye(3)[[1, 0, 2]]])
def test_a_stored_kernel_that_is_not_semidefinite_is_seen(bad):
    """It is not checked when it is wrapped, but its eigenvalues are negative."""
    with pytest.raises(ValueError, match="K: expected a positive semidefinite"):
        guarantees.effective_dimension(kernels.DenseKernel(bad), 1.0)
