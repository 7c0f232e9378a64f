"""What the experiments of the chapter measure, and their figures read back."""

import os

import numpy as np
import pytest
import scipy.stats

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.chapters.eigengap_and_rate import (
    experiments,
    families,
    figures,
    findings,
    from_folder,
    protocol,
    two_balls,
)
from nystheory.chapters.eigengap_and_rate.theorems import figure_1
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged
from nystheory.learners import KernelRidge

MAPS = (protocol.landmarks, protocol.waves, protocol.half_as_many)

needs_data = pytest.mark.skipif(
    not os.environ.get("NYSTHEORY_DATA"),
    reason="cpusmall and abalone are not shipped: NYSTHEORY_DATA names a folder with "
    "them",
)


def arm(n=120):
    return datasets.robot_arm(n, np.random.default_rng(0))


# ---- the protocol ----


def by_hand(features, count, known, judged_points, seed):
    """Cross-validation in the plainest way: every fold is fitted for itself."""
    X, Y = known.learn.X, known.learn.Y
    n, fold = len(X), np.arange(len(X)) % 5
    losses = {}
    for gamma in known.gammas:
        Z = features(X, count, gamma, np.random.default_rng(seed)).transform(X)
        for ridge in protocol.RIDGES:
            each = []
            for left in range(5):
                kept = fold != left
                w = solved(Z[kept], Y[kept], ridge * n)
                each.append(np.mean((Z[~kept] @ w - Y[~kept]) ** 2))
            losses[gamma, ridge] = np.mean(each)
    gamma, ridge = min(losses, key=losses.get)
    map = features(X, count, gamma, np.random.default_rng(seed))
    w = solved(map.transform(X), Y, ridge * n)
    told = map.transform(judged_points.X) @ w
    error = np.mean((told - judged_points.Y) ** 2) / np.var(judged_points.Y)
    return {"error": 100 * error, "gamma": gamma, "ridge": ridge}


def solved(Z, Y, shift):
    Z = np.asarray(Z, float)
    return np.linalg.solve(Z.T @ Z + shift * np.eye(Z.shape[1]), Z.T @ Y)


@pytest.mark.parametrize("features", MAPS)
def test_cross_validation_is_that_of_plain_loops(features):
    points = arm()
    known, aside = protocol.split(points.X, points.y, np.random.default_rng(1))
    found = protocol.cross_validated(features, 6, known, aside, 3)
    wanted = by_hand(features, 6, known, aside, 3)
    assert found == pytest.approx(wanted, rel=1e-4)


def test_nothing_of_the_test_is_known_before():
    points = arm(50)
    known, aside = protocol.split(points.X, points.y, np.random.default_rng(0))
    rows = {tuple(x) for x in known.learn.X}
    assert len(rows) == 40 and not rows & {tuple(x) for x in aside.X}
    assert known.learn.Y.mean() == pytest.approx(0, abs=1e-12)
    assert known.learn.Y.std() == pytest.approx(1)


def test_classes_have_a_column_each():
    known, aside = protocol.split(
        np.eye(10), np.array([0, 1, 2, 0, 1] * 2), np.random.default_rng(0)
    )
    assert known.learn.Y.shape == (8, 3) and (known.learn.Y.sum(axis=1) == 1).all()
    assert protocol.missed(aside.Y, aside.Y) == 0
    assert protocol.missed(1 - aside.Y, aside.Y) == 1


def test_the_error_of_a_number_is_the_share_of_the_variance():
    Y = np.array([[0.0], [2.0], [4.0]])
    assert protocol.missed(np.full((3, 1), Y.mean()), Y) == pytest.approx(1)
    assert protocol.missed(Y, Y) == 0


def test_maps_have_the_features_that_the_page_counts():
    X = arm().X
    for count in (5, 10):
        shapes = [
            f(X, count, 0.1, np.random.default_rng(0)).transform(X).shape[1]
            for f in MAPS
        ]
        assert shapes == [count, 2 * count, 2 * ((count + 1) // 2)]


def test_products_of_features_are_nearly_the_kernel():
    X = arm(60).X
    K = kernels.rbf(X, 0.1).dense()
    for features, count, allowed in (
        (protocol.landmarks, 60, 1e-9),
        (protocol.waves, 4000, 0.1),
    ):
        Z = features(X, count, 0.1, np.random.default_rng(0)).transform(X)
        assert np.abs(Z @ Z.T - K).max() < allowed
    fast = protocol.fast_waves(X, 4000, 0.1, np.random.default_rng(0)).transform(X)
    assert np.abs(fast @ fast.T - kernels.rbf(X, 0.5).dense()).max() < 0.1


# ---- eigenvectors ----


def test_leading_eigenvectors_are_those_of_the_whole_matrix():
    X = two_balls.points(300).X
    K = kernels.rbf(X, experiments.GAMMA)
    values, vectors = np.linalg.eigh(K.dense())
    wanted = experiments.Leading(values[:-3:-1] / 300, vectors[:, :-3:-1])
    found = experiments.of_kernel(K, np.random.default_rng(0))
    assert found.values == pytest.approx(wanted.values, rel=1e-4)
    assert found.close_to(wanted) == pytest.approx([1, 1], abs=1e-3)
    assert found.vectors[:, 0].sum() > 0


def test_leading_eigenvectors_of_features_are_those_of_their_products():
    Z = np.random.default_rng(0).standard_normal((40, 5))
    values, vectors = np.linalg.eigh(Z @ Z.T)
    found = experiments.of_features(Z)
    assert found.values == pytest.approx(values[:-3:-1] / 40)
    wanted = experiments.Leading(found.values, vectors[:, :-3:-1])
    assert found.close_to(wanted) == pytest.approx([1, 1])
    turned = found.like(wanted)
    assert (np.sum(turned.vectors * wanted.vectors, axis=0) > 0).all()


def test_the_least_entry_of_an_even_vector_is_one():
    even = experiments.Leading(np.ones(1), np.full((16, 1), 0.25))
    assert even.least == pytest.approx(1)


def test_what_is_kept_of_the_two_balls_is_that_of_many_landmarks():
    kept, points = two_balls.stored(), two_balls.points()
    K = kernels.rbf(points.X, experiments.GAMMA)
    near = lowrank.nystrom(K, sampling.uniform(K, 400, np.random.default_rng(0)))
    found = experiments.of_features(near.factor)
    assert kept.n == K.n and kept.values.sum() < 1
    assert (np.diff(kept.values) <= 0).all()
    # An approximation from landmarks has smaller eigenvalues.
    assert (found.values < kept.values[:2]).all()
    assert found.values == pytest.approx(kept.values[:2], rel=0.03)
    some = found.vectors[:: two_balls.STEP]
    cosines = np.sum(some * kept.leading.vectors, axis=0)
    sizes = np.linalg.norm(some, axis=0), np.linalg.norm(kept.leading.vectors, axis=0)
    assert (np.abs(cosines / np.prod(sizes, axis=0)) > 0.999).all()


# ---- slopes ----


def whole(n=80):
    points = arm(n)
    return experiments.Whole.of(points.X, points.y, 0.1)


def test_errors_are_those_of_dense_matrices():
    matrix, landmarks = whole(), np.array([3, 1, 3, 40, 7, 22])
    K, n, y = matrix.K, 80, matrix.y
    found = experiments.errors(matrix, landmarks)
    C, W = K[:, landmarks], K[np.ix_(landmarks, landmarks)]
    near = C @ np.linalg.pinv(W, rcond=1e-10) @ C.T
    assert found["matrix"] == pytest.approx(np.linalg.norm(K - near, 2) / n, rel=1e-3)

    def first(A):
        values, vectors = np.linalg.eigh(A)
        return values[-1], vectors[:, -1]

    mu, v = first(W)
    top, u = first(K)
    moved = np.outer(C @ v, C @ v) / mu - top * np.outer(u, u)
    assert found["component"] == pytest.approx(np.linalg.norm(moved, 2) / n)

    def least(A):
        """At the minimiser, from its coefficients."""
        ridge = experiments.RIDGE
        a = np.linalg.solve(A + ridge * n * np.eye(n), y)
        return ridge / 2 * a @ A @ a + np.mean((A @ a - y) ** 2) / 2

    assert found["objective"] == pytest.approx(least(near) - least(K))
    exact = KernelRidge(experiments.RIDGE * n, method="exact")
    told = exact.fit(kernels.DenseKernel(K), y).dual_coef_
    assert matrix.objective == pytest.approx(experiments.RIDGE / 2 * y @ told)


def test_errors_grow_when_landmarks_are_left_out():
    matrix = whole()
    few = experiments.errors(matrix, np.arange(10))
    more = experiments.errors(matrix, np.arange(40))
    assert all(more[name] < few[name] for name in ("matrix", "objective"))
    assert all(value > 0 for value in more.values())


def test_an_interval_tells_one_power_or_none():
    told = {
        (-0.6, -0.4): "-1/2",
        (-1.1, -0.8): "-1",
        (-1.1, -0.4): "undecided",
        (-0.8, -0.6): "between",
        (-2.0, -1.5): "faster",
        (-0.3, -0.1): "slower",
    }
    for (low, high), words in told.items():
        assert experiments.verdict(low, high) == words


# ---- figures and tables ----


def small(experiment, draws):
    """The experiment, judged on draws that are typed here."""
    data = dict.fromkeys(experiment.data, draws)
    return judged(experiment, data, {})


def typed(experiment, rng):
    """Random numbers for all fields, in ten draws."""
    size = max(1, len(experiment.settings))
    return [
        {
            name: {f: tuple(rng.uniform(1, 2, size)) for f in experiment.measured}
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]


def test_figures_have_the_labels_and_curves_of_their_fields():
    rng = np.random.default_rng(0)
    for experiment, field in (
        (findings.FIGURE_1, findings.ACCURACY),
        (findings.ON_DATA, findings.ERROR),
    ):
        found = small(experiment, typed(experiment, rng))
        data = next(iter(experiment.data))
        figure, (axes,) = style.panels(1)
        figures.draw_means(axes, found, field, data)
        drawn = [
            Series(field, mean, experiment.competitors[name].label)
            for name, (mean, _) in figures.means(found, field.name, data).items()
        ]
        assert strays(axes, findings.SAMPLES, drawn) == []


def test_eigenvalues_are_drawn_by_rank():
    figure, (axes,) = style.panels(1)
    values = {"digits": np.array([1.0, 0.5, 0.1]), "arm": np.array([1.0, 0.2, 0.1])}
    figures.draw_eigenvalues(axes, values, 2)
    drawn = [Series(figures.EIGENVALUE, x[:2], name) for name, x in values.items()]
    assert strays(axes, figures.RANK, drawn) == []


def test_tables_tell_what_paired_tests_do():
    experiment, rng = findings.ON_DATA, np.random.default_rng(0)
    draws = typed(experiment, rng)
    for draw in draws:
        own = np.array(draw["nystrom"]["error"])
        draw["waves"]["error"] = tuple(own + rng.uniform(0.1, 0.2, len(own)))
        draw["equal"]["error"] = tuple(own)
    found = small(experiment, draws)
    assert figures.compared(found, "waves", "digits") == ["better"] * 5
    assert figures.compared(found, "equal", "digits") == ["open"] * 5
    rows = figures.rows_of(found, "digits")
    assert [row[1] for row in rows] == ["10", "20", "50", "100", "200"]
    assert all(len(row) == 7 for row in rows)
    assert rows[0][-2:] == ("better", "open")


def test_slopes_are_told_with_their_intervals():
    experiment = findings.RATES
    draws = [
        {"component": {"slope": (-0.5,)}, "matrix": {"slope": (-1.0,)}}
        | {"objective": {"slope": (-2.0 - 0.01 * k,)}}
        for k in range(experiment.draws)
    ]
    table = figures.rates(small(experiment, draws))
    assert [cell.rpartition(" ")[2] for cell in table.rows[0][1:]] == [
        "-1/2",
        "-1",
        "faster",
    ]


# ---- the small world of the theorem ----


def test_the_small_world_has_the_points_of_the_data_set():
    X, y = figure_1.two_balls(4000, np.random.default_rng(0))
    other = datasets.two_balls(4000, np.random.default_rng(1))
    assert X.shape == other.X.shape and (y == other.y).all()
    assert np.abs(X.mean(axis=0) - other.X.mean(axis=0)).max() < 0.05
    assert np.abs(X.std(axis=0) - other.X.std(axis=0)).max() < 0.02
    centre = np.column_stack([y / 2, np.full(4000, 0.5)])
    assert np.linalg.norm(X[:, :2] - centre, axis=1).max() < 0.5001


def test_the_small_world_has_the_maps_of_the_page():
    X, _ = figure_1.two_balls(50, np.random.default_rng(0))
    K = kernels.rbf(X.astype(float), 1 / 72).dense()
    Z = figure_1.nystrom_map(X, 50, 6.0)
    assert np.abs(Z @ Z.T - K).max() < 1e-3
    W = np.random.default_rng(1).standard_normal((102, 20_000)) / 6
    Z = figure_1.waves_map(X @ W)
    assert np.abs(Z @ Z.T - K).max() < 0.05


# ---- data that are not shipped ----


def test_what_is_kept_of_the_folder_is_complete():
    stored = from_folder.stored()
    assert tuple(stored) == from_folder.NAMES
    shape = len(from_folder.COUNTS), from_folder.REPEATS
    for each in stored.values():
        assert tuple(each) == tuple(from_folder.MAPS)
        assert all(x.shape == shape and (x > 0).all() for x in each.values())
    assert len(from_folder.table(stored).rows) == 2 * shape[0]


@needs_data
@pytest.mark.parametrize("name", from_folder.NAMES)
def test_what_is_kept_of_the_folder_is_reproduced(name, record_property):
    """Three new repeats against the ten that are stored, with other seeds.

    The difference of two means over its standard error has a Student distribution with
    nine degrees of freedom; each of the 24 is wrong with probability 1e-6.
    """
    counts = (10, 20, 50, 100)
    stored = from_folder.stored()[name]
    found = from_folder.errors(*from_folder.points(name), counts, 3, seed=1)
    record_property("table", repr(from_folder.table({name: found}, counts).rows))
    limit = scipy.stats.t.isf(0.5e-6, 9) * np.sqrt(1 / 3 + 1 / 10)
    for key, rows in found.items():
        for place, row in enumerate(rows):
            before = stored[key][from_folder.COUNTS.index(counts[place])]
            allowed = 0.01 + limit * before.std(ddof=1)
            assert abs(row.mean() - before.mean()) < allowed, (key, counts[place])


def test_no_width_depends_on_the_points_of_the_test():
    X, y = np.random.default_rng(0).standard_normal((40, 3)), np.arange(40.0)
    known, _ = protocol.split(X, y, np.random.default_rng(1))
    wanted = np.array(protocol.WIDTHS) / known.learn.X.var(axis=0).sum()
    assert known.gammas == pytest.approx(wanted)


def test_the_families_and_the_ridge_are_those_of_the_boxes():
    traces = {families.spread: 1 / 4, families.fixed: 1 / 4, families.thin: 3 / 200}
    for family, trace in traces.items():
        values = family(100)
        assert values[0] == 3 / 4 and values[1:].sum() == pytest.approx(trace)
    assert figure_1.RIDGE == 1 / 1000 and "thousandth" in figure_1.FIGURE_1.setting
