"""The machines that the chapter compares, and how width and ridge are chosen for each.

The rule is one for all: of a grid of widths and ridges the pair with the fewest wrong
labels on points that are set aside, the first of several.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from sklearn.svm import SVC, LinearSVC

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings import Competitor
from nystheory.engine.findings.held_out import Points
from nystheory.learners import NotConverged, SubspaceClassifier

# Widths over the root of the mean square distance of two points, and values of lambda,
# the ridge over the number of points.
WIDTHS = (0.3, 0.6, 1.2)
LAMBDAS = (1e-2, 1e-3, 1e-4, 1e-5)
PAIRS = tuple(product(WIDTHS, LAMBDAS))
# Passes of Pegasos over the points.
PASSES = 10
# Columns by leverage scores, which are estimated.
LEVERAGE = "recursive_rls"


@dataclass(frozen=True, eq=False)
class Known:
    """What is learned from, and what width and ridge are chosen by.

    Attributes
    ----------
    learn, aside : Points
    columns : int
        How many a machine may take.
    seed : int
        The same for each machine.
    """

    learn: Points
    aside: Points
    columns: int
    seed: int
    _near: dict = field(default_factory=dict)
    _wrong: dict = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Points to learn from."""
        return len(self.learn.X)

    def gamma(self, width: float) -> float:
        """Of the Gaussian kernel, with which points at that distance have ``1 / e``.

        Examples
        --------
        >>> points = Points(np.array([[0.0], [2.0]]), np.array([-1, 1]))
        >>> Known(points, points, 1, 0).gamma(1.0)
        0.5
        """
        return float(1 / (2 * self.learn.X.var(axis=0).sum() * width**2))

    def near(self, scheme: str, columns: int, width: float) -> lowrank.LowRank:
        """The Nyström approximation of so many columns; kept."""
        key = scheme, columns, width
        if key not in self._near:
            K = kernels.rbf(self.learn.X, self.gamma(width))
            rng = np.random.default_rng(self.seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sampling.FewerLandmarks)
                drawn = sampling.SCHEMES[scheme](K, columns, rng)
            self._near[key] = lowrank.nystrom(K, drawn)
        return self._near[key]


def split(
    points: Points, count: int, columns: int, rng, aside: float = 1 / 3
) -> tuple[Known, Points]:
    """The first points to learn from, a share of the others set aside, the rest judges.

    Parameters
    ----------
    points : Points
        In a random order.
    count : int
        Points to learn from.
    columns : int
    rng : numpy.random.Generator
    aside : float

    Returns
    -------
    Known, Points

    Examples
    --------
    >>> some = Points(np.arange(20.0)[:, None], np.ones(20))
    >>> known, judged = split(some, 11, 4, np.random.default_rng(0))
    >>> known.n, len(known.aside.X), len(judged.X)
    (11, 3, 6)
    """
    ends = [count, count + int((len(points.X) - count) * aside)]
    parts = zip(np.split(points.X, ends), np.split(points.y, ends), strict=True)
    learn, chosen, judged = (Points(X, y) for X, y in parts)
    return Known(learn, chosen, columns, int(rng.integers(2**31))), judged


@dataclass(frozen=True)
class Linear:
    """A linear machine with an intercept, which it penalises: LIBLINEAR's."""

    has_width = False

    def fitted(self, known: Known, width: float, ridge: float) -> Any:
        """On the points to learn from; one that stops early is as it is."""
        made = LinearSVC(C=1 / ridge, loss="hinge", random_state=known.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return made.fit(known.learn.X, known.learn.y)


@dataclass(frozen=True)
class Whole:
    """A machine on all columns with an intercept, which is free: LIBSVM's."""

    has_width = True

    def fitted(self, known: Known, width: float, ridge: float) -> Any:
        """On the points to learn from."""
        made = SVC(C=1 / ridge, gamma=known.gamma(width), cache_size=1000)
        return made.fit(known.learn.X, known.learn.y)


@dataclass(frozen=True)
class Few:
    """A machine on few columns, without an intercept: ours.

    Attributes
    ----------
    scheme : str
        Of `sampling.SCHEMES`.
    loss, solver : str
        Of `SubspaceClassifier`.
    passes : int
        That it may take.
    tol : float
        The share of the value at zero at which it stops before.
    """

    scheme: str
    loss: str = "hinge"
    solver: str = "auto"
    passes: int = PASSES
    tol: float = 1e-3
    has_width = True

    def fitted(self, known: Known, width: float, ridge: float) -> SubspaceClassifier:
        """On the points to learn from; one that stops early is as it is."""
        made = SubspaceClassifier(
            ridge,
            loss=self.loss,
            solver=self.solver,
            tol=self.tol,
            max_iter=self.passes,
            random_state=known.seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)
            near = known.near(self.scheme, known.columns, width)
            return made.fit(near, known.learn.y)


PEGASOS = {
    "leverage": Competitor(
        "Nyström-Pegasos, leverage",
        Few(LEVERAGE, solver="pegasos"),
        "Pegasos on columns by leverage scores",
    ),
    "uniform": Competitor(
        "Nyström-Pegasos, uniform",
        Few("uniform", solver="pegasos"),
        "Pegasos on uniform columns",
    ),
}
MACHINES = {
    "linear": Competitor("linear machine", Linear(), "the linear machine"),
    "kernel": Competitor("kernel machine", Whole(), "the machine on all columns"),
    **PEGASOS,
    "solved": Competitor(
        "hinge loss solved, leverage",
        Few(LEVERAGE, tol=1e-2, passes=20),
        "the hinge loss solved on columns by leverage scores",
    ),
    "ridge": Competitor(
        "Nyström ridge, leverage",
        Few(LEVERAGE, loss="square"),
        "the square loss on columns by leverage scores",
    ),
    "ridge_uniform": Competitor(
        "Nyström ridge, uniform",
        Few("uniform", loss="square"),
        "the square loss on uniform columns",
    ),
}


def of_pair(machine, place: float, known: Known) -> Any:
    """The machine with the width and the ridge of a place in the grid `PAIRS`."""
    width, lambda_ = PAIRS[int(place)]
    return machine.fitted(known, width, lambda_ * known.n)


def wrong(model, points: Points) -> float:
    """The share of wrong labels, in percent.

    Examples
    --------
    >>> model = LinearSVC().fit([[1.0], [-1.0]], [1, -1])
    >>> wrong(model, Points(np.array([[2.0], [3.0]]), np.array([1, -1])))
    50.0
    """
    return float(100 * np.mean(model.predict(points.X) != points.y))


def wrong_aside(machine, place: float, known: Known) -> float:
    """The share of wrong labels on points set aside, by which a place is chosen; kept.

    A machine without a width has the same for each.
    """
    place = int(place) if machine.has_width else int(place) % len(LAMBDAS)
    if (machine, place) not in known._wrong:
        model = of_pair(machine, place, known)
        known._wrong[machine, place] = wrong(model, known.aside)
    return known._wrong[machine, place]


def best(machine, known: Known, widths: Sequence[float] = WIDTHS) -> int:
    """The place of the grid with the fewest wrong labels on points set aside.

    Examples
    --------
    >>> X = np.arange(8.0)[:, None]
    >>> points = Points(X, np.where(X[:, 0] > 3, 1, -1))
    >>> PAIRS[best(Whole(), Known(points, points, 2, 0), [0.6])][0]
    0.6
    """
    places = [k for k, (width, _) in enumerate(PAIRS) if width in widths]
    return min(places, key=lambda place: wrong_aside(machine, place, known))
