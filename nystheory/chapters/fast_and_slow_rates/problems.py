"""Problems whose excess risk is known: on a circle, on two arcs of it, and in R^d.

The circle has length 1.  Its kernels depend on the distance alone, so that waves are
eigenfunctions and every landmark has the same leverage score.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, pi

import numpy as np
from numpy.polynomial import Polynomial
from scipy.special import bernoulli, comb

# Waves of a target on the circle, which is their sum.
WAVES = 256
# Points at which the risk of a classifier is computed.
FINE = 4096


def bernoulli_polynomial(degree: int) -> Polynomial:
    """The Bernoulli polynomial of a degree.

    Examples
    --------
    >>> bernoulli_polynomial(2).coef.round(6).tolist()
    [0.166667, -1.0, 1.0]
    """
    numbers = bernoulli(degree)
    return Polynomial(
        [comb(degree, i) * numbers[degree - i] for i in range(degree + 1)]
    )


@dataclass(frozen=True)
class Powers:
    """``1 + 2 sum_j j^{-2s} cos(2 pi j t)``: eigenvalues fall as a power, p = 1 / (2s).

    Attributes
    ----------
    s : int
    """

    s: int

    @property
    def p(self) -> float:
        """The exponent of the effective dimension."""
        return 1 / (2 * self.s)

    def eigenvalues(self, j: np.ndarray) -> np.ndarray:
        """Those of the waves with j periods; each belongs to a cosine and a sine.

        Examples
        --------
        >>> Powers(1).eigenvalues(np.array([1, 2])).tolist()
        [1.0, 0.25]
        """
        return np.asarray(j, dtype=float) ** (-2 * self.s)

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """The kernel at differences t, by a Bernoulli polynomial of degree 2s.

        Examples
        --------
        >>> (Powers(1)(np.array([0.0])) - 1).round(6).tolist(), round(pi**2 / 3, 6)
        ([3.289868], 3.289868)
        """
        degree = 2 * self.s
        factor = (-1) ** (self.s + 1) * (2 * pi) ** degree / factorial(degree)
        return 1 + factor * bernoulli_polynomial(degree)(np.abs(t) % 1.0)

    def squared(self) -> Powers:
        """The kernel whose eigenvalues are the squares of these."""
        return Powers(2 * self.s)


@dataclass(frozen=True)
class Geometric:
    """``1 + 2 sum_j ratio^j cos(2 pi j t)``, Poisson's kernel: exponential decay.

    Attributes
    ----------
    ratio : float
        Between 0 and 1.
    """

    ratio: float
    # No power of the number of points is needed for the effective dimension.
    p = 0.0

    def eigenvalues(self, j: np.ndarray) -> np.ndarray:
        """Those of the waves with j periods; each belongs to a cosine and a sine.

        Examples
        --------
        >>> Geometric(0.5).eigenvalues(np.array([1, 2])).tolist()
        [0.5, 0.25]
        """
        return self.ratio ** np.asarray(j, dtype=float)

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """The kernel at differences t.

        Examples
        --------
        >>> Geometric(0.5)(np.array([0.0, 0.5])).round(6).tolist()
        [3.0, 0.333333]
        """
        a = self.ratio
        return (1 - a**2) / (1 - 2 * a * np.cos(2 * pi * np.asarray(t)) + a**2)

    def squared(self) -> Geometric:
        """The kernel whose eigenvalues are the squares of these."""
        return Geometric(self.ratio**2)


@dataclass(frozen=True)
class OnCircle:
    """Regression at uniform points of the circle, with a target in the kernel's space.

    Attributes
    ----------
    kernel : Powers or Geometric
    noise : float
        The deviation of Gaussian noise.
    edge : float
        The target has the coefficients ``eigenvalue^(1/2) j^(-1/2 - edge)``: just in
        the space for a small edge.
    turned : bool
        Whether the phase of each wave is another one.
    """

    kernel: Powers | Geometric
    noise: float = 0.5
    edge: float = 0.05
    turned: bool = False

    @property
    def p(self) -> float:
        """The exponent of the effective dimension."""
        return self.kernel.p

    def points(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Uniform points, (n,)."""
        return rng.random(n)

    def similar(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The kernel between two sets of points.

        Examples
        --------
        >>> OnCircle(Geometric(0.5)).similar(np.zeros(1), np.zeros(1)).round(6).tolist()
        [[3.0]]
        """
        return self.kernel(x[:, None] - z)

    @property
    def coefficients(self) -> np.ndarray:
        """Those of the target with 1 to `WAVES` periods; it has no constant part."""
        j = np.arange(1, WAVES + 1)
        return np.sqrt(self.kernel.eigenvalues(j)) * j ** (-0.5 - self.edge)

    def target(self, x: np.ndarray) -> np.ndarray:
        """The regression function at points.

        Examples
        --------
        >>> problem = OnCircle(Powers(1))
        >>> problem.target(np.array([0.25, 0.75])).round(3).tolist()
        [-0.38, -0.38]
        """
        return self._waves(x) @ self.coefficients

    def _waves(self, x):
        """Orthonormal waves at points, (n, `WAVES`)."""
        j = np.arange(1, WAVES + 1)
        # Squares spread the phases, and are the same in every draw.
        phases = j**2 if self.turned else 0
        return np.sqrt(2) * np.cos(2 * pi * np.outer(x, j) + phases)

    def excess(self, z: np.ndarray, a: np.ndarray) -> np.ndarray:
        """The excess risk of functions ``sum_i a_i k(., z_i)``, without quadrature.

        Parameters
        ----------
        z : ndarray (m,)
        a : ndarray (m, q)
            A function a column.

        Returns
        -------
        ndarray (q,)
            The square of the distance from the target in L^2.

        Notes
        -----
        The kernel with squared eigenvalues gives the norm, and the waves of the target
        its inner products: O(m^2 q + m `WAVES`) operations.

        Examples
        --------
        >>> problem = OnCircle(Powers(1))
        >>> found = problem.excess(np.zeros(1), np.zeros((1, 1)))
        >>> bool(np.isclose(found[0], np.sum(problem.coefficients**2)))
        True
        """
        c = self.coefficients
        weighted = self.kernel.eigenvalues(np.arange(1, WAVES + 1)) * c
        norms = np.einsum("iq,iq->q", a, self.kernel.squared()(z[:, None] - z) @ a)
        return norms - 2 * (self._waves(z) @ weighted) @ a + c @ c


@dataclass(frozen=True)
class GaussianVectors:
    """Linear regression on Gaussian vectors, the sub-gaussian ones of Assumption 1.

    Attributes
    ----------
    p : float
        Coordinate j has the variance ``j^{-1/p}``.
    noise : float
    edge : float
        As in `OnCircle`.
    """

    p: float
    noise: float = 0.5
    edge: float = 0.05

    @property
    def variances(self) -> np.ndarray:
        """Of the coordinates, of which there are `WAVES`."""
        return np.arange(1, WAVES + 1) ** (-1 / self.p)

    @property
    def weights(self) -> np.ndarray:
        """The target is the inner product with them; their sum of squares converges."""
        return np.arange(1, WAVES + 1) ** (-0.5 - self.edge)

    def points(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Independent vectors, (n, `WAVES`)."""
        return np.sqrt(self.variances) * rng.standard_normal((n, WAVES))

    def similar(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Inner products.

        Examples
        --------
        >>> GaussianVectors(0.5).similar(np.eye(2), np.eye(2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        return x @ z.T

    def target(self, x: np.ndarray) -> np.ndarray:
        """The regression function at points.

        Examples
        --------
        >>> GaussianVectors(0.5).target(np.eye(WAVES))[:2].round(3).tolist()
        [1.0, 0.683]
        """
        return x @ self.weights

    def excess(self, z: np.ndarray, a: np.ndarray) -> np.ndarray:
        """The excess risk of ``sum_i a_i <., z_i>``, a function a column.

        Parameters
        ----------
        z : ndarray (m, `WAVES`)
        a : ndarray (m, q)

        Examples
        --------
        >>> problem = GaussianVectors(0.5)
        >>> exact = problem.excess(problem.weights[None], np.ones((1, 1)))
        >>> exact.tolist()
        [0.0]
        """
        return self.variances @ (z.T @ a - self.weights[:, None]) ** 2


@dataclass(frozen=True)
class OnArcs:
    """Two classes on two arcs, so that the best classifier is in the kernel's space.

    Points are uniform on the arcs from `gap` to 1/2 - gap, where the label 1 is more
    likely, and from 1/2 + gap to 1 - gap, where -1 is.  Both losses are least at the
    sign, and a smooth function has that sign on both arcs: r = 1.

    Attributes
    ----------
    kernel : Powers or Geometric
    gap : float
        Half the distance between the arcs, below 1/4.
    sure : float
        The largest value of ``|2 eta - 1|``, with eta the chance of the label 1.
    power : float
        ``|2 eta - 1|`` is as the distance from the middle of the arc to this power: 0
        for the same noise everywhere.
    """

    kernel: Powers | Geometric
    gap: float = 0.1
    sure: float = 0.8
    power: float = 0.0

    @property
    def p(self) -> float:
        """The exponent of the effective dimension.

        The density is bounded, so the eigenvalues are at most those of the circle over
        the length of the arcs.
        """
        return self.kernel.p

    @property
    def gamma(self) -> float:
        """The noise exponent: ``P(|2 eta - 1| <= t)`` is as ``t^(gamma/(1-gamma))``.

        Examples
        --------
        >>> OnArcs(Powers(1)).gamma, OnArcs(Powers(1), power=3).gamma
        (1.0, 0.25)
        """
        return 1 / (1 + self.power)

    def places(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points, and their ``2 eta - 1``, for numbers from 0 to 1.

        Examples
        --------
        >>> x, surplus = OnArcs(Powers(1)).places(np.array([0.25, 0.75]))
        >>> x.round(9).tolist(), surplus.tolist()
        ([0.25, 0.75], [0.8, -0.8])
        """
        half = np.floor(2 * u)
        along = 2 * u - half
        x = half / 2 + self.gap + along * (0.5 - 2 * self.gap)
        return x, (1 - 2 * half) * self.sure * np.abs(2 * along - 1) ** self.power

    def drawn(self, n: int, rng) -> tuple[np.ndarray, np.ndarray]:
        """Points and labels, -1 or 1.

        Examples
        --------
        >>> x, y = OnArcs(Powers(1)).drawn(5, np.random.default_rng(0))
        >>> x.shape, sorted(set(y.tolist()))
        ((5,), [-1, 1])
        """
        x, surplus = self.places(rng.random(n))
        return x, np.where(2 * rng.random(n) < 1 + surplus, 1, -1)

    def similar(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The kernel between two sets of points."""
        return self.kernel(x[:, None] - z)

    def excesses(self, z: np.ndarray, a: np.ndarray) -> tuple[float, float]:
        """Excess risks of ``sum_i a_i k(., z_i)``, clipped at 1: hinge loss, 0-1 loss.

        Parameters
        ----------
        z, a : ndarray (m,)

        Returns
        -------
        float, float
            The means of ``|2 eta - 1| |f - sign|`` and of ``|2 eta - 1|`` where the
            sign is wrong.

        Notes
        -----
        A mean over `FINE` points in the middles of equal intervals.

        Examples
        --------
        >>> OnArcs(Powers(1)).excesses(np.zeros(1), np.zeros(1))
        (0.8, 0.8)
        """
        x, surplus = self.places((np.arange(FINE) + 0.5) / FINE)
        f, best = np.clip(self.similar(x, z) @ a, -1, 1), np.sign(surplus)
        wrong = f * best <= 0
        hinge = np.mean(np.abs(surplus) * np.abs(f - best))
        return float(hinge), float(np.mean(np.abs(surplus) * wrong))
