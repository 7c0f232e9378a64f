"""The figures of the chapter, read back from their artists."""

from nystheory.chapters.adaptive_sampling import figures, findings
from nystheory.engine.report.artists import (
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)

KEYS = {
    "uniform": ("Uniform, without replacement", "grey o -"),
    "incomplete_cholesky": ("ICL", "green s -"),
    "sgma": ("SGMA", "orange D -"),
    "adaptive_partial": ("Adapt-Part", "vermilion ^ -"),
    "kmeans": ("$K$-means", "purple P -"),
    "adaptive_full": ("Adapt-Full", "blue v -"),
}


def test_accuracies_are_drawn_against_the_entries_of_their_scheme():
    found, data = planted(findings.SIX), ("patches, linear", "digits, RBF")
    panels = figures.plot_entries(found, data).axes

    def mean(field, scheme, name):
        return found.measured(field, scheme, name).mean(axis=0)

    for axes, name in zip(panels, data, strict=True):
        wanted = {
            label: (mean("entries", scheme, name), mean("accuracy", scheme, name))
            for scheme, (label, _) in KEYS.items()
        }
        assert unlike(named(axes), wanted) == [] and looks(axes) == dict(KEYS.values())
        assert unlike(unnamed(axes), {"black :": ([1, 1], [0, 1])}) == []
        assert words(axes)[2:] == (name, "log linear")
        assert axes.get_ylim() == (25, 95)
        assert ticks(axes.xaxis) == {0.05: "0.05", 0.2: "0.2", 1: "1", 10: "10"}
    entries = "entries of $K$ asked for, over $n^2$"
    accuracy = "relative accuracy with the core truncated, %"
    assert [words(axes)[:2] for axes in panels] == [(entries, accuracy), (entries, "")]
