"""How far ridge regression moves with its kernel matrix: Proposition 5.1, (5.34).

The largest change over all points of the feature space within a distance of the
origin has a closed form, and that is what is bounded: no point is singled out.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems import labels  # noqa: F401
from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.between import with_ridge
from nystheory.engine.worlds.quantities import point_bound
from nystheory.engine.worlds.suite import integer_instances
from nystheory.engine.worlds.two_kernels import TwoKernels, other, with_other


class TwoRidges(TwoKernels):
    """Two kernel matrices of the same points, their labels, and one ridge."""

    @classmethod
    def drawn(cls, instance, rng):
        """Another kernel matrix, a ridge of any size, and labels that move much."""
        return with_labels(with_ridge(with_other(instance, rng), rng), rng)

    @classmethod
    def alike(cls, n, square, **given):
        """Points that are all alike, which the other matrix has lost."""
        X = np.full((1, n), np.sqrt(square))
        return cls.from_points(X, [0], 1, "alike", other_points=0 * X, **given)

    @classmethod
    def one(cls, square=1, **given):
        """A single point."""
        known = {"other": [[0]], "alpha": 1, "y": [[1]]} | given
        return cls.exactly([0], 1, matrix=[[square]], **known)


def change_of_ridge(K, other, y, ridge: float, points) -> np.ndarray:
    """How the hypothesis of ridge regression moves in feature space.

    Parameters
    ----------
    K, other : ndarray (n, n)
    y : ndarray (n,)
    ridge : float
    points : ndarray (N, n)
        Columns x_i with ``K = points.T @ points``.

    Returns
    -------
    ndarray (N,)
        The vector v with ``h'(x) - h(x) = v.T @ x`` for every point x.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> change_of_ridge(one, 0 * one, np.ones(1), 1.0, one)
    array([0.5])
    """
    shift = ridge * np.eye(len(K))
    return points @ (np.linalg.solve(other + shift, y) - np.linalg.solve(K + shift, y))


def largest_change(i, matrix) -> float:
    """Over all x with ``K(x, x) <= kappa``: at the one along the change."""
    moved = change_of_ridge(i.K, matrix, np.ravel(i.y), float(i.alpha), i.points)
    return float(np.sqrt(point_bound(i)) * np.linalg.norm(moved))


def of_change(name):
    """Rounding in both matrices, as the two solutions amplify it."""

    def condition(i):
        ridge, y = float(i.alpha), np.linalg.norm(i.y)
        if ridge <= 0:
            return np.inf
        matrix = i.quantities[name]
        shares = 1 + (i.norm_K + i.measured(matrix).size) / ridge
        made = matrix.condition(i)
        return np.sqrt(point_bound(i) * i.norm_K) * y / ridge * shares * made

    return condition


@TwoRidges.quantity(
    r"\max_x |h'(x)-h(x)|",
    "largest change of the prediction of ridge regression",
    SAMPLE,
    unit=0,
    condition=of_change("other"),
)
def ridge_change(i):
    return largest_change(i, other(i))


# --- Instances ------------------------------------------------------------------------


def worst_labels(change, rng, rounds: int = 3) -> np.ndarray:
    """Labels of modulus 1 for which ``change @ y`` is long, climbed to from any."""
    y = rng.choice([-1.0, 1.0], change.shape[1])
    for _ in range(rounds):
        y = np.where(change.T @ (change @ y) < 0, -1.0, 1.0)
    return y


def with_labels(i, rng):
    """Labels that move the hypothesis most, half of the time others near them."""
    shift = float(i.alpha) * np.eye(i.n)
    one, two = (np.linalg.inv(A + shift) for A in (i.K, other(i)))
    y = worst_labels(i.points @ (two - one), rng)
    if rng.random() < 0.5:
        y = y * rng.integers(0, 3, i.n)
    room = rng.integers(0, 2) * 2.0 ** (np.round(np.log2(i.norm_K or 1)))
    return i.but(y=2.0 ** rng.integers(-3, 4) * y[:, None], room=room)


def _cases(_):
    """Where the bounds are attained, and come close, for ridges of every size."""
    for n in (1, 2, 3, 8):
        y = np.ones((n, 1))
        for power in range(-10, 11):
            ridge = 4.0**power
            # The points are short beside a new one, and just as long as the ridge asks.
            yield TwoRidges.alike(n, ridge, alpha=n * ridge, y=y, room=4.0)
            yield TwoRidges.alike(n, 1.0, alpha=n * ridge, y=y)
    for beta, moved in ((1.0, 4.0), (4.0, 1.0), (1.0, 0.0), (0.0, 4.0)):
        for n in (1, 2, 4):
            y = np.arange(1.0, n + 1)[:, None]
            points = np.sqrt(moved) * np.eye(n)
            known = {"other_points": points, "y": y, "alpha": 0.5}
            yield TwoRidges(beta * np.eye(n), [0], 1, name="multiples", **known)


_ONE, _RIDGE_4, _LARGE_RIDGE = (TwoRidges.one(alpha=a) for a in (1, 4, 100))
_INDEFINITE = TwoRidges.one(other=[["-3/4"]])
# kappa is a quarter of the largest diagonal entry.
_BEYOND = TwoRidges.one(4, alpha=100, bound_of_points=1)
_TWO = TwoRidges.exactly(
    [0], 1, matrix=[[1, 0], [0, 1]], other=[[2, 0], [0, 2]], alpha=1, y=[[1], [1]]
)
_NO_RESOLVENTS = "sqrt(point_bound) * largest_label / (2 * lambda_0 ** (3 / 2) * n)"
_PRINTED = "point_bound * largest_label / (lambda_0 ** 2 * n) * change_2"
_SETTING = (
    r"Let $K$ and $K'$ be positive semidefinite, $(K + \alpha I)\, a = (K' + \alpha I)"
    r"\, a' = y$ and $|y_i| \le M$."
)
# All labels alike, of points that are alike, and nothing left of them in K'.
_ALL_ALIKE = "norm_2(other) == 0 and max(y) == min(y) and max(K) == min(K)"
_LAMBDA_0 = Where(r"\lambda_0", "alpha / n")
_RESOLVENTS = {
    "resolvent": Where("R", "inv(K + alpha * identity(n))"),
    "other_resolvent": Where("R'", "inv(other + alpha * identity(n))"),
}

RIDGE_STABILITY = Theorem(
    id="talwalkar2010:prop-5.1",
    kind="inequality",
    status="holds",
    title="Stability of ridge regression",
    number="Proposition 5.1",
    setting=(
        f"{_SETTING} Let $h(x) = \\sum_i a_i K(x_i, x)$ and $h'(x) = \\sum_i a_i' "
        r"K(x_i, x)$, and let the maximum be over all points $x$ of the feature space "
        r"with $K(x, x) \le \kappa$, where $K_{ii} \le \kappa$."
    ),
    where={"lambda_0": _LAMBDA_0, **_RESOLVENTS},
    claims={
        "bound": f"ridge_change <= {_PRINTED}",
        "smallest eigenvalues": (
            "ridge_change <= n * point_bound * largest_label * change_2 "
            "* norm_2(resolvent) * norm_2(other_resolvent)"
        ),
        "small ridge": Claim(
            f"ridge_change <= {_NO_RESOLVENTS} * change_2",
            says="This book's bound, keeping the resolvent with the points:",
        ),
        "smaller": Claim(
            f"{_NO_RESOLVENTS} * change_2 <= {_PRINTED}",
            when="lambda_0 <= 4 * point_bound",
            says="It is no larger than the bound above the folds,",
        ),
        "residual": Claim(
            "ridge_change <= sqrt(point_bound / alpha) / 2 "
            "* norm_2(y - (K + alpha * identity(n)) @ other_resolvent @ y)",
            says="afterwards, from what $a'$ leaves of the system,",
        ),
        "attained": Claim(
            f"ridge_change == {_NO_RESOLVENTS} * change_2",
            when=f"{_ALL_ALIKE} and max(K) == lambda_0",
            says="The sharper bound is attained by points that are alike and lost,",
        ),
        "approached": Claim(
            f"ridge_change == lambda_0 / (point_bound + lambda_0) * {_PRINTED}",
            when=f"{_ALL_ALIKE} and max(K) == point_bound",
            says="The bound above the folds is approached, with a large ridge,",
        ),
    },
    world=TwoRidges,
    cases=_cases,
    controls={
        "98 percent": Control(
            "bound", _LARGE_RIDGE, {"<= point_bound": "<= 0.98 * point_bound"}
        ),
        "a negative eigenvalue": Control("bound", _INDEFINITE, lacks=r"$K' \succeq 0$"),
        "points beyond kappa": Control("bound", _BEYOND, lacks=r"$K_{ii} \le \kappa$"),
        "nine tenths of the eigenvalues": Control(
            "smallest eigenvalues", _ONE, {"<= n *": "<= 0.9 * n *"}
        ),
        "nine tenths, small ridge": Control(
            "small ridge", _ONE, {"<= sqrt": "<= 0.9 * sqrt"}
        ),
        "small ridge, a negative eigenvalue": Control(
            "small ridge", _INDEFINITE, lacks=r"$K' \succeq 0$"
        ),
        "nine tenths of the printed": Control(
            "smaller", _RIDGE_4, {"<= point_bound": "<= 0.9 * point_bound"}
        ),
        "nine tenths of the residual": Control(
            "residual", _ONE, {"<= sqrt": "<= 0.9 * sqrt"}
        ),
        "three for two": Control("attained", _ONE, {"(2 *": "(3 *"}),
        "twice the ridge": Control(
            "approached", _ONE, {"point_bound + lambda_0": "point_bound + 2 * lambda_0"}
        ),
    },
)

# --- (5.31) to (5.34) -----------------------------------------------------------------

_STEP = (
    "norm_2(other_resolvent @ y - resolvent @ y) {} change_2 "
    "* norm_2(resolvent) * norm_2(other_resolvent) * norm_2(y)"
)


def _several(rng):
    """Those, and small matrices of integers with others beside them."""
    yield from _cases(rng)
    yield from integer_instances(rng, 0)


TIGHTNESS = Theorem(
    id="talwalkar2010:eq-5.34",
    kind="identity",
    status="holds",
    title="The step that is tight",
    number="equations (5.31), (5.33) and (5.34)",
    setting=_SETTING,
    where={
        **_RESOLVENTS,
        "beta": Where(r"\beta", "max(K)"),
        "other_beta": Where(r"\beta'", "max(other)"),
    },
    claims={
        "step": _STEP.format("<="),
        "multiples": Claim(
            "norm_2(other_resolvent @ y - resolvent @ y) == abs(other_beta - beta) "
            "/ ((other_beta + alpha) * (beta + alpha)) * norm_2(y)",
            when="K == beta * identity(n) and other == other_beta * identity(n)",
        ),
        "attained": Claim(
            _STEP.format("=="),
            when="K == beta * identity(n) and other == other_beta * identity(n)",
            says="They attain the step,",
        ),
    },
    world=TwoRidges,
    cases=_several,
    suite=False,
    controls={
        "nine tenths": Control("step", _TWO, {"<= change": "<= 0.9 * change"}),
        "the ridge once": Control(
            "multiples", _TWO, {"(other_beta + alpha) *": "other_beta *"}
        ),
        "half of the change": Control(
            "attained", _TWO, {"== change": "== 0.5 * change"}
        ),
    },
)
