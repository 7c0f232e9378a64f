"""What a page says in numbers is what the run says: planted numbers turn it red."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

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
    return folder / "notebooks" / "small.ipynb"


def said(notebook):
    """What is said, by expression."""
    cells = (cell.metadata.get("said", {}) for cell in notebook.cells)
    return {expression: value for each in cells for expression, value in each.items()}


def failures(notebooks, folder, how="--nbval"):
    """What the tests of some notebooks say of each, in one run: nothing if green."""
    folder.mkdir()
    shutil.copy(ROOT / "conftest.py", folder)
    for name, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    python = os.pathsep.join([str(ROOT), str(ROOT / "book")])
    env = {**os.environ, "PYTHONPATH": python}
    env.pop("NYSTHEORY_VERDICTS", None)
    options = f"-q -n 0 -p no:cacheprovider {how} --nbval-current-env".split()
    report = folder / "report.xml"
    done = subprocess.run(
        [*(sys.executable, "-m", "pytest", *options), f"--junitxml={report}"]
        + ["--rootdir", folder, folder],
        capture_output=True,
        text=True,
        cwd=folder,
        env=env,
    )
    told = dict.fromkeys(notebooks, "")
    ran = set()
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("classname").removesuffix(".ipynb")
        ran.add(name)
        told[name] += "".join(failed.text for failed in case.iter("failure"))
    assert ran == set(notebooks), done.stdout + done.stderr
    return {name: re.sub(r"\s+", " ", text) for name, text in told.items()}


@pytest.fixture(scope="module")
def found(made, tmp_path_factory):
    """What is said of the page as it was made, and of each change to it."""
    notebooks = {
        "as_made": nbformat.read(made, as_version=4),
        "planted": with_planted_numbers(made),
        "near": of_a_time(made, "24.1"),
        "far": of_a_time(made, "7"),
        "other": planted(made, "x, count", with_another_number),
        "solved": of_a_solution("y = x + 1\nassert y == 5"),
        # No student has this x.
        "solved_with_the_chapters": of_a_solution("x = x + 1\nassert x == 5"),
    }
    return failures(notebooks, tmp_path_factory.mktemp("nbval") / "all")


def planted(made, source, change):
    """The notebook with something changed in the cell that has a piece of code."""
    notebook = nbformat.read(made, as_version=4)
    (cell,) = (
        c for c in notebook.cells if c.cell_type == "code" and source in c.source
    )
    change(cell)
    return notebook


PLANTED = {"x:d": "4", "x + 1": "5", "x + 2": "6"}


def with_planted_numbers(made):
    """In prose, in a caption, in the text of a picture."""
    notebook = nbformat.read(made, as_version=4)
    for cell in notebook.cells:
        for expression in {*PLANTED} & {*cell.metadata.get("said", {})}:
            cell.metadata.said[expression] = "9"
    return notebook


def of_a_time(made, value):
    """A cell whose output nbval ignores says so much instead of 24."""

    def change(cell):
        cell.source = "import time\n24.0, time.time()"
        cell.metadata.said = {"8 * 3": value}
        told = {"text/plain": f"({value}, 1.8e9)"}
        cell.outputs = [
            nbformat.v4.new_output("execute_result", told, execution_count=3)
        ]

    return planted(made, "time.time", change)


def with_another_number(cell):
    """As a reader changes it."""
    cell.source = cell.source.replace("= 4, 1", "= 3, 1")


def of_a_solution(solution):
    """A notebook with an exercise."""
    code, words = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    solved = code(solution, metadata={"tags": ["solution"]})
    exercise = words("**Exercise 1.1** (computer) What is it?\n\n</div>")
    notebook = nbformat.v4.new_notebook(cells=[code("x = 4"), exercise, solved])
    for cell in (notebook.cells[0], solved):
        cell.execution_count = 1
    return notebook


def test_prose_captions_and_texts_of_pictures_are_in_it(made):
    notebook = nbformat.read(made, as_version=4)
    values = said(notebook)
    assert values.pop("now").replace(".", "").isdigit()
    assert "rises" in values.pop("reading()")
    assert values == {"x:d": "4", 'f"{x}"': "4", "x + 1": "5", "x + 2": "6"}
    words = "\n".join(cell.source for cell in notebook.cells)
    assert 'There are 4 of them, "4".' in words
    assert "A line through 5 points." in words
    (alt,) = (
        c.metadata.mystnb.image.alt for c in notebook.cells if "mystnb" in c.metadata
    )
    assert alt == "A line that rises from 1 to 6, and nothing else beside it."


def test_the_page_as_it_was_made_is_green(found):
    """Also where a number may differ: a time."""
    assert found["as_made"] == ""


def test_planted_numbers_are_red(found):
    """In prose, in a caption, in the text of a picture; the error says which."""
    told = found["planted"]
    for each, right in PLANTED.items():
        assert f"the page says '9' for {{{{ {each} }}}}, and the run '{right}'" in told
    assert "says '4'" not in told


def test_what_nbval_ignores_is_compared_nearly(found):
    """A tag switches off no number: it must be the same up to a twentieth."""
    assert found["near"] == ""
    assert "is '24.0' in the run" in found["far"] and "the page says" in found["far"]


def test_a_reader_who_changes_a_number_is_not_told_that_the_book_is_broken(
    made, found, tmp_path
):
    """With --nbval-lax what asserts is heard, and verdicts are; numbers may differ."""

    def fail(cell):
        with_another_number(cell)
        cell.source += "\nassert x > 4"

    notebooks = {
        "other": planted(made, "x, count", with_another_number),
        "failing": planted(made, "x, count", fail),
    }
    lax = failures(notebooks, tmp_path / "lax", "--nbval-lax")
    assert lax["other"] == "" and lax["failing"]
    assert found["other"]


def test_a_solution_is_graded_as_a_student_is(found):
    """In the run of the chapter, and without what the chapter had by that name."""
    assert found["solved"] == ""
    assert found["solved_with_the_chapters"]


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
