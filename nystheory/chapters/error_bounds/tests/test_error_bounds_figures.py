"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.error_bounds import error_sweeps, figures, findings
from nystheory.chapters.error_bounds import promised as experiments
from nystheory.engine.report.artists import (
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)

COUNTS = (5, 10)
LOOKS = {
    "printed": "vermilion ^ --",
    "proved": "blue s -",
    "trace certificate": "green D -.",
    "observed": "orange o -",
    "best of that rank": "grey :",
}


def test_what_is_never_enough_stands_beyond_all_columns():
    counts = {
        "digits, RBF": {"observed": 7, "proved": 60, "printed": None},
        "patches, linear": {"observed": 3, "proved": 40, "printed": 90},
    }
    _, (axes,) = style.panels(1)
    figures.draw_asked(axes, experiments.Asked(100, counts))
    rows = np.arange(3)
    wanted = {
        "digits, RBF": ([112, 60, 7], rows + 0.18),
        "patches, linear": ([90, 40, 3], rows - 0.18),
    }
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black -": ([100, 100], [0, 1])}) == []
    assert looks(axes) == {"digits, RBF": "orange s", "patches, linear": "green ^"}
    assert ticks(axes.yaxis) == {0: "printed", 1: "proved", 2: "observed"}
    places = ticks(axes.xaxis)
    assert places.pop(max(places)) == "never"
    assert places == {float(x): str(x) for x in range(0, 101, 20)}
    assert words(axes) == ("columns $l$", "", "", "linear linear")


def swept(factor):
    """Errors of three draws, promises, and the norms that they are shares of."""
    rows = np.array([[1.0, 4.0, 2.0], [0.5, 3.0, 1.0]]) * factor
    promised = {
        (voice, norm): factor * (at + 10 * (norm == "F")) * np.array([2.0, 1.0])
        for at, voice in enumerate(("printed", "proved", "best of that rank"), 3)
        for norm in "2F"
    }
    observed = {"2": rows / 100, "F": rows / 10}
    sizes = {"2": 2.0 * factor, "F": 5.0 * factor}
    return error_sweeps.Sweep(COUNTS, observed, 7 * rows, rows**2, promised, sizes)


def test_each_panel_has_its_matrix_and_its_norm(monkeypatch):
    monkeypatch.setattr(experiments, "sizes", lambda known: known)
    sweeps = {"flat": swept(1.0), "steep": swept(3.0)}
    panels = figures.draw_sweeps(sweeps).axes
    cases = [(name, norm) for norm in "2F" for name in sweeps]
    for axes, (name, norm) in zip(panels, cases, strict=True):
        some = sweeps[name]
        largest = some.certificate[:, 1] / {"2": 2, "F": 5}[norm]
        factor = {"flat": 1, "steep": 3}[name]
        wanted = {
            "trace certificate": (COUNTS, largest / factor),
            "observed": (COUNTS, some.observed[norm][:, 1]),
        }
        for voice in ("printed", "proved", "best of that rank"):
            wanted[voice] = COUNTS, some.promised[voice, norm]
        assert unlike(named(axes), wanted) == []
        top = max(y[0] for _, y in wanted.values())
        grey = {"#dddddd area": ([0.5], [2 * top]), "black -": ([0, 1], [1, 1])}
        assert unlike(unnamed(axes), grey) == []
        assert [area.get_y() for area in axes.patches] == [1]
        assert looks(axes) == LOOKS
        assert words(axes)[3] == "log log" and [*ticks(axes.xaxis)] == [*COUNTS]
    assert [words(axes)[:3] for axes in panels] == [
        ("", "spectral error / norm of $K$", "flat"),
        ("", "", "steep"),
        ("columns $l$", "Frobenius error / norm of $K$", ""),
        ("columns $l$", "", ""),
    ]


def worst(count):
    """A case of its own, large where few are drawn."""
    values = {"printed": 30.0, "proved": 8.0, "unavoidable": 3.0, "other": 99.0}
    return {name: value / count for name, value in values.items()}


def test_rates_have_their_powers_beside_them():
    counts = (1, 2, 4)
    _, (axes,) = style.panels(1)
    figures.draw_rates(axes, counts, [worst(x) for x in counts])
    values = {"printed": 30, "proved": 8, "unavoidable": 3}
    wanted = {k: (counts, [x, x / 2, x / 4]) for k, x in values.items()}
    assert unlike(named(axes), wanted) == []
    grey = {"#dddddd area": ([0.5], [60]), "black -": ([0, 1], [1, 1])}
    assert unlike(unnamed(axes), grey) == []
    assert looks(axes)["printed"] == LOOKS["printed"]
    told = {text.get_text(): text.xy for text in axes.texts}
    assert told == {"$l^{-1/4}$": (2, 15), "$l^{-1/2}$": (2, 4)}
    labels = "columns $l$", r"excess / $n K_{\max}$"
    assert words(axes) == (*labels, "", "log log")


def test_rarer_failures_stand_to_the_right():
    deltas = (0.1, 0.01)
    _, (axes,) = style.panels(1)
    figures.draw_deltas(axes, deltas, [worst(2), worst(1)])
    wanted = {"proved": (deltas, [4, 8]), "unavoidable": (deltas, [1.5, 3])}
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert looks(axes) == {"proved": "blue s -", "unavoidable": "orange o :"}
    label = r"probability of failure $\delta$"
    assert words(axes) == (label, "", "", "log linear")
    left, right = axes.get_xlim()
    assert left > right and axes.get_ylim()[0] == 0


def test_matrices_are_on_one_scale():
    matrices = {"one": np.array([[1.0, 0.2], [0.3, 0.8]]), "two": np.full((3, 3), 0.4)}
    figure = figures.draw_crossed(matrices)
    *panels, bar = figure.axes
    for axes, (name, M) in zip(panels, matrices.items(), strict=True):
        (image,) = axes.images
        assert np.array_equal(image.get_array(), M) and image.origin == "upper"
        assert image.get_clim() == (0, 1) and image.get_cmap().name == style.COLOUR_MAP
        ends = {0: "1", len(M) - 1: str(len(M))}
        assert ticks(axes.xaxis) == ticks(axes.yaxis) == ends
        assert words(axes)[:3] == ("", "", name)
    assert [*ticks(bar.yaxis)] == [0, 0.5, 1] and bar.get_ylim() == (0, 1)


def test_draws_are_around_their_median():
    found, data = planted(findings.VOICES, draws=5), ("digits", "documents")
    _, panels = style.panels(2)
    figures.draw_afterwards(panels, found, data)
    kept = {
        "proved": ("proved", "blue s"),
        "certificate": ("trace certificate", "green D"),
        "observed": ("observed", "orange o"),
        "left": ("leave one out", "purple x"),
    }
    counts = findings.VOICES.settings
    for axes, name in zip(panels, data, strict=True):
        medians, dots = {}, {}
        for voice, (label, look) in kept.items():
            values = found.measured("said", voice, name)
            medians[label] = counts, np.sort(values, axis=0)[2]
            dots[look] = counts * 5, values.ravel()
        assert unlike(named(axes), medians) == []
        assert unlike(unnamed(axes), dots) == []
        assert words(axes)[2:] == (name, "log log")
        assert [*ticks(axes.xaxis)] == [*counts]
    dashes = ["blue s -", "green D -.", "orange o -", "purple x :"]
    assert [*looks(panels[0]).values()] == dashes
    label = "error or what is said of it, Frobenius norm, % of the norm"
    assert words(panels[0])[:2] == ("columns $l$", label)
    assert words(panels[1])[:2] == ("columns $l$", "")


def test_frames_have_medians_and_draws_of_their_number_of_columns():
    found, data = planted(findings.VOICES), ["digits", "patches"]
    counts = findings.VOICES.settings
    slider = figures.plot_bound_and_truth(found, data)
    assert [frame.name for frame in slider.frames] == [f"{x}" for x in counts]
    labels = {"proved": "blue s", "trace certificate": "green D"}
    labels |= {"observed": "orange o", "leave one out": "purple x"}
    voices = ("proved", "certificate", "observed", "left")
    names = dict(zip(labels, voices, strict=True))
    for place, frame in enumerate(slider.frames):
        (axes,) = frame.figure.axes
        lines = {line.get_label(): line for line in axes.lines}
        middle = {}
        for label, voice in names.items():
            draws = [found.measured("said", voice, x)[:, place] for x in data]
            middle[voice] = np.median(draws, axis=1)
            assert np.array_equal(lines[label].get_xdata(), middle[voice])
            at = axes.lines.index(lines[label])
            each = axes.lines[at + 1 : at + 1 + len(draws[0])]
            assert np.array_equal(np.transpose([x.get_xdata() for x in each]), draws)
        assert looks(axes) == labels
        assert ticks(axes.yaxis) == dict(enumerate(data))
        label = "error or what is said of it, Frobenius norm, % of the norm"
        assert words(axes) == (label, f"{counts[place]} columns", "", "log linear")
        truth, bound = middle["observed"], middle["proved"]
        assert frame.words == (
            f"digits: error {truth[0]:.2g} % of the norm, "
            f"proved bound {bound[0]:.0f} %; "
            f"patches: error {truth[1]:.2g} % of the norm, "
            f"proved bound {bound[1]:.0f} %."
        )
