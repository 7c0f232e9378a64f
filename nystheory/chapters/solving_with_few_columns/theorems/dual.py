"""Kernel ridge regression as a problem of minimisation.

Talwalkar 2010, equations (3.17) and (5.27).
"""

from __future__ import annotations

from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.worlds.between import SEMIDEFINITE, with_ridge
from nystheory.engine.worlds.worlds import Given


class Dual(Instance):
    """The columns of one matrix, observations, and coefficients of its columns."""

    other_dual = Given("v", "any coefficients, n x 1", axes=("n", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Observations, and coefficients far from the solution or near it."""
        i = with_ridge(instance, rng)
        y = rng.integers(-3, 4, (i.n, 1)).astype(float)
        v = rng.integers(-3, 4, (i.n, 1)) * 2.0 ** rng.integers(-8, 3)
        return i.but(y=y, other_dual=v)


def _one(v, ridge=1) -> Dual:
    """One point of length 1, observed as 1."""
    return Dual.exactly([0], 1, matrix=[[1]], alpha=ridge, y=[[1]], other_dual=[[v]])


_NEAR, _FAR = _one("1/2"), _one(10)
# Coefficients that change no prediction.
_UNSEEN = Dual.exactly(
    [0], 1, matrix=[[1, 0], [0, 0]], alpha=1, y=[[1], [0]], other_dual=[["1/2"], [1]]
)
_INDEFINITE = Dual.exactly(
    [0], 1, matrix=[[1, 0], [0, -2]], alpha=1, y=[[1], [0]], other_dual=[[0], [10]]
)

RIDGE_DUAL = Theorem(
    id="talwalkar2010:eq-3.17",
    kind="inequality",
    status="misprint",
    title="Ridge regression is a minimum",
    number="equations (3.17) and (5.27)",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$ and $y \in "
        r"\mathbb R^n$. Let $J(v) = \alpha\, v^\top v + v^\top K v - 2 v^\top y$, and "
        r"$a = (K + \alpha I)^{-1} y$."
    ),
    where={
        "a": Where("a", "inv(K + alpha * identity(n)) @ y"),
        "J_v": Where(
            "J(v)",
            "trace(alpha * other_dual.T @ other_dual + other_dual.T @ K @ other_dual "
            "- 2 * other_dual.T @ y)",
            told=False,
        ),
        "J_a": Where(
            "J(a)", "trace(alpha * a.T @ a + a.T @ K @ a - 2 * a.T @ y)", told=False
        ),
    },
    claims={
        "minimum": Claim("J_a <= J_v", says="For every $v$"),
        "value": Claim("J_a == -trace(y.T @ a)", says="The minimum is"),
        "rest": Claim(
            "J_v - J_a == trace((other_dual - a).T @ (K + alpha * identity(n)) "
            "@ (other_dual - a))",
            says="What other coefficients lose is",
        ),
        "one solution": Claim(
            "J_v - J_a >= alpha * norm_F(other_dual - a)**2",
            says="so that there is one solution,",
        ),
        "approximate": Claim(
            "-trace(y.T @ inv(full_approximation + alpha * identity(n)) @ y) <= J_a",
            says=r"With $\tilde K$ in place of $K$ the minimum is no higher:",
        ),
    },
    world=Dual,
    controls={
        "lower by a tenth": Control("minimum", _NEAR, {"<= J": "<= 1.1 * J"}),
        "indefinite": Control("minimum", _INDEFINITE, lacks=SEMIDEFINITE),
        "half of it": Control("value", _NEAR, {"-trace": "-0.5 * trace"}),
        "twice the matrix": Control("rest", _FAR, {"K +": "2 * K +"}),
        "1.1 of the ridge": Control("one solution", _UNSEEN, {">=": ">= 1.1 *"}),
        "a larger ridge": Control(
            "approximate", _NEAR, {"+ alpha *": "+ 1.1 * alpha *"}
        ),
    },
    printed={
        "max": Printed(
            "J_v <= J_a",
            "misprint",
            "A minimum, not a maximum: the solution in closed form that follows is "
            "right, and the supremum is infinite. For $n = 1$ and $K = \\lambda = y = "
            "1$ the value is $-\\frac12$ at the solution $\\frac12$, and $180$ at "
            "$10$. There are also the slips that (3.17) has $\\alpha \\in \\mathbb "
            "R^m$ for $\\mathbb R^n$, and that (5.27) lacks the transpose in "
            "$\\alpha^\\top K \\alpha$.",
            _FAR,
            says=r"$\max_{\alpha \in \mathbb R^m} \lambda \alpha^\top \alpha + "
            r"\alpha^\top K \alpha - 2 \alpha^\top y$",
        )
    },
)
