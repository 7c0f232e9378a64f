"""Probabilities of adaptive and criterion-driven sampling, and what is refused."""

import numpy as np
import pytest

from nystheory import sampling


def test_update_probabilities_are_checked():
    K = np.eye(3)
    with pytest.raises(ValueError, match="fewer than all 3 columns"):
        sampling.update_probability_partial(K, [0, 1, 2])
    with pytest.raises(ValueError, match="rank: .* from 1 to 1"):
        sampling.update_probability_partial(K, [0], rank=2)


# Two points that are alike, and two that are not.
K = np.array([[2.0, 2, 0, 1], [2, 2, 0, 1], [0, 0, 3, 1], [1, 1, 1, 2]])
Y = [1.0, -1.0, 2.0, 3.0]


def driven(indices, y, rank=None, matrix=K):
    return sampling.update_probability_criterion(matrix, indices, y, rank)


def by_hand(own, y, k):
    """Shares by pseudo-inverse, for targets that are counted as they are."""
    C = K[:, own]
    values, vectors = np.linalg.eigh(C[own])
    top = vectors[:, len(own) - k :]
    error = C - C @ np.linalg.pinv((top * values[len(own) - k :]) @ top.T) @ C[own]
    squares = ((np.outer(y, np.take(y, own)) * error) ** 2).sum(axis=1)
    squares[own] = 0
    return squares / squares.sum()


@pytest.mark.parametrize("own", [[0], [3], [2, 3], [3, 0], [1, 2]])
def test_criterion_driven_probabilities_are_those_of_the_formula(own):
    k = len(own) // 2
    np.testing.assert_allclose(driven(own, Y), by_hand(own, Y, k), rtol=1e-12)
    np.testing.assert_allclose(driven(own, Y, k or None), by_hand(own, Y, k), 1e-12)


def test_targets_of_two_classes_count_as_one_over_the_size_of_the_class():
    found = driven([3], [1, -1, 1, 1])
    np.testing.assert_allclose(found, by_hand([3], [1 / 3, 1, 1 / 3, 1 / 3], 0))
    for other in ([0, 1, 0, 0], [7, 2, 7, 7], [-1.5, 1e300, -1.5, -1.5]):
        assert np.array_equal(driven([3], other), found)
    # Three numbers are targets as they are, and one number has no say.
    np.testing.assert_allclose(
        driven([3], [1, -1, 1, 2]), by_hand([3], [1, 1, 1, 2], 0)
    )
    assert np.array_equal(driven([3], [5.0] * 4), driven([3], [1.0] * 4))


@pytest.mark.parametrize("unit", [1e-300, 1e-9, -1.0, 1e9, 1e300])
def test_neither_the_unit_of_targets_nor_that_of_the_matrix_counts(unit):
    np.testing.assert_allclose(driven([2, 3], unit * np.array(Y)), driven([2, 3], Y))
    scaled = driven([2, 3], Y, matrix=K * np.clip(abs(unit), 1e-100, 1e100))
    np.testing.assert_allclose(scaled, driven([2, 3], Y), rtol=1e-12)


def test_where_nothing_is_left_the_other_columns_are_alike():
    """Of a core of rank at most k, and where all errors are of no target."""
    alike = [0, 1 / 3, 1 / 3, 1 / 3]
    assert np.allclose(driven([0], Y, rank=1), alike)
    assert np.allclose(driven([0], Y, matrix=np.zeros((4, 4))), alike)
    assert np.allclose(driven([0], [1.0, 0.0, 2.0, 0.0]), alike)  # rows
    assert np.allclose(driven([0], [0.0, 1.0, 2.0, 3.0]), alike)  # columns
    # Rounding is nothing: row 1 is that of the pivot.
    K3 = np.array([[0.1, 0.1, 0], [0.1, 0.1, 0], [0, 0, 0.1]])
    assert driven([0, 2], [1.0, 2.0, 3.0], 2, K3).tolist() == [0, 1, 0]


def test_a_point_with_target_zero_is_drawn_for_want_of_others_only():
    rng = np.random.default_rng(0)
    y = np.array([1.0, -1.0, 2.0, 0.5, 0.0, 0.0])
    A = rng.standard_normal((6, 6))
    for _ in range(50):
        drawn = sampling.criterion_driven(A @ A.T, 3, rng, y=y, batch=1, rank=1)
        assert (drawn.probabilities[4:] == 0).all() or drawn.probabilities[4] > 0.1
    p = driven([0, 1, 2], y, matrix=A @ A.T)
    assert p[3] == 1 and (p[4:] == 0).all()


@pytest.mark.parametrize(
    ("y", "error", "says"),
    [
        ([0.0] * 4, ValueError, "y: expected some target that is not zero, got all"),
        ([1.0, 2.0, 3.0], ValueError, r"y: expected 4 targets, .* got shape \(3,\)"),
        ([[1.0], [2.0], [3.0], [4.0]], ValueError, "y: expected 1 dimension"),
        ([1.0, np.nan, 2.0, 3.0], ValueError, "y: expected finite numbers, got nan"),
        ([1.0, np.inf, 2.0, 3.0], ValueError, "y: expected finite numbers, got inf"),
        (["a", "b", "a", "b"], TypeError, "y: expected real numbers"),
        (None, ValueError, "y: expected 1 dimension"),
        (1.0, ValueError, "y: expected 1 dimension"),
    ],
)
def test_targets_are_checked(y, error, says):
    with pytest.raises(error, match=f"^{says}"):
        driven([0], y)
    with pytest.raises(error, match=f"^{says}"):
        sampling.criterion_driven(K, 2, np.random.default_rng(0), y=y)


def test_targets_are_needed():
    with pytest.raises(TypeError, match="'y'"):
        sampling.criterion_driven(K, 2, np.random.default_rng(0))


def test_what_else_criterion_driven_sampling_is_given_is_checked():
    with pytest.raises(ValueError, match="indices: expected fewer than all 4 columns"):
        driven([0, 1, 2, 3], Y)
    with pytest.raises(ValueError, match="rank: .* from 1 to 1"):
        driven([0], Y, rank=2)
    with pytest.raises(IndexError, match="indices: expected indices from 0 to 3"):
        driven([4], Y)
    for given, says in (
        ({"batch": 0}, "batch: .*got 0"),
        ({"rank": 3}, "rank: .* from 1 to 2"),
        ({"initial": [1, 1, 0, 0]}, "initial: .*sum 1, got sum 2"),
    ):
        with pytest.raises(ValueError, match=f"^{says}"):
            sampling.criterion_driven(K, 2, np.random.default_rng(0), y=Y, **given)
