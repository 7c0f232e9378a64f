"""What a function loses where it is projected on a subspace.

Della Vecchia, De Vito, Mourtada and Rosasco 2024: the step from the whole space to the
subspace in the proofs of Theorems 6 and 12.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Given, Size, World


class FinitePopulation(World):
    """Points with weights and labels, a subspace, and a linear function."""

    d = Size("d", "number of coordinates")
    X = Given("X", "points as columns", axes=("d", "N"))
    q = Given(
        "q",
        "weights of the points",
        axes=("N",),
        range="min(q) >= 0 and sum(q) > 0",
        says="the weights $q$ be at least 0 and not all 0",
    )
    y = Given(
        "y",
        "labels",
        axes=("N",),
        range="max(abs(y)) <= 1",
        says="the labels $y$ lie between $-1$ and $1$",
    )
    B = Given("B", "a basis of the subspace, as columns", axes=("d", "m"))
    w = Given("w", "a linear function", axes=("d",))
    slope = Given("G", "slope of the loss", range="slope > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """Few points and small integers."""
        d, N, m = (int(rng.integers(1, most)) for most in (4, 6, 3))
        return cls(
            X=rng.integers(-3, 4, (d, N)).astype(float),
            q=np.bincount(rng.integers(N, size=8), minlength=N).astype(float),
            y=rng.integers(-1, 2, N).astype(float),
            B=rng.integers(-2, 3, (d, min(m, d))).astype(float),
            w=rng.integers(-4, 5, d).astype(float),
            slope=float(rng.integers(1, 5)),
        )


@FinitePopulation.quantity(r"\Sigma", "covariance of the population", CHOSEN)
def Sigma(i):
    return (i.X * np.ravel(i.q)) @ i.X.T / np.sum(i.q)


def _cases(rng):
    yield from (_ONE, _FAR)
    for _ in range(150):
        yield FinitePopulation.drawn(None, rng)


def _example(**given) -> FinitePopulation:
    """One point on an axis, with nothing in the subspace."""
    rest = {"X": [[1]], "q": [1], "y": [1], "B": [[0]], "w": [1], "slope": 1}
    return FinitePopulation.exactly(**rest | given)


_ONE = _example()
_FAR = _example(w=[20], y=[-1])
_LOGISTIC = _example(w=["1/10"], y=[-1])
# Orthogonal points, and the first coordinate of the functions.
_PLANE = {
    "X": [[1, 0], [0, 1]],
    "q": [1, 1],
    "y": [1, 1],
    "B": [[1], [0]],
    "w": [1, 2],
}
_HINGE = "slope * p.T @ (1 - y * {0} + abs(1 - y * {0})) / 2"
_LOG = "slope * p.T @ log(1 + exp(-y * {0}))"
_ABSOLUTE = "slope * p.T @ abs(y - {0})"
_SQUARE = "p.T @ (y - {0})**2"
_BOUND = "slope * norm_missed * norm_2(w)"


def _risks(name, latex, line) -> dict[str, Where]:
    """The risk of a function, and that of its projection."""
    return {
        f"{name}_risk": Where(rf"L_{{{latex}}}(w)", line.format("f")),
        # Its symbol says the rest.
        f"{name}_projected": Where(rf"L_{{{latex}}}(P w)", line.format("Pf"), False),
    }


PROJECTION_STEP = Theorem(
    id="dellavecchia2024:projection-step",
    kind="inequality",
    status="holds",
    title="What projecting a function loses",
    number="Della Vecchia et al. 2024, in the proofs of Theorems 6 and 12",
    setting=(
        r"Let a population consist of the columns of $X$, with weights $q$, "
        r"that is probabilities $p = q / \sum_j q_j$, and labels $y$, and let $\Sigma "
        r"= X \operatorname{diag}(p) X^\top$. Let $P$ be the projector on the span of "
        r"the columns of $B$, any matrix, let $w$ be any vector, with the values $f = "
        r"X^\top w$ at the points and $f_P = X^\top P w$ after the projection, and "
        r"let $w_*$ minimise the squared loss."
    ),
    claims={
        "hinge": Claim(
            f"abs(hinge_projected - hinge_risk) <= {_BOUND}",
            says="For $G$ times the hinge loss,",
        ),
        "logistic": f"abs(logistic_projected - logistic_risk) <= {_BOUND}",
        "absolute": f"abs(absolute_projected - absolute_risk) <= {_BOUND}",
        "square": Claim(
            "projected_square - least_square == w_star.T @ Q @ Sigma @ Q @ w_star",
            says="The squared loss, at its minimiser, loses only the square:",
        ),
        "square at most": Claim(
            "projected_square - least_square <= norm_missed**2 * norm_2(w_star)**2",
        ),
    },
    where={
        "p": Where("p", "q / sum(q)", False),
        "P": Where("P", "B @ pinv(B)", False),
        "Q": Where("(I - P)", "identity(d) - P", False),
        "f": Where("f", "X.T @ w", False),
        "Pf": Where("f_P", "X.T @ P @ w", False),
        "w_star": Where("w_*", "pinv(Sigma) @ X @ (p * y)"),
        "norm_missed": Where(
            r"\bigl\|\Sigma^{1/2} (I - P)\bigr\|", "sqrt(norm_2(Q @ Sigma @ Q))"
        ),
        **_risks("hinge", r"\mathrm h", _HINGE),
        **_risks("logistic", r"\mathrm{log}", _LOG),
        **_risks("absolute", r"\mathrm{abs}", _ABSOLUTE),
        "least_square": Where(
            r"L_{\mathrm{sq}}(w_*)", _SQUARE.format("(X.T @ w_star)")
        ),
        "projected_square": Where(
            r"L_{\mathrm{sq}}(P w_*)", _SQUARE.format("(X.T @ P @ w_star)"), False
        ),
    },
    world=FinitePopulation,
    cases=_cases,
    controls={
        "nine tenths": Control("hinge", _ONE, {"<= slope": "<= 0.9 * slope"}),
        "half": Control("logistic", _LOGISTIC, {"<= slope": "<= 0.5 * slope"}),
        "nine tenths, absolute": Control(
            "absolute", _ONE, {"<= slope": "<= 0.9 * slope"}
        ),
        "twice the labels": Control("hinge", _example(y=[2], w=["1/2"]), drops="y"),
        "any function": Control("square", _example(**_PLANE), {"w_star.T": "w.T"}),
        "nine tenths, squared": Control(
            "square at most", _ONE, {"<= norm": "<= 0.9 * norm"}
        ),
    },
)
