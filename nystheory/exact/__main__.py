"""Confirm refutations that somebody listed, with fractions and balls alone.

    python -m nystheory refutations --json > refutations.json
    python -m nystheory.exact refutations.json

The second command imports neither NumPy nor anything else of the package.
"""

import json
import sys

from nystheory.exact import Case, prove


def confirm(row: dict) -> bool:
    """Whether the line of a row is proved false on its instance."""
    case = Case.of(**row["instance"])
    return prove(row["line"], case, row["where"], row["law"]).holds is False


def main(path: str) -> int:
    """Read the rows, print what is not confirmed; the exit code says whether all is."""
    with open(path, encoding="utf-8") as file:
        rows = [row for row in json.load(file) if row["instance"]]
    open_ones = [row for row in rows if not confirm(row)]
    for row in open_ones:
        print(f"not confirmed: {row['theorem']}, {row['name']}: {row['line']}")
    print(f"{len(rows) - len(open_ones)} of {len(rows)} proved false")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
