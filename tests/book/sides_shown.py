r"""Words that could be exchanged for their opposites, and what shows each of them.

`SIDES` has, for a chapter, phrases of its text: prose, captions, quizzes, steps of
algorithms, proofs and solutions. In brackets stand a word, or a formula, and what it
could be exchanged for, parted by bars (a bar behind a backslash parts nothing); the
page has one of them, and beside the phrase is a function that says of each whether it
is so, computed::

    sides("a_few_columns", {
        "this one is the [smallest|largest] of them": lambda word: is_the[word](K),
        "starts from a ridge so [large|small], and [divides|multiplies] it": either,
        "it can be [too small]": promised - needed,
        "at most [$1/a$|$a$]": {"$1/a$": most <= 1 / a, "$a$": most <= a},
    })

What the page has must be so, and with each other word in any one bracket it must not be
so. Which of the words stands first says nothing: the page is read. A function gets as
many words as there are brackets. A number shows a word of `SIGNS` by its sign, and the
word of the other sign is what it could be exchanged for; a table has the truth of each.
"""

import math
import re
from collections import defaultdict
from functools import cache

from statements_of_texts import TEXTS

SIDES = defaultdict(dict)

PAIRS = "largest/smallest larger/smaller most/least large/small long/short many/few"
PAIRS += " positive/negative upper/lower above/below after/before convex/concave"
PAIRS += " more/less more/fewer first/last longer/shorter high/low higher/lower up/down"
PAIRS += " grows/shrinks rises/falls increases/decreases steeper/flatter late/early"
PAIRS = [tuple(pair.split("/")) for pair in PAIRS.split()]
PAIRS += [(f"too {more}", f"too {less}") for more, less in PAIRS[:6]]
SIGNS = {more: 1 for more, _ in PAIRS} | {less: -1 for _, less in PAIRS}
OPPOSITE = {less: more for more, less in PAIRS} | dict(PAIRS[::-1])
BRACKETS = re.compile(r"\[([^][]+)\]")


def sides(chapter, phrases):
    """Enter phrases with what judges the words in their brackets."""
    SIDES[chapter] |= phrases


@cache
def text_of(page):
    """A text in one line."""
    return " ".join(TEXTS[page].split())


def choices(phrase):
    """The words that could stand in each bracket."""
    found = (re.split(r"(?<!\\)\|", inside) for inside in BRACKETS.findall(phrase))
    return [x if len(x) > 1 else [x[0], OPPOSITE[x[0]]] for x in found]


def said(phrase, text):
    """The words that the text has in the brackets, or None if it has none of them.

    A phrase stands there once.
    """
    pieces = BRACKETS.split(phrase)
    pattern = re.escape(pieces[0])
    for some, after in zip(choices(phrase), pieces[2::2], strict=True):
        pattern += f"({'|'.join(map(re.escape, some))}){re.escape(after)}"
    found = re.findall(rf"(?<!\w){pattern}(?!\w)", text)
    if len(found) != 1:
        return None
    return (found[0],) if isinstance(found[0], str) else found[0]


def is_so(shows, words):
    """Whether words are true, by a function, a table or the sign of a number."""
    if callable(shows):
        return bool(shows(*words))
    (word,) = words
    if isinstance(shows, dict):
        return bool(shows[word])
    number = float(shows)
    return math.isfinite(number) and number * SIGNS[word] > 0


def exchanged(phrase, words):
    """The words with one of them exchanged, in each way."""
    for k, some in enumerate(choices(phrase)):
        for other in some:
            if other != words[k]:
                yield (*words[:k], other, *words[k + 1 :])


def complaints(phrases, text):
    """What is wrong with phrases: not said, not so, or so with other words too."""
    told = []
    for phrase, shows in phrases.items():
        words = said(phrase, text)
        if words is None:
            told.append(f"not said, or not once: {phrase}")
        elif not is_so(shows, words):
            told.append(f"not so: {phrase}, {words}")
        else:
            told += [
                f"so as well: {phrase}, {others}"
                for others in exchanged(phrase, words)
                if is_so(shows, others)
            ]
    return told
