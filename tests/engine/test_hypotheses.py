"""Every hypothesis: of the domain, necessary by a control, or not known to be."""

import re
from dataclasses import replace

import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.verification import verify

every_theorem = pytest.mark.parametrize(
    "theorem", theorems.values(), ids=lambda t: t.id
)


# No control tells when one of these is dropped: it would be claimed, and not proved.
NOT_KNOWN = {
    "talwalkar2010:eq-5.3": ["rank"],
    "talwalkar2010:sqrt2-lemma": ["rank"],
    "talwalkar2010:eq-5.8": ["rank"],
    "talwalkar2010:thm-5.2-spectral": ["rank"],
    "talwalkar2010:thm-5.2-frobenius": ["rank"],
    "talwalkar2010:cor-5.6": ["rank"],
    "talwalkar2010:thm-5.3": ["rank"],
    "talwalkar2010:footnote-coherence": ["orthonormal"],
    "talwalkar2010:thm-5.5": ["semidefinite", "different", "columns"],
    "talwalkar2010:thm-5.4": ["different"],
    "talwalkar2010:sec-5.2.3": ["not all"],
    "modern:structural": ["rank"],
    "modern:uniform-coherence": ["different"],
    "modern:leave-one-out-sketch": ["semidefinite"],
    "modern:nystrom-plus-plus": ["semidefinite"],
    "modern:modified-nystrom": ["symmetric"],
    "modern:fixed-rank": ["rank"],
    "modern:operator-monotone": ["rank"],
    "modern:preconditioner": ["not zero"],
    "talwalkar2010:thm-5.9": ["rank"],
}


def not_known(theorem):
    """The hypotheses without which no violation is known, by name."""
    return [n for n, each in theorem.hypotheses.items() if each.necessary]


@every_theorem
def test_what_is_not_known_to_be_necessary_stays(theorem):
    """Who drops one proves the theorem without it, and drops it here too."""
    assert not_known(theorem) == NOT_KNOWN.get(theorem.id, [])


def test_a_dropped_hypothesis_is_seen():
    theorem = theorems["modern:uniform-coherence"]
    kept = {n: h for n, h in theorem.hypotheses.items() if n != "different"}
    assert not_known(theorem.but(hypotheses=kept)) != NOT_KNOWN[theorem.id]
    assert set(NOT_KNOWN) <= set(theorems)


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
    known = verify(theorem, np.random.default_rng(0))._repr_html_()
    assert "without rank of " in known and "Not known" not in known
    hypotheses = {"rank": replace(theorem.hypotheses["rank"], necessary="not known")}
    open = theorem.but(hypotheses=hypotheses)
    said = verify(open, np.random.default_rng(0))._repr_html_()
    line = "<p>Not known to be necessary: \\(1 \\le k \\le l\\)</p>"
    assert line in said
    rest = [re.sub("<caption>.*?</caption>", "", x) for x in (said, known)]
    assert rest[0].replace(line, "") == rest[1]
