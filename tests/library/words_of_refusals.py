"""What docstrings say of refusals and warnings, and whether it is so.

Beside a phrase stands a case of what its word says, which has to be refused (or warned
of), and one of the contrary, which has to pass.
"""

import warnings

import numpy as np
from scipy import sparse
from sklearn.preprocessing import FunctionTransformer
from words_of_docstrings import says

from nystheory import (
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
from nystheory.sampling import FewerLandmarks

K = np.diag([3.0, 2, 1, 0.5])
LOW = np.diag([3.0, 2, 0, 0])
INDEFINITE = np.array([[1.0, 2], [2, 1]])
ERRORS = ValueError, TypeError, IndexError


def rng():
    return np.random.default_rng(0)


def refused(case):
    try:
        case()
    except ERRORS:
        return True
    return False


def warned(case):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        case()
    return any(issubclass(each.category, FewerLandmarks) for each in told)


def stops(name, phrase, cases, how=refused):
    """A phrase with one word, and two cases: of it, and of the contrary."""
    said, contrary = cases

    def check(word):
        other = contrary if word == said else said
        return how(cases[word]) and not how(cases[other])

    says(name, phrase, contrary)(check)


# ---- Schemes

SCHEMES = {"column_norm": {}, "diagonal": {}, "leverage": {"rank": 2}}
PHRASES = {
    "If, [without] replacement, fewer than l columns": [(3, False), (3, True)],
    "If, without replacement, [fewer] than l columns": [(3, False), (1, False)],
}


def drawn(scheme, size, replace):
    """A draw of so many columns of a matrix of which two are not zero."""
    call, more = getattr(sampling, scheme), SCHEMES[scheme]
    return lambda: call(LOW, size, rng(), replace=replace, **more)


for scheme in SCHEMES:
    for phrase, tried in PHRASES.items():
        pair = ("without", "with") if "[without]" in phrase else ("fewer", "more")
        given = {w: drawn(scheme, *x) for w, x in zip(pair, tried, strict=True)}
        stops(f"sampling.{scheme}", phrase, given, warned)

stops(
    "sampling.uniform",
    "is below 1, or above n [without] replacement",
    {"without": lambda: sampling.uniform(K, 5, rng()),
     "with": lambda: sampling.uniform(K, 5, rng(), replace=True)},
)
stops(
    "sampling.dpp",
    "If ``n_landmarks`` is [not] below the rank of K",
    {"not": lambda: sampling.dpp(LOW, 2, rng()),
     "surely": lambda: sampling.dpp(LOW, 1, rng())},
)
stops(
    "sampling.dpp",
    "`alpha` is not above 0, [not just one] of them is given",
    {"not just one": lambda: sampling.dpp(K, 1, rng(), alpha=1.0),
     "just one": lambda: sampling.dpp(K, None, rng(), alpha=1.0)},
)
stops(
    "sampling.bless",
    "alpha is [below] the rounding of K",
    {"below": lambda: sampling.bless(K, None, rng(), alpha=1e-18),
     "above": lambda: sampling.bless(K, None, rng(), alpha=1e-2)},
)
stops(
    "sampling.user",
    "or [not just one] of the two is given",
    {"not just one": lambda: sampling.user(
        K, 2, rng(), indices=[0, 1], probabilities=[0.25] * 4),
     "just one": lambda: sampling.user(K, 2, rng(), indices=[0, 1])},
)
stops(
    "sampling.log_elementary",
    "If a value is not a finite number [above] 0",
    {"above": lambda: sampling.log_elementary(np.array([1.0, 0.0]), 1),
     "below": lambda: sampling.log_elementary(np.array([1.0, 2.0]), 1)},
)

# ---- Approximations and mixtures

stops(
    "lowrank.nystrom",
    "or W is [not] positive semidefinite",
    {"not": lambda: lowrank.nystrom(kernels.DenseKernel(INDEFINITE), [0, 1]),
     "surely": lambda: lowrank.nystrom(kernels.DenseKernel(np.eye(2)), [0, 1])},
)
stops(
    "lowrank.from_factor",
    "If the landmarks carry [no] factor",
    {"no": lambda: lowrank.from_factor(sampling.uniform(K, 2, rng())),
     "a": lambda: lowrank.from_factor(sampling.incomplete_cholesky(K, 2))},
)
stops(
    "ensemble.samples",
    "If there are [not] ``p l`` columns",
    {"not": lambda: ensemble.samples(K, 2, 3, rng()),
     "always": lambda: ensemble.samples(K, 2, 2, rng())},
)
stops(
    "ensemble.experts",
    "`rank` is [above] the number of landmarks of one",
    {"above": lambda: ensemble.experts(K, [[0, 1], [2]], 2),
     "below": lambda: ensemble.experts(K, [[0, 1], [2, 3]], 1)},
)
for name in ("ridge_weights", "nonnegative_weights"):
    call = getattr(ensemble, name)
    stops(
        f"ensemble.{name}",
        "G is [not] positive semidefinite",
        {"not": lambda call=call: call(INDEFINITE, [1.0, 1], 0.1),
         "surely": lambda call=call: call(np.eye(2), [1.0, 1], 0.1)},
    )
    stops(
        f"ensemble.{name}",
        "or the ridge is [negative]",
        {"negative": lambda call=call: call(np.eye(2), [1.0, 1], -0.1),
         "positive": lambda call=call: call(np.eye(2), [1.0, 1], 0.1)},
    )

# ---- Learners and measures


def mixture(weights):
    made = [lowrank.nystrom(K, S) for S in ([0, 1], [2, 3])]
    return ensemble.Ensemble(tuple(made), weights)


stops(
    "learners.Preconditioner",
    "or the approximation is none, or has [negative] weights",
    {"negative": lambda: learners.Preconditioner(mixture([1.5, -0.5]), 1.0),
     "positive": lambda: learners.Preconditioner(mixture([0.5, 0.5]), 1.0)},
)


def factors(singular):
    """An expert twice, or two that share nothing: F^T F has entries 1 or 0 and 1."""
    one, other = lowrank.nystrom(np.diag([4.0, 4]), [0]), [0 if singular else 1]
    return ensemble.Ensemble(
        (one, lowrank.nystrom(np.diag([4.0, 4]), other)), [0.25, 0.25]
    )


def own_features(singular):
    """A map that leaves points as they are."""
    model = learners.FeatureRidge(FunctionTransformer(), ridge=1e-18)
    second = 1.0 if singular else 0.0
    return model.fit([[1.0, second], [second, 1.0]], [1.0, 2.0])


def paths(singular):
    model = learners.FeatureRidge(FunctionTransformer(), ridge=1.0)
    second = 1.0 if singular else 0.0
    return model.fit([[1.0, second], [second, 1.0]], [1.0, 2.0]).path([1e-18])


for name, phrase, call in (
    ("learners.Preconditioner", "``F^T F`` is [singular] and the ridge below",
     lambda singular: learners.Preconditioner(factors(singular), 1e-18)),
    ("lowrank.Factored.inverse_diagonal", "``F^T F`` is [singular] and alpha below",
     lambda singular: factors(singular).inverse_diagonal(1e-18)),
    ("learners.FeatureRidge.fit", "``F^T F`` is [singular] and the ridge below",
     own_features),
    ("learners.FeatureRidge.path", "``F^T F`` is [singular] and a ridge below", paths),
    ("learners.FeatureRidge", "is an error where ``F^T F`` is [singular]",
     own_features),
):
    stops(name, phrase, {
        "singular": lambda call=call: call(True),
        "regular": lambda call=call: call(False),
    })

stops(
    "learners.Preconditioner",
    "is singular and the ridge [below] its rounding",
    {"below": lambda: learners.Preconditioner(factors(True), 1e-18),
     "above": lambda: learners.Preconditioner(factors(True), 1e-6)},
)
stops(
    "selection.criterion",
    "a ridge is not [above] 0",
    {"above": lambda: selection.criterion(K, np.ones(4), 0.0),
     "below": lambda: selection.criterion(K, np.ones(4), 1.0)},
)
stops(
    "selection.criterion",
    "[no] weight is above 0",
    {"no": lambda: selection.criterion(K, np.ones(4), 1.0, sample_weight=np.zeros(4)),
     "each": lambda: selection.criterion(K, np.ones(4), 1.0, sample_weight=np.ones(4))},
)
stops(
    "selection.criterion",
    "or a mixture has [negative] weights",
    {"negative": lambda: selection.criterion(mixture([1.5, -0.5]), np.ones(4), 1.0),
     "positive": lambda: selection.criterion(mixture([0.5, 0.5]), np.ones(4), 1.0)},
)
stops(
    "selection.enclosure",
    "if the approximation is [not] known to be below its K",
    {"not": lambda: selection.enclosure(
        lowrank.column_sampling(K, [0, 1]), np.ones(4), 1.0),
     "surely": lambda: selection.enclosure(
         lowrank.nystrom(K, [0, 1]), np.ones(4), 1.0)},
)
stops(
    "guarantees.estimate",
    "or [not] known to be below K, K is zero",
    {"not": lambda: guarantees.estimate(K, lowrank.column_sampling(K, [0, 1])),
     "surely": lambda: guarantees.estimate(K, lowrank.nystrom(K, [0, 1]))},
)
stops(
    "guarantees.effective_dimension",
    "or there is a sample and [no] `rng`",
    {"no": lambda: guarantees.effective_dimension(K, 1.0, n_sample=2),
     "an": lambda: guarantees.effective_dimension(K, 1.0, n_sample=2, rng=rng())},
)

# ---- Manifolds

X = np.random.default_rng(1).standard_normal((8, 2))
FAR = np.linalg.norm(X[:, None] - X[:3], axis=2)
LABELS = np.arange(8) % 2

stops(
    "manifold.neighbours",
    "there are [not] more points than neighbours requested",
    {"not": lambda: manifold.neighbours(X, 8),
     "surely": lambda: manifold.neighbours(X, 7)},
)
stops(
    "manifold.neighbour_error",
    "or there are [fewer] points to learn from than neighbours",
    {"fewer": lambda: manifold.neighbour_error(X, LABELS, rng(), 7),
     "more": lambda: manifold.neighbour_error(X, LABELS, rng(), 3)},
)
stops(
    "manifold.neighbour_error",
    "a share is [not] between 0 and 1",
    {"not": lambda: manifold.neighbour_error(X, LABELS, rng(), test_share=1.5),
     "surely": lambda: manifold.neighbour_error(X, LABELS, rng(), test_share=0.5)},
)
stops(
    "manifold.LandmarkMDS.fit",
    "a distance is [negative]",
    {"negative": lambda: manifold.LandmarkMDS(1).fit(np.where(FAR > 2, -FAR, FAR)),
     "positive": lambda: manifold.LandmarkMDS(1).fit(FAR)},
)
stops(
    "manifold.LandmarkMDS.fit",
    "that of a landmark to itself is [not] zero",
    {"not": lambda: manifold.LandmarkMDS(1).fit(FAR + np.eye(8, 3)),
     "surely": lambda: manifold.LandmarkMDS(1).fit(FAR)},
)
stops(
    "manifold.LandmarkMDS.fit",
    "that between two landmarks [differs] there and back",
    {"differs": lambda: manifold.LandmarkMDS(1).fit(
        FAR + np.eye(8, 3, k=1)),
     "agrees": lambda: manifold.LandmarkMDS(1).fit(FAR)},
)
stops(
    "manifold.NeighbourGraph",
    "or the lengths are [not] symmetric",
    {"not": lambda: graph([[0.0, 1], [2, 0]]),
     "surely": lambda: graph([[0.0, 1], [1, 0]])},
)
stops(
    "manifold.Neighbours",
    "If a point is [among] its own neighbours",
    {"among": lambda: manifold.Neighbours(np.array([[0], [0]]), np.ones((2, 1))),
     "not among": lambda: manifold.Neighbours(np.array([[1], [0]]), np.ones((2, 1)))},
)


def graph(lengths):
    made = sparse.csr_array(np.array(lengths))
    return manifold.NeighbourGraph(made, np.arange(2), 2, np.array([2]))


# ---- Features

stops(
    "features.RandomFourierFeatures.error",
    "or `probability` is [not] between 0 and 1",
    {"not": lambda: waves(1.5), "surely": lambda: waves(0.5)},
)


def waves(probability):
    made = features.RandomFourierFeatures(n_components=4, random_state=0).fit(X)
    return made.error(X, probability=probability)
