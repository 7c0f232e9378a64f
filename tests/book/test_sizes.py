"""A chapter with a size changed: what fails is told, and the rest runs on."""

import ast
import re

import make_notebooks
import pytest
import sizes

HEAD = (
    "---\nkernelspec:\n  display_name: Python 3\n  language: python\n"
    "  name: python3\n---\n\n# Tiny\n"
)
CELL = "\n```{{code-cell}}\n{}\n```\n"
CODE = (
    "n, k = 100, 5\nx = list(range(n))",
    "assert len(x) == 100\nassert sum(x) > 4000, 'expected a large sum'",
    "x[80]\ny = n",
    "assert y == n\nverified('nothing of this id')",
)
SOLUTION = "\n:::{solution} ex-tiny\n\nIt fails.\n" + CELL.format("1 / 0") + "\n:::\n"


@pytest.fixture
def book(tmp_path):
    """A book of one short text."""
    (tmp_path / "md").mkdir()
    cells = [*map(CELL.format, CODE), SOLUTION, CELL.format("done = 12")]
    (tmp_path / "md" / "tiny.md").write_text(HEAD + "".join(cells), "utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """What the script sets for its own process is not set for other tests."""
    monkeypatch.setenv("NYSTHEORY_VERDICTS", "")
    monkeypatch.setenv("MPLBACKEND", "Agg")


def test_what_fails_is_told_by_line_and_the_rest_runs(book, capsys):
    text = (book / "md" / "tiny.md").read_text("utf-8").splitlines()
    at, asserts, index = (text.index(code.split("\n")[0]) + 1 for code in CODE[:3])
    assert sizes.main(["tiny"], book) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"tiny: 100 to 50 in line {at}, 12 to 6 in line ")
    assert told[1:] == [
        f"    line {asserts}: no words. assert len(x) == 100",
        f"    line {asserts + 1}: a conclusion. expected a large sum",
        f"    line {index}: an error. IndexError: list index out of range",
    ]


def test_what_fails_with_words_hurts_nobody(book, capsys):
    path = book / "md" / "tiny.md"
    path.write_text(path.read_text("utf-8").replace("== 100", "== n"), "utf-8")
    assert sizes.main(["tiny", "--double"], book) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1 and "100 to 200" in told[0]


def test_one_size_at_a_time(book, capsys):
    assert sizes.main(["tiny", "--double", "--each"], book) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if line.startswith("tiny")] == [
        f"tiny: 100 to 200 in line {told[0].split()[-1]}",
        f"tiny: 12 to 24 in line {told[-1].split()[-1]}",
    ]
    assert "no words" in told[1] and len(told) == 3


def test_a_size_that_is_refused_by_name_hurts_nobody(book, capsys):
    """A list that is too short does not say so; a function of the package does."""
    path = book / "md" / "tiny.md"
    told = "raise ValueError(f'n: expected 100, got {n}')"
    text = path.read_text("utf-8").replace("== 100", "== n")
    refused = f"for z in x:\n    if n < 100:\n        {told}\nz + 1"
    path.write_text(text.replace("x[80]", refused), "utf-8")
    assert sizes.main(["tiny"], book) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1].endswith("a refusal. ValueError: n: expected 100, got 50")


def test_every_chapter_is_read():
    """All statements of a page but those of its solutions, and the line of each."""
    for name in make_notebooks.names():
        path = make_notebooks.text_path(name)
        text = path.read_text("utf-8").splitlines()
        for line in sizes.statements(path):
            word = re.match(r"\w\w+", ast.unparse(line))
            assert word is None or word[0] in text[line.lineno - 1], (name, line.lineno)
