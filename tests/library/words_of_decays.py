"""What docstrings of decays say in words, and whether it is true."""

import math

import numpy as np
from scipy.integrate import quad
from words_of_docstrings import holds, says

from nystheory import guarantees, kernels, lowrank
from nystheory.guarantees._eigenvalues import Eigenvalues

X = np.random.default_rng(2).standard_normal((30, 2))
K = kernels.rbf(X, 0.4).dense()
S_J = np.arange(1, 41.0) ** -2.0 * np.exp(0.2 * np.sin(np.arange(40.0)))
FALLING = guarantees.decay(np.diag(np.sort(S_J)[::-1]))
VALUES = np.sort(S_J)[::-1]
KINDS = {"polynomial": 0.6, "exponential": 0.3}
J = np.arange(1, 41.0)


def law(kind, gamma, value):
    by = J ** (-1 / value) if kind == "polynomial" else np.exp(-value * J)
    return gamma * by


# ---- How eigenvalues fall


@says(
    "guarantees.Decay.envelope",
    "The [smallest] gamma so that [no] eigenvalue is [above] the law",
    "twice the smallest", "each", "below",
)
def envelope(word, count, side):
    told = []
    for kind, value in KINDS.items():
        gamma = FALLING.envelope(kind, value)
        times = 1 if word == "smallest" else 2
        own = law(kind, gamma, value) * (1 + 1e-9)
        over = VALUES > own if side == "above" else VALUES < own
        told.append(not over.any() if count == "no" else over.all())
        told.append((VALUES > law(kind, gamma / times * 0.999, value)).any())
        told.append(times == 1)
    return all(told)


@says(
    "guarantees.Decay.envelope",
    "``s_j [<=] gamma j^([-1] / value)``, or ``s_j [<=] gamma e^([-]value j)``",
    ">=", "-2", ">=", "+",
)
def laws(one, power, other, sign):
    gammas = [FALLING.envelope(kind, value) for kind, value in KINDS.items()]
    first = gammas[0] * J ** (float(power) / KINDS["polynomial"])
    rate = KINDS["exponential"] * (-1 if sign == "-" else 1)
    second = gammas[1] * np.exp(rate * J)
    ends = [np.isclose((VALUES / x).max(), 1) for x in (first, second)]
    return all(ends) and holds(one, VALUES, first * (1 + 1e-9)) and holds(
        other, VALUES, second * (1 + 1e-9)
    )


@says(
    "guarantees.Decay.dimension_bound",
    "``s / (s + alpha)`` [rises] with s, and a sum over j is [at most] the "
    "integral from [0]",
    "falls", "at least", "1",
)
def integral(word, most, start):
    s = np.linspace(0, 3, 50)
    steps = np.diff(s / (s + 0.1))
    rising = (steps > 0).all() if word == "rises" else (steps < 0).all()

    def f(j):
        return 1 / (1 + 0.1 * j**2.0)

    whole = sum(f(j) for j in range(1, 200000))
    return rising and holds(most, whole, quad(f, float(start), np.inf)[0])


@says(
    "guarantees.Decay.dimension_bound",
    "``gamma^p ([pi p / sin(pi p)]) alpha^-p``, or ``[log(1 + gamma / alpha)] / "
    "beta``",
    "pi p", "log(gamma / alpha)",
)
def bounds_of_dimension(constant, log):
    p, beta, alpha = KINDS["polynomial"], KINDS["exponential"], 0.05
    gamma, other = (FALLING.envelope(kind, v) for kind, v in KINDS.items())
    share = math.pi * p / (math.sin(math.pi * p) if "sin" in constant else 1)
    ratio = other / alpha
    values = (
        gamma**p * share * alpha**-p,
        math.log(1 + ratio if "1 +" in log else ratio) / beta,
    )
    told = [FALLING.dimension_bound(alpha, kind, v) for kind, v in KINDS.items()]
    own = (VALUES / (VALUES + alpha)).sum()
    return np.allclose(told, values) and min(told) >= own


@says(
    "guarantees.decay",
    "By default from 1 to [a quarter] of n, or to the last one that is known to a"
    " factor of 1.5, if that is [less]",
    "half", "more",
)
def usual_ranks(part, word):
    share = {"a quarter": 10, "half": 20}[part]
    A = np.diag(2.0 ** -np.arange(40.0))
    known = guarantees.estimate(A, lowrank.nystrom(A, range(8)))
    ends = Eigenvalues(known)
    good = int((ends.high <= 1.5 * ends.low).argmin())
    right = guarantees.decay(known).last == {"less": min, "more": max}[word](good, 10)
    return FALLING.last == share and right and good < 10


@says("guarantees.decay", "random halves of the points, drawn [without] replacement")
@says("guarantees.decay", "The range is that of the slopes of [39] random halves", "19")
@says(
    "guarantees.decay",
    "Given the data another half falls outside with probability [at most] [1/20]",
    "at least", "1/40",
)
def halves(word, chance=None):
    from nystheory.guarantees import _decay

    sizes = []

    class Drawing(np.random.Generator):
        def choice(self, n, size, replace=True):
            sizes.append((size, replace))
            return super().choice(n, size, replace=replace)

    guarantees.decay(K, rng=Drawing(np.random.PCG64(0)))
    if word in ("39", "19"):
        return len(sizes) == int(word) == _decay.HALVES
    if chance is None:
        return all(x == (15, word == "with") for x in sizes)
    # Of 40 exchangeable numbers the last is at an end, unless all tie.
    outside = np.array([2 / (len(sizes) + 1), 0.0])
    return holds(word, outside, {"1/20": 1 / 20, "1/40": 1 / 40}[chance])


@says(
    "guarantees.Fit",
    "[No] eigenvalue is off the line by [more] than this factor",
    "Each", "less",
)
def factor(count, word):
    told = []
    for fit in (FALLING.polynomial, FALLING.exponential):
        some = slice(FALLING.first - 1, FALLING.last)
        x = np.log(J[some]) if fit.kind == "polynomial" else J[some]
        line = np.polyval(np.polyfit(x, np.log(VALUES[some]), 1), x)
        off = np.exp(abs(np.log(VALUES[some]) - line))
        beyond = off > fit.factor * (1 + 1e-9)
        beyond = beyond if word == "more" else off < fit.factor * (1 - 1e-9)
        told.append(not beyond.any() if count == "No" else beyond.all())
        told.append(np.isclose(off.max(), fit.factor))
    return all(told)
