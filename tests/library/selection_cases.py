"""The three measures without rounding, and small kernel matrices that are awkward."""

from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from nystheory import lowrank

# Bits of a logarithm, beyond those of any float.
BITS = 400


def rational(x):
    """A float as the fraction that it is."""
    found = Fraction(float(x))
    return fmpq(found.numerator, found.denominator)


def exact(K, y, ridge, weight=None):
    """The measures by name: fractions, and a ball for the likelihood.

    With weights w the noise of point i is ridge / w_i, which needs no roots.
    """
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    kept = np.flatnonzero(weight).tolist()
    n, ridge = len(kept), rational(ridge)
    weights = [rational(weight[i]) for i in kept]
    A = fmpq_mat([[rational(K[i][j]) for j in kept] for i in kept])
    for i in range(n):
        A[i, i] += ridge / weights[i]
    Y = fmpq_mat([[rational(y[i])] for i in kept])
    inverse = A.inv()
    a = inverse * Y
    q = sum((Y[i, 0] * a[i, 0] for i in range(n)), fmpq(0))
    alone = [weights[i] * (a[i, 0] / inverse[i, i]) ** 2 for i in range(n)]
    before, ctx.prec = ctx.prec, BITS
    try:
        evidence = (arb(q) + arb(A.det()).log() + n * (2 * arb.pi()).log()) / 2
    finally:
        ctx.prec = before
    return {
        "criterion": ridge / n * q,
        "likelihood": evidence,
        "leave-one-out": sum(alone, fmpq(0)) / n,
    }


def holds(found, value):
    """Whether the ends hold, without rounding."""
    before, ctx.prec = ctx.prec, BITS
    try:
        return bool(arb(found.lower) <= value) and bool(value <= arb(found.upper))
    finally:
        ctx.prec = before


def as_float(value):
    return float(arb(value))


def gram(rng, n):
    """A Gram matrix with exact entries, often singular, and its kind."""
    kind = rng.choice(["integers", "few", "copies", "graded", "near copies", "zero"])
    G = rng.integers(-4, 5, (n, n)).astype(float)
    if kind == "few":
        G = G[:, : max(1, n // 2)]
    elif kind == "copies":
        G = G[rng.integers(0, n, n)]
    elif kind == "graded":
        G *= 2.0 ** -rng.integers(0, 12, (n, 1))
    elif kind == "near copies":
        G[-1] = G[0] + 2.0**-12 * rng.integers(-1, 2, n)
    elif kind == "zero" and n > 1:
        G[: n // 2] = 0
    return G @ G.T


def targets(rng, n):
    """Integers or normal numbers, now and then with a large offset, or all alike."""
    y = rng.integers(-5, 6, n).astype(float)
    if rng.random() < 0.5:
        y = rng.normal(size=n)
    if rng.random() < 0.3:
        y += 10.0 ** rng.integers(2, 9)
    return np.full(n, y[0]) if rng.random() < 0.1 else y


def approximation(rng, K):
    """One that is below K: of any rank, truncated or not, or the best one."""
    n = len(K)
    chosen = rng.choice(n, int(rng.integers(1, n + 1)), replace=True)
    kind = rng.integers(4)
    if kind == 0:
        return lowrank.best_rank_k(K, len(chosen))
    rank = int(rng.integers(1, len(chosen) + 1)) if kind == 1 else None
    return lowrank.nystrom(K, chosen, rank, rng.choice(["core", "approximation"]))


def case(seed):
    """K, y, a ridge from 1e-8 to 1e8 of the size of K, weights, an approximation."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    K, y = gram(rng, n), targets(rng, n)
    ridge = float((np.abs(K).max() or 1.0) * 10.0 ** rng.integers(-8, 9))
    weight = None
    if rng.random() < 0.3:
        weight = rng.integers(0, 4, n) * 10.0 ** rng.integers(-3, 4)
        weight[0] = 0.3
    return K, y, ridge, weight, approximation(rng, K)
