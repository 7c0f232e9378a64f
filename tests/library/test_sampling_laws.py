"""The law of every random scheme, against enumeration, with a wrong law to reject.

An ordered sample is one cell.  A scheme passes if no cell came too often or too
seldom, by exact binomials; the control, the law with the weights of every step raised
to a power, must be rejected on the same draws.
"""

import itertools
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nystheory import kernels, sampling
from nystheory.engine.trial.statistics import LEVEL, fits, spend

DRAWS = 6000

# Four different sizes, two points that nearly coincide, and a lonely one.
X = np.array([[2.0, 0, 0], [1.9, 0.3, 0], [0, 1.2, 0.5], [0, 0.5, 1], [0.3, 0, 0.9]])
K = kernels.linear(X)
DENSE = X @ X.T
RBF = kernels.rbf(X, gamma=0.4)
DENSE_RBF = np.exp(-0.4 * ((X[:, None] - X) ** 2).sum(axis=2))
N = len(X)


# ---- the statistic ----


def draws(scheme, matrix, n_landmarks, *, as_set=False, count=DRAWS, **options):
    """How often each ordered sample came (each set, as sorted tuples)."""
    rng = np.random.default_rng(20261121)
    found = Counter()
    for _ in range(count):
        chosen = scheme(matrix, n_landmarks, rng, **options).indices.tolist()
        found[tuple(sorted(chosen) if as_set else chosen)] += 1
    return found


def steps(next_share, count, power=1.0):
    """The ordered law when each step draws from shares given the ones before."""
    law = {(): 1.0}
    for _ in range(count):
        longer = {}
        for chosen, p in law.items():
            share = np.asarray(next_share(chosen), dtype=float) ** power
            share[list(chosen)] = 0
            for i in np.flatnonzero(share):
                longer[(*chosen, int(i))] = p * share[i] / share.sum()
        law = longer
    return law


def independent(p, count, power=1.0):
    p = np.asarray(p, dtype=float) ** power
    p /= p.sum()
    cells = itertools.product(range(len(p)), repeat=count)
    return {cell: float(np.prod(p[list(cell)])) for cell in cells}


def of_sets(weight, size, power=1.0):
    """Sets in proportion to a weight."""
    sets = list(itertools.combinations(range(N), size))
    weights = np.array([weight(list(s)) for s in sets]).clip(0) ** power
    return dict(zip(sets, weights / weights.sum(), strict=True))


def check(found, law, control):
    spend("law of a scheme", LEVEL)
    assert fits(found, law)
    assert not fits(found, control)


# ---- fixed distributions ----


def leverage_by_projector(rank):
    U = np.linalg.svd(X.T, full_matrices=False)[2][:rank].T
    return np.diag(U @ U.T)


FIXED = {
    "diagonal": (DENSE.diagonal(), {}),
    "column_norm": (np.sqrt((DENSE**2).sum(axis=0)), {}),
    "column_norm, squared": ((DENSE**2).sum(axis=0), {"squared": True}),
    "user": (np.arange(1, 6) / 15, {"probabilities": np.arange(1, 6) / 15}),
    "leverage": (leverage_by_projector(2), {"rank": 2}),
    "ridge_leverage": (
        np.diag(DENSE @ np.linalg.inv(DENSE + 0.7 * np.eye(N))),
        {"alpha": 0.7},
    ),
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("replace", [False, True])
def test_fixed_distributions(name, replace):
    scores, options = FIXED[name]
    scheme = sampling.SCHEMES[name.partition(",")[0]]
    found = draws(scheme, K, 2, replace=replace, **options)
    law = independent if replace else (lambda p, c, w=1: steps(lambda _: p, c, w))
    check(found, law(scores, 2), law(scores, 2, 2.0))


@pytest.mark.parametrize("replace", [False, True])
def test_uniform(replace):
    found = draws(sampling.uniform, K, 2, replace=replace, count=4 * DRAWS)
    alike, tilted = np.ones(N), np.array([1, 1, 1, 1, 1.25])
    if replace:
        check(found, independent(alike, 2), independent(tilted, 2))
    else:
        law = steps(lambda _: alike, 2)
        check(found, law, steps(lambda _: tilted, 2))


def test_weights_make_sums_right_in_the_mean():
    """The mean of sum_j w_j f(i_j) is the sum of f: exactly, by enumeration."""
    p = FIXED["diagonal"][0] / DENSE.trace()
    f = np.array([3.0, -1, 4, 1, 5])
    law = independent(p, 2)
    mean = sum(q * sum(f[i] / (2 * p[i]) for i in cell) for cell, q in law.items())
    assert mean == pytest.approx(f.sum(), rel=1e-12)
    drawn = sampling.diagonal(K, 4, np.random.default_rng(0), replace=True)
    assert np.allclose(drawn.weights, 1 / (4 * p[drawn.indices]))


# ---- adaptive schemes ----


def full_shares(chosen):
    if not chosen:
        return np.ones(N)
    C = DENSE_RBF[:, list(chosen)]
    return ((DENSE_RBF - C @ np.linalg.pinv(C) @ DENSE_RBF) ** 2).sum(axis=0)


def partial_shares(chosen):
    if not chosen:
        return np.ones(N)
    C = DENSE_RBF[:, list(chosen)]
    values, vectors = np.linalg.eigh(C[list(chosen)])
    k = len(chosen) // 2
    top = vectors[:, len(chosen) - k :]
    inverse = (top / values[len(chosen) - k :]) @ top.T
    return ((C - C @ inverse @ C[list(chosen)]) ** 2).sum(axis=1)


@pytest.mark.parametrize(
    ("scheme", "shares"),
    [
        (sampling.adaptive_full, full_shares),
        (sampling.adaptive_partial, partial_shares),
    ],
)
def test_adaptive_schemes(scheme, shares):
    """Squared lengths; the control takes the lengths themselves."""
    found = draws(scheme, RBF, 3, batch=1)
    check(found, steps(shares, 3), steps(shares, 3, 0.5))


@pytest.mark.parametrize(
    ("scheme", "shares"),
    [
        (sampling.adaptive_full, full_shares),
        (sampling.adaptive_partial, partial_shares),
    ],
)
def test_adaptive_batches_are_drawn_one_by_one_from_one_distribution(scheme, shares):
    found = draws(scheme, RBF, 4, batch=2)
    law, control = (
        steps(lambda c: shares(c[: len(c) // 2 * 2]), 4),
        steps(shares, 4),
    )
    check(found, law, control)


# Targets of criterion-driven sampling; of two classes, four points and one.
NUMBERS = np.array([0.1, -2.0, 0.5, 1.5, -3.0])
CLASSES = np.array([1.0, -1.0, 1.0, 1.0, 1.0])
ONE_OVER_SIZE = np.array([0.25, 1.0, 0.25, 0.25, 0.25])


def driven_shares(chosen, rows, columns):
    """Squared row errors on the sampled columns, times targets of rows and columns."""
    if not chosen:
        return np.ones(N)
    own = list(chosen)
    C = DENSE_RBF[:, own]
    values, vectors = np.linalg.eigh(C[own])
    k = len(own) // 2
    top = vectors[:, len(own) - k :]
    inverse = (top / values[len(own) - k :]) @ top.T
    error = np.outer(rows, columns) * (C - C @ inverse @ C[own])
    return (error**2).sum(axis=1)


@pytest.mark.parametrize(
    ("y", "weights", "wrong"),
    [
        (NUMBERS, NUMBERS, np.ones(N)),  # the control: as if there were no targets
        (CLASSES, ONE_OVER_SIZE, CLASSES),  # as if labels were not normalised
        (3 + 2 * CLASSES, ONE_OVER_SIZE, 3 + 2 * CLASSES),  # classes of other names
    ],
    ids=["numbers", "classes", "other names"],
)
def test_criterion_driven(y, weights, wrong):
    found = draws(sampling.criterion_driven, RBF, 3, batch=1, y=y)
    law, control = (
        steps(lambda c, w=w: driven_shares(c, w, w[list(c)]), 3)
        for w in (weights, wrong)
    )
    check(found, law, control)


def test_criterion_driven_weighs_sampled_columns_by_their_own_targets():
    """The control has the targets of the first columns in their place, as printed."""

    def shares(chosen, columns):
        first = len(chosen) < 3  # one batch
        return np.ones(N) if first else driven_shares(chosen, NUMBERS, columns)

    found = draws(sampling.criterion_driven, RBF, 4, batch=3, y=NUMBERS)
    law = steps(lambda c: shares(c, NUMBERS[list(c)]), 4)
    check(found, law, steps(lambda c: shares(c, NUMBERS[: len(c)]), 4))


def test_sgma():
    """The best of two candidates, all pairs alike."""

    def shares(chosen):
        C = DENSE_RBF[:, list(chosen)]
        rest = DENSE_RBF.copy()
        if chosen:
            rest -= C @ np.linalg.pinv(C[list(chosen)]) @ C.T
        left = [i for i in range(N) if i not in chosen]
        gain = {i: (rest[:, i] ** 2).sum() / rest[i, i] for i in left}
        wins = np.zeros(N)
        for pair in itertools.combinations(left, 2):
            wins[max(pair, key=gain.get)] += 1
        return wins

    found = draws(sampling.sgma, RBF, 3, candidates=2)
    check(found, steps(shares, 3), steps(shares, 3, 1.3))


# ---- determinantal schemes ----


def det(matrix):
    return lambda s: np.linalg.det(matrix[np.ix_(s, s)])


def test_k_dpp():
    found = draws(sampling.k_dpp, RBF, 2, as_set=True, count=3 * DRAWS)
    check(found, of_sets(det(DENSE_RBF), 2), of_sets(det(DENSE_RBF), 2, 1.3))


def test_volume():
    """Columns of K, not points: a law of its own."""
    found = draws(sampling.volume, RBF, 2, as_set=True)
    check(found, of_sets(det(DENSE_RBF @ DENSE_RBF), 2), of_sets(det(DENSE_RBF), 2))


def test_dpp():
    def law(power):
        sets = itertools.chain.from_iterable(
            itertools.combinations(range(N), size) for size in range(N + 1)
        )
        weights = {s: max(0.0, det(DENSE_RBF / 0.6)(list(s))) ** power for s in sets}
        total = sum(weights.values())
        return {s: weight / total for s, weight in weights.items()}

    found = draws(sampling.dpp, RBF, None, as_set=True, alpha=0.6)
    check(found, law(1), law(1.3))


def test_dppy_agrees():
    """Another library draws by the law of `k_dpp`, and not by that of `volume`."""
    finite_dpps = pytest.importorskip("dppy.finite_dpps")
    theirs = finite_dpps.FiniteDPP("likelihood", L=DENSE_RBF)
    state, count = np.random.RandomState(0), 3000
    other = Counter(
        tuple(sorted(theirs.sample_exact_k_dpp(size=2, random_state=state)))
        for _ in range(count)
    )
    check(other, of_sets(det(DENSE_RBF), 2), of_sets(det(DENSE_RBF @ DENSE_RBF), 2))


# ---- randomly pivoted Cholesky ----


def pivot_shares(chosen):
    """The diagonal of what the pivots leave."""
    if not chosen:
        return DENSE.diagonal()
    C = DENSE[:, list(chosen)]
    inverse = np.linalg.pinv(C[list(chosen)], rcond=1e-9)
    return (DENSE - C @ inverse @ C.T).diagonal().clip(0)


@pytest.mark.parametrize("method", ["simple", "accelerated"])
def test_randomly_pivoted_cholesky(method):
    """Simple and accelerated have one law; the control squares the weights."""
    options = {"block": 3} if method == "accelerated" else {}
    found = draws(sampling.rp_cholesky, K, 3, method=method, **options)
    check(found, steps(pivot_shares, 3), steps(pivot_shares, 3, 1.3))


def test_block_pivots_have_another_law():
    """Pairs from one distribution, copies dropped; the simple law is the control."""

    def add(law, chosen, p, missing):
        """Distribute p over what a block of `missing` proposals adds to `chosen`."""
        share = pivot_shares(chosen)
        share = np.where(share > 1e-9, share, 0) / share[share > 1e-9].sum()
        for block in itertools.product(np.flatnonzero(share), repeat=min(2, missing)):
            new = chosen
            for i in dict.fromkeys(int(i) for i in block):
                if pivot_shares(new)[i] > 1e-9:
                    new = (*new, i)
            q = p * float(np.prod(share[list(block)]))
            if len(new) == 3:
                law[new] += q
            else:
                add(law, new, q, 3 - len(new))

    law = defaultdict(float)
    add(law, (), 1.0, 3)
    found = draws(sampling.rp_cholesky, K, 3, method="block", block=2)
    check(found, law, steps(pivot_shares, 3))


# ---- estimated leverage scores ----


def estimated(points, chosen, weights, ridge):
    """Scores of the points from a weighted sample, by an explicit inverse."""
    J = list(chosen)
    core = DENSE[np.ix_(J, J)] + np.diag(ridge / np.asarray(weights))
    B = DENSE[np.ix_(list(points), J)]
    explained = np.diag(B @ np.linalg.inv(core) @ B.T)
    return (DENSE.diagonal()[list(points)] - explained) / ridge


@cache
def tail(chosen, weights, n_landmarks):
    root = np.sqrt(weights)
    J = list(chosen)
    values = np.linalg.eigvalsh(root[:, None] * DENSE[np.ix_(J, J)] * root)[::-1]
    k = max(1, int(n_landmarks / (4 * max(1, np.log(n_landmarks)))))
    floor = 4 * N * np.finfo(float).eps * DENSE.diagonal().max() * len(J)
    return max(values.clip(0)[k:].sum() / k, floor)


def recursive_law(power):
    """Five points, halves of 3 and 2: every order and every choice on the way."""
    law = defaultdict(float)
    for order in itertools.permutations(range(N)):
        level, base = order[:3], order[:2]
        scores = estimated(level, base, (1.0, 1.0), tail(base, (1.0, 1.0), 2))
        p = shares_of_sum(scores, 2)
        for kept in itertools.product((False, True), repeat=3):
            chance = np.prod(np.where(kept, p, 1 - p)) / 120
            chosen, weights = base, (1.0, 1.0)
            if any(kept):
                chosen = tuple(i for i, k in zip(level, kept, strict=True) if k)
                weights = tuple(1 / q for q, k in zip(p, kept, strict=True) if k)
            if chance == 0:
                continue
            ridge = tail(chosen, weights, 2)
            last = estimated(range(N), chosen, weights, ridge).clip(0)
            for cell, q in steps(lambda _, s=last: s, 2, power).items():
                law[cell] += chance * q
    return law


def shares_of_sum(scores, total):
    """min(1, c score) of the given sum, by bisection."""
    scores = scores.clip(0)
    if np.count_nonzero(scores) <= total:
        return (scores > 0).astype(float)
    low, high = 0.0, 1e6 / scores[scores > 0].min()
    for _ in range(200):
        c = (low + high) / 2
        low, high = (c, high) if np.minimum(1, c * scores).sum() < total else (low, c)
    return np.minimum(1, c * scores)


def test_recursive_rls():
    found = draws(sampling.recursive_rls, K, 2)
    check(found, recursive_law(1.0), recursive_law(2.0))


def bless_law(power):
    """Two levels, one point looked at, then three: every outcome."""
    top = N * DENSE.diagonal().max()
    law = defaultdict(float)
    first = DENSE.diagonal() / (top / 2)
    for i in range(N):
        kept = min(2, int(np.ceil(1.5 * N * first[i])))
        chosen, weights = (i,) * kept, (N / kept,) * kept
        for seen in itertools.product(range(N), repeat=2):
            scores = estimated(seen, chosen, weights, top / 4)
            for cell, q in independent(scores, 2, power).items():
                law[tuple(seen[t] for t in cell)] += q / N / N**2
    return law


def test_bless():
    top = N * DENSE.diagonal().max()
    options = {"alpha": top / 4, "oversampling": (0.5, 1.5)}
    found = draws(sampling.bless, K, 2, **options)
    check(found, bless_law(1.0), bless_law(0.0))


# ---- the test itself ----


def test_every_random_scheme_has_its_law_tested():
    """A scheme that is added without a test of its law fails here."""
    text = Path(__file__).read_text("utf-8")
    deterministic = {"incomplete_cholesky", "farthest_point"}
    clustered = {"kmeans"}  # scikit-learn's law
    for name in set(sampling.SCHEMES) - deterministic - clustered:
        assert f"sampling.{name}" in text or name in FIXED, name
