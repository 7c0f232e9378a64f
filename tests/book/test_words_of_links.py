"""A link leads to what its words speak of.

The words of a link to the glossary are the term, in some form, or a listed shorter way
to say it; never another term. And a sentence that links to a result names no norm and
no scheme of which the result, its symbols and their meanings say nothing.
"""

import re

import pytest
import vocabulary
from statements_of_texts import TEXTS, UNSAID, sentences

from nystheory.chapters import theorems

# --- Terms ----------------------------------------------------------------------------

TERMS = set(re.findall(r"^### (.*)$", TEXTS["glossary"], re.M))
# Words for a term that do not have its words.
SHORT = {
    ("Leaving one out", "leave-one-out"),
    ("leverage scores", "ridge leverage score"),
    ("surrogates", "surrogate loss"),
    ("leverage", "leverage score"),
    ("With replacement", "sampling with replacement"),
    ("spectral norm", "unitarily invariant norm"),
}
LINKED = re.compile(r"\{term\}`([^`<]*?) ?<([^>`]*)>`|\{term\}`([^`<]*)`")


def beginnings(text):
    """The words of a text without their endings."""
    return {each[:5] for each in vocabulary.words(text)}


def misled(text):
    """Links to terms whose words are not the term's."""
    told = []
    for words, term, bare in LINKED.findall(text):
        if bare:
            continue  # the words are the term; the site says where there is none
        other = words.lower() in {x.lower() for x in TERMS - {term}}
        if other or not beginnings(term) <= beginnings(words):
            if (words, term) not in SHORT:
                told.append((words, term))
    return told


@pytest.mark.parametrize("name", TEXTS)
def test_the_words_of_a_link_are_the_term(name):
    assert misled(TEXTS[name]) == []


def test_another_term_is_seen():
    assert misled("{term}`risk <excess risk>`") == [("risk", "excess risk")]
    assert misled("{term}`leverage scores <ridge>`")
    assert not misled("{term}`leverage scores <leverage score>`, {term}`risk`")


# --- Results --------------------------------------------------------------------------

RESULT = re.compile(r"\{ref\}`(?:[^`<]*<)?(\w+:[\w.-]+)>?`")
KINDS = [x for kind in ("norms", "schemes") for x in vocabulary.TELLING[kind].split()]
TOLD = {vocabulary.one(vocabulary.SAME.get(x, x)) for x in KINDS}
# What every result is about, and how norms are written.
ALWAYS = {"nyström"}
WRITTEN = {"frobeniu": r"_F", "spectral": r"_2|norm_", "trace": r"trace|\btr\b|_\*"}
# Words of a sentence that are not those of the result that it links, and whose.
BESIDE = {
    ("choosing_the_kernel", "ding2019:criterion"): "ridge",
    ("pivots_and_volumes", "modern:k-dpp-expectation"): "dpp",
    ("pivots_and_volumes", "modern:rpcholesky"): "rpcholesky",
    ("pivots_and_volumes", "modern:geometry"): "trace",
    ("projection_or_reconstruction", "talwalkar2010:eq-2.13"): "orthonormal",
    ("sketches_and_limits", "modern:structural"): "leverage",
    ("what_to_use", "modern:ridge-risk-core"): "trace",
    ("what_to_use", "wikipedia:random-binning"): "wave",
    ("which_random_features", "modern:ridge-risk-core"): "wave",
}


def of_result(theorem):
    """The words of a result: of its box, of its lines, and of what these name."""
    told = [theorem.title, theorem.setting, *theorem.where_lines.values()]
    told += [h.says for h in theorem.hypotheses.values()]
    for name, claim in theorem.claims.items():
        told += [name, claim.says, claim.line, str(claim.law)]
    for name in vocabulary.named(" ".join(told)) & {*theorem.quantities}:
        quantity = theorem.quantities[name]
        told += [quantity.meaning, quantity.latex]
    whole = " ".join(told)
    written = {word for word, pattern in WRITTEN.items() if re.search(pattern, whole)}
    columns = {"column-sampling"} if "col" in whole else set()
    return vocabulary.words(whole) | written | columns | ALWAYS


def rows(text):
    """The rows of the tables of a text."""
    return re.findall(r"^\|.*\|$", text, re.M)


def strange(sentence):
    """Norms and schemes of a sentence that no result has to which it links."""
    linked = [x for x in RESULT.findall(sentence) if x in theorems]
    if not linked:
        return {}
    here = set().union(*(of_result(theorems[each]) for each in linked))
    plain = re.sub(r"\{\{.*?\}\}", " ", UNSAID.sub(" ", sentence))
    told = vocabulary.words(plain) & TOLD - here
    return {linked[0]: told} if told else {}


@pytest.mark.parametrize("name", TEXTS)
def test_a_norm_or_a_scheme_beside_a_link_is_one_of_the_result(name):
    for each in {*sentences(TEXTS[name]), *rows(TEXTS[name])}:
        for id, told in strange(each).items():
            assert told == {BESIDE.get((name, id))}, each


def test_another_result_is_seen():
    """Each link of the book, led to a result without the words of the sentence."""
    some = [x for text in TEXTS.values() for x in (*sentences(text), *rows(text))]
    seen = []
    for each in some:
        plain = re.sub(r"\{\{.*?\}\}", " ", UNSAID.sub(" ", each))
        if RESULT.search(each) and vocabulary.words(plain) & TOLD - ALWAYS:
            link = "{ref}`dellavecchia2024:exponents`"
            seen.append(bool(strange(RESULT.sub(link, each))))
    assert sum(seen) > 0.6 * len(seen) > 20, (sum(seen), len(seen))
