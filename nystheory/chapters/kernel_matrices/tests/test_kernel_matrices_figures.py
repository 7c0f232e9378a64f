"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import kernels
from nystheory.chapters.kernel_matrices import experiments, figures
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


def test_a_matrix_is_shown_in_both_orders():
    X = np.arange(6.0)[:, None]
    K, y = kernels.rbf(X, gamma=0.1), np.array([1, 0, 1, 0, 0, 1])
    order = experiments.by_class(y, 3)
    one, two, bar = figures.plot_two_orders(K, order, y).axes
    dense = np.exp(-0.1 * (X - X.T) ** 2)
    for axes, some in ((one, np.arange(6)), (two, [1, 3, 4, 0, 2, 5])):
        (picture,) = axes.images
        shown = np.asarray(picture.get_array())
        assert shown == pytest.approx(dense[np.ix_(some, some)])
        assert picture.get_clim() == (0, 1)
    texts = ("column $j$", "row $i$", "in the order of the file", "linear linear")
    assert words(one) == texts
    assert words(two)[:3] == ("digit", "digit", "sorted by digit")
    for axis in (two.xaxis, two.yaxis):
        assert ticks(axis) == {1.5: "0", 4.5: "1"}
    assert words(bar)[1] == "similarity $K_{ij}$"


def test_the_best_ranks_are_beside_the_matrix():
    K = np.diag([0.9, 0.6, 0.2])
    *panels, bar = figures.plot_best_ranks(K, [1, 2]).axes
    for k, axes in zip((3, 1, 2), panels, strict=True):
        kept = np.diag([0.9, 0.6, 0.2][:k] + [0.0] * (3 - k))
        shown = np.asarray(axes.images[0].get_array())
        assert shown == pytest.approx(kept, abs=1e-12)
    size = np.sqrt(0.81 + 0.36 + 0.04)
    errors = [np.sqrt(0.4) / size, 0.2 / size]
    told = [f"rank {k}: error {100 * x:.0f} %" for k, x in enumerate(errors, 1)]
    assert [words(axes)[2] for axes in panels] == ["$K$", *told]
    assert words(bar)[1] == "entry"


def costs():
    """Two sizes of each task, with seconds and bytes of their own."""
    return {
        task.name: [
            experiments.Cost(n, 0, 8 * task.words(n), i * n / 1000) for n in (200, 400)
        ]
        for i, task in enumerate(experiments.TASKS, 1)
    }


def test_measured_costs_are_those_of_their_tasks():
    figure = figures.plot_costs(costs())
    memory, time = figure.axes
    legend = figure.legends[0]
    wanted = {
        task.name: ([200, 400], [0.2 * i, 0.4 * i])
        for i, task in enumerate(experiments.TASKS, 1)
    }
    shown = named(time, legend)
    proxies = {"measured", "extrapolated"}
    assert unlike({k: v for k, v in shown.items() if k not in proxies}, wanted) == []
    keys = looks(time, legend)
    for task in experiments.TASKS:
        told = by_look(memory).get(keys[task.name])
        assert (told is None) == (task.exponent == 3)
        if told is not None:
            n = np.array([200, 400])
            assert told.tolist() == [[*n], [8 * task.words(m) for m in (200, 400)]]
    assert keys["measured"] == "grey o -" and keys["extrapolated"] == "grey --"


def test_costs_go_on_to_a_million():
    memory, time = figures.plot_costs(costs()).axes
    for i, task in enumerate(experiments.TASKS, 1):
        colour = ("blue", "vermilion", "green")[i - 1]
        seconds = 0.4 * i * (10**6 / 400) ** task.exponent
        x, y = by_look(time)[f"{colour} --"]
        assert x.tolist() == [400, 10**6] and y == pytest.approx([0.4 * i, seconds])
        if task.exponent < 3:
            x, y = by_look(memory)[f"{colour} --"]
            assert y.tolist() == [8 * task.words(400), 8 * task.words(10**6)]
    assert by_look(memory)["black -"][1].tolist() == [16e9, 16e9]
    assert memory.texts[0].get_text() == "a laptop: 16 GB"
    x = "number of points $n$"
    assert words(memory) == (x, "memory to keep it", "", "log log")
    assert words(time) == (x, "time", "", "log log")
    assert ticks(memory.yaxis) == {1e6: "1 MB", 1e9: "1 GB", 1e12: "1 TB"}
    year = 365.25 * 86400
    units = {1e-3: "1 ms", 1: "1 s", 60: "1 min", 3600: "1 h", 86400: "1 day"}
    assert ticks(time.yaxis) == units | {year: "1 year"}


def test_spectra_have_the_look_of_their_points_and_kernel():
    spectra = {
        "digits, linear": np.array([4.0, 3.0, 2.0, 1.0]),
        "digits, RBF": np.array([8.0, 1.0, 1.0, 0.0]),
        "patches, RBF": np.array([5.0, 4.0, 1.0, 0.0]),
    }
    figure = figures.plot_spectra(spectra, share=0.8)
    left, right = figure.axes
    falls = {
        k: (np.arange(1, 1 + (v > 0).sum()), v[v > 0] / v[0])
        for k, v in spectra.items()
    }
    assert unlike(named(left), falls) == []
    held = {k: ([1, 2, 3, 4], np.cumsum(v) / v.sum()) for k, v in spectra.items()}
    assert unlike(named(right), held) == []
    assert [*looks(right).values()] == ["blue -", "blue --", "orange --"]
    dots = {"blue o": ([3, 1], [0.9, 0.8]), "orange o": ([2], [0.9])}
    line = {"black -": ([0, 1], [0.8, 0.8])}
    assert unlike(unnamed(right), dots | line) == []
    assert words(left) == ("index $j$", r"$\sigma_j / \sigma_1$", "", "log log")
    x, y = "number of eigenvalues $k$", "share of the trace that the first $k$ hold"
    assert words(right) == (x, y, "", "log linear")


def test_points_of_a_spectrum_have_their_own_colour():
    names = "digits", "patches", "documents", "breast cancer", "diabetes"
    values = np.array([2.0, 1.0])
    figure = figures.plot_spectra({f"{name}, linear": values for name in names})
    colours = [look.split()[0] for look in looks(figure.axes[0]).values()]
    assert colours == ["blue", "orange", "green", "purple", "sky"]


def test_errors_are_those_of_their_norm():
    K = np.diag([4.0, 3.0, 2.0, 1.0])
    (axes,) = figures.plot_errors(K, [1, 2]).axes
    root = np.sqrt(30)
    tails = {
        "trace": np.array([6, 3, 1]) / 10,
        "Frobenius": np.array([np.sqrt(14), np.sqrt(5), 1]) / root,
        "spectral": np.array([3, 2, 1]) / 4,
    }
    assert unlike(named(axes), {k: ([1, 2, 3], y) for k, y in tails.items()}) == []
    marks = {"green D": "trace", "blue s": "Frobenius", "vermilion o": "spectral"}
    wanted = {look: ([1, 2], tails[k][:2]) for look, k in marks.items()}
    assert unlike(unnamed(axes), wanted) == []
    colours = {k: look.split()[0] for k, look in looks(axes).items()}
    assert all(look.split()[0] == colours[k] for look, k in marks.items())
    assert axes.get_legend().get_title().get_text() == "norm"
    y = r"$\|K - K_k\|\; /\; \|K\|$"
    assert words(axes) == ("rank $k$", y, "", "log log")
