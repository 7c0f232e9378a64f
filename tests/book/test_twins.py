"""The text of a chapter and its notebook are twins, and making one is deterministic."""

import importlib.util
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
_spec = importlib.util.spec_from_file_location(
    "make_notebooks", BOOK / "make_notebooks.py"
)
make_notebooks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_notebooks)

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
"""


@pytest.fixture
def small(tmp_path):
    """Return a book of one small chapter without a notebook."""
    (tmp_path / "md").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "md" / "small.md").write_text(HEADER + CELLS, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", make_notebooks.names())
def test_twins(name):
    """Run python book/make_notebooks.py NAME when this fails."""
    assert make_notebooks.differences(name) == []


def test_every_text_is_in_the_table_of_contents():
    """No chapter is left out of the book."""
    toc = (BOOK.parent / "_toc.yml").read_text("utf-8")
    listed = [name for name in make_notebooks.names() if f"notebooks/{name}\n" in toc]
    assert listed == make_notebooks.names()


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
    ],
)
def test_a_changed_text_is_told(small, old, new, told):
    """A text that changed after its notebook was made is no longer its twin."""
    make_notebooks.make("small", small)
    text = small / "md" / "small.md"
    text.write_text(text.read_text("utf-8").replace(old, new), "utf-8")
    assert any(told in line for line in make_notebooks.differences("small", small))


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
