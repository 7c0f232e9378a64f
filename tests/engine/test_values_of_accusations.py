r"""Values in the `why` of an accusation: each is what its counterexample has.

Decimals, sizes, matrices and places have tests of their own; here is what else is a
number, in brackets in `values_of_accusations.py`. Numbers of formulas that hold for
every instance, ``\sqrt 2 \psi``, are listed in `GENERAL`.
"""

import re
from math import comb

import numpy as np
import pytest
from test_numbers_of_accusations import LETTERS
from test_words_of_accusations import ACCUSED, DECIMAL, DIAGONAL, ENTRIES, OWNED
from values_of_accusations import VALUES, held_with, printed_bound, value

BRACKETS = re.compile(r"\[([^\]]*)\]")
CASES = [(key, phrase) for key, phrases in VALUES.items() for phrase in phrases]
FRACTION = re.compile(r"\\frac(?:\{(\d+)\}|(\d))(?:\{(\d+)\}|(\d))")


def number(typed):
    r"""``\frac{27}{124} \sqrt 2``, ``2 \cdot 10^6`` or ``(0, 1, 1)``, as numbers."""
    plain = FRACTION.sub(lambda x: f"({x[1] or x[2]}/{x[3] or x[4]})", typed)
    plain = re.sub(r"\\sqrt(?:\{(\d+)\}| (\d))", r"(\1\2**0.5)", plain)
    plain = re.sub(r"\\binom\{(\d+)\}\{(\d+)\}", r"comb(\1, \2)", plain)
    plain = plain.replace(r"\cdot", "*").replace("^{", "**(").replace("}", ")")
    plain = re.sub(r"^\((.*?,.*?)\)(?= /|$)", r"array([\1])", plain)
    plain = re.sub(r"(?<=\d) (?=\d)", "", plain.replace("^", "**"))
    plain = re.sub(r"\) *\(", ")*(", plain)
    return np.asarray(eval(plain, {"comb": comb, "array": np.array}), float)


def is_shown(before, typed, found):
    """Whether a value is the one that is typed, or beyond it, "above 2/5"."""
    told, found = number(typed), np.asarray(found, float)
    if re.search(r"\babove \$?$", before):
        return bool(np.all((found >= told) & (found < 1.05 * told)))
    if not found.size or told.ndim and np.ravel(found).shape != told.shape:
        return False
    rounded = "." in typed or re.search(r"nearly \$?$", before)
    near = 4e-3 if rounded else 1e-9
    zero = 0 if np.all(told) else 1e-9
    return np.allclose(np.ravel(found), told, rtol=near, atol=zero)


def misfits(key, phrase):
    """The values of a phrase that are others, with those."""
    told = []
    marks, rules = [*BRACKETS.finditer(phrase)], VALUES[key][phrase]
    assert len(marks) == len(rules), phrase
    for mark, rule in zip(marks, rules, strict=True):
        found = value(key, rule) if isinstance(rule, str) else rule(key)
        if not is_shown(phrase[: mark.start()], mark[1], found):
            told.append((mark[1], found))
    return told


@pytest.mark.parametrize(("key", "phrase"), CASES)
def test_a_value_is_that_of_the_counterexample(key, phrase):
    assert ACCUSED[key][1].why.count(BRACKETS.sub(r"\1", phrase)) == 1
    assert misfits(key, phrase) == []


# --- Words with a contrary ------------------------------------------------------------


def goes(key, less, more):
    """Whether the one is less than the other on the counterexample."""
    return bool(np.all(value(key, less) < value(key, more) - 1e-12))


# A word and one that would be wrong; a function says which of both is so, 1 or 2.
WORDS = {
    ("talwalkar2010:eq-2.13", "name of the block"): {
        "$, what is [missing from|in] the approximation and not": lambda key: 2
        - np.allclose(value(key, "schur"), value(key, "K_22 - K_21 @ pinv(W) @ K_21.T"))
    },
    ("talwalkar2010:eq-3.17", "max"): {
        "A [minimum|maximum], not a": lambda key: 2 - goes(key, "J_a", "J_v"),
    },
    ("talwalkar2010:eq-3.12", "concave"): {
        "Read '[convex|concave]'": lambda key: 2
        - goes(key, "loss_mid", "(loss_v + loss) / 2"),
    },
    ("talwalkar2010:eq-3.1", "least sum"): {
        "it is [least|largest] where all points fall together": lambda key: 2
        - goes(key, "sum(squares_Z)", "sum(squares_Y)"),
    },
    ("talwalkar2010:eq-3.3", "another sum"): {
        "has a [smaller|larger] sum": lambda key: 2
        - goes(key, "printed_sum_V", "printed_sum_Y"),
    },
    ("talwalkar2010:prop-5.3", "max"): {
        r"\sqrt 2$, [larger|smaller] than the printed": lambda key: 2
        - (value(key, "graph_change") > printed_bound(key)),
    },
    ("talwalkar2010:eq-2.2", "rank equal to k"): {
        "The rank is at [most|least] $k$": lambda key: 2
        - goes(key, "rank_approximation", "k"),
    },
    ("talwalkar2010:thm-5.3", "one expert"): {
        "points, [three|two] experts": lambda key: {3: 1, 2: 2}[
            int(ACCUSED[key][1].instance.p)
        ],
    },
    ("dellavecchia2024:prop-34", "the constant without its exponent"): {
        r"it has $[\gamma|\gamma^p]$ in place": lambda key: 2
        - ("<= gamma / " in ACCUSED[key][1].line),
    },
    ("ding2019:alg-2", "columns for rows"): {
        "$E$ has one [column|row] for each sampled column": lambda key: 2
        - (value(key, "C").shape[1] == value(key, "l")),
    },
}
CONTRARY = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


@pytest.mark.parametrize("key", WORDS, ids=", ".join)
def test_a_word_of_an_accusation_is_so(key):
    for phrase, decide in WORDS[key].items():
        plain = CONTRARY.sub(rf"\{int(decide(key))}", phrase)
        assert ACCUSED[key][1].why.count(plain) == 1, "enter the new words"


# --- No value stands alone ------------------------------------------------------------

VALUE = re.compile(r"(?<![\w^_{.])-?\d+(?![\w.])|\\sqrt \d|\\frac\d+")
# What holds for every instance, or names a formula, an index, an algorithm.
GENERAL = re.compile(
    r"\\mathbf 1|- 1\b|\^\{-?1/2\}|\\frac1\\delta|1 - \\delta|\|2\\eta - 1\|"
    r"|Algorithm \d|Assumption \d|\\Delta_1 / 2|half of the points at 1 and half at 0.7"
    r"|\\bigl\[1 \+|\\sqrt\{2 ?[/q]|\\frac\{2n\}|_\{n\+1\}|\\sigma\^2 u\^2 / 2"
    r"|\\sqrt 2 \\psi\$ in place of \$2 \\varphi|with the factor \$\\sqrt 2\$"
    r"|\$2 \\sqrt 2 \\\|K_k\\\|_F\$ in place of \$8 |2 / \\binom\{2l\}\{l\} > 0"
    r"|C_1 = C_2 = 2|\\Delta v = 1|\|v\\\| = 1|\$Y = 0\$|\\gamma \\ge 1|t > 0"
    r"|P\(\\eta = \\frac12\) = 0|quotient is \$0/0\$: in|\\sqrt 5 - 2|between 1 and 2"
)


def alone(key, why):
    """The values of an accusation that stand in no phrase."""
    plain = (BRACKETS.sub(r"\1", phrase) for phrase in VALUES.get(key, ()))
    for each in plain:
        why = why.replace(each, " " * len(each))
    for hidden in (OWNED, GENERAL, DECIMAL, DIAGONAL, ENTRIES, LETTERS):
        why = hidden.sub(lambda found: " " * len(found[0]), why)
    return VALUE.findall(why)


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_a_value_stands_in_a_phrase(key):
    """Enter it in VALUES with the line that gives it."""
    assert alone(key, ACCUSED[key][1].why) == []


# --- Another value is seen ------------------------------------------------------------


def others(typed):
    """A value with one of its numbers changed."""
    for found in re.finditer(r"\d+", typed):
        old, one = int(found[0]), len(found[0]) == 1
        for new in (old % 9 + 1, (old + 3) % 9 + 1) if one else (old + 1, old - 1):
            changed = f"{typed[: found.start()]}{new}{typed[found.end() :]}"
            if not np.array_equal(number(changed), number(typed)):
                yield changed


@pytest.mark.parametrize(("key", "phrase"), CASES)
def test_another_value_is_seen(key, phrase):
    """In the words alone, and in the words and their phrase."""
    rules = VALUES[key][phrase]
    for mark, rule in zip(BRACKETS.finditer(phrase), rules, strict=True):
        found = value(key, rule) if isinstance(rule, str) else rule(key)
        for new in others(mark[1]):
            assert not is_shown(phrase[: mark.start()], new, found), new


def test_the_line_decides_for_which_value_it_holds():
    key = ("talwalkar2010:eq-3.14", "lambda")
    assert held_with(key, alpha=1.0) and not held_with(key, alpha=2.0)
