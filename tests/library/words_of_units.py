"""What docstrings say of units, refusals and memory, and whether it is true."""

import tracemalloc
import warnings

import numpy as np
from words_of_docstrings import ALPHAS, cases, dimension, everywhere, says, scores

from nystheory import (
    certificates,
    coherence,
    ensemble,
    guarantees,
    kernels,
    learners,
    lowrank,
    sampling,
)


def refused(call, *given, **options):
    try:
        call(*given, **options)
    except (ValueError, TypeError, IndexError):
        return True
    return False


# ---- Refusals


@says(
    "certificates.trace_certificate",
    "left on the diagonal is [negative] beyond rounding: then K is [not] semidefinite",
    "positive", "surely",
)
def left_on_the_diagonal(sign, word):
    told = []
    for entry in (0.5, 2.0):
        K = np.array([[1.0, entry], [entry, 1.0]])
        left = 1 - entry**2
        stops = (left < 0) == (sign == "negative")
        given = kernels.DenseKernel(K)  # of which nothing is checked
        near = lowrank.nystrom(given, [0])
        told.append(refused(certificates.trace_certificate, given, near) == stops)
        semidefinite = np.linalg.eigvalsh(K).min() >= 0
        told.append(semidefinite == ((word == "not") != (left < 0)))
    return all(told)


@says("certificates.trace_certificate", "or [not] known to be below K", "surely")
def known_to_be_below(word):
    told = []
    for near in (lowrank.nystrom, lowrank.column_sampling):
        K = cases()[2][0]
        made = near(K, [0, 1])
        stops = made.below == (word != "not")
        told.append(refused(certificates.trace_certificate, K, made) == stops)
    return all(told)


@says("coherence.of_vectors", "If the columns are [not] orthonormal", "already")
@says("coherence.basis_free", "If the columns are [not] orthonormal", "already")
def orthonormal(word):
    some = coherence.of_vectors, coherence.basis_free
    good, bad = np.eye(3)[:, :2], np.ones((3, 2))
    told = [[refused(each, U) for each in some] for U in (good, bad)]
    return told == [[word != "not"] * 2, [word == "not"] * 2]


@says(
    "coherence.of_matrix",
    "eigenvalues r and [r + 1] tie: then there is no such space",
    "r - 1",
)
def ties(word):
    """Of 2, 1, 1 the rank 1 is determined and 2 is not; of 2, 2, 1 the rank 2 is."""
    told = {(2, 2): np.diag([2.0, 1, 1]), (2, 0): np.diag([2.0, 2, 1])}
    end = {"r + 1": 2, "r - 1": 0}[word]
    return all(
        refused(coherence.of_matrix, K, r) == (at == end) for (r, at), K in told.items()
    )


@says("coherence.stable_rank", "is not an integer from [0] to [n - 1]", "1", "n")
def beyond(low, high):
    K = np.eye(4)
    ends = int(low), {"n - 1": 3, "n": 4}[high]
    taken = [s for s in range(-1, 6) if not refused(coherence.stable_rank, K, s)]
    return (taken[0], taken[-1]) == ends


@says("ensemble.exponential_weights", "or eta is [negative] or not finite", "positive")
def of_eta(word):
    told = [refused(ensemble.exponential_weights, [1.0, 2], e) for e in (-1.0, 1.0)]
    return told == [word == "negative", word == "positive"]


@says("learners.newton", "If the ridge is not [above] 0", "below")
def ridges(word):
    told = [refused(learners.newton, np.eye(2), [0, 1], r) for r in (-1.0, 0.0, 1.0)]
    return told == [word == "above", True, word == "below"]


@says("learners.newton", "or has entries [above] 1e150", "below")
def entries_of_features(word):
    sizes = 1.0, 1e151
    told = [refused(learners.newton, s * np.eye(2), [0, 1], 1.0) for s in sizes]
    return told == [word == "below", word == "above"]


@says("learners.newton", "or a column is [none] of X", "one")
def columns_of_features(word):
    given = np.eye(2), [0, 1], 1.0
    told = [refused(learners.newton, *given, columns=[c]) for c in (0, 2)]
    return told == [word == "one", word == "none"]


# ---- Ends


@says(
    "coherence.of_vectors",
    "From 1 ([all entries alike]) to sqrt(n) ([a column with a single entry])",
    "a column with a single entry", "all entries alike",
)
def ends_of_coherence(low, high):
    H = np.array([[1.0, 1], [1, -1]])
    told = {
        "all entries alike": coherence.of_vectors(np.kron(H, H)[:, :2] / 2),
        "a column with a single entry": coherence.of_vectors(np.eye(4)[:, :2]),
    }
    return np.allclose([told[low], told[high]], [1.0, 2.0])


@says("coherence.basis_free", "From [r] to [n]", "1", "r")
def ends_of_basis_free(low, high):
    H = np.array([[1.0, 1], [1, -1]])
    found = [coherence.basis_free(U) for U in (np.kron(H, H)[:, :2] / 2,
                                               np.eye(4)[:, :2])]
    by = {"1": 1, "r": 2, "n": 4}
    return np.allclose(found, [by[low], by[high]])


@says("coherence.effective_dimension", "From 0 to [rank] K", "trace")
def end_of_dimension(word):
    """With a ridge of next to nothing it comes to its end, with a large one to 0."""
    K = np.diag([5.0, 2.0, 0, 0])
    found = coherence.effective_dimension(K, 1e-9)
    end = {"rank": np.linalg.matrix_rank(K), "trace": K.trace()}[word]
    return np.isclose(found, end) and coherence.effective_dimension(K, 1e9) < 1e-6


@says("coherence.stable_rank", "From 1 to [rank] K - s", "trace")
def end_of_stable_rank(word):
    K = np.diag([6.0, 2, 2, 2, 0])
    end = {"rank": np.linalg.matrix_rank(K), "trace": K.trace()}[word] - 1
    return np.isclose(coherence.stable_rank(K, 1), end)


@says("sampling.leverage_scores", "of sum [k] (of sum rank K, where that is [less])",
      "n", "more")
def sum_of_scores(count, word):
    told = []
    for K in (np.diag([3.0, 2, 0, 0]), cases()[1][0]):
        rank = np.linalg.matrix_rank(K)
        k = {"k": 3, "n": len(K)}[count]
        end = {"less": min, "more": max}[word](k, rank)
        told.append(np.isclose(sampling.leverage_scores(K, 3).sum(), end))
    return all(told)


# ---- Units


@says("ensemble.exponential_weights", "in units of [one over the errors]", "the errors")
def units_of_eta(word):
    """In other units of the errors, with eta in its own, the weights are the same."""
    errors, c = np.array([1.0, 2, 4]), 7.0
    eta = 0.7 * {"one over the errors": 1 / c, "the errors": c}[word]
    own = [ensemble.exponential_weights(*x) for x in ((errors, 0.7), (c * errors, eta))]
    return np.allclose(*own)


@says(
    "guarantees.effective_dimension",
    "that of the covariance: [n times] theirs is meant here",
    "one n-th of",
)
def ridge_of_the_covariance(word):
    X = np.random.default_rng(0).standard_normal((12, 3))
    theirs = dimension(X.T @ X / 12, 0.3)
    alpha = 0.3 * {"n times": 12, "one n-th of": 1 / 12}[word]
    own = guarantees.effective_dimension(X @ X.T, alpha)
    return own.low - 1e-9 <= theirs <= own.high + 1e-9


UNITS = {"K": 1, "1 / K": -1}


@says("guarantees.effective_dimension", "The ridge, above 0, in units of [K]", "1 / K")
@says("sampling.ridge_leverage", "The ridge, in units of [K]", "1 / K")
@says("sampling.bless", "the ridge in units of [K]", "1 / K")
def units_of_ridges(word, c=8.0):
    K, by = cases()[1][0], c ** UNITS[word]
    told = [
        (guarantees.effective_dimension(s * K, a).low,
         sampling.ridge_leverage(
             s * K, 3, np.random.default_rng(0), alpha=a).probabilities,
         sampling.bless(s * K, 3, np.random.default_rng(0), alpha=a).indices)
        for s, a in ((1, 0.4), (c, 0.4 * by))
    ]
    same = [np.shape(x) == np.shape(y) and np.allclose(x, y)
            for x, y in zip(*told, strict=True)]
    return all(same) if word == "K" else any(same)


@says("sampling.column_norm", "Proportional to the [squared] length", "plain")
def lengths(power):
    K = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 1]])
    by = {"squared": 2, "plain": 1}[power]
    sizes = np.linalg.norm(K, axis=0) ** by
    own = sampling.column_norm(K, 1, np.random.default_rng(0), squared=True)
    return np.allclose(own.probabilities, sizes / sizes.sum())


# ---- Which of two


@says(
    "sampling.incomplete_cholesky",
    "factor is the [Nyström approximation] from the pivots",
    "best approximation of rank l",
)
def of_pivots(word):
    def claim(K, near, E):
        chosen = sampling.incomplete_cholesky(K, 3)
        made = {
            "Nyström approximation": lambda: lowrank.nystrom(K, chosen.indices),
            "best approximation of rank l": lambda: lowrank.best_rank_k(K, 3),
        }[word]()
        own = chosen.factor @ chosen.factor.T
        return np.allclose(own, made.spectral_reconstruction())

    return everywhere(claim)


@says("coherence.approximate_leverage_scores",
      "A score is the [squared] cosine of the angle", "plain")
def cosines(word):
    """Of an axis and the space, by its projection."""
    power = {"squared": 2, "plain": 1}[word]

    def claim(K, near, E):
        U = np.linalg.eigh(K)[1][:, -2:]
        return np.allclose(np.linalg.norm(U @ U.T, axis=0) ** power, scores(K, 2))

    return everywhere(claim)


@says("coherence.effective_dimension", "It is the [mean] number of columns", "largest")
def mean_number(word):
    """Over all sets, in proportion to the determinants, the empty one among them."""
    K, alpha = cases()[1][0][:4, :4], ALPHAS[1]
    sets = [[j for j in range(4) if bits >> j & 1] for bits in range(16)]
    p = np.array([np.linalg.det(K[np.ix_(s, s)] / alpha) for s in sets])
    sizes = np.array([len(s) for s in sets])
    found = {"mean": p @ sizes / p.sum(), "largest": sizes.max()}[word]
    return np.isclose(coherence.effective_dimension(K, alpha), found)


# ---- Words of memory, and entries


def peak(call, *given, **options):
    """The words of float64 that a call takes at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tracemalloc.start()
        try:
            call(*given, **options)
            return tracemalloc.get_traced_memory()[1] / 8
        finally:
            tracemalloc.stop()


@says("learners.newton", "operations and [n N + N^2] words", "n N^2")
@says("learners.newton", "``2 n N l + 2 N l^2``, and [n N] words", "n l")
def words_of_a_step(told, n=4000, N=40, columns=4):
    """Up to a factor of two."""
    X = np.random.default_rng(0).standard_normal((n, N))
    some = {"n N": n * N, "n N + N^2": n * N + N**2, "n N^2": n * N**2,
            "n l": n * columns}
    given = {} if "N^2" in told else {"columns": range(columns)}
    taken = peak(
        learners.newton, X, (X[:, 0] > 0) * 1, 1.0, max_iter=2, tol=1e-300, **given
    )
    return 1 / 2 < taken / some[told] < 2


class Counted:
    """A kernel of one's own, which counts its entries."""

    asked = 0

    def __call__(self, x, y):
        self.asked += 1
        return float(np.exp(-((x - y) ** 2).sum()))


COSTS = {
    "exact": "``exact`` n^3 / 3 n^2 [n]",
    "nystrom": "``nystrom`` 2 n l^2 n l [l]",
    "regressors": "``regressors`` 2 n l^2 n l [l]",
    "preconditioned": "``preconditioned`` 2 n l^2 + 2 t n^2 n l [n]",
    "falkon": "``falkon`` 4 t n l + 4 l^3 6 l^2 [l]",
}


def entries(method):
    """A check of the entries of K that a prediction of this method asks for."""

    def check(word, n=12, landmarks=(0, 1, 2)):
        X = np.random.default_rng(0).standard_normal((n, 2))
        kernel = Counted()
        some = {} if method == "exact" else {"landmarks": [*landmarks]}
        model = learners.KernelRidge(kernel=kernel, method=method, ridge=0.1, **some)
        model.fit(X, X[:, 0])
        before = model.kernel.asked
        model.predict(X[:1] + 0.1)
        return model.kernel.asked - before == {"n": n, "l": len(landmarks)}[word]

    return check


for method, phrase in COSTS.items():
    says("learners.KernelRidge", phrase, "l" if "[n]" in phrase else "n")(
        entries(method)
    )


@says("kernels.KernelMatrix", "[n] for the diagonal", "n^2")
def of_the_diagonal(word):
    K = kernels.linear(np.eye(5))
    K.diagonal()
    return K.entries_asked == {"n": 5, "n^2": 25}[word]
