"""Algorithms that sample columns: each box is run beside the package's function."""

# ruff: noqa: E741

import numpy as np
from running_boxes import SAMPLE, close, core, leading, matrix, runs

from nystheory import certificates, coherence, lowrank, sampling, selection

K, S = matrix(), SAMPLE
n, l, k = len(K), len(S), 2
I, J = range(n), range(l)
NEAR = lowrank.nystrom(K, S)


def _factor(run, U="U", Sigma="Sigma", rank=None, last=4):
    """The steps of a factor: columns and core, eigenvectors, the product."""
    run(2, K=K, S=S)
    values, vectors = leading(run["W"], rank or l)
    run(last, **{U: vectors, Sigma: np.diag(values)})
    made = lowrank.nystrom(K, S, rank)
    close(run["F"] @ run["F"].T, made.spectral_reconstruction())
    close(run["K_tilde"], made.spectral_reconstruction())


@runs("alg-fill")
def fill(run):
    _factor(run)


@runs("alg-nystrom")
def nystrom(run):
    _factor(run, "U_W_k", "Sigma_W_k", k)


@runs("alg-column-sampling")
def column_sampling(run):
    run(2, K=K, S=S)
    U, s, Vt = np.linalg.svd(run["C"], full_matrices=False)
    run(3, U_C=U, Sigma_C=np.diag(s), V_C=Vt.T)
    values = run(4, n=n, l=l, Sigma_C_k=np.diag(s[:k]))
    made = lowrank.column_sampling(K, S, rank=k)
    close(U[:, :k] @ values @ U[:, :k].T, made.spectral_reconstruction())


@runs("alg-adaptive")
def adaptive(run):
    run(2, only=0, K=K, R=S)
    close(run["C"], K[:, S])
    run(2, only=1, U=np.linalg.qr(run["C"])[0])
    close(run["E"], K - K[:, S] @ np.linalg.pinv(K[:, S]) @ K)
    p = [run(4, j=j) for j in I]
    close(p, sampling.update_probability_full(K, S))


def _pivots(run, number, first, choose, names):
    """Steps of an elimination, with E or with its diagonal."""
    F, d, pivots = np.zeros((n, 0)), first, []
    for _ in range(l):
        j = choose(run, F, d)
        f = run(number, K=K, F=F, d=d, **{names: j})
        F, d = np.column_stack([F, f]), np.maximum(d - f**2, 0)
        d[j] = 0
        pivots.append(int(j))
    return pivots, F


@runs("alg-icl")
def incomplete_cholesky(run):
    run(1, K=K)
    close(run["d"], np.diag(K))
    made = sampling.incomplete_cholesky(K, l)
    found, F = _pivots(run, 3, run["d"], lambda run, F, d: np.argmax(d), "j")
    close(found, made.indices)
    close(F, made.factor)


@runs("alg-rpcholesky")
def randomly_pivoted(run):
    run(1, K=K)
    close(run["d"], np.diag(K))

    def drawn(run, F, d):
        p = [run(2, d=d, i=i, J=I) for i in I]
        close(sum(p), 1)
        return int(np.argmax(p))  # the likeliest

    pivots, F = _pivots(run, 3, run["d"], drawn, "i")
    run(5, only=0, F=F)
    made = lowrank.nystrom(K, pivots)
    close(run["K_tilde"], made.spectral_reconstruction())
    close(run(5, only=1, d=np.diag(K - F @ F.T), J=I), made.error(K, "trace"))


@runs("alg-sgma")
def sparse_greedy(run):
    run(1, K=K, F=NEAR.factor)
    close(run["E"], K - NEAR.spectral_reconstruction())
    F, E, pivots = np.zeros((n, 0)), np.zeros((n, n)), []
    d = np.diag(K).copy()
    for _ in range(l):
        gains = {}
        for j in np.flatnonzero(d > 1e-12):
            run(3, K=K, F=F, E=E, j=j)
            gains[int(j)] = run(4)
        j = max(gains, key=gains.get)
        run(3, j=j)
        close(gains[j], _explained(K - F @ F.T, j))
        f = run(5)
        F, d = np.column_stack([F, f]), d - f**2
        d[j] = 0
        pivots.append(j)
    made = sampling.sgma(K, l, np.random.default_rng(0))
    close(pivots, made.indices)
    close(F, made.factor)


def _explained(left, j):
    """How much of what is left goes with a column."""
    return np.sum(left[:, j] ** 2) / left[j, j]


@runs("alg-accelerated")
def accelerated(run):
    run(1, K=K)
    F = lowrank.nystrom(K, S[:1]).factor
    left = K - F @ F.T
    some = [5, 7, 8]
    H = np.zeros((n, n))
    for i in some:
        for j in some:
            run(3, K=K, F=F, H=H, i=i, j=j)
    close(run["H"][np.ix_(some, some)], left[np.ix_(some, some)])
    close(run["u"], np.diag(K))
    close(run(4, only=0, i=5, u=np.diag(left)), 1)
    run(4, only=1)
    after = K - lowrank.nystrom(K, [S[0], 5]).spectral_reconstruction()
    close(run["H"][np.ix_(some, some)], after[np.ix_(some, some)])


@runs("alg-kmeans")
def centroids(run):
    from nystheory.kernels import rbf

    X = np.random.default_rng(3).standard_normal((n, 2))
    kernel = rbf(X, 0.5)
    centres = X[:l] + 0.1
    given = {"kappa": lambda x, z: np.exp(-0.5 * np.sum((x - z) ** 2)), "x": X}
    run(0, z=centres, C=np.zeros((n, l)), W=np.zeros((l, l)), **given)
    for j in J:
        for i in I:
            run(5, only=0, i=i, j=j)
        for i in J:
            run(5, only=1, i=i, j=j)
    between, among = kernel.columns_of(centres)
    close(run["C"], between)
    close(run["W"], among)
    close(run(5, only=2), between @ np.linalg.solve(among, between.T))


@runs("alg-k-dpp")
def volumes(run):
    values, vectors = np.linalg.eigh(K)
    lam, r = np.r_[np.nan, values], n
    e = np.zeros((l + 1, r + 1))
    e[0] = 1
    for m in range(1, l + 1):
        for j in range(1, r + 1):
            e[m, j] = e[m, j - 1] + lam[j] * e[m - 1, j - 1]
    ours = [run(2, lam=lam, e=e, j=j, m=l) for j in range(l, r + 1)]
    wanted = [
        lam[j] * _elementary(values[: j - 1], l - 1) / _elementary(values[:j], l)
        for j in range(l, r + 1)
    ]
    close(ours, wanted)
    run(3, V=vectors[:, -l:])
    P = run["P"].copy()
    close(P, vectors[:, -l:] @ vectors[:, -l:].T)
    run(5, i=4)
    close(run["P"], P - np.outer(P[:, 4], P[4]) / P[4, 4])
    close(run["P"][:, 4], 0)


def _elementary(values, degree):
    """By the coefficients of a polynomial."""
    return np.poly(-np.asarray(values))[degree]


@runs("alg-fixed-law")
def fixed_law(run):
    alpha, U = 0.7, leading(K, k)[1]
    run(0, K=K, U_k=U, alpha=alpha, n=n, l=l, J=I)
    wanted = (
        np.diag(K),
        np.linalg.norm(K, axis=0),
        sampling.leverage_scores(K, k),
        sampling.ridge_leverage_scores(K, alpha),
    )
    for place, scores in enumerate(wanted):
        close([run(1, only=place, i=i) for i in I], scores)
    drawn = sampling.ridge_leverage(
        K, l, np.random.default_rng(0), alpha=alpha, replace=True
    )
    close([run(2, i=i) for i in I], drawn.probabilities)
    close([run(3, i=i) for i in drawn.indices], drawn.weights)


@runs("alg-recursive")
def recursive(run):
    scores = np.array([0.2, 0.5, 0.9, 0.1])
    p = [run(3, only=0, c=2.0, l_tilde=scores, x=x) for x in range(4)]
    close(p, [0.4, 1.0, 1.0, 0.2])
    close([run(3, only=1, x=x) for x in range(4)], [2.5, 1, 1, 5])


@runs("alg-leave-one-out")
def leave_one_out(run):
    for j in J:
        run(2, W=core(K, S), j=j)
    made = certificates.leave_one_out_trace(K, S)
    close(run(3, n=n, l=l, J=J), made.value)


@runs("alg-leave-one-out-columns")
def leave_one_out_columns(run):
    run(0, C=K[:, S], W=core(K, S))
    for j in J:
        run(2, j=j)
    made = certificates.leave_one_out_frobenius(K, S)
    close(run(3, n=n, l=l, J=J), made.value)


@runs("alg-trace-certificate")
def trace_certificate(run):
    run(1, F=NEAR.factor)
    close(run["K_tilde"], NEAR.spectral_reconstruction())
    run(0, K=K, E=np.zeros((n, n)), I=I, J=range(NEAR.factor.shape[1]))
    for i in I:
        run(2, i=i)
    close(run(3, only=0), certificates.trace_certificate(K, NEAR).value)
    close(run(3, only=1), certificates.entry_certificate(K, NEAR).value)


@runs("alg-leverage-scores")
def leverage_scores(run):
    U = leading(K, k)[1]
    run(0, U_k=U, n=n, k=k, I=I, J=range(k))
    for i in I:
        run(2, only=0, i=i)
    run(2, only=1)
    close(list(run["s"].values()), sampling.leverage_scores(K, k))
    close(run(3), coherence.of_matrix(K, k))
    close(run(4), coherence.of_vectors(U))


@runs("alg-scores-from-columns")
def scores_from_columns(run):
    # One eigenvalue is small, so that the columns tell the others well.
    near = lowrank.nystrom(K, S)
    U, s, _ = np.linalg.svd(near.factor, full_matrices=False)
    run(1, F=near.factor)
    close(run["K_tilde"], near.spectral_reconstruction())
    exact = sampling.leverage_scores(K, 1)
    lam = np.r_[np.nan, s**2]
    run(0, K=K, k=1, U_k=U[:, :1], lam_tilde=lam, s=exact, pi=np.pi, I=I)
    made = coherence.approximate_leverage_scores(K, near, 1)
    for i in I:
        run(3, i=i)
        run(4, only=0)
        close(run["t"], np.trace(K) - np.trace(near.spectral_reconstruction()))
        assert run(4, only=1)
        run(4, only=2)
        assert run(4, only=3)
        low, _, high = run.sides(4, 3)
        assert run(5)
        ends = low, min(high, K[i, i] / lam[1])
        # The package moves both by what rounding may have done.
        theirs = made.low[i], made.high[i]
        np.testing.assert_allclose(ends, theirs, rtol=1e-5, atol=1e-7)


@runs("alg-kernel-selection")
def kernel_selection(run):
    y, mu = np.cos(np.arange(n)), 0.3
    values, U = leading(core(K, S), k)
    run(2, C=K[:, S], U=U, Sigma=np.diag(values))
    V = run["V"]
    omega = np.linalg.solve(n * mu * np.eye(k) + V.T @ V, V.T @ y)
    run(3, n=n, mu=mu, y=y, k=k, omega=omega)
    made = lowrank.nystrom(K, S, k)
    close(run["c"], selection.criterion(made, y, n * mu))


@runs("alg-criterion-driven")
def criterion_driven(run):
    y = np.where(np.arange(n) < 4, 1.0, -1.0)
    z = 1 / np.where(y > 0, 4, n - 4)
    run(1, only=0, K=K, I=S)
    run(1, only=1)
    close(run["C"], K[:, S])
    close(run["W"], core(K, S))
    values, U = leading(run["W"], k)
    run(1, only=2, W_k=U * values @ U.T)
    close(run["F"], (K - lowrank.nystrom(K, S, k).spectral_reconstruction())[:, S])
    E = np.zeros((n, l))
    for i in I:
        for j in J:  # a column of F belongs to a landmark, whose label it has
            run(2, i=i, j=j, E=E, z=_Sizes(z, z[S]))
    p = np.array([0 if i in S else run(3, i=i, J=J) for i in I])
    made = sampling.update_probability_criterion(K, S, y, rank=k)
    close(p / np.sum(p), made)
    close(np.sum(p), np.sum(np.delete(run["F"] * np.outer(z, z[S]), S, axis=0) ** 2))


class _Sizes:
    """Sizes of labels: of all points first, of the landmarks next."""

    def __init__(self, *sizes):
        self.sizes = list(sizes)

    def __getitem__(self, place):
        return self.sizes.pop(0)[place]
