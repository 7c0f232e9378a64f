"""What the chapter measures, once more by other roads."""

import warnings
from types import SimpleNamespace as Some

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.linear_model import LinearRegression

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


def test_pictures_do_not_cover_each_other():
    places = np.random.default_rng(0).uniform(size=(200, 2))
    kept = places[figures.apart(places, 0.2)]
    gaps = cdist(kept, kept, "chebyshev") + np.eye(len(kept))
    assert gaps.min() >= 0.2


def test_edges_between_windings_are_counted_once():
    roll = datasets.swiss_roll(400, np.random.default_rng(0))
    near = manifold.neighbours(roll.X, 15).indices
    pairs = {tuple(sorted((i, int(j)))) for i in range(400) for j in near[i]}
    apart = sum(abs(roll.y[i] - roll.y[j]) > np.pi for i, j in pairs)
    assert rolls.unrolled(roll, 15, n_landmarks=50).edges == apart > 0


def test_the_bound_on_a_strip_is_that_of_the_theorem():
    X = np.random.default_rng(0).uniform((0, 0), (2, 1), (60, 2))
    X -= X.mean(axis=0)
    size, sizes = np.linalg.norm(cdist(X, X) ** 2), np.linalg.svd(X)[1]
    (ratio,) = (found := rolls.moved([60])).bound / found.error
    squared = 2 * (2**0.5 - 1) * sizes[1] ** 2
    assert ratio == pytest.approx(size / np.linalg.norm(X) / squared**0.5)


def test_both_methods_see_the_same_columns(monkeypatch):
    twice = dict.fromkeys(("one", "other"), experiments.lowrank.nystrom)
    monkeypatch.setattr(experiments, "APPROXIMATE", twice)
    K = kernels.rbf(datasets.digits(40).X)
    found = experiments.preserved(K, 3, [6, 9], draws=2).accuracy
    np.testing.assert_array_equal(found["one"], found["other"])


def test_angles_are_learned_from_known_heads_only():
    shown = datasets.scenes(300, np.random.default_rng(0))
    X, angle = datasets.rendered(shown), shown.angles[:, 0]
    isomap = manifold.Isomap(3, landmarks=range(40), method="nystrom")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        places = isomap.fit(X[:150]).transform(X)
    told = LinearRegression().fit(places[:150], angle[:150]).predict(places)
    parts = ((told - angle) ** 2).reshape(2, 150).mean(axis=1) ** 0.5
    assert experiments.told_angles(150, 150, 3, range(40)) == pytest.approx(
        parts, rel=1e-3
    )


def test_what_stands_under_a_heading_is_that():
    one = experiments.Judged(
        np.array([1.0, 3.0]), np.array([5.0, 5.0]), {1: np.zeros(2)}
    )
    table = experiments.judged_table({"PCA": one}, experiments.PRINTED)
    told = dict(zip(table.header, table.rows[0], strict=True))
    assert (
        told["purity"] == "2.0 ± 1.4 (54.3)" and told["error, $K = 1$"] == "0.0 ± 0.0"
    )
    assert told["accuracy"] == "5.0 ± 0.0 (46.1)"


def test_lost_distances_are_a_share_of_the_true_ones():
    squared = np.array([[0.0, 4.0], [4.0, 0.0]])
    lost = spectrum.distances_lost(squared, np.array([[0.0], [1.0]]))
    assert lost == pytest.approx(0.75)


def test_the_mean_distance_is_held_against_singly_centred_coordinates():
    places, _, of_mean = rolls.centred(300, 8, 30)
    roll = datasets.swiss_roll(300, np.random.default_rng(0))
    graph = manifold.neighbours(roll.X, 8).graph()
    far = graph.geodesics(experiments.some_landmarks(300, 30))
    mean = (far.astype(float) ** 2).mean(axis=1)
    with_mean = np.corrcoef(places["singly centred"].T, mean)[2, :2]
    assert of_mean == pytest.approx(abs(with_mean), rel=1e-3)


@pytest.mark.parametrize("printed", ["PRINTED", "PRINTED_LARGER"])
def test_the_thesis_has_its_winners(printed):
    """A digit that is typed wrong would change their order, or that of the errors."""
    rows = getattr(experiments, printed)
    few = {name: rows[f"{name} Isomap"] for name in ("Nyström", "Column-sampling")}
    assert max(rows, key=lambda name: rows[name]["purity"]) == "Nyström Isomap"
    assert max(rows, key=lambda name: rows[name]["accuracy"]) == "Laplacian eigenmaps"
    worse = few["Column-sampling"]
    assert all(few["Nyström"][t] < worse[t] for t in worse if t in (1, 3, 5))
    for row in rows.values():
        errors = [row[t] for t in (1, 3, 5) if t in row]
        assert errors == sorted(errors)


def test_points_that_are_cut_off_are_told():
    roll = datasets.swiss_roll(400, np.random.default_rng(0))
    X = np.concatenate([roll.X, 1000 + roll.X[:100]])
    both = Some(X=X, y=np.append(roll.y, roll.y[:100]))
    found = rolls.unrolled(both, 8, n_landmarks=50)
    assert found.share == 0.8 and len(found.places) == len(found.angle) == 400


def test_an_edge_is_wrong_from_half_a_turn_on():
    """Points on a line, each with an edge to the next."""
    graph = manifold.neighbours(2.0 ** np.arange(4)[:, None], 1).graph()
    angle = np.array([0, 2.0, 6.0, 9.0])
    assert rolls._between_windings(graph, angle) == 1
