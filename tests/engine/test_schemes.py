"""Schemes side by side: their accuracy, entries, and how they are drawn."""

from types import SimpleNamespace

import numpy as np

from nystheory import datasets, kernels, sampling, style
from nystheory.engine.findings import schemes
from nystheory.engine.report.artists import named, unlike, unnamed, words

K = kernels.rbf(datasets.digits(40).X)


def test_accuracies_are_those_of_the_textbook():
    found = schemes.compare(K, 3, [5, 8], runs=2, schemes=["incomplete_cholesky"])
    both, dense = (found.accuracy, found.after), K.dense()
    w = np.linalg.eigvalsh(dense)
    tail = np.linalg.norm(w[:-3])
    for i, count in enumerate((5, 8)):
        S = sampling.incomplete_cholesky(K, count).indices
        C, W = dense[:, S], dense[np.ix_(S, S)]
        values, U = np.linalg.eigh(W)
        core = C @ (U[:, -3:] / values[-3:]) @ U[:, -3:].T @ C.T
        whole, V = np.linalg.eigh(C @ np.linalg.inv(W) @ C.T)
        after = (V[:, -3:] * whole[-3:]) @ V[:, -3:].T
        errors = [np.linalg.norm(dense - made) for made in (core, after)]
        seen = [part["incomplete_cholesky"][i] for part in both]
        np.testing.assert_allclose(seen, np.outer(tail / errors, [1, 1]), rtol=1e-6)


def test_every_scheme_takes_part_and_counts_its_entries():
    found = schemes.compare(K, 2, [4, 8], runs=2)
    n, l = 40, np.array([4, 8])  # noqa: E741
    assert tuple(found.accuracy) == tuple(schemes.ALL)
    for values in found.accuracy.values():
        assert values.shape == (2, 2) and (values > 0).all() and (values < 1.01).all()
    np.testing.assert_array_equal(found.entries["uniform"][:, 0], n * l)
    pivots = found.entries["rp_cholesky"][:, 0]
    assert (n * (l + 1) <= pivots).all() and (pivots <= n * (2 * l + 1)).all()
    np.testing.assert_array_equal(found.entries["kmeans"][:, 0], n * l + l**2)
    np.testing.assert_array_equal(found.entries["k_dpp"][:, 0], n**2 + n * l)
    again = schemes.compare(K, 2, [4, 8], runs=2, schemes=["sgma"])
    np.testing.assert_array_equal(again.accuracy["sgma"], found.accuracy["sgma"])


def test_truncated_after_is_another_accuracy_of_the_same_samples():
    found = schemes.compare(K, 2, [8], runs=3, schemes=["uniform"])
    after = found.truncated_after()
    assert after.accuracy is found.after and after.entries is found.entries


def test_a_scheme_that_ends_early_is_still_compared():
    X = np.random.default_rng(0).standard_normal((30, 3))
    linear = kernels.linear(X)
    found = schemes.compare(linear, 2, [3, 10], runs=2, schemes=["rp_cholesky"])
    np.testing.assert_allclose(found.after["rp_cholesky"], 1, rtol=1e-6)


def test_tables_and_winners():
    found = {"K": schemes.compare(K, 2, [4, 8], runs=3, schemes=["uniform", "sgma"])}
    for table in (schemes.accuracy_table(found), schemes.time_table(found)):
        assert table.header == ("scheme", "K")
        assert [row[0] for row in table.rows] == ["Uniform", "SGMA"]
        assert all(row[1].count(", ") == 1 for row in table.rows)
    means = {name: v.mean(axis=1) for name, v in found["K"].accuracy.items()}
    best = schemes.winners(found["K"], ["uniform", "sgma"])
    for i, name in enumerate(best):
        assert means[name][i] == max(mean[i] for mean in means.values())


def test_the_rank_holds_its_share_of_every_matrix():
    for name, K in schemes.matrices(100, 20).items():
        share = schemes.energy(K, 20)
        assert share >= 0.9
        if name == "digits, RBF":
            assert share < 0.91


def test_the_largest_gamma_just_holds_its_share():
    X = np.random.default_rng(2).standard_normal((30, 2))
    gamma = schemes.largest_gamma(X, rank=5)
    shares = [schemes.energy(kernels.rbf(X, g), 5) for g in (gamma, gamma + 0.01)]
    assert shares[0] >= 0.9 > shares[1]


def test_each_scheme_has_its_entries_and_its_accuracy():
    names = ("uniform", "sgma")
    entries = {x: np.array([[16, 48], [96, 96]]) * i for i, x in enumerate(names, 1)}
    accuracy = {
        x: np.array([[0.2, 0.4], [0.6, 0.7]]) / i for i, x in enumerate(names, 1)
    }
    _, (axes,) = style.panels(1)
    found = SimpleNamespace(entries=entries, accuracy=accuracy)
    schemes.draw_entries(axes, found, 8, names)
    wanted = {
        "Uniform": ([0.5, 1.5], [0.3, 0.65]),
        "SGMA": ([1, 3], [0.15, 0.325]),
    }
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black :": ([1, 1], [0, 1])}) == []
    label = "entries of $K$ asked for, over $n^2$"
    assert words(axes) == (label, "", "", "log linear")
    assert set(schemes.STYLES) == set(schemes.ALL)
