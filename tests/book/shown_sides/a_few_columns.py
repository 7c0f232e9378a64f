"""A matrix from a few of its columns: what shows words that could be exchanged."""

import numpy as np
from matplotlib import colormaps
from sides_shown import sides
from words_shown import ran

from nystheory import kernels, lowrank, sampling, style
from nystheory.chapters.a_few_columns import figures, findings

CHAPTER = "a_few_columns"
FILLED = ran(CHAPTER, "digits = datasets.digits(40)", "squares =")
NEAR, RNG = 1e-9, np.random.default_rng(0)


def made(K, S):
    return lowrank.nystrom(K, S).spectral_reconstruction()


def is_below(A, B):
    return np.linalg.eigvalsh(B - A).min() > -NEAR


# ---- The formula


def completion(word):
    """Against others with the same columns, which are semidefinite, too."""
    told = []
    for rank in (3, 5, 6):
        X = RNG.standard_normal((rank, 6))
        other = X.T @ X
        ours = made(other, [0, 1])
        order = {"smallest": (ours, other), "largest": (other, ours)}[word]
        told.append(is_below(*order))
    return all(told)


def of_both(word):
    """What is put in place of a pair, from the similarities of the two."""
    a, b = 0.1, 0.3
    K = np.array([[1, a, b], [a, 1, 0.5], [b, 0.5, 1]])
    combined = {"product": a * b, "mean": (a + b) / 2, "sum": a + b}[word]
    return np.isclose(made(K, [0])[1, 2], combined)


def own_of_core(word):
    C = FILLED["K"][:, [5, 9]]
    some = {"rows": C[[5, 9]], "columns": C[:, [0, 1]]}[word]
    core = FILLED["K"][np.ix_([5, 9], [5, 9])]
    return some.shape == core.shape and np.allclose(some, core)


def squares_of(word):
    """Whether most of the squares lie there."""
    where = {"same": FILLED["block"], "different": ~FILLED["block"]}[word]
    return FILLED["squares"][where].sum() > FILLED["squares"].sum() / 2


def block_goes(word):
    """The light of the colour map in the block, before and after its first column."""
    K, S, kind = (FILLED[name] for name in ("K", "S", "kind"))
    new = next(k for k in range(1, 8) if kind[S[k]] not in kind[S[:k]])
    own = np.ix_(*[kind == kind[S[new]]] * 2)
    light = [
        colormaps[style.COLOUR_MAP](abs(K - made(K, S[:k]))[own].mean())[:3]
        for k in (new, new + 1)
    ]
    return {"darkens": 1, "brightens": -1}[word] * (sum(light[0]) - sum(light[1])) > 0


# ---- What can go wrong


def rows_of_columns(word):
    """The longest row of such a point beside points of length one."""
    own = {"small": 1e-6, "large": 1}[word]
    return max(np.sqrt(own * other) for other in (0.5, 1)) < 0.01


def pivots_miss(word):
    """Each pivot, beside what those before it miss of all points."""
    points = findings.clusters(96, np.random.default_rng(4), small=6)[0]
    K = kernels.rbf(points, findings.WIDTH)
    S = sampling.incomplete_cholesky(K, 6).indices
    told = []
    for k in range(1, 6):
        missed = 1 - lowrank.nystrom(K, S[:k]).diagonal()
        told.append(np.isclose(missed[S[k]], {"most": max, "least": min}[word](missed)))
    return all(told)


# ---- Nodes

LINES = figures.plot_extended(8).axes[0].lines
X = np.linspace(0, 1, 241)
EXTENDED = figures.extended(X, 8, 3)
EXACT = np.sqrt(2) * np.sin(0.5 * np.pi * X)
NAMED = {
    "their extension by the kernel": EXTENDED[3][:, 0],
    "the functions themselves": EXACT,
}


def styles(solid, dotted):
    """What the lines of the figure are, by their look."""
    drawn = {line.get_linestyle(): line.get_ydata() for line in LINES[:2]}
    return np.allclose(drawn["-"], NAMED[solid]) and np.allclose(
        drawn[":"], NAMED[dotted]
    )


def bulges(first, third):
    """How far the functions are from their polygons."""
    each = np.sqrt(2) * np.sin(np.outer(X, np.arange(3) + 0.5) * np.pi)
    away = abs(each - EXTENDED[3]).max(axis=0)
    places = {"first": 0, "second": 1, "third": 2}
    return first != third and (
        away[places[first]] == away.min() and away[places[third]] == away.max()
    )


def where_it_bulges(word):
    at = np.sqrt(2) * np.sin(np.outer(EXTENDED[0], np.arange(3) + 0.5) * np.pi)
    at_dots = abs(at - figures.extended(EXTENDED[0], 8, 3)[3]).max()
    return (at_dots < NEAR) == (word == "between")


W = RNG.standard_normal((6, 6))
W = W @ W.T
C = np.vstack([W, RNG.standard_normal((3, 6)) @ W])
SIGMA, U = np.linalg.eigh(W)
EIGENVECTORS = {
    r"$C U \Sigma^{-1}$": C @ U / SIGMA,
    r"$C U \Sigma$": C @ U * SIGMA,
    r"$C U \Sigma^{-1/2}$": C @ U / np.sqrt(SIGMA),
}
EACH = C @ U / SIGMA
SUMS = {r"$\sum_j \sigma_j\,": EACH * SIGMA @ EACH.T}
SUMS |= {r"$\sum_j \sigma_j^{-1}\,": EACH / SIGMA @ EACH.T, r"$\sum_j": EACH @ EACH.T}
LAMBDA = np.linalg.eigvalsh(W / 6)
SCALED = {r"l \lambda_j": 6 * LAMBDA, r"\lambda_j / l": LAMBDA / 6}


def of_min(count):
    """The matrix of the exercise, and its nodes."""
    y = (np.arange(count) + 0.5) / count
    return np.minimum.outer(y, y), y


def diagonal_of_hint(word):
    told = np.linalg.inv(of_min(5)[0]) / 5
    row = {"3, 2, ..., 2, 1": [3, 2, 2, 2, 1], "1, 2, ..., 2, 3": [1, 2, 2, 2, 3]}[word]
    return np.allclose(told.diagonal(), row) and np.allclose(np.diag(told, 1), -1)


def beside_limit(word, formula):
    """The largest eigenvalue from many nodes, less that of the integral."""
    W, y = of_min(50)
    more = np.linalg.eigvalsh(W)[-1] / 50 - 4 / np.pi**2
    size = {r"$\frac{1}{12 l^2}$": 1 / 12, r"$\frac{1}{12 l}$": 50 / 12}[formula]
    sign = {"exceeds": 1, "falls short of": -1}[word]
    return sign * more > 0 and np.isclose(abs(more), size / 50**2, rtol=0.01)


def side_of_rows(first, last):
    """Which row of the system holds which equation."""
    v = np.sin(0.5 * np.pi / 5 * (np.arange(5) + 0.5))
    told = {3 * v[0] - v[1]: first, v[-1] - v[-2]: last}
    M = np.linalg.inv(of_min(5)[0]) / 5
    rows = {"first": (M @ v)[0], "last": (M @ v)[-1]}
    return all(np.isclose(rows[word], value) for value, word in told.items())


def misses_nothing(one, other):
    """What one landmark, and both, leave of the two last points of the exercise."""
    X = np.array([[1.0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 1, -1]])
    left = {}
    for word, S in {"first": [0], "second": [1], "Both": [0, 1]}.items():
        left[word] = X - X[:, S] @ np.linalg.pinv(X[:, S]) @ X
    as_they_are = np.allclose(left[one][:, 2:], X[:, 2:])
    alone = np.allclose(left[other][:, 2:], [[0, 0], [0, 0], [1, -1]])
    return as_they_are and alone and one != "Both" and other == "Both"

APART = np.diag([1.0, 1.0])
WHOLE = C @ C.T
COME_BACK = made(WHOLE, [0, 3])[:, [0, 3]], WHOLE[:, [0, 3]]


# ---- The entry that is missed by more

FOUR = ran(CHAPTER, "X = np.array([[1, 0, 0, 0]")["X"].astype(float)


def left(S):
    """What the projection on landmarks leaves of the last two points."""
    Q = np.linalg.qr(FOUR[:, S])[0]
    return (FOUR - Q @ Q.T @ FOUR)[:, 2:]


AXES = {f"$e_{k}$ and $-e_{k}$": np.eye(3)[k - 1] for k in (2, 3)}
OF_BOTH = left([0, 1])
SIZE = np.prod(np.linalg.norm(OF_BOTH, axis=0))


def missed_is(words):
    """What is missed of the entry of the last two points, by both landmarks."""
    K = FOUR.T @ FOUR
    missed = (K - made(K, [0, 1]))[2, 3]
    told = {"inner product": OF_BOTH[:, 0] @ OF_BOTH[:, 1], "product of lengths": SIZE}
    return np.isclose(missed, told[words])


ANGLE = left([0])[:, 0] @ left([0])[:, 1]


sides(
    CHAPTER,
    {
        "lies mostly where both pictures show the [same|different] digit": squares_of,
        "a block [darkens|brightens] when its digit gets its first": block_goes,
        "let the {term}`core` $W$ hold the [rows|columns] of $C$": own_of_core,
        "this one is the [smallest|largest] of them": completion,
        "It is the [product|mean|sum] of both similarities to the landmark": of_both,
        "from one whose $K_{ii}$ is [small|large]: its row": rows_of_columns,
        "each is the point that those before it miss [most|least]": pivots_miss,
        "of $W$, lines [their extension by the kernel|the functions themselves], "
        "dotted lines [the functions themselves|their extension by the kernel]": styles,
        "The [first|third] curve and its polygon can hardly be told apart; the "
        "[third|first] bulges beyond its polygon": bulges,
        "bulges beyond its polygon [between|at] the dots": where_it_bulges,
        r"eigenvectors are [$C U \Sigma^{-1}$|$C U \Sigma$|$C U \Sigma^{-1/2}$]": (
            lambda formula: np.allclose(EIGENVECTORS[formula][:6], U)
        ),
        r"where $\sigma_j = [l \lambda_j|\lambda_j / l]$": (
            lambda formula: np.allclose(SCALED[formula], SIGMA)
        ),
        r"the sum becomes [$\sum_j \sigma_j\,|$\sum_j \sigma_j^{-1}\,|$\sum_j] "
        r"\varphi_j \varphi_j^\top": (
            lambda formula: np.allclose(SUMS[formula], C @ np.linalg.inv(W) @ C.T)
        ),
        "tridiagonal, with [3, 2, ..., 2, 1|1, 2, ..., 2, 3] on": diagonal_of_hint,
        r"it [exceeds|falls short of] the true one by about "
        r"[$\frac{1}{12 l^2}$|$\frac{1}{12 l}$]": beside_limit,
        "In the [first|last] row $3 v_1 - v_2 = 3": lambda word: side_of_rows(
            word, {"first": "last", "last": "first"}[word]
        ),
        "The [first|second] landmark leaves them as they are": (
            lambda word: misses_nothing(word, "Both")
        ),
        r"Here $\tilde K_{ii} = 0$, so [all|nothing] of $K_{ii}$ is missed": {
            "all": np.isclose(APART[1, 1] - made(APART, [0])[1, 1], APART[1, 1]),
            "nothing": np.isclose(APART[1, 1], made(APART, [0])[1, 1]),
        },
        "These come back [exactly|changed], whatever the others are": {
            "exactly": np.allclose(*COME_BACK),
            "changed": not np.allclose(*COME_BACK),
        },
        "Both landmarks leave [" + "|".join(AXES) + "].": (
            lambda words: np.allclose(OF_BOTH.T, [AXES[words], -AXES[words]])
        ),
        "leaves them as they are, at [a right|an acute] angle, and misses": {
            "a right": np.isclose(ANGLE, 0),
            "an acute": ANGLE > NEAR,
        },
        "What is missed of an entry is the [inner product|product of lengths] of what "
        "the projection leaves": missed_is,
    },
)
