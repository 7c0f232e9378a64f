"""The experiments in small, by a second route, and their figure read back."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from nystheory import manifold, style
from nystheory.chapters.manifolds import (
    figures,
    findings,
    measures,
    poses,
    rolls,
    spectrum,
)
from nystheory.engine.findings import Trial
from nystheory.engine.findings.experiment import Experiment
from nystheory.engine.findings.found import judged
from nystheory.engine.worlds import matrices

ALL = [each for each in vars(findings).values() if isinstance(each, Experiment)]


def rng():
    return np.random.default_rng(0)


def trial(run, known, told=None):
    return Trial(run, known, told, None, rng())


@pytest.fixture(scope="module")
def heads():
    return measures.heads(200, rng())


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def test_one_neighbour_joins_as_many_as_a_walk_reaches():
    X = rng().standard_normal((40, 2))
    nearest = NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X)[1][:, 1]
    label = np.arange(40)
    for _ in range(40):
        for i, j in enumerate(nearest):
            label[[i, j]] = min(label[i], label[j])
    largest = np.bincount(label).max()
    found = measures.pieces(trial(None, X))["joined"]
    assert found[0] == pytest.approx(100 * largest / 40)
    assert found == sorted(found)


def test_a_limit_leaves_no_more_than_there_was():
    data = measures.roll(400, rng(), noise=1.0)
    free, limited = (measures.bridges(trial(q, data)) for q in (None, 0.95))
    assert all(a >= b for a, b in zip(free["wrong"], limited["wrong"], strict=True))
    assert free["left_out"][1] == 0


def test_losses_are_those_of_distances_between_coordinates(heads):
    known, _ = measures.all_paths(heads, None)
    found = measures.ways(trial(spectrum.NYSTROM, known))
    whole, k = known[1], measures.COORDINATES[0]
    mds = manifold.LandmarkMDS(k)
    with pytest.warns(manifold.NegativeEigenvalues):
        places = mds.fit_transform(
            np.sqrt(whole.squared[:, heads.own]), landmarks=heads.own
        )
    off = whole.squared - cdist(places, places) ** 2
    told = 100 * np.linalg.norm(off) / np.linalg.norm(whole.squared)
    assert found["lost"][0] == pytest.approx(told)
    values = np.linalg.eigvalsh(whole.K)
    share = -values[values < 0].sum() / abs(values).sum()
    assert found["negative"] == pytest.approx(100 * share)


def test_competitors_get_the_same_landmarks_and_their_own_coordinates(heads):
    known, _ = measures.all_paths(heads, None)
    lost = {
        name: measures.ways(trial(each.run, known))["lost"]
        for name, each in findings.CENTRING.competitors.items()
    }
    assert lost["singly"][-1] > lost["doubly"][-1]
    assert lost["positive"][-1] < lost["moduli"][-1]


def test_a_width_is_kept_as_far_as_it_correlates():
    x, y = rng().standard_normal((2, 50))
    told = np.corrcoef(x, y)[0, 1] ** 2
    assert measures.told(x[:, None], y) == pytest.approx(told)


def test_points_move_as_far_as_the_best_turn_leaves_them():
    X = measures.strip(80, rng())
    found = rolls.moved_of([X])
    X = X - X.mean(axis=0)
    graph = manifold.neighbours(X, round(np.sqrt(80))).graph()
    with pytest.warns(manifold.NegativeEigenvalues):
        places = manifold.Isomap(2, method="exact").fit_transform(graph)
    off = matrices.moved(places.T, X.T) / np.linalg.norm(X)
    assert found.moved[0] == pytest.approx(off, rel=1e-4)


def test_a_strip_with_a_hole_has_one():
    X = measures.strip(300, rng(), hole=0.6)
    assert len(X) == 300
    assert (abs(X - (1, 0.5)).max(axis=1) >= 0.3).all()


def test_best_coordinates_keep_distances_best():
    K = measures.matrix(60, rng(), "digits, RBF")
    (_, best), _ = measures.with_best(K, None)
    assert manifold.distance_preservation(K, best, best[:, :3]) > 1e3
    for run in ("Nyström", "Column-sampling"):
        found = measures.preserved(trial(run, (K, best)), 5, 60)
        assert found == pytest.approx(1)


def test_each_method_has_its_coordinates(heads):
    found = [
        measures.coordinates(heads, each.run, 2) for each in poses.METHODS.values()
    ]
    assert all(places.shape == (len(heads.X), 2) for places in found)
    apart = (measures.heads(200, rng(), t=2), "eigenmaps", 2)
    assert len(measures.coordinates(*apart)) == len(apart[0].X) < 200


def test_new_heads_are_seen_by_nobody():
    drawn = measures.heads_and_angles(150, rng())
    known, new = measures.known_and_new(drawn, None)
    assert len(known[0]) == 150 and len(new[0]) == measures.FRESH
    rows = [{tuple(x) for x in X} for X, _ in (known, new)]
    assert not rows[0] & rows[1]
    found = measures.placed(trial("nystrom", known, new))
    assert 0 < found["known"] < 100 and 0 < found["new"] < 150


def test_the_figure_has_the_means_and_the_labels_of_its_fields():
    experiment = replace(findings.MOVES)
    fields, count = (findings.SQUARES, findings.MOVED, findings.BOUND), 3
    draws = {
        data: [
            {"root": {f.name: tuple(rng().uniform(1, 9, count)) for f in fields}}
            for _ in range(10)
        ]
        for data in experiment.data
    }
    found = judged(experiment, draws, {})
    _, (axes,) = style.panels(1)
    figures.draw_moves(axes, found, "strip")
    curves = {line.get_label(): line.get_ydata() for line in axes.lines}
    assert set(curves) == {field.label for field in fields}
    for field in fields:
        told = draws["strip"][0]["root"][field.name]
        assert curves[field.label] == pytest.approx(told)
    assert axes.get_xlabel() == findings.POINTS.label
    table = figures.table_of(found, fields, "strip", ["root"])
    told = draws["strip"][0]["root"]["error"][-1]
    assert table.rows[0] == (findings.SQUARES.axis, f"{told:.1f}")
