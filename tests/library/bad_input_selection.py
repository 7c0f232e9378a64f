"""The room of selection: good arguments of its callables, and the kinds of these."""

import bad_input_kinds as kinds
import bad_input_learners as learners
import numpy as np
from bad_input_world import N

from nystheory import selection

_POINTS = np.random.default_rng(7).standard_normal((N, 2))
_NUMBERS = _POINTS[:, 0] - _POINTS[:, 1] ** 2
_WEIGHTS = np.arange(N) % 3 + 1.0


def targets_of(w):
    return np.sin(np.arange(1.0, w.n + 1))


def _criterion(w):
    return selection.criterion, dict(
        K=w.K,
        y=targets_of(w),
        ridge=0.5 * w.unit,
        measure="leave-one-out",
        sample_weight=np.arange(w.n) % 3 + 1.0,
    )


def _enclosure(w):
    return selection.enclosure, dict(
        approximation=w.near,
        y=targets_of(w),
        ridge=0.5 * w.unit,
        measure="leave-one-out",
        products=1,
        sample_weight=np.arange(w.n) % 3 + 1.0,
    )


def _approximate(w):
    given = dict(K=w.K, method="leverage", n_landmarks=4, rng=w.rng, rank=2)
    return selection.approximate, given


def _driven(w):
    given = dict(K=w.K, method="criterion_driven", n_landmarks=4, rng=w.rng)
    return selection.approximate, given | dict(y=targets_of(w))


def _select(w):
    return selection.select, dict(
        kernels=[w.K, np.eye(w.n)],
        y=targets_of(w),
        ridge=[0.5, 2.0],
        rng=w.rng,
        measure="likelihood",
        n_landmarks=4,
        products=1,
        landmarks="uniform",
        eliminate=True,
        sample_weight=_WEIGHTS,
        n_jobs=1,
    )


def _selector(w):
    def fit(**given):
        return selection.KernelSelector(**given).fit(_POINTS, _NUMBERS)

    return fit, dict(
        kernels=["rbf", "linear"],
        ridges=[0.5, 2.0],
        measure="likelihood",
        n_landmarks=4,
        products=1,
        landmarks="uniform",
        eliminate=True,
        fit_intercept=True,
        refit=True,
        random_state=0,
        n_jobs=1,
    )


def _made():
    return selection.KernelSelector(["rbf", "linear"], [0.5], random_state=0)


def _fit(w):
    def fit(X, y, sample_weight):
        return _made().fit(X, y, sample_weight)

    return fit, dict(X=_POINTS, y=_NUMBERS, sample_weight=_WEIGHTS)


def _predict(w):
    return _made().fit(_POINTS, _NUMBERS).predict, dict(X=_POINTS[:5])


CALLS = {
    "selection.criterion": _criterion,
    "selection.enclosure": _enclosure,
    "selection.approximate": _approximate,
    "selection.approximate, criterion_driven": _driven,
    "selection.select": _select,
    "selection.KernelSelector": _selector,
    "selection.KernelSelector.fit": _fit,
    "selection.KernelSelector.predict": _predict,
}


def told(answer):
    """The numbers of an answer, and the power of the unit that each has."""
    if isinstance(answer, selection.Enclosure):
        return [(answer.lower, 0), (answer.upper, 0), (answer.estimate, 0)]
    if isinstance(answer, selection.Outcome):
        return [(answer.best, 0), (answer.estimate, 0), (answer.lower, 0)]
    return [*told(answer.outcome_), (answer.predict(_POINTS[:5]), 0)]


TOLD = selection.Enclosure, selection.Outcome, selection.KernelSelector


# --- Kinds of arguments ---------------------------------------------------------------


def drawn_by(base, w=None):
    """Targets of criterion-driven sampling: not all of them are zero."""
    yield from kinds.vector(base, w)
    yield "zeros", np.zeros(N), "clear"
    yield "two columns", np.column_stack([base, base]), "clear"


def one_or_more(base, w=None):
    """A number above 0, or several."""
    for name, value, want in kinds.positive(base, w):
        if name not in ("a list", "an array"):
            yield name, value, want
    yield "none", [], "clear"
    yield "zero among them", [base, 0.0], "clear"
    yield "nan among them", [base, np.nan], "clear"
    yield "words", ["1", "2"], "clear"


def several(base, w=None):
    """Some ridges in a sequence; one alone, or None, is another good value."""
    for name, value, want in learners.ridges(base, w):
        if name not in ("a number", "None"):
            yield name, value, want


def of_any_kernel(base, w):
    """The ends are those of its own K; a mixture has others, as it has no landmarks."""
    for name, value, want in kinds.approximation(base, w):
        if name not in ("of another kernel", "an ensemble of it"):
            yield name, value, want


def kernels(base, w):
    """Kernel matrices of the same points, in a list or by name."""
    first, other = base
    for name, value in (
        ("None", None),
        ("a number", 3),
        ("none", []),
        ("no names", {}),
        ("a word", "rbf"),
        ("words", ["rbf"]),
        ("Nones", [None]),
        ("of another size", [first, np.eye(w.n + 1)]),
        ("indefinite", [first, -np.eye(w.n)]),
        ("not symmetric", [first, np.eye(w.n) + np.triu(np.ones((w.n, w.n)), 1)]),
        ("nan", [first, np.full((w.n, w.n), np.nan)]),
        ("an approximation", [w.near]),
        ("a function", np.sum),
    ):
        yield name, value, "clear"
    yield "a tuple", tuple(base), "right"
    yield "by name", {"first": first, "other": other}, "right"


def kernels_of_points(base, w):
    """Names, pairs, functions and grids."""
    for name, value in (
        ("a number", 3),
        ("none", []),
        ("no names", {}),
        ("an unknown word", ["nope"]),
        ("no kernel", ["sigmoid"]),
        ("Nones", [None]),
        ("numbers", [1.0]),
        ("of another parameter", [("rbf", {"foo": 1.0})]),
        ("a negative width", [("rbf", {"gamma": -1.0})]),
        ("a grid without values", {"rbf": {"gamma": []}}),
        ("a function that is none", [lambda x, y: -1.0]),
        ("a matrix", [np.eye(N)]),
    ):
        yield name, value, "clear"
    yield "a tuple", tuple(base), "right"
    yield "by name", {name: {} for name in base}, "right"


OVERRIDES = {
    ("selection.enclosure", "approximation"): of_any_kernel,
    ("sampling.criterion_driven", "y"): drawn_by,
    ("sampling.update_probability_criterion", "y"): drawn_by,
    ("selection.approximate", "rank"): lambda base, w: kinds.integer(base, w, 1, 4),
    ("selection.approximate, criterion_driven", "y"): drawn_by,
    ("selection.select", "kernels"): kernels,
    ("selection.select", "ridge"): several,
    ("selection.select", "n_landmarks"): lambda base, w: kinds.integer(base, w),
    ("selection.KernelSelector", "kernels"): kinds.optional(kernels_of_points),
    ("selection.KernelSelector", "n_landmarks"): lambda base, w: kinds.integer(base, w),
    ("selection.KernelSelector", "random_state"): kinds.seed,
    ("selection.KernelSelector.fit", "X"): kinds.features_points,
    ("selection.KernelSelector.fit", "y"): learners.one_target,
    ("selection.KernelSelector.predict", "X"): kinds.new_features_points,
}
for _name in CALLS:
    for _argument, _kind in {
        "y": learners.one_target,
        "ridge": one_or_more,
        "ridges": several,
        "measure": kinds.choice,
        "landmarks": kinds.choice,
        "eliminate": kinds.truth,
        "fit_intercept": kinds.truth,
        "refit": kinds.truth,
        "n_jobs": kinds.optional(kinds.jobs),
        "products": lambda base, w: kinds.integer(base, w, 0),
        "sample_weight": kinds.optional(learners.weights),
    }.items():
        OVERRIDES.setdefault((_name, _argument), _kind)
