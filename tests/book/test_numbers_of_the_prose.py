"""What a page says in numbers is what the run says: planted numbers turn it red."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import make_notebooks
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A page

```{code-cell}
from nystheory import style
x, count = 4, 1
```

There are {{ x:d }} of them, "{{ f"{x}" }}".

```{code-cell}
---
mystnb:
  figure:
    caption: A line through {{ x + 1 }} points.
    name: fig-line
  image:
    alt: A line that rises from 1 to {{ x + 2 }}, and nothing else beside it.
---
figure, (axes,) = style.panels()
axes.plot([1, x + 2])
figure
```

```{code-cell}
:tags: [nbval-ignore-output]

import time
now = time.time()
```

It took {{ now }} seconds.
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The notebook of a page with a number, a caption and a text of a picture."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "md").mkdir()
    (folder / "md" / "small.md").write_text(TEXT, "utf-8")
    assert make_notebooks.make("small", folder).error == ""
    shutil.copy(ROOT / "conftest.py", folder)
    return folder / "notebooks" / "small.ipynb"


def said(notebook):
    """What is said, by expression."""
    cells = (cell.metadata.get("said", {}) for cell in notebook.cells)
    return {expression: value for each in cells for expression, value in each.items()}


def outcome(notebook, path, how="--nbval"):
    """The output of the tests of a notebook, and whether it is green."""
    nbformat.write(notebook, path)
    python = os.pathsep.join([str(ROOT), str(ROOT / "book")])
    env = {**os.environ, "PYTHONPATH": python}
    env.pop("NYSTHEORY_VERDICTS", None)
    options = f"-q -n 0 -p no:cacheprovider {how} --nbval-current-env".split()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", path.parent, path],
        capture_output=True,
        text=True,
        cwd=path.parent,
        env=env,
    )
    return done.stdout + done.stderr, done.returncode == 0


def test_prose_captions_and_texts_of_pictures_are_in_it(made):
    notebook = nbformat.read(made, as_version=4)
    values = said(notebook)
    assert values.pop("now").replace(".", "").isdigit()
    assert values == {"x:d": "4", 'f"{x}"': "4", "x + 1": "5", "x + 2": "6"}
    words = "\n".join(cell.source for cell in notebook.cells)
    assert 'There are 4 of them, "4".' in words
    assert "A line through 5 points." in words
    (alt,) = (
        c.metadata.mystnb.image.alt for c in notebook.cells if "mystnb" in c.metadata
    )
    assert alt == "A line that rises from 1 to 6, and nothing else beside it."


def test_the_page_as_it_was_made_is_green(made, tmp_path):
    """Also where a number may differ: a time."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    told, green = outcome(nbformat.read(made, as_version=4), tmp_path / "page.ipynb")
    assert green, told


def test_planted_numbers_are_red(made, tmp_path):
    """In prose, in a caption, in the text of a picture; the error says which."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    notebook, planted = nbformat.read(made, as_version=4), {}
    for cell in notebook.cells:
        for expression in {"x:d", "x + 1", "x + 2"} & {*cell.metadata.get("said", {})}:
            planted[expression] = cell.metadata.said[expression]
            cell.metadata.said[expression] = "9"
    told, green = outcome(notebook, tmp_path / "page.ipynb")
    assert not green
    told = re.sub(r"\s+", " ", told)
    for each, right in planted.items():
        assert f"the page says '9' for {{{{ {each} }}}}, and the run '{right}'" in told
    assert len(planted) == 3 and "says '4'" not in told


def planted(made, source, change):
    """The notebook with something changed in the cell that has a piece of code."""
    notebook = nbformat.read(made, as_version=4)
    (cell,) = (
        c for c in notebook.cells if c.cell_type == "code" and source in c.source
    )
    change(cell)
    return notebook


def test_what_nbval_ignores_is_compared_nearly(made, tmp_path):
    """A tag switches off no number: it must be the same up to a twentieth."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    for value, red in (("24.1", False), ("7", True)):
        code = "import time\n24.0, time.time()"

        def change(cell, value=value, code=code):
            cell.source, cell.metadata.said = code, {"8 * 3": value}
            told = {"text/plain": f"({value}, 1.8e9)"}
            cell.outputs = [
                nbformat.v4.new_output("execute_result", told, execution_count=3)
            ]

        notebook = planted(made, "time.time", change)
        told, green = outcome(notebook, tmp_path / "page.ipynb")
        told = re.sub(r"\s+", " ", told)
        assert green != red, told
        assert not red or ("is '24.0' in the run" in told and "the page says" in told)


def test_a_reader_who_changes_a_number_is_not_told_that_the_book_is_broken(
    made, tmp_path
):
    """With --nbval-lax what asserts is heard, and verdicts are; numbers may differ."""
    shutil.copy(ROOT / "conftest.py", tmp_path)

    def change(cell):
        cell.source = cell.source.replace("= 4, 1", "= 3, 1")

    notebook = planted(made, "x, count", change)
    told, green = outcome(notebook, tmp_path / "page.ipynb", "--nbval-lax")
    assert green, told
    assert not outcome(notebook, tmp_path / "page.ipynb")[1]

    def fail(cell):
        cell.source += "\nassert x > 4"

    notebook = planted(made, "x, count", fail)
    assert not outcome(notebook, tmp_path / "page.ipynb", "--nbval-lax")[1]


@pytest.mark.parametrize(
    ("solution", "green"),
    [
        ("y = x + 1\nassert y == 5", True),
        ("x = x + 1\nassert x == 5", False),  # no student has this x
    ],
)
def test_a_solution_is_graded_as_a_student_is(solution, green, tmp_path):
    """In the run of the chapter, and without what the chapter had by that name."""
    shutil.copy(ROOT / "conftest.py", tmp_path)
    code, words = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    solved = code(solution, metadata={"tags": ["solution"]})
    exercise = words("**Exercise 1.1** (computer) What is it?\n\n</div>")
    notebook = nbformat.v4.new_notebook(cells=[code("x = 4"), exercise, solved])
    for cell in (notebook.cells[0], solved):
        cell.execution_count = 1
    told, came = outcome(notebook, tmp_path / "page.ipynb")
    assert came == green, told


def test_a_page_that_says_other_words_than_the_run_is_no_twin(made):
    """The words are compared with what is said, and what is said with the run."""
    book = made.parents[1]
    assert make_notebooks.differences("small", book) == []
    notebook = nbformat.read(made, as_version=4)
    for old, new in (("There are 4", "There are 5"), ("from 1 to 6", "from 1 to 7")):
        changed = nbformat.from_dict(notebook)
        text = nbformat.writes(changed).replace(old, new)
        made.write_text(text, "utf-8")
        assert make_notebooks.differences("small", book) != []
    nbformat.write(notebook, made)
