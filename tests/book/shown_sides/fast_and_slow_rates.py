"""Fast and slow rates: what shows words that could be exchanged."""

import re
from math import e

import numpy as np
from matplotlib.figure import Figure
from sides_shown import sides

from nystheory.chapters.fast_and_slow_rates import figures
from nystheory.chapters.fast_and_slow_rates.experiments import exponent
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS

CHAPTER = "fast_and_slow_rates"
NEAR = 1e-9
N = 10.0 ** np.arange(6, 16)

# ---- Exponents


def slope(values):
    return np.polyfit(np.log(N), np.log(values), 1)[0]


DECIDES = -slope(N**-0.3 + N**-0.9)
TERMS = {"sample": 1 / (0.1 * N), "ridge": np.full(len(N), 0.1)}


def costs(first, second):
    """Which term falls with the points, and which stays."""
    return np.ptp(TERMS[first]) > 0 and np.ptp(TERMS[second]) == 0


def dimension(p, alpha=1e-4):
    values = np.arange(1.0, 10**5) ** (-1 / p)
    return (values / (values + alpha)).sum()


DIRECTIONS = {"small": dimension(0.2), "large": dimension(0.8)}


def means(size, count):
    few = DIRECTIONS[size] == min(DIRECTIONS.values())
    return few == (count == "few")


def fast(p):
    return exponent(ROWS["hinge, well specified"].rate, capacity=float(p))


def run(slow_end, fast_end):
    """From which p to which the fast rate runs."""
    return np.allclose([fast(slow_end), fast(fast_end)], [1 / 2, 1])


def rate(loss, **values):
    return exponent(ROWS[loss].rate, **{"capacity": 0.5, "source": 1.0} | values)


THETAS = {word: rate("hinge", theta=float(word)) for word in "01"}
SATURATED = max(
    rate("hinge", capacity=p, source=r, theta=theta) - 2 * r / (r + 1)
    for p in (0.01, 0.3, 0.9)
    for r in (0.1, 0.5, 1.0)
    for theta in (0.0, 0.5, 1.0)
)
COLUMNS = [
    exponent(ROWS[f"{loss}, well specified"].columns, capacity=0.5)
    for loss in ("hinge", "square")
]
NUMBERS = {row: set(re.findall(r"\d+", ROWS[row].assumes)) for row in ROWS}


def assumptions(second, third):
    """Which number only losses with a slope have, and which no general r has."""
    named = {second: "2", third: "3"}
    lipschitz, linear = named.get("a Lipschitz loss"), named.get(
        "a best linear function"
    )
    of_slope = {"subspace", "hinge"}  # the square loss has no largest slope
    return (
        {x for x in ("subspace", "hinge", "square") if lipschitz in NUMBERS[x]}
        == of_slope
        and linear not in NUMBERS["hinge"]
        and "source" in ROWS["hinge"].rate
    )


ALPHAS = np.array([1e-6, 1e-4, 1e-2])
RESPONSES = np.array([0.9, -0.3, 0.6])


def risk(f):
    return np.mean((RESPONSES[:, None] - f) ** 2, axis=0)


MOVED = risk(RESPONSES.mean() + np.sqrt(ALPHAS)) - risk(RESPONSES.mean())
MOVES = {
    r"$\alpha$": np.allclose(MOVED, ALPHAS),
    r"$\sqrt\alpha$": np.allclose(MOVED, np.sqrt(ALPHAS)),
}
CHEAPER = [
    (r, gamma, float(figures.quotient(r, gamma)) < 1)
    for r in np.linspace(0.05, 0.95, 10)
    for gamma in np.linspace(0.02, 0.98, 9)
]
CORNERS = {
    "lower left": float(figures.quotient(0, 0)),
    "upper right": float(figures.quotient(1, 1)),
}

# ---- The effective dimension

X = np.linspace(0.01, 3, 300)
J = np.arange(1, 2000)
FALLING = 1 / (1 + 0.01 * J**2.0)
ABOVE_ZERO = np.arctan(0.1 * 2000) / 0.1  # the integral from 0
FROM_ONE = ABOVE_ZERO - np.arctan(0.1) / 0.1


def holds(gamma, p=0.2, alpha=1e-5):
    """Whether the bound with the constant itself holds for such eigenvalues."""
    values = gamma * J ** (-1 / p)
    return (values / (values + alpha)).sum() <= gamma / (1 - p) * alpha**-p


NEEDS = {r"\ge": holds(1.0) and holds(3.0), r"\le": holds(0.01)}

# ---- Surrogates

ETA = 0.8
F = np.linspace(-2, 2, 81)
HINGE = ETA * np.maximum(0, 1 - F) + (1 - ETA) * np.maximum(0, 1 + F)
CHANCES = np.linspace(0.01, 0.99, 99)
ENTROPY = -(CHANCES * np.log(CHANCES) + (1 - CHANCES) * np.log(1 - CHANCES))


def logistic(f, eta):
    return eta * np.log1p(np.exp(-f)) + (1 - eta) * np.log1p(np.exp(f))


BEST = logistic(np.log(CHANCES / (1 - CHANCES)), CHANCES)
AT_ZERO = logistic(0.0, CHANCES) - BEST
MARGINS = abs(2 * CHANCES - 1)
M = np.linspace(0, 1, 1001)
BRACKET = 5 + 2 * M - 3 * M**2
V = np.linspace(-2, 3, 501)
SQUARES = (0.5 - V) ** 2
TAIL = np.log1p(np.exp(-V))
GAMMA = np.linspace(0.001, 0.999, 9981)
LARGEST = GAMMA[((2 * GAMMA) ** -GAMMA).argmax()]
ROOTS = np.sqrt([0.1, 0.5, 2.0]).mean() - np.sqrt(np.mean([0.1, 0.5, 2.0]))

FINER = [1 / (0.1 * 1000) + 0.1 + np.sqrt(alpha) for alpha in (1e-2, 1e-3, 1e-4)]

HALVES = {"1": 1.0, r"\frac12": 1 / 2}


def least(a, b):
    return min(1 - a, a, b / 2)


GRID = np.array([least(a, 4.0) for a in np.linspace(0, 1, 101)])
WRONG = {"less": ETA, "more": 1 - ETA}  # how often a predicted class is wrong
ENDS = np.clip(V, -1, 1)
CLIPPED = [(y - ENDS) ** 2 - (y - V) ** 2 for y in (-1, -0.4, 0.5, 1)]
CLIPPED += [np.maximum(0, 1 - y * ENDS) - np.maximum(0, 1 - y * V) for y in (-1, 1)]

# ---- The figure of the quotient

GAMMAS = np.linspace(0, 1, 5)
ONE_ON = {
    "1 - gamma": np.allclose(figures.quotient(1 - GAMMAS, GAMMAS), 1),
    "gamma": np.allclose(figures.quotient(GAMMAS, GAMMAS), 1),
}


def thick():
    """The level of the widest line of the figure."""
    axes = Figure().subplots()
    figures.draw_levels(axes)
    lines = axes.collections[-1]
    return lines.levels[np.argmax(lines.get_linewidths())]


def line_of_one(formula):
    return thick() == 1 and ONE_ON[formula]


def quotient_is(formula):
    """At a point of the square off the line."""
    r, gamma = 0.3, 0.2
    told = {
        "(r + 1) / (2 - gamma)": (r + 1) / (2 - gamma),
        "(2 - gamma) / (r + 1)": (2 - gamma) / (r + 1),
    }
    return np.isclose(figures.quotient(r, gamma), told[formula])


def cut_by(word):
    """The corners with r to the right where both cost the same."""
    ends = {"upper left to lower right": [(0, 1), (1, 0)]}
    ends |= {"lower left to upper right": [(0, 0), (1, 1)]}
    return np.allclose([figures.quotient(*end) for end in ends[word]], 1)



def source(penalties=(1e-4, 1e-3)):
    """How the best regularised risk exceeds the best one, as a power of the ridge."""
    A = np.array([[1.0, 0.2], [0.3, 0.8], [0.5, -0.4]])
    y = A @ np.array([1.0, -2.0]) + np.array([0.1, -0.2, 0.3])
    best = np.linalg.lstsq(A, y, rcond=None)[1].item()
    over = []
    for ridge in penalties:
        w = np.linalg.solve(A.T @ A + ridge * np.eye(2), A.T @ y)
        over.append(np.sum((A @ w - y) ** 2) + ridge * w @ w - best)
    return np.diff(np.log(over)) / np.diff(np.log(penalties))


OF_P = {"p": 0.2, "1/p": 1 / 0.2}
OF_LEVEL = np.log10(dimension(0.2, 1e-10) / dimension(0.2, 1e-9))
COUNTS = {"pb": 0.2 * 0.5, "b/p": 0.5 / 0.2}
OF_SIZE = np.log10(dimension(0.2, 10**-9.5) / dimension(0.2, 10**-9.0))  # b = 1/2


sides(
    CHAPTER,
    {
        "The [slowest|fastest] one decides": {
            "slowest": np.isclose(DECIDES, 0.3, atol=0.01),
            "fastest": np.isclose(DECIDES, 0.9, atol=0.01),
        },
        "the first is what the [sample|ridge] costs, the second what the "
        "[ridge|sample] costs": costs,
        "A [small|large] $p$ means [few|many] directions": means,
        r"The best case is $\theta = [1|0]$": lambda word: (
            THETAS[word] == max(THETAS.values())
        ),
        "*There is saturation.* No rate is [beyond|below]": {
            "beyond": SATURATED <= NEAR,
            "below": SATURATED > NEAR,
        },
        "and the [square root|square] of that number of landmarks": {
            "square root": np.isclose(COLUMNS[1], COLUMNS[0] / 2),
            "square": np.isclose(COLUMNS[1], COLUMNS[0] * 2),
        },
        "They run from $n^{-1/2}$ at $p = [1|0]$ to $n^{-1}$ at $p = [0|1]$": run,
        r"and the risk moves by [$\alpha$|$\sqrt\alpha$] only": MOVES,
        r"$\frac{x}{x + \alpha}$ [rises] with $x$": np.diff(X / (X + 0.1)).min(),
        "with $j$, and the sum is at [most|least] the integral": {
            "most": FALLING.sum() <= ABOVE_ZERO,
            "least": FALLING.sum() >= ABOVE_ZERO,
        },
        "The sum of $N$ falling terms is at [least|most] the integral from $1$": {
            "least": FALLING.sum() >= FROM_ONE,
            "most": FALLING.sum() <= FROM_ONE,
        },
        r"it needs $\gamma [\ge|\le] 1$, or nearly so": NEEDS,
        r"Its mean is [convex|concave] in $f$ and smallest at the": {
            "convex": np.diff(HINGE, 2).min() > -NEAR,
            "concave": np.diff(HINGE, 2).max() < NEAR,
        },
        r"that at $0$, which is $\log 2$ [less|plus] the entropy of $\eta$": {
            "less": np.allclose(AT_ZERO, np.log(2) - ENTROPY),
            "plus": np.allclose(AT_ZERO, np.log(2) + ENTROPY),
        },
        r"2 (\eta - \frac12)^2 = \frac{s^2}[2|4]$": {
            size: np.allclose(MARGINS**2 / int(size), 2 * (CHANCES - 1 / 2) ** 2)
            and (AT_ZERO >= MARGINS**2 / int(size) - NEAR).all()
            for size in "24"
        },
        "and a mean of roots is at [most|least] the root of the mean": {
            "most": ROOTS <= 0,
            "least": ROOTS >= 0,
        },
        r"This is largest at $|m| = \frac[13|23]$": {
            "13": np.isclose(M[BRACKET.argmax()], 1 / 3, atol=2e-3),
            "23": np.isclose(M[BRACKET.argmax()], 2 / 3, atol=2e-3),
        },
        "the square loss [falls|rises] up to $v = y$ and [rises|falls] from there": (
            lambda before, after: {
                "falls": np.diff(SQUARES[V <= 0.5]).max() < 0,
                "rises": np.diff(SQUARES[V <= 0.5]).min() > 0,
            }[before]
            and {
                "rises": np.diff(SQUARES[V >= 0.5]).min() > 0,
                "falls": np.diff(SQUARES[V >= 0.5]).max() < 0,
            }[after]
        ),
        "The logistic loss of $y = 1$ [falls] everywhere": np.diff(TAIL).max(),
        r"moving one below $-\log n$ makes the loss [smaller]": (
            TAIL[200] - TAIL[100]
        ),
        r"largest value of $(2\gamma)^{-\gamma}$ is at $\gamma = \frac{1}{[2e|e]}$": {
            "2e": np.isclose(LARGEST, 1 / (2 * e), atol=1e-3),
            "e": np.isclose(LARGEST, 1 / e, atol=1e-3),
        },
        r"needs fewer columns if and only if $r [<|>] 1 - \gamma$": {
            "<": all((r < 1 - gamma) == fewer for r, gamma, fewer in CHEAPER),
            ">": all((r > 1 - gamma) == fewer for r, gamma, fewer in CHEAPER),
        },
        "at the [lower left|upper right], where the hinge loss needs fewer columns": (
            lambda corner: CORNERS[corner] < 1
        ),
        "points with light tails; 2, [a Lipschitz loss|a best linear function]; 3, "
        "[a best linear function|a Lipschitz loss];": assumptions,
        "A finer subspace never makes the bound [larger|smaller]; it costs columns": {
            "larger": np.diff(FINER).max() <= 0,
            "smaller": np.diff(FINER).min() >= 0,
        },
        r"largest at $a = [\frac12|1]$ and $b = [1|\frac12]$, where it is $\frac12$": (
            lambda a, b: np.isclose(least(HALVES[a], HALVES[b]), GRID.max())
        ),
        r"and the last agree at $a = \frac{[1|2]}{1+p}$": (
            lambda over: np.isclose(1 - 0.3 * int(over) / 1.3, int(over) / 1.3)
        ),
        r"The term with $\alpha$ keeps it for $b = \frac{[2|1]}{1+p}$": (
            lambda over: np.isclose(int(over) / 1.3 / 2, fast(0.3))
        ),
        r"both are equal at $a = \frac{[2|1]}{r+1}$": (
            lambda over: np.isclose(
                1 - int(over) / 1.4 * (1 - 0.4) / 2, 0.4 * int(over) / 1.4
            )
        ),
        "is $s$ if the predicted class is the [less|more] likely one": {
            "less": np.isclose(WRONG["less"] - min(WRONG.values()), abs(2 * ETA - 1)),
            "more": np.isclose(WRONG["more"] - min(WRONG.values()), abs(2 * ETA - 1)),
        },
        "a value beyond the interval to its end makes neither [larger|smaller]": {
            "larger": max(x.max() for x in CLIPPED) <= NEAR,
            "smaller": min(x.min() for x in CLIPPED) >= -NEAR,
        },
        "If a best linear function exists, $r = [1|" + r"\frac12]$": (
            lambda size: np.isclose(source(), HALVES[size], atol=0.01)
        ),
        r"so $d_\alpha$ is of order $\alpha^{-[p|1/p]}$, by": (
            lambda power: np.isclose(OF_LEVEL, OF_P[power], atol=0.02)
        ),
        "The number of landmarks is $n^{[pb|b/p]}$, times a logarithm": (
            lambda power: np.isclose(OF_SIZE, COUNTS[power], atol=0.02)
        ),
        "It is 1 on the thick line r = [1 - gamma|gamma], where": line_of_one,
        "[(r + 1) / (2 - gamma)|(2 - gamma) / (r + 1)], if both are to": quotient_is,
        "the diagonal from [upper left to lower right|lower left to upper right].": (
            cut_by
        ),
    },
)
