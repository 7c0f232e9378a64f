"""Small matrices, samples and numbers on which bounds in words are tried."""

import math
from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
from words_shown import found

from nystheory import guarantees, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.solving_with_few_columns import race, trials
from nystheory.engine import value
from nystheory.learners import GaussianProcess

RNG = np.random.default_rng(0)
POINTS = RNG.standard_normal((5, 8))
K = POINTS.T @ POINTS + np.eye(8)
VALUES = np.linalg.eigvalsh(K)
ALPHA, N = 0.7, 8
RIDGE = ALPHA * np.eye(N)
MADE = lowrank.nystrom(K, [0, 3, 5])
E = K - MADE.spectral_reconstruction()
CUT = [lowrank.nystrom(K, [0, 3, 5], k) for k in (1, 2)]
T = np.trace(E)
DELTAS = np.array([0.3, 0.1, 0.01])
SIZES = [(n, m) for n in range(2, 9) for m in range(1, n)]


def exact_ranks(of=4):
    """The ranks with which columns give a matrix of lower rank, less that rank."""
    X = RNG.standard_normal((of, 30))
    gram = X.T @ X
    errors = {k: lowrank.nystrom(gram, range(10), k).error(gram) for k in range(1, 8)}
    return [k - of for k, error in errors.items() if error < 1e-6 * np.trace(gram)]


def ranks(make, asked=(1, 2, 6)):
    """Ranks of approximations, less the rank asked for, of a matrix of rank 3."""
    X = RNG.standard_normal((3, 9))
    made = (make(X.T @ X, k).spectral_reconstruction() for k in asked)
    told = [np.linalg.matrix_rank(x, tol=1e-8) for x in made]
    return [rank - k for rank, k in zip(told, asked, strict=True)]


def diagonal_beside(columns, n=9):
    """Entries of the diagonal that are not in columns, less the number of points."""
    return len(set(range(n)) - set(columns)) - n


def mean_row(t, r, n):
    """The row of a spike, beside which the vectors lie anyhow."""
    return t**2 + (r - 1) * (n - t**2) / (n - 1)


def sharp(n, m):
    """Both branches of the sharp factor."""
    u = n - m
    return [k**2 * sum(1 / j**2 for j in range(k, n)) for k in (u, m)]


def first_ones():
    """By how much one exchange changes the ones among the first two of three."""
    for order in permutations([0, 0, 1, 1]):
        drawn, left = list(order[:3]), order[3]
        for i in range(3):
            other = [*drawn[:i], left, *drawn[i + 1 :]]
            yield abs(sum(other[:2]) - sum(drawn[:2]))


def below_the_set(n=6, m=3, marked=(0, 1)):
    """By how much a sample is below a set of samples, less its exchanges from there."""
    samples = [set(x) for x in combinations(range(n), m)]
    size = {frozenset(x): len(x & set(marked)) for x in samples}
    top = [x for x in samples if size[frozenset(x)] == max(size.values())]
    for x in samples:
        away = min(len(x - y) for y in top)
        yield max(size.values()) - size[frozenset(x)] - away
        # And a value that changes less.
        yield (max(size.values()) - size[frozenset(x)]) / 2 - away


def turned_component(tries=500):
    """Sines of twice the angle, for a gap of two and changes of norm one half."""
    for _ in range(tries):
        H = RNG.standard_normal((2, 2))
        H = (H + H.T) / np.linalg.norm(H + H.T) / 2
        _, V = np.linalg.eigh(np.diag([2.0, 0.0]) + H)
        x, y = np.abs(V[:, 1])
        yield 2 * x * y - 1 / (2 * np.sqrt(2))


def distances(tries=20):
    """Of two subspaces of two dimensions, in five and in seven, less the largest."""
    rng = np.random.default_rng(1)
    for n in (5, 7):
        for _ in range(tries):
            one, two = (np.linalg.qr(rng.standard_normal((n, 2)))[0] for _ in "ab")
            yield np.linalg.norm(one @ one.T - two @ two.T) - np.sqrt(2 * 2)


SIGMOID = 1 / (1 + np.exp(-np.linspace(-4, 4, 9)))
NEWTON = K @ np.diag(RNG.random(N) / 4) @ K
HALVED = [2.0 ** math.floor(math.log2(t)) - t / 2 for t in (0.9, 0.5, 0.3, 0.11)]


def beyond_half(shares=(0.1, 0.3, 0.499)):
    """What a whole step near the minimum takes of the error, less one half.

    The approximation misses such a share of the ridge.
    """
    for share in shares:
        X, x = RNG.standard_normal((N, 3)), RNG.standard_normal(N)
        missed = share * ALPHA * np.outer(x, x) / (x @ x)
        left = np.linalg.eigvals(np.linalg.solve(X @ X.T + RIDGE, missed)).real.max()
        yield (1 - left) - 1 / 2


def lonely(n, m):
    """The chance that one, or two, of the points are drawn, less that of one."""
    return [math.comb(n - k, m - k) / math.comb(n, m) - m / n for k in (1, 2)]


def by_leverage(r, delta):
    """How many draws see a direction that has this share of the leverage."""
    asked = math.ceil(math.log(delta) / math.log(1 - 1 / (2 * r - 1)))
    return asked - ((2 * r - 1) * math.log(1 / delta) + 1)


def predictions():
    """The error of predictions less the residual of the coefficients."""
    y, x = RNG.standard_normal((2, N))
    exact = np.linalg.solve(K + RIDGE, y)
    residual = y - (K + RIDGE) @ x
    return np.linalg.norm(K @ (x - exact)) - np.linalg.norm(residual)


def logarithms():
    """That of the columns required, less log n, where the error can be missed."""
    line = "log(n**2 * K_max / (accuracy * alpha))"
    assert line in theorems.get("modern:bach").claims["mean risk"].when
    known, most = guarantees.know(K), N * np.diag(K).max()
    for alpha, accuracy in ((most, 1), (most, 0.1), (0.01 * most, 1), (0.7, 0.5)):
        yield value(line, known.but(alpha=alpha, accuracy=accuracy)) - np.log(N)


def moves_at_points(size=40, columns=5):
    """How far the mean moves at each new point, less what an experiment keeps."""
    seen = trials.of_a_task(size, np.random.default_rng(0), race.surface, 1.0)
    assert len(seen.places) == size
    trial = SimpleNamespace(known=seen, rng=np.random.default_rng(1))
    (kept,) = trials.moves(trial, [columns])["moved"]
    drawn = sampling.rp_cholesky(seen.K, columns, np.random.default_rng(1))
    process = GaussianProcess(seen.noise)
    exact, near = (
        process.fit(A, seen.y).predict(seen.places)
        for A in (seen.K, lowrank.nystrom(seen.K, drawn.indices))
    )
    return np.abs(near - exact) - kept


def log_det(A):
    return np.linalg.slogdet(A)[1]


def lead_of_one(p, n=100, m=5):
    """How much the mean of one expert with all columns is smaller, less the root."""
    of_mean = np.sqrt((n - m) / m), np.sqrt((n - p * m) / (p * m))
    return of_mean[0] / of_mean[1] - np.sqrt(p)


def controls():
    """How many controls each theorem has that makes claims, less one."""
    each = (theorems.get(id) for id in theorems)
    return [len(x.controls) - 1 for x in each if x.claims]


def by_scores():
    """The bound from leverage scores, where it applies."""
    scores, nothing = (
        found("coherence:bounds").measured("missed", who, "digits, RBF")
        for who in ("scores", "nothing")
    )
    return scores[scores < nothing]
