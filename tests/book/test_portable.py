"""From a text to cells of a notebook that every viewer shows."""

import re

import labels
import make_notebooks
import nbformat
import portable
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labels import Target


def _told(id, folds):
    """A theorem, with a formula open and one for each fold."""
    parts = {words: f"$$\n{names[0]}\n$$" for words, names in folds.items()}
    return "Its title", "Bach 2013, Theorem 1", {"": "$$\nx \\ge 0\n$$"} | parts


def a_page():
    """A page with a few labels; values are told as expression and cell."""
    found = labels.Labels()
    found.add("book:one", Target("Theorem 3.1", "other", "book-one"))
    found.add("alg-x", Target("Algorithm 3.2", "other", "steps", "Steps"))
    found.add("ex-one", Target("Exercise 3.1", "here", "ex-one"))
    found.add("fig-one", Target("Figure 3.1", "here", "fig-one"))
    found.add("term leverage score", Target("Leverage score", "glossary", "leverage"))
    return portable.Page(
        "here",
        found,
        lambda expression, cell: f"<{expression} after {cell}>",
        _told,
        lambda name: ("What it promises.", f"def {name}(): ..."),
    )


@pytest.fixture
def page():
    """A new page for each test."""
    return a_page()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It is {{ x:.2f }} so.", "It is <x:.2f after 4> so."),
        ("{{ a }} and {{ b[0] }}", "<a after 4> and <b[0] after 4>"),
        ("By {ref}`book:one`.", "By [Theorem 3.1](other.ipynb#book-one)."),
        ("{ref}`so <ex-one>`", "[so](here.ipynb#ex-one)"),
        ("{term}`leverage score`", "[leverage score](glossary.ipynb#leverage)"),
        ("{term}`scores <leverage score>`", "[scores](glossary.ipynb#leverage)"),
        ("{term}`Leverage score`", "[Leverage score](glossary.ipynb#leverage)"),
        ("{cite:p}`talwalkar2010`", "[(Talwalkar 2010)](bibliography.ipynb#"),
        ("(sec-x)=\n## Words", '<a id="sec-x"></a>\n\n## Words'),
        ("$\\{x\\}$ and $x_{{i}}$", "$\\{x\\}$ and $x_{{i}}$"),
        (
            "```text\n{{ x }} {ref}`no`\n:::{no}\n```",
            "```text\n{{ x }} {ref}`no`\n:::{no}",
        ),
    ],
)
def test_words(page, text, told):
    assert told in page.words(text, 4)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{ref}`nowhere`", KeyError),
        ("{term}`nothing`", KeyError),
        ("{cite:t}`nobody1900`", KeyError),
        (":::{warning} No\n:::", ValueError),
        (":::{prf:theorem} book:one\n:::", ValueError),
        (":::{theorem} book:two\n:::", KeyError),
    ],
)
def test_what_is_not_known_is_an_error(page, text, error):
    with pytest.raises(error):
        page.words(text, 0)


def test_a_box_is_written_from_the_object(page):
    told = page.words(":::{theorem} book:one\n:::", 2)
    assert told.startswith(
        '<blockquote class="statement" id="book-one">\n\n**Theorem 3.1'
    )
    assert (
        "Its title · *Bach 2013, Theorem 1*\xa0·\xa0[¶](other.ipynb#book-one)" in told
    )
    assert "$$\nx \\ge 0\n$$" in told and told.endswith("</blockquote>")
    assert "<verdict('book:one') after 2>" in told
    assert "verdict" not in portable.without_run(told)
    words = [entry[0] for entry in page.index]
    assert words == [
        "Theorem 3.1: Its title",
        "Bach 2013, Theorem 1 (here Theorem 3.1): Its title",
    ]


def test_a_proof_says_of_what(page):
    told = page.words(":::{theorem} book:one\n:::\n\n:::{proof}\nSo.\n:::", 0)
    assert '<details class="proof"><summary>Proof of Theorem 3.1</summary>' in told
    assert "\n\nSo.\n\n</details>" in told


def test_directives_inside_directives(page):
    told = page.words("::::{fold} More\n:::{note} Good\nto {{ x }}\n:::\n::::", 1)
    first, second = told.index("<details"), told.index("<blockquote")
    assert first < second < told.index("</blockquote>") < told.index("</details>")
    assert "**Good**\n\nto <x after 1>" in told


def test_algorithms_listings_and_exercises(page):
    told = page.words(":::{algorithm} alg-x Steps\n1. One\n\nCost: 1.\n:::", 0)
    assert '<blockquote class="algorithm" id="steps">' in told
    assert "**Algorithm 3.2** Steps\xa0[¶]" in told and "1. One\n\nCost: 1." in told
    told = page.words(":::{listing} lowrank.nystrom\n:::", 0)
    assert "```python\ndef lowrank.nystrom(): ...\n```" in told
    assert "<summary>What lowrank.nystrom promises</summary>" in told
    told = page.words(":::{exercise} ex-one\n(paper) Show it.\n:::", 0)
    assert '<div class="exercise" id="ex-one">\n\n**Exercise 3.1** (paper) Show' in told


def test_a_solution_folds_its_cells(page):
    """Each cell of words is a fold of its own, and no fold is around nothing."""
    first = page.words(":::{solution} ex-one\n\nOne.\n", 0)
    assert "<summary>Solution of Exercise 3.1</summary>\n\nOne.\n\n</details>" in first
    assert page.solving
    second = page.words("Two.\n\n:::\n\nAfter it.", 1)
    assert "<summary>Solution, continued</summary>\n\nTwo.\n\n</details>" in second
    assert second.endswith("</details>\n\nAfter it.") and not page.solving
    page.words(":::{solution} ex-one\n", 0)
    assert page.words(":::\n\nAfter it.", 1) == "After it."


FOLDS = re.compile(r"<(/?)(details|blockquote|div)\b")


@given(
    st.lists(
        st.sampled_from(
            [
                "Words {{ x }}.",
                ":::{note} Good\nWords.\n:::",
                ":::{fold} More\nWords.\n:::",
                "::::{fold} More\n:::{note}\nWords.\n:::\n::::",
                ":::{solution} ex-one\nWords.\n:::",
                ":::{exercise} ex-one\nWords.\n:::",
                ":::{theorem} book:one\n:::",
                ":::{proof}\nWords.\n:::",
                "```python\n:::{fold} no\n```",
            ]
        )
    ),
    st.booleans(),
)
def test_what_is_opened_is_closed(blocks, continued):
    """In every cell by itself, or it would swallow the rest of the page."""
    made = a_page()
    cells = ["\n\n".join(blocks)]
    if continued:
        cells = [
            f"{cells[0]}\n\n:::{{solution}} ex-one\nWords.",
            "More.\n\n:::\n\nEnd.",
        ]
    for cell in cells:
        depth = []
        told = re.sub(r"^```.*?^```", "", made.words(cell, 0), flags=re.M | re.S)
        for end, name in FOLDS.findall(told):
            if not end:
                depth.append(name)
            else:
                assert depth.pop() == name
        assert depth == []
    assert not made.solving


def test_plumbing_is_imports_asserts_and_what_came():
    assert portable.is_plumbing("import numpy as np\nfrom a import b\nassert b")
    assert portable.is_plumbing("verified('one:id', 'two:id')\nassert b")
    assert portable.is_plumbing("coins = findings.COINS.found()\ncoins")
    assert not portable.is_plumbing("assert b\nx = 1")
    assert not portable.is_plumbing("")
    assert not portable.is_plumbing("%matplotlib inline")


# ---- a whole notebook ----

TEXT = """# A page

Words.

```{code-cell}
from nystheory.chapters.kernel_matrices import experiments
```

```{code-cell}
x = experiments.gallery()
```

It is {{ len(x) }}.

```{code-cell}
---
mystnb:
  figure:
    caption: Of {{ y }}.
    name: fig-one
  image:
    alt: A picture of {{ z }}.
tags: [nbval-ignore-output]
---
draw()
```

```{code-cell}
:tags: [show-input]

assert x
```

:::{exercise} ex-one
(computer) What?
:::

:::{solution} ex-one

```{code-cell}
w = 1
```

So.

:::
"""


@pytest.fixture
def notebook(tmp_path):
    """The notebook of a text, and what was asked after which code cell."""
    folder = tmp_path / "md"
    folder.mkdir()
    (folder / "kernel_matrices.md").write_text(TEXT, "utf-8")
    raw = make_notebooks.from_text(folder / "kernel_matrices.md")
    found, asked = labels.read(tmp_path), []

    def value(expression, cell):
        asked.append((expression, raw.cells[cell].source))
        return "7"

    made = make_notebooks.written("kernel_matrices", raw, found, value)
    nbformat.validate(made)
    return made, asked


def test_numbers_captions_and_texts_of_pictures_are_asked_after_their_cell(notebook):
    assert notebook[1] == [
        ("len(x)", "x = experiments.gallery()"),
        ("z", "draw()"),
        ("reading()", "draw()"),
        ("y", "draw()"),
    ]


def test_a_figure_has_its_words(notebook):
    cells = notebook[0].cells
    at = next(k for k, cell in enumerate(cells) if "draw" in cell.source)
    assert cells[at].metadata.mystnb == {"image": {"alt": "A picture of 7."}}
    assert cells[at + 1].source == (
        '<div class="caption" id="fig-one">\n\n**Figure 1.1.** Of 7.\n\n</div>'
    )


def test_what_is_folded_in_jupyterlab_too(notebook):
    code = [cell for cell in notebook[0].cells if cell.cell_type == "code"]
    tags = [cell.metadata.get("tags", []) for cell in code]
    assert tags == [
        ["hide-input"],
        [],
        ["nbval-ignore-output", "hide-input"],
        [],
        ["solution", "hide-cell"],
    ]
    hidden = [dict(cell.metadata.get("jupyter", {})) for cell in code]
    folded = {"source_hidden": True}
    assert hidden == [folded, {}, folded, {}, folded | {"outputs_hidden": True}]


def test_what_the_author_folds_is_folded_in_jupyterlab_too(tmp_path):
    """It shows the first line: of a solution, whose it is."""
    (tmp_path / "md").mkdir()
    folded = TEXT.replace(
        "```{code-cell}\nx =", "```{code-cell}\n:tags: [hide-input]\n\nx ="
    )
    (tmp_path / "md" / "kernel_matrices.md").write_text(folded, "utf-8")
    raw = make_notebooks.from_text(tmp_path / "md" / "kernel_matrices.md")
    found = labels.read(tmp_path)
    made = make_notebooks.written("kernel_matrices", raw, found, lambda *_: "7")
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    hidden = [cell.metadata.get("jupyter", {}).get("source_hidden") for cell in code]
    assert hidden == [True, True, True, None, True]
    assert code[-1].source == "# Solution of Exercise 1.1\nw = 1"


@pytest.fixture(scope="module")
def of_the_book():
    """All labels of the book; reading every text takes seconds."""
    return labels.read()


@pytest.mark.parametrize("name", make_notebooks.names())
def test_every_fold_of_the_book_is_one_in_jupyterlab(name, of_the_book):
    """And no notebook asks a reader to look at plumbing before the picture."""
    raw = make_notebooks.from_text(make_notebooks.text_path(name))
    made = make_notebooks.written(name, raw, of_the_book, lambda *_: "7")
    for cell in made.cells:
        if {"hide-input", "hide-cell"} & {*cell.metadata.get("tags", [])}:
            assert cell.metadata.jupyter.source_hidden, cell.source


def test_a_notebook_that_stands_alone_says_what_it_needs(notebook):
    code = [cell.source for cell in notebook[0].cells if cell.cell_type == "code"]
    assert [make_notebooks.NEEDS in source for source in code] == [True] + 4 * [False]


def test_the_code_of_an_experiment_is_one_click_away(notebook):
    (listed,) = [c.source for c in notebook[0].cells if "Code of" in c.source]
    assert "<summary>Code of experiments.gallery</summary>" in listed
    assert "def gallery()" in listed


def test_a_number_before_the_first_cell_is_an_error(tmp_path):
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "small.md").write_text("# It is {{ 1 }}\n", "utf-8")
    made = make_notebooks.make("small", tmp_path)
    assert "'1' stands before the first code cell" in made.error


def test_minutes_are_of_words_formulas_and_exercises():
    assert portable.minutes(["word " * 1300]) == pytest.approx(10)
    assert portable.minutes(["$$\nx\n$$\n\n" * 8]) == pytest.approx(2)
    exercise = '<div class="exercise" id="a">\n\n</div>'
    assert portable.minutes([exercise]) == pytest.approx(1)
    assert portable.minutes(['<div class="quiz">\n\n</div>']) == pytest.approx(1 / 4)


def test_what_is_folded_or_code_takes_no_time():
    folded = "<details><summary>more</summary>a <details>word</details> b</details>"
    assert portable.minutes([folded, "```python\nsome code\n```"]) == 0


def test_a_box_folds_what_its_lines_name(page):
    """What is open comes first, then each fold under its words, then the verdict."""
    text = ":::{theorem} book:one\nalso for x below 1: x; x, squared\n:::"
    told = page.words(text, 0)
    inside = "Also for x below 1</summary>", "$$\nx\n$$", "verdict("
    places = [told.index(each) for each in ("x \\ge 0", *inside)]
    assert places == sorted(places) and 'class="variant"' in told
    for wrong in ("no claim is named", "twice: x\ntwice: y"):
        with pytest.raises(ValueError, match="a box: expected 'words: claim"):
            page.words(f":::{{theorem}} book:one\n{wrong}\n:::", 0)
