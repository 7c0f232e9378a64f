"""What docstrings of schemes, mixtures and learners say in words, and whether it is."""

import itertools
import warnings

import numpy as np
from words_of_docstrings import ROUNDING, cases, eigenvalues, everywhere, holds, says

from nystheory import ensemble, kernels, learners, lowrank, manifold, sampling
from nystheory.sampling import FewerLandmarks

# ---- Schemes


def warned(scheme, K, size):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        scheme(K, size)
    return any(issubclass(each.category, FewerLandmarks) for each in told)


@says(
    "sampling.incomplete_cholesky",
    "If the pivots explain K up to rounding [before] there are l of them",
)
def too_few_pivots(word, scheme=sampling.incomplete_cholesky):
    X = np.random.default_rng(0).standard_normal((6, 2))
    low, full = X @ X.T, X @ X.T + np.eye(6)
    told = [warned(scheme, K, 4) for K in (low, full)]
    return told == [word == "before", word == "after"]


@says(
    "sampling.rp_cholesky",
    "If the pivots explain K up to rounding [before] there are l of them",
)
def too_few_random_pivots(word):
    rng = np.random.default_rng(0)
    return too_few_pivots(word, lambda K, size: sampling.rp_cholesky(K, size, rng))


@says("sampling.k_dpp", "If K has a rank [below] l")
@says("sampling.volume", "If K has a rank [below] l")
def of_low_rank(word):
    rng = np.random.default_rng(0)
    some = sampling.k_dpp, sampling.volume
    return all(
        too_few_pivots(
            {"below": "before", "above": "after"}[word],
            lambda K, size, scheme=scheme: scheme(K, size, rng),
        )
        for scheme in some
    )


@says("sampling.farthest_point", "If there are [fewer] than l different points")
def few_points(word):
    X = np.random.default_rng(0).standard_normal((6, 2))
    few, many = np.repeat(X[:3], 2, axis=0), X
    told = [
        warned(sampling.farthest_point, kernels.rbf(each), 4) for each in (few, many)
    ]
    return told == [word == "fewer", word == "more"]


@says("sampling.incomplete_cholesky", "the point of which the [least] is explained")
def pivots(word):
    end = {"least": np.argmax, "most": np.argmin}[word]

    def claim(K, near, E):
        chosen = sampling.incomplete_cholesky(K, 3).indices
        for j in range(3):
            left = np.diag(K)
            if j:
                made = lowrank.nystrom(K, chosen[:j]).spectral_reconstruction()
                left = left - np.diag(made)
            if end(left) != chosen[j]:
                return False
        return True

    return everywhere(claim)


def _cover(X, S):
    return np.linalg.norm(X[:, None] - X[S], axis=2).min(axis=1).max()


@says(
    "sampling.farthest_point",
    "[largest] distance of a point from the nearest landmark is [at most] twice the "
    "[smallest] possible",
)
def farthest(end, word, best):
    ratios = []
    for seed in range(20):
        X = np.random.default_rng(seed).standard_normal((9, 2))
        S = sampling.farthest_point(kernels.linear(X), 3).indices
        own = [_cover(X, list(each)) for each in itertools.combinations(range(9), 3)]
        first = {"largest": np.max, "smallest": np.min}[best](own)
        far = np.linalg.norm(X[:, None] - X[S], axis=2).min(axis=1)
        ratios.append({"largest": np.max, "smallest": np.min}[end](far) / first)
    # So near to twice as to tell it from less.
    return max(ratios) > 1 and holds(word, ratios, 2.0)


@says("sampling.adaptive_full", "A batch is drawn [without] replacement")
@says("sampling.uniform", "drawn uniformly at random, [without] replacement unless")
def no_column_twice(word):
    K, rng = np.diag([1.0, 1, 1, 1, 1]), np.random.default_rng(0)
    some = [sampling.uniform(K, 4, rng).indices for _ in range(9)]
    some += [sampling.adaptive_full(K, 4, rng, batch=4).indices for _ in range(9)]
    return all(len({*each}) == 4 for each in some) == (word == "without")


@says("sampling.bless", "Drawn [with] replacement, with weights w")
def twice(word):
    K, rng = np.eye(9), np.random.default_rng(0)
    some = [sampling.bless(K, 6, rng, alpha=1.0) for _ in range(9)]
    return any(len({*x.indices}) < len(x.indices) for x in some) == (word == "with")


# ---- Mixtures


def _experts():
    for K, _, _ in cases():
        made = ensemble.experts(K, [[0, 1, 2], [3, 4, 5]])
        yield K, made, [np.linalg.norm(K - x.spectral_reconstruction()) for x in made]


@says("ensemble.mean_error", "The uniform mixture [never exceeds] it")
def uniform_mixture(word):
    told = [
        (ensemble.Ensemble(made, [0.5, 0.5]).error(K, "frobenius"), np.mean(own))
        for K, made, own in _experts()
    ]
    return all(holds(word, *each) for each in told)


@says("ensemble.best_learner", "The expert with the [smallest] error")
def best(word):
    end = {"smallest": np.argmin, "largest": np.argmax}[word]
    return all(
        ensemble.best_learner(K, made) is made[end(own)] for K, made, own in _experts()
    )


# ---- Learners


def _preconditioned(near, K, ridge):
    P = near.spectral_reconstruction() + ridge * np.eye(len(K))
    half = np.linalg.inv(np.linalg.cholesky(P))
    return half @ (K + ridge * np.eye(len(K))) @ half.T


RIDGES = (0.01, 0.5, 4.0)


@says("learners.Preconditioner", "lie [between] 1 and ``1 + |K - K~|_2 / ridge``")
def spectrum_of_preconditioned(word):
    if word != "between":
        return False
    return all(
        everywhere(
            lambda K, near, E, r=r: holds(
                "at most",
                abs(eigenvalues(_preconditioned(near, K, r)) - 1),
                np.linalg.norm(E, 2) / r,
            )
            and holds("at least", eigenvalues(_preconditioned(near, K, r)), 1)
        )
        for r in RIDGES
    )


@says("learners.Preconditioner", "``P^-1`` is [at most] ``1 / ridge``")
def inverse(word):
    return everywhere(
        lambda K, near, E: holds(
            word, 1 / (eigenvalues(near.spectral_reconstruction()) + 0.5), 1 / 0.5
        )
    )


@says("learners.Preconditioner.condition", "``1 + tr(K - K~) / r``, [at least] 1")
def condition(word):
    def claim(K, near, E):
        told = learners.Preconditioner(near, 0.5).condition(K)
        assert np.isclose(told, 1 + E.trace() / 0.5)
        values = eigenvalues(_preconditioned(near, K, 0.5))
        assert values[0] / values[-1] <= told + ROUNDING
        return holds(word, told, 1)

    return everywhere(claim)


@says("learners.tolerated_error", "If ``|K - K~|_2`` is [at most] this the condition")
def tolerated(word):
    """Where it is, the number is met, and beyond there are some that do not meet it."""
    tried = {True: [], False: []}
    for K, near, E in [*cases(), (np.diag([1.0, 2]), lowrank.nystrom(
            np.diag([1.0, 2]), [0]), np.diag([0.0, 2]))]:
        for ridge in RIDGES:
            values = eigenvalues(_preconditioned(near, K, ridge))
            small = np.linalg.norm(E, 2) <= learners.tolerated_error(ridge, 3.0)
            tried[small].append(values[0] / values[-1] <= 3 + ROUNDING)
    return all(tried[word == "at most"])


@says(
    "learners.falkon",
    "differ from those of the minimum by [at most] ``|r| / (2 sqrt(ridge))``",
)
def predictions(word):
    def claim(K, near, E, ridge=0.2):
        F, y = near.factor, np.sin(np.arange(len(K)))
        A = F.T @ F + ridge * np.eye(F.shape[1])
        rng = np.random.default_rng(0)
        w = np.linalg.solve(A, F.T @ y)
        some = [w + 0.1 * rng.standard_normal(len(w)) for _ in range(9)]
        moved = [np.linalg.norm(F @ (v - w)) for v in some]
        left = [np.linalg.norm(A @ v - F.T @ y) for v in some]
        return holds(word, moved, np.array(left) / (2 * np.sqrt(ridge)))

    return everywhere(claim)


@says("learners.falkon", "``|r|`` is [at most] the relative residual times")
def residual(word):
    def claim(K, near, E):
        y = np.sin(np.arange(len(K)))
        right = np.linalg.norm(near.factor.T @ y)
        return holds(word, right, np.sqrt(K.trace()) * np.linalg.norm(y))

    return everywhere(claim)


@says(
    "learners.KernelPCA",
    "each eigenvalue of K is [at least] the one here and [at most] c above it",
)
def components(low, high):
    return everywhere(
        lambda K, near, E: holds(low, eigenvalues(K), eigenvalues(K - E))
        and holds(high, eigenvalues(K), eigenvalues(K - E) + E.trace())
    )


# ---- Manifolds


@says("manifold.LandmarkMDS", "The mean [squared] distance of the landmarks to each")
def means(word):
    far = np.linalg.norm(np.random.default_rng(0).standard_normal((7, 1, 3))
                         - np.random.default_rng(0).standard_normal((7, 3)), axis=2)
    model = manifold.LandmarkMDS(2).fit(far[:, :4])
    power = {"squared": 2, "plain": 1}[word]
    return np.allclose(model.mean_, (far[:4, :4] ** power).mean(axis=0))
