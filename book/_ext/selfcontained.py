"""Keep the built book free of the network and light: one folder to read anywhere.

MathJax comes from the installed package ``sphinx-mathjax-offline``; only the files
that the pages load are copied. The scripts of Thebe, which Jupyter Book adds to every
page and which name a content delivery network, are dropped, and so is what else no
page needs. Of the theme's two thousand icons only those that the pages show are kept,
as a script of a few lines; and of its style sheet, the rest.
"""

import json
import re
from importlib.util import find_spec
from pathlib import Path
from shutil import copy2, rmtree

# The parts of MathJax that the pages load (book/_static/mathematics.js names them), its
# fonts, and the small extensions that it loads by itself when a formula asks for one: a
# single file that is missing would leave a whole page without formulas.
MATHJAX_FILES = [
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions/*.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "output/chtml/fonts/woff-v2/*.woff",
    "a11y/assistive-mml.js",
]
# Scripts and style sheets that no page of this book uses; those of the search only
# the page of the search does.
UNUSED = ("thebe", "togglebutton", "sphinx-design", "design-tabs", "toggleHint")
SEARCH = ("searchtools.js", "language_data.js", "searchindex.js", "places.js")
ICON = re.compile(
    r'"?([a-z0-9-]+)"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+",("[^"]+"|\[[^\]]*\])\]'
)
USED_ICON = re.compile(r"\bfa-([a-z-]+)")
# Rules of the style sheet that are about icons, as the fonts have them.
ICON_RULE = re.compile(
    r"(?<=\})\.fa(?:[brs]|-[\w-]+)?(?:[:.,> ][^{}]*)?\{[^{}]*\}"
)
ICON_FONT = re.compile(r"@font-face\{[^{}]*fontawesome[^{}]*\}")
ICONS = """\
// The icons that the pages of this book show: Font Awesome Free (by Fonticons, Inc.,
// https://fontawesome.com, licence of the icons: CC BY 4.0).
const NYS_ICONS = %s;
function drawIcons(root) {
  root.querySelectorAll("i[class*='fa-'], span.fa-solid").forEach((node) => {
    const name = [...node.classList].find((each) => NYS_ICONS[each.slice(3)]);
    if (!name) return;
    const [width, height, path] = NYS_ICONS[name.slice(3)];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const { name, value } of node.attributes) svg.setAttribute(name, value);
    svg.classList.add("svg-inline--fa");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.innerHTML = `<path fill="currentColor" d="${path}"></path>`;
    node.replaceWith(svg);
  });
}
if (document.readyState === "loading")
  document.addEventListener("DOMContentLoaded", () => drawIcons(document));
else drawIcons(document);
"""


def folder_of(package):
    """The folder of an installed package."""
    spec = find_spec(package)
    if spec is None:
        raise RuntimeError(
            f"the package {package} is missing; "
            "install the tools of the book with pip install -r requirements.txt"
        )
    return Path(spec.origin).parent


def copy_mathjax(app, exception):
    """Copy the files of MathJax that the pages load into the built book."""
    if exception is not None or app.builder.format != "html":
        return
    source = folder_of("sphinx-mathjax-offline") / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    rmtree(target, ignore_errors=True)
    for pattern in MATHJAX_FILES:
        files = list(source.glob(pattern))
        if not files:
            raise RuntimeError(f"MathJax has no file {pattern} in {source.name}")
        for file in files:
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy2(file, copy)


def lighten(app, exception):
    """Leave of the theme's icons and styles what the pages use; drop source maps."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    theme = folder_of("pydata_sphinx_theme") / "theme/pydata_sphinx_theme/static"
    used = {"xmark"}  # which a script of the theme adds
    for page in site.rglob("*.html"):
        if "_static" not in page.parts:
            used |= set(USED_ICON.findall(page.read_text("utf-8")))
    drawn = {}
    for name, *size, path in ICON.findall(
        (theme / "scripts/fontawesome.js").read_text("utf-8")
    ):
        if name in used:
            path = json.loads(path)
            # Later groups of icons (regular) do not replace the solid ones.
            drawn[name] = [*map(int, size), path if isinstance(path, str) else path[-1]]
    if not drawn:
        raise RuntimeError("the theme's icons were not found in its fontawesome.js")
    script = ICONS % json.dumps(dict(sorted(drawn.items())), indent=1)
    (static / "scripts/fontawesome.js").write_text(script, "utf-8")
    sheet = (theme / "styles/pydata-sphinx-theme.css").read_text("utf-8")
    sheet = ICON_FONT.sub("", ICON_RULE.sub("", sheet))
    (static / "styles/pydata-sphinx-theme.css").write_text(sheet, "utf-8")
    rmtree(static / "vendor" / "fontawesome", ignore_errors=True)
    for needless in static.rglob("*.map"):
        needless.unlink()


def _named(script):
    """What a script or a style sheet is called, and what it says if it has no file."""
    return f"{script} {getattr(script, 'attributes', '')}"


def drop_unused(app, pagename, templatename, context, doctree):
    """Remove from one page every script and style sheet that it does not need."""
    needless = UNUSED if pagename == "search" else (*UNUSED, *SEARCH)
    for kind in ("script_files", "css_files"):
        context[kind] = [
            each
            for each in context.get(kind, [])
            if not any(word in _named(each) for word in needless)
        ]


def setup(app):
    """Register with Sphinx."""
    # Outputs of notebooks hold mathematics that Sphinx does not see as such, so it
    # would leave MathJax out of a page that has no other formulas.
    app.set_html_assets_policy("always")
    app.connect("html-page-context", drop_unused, priority=900)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", lighten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
