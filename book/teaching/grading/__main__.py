"""Grade a folder of submissions into one table.

    python grading SUBMISSIONS --to marks.csv [--deadline 2027-01-31T23:59]

SUBMISSIONS holds STUDENT.ipynb, or a folder for each student. Each notebook runs in a
process of its own, with a limit of time and memory, without network, and without a
place to write that is left; nothing of it is believed but the answers, which leave that
process as plain data. Then the assertions of the instructor's copy judge them in
another process, on the chapter as it was given out. So what a copy prints, redefines or
breaks changes nothing but its own row. What a person has to read is listed in the row.

It does not see who wrote an answer, and a row says nothing about style. A copy may look
for answers on the machine that grades it: this folder and that of the submissions are
hidden from it, the package nystheory and a clone of the book are not.
"""

import argparse
import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path

import carried
import confined
import marks
import submissions

HERE = Path(__file__).resolve().parent
SECONDS_OF_A_CHAPTER = 1800
SECONDS_TO_JUDGE = 60


def graded(chapter, handed_in, options):
    """What became of all submissions of a chapter: for each its state and parts.

    The chapter runs once; each submission starts from a copy of what it left.
    """
    given = json.loads((HERE / "chapters" / f"{chapter}.json").read_text("utf-8"))
    known = {"__name__": "__main__", "display": lambda *_: None}
    with contextlib.redirect_stderr(io.StringIO()):
        for source, raises in given["before"]:
            may = Exception if raises else AssertionError  # of a time, say
            with contextlib.suppress(may):
                exec(compile(source, "<chapter>", "exec"), known)
    solved = [HERE.parent / name for name in ("instructor", "nbgrader", "rubrics")]
    hidden = [HERE, *solved, options.submissions.resolve()]
    ran = []
    for each in handed_in:
        with tempfile.TemporaryDirectory() as folder:
            work = _working(known, given, each.cells)
            safe = not options.trusted
            run = confined.run(work, options.seconds, folder, hidden, safe)
        ran.append((run.reason, run.said))
        print(f"{each.student}: {run.reason or 'ran'}", file=sys.stderr, flush=True)
    # Only now, so that no copy of this process held an answer.
    asked = json.loads((HERE / "answers" / f"{chapter}.json").read_text("utf-8"))
    return [_row(known, asked, reason, said) for reason, said in ran]


def _working(known, given, cells):
    """The function that runs the cells of a student and packs the answers."""

    def work():
        sections = submissions.sections(cells, {*given["code"]})
        told = {"answers": {}, "errors": {}, "touched": [], "missing": []}
        told["errors"][""] = _run(sections.get("", ()), known)
        for place in given["places"]:
            called, own = place["called"], sections.get(place["called"])
            known.update(dict.fromkeys(place["reset"]))
            told["errors"][called] = _run(own or (), known)
            if own is None:
                told["missing"].append(called)
            elif "".join(own).strip() != place["work"].strip():
                told["touched"].append(called)
            told["answers"][called] = {
                name: _packed(known.get(name), place["attributes"])
                for name in place["needs"]
            }
        return json.dumps(told).encode()

    return work


def _run(cells, known):
    """Run cells one after the other; the name of the first error."""
    failed = ""
    for source in cells:
        try:
            code = compile(submissions.code(source), "<submission>", "exec")
            exec(code, known)
        except BaseException as error:  # an exit, too
            failed = failed or type(error).__name__
    return failed


def _packed(value, attributes):
    try:
        return carried.packed(value, attributes)
    except Exception:
        return {"object": {}, "true": True}


def _row(known, asked, reason, said):
    """State, points of each part and notes of one submission."""
    if reason:
        return {"state": "stopped", "notes": reason, "parts": {}}
    try:
        told = json.loads(said)
        touched, missing = set(told["touched"]), len(told["missing"])
        errors = dict(told["errors"])
        answers = dict(told["answers"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return {"state": "stopped", "notes": "it said nothing of use", "parts": {}}
    judge = confined.run(
        lambda: json.dumps(_judged(known, asked, answers)).encode(), SECONDS_TO_JUDGE
    )
    if judge.reason:
        notes = f"its answers cannot be judged: {judge.reason}"
        return {"state": "stopped", "notes": notes, "parts": {}}
    judged, parts, notes = json.loads(judge.said), {}, []
    for part in asked["parts"]:
        called, line = part["called"], judged[part["called"]]
        parts[called] = part["points"] if line == "right" else 0
        if line.startswith("a person"):
            parts[called] = "?"
        error = f" ({errors[called]})" if errors.get(called) else ""
        if line != "right" and called in touched:
            notes.append(f"{called}: {line}{error}")
    if errors.get(""):
        notes.append(f"a cell of its own: {errors['']}")
    state = "graded" if touched else "empty"
    if missing:
        notes.append(f"{missing} cells have lost their first line, '# Exercise ...'")
    elif not touched:
        notes.append("no cell to work in was changed")
    return {"state": state, "notes": "; ".join(notes), "parts": parts}


def _judged(known, asked, answers):
    """The line of the grader for each part, on the chapter as it was given out."""
    from nystheory.engine.report.grading import judged

    told = {}
    for part in asked["parts"]:
        try:
            said = answers[part["called"]]
            own = {name: carried.opened(said[name]) for name in part["needs"]}
        except Exception:
            told[part["called"]] = "not yet: the answer cannot be read"
            continue
        line = judged({**known, **own}, part["assertions"], part["needs"])
        unsaid = "cannot be checked" in line or "got a Thing" in line
        if unsaid and carried.has_thing(own):
            line = "a person: the answer cannot be carried"
        told[part["called"]] = line
    return told


def all_rows(handed_in, chapters, options):
    """The rows of all submissions, and the columns that they need."""
    made, asked = {}, {}
    each_takes = options.seconds + SECONDS_TO_JUDGE
    for chapter in chapters:
        path = HERE / "answers" / f"{chapter}.json"
        mine = [x for x in handed_in if x.chapter == chapter and not x.reason]
        if mine:
            done = confined.run(
                lambda chapter=chapter, mine=mine: json.dumps(
                    graded(chapter, mine, options)
                ).encode(),
                SECONDS_OF_A_CHAPTER + len(mine) * each_takes,
            )
            if done.reason:
                sys.exit(f"{chapter}: the chapter itself does not run: {done.reason}")
            made |= dict(zip(map(id, mine), json.loads(done.said), strict=True))
        asked[chapter] = json.loads(path.read_text("utf-8"))
    rows = []
    for each in handed_in:
        none = {"state": "not run", "notes": each.reason, "parts": {}}
        came, told = made.get(id(each), none), asked.get(each.chapter, {})
        rows.append(marks.row_of(each, came, told, options.deadline))
    used = {each.chapter for each in handed_in}
    asked = [asked[name]["parts"] for name in chapters if name in used]
    return rows, [part["called"] for parts in asked for part in parts]


def main(arguments=None):
    """Grade a folder; 2 when that is not possible here."""
    parser = argparse.ArgumentParser(prog="grading", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("submissions", type=Path)
    parser.add_argument("--to", type=Path, required=True, metavar="CSV")
    parser.add_argument("--deadline", type=submissions.moment, metavar="TIME")
    parser.add_argument("--times", type=Path, metavar="CSV", help="student, handed_in")
    parser.add_argument("--seconds", type=float, default=120, help="for each notebook")
    parser.add_argument("--trusted", action="store_true", help="confine nothing")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        why = "" if options.trusted else confined.possible(folder)
    if why:
        told = "grade on Linux with user namespaces, or trust what was handed in"
        print(f"this machine confines no process ({why}): {told}, --trusted")
        return 2
    chapters = json.loads((HERE / "chapters.json").read_text("utf-8"))
    times = submissions.times_of(options.times) if options.times else {}
    handed_in = submissions.found(options.submissions, chapters, times)
    rows, places = all_rows(handed_in, chapters, options)
    options.to.write_text(marks.table(rows, places), "utf-8")
    states = [row["state"] for row in rows]
    counted = ", ".join(f"{states.count(x)} {x}" for x in sorted({*states}))
    print(f"{len(rows)} rows in {options.to}: {counted}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
