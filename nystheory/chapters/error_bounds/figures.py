"""Columns asked for, promises, the worst case, afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.error_bounds import error_sweeps, findings
from nystheory.chapters.error_bounds import promised as experiments
from nystheory.chapters.error_bounds.voices import COUNTS
from nystheory.engine.findings import Series
from nystheory.engine.findings.experiments import STYLES
from nystheory.engine.findings.fields import plot
from nystheory.engine.findings.found import Found
from nystheory.engine.report.slider import Frame, Slider
from nystheory.style import grid

# Colour, marker and line of each voice.
LOOKS = {
    experiments.PRINTED: ("vermilion", "^", "--"),
    experiments.PROVED: ("blue", "s", "-"),
    experiments.CERTIFICATE: ("green", "D", "-."),
    experiments.LEFT_OUT: ("purple", "x", ":"),
    experiments.OBSERVED: ("orange", "o", "-"),
    experiments.BEST_RANK: ("grey", "", ":"),
}
# Of the figure of what is said afterwards.
VOICES = {
    "proved": findings.PROVED,
    "certificate": findings.CERTIFICATE,
    "observed": findings.OBSERVED,
    "left": findings.LEFT_OUT,
}
# The printed theorem has a floor above what is asked for, wherever it is asked.
NEVER = 1.12


def draw_asked(axes, asked: experiments.Asked) -> None:
    """Draw how many columns each voice asks for, one row for each voice.

    Parameters
    ----------
    axes : matplotlib Axes
    asked : Asked

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_asked(axes, experiments.Asked(9, {"digits, RBF": {"printed": None}}))
    """
    voices = list(next(iter(asked.counts.values())))[::-1]
    shifts = np.linspace(0.18, -0.18, len(asked.counts))
    for shift, (name, counts) in zip(shifts, asked.counts.items(), strict=True):
        colour, marker = STYLES[name]
        places = [
            NEVER * asked.n if counts[voice] is None else counts[voice]
            for voice in voices
        ]
        heights = np.arange(len(voices)) + shift
        colour = style.COLOURS[colour]
        axes.plot(places, heights, marker, color=colour, markersize=7, label=name)
    axes.axvline(asked.n, color="black", linewidth=1)
    ticks = [*np.linspace(0, asked.n, 6, dtype=int), NEVER * asked.n]
    axes.set_xticks(ticks, [*map(str, ticks[:-1]), "never"])
    axes.set_yticks(range(len(voices)), voices)
    axes.set_xlabel("columns $l$")
    axes.legend(fontsize=8.5, ncols=3, loc="lower center", bbox_to_anchor=(0.45, 1))


def draw_sweeps(sweeps: Mapping[str, error_sweeps.Sweep]) -> style.BookFigure:
    """A figure of errors and promises: norms in rows, matrices in columns.

    Parameters
    ----------
    sweeps : mapping of str to Sweep

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> Ks = experiments.three_kernels(30)
    >>> one = {
    ...     name: error_sweeps.sweep(
    ...         K, experiments.know(K), [5, 9], 2, np.random.default_rng(0), rank=3
    ...     )
    ...     for name, K in Ks.items()
    ... }
    >>> len(draw_sweeps(one).axes)
    6
    """
    figure, axes = grid(2, len(sweeps), height=5.6)
    names = {"2": "spectral", "F": "Frobenius"}
    for at, panel in enumerate(axes):
        norm = experiments.NORMS[at // len(sweeps)]
        name = list(sweeps)[at % len(sweeps)]
        _one_sweep(panel, sweeps[name], norm)
        if at < len(sweeps):
            panel.set_title(name)
        else:
            panel.set_xlabel("columns $l$")
        if at % len(sweeps) == 0:
            panel.set_ylabel(f"{names[norm]} error / norm of $K$")
    figure.legend(
        *axes[0].get_legend_handles_labels(), ncols=5, loc="outside upper center"
    )
    return figure


def _one_sweep(axes, sweep, norm):
    size = experiments.sizes(sweep.known)[norm]
    lines = {
        experiments.PRINTED: sweep.promised[experiments.PRINTED, norm],
        experiments.PROVED: sweep.promised[experiments.PROVED, norm],
        experiments.CERTIFICATE: sweep.certificate.max(axis=1) / size,
        experiments.OBSERVED: sweep.observed[norm].max(axis=1),
        experiments.BEST_RANK: sweep.promised[experiments.BEST_RANK, norm],
    }
    for name, line in lines.items():
        colour, marker, dashes = LOOKS[name]
        colour = style.COLOURS[colour]
        axes.plot(sweep.counts, line, dashes, marker=marker, color=colour, label=name)
    _vacuous(axes, max(map(np.max, lines.values())))
    axes.set(xscale="log", yscale="log")
    axes.minorticks_off()
    axes.set_xticks(sweep.counts, sweep.counts)


def _vacuous(axes, top):
    """Grey where a bound says less than that K~ lies between 0 and K."""
    axes.axhspan(1, max(2.0, 2 * top), color="#dddddd", alpha=0.6, zorder=0)
    axes.axhline(1, color="black", linewidth=0.8)


def draw_rates(axes, counts: Sequence[int], cases: Sequence[Mapping]) -> None:
    """Draw Frobenius excesses against the columns, with the powers that they follow.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    counts : sequence of int, length m
    cases : sequence of mapping, length m
        As `experiments.worst_case`.

    Examples
    --------
    >>> cases = [experiments.worst_case(1000, l, 0.05) for l in (10, 20)]
    >>> figure, (axes,) = style.panels(1)
    >>> draw_rates(axes, [10, 20], cases)
    """
    _three_lines(axes, counts, cases)
    top = max(case[experiments.PRINTED] for case in cases)
    _vacuous(axes, top)
    axes.set(xscale="log", yscale="log", ylim=(None, 2 * top))
    axes.set(xlabel="columns $l$", ylabel=r"excess / $n K_{\max}$")
    for name, power in (
        (experiments.PRINTED, "$l^{-1/4}$"),
        (experiments.PROVED, "$l^{-1/2}$"),
    ):
        place = (counts[-2], cases[-2][name])  # clear of the line at 1
        axes.annotate(power, place, (4, 6), textcoords="offset points")


def draw_deltas(axes, deltas: Sequence[float], cases: Sequence[Mapping]) -> None:
    """Draw Frobenius excesses against the probability of failure.

    Parameters
    ----------
    axes : matplotlib Axes
    deltas : sequence of float, length m
    cases : sequence of mapping, length m
        As `experiments.worst_case`.

    Examples
    --------
    >>> cases = [experiments.worst_case(1000, 100, d) for d in (0.1, 0.01)]
    >>> figure, (axes,) = style.panels(1)
    >>> draw_deltas(axes, [0.1, 0.01], cases)
    """
    names = (experiments.PROVED, "unavoidable")
    _three_lines(axes, deltas, cases, names)
    axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set(xlabel=r"probability of failure $\delta$", ylim=(0, None))


def _three_lines(axes, places, cases, names=(*LOOKS,)[:2] + ("unavoidable",)):
    for name in names:
        colour, marker, dashes = LOOKS.get(name, ("orange", "o", ":"))
        values = [case[name] for case in cases]
        colour = style.COLOURS[colour]
        axes.plot(places, values, dashes, marker=marker, color=colour, label=name)
    axes.legend(fontsize=8.5)


def draw_crossed(matrices: Mapping[str, np.ndarray]) -> style.BookFigure:
    """Matrices side by side as pictures, on one scale from 0 to 1.

    Parameters
    ----------
    matrices : mapping of str to ndarray (n, n)

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> len(draw_crossed({"one": np.eye(2), "other": np.ones((2, 2))}).axes)
    3
    """
    figure, axes = style.panels(len(matrices), height=2.4)
    for panel, (name, M) in zip(axes, matrices.items(), strict=True):
        image = panel.imshow(M, cmap=style.COLOUR_MAP, vmin=0, vmax=1)
        panel.set_title(name, fontsize=10)
        panel.grid(False)
        panel.set_xticks([0, len(M) - 1], [1, len(M)])
        panel.set_yticks([0, len(M) - 1], [1, len(M)])
    figure.colorbar(image, ax=axes, shrink=0.8, ticks=(0, 0.5, 1))
    return figure


def plot_bound_and_truth(found: Found, data: Sequence[str]) -> Slider:
    """The error of full rank and what is said of it, with a slider over the columns.

    Parameters
    ----------
    found : Found
        Of `findings.VOICES`.
    data : sequence of str
        The rows.

    Returns
    -------
    Slider
        The large marks are medians over draws, the small ones the draws.
    """
    said = {
        voice: np.array([found.measured("said", voice, name) for name in data])
        for voice in VOICES
    }
    every, frames = np.concatenate([*said.values()]), []
    for place, count in enumerate(COUNTS):
        figure, (axes,) = style.panels(1, height=2.6)
        middle = _draw_said(axes, {x: each[:, :, place] for x, each in said.items()})
        axes.axvspan(100, 2 * every.max(), color="#dddddd", alpha=0.6, zorder=0)
        axes.set(xscale="log", xlim=(every.min() / 2, 2 * every.max()))
        axes.set(xlabel=findings.SAID.axis, ylabel=f"{count} columns")
        axes.set_yticks(range(len(data)), data)
        axes.set_ylim(len(data) - 0.5, -0.5)
        words = "; ".join(
            f"{name}: error {truth:.2g} % of the norm, proved bound {bound:.0f} %"
            for name, truth, bound in zip(
                data, middle["observed"], middle["proved"], strict=True
            )
        )
        frames.append(Frame(f"{count}", f"{words}.", figure))
    return Slider("Columns", frames)


def _draw_said(axes, said):
    """The draws of each row, and their medians, which are returned."""
    middle = {}
    for voice, each in VOICES.items():
        rows = np.arange(len(said[voice]))
        colour, marker, _ = LOOKS[each.label]
        look = {"linestyle": "none", "color": style.COLOURS[colour]}
        middle[voice] = np.median(said[voice], axis=1)
        large = {"markersize": 9, "label": each.label}
        axes.plot(middle[voice], rows, marker, **large, **look)
        axes.plot(said[voice], rows, marker, markersize=3, alpha=0.35, **look)
    axes.legend(fontsize=8.5, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    return middle


def draw_afterwards(panels: Sequence, found: Found, data: Sequence[str]) -> None:
    """Draw the error of full rank and what is said of it, on each data set.

    Parameters
    ----------
    panels : sequence of matplotlib Axes
        Get logarithmic scales.
    found : Found
        Of `findings.VOICES`.
    data : sequence of str
        One for each of the panels.
    """
    columns = Series(findings.COLUMNS, COUNTS)
    for axes, name in zip(panels, data, strict=True):
        for voice, each in VOICES.items():
            values = found.measured("said", voice, name)
            colour, marker, dashes = LOOKS[each.label]
            middle = Series(findings.SAID, np.median(values, axis=0), each.label)
            plot(axes, columns, middle, (colour, marker, dashes))
            dots = {"color": style.COLOURS[colour], "alpha": 0.25, "markersize": 3}
            for row in values:
                axes.plot(COUNTS, row, marker, **dots, label="_draws")
        axes.set(xscale="log", yscale="log", title=name)
        axes.minorticks_off()
        axes.set_xticks(COUNTS, COUNTS)
    for axes in panels[1:]:
        axes.set_ylabel("")
