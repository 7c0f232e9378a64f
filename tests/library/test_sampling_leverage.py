"""Estimated leverage scores are near the exact ones."""

import numpy as np

from nystheory import datasets, kernels, sampling


def test_bless_weights_give_scores_within_a_factor():
    """Within 2.1 of the exact scores, where uniform scores are not within 4."""
    K = kernels.rbf(datasets.digits(500).X)
    dense, alpha = K.dense(), 2.0
    drawn = sampling.bless(K, None, np.random.default_rng(0), alpha=alpha)
    J, w = drawn.indices, drawn.weights
    core = dense[np.ix_(J, J)] + np.diag(alpha / w)
    explained = np.einsum("ij,ji->i", dense[:, J], np.linalg.solve(core, dense[J]))
    ratio = (dense.diagonal() - explained) / alpha
    ratio /= sampling.ridge_leverage_scores(K, alpha)
    assert 1 / 2.1 < ratio.min() and ratio.max() < 2.1


def test_recursive_rls_finds_what_leverage_finds():
    """Two large clusters hide thirty lonely points, which uniform sampling misses."""
    X = np.repeat(np.eye(32), [2000, 1970] + [1] * 30, axis=0)
    K = kernels.linear(X)
    rng = np.random.default_rng(0)
    found = [
        len(set(sampling.recursive_rls(K, 200, rng).indices) & set(range(3970, 4000)))
        for _ in range(5)
    ]
    assert min(found) >= 25
    chance = [len(set(sampling.uniform(K, 200, rng).indices) & set(range(3970, 4000)))]
    assert max(chance) < 8
