"""Look at every page of the built book in a browser, as a reader would.

The book has to be built first (``jupyter-book build .``) and the machine needs
Chromium or Chrome; without either the tests skip and say so. With the variable
NYSTHEORY_REQUIRE_SITE set, as in ``.ci/run``, they fail instead.
"""

import os
import re
from pathlib import Path
from urllib.parse import quote_plus, unquote, urldefrag, urlsplit

import pytest
from browse import (
    BROWSERS,
    DESK,
    EMPTY_FORMULAS,
    FLAGS,
    PHONE,
    SETTLED,
    SITE,
    TYPESET,
    UNFOLD,
    axe,
    find_browser,
    mild,
    pages,
    violations,
)

# Each width and each mode with its formulas, which take a second to set anew; then the
# other pairs, with a box of the same size for each formula, and axe-core.
VIEWS = [(DESK, "light"), (PHONE, "dark")]
BOXED_VIEWS = [(PHONE, "light"), (DESK, "dark")]

# Returns everything that can be wrong with a loaded page, as sentences.
INSPECT = Path(__file__).with_name("inspect_page.js").read_text("utf-8")
LINKS = """
() => [...document.querySelectorAll("a[href]")].map(
  (node) => new URL(node.getAttribute("href"), document.baseURI).href)
"""


def lacking(reason):
    """Skip, or fail where the tests have been required to run."""
    required = os.environ.get("NYSTHEORY_REQUIRE_SITE")
    (pytest.fail if required else pytest.skip)(reason)


@pytest.fixture(scope="module")
def browser():
    """Start one browser for all pages."""
    if find_browser() is None:
        lacking("no browser on this machine: looked for " + ", ".join(BROWSERS))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def site():
    """Return the folder of the built book."""
    if not (SITE / "index.html").exists():
        lacking("no built book: run jupyter-book build . first")
    return SITE


def look(browser, url):
    """Open an address; return what is wrong with the page, in every view, and links."""
    told = []

    def asked(request):
        if urlsplit(request.url).scheme not in {"file", "data", "blob"}:
            told.append(f"external request: {request.url}")

    def said(message):
        if message.type == "error":
            told.append(f"console error: {message.text}")

    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", asked)
        page.on("console", said)
        page.on("pageerror", lambda error: told.append(f"script error: {error}"))
        page.on("requestfailed", lambda lost: told.append(f"missing: {lost.url}"))
        page.goto(url, wait_until="load")
        page.wait_for_url(re.compile(r"(?<!/html/index)\.html"))
        page.wait_for_load_state("load")
        page.evaluate(TYPESET)
        page.evaluate(UNFOLD)
        for width, mode in VIEWS:
            view = shown_in(page, width, mode)
            told += [f"{view}: {fault}" for fault in page.evaluate(INSPECT, mode)]
        page.evaluate(EMPTY_FORMULAS)
        for width, mode in BOXED_VIEWS:
            view = shown_in(page, width, mode)
            told += [f"{view}: {fault}" for fault in page.evaluate(INSPECT, mode)]
            told += [f"{view}: {barrier}" for barrier in barriers(page)]
        return told, page.evaluate(LINKS)


def shown_in(page, width, mode):
    """Show a page in one view; return its name."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=mode)
    page.evaluate(SETTLED, mode)
    return f"{width} px, {mode}"


def barriers(page):
    """What axe-core, where it is there, calls serious or critical."""
    if axe() is None:
        return []
    return [
        "axe, {impact}: {id}, {count} times: {first}".format(**each)
        for each in violations(page, axe(), mild(axe()))
        if each["impact"] in ("serious", "critical")
    ]


def broken(links):
    """Return the links to files, or places in files, that do not exist."""
    told = []
    for link in sorted(set(links)):
        address, place = urldefrag(link)
        if urlsplit(address).scheme != "file":
            continue
        file = Path(unquote(urlsplit(address).path))
        if not file.exists():
            told.append(f"link to a file that is not there: {file.name}")
        elif place and file.suffix == ".html":
            ids = re.findall(r'\bid="([^"]*)"', file.read_text("utf-8"))
            if unquote(place) not in ids:
                told.append(f"link to a place that is not there: {file.name}#{place}")
    return told


@pytest.mark.parametrize("name", pages())
def test_page(browser, site, name):
    """A page is whole, legible and self-contained in light, dark and on a phone."""
    told, links = look(browser, (site / name).as_uri())
    assert told + broken(links) == []


def test_axe_is_there():
    """The accessibility of the pages is looked at, or it is said that it is not."""
    if axe() is None:
        lacking("no axe-core: pip install axe-playwright-python")
    assert {"region", "heading-order"} <= set(mild(axe()))
    assert not {"button-name", "target-size", "list"} & set(mild(axe()))


def searched(page, site, query):
    """What the search shows, best first: words and places."""
    page.goto((site / "search.html").as_uri() + "?q=" + quote_plus(query))
    page.wait_for_selector(".nys-places a, #search-results li a", timeout=10_000)
    told = "nodes => nodes.map((node) => [node.textContent, node.href])"
    return page.eval_on_selector_all(".nys-places a, #search-results li a", told)


def test_search(browser, site):
    """The search finds the word that the book is about, read from disk."""
    url = (site / "search.html").as_uri() + "?q=matrix"
    told, links = look(browser, url)
    assert told + broken(links) == []
    with browser.new_page() as page:
        assert searched(page, site, "matrix")


# Whatever the number of a result becomes, it is found by it, and by its source's.
BOX = re.compile(r'id="([\w-]+)">\s*<p><strong>((?:Theorem|Lemma) [\d.]+)</strong>')
SOURCE = re.compile(r"<em>(Talwalkar 2010, (Theorem [\d.]+))</em>")


def boxes(site):
    """Number, place and source of each theorem of the pages."""
    for path in sorted((site / "book" / "notebooks").glob("*.html")):
        for line in path.read_text("utf-8").split('<blockquote class="statement" ')[1:]:
            if found := BOX.match(line):
                source = SOURCE.search(line[:600])
                yield found[2], f"{path.name}#{found[1]}", source and source[2]


def test_search_finds_names_first(browser, site):
    """A theorem by either of its numbers, a term, a name: where they are."""
    stated = list(boxes(site))
    assert stated
    with browser.new_page() as page:
        for number, place, _ in (stated[0], stated[-1]):
            assert searched(page, site, number)[0][1].endswith(place)
            found = [href for _, href in searched(page, site, number.split()[1])]
            assert any(href.endswith(place) for href in found[:3]), number
        sources = [(source, place) for _, place, source in stated if source]
        for source, place in sources[-1:]:
            # The book may have a theorem of that number too: the first two are these.
            found = [href for _, href in searched(page, site, source)[:3]]
            assert any(href.endswith(place) for href in found), source
        assert "#leverage-score" in searched(page, site, "leverage score")[0][1]
        words, _ = searched(page, site, "Davis-Kahan")[0]
        assert re.search(r"Davis(-| and )Kahan", words)
        words, href = searched(page, site, "lowrank.nystrom")[0]
        assert words == "lowrank.nystrom" and "api_lowrank.html#" in href


def test_api_has_a_page_for_each_room(site):
    """Every public function stands on the page of its room, with what it says."""
    import nystheory

    for room in nystheory.ROOMS:
        if room == "chapters":
            continue
        page = (site / "book" / "api" / f"api_{room}.html").read_text("utf-8")
        for name in getattr(nystheory, room).__all__:
            found = getattr(getattr(nystheory, room), name)
            if callable(found) and getattr(found, "__doc__", ""):
                assert f'id="nystheory.{room}.{name}"' in page, f"{room}.{name}"


def test_the_ledger_is_filtered_and_sorted(browser, site):
    """In the page, without a server: rows by words, and by each column."""
    with browser.new_page() as page:
        page.goto((site / "book/notebooks/ledger_of_theorems.html").as_uri())
        numbers = "nodes => nodes.map((n) => n.innerText.trim())"
        shown = ".nys-ledger tbody:not([hidden]) th"
        every = page.eval_on_selector_all(shown, numbers)
        page.fill(".nys-filter input", "spectral")
        some = page.eval_on_selector_all(shown, numbers)
        assert 0 < len(some) < len(every)
        page.fill(".nys-filter input", "")
        page.click(".nys-ledger th button >> nth=0")
        page.click(".nys-ledger th button >> nth=0")
        turned = page.eval_on_selector_all(shown, numbers)
        assert sorted(turned) == sorted(every) and turned != every
        href = page.get_attribute(".nys-ledger tbody th a >> nth=0", "href")
        assert re.search(r"\.html#[\w-]+$", href)


def test_paper(browser, site):
    """Printed, proofs are open; solutions, docstrings and folded code are left out."""
    page_of_proofs = "book/notebooks/kernel_matrices.html"
    with browser.new_page() as page:
        page.goto((site / page_of_proofs).as_uri())
        page.evaluate(TYPESET)
        page.emulate_media(media="print")
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details.proof:not([open])").count() == 0
        for left_out in ("details.code", "details.solution"):
            assert page.locator(left_out).first.is_visible() is False
        words = re.compile("^What .* promises")
        assert page.locator("details.fold", has_text=words).first.is_visible() is False
        sizes = """() => [...document.querySelectorAll("p mjx-container")].slice(0, 1)
          .concat([...document.querySelectorAll("[display=true].MathJax")])
          .map((node) => parseFloat(getComputedStyle(node).fontSize))"""
        inline, *displayed = page.evaluate(sizes)
        assert min(displayed) >= 0.75 * inline and sorted(displayed)[3] >= inline
        assert page.locator(".bd-sidebar-primary").first.is_visible() is False
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        assert page.locator("details.proof:not([open])").count() > 0


NARROW = """
() => [...document.querySelectorAll("mjx-container.nys-broken[display] > mjx-math")]
  .map((formula) => {
    const rows = formula.querySelectorAll(".nys-piece:not(.nys-open)");
    const tops = [...rows].map((piece) => piece.getBoundingClientRect().bottom);
    const size = parseFloat(getComputedStyle(formula).fontSize);
    return [new Set(tops.map(Math.round)).size, size];
  })
"""


def test_a_wide_formula_breaks_on_a_phone_and_is_whole_on_a_desk(browser, site):
    """Before relations and signs, at no less than three quarters of its size."""
    with browser.new_page(viewport={"width": PHONE, "height": 900}) as page:
        page.goto((site / "book/notebooks/stability_of_learners.html").as_uri())
        page.evaluate(TYPESET)
        page.evaluate(UNFOLD)
        page.wait_for_timeout(300)
        found = page.evaluate(NARROW)
        assert len(found) > 10 and min(size for _, size in found) >= 12
        assert sum(lines > 1 for lines, _ in found) > len(found) / 2
        page.set_viewport_size({"width": 1600, "height": 900})
        page.wait_for_timeout(600)
        fewer = page.evaluate(NARROW)
        assert sum(lines for lines, _ in fewer) < sum(lines for lines, _ in found)


def test_on_a_phone_the_map_is_in_words_and_a_row_of_words_is_a_card(browser, site):
    """The drawing is seen on a desk alone; each cell of a card says its column."""
    box = "blockquote.statement .nys-verdict tbody td[data-column=cases]"
    for width, drawn in ((PHONE, False), (DESK, True)):
        with browser.new_page(viewport={"width": width, "height": 900}) as page:
            page.goto((site / "book/notebooks/map_of_theorems.html").as_uri())
            assert page.locator(".nys-map svg").is_visible() is drawn
            assert page.locator(".nys-list a").first.is_visible()
            page.goto((site / "book/notebooks/kernel_matrices.html").as_uri())
            page.evaluate(UNFOLD)
            said = page.locator(box).first.evaluate(
                "(node) => getComputedStyle(node, '::before').content"
            )
            assert ("cases" in said) is not drawn


def test_the_front_page_has_the_first_figure_of_the_book(browser, site):
    """In light and dark, on a desk and on a phone, with words for who sees none."""
    seen = """() => [...document.querySelectorAll(".nys-figure img")]
      .filter((x) => x.checkVisibility()).map((x) => [x.currentSrc, x.alt])"""
    shown = set()
    with browser.new_page() as page:
        page.goto((site / "book/intro.html").as_uri())
        for width in (DESK, PHONE):
            for mode in ("light", "dark"):
                shown_in(page, width, mode)
                ((address, words),) = page.evaluate(seen)
                assert "columns" in words
                shown.add(address)
    assert len(shown) == 4


def test_the_ledger_is_whole_on_a_desk(browser, site):
    with browser.new_page(viewport={"width": DESK, "height": 900}) as page:
        page.goto((site / "book/notebooks/ledger_of_theorems.html").as_uri())
        page.evaluate(TYPESET)
        room = "(node) => [node.scrollWidth, node.clientWidth]"
        wide, room = page.locator(".nys-ledger").evaluate(room)
        assert wide <= room


def test_sliders(browser, site):
    """Moved by the keys, each mode with its own pictures; paper has the last frame."""
    seen = """(node) => [...node.querySelectorAll("img")]
      .filter((x) => x.checkVisibility()).map((x) => [x.className, x.alt])"""
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((site / "book/notebooks/a_few_columns.html").as_uri())
        slider = page.locator(".nys-slider").first
        control = slider.locator("input")
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            page.evaluate(SETTLED, mode)
            for key in ("Home", "End"):
                control.press(key)
                told = control.get_attribute("aria-valuetext")
                ((look, words),) = slider.evaluate(seen)
                assert look == f"only-{mode}" and told.endswith(f": {words}")
        page.emulate_media(media="print")
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        assert slider.evaluate(seen) == [["only-light", words]]
        assert control.is_visible() is False


def test_quizzes(browser, site):
    """Opened by the keys, from disk; a status says what was opened; paper keeps it."""
    from playwright.sync_api import expect

    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((site / "book/notebooks/a_few_columns.html").as_uri())
        quiz = page.locator("div.quiz").first
        options = quiz.locator("details.option")
        assert 2 <= options.count() <= 4 and quiz.locator("details[open]").count() == 0
        for option in options.all():
            option.locator("summary").press("Enter")
            right = "right" in option.get_attribute("class").split()
            said = "Right." if right else "Not yet."
            assert option.locator("p > strong").first.is_visible()
            expect(quiz.locator("[role=status]")).to_have_text(said)
            option.locator("summary").press("Space")
        page.emulate_media(media="print")
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        assert quiz.locator("summary").first.is_visible()
        assert quiz.locator("details[open]").count() == 0


def test_every_chapter_has_a_page(site):
    """Every page that the table of contents names is there, with its formulas."""
    toc = (SITE.parents[1] / "_toc.yml").read_text("utf-8")
    wanted = re.findall(r"(?:file|root): (\S+)", toc)
    assert [name for name in wanted if not (site / f"{name}.html").exists()] == []
    assert 'class="math' in (site / "book/intro.html").read_text("utf-8")


# Each is seen in one view alone.
IN_ONE_VIEW = "".join(
    f"<style>@media ({limit}-width: 800px) and (prefers-color-scheme: {mode}) "
    f"{{ .{limit}-{mode} {{ color: #888; background: #777 }} }}</style>"
    f'<p class="{limit}-{mode}">Of {limit} and {mode}</p>'
    for limit in ("min", "max")
    for mode in ("light", "dark")
)
FAULTS = {
    "1280 px, light: contrast 1.26: Of min and light": IN_ONE_VIEW,
    "1280 px, dark: contrast 1.26: Of min and dark": "",
    "390 px, light: contrast 1.26: Of max and light": "",
    "390 px, dark: contrast 1.26: Of max and dark": "",
    "external request": '<img src="https://example.invalid/a.png" alt="A picture">',
    "console error": "<script>console.error('no')</script>",
    "script error": "<script>undefinedFunction()</script>",
    "without alternative text": '<img src="data:," alt="../_images/abc.png">',
    "missing": '<script src="nowhere.js"></script>',
    "formula not shown": '<span class="math">\\(x\\)</span>',
    "formula with an error": "<mjx-merror>x</mjx-merror>",
    "unknown macro": "<mjx-container><mjx-mtext style='color: red'>x</mjx-mtext>"
    "</mjx-container>",
    "raw TeX": "<p>the matrix \\tilde K</p>",
    "wider than the window": '<div style="width: 3000px">wide</div>',
    "formula cut off": '<div class="bd-article"><mjx-container style='
    '"position: absolute; left: 2500px">x</mjx-container></div>',
    "scrolls sideways": '<div class="nys-figure" style="width: 90px; overflow: auto">'
    '<div style="width: 300px">a figure</div></div>',
    "link without a line": '<div class="bd-article"><p>Here is <a href="#contrast" '
    'style="text-decoration: none">more</a></p></div>',
    "contrast": '<p id="contrast" style="color: #999; background: #fff">pale</p>',
    "axe, critical: button-name": "<button></button>",
    "link to a file": '<a href="nowhere.html">away</a>',
    "link to a place": '<a href="#nowhere">away</a>',
}


def test_faults_are_seen(browser, tmp_path):
    """Each check of this file finds the fault that it is there for."""
    page = tmp_path / "page.html"
    faults = "".join(FAULTS.values())
    page.write_text(f"<!doctype html><title>Faulty</title>{faults}", "utf-8")
    told, links = look(browser, page.as_uri())
    told += broken(links)
    unlooked = [] if axe() else ["axe, critical: button-name"]
    unseen = [name for name in FAULTS if not any(name in line for line in told)]
    assert unseen == unlooked
