"""Quizzes: what is marked as right is right, and each viewer shows them."""

import re
import sys
from functools import cache
from pathlib import Path

import copies
import nbformat
import numpy as np
import portable
import pytest
import quizzes
from docutils.core import publish_doctree, publish_from_doctree
from make_notebooks import BOOK
from myst_parser.docutils_ import Parser
from statements_of_texts import TEXTS, read
from test_portable import a_page
from test_register import CHAPTERS
from test_solutions import digits

import nystheory as nt

sys.path.append(str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import quiz  # noqa: E402

# What a check may use without an import.
KNOWN = {"np": np} | {x: getattr(nt, x) for x in nt.ROOMS if x != "chapters"}
SETTINGS = {
    "myst_enable_extensions": ["dollarmath"],
    "output_encoding": "unicode",
    "math_output": "MathJax",
    "report_level": 5,
}


def of(text):
    """The quizzes of a text."""
    blocks = [block for block in read(text)[0] if block.name == "quiz"]
    return [quizzes.read(x.argument, x.inside.split("\n")) for x in blocks]


QUIZZES = [(name, k, x) for name in TEXTS for k, x in enumerate(of(TEXTS[name]))]


@cache
def truths(code, checks):
    """What the expressions of the options come to."""
    names = dict(KNOWN)
    exec(code, names)
    return [eval(check, names) for check in checks]


def misjudged(each):
    """The options that are not marked as their expressions have it."""
    told = truths(each.code, tuple(x.check for x in each.options))
    judged = zip(each.options, told, strict=True)
    return [option.words for option, true in judged if true != option.right]


def typed(text):
    """The numbers of some words, also in formulas, each once."""
    return set(digits(re.sub(r"\{\w+\}`[^`]*`|\{\{.*?\}\}", "", text)))


def unshown(each):
    """Numbers of reasons that the question, the options and the code have not."""
    posed = [each.question, each.code, *(x.words for x in each.options)]
    posed += [x.check for x in each.options]
    told = typed(" ".join(x.why for x in each.options))
    known = {0, 1, 2, *map(float, digits(" ".join(posed)))}
    return {*map(float, told)} - known


# ---- The book


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_path_has_two(chapter):
    path = TEXTS[chapter].partition("\n## Further\n")[0]
    assert len(of(path)) >= 2


@pytest.mark.parametrize(("name", "at", "each"), QUIZZES)
def test_what_is_marked_as_right_is_right(name, at, each):
    assert misjudged(each) == []


@pytest.mark.parametrize(("name", "at", "each"), QUIZZES)
def test_a_reason_has_no_number_of_its_own(name, at, each):
    assert not unshown(each)


@pytest.mark.parametrize(("name", "at", "each"), QUIZZES)
def test_it_is_read_in_half_a_minute(name, at, each):
    words = "\n".join(quizzes.written(each, str))
    assert portable.minutes([words]) <= 0.75


def test_the_right_option_has_no_place_of_its_own():
    places = [[x.right for x in each.options].index(True) for *_, each in QUIZZES]
    assert max(np.bincount(places)) < 0.6 * len(places)


@pytest.mark.parametrize(("name", "at", "each"), QUIZZES)
def test_a_mark_that_is_moved_is_seen(name, at, each):
    """Each option that is marked the other way round."""
    for k, option in enumerate(each.options):
        marked = list(each.options)
        marked[k] = quizzes.Option(
            option.words, option.why, not option.right, option.check
        )
        moved = quizzes.Quiz(each.question, each.code, tuple(marked))
        assert misjudged(moved) == [option.words]


# ---- How a text has it

TEXT = """:::{quiz}
Two points are equal.
What is $W$?

```python
W = np.ones((2, 2))
```

- {right}`np.linalg.matrix_rank(W) == 1` Singular, {{ x }}.
  One point is redundant.
- {wrong}`np.linalg.matrix_rank(W) == 2` Regular.
  It has two equal rows ({ref}`book:one`).
:::"""


def test_a_quiz_is_read():
    (each,) = of(TEXT)
    assert each.question == "Two points are equal. What is $W$?"
    assert each.code == "W = np.ones((2, 2))"
    assert [option.right for option in each.options] == [True, False]
    assert misjudged(each) == [] and not unshown(each)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("What is $W$?", "Say what $W$ is."),
        ("  One point is redundant.\n", ""),
        ("{wrong}", "{right}"),
        ("{right}", "{wrong}"),
        ("- {wrong}", "- {perhaps}"),
        ("- {wrong}`np.linalg.matrix_rank(W) == 2` Regular.", "- Regular."),
    ],
)
def test_what_is_no_quiz_is_an_error(old, new):
    with pytest.raises(ValueError, match="a quiz: expected"):
        of(TEXT.replace(old, new, 1))


def test_a_number_from_nowhere_is_seen():
    assert unshown(of(TEXT.replace("One point is", "3.7 points are"))[0]) == {3.7}


# ---- In a notebook, and on the site


def in_notebook():
    return a_page().words(TEXT, 4)


def on_site():
    """The HTML of the quiz, between two paragraphs."""
    words = f"Before.\n\n{in_notebook()}\n\nAfter."
    doctree = publish_doctree(words, parser=Parser(), settings_overrides=SETTINGS)
    quiz.fold_options(None, doctree)
    told = publish_from_doctree(
        doctree, writer_name="html5", settings_overrides=SETTINGS
    )
    return told.partition("<body")[2]


def test_a_notebook_has_a_list_and_a_fold():
    told = in_notebook()
    options, _, answers = told.partition("<details")
    assert "**Question.** Two points are equal. What is $W$?" in options
    assert "\n- **a)** Singular, <x after 4>.\n- **b)** Regular.\n" in options
    assert "- **a)** **Right.** One point is redundant.\n- **b)** **Not" in answers
    assert "[Theorem 3.1](other.ipynb#book-one)" in answers
    assert "matrix_rank" not in told and "np." not in told
    assert "script" not in told and "Right" not in options


def test_a_students_copy_keeps_it():
    """Quizzes are not graded, so nothing of them is taken away."""
    cell = nbformat.v4.new_markdown_cell(in_notebook())
    (kept,) = copies.student(nbformat.v4.new_notebook(cells=[cell])).cells
    assert kept.source == in_notebook()


def test_the_site_has_a_fold_for_each_option():
    told = on_site()
    assert told.count("<details") == told.count("</details>") == 2
    assert "<ul" not in told and "answers" not in told
    first, second = told.split("<details")[1:]
    assert 'class="option right"' in first and 'class="option"' in second
    assert first.index("Singular") < first.index("</summary>") < first.index("Right.")
    assert "<strong>Not yet.</strong>" in second and "After." in second
    assert told.index("Question") < told.index("<details")


def test_only_elements_that_the_keyboard_opens():
    """A summary takes the focus by itself, and nothing else asks for a mouse."""
    told = on_site()
    assert told.count("<summary>") == 2
    assert not re.search(r"onclick|tabindex|role=|<input|<button", told)


def test_the_script_says_aloud_what_was_opened():
    script = (BOOK / "_static" / "quiz.js").read_text("utf-8")
    assert 'setAttribute("role", "status")' in script and len(script.split("\n")) < 40
    assert "fetch" not in script and "http" not in script
