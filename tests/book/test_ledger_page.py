"""The table that the ledger's page stores is that of the theorems.

Its cell may differ from a run in versions, dates and counts of comparisons, and so is
not compared with one; the rest of it, which readers see, is compared here.
"""

import re

import make_notebooks
import nbformat
import portable
import pytest

from nystheory import style
from nystheory.chapters import theorems
from nystheory.engine.report.ledger import LEDGER_HEADER

ROW = re.compile(r"<tbody>(<tr><th scope=\"row\"[^>]*>.*?)</tbody>", re.S)
CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.S)
CLAIM = re.compile(r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>", re.S)
GREEN = re.compile(r"(\d+) of (\d+) theorems green; (\d+) false claims refuted")
NEXT = f"</span></td><td{style.LEFT}>"
STATED = LEDGER_HEADER[:5]


def page(name):
    """The cells of a notebook of the book."""
    path = make_notebooks.BOOK / "notebooks" / f"{name}.ipynb"
    return nbformat.read(path, as_version=4).cells


@pytest.fixture(scope="module")
def shown():
    """The table as the page stores it."""
    (cell,) = (c for c in page("ledger_of_theorems") if c.source == "ledger")
    return cell.outputs[0].data["text/html"]


@pytest.fixture(scope="module")
def boxes():
    """What each box of the book unfolds, by its anchor: compared with the run."""
    pages = [page(name) for name in make_notebooks.names()]
    return portable.runs(cell.source for cells in pages for cell in cells)


def bare(cell):
    """The words of a cell, without what stands around them."""
    return re.sub(r"<[^>]*>", " ", cell).strip()


def stated(theorem):
    """What a row says of a theorem before its verdict, as HTML."""
    source = f"{theorem.cited}\n`{theorem.id}`"
    row = (theorem.linked, theorem.title, source, theorem.kind, theorem.status)
    return [CELL.match(cell)[1] for cell in style.cells(row, STATED)]


def judged(html):
    """The claims of a table of verdicts, each with what came of it, in either order."""
    head, _, body = html.partition("<tbody>")
    found = CLAIM.findall(body)
    if head.find(">outcome<") < head.find(">claim<"):
        found = [(says, outcome) for outcome, says in found]
    return [(says, bare(outcome)) for says, outcome in found]


def faults(table, boxes):
    """Where a table says another thing than the theorems, and the boxes of the book."""
    rows, told = ROW.findall(table), []
    controls = sum(len(t.controls) + len(t.printed) for t in theorems.values())
    count = len(theorems)
    if tuple(map(int, GREEN.search(table).groups())) != (count, count, controls):
        told.append(f"{GREEN.search(table)[0]}: {count} theorems, {controls} controls")
    if len(rows) != count:
        return [*told, f"{len(rows)} rows"]
    for row, theorem in zip(rows, theorems.values(), strict=True):
        head, _, claims = row.partition("<details>")
        cells, box = CELL.findall(head), boxes[theorem.anchor]
        box, _, _ = box.partition("</table>")
        wanted = [*stated(theorem), re.search(r"<summary>(\w+)", box)[1]]
        found = [*cells[:5], bare(cells[5])]
        if found != wanted:
            told.append(f"{theorem.id}: {found}, and not {wanted}")
        ours, box = judged(claims), judged(box)[: len(theorem.claims)]
        if ours != box or len(ours) != len(theorem.claims):
            told.append(f"{theorem.id}: other claims than in its box")
    return told


def test_the_stored_table_is_that_of_the_theorems(shown, boxes):
    """Run python book/make_notebooks.py ledger_of_theorems when this fails."""
    assert faults(shown, boxes) == []


BEST = theorems["talwalkar2010:def-2.1"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" false claims refuted", "9 false claims refuted"),
        (">corrected</td>", ">holds</td>"),
        ("Talwalkar 2010", "Bach 2010"),
        (f"{BEST.book_number}</a>", "Definition 99.9</a>"),
        (f">verified{NEXT}exact", f">certified{NEXT}exact"),
        (f">verified{NEXT}2", f">certified{NEXT}2"),
        (r"\|K - B\|_2 \ge", r"\|K - B\|_2 \gt"),
    ],
)
def test_a_planted_word_is_seen(old, new, shown, boxes):
    assert old in shown
    assert len(faults(shown.replace(old, new, 1), boxes)) > len(faults(shown, boxes))
