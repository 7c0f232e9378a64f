"""Empirical risk on random subspaces: what shows words that could be exchanged."""

from functools import cache

import numpy as np
from matplotlib.figure import Figure
from sides_shown import sides
from words_shown import found

from nystheory import learners, theorems
from nystheory.chapters.random_subspaces import circle, figures, findings

CHAPTER = "random_subspaces"
STEP = "dellavecchia2024:projection-step"
RNG = np.random.default_rng(0)
MARGINS = np.linspace(-3, 3, 6001)

# ---- Losses


def looks_for(square, hinge):
    """The value with the least risk of each loss, where labels are 1 with 0.8."""
    eta = 0.8
    losses = {
        "square": lambda f: (1 - f) ** 2,
        "hinge": lambda f: np.maximum(1 - f, 0),
    }
    found = {}
    for name, loss in losses.items():
        risk = eta * loss(MARGINS) + (1 - eta) * loss(-MARGINS)
        found[name] = MARGINS[risk.argmin()]
    return (
        square != hinge
        and np.isclose(found[square], 2 * eta - 1)
        and np.isclose(found[hinge], np.sign(2 * eta - 1))
    )


def logistic(f):
    return np.log1p(np.exp(-f))


def curvature(f, loss):
    step = 1e-3
    return (loss(f + step) - 2 * loss(f) + loss(f - step)) / step**2


def second_derivatives(of_logistic, of_square):
    size = {r"$\frac14$": 1 / 4, r"$\frac12$": 1 / 2, "2": 2, "1": 1}
    most = curvature(MARGINS, logistic).max()
    square = curvature(MARGINS, lambda f: (1 - f) ** 2)
    return np.isclose(most, size[of_logistic], rtol=1e-4) and np.allclose(
        square, size[of_square], rtol=1e-4
    )


def costs_at_most(share):
    """Half of the largest second derivative times the square of what is missed."""
    size = {r"$\frac18": 1 / 8, r"$\frac14": 1 / 4}[share]
    return np.isclose(curvature(MARGINS, logistic).max() / 2, size, rtol=1e-4)


def at_nothing(value):
    size = {r"$\log 2$": np.log(2), "$1$": 1, "$0$": 0}[value]
    return np.isclose(logistic(0.0), size)


# ---- How many columns for which loss


def price(loss, level):
    """What the projection costs, with the largest miss that is allowed."""
    claim = {"Lipschitz": "hinge", "square": "square at most"}[loss]
    line = theorems[STEP].claims[claim].line.partition("<=")[2]
    one = np.ones((1, 1))
    names = {"slope": 1.0, "norm_missed": np.sqrt(3 * level), "w": one, "w_star": one}
    return eval(line, {"norm_2": np.linalg.norm, **names})


def power_of(loss):
    """Of the level, in what the projection costs."""
    return np.log10(price(loss, 1e-2) / price(loss, 1e-3))


POWERS = {loss: power_of(loss) for loss in ("Lipschitz", "square")}


def costs(first, second):
    kinds = {"a Lipschitz": "Lipschitz", "the square": "square"}
    return np.allclose([POWERS[kinds[first]], POWERS[kinds[second]]], [1 / 2, 1])


def levels(lipschitz, square):
    """Those at which the cost is of the order of epsilon."""
    size = {r"$\epsilon^2$": 2, r"$\epsilon$": 1}
    return np.isclose(size[lipschitz] * POWERS["Lipschitz"], 1) and np.isclose(
        size[square] * POWERS["square"], 1
    )


def table(hinge_level, hinge, hinge_n, square_level, square, square_n):
    """Columns are the level to the power -p, and epsilon one over the root of n."""
    eps, p = 1e-2, 0.25
    n = eps**-2
    size = {
        r"$\epsilon^2$": eps**2,
        r"$\epsilon$": eps,
        r"$\epsilon^{-2p}$": eps ** (-2 * p),
        r"$\epsilon^{-p}$": eps**-p,
        "$n^p$": n**p,
        "$n^{p/2}$": n ** (p / 2),
    }
    rows = (
        (POWERS["Lipschitz"], hinge_level, hinge, hinge_n),
        (POWERS["square"], square_level, square, square_n),
    )
    return all(
        np.isclose(size[level] ** power, eps)
        and np.allclose([size[columns], size[of_n]], size[level] ** -p)
        for power, level, columns, of_n in rows
    )


def prescribed(hinge, square):
    """The level with which each rate is proved, on the circle of slow decay."""
    slow, n = circle.Circle(circle.Power(2)), 1000
    size = {"$\\alpha = 1/n$": 1 / n}
    size |= {"$\\alpha = n^{-1/(1 + p)}$": n ** (-1 / (1 + slow.decay.p))}
    told = slow.alpha("hinge", n), slow.alpha("square", n)
    return np.allclose(told, [size[hinge], size[square]], rtol=1e-6)


# ---- Scores and ridges


def score(word):
    K = np.diag([100.0, 1.0, 0.1])
    scores = np.diag(K @ np.linalg.inv(K + np.eye(3)))
    return {"below": scores.max() < 1, "above": scores.min() > 1}[word]


def reverses(word):
    X = RNG.standard_normal((3, 3))
    A = X @ X.T + np.eye(3)
    more = np.linalg.inv(A + 2 * np.eye(3)) - np.linalg.inv(A)
    return {"reverses": np.linalg.eigvalsh(more).max(), "keeps": -1}[word] < 0 and (
        word != "keeps" or np.linalg.eigvalsh(more).min() > 0
    )


FOUR = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([1, 1, -1, -1])


@cache
def ridge_of(loss, lam=0.1):
    """The ridge with which the package finds the least value of the page's sum."""
    X, y = FOUR
    K = np.exp(-((X - X.T) ** 2) / 2)
    values, V = np.linalg.eigh(K)
    Z = K @ (V / np.sqrt(values)) @ V.T
    told = {}
    for name, factor in ((r"2 n \lambda", 2), (r"n \lambda", 1)):
        machine = learners.SubspaceClassifier(
            factor * 4 * lam, loss=loss, gamma=0.5, landmarks=range(4), tol=1e-10
        )
        scores = machine.fit(X, y).decision_function(X)
        losses = {"hinge": np.maximum(1 - y * scores, 0), "square": (y - scores) ** 2}
        w = np.linalg.solve(Z, scores)
        told[name] = losses[loss].mean() + lam * w @ w
    return min(told, key=told.get)


# ---- A rare direction


def draws_needed(share, delta=0.1):
    return np.log(delta) / np.log(1 - share)


def needs(first, second, eps=1e-3, delta=0.1, r=3):
    """Draws of each scheme until a rare direction is found."""
    at_level = np.array([0.5] + [(1 - eps) / (1 - eps + eps)] * (r - 1))
    told = {
        "uniform landmarks": draws_needed(eps, delta),
        "leverage scores": draws_needed(at_level[0] / at_level.sum(), delta),
    }
    rare = np.log(1 / delta) / eps
    return first != second and (
        np.isclose(told[first], rare, rtol=0.01) and told[second] < 0.1 * rare
    )


def needed(word, r=10):
    """The least columns with less than half of the loss, where r directions are alike.

    Where there is no landmark in a direction the value is zero, and the loss one.
    """
    values = {m: np.repeat([1, 0], [m, r - m]) for m in range(r)}
    least = min(m for m, f in values.items() if np.maximum(1 - f, 0).mean() < 0.5)
    return {"more": least > r / 2, "fewer": least < r / 2}[word]


def dimension(A, alpha=0.5):
    return np.trace(A @ np.linalg.inv(A + alpha * np.eye(len(A))))


def curved(word):
    """The effective dimension between two matrices."""
    told = []
    for _ in range(10):
        X, Y = RNG.standard_normal((2, 3, 3))
        A, B = X @ X.T, Y @ Y.T
        told.append(dimension((A + B) / 2) - (dimension(A) + dimension(B)) / 2)
    return {"concave": min(told) > 0, "convex": max(told) < 0}[word]


def inverse_curved(word):
    told = []
    for _ in range(10):
        X, Y = RNG.standard_normal((2, 3, 3))
        A, B = X @ X.T + np.eye(3), Y @ Y.T + np.eye(3)
        inv = np.linalg.inv
        told += [*np.linalg.eigvalsh((inv(A) + inv(B)) / 2 - inv((A + B) / 2))]
    return {"convex": min(told) > -1e-12, "concave": max(told) < 1e-12}[word]


def population(word):
    """The one with most of the points on one half, in the order of the experiment."""
    laws = found(f"{CHAPTER}:tradeoff").experiment.shown.values()
    shares = [data.draw(10, RNG)[0].share for data in laws]
    return np.argmax(shares) == {"last": len(shares) - 1, "first": 0}[word]


def from_the(word):
    """On which side the eigenvectors turn the rows into those of the embedding."""
    X = RNG.standard_normal((6, 2))
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    C, W = K[:, :2], K[:2, :2]
    values, V = np.linalg.eigh(W)
    Z = C @ V / np.sqrt(values)
    root = V / np.sqrt(values) @ V.T
    try:
        turned = {"right": lambda: Z @ V.T, "left": lambda: V.T @ Z}[word]()
    except ValueError:
        return False
    return np.allclose(turned, C @ root)


def near_points(word):
    """The smallest eigenvalue of the core of two points, over the largest."""
    e = np.exp(-(0.001**2))
    share = (1 - e) / (1 + e)
    return {"tiny": share < 1e-5, "large": share > 0.1}[word]


def of_box(word):
    """Which of the two bounds on a score gives both numbers."""
    claims = theorems["dellavecchia2024:definitions"].claims
    names = {"upper": claims["at most"].line, "lower": claims["at least"].line}
    own = names[word].replace(" ", "")
    return own == "leverage<=diag(K)/(diag(K)+n*alpha)"


def counts(word):
    """What a direction far above the level, or far below it, adds."""
    value = {"above": 1e4, "below": 1e-4}[word]
    return np.isclose(dimension(np.array([[value]]), 1.0), 1, atol=1e-3)


def decays(slow, first, fast, second):
    """Of the coefficients j^-2 and j^-4, the slower one first."""
    told = [circle.Power(power) for power in (2, 4)]
    size = {r"\frac12": 1 / 2, r"\frac14": 1 / 4}
    tails = [law.coefficients(20)[10] / law.coefficients(20)[1] for law in told]
    names = ["slow", "fast"] if tails[0] > tails[1] else ["fast", "slow"]
    return [law.p for law in told] == [size[slow], size[fast]] and names == [
        first,
        second,
    ]

# ---- The figure of the excess risk

TRADED = found(f"{CHAPTER}:tradeoff")
POPULATIONS = [*TRADED.experiment.shown]
SCORED = "hinge_scores", "square_scores"


@cache
def lines(data="slow decay"):
    """Where lines across and up the panel lie, and the stars."""
    axes = Figure().subplots()
    figures._draw_tradeoff(axes, TRADED, data)
    across = {x.get_ydata()[0] for x in axes.lines if [*x.get_xdata()] == [0, 1]}
    up = {x.get_xdata()[0] for x in axes.lines if [*x.get_ydata()] == [0, 1]}
    stars = {x.get_xdata()[0] for x in axes.lines if x.get_marker() == "*"}
    return across, up, stars


def of(field, data="slow decay"):
    values = figures.means(TRADED, field, data)
    return {values[name][0] for name in SCORED}


def lines_are(everything, prescribed):
    across, up, stars = lines()
    told = {"Horizontal lines": (across,), "Dashed lines and stars": (up, stars)}
    return all(x == of(findings.WHOLE) for x in told[everything]) and all(
        x == of(findings.NUMBER) for x in told[prescribed]
    )


def curves(which, other=None):
    """The excess risk of both schemes, at each number of columns, by population."""
    for data in POPULATIONS:
        values = figures.means(TRADED, findings.EXCESS, data)
        for scheme in ("", "_scores"):
            yield values[which + scheme] - (values[other + scheme] if other else 0)


DOWN = [x[0] - x[-1] for loss in ("hinge", "square") for x in curves(loss)]


# ---- Conventions for one ridge


@cache
def fits(ridge, lam=0.1):
    """Whether both learners with it have the values of the formula, two landmarks."""
    X, y = FOUR
    K = np.exp(-((X - X.T) ** 2) / 2)
    C, W = K[:, [0, 3]], K[np.ix_([0, 3], [0, 3])]
    formula = C @ np.linalg.solve(C.T @ C + 4 * lam * W, C.T @ y)
    own = {r"n \lambda": 4 * lam, r"2 n \lambda": 8 * lam}[ridge]
    told = {"kernel": "rbf", "gamma": 0.5, "landmarks": [0, 3]}
    machine = learners.SubspaceClassifier(own, loss="square", **told).fit(X, y)
    regression = learners.KernelRidge(own, **told).fit(X, y.astype(float))
    made = machine.decision_function(X), regression.predict(X)
    return all(np.allclose(each, formula, atol=1e-6) for each in made)


def beside(word, lam=0.1):
    """Of which risk the formula of the coefficients is the least with the penalty."""
    X, y = FOUR
    K = np.exp(-((X - X.T) ** 2) / 2)
    C, W = K[:, [0, 3]], K[np.ix_([0, 3], [0, 3])]
    c = np.linalg.solve(C.T @ C + 4 * lam * W, C.T @ y)
    slope = 2 * C.T @ (C @ c - y)
    slope = {"mean": slope / 4, "sum": slope}[word]
    return np.allclose(slope + 2 * lam * W @ c, 0)


def of_rounding(word):
    """What the inverse root of the smallest eigenvalue of two near points does."""
    e = np.exp(-(0.001**2))
    factor = np.linalg.eigvalsh([[1, e], [e, 1]])[0] ** -0.5
    return {"multiplies": factor > 100, "divides": factor < 0.01}[word]


def in_units(formula, alpha=0.2):
    """The scores at a level of the covariance, from the matrix."""
    X = np.random.default_rng(3).standard_normal((2, 7))
    scores = np.diag(X.T @ np.linalg.inv(X @ X.T / 7 + alpha * np.eye(2)) @ X) / 7
    own = {r"n \alpha": 7 * alpha, r"\alpha / n": alpha / 7}[formula]
    K = X.T @ X
    return np.allclose(np.diag(K @ np.linalg.inv(K + own * np.eye(7))), scores)


def halves(squares, ridge):
    """Which parts of both sums the objective of the classifier has."""
    X, y = FOUR
    machine = learners.SubspaceClassifier(
        0.4, loss="square", gamma=0.5, landmarks=[0, 3]
    ).fit(X, y)
    part = {"half": 1 / 2, "all": 1.0}
    missed = np.sum((y - machine.decision_function(X)) ** 2)
    length = 0.4 * machine.coef_ @ machine.coef_
    told = part[squares] * missed + part[ridge] * length
    return np.isclose(machine.objective_, told)


def of_equal_directions(formula, r=8):
    """The effective dimension of r directions that are alike."""
    alpha = {r"\frac1r": 1 / r, "1": 1.0}[formula]
    return np.isclose(dimension(np.eye(r) / r, alpha), r / 2)


sides(
    CHAPTER,
    {
        "The [square|hinge] loss looks for $2 \\eta - 1$, the [hinge|square] loss for "
        "its sign": looks_for,
        "costs $G \\|w\\| \\sqrt{3 \\alpha}$ for [a Lipschitz|the square] loss, and $3 "
        "\\alpha \\|w_*\\|^2$ for [the square|a Lipschitz] loss": costs,
        "of the order [$\\epsilon^2$|$\\epsilon$] for a Lipschitz loss, and "
        "[$\\epsilon$|$\\epsilon^2$] for the square loss": levels,
        "| hinge | [$\\epsilon^2$|$\\epsilon$] | [$\\epsilon^{-2p}$|$\\epsilon^{-p}$] "
        "| [$n^p$|$n^{p/2}$] | | square | [$\\epsilon$|$\\epsilon^2$] | "
        "[$\\epsilon^{-p}$|$\\epsilon^{-2p}$] | [$n^{p/2}$|$n^p$] |": table,
        "with [$\\alpha = 1/n$|$\\alpha = n^{-1/(1 + p)}$] for the hinge loss and "
        "[$\\alpha = n^{-1/(1 + p)}$|$\\alpha = 1/n$] for the square loss": prescribed,
        "says that a score is [below|above] 1 and": score,
        "The inverse [reverses|keeps] the order.": reverses,
        "second derivative is at most [$\\frac14$|$\\frac12$], and that of the square "
        "loss is [2|1].": second_derivatives,
        "the projection costs at most [$\\frac18|$\\frac14] \\|\\Sigma^{1/2}": (
            costs_at_most
        ),
        "the value is 0 and the loss [$\\log 2$|$1$|$0$]; elsewhere": at_nothing,
        "takes [more|fewer] than $\\frac r2$ columns, *whatever the scheme*": needed,
        "$\\textit{ridge} = [2 n \\lambda|n \\lambda]$ in the package, and $[n "
        "\\lambda|2 n \\lambda]$ for the square loss": (
            lambda hinge, square: (
                (ridge_of("hinge"), ridge_of("square")) == (hinge, square)
            )
        ),
        "and the [last|first] population has 95 %": population,
        "[uniform landmarks|leverage scores] need about $\\frac1\\varepsilon \\log "
        "\\frac1\\delta$, [leverage scores|uniform landmarks] at most": needs,
        "So $A \\mapsto d_\\alpha(A)$ is [concave|convex], and": curved,
        "and the inverse is [convex|concave] in the order of matrices": inverse_curved,
        "multiplied by $V^\\top$ from the [right|left], it is the embedding": from_the,
        "have a core with [tiny|large] eigenvalues": near_points,
        "The [upper|lower] bound in the box says that a score": of_box,
        "counts the directions of the data [above|below] the level": counts,
        "$j^{-2}$, hence $p = [\\frac12|\\frac14]$ (*[slow|fast] decay*), $j^{-4}$, "
        "hence $p = [\\frac14|\\frac12]$ (*[fast|slow] decay*)": decays,
        "[$n \\lambda$|$2 n \\lambda$] is the ridge of both": (
            lambda ridge: fits(ridge.strip("$"))
        ),
        "the classifier has [half|all] of the squares and [half|all] of the ridge": (
            halves
        ),
        "stands beside a [mean|sum] of losses and has no half": beside,
        "$\\Lambda^{-1/2}$ [multiplies|divides] their rounding": of_rounding,
        "in the units of $K$ it is $[n \\alpha|\\alpha / n]$": in_units,
        "the level of the eigenvalues, $\\alpha = [\\frac1r|1]$, is $\\frac r2$": (
            of_equal_directions
        ),
        "[Horizontal lines|Dashed lines and stars]: all columns. [Dashed lines and "
        "stars|Horizontal lines]: the prescribed number": lines_are,
        "four curves that begin [high] with": min(DOWN),
    },
)
