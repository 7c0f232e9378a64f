"""Which theorem bounds how far the predictions of a learner move, and what it reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory.chapters import theorems
from nystheory.learners import (
    GaussianProcess,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
)
from nystheory.learners._learner import PREDICT_WITH, targets, two_classes


@dataclass(frozen=True)
class _Rule:
    """Where the bound of a learner stands, and what of it and of y the lines name."""

    id: str
    claims: tuple[str, ...]
    read: Callable[..., dict[str, float]]
    change: str = "change_2"

    def size(self, y, n: int) -> float:
        """As large are the targets; what moves by more is not told."""
        if self.read is _of_machine:
            return 1.0  # classes are -1 and 1
        largest = float(np.abs(np.asarray(y, float)).max())
        # Of a graph all vertices are told together.
        return largest * math.sqrt(n) if self.read is _of_graph else largest

    def best(self, told: Mapping[str, float]) -> tuple[float, str]:
        """The smallest bound of its claims that float64 can tell, and its name."""
        ask = theorems[self.id].right_side
        found = [(ask(name, **told), name) for name in self.claims]
        found = [each for each in found if not math.isnan(each[0])]
        if not found:
            given = ", ".join(f"{name} = {x:.3g}" for name, x in told.items())
            raise ValueError(
                f"learner: expected numbers whose bound float64 can tell, got {given}"
            )
        return min(found)


def _of_ridge(learner, y, n):
    y = targets(y, n, several=not isinstance(learner, GaussianProcess))
    return {"alpha": _ridge(learner), "largest_label": float(np.abs(y).max())}


def _of_features(learner, y, n):
    y = targets(y, n, several=not isinstance(learner, GaussianProcess))
    # By BLAS, which scales: no square overflows.
    longest = max(float(scipy.linalg.norm(column)) for column in y.reshape(n, -1).T)
    return {"noise": _ridge(learner), "norm_y": longest}


def _ridge(learner) -> float:
    """What is added to the diagonal of K."""
    if isinstance(learner, GaussianProcess):
        return _checks.positive(learner.noise, "noise")
    ridge = _checks.not_below_zero(learner.ridge, "ridge")
    if not ridge:
        raise ValueError(
            "ridge: expected a number above 0, by which the bound is divided, got 0"
        )
    return ridge


def _of_machine(learner, y, n):
    two_classes(y, n)
    return {"C_0": n * _checks.positive(learner.C, "C")}


def _of_regression(learner, y, n):
    targets(y, n, several=False)
    _checks.not_below_zero(learner.epsilon, "epsilon")
    return {"C_0": n * _checks.positive(learner.C, "C")}


def _of_graph(learner, y, n):
    y = np.asarray(y)
    y = targets(y, len(y) if y.ndim else 1, several=False)
    if len(y) > n:
        raise ValueError(f"y: expected labels of at most {n} vertices, got {len(y)}")
    weight = _checks.positive(learner.C0, "C0")
    largest = float(np.abs(y - y.mean()).max())
    return {"label_weight": weight, "largest_label": largest, "l": len(y)}


WITH_KERNEL = _Rule("talwalkar2010:prop-5.1", ("bound", "small ridge"), _of_ridge)
BY_FEATURES = _Rule("modern:gp-inducing", ("mean, everywhere",), _of_features, "norm_E")
RULES = {
    KernelRidge: WITH_KERNEL,
    GaussianProcess: WITH_KERNEL,
    KernelSVC: _Rule("talwalkar2010:prop-5.2", ("sharper",), _of_machine),
    KernelSVR: _Rule("talwalkar2010:cor-5.2", ("sharper",), _of_regression),
    LaplacianRegression: _Rule("talwalkar2010:prop-5.3", ("bound",), _of_graph),
}
# With a coefficient for each landmark: predictions are those of its features.
OF_LANDMARKS = ("regressors", "falkon")
# Those that solve with K~ for K; "preconditioned" solves the system of K itself.
METHODS = {
    KernelRidge: ("auto", "exact", "nystrom", *OF_LANDMARKS),
    GaussianProcess: ("auto", "exact", "nystrom", "inducing"),
    KernelSVC: ("auto", "exact", "nystrom"),
    KernelSVR: ("auto", "exact", "nystrom"),
}


def rule_of(learner, kinds=RULES) -> _Rule:
    """The rule of a learner that predicts as its theorem says."""
    kind = next((kind for kind in kinds if isinstance(learner, kind)), None)
    if kind is None:
        *most, last = (each.__name__ for each in kinds)
        raise TypeError(
            f"learner: expected {', '.join(most)} or {last}, for which a theorem "
            f"bounds how far predictions move, got {_checks.shown(learner)}"
        )
    if learner.features is not None:
        raise ValueError(
            "features: expected None, since the theorem compares the kernel matrix of "
            f"the learner with its approximation, got {learner.features!r}"
        )
    if kind is LaplacianRegression:
        if learner.graph != "laplacian":
            raise ValueError(
                "graph: expected 'laplacian', since the theorem compares Laplacians, "
                f"got {learner.graph!r}"
            )
        return RULES[kind]
    _checks.choice(learner.method, "method", METHODS[kind])
    _checks.choice(learner.predict_with, "predict_with", PREDICT_WITH)
    with_kernel = learner.method == "exact" or learner.predict_with == "kernel"
    if with_kernel and learner.method not in OF_LANDMARKS:
        return RULES[kind]
    if RULES[kind] is WITH_KERNEL:
        return BY_FEATURES
    raise ValueError(
        "predict_with: expected 'kernel', since the theorem speaks of predictions "
        f"with the kernel itself, got {learner.predict_with!r}"
    )
