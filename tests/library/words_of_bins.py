"""What docstrings of bins and Nyström features say in words, and whether it is true."""

import math

import numpy as np
from scipy import stats
from words_of_docstrings import NORMS, holds, says
from words_of_features import X

from nystheory import features, kernels
from nystheory.features import RandomBinningFeatures

# ---- Bins


def bins(n_grids=50, seed=0, gamma=0.8):
    return RandomBinningFeatures(gamma=gamma, n_grids=n_grids, random_state=seed)


@says(
    "features.RandomBinningFeatures",
    "two points share one with the chance ``exp(-gamma [|z|_1])``",
    "|z|_2",
)
@says(
    "features.RandomBinningFeatures",
    "in the mean the [Laplacian] kernel",
    "Gaussian",
)
def sharing(words):
    Z = bins(20000).fit_transform(X[:2]).toarray()
    z = X[0] - X[1]
    far = {"|z|_1": abs(z).sum(), "Laplacian": abs(z).sum(), "Gaussian": z @ z}.get(
        words, np.linalg.norm(z)
    )
    p = math.exp(-0.8 * far)
    return abs(Z[0] @ Z[1] - p) < 4 * math.sqrt(p * (1 - p) / 20000)


@says(
    "features.RandomBinningFeatures",
    "[1 / sqrt(P)] for the points in it and [0] for",
    "1 / P", "-1",
)
@says(
    "features.RandomBinningFeatures.fit_transform",
    "[P] entries [1 / sqrt(P)] in each",
    "d", "1 / P",
)
def entries_of_bins(one, other):
    if one in ("P", "d"):
        one, other = other, "0" if one == "P" else "-1"
    Z = bins().fit_transform(X).toarray()
    value = {"1 / sqrt(P)": 50**-0.5, "1 / P": 1 / 50}[one]
    return (Z == float(other)).any() and np.allclose(Z[Z > 0], value) and (
        (Z > 0).sum(axis=1) == 50
    ).all()


@says(
    "features.RandomBinningFeatures.transform",
    "[at most] P entries in each row, [fewer] where no point of the fit is in a "
    "bin",
    "at least", "more",
)
def entries_of_new_points(word, other):
    made = bins().fit(X)
    counts = [(made.transform(A).toarray() > 0).sum(axis=1) for A in (X, X + 0.3)]
    right = all(holds(word, each, 50) for each in counts) and (counts[0] == 50).all()
    return right and (counts[1].min() < 50) == (other == "fewer")


@says(
    "features.RandomBinningFeatures",
    "the pitch has the density ``gamma^2 s exp(-gamma s)``, Gamma([2], [1 / "
    "gamma])",
    "1", "gamma",
)
def pitches(shape, scale):
    s = bins(3000).fit(X).pitches_[:, 0]
    law = stats.gamma(float(shape), scale={"1 / gamma": 1 / 0.8, "gamma": 0.8}[scale])
    t = np.linspace(0.1, 9, 7)
    density = np.allclose(law.pdf(t), 0.8**2 * t * np.exp(-0.8 * t))
    return density and stats.kstest(s, law.cdf).pvalue > 1e-3


@says(
    "features.RandomBinningFeatures",
    "the shift is uniform between 0 and [the pitch]",
    "1",
)
def shifts(word):
    made = bins(2000).fit(X)
    u = made.shifts_[:, 0] / (made.pitches_[:, 0] if word == "the pitch" else 1)
    return stats.kstest(u, stats.uniform.cdf).pvalue > 1e-3


@says(
    "features.RandomBinningFeatures",
    "of bins that are occupied by points of [the fit]",
    "transform",
)
@says(
    "features.RandomBinningFeatures",
    "indices; [empty] bins are [never] made",
    "occupied", "always",
)
def occupied(words, count="never"):
    """Each column has a point of the fit, and new points bring none."""
    made = bins().fit(X)
    used = (made.transform(X).toarray() > 0).any(axis=0)
    others = (made.transform(X + 9).toarray() > 0).any(axis=0)
    some = used if words in ("the fit", "empty") else others
    return made.n_features_out_ == some.sum() and (~used).any() == (count == "always")


@says(
    "features.RandomBinningFeatures",
    "A [new] point that is alone in its bin has a zero there",
    "old",
)
def alone(word):
    made = bins().fit(X)
    A = X + 50 if word == "new" else X
    return (made.transform(A).toarray() > 0).sum() == 0


@says(
    "features.RandomBinningFeatures",
    "the same code with a chance of ``[R / 2^63]`` [at most]",
    "1 / 2^63", "at least",
)
@says(
    "features.RandomBinningFeatures",
    "along an axis, and [never] if they differ along one axis only",
    "always",
)
def code_of_one_axis(word, most="at most"):
    """Codes are sums with odd multipliers, here of 4 bits: all of them are counted."""
    size, odd = 16, range(1, 16, 2)

    def chance(a, b):
        return np.mean([(a * m + b * w) % size == 0 for m in odd for w in odd])

    if word in ("never", "always"):
        return (max(chance(a, 0) for a in range(1, 8)) == 0) == (word == "never")
    both = [(a, b) for a in range(1, 8) for b in range(1, 8)]
    chances = [chance(a, b) for a, b in both]
    ends = [(max(a, b) if word == "R / 2^63" else 1) / (size / 2) for a, b in both]
    return holds(most, chances, ends)


@says("features.RandomBinningFeatures.variance", "``[k (1 - k)] / P``, exact", "k")
def variance_of_bins(words):
    k = np.exp(-0.8 * abs(X[:, None] - X).sum(axis=2))
    value = {"k (1 - k)": k * (1 - k), "k": k}[words]
    return np.allclose(bins().fit(X).variance(X), value / 50)


# ---- Nyström features


@says(
    "features.NystromFeatures",
    "until the trace of the error is [at most] this share of the [trace] of K",
    "at least", "Frobenius",
)
def to_a_share(word, norm):
    told = []
    for tol in (0.3, 0.1, 0.03):
        made = features.NystromFeatures(tol=tol, gamma=0.4, random_state=0).fit(X)
        K = kernels.rbf(X, 0.4).dense()
        left = made.certificate_.value
        # One column fewer does not reach it.
        few = features.NystromFeatures(
            landmarks=made.component_indices_[:-1], gamma=0.4
        ).fit(X)
        size = NORMS[norm](K)
        told.append(holds(word, left, tol * size)
                    and few.certificate_.value > tol * size)
    return all(told)


@says(
    "features.NystromFeatures",
    "those of the [leading] eigenpairs of ``C W^+ C^T``",
    "last",
)
def leading(word):
    made = features.NystromFeatures(n_landmarks=5, rank=2, gamma=0.4, random_state=0)
    Z = made.fit_transform(X)
    S = made.component_indices_
    K = kernels.rbf(X, 0.4).dense()
    A = K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S])
    s, V = np.linalg.eigh(A)
    some = slice(-2, None) if word == "leading" else slice(-5, -3)
    return np.allclose(Z @ Z.T, V[:, some] * s[some] @ V[:, some].T)


@says(
    "features.NystromFeatures",
    "a pivot [below] ``eps (tr W + [16] max W_ii)`` counts as zero",
    "above", "1",
)
def small_pivots(word, times):
    """Of diag(1, 1, p): p is kept where it is above the sum, and not below."""
    eps, kept = 2.0**-52, []
    for by in (0.9, 1.1):
        end = eps * (2 + float(times))
        K = np.diag([1.0, 1, by * end, 1])
        made = features.NystromFeatures(kernel="precomputed", landmarks=[0, 1, 2])
        kept.append(made.fit(K).n_features_out_)
    return kept == ([2, 3] if word == "below" else [3, 2])


@says(
    "features.NystromFeatures",
    "With `tol` it is the same for the l that is reached: [nothing] is drawn "
    "twice",
    "some",
)
def drawn_once(word):
    made = features.NystromFeatures(tol=0.03, gamma=0.4, random_state=0).fit(X)
    S = made.component_indices_
    return (len({*S.tolist()}) == len(S)) == (word == "nothing")


@says(
    "features.NystromFeatures.fit_transform",
    "Costs n k words beside `fit`, and [no] entry",
)
def entries_of_fit_transform(word):
    told = []
    for way in ("fit", "fit_transform"):
        made = features.NystromFeatures(n_landmarks=5, gamma=0.4, random_state=0)
        getattr(made, way)(X)
        told.append(made.approximation_.kernel.entries_asked)
    return (told[0] == told[1]) == (word == "no")


@says(
    "features.NystromFeatures.inverse_transform",
    "and need [not] have the features",
    "surely",
)
def smoothed(word):
    made = features.NystromFeatures(
        n_landmarks=5, gamma=0.4, random_state=0, fit_inverse=True
    )
    Z = made.fit_transform(X)
    back = made.transform(made.inverse_transform(Z))
    return (not np.allclose(back, Z, atol=1e-3)) == (word == "not")
