"""What docstrings divide by, square, or take the mean of, and whether it is so."""

import numpy as np
from words_of_docstrings import cases, everywhere, says

from nystheory import certificates, learners, lowrank, manifold, sampling, selection

X = np.random.default_rng(2).standard_normal((9, 2))
Y = np.sin(3 * X[:, 0])
POWERS = {"squared": 2, "plain": 1}


def shares(sizes):
    return sizes / sizes.sum()


@says("sampling.update_probability_full", "shares of [squared] column residuals",
      "plain")
def of_columns(word):
    def claim(K, near, E):
        Q = np.linalg.qr(K[:, [0, 2]])[0]
        left = np.linalg.norm(K - Q @ (Q.T @ K), axis=0)
        left[[0, 2]] = 0
        own = sampling.update_probability_full(K, [0, 2])
        return np.allclose(own, shares(left ** POWERS[word]))

    return everywhere(claim)


@says("sampling.adaptive_full", "the squared residuals are divided by their [sum]",
      "Euclidean norm")
@says("sampling.adaptive_partial", "squared errors are divided by their [sum]",
      "Euclidean norm")
def divided(word):
    """By the sum there is a distribution, and the norm of that is less than one."""
    take = {"sum": np.sum, "Euclidean norm": np.linalg.norm}[word]

    def claim(K, near, E):
        own = [sampling.update_probability_full(K, [0, 1]),
               sampling.update_probability_partial(K, [0, 1])]
        return np.allclose([take(p) for p in own], 1)

    return everywhere(claim)


@says("sampling.dpp", "the ridge leverage scores, divided by their [sum]", "largest")
def inclusion(word):
    K = cases()[1][0]
    scores = sampling.ridge_leverage_scores(K, 0.5)
    end = {"sum": np.sum, "largest": np.max}[word](scores)
    own = sampling.dpp(K, None, np.random.default_rng(0), alpha=0.5).probabilities
    return np.allclose(own, scores / end)


@says(
    "certificates.leave_one_out_trace",
    "``([n - l + 1]) / l`` times the [sum] of `schur_complements`",
    "n - l", "largest",
)
def left_out(front, word):
    take = {"sum": np.sum, "largest": np.max}[word]
    share = {"n - l + 1": 5, "n - l": 4}[front] / 4

    def claim(K, near, E):
        S = near.landmarks
        terms = certificates.schur_complements(K[np.ix_(S, S)])
        own = certificates.leave_one_out_trace(K, S).value
        return np.isclose(own, share * take(terms), rtol=1e-6)

    return everywhere(claim)


@says("certificates.schur_complements", "``[1 / (W^-1)_jj]`` where W has an inverse",
      "(W^-1)_jj")
def complements(word):
    power = -1 if word.startswith("1") else 1
    return everywhere(
        lambda K, near, E: np.allclose(
            certificates.schur_complements(K), np.diag(np.linalg.inv(K)) ** power
        )
    )


@says("selection.criterion", "the [mean] of ``(a_i / h_i)^2``", "sum")
@says("selection.criterion", "the [squared] error at each point of ridge regression",
      "plain")
def on_the_others(word):
    """By leaving out each point."""
    take = {"sum": np.sum}.get(word, np.mean)
    power = POWERS.get(word, 2)

    def claim(K, near, E, ridge=0.3):
        n, left = len(K), []
        y = np.sin(np.arange(n))
        for i in range(n):
            o = np.delete(np.arange(n), i)
            A = K[np.ix_(o, o)] + ridge * np.eye(n - 1)
            left.append(abs(y[i] - K[i, o] @ np.linalg.solve(A, y[o])) ** power)
        own = selection.criterion(K, y, ridge, measure="leave-one-out")
        return np.isclose(own, take(left))

    return everywhere(claim)


RULE = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))


def process():
    return learners.GaussianProcess(method="exact", gamma=1.0, noise=0.3).fit(X, Y)


@says("learners.GaussianProcess", "The [variance] of the noise", "standard deviation")
def noise(word):
    by = {"variance": 1, "standard deviation": 2}[word]
    a = np.linalg.solve(RULE + 0.3**by * np.eye(9), Y)
    return np.allclose(process().predict(X), RULE @ a)


@says("learners.GaussianProcess.predict",
      "The mean at new points, and the [standard deviation]", "variance")
def deviations(word):
    left = RULE - RULE @ np.linalg.solve(RULE + 0.3 * np.eye(9), RULE)
    power = {"standard deviation": 0.5, "variance": 1}[word]
    own = process().predict(X, return_std=True)[1]
    return np.allclose(own, np.diag(left) ** power)


@says("manifold.distance_preservation", "Relative accuracy of [squared] distances",
      "plain")
def distances(word):
    """Of points of which one coordinate is left, and the best of one."""
    Z = X - X.mean(axis=0)
    U, s, _ = np.linalg.svd(Z)
    best = U[:, :1] * s[0]

    def far(A):
        return np.linalg.norm(A[:, None] - A, axis=2) ** POWERS[word]

    kept, ideal = (np.linalg.norm(far(Z) - far(A)) for A in (Z[:, :1], best))
    own = manifold.distance_preservation(Z @ Z.T, Z[:, :1], best)
    return np.isclose(own, ideal / kept)


@says("lowrank.Factored.logdet", "``([n - m]) log alpha + log det(alpha I + F^T F)``",
      "n")
def determinants(word):
    def claim(K, near, E):
        F = near.factor
        n, m = F.shape
        core = np.linalg.slogdet(0.3 * np.eye(m) + F.T @ F)[1]
        return np.isclose(
            near.logdet(0.3), {"n - m": n - m, "n": n}[word] * np.log(0.3) + core
        )

    return everywhere(claim)


@says("lowrank.column_sampling", "Eigenvalues ``sqrt([n/l]) Sigma_{C,k}``", "l/n")
def values_of_columns(word):
    by = {"n/l": 2.0, "l/n": 0.5}[word]

    def claim(K, near, E):
        s = np.linalg.svd(K[:, near.landmarks])[1][:2]
        own = lowrank.column_sampling(K, near.landmarks, 2).eigenvalues
        return np.allclose(own, np.sqrt(by) * s)

    return everywhere(claim)
