"""Every hypothesis: of the domain, necessary by a control, or not known to be."""

import re
from dataclasses import replace

import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.engine.compare import reader
from nystheory.engine.lines import parse
from nystheory.engine.verification import verify

every_theorem = pytest.mark.parametrize(
    "theorem", theorems.values(), ids=lambda t: t.id
)


@every_theorem
def test_every_line_is_accounted_for(theorem):
    """A hypothesis is of the domain, necessary by a control, or not known to be."""
    dropped = {control.drops for control in theorem.controls.values() if control.drops}
    for name, hypothesis in theorem.hypotheses.items():
        ways = hypothesis.domain, name in dropped, hypothesis.necessary == "not known"
        assert sum(ways) == 1, name


@every_theorem
def test_a_dropped_line_fails_where_the_control_says_so(theorem):
    for control in theorem.controls.values():
        if control.drops in theorem.hypotheses:
            line = theorem.hypotheses[control.drops].line
            assert reader(theorem, control.on).value(parse(line)) is not True


def test_the_verdict_says_what_is_left_out_and_what_is_not_known():
    theorem = theorems["talwalkar2010:eq-2.24"]
    known = verify(theorem, np.random.default_rng(0), effort="quick")._repr_html_()
    assert "without rank of \\(B\\)" in known and "Not known" not in known
    hypotheses = {"rank": replace(theorem.hypotheses["rank"], necessary="not known")}
    open = theorem.but(hypotheses=hypotheses)
    said = verify(open, np.random.default_rng(0), effort="quick")._repr_html_()
    line = "<p>Not known to be necessary: \\(1 \\le k \\le l\\)</p>"
    assert line in said
    rest = [re.sub("<caption>.*?</caption>", "", x) for x in (said, known)]
    assert rest[0].replace(line, "") == rest[1]
