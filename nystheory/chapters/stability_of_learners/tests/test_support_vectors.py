"""Dual optima, and what changes with the kernel matrix, by hand."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize

from nystheory.chapters.stability_of_learners.theorems.bordered_matrix import (
    SVM_PROOF,
    Bordered,
)
from nystheory.chapters.stability_of_learners.theorems.dual_optima import (
    MOST,
    TwoRegressions,
    of_machine,
    of_regression,
    optima,
)
from nystheory.chapters.stability_of_learners.theorems.square_roots import (
    SQUARE_ROOTS,
    WEIGHT_CHANGE,
    TwoRoots,
    TwoWeights,
    root,
)
from nystheory.chapters.stability_of_learners.theorems.support_vectors import (
    HINGE,
    SVM_STABILITY,
    SVR_STABILITY,
    LossesAt,
)
from nystheory.engine import Claim
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.verification import prove
from nystheory.engine.worlds.quantities import value as of_line


def measured(instance, name):
    return instance.measured(instance.quantities[name]).value


def made(dual):
    """The optima of which rounding leaves no doubt."""
    found = optima(dual)
    return found.values[found.sure]


def value(dual, b):
    """The objective, with the function between kinks summed up from 0."""
    kinks, slopes = dual.kinks, dual.slopes
    zero = np.argmin(np.abs(kinks), axis=1)
    total = b @ dual.K @ b / 2
    for i, start in enumerate(zero):
        for j, slope in enumerate(slopes[i]):
            low, high = kinks[i, j], kinks[i, j + 1]
            part = np.clip(b[i], low, high) - (high if j < start else low)
            total += slope * part
    return total


@pytest.mark.parametrize("seed", range(20))
def test_no_other_point_is_better_than_an_optimum(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, MOST + 1))
    X, bound = rng.standard_normal((rng.integers(1, 4), n)), rng.exponential() + 0.1
    machine = of_machine(X.T @ X, rng.choice([-1.0, 1.0], n), bound)
    regression = of_regression(X.T @ X, rng.standard_normal(n), bound, 0.1)
    for dual in (machine, regression):
        best = {round(value(dual, b), 9) for b in made(dual)}
        assert len(best) == 1
        box = [*zip(dual.kinks[:, 0], dual.kinks[:, -1], strict=True)]
        tried = [rng.uniform(*np.transpose(box)) for _ in range(100)]
        objective = partial(value, dual)
        reached = minimize(objective, min(tried, key=objective), bounds=box).fun
        assert reached >= best.pop() - 1e-9


def test_machines_by_hand():
    # One point: min k a^2 / 2 - a over [0, 1] is at 1 / k.
    one = np.ones(1)
    assert made(of_machine(np.array([[4.0]]), one, 1.0)).tolist() == [[0.25]]
    assert made(of_machine(np.array([[4.0]]), -one, 1.0)).tolist() == [[-0.25]]
    assert made(of_machine(np.array([[0.5]]), one, 1.0)).tolist() == [[1.0]]
    # Every (t, 1 - t) is optimal for points that are alike; the ends are extreme.
    found = made(of_machine(np.ones((2, 2)), np.ones(2), 1.0))
    assert {tuple(b) for b in found.round(9) + 0.0} == {(0.0, 1.0), (1.0, 0.0)}


def test_regression_by_hand():
    # One point: (y - tube) / k inside of the bounds, nothing within the tube.
    K = np.array([[2.0]])
    for y, b in ((3.0, 1.0), (2.0, 0.75), (0.3, 0.0), (-2.0, -0.75)):
        found = made(of_regression(K, np.array([y]), 1.0, 0.5))
        assert set(found.ravel() + 0.0) == {b}


def test_rounding_that_hides_which_blocks_are_singular_is_told():
    K = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-10]])
    assert optima(of_machine(K, np.ones(2), 1.0)) is None


def of_three(**given):
    """At 2, -1 and -1 of a line, of which K' keeps the first, six times."""
    known = {"other": np.diag([6.0, 0, 0]), "y": np.array([[6.0], [0], [0]])}
    known |= {"C_0": 3.0, "tube": 0.0} | given
    return TwoRegressions.from_points([[2.0, -1, -1]], [0], 1, **known)


def test_the_constant_of_regression_is_attained():
    # K: b = (1, 1, 1) and h = 0; K': b = (1, -1, -1), h' = 4 x: all of the farthest.
    case = of_three(bound_of_points=1.0)
    assert measured(case, "regression_change") == pytest.approx(4)
    # |K' - K|_2 = 2 sqrt 3, and 3 sqrt(8 / (3 sqrt 3) * 2 sqrt 3 / 3) = 4.
    assert measured(case, "change_2") == pytest.approx(2 * np.sqrt(3))
    assert SVR_STABILITY.right_side(
        "sharper", C_0=3.0, change_2=2 * np.sqrt(3), point_bound=1.0, n=3
    ) == pytest.approx(4)
    told = case.quantities["three_points"]
    assert case.measured(told) and not case.but(tube=1.0).measured(told)


def test_the_constant_of_regression_is_no_matter_of_a_tie():
    """Observations a little off make both optima unique, and the change hardly less."""
    case = of_three(bound_of_points=1.0, y=np.array([[6.0], [-1e-3], [-1e-3]]))
    assert measured(case, "regression_change") == pytest.approx(4, rel=1e-3)


def test_machines_that_move():
    # K = 1, K' = 0: b = min(1, C_0) and C_0, so that the value at 1 moves by C_0 - 1.
    given = {"other_points": [[0.0]], "y": [[1.0]], "C_0": 5.0, "x": [[1.0]]}
    case = LossesAt.from_points([[1.0]], [0], 1, **_arrays(given))
    assert measured(case, "machine_change") == pytest.approx(4)
    assert SVM_STABILITY.bound(C_0=5.0, change_2=1.0, point_bound=1.0, n=1) == 5


def _arrays(given):
    return {
        name: np.array(value) if isinstance(value, list) else value
        for name, value in given.items()
    }


def test_the_farthest_of_several_optima_counts():
    # K = I and K' of equal points: (1, 0) and (0, 1), each as far from (1, 1).
    given = {"other": np.ones((2, 2)), "y": np.ones((2, 1)), "C_0": 2.0}
    case = LossesAt.from_points(np.eye(2), [0], 1, **given)
    assert measured(case, "machine_change") == pytest.approx(1)
    # At (-1, 1/2): -1/2 with K; -1 or 1/2 with K': the losses at 1 are 3/2, 2 and 1/2.
    near = case.but(x=np.array([[-1.0], [0.5]]), label=1.0)
    assert measured(near, "hinge_change") == pytest.approx(1)


def test_the_loss_moves_most_at_another_optimum_than_the_value():
    """At the label 1 h is 1, and h' is -6 or 8, as far: the losses are 0, 7 and 0."""
    given = {"other": [[1, 1], [1, 1]], "y": [[1], [1]], "C_0": 2}
    given |= {"x": [[-2], [2]], "label": 1}
    case = LossesAt.exactly([0], 1, points=[[3, -2], [0, 2]], **given)
    assert measured(case, "hinge_change") == pytest.approx(7)
    assert prove(HINGE, Claim("hinge_change == 7"), case).holds is True


def test_the_bordered_matrix_of_the_proof():
    case = Bordered.from_points(
        np.eye(2), [0], 1, other=np.diag([1.0, 0]), x=np.array([[0], [0.9]])
    )
    # The block (0, 0.9; 0.9, 0.81) has the eigenvalue (0.81 - sqrt 3.8961) / 2.
    assert measured(case, "lowest_bordered") == pytest.approx(-0.5819270)
    assert measured(case, "lowest_of_all") == pytest.approx(-0.5819270)
    printed = SVM_PROOF.printed["bordered"]
    assert "about $-0.58$" in printed.why
    claim = SVM_PROOF.asserting(all=printed.line).claims["all"]
    assert prove(SVM_PROOF, claim, printed.on).holds is False
    near = case.but(x=np.array([[0.9], [0]]))
    assert measured(near, "lowest_bordered") == pytest.approx(0, abs=1e-12)


def test_roots_by_hand():
    assert root(np.diag([2.0, 3.0])) == pytest.approx(np.diag([2.0, 3.0]))
    X = np.array([[1.0, 2, 3], [0, 1, -1]])
    assert root(X) @ root(X) == pytest.approx(X.T @ X)
    case = TwoRoots.from_points(np.eye(16), [0], 1, other_points=np.zeros((16, 16)))
    change = measured(case, "root_change")
    assert np.linalg.norm(change, 2) == pytest.approx(1)
    assert np.linalg.norm(change) == pytest.approx(4)
    assert SQUARE_ROOTS.right_side("roots", change_2=1.0) == 1


def test_weights_by_hand():
    # One point at 1 that K' has lost: w = 1 and w' = 0, and the root moves by 1.
    zero = np.zeros((1, 1))
    case = TwoWeights.from_points(
        [[1.0]], [0], 1, other_points=zero, x=zero, other_x=zero, y=zero + 1, C_0=1.0
    )
    assert measured(case, "weight_change_squared") == pytest.approx(1)
    assert WEIGHT_CHANGE.where_lines["both_bound"]
    assert np.linalg.norm(measured(case, "root_change_with_x"), 2) == pytest.approx(1)


def test_the_bounds_on_weights_by_hand():
    # Two points at 1 that are at 2 with K': kappa = 4, and the roots, of ones over
    # root 2, are 1 and 2 times root 2 in norm: 2 * 3^2 * 2 * root 2, and over root 2.
    x = np.zeros((1, 1))
    given = {"other_points": np.full((1, 2), 2.0), "y": np.ones((2, 1)), "C_0": 3.0}
    case = TwoWeights.from_points([[1.0, 1.0]], [0], 1, x=x, other_x=x, **given)
    for name, bound in (("printed", 36 * np.sqrt(2)), ("sharper", 36)):
        found = reader(WEIGHT_CHANGE, case).value(WEIGHT_CHANGE.bounding(name))
        assert found.value == pytest.approx(bound)


def test_the_hinge_loss_at_a_label():
    # h = 1 and h' = 5: the losses at -1 are 2 and 6, those at 1 are 0.
    given = {"other_points": [[0.0]], "y": [[1.0]], "C_0": 5.0, "x": [[1.0]]}
    case = LossesAt.from_points([[1.0]], [0], 1, label=-1.0, **_arrays(given))
    left, right = HINGE.claims["sharper"].line.split("<=")
    assert of_line(left, case) == pytest.approx(4)
    assert reader(HINGE, case).value(parse(right)).value == pytest.approx(5)
    assert of_line(left, case.but(label=1.0)) == pytest.approx(0, abs=1e-12)
