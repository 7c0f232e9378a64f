"""Which approximation keeps the criterion: figure 1, in small, on points of our own.

Ding et al. 2019, figure 1.  The page has it on data.
"""

from __future__ import annotations

import numpy as np

from nystheory import sampling
from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.worlds.laws import enter
from nystheory.engine.worlds.worlds import Given, World


def _share(symbol, of) -> Given:
    meaning = f"whether the criterion is nearer with {of}"
    return Given(symbol, meaning, drawn=True)


class Selection(World):
    """Two classes of points, and which columns keep the criterion better."""

    size = Given("n", "number of points", range="size > 0")
    columns = Given("l", "number of columns", range="columns > 0")
    mu = Given(r"\mu", "regularization parameter", range="mu > 0")
    gamma = Given(r"\gamma", "parameter of the kernel", range="gamma > 0")
    uniform_nearer = _share("N_{u}", "uniform columns than with criterion-driven ones")
    driven_nearer = _share("N_{d}", "criterion-driven columns than with uniform ones")
    full_nearer = _share("N_{f}", "a full pass than with criterion-driven columns")
    best_nearer = _share("N_{k}", "the best rank than with criterion-driven columns")

    # A repetition leaves three truths, which do not round with the points.
    n = 1
    # Nothing of it is a number that a search may change.
    moves = False


def selected(i: Selection, rng: np.random.Generator) -> Selection:
    """One repetition: points and columns anew."""
    n, l = int(i.size), int(i.columns)  # noqa: E741 - the field's letter
    batch = l // 10
    K, y = two_classes(n, i.gamma, rng)
    values, U = np.linalg.eigh(K)
    best = U[:, -l:] * np.sqrt(np.maximum(values[-l:], 0.0))
    driven = sampling.criterion_driven(K, l, rng, y=y, batch=batch).indices
    full = sampling.adaptive_full(K, l, rng, batch=batch).indices
    uniform = rng.choice(n, l, replace=False)
    factors = (best, *(factor(K, S) for S in (driven, full, uniform)))
    # The criterion of an approximation is never below that of K: smaller is nearer.
    best, driven, full, uniform = (value(V, y, i.mu) for V in factors)
    return i.but(
        uniform_nearer=float(uniform < driven),
        driven_nearer=float(driven < uniform),
        full_nearer=float(full < driven),
        best_nearer=float(best < driven),
    )


enter("selected", "points and columns anew", lambda i: None, selected)


def two_classes(n: int, gamma: float, rng) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian kernel matrix of two normal classes in the plane, and their labels.

    Examples
    --------
    >>> K, y = two_classes(4, 1.0, np.random.default_rng(0))
    >>> K.shape, y.tolist()
    ((4, 4), [-1.0, 1.0, -1.0, 1.0])
    """
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.standard_normal((n, 2))
    X[:, 0] += y
    squares = np.einsum("ij,ij->i", X, X)
    apart = squares[:, None] + squares - 2 * X @ X.T
    return np.exp(-gamma * np.maximum(apart, 0.0)), y


def factor(K, S) -> np.ndarray:
    """V with ``V V'`` the Nyström approximation from the columns S.

    Examples
    --------
    >>> factor(np.diag([4.0, 1.0]), [0]).round(6).tolist()
    [[2.0], [0.0]]
    """
    values, vectors = np.linalg.eigh(K[np.ix_(S, S)])
    kept = values > 1e-10 * values.max()
    return K[:, S] @ (vectors[:, kept] / np.sqrt(values[kept]))


def value(V, y, mu: float) -> float:
    """The criterion of ``V V'``.

    Examples
    --------
    >>> float(value(np.zeros((2, 1)), np.ones(2), 0.5))
    1.0
    """
    n, seen = len(y), V.T @ y
    ridged = V.T @ V + n * mu * np.eye(V.shape[1])
    return (y @ y - seen @ np.linalg.solve(ridged, seen)) / n


_SIZES = "size == 50 and columns == 10 and gamma == 1 and mu == 0.005"
_SMALL = Selection.exactly("two classes", size=50, columns=10, gamma=1, mu="0.005")
_DRAWN = "points have a continuous law: nothing to list"


def _mean(line, says="") -> Claim:
    return Claim(line, when=_SIZES, law="selected", says=says, support=("0", "1"))


def _control(of, old, new) -> Control:
    return Control(of, _SMALL, {old: new}, inexact=_DRAWN)


FIGURE_1 = Theorem(
    id="ding2019:fig-1",
    kind="experiment",
    status="not-reproduced",
    title="Which approximation keeps the criterion",
    number="figure 1",
    setting=(
        "Draw $n$ points of the plane, normal around two means at distance $2$ with "
        r"labels $-1$ and $1$ in turn, and let $K_{ij} = \exp(-\gamma \|x_i - "
        r"x_j\|^2)$. Approximate it from $l$ columns: criterion-driven ones, those of "
        "adaptive sampling with a full pass, both in batches of a tenth of $l$, or "
        "different uniform ones; or by the best rank $l$. Let $N_{u}$, $N_{f}$ and "
        "$N_{k}$ be 1 where the criterion with uniform columns, with those of a full "
        "pass and with the best rank is nearer to that of $K$ than with "
        "criterion-driven ones, and 0 elsewhere."
    ),
    claims={
        "uniform": _mean(
            "mean(uniform_nearer) >= 3 / 4",
            "Uniform columns are nearer than criterion-driven ones in most "
            "repetitions:",
        ),
        "full pass": _mean(
            "mean(full_nearer) >= 9 / 10", "So are those of a full pass,"
        ),
        "best rank": _mean("mean(best_nearer) >= 9 / 10", "and so is the best rank:"),
    },
    world=Selection,
    cases=lambda rng: [_SMALL],
    suite=False,
    controls={
        "criterion-driven": _control("uniform", "uniform_nearer", "driven_nearer"),
        "criterion-driven, full pass": _control(
            "full pass", "full_nearer", "driven_nearer"
        ),
        "criterion-driven, best rank": _control(
            "best rank", "best_nearer", "driven_nearer"
        ),
    },
)
