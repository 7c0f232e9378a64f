"""What docstrings say of limits, entries and sizes in words, and whether it is true."""

import warnings
from unittest import mock

import numpy as np
from words_of_decays import K, X
from words_of_docstrings import NORMS, holds, says
from words_of_machines import LABELS
from words_of_mixtures import OUT, SEEN
from words_of_mixtures import K as SMALL
from words_of_selection import FOUND, GAMMAS, RIDGES, T, outcome
from words_of_selection import X as POINTS

from nystheory import (
    _semidefinite,
    ensemble,
    features,
    guarantees,
    kernels,
    learners,
    lowrank,
    manifold,
    sampling,
    selection,
)
from nystheory.chapters import theorems
from nystheory.features import _choice

Y = np.sin(np.arange(30.0))


def refused(function, *given, **more):
    """Whether it is an error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*given, **more)
    except ValueError:
        return True
    return False


def at_end(word, *tries):
    """Of three tries, below an end, at it and above it, those on one side pass."""
    told = [refused(*each) for each in tries]
    return told == ([False, False, True] if word == "at most" else [True, False, False])


# ---- Limits


@says(
    "ensemble.experts",
    "The rank k of each expert, [at most] its number of landmarks",
)
def rank_of_experts(word):
    tries = [(ensemble.experts, SMALL, [[0, 1, 2]], k) for k in (2, 3, 4)]
    return at_end(word, *tries)


@says("guarantees.decay", "counted from 1, [at least] five of them")
def five(word):
    return at_end(
        word, *((lambda k: guarantees.decay(K, ranks=(1, k)), k) for k in (4, 5, 6))
    )


@says("guarantees.landmarks_for_learning", "Positive semidefinite, n [at least] 20")
def twenty(word):
    return at_end(word, *(
        (guarantees.landmarks_for_learning, K[:n, :n], Y[:n], "square")
        for n in (19, 20, 21)
    ))


def weights(end):
    w = np.ones(24)
    w[0] = end
    return w


@says("learners.SubspaceClassifier.fit", "The weights of the losses, [at least] 0")
@says("selection.criterion", "Weights w of the points, [at least] 0")
@says(
    "learners.falkon",
    "Of the points, [at least] 0 and [not] all of them",
    "at most", "surely",
)
def no_negative_weights(word, other="not"):
    ends = (-1e-9, 0.0, 1e-9)
    model = learners.SubspaceClassifier(landmarks=[0, 1, 2], gamma=0.5)
    P = kernels.rbf(POINTS, 0.5)
    zero = refused(learners.falkon, P, [0, 1], T, 1.0, weights=np.zeros(24))
    return zero == (other == "not") and all(
        at_end(word, *((call, weights(end)) for end in ends))
        for call in (
            lambda w: model.fit(POINTS, LABELS, sample_weight=w),
            lambda w: selection.criterion(P, T, 1.0, sample_weight=w),
            lambda w: learners.falkon(P, [0, 1], T, 1.0, weights=w),
        )
    )


@says("learners.conjugate_gradients", "q of [at least] 1")
def systems(word):
    def solve(q):
        learners.conjugate_gradients(K, np.ones((30, q)), 1.0)

    return at_end(word, *((solve, q) for q in (0, 1, 2)))


@says("learners.LaplacianRegression", "the kernel between them, of [at least] 0")
def weights_of_edges(word):
    def fit(end):
        W = np.eye(5) + 0.2
        W[0, 1] = W[1, 0] = end
        model = learners.LaplacianRegression(kernel="precomputed", method="exact")
        model.fit(W, np.arange(5.0))

    return at_end(word, *((fit, end) for end in (-0.1, 0.0, 0.1)))


@says(
    "manifold.Neighbours.graph",
    "The number t of neighbours, [at most] as many as were",
)
def found(word):
    near = manifold.neighbours(X, 4)
    return at_end(word, *((near.graph, t) for t in (3, 4, 5)))


@says("sampling.uniform", "of columns, [at most] n [without] replacement")
def all_columns(word, law):
    def drawn(size):
        replace = law == "with"
        sampling.uniform(np.eye(6), size, np.random.default_rng(0), replace=replace)

    return at_end(word, *((drawn, size) for size in (5, 6, 7)))


@says("sampling.update_probability_criterion", "The rank k, [at most] ``|I|``")
@says("sampling.update_probability_partial", "The rank k', [at most] ``|R|``")
def ranks(word):
    A, y = np.diag([5.0, 4, 3, 2, 1]), np.arange(5.0)
    return all(
        at_end(word, *((call, k) for k in (1, 2, 3)))
        for call in (
            lambda k: sampling.update_probability_partial(A, [0, 1], k),
            lambda k: sampling.update_probability_criterion(A, [0, 1], y, k),
        )
    )


@says(
    "guarantees.promises",
    "``mu_max=``, the [largest] of their weights, which are [convex]",
    "smallest", "free",
)
def weights_of_experts(end, kind):
    """Of convex weights the largest is from 1 / p to 1: others are refused."""
    given = [{"experts": 3, "mu_max": mu} for mu in (0.3, 0.4, 1.1)]
    told = [refused(guarantees.promises, K, 6, **each) for each in given]
    least = {"largest": 1 / 3, "smallest": 0.0}[end]
    return told == [0.3 < least, 0.4 < least, kind == "convex"]


# ---- Entries


@says("ensemble.Validation.error", "Costs O(p^2) operations; [no] entry of K is read")
@says("ensemble.Validation.first", "Costs O(p^2) operations; [no] entry of K is read")
@says("ensemble.choose_weights", "O(p^2) for each eta; [no] entry of K is read")
@says("selection.Outcome.summary", "Costs [no] entry of K")
@says("selection.Outcome.table", "Costs [no] entry of K")
@says("selection.Outcome.ranks", "Costs [no] entry of K")
def read(word):
    """No matrix is asked while they answer."""
    asked = []

    def listen(self, index):
        asked.append(index)

    with mock.patch.object(kernels.KernelMatrix, "__getitem__", listen, create=True), \
            mock.patch.object(kernels.KernelMatrix, "dense", listen):
        SEEN.error([0.2, 0.3, 0.5])
        SEEN.first(2)
        for method in ("ridge", "exponential", "nonnegative"):
            ensemble.choose_weights(method, SEEN, OUT)
        FOUND[0].summary(), FOUND[0].table(), FOUND[0].ranks()
    return bool(asked) == (word == "each")


@says(
    "kernels.as_kernel",
    "the n^2 words and [1000]^3 / 3 operations [at most]",
    "500", "at least",
)
def factored(size, word):
    seen, own = [], _semidefinite.factored

    def listen(A, name="K"):
        seen.append(len(A))
        return own(A, name)

    with mock.patch.object(_semidefinite, "factored", listen):
        for n in (40, 1000, 1100):
            kernels.as_kernel(np.eye(n))
    return holds(word, seen, float(size))


@says(
    "features.NystromFeatures",
    "Up to [an eighth] more columns (and [at least] 16) are asked",
    "a quarter", "at most",
)
def more_columns(part, word):
    """How the factor grows, a part at a time."""
    sizes, own = [], _choice._enlarge
    A = np.random.default_rng(0).standard_normal((400, 400))

    def listen(run, factor, size):
        sizes.append((run.l, size))
        return own(run, factor, size)

    with mock.patch.object(_choice, "_enlarge", listen):
        features.NystromFeatures(
            kernel="precomputed", tol=0.02, random_state=0
        ).fit(A @ A.T)
    before, after = np.array(sizes, dtype=float).T
    by = {"an eighth": 8, "a quarter": 4}[part]
    steps = after - before
    inner = after < 400
    large = inner & (before // by > 16)
    exact = large.any() and np.array_equal(steps[large], before[large] // by)
    return exact and holds(word, steps[inner], 16)


# ---- Sizes


@says(
    "learners.FeatureRidge",
    "Beside a mean much [larger] than the errors these are lost in the rounding "
    "of ``|y|^2``, with [a warning]",
    "smaller", "silence",
)
def lost(word, told):
    y = POINTS[:, 0] + 0.1 * T + (1e9 if word == "larger" else 1e-9)
    constant = np.column_stack([POINTS, np.ones(24)])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            learners.FeatureRidge(ridge=[1e-9, 1e-8]).fit(constant, y)
        except ValueError:
            return False
    return bool(heard) == (told == "a warning")


@says("learners.FeatureRidge", "the class is that of the [largest] prediction")
def of_the_class(word):
    classes = POINTS[:, :3].argmax(axis=1)
    y = np.where(classes[:, None] == np.arange(3), 1.0, -1)
    predicted = learners.FeatureRidge(ridge=1e-3).fit(POINTS, y).predict(POINTS)
    end = {"largest": np.argmax, "smallest": np.argmin}[word]
    return np.mean(end(predicted, axis=1) == classes) > 0.8


@says("learners.FeatureRidge", "in d dimensions: take a ridge as much [smaller]")
def as_much(word):
    """Weights c times as large with a ridge c times as small are one problem."""
    c = 50.0
    by = 1 / c if word == "smaller" else c
    one = learners.FeatureRidge(ridge=0.3).fit(POINTS, T)
    other = learners.FeatureRidge(ridge=0.3 * by, penalty=np.full(3, c)).fit(POINTS, T)
    return np.allclose(one.coef_, other.coef_)


@says(
    "learners.KernelSVC",
    "an eigenvalue below ``-[sqrt(eps)]`` of its [largest] entry",
    "eps", "smallest",
)
def negative(size, end):
    told = []
    for by in (0.5, 2.0):
        eps = 2.0**-52
        slack = {"sqrt(eps)": eps**0.5, "eps": eps}[size]
        A = np.diag([4.0, 1, 1e-3, 1])
        A[2, 2] = -by * slack * {"largest": 4.0, "smallest": 1e-3}[end]
        P = kernels.DenseKernel(A)
        model = learners.KernelSVC(method="exact")
        told.append(refused(model.fit, P, [0, 1, 0, 1]))
    return told == [False, True]


@says("manifold.Isomap", "it bounds other norms where [no] eigenvalue is negative")
def bounds(word):
    """Of a matrix with eigenvalues of both signs the trace bounds nothing."""
    A = np.diag([2.0, 1, 0.5]) if word == "no" else np.diag([2.0, -1.9, 0.1])
    return all(abs(np.trace(A)) >= norm(A) - 1e-12 for norm in NORMS.values())


@says(
    "guarantees.stability",
    "a number that the [spectral] norm of ``K' - K`` does not [exceed]",
    "trace", "fall below",
)
@says(
    "guarantees.stability",
    "or of predictions with features by the [spectral] norm of the difference",
)
@says(
    "guarantees.stability",
    "The [smallest] bound that the claims of the learner's theorem give",
)
def stable(norm, word="exceed"):
    model = learners.KernelRidge(ridge=0.5, kernel="precomputed", method="exact")
    other = K + 0.05 * np.outer(Y, Y)  # of rank one, and a second direction
    other[:5, :5] += 0.1 * np.eye(5)
    by_matrix = guarantees.stability(model, K, other, Y, point_bound=1.0)
    if norm in ("smallest", "largest"):
        ends = [
            theorems["talwalkar2010:prop-5.1"].bound(
                claim=claim, **dict(by_matrix.at)
            )
            for claim in ("bound", "small ridge")
        ]
        end = {"smallest": min, "largest": max}[norm]
        return np.isclose(by_matrix.bound, end(ends))
    size = NORMS[norm](other - K)
    told = guarantees.stability(model, K, size, Y, point_bound=1.0).bound
    more = guarantees.stability(model, K, 2 * size, Y, point_bound=1.0).bound
    return np.isclose(told, by_matrix.bound) and (more > told) == (word == "exceed")


@says("guarantees.Demand", "then `count` is the [smallest] number unless the promise")
def smallest(word):
    from words_of_promises import demands, share_at

    told = []
    for row in demands(0.3, "trace").rows:
        if row.count and row.falls:
            told.append(all(share_at(row, n) > 0.3 for n in range(1, row.count)))
    return all(told) and len(told) > 1 and word == "smallest"


@says("selection.select", "if all others are certainly [worse]", "better")
def the_same_kernel(word):
    """Of kernels that are computed exactly."""
    told = []
    for measure in ("leave-one-out", "likelihood"):
        f = outcome(n_landmarks=12, measure=measure)
        exact = [
            selection.criterion(kernels.rbf(POINTS, g), T, RIDGES, measure=measure)
            for g in GAMMAS
        ]
        others = np.delete(f.status.ravel(), np.argmin(exact))
        told.append((others == f"certainly {word}").all())
        told.append(np.unravel_index(np.argmin(exact), f.status.shape) == f.best)
    return all(told)


@says(
    "learners.tolerated_error",
    "or of ``tr(K - K~)`` for K~ [below] K, is [at most] this",
    "above", "at least",
)
def by_the_trace(side, word):
    """The norm is at most the trace of an error that is semidefinite."""
    told = []
    for size in (2, 4, 8):
        E = K - lowrank.nystrom(K, range(size)).spectral_reconstruction()
        E = E if side == "below" else -E
        told.append((NORMS["spectral"](E), np.trace(E)))
    return holds(word, *np.array(told).T)
