"""Copies of a chapter for a course.

    python book/copies.py NAME ... --to FOLDER

For each chapter two notebooks are written into the folder: ``student/NAME.ipynb``, in
which each solution is replaced by an empty cell to work in and, where it asserts
something, by a cell that grades; and ``instructor/NAME.ipynb``, with every solution
open. Both are made from ``book/notebooks/NAME.ipynb`` and run as they are; their links
lead to the copies beside them.

What grades is what the solution asserts. The cell to work in says which names the
assertions need; an exercise whose solution asserts nothing is graded by a person. An
exercise of the kind *break this bound* may be tried at any time with
``nystheory.challenge``, which tells how far one came.
"""

import argparse
import ast
import builtins
import re
import sys
from pathlib import Path

import make_notebooks
import nbformat

SOLUTION = re.compile(
    r'<details class="solution"><summary>([^<]*)</summary>(.*?)</details>', re.S
)
EXERCISE = re.compile(r"^\*\*(Exercise [\d.]+)\*\*(.*)$", re.M)
CHALLENGE = (
    "# nystheory.challenge(id, K, landmarks, claim=...) tells how far you came.\n"
)


def student(notebook):
    """A copy without solutions: in their place cells to work in, and cells that grade.

    Parameters
    ----------
    notebook : notebook

    Returns
    -------
    notebook
    """
    cells, known, asked, kinds = [], set(), "", ""
    solving = []  # the code of the solution that is left out
    for cell in notebook.cells:
        if cell.cell_type == "code" and "solution" in cell.metadata.get("tags", []):
            solving.append(cell.source)
            continue
        if cell.cell_type == "code":
            known |= assigned(cell.source)
            cells.append(nbformat.from_dict(cell))
            continue
        at = 0
        for found in [*SOLUTION.finditer(cell.source), None]:
            words = cell.source[at : found.start() if found else None]
            if asked and words.strip():
                cells += _to_work_in(asked, kinds, solving, known)
                asked, solving = "", []
            if words.strip():
                cells.append(nbformat.v4.new_markdown_cell(words.strip("\n")))
            for exercise in EXERCISE.finditer(words):
                asked, kinds = exercise[1], exercise[2]
            at = found.end() if found else at
    if asked:
        cells += _to_work_in(asked, kinds, solving, known)
    return _with(notebook, cells)


def _to_work_in(exercise, kinds, solving, known):
    """An empty cell, and what grades it: the assertions of the solution."""
    grades = [line for source in solving for line in assertions(source)]
    mine = {name for source in solving for name in assigned(source)}
    wanted = sorted(names(grades) & mine | names(grades) - known - {*dir(builtins)})
    told = f"# {exercise}: your work.\n"
    if wanted:
        told += f"# The next cell grades it, and needs {', '.join(wanted)}.\n"
    if "(break" in kinds:
        told += CHALLENGE
    work = nbformat.v4.new_code_cell(told, metadata={"tags": ["work"]})
    if not grades:
        return [work]
    folded = {"tags": ["grade"], "jupyter": {"source_hidden": True}}
    graded = "\n".join([*grades, f'print("{exercise}: correct")'])
    return [work, nbformat.v4.new_code_cell(graded, metadata=folded)]


def instructor(notebook):
    """A copy with everything, and the solutions open."""
    cells = []
    for cell in notebook.cells:
        copy = nbformat.from_dict(cell)
        if cell.cell_type == "markdown":
            copy.source = copy.source.replace(
                '<details class="solution">', '<details class="solution" open>'
            )
        elif "solution" in cell.metadata.get("tags", []):
            copy.metadata.pop("jupyter", None)
            copy.metadata.tags = [t for t in copy.metadata.tags if t != "hide-cell"]
        cells.append(copy)
    return _with(notebook, cells)


def _with(notebook, cells):
    """The notebook with other cells, numbered anew."""
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(cells=cells, metadata=make_notebooks.METADATA)


def assertions(source):
    """What a cell asserts, statement by statement, the conclusions of a solution."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic of IPython
        return []
    found = [node for node in body if isinstance(node, ast.Assert)]
    return [ast.get_source_segment(source, node) for node in found]


def assigned(source):
    """The names that a cell defines."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic of IPython
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(each.asname or each.name).split(".")[0] for each in node.names}
    return found


def names(statements):
    """The names that some statements use and do not bind themselves."""
    tree = ast.parse("\n".join(statements))
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in used if isinstance(node.ctx, ast.Store)}
    return {node.id for node in used} - bound


def write(name, folder, book=make_notebooks.BOOK):
    """Write both copies of a chapter; return their paths."""
    notebook = nbformat.read(make_notebooks.notebook_path(name, book), as_version=4)
    paths = []
    for kind in (student, instructor):
        path = folder / kind.__name__ / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(nbformat.writes(kind(notebook)) + "\n", "utf-8")
        paths.append(path)
    return paths


def main(arguments=None):
    """Write the copies that are asked for; 2 when a chapter has no notebook."""
    parser = argparse.ArgumentParser(prog="book/copies.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="+", metavar="NAME", help="chapters")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    for name in options.names:
        try:
            for path in write(Path(name).stem, options.to):
                print(path)
        except FileNotFoundError:
            known = ", ".join(make_notebooks.names())
            print(f"NAME: expected one of {known}, got {name!r}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
