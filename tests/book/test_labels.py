"""What the book refers to: numbers, places, minutes."""

import re

import labels
import pytest
from hypothesis import given
from hypothesis import strategies as st

TOC = """format: jb-book
root: book/intro
parts:
  - caption: "Part I: One"
    numbered: true
    chapters:
      - file: book/notebooks/first
      - file: book/notebooks/second
  - caption: Reference
    chapters:
      - file: book/notebooks/glossary
"""
FIRST = """# The first

(sec-one)=
## A section

:::{theorem} book:one
:::

:::{proof}
A proof.

:::

:::{algorithm} alg-steps Steps to take
1. One
:::

```{code-cell}
---
mystnb:
  figure:
    caption: A figure.
    name: fig-one
---
1
```

:::{lemma} book:two
:::

```text
:::{theorem} book:not-one
:::
```

:::{exercise} ex-one
(warm-up) What?
:::
"""
SECOND = "# The second\n\n:::{theorem} book:three\n:::\n"
GLOSSARY = "# Glossary\n\n### Leverage score\n\nA number.\n"


@pytest.fixture
def book(tmp_path):
    """A book of three pages."""
    (tmp_path / "_toc.yml").write_text(TOC, "utf-8")
    folder = tmp_path / "book" / "md"
    folder.mkdir(parents=True)
    texts = {"first": FIRST, "second": SECOND, "glossary": GLOSSARY}
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return folder.parent


def test_boxes_share_a_counter_in_a_chapter(book):
    found = labels.read(book)
    assert {label: found[label].words for label in found.targets} == {
        "first": "The first",
        "sec-one": "A section",
        "book:one": "Theorem 1.1",
        "alg-steps": "Algorithm 1.2",
        "fig-one": "Figure 1.1",
        "book:two": "Lemma 1.3",
        "ex-one": "Exercise 1.1",
        "second": "The second",
        "book:three": "Theorem 2.1",
        "glossary": "Glossary",
        "term leverage score": "Leverage score",
    }


def test_an_address_is_a_notebook_and_a_place(book):
    found = labels.read(book)
    assert found["first"].address == "first.ipynb"
    assert found["book:two"].address == "first.ipynb#book-two"
    assert found["alg-steps"].address == "first.ipynb#steps-to-take"
    assert found["term leverage score"].address == "glossary.ipynb#leverage-score"


def test_what_no_text_has_is_told(book):
    with pytest.raises(KeyError, match="no label 'ex-two' in the book"):
        labels.read(book)["ex-two"]


def test_one_label_is_in_one_place(book):
    (book / "md" / "second.md").write_text(SECOND.replace("three", "one"), "utf-8")
    with pytest.raises(ValueError, match="'book:one': .* got first and second"):
        labels.read(book)


def test_every_page_of_the_table_of_contents_has_a_number_or_none():
    found = labels.chapters()
    numbered = [number for number in found.values() if number]
    assert numbered == [str(k) for k in range(1, len(numbered) + 1)]
    assert found["glossary"] == found["errata"] == ""


@given(st.text())
def test_a_slug_is_an_anchor(words):
    made = labels.slug(words)
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", made)
    assert labels.slug(made) == made


def test_an_anchor_is_the_same_in_the_book_and_in_the_package():
    from nystheory.chapters import theorems

    anchors = [labels.anchor_of(id) for id in theorems]
    assert anchors == [theorem.anchor for theorem in theorems.values()]
    assert len(set(anchors)) == len(anchors)
