"""Formulas of a setting, computed as they are displayed, beside the lines they name."""

import numpy as np
import pytest

from nystheory.chapters.choosing_the_kernel.theorems.consistency import CHAIN
from nystheory.chapters.choosing_the_kernel.theorems.criterion import (
    CRITERION,
    WOODBURY,
    Fitted,
)
from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    Criterion,
    TwoCriteria,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader

RNG = np.random.default_rng(0)
X, Y, W = (RNG.standard_normal(shape) for shape in ((3, 5), (5, 1), (3, 1)))
N, MU = 5, 0.3
GIVEN = {"y": Y, "mu": MU}
K, EYE = X.T @ X, np.eye(N)
CASES = {
    CRITERION.id: Fitted.from_points(X, [0, 3], 2, w=W, **GIVEN),
    WOODBURY.id: Criterion.from_points(X, [0, 3], 2, **GIVEN),
    CHAIN.id: TwoCriteria.from_points(X, [0], 1, other=EYE, **GIVEN),
}


def of(theorem, line):
    return reader(theorem, CASES[theorem.id]).value(parse(line)).value


def omega():
    V = of(WOODBURY, "V_k")
    return np.linalg.solve(N * MU * np.eye(2) + V.T @ V, V.T @ Y)


def value(A):
    return MU * Y.T @ np.linalg.solve(A + N * MU * EYE, Y)


# A theorem, what its setting displays, this computed, and the line of its name.
FORMULAS = [
    (
        CRITERION,
        r"\mathcal E(w) = \frac1n \|X^\top w - y\|^2 + \mu \|w\|^2",
        lambda: np.mean((X.T @ W - Y) ** 2) + MU * np.sum(W**2),
        "risk",
    ),
    (
        CRITERION,
        r"w_* = X (K + n \mu I)^{-1} y",
        lambda: X @ np.linalg.inv(K + N * MU * EYE) @ Y,
        "w_star",
    ),
    (
        CRITERION,
        r"\mathcal C(K) = \mu\, y^\top (K + n \mu I)^{-1} y$",
        lambda: value(K),
        "C_K",
    ),
    (
        CHAIN,
        r"\mathcal C(A) = \mu\, y^\top (A + n \mu I)^{-1} y$",
        lambda: value(EYE),
        "C_O",
    ),
    (
        WOODBURY,
        r"(n \mu I + V^\top V)\, \omega = V^\top y",
        omega,
        "omega_V",
    ),
    (
        WOODBURY,
        r"u = \frac{1}{n \mu} (y - V \omega)",
        lambda: (Y - of(WOODBURY, "V_k") @ omega()) / (N * MU),
        "solved",
    ),
]


@pytest.mark.parametrize(("theorem", "displayed", "computed", "name"), FORMULAS)
def test_a_formula_of_a_setting_is_the_line(theorem, displayed, computed, name):
    assert displayed in theorem.setting
    assert of(theorem, name) == pytest.approx(
        np.squeeze(computed()).reshape(np.shape(of(theorem, name)))
    )


def test_the_factor_of_the_setting_is_that_of_the_core():
    case, V = CASES[WOODBURY.id], of(WOODBURY, "V_k")
    values, U = np.linalg.eigh(case.W)
    told = case.C @ U / np.sqrt(values)
    assert np.allclose(V @ V.T, told @ told.T)
    assert r"V = C U_{W,k} (\Sigma_{W,k}^+)^{1/2}" in WOODBURY.setting
