"""The pipeline gives what its steps give; what is kept can be read again."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import datasets, manifold
from nystheory.chapters.a_million_points import experiments, pipeline, watch


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
    assert experiments.moved(Y @ Q, Y) < 1e-6
    assert experiments.moved(Y[:, :2], Y) <= np.linalg.norm(Y[:, 2]) + 1e-9


def test_a_full_index_is_exact():
    X = np.random.default_rng(0).standard_normal((400, 3)).astype(np.float32)
    found = experiments.recalls(X, [6], 20, 2)
    assert found.recall[0] == 1 and found.moved[0] < 1e-3


def test_costs_that_follow_their_formula_are_foretold():
    def run(n):
        seconds = {"neighbours": 2 * n + 3e-3 * n**2, "graph": n * np.log(n)}
        seconds |= {"render": n, "geodesics": n * np.log(n), "coordinates": n}
        steps = tuple(pipeline.Step(name, seconds[name], 0) for name in pipeline.STEPS)
        rest = (0.0,) * 6
        return pipeline.Run(n, 10, 5, 1, steps, *rest, {}, {}, {}, (), (), "")

    told = experiments.foretold([run(10**4), run(10**5)], 10**6, 20)
    for name, scale in zip(pipeline.STEPS, (1, 1, 1, 2, 2), strict=True):
        assert told[name] == pytest.approx(scale * run(10**6).of(name).seconds)


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
