"""The whole book as one PDF, with an outline, page numbers and links inside it.

    jupyter-book build . && python book/pdf.py                  # nystroem.pdf
    python book/pdf.py --only a_few_columns what_to_use --to two.pdf

The browser that the tests use prints it.  Each built page is opened as paper has it,
its formulas are set and broken at the width of the paper, and what it shows is kept;
then all of it is one document in the order of the contents, and that is printed, twice:
the contents have the numbers of the first time.
"""

from __future__ import annotations

import argparse
import html
import posixpath
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "book"))

import browse  # noqa: E402

# A4 with these margins; the text is as wide as so many pixels of the page.
MARGIN, PAPER = "20mm 18mm", 658
WHOLE = "whole.html"
MINUTES = 20
# What a page shows when all is set: its article, and the rules for its formulas.
SHOWN = """
() => ({
  article: document.querySelector("article.bd-article").innerHTML,
  rules: [...document.querySelector("#MJX-CHTML-styles")?.sheet.cssRules ?? []]
    .map((rule) => rule.cssText),
})
"""
# What paper does not show is gone: half of all formulas stand in folds that stay shut.
BEFORE = """
() => {
  dispatchEvent(new Event("beforeprint"));
  const all = (selector) => [...document.querySelectorAll("article " + selector)];
  for (const fold of all("details:not([open])"))
    if (fold.matches(".nys-mark")) fold.replaceChildren(fold.firstElementChild);
    else (fold.closest("tr:has(> td[colspan] > details)") ?? fold).remove();
  const unseen = ["script", ".headerlink", "mjx-assistive-mml", ".copybtn",
    "img.only-dark", "picture > source", ".nys-slider > p", ".nys-filter"];
  for (const selector of unseen) all(selector).forEach((node) => node.remove());
  all("img").forEach((node) => (node.loading = "eager"));
}
"""
ID = re.compile(r'(?<=[\s"])(id|for|aria-labelledby)="([^"]+)"')
LINK = re.compile(r'href="([^"]*)"')
SOURCE = re.compile(r'src="(?!data:|https?:)([^"]+)"')
HEADING = re.compile(r"<(/?)h([1-5])(?=[ >])")
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.S)


@dataclass
class Part:
    """A page of the book, or the title of a part of it."""

    name: str
    title: str
    body: str = ""


def contents():
    """Titles of parts, and the addresses of pages, in the order of the book."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    yield toc["root"], False
    for part in toc["parts"]:
        yield part["caption"], True
        for chapter in part["chapters"]:
            yield chapter["file"], False
            for section in chapter.get("sections", ()):
                yield section["file"], False


def place(name: str, anchor: str = "") -> str:
    """What is called so on a page has another name in the whole."""
    return f"{name.replace('/', '-')}--{anchor}" if anchor else name.replace("/", "-")


def moved(article: str, name: str, known) -> str:
    """A page as a piece of the whole: links lead to other pieces, files are found."""
    folder = posixpath.dirname(name)

    def link(found):
        address, _, anchor = html.unescape(found[1]).partition("#")
        if re.match(r"[a-z]+:", address):
            return found[0]
        path = posixpath.normpath(posixpath.join(folder, address)) if address else ""
        other = path.removesuffix(".html") if path else name
        if other not in known:
            return ""
        return f'href="#{html.escape(place(other, unquote(anchor)))}"'

    def source(found):
        return f'src="{posixpath.normpath(posixpath.join(folder, found[1]))}"'

    article = ID.sub(lambda x: f'{x[1]}="{place(name, x[2])}"', article)
    article = SOURCE.sub(source, LINK.sub(link, article))
    return HEADING.sub(lower, article)


def lower(found) -> str:
    """A part is above its chapters in the outline; each heading looks as before."""
    closing, level = found[1], int(found[2])
    return f"</h{level + 1}" if closing else f'<h{level + 1} data-as="{level}"'


def read(browser, site: Path, only=()):
    """The pieces of the whole, and the rules for all formulas, in their order."""
    chosen = [
        (name, caption)
        for name, caption in contents()
        if not only or (not caption and Path(name).name in only)
    ]
    known = {name for name, caption in chosen if not caption}
    parts, rules = [], {}
    with browser.new_context(viewport={"width": PAPER, "height": 900}) as context:
        page = context.new_page()
        for name, caption in chosen:
            if caption:
                words = html.escape(name)
                parts.append(Part(place(re.sub(r"\W+", "-", name)), words))
                continue
            page.emulate_media(media="print", color_scheme="light")
            page.goto((site / f"{name}.html").as_uri(), wait_until="load")
            page.evaluate(browse.TYPESET)
            page.evaluate(BEFORE)
            shown = page.evaluate(SHOWN)
            rules |= dict.fromkeys(shown["rules"])
            title = re.sub(r"<[^>]+>", "", TITLE.search(shown["article"])[1]).strip()
            body = moved(shown["article"], name, known)
            parts.append(Part(place(name), title, body))
            print(f"{name}: {len(body) // 1000} kB", flush=True)
    return parts, list(rules)


def written(parts, rules, head: str, numbers) -> str:
    """The whole as a page, with the contents before all but the front page."""
    pages, listed, style = [], [], []
    for count, part in enumerate(parts):
        own = f"nys-{count}"
        number = numbers.get(part.name, "")
        kind = "page" if part.body else "part"
        listed.append(
            f'<li class="nys-{kind}"><a href="#{part.name}">{part.title}</a>'
            f"<span>{number}</span></li>"
        )
        words = html.unescape(part.title).replace('"', "'")
        style.append(f'@page {own} {{ @top-left {{ content: "{words}"; }} }}')
        style.append(f".{own} {{ page: {own}; }}")
        body = part.body or f"<h1>{part.title}</h1>"
        pages.append(f'<div class="nys-{kind} {own}" id="{part.name}">{body}</div>')
    front = pages.pop(0) if parts[0].name == place("book/intro") else ""
    toc = f'<div class="nys-contents"><h1>Contents</h1><ul>{"".join(listed)}</ul></div>'
    return (
        f'<!doctype html><html lang="en" data-theme="light">{head}'
        f"<style>{' '.join(rules)}</style><style>{PRINTED}{' '.join(style)}</style>"
        '<body><main class="bd-main"><div class="bd-content">'
        '<div class="bd-article-container"><article class="bd-article">'
        f"{front}{toc}{''.join(pages)}</article></div></div></main></body></html>"
    )


PRINTED = f"""
@page {{
  size: A4;
  margin: {MARGIN};
  @bottom-center {{ content: counter(page); font: 9pt sans-serif; color: #555; }}
  @top-left {{ font: 9pt sans-serif; color: #555; }}
}}
body {{ page: auto !important; }}
.nys-page, .nys-part, .nys-contents {{ break-before: page; }}
.nys-page:first-child {{ break-before: auto; }}
.nys-part > h1 {{ margin-top: 35vh; }}
.nys-contents ul {{ list-style: none; padding: 0; }}
.nys-contents li {{ display: flex; justify-content: space-between; gap: 1em; }}
.nys-contents li.nys-page {{ break-before: auto; padding-left: 1.5em; }}
.nys-contents li.nys-part {{ break-before: auto; font-weight: 600; margin-top: 0.8em; }}
.nys-contents a {{ text-decoration: none; }}
[data-as="1"] {{ font-size: 2rem; }}
[data-as="2"] {{ font-size: 1.5rem; }}
[data-as="3"] {{ font-size: 1.2rem; }}
"""


def head_of(site: Path) -> str:
    """The style sheets of the pages, and nothing that runs."""
    page = (site / "book/intro.html").read_text("utf-8")
    sheets = re.findall(r'<link[^>]*href="\.\./(_static/[^"]+\.css[^"]*)"[^>]*>', page)
    links = "".join(f'<link rel="stylesheet" href="{each}">' for each in sheets)
    title = re.search(r"<title>(.*?)</title>", page, re.S)[1].split("—")[0].strip()
    return f'<head><meta charset="utf-8"><title>{title}</title>{links}</head>'


def numbers_of(pdf: bytes) -> dict[str, int]:
    """On which page of a printed PDF each place is that a link in it names."""
    text = pdf.decode("latin-1")
    kids = {
        node: re.findall(r"(\d+) 0 R", inside[1])
        for node, told in re.findall(r"(\d+) 0 obj\s*<<(/Type /Pages\b[^>]*)>>", text)
        if (inside := re.search(r"/Kids \[([^\]]*)\]", told))
    }
    (root,) = set(kids) - {each for some in kids.values() for each in some}

    def leaves(node):
        return sum(map(leaves, kids[node]), []) if node in kids else [node]

    order = {node: count for count, node in enumerate(leaves(root), 1)}
    places = re.findall(r"/([^\s/\[\]<>()]+) \[(\d+) 0 R /XYZ", text)
    return {unescaped(name): order[node] for name, node in places if node in order}


def unescaped(name: str) -> str:
    """A name as it was before the PDF wrote some of its signs as numbers."""
    return re.sub(r"#([0-9A-Fa-f]{2})", lambda x: chr(int(x[1], 16)), name)


def make(site: Path, target: Path, only=()) -> int:
    """Print the book; return how many pages it has."""
    from playwright.sync_api import sync_playwright

    whole = site / WHOLE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browse.find_browser(), args=browse.FLAGS
        )
        parts, rules = read(browser, site, only)
        head, numbers = head_of(site), {}
        try:
            for last in (False, True):
                whole.write_text(written(parts, rules, head, numbers), "utf-8")
                page = browser.new_page()
                page.set_default_timeout(60_000 * MINUTES)
                page.goto(whole.as_uri(), wait_until="load")
                printed = page.pdf(
                    prefer_css_page_size=True, outline=last, tagged=last
                )
                page.close()
                numbers = numbers_of(printed)
        finally:
            whole.unlink(missing_ok=True)
        browser.close()
    target.write_bytes(printed)
    return max(numbers.values())


def main(arguments=None) -> int:
    """Make the PDF that the command line asks for."""
    parser = argparse.ArgumentParser(description="The whole book as one PDF.")
    parser.add_argument("--to", default="nystroem.pdf", help="the file (nystroem.pdf)")
    parser.add_argument("--only", nargs="+", default=(), help="these pages alone")
    options = parser.parse_args(arguments)
    if browse.find_browser() is None or not (browse.SITE / "index.html").exists():
        print("needs Chromium and a built book: jupyter-book build .", file=sys.stderr)
        return 1
    count = make(browse.SITE, Path(options.to), options.only)
    print(f"{options.to}: the last page with a heading is page {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
