"""The eigengap and the rate: what shows words that could be exchanged."""

from itertools import product

import numpy as np
from scipy.stats import binom
from sides_shown import sides
from words_shown import measured, ran, typed

from nystheory import datasets, kernels, lowrank
from nystheory.chapters.eigengap_and_rate import families, turning, two_balls
from nystheory.chapters.eigengap_and_rate.theorems import fixed_point

CHAPTER = "eigengap_and_rate"
NEAR = 1e-9
RNG = np.random.default_rng(0)

# ---- How far directions turn

BY_HAND = ran(CHAPTER, "drawn = [0, 0, 0, 1")
N, LAM = BY_HAND["n"], BY_HAND["n"] * BY_HAND["values"][::-1]
NEAR_K, K = BY_HAND["near_K"], BY_HAND["K"]
BEYOND = np.linalg.norm(K - NEAR_K, 2) - LAM[1]
SINE = np.linalg.norm(BY_HAND["hat"] - BY_HAND["H"] @ BY_HAND["hat"], 2)
ROOT, H = BY_HAND["root"], BY_HAND["H"]
ON_RANGES = np.linalg.norm(ROOT @ H, 2), np.linalg.norm(ROOT @ (np.eye(2) - H), 2)
NORMS = {
    r"$\sqrt{\lambda_1 / n}$": np.sqrt(LAM[0] / N),
    r"$\sqrt{\lambda_{k+1} / n}$": np.sqrt(LAM[1] / N),
}


def weyl(of=200):
    """Eigenvalues of the landmarks' matrix, less those of all and the distance."""
    rng, least, most = np.random.default_rng(0), np.inf, -np.inf
    for _ in range(of):
        X = rng.standard_normal((3, 12))
        own = rng.integers(0, 12, 5)
        L, near = X @ X.T / 12, X[:, own] @ X[:, own].T / 5
        left = np.linalg.eigvalsh(near)[1] - np.linalg.eigvalsh(L)[1]
        left += np.linalg.norm(L - near, 2)
        least, most = min(least, left), max(most, left)
    return {"least": least >= -NEAR, "most": most <= NEAR}


TURNS = turning.turned(turning.cloud(400, RNG), [32, 128], 200, RNG)
FALLS = TURNS.sines[0] / TURNS.sines[1], TURNS.excess[0] / TURNS.excess[1]
POWERS = {"square": FALLS[0] ** 2, "root": FALLS[0] ** 0.5}
A = np.linspace(0.01, 2.9, 200)

# ---- Gaps

ROBOT = datasets.robot_arm(200, np.random.default_rng(61)).X
DENSE = kernels.rbf(ROBOT, 0.25 / ROBOT.var(axis=0).sum()).dense()
OF_ROBOT = turning.Gaps.of(DENSE)
GAP = OF_ROBOT.gap(1)
V = (DENSE.diagonal() ** 2).sum() - (DENSE**2).sum() / 200
SHOWN = dict(
    zip(
        ("promised", "as printed", "typical"),
        turning.table({"robot arm": OF_ROBOT}).rows[0][4:],
        strict=True,
    )
)


def number(told):
    return float(told.replace(" ", ""))


def is_typical(part):
    """Whether the root mean square with so many landmarks is this part of the gap."""
    count = number(SHOWN["typical"])
    most, least = (np.sqrt(V / (200 * x)) for x in (count - 1, count))
    return least <= GAP / int(part) <= most


def are_promised(promised, printed):
    told = [turning.columns(GAP, 200, float(part)) for part in (promised, printed)]
    shown = [number(SHOWN[name]) for name in ("promised", "as printed")]
    return np.allclose(np.ceil(told), shown)


E2 = np.linspace(0.01, 0.99, 99)
SIGMA = E2 / (1 - E2)  # of a gap of one
HELPS = {part: ((SIGMA < 1) == (E2 < 1 / int(part) - NEAR)).all() for part in "23"}
DIGITS, PATIENTS = datasets.digits().X[:200], datasets.diabetes().X[:200]
WIDE, NARROW = (
    turning.Gaps.of(kernels.rbf(X, 0.25 / X.var(axis=0).sum()).dense()).gap(k)
    for X, k in ((DIGITS, 1), (PATIENTS, 2))
)

# ---- Powers


def terms(d, t, count=10**6):
    """Both terms of the proof, for a tail of so many eigenvalues of this size."""
    return d * t / count, t * np.sqrt(d / count)


def larger(d, t):
    first, second = terms(d, t)
    return {"second": second > first, "first": first > second}


def slope(measure):
    counts = 10**6, 10**8
    return np.log(measure(counts[1]) / measure(counts[0])) / np.log(100)


BETWEEN = [
    slope(lambda count, k=k: terms(3, 0.3 / np.sqrt(count), count)[k]) for k in (0, 1)
]
ORDERS = {"$l^{-3/2}$": -3 / 2, "$l^{-1}$": -1}


def moves(family):
    """The power of the number of landmarks with which the direction moves."""
    rng, counts = np.random.default_rng(0), (127, 511)
    told = [
        np.mean([np.log(families.moved(family(m), m, rng)) for _ in range(60)])
        for m in counts
    ]
    return (told[1] - told[0]) / np.log(counts[1] / counts[0])


MOVES = [moves(families.fixed), moves(families.spread)]
HOW = {"l^{-1/2}": -1 / 2, "l^{-1}": -1}

# ---- The learner, and the fixed point

P = np.linspace(0.001, 0.999, 999)
LOGISTIC = P**2 - 1 / 4 + P / 2 * np.log((1 - P) / P)
T = np.linspace(1e-3, 2, 400)
SPECTRUM = np.array([0.5, 0.2, 0.1, 0.05])
RIGHT = np.array([fixed_point.psi(t, SPECTRUM) ** 2 for t in T])
OF_IDENTITY = fixed_point.solved(np.ones(50))
BALLS = typed(CHAPTER, r"balls\.X\[::(\d+)\]")[0]
PARTS = {"fiftieth": 50, "tenth": 10}



def best_is_least(of=50):
    """Whether no approximation from two landmarks, of rank 1, is nearer."""
    rng, left = np.random.default_rng(0), []
    for _ in range(of):
        X = rng.standard_normal((4, 6))
        made = lowrank.nystrom(X.T @ X, [0, 1], 1)
        second = np.linalg.eigvalsh(X.T @ X)[-2]
        left.append(made.error(X.T @ X, "spectral") - second)
    return min(left) >= -NEAR and max(left) > 0.1

def of_sample(wrong, right):
    """What is wrong of a sample that misses the gap and has no error."""
    X, drawn = np.array([[1.0, 1, 1, 4], [0, 0, 0, 0]]), [0]
    L, near = X @ X.T / 4, X[:, drawn] @ X[:, drawn].T
    lengths = not np.isclose(np.trace(L), np.trace(near))
    directions = not np.allclose(L / np.trace(L), near / np.trace(near))
    is_wrong = {"lengths": lengths, "length": lengths}
    is_wrong |= {"directions": directions, "direction": directions}
    return is_wrong[wrong] and not is_wrong[right]

FOUR = np.random.default_rng(5).standard_normal((3, 4))
OWN = FOUR.T @ FOUR
OWN_V = (OWN.diagonal() ** 2).sum() - (OWN**2).sum() / 4
MEAN_SQUARE = np.mean([
    np.linalg.norm(FOUR @ FOUR.T / 4 - FOUR[:, S] @ FOUR[:, S].T / 3) ** 2
    for S in product(range(4), repeat=3)
])
BASES = [np.linalg.qr(M)[0] for M in RNG.standard_normal((2, 5, 2))]
SPACES = [B @ B.T for B in BASES]
COSINES = np.linalg.svd(BASES[0].T @ BASES[1], compute_uv=False)


# ---- The proof of the two projections

CLOUD = np.random.default_rng(6).standard_normal((3, 7))
OF_CLOUD, RIGHTS = np.linalg.eigh(CLOUD.T @ CLOUD)
OF_CLOUD, RIGHTS = OF_CLOUD[-2:], RIGHTS[:, -2:]
LEFTS = CLOUD @ RIGHTS / np.sqrt(OF_CLOUD)
SCALED = {r"\frac{\lambda_j}{n}": OF_CLOUD / 7, r"\lambda_j": OF_CLOUD}
STRETCHED = {r"\sqrt{\lambda_j}": np.sqrt(OF_CLOUD), r"\lambda_j": OF_CLOUD}
SYMMETRIC = LEFTS @ LEFTS.T - np.diag([1.0, 0, 0])

# ---- The eigenvalues of two balls

OF_BALLS = two_balls.stored().values
LATE_STEPS = OF_BALLS[2:-1] / OF_BALLS[3:]  # the first is from the third to the fourth

# ---- Kernels that are not scaled

LONG = np.diag([0.5, 3.0, 2.0])
WITH_OTHER_DIAGONAL = {"Divide": LONG / LONG.max(), "Multiply": LONG * LONG.max()}
GAPS = [OF_ROBOT.gap(k) for k in range(1, 12)]


def printed_holds(size, n=1000, drawn=50):
    """Whether the printed bound holds, for two clusters of points of this size."""
    log = np.log(2 * n**3)
    bound = 2 * log / drawn + np.sqrt(2 * log / drawn)
    counts = np.arange(drawn + 1)
    away = size * np.sqrt(2) * abs(counts / drawn - 1 / 2)
    return binom(drawn, 1 / 2).pmf(counts)[away > bound].sum() <= 1 / n**3
ACCURACIES = {
    name: measured(f"{CHAPTER}:two-balls", "accuracy", name, "two balls")
    for name in ("nystrom", "waves", "fast")
}
MEANS = {name: values.mean(axis=0) for name, values in ACCURACIES.items()}
NEAR_TO = {
    "stays near that of a guess": 50,
    "comes near that of Nyström features": MEANS["nystrom"],
}


def of_spectrum(word):
    """Whether the frequencies of the kernel come near a guess."""
    guess = bool((abs(MEANS["waves"] - 50) < 10).any())
    return {"not reproduce": not guess, "reproduce": guess}[word]


LEADS = MEANS["nystrom"] - MEANS["waves"]


sides(
    CHAPTER,
    {
        "but the error grows with its *[square|root]*": (
            lambda word: np.isclose(FALLS[1], POWERS[word], rtol=0.2)
        ),
        r"exactly $\lambda_1 - \lambda_2$ times the [squared sine|sine]": {
            "squared sine": np.isclose(BEYOND, (LAM[0] - LAM[1]) * SINE**2),
            "sine": np.isclose(BEYOND, (LAM[0] - LAM[1]) * SINE),
        },
        "the $k$-th eigenvalue of $L_l$ is at [least|most]": weyl(),
        "its norm is [" + "|".join(NORMS) + "] on the range of $H_k$ and ["
        + "|".join(list(NORMS)[::-1]) + "] on that": lambda first, second: np.allclose(
            ON_RANGES, [NORMS[first], NORMS[second]]
        ),
        r"Since $(\exp a - 1 - a) / a^2$ [increases] and": (
            np.diff((np.exp(A) - 1 - A) / A**2).min()
        ),
        r"that is if $e_2 < \Delta / [2|3]$": HELPS,
        r"guarantees $e \le \Delta / [2|3]$, with probability at least $1 - n^{-3}$, "
        r"and *as printed* that for $e \le \Delta / [3|2]$": are_promised,
        r"root mean square of $e$ is $\Delta / [2|3]$": is_typical,
        "With a [wide|narrow] gap, on the left of": {
            "wide": WIDE > 3 * NARROW,
            "narrow": NARROW > 3 * WIDE,
        },
        r"\frac{1 - p}p$ is [concave] on $(0, 1)$": np.diff(LOGISTIC, 2).max(),
        "For $d = 3$ and a fixed $t$, the [second|first] is": larger(3, 1 / 12),
        r"For $d = 3$ and $t = \frac{1}{2 l}$, the [second|first] is": (
            larger(3, 1 / (2 * 10**6))
        ),
        "the first term is of the order [$l^{-3/2}$|$l^{-1}$] and the second of the "
        "order [$l^{-1}$|$l^{-3/2}$]": lambda first, second: np.allclose(
            BETWEEN, [ORDERS[first], ORDERS[second]]
        ),
        "the leading component moves by $[l^{-1/2}|l^{-1}]$ if the second eigenvalue "
        "stays, and by $[l^{-1}|l^{-1/2}]$ if the tail": (
            lambda stays, spread: np.allclose(
                MOVES, [HOW[stays], HOW[spread]], atol=0.1
            )
        ),
        r"$\sqrt{2 V \log 4 / (n l)}$, which is [more]": (
            np.sqrt(2 * np.log(4)) - np.sqrt(2)
        ),
        "so for enough landmarks the theorem is [smaller]": (
            np.sqrt(2 * np.log(2e6)) - 1 / np.sqrt(1e-6)
        ),
        "Left, every [fiftieth|tenth] point in its first two coordinates": (
            lambda word: PARTS[word] == BALLS
        ),
        "at every [tenth|fiftieth] of": lambda word: PARTS[word] == two_balls.STEP,
        "The right side divided by $t$ does not [increase|decrease], and": {
            "increase": np.diff(RIGHT / T).max() < NEAR,
            "decrease": np.diff(RIGHT / T).min() > -NEAR,
        },
        "It exists because the right side [exceeds|is below] $t^2$ near zero": {
            "exceeds": RIGHT[0] > T[0] ** 2,
            "is below": RIGHT[0] < T[0] ** 2,
        },
        r"the fixed point of $K = I$ is $[\sqrt 2|2]$ for every $n$": {
            r"\sqrt 2": np.isclose(OF_IDENTITY, np.sqrt(2)),
            "2": np.isclose(OF_IDENTITY, 2),
        },
        r"no approximation of rank $k$ has an error [below|above] $\lambda_{k+1}$": {
            "below": best_is_least(),
            "above": not best_is_least(),
        },
        "No approximation of rank 1 has an error [below|above] $\\lambda_2$": {
            "below": best_is_least(),
            "above": not best_is_least(),
        },
        "sample can have wrong [lengths|directions] and the right [direction|length]": (
            of_sample
        ),
        r"$\mathbb E\, e^2 = V / [(n l)|l]$ with replacement": (
            lambda size: np.isclose(MEAN_SQUARE, OWN_V / {"(n l)": 12, "l": 3}[size])
        ),
        r"Then $s^2 = 1 - \sigma_{[\min|\max]}(U^\top \hat U)^2$": (
            lambda end: np.isclose(
                np.linalg.norm((np.eye(5) - SPACES[0]) @ SPACES[1], 2) ** 2,
                1 - COSINES[{r"\min": -1, r"\max": 0}[end]] ** 2,
            )
        ),
        r"because $\sinh a [\le|\ge] a \cosh a$ for": {
            r"\le": (np.sinh(A) <= A * np.cosh(A)).all(),
            r"\ge": (np.sinh(A) >= A * np.cosh(A)).all(),
        },
        "is fixed, and the error of rank $k$ stays [above|below] it": {
            "above": best_is_least(),
            "below": not best_is_least(),
        },
        r"are orthonormal and $L_n u_j = [\frac{\lambda_j}{n}|\lambda_j] u_j$": (
            lambda formula: np.allclose(
                CLOUD @ CLOUD.T / 7 @ LEFTS, LEFTS * SCALED[formula]
            )
        ),
        r"so $u_j^\top X = [\sqrt{\lambda_j}|\lambda_j]\, v_j^\top$": (
            lambda formula: np.allclose(
                LEFTS.T @ CLOUD, STRETCHED[formula][:, None] * RIGHTS.T
            )
        ),
        r"and $(M X) X^\top = [n|\frac1n] M L_n$ have the same": (
            lambda size: np.allclose(
                SYMMETRIC @ CLOUD @ CLOUD.T,
                {"n": 7, r"\frac1n": 1 / 7}[size] * SYMMETRIC @ CLOUD @ CLOUD.T / 7,
            )
        ),
        "[Divide|Multiply] the kernel by its largest diagonal entry": (
            lambda word: WITH_OTHER_DIAGONAL[word].max() <= 1
        ),
        r"need $K(x, x) [\le|\ge] 1$": {
            r"\le": printed_holds(1.0) and printed_holds(0.3),
            r"\ge": printed_holds(1.0) and printed_holds(10.0),
        },
        "The widest gap of a Gaussian kernel matrix is often the [first|last] one": {
            "first": max(GAPS) == GAPS[0],
            "last": max(GAPS) == GAPS[-1],
        },
        "With standard normal ones, the accuracy [stays near that of a guess|comes "
        "near that of Nyström features] on these points": (
            lambda words: np.all(abs(MEANS["fast"] - NEAR_TO[words]) < 10)
        ),
        "we did [not reproduce|reproduce] \"close to random guess\"": of_spectrum,
        "[After|Before] eigenvalue {{ at_later }} comes another: it is": {
            "After": LATE_STEPS.argmax() == 100,
            "Before": LATE_STEPS.argmax() == 99,
        },
        "At [every|no] $m$, the order is the paper's": {
            "every": LEADS.min() > 0,
            "no": LEADS.max() < 0,
        },
    },
)
