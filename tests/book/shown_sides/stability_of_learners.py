"""Stability of learners: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides
from words_shown import bound

from nystheory import lowrank, theorems

CHAPTER = "stability_of_learners"
RNG = np.random.default_rng(0)
MACHINES, RIDGES = "talwalkar2010:prop-5.2", "talwalkar2010:prop-5.1"
GRAPHS = "talwalkar2010:prop-5.3"
inv = np.linalg.inv


def power(low, high, times):
    """Of a quantity in a bound, from two of its values."""
    return np.log(high / low) / np.log(times)


# ---- Ridge regression


def of_ridge(claim, ridge):
    given = {"point_bound": 1.0, "largest_label": 1.0, "n": 100, "change_2": 1.0}
    return bound(RIDGES, claim, alpha=given["n"] * ridge, **given)


def smaller_by(printed, small):
    """The factors of both bounds, for a hundred times the ridge."""
    size = {"$100^2$": 100**2, "$100^{3/2}$": 100**1.5, "$100$": 100}
    told = [of_ridge(x, 0.01) / of_ridge(x, 1.0) for x in ("bound", "small ridge")]
    return np.allclose(told, [size[printed], size[small]])


def moved(beta, ridge, n=5, label=1.0):
    """The largest change where all entries are beta and nothing is learned from."""
    K, y = np.full((n, n), beta), np.full(n, label)
    alpha = n * ridge
    d = y / alpha - inv(K + alpha * np.eye(n)) @ y
    return np.sqrt(d @ K @ d)


def nearly_attained(word):
    """The change over the printed bound, for one ridge above the matrix, one below."""
    ridge = {"above": 1e3, "below": 1e-3}[word]
    return moved(1.0, ridge) * ridge**2 > 0.99


def without(residual):
    """Whether the residual bounds the change of any coefficients."""
    X, y = RNG.standard_normal((3, 30)), RNG.standard_normal(30)
    K, alpha, kept = X.T @ X, 2.0, []
    exact = np.linalg.solve(K + alpha * np.eye(30), y)
    for _ in range(20):
        a = exact + RNG.standard_normal(30)
        left = np.linalg.norm(y - K @ a - alpha * a)
        kept.append(np.linalg.norm(X @ (a - exact)) <= left / (2 * alpha**0.5) + 1e-9)
    return all(kept) == (residual == "all that is needed")


def bracket(word, delta=0.1):
    """What is printed, beside that of the theorem."""
    printed, own = 2 + np.log(1 / delta), np.sqrt(2) + np.sqrt(2 * np.log(1 / delta))
    claims = theorems["talwalkar2010:thm-5.9"].claims
    assert "(2 + log(1 / delta))" in claims["printed"].line
    assert "(sqrt(2) + sqrt(2 * log(1 / delta)))" in claims["bound"].line
    return {"larger": printed > own, "smaller": printed < own}[word]


def promise(ridge, n=20000):
    """Of the change of a prediction, from all columns of points on a sphere."""
    error = n / np.sqrt(n) * (np.sqrt(2) + np.sqrt(2 * np.log(10)))
    given = {"point_bound": 1.0, "largest_label": 1.0, "n": n, "change_2": error}
    return bound(RIDGES, "small ridge", alpha=n * ridge, **given)


def advice(before, afterwards):
    ridges = {"strong": 1.0, "weak": 0.01}
    return before != afterwards and (
        promise(ridges[before]) < 0.1 and promise(ridges[afterwards]) > 1
    )


def effect(ridge):
    """On a prediction with the true kernel, of a label that is missed."""
    K = np.diag([1.0, 1.0])
    a = np.array([0.0, 1.0]) / ridge
    near = np.diag([1.0, 0.0])
    assert np.allclose(near @ a, 0)
    return (K @ a)[1]


def ridge_and_effect(ridge, word):
    """The sign of both changes."""
    to = {"smaller": 0.01, "larger": 100.0}[ridge]
    change = effect(to) - effect(1.0)
    return {"larger": change > 0, "smaller": change < 0}[word]


def reads(true, other, n=30, l=4):  # noqa: E741
    """Coefficients of the kernel at points, of true rows and of features."""
    X, y = RNG.standard_normal((2, n)), RNG.standard_normal(n)
    K = np.exp(-((X[:, :, None] - X[:, None]) ** 2).sum(axis=0))
    made = lowrank.nystrom(K, range(l)).spectral_reconstruction()
    a = np.linalg.solve(made + np.eye(n), y)
    b = np.linalg.solve(K[:l, :l], K[:l] @ a)  # the same prediction, by the landmarks
    assert np.allclose(K[:, :l] @ b, made @ a)
    sizes = {"$n$": n, "$l$": l}
    return [np.count_nonzero(a), np.count_nonzero(b)] == [sizes[true], sizes[other]]


# ---- Support vectors


POWERS = {"quarter power": 1 / 4, "square root": 1 / 2}


def of_machine(claim, change, n):
    given = {"C_0": 1.0, "point_bound": 1.0}
    return bound(MACHINES, claim, change_2=change, n=n, **given)


def powers(printed, own, in_the, n=10):
    """Of a small change, and of the number of points, in both bounds."""
    told = [
        power(of_machine(x, 1e-24, n), of_machine(x, 1e-20, n), 1e4)
        for x in ("printed", "sharper")
    ]
    of_n = power(of_machine("sharper", 1, 10), of_machine("sharper", 1, 1000), 100)
    assert of_machine("printed", 1, 10) == of_machine("printed", 1, 1000)
    down = {"denominator": -1, "numerator": 1}[in_the]
    expected = [POWERS[printed], POWERS[own]]
    return np.allclose(told, expected, atol=1e-3) and down * of_n > 0


# ---- Graphs


def laplacian(edge):
    """Of two triangles and one edge between them."""
    w = np.zeros((6, 6))
    w[:3, :3] = w[3:, 3:] = 1
    w[2, 3] = w[3, 2] = edge
    np.fill_diagonal(w, 0)
    return np.diag(w.sum(axis=0)) - w


def second(place, sign):
    """Which eigenvalue is zero for a graph in two pieces, and not for one in one."""
    at = {"smallest": 1, "largest": -2}[place]
    told = [np.linalg.eigvalsh(laplacian(edge))[at] for edge in (0.0, 0.5)]
    falls_apart = abs(told[0]) < 1e-9 < abs(told[1])
    return falls_apart and {"positive": told[1] > 0, "negative": told[1] < 0}[sign]


def of_eigenvalues(printed):
    """What the thesis prints, and what the claim has in its place."""
    names = {"larger": "max(lambda_2, other_lambda_2)"}
    names |= {"smaller": "min(lambda_2, other_lambda_2)"}
    theorem = theorems[GRAPHS]
    own = theorem.claims["smaller eigenvalue"].line
    return lambda word: names[word] in (theorem.printed["max"].line if printed else own)


# ---- Roots


def keeps(word):
    """What the square root does to two matrices in order."""

    def root(A):
        values, V = np.linalg.eigh(A)
        return V * np.sqrt(np.maximum(values, 0)) @ V.T

    told = []
    for _ in range(10):
        X, Y = RNG.standard_normal((2, 3, 3))
        told += [*np.linalg.eigvalsh(root(X @ X.T + Y @ Y.T) - root(X @ X.T))]
    return {"keeps": min(told) > -1e-9, "reverses": max(told) < 1e-9}[word]


def cut(word):
    """The second eigenvalue of two dense groups with one weak edge."""
    values = np.linalg.eigvalsh(laplacian(0.01))
    share = values[1] / values[2]
    return {"small": share < 0.01, "large": share > 0.9}[word]


def costs_nothing(word):
    """What the Laplacian takes for vectors of one kind."""
    vectors = {"Constant": np.ones(6), "Unit": np.eye(6)[0]}[word]
    return np.isclose(vectors @ laplacian(0.5) @ vectors, 0)


def slopes(words):
    """Of the hinge loss, on the left of its kink and on the right."""
    t = np.array([0.0, 2.0])
    told = (np.maximum(0, 1 - t - 1e-6) - np.maximum(0, 1 - t)) / 1e-6
    size = {"$-1$ and $0$": [-1, 0], "$0$ and $1$": [0, 1]}[words]
    return np.allclose(told, size)


def outside(word):
    """What labels that the approximation misses do to a prediction with it."""
    made, a = np.diag([1.0, 0.0]), np.array([0.0, 1.0]) / 0.01
    told = {"$\\tilde K$": np.allclose(made @ a, 0), "$K$": np.allclose(a, 0)}
    return told[word]


def of_columns(claim, ridge, n=20000):
    """What is promised with all columns of points on a sphere."""
    error = n / np.sqrt(n) * (np.sqrt(2) + np.sqrt(2 * np.log(10)))
    given = {"point_bound": 1.0, "largest_label": 1.0, "n": n, "change_2": error}
    return bound(RIDGES, claim, alpha=n * ridge, **given)


def only(word):
    """Which of the two bounds promises a change below one, for a ridge of a tenth."""
    names = {"first": "bound", "second": "small ridge"}
    told = {name: of_columns(claim, 0.1) for name, claim in names.items()}
    return told[word] < 1 and max(told.values()) > 1


def neither(words):
    """Whether the second bound promises too little even with all columns."""
    told = min(of_columns(claim, 0.01) for claim in ("bound", "small ridge"))
    return {"neither": told > 1, "the second": told < 1}[words]


def at_a_third(word):
    t = np.linspace(0, 1, 1001)
    told = (1 + t) * np.sqrt(1 - t)
    place = {"largest": told.argmax(), "smallest": told.argmin()}[word]
    return np.isclose(t[place], 1 / 3, atol=2e-3)


def of_combinations(word):
    """Of one vector and any multiple of another at an obtuse angle."""
    b, other = np.array([1.0, 0.0]), np.array([-0.3, 1.0])
    lengths = [np.linalg.norm(other + tau * b) for tau in np.linspace(0, 5, 5001)]
    sine = 1.0 / np.linalg.norm(other)
    pick = {"smallest": min, "largest": max}[word](lengths)
    return np.isclose(pick, np.linalg.norm(other) * sine, atol=1e-6)


def share(below, above):
    """The explained share of labels, by predictions that are worse than their mean."""
    y = np.array([1.0, -1.0, 2.0, -2.0])
    errors = {"above": 2 * (y**2).sum(), "below": 0.5 * (y**2).sum()}
    explained = 1 - errors[above] / (y**2).sum()
    return {"below": explained < 0, "above": explained > 0}[below]


def sees(size, which):
    """The eigenvalues of two dense groups with one weak edge."""
    values = np.linalg.eigvalsh(laplacian(0.01))
    moved = np.linalg.eigvalsh(laplacian(0.02)) / np.maximum(values, 1e-12)
    rest = {"large": values[2:].min() > 1, "small": values[2:].max() < 0.1}[size]
    return rest and moved[{"first": 0, "second": 1, "last": -1}[which]] > 1.5



# ---- Any solver

RIDGE, FARTHEST, LABEL = 0.09, 4.0, 3.0


def moved_by(rho):
    """How far a prediction moves where all steps of the proof are equalities.

    One point, of squared length the ridge, and a solution with a relative residual.
    """
    own = np.sqrt(RIDGE)
    exact = LABEL / (own**2 + RIDGE)
    early = (LABEL - rho * LABEL) / (own**2 + RIDGE)
    return abs(np.sqrt(FARTHEST) * own * (exact - early))


ROOTS = {
    r"\sqrt{\alpha / \kappa}": np.sqrt(RIDGE / FARTHEST),
    r"\sqrt{\kappa / \alpha}": np.sqrt(FARTHEST / RIDGE),
}
S_ = np.linspace(0.01, 3, 300)
LARGEST = (S_ / (S_**2 + RIDGE)).max()


def through(kappa):
    """The norms of the factors beside their product."""
    size = {r"\sqrt\kappa": np.sqrt(FARTHEST), r"\kappa": FARTHEST}[kappa]
    return np.isclose(moved_by(0.01), size * LARGEST * 0.01 * LABEL)


sides(
    CHAPTER,
    {
        "only where the ridge is far [above|below] the matrix": nearly_attained,
        "By [$100^2$|$100^{3/2}$|$100$] and by [$100^{3/2}$|$100^2$|$100$].": (
            smaller_by
        ),
        "the printed bracket is the [larger|smaller] one": bracket,
        "A promise before sampling is for [strong|weak] ridges; for [weak|strong] ones "
        "look at the residual": advice,
        "There is no $K'$: the residual is [all that is needed|not enough].": without,
        "and the [smaller|larger] the ridge, the [larger|smaller] the effect": (
            ridge_and_effect
        ),
        "a prediction reads [$n$|$l$] entries of the kernel instead of [$l$|$n$]": (
            reads
        ),
        "The printed bound has the [quarter power|square root] of a small change, and "
        "no $n$; this one has the [square root|quarter power], and $n$ in the "
        "[denominator|numerator].": powers,
        "the second [smallest|largest] eigenvalue of $L$, which is [positive|negative] "
        "where the graph is connected": second,
        "with the [larger|smaller] of the two eigenvalues. Break": of_eigenvalues(True),
        "of the claim with the [smaller|larger] one. Hand in": of_eigenvalues(False),
        "The square root [keeps|reverses] the order of matrices": keeps,
        "It is [small|large], so they may move far.": cut,
        "[Constant|Unit] vectors cost nothing, so": costs_nothing,
        "its slopes are [$-1$ and $0$|$0$ and $1$].": slopes,
        "which has no effect on a prediction with [$\\tilde K$|$K$].": outside,
        "= 0.1$ only the [second|first] promises a change of at most 1": only,
        r"with $\lambda_0 = 0.01$ [neither|the second] does, with any number": (
            neither
        ),
        "This is [largest|smallest] at $t = \\frac13$": at_a_third,
        "The [smallest|largest] $\\|\\beta' + \\tau \\beta\\|$ is": of_combinations,
        "a share [below|above] zero means an error [above|below] that of the mean": (
            share
        ),
        "The other eigenvalues are [large|small]; the [second|first|last] sees the "
        "weakest cut": sees,
        "At $\\rho = 0.02 [" + "|".join(ROOTS) + "] / \\|y\\|$ with": (
            lambda root: np.isclose(moved_by(0.02 * ROOTS[root] / LABEL), 0.01)
        ),
        "is farther than $\\frac{\\rho}{2} [" + "|".join(ROOTS) + "]\\, \\|y\\|$": (
            lambda root: np.isclose(moved_by(0.01), 0.01 / 2 * ROOTS[root] * LABEL)
        ),
        "\\le [\\sqrt\\kappa|\\kappa]\\, \\|X R\\|_2\\, \\|r\\|$": through,
        "with $\\|X R\\|_2 \\le \\frac{1}{[2 \\sqrt\\alpha|2 \\alpha]}$": {
            "2 \\sqrt\\alpha": np.isclose(LARGEST, 1 / (2 * np.sqrt(RIDGE))),
            "2 \\alpha": np.isclose(LARGEST, 1 / (2 * RIDGE)),
        },
    },
)
