"""Slides of a part: its titles, figures and boxes, as one page that needs no network.

A slide is as high as the window and snaps into place; on paper each is a page. The
pictures stand in the page, and so does MathJax, which sets the formulas.
"""

import html
import re
from importlib.util import find_spec
from pathlib import Path

import copies
import portable
from nbconvert.filters.markdown import markdown2html

BOX = re.compile(
    r'<blockquote class="(?P<kind>statement|algorithm)"[^>]*>(?P<inside>.*?)'
    r"</blockquote>",
    re.S,
)
CAPTION = re.compile(r'<div class="caption"[^>]*>(.*?)</div>', re.S)
LEARNED = re.compile(
    r"^After this chapter you can.*?(?=\n\n(?![-*\d])|\Z)", re.M | re.S
)
ANCHOR = re.compile(r'<a class="anchor-link".*?</a>')
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\([^()\s]*\)")
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
html {{ scroll-snap-type: y mandatory; }}
html {{ font: clamp(16px, 1.7vw, 26px)/1.4 Georgia, serif; }}
body {{ margin: 0; color: #1b1b1b; background: #fff; }}
section {{ box-sizing: border-box; min-height: 100vh; padding: 4vh 8vw;
  scroll-snap-align: start; display: flex; flex-direction: column;
  justify-content: center; page-break-after: always; break-after: page; }}
section > * {{ max-width: 56rem; }}
h1 {{ font-size: 2.4rem; }}
img {{ max-width: 84vw; max-height: 58vh; object-fit: contain; align-self: start; }}
mjx-container[display="true"] {{ overflow-x: auto; overflow-y: hidden; }}
.statement > div, .algorithm > div {{ border-left: 0.3rem solid #2f6db3;
  padding-left: 1.5rem; }}
.of {{ color: #555; font-size: 1rem; }}
@media print {{
  @page {{ size: A4 landscape; margin: 1cm; }}
  html {{ font-size: 12pt; }}
  section {{ min-height: 17cm; padding: 0; }}
}}
</style>
<script>
window.MathJax = {{
  tex: {{ inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]] }},
  startup: {{ pageReady: () => MathJax.startup.defaultPageReady().then(fit) }},
}};
function fit() {{ // smaller letters on a slide that is higher than the window
  for (const slide of document.querySelectorAll("section"))
    for (let size = 95; size >= 60 && slide.scrollHeight > innerHeight; size -= 5)
      slide.style.fontSize = `${{size}}%`;
}}
document.addEventListener("keydown", (event) => {{
  const step = {{ ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }}[event.key];
  if (!step) return;
  event.preventDefault();
  const slides = [...document.querySelectorAll("section")];
  const at = slides.findLastIndex((one) => one.getBoundingClientRect().top < 9);
  slides[at + step]?.scrollIntoView();
}});
</script>
<script>{mathjax}</script>
</head>
<body>
{slides}
</body>
</html>
"""


def mathjax():
    """MathJax with all that it may want, as one script."""
    spec = find_spec("sphinx-mathjax-offline")
    folder = Path(spec.origin).parent / "static" / "mathjax"
    script = (folder / "tex-svg-full.js").read_text("utf-8")
    return script.replace("</script", r"<\/script")


def slides(notebook, minutes):
    """The slides of a chapter, as HTML.

    Parameters
    ----------
    notebook : notebook
    minutes : float
        Of reading.

    Returns
    -------
    list of str
    """
    title, _, opening = notebook.cells[0].source.partition("\n")
    title = title.removeprefix("# ")
    opening = re.sub(r"\*About .*?\*", "", opening)
    whole = "\n\n".join(x.source for x in notebook.cells if x.cell_type == "markdown")
    told = [_slide(title, f"# {title}\n\n{opening}\n\n*{minutes:.0f} minutes*")]
    if learned := LEARNED.search(whole):
        told.append(_slide(title, learned[0]))
    for cell, after in zip(notebook.cells, [*notebook.cells[1:], None], strict=True):
        if copies.is_solution(cell):
            continue
        if cell.cell_type == "markdown":
            told += [_slide(title, *_box(found)) for found in BOX.finditer(cell.source)]
        elif picture := _picture(cell):
            said = CAPTION.search(after.source if after else "")
            told.append(_slide(title, said[1] if said else "", before=picture))
    return told


def _box(found):
    """The open part of a box: what is folded stays in the book."""
    inside, count = found["inside"], 1
    inside = re.sub(f"{portable.RUN}.*?{portable.END_OF_RUN}", "", inside, flags=re.S)
    while count:
        inside, count = portable.FOLDED.subn("", inside)
    return inside.replace("[¶]", "[]"), found["kind"]


def _picture(cell):
    for output in cell.outputs:
        data = output.get("data", {}).get("image/png")
        if data:
            alt = output.metadata.get("image/png", {}).get("alt", "")
            src = f"data:image/png;base64,{''.join(data.split())}"
            return f'<img src="{src}" alt="{html.escape(alt, quote=True)}">'
    return ""


def _slide(title, source, kind="plain", before=""):
    words = markdown2html(LINK.sub(r"\1", source).replace("\N{NO-BREAK SPACE}·", ""))
    words = f"{before}<div>{ANCHOR.sub('', words)}</div>"
    of = f'<p class="of">{html.escape(title)}</p>'
    return f'<section class="{kind}">{of}{words}</section>'


def page(caption, chapters, notebooks, script):
    """The page of a part."""
    first = f"<section><h1>{html.escape(caption)}</h1></section>"
    found = [s for x in chapters for s in slides(notebooks[x.name], x.minutes)]
    return PAGE.format(
        title=html.escape(caption), slides="\n".join([first, *found]), mathjax=script
    )


def write(folder, parts, chapters, notebooks):
    """Write a page for each part that has one of the chapters; return the paths.

    Parameters
    ----------
    folder : Path
    parts : dict of str to list of str
        Captions of the parts with the names of their chapters.
    chapters : list of plans.Chapter
    notebooks : dict of str to notebook
    """
    folder.mkdir(parents=True, exist_ok=True)
    script, paths = mathjax(), []
    for number, (caption, names) in enumerate(parts.items(), 1):
        if own := [each for each in chapters if each.name in names]:
            paths.append(folder / f"part_{number}.html")
            paths[-1].write_text(page(caption, own, notebooks, script), "utf-8")
    return paths
