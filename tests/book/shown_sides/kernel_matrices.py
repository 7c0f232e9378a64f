"""Kernel matrices: what shows words that could be exchanged."""

import re

import numpy as np
from sides_shown import sides, text_of

from nystheory import datasets, kernels, lowrank
from nystheory.chapters.kernel_matrices import experiments

CHAPTER = "kernel_matrices"
NEAR = 1e-9
RNG = np.random.default_rng(0)
X = datasets.digits().X[:60]
K = kernels.rbf(X).dense()
POWERS = {task.name: str(task.exponent) for task in experiments.TASKS}
ENDS = {
    name: kernels.rbf(X, gamma).dense()
    for name, gamma in (("small", 1e-6), ("large", 1e3))
}
VALUES, U = np.linalg.eigh(K)
SIGNS = [np.ptp(np.sign(u)) == 0 for u in U.T]
VECTORS = {"first": SIGNS[-1], "last": SIGNS[0]}
KEPT = {"last": U[:, -3:] * VALUES[-3:] @ U[:, -3:].T}
KEPT["first"] = U[:, :3] * VALUES[:3] @ U[:, :3].T
BEST = lowrank.best_rank_k(K, 3)
ROOT = np.sqrt(VALUES.clip(0))
FACTORS = {
    r"\Sigma^{1/2} U^\top": ROOT[:, None] * U.T,
    r"U \Sigma^{1/2}": U * ROOT,
}
SIMILAR = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]])
SQUARED = np.array([1, -np.sqrt(2), 1]) @ SIMILAR @ np.array([1, -np.sqrt(2), 1])
LINEAR = kernels.linear(X).dense()
PRODUCTS = {r"X X^\top": X @ X.T, r"X^\top X": X.T @ X}
LEFT = K - BEST.spectral_reconstruction()
OF_ERROR = abs(np.linalg.eigvalsh(LEFT))
SIZES = {
    word: BEST.error(K, word.lower()) for word in ("spectral", "Frobenius", "trace")
}


def order(first, then, kept):
    """How `eigh` returns eigenvalues, and which eigenvectors are kept."""
    ends = {"smallest": VALUES.min(), "largest": VALUES.max()}
    told = np.isclose(VALUES[0], ends[first]) and np.isclose(VALUES[-1], ends[then])
    return told and np.allclose(KEPT[kept], BEST.spectral_reconstruction())


def powers(whole, vectors, columns):
    told = list(POWERS.values())
    return told == [whole, vectors, columns]


def ranks():
    """Ranks of sums of a matrix and of a few terms, less both ranks together."""
    told = []
    for _ in range(20):
        B = RNG.standard_normal((6, 2)) @ RNG.standard_normal((2, 6))
        terms = RNG.standard_normal((6, 3))
        terms[:, 0] = B[:, 0]
        told.append(np.linalg.matrix_rank(B + terms @ terms.T) - 5)
    few = np.linalg.matrix_rank(np.diag([1.0, 0]) - np.diag([1.0, 0])) - 2
    return {"most": max(*told, few) <= 0, "least": min(*told, few) >= 0}


def only_minimiser(rank):
    """Whether another matrix of rank 2 has the least spectral error."""
    K = np.diag(np.r_[[3.0, 2, 1][:rank], np.zeros(4 - rank)])
    least = lowrank.best_rank_k(K, 2).error(K, "spectral")
    other = np.diag(np.r_[K.diagonal()[:2] + min(0.5, least), 0, 0])
    return np.allclose(other, np.diag(np.r_[K.diagonal()[:2], 0, 0]))


ZERO = lowrank.best_rank_k(np.zeros((1, 1)), 1)
ONLY = {rank: only_minimiser(rank) for rank in (1, 2, 3)}


def missed_of_identity(size=6, rank=2):
    """The largest entry of the diagonal that projectors of this rank miss."""
    told = []
    for _ in range(50):
        Q = np.linalg.qr(RNG.standard_normal((size, rank)))[0]
        told.append((1 - (Q**2).sum(axis=1)).max() - (1 - rank / size))
    return {"least": min(told) >= -NEAR, "most": max(told) <= NEAR}

PAIRS = np.linspace(-2, 2, 81)
ALLOWED = [x for x in PAIRS if np.linalg.eigvalsh([[1, x], [x, 1]])[0] >= -NEAR]
GROUPS = np.kron(np.eye(2), np.ones((5, 5)))
TWO_GROUPS = [lowrank.nystrom(GROUPS, S).error(GROUPS) for S in ([0, 1], [0, 5])]

SPECTRA = [np.linalg.eigvalsh(M + M.T) for M in RNG.standard_normal((40, 2, 2))]


# ---- Sums and products

FACTOR, OTHER = RNG.standard_normal((2, 4, 3))
ONE, TWO = FACTOR @ FACTOR.T, OTHER @ OTHER.T
TERMS = np.array([[np.multiply(a, b) for b in OTHER.T] for a in FACTOR.T])
OF_PRODUCT = {
    r"\sum_{i,j} (a_i \circ b_j)(a_i \circ b_j)^\top": TERMS.reshape(-1, 4),
    r"\sum_i (a_i \circ b_i)(a_i \circ b_i)^\top": TERMS[[0, 1, 2], [0, 1, 2]],
}
TRIED = RNG.standard_normal(4)
FORMS = [TRIED @ M @ TRIED for M in (ONE + TWO, ONE, TWO)]


def exponential(size, gamma=0.3):
    """The series of the Gaussian kernel of two points."""
    x, y = np.array([0.5, -1.0]), np.array([1.0, 0.4])
    times = {r"2 \gamma": 2 * gamma, r"\gamma": gamma}[size]
    outer = np.exp(-gamma * x @ x) * np.exp(-gamma * y @ y)
    gaussian = kernels.rbf(np.array([x, y]), gamma).dense()[0, 1]
    return np.isclose(outer * np.exp(times * x @ y), gaussian)
# ---- Decay


def held(word):
    """What the best ten directions hold, where eigenvalues fall in this way."""
    spectra = {"fast": 0.5 ** np.arange(60), "slow": 1 / np.arange(10, 70)}
    matrix = np.diag(spectra[word])
    made = lowrank.nystrom(matrix, range(10))
    return made.diagonal().sum() > 0.99 * np.trace(matrix)


ONES = np.ones((9, 9))
PIXELS = datasets.digits().X[:200]
COUNTED = np.linalg.matrix_rank(kernels.linear(PIXELS).dense())
FULL = np.linalg.matrix_rank(kernels.linear(RNG.standard_normal((200, 64))).dense())
OF_PAGE = r"K = (X\^\\top X|X X\^\\top)\$ for some matrix"
OF_PAGE = re.search(OF_PAGE, text_of(CHAPTER))[1]
POINTS = {"rows": 3, "columns": 5}
BY_FORMULA = {r"X^\top X": "columns", r"X X^\top": "rows"}[OF_PAGE]
STORED = {"8 n^2": K.nbytes == 8 * 60**2, "8 n": K.nbytes == 8 * 60}
SOME = kernels.rbf(X)
BEFORE = SOME.entries_asked
SOME @ np.ones(60)
READ = {"every entry": 60**2, "every column once": 60}


sides(
    CHAPTER,
    {
        r"so $X = [\Sigma^{1/2} U^\top|U \Sigma^{1/2}]$ is real": (
            lambda formula: np.allclose(FACTORS[formula].T @ FACTORS[formula], K)
        ),
        "would have a [negative|positive] squared length": {
            "negative": SQUARED < 0,
            "positive": SQUARED > 0,
        },
        r"and `kernels.linear(X)` is $[X X^\top|X^\top X]$": (
            lambda formula: PRODUCTS[formula].shape == LINEAR.shape
            and np.allclose(PRODUCTS[formula], LINEAR)
        ),
        "which is [2|3|1] for all of $K$, [3|2|1] for its eigenvectors and [1|2|3] for "
        "100 columns": powers,
        r"the *[spectral|Frobenius|trace] norm* $\|\cdot\|_2$ is $\max_i": (
            lambda word: np.isclose(SIZES[word], OF_ERROR.max())
        ),
        r"the *[Frobenius|spectral|trace] norm* $\|\cdot\|_F$ is $(\sum_i s_i^2)": (
            lambda word: np.isclose(SIZES[word], np.sqrt((OF_ERROR**2).sum()))
        ),
        "and the *[trace|spectral|Frobenius] norm* is": (
            lambda word: np.isclose(SIZES[word], OF_ERROR.sum())
        ),
        "The matrix $B + E'$ has rank at [most|least] $k + i - 1$": ranks(),
        "with one rank [more] the competitor wins": (
            BEST.error(K) - lowrank.best_rank_k(K, 4).error(K)
        ),
        "returns eigenvalues from the [smallest|largest] to the [largest|smallest], so "
        "we keep the [last|first] $k$": order,
        "The [first|last] eigenvector of a matrix of positive entries does not": (
            VECTORS
        ),
        r"For [small|large] $\gamma$ all entries tend to 1": (
            lambda word: np.allclose(ENDS[word], 1, atol=1e-3)
        ),
        r"For [large|small] $\gamma$ the matrix tends to the identity": (
            lambda word: np.allclose(ENDS[word], np.eye(60), atol=1e-3)
        ),
        r"only one if and only if $\operatorname{rank} K [\le|>] k$": {
            r"\le": ONLY == {1: True, 2: True, 3: False},
            ">": ONLY == {1: False, 2: False, 3: True},
        },
        "over the matrices of rank *[equal to|at most]* $k$. For": {
            "equal to": ZERO.rank != 1,  # then there may be no minimiser, as is said
            "at most": ZERO.rank > 1,
        },
        "so some diagonal entry is missed by at [least|most] $1 - k/n$": (
            missed_of_identity()
        ),
        "Two points cannot resemble each other [more|less] than both resemble": {
            "more": all(x <= 1 for x in ALLOWED),
            "less": all(x >= 1 for x in ALLOWED),
        },
        "Both may come from the [same group|two groups] of equal points": {
            "same group": TWO_GROUPS[0] > 1,
            "two groups": TWO_GROUPS[1] > 1,
        },
        "The [smallest|largest] eigenvalue decides, and it does not": {
            "smallest": all((x[0] >= 0) == (x >= 0).all() for x in SPECTRA),
            "largest": all((x[-1] >= 0) == (x >= 0).all() for x in SPECTRA),
        },
        r"as soon as $k > [4|1] \ln(n) / t^2$": {
            times: 1000**2 * np.exp(-int(times) * np.log(1000) / 2) <= 1 + 1e-9
            for times in "41"
        },
        "Then $K \\circ L = [" + "|".join(OF_PRODUCT) + "]$ is again": (
            lambda formula: np.allclose(
                OF_PRODUCT[formula].T @ OF_PRODUCT[formula], ONE * TWO
            )
        ),
        r"$x^\top (K + L) x = x^\top K x [+|-] x^\top L x": (
            lambda sign: np.isclose(FORMS[0], FORMS[1] + float(sign + "1") * FORMS[2])
        ),
        r"\sum_m ([2 \gamma|\gamma]\, x^\top y)^m / m!$": exponential,
        "A [fast|slow] decay is why few columns *can* suffice": held,
        "pictures of 64 pixels have at [most|least] 64 eigenvalues that are not zero": {
            "most": max(COUNTED, FULL) <= 64,
            "least": min(COUNTED, FULL) >= 64,
        },
        "The matrix of ones has [one|no] eigenvalue and no [small|large] entry": (
            lambda count, size: (
                np.linalg.matrix_rank(ONES) == {"one": 1, "no": 0}[count]
                and {"small": ONES.min() == 1, "large": ONES.max() < 1}[size]
            )
        ),
        "In formulas the points are the [columns|rows] of $X$, as in the sources; in "
        "code they are the [rows|columns], as everywhere in Python": (
            lambda formula, code: formula == BY_FORMULA
            and POINTS[code] == len(kernels.linear(np.ones((3, 5))).dense())
        ),
        "To keep $K$ takes $[8 n^2|8 n]$ of them": STORED,
        "A product with a vector reads [every entry|every column once]": (
            lambda words: SOME.entries_asked - BEFORE == READ[words]
        ),
    },
)
