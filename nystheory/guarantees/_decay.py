"""How fast eigenvalues fall: fits, with what they are worth, and envelopes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from nystheory import _checks, _progress, _semidefinite, style
from nystheory._rounding import allowed
from nystheory.guarantees._eigenvalues import Eigenvalues

KINDS = ("polynomial", "exponential")
# An eigenvalue counts where it is known to this factor, and so many of them make a fit.
KNOWN, FEWEST = 1.5, 5
# A line explains at least this share of the variance of the logarithms, or is none.
FITS = 0.9
# Another half falls outside the range of 39 with probability 2 / 40 at most.
HALVES = 39


@dataclass(frozen=True)
class Fit:
    """One law of decay, fitted to logarithms of eigenvalues by least squares.

    Attributes
    ----------
    kind : {"polynomial", "exponential"}
        ``s_j = c j^(-1 / value)``, or ``s_j = c e^(-value j)``.
    value : float
        The exponent p, infinite where eigenvalues do not fall; or the rate beta.
    low, high : float
        The range of the values on random halves of the points; nan without them.
    within : tuple of float
        The least-squares value of K itself is between these for certain, rounding
        included: clearly apart where eigenvalues come from an approximation.
    r_squared : float
        The share of the variance of the logarithms that the line explains.
    factor : float
        No eigenvalue is off the line by more than this factor.

    Examples
    --------
    >>> Fit("polynomial", 0.5, 0.48, 0.52, (0.5, 0.5), 0.99, 1.2)
    Fit(polynomial: p = 0.5 (0.48 to 0.52), R^2 = 0.99)
    """

    kind: str
    value: float
    low: float
    high: float
    within: tuple[float, float]
    r_squared: float
    factor: float

    def _words(self) -> str:
        name = "p" if self.kind == "polynomial" else "beta"
        told = f"{name} = {self.value:.3g}"
        if math.isfinite(self.low):
            told += f" ({self.low:.3g} to {self.high:.3g})"
        return told

    def __repr__(self) -> str:
        return f"Fit({self.kind}: {self._words()}, R^2 = {self.r_squared:.3g})"


@dataclass(frozen=True, eq=False)
class Decay:
    """How fast the eigenvalues of a matrix fall.

    Attributes
    ----------
    polynomial, exponential : Fit
    best : {"polynomial", "exponential", "neither"}
        The one that explains more, if it explains nine tenths of the variance.
    first, last : int
        The eigenvalues that the lines are fitted to, counted from 1.
    n : int
        All of them.
    source : str
        Where the eigenvalues come from, in words.

    Examples
    --------
    >>> decay(1.0 / np.arange(1, 101.0) ** 2)
    Decay(polynomial: p = 0.5, eigenvalues 1 to 25 of 100)
    """

    polynomial: Fit
    exponential: Fit
    best: str
    first: int
    last: int
    n: int
    source: str
    _high: np.ndarray = field(repr=False)

    @property
    def fit(self) -> Fit | None:
        """The better of the two, None where neither fits."""
        return None if self.best == "neither" else getattr(self, self.best)

    def envelope(self, kind: str, value: float | None = None) -> float:
        """The smallest gamma so that no eigenvalue is above the law.

        Parameters
        ----------
        kind : {"polynomial", "exponential"}
            ``s_j <= gamma j^(-1 / value)``, or ``s_j <= gamma e^(-value j)``.
        value : float, optional
            The exponent or the rate, above 0; the fitted one by default.

        Returns
        -------
        float
            In units of K.  It holds for every j from 1 to n, not only where the line
            was fitted, and for certain; infinite where it has no float.

        Raises
        ------
        ValueError, TypeError
            If the kind is not one of the two, or the value not above 0, or the fitted
            one is none.

        Notes
        -----
        The last eigenvalues of n are rounding, and a small exponent multiplies them by
        a high power of n: then gamma is large, and says so.  n operations.

        Examples
        --------
        >>> found = decay(4.0 / np.arange(1, 101.0) ** 2)
        >>> round(found.envelope("polynomial", 0.5), 6)
        4.0
        """
        with np.errstate(over="ignore"):
            return float(np.exp(self._log_envelope(kind, self._chosen(kind, value))))

    def dimension_bound(
        self, alpha: float, kind: str, value: float | None = None
    ) -> float:
        """What an envelope says of the effective dimension, for certain.

        Parameters
        ----------
        alpha : float
            The ridge, above 0, in units of K.
        kind : {"polynomial", "exponential"}
        value : float, optional
            As of `envelope`; an exponent is below 1.

        Returns
        -------
        float
            ``gamma^p (pi p / sin(pi p)) alpha^-p``, or ``log(1 + gamma / alpha) /
            beta``, with gamma from `envelope`.

        Raises
        ------
        ValueError, TypeError
            As `envelope`, or if alpha is not above 0 or an exponent not below 1.

        Notes
        -----
        Propositions 34 and 35 of [1]_, the first with the sharp constant and gamma^p,
        which holds for every gamma: ``s / (s + alpha)`` rises with s, and a sum over j
        is at most the integral from 0.  n operations.

        References
        ----------
        .. [1] A. Della Vecchia, E. De Vito, J. Mourtada and L. Rosasco, "The Nyström
           method for convex loss functions", Journal of Machine Learning Research 25,
           2024.

        Examples
        --------
        >>> found = decay(1.0 / np.arange(1, 101.0) ** 2)
        >>> round(found.dimension_bound(0.01, "polynomial", 0.5), 6)
        15.707963
        """
        alpha = _checks.positive(alpha, "alpha")
        value = self._chosen(kind, value)
        over = self._log_envelope(kind, value) - math.log(alpha)
        if kind == "exponential":
            return float(np.logaddexp(0.0, over)) / value
        if not value < 1:
            raise ValueError(
                f"value: expected an exponent below 1, got {value:.6g}; with more, "
                "eigenvalues may have no sum"
            )
        share = math.pi * value / math.sin(math.pi * value)
        with np.errstate(over="ignore"):
            return float(np.exp(value * over)) * share

    def _chosen(self, kind, value) -> float:
        fitted = getattr(self, _checks.choice(kind, "kind", KINDS)).value
        if value is None:
            if not (math.isfinite(fitted) and fitted > 0):
                raise ValueError(
                    f"value: expected a number above 0, got none: no {kind} decay "
                    "was fitted to these eigenvalues"
                )
            return fitted
        return _checks.positive(value, "value")

    def _log_envelope(self, kind, value) -> float:
        """Rounded up."""
        ranks = np.arange(1, self.n + 1.0)
        rise = np.log(ranks) / value if kind == "polynomial" else value * ranks
        with np.errstate(divide="ignore"):
            logs = np.log(self._high) + rise
        found = float(logs.max())
        return found + allowed("an envelope", 1e-12 * (1 + abs(found)))

    def __repr__(self) -> str:
        said = "neither fits" if self.fit is None else f"{self.best}: "
        said += "" if self.fit is None else self.fit._words()
        return f"Decay({said}, eigenvalues {self.first} to {self.last} of {self.n})"

    def _repr_html_(self) -> str:
        rows = [
            (
                law + (", fits better" if each.kind == self.best else ""),
                each._words(),
                each.r_squared,
                each.factor,
            )
            for law, each in (
                ("$c j^{-1/p}$", self.polynomial),
                (r"$c e^{-\beta j}$", self.exponential),
            )
        ]
        header = ("decay", "value (on halves)", "$R^2$", "off by a factor of")
        told = f"Eigenvalues {self.first} to {self.last} of {self.n}, {self.source}"
        return style.table(rows, header, told)


def decay(
    K,
    *,
    ranks: tuple[int, int] | None = None,
    rng: np.random.Generator | None = None,
) -> Decay:
    """How fast eigenvalues fall: like a power of j, exponentially, or neither.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance, or Estimated, or array_like (n,)
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows;
        or eigenvalues themselves.
    ranks : tuple of two int, optional
        The first and the last eigenvalue that lines are fitted to, counted from 1, at
        least five of them, all known to be above 0.  By default from 1 to a quarter of
        n, or to the last one that is known to a factor of 1.5, if that is less: the
        eigenvalues of a sample follow those of its law well below n only.
    rng : numpy.random.Generator, optional
        For the range on random halves of the points; without it there is none.

    Returns
    -------
    Decay

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, is zero, or fewer than five of its
        eigenvalues are known so well and there are no `ranks`; if these are not two
        integers in their range; or if there is an `rng` and only eigenvalues, or ranks
        above half of n.

    Notes
    -----
    Straight lines through ``log s_j`` over log j, and over j, each eigenvalue with one
    weight.  The slope is a sum of the logarithms with known weights, so that ends of
    the eigenvalues of an `estimate` are ends of the slope: ``within``.

    The range is that of the slopes of 39 random halves of the points, drawn without
    replacement, and of all points.  Given the data another half falls outside with
    probability at most 1/20.  It is no confidence interval for the law of the points:
    it shows how much of the slope is chance in the choice of points, and where the
    slope of all points is at an end of it, that it still moves with their number.  The
    book's own.
    Costs n^3 operations for K, and ``39 (n / 2)^3`` for halves; of an estimate of rank
    r 20 n r^2.

    Examples
    --------
    >>> decay(np.exp(-0.5 * np.arange(40)))
    Decay(exponential: beta = 0.5, eigenvalues 1 to 10 of 40)
    >>> from nystheory.kernels import rbf
    >>> X = np.random.default_rng(0).standard_normal((200, 2))
    >>> decay(rbf(X, 1.0), rng=np.random.default_rng(1)).best
    'exponential'
    """
    ends, source, found = _ends(K)
    first, last = _range(*ends[::2], ranks, source)
    over = slice(first - 1, last)
    logs = [np.log(each[over]) for each in ends]
    halves = _halves(found, over, rng)
    kinds = {}
    for kind, x in _abscissae(first, last).items():
        kinds[kind] = _fit(kind, x, logs, halves)
    best = max(kinds.values(), key=lambda fit: fit.r_squared)
    falls = best.within[1] < np.inf if best.kind == "polynomial" else best.value > 0
    name = best.kind if falls and best.r_squared >= FITS else "neither"
    told = first, last, len(ends[0]), source, ends[-1]
    return Decay(kinds["polynomial"], kinds["exponential"], name, *told)


def _ends(K) -> tuple:
    """Eigenvalues between two ends, their source, and what knows their parts."""
    if isinstance(K, (list, tuple)):
        K = _checks.as_array(K, "K")
    if getattr(K, "ndim", 2) != 1:
        found = K if isinstance(K, Eigenvalues) else Eigenvalues(K)
        ends = found.low, np.clip(found.values, found.low, found.high), found.high
        return ends, found.source, found
    values = _checks.real_array(K, "K", 1).astype(np.float64)
    if not values.any():
        raise ValueError("K: expected eigenvalues that are not all zero")
    slack = len(values) * np.finfo(np.float64).eps * float(np.abs(values).max())
    values = np.sort(_semidefinite.not_negative(values, slack, "an eigenvalue"))[::-1]
    return (values, values, values), "as they were given", None


def _range(low, high, ranks, source) -> tuple[int, int]:
    """The first and the last eigenvalue of a fit."""
    if ranks is None:
        last = min(len(low) // 4, _leading((low > 0) & (high <= KNOWN * low)))
        if last < FEWEST:
            raise ValueError(
                f"K: expected at least {FEWEST} eigenvalues in the first quarter of "
                f"{len(low)} that are known to a factor of {KNOWN} and not rounding, "
                f"got {last}, {source}; ranks=(first, last) takes those that are known "
                "less well"
            )
        return 1, last
    try:
        first, last = ranks
    except (TypeError, ValueError):
        raise TypeError(
            f"ranks: expected the first and the last one, got {_checks.shown(ranks)}"
        ) from None
    why = "the last eigenvalue that is known to be above 0"
    last = _checks.integer(last, "ranks", FEWEST, _leading(low > 0), why)
    why = f"so that there are {FEWEST}"
    return _checks.integer(first, "ranks", 1, last - FEWEST + 1, why), last


def _leading(are) -> int:
    """How many at the beginning are so."""
    return len(are) if are.all() else int(are.argmin())


def _abscissae(first, last) -> dict:
    """Over what the logarithms of eigenvalues are a line."""
    ranks = np.arange(first, last + 1.0)
    return {"polynomial": np.log(ranks), "exponential": ranks}


def _halves(found, over, rng) -> np.ndarray:
    """Logarithms of eigenvalues of random halves of the points, one half a row."""
    if rng is None:
        return np.empty((0, over.stop - over.start))
    rng = _checks.generator(rng)
    if found is None:
        raise ValueError("rng: expected none with eigenvalues, which have no halves")
    size = found.n // 2
    if over.stop > size:
        raise ValueError(
            f"ranks: expected at most {size}, half of n, for a range on halves, got "
            f"{over.stop}"
        )
    floor, rows = max(float(found.low[over].min()), 1e-300) / 100, []
    with _progress.counter("halves", HALVES) as bar:
        for _ in range(HALVES):
            values = found.part(rng.choice(found.n, size, replace=False))[over]
            rows.append(np.log(np.maximum(values, floor)))
            bar.update(1)
    return np.array(rows)


def _fit(kind, x, ends, halves) -> Fit:
    """A line by least squares, and what is known of its slope."""
    centred = x - x.mean()
    weights = centred / (centred @ centred)
    low, logs, high = ends
    lost = _rounding(x, centred, high, low)
    slope = _clear(float(weights @ logs), lost)
    up, down = np.maximum(weights, 0), np.minimum(weights, 0)
    steepest, flattest = float(up @ low + down @ high), float(up @ high + down @ low)
    within = [_value(kind, end) for end in (steepest - lost, flattest + lost)]
    slopes = np.append(halves @ weights, slope)
    values = [_value(kind, _clear(float(each), lost)) for each in slopes]
    off = logs - logs.mean() - slope * centred
    whole = float(((logs - logs.mean()) ** 2).sum())
    # What rounding leaves of equal numbers is no variance.
    clear = whole > len(x) * (1e-12 * (1 + np.abs(logs).max())) ** 2
    explained = 1 - float(off @ off) / whole if clear else 0.0
    told = (min(values), max(values)) if len(halves) else (math.nan, math.nan)
    factor = float(np.exp(np.abs(off).max()))
    value = _value(kind, slope)
    return Fit(kind, value, *told, (min(within), max(within)), explained, factor)


def _rounding(x, centred, *logs) -> float:
    """What rounding may do to a slope: that of logarithms, of weights, and of sums."""
    largest = max(float(np.abs(each).max()) for each in logs)
    sizes = (np.abs(centred).sum() + len(x) * np.abs(x).max()) / (centred @ centred)
    lost = (len(x) + 8) * np.finfo(np.float64).eps * sizes * largest
    return allowed("a slope", float(lost))


def _clear(slope, lost) -> float:
    """A slope, and 0 where it may be rounding."""
    return slope if abs(slope) > lost else 0.0


def _value(kind, slope) -> float:
    """The exponent or the rate of a slope.

    >>> _value("polynomial", -2.0), _value("polynomial", 0.0), _value("exponential", -2)
    (0.5, inf, 2.0)
    """
    if kind == "exponential":
        return 0.0 - slope
    return -1 / slope if slope < 0 else math.inf
