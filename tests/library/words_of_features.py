"""What docstrings of random waves say in words, and whether it is true."""

import math
from functools import cache
from unittest import mock

import numpy as np
from scipy import stats
from words_of_docstrings import NORMS, holds, says

from nystheory.features import RandomFourierFeatures

X = np.random.default_rng(4).standard_normal((12, 3))
KINDS = ("pairs", "phases")


def waves(kind="pairs", size=60, seed=0, **given):
    made = RandomFourierFeatures(
        kind=kind, n_components=size, random_state=seed, **given
    )
    return made.fit(X)


def missed(made):
    Z = made.transform(X)
    return made.kernel_.kernel(X, X) - Z @ Z.T


@cache
def measured():
    """Accuracies with their errors: one with an error in a single place, too."""
    return [(made.error(X), missed(made)) for made in map(waves, KINDS * 3)]


# ---- Accuracy


@says("features.Accuracy", "An [upper] bound of ``|E|_2``: the [smaller] of")
def above_the_spectral_norm(word, other):
    two = (min if other == "smaller" else max)
    return all(
        holds({"upper": "at least"}.get(word, "at most"), a.spectral.value,
              NORMS["spectral"](E))
        and np.isclose(a.spectral.value, two(NORMS["Frobenius"](E),
                                             abs(E).sum(axis=1).max()))
        for a, E in measured()
    )


@says("features.Accuracy", "the [largest] sum of absolute values in a row")
def of_rows(word):
    """Of two points the sum is below the Frobenius norm where the diagonal is zero."""
    two = X[:2]
    made = RandomFourierFeatures(n_components=6, random_state=0).fit(two)
    E = made.kernel_.kernel(two, two) - made.transform(two) @ made.transform(two).T
    sums = {"largest": np.max, "smallest": np.min}[word](abs(E).sum(axis=1))
    more = np.ones(3) @ abs(measured()[0][1])[:3, :3] if word == "smallest" else 0
    return np.isclose(made.error(two).spectral.value, sums) and np.all(more == 0)


@says(
    "features.Accuracy",
    "An [upper] bound of the [trace] norm, the [sum] of the absolute eigenvalues:"
    " ``[sqrt(n)] |E|_F``",
    "lower", "Frobenius", "largest", "n",
)
def above_the_trace_norm(word, norm, take, root):
    def claim(a, E):
        own = NORMS[norm](E)
        values = abs(np.linalg.eigvalsh(E))
        by = {"sqrt(n)": len(E) ** 0.5, "n": len(E)}[root]
        return (
            holds({"upper": "at least"}.get(word, "at most"), a.trace.value, own)
            and np.isclose(own, {"sum": np.sum, "largest": np.max}[take](values))
            and np.isclose(a.trace.value, by * NORMS["Frobenius"](E))
        )

    return all(claim(a, E) for a, E in measured())


@says("features.Accuracy", "Estimate The [largest] ``|E_ij|``, on these points")
def largest_entry(word):
    end = {"largest": np.max, "smallest": np.min}[word]
    return all(np.isclose(a.largest.value, end(abs(E))) for a, E in measured())


@cache
def often(kind="pairs", chance=0.7, times=300):
    """How often each bound that is likely holds."""
    told = waves(kind).error(X, probability=chance)
    errors = [missed(waves(kind, seed=seed)) for seed in range(times)]
    return (
        np.mean([NORMS["Frobenius"](E) <= told.likely_frobenius for E in errors]),
        np.mean([abs(E[0, 1]) <= told.likely_entry for E in errors]),
        np.mean([abs(E).max() <= told.likely_largest for E in errors]),
    )


@says("features.Accuracy", "the next three holds, [at least], where")
def how_often(word):
    return all(holds(word, often(kind), 0.7) for kind in KINDS)


@says(
    "features.Accuracy",
    "An [upper] bound of ``|E|_F``, by Markov's inequality for its [square]",
    "lower", "size",
)
def by_markov(word, power):
    told = waves().error(X, probability=0.75)
    by = {"square": (1 - 0.75) ** -0.5, "size": 1 / (1 - 0.75)}[power]
    right = np.isclose(told.likely_frobenius, by * told.root_mean_square)
    return right and (often()[0] >= 0.7) == (word == "upper")


@says("features.Accuracy", "An [upper] bound of [one] ``|E_ij|``", "lower", "each")
def of_an_entry(word, which):
    told = waves().error(X, probability=0.75).likely_entry
    right = np.isclose(told, by_hoeffding({"one": 1, "each": math.comb(12, 2)}[which]))
    return right and (often()[1] >= 0.7) == (word == "upper")


@says(
    "features.Accuracy",
    "An [upper] bound of [all] of them, by the union over pairs",
    "lower", "one",
)
def of_entries(word, which):
    told = waves().error(X, probability=0.75).likely_largest
    right = np.isclose(told, by_hoeffding({"one": 1, "all": math.comb(12, 2)}[which]))
    return right and (often()[2] >= 0.7) == (word == "upper")


def by_hoeffding(entries):
    """A mean of 30 waves between -1 and 1 exceeds it with a chance 1/4 / entries."""
    return math.sqrt(2 * math.log(2 * entries / 0.25) / 30)


@says(
    "features.RandomFourierFeatures.error",
    "with a chance of ``[2] exp(-D eps^2 / [4])`` [at most] for pairs, ``2 exp(-D"
    " eps^2 / [8])`` with phases",
    "1", "2", "at least", "16",
)
def hoeffding(front, pairs, word, phases):
    for kind, by in (("pairs", float(pairs)), ("phases", float(phases))):
        eps = waves(kind).error(X, probability=0.7).likely_entry
        if not np.isclose(float(front) * math.exp(-60 * eps**2 / by), 0.3):
            return False
        if not holds(word, 1 - often(kind)[1], 0.3):
            return False
    return True


@says("features.Accuracy", "the root of the [sum] of the exact variances")
def root_of_variances(word):
    made = waves()
    own = {"sum": np.sum, "largest": np.max}[word](made.variance(X))
    return np.isclose(made.error(X).root_mean_square, math.sqrt(own))


# ---- Waves


@says(
    "features.RandomFourierFeatures",
    'such a mean over [D / 2] frequencies (``"pairs"``), or over [D] of them with'
    " [more] noise",
    "D", "D / 2", "less",
)
def frequencies(pairs, phases, noise):
    sizes = {"D / 2": 30, "D": 60}
    told = [len(waves(kind).frequencies_) for kind in KINDS]
    one, other = (waves(kind).variance(X).sum() for kind in KINDS)
    return told == [sizes[pairs], sizes[phases]] and (other > one) == (noise == "more")


@says(
    "features.RandomFourierFeatures",
    '``"rbf"``, ``exp(-gamma |z|[^2])``: [normal] frequencies',
    "^1", "Cauchy",
)
@says(
    "features.RandomFourierFeatures",
    '``"laplacian"``, ``exp(-gamma [|z|_1])``: [Cauchy] frequencies',
    "|z|_2", "normal",
)
@says(
    "features.RandomFourierFeatures",
    "``prod_j 1 / (1 + gamma [z_j^2])``: [Laplace] frequencies, of scale "
    "[sqrt(gamma)]",
    "z_j", "Cauchy", "gamma",
)
def spectra(formula, law, scale=None):
    z, g = np.array([[0.7, -1.2, 0.4]]), 0.6
    name = {"^": "rbf", "|": "laplacian", "z": "cauchy"}[formula[0]]
    value = {
        "^2": math.exp(-g * (z**2).sum()),
        "^1": math.exp(-g * np.linalg.norm(z)),
        "|z|_1": math.exp(-g * abs(z).sum()),
        "|z|_2": math.exp(-g * np.linalg.norm(z)),
        "z_j^2": np.prod(1 / (1 + g * z**2)),
        "z_j": np.prod(1 / (1 + g * z)),
    }[formula]
    made = waves(size=4000, kernel=name, gamma=g)
    same = np.isclose(made.kernel_.kernel(z, 0 * z)[0, 0], value)
    size = {"rbf": math.sqrt(2 * g), "laplacian": g, "cauchy": math.sqrt(g)}[name]
    size = g if scale == "gamma" else size
    tested = {"normal": stats.norm, "Cauchy": stats.cauchy, "Laplace": stats.laplace}
    W = made.frequencies_[:, 0]
    return same and stats.kstest(W / size, tested[law].cdf).pvalue > 1e-3


@says(
    "features.RandomFourierFeatures",
    "of ``length_scale = [1 / sqrt(2 gamma)]`` in",
    "1 / gamma",
)
def length_scale(words):
    from sklearn.gaussian_process.kernels import Matern

    scale = {"1 / sqrt(2 gamma)": (2 * 0.3) ** -0.5, "1 / gamma": 1 / 0.3}[words]
    made = waves(kernel="matern", gamma=0.3, nu=1.5)
    return np.allclose(made.kernel_.kernel(X, X), Matern(scale, nu=1.5)(X))


@says(
    "features.RandomFourierFeatures",
    "frequencies of a multivariate t with [2 nu] degrees of freedom",
    "nu",
)
def students(words):
    freedom = {"2 nu": 3.0, "nu": 1.5}[words]
    W = waves(size=4000, kernel="matern", gamma=0.5, nu=1.5).frequencies_[:, 0]
    return stats.kstest(W, stats.t(freedom).cdf).pvalue > 1e-3


@says(
    "features.RandomFourierFeatures",
    'For [large] nu it is ``"rbf"`` of the same',
    "small",
)
def smooth(word):
    nu = {"large": 100.0, "small": 0.5}[word]
    made = waves(kernel="matern", gamma=0.3, nu=nu).kernel_.kernel(X, X)
    return abs(made - waves(gamma=0.3).kernel_.kernel(X, X)).max() < 0.02


@says("features.RandomFourierFeatures", "to [first] order.", "second")
def near_zero(word):
    """The Cauchy kernel less the Gaussian one: of second order in gamma |z|^2."""
    gaps = []
    for t in (1e-2, 5e-3):
        z = np.array([[math.sqrt(t)]])
        one, other = (
            RandomFourierFeatures(kernel=k, gamma=1.0, random_state=0).fit(z).kernel_
            for k in ("cauchy", "rbf")
        )
        gaps.append(one.kernel(z, 0 * z)[0, 0] - other.kernel(z, 0 * z)[0, 0])
    order = round(math.log2(gaps[0] / gaps[1]))
    return order == {"first": 2, "second": 3}[word]


@says(
    "features.RandomFourierFeatures",
    "``[sqrt(2 / D)] (cos w . x, sin w . x)`` of D / 2 frequencies, all [cosines]"
    " first",
    "sqrt(1 / D)", "sines",
)
def pairs_by_hand(size, first):
    made = waves()
    A = X @ made.frequencies_.T
    both = [np.cos(A), np.sin(A)]
    Z = np.hstack(both if first == "cosines" else both[::-1])
    return np.allclose(made.transform(X), Z * math.sqrt((2 if "2" in size else 1) / 60))


@says("features.RandomFourierFeatures", "phases b, uniform on 0 to [2 pi]", "pi")
def uniform_phases(end):
    b = waves("phases", 2000).phases_
    end = {"2 pi": 2 * math.pi, "pi": math.pi}[end]
    return stats.kstest(b / end, stats.uniform.cdf).pvalue > 1e-3


@says(
    "features.RandomFourierFeatures",
    "lambda there is ``[2 lambda / D]`` here",
    "lambda",
)
def ridge_of_the_paper(words):
    """Its pairs have no factor: F F' + lambda is D / 2 times ours with this ridge."""
    made, lam, y = waves(), 0.7, np.sin(np.arange(12.0))
    Z = made.transform(X)
    F = Z / math.sqrt(2 / 60)
    here = {"2 lambda / D": 2 * lam / 60, "lambda": lam}[words]
    one = F @ F.T @ np.linalg.solve(F @ F.T + lam * np.eye(12), y)
    return np.allclose(one, Z @ Z.T @ np.linalg.solve(Z @ Z.T + here * np.eye(12), y))


@says(
    "features.RandomFourierFeatures",
    "in blocks of [d], whose directions are a random [orthogonal] basis and whose"
    " lengths are [independent]",
    "d - 1", "normal", "equal",
)
def blocks(size, basis, lengths):
    W = waves(draws="orthogonal").frequencies_
    long = np.linalg.norm(W, axis=1)
    inside = [W[i] @ W[j] / long[i] / long[j] for i, j in ((0, 1), (0, 2), (1, 2))]
    across = W[2] @ W[3] / long[2] / long[3]
    right = np.allclose(inside, 0) == (basis == "orthogonal")
    right &= (not np.isclose(across, 0)) == (size == "d")
    return right and (not np.allclose(long, long[0])) == (lengths == "independent")


@says(
    "features.RandomFourierFeatures.variance",
    "``([1] + k(2 z) - [2] k(z)^2) / D`` for pairs and ``(1 + k(2 z) / [2] - "
    "k(z)^2) / [D]`` with phases",
    "2", "1", "1", "m",
)
def variances(first, second, third, last):
    k, twice = (waves().kernel_.kernel(X, X, times) for times in (1.0, 2.0))
    first, second, third = map(float, (first, second, third))
    pairs = (first + twice - second * k**2) / 60
    phases = (1 + twice / third - k**2) / {"D": 60, "m": 30}[last]
    return np.allclose(waves().variance(X), pairs) and np.allclose(
        waves("phases").variance(X), phases
    )


@says(
    "features.RandomFourierFeatures",
    "`transform` costs 2 n m d operations and [n D] cosines and sines",
    "n d",
)
def counted_waves(words):
    """In float32: each is counted where it is computed."""
    seen = []

    def listen(own):
        def counted(a, *given, **more):
            seen.append(np.size(a))
            return own(a, *given, **more)

        return counted

    made = waves()
    both = mock.patch.multiple(np, cos=listen(np.cos), sin=listen(np.sin))
    with both:
        made.transform(X.astype(np.float32))
    return sum(seen) == {"n D": 12 * 60, "n d": 12 * 3}[words]


@says("features.RandomFourierFeatures", "or in float64 [n m] tangents", "n D")
def counted_tangents(words):
    seen, own = [], np.tan
    made = waves()
    with mock.patch("numpy.tan", lambda a, **k: seen.append(np.size(a)) or own(a, **k)):
        made.transform(X)
    return sum(seen) == {"n m": 12 * 30, "n D": 12 * 60}[words]


@says(
    "features.RandomFourierFeatures",
    "Where that [exceeds] [2^-14] in float32, arguments are computed in float64",
    "falls below", "2^-20",
)
@says(
    "features.RandomFourierFeatures",
    "Where it [exceeds] [2^-14] in float64 there is a warning",
    "falls below", "2^-20",
)
def resolved(word, size):
    from nystheory.features import _fourier

    end = {"2^-14": 2.0**-14, "2^-20": 2.0**-20}[size]
    eps = 2.0**-23
    told = [
        _fourier._in_turns(np.dtype(np.float32), times * end / eps)
        for times in (0.9, 1.1)
    ]
    assert _fourier.RESOLVED == 2.0**-14
    return told == ([False, True] if word == "exceeds" else [True, False])


@says(
    "features.RandomFourierFeatures",
    "points far from the origin should be centred, which changes [no] difference",
)
def differences(word):
    a, b = (A[:, None] - A for A in (X, X - X.mean(axis=0)))
    return np.allclose(a, b) == (word == "no")
