"""Variances of kernel values over the distance of the points and their dimension."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import style
from nystheory.chapters.which_random_features.theorems.orthogonal import (
    product_of_cosines,
)
from nystheory.features import RandomBinningFeatures, RandomFourierFeatures

# Colour and line of each kind of features.
LOOKS = {
    "phases": ("sky", "--"),
    "pairs": ("blue", "-"),
    "orthogonal pairs": ("green", "-"),
    "quasi-Monte Carlo pairs": ("purple", ":"),
    "binning": ("vermilion", "-"),
}
WAVES = {
    "phases": {"kind": "phases"},
    "pairs": {"kind": "pairs"},
    "orthogonal pairs": {"draws": "orthogonal"},
}
QUASI = "quasi-Monte Carlo pairs"


@dataclass(frozen=True, eq=False)
class Variances:
    """Variances of kernel values, times the number of features.

    Attributes
    ----------
    z : ndarray (q,)
        Distances of two points, along a diagonal.
    of : dict of str to ndarray (q,)
        By kind of features.
    kernel : ndarray (q,)
    d, D : int
        Dimension, and number of features.
    """

    z: np.ndarray
    of: dict[str, np.ndarray]
    kernel: np.ndarray
    d: int
    D: int


def _diagonal(z, d):
    """The origin, and points at these distances along the diagonal of d axes."""
    return np.zeros((1, d)), np.outer(z, np.ones(d)) / np.sqrt(d)


def gaussian(z, d: int, D: int, draws: int, rng) -> Variances:
    """Of the Gaussian kernel ``exp(-z^2 / 2)``: exact, but for quasi-Monte Carlo.

    Parameters
    ----------
    z : array_like (q,)
    d, D : int
    draws : int
        Of quasi-Monte Carlo frequencies, of which no exact variance is known.
    rng : numpy.random.Generator

    Examples
    --------
    >>> shown = gaussian([0.0, 3.0], 2, 4, 10, np.random.default_rng(0))
    >>> shown.of["pairs"].round(3).tolist(), shown.of["phases"].round(3).tolist()
    ([0.0, 1.0], [0.5, 1.0])
    """
    z = np.asarray(z, dtype=float)
    origin, points = _diagonal(z, d)
    known = {"gamma": 0.5, "n_components": D, "random_state": 0}
    of = {
        name: D
        * RandomFourierFeatures(**known, **options)
        .fit(points)
        .variance(origin, points)[0]
        for name, options in WAVES.items()
    }
    kernel = np.exp(-(z**2) / 2)
    of[QUASI] = _quasi(origin, points, kernel, known, draws, rng)
    return Variances(z, of, kernel, d, D)


def along_an_axis(z, d: int, D: int, draws: int, rng) -> np.ndarray:
    """The variance of quasi-Monte Carlo over that of pairs, for points on one axis.

    Parameters
    ----------
    z : array_like (q,)
        Above zero.
    d, D, draws, rng
        As for `gaussian`, which has the points on the diagonal.

    Examples
    --------
    >>> along_an_axis([1.0, 3.0], 8, 64, 20, np.random.default_rng(0)).max() < 0.2
    np.True_
    """
    z = np.asarray(z, dtype=float)
    points, kernel = np.outer(z, np.eye(d)[0]), np.exp(-(z**2) / 2)
    known = {"gamma": 0.5, "n_components": D, "random_state": 0}
    quasi = _quasi(np.zeros((1, d)), points, kernel, known, draws, rng)
    return quasi / (1 - kernel**2) ** 2


def _quasi(origin, points, kernel, known, draws, rng):
    """The mean square of the error of quasi-Monte Carlo features, times D."""
    values = [
        _value(known | {"random_state": int(seed)}, origin, points)
        for seed in rng.integers(2**31, size=draws)
    ]
    return known["n_components"] * np.mean((np.array(values) - kernel) ** 2, axis=0)


def _value(options, origin, points):
    """Kernel values from one draw of quasi-Monte Carlo frequencies."""
    made = RandomFourierFeatures(**options, draws="quasi-monte-carlo").fit(points)
    return (made.transform(origin) @ made.transform(points).T)[0]


def laplacian(z, D: int) -> Variances:
    """Of the Laplacian kernel ``exp(-z)`` on one axis, D waves or D grids.

    Examples
    --------
    >>> shown = laplacian([np.log(2)], 10)
    >>> {name: round(float(x[0]), 3) for name, x in shown.of.items()}
    {'phases': 0.875, 'pairs': 0.75, 'binning': 0.25}
    """
    z = np.asarray(z, dtype=float)
    origin, points = _diagonal(z, 1)
    of = {}
    for kind in ("phases", "pairs"):
        made = RandomFourierFeatures(
            "laplacian", gamma=1.0, n_components=D, kind=kind, random_state=0
        )
        of[kind] = D * made.fit(points).variance(origin, points)[0]
    grids = RandomBinningFeatures(gamma=1.0, n_grids=D, random_state=0).fit(points)
    of["binning"] = D * grids.variance(origin, points)[0]
    return Variances(z, of, np.exp(-z), 1, D)


def ratios(z, dimensions) -> np.ndarray:
    """The variance of orthogonal over that of independent pairs, as many as dimensions.

    Parameters
    ----------
    z : array_like (q,)
        Distances above 0.
    dimensions : sequence of int, length p

    Returns
    -------
    ndarray (p, q)

    Examples
    --------
    >>> ratios([0.01, 3.5], [4]).round(3).tolist()
    [[0.5, 1.015]]
    """
    z = np.asarray(z, dtype=float)
    independent = (1 - np.exp(-(z**2))) ** 2 / 2
    rows = []
    for d in dimensions:
        product = np.array([product_of_cosines(d, x) for x in z])
        rows.append(1 + (d - 1) * (product - np.exp(-(z**2))) / independent)
    return np.array(rows)


def worse_from(dimensions, step: float = 1 / 16, most: float = 8.0) -> dict[int, tuple]:
    """Where orthogonal pairs are worse: the first distances, and by how much.

    Parameters
    ----------
    dimensions : iterable of int
    step, most : float
        The distances are multiples of a step up to the largest.

    Returns
    -------
    dict of int to (float, float, float)
        The first distance, the last one of the stretch, infinite if there is no end,
        and the largest excess of the variance of as many as dimensions, in percent.

    Examples
    --------
    >>> {d: (first, last) for d, (first, last, _) in worse_from([2, 4, 5]).items()}
    {4: (3.125, inf), 5: (3.0, 4.5625)}
    """
    z, found = np.arange(step, most + step, step), {}
    for d in dimensions:
        excess = np.array([product_of_cosines(d, x) - np.exp(-(x**2)) for x in z])
        worse = excess > 0
        if not worse.any():
            continue
        first = int(np.argmax(worse))
        ends = np.flatnonzero(~worse[first:])
        last = z[first + ends[0] - 1] if len(ends) else np.inf
        share = 200 * (d - 1) * excess / (1 - np.exp(-(z**2))) ** 2
        found[d] = float(z[first]), float(last), float(share.max())
    return found


# --- Pictures -------------------------------------------------------------------------


def draw_lines(axes, shown: Variances) -> None:
    """Variances against the distance, a line for each kind.

    Examples
    --------
    >>> _, (axes,) = style.panels(1)
    >>> draw_lines(axes, laplacian([0.5, 1.0], 10))
    >>> axes.get_ylabel()
    'variance × number of features'
    """
    for name, values in shown.of.items():
        colour, line = LOOKS[name]
        axes.plot(shown.z, values, line, color=style.COLOURS[colour], label=name)
    axes.set(xlabel="distance $z$", ylabel="variance × number of features")
    axes.set_ylim(0, None)
    axes.legend(fontsize=8)


def draw_ratios(axes, z, dimensions, table) -> None:
    """The ratios of `ratios` as a map, with a line where they are 1 and hatched above.

    Examples
    --------
    >>> _, (axes,) = style.panels(1)
    >>> z, dimensions = np.linspace(0.1, 5, 9), [2, 3, 4]
    >>> draw_ratios(axes, z, dimensions, ratios(z, dimensions))
    >>> axes.get_ylabel()
    'dimension $d$'
    """
    seen = axes.pcolormesh(
        z, dimensions, table, cmap=style.COLOUR_MAP, vmin=0, vmax=1, shading="nearest"
    )
    axes.contour(z, dimensions, table, levels=[1.0], colors=style.COLOURS["vermilion"])
    worse = (table > 1).astype(float)
    axes.contourf(
        z, dimensions, worse, levels=[0.5, 1.5], colors="none", hatches=["//"]
    )
    axes.set(xlabel="distance $z$", ylabel="dimension $d$")
    axes.figure.colorbar(seen, ax=axes, label="orthogonal over independent variance")
