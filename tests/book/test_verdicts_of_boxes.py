"""The verdict that a box unfolds is that of the theorem, verified in this run."""

import html
import re

import make_notebooks
import nbformat
import portable
import pytest

from nystheory.chapters import theorems
from nystheory.engine import page

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
# Cases and tightness are the machine's; a number that is not its neighbour is a lie.
APART = 2.0


def told(verdict: str) -> tuple[list[str], list[float]]:
    """Words and numbers of a verdict as HTML, up to the end of its table."""
    table, _, _ = verdict.partition("</table>")
    lines = html.unescape(re.sub(r"<[^>]*>", "\n", table)).split("\n")
    cells = [line.strip() for line in lines if line.strip()]
    numbers = [float(each) for each in cells if NUMBER.fullmatch(each)]
    return [each for each in cells if not NUMBER.fullmatch(each)], numbers


def faults(shown: str, verified: str) -> list[str]:
    """Where a box says another thing than a verdict."""
    words, numbers = told(shown)
    true_words, true_numbers = told(verified)
    if len(words) != len(true_words) or len(numbers) != len(true_numbers):
        return ["another number of cells"]
    wrong = [(a, b) for a, b in zip(words, true_words, strict=True) if a != b]
    for a, b in zip(numbers, true_numbers, strict=True):
        if not b / APART <= a <= b * APART:
            wrong.append((a, b))
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<summary>verified", "<summary>certified"),
        ("worst-case search", "symbolic"),
        ("rightly refuted", "verified"),
        ("Definition 12.1", "Definition 12.2"),
        (r"\mu \ge 1", r"\mu \ge 2"),
        (r">1</td>", r">0.3</td>"),
    ],
)
def test_another_word_is_seen(old, new):
    """Each of these once stood in a notebook, and no test was red."""
    verdict = page.verdict(theorems["talwalkar2010:def-5.1"])
    assert old in verdict
    assert faults(verdict.replace(old, new, 1), verdict)
    assert not faults(verdict, verdict)
