"""What docstrings of ridge regression say in words, and whether it is true."""

import math
import warnings

import numpy as np
from words_of_docstrings import says

from nystheory import features, kernels, learners

Y = np.sin(np.arange(8.0))
RIDGE = 0.4
X = np.random.default_rng(6).standard_normal((24, 3))
T = np.sin(X[:, 0]) + 0.3 * X[:, 1]


def quietly(function, *given, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given, **more)


# ---- Features in one pass


def penalised(F, y, ridge, g):
    return np.linalg.solve(F.T @ F + ridge * np.diag(g), F.T @ y)


@says(
    "learners.FeatureRidge",
    "Minimises ``|y - F w|^2 [+] ridge sum_i [g_i] w_i^2``",
    "-", "1 / g_i",
)
def minimised(sign, weight):
    g = np.array([1.0, 2, 5])
    made = learners.FeatureRidge(ridge=RIDGE, penalty=g).fit(X, T)
    ridge = RIDGE if sign == "+" else -RIDGE
    g = g if weight == "g_i" else 1 / g
    return np.allclose(made.coef_, penalised(X, T, ridge, g))


@says(
    "learners.FeatureRidge",
    "A feature with an infinite weight gets the coefficient [0]",
    "1",
)
def infinite(value):
    made = learners.FeatureRidge(ridge=RIDGE, penalty=[1.0, np.inf, 1]).fit(X, T)
    return made.coef_[1] == float(value)


@says("learners.FeatureRidge", "Of several the one with the [least] mean squared error")
def of_several(word):
    ridges = [1e-3, 3.0, 3e3]
    made = learners.FeatureRidge(ridge=ridges).fit(X, T)
    end = {"least": np.argmin, "most": np.argmax}[word]
    return made.ridge_ == ridges[end(made.errors_.mean(axis=1))]


@says("learners.FeatureRidge", "A point is in the fold of its number modulo [5]", "4")
@says(
    "learners.FeatureRidge",
    "the mean squared errors, at the points that were left [out]",
    "in",
)
def folds(word):
    made = learners.FeatureRidge(ridge=[0.1, 1.0]).fit(X, T)
    by = int(word) if word.isdigit() else 5
    part = np.arange(24) % by
    told = []
    for fold in range(by):
        w = penalised(X[part != fold], T[part != fold], 0.1, np.ones(3))
        some = part != fold if word == "in" else part == fold
        told.append(np.mean((T[some] - X[some] @ w) ** 2))
    return len(told) == 5 and np.allclose(made.errors_[0], told)


@says(
    "learners.FeatureRidge.partial_fit",
    "chunks of [at least] D points cost up to [a third] [more] than all at once",
    "at most", "a tenth", "less",
)
def chunks(size, part, word):
    """n D^2 + D^3 / 3 of each: with chunks of some points, and with all at once."""
    D, n = 7.0, 70000.0
    sizes = [D, 2 * D, n] if size == "at least" else [1, D / 2, D]
    ratios = [n / b * (b * D**2 + D**3 / 3) / (n * D**2 + D**3 / 3) for b in sizes]
    share = {"a third": 1 / 3, "a tenth": 0.1}[part]
    return np.isclose(max(ratios), 1 + (share if word == "more" else -share), rtol=1e-3)


@says(
    "learners.FeatureRidge.partial_fit",
    "up to rounding what `fit` makes of [all] points",
    "the last",
)
def in_chunks(word):
    made = learners.FeatureRidge(ridge=RIDGE)
    made.partial_fit(X[:12], T[:12]).partial_fit(X[12:], T[12:])
    whole = (X, T) if word == "all" else (X[12:], T[12:])
    return np.allclose(made.coef_, learners.FeatureRidge(ridge=RIDGE).fit(*whole).coef_)


def map_of_waves(gamma=0.5, size=400, d=3):
    given = {"gamma": gamma, "n_components": size, "random_state": 0}
    return features.RandomFourierFeatures(**given).fit(np.zeros((2, d)))


@says("learners.FeatureRidge", "has the weight ``[p(0) / p(u)]``", "p(u) / p(0)")
@says(
    "learners.FeatureRidge",
    "``exp([sigma^2 |u|^2 / 2])`` for the Gaussian kernel",
    "|u|^2 / 2",
)
def weights_of_waves(words):
    """Frequencies are normal with variance 2 gamma = 1 / sigma^2."""
    gamma = 0.3
    made = learners.FeatureRidge(map_of_waves(gamma, 20), penalty="rkhs", ridge=1e-3)
    made.fit(X, T)
    u = np.tile(made.features_.frequencies_, (2, 1))
    squares = (u**2).sum(axis=1)
    own = {
        "p(0) / p(u)": squares / (4 * gamma),
        "p(u) / p(0)": -squares / (4 * gamma),
        "sigma^2 |u|^2 / 2": squares / (2 * gamma) / 2,
        "|u|^2 / 2": squares / 2,
    }[words]
    g = np.exp(own)
    w = penalised(made.features_.transform(X), T, 1e-3, g)
    return np.allclose(made.coef_, w, rtol=1e-5, atol=1e-9)


@says(
    "learners.FeatureRidge",
    "and are about ``exp([d / 2])`` for the Gaussian kernel in d",
    "d",
)
def size_of_weights(words):
    d = 40
    u = map_of_waves(0.5, 2000, d).frequencies_
    logs = (u**2).sum(axis=1) / 2
    return abs(np.median(logs) - {"d / 2": d / 2, "d": d}[words]) < 2


@says(
    "learners.FeatureRidge",
    "lambda, for squared errors, is ``[2 m] ridge / n`` in (4) and (6), and ``[2]"
    " ridge / n`` in (7)",
    "2", "2 m",
)
def lambda_of_the_paper(waves, columns):
    """There the mean of squared errors has lambda / 2 |w|^2 beside it."""
    made = map_of_waves(0.5, 12)
    m = len(made.frequencies_)
    for F, scale, by in (
        (made.transform(X), math.sqrt(m), {"2 m": 2 * m, "2": 2}[waves]),
        (X, 1.0, {"2": 2, "2 m": 2 * m}[columns]),
    ):
        lam, theirs = by * RIDGE / 24, F * scale
        A = theirs.T @ theirs / 24 + lam / 2 * np.eye(F.shape[1])
        w = np.linalg.solve(A, theirs.T @ T / 24)
        ours = penalised(F, T, RIDGE, np.ones(F.shape[1]))
        if not np.allclose(theirs @ w, F @ ours):
            return False
    return True


# ---- Ridge regression


@says(
    "learners.KernelRidge",
    'predicts with ``predict_with="kernel"`` [grows] as ``[1 / ridge]``',
    "falls", "1 / ridge^2",
)
def far_below(word, order):
    sizes = []
    for ridge in (1e-7, 1e-8):
        model = learners.KernelRidge(
            ridge=ridge, landmarks=[0, 1, 2], gamma=0.3, predict_with="kernel",
            method="nystrom",
        ).fit(X, T)
        sizes.append(abs(model.predict(X[:4] + 0.1)).max())
    power = round(math.log10(sizes[1] / sizes[0]), 1)
    return power == {"1 / ridge": 1, "1 / ridge^2": 2}[order] and (
        (sizes[1] > sizes[0]) == (word == "grows")
    )


@says("learners.KernelRidge", 'of ``"exact"`` an eigenvalue [below] -ridge')
def negative_eigenvalues(word):
    told = []
    for least in (-0.5 * RIDGE, -1.5 * RIDGE):
        K = kernels.DenseKernel(np.diag([1.0, 1, least]))
        try:
            learners.KernelRidge(ridge=RIDGE, method="exact").fit(K, np.ones(3))
            told.append(False)
        except ValueError:
            told.append(True)
    return told == [word == "above", word == "below"]


@says(
    "learners.Learner",
    'and for up to [5000] points; it is ``"nystrom"`` for [more]',
    "500", "fewer",
)
def automatic(size, word):
    """Of points, as many and one more, of which nothing is computed."""
    told = []
    for n in (int(size), int(size) + 1):
        model = learners.KernelRidge()
        model.kernel_ = kernels.linear(np.zeros((n, 1)))
        told.append(model._samples(None))
    return told == ([False, True] if word == "more" else [True, False])
