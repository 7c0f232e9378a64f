"""Distributions fixed beforehand: uniform draws, and what a user chooses."""

import itertools
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


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (dict(probabilities=[0.5, 0.6, -0.1]), "no negative number, got -0.1 at in"),
        (dict(probabilities=[0.5, 0.4, 0.0]), "sum 1, got sum 0.9"),
        (dict(probabilities=[0.5, 0.5]), "one for each of 3 points, got 2"),
        (dict(probabilities=[0.5, np.nan, 0.5]), "finite numbers, got nan at index 1"),
        (dict(indices=[0]), "indices: expected n_landmarks = 2"),
        (dict(indices=[0, 7]), "indices from 0 to 2, got 7"),
        (dict(), "expected indices or probabilities, got neither"),
        (dict(indices=[0, 1], probabilities=[1, 0, 0]), "got both"),
    ],
)
def test_own_choices_are_checked(call, says):
    with pytest.raises((ValueError, IndexError), match=says):
        sampling.user(np.eye(3), 2, np.random.default_rng(0), **call)
