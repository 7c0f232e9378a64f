"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np

from nystheory import style
from nystheory.chapters.certificates_afterwards import figures, findings
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import strays
from nystheory.engine.report.artists import looks, named, ticks, unlike, unnamed, words


def planted(experiment):
    """Numbers of their own for each measure, competitor and data set."""
    names, fields = list(experiment.competitors), [x.name for x in experiment.fields]

    def measured(field, name, data):
        key = fields.index(field), names.index(name), [*experiment.data].index(data)
        rng = np.random.default_rng(key)
        return rng.uniform(1, 9, (3, len(experiment.settings)))

    return Some(experiment=experiment, measured=measured)


def wanted(found, fields, name, data):
    """By their labels the mean curves of some fields."""
    settings = found.experiment.settings
    return {
        each.label: (settings, found.measured(each.name, name, data).mean(axis=0))
        for each in fields
    }


def test_sizes_have_their_own_names():
    found, (axes,) = planted(findings.SIZES), style.panels(1)[1]
    figures.draw_sizes(axes, found, "digits")
    fields = findings.TRACE, findings.FROBENIUS, findings.SPECTRAL, findings.ENTRY
    told = wanted(found, fields, "pivots", "digits")
    assert set(told) == {"trace", "Frobenius norm", "spectral norm", "largest entry"}
    assert unlike(named(axes), told) == [] and unnamed(axes) == {}
    label = "size of the error / trace of $K$"
    assert words(axes) == ("columns $l/n$, %", label, "", "log log")
    assert [*ticks(axes.xaxis)] == [*found.experiment.settings]


def test_bounds_of_an_inverse_have_their_own_names():
    found, data = planted(findings.INVERSES), ["digits", "points in a square"]
    panels = figures.plot_inverses(found, data).axes
    fields = (
        findings.OBSERVED,
        findings.BY_NORM,
        findings.BY_TRACE,
        findings.SQUARED,
    )
    for axes, name in zip(panels, data, strict=True):
        told = wanted(found, fields, "uniform", name)
        assert unlike(named(axes), told) == [] and unnamed(axes) == {}
        assert words(axes)[0] == r"ridge $\alpha$ / $\|E\|_2$"
        assert words(axes)[2:] == (name, "log log")
    assert words(panels[0])[1] == r"error $\times\ \alpha$"
    assert looks(panels[0]) == looks(panels[1])


def test_each_computation_has_its_own_digits():
    found, (axes,) = planted(findings.ROUNDING), style.panels(1)[1]
    data = "points on a line"
    figures.draw_rounding(axes, found, data)
    of = findings.ROUNDING.competitors
    drawn = [
        Series(
            findings.RIGHT, found.measured("right", name, data).mean(axis=0), x.label
        )
        for name, x in of.items()
    ]
    assert strays(axes, findings.COLUMNS, drawn) == [] and len(axes.lines) == 4


def test_the_table_has_the_means():
    found = planted(findings.FUNCTIONS)
    table = figures.table_of_functions(found, "digits")
    told = found.measured("root", "pivots", "digits").mean(axis=0)
    row = ("trace of the square root left, %", *(f"{x:.0f}" for x in told))
    assert table.rows[1] == row and len(table.rows) == 3
    assert table.header[1:] == ("25 % kept", "50 % kept", "100 % kept")
