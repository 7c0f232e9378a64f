"""How to read this book: what shows its words that compare."""

import re
from itertools import pairwise
from unittest import mock

import numpy as np
import portable
from flint import arb
from statements_of_texts import TEXTS
from words_shown import explained, shown

from nystheory.chapters.how_to_read_this_book import experiments as planted
from nystheory.engine.trial import search
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds import suite
from nystheory.exact import relations

CHAPTER = "how_to_read_this_book"
FALSE = planted.CONSTANT_TOO_SMALL
CLAIM = FALSE.claims[FALSE.main]

# ---- The search, and what it finds


def kept_by_a_search(steps=100):
    """By how much nearer to failing a climb comes, by no change that leads away."""
    rng, tally = np.random.default_rng(0), search.Tally()
    for each in (suite.random_instance(rng) for _ in range(20)):
        tally.add(compare(CLAIM, reader(FALSE, each)), each, search.SEARCHED)
    with mock.patch.object(suite, "perturbed", wraps=suite.perturbed) as changed:
        start, name = tally.starts()[-1], FALSE.main
        search._climb(FALSE, {name: tally}, name, start, rng, steps)
    kept = [call.args[0] for call in changed.call_args_list]
    far = np.array([-compare(CLAIM, reader(FALSE, case)).score for case in kept])
    changes = np.diff(far)[[a is not b for a, b in pairwise(kept)]]
    assert len(changes) > 3 and (changes < 0).all()
    return changes.sum()


LENGTHS = np.sqrt(np.diag(planted.FLIPPED.K))
TWENTY, LONE = LENGTHS[:-1], LENGTHS[-1]
assert len(TWENTY) == 20


def lengths_differ(count=500):
    """The most by which two clusters differ in length."""
    rng = np.random.default_rng(0)
    drawn = (np.sqrt(np.diag(planted.clusters(rng).K)) for _ in range(count))
    most = max(each.max() / each.min() for each in drawn)
    assert most <= 1.01
    return most - 1


def beyond_the_line():
    """The left side less the right side, of a case whose ratio is above one."""
    case = compare(CLAIM, reader(FALSE, planted.FLIPPED))
    assert case.ratio > 1
    return case.observed - case.bound


# ---- How a page is read


def folded(page):
    """What stands in the folded proofs and solutions of a page."""
    box = r"(?ms)^(:::+)\{(?:proof|solution)\}.*?$(.*?)^\1$"
    return [each[2] for each in re.finditer(box, TEXTS[page])]


def minutes_of_folds():
    """Of a page that has some: when they are opened, and when they are not."""
    least = np.inf
    for page in TEXTS:
        if texts := folded(page):
            shut = portable.minutes([f"<details>{text}</details>" for text in texts])
            least = min(least, portable.minutes(texts) - shut)
    return least


def minutes_of_one():
    """Of a displayed formula, and of a question."""
    each = {portable.minutes([x]) for x in ("$$\nx\n$$", '<div class="quiz">')}
    return each.pop() if len(each) == 1 else np.nan


def larger_than_exact():
    """The largest matrix of the stress suite, less that of the exact search."""
    rng = np.random.default_rng(0)
    some = (suite.stress_suite(rng), suite.integer_instances(rng, 200))
    tried, exact = (max(case.n for case in cases) for cases in some)
    return tried - exact


def widest_that_agree():
    """The largest relative radius of balls that agree to 30 digits, less 1e-30."""
    radii = (1e-31, 9e-31, 2e-30, 1e-29)  # of the difference
    agree = [r for r in radii if relations.near(arb(1), arb(1, r))]
    return max(agree) - 1e-30


shown(
    CHAPTER,
    {
        "changes them a little, keeps what makes things [worse]": kept_by_a_search(),
        "one point at a right angle to them that is slightly [longer]": (
            LONE - TWENTY.max()
        ),
        "whose lengths differ by [one percent] at most": lengths_differ(),
        "[a quarter] of a minute for each displayed formula": minutes_of_one(),
        "because readers who open them need [longer]": minutes_of_folds(),
        "as fractions on small matrices of integers, and compared | [larger]": (
            larger_than_exact()
        ),
        "both sides were enclosed in balls, and the balls decide | [larger]": (
            larger_than_exact()
        ),
        "the balls of two sides of an equation overlap and are [narrower] than that": (
            widest_that_agree()
        ),
        "Right of the line at one the left side is [larger] than the right side": (
            beyond_the_line()
        ),
    },
)

explained(
    CHAPTER,
    {
        "on the site [behind] 'Show code'": "a place, which compares nothing",
        "If [four tenths] of it were reached and [nine tenths] refuted, half of the "
        "bound would have passed": "supposed, and a half lies between the two",
    },
)
