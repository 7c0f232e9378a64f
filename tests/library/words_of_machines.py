"""What docstrings of machines, processes and components say, and whether it is true."""

import warnings
from functools import cache

import numpy as np
from scipy.special import expit
from words_of_docstrings import cases, everywhere, holds, says
from words_of_learners import RIDGE, T, X, quietly

from nystheory import kernels, learners, lowrank

LABELS = np.where(T + 0.4 * np.cos(5 * X[:, 2]) > 0.2, 1, 0)
SIGNS = 2.0 * LABELS - 1
K = kernels.rbf(X, 0.5).dense()
N = len(X)
TOLS = (1e-1, 1e-3, 1e-8)


def steps_that_meet(word, share):
    """What is left is at most its share, or above it, for some tolerances."""
    return all(holds(word, share(tol) / tol, 1.0) for tol in TOLS)


# ---- Support vectors


@cache
def machine(C=2.0, tol=1e-8):
    model = learners.KernelSVC(C=C, method="exact", kernel="precomputed", tol=tol)
    return quietly(model.fit, K, LABELS)


@cache
def regression(epsilon=0.1, tol=1e-8, C=2.0):
    given = {"C": C, "epsilon": epsilon, "method": "exact", "kernel": "precomputed"}
    return quietly(learners.KernelSVR(tol=tol, **given).fit, K, T)


def primal(a, C=2.0, epsilon=None):
    h = K @ a
    if epsilon is None:
        return a @ h / 2 + C * np.maximum(0, 1 - SIGNS * h).sum()
    return a @ h / 2 + C * np.maximum(0, abs(T - h) - epsilon).sum()


@says(
    "learners.KernelSVC",
    "The duality gap is [at most] this share of ``[n C]``",
    "at least", "C",
)
def gap_of_machine(word, unit):
    size = {"n C": 2.0 * N, "C": 2.0}[unit]
    met = steps_that_meet(word, lambda tol: machine(tol=tol).duality_gap_ / size)
    # The primal value at h = 0.
    return met and np.isclose(primal(np.zeros(N)), size)


@says(
    "learners.KernelSVR",
    "The duality gap is [at most] this share of the primal value at h = [0]",
    "at least", "1",
)
def gap_of_regression(word, at):
    size = primal(np.zeros(N), epsilon=0.1)
    size = size if at == "0" else 1e-12
    return steps_that_meet(word, lambda tol: regression(tol=tol).duality_gap_ / size)


@says("learners.KernelSVC", "``y_i alpha_i`` with ``0 [<=] alpha_i [<=] C``")
def box(low, high):
    a = machine().dual_coef_ * SIGNS
    met = (a == 2.0).any() and (a == 0).any()
    return met and holds(low, 0, a) and holds(high, a, 2.0)


@says("learners.KernelSVR", "dual_coef_ : ndarray (n,) From [-C] to C", "0")
def box_of_regression(low):
    a = regression(C=0.05).dual_coef_
    ends = {"-C": -0.05, "0": 0.0}
    return a.min() == ends[low] and a.max() == 0.05


@says("learners.KernelSVC", "The points whose coefficient is [not] zero", "exactly")
@says("learners.KernelSVR", "The points whose coefficient is [not] zero", "exactly")
def support(word):
    return all(
        np.array_equal(
            model.support_, np.flatnonzero((model.dual_coef_ != 0) == (word == "not"))
        )
        for model in (machine(), regression())
    )


@says("learners.KernelSVC", "y is [-1] for the first and [1] for the second", "1", "-1")
def order_of_labels(first, second):
    model = machine()
    values = {c: float(s) for c, s in zip(model.classes_, (first, second), strict=True)}
    y = np.array([values[c] for c in LABELS])
    return bool(((y * model.dual_coef_) >= 0).all())


@says(
    "learners.KernelSVC",
    "for a semidefinite K by no [more] is either from the optimum",
    "less",
)
@says(
    "learners.KernelSVR",
    "for a semidefinite K by no [more] is either from the optimum",
    "less",
)
def from_the_optimum(word):
    rough, best = machine(tol=0.1), machine()
    off = primal(rough.dual_coef_) - primal(best.dual_coef_)
    other = regression(tol=0.1), regression()
    off_other = [primal(m.dual_coef_, epsilon=0.1) for m in other]
    told = [
        off <= rough.duality_gap_,
        off_other[0] - off_other[1] <= other[0].duality_gap_,
    ]
    return all(told) if word == "more" else not any(told)


@says("learners.KernelSVC", "The gap is a sum of terms of [at least] zero", "at most")
def terms(word):
    """Of any dual point the gap is C max(0, 1 - m_i) - a_i (1 - m_i), summed."""
    rng = np.random.default_rng(0)
    for a in rng.uniform(0, 2, (9, N)):
        m = SIGNS * (K @ (SIGNS * a))
        each = 2 * np.maximum(0, 1 - m) - a * (1 - m)
        gap = primal(SIGNS * a) - (a.sum() - a @ (SIGNS * (K @ (SIGNS * a))) / 2)
        if not (np.isclose(each.sum(), gap) and holds(word, each, 0)):
            return False
    return True


@says("learners.KernelSVR", "Errors up to this cost [nothing]", "their size")
@says(
    "learners.KernelSVR",
    "Where all targets are [within] epsilon of zero the solution is h = [0]",
    "beyond", "1",
)
def within_epsilon(word, value="0"):
    wide, narrow = (regression(epsilon=e).dual_coef_ for e in (2 * abs(T).max(), 1e-3))
    a = wide if word in ("nothing", "within") else narrow
    return bool(np.allclose(K @ a, float(value)))


# ---- Logistic regression


def logistic(tol=1e-8, **given):
    model = learners.KernelLogistic(
        ridge=RIDGE, kernel="precomputed", method="exact", tol=tol, **given
    )
    return quietly(model.fit, K, LABELS)


@says(
    "learners.KernelLogistic",
    "The gradient is [at most] this share of its length at zero",
)
@says("learners.newton", "The gradient is [at most] this share of its length at w = 0")
@says(
    "learners.logistic_falkon",
    "The gradient is [at most] this share of its length at b = 0",
)
def gradient(word):
    def share(tol):
        found = quietly(learners.newton, X, LABELS, RIDGE, tol=tol)
        start = np.linalg.norm(X.T @ (LABELS - 0.5))
        own = RIDGE * found.w - X.T @ (LABELS - expit(X @ found.w))
        assert np.isclose(np.linalg.norm(own), found.gradient, atol=1e-12)
        fast = quietly(
            learners.logistic_falkon, K, [0, 5, 9, 12], LABELS, RIDGE, tol=tol
        )
        F = lowrank.nystrom(K, [0, 5, 9, 12]).factor
        at_zero = np.linalg.norm(F.T @ (LABELS - 0.5))
        more = fast.gradient / at_zero
        # By the kernel's factor L: the gradient in its coordinates.
        L, a = np.linalg.cholesky(K + 1e-14 * np.eye(N)), logistic(tol).dual_coef_
        last = L.T @ (RIDGE * a - (LABELS - expit(K @ a)))
        whole = np.linalg.norm(last) / np.linalg.norm(L.T @ (LABELS - 0.5))
        shares = np.array([found.gradient / start, more, whole])
        return shares.max() if word == "at most" else shares.min()

    return steps_that_meet(word, share)


@says("learners.KernelLogistic", "with the kernel's penalty ([y - s]) / ridge", "s - y")
def coefficients(words):
    a = logistic().dual_coef_
    value = (LABELS - expit(K @ a)) / RIDGE
    return np.allclose(a, value if words[0] == "y" else -value, atol=1e-6)


@says(
    "learners.newton",
    "the gradient stays: the steps lead to [the same] minimum",
    "another",
)
@says(
    "learners.newton",
    "T stands in the gradient, too, and an approximation [moves] the fixed point",
    "keeps",
)
def same_minimum(word):
    one = quietly(learners.newton, X, LABELS, RIDGE).w
    other = quietly(learners.newton, X, LABELS, RIDGE, columns=[0, 2], max_iter=500).w
    same = np.allclose(one, other, atol=1e-5)
    # (3.14) solves (ridge + T) w = X' R (X w + R^-1 (y - s)): with T~ another w.
    s = expit(X @ one)
    R = np.diag(s * (1 - s))
    near = lowrank.nystrom(X.T @ R @ X, [0, 2]).spectral_reconstruction()
    right = X.T @ R @ X @ one + X.T @ (LABELS - s)
    moved = np.linalg.solve(RIDGE * np.eye(3) + near, near @ one + X.T @ (LABELS - s))
    whole = np.linalg.solve(RIDGE * np.eye(3) + X.T @ R @ X, right)
    assert np.allclose(whole, one, atol=1e-6)
    printed = np.linalg.solve(RIDGE * np.eye(3) + near, right)
    fixed = np.allclose(moved, one, atol=1e-6)
    fixed &= not np.allclose(printed, one, atol=1e-3)
    return {
        "the same": same,
        "another": not same,
        "moves": fixed,
        "keeps": not fixed,
    }[word]


@says("learners.newton", "E is strictly convex, and every step goes [down]", "up")
def downwards(word):
    values = [
        quietly(learners.newton, 5 * X, LABELS, RIDGE, columns=[1], max_iter=t).value
        for t in (1, 2, 3, 5, 8)
    ]
    steps = np.diff(values)
    return bool((steps < 0).all() if word == "down" else (steps > 0).all())


@says(
    "learners.logistic_falkon",
    "w is within ``|g| / [ridge]`` of the minimum, and the objective within "
    "``|g|^2 / ([2] ridge)``, since its curvature is [nowhere] below the ridge",
    "(5 ridge)", "20", "everywhere",
)
def near_the_minimum(by, half, where):
    """Of features so small that there is no curvature beside the ridge."""
    ridge = 5 * RIDGE if "5" in by else RIDGE
    F = 1e-3 * X
    best = quietly(learners.newton, F, LABELS, RIDGE, tol=1e-14)
    told = []
    for size in (0.1, 1e-3):
        w = best.w + size * np.array([1.0, -2, 1])
        g = np.linalg.norm(RIDGE * w - F.T @ (LABELS - expit(F @ w)))
        value = RIDGE / 2 * w @ w - (LABELS * (F @ w) - np.logaddexp(0, F @ w)).sum()
        told.append(np.linalg.norm(w - best.w) <= g / ridge + 1e-12)
        told.append(value - best.value <= g**2 / (float(half) * RIDGE) + 1e-12)
    s = expit(F @ best.w)
    least = np.linalg.eigvalsh(F.T @ np.diag(s * (1 - s)) @ F + RIDGE * np.eye(3))[0]
    return all(told) and (least >= RIDGE) == (where == "nowhere")


# ---- Processes


@says(
    "learners.GaussianProcess",
    "at the landmarks, among the points of the fit, it is [at most] the exact one",
)
@says(
    "learners.GaussianProcess",
    "That of inducing points is no [upper] bound of the exact",
)
def inducing(word):
    S, told = [0, 4, 9, 15], []
    for noise in (0.1, 1.0):
        few, whole = (
            learners.GaussianProcess(noise=noise, gamma=0.5, method=method, **more)
            for method, more in (("inducing", {"landmarks": S}), ("exact", {}))
        )
        one, other = (
            m.fit(X, T).predict(X[S], return_std=True)[1] for m in (few, whole)
        )
        word = {"upper": "at most", "lower": "at least"}.get(word, word)
        told.append(holds(word, one, other) and not np.allclose(one, other))
    return all(told)


@says(
    "learners.GaussianProcess",
    "which is too [sure] of itself [far] from the landmarks",
    "doubtful", "near",
)
def too_sure(word, where):
    few = learners.GaussianProcess(
        noise=0.1, gamma=0.5, method="nystrom", landmarks=[0, 4, 9]
    ).fit(X, T)
    exact = learners.GaussianProcess(noise=0.1, gamma=0.5, method="exact").fit(X, T)
    at = X[:1] + (50.0 if where == "far" else 0.0)
    one, other = (m.predict(at, return_std=True)[1][0] for m in (few, exact))
    return bool(one < other / 10 if word == "sure" else one > 10 * other)


@says("learners.GaussianProcess", "an observation has `noise` [more]", "less")
def without_noise(word):
    model = learners.GaussianProcess(noise=0.1, gamma=0.5, method="exact").fit(X, T)
    std = model.predict(X[:3], return_std=True)[1]
    of_function = 1 - np.diag(K[:3] @ np.linalg.solve(K + 0.1 * np.eye(N), K[:, :3]))
    more = of_function if word == "more" else of_function + 0.2
    return np.allclose(std**2, more)


# ---- Components


def components():
    return learners.KernelPCA(2, kernel="precomputed", method="exact").fit(K)


@says(
    "learners.KernelPCA",
    "The [largest] eigenvalues sigma of the (centred) kernel matrix, [largest] "
    "first",
)
def in_order(which, first):
    H = np.eye(N) - 1 / N
    s = np.linalg.eigvalsh(H @ K @ H)
    s = s[-2:] if which == "largest" else s[1:3]
    s = s[::-1] if first == "largest" else s
    return np.allclose(components().eigenvalues_, s)


@says("learners.KernelPCA", "``u [/] sqrt(sigma)``: new points", "*")
def dual(by):
    made = components()
    roots = np.sqrt(made.eigenvalues_)
    value = made.eigenvectors_ / roots if by == "/" else made.eigenvectors_ * roots
    return np.allclose(made.dual_coef_, value)


@says(
    "learners.KernelPCA",
    "the [sum] of the other eigenvalues [over n]: (5.52)",
    "largest", "over k",
)
def residual(take, by):
    H = np.eye(N) - 1 / N
    s = np.linalg.eigvalsh(H @ K @ H)[:-2]
    value = {"sum": np.sum, "largest": np.max}[take](s) / {"over n": N, "over k": 2}[by]
    return np.isclose(components().residual_, value)


@says(
    "learners.KernelPCA",
    "it lies within ``([1 - k / n]) |K - K~|_2`` of that of K",
    "1 / n",
)
@says(
    "learners.KernelPCA",
    "the residual of K [at most] c [/ n] above the one here",
    "at least", "/ n^2",
)
def near_residual(words, by=None):
    def claim(A, near, E, k=2):
        one, other = (np.linalg.eigvalsh(M)[:-k].sum() / 8 for M in (A, A - E))
        if by is None:
            share = {"1 - k / n": 1 - k / 8, "1 / n": 1 / 8}[words]
            return abs(one - other) <= share * np.linalg.norm(E, 2) + 1e-12
        end = E.trace() / {"/ n": 8, "/ n^2": 64}[by]
        return holds(words, one - other, end)

    flat = [(np.eye(8), None, np.diag([1.0] * 6 + [0, 0]))]
    return everywhere(claim) and all(claim(*case) for case in flat)


@says(
    "learners.KernelPCA",
    "since centring does [not] lengthen the difference",
    "always",
)
def centring(word):
    H = np.eye(8) - 1 / 8
    sizes = [(np.linalg.norm(H @ E @ H, 2), np.linalg.norm(E, 2)) for *_, E in cases()]
    longer = [own > before + 1e-12 for own, before in sizes]
    return not any(longer) if word == "not" else all(longer)


@says("learners.KernelPCA", "times ``|K|_F``, which is [not] centred here", "surely")
def of_what_size(word):
    """A large mean: beside it the eigenvalues of the centred matrix are rounding."""
    A = np.full((6, 6), 1e15) + np.diag([1.0, 2, 3, 4, 5, 6])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept = learners.KernelPCA(kernel="precomputed", method="exact").fit(A)
        dropped = len(kept.eigenvalues_) < 5
    except ValueError:
        dropped = True
    return dropped == (word == "not")
