"""Accuracies, pictures and recipes mean what they say."""

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters.two_ways_to_learn_a_matrix import experiments as experiment
from nystheory.chapters.two_ways_to_learn_a_matrix import figures, inversion


def test_accuracy_of_values_treats_both_directions_alike():
    """Twice too large and half as large cost the same."""
    exact = np.array([4.0, 2.0])
    assert experiment.value_accuracy([8.0, 1.0], exact).tolist() == [50, 50]


def test_cosines_ignore_sign_and_length():
    """A vector and any multiple of it are equally accurate, missing ones are not."""
    exact, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((9, 4)))
    stretched = exact[:, :3] * [2.0, -3.0, 0.1]
    for measure in (experiment.cosines, experiment.principal_cosines):
        assert measure(stretched, exact) == pytest.approx([1, 1, 1, 0])


def test_principal_cosines_depend_on_spans_of_groups_only():
    """Mixing vectors within a group changes nothing, mixing groups does."""
    rng = np.random.default_rng(1)
    exact, _ = np.linalg.qr(rng.standard_normal((20, 6)))
    mixed = exact.copy()
    mixed[:, :3] = exact[:, :3] @ rng.standard_normal((3, 3))
    mixed[:, 3:] = exact[:, 3:] @ rng.standard_normal((3, 3))
    assert experiment.principal_cosines(mixed, exact, 3) == pytest.approx(np.ones(6))
    swapped = exact[:, [3, 1, 2, 0, 4, 5]]
    cosines = experiment.principal_cosines(swapped, exact, 3)
    assert cosines == pytest.approx([1, 1, 0, 1, 1, 0], abs=1e-12)


def test_orthonormalising_shows_only_group_by_group():
    """All vectors at once have the same principal angles before and after QR."""
    K = kernels.DenseKernel(kernels.rbf(datasets.digits(150).X).dense())
    S = sampling.uniform(K, 30, np.random.default_rng(2))
    exact = lowrank.best_rank_k(K, 20).eigenvectors
    plain = lowrank.nystrom(K, S, 20).eigenvectors
    straight = lowrank.orthonormal_nystrom(K, S, 20).eigenvectors
    together = [experiment.principal_cosines(U, exact, 20) for U in (plain, straight)]
    assert together[0] == pytest.approx(together[1], abs=1e-8)
    apart = [experiment.principal_cosines(U, exact, 5) for U in (plain, straight)]
    assert np.abs(apart[0] - apart[1]).max() > 1e-3


def test_all_columns_leave_nothing_to_compare():
    """With l = n every method is exact, so every difference is zero."""
    K = kernels.rbf(datasets.digits(40).X).dense()
    found = experiment.compare_spectra(K, 40, 12, np.random.default_rng(3), samples=2)
    for method in experiment.METHODS:
        assert found.mean(method, "values") == pytest.approx(100)
        assert found.mean(method, "vectors") == pytest.approx(1, abs=1e-6)
        paired = found.against_columns(method, "subspaces")
        assert len(paired.groups) == 2  # ten pairs, and the two that are left
        assert paired.mean.estimate == pytest.approx(0, abs=1e-6)


def test_differences_are_paired_and_averaged_by_group():
    """The mean of a group is that of its pairs; the last group may be smaller."""
    columns = np.zeros((2, 12))
    method = np.array([[1.0] * 10 + [4.0] * 2, [3.0] * 10 + [8.0] * 2])
    keys = (experiment.NYSTROM, "values"), (experiment.COLUMNS, "values")
    found = experiment.Accuracies(5, dict(zip(keys, (method, columns), strict=True)))
    paired = found.against_columns(*keys[0])
    assert [group.estimate for group in paired.groups] == [2, 6]
    assert paired.mean.estimate == pytest.approx((20 + 12) / 12)


def test_picture_of_the_columns_hides_what_is_unknown():
    """Only sampled columns are opaque; symmetry makes their rows half visible."""
    left, right = figures.plot_columns(np.eye(5), [3, 1]).axes[:2]
    opaque = left.images[0].get_alpha()
    assert opaque.sum(axis=0).tolist() == [0, 5, 0, 5, 0]
    opaque = right.images[0].get_alpha()
    assert (opaque[:, :2] == 1).all() and (opaque[2:, 2:] == 0).all()
    assert ((0 < opaque[:2, 2:]) & (opaque[:2, 2:] < 1)).all()


def test_picture_of_the_shadows_shows_the_approximation():
    """The bars are the diagonals of K and of the Nyström approximation."""
    X = np.array([[2.0, 1.0, -1.0], [0.5, 1.0, 0.0]])
    axes = figures.plot_shadows(X, 0).axes[1]
    heights = np.array([bar.get_height() for bar in axes.patches]).reshape(2, 3)
    made = lowrank.nystrom(X.T @ X, [0]).spectral_reconstruction()
    assert heights[0] == pytest.approx(np.diag(X.T @ X))
    assert heights[1] == pytest.approx(np.diag(made))


def test_ways_to_invert_agree_on_a_harmless_core():
    """On a well conditioned core all recipes give the same error."""
    K = np.eye(6) + np.ones((6, 6))
    errors = inversion.inversion_errors(K, [0, 2])
    assert list(errors)[-1] == "this package"
    assert list(errors.values()) == pytest.approx([errors["this package"]] * 5)


def test_only_this_package_bears_a_change_of_unit():
    """Scaling a smooth kernel by 1e-8 ruins the others by three digits or more."""
    K = kernels.rbf(_rng().random((200, 1)), gamma=20.0).dense()
    errors = inversion.inversion_errors(1e-8 * K, np.arange(40))
    ours = errors.pop("this package")
    assert ours < 1e-10
    assert min(errors.values()) > 1e3 * ours


def _rng():
    return np.random.default_rng(0)
