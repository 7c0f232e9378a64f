"""The effective dimension: of a matrix, surely or from a sample, and of a law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from nystheory import _checks, style
from nystheory.guarantees._eigenvalues import Eigenvalues, Entries, dimension_of
from nystheory.guarantees._known import check_room, checked_delta
from nystheory.guarantees._own import UP_TO_ONE
from nystheory.guarantees._table import held

DELTA = 0.05


@dataclass(frozen=True)
class Dimension:
    """An effective dimension between two ends.

    Attributes
    ----------
    low, high : float
        Rounding included.
    alpha : float
        The ridge, in units of K; a source that divides by n calls ``alpha / n`` so.
    n : int
        Points of K.
    fails : float
        The probability that it is not between the two ends; 0 where that is certain.
    source : str
        Where the ends come from, in words.

    Examples
    --------
    >>> Dimension(1.0, 1.5, 0.1, 10, 0.0, "from all of K")
    Dimension(1 to 1.5, surely, from all of K)
    """

    low: float
    high: float
    alpha: float
    n: int
    fails: float
    source: str

    @property
    def certain(self) -> bool:
        """Whether it is surely between the two ends."""
        return self.fails == 0

    @property
    def holds(self) -> str:
        """In words: surely, or with what probability."""
        return held(self.fails)

    def _ends(self) -> str:
        """The two ends, or one number where they are one to six digits."""
        low, high = f"{self.low:.6g}", f"{self.high:.6g}"
        return low if low == high else f"{low} to {high}"

    def __repr__(self) -> str:
        return f"Dimension({self._ends()}, {self.holds}, {self.source})"

    def _repr_html_(self) -> str:
        row = (self.alpha, self.low, self.high, self.holds, self.source)
        header = (r"ridge $\alpha$", "at least", "at most", "holds", "source")
        return style.table([row], header, "Effective dimension")


def effective_dimension(
    K,
    alpha: float,
    *,
    n_sample: int | None = None,
    rng: np.random.Generator | None = None,
    delta: float = DELTA,
) -> Dimension:
    """How many directions of K stand above a ridge, with two ends.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance, or Estimated
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows.
    alpha : float
        The ridge, above 0, in units of K.  Della Vecchia and others write ``alpha`` for
        that of the covariance: n times theirs is meant here.
    n_sample : int, optional
        Do not look at all of K, but at so many of its points, drawn independently and
        each with probability 1/n; from 1.  Needs `rng`.
    rng : numpy.random.Generator, optional
        For the sample.
    delta : float
        The probability with which the ends from a sample may fail, between 0 and 1.

    Returns
    -------
    Dimension
        Of all of K, or of an `estimate`, it is certain; of a sample it holds with
        probability at least ``1 - delta``, over the sample.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, is zero or has one point only, a
        number is out of its range, or there is a sample and no `rng`.

    Notes
    -----
    ``d = sum_j s_j / (s_j + alpha)``, with s_j the eigenvalues of K.

    *From all of K*: n^3 operations; the ends are apart by rounding alone.

    *From an approximation K~ below K*, with ``E = K - K~``: ``f(s) = s / (s + alpha)``
    rises, so d is at least the same sum for K~
    (``theorems["modern:operator-monotone"]``, claim "effective dimension").  Above
    there are three ends, and the smallest counts.  (1) Each eigenvalue of K is at least
    that of K~, and together they are larger by tr E: since f is concave, d is largest
    where tr E is spread as evenly as that allows.  (2) ``tr f(K~ + E) <= tr f(K~) +
    tr f(E)``, since f is concave with f(0) = 0 (Rotfel'd), and ``tr f(E) <= sum_i
    f(E_ii)``, since the eigenvalues majorise the diagonal (Schur).  (3) ``sum_i
    f(K_ii)``, for the same reason.  Each of the three is met.

    *From a sample* of s points, with ``a = s alpha / n`` and ``z = tr f_a`` of the
    s x s part of K (points that come twice count twice):
    ``E z <= d <= (1 + max K_ii / a) E z``.  The first holds since tr f is concave and
    the sample has the covariance of the data on average.  For the second write z as a
    sum of s scores ``u / (1 + u)``, ``u = phi' (B + a)^-1 phi`` with B of the other
    points: the score is convex in B, so on average it is at least the one for the mean
    of B, where u is at most ``max K_ii / a``.  Leaving out point i lowers z by ``1 - a
    (M^-2)_ii / (M^-1)_ii``, ``M = K + a`` of the sample: between 0 and ``c = max K_ii /
    (max K_ii + a)``, and all together by z at most.  So z / c is self-bounding, and E z
    is among those mu with ``z log(z / mu) - z + mu <= c log(2 / delta)`` with
    probability ``1 - delta`` [1]_.  The two-sided comparison is the book's own.  Costs
    s^3 operations, s^2 entries and the diagonal of K.

    References
    ----------
    .. [1] S. Boucheron, G. Lugosi and P. Massart, "A sharp concentration inequality
       with applications", Random Structures & Algorithms 16, 277-292, 2000.

    Examples
    --------
    >>> from nystheory.guarantees import estimate
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 1.0, 1.0])
    >>> effective_dimension(K, 1.0)
    Dimension(1.75, surely, from all of K)
    >>> found = effective_dimension(estimate(K, nystrom(K, [0, 1])), 1.0)
    >>> round(found.low, 6), round(found.high, 6)
    (1.25, 1.75)
    >>> rng = np.random.default_rng(0)
    >>> found = effective_dimension(K, 1.0, n_sample=200, rng=rng)
    >>> round(found.low, 2), round(found.high, 2), found.holds
    (1.11, 1.75, 'with probability 0.95')
    """
    alpha = _checks.positive(alpha, "alpha")
    delta = checked_delta(delta)
    if n_sample is not None:
        return _sampled(Entries(K), alpha, n_sample, rng, delta)
    found = Eigenvalues(K)
    low, high = found.dimension(alpha)
    return Dimension(low, high, alpha, found.n, 0.0, found.source)


def population_dimension(
    K, alpha: float, *, point_bound: float | None = None, delta: float = DELTA
) -> Dimension:
    """The effective dimension of the law that the points were drawn from.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance, or Estimated
        Of n points that were drawn independently from one law: nobody checks that.
    alpha : float
        The ridge in units of K, above 0; the covariance of the law has alpha / n.
    point_bound : float, optional
        At most so large is the kernel of a point with itself, under the law.  Without
        it, and where the kernel does not tell, there is no upper end.
    delta : float
        The probability with which the ends may fail, between 0 and 1.

    Returns
    -------
    Dimension
        With probability at least ``1 - delta`` over the points; `high` is infinite
        where nothing bounds the kernel.

    Raises
    ------
    ValueError, TypeError
        As `effective_dimension`, or if an entry of the diagonal is above `point_bound`.

    Notes
    -----
    That of a sample in `effective_dimension`, with all n points for the sample and
    the law for the data.  It says nothing of the law without a bound on the kernel: a
    rare point with a large kernel is in no sample.  A linear kernel of Gaussian points
    has none.  The upper end is met, for many points, by a law on many more orthogonal
    features of one length.  The book's own.  Costs n^3 operations, or those of the
    estimate.

    Examples
    --------
    >>> found = population_dimension(np.eye(400), 40.0, point_bound=1.0)
    >>> round(found.low, 2), round(found.high, 2), found.holds
    (8.49, 11.42, 'with probability 0.95')
    """
    alpha = _checks.positive(alpha, "alpha")
    delta = checked_delta(delta)
    found = Eigenvalues(K)
    most = _bound_of_points(found, point_bound)
    share = 1.0 if most is None else most / (most + alpha)
    low, high = (
        _mean_between(z, share, delta)[end]
        for end, z in enumerate(found.dimension(alpha))
    )
    high *= np.inf if most is None else 1 + most / alpha
    source = f"from {found.n} points of the law"
    if most is None:
        source += ", whose kernel nothing bounds"
    return Dimension(low, high, alpha, found.n, delta, source)


def _bound_of_points(found, point_bound) -> float | None:
    """What the kernel of a point with itself is at most, or None."""
    largest = float(found.diagonal.max())
    if point_bound is None:
        rule = getattr(found.kernel, "metric", None)
        return 1.0 if isinstance(rule, str) and rule in UP_TO_ONE else None
    most = _checks.positive(point_bound, "point_bound")
    if largest > most * (1 + 1e-6):
        raise ValueError(
            f"point_bound: expected at least the largest entry of the diagonal, "
            f"{largest:.6g}, got {most:.6g}"
        )
    return max(most, largest)


def _sampled(entries, alpha, n_sample, rng, delta) -> Dimension:
    size = _checks.integer(n_sample, "n_sample")
    with _checks.told_as("K", "n_sample"):
        check_room(size)
    some = _checks.generator(rng).integers(entries.n, size=size)
    ridge = alpha * size / entries.n
    values = entries.part(some)
    blur = entries.blur(values, some)
    ends = np.maximum(values - blur, 0.0), values + blur
    largest = float(entries.diagonal.max())
    share = largest / (largest + ridge)
    low, high = (
        _mean_between(dimension_of(each, ridge), share, delta)[end]
        for end, each in enumerate(ends)
    )
    known = dimension_of(entries.diagonal, alpha) + float(entries.moved.sum()) / alpha
    high = min((1 + largest / ridge) * high, known, float(entries.n))
    source = f"from {size} points of {entries.n}"
    return Dimension(min(low, high), high, alpha, entries.n, delta, source)


def _mean_between(z: float, share: float, delta: float) -> tuple[float, float]:
    """Two ends of E z, where ``z / share`` is self-bounding and z was seen.

    The numbers mu with ``z log(z / mu) - z + mu <= share log(2 / delta)``: each of the
    two tails fails with probability delta / 2.

    >>> low, high = _mean_between(10.0, 1.0, 0.05)
    >>> round(low, 4), round(high, 4)
    (3.6729, 21.2058)
    >>> round(_mean_between(0.0, 1.0, 0.05)[1], 4)
    3.6889
    """
    limit = share * np.log(2 / delta)
    if z <= 1e-12 * limit:
        return 0.0, float(limit + z * (1 + np.log1p(limit / max(z, 1e-300))))

    def excess(log):  # of mu = z e^log
        return float(z * (np.expm1(log) - log) - limit)

    # At these ends the excess is not below 0: (mu - z)^2 / (2 mu) is at most mu's.
    top = np.log1p(2 * limit / z + 2 * np.sqrt(limit / z))
    high = brentq(excess, 0.0, top, xtol=1e-14, rtol=1e-14)
    bottom = -(2 + limit / z)
    low = brentq(excess, bottom, 0.0, xtol=1e-14, rtol=1e-14)
    return float(z * np.exp(low) * (1 - 1e-12)), float(z * np.exp(high) * (1 + 1e-12))
