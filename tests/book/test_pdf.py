"""The book on paper: two chapters of it as a PDF, and the pieces that it is made of.

Without a built book or a browser the tests that need them skip, or fail where the tests
have been required to run, as those of `test_site.py`.
"""

import re
from pathlib import Path

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


def test_a_part_begins_with_its_first_chapter_and_the_contents_end_the_front_page():
    front = pdf.Part(pdf.place("book/intro"), "The book", "<p>front</p>")
    first = pdf.Part("one", "1. One", '<div class="nys-map">map</div>')
    second = pdf.Part("two", "2. Two", "<p>two</p>")
    parts = [front, pdf.Part("I", "Part I"), first, second]
    page = pdf.written(parts, [], "", {"I": 3, "one": 3})
    begun = re.split(r'(?=<div class="nys-page)', page)[1:]
    assert len(begun) == 3  # a part has no page of its own
    assert "front" in begun[0] and 'href="#I">Part I</a><span>3</span>' in begun[0]
    assert '<h1 class="nys-part" id="I">Part I</h1><div class="nys-map"' in begun[1]
    assert "Part I" not in begun[2].partition("</div>")[0]
    assert re.findall(r"@page nys-(\d) { size: A4 landscape", page) == ["2"]
    assert page.count("<div") == page.count("</div>")


# What the theme asks of paper, beside the book's own rules.
THEME = """
.bd-main .bd-content table { break-inside: avoid }
div[class*=highlight-] { break-inside: avoid; display: flex }
dl.field-list { display: grid }
"""


@pytest.fixture(scope="module")
def browser():
    if browse.find_browser() is None:
        lacking("no browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=browse.find_browser(), args=browse.FLAGS
        )
        yield opened
        opened.close()


def opened(browser, *bodies):
    """A page of these pieces, with the rules of the book."""
    rules = Path(pdf.__file__).with_name("_static") / "custom.css"
    head = f"<head><style>{THEME}{rules.read_text('utf-8')}</style></head>"
    parts = [pdf.Part(f"p{count}", f"P{count}", x) for count, x in enumerate(bodies)]
    page = browser.new_page(viewport={"width": pdf.PAPER, "height": 900})
    page.emulate_media(media="print")
    page.set_content(pdf.written(parts, [], head, {}))
    return page


def named(*names):
    """Links to these places, so that the PDF says on which pages they are."""
    return "".join(f'<a href="#{name}">{name}</a>' for name in names)


def filled(millimetres):
    return f'<div style="height: {millimetres}mm"></div>'


def test_what_is_long_breaks_and_what_belongs_together_does_not(browser):
    rows = "".join(f'<tr><td id="row{k}">{k}</td></tr>' for k in range(60))
    head = "<thead><tr><th>row</th></tr></thead>"
    table = f'<div class="nys-table"><table>{head}<tbody>{rows}</tbody></table></div>'
    lines = "\n".join(map(str, range(80)))
    code = f'<div class="highlight-py"><div class="highlight"><pre>{lines}</pre></div>'
    cell = '<div class="cell"><div class="cell_input" id="cell"><pre>1 + 1</pre></div>'
    output = '<div class="cell_output" id="output"><pre>2\n\n\n</pre></div></div>'
    display = '<div class="math" id="display" style="height: 5mm">x</div>'
    mark = '<details class="nys-mark" id="mark"><summary>verified</summary></details>'
    inside = f'<p id="title">T</p>{display}{mark}'
    box = f'<blockquote class="statement">{inside}</blockquote>'
    field = '<dt id="field">Type:</dt><dd id="words"><p>one of<br>two</p></dd>'
    entry = f'<dl class="py"><dd><dl class="field-list">{field}</dl></dd></dl>'
    page = opened(
        browser,
        named("row0", "row59") + filled(120) + table,
        named("title2", "end") + f'{filled(150)}<h2 id="title2">T</h2>{code}</div>'
        '<p id="end">end</p>',
        named("cell", "output") + filled(235) + cell + output,
        named("title", "display", "mark") + filled(232) + box,
        named("field", "words") + filled(241) + entry,
    )
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    at = pdf.numbers_of(printed)
    first = [at[each] for each in ("row0", "title2")]
    assert [at[each] for each in ("row59", "end")] == [each + 1 for each in first]
    assert at["p0"] == at["row0"] and at["p1"] == at["title2"]  # not pushed away
    assert at["cell"] == at["output"] and at["title"] == at["display"] == at["mark"]
    assert at["field"] == at["words"]


def test_the_ledger_has_wide_pages_and_all_of_its_columns(browser):
    cells = "".join(f"<td>column {k}</td>" for k in range(9))
    table = f"<table><tbody><tr>{cells}</tr></tbody></table>"
    page = opened(browser, "<p>before</p>", f'<div class="nys-ledger">{table}</div>')
    table, font = page.evaluate("""() => {
      const table = document.querySelector(".nys-ledger table");
      return [table.offsetWidth, getComputedStyle(table).fontSize];
    }""")
    printed = page.pdf(prefer_css_page_size=True).decode("latin-1")
    page.close()
    assert pdf.PAPER * 1.4 < table <= 261 * 96 / 25.4 + 1
    widths = [float(each) for each in re.findall(r"/MediaBox \[0 0 ([\d.]+)", printed)]
    assert [width > 800 for width in widths] == [False, False, True]


def test_what_paper_shows(browser):
    """Options without their meaning, boxes without an address, words in their width."""
    page = opened(
        browser,
        '<details class="option"><summary>a</summary><p>wrong</p></details>'
        '<details class="solution"><summary>S</summary><p>solved</p></details>'
        '<div class="cell"><details><summary>Show</summary>code</details> </div>'
        '<blockquote class="statement"><p><strong>T</strong> title · <em>source</em> · '
        '<a href="#">¶</a></p><p>Let it be.</p></blockquote>'
        '<mjx-utext style="display: inline-block; width: 0">some words</mjx-utext>'
        '<div class="nys-map"><svg viewBox="0 0 99 300">'
        + "".join(
            f'<text class="nys-chapter" y="{y}">{y}</text>'
            f'<rect rx="4" x="9" y="{y + 9}" width="50" height="60"></rect>'
            for y in (16, 116, 216)
        )
        + "</svg></div>",
    )
    page.evaluate(pdf.BEFORE)
    shown = page.evaluate("() => document.querySelector('#p0').textContent")
    assert "wrong" not in shown and "solved" not in shown and shown.startswith("a")
    assert page.evaluate("document.querySelectorAll('.cell').length") == 0
    assert "title · source" in shown and "¶" not in shown and "source ·" not in shown
    assert page.evaluate("document.querySelector('mjx-utext').offsetWidth") > 30
    strips = page.evaluate(
        "[...document.querySelectorAll('.nys-map svg')].map((x) => x.textContent)"
    )
    assert strips == ["16", "116", "216"]
    page.close()
