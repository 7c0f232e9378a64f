"""Iterations and risks, and their figures."""

import numpy as np
import pytest

from nystheory import lowrank, style
from nystheory.chapters.ridge_and_preconditioning import experiments, figures
from nystheory.engine.experiments import digits_kernel

DIGITS = digits_kernel(60)


def test_condition_numbers_are_those_of_the_preconditioned_matrix():
    K = digits_kernel(40, 0.02)
    solved = experiments.solves(K, 0.01, [10, 20])
    assert (solved.condition <= solved.certified).all()
    assert solved.condition[1] < solved.plain[0]
    assert solved.iterations[1] < solved.plain[1]


def test_risks_fall_to_that_of_the_whole_matrix():
    signal = np.cos(np.arange(60.0))
    found = experiments.risks(DIGITS, signal, 0.1, 1.0, [5, 60])
    assert (found.observed <= found.by_norm * (1 + 1e-9)).all()
    assert found.observed[1] == pytest.approx(1)


def test_a_preconditioner_needs_the_eigenvalues_of_the_approximation():
    """Not the extended ones, which the package calls approximate eigenvalues of K."""
    near = lowrank.nystrom(DIGITS, range(10))
    singular = np.linalg.svd(near.factor, compute_uv=False) ** 2
    expected = np.linalg.eigvalsh(near.spectral_reconstruction())[::-1][:10]
    assert singular == pytest.approx(expected)


def test_every_figure_has_labels():
    figure, (left, right) = style.panels(2)
    figures.draw_solves(left, right, experiments.solves(DIGITS, 1.0, [5, 10]))
    _, (axes,) = style.panels(1)
    figures.draw_risks(axes, experiments.risks(DIGITS, np.ones(60), 1, 1, [5, 10]))
    for each in (left, right, axes):
        assert each.get_xlabel()
