"""What to use: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides

from nystheory import certificates, kernels, lowrank, sampling, theorems

CHAPTER = "what_to_use"
RNG = np.random.default_rng(0)


def off_by(word):
    """The trace over the norm, where an approximation of rank one misses five alike."""
    K = np.diag([2.0] + [1.0] * 5)
    made = lowrank.nystrom(K, [0])
    E = K - made.spectral_reconstruction()
    ranks = {
        "rank of the error": np.linalg.matrix_rank(E),
        "rank of the approximation": made.rank,
    }
    return np.isclose(np.trace(E) / np.linalg.norm(E, 2), ranks[word])


def converse(word, group):
    """The certificate, with a landmark among the crowd and another in the far group."""
    crowd = RNG.standard_normal((40, 3)) * 3
    K = kernels.rbf(np.vstack([crowd, 50 + RNG.standard_normal((4, 3)) / 100]), 0.5)
    made = lowrank.nystrom(K, [0, 41])
    missed = 1 - made.diagonal()[40:].min()
    groups = {"seen": missed < 0.01, "missed": missed > 0.9}
    most = certificates.entry_certificate(K, made).value
    return groups[group] and {"fails": most > 0.9, "holds": most < 0.5}[word]


def chain(id):
    """Whether the trace of the error bounds its norm, and that its entries."""
    claims = theorems[f"modern:{id}"].claims.values()
    lines = [claim.line.replace(" ", "") for claim in claims]
    return {"largest_missed<=norm_E", "norm_F(E)<=trace_E"} <= set(lines)


def bound_of(word):
    """The logarithm of the determinant of an approximation, beside that of K."""
    told = []
    for gamma in (0.1, 2.0):
        K = kernels.rbf(np.linspace(0, 5, 30)[:, None], gamma)
        near = lowrank.nystrom(K, range(0, 30, 5))
        exact = np.linalg.slogdet(K.dense() + 0.1 * np.eye(30))[1]
        told.append(near.logdet(0.1) - exact)
    return {"lower": max(told) < 0, "upper": min(told) > 0}[word]


def reads(word):
    """What pivots ask for beside their columns, in columns."""
    K = kernels.rbf(RNG.standard_normal((300, 3)), 0.1)
    sampling.rp_cholesky(K, 20, RNG)
    beyond = K.entries_asked / 300 - 20
    return {
        "their columns, the diagonal and little more": 1 < beyond < 2,
        "their columns alone": beyond == 0,
        "all of $K$": beyond == 280,
    }[word]


def quotient(formula):
    """The mean of one pivot over that of a uniform column, for a large crowd."""
    b, m = 3.0, 1e9
    told = (2 * b * m / (b + m)) / (m * (1 + b) / (m + 1))
    size = {"$2 b / (1 + b)$": 2 * b / (1 + b), "$2 / (1 + b)$": 2 / (1 + b)}[formula]
    return np.isclose(told, size)


def trace_goes(word):
    """The certificate, as columns are added."""
    K = kernels.rbf(np.linspace(0, 5, 30)[:, None], 0.5)
    told = [
        certificates.trace_certificate(K, lowrank.nystrom(K, range(k))).value
        for k in range(1, 6)
    ]
    steps = np.diff(told)
    return {"grows": steps.max() < 1e-9, "shrinks": steps.min() > -1e-9}[word]


def overshoots(word):
    K = kernels.rbf(np.linspace(0, 5, 30)[:, None], 0.5)
    off = K.dense() - lowrank.nystrom(K, range(5)).spectral_reconstruction()
    ends = np.linalg.eigvalsh(off)
    return {"overshoots": ends.min() > -1e-9, "falls short": ends.max() < 1e-9}[word]


def reveals(word):
    """Which certificate is nearly one, where uniform columns miss a rare point."""
    X = np.vstack([RNG.standard_normal((200, 2)) / 10, [[30.0, 30.0]]])
    K = kernels.rbf(X, 0.5)
    made = lowrank.nystrom(K, range(5))
    told = {
        "entry": certificates.entry_certificate(K, made).value,
        "trace": certificates.trace_certificate(K, made).value / K.n,
    }
    return told[word] > 0.9


def unchanged(word):
    """Columns of a factor, after later pivots."""
    K = kernels.rbf(np.linspace(0, 5, 30)[:, None], 0.5)
    few, many = (
        sampling.rp_cholesky(K, count, np.random.default_rng(0), method="simple").factor
        for count in (3, 6)
    )
    return np.allclose(few, many[:, :3]) == (word == "earlier")


def attracts(word):
    """Which point a pivot goes to, of one with a large entry and a crowd."""
    b, m = {"large": 10.0, "small": 0.1}[word], 4
    return b / (b + m) > 0.5


LINE = kernels.rbf(np.linspace(0, 5, 30)[:, None], 0.5)


def speaks_of(word):
    """The certificate of spread columns, beside the error of these and of others."""
    near = lowrank.nystrom(LINE, [4, 14, 24])
    value = certificates.trace_certificate(LINE, near).value
    columns = {"these": [[4, 14, 24]], "all": [[4, 14, 24], [0, 1, 2], [27, 28, 29]]}
    errors = [lowrank.nystrom(LINE, S).error(LINE, "trace") for S in columns[word]]
    return max(errors) <= value + 1e-9


def trace_is(word):
    off = LINE.dense() - lowrank.nystrom(LINE, [4, 14, 24]).spectral_reconstruction()
    own = {"diagonal": off.diagonal(), "entries": off}[word]
    return np.isclose(abs(np.linalg.eigvalsh(off)).sum(), own.sum())


sides(
    CHAPTER,
    {
        "Because $\\tilde K$ never [overshoots|falls short]: $0": overshoots,
        "{ref}`modern:[error-chain|resolvent|operator-monotone]` is the chain of "
        "inequalities": chain,
        "may be too large by a factor of up to the [rank of the error|rank of the "
        "approximation].": off_by,
        "The converse [fails|holds]: it can be nearly 1 although the group was "
        "[seen|missed].": converse,
        "without truncation | a [lower|upper] bound": bound_of,
        "Random pivots read [their columns, the diagonal and little more|their columns "
        "alone|all of $K$].": reads,
        "the quotient tends to [$2 b / (1 + b)$|$2 / (1 + b)$] for large": quotient,
        "the trace certificate never [grows|shrinks] when a column": trace_goes,
        "no sampled entry reveals it; the [entry|trace] certificate does": reveals,
        "later pivots do not change [earlier|later] columns": unchanged,
        "A single point of a [large|small] diagonal entry": attracts,
        "it speaks of [these|all] columns of this matrix, and": speaks_of,
        "its trace is the sum of its [diagonal|entries], and": trace_is,
        "the diagonal of a Gaussian kernel is known: every entry is [one|zero]": (
            lambda word: np.allclose(LINE.diagonal(), {"one": 1, "zero": 0}[word])
        ),
    },
)
