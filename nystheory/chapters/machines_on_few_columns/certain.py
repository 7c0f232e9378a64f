"""Where the label of a machine is certain before the machine is finished: a picture."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from nystheory import style
from nystheory.chapters.machines_on_few_columns.points import moons
from nystheory.engine.findings.held_out import Points
from nystheory.learners import NotConverged, SubspaceClassifier

GAMMA, RIDGE, COLUMNS = 1.0, 3.0, 20
# The part of the plane that is shown, and how finely.
ACROSS, UP = np.linspace(-1.7, 2.7, 121), np.linspace(-1.2, 1.7, 81)


@dataclass(frozen=True, eq=False)
class Unfinished:
    """A machine after some passes, and by how much its scores may be wrong.

    Attributes
    ----------
    points : Points
    model : SubspaceClassifier
    reach : float
        No score is further than this from that of the minimiser.
    scores : ndarray (p, q)
        Over the part of the plane that is shown.
    """

    points: Points
    model: SubspaceClassifier
    reach: float
    scores: np.ndarray

    @property
    def certain(self) -> float:
        """The share of the points whose label is that of the minimiser, in percent."""
        scores = self.model.decision_function(self.points.X)
        return 100 * float(np.mean(np.abs(scores) > self.reach))


def after(passes: int, n: int = 300, seed: int = 0) -> Unfinished:
    """Pegasos on two moons, stopped after some passes.

    The features of a Gaussian kernel are no longer than 1, so that the duality gap
    alone bounds how far a score is from that of the minimiser.

    Parameters
    ----------
    passes : int
    n : int
        Points.
    seed : int
        Of points, landmarks and order.

    Examples
    --------
    >>> early, late = (after(passes, n=100) for passes in (2, 20))
    >>> early.reach > late.reach, early.certain < late.certain
    (True, True)
    """
    points = moons(n, np.random.default_rng(seed), noise=0.2)
    given = {"gamma": GAMMA, "n_landmarks": COLUMNS, "solver": "pegasos"}
    model = SubspaceClassifier(
        RIDGE, **given, max_iter=passes, tol=1e-12, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        model.fit(points.X, points.y)
    plane = np.stack(np.meshgrid(ACROSS, UP), axis=-1)
    scores = model.decision_function(plane.reshape(-1, 2)).reshape(plane.shape[:2])
    reach = float(np.sqrt(2 * model.duality_gap_ / RIDGE))
    return Unfinished(points, model, reach, scores)


def draw(axes, shown: Unfinished, title: str) -> None:
    """Points, the line between both labels, and in grey where it may still run."""
    unsure = (np.abs(shown.scores) <= shown.reach).astype(float)
    grey = style.COLOURS["grey"]
    axes.contourf(ACROSS, UP, unsure, [0.5, 1.5], colors=[grey], alpha=0.35)
    axes.contour(ACROSS, UP, shown.scores, [0], colors="black", linewidths=1.5)
    for label, colour, marker in ((1, "blue", "o"), (-1, "orange", "^")):
        these = shown.points.X[shown.points.y == label]
        axes.scatter(*these.T, s=12, marker=marker, color=style.COLOURS[colour])
    axes.set(title=title, xlabel="first coordinate", ylabel="second coordinate")
