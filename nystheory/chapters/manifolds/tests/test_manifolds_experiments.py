"""What the chapter measures, once more by other roads."""

import warnings

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from nystheory import datasets, kernels, manifold
from nystheory.chapters.manifolds import experiments, figures, rolls, spectrum


@pytest.fixture(scope="module")
def heads():
    return experiments.heads(400)


@pytest.fixture
def squared():
    """Squared distances of points in space, and what no points have."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    return cdist(X, X) ** 2


def test_column_coordinates_are_those_of_the_package(squared):
    own = np.array([3, 1, 20, 7, 11, 5])
    far = np.sqrt(squared[:, own])
    mds = manifold.LandmarkMDS(3, method="column-sampling")
    package = mds.fit_transform(far, landmarks=own)
    ours = spectrum.column_coordinates(squared[:, own], own, 3)
    np.testing.assert_allclose(abs(ours), abs(package), atol=1e-6)


def test_one_centring_adds_the_mean_distance(squared):
    own = np.arange(8)
    parts = [
        spectrum.column_coordinates(squared[:, own], own, 8, doubly)
        for doubly in (False, True)
    ]
    # (Y'Y)^2 = (n / l) C C'
    single, double = ((Y @ Y.T) @ (Y @ Y.T) * 8 / 30 for Y in parts)
    mean = -0.5 * (squared[:, own].mean(axis=1) - squared[:8, :8].mean())
    np.testing.assert_allclose(single - double, 8 * np.outer(mean, mean), atol=1e-8)


def test_geodesics_of_a_complete_graph_are_the_distances(squared):
    X = np.random.default_rng(0).standard_normal((30, 3))
    whole = spectrum.spectrum(manifold.neighbours(X, 29).graph())
    np.testing.assert_allclose(whole.squared, squared, atol=1e-10)
    assert whole.negative_share < 1e-10
    found = spectrum.of_all_columns(whole.K, 3)
    for places in found.values():
        assert spectrum.distances_lost(squared, places) < 1e-10


def test_moduli_make_distances_too_large(heads):
    whole = spectrum.spectrum(heads.graph)
    n = len(whole.K)
    moduli = spectrum.of_all_columns(whole.K, n)["all moduli"]
    total = cdist(moduli, moduli, "sqeuclidean").sum()
    negative = -whole.values[whole.values < 0].sum()
    assert total == pytest.approx(whole.squared.sum() + 4 * n * negative)


def test_methods_are_those_of_the_package(heads):
    own = experiments.some_landmarks(400, 60)
    found = experiments.coordinates(heads, 2, own)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in (
            ("Nyström Isomap", "nystrom"),
            ("Column-sampling Isomap", "column-sampling"),
        ):
            isomap = manifold.Isomap(2, method=method, landmarks=own)
            np.testing.assert_allclose(found[name], isomap.fit_transform(heads.graph))
    assert list(found) == list(experiments.PRINTED)


def test_a_graph_that_falls_apart_is_told():
    with pytest.raises(ValueError, match="connected"):
        experiments.heads(400, n_neighbors=1)


def test_shares_are_percent():
    labels = np.repeat([0, 1], 50)
    apart = labels[:, None] * 10.0 + np.linspace(0, 1, 100)[:, None]
    found = experiments.judged(apart, labels, 3)
    assert (found.purity == 100).all() and found.accuracy.max() < 100
    assert all((error == 0).all() for error in found.errors.values())


def test_the_table_has_what_was_printed(heads):
    found = {"PCA": heads.X[:, 400:405], "Nyström Isomap": heads.X[:, 500:509]}
    table = experiments.judged_table(
        experiments.all_judged(found, heads.pose, times=2), experiments.PRINTED
    )
    first, second = table.rows
    assert first[1].endswith("(54.3)") and "(" not in first[3]
    assert second[3].endswith("(11.0)") or second[3].endswith("(11)")


def test_accuracy_of_distances_is_that_of_reconstructed_ones():
    K = kernels.rbf(datasets.digits(60).X)
    sweep = experiments.preserved(K, 4, [4, 60], draws=2)
    np.testing.assert_allclose(sweep.accuracy["Nyström"][1], 1)
    assert (sweep.accuracy["Column-sampling"] < 1.5).all()


def test_the_walk_is_a_path_of_its_length():
    found = rolls.walk(500, 8)
    steps = np.linalg.norm(np.diff(found.X[found.path], axis=0), axis=1)
    assert steps.sum() == pytest.approx(found.along)
    ends = found.X[found.path[[0, -1]]]
    assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(found.straight)


def test_a_spiral_is_as_long_as_its_chords():
    angle = np.linspace(1, 9, 100_001)
    X = angle[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    length = np.linalg.norm(np.diff(X, axis=0), axis=1).sum()
    place = rolls.arc_length(angle)
    assert place[-1] - place[0] == pytest.approx(length)


def test_a_limit_removes_bridges():
    roll = datasets.swiss_roll(1500, np.random.default_rng(0))
    free, limited = (rolls.bridges(roll, [8, 18], q) for q in (None, 0.95))
    assert free.edges[1] > 0 and limited.edges[1] < free.edges[1]
    assert limited.along[1] > free.along[1]


def test_points_move_by_less_than_the_bound():
    found = rolls.moved([80, 160])
    assert (found.moved <= found.bound).all()


def test_new_heads_are_told_nearly_as_well():
    known, new = experiments.told_angles(400, 100, 5, range(80))
    assert known < new < 2 * known


def test_centring_is_compared_on_the_same_columns():
    found = spectrum.centring(300, 3, 40, sets=2, draws=1, times=1)
    assert found.of_mean.shape == (2, 1)
    assert all(part.shape == (2, 1) for part in found.lost.values())
    lost = found.lost
    assert (lost["singly centred"] > lost["Column-sampling"]).all()


def test_pictures_do_not_cover_each_other():
    places = np.random.default_rng(0).uniform(size=(200, 2))
    kept = places[figures.apart(places, 0.2)]
    gaps = cdist(kept, kept, "chebyshev") + np.eye(len(kept))
    assert gaps.min() >= 0.2
