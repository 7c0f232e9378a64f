"""The experiments in small, by a second route."""

import numpy as np
import pytest
from scipy import sparse

from nystheory import manifold
from nystheory.chapters.a_million_points import experiments, findings, measured
from nystheory.engine.findings import Trial

ALL = [
    findings.PIECES,
    findings.INDEX,
    findings.GROWN,
    findings.CERTIFIED,
    findings.ENOUGH,
    findings.HELD,
    findings.WORTH,
]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def generator(seed=0):
    return np.random.default_rng(seed)


def trial(run, known):
    return Trial(run, known, None, None, generator(1))


def cloud(n=400, d=3, scale=1):
    """Points without labels."""
    X = scale * generator().standard_normal((n, d)).astype(np.float32)
    return measured.Points(X, np.arange(n) % 2)


def test_data_are_drawn_anew_and_have_their_labels():
    for draw, kinds in (
        (measured.heads, 13),
        (measured.of_three, 13),
        (measured.roll, 10),
        (measured.digits, 10),
    ):
        one, other = (draw(300, generator(s)) for s in (0, 1))
        assert len(one) == len(one.X) == 300 and one.X.dtype == np.float32
        assert not np.array_equal(one.X, other.X)
        assert len(set(one.labels)) == kinds
    assert np.bincount(measured.roll(300, generator()).labels).tolist() == 10 * [30]
    for draw in (measured.pixels, measured.patches):
        assert draw(40, generator()).shape[0] == 40


def test_pieces_are_counted_from_the_definition():
    points = cloud()
    found = measured.pieces(trial(1, points))
    true = manifold.neighbours(points.X, 5)
    near = true.indices[:, 0]
    A = sparse.csr_array((np.ones(400), (np.arange(400), near)), (400, 400))
    _, parts = sparse.csgraph.connected_components(A, directed=False)
    assert found["joined"] == pytest.approx(np.bincount(parts).max() / 4)
    degree = ((A + A.T).toarray() > 0).sum(axis=1)
    assert found["hub"] == degree.max() / np.median(degree)
    short = true.distances[:, 0] <= np.quantile(true.distances, 0.95)
    A = sparse.csr_array((short.astype(float), (np.arange(400), near)), (400, 400))
    _, parts = sparse.csgraph.connected_components(A, directed=False)
    assert found["within"] == pytest.approx(np.bincount(parts).max() / 4)


def test_an_index_of_all_cells_moves_nothing_and_other_landmarks_do():
    of, _ = measured.placed(cloud(), generator())
    found = measured.missed(trial(6, of))
    assert found["recall"] == 100 and found["components"] == 1
    assert found["moved"] < 0.1 and found["longest"] == pytest.approx(1, abs=1e-4)
    assert measured.missed(trial(None, of))["moved"] > 1


def test_recall_is_the_share_of_neighbours_whatever_their_order():
    points = cloud()
    of, _ = measured.placed(points, generator())
    found = experiments.by_index(points.X, 5, 1).indices
    share = [np.isin(a, b).mean() for a, b in zip(of.true.indices, found, strict=True)]
    told = measured.missed(trial(1, of))
    assert set(told) == {"recall", "components"} and told["recall"] < 95
    assert told["recall"] == pytest.approx(100 * np.mean(share))


def test_a_shortcut_makes_geodesics_shorter():
    """A path of four, and an edge of one and a half between its ends."""
    path = np.diag([1.0, 1, 1], 1)
    short = path.copy()
    short[0, 3] = 1.5
    whole, other = (
        manifold.NeighbourGraph(
            sparse.csr_array(A + A.T), np.arange(4), 4, np.array([4])
        )
        for A in (path, short)
    )
    own, others = np.array([0, 3]), np.array([1])
    far = whole.geodesics(own)
    Y = measured.mapped(far, own, 1)
    of = measured.Placed(np.zeros((4, 1)), None, whole, own, others, far, Y)
    found = measured.changes(of, other)
    assert found["longest"] == 1 and found["mean"] == pytest.approx(100 / 6)
    same = measured.changes(of, whole)
    assert same["mean"] == 0 and same["held"] == pytest.approx(0, abs=1e-4)
    # The ends are 1.5 apart, the second point by 1 and 1.5 from them.
    assert found["held"] > 1


def test_what_moves_is_a_share_of_the_size():
    small, large = (measured.placed(cloud(scale=x), generator())[0] for x in (1, 8))
    told = [measured.missed(trial(2, of)) for of in (small, large)]
    assert told[0]["moved"] == pytest.approx(told[1]["moved"], rel=1e-3)
    other = small.coordinates[:, ::-1] + 3
    assert measured.off(other, small.coordinates) == pytest.approx(0, abs=1e-5)


def test_comparisons_are_those_with_points_of_the_cells():
    X = cloud(600).X
    index = experiments.an_index(X, 3)
    own = index.quantizer.search(X, 1)[1][:, 0]
    near = index.quantizer.search(X, 3)[1]
    assert index.nlist == 10
    wanted = [np.isin(own, some).sum() for some in near]
    assert experiments.compared(X, 3) == pytest.approx(np.mean(wanted))


def test_what_grows_with_the_points_has_its_power(monkeypatch):
    monkeypatch.setattr(measured, "SIZES", (200, 400, 800))
    assert measured.power([3, 5, 48]) == pytest.approx(2)
    found = measured.grown(trial("index", cloud(800)))
    # Up to 24 cells of 60 points all points are compared.
    assert found["compared"] == [200, 400, 800] and found["power"] == 1
    exact = measured.grown(trial("exact", cloud(800)))
    assert exact["compared"].tolist() == [199, 399, 799]
    # The geodesics, and some copies of them.
    assert (found["memory"] > 2).all() and (found["memory"] < 20).all()


def test_the_peak_is_that_of_arrays(monkeypatch):
    held = []
    monkeypatch.setattr(
        measured, "mapped", lambda far, *_: held.append(np.ones((1000, 1000)))
    )
    assert 8e6 < measured.peak(cloud().X, generator()) < 12e6


def test_the_bound_and_the_error_are_shares_of_the_size(monkeypatch):
    monkeypatch.setattr(measured, "CERTIFIED", (5, 20))
    X = generator().standard_normal((60, 400))
    small, large = (measured.certified(trial(None, x * X)) for x in (1, 10))
    for field in ("error", "bound", "over"):
        assert small[field] == pytest.approx(large[field], rel=1e-4)
    assert (small["error"] <= small["bound"] * (1 + 1e-9)).all()


def test_the_error_of_all_coordinates_is_that_of_a_projection(monkeypatch):
    """The rest after projecting on the span of the landmarks, about their mean."""
    monkeypatch.setattr(measured, "CERTIFIED", (5, 10))
    X = generator().standard_normal((30, 40))
    found = measured.certified(trial(None, X))
    own = generator(1).permutation(30)[:10]
    Z = X - X[own].mean(axis=0)
    rest = Z - Z @ np.linalg.pinv(Z[own]) @ Z[own]
    size = np.linalg.norm(X - X.mean(axis=0))
    assert found["bound"][1] == pytest.approx(100 * np.linalg.norm(rest) / size)
    assert 0 < found["error"][1] <= found["bound"][1]


def test_all_points_as_landmarks_are_exact_isomap(monkeypatch):
    monkeypatch.setattr(measured, "COUNTS", (20, 60))
    far, _ = measured.all_paths(cloud(60), generator())
    assert far.shape == (60, 60)
    found = measured.enough(trial(2, far))
    assert found["away"][1] < 1e-4 < found["away"][0]
    assert found["apart"][1] < 1e-4 < found["apart"][0]
    K = -0.5 * far**2
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values = np.linalg.eigvalsh(K)
    negative = abs(values[values < 0]).sum() / abs(values).sum()
    assert found["negative"] == pytest.approx(100 * negative)
    left = (np.trace(K) - values[-2:].sum()) / np.trace(K)
    assert found["residual"][1] == pytest.approx(left)
    assert found["gain"] == found["away"][0] / found["away"][1]


def test_what_is_held_out_by_its_definition():
    of, _ = measured.embedded(measured.heads(600, generator()), generator())
    found, Y = measured.held_out(trial(None, of)), of.coordinates
    assert Y.shape[1] == measured.FIFTY and not set(of.own) & set(of.others)
    ten = np.linalg.norm(Y[:, None, :10] - Y[of.others, :10], axis=2)
    wanted = np.linalg.norm(ten - of.held) / np.linalg.norm(of.held)
    at = measured.HELD.index(10)
    assert found["apart"][at] == pytest.approx(100 * wanted, rel=1e-4)
    assert found["best"] == measured.HELD[np.argmin(found["apart"])]
    assert found["worse"] == found["apart"][-1] / min(found["apart"])
    whole = np.linalg.norm(Y[:, None] - Y[of.own], axis=2)
    assert found["long"] == pytest.approx(100 * (whole > 1.0001 * of.geodesics).mean())


def test_purity_is_that_of_what_is_judged():
    """Points in two places, coordinates in one, labels by the place."""
    labels = np.repeat([0, 1], 10)
    points = measured.Points(np.repeat([[0.0], [9.0]], 10, axis=0), labels)
    of = measured.Embedded(points, None, None, None, None, np.arange(20)[:, None] % 2)
    assert measured.worth(trial("reduced", of)) == {"purity": 100, "wrong": 0}
    assert measured.worth(trial("coordinates", of))["purity"] == 50


def test_neighbours_that_a_small_cell_does_not_hold_are_no_edges():
    X = cloud().X
    X[-3:] += 100
    near = experiments.by_index(X, 5, 1)
    lacking = near.indices < 0
    assert lacking[-3:].sum() == 9 and np.isinf(near.distances[lacking]).all()
    graph = near.graph(limit=np.finfo(np.float32).max)
    assert np.isfinite(graph.lengths.data).all()
