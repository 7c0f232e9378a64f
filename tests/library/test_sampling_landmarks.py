"""What a scheme hands back: equal draws, indices, and fewer than asked for."""

from dataclasses import replace

import numpy as np
import pytest
from sampling_cases import BATCHED, BY_SIZE, SCHEMES, run

from nystheory import kernels, sampling


def test_time_is_no_part_of_equality_or_repr():
    drawn = sampling.uniform(np.eye(9), 9, np.random.default_rng(0))
    slow = replace(drawn, seconds=1e6)
    assert drawn == slow and repr(drawn) == repr(slow)
    assert drawn.seconds >= 0
    assert repr(drawn).startswith("Landmarks(uniform, l=9, indices=[")
    assert "..." in repr(drawn)
    assert drawn != replace(drawn, probabilities=None)
    assert drawn != replace(drawn, weights=np.ones(9))


def test_as_indices_takes_landmarks_and_sequences():
    drawn = sampling.uniform(np.eye(5), 3, np.random.default_rng(0))
    assert np.array_equal(sampling.as_indices(drawn, 5), drawn.indices)
    for given_ in ([1, 1, 0], (1, 1, 0), np.array([1, 1, 0], dtype=np.uint8)):
        indices = sampling.as_indices(given_, 2)
        assert indices.tolist() == [1, 1, 0] and indices.dtype == np.intp
    assert sampling.as_indices(drawn, 5) is not drawn.indices


@pytest.mark.parametrize(
    ("landmarks", "error", "says"),
    [
        ([3], IndexError, "landmarks: expected indices from 0 to 2, got 3"),
        ([-1], IndexError, "got -1"),
        ([], ValueError, r"non-empty sequence of indices, got \[\]"),
        ([[0]], ValueError, "non-empty sequence"),
        (2, ValueError, "non-empty sequence of indices, got 2"),
        ([0.0], TypeError, "integer indices"),
        ([True, False, True], TypeError, "integer indices"),
        (["0"], TypeError, "integer indices"),
    ],
)
def test_as_indices_says_what_is_wrong(landmarks, error, says):
    with pytest.raises(error, match=says):
        sampling.as_indices(landmarks, 3)


FEWER = [n for n in BY_SIZE if n not in (*BATCHED, "bless", "dpp")]
FEWER.append("kmeans")


def three_points():
    """Nine points of which all but two are zero."""
    X = np.zeros((9, 2))
    X[[1, 4]] = [[1.0, 0], [0, 2]]
    return kernels.linear(X)


@pytest.mark.parametrize("name", FEWER)
def test_fewer_different_points_than_landmarks(name):
    """What there is comes back, and a warning says how much that is."""
    with pytest.warns(sampling.FewerLandmarks, match="returned only [23] of 5") as told:
        drawn = run(name, three_points(), 5)
    assert len(drawn) in (2, 3) and len(told) == 1
    assert "of 5 requested" in str(told[0].message)


@pytest.mark.parametrize("name", FEWER)
def test_the_warning_names_the_file_of_the_caller(name):
    K, rng = three_points(), np.random.default_rng(0)
    with pytest.warns(sampling.FewerLandmarks) as told:
        SCHEMES[name](K, 5, rng)
    assert told[0].filename == __file__
