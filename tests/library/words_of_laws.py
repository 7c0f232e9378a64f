"""What docstrings say of laws, minima and squares in words, and whether it is true."""

import itertools
import math
from functools import cache

import numpy as np
from words_of_docstrings import says
from words_of_learners import X, quietly
from words_of_machines import LABELS, T
from words_of_mixtures import EXPERTS, V, mixture
from words_of_mixtures import K as SMALL

from nystheory import ensemble, kernels, learners, lowrank, manifold, sampling

A = np.array([[3.0, 1.4, 0.2], [1.4, 1.0, 0.1], [0.2, 0.1, 0.6]])
DRAWS = 3000


@cache
def often(scheme, size=2, **options):
    """How often each set of columns comes."""
    rng, K = np.random.default_rng(0), kernels.as_kernel(A)
    call = getattr(sampling, scheme)
    found = [frozenset(call(K, size, rng, **options).indices.tolist())
             for _ in range(DRAWS)]
    return {s: found.count(s) / DRAWS for s in {*found}}


def fits(found, weights):
    """Whether shares are those of these weights, to four standard errors."""
    total = sum(weights.values())
    return all(
        abs(found.get(s, 0) - w / total) < 4 * math.sqrt(max(w / total, 1e-3) / DRAWS)
        for s, w in weights.items()
    )


def of_sets(weight, size=2):
    some = itertools.combinations(range(3), size)
    return {frozenset(s): weight([*s]) for s in some}


@says(
    "sampling.k_dpp",
    "A set S of l columns with probability [proportional] to",
    "inverse",
)
def of_determinants(word):
    power = 1 if word == "proportional" else -1
    weights = of_sets(lambda s: np.linalg.det(A[np.ix_(s, s)]) ** power)
    return fits(often("k_dpp"), weights)


@says("sampling.dpp", "A set S of random size, in [proportion] to ``det", "spite")
def of_any_size(word):
    """With the ridge 1: each set of 3, 2, 1 or no column."""
    power = 1 if word == "proportion" else -1
    weights = {}
    for size in range(4):
        weights |= of_sets(lambda s: np.linalg.det(A[np.ix_(s, s)]) ** power, size)
    return fits(often("dpp", size=None, alpha=1.0), weights)


@says("sampling.adaptive_partial", "in [proportion] to errors on the sampled", "spite")
@says("sampling.update_probability_full", "``p_j`` [proportional] to", "inverse")
@says("sampling.update_probability_partial", "``p_j`` [proportional] to", "inverse")
@says("sampling.update_probability_criterion", "``p_i`` [proportional] to", "inverse")
def errors(word):
    """Of residuals 2 and 1; of entries 1 and 2 of a column; and targets 1 and 2."""
    power = 1 if word.startswith("prop") else -1
    B = np.array([[2.0, 1, 2], [1, 3, 1], [2, 1, 5]])
    full = sampling.update_probability_full(np.diag([1.0, 2, 1]), [0])
    rows = sampling.update_probability_partial(B, [0])
    driven = sampling.update_probability_criterion(B, [0], [3.0, 1.0, 2.0])
    ratios = [p[1] / p[2] for p in (full, rows, driven)]
    return np.allclose(ratios, np.array([4, 1 / 4, 1 / 16]) ** power)


@says("sampling.volume", "The probability of C is [proportional] to", "inverse")
@says(
    "sampling.volume",
    "in [proportion] to the [squared] volume that they span",
    "spite", "plain",
)
def of_volumes(word, power="squared"):
    by = {"squared": 1, "plain": 0.5}[power] * (1 if word[:4] == "prop" else -1)
    gram = A @ A
    weights = of_sets(lambda s: np.linalg.det(gram[np.ix_(s, s)]) ** by)
    return fits(often("volume"), weights)


@says(
    "sampling.volume",
    "``E |K - C C^+ K|_F^2 = ([l + 1]) e_(l+1) / e_l`` with the elementary "
    "symmetric polynomials of the [squared] eigenvalues",
    "l", "plain",
)
def mean_of_volumes(front, power):
    s = np.linalg.eigvalsh(A) ** {"squared": 2, "plain": 1}[power]
    e = [sum(math.prod(c) for c in itertools.combinations(s, j)) for j in range(4)]
    gram, total = A @ A, 0.0
    for S in itertools.combinations(range(3), 2):
        Q = np.linalg.qr(A[:, S])[0]
        left = np.linalg.norm(A - Q @ Q.T @ A) ** 2
        total += np.linalg.det(gram[np.ix_(S, S)]) * left
    s2 = np.linalg.eigvalsh(A) ** 2
    whole = sum(math.prod(c) for c in itertools.combinations(s2, 2))
    return np.isclose(total / whole, {"l + 1": 3, "l": 2}[front] * e[3] / e[2])


@says("sampling.rp_cholesky", "each pivot in [proportion] to its residual", "spite")
@says("sampling.rp_cholesky", 'with [exactly] the law of ``"simple"``', "nearly")
def pivots(word):
    def weight(s):
        total = 0.0
        for i, j in (s, s[::-1]):
            left = np.diag(A) - A[i] ** 2 / A[i, i]
            left[i] = 0
            if word == "spite":
                total += (1 / A[i, i]) * A[j, j] ** -1
            else:
                total += A[i, i] / A.trace() * left[j] / left.sum()
        return total

    simple = fits(often("rp_cholesky", method="simple"), of_sets(weight))
    fast = fits(often("rp_cholesky", method="accelerated"), of_sets(weight))
    return simple and fast == (word in ("exactly", "proportion"))


@says(
    "sampling.column_norm",
    "with probability [proportional] to their [length]",
    "inverse", "number",
)
@says(
    "sampling.leverage",
    "Columns drawn in [proportion] to their leverage scores",
    "spite",
)
@says(
    "sampling.ridge_leverage",
    "Columns drawn in [proportion] to their exact ridge",
    "spite",
)
@says(
    "sampling.diagonal",
    "Columns drawn with probability [proportional] to",
    "inverse",
)
def shares(word, size="length"):
    rng, power = np.random.default_rng(0), -1 if word in ("inverse", "spite") else 1
    told = (
        (sampling.column_norm(A, 2, rng), np.linalg.norm(A, axis=0)),
        (sampling.leverage(A, 1, rng), sampling.leverage_scores(A, 1)),
        (sampling.ridge_leverage(A, 2, rng, alpha=0.7),
         sampling.ridge_leverage_scores(A, 0.7)),
        (sampling.diagonal(A, 2, rng), np.diag(A)),
    )
    sizes = [w**power if size == "length" else w**0 for _, w in told]
    return all(
        np.allclose(drawn.probabilities, w / w.sum())
        for (drawn, _), w in zip(told, sizes, strict=True)
    )


@says(
    "sampling.adaptive_full",
    "Columns drawn in batches, in [proportion] to what the last ones left",
    "spite",
)
def left_of_them(word):
    drawn = sampling.adaptive_full(A, 2, np.random.default_rng(0), batch=1)
    first = drawn.indices[0]
    q = A[:, first] / np.linalg.norm(A[:, first])
    left = np.linalg.norm(A - np.outer(q, q @ A), axis=0) ** 2
    left[first] = 0
    if word == "spite":
        left = np.divide(1, left, where=left > 1e-9, out=np.zeros(3))
    return np.allclose(drawn.probabilities, left / left.sum())


@says("sampling.uniform", "Columns drawn [uniformly] at random", "by the diagonal")
def uniformly(word):
    p = np.ones(3) if word == "uniformly" else np.diag(A)
    weights = {frozenset([i]): p[i] for i in range(3)}
    return fits(often("uniform", size=1), weights)


@says(
    "sampling.uniform",
    "Draw [independently], so that a column [may] come twice",
    "at once", "cannot",
)
def independently(how, word):
    """All pairs of three, one column twice with a chance of a third."""
    found = often("uniform", replace=True)
    twice = sum(p for s, p in found.items() if len(s) == 1)
    chance = 1 / 3 if how == "independently" else 0.0
    return abs(twice - chance) < 0.04 and (twice > 0) == (word == "may")


@says(
    "sampling.user",
    "Columns given by index, or drawn from a [given] distribution",
    "uniform",
)
def given(word):
    p = np.array([0.6, 0.3, 0.1])
    own = p if word == "given" else np.ones(3) / 3
    weights = {frozenset([i]): own[i] for i in range(3)}
    rng = np.random.default_rng(0)
    drawn = [frozenset(sampling.user(A, 1, rng, probabilities=p).indices.tolist())
             for _ in range(DRAWS)]
    return fits({s: drawn.count(s) / DRAWS for s in {*drawn}}, weights)


# ---- Minima


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


# ---- Squares


@says("manifold.LandmarkMDS.fit", "Distances, [not] squared, of all points", "plainly")
@says("manifold.LandmarkMDS.transform", "Distances, [not] squared", "plainly")
def lengths(word):
    """Of points of the plane their coordinates have these distances again."""
    far = np.linalg.norm(X[:9, None, :2] - X[:5, :2], axis=2)
    asked = far if word == "not" else far**2
    made = quietly(manifold.LandmarkMDS(2).fit, asked)
    own = np.linalg.norm(made.embedding_[:, None] - made.embedding_[:5], axis=2)
    return np.allclose(own, far) and np.allclose(made.transform(asked), made.embedding_)


@says("kernels.rbf", "Inverse [squared] length", "plain")
def unit(word):
    """Points c times as far apart have the same kernel, with gamma over c^2 or c."""
    c, power = 3.0, {"squared": 2, "plain": 1}[word]
    return np.allclose(kernels.rbf(c * X, 0.5 / c**power).dense(), K)


@says(
    "learners.KernelLogistic",
    "``a'K a``, the [squared] norm of the function",
    "plain",
)
def norm_of_a_function(word):
    """Of a linear kernel the function is w = X'a."""
    a = np.linspace(-1, 1, 24)
    w = X.T @ a
    power = {"squared": 2, "plain": 1}[word]
    return np.isclose(a @ (X @ X.T) @ a, np.linalg.norm(w) ** power)
