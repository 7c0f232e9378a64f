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
    found = low.errors([2, 3, 4, 9], 3, np.random.default_rng(2))
    again = np.random.default_rng(2)
    for draw in range(3):
        order = again.permutation(30)
        for at, count in enumerate((2, 3, 4, 9)):
            error = lowrank.nystrom(K, order[:count]).error(K) / np.linalg.norm(K)
            assert found[at, draw] == pytest.approx(100 * error, abs=1e-6)
    assert (found[2:] == 0).all() and (found[:2] > 1e-3).all()


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


def test_synthetic_errors_stay_above_the_best():
    made = chosen.synthetic(
        chosen.one_spike, (None, 5.0), (0.9,), (6, 12), n=40, k=6, matrices=2, draws=2
    )
    for target in (None, 5.0):
        assert (made.errors[0.9, target] >= made.best[0.9]).all()
    full = chosen.synthetic(
        *(chosen.one_spike, (5.0,), (0.9,), (12,)),
        **{"n": 40, "k": 6, "matrices": 2, "draws": 2, "truncate": False},
    )
    assert full.errors[0.9, 5.0][0] < made.errors[0.9, 5.0][1]


def test_promises_against_matrices_that_are_formed():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((25, 8)) * 2.0 ** -np.arange(8)
    K = X @ X.T + 0.01 * np.eye(25)
    made = chosen.promises(K, 2, [6, 20], 3, delta=0.5)
    values, U = np.linalg.eigh(K)
    values, U = values[::-1], U[:, ::-1]
    S = np.random.default_rng(0).choice(25, 6, replace=False)
    G = np.sqrt(values[2:])[:, None] * U[S, 2:].T @ np.linalg.pinv(U[S, :2].T)
    tail = values[2:].sum()
    assert made.structural[0, 0] == pytest.approx(1 + np.sum(G**2) / tail)
    error = np.trace(K - K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S]))
    assert made.found[0, 0] == pytest.approx(error / tail)
    assert (made.found <= made.structural + 1e-12).all()


def test_figures_draw():
    figure, axes = style.panels(5)
    K = {"flat": experiments.leading(np.ones((5, 5)) + np.eye(5), 1)}
    figures.draw_coherences(axes[0], K)
    figures.draw_growth(axes[1], [2, 5], {"flat": np.ones((2, 2))})
    figures.draw_recovery(axes[2], [1, 2], {"flat": np.eye(2)})
    figures.draw_failure(axes[3], [1, 2], [0.5, 0.1], [1, 0.2], 2)
    figures.draw_promises(axes[4], chosen.promises(np.eye(6) + 1, 1, [2, 5], 2))
    assert axes[0].get_yticklabels()[0].get_text() == "flat"
    assert figure._repr_mimebundle_()[0]["image/png"].startswith(b"\x89PNG")
