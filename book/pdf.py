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
# A formula in a fold was measured shut, and is as large here as the others.
BEFORE = """
() => {
  const all = (selector) => [...document.querySelectorAll("article " + selector)];
  const size = all("p mjx-container").find((node) => !node.closest("details"))?.style;
  for (const node of all("details mjx-container")) node.style.fontSize = size?.fontSize;
  dispatchEvent(new Event("beforeprint"));
  for (const fold of all("details:not([open])"))
    if (!fold.matches(".nys-mark, .option"))
      (fold.closest("tr:has(> td[colspan] > details)") ?? fold).remove();
    else fold.replaceChildren(fold.firstElementChild);
  // A cell without anything left would stand between a title and its words.
  for (const cell of all("div.cell"))
    if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.remove();
  const unseen = ["script", ".headerlink", "mjx-assistive-mml", ".copybtn",
    "img.only-dark", "picture > source", ".nys-slider > p", ".nys-filter"];
  for (const selector of unseen) all(selector).forEach((node) => node.remove());
  all("img").forEach((node) => (node.loading = "eager"));
  // The address of a box, and the point before it.
  const titles = ":is(.statement, .algorithm) > p:first-child";
  for (const link of all(`${titles} > a:last-child`)) {
    const before = link.previousSibling;
    if (before) before.textContent = before.textContent.replace(/\\s*·\\s*$/, "");
    link.remove();
  }
  // A table that is wider than the page is set smaller; the ledger has wide pages.
  const room = document.querySelector("article").clientWidth;
  for (const table of all(":not(.nys-ledger) > table"))
    if (table.offsetWidth > room)
      table.style.fontSize = `${(0.78 * room) / table.offsetWidth}rem`;
  all(".nys-map > svg").forEach(strips);

  // The map of the theorems breaks between two rows; a title stays with its row.
  function strips(map) {
    const [, , width, height] = map.getAttribute("viewBox").split(" ").map(Number);
    const starts = [...map.querySelectorAll(".nys-chapter, rect[rx]")];
    const tops = [...new Set(starts.map((node) => node.getAttribute("y") - 16))]
      .sort((a, b) => a - b)
      .filter((top, place, all) => place === 0 || top > all[place - 1] + 40);
    const drawn = [...map.children].map((node) => ({ node, box: node.getBBox() }));
    for (const [place, top] of tops.entries()) {
      const bottom = tops[place + 1] ?? height;
      const strip = map.cloneNode();
      strip.setAttribute("viewBox", `0 ${top} ${width} ${bottom - top}`);
      strip.setAttribute("height", bottom - top);
      for (const { node, box } of drawn)
        if (box.y < bottom && box.y + box.height > top)
          strip.append(node.cloneNode(true));
      map.before(strip);
    }
    map.remove();
  }
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
    """The whole as a page, with the contents at the end of the front page."""
    pages, listed, style, above = [], [], [], ""
    for count, part in enumerate(parts):
        kind = "page" if part.body else "part"
        number = numbers.get(part.name, "")
        listed.append(
            f'<li class="nys-{kind}"><a href="#{part.name}">{part.title}</a>'
            f"<span>{number}</span></li>"
        )
        if not part.body:  # stands above the title of its first page
            above = f'<h1 class="nys-part" id="{part.name}">{part.title}</h1>'
            continue
        own = f"nys-{count}"
        words = html.unescape(part.title).replace('"', "'")
        wide = "size: A4 landscape; " if 'class="nys-map' in part.body else ""
        style.append(f'@page {own} {{ {wide}@top-left {{ content: "{words}"; }} }}')
        style.append(f".{own} {{ page: {own}; }}")
        kinds = f"nys-page {own}{' nys-landscape' if wide else ''}"
        pages.append(f'<div class="{kinds}" id="{part.name}">{above}{part.body}')
        above = ""
    toc = f'<div class="nys-contents"><h1>Contents</h1><ul>{"".join(listed)}</ul></div>'
    if parts[0].name == place("book/intro"):
        pages[0] += toc
    else:
        pages.insert(0, f'<div class="nys-page">{toc}')
    return (
        f'<!doctype html><html lang="en" data-theme="light">{head}'
        f"<style>{' '.join(rules)}</style><style>{PRINTED}{' '.join(style)}</style>"
        '<body><main class="bd-main"><div class="bd-content">'
        '<div class="bd-article-container"><article class="bd-article">'
        f"{'</div>'.join(pages)}</div></article></div></div></main></body></html>"
    )


PRINTED = f"""
@page {{
  size: A4;
  margin: {MARGIN};
  @bottom-center {{ content: counter(page); font: 9pt sans-serif; color: #555; }}
  @top-left {{ font: 9pt sans-serif; color: #555; }}
}}
@page wide {{ size: A4 landscape; @top-left {{ content: "Ledger of theorems"; }} }}
.nys-page {{ break-before: page; }}
.nys-page:first-child {{ break-before: auto; }}
h1.nys-part {{ font-size: 2.6rem; margin: 1.5rem 0 2.5rem; }}
.nys-contents {{ font-size: 0.92em; line-height: 1.35; }}
.nys-contents ul {{ column-gap: 2.5em; columns: 2; list-style: none; padding: 0; }}
.nys-contents li {{ display: flex; justify-content: space-between; gap: 1em; }}
.nys-contents li.nys-page {{ break-before: auto; padding-left: 1.5em; }}
.nys-contents li.nys-part {{ break-after: avoid; font-weight: 600; margin-top: 0.8em; }}
.nys-contents a {{ text-decoration: none; }}
.nys-contents span {{ flex: none; }}
.nys-landscape {{ width: 261mm; }}
.nys-landscape .nys-map svg {{ display: block; }}
.nys-landscape li {{ break-inside: avoid; }}
.nys-landscape .output ul {{ columns: 2; }}
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
