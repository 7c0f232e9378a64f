"""What a finding says in words has the side and the numbers of its line.

Words that its author wrote are compared; where there are none they are made from the
line.  Only *at most* and *at least* are told apart: other words are a reader's matter.
"""

import re
from dataclasses import replace

import pytest

from nystheory.engine.findings import registry

WORDED = {
    f"{id}/{name}": finding
    for id, experiment in registry.discover("nystheory.chapters").items()
    for name, finding in experiment.findings.items()
    if finding.says
}
# Where the words have the other side, and why.
TURNED = {
    "eigengap_and_rate:rates/root": "to fall is a negative slope",
    "eigengap_and_rate:rates/matrix": "to fall is a negative slope",
    "eigengap_and_rate:rates/objective": "to fall is a negative slope",
    "kernel_principal_components:turns/roots": "near is a small turn",
    "manifolds:centring/many": "the other competitor comes first",
    "manifolds:preserved/behind": "the other competitor comes first",
    "manifolds:numbers/few": "the other competitor comes first",
    "manifolds:numbers/always": "the other competitor comes first",
}
SIDES = ("at most", "at least")
COUNTED = "zero one two three four five six seven eight nine ten".split()


def numbers(text):
    """The numbers of a text, in digits or in words."""
    told = {float(x) for x in re.findall(r"(?<![\w.])\d+\.?\d*", text)}
    words = re.findall(r"[a-z]+", text.lower())
    return told | {float(COUNTED.index(x)) for x in words if x in COUNTED}


def turned(finding) -> bool:
    """Whether the words have one side, and the line the other.

    Below another by a number, ``a <= b - 2``, is at least 2 less, and ``a >= b - 2`` at
    most.
    """
    said = [side in finding.says for side in SIDES]
    if sum(said) != 1 or not re.search("[<>]", finding.line):
        return False
    less = re.search(r"[<>]=? [^<>]* - \d", finding.line) and re.search(
        r"\b(fewer|less|below|ahead|nearer|smaller|leaves out|lost)\b", finding.says
    )
    return said[0] != (("<" in finding.line) != bool(less))


def unsaid(finding) -> set[float]:
    """The numbers of the line that are not in the words; 0, 1, 100 may have others."""
    line = f"{finding.line} {finding.when or ''}"
    return numbers(line) - {0.0, 1.0, 100.0} - numbers(finding.says)


@pytest.mark.parametrize("name", WORDED)
def test_words_have_the_side_and_the_numbers_of_the_line(name):
    finding = WORDED[name]
    assert turned(finding) == (name in TURNED), finding.says
    assert not unsaid(finding), finding.says


def test_other_words_are_seen():
    told = sided = 0
    for finding in WORDED.values():
        if sum(side in finding.says for side in SIDES) == 1 and finding.line.count("="):
            sided += 1
            one, other = SIDES if SIDES[0] in finding.says else SIDES[::-1]
            new = replace(finding, says=finding.says.replace(one, other))
            told += turned(new) != turned(finding)
    assert told == sided > 200


def range_of(words) -> set[str]:
    """What "or more" and "or fewer" say of the settings, as relations."""
    said = {">=": r"\bor more\b", "<=": r"\bor (?:fewer|less)\b"}
    return {relation for relation, told in said.items() if re.search(told, words)}


@pytest.mark.parametrize("name", WORDED)
def test_or_more_and_or_fewer_are_those_of_the_settings(name):
    assert not other_range(WORDED[name])


def other_range(finding) -> bool:
    """Whether the settings have one of "or more" and "or fewer", and the words not."""
    settings = set(re.findall("[<>]=", finding.when or ""))
    return bool(settings) and not range_of(finding.says) <= settings


def test_or_fewer_in_place_of_or_more_is_seen():
    some = [f for f in WORDED.values() if f.when and range_of(f.says) == {">="}]
    some = [f for f in some if ">=" in f.when]
    assert len(some) > 10
    for finding in some:
        words = re.sub(r"\bor more\b", "or fewer", finding.says)
        assert other_range(replace(finding, says=words))
