"""Keep the built book free of the network: one folder that can be read anywhere.

MathJax comes from the installed package ``sphinx-mathjax-offline``; only the files
that the pages load are copied. The scripts of Thebe, which Jupyter Book adds to every
page and which name a content delivery network, are dropped.
"""

from importlib.util import find_spec
from pathlib import Path
from shutil import copy2

# The component with every TeX extension in one file (a smaller one would load some of
# them later, and a single file that is missing leaves a whole page without formulas),
# and its fonts.
MATHJAX_FILES = ["tex-chtml-full.js", "output/chtml/fonts/woff-v2/*.woff"]


def mathjax_folder():
    """Return the folder of MathJax inside the installed package."""
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None:
        raise RuntimeError(
            "MathJax was not found: the package sphinx-mathjax-offline is missing; "
            "install the tools of the book with pip install -r requirements.txt"
        )
    return Path(spec.origin).parent / "static" / "mathjax"


def copy_mathjax(app, exception):
    """Copy the files of MathJax that the pages load into the built book."""
    if exception is not None or app.builder.format != "html":
        return
    source = mathjax_folder()
    target = Path(app.outdir) / "_static" / "mathjax"
    for pattern in MATHJAX_FILES:
        files = list(source.glob(pattern))
        if not files:
            raise RuntimeError(f"MathJax has no file {pattern} in {source.name}")
        for file in files:
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy2(file, copy)


def drop_thebe(app, pagename, templatename, context, doctree):
    """Remove every script that has to do with Thebe from one page."""
    context["script_files"] = [
        script
        for script in context.get("script_files", [])
        if "thebe" not in f"{script} {getattr(script, 'attributes', '')}".lower()
    ]


def setup(app):
    """Register with Sphinx."""
    # Outputs of notebooks hold mathematics that Sphinx does not see as such, so it
    # would leave MathJax out of a page that has no other formulas.
    app.set_html_assets_policy("always")
    app.connect("html-page-context", drop_thebe, priority=900)
    app.connect("build-finished", copy_mathjax)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
