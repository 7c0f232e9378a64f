"""What docstrings of effective dimensions and estimates say, and whether it is true."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
from words_of_decays import K, X
from words_of_docstrings import (
    NORMS,
    cases,
    dimension,
    eigenvalues,
    everywhere,
    holds,
    says,
)

from nystheory import guarantees, kernels, lowrank

# ---- Effective dimensions


ALPHAS = (0.05, 0.4, 3.0)


def f(A, a):
    s = eigenvalues(A)
    return (s / (s + a)).sum()


@says(
    "guarantees.effective_dimension",
    "``f(s) = s / (s + alpha)`` [rises], so d is [at least] the same sum for K~",
    "falls", "at most",
)
def rises(word, side):
    s = np.linspace(0, 4, 60)
    up = np.diff(s / (s + 0.3)).min() > 0
    return up == (word == "rises") and all(
        everywhere(lambda A, near, E, a=a: holds(side, dimension(A, a), f(A - E, a)))
        for a in ALPHAS
    )


@cache
def dimensions():
    """Cases, and one in which the diagonal says most."""
    A = np.array([[0.01, 0.07], [0.07, 1]])
    near = lowrank.nystrom(A, [0])
    return [*cases()[1:12], (A, near, A - near.spectral_reconstruction())]


@cache
def ends_of_three(i, a):
    """The three upper ends, by hand, and the one that is told."""
    A, near, E = dimensions()[i]
    s, t = eigenvalues(A - E), E.trace()
    low, high = 0.0, s[0] + t
    for _ in range(200):  # the level to which so much fills the eigenvalues
        level = (low + high) / 2
        low, high = (
            (level, high) if np.maximum(level - s, 0).sum() < t else (low, level)
        )
    filled = np.maximum(s, level)
    told = guarantees.effective_dimension(guarantees.estimate(A, near), a)
    d = np.diag
    return (
        (filled / (filled + a)).sum(),
        f(A - E, a) + (d(E) / (d(E) + a)).sum(),
        (d(A) / (d(A) + a)).sum(),
    ), told.high


@says(
    "guarantees.effective_dimension",
    "Above there are [three] ends, and the [smallest] counts",
    "two", "largest",
)
@says(
    "guarantees.effective_dimension",
    "d is [largest] where tr E is spread as [evenly] as that allows",
    "smallest", "unevenly",
)
def three_ends(count, word):
    end = {"smallest": min, "largest": max}
    for i, (A, _, E) in enumerate(dimensions()):
        for a in ALPHAS:
            ends, told = ends_of_three(i, a)
            some = ends[:2] if count == "two" else ends
            if word in ("evenly", "unevenly"):
                first = eigenvalues(A - E)
                first[0] += E.trace()
                one = (first / (first + a)).sum()
                pair = (ends[0], one) if word == "evenly" else (one, ends[0])
                side = ">=" if count == "largest" else "<="
                if not holds(side, pair[0], pair[1]):
                    return False
            elif not np.isclose(told, end[word](some), rtol=1e-5):
                return False
    return True


@says(
    "guarantees.effective_dimension",
    "(1) Each eigenvalue of K is [at least] that of K~, and together they are "
    "[larger] by tr E",
)
def each_eigenvalue(side, word):
    sign = 1 if word == "larger" else -1
    return everywhere(
        lambda A, near, E: holds(side, eigenvalues(A), eigenvalues(A - E))
        and np.isclose(sign * (eigenvalues(A) - eigenvalues(A - E)).sum(), E.trace())
    )


@says("guarantees.effective_dimension", "``tr f(K~ + E) [<=] tr f(K~) + tr f(E)``")
@says("guarantees.effective_dimension", "and ``tr f(E) [<=] sum_i f(E_ii)``")
def concave(word):
    d = np.diag
    return all(
        everywhere(
            lambda A, near, E, a=a: holds(word, f(A, a), f(A - E, a) + f(E, a))
            and holds(word, f(E, a), (d(E) / (d(E) + a)).sum())
        )
        for a in ALPHAS
    )


def drawn(size, a, n=4):
    """E z over all samples of so many points of a small matrix."""
    A = K[:n, :n]
    places = np.stack(np.meshgrid(*[range(n)] * size), axis=-1).reshape(-1, size)
    return A, np.mean([f(A[np.ix_(p, p)], size * a / n) for p in places])


@says("guarantees.effective_dimension", "``E z [<=] d [<=] (1 + max K_ii / a) E z``")
def of_a_sample(low, high):
    told = []
    for alpha in (0.2, 1.0):
        A, mean = drawn(3, alpha)
        a = 3 * alpha / 4
        told.append(holds(low, mean, f(A, alpha)))
        told.append(holds(high, f(A, alpha), (1 + 1 / a) * mean))
    return all(told)


def score(phi, B, a):
    u = phi @ np.linalg.solve(B + a * np.eye(len(phi)), phi)
    return u, u / (1 + u)


@says(
    "guarantees.effective_dimension",
    "the score is convex in B, so on average it is [at least] the one for the "
    "mean of B, where u is [at most] ``max K_ii / a``",
)
def convex(mean, most):
    rng, a, told = np.random.default_rng(0), 0.5, []
    phi = np.array([0.6, 0.8, 0.0])
    for _ in range(20):
        some = [np.cov(rng.standard_normal((3, 5))) for _ in range(4)]
        each = np.mean([score(phi, B, a)[1] for B in some])
        u, one = score(phi, np.mean(some, axis=0), a)
        told.append(holds(mean, each, one) and holds(most, u, 1 / a))
    return all(told)


@says(
    "guarantees.effective_dimension",
    "between 0 and ``c = max K_ii / (max K_ii + a)``, and all together by z [at "
    "most]",
)
@says(
    "guarantees.effective_dimension",
    "Leaving out point i [lowers] z by ``1 [-] a (M^-2)_ii / (M^-1)_ii``",
    "raises", "+",
)
def one_less(word, sign=None):
    a, told = 0.5, []
    A = K[:6, :6]
    inverse = np.linalg.inv(A + a * np.eye(6))
    less = []
    for i in range(6):
        rest = np.delete(np.arange(6), i)
        less.append(f(A, a) - f(A[np.ix_(rest, rest)], a))
        share = a * (inverse @ inverse)[i, i] / inverse[i, i]
        if sign is not None:
            own = 1 - share if sign == "-" else 1 + share
            told.append(np.isclose(less[-1] * (1 if word == "lowers" else -1), own))
    if sign is not None:
        return all(told)
    inside = 0 <= min(less) <= max(less) <= 1 / (1 + a)
    return inside and holds(word, sum(less), f(A, a))


@says(
    "guarantees.effective_dimension",
    "with ``z log(z / mu) - z + mu [<=] c log([2] / delta)`` with probability",
    ">=", "1",
)
def tails(word, two):
    K4 = np.eye(20)
    found = guarantees.effective_dimension(
        K4, 5.0, n_sample=12, rng=np.random.default_rng(3), delta=0.1
    )
    places = np.random.default_rng(3).integers(20, size=12)
    a = 12 * 5.0 / 20
    z, c = f(K4[np.ix_(places, places)], a), 1 / (1 + a)
    mu = found.low
    own = z * math.log(z / mu) - z + mu
    end = c * math.log(float(two) / 0.1)
    inside = z * math.log(z / (1.1 * mu)) - z + 1.1 * mu
    return np.isclose(own, end, rtol=1e-6) and holds(word, inside, end)


@says(
    "guarantees.effective_dimension",
    "of a sample it holds with probability [at least] ``1 - delta``, over the "
    "sample",
)
@says(
    "guarantees.population_dimension",
    "With probability [at least] ``1 - delta`` over the",
)
def how_often(word):
    A, told = K, []
    for seed in range(200):
        found = guarantees.effective_dimension(
            A, 1.0, n_sample=12, rng=np.random.default_rng(seed), delta=0.3
        )
        told.append(found.low <= f(A, 1.0) <= found.high)
    return holds(word, np.mean(told), 0.7)


@says(
    "guarantees.population_dimension",
    "`high` is [infinite] where nothing bounds the kernel",
    "n",
)
def unbounded(word):
    high = guarantees.population_dimension(kernels.linear(X), 1.0).high
    return high == {"infinite": math.inf, "n": 30}[word]


# ---- What an approximation tells


@says("guarantees.estimate", "which rest on ``0 [<=] K~ [<=] K``")
def between(low, high):
    def claim(A, near, E):
        some = [A - E if low == "<=" else E - A, E if high == "<=" else -E]
        return np.linalg.eigvalsh(some).min() > -1e-9

    return everywhere(claim)


@says(
    "guarantees.estimate",
    "is [largest] where t is spread as evenly as can be, and eigenvalue j is [at "
    "most] ``lambda_i(K~) + t / (j - i + [1])``",
    "smallest", "at least", "2",
)
def spread(word, most, one):
    if word == "smallest":
        return three_ends("smallest", "evenly")

    def claim(A, near, E):
        s, own = eigenvalues(A), eigenvalues(A - E)
        ends = [(s[j], own[i] + E.trace() / (j - i + int(one)))
                for j in range(8) for i in range(j + 1)]
        return holds(most, *np.array(ends).T)

    # All of the error on one eigenvalue.
    flat = np.diag([3.0, 0, 0, 0, 0, 0, 0, 0])
    return everywhere(claim) and claim(flat, None, flat)


@says(
    "guarantees.Prescription.projection",
    "``|Sigma_alpha^(1/2) (I - P)|^2 [<=] 3 alpha``, which is ``|K - K~|_2 [<=] "
    "[2] n alpha``",
    ">=", ">=", "3",
)
def asked(one, other, two):
    """P of the landmarks: of the covariance with alpha the norm has alpha more."""
    if one != other:
        return False
    n, alpha, told = 8, 0.01, []
    for A, near, E in cases():
        L = np.linalg.cholesky(A + 1e-13 * np.eye(n))
        rows = L[near.landmarks]
        P = rows.T @ np.linalg.pinv(rows @ rows.T) @ rows
        sigma = L.T @ L / n + alpha * np.eye(n)
        left = np.linalg.norm((np.eye(n) - P) @ sigma @ (np.eye(n) - P), 2)
        norm = np.linalg.norm(E, 2)
        scaled = left - alpha, norm / n
        told.append(np.isclose(*scaled, rtol=1e-6))
    # left <= 3 alpha is |E| / n <= 2 alpha.
    return all(told) and int(two) == 3 - 1 and one == "<="


@says(
    "guarantees.Prescription.projection",
    "The trace of the error is an [upper] end, its [largest] diagonal entry a "
    "[lower] one",
)
@says("guarantees.Projection", "The [spectral] norm of the error may be so large")
def ends_of_the_norm(word, entry="largest", low="lower"):
    names = {"upper": "at most", "lower": "at least"}
    take = {"largest": np.max, "smallest": np.min}[entry]
    if word in NORMS:
        near = lowrank.nystrom(K, range(9))
        E = K - near.spectral_reconstruction()
        row = replace(prescribed(), alpha=NORMS["spectral"](E) / 2)
        found = row.projection(K, near)
        return np.allclose([found.low, found.high, found.limit], NORMS[word](E))
    ratios = [take(np.diag(E)) / np.linalg.norm(E, 2) for *_, E in cases()]
    return everywhere(
        lambda A, near, E: holds(names[word], np.linalg.norm(E, 2), E.trace())
    ) and holds(names.get(low, low) if low == "upper" else "at most", ratios, 1.0) and (
        low == "lower" and max(ratios) > 0.99)


@cache
def prescribed(loss="square", rate="fast"):
    y = np.sin(np.arange(30.0))
    y = y if loss == "square" else (y > 0).astype(int)
    return guarantees.landmarks_for_learning(K, y, loss).of(rate)

