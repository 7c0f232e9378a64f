"""Logistic regression and its steps, by hand."""

import re
from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters.newton_with_few_columns.theorems import quantities
from nystheory.chapters.newton_with_few_columns.theorems.logistic import (
    CONVEX,
    LIKELIHOOD,
)
from nystheory.chapters.newton_with_few_columns.theorems.quantities import Logistic
from nystheory.chapters.newton_with_few_columns.theorems.steps import (
    NEWTON,
    NYSTROM_NEWTON,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds.instances import Instance


def told(theorem, line, case):
    """The value of a line in the symbols of a theorem."""
    return reader(theorem, case).value(parse(line)).value


def measured(case, name):
    return case.measured(Logistic.quantities[name]).value


def route(name):
    """The exact route of a quantity of this world."""
    return exact.ROUTES[f"Logistic.{name}"]


LOG_3 = log(3)
ALL = LIKELIHOOD, CONVEX, NEWTON, NYSTROM_NEWTON


# One point with the feature 1 and the label 1; the weight log 3 gives the chance 3/4.
def one(alpha, w=LOG_3):
    given = {"features": np.ones((1, 1)), "labels": np.ones(1), "alpha": float(alpha)}
    given |= {"w": np.array([w]), "other_w": np.zeros(1)}
    return Logistic(np.eye(1), [0], 1, **given)


def test_likelihood_by_hand():
    for theorem in (LIKELIHOOD, CONVEX, NEWTON):
        assert told(theorem, "sigmoid", one(1)) == pytest.approx(0.75)
    line = quantities.likelihood("w")
    assert told(LIKELIHOOD, line, one(1)) == pytest.approx(log(3 / 4))


def test_loss_and_slope_by_hand():
    assert told(CONVEX, "loss", one(2)) == pytest.approx(log(3) ** 2 - log(3 / 4))
    assert told(CONVEX, "gradient", one(2)) == pytest.approx(2 * log(3) - 1 / 4)
    # The second derivative at 0 is 1 + 1/4.
    assert told(NEWTON, "hessian", one(1, w=0.0)) == pytest.approx(5 / 4)


def test_newton_step_by_hand():
    """H = 2 + 3/16, and the step leads to (3 log 3 + 4) / 35."""
    claim = NEWTON.claims["step"]
    right = compare(claim, reader(NEWTON, one(2)))
    assert right.decided and not right.violated
    left = told(NEWTON, "w - inv(hessian) @ gradient", one(2))
    assert left == pytest.approx((3 * log(3) + 4) / 35)
    printed = NEWTON.printed["lambda"].line.split(" == ")[1]
    assert told(NEWTON, printed, one(2)) == pytest.approx((6 * log(3) + 4) / 35)
    assert told(NEWTON, printed, one(1)) == pytest.approx(
        told(NEWTON, "w - inv(hessian) @ gradient", one(1))
    )


def test_third_derivative_of_the_loss():
    """Of s (1 - s) (1 - 2 s) the largest modulus is 1 / (6 sqrt 3)."""
    t = np.linspace(-5, 5, 10001)
    s = 1 / (1 + np.exp(-t))
    largest = np.abs(s * (1 - s) * (1 - 2 * s)).max()
    assert largest == pytest.approx(1 / (6 * sqrt(3)), rel=1e-6)


def test_minimiser_by_both_routes():
    """Of w^2 / 2 + log(1 + e^-w): w = 1 / (1 + e^w)."""
    w = measured(one(1), "minimiser")
    assert w == pytest.approx(1 / (1 + exp(w[0])))
    case = exact.Case.of(**one(1).in_fractions())
    (ball,) = route("minimiser")(case)
    assert abs(float(ball.mid()) - w[0]) < 1e-14 and float(ball.rad()) < 1e-12


def test_a_ridge_of_zero_has_no_minimiser():
    assert quantities.minimiser(one(0)) is None
    case = exact.Case.of(**one(0).in_fractions())
    with pytest.raises(exact.balls.Unknown, match="without a ridge"):
        route("minimiser")(case)


def test_a_feature_that_is_not_sampled_by_hand():
    """X = I, labels 1, the first sampled: the second weight grows by a share of s'."""
    case = NYSTROM_NEWTON.controls["a feature missed"].on
    w, image = (measured(case, name) for name in ("minimiser", "printed_image"))
    s = 1 / (1 + exp(-w[1]))
    assert image == pytest.approx(w * [1, 1 + s * (1 - s)])
    assert measured(case, "approximate_T") == pytest.approx(np.diag([0.25, 0]))


def test_dependent_rows_add_nothing():
    rows = [[1, 2], [2, 4], [0, 1]]
    given = {"features": rows, "labels": [0, 1], "w": [0, 0, 0], "alpha": Fraction(1)}
    cases = (
        exact.Case.of([*S], len(S), matrix=np.eye(3).tolist(), given=given)
        for S in ((0,), (0, 1))
    )
    first, both = (route("approximate_T")(case) for case in cases)
    assert all(
        a.overlaps(b) for a, b in zip(first.entries(), both.entries(), strict=True)
    )


@pytest.mark.parametrize("theorem", ALL, ids=lambda theorem: theorem.id)
def test_labels_are_those_of_the_setting(theorem):
    """Zero and one, in the words and in the instances."""
    assert re.findall(r"\\\{(.*?)\\\}", theorem.setting) == ["0, 1"]
    rng = np.random.default_rng(0)
    given = Instance(np.eye(2), [0], 1)
    drawn = [theorem.world.completed(given, rng).labels for _ in range(50)]
    assert {*np.concatenate(drawn)} == {0, 1}


@pytest.mark.parametrize("theorem", ALL, ids=lambda theorem: theorem.id)
def test_a_control_changes_by_what_its_name_says(theorem):
    words = {"nine tenths": "0.9", "half": "/ 2", "a seventh": "/ 7", "twice": "2 *"}
    for name, control in theorem.controls.items():
        said = re.findall(r"\d+\.\d+", name)
        said += [number for word, number in words.items() if word in name]
        new = " ".join(control.change.values())
        assert all(number in new for number in said), name
        assert {*re.findall(r"\d+\.\d+", new)} <= {*said}, name
