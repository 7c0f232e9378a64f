"""What the notebooks cannot say for themselves on the site: links, dark figures, index.

A notebook is written for every viewer, so a link names a notebook, and a figure has a
second picture, drawn for dark pages, that only the site shows.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

# The kind of output that holds the picture for dark pages.
DARK = "application/vnd.nystheory.dark"
LINK = re.compile(r'(href="(?!https?:)[^"#]*)\.ipynb(["#])')
IMAGE = re.compile(r'<img [^>]*src="([^"]*/)?([0-9a-f]{64})\.png"[^>]*/?>')


def notebook_of(app, docname):
    """The notebook of a page as JSON, or None."""
    path = Path(app.srcdir) / f"{docname}.ipynb"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def outputs(notebook):
    """The data of all outputs."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            yield output.get("data", {})


def add_index(app, doctree):
    """Entries of the index, which the search reads: theorems, figures, exercises."""
    notebook = notebook_of(app, app.env.docname)
    if notebook is None:
        return
    named = notebook["metadata"].get("nystheory", {}).get("index", [])
    entries = [("single", words, anchor, "", None) for words, anchor in named]
    if entries:
        doctree.insert(0, addnodes.index(entries=entries))


def dark_pictures(app, docname):
    """Name of the light picture and bytes of the dark one, of each figure of a page."""
    notebook = notebook_of(app, docname)
    found = {}
    for data in outputs(notebook) if notebook else ():
        if DARK in data and "image/png" in data:
            light = base64.b64decode("".join(data["image/png"]))
            name = hashlib.sha256(light).hexdigest()
            found[name] = base64.b64decode("".join(data[DARK]))
    return found


def finish(app, pagename, templatename, context, doctree):
    """Links lead to pages, and every figure has its picture for dark pages."""
    if "body" not in context:
        return
    body = LINK.sub(r"\1.html\2", context["body"])
    dark = dark_pictures(app, pagename)

    def both(found):
        folder, name = found[1] or "", found[2]
        light = found[0].replace("<img ", '<img class="only-light" ', 1)
        if name not in dark:
            return found[0].replace("<img ", '<img loading="lazy" ', 1)
        target = Path(app.outdir) / "_images" / f"{name}-dark.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(dark[name])
        other = light.replace("only-light", "only-dark").replace(
            f"{folder}{name}.png", f"{folder}{name}-dark.png"
        )
        return light + other.replace("<img ", '<img loading="lazy" ', 1)

    context["body"] = IMAGE.sub(both, body)


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", add_index)
    app.connect("html-page-context", finish, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
