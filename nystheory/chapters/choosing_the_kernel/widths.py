"""Machines on all columns and on a few, from wide kernels to narrow ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, style
from nystheory.chapters.choosing_the_kernel import points
from nystheory.chapters.choosing_the_kernel.experiments import MU, SHARE
from nystheory.engine.findings.held_out import Points
from nystheory.engine.report.slider import Frame, Slider
from nystheory.learners import KernelRidge
from nystheory.selection import criterion

GAMMAS, NEW = tuple(2.0**k for k in (-3, 0, 2, 4, 5, 7)), 5000
SIDE = np.linspace(-1.4, 1.4, 121)
LOOKS = {"exact": ("black", "-", "all"), "nystrom": ("vermilion", "--", "uniform")}


@dataclass(frozen=True, eq=False)
class Machine:
    """Ridge regression on labels, with a kernel of one width.

    Attributes
    ----------
    criterion : float
        Its least regularised error.
    scores : ndarray (121, 121)
        Over the plane.
    error : float
        Wrong labels of new points, in percent.
    """

    criterion: float
    scores: np.ndarray
    error: float


def machines(
    gammas: Sequence[float] = GAMMAS, n: int = 200, seed: int = 0
) -> tuple[Points, int, dict[str, list[Machine]]]:
    """Points of two moons, a number of uniform columns, and machines of each width.

    Returns
    -------
    learn : Points
    columns : int
        The same ones for each width.
    found : dict of str to list of Machine
        On all columns, ``"exact"``, and on the few, ``"nystrom"``.

    Examples
    --------
    >>> learn, columns, found = machines([1.0], n=50)
    >>> columns, found["exact"][0].criterion <= found["nystrom"][0].criterion
    (10, True)
    """
    rng = np.random.default_rng(seed)
    learn, new = points.moons(n, rng), points.moons(NEW, rng)
    columns, ridge = round(SHARE * n), MU * n
    rows = rng.permutation(n)[:columns]
    plane = np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)
    found = {method: [] for method in LOOKS}
    for gamma in gammas:
        K = kernels.rbf(learn.X, gamma)
        for method, near in (("exact", K), ("nystrom", lowrank.nystrom(K, rows))):
            model = KernelRidge(ridge, method=method).fit(near, learn.y)
            scores = model.predict(plane).reshape(len(SIDE), len(SIDE))
            error = 100 * float(np.mean(np.sign(model.predict(new.X)) != new.y))
            value = float(criterion(near, learn.y, ridge))
            found[method].append(Machine(value, scores, error))
    return learn, columns, found


def plot_widths(
    learn: Points,
    columns: int,
    found: dict[str, list[Machine]],
    gammas: Sequence[float] = GAMMAS,
) -> Slider:
    """Where each machine parts the labels, and its criterion, width by width.

    Parameters
    ----------
    learn, columns, found
        As `machines` gives them.
    gammas : sequence of float

    Returns
    -------
    Slider

    Examples
    --------
    >>> plot_widths(*machines([1.0], n=50), [1.0])
    Gamma, from wide kernels to narrow ones
    1: ...
    """
    frames = []
    for place, gamma in enumerate(gammas):
        figure, (left, right) = style.panels(2, height=3.1)
        for label, colour, marker in ((-1, "sky", "."), (1, "orange", "+")):
            dots = {"s": 14, "linewidth": 0.8, "color": style.COLOURS[colour]}
            some = learn.X[learn.y == label]
            left.scatter(*some.T, marker=marker, **dots, label=f"label {label}")
        for method, (name, dashes, which) in LOOKS.items():
            each, colour = found[method], style.COLOURS.get(name, name)
            line = {"colors": [colour], "linestyles": dashes, "linewidths": 1.8}
            left.contour(SIDE, SIDE, each[place].scores, [0], **line)
            curve = [machine.criterion for machine in each]
            told = f"{which} columns"
            right.plot(gammas, curve, dashes, color=colour, label=told)
            right.plot(gamma, curve[place], "o", color=colour, markersize=8)
        left.set(xticks=[], yticks=[], aspect="equal", title=rf"$\gamma = {gamma:g}$")
        right.set(xscale="log", xlabel=r"$\gamma$", ylabel="criterion")
        right.legend(fontsize=8.5)
        left.grid(visible=False)
        whole, few = (found[method][place] for method in LOOKS)
        words = (
            f"Criterion {whole.criterion:.2f} from all {len(learn.y)} columns, "
            f"{few.criterion:.2f} from {columns} of them. Wrong labels of new points: "
            f"{whole.error:.1f} % and {few.error:.1f} %."
        )
        frames.append(Frame(f"{gamma:g}", words, figure))
    return Slider("Gamma, from wide kernels to narrow ones", frames)
