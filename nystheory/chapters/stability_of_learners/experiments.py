"""How far hypotheses move when they are trained on fewer columns, and their bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.stability_of_learners.theorems.graph_stability import (
    laplacian_of,
    spread_labels,
)
from nystheory.engine.findings.experiments import one_thread
from nystheory.learners import KernelRidge, KernelSVC, KernelSVR

# ---- what is measured ----


@dataclass(frozen=True, eq=False)
class Moves:
    """How far a learner moved with its matrix.

    Attributes
    ----------
    name : str
    counts : tuple of int, length m
        Columns.
    n : int
        Points of the training.
    relative : ndarray (m,)
        Spectral error of the matrix, in percent of its norm, mean over the draws.
    mean, largest : ndarray (m,)
        Change of the prediction over the points of the test: the mean in modulus, and
        the largest; means over the draws.
    farthest : ndarray (m,)
        The largest change over all points x of the feature space with K(x, x) <= 1,
        which is what the bounds bound; means over the draws.
    bounds : dict of str to ndarray (m,)
        On that, by name; means over the draws.
    chosen : dict of str to float
        Numbers of the learner.
    """

    name: str
    counts: tuple[int, ...]
    n: int
    relative: np.ndarray
    mean: np.ndarray
    largest: np.ndarray
    farthest: np.ndarray
    bounds: dict[str, np.ndarray]
    chosen: dict[str, float]


@dataclass(frozen=True, eq=False)
class Split:
    """Points for training and for testing, with labels of modulus 1 at most.

    Attributes
    ----------
    name : str
    K : DenseKernel (n, n)
    across : ndarray (m, n)
        Kernel values between the points of the test and those of the training.
    y, tested : ndarray (n,), (m,)
        Labels.
    """

    name: str
    K: kernels.DenseKernel
    across: np.ndarray
    y: np.ndarray
    tested: np.ndarray


def split(data: datasets.Dataset, gamma: float, rng, n: int | None = None) -> Split:
    """Four fifths of n random points for training, with a Gaussian kernel.

    Parameters
    ----------
    data : Dataset
    gamma : float
    rng : numpy.random.Generator
    n : int, optional
        All points by default.

    Examples
    --------
    >>> found = split(datasets.diabetes(), 0.1, np.random.default_rng(0), 50)
    >>> found.K.n, found.across.shape, bool(abs(found.y).max() <= 1)
    (40, (10, 40), True)
    """
    some = rng.permutation(len(data.X))[:n]
    X, y = data.X[some], data.y[some] - data.y[some].mean()
    count = 4 * len(some) // 5
    K = kernels.rbf(X, gamma=gamma).dense()
    y = y / np.abs(y).max()
    whole = kernels.DenseKernel(K[:count, :count])
    return Split(data.name, whole, K[count:, :count], y[:count], y[count:])


def best_ridge(K, y: np.ndarray) -> float:
    """The ridge, a power of 2 times n, with the least error of leaving one out.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    y : ndarray (n,)

    Examples
    --------
    >>> best_ridge(kernels.DenseKernel(np.eye(2)), np.array([1.0, -1.0]))
    8.0
    """
    values, vectors = np.linalg.eigh(K.dense())
    seen, best = vectors.T @ y, (np.inf, 0.0)
    for power in range(-18, 3):
        ridge = K.n * 2.0**power
        share = 1 / (values + ridge)
        missed = (vectors @ (share * seen)) / (vectors**2 @ share)
        best = min(best, (float(missed @ missed), -ridge))
    return -best[1]


def _spectral(K, near) -> float:
    return float(np.linalg.norm(near.spectral_reconstruction() - K.dense(), 2))


def _moves(found: Split, fit, bounds_of, shares, draws, rng, chosen) -> Moves:
    """Fit exactly, then with uniform columns, and compare at the points of the test."""
    exact, K = fit(found.K).dual_coef_, found.K.dense()
    whole = float(np.linalg.norm(K, 2))
    counts, rows = [max(2, round(share * found.K.n)) for share in shares], []
    for count in counts:
        drawn = []
        for _ in range(draws):
            near = lowrank.nystrom(found.K, sampling.uniform(found.K, count, rng))
            learner, change = fit(near), _spectral(found.K, near)
            apart = learner.dual_coef_ - exact
            moved = np.abs(found.across @ apart)
            # At the point along v = sum_i apart_i x_i, of length 1.
            farthest = np.sqrt(max(apart @ K @ apart, 0.0))
            told = bounds_of(learner, change)
            row = 100 * change / whole, moved.mean(), moved.max(), farthest
            drawn.append((*row, *told.values()))
        rows.append(np.mean(drawn, axis=0))
    measured, bounds = np.array(rows).T[:4], np.array(rows).T[4:]
    named = dict(zip(told, bounds, strict=True))
    return Moves(found.name, tuple(counts), found.K.n, *measured, named, chosen)


def shape(errors: np.ndarray, changes: np.ndarray) -> tuple[float, float]:
    """How a change grows with the error of the matrix.

    Parameters
    ----------
    errors, changes : ndarray (m,)
        Positive.

    Returns
    -------
    correlation, power : float
        On linear axes, and the slope of a line in logarithms.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> correlation, power = shape(x, 2 * x)
    >>> round(correlation, 6), round(power, 6)
    (1.0, 1.0)
    """
    correlation = np.corrcoef(errors, changes)[0, 1]
    power = np.polyfit(np.log(errors), np.log(changes), 1)[0]
    return float(correlation), float(power)


# ---- ridge regression ----


def moved_at_most(K, y, dual, ridge: float, point_bound: float) -> float:
    """How far ridge regression may be from the one with all of K, afterwards.

    Parameters
    ----------
    K : array (n, n)
    y : ndarray (n,)
    dual : ndarray (n,)
        Coefficients that somebody found, by whatever approximation.
    ridge : float
    point_bound : float
        Bounds K(x, x) for every point x at which it predicts.

    Returns
    -------
    float
        A bound on the change of each prediction, in the unit of y; one product with
        K.

    Examples
    --------
    >>> moved_at_most(np.eye(2), np.array([2.0, 0.0]), np.array([2.0, 0.0]), 1.0, 1.0)
    1.0
    """
    residual = y - K @ dual - ridge * dual
    return float(np.sqrt(point_bound / ridge) / 2 * np.linalg.norm(residual))


SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)


@one_thread
def ridge_moves(
    found: Split, rng, shares: Sequence[float] = SHARES, draws: int = 3
) -> Moves:
    """Ridge regression with uniform columns, beside the bounds of Proposition 5.1.

    Parameters
    ----------
    found : Split
    rng : numpy.random.Generator
    shares : sequence of float
        Of the columns that are drawn.
    draws : int

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> small = split(datasets.diabetes(), 0.1, rng, 50)
    >>> moves = ridge_moves(small, rng, [0.1, 0.5], 1)
    >>> bool((moves.largest <= moves.bounds["residual"]).all())
    True
    """
    K, y, theorem = found.K, found.y, theorems["talwalkar2010:prop-5.1"]
    ridge = best_ridge(K, y)
    known = {"n": K.n, "alpha": ridge, "point_bound": 1.0}
    known["largest_label"] = float(np.abs(y).max())

    def fit(matrix):
        return KernelRidge(ridge).fit(matrix, y)

    def bounds_of(learner, change):
        names = ("bound", "small ridge")
        told = {x: theorem.bound(claim=x, change_2=change, **known) for x in names}
        left = moved_at_most(K.dense(), y, learner.dual_coef_, ridge, 1.0)
        return {**told, "residual": left}

    missed = found.tested - found.across @ fit(K).dual_coef_
    chosen = {"ridge": ridge, "lambda_0": ridge / K.n}
    chosen["share_explained"] = float(1 - np.mean(missed**2) / np.var(found.tested))
    return _moves(found, fit, bounds_of, shares, draws, rng, chosen)


# ---- support vectors ----


@one_thread
def vector_moves(
    found: Split,
    C_0: float,
    rng,
    epsilon: float | None = None,
    shares: Sequence[float] = SHARES,
    draws: int = 3,
) -> Moves:
    """Support vector machines, or with `epsilon` regression, and their bounds.

    Parameters
    ----------
    found : Split
        Of which a machine takes the signs of the labels.
    C_0 : float
        Weight of the mean loss.
    rng : numpy.random.Generator
    epsilon : float, optional
        Half width of the tube.
    shares : sequence of float
    draws : int

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> small = split(datasets.diabetes(), 0.1, rng, 50)
    >>> moves = vector_moves(small, 10.0, rng, None, [0.1, 0.5], 1)
    >>> bool((moves.largest <= moves.bounds["sharper"]).all())
    True
    """
    n, machine = found.K.n, epsilon is None
    theorem = theorems["talwalkar2010:" + ("prop-5.2" if machine else "cor-5.2")]
    y = np.where(found.y > 0, 1, -1) if machine else found.y

    def fit(matrix):
        if machine:
            return KernelSVC(C_0 / n).fit(matrix, y)
        return KernelSVR(C_0 / n, epsilon=epsilon).fit(matrix, y)

    def bounds_of(_, change):
        known = {"n": n, "C_0": C_0, "point_bound": 1.0, "change_2": change}
        return {x: theorem.bound(claim=x, **known) for x in ("sharper", "printed")}

    return _moves(found, fit, bounds_of, shares, draws, rng, {"C_0": C_0})


# ---- graphs ----


@dataclass(frozen=True, eq=False)
class Spreads:
    """How far labels on a graph moved with the weights of its edges.

    Attributes
    ----------
    relative, moved, bound : ndarray (m,)
        Change of the Laplacian in percent of its norm, of all predictions together,
        and the bound on that.
    size : float
        Norm of all predictions of the first graph.
    known : dict of str to float
        The second smallest eigenvalue and the number of labels, by their names.
    """

    relative: np.ndarray
    moved: np.ndarray
    bound: np.ndarray
    size: float
    known: Mapping[str, float]


@one_thread
def graph_moves(
    data: datasets.Dataset,
    gamma: float,
    C_0: float,
    counts: Sequence[int],
    rng,
    labels: int = 40,
) -> Spreads:
    """Labels on the graph whose weights are a kernel, and on approximate ones.

    Parameters
    ----------
    data : Dataset
        With labels 0 and 1.
    gamma : float
        Of the Gaussian kernel.
    C_0 : float
    counts : sequence of int
        Columns of the Nyström approximations, of which negative weights are cut off.
    rng : numpy.random.Generator
    labels : int
        Half of them from each class.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = graph_moves(datasets.breast_cancer(60), 0.05, 1.0, [5, 30], rng, 10)
    >>> bool((found.moved <= found.bound).all())
    True
    """
    K = kernels.DenseKernel(kernels.rbf(data.X, gamma=gamma).dense())
    ends = [rng.permutation(np.flatnonzero(data.y == c))[: labels // 2] for c in (0, 1)]
    labelled, y = np.concatenate(ends), np.repeat([-1.0, 1.0], labels // 2)
    theorem, L = theorems["talwalkar2010:prop-5.3"], laplacian_of(K.dense())
    lambda_2 = float(np.linalg.eigvalsh(L)[1])
    known = {"l": labels, "label_weight": C_0, "largest_label": 1.0}
    known["lambda_2"] = lambda_2
    exact, rows = spread_labels(L, labelled, y, C_0), []
    for count in counts:
        near = lowrank.nystrom(K, sampling.uniform(K, count, rng))
        other = laplacian_of(np.maximum(near.spectral_reconstruction(), 0.0))
        change = float(np.linalg.norm(other - L, 2))
        second = float(np.linalg.eigvalsh(other)[1])
        bound = theorem.bound(other_lambda_2=second, laplacian_change=change, **known)
        moved = np.linalg.norm(spread_labels(other, labelled, y, C_0) - exact)
        rows.append((100 * change / np.linalg.norm(L, 2), moved, bound))
    return Spreads(*np.array(rows).T, float(np.linalg.norm(exact)), known)


def without_far(data: datasets.Dataset, gamma: float, count: int) -> datasets.Dataset:
    """Without so many points, those whose edges have the smallest sums of weights.

    Examples
    --------
    >>> cells = datasets.breast_cancer(60)
    >>> len(without_far(cells, 0.02, 2).X)
    58
    """
    weights = kernels.rbf(data.X, gamma=gamma).dense().sum(axis=0)
    kept = np.sort(np.argsort(weights)[count:])
    return datasets.Dataset(data.name, data.X[kept], data.y[kept], "", "")
