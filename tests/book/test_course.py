"""A pack for a course: plans that fit, a rubric for each proof, a class that is graded.

One chapter, a small class; what is hostile in it breaks its own row and no other.
"""

import csv
import json
import os
import re
import subprocess
import sys
from functools import cache

import copies
import course
import make_notebooks
import nbformat
import pytest
from teaching import answers, exercises, for_nbgrader, install, plans, readme, slides

sys.path.append(str(answers.GRADING))
import carried  # noqa: E402
import confined  # noqa: E402
import marks  # noqa: E402
import submissions  # noqa: E402

CHAPTER = "a_few_columns"
CHAPTERS = pytest.mark.parametrize("name", make_notebooks.names())


@cache
def known():
    """All chapters of the book."""
    return plans.chapters()


def notebook(name=CHAPTER):
    """A notebook of the book."""
    return nbformat.read(make_notebooks.notebook_path(name), as_version=4)


# ---- plans ----


@pytest.mark.parametrize("plan", plans.PLANS, ids=lambda plan: plan.title)
def test_a_plan_fits(plan):
    """Its chapters fit into its sessions, and each finds before it what it needs."""
    assert plans.complaints(plan, known()) == []


def test_a_plan_that_does_not_fit_is_seen():
    one = ("kernel_matrices", "two_ways_to_learn_a_matrix", "ensembles")

    def told(chapters, sessions=1, minutes=90, **told):
        plan = plans.Plan("P", sessions, minutes, chapters, (), told)
        return " ".join(plans.complaints(plan, known()))

    assert "needs kernel_matrices" in told(one[1:2])
    assert "expected 1 sessions, got 2" in told(one)
    assert "takes" in told(one, minutes=5)
    assert "order of the book" in told(one[::-1])
    assert "no chapter nowhere" in told(("nowhere",))
    assert "nobody needs manifolds" in told(one[:1], manifolds="words")


def test_the_page_of_plans_has_each_chapter_of_a_term():
    page = plans.page(known())
    term = page.partition("## A term")[2]
    assert all(f"{each.number}. {each.title}" in term for each in known().values())
    assert page.count("\n## ") == len(plans.PLANS) == 4


# ---- points and rubrics ----


@CHAPTERS
def test_every_exercise_has_points_and_every_proof_a_rubric(name):
    """What a program gives goes to its parts, and a person has steps to look for."""
    for each in exercises.exercises(notebook(name)):
        assert each.all_points > 0 and each.kinds, each.name
        assert len(each.points) == len(each.graded) and 0 not in each.points, each.name
        proof = "paper" in each.kinds
        assert bool(each.by_a_person) == (proof or not each.graded), each.name
        assert not each.by_a_person or exercises.steps(each.solution), each.name


def test_a_rubric_has_a_line_a_step():
    (proof,) = [x for x in exercises.exercises(notebook()) if x.by_a_person]
    rubric = exercises.rubric("A chapter", notebook())
    lines = re.findall(r"^\| ☐ \| (.*) \| ([\d.]+) \|$", rubric, re.M)
    assert len(lines) == len(exercises.steps(proof.solution)) > 2
    assert sum(float(worth) for _, worth in lines) == pytest.approx(4, abs=0.05)
    assert proof.name in rubric and ".ipynb" not in rubric


def test_a_solution_belongs_to_its_exercise():
    """Also where it begins with a cell, so that no fold names the exercise."""
    cell = nbformat.v4.new_markdown_cell
    asked = '<div class="exercise">\n\n**Exercise 1.{}** (paper) What?\n\n</div>'
    solved = '<details class="solution"><summary>{}</summary>\n\n{}\n\n</details>'
    first = solved.format("Solution of Exercise 1.1", "One.")
    later = solved.format("Solution, continued", "Two.")
    cells = [f"{asked.format(1)}\n\n{first}\n\n{asked.format(2)}", later]
    made = nbformat.v4.new_notebook(cells=[cell(source) for source in cells])
    assert exercises.solutions(made) == {"Exercise 1.1": "One.", "Exercise 1.2": "Two."}


def test_a_step_ends_where_a_sentence_does():
    text = "By $x. Y$ it is. So\n\n$$\n|a| = 2 .\n$$\n\n*Then* all.\n"
    steps = exercises.steps(text)
    assert steps == ["By $x. Y$ it is.", "So $|a| = 2$.", "*Then* all."]
    assert exercises.escaped(steps[1]) == r"So $\vert a\vert  = 2$."


# ---- what leaves a process ----


def test_answers_leave_as_plain_data():
    import numpy as np

    values = [None, True, 2**70, 0.1, "x", 1j, (1, [2]), {3: {4}}, np.float32(2)]
    for value in values:
        said = json.loads(json.dumps(carried.packed(value)))
        assert carried.opened(said) == value
    array = np.arange(6.0).reshape(2, 3)
    said = json.loads(json.dumps(carried.packed(array.T)))
    assert np.array_equal(carried.opened(said), array.T)


def test_of_another_object_attributes_are_kept_and_nothing_is_called():
    class Verdict:
        outcome = "refuted"

        def __bool__(self):
            return False

    thing = carried.opened(carried.packed(Verdict(), ["outcome"]))
    assert thing.outcome == "refuted" and not thing and carried.has_thing([thing])
    function = carried.opened(carried.packed(len))
    with pytest.raises(TypeError):
        function([])


@pytest.mark.parametrize(
    "said",
    [
        [1],
        {"array": "AAAA", "kind": "O", "shape": [1]},
        {"array": "AAAA", "kind": "f8", "shape": [9]},
        {"eval": [1]},
        {"list": 3},
    ],
)
def test_what_was_not_packed_is_not_opened(said):
    with pytest.raises((ValueError, TypeError, KeyError)):
        carried.opened(said)


def test_a_process_ends_in_time_and_says_why(tmp_path):
    def loops():
        while True:
            pass

    def raises():
        raise ValueError("no")

    assert confined.run(lambda: b"said", 10).said == b"said"
    assert "too long" in confined.run(loops, 0.2).reason
    assert confined.run(lambda: os._exit(3), 10).reason == "it ended its process"
    assert confined.run(raises, 10).reason == "ValueError: no"
    long = confined.run(lambda: bytes(confined.MOST + 1), 30)
    assert "an answer is too long" in long.reason


def test_a_confined_process_reaches_nothing(tmp_path):
    own, hidden = tmp_path / "own", tmp_path / "hidden"
    own.mkdir(), hidden.mkdir()
    (hidden / "answer").write_text("42")
    if confined.possible(own):
        pytest.skip("this machine lets no process confine another")

    def tries():
        import socket

        got = []
        for attempt in (
            lambda: socket.create_connection(("127.0.0.1", 80), 1),
            lambda: (tmp_path / "written").write_text("x"),
            lambda: (hidden / "answer").read_text(),
            lambda: os.kill(-1, 9),
        ):
            try:
                attempt()
                got.append("reached")
            except OSError as error:
                got.append(type(error).__name__)
        (own / "mine").write_text("x")
        return ",".join(got).encode()

    ended = confined.run(tries, 20, own, [hidden])
    assert "reached" not in ended.said.decode() and not ended.reason
    assert not (tmp_path / "written").exists() and not any(own.iterdir())


def test_a_cell_of_the_table_is_no_formula():
    told = [marks.safe(x) for x in ("=1+1\n", "@x", "a\udcffb", "\t=1", 3)]
    assert told == ["'=1+1 ", "'@x", "a b", " =1", 3]


# ---- a class ----


def test_late_by_its_file_or_by_a_table(tmp_path):
    (tmp_path / "ann.ipynb").write_text('{"cells": []}')
    os.utime(tmp_path / "ann.ipynb", (10**9, 10**9))
    (tmp_path / "bob").mkdir()
    when = submissions.moment("2027-01-31T23:59")
    ann, bob, cyd = submissions.found(tmp_path, {"one": "1"}, {"cyd": None})
    assert ann.handed_in.timestamp() == 10**9 and ann.chapter == "one"
    assert (bob.reason, cyd.reason) == ("there is no notebook", "nothing was handed in")
    again = submissions.found(tmp_path, {"one": "1"}, {"ann": when})[0]
    assert again.handed_in == when


# A line that goes below the first answer of a copy, and what its row says.
CLASS = {
    "right": ("", "graded"),
    "loops": ("while True: pass", "stopped"),
    "dies": ("import os; os._exit(1)", "stopped"),
    "syntax": ("def f(:", "graded"),
    "exits": ("exit()", "graded"),
    "grader": (
        "import nystheory.engine.report.grading as g, builtins\n"
        "g.judged = g._told = lambda *a: 'right'\n"
        "builtins.eval = lambda *a: True\nNAME = -1",
        "graded",
    ),
}


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """The pack of one chapter, without its wheel, which needs an index."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(install, "wheel", lambda own: own / "nystheory-0-any.whl")
        assert course.main([CHAPTER, "--to", str(folder)]) == 0
    return folder


def solved(name, below=""):
    """A student's copy with the solutions in it, and something below the first."""
    copy = copies.student(notebook(name))
    parts = [part for found in copies.parts(notebook(name)) for part in found]
    work = [cell for cell in copy.cells if "work" in cell.metadata.get("tags", [])]
    for at, (part, cell) in enumerate(zip(parts, work, strict=True)):
        cell.source += "\n".join(each.source for each in part.cells)
        if at == 0:
            cell.source += "\n" + below.replace("NAME", part.needs[0])
    return copy


def test_a_class_is_graded_into_one_table(pack, tmp_path):
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    for student, (below, _) in CLASS.items():
        nbformat.write(solved(CHAPTER, below), handed_in / f"{student}.ipynb")
    nbformat.write(copies.student(notebook()), handed_in / "untouched.ipynb")
    (handed_in / "broken.ipynb").write_text('{"cells": [')
    command = [sys.executable, str(pack / "grading"), str(handed_in), "--seconds", "5"]
    command += ["--to", str(tmp_path / "marks.csv"), "--deadline", "2000-01-01"]
    if confined.possible(tmp_path):
        command.append("--trusted")
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with open(tmp_path / "marks.csv", encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    states = {student: state for student, (_, state) in CLASS.items()}
    states |= {"untouched": "empty", "broken": "not run"}
    assert {x: row["state"] for x, row in rows.items()} == states
    points = {x: int(row["points"]) for x, row in rows.items() if row["points"]}
    everything = points["right"]
    assert everything == points["exits"] > 0
    assert points["untouched"] == points["loops"] == points["broken"] == 0
    # The first exercise is lost, by a slip or by a trick, and no other.
    first = exercises.exercises(notebook())[0]
    assert points["syntax"] == points["grader"] == everything - sum(first.points)
    assert all(int(row["minutes_late"]) > 0 for row in rows.values())
    assert all("Exercise" in row["a_person"] for row in rows.values())


def test_what_runs_a_student_s_cells_holds_no_answer(pack):
    """The chapter as given out and the assertions stand in two files."""
    given = (pack / "grading" / "chapters" / f"{CHAPTER}.json").read_text("utf-8")
    asked = (pack / "grading" / "answers" / f"{CHAPTER}.json").read_text("utf-8")
    for part in json.loads(asked)["parts"]:
        for line in part["assertions"].splitlines():
            assert json.dumps(line)[1:-1] not in given
    assert "opened(" not in given


# ---- the rest of the pack ----


def test_the_pack_has_what_its_readme_names(pack):
    page = (pack / "README.md").read_text("utf-8")
    for name in re.findall(r"^\| `([^`]+)`", page, re.M):
        assert (pack / name).exists(), name
    assert known()[CHAPTER].title in page and "CHAPTERS" not in page
    with open(pack / "points.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(known()[CHAPTER].exercises)
    lines = (pack / "student" / "requirements.txt").read_text("utf-8").splitlines()
    assert lines[-1].endswith(".whl") and all("==" in line for line in lines[:-1])
    assert course.main(["nowhere", "--to", str(pack)]) == 2


def test_every_chapter_is_in_the_table_of_the_readme():
    page = readme.page(known().values())
    assert all(f"| {x.number}. {x.title} |" in page for x in known().values())


@CHAPTERS
def test_a_chapter_for_nbgrader(name):
    """Markers in pairs, names once, points where a cell grades, and all of them."""
    own = exercises.exercises(notebook(name))
    made = for_nbgrader.assignment(notebook(name), own)
    nbformat.validate(made)
    told = [x.metadata.nbgrader for x in made.cells if "nbgrader" in x.metadata]
    ids = [each.grade_id for each in told]
    assert len({*ids}) == len(ids)
    assert all(("points" in each) == each.grade for each in told)
    points = sum(each.points for each in told if each.grade)
    assert points == sum(each.all_points for each in own)
    for cell in made.cells:
        kind = cell.metadata.get("nbgrader", {})
        for words, there in {
            "SOLUTION": kind.get("solution"),
            "HIDDEN TESTS": kind.get("grade") and not kind.get("solution"),
        }.items():
            marks = [f"### {end} {words}" in cell.source for end in ("BEGIN", "END")]
            assert marks == [bool(there)] * 2, cell.source
    hidden = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n.*?### END \1", re.S)
    released = [hidden.sub("", cell.source) for cell in made.cells]
    statements = [x for each in own for part in each.graded for x in part.grades]
    assert not any(line in cell for line in statements for cell in released)


def test_slides_need_no_network(pack):
    (path,) = (pack / "slides").glob("*.html")
    page = path.read_text("utf-8")
    body = page.partition("<body>")[2]
    pictures = [x for x in notebook().cells if "mystnb" in x.metadata]
    assert body.count('<img src="data:') == len([x for x in pictures if x.outputs])
    boxes = "".join(x.source for x in notebook().cells if x.cell_type == "markdown")
    assert body.count('<section class="statement') == boxes.count('class="statement"')
    ours = page.partition("<script>")[0] + body
    assert not re.search(r"(src|href)=\"(?!data:|#)", ours)
    assert body.count("<section") == body.count("</section>") > 5
    assert "details" not in body and "nys-verdict" not in body
    assert "scroll-snap" in page and "@media print" in page
    assert slides.mathjax() in page
