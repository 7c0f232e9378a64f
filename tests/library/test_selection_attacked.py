"""What a user with awkward input may rely on: ends of all of K, words, no warnings."""

import warnings

import numpy as np
import pytest
import selection_cases as cases
from sklearn.gaussian_process.kernels import RBF

from nystheory import kernels, lowrank, selection
from nystheory.selection import MEASURES, KernelSelector, criterion, select
from nystheory.selection import _rounds as rounds

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=60)
K = kernels.rbf(X, 1.0)


def searched(given, y, ridge, **options):
    return select(given, y, ridge, rng=np.random.default_rng(0), **options)


# --- Ends of all of K -----------------------------------------------------------------


def hard(seed):
    """A graded kernel, targets that it may have made, tiny ridges, uneven weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    graded = 2.0 ** -rng.integers(0, 25, n)
    gram = cases.gram(rng, n) * graded * graded[:, None]
    y = gram @ rng.normal(size=n) if rng.random() < 0.5 else cases.targets(rng, n)
    count, size = int(rng.choice([1, 3, 10])), np.abs(gram).max() or 1.0
    ridges = size * 10.0 ** rng.integers(-14, 3, count)
    weight = rng.integers(1, 4, n) * 10.0 ** rng.integers(-6, 7, n)
    return gram, y, ridges, weight if rng.random() < 0.5 else None


@pytest.mark.parametrize("first", [0, 20, 40, 60])
def test_ends_of_all_of_K_hold_in_fractions_however_much_rounds(first):
    for seed in range(first, first + 20):
        gram, y, ridges, weight = hard(seed)
        for measure in MEASURES:
            some = ridges[:1] if measure == "criterion" else ridges
            options = {"measure": measure, "sample_weight": weight}
            found = searched([gram], y, some, **options)
            for j, ridge in enumerate(some):
                value = cases.exact(gram, y, ridge, weight)[measure]
                ends = type("Ends", (), {})()
                ends.lower, ends.upper = found.lower[0, j], found.upper[0, j]
                assert cases.holds(ends, value), (seed, measure, ridge)


def test_where_rounding_is_seen_it_is_told():
    wide = searched([np.outer(Y, Y)], Y, 1e-12)
    assert "exactly but for rounding, with certainty between" in wide.summary()
    assert np.isfinite(wide.upper).all() and (wide.lower >= 0).all()
    assert "(computed exactly)" in searched([K], Y, 0.1).summary()


def test_all_eigenvectors_leave_no_difference_of_large_numbers():
    gram, y = np.diag([1.0, 2.0**-40]), np.ones(2)
    ridges = 2.0 ** -np.arange(50.0, 60.0)
    values = criterion(gram, y, ridges, measure="leave-one-out")
    assert values == pytest.approx(np.ones(10), rel=1e-12)


# --- Words and warnings ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"y": Y * 1e160}, r"^y: expected numbers of size"),
        ({"sample_weight": np.full(60, 1e200)}, r"^sample_weight: expected numbers of"),
        ({"ridge": None}, r"^ridge: expected a number, got None$"),
    ],
)
@pytest.mark.parametrize("l", [8, 400])
def test_what_is_wrong_with_all_kernels_names_none(changed, told, l):  # noqa: E741
    given = {"kernels": [K], "y": Y, "ridge": 0.1, "n_landmarks": l} | changed
    with pytest.raises((ValueError, TypeError), match=told):
        select(**given, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("y", "told"),
    [
        (None, r"^y: expected 60 numbers, one for each point, got None$"),
        (["a"] * 60, r"^y: expected real numbers, got \['a'"),
    ],
)
def test_targets_are_shown(y, told):
    with pytest.raises((ValueError, TypeError), match=told):
        criterion(K, y, 0.1)


@pytest.mark.parametrize(
    ("points", "given", "told"),
    [
        (X, iter(["rbf"]), r"^kernels: expected a list or a dict, got <list_iter"),
        (None, [RBF()], r"^kernels: expected one of .* for sparse points, got RBF"),
        (X * 1e200, None, r"^kernels: rbf.*X: expected coordinates of size"),
        (X * 0, ["linear"], r"^kernels: linear: "),
    ],
)
def test_points_and_kernels_that_do_not_fit_are_named(points, given, told):
    from scipy import sparse

    points = sparse.csr_array(X) if points is None else points
    with warnings.catch_warnings(), pytest.raises((ValueError, TypeError), match=told):
        warnings.simplefilter("error")
        KernelSelector(given, [0.1]).fit(points, Y)


def test_huge_ridges_divide_by_no_zero():
    near = lowrank.nystrom(K, range(8))
    options = {"measure": "leave-one-out", "products": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for y in (Y, 0 * Y):
            found = selection.enclosure(near, y, 1e290, **options)
            assert found.lower == pytest.approx(np.mean(y**2))
            assert found.upper == pytest.approx(np.mean(y**2))


# --- Costs ----------------------------------------------------------------------------


@pytest.mark.parametrize("last", [1, 2, 5, 16, 50])
def test_products_are_no_more_than_three_times_those_that_were_wanted(last):
    counts = rounds._doubled(last)
    assert counts[-1] == last and sum(counts) <= 3 * last
    options = {"products": last, "n_landmarks": 8, "eliminate": False}
    found = searched([K, K], Y, 0.1, **options)
    assert found.products.tolist() == [last, last]
    assert found.entries_asked <= 2 * (60 * 60 * 3 * last + (len(counts) + 4) * 60 * 20)
