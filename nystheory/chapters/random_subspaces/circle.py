"""A population of which all is known: points on a circle, two labels, a kernel.

The circle has the circumference 1.  The kernel depends on the difference of two points
alone, so waves are its eigenfunctions where the points are spread evenly, and its
Fourier coefficients, which we choose, are the eigenvalues.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

# Midpoints by which means over the circle are computed, and eigenvalues.
GRID = (np.arange(1024) + 0.5) / 1024
COARSE = (np.arange(512) + 0.5) / 512
# The probability of a failure for which numbers of columns are prescribed.
DELTA = 0.1


@dataclass(frozen=True)
class Power:
    """Fourier coefficients 1 and ``j^-power``, over their sum.

    The eigenvalues fall as ``j^(-1/p)`` with ``p = 1 / power``.

    Attributes
    ----------
    power : int
        2 or 4.
    """

    power: int

    @property
    def p(self) -> float:
        """The exponent p of the decay."""
        return 1 / self.power

    def coefficients(self, count: int) -> np.ndarray:
        """The first so many coefficients, (count,), of the kernel with ``k(t, t) = 1``.

        Examples
        --------
        >>> c = Power(2).coefficients(3)
        >>> (c / c[0]).tolist()
        [1.0, 1.0, 0.25]
        """
        falling = 1 / np.maximum(np.arange(count), 1.0) ** self.power
        return falling / self._sum(np.zeros(()))

    def profile(self, t: np.ndarray) -> np.ndarray:
        """The kernel of two points at the difference t.

        By the Fourier series of Bernoulli polynomials.

        Examples
        --------
        >>> Power(4).profile(np.array([0.0, 1.0, 2.0])).tolist()
        [1.0, 1.0, 1.0]
        """
        return self._sum(t) / self._sum(np.zeros(()))

    def _sum(self, t):
        t = t % 1
        if self.power == 2:
            return 1 + 2 * np.pi**2 * (t**2 - t + 1 / 6)
        return 1 - 2 * np.pi**4 / 3 * (t**4 - 2 * t**3 + t**2 - 1 / 30)


@dataclass(frozen=True)
class Geometric:
    """Fourier coefficients ``ratio^j``, over their sum: an exponential decay.

    Attributes
    ----------
    ratio : float
        Between 0 and 1.
    """

    ratio: float

    @property
    def p(self) -> float:
        """The limit of the exponent p of a power."""
        return 0.0

    def coefficients(self, count: int) -> np.ndarray:
        """The first so many coefficients, (count,), of the kernel with ``k(t, t) = 1``.

        Examples
        --------
        >>> Geometric(0.5).coefficients(2).round(3).tolist()
        [0.333, 0.167]
        """
        r = self.ratio
        return r ** np.arange(count) * (1 - r) / (1 + r)

    def profile(self, t: np.ndarray) -> np.ndarray:
        """The kernel of two points at the difference t: Poisson's.

        Examples
        --------
        >>> Geometric(0.5).profile(np.array([0.0, 0.5])).round(3).tolist()
        [1.0, 0.111]
        """
        r = self.ratio
        return (1 - r) ** 2 / (1 - 2 * r * np.cos(2 * np.pi * t) + r**2)


@dataclass(frozen=True)
class Circle:
    """A law of points on the circle, of their labels, and a kernel.

    Attributes
    ----------
    decay : Power or Geometric
    share : float
        Of the points that are on the first half; each half is filled evenly.
    waves : int
        The mean of the labels at t is ``clear sin(2 pi waves t)``.
    clear : float
        From 0, where labels are coins, to 1.
    """

    decay: Power | Geometric
    share: float = 0.5
    waves: int = 3
    clear: float = 0.8

    def mean(self, t: np.ndarray) -> np.ndarray:
        """The mean of the labels at t, ``2 eta - 1``: what the square loss looks for.

        Examples
        --------
        >>> Circle(Power(2), waves=1).mean(np.array([0.25, 0.75])).tolist()
        [0.8, -0.8]
        """
        return self.clear * np.sin(2 * np.pi * self.waves * t)

    def draw(self, n: int, rng) -> tuple[np.ndarray, np.ndarray]:
        """Points, (n,), and their labels, -1 or 1.

        Examples
        --------
        >>> t, y = Circle(Power(2), share=1).draw(100, np.random.default_rng(0))
        >>> bool(t.max() < 0.5), sorted(set(y.tolist()))
        (True, [-1, 1])
        """
        first = rng.random(n) < self.share
        t = rng.random(n) / 2 + np.where(first, 0, 0.5)
        return t, np.where(rng.random(n) < (1 + self.mean(t)) / 2, 1, -1)

    def kernel(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Its entries between points, (len(s), len(t)).

        Examples
        --------
        >>> Circle(Geometric(0.5)).kernel(np.zeros(1), np.zeros(2)).round(9).tolist()
        [[1.0, 1.0]]
        """
        return self.decay.profile(s[:, None] - t)

    def weights(self, grid: np.ndarray) -> np.ndarray:
        """The probabilities of the intervals about the points of a grid.

        Examples
        --------
        >>> Circle(Power(2), share=0.75).weights(np.array([0.25, 0.75])).tolist()
        [0.75, 0.25]
        """
        halves = np.where(grid < 0.5, self.share, 1 - self.share)
        return halves * 2 / len(grid)

    def bayes(self, loss: str) -> float:
        """The least risk of any function.

        Parameters
        ----------
        loss : {"hinge", "square", "wrong"}

        Examples
        --------
        >>> coins = Circle(Power(2), clear=0)
        >>> [coins.bayes(loss) for loss in ("hinge", "square", "wrong")]
        [1.0, 1.0, 0.5]
        """
        # The mean of |sin| and of sin^2 over each half of the circle.
        sure, squares = 2 / np.pi * self.clear, self.clear**2 / 2
        return {"hinge": 1 - sure, "square": 1 - squares, "wrong": (1 - sure) / 2}[loss]

    def excess(self, loss: str, values: np.ndarray) -> float:
        """The risk of a function over the least one of any function.

        Parameters
        ----------
        loss : {"hinge", "square", "wrong"}
        values : ndarray
            Of the function, at the points of `GRID`.

        Notes
        -----
        A mean over the grid: of a loss that is pointwise the difference to the best
        value, so that no part of it cancels.

        Examples
        --------
        >>> circle = Circle(Power(2))
        >>> circle.excess("square", circle.mean(GRID))
        0.0
        >>> round(circle.excess("wrong", -circle.mean(GRID)), 3)
        0.509
        """
        mean = self.mean(GRID)
        if loss == "square":
            pointwise = (values - mean) ** 2
        elif loss == "wrong":
            pointwise = np.abs(mean) * ((values > 0) != (mean > 0))
        else:
            risk = (1 + mean) * np.maximum(1 - values, 0)
            risk += (1 - mean) * np.maximum(1 + values, 0)
            pointwise = risk / 2 - (1 - np.abs(mean))
        return float(self.weights(GRID) @ pointwise)

    def effective_dimension(self, alpha: float) -> float:
        """``d_alpha`` of the covariance of the law.

        Examples
        --------
        >>> round(Circle(Power(2)).effective_dimension(0.1), 2)
        4.5
        """
        values = eigenvalues(self)
        return float((values / (values + alpha)).sum())

    def alpha(self, loss: str, n: int) -> float:
        """The alpha with which the rates are proved, constants taken as 1.

        ``1/n`` for a loss of which no more than its slope is known, as the hinge loss,
        and ``n^(-1 / (1 + p))`` for the square loss.

        Examples
        --------
        >>> [Circle(Power(2)).alpha(loss, 1000) for loss in ("hinge", "square")]
        [0.001, 0.01]
        """
        power = 1 / (1 + self.decay.p) if loss == "square" else 1.0
        return round(n**-power, 15)

    def prescribed(self, loss: str, n: int) -> float:
        """``d_alpha log(n / delta)`` columns, constants taken as 1.

        Examples
        --------
        >>> round(Circle(Power(2)).prescribed("hinge", 300))
        210
        """
        return self.effective_dimension(self.alpha(loss, n)) * np.log(n / DELTA)


@lru_cache
def eigenvalues(circle: Circle) -> np.ndarray:
    """Those of the covariance of a law, falling, from the points of `COARSE`.

    Examples
    --------
    >>> even = Circle(Geometric(0.5))
    >>> eigenvalues(even)[:5].round(4).tolist()
    [0.3333, 0.1667, 0.1667, 0.0833, 0.0833]
    """
    root = np.sqrt(circle.weights(COARSE))
    K = root[:, None] * circle.kernel(COARSE, COARSE) * root
    return np.maximum(np.linalg.eigvalsh(K)[::-1], 0)
