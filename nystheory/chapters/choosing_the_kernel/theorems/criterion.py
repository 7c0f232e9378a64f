"""The criterion: the smallest regularized error, and how an approximation gives it.

Ding et al. 2019, equations (1) and (5), Algorithm 1.
"""

from __future__ import annotations

from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    C_APPROXIMATION,
    C_K,
    Criterion,
    column,
    value_of,
    with_labels,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.worlds.worlds import Given

# --- The smallest regularized error ---------------------------------------------------


class Fitted(Criterion):
    """Labels at the points, and a function: a vector of the space of the points."""

    w = Given("w", "a function, as a vector", axes=("N", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """A vector of integers, as long as the points have coordinates."""
        w = rng.integers(-3, 4, (len(instance.points), 1)).astype(float)
        return with_labels(instance, rng).but(w=w)


def _fits(rng):
    for n, N in ((3, 2), (4, 3), (2, 4), (5, 2)) * 4:
        yield Fitted.from_points(rng.integers(-2, 3, (N, n)), [0], 1, "integers")


def _fit(w=(0, 0), **given) -> Fitted:
    """The points (1, 0) and (1, 1) with labels 1 and -1."""
    rest = {"y": column([1, -1]), "mu": "1/2", "w": column(w)} | given
    return Fitted.exactly([0], 1, points=[[1, 1], [0, 1]], **rest)


_ZERO = _fit()
_EQUAL = _fit(y=column([1, 1]))
_RISK = "trace((X.T @ {0} - y).T @ (X.T @ {0} - y)) / n + mu * trace({0}.T @ {0})"
_CURVE = "trace(({0}).T @ (X @ X.T @ ({0}) / n + mu * ({0})))"

CRITERION = Theorem(
    id="ding2019:criterion",
    kind="identity",
    status="holds",
    title="The criterion is the smallest regularized error",
    number="equation (1)",
    setting=(
        r"Let the points be the columns of $X$, $K = X^\top X$, and a function a "
        r"vector $w$ with the values $X^\top w$ at the points and the norm $\|w\|$. "
        r"Let its regularized error be $\mathcal E(w) = \frac1n \|X^\top w - y\|^2 + "
        r"\mu \|w\|^2$, let $w_* = X (K + n \mu I)^{-1} y$, and $\mathcal C(K) = "
        r"\mu\, y^\top (K + n \mu I)^{-1} y$."
    ),
    claims={
        "smallest": Claim(
            "risk >= C_K", says="No function has a smaller regularized error:"
        ),
        "attained": Claim("risk_star == C_K", says="One function attains this,"),
        "excess": Claim(
            f"risk == C_K + {_CURVE.format('w - w_star')}",
            says="and every other one exceeds it by a positive quadratic form:",
        ),
        "residual": Claim(
            "X.T @ w_star - y == -mu * n * inv(K + n * mu * identity(n)) @ y",
            says="The residual of the best function is",
        ),
        "size": Claim(
            "C_K <= norm_2(y)**2 / n", says="The criterion is at most the mean square"
        ),
    },
    where={
        "C_K": C_K,
        "w_star": Where("w_*", "X @ inv(K + n * mu * identity(n)) @ y", False),
        "risk": Where(r"\mathcal E(w)", _RISK.format("w"), False),
        "risk_star": Where(r"\mathcal E(w_*)", _RISK.format("w_star"), False),
    },
    world=Fitted,
    cases=_fits,
    controls={
        "one percent more": Control(
            "smallest",
            _fit(w=["1/5", "-3/5"]),
            {">= C_K": ">= 1.01 * C_K"},
        ),
        "a ridge that is not multiplied by n": Control(
            "residual", _EQUAL, {"n * mu * i": "mu * i"}
        ),
        "twice": Control("attained", _EQUAL, {"== C_K": "== 2 * C_K"}),
        "half of the form": Control("excess", _ZERO, {"C_K + ": "C_K + 0.5 * "}),
        "half of the mean square": Control("size", _ZERO, {"<= norm": "<= 0.5 * norm"}),
    },
)

# --- From an approximation ------------------------------------------------------------


def _approximated(rng):
    """Integers in general position, with landmarks of which few are kept."""
    for n in (3, 4, 5) * 4:
        X = rng.integers(-2, 3, (3, n))
        l = int(rng.integers(1, 4))  # noqa: E741 - the field's letter
        S = rng.choice(n, l, replace=False)
        yield Criterion.from_points(X, S, int(rng.integers(1, l + 1)), "integers")


_ONE = Criterion.exactly([0], 1, points=[[2, 0], [0, 1]], y=column([1, -1]), mu="1/2")
_TWO = Criterion.exactly(
    [0, 1], 2, points=[[2, 0, 1], [0, 1, 1]], y=column([1, -1, 1]), mu="1/3"
)
_SINGULAR = Criterion.exactly(
    [0, 0], 2, points=[[2, 0], [0, 1]], y=column([1, -1]), mu="1/2"
)
_INVERSE = "inv(n * mu * identity(k) + V_k.T @ V_k)"

WOODBURY = Theorem(
    id="ding2019:woodbury",
    kind="identity",
    status="holds",
    title="The criterion of an approximation",
    number="equation (5), Algorithm 1, steps 10 to 15",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W_k^+ C^\top$ its rank-$k$ "
        r"Nyström approximation, $V = C U_{W,k} (\Sigma_{W,k}^+)^{1/2}$ from the $k$ "
        "leading eigenvalues of $W$ and their eigenvectors, with a column of zeros "
        r"for each eigenvalue that is zero, let $\omega$ solve $(n \mu I + V^\top V)\, "
        r"\omega = V^\top y$, $u = \frac{1}{n \mu} (y - V \omega)$, and "
        r"$\mathcal C(A) = \mu\, y^\top (A + n \mu I)^{-1} y$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= l", domain=True)},
    claims={
        "criterion": Claim(
            "C_T == mu * trace(y.T @ solved)",
            says="The criterion of the approximation comes from $k$ unknowns:",
        ),
        "factor": Claim("approximation == V_k @ V_k.T", says="Here $V$ is a factor,"),
        "inverse": Claim(
            "inv(approximation + n * mu * identity(n)) == (identity(n) - V_k @ "
            f"{_INVERSE} @ V_k.T) / (n * mu)",
            says="Woodbury's formula gives the inverse,",
        ),
        "solution": Claim(
            "(approximation + n * mu * identity(n)) @ solved == y",
            says="and $u$ solves",
        ),
        "difference": Claim(
            "C_T == mu * (norm_2(y)**2 - trace(y.T @ V_k @ omega_V)) / (n * mu)",
            says="Besides the columns of $V$, the only vector of length $n$ that is "
            "needed is $y$:",
        ),
    },
    where={
        "C_T": C_APPROXIMATION,
        "V_k": Where("V", "C @ core_vectors @ core_roots", False),
        "omega_V": Where(r"\omega", f"{_INVERSE} @ V_k.T @ y", False),
        "solved": Where("u", "(y - V_k @ omega_V) / (n * mu)", False),
    },
    world=Criterion,
    cases=_approximated,
    controls={
        "of the matrix itself": Control(
            "criterion",
            _ONE,
            {"C_T ==": f"{value_of('K')} =="},
        ),
        "without the roots": Control("factor", _TWO, {"V_k @ V_k.T": "C @ V_k.T"}),
        "a ridge that is not multiplied by n": Control(
            "inverse", _TWO, {"inv(n * mu": "inv(mu"}
        ),
        "half of the ridge": Control(
            "solution", _SINGULAR, {"+ n * mu": "+ 0.5 * n * mu"}
        ),
        "the mean square alone": Control(
            "difference", _SINGULAR, {"- trace": "- 0.5 * trace"}
        ),
    },
)
