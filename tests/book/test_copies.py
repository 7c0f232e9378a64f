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
    work = [cell.source for cell in tagged(copy, "work")]
    for exercise, says in exercises:
        mine = [source for source in work if source.startswith(f"# {exercise}")]
        assert mine and all(": your work.\n" in source for source in mine)
        assert any("challenge(" in source for source in mine) == ("(break" in says)
    assert 'challenge("talwalkar2010:def-2.1", K, landmarks)' in "".join(work)
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


CHAPTERS = pytest.mark.parametrize("name", make_notebooks.names())


def chapter(name):
    """A notebook of the book."""
    return nbformat.read(make_notebooks.notebook_path(name), as_version=4)


@CHAPTERS
def test_every_chapter_can_be_copied(name):
    """Each exercise has its place, and nothing of a solution is left."""
    notebook = chapter(name)
    copy = copies.student(notebook)
    nbformat.validate(copy)
    places = {
        c.source.partition(":")[0].partition(",")[0] for c in tagged(copy, "work")
    }
    exercises = [exercise for exercise, _ in copies.EXERCISE.findall(words(notebook))]
    assert places == {f"# {exercise}" for exercise in exercises}
    assert copies.SOLUTION.search(words(copy)) is None
    nbformat.validate(copies.instructor(notebook))


@CHAPTERS
def test_without_an_answer_no_cell_that_grades_is_content(name, capsys):
    """Whatever the chapter had under these names: the cell to work in forgets it.

    Each cell that grades is run after its cell to work in, with an object under every
    name of the chapter. It asks for an answer before it looks at anything else.
    """
    copy = copies.student(chapter(name))
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    known = set().union(*(copies.assigned(cell.source) for cell in code))
    for work, cell in zip(code, code[1:], strict=False):
        if "grade" in cell.metadata.get("tags", []):
            assert "work" in work.metadata.tags
            has = dict.fromkeys(known, object())
            exec(work.source, has)
            with pytest.raises(NameError, match=r"Exercise [\d.]+.* needs \w+"):
                exec(cell.source, has)
    assert "correct" not in capsys.readouterr().out


@CHAPTERS
def test_what_a_solution_asserts_grades(name):
    """A cell of a solution that asserts nothing of its own would grade nobody.

    Exercises for paper are graded by a person. Write `share = ...` before an assertion
    about it.
    """
    told = [
        f"{part.exercise}: {asserted}"
        for solved in copies.parts(chapter(name))
        for part in solved
        if not copies.on_paper(part.words)
        for cell in part.cells
        if (asserted := copies.assertions(cell.source))
        if not set(asserted) & set(part.grades)
    ]
    assert told == []


@CHAPTERS
def test_the_run_of_the_tests_grades_every_solution(name):
    """What a student's copy runs around the solutions stands around those of the book.

    The tests of the notebook run it in their kernel: see conftest.
    """
    notebook = chapter(name)
    around, copy = copies.rehearsal(notebook), copies.student(notebook)
    graded = [cell.source for cell in tagged(copy, "grade")]
    afterwards = [after for _, after, _ in around.values() if after]
    assert sorted(afterwards) == sorted(graded)
    assert all(bool(after) == bool(wrong) for _, after, wrong in around.values())
    solutions = {cell.id for cell in tagged(notebook, "solution")}
    assert set(around) <= solutions


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
    """The copy with the code of each part of a solution in its place to work."""
    solved = [part for each in copies.parts(notebook) for part in each]
    for part, cell in zip(solved, tagged(copy, "work"), strict=True):
        assert cell.source == part.work
        cell.source += "\n".join(source.source for source in part.cells)
    return copy


def test_without_solutions_it_fails(notebook, tmp_path):
    told = graded(copies.student(notebook), tmp_path)
    assert told and all(told), "a cell that grades was content with nothing"


def test_with_the_solutions_pasted_in_it_passes(notebook, tmp_path):
    copy = pasted(notebook, copies.student(notebook))
    told = graded(copy, tmp_path)
    assert told and not any(told)
    for cell in tagged(copy, "grade"):
        printed = "".join(output.get("text", "") for output in cell.outputs)
        assert ": correct" in printed  # a kernel may send a line in two pieces


# ---- the parts ----


EXERCISE = '<div class="exercise">\n\n**Exercise 1.1** (computer) What is it?\n\n</div>'
SOLUTION = '<details class="solution"><summary>So</summary>\n\nTwo.\n\n</details>'


def made(*cells):
    """A notebook of cells: words, code, and the code of solutions as `so`."""
    new = nbformat.v4
    kinds = {
        "words": new.new_markdown_cell,
        "code": new.new_code_cell,
        "so": lambda code: new.new_code_cell(code, metadata={"tags": ["solution"]}),
    }
    return new.new_notebook(cells=[kinds[kind](source) for kind, source in cells])


@pytest.mark.parametrize(
    ("work", "error", "says"),
    [
        ("y = x + 1", None, "Exercise 1.1: correct"),
        ("y = x", AssertionError, r"1.1 asks that y == 2; here y is 1$"),
        ("y = [2]", AssertionError, r"here y is \[2\]"),
        ("", NameError, "Exercise 1.1 needs y: define it in the cell above"),
    ],
)
def test_what_grades_tells_right_from_wrong(work, error, says, capsys):
    copy = copies.student(
        made(
            ("code", "x = 1\ny = 2"),
            ("words", f"{EXERCISE}\n\n{SOLUTION}"),
            ("so", "y = x + 1\nassert x == 1\nassert y == 2"),
            ("words", "End."),
        )
    )
    asked = "# Exercise 1.1: your work.\n# The next cell grades it, and needs y.\n"
    sources = [cell.source for cell in copy.cells]
    assert sources[:3] + sources[4:] == [
        *("x = 1\ny = 2", EXERCISE, f"{asked}y = None\n", "End.")
    ]
    assert "assert y == 2" in sources[3] and "x == 1" not in sources[3]
    has = {}
    exec(f"{sources[0]}\n{sources[2]}\n{work}", has)
    if error is None:
        exec(sources[3], has)
        assert capsys.readouterr().out.strip() == says
    else:
        with pytest.raises(error, match=says):
            exec(sources[3], has)


def test_each_cell_that_asserts_has_a_place_to_work_of_its_own():
    """One name may be asked for twice, and the second answer is not the first."""
    notebook = made(
        ("words", EXERCISE),
        ("so", "a = [1, 3]"),
        ("so", "assert a[0] < 2 < a[1]"),
        ("so", "a, b = [1, 0, 4], 5\nassert min(a) == a[1]"),
        ("so", "assert b > 4"),
    )
    ((first, second, third),) = copies.parts(notebook)
    assert [len(each.cells) for each in (first, second, third)] == [2, 1, 1]
    assert first.work == (
        "# Exercise 1.1, part 1: your work.\n"
        "# The next cell grades it, and needs a[0], a[1].\na = None\n"
    )
    assert second.work.endswith("needs a, a[1].\na = None\nb = None\n")
    assert third.work.endswith(
        "part 3: your work.\n# The next cell grades it, and needs b.\n"
    )
    has = {}
    for part in (first, second, third):
        exec("\n".join([part.work, *(c.source for c in part.cells), part.graded]), has)


@pytest.mark.parametrize(
    ("kinds", "graded"),
    [("(paper)", 0), ("(computer)", 1), ("(paper) (break this bound)", 1)],
)
def test_paper_is_graded_by_a_person(kinds, graded):
    exercise = EXERCISE.replace("(computer)", kinds)
    notebook = made(("words", exercise), ("so", "y = 2\nassert y == 2"))
    copy = copies.student(notebook)
    assert len(tagged(copy, "work")) == 1
    assert len(tagged(copy, "grade")) == graded


@pytest.mark.parametrize(
    ("place", "hint"),
    [
        ("[T](ensembles.ipynb#talwalkar2010-thm-2-3)", True),
        ("[T](ensembles.ipynb#talwalkar2010-thm-5-1)", False),  # of no matrix
        ("No theorem.", False),
    ],
)
def test_a_hint_at_challenge_runs_as_it_stands(place, hint):
    """Only where an exercise names a theorem of which a matrix can be tried."""
    words = f"**Exercise 1.1** (break this bound) {place}\n\n</div>"
    ((part,),) = copies.parts(made(("words", words)))
    assert ("challenge" in part.work) == hint
    if hint:
        lines = part.work.splitlines()[-2:]
        has = {"K": [[2, 1], [1, 2]], "landmarks": [0]}
        exec("\n".join(line.removeprefix("# ") for line in lines), has)


def test_what_grades_is_what_is_asserted():
    source = (
        "x = 1\nassert x == 1\nfor y in (1, 2):\n    assert y\nassert (\n    x < 3)"
    )
    assert copies.assertions(source) == ["assert x == 1", "assert (\n    x < 3)"]
    assert copies.assigned(source) == {"x", "y"}
    assert copies.assigned("a = [b for b in c]\ndef f(d):\n    e = d") == {"a", "f"}
    assert copies.names(["assert all(x < z for x in a)"]) == {"all", "z", "a"}
    assert copies.names(["assert min(a, key=lambda x: x) == z"]) == {"min", "a", "z"}


def test_two_files_are_written(tmp_path, capsys):
    assert copies.main([CHAPTER, "--to", str(tmp_path / "course")]) == 0
    found = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.ipynb"))
    assert [path.as_posix() for path in found] == [
        f"course/{kind}/{name}.ipynb"
        for kind in ("instructor", "student")
        for name in sorted([CHAPTER, *copies.BESIDE])
    ]
    assert copies.main(["nowhere", "--to", str(tmp_path)]) == 2
    assert "NAME: expected one of" in capsys.readouterr().err


def test_a_link_leads_to_what_is_there_or_is_none(tmp_path):
    other = "two_ways_to_learn_a_matrix"
    copies.main([CHAPTER, other, "--to", str(tmp_path)])
    there = {path.stem for path in (tmp_path / "student").glob("*.ipynb")}
    assert there == {CHAPTER, other, *copies.BESIDE}
    led = set()
    for path in tmp_path.rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        led |= {link[1] for link in copies.LINK.findall(words(notebook))}
    assert led and led <= there
    alone = copies.linked(chapter(CHAPTER), {CHAPTER})
    assert {link[1] for link in copies.LINK.findall(words(alone))} <= {CHAPTER}
    assert words(alone) != words(chapter(CHAPTER))
