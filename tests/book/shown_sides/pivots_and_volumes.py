"""Random pivots and volumes: what shows words that could be exchanged."""

from functools import cache
from itertools import combinations, product

import numpy as np
from sides_shown import sides
from words_shown import bound

from nystheory import certificates, features, kernels, lowrank, sampling, theorems

CHAPTER = "pivots_and_volumes"
RNG = np.random.default_rng(0)
LINE = np.linspace(0, 3, 8)[:, None]


def left(K, pivots):
    """What is left of a matrix after these pivots; the second of two copies is none."""
    E = np.array(K, float)
    for i in pivots:
        if E[i, i] > 1e-12:
            E = E - np.outer(E[:, i], E[i]) / E[i, i]
    return E


def phi(values, pivots=1):
    """The calculator."""
    values = np.array(values, float)
    for _ in range(pivots):
        values = values - values**2 / values.sum()
    return values


# ---- Distances and volumes


def read_by_farthest(what):
    """The entries that a run reads, beside those of the diagonal and the columns."""
    K = kernels.rbf(LINE, 1.0)
    sampling.farthest_point(K, 3)
    of_columns = {"the columns of its landmarks except the last": 2}
    of_columns |= {"the columns of its landmarks": 3, "all columns": K.n}
    return K.entries_asked == K.n * (1 + of_columns[what])


def volume(word):
    """Of two points of which one is redundant."""
    X = np.array([[1.0, 2.0], [1.0, 2.0]])
    empty = np.isclose(np.linalg.det(X.T @ X), 0)
    return empty == (word == "zero")


def uniform_beside_bound(word):
    K = np.diag([1000.0, 1.0])
    mean = np.mean([np.trace(left(K, [i])) for i in range(2)])
    tail = K.diagonal().min()  # the best of rank one
    most = bound("modern:k-dpp-expectation", "bound", k=1, l=1, tail_trace=tail)
    return {"above": mean > 10 * most, "below": mean < most}[word]


def read_by_schemes(pivots, volumes):
    """How the entries grow that each scheme reads, from 40 to 80 points."""
    powers = {"$n (l + 1)$": 1, "$n^2$": 2}
    for scheme, told in ((sampling.rp_cholesky, pivots), (sampling.k_dpp, volumes)):
        asked = []
        for n in (40, 80):
            K = kernels.rbf(RNG.standard_normal((n, 3)), 0.1)
            given = {"method": "simple"} if scheme is sampling.rp_cholesky else {}
            scheme(K, 3, RNG, **given)
            asked.append(K.entries_asked)
        if asked[1] != asked[0] * 2 ** powers[told]:
            return False
    return True


def residual(number):
    """Of one of a hundred alike, after another one."""
    K = 0.9 * np.ones((2, 2)) + 0.1 * np.eye(2)
    return np.isclose(left(K, [0])[1, 1], float(number))


# ---- The calculator


def hit(hard, hardly):
    """The share that a pivot takes of a large eigenvalue and of a small one."""
    values = np.array([10.0, 1.0])
    share = dict(zip(("large", "small"), 1 - phi(values) / values, strict=True))
    return hard != hardly and share[hard] > 5 * share[hardly]


def psd():
    X = RNG.standard_normal((3, 3))
    return X @ X.T


def Phi(A):
    return A - A @ A / np.trace(A)


def curved(word):
    """In the order of matrices, at the middle of two."""
    for _ in range(5):
        A, B = psd(), psd()
        bulge = np.linalg.eigvalsh(Phi((A + B) / 2) - (Phi(A) + Phi(B)) / 2)
        if not {"concave": bulge.min() > -1e-12, "convex": bulge.max() < 1e-12}[word]:
            return False
    return True


# ---- Many pivots at a time


def law_after(word):
    """A copy of the first pivot, by the law before it and by that after it."""
    K = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1.0]])
    before, after = (x.diagonal() / np.trace(x) for x in (K, left(K, [0])))
    return {"likely": before[1] > after[1], "unlikely": before[1] < after[1]}[word]


def diagonal_goes(word):
    K = kernels.rbf(LINE, 1.0).dense()
    steps = [left(K, range(k)).diagonal() for k in range(5)]
    moves = np.diff(steps, axis=0)
    return {"falls": moves.max() < 1e-12, "rises": moves.min() > -1e-12}[word]


SHARES = np.array([[s, b, (1 - s) / (1 + (b - 1) * s)] for s in (0.001, 0.1, 0.5, 1)
                   for b in (2, 5, 20)])


def least_factor(word):
    beyond = 1 / (1 + (SHARES[:, 1] - 1) * SHARES[:, 0]) - 1 / SHARES[:, 1]
    return {"below": beyond.min() > -1e-12, "above": beyond.max() < 1e-12}[word]


def where_linear(word):
    s, b, factor = SHARES.T
    off = np.abs(factor - (1 - b * s))
    small = b * s < 0.1
    return {"small": off[small].max() < 0.01, "large": off[~small].max() < 0.01}[word]


def block_beside_single(word):
    """The mean after three pivots at once, and the bound for three single ones."""
    K = np.diag([3.0, 1.0])
    chance = K.diagonal() / np.trace(K)
    draws = [list(S) for S in product((0, 1), repeat=3)]
    mean = sum(np.prod(chance[S]) * np.trace(left(K, S)) for S in draws)
    single = phi([3, 1], 3).sum()
    return {"more": mean > single, "less": mean < single}[word]


# ---- Squares, features, copies


def prefer(word):
    """How a law in proportion to the diagonal weighs two lengths."""
    length = np.array([1.0, 3.0])
    weighs = length**2 / (length**2).sum()
    return {"long": weighs[1] > weighs[0], "short": weighs[1] < weighs[0]}[word]


def look_harder(word):
    """What squares do to the share of one of two diagonal entries."""
    d = np.array([1.0, 3.0])
    gained = d**2 / (d**2).sum() > d / d.sum()
    return gained[{"large": 1, "small": 0}[word]]


def copies(laws, squares):
    """Of a point of length one, m times: what they count beside a single one."""
    m = 10
    X = np.array([[1.0] * m + [0.0], [0.0] * m + [1.0]])
    K = X.T @ X
    size = {"$m$": m, "$m^2$": m**2}
    of_laws = [(K.diagonal() ** power)[:m].sum() for power in (1, 2)]
    of_squares = (K[:m, :m] ** 2).sum()
    return np.allclose(of_laws, size[laws]) and np.isclose(of_squares, size[squares])


def seen_by_features():
    made = features.NystromFeatures(gamma=0.5, n_landmarks=3, random_state=0)
    made.fit(LINE)
    at = LINE[made.landmarks_.indices if hasattr(made, "landmarks_") else [0]]
    new = np.linspace(-2, 6, 40)[:, None]
    return [1 - (made.transform(x) ** 2).sum(axis=1) for x in (at, new)]


AT_LANDMARKS, ELSEWHERE = seen_by_features()


def missed(sign, at):
    signs = {"negative": ELSEWHERE.min() > -1e-9, "positive": ELSEWHERE.max() < 1e-9}
    value = {"$0$": 0, "$k(x, x)$": 1}[at]
    return signs[sign] and np.allclose(AT_LANDMARKS, value)


def trace_of_error(sign):
    """After a few pivots, from the trace and the squares of the factor."""
    K = kernels.rbf(LINE, 1.0)
    drawn = sampling.rp_cholesky(K, 3, RNG)
    error = certificates.trace_certificate(K, lowrank.from_factor(drawn)).value
    squares = (drawn.factor**2).sum()
    return np.isclose(error, K.n + {"-": -1, "+": 1}[sign] * squares)


def without_the_empty(there, instead):
    """The mean error of a DPP on one point, without the empty sample and with it."""
    errors, weights = {(): 1.0, (0,): 0.0}, {(): 1.0, (0,): 1.0}  # det K_SS / alpha^|S|
    size = {"$0$": 0.0, r"$\frac12$": 0.5}
    whole = sum(weights[S] * errors[S] for S in errors) / sum(weights.values())
    return size[there] == errors[(0,)] and size[instead] == whole


def identity_leaves(formula):
    size = {"$n - l$": lambda count: 7 - count, "$l$": lambda count: count}[formula]
    counts = 1, 2, 5
    return all(np.trace(left(np.eye(7), range(x))) == size(x) for x in counts)


def smallest_sets(word):
    """Which of two sizes a DPP prefers as the exchange rate grows."""
    X = RNG.standard_normal((5, 5))
    K = X.T @ X
    means = []
    for alpha in (0.1, 10):
        sizes = [
            (m, np.linalg.det(K[np.ix_(S, S)]) / alpha**m)
            for m in range(6)
            for S in combinations(range(5), m)
        ]
        means.append(np.average([m for m, _ in sizes], weights=[w for _, w in sizes]))
    return {"small": means[1] < means[0], "large": means[1] > means[0]}[word]


def by_farthest(first, nearest):
    """The first point and the later ones of a run, by their lengths and distances."""
    X = np.array([[3.0, 0.1, 1.0, -2.0, 0.5], [0.0, 0.2, -1.0, 1.0, 2.0]])
    S = sampling.farthest_point(X.T @ X, 4).indices
    order = {"longest": np.argmax, "shortest": np.argmin}[first]
    if S[0] != order(np.linalg.norm(X, axis=0)):
        return False
    for k in range(1, 4):
        away = np.linalg.norm(X[:, :, None] - X[:, None, S[:k]], axis=0).min(axis=1)
        rest = np.setdiff1d(np.arange(5), S[:k])
        pick = {"farthest from": max, "nearest to": min}[nearest](away[rest])
        if not np.isclose(away[S[k]], pick):
            return False
    return True


def first_proposal(word):
    """The chance to accept it, at the start of a block."""
    K = kernels.rbf(LINE, 1.0).dense()
    chances = left(K, []).diagonal() / K.diagonal()
    return {"certainty": (chances == 1).all(), "a chance below one": chances.max() < 1}[
        word
    ]


def copies_span(word):
    """The area of two equal points and of two that are only alike."""
    equal, alike = (1 - x**2 for x in (1.0, 0.9))
    return {"equal": equal == 0, "like": alike == 0}[word]


def greedy(word):
    """What incomplete Cholesky takes, beside what is left of all points."""
    X = RNG.standard_normal((12, 2))
    K = kernels.rbf(X, 0.5).dense()
    S = sampling.incomplete_cholesky(K, 4).indices
    told = []
    for k in range(1, 4):
        rest = left(K, S[:k]).diagonal()
        pick = {"largest": max, "smallest": lambda x: min(x[x > 1e-9])}[word](rest)
        told.append(np.isclose(rest[S[k]], pick))
    return all(told)


def has_the_largest(word):
    """The residuals of the quiz, after one of the hundred."""
    K = 0.9 * np.ones((101, 101)) + 0.1 * np.eye(101)
    K[100, :100] = K[:100, 100] = 0
    rest = left(K, [0]).diagonal()
    places = {"single point": [100], "first pivot": [0]}[word]
    return rest[places] == rest.max()


def taken(word):
    """From an entry by one block, with the sum of all others kept."""
    x = np.linspace(0.1, 5, 50)
    bulge = np.diff(3 * x**2 / (7 + 2 * x), 2)
    return {"convex": bulge.min() > 0, "concave": bulge.max() < 0}[word]


def no_exchange(word):
    """What is missed by these two points, whose exchanges have no volume either."""
    K = np.diag([1.0, 1.0, 0.0, 0.0])
    S = {"last": [2, 3], "first": [0, 1]}[word]
    others = [sorted({*S} - {i} | {j}) for i in S for j in range(4) if j not in S]
    flat = all(np.isclose(np.linalg.det(K[np.ix_(T, T)]), 0) for T in [S, *others])
    return flat and left(K, S).diagonal().max() == 1


def reached(first, second):
    """Whether each constant is attained, or nearly, by the lines of the theorem."""
    claims = theorems["modern:geometry"].claims
    words = {"first": "farthest, attained", "second": "volume, reached"}
    exact = {name: " == " in claims[claim].line for name, claim in words.items()}
    near = {name: "0.9999 * " in claims[claim].line for name, claim in words.items()}
    return exact[first] and near[second]


def where_largest(word):
    X = RNG.standard_normal((4, 4))
    E = np.abs(X @ X.T)
    inside = E.max() == E.diagonal().max()
    return inside == (word == "on the diagonal")


def too_often(word):
    """The chance that eight draws miss a point of diag(7, 1, 1 / 10 000)."""
    d = np.array([7.0, 1.0, 1e-4])
    missed = (1 - d / d.sum()) ** 8
    return missed[{"first": 0, "second": 1}[word]] > 0.3



def homogeneous(scale):
    A = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 1]])
    return np.allclose(Phi(5 * A), {"c": 5, "c^2": 25}[scale] * Phi(A))


def added(word):
    """What the map makes of a sum, beside the sum of what it makes."""
    rng, told = np.random.default_rng(4), []
    for _ in range(5):
        A, B = (X @ X.T for X in rng.standard_normal((2, 3, 3)))
        told += [*np.linalg.eigvalsh(Phi(A + B) - Phi(A) - Phi(B))]
    return {"superadditive": min(told) > -1e-12, "subadditive": max(told) < 1e-12}[word]


def of_means(relation):
    """The mean of what the map makes of three matrices, beside that of their mean."""
    rng, told = np.random.default_rng(4), []
    for _ in range(5):
        three = [X @ X.T for X in rng.standard_normal((3, 3, 3))]
        gap = Phi(np.mean(three, axis=0)) - np.mean([Phi(A) for A in three], axis=0)
        told += [*np.linalg.eigvalsh(gap)]
    return {r"\preceq": min(told) > -1e-12, r"\succeq": max(told) < 1e-12}[relation]
@cache
def is_law_of_single_pivots(draws=800):
    """By how often the default takes two alike; four times as often by blocks."""
    K = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1.0]])
    rest = left(K, [0]).diagonal()
    single = 2 / 3 * rest[1] / rest.sum()
    taken = np.mean([
        {*sampling.rp_cholesky(K, 2, RNG, block=2).indices} == {0, 1}
        for _ in range(draws)
    ])
    return abs(taken - single) < 5 * np.sqrt(single * (1 - single) / draws)


def law_of_default(words):
    return is_law_of_single_pivots() == (words == "the law of")


def at_the(word):
    """Where the points of a Gaussian kernel have length one, for random pivots."""
    K = kernels.rbf(LINE, 1.0).dense()
    rest = {"start": left(K, []), "end": left(K, [0, 4])}[word].diagonal()
    return np.allclose(rest, 1)


def read_of_determinants(formula):
    K = kernels.rbf(RNG.standard_normal((30, 3)), 0.1)
    asked = sampling.dpp(K, None, RNG, alpha=1.0).entries_asked
    return asked == {"$n^2$": 900, "$n l$": 30 * 3}[formula]


sides(
    CHAPTER,
    {
        "it needs the diagonal and [the columns of its landmarks except the last|the "
        "columns of its landmarks|all columns].": read_by_farthest,
        "point in different directions, [zero|large] when one of them is redundant": (
            volume
        ),
        "on $\\operatorname{diag}(1000, 1)$ their mean error is far [above|below] the "
        "bound": uniform_beside_bound,
        "of each a residual of [0.19|0.1|0.81] is left": residual,
        "a [large|small] one is hit hard and a [small|large] one hardly at all": hit,
        "*The map $\\Phi$ is monotone and [concave|convex].*": curved,
        "RPCholesky reads about [$n (l + 1)$|$n^2$] entries instead of the [$n^2$|$n "
        "(l + 1)$] of a $k$-DPP": read_by_schemes,
        "Pivots in proportion to the diagonal prefer [long|short] points": prefer,
        "the trace of its error is $\\operatorname{tr} K [-|+] \\|F\\|_F^2$": (
            trace_of_error
        ),
        "it is a little wrong: too [likely|unlikely] where the first": law_after,
        "because the diagonal only [falls|rises], and we can throw": diagonal_goes,
        "(b - 1) s)$, never [below|above] $1/b$": least_factor,
        "which is about $1 - bs$ as long as $bs$ is [small|large]": where_linear,
        "three pivots at once leave [more|less] than the bound for three single": (
            block_beside_single
        ),
        "one can look harder at the [large|small] entries": look_harder,
        "of which $l$ pivots leave [$n - l$|$l$] ones": identity_leaves,
        "$m$ copies of a point count [$m$|$m^2$] times in both laws, and [$m^2$|$m$] "
        "times in the sum of squares": copies,
        "is never [negative|positive], and it is [$0$|$k(x, x)$] at a landmark": missed,
        "[small|large] sets are cheap": smallest_sets,
        "where it would make the mean error [$0$|$\\frac12$] instead of "
        "[$\\frac12$|$0$]": without_the_empty,
        "begins with the [longest|shortest] point and always takes the one that is "
        "[farthest from|nearest to] its nearest landmark": by_farthest,
        "Its first proposal is accepted with [certainty|a chance below one]": (
            first_proposal
        ),
        "Two [equal|like] points span no area": copies_span,
        "ICL takes the point with the [largest|smallest] residual, and": greedy,
        "The [single point|first pivot] has it, and incomplete Cholesky": (
            has_the_largest
        ),
        "This is [convex|concave] in $\\lambda$, so by Jensen": taken,
        "and the [last|first] two points as landmarks $\\det W = 0$": no_exchange,
        "the [first|second] exactly and the [second|first] to one part in ten": reached,
        "so its largest entry in modulus is [on the diagonal|off the diagonal]": (
            where_largest
        ),
        "since they miss the [second|first] point too often": too_often,
        "It is homogeneous, $\\Phi(cA) = [c|c^2]\\,\\Phi(A)$": homogeneous,
        "is positive semidefinite, so $\\Phi$ is [superadditive|subadditive]": added,
        "$\\mathbb E\\, \\Phi(A) [\\preceq|\\succeq] \\Phi(\\mathbb E A)$": of_means,
        "The default rejects, and has [the law of|another law than] single pivots": (
            law_of_default
        ),
        "For a Gaussian kernel all points have length one at the [start|end]": at_the,
        "Determinantal sampling reads [$n^2$|$n l$] entries": read_of_determinants,
    },
)
