"""The built book in a browser: what its tests and its measures share."""

import os
import re
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SITE = Path(
    os.environ.get("NYSTHEORY_SITE")
    or Path(__file__).resolve().parents[2] / "_build" / "html"
)
BROWSERS = ["google-chrome", "chromium", "chromium-browser"]
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
PHONE, DESK = 390, 1280
# Until every formula of the page is set, also those that are folded.
TYPESET = "() => !window.MathJax?.startup || MathJax.startup.promise.then(() => true)"
# The theme follows the mode, and the margins the width, a moment later; if the mode
# does not within a second, go on.
SETTLED = """
(wanted) => new Promise((done) => {
  const start = performance.now();
  const look = () => {
    const mode = document.documentElement.dataset.theme;
    if (mode === undefined || mode === wanted || performance.now() - start > 1000)
      setTimeout(() => requestAnimationFrame(done), 300); // margins slide in and out
    else setTimeout(look, 10);
  };
  look();
})
"""
# What is folded is read too, and pictures that wait until they are in sight are loaded.
UNFOLD = """
() => {
  document.querySelectorAll("details").forEach((node) => (node.open = true));
  const pictures = [...document.querySelectorAll("img")];
  pictures.forEach((image) => (image.loading = "eager"));
  return Promise.all(pictures.map((image) => image.decode().catch(() => {})));
}
"""
# What MathJax puts into a formula has no letters that axe could judge, and is most of
# the nodes of a page: a box of the same size stands for each but the first, of which
# inspect_page.js still asks for what screen readers read.
EMPTY_FORMULAS = """
() => {
  const formulas = [...document.querySelectorAll("mjx-container")].slice(1);
  const boxes = formulas.map((node) => node.getBoundingClientRect());
  formulas.forEach((node, place) => {
    const { width, height } = boxes[place];
    node.replaceChildren();
    node.style.cssText += `;display:inline-block;width:${width}px;height:${height}px`;
  });
}
"""
# The contrast of all text, and the lines below links, are looked at by inspect_page.js,
# in each view.
RUN_AXE = """
(leftOut) => axe.run(document, {
  preload: false, // from disk no style sheet may be fetched
  resultTypes: ["violations"],
  selectors: false, // which takes a while to make, and nobody reads
  rules: {
    ...Object.fromEntries(leftOut.map((id) => [id, { enabled: false }])),
    "label-content-name-mismatch": { enabled: true },
    "color-contrast": { enabled: false },
    "link-in-text-block": { enabled: false },
  },
}).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
  id, impact, count: nodes.length, first: nodes[0].html.slice(0, 120),
})))
"""


def find_browser():
    """Return the path of the first browser on this machine, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pages():
    """Return the addresses of all built pages, relative to the site."""
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    shown = sorted(path.as_posix() for path in found if path.parts[0] != "_static")
    return shown or ["index.html"]


@cache
def axe():
    """The script of axe-core, from the package that brings it; None without it."""
    spec = find_spec("axe_playwright_python")
    if spec is None:
        return None
    return (Path(spec.origin).parent / "axe.min.js").read_text("utf-8")


def mild(script):
    """The rules of axe-core whose violations are minor or moderate, always."""
    return re.findall(r'\{id:"([\w-]+)",impact:"(?:minor|moderate)"', script)


def violations(page, script, left_out=()):
    """What axe-core finds in a loaded page, as mappings; some rules may be left out."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(script)
    return page.evaluate(RUN_AXE, list(left_out))
