r"""Displayed formulas that are typed are computed on a small instance, or define.

Most of those of proofs are steps (`test_steps.py`), those of boxes are made from
lines.  What is typed stands in `displays.csv` whole, with the function here that
computes what it says; or it introduces a letter and says nothing that could be false.
Who changes one is told.
"""
# ruff: noqa: E741

import csv
import math
import re
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from statements_of_texts import TEXTS

INSIDE = re.compile(
    r"^(:{3,})\{(?:algorithm|theorem|line)[^\n]*\n.*?^\1$"
    r"|^```.*?^```",
    re.DOTALL | re.MULTILINE,
)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


def displays(text):
    """The displayed formulas of a text outside of boxes and lines."""
    return [" ".join(each.split()) for each in DISPLAY.findall(INSIDE.sub("", text))]


# ---- A small instance

RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 6))
K = X.T @ X
n, S, L = 6, [0, 2], 2
REST = [1, 3, 4, 5]
C, W = K[:, S], K[np.ix_(S, S)]
NEAR = C @ np.linalg.pinv(W) @ C.T
Z = math.sqrt(n / L) * X[:, S]
GAP = X @ X.T - Z @ Z.T
ALPHA = 0.7


def cut(A, k):
    values, vectors = np.linalg.eigh(A)
    return vectors[:, -k:] * values[-k:] @ vectors[:, -k:].T


def root(A):
    values, vectors = np.linalg.eigh(A)
    return vectors * np.sqrt(values.clip(0)) @ vectors.T


def below(A, B):
    return np.linalg.eigvalsh(B - A)[0] > -1e-7


def close(a, b):
    return np.allclose(a, b)


# ---- What the formulas say


def filled():
    """The approximation has W, B and B', and the last block alone is made."""
    last = NEAR[np.ix_(REST, REST)]
    B = C[REST]
    known = close(NEAR[:, S], C) and close(NEAR[S], C.T)
    return known and close(last, B @ np.linalg.inv(W) @ B.T)


def kept_in_order():
    f = root
    return below(f(cut(NEAR, 1)), f(NEAR)) and below(f(NEAR), f(K))


def groups_missed():
    """Three groups of two equal points, and two at the origin; all samples of three."""
    groups, size = 3, 2
    whole = 8
    meets = [
        all({2 * g, 2 * g + 1} & {*sample} for g in range(groups))
        for sample in combinations(range(whole), 4)
    ]
    formula = sum(
        (-1) ** (j + 1) * math.comb(groups, j) * math.comb(whole - j * size, 4)
        for j in range(1, groups + 1)
    )
    return formula == len(meets) - sum(meets)


def poisson():
    def right(mean, j):
        power = -mean + j + j * math.log(mean / j)
        return math.exp(power) / (math.e * math.sqrt(j))

    def left(mean, j):
        return math.exp(-mean) * mean**j / math.factorial(j)

    pairs = list(product((0.3, 1.0, 4.0), range(1, 9)))
    many = math.comb(4000, 2) * (1 / 4000) ** 2 * (1 - 1 / 4000) ** 3998
    return all(left(*x) >= right(*x) for x in pairs) and abs(many - left(1, 2)) < 1e-3


def spectral_bound():
    norm, best = np.linalg.norm, cut(K, 1)
    near = C @ np.linalg.pinv(cut(W, 1)) @ C.T
    return norm(K - near, 2) <= norm(K - best, 2) + 2 * norm(GAP, 2)


def squared_distance():
    c = np.array([1 - n / L if i in S else 1.0 for i in range(n)])
    return close(np.linalg.norm(GAP) ** 2, c @ K**2 @ c)


def hypergeometric():
    """Of seven elements three are ones, four are drawn: every sample."""
    drawn = [sum(i < 3 for i in sample) for sample in combinations(range(7), 4)]
    return all(
        Fraction(drawn.count(t), len(drawn))
        == Fraction(math.comb(3, t) * math.comb(4, 4 - t), math.comb(7, 4))
        for t in range(4)
    )


def given_the_set():
    """Three draws from four numbers and all ways to fill up, by the set that comes."""
    f, sums, chances = [1, 10, 100, 1000], {}, {}
    for draws in product(range(4), repeat=3):
        fresh = {*range(4)} - {*draws}
        fillings = [*combinations(fresh, 3 - len({*draws}))]
        for more in fillings:
            kept, chance = (frozenset({*draws, *more}), Fraction(1, len(fillings)))
            sums[kept] = sums.get(kept, 0) + chance * sum(f[i] for i in draws)
            chances[kept] = chances.get(kept, 0) + chance
    return all(sums[T] / chances[T] == sum(f[i] for i in T) for T in sums)


def sharp_constant():
    """Alpha against its bounds, as sums, for all sizes up to twelve."""
    for size in range(2, 13):
        for l in range(1, size):
            u = size - l
            first = u**2 * sum(Fraction(1, i**2) for i in range(u, size))
            middle = 1 + u**2 * (1 / (u + Fraction(1, 2)) - 1 / (size - Fraction(1, 2)))
            other = 1 + Fraction(u**2 * (l - 1)) / (
                (u + Fraction(1, 2)) * (size - Fraction(1, 2))
            )
            last = 1 + Fraction(u * (l - 1), size)
            if not (first <= middle == other <= last == Fraction(l * (u + 1), size)):
                return False
    return True


def two_constants():
    """The deviation by doubling and by the root of two, against the printed one."""
    q, large, d, k_max, size, l = 0.3, 1.7, 1.1, 0.8, 9, 4
    c, deviation = 2 * size / l * d * k_max**0.5, math.sqrt(l * q * large / 2)
    printed = 2 * size / math.sqrt(l) * math.sqrt(q * large) * d * k_max**0.5
    root_2 = math.sqrt(2)
    doubled = close(2 * c * deviation, root_2 * printed)
    return doubled and close(root_2 * c * deviation, printed)


def extended():
    """The extension has the values of the eigenvector at the nodes."""
    kernel = np.minimum.outer
    nodes = (np.arange(5) + 0.5) / 5
    values, vectors = np.linalg.eigh(kernel(nodes, nodes) / 5)
    phi, lam = vectors[:, -1], values[-1]
    return close(kernel(nodes, nodes) @ phi / (5 * lam), phi)


def promised():
    """Of all samples of two of six, the share beyond it is at most delta."""
    samples, u = [*combinations(range(n), L)], n - L
    apart = [distance(sample) for sample in samples]
    mean = math.sqrt(np.mean(np.square(apart)))
    pairs = [np.outer(x, x) - np.outer(y, y) for x, y in combinations(X.T, 2)]
    g = max(map(np.linalg.norm, pairs))
    sharp = min(sharp_sum(u, n), sharp_sum(L, n))
    return all(
        np.mean(apart > mean + n / L * g * math.sqrt(sharp / 2 * math.log(1 / delta)))
        <= delta
        for delta in (0.05, 0.3, 0.9)
    )


def distance(sample):
    Y = X[:, list(sample)]
    return np.linalg.norm(X @ X.T - n / L * Y @ Y.T)


def sharp_sum(u, size):
    return float(u**2 * sum(Fraction(1, i**2) for i in range(u, size)))


def stands_still():
    """Newton's iteration with the columns in the inverse alone, to its end."""
    w, y = np.zeros(2), np.ones(2)
    for _ in range(500):
        s = 1 / (1 + np.exp(-w))
        T = np.diag(s * (1 - s))
        near = np.diag([T[0, 0], 0])
        w = np.linalg.solve(np.eye(2) + near, T @ w + y - s)
    return close(w - (y - 1 / (1 + np.exp(-w))), (T - near) @ w)


def weighted_sum():
    p, f = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [3, 1, 4]
    mean = sum(
        p[i] * p[j] * (Fraction(f[i]) / (2 * p[i]) + Fraction(f[j]) / (2 * p[j]))
        for i, j in product(range(3), repeat=2)
    )
    return mean == sum(f)


def ridge_scores():
    scores = np.diag(K @ np.linalg.inv(K + ALPHA * np.eye(n)))
    values, U = np.linalg.eigh(K)
    shares = values / (values + ALPHA)
    return close(scores, U**2 @ shares) and close(scores.sum(), shares.sum())


def scores_from_columns():
    """With all columns and the weights one the score is the exact one."""
    inner = np.linalg.inv(K + ALPHA * np.eye(n))
    exact = np.diag(K @ inner)
    return close(np.diag(K - K @ inner @ K) / ALPHA, exact)


def more_columns():
    more = K[:, [0, 2, 3]]
    larger = more @ np.linalg.pinv(K[np.ix_([0, 2, 3], [0, 2, 3])]) @ more.T
    return below(NEAR, larger) and below(larger, K)


def not_one_point_eight():
    """The page's own false claim: one long point and twenty equal ones break it."""
    Y = np.repeat(np.diag([1.0, 1 + 1e-6]), (20, 1), axis=1)
    gram, sample = Y.T @ Y, math.sqrt(21 / 2) * Y[:, [0, 20]]
    near = np.zeros((21, 21))
    near[20, 20] = gram[20, 20]
    norm = np.linalg.norm
    allowed = norm(Y @ Y.T - sample @ sample.T, 2)
    return norm(gram - near, 2) > gram[20, 20] + 1.8 * allowed


def component():
    """The component of a point from the eigenvector of the matrix."""
    values, vectors = np.linalg.eigh(K)
    v = X @ vectors[:, -1] / math.sqrt(values[-1])
    x = np.array([1.0, 2, -1, 0.5])
    return close(x @ v, (X.T @ x) @ vectors[:, -1] / math.sqrt(values[-1]))


def double_centring():
    """Squared distances of centred points, turned into inner products."""
    D = ((X[:, :, None] - X[:, None, :]) ** 2).sum(axis=0)
    H = np.eye(n) - 1 / n
    return close(-H @ D @ H / 2, H @ K @ H)


def two_centrings():
    """One centring of the landmarks' columns, and both."""
    D = ((X[:, :, None] - X[:, None, S]) ** 2).sum(axis=0)
    single = -(D - D[S].mean(axis=0)) / 2
    m = single.mean(axis=1)
    twice = single - m[:, None]
    return close(single @ single.T, twice @ twice.T + L * np.outer(m, m))


def embedded():
    """The features of the landmarks have the inner products of the approximation."""
    values, vectors = np.linalg.eigh(W)
    z = vectors / np.sqrt(values) @ vectors.T @ C.T
    return close(z.T @ z, NEAR)


def gains():
    squares, trace = (K**2).sum(axis=0), np.trace(K)
    weighted = np.diag(K) / trace @ (squares / np.diag(K))
    return close([weighted, squares.sum() / trace], np.trace(K @ K) / trace)


def leverage_draws(k=2, beta=0.5):
    """All pairs of draws, half of them by leverage and half uniform."""
    values, V = np.linalg.eigh(K)
    U, rest, tail = V[:, -k:], V[:, :-k], np.maximum(values[:-k], 0)
    p = beta * (U**2).sum(axis=1) / k + (1 - beta) / n
    mean = 0.0
    for i, j in product(range(n), repeat=2):
        both = sum(np.outer(rest[x], U[x]) / (L * p[x]) for x in (i, j))
        mean += p[i] * p[j] * np.linalg.norm(np.sqrt(tail)[:, None] * both) ** 2
    seen = rest**2 @ tail
    first = (seen * (U**2).sum(axis=1) / p).sum() / L
    second = k / (beta * L) * seen.sum()
    bounded = mean <= first * (1 + 1e-9) and first <= second
    return bounded and close(second, k * tail.sum() / (beta * L))


def dual_values():
    """Of the square loss: the maximum has a formula."""
    y = np.array([1.0, -1, 1, 1, -1, 1])

    def best(B):
        a = np.linalg.solve(B / ALPHA + np.eye(n), y)
        return a @ y / 2, a

    (less, a), (more, _) = best(NEAR)[:2], best(K)
    gap, E = less - more, K - NEAR
    size = np.linalg.norm(E, 2) * n * abs(a).max() ** 2 / (2 * ALPHA)
    return 0 <= gap <= a @ E @ a / (2 * ALPHA) <= size


def integral(function):
    """From 0 to infinity, by the middles of a million parts of (0, 1)."""
    t = (np.arange(10**6) + 0.5) / 10**6
    return (function(t / (1 - t)) / (1 - t) ** 2).mean()


def power_integral(p=0.3, ratio=0.2):
    left = integral(lambda x: 1 / (1 + x ** (1 / p) / ratio))
    middle = ratio**p * integral(lambda u: 1 / (1 + u ** (1 / p)))
    right = ratio**p * math.pi * p / math.sin(math.pi * p)
    return np.allclose([left, middle], right, rtol=1e-4)


def projected(k=2):
    """What a projector of rank at most k misses, beyond the least."""
    values, U = (x[..., ::-1] for x in np.linalg.eigh(K))
    squares = np.append(values**2, 0)
    for rank in (1, 2):
        Q = np.linalg.qr(RNG.standard_normal((n, rank)))[0]
        p = ((U.T @ Q) ** 2).sum(axis=1)
        left = np.linalg.norm(K - Q @ (Q.T @ K)) ** 2 - squares[k:].sum()
        head = ((1 - p[:k]) * (squares[:k] - squares[k - 1])).sum()
        tail = (p[k:] * (squares[k - 1] - squares[k:n])).sum()
        if not close(left, head + tail + squares[k - 1] * (k - p.sum())):
            return False
    return True


def gaussian_norm():
    """Of fixed matrices, over a thousand Gaussian ones."""
    rng = np.random.default_rng(1)
    A, B = rng.standard_normal((2, 4, 4))
    draws = rng.standard_normal((1000, 4, 4))
    mean = np.mean([np.linalg.norm(A @ x @ B, 2) ** 2 for x in draws])
    (a, c), (b, d) = ((np.linalg.norm(M, 2), np.linalg.norm(M)) for M in (A, B))
    return mean <= (a * d + c * b) ** 2 <= 2 * a**2 * d**2 + 2 * c**2 * b**2


def four_dimensions(x):
    """The mean product of two orthogonal waves in four dimensions, a = 2."""
    return np.exp(-x) * (1 - x + x**2 / 6)


def rising(a, k):
    return math.prod(a + i for i in range(k))


def wave_series():
    def series(x):
        terms = range(60)
        return sum(
            rising(4, k) / rising(2, k) * (-x) ** k / math.factorial(k) for k in terms
        )

    return all(close(series(x), four_dimensions(x)) for x in (0.1, 1.0, 3.0))


def wave_transform(a=2, s=3.0):
    left = integral(lambda x: x ** (a - 1) * four_dimensions(x) * np.exp(-s * x))
    terms = (rising(2 * a, k) / math.factorial(k) * (-1 / s) ** k for k in range(150))
    series = math.gamma(a) / s**a * sum(terms)
    return np.allclose([left, series], math.gamma(a) * s**a / (1 + s) ** (2 * a))


def next_transform(a=2):
    def sides(s):
        whole = integral(lambda x: x**a * four_dimensions(x) * np.exp(-s * x))
        right = s ** (a - 1) * (s - 1) / (1 + s) ** (2 * a + 1)
        return whole / math.gamma(a + 1), right

    return all(np.allclose(*sides(s)) for s in (0.5, 1.5, 3.0))


# ---- The table

TABLE = Path(__file__).with_name("displays.csv")
ROWS = list(csv.reader(TABLE.read_text("utf-8").splitlines()))
CHECKS = sorted({says for _, _, says in ROWS if says.isidentifier()})


def test_each_display_is_in_the_table():
    """Page, formula, and the function here that computes it, or why none does."""
    told = [(name, each) for name in TEXTS for each in displays(TEXTS[name])]
    listed = [(name, each) for name, each, _ in ROWS]
    assert [x for x in told if x not in listed] == []
    assert sorted(listed) == sorted(told)


@pytest.mark.parametrize("name", CHECKS)
def test_a_display_is_true(name):
    assert globals()[name]()


def test_few_displays_say_something_that_is_not_computed():
    """The others introduce a letter, a problem or a method."""
    left = [x for x in ROWS if not x[2].isidentifier()]
    assert sum(not says.startswith("defines") for _, _, says in left) < 9
    assert len(CHECKS) > len(ROWS) / 2


def test_a_changed_display_is_seen():
    turned = TEXTS["coherence"].replace("(-1)^{j+1}", "(-1)^{j}")
    assert displays(turned) != displays(TEXTS["coherence"])
