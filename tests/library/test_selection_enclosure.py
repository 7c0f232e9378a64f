"""Ends of a criterion: they hold without rounding, and where they are attained."""

import numpy as np
import pytest
from flint import fmpq_mat
from selection_cases import as_float, case, exact, gram, holds, rational, targets

from nystheory import ensemble, kernels, lowrank
from nystheory.selection import MEASURES, Enclosure, criterion, enclosure
from nystheory.selection._bounds import FAST, SQUARES, Bounds
from nystheory.selection._problem import Spectrum, Squares, problem, sums

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(X[:, 0]) + X[:, 1]
K = kernels.rbf(X, gamma=0.5)
NEAR = lowrank.nystrom(K, range(8))
RIDGES = [1e-3, 0.1, 2.0, 50.0]
WEIGHT = RNG.uniform(0.5, 3.0, 40)
every_measure = pytest.mark.parametrize("measure", MEASURES)


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_ends_hold_in_fractions(first):
    for seed in range(first, first + 50):
        K, y, ridge, weight, near = case(seed)
        told = exact(K, y, ridge, weight)
        for measure in MEASURES:
            options = {"measure": measure, "sample_weight": weight}
            before = None
            for products in range(3):
                found = enclosure(near, y, ridge, products=products, **options)
                assert holds(found, told[measure]), (seed, measure, products)
                assert found.lower <= found.estimate <= found.upper
                if before is not None:
                    assert before.lower <= found.lower
                    assert found.upper <= before.upper
                before = found


@pytest.mark.parametrize("seed", range(30))
def test_ends_hold_for_points_in_single_precision(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    points = rng.normal(size=(n, 5)).astype(np.float32)
    K, y = kernels.rbf(points, 0.3), targets(rng, n)
    near = lowrank.nystrom(K, rng.choice(n, int(rng.integers(1, n + 1))))
    for ridge in (1e-5, 1.0):
        told = exact(K.dense(), y, ridge)
        for measure in MEASURES:
            for products in (0, 2):
                found = enclosure(near, y, ridge, measure=measure, products=products)
                assert holds(found, told[measure]), (measure, products)


@every_measure
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["even", "weighted"])
@pytest.mark.parametrize("products", [0, 1, 3])
def test_all_ridges_at_once_are_one_by_one(measure, weight, products):
    options = {"measure": measure, "sample_weight": weight, "products": products}
    at_once = enclosure(NEAR, Y, RIDGES, **options)
    told = criterion(K, Y, RIDGES, measure=measure, sample_weight=weight)
    assert (at_once.lower <= told).all()
    assert (told <= at_once.upper).all()
    for i, ridge in enumerate(RIDGES):
        alone = enclosure(NEAR, Y, ridge, **options)
        assert isinstance(alone.lower, float)
        assert isinstance(alone.upper, float)
        ends = at_once.lower[i], at_once.upper[i]
        np.testing.assert_allclose(ends, (alone.lower, alone.upper), rtol=1e-7)


@every_measure
def test_products_bring_the_ends_closer_and_are_told(measure):
    before, width = None, []
    for products in range(6):
        asked = K.entries_asked
        found = enclosure(NEAR, Y, RIDGES, measure=measure, products=products)
        assert found.entries_asked == K.entries_asked - asked == 40 + 1600 * products
        assert found.products == products
        if before is not None:
            assert (before.lower <= found.lower).all()
            assert (found.upper <= before.upper).all()
        width.append(found.upper - found.lower)
        before = found
    if measure == "criterion":
        assert (width[5][1:] < 1e-2 * width[0][1:]).all()
    else:
        assert (width[5] < width[0]).all()


@every_measure
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["even", "weighted"])
def test_an_exact_approximation_leaves_rounding_alone(measure, weight):
    A = kernels.linear(X)
    near = lowrank.nystrom(A, [3, 11])
    for ridge in (1e-3, 1.0, 100.0):
        options = {"measure": measure, "sample_weight": weight}
        found = enclosure(near, Y, ridge, **options)
        told = criterion(A, Y, ridge, **options)
        assert found.lower <= told <= found.upper
        assert found.upper - found.lower < 1e-6 * abs(told) * max(1, 0.01 / ridge)


@every_measure
@pytest.mark.parametrize("rank", [0, 1])
def test_approximations_of_hardly_any_rank(measure, rank):
    A = np.diag([0.0, 2.0, 1.0, 1.0])
    near = lowrank.nystrom(A, [rank])
    assert near.rank == rank
    y = np.array([1.0, -2.0, 0.5, 3.0])
    for ridge in (1e-3, 1.0, 1e3):
        told = exact(A, y, ridge)[measure]
        for products in range(4):
            found = enclosure(near, y, ridge, measure=measure, products=products)
            assert holds(found, told)


def orthogonal(n=6, k=2, missed=0.25):
    """K, of which the approximation misses a multiple of a projector, and it."""
    A = np.zeros((n, n))
    A[:k, :k] = [[2.0, 1.0], [1.0, 3.0]]
    A[np.arange(k, n), np.arange(k, n)] = missed
    return A, lowrank.nystrom(A, range(k))


def test_the_upper_end_is_attained_by_what_the_approximation_sees():
    A, near = orthogonal()
    y = np.array([1.0, -2.0, 0, 0, 0, 0])
    found = enclosure(near, y, RIDGES)
    np.testing.assert_allclose(found.upper, criterion(A, y, RIDGES), rtol=1e-9)


def test_the_lower_end_is_attained_by_one_missed_direction():
    A, near = orthogonal(n=3)
    y = np.array([0, 0, 5.0])
    found = enclosure(near, y, RIDGES)
    np.testing.assert_allclose(found.lower, criterion(A, y, RIDGES), rtol=1e-9)


def test_the_determinant_is_attained_by_a_projector():
    A, near = orthogonal()
    y = np.array([1.0, -2.0, 0, 0, 0, 0])
    found = enclosure(near, y, RIDGES, measure="likelihood")
    told = criterion(A, y, RIDGES, measure="likelihood")
    np.testing.assert_allclose(found.upper, told, rtol=1e-9)
    # Of the best approximation this is so for any projector.
    Q = np.linalg.qr(RNG.normal(size=(6, 6)))[0]
    A = Q @ np.diag([4.0, 3.0, 0.5, 0.5, 0.5, 0.5]) @ Q.T
    A, y = (A + A.T) / 2, Q[:, 0]
    found = enclosure(lowrank.best_rank_k(A, 2), y, RIDGES, measure="likelihood")
    told = criterion(A, y, RIDGES, measure="likelihood")
    np.testing.assert_allclose(found.upper, told, rtol=1e-9)


def test_leaving_one_out_is_attained_where_nothing_is_missed_of_a_point():
    A, near = orthogonal(missed=0.0)
    found = enclosure(near, np.ones(6), RIDGES, measure="leave-one-out")
    told = criterion(A, np.ones(6), RIDGES, measure="leave-one-out")
    np.testing.assert_allclose(found.lower, told, rtol=1e-6)
    np.testing.assert_allclose(found.upper, told, rtol=1e-6)


def test_a_product_with_the_solution_leaves_nothing():
    """Of what the approximation sees alone one step is the solution."""
    A, near = orthogonal()
    y = np.array([1.0, -2.0, 0, 0, 0, 0])
    told = criterion(A, y, RIDGES)
    found = enclosure(near, y, RIDGES, products=1)
    np.testing.assert_allclose(found.lower, told, rtol=1e-9)
    np.testing.assert_allclose(found.upper, told, rtol=1e-9)


def test_ends_without_a_product_by_hand():
    A = K.dense()
    near = NEAR.spectral_reconstruction()
    t = np.trace(A - near)
    for ridge in (0.1, 2.0):
        found = enclosure(NEAR, Y, ridge)
        lower = Y @ np.linalg.solve(near + (ridge + t) * np.eye(40), Y)
        upper = Y @ np.linalg.solve(near + ridge * np.eye(40), Y)
        ends = np.array([lower, upper]) * ridge / 40
        np.testing.assert_allclose((found.lower, found.upper), ends, rtol=1e-8)


@every_measure
def test_weights_of_one_change_nothing_and_of_zero_drop_a_point(measure):
    even = enclosure(NEAR, Y, RIDGES, measure=measure, products=1)
    ones = np.ones(40)
    found = enclosure(NEAR, Y, RIDGES, measure=measure, products=1, sample_weight=ones)
    np.testing.assert_allclose(found.lower, even.lower, rtol=1e-9)
    np.testing.assert_allclose(found.upper, even.upper, rtol=1e-9)
    ones[[2, 30]] = 0
    rest = np.flatnonzero(ones)
    A = K.dense()[np.ix_(rest, rest)]
    told = criterion(A, Y[rest], RIDGES, measure=measure)
    for products in (0, 2):
        options = {"measure": measure, "products": products, "sample_weight": ones}
        found = enclosure(NEAR, Y, RIDGES, **options)
        assert (found.lower <= told).all()
        assert (told <= found.upper).all()


@every_measure
def test_mixtures_of_experts_have_ends(measure):
    experts = [lowrank.nystrom(K, range(5)), lowrank.nystrom(K, range(5, 12))]
    near = ensemble.Ensemble(experts, [0.5, 0.5])
    told = criterion(K, Y, RIDGES, measure=measure)
    for products in (0, 2):
        found = enclosure(near, Y, RIDGES, measure=measure, products=products)
        assert (found.lower <= told).all()
        assert (told <= found.upper).all()


@every_measure
def test_scaling_of_everything_scales_the_ends(measure):
    A, y = K.dense(), Y
    one = enclosure(lowrank.nystrom(A, range(8)), y, 0.5, measure=measure)
    A = 4.0 * A
    other = enclosure(lowrank.nystrom(A, range(8)), 2 * y, 2.0, measure=measure)
    shift = 40 * np.log(2.0) if measure == "likelihood" else 0.0
    factor = 1.0 if measure == "likelihood" else 4.0
    ends = np.array([one.lower, one.upper]) * factor + shift
    np.testing.assert_allclose((other.lower, other.upper), ends, rtol=1e-12)


@every_measure
def test_zero_targets_are_fine(measure):
    found = enclosure(NEAR, np.zeros(40), RIDGES, measure=measure, products=2)
    told = criterion(K, np.zeros(40), RIDGES, measure=measure)
    assert (found.lower <= told).all()
    assert (told <= found.upper).all()


def test_a_ridge_below_rounding_has_wide_ends_that_hold():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        A, y = gram(rng, 5), targets(rng, 5)
        near = lowrank.nystrom(A, [0, 1, 2, 3, 4])
        told = exact(A, y, 1e-16)
        for measure in MEASURES:
            for products in (0, 2):
                found = enclosure(near, y, 1e-16, measure=measure, products=products)
                assert holds(found, told[measure])


def test_what_is_shown():
    one, many = enclosure(NEAR, Y, 0.1), enclosure(NEAR, Y, RIDGES, products=1)
    assert isinstance(one, Enclosure)
    assert repr(one).startswith("Enclosure(criterion: from ")
    assert repr(many).startswith("Enclosure(criterion: 4 ridges, ends at most ")
    assert many._repr_html_().count("<tr>") == 5
    assert one._repr_html_().count("<tr>") == 2
    assert one.ridge == 0.1
    assert many.ridge.tolist() == RIDGES


NAN = np.where(np.arange(40) == 4, np.nan, Y)
BAD = {
    "an array": ((K.dense(), Y, 1.0, {}), "approximation: expected a LowRank"),
    "not below": (
        (lowrank.column_sampling(K, [0]), Y, 1.0, {}),
        "approximation: expected one that lies between 0 and K",
    ),
    "negative mixture": (
        (ensemble.Ensemble([NEAR, NEAR], [2.0, -1.0]), Y, 1.0, {}),
        "approximation: expected one that lies between 0 and K",
    ),
    "nan": ((NEAR, NAN, 1.0, {}), "y: expected finite numbers, got nan at index 4"),
    "short y": ((NEAR, Y[:3], 1.0, {}), "y: expected 40 numbers"),
    "ridge": ((NEAR, Y, -1.0, {}), "ridge: expected a finite number above 0"),
    "no ridge": ((NEAR, Y, (), {}), "ridge: expected a number above 0 or a sequence"),
    "measure": ((NEAR, Y, 1.0, {"measure": "loo"}), "measure: expected one of"),
    "products": ((NEAR, Y, 1.0, {"products": -1}), "products: expected an integer"),
    "half a product": ((NEAR, Y, 1.0, {"products": 0.5}), "products: expected an int"),
    "negative weights": (
        (NEAR, Y, 1.0, {"sample_weight": -WEIGHT}),
        "sample_weight: expected numbers of at least 0",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(name):
    (near, y, ridge, options), told = BAD[name]
    with pytest.raises((ValueError, TypeError)) as error:
        enclosure(near, y, ridge, **options)
    assert str(error.value).startswith(told)


def test_a_matrix_that_is_not_semidefinite_is_found_out():
    A = kernels.DenseKernel([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="^K: expected a positive semidefinite"):
        enclosure(lowrank.nystrom(A, [0]), [1.0, 1.0], 1.0)


def test_ends_are_close_to_the_exact_value_where_they_can_be():
    """With all points as landmarks what is left is rounding: of integers, little."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        A, y = gram(rng, 6), rng.normal(size=6)
        near = lowrank.nystrom(A, range(6))
        ridge = float(np.trace(A)) or 1.0
        told = exact(A, y, ridge)
        for measure in MEASURES:
            found = enclosure(near, y, ridge, measure=measure)
            value = as_float(told[measure])
            assert found.upper - found.lower < 1e-10 * abs(value)


def hostile_factor(seed, n=30, k=9):
    """Integers times powers of 2 from 1 to 2^-30: F F' is known without rounding."""
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 10, (n, k)) * 2.0 ** -rng.integers(0, 31, k)


@pytest.mark.parametrize("seed", range(10))
def test_squares_move_a_form_by_no_more_than_they_say(seed):
    F = hostile_factor(seed)
    n, length = len(F), np.linalg.norm(F) ** 2
    e = 2 * sums(n) * length
    ridge = np.array([e * SQUARES / FAST, 1e-6 * length, length])
    y = targets(np.random.default_rng(seed), n)
    moved = SQUARES * e / ridge + 64 * sums(n) * np.sqrt(length / ridge)
    fast, slow = Squares.of_factor(F), Spectrum.of_factor(F)
    for i, each in enumerate(ridge):
        inverse = np.array(
            [[float(x.p) / float(x.q) for x in row] for row in inverted(F, each)]
        )
        share = moved[i] + 1e-12
        solved = fast.solved(y[:, None], ridge[i : i + 1])[:, 0]
        size = np.linalg.norm(y) / each
        assert np.linalg.norm(solved - inverse @ y) <= share * size
        diagonal = fast.inverse_diagonal(ridge[i : i + 1])[:, 0]
        np.testing.assert_allclose(diagonal, inverse.diagonal(), 0, share / each)
        form = fast.energies(y[:, None], ridge[i : i + 1])[0]
        assert form == pytest.approx(y @ inverse @ y, rel=share + 1e-9)
    np.testing.assert_allclose(fast.logdet(ridge), slow.logdet(ridge), rtol=1e-6)


def inverted(F, ridge):
    """The inverse of ``F F' + ridge I`` in fractions."""
    A = fmpq_mat([[rational(x) for x in row] for row in F])
    A = A * A.transpose()
    for i in range(len(F)):
        A[i, i] += rational(ridge)
    return A.inv().tolist()


def test_ends_leave_room_for_squares_and_do_without_them_at_small_ridges():
    tr = float(np.linalg.norm(NEAR.factor)) ** 2
    limit = 2 * sums(40) * tr * SQUARES / FAST
    for ridge, kind in ((2 * limit, Squares), (limit / 2, Spectrum)):
        found = Bounds.of(problem(40, Y, ridge, "criterion", None), NEAR)
        assert type(found.spectrum) is kind
        more = SQUARES * 2 * sums(40) * tr / ridge if kind is Squares else 0.0
        assert found.factor(ridge) >= 1 + more
