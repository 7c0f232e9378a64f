"""Logistic regression on features: what its theorems speak of.

The features are the columns of X, N numbers for each of n points; with the empirical
kernel map they are the columns of a kernel matrix.  The landmarks choose features.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from nystheory.engine import Instance, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.engine.worlds.worlds import Given


class Logistic(Instance):
    """Points with labels, weights of their features, and some features sampled.

    K plays no part; its columns are counted as the features are.
    """

    features = Given("X", "features, N x n, a point a column", axes=("N", "n"))
    labels = Given("y", "labels, 0 or 1", axes=("n",))
    w = Given("w", "weights of the features", axes=("N",))
    other_w = Given("v", "other weights of the features", axes=("N",))

    @classmethod
    def drawn(cls, instance, rng):
        """Integers or the empirical kernel map, labels, weights and a ridge."""
        i, m = instance, int(rng.integers(1, 7))
        X = rng.integers(-2, 3, (i.n, m)) * 2.0 ** rng.integers(-2, 2)
        if rng.random() < 0.3 and i.norm_K > 0:
            X = i.K * 2.0 ** -np.round(np.log2(i.norm_K))
            m = i.n
        w, v = (_weights(X, rng) for _ in range(2))
        y = rng.integers(0, 2, m) if rng.random() < 0.8 else np.ones(m)
        given = {"features": X, "labels": y.astype(float), "w": w, "other_w": v}
        return i.but(alpha=2.0 ** rng.integers(-3, 4), **given)

    @classmethod
    def whole(cls, features, labels, w, landmarks=(0,), **given):
        """An instance of whole numbers; K plays no part."""
        n = len(features)
        told = {"features": features, "labels": labels, "w": w, "other_w": w}
        told |= {"matrix": diagonal([1] * n), "alpha": 1}
        return cls.exactly(landmarks, len(landmarks), **(told | given))


def _weights(X, rng):
    """Of scores up to eight, so that no chance is rounded to 0 or 1."""
    w = rng.integers(-8, 9, len(X)).astype(float)
    largest = np.abs(X.T @ w).max(initial=0.0)
    return w * 2.0 ** -max(0.0, np.ceil(np.log2(max(largest, 1.0) / 8)))


@Logistic.quantity("N", "number of features", CHOSEN, unit=None)
def feature_count(i):
    return len(i.features)


# --- Lines that several boxes share ---------------------------------------------------


def likelihood(w: str) -> str:
    """The line of the log-likelihood at some weights."""
    return f"labels.T @ features.T @ {w} - sum(log(1 + exp(features.T @ {w})))"


def objective(w: str) -> str:
    """The line of the function that is minimised."""
    return f"alpha / 2 * norm_2({w})**2 - ({likelihood(w)})"


S_OF_W = Where("s", "1 / (1 + exp(-(features.T @ w)))")
E_OF_W = Where("E(w)", objective("w"))
GRADIENT = Where(r"\nabla E(w)", "alpha * w - features @ (labels - sigmoid)")
T_OF_W = Where("T", "features @ variances @ features.T")


# --- Measured -------------------------------------------------------------------------


def _of_scores(i) -> float:
    """How far rounding moves a score, of a point, at w."""
    return 1 + np.linalg.norm(i.features, 2) * np.linalg.norm(i.w)


def _of_minimiser(i) -> float:
    """An error of the gradient moves the minimiser by at most that over the ridge."""
    if i.alpha <= 0:
        return np.inf
    # The slope of the loss is at most this, and so is the ridge times the minimiser.
    slope = np.linalg.norm(i.features, 2) * np.linalg.norm(1 + np.abs(i.labels))
    return float((1 + slope / i.alpha) ** 2)


_of_w = partial(Logistic.quantity, when=CHOSEN, unit=0)


def chances(scores) -> np.ndarray:
    """The chance of the label 1 for each score, and of the label 0."""
    return 1 / (1 + np.exp(-np.clip(scores, -300, 300)))


def spread(i, w) -> np.ndarray:
    """The variances of the labels at some weights."""
    s = chances(i.features.T @ w)
    return s * (1 - s)


def gram(i, w) -> np.ndarray:
    """``T = X R X'`` at some weights."""
    return (i.features * spread(i, w)) @ i.features.T


def slope(i, w) -> np.ndarray:
    """The gradient at some weights."""
    X, y = i.features, i.labels
    return float(i.alpha) * w - X @ (y - chances(X.T @ w))


def with_ridge(i, M) -> np.ndarray:
    """A matrix of features with the ridge added."""
    return M + float(i.alpha) * np.eye(len(M))


@_of_w("R", "variances of the labels, on a diagonal", condition=_of_scores)
def variances(i):
    return np.diag(spread(i, i.w))


@_of_w("w_*", "minimiser", condition=_of_minimiser)
def minimiser(i):
    """By Newton's method; the slope gets shorter along each step."""
    if i.alpha <= 0:
        return None
    w = np.zeros(len(i.features))
    g = slope(i, w)
    for _ in range(100):
        p = np.linalg.solve(with_ridge(i, gram(i, w)), g)
        steps = (w - 2.0**-j * p for j in range(30))
        shorter = ((v, slope(i, v)) for v in steps)
        found = next((x for x in shorter if x[1] @ x[1] < g @ g), None)
        if found is None:  # what is left is rounding
            break
        w, g = found
    return w


# --- The approximation ----------------------------------------------------------------


def sampled(i, w) -> Instance:
    """T at some weights with the landmarks and the rank of the instance."""
    X = i.features * np.sqrt(spread(i, w))
    return Instance.from_points(X.T, i.landmarks, i.k)


@lru_cache(maxsize=4)
def at_w(i) -> Instance:
    """The same at the weights of the instance; several quantities share it."""
    return sampled(i, i.w)


def _of_sample(i) -> float:
    T = at_w(i)
    return T.condition * T.norm_K * _of_scores(i)


def _of_core(i) -> float:
    T = at_w(i)
    return QUANTITIES["core_inverse"].condition(T) / (T.norm_K or 1.0) * _of_scores(i)


_of_both = partial(Logistic.quantity, when=SAMPLE, unit=0, condition=_of_sample)


@_of_both(r"\tilde T", "Nyström approximation of T")
def approximate_T(i):
    return at_w(i).approximation


@_of_both("C", "sampled columns of T")
def columns_of_T(i):
    return at_w(i).C


@Logistic.quantity(
    "W_k^+",
    "pseudo-inverse of the core of T, cut to rank k",
    SAMPLE,
    unit=0,
    condition=_of_core,
)
def core_inverse_of_T(i):
    return QUANTITIES["core_inverse"].fast(at_w(i))


def _of_image(i) -> float:
    w = minimiser(i)
    if w is None:
        return np.inf
    T, ridge = sampled(i, w), float(i.alpha)
    image = (1 + T.condition) * (1 + T.norm_K / ridge) ** 2 * _of_minimiser(i)
    return image * _hidden(i)


def _hidden(i) -> float:
    """How much smaller than a quarter, the largest, the variance of a point is at w.

    That nothing of T is missed is seen there, up to an error of numbers of that size;
    what a small variance hides counts in full at the minimiser.
    """
    smallest = spread(i, i.w).min()
    return float(0.25 / smallest) if smallest > 0 else np.inf


@Logistic.quantity(
    r"\Phi(w_*)",
    "what the step in the printed form makes of the minimiser",
    SAMPLE,
    unit=0,
    condition=_of_image,
)
def printed_image(i):
    w = minimiser(i)
    if w is None:
        return None
    T, X = sampled(i, w), i.features
    right = T.K @ w + X @ (i.labels - chances(X.T @ w))
    return np.linalg.solve(with_ridge(i, T.approximation), right)
