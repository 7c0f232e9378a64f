"""What the theorems of the chapter speak of, by hand on small cases."""

from itertools import product

import numpy as np
import pytest

from nystheory import sampling
from nystheory.chapters.random_subspaces.theorems.drawn_data import (
    PROPOSITION_23,
    DrawnData,
)
from nystheory.chapters.random_subspaces.theorems.embedding import EMBEDDING, Embedded
from nystheory.chapters.random_subspaces.theorems.estimated_scores import (
    ESTIMATED,
    Weighed,
)
from nystheory.chapters.random_subspaces.theorems.leverage import DEFINITIONS
from nystheory.chapters.random_subspaces.theorems.projection_error import (
    LEMMA_22,
    Witnessed,
)
from nystheory.chapters.random_subspaces.theorems.projection_step import (
    PROJECTION_STEP,
    FinitePopulation,
)
from nystheory.chapters.random_subspaces.theorems.subspaces import Subspace
from nystheory.chapters.random_subspaces.theorems.too_few_columns import (
    TOO_FEW_COLUMNS,
    RareDirection,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader


def of(theorem, line, case):
    """A line in the quantities of a theorem, on a case."""
    return reader(theorem, case).value(parse(line)).value


def measured(case, name):
    return case.measured(case.quantities[name]).value


def points(seed=0, N=3, n=6):
    return np.random.default_rng(seed).standard_normal((N, n))


# --- Leverage and what a span misses --------------------------------------------------


def test_leverage_and_the_missed_part_by_hand():
    # Two axes, the first sampled: eigenvalues 1/2 of the covariance.
    case = Subspace.from_points(np.eye(2), [0], 1, alpha=0.25)
    assert of(DEFINITIONS, "leverage", case) == pytest.approx([2 / 3, 2 / 3])
    assert of(DEFINITIONS, "missed", case) == pytest.approx(0.75)
    assert measured(case, "norm_E") == pytest.approx(1.0)


def test_the_missed_part_is_a_squared_norm():
    X = points()
    case = Subspace.from_points(X, [0, 3], 2, alpha=0.3)
    values, V = np.linalg.eigh(X @ X.T / 6 + 0.3 * np.eye(3))
    root = (V * np.sqrt(values)) @ V.T
    Q = np.linalg.qr(X[:, [0, 3]])[0]
    left = root @ (np.eye(3) - Q @ Q.T)
    assert of(DEFINITIONS, "missed", case) == pytest.approx(
        np.linalg.norm(left, 2) ** 2
    )


def test_a_score_is_what_ridge_regression_gives_a_point_of_its_own_label():
    X, alpha = points(), 0.2
    case = Subspace.from_points(X, [0], 1, alpha=alpha)
    K = X.T @ X
    fitted = [
        K[i] @ np.linalg.solve(K + 6 * alpha * np.eye(6), np.eye(6)[i])
        for i in range(6)
    ]
    assert of(DEFINITIONS, "leverage", case) == pytest.approx(fitted)


# --- The embedding --------------------------------------------------------------------


def test_the_root_of_the_core_by_hand():
    case = Embedded.from_points(np.diag([2.0, 1.0]), [0, 0], 1)
    # W has the entries 4, and the one eigenvalue 8.
    assert measured(case, "inverse_root") == pytest.approx(
        np.full((2, 2), 1 / (2 * np.sqrt(8)))
    )


def test_the_weights_of_a_function_make_its_values_and_norm():
    X, v = points(1), np.array([[1.0], [-2.0], [0.5]])
    case = Embedded.from_points(X, [1, 4], 2, v=v, alpha=0.1)
    Q = np.linalg.qr(X[:, [1, 4]])[0]
    w = of(EMBEDDING, "w", case)
    assert np.linalg.norm(w) == pytest.approx(np.linalg.norm(Q.T @ v))
    assert of(EMBEDDING, "embedded @ w", case) == pytest.approx(X.T @ Q @ Q.T @ v)


# --- Projection -----------------------------------------------------------------------


def test_risks_by_hand():
    case = FinitePopulation(
        X=np.eye(2), q=[1, 3], y=[1, -1], B=[[1], [0]], w=[0.5, 2.0], slope=2.0
    )
    told = {
        "hinge_risk": 2 * (0.25 * 0.5 + 0.75 * 3),
        "hinge_projected": 2 * (0.25 * 0.5 + 0.75 * 1),
        "absolute_risk": 2 * (0.25 * 0.5 + 0.75 * 3),
        "logistic_projected": 2 * (0.25 * np.log1p(np.exp(-0.5)) + 0.75 * np.log(2)),
        "norm_missed": np.sqrt(0.75),
        "least_square": 0.0,
        "projected_square": 0.75,
    }
    for line, expected in told.items():
        assert of(PROJECTION_STEP, line, case) == pytest.approx(expected), line


# --- A span that misses little --------------------------------------------------------


def test_the_ridge_of_a_drawn_case_is_just_large_enough():
    rng = np.random.default_rng(3)
    for _ in range(20):
        case = Witnessed.drawn(Witnessed.from_points(points(2), [0, 2], 1), rng)
        X, n = case.points, case.n
        T = X[:, [0, 2]] @ case.witness
        S = X @ X.T / n
        lacking = case.beta * (S + case.alpha * np.eye(3)) - S + T @ T.T
        assert np.linalg.eigvalsh(lacking)[0] >= -1e-12
        assert of(LEMMA_22, "missed", case) <= case.alpha / (1 - case.beta) + 1e-12


# --- Drawn data -----------------------------------------------------------------------


def test_mean_dimension_over_all_data_by_hand():
    # The population has the points 1 and 0 on an axis; of two data 0, 1 or 2 are ones.
    case = DrawnData(X=np.array([[1.0, 0.0]]), n=2, picked=[0, 1], B=[[1.0]], alpha=1.0)
    found = [
        of(PROPOSITION_23, "d_data", case.but(picked=list(S)))
        for S in product((0, 1), repeat=2)
    ]
    assert np.mean(found) == pytest.approx((0 + 2 * (1 / 3) + 1 / 2) / 4)
    assert of(PROPOSITION_23, "d_population", case) == pytest.approx(1 / 3)
    assert of(PROPOSITION_23, "counted", case) == pytest.approx(1 / 2)


# --- Estimated scores -----------------------------------------------------------------


def test_estimated_scores_by_hand():
    # Two axes, the first drawn twice of two uniform draws: its weight is 1.
    case = Weighed.from_points(
        np.eye(2),
        [0, 0],
        1,
        probabilities=[0.5, 0.5],
        alpha=0.5,
        t=0.5,
        v=np.array([[1.0], [0.0]]),
    )
    assert measured(case, "of_sample") == pytest.approx(np.diag([1.0, 0.0]))
    assert of(ESTIMATED, "estimate", case) == pytest.approx([1 / 3, 1])
    assert of(ESTIMATED, "scores", case) == pytest.approx([1 / 2, 1 / 2])
    assert measured(case, "seen_by_J") == pytest.approx(1.0)
    assert measured(case, "seen_by_all") == pytest.approx(0.5)


def test_bless_estimates_scores_by_this_formula_and_they_are_near():
    X = np.random.default_rng(0).standard_normal((3, 300))
    K = np.exp(-((X[:, :, None] - X[:, None]) ** 2).sum(axis=0) / 2)
    ridge, rng = 3.0, np.random.default_rng(1)
    exact = np.diag(K @ np.linalg.inv(K + ridge * np.eye(300)))
    drawn = sampling.bless(K, None, rng, alpha=ridge)
    J, A = drawn.indices, np.diag(1 / drawn.weights)
    missing = K[:, J] @ np.linalg.solve(K[np.ix_(J, J)] + ridge * A, K[J])
    estimated = (np.diag(K) - np.diag(missing)) / ridge
    # The covariance of the weighted sample, in the coordinates of K's root.
    values, V = np.linalg.eigh(K)
    root = np.sqrt(np.maximum(values, 0))[:, None] * V.T
    of_sample = (root[:, J] * drawn.weights) @ root[:, J].T
    half = np.linalg.inv(np.linalg.cholesky(K + ridge * np.eye(300)))
    ridged = np.diag(np.maximum(values, 0)) + ridge * np.eye(300)
    half = np.linalg.inv(np.linalg.cholesky(ridged))
    moved = half @ (of_sample + ridge * np.eye(300)) @ half.T
    low, high = np.linalg.eigvalsh(moved)[[0, -1]]
    ratio = estimated / exact
    assert 1 / high - 1e-9 <= ratio.min() and ratio.max() <= 1 / low + 1e-9
    assert 0.4 < ratio.min() and ratio.max() < 2.5


# --- Too few columns ------------------------------------------------------------------


def test_a_rare_direction_by_hand():
    parts = {"a": [1.0, 2.0], "B": [[1.0], [1.0], [0.0]], "delta": 0.5}
    case = RareDirection(r=3, s=2, m=2, picked=[1, 1], alpha=0.2, **parts)
    assert measured(case, "masses") == pytest.approx([0.2, 0.4, 0.4])
    assert measured(case, "hits") == 0
    # The values of the function are 0, 3 and 0.
    assert of(TOO_FEW_COLUMNS, "hinge", case) == pytest.approx(0.6)
    assert of(TOO_FEW_COLUMNS, "square", case) == pytest.approx(0.2 + 4 * 0.4 + 0.4)
    assert of(TOO_FEW_COLUMNS, "d", case) == pytest.approx(1 / 2 + 2 * 2 / 3)
    assert of(TOO_FEW_COLUMNS, "share", case) == pytest.approx(0.5 / (0.5 + 4 / 3))


def test_draws_by_how_often_the_rare_direction_comes():
    case = RareDirection(
        r=2, s=3, m=2, picked=[0, 0], alpha=0.25, a=[1, 1], B=[[1]] * 2
    )
    chances = [p for p, _ in case.outcomes("by_masses")]
    assert chances == pytest.approx([9 / 16, 6 / 16, 1 / 16])
    # Leverage 1/2 of the rare direction and 3/4 of the other.
    rare = 2 / 5
    chances = [p for p, _ in case.outcomes("by_leverage")]
    assert chances == pytest.approx([(1 - rare) ** 2, 2 * rare * (1 - rare), rare**2])


def test_no_subspace_fits_signs_better_in_the_mean():
    B = np.random.default_rng(0).standard_normal((4, 2))
    P = B @ np.linalg.pinv(B)
    left = [np.sum((y - P @ y) ** 2) for y in map(np.array, product((-1, 1), repeat=4))]
    assert np.mean(left) == pytest.approx(2.0)
