"""What docstrings say of laws and squares in words, and whether it is true."""

import itertools
import math
from functools import cache

import numpy as np
from words_of_docstrings import says
from words_of_learners import X, quietly

from nystheory import kernels, manifold, sampling

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


def of_which_matrix(scheme):
    """A check whether the determinants that a scheme follows are of this matrix."""

    def check(word):
        M = {"det K": A, "det (K^2)": A @ A}[word]
        return fits(often(scheme), of_sets(lambda s: np.linalg.det(M[np.ix_(s, s)])))

    return check


says("sampling.k_dpp", "probability proportional to ``[det K]", "det (K^2)")(
    of_which_matrix("k_dpp")
)
says("sampling.volume", "proportional to ``det C^T C = [det (K^2)]", "det K")(
    of_which_matrix("volume")
)


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
    return np.allclose(
        kernels.rbf(c * X, 0.5 / c**power).dense(), kernels.rbf(X, 0.5).dense()
    )


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
