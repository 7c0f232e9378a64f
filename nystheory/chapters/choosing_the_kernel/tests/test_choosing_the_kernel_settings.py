"""Formulas of a setting, computed as they are displayed, beside the lines they name."""

import numpy as np
import pytest

from nystheory.chapters.choosing_the_kernel.theorems.adaptive_rounds import (
    ADAPTIVE,
    TwoRounds,
)
from nystheory.chapters.choosing_the_kernel.theorems.consistency import (
    CHAIN,
    DEFINITION,
)
from nystheory.chapters.choosing_the_kernel.theorems.criterion import (
    CRITERION,
    WOODBURY,
    Fitted,
)
from nystheory.chapters.choosing_the_kernel.theorems.figure_1 import (
    FIGURE_1,
    two_classes,
)
from nystheory.chapters.choosing_the_kernel.theorems.two_blocks import THEOREM_1
from nystheory.chapters.choosing_the_kernel.theorems.volumes import VOLUME_NYSTROM
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


# --- Words beside formulas ------------------------------------------------------------


def test_the_error_of_the_words_is_that_of_every_draw():
    (printed,) = THEOREM_1.printed.values()
    errors = [
        reader(THEOREM_1, case).value(parse("C_T - C_K")).value
        for _, case in printed.on.outcomes("driven_next")
    ]
    assert 2 / 5 < min(errors) <= max(errors) < 1 / 2
    assert "The error stays above 2/5." in printed.why


def test_the_ratio_of_the_words_is_that_of_the_instance():
    step = VOLUME_NYSTROM.printed["volume step"]
    ratio = reader(VOLUME_NYSTROM, step.on).value(parse("error_F**2 / tail_F**2"))
    assert f"is {ratio.value:.2f} times that of the best rank" in step.why
    assert f"$n = {step.on.n}$ points" in step.why


def test_a_second_round_has_the_law_of_the_words():
    case = TwoRounds.from_points(X, [1, 0], 1, **GIVEN)
    missed = K - np.outer(K[:, 1], K[1]) / K[1, 1]
    chances = {o.landmarks[1]: p for p, o in case.outcomes("diagonal_next")}
    for j, share in enumerate(np.diag(missed) / np.trace(missed)):
        assert chances.get(j, 0) == pytest.approx(share, abs=1e-12)
    says = ADAPTIVE.claims["both rounds"].says
    law = "each of the others with probability proportional to the diagonal of $E_1$"
    assert law in says


def test_the_means_of_two_classes_are_as_far_apart_as_the_words_say():
    K, y = two_classes(400, 3, 0.5, np.random.default_rng(0))
    squares, across = -np.log(K) / 0.5, y[:, None] != y
    within = ~across & ~np.eye(400, dtype=bool)
    apart = squares[across].mean() - squares[within].mean()
    assert np.sqrt(apart) == pytest.approx(2, abs=0.1)
    assert "two means at distance $2$ with labels $-1$ and $1$" in FIGURE_1.setting


def test_an_order_divides_by_a_power_of_the_size():
    assert r"of $p$-order, if $\varepsilon(n) / n^p \to 0$" in DEFINITION.setting
    assert DEFINITION.claims["order"].line.endswith("<= M**2 / n**order")
    assert "for every $p > 0$ each approximation has it" in (
        DEFINITION.claims["order"].says
    )
