"""What docstrings say is minimised, and whether it is."""

import numpy as np
from words_of_docstrings import says
from words_of_laws import A
from words_of_learners import X, quietly
from words_of_machines import LABELS, T
from words_of_mixtures import EXPERTS, V, mixture
from words_of_mixtures import K as SMALL

from nystheory import ensemble, kernels, learners, lowrank

S = [0, 4, 9, 13]
K = kernels.rbf(X, 0.5).dense()
C, W = K[:, S], K[np.ix_(S, S)]
RIDGE = 0.4


def best(word, value, found):
    """Whether nothing near is less, or more."""
    rng = np.random.default_rng(0)
    sizes = [1e-2, 1e-3] * 40
    moved = [found + t * rng.standard_normal(np.shape(found)) for t in sizes]
    own, others = value(found), [value(each) for each in moved]
    if word.startswith(("minim", "Minim")):
        return own <= min(others) + 1e-12
    return own >= max(others) - 1e-12


def fit_of(signs):
    def value(b):
        return ((T - C @ b) ** 2).sum() + signs * RIDGE * b @ W @ b

    return value


def log_loss(signs):
    def value(b):
        f = C @ b
        return signs * RIDGE / 2 * b @ W @ b - (LABELS * f - np.logaddexp(0, f)).sum()

    return value


@says(
    "learners.restricted",
    "It [minimises] ``|y - C b|^2 [+] ridge b^T W b``",
    "maximises", "-",
)
def restricted(word, sign):
    found = learners.restricted(K, S, T, RIDGE).x
    return best(word, fit_of(1 if sign == "+" else -1), found)


@says(
    "learners.falkon",
    "It [minimises] ``sum_i p_i |y_i - (C b)_i|^2 [+] ridge b^T W b``",
    "maximises", "-",
)
def falkon(word, sign):
    p = np.linspace(0.5, 2, 24)
    found = learners.falkon(K, S, T, RIDGE, weights=p, tol=1e-12).x
    by = RIDGE if sign == "+" else -RIDGE
    return best(word, lambda b: p @ (T - C @ b) ** 2 + by * b @ W @ b, found)


@says(
    "learners.logistic_falkon",
    "It [minimises] ``ridge / 2 b^T W b [-] sum_i",
    "maximises", "+",
)
def logistic(word, sign):
    found = learners.logistic_falkon(K, S, LABELS, RIDGE, tol=1e-9).w
    return best(word, log_loss(1 if sign == "-" else -1), found)


@says(
    "learners.newton",
    "[Minimises] ``E(w) = ridge / 2 w'w [-] sum_i",
    "Maximises", "+",
)
def newton(word, sign):
    found = learners.newton(X, LABELS, RIDGE, tol=1e-9).w
    by = 1 if sign == "-" else -1

    def value(w):
        f = X @ w
        return RIDGE / 2 * w @ w - by * (LABELS * f - np.logaddexp(0, f)).sum()

    return best(word, value, found)


@says(
    "ensemble.ridge_weights",
    "The [minimiser] ``(G [+] ridge I)^-1 g``",
    "maximiser", "-",
)
@says("ensemble.nonnegative_weights", "The [minimiser] of", "maximiser")
def weights(word, sign="+"):
    G, g = ensemble.normal_equations(SMALL, EXPERTS, V)
    ridge = 0.01 * G.trace()

    def value(mu):
        return ridge * mu @ mu + np.linalg.norm((SMALL - mixture(mu))[:, V]) ** 2

    found = ensemble.ridge_weights(G, g, ridge)
    by = ridge if sign == "+" else -ridge
    same = np.allclose(found, np.linalg.solve(G + by * np.eye(3), g))
    positive = ensemble.nonnegative_weights(G, g, ridge)
    inside = best(word, lambda mu: value(abs(mu)), positive)
    return same and best(word, value, found) and inside


@says(
    "lowrank.optimal_reconstruction",
    "[No] approximation with this range is [closer]",
)
def closest(count, word):
    made = lowrank.optimal_reconstruction(A, [0, 1])
    U = np.linalg.qr(A[:, :2])[0]
    own = np.linalg.norm(A - made.spectral_reconstruction())
    Z = U.T @ A @ U
    rng = np.random.default_rng(0)
    others = [
        np.linalg.norm(A - U @ (Z + (M + M.T) / 50) @ U.T)
        for M in rng.standard_normal((40, 2, 2))
    ]
    none = own <= min(others) if word == "closer" else own >= max(others)
    return none == (count == "No") and (count, word) != ("Each", "farther")


def of_kernel(loss, ridge=RIDGE):
    """A sum of losses of the values at the points beside half the squared norm."""
    return lambda a: ridge / 2 * a @ K @ a + loss(K @ a).sum()


SIGNS = 2.0 * LABELS - 1


@says("learners.FeatureRidge", "[Minimises] ``|y - F w|^2 + ridge", "Maximises")
@says(
    "learners.FeatureRidge",
    "[minimises] over all functions f in the space",
    "maximises",
)
def squared_errors(word):
    w = learners.FeatureRidge(ridge=RIDGE).fit(X, T).coef_
    one = best(word, lambda w: ((T - X @ w) ** 2).sum() + RIDGE * w @ w, w)
    a = np.linalg.solve(K + RIDGE * np.eye(24), T)
    return one and best(word, of_kernel(lambda f: (T - f) ** 2, 2 * RIDGE), a)


@says("learners.KernelLogistic", "[Minimises] ``-l(a)`` plus the ridge", "Maximises")
@says("learners.KernelSVC", "[Minimises] ``|h|^2 / 2 + C sum_i max", "Maximises")
@says("learners.KernelSVR", "[Minimises] ``|h|^2 / 2 + C sum_i max", "Maximises")
def of_losses(word):
    given = {"method": "exact", "kernel": "precomputed", "tol": 1e-9}
    told = (
        (learners.KernelLogistic(ridge=1.0, **given), LABELS,
         lambda f: np.logaddexp(0, f) - LABELS * f),
        (learners.KernelSVC(C=1.0, **given), LABELS,
         lambda f: np.maximum(0, 1 - SIGNS * f)),
        (learners.KernelSVR(C=1.0, epsilon=0.1, **given), T,
         lambda f: np.maximum(0, abs(T - f) - 0.1)),
    )
    return all(
        best(word, of_kernel(loss, 1.0), quietly(model.fit, K, y).dual_coef_)
        for model, y, loss in told
    )


@says(
    "learners.SubspaceClassifier",
    "[Minimises] ``ridge / 2 |f|^2 + sum_i",
    "Maximises",
)
@says("learners.SubspaceClassifier", "from the [minimiser] at most", "maximiser")
def on_a_subspace(word):
    model = learners.SubspaceClassifier(landmarks=S, gamma=0.5, ridge=RIDGE, tol=1e-11)
    quietly(model.fit, X, LABELS)
    F = model.approximation_.factor

    def value(w):
        return RIDGE / 2 * w @ w + np.maximum(0, 1 - SIGNS * (F @ w)).sum()

    return best(word, value, model.coef_)


@says("learners.LaplacianRegression", "[Minimises] ``h'Lh + C0 / n", "Maximises")
def on_a_graph(word):
    L = np.diag(K.sum(axis=1)) - K
    y = T[S] - T[S].mean()
    model = learners.LaplacianRegression(C0=3.0, gamma=0.5, method="exact")
    h = model.fit(X, T[S], labelled=S).values_

    def value(h):
        h = h - h.mean()
        return h @ L @ h + 3 / 4 * ((h[S] - y) ** 2).sum()

    return best(word, value, h)


@says("ensemble.ridge_weights", "That it is the [minimiser] is", "maximiser")
def minimiser(word):
    return weights(word)


@says("lowrank.best_rank_k", "What it [minimises] is", "maximises")
def best_rank(word):
    B = lowrank.best_rank_k(A, 1).factor
    return best(word, lambda B: np.linalg.norm(A - B @ B.T), B)
