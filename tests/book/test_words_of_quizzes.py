"""Words of quizzes: what they say is computed, and what another word would say is not.

A row of `words_of_quizzes.csv` has a phrase of a quiz with a word in brackets and,
after a stroke, a word that would be wrong there; and what each would say, in the names
of the quiz's listing. In a question, in a reason and in a right option the first is
true and the second is false; in the words of a wrong option it is the other way round.
"""

import csv
import re
from functools import cache
from pathlib import Path

import pytest
from test_quizzes import KNOWN, QUIZZES

PATH = Path(__file__).with_name("words_of_quizzes.csv")
BRACKETS = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
QUIZ = {(name, k): each for name, k, each in QUIZZES}


def entered():
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = [*csv.reader(file)][1:]
    return [((page, int(k)), *rest) for page, k, *rest in rows]


ROWS = entered()


@cache
def names(key):
    """What the listing of a quiz binds."""
    made = dict(KNOWN)
    exec(QUIZ[key].code, made)
    return made


def told(each):
    """The parts of a quiz, each with whether it is said or only offered."""
    parts = [(each.question, True)]
    for option in each.options:
        parts += [(option.words, option.right), (option.why, True)]
    return parts


def said(key, phrase):
    """Whether the page says the phrase; an error where it does not stand once."""
    plain = re.escape(BRACKETS.sub(r"\1", phrase))
    whole = re.compile(rf"(?<!\w){plain}(?!\w)")
    found = [x for words, x in told(QUIZ[key]) if whole.search(words)]
    assert len(found) == 1, f"enter the new words: {phrase}"
    return found[0]


def comes_to(key, expression):
    return bool(eval(expression, names(key)))


@pytest.mark.parametrize(("key", "phrase", "so", "otherwise"), ROWS)
def test_a_word_of_a_quiz_says_what_is_so(key, phrase, so, otherwise):
    is_said = said(key, phrase)
    assert len(BRACKETS.findall(phrase)) == 1
    assert comes_to(key, so) is is_said, "what the word says"
    assert comes_to(key, otherwise) is not is_said, "what the other word would say"


@pytest.mark.parametrize("key", QUIZ)
def test_each_quiz_has_words_in_its_parts(key):
    """In the words or the reasons of an option, and more than one."""
    assert sum(row[0] == key for row in ROWS) > 1


@pytest.mark.parametrize(("key", "phrase", "so", "otherwise"), ROWS)
def test_an_exchanged_word_is_seen(key, phrase, so, otherwise):
    """In the quiz alone no phrase has it; in the row, too, it is false."""
    word, other = BRACKETS.search(phrase).groups()
    turned = BRACKETS.sub(f"[{other}|{word}]".replace("\\", r"\\"), phrase)
    with pytest.raises(AssertionError, match="enter the new words"):
        said(key, turned)
