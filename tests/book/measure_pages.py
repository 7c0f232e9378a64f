"""The measures of the built pages, printed as a table.

    jupyter-book build .
    python tests/book/measure_pages.py            # every page
    python tests/book/measure_pages.py NAME ...   # pages with a name in their address
    python tests/book/measure_pages.py --no-axe   # without axe-core, which takes long

Of each page: minutes to read (of chapters), formulas, what a browser loads for it in
light mode until it stands still at its top, the time until the formulas in sight are
set and until all are, the smallest text of its figures on a phone of 390 px, and the
violations that axe-core finds on a phone and on a desk, light and dark, by impact,
contrast left out.
Times are of this machine, in one go: say on which one, and that nothing else ran.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

from browse import (
    DESK,
    FLAGS,
    PHONE,
    SETTLED,
    SITE,
    TYPESET,
    UNFOLD,
    axe,
    find_browser,
    pages,
    violations,
)

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book"))
# Figures: dots of a saved picture per inch, and the points of an inch.
DOTS_AN_INCH, POINTS_AN_INCH, USUAL_POINTS = 150, 72, 10.5
MARKS = """
() => Object.fromEntries(performance.getEntriesByType("mark").map(
  ({ name, startTime }) => [name, startTime / 1000]))
"""
# How many pixels of the page stand for one of the picture, in the smallest figure.
SCALES = """
() => [...document.querySelectorAll(".nys-figure img")]
  .filter((node) => node.clientWidth)
  .map((node) => node.clientWidth / node.naturalWidth)
"""
IMPACTS = ("critical", "serious", "moderate", "minor")


def told_minutes():
    """Minutes of the path and of what is further, by the name of a text."""
    import make_notebooks
    import minutes

    return {name: minutes.counted(name) for name in make_notebooks.names()}


def smallest_points(name):
    """The smallest size of letters that the code of a chapter's figures asks for.

    Indices in formulas are smaller by the rules of mathematics, as they are in print.
    """
    chapter = ROOT / "nystheory" / "chapters" / name
    sources = [ROOT / "book" / "md" / f"{name}.md", *chapter.glob("*.py")]
    sizes = [USUAL_POINTS]
    for source in sources:
        if source.exists():
            found = re.findall(r"\bfontsize=([\d.]+)", source.read_text("utf-8"))
            sizes += map(ast.literal_eval, found)
    return min(sizes)


def loaded(browser, url):
    """Bytes that a page asks for in light mode, and its times in seconds."""
    asked = set()
    with browser.new_context(
        offline=True, color_scheme="light", viewport={"width": DESK, "height": 900}
    ) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.add(request.url))
        page.goto(url, wait_until="load")
        page.evaluate(TYPESET)
        page.wait_for_timeout(300)
        marks = page.evaluate(MARKS)
        formulas = page.locator("mjx-container").count()
    files = {unquote(urlsplit(each).path) for each in asked}
    size = sum(Path(file).stat().st_size for file in files if Path(file).is_file())
    return size, formulas, marks.get("mathematics seen"), marks.get("mathematics set")


def looked_at(browser, url, name, script):
    """Smallest text of figures on a phone, and violations by impact."""
    found = Counter()
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": PHONE, "height": 900})
        page.goto(url, wait_until="load")
        page.evaluate(TYPESET)
        page.evaluate(UNFOLD)
        scales = page.evaluate(SCALES)
        views = [(PHONE, "light"), (DESK, "light"), (DESK, "dark")] if script else []
        for width, mode in views:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=mode)
            page.evaluate(SETTLED, mode)
            for each in violations(page, script):
                found[each["impact"]] += 1
                line = "    axe, {impact}: {id}, {count} times: {first}".format(**each)
                print(f"{line} ({width} px, {mode})")
    points = smallest_points(name)
    text = min(scales, default=None)
    if text is not None:
        text *= points * DOTS_AN_INCH / POINTS_AN_INCH
    return text, found


def main(arguments=None):
    """Measure pages and print a line for each."""
    parser = argparse.ArgumentParser(description="The measures of the built pages.")
    parser.add_argument("names", nargs="*", help="parts of addresses (default: all)")
    parser.add_argument("--no-axe", action="store_true", help="without axe-core")
    options = parser.parse_args(arguments)
    if find_browser() is None or not (SITE / "index.html").exists():
        print("needs Chromium and a built book: jupyter-book build .", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    script = None if options.no_axe else axe()
    if script is None and not options.no_axe:
        print("axe-core is not looked at: pip install axe-playwright-python")
    told = told_minutes()
    chosen = [
        page
        for page in pages()
        if page != "index.html"
        and (not options.names or any(name in page for name in options.names))
    ]
    head = (
        "page",
        "min",
        "formulas",
        "kB",
        "seen s",
        "set s",
        "text px",
        "axe c/s/m/m",
    )
    print("{:28s} {:>7s} {:>8s} {:>6s} {:>6s} {:>6s} {:>7s} {:>11s}".format(*head))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        for address in chosen:
            url, name = (SITE / address).as_uri(), Path(address).stem
            size, formulas, seen, whole = loaded(browser, url)
            text, found = looked_at(browser, url, name, script)
            impacts = "/".join(str(found[impact]) for impact in IMPACTS)
            cells = [
                " + ".join(f"{each:.0f}" for each in told.get(name, ())),
                f"{formulas}",
                f"{size / 1000:.0f}",
                "" if seen is None else f"{seen:.2f}",
                "" if whole is None else f"{whole:.2f}",
                "" if text is None else f"{text:.1f}",
                impacts if script else "",
            ]
            print(
                "{:28s} {:>7s} {:>8s} {:>6s} {:>6s} {:>6s} {:>7s} {:>11s}".format(
                    name, *cells
                ),
                flush=True,
            )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
