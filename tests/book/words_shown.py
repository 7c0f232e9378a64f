r"""Words that compare, and what shows each of them.

`SHOWN` has, for a chapter, phrases of its prose, captions and alternative texts. What
stands in brackets is a word that compares, or a share, and beside the phrase is what
shows it, computed::

    shown("coherence", {
        "the bound [falls] with the columns": change(BOUND, l=(20, 40), **at),
        "[half] of the columns": 1 / 2,
    })

A direction asks for a number of its sign: above zero for *rises*, *larger*, *better*,
*faster*, below zero for *falls*, *smaller*, *worse*, *slower*. A share asks for its
value: *half* for 1/2, *twice* for 2; *about* and *nearly* allow a sixth of it, *at
most* and *more than* ask for the relation. Several brackets ask for as many numbers.
`EXPLAINED` has phrases whose words say no more than a definition, or give a reason that
a referee reads, each with why.
"""

import math
import re
from collections import defaultdict
from functools import cache

import numpy as np
from figures_of_texts import CELLS
from statements_of_texts import TEXTS, UNSAID, said_of_figures, sentences

from nystheory.chapters import theorems
from nystheory.engine.findings import registry, stored
from nystheory.engine.findings.found import judged
from nystheory.engine.trial.compare import compare, reader

SHOWN, EXPLAINED = defaultdict(dict), defaultdict(dict)

MORE = "rises rise grows grow larger longer higher farther wins win helps help pays pay"
MORE += " better faster ahead purer gains gain deeper wider dearer increases increase"
MORE += " exceeds exceed highest longest"
LESS = "falls fall shrinks shrink smaller shorter lower closer nearer loses lose hurts"
LESS += " hurt worse slower behind cheaper narrower decreases decrease fewer lowest"
SIGNS = dict.fromkeys(MORE.split(), 1) | dict.fromkeys(LESS.split(), -1)
SIGNS |= {"more accurate": 1, "less accurate": -1}
UNITS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
SHARES = {"half": 1 / 2, "halves": 1 / 2, "halve": 1 / 2, "halved": 1 / 2}
SHARES |= {unit: 1 / k for k, unit in enumerate(UNITS, 2)}
SHARES |= {f"{unit}s": 1 / k for k, unit in enumerate(UNITS, 2) if k > 2}
SHARES |= {"hundredth": 1e-2, "hundredths": 1e-2, "thousandth": 1e-3}
SHARES |= {"thousandths": 1e-3, "percent": 1e-2, "times": 1}
SHARES |= {"twice": 2, "double": 2, "doubles": 2, "doubled": 2}
COUNTS = "a one two three four five six seven eight nine ten eleven twelve".split()
COUNTS = {word: max(k, 1) for k, word in enumerate(COUNTS)} | {"an": 1, "fifty": 50}
COUNTS |= {"sixteen": 16, "twenty": 20, "thirty": 30, "hundred": 100, "thousand": 1000}
COUNTED = "|".join(COUNTS)
DIRECTION = "|".join(sorted(SIGNS, key=len, reverse=True))
SHARE = (
    r"half|halves|halved?|twice|doubled?|doubles"
    rf"|(?:(?:{COUNTED}|the)[ -])?(?:thirds?|quarters?|fifths?|sixths?|eighths?|tenths?"
    r"|hundredths?|thousandths?)(?! of \w+ \w+ column)"
    rf"|(?:{COUNTED}) (?:times|percent)"
)
WORD = re.compile(rf"\b(?:{DIRECTION}|{SHARE})\b(?:(?<!no longer)|(?= than))", re.I)
ROUGHLY = re.compile(r"\b(about|nearly|almost|some|roughly|close to|around)( \w+)?$")
ROUNDING = 1e-9
RELATIONS = dict.fromkeys(
    ("at most", "up to", "within"), lambda x, most: x <= most * (1 + ROUNDING)
)
RELATIONS |= {"at least": lambda x, least: x >= least * (1 - ROUNDING)}
RELATIONS |= dict.fromkeys(("more than", "above", "over"), lambda x, least: x > least)
RELATIONS |= dict.fromkeys(("less than", "below", "under"), lambda x, most: x < most)
# What a source says is in `attributed.csv`, and a question and a goal say nothing.
OF_OTHERS = re.compile(r"\{cite|\b(the thesis|the paper|the source)\b|\?$|^\d\. ", re.I)
# What may be is not said to be, in this clause.
MAY_BE = re.compile(
    r"\b(may|can|could|would|need not|whether|which (one|kind))\b", re.I
)
CLAUSE = re.compile(r"[^,;:]+[,;:]?")
# A place in an order, and a format of numbers, is no share.
NO_SHARE = re.compile(
    r"\b(?:the|every) (?:third|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)\b"
    r"|\bdouble precision\b",
    re.I,
)
BRACKETS = re.compile(r"\[([^\]]*)\]")


def shown(chapter, phrases):
    """Enter what shows the words in brackets, a number for each."""
    SHOWN[chapter] |= phrases


def explained(chapter, phrases):
    """Enter phrases that a referee reads, with the reason."""
    EXPLAINED[chapter] |= phrases


# ---- What a text says

# Its numbers say it: they are compared as the page shows them.
GOES = re.compile(
    r"\b(?:falls?|rises?|grows?)(?: \w+){0,3} from \{\{.*?\}\}.*? to (?:only )?\{\{"
)
# How curves go is compared with the figure.
OF_CURVES = re.compile(r"(?:falls?|rises?|grows?|shrinks?)$", re.I)


@cache
def said(name):
    """The sentences of a page, each with whether it stands at a figure."""
    text = TEXTS[name]
    below = [x for told in said_of_figures(text) for x in sentences(told)]
    told = [(x, False) for x in sentences(text)] + [(x, True) for x in below]
    return [(" ".join(each.split()), at) for each, at in told]


def hide(sentence, *kinds):
    """A sentence with blanks for what is not said in words."""
    for each in kinds:
        sentence = each.sub(lambda found: " " * len(found[0]), sentence)
    return sentence


def is_said(sentence, start):
    """Whether the page itself says that it is so, there in the sentence."""
    clauses = CLAUSE.finditer(hide(sentence, UNSAID))
    (clause,) = (x[0] for x in clauses if x.start() <= start < x.end())
    return not (OF_OTHERS.search(sentence) or MAY_BE.search(clause))


def words(sentence, at_figure=False):
    """Where the words that compare stand in a sentence: (start, end)."""
    hidden = hide(sentence, UNSAID, NO_SHARE)
    numbered = {found.start() for found in GOES.finditer(sentence)}
    return [
        found.span()
        for found in WORD.finditer(hidden)
        if found.start() not in numbered
        and is_said(sentence, found.start())
        and not (at_figure and OF_CURVES.match(found[0]))
    ]


def marked(phrase):
    """A phrase without its brackets, and where the words in them stand."""
    spans, plain, last = [], "", 0
    for found in BRACKETS.finditer(phrase):
        plain += phrase[last : found.start()]
        spans.append((len(plain), len(plain) + len(found[1])))
        plain, last = plain + found[1], found.end()
    return plain + phrase[last:], spans


def open_words(sentence, at_figure, phrases):
    """The words of a sentence that stand in the brackets of no phrase."""
    covered = set()
    for phrase in phrases:
        plain, spans = marked(phrase)
        at = sentence.find(plain)
        while at >= 0:
            covered |= {k for a, b in spans for k in range(at + a, at + b)}
            at = sentence.find(plain, at + 1)
    return [sentence[a:b] for a, b in words(sentence, at_figure) if a not in covered]


def unshown(told, phrases):
    """The words that no phrase has, with their sentences; each told with its place."""
    found = ((open_words(x, at, phrases), x) for x, at in told)
    return [each for each in found if each[0]]


def strangers(told, phrases):
    """The phrases that are not said, or whose brackets have no word that compares."""
    marks = {phrase: marked(phrase) for phrase in phrases}
    return [
        phrase
        for phrase, (plain, spans) in marks.items()
        if not any(plain in x and words(x, at) for x, at in told)
        or not all(WORD.fullmatch(plain[a:b]) for a, b in spans)
    ]


# ---- Whether a number shows a word


def fits(before, word, number):
    """Whether a number has the sign or the value that a word says."""
    number = float(number)
    if word.lower() in SIGNS:
        return math.isfinite(number) and number * SIGNS[word.lower()] > 0
    value = worth(word)
    for relation, holds in RELATIONS.items():
        if re.search(rf"\b{relation}( an?| the)?$", before.rstrip(), re.I):
            return holds(number, value)
    rough = ROUGHLY.search(before.rstrip())
    return abs(number - value) <= value * (1 / 6 if rough else 1 / 20)


def worth(word):
    """The value in words: "two fifths", "twice", "one percent", "ten-thousandth"."""
    count, _, unit = word.lower().replace("-", " ").rpartition(" ")
    times = COUNTS.get(count, 1)
    return SHARES[unit] / times if unit.endswith("th") else SHARES[unit] * times


def misfits(phrases):
    """The phrases whose numbers do not show their words."""
    told = []
    for phrase, numbers in phrases.items():
        plain, spans = marked(phrase)
        numbers = numbers if isinstance(numbers, tuple | list) else (numbers,)
        if len(numbers) != len(spans):
            told.append(f"{phrase}: {len(spans)} words, {len(numbers)} numbers")
        for (a, b), number in zip(spans, numbers, strict=False):
            if not fits(plain[:a], plain[a:b], number):
                told.append(f"{phrase}: {plain[a:b]} is shown by {number}")
    return told


# ---- What shows words


def bound(id, claim="", **quantities):
    """What a theorem promises for these quantities."""
    theorem = theorems.get(id)
    return theorem.right_side(claim or next(iter(theorem.claims)), **quantities)


def change(id, claim="", **quantities):
    """By how much the bound changes; one quantity is a pair, before and after."""
    (name, (first, last)), *more = (
        (name, x) for name, x in quantities.items() if isinstance(x, tuple)
    )
    assert not more, "one quantity changes"
    rest = {key: x for key, x in quantities.items() if key != name}
    before, after = (bound(id, claim, **rest, **{name: x}) for x in (first, last))
    return after - before


def never(number):
    """What shows a word that is denied, "never larger", "no better": the opposite."""
    return -number


def left_by(id, control):
    """The share that a control leaves of what it changes."""
    changed = next(iter(theorems.get(id).controls[control].change.values()))
    return float(re.search(r"\d*\.\d+(?= \*)", changed)[0])


@cache
def ran(chapter, *marks):
    """What cells of a page bind, those that have these marks, below its first one."""
    cells = [code for _, code in CELLS.findall(TEXTS[chapter])]
    names = {}
    for cell in [cells[0], *(next(x for x in cells if y in x) for y in marks)]:
        exec(cell, names)
    return names


def sides(id, claim, case):
    """Both sides of a claim of a theorem on an instance of its world."""
    theorem = theorems.get(id)
    line = theorem.claims[claim]
    told = compare(line, reader(theorem, case, line.law))
    return told.observed, told.bound


def typed(page, pattern):
    """Numbers that are typed on a page, by a pattern that stands there once."""
    (at,) = re.finditer(pattern, TEXTS[page])
    return tuple(map(float, at.groups()))


@cache
def found(id):
    """What came of an experiment, from its stored draws."""
    each = registry.discover("nystheory.chapters")[id]
    return judged(each, stored.draws_of(each), stored.seconds_of(each))


@cache
def draws(id):
    """An experiment and its stored draws, not judged."""
    each = registry.discover("nystheory.chapters")[id]
    return each, stored.draws_of(each)


def measured(id, field, competitor, data):
    """What was measured of a competitor on a data set, (draws, settings)."""
    return np.array([x[competitor][field] for x in draws(id)[1][data]])


def more(finding, competitor):
    """1 if a finding that holds has the competitor on the larger side, else -1."""
    id, _, name = finding.rpartition("/")
    result = found(id)[name]
    assert result.good, finding
    try:
        result.puts(competitor, "larger")
    except ValueError:
        result.puts(competitor, "smaller")
        return -1
    return 1
