"""Logistic regression on two similar digits, with all columns and with few.

Figure 3.8 of Talwalkar 2010, on data that need no download.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels
from nystheory.chapters.newton_with_few_columns import both_forms
from nystheory.engine.findings.experiments import one_thread
from nystheory.learners import KernelLogistic, newton

# A limit of an interval is wrong with this probability: two make 95 percent.
LEVEL = 0.025


# ---- two digits ----


def two_digits(first: int = 3, second: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """The images of two digits, and the label 1 for the second.

    Returns
    -------
    X : ndarray (n, 64)
    y : ndarray (n,)

    Examples
    --------
    >>> X, y = two_digits()
    >>> X.shape, int(y.sum())
    ((357, 64), 174)
    """
    data = datasets.digits()
    kept = np.isin(data.y, (first, second))
    return data.X[kept], (data.y[kept] == second).astype(float)


def gram(X: np.ndarray, gamma: float | None) -> np.ndarray:
    """The Gaussian kernel, or without `gamma` the linear one with mean diagonal 1.

    Examples
    --------
    >>> gram(np.array([[1.0], [3.0]]), None).tolist()
    [[0.2, 0.6], [0.6, 1.8]]
    """
    if gamma is not None:
        return kernels.rbf(X, gamma).dense()
    K = kernels.linear(X).dense()
    return K / np.diag(K).mean()


def shares(K, y, ridge: float, train, test) -> float:
    """The share of the test points that is told right after training on the others.

    Parameters
    ----------
    K : ndarray (n, n)
    y : ndarray (n,)
        Labels 0 and 1.
    ridge : float
    train, test : ndarray of int

    Examples
    --------
    >>> K, y = np.eye(4) + 1, np.array([0.0, 1, 0, 1])
    >>> shares(K, y, 1.0, np.arange(4), np.arange(4))
    1.0
    """
    found = newton(K[np.ix_(train, train)], y[train], ridge)
    return right(K[np.ix_(test, train)], found.w, y[test])


def right(rows, w, y) -> float:
    """The share of the labels that the signs of the scores tell.

    Examples
    --------
    >>> right(np.eye(2), np.array([1.0, -1.0]), np.array([1, 1]))
    0.5
    """
    return float(np.mean((rows @ w > 0) == (y == 1)))


def order(n: int, seed: int) -> np.ndarray:
    """The points in the order of a split; the first of them are for training.

    Examples
    --------
    >>> sorted(order(3, seed=0).tolist())
    [0, 1, 2]
    """
    return np.random.default_rng(seed).permutation(n)


@one_thread
def crossvalidated(X, y, gammas: Sequence, ridges: Sequence[float], folds: int = 3):
    """The kernel and the ridge with the best mean share, the first of those that tie.

    Parameters
    ----------
    X : ndarray (n, d)
    y : ndarray (n,)
    gammas : sequence of float or None
        As `gram` takes them.
    ridges : sequence of float
    folds : int

    Returns
    -------
    gamma, ridge : float or None, float

    Examples
    --------
    >>> X, y = two_digits()
    >>> crossvalidated(X[:60], y[:60], [None], [0.1, 1.0])
    (None, 0.1)
    """
    parts = np.array_split(np.arange(len(y)), folds)
    best = -1.0, None
    for gamma in gammas:
        K = gram(X, gamma)
        for ridge in ridges:
            found = []
            for test in parts:
                train = np.setdiff1d(np.arange(len(y)), test)
                found.append(shares(K, y, ridge, train, test))
            if np.mean(found) > best[0]:
                best = float(np.mean(found)), (gamma, ridge)
    return best[1]


# ---- figure 3.8 ----


@dataclass(frozen=True, eq=False)
class Columns:
    """Logistic regression with few columns, over several splits.

    Attributes
    ----------
    counts : tuple of int, length m
        Columns of the Hessian.
    whole : ndarray (splits,)
        Share of the test points that is told right with all columns.
    relative, printed : ndarray (m, splits)
        The same with few columns over `whole`: with the step in (3.13), to the end,
        and with the damped step in the form (3.14), wherever it is after its last.
    settled : ndarray of bool (m, splits)
        Whether the form (3.14) is at rest there, as `both_forms.at_rest` has it.
    steps : ndarray (m, splits)
    whole_steps : ndarray (splits,)
    seconds : ndarray (m, splits)
    whole_seconds : ndarray (splits,)
    apart : float
        The largest distance of an end from the minimiser, as a share of its length.
    """

    counts: tuple[int, ...]
    whole: np.ndarray
    relative: np.ndarray
    printed: np.ndarray
    settled: np.ndarray
    steps: np.ndarray
    whole_steps: np.ndarray
    seconds: np.ndarray
    whole_seconds: np.ndarray
    apart: float

    @property
    def time_share(self) -> np.ndarray:
        """Median seconds with few columns over those with all, (m,)."""
        seconds = np.median(self.seconds, axis=1)
        return seconds / np.median(self.whole_seconds)


@one_thread
def few_columns(
    K, y, ridge: float, train: int, counts: Sequence[int], splits: int
) -> Columns:
    """Train on some points and test on the others, with all and with few columns.

    Parameters
    ----------
    K : ndarray (n, n)
        Of all points.
    y : ndarray (n,)
        Labels 0 and 1.
    ridge : float
    train : int
        Points for training.
    counts : sequence of int
        Numbers of uniform columns.
    splits : int

    Examples
    --------
    >>> X, y = two_digits()
    >>> found = few_columns(gram(X, 0.02), y, 0.1, 100, [5, 20], splits=2)
    >>> bool(found.apart < 1e-4), found.steps.shape
    (True, (2, 2))
    """
    whole, rows, apart = [], [], 0.0
    for seed in range(splits):
        at = order(len(y), seed)
        known, new = at[:train], at[train:]
        A, B = K[np.ix_(known, known)], K[np.ix_(new, known)]
        found, seconds = timed(A, y[known], ridge, None)
        share = right(B, found.w, y[new])
        whole.append((share, found.iterations, seconds))
        for count in counts:
            S = np.random.default_rng([seed, count]).choice(train, count, replace=False)
            few, seconds = timed(A, y[known], ridge, S)
            away = np.linalg.norm(few.w - found.w) / np.linalg.norm(found.w)
            apart = max(apart, float(away))
            path = both_forms.printed(A, y[known], ridge, S)
            shares = (right(B, w, y[new]) / share for w in (few.w, path[-1]))
            settled = both_forms.at_rest(path)
            rows.append((*shares, settled, few.iterations, seconds))
    table = np.array(rows).reshape(splits, len(counts), 5).transpose(2, 1, 0)
    relative, of_printed, settled, steps, seconds = table
    accuracy, whole_steps, whole_seconds = np.array(whole).T
    return Columns(
        tuple(counts),
        accuracy,
        relative,
        of_printed,
        settled.astype(bool),
        steps,
        whole_steps,
        seconds,
        whole_seconds,
        apart,
    )


@one_thread
def shorter_steps(
    K,
    y,
    ridge: float,
    train: int,
    counts: Sequence[int],
    splits: int,
    damped: float,
    steps: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The form (3.14) once more, with another share of each step.

    Parameters
    ----------
    K, y, ridge, train, counts, splits
        As for `few_columns`, with the same splits and columns.
    damped : float
    steps : int

    Returns
    -------
    settled : ndarray of bool (m, splits)
    relative, distance : ndarray (m, splits)
        The share told right over that of the minimiser, and the distance of the
        weights from it as a share of its length.

    Examples
    --------
    >>> X, y = two_digits()
    >>> settled, relative, distance = shorter_steps(
    ...     gram(X, 0.02), y, 0.1, 60, [5, 60], 2, damped=0.2, steps=100
    ... )
    >>> bool(settled[1].all()), bool(distance[1].max() < 1e-4)
    (True, True)
    """
    table = np.empty((3, len(counts), splits))
    for seed in range(splits):
        at = order(len(y), seed)
        known, new = at[:train], at[train:]
        A, B = K[np.ix_(known, known)], K[np.ix_(new, known)]
        goal = newton(A, y[known], ridge).w
        for row, count in enumerate(counts):
            S = np.random.default_rng([seed, count]).choice(train, count, replace=False)
            path = both_forms.printed(A, y[known], ridge, S, damped, steps)
            table[:, row, seed] = (
                both_forms.at_rest(path, damped),
                right(B, path[-1], y[new]) / right(B, goal, y[new]),
                np.linalg.norm(path[-1] - goal) / np.linalg.norm(goal),
            )
    return table[0].astype(bool), table[1], table[2]


@one_thread
def few_features(
    X, y, gamma: float, ridge: float, train: int, counts: Sequence[int], splits: int
) -> np.ndarray:
    """The share told right after training on the features of so many landmarks.

    Parameters
    ----------
    X : ndarray (n, d)
    y : ndarray (n,)
        Labels 0 and 1.
    gamma, ridge : float
    train : int
        Points for training.
    counts : sequence of int
        Numbers of landmarks.
    splits : int

    Returns
    -------
    ndarray (m, splits)

    Examples
    --------
    >>> X, y = two_digits()
    >>> few_features(X, y, 0.02, 0.1, 100, [5, 20], splits=2).shape
    (2, 2)
    """
    table = np.empty((len(counts), splits))
    for seed in range(splits):
        at = order(len(y), seed)
        known, new = at[:train], at[train:]
        for row, count in enumerate(counts):
            model = KernelLogistic(
                ridge,
                gamma=gamma,
                penalty="coefficients",
                method="nystrom",
                n_landmarks=count,
                random_state=seed,
            )
            fitted = model.fit(X[known], y[known])
            table[row, seed] = fitted.score(X[new], y[new])
    return table


def timed(K, y, ridge: float, columns):
    """The minimum and the seconds that it took.

    Examples
    --------
    >>> found, seconds = timed(np.eye(2), np.ones(2), 1.0, [0])
    >>> found.w.round(4).tolist(), seconds > 0
    ([0.4011, 0.4011], True)
    """
    start = time.perf_counter()
    found = newton(K, y, ridge, columns=columns, max_iter=2000)
    return found, time.perf_counter() - start
