"""What a chapter says that you need: it stands earlier, there, and is used here.

A lexical test of the one sentence: a chapter that it links comes before, the words
beside the link are spoken of there, and what you need none of is not on the page.
"""

import re

import pytest
from statements_of_texts import ROOT, TEXTS

from nystheory.chapters import theorems

ORDER = re.findall(r"notebooks/(\w+)", (ROOT / "_toc.yml").read_text("utf-8"))
NEEDS = re.compile(r"^You need .*$", re.M)
LINK = re.compile(r"\{ref\}`(?:[^`<]*<)?([^`<>]+)>?`")
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")
NONE = re.compile(r"^You need no (?:other )?(\w+)")
WORD = re.compile(r"(?<![\w`\\{$-])[a-z]{6,}")
PLAIN = {"introduce", "general"}
OUTSIDE = re.compile(r"\{\{.*?\}\}|\{\w+\}`[^`]*`|\$[^$]*\$|\([^)]*\)")
CHAPTERS = [name for name in ORDER if NEEDS.search(TEXTS[name])]


def chapter_of(label):
    """The page of a link: a chapter, a result or a label."""
    if label in TEXTS:
        return label
    if label in theorems:
        return theorems[label].chapter
    shape = re.compile(rf"^\({label}\)=|name: {label}$|\{{algorithm\}} {label} ", re.M)
    return next(name for name, text in TEXTS.items() if shape.search(text))


def path(text):
    """A text up to what is further."""
    return text.partition("\n## Further")[0]


def faults(name, text):
    """Links that lead on, terms that are not there, words that are used."""
    sentence = NEEDS.search(text)[0]
    rest, found = path(text).replace(sentence, ""), []
    for clause in re.split(r"(?<=`),|; | and ", sentence):
        pages = [chapter_of(label) for label in LINK.findall(clause)]
        found += [x for x in pages if ORDER.index(x) >= ORDER.index(name)]
        spoken = TERM.findall(clause) + WORD.findall(OUTSIDE.sub(" ", clause))
        there = " ".join(TEXTS[x] for x in pages)
        told = [x for x in spoken if x not in PLAIN and not begins(x, there)]
        found += told if pages else []
    found += [x for x in NONE.findall(sentence) if x != "chapter" and begins(x, rest)]
    return found


def begins(words, text):
    """Whether a text has the words, but for their endings."""
    return all(word[:6].lower() in text.lower() for word in words.split())


# It refers to the pages before it and after it for one fact.
ONWARDS = {"kernel_matrices": ["how_to_read_this_book"]}


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_is_needed_stands_before(name):
    assert faults(name, TEXTS[name]) == ONWARDS.get(name, [])


def test_nearly_every_chapter_says_what_it_needs():
    assert len(CHAPTERS) >= 30


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a_few_columns", "need matrices, eigenvectors", "need no eigenvectors"),
        ("coherence", "({ref}`error_bounds`)", "({ref}`manifolds`)"),
        ("surely_worse_kernels", "`choosing_the_kernel`", "`random_subspaces`"),
        ("fixed_sampling", "`projection_or_reconstruction`", "`a_few_columns`"),
    ],
)
def test_another_prerequisite_is_seen(name, old, new):
    text = TEXTS[name]
    sentence = NEEDS.search(text)[0]
    assert old in sentence
    turned = text.replace(sentence, sentence.replace(old, new))
    assert faults(name, turned) != faults(name, text)
