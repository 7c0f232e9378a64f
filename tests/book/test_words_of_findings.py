"""What a finding says in words has the side and the numbers of its line.

Words that its author wrote are compared; where there are none they are made from the
line.  *At most* and *at least* are told apart, and whose name comes first; *or more*
and *up to* are those of the settings; words of norms, statistics, schemes, losses and
data, `vocabulary.py`, are those of the line.  Other words are a reader's matter.
"""

import re
from dataclasses import replace

import pytest
import vocabulary
from vocabulary import PLAIN

from nystheory.engine.findings import registry

EXPERIMENTS = registry.discover("nystheory.chapters")
WORDED = {
    f"{id}/{name}": (experiment, finding)
    for id, experiment in EXPERIMENTS.items()
    for name, finding in experiment.findings.items()
    if finding.says
}
# Where the words have the other side, and why.
TURNED = {
    "eigengap_and_rate:rates/root": "to fall is a negative slope",
    "eigengap_and_rate:rates/matrix": "to fall is a negative slope",
    "eigengap_and_rate:rates/objective": "to fall is a negative slope",
    "ensembles:experts/slow": "a sample is no fewer of the experts",
    "kernel_principal_components:turns/roots": "near is a small turn",
    "machines_on_few_columns:scores/does_not_pay": "a condition comes first",
    "what_to_use:rare-group/shown": "a condition comes first",
}
# Telling words of a sentence that no label has, and why they are right.
BESIDE = {
    "a_million_points:grown/compared": {"mean": "what an index compares, over points"},
    "coherence:coherent/outsiders": {"square": "the share is that of the square"},
    "eigengap_and_rate:two-balls/fast": {"fourier": "waves of another law"},
    "fixed_sampling:scores/bless": {"farthest": "of the scores, and no scheme"},
    "fixed_sampling:scores/bless_most": {"farthest": "of the scores, and no scheme"},
    "kernel_principal_components:turns": {"largest": "100 % of what can be"},
    "manifolds:centring/moduli": {"largest": "the moduli that are kept"},
    "manifolds:moves/less": {"squared": "of the distances"},
    "manifolds:judges/noise": {"head": "the data"},
    "random_subspaces:map": {"smallest": "lambda_6", "largest": "lambda_1"},
    "random_subspaces:scores/learns": {"ridge": "what learns"},
    "ridge_and_preconditioning:rules/dimension": {"pivot": "what is counted"},
    "sketches_and_limits:looks": {"frobeniu": "the norm", "sketche": "the data"},
    "sketches_and_limits:groups": {"median": "of the sketches of a draw"},
    "sketches_and_limits:stairs/before": {"mean": "over all samples"},
    "solving_with_few_columns:race/rows": {"ridge": "each has its own"},
    "surely_worse_kernels:certain/picked": {"smallest": "where it is picked"},
    "surely_worse_kernels:tell/more": {"fewest": "of the settings"},
    "two_kinds_of_features:families/rare": {"uniform": "of the columns, all are"},
    "two_ways_to_learn_a_matrix:spectra": {"orthonormal": "straight"},
}
# Competitors that a sentence names beside those of its line.
NAMED = {
    "eigengap_and_rate:directions/near": "the kernel matrix, from which it is measured",
    "eigengap_and_rate:directions/second": "the kernel matrix, as above",
    "fixed_sampling:crowds/shortest": "in inverse proportion to the norms",
    "solving_with_few_columns:race/rows": "each with its own ridge",
}
SIDES = ("at most", "at least")
COUNTED = "zero one two three four five six seven eight nine ten".split()


def numbers(text):
    """The numbers of a text, in digits or in words."""
    told = {float(x) for x in re.findall(r"(?<![\w.])\d+\.?\d*", text)}
    words = re.findall(r"[a-z]+", text.lower())
    return told | {float(COUNTED.index(x)) for x in words if x in COUNTED}


def exchanged(experiment, finding) -> bool:
    """Whether the words begin with what stands on the right side of the line."""
    sides = [vocabulary.named(x) for x in re.split("[<>]=?", finding.line, maxsplit=1)]
    parts = vocabulary.parts_of(experiment)
    spoken = vocabulary.in_order(finding.says)
    for kind in (experiment.competitors, experiment.measured):
        left, right = ([k for k in kind if k in side] for side in sides)
        if len(left) == len(right) == 1 and left != right:
            labels = [
                finding.says.lower().find(kind[x[0]].label.lower())
                for x in (left, right)
            ]
            if min(labels) >= 0:
                return labels[1] < labels[0]
            one, other = parts[left[0]], parts[right[0]]
            places = [
                [spoken.index(x) for x in words if x in spoken]
                for words in (one - other - PLAIN, other - one - PLAIN)
            ]
            if all(places):
                return min(places[1]) < min(places[0])
    return False


def turned(experiment, finding) -> bool:
    """Whether the words have one side, and the line the other.

    Below another by a number, ``a <= b - 2``, is at least 2 less, and ``a >= b - 2`` at
    most; who speaks of b first turns the side.
    """
    said = [side in finding.says for side in SIDES]
    if sum(said) != 1 or not re.search("[<>]", finding.line):
        return False
    less = re.search(r"[<>]=? [^<>]* - \d", finding.line) and re.search(
        r"\b(fewer|less|below|ahead|nearer|smaller|leaves out|lost)\b", finding.says
    )
    turns = [bool(less), exchanged(experiment, finding)]
    return said[0] != (("<" in finding.line) + sum(turns)) % 2


def unsaid(finding) -> set[float]:
    """The numbers of the line that are not in the words; 0, 1, 100 may have others."""
    line = f"{finding.line} {finding.when or ''}"
    return numbers(line) - {0.0, 1.0, 100.0} - numbers(finding.says)


@pytest.mark.parametrize("name", WORDED)
def test_words_have_the_side_and_the_numbers_of_the_line(name):
    experiment, finding = WORDED[name]
    assert turned(experiment, finding) == (name in TURNED), finding.says
    assert not unsaid(finding), finding.says


def test_other_words_are_seen():
    told = sided = 0
    for experiment, finding in WORDED.values():
        if sum(side in finding.says for side in SIDES) == 1 and finding.line.count("="):
            sided += 1
            one, other = SIDES if SIDES[0] in finding.says else SIDES[::-1]
            new = replace(finding, says=finding.says.replace(one, other))
            told += turned(experiment, new) != turned(experiment, finding)
    assert told == sided > 200


def test_two_that_are_exchanged_are_seen():
    """The line is turned round, and the words are left as they are."""
    told = total = 0
    for experiment, finding in WORDED.values():
        left, found, right = re.split("([<>]=?)", finding.line, maxsplit=1)
        names = [vocabulary.named(x) & {*experiment.competitors} for x in (left, right)]
        if [len(x) for x in names] == [1, 1] and names[0] != names[1]:
            one, other = (min(x) for x in names)
            pieces = re.split(rf"\b({one}|{other})\b", finding.line)
            line = "".join({one: other, other: one}.get(x, x) for x in pieces)
            new = replace(finding, line=line, but={}, but_on=min(experiment.data))
            total += 1
            told += turned(experiment, new) != turned(experiment, finding)
    assert told > 0.6 * total > 100


def test_labels_that_are_exchanged_are_seen():
    """The line is left as it is, and two labels of the words change places."""
    seen = []
    for experiment, finding in WORDED.values():
        sides = map(vocabulary.named, re.split("[<>]=?", finding.line, maxsplit=1))
        names = [x & {*experiment.competitors} for x in sides]
        if [len(x) for x in names] == [1, 1] and names[0] != names[1]:
            one, other = (experiment.competitors[min(x)].label for x in names)
            if all(finding.says.lower().count(x.lower()) == 1 for x in (one, other)):
                pieces = re.split(f"({one}|{other})", finding.says, flags=re.I)
                turns = {one.lower(): other, other.lower(): one}
                says = "".join(turns.get(x.lower(), x) for x in pieces)
                new = replace(finding, says=says)
                seen.append(turned(experiment, new) != turned(experiment, finding))
    assert sum(seen) > 0.8 * len(seen) > 80, (sum(seen), len(seen))


# ---- The settings

AFTER = {">=": r"or more|on\b|or larger", "<=": r"or fewer|or less|or smaller"}
BEFORE = {">=": r"at least|from", "<=": r"up to|at most|before"}


def range_of(words) -> set[str]:
    """What "or more" and "or fewer" say of the settings, as relations."""
    said = {">=": r"\bor more\b", "<=": r"\bor (?:fewer|less)\b"}
    return {relation for relation, told in said.items() if re.search(told, words)}


def ranges_at(words, number) -> set[str]:
    """What the words beside a number of the settings say of them, as relations."""
    number = rf"(?<![\w.]){re.escape(number)}(?:st|[nr]d|th)?(?![\w.]*\d)"
    said = {
        relation: rf"\b(?:{BEFORE[relation]}) (?:the )?{number}"
        rf"|{number}(?: \w+){{0,2}} (?:{AFTER[relation]})"
        for relation in AFTER
    }
    return {relation for relation, told in said.items() if re.search(told, words, re.I)}


def test_or_more_and_or_fewer_are_those_of_the_settings():
    assert [name for name, (_, f) in WORDED.items() if other_range(f)] == []


def other_range(finding) -> bool:
    """Whether the words say another range of the settings than the line does."""
    when = finding.when or ""
    settings = set(re.findall("[<>]=?", when))
    if not settings:
        return False
    if not range_of(finding.says) <= {x[0] + "=" for x in settings}:
        return True
    some = re.findall(r"\d[\d.]*", when)
    # Of two ends each may have its words; so may a number that the line has, too.
    if len(some) > 1 or some[0] in re.findall(r"\d[\d.]*", finding.line):
        return False
    return not ranges_at(finding.says, some[0]) <= {x[0] + "=" for x in settings}


def test_another_range_is_seen():
    """Each of the words, turned where it stands beside the number of the settings."""
    turns = {"or more": "or fewer", "or fewer": "or more"}
    turns |= {"at least": "at most", "up to": "at least", "Before": "From"}
    seen = []
    for _, finding in WORDED.values():
        some = re.findall(r"\d[\d.]*", finding.when or "")
        for old, new in turns.items() if len(some) == 1 else ():
            place = rf"{old} (?:the )?{some[0]}\b|\b{some[0]} \w+ {old}"
            if re.search(place, finding.says) and some[0] not in finding.line:
                says = re.sub(rf"\b{old}\b", new, finding.says)
                seen.append(other_range(replace(finding, says=says)))
    assert sum(seen) > 0.9 * len(seen) > 35


# ---- Words that tell one line from another


def strange(name, experiment, finding) -> set[str]:
    """Telling words of a sentence that its line has not."""
    here = vocabulary.of_finding(experiment, finding)
    allowed = {*BESIDE.get(name, ()), *BESIDE.get(experiment.id, ())}
    return vocabulary.strange(finding.says, here) - allowed


def test_a_telling_word_is_one_of_the_line():
    """A norm, a statistic, a scheme, a loss, a data set."""
    told = {name: strange(name, *pair) for name, pair in WORDED.items()}
    assert {name: some for name, some in told.items() if some} == {}
    assert len(BESIDE) < len(WORDED) / 20


def test_nobody_is_named_of_whom_the_line_does_not_speak():
    told = {
        name: vocabulary.absent(experiment, finding, finding.says)
        for name, (experiment, finding) in WORDED.items()
    }
    assert {name for name, some in told.items() if some} == {*NAMED}


def test_another_telling_word_is_seen():
    """Each telling word of a sentence, exchanged for another of its class."""
    seen = []
    for name, (experiment, finding) in WORDED.items():
        for kind in vocabulary.TELLING.values():
            some = kind.split()
            for old in some:
                if re.search(rf"\b{old}\b", finding.says):
                    for new in some[:4]:
                        says = re.sub(rf"\b{old}\b", new, finding.says)
                        if new != old:
                            new = replace(finding, says=says)
                            seen.append(bool(strange(name, experiment, new)))
    assert sum(seen) > 0.8 * len(seen) > 500
