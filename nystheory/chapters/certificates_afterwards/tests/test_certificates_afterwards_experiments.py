"""Norms, inverses and rounding, and their figures."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.chapters.certificates_afterwards import experiments, rounding
from nystheory.engine.findings.experiments import digits_kernel

DIGITS = digits_kernel(60)


def test_landmarks_of_largest_volume_by_listing():
    """Of all pairs among six points, and the error by elimination."""
    K = rounding.line(6, 0.5).dense()
    found = rounding.largest_volume(6, 0.5, 2)
    pairs = list(combinations(range(6), 2))
    volumes = [np.linalg.det(K[np.ix_(S, S)]) for S in pairs]
    assert tuple(found.landmarks) == pairs[int(np.argmax(volumes))]
    expected = lowrank.nystrom(K, found.landmarks).error(K, "spectral")
    assert found.error == pytest.approx(expected)
    W = K[np.ix_(found.landmarks, found.landmarks)]
    assert found.condition == pytest.approx(np.linalg.cond(W))


def test_a_formed_inverse_is_worse_at_landmarks_of_large_volume_too():
    stable = rounding.largest_volume(20, 0.5, 11)
    assert stable.weight <= 1 and stable.condition > 1e12
    inverted, solved = rounding.inverted_and_solved(
        rounding.line(20, 0.5).dense(), stable.landmarks
    )
    assert inverted > 1e3 * solved


def test_only_the_formed_inverse_gets_worse():
    errors = rounding.rounding(rounding.line(100), [15, 60], draws=3)
    assert errors[rounding.FORMED][1] > errors[rounding.FORMED][0]
    assert errors[rounding.PACKAGE][1] < 1e-12


def test_inverses_against_their_bounds():
    shown = experiments.inverses(DIGITS, 10, [0.01, 1.0, 100.0])
    assert (shown.observed <= shown.by_norm * (1 + 1e-9)).all()
    assert (shown.by_norm <= shown.by_trace * (1 + 1e-9)).all()
    assert shown.squared == pytest.approx([100, 1, 0.01])


def test_the_sizes_of_an_error_stand_in_their_order():
    shown = experiments.chain(DIGITS, [5, 20, 40])
    sizes = np.array([shown.entry, shown.spectral, shown.frobenius, shown.trace])
    assert (np.diff(sizes, axis=0) >= 0).all()
    assert shown.by_diagonal == pytest.approx(shown.entry)
    assert shown.by_factor == pytest.approx(shown.trace)


def test_a_missed_group_is_seen_by_the_certificates_only():
    found = experiments.far_group(200, 4, 30, draws=20)
    lost, seen = found.missed, ~found.missed
    assert 3 < lost.sum() < 17
    assert (found.trace[lost] > 4).all() and (found.entry[lost] == 1).all()
    assert (found.guess[lost] < 0.5).all() and (found.entry[seen] < 0.5).all()


def test_functions_of_a_matrix_by_hand():
    """K = diag(4, 1) has all of both with two pivots, and 4 is kept at rank 1."""
    K = kernels.DenseKernel(np.diag([4.0, 1.0]))
    found = experiments.functions(K, 1.0, 2, [1], draws=1)
    assert found.exact["log determinant"] == pytest.approx(np.log(10))
    assert found.approximate["log determinant"][0] == pytest.approx(np.log([10, 5]))
    assert found.approximate["root"][0] == pytest.approx([3, 2])
    assert found.approximate["effective dimension"][0] == pytest.approx([1.3, 0.8])


def test_the_guess_of_a_far_group_is_the_one_by_leaving_out():
    found, rng = experiments.far_group(40, 2, 10, draws=1), np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((40, 2)), [[50.0, 0]] * 2])
    K = kernels.rbf(X, gamma=0.1)
    guess = certificates.leave_one_out_trace(K, sampling.uniform(K, 10, rng))
    assert (found.guess[0], found.error[0]) == (guess.value, guess.error)
