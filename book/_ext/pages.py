"""What the notebooks cannot say for themselves on the site.

A notebook is written for every viewer, so a link names a notebook, and a figure has a
second picture, drawn for dark pages, that only the site shows. Functions of the package
lead from the code to their pages, once on a page, and everything that has a name goes
into the list that the search looks through first.
"""

import base64
import hashlib
import html
import inspect
import io
import json
import os
import re
from importlib import import_module
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from PIL import Image

# The metadata of an output that hold its picture for dark pages, those of a slider, and
# those for phones, of each frame, for light and dark pages.
DARK = "application/vnd.nystheory.dark"
DARK_FRAMES = f"{DARK}.frames"
PHONE = "application/vnd.nystheory.phone"
PHONE_DARK = f"{PHONE}.dark"
# Where a page is as narrow as that, panels stand below one another.
NARROW = "(max-width: 44rem)"
# A picture for phones that is so much higher than wide has panels below one another.
STACKED = 1.25
OPENED = "<details open>"  # the frame of a slider that is shown
FRAME = re.compile(r'<img (src="data:image/webp;base64,([^"]+)"[^>]*>)')
LINK = re.compile(r'(href="(?!https?:)[^"#]*)\.ipynb(["#])')
IMAGE = re.compile(r'<img [^>]*src="([^"]*/)?([0-9a-f]{64})\.png"[^>]*/?>')
ALT = re.compile(r' alt="([^"]*)"')
BORROWED = re.compile(r'<div class="nys-figure" data-of="(\w+)"></div>')
# The map of the theorems is a picture for viewers that trust no drawing.
DRAWING = re.compile(r'<img [^>]*src="data:image/svg\+xml;base64,([^"]+)"[^>]*>')
GROUND = '<rect width="100%" height="100%" fill="white"/>'
FONT = ' font-family="sans-serif"'
# Pictures are saved with this many dots for one of the page.
DOTS = 1.5
# What tables tell viewers that put words to the right; the site's style does.
LEFT = ' style="text-align:left"'
CALL = re.compile(
    r'<span class="n">(\w+)</span><span class="o">\.</span><span class="n">(\w+)</span>'
)
# Results that carry two names, as people look for them: Davis-Kahan.
PAIR = re.compile(r"\b[A-Z][a-zé]+(?:[-–][A-Z][a-zé]+)+\b")
# A formula in a line of text, and the mark that follows it.
MARKED = re.compile(
    r'(<span class="math notranslate nohighlight">\\\([^<]*\\\)</span>[.,;:)?]+)'
)
# The end of a folded cell that shows nothing, and the beginning of one that follows it.
NEXT_FOLD = re.compile(
    r'</details>\s*</div>\s*<div class="cell tag_hide-input[^"]*">\s*'
    r'<details class="[^"]*\babove-input">\s*<summary.*?</summary>',
    re.S,
)
# What the search shows first; kinds in this order.
PLACES = {
    "box": 0,
    "source": 1,
    "term": 2,
    "object": 3,
    "heading": 4,
    "name": 5,
    "figure": 6,
}


def notebook_of(app, docname):
    """The notebook of a page as JSON, or None."""
    path = Path(app.srcdir) / f"{docname}.ipynb"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def outputs(notebook):
    """Data and metadata of all outputs."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            yield output.get("data", {}), output.get("metadata", {})


# ---- Several pages at a time, which jupyter-book has no option for

# What says nothing of parallel reading, and keeps nothing of a page that it reads: one
# numbers the contents when all is read, the other is for LaTeX.
SILENT = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def side_by_side(app):
    """Pages are read and written by as many processes as there are cores."""
    for name in SILENT:
        if name in app.extensions and app.extensions[name].parallel_read_safe is None:
            app.extensions[name].parallel_read_safe = True
    app.parallel = os.cpu_count() or 1
    if app.parallel > 1:
        public()  # imported once, and not by each process


# ---- Places that have a name, for the search


def find_places(app, doctree):
    """Everything on a page that a reader may look for by name."""
    docname = app.env.docname
    notebook = notebook_of(app, docname) or {"metadata": {}}
    found, before = [], ""
    for words, anchor in notebook["metadata"].get("nystheory", {}).get("index", []):
        # A box is named twice: by its number in the book, then by that of its source.
        small = words.startswith(("Figure ", "Exercise "))
        kind = "source" if anchor == before else "figure" if small else "box"
        found.append((kind, words, anchor))
        before = anchor
    heading = "term" if docname.endswith("/glossary") else "heading"
    for section in doctree.findall(nodes.section):
        anchor, title = section["ids"][0], section[0].astext()
        found.append((heading, title, anchor))
        own = (n.astext() for n in section if not isinstance(n, nodes.section))
        for name in dict.fromkeys(PAIR.findall(" ".join(own))):
            found.append(("name", f"{name.replace('–', '-')} (in: {title})", anchor))
    places = getattr(app.env, "nystheory_places", {})
    app.env.nystheory_places = {**places, docname: found}


def forget_places(app, env, docname):
    """A page that is read again, or gone."""
    getattr(env, "nystheory_places", {}).pop(docname, None)


def merge_places(app, env, docnames, other):
    """From another process that reads pages."""
    places = getattr(env, "nystheory_places", {})
    theirs = getattr(other, "nystheory_places", {})
    env.nystheory_places = {**places, **{k: theirs[k] for k in docnames if k in theirs}}


def write_places(app, exception):
    """The list that the page of the search reads."""
    if exception is not None or app.builder.format != "html":
        return
    rows = []
    for docname, found in sorted(getattr(app.env, "nystheory_places", {}).items()):
        if docname not in app.env.titles:
            continue
        page = app.env.titles[docname].astext()
        for kind, words, anchor in found:
            rows.append([PLACES[kind], words, page, f"{docname}.html#{anchor}"])
    for full, entry in app.env.get_domain("py").objects.items():
        place = f"{entry.docname}.html#{entry.node_id}"
        rows.append([PLACES["object"], full.removeprefix("nystheory."), "API", place])
    rows.sort(key=lambda row: (row[0], row[1]))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    target = Path(app.outdir) / "_static" / "places.js"
    target.write_text(f"const NYS_PLACES = [\n{lines}\n];\n", "utf-8")


# ---- A page


def twins(app, docname):
    """What is known of each figure of a page, by the name of its light picture."""
    notebook = notebook_of(app, docname)
    found = {}
    for data, metadata in outputs(notebook) if notebook else ():
        if DARK in metadata and "image/png" in data:
            light = base64.b64decode("".join(data["image/png"]))
            found[hashlib.sha256(light).hexdigest()] = metadata
    return found


def measured(picture):
    """Width and height on the page, for which a picture has more dots."""
    with Image.open(io.BytesIO(picture)) as opened:
        return tuple(round(each / DOTS) for each in opened.size)


def size_of(picture):
    """The same as attributes of an image."""
    return 'width="{}" height="{}"'.format(*measured(picture))


def stored(app, picture, name):
    """Write a picture where the pages find theirs; return its name."""
    images = Path(app.outdir) / "_images"
    images.mkdir(parents=True, exist_ok=True)
    (images / name).write_bytes(picture)
    return name


def for_phones(app, folder, image, encoded):
    """A picture, and in its place another one where the screen is narrow."""
    if not encoded:
        return image
    picture = base64.b64decode(encoded)
    name = stored(app, picture, f"{hashlib.sha256(picture).hexdigest()}.webp")
    address = f'srcset="{folder}{name}" {size_of(picture)}'
    return f'<picture><source media="{NARROW}" {address}>{image}</picture>'


def boxed(app, folder, light, known, alt, frame=0):
    """A figure in its box, which says whether panels stand below one another."""
    phone = "".join(known.get(PHONE, "").split(" ")[frame : frame + 1])
    width, height = measured(base64.b64decode(phone)) if phone else (1, 1)
    stack = " nys-stack" if height > STACKED * width else ""
    drawn = figure(app, folder, light, known, alt, frame)
    return f'<div class="nys-figure{stack}">{drawn}</div>'


def figure(app, folder, light, known, alt, frame):
    """A picture for each mode, of which each has another one for phones."""

    def drawn(picture, name, look, phone):
        stored(app, picture, name)
        tag = f'<img{look} src="{folder}{name}" alt="{alt}" {size_of(picture)} '
        return for_phones(app, folder, f'{tag}loading="lazy">', phone)

    name = hashlib.sha256(light).hexdigest()
    if DARK not in known:
        return drawn(light, f"{name}.png", "", "")
    dark = base64.b64decode(known[DARK])
    phone, phone_dark = (
        "".join(known.get(key, "").split(" ")[frame : frame + 1])
        for key in (PHONE, PHONE_DARK)
    )
    return drawn(light, f"{name}.png", ' class="only-light"', phone) + drawn(
        dark, f"{name}-dark.png", ' class="only-dark"', phone_dark
    )


def with_figures(app, pagename, body):
    """Every figure in a box, with its pictures for dark pages and for phones."""
    known = twins(app, pagename)

    def shown(found):
        folder, name = found[1] or "", found[2]
        source = Path(app.srcdir) / "_build" / "jupyter_execute" / f"{name}.png"
        if not source.exists():
            return found[0]
        alt = (ALT.search(found[0]) or [None, ""])[1]
        return boxed(app, folder, source.read_bytes(), known.get(name, {}), alt)

    return IMAGE.sub(shown, body)


class FigureOf(Directive):
    """The first figure of a chapter on a page that is no notebook; below it words."""

    required_arguments = 1
    has_content = True

    def run(self):
        """Say which figure; it is put in when the page is written."""
        chapter = self.arguments[0]
        env = self.state.document.settings.env
        env.note_dependency(f"{env.srcdir}/book/notebooks/{chapter}.ipynb")
        place = f'<div class="nys-figure" data-of="{chapter}"></div>'
        caption = nodes.container(classes=["caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        return [nodes.raw("", place, format="html"), caption]


def with_borrowed(app, pagename, body):
    """The first figure of a chapter, with its words for who does not see it."""
    folder = "../" * pagename.count("/") + "_images/"

    def shown(found):
        for data, known in outputs(notebook_of(app, f"book/notebooks/{found[1]}")):
            if DARK in known and "image/png" in data:
                light = base64.b64decode("".join(data["image/png"]))
                alt = html.escape(known["image/png"]["alt"])
                before, _, _ = "".join(data.get("text/html", "")).partition(OPENED)
                frame = before.count("<details>")
                return boxed(app, folder, light, known, alt, frame)
        raise ValueError(f"{pagename}: {found[1]} has no figure")

    return BORROWED.sub(shown, body)


def frames(app, pagename):
    """The dark picture of each light frame of a page, and those of both for phones."""
    notebook, known = notebook_of(app, pagename), {}
    for data, metadata in outputs(notebook) if notebook else ():
        if DARK_FRAMES in metadata:
            page = "".join(data["text/html"])
            light = [picture for _, picture in FRAME.findall(page)]
            rows = [metadata[DARK_FRAMES].split()]
            for key in (PHONE, PHONE_DARK):
                rows.append(metadata[key].split() if key in metadata else [""] * 99)
            known |= {each: twin for each, *twin in zip(light, *rows, strict=False)}
    return known


def with_sliders(app, pagename, body):
    """Every frame of a slider with its pictures for dark pages and for phones."""
    known, folder = frames(app, pagename), "../" * pagename.count("/") + "_images/"

    def shown(found):
        tag, light = found[1], found[2]
        dark, phone, phone_dark = known[light]
        told = f'<img class="only-light" {tag}'
        other = f'<img class="only-dark" {tag.replace(light, dark)}'
        return for_phones(app, folder, told, phone) + for_phones(
            app, folder, other, phone_dark
        )

    return FRAME.sub(shown, body)


def with_drawings(body):
    """A drawing in place of its picture, where its links lead somewhere."""

    def drawn(found):
        drawing = base64.b64decode(found[1]).decode()
        return drawing.replace(GROUND, "").replace(FONT, "")

    return DRAWING.sub(drawn, body)


def public():
    """The functions and classes of the package, by room."""
    package = import_module("nystheory")
    rooms = [room for room in package.ROOMS if room != "chapters"]
    return {r: set(import_module(f"nystheory.{r}").__all__) for r in rooms}


def with_links(app, pagename, body):
    """The first mention in the code of a function leads to its page."""
    rooms, seen = public(), set()
    up = "../" * pagename.count("/")
    known = app.env.get_domain("py").objects

    def link(found):
        room, name = found[1], found[2]
        full = f"nystheory.{room}.{name}"
        if name not in rooms.get(room, ()) or full in seen or full not in known:
            return found[0]
        seen.add(full)
        page, place = known[full].docname, known[full].node_id
        says = html.escape(f"What {room}.{name} does")
        address = f"{up}{page}.html#{place}"
        return f'<a class="nys-api" href="{address}" title="{says}">{found[0]}</a>'

    return CALL.sub(link, body)


def finish(app, pagename, templatename, context, doctree):
    """Links lead to pages, figures are drawn for both modes, code leads to the API."""
    if "body" not in context:
        return
    body = LINK.sub(r"\1.html\2", with_drawings(context["body"]))
    body = MARKED.sub(r'<span class="nys-join">\1</span>', body)
    body = with_sliders(app, pagename, with_figures(app, pagename, body))
    body = with_borrowed(app, pagename, body)
    if pagename.startswith("book/notebooks/"):
        body = body.replace(LEFT, "")
        body = NEXT_FOLD.sub("", body)  # one line to unfold all of them
        body = with_links(app, pagename, body)
    context["body"] = body


# ---- The pages of the API


def one_sentence(app, what, name, obj, options, lines):
    """What stands before a colon in the line of a property is not its type."""
    if what in ("property", "attribute") and lines:
        lines[0] = lines[0].replace(": ", " - ", 1)


def docstring(app, what, name, obj, options, lines):
    """Sources are paragraphs, which many docstrings of a page may number anew."""
    told = "\n".join(lines)
    told = re.sub(r"\[(\d+)\]_", r"[\1]", told)
    told = "\n".join(_flush(told.split("\n")))
    # Bars around a word would name a substitution, but not in code.
    parts = re.split(r"(``.+?``)", told, flags=re.S)
    parts[::2] = [re.sub(r"(?<!\\)\|(?=\w+\|)", r"\|", part) for part in parts[::2]]
    lines[:] = "".join(parts).split("\n")
    if what == "module":
        lines += ["", *contents(obj, name)]


def _flush(lines):
    """The lines of a source below its first are not indented: that is a definition."""
    margin = None
    for line in lines:
        found = re.match(r"( *)\.\. \[(\d+)\] ", line)
        if found:
            if margin is not None:  # each source is a paragraph of its own
                yield ""
            margin = found[1]
            yield f"{margin}[{found[2]}] {line[found.end() :]}"
        elif margin is not None and line.startswith(f"{margin} "):
            yield margin + line.lstrip()
        else:
            margin = None
            yield line


def contents(room, name):
    """What a room has, a line each: functions first, then classes."""
    every = [(each, getattr(room, each)) for each in getattr(room, "__all__", ())]
    first = [(each, x) for each, x in every if inspect.isfunction(x)]
    then = [(each, x) for each, x in every if inspect.isclass(x)]
    for each, x in first + then:
        told = (x.__doc__ or "").strip().partition("\n")[0]
        told = re.sub(r"[:,][^:,]*\[\d+\]_.*$", "", told)
        told = re.sub(r" *\[\d+\]_", "", told).rstrip(".")
        yield f"* :py:obj:`~{name}.{each}`: {told}"
    yield ""


def signature(app, what, name, obj, options, said, returns):
    """What a user may pass: without what is private."""
    if what != "class" or not said:
        return None
    found = inspect.signature(obj)
    told = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in found.parameters.values()
        if not each.name.startswith("_")
    ]
    if len(told) < len(found.parameters):
        said = str(inspect.Signature(told))
    # What a dataclass makes of a default is nothing that one could type.
    said = re.sub(r"<class '(?:\w+\.)*(\w+)'>", r"\1", said)
    return said.replace("<factory>", "..."), returns


def setup(app):
    """Register with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.add_directive("figure-of", FigureOf)
    app.connect("builder-inited", side_by_side)
    app.connect("autodoc-process-docstring", one_sentence, priority=400)
    app.connect("autodoc-process-docstring", docstring)
    app.connect("autodoc-process-signature", signature)
    app.connect("doctree-read", find_places)
    app.connect("env-purge-doc", forget_places)
    app.connect("env-merge-info", merge_places)
    app.connect("html-page-context", finish, priority=800)
    app.connect("build-finished", write_places)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
