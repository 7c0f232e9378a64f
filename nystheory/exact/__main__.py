"""Confirm refutations that somebody listed, with fractions and balls alone.

    python -m nystheory refutations --json > refutations.json
    python -m nystheory.exact refutations.json

The second command imports neither NumPy nor, of the rest of the package, anything but
the routes of the chapters.
"""

import json
import sys

from nystheory.exact import Case, prove


def confirm(row: dict) -> bool:
    """Whether the line of a row is proved false on its instance."""
    case = Case.of(**row["instance"])
    return prove(row["line"], case, row["where"], row["law"]).holds is False


def read(path: str) -> list[dict]:
    """The rows of a file that have an instance.

    Raises
    ------
    ValueError
        If the file holds no list of rows with all that a refutation needs.
    """
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: expected JSON, got {error}") from error
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{path}: expected a list of refutations, got {rows!r:.40}")
    for number, row in enumerate(rows, 1):
        missing = [key for key in NEEDED if key not in row]
        if missing:
            raise ValueError(f"row {number}: expected {', '.join(missing)}, got none")
    return [row for row in rows if row["instance"]]


NEEDED = ("theorem", "name", "line", "where", "law", "instance")


def told(row: dict) -> str:
    """What is wrong with a row; empty if its line is proved false."""
    try:
        return "" if confirm(row) else "not confirmed"
    except Exception as error:  # whatever a hand-written instance breaks
        return f"expected an instance on which the line has a value, got {error!r}"


def main(arguments: list[str]) -> int:
    """Print what is not confirmed; the exit code says whether all is."""
    if len(arguments) != 1:
        print("usage: python -m nystheory.exact FILE", file=sys.stderr)
        return 2
    try:
        rows = read(arguments[0])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    open_ones = 0
    for row in rows:
        wrong = told(row)
        if wrong:
            open_ones += 1
            print(f"{wrong}: {row['theorem']}, {row['name']}: {row['line']}")
    print(f"{len(rows) - open_ones} of {len(rows)} proved false")
    return 1 if open_ones or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
