"""Ranks and pivots: what is solved with the core W, and in which memory."""

import numpy as np
import pytest
from lowrank_cases import AWKWARD, an_instance

from nystheory import kernels, lowrank
from nystheory.lowrank import _core


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("zero", 0),
        ("zero core", 0),
        ("repeated landmarks", 2),
        ("repeated points", 2),
        ("singular core", 1),
        ("coherent", 1),
        ("graded", 5),
    ],
)
def test_rank_says_how_many_columns_there_are(name, rank):
    K, S = AWKWARD[name]
    assert lowrank.nystrom(K, S).rank == rank
    assert lowrank.column_sampling(K, S).rank == rank


@pytest.mark.parametrize("S", [[3, 1, 0, 5], [3, 1, 3, 5]])
def test_factor_is_solved_in_the_memory_of_the_columns(S, monkeypatch):
    columns = []

    class Watched(kernels.DenseKernel):
        def __getitem__(self, key):
            columns.append(super().__getitem__(key))
            return columns[-1]

    K, dense, _ = an_instance()
    factor = lowrank.nystrom(Watched(dense), S).factor
    assert factor.flags.c_contiguous and np.shares_memory(factor, columns[0])


def test_the_order_of_elimination_is_indifferent(monkeypatch):
    K, _, S = an_instance()
    a = lowrank.nystrom(K, S)
    monkeypatch.setattr(_core, "SAFE_RATIO", np.inf)
    b = lowrank.nystrom(K, S)
    assert not np.allclose(a.factor, b.factor)
    assert np.allclose(a.eigenvalues, b.eigenvalues, rtol=1e-13)
    difference = a.spectral_reconstruction() - b.spectral_reconstruction()
    assert np.abs(difference).max() < 1e-13


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda K: lowrank.nystrom(kernels.DenseKernel(1 - np.eye(3)), [0, 1]),
            ValueError,
            "K: expected a positive semidefinite matrix, .*core W has eigenvalue -1",
        ),
        (lambda K: lowrank.nystrom(K - 2.5, [0]), ValueError, "eigenvalue -5.59"),
    ],
)
def test_messages(call, error, says):
    with pytest.raises(error, match=says):
        call(np.diag([3.0, 2.0, 1.0]))
