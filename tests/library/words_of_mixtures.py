"""What docstrings of mixtures say in words, and whether it is true."""

import itertools
from unittest import mock

import numpy as np
from words_of_docstrings import NORMS, cases, holds, says

from nystheory import ensemble, kernels
from nystheory.ensemble import _validation

SAMPLES = [[0, 1, 2], [3, 4], [2, 5, 6]]
K = cases()[5][0]
EXPERTS = ensemble.experts(K, SAMPLES)
MATRICES = [x.spectral_reconstruction() for x in EXPERTS]
V, HELD = [4, 6, 7], [1, 3]
SEEN, OUT = (ensemble.validate(K, EXPERTS, some) for some in (V, HELD))


def mixture(mu, matrices=MATRICES):
    return sum(m * A for m, A in zip(mu, matrices, strict=True))


def simplex(count=60):
    return np.random.default_rng(0).dirichlet(np.ones(3), count)


@says(
    "ensemble.Ensemble.error",
    "The [trace] norm costs n m and the diagonal where all weights are [at least]"
    " 0 and sum to [at most] 1, for then the mixture is [below] K",
    "Frobenius", "at most", "at least", "above",
)
def below(norm, each, together, side):
    """So many entries are asked for the norm with such weights."""
    sign = 1 if each == "at least" else -1
    weights = sign * np.array([0.2, 0.3, 0.2]) * (1 if together == "at most" else 3)
    A = kernels.DenseKernel(K)
    before = A.entries_asked
    ensemble.Ensemble(EXPERTS, weights).error(A, norm.lower())
    few = A.entries_asked - before == 8
    least = min(
        np.linalg.eigvalsh((K - mixture(mu)) * (1 if side == "below" else -1))[0]
        for mu in simplex()
    )
    return few and least > -1e-9


@says("ensemble.Ensemble.error", "n^2 m operations in blocks for the [Frobenius] norm")
def norms_of_mixture(norm):
    made, mu = ensemble.Ensemble(EXPERTS, [0.5, 0.2, 0.3]), [0.5, 0.2, 0.3]
    return np.isclose(made.error(K, "frobenius"), NORMS[norm](K - mixture(mu)))


@says(
    "ensemble.Ensemble.truncated",
    "With weights that are [not] negative, as in figure 4.7 of",
    "all",
)
@says(
    "ensemble.Ensemble.truncated",
    "The best positive semidefinite approximation of the mixture of rank [k]",
    "2 k",
)
def truncated(word):
    mu = np.array([0.5, 0.2, 0.9])
    mu = -mu if word == "all" else mu
    A = mixture(mu)
    s, U = np.linalg.eigh(A)
    order = np.argsort(-abs(s))[:2]  # the best of rank 2, of either sign
    best = U[:, order] * s[order] @ U[:, order].T
    try:
        made = ensemble.Ensemble(EXPERTS, mu).truncated(2)
    except ValueError:
        return False
    rank = {"2 k": 4}.get(word, 2)
    return made.rank == rank and np.allclose(made.spectral_reconstruction(), best)


@says(
    "ensemble.Ensemble.transform",
    "side by side, each times the [root] of its weight",
    "square",
)
def features_of_mixture(word):
    X = np.random.default_rng(1).standard_normal((8, 2))
    A = kernels.rbf(X, 0.4)
    experts = ensemble.experts(A, SAMPLES)
    mu = np.array([0.5, 0.2, 0.3])
    made = ensemble.Ensemble(experts, mu).transform(X[:3])
    power = {"root": 0.5, "square": 2}[word]
    parts = [m**power * e.transform(X[:3]) for m, e in zip(mu, experts, strict=True)]
    return np.allclose(made, np.hstack(parts))


@says("ensemble.best_learner", "The [first] one where several tie", "last")
def first_of_ties(word):
    A = np.diag([1.0, 1, 0.5])
    experts = ensemble.experts(A, [[0], [1], [2]])
    return ensemble.best_learner(A, experts) is experts[{"first": 0, "last": 1}[word]]


# ---- Weights


@says(
    "ensemble.choose_weights",
    "is that on the columns [`seen`], in the [Frobenius] norm",
    "`held_out`", "spectral",
)
def errors_of_experts(which, norm):
    some = V if which == "`seen`" else HELD
    errors = [NORMS[norm]((K - A)[:, some]) for A in MATRICES]
    weights, eta = ensemble.choose_weights("exponential", SEEN, OUT)
    return np.allclose(weights, ensemble.exponential_weights(errors, eta))


@says(
    "ensemble.choose_weights",
    "``[2^-4 .. 2^6]`` over the mean of the errors above the [smallest] one for "
    "eta",
    "2^-4 .. 2^9", "largest",
)
def etas(grid, end):
    from nystheory.ensemble import _weights

    powers = {"2^-4 .. 2^6": range(-4, 7), "2^-4 .. 2^9": range(-4, 10)}[grid]
    excess = np.mean(SEEN.errors - {"smallest": min, "largest": max}[end](SEEN.errors))
    eta = ensemble.choose_weights("exponential", SEEN, OUT)[1]
    same = np.array_equal(_weights.ETAS, 2.0 ** np.array([*powers]))
    return same and np.isclose(_weights.ETAS / excess, eta).any()


@says(
    "ensemble.choose_weights",
    "``[10^-12, 10^-11.5 .. 1]`` times ``trace(G) [/ p]`` for the ridge",
    "10^-12, 10^-11 .. 1", "* p",
)
def ridges(grid, by):
    from nystheory.ensemble import _weights

    step = {"10^-12, 10^-11.5 .. 1": 0.5, "10^-12, 10^-11 .. 1": 1.0}[grid]
    powers = np.arange(-12, 0.1, step)
    G = ensemble.normal_equations(K, EXPERTS, V)[0]
    unit = G.trace() / 3 if by == "/ p" else G.trace() * 3
    ridge = ensemble.choose_weights("ridge", SEEN, OUT)[1]
    same = len(_weights.RIDGES) == len(powers) and np.allclose(
        _weights.RIDGES, 10.0**powers
    )
    return same and np.isclose(10.0**powers * unit, ridge).any()


@says("ensemble.choose_weights", "so that K and c K get the [same] weights", "other")
def of_multiples(word):
    told = []
    for c in (1.0, 37.0):
        made = ensemble.experts(c * K, SAMPLES)
        some = [ensemble.validate(c * K, made, x) for x in (V, HELD)]
        told.append([ensemble.choose_weights(m, *some)[0]
                     for m in ("ridge", "exponential", "nonnegative")])
    return np.allclose(*told, atol=1e-6) == (word == "same")


@says(
    "ensemble.choose_weights",
    "The [smallest] [Frobenius] error on the hold-out columns wins, the [first] "
    "one where several tie",
    "largest", "spectral", "last",
)
def winner(end, norm, which):
    from nystheory.ensemble import _weights

    G, g = ensemble.normal_equations(K, EXPERTS, V)
    told = []
    for p in range(3):
        grid = 10.0 ** np.arange(-12, 0.1, 0.5) * G.trace() / 3
        some = [ensemble.ridge_weights(G, g, r) for r in grid]
        held = [[1, 3], [0, 5, 6], [2, 7]][p]
        errors = [NORMS[norm]((K - mixture(mu))[:, held]) for mu in some]
        best = {"smallest": np.argmin, "largest": np.argmax}[end](errors)
        out = ensemble.validate(K, EXPERTS, held)
        ridge = ensemble.choose_weights("ridge", SEEN, out)[1]
        told.append(np.isclose(ridge, grid[best]))
    # All experts alike: all etas tie, and 2 columns are met exactly.
    same = [EXPERTS[0]] * 2
    seen, out = (ensemble.validate(K, same, x) for x in (V, HELD))
    with mock.patch.object(_weights, "RIDGES", np.array([1e-3, 1e-2, 1e-1])), \
            mock.patch.object(type(out), "error", lambda self, w: 1.0):
        ridge = ensemble.choose_weights("ridge", seen, out)[1]
    G = ensemble.normal_equations(K, same, V)[0]
    tie = {"first": 1e-3, "last": 1e-1}[which] * G.trace() / 2
    return all(told) and np.isclose(ridge, tie)


@says(
    "ensemble.exponential_weights",
    "``exp([-]eta error_r) / Z``, which sum to [one]",
    "+", "two",
)
def exponential(sign, total):
    errors = np.array([1.0, 2, 4])
    eta = 0.7 * (1 if sign == "-" else -1)
    weights = np.exp(-eta * errors)
    own = ensemble.exponential_weights(errors, 0.7)
    whole = {"one": 1.0, "two": 2.0}[total]
    return np.allclose(own, whole * weights / weights.sum()) and np.isclose(
        own.sum(), whole
    )


@says(
    "ensemble.exponential_weights",
    "The [smallest] error is subtracted before the exponential",
    "largest",
)
@says(
    "ensemble.exponential_weights",
    "all weights vanish as soon as ``eta error`` is above [745]",
    "800",
)
def underflow(word):
    if word in ("745", "800"):
        end = float(word)
        return np.exp(-(end + 1)) == 0 and np.exp(-(end - 1)) > 0
    weights = ensemble.exponential_weights([2000.0, 2001], 1.0)
    one = {"smallest": 2000.0, "largest": 2001.0}[word]
    with np.errstate(over="ignore"):
        own = np.exp(-(np.array([2e3, 2001]) - one))
    assert np.isfinite(weights).all()
    return own.max() == 1 and np.allclose(weights, own / own.sum())


@says(
    "ensemble.exponential_weights",
    "The weights are the only [minimiser] of ``<mu, errors> [-] H(mu) / eta``",
    "maximiser", "+",
)
def of_entropy(word, sign):
    errors, eta = np.array([1.0, 2, 4]), 0.7
    own = ensemble.exponential_weights(errors, eta)

    def value(mu):
        entropy = -(mu * np.log(mu)).sum() / eta
        return mu @ errors + (-entropy if sign == "-" else entropy)

    others = [value(mu) for mu in simplex(400)]
    near = [value(0.99 * own + 0.01 * mu) for mu in simplex(50)]
    told = value(own) < min(others + near) if word == "minimiser" else (
        value(own) > max(others + near))
    return told


@says(
    "ensemble.ridge_weights",
    "They [may] be negative, and [need not] sum to one",
    "cannot", "surely",
)
def signs(negative, total):
    told = []
    for A, _, _ in cases():
        equations = ensemble.normal_equations(A, ensemble.experts(A, SAMPLES), V)
        told.append(ensemble.ridge_weights(*equations, 1e-9))
    some = any(mu.min() < 0 for mu in told)
    one = all(np.isclose(mu.sum(), 1) for mu in told)
    return some == (negative == "may") and one == (total == "surely")


@says(
    "ensemble.ridge_weights",
    "0 is linear regression, with the [shortest] of all minimisers",
    "longest",
)
@says(
    "ensemble.ridge_weights",
    "without a ridge those [below] ``p eps`` times the [largest] count as zero",
    "above", "smallest",
)
def shortest(word, end="largest"):
    G = np.array([[2.0, 2], [2, 2]])
    mu = ensemble.ridge_weights(G, [4.0, 4.0], 0.0)
    others = [np.array([1 + t, 1 - t]) for t in (-0.5, 0.5)]
    short = all(np.linalg.norm(mu) < np.linalg.norm(x) for x in others)
    if word in ("shortest", "longest"):
        return short == (word == "shortest") and np.allclose(G @ mu, [4, 4])
    eps, told = 2.0**-52, []
    for by in (0.7, 1.5):
        G = np.diag([1.0, by * 2 * eps])
        told.append(ensemble.ridge_weights(G, [1.0, eps], 0.0)[1] == 0)
    dropped = [True, False] if word == "below" else [False, True]
    return told == dropped and end == "largest"


@says(
    "ensemble.nonnegative_weights",
    "They keep the mixture [positive] semidefinite",
    "negative",
)
@says("ensemble.nonnegative_weights", "over weights that are [not] negative", "all")
def nonnegative(word):
    G, g = ensemble.normal_equations(K, EXPERTS, V)
    mu = ensemble.nonnegative_weights(G, g - 2 * g.max() * np.eye(3)[0], 1e-3)
    least = np.linalg.eigvalsh(mixture(mu))[0] > -1e-9
    return {
        "positive": least, "negative": not least,
        "not": (mu >= 0).all() and (mu > 0).any(), "all": (mu < 0).all(),
    }[word]


# ---- Columns


@says(
    "ensemble.samples",
    "p [disjoint] samples of l columns each, uniform [without] replacement",
)
@says("ensemble.samples", "``p l [<=] n``")
def samples(word, law="without"):
    if word in ("<=", ">="):
        told = []
        for n in (6, 5):
            try:
                ensemble.samples(np.eye(n), 2, 3, np.random.default_rng(0))
                told.append(True)
            except ValueError:
                told.append(False)
        return told == ([True, False] if word == "<=" else [False, True])
    rng = np.random.default_rng(0)
    drawn = [ensemble.samples(np.eye(9), 3, 3, rng) for _ in range(20)]
    lists = [[*itertools.chain(*(s.indices.tolist() for s in each))] for each in drawn]
    once = all(len({*x}) == 9 for x in lists)
    return once == (word == "disjoint") and once == (law == "without")


@says("ensemble.combine", "the others [never] ask for more than those below", "always")
def asked(word):
    told = []
    for weights in ("uniform", "exponential", "ridge", "nonnegative"):
        A = kernels.DenseKernel(K)
        made = ensemble.experts(A, SAMPLES)
        before = A.entries_asked
        ensemble.combine(A, made, np.random.default_rng(0), weights=weights,
                         n_validation=1, n_holdout=1)
        told.append(A.entries_asked - before <= (0 if weights == "uniform" else 16))
    return all(told) if word == "never" else not any(told)


@says(
    "ensemble.combine",
    "[not] landmarks of an expert where the experts leave enough others",
    "only",
)
def unseen(word):
    """Of 12 columns the experts have 6, and three are drawn of the others."""
    A, seen = np.diag(np.arange(1.0, 13)), []

    def listen(K, experts, columns, own=_validation.validate):
        seen.append({*np.ravel(columns).tolist()})
        return own(K, experts, columns)

    from nystheory.ensemble import _combine

    made = ensemble.experts(A, [[0, 1, 2], [3, 4, 5]])
    with mock.patch.object(_combine, "validate", listen):
        ensemble.combine(A, made, np.random.default_rng(0), weights="ridge",
                         n_validation=2, n_holdout=2)
    columns = set().union(*seen)
    return not columns & set(range(6)) if word == "not" else columns <= set(range(6))


@says("ensemble.Validation", "[Frobenius] inner products of", "trace")
@says("ensemble.Validation", "r = 1..p, and, [last], K_V", "first")
def products(word):
    left = [(K - A)[:, V] for A in MATRICES]
    all_of_them = [K[:, V], *left] if word == "first" else [*left, K[:, V]]
    inner = np.vdot if word != "trace" else (lambda a, b: np.trace(a[V] @ b[V]))
    return np.allclose(SEEN.products, [[inner(a, b) for b in all_of_them]
                                       for a in all_of_them])


@says("ensemble.validate", "in blocks of rows: [at most] 32 MB, for every s")
def blocks(word):
    sizes = [
        (rows.stop - rows.start) * s * 4 * 8
        for s in (100, 3000, 40000)
        for rows in kernels.row_blocks(40000, s * 4)
    ]
    return holds(word, sizes, 2.0**25)
