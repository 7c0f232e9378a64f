"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import kernels, style
from nystheory.chapters.pivots_and_volumes import figures, findings
from nystheory.chapters.pivots_and_volumes.expected_errors import Expected
from nystheory.engine.report.artists import (
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)
from nystheory.engine.trial.statistics import mean_interval

COUNTS = [1, 5, 20]
CURVES = {
    "best rank $k$": "black -",
    "RPCholesky, limit": "vermilion --",
    "$k$-DPP, exact": "blue -",
    "DPP, exact": "sky :",
}
RUNS = {"uniform": "black", "RPCholesky": "vermilion", "$k$-DPP": "blue"}
SCHEMES = {
    "uniform": ("Uniform, without replacement", "grey o -"),
    "sgma": ("SGMA", "orange D -"),
    "kmeans": ("$K$-means", "purple P -"),
    "recursive_rls": ("recursive RLS", "grey p --"),
    "farthest_point": ("farthest point", "sky X -"),
    "k_dpp": ("$k$-DPP", "blue > -"),
    "rp_cholesky": ("RPCholesky", "vermilion * -"),
}


def test_what_was_computed_is_a_line_and_what_was_measured_has_bars():
    rng = np.random.default_rng(0)
    computed = {name: rng.uniform(0.1, 1, 3) for name in CURVES}
    runs = {name: [mean_interval(rng.uniform(0.1, 1, 9)) for _ in COUNTS]
            for name in RUNS}  # fmt: skip
    _, (axes,) = style.panels(1)
    figures.draw_expected(axes, Expected(np.array(COUNTS), computed, runs))
    wanted = {name: (COUNTS, curve) for name, curve in computed.items()}
    for name, some in runs.items():
        rows = [(i.estimate, i.low, i.high) for i in some]
        wanted[f"{name}, runs"] = (COUNTS, *np.transpose(rows))
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    bars = {f"{name}, runs": f"{colour} with bars" for name, colour in RUNS.items()}
    assert looks(axes) == CURVES | bars
    told = "landmarks $l$", "trace error, share of the trace", "", "log log"
    assert words(axes) == told
    assert ticks(axes.xaxis) == {1: "1", 5: "5", 20: "20"}


def test_accuracies_are_drawn_against_the_entries_of_their_scheme():
    found = planted(findings.SCHEMES)
    for data in ("RBF digits", "linear patches"):
        _, (axes,) = style.panels(1)
        figures.draw_entries(axes, found, data)
        wanted = {
            label: [
                found.measured(field, scheme, data).mean(axis=0)
                for field in ("entries", "accuracy")
            ]
            for scheme, (label, _) in SCHEMES.items()
        }
        assert unlike(named(axes), wanted) == []
        assert looks(axes) == dict(SCHEMES.values())
        assert unlike(unnamed(axes), {"black :": ([1, 1], [0, 1])}) == []
        entries = "entries asked for, over $n^2$"
        assert words(axes) == (entries, "relative accuracy, %", data, "log linear")
        assert ticks(axes.xaxis) == {0.05: "0.05", 0.2: "0.2", 1: "1", 10: "10"}


def test_frames_have_the_first_landmarks_of_each_scheme():
    X = np.array([[0.0, 0], [0, 0], [9, 9], [9, 9]])
    drawn = {"One": np.array([[0, 2], [2, 3]]), "Other": np.array([[3, 2], [1, 2]])}
    slider = figures.plot_landmarks(
        kernels.rbf(X), np.array([4, 4, 6, 6]), drawn, [1, 2]
    )
    missed = {"One": (50, 25), "Other": (50, 25)}
    touched = {"One": (1, 2), "Other": (1, 1)}
    for place, frame in enumerate(slider.frames):
        assert frame.name == f"{place + 1}"
        told = []
        for axes, (name, draws) in zip(frame.figure.axes, drawn.items(), strict=True):
            points, landmarks = (np.array(x.get_offsets()) for x in axes.collections)
            assert np.array_equal(points, X)
            assert np.array_equal(landmarks, X[draws[0][: place + 1]])
            share, clusters = missed[name][place], touched[name][place]
            assert words(axes)[2] == f"{name}: {share} %"
            told.append(
                f"{name}: {share} % of the trace missed, landmarks in {clusters} of 2 "
                "clusters."
            )
        assert frame.words == " ".join(told)
