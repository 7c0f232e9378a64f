"""Chapters for nbgrader: solutions, points and hidden tests between its markers.

Each chapter becomes an assignment, ``source/NAME/NAME.ipynb``. What a cell grades is a
hidden test; what a person reads is a cell with its solution in words. The code of the
chapter is locked, so that nbgrader puts it back before it grades. Its tests run in the
same process as what a student wrote: that is how nbgrader works, and it does not resist
a copy that changes what the tests call.
"""

import re

import copies
import nbformat

CONFIG = """\
c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "nystrom"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}  # a run goes on to its end
c.ExecutePreprocessor.timeout = 600
c.Execute.timeout = 600
"""
TEST = '''\
# {called} is graded here.
### BEGIN HIDDEN TESTS
from nystheory.engine.report.grading import judged as _judged

_told = _judged(globals(), r"""
{assertions}
""", {needs})
assert _told == "right", _told
### END HIDDEN TESTS
'''
SOLUTION = "### BEGIN SOLUTION\n{}\n### END SOLUTION\n"


def assignment(notebook, exercises):
    """A notebook of the book as a source of nbgrader.

    Parameters
    ----------
    notebook : notebook
    exercises : list of Exercise

    Returns
    -------
    notebook
    """
    cells = []
    places = [(part, each) for each in exercises for part in each.parts]
    points = [n for each in exercises for n in each.points]
    for cell in copies.student(notebook).cells:
        tags = {*cell.metadata.get("tags", [])}
        if "work" in tags:
            part, exercise = places.pop(0)
            if part.graded:
                cells.append(_work(part))
            # What a person reads stands below all code of the exercise.
            last = part is exercise.parts[-1]
        elif "grade" in tags:
            cells.append(_test(part, points.pop(0)))
        elif cell.cell_type == "code" and "open" not in tags:
            cells.append(_locked(cell, len(cells)))
        elif cell.cell_type == "markdown":
            cells.append(cell)
        if tags & {"work", "grade"} and last and exercise.by_a_person:
            if "grade" in tags or not part.graded:
                cells.append(_read(exercise))
    return copies.with_cells(notebook, cells)


def _named(called):
    """The name of a cell for nbgrader: letters, digits and lines."""
    return "-".join(re.findall(r"\w+", called.lower()))


def _metadata(id, kind, **what):
    told = {"grade": False, "locked": False, "solution": False, "task": False}
    told |= {"grade_id": id, "schema_version": 3, "cell_type": kind} | what
    return {"nbgrader": told}


def _work(part):
    code = "\n".join(cell.source for cell in part.cells)
    id = f"work-{_named(part.called)}"
    told = part.work.replace("The next cell grades it. ", "")
    return nbformat.v4.new_code_cell(
        told + SOLUTION.format(code), metadata=_metadata(id, "code", solution=True)
    )


def _test(part, points):
    source = TEST.format(
        called=part.called, assertions="\n".join(part.grades), needs=part.needs
    )
    id = f"test-{_named(part.called)}"
    what = {"grade": True, "locked": True, "points": points}
    return nbformat.v4.new_code_cell(source, metadata=_metadata(id, "code", **what))


def _read(exercise):
    source = f"{exercise.name}, in words:\n\n{SOLUTION.format(exercise.solution)}"
    what = {"grade": True, "solution": True, "points": exercise.by_a_person}
    id = f"words-{_named(exercise.name)}"
    made = _metadata(id, "markdown", **what)
    return nbformat.v4.new_markdown_cell(source, metadata=made)


def _locked(cell, number):
    told = _metadata(f"cell-{number:03d}", "code", locked=True)
    return nbformat.v4.new_code_cell(cell.source, metadata={**cell.metadata, **told})


def write(folder, chapters, notebooks):
    """Write a course folder of nbgrader; return the paths of the sources."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    paths = []
    for each in chapters:
        made = assignment(notebooks[each.name], list(each.exercises))
        made = copies.linked(made, {each.name})
        path = folder / "source" / each.name / f"{each.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(nbformat.writes(made) + "\n", "utf-8")
        paths.append(path)
    return paths
