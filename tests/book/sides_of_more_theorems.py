r"""More words of boxes that could be exchanged: `OF_MORE`, as `sides_of_theorems`.

Samples and signs, criteria, experts, landmarks, graphs and a few hypotheses.
"""

from itertools import combinations, product

import numpy as np
from scipy.linalg import hadamard
from sides_of_theorems import gram, near
from words_shown import bound

from nystheory import ensemble, features, lowrank
from nystheory.engine.worlds.matrices import squared_distances

EXCHANGE = "talwalkar2010:eq-5.6"
NEAR = 1e-9
RNG = np.random.default_rng(0)
inv, norm = np.linalg.inv, np.linalg.norm


def goes(changes, up, down):
    """Of two words, those that all changes allow."""
    changes = np.asarray(changes)
    return {up: changes.min() > -NEAR, down: changes.max() < NEAR}.__getitem__


# ---- Samples: an exchange, and sums of signs


def exchanged(count):
    """Four points on each of two axes, of which as many are drawn, and some not."""
    drawn = np.diag([2.0 + count, 2.0 - count])
    return norm(4 * np.eye(2) - 8 / 4 * drawn, 2)


def allowed(d, claim="exchange", **given):
    known = {"n": 8, "l": 4, "K_max": 1.0, "d_max": d} | given
    return bound(EXCHANGE, claim, **known)


def landmarks_exchanged(word):
    most = allowed(np.sqrt(2), "exchange, spectral")
    return exchanged({"one landmark": 1, "two landmarks": 2}[word]) <= most + NEAR


FAR = np.linspace(0.1, np.sqrt(2), 8)
EQUAL = [allowed(d, "equal lengths") - allowed(d) for d in FAR]
PRINTED = [allowed(d, "as printed") - allowed(d, "pairs") for d in FAR]


def sign_vectors(n, count):
    """Whether so many are orthogonal to each other; the first is of ones."""
    vectors = [v for v in np.array([*product((1, -1), repeat=n)]) if not v.sum()]
    if count == 2:
        return bool(vectors)
    return any(not v @ w for v in vectors for w in vectors)


TWO, THREE = ({n: sign_vectors(n, k) for n in range(1, 9)} for k in (2, 3))


def belongs(matrix, space):
    """Which of the two numbers stays the same for another basis of a space."""
    U = np.linalg.qr(RNG.standard_normal((6, 2)))[0]
    V = U @ np.linalg.qr(RNG.standard_normal((2, 2)))[0]
    largest = [np.abs(A).max() for A in (U, V)]
    rows = [norm(A, axis=1).max() for A in (U, V)]
    kept = {"space": True, "matrix $U$": False, "matrix": False}
    return (np.isclose(*largest), np.isclose(*rows)) == (kept[matrix], kept[space])


# ---- Criteria


def criterion(A, y, mu=0.1):
    return mu * y @ inv(A + len(A) * mu * np.eye(len(A))) @ y


TWO_ONE = np.diag([2.0, 1.0])
AXES = {"largest": np.eye(2)[0], "smallest": np.eye(2)[1]}


def keeps(word):
    """Whether an approximation from one column, of labels on one axis, keeps it."""
    landmark = {"nothing": 1, "all": 0}[word]
    y = AXES["smallest"]
    return np.isclose(criterion(near(TWO_ONE, [landmark]), y), criterion(TWO_ONE, y))


def blind(word):
    """What the best approximation of rank one does not tell from nothing."""
    best = lowrank.best_rank_k(TWO_ONE, 1).spectral_reconstruction()
    y = AXES[{"orthogonal to": "smallest", "along": "largest"}[word]]
    return np.isclose(criterion(best, y), y @ y / 2)


def share(direction, place):
    """Whether the change of the criterion is its largest share, without a kernel."""
    y = AXES[place]
    if direction == "orthogonal to those":
        y = y[::-1]
    before, after = criterion(TWO_ONE, y), criterion(0 * TWO_ONE, y)
    return np.isclose(after - before, 2 / (2 + 2 * 0.1) * after)


def criteria():
    """Of matrices with others, Nyström and best approximations; and the changes."""
    for _ in range(6):
        K, other, y = gram(4, 4), gram(2, 4), RNG.standard_normal(4)
        best = lowrank.best_rank_k(K, 2).spectral_reconstruction()
        change = norm(K - other, 2)
        part = change / (change + 4 * 0.1)
        yield [criterion(A, y) for A in (K, other, near(K, [0, 1]), best)], part


MADE = [*criteria()]
OF_COLUMNS = goes([c[2] - c[0] for c, _ in MADE], "larger", "smaller")
OF_BEST = goes([c[3] - c[0] for c, _ in MADE], "larger", "smaller")


def of_the(word):
    """Whether a share of one of two criteria is never less than they differ."""
    of = {"larger": max, "smaller": min}[word]
    return all(abs(a - b) <= part * of(a, b) for (a, b, *_), part in MADE)


# ---- Experts

ERRORS, ETA = np.array([0.2, 0.5, 1.1]), 2.0
MU = ensemble.exponential_weights(ERRORS, ETA)


def entropy(weights):
    return -(weights * np.log(weights)).sum()


def changes_nothing(word):
    other = {"that is added to all errors": ERRORS + 0.7}
    other |= {"by which all errors are multiplied": 0.7 * ERRORS}
    return np.allclose(ensemble.exponential_weights(other[word], ETA), MU)


POINTS = RNG.dirichlet(np.ones(3), 9)
VALUES = np.array([v @ ERRORS - entropy(v) / ETA for v in POINTS])
VALUE = MU @ ERRORS - entropy(MU) / ETA
LOSES = {
    "relative entropy": [v @ np.log(v / MU) for v in POINTS],
    "entropy": [entropy(v) for v in POINTS],
}
LOG_Z = np.log(np.exp(-ETA * ERRORS).sum())


def less_or_plus(word):
    sign = {"less": -1, "plus": 1}[word]
    return np.isclose(MU @ ERRORS + sign * entropy(MU) / ETA, -LOG_Z / ETA)


def loses_rank(word):
    """Three experts of rank two, of which one has a weight of that sign."""
    experts = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]])
    weights = {"negative": [1, -1, 1], "positive": [1, 1, 1]}[word]
    return (weights @ experts != 0).sum() < 2


RANKS = [np.linalg.matrix_rank(near(np.diag([1.0, 0.0]), [j])) - 1 for j in (0, 1)]


def of_errors(word):
    K, weights = gram(4, 4), np.array([0.3, 0.7])
    experts = np.array([near(K, [0, 1]), near(K, [2, 3])])
    mixed = K - np.tensordot(weights, experts, 1)
    errors = K - experts
    expected = {"mean": np.tensordot(weights, errors, 1), "sum": errors.sum(axis=0)}
    return np.allclose(mixed, expected[word])


# ---- Landmarks

K6 = gram(3, 6)
OF_TWO = near(K6, [0, 1])
LOST = squared_distances(K6) - squared_distances(OF_TWO)
TRACE = np.trace(K6 - OF_TWO)


def kept(word):
    """Whether one coordinate of two landmarks is as near as promised, of two points."""
    K, keeps = np.diag([3.0, 1.0]), {"leading": [1, 0], "last": [0, 1]}[word]
    made = near(K, [0, 1])
    left, tail = np.diag(keeps) * made - K, 1.0
    return np.abs(np.diag(left)).sum() <= tail + np.trace(K - made) + NEAR


def powers(of_factor, of_values):
    """Whether the coordinates of two equal points have the right inner products."""
    K, by = np.ones((2, 2)), {"root": 1 / 2, "square": 2}
    _, s, Vt = np.linalg.svd(K[:, :1], full_matrices=False)
    Y = np.sqrt(2) ** by[of_factor] * s ** -by[of_values] * Vt @ K[:, :1].T
    return np.allclose(Y.T @ Y, K)


def is_known(word):
    """Whether a power of what both signs embed is that of the columns."""
    K = np.diag([2.0, -1.0])
    embedded = np.abs(K)  # as the singular values have no sign
    return np.allclose(embedded @ embedded if word == "square" else embedded, K @ K.T)


def signs(before, after):
    """The root of the square of a matrix with both signs."""
    values = np.array([2.0, -1.0])
    roots = np.sqrt(values**2)
    turned = {"negative": values < 0, "positive": values > 0}[before]
    changed = roots != values
    now = {"positive": roots > 0, "zero": roots == 0}[after]
    return (changed == turned).all() and now[turned].all()


# ---- Graphs

PATH = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
ROOTS = np.sqrt(PATH.sum(axis=1))
LAPLACIAN = np.eye(4) - PATH / np.outer(ROOTS, ROOTS)
BOTTOM = np.linalg.eigh(LAPLACIAN)[1][:, 1]


def printed_sum(y):
    """(3.3), with the root of the product of the degrees."""
    return (PATH / np.outer(ROOTS, ROOTS) * np.subtract.outer(y, y) ** 2).sum()


def by_degrees(word):
    """Whether the sum over edges is twice the form of the normalised Laplacian."""
    z = RNG.standard_normal(4)
    moved = {"divided": z / ROOTS, "multiplied": z * ROOTS}[word]
    total = (PATH * np.subtract.outer(moved, moved) ** 2).sum()
    return np.isclose(total, 2 * z @ LAPLACIAN @ z)


OTHER = np.array([5, 3, -3, -5]) / np.sqrt(68)
BESIDE = printed_sum(OTHER) - printed_sum(BOTTOM)


def among_all(word):
    V = [v - ROOTS * (ROOTS @ v) / (ROOTS @ ROOTS) for v in RNG.normal(size=(9, 4))]
    V = [v / norm(v) for v in V]
    more = [v @ LAPLACIAN @ v - BOTTOM @ LAPLACIAN @ BOTTOM for v in V]
    return goes(more, "least", "largest")(word)


# ---- Hypotheses


def no_exchange(word):
    """Whether the weights are at most one where no exchange moves a volume so."""
    K = gram(3, 5)
    sets = [list(S) for S in combinations(range(5), 2)]
    choose = {"increase": max, "decrease": min}[word]
    S = choose(sets, key=lambda S: np.linalg.det(K[np.ix_(S, S)]))
    return np.abs(np.linalg.solve(K[np.ix_(S, S)], K[S])).max() <= 1 + NEAR


def seen_head(word):
    """Of two directions at three landmarks: as much as the proof inverts."""
    A = np.linalg.qr(RNG.standard_normal((5, 2)))[0][:3].T
    inverts = {"row": A @ np.linalg.pinv(A), "column": np.linalg.pinv(A) @ A}[word]
    return np.allclose(inverts, np.eye(len(inverts)))


def hadamard_entries(word):
    U = hadamard(8)[:, 1:4] / np.sqrt(8)
    return len({"modulus": np.unique(np.abs(U)), "sign": np.unique(np.sign(U))}[word])


def may_be(word):
    """Whether the package has pairs of waves for such a number of features."""
    size = {"even": 4, "odd": 3}[word]
    waves = features.RandomFourierFeatures(gamma=1.0, n_components=size, random_state=0)
    try:
        return waves.fit_transform(np.eye(3)).shape[1] == size
    except ValueError:
        return False


OF_MORE = {
    "rahimi2007:uniform": {"$D$ be an [even|odd] number": may_be},
    "modern:stability": {
        "no exchange of one landmark for another point [increase|decrease] $\\det": (
            no_exchange
        ),
    },
    "modern:structural": {"$U_1^\\top S$ have full [row|column] rank": seen_head},
    "talwalkar2010:rem-rank": {
        "all entries of $U$ have the same [modulus|sign]": (
            lambda word: hadamard_entries(word) == 1
        )
    },
    EXCHANGE: {
        "the two samples differ in at most [one landmark|two landmarks]": (
            landmarks_exchanged
        ),
        "[Smaller|Larger] numbers suffice": goes(EQUAL, "Larger", "Smaller"),
        "is at [least|most] as large in all cases": goes(PRINTED, "least", "most"),
    },
    "talwalkar2010:def-5.1": {
        "pairwise orthogonal exist exactly if $[4|2]$ divides $n$": (
            lambda size: all(THREE[n] == (n % int(size) == 0) for n in THREE)
        ),
        "columns of signs exist exactly for [even|odd] $n$": (
            lambda word: all(TWO[n] == (n % 2 == (word == "odd")) for n in TWO)
        ),
        "it belongs to the [matrix $U$|space]. The number $M = n \\max_i "
        "\\|U_{i,:}\\|^2$ belongs to the [space|matrix]": belongs,
    },
    "ding2019:optimal-rank-k": {
        "that misses [nothing|all] of the solution keeps": keeps,
        "sees nothing of labels [orthogonal to|along] the leading": blind,
        "of rank $k$ does not make the criterion [smaller|larger],": (
            lambda word: not OF_BEST(word)
        ),
    },
    "ding2019:chain": {
        "and $y$ is [an eigenvector|orthogonal to those] for the [largest|smallest] "
        "eigenvalue of $K$,": share,
        "by a share of the [larger|smaller] one,": of_the,
        "approximation never makes the criterion [smaller|larger]": (
            lambda word: not OF_COLUMNS(word)
        ),
    },
    "talwalkar2010:exponential-weights": {
        "A constant [that is added to all errors|by which all errors are multiplied] "
        "changes nothing:": changes_nothing,
        "They [minimise|maximise] the error less": goes(
            VALUES - VALUE, "minimise", "maximise"
        ),
        "The error of the weights [less|plus] their entropy over": less_or_plus,
        "loses is its [relative entropy|entropy] over": (
            lambda word: np.allclose(VALUES - VALUE, np.divide(LOSES[word], ETA))
        ),
    },
    "modern:landmark-coordinates": {
        "No distance gets [longer|shorter],": goes(LOST, "longer", "shorter"),
        "and all of them together lose at [most|least]": goes(
            [2 * 6 * TRACE - LOST.sum()], "most", "least"
        ),
        "be what the $k$ [leading|last] coordinates of": kept,
    },
    "talwalkar2010:eq-3.5": {
        "the [root|square] of $\\sqrt{n/l}$, since the factor stands before a "
        "[root|square] of the singular values": powers,
        "of $C$ the [square|root] of what is embedded is known": is_known,
        "in which each [negative|positive] eigenvalue becomes [positive|zero]": signs,
    },
    "talwalkar2010:eq-3.3": {
        "each point should be [divided|multiplied] by the root of its own": by_degrees,
        "has a [smaller|larger] sum": goes([BESIDE], "larger", "smaller"),
        "among all $V$ it is [least|largest] for": among_all,
    },
    "talwalkar2010:eq-4.1": {
        "and no [negative|positive] weight beside it": loses_rank,
        "of rank $k$ may have a [lower|higher] rank": goes(RANKS, "higher", "lower"),
        "The error of a mixture is the [mean|sum] of the errors": of_errors,
    },
}
