"""The experiments of the chapter Since 2010, and its figures."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import guarantees, kernels, lowrank, style
from nystheory.chapters.since_2010 import figures, rounding, staircase
from nystheory.chapters.since_2010 import promises_kept as kept
from nystheory.chapters.since_2010 import uses as experiments

DIGITS = experiments.digits_kernel(60)


def test_no_promise_is_broken():
    found = kept.compare(DIGITS, guarantees.promises(DIGITS, 30), draws=4)
    for rows in found.values():
        for row in rows:
            assert not row.largest > row.promised
    shown = kept.table({"digits": found}, "trace")._repr_html_()
    assert "nothing" in shown and "k-DPP" in shown


def test_sketch_errors_are_those_of_a_sketch():
    """Beside K Omega (Omega' K Omega)^+ Omega' K with the eigenvectors left out."""
    values = np.array([5.0, 2.0, 1.0, 0.5, 0.1])
    trace, norm = kept.sketch_errors(values, 2, np.random.default_rng(4))
    K, Omega = np.diag(values), np.random.default_rng(4).standard_normal((5, 2))
    Y = K @ Omega
    E = K - Y @ np.linalg.solve(Omega.T @ Y, Y.T)
    assert trace == pytest.approx(np.trace(E))
    assert norm == pytest.approx(np.linalg.norm(E, 2))


def test_curves_hold_the_errors_of_their_sample():
    curves = kept.over_columns(DIGITS, [5, 20])
    for promised in curves.promised.values():
        assert (promised >= curves.observed - 1e-9).all()
    assert (curves.spread > 0).all()


def test_the_factor_of_volume_sampling_by_listing():
    values = np.array([3.0, 2.0, 1.0, 0.5])
    exact = staircase.dpp_factor(values, [1, 2])
    for count, found in zip((1, 2), exact, strict=True):
        weights = {S: np.prod(values[list(S)]) for S in combinations(range(4), count)}
        missed = {S: values.sum() - values[list(S)].sum() for S in weights}
        mean = sum(w * missed[S] for S, w in weights.items()) / sum(weights.values())
        assert found == pytest.approx(mean / values[count:].sum())
    assert (exact <= staircase.guarantee(values, [1, 2]) + 1e-12).all()


def test_steps_of_the_spectrum_make_peaks():
    counts = [1, 3, 5, 10, 15, 30]
    steps = staircase.stairs((5, 10, 45), (1e4, 1e2, 1.0))
    _, three, five, ten, fifteen, thirty = staircase.dpp_factor(steps, counts)
    assert three < five > ten < fifteen > thirty
    smooth = staircase.dpp_factor(0.8 ** np.arange(60.0), counts)
    assert not smooth[1] < smooth[2] > smooth[3]


def test_landmarks_of_largest_volume_by_listing():
    """Of all pairs among six points, and the error by elimination."""
    K = rounding.line(6, 0.5).dense()
    found = rounding.largest_volume(6, 0.5, 2)
    pairs = list(combinations(range(6), 2))
    volumes = [np.linalg.det(K[np.ix_(S, S)]) for S in pairs]
    assert tuple(found.landmarks) == pairs[int(np.argmax(volumes))]
    expected = lowrank.nystrom(K, found.landmarks).error(K, "spectral")
    assert found.error == pytest.approx(expected)
    W = K[np.ix_(found.landmarks, found.landmarks)]
    assert found.condition == pytest.approx(np.linalg.cond(W))


def test_a_formed_inverse_is_worse_at_landmarks_of_large_volume_too():
    stable = rounding.largest_volume(20, 0.5, 11)
    assert stable.weight <= 1 and stable.condition > 1e12
    inverted, solved = rounding.inverted_and_solved(
        rounding.line(20, 0.5).dense(), stable.landmarks
    )
    assert inverted > 1e3 * solved


def test_every_promise_says_how_often_it_holds():
    found = kept.compare(DIGITS, guarantees.promises(DIGITS, 30), draws=1)
    said = {row.name: row.holds for rows in found.values() for row in rows}
    assert said["leverage scores, with replacement"] == "with probability 0.7"
    assert said["ridge leverage scores, with replacement"] == "with probability 0.9"
    assert said["uniform"] == "with probability 0.9"
    assert said["k-DPP"] == said["RPCholesky"] == "on average"


def test_only_the_formed_inverse_gets_worse():
    errors = rounding.rounding(rounding.line(100), [15, 60], draws=3)
    assert errors[rounding.FORMED][1] > errors[rounding.FORMED][0]
    assert errors[rounding.PACKAGE][1] < 1e-12


def test_inverses_against_their_bounds():
    shown = experiments.inverses(DIGITS, 10, [0.01, 1.0, 100.0])
    assert (shown.observed <= shown.by_norm * (1 + 1e-9)).all()
    assert (shown.by_norm <= shown.by_trace * (1 + 1e-9)).all()
    assert shown.squared == pytest.approx([100, 1, 0.01])


def test_groups_stay_above_what_is_possible():
    found = experiments.groups(12, 2, 0.9, [2, 4], draws=5)
    assert (found.pivoted >= found.limit * (1 - 1e-9)).all()
    assert (found.uniform >= found.limit * (1 - 1e-9)).all()


def test_condition_numbers_are_those_of_the_preconditioned_matrix():
    K = experiments.digits_kernel(40, 0.02)
    solved = experiments.solves(K, 0.01, [10, 20])
    assert (solved.condition <= solved.certified).all()
    assert solved.condition[1] < solved.plain[0]
    assert solved.iterations[1] < solved.plain[1]


def test_risks_fall_to_that_of_the_whole_matrix():
    signal = np.cos(np.arange(60.0))
    found = experiments.risks(DIGITS, signal, 0.1, 1.0, [5, 60])
    assert (found.observed <= found.by_norm * (1 + 1e-9)).all()
    assert found.observed[1] == pytest.approx(1)


def test_three_matrices_are_stored_and_of_one_size():
    for K in kept.three_matrices(40).values():
        assert isinstance(K, kernels.DenseKernel) and K.n == 40


def test_a_preconditioner_needs_the_eigenvalues_of_the_approximation():
    """Not the extended ones, which the package calls approximate eigenvalues of K."""
    near = lowrank.nystrom(DIGITS, range(10))
    singular = np.linalg.svd(near.factor, compute_uv=False) ** 2
    expected = np.linalg.eigvalsh(near.spectral_reconstruction())[::-1][:10]
    assert singular == pytest.approx(expected)


def test_every_figure_has_labels():
    figure, (left, right) = style.panels(2)
    figures.draw_solves(left, right, experiments.solves(DIGITS, 1.0, [5, 10]))
    figures_ = [left, right]
    for draw, shown in (
        (figures.draw_promises, kept.over_columns(DIGITS, [5, 20])),
        (figures.draw_inverses, experiments.inverses(DIGITS, 5, [1.0, 2.0])),
        (figures.draw_groups, experiments.groups(12, 2, 0.9, [2, 4], draws=2)),
        (figures.draw_risks, experiments.risks(DIGITS, np.ones(60), 1, 1, [5, 10])),
    ):
        _, (axes,) = style.panels(1)
        draw(axes, shown)
        figures_.append(axes)
    for axes in figures_:
        assert axes.get_xlabel() or axes.get_ylabel()
