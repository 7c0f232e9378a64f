"""Solving with a low-rank kernel: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides
from words_shown import found

from nystheory import kernels, learners, lowrank, theorems
from nystheory.chapters.solving_with_few_columns import experiments

CHAPTER = "solving_with_few_columns"
RNG = np.random.default_rng(0)

# ---- Predictions at a point that is orthogonal to all others


def predicted(e, alpha):
    """By all points, by features and by true rows, of the observation one there."""
    K, y = np.diag([1.0, e]), np.array([0.0, 1.0])
    near = lowrank.nystrom(K, [0]).spectral_reconstruction()
    a = np.linalg.solve(K + alpha * np.eye(2), y)
    a_near = np.linalg.solve(near + alpha * np.eye(2), y)
    return [(K @ a)[1], (near @ a_near)[1], (K @ a_near)[1]]


def predictions(whole, features, rows):
    return all(
        np.allclose(
            predicted(e, alpha),
            [
                {
                    r"$\frac{e}{e + \alpha}$": e / (e + alpha),
                    r"$\frac{e}{\alpha}$": e / alpha,
                    "$0$": 0,
                    "$1$": 1,
                }[told]
                for told in (whole, features, rows)
            ],
        )
        for e, alpha in ((3.0, 0.5), (0.2, 1.0))
    )


def more_than_observed(word):
    told = {e: predicted(e, 1.0)[2] > 1 for e in (0.5, 2.0)}
    return {">": told == {0.5: False, 2.0: True}, "<": told == {0.5: True, 2.0: False}}[
        word
    ]


def ridge_of_all(word, e=0.3):
    """The ridge with the least error of all points, beside that of true rows."""
    ridges = np.geomspace(1e-3, 10, 41)
    off = np.abs([predicted(e, alpha) for alpha in ridges] - np.ones(3))
    of_all, _, of_rows = ridges[off.argmin(axis=0)]
    return {"small": of_all < of_rows, "large": of_all > of_rows}[word]


def kernels_read(some, others):
    """The values of the kernel that a prediction takes, by features and true rows."""
    X, y = RNG.standard_normal((30, 2)), RNG.standard_normal(30)
    sizes = {"$l$": 4, "$n$": 30}
    taken = []
    for way in ("approximation", "kernel"):
        machine = learners.KernelRidge(
            1.0, gamma=0.5, landmarks=range(4), predict_with=way
        ).fit(X, y)
        moved = 0
        base = machine.predict(np.zeros((1, 2)))
        assert np.isfinite(base).all()
        # A point counts if its kernel value enters: its coefficient is not zero.
        K = np.exp(-0.5 * ((np.zeros(2) - X) ** 2).sum(axis=1))
        near = lowrank.nystrom(kernels.rbf(X, 0.5), range(4))
        made = near.spectral_reconstruction()
        a = np.linalg.solve(made + np.eye(30), y)
        if way == "approximation":
            W = kernels.rbf(X, 0.5).dense()[:4, :4]
            b = np.linalg.solve(W, kernels.rbf(X, 0.5).dense()[:4] @ a)
            assert np.allclose(K[:4] @ b, base)
            moved = np.count_nonzero(b)
        else:
            assert np.allclose(K @ a, base)
            moved = np.count_nonzero(a)
        taken.append(moved)
    return taken == [sizes[some], sizes[others]]


# ---- The identity, and the minimum


def has_size(word):
    """Of the matrix in the middle, by the line of the theorem."""
    line = theorems["talwalkar2010:eq-3.9"].claims["columns"].line
    sizes = {"core": "l", "rank": "k"}
    return f"inv(alpha * identity({sizes[word]}) + core_inverse @ C.T @ C)" in line


def extreme(word):
    """What the coefficients are, of the objective whose minimum the box names."""
    K, alpha, y = np.diag([2.0, 1.0]), 1.0, np.array([1.0, 1.0])
    A = K + alpha * np.eye(2)
    a = np.linalg.solve(A, y)
    others = [v @ A @ v - 2 * v @ y for v in RNG.standard_normal((20, 2))]
    own = a @ A @ a - 2 * a @ y
    return {"min": own < min(others), "max": own > max(others)}[word]


def eigenvalues_appear(word):
    """After preconditioning with an approximation that is above in a direction."""
    K, near = np.diag([1.0, 1.0]), np.diag([3.0, 0.0])
    values = np.linalg.eigvalsh(np.linalg.inv(near + np.eye(2)) @ (K + np.eye(2)))
    own = np.linalg.eigvalsh(
        np.linalg.inv(np.diag([1.0, 0.0]) + np.eye(2)) @ (K + np.eye(2))
    )
    assert own.min() > 1 - 1e-9 and own.max() > 1
    return {"below": values.min() < 1, "above": values.min() >= 1}[word]


# ---- Steps

X, Y = RNG.standard_normal((60, 2)), RNG.standard_normal(60)


def steps(alpha):
    K = kernels.rbf(X, 0.5)
    P = learners.Preconditioner(lowrank.nystrom(K, range(12)), alpha)
    return learners.conjugate_gradients(K, Y, alpha, P, tol=1e-8).iterations


STEPS = steps(0.01) - steps(1.0)


def go(word):
    return {"grows": 1, "falls": -1}[word] * STEPS > 0


def beside_ridge(word):
    """What the columns miss, in units of the ridge, after it and before."""
    K = kernels.rbf(X, 0.5)
    missed = lowrank.nystrom(K, range(12)).error(K, "spectral") / np.array([1.0, 0.01])
    return {"large": missed[1] > 10, "small": missed[1] < 1}[word]


# ---- Error bars

SEEN = experiments.line(200, 8, noise=0.05)
NEAR, ALL = (each[1] ** 2 for each in (SEEN.near, SEEN.exact))


def sides_of_variance(away, at):
    own = SEEN.x[SEEN.landmarks]
    far = np.abs(SEEN.places[:, None] - own).min(axis=1)
    seen = np.abs(SEEN.places[:, None] - SEEN.x).min(axis=1)
    between = NEAR[(seen < 0.05) & (far > np.quantile(far[seen < 0.05], 0.9))]
    of_all = ALL[(seen < 0.05) & (far > np.quantile(far[seen < 0.05], 0.9))]
    there = far < 0.02
    signs = {"too large": 1, "too small": -1}
    return (signs[away] * (between - of_all)).min() > 0 and (
        signs[at] * (NEAR[there] - ALL[there])
    ).min() > 0


def theta(t):
    return 1 + t / 2 + np.sqrt(t + t**2 / 4)


def factor(small, large):
    """The factor between the variances, at both ends."""
    formulas = {r"$1 + \sqrt t$": lambda t: 1 + np.sqrt(t), "$2 + t$": lambda t: 2 + t}
    return np.isclose(formulas[small](1e-6), theta(1e-6), rtol=1e-6) and np.isclose(
        formulas[large](1e6), theta(1e6), rtol=1e-6
    )


def speaks_of(id, *quantities):
    """Whether the claims of a theorem bound what the sentence says."""
    claims = theorems[f"modern:{id}"].claims.values()
    bounded = [claim.line.partition("<=")[0] for claim in claims]
    return all(any(q in each for each in bounded) for q in quantities)


def golden(word):
    ratio = (1 + np.sqrt(5)) / 2
    size = {"the square of the golden ratio": ratio**2, "the golden ratio": ratio}[word]
    return np.isclose(theta(1.0), size)


def by_markov(word):
    told = [1 + 2 / delta - 3 / delta for delta in (0.5, 0.1, 0.01)]
    return {"below": max(told) < 0, "above": min(told) > 0}[word]


def mixed(word):
    return {"below": SEEN.mixed.min() < 0, "above": SEEN.mixed.min() > 0}[word]


def coefficients(word):
    """By how much the error may exceed the residual, in the worst direction."""
    A = np.diag([100.0, 0.1])
    r = np.array([0.0, 1e-6])
    times = np.linalg.norm(np.linalg.solve(A, r)) / np.linalg.norm(r)
    size = {"condition number": np.linalg.cond(A), "norm": np.linalg.norm(A, 2)}[word]
    return np.isclose(times * np.linalg.norm(A, 2), size)


def found_from(columns, factor):
    """The sizes of the matrices that are inverted, by the lines of the theorem."""
    claims = theorems["talwalkar2010:eq-3.9"].claims
    right = [claims[x].line.partition("==")[2] for x in ("columns", "factor")]
    sizes = {"$l$": "l", "$k$": "k"}
    return all(
        f"inv(alpha * identity({sizes[word]}) +" in line
        for word, line in zip((columns, factor), right, strict=True)
    )


def of_blocks(first, second):
    """The eigenvalues after preconditioning, where landmarks see nothing else."""
    K, made = np.diag([3.0, 2.0]), np.diag([3.0, 0.0])
    told = np.diag(np.linalg.inv(made + np.eye(2)) @ (K + np.eye(2)))
    places = {"first": 0, "second": 1}
    return first != second and (
        np.isclose(told[places[first]], 1) and np.isclose(told[places[second]], 1 + 2.0)
    )


def ruins(word):
    """A prediction by true rows, with a ridge beside what is missed."""
    ridge = {"small": 0.01, "large": 100.0}[word]
    return predicted(1.0, ridge)[2] > 10


def enough(word):
    """The factor of the risk, for an error on this side of the ridge."""
    ratio = {"below": 0.01, "above": 100.0}[word]
    return (1 + ratio) ** 2 < 1.1


def band(word):
    """The width of the exact posterior, away from the points and among them."""
    away = np.abs(SEEN.places[:, None] - SEEN.x).min(axis=1)
    wide, narrow = ALL[away > 0.8].min(), np.median(ALL[away < 0.05])
    return {"wide": wide > 5 * narrow, "narrow": wide < narrow}[word]


def where_it_is(word):
    A, y = np.diag([3.0, 2.0]), np.array([1.0, 1.0])
    a = np.linalg.solve(A, y)
    told = [v @ A @ v - 2 * v @ y for v in a + RNG.standard_normal((20, 2))]
    own = a @ A @ a - 2 * a @ y
    return {"smallest": own < min(told), "largest": own > max(told)}[word]


def limit_of(word):
    """The bound with the kernel of a point, over what is attained."""
    t = {"small": 1e-6, "large": 100.0}[word]
    # Of a point of length e = t that is missed, with the observation one on it.
    attained = t / (t + 1)
    promised = np.sqrt(t) * np.sqrt(t / (1 + t))
    return np.isclose(attained, promised, rtol=1e-3)


# ---- A Gaussian process


def ridge_of(formula, noise=0.3):
    """The mean of the process at a new point, beside ridge regression."""
    K = kernels.rbf(np.vstack([X[:20], [[0.1, 0.2]]]), 0.5).dense()
    K[:20, :20] += noise**2 * np.eye(20)
    inverse = np.linalg.inv(K)  # of the joint law: the mean is where its form is least
    mean = -inverse[20, :20] @ Y[:20] / inverse[20, 20]
    ridge = {r"\sigma^2": noise**2, r"\sigma": noise}[formula]
    machine = learners.KernelRidge(ridge, gamma=0.5).fit(X[:20], Y[:20])
    return np.isclose(machine.predict(np.array([[0.1, 0.2]]))[0], mean)


RACED = found("solving_with_few_columns:race")


def times(task):
    """The error of inducing points over that of all points, in the mean of draws."""
    few, every = (RACED.measured("error", name, task).mean() for name in ("few", "all"))
    return few / every


def do(well, worse):
    """On which task they do as well, and on which much worse."""
    return times(well) < 1.05 and times(worse) > 2


sides(
    CHAPTER,
    {
        "predicts [$\\frac{e}{e + \\alpha}$|$\\frac{e}{\\alpha}$|$1$] at that point, "
        "features predict [$0$|$1$], and true rows [$\\frac{e}{\\alpha}$|$\\frac{e}{e "
        "+ \\alpha}$]:": predictions,
        "a ridge that is best for all points can be too [small|large] for true rows": (
            ridge_of_all
        ),
        "too much, and for $e [>|<] \\alpha$ more than was observed": (
            more_than_observed
        ),
        "a prediction reads [$l$|$n$] entries of the kernel and not [$n$|$l$].": (
            kernels_read
        ),
        "where it needs that of the [core|rank], and the thesis's (3.17)": has_size,
        "the thesis's (3.17) says max for [min|max].": extreme,
        "Then eigenvalues [below|above] 1 appear, and the bound can fail": (
            eigenvalues_appear
        ),
        "It [grows|falls]. What the columns miss is now [large|small] beside the "
        "ridge.": (
            lambda word, size: go(word) and beside_ridge(size)
        ),
        "It [falls|grows], because the ridge disturbs the system less.": (
            lambda word: not go(word)
        ),
        "is [too large|too small] where there are data and no landmark is near, and "
        "[too small|too large] at nearly all landmarks": sides_of_variance,
        "which is [$1 + \\sqrt t$|$2 + t$] for small $t = \\|E\\|_2 / \\sigma^2$ and "
        "[$2 + t$|$1 + \\sqrt t$] for large": factor,
        "for the risk at the observed points by "
        "{ref}`modern:[ridge-risk-core|preconditioning-trace]`": (
            lambda id: speaks_of(id, "risk")
        ),
        "for $t = 1$ is [the square of the golden ratio|the golden ratio]. What": (
            golden
        ),
        "with probability $1 - \\delta$, which is [below|above] $3 / \\delta$": (
            by_markov
        ),
        "and the true kernel, which falls [below|above] zero, to": mixed,
        "only up to the [condition number|norm] of $K": coefficients,
        "is then found from one of size [$l$|$k$], and with a factor $\\tilde K = F "
        "F^\\top$ from a symmetric one of size [$k$|$l$].": found_from,
        "Eigenvectors of the [first|second] block have the eigenvalue $1$, those of "
        "the [second|first] $1 +": of_blocks,
        "So a ridge that is [small|large] beside $\\|E\\|_2$ can ruin": ruins,
        "or its certificate $\\operatorname{tr} E$, far [below|above] the ridge": (
            enough
        ),
        "in a band that is [wide|narrow] in the middle and at both ends": band,
        "are where a function is [smallest|largest], and": where_it_is,
        "in the limit of a [small|large] $\\|E\\|_2 / \\sigma^2$ in": limit_of,
        r"has the mean of ridge regression with $\alpha = [\sigma^2|\sigma]$": ridge_of,
        "may still do as well, as on the [pixels|waves], or much worse, as on the "
        "[waves|pixels]": do,
    },
)
