"""Formulas of a setting, computed as they are displayed, beside the lines they name."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from nystheory.chapters.surely_worse_kernels.theorems.criterion import CRITERION
from nystheory.chapters.surely_worse_kernels.theorems.evidence import EVIDENCE
from nystheory.chapters.surely_worse_kernels.theorems.observed import Observed
from nystheory.chapters.surely_worse_kernels.theorems.same_kernel import (
    SAME_KERNEL,
    Candidates,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader

RNG = np.random.default_rng(0)
X, Y, RIDGE = RNG.standard_normal((3, 5)), RNG.standard_normal(5), 0.3
GIVEN = {"y": Y, "alpha": RIDGE, "guess": np.zeros(5), "directions": 5.0}
CASE = Observed.from_points(X, [0, 1], 1, **GIVEN)
A = CASE.K + RIDGE * np.eye(5)


def of(theorem, line, case=CASE):
    return reader(theorem, case).value(parse(line)).value


def test_the_criterion_of_the_setting_is_the_line():
    assert r"C(K) = \frac\alpha n\, q$ the criterion" in CRITERION.setting
    assert r"$q = y^\top R\, y$ and $R = A^{-1}$" in CRITERION.setting
    q = Y @ np.linalg.solve(A, Y)
    assert of(CRITERION, "q") == pytest.approx(q)
    assert of(CRITERION, "criterion") == pytest.approx(RIDGE / 5 * q)


def test_the_density_of_the_setting_is_that_of_the_observations():
    assert r"$-2 \log p(y) = V(K) + n \log 2\pi$" in EVIDENCE.setting
    density = multivariate_normal(np.zeros(5), A).logpdf(Y)
    told = of(EVIDENCE, "value") + 5 * np.log(2 * np.pi)
    assert told == pytest.approx(-2 * density)
    assert r"$m > 0$ be at least the rank" in EVIDENCE.hypotheses["directions"].says


def test_several_kernels_are_those_of_the_setting():
    seen, missed = RNG.standard_normal((2, 3, 2, 4))
    y = RNG.standard_normal(4)
    case = Candidates(seen=seen, missed=missed, y=y, alpha=RIDGE)
    traces = [np.trace(G.T @ G) for G in missed]

    def value(K, ridge):
        return RIDGE / 4 * y @ np.linalg.solve(K + ridge * np.eye(4), y)

    pairs = [(F.T @ F, G.T @ G) for F, G in zip(seen, missed, strict=True)]
    above = [value(near, RIDGE) for near, _ in pairs]
    below = [value(near, RIDGE + t) for (near, _), t in zip(pairs, traces, strict=True)]
    exact = [value(near + rest, RIDGE) for near, rest in pairs]
    for name, told in (
        ("criterion_first", exact[0]),
        ("criteria_rest", exact[1:]),
        ("upper_first", above[0]),
        ("lower_rest", below[1:]),
        ("largest_trace", max(traces)),
    ):
        assert of(SAME_KERNEL, name, case) == pytest.approx(told)
    for words in (
        r"\overline C_j = C(\tilde K_j)",
        r"t_j = \operatorname{tr}(K_j - \tilde K_j)",
        r"\frac\alpha n\, y^\top (\tilde K_j + (\alpha + t_j) I)^{-1} y",
        "$t$ is the largest $t_j$",
    ):
        assert words in SAME_KERNEL.setting
