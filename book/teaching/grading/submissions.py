"""What was handed in: whose it is, which chapter, when, and the code of its cells."""

import csv
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

LONGEST = 2**25  # bytes of a file
WORK = re.compile(r"^# (Exercise ([\d]+)\.[\d]+(?:, part \d+)?): your work\.", re.M)
# What a student's copy grades itself with is not asked.
OURS = "from nystheory.engine.report.grading import "
MAGIC = re.compile(r"^\s*[%!].*$", re.M)


@dataclass(frozen=True)
class Submission:
    """One notebook, or the place where one is missing.

    Attributes
    ----------
    student, chapter : str
    path : Path or None
    handed_in : datetime or None
    cells : list of str
        Its code.
    reason : str
        Why it cannot be run; empty where it can.
    """

    student: str
    chapter: str
    path: Path | None = None
    handed_in: datetime | None = None
    cells: tuple = ()
    reason: str = ""


def found(folder, chapters, times):
    """All that was handed in, and who handed in nothing.

    Parameters
    ----------
    folder : Path
        With STUDENT.ipynb, or a folder for each student.
    chapters : dict of str to str
        Numbers by name.
    times : dict of str to datetime or None
        When each student handed in, in place of the times of the files.

    Returns
    -------
    list of Submission
    """
    told = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("."):
            continue
        student = entry.stem if entry.suffix == ".ipynb" else entry.name
        paths = [entry]
        if entry.is_dir() and not entry.is_symlink():
            paths = [path for path in sorted(entry.rglob("*.ipynb")) if _shown(path)]
        for path in paths:
            told.append(_one(student, path, chapters, times))
        if not paths:
            told.append(Submission(student, "", reason="there is no notebook"))
    missing = {*times} - {each.student for each in told}
    told += [Submission(x, "", reason="nothing was handed in") for x in sorted(missing)]
    return told


def _shown(path):
    return ".ipynb_checkpoints" not in path.parts


def _one(student, path, chapters, times):
    """A file: anything may be in it."""
    when = datetime.fromtimestamp(path.lstat().st_mtime).astimezone()
    when = times.get(student) or when
    chapter = path.stem if path.stem in chapters else ""
    if not chapter and len(chapters) == 1:
        (chapter,) = chapters
    try:
        cells = _cells(path)
        chapter = chapter or _chapter_of(cells, chapters)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        told = f"it cannot be read: {type(error).__name__}"
        if type(error) is ValueError:
            told = f"it cannot be read: {error}"
        return Submission(student, chapter, path, when, reason=told)
    reason = "" if chapter else "it is of no chapter that is graded here"
    return Submission(student, chapter, path, when, cells, reason)


def _cells(path):
    """The code of a notebook, which is JSON."""
    if path.is_symlink() or not path.is_file():
        raise ValueError("expected a file")
    if path.suffix != ".ipynb":
        raise ValueError("expected a notebook, NAME.ipynb")
    if path.stat().st_size > LONGEST:
        raise ValueError("it is too long")
    said = json.loads(path.read_text("utf-8"))
    code = [each for each in said["cells"] if each["cell_type"] == "code"]
    sources = (each["source"] for each in code)
    return tuple(x if isinstance(x, str) else "".join(x) for x in sources)


def _chapter_of(cells, chapters):
    """By the number of the first exercise that has its place there."""
    for source in cells:
        if place := WORK.search(source):
            return next((x for x, number in chapters.items() if number == place[2]), "")
    return ""


def sections(cells, chapter):
    """The student's own cells, by the exercise in whose place they stand.

    A cell of the chapter is left out, as is one that grades: both are run, or asked, as
    they were given out.

    >>> sections(["a = 1", "b = 2", "# Exercise 1.1: your work.\\nc = 3"], {"a = 1"})
    {'': ['b = 2'], 'Exercise 1.1': ['# Exercise 1.1: your work.\\nc = 3']}
    """
    told, at = {}, ""
    for source in cells:
        if source in chapter or source.startswith(OURS):
            continue
        if place := WORK.search(source):
            at = place[1]
        told.setdefault(at, []).append(source)
    return told


def code(source):
    """A cell as Python: what only a notebook understands does nothing."""
    return MAGIC.sub("pass", source)


def times_of(path):
    """When each student handed in, from a table with columns student, handed_in."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    if rows and not {"student", "handed_in"} <= {*rows[0]}:
        raise ValueError("--times: expected columns student and handed_in")
    return {row["student"]: moment(row["handed_in"]) for row in rows}


def moment(text):
    """A time; without a zone it is that of this machine. None where nothing is said."""
    return datetime.fromisoformat(text).astimezone() if text else None
