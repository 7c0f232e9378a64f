"""Copies for a course: without solutions, and with a cell that grades."""

import ast
import json
import re
from functools import cache

import copies
import make_notebooks
import nbformat
import portable
import pytest
from nbclient import NotebookClient

from nystheory.engine.report import forms, grading

CHAPTER = "kernel_matrices"
CHAPTERS = pytest.mark.parametrize("name", make_notebooks.names())


@cache
def chapter(name):
    """A notebook of the book."""
    return nbformat.read(make_notebooks.notebook_path(name), as_version=4)


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
    # Below a solution stands the code of what it calls, and goes with it.
    called = re.compile(r'<details class="code">.*?</details>', re.S)
    kept, whole = (called.sub("", each).split() for each in (words(copy), bare))
    assert kept == whole


@CHAPTERS
def test_no_answer_is_read_in_a_student_s_copy(name):
    """No assertion, no side of one, no code and no number of a solution is left.

    What the chapter itself says is kept, a 20 among other numbers, too: so the cells
    that the copy adds are searched for single sides, and all of it for statements,
    sources, outputs and metadata.
    """
    notebook = chapter(name)
    copy = copies.student(notebook)
    for cell in tagged(copy, "work") + tagged(copy, "grade"):
        assert set(cell.metadata) <= {"tags", "jupyter"} and not cell.outputs
    whole = re.sub(r"\s+", "", nbformat.writes(copy))
    for part in (part for solved in copies.parts(notebook) for part in solved):
        kept = [*part.grades, *solves(part)]
        for statement in kept:
            packed = json.dumps(re.sub(r"\s+", "", statement), ensure_ascii=False)
            assert packed[1:-1] not in whole, f"{part.exercise}: {statement}"
        shown = re.sub(r'opened\("""[^"]*"""\)', "", part.work + part.graded)
        shown = re.sub(r"Exercise [\d.]+(, part \d)?|True or False", "", shown)
        for answer in sides(part):
            found = re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w.])", shown)
            assert not found, f"{part.exercise}: {answer} in {found}"


def solves(part):
    """The statements of a solution that bind what is handed in, but by one name."""
    nodes = [node for cell in part.cells for node in ast.parse(cell.source).body]
    made = [node for node in nodes if copies.assigned(ast.unparse(node))]
    return [
        source
        for node in made
        if copies.assigned(source := ast.unparse(node)) & {*part.needs}
        if len(source) > 20  # n, l = 3, 2 may be said of anything
    ]


def sides(part):
    """The numbers and words that the assertions of a part compare with, as written."""
    nodes = [x for line in part.grades for x in ast.walk(ast.parse(line))]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Compare):
            found |= {ast.unparse(x) for x in node.comparators}
        if isinstance(node, ast.Call) and len(node.args) > 1:
            found |= {ast.unparse(x) for x in node.args[1:]}
    looks = forms.forms("\n".join(part.grades), part.needs).values()
    said = {x for form in looks for x in re.findall(r"\(.*\)|\d+", form.words)}
    return found - said - {*part.needs}


def evaluated(expression):
    """An expression of the prose without its format."""
    try:
        ast.parse(expression, mode="eval")
    except SyntaxError:
        return expression.rpartition(":")[0]
    return expression


@CHAPTERS
def test_nothing_that_is_left_rests_on_a_solution(name):
    """No later cell uses what only a solution binds, and no number was read there."""
    notebook, known, solved = chapter(name), set(), set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if copies.is_solution(cell):
            solved |= copies.assigned(cell.source)
            continue
        known |= copies.assigned(cell.source)
        said = [evaluated(each) for each in cell.metadata.get("said", {})]
        used = copies.names([cell.source, *said])
        assert not used & (solved - known), f"{cell.id} rests on a solution"


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
    name of the chapter. It asks for an answer before it looks at anything else, and
    does not stop the run.
    """
    copy = copies.student(chapter(name))
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    known = set().union(*(copies.assigned(cell.source) for cell in code))
    for work, cell in zip(code, code[1:], strict=False):
        if "grade" in cell.metadata.get("tags", []):
            assert "work" in work.metadata.tags
            has = dict.fromkeys(known, object())
            exec(work.source, has)
            exec(cell.source, has)
            line = r"Exercise [\d.]+(, part \d)?: not yet: .* (is|are) still None\n"
            assert re.fullmatch(line, capsys.readouterr().out)


@CHAPTERS
def test_every_cell_to_work_in_says_what_each_answer_looks_like(name):
    """As the assertions show it; where they do not, they want one about the shape."""
    untold = [
        f"{part.exercise}: {line}"
        for solved in copies.parts(chapter(name))
        for part in solved
        for line in part.work.splitlines()
        if line.startswith("#     ") and ": " not in line
    ]
    assert untold == []


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


@CHAPTERS
def test_answer_and_grader_go_by_two_routes(name):
    """Where the answer is typed, or arithmetic of what is typed, the grader computes.

    Otherwise one slip of one hand is in both, and the grader agrees.
    """
    alike = [
        f"{part.exercise}: {name} == {ast.unparse(other)}"
        for solved in copies.parts(chapter(name))
        for part in solved
        if part.exercise not in BY_HAND
        for name, other in compared(part)
        if typed(other, {}) and name in (made := bound(part.cells))
        if typed(made[name], made)
    ]
    assert alike == []


# Operations that the text counts, and nothing executes: n^3 / 3 and 2 n l^2. The
# formula of a lemma, beside two numbers that are computed.
BY_HAND = {"Exercise 17.1", "Exercise 12.2"}


def bound(cells):
    """What the statements of a solution bind to single names."""
    found = {}
    for node in (x for cell in cells for x in ast.parse(cell.source).body):
        if isinstance(node, ast.Assign):
            left, right = node.targets[0], node.value
            pairs = [(left, right)]
            if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple):
                pairs = zip(left.elts, right.elts, strict=True)
            found |= {a.id: b for a, b in pairs if isinstance(a, ast.Name)}
    return found


def compared(part):
    """Names that are handed in, and what an assertion says that they equal."""
    for node in (x for line in part.grades for x in ast.walk(ast.parse(line))):
        sides = []
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
            sides = [node.left, node.comparators[0]]
        elif isinstance(node, ast.Call) and "close" in ast.unparse(node.func):
            sides = node.args[:2]
        for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
            every = one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one]
            names = {x.id for x in every if isinstance(x, ast.Name)}
            yield from ((name, other) for name in names & {*part.needs})


def typed(node, made):
    """Whether an expression has nothing but numbers, arithmetic and such names."""
    plain = {"np", "int", "float", "round", "sqrt", "log", "log10", "exp"}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id not in plain:
            if each.id not in made or not typed(made[each.id], {}):
                return False
        if isinstance(each, ast.Attribute) and each.attr not in plain:
            return False
    if isinstance(node, (ast.List, ast.Dict)) and not ast.unparse(node)[1:-1]:
        return False  # it is filled by the lines after it
    inside = {type(each) for each in ast.walk(node)}
    return not inside & {ast.comprehension, ast.Subscript}


@pytest.mark.parametrize(
    ("solution", "seen"),
    [
        ("y = 100**2\nassert y == 10000", True),
        ("y = np.sqrt(4) / 2\nassert np.isclose(y, 1)", True),
        ("n = 8\ny = n // 2\nassert y == 4", True),
        ("x, y = 1, 3 / 4\nassert np.allclose([x, y], [1, 0.75])", True),
        ("y = np.dtype(float).itemsize\nassert y == 8", False),
        ("y = 3\nassert y == len(K)", False),
        ("y = f(3)\nassert y == 9", False),
    ],
)
def test_one_route_is_seen(solution, seen):
    notebook = made(("words", EXERCISE), ("so", solution))
    ((part,),) = copies.parts(notebook)
    binds = bound(part.cells)
    found = [
        name
        for name, other in compared(part)
        if typed(other, {}) and typed(binds[name], binds)
    ]
    assert bool(found) == seen


def graded(copy, tmp_path):
    """Run a copy to its end; what its cells that grade print."""
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(
        copy, kernel_name="python3", timeout=300, resources=resources
    )
    client.execute()
    # A kernel may send a line in two pieces.
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in tagged(copy, "grade")
    ]


def pasted(notebook, copy):
    """The copy with the code of each part of a solution in its place to work."""
    solved = [part for each in copies.parts(notebook) for part in each]
    for part, cell in zip(solved, tagged(copy, "work"), strict=True):
        assert cell.source == part.work
        cell.source += "\n".join(source.source for source in part.cells)
    return copy


def test_an_untouched_copy_runs_to_its_end(notebook, tmp_path):
    told = graded(copies.student(notebook), tmp_path)
    assert told and all(": not yet: " in line for line in told)
    assert all(line.count("\n") == 1 for line in told)


@CHAPTERS
def test_the_last_cell_says_how_many_are_open(name, capsys):
    """Each part that is graded, by name, and what a person has to read."""
    copy = copies.student(chapter(name))
    solved = [part for found in copies.parts(chapter(name)) for part in found]
    graded = [part.called for part in solved if part.graded]
    if not graded:
        assert tagged(copy, "open") == []
        return
    assert copy.cells[-1] is tagged(copy, "open")[-1]
    grading._TOLD.clear()
    exec(copy.cells[-1].source, {})
    told = capsys.readouterr().out
    count = len(graded)
    assert told.startswith(f"0 of {count} right, {count} open: {'; '.join(graded)}.")
    asked = copies.EXERCISE.findall(words(copy))
    paper = [each for each, says in asked if "(paper" in says]
    assert all(each in told.partition("A person grades")[2] for each in paper)
    assert told.count("\n") == 1


def test_with_the_solutions_pasted_in_all_is_right(notebook, tmp_path):
    told = graded(pasted(notebook, copies.student(notebook)), tmp_path)
    assert told and all(": right\n" in line for line in told)


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
    ("work", "says"),
    [
        ("y = x + 1", "right"),
        ("y = x", "not right: y"),
        ("y = 5", "not right: y is too large"),
        ("y = [2]", "not yet: y: expected a number, got a list of length 1"),
        ("", "not yet: y is still None"),
    ],
)
def test_what_grades_tells_right_from_wrong(work, says, capsys):
    copy = copies.student(
        made(
            ("code", "x = 1\ny = 2"),
            ("words", f"{EXERCISE}\n\n{SOLUTION}"),
            ("so", "y = x + 1\nassert x == 1\nassert y == 2"),
            ("words", "End."),
        )
    )
    asked = (
        "# Exercise 1.1: your work.\n"
        "# The next cell grades it. Hand in\n#     y: a number\n"
    )
    sources = [cell.source for cell in copy.cells]
    assert sources[:3] + sources[4:-1] == [
        *("x = 1\ny = 2", EXERCISE, f"{asked}y = None\n", "End.")
    ]
    assert "still_open(['Exercise 1.1'], [])" in sources[-1]
    (packed,) = re.findall(r'opened\("""([^"]*)"""\)', sources[3])
    assert grading.opened(packed) == "assert y == 2"
    has = {}
    exec(f"{sources[0]}\n{sources[2]}\n{work}", has)
    exec(sources[3], has)
    assert capsys.readouterr().out == f"Exercise 1.1: {says}\n"


def test_the_code_of_a_function_that_a_solution_calls_is_not_shown():
    """It stands below the last cell of the solution, where the run of cells ends."""
    fold = '<details class="code"><summary>Code of f</summary>\n\n2\n\n</details>'
    copy = copies.student(
        made(
            ("code", "x = 1"),
            ("words", f"{fold}\n\n{EXERCISE}\n\n{SOLUTION}"),
            ("so", "y = f()\nassert y == 2"),
            ("words", f"{fold}\n\n{fold}\n\nEnd."),
        )
    )
    assert words(copy).count("Code of f") == 1
    assert copy.cells[-2].source == "End."


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
        "# The next cell grades it. Hand in\n"
        "#     a: a list of at least 2\na = None\n"
    )
    assert second.work.endswith("#     a: a list of at least 2\na = None\nb = None\n")
    assert third.work.endswith(
        "part 3: your work.\n# The next cell grades it. Hand in\n#     b: a number\n"
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
    before = words(chapter(CHAPTER))
    alone = copies.linked(nbformat.from_dict(chapter(CHAPTER)), {CHAPTER})
    assert {link[1] for link in copies.LINK.findall(words(alone))} <= {CHAPTER}
    assert words(alone) != before
