"""Instances on which rounding passes an end, unless an allowance is made for it.

Each case asks, in fractions or in integers, whether something passes an end that is
told.  `CROSSED` has the allowances without which something does.  A search of some
hundred small matrices found no such instance for the others, each for a reason:

- what is missed is allowed for beside the rounding of numbers of its size (*missed*,
  *missed by an estimate*, *a ratio*, *after pivots*, *after blocks*, *the stable rank*,
  *the best of rank k*, *trace of a problem*);
- an angle is allowed the root of what a gap is (*a gap*, *two ends*), and that of the
  largest score is never near 90 degrees (*an angle of an estimate*);
- the numbers beside have n times as much (*a Frobenius norm*, *a sum of a row*, *the
  dimension of a diagonal*, *an envelope*, *a slope*), or are squares (*v*, *w beside
  v*), or a bound on a chance (*a wave*);
- what one entry shows others may hide (*entries below zero*);
- LAPACK and sums lose less than the worst case, which the docstrings prove
  (*connected*, *a factorisation*, *F'F*, *forms*, *a column*, *an energy*, both of *a
  determinant*).
"""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
from selection_cases import case, exact, holds
from test_rounding import near_pairs

from nystheory import certificates, coherence, ensemble, guarantees, kernels, lowrank
from nystheory.features import RandomFourierFeatures
from nystheory.guarantees import _change
from nystheory.guarantees._ends import ENDS
from nystheory.learners import Preconditioner, _margins
from nystheory.selection import enclosure


def exactly(A):
    """A matrix or a vector in fractions."""
    return np.vectorize(Fraction, otypes=[object])(np.asarray(A, dtype=float))


def at_most(E, end):
    """Whether no eigenvalue of a symmetric E is above an end: by elimination."""
    A = Fraction(end) * np.eye(len(E), dtype=int).astype(object) - E
    while len(A):
        i = max(range(len(A)), key=lambda j: A[j, j])
        if A[i, i] <= 0:
            return not A.any()
        rest = [j for j in range(len(A)) if j != i]
        A = A[np.ix_(rest, rest)] - np.outer(A[rest, i], A[i, rest]) / A[i, i]
    return True


def error(K, near):
    F = exactly(near.factor)
    return exactly(K) - F @ F.T


def integers(seed, rank=1):
    """A Gram matrix of small integers, and landmarks that explain all of it."""
    X = np.random.default_rng(seed).integers(1, 9, (5, rank)).astype(float)
    return X @ X.T, list(range(rank))


def ranks_of_one():
    """Of integers whose roots are none."""
    for seed in range(30):
        K, S = integers(seed)
        yield 3 * K, lowrank.nystrom(3 * K, S)


def norm_of_the_error():
    """Of rank one: nothing is left on the diagonal, and something beside it."""
    for K, near in ranks_of_one():
        told = certificates.trace_certificate(K, near)
        if not at_most(error(K, near), told.value + told.error):
            return True
    return False


def entry_of_the_error():
    for K, near in ranks_of_one():
        told = certificates.entry_certificate(K, near)
        if np.abs(error(K, near)).max() > Fraction(told.value + told.error):
            return True
    return False


def lifted_by_a_small_pivot():
    for seed in range(60):
        K, S = near_pairs(seed, "integers")
        near = lowrank.nystrom(K, S)
        F = near.factor.astype(np.float64)
        above = np.linalg.eigvalsh(F @ F.T - K.dense())[-1]
        if above > certificates.trace_certificate(K, near).error:
            return True
    return False


def condition():
    """The largest eigenvalue of ``K + r I`` against ``K~ + r I``; the least is 1."""
    ridge = 1e-13
    for K, near in ranks_of_one():
        told = Fraction(Preconditioner(near, ridge * K.max()).condition(K))
        r = Fraction(ridge * K.max()) * np.eye(len(K), dtype=int).astype(object)
        E = error(K, near)
        if not at_most(E - (told - 1) * (exactly(K) - E + r), 0):
            return True
    return False


def inverse(A):
    """In fractions, by Gauss and Jordan; A is positive definite."""
    n = len(A)
    M = np.hstack([A, np.eye(n, dtype=int).astype(object) * Fraction(1)])
    for i in range(n):
        M[i] = M[i] / M[i, i]
        for j in range(n):
            if j != i:
                M[j] = M[j] - M[j, i] * M[i]
    return M[:, n:]


def scores(K, alpha):
    n = len(K)
    one = np.eye(n, dtype=int).astype(object) * Fraction(1)
    return np.diag(one - Fraction(alpha) * inverse(exactly(K) + Fraction(alpha) * one))


def passed(found, true):
    """Whether a true value is outside of two ends."""
    low, high = exactly(np.ravel(found.low)), exactly(np.ravel(found.high))
    return bool(((low > true) | (true > high)).any())


def ridge_scores():
    for seed in range(20):
        K, S = integers(seed, 2)
        found = coherence.approximate_ridge_scores(K, lowrank.nystrom(K, S), 0.5)
        if passed(found, scores(K, 0.5)):
            return True
    return False


def dimension():
    for seed in range(20):
        K, S = integers(seed, 2)
        near = lowrank.nystrom(K, S)
        found = coherence.approximate_effective_dimension(K, near, 0.5)
        if passed(found, scores(K, 0.5).sum()):
            return True
    return False


def rank_that_is_none():
    """Rank one from two experts: there is no second eigenvalue, but for rounding."""
    for seed in range(20):
        K, _ = integers(seed)
        experts = [lowrank.nystrom(K, [j]) for j in range(3)]
        near = ensemble.Ensemble(experts, [0.5, 0.25, 0.25])
        if coherence.approximate_stable_rank(K, near, 1).low > 0:
            return True
    return False


def scores_of_rank_one():
    """The leading eigenvector is known: a score is a quotient of integers."""
    for K, near in ranks_of_one():
        found = coherence.approximate_leverage_scores(K, near, 1)
        true = exactly(np.diag(K)) / Fraction(np.trace(K))
        if passed(found, true):
            return True
    return False


def turned(tilt, missed, way):
    """A leading eigenvector this far from an axis, and turned by all that is possible.

    The column of K~ is seen at one point beside.  What is missed has one direction, and
    turns the eigenvector by half the arc sine of its trace, the gap being 1.
    """
    f = np.array([1e-9, np.cos(tilt), np.sin(tilt)])
    at = tilt + way * np.arccos(-missed) / 2
    v = np.sqrt(missed) * np.array([0.0, np.cos(at), np.sin(at)])
    K = kernels.DenseKernel(np.outer(f, f) + np.outer(v, v))
    return K, lowrank.nystrom(K, [0]), np.linalg.eigh(K.dense())[1][1, -1] ** 2


def angle_that_adds_up():
    """So near to the axis that the score is 1; the other side is far above rounding."""
    for tilt in (1e-8, 7e-9, 5e-9):
        K, near, true = turned(tilt, 0.2, 1)
        if coherence.approximate_leverage_scores(K, near, 1).low[1] > true + 1e-10:
            return True
    return False


AT = SimpleNamespace(k=np.array([1]), l=2, alpha=0.5)


def ends_of(name, true, rank=1):
    """Whether a true value, a function of K, passes the ends of an estimate."""

    def passes():
        for seed in range(30):
            K, S = integers(seed, rank)
            matrix = guarantees.estimate(K, lowrank.nystrom(K, S)).matrix
            ends = map(np.max, ENDS[name](matrix, AT))
            low, high = (Fraction(float(end)) for end in ends)
            if not low <= true(K) <= high:
                return True
        return False

    return passes


def squared_distance():
    """The root of an integer is above it, or below."""
    for seed in range(20):
        K, S = integers(seed, 2)
        matrix = guarantees.estimate(K, lowrank.nystrom(K, S)).matrix
        d = np.diag(K)
        true = Fraction((d[:, None] + d - 2 * K).max())
        if Fraction(float(ENDS["d_max"](matrix, AT)[0])) ** 2 > true:
            return True
    return False


def all_eigenvalues():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.integers(-9, 10, (4, 4)) * 2.0 ** -np.array([0, 8, 16, 20])
        K, alpha = X @ X.T, 2.0**-36
        found = guarantees.effective_dimension(kernels.DenseKernel(K), alpha)
        if passed(found, scores(K, alpha).sum()):
            return True
    return False


def norm_of_a_difference():
    for seed in range(20):
        D = np.random.default_rng(seed).integers(-9, 10, (4, 4)).astype(float)
        D = D @ D.T
        if not at_most(exactly(D), _change._norm_of(D)):
            return True
    return False


def gap_of_a_loss():
    """The least squares of small integers: the value that is told, and its gap."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        F = rng.integers(1, 9, (3, 2)).astype(float)
        y, ridge = np.sign(rng.standard_normal((3, 1))), 2.0
        problem = _margins.Problem(F, y, np.full(3, 0.25), ridge, "square")
        w = np.linalg.solve(F.T @ F / 4 + ridge * np.eye(2), F.T @ y / 4)
        value, gap, *_ = _margins.certified(problem, w, None)
        least = least_squares(exactly(F), exactly(y)[:, 0], Fraction(1, 4), 2)
        if Fraction(float(value[0])) > least + Fraction(float(gap[0])):
            return True
    return False


def least_squares(F, y, c, ridge):
    """The minimum, in fractions."""
    w = inverse(c * F.T @ F + ridge * np.eye(2, dtype=int)) @ (c * F.T @ y)
    return Fraction(ridge, 2) * (w @ w) + c / 2 * ((1 - y * (F @ w)) ** 2).sum()


def ends_of_a_criterion():
    for seed in range(12):
        K, y, ridge, weight, near = case(seed)
        told = exact(K, y, ridge, weight)["criterion"]
        found = enclosure(near, y, ridge, products=2, sample_weight=weight)
        if not holds(found, told):
            return True
    return False


def entry_of_features():
    """One pair of points: the largest entry is told to the last digit."""
    for seed in range(30):
        points = np.random.default_rng(seed).standard_normal((4, 3))
        made = RandomFourierFeatures(gamma=0.5, n_components=20, random_state=0)
        found = made.fit(points).error(points).largest
        Z = exactly(made.transform(points))
        z = points.astype(np.longdouble)
        k = np.exp(-((z[:, None] - z) ** 2).sum(axis=2) / 2)
        E = np.abs(k - (Z @ Z.T).astype(np.longdouble)).max()
        if abs(E - found.value) > found.error:
            return True
    return False


def left_out_of_what_others_explain():
    """Four points in a plane leave nothing of each other, but for rounding."""
    for seed in range(60):
        X = np.random.default_rng(seed).integers(-99, 100, (6, 2)).astype(float)
        found = certificates.leave_one_out_trace(X @ X.T, [0, 1, 2, 3])
        if found.value > found.floor:
            return True
    return False


NORM = ends_of("norm_K", lambda K: Fraction(np.trace(K)))
DIMENSION = ends_of("d_eff", lambda K: scores(K, 0.5).sum(), 2)
SCORE = ends_of("largest_score", lambda K: 5 * scores(K, 0.5).max(), 2)
COHERENCE = ends_of(
    "leading_coherence", lambda K: Fraction(5 * K.diagonal().max()) / int(np.trace(K))
)
# Allowances that are left out together, and the case where this shows.
CROSSED = {
    ("the trace",): norm_of_the_error,
    ("an entry",): entry_of_the_error,
    ("a small pivot",): lifted_by_a_small_pivot,
    ("the condition",): condition,
    ("ridge scores",): ridge_scores,
    ("the dimension",): dimension,
    ("an eigenvalue of zero",): rank_that_is_none,
    ("a quotient",): scores_of_rank_one,
    ("an angle",): angle_that_adds_up,
    ("an eigenvalue",): NORM,
    ("a sum of eigenvalues",): NORM,
    ("the dimension of an estimate",): DIMENSION,
    ("scores of an estimate",): SCORE,
    ("the least eigenvalue",): COHERENCE,
    ("a distance",): squared_distance,
    ("computed eigenvalues",): all_eigenvalues,
    ("the norm of a difference",): norm_of_a_difference,
    ("a margin", "the value"): gap_of_a_loss,
    ("a residual",): ends_of_a_criterion,
    ("a form of the solution",): ends_of_a_criterion,
    ("an entry of features",): entry_of_features,
    ("an entry left out",): left_out_of_what_others_explain,
}
