"""What the theorems of the chapter speak of, by hand on small cases."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import exact, sampling
from nystheory.chapters.choosing_the_kernel.theorems.adaptive_rounds import (
    ADAPTIVE,
    TwoRounds,
)
from nystheory.chapters.choosing_the_kernel.theorems.consistency import CHAIN
from nystheory.chapters.choosing_the_kernel.theorems.criterion import WOODBURY
from nystheory.chapters.choosing_the_kernel.theorems.driven import Driven, weights_of
from nystheory.chapters.choosing_the_kernel.theorems.figure_1 import (
    drawn,
    driven_weights,
    full_columns,
    two_classes,
)
from nystheory.chapters.choosing_the_kernel.theorems.two_blocks import (
    THEOREM_1,
    TwoBlocks,
)
from nystheory.chapters.choosing_the_kernel.theorems.uniform_columns import (
    OPTIMAL,
    BestRank,
)
from nystheory.chapters.choosing_the_kernel.theorems.volumes import (
    VOLUME_NYSTROM,
    Volumes,
)
from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    Criterion,
    TwoCriteria,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader


def of(theorem, line, case):
    """A line in the quantities of a theorem, on a case."""
    return reader(theorem, case).value(parse(line)).value


def measured(case, name):
    return case.measured(case.quantities[name]).value


def test_the_criterion_is_the_error_of_ridge_regression():
    rng = np.random.default_rng(0)
    X, y, mu = rng.standard_normal((3, 5)), rng.standard_normal((5, 1)), 0.3
    case = TwoCriteria.from_points(X, [0], 1, y=y, mu=mu, other=np.zeros((5, 5)))
    w = np.linalg.solve(X @ X.T / 5 + mu * np.eye(3), X @ y / 5)
    error = np.mean((X.T @ w - y) ** 2) + mu * np.sum(w**2)
    assert of(CHAIN, "C_K", case) == pytest.approx(error)
    assert of(CHAIN, "C_O", case) == pytest.approx(np.mean(y**2))


def test_a_factor_gives_the_criterion():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((4, 6)), rng.choice([-1.0, 1.0], (6, 1))
    case = Criterion.from_points(X, [0, 3, 4], 2, y=y, mu=0.2)
    A = case.approximation + 1.2 * np.eye(6)
    value = 0.2 * float((y.T @ np.linalg.solve(A, y)).item())
    assert of(WOODBURY, "mu * trace(y.T @ solved)", case) == pytest.approx(value)


def test_two_classes_count_by_their_size():
    assert weights_of(np.array([2.0, 2, 5])).tolist() == [0.5, 0.5, 1.0]
    assert weights_of(np.array([-1.0, 2, 5])).tolist() == [1, 2, 5]


def test_driven_probabilities_by_hand():
    # The second eigenvector of the core is left out, on which both others lean.
    K = [[2, 0, 0, 0], [0, 1, 0.5, 0.5], [0, 0.5, 1, 0], [0, 0.5, 0, 1]]
    y = np.array([[1.0], [2], [3], [-1]])
    case = Driven(np.array(K, float), [0, 1], 1, y=y, mu=1.0)
    assert measured(case, "driven_squares") == pytest.approx([0, 0, 9, 1])
    assert measured(case, "driven_shares") == pytest.approx([0, 0, 0.9, 0.1])


def test_the_volume_of_columns_is_a_law():
    K = np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 3]])
    case = Volumes(K, [0, 1], 2)
    volumes = {S: np.linalg.det(K[:, S].T @ K[:, S]) for S in combinations(range(3), 2)}
    for chance, found in case.outcomes("column_volume"):
        S = tuple(found.landmarks.tolist())
        assert chance == pytest.approx(volumes[S] / sum(volumes.values()))


def test_the_published_steps_fail_by_as_much_as_the_words_say():
    (step, rounds) = VOLUME_NYSTROM.printed.values()
    ratio = of(VOLUME_NYSTROM, "error_F**2 / tail_F**2", step.on)
    assert ratio == pytest.approx(7.98, abs=0.005)
    assert of(VOLUME_NYSTROM, "error_F**2 / tail_F**2", rounds.on) > 3


def test_two_rounds_by_hand():
    y = np.ones((3, 1))
    case = TwoRounds(np.diag([2.0, 1, 1]), [0, 1], 1, y=y, mu=1.0)
    assert measured(case, "first_squared") == pytest.approx(2)
    assert measured(case, "first_trace") == pytest.approx(2)
    assert measured(case, "within_squared") == pytest.approx(2)
    chances = [p for p, _ in case.outcomes("diagonal_next")]
    assert chances == pytest.approx([1 / 2, 1 / 2])
    first = {o.landmarks[0]: p for p, o in case.outcomes("volume_first")}
    assert first == pytest.approx({0: 1 / 2, 1: 1 / 4, 2: 1 / 4})
    of_both = list(case.outcomes("volume_first >> diagonal_next"))
    assert sum(p for p, _ in of_both) == pytest.approx(1)
    bound = of(ADAPTIVE, "(1 + k * (k + 1) / s) * tail_trace", case)
    assert bound == pytest.approx(6)


def test_a_second_block_is_missed_at_every_size():
    for m in (3, 6, 12):
        K = np.kron(np.eye(2), np.ones((m, m)))
        y = np.ones((2 * m, 1))
        case = TwoBlocks(K, [0], 1, m=m, mu=0.25, y=y)
        missed = of(THEOREM_1, "1 / (2 * (1 + 2 * mu))", case)
        shift = 0.5 * m * np.eye(2 * m)
        a, b = (np.linalg.solve(A + shift, y) for A in (case.approximation, K))
        assert 0.25 * (y.T @ (a - b)).item() == pytest.approx(missed)


def test_the_next_round_is_the_same_law_on_both_routes():
    (printed,) = THEOREM_1.printed.values()
    float_law = [p for p, _ in printed.on.outcomes("driven_next")]
    case = exact.Case.of(**printed.on.in_fractions())
    found = (_float(p) for p, _ in case.outcomes("driven_next"))
    # A chance that is a ball around zero may be one, and is listed too.
    exact_law = [p for p in found if p > 1e-9]
    assert len(float_law) == len(exact_law) == 10
    assert sorted(float_law) == pytest.approx(sorted(exact_law))


def _float(x):
    return float(x.p) / float(x.q) if hasattr(x, "q") else float(x.mid())


def test_the_best_rank_misses_a_label_that_one_column_keeps():
    case = BestRank(np.diag([2.0, 1.0]), [1], 1, mu=0.1, y=np.array([[0.0], [1]]))
    assert of(OPTIMAL, "C_B - C_K", case) == pytest.approx(0.41667, abs=1e-5)
    assert of(OPTIMAL, "C_T - C_K", case) == pytest.approx(0)


def test_the_columns_of_figure_1_are_those_of_the_package():
    rng = np.random.default_rng(0)
    K, y = two_classes(20, 2, 1.0, rng)
    for S in ([3], [3, 8], [0, 1, 2, 9, 15]):
        weights = driven_weights(K, S)
        weights[S] = 0
        told = sampling.update_probability_criterion(K, S, y)
        assert weights / weights.sum() == pytest.approx(told)
        left = K - K[:, S] @ np.linalg.pinv(K[:, S]) @ K
        assert np.linalg.norm(left[:, S]) < 1e-9
    firsts = [full_columns(K, 2, rng) for _ in range(400)]
    far = np.mean([abs(K[i, j]) < 0.5 for i, j in firsts])
    assert far > np.mean(K < 0.5)
    assert {drawn(np.array([1.0, 5, 0, 2]), [1], rng) for _ in range(50)} == {0, 3}


def test_first_blocks_of_the_words_have_the_diagonal_of_the_instance():
    (printed,) = THEOREM_1.printed.values()
    told = 1 + np.arange(1, 9) ** 2 / 1600
    assert np.diag(printed.on.K) == pytest.approx([*told, *[1] * 8])
