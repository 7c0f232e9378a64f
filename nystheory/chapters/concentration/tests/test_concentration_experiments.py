"""The experiments of the chapter on concentration: distances, counts, every sample."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from nystheory.chapters.concentration import counting, figures
from nystheory.chapters.concentration import covariances as experiments
from nystheory.chapters.concentration.theorems.mcdiarmid import hypergeometric_tails
from nystheory.engine.worlds.concentration import value
from nystheory.engine.worlds.instances import Instance

POINTS = np.random.default_rng(0).standard_normal((3, 7))
K = POINTS.T @ POINTS


@pytest.mark.parametrize("S", [[0], [2, 5, 6], [1, 1, 4], range(7)])
def test_distances_are_those_of_the_covariances(S):
    counts = np.bincount(list(S), minlength=7)
    case = Instance.from_points(POINTS, list(S), 1)
    expected = np.linalg.norm(case.distance)
    assert experiments.distances(K, counts)[0] == pytest.approx(expected, abs=1e-6)


def test_ellipse_holds_the_mean_square():
    """For a circle of points the radius is their length; scaling scales it."""
    angles = np.arange(8) * np.pi / 4
    X = 3 * np.array([np.cos(angles), np.sin(angles)])
    found = np.linalg.norm(experiments.ellipse(X), axis=0)
    np.testing.assert_allclose(found, 3)
    half = experiments.ellipse(2 * X, [0, 2])
    np.testing.assert_allclose(np.linalg.norm(half, axis=0), 6)


def test_pairs_are_samples_with_the_same_columns():
    without, replaced = experiments.paired_counts(6, 4, 50, np.random.default_rng(1))
    assert (without.sum(axis=1) == 4).all() and without.max() == 1
    assert (replaced.sum(axis=1) == 4).all() and replaced.max() > 1
    assert (without >= (replaced > 0)).all()


def test_promises_by_hand():
    """Orthogonal points: V = n - 1, d = sqrt 2, g_F = sqrt 2."""
    found = experiments.promises(np.eye(4), 2, delta=0.1)
    # alpha_sharp(2, 2) = 4 (1/4 + 1/9), alpha = 2 * 2 / 3.5 / 0.75
    log = np.log(10)
    assert found["e_l"] == pytest.approx(2)
    assert found["e_l replaced"] == pytest.approx(np.sqrt(6))
    assert found["mean, printed"] == pytest.approx(4 / np.sqrt(2))
    sharp = 2 + 2 * np.sqrt(2) * np.sqrt(13 / 9 / 2 * log)
    assert found["sharp"] == pytest.approx(sharp)
    loose = 4 / np.sqrt(2) + 4 * np.sqrt(2) * np.sqrt(4 / 3.5 / 0.75 / 2 * log)
    assert found["printed"] == pytest.approx(loose)


def test_every_sample_by_enumeration():
    found = experiments.every_sample(K, 3)
    values = {}
    for S in combinations(range(7), 3):
        case = Instance.from_points(POINTS, list(S), 1)
        values[S] = np.linalg.norm(case.distance)
    assert len(found.values) == comb(7, 3)
    np.testing.assert_allclose(np.sort(found.values), np.sort(list(values.values())))
    change = max(
        abs(values[S] - values[T])
        for S, T in product(values, repeat=2)
        if len(set(S) & set(T)) == 2
    )
    assert found.change == pytest.approx(change)
    assert found.mean == pytest.approx(np.mean(list(values.values())))
    assert found.deviation == pytest.approx(np.std(list(values.values())))
    assert found.tail(found.reach)[0] == pytest.approx(1 / 35)
    assert found.tail(found.reach + 1e-6)[0] == 0


def test_every_sample_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="at most 18 columns, got 19"):
        experiments.every_sample(np.eye(19), 2)


def test_two_clusters_by_enumeration():
    block = np.kron(np.eye(2), np.ones((4, 4)))
    every, short = experiments.every_sample(block, 3), experiments.two_clusters(4, 3)
    assert short.change == pytest.approx(every.change)
    assert short.mean == pytest.approx(every.mean)
    at = np.linspace(0, every.reach, 7)
    np.testing.assert_allclose(short.tail(at), every.tail(at))


def test_changes_are_bounded():
    found = experiments.exchange_bounds(K, 3)
    change = experiments.every_sample(K, 3).change
    assert change <= found["worst pair"] <= found["g_F"] <= found["printed"]


def test_random_pairs_stay_below_the_sharp_bounds():
    pairs = experiments.random_pairs(2000, np.random.default_rng(2))
    for norm, name in (("spectral", "g_2"), ("Frobenius", "g_F")):
        bounds = [value(name, K_max=1.0, d_max=d) for d in pairs["distance"]]
        assert (pairs[norm] <= np.array(bounds) + 1e-12).all()
    assert (np.array(pairs["spectral"]) > 0.95).any()


# ---- counts ----


def test_binomial_tails_and_moments():
    tails = counting.binomial_tails(4, 1, 3)
    assert tails[0] == 1 and tails[3] == Fraction(1, 64)
    assert counting.mean_and_variance(tails) == (Fraction(3, 4), Fraction(9, 16))
    mean, variance = counting.mean_and_variance(hypergeometric_tails(9, 4, 5))
    assert mean == Fraction(20, 9)
    assert variance == 5 * Fraction(4, 9) * Fraction(5, 9) * Fraction(4, 8)


def test_needed_constant_is_attained_and_below_the_theorem():
    for n, drawn in ((5, 2), (8, 4), (8, 7)):
        needed = counting.needed_constant(n, drawn)
        assert needed < value("alpha_sharp", n=n, l=drawn)
        ratios = [
            float(tail) * np.exp(2 * float(t - mean) ** 2 / needed)
            for ones in range(1, n)
            for mean in [Fraction(ones * drawn, n)]
            for t, tail in hypergeometric_tails(n, ones, drawn).items()
            if t > mean
        ]
        assert max(ratios) == pytest.approx(1)


def test_no_symmetric_function_is_worse_than_a_count():
    """Every function that takes the values 0 and 1, by hand, and every set of samples.

    One exchange leads from any pair of three elements to any other.
    """
    by_hand = max(2 * (1 - p) ** 2 / np.log(1 / p) for p in (1 / 3, 2 / 3))
    assert counting.needed_by_any(3, 2) == pytest.approx(by_hand)
    for n, drawn in ((4, 2), (5, 3), (6, 3), (7, 2)):
        needed = counting.needed_constant(n, drawn)
        assert counting.needed_by_any(n, drawn) == pytest.approx(needed, rel=1e-12)
        assert needed < value("alpha_sharp", n=n, l=drawn)
    with pytest.raises(ValueError, match="24 samples, got 35"):
        counting.needed_by_any(7, 3)


def test_constants_have_the_symmetry_of_the_complement():
    found = counting.constants(9)
    np.testing.assert_allclose(found["drawn"], found["left"][::-1])
    np.testing.assert_allclose(found["sharp"], found["sharp"][::-1])
    np.testing.assert_allclose(found["needed"], found["needed"][::-1])


@pytest.mark.parametrize("drawn", [1, 2, 3])
def test_given_the_set_every_draw_is_uniform(drawn):
    values = [Fraction(1), Fraction(7), Fraction(-3), Fraction(1, 2)]
    for T, mean in counting.mean_given_the_set(values, drawn).items():
        assert mean == sum(values[i] for i in T)
    top = counting.mean_given_the_set(values, drawn, max)
    assert all(mean <= max(values[i] for i in T) for T, mean in top.items())


def test_tails_above_the_mean_are_those_of_the_count():
    epsilon, chances = figures.above_the_mean(hypergeometric_tails(4, 2, 2))
    assert epsilon.tolist() == [1] and chances.tolist() == [1 / 6]
