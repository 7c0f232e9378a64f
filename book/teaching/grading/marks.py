"""The table of marks: a row for each submission, a column for each part."""

import csv
import io
import re

FIRST = "student chapter file handed_in minutes_late state points of a_person".split()
STARTS = ("=", "+", "-", "@")


def table(rows, places):
    """Write rows, with a column for each part that is graded; nothing is a formula."""
    columns = [*FIRST, *places, "notes"]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: safe(value) for name, value in row.items()} for row in rows
    )
    return out.getvalue()


def safe(value):
    """A cell of a table that no spreadsheet computes, on one line.

    >>> safe("=1+1\\n"), safe(3)
    ("'=1+1 ", 3)
    """
    if not isinstance(value, str):
        return value
    words = re.sub(r"[^ -~\u00a0-\ud7ff\ue000-\uffff]", " ", value)[:500]
    return f"'{words}" if words.startswith(STARTS) else words


def row_of(each, made, asked, deadline):
    """One row of the table."""
    late = ""
    if deadline and each.handed_in:
        late = max(0, round((each.handed_in - deadline).total_seconds() / 60))
    parts = made["parts"]
    points = [value for value in parts.values() if value != "?"]
    person = [f"{name} ({n})" for name, n in asked.get("by_a_person", {}).items()]
    person += [f"{name} (?)" for name, value in parts.items() if value == "?"]
    return {
        "student": each.student,
        "chapter": each.chapter,
        "file": each.path.name if each.path else "",
        "handed_in": each.handed_in.isoformat(" ", "minutes") if each.handed_in else "",
        "minutes_late": late,
        "state": made["state"],
        "points": sum(points),
        "of": sum(part["points"] for part in asked.get("parts", ())),
        "a_person": "; ".join(person),
        "notes": made["notes"],
        **parts,
    }
