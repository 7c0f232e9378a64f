"""What a slip in the search or in its ends would change: each test has seen one."""

from fractions import Fraction

import numpy as np
import pytest

from nystheory import kernels, lowrank, sampling
from nystheory.lowrank._missing import missing
from nystheory.selection import (
    MEASURES,
    STATUSES,
    Outcome,
    _alone,
    criterion,
    enclosure,
    select,
)
from nystheory.selection import _rounds as rounds
from nystheory.selection._bounds import Bounds, _Steps, ends_of_form
from nystheory.selection._problem import EPS, problem, sums

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(X[:, 0]) + X[:, 1]
K = kernels.rbf(X, gamma=0.5)
NEAR = lowrank.nystrom(K, range(8))


def bounds_of(near=NEAR, y=Y, ridge=0.1, measure="criterion", weight=None):
    return Bounds.of(problem(near.n, y, ridge, measure, weight), near)


# --- Room for rounding ----------------------------------------------------------------


def test_a_longer_sum_rounds_more():
    assert sums(1000) == 1016 * EPS


def test_heavy_points_have_heavy_rounding():
    light = bounds_of().rounding
    heavy = bounds_of(weight=np.full(40, 4096.0)).rounding
    assert heavy == pytest.approx(4096 * light, abs=0)


def test_the_rounding_of_the_trace_is_that_of_its_certificate_and_of_sums():
    found, told = bounds_of(), missing(K, NEAR)
    sizes = sums(NEAR.factor.shape[1]) * told.diagonal.sum()
    assert found.rounding == pytest.approx(told.trace_floor + sizes, abs=0)
    assert sizes > 0.1 * found.rounding


@pytest.mark.parametrize("ridge", [1e-14, 1e-12, 1.0])
def test_both_matrices_are_moved_by_the_rounding_of_the_trace(ridge):
    found = bounds_of(ridge=ridge)
    share, low, high = (Fraction(float(each[0])) for each in _moved(found))
    trace, rounding = Fraction(found.trace), Fraction(found.rounding)
    assert 0 < low <= Fraction(ridge) - share * rounding
    assert high >= Fraction(ridge) + trace + rounding


def _moved(bounds):
    return bounds.share, bounds.low, bounds.high


def test_the_factorisation_has_room():
    """At a ridge so small that F'F, which has more, is not formed."""
    found, ridge = bounds_of(ridge=1e-10), 1e-10
    more = sums(40) * np.linalg.norm(NEAR.factor) / np.sqrt(ridge)
    assert found.squared == 0 and found.factor(ridge) >= 1 + more


def test_a_form_holds_for_all_columns_that_are_so_near():
    found, far = bounds_of(), 0.3
    low, high = found.energies(Y[:, None], np.array([far]))
    for share in (1 - far / np.linalg.norm(Y), 1 + far / np.linalg.norm(Y)):
        form = 10 * 40 * criterion(K, share * Y, 0.1)
        assert low[0] <= form <= high[0]
    near, same = found.energies(Y[:, None], np.array([0.0]))
    assert low[0] < near[0] and same[0] < high[0]


def test_what_entries_round_is_counted_in_a_product():
    """Entries of points in single precision, and the same numbers stored."""
    single = kernels.rbf(X.astype(np.float32), 0.5)
    off = []
    for A in (single, kernels.DenseKernel(single.dense().astype(np.float64))):
        near = lowrank.nystrom(A, range(8))
        off.append(ends_of_form(bounds_of(near), 1)[1].off[0])
    assert off[0] > 1e4 * off[1]


def test_the_residual_has_the_rounding_of_its_product():
    found = bounds_of()
    forms = ends_of_form(found, 1)[1]
    entries = sums(40) * (np.abs(K.dense()) @ np.abs(forms.a[:, 0]))
    assert forms.off[0] >= np.linalg.norm(entries)


def test_a_form_has_the_rounding_of_its_sum():
    found = bounds_of(ridge=5.0)
    first = ends_of_form(found, 0)[0]
    forms = _Steps(found).closer(first)
    a, r = forms.a[:, 0], forms.r[:, 0]
    low, high = found.energies(forms.r, forms.off)
    loss = sums(40) * (np.abs(a) @ np.abs(Y))
    assert first.lower[0] < forms.lower[0] <= a @ (Y + r) + low[0] - loss
    assert first.upper[0] > forms.upper[0] >= a @ (Y + r) + high[0] + loss


def test_the_likelihood_has_the_rounding_of_its_sum():
    n = 50
    near = lowrank.nystrom(np.zeros((n, n)), [0])
    found = enclosure(near, np.zeros(n), 1.0, measure="likelihood")
    told = n * np.log(2 * np.pi) / 2
    assert found.upper - told >= 2 * sums(n) * told
    assert told - found.lower >= 2 * sums(n) * told


# --- What the ends are ----------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES)
def test_the_estimate_is_the_middle(measure):
    found = enclosure(NEAR, Y, 0.1, measure=measure)
    assert found.lower < found.upper
    assert found.estimate == pytest.approx((found.lower + found.upper) / 2, rel=1e-15)


def test_the_lower_end_of_the_determinant_has_the_trace():
    ridge, near = 0.1, NEAR.spectral_reconstruction()
    first = np.linalg.slogdet(near + ridge * np.eye(40))[1]
    more = np.log1p(bounds_of().trace / (ridge + np.linalg.norm(near, 2)))
    assert bounds_of().logdet()[0][0] == pytest.approx(first + more, rel=1e-9)
    assert more > 1e-3


def test_products_are_conjugate():
    """Three eigenvalues are done with in three steps, from any preconditioner."""
    A, y = np.diag([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 1.0, 1.0, 1.0])
    found = enclosure(lowrank.nystrom(A, [0]), y, 0.5, products=3)
    told = criterion(A, y, 0.5)
    assert found.upper - found.lower < 1e-12 * told


def test_what_is_allowed_goes_to_the_smallest_of_the_diagonal():
    low, high = np.array([[2.0], [1.0]]), np.array([[3.0], [3.0]])
    # 3 of 4 to the second, the rest to the first.
    assert _alone._spread(low, high, np.array([0.25])) == pytest.approx(3 + 1 / 4)


# --- The search -----------------------------------------------------------------------

CHOSEN, WORSE, UNDECIDED = STATUSES


def searched(given, y=Y, ridge=0.1, **options):
    return select(given, y, ridge, rng=np.random.default_rng(0), **options)


def test_kernels_that_are_alike_to_the_last_digit_stay_open():
    """Without targets each criterion is 0, exactly."""
    found = searched([K, K], np.zeros(40), measure="criterion")
    assert found.status.ravel().tolist() == [CHOSEN, UNDECIDED]


@pytest.mark.parametrize("measure", MEASURES)
def test_what_is_computed_from_all_of_K_has_room(measure):
    for ridge in (1e-8, 1.0):
        found = searched([K], ridge=ridge, measure=measure)
        assert "computed exactly" in found.summary()
        room = 40 * EPS * (1 + 40 / ridge) * np.abs(found.estimate)
        assert (found.estimate - found.lower >= room).all()
        assert (found.upper - found.estimate >= room).all()


def test_all_of_K_is_looked_at_up_to_twice_as_many_points():
    plan = rounds._Plan("criterion", 20, 0, "rp_cholesky", True, None)
    assert plan.exact(40) and not plan.exact(41)
    found = searched([K], n_landmarks=19, products=0, eliminate=False)
    assert found.columns.tolist() == [19]
    assert searched([K], n_landmarks=20).columns.tolist() == [40]


def standing(left, lower, estimate, upper):
    """A kernel of which so much is known."""
    found = rounds._Standing.of(None, 0, 1)
    found.learn([0], lower, upper, estimate)
    found.left = np.asarray(left)
    return found


def test_what_was_certain_is_certain_still():
    found = standing([], 1.0, 2.0, 3.0)
    found.learn([0], 0.5, 4.0, 9.0)
    assert (found.lower[0], found.estimate[0], found.upper[0]) == (1.0, 3.0, 3.0)
    found.learn([0], 0.5, 2.5, -1.0)
    assert (found.lower[0], found.estimate[0], found.upper[0]) == (1.0, 1.0, 2.5)


def test_more_columns_are_for_the_farther_ends():
    one = standing([], 0.0, 1.0, 1.5)
    other = standing([], 2.0, 3.0, 7.0)
    # A gap of 2, and widths of 1 and 4.
    assert rounds._share(one, 0, other, 0) == pytest.approx(2 / 5)


def test_more_columns_are_for_the_slower_of_both():
    fast, slow = (np.arange(1.0, 101.0) ** -p for p in (4.0, 1.0))
    search = object.__new__(rounds.Search)
    search.n = 10**6
    first = standing(fast, 0.0, 1.0, 2.0), standing(slow, 0.0, 2.0, 3.0)
    for one, other in (first, first[::-1]):
        one.learn([0], 0.0, 3.0, 1.0)
        other.learn([0], 0.0, 3.0, 2.0)
        search.all = [one, other]
        status = np.array([[CHOSEN], [UNDECIDED]], dtype=object)
        more = search._more(status, (0, 0))
        share = rounds._share(one, 0, other, 0)
        wanted = [rounds._wanted(each, share, 10**6) for each in (one, other)]
        assert more[1, 0] == max(wanted) > min(wanted) > 0


def test_what_is_left_of_the_trace_has_weights():
    weight = np.random.default_rng(1).uniform(0.1, 3.0, 40)
    plan = rounds._Plan("criterion", 8, 0, "rp_cholesky", True, weight)
    candidate = rounds.Candidate("some", lambda: K)
    search = rounds.Search(
        [candidate], Y, np.array([0.1]), plan, np.random.default_rng(0)
    )
    near, drawn = search._approximated(search.all[0], 8)
    left = np.diag(K.dense() - near.spectral_reconstruction())
    assert search._decay(near, drawn)[-1] == pytest.approx(weight @ left)


def test_entries_of_columns_and_of_products_are_counted():
    for products in (0, 2):
        given = kernels.rbf(X, 0.5), kernels.rbf(X, 0.4)
        options = {"n_landmarks": 10, "products": products, "eliminate": False}
        told = searched(given, **options)
        assert told.products.tolist() == [products] * 2
        least = 2 * (400 + 1600 * products)
        assert least <= told.entries_asked <= sum(each.entries_asked for each in given)


@pytest.mark.parametrize("measure", MEASURES)
def test_weights_count_where_all_of_K_is_looked_at(measure):
    weight = np.random.default_rng(1).integers(0, 3, 40).astype(float)
    found = searched([K], measure=measure, sample_weight=weight)
    assert "computed exactly" in found.summary() and found.n == (weight > 0).sum()
    told = criterion(K, Y, 0.1, measure=measure, sample_weight=weight)
    assert found.estimate[0, 0] == pytest.approx(told)


def test_what_rounding_takes_from_one_goes_to_the_next():
    low, high = np.ones((2, 1)), np.full((2, 1), 3.0)
    # The first has all that there is, but for rounding.
    found = _alone._spread(low, high, np.array([1 / 3]))[0]
    assert found >= (1 + 4 * sums(2)) * (3 + 5 * EPS)


def test_errors_near_the_middle_have_the_rounding_of_solutions():
    """The approximation misses nothing, so that rounding alone is left."""
    near, ridge = lowrank.nystrom(kernels.linear(X), [3, 11]), 100.0
    found = bounds_of(near, ridge=ridge, measure="leave-one-out")
    steps = ends_of_form(found, 0)
    diagonals = _alone.inverse_diagonal(found)
    ((_, radius),) = _alone._about_the_middle(found, steps, diagonals)
    assert radius.min() >= 16 * sums(40) * np.linalg.norm(Y)


def test_a_round_that_drops_nothing_is_followed_by_the_last(monkeypatch):
    looked, look = [], rounds.Search._look

    def recorded(search, standing, which, columns, products=0):
        looked.append(columns)
        look(search, standing, which, columns, products)

    monkeypatch.setattr(rounds.Search, "_look", recorded)
    searched([K, K], n_landmarks=16, products=0)
    assert looked == [2, 2, 16, 16]


# --- What is told ---------------------------------------------------------------------


def outcome(status, more=None, columns=(16, 16), estimate=((1.0, 2.0), (3.0, 4.0))):
    """Two kernels and two ridges."""
    estimate = np.array(estimate)
    return Outcome(
        measure="likelihood",
        kernels=("one", "two"),
        ridges=np.array([0.5, 2.0]),
        lower=estimate - 0.25,
        upper=estimate + 0.25,
        estimate=estimate,
        status=np.array(status),
        columns=np.array(columns),
        products=np.zeros(2, dtype=int),
        more_columns=np.zeros((2, 2)) if more is None else np.array(more),
        entries_asked=0,
        n=40,
    )


def test_a_ridge_that_is_open_is_no_kernel_that_is():
    told = outcome([[CHOSEN, UNDECIDED], [WORSE, WORSE]])
    assert told.certain_kernel and not told.certain
    assert (told.certainly_worse, told.not_told_apart) == (["two"], [])
    words = told.summary()
    assert "with certainty the kernel of the exact measure" in words
    assert "Another ridge of it cannot be told apart" in words


def test_a_kernel_is_open_at_one_ridge_and_worse_at_all():
    told = outcome([[CHOSEN, WORSE], [WORSE, UNDECIDED]])
    assert not told.certain_kernel and not told.certain
    assert (told.certainly_worse, told.not_told_apart) == ([], ["two"])
    assert "The exact measure may choose another kernel." in told.summary()
    assert "Not told apart from it at 16 columns: two." in told.summary()


def test_more_columns_are_the_most_of_all_pairs_rounded_up():
    open_pairs = [[CHOSEN, UNDECIDED], [UNDECIDED, UNDECIDED]]
    words = outcome(open_pairs, [[0.0, 121.0], [37.0, np.nan]]).summary()
    assert "By an estimate, 130 more columns would tell it from 2 of the 3" in words
    words = outcome(open_pairs, [[0.0, 12.0], [37.0, 5.0]]).summary()
    assert "37 more columns would tell it from all open pairs" in words


def test_exactly_is_said_of_all_columns():
    status = [[CHOSEN, WORSE], [WORSE, WORSE]]
    words = outcome(status, columns=(39, 40)).summary()
    assert "with certainty between 0.75 and 1.25" in words
    assert "computed exactly" in outcome(status, columns=(40, 40)).summary()


def test_equal_pairs_share_a_place_and_worse_ones_are_last():
    status = [[CHOSEN, WORSE], [UNDECIDED, UNDECIDED]]
    told = outcome(status, estimate=((1.0, 0.5), (3.0, 3.0)))
    assert told.ranks().tolist() == [[1, 4], [2, 2]]


# --- Criterion-driven columns ---------------------------------------------------------


@pytest.mark.parametrize("rank", [None, 1])
def test_a_later_batch_is_drawn_by_the_errors_of_the_columns_so_far(rank):
    A, y = K.dense(), np.arange(40.0) - 7.5
    rng = np.random.default_rng(0)
    drawn = sampling.criterion_driven(A, 8, rng, y=y, batch=4, rank=rank)
    told = sampling.update_probability_criterion(A, drawn.indices[:4], y, rank)
    assert drawn.probabilities == pytest.approx(told)
    assert np.ptp(told[told > 0]) > 1e-3


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_the_unit_of_targets_does_not_count_where_shares_differ(unit):
    A, y = K.dense(), np.arange(40.0) - 7.5
    told = sampling.update_probability_criterion(A, [0, 5, 7], y)
    found = sampling.update_probability_criterion(A, [0, 5, 7], unit * y)
    assert np.ptp(told[told > 0]) > 1e-3
    np.testing.assert_allclose(found, told, rtol=1e-9)
