"""The room of learners: good arguments of its callables, and the kinds of these."""

from functools import partial

import bad_input_kinds as kinds
import numpy as np
from bad_input_world import N

from nystheory import learners, lowrank

_POINTS = np.random.default_rng(7).standard_normal((N, 2))
_NUMBERS = _POINTS[:, 0] - _POINTS[:, 1] ** 2
_TWO = np.where(_NUMBERS > np.median(_NUMBERS), 1.0, 0.0)
_RIGHT = np.arange(1.0, N + 1)
# Each learner, its targets, and what it is asked of new points.
_LEARNERS = {
    "KernelRidge": (_NUMBERS, ("predict",)),
    "KernelLogistic": (_TWO, ("predict_proba",)),
    "KernelSVC": (_TWO, ()),
    "KernelSVR": (_NUMBERS, ("predict",)),
    "LaplacianRegression": (_NUMBERS, ("predict",)),
    "KernelPCA": (None, ("transform",)),
    "GaussianProcess": (_NUMBERS, ("predict",)),
    "FeatureRidge": (_NUMBERS, ("predict",)),
    "SubspaceClassifier": (_TWO, ("clipped", "decision_function", "predict")),
}
_WEIGHTS = np.arange(N) % 3 + 1.0
_EXACT = {"loss": "square", "random_state": 0}


def _made(name):
    own = {"KernelPCA": {"n_components": 2}, "SubspaceClassifier": _EXACT}
    return getattr(learners, name)(**own.get(name, {}))


def _fitted(name):
    return _made(name).fit(_POINTS, _LEARNERS[name][0])


def _own(model, name):
    """What a fit has learned, as numbers at new points."""
    for asked in ("decision_function", "transform", "predict"):
        if hasattr(model, asked):
            found = getattr(model, asked)(_POINTS[:5])
            return abs(found) if asked == "transform" else found  # signs are free


def _fit(name, w):
    y = _LEARNERS[name][0]

    def fit(X, **given):
        return _own(_made(name).fit(X, **given), name)

    given = dict(X=_POINTS) if y is None else dict(X=_POINTS, y=y)
    if name == "LaplacianRegression":
        given |= dict(labelled=np.arange(N))
    if name == "SubspaceClassifier":
        given |= dict(sample_weight=_WEIGHTS)
    return fit, given


def _asked(name, method, w):
    return getattr(_fitted(name), method), dict(X=_POINTS[:5])


def _fit_transform(w):
    return lambda X: abs(_made("KernelPCA").fit_transform(X)), dict(X=_POINTS)


def _partial_fit(w):
    def first(X, y):
        return learners.FeatureRidge().partial_fit(X, y).coef_

    return first, dict(X=_POINTS, y=_NUMBERS)


def _partial_fit_again(w):
    def more(X, y):
        return _fitted("FeatureRidge").partial_fit(X, y).coef_

    return more, dict(X=_POINTS, y=_NUMBERS)


def _chunk(w):
    def first(X, y, classes, sample_weight):
        model = _made("SubspaceClassifier")
        return _own(model.partial_fit(X, y, classes, sample_weight), "a classifier")

    return first, dict(
        X=_POINTS, y=_TWO, classes=np.array([0.0, 1.0]), sample_weight=_WEIGHTS
    )


def _probabilities(w):
    model = learners.SubspaceClassifier(loss="logistic", random_state=0)
    return model.fit(_POINTS, _TWO).predict_proba, dict(X=_POINTS[:5])


def _path(w):
    return _fitted("FeatureRidge").path, dict(ridges=[0.5, 2.0])


def _of_process(w):
    """With the deviation, of a stored kernel, which is told its diagonal."""
    model = learners.GaussianProcess(0.5, kernel="precomputed").fit(w.K, _RIGHT)
    rows = np.asarray(w.K, dtype=float)[:5]
    given = dict(X=rows, return_std=True, own=np.diag(np.asarray(w.K))[:5])
    return model.predict, given


def _preconditioner(w):
    return learners.Preconditioner(w.near, 0.5 * w.unit)


def _system(w):
    return learners.conjugate_gradients, dict(
        K=w.K,
        b=_RIGHT,
        ridge=0.5 * w.unit,
        preconditioner=_preconditioner(w),
        tol=1e-10,
        max_iterations=100,
    )


def _restricted(w):
    return learners.restricted, dict(
        K=w.K,
        landmarks=w.S,
        y=_RIGHT,
        ridge=0.5 * w.unit,
        sketch=16,
        rng=w.rng,
        tol=1e-10,
        max_iterations=100,
    )


def _direct(w):
    given = dict(K=w.K, landmarks=w.S, y=_RIGHT, ridge=0.5 * w.unit)
    return learners.restricted, given


def _falkon(w):
    return learners.falkon, dict(
        K=w.K,
        landmarks=w.S,
        y=_RIGHT,
        ridge=0.5 * w.unit,
        weights=_RIGHT,
        tol=1e-10,
        max_iterations=100,
    )


def _logistic(w):
    def coefficients(**given):
        return learners.logistic_falkon(**given).w

    given = dict(K=w.K, landmarks=w.S, y=_TWO, ridge=0.5 * w.unit)
    return coefficients, given | dict(tol=1e-12, max_iter=50)


CALLS = {
    "learners.conjugate_gradients": _system,
    "learners.restricted": _direct,
    "learners.restricted, sketch": _restricted,
    "learners.falkon": _falkon,
    "learners.logistic_falkon": _logistic,
    "learners.tolerated_error": lambda w: (
        learners.tolerated_error,
        dict(ridge=0.5, condition=3.0, below=True, delta=0.1),
    ),
    "learners.Preconditioner": lambda w: (
        lambda **given: learners.Preconditioner(**given).solve(_RIGHT),
        dict(approximation=w.near, ridge=0.5 * w.unit),
    ),
    "learners.Preconditioner.solve": lambda w: (
        _preconditioner(w).solve,
        dict(B=_RIGHT),
    ),
    "learners.Preconditioner.condition": lambda w: (
        _preconditioner(w).condition,
        dict(K=w.K, ridge=0.7 * w.unit),
    ),
    "learners.newton": lambda w: (
        lambda **given: learners.newton(**given).w,
        dict(X=_POINTS, y=_TWO, ridge=2.0, columns=[0], tol=1e-10, max_iter=50),
    ),
    **{f"learners.{name}.fit": partial(_fit, name) for name in _LEARNERS},
    **{
        f"learners.{name}.{method}": partial(_asked, name, method)
        for name, (_, asked) in _LEARNERS.items()
        for method in asked
    },
    "learners.KernelPCA.fit_transform": _fit_transform,
    "learners.GaussianProcess.predict, deviation": _of_process,
    "learners.FeatureRidge.partial_fit": _partial_fit,
    "learners.FeatureRidge.partial_fit, more": _partial_fit_again,
    "learners.FeatureRidge.path": _path,
    "learners.SubspaceClassifier.partial_fit": _chunk,
    "learners.SubspaceClassifier.predict_proba": _probabilities,
}
# By how much an answer grows with K, as a power.
POWERS = {
    "learners.conjugate_gradients": -1,
    "learners.restricted": -1,
    "learners.restricted, sketch": -1,
    "learners.falkon": -1,
    "learners.logistic_falkon": -1,
    "learners.Preconditioner": -1,
    "learners.Preconditioner.solve": -1,
}


# --- Kinds of arguments ---------------------------------------------------------------


def targets(base, w=None):
    """Real numbers, one for each point."""
    for name, value, want in kinds.vector(base, w):
        if name not in ("a dimension more", "sparse"):  # several targets
            yield name, value, want


def one_target(base, w=None):
    yield from targets(base, w)
    yield "two columns", np.column_stack([base, base]), "clear"


def labels(base, w=None):
    """Of two classes, in scikit-learn's words."""
    for name, value, want in kinds.vector(base, w):
        if name not in ("strings", "strings as objects", "dates", "complex"):
            yield name, value, want
    yield "one class", np.ones(N), "clear"
    yield "three classes", np.arange(N) % 3, "clear"
    yield "fractions", np.linspace(0, 1, N), "clear"


def labels_of_some(base, w=None):
    """Of a chunk, which may have fewer classes than there are."""
    for name, value, want in many_labels(base, w):
        if name != "one class":
            yield name, value, want
    yield "another label", 2 * base, "clear"


def classes(base, w=None):
    """All labels, in any order."""
    yield "a list", base.tolist(), "right"
    yield "in another order", base[::-1], "right"
    yield "integers", base.astype(int), "right"
    yield "one class", base[:1], "clear"
    yield "a number", 1.0, "clear"
    yield "a matrix", base[None] + np.zeros((2, 1)), "clear"
    yield "nan", np.array([0.0, np.nan]), "clear"


def weights(base, w=None):
    """Numbers of at least 0, one for each point and not all 0."""
    yield from kinds.vector(base, w)
    for name, value in (("zeros", 0.0), ("negative", -1.0)):
        yield name, np.full(N, value), "clear"


def many_labels(base, w=None):
    """Of two classes or more."""
    for name, value, want in labels(base, w):
        if name != "three classes":
            yield name, value, want


def ridges(base, w=None):
    """Numbers above 0, any number of them."""
    yield from kinds.loose_vector(base, w)
    for name, value in (("zero", 0.0), ("negative", -1.0)):
        yield name, [0.5, value], "clear"


def share(base, w=None):
    yield from kinds.positive(base, w)
    yield "two", 2.0, "clear"


def above_one(base, w=None):
    yield from kinds.positive(base, w)
    yield "one", 1, "clear"


def sketch(base, w=None):
    yield from kinds.integer(base, w, low=4)


def preconditioner(base, w):
    of_three = learners.Preconditioner(lowrank.nystrom(np.eye(3), [0]), 1)
    for name, value in (
        ("a word", "nystrom"),
        ("an approximation", w.near),
        ("a number", 1.0),
        ("K", w.K),
        ("a function", np.sum),
        ("of another size", of_three),
    ):
        yield name, value, "clear"


def any_approximation(base, w):
    """It need not be below K, nor of a K that is asked for."""
    fine = ("not below K", "of another kernel", "of another size")
    for name, value, want in kinds.approximation(base, w):
        if name not in fine:
            yield name, value, want


OVERRIDES = {
    ("learners.tolerated_error", "condition"): above_one,
    ("learners.tolerated_error", "below"): kinds.truth,
    ("learners.tolerated_error", "delta"): share,
    ("learners.tolerated_error", "ridge"): kinds.positive,
    ("learners.conjugate_gradients", "b"): targets,
    ("learners.conjugate_gradients", "ridge"): kinds.positive,
    ("learners.conjugate_gradients", "preconditioner"): preconditioner,
    ("learners.conjugate_gradients", "tol"): share,
    ("learners.restricted", "y"): targets,
    ("learners.restricted, sketch", "y"): targets,
    ("learners.restricted, sketch", "ridge"): kinds.positive,
    ("learners.restricted, sketch", "sketch"): sketch,
    ("learners.restricted, sketch", "tol"): share,
    ("learners.falkon", "y"): targets,
    ("learners.falkon", "ridge"): kinds.positive,
    ("learners.falkon", "weights"): kinds.optional(weights),
    ("learners.falkon", "tol"): share,
    ("learners.logistic_falkon", "y"): one_target,
    ("learners.logistic_falkon", "ridge"): kinds.positive,
    ("learners.Preconditioner", "ridge"): kinds.positive,
    ("learners.Preconditioner", "approximation"): any_approximation,
    ("learners.Preconditioner.condition", "ridge"): kinds.positive,
    ("learners.newton", "X"): kinds.matrix,
    ("learners.newton", "y"): one_target,
    ("learners.newton", "ridge"): kinds.positive,
    ("learners.newton", "columns"): kinds.optional(partial(kinds.indices, high=2)),
    ("learners.LaplacianRegression.fit", "labelled"): kinds.optional(kinds.indices),
    ("learners.FeatureRidge.partial_fit", "X"): kinds.features_points,
    ("learners.FeatureRidge.path", "ridges"): ridges,
    ("learners.SubspaceClassifier.fit", "sample_weight"): kinds.optional(weights),
    ("learners.SubspaceClassifier.partial_fit", "sample_weight"): kinds.optional(
        weights
    ),
    ("learners.SubspaceClassifier.partial_fit", "classes"): classes,
    ("learners.SubspaceClassifier.partial_fit", "y"): labels_of_some,
    ("learners.GaussianProcess.predict, deviation", "own"): kinds.vector,
    ("learners.GaussianProcess.predict, deviation", "return_std"): kinds.truth,
}
for _name in CALLS:
    _kind, _, _method = _name.removeprefix("learners.").partition(".")
    if _kind not in _LEARNERS:
        continue
    if (_name, "X") not in OVERRIDES:
        _new = _method not in ("fit", "fit_transform")
        OVERRIDES[_name, "X"] = (
            kinds.new_features_points if _new else kinds.features_points
        )
    if (
        "fit" in _method
        and (_name, "y") not in OVERRIDES
        and _LEARNERS[_kind][0] is not None
    ):
        _several = _kind in ("KernelRidge", "FeatureRidge")
        _labels = many_labels if _kind == "SubspaceClassifier" else labels
        OVERRIDES[_name, "y"] = (
            _labels
            if _LEARNERS[_kind][0] is _TWO
            else (targets if _several else one_target)
        )
HIGHEST = {"max_iterations": None, "max_iter": None}
