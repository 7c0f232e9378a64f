"""How far a sample turns the leading direction, and what it costs: a picture.

And on a matrix that is given, what the two bounds of the chapter say of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nystheory import style

BLUE, ORANGE = style.COLOURS["blue"], style.COLOURS["orange"]
GREEN, GREY = style.COLOURS["green"], style.COLOURS["grey"]
# Eigenvalues below this share of the largest are left out.
SMALL = 1e-10


# --- In the plane ---------------------------------------------------------------------


def cloud(n: int, rng) -> np.ndarray:
    """Points in the plane, as columns: wide along the first axis, narrow otherwise.

    Examples
    --------
    >>> X = cloud(400, np.random.default_rng(0))
    >>> np.allclose(X @ X.T / 400, np.diag([1, 1 / 16]))
    True
    """
    U, _, Vt = np.linalg.svd(rng.standard_normal((2, n)), full_matrices=False)
    return np.sqrt(n) * np.diag([1, 1 / 4]) @ U @ Vt


def leading(X: np.ndarray) -> np.ndarray:
    """The leading direction of some points in the plane, towards the right.

    Examples
    --------
    >>> leading(np.array([[1.0, -2.0], [0.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    v = np.linalg.svd(X)[0][:, 0]
    return v * np.sign(v[0])


class Turned(NamedTuple):
    """Means over samples, one for each number of landmarks.

    Attributes
    ----------
    counts : ndarray
    sines : ndarray
        Of the angle by which the leading direction is turned.
    excess : ndarray
        ``(|K - K~| - lambda_2) / n`` for the rank 1.
    """

    counts: np.ndarray
    sines: np.ndarray
    excess: np.ndarray


def turned(X: np.ndarray, counts: Sequence[int], draws: int, rng) -> Turned:
    """What samples of points in the plane do to the leading direction.

    Parameters
    ----------
    X : ndarray (2, n)
        With a covariance that is diagonal, as `cloud` has it.
    counts : sequence of int
        Landmarks, drawn with replacement.
    draws : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> found = turned(cloud(100, rng), [10, 1000], 20, rng)
    >>> bool(found.sines[0] > found.sines[1])
    True
    """
    n, sines = X.shape[1], []
    for count in counts:
        each = [leading(X[:, rng.integers(n, size=count)]) for _ in range(draws)]
        sines.append([abs(v[1]) for v in each])
    first, second = np.diag(X @ X.T) / n
    squares = np.mean(np.square(sines), axis=1)
    return Turned(np.array(counts), np.mean(sines, axis=1), (first - second) * squares)


def draw_turned(axes, X: np.ndarray, count: int, draws: int, rng) -> None:
    """Draw points, the leading direction of all of them, and those of some samples.

    Parameters
    ----------
    axes : matplotlib Axes
    X : ndarray (2, n)
    count, draws : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> rng = np.random.default_rng(0)
    >>> draw_turned(axes, cloud(50, rng), 5, 3, rng)
    """
    axes.scatter(*X, s=6, color=GREY, alpha=0.6)
    for _ in range(draws):
        v = 3 * leading(X[:, rng.integers(X.shape[1], size=count)])
        axes.plot([-v[0], v[0]], [-v[1], v[1]], "--", color=ORANGE, linewidth=1)
    axes.plot([-3, 3], [0, 0], color=BLUE, linewidth=2.2)
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    axes.set(xlim=(-3, 3), ylim=(-1.5, 1.5))


def draw_costs(axes, found: Turned) -> None:
    """Draw the sine of the angle, and the error beyond the second eigenvalue.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Turned

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> rng = np.random.default_rng(0)
    >>> draw_costs(axes, turned(cloud(50, rng), [5, 10], 3, rng))
    """
    l = found.counts  # noqa: E741 - the field's letter
    for values, power, label, colour, marker in (
        (found.sines, -0.5, "sine of the angle", ORANGE, "s"),
        (found.excess, -1.0, "error beyond the tail, over n", BLUE, "o"),
    ):
        axes.loglog(l, values, marker, color=colour, label=label)
        line = values[-1] * (l / l[-1]) ** power
        axes.loglog(l, line, ":", color=colour, linewidth=1)
    axes.set(xlabel="landmarks")
    axes.legend(fontsize=8)


# --- On a matrix that is given --------------------------------------------------------


def columns(gap: float, n: int, times: float = 1.0) -> float:
    """The landmarks for which Theorem 5 promises a distance of gap over `times`.

    With probability ``1 - n^-3`` and a diagonal of at most 1.

    Parameters
    ----------
    gap : float
        Of the eigenvalues over n.
    n : int
    times : float
        2 where the bound with the gap is below the trivial one, 3 as printed.

    Examples
    --------
    >>> round(columns(1.0, 2, 3.0), 1)
    79.7
    """
    root = np.sqrt(1 + 4 * gap / times) - 1
    return float(8 * np.log(2 * n**3) / root**2) if gap > 0 else np.inf


class Gaps(NamedTuple):
    """The gaps of a kernel matrix, and the landmarks that they ask for.

    Attributes
    ----------
    n : int
    values : ndarray (n,)
        Eigenvalues over n.
    spread : float
        The variance of ``x x'``: the mean square distance times the landmarks.
    """

    n: int
    values: np.ndarray
    spread: float

    @classmethod
    def of(cls, K: np.ndarray) -> Gaps:
        """Those of a matrix.

        Examples
        --------
        >>> found = Gaps.of(np.diag([2.0, 1.0]))
        >>> found.gap(1), float(found.spread)
        (0.5, 1.25)
        """
        n, squares = len(K), np.diag(K) ** 2
        spread = squares.mean() - (K**2).sum() / n**2
        return cls(n, np.linalg.eigvalsh(K)[::-1] / n, spread)

    def gap(self, k: int) -> float:
        """The gap after the k-th eigenvalue."""
        return float(self.values[k - 1] - self.values[k])

    def widest(self, first: int = 1, last: int = 20) -> int:
        """After which eigenvalue the gap is widest."""
        return first + int(np.argmax(-np.diff(self.values[first - 1 : last + 1])))

    def typical(self, k: int, times: float = 1.0) -> float:
        """The landmarks for which the root mean square distance is gap over `times`."""
        return self.spread * (times / self.gap(k)) ** 2


class Bounds(NamedTuple):
    """Medians over samples, over n, one for each number of landmarks.

    Attributes
    ----------
    counts : ndarray
    error : ndarray
        What ``|K - K~|`` of rank k has beyond ``lambda_{k+1}``.
    squared : ndarray
        The bound with a gap, infinite where the distance is not below the gap.
    free : ndarray
        The bound without a gap.
    trivial : float
        That from ``|K - K~| <= lambda_1``.
    """

    counts: np.ndarray
    error: np.ndarray
    squared: np.ndarray
    free: np.ndarray
    trivial: float

    @classmethod
    def of(cls, K: np.ndarray, k: int, counts: Sequence[int], draws: int, rng):
        """Of some samples of each size, drawn with replacement.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> found = Bounds.of(np.diag([9.0, 1, 1, 1]), 1, [3, 30], 4, rng)
        >>> bool((found.error <= found.free).all())
        True
        """
        values, vectors = np.linalg.eigh(K)
        kept = values > SMALL * values[-1]
        # Points in the coordinates of the eigenvectors, the leading one first.
        points = (vectors[:, kept] * np.sqrt(values[kept]))[:, ::-1]
        rows = [
            np.median([_bounds(points, k, count, rng) for _ in range(draws)], axis=0)
            for count in counts
        ]
        after = values[-k - 1] if k < len(values) else 0.0
        trivial = (values[-1] - after) / len(values)
        return cls(np.array(counts), *np.transpose(rows), float(trivial))


def _bounds(points, k, count, rng):
    """The excess of one sample, and both bounds on it."""
    n = len(points)
    drawn = points[rng.integers(n, size=count)]
    seen, values = drawn.T @ drawn / count, (points**2).sum(axis=0) / n
    after = values[k] if k < len(values) else 0.0
    ends = np.linalg.eigvalsh(np.diag(values) - seen)
    V = np.linalg.eigh(seen)[1][:, -k:]
    rest = np.eye(len(values)) - V @ V.T
    excess = np.linalg.eigvalsh((rest * values) @ rest)[-1] - after
    far, gap = np.abs(ends).max(), values[k - 1] - after
    squared = (far / (gap - far)) ** 2 * (values[0] - after) if far < gap else np.inf
    return excess, squared, max(ends[-1], 0) + max(-ends[0], 0)


def draw_bounds(axes, found: Bounds, k: int) -> None:
    """Draw the error beyond the tail, and both bounds on it.

    That with the gap only where it is below the trivial one.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Bounds
    k : int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> K, rng = np.diag([9.0, 1, 1, 1]), np.random.default_rng(0)
    >>> draw_bounds(axes, Bounds.of(K, 1, [3, 30], 4, rng), 1)
    """
    for name, label, colour, look in (
        ("free", "bound without a gap", GREEN, "^--"),
        ("squared", "bound with the gap", ORANGE, "s-"),
        ("error", "observed", BLUE, "o-"),
    ):
        values = getattr(found, name)
        seen = values < (found.trivial if name == "squared" else np.inf)
        axes.loglog(found.counts[seen], values[seen], look, color=colour, label=label)
    axes.set(xlabel="landmarks", title=f"k = {k}")


def table(gaps: Mapping[str, Gaps]) -> style.Table:
    """The gap after the first eigenvalue and the widest after it, and their landmarks.

    Parameters
    ----------
    gaps : mapping of str to Gaps

    Examples
    --------
    >>> len(table({"two points": Gaps.of(np.diag([2.0, 1.0, 0.5]))}).rows)
    2
    """
    header = ("data", "n", "k", "gap", "promised", "as printed", "typical")
    rows = []
    for name, each in gaps.items():
        last = min(20, each.n - 1)
        for k in (1, each.widest(2, last)):
            gap = each.gap(k)
            asked = [columns(gap, each.n, times) for times in (2.0, 3.0)]
            told = [_whole(x) for x in (*asked, each.typical(k, 2.0))]
            rows.append((name, each.n, k, f"{gap:.2g}", *told))
    return style.Table(header, rows)


def _whole(x) -> str:
    return f"{np.ceil(x):,.0f}".replace(",", " ") if x < 1e7 else f"{x:.0e}"


# --- Powers ---------------------------------------------------------------------------


def draw_powers(axes, counts: Sequence[int], each: np.ndarray, look, label: str):
    """Draw what was measured, its geometric mean, and the power that is claimed.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    counts : sequence of int
    each : ndarray (m, repeats)
    look : (str, str, float)
        Colour, marker, and the power.
    label : str

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_powers(axes, [1, 4], np.array([[1.0], [0.5]]), ("blue", "o", -0.5), "half")
    """
    colour, marker, power = style.COLOURS[look[0]], look[1], look[2]
    l, mean = np.array(counts), np.exp(np.log(each).mean(axis=1))  # noqa: E741
    axes.loglog(l, mean, marker, color=colour, label=label)
    axes.loglog(l, mean[0] * (l / l[0]) ** power, ":", color=colour, linewidth=1)
    axes.set(xlabel="landmarks")
