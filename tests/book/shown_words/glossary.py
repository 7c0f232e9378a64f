"""Glossary: what shows its words that compare."""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg
from words_shown import explained, never, shown

from nystheory import datasets, kernels, lowrank, sampling

CHAPTER = "glossary"
NORMS = ("spectral", "frobenius", "trace")
RNG = np.random.default_rng(0)
K = kernels.rbf(datasets.digits(80).X).dense()
MADE = lowrank.nystrom(K, sampling.incomplete_cholesky(K, 20))


def turning(gap, change):
    """How far the span of the two leading eigenvectors turns, as a sine."""
    before = np.diag([gap + 1.5, gap + 1, 1, 0.5])
    one, other = (np.linalg.eigh(A)[1][:, -2:] for A in (before, before + change))
    return np.linalg.norm(one @ one.T - other @ other.T, 2)


def wider_gaps():
    """The least step of gaps, along which the span turns less and less."""
    gaps = (0.5, 1.0, 3.0, 10.0)
    for _ in range(5):
        E = RNG.standard_normal((4, 4)) / 20
        assert max(np.diff([turning(gap, E + E.T) for gap in gaps])) < 0
    return min(np.diff(gaps))


def share_of_squares():
    """What makes inner products of centred squares of distances, less their sign."""
    X = RNG.standard_normal((6, 2))
    X -= X.mean(axis=0)
    J = np.eye(6) - 1 / 6
    centred = J @ ((X[:, None] - X) ** 2).sum(axis=2) @ J
    share = -(centred * (X @ X.T)).sum() / (centred**2).sum()
    assert np.allclose(-share * centred, X @ X.T)
    return share


def saved_steps(alpha=0.01):
    """Of conjugate gradients, with an approximation to precondition."""
    A, b, steps, answers = K + alpha * np.eye(len(K)), RNG.standard_normal(80), [], []
    resembles = LinearOperator(A.shape, lambda v: MADE.solve(v.ravel(), alpha=alpha))
    for M in (None, resembles):
        each = []
        answers.append(cg(A, b, rtol=1e-10, M=M, callback=each.append)[0])
        steps.append(len(each))
    assert np.allclose(*answers)
    return steps[0] - steps[1]


def size(E, norm):
    return np.linalg.norm(E, {"spectral": 2, "frobenius": "fro", "trace": "nuc"}[norm])


def gained_on_projection():
    """The most that another matrix from the span of the columns gains on it."""
    basis = np.linalg.qr(K[:, MADE.landmarks])[0]
    projected = basis @ (basis.T @ K)
    rivals = [MADE.spectral_reconstruction()]
    rivals += [projected + 0.01 * basis @ RNG.standard_normal((20, 80)) for _ in "abc"]
    return max(
        size(K - projected, norm) - size(K - rival, norm)
        for norm in NORMS
        for rival in rivals
    )


shown(
    CHAPTER,
    {
        "The [wider] it is beside a change of the matrix, the less the span": (
            wider_gaps()
        ),
        "the largest positive eigenvalues of minus [half] their squares": (
            share_of_squares()
        ),
        "and what is made of it with a [smaller] rank": (
            lowrank.nystrom(K, MADE.landmarks, 5).rank - MADE.rank
        ),
        "it makes an iteration [faster] and leaves its answer alone": saved_steps(),
        "and no approximation from that space is [better]": never(
            gained_on_projection()
        ),
    },
)

explained(
    CHAPTER,
    {
        "the claim says beside the word why [fewer] are enough": (
            "says what a verdict prints: {ref}`words-of-a-verdict` has it"
        ),
    },
)
