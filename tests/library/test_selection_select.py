"""The search over kernel matrices: what is certain, what is told, what it costs."""

import numpy as np
import pytest

from nystheory import kernels, selection
from nystheory.selection import MEASURES, STATUSES, criterion, select
from nystheory.selection import _rounds as rounds

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(120, 2))
Y = np.sin(6 * X[:, 0]) + 0.1 * RNG.normal(size=120)
WIDTHS = (1e-3, 0.1, 1.0, 10.0, 300.0)
KERNELS = {f"gamma={gamma}": kernels.rbf(X, gamma) for gamma in WIDTHS}
RIDGES = [0.05, 0.5, 5.0]
WEIGHT = RNG.integers(0, 3, 120).astype(float)
CHOSEN, WORSE, UNDECIDED = STATUSES


def ridges_for(measure):
    return [0.5] if measure == "criterion" else RIDGES


def found(measure="leave-one-out", given=None, seed=0, y=Y, **options):
    rng = np.random.default_rng(seed)
    options = {"n_landmarks": 24} | options
    given = KERNELS if given is None else given
    return select(given, y, ridges_for(measure), measure=measure, rng=rng, **options)


def exact(measure, weight=None):
    """The measure of every pair, from all of K."""
    return np.array(
        [
            criterion(K, Y, ridges_for(measure), measure=measure, sample_weight=weight)
            for K in KERNELS.values()
        ]
    )


every_measure = pytest.mark.parametrize("measure", MEASURES)


# --- What is certain ------------------------------------------------------------------


@every_measure
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["even", "weighted"])
@pytest.mark.parametrize("products", [0, 2])
def test_what_is_certain_is_true(measure, weight, products):
    values = exact(measure, weight)
    for seed in range(3):
        told = found(measure, seed=seed, products=products, sample_weight=weight)
        slack = 1e-9 * np.abs(values)
        assert (told.lower <= values + slack).all()
        assert (values <= told.upper + slack).all()
        assert (values[told.status == WORSE] > values.min()).all()
        assert (told.lower <= told.estimate).all()
        assert (told.estimate <= told.upper).all()
        if told.certain:
            assert values[told.best] == values.min()
        if told.certain_kernel:
            assert told.best[0] == values.min(axis=1).argmin()


@every_measure
def test_without_elimination_the_same_is_chosen_where_it_is_certain(measure):
    with_it, without = found(measure), found(measure, eliminate=False)
    assert (without.columns == 24).all()
    if with_it.certain:
        assert with_it.best == without.best
    assert with_it.entries_asked <= without.entries_asked + 120**2 * len(KERNELS)


@every_measure
def test_of_few_points_the_measure_is_exact(measure):
    told, values = found(measure, n_landmarks=60), exact(measure)
    assert told.estimate == pytest.approx(values, rel=1e-8)
    assert told.upper - told.lower == pytest.approx(0 * values, abs=1e-6)
    assert told.certain and values[told.best] == values.min()
    assert (told.columns == 120).all() and (told.products == 0).all()
    assert "computed exactly" in told.summary()


def test_copies_cannot_be_told_apart_however_many_columns_there_are():
    K = KERNELS["gamma=10.0"]
    for l in (24, 60):  # noqa: E741
        told = found(given=[K, K], n_landmarks=l)
        assert told.kernels == (K.name, f"{K.name} (2)")
        assert not told.certain_kernel and told.not_told_apart == [f"{K.name} (2)"]
        more = told.more_columns[1, told.best[1]]
        assert np.isnan(more) or more > 0


def test_a_pair_is_chosen_by_its_estimate_among_those_that_are_left():
    told = found(products=0)
    left = told.status != WORSE
    assert told.estimate[told.best] == told.estimate[left].min()
    assert (told.status == CHOSEN).sum() == 1
    assert ((told.lower > told.upper.min()) == (told.status == WORSE)).all()


# --- Rounds and what they cost --------------------------------------------------------


@pytest.mark.parametrize(
    ("l", "counts"),
    [(400, [50, 100, 200, 400]), (24, [3, 6, 12, 24]), (1, [1]), (9, [2, 3, 5, 9])],
)
def test_each_round_has_twice_the_columns(l, counts):  # noqa: E741
    plan = rounds._Plan("criterion", l, 0, "rp_cholesky", True, None)
    assert plan.rounds() == counts


def test_a_kernel_that_is_dropped_is_not_looked_at_again():
    told = found("likelihood", products=0)
    dropped = (told.status == WORSE).all(axis=1)
    assert told.columns[told.best[0]] == 24 and told.columns[dropped].min() < 24


def test_no_product_is_computed_where_none_is_wanted():
    assert not found(products=0).products.any()
    assert found(products=2).products.max() <= 2


def test_more_products_bring_the_ends_closer():
    apart = [
        np.ptp([told.lower, told.upper], axis=0).sum()
        for told in (found(products=p, eliminate=False) for p in (0, 1, 3))
    ]
    assert apart[0] >= apart[1] >= apart[2]


def test_products_are_no_dearer_than_allowed(monkeypatch):
    monkeypatch.setattr(rounds, "LITTLE", 0.0)
    monkeypatch.setattr(rounds, "SHARE_OF_PRODUCTS", 0.0)
    assert not found().products.any()


def test_entries_are_counted():
    before = sum(K.entries_asked for K in KERNELS.values())
    told = found()
    assert told.entries_asked <= sum(K.entries_asked for K in KERNELS.values()) - before


def test_draws_are_reproducible_and_no_kernel_depends_on_its_rivals():
    one, two, other = found(), found(), found(seed=1)
    assert np.array_equal(one.lower, two.lower)
    assert not np.array_equal(one.lower, other.lower)


def test_a_kernel_of_low_rank_is_known_from_as_many_columns():
    K = kernels.linear(X)
    told = found(given=[K, KERNELS["gamma=10.0"]], products=0, eliminate=False)
    width = told.upper[0] - told.lower[0]
    assert (width < 1e-6 * told.upper[0]).all()


# --- What is told ---------------------------------------------------------------------


def test_the_words_name_every_group():
    told = found(products=0)
    words = str(told)
    assert words.startswith(f"Chosen: {told.kernel} at ridge")
    for name in [*told.certainly_worse, *told.not_told_apart]:
        assert name in words
    assert len({*told.certainly_worse, *told.not_told_apart, told.kernel}) == 5
    assert told.kernel in told._repr_html_() and "certainly worse" in repr(told)
    assert len(told.table().rows) == 5


def test_of_many_names_some_are_told():
    given = {f"number {i}": KERNELS["gamma=0.001"] for i in range(9)}
    told = found("likelihood", given | {"good": KERNELS["gamma=10.0"]})
    assert told.kernel == "good" and "9 kernels (number 0;" in str(told)


def test_ranks_put_first_what_may_be_the_best():
    told = found(products=0)
    ranks, worse = told.ranks(), told.status == WORSE
    assert ranks[told.best] == 1
    if worse.any() and not worse.all():
        assert ranks[~worse].max() < ranks[worse].min()


def test_what_more_columns_would_tell_grows_as_less_is_open():
    left = np.arange(1.0, 101.0) ** -2.0
    standing = rounds._Standing.of(None, 0, 1)
    standing.left = left
    assert rounds._wanted(standing, 0.25, 10**6) == pytest.approx(100, abs=2)
    assert rounds._wanted(standing, 0.01, 10**6) == pytest.approx(900, abs=10)
    assert rounds._wanted(standing, 0.01, 300) == 200
    assert rounds._wanted(standing, 2.0, 300) == 0
    assert np.isnan(rounds._wanted(standing, np.nan, 300))
    standing.left = np.ones(100)
    assert np.isnan(rounds._wanted(standing, 0.25, 300))


# --- What comes in --------------------------------------------------------------------


def test_stored_matrices_and_one_kernel():
    dense = {name: K.dense() for name, K in KERNELS.items()}
    assert found(given=dense, products=0).best == found(products=0).best
    alone = found(given=[KERNELS["gamma=1.0"]])
    assert alone.certain_kernel and alone.certainly_worse == []


@pytest.mark.parametrize(
    ("changed", "error", "told"),
    [
        ({"kernels": []}, ValueError, "^kernels: expected at least one kernel, got n"),
        ({"kernels": {}}, ValueError, "^kernels: expected at least one kernel, got n"),
        ({"kernels": np.eye(120)}, TypeError, "^kernels: expected a list of kernel ma"),
        ({"kernels": 3}, TypeError, "^kernels: expected a list or a dict, got 3"),
        ({"kernels": ["rbf"]}, TypeError, "^kernels: stored: "),
        ({"kernels": {3: np.eye(120)}}, TypeError, "^kernels: expected names, got 3"),
        ({"kernels": [-np.eye(120)]}, ValueError, "^kernels: stored: .*semidefinite"),
        ({"kernels": [np.eye(120), np.eye(3)]}, ValueError, "the same points"),
        ({"y": Y[:3]}, ValueError, "^y: expected 120 targets"),
        ({"y": Y * np.nan}, ValueError, "^y: expected finite numbers"),
        ({"ridge": []}, ValueError, "^ridge: expected at least one ridge"),
        ({"ridge": [1.0, -1.0]}, ValueError, "^ridge: .* above 0, got -1"),
        ({"ridge": "1"}, TypeError, "^ridge: "),
        ({"measure": "criterion"}, ValueError, "^ridge: expected one for measure='cr"),
        ({"measure": "accuracy"}, ValueError, "^measure: expected one of"),
        ({"n_landmarks": 0}, ValueError, "^n_landmarks: "),
        ({"products": -1}, ValueError, "^products: "),
        ({"products": "many"}, TypeError, "^products: expected 'auto' or an integer"),
        ({"landmarks": "user"}, ValueError, "^landmarks: expected a scheme that needs"),
        ({"landmarks": [1, 2]}, TypeError, "^landmarks: expected the name of a scheme"),
        ({"eliminate": 1}, TypeError, "^eliminate: expected True or False"),
        ({"sample_weight": [1.0]}, ValueError, "^sample_weight: expected 120"),
        ({"sample_weight": -WEIGHT}, ValueError, "^sample_weight: .*at least 0"),
        ({"sample_weight": 0 * WEIGHT}, ValueError, "^sample_weight: .* above 0"),
        ({"rng": 0}, TypeError, "^rng: "),
    ],
)
def test_bad_input_is_named(changed, error, told):
    given = {"kernels": KERNELS, "y": Y, "ridge": RIDGES, "n_landmarks": 12}
    given |= {"rng": np.random.default_rng(0)} | changed
    with pytest.raises(error, match=told):
        select(**given)


def test_everything_is_listed():
    assert {"select", "KernelSelector", "Outcome"} <= set(selection.__all__)
