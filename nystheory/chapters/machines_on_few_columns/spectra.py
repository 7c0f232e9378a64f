"""Eigenvalues of the data sets, what they fall like, and the columns prescribed.

A page hands in `guarantees.landmarks_for_learning`, which stands above the chapters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nystheory import kernels, style
from nystheory.chapters.machines_on_few_columns import points

N = 400
TASKS: Mapping[str, Callable] = {
    "digits": points.digits,
    "cell samples": points.cells,
    "waves": points.waves,
    "moons": points.moons,
}


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Of one data set.

    Attributes
    ----------
    values : ndarray (n,)
        Eigenvalues of the covariance of the sample, of K over n, falling.
    decay : guarantees.Decay
    hinge, square : int
        Columns prescribed for the slow rate of the hinge loss, and for the fast rate of
        the square loss, with constants 1.
    """

    values: np.ndarray
    decay: Any
    hinge: int
    square: int

    @property
    def falls(self) -> str:
        """How, in words."""
        fit = self.decay.fit
        if fit is None:
            return "neither fits"
        if fit.kind == "polynomial":
            return f"like $j^{{-{1 / fit.value:.2f}}}$"
        return f"like $e^{{-{fit.value:.2f} j}}$"

    def fitted(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of the fit, if one fits, and the line that is fitted there."""
        fit = self.decay.fit
        if fit is None:
            return np.empty(0), np.empty(0)
        first, last = self.decay.first, self.decay.last
        j = np.arange(first, last + 1)
        x = np.log(j) if fit.kind == "polynomial" else j
        line = np.polyfit(x, np.log(self.values[first - 1 : last]), 1)
        return j, np.exp(np.polyval(line, x))


def spectrum(
    make: Callable, prescribed: Callable, n: int = N, seed: int = 0, width: float = 1.0
) -> Spectrum:
    """That of points and a Gaussian kernel.

    Parameters
    ----------
    make : callable (size, rng) -> Points
    prescribed : callable (K, y, loss) -> prescription
        `guarantees.landmarks_for_learning`.
    n, seed : int
    width : float
        Over the root of the mean square distance of two points.

    Examples
    --------
    >>> from nystheory import guarantees
    >>> found = spectrum(points.moons, guarantees.landmarks_for_learning, 100)
    >>> round(float(found.values.sum()), 9), found.hinge <= 100
    (1.0, True)
    """
    some = make(n, np.random.default_rng(seed))
    gamma = 1 / (2 * some.X.var(axis=0).sum() * width**2)
    K = kernels.rbf(some.X, float(gamma)).dense()
    values = np.linalg.eigvalsh(K)[::-1] / n
    hinge = prescribed(K, some.y, "hinge")
    square = prescribed(K, some.y, "square")
    slow, fast = hinge.of("slow").columns, square.of("fast").columns
    return Spectrum(values, hinge.decay, slow[1], n if fast is None else fast[1])


def spectra(prescribed: Callable, n: int = N) -> dict[str, Spectrum]:
    """Those of all data sets.

    Examples
    --------
    >>> from nystheory import guarantees
    >>> list(spectra(guarantees.landmarks_for_learning, 40)) == list(TASKS)
    True
    """
    return {name: spectrum(make, prescribed, n) for name, make in TASKS.items()}


def table(found: Mapping[str, Spectrum]) -> style.Table:
    """A data set a row."""
    header = ("points", "eigenvalues fall", "hinge loss, slow rate", "square, fast")
    rows = [(k, x.falls, f"{x.hinge}", f"{x.square}") for k, x in found.items()]
    return style.Table(header, rows)
