"""Regularised least squares with a kernel matrix, and with its approximation.

Low-rank matrix approximations, an article of Wikipedia, the section on regularised
least squares.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Instance, Theorem, Where
from nystheory.engine.worlds.between import with_ridge
from nystheory.engine.worlds.worlds import Given


class LeastSquares(Instance):
    """The columns of one matrix, observations, and other coefficients."""

    labels = Given("Y", "observations", axes=("n", "one"))
    b = Given("b", "any coefficients", axes=("n", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge of any size, integers, and coefficients near the best or any."""
        i, n = with_ridge(instance, rng), instance.n
        labels = rng.integers(-3, 4, (n, 1)).astype(float)
        b = rng.integers(-3, 4, (n, 1)) * 2.0 ** rng.integers(-3, 2)
        if rng.random() < 0.3:
            b = b + np.linalg.solve(i.K + n * i.alpha * np.eye(n), labels)
        return i.but(labels=labels, b=b)


def _example(points, labels, b) -> LeastSquares:
    columns = {"labels": [[x] for x in labels], "b": [[x] for x in b]}
    return LeastSquares.exactly([0], 1, points=points, alpha=1, **columns)


# Two equal points: (K + 2 I)^-1 (3, 1) = (1, 0), and (2, -1) does as well.
_EQUAL = _example([[1, 1]], [3, 1], [2, -1])
_AXES = _example([[1, 0], [0, 2]], [4, 0], [1, 1])


def _objective(coefficients) -> str:
    residual = f"norm_2(labels - K @ {coefficients})**2 / n"
    return f"{residual} + alpha * norm_2(X @ {coefficients})**2"


RIDGE = Theorem(
    id="wikipedia:rls",
    kind="identity",
    status="holds",
    title="A minimiser of regularised least squares",
    number="regularised least squares",
    setting=(
        r"Let $K = X^\top X$ and let $F(b) = \frac1n \|Y - K b\|^2 + \alpha\, b^\top K "
        r"b$ for coefficients $b \in \mathbb R^n$."
    ),
    claims={
        "objective": Claim(
            "F_b - F_c == norm_2(K @ (b - c))**2 / n + alpha * norm_2(X @ (b - c))**2",
            says="The coefficients $c$ are a minimiser: for all $b$",
        ),
        "minimisers": Claim(
            "(F_b == F_c) == (K @ b == K @ c)",
            says="Minimisers are all $b$ with the same values at the points:",
        ),
    },
    where={
        "c": Where("c", "inv(K + n * alpha * identity(n)) @ labels"),
        "F_b": Where("F(b)", _objective("b"), told=False),
        "F_c": Where("F(c)", _objective("c"), told=False),
    },
    world=LeastSquares,
    controls={
        "twice the ridge": Control("objective", _AXES, {"+ alpha": "+ 2 * alpha"}),
        "one minimiser only": Control(
            "minimisers", _EQUAL, {"(K @ b == K @ c)": "(b == c)"}
        ),
    },
)

WOODBURY = Theorem(
    id="wikipedia:woodbury",
    kind="identity",
    status="remark",
    title="The inverse with the approximation in place of the matrix",
    number="the display with the Woodbury identity",
    setting=(
        r"Let $K$ be positive semidefinite, $S$ any landmarks, and $\tilde K = C W^+ "
        r"C^\top$."
    ),
    claims={
        "last line": Claim(
            "inv(full_approximation + n * alpha * identity(n)) == (identity(n) "
            "- C @ pinv(n * alpha * W + C.T @ C) @ C.T) / (n * alpha)"
        ),
        "second line": Claim(
            "inv(full_approximation + n * alpha * identity(n)) == "
            "inv(identity(n) + C @ pinv(n * alpha * W) @ C.T) / (n * alpha)",
            says="The step before it is",
        ),
        "first line": Claim(
            "inv(K + n * alpha * identity(n)) == "
            "inv(K / (n * alpha) + identity(n)) / (n * alpha)",
            says="The article's first line takes out a factor, and holds for $K$, too:",
        ),
        "values": Claim(
            "full_approximation @ inv(full_approximation + n * alpha * identity(n))"
            " == C @ pinv(C.T @ C + n * alpha * W) @ C.T",
            says="So the values of ridge regression need the sampled columns only:",
        ),
    },
    world=LeastSquares,
    controls={
        "K itself": Control("last line", _AXES, {"full_approximation": "K"}),
        "K itself in the second line": Control(
            "second line", _AXES, {"full_approximation": "K"}
        ),
        "one percent more": Control("first line", _AXES, {"inv(K /": "inv(1.01 * K /"}),
        "a ridge that is not multiplied by n": Control(
            "values", _AXES, {"C.T @ C + n * alpha": "C.T @ C + alpha"}
        ),
    },
)
