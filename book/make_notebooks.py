"""Make the notebooks of the book from their texts.

    python book/make_notebooks.py             # every chapter
    python book/make_notebooks.py NAME ...    # some chapters
    python book/make_notebooks.py --check     # only compare texts and notebooks

People edit ``book/md/NAME.md``, all but the statements: the inside of a numbered block
whose label belongs to a theorem object is written here, from the object. The script
turns the text into ``book/notebooks/NAME.ipynb``
and runs it from top to bottom in a new kernel. The result is deterministic: made
twice from the same text on the same machine, a notebook has the same bytes. A notebook
whose cell fails is left as it was. Data that only some people have stay out: the
variable NYSTHEORY_DATA is not passed on.
"""

import argparse
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

BOOK = Path(__file__).resolve().parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
CELL_SECONDS = 600
# One thread each: the last digits of a sum must not depend on how it was divided.
FIXED = {
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


@dataclass(frozen=True)
class Made:
    """What became of one chapter."""

    name: str
    seconds: float
    changed: bool = False
    error: str = ""


def text_path(name, book=BOOK):
    """Return the path of the text of a chapter."""
    return book / "md" / f"{name}.md"


def notebook_path(name, book=BOOK):
    """Return the path of the notebook of a chapter."""
    return book / "notebooks" / f"{name}.ipynb"


def names(book=BOOK):
    """Return the sorted names of all chapters that have a text or a notebook."""
    texts = {path.stem for path in (book / "md").glob("*.md")}
    notebooks = {path.stem for path in (book / "notebooks").glob("*.ipynb")}
    return sorted(texts | notebooks)


def from_text(path):
    """Read a text as a notebook without outputs, in the form that is stored."""
    notebook = jupytext.read(path, fmt="md:myst")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    return notebook


# A numbered block: its fence, its kind, its title, its label, what it says.
BLOCK = re.compile(
    r"^(?P<fence>:{3,})\{prf:(?!proof)(?P<kind>[\w-]+)\}(?P<title>[^\n]*)\n"
    r":label: (?P<label>\S+)\n(?P<body>.*?)^(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)


def stated(text):
    """Return a text with every statement written from its theorem object."""
    from nystheory.chapters import theorems

    by_label = {theorem.label: theorem for theorem in theorems.values()}

    def block(found):
        theorem = by_label.get(found["label"])
        if theorem is None:
            return found[0]
        fence, kind = found["fence"], found["kind"]
        head = f"{fence}{{prf:{kind}}} {theorem.title}\n:label: {theorem.label}\n"
        return f"{head}\n{theorem.statement}\n\n{fence}"

    return BLOCK.sub(block, text)


def write_statements(name, book=BOOK):
    """Write the statements of a chapter from the objects; return whether it changed."""
    path = text_path(name, book)
    text = path.read_text("utf-8")
    new = stated(text)
    if new != text:
        path.write_text(new, "utf-8")
    return new != text


def differences(name, book=BOOK):
    """Return, as sentences, how the notebook of a chapter differs from its text."""
    text, made = text_path(name, book), notebook_path(name, book)
    for path in (text, made):
        if not path.exists():
            return [f"{path.relative_to(book)} does not exist"]
    wanted, found = from_text(text), nbformat.read(made, as_version=4)
    told = []
    if found.metadata != wanted.metadata:
        told.append("the metadata of the notebook differ from those of a new one")
    if len(found.cells) != len(wanted.cells):
        counts = len(wanted.cells), len(found.cells)
        told.append("{} cells in the text, {} in the notebook".format(*counts))
    runs = 0
    for number, (want, have) in enumerate(zip(wanted.cells, found.cells, strict=False)):
        for field in ("cell_type", "source", "metadata", "id"):
            if want[field] != have[field]:
                told.append(f"cell {number}: {field} differs near {first_line(want)!r}")
        if want.cell_type == "code":
            runs += 1
            if have.get("execution_count") != runs:
                told.append(f"cell {number}: not run in order, from the top")
    return told


def first_line(cell):
    """Return the first line of a cell, to find it by."""
    return cell.source.partition("\n")[0]


def make(name, book=BOOK):
    """Turn the text of a chapter into a notebook, run it and store it."""
    start = time.perf_counter()
    text, target = text_path(name, book), notebook_path(name, book)
    if not text.exists():
        return Made(name, 0.0, error=f"{text.relative_to(book)} does not exist")
    write_statements(name, book)
    notebook = from_text(text)
    running = {"cell": 0}
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(target.parent)}},
        extra_arguments=["--log-level=ERROR"],
        on_cell_start=lambda cell, cell_index: running.update(cell=cell_index),
    )
    env = dict(os.environ) | FIXED
    env.pop("NYSTHEORY_DATA", None)
    try:
        client.execute(env=env)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        cell = notebook.cells[running["cell"]]
        line = text.read_text("utf-8").partition(cell.source)[0].count("\n") + 1
        place = f"{text.relative_to(book)}, line {line}, cell {running['cell']}"
        seconds = time.perf_counter() - start
        return Made(name, seconds, error=f"{place}:\n{error}")
    tidy(notebook)
    new = nbformat.writes(notebook) + "\n"
    changed = not target.exists() or target.read_text("utf-8") != new
    if changed:
        target.parent.mkdir(exist_ok=True)
        target.write_text(new, "utf-8")
    return Made(name, time.perf_counter() - start, changed)


def tidy(notebook):
    """Keep of an executed notebook only what does not depend on where it ran."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                # A traceback names the folders of the machine that it crosses.
                output.traceback = [f"{output.ename}: {output.evalue}"]


def check(chosen):
    """Print the differences between texts and notebooks; return how many differ."""
    told = {name: differences(name) for name in chosen}
    for name in chosen:
        print(f"{name:40s} {'differs' if told[name] else 'same'}")
        for sentence in told[name]:
            print(f"    {sentence}")
    return sum(map(bool, told.values()))


def main(arguments=None):
    """Make or check the chapters that the command line names."""
    parser = argparse.ArgumentParser(
        description="Make the notebooks of the book from their texts."
    )
    parser.add_argument("names", nargs="*", help="chapters (default: all)")
    parser.add_argument("--check", action="store_true", help="compare, run nothing")
    parser.add_argument("--jobs", type=int, default=2, help="chapters at a time")
    options = parser.parse_args(arguments)
    chosen = [Path(name).stem for name in options.names] or names()
    if options.check:
        return 1 if check(chosen) else 0
    failed = 0
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for made in pool.map(make, chosen):
            state = "FAILED" if made.error else "made" if made.changed else "unchanged"
            print(f"{made.name:40s} {made.seconds:6.1f} s  {state}", flush=True)
            if made.error:
                failed += 1
                print(made.error, file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
