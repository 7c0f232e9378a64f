"""What the grading of a folder reads: the chapter as given out, and the assertions.

The two stand in files of their own, so that no process that runs what a student wrote
has read an answer.
"""

import ast
import json
import re
from pathlib import Path
from shutil import copy2

import copies

GRADING = Path(__file__).resolve().parent / "grading"
VERIFIED = re.compile(r"^verified\(.*\)$", re.S)


def given_out(notebook, exercises):
    """The chapter without an answer: its code, and each place to work in.

    Parameters
    ----------
    notebook : notebook
        Of the book.
    exercises : list of Exercise
    """
    copy = copies.student(notebook)
    code, before, working = [], [], False
    for cell in (cell for cell in copy.cells if cell.cell_type == "code"):
        tags = {*cell.metadata.get("tags", [])}
        working = working or "work" in tags
        if not tags & {"work", "grade", "open"}:
            code.append(cell.source)
            if not working and not VERIFIED.match(cell.source.strip()):
                before.append([cell.source, "raises-exception" in tags])
    parts = [part for each in exercises for part in each.parts]
    return {"code": code, "before": before, "places": [_place(x) for x in parts]}


def _place(part):
    tree = ast.parse("\n".join(part.grades))
    nodes = (x for x in ast.walk(tree) if isinstance(x, ast.Attribute))
    return {
        "called": part.called,
        "work": part.work,
        "reset": re.findall(r"^(\w+) = None$", part.work, re.M),
        "needs": part.needs if part.graded else [],
        "attributes": sorted({x.attr for x in nodes} - {"items", "keys", "values"}),
    }


def asked(exercises):
    """What judges: the assertions and points of each part, and what a person reads."""
    return {
        "parts": [
            {
                "called": part.called,
                "needs": part.needs,
                "assertions": "\n".join(part.grades),
                "points": points,
            }
            for each in exercises
            for part, points in zip(each.graded, each.points, strict=True)
        ],
        "by_a_person": {x.name: x.by_a_person for x in exercises if x.by_a_person},
    }


def write(folder, chapters, notebooks):
    """Write the program that grades, and what it reads.

    Parameters
    ----------
    folder : Path
    chapters : list of plans.Chapter
    notebooks : dict of str to notebook
    """
    for kind in ("chapters", "answers"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for path in GRADING.glob("*.py"):
        copy2(path, folder)
    for each in chapters:
        own = list(each.exercises)
        given = given_out(notebooks[each.name], own)
        for kind, said in {"chapters": given, "answers": asked(own)}.items():
            _store(folder / kind / f"{each.name}.json", said)
    _store(folder / "chapters.json", {each.name: each.number for each in chapters})


def _store(path, said):
    path.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")
