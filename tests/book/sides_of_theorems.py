r"""Words of boxes that could be exchanged, and what shows each of them.

`OF_THEOREMS` has, for a theorem, phrases of its words as `sides_shown` has them for a
page: of its setting and hypotheses, of what stands before its claims, and of the
printed forms that it calls wrong, with the reasons.
"""

from itertools import combinations

import numpy as np
from words_shown import bound

from nystheory import lowrank, theorems

RNG = np.random.default_rng(0)
MACHINES = "talwalkar2010:prop-5.2"
inv, norm = np.linalg.inv, np.linalg.norm


def words_of(id):
    """The words of a theorem in one line."""
    theorem = theorems[id]
    words = [theorem.setting, *(each.says for each in theorem.hypotheses.values())]
    words += [claim.says for claim in theorem.claims.values()]
    words += [x for form in theorem.printed.values() for x in (form.says, form.why)]
    return " ".join(" ".join(filter(None, words)).split())


def gram(rank, n):
    X = RNG.standard_normal((rank, n))
    return X.T @ X


def near(K, S):
    return lowrank.nystrom(K, S).spectral_reconstruction()


def sign(number, up, down):
    """Which of two words a number has."""
    return {up: number > 0, down: number < 0}.__getitem__


# ---- Pivots and volumes


def sets(n):
    return [list(S) for size in range(n + 1) for S in combinations(range(n), size)]


def of_empty(word):
    """Whether the weights of a determinantal sample sum to what divides them."""
    K, alpha = gram(3, 3), 0.7
    rest = sum(np.linalg.det(K[np.ix_(S, S)] / alpha) for S in sets(3) if S)
    return np.isclose(rest + float(word[1]), np.linalg.det(np.eye(3) + K / alpha))


def mean_of_volumes(word):
    """The mean error of sets by volume, and a multiple of the best."""
    K, told = gram(4, 4), []
    weights = {S: np.linalg.det(K[np.ix_(S, S)]) for S in combinations(range(4), 2)}
    errors = [np.trace(K - near(K, list(S))) for S in weights]
    mean = np.average(errors, weights=list(weights.values()))
    values = np.linalg.eigvalsh(K)[::-1]
    told = [3 / (3 - k) * values[k:].sum() - mean for k in range(3)]
    return {"at most": min(told) > 0, "at least": max(told) < 0}[word]


def squares_of(word):
    """Whether a pivot by this law leaves as little as is promised."""
    d = np.array([2.0, 1.0])
    weights = {"squared diagonal": d**2, "diagonal": d}[word]
    mean = np.average([1.0, 4.0], weights=weights)  # the square of the other is left
    return mean <= (d**2).sum() - (d**4).sum() / (d**2).sum() + 1e-12


# ---- Approximations


def function_span(word):
    """Of the matrices below c I with columns in a span, that with the projector."""
    U = np.linalg.qr(RNG.standard_normal((5, 2)))[0]
    told = []
    for _ in range(5):
        A = gram(2, 2)
        M = U @ (A / norm(A, 2)) @ U.T
        told += [*np.linalg.eigvalsh(U @ U.T - M)]
    return {"largest": min(told) > -1e-9, "smallest": max(told) < 1e-9}[word]


def further(word):
    K = gram(5, 6)
    told = np.linalg.eigvalsh(near(K, [0, 1, 2]) - near(K, [0, 1]))
    return {"larger": min(told) > -1e-9, "smaller": max(told) < 1e-9}[word]


def completion(word):
    K = gram(5, 6)
    told = np.linalg.eigvalsh(K - near(K, [0, 1]))
    return {"smallest": min(told) > -1e-9, "largest": max(told) < 1e-9}[word]


def beside_the_best(word):
    K = gram(5, 6)
    more = norm(K - near(K, [0, 1]), 2) - np.linalg.eigvalsh(K)[::-1][2]
    return sign(more, "nearer", "farther")(word)


def inner_products(formula):
    """Of the printed coordinates of two equal points, from one column."""
    K = np.ones((2, 2))
    U, s, Vt = np.linalg.svd(K[:, :1], full_matrices=False)
    Y = np.sqrt(2) / np.sqrt(s)[:, None] * Vt @ K[:, :1].T
    return np.allclose(Y.T @ Y, {r"\sqrt 2": np.sqrt(2), "2": 2.0}[formula] * K)


# ---- Solving, and a minimum


def sizes(claim):
    """The size of the matrix that is inverted on the right of a claim."""
    line = theorems["talwalkar2010:eq-3.9"].claims[claim].line.partition("==")[2]
    return lambda word: f"inv(alpha * identity({word}) +" in line


def extreme(word):
    told = [v**2 + v**2 - 2 * v for v in (0.4, 0.5, 0.6)]
    least = {"A minimum, not a maximum": min, "A maximum, not a minimum": max}[word]
    return told[1] == least(told)


def minimum_with(word):
    """That of an approximation, less that of the matrix."""
    K, y = gram(4, 4), RNG.standard_normal(4)
    least = [-y @ inv(A + np.eye(4)) @ y for A in (near(K, [0]), K)]
    return {"higher": least[0] < least[1], "lower": least[0] > least[1]}[word]


def mixed(word):
    """The variance with the true values of the kernel, at points that are given."""
    K, k = gram(4, 4), RNG.standard_normal((4, 9))
    k = K @ k
    own, other = (
        -np.einsum("ij,ij->j", k, inv(A + np.eye(4)) @ k) for A in (near(K, [0]), K)
    )
    off = own - other
    return {"too small": off.max() < 0, "too large": off.min() > 0}[word]


# ---- Newton


def newton(ridge):
    """The printed step and the right one, from the weight one of one point."""
    s = 1 / (1 + np.exp(-1.0))
    R, H = s * (1 - s), ridge + s * (1 - s)
    return R * (ridge + (1 - s) / R) / H, R * (1 + (1 - s) / R) / H


def curved(word):
    w = np.linspace(-3, 3, 31)
    bulge = np.diff(np.log1p(np.exp(w)) - w + w**2 / 2, 2)
    return {"convex": bulge.min() > 0, "concave": bulge.max() < 0}[word]


# ---- Ends, graphs, machines, groups


def attained(word):
    """The end that is attained where the solution does not meet what is missed."""
    K, made, y = np.diag([3.0, 2.0]), np.diag([3.0, 0.0]), np.array([1.0, 0.0])
    t = np.trace(K - made)
    ends = {
        "upper": y @ inv(made + np.eye(2)) @ y,
        "lower": y @ inv(made + (1 + t) * np.eye(2)) @ y,
    }
    return np.isclose(ends[word], y @ inv(K + np.eye(2)) @ y)


def with_more(word):
    steps = np.diff([m * np.log(1 + 3.0 / m) for m in (2, 5, 9)])
    return {"lower": steps.min() > 0, "higher": steps.max() < 0}[word]


def second(word):
    """Of a path, the eigenvalue that an edge makes zero when it is taken away."""
    told = []
    for edge in (0.0, 1.0):
        w = np.diag([1.0, edge, 1.0], 1)
        w = w + w.T
        told.append(np.linalg.eigvalsh(np.diag(w.sum(axis=0)) - w))
    at = {"smallest": 1, "largest": -2}[word]
    return abs(told[0][at]) < 1e-9 < told[1][at]


def both_graphs(word):
    """Of two pairs of vertices, with an edge between them or not."""
    w = np.diag([1.0, {"connected": 1.0, "in parts": 0.0}[word], 1.0], 1)
    w = w + w.T
    return np.linalg.eigvalsh(np.diag(w.sum(axis=0)) - w)[1] > 1e-9


def times_as_large(word):
    """The printed bound over the sharper one and the root of n."""
    told = []
    for change in (1e-6, 1.0, 100.0):
        given = {"C_0": 1.0, "point_bound": 1.0, "change_2": change, "n": 20}
        pair = (bound(MACHINES, x, **given) for x in ("printed", "sharper"))
        told.append(np.divide(*pair) / np.sqrt(20))
    return {"at least": min(told) >= 1, "at most": max(told) <= 1}[word]


def goes(word):
    a = np.array([0.5, 0.9, 0.99])
    steps = np.diff((20 - 4) / (4 + 2 * (1 - a) / a))
    return {"rises": steps.min() > 0, "falls": steps.max() < 0}[word]


OF_THEOREMS = {
    "modern:dpp-expectation": {
        "where the empty set has determinant [$1$|$0$] and $\\tilde K = 0$": of_empty
    },
    "modern:k-dpp-expectation": {
        "and this mean is [at most|at least] a multiple of the best": mean_of_volumes
    },
    "modern:frobenius-pivoting": {
        "drawn in proportion to the [squared diagonal|diagonal] of what": squares_of
    },
    "modern:flat-spectrum": {
        "Let $K_U$ be the [largest|smallest] matrix below $K$": function_span
    },
    "wikipedia:nystrom": {
        "(g) A further landmark gives a [larger|smaller] matrix": further,
        "(h) It is the [smallest|largest] with these columns": completion,
        "(f) It is no [nearer|farther] than the best of its rank": beside_the_best,
    },
    "talwalkar2010:eq-3.5": {
        "have the inner products $[\\sqrt 2|2]\\, K$ in place of $K$": inner_products
    },
    "talwalkar2010:eq-3.9": {
        "With a matrix of size $[l|k]$, which is not symmetric": sizes("columns"),
        "With a symmetric one of size $[k|l]$,": sizes("factor"),
    },
    "talwalkar2010:eq-3.17": {
        "[A minimum, not a maximum|A maximum, not a minimum]: the solution": extreme,
        "in place of $K$ the minimum is no [higher|lower]": minimum_with,
    },
    "modern:gp-inducing": {
        "and the true $k_x$ the variance is [too small|too large]": mixed
    },
    "talwalkar2010:eq-3.14": {
        "in general right only for $\\lambda = [1|2]$": (
            lambda ridge: np.isclose(*newton(float(ridge)))
        )
    },
    "talwalkar2010:eq-3.12": {
        "Read '[convex|concave]': the sentence goes on": curved,
        "The loss is strictly [convex|concave]:": curved,
    },
    "modern:criterion-enclosure": {
        "the [upper|lower] where what is missed does not reach the solution": attained
    },
    "modern:evidence-enclosure": {
        "With $n$ in place of $m$ the upper end is no [lower|higher]": with_more
    },
    "talwalkar2010:prop-5.3": {
        "be the second [smallest|largest] eigenvalues.": second,
        "both graphs be [connected|in parts]": both_graphs,
    },
    MACHINES: {
        "it is [at least|at most] $\\sqrt n$ times as large": times_as_large
    },
    "modern:lower-bound": {"As $a \\to 1$, $q$ [rises|falls] to": goes},
}
