"""Copies for a course: without solutions, and with a cell that grades."""

import copies
import make_notebooks
import nbformat
import portable
import pytest
from nbclient import NotebookClient

CHAPTER = "kernel_matrices"


@pytest.fixture(scope="module")
def notebook():
    """A short chapter as the book has it."""
    return nbformat.read(make_notebooks.notebook_path(CHAPTER), as_version=4)


def tagged(notebook, tag):
    """The cells of code with a tag."""
    return [c for c in notebook.cells if tag in c.metadata.get("tags", [])]


def words(notebook):
    """All words of a notebook."""
    cells = (c.source for c in notebook.cells if c.cell_type == "markdown")
    return "\n\n".join(cells)


def test_a_student_sees_no_solution(notebook):
    copy = copies.student(notebook)
    nbformat.validate(copy)
    assert "solution" not in words(copy).lower().replace("solutions", "")
    assert tagged(copy, "solution") == []
    solutions = [c.source for c in tagged(notebook, "solution")]
    solutions = [source for source in solutions if not portable.is_plumbing(source)]
    kept = "\n".join(cell.source for cell in copy.cells)
    assert solutions and not any(source in kept for source in solutions)


def test_the_rest_is_as_it_was(notebook):
    copy = copies.student(notebook)
    code = [c.source for c in copy.cells if c.cell_type == "code"]
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell not in tagged(notebook, "solution"):
            assert cell.source in code
    bare = copies.SOLUTION.sub("", words(notebook))
    assert "".join(words(copy).split()) == "".join(bare.split())


def test_every_exercise_has_a_place_to_work(notebook):
    copy = copies.student(notebook)
    exercises = copies.EXERCISE.findall(words(notebook))
    work = tagged(copy, "work")
    assert len(exercises) == len(work) >= 5
    for (exercise, says), cell in zip(exercises, work, strict=True):
        assert cell.source.startswith(f"# {exercise}: your work.")
        assert ("nystheory.challenge" in cell.source) == ("(break" in says)
    assert len(tagged(copy, "grade")) >= 2


def test_an_instructor_sees_all_solutions_open(notebook):
    copy = copies.instructor(notebook)
    nbformat.validate(copy)
    assert words(copy).count('class="solution" open') == len(
        copies.SOLUTION.findall(words(notebook))
    )
    for cell in tagged(copy, "solution"):
        assert "hide-cell" not in cell.metadata.tags and "jupyter" not in cell.metadata
    assert [c.source for c in copy.cells if c.cell_type == "code"] == [
        c.source for c in notebook.cells if c.cell_type == "code"
    ]


@pytest.mark.parametrize("name", make_notebooks.names())
def test_every_chapter_can_be_copied(name):
    """Each exercise has its place, and what grades asks for names that it tells."""
    notebook = nbformat.read(make_notebooks.notebook_path(name), as_version=4)
    copy = copies.student(notebook)
    nbformat.validate(copy)
    assert len(copies.EXERCISE.findall(words(notebook))) == len(tagged(copy, "work"))
    assert copies.SOLUTION.search(words(copy)) is None
    for cell in tagged(copy, "grade"):
        compile(cell.source, name, "exec")
    nbformat.validate(copies.instructor(notebook))


def graded(copy, tmp_path):
    """Run a copy to its end; the errors of its cells that grade, by exercise."""
    for cell in tagged(copy, "grade"):
        cell.metadata.tags.append("raises-exception")
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(
        copy, kernel_name="python3", timeout=300, resources=resources
    )
    client.execute()
    told = []
    for cell in tagged(copy, "grade"):
        errors = [o.ename for o in cell.outputs if o.output_type == "error"]
        told.append(errors[0] if errors else "")
    return told


def pasted(notebook, copy):
    """The copy with the code of each solution in its place to work."""
    code, exercise = {}, ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            exercise = (
                [exercise] + [x for x, _ in copies.EXERCISE.findall(cell.source)]
            )[-1]
        elif "solution" in cell.metadata.get("tags", []):
            code.setdefault(exercise, []).append(cell.source)
    for cell in tagged(copy, "work"):
        exercise = cell.source[2:].partition(":")[0]
        cell.source += "\n".join(code.get(exercise, []))
    return copy


def test_without_solutions_it_fails(notebook, tmp_path):
    told = graded(copies.student(notebook), tmp_path)
    assert told and all(told), "a cell that grades was content with nothing"


def test_with_the_solutions_pasted_in_it_passes(notebook, tmp_path):
    copy = pasted(notebook, copies.student(notebook))
    told = graded(copy, tmp_path)
    assert told and not any(told)
    for cell in tagged(copy, "grade"):
        assert ": correct" in cell.outputs[-1].text


# ---- the parts ----


EXERCISE = '<div class="exercise">\n\n**Exercise 1.1** (computer) What is it?\n\n</div>'
SOLUTION = '<details class="solution"><summary>So</summary>\n\nTwo.\n\n</details>'


@pytest.mark.parametrize(
    ("work", "error"),
    [("y = x + 1", None), ("y = x", AssertionError), ("", NameError)],
)
def test_what_grades_tells_right_from_wrong(work, error, capsys):
    cell, words = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    solved = cell("y = x + 1\nassert y == 2", metadata={"tags": ["solution"]})
    cells = [cell("x = 1"), words(f"{EXERCISE}\n\n{SOLUTION}"), solved, words("End.")]
    copy = copies.student(nbformat.v4.new_notebook(cells=cells))
    assert [c.source for c in copy.cells] == [
        "x = 1",
        EXERCISE,
        "# Exercise 1.1: your work.\n# The next cell grades it, and needs y.\n",
        'assert y == 2\nprint("Exercise 1.1: correct")',
        "End.",
    ]
    has = {}
    exec(f"x = 1\n{work}", has)
    if error is None:
        exec(copy.cells[3].source, has)
        assert capsys.readouterr().out == "Exercise 1.1: correct\n"
    else:
        with pytest.raises(error):
            exec(copy.cells[3].source, has)


def test_what_grades_is_what_is_asserted():
    source = (
        "x = 1\nassert x == 1\nfor y in (1, 2):\n    assert y\nassert (\n    x < 3)"
    )
    assert copies.assertions(source) == ["assert x == 1", "assert (\n    x < 3)"]
    assert copies.assigned(source) == {"x", "y"}
    assert copies.names(["assert all(x < z for x in a)"]) == {"all", "z", "a"}


def test_two_files_are_written(tmp_path, capsys):
    assert copies.main([CHAPTER, "--to", str(tmp_path / "course")]) == 0
    found = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.ipynb"))
    assert [path.as_posix() for path in found] == [
        f"course/{kind}/{CHAPTER}.ipynb" for kind in ("instructor", "student")
    ]
    assert copies.main(["nowhere", "--to", str(tmp_path)]) == 2
    assert "NAME: expected one of" in capsys.readouterr().err
