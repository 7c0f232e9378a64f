"""Kernel principal components, by hand."""

import re

import numpy as np
import pytest

from nystheory.chapters.kernel_principal_components.theorems.expected_residual import (
    APPROXIMATE,
    EXPECTED,
    compressed,
)
from nystheory.chapters.kernel_principal_components.theorems.residuals import (
    RESIDUALS,
    left_out,
)
from nystheory.chapters.kernel_principal_components.theorems.sampled_subspaces import (
    BOTH,
    CONVERGENCE,
)
from nystheory.chapters.kernel_principal_components.theorems.subspaces import (
    PERTURBATION,
    directions,
)
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.worlds.instances import Instance


def measured(case, name):
    return case.measured(case.quantities[name]).value


def test_residual_by_hand():
    # Squares 9 and 1 along two axes, mean over two points, one direction.
    assert left_out(np.diag([3.0, 1.0]), 1) == pytest.approx(0.5)
    assert left_out(np.diag([3.0, 1.0]), 2) == pytest.approx(0)
    assert RESIDUALS.bound(k=1, n=4, change_2=2.0, claim="bound") == 1.5


def test_a_compressed_sample_is_the_sample():
    rng = np.random.default_rng(0)
    X, S = rng.standard_normal((3, 5)), [0, 2, 2, 4, 2]
    drawn, whole = compressed(X, S), X[:, S]
    assert drawn.shape == (3, 3)
    assert drawn @ drawn.T == pytest.approx(whole @ whole.T)


def test_directions_by_hand():
    assert directions(np.array([[1.0, -1.0], [1.0, -1.0]]), 2) == pytest.approx(
        np.full((2, 2), 0.5)
    )
    # Three points on the first axis and one on the second; the sample has the latter.
    X = np.array([[1.0, 1, 1, 0], [0, 0, 0, 1]])
    case = Instance.from_points(X, [3], 1)
    assert measured(case, "half_gap") == pytest.approx(1)
    apart = measured(case, "components") - measured(case, "sample_components")
    assert np.linalg.norm(apart) == pytest.approx(np.sqrt(2))


@pytest.mark.parametrize("theorem", [PERTURBATION, CONVERGENCE, BOTH])
def test_the_gap_of_the_setting_is_that_of_the_quantity(theorem):
    told = r"\\Delta_k = \\frac(\d)(\d) \(\\sigma_k - \\sigma_\{k\+1\}\)"
    [(above, below)] = re.findall(told, theorem.setting)
    case = Instance.from_points(np.diag([3.0, 1.0]), [0], 1)  # eigenvalues 9 and 1
    assert measured(case, "half_gap") == pytest.approx(8 * int(above) / int(below))


def test_a_point_drawn_twice_has_one_direction():
    case = Instance.from_points(np.array([[1.0, 1], [0, 1]]), [0, 0], 2)
    P, X = measured(case, "projector"), case.points
    assert np.diag(X.T @ P @ X) == pytest.approx([1, 1])
    by_columns = case.C @ measured(case, "core_inverse") @ case.C.T
    assert np.diag(by_columns) == pytest.approx([1, 1])


@pytest.mark.parametrize("squared, smaller", [(1.0, "sharper"), (0.01, "as printed")])
def test_which_bound_is_the_smaller_one(squared, smaller):
    """With points of one length that without signs; else the lengths can tell more."""
    known = {"K_max": 1.0, "k": 50, "l": 100, "delta": 0.1, "sample_change_2": 0.0}
    W = squared * np.eye(100)
    found = {
        "as printed": APPROXIMATE.bound(claim="as printed", W=W, **known),
        "sharper": APPROXIMATE.bound(claim="sharper", **known),
    }
    assert min(found, key=found.get) == smaller


def test_chances_by_hand():
    # One of ten points on the second axis: a sample of two has both with chance 0.18.
    case = EXPECTED.controls["half of it"].on
    parts = [
        (p, measured(o, "sample_residual")) for p, o in case.outcomes("replaced_counts")
    ]
    assert sum(p for p, x in parts if x > 0) == pytest.approx(0.18)
    assert {round(x, 9) for _, x in parts} == {0, 0.5}


def printed_case(theorem):
    return theorem.printed["any feature maps"].on


def test_the_counterexample_meets_what_the_source_asks_for():
    case = printed_case(PERTURBATION)
    X, Y = case.points, case.other_points
    assert X.mean(axis=1) == pytest.approx(0)
    values = np.linalg.svd(X, compute_uv=False) ** 2
    assert values[0] > values[1] > 0
    assert measured(case, "change_F") <= measured(case, "half_gap") / 2
    # The features are those of the Nyström method, and of its matrix.
    assert case.measured(case.quantities["projected"]) is True
    assert Y.T @ Y == pytest.approx(case.full.approximation)
    apart = np.linalg.norm(
        measured(case, "components") - measured(case, "other_components")
    )
    assert apart > 7 * measured(case, "change_F") / measured(case, "half_gap")


def test_the_law_of_the_counterexample_meets_what_the_source_asks_for():
    case = printed_case(BOTH)
    assert case.points.mean(axis=1) == pytest.approx(0)
    known = {"K_max": 1.1225, "half_gap": measured(case, "half_gap"), "n": 8}
    assert measured(case, "K_max") == pytest.approx(1.1225)
    assert case.delta == 0.05  # a chance that somebody would ask for
    B = CONVERGENCE.bound(claim="as printed", l=1, delta=0.05, **known)
    assert case.l >= B**2
    # Points that differ by their sign are one group: nothing that is measured changes.
    turned = case.but(landmarks=[1, 3, 3]), case.but(landmarks=[0, 2, 2])
    for name in ("sample_change_F", "sample_half_gap", "other_sample_components"):
        first, second = (measured(each, name) for each in turned)
        assert first == pytest.approx(second)


def test_a_sample_of_one_point_has_its_direction():
    claim = CONVERGENCE.claims["every size"]
    case = CONVERGENCE.controls["a fifth"].on
    found = over_samples(CONVERGENCE, claim, case, None, 2).comparison
    assert found.observed == 0
