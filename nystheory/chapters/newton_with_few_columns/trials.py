"""What the experiments measure: steps, where they end, and who tells labels right."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from nystheory import datasets
from nystheory.chapters.newton_with_few_columns import both_forms, experiments
from nystheory.learners import KernelLogistic, NotConverged, newton

# ---- points with two labels ----


@dataclass(frozen=True, eq=False)
class Labelled:
    """Points with labels 0 and 1, of which the first so many are for training.

    Attributes
    ----------
    X, y : ndarray (n, d), ndarray (n,)
    train : int
    gamma, ridge : float
        Of the Gaussian kernel and of the loss.
    """

    X: np.ndarray
    y: np.ndarray
    train: int
    gamma: float
    ridge: float


def pair(size: int, rng, digits=(3, 8), gamma: float = 0.1, ridge: float = 0.01):
    """Two digits, in random order."""
    X, y = experiments.two_digits(*digits)
    at = rng.permutation(len(y))
    return Labelled(X[at], y[at], size, gamma, ridge)


def cells(size: int, rng, gamma: float = 0.1, ridge: float = 0.01) -> Labelled:
    """Cell samples, each coordinate of variance 1."""
    data = datasets.breast_cancer()
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    at = rng.permutation(len(X))
    y = (data.y == data.y.max()).astype(float)
    return Labelled(X[at], y[at], size, gamma / X.shape[1], ridge)


def moons(size: int, rng, gamma: float = 5.0, ridge: float = 0.01) -> Labelled:
    """Two noisy half circles, as many for the test as for training."""
    y = rng.integers(0, 2, 2 * size)
    angle = np.pi * rng.uniform(0, 1, 2 * size)
    X = np.where(
        y[:, None] == 0,
        np.c_[np.cos(angle), np.sin(angle)],
        np.c_[1 - np.cos(angle), 0.5 - np.sin(angle)],
    )
    X = X + 0.2 * rng.standard_normal(X.shape)
    return Labelled(X, y.astype(float), size, gamma, ridge)


# ---- both forms of the step ----

# Steps after which it is given up.
MOST = 300


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is trained on, its minimiser, and the columns in random order."""

    K: np.ndarray
    y: np.ndarray
    ridge: float
    goal: object
    order: np.ndarray


def known_and_new(drawn: Labelled, rng) -> tuple[Fitted, tuple]:
    """Training points with their minimiser; rows and labels of the others."""
    K, n = experiments.gram(drawn.X, drawn.gamma), drawn.train
    A, y = K[:n, :n], drawn.y[:n]
    goal = newton(A, y, drawn.ridge, max_iter=2000)
    fitted = Fitted(A, y, drawn.ridge, goal, rng.permutation(n))
    return fitted, (K[n:, :n], drawn.y[n:])


def exact_gradient(known: Fitted, columns):
    """Newton's step with few columns: weights, steps, whether it is at rest."""
    with warnings.catch_warnings(action="ignore", category=NotConverged):
        found = newton(known.K, known.y, known.ridge, columns=columns, max_iter=MOST)
    return found.w, found.iterations, found.iterations < MOST


def form_3_14(known: Fitted, columns, damped: float, steps: int):
    """The form (3.14), mended, with a share of each step."""
    path = both_forms.printed(known.K, known.y, known.ridge, columns, damped, steps)
    return path[-1], steps, both_forms.at_rest(path, damped)


def steps_and_ends(trial, counts) -> dict:
    """With each number of columns, uniform ones, the first of one order."""
    known, (rows, labels) = trial.known, trial.judged
    out = {name: [] for name in ("steps", "rest", "right", "off", "work")}
    n = len(known.y)
    for count in counts:
        w, steps, rest = trial.run(known, known.order[:count])
        out["steps"].append(steps)
        out["rest"].append(100 * rest)
        out["right"].append(100 * experiments.right(rows, w, labels))
        away = np.linalg.norm(w - known.goal.w) / np.linalg.norm(known.goal.w)
        out["off"].append(100 * away)
        out["work"].append(100 * steps * work(n, count) / whole_work(known))
    return out


def all_columns(trial) -> dict:
    """The minimiser."""
    known, (rows, labels) = trial.known, trial.judged
    right = 100 * experiments.right(rows, known.goal.w, labels)
    return {
        "steps": known.goal.iterations,
        "rest": 100,
        "right": right,
        "off": 0,
        "work": 100,
    }


def work(n: int, columns: int) -> float:
    """Operations of a step with so many columns and n features."""
    return 4 * n**2 + 2 * n**2 * columns + 2 * n * columns**2


def whole_work(known: Fitted) -> float:
    """Those of all steps with all columns; the Hessian is symmetric, half is enough."""
    n = len(known.y)
    return known.goal.iterations * (4 * n**2 + n**3 + n**3 / 3)


# ---- who tells labels right ----

SPARE = 4  # one training point of so many is set aside for the choice of a ridge


@dataclass(frozen=True, eq=False)
class Learned:
    """Training points in two parts: to learn from, and to choose a ridge with."""

    X: np.ndarray
    y: np.ndarray
    aside: tuple[np.ndarray, np.ndarray]
    gamma: float
    seed: int


def known_and_judged(drawn: Labelled, rng) -> tuple[Learned, tuple]:
    """Training points of mean squared length one, and the others, in the same scale."""
    n, m = drawn.train, drawn.train - drawn.train // SPARE
    square = np.mean(np.sum(drawn.X[:m] ** 2, axis=1))
    y, X, gamma = drawn.y, drawn.X / np.sqrt(square), drawn.gamma * square
    seed = int(rng.integers(2**31))
    learned = Learned(X[:m], y[:m], (X[m:n], y[m:n]), gamma, seed)
    return learned, (X[n:], y[n:])


def trained(known: Learned, ridge: float, linear: bool, landmarks: int | None):
    """With all of K, or with features of some landmarks of it."""
    way = {"method": "exact"}
    if landmarks:
        way = {
            "method": "nystrom",
            "n_landmarks": landmarks,
            "random_state": known.seed,
        }
    kernel = {"kernel": "linear"} if linear else {"gamma": known.gamma}
    model = KernelLogistic(ridge, penalty="coefficients", **kernel, **way)
    return model.fit(known.X, known.y)


def wrong_aside(run, ridge: float, known: Learned) -> float:
    """The share of points set aside that is told wrong."""
    return 1 - trained(known, ridge, **run).score(*known.aside)


def told_right(trial) -> dict:
    """The share of new points that is told right, in percent."""
    model = trained(trial.known, trial.chosen, **trial.run)
    return {"right": 100 * model.score(*trial.judged)}
