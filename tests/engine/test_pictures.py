"""Pictures of landmarks are those of the schemes."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings import schemes
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.report import pictures
from nystheory.engine.report.artists import by_look, words

PICTURED = ("uniform", "incomplete_cholesky", "kmeans", "rp_cholesky")


def test_picks_are_those_of_the_schemes():
    X = uneven_clusters((30, 10))
    assert X.shape == (40, 2)
    plane = kernels.rbf(X, gamma=0.5)
    picks = pictures.picks(plane, PICTURED, 4, seed=0, draws=2)
    assert [pick.name for pick in picks] == [schemes.ALL[name] for name in PICTURED]
    pivots = sampling.incomplete_cholesky(plane, 4)
    icl = next(pick for pick in picks if pick.name == "ICL")
    np.testing.assert_array_equal(icl.places, X[pivots.indices])
    share = lowrank.nystrom(plane, pivots).error(plane, "trace") / 40
    assert icl.missed == pytest.approx(share)


def test_what_is_missed_is_the_mean_over_the_draws():
    X = uneven_clusters((30, 10))
    plane, K = kernels.rbf(X, gamma=0.5), np.exp(-0.5 * cdist(X, X) ** 2)
    (pick,) = pictures.picks(plane, ["uniform"], 4, seed=7, draws=3)
    missed = []
    for draw in range(3):
        S = sampling.uniform(plane, 4, np.random.default_rng([7, draw])).indices
        C = K[:, S]
        missed.append(1 - np.trace(C @ np.linalg.solve(C[S], C.T)) / 40)
    assert max(missed) > 1.1 * min(missed)
    assert pick.missed == pytest.approx(np.mean(missed), rel=1e-6)


def test_each_panel_has_its_landmarks_over_all_points():
    X = uneven_clusters((20, 5))
    picks = [pictures.Pick("Uniform", X[:3], 0.25), pictures.Pick("SGMA", X[4:9], 0.1)]
    panels = pictures.draw_picks(X, picks, columns=2).axes
    for axes, pick in zip(panels, picks, strict=True):
        (grey, every), (orange, landmarks) = sorted(by_look(axes).items())
        assert grey.startswith("grey") and orange.startswith("orange")
        assert np.array_equal(every.T, X) and np.array_equal(landmarks.T, pick.places)
    texts = [words(axes)[:3] for axes in panels]
    assert texts == [("$x_1$", "$x_2$", "Uniform: 25 %"), ("$x_1$", "", "SGMA: 10 %")]
