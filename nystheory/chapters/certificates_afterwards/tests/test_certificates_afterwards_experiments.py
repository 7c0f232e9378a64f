"""Landmarks of large volume, and a group that a sample may miss."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.chapters.certificates_afterwards import experiments, rounding


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


def test_landmarks_that_no_digits_can_tell_apart_are_refused():
    with pytest.raises(ValueError, match="expected a core that 60 digits can invert"):
        rounding.largest_volume(40, 0.5, 20)


def test_a_missed_group_is_seen_by_the_certificates_only():
    found = experiments.far_group(200, 4, 30, draws=20)
    lost, seen = found.missed, ~found.missed
    assert 3 < lost.sum() < 17
    assert (found.trace[lost] > 4).all() and (found.entry[lost] == 1).all()
    assert (found.guess[lost] < 0.5).all() and (found.entry[seen] < 0.5).all()


def test_the_guess_of_a_far_group_is_the_one_by_leaving_out():
    found, rng = experiments.far_group(40, 2, 10, draws=1), np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((40, 2)), [[50.0, 0]] * 2])
    K = kernels.rbf(X, gamma=0.1)
    guess = certificates.leave_one_out_trace(K, sampling.uniform(K, 10, rng))
    assert (found.guess[0], found.error[0]) == (guess.value, guess.error)
