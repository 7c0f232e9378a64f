"""The operations that docstrings tell of, counted in the package's own code.

`found` has, of each phrase, its formula at the sizes and what is counted, where
`counted_operations.install` came before the first import of the package: so it has a
process of its own.
"""

# ruff: noqa: E741

import re
import warnings
from functools import cache

import counted_operations
import numpy as np

from nystheory import (
    certificates,
    coherence,
    ensemble,
    features,
    kernels,
    lowrank,
    sampling,
)
from nystheory.sampling import (
    update_probability_criterion,
    update_probability_full,
    update_probability_partial,
)

COSTS = {}


def product(words):
    """``2 n l^2`` in Python."""
    return re.sub(r"(?<=[\w)]) (?=[\w(])", "*", words.replace("^", "**"))


def costs(name, words, formula="", **sizes):
    """What a function does costs so many operations, in the words of a docstring."""

    def enter(function):
        told = formula or re.search(r"(?:[a-zA-Z]\w+ )*`*([^`]*?)`* oper", words)[1]
        COSTS[name, words] = told, sizes, function
        return function

    return enter


def counted(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return counted_operations.operations(lambda: function(*args, **options))


def twice(function, *args):
    """The second time, when what is kept of an approximation is known."""
    function(*args)
    return counted(function, *args)


def a_step(function, *args, most="max_iterations", **options):
    """Of one step of an iteration: what more of them cost more."""
    few, many = (counted(function, *args, **options, **{most: t}) for t in (2, 4))
    return (many - few) / 2


@cache
def matrix(n):
    """A kernel matrix that is stored and was checked: its entries cost nothing."""
    K = kernels.DenseKernel(kernels.rbf(points(n, 5), 0.3).dense())
    # The first of these measures how fast the machine is.
    sampling.adaptive_full(np.eye(3), 2, np.random.default_rng(0))
    return K


@cache
def points(n, d):
    return np.random.default_rng(0).standard_normal((n, d))


def numbers(*shape):
    return np.random.default_rng(1).standard_normal(shape)


def near(n, l, k=None):
    """An approximation from columns."""
    return lowrank.nystrom(matrix(n), range(l), k)


def found():
    """What is told and what is counted, by name and phrase."""
    for (name, words), (formula, sizes, function) in COSTS.items():
        told = eval(product(re.sub(r"\|(\w)\|", r"\1", formula)), {}, sizes)
        yield name, words, told, function(**sizes)


# ---- Approximations


@costs("lowrank.nystrom", "Costs n l^2 operations", n=2000, l=40)
def _(n, l):
    return twice(near, n, l)


@costs(
    "lowrank.nystrom",
    "on demand, by 2 n l k operations", "2 n l k", n=2000, l=40, k=40,
)
def _(n, l, k):
    made = near(n, l)
    return counted(lambda: made.eigenvectors)


@costs("lowrank.column_sampling", "about 6 n l^2 operations", n=2000, l=40)
def _(n, l):
    return counted(lowrank.column_sampling, matrix(n), range(l))


@costs(
    "lowrank.orthonormal_nystrom",
    "costs n l^2 operations as `nystrom`, and 4 n k^2 for",
    "n l^2 + 2 n l k + 4 n k^2",
    n=2000,
    l=40,
    k=20,
)
def _(n, l, k):
    return counted(lowrank.orthonormal_nystrom, matrix(n), range(l), k)


@costs("lowrank.optimal_reconstruction", "2 n^2 k operations", n=2000, l=20, k=10)
def _(n, l, k):
    return counted(lowrank.optimal_reconstruction, matrix(n), range(l), k)


@costs("lowrank.Factored.spectral_reconstruction", "n^2 m operations", n=1000, m=40)
def _(n, m):
    return counted(near(n, m).spectral_reconstruction)


@costs("lowrank.Factored.diagonal", "2 n m operations", n=1000, m=40)
def _(n, m):
    return counted(near(n, m).diagonal)


@costs("lowrank.Factored.block", "2 a b m operations", a=200, b=100, m=40)
def _(a, b, m):
    return counted(near(1000, m).block, range(a), range(500, 500 + b))


@costs(
    "lowrank.Factored.solve",
    "``n m^2 + m^3 / 3 + 4 n m q`` operations", n=2000, m=40, q=30,
)
def _(n, m, q):
    return counted(near(n, m).solve, numbers(n, q), 0.1)


@costs("lowrank.Factored.logdet", "n m^2 operations", n=2000, m=40)
def _(n, m):
    return counted(near(n, m).logdet, 0.1)


@costs(
    "lowrank.Factored.inverse_diagonal",
    "``2 n m^2 + m^3 / 3`` operations", n=2000, m=40,
)
def _(n, m):
    return counted(near(n, m).inverse_diagonal, 0.1)


@costs(
    "lowrank.Factored.to_linear_operator",
    "A product costs 4 n m operations", "4 n m", n=2000, m=40,
)
def _(n, m):
    made = near(n, m).to_linear_operator()
    return counted(made.matvec, numbers(n))


@costs("lowrank.LowRank.transform", "``m l^2`` operations", m=500, l=40)
def _(m, l):
    made = lowrank.nystrom(kernels.rbf(points(600, 5), 0.3), range(l))
    few, many = (counted(made.transform, numbers(x, 5)) for x in (m, 2 * m))
    return many - few


@costs(
    "lowrank.LowRank.extend", "2 m n k operations more", "2 m n k", m=500, n=600, k=40
)
def _(m, n, k):
    made = lowrank.nystrom(kernels.rbf(points(n, 5), 0.3), range(k))
    new = numbers(m, 5)
    return counted(made.extend, new) - counted(made.transform, new)


@costs("lowrank.LowRank.matrix_projection", "Costs 4 n^2 k operations", n=1000, k=20)
def _(n, k):
    return counted(near(n, 40, k).matrix_projection, matrix(n))


@costs("lowrank.LowRank.error", "Frobenius: n^2 k operations", "n^2 k", n=2000, k=40)
def _(n, k):
    return counted(near(n, k).error, matrix(n), "frobenius")


@costs("lowrank.best_rank_k", "Costs n^3 operations", "10 n^3", n=400)
def _(n):
    return counted(lowrank.best_rank_k, matrix(n), 5)


# ---- Ensembles


@costs("ensemble.experts", "``p n l (l + 2 k)`` operations", p=3, n=2000, l=40, k=20)
def _(p, n, l, k):
    samples = np.arange(p * l).reshape(p, l).tolist()
    return counted(ensemble.experts, matrix(n), samples, k)


@costs("ensemble.validate", "``2 n s p (k + p)`` operations", n=2000, s=50, p=3, k=40)
def _(n, s, p, k):
    made = ensemble.experts(matrix(n), np.arange(p * k).reshape(p, k).tolist())
    return counted(ensemble.validate, matrix(n), made, range(500, 500 + s))


@costs("ensemble.Ensemble.truncated", "``4 n m^2 + 10 m^3`` operations", n=2000, m=60)
def _(n, m):
    made = ensemble.experts(matrix(n), np.arange(m).reshape(2, -1).tolist())
    return counted(ensemble.Ensemble(made, [0.5, 0.5]).truncated, m // 4)


# ---- Numbers of a matrix, and certificates


@costs(
    "coherence.approximate_effective_dimension", "Costs n l^2 operations", n=2000, l=40
)
def _(n, l):
    made = near(n, l)
    return counted(coherence.approximate_effective_dimension, matrix(n), made, 0.1)


@costs("coherence.approximate_ridge_scores", "Costs 2 n l^2 operations", n=2000, l=40)
def _(n, l):
    made = near(n, l)
    return counted(coherence.approximate_ridge_scores, matrix(n), made, 0.1)


@costs(
    "coherence.approximate_stable_rank", "Costs about 6 n l^2 operations", n=2000, l=40
)
def _(n, l):
    made = near(n, l)
    return counted(coherence.approximate_stable_rank, matrix(n), made, 2)


@costs("certificates.trace_certificate", "costs 2 n k operations", n=2000, k=40)
def _(n, k):
    return twice(certificates.trace_certificate, matrix(n), near(n, k))


@costs("certificates.entry_certificate", "costs 2 n k operations", n=2000, k=40)
def _(n, k):
    return twice(certificates.entry_certificate, matrix(n), near(n, k))


@costs("certificates.leave_one_out_frobenius", "costs 2 n l^2 operations", n=2000, l=40)
def _(n, l):
    return counted(certificates.leave_one_out_frobenius, matrix(n), range(l))


@costs("certificates.residual_columns", "2 n l^2 operations", n=2000, l=40)
def _(n, l):
    C = matrix(n)[:, range(l)]
    return counted(certificates.residual_columns, C, range(l))


# ---- Sampling


@costs("sampling.update_probability_full", "Costs 4 n^2 |R| operations", n=1000, R=40)
def _(n, R):
    return counted(update_probability_full, matrix(n), range(R))


@costs(
    "sampling.update_probability_partial",
    "costs ``2 n |R| (|R| - k')`` operations", "2 n R (R - k)", n=2000, R=30, k=8,
)
def _(n, R, k):
    return counted(update_probability_partial, matrix(n), range(R), k)


@costs(
    "sampling.update_probability_criterion",
    "costs ``4 n |I| (|I| - k)`` operations", "4 n I (I - k)", n=2000, I=30, k=8,
)
def _(n, I, k):
    y = numbers(n)
    return counted(update_probability_criterion, matrix(n), range(I), y, k)


@costs("sampling.adaptive_full", "Costs 4 n^2 l operations", n=2000, l=40)
def _(n, l):
    rng = np.random.default_rng(0)
    return counted(sampling.adaptive_full, matrix(n), l, rng)


# ---- Features


@costs("features.NystromFeatures.transform", "m l^2 operations", m=500, l=40)
def _(m, l):
    X = points(600, 5)
    made = features.NystromFeatures(n_landmarks=l, landmarks="uniform", random_state=0)
    made.fit(X)
    few, many = (counted(made.transform, numbers(x, 5)) for x in (m, 2 * m))
    return many - few


@costs(
    "features.RandomFourierFeatures",
    "`transform` costs 2 n m d operations", "2 n m d", n=2000, m=50, d=5,
)
def _(n, m, d):
    made = features.RandomFourierFeatures(n_components=2 * m, random_state=0)
    X = points(n, d)
    return counted(made.fit(X).transform, X)


# ---- The kernel


@costs("kernels.linear", "costs 2 a b d operations", a=500, b=400, d=30)
def _(a, b, d):
    K = kernels.linear(points(1000, d))
    return counted(lambda: K[list(range(a)), list(range(500, 500 + b))])
