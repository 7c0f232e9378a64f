"""Every hypothesis of part III: of the domain, necessary, or not known to be."""

import re
from dataclasses import replace

import numpy as np
import pytest

from nystheory import style
from nystheory.engine.compare import reader
from nystheory.engine.lines import parse
from nystheory.engine.theorem import Theorem as InLines
from nystheory.theorems import Claim, Control, Hypothesis, Instance, theorems
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


# --- The fields, on a theorem of one line -----------------------------------------


def example():
    """The trace of an identity is its size, without and with a hypothesis."""
    theorem = theorems["talwalkar2010:eq-2.24"]
    false = Claim(
        "the trace is $n$", lambda i, _: np.trace(i.K), expected=lambda i, _: 0
    )
    return theorem.but(controls=(Control(false, Instance(np.eye(2), [0], 1)),))


def necessary(theorem):
    control = replace(theorem.controls[0], drops="$K = 0$")
    return theorem.but(controls=(control,), not_known_necessary=("$n > 1$", "$l > 1$"))


def test_nothing_is_dropped_unless_it_is_said():
    hypothesis = Hypothesis("$n > 0$", ("n",), lambda n: n > 0)
    theorem = example()
    assert hypothesis.domain is False
    assert theorem.controls[0].drops == ""
    assert theorem.not_known_necessary == ()


def test_the_card_says_what_a_control_leaves_out():
    plain, said = example(), necessary(example())
    card = said._repr_html_()
    assert "without \\(K = 0\\): the trace is \\(n\\)" in card
    known = "Not known to be necessary</span><br>\\(n &gt; 1\\); \\(l &gt; 1\\)"
    assert known in card
    start = card.index("<p><span class='nys-muted'>Why the hypotheses are there")
    end = card.index("</p>", card.index("Not known")) + len("</p>")
    assert card[:start] + card[end:] == plain._repr_html_()
    assert style.necessity(plain) == []


def test_the_verdict_says_it_too():
    verdict = verify(example(), np.random.default_rng(0), effort="quick")
    plain = verdict._repr_html_()
    said = replace(verdict, theorem=necessary(example()))._repr_html_()
    assert "control: the trace" in plain
    assert "control: without \\(K = 0\\): the trace is \\(n\\)" in said
    line = "<p>Not known to be necessary: \\(n &gt; 1\\); \\(l &gt; 1\\)</p>"
    assert said.replace("without \\(K = 0\\): ", "").replace(line, "") == plain


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
