"""Every hypothesis of part III: of the domain, necessary, or not known to be."""

import re
from dataclasses import replace

import numpy as np
import pytest

from nystheory.engine.compare import reader
from nystheory.engine.lines import parse
from nystheory.engine.theorem import Theorem as InLines
from nystheory.theorems import theorems
from nystheory.theorems.quantities import measure
from nystheory.verify import verify
from nystheory.verify.engine import EFFORTS, examine

PART = [t for t in theorems.part("III") if not isinstance(t, InLines)]
DROPS = [
    pytest.param(theorem, control, id=f"{theorem.id}, {control.drops}")
    for theorem in PART
    for control in theorem.controls
    if control.drops
]
every_theorem = pytest.mark.parametrize("theorem", PART, ids=lambda t: t.id)


def dropped(theorem):
    return [control.drops for control in theorem.controls if control.drops]


@every_theorem
def test_every_hypothesis_is_accounted_for(theorem):
    """In exactly one of three ways."""
    for hypothesis in theorem.hypotheses:
        ways = (
            hypothesis.domain,
            hypothesis.says in dropped(theorem),
            hypothesis.says in theorem.not_known_necessary,
        )
        assert sum(ways) == 1, hypothesis.says


@every_theorem
def test_something_is_said_of_every_theorem(theorem):
    """A hypothesis that stands in the statement only is dropped, or listed."""
    assert dropped(theorem) or theorem.not_known_necessary
    assert not set(dropped(theorem)) & set(theorem.not_known_necessary)
    assert len(set(theorem.not_known_necessary)) == len(theorem.not_known_necessary)


def letters(says):
    """What is left of a formula when its spacing does not count."""
    return re.sub(r"\\[,;!]|\\bigl|\\bigr|\\tfrac|[\s${}]", "", says)


@every_theorem
def test_a_hypothesis_is_named_as_it_is_written(theorem):
    names = {letters(h.says): h.says for h in theorem.hypotheses}
    for says in (*dropped(theorem), *theorem.not_known_necessary):
        assert names.get(letters(says), says) == says


@pytest.mark.parametrize(("theorem", "control"), DROPS)
def test_the_hypothesis_fails_where_the_control_says_so(theorem, control):
    for hypothesis in theorem.hypotheses:
        if hypothesis.says == control.drops:
            values = measure(hypothesis.needs, control.instance, {})
            assert hypothesis.failure(values)


@pytest.mark.parametrize(("theorem", "control"), DROPS)
def test_without_the_hypothesis_the_claim_is_refuted(theorem, control):
    rng, work = np.random.default_rng(0), EFFORTS["quick"]
    assert examine(control.claim, None, [control.instance], rng, work).outcome == (
        "refuted"
    )


def test_most_hypotheses_of_statements_are_necessary():
    """The two lists together, so that neither shrinks unseen."""
    unknown = sum(len(theorem.not_known_necessary) for theorem in PART)
    assert len(DROPS) >= 80
    assert unknown <= 30


# --- Theorems in lines --------------------------------------------------------------

IN_LINES = [t for t in theorems.values() if isinstance(t, InLines)]
in_lines = pytest.mark.parametrize("theorem", IN_LINES, ids=lambda t: t.id)


@in_lines
def test_every_line_is_accounted_for(theorem):
    """A hypothesis is of the domain, necessary by a control, or not known to be."""
    dropped = {control.drops for control in theorem.controls.values() if control.drops}
    for name, hypothesis in theorem.hypotheses.items():
        ways = hypothesis.domain, name in dropped, hypothesis.necessary == "not known"
        assert sum(ways) == 1, name


@in_lines
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
    assert said.replace(line, "") == known and line in said
