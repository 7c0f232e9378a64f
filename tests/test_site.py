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

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
VIEWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]

# Everything that can be wrong with one loaded page, as sentences.
INSPECT = r"""
(wanted) => {
  const told = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 70);

  // Folded proofs and solutions are read too.
  all("details").forEach((node) => (node.open = true));
  all(".toggle-hidden").forEach((node) => node.classList.remove("toggle-hidden"));

  for (const node of all(".math"))
    if (!node.querySelector("mjx-container") && !node.closest("mjx-container"))
      told.push("formula not shown: " + short(node.textContent));
  for (const node of all("mjx-merror, [data-mjx-error]"))
    told.push("formula with an error: " + short(node.textContent));
  for (const node of all('mjx-container mjx-mtext[style*="color: red"]'))
    told.push("unknown macro: " + short(node.textContent));
  if (all("mjx-container").length && !all("mjx-assistive-mml math").length)
    told.push("no MathML for screen readers");

  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const text of texts) {
    const hidden = "pre, code, script, style, noscript, textarea, mjx-assistive-mml";
    if (text.parentElement.closest(hidden)) continue;
    if (/\\[a-zA-Z([]|\$\$/.test(text.data))
      told.push("raw TeX: " + short(text.data));
  }

  for (const image of all("img")) {
    const alt = (image.getAttribute("alt") || "").trim();
    if (!alt || /^\S*[\/\\]\S*$|^\S+\.(png|svg|jpe?g|gif|webp)$/i.test(alt))
      told.push("image without alternative text: " + image.getAttribute("src"));
    if (!image.naturalWidth) told.push("image does not load: " + image.src);
  }

  const wide = document.documentElement.scrollWidth;
  if (wide > window.innerWidth) {
    const culprits = all("body *")
      .filter((n) => n.getBoundingClientRect().right > window.innerWidth + 1)
      .filter((n) => !n.closest("mjx-container, pre, .pst-sidebar"))
      .map((n) => n.tagName.toLowerCase() + "." + n.className);
    told.push(`wider than the window: ${wide} px (${culprits.slice(-3).join(", ")})`);
  }

  const mode = document.documentElement.dataset.theme;
  if (mode !== undefined && mode !== wanted)
    told.push(`theme is ${mode}, not ${wanted}`);

  // Contrast of text with what lies behind it (WCAG 2, level AA).
  const colour = (css) => {
    const found = css.match(/^rgba?\(([^)]*)\)$/);
    if (!found) return null;
    const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (x, y) => x * top.a + y * (1 - top.a);
    return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => {
      v /= 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    const layers = [];
    for (; node; node = node.parentElement) {
      const style = getComputedStyle(node);
      if (style.backgroundImage !== "none") return null;
      const layer = colour(style.backgroundColor);
      if (!layer) return null;
      layers.push(layer);
      if (layer.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const seen = new Set();
  for (const text of texts) {
    const node = text.parentElement;
    if (!text.data.trim() || seen.has(node)) continue;
    if (node.closest("script, style, noscript, mjx-assistive-mml, [disabled], button")) continue;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    seen.add(node);
    const style = getComputedStyle(node);
    const ground = behind(node);
    const ink = colour(style.color);
    if (!ground || !ink) continue;
    const [high, low] = [light(over(ink, ground)), light(ground)].sort((x, y) => y - x);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5))
      told.push(`contrast ${ratio.toFixed(2)}: ${short(text.data)} (${node.className})`);
  }
  return told;
}
"""
LINKS = "() => [...document.querySelectorAll('a[href]')].map((node) => node.href)"
TYPESET = "() => !window.MathJax || MathJax.startup.promise.then(() => true)"


def find_browser():
    """Return the path of the first browser on this machine, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def why_not():
    """Return the reason why no page can be looked at, or an empty string."""
    if find_browser() is None:
        return "no browser on this machine: looked for " + ", ".join(BROWSERS)
    if not (SITE / "index.html").exists():
        return "no built book: run jupyter-book build . first"
    return ""


def pages():
    """Return the addresses of all pages, relative to the site."""
    if why_not():
        return ["index.html"]
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    return sorted(path.as_posix() for path in found if path.parts[0] != "_static")


@pytest.fixture(scope="module")
def browser():
    """Start one browser for all pages."""
    required = os.environ.get("NYSTHEORY_REQUIRE_SITE")
    if why_not():
        (pytest.fail if required else pytest.skip)(why_not())
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=find_browser(),
            args=FLAGS,
            chromium_sandbox=not hasattr(os, "geteuid") or os.geteuid() != 0,
        )
        yield started
        started.close()


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
            page.wait_for_timeout(50)
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
def test_page(browser, name):
    """A page is whole, legible and self-contained in light, dark and on a phone."""
    told, links = look(browser, (SITE / name).as_uri())
    assert told + broken(links) == []


def test_search(browser):
    """The search finds the word that the book is about, read from disk."""
    told, links = look(browser, (SITE / "search.html").as_uri() + "?q=matrix")
    assert told + broken(links) == []
    assert any(urlsplit(link).path.endswith("/intro.html") for link in links)


def test_every_chapter_has_a_page(browser):
    """The table of contents and the built pages agree; formulas are on them."""
    toc = (SITE.parents[1] / "_toc.yml").read_text("utf-8")
    wanted = re.findall(r"(?:file|root): (\S+)", toc)
    assert [name for name in wanted if not (SITE / f"{name}.html").exists()] == []
    shown = (SITE / "book/intro.html").read_text("utf-8")
    assert 'class="math' in shown


FAULTS = {
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
    "contrast": '<p style="color: #999; background: #fff">pale</p>',
    "link to a file": '<a href="nowhere.html">away</a>',
    "link to a place": '<a href="#nowhere">away</a>',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(browser, tmp_path, fault):
    """Each check of this file finds the fault that it is there for."""
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><title>Faulty</title>{FAULTS[fault]}", "utf-8")
    told, links = look(browser, page.as_uri())
    assert any(fault in sentence for sentence in told + broken(links))
