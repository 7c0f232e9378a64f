"""What docstrings of approximations say in words, and whether it is true."""

import numpy as np
from words_of_docstrings import (
    NORMS,
    ROUNDING,
    cases,
    eigenvalues,
    everywhere,
    holds,
    says,
)

from nystheory import certificates, coherence, lowrank
from nystheory.chapters.certificates_afterwards.theorems import truncation


@says("lowrank.nystrom", "it is [never worse] in the [trace] norm")
def cut_at_the_end(word, norm):
    """The theorem of the cut has matrices on which the other norms are worse."""
    worse = truncation._SPECTRAL_WORSE, truncation._FROBENIUS_WORSE
    some = [(K, near.landmarks, 2) for K, near, _ in cases()]
    some += [(np.array(each.K, dtype=float), [0, 1], 1) for each in worse]
    late, early = (
        [
            NORMS[norm](
                K - lowrank.nystrom(K, S, k, truncate=how).spectral_reconstruction()
            )
            for K, S, k in some
        ]
        for how in ("approximation", "core")
    )
    return holds(word, late, np.array(early))


@says("lowrank.LowRank.error", "is the [trace] norm, the [sum] of singular values")
def of_singular_values(norm, word):
    take = {"sum": np.sum, "largest": np.max}[word]
    return everywhere(
        lambda K, near, E: np.allclose(
            near.error(K, "trace"), [NORMS[norm](E), take(np.linalg.svd(E)[1])]
        )
    )


@says("lowrank.LowRank.relative_accuracy", "That it is [at most] 1")
@says("lowrank.LowRank.relative_accuracy", "(2.24), [at most] 1")
def accuracy(word):
    return everywhere(
        lambda K, near, E: holds(
            word, lowrank.nystrom(K, near.landmarks, 2).relative_accuracy(K), 1.0
        )
    )


@says("lowrank.best_rank_k", "best approximation of rank [at most] k")
def rank(word):
    low = np.diag([3.0, 1, 0, 0])
    return all(
        holds(word, lowrank.best_rank_k(K, k).rank, k)
        for k, K in [(3, low), *((2, K) for K, _, _ in cases())]
    )


@says("lowrank.best_rank_k", "The k [largest] eigenvalues")
def best(word):
    return everywhere(
        lambda K, near, E: np.allclose(
            lowrank.best_rank_k(K, 2).eigenvalues,
            eigenvalues(K)[:2] if word == "largest" else eigenvalues(K)[-2:],
        )
    )


@says("lowrank.best_rank_k", "Unique (in the [Frobenius] norm)")
def unique(norm):
    """Others are as good, in the spectral and in the trace norm."""
    K = np.diag([5.0, 3, 1])
    found = NORMS[norm](K - lowrank.best_rank_k(K, 1).spectral_reconstruction())
    turned = np.array([[1.0, 0.1, 0]]).T
    others = np.diag([5.5, 0, 0]), np.diag([4.9, 0, 0]), 4.9 * turned @ turned.T
    return all(NORMS[norm](K - each) > found + ROUNDING for each in others)


@says(
    "lowrank.optimal_reconstruction",
    "No approximation with this range is [closer] in the [Frobenius] norm",
)
def nearest(word, norm):
    def claim(K, near, E):
        own = lowrank.optimal_reconstruction(K, near.landmarks)
        U = np.linalg.qr(own.spectral_reconstruction()[:, near.landmarks])[0]
        rng = np.random.default_rng(0)
        e = NORMS[norm](K - own.spectral_reconstruction())
        for _ in range(40):
            A = rng.standard_normal((4, 4)) * 10.0 ** rng.uniform(-4, -1)
            moved = own.spectral_reconstruction() + U @ (A + A.T) @ U.T
            less = NORMS[norm](K - moved) - e
            if (less < -ROUNDING) == (word == "closer"):
                return False
        return True

    return everywhere(claim)


@says("lowrank.LowRank", "``0 [<=] approximation [<=] K`` is known")
def below(first, second):
    def claim(K, near, E):
        sign = {"<=": 1, ">=": -1}
        ends = (sign[first], K - E), (sign[second], E)
        return near.below and all(
            np.linalg.eigvalsh(s * A).min() > -ROUNDING for s, A in ends
        )

    return everywhere(claim)


@says("lowrank.Factored.logdet", "it is a [lower] bound where the approximation is")
def determinant(word):
    def of(A):
        return np.linalg.slogdet(A + 0.3 * np.eye(len(A)))[1]

    return everywhere(lambda K, near, E: holds(word, near.logdet(0.3), of(K)))


@says(
    "lowrank.Factored.inverse_diagonal",
    "Each [between] ``1 / (alpha + |F_i|^2)``, with the rows F_i, and 1 / alpha",
)
def inverse_between(word):
    if word != "between":
        return False

    def claim(K, near, E):
        low = 1 / (0.3 + (near.factor**2).sum(axis=1))
        found = near.inverse_diagonal(0.3)
        return (low <= found + ROUNDING).all() and (found <= 1 / 0.3 + ROUNDING).all()

    return everywhere(claim)


@says("lowrank.nystrom", "The eigenvalues are ``([n/l]) Sigma_{W,k}``", "l/n")
def values_of_the_core(share):
    by = {"n/l": 2.0, "l/n": 0.5}[share]

    def claim(K, near, E):
        s = eigenvalues(K[np.ix_(near.landmarks, near.landmarks)])[:2]
        return np.allclose(lowrank.nystrom(K, near.landmarks, 2).eigenvalues, by * s)

    return everywhere(claim)


@says("lowrank.nystrom", "``sqrt([l/n]) C U_{W,k} Sigma_{W,k}^+``", "n/l")
def vectors_of_the_core(share):
    by = {"n/l": 2.0, "l/n": 0.5}[share]

    def claim(K, near, E):
        S = near.landmarks
        s, U = np.linalg.eigh(K[np.ix_(S, S)])
        own = np.sqrt(by) * K[:, S] @ U[:, :1:-1] / s[:1:-1]
        made = lowrank.nystrom(K, S, 2).eigenvectors
        return np.allclose(abs(made), abs(own))

    return everywhere(claim)


@says("lowrank.nystrom", "which are [not] orthonormal in general", "surely")
def in_general(word):
    told = []
    for K, near, _ in cases():
        U = lowrank.nystrom(K, near.landmarks, 2).eigenvectors
        told.append(np.allclose(U.T @ U, np.eye(2)))
    return (not all(told)) if word == "not" else all(told)


@says(
    "certificates.Estimate",
    "For a [certificate], the rounding floor below which it means nothing; for an"
    " [estimate], its standard error",
    "estimate", "certificate",
)
def errors_of_estimates(one, other):
    """Rounding is some eps of the trace, and the other of the size of the terms."""

    def claim(K, near, E):
        S = near.landmarks
        told = {
            "certificate": certificates.trace_certificate(K, near).error,
            "estimate": certificates.leave_one_out_trace(K, S).error,
        }
        terms = certificates.schur_complements(K[np.ix_(S, S)])
        by_hand = 5 / 4 * np.std(terms, ddof=1) * np.sqrt(4)
        of_rounding = 0 < told[one] < 1e-9 * K.trace()
        return of_rounding and np.isclose(told[other], by_hand, rtol=1e-4)

    return everywhere(claim)


# ---- Bases


def bases(r=3, n=9):
    rng = np.random.default_rng(1)
    some = [np.linalg.qr(rng.standard_normal((n, r)))[0] for _ in range(20)]
    return [*some, np.eye(n)[:, :r]]


@says("coherence.basis_free", "[largest] [squared] row length of an orthonormal")
def longest_row(end, power):
    end = {"largest": np.max, "smallest": np.min}[end]
    power = {"squared": 1, "plain": 0.5}[power]
    return all(
        np.isclose(
            coherence.basis_free(U), len(U) * end((U**2).sum(axis=1) ** power)
        )
        for U in bases()
    )


@says("coherence.basis_free", "[at least] mu^2 and [at most] r mu^2")
def by_basis(low, high):
    some = [(coherence.basis_free(U), coherence.of_vectors(U) ** 2) for U in bases()]
    return all(holds(low, M, m) and holds(high, M, 3 * m) for M, m in some)
