"""Plants that the tests of the learners in a subspace left green."""

import math
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from nystheory._progress import counter
from nystheory.learners import SubspaceClassifier, _coordinates, _margins, _pegasos
from nystheory.learners._margins import Problem
from nystheory.learners._pegasos import Steps

RNG = np.random.default_rng(8)
F = RNG.normal(size=(60, 4))
SIGNS = np.where(F[:, 0] + RNG.normal(size=60) > 0, 1.0, -1.0)
LINEAR = {"kernel": "linear", "random_state": 0}


# ---- rounding is in the gap ----


def gap(F, signs, ridge, w, dual, loss):
    given = np.array(F)[:, None], np.array(signs)[:, None], np.ones(len(F)), ridge
    a = None if dual is None else np.array(dual)[:, None]
    return _margins.certified(Problem(*given, loss), np.array([[w]]), a)[1][0]


def least(loss, ridge):
    """The minimum for one point, f = y = 1, in 50 digits, from where the slope ends."""
    with mpmath.workdps(50):
        slope = {
            "square": lambda w: ridge * w - (1 - w),
            "logistic": lambda w: ridge * w - 1 / (1 + mpmath.exp(w)),
        }.get(loss)
        if slope is None:
            w = min(mpmath.mpf(1), 1 / mpmath.mpf(ridge))
        else:
            w = mpmath.findroot(slope, (0, 1), solver="bisect")
        return value(loss, ridge, w), w


def value(loss, ridge, w):
    with mpmath.workdps(50):
        each = {
            "hinge": max(mpmath.mpf(0), 1 - mpmath.mpf(w)),
            "logistic": mpmath.log1p(mpmath.exp(-mpmath.mpf(w))),
            "square": (1 - mpmath.mpf(w)) ** 2 / 2,
        }[loss]
        return each + mpmath.mpf(ridge) / 2 * mpmath.mpf(w) ** 2


@pytest.mark.parametrize("ridge", [1.0, 100.0])
@pytest.mark.parametrize("loss", _margins.LOSSES)
def test_the_gap_is_above_what_is_missing_and_near_to_it(loss, ridge):
    """Away from the minimum, too; with a large ridge it is no more than 2 % above."""
    smallest, best = least(loss, ridge)
    near = []
    for w in (0.0, 0.5 * float(best), 0.9 * float(best), 1.5 * float(best), -1.0):
        # The dual point of the hinge loss is the best one: then nothing is given away.
        dual = [min(1.0, ridge * float(best))] if loss == "hinge" else None
        missing = value(loss, ridge, w) - smallest
        found = gap([1.0], [1.0], ridge, w, dual, loss)
        assert missing <= found
        near.append(float(missing) / found)
    assert max(near) > (0.98 if ridge == 100 else 0.49)


def test_digits_that_a_sum_over_the_points_loses_are_in_the_gap():
    """v is 1e-17 and comes out as 0; the margins are 0, and all else is exact."""
    found = gap([1.0, 1e-17, 1.0], [1.0, 1.0, -1.0], 1.0, 0.0, [1.0] * 3, "hinge")
    assert Fraction(found) >= Fraction(1e-17) ** 2 / 2


def test_digits_that_a_margin_loses_are_in_the_gap_of_the_hinge_loss():
    """The margin is 1 - 2^-60 and comes out as 1, and w is v / ridge."""
    e = 2.0**-30
    # The dual coefficient is (1 - e) / (1 + e), rounded: too little by d.
    found = gap([1 + e], [1.0], 1.0, 1 - e, [(1 - e) / (1 + e)], "hinge")
    a, f, w = Fraction((1 - e) / (1 + e)), Fraction(1 + e), Fraction(1 - e)
    exact = (w - a * f) ** 2 / 2 + (1 - a) * (1 - w * f)
    assert exact > 0 and Fraction(found) >= exact


@pytest.mark.parametrize("loss", ["square"])
def test_digits_that_a_margin_loses_are_in_the_gap_of_a_smooth_loss(loss):
    """The margin is 1 - 2^-60 and comes out as 1: no pull, where there is one."""
    e, ridge = 2.0**-30, 2.0**-70
    found = gap([1 + e], [1.0], ridge, 1 - e, None, loss)
    f, w, r = Fraction(1 + e), Fraction(1 - e), Fraction(ridge)
    gradient = r * w - (1 - f * w) * f
    assert Fraction(found) >= gradient**2 / (2 * r)


# ---- what is told of the steps ----


def test_a_state_begins_at_the_weights_that_it_is_given():
    w = RNG.normal(size=(3, 2))
    state = Steps.at(w, 2.0, 40, 10)
    assert state.average(2.0) == pytest.approx(w)
    # After step t the iterate is S n / (ridge t).
    assert 10 * state.total / (2.0 * 40) == pytest.approx(w)


def test_a_fit_counts_the_steps_of_all_its_passes():
    model = SubspaceClassifier(1.0, solver="coordinates", **LINEAR, tol=1e-9)
    model.fit(F, SIGNS)
    assert model.n_iter_ > 1 and model._steps.steps == len(F) * model.n_iter_
    assert model._steps.average(1.0)[:, 0] == pytest.approx(model.coef_)


@pytest.mark.parametrize(
    ("loss", "score"), [("hinge", 3 / 2), ("logistic", 3 / 4), ("square", 3 / 5)]
)
def test_the_weight_of_a_chunk_is_that_of_its_losses(loss, score):
    """One point 1 with the weight 3 and the ridge 2: the first step, by hand."""
    model = SubspaceClassifier(2.0, loss=loss, **LINEAR)
    model.partial_fit([[1.0]], [1], classes=[0, 1], sample_weight=[3.0])
    assert model.decision_function([[1.0]]) == pytest.approx([score])


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_the_ridge_of_a_chunk_is_that_of_all_points_so_far(loss):
    """Two chunks of a point at 1: the steps go by 1 / ridge over all that were seen."""
    model = SubspaceClassifier(2.0, loss=loss, **LINEAR)
    for _ in range(2):
        model.partial_fit([[1.0]], [1], classes=[0, 1])
    first = 1 / 2 if loss == "hinge" else 1 / 4
    # Before its step the second point sees 2 S / (ridge t) with S = 1 or 1/2.
    seen = 2 * first
    added = float(seen < 1) if loss == "hinge" else 1 / (1 + math.exp(seen))
    S = 2 * first + added
    # The weighed mean of S and of both, times 2 points over the ridge and 1 + 2.
    expected = (2 * first + S) * 2 / (2 * 3)
    assert model.decision_function([[1.0]]) == pytest.approx([expected])


def test_the_dual_point_of_pegasos_weighs_later_passes_more():
    problem = Problem(F, SIGNS[:, None], np.ones(len(F)), 3.0, "hinge")
    bar = counter("points", 1)
    _, _, told, *_ = _pegasos.pegasos(problem, 1e-12, 3, np.random.default_rng(1), bar)
    state, rng = Steps.none(4, 1).of_points(len(F)), np.random.default_rng(1)
    passes = []
    for _ in range(3):
        state, added = _pegasos.pegasos_pass(problem, state, rng, bar)
        passes.append(added)
    dual = np.average(passes, axis=0, weights=[1, 2, 3])
    expected = _margins.certified(problem, state.average(3.0), dual)[1]
    assert told == pytest.approx(expected)


# ---- tol and the best pass ----


@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-5])
def test_newton_stops_where_the_gap_is_small_enough_and_not_before(tol):
    model = SubspaceClassifier(0.01, loss="logistic", tol=tol, **LINEAR)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(F, SIGNS)
    assert model.duality_gap_ <= tol * len(F) * math.log(2)


def test_a_worse_pass_does_not_replace_the_best_one():
    problem = Problem(F, SIGNS[:, None], np.ones(len(F)), 3.0, "hinge")
    bar, rng = counter("points", 1), np.random.default_rng(0)
    w, value, gap, _ = _coordinates.coordinates(problem, 1e-9, 100, rng, bar)
    zero = np.zeros_like(w)
    kept, v, _ = _coordinates._told(problem, (w, value, gap), zero_dual(), zero)
    assert (kept[0] == w).all() and (kept[1:] == np.stack([value, gap])).all()
    # The steps go on from where they are, all the same.
    assert (v == 0).all()
    again = _coordinates._told(problem, (zero, value, gap + 1e9), zero_dual(), zero)
    assert again[0][2] < 1e9


def zero_dual():
    return np.zeros((60, 1))


def test_scores_are_clipped_at_the_logarithm_of_the_points():
    for loss, most in (("hinge", 1.0), ("square", 1.0), ("logistic", math.log(60))):
        model = SubspaceClassifier(1.0, loss=loss, **LINEAR).fit(F, SIGNS)
        assert model.clipped(1e3 * F[:1]) == pytest.approx(
            most * np.sign(model.decision_function(F[:1]))
        )
    model.partial_fit(F[:20], SIGNS[:20])
    assert np.abs(model.clipped(1e3 * F)).max() == pytest.approx(math.log(80))


def test_a_score_of_zero_is_the_first_class_as_in_scikit_learn():
    model = SubspaceClassifier(kernel="linear").fit([[1.0], [-1.0]], ["b", "a"])
    assert model.predict([[0.0]]) == ["a"]
