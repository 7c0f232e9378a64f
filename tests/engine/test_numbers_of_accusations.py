r"""Sizes, places and kinds in the `why` of an accusation are its counterexample's.

*two rows and one landmark*, ``$n = 30$`` and *the second column* are read off the
instance.  Other places and multiples, *three times*, *so has the first*, stand in
brackets in `COMPUTED` beside what they are computed to be; `PLAIN` has those that name
a part of a sentence, of an algorithm or of a theorem.  Some words decide the weight.
"""

import re

import numpy as np
import pytest
from test_words_of_accusations import ACCUSED, SQUARE, measured

WORDS = "one two three four five six seven eight nine ten".split()
NUMBERS = {word: k for k, word in enumerate(WORDS, 1)}
PLACES = {word: k for k, word in enumerate("first second third fourth".split(), 1)}
COUNT, PLACE = "|".join(NUMBERS), "|".join(PLACES)


# --- Sizes ----------------------------------------------------------------------------

SIZES = {
    "n": rf"\b({COUNT}) (?:\w+ )?(?:rows|points|vertices)\b(?! labelled)",
    "l": rf"\b({COUNT}) (?:sampled )?(?:columns?|landmarks?)\b",
}
LETTERS = re.compile(r"\b([nlk])'? = (\d+)(?=[$,]| *=)(?!, ?\d{3})")
# Sizes of something else: of a matrix before its landmarks are taken away, of a block.
OF_OTHERS = {
    ("talwalkar2010:eq-4.2", "columns of S and V"): "two columns",
    ("talwalkar2010:selection-matrix", "on the diagonal"): "three columns",
    ("ding2019:thm-1", "any first columns"): "three columns",
}


def sizes(why):
    """The sizes that words give: (letter, number, words)."""
    found = [(m[1], int(m[2]), m[0]) for m in LETTERS.finditer(why)]
    for letter, pattern in SIZES.items():
        found += [(letter, NUMBERS[m[1]], m[0]) for m in re.finditer(pattern, why)]
    return found


def of_another_size(key, why):
    instance = ACCUSED[key][1].instance
    return [
        words
        for letter, number, words in sizes(why)
        if getattr(instance, letter) != number and words != OF_OTHERS.get(key)
    ]


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_a_size_is_that_of_the_counterexample(key):
    assert of_another_size(key, ACCUSED[key][1].why) == []


def test_another_size_is_seen():
    seen = []
    for key, (_, printed) in ACCUSED.items():
        for *_, words in sizes(printed.why):
            other = re.sub(r"\d+$", "7", re.sub(rf"\b(?:{COUNT})\b", "seven", words))
            if words != OF_OTHERS.get(key):
                why = printed.why.replace(words, other)
                seen.append(bool(of_another_size(key, why)))
    assert all(seen) and len(seen) > 50, len(seen)


# --- Places and multiples -------------------------------------------------------------

SAMPLED = re.compile(rf"\bthe ({PLACE}) column\b(?! has)")
TOLD = re.compile(rf"\b(?:{PLACE}|twice|(?:{COUNT}) times)\b")


def instance_of(key):
    return ACCUSED[key][1].instance


def zero_rows(key):
    """Rows of what rank k' leaves of the columns so far, those without an error."""
    i = instance_of(key)
    values, U = np.linalg.eigh(i.W)
    U = U[:, ::-1][:, : i.k]
    core = U @ np.diag(1 / values[::-1][: i.k]) @ U.T
    errors = np.linalg.norm(i.C - i.C @ core @ i.W, axis=1)
    return [int(j) + 1 for j in np.flatnonzero(errors < 1e-12)][::-1]


def largest(A):
    return int(np.diag(A).argmax()) + 1


def unit(key, name):
    return ACCUSED[key][0].quantities[name].unit


def whole(key):
    """The squared error over the least one, without its fraction."""
    return int(measured(*key, SQUARE))


COMPUTED = {
    ("talwalkar2010:thm-2.2-form", "leading directions for every k"): {
        "prefers the [first] point": lambda key: [largest(instance_of(key).W)],
        r"(4, 10)$ the [second]": lambda key: [
            largest(instance_of(key).C.T @ instance_of(key).C)
        ],
    },
    ("talwalkar2010:alg-4.4", "all columns"): {
        "the [third] column has error zero, and so has the [first]": zero_rows,
    },
    ("talwalkar2010:alg-4.4", "the norm"): {
        "the [first] two drawn": lambda key: [instance_of(key).landmarks[0] + 1],
    },
    ("talwalkar2010:selection-matrix", "on the diagonal"): {
        "the [third] of three columns": lambda key: instance_of(key).landmarks + 1,
    },
    ("talwalkar2010:eq-5.8", "the distance squared"): {
        "the unit of $K$ to the [third] power": lambda key: [
            2 * unit(key, "distance_F") + unit(key, "K_max")
        ],
    },
    ("ding2019:volume-sampling-nystrom", "volume step"): {
        "not [twice]": lambda key: [measured(*key, "k + 1")],
    },
    ("ding2019:volume-sampling-nystrom", "two rounds"): {
        "more than [three times] that of the best": lambda key: [whole(key)],
        "not [twice]": lambda key: [
            measured(*key, "(k * (k + 1) + l / 2) / (l / 2)"),
        ],
    },
}
PLAIN = (
    *("The first in the statement, the second in the proof", "come first, as"),
    *("weight on the first", "first expert", "the second part needs", "first equality"),
    *("first round", "the first columns", "other first columns", "the first diagonal"),
    *("except that the first", "the first block", "edge counted twice"),
)


def value(word):
    """What a place or a multiple says."""
    word = word.removesuffix(" times")
    return 2 if word == "twice" else (PLACES | NUMBERS)[word]


def misplaced(key, why):
    """Places and multiples that nothing shows, or that are others."""
    told, hidden = [], why
    for phrase, compute in COMPUTED.get(key, {}).items():
        words = re.findall(r"\[(.*?)\]", phrase)
        plain = phrase.replace("[", "").replace("]", "")
        if plain not in hidden:
            told.append(phrase)
        elif [value(x) for x in words] != [round(float(x), 9) for x in compute(key)]:
            told.append(phrase)
        hidden = hidden.replace(plain, "")
    for found in SAMPLED.finditer(hidden):
        if [PLACES[found[1]] - 1] != list(instance_of(key).landmarks):
            told.append(found[0])
    hidden = SAMPLED.sub("", hidden)
    for plain in PLAIN:
        hidden = hidden.replace(plain, "")
    return told + TOLD.findall(hidden)


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_a_place_or_a_multiple_is_computed(key):
    """Enter it in COMPUTED with what it is, or, if it names a part, in PLAIN."""
    assert misplaced(key, ACCUSED[key][1].why) == []


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("talwalkar2010:alg-4.4, all columns", "so has the first", "so has the second"),
        ("ding2019:volume-sampling-nystrom, two rounds", "three times", "five times"),
        ("talwalkar2010:eq-2.2, rank equal to k", "the second col", "the first col"),
        ("talwalkar2010:eq-5.8, the distance squared", "third power", "fourth power"),
    ],
)
def test_another_place_or_multiple_is_seen(key, old, new):
    key = tuple(key.split(", "))
    why = ACCUSED[key][1].why
    assert old in why
    assert misplaced(key, why.replace(old, new))


# --- Weights --------------------------------------------------------------------------

# Words that answer one of the four questions of the errata page, with the weight that
# follows: another symbol or word should stand there, a statement is not touched.
DECIDED = {
    "misprint": r"should be\b|a slip (?:for|of the name)|\bRead '|\bmisprinted\b"
    r"|factor \S+ too much",
    "gap in the proof": r"(?:without|no) proof|proof sketch|printed proof is"
    r"|[Tt]he (?:statement|theorem) (?:holds|is not touched)|[Tt]he bound is true",
    "missing hypothesis": r"states no condition|only that condition is missing"
    r"|should stop|needs a hypothesis|does not repeat it|that they are is not stated",
}


def decided(why):
    """The weights that words decide."""
    return {weight for weight, words in DECIDED.items() if re.search(words, why)}


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_the_words_that_decide_a_weight_have_it(key):
    printed = ACCUSED[key][1]
    assert decided(printed.why) <= {printed.weight}


def test_words_decide_many_weights():
    """Of the others a referee reads the why."""
    assert sum(bool(decided(each.why)) for _, each in ACCUSED.values()) >= 20
