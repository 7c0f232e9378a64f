"""Two digits, and both forms of the step."""

import numpy as np
import pytest

from nystheory.chapters.newton_with_few_columns import both_forms, experiments
from nystheory.learners import newton

X, Y = experiments.two_digits()
K, LABELS = experiments.gram(X[:60], 0.03), Y[:60]


def test_labels_are_those_of_the_second_digit():
    assert set(Y) == {0.0, 1.0} and len(X) == len(Y)
    assert (
        experiments.right(np.eye(3), np.array([1, -1, 1]), np.array([1, 0, 0])) == 2 / 3
    )


def test_the_slope_is_that_of_the_loss():
    w, step = np.linspace(-1, 1, 60), 1e-6
    slope = both_forms.slope(K, LABELS, 0.3, w)
    for j in (0, 17):
        e = step * np.eye(60)[j]
        ends = (both_forms.loss(K, LABELS, 0.3, w + x) for x in (e, -e))
        difference = np.subtract(*ends) / (2 * step)
        assert difference == pytest.approx(slope[j], abs=1e-6)


def test_the_inverse_is_that_of_the_approximation():
    G, S, b = K[:20, :9], [0, 3, 3], np.arange(9.0)
    T = G.T @ G
    below = T[:, S] @ np.linalg.pinv(T[np.ix_(S, S)]) @ T[S]
    expected = np.linalg.solve(below + 0.5 * np.eye(9), b)
    assert both_forms.solved(G, 0.5, S, b) == pytest.approx(expected)


def test_both_forms_are_newtons_step_with_all_columns():
    every = range(60)
    ends = [
        way(K, LABELS, 1.0, every, damped=1.0, steps=12)[-1]
        for way in (both_forms.printed, both_forms.repaired)
    ]
    goal = newton(K, LABELS, 1.0).w
    assert ends[0] == pytest.approx(goal, abs=1e-6)
    assert ends[1] == pytest.approx(goal, abs=1e-6)


def test_the_printed_form_ends_where_its_own_equation_holds():
    found = both_forms.paths(K, LABELS, 1.0, [0, 9])
    assert found.identity < 1e-6 < found.printed[-1]
    assert found.repaired[-1] < 1e-6 and found.distance > 0.01


def test_the_form_3_14_need_not_come_to_rest():
    A, y = experiments.gram(X[:200], 0.1), Y[:200]
    S = np.random.default_rng(0).choice(200, 7, replace=False)
    quick, slow = (both_forms.printed(A, y, ridge, S) for ridge in (10.0, 0.01))
    assert both_forms.at_rest(quick) and not both_forms.at_rest(slow)
    longer = both_forms.printed(A, y, 0.01, S, steps=10 * both_forms.STEPS)
    assert not both_forms.at_rest(longer)


def test_a_search_that_asks_for_little_is_slow_just_below_two():
    (ratio,) = both_forms.multiples([0.172])
    assert 1.99 < ratio < 2
    slow, quick = (both_forms.steps_taken([0.172], share)[0] for share in (1e-4, 0.25))
    assert slow > 20 * quick


def test_a_path_is_at_rest_by_the_whole_of_its_last_step():
    """A quarter of it is below a millionth of the weights, the whole is not."""
    path = np.array([[1.0, 0], [1.0, 5e-7]])
    assert both_forms.at_rest(path, 1.0) and not both_forms.at_rest(path, 0.25)
