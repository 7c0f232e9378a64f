"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.certificates_afterwards import experiments, figures, rounding
from nystheory.engine.report.artists import named, ticks, unlike, unnamed, words

COUNTS = (5, 10)


def halves(first):
    """A falling pair of its own."""
    return np.array([first, first / 2])


def test_norms_and_certificates_have_their_own_names():
    shown = experiments.Chain(COUNTS, *map(halves, (0.1, 0.2, 0.3, 0.4, 0.11, 0.41)))
    _, (axes,) = style.panels(1)
    figures.draw_chain(axes, shown)
    values = {
        "trace": [0.4, 0.2],
        "Frobenius norm": [0.3, 0.15],
        "spectral norm": [0.2, 0.1],
        "largest entry": [0.1, 0.05],
    }
    wanted = {name: (COUNTS, each) for name, each in values.items()}
    rings = [0.41, 0.205, 0.11, 0.055]
    wanted["certified"] = (COUNTS * 2, rings)
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    label = "size of the error / trace of $K$"
    assert words(axes) == ("columns $l$", label, "", "log log")
    assert [*ticks(axes.xaxis)] == [5, 10]


def test_bounds_of_an_inverse_have_their_own_names():
    ratios = np.array([0.1, 10])
    each = [halves(x) for x in (0.1, 0.2, 0.3, 0.4)]
    _, (axes,) = style.panels(1)
    figures.draw_inverses(axes, experiments.Inverses(ratios, *each))
    names = ("observed", "from the norm", "from the trace", r"$\|E\|_2 / \alpha^2$")
    wanted = {name: (ratios, y) for name, y in zip(names, each, strict=True)}
    assert unlike(named(axes), wanted) == []
    labels = r"ridge $\alpha$ / $\|E\|_2$", r"error $\times\ \alpha$"
    assert words(axes) == (*labels, "", "log log")


def test_each_computation_has_its_own_errors():
    names = (rounding.FORMED, rounding.SOLVED, rounding.SHIFTED, rounding.PACKAGE)
    errors = {x: halves(10.0**-i) for i, x in enumerate(names, 1)}
    _, (axes,) = style.panels(1)
    figures.draw_rounding(axes, COUNTS, errors)
    assert unlike(named(axes), {x: (COUNTS, y) for x, y in errors.items()}) == []
    label = "spectral error / norm of K"
    assert words(axes) == ("columns $l$", label, "", "linear log")


def test_every_computation_that_is_measured_is_drawn():
    found = rounding.rounding(rounding.line(40), [4, 8], draws=1)
    assert set(found) == set(figures.WAYS)
