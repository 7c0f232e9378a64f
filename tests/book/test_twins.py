"""The text of a chapter and its notebook are twins, and making one is deterministic."""

import base64
import io
import json
import sys
import tomllib
from pathlib import Path

import compared
import labels
import make_notebooks
import nbformat
import numpy as np
import pytest
from PIL import Image

from nystheory import style, theorems
from nystheory.engine.report.phones import PHONE, PHONE_DARK
from nystheory.engine.report.rests import map_of

sys.path.append(str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import pages

BOOK = Path(__file__).resolve().parents[2] / "book"

HEADER = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A small chapter

"""
CELLS = """```{code-cell}
:tags: [nbval-ignore-output]

print({1, 2} | {3})
```

Some words.

```{code-cell}
2 + 2
```

That is {{ 2 + 2 }}, of course.
"""


@pytest.fixture
def small(tmp_path):
    """Return a book of one small chapter without a notebook."""
    (tmp_path / "md").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "md" / "small.md").write_text(HEADER + CELLS, "utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def found():
    """The labels of the book, read once."""
    return labels.read()


@pytest.mark.parametrize("name", make_notebooks.names())
def test_twins(name, found):
    """Run python book/make_notebooks.py NAME when this fails."""
    assert make_notebooks.differences(name, found=found) == []


def test_every_text_is_in_the_table_of_contents():
    """No chapter is left out of the book."""
    toc = (BOOK.parent / "_toc.yml").read_text("utf-8")
    listed = [name for name in make_notebooks.names() if f"notebooks/{name}\n" in toc]
    assert listed == make_notebooks.names()


def test_no_draft_is_left():
    """The word that `new.py` writes wherever somebody has to write something."""
    register = BOOK.parent / "nystheory" / "chapters" / "register.csv"
    modules = (BOOK.parent / "nystheory" / "chapters").glob("*/theorems/*.py")
    places = [*(BOOK / "md").glob("*.md"), register, *modules]
    told = [path.name for path in places if "DRAFT" in path.read_text("utf-8")]
    assert told == []


def test_the_map_is_drawn_on_the_site():
    """What stands there for other viewers, a ground and a font, is left out."""
    drawn = map_of(theorems)._repr_html_()
    shown = pages.with_drawings(drawn)
    assert "<img" not in shown
    assert shown.count("<a href=") == len(map_of(theorems).theorems)
    assert "sans-serif" not in shown and 'fill="white"' not in shown


def test_made_twice_the_bytes_are_the_same(small):
    """A second run of the same text changes nothing, and the twins agree."""
    first = make_notebooks.make("small", small)
    bytes_of_first = (small / "notebooks" / "small.ipynb").read_bytes()
    second = make_notebooks.make("small", small)
    assert (first.error, first.changed) == ("", True)
    assert (second.error, second.changed) == ("", False)
    assert (small / "notebooks" / "small.ipynb").read_bytes() == bytes_of_first
    assert make_notebooks.differences("small", small) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("2 + 2", "2 + 3", "source"),
        ("Some words", "Other words", "source"),
        ("nbval-ignore-output", "hide-input", "metadata"),
        ("```{code-cell}\n2 + 2\n```", "2 + 2", "cells"),
        ("{{ 2 + 2 }}", "{{ 2 + 3 }}", "never computed: 2 + 3"),
        ("{{ 2 + 2 }}", "4", "said of no text: 2 + 2"),
        ("That is", ":::{note} New\n:::\nThat is", "source"),
    ],
)
def test_a_changed_text_is_told(small, old, new, told):
    """A text that changed after its notebook was made is no longer its twin."""
    make_notebooks.make("small", small)
    text = small / "md" / "small.md"
    text.write_text(text.read_text("utf-8").replace(old, new), "utf-8")
    assert any(told in line for line in make_notebooks.differences("small", small))


def saved_by_jupyterlab(path):
    """What an editor does to a notebook: some cells were run, some folds opened."""
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook["metadata"]["language_info"] = {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.12.1",
    }
    notebook["metadata"]["widgets"] = {}
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"editable": True, "slideshow": {"slide_type": ""}}
        if cell["cell_type"] == "markdown":
            cell["attachments"] = {}
            continue
        cell["execution_count"] = 40 - number
        times = {"iopub.status.busy": "2026-11-22T10:00:00.000000Z"}
        cell["metadata"] |= {"collapsed": False, "scrolled": True, "trusted": True}
        cell["metadata"] |= {"execution": times, "jupyter": {"source_hidden": False}}
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = 40 - number
    written = json.dumps(notebook, indent=2, ensure_ascii=False, sort_keys=True)
    path.write_text(written, "utf-8")


def test_opening_running_and_saving_changes_nothing_that_is_compared(small):
    """The text is what people edit; whoever reads in JupyterLab breaks no test."""
    make_notebooks.make("small", small)
    path = small / "notebooks" / "small.ipynb"
    before = path.read_bytes()
    saved_by_jupyterlab(path)
    assert path.read_bytes() != before
    assert make_notebooks.differences("small", small) == []
    assert make_notebooks.make("small", small).changed
    assert path.read_bytes() == before


@pytest.mark.parametrize("change", ["source", "number", "tag", "cleared"])
def test_a_change_of_a_notebook_is_told(small, change):
    """What a reader would see otherwise than the text says is compared."""
    make_notebooks.make("small", small)
    path = small / "notebooks" / "small.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    first, *_, last = (c for c in notebook["cells"] if c["cell_type"] == "code")
    if change == "source":
        last["source"] = ["2 + 3"]
    elif change == "number":
        last["metadata"]["said"]["2 + 2"] = "5"
    elif change == "tag":
        first["metadata"]["tags"] = []
    else:
        last["execution_count"] = None
    path.write_text(json.dumps(notebook), "utf-8")
    assert make_notebooks.differences("small", small)


def pixels(picture):
    """Rows of red, green and blue of a PNG in base 64."""
    file = io.BytesIO(base64.b64decode("".join(picture)))
    return np.asarray(Image.open(file).convert("RGB")).astype(float)


def likeness(light, dark):
    """The share of what is drawn that a dark picture has as the light one has it.

    The same colour, or the same grey turned; the ground of neither counts.
    """
    turned = np.maximum(255 - light, 18)
    away = [np.abs(each - dark).max(axis=2) for each in (light, turned)]
    drawn = (light.min(axis=2) < 215) | (dark.max(axis=2) > 58)
    return np.mean(np.minimum(*away)[drawn] < 40)


@pytest.mark.parametrize("name", make_notebooks.names())
def test_every_figure_is_drawn_twice(name):
    """The picture for dark pages is the same one, its greys turned; so for phones."""
    notebook = nbformat.read(make_notebooks.notebook_path(name), as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                assert style.DARK in output.metadata, f"{cell.id}: no dark picture"
                light = pixels(output.data["image/png"])
                dark = pixels(output.metadata[style.DARK])
                assert light.shape == dark.shape, cell.id
                width = output.metadata["image/png"]["width"]
                assert width == round(light.shape[1] / style.DOTS)
                phones = (output.metadata[key].split() for key in (PHONE, PHONE_DARK))
                for light, dark in zip(*phones, strict=True):
                    assert pixels(light).shape == pixels(dark).shape, cell.id


def test_a_dark_picture_is_most_like_its_own():
    """Of all light pictures of its size; a sixth of the rows and columns will do."""
    drawn = []
    for name in make_notebooks.names():
        notebook = nbformat.read(make_notebooks.notebook_path(name), as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                if "image/png" in output.get("data", {}):
                    pair = output.data["image/png"], output.metadata[style.DARK]
                    small = [pixels(picture)[::6, ::6] for picture in pair]
                    drawn.append((f"{name}, {cell.id}", *small))
    wrong = []
    for name, light, dark in drawn:
        others = [one for at, one, _ in drawn if at != name and one.shape == dark.shape]
        most = max((likeness(one, dark) for one in others), default=0)
        if likeness(light, dark) <= most:
            wrong.append(name)
    assert wrong == []


def test_another_picture_is_no_twin():
    """Of the same size, and drawn in the same style."""
    drawn = []
    for height in ([1, 2, 3], [3, 1, 3]):
        figure, (axes,) = style.panels(1)
        axes.plot(height)
        data, metadata = figure._repr_mimebundle_()
        light = pixels(base64.b64encode(data["image/png"]).decode())
        drawn.append((light, pixels(metadata[style.DARK])))
    (light, dark), (_, other) = drawn
    assert likeness(light, dark) > 0.7 > 0.6 > likeness(light, other)


def test_a_picture_has_its_words_in_every_viewer(small):
    """What `mystnb` tells the site stands with the output, too."""
    text = small / "md" / "small.md"
    figure = (
        "mystnb:\n  figure:\n    caption: One {{ 1 + 1 }}.\n    name: fig-one\n"
        "  image:\n    alt: A line to {{ 1 + 1 }}."
    )
    code = "from nystheory import style\nstyle.panels()[0]"
    cell = f"```{{code-cell}}\n---\n{figure}\n---\n{code}\n```\n"
    text.write_text(HEADER + cell, "utf-8")
    assert make_notebooks.make("small", small).error == ""
    path = small / "notebooks" / "small.ipynb"
    (output,) = nbformat.read(path, as_version=4).cells[1].outputs
    assert output.metadata["image/png"] == {"width": 760, "alt": "A line to 2."}
    text.write_text(text.read_text("utf-8").replace("A line", "A dot"), "utf-8")
    assert make_notebooks.reword("small", small).changed
    (output,) = nbformat.read(path, as_version=4).cells[1].outputs
    assert output.metadata["image/png"]["alt"] == "A dot to 2."
    assert make_notebooks.differences("small", small) == []


def test_what_is_not_compared_has_a_reason_and_is_there():
    """Times, errors of rounding, data of the reader: and no name that nobody uses."""
    reasons = {compared.TIME, compared.ROUNDING, compared.OWN}
    for name, known in compared.VARIES.items():
        used, after = set(), False
        raw = make_notebooks.from_text(make_notebooks.text_path(name))
        for cell in raw.cells:
            if cell.cell_type == "code":
                after = "nbval-ignore-output" in cell.metadata.get("tags", [])
            if after:
                used |= {each for each in known if each in cell.source}
        assert set(known.values()) <= reasons and used == set(known), name


def test_saving_a_notebook_writes_no_text():
    """Jupytext pairs no notebook of the book with anything."""
    config = tomllib.loads((BOOK.parent / "jupytext.toml").read_text("utf-8"))
    assert "formats" not in config


def test_a_missing_twin_is_told(small):
    """A text without a notebook differs from it."""
    assert make_notebooks.differences("small", small) == [
        "notebooks/small.ipynb does not exist"
    ]


def test_a_failing_cell_leaves_the_notebook_alone(small):
    """The error names the line of the text, and nothing is written."""
    make_notebooks.make("small", small)
    notebook, text = small / "notebooks" / "small.ipynb", small / "md" / "small.md"
    before = notebook.read_bytes()
    text.write_text(text.read_text("utf-8").replace("2 + 2", "assert 2 == 3"), "utf-8")
    made = make_notebooks.make("small", small)
    assert "md/small.md, line 19, cell 3" in made.error
    assert "AssertionError" in made.error
    assert notebook.read_bytes() == before


def test_data_of_the_author_stay_out(small, monkeypatch):
    """What is stored never depends on a folder that only some people have."""
    monkeypatch.setenv("NYSTHEORY_DATA", "somewhere")
    text = small / "md" / "small.md"
    cell = "import os\n\nassert 'NYSTHEORY_DATA' not in os.environ"
    text.write_text(text.read_text("utf-8").replace("2 + 2", cell), "utf-8")
    assert make_notebooks.make("small", small).error == ""


def test_new_words_need_no_run_and_new_cells_do(small):
    """The run that a notebook holds is kept; what it does not hold has to be run."""
    make_notebooks.make("small", small)
    text = small / "md" / "small.md"
    text.write_text(text.read_text("utf-8").replace("Some words", "More"), "utf-8")
    assert make_notebooks.reword("small", small).changed
    assert make_notebooks.differences("small", small) == []
    before = text.read_text("utf-8")
    text.write_text(before.replace("That is {{ 2 + 2 }}", "That"), "utf-8")
    assert make_notebooks.reword("small", small).changed  # what is said no more
    assert make_notebooks.differences("small", small) == []
    text.write_text(before, "utf-8")
    assert "2 + 2" in make_notebooks.reword("small", small).error
    assert make_notebooks.make("small", small).error == ""
    text.write_text(before.replace("More", "More {{ 3 * 4 }}"), "utf-8")
    assert "3 * 4" in make_notebooks.reword("small", small).error
    text.write_text(before.replace("2 + 2", "2 + 3"), "utf-8")
    assert "run it" in make_notebooks.reword("small", small).error
