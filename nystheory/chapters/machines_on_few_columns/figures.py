"""How the experiments of the chapter are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import style
from nystheory.chapters.machines_on_few_columns import findings
from nystheory.chapters.machines_on_few_columns.points import moons
from nystheory.chapters.machines_on_few_columns.spectra import Spectrum
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.findings.held_out import Points
from nystheory.engine.report.slider import Frame, Slider
from nystheory.learners import KernelSVC, SubspaceClassifier

LOOKS = {
    "uniform": ("grey", "X", "-"),
    "leverage": ("blue", "o", "-"),
    "more": ("sky", "v", "--"),
    "pivots": ("vermilion", "s", "-."),
    "pegasos": ("orange", "s", "--"),
    "coordinates": ("blue", "o", "-"),
}
COLOURS = ("blue", "vermilion", "green", "purple")
INDEX = Field("index", "index j of the eigenvalue")
EIGENVALUE = Field("eigenvalue", "eigenvalue of the covariance")


# ---- borders in the plane ----

GAMMA, RIDGE, FEW, NEW = 2.0, 1.0, (5, 20), 5000
ACROSS, UP = np.linspace(-1.8, 2.8, 121), np.linspace(-1.4, 1.9, 91)


@dataclass(frozen=True, eq=False)
class Border:
    """What a machine makes of the plane.

    Attributes
    ----------
    columns : int
    landmarks : ndarray (columns, 2)
    scores : ndarray (q, p)
    error : float
        Wrong labels of new points, in percent.
    differs : float
        New points that the machine on all columns gives the other label, in percent.
    """

    columns: int
    landmarks: np.ndarray
    scores: np.ndarray
    error: float
    differs: float


def borders(
    n: int = 300, seed: int = 0, few: Sequence[int] = FEW
) -> tuple[Points, list[Border]]:
    """The points, and borders learned from few columns and, the last, from all of them.

    Examples
    --------
    >>> learn, found = borders(60)
    >>> [each.columns for each in found], found[-1].differs
    ([5, 20, 60], 0.0)
    """
    rng = np.random.default_rng(seed)
    learn, new = moons(n, rng), moons(NEW, rng)
    whole = KernelSVC(1 / RIDGE, gamma=GAMMA).fit(learn.X, learn.y)
    models = [(n, learn.X, whole)]
    for count in reversed(few):
        made = SubspaceClassifier(
            RIDGE, gamma=GAMMA, landmarks=range(count), tol=1e-4, random_state=0
        )
        models.insert(0, (count, learn.X[:count], made.fit(learn.X, learn.y)))
    labels = whole.predict(new.X)
    return learn, [_border(*each, new, labels) for each in models]


def _border(columns, landmarks, model, new, labels):
    across, up = np.meshgrid(ACROSS, UP)
    scores = model.decision_function(np.column_stack([across.ravel(), up.ravel()]))
    found = model.predict(new.X)
    shares = (100 * float(np.mean(found != y)) for y in (new.y, labels))
    return Border(columns, landmarks, scores.reshape(across.shape), *shares)


def plot_borders(learn: Points, found: list[Border]):
    """Points, the border and the margin of each machine, and the landmarks."""
    figure, panels = style.panels(len(found), height=2.9)
    for axes, each in zip(panels, found, strict=True):
        _points(axes, learn)
        lines = {"colors": "black", "linewidths": (0.8, 1.8, 0.8)}
        axes.contour(ACROSS, UP, each.scores, [-1, 0, 1], linestyles=DASHES, **lines)
        told = f"all {each.columns} columns"
        if each.columns < len(learn.X):
            _rings(axes, each.landmarks)
            told = f"{each.columns} columns"
        axes.set_title(f"{told}: {each.error:.1f} % wrong", fontsize=10)
        axes.set(aspect="equal", xticks=[], yticks=[])
        axes.grid(visible=False)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=8.5)
    return figure


DASHES = (":", "-", ":")


def _points(axes, learn):
    for label, colour, marker in ((-1, "sky", "."), (1, "orange", "+")):
        some = learn.X[learn.y == label]
        dots = {"s": 14, "linewidth": 0.8, "color": style.COLOURS[colour]}
        axes.scatter(*some.T, marker=marker, **dots, label=f"label {label}")


def _rings(axes, landmarks):
    ring = {"s": 42, "facecolor": "none", "edgecolor": "black"}
    axes.scatter(*landmarks.T, **ring, label="landmark")


def plot_border_by_columns(learn: Points, found: list[Border]) -> Slider:
    """The border from few columns on that of all of them, with a slider.

    Parameters
    ----------
    learn : Points
    found : list of Border
        The last is that of all columns, in each frame.

    Returns
    -------
    Slider

    Examples
    --------
    >>> plot_border_by_columns(*borders(60, few=[5]))
    Columns
    5: 32.4 % of new points get a wrong label, 30.8 % another one than from all columns.
    """
    *few, whole = found
    frames = []
    for each in few:
        figure, (axes,) = style.panels(1, width=6.2, height=3.2)
        _points(axes, learn)
        _rings(axes, each.landmarks)
        for border, colour, dashes, label in (
            (whole, style.COLOURS["vermilion"], "--", "all columns"),
            (each, "black", "-", "these columns"),
        ):
            line = {"colors": [colour], "linewidths": 1.8, "linestyles": dashes}
            axes.contour(ACROSS, UP, border.scores, [0], **line)
            axes.plot([], [], dashes, color=colour, linewidth=1.8, label=label)
        axes.set(aspect="equal", xticks=[], yticks=[])
        axes.grid(visible=False)
        axes.legend(fontsize=8.5, loc="upper left", bbox_to_anchor=(1, 1))
        words = (
            f"{each.error:.1f} % of new points get a wrong label, "
            f"{each.differs:.1f} % another one than from all columns."
        )
        frames.append(Frame(f"{each.columns}", words, figure))
    return Slider("Columns", frames)


# ---- fields against columns or passes ----


def means(found, field: Field, data: str) -> dict[str, np.ndarray]:
    """The means over draws on one data set, by competitor, (settings,).

    Parameters
    ----------
    found : Found
    field : Field
    data : str
    """
    names = found.experiment.competitors
    return {n: found.measured(field.name, n, data).mean(axis=0) for n in names}


def draw_curves(axes, found, field: Field, data: str) -> None:
    """The means of a field along the settings; of a constant, a horizontal line.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.SCORES` or `findings.GAPS`.
    field : Field
    data : str
    """
    experiment = found.experiment
    settings = Series(experiment.along, experiment.settings)
    for name, values in means(found, field, data).items():
        label = experiment.competitors[name].label
        if len(values) == 1:
            look = {"color": "black", "linewidth": 1, "linestyle": ":"}
            axes.axhline(values[0], **look, label=label)
        else:
            plot(axes, settings, Series(field, values, label), LOOKS[name])
    axes.set(xscale="log", yscale="log", title=data)
    axes.set_xticks(experiment.settings, [f"{x}" for x in experiment.settings])
    axes.minorticks_off()


def plot_columns(found):
    """Wrong labels against columns, on the data of the page.

    Parameters
    ----------
    found : Found
        Of `findings.SCORES`.
    """
    figure, panels = style.grid(height=6.0)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        field = findings.RARE if data in findings.UNEVEN else findings.ERROR
        draw_curves(axes, found, field, data)
        _tick(axes)
        axes.set_ylabel(
            "wrong labels in light groups, %"
            if field != findings.ERROR
            else "wrong labels, %"
        )
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=8.5)
    return figure


def plot_gaps(found):
    """The duality gap against passes, on the data of the page.

    Parameters
    ----------
    found : Found
        Of `findings.GAPS`.
    """
    figure, panels = style.panels(len(found.experiment.shown), height=3.0)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_curves(axes, found, findings.GAP, data)
    panels[0].legend(fontsize=8.5)
    return figure


TICKS = (0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60)


def _tick(axes):
    low, high = axes.get_ylim()
    some = [x for x in TICKS if low <= x <= high]
    axes.set_yticks(some, [f"{x:g}" for x in some])


# ---- spectra ----


def plot_spectra(found: Mapping[str, Spectrum]):
    """Eigenvalues by index, what they fall like, and the columns prescribed.

    Parameters
    ----------
    found : mapping of str to Spectrum
    """
    figure, (axes,) = style.panels(height=3.6)
    for (name, each), colour in zip(found.items(), COLOURS, strict=True):
        values = each.values[each.values > 1e-9]
        j = Series(INDEX, np.arange(1, len(values) + 1))
        plot(axes, j, Series(EIGENVALUE, values, name), (colour, "", "-"))
        look = {"color": style.COLOURS[colour], "linewidth": 1.2, "linestyle": "--"}
        axes.plot(*each.fitted(), **look)
        rates = (each.hinge, "o", "slow"), (each.square, "s", "fast")
        for columns, marker, rate in rates:
            if columns <= len(values):
                dot = {"marker": marker, "color": style.COLOURS[colour]}
                dot |= {"linestyle": "none", "label": f"_by the {rate} rate"}
                axes.plot(columns, values[columns - 1], **dot)
    axes.set(xscale="log", yscale="log", ylim=(1e-9, 1))
    axes.legend(fontsize=8.5)
    return figure
