"""What a sentence says beside a finding is what the finding is of.

``{{ found["more"].words }} on the digits`` has the words of the line from the run, and
the data typed.  So each telling word (`vocabulary.py`) of such a sentence is one of the
line, of its settings, or of its data; a word that tells data sets of the experiment
apart is one of those of which the finding speaks, and so is a number of theirs.
"""

import importlib
import re
from functools import cache
from itertools import pairwise

import pytest
import vocabulary
from statements_of_texts import TEXTS, UNSAID, paragraphs, sentences

NUMBERS = {"hundred": "100", "thousand": "1000"}
QUOTE = re.compile(r"""\b(\w+)\[["']([^"']+)["']\]\.(?:words|said|often)""")
# What a finding does not say, or says of other data.
OTHERWISE = re.compile(r"\b(except|but|not|open|fails|instead|same|usual)\b")
# Sentences that say more than the finding, and why that is right.
MORE = {
    '{{ moves["loose"].said }}: it allows for an error that is all in the worst '
    "direction, that of the smallest eigenvalue.": "the proof says so",
}


@cache
def experiments_of(name, text):
    """The experiments of a page, by what it binds them to."""
    bound = re.findall(r"^(\w+) = findings\.(\w+)\.found\(\)", text, re.M)
    if not bound:
        return {}
    module = importlib.import_module(f"nystheory.chapters.{name}.findings")
    return {variable: getattr(module, each) for variable, each in bound}


def of_data(experiment, labels):
    """Words and numbers of data sets: of their labels, and their numbers of points."""
    told = " ".join(labels)
    sizes = {str(experiment.data[each].size) for each in labels}
    return vocabulary.words(told) | sizes | {*re.findall(r"\d+", told)}


def typed(sentence):
    """What stands in a sentence beside expressions, links, code and formulas."""
    return re.sub(r"\{\{.*?\}\}", " ", UNSAID.sub(" ", sentence))


def numbers(text):
    """The numbers of a text of two digits or more, or in the words of `NUMBERS`."""
    plain = re.sub(r"(?<=\d),(?=\d)", "", text)
    told = {NUMBERS[x] for x in re.findall(r"\ba (hundred|thousand)\b", plain)}
    return told | {*re.findall(r"(?<![\w.])\d{2,}(?![\w.]*\d)", plain)}


def strange(sentence, quoted):
    """Words of a sentence that are none of the findings that it quotes."""
    here, other, there = set(), set(), set()
    for experiment, finding in quoted:
        on = finding.on or [*experiment.data]
        here |= vocabulary.of_finding(experiment, finding)
        there |= of_data(experiment, on)
        line = f"{finding.line} {finding.when}"
        there |= {*re.findall(r"(?<![\w.])\d+(?![\w.])", line)}
        there |= {f"{each:g}" for each in experiment.settings}
        other |= of_data(experiment, [x for x in experiment.data if x not in on])
    rest = typed(sentence)
    told = vocabulary.strange(rest, here | there)
    told |= vocabulary.words(rest) & (other - there - here - vocabulary.PLAIN)
    return told | (numbers(rest) - there)


def told_of(name, text, sentence):
    """The findings that a sentence quotes, with their experiments."""
    bound = experiments_of(name, text)
    return [
        (bound[variable], bound[variable].findings[key])
        for variable, key in QUOTE.findall(sentence)
        if variable in bound and key in bound[variable].findings
    ]


def told(name, text):
    """Sentences of a page that quote findings and say more, with the words."""
    found = []
    for each in sentences(text):
        quoted = told_of(name, text, each)
        if quoted and not OTHERWISE.search(typed(each)):
            if words := strange(each, quoted):
                found.append((each, words))
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_a_sentence_says_of_a_finding_what_it_is_of(name):
    """Name its data, or quote `.said`, which names them."""
    more = [each for each in told(name, TEXTS[name]) if each[0] not in MORE]
    assert more == []


# ---- Before a sentence that is a finding and nothing else

WHOLE = re.compile(r"\{\{ [^{}]*\.said \}\}\.")


def before(name, text):
    """Sentences without a number of the run, with the findings quoted after them."""
    for paragraph in paragraphs(text):
        some = sentences("\n".join(paragraph))
        for one, other in pairwise(some):
            if "{{" not in one and WHOLE.fullmatch(other):
                if quoted := told_of(name, text, other):
                    yield one, quoted


def other_data(sentence, quoted):
    """Data sets of the experiments that a sentence names and the findings have not."""
    here, other = set(), set()
    for experiment, finding in quoted:
        on = finding.on or [*experiment.data]
        here |= of_data(experiment, on) | vocabulary.of_finding(experiment, finding)
        other |= of_data(experiment, [x for x in experiment.data if x not in on])
    return vocabulary.words(typed(sentence)) & vocabulary.CLASSED & (other - here)


@pytest.mark.parametrize("name", TEXTS)
def test_a_sentence_before_a_finding_names_its_data(name):
    """What a finding that comes next does not say, the sentence does not say either."""
    told = [
        each
        for each, quoted in before(name, TEXTS[name])
        if not OTHERWISE.search(typed(each)) and other_data(each, quoted)
    ]
    assert told == []


QUOTING = [
    (name, each)
    for name, text in TEXTS.items()
    for each in sentences(text)
    if told_of(name, text, each)
]


def test_most_sentences_are_looked_at():
    looked = [each for _, each in QUOTING if not OTHERWISE.search(typed(each))]
    assert len(looked) > 0.8 * len(QUOTING) > 200


def test_other_data_are_seen():
    """A data set of which a finding does not speak, put at the end of each sentence."""
    seen = []
    for name, each in QUOTING:
        for experiment, finding in told_of(name, TEXTS[name], each):
            for data in {*experiment.data} - {*(finding.on or experiment.data)}:
                more = f"{each[:-1]}, on the {data}."
                seen.append(bool(strange(more, told_of(name, TEXTS[name], each))))
    assert sum(seen) > 0.8 * len(seen) > 300


def test_other_data_are_seen_before_a_finding():
    seen = []
    for name, text in TEXTS.items():
        for each, quoted in before(name, text):
            for experiment, finding in quoted:
                for data in {*experiment.data} - {*(finding.on or experiment.data)}:
                    more = f"{each[:-1]}, on the {data}."
                    seen.append(bool(other_data(more, quoted)))
    assert sum(seen) > 0.6 * len(seen) > 20
