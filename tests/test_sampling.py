"""Sampling schemes: one signature, honest accounts, reproducible draws."""

import itertools
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import kernels, sampling


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 5), st.booleans())
def test_uniform_draws_indices_and_asks_for_nothing(n, n_landmarks, seed, replace):
    K = kernels.linear(np.ones((n, 1)))
    n_landmarks = n_landmarks if replace else min(n, n_landmarks)
    draw = partial(sampling.uniform, K, n_landmarks, replace=replace)
    drawn = draw(np.random.default_rng(seed))
    assert drawn.indices.shape == (n_landmarks,) and len(drawn) == n_landmarks
    assert drawn.indices.min() >= 0 and drawn.indices.max() < n
    assert replace or len(set(drawn.indices.tolist())) == n_landmarks
    assert drawn.entries_asked == K.entries_asked == 0
    assert np.allclose(drawn.probabilities, 1 / n)
    assert (drawn.weights == n / n_landmarks).all() if replace else not drawn.weights
    again = sampling.uniform(
        K, n_landmarks, np.random.default_rng(seed), replace=replace
    )
    assert drawn == again and hash(drawn) == hash(again)


def test_the_same_draw_from_an_array_and_from_points():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((20, 2)))
    a = sampling.uniform(K, 5, np.random.default_rng(1))
    assert a == sampling.uniform(K.dense(), 5, np.random.default_rng(1))
    assert a != sampling.uniform(K, 5, np.random.default_rng(2))
    assert a != sampling.uniform(K, 5, np.random.default_rng(1), replace=True)
    assert a != "uniform"


def test_uniform_gives_every_subset_alike():
    # Chi-square of the 10 pairs of 5; 27.9 is the 0.999 quantile at 9 degrees.
    rng = np.random.default_rng(0)
    pairs = list(itertools.combinations(range(5), 2))
    counts = dict.fromkeys(pairs, 0)
    for _ in range(2000):
        counts[tuple(sorted(sampling.uniform(np.eye(5), 2, rng).indices))] += 1
    assert sum((c - 200) ** 2 / 200 for c in counts.values()) < 27.9


def test_time_is_no_part_of_equality_or_repr():
    drawn = sampling.uniform(np.eye(9), 9, np.random.default_rng(0))
    slow = replace(drawn, seconds=1e6)
    assert drawn == slow and repr(drawn) == repr(slow)
    assert drawn.seconds >= 0
    assert repr(drawn).startswith("Landmarks(uniform, l=9, indices=[")
    assert "..." in repr(drawn)
    assert drawn != replace(drawn, probabilities=None)
    assert drawn != replace(drawn, weights=np.ones(9))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda r: sampling.uniform(np.eye(3), 4, r), ValueError, "from 1 to 3.*got 4"),
        (
            lambda r: sampling.uniform(np.eye(3), 0, r),
            ValueError,
            "n_landmarks: .*got 0",
        ),
        (lambda r: sampling.uniform(np.eye(3), 1.5, r), TypeError, "integer.*got 1.5"),
        (lambda r: sampling.uniform(np.eye(3), True, r), TypeError, "got True"),
        (
            lambda r: sampling.uniform(np.eye(3), 0, r, replace=True),
            ValueError,
            "of at least 1, got 0",
        ),
        (lambda r: sampling.uniform(np.eye(3), 1, 0), TypeError, "rng: .*Generator"),
        (lambda r: sampling.uniform(np.ones((2, 3)), 1, r), ValueError, "K: .*square"),
    ],
)
def test_uniform_says_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call(np.random.default_rng(0))


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
