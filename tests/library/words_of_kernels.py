"""What docstrings of eigenmaps and kernels say in words, and whether it is true."""

from unittest import mock

import numpy as np
from scipy.spatial.distance import cdist
from words_of_docstrings import says
from words_of_manifolds import APART, X, graph, quietly

from nystheory import _semidefinite, kernels, manifold

# ---- Laplacian eigenmaps


def eigenmaps(k=2, points=X, t=3, **given):
    made = manifold.LaplacianEigenmaps(k, n_neighbors=t, **given)
    return quietly(made.fit, points)


def laplacian(made, points=X, sigma=None, power=2):
    """The normalised Laplacian and the degrees, from the lengths of the edges."""
    edges = made.graph_.lengths.toarray()
    W = np.where(edges > 0, np.exp(-((edges / (sigma or made.width_)) ** power)), 0)
    d = W.sum(axis=1)
    d[d == 0] = 1
    return np.eye(len(W)) - W / np.sqrt(np.outer(d, d)), d, W


@says(
    "manifold.LaplacianEigenmaps",
    "The sigma of the weights ``exp(-|x - y|[^2] / sigma^2)``",
    "^1",
)
def weights(power):
    made = eigenmaps()
    L = laplacian(made, power=int(power[1]))[0]
    return np.allclose(np.linalg.eigvalsh(L)[1:3], made.eigenvalues_)


@says(
    "manifold.LaplacianEigenmaps",
    "by default the root of the mean [square] of the edges",
    "size",
)
def usual_width(word):
    lengths = graph(X, t=3).lengths.data
    power = {"square": 2, "size": 1}[word]
    return np.isclose(eigenmaps().width_, np.mean(lengths**power) ** (1 / power))


@says(
    "manifold.LaplacianEigenmaps",
    "Of the normalised Laplacian, [smallest] first, [without] that of the "
    "constant",
)
def in_order(word, constant):
    made = eigenmaps()
    s = np.linalg.eigvalsh(laplacian(made)[0])
    s = s if word == "smallest" else s[::-1]
    s = s[1:3] if constant == "without" else s[:2]
    return np.allclose(made.eigenvalues_, s)


@says(
    "manifold.LaplacianEigenmaps",
    "are [divided] by the square roots of the degrees",
    "multiplied",
)
def divided(word):
    one, other = (eigenmaps(divided=x) for x in (True, False))
    roots = np.sqrt(laplacian(one)[1])[:, None]
    by = 1 / roots if word == "divided" else roots
    ratio = one.embedding_ / (other.embedding_ * by)
    return np.allclose(ratio, ratio[0])


@says(
    "manifold.LaplacianEigenmaps",
    "[minimise] the sum of ``W_ij |y_i [/] sqrt(D_ii) - y_j / sqrt(D_jj)|^2`` "
    "over orthonormal coordinates that are [orthogonal] to",
    "maximise", "*", "parallel",
)
def objective(word, by, side):
    made = eigenmaps(divided=False)
    _, d, W = laplacian(made)
    R = np.diag(d**-0.5 if by == "/" else d**0.5)
    M = 2 * R @ (np.diag(W.sum(axis=1)) - W) @ R
    beside = np.sqrt(d) / np.linalg.norm(np.sqrt(d))
    Y = made.embedding_
    off = np.linalg.qr(np.column_stack([beside, np.eye(16)[:, 1:]]))[0][:, 1:]
    ends = np.linalg.eigvalsh(off.T @ M @ off)
    end = ends[:2].sum() if word == "minimise" else ends[-2:].sum()
    there = np.allclose(Y.T @ Y, np.eye(2)) and np.isclose((Y * (M @ Y)).sum(), end)
    return there and np.allclose(beside @ Y, 0) == (side == "orthogonal")


@says(
    "manifold.LaplacianEigenmaps",
    "tells component j from all [smaller] ones, and is [0] on the [larger]",
    "larger", "1", "smaller",
)
@says(
    "manifold.LaplacianEigenmaps",
    "tells all components apart, and fewer coordinates the [largest] of them",
)
def told_apart(word, value="0", side="larger"):
    """Of 6, 5 and 3 points: the second coordinate is 0 on the six."""
    made = eigenmaps(2, APART, t=2)
    Y = made.embedding_
    groups = [Y[:6], Y[6:11], Y[11:]]
    first = [len(np.unique(A[:, 0].round(9))) == 1 for A in groups]
    level = [round(float(A[0, 0]), 9) for A in groups]
    if word in ("largest", "smallest"):
        alone = 0 if word == "largest" else 2
        others = {level[k] for k in range(3) if k != alone}
        return all(first) and level[alone] not in others and len(others) == 1
    small = abs(groups[1][0, 1] - groups[2][0, 1]) > 1e-6
    own = groups[0] if side == "larger" else groups[2]
    return (word == "smaller") == small and np.allclose(own[:, 1], float(value))


@says(
    "manifold.LaplacianEigenmaps",
    "A point without an edge counts with degree [1]",
    "2",
)
def lonely(degree):
    """Its coordinate is divided by the root of that: a constant stays one."""
    A = np.vstack([X[:6], [[90.0, 90]]])
    made = quietly(
        manifold.LaplacianEigenmaps(1, n_neighbors=2, limit=9.0, divided=True).fit, A
    )
    whole = quietly(
        manifold.LaplacianEigenmaps(1, n_neighbors=2, limit=9.0, divided=False).fit, A
    )
    ratio = abs(whole.embedding_[-1, 0] / made.embedding_[-1, 0])
    return np.isclose(ratio, float(degree) ** 0.5)


@says(
    "manifold.LaplacianEigenmaps",
    "A graph of c components has the eigenvalue 0 [c] times",
    "c - 1",
)
def zeros(word):
    L = laplacian(eigenmaps(2, APART, t=2), APART)[0]
    count = (np.linalg.eigvalsh(L) < 1e-9).sum()
    return count == {"c": 3, "c - 1": 2}[word]


@says("manifold.LaplacianEigenmaps", "give the eigenvalues ``[1 - s^2]``", "s^2")
def from_singular_values(words):
    made = eigenmaps(t=5, method="nystrom", n_landmarks=8, random_state=0)
    F = made.approximation_.factor
    d = F @ F.sum(axis=0)
    s = np.linalg.svd(F / np.sqrt(d)[:, None])[1][1:3] ** 2
    return np.allclose(made.eigenvalues_, 1 - s if words == "1 - s^2" else s)


@says(
    "manifold.LaplacianEigenmaps",
    "the points outside of the [largest] component get NaN",
)
@says("manifold.Isomap", "the points outside of the [largest] component get NaN")
def without_coordinates(word):
    made = eigenmaps(1, APART, t=2, disconnected="largest").embedding_
    path = manifold.Isomap(1, n_neighbors=2, disconnected="largest")
    path = quietly(path.fit, APART).embedding_
    some = {"largest": range(6), "smallest": range(11, 14)}[word]
    return all(
        [*np.flatnonzero(np.isfinite(A[:, 0]))] == [*some] for A in (made, path)
    )


# ---- Kernels


@says(
    "kernels.rbf",
    "by default [1 /] (d Var X), Var X the variance of [all] entries",
    "the root of", "the columns'",
)
@says("kernels.rbf", '``gamma="scale"``), and [1] where that is 0', "0")
def usual_gamma(by, which="all"):
    A = X * [1.0, 5.0]
    if by in ("1", "0"):
        K = kernels.rbf(np.ones((3, 2)))
        return K.parameters["gamma"] == float(by)
    size = 2 * (A.var() if which == "all" else A.var(axis=0).mean())
    gamma = 1 / size if by == "1 /" else np.sqrt(size)
    return np.allclose(kernels.rbf(A).dense(), np.exp(-gamma * cdist(A, A) ** 2))


@says("kernels.rbf", "whose own default of gamma is [1 / d]", "1 / n")
@says("kernels.pairwise", "with scikit-learn's default of gamma, [1 / d]", "1 / n")
def default_of_scikit_learn(words):
    from sklearn.metrics.pairwise import rbf_kernel

    gamma = {"1 / d": 1 / 2, "1 / n": 1 / 16}[words]
    own = kernels.pairwise(X, "rbf")
    same = np.allclose(own.dense(), rbf_kernel(X))
    return same and np.allclose(rbf_kernel(X), np.exp(-gamma * cdist(X, X) ** 2))


@says("kernels.rbf", "and the diagonal is [exactly] 1", "nearly")
def exact_diagonal(word):
    K = kernels.rbf(X * 1e3 + 1e5)
    one = (K.diagonal() == 1).all() and (np.diag(K.dense()) == 1).all()
    return bool(one) == (word == "exactly")


@says("kernels.pairwise", "tried on 32 of them, evenly spaced: [at most] 1024 calls of")
def calls(word):
    seen = []

    def metric(x, y):
        seen.append(1)
        return float(x @ y)

    kernels.pairwise(np.random.default_rng(0).standard_normal((90, 2)), metric)
    assert seen
    # Symmetry leaves half of them.
    return len(seen) <= 1024 if word == "at most" else len(seen) >= 1025


@says("kernels.DenseKernel", "not copied, and [never] modified", "always")
def unmodified(word):
    A = X @ X.T
    before = A.copy()
    K = kernels.DenseKernel(A)
    K[:, [0, 1]][:] = 7.0
    K.dense()[:] = 7.0
    assert np.shares_memory(K.array, A) if hasattr(K, "array") else True
    return np.array_equal(A, before) == (word == "never")


@says("kernels.DenseKernel", "It is *[not]* checked to be semidefinite", "surely")
def unchecked(word):
    try:
        kernels.DenseKernel(np.diag([1.0, -1]))
        passed = True
    except ValueError:
        passed = False
    return passed == (word == "not")


@says(
    "kernels.KernelMatrix",
    "rows [times] columns of each block, [n] for the diagonal, [n^2] for a "
    "product",
    "plus", "n^2", "n",
)
@says("kernels.KernelMatrix", "A repeated entry counts [again]", "once")
def counted(by, diagonal="n", product="n^2"):
    K = kernels.as_kernel(X @ X.T + np.eye(16))
    sizes, told = {"n": 16, "n^2": 256}, []
    for ask in (
        lambda: K[[0, 1, 2], [4, 5]],
        K.diagonal,
        lambda: K @ np.ones(16),
        lambda: K[[0, 1, 2], [4, 5]],
    ):
        before = K.entries_asked
        ask()
        told.append(K.entries_asked - before)
    again = 0 if by == "once" else 6
    return told == [5 if by == "plus" else 6, sizes[diagonal], sizes[product], again]


@says("kernels.PointKernel.on", "With the parameters of this one; [no] entry is read")
def read(word):
    K = kernels.rbf(X, 0.3)
    other = K.on(X[:3])
    none = other.entries_asked == 0 and K.entries_asked == 0
    return none == (word == "no") and other.parameters == K.parameters


@says(
    "kernels.DenseKernel.between",
    "Asks for [m l] entries; the others are only [checked]",
    "m n", "counted",
)
def between(size, word):
    """Other finite numbers change nothing, and others are refused."""
    K, rows = kernels.DenseKernel(X @ X.T), np.ones((2, 16))
    K.between(rows, [1, 5, 7])
    asked = K.entries_asked == {"m l": 6, "m n": 32}[size]
    rows[:, 0] = np.nan
    try:
        K.between(rows, [1, 5, 7])
        refused = False
    except ValueError:
        refused = True
    return asked and refused == (word == "checked")


@says(
    "kernels.as_kernel",
    "all pairs of points and a sample of [1000] points are tried",
    "500",
)
def tried_above(size):
    seen, own = [], _semidefinite.factored

    def listen(A, name="K"):
        seen.append(len(A))
        return own(A, name)

    with mock.patch.object(_semidefinite, "factored", listen):
        kernels.as_kernel(np.eye(1100))
    return seen == [int(size)]
