"""Newton's step with few columns, as printed and as mended: where both end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from nystheory.engine.findings.experiments import one_thread
from nystheory.learners import newton

# The step in the printed form has no function that it minimises, hence no line search;
# a quarter of it comes to rest in some cases where the whole one cycles, not in all;
# shorter ones do so in more.
DAMPED, STEPS = 0.25, 100
# At rest: a whole step is shorter than this share of the weights.
REST = 1e-6


# ---- the printed form ----


def printed(X, y, ridge: float, columns, damped: float = DAMPED, steps: int = STEPS):
    """The step (3.14) with the inverse of (3.16), damped, so many times from zero.

    The factor ``lambda`` that (3.14) has before the old weights is left out.

    Parameters
    ----------
    X : ndarray (n, N)
        Features, a point a row.
    y : ndarray (n,)
        Labels 0 and 1.
    ridge : float
    columns : sequence of int
        Of ``T = X' R X``.
    damped : float
        The share of each step that is made.
    steps : int

    Returns
    -------
    ndarray (steps + 1, N)
        All weights, with zero as the first.

    Examples
    --------
    >>> path = printed(np.eye(2), np.ones(2), 1.0, [0, 1])
    >>> path[-1].round(4).tolist()
    [0.4011, 0.4011]
    """

    def step(w, s, G):
        b = G.T @ (G @ w) + X.T @ (y - s)
        return solved(G, ridge, columns, b) - w

    return _path(X, step, damped, steps)


def at_rest(path: np.ndarray, damped: float = DAMPED) -> bool:
    """Whether the last step is next to nothing beside the weights.

    Parameters
    ----------
    path : ndarray (steps + 1, N)
    damped : float
        The share of each step that was made.

    Examples
    --------
    >>> path = printed(np.eye(2), np.ones(2), 1.0, [0])
    >>> at_rest(path), at_rest(path[:3])
    (True, False)
    """
    last = np.linalg.norm(path[-1] - path[-2]) / damped
    return bool(last <= REST * np.linalg.norm(path[-1]))


def repaired(X, y, ridge: float, columns, damped: float = DAMPED, steps: int = STEPS):
    """The step (3.13) with the inverse of (3.16), damped, so many times from zero.

    Parameters and returns as for `printed`.

    Examples
    --------
    >>> path = repaired(np.eye(2), np.ones(2), 1.0, [0])
    >>> path[-1].round(4).tolist()
    [0.4011, 0.4011]
    """

    def step(w, s, G):
        return -solved(G, ridge, columns, slope(X, y, ridge, w))

    return _path(X, step, damped, steps)


def _path(X, step, damped, steps) -> np.ndarray:
    """All weights, from zero, by a share of each step; ``G'G`` is the Hessian's T."""
    w = np.zeros(X.shape[1])
    path = [w]
    for _ in range(steps):
        s = expit(X @ w)
        G = np.sqrt(s * (1 - s))[:, None] * X
        w = w + damped * step(w, s, G)
        path.append(w)
    return np.array(path)


def solved(G, ridge: float, columns, b) -> np.ndarray:
    """``(ridge I + T~)^-1 b`` for T = G'G and its Nyström approximation, by (3.16).

    Examples
    --------
    >>> solved(np.eye(2), 1.0, [0], np.array([1.0, 1.0])).tolist()
    [0.5, 1.0]
    """
    Q, sizes, _ = np.linalg.svd(G[:, columns], full_matrices=False)
    F = G.T @ Q[:, sizes > 1e-10 * sizes.max(initial=0.0)]
    inner = np.linalg.solve(F.T @ F + ridge * np.eye(F.shape[1]), F.T @ b)
    return (b - F @ inner) / ridge


def slope(X, y, ridge: float, w) -> np.ndarray:
    """The gradient of the regularised loss.

    Examples
    --------
    >>> slope(np.eye(2), np.ones(2), 1.0, np.zeros(2)).tolist()
    [-0.5, -0.5]
    """
    return ridge * w - X.T @ (y - expit(X @ w))


@dataclass(frozen=True, eq=False)
class Paths:
    """How two forms of a step end.

    Attributes
    ----------
    printed, repaired : ndarray (steps + 1,)
        Length of the gradient after each step, as a share of that at zero.
    distance : float
        Of the end of the printed form from the minimiser, as a share of its length.
    identity : float
        Largest entry of ``grad E(w) - (T - T~) w`` at that end, as a share of the
        largest of the gradient.
    """

    printed: np.ndarray
    repaired: np.ndarray
    distance: float
    identity: float


@one_thread
def paths(K, y, ridge: float, columns, damped: float = DAMPED, steps=STEPS) -> Paths:
    """Follow both forms from zero, with the same columns and the same damping.

    Parameters
    ----------
    K : ndarray (n, n)
        The empirical kernel map.
    y : ndarray (n,)
    ridge : float
    columns : sequence of int
    damped : float
    steps : int

    Examples
    --------
    >>> found = paths(np.eye(2), np.ones(2), 1.0, [0])
    >>> bool(found.repaired[-1] < 1e-6), round(float(found.printed[-1]), 2)
    (True, 0.16)
    """
    ways = [way(K, y, ridge, columns, damped, steps) for way in (printed, repaired)]
    first = np.linalg.norm(slope(K, y, ridge, ways[0][0]))
    lengths = [
        np.array([np.linalg.norm(slope(K, y, ridge, w)) / first for w in way])
        for way in ways
    ]
    end, goal = ways[0][-1], newton(K, y, ridge).w
    distance = np.linalg.norm(end - goal) / np.linalg.norm(goal)
    s, gradient = expit(K @ end), slope(K, y, ridge, end)
    G = np.sqrt(s * (1 - s))[:, None] * K
    # (T - T~) w, with T~ w from the inverse that the step uses.
    seen = np.linalg.svd(G[:, columns], full_matrices=False)[0]
    missed = G.T @ (G @ end) - G.T @ (seen @ (seen.T @ (G @ end)))
    identity = np.abs(gradient - missed).max() / np.abs(gradient).max()
    return Paths(*lengths, float(distance), float(identity))


# ---- slow ends ----


def steps_taken(ridges: Sequence[float], asked: float, most: int = 2000) -> np.ndarray:
    """Steps for two orthogonal points of which the first is sampled, ridge by ridge.

    Parameters
    ----------
    ridges : sequence of float
    asked : float
        A step is halved until E falls by this share of what its slope promises.
    most : int
        Steps after which it is given up.

    Returns
    -------
    ndarray of int (m,)
        To a gradient of a millionth of that at zero.

    Examples
    --------
    >>> steps_taken([1.0, 10.0], asked=0.25).tolist()
    [10, 4]
    """
    return np.array(
        [_steps(np.eye(2), np.ones(2), r, [0], asked, most) for r in ridges]
    )


def _steps(X, y, ridge, columns, asked, most) -> int:
    w = np.zeros(X.shape[1])
    first = np.linalg.norm(slope(X, y, ridge, w))
    for step in range(most):
        g = slope(X, y, ridge, w)
        if np.linalg.norm(g) <= 1e-6 * first:
            return step
        s = expit(X @ w)
        p = solved(np.sqrt(s * (1 - s))[:, None] * X, ridge, columns, g)
        length, here = 1.0, loss(X, y, ridge, w)
        while loss(X, y, ridge, w - length * p) > here - asked * length * (g @ p):
            length /= 2
        w = w - length * p
    return most


def loss(X, y, ridge: float, w) -> float:
    """The regularised loss E(w).

    Examples
    --------
    >>> round(loss(np.eye(2), np.ones(2), 1.0, np.zeros(2)), 4)
    1.3863
    """
    scores = X @ w
    return float(ridge / 2 * (w @ w) + np.logaddexp(0, scores).sum() - y @ scores)


def multiples(ridges: Sequence[float]) -> np.ndarray:
    """For the same points, the Hessian at the minimum over the matrix in its place.

    Returns
    -------
    ndarray (m,)
        The largest eigenvalue of ``(ridge I + T~)^-1 H``.

    Examples
    --------
    >>> multiples([1.0]).round(2).tolist()
    [1.24]
    """
    out = []
    for ridge in ridges:
        s = expit(newton(np.eye(1), np.ones(1), ridge).w[0])
        out.append(1 + s * (1 - s) / ridge)
    return np.array(out)
