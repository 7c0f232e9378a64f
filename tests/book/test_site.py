"""Look at every page of the built book in a browser, as a reader would.

The book has to be built first (``jupyter-book build .``) and the machine needs
Chromium or Chrome; without either the tests skip and say so. With the variable
NYSTHEORY_REQUIRE_SITE set, as in ``.ci/run``, they fail instead.
"""

import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
BROWSERS = ["google-chrome", "chromium", "chromium-browser"]
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
VIEWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]

# Returns everything that can be wrong with a loaded page, as sentences.
INSPECT = Path(__file__).with_name("inspect_page.js").read_text("utf-8")
LINKS = "() => [...document.querySelectorAll('a[href]')].map((node) => node.href)"
# The theme follows the mode a moment later; if it does not within a second, go on.
SETTLED = """
(wanted) => new Promise((done) => {
  const start = performance.now();
  const look = () => {
    const mode = document.documentElement.dataset.theme;
    if (mode === undefined || mode === wanted || performance.now() - start > 1000)
      requestAnimationFrame(() => requestAnimationFrame(done));
    else setTimeout(look, 10);
  };
  look();
})
"""
TYPESET = "() => !window.MathJax || MathJax.startup.promise.then(() => true)"


def find_browser():
    """Return the path of the first browser on this machine, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pages():
    """Return the addresses of all built pages, relative to the site."""
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    shown = sorted(path.as_posix() for path in found if path.parts[0] != "_static")
    return shown or ["index.html"]


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
        for width, mode in VIEWS:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=mode)
            page.evaluate(SETTLED, mode)
            found = page.evaluate(INSPECT, mode)
            told += [f"{width} px, {mode}: {sentence}" for sentence in found]
        return told, page.evaluate(LINKS)


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


def test_search(browser, site):
    """The search finds the word that the book is about, read from disk."""
    url = (site / "search.html").as_uri() + "?q=matrix"
    told, links = look(browser, url)
    assert told + broken(links) == []
    with browser.new_page() as page:
        page.goto(url)
        page.wait_for_selector("#search-results li a", timeout=10_000)


def test_every_chapter_has_a_page(site):
    """Every page that the table of contents names is there, with its formulas."""
    toc = (SITE.parents[1] / "_toc.yml").read_text("utf-8")
    wanted = re.findall(r"(?:file|root): (\S+)", toc)
    assert [name for name in wanted if not (site / f"{name}.html").exists()] == []
    assert 'class="math' in (site / "book/intro.html").read_text("utf-8")


FAULTS = {
    "external request": '<img src="https://example.invalid/a.png" alt="A picture">',
    "console error": "<script>console.error('no')</script>",
    "script error": "<script>undefinedFunction()</script>",
    "without alternative text": '<img src="data:," alt="../_images/abc.png">',
    "missing": '<script src="nowhere.js"></script>',
    "formula not shown": '<span class="math">\\(x\\)</span>',
    "formula with an error": "<mjx-merror>x</mjx-merror>",
    "unknown macro": "<mjx-container><mjx-mtext style='color: red'>x</mjx-mtext>",
    "raw TeX": "<p>the matrix \\tilde K</p>",
    "wider than the window": '<div style="width: 3000px">wide</div>',
    "formula cut off": '<div class="bd-article"><mjx-container style='
    '"position: absolute; left: 2500px">x</mjx-container></div>',
    "contrast": '<p style="color: #999; background: #fff">pale</p>',
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
    assert [name for name in FAULTS if not any(name in line for line in told)] == []
