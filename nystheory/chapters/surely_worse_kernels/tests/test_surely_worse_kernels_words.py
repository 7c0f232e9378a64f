"""The words of a finding say what its line compares."""

import re

import pytest

from nystheory.chapters.surely_worse_kernels import findings

ALL = (findings.CERTAIN, findings.TELL, findings.SEARCHES)
CASES = [(e, name) for e in ALL for name in e.findings]

# What a text calls each competitor.
NAMES = {
    "trace": "the trace alone",
    "one": "ne product",
    "two": "two products",
    "bare": "criterion of the approximations",
    "criterion": "he criterion",
    "likelihood": "the likelihood",
    "alone": "leaving one out",
    "folds": "five folds",
    "split": "ne split",
}
AT_MOST, AT_LEAST = "at most|never", "at least|no narrower|all 24|at another width"


def is_said(line, when, says):
    """Whether relation, numbers and competitors of a line stand in the words."""
    # What is said of the columns or the ridge is said of the condition.
    limits = re.findall(
        r"at (?:most|least) \d+ columns|of at least 0\.\d+|of 0\.\d+", says
    )
    rest = says
    for each in limits:
        rest = rest.replace(each, "")
    if when and len(limits) != 1:
        return False
    if when and "at least" in limits[0] and "<=" in when:
        return False
    if when and "at most" in limits[0] and ">=" in when:
        return False
    wanted, other = (AT_MOST, AT_LEAST) if "<=" in line else (AT_LEAST, AT_MOST)
    if not re.search(wanted, rest) or re.search(other, rest):
        return False
    numbers = set(re.findall(r"\d+\.?\d*", f"{line} {when or ''}"))
    said = set(re.findall(r"\d+\.\d+|\d+", says))
    # Never is at most 0; of a share of draws at least 1 is some.
    if not numbers - {"0", "1"} == said:
        return False
    places = [says.find(NAMES[x]) for x in re.findall(r"\((\w+)\)", line)]
    return min(places) >= 0 and places == sorted(places)


@pytest.mark.parametrize(("experiment", "name"), CASES)
def test_a_finding_says_what_its_line_compares(experiment, name):
    finding = experiment.findings[name]
    assert is_said(finding.line, finding.when, finding.says)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("at least 6", "at most 6"),
        ("at least 80", "at most 80"),
        ("80", "40"),
        ("6", "7"),
        ("the criterion", "the likelihood"),
    ],
)
def test_another_word_is_seen(old, new):
    finding = findings.TELL.findings["half"]
    assert old in finding.says
    says = finding.says.replace(old, new)
    assert not is_said(finding.line, finding.when, says)
