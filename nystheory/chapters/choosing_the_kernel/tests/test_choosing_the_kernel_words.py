"""The words of a finding say what its line compares."""

import re

import pytest

from nystheory.chapters.choosing_the_kernel import findings

ALL = (findings.FIGURE, findings.RANKS, findings.JUDGED)
CASES = [(e, name) for e in ALL for name in e.findings]

# What a text calls each competitor.
NAMES = {
    "driven": "riterion-driven columns",
    "uniform": "niform columns",
    "full": "Adapt-Full",
    "partial": "Adapt-Part",
    "optimal": "best matrix of its rank",
    "near": "criterion",
    "exact": "exact criterion",
    "evidence": "likelihood",
    "folds": "five folds",
    "brief": "five folds for the same work",
}
AT_MOST, AT_LEAST = r"at most|[Nn]ever", r"at least"


def is_said(line, when, says):
    """Whether relation, numbers and competitors of a line stand in the words."""
    relation = "<=" if "<=" in line else ">="
    # To be below another by a number is to have at least so much less.
    fewer = relation == "<=" and " - " in line
    wanted, other = (AT_MOST, AT_LEAST) if relation == "<=" else (AT_LEAST, AT_MOST)
    if fewer:
        wanted, other = other, wanted
    if not re.search(wanted, says) or re.search(other, says):
        return False
    if ("fewer" in says) != fewer:
        return False
    # Never is at most 0, and a full rank all columns.
    numbers = set(re.findall(r"\d+\.?\d*", f"{line} {when or ''}")) - {"0", "100"}
    if numbers != set(re.findall(r"\d+\.?\d*", says)):
        return False
    places = [says.find(NAMES[x]) for x in re.findall(r"\((\w+)\)", line)]
    return min(places) >= 0 and places == sorted(places)


@pytest.mark.parametrize(("experiment", "name"), CASES)
def test_a_finding_says_what_its_line_compares(experiment, name):
    finding = experiment.findings[name]
    assert is_said(finding.line, finding.when, finding.says)


@pytest.mark.parametrize(
    ("old", "new"),
    [("at least", "at most"), ("0.9", "0.8"), ("Adapt-Part", "Adapt-Full")],
)
def test_another_word_is_seen(old, new):
    finding = findings.FIGURE.findings["alike"]
    assert old in finding.says
    assert not is_said(finding.line, None, finding.says.replace(old, new))


def test_another_side_is_seen():
    finding = findings.JUDGED.findings["own"]
    for old, new in (("at most", "at least"), ("more", "fewer"), (" 2 ", " 3 ")):
        says = finding.says.replace(old, new)
        assert says != finding.says and not is_said(finding.line, None, says)
    says = "the criterion has at least 2 fewer than the exact criterion"
    assert is_said("few(near) <= few(exact) - 2", None, says)
    says = says.replace("fewer", "more")
    assert not is_said("few(near) <= few(exact) - 2", None, says)
    says = "of uniform columns as that of criterion-driven columns, at least as far"
    assert not is_said("apart(driven) >= apart(uniform)", None, says)
