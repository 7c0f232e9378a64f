"""The words of a finding say "at most" where its line has an upper bound.

`says` may be typed, and then nothing makes it from the line.  Of a loss, a fall or a
lead of the other side "at least" is the bound from above; these are listed, and each of
them has a word for it.
"""

import re

import pytest

from nystheory.engine.findings import registry

EXPERIMENTS = registry.discover("nystheory.chapters")
# Where less is said of the line's larger side, or the other side is said.
TURNED = {
    "a_few_columns:read": ["hundred", "twenty", "slow"],
    "eigengap_and_rate:rates": ["root", "matrix", "objective"],
    "fixed_sampling:constant": ["crowd"],
    "kernel_principal_components:turns": ["roots"],
    "manifolds:pieces": ["limit"],
    "manifolds:centring": ["many"],
    "manifolds:preserved": ["behind"],
    "manifolds:numbers": ["few", "always"],
    "manifolds:judges": ["as pure", "impure"],
    "newton_with_few_columns:forms": ["labels"],
    "newton_with_few_columns:learners": ["some", "linear"],
    "pivots_and_volumes:schemes": ["dpp", "uniform"],
    "projection_or_reconstruction:methods": ["small"],
    "projection_or_reconstruction:recovery": ["explained"],
    "two_ways_to_learn_a_matrix:inversion": ["clipped unit", "unit"],
}
LESS = re.compile(
    r"\b(lost|loses?|falls?|less|fewer|leaves out|below|near|nearer|as far|as well"
    r"|reduces?|halves)\b"
)
FINDINGS = [(id, name) for id, each in EXPERIMENTS.items() for name in each.findings]


def disagrees(line, says):
    """Whether the last bound in words is the other one than that of the line."""
    words = re.findall(r"\bat (most|least)\b", says)
    signs = re.findall(r"[<>]=", line)
    if not words or len(signs) != 1:
        return False
    return (words[-1] == "most") != (signs[0] == "<=")


def finding(id, name):
    found = EXPERIMENTS[id].findings[name]
    return found.line, found.says


@pytest.mark.parametrize(("id", "name"), FINDINGS)
def test_a_bound_in_words_is_that_of_the_line(id, name):
    assert disagrees(*finding(id, name)) == (name in TURNED.get(id, ()))


@pytest.mark.parametrize("id", TURNED)
def test_what_is_turned_has_a_word_for_it(id):
    assert not [x for x in TURNED[id] if not LESS.search(finding(id, x)[1])]


def test_an_exchanged_bound_is_seen():
    line, says = finding("ensembles:experts", "best")
    assert "at most" in says
    assert disagrees(line, says.replace("at most", "at least"))
