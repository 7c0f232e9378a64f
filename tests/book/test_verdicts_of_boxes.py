"""The verdict that a box unfolds is that of the theorem, verified in this run."""

import html
import re

import make_notebooks
import nbformat
import portable
import pytest

from nystheory.chapters import theorems
from nystheory.engine.report import page

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
# Cases and tightness are the machine's; a number that is not its neighbour is a lie.
APART = 2.0


# Two numbers of three digits that differ by less may be the same.
DIGITS = 0.01
# What was observed and what is claimed there; the instance is the machine's.
PAIR = re.compile(r"(.*): (\S+) where (\S+) is claimed\.")
# How often rounding hid the answer is the machine's, too.
HIDDEN = re.compile(r"^(\d+), \d+ undecided$")
# A number in a sentence.
ALONE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]\d+)?(?!\w|\.\d)")


def told(verdict: str) -> tuple[list[str], list[float], list[float]]:
    """Words and numbers of a verdict as HTML, all but the worst instances.

    The last are, for each worst instance, by how much of the larger of the two the
    observed number is above the bound.
    """
    table, _, below = verdict.partition("</table>")
    lines = html.unescape(re.sub(r"<[^>]*>", "\n", table)).split("\n")
    cells = [HIDDEN.sub(r"\1", line.strip()) for line in lines if line.strip()]
    numbers = [float(each) for each in cells if NUMBER.fullmatch(each)]
    words = [each for each in cells if not NUMBER.fullmatch(each)]
    for line in re.findall(r"<(?:p|summary)>(.*?)</(?:p|summary)>", below):
        words.append(ALONE.sub("#", line))
        numbers += [float(each) for each in ALONE.findall(line)]
    gaps = []
    for line in re.findall(r"<li>(.*?)</li>", below):
        name, *pair = PAIR.match(line).groups()
        observed, bound = map(float, pair)
        words.append(name)
        gaps.append((observed - bound) / (max(abs(observed), abs(bound)) or 1))
    return words, numbers, gaps


def faults(shown: str, verified: str) -> list[str]:
    """Where a box says another thing than a verdict."""
    words, numbers, gaps = told(shown)
    true_words, true_numbers, true_gaps = told(verified)
    if len(words) != len(true_words) or len(numbers) != len(true_numbers):
        return ["another number of cells"]
    wrong = [(a, b) for a, b in zip(words, true_words, strict=True) if a != b]
    for a, b in zip(numbers, true_numbers, strict=True):
        if not b / APART <= a <= b * APART:
            wrong.append((a, b))
    # Another machine may find another worst instance, on the same side of its bound.
    wrong += [
        (f"{a:+.2f} of the bound", f"{b:+.2f}")
        for a, b in zip(gaps, true_gaps, strict=True)
        if a * b < 0 and min(abs(a), abs(b)) > DIGITS
    ]
    return [f"{a!r}, and not {b!r}" for a, b in wrong]


@pytest.fixture(scope="module")
def boxes():
    """What each box of the book unfolds, by its anchor."""
    found = {}
    for name in make_notebooks.names():
        path = make_notebooks.BOOK / "notebooks" / f"{name}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        found |= portable.runs(cell.source for cell in cells)
    return found


# From the other end than test_verify, so that the two need not wait for each other.
@pytest.mark.parametrize("id", [*theorems][::-1])
def test_a_box_unfolds_the_verdict_of_its_theorem(id, boxes):
    """Run python book/make_notebooks.py NAME when this fails."""
    theorem = theorems[id]
    assert faults(boxes[theorem.anchor], page.verdict(theorem)) == []


COHERENCE = theorems["talwalkar2010:def-5.1"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<summary>verified", "<summary>certified"),
        ("worst-case search", "symbolic"),
        ("rightly refuted", "verified"),
        (COHERENCE.book_number, "Definition 99.9"),
        (r"\mu \ge 1", r"\mu \ge 2"),
        (r">1</td>", r">0.3</td>"),
        ("Where it came closest", "Where it came nearest"),
        ("<li>at most:", "<li>at least:"),
    ],
)
def test_another_word_is_seen(old, new):
    """Each of these once stood in a notebook, and no test was red."""
    verdict = page.verdict(COHERENCE)
    assert old in verdict
    assert faults(verdict.replace(old, new, 1), verdict)
    assert not faults(verdict, verdict)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"tail: (\S+) where (\S+) is", r"tail: \2 where \1 is"),
        (r"still pass with \S+ times", "still pass with 0.1 times"),
        (r"at most \S+ of the chance", "at most 0.0893 of the chance"),
        ("the check would still", "nobody would"),
        ("<p>deviation", "<p>tail"),
    ],
)
def test_another_word_below_the_table_is_seen(old, new):
    """Observed and bound exchanged, and what is said of a chance."""
    verdict = page.verdict(theorems["talwalkar2010:thm-5.1"])
    planted = re.sub(old, new, verdict, count=1)
    assert planted != verdict and faults(planted, verdict)
    assert not faults(verdict, verdict)
