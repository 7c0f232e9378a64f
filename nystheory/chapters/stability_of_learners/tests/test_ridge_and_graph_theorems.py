"""Ridge regression and labels on a graph, by hand."""

import numpy as np
import pytest

from nystheory.chapters.stability_of_learners.theorems.graph_stability import (
    GRAPH_STABILITY,
    laplacian_of,
    spread_labels,
)
from nystheory.chapters.stability_of_learners.theorems.nystrom_ridge import (
    NYSTROM_RIDGE,
)
from nystheory.chapters.stability_of_learners.theorems.ridge_stability import (
    RIDGE_STABILITY,
    TwoRidges,
    change_of_ridge,
    worst_labels,
)
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import value


def measured(case, name):
    return case.measured(case.quantities[name]).value


# --- Ridge regression -----------------------------------------------------------------


def two_points(**given):
    """K = diag(1, 3), K' = diag(1, 1), ridge 1 and labels 2 and 4."""
    known = {"other": np.eye(2), "alpha": 1.0, "y": np.array([[2.0], [4.0]])}
    return TwoRidges(np.diag([1.0, 3]), [0], 1, **{**known, **given})


def test_change_by_hand():
    # The second coefficient moves from 1 to 2; the point there has the length root 3.
    assert measured(two_points(), "change_2") == pytest.approx(2)
    assert measured(two_points(), "point_bound") == 3
    assert measured(two_points(), "ridge_change") == pytest.approx(3)
    assert measured(two_points(room=1.0), "ridge_change") == pytest.approx(np.sqrt(12))
    # With the first column alone the second coefficient is 4.
    found = measured(two_points(), "nystrom_ridge_change")
    assert found == pytest.approx(9)


def test_the_largest_change_is_that_at_the_worst_point():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((2, 3, 5))
    y = rng.standard_normal(5)
    moved = change_of_ridge(X.T @ X, Y.T @ Y, y, 0.7, X)
    given = {"alpha": 0.7, "y": y[:, None], "bound_of_points": 2.0}
    case = TwoRidges.from_points(X, [0], 1, other_points=Y, **given)
    found = measured(case, "ridge_change")
    tried = rng.standard_normal((1000, 3))
    tried *= np.sqrt(2) / np.linalg.norm(tried, axis=1, keepdims=True)
    changes = np.abs(tried @ moved)
    assert 0.95 * found < changes.max() <= found * (1 + 1e-12)


def test_bounds_by_hand():
    # lambda_0 = 1/2: 3 * 4 / (1/4 * 2) * 2, and sqrt 3 * 4 / (2 / 8^.5 * 2) * 2.
    known = {"n": 2, "alpha": 1, "point_bound": 3, "largest_label": 4, "change_2": 2}
    assert RIDGE_STABILITY.bound(**known) == pytest.approx(48)
    found = RIDGE_STABILITY.bound(claim="small ridge", **known)
    assert found == pytest.approx(4 * np.sqrt(6))
    more = {"tail_2": 1, "l": 4, "K_max": 3, "delta": np.exp(-2), "k": 1}
    known = {name: x for name, x in known.items() if name != "change_2"}
    found = NYSTROM_RIDGE.bound(**known, **more)
    assert found == pytest.approx(24 * (1 + 2 / 2 * 3 * (np.sqrt(2) + 2)))


def test_labels_that_move_most_are_found_where_all_can_be_tried():
    rng = np.random.default_rng(0)
    for _ in range(20):
        change = rng.standard_normal((1, 6))
        found = np.abs(change @ worst_labels(change, rng))
        assert found == pytest.approx(np.abs(change).sum())


def test_the_worst_of_the_search_is_nearly_the_bound():
    """The search looks for K, K' and labels: what it starts from is not loose."""
    rng, best = np.random.default_rng(5), 0.0
    claim = RIDGE_STABILITY.claims["small ridge"]
    for _ in range(200):
        X = rng.integers(-2, 3, (2, 3)).astype(float)
        case = TwoRidges.completed(Instance.from_points(X, [0], 1), rng)
        best = max(best, compare(claim, reader(RIDGE_STABILITY, case)).ratio)
    assert 0.5 < best <= 1


# --- Labels on a graph ----------------------------------------------------------------


def test_spread_labels_by_hand():
    # On a triangle of weights w with labels 1 and -1: h = y / (3 w n / C_0 + 1).
    for weight in (1.0, 10.0):
        L = laplacian_of(weight * np.ones((3, 3)))
        found = spread_labels(L, [0, 1], np.array([1.0, -1]), 2.0)
        assert found == pytest.approx(np.array([1, -1, 0]) / (3 * weight + 1))


def test_spread_labels_minimise_what_the_setting_says():
    line = r"$h^\top L h + \frac{C_0}{l} \sum_{i \in S} (h_i - y_i)^2$"
    assert line in GRAPH_STABILITY.setting
    rng = np.random.default_rng(2)
    L, S, y = laplacian_of(rng.random((5, 5))), [0, 2, 3], np.array([1.0, -2, 3])
    h = spread_labels(L, S, y, 0.6)
    # Its gradient is the same at all vertices: the h add up to zero.
    gradient = 2 * L @ h
    gradient[S] += 2 * 0.6 / 3 * (h[S] - y)
    assert gradient == pytest.approx(np.full(5, gradient[0]), rel=1e-9)
    assert h.sum() == pytest.approx(0, abs=1e-12)


def test_the_counterexamples_of_the_proposition():
    triangle, cycle = (
        reader(GRAPH_STABILITY, printed.on)
        for printed in GRAPH_STABILITY.printed.values()
    )
    observed = measured(triangle.instance, "graph_change")
    assert observed == pytest.approx(27 / 124 * np.sqrt(2))
    why = GRAPH_STABILITY.printed["max"].why
    assert r"\frac{27}{124} \sqrt 2" in why and r"\frac{27}{841} \sqrt 2" in why
    # l^(3/2) M / C_0 |L' - L| / (30 - 1)^2, as printed with the larger eigenvalue.
    assert value(
        "l ** (3 / 2) * largest_label / label_weight * laplacian_change "
        "/ (l / label_weight * other_lambda_2 - 1) ** 2",
        triangle.instance,
    ) == pytest.approx(27 / 841 * np.sqrt(2))
    assert measured(cycle.instance, "graph_change") == pytest.approx(0.44887, abs=1e-5)
    assert cycle.truth("l / label_weight * lambda_2 < 1") is True
    assert triangle.truth("l / label_weight * lambda_2 > 1") is True


def test_graph_bound_by_hand():
    known = {"label_weight": 2, "largest_label": 1, "l": 2, "laplacian_change": 27}
    found = GRAPH_STABILITY.bound(lambda_2=3, other_lambda_2=30, **known)
    assert found == pytest.approx(2 * 27 / (np.sqrt(2) * 90))


def test_edges_twice_make_the_printed_bound_fail_further():
    """The source's sum over all i and j, if every pair counts twice."""
    y, L = np.array([1.0, -1]), laplacian_of(np.ones((3, 3)))
    once, twice = (
        np.linalg.norm(
            spread_labels(10 * times * L, [0, 1], y, 2.0)
            - spread_labels(times * L, [0, 1], y, 2.0)
        )
        / (np.sqrt(2) * times * 27 / (times * 30 - 1) ** 2)
        for times in (1, 2)
    )
    assert 1 < once < twice
