"""Part III: what the error of the matrix does to a regularised inverse.

Bhatia 1997, theorem X.1.1; Cortes, Mohri and Talwalkar 2010 for the coarser form.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import QUANTITIES, measure
from nystheory.theorems.since_2010.certificates import (
    condition_of_error,
    factor_eigen,
    norm_E,
    residual,
    trace_E,
)
from nystheory.theorems.spectral import alpha


def shift(i: Instance) -> float:
    """The ridge of an instance; 1 where it carries none.

    Only K / alpha matters, so the search over K is a search over alpha too.
    """
    return QUANTITIES["alpha"].measure(i)


def resolvent_difference(i: Instance) -> np.ndarray:
    """``(K~ + alpha I)^-1 - (K + alpha I)^-1``, (n, n), from both spectra."""
    values, vectors = factor_eigen(i)
    approximate = (vectors / (values + shift(i))) @ vectors.T
    values, vectors = i.eigen_K
    # Eigenvalues that rounding made negative are zeros of a semidefinite K; the
    # control with an indefinite one uses `_indefinite` below.
    exact = (vectors / (np.maximum(values, 0) + shift(i))) @ vectors.T
    return approximate - exact


def _size(i: Instance, _) -> float:
    return float(np.linalg.norm(resolvent_difference(i), 2))


def _most_negative(i: Instance, _) -> float:
    return -float(np.linalg.eigvalsh(resolvent_difference(i))[0])


def _by_identity(i: Instance, _) -> np.ndarray:
    """``(K~ + alpha I)^-1 E (K + alpha I)^-1`` by two solves."""
    identity = shift(i) * np.eye(i.n)
    approximate = i.K - residual(i) + identity
    right = np.linalg.solve(i.K + identity, residual(i)).T
    return np.linalg.solve(approximate, right)


def condition_of_shifted(i: Instance) -> float:
    """Rounding in both matrices, over the ridge."""
    return condition_of_error(i) * (1 + i.norm_K / shift(i))


def _scale(i: Instance) -> float:
    return 1 / shift(i)


def _indefinite(i: Instance, _) -> float:
    """The difference of the inverses as it is, for a K that is not semidefinite."""
    approximate = i.C @ np.linalg.pinv(i.W) @ i.C.T
    identity = shift(i) * np.eye(i.n)
    left, right = np.linalg.inv(approximate + identity), np.linalg.inv(i.K + identity)
    return float(np.linalg.norm(left - right, 2))


def _saturated(size) -> sp.Expr:
    """``size / (alpha (alpha + size))``."""
    below = sp.Mul(alpha, sp.Add(alpha, size, evaluate=False), evaluate=False)
    return sp.Mul(size, sp.Pow(below, -1, evaluate=False), evaluate=False)


# Neither the ridge nor the coarser form is ever exceeded.
_CEILING = sp.Min(
    sp.Pow(alpha, -1), sp.Mul(norm_E, sp.Pow(alpha, -2), evaluate=False), evaluate=False
)


def _bound(i: Instance, _) -> float:
    bound = Formula(_saturated(norm_E))
    return bound(**measure(bound.names, i, {}))


def _bounded(says: str, expr, **changes) -> Claim:
    return Claim(
        says,
        **{
            "observe": _size,
            "formula": Formula(expr),
            "relation": "<=",
            "scale": _scale,
            "condition": condition_of_shifted,
            **changes,
        },
    )


def _ridged(rng):
    """Ridges from far below the error to far above it."""
    X = rng.standard_normal((5, 8))
    for ratio in 10.0 ** np.arange(-3, 4):
        case = Instance.from_points(X, rng.choice(8, 3, replace=False), 3, "ridge")
        yield case.but(alpha=ratio * case.norm_K)
        diagonal = np.diag(np.sqrt([1.0, ratio]))
        yield Instance.from_points(diagonal, [0], 1, "two points", alpha=1.0)


def _derive():
    mu, e = sp.symbols("mu e", positive=True)
    return (
        Step(1 / mu - 1 / (mu + e), "one direction that was missed, of eigenvalue $e$"),
        Step(e / (mu * (mu + e)), "common denominator"),
        Step(
            e / mu**2 - e**2 / (mu**2 * (mu + e)),
            r"less than $e / \mu^2$, by a factor $1 + e / \mu$",
        ),
    )


# At 0 there may be no inverse, and below 0 it is no ridge.
POSITIVE_RIDGE = Hypothesis(
    r"$\alpha > 0$", ("alpha",), lambda alpha: alpha > 0, domain=True
)

RESOLVENT = Theorem(
    id="modern:resolvent",
    part="III",
    kind="inequality",
    status="holds",
    title="The error of a regularised inverse",
    number="Bhatia 1997, theorem X.1.1",
    statement=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$, $E = K - "
        r"\tilde K$ and $\alpha > 0$. Then $0 \preceq (\tilde K + \alpha I)^{-1} - "
        r"(K + \alpha I)^{-1}$, and $\bigl\|(\tilde K + \alpha I)^{-1} - (K + \alpha "
        r"I)^{-1}\bigr\|_2 \le \frac{\|E\|_2}{\alpha (\alpha + \|E\|_2)} \le "
        r"\frac{\operatorname{tr} E}{\alpha (\alpha + \operatorname{tr} E)}$. The "
        r"bound is never above $1 / \alpha$, nor above $\|E\|_2 / \alpha^2$, and it is "
        "attained."
    ),
    hypotheses=(POSITIVE_RIDGE,),
    claims=(
        _bounded(r"from $\operatorname{tr} E$", _saturated(trace_E)),
        _bounded(r"from $\|E\|_2$", _saturated(norm_E)),
        _bounded(
            "the approximate inverse is the larger one",
            None,
            observe=_most_negative,
            formula=None,
            expected=lambda i, _: 0.0,
        ),
        Claim(
            r"the difference is $(\tilde K + \alpha I)^{-1} E (K + \alpha I)^{-1}$",
            observe=lambda i, _: resolvent_difference(i),
            expected=_by_identity,
            scale=_scale,
            # Two solves in a row, and E with a rounding error of the size of K.
            condition=lambda i: condition_of_shifted(i) * (1 + i.norm_K / shift(i)),
        ),
        _bounded(
            r"the bound is at most $1 / \alpha$ and at most $\|E\|_2 / \alpha^2$",
            _CEILING,
            observe=_bound,
            condition=None,
        ),
        _bounded(
            "attained by two orthogonal points",
            _saturated(norm_E),
            relation="=",
            applies=lambda i: i.name == "two points",
        ),
    ),
    instances=_ridged,
    derivation=_derive,
    controls=(
        Control(
            _bounded(
                r"$\|E\|_2 / (\alpha + \|E\|_2)^2$ is enough",
                sp.Mul(norm_E, sp.Pow(alpha + norm_E, -2), evaluate=False),
            ),
            Instance(np.diag([1.0, 1]), [0], 1, extra={"alpha": 1.0}),
        ),
        Control(
            _bounded(
                r"the largest entry of the diagonal of $E$ may stand for $\|E\|_2$",
                None,
                formula=None,
                expected=lambda i, _: (
                    np.diag(residual(i)).max()
                    / (shift(i) * (shift(i) + np.diag(residual(i)).max()))
                ),
            ),
            Instance.from_points([[1.0, 0, 0], [0, 1, 1]], [0], 1, alpha=1.0),
        ),
        # K has to be semidefinite: 1 / (1 - 0.5) - 1 / (1 + 0) = 1 > 1/3.
        Control(
            _bounded(
                r"$\|E\|_2 / \alpha (\alpha + \|E\|_2)$ for an indefinite $K$",
                None,
                observe=_indefinite,
                formula=None,
                expected=lambda i, _: 0.5 / (shift(i) * (shift(i) + 0.5)),
                condition=None,
            ),
            Instance(np.diag([1.0, -0.5]), [0], 1, extra={"alpha": 1.0}),
            drops=SEMIDEFINITE,
        ),
    ),
)
