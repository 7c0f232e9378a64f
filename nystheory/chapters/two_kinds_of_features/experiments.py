"""What a span of few functions can do, of waves that are drawn and of bumps at data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import features, kernels
from nystheory.learners import FeatureRidge, KernelRidge

# --- Machines of few functions --------------------------------------------------------


def columns(X, count: int, gamma: float, ridge: float, y, rng, scheme: str = "uniform"):
    """Kernel ridge regression in the span of bumps at so many of the points.

    Parameters
    ----------
    X, y : ndarray (n, d), (n,)
    count : int
        The number of functions.
    gamma, ridge : float
        Of the Gaussian kernel, and in the units of K.
    rng : numpy.random.Generator
    scheme : str
        How points are chosen.

    Returns
    -------
    FeatureRidge
        Fitted.

    Examples
    --------
    >>> X, rng = np.arange(4.0)[:, None], np.random.default_rng(0)
    >>> columns(X, 2, 1.0, 0.1, X[:, 0], rng).coef_.shape
    (2,)
    """
    chosen = features.NystromFeatures(
        gamma=gamma, landmarks=scheme, n_landmarks=count, random_state=rng
    )
    return FeatureRidge(chosen, ridge, penalty="rkhs").fit(X, y)


def plain_waves(X, count: int, gamma: float, ridge: float, y, rng):
    """The same in the span of so many waves, with the weights 1.

    Examples
    --------
    >>> X, rng = np.arange(4.0)[:, None], np.random.default_rng(0)
    >>> plain_waves(X, 2, 1.0, 0.1, X[:, 0], rng).coef_.shape
    (2,)
    """
    return FeatureRidge(_drawn(X, count, gamma, rng), ridge).fit(X, y)


def weighted_waves(X, count: int, gamma: float, ridge: float, y, rng):
    """The same with the weights of Yang et al. 2012, Proposition 1.

    The weights are multiplied by one factor, so that the inner product of a point's
    features with themselves is 1 on the scale of the weights, as with weights 1.

    Examples
    --------
    >>> X, rng = np.arange(4.0)[:, None], np.random.default_rng(0)
    >>> weighted_waves(X, 2, 1.0, 0.1, X[:, 0], rng).coef_.shape
    (2,)
    """
    drawn = _drawn(X, count, gamma, rng)
    weights = drawn.fit(X).penalty_
    weights = weights * np.mean(1 / weights)
    return FeatureRidge(drawn, ridge, penalty=weights).fit(X, y)


def _drawn(X, count, gamma, rng):
    """Waves of frequencies that are fixed: a second fit draws the same."""
    seed = int(rng.integers(2**31))
    return features.RandomFourierFeatures(
        gamma=gamma, n_components=count, random_state=seed
    )


def distance(model: FeatureRidge, X, whole: np.ndarray) -> float:
    """How far a machine is from the one with all functions, at the points.

    Parameters
    ----------
    model : FeatureRidge
    X : array_like (n, d)
    whole : ndarray (n,)
        The values of the other machine.

    Returns
    -------
    float
        In percent of the root mean square of these values.

    Examples
    --------
    >>> model = FeatureRidge(ridge=1.0).fit([[1.0]], [4.0])
    >>> distance(model, [[1.0]], np.array([4.0]))
    50.0
    """
    missed = model.predict(X) - whole
    return 100 * float(np.sqrt(np.mean(missed**2) / np.mean(whole**2)))


def whole_machine(X, y, gamma: float, ridge: float) -> KernelRidge:
    """Kernel ridge regression with all functions, fitted.

    Examples
    --------
    >>> whole_machine([[0.0]], [2.0], 1.0, 1.0).predict([[0.0]]).tolist()
    [1.0]
    """
    return KernelRidge(ridge, gamma=gamma).fit(X, y)


# --- A dozen points -------------------------------------------------------------------


def dozen(rng: np.random.Generator, count: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Points on a line, and noisy values of a curve there.

    Examples
    --------
    >>> X, y = dozen(np.random.default_rng(0))
    >>> X.shape, y.shape
    ((12, 1), (12,))
    """
    x = np.sort(rng.uniform(0, 6, count))
    noise = 0.1 * rng.standard_normal(count)
    return x[:, None], np.sin(1.5 * x) + 0.5 * np.cos(3 * x) + noise


@dataclass(frozen=True, eq=False)
class Spans:
    """Two spans of few functions, and the machine of each.

    Attributes
    ----------
    X, y : ndarray (n, 1), (n,)
    grid : ndarray (m,)
    waves, bumps : ndarray (m, count)
        The functions, at the grid.
    landmarks : ndarray (count,)
        Where the bumps stand.
    by_waves, by_bumps, by_all : ndarray (m,)
        The machine in each span, and the one with all functions.
    """

    X: np.ndarray
    y: np.ndarray
    grid: np.ndarray
    waves: np.ndarray
    bumps: np.ndarray
    landmarks: np.ndarray
    by_waves: np.ndarray
    by_bumps: np.ndarray
    by_all: np.ndarray


def spans(rng: np.random.Generator, count: int = 8, ridge: float = 0.1) -> Spans:
    """Two spans for a dozen points: of waves, and of bumps at some of the points.

    Examples
    --------
    >>> spans(np.random.default_rng(0)).waves.shape[1]
    8
    """
    gamma, (X, y) = 0.5, dozen(rng)
    grid = np.linspace(X.min() - 0.5, X.max() + 0.5, 300)
    at = grid[:, None]
    waves = weighted_waves(X, count, gamma, ridge, y, rng)
    bumps = columns(X, count, gamma, ridge, y, rng)
    landmarks = bumps.features_.components_[:, 0]
    return Spans(
        X,
        y,
        grid,
        # The factor sqrt(2 / D) is left out, as in the paper.
        waves.features_.transform(at) * np.sqrt(count / 2),
        np.exp(-gamma * (at - landmarks) ** 2),
        landmarks,
        waves.predict(at),
        bumps.predict(at),
        whole_machine(X, y, gamma, ridge).predict(at),
    )


# --- Variance -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates of a Gaussian kernel of width 1 from random waves.

    Attributes
    ----------
    distances, kernel : ndarray (m,)
    estimates : dict of str to ndarray (draws, m)
        By the kind of waves.
    deviations : dict of str to ndarray (m,)
        The exact standard deviation.
    """

    distances: np.ndarray
    kernel: np.ndarray
    estimates: dict[str, np.ndarray]
    deviations: dict[str, np.ndarray]


def estimates(count: int, draws: int, rng: np.random.Generator) -> Estimates:
    """Many estimates at many distances, beside their exact standard deviation.

    Parameters
    ----------
    count : int
        Features.
    draws : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> found = estimates(2, 3, np.random.default_rng(0))
    >>> found.estimates["pairs"].shape == (3, len(found.distances))
    True
    """
    z = np.linspace(0, 4, 81)
    # A phase turns a wave: what it does to an estimate depends on both points.
    origin, points = np.zeros((1, 1)), z[:, None]
    found, deviations = {}, {}
    for kind in ("pairs", "phases"):
        rows = []
        for _ in range(draws):
            drawn = features.RandomFourierFeatures(
                gamma=0.5, n_components=count, kind=kind, random_state=rng
            ).fit(origin)
            rows.append((drawn.transform(origin) @ drawn.transform(points).T)[0])
        found[kind] = np.array(rows)
        deviations[kind] = np.sqrt(drawn.variance(origin, points)[0])
    return Estimates(z, np.exp(-(z**2) / 2), found, deviations)


# --- Lattices -------------------------------------------------------------------------


def lattice_matrix(chances: Sequence[float]) -> np.ndarray:
    """The kernel matrix of the points 0, ..., n - 1 from chances of the frequencies.

    Parameters
    ----------
    chances : sequence of float, length n
        Of the frequency ``2 pi j / n``, for j from 0.

    Returns
    -------
    ndarray (n, n)

    Examples
    --------
    >>> lattice_matrix([0.5, 0.5]).round(12).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    n = len(chances)
    row = np.cos(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n) @ chances
    x = np.arange(n)
    return row[np.abs(x[:, None] - x)]


def rare(n: int) -> np.ndarray:
    """Chances of a lattice with one rare frequency, as in the theorem.

    Examples
    --------
    >>> rare(4).tolist()
    [0.75, 0.25, 0.0, 0.0]
    """
    return np.r_[1 - 1 / n, 1 / n, np.zeros(n - 2)]


def flat(n: int) -> np.ndarray:
    """Chances of a lattice with all frequencies alike.

    Examples
    --------
    >>> flat(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    return np.full(n, 1 / n)


def waves_of_lattice(chances, count: int, rng: np.random.Generator) -> np.ndarray:
    """Features of the points of a lattice from drawn frequencies, (n, count).

    A cosine and a sine of each, as of `features.RandomFourierFeatures`.

    Examples
    --------
    >>> waves_of_lattice(rare(4), 2, np.random.default_rng(0)).shape
    (4, 2)
    """
    n, m = len(chances), count // 2
    angles = np.outer(np.arange(n), rng.choice(n, m, p=chances)) * 2 * np.pi / n
    return np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(m)


def columns_of_lattice(chances, count: int, rng: np.random.Generator) -> np.ndarray:
    """Nyström features of the points of a lattice, from uniform columns.

    Examples
    --------
    >>> columns_of_lattice(flat(4), 2, np.random.default_rng(0)).shape
    (4, 2)
    """
    K = kernels.DenseKernel(lattice_matrix(chances))
    chosen = features.NystromFeatures(
        "precomputed", landmarks="uniform", n_landmarks=count, random_state=rng
    )
    return chosen.fit_transform(K.dense())


def unlearned(F: np.ndarray, signal: np.ndarray, ridge: float) -> float:
    """What ridge regression on features leaves of a signal, in percent of its square.

    Parameters
    ----------
    F : ndarray (n, D)
    signal : ndarray (n,)
    ridge : float

    Examples
    --------
    >>> unlearned(np.eye(2)[:, :1], np.array([0.0, 1.0]), 1.0)
    100.0
    """
    left = signal - FeatureRidge(ridge=ridge).fit(F, signal).predict(F)
    return 100 * float(left @ left / (signal @ signal))


def rare_wave(n: int) -> np.ndarray:
    """One period of a cosine on the points of a lattice.

    Examples
    --------
    >>> rare_wave(4).round(12).tolist()
    [1.0, 0.0, -1.0, -0.0]
    """
    return np.cos(2 * np.pi * np.arange(n) / n)
