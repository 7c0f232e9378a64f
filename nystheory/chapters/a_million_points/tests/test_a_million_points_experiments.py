"""The pipeline gives what its steps give; what is kept can be read again."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import datasets, manifold
from nystheory.chapters.a_million_points import costs, experiments, pipeline, watch
from nystheory.engine.worlds.matrices import moved


def test_pictures_in_blocks_are_those_drawn_at_once(monkeypatch):
    shown = datasets.scenes(90, np.random.default_rng(0))
    whole = pipeline.reduced(shown, dimension=4)
    monkeypatch.setattr(pipeline, "A_BLOCK", 20)
    assert np.allclose(pipeline.reduced(shown, 2, dimension=4), whole, atol=1e-4)


def test_a_run_can_be_kept_and_read_again(monkeypatch, tmp_path):
    found = pipeline.run(300, 30, 4, table=True)
    monkeypatch.setattr(pipeline, "path", lambda n: tmp_path / f"{n}.json")
    pipeline.keep(found)
    again = pipeline.stored(300)
    assert again.held_out.keys() == found.held_out.keys() == {1, 2, 3}
    assert again.seconds == pytest.approx(found.seconds, rel=1e-4)
    assert again.table[0][2] == found.table[0][2]
    assert np.allclose(again.shown, found.shown, rtol=1e-3)


def test_two_processes_find_what_one_finds():
    one, two = (pipeline.run(300, 30, 4, jobs=jobs) for jobs in (1, 2))
    assert one.held_out == pytest.approx(two.held_out, rel=1e-4)


def test_memory_of_children_is_counted():
    steps = []
    with watch.watched("geodesics", steps):
        graph = manifold.neighbours(np.eye(40), 5).graph()
        graph.geodesics(np.arange(40), n_jobs=2)
        held = np.ones(10**7)
    assert steps[0].memory >= held.nbytes / 1e9 or np.isnan(steps[0].memory)


def test_a_turned_configuration_has_not_moved():
    rng = np.random.default_rng(0)
    Y = rng.standard_normal((20, 3))
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    assert moved((Y @ Q).T, Y.T) < 1e-6
    assert moved(Y[:, :2].T, Y.T) <= np.linalg.norm(Y[:, 2]) + 1e-9


def test_costs_that_follow_their_formula_are_foretold():
    def run(n):
        seconds = {"neighbours": 2 * n + 3e-3 * n**2, "graph": n * np.log(n)}
        seconds |= {"render": n, "geodesics": n * np.log(n), "coordinates": n}
        steps = tuple(pipeline.Step(name, seconds[name], 0) for name in pipeline.STEPS)
        rest = (0.0,) * 6
        return pipeline.Run(n, 10, 5, 1, steps, *rest, {}, {}, {}, (), (), "")

    told = costs.foretold([run(10**4), run(10**5)], 10**6, 20)
    for name, scale in zip(pipeline.STEPS, (1, 1, 1, 2, 2), strict=True):
        assert told[name] == pytest.approx(scale * run(10**6).of(name).seconds)


# --- What a run tells -----------------------------------------------------------------


@pytest.fixture
def some_far_away(monkeypatch):
    """The first hundred of 300 points are in another component."""
    X = np.random.default_rng(0).standard_normal((300, 4)).astype(np.float32)
    X[:100] += 1000
    monkeypatch.setattr(pipeline, "reduced", lambda *_: X)
    return X


def recorded(monkeypatch, name):
    """What a function of the pipeline is called with."""
    seen, function = [], getattr(pipeline, name)

    def recording(*given):
        seen.append(given)
        return function(*given)

    monkeypatch.setattr(pipeline, name, recording)
    return seen


def test_points_that_are_judged_have_coordinates(monkeypatch, some_far_away):
    judged = recorded(monkeypatch, "judge")
    found = pipeline.run(300, 30, 3)
    poses = datasets.scenes(300, np.random.default_rng(0)).pose
    (reduced, labels, _), (embedded, same, _) = judged
    rows = [int((some_far_away == x).all(axis=1).argmax()) for x in reduced]
    assert sorted(rows) == list(range(100, 300)) and len(embedded) == 200
    assert np.array_equal(poses[rows], labels) and np.array_equal(same, labels)
    assert found.share == 2 / 3 and found.components == 2


def test_sources_that_are_held_out_are_no_landmarks(monkeypatch, some_far_away):
    fits, told = recorded(monkeypatch, "quiet"), recorded(monkeypatch, "held_out")
    pipeline.run(300, 30, 3)
    own, others = fits[0][2], told[0][1]
    assert len(own) == 30 and len(others) == pipeline.HELD_OUT
    assert not set(own) & set(others)


def test_edges_are_counted_once_and_memory_is_the_largest_peak(some_far_away):
    found = pipeline.run(300, 30, 3)
    assert 200 * 5 / 2 <= found.edges <= 200 * 5
    assert found.memory == max(step.memory for step in found.steps)


def test_purity_is_judged_and_not_accuracy():
    # Four of a and two of b in one place, one of b in the other.
    places = np.repeat([[0.0], [9.0]], [6, 1], axis=0)
    assert pipeline.judge(places, np.array(list("aaaabbb")))[0] == 5 / 7


def test_distances_are_off_as_a_share_of_geodesics():
    assert (
        pipeline.apart(np.array([[0.0], [1.0]]), [0], np.array([[0.0], [2.0]])) == 0.5
    )


def test_the_limit_is_that_of_the_thesis():
    near = manifold.neighbours(np.random.default_rng(0).standard_normal((50, 3)), 5)
    limits = {row[1] for row in pipeline.components(near).rows}
    assert limits == {None, np.quantile(near.distances, 0.95)}


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells no children")
def test_memory_of_a_child_is_added(monkeypatch):
    monkeypatch.setattr(watch, "_own_peak", lambda: 1.0)
    holds, steps = "import time; x = b'1' * 10**8; time.sleep(0.3)", []
    with watch.watched("geodesics", steps):
        subprocess.run([sys.executable, "-c", holds], check=True)
    assert steps[0].memory > 1.1


# --- What experiments tell ------------------------------------------------------------


def test_the_slope_is_that_of_the_two_largest_runs():
    runs = [Some(n=10**p, seconds=t) for p, t in ((4, 7.0), (5, 1.0), (6, 100.0))]
    assert costs.slope(runs) == pytest.approx(2)


def test_words_are_those_of_the_arrays():
    near = manifold.neighbours(np.random.default_rng(0).standard_normal((80, 3)), 5)
    words = costs.words(80, 7)
    kept = near.indices.nbytes + near.distances.nbytes
    assert words["neighbours"] == pytest.approx(kept / 1e9)
    far = near.graph().geodesics(np.arange(7))
    assert words["geodesics"] == pytest.approx(far.nbytes / 1e9)


def test_comparisons_with_cells_are_counted_by_hand():
    # 1000 cells: 10 rounds on 10,000 points, twice all 60,000; and 24 cells of 60.
    comparisons = 10 * 10_000 * 1000 + 2 * 60_000 * 1000 + 60_000 * 24 * 60
    told = costs.operations(60_000, 100, 50)["neighbours"]
    assert told == pytest.approx(100 * comparisons)


def test_a_visit_looks_at_edges_of_both_ends():
    told = costs.operations(2**20, 100, 50)["geodesics"]
    assert told == 100 * 2**20 * (2 * 5 + 20)


def test_distances_that_no_graph_has_are_refused():
    star = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [1, 1, 1]], float)
    assert experiments.of_a_graph(star)
    assert not experiments.of_a_graph(star - 0.5)
    for entry, value in (((3, 0), 0.9), ((3, 0), 4), ((0, 1), 3), ((1, 1), 1)):
        other = star.copy()
        other[entry] = value
        assert not experiments.of_a_graph(other)


def test_a_short_edge_is_seen_from_its_ends():
    graph = manifold.neighbours(np.random.default_rng(0).random((80, 2)), 6).graph()
    far = graph.geodesics([0, 5])
    lengths = graph.lengths.tolil()
    end = far[:, 0].argmax()
    lengths[0, end] = lengths[end, 0] = 0.01
    other = replace(graph, lengths=lengths.tocsr()).geodesics([0, 5])
    share = (other < 0.99 * far).mean()
    assert 0 < share == experiments.cut_short(graph, [0, 5], 0.01)


def test_rounding_makes_a_residual_negative_and_small():
    """Distances err by 2^-24, squares by twice that, and there are both signs."""
    found = experiments.in_a_plane(300, 20, 20)
    assert found.min() < 0 < found.max()
    assert abs(found).max() < 16 * 2.0**-24
