"""Figures of the chapter on coherence: recovery, coherences, failure, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.coherence import recovery as experiments
from nystheory.chapters.coherence.chosen import Promises, Synthetic

LOOKS = (
    *(("blue", "o", "-"), ("green", "^", "-."), ("sky", "v", "--")),
    *(("orange", "s", "--"), ("purple", "D", "-."), ("vermilion", "P", "-")),
)


def draw_chances(axes, found: Mapping[str, tuple], counts: Sequence[int]) -> None:
    """Draw probabilities of recovery, and what a theorem promises, dotted.

    Parameters
    ----------
    axes : matplotlib Axes
    found : mapping of str to (ndarray (counts,), ndarray (counts,) or None)
        Probability and promise, by name.
    counts : sequence of int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_chances(axes, {"all": (np.array([0, 1.0]), None)}, [1, 2])
    """
    for (name, (chance, promise)), look in zip(found.items(), LOOKS, strict=False):
        colour, _, dashes = look
        colour = style.COLOURS[colour]
        axes.plot(counts, chance, dashes, color=colour, label=name)
        if promise is not None:
            axes.plot(counts, promise, ":", color=colour, linewidth=1.3)
    axes.set(xlabel="columns $l$", ylabel="chance that $\\tilde K = K$")


def draw_recovery(axes, counts: Sequence[int], errors: Mapping[str, np.ndarray]):
    """Draw mean percent errors over the draws against l.

    Parameters
    ----------
    axes : matplotlib Axes
    counts : sequence of int
    errors : mapping of str to ndarray (counts, draws)

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_recovery(axes, [1, 2], {"a": np.array([[1.0], [0.0]])})
    """
    for (name, each), look in zip(errors.items(), LOOKS, strict=False):
        colour, marker, dashes = look
        colour = style.COLOURS[colour]
        axes.plot(
            counts, each.mean(axis=1), dashes, marker=marker, color=colour, label=name
        )
    axes.set(xlabel="columns $l$")


def draw_coherences(axes, low: Mapping[str, experiments.LowRankMatrix]) -> None:
    """Draw mu^2 and M of each matrix as shares of n, their largest value.

    Examples
    --------
    >>> K = experiments.LowRankMatrix(np.ones(1), np.ones((4, 1)) / 2)
    >>> figure, (axes,) = style.panels(1)
    >>> draw_coherences(axes, {"flat": K})
    """
    names = list(low)[::-1]
    for at, name in enumerate(names):
        K = low[name]
        ends = [K.mu**2 / K.n, K.M / K.n]
        axes.plot(ends, [at, at], "-", color=style.COLOURS["grey"], linewidth=1)
        axes.plot(ends[1:], [at], "s", color=style.COLOURS["vermilion"], markersize=7)
        axes.plot(ends[:1], [at], "o", color=style.COLOURS["blue"], markersize=4)
    handles = [
        axes.plot([], [], "o", color=style.COLOURS["blue"])[0],
        axes.plot([], [], "s", color=style.COLOURS["vermilion"])[0],
    ]
    axes.legend(
        handles, ["$\\mu^2/n$", "$M/n$"], ncols=2, fontsize=9, loc="lower right",
        bbox_to_anchor=(1, 1), borderaxespad=0.1,
    )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set(xlim=(0, 1.02), xlabel="share of the largest value")


def draw_growth(axes, sizes: Sequence[int], found: Mapping[str, np.ndarray]) -> None:
    """Draw the coherence mu of submatrices against their size.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_growth(axes, [1, 4], {"a": np.array([[1.0, 2.0], [1.0, 4.0]])})
    """
    for (name, (mu, _)), look in zip(found.items(), LOOKS[::5], strict=False):
        colour, marker, dashes = look
        colour = style.COLOURS[colour]
        axes.plot(sizes, mu, dashes, marker=marker, color=colour, label=name)
    axes.plot(sizes, np.sqrt(sizes), ":", color="black", label="$\\sqrt{n}$")
    axes.set(xlabel="points $n$", ylabel="coherence $\\mu$")
    axes.set_ylim(0)
    axes.legend(fontsize=8.5)


def draw_failure(axes, columns, exact, bound, wanted: float) -> None:
    """Draw a probability of failure, its bound, and the columns that are asked for.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_failure(axes, [1, 2], [0.5, 0.1], [1, 0.2], 2)
    """
    axes.semilogy(columns, exact, "-", color=style.COLOURS["blue"], label="exact")
    axes.semilogy(columns, bound, "--", color=style.COLOURS["vermilion"], label="bound")
    axes.axvline(wanted, color=style.COLOURS["grey"], linestyle=":")
    axes.set(xlabel="columns $l$", ylim=(1e-6, 1.5))


def draw_synthetic(axes, found: Synthetic, share: float, labels: Mapping) -> None:
    """Draw mean percent errors against l, one line for each target.

    Examples
    --------
    >>> flat = np.ones(2)
    >>> made = Synthetic((1, 2), {}, {}, {(0.9, None): flat}, {0.9: 0.5})
    >>> figure, (axes,) = style.panels(1)
    >>> draw_synthetic(axes, made, 0.9, {None: "random"})
    """
    looks = (*LOOKS[:2], *LOOKS[3:])
    for (target, label), look in zip(labels.items(), looks, strict=False):
        colour, marker, dashes = look
        errors, colour = found.errors[share, target], style.COLOURS[colour]
        axes.plot(
            found.counts, errors, dashes, marker=marker, color=colour, label=label
        )
    axes.axhline(found.best[share], color="black", linestyle=":", linewidth=1)
    axes.set(xlabel="columns $l$")
    axes.set_ylim(0)


def plot_synthetic(
    found: Synthetic, shares: Sequence[float], targets: Sequence
) -> style.BookFigure:
    """A figure of errors against l: a panel for each share, a line for each target.

    Parameters
    ----------
    found : Synthetic
    shares : sequence of float
        Shares of the spectrum that the leading eigenvalues hold.
    targets : sequence
        What was asked of the eigenvectors.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> flat = np.ones(2)
    >>> one = {None: 1.0}
    >>> made = Synthetic((1, 2), one, one, {(0.9, None): flat}, {0.9: 0.5})
    >>> len(plot_synthetic(made, [0.9], [None]).axes)
    1
    """
    figure, panels = style.panels(len(shares), height=3.2)
    labels = {t: f"$\\mu = {found.mu[t]:.0f}$, $M = {found.M[t]:.0f}$" for t in targets}
    for axes, share in zip(panels, shares, strict=True):
        draw_synthetic(axes, found, share, labels)
        axes.set(title=f"{share:.0%} of the spectrum")
    panels[0].set(ylabel="percent error")
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, ncols=4, loc="outside upper center", fontsize=9)
    return figure


def draw_promises(axes, made: Promises) -> None:
    """Draw trace errors of samples as multiples of the tail, and three bounds.

    Examples
    --------
    >>> K = np.diag([4.0, 3, 2, 1]) + 1
    >>> figure, (axes,) = style.panels(1)
    >>> from nystheory.chapters.coherence.chosen import promises
    >>> draw_promises(axes, promises(K, 1, [2, 3], 2))
    """
    curves = (
        (made.found.mean(axis=1), "error, uniform", LOOKS[0]),
        (made.by_leverage.mean(axis=1), "error, leverage", LOOKS[1]),
        (made.structural.mean(axis=1), "structural bound", LOOKS[3]),
        (made.uniform, "uniform + coherence", LOOKS[5]),
        (made.leverage, "leverage", LOOKS[4]),
    )
    for values, label, (colour, marker, dashes) in curves:
        axes.loglog(
            made.counts, values, dashes, marker=marker, color=style.COLOURS[colour],
            label=label,
        )  # fmt: skip
    axes.axhline(1, color="black", linestyle=":", linewidth=1)
    axes.minorticks_off()
    axes.set_xticks(made.counts, made.counts)
    axes.set(xlabel="columns $l$", ylabel="trace error / tail")
