"""Kernel matrices: what shows its words that compare."""

import numpy as np
from words_shown import explained, shown, typed

from nystheory import datasets, kernels, lowrank
from nystheory.chapters.kernel_matrices import experiments

CHAPTER = "kernel_matrices"
X = datasets.digits().X


def share_held(equal=1000):
    """Of as many equal eigenvalues, how many hold what the table asks for."""
    (share,) = typed(CHAPTER, r"holding\(s, (0\.\d+)\), holding")
    return experiments.holding(np.ones(equal), share) / equal


def won_by_one_rank_more():
    K = kernels.rbf(X[:50]).dense()
    errors = [lowrank.best_rank_k(K, k).error(K) for k in range(1, 9)]
    return min(-np.diff(errors))


def read(columns):
    """How many entries these columns have, as the kernel counts them."""
    K = kernels.rbf(X)
    K[:, columns]
    return K.entries_asked


(TAKEN,) = typed(CHAPTER, r"sampling\.uniform\(K, (\d+),")

shown(
    CHAPTER,
    {
        "numbers hold [nine tenths] of what $K$ says": share_held(),
        "with one rank more the competitor [wins]": won_by_one_rank_more(),
        "Two hundred random columns have [fewer] entries": (
            read(range(int(TAKEN))) - read(range(len(X)))
        ),
    },
)

explained(
    CHAPTER,
    {
        "once $K$ has to come from a disk, everything takes [longer]": (
            "a disk is slower than memory; nothing is measured"
        ),
    },
)
