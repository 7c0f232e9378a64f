"""Copies of a chapter for a course.

    python book/copies.py NAME ... --to FOLDER

For each chapter two notebooks are written into the folder: ``student/NAME.ipynb``, in
which each solution is replaced by an empty cell to work in and, where it asserts
something, by a cell that grades; and ``instructor/NAME.ipynb``, with every solution
open. Both are made from ``book/notebooks/NAME.ipynb`` and run as they are. The
bibliography, the glossary and the notation are laid beside them; a link to a page that
is not there becomes plain words.

What grades is what the solution asserts of the names that it binds itself. The cell
to work in says which these are and what each looks like, and sets them to None, so that
nothing of the chapter passes for an answer; what the chapter knew without an answer is
not asked. A cell that grades prints *right*, *not yet* or *not right*, in one line and
without the answer, and raises nothing: an untouched copy runs to its end, where the
last cell says how many exercises are open. An exercise for paper, and one whose
solution asserts nothing, are graded by a person. An exercise of the kind *break this
bound* that names a theorem may be tried at any time with ``challenge``, which reports
how far one came. A run of the tests grades the solutions of the book, and spoils them:
what grades has to refuse a wrong answer under each name.

A student's copy shows no answer, and keeps no secret: its assertions are compressed and
written in letters. Whoever decodes such a cell, reads the chapter's modules in the
package, or has the book or an instructor's copy, sees the answers.
"""

import argparse
import ast
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import labels
import make_notebooks
import nbformat

from nystheory.engine.report import forms, grading

# Pages without exercises that every chapter leads to.
BESIDE = ("bibliography", "glossary", "notation")
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\((\w+)\.ipynb(?:#[^()\s]*)?\)")
SOLUTION = re.compile(
    r'<details class="solution"><summary>([^<]*)</summary>(.*?)</details>', re.S
)
# The code of functions of the chapter, at the head of a cell of words.
CALLED = re.compile(r'\A(?:<details class="code">.*?</details>\s*)+', re.S)
EXERCISE = re.compile(r"^\*\*(Exercise [\d.]+)\*\*(.*)$", re.M)
KIND = re.compile(r"\((warm-up|paper and computer|paper|computer|break this bound)\)")
CHALLENGE = """\
# How far do you come?
# from nystheory import challenge
# challenge("{id}", K, landmarks)
"""


@dataclass
class Part:
    """What one cell of a solution asserts, with the cells before it that it rests on.

    Attributes
    ----------
    exercise, words : str
        ``Exercise 3.5``, and all that it says.
    called : str
        ``Exercise 3.5, part 2``, where there are more.
    cells : list of notebook cells
        The code of the solution.
    defined : set of str
        The names that this code binds.
    grades : list of str
        The assertions that use a name of the solution.
    needs : list of str
        The names of the solution that they use.
    work, graded : str
        The cell to work in, and the one that grades it; none where nothing does.
    spoiled : str
        Code that prints what no wrong answer fails, for the tests.
    """

    exercise: str
    words: str
    cells: list
    called: str = ""
    defined: set = field(default_factory=set)
    grades: list = field(default_factory=list)
    needs: list = field(default_factory=list)
    work: str = ""
    graded: str = ""
    spoiled: str = ""


def student(notebook):
    """A copy without solutions: in their place cells to work in, and cells that grade.

    Parameters
    ----------
    notebook : notebook

    Returns
    -------
    notebook
    """
    cells, asked, solving = [], None, False
    solved = {part[0].exercise: part for part in parts(notebook)}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            solving = is_solution(cell)
            if not solving:
                cells.append(nbformat.from_dict(cell))
            continue
        # What a solution calls is listed below it, where its last cell has run.
        source, at = CALLED.sub("", cell.source) if solving else cell.source, 0
        solving = False
        for found in [*SOLUTION.finditer(source), None]:
            words = source[at : found.start() if found else None]
            if words.strip():
                cells += _to_work_in(solved.get(asked, ()))
                asked = None
                cells.append(nbformat.v4.new_markdown_cell(words.strip("\n")))
            for exercise in EXERCISE.finditer(words):
                asked = exercise[1]
            at = found.end() if found else at
    cells += _to_work_in(solved.get(asked, ()))
    return with_cells(notebook, cells + _at_the_end(solved.values()))


def parts(notebook):
    """The parts of each exercise, in the order of the notebook.

    A part ends with a cell that asserts something of a name that the solution binds.
    What a (paper) exercise asserts grades nobody: its answer is a proof.

    Parameters
    ----------
    notebook : notebook

    Returns
    -------
    list of lists of Part
    """
    found = []
    for cell in notebook.cells:
        if is_solution(cell):
            found[-1][2].append(cell)
        elif cell.cell_type == "markdown":
            for each in EXERCISE.finditer(cell.source):
                words = cell.source[each.start() :].partition("</div>")[0]
                found.append((each[1], words, []))
    return [_parts_of(*each) for each in found]


def _parts_of(exercise, words, cells):
    """One exercise: which cells of its solution belong together, and what grades."""
    found, part, known = [], Part(exercise, words, []), set()
    for cell in cells:
        part.cells.append(cell)
        part.defined |= assigned(cell.source)
        known |= assigned(cell.source)
        asserted = [] if on_paper(words) else assertions(cell.source)
        part.grades += [line for line in asserted if names([line]) & known]
        if part.grades:
            found.append(part)
            part = Part(exercise, words, [])
    found = found or [part]
    for at, part in enumerate(found):
        so_far = set().union(*(each.defined for each in found[: at + 1]))
        part.needs = sorted(names(part.grades) & so_far)
    for at, part in enumerate(found):
        part.called = _called(found, at)
        part.work = _work(found, at)
        if part.grades:
            part.graded = _grading(part)
            part.spoiled = _spoiling(part)
    return found


def on_paper(words):
    """Whether an exercise asks for a proof, and for nothing else."""
    return set(KIND.findall(words)) == {"paper"}


def _called(found, at):
    """The exercise; which part of it, where there are more."""
    name = found[at].exercise
    return name if len(found) == 1 else f"{name}, part {at + 1}"


def _work(found, at):
    """The empty cell: what is handed in, and nothing of that name from before."""
    part, later = found[at], {}
    for which, other in enumerate(found[at:], at):
        for name in other.needs:
            holds = [k for k in range(which + 1) if name in found[k].defined]
            if holds[-1] == at:
                later[name] = None
    told = f"# {part.called}: your work.\n"
    if part.needs:
        expected = forms.forms("\n".join(part.grades), part.needs)
        told += "# The next cell grades it. Hand in\n"
        for name in part.needs:
            looks = f": {expected[name].words}" if name in expected else ""
            told += f"#     {name}{looks}\n"
    if at == 0 and (id := _to_challenge(part)):
        told += CHALLENGE.format(id=id)
    return told + "".join(f"{name} = None\n" for name in sorted(later))


def _to_challenge(part):
    """The theorem that *break this bound* is about, of which a matrix can be tried."""
    if "(break" not in part.words:
        return ""
    from nystheory.chapters import theorems

    code = "\n".join(cell.source for cell in part.cells)
    named = [id for id in theorems if f"#{labels.anchor_of(id)})" in part.words]
    named += [id for id in theorems if f'"{id}"' in code]
    return next((id for id in named if theorems[id].suite), "")


def _grading(part):
    """The cell that grades: what the solution asserts, not to be read in passing."""
    needs = ", ".join(map(repr, part.needs))
    asked = grading.sealed("\n".join(part.grades))
    return (
        "from nystheory.engine.report.grading import grade, opened\n\n"
        f'grade("{part.called}", globals(), opened("""\n{asked}\n"""), [{needs}])'
    )


def _spoiling(part):
    """What prints the names and assertions of a part that no wrong answer fails."""
    grades, needs = "\n".join(part.grades), ", ".join(map(repr, part.needs))
    return (
        "from nystheory.engine.report.spoiling import unfailing as _unfailing\n\n"
        f'print("let pass:", _unfailing(globals(), r"""\n{grades}\n""", [{needs}]))'
    )


def _to_work_in(solved):
    """For each part an empty cell, and what grades it."""
    folded = {"tags": ["grade"], "jupyter": {"source_hidden": True}}
    cells = []
    for part in solved:
        work = {"tags": ["work"]}
        cells.append(nbformat.v4.new_code_cell(part.work, metadata=work))
        if part.graded:
            cells.append(nbformat.v4.new_code_cell(part.graded, metadata=folded))
    return cells


def _at_the_end(solved):
    """The cell that says how many exercises are open; none where none is graded."""
    graded = [part.called for found in solved for part in found if part.graded]
    person = [found[0].exercise for found in solved if by_a_person(found)]
    source = (
        "from nystheory.engine.report.grading import still_open\n\n"
        f"still_open({graded}, {person})"
    )
    folded = {"tags": ["open"], "jupyter": {"source_hidden": True}}
    return [nbformat.v4.new_code_cell(source, metadata=folded)] if graded else []


def by_a_person(found):
    """Whether somebody has to read an answer: a proof, or what nothing grades."""
    proof = any("paper" in kind for kind in KIND.findall(found[0].words))
    return proof or not any(part.graded for part in found)


def rehearsal(notebook):
    """The student's run with the solutions pasted in, as a run of the book.

    Parameters
    ----------
    notebook : notebook

    Returns
    -------
    dict
        For cells of solutions, by id: the code that a student's copy runs before
        the cell, and after it, and the code that tries wrong answers after that.
    """
    around = {}
    for part in (part for solved in parts(notebook) for part in solved):
        if part.graded:
            first, last = part.cells[0].id, part.cells[-1].id
            around[first] = (part.work, *around.get(first, ("", "", ""))[1:])
            before = around.get(last, ("", "", ""))[0]
            around[last] = (before, part.graded, part.spoiled)
    return around


def is_solution(cell):
    """Whether a cell is the code of a solution."""
    return cell.cell_type == "code" and "solution" in cell.metadata.get("tags", [])


def instructor(notebook):
    """A copy with everything, and the solutions open."""
    cells = []
    for cell in notebook.cells:
        copy = nbformat.from_dict(cell)
        if cell.cell_type == "markdown":
            copy.source = copy.source.replace(
                '<details class="solution">', '<details class="solution" open>'
            )
        elif is_solution(cell):
            copy.metadata.pop("jupyter", None)
            copy.metadata.tags = [t for t in copy.metadata.tags if t != "hide-cell"]
        cells.append(copy)
    return with_cells(notebook, cells)


def with_cells(notebook, cells):
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


# What has names of its own inside.
SCOPES = (
    *(ast.FunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def assigned(source):
    """The names that a cell binds, but not by an import.

    >>> sorted(assigned("import a; b, c = [d for d in e]; f.g = 1\\ndef h(i): j = i"))
    ['b', 'c', 'h']
    """
    try:
        left = list(ast.parse(source).body)
    except SyntaxError:  # a magic of IPython
        return set()
    found = set()
    while left:
        node = left.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if not isinstance(node, SCOPES):
            left += ast.iter_child_nodes(node)
    return found


def names(statements):
    """The names that some statements use and do not bind themselves."""
    nodes = list(ast.walk(ast.parse("\n".join(statements))))
    used = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in used if isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {node.id for node in used} - bound


def write(name, folder, book=make_notebooks.BOOK, beside=()):
    """Write both copies of a chapter; return their paths.

    Links lead to what is `beside` them, and to the pages that always are.
    """
    pages = {name, *beside, *BESIDE}
    paths = []
    for kind in (student, instructor):
        own = folder / kind.__name__
        own.mkdir(parents=True, exist_ok=True)
        paths.append(own / f"{name}.ipynb")
        for page in (name, *BESIDE):
            path = make_notebooks.notebook_path(page, book)
            if page == name or path.exists():
                notebook = nbformat.read(path, as_version=4)
                copy = linked(kind(notebook) if page == name else notebook, pages)
                (own / path.name).write_text(nbformat.writes(copy) + "\n", "utf-8")
    return paths


def linked(notebook, pages):
    """The notebook, with words in the place of links to pages that are not there."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = linked_words(cell.source, pages)
    return notebook


def linked_words(source, pages=()):
    """The same for some words."""
    return LINK.sub(lambda link: link[0] if link[2] in pages else link[1], source)


def main(arguments=None):
    """Write the copies that are asked for; 2 when a chapter has no notebook."""
    parser = argparse.ArgumentParser(prog="book/copies.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="+", metavar="NAME", help="chapters")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    chosen = [Path(name).stem for name in options.names]
    for name in chosen:
        try:
            for path in write(name, options.to, beside=chosen):
                print(path)
        except FileNotFoundError:
            known = ", ".join(make_notebooks.names())
            print(f"NAME: expected one of {known}, got {name!r}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
