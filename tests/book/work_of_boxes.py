"""What an algorithm costs: its entries and operations are counted, size by size."""

# ruff: noqa: E741

import heapq
import math

import numpy as np
from counted_work import array, gram, symmetric, triangular, work
from running_boxes import counts

from nystheory import certificates, coherence, ensemble, kernels, lowrank, sampling


def points(n, d=3):
    """A kernel matrix of points, which counts its entries."""
    return kernels.rbf(np.random.default_rng(0).standard_normal((n, d)), 0.5)


def asked(function, n, *args, **options):
    """How many entries a function asks for."""
    K = points(n)
    function(K, *args, **options)
    return K.entries_asked


def _factor(n, l, k=None):
    """A factor from columns."""
    C = array(n, l)
    values, U = np.linalg.eigh(symmetric(l))
    return C @ (U / np.sqrt(values))[:, -(k or l) :]


def _pivots(n, l):
    """A factor by elimination, column by column."""
    F = array(n, l)
    for j in range(l):
        f = F[:, j] - F[:, :j] @ F[0, :j]
        f / np.sqrt(2.0)
        f**2


@counts("alg-fill", n=400, l=8)
def fill(n, l):
    entries = asked(lowrank.nystrom, n, range(l))
    return entries, work(_factor, n, l), asked(lambda K: K.dense(), n)


@counts("alg-million", n=800, c=8, p=2, d=4, l=16, k=4, t=4)
def in_pieces(n, c, p, d, l, k, t):
    def neighbours():
        X, centres = array(n, d), array(c, d)
        for x in X:
            ((centres - x) ** 2).sum(axis=1)
            ((X[: p * n // c] - x) ** 2).sum(axis=1)

    return work(neighbours), *landmark_mds(n, l, k, t)[::-1]


@counts("alg-nystrom", n=400, l=16, k=4)
def nystrom(n, l, k):
    return asked(lowrank.nystrom, n, range(l), k), work(_factor, n, l, k)


@counts("alg-column-sampling", n=400, l=8)
def column_sampling(n, l):
    return (
        asked(lowrank.column_sampling, n, range(l)),
        work(lambda: np.linalg.svd(array(n, l), full_matrices=False)),
    )


@counts("alg-adaptive", n=100, l=8)
def adaptive(n, l):
    def one():
        K, U = array(n, n), np.linalg.qr(array(n, l))[0]
        E = K - U @ (U.T @ K)
        return (E**2).sum(axis=0)

    return asked(sampling.update_probability_full, n, range(l)), work(one)


@counts("alg-sgma", n=300, l=4)
def sparse_greedy(n, l):
    rng = np.random.default_rng(0)
    return asked(sampling.sgma, n, l, rng), work(_pivots, n, l)


@counts("alg-icl", n=300, l=8)
def incomplete_cholesky(n, l):
    return asked(sampling.incomplete_cholesky, n, l), work(_pivots, n, l)


@counts("alg-rpcholesky", n=300, l=8)
def randomly_pivoted(n, l):
    rng = np.random.default_rng(0)
    entries = asked(sampling.rp_cholesky, n, l, rng, method="simple")
    return entries, work(_pivots, n, l)


@counts("alg-accelerated", n=4000, l=16)
def accelerated(n, l):
    rng = np.random.default_rng(0)
    return asked(sampling.rp_cholesky, n, l, rng, block=4), work(_pivots, n, l)


@counts("alg-kmeans", n=300, l=8, d=4)
def centroids(n, l, d):
    def one():
        X, Z = array(n, d), array(l, d)
        return ((X[:, None] - Z) ** 2).sum(axis=2)

    K = points(n, d)
    C, W = K.columns_of(np.random.default_rng(1).standard_normal((l, d)))
    return work(one), C.size + W.size


@counts("alg-trace-certificate", n=400, l=8)
def trace_certificate(n, l):
    K = points(n)
    near = lowrank.nystrom(K, range(l))
    before = K.entries_asked
    certificates.trace_certificate(K, near)
    entries = K.entries_asked - before
    return entries, work(lambda: array(n) - (array(n, l) ** 2).sum(axis=1))


def _left_out(n, l):
    """What the others leave of each column, and its squares."""
    inverse = np.linalg.inv(symmetric(l))
    left = array(n, l) @ inverse / np.diag(inverse)
    return (left**2).sum()


@counts("alg-leave-one-out-columns", n=400, l=8)
def leave_one_out_columns(n, l):
    entries = asked(certificates.leave_one_out_frobenius, n, range(l))
    return entries, work(_left_out, n, l)


@counts("alg-leave-one-out", l=8)
def leave_one_out(l):
    entries = asked(certificates.leave_one_out_trace, 400, range(l))
    return entries, work(np.linalg.inv, symmetric(l))


@counts("alg-certain-search", n=400, l=8)
def certain_search(n, l):
    return [work(_factor, n, l)]


@counts("alg-leave-one-out-sketch", n=400, l=8)
@counts("alg-xnystrace", n=400, l=8)
def others_of_a_sketch(n, l):
    return [work(_left_out, n, l)]


@counts("alg-recursive", n=400, l=8)
def recursive(n, l):
    def level():
        C = array(n, l)
        return (C * np.linalg.solve(symmetric(l), C.T).T).sum(axis=1)

    return [work(level)]


@counts("alg-kernel-selection", n=400, l=16, k=4)
def kernel_selection(n, l, k):
    return asked(lowrank.nystrom, n, range(l), k), work(_factor, n, l, k)


@counts("alg-criterion-driven", n=400, l=8)
def criterion_driven(n, l):
    return [work(lambda: (array(n, l) - array(n, l) @ symmetric(l)) ** 2)]


@counts("alg-leverage-scores", n=60, k=2)
def leverage_scores(n, k):
    entries = asked(coherence.of_matrix, n, 2)
    one_round = work(lambda: array(n, n) @ array(n, k))
    return entries, work(np.linalg.eigh, symmetric(n)), one_round


@counts("alg-scores-from-columns", n=300, l=8)
def scores_from_columns(n, l):
    K = points(n)
    near = lowrank.nystrom(K, range(l))
    coherence.approximate_leverage_scores(K, near, 1)
    thin = work(lambda: np.linalg.svd(array(n, l), full_matrices=False))
    return K.entries_asked, thin


@counts("alg-ensemble", n=200, p=2, l=4, s=4, s_prime=4)
def mixture(n, p, l, s, s_prime):
    samples = np.arange(p * l).reshape(p, l).tolist()
    more = [
        _of_weights(n, samples, weights, s, s_prime) for weights in ("optimal", "ridge")
    ]
    entries = asked(ensemble.experts, n, samples)
    return entries, *more, p * work(_factor, n, l)


def _of_weights(n, samples, weights, s, s_prime):
    """The entries that weights ask for, beside those of the experts."""
    K = points(n)
    experts = ensemble.experts(K, samples)
    before = K.entries_asked
    ensemble.combine(
        K, experts, np.random.default_rng(0), weights, n_validation=s, n_holdout=s_prime
    )
    return K.entries_asked - before


@counts("alg-mixture-weights", n=200, p=4, k=4, s=4, s_prime=4)
def mixture_weights(n, p, k, s, s_prime):
    def products():
        columns = [array(n, k) @ array(k, s + s_prime) for _ in range(p)]
        for one in columns:
            for other in columns:
                one.ravel() @ other.ravel()

    samples = np.arange(p * k).reshape(p, k).tolist()
    return (
        _of_weights(n, samples, "ridge", s, s_prime),
        work(products),
        work(np.linalg.inv, symmetric(p)),
        work(lambda: array(p) @ (symmetric(p) @ array(p))),
    )


@counts("alg-fixed-law", n=60, l=4)
def fixed_law(n, l):
    def drawn():
        left = array(n) ** 2
        for _ in range(l):
            left / left.sum()

    rng = np.random.default_rng(0)
    return (
        asked(sampling.diagonal, n, l, rng),
        asked(sampling.column_norm, n, l, rng),
        work(lambda: (array(n, n) ** 2).sum(axis=0)),
        work(np.linalg.eigh, symmetric(n)),
        work(np.linalg.inv, symmetric(n)),
        work(drawn),
    )


@counts("alg-k-dpp", n=60, l=4)
def volumes(n, l):
    rng = np.random.default_rng(0)
    return (
        asked(sampling.k_dpp, n, l, rng),
        work(np.linalg.eigh, symmetric(n)),
        work(_pivots, n, l),
    )


@counts("alg-components", n=400, l=8)
def components(n, l):
    return [work(lambda: np.linalg.svd(array(n, l), full_matrices=False))]


@counts("alg-nystrom-pegasos", n=400, l=32)
def pegasos(n, l):
    def one():
        w, x = array(l), array(l)
        # The factor 1 - 1/t is kept aside, so that a step adds a multiple.
        assert w @ x != 1
        w + 2.0 * x

    entries = asked(lowrank.nystrom, n, range(l))
    features = work(lambda: array(n, l) @ array(l, l))
    return entries, features, work(one), n * work(one)


def _step(K, *factors):
    """A product with a matrix, and with the factors of a preconditioner."""
    x = array(K.shape[1])
    for M in (K, *factors):
        x = M @ x


@counts("alg-falkon", n=4000, l=8)
def falkon(n, l):
    C = array(n, l)
    return [work(_step, C, C.T)]


@counts("alg-isomap", n=60, d=8, t=4, k=2)
def isomap(n, d, t, k):
    def pairs():
        X = array(n, d)
        for x in X:
            ((X - x) ** 2).sum(axis=1)

    one_round = work(lambda: array(n, n) @ array(n, k))
    return work(pairs), n * _paths(n, t), one_round


def _paths(n, t):
    """Dijkstra's algorithm from one point: its links, and a heap of those in reach.

    In a heap of Fibonacci only taking the nearest costs a logarithm.
    """
    rng = np.random.default_rng(0)
    links = [[(i + 1) % n, *rng.integers(0, n, t - 1)] for i in range(n)]
    known, heap, done = {}, [(0.0, 0)], 0.0
    while heap:
        far, i = heapq.heappop(heap)
        if i in known:
            continue
        done += math.log(len(heap) + 1)
        known[i] = far
        for j in links[i]:
            done += 1
            if j not in known:
                heapq.heappush(heap, (far + rng.random(), int(j)))
    return done


@counts("alg-landmark-mds", n=400, l=16, k=4, t=4)
def landmark_mds(n, l, k, t):
    def one():
        _, U = np.linalg.eigh(symmetric(l))
        return array(n, l) @ U[:, -k:]

    return work(one), l * _paths(n, t)


@counts("alg-newton-columns", n=800, N=40, l=8)
def newton(n, N, l):
    def one():
        X, w, s = array(N, n), array(N), array(n)
        X @ (s - X.T @ w)
        C = X @ (array(n, 1) * X[:l].T)
        gram(C)
        # A root of the core divides the columns.
        triangular(symmetric(l), C)

    def whole():
        gram(array(n, N))
        np.linalg.cholesky(symmetric(N))

    return work(one), work(whole)


@counts("alg-projection", n=200, l=16, k=4)
def projection(n, l, k):
    K = points(n)
    lowrank.column_sampling(K, range(l), k).matrix_projection(K)
    thin = work(lambda: np.linalg.svd(array(n, l), full_matrices=False))
    return K.entries_asked, thin, work(lambda: array(n, n) @ array(n, k))


@counts("alg-optimal", n=200, l=16, k=4)
def optimal(n, l, k):
    def one():
        Q = np.linalg.qr(_factor(n, l, k))[0]
        return Q.T @ (array(n, n) @ Q)

    return asked(lowrank.optimal_reconstruction, n, range(l), k), work(one)


@counts("alg-random-subspace", n=500, m=8)
def random_subspace(n, m):
    Z = array(n, m)
    return (
        asked(lowrank.nystrom, n, range(m)),
        work(lambda: Z @ array(m, m)),
        work(np.linalg.eigh, symmetric(m)),
        work(_step, Z, Z.T),
        # A product with K for the values, and one for their slopes.
        2 * work(_step, symmetric(n)),
    )


@counts("alg-preconditioner", n=2000, l=8)
def preconditioner(n, l):
    F = array(n, l)
    thin = work(lambda: np.linalg.svd(F, full_matrices=False))
    return thin, work(_step, F.T, F)


@counts("alg-gaussian-sketch", n=200, l=8)
def gaussian_sketch(n, l):
    return (
        work(lambda: array(n, n) @ array(n, l)),
        work(lambda: array(l, n) @ array(n, l)),
    )


@counts("alg-woodbury", n=2000, l=8)
def woodbury(n, l):
    def once():
        gram(triangular(symmetric(l), array(n, l)))

    F = array(n, l)
    entries, whole = asked(lowrank.nystrom, n, range(l)), symmetric(n)
    each = work(_step, F.T, F)
    return entries, work(once), each, work(np.linalg.cholesky, whole)


@counts("alg-preconditioned", n=400, l=16)
def preconditioned(n, l):
    def once():
        _pivots(n, l)
        gram(array(n, l))

    F = array(n, l)
    return work(once), work(_step, symmetric(n), F.T, F)


@counts("alg-moved-at-most", n=200)
def moved(n):
    return [work(_step, symmetric(n))]


@counts("alg-two-features", n=400, l=32, m=16, d=8)
def two_features(n, l, m, d):
    return (
        work(lambda: array(n, d) @ array(d, l)),
        work(lambda: array(n, l) @ array(l, l)),
        work(lambda: array(n, d) @ array(d, m)),
    )


@counts("alg-kinds-of-waves", n=400, d=16, D=32, m=64)
def kinds_of_waves(n, d, D, m):
    def right_angles():
        for _ in range(m // d):
            np.linalg.qr(array(d, d))

    pairs, phases = (work(lambda D=D: array(n, d) @ array(d, D)) for D in (D // 2, D))
    return pairs, phases, work(right_angles)


@counts("alg-binning", n=400, P=8, d=4)
def binning(n, P, d):
    def bins():
        for _ in range(P):
            np.floor((array(n, d) - array(d)) / array(d))

    return [work(bins)]


@counts("alg-cross-validated", n=400, p=8)
def cross_validated(n, p):
    return work(gram, array(n, p)), work(np.linalg.cholesky, symmetric(p))
