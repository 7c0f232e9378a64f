r"""A link to a result leads to one that has what the sentence says it has.

`NOUNS` name quantities, methods and laws: a sentence that has one and links to results
links to one whose title, setting, symbols or claims have it. `KINDS` are ways to speak
of a result, *on average*, *the thesis*, *a control*, that it can be asked for. And
`lines_of_links.csv` has phrases with links, each with what stands in a claim of that
result, and of no other result that the page links.
"""

import csv
import re
from functools import cache
from pathlib import Path

import pytest
import vocabulary
from statements_of_texts import TEXTS, sentences
from test_words_of_links import RESULT, rows

from nystheory.chapters import theorems

# What every sentence may have, and no result need have, is not here.
NOUNS = set(
    "angle batches bias block Cholesky coherence convex covariance criterion decay "
    "deviation dimension distance duality effective eigenmaps excess Fourier frequency "
    "Gaussian graph Hessian hinge labels Laplacian leading loss mixture "
    "objective Pegasos perturbation phases pivots posterior preconditioner quotient "
    "regularised ridge risk singular sketch slope subspace support transpose uniform "
    "variance volume".split()
)
UNSAID = re.compile(
    r"\{\w+(?::\w)?\}`[^`]*?<[^`]*>`|\{\w+(?::\w)?\}`[^`]*`|\{\{.*?\}\}|\$[^$]*\$|`[^`]*`"
)
PAPERS = ("yang2012", "ding2019", "dellavecchia2024")


def stem(word):
    return word.lower()[:6]


STEMS = {stem(x) for x in NOUNS}


def words(text):
    """Beginnings of the words of a text."""
    return {stem(x) for x in re.findall(r"[A-Za-zäöü]{4,}", text)}


@cache
def of_result(id):
    """Those of a result: of its box, of what its lines name, of what was printed."""
    theorem = theorems[id]
    told = [theorem.title, theorem.setting, *theorem.controls]
    told += [each.says for each in theorem.hypotheses.values()]
    for name, claim in theorem.claims.items():
        told += [name, claim.says]
    lines = [c.line for c in theorem.claims.values()] + [*theorem.where_lines.values()]
    for name in vocabulary.named(" ".join(lines)) & {*theorem.quantities}:
        told.append(theorem.quantities[name].meaning)
    for name, printed in theorem.printed.items():
        told += [name, printed.why, printed.says]
    return words(" ".join(map(str, told)))


def linked(page):
    """The sentences and rows of a page with the results to which they lead."""
    for each in dict.fromkeys((*sentences(TEXTS[page]), *rows(TEXTS[page]))):
        ids = [x for x in RESULT.findall(each) if x in theorems]
        if ids:
            yield UNSAID.sub(" ", each), ids


def strange(plain, ids):
    """The nouns of a sentence that none of its results has."""
    return {
        noun
        for noun in words(plain) & STEMS
        if not any(noun in of_result(id) for id in ids)
    }


@pytest.mark.parametrize("page", TEXTS)
def test_a_link_leads_to_what_the_sentence_names(page):
    """A noun that a sentence has for something else is taken out of NOUNS."""
    told = [(strange(*each), each) for each in linked(page)]
    assert [each for each in told if each[0]] == []


# ---- Ways to speak of a result


def lines(id):
    return " ; ".join(claim.line for claim in theorems[id].claims.values())


KINDS = {
    r"\b(in the mean|expectation|mean error)\b": lambda id: "mean(" in lines(id),
    r"\bthe thesis\b": lambda id: id.startswith("talwalkar2010"),
    r"\bthe paper\b": lambda id: id.partition(":")[0] in PAPERS,
    r"\bcontrols?\b": lambda id: bool(theorems[id].controls),
    r"\b(equality|identity)\b": lambda id: "==" in lines(id),
    r"\bis attained\b|\bare attained\b": lambda id: "==" in lines(id),
    r"\bchain of inequalities\b": lambda id: has_chain(id),
}


def has_chain(id):
    """Three quantities in a row, each at most the next, in lines of a result."""
    sides = [x.split(" <= ") for x in lines(id).split(" ; ") if x.count(" <= ") == 1]
    ends = {left: right for left, right in sides}
    return any(ends.get(ends.get(left)) for left in ends)


def unlike(plain, ids):
    """Ways to speak that fit none of the results."""
    return [
        way
        for way, fits in KINDS.items()
        if re.search(way, plain, re.I) and not any(map(fits, ids))
    ]


@pytest.mark.parametrize("page", TEXTS)
def test_a_result_is_spoken_of_as_what_it_is(page):
    told = [(unlike(*each), each) for each in linked(page)]
    assert [each for each in told if each[0]] == []


# ---- What a sentence says of a result

PATH = Path(__file__).with_name("lines_of_links.csv")


def entered():
    """Page and phrase with its link, and what a claim of the result has."""
    with PATH.open(encoding="utf-8", newline="") as file:
        return {(page, phrase): line for page, phrase, line in [*csv.reader(file)][1:]}


LINES = entered()


def whole(id):
    """The title of a result, and its claims with their names."""
    claims = theorems[id].claims.items()
    named = " ; ".join(f"{name}: {claim.line}" for name, claim in claims)
    return f"{theorems[id].title} ; {named}"


def led(page, phrase):
    """The last result of a phrase, also where the phrase ends within its link."""
    text = " ".join(TEXTS[page].split())
    assert text.count(phrase) == 1, "enter the new words"
    at = text.index(phrase)
    starts = [x.start() for x in RESULT.finditer(text) if at <= x.start()]
    inside = [x for x in starts if x < at + len(phrase)]
    return RESULT.match(text, inside[-1] if inside else starts[0])[1]


def has(id, pattern):
    return bool(re.search(pattern, whole(id)))


@pytest.mark.parametrize(("page", "phrase"), LINES)
def test_a_result_has_what_the_sentence_says(page, phrase):
    assert has(led(page, phrase), LINES[page, phrase])


@pytest.mark.parametrize(("page", "phrase"), LINES)
def test_no_other_result_of_the_page_has_it(page, phrase):
    """But where two have one claim, and are exchanged in vain."""
    found = {x for _, ids in linked(page) for x in ids if has(x, LINES[page, phrase])}
    assert found == {led(page, phrase)}


# ---- Another result is seen


def others(page, ids):
    """Other results that a page links, each alone."""
    return {x for _, some in linked(page) for x in some} - {*ids}


def test_another_result_is_seen():
    """Of sentences with a noun or a way to speak, led to other results of the page."""
    seen = []
    for page in TEXTS:
        for plain, ids in linked(page):
            if words(plain) & STEMS or any(re.search(x, plain, re.I) for x in KINDS):
                seen += [
                    bool(strange(plain, [x]) or unlike(plain, [x]))
                    for x in others(page, ids)
                ]
    assert len(seen) > 500 and sum(seen) > 0.6 * len(seen), (sum(seen), len(seen))
