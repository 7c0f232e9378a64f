"""The experiments of the chapter on coherence, and its figures."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import lowrank, style
from nystheory.chapters.coherence import chosen, figures
from nystheory.chapters.coherence import recovery as experiments
from nystheory.engine.worlds.clusters import Clusters


def test_chances_are_those_of_all_samples():
    case = Clusters.of_ones((2, 2, 2), 1, origin=1)
    X = experiments.points_of(case)
    K = X @ X.T
    for count in (1, 3, 4, 6):
        made = [lowrank.nystrom(K, S) for S in combinations(range(7), count)]
        share = np.mean([each.error(K) < 1e-9 for each in made])
        assert experiments.chances(case, [count])[0] == pytest.approx(share)


def test_errors_are_those_of_stored_matrices():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 6))
    low = experiments.leading(X @ X.T, 4)
    K = (low.vectors * low.values) @ low.vectors.T
    for _ in range(3):
        order = rng.permutation(30)
        for count in (2, 3, 4, 9):
            error = lowrank.nystrom(K, order[:count]).error(K) / np.linalg.norm(K)
            found = low.error(order[:count])
            assert found == pytest.approx(100 * error, abs=1e-6)
            assert (found == 0) is (count >= 4)


def test_reach_counts_points():
    U = np.zeros((6, 2))
    U[0, 0], U[1:5, 1] = 1, 0.5
    low = experiments.LowRankMatrix(np.ones(2), U)
    assert low.reach.tolist() == [1, 4]
    assert (low.n, round(low.M, 9)) == (6, 6)


@pytest.mark.parametrize(("vectors", "target"), [("one_spike", 3.0), ("groups", 4)])
def test_chosen_vectors_are_orthonormal(vectors, target):
    U = getattr(chosen, vectors)(40, 5, target, np.random.default_rng(0))
    np.testing.assert_allclose(U.T @ U, np.eye(40), atol=1e-12)
    wanted = target if vectors == "one_spike" else np.sqrt(40 / target)
    assert np.sqrt(40) * np.abs(U[:, 0]).max() == pytest.approx(wanted)


def test_bounds_against_matrices_that_are_formed():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((25, 8)) * 2.0 ** -np.arange(8)
    K = X @ X.T + 0.01 * np.eye(25)
    of, order = chosen.Split.of(K, 2), rng.permutation(25)
    values, U = np.linalg.eigh(K)
    values, U = values[::-1], U[:, ::-1]
    S = order[:6]
    G = np.sqrt(values[2:])[:, None] * U[S, 2:].T @ np.linalg.pinv(U[S, :2].T)
    tail = values[2:].sum()
    assert of.tail == pytest.approx(tail)
    bound = chosen.structural_bound(of, order, 6, rng)
    assert bound == pytest.approx(1 + np.sum(G**2) / tail)
    error = np.trace(K - K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S]))
    missed = chosen.uniform_columns(of, order, 6, rng)
    assert missed == pytest.approx(error / tail) and missed <= bound


def test_figures_draw():
    figure, axes = style.panels(2)
    figures.draw_chances(axes[0], {"flat": (np.ones(2), np.zeros(2))}, [1, 2])
    figures.draw_failure(axes[1], [1, 2], [0.5, 0.1], [1, 0.2], 2)
    assert axes[0].get_legend_handles_labels()[1] == ["flat"]
    assert figure._repr_mimebundle_()[0]["image/png"].startswith(b"\x89PNG")
