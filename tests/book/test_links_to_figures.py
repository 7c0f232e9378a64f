"""A link to a figure leads to the one that its sentence speaks of.

A kernel, a scheme or a data set that the sentence names is in the figure, in its words
or in the code that it is made of; and where the sentence shares no word with it,
it does not share several with another one of the page.
"""

import re
from collections import Counter

import pytest
from figures_of_texts import figures
from statements_of_texts import TEXTS
from test_words_of_figures import KINDS

FIGURES = figures()
LINKS = re.compile(r"\{ref\}`(?:[^`<]*<)?(fig-[\w-]+)>?`")
ROLES = re.compile(r"\{[\w:]+\}`[^`]*`|\{\{.*?\}\}")
# What is no word on the figure itself.
OPEN = re.compile(r"findings|^\((?:paper|computer|warm-up)|\?$")
ENDINGS = re.compile(r"(ings?|ies|es|ed|s|ly)$")
LEAD = 2


def content(text):
    """The words of a text without their endings."""
    found = re.findall(r"[a-zöü][a-zöü-]{2,}", text.lower())
    return {ENDINGS.sub("", each) if len(each) > 5 else each for each in found}


def contents():
    """What words each figure has, in it and below it, that few figures have."""
    all_words = {
        name: content(f"{x.said} {' '.join((*x.words, *x.of))} {name}")
        for name, x in FIGURES.items()
    }
    counts = Counter(word for each in all_words.values() for word in each)
    rare = {word for word, count in counts.items() if count < len(all_words) / 4}
    return {name: each & rare for name, each in all_words.items()}


CONTENTS = contents()


def wrong_link(sentence, name):
    """What a sentence speaks of and a figure has not, or another figure has."""
    if OPEN.search(sentence):
        return []
    figure, bare = FIGURES[name], ROLES.sub(" ", sentence)
    there = " ".join((*figure.words, *figure.of, figure.said))
    told = [
        found[0]
        for kind in ("kernel", "scheme", "data")
        for word, code in KINDS[kind].items()
        if (found := re.search(rf"(?<![\w-])(?:{word})", bare))
        and not re.search(code, there + figure.code * (not figure.of or kind != "data"))
    ]
    words = content(bare)
    if not words & CONTENTS[name]:
        told += [
            f"rather {other}"
            for other, each in FIGURES.items()
            if each.page == figure.page and len(words & CONTENTS[other]) >= LEAD
        ]
    return told


def linking(text):
    """Sentences that link to one figure, and to which."""
    for line in text.splitlines():
        if not line.startswith("    "):
            for sentence in re.split(r"(?<=[.?!;:])\s+(?=[A-Z*{(a-z])", line):
                if len(found := LINKS.findall(sentence)) == 1:
                    yield sentence, found[0]


@pytest.mark.parametrize("page", TEXTS)
def test_a_link_leads_to_the_figure_that_is_spoken_of(page):
    found = [(*each, wrong_link(*each)) for each in linking(TEXTS[page])]
    assert not [each for each in found if each[2]]


def test_links_to_another_figure_of_the_page_are_seen():
    seen = total = 0
    for page, text in TEXTS.items():
        for sentence, name in linking(text):
            for other, each in FIGURES.items():
                if each.page == page and other != name:
                    total += 1
                    seen += bool(wrong_link(sentence, other))
    assert seen > 0.25 * total
