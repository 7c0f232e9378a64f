"""A number of the run stands beside the name that its expression has.

Of ``{{ lost["uniform"] }} for uniform columns and {{ lost["pivots"] }} for pivots``
each expression has a word that the other has not, and the sentence has both words.
Who exchanges two of them is told: another order would be nearer to the words.

Of ``{{ times:.0f }}`` the data are those of which the page computes it, ``times =
mean("ratio", "waves")``: a sentence that names data names one of these.
"""

import re
from itertools import permutations

import pytest
import vocabulary
from statements_of_texts import TEXTS, UNSAID, sentences

EXPRESSION = re.compile(r"\{\{(.*?)\}\}")
# Sentences whose words stand nearer to another number, and why.
NEARER = {
    ("certificates_afterwards", "There the guess of the trace is at most"): (
        "the error of the guess comes before the error"
    ),
    ("choosing_the_kernel", "On the waves it is"): "a number of the last one follows",
}


def own_words(expressions):
    """For each expression the words, of four letters or more, that no other has."""
    some = [
        {x for x in vocabulary.words(re.sub(r"[^\w-]", " ", each)) if len(x) > 3}
        for each in expressions
    ]
    return [
        each - set().union(*(x for j, x in enumerate(some) if j != i))
        for i, each in enumerate(some)
    ]


def places(sentence):
    """Where each expression stands, and where the words that it alone has."""
    found = [*EXPRESSION.finditer(sentence)]
    plain = EXPRESSION.sub(lambda each: " " * len(each[0]), sentence.lower())
    told = [
        (x.start(), vocabulary.one(vocabulary.SAME.get(x[0], x[0])))
        for x in vocabulary.WORD.finditer(plain)
    ]
    own = own_words([each[1] for each in found])
    pairs = [
        (each.start(), [at for at, word in told if word in some])
        for each, some in zip(found, own, strict=True)
    ]
    return [pair for pair in pairs if pair[1]]


def exchanged(sentence):
    """Whether the words would be nearer to the numbers in another order."""
    pairs = places(sentence)
    if not 2 <= len(pairs) <= 5:
        return False

    def distance(order):
        nearest = (
            min(abs(at - place) for at in pairs[j][1])
            for (place, _), j in zip(pairs, order, strict=True)
        )
        return sum(nearest)

    given = tuple(range(len(pairs)))
    return min(map(distance, permutations(given))) < distance(given)


def known(name, sentence):
    """Whether a sentence is listed."""
    return any(name == page and sentence.startswith(x) for page, x in NEARER)


@pytest.mark.parametrize("name", TEXTS)
def test_a_number_stands_beside_its_name(name):
    told = [each for each in sentences(TEXTS[name]) if exchanged(each)]
    assert [each for each in told if not known(name, each)] == []


def test_two_numbers_that_are_exchanged_are_seen():
    """The first two that have words of their own, in each sentence."""
    seen = []
    for text in TEXTS.values():
        for each in sentences(text):
            if 2 <= len(places(each)) <= 5 and not exchanged(each):
                one, other = (place for place, _ in places(each)[:2])
                first, second = (
                    EXPRESSION.match(each, place)[0] for place in (one, other)
                )
                middle = each[one + len(first) : other]
                rest = each[other + len(second) :]
                seen.append(exchanged(each[:one] + second + middle + first + rest))
    assert sum(seen) > 0.8 * len(seen) > 30


# ---- The data of a number

DATA = {vocabulary.one(each) for each in vocabulary.TELLING["data"].split()}
# What a number is not of.
OTHERWISE = re.compile(r"\b(except|but|not|other|against)\b")


def of_data(expression, text):
    """Data in the strings of an expression, or of what its names are bound to once."""
    made = [expression]
    for name in re.findall(r"[a-z_]\w*", re.sub(r"\".*?\"", " ", expression)):
        bound = re.findall(rf"^ *{name} = .*(?:\n    .*)*", text, re.M)
        made += bound if len(bound) == 1 else []
    strings = re.findall(r"\"([^\"]*)\"", " ".join(made))
    return vocabulary.words(" ".join(strings)) & DATA


def of_other_data(sentence, text):
    """The expressions whose data are none of those that their sentence names."""
    plain = EXPRESSION.sub(" ", UNSAID.sub(" ", sentence))
    told = vocabulary.words(plain) & DATA
    if not told or OTHERWISE.search(plain):
        return []
    found = [(each, of_data(each, text)) for each in EXPRESSION.findall(sentence)]
    return [each for each, some in found if some and not some & told]


@pytest.mark.parametrize("name", TEXTS)
def test_a_number_is_of_the_data_that_its_sentence_names(name):
    text = TEXTS[name]
    told = [x for each in sentences(text) for x in of_other_data(each, text)]
    assert told == []


def test_a_number_of_other_data_is_seen():
    """The one data set that a sentence names, exchanged for another."""
    seen = []
    for text in TEXTS.values():
        for each in sentences(text):
            plain = EXPRESSION.sub(" ", UNSAID.sub(" ", each))
            words = vocabulary.WORD.findall(plain.lower())
            named = {x for x in words if vocabulary.one(x) in DATA}
            some = set().union(*(of_data(x, text) for x in EXPRESSION.findall(each)))
            if some and len(named) == 1 and not OTHERWISE.search(plain):
                new = "roll" if "roll" not in some else "arm"
                other = re.sub(rf"(?<![\"'])\b{named.pop()}\b(?![\"'])", new, each)
                seen.append(bool(of_other_data(other, text)))
    assert sum(seen) > 0.8 * len(seen) > 20, (sum(seen), len(seen))
