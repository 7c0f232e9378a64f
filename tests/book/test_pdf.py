"""The book on paper: two chapters of it as a PDF, and the pieces that it is made of.

Without a built book or a browser the first test skips, or fails where the tests have
been required to run, as those of `test_site.py`.
"""

import re

import browse
import pdf
import pytest
from test_site import lacking

CHAPTERS = ("a_few_columns", "what_to_use")


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    if browse.find_browser() is None or not (browse.SITE / "index.html").exists():
        lacking("no browser or no built book: run jupyter-book build . first")
    target = tmp_path_factory.mktemp("pdf") / "two.pdf"
    pdf.make(browse.SITE, target, CHAPTERS)
    return target.read_bytes()


def test_two_chapters_have_an_outline_numbers_and_links(printed):
    text = printed.decode("latin-1")
    assert text.startswith("%PDF") and len(printed) < 8_000_000
    titles = re.findall(r"/Title \(([^)]*)\)", text)
    wanted = "1. A matrix from a few of its columns", "1.5. Exercises", "2. What to use"
    assert {*wanted} <= {*titles}
    numbers = pdf.numbers_of(printed)
    first, second = (pdf.place(f"book/notebooks/{name}") for name in CHAPTERS)
    assert 1 < numbers[first] < numbers[second]
    asked = set(re.findall(r"/Dest /(\S+)", text))
    assert asked and asked <= set(re.findall(r"/(\S+) \[\d+ 0 R /XYZ", text))


def test_the_order_is_that_of_the_contents():
    names = [name for name, caption in pdf.contents() if not caption]
    assert names[:2] == ["book/intro", "book/notebooks/a_few_columns"]
    assert names[-1] == "book/notebooks/bibliography" and len(names) == len({*names})


def test_links_and_files_are_found_from_the_whole():
    known = {"book/notebooks/a", "book/api/b"}
    page = (
        '<h1 id="one">A</h1><a href="#one">here</a>'
        '<a href="../api/b.html#two">there</a><a href="../../search.html">away</a><a href="https://example.org">web</a>'
        '<img src="../../_images/c.png">'
    )
    assert pdf.moved(page, "book/notebooks/a", known) == (
        '<h2 data-as="1" id="book-notebooks-a--one">A</h2>'
        '<a href="#book-notebooks-a--one">here</a><a href="#book-api-b--two">there</a>'
        '<a >away</a><a href="https://example.org">web</a><img src="_images/c.png">'
    )


def test_numbers_are_read_off_the_tree_of_pages():
    """Pages in a tree: the second branch holds the third page."""
    told = (
        "1 0 obj\n<</Type /Pages\n/Count 3\n/Kids [2 0 R 3 0 R]>>\n"
        "2 0 obj\n<</Type /Pages\n/Parent 1 0 R\n/Kids [4 0 R 5 0 R]>>\n"
        "3 0 obj\n<</Type /Pages\n/Parent 1 0 R\n/Kids [6 0 R]>>\n"
        "7 0 obj\n<</a--x [5 0 R /XYZ 1 2 0]\n/b#20c [6 0 R /XYZ 1 2 0]>>\n"
    )
    assert pdf.numbers_of(told.encode()) == {"a--x": 2, "b c": 3}
