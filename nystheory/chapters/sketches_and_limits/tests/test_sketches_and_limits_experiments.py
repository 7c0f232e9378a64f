"""Promises and steps, by a second route."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import guarantees, kernels
from nystheory.chapters.sketches_and_limits import promises_kept as kept
from nystheory.chapters.sketches_and_limits import staircase
from nystheory.engine.findings.experiments import digits_kernel

DIGITS = digits_kernel(60)


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


def test_every_promise_says_how_often_it_holds():
    found = kept.compare(DIGITS, guarantees.promises(DIGITS, 30), draws=1)
    said = {row.name: row.holds for rows in found.values() for row in rows}
    assert said["leverage scores, with replacement"] == "with probability 0.7"
    assert said["ridge leverage scores, with replacement"] == "with probability 0.9"
    assert said["uniform"] == "with probability 0.9"
    assert said["k-DPP"] == said["RPCholesky"] == "on average"


def test_three_matrices_are_stored_and_of_one_size():
    for K in kept.three_matrices(40).values():
        assert isinstance(K, kernels.DenseKernel) and K.n == 40
