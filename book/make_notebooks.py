"""Make the notebooks of the book from their texts.

    python book/make_notebooks.py             # every chapter
    python book/make_notebooks.py NAME ...    # some chapters
    python book/make_notebooks.py --words     # only the words: no cell was changed
    python book/make_notebooks.py --check     # only compare texts and notebooks

People edit ``book/md/NAME.md``, and nothing else. The script numbers what the texts
label, runs the cells of a text from top to bottom in a new kernel, writes every number
of the prose from that run and every statement from its object, and stores the whole as
``book/notebooks/NAME.ipynb``, in Markdown that any viewer shows: see ``portable``. The
result is deterministic: made twice from the same text on the same machine, a notebook
has the same bytes. A notebook whose cell fails is left as it was. Data that only some
people have stay out: the variable NYSTHEORY_DATA is not passed on.
"""

import argparse
import csv
import json
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import labels
import nbformat
import one_processor
import portable
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

BOOK = Path(__file__).resolve().parent
REGISTER = BOOK.parent / "nystheory" / "chapters" / "register.csv"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
NEEDS = "# Needs the package nystheory: pip install . in a clone of the project."
SOLVES = "# Solution of {}\n"
# What a figure shows, and what is said of its curves: of the last one that was shown.
READING = "reading()"
OF_A_FIGURE = re.compile(r"\b(reading|trend|place|side|pace|beyond)\(")
# What was shown last; a page may have given `_` to something else.
LAST = "Out[max(Out)]"
# What a reader's own run is held to, whatever else was changed: the verdicts.
VERIFIES = re.compile(r"^verified\(", re.M)
UNCHECKED = {"nbval-ignore-output", "raises-exception"}
# The metadata of cells that are compared. What an editor adds when it saves is not: an
# open fold, a scrolled output, times of execution.
OURS = ("tags", "mystnb", "said")
CELL_SECONDS = 600
# The kernel of a page draws each figure once more, for narrow screens.
FOR_PHONES = (
    'phones = __import__("nystheory.engine.report.phones", fromlist=["install"])\n'
    "phones.install(get_ipython())\n"
    "del phones"
)
# One thread each: the last digits of a sum must not depend on how it was divided.
FIXED = {
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "TQDM_DISABLE": "1",  # a bar shows on slow machines only
    **one_processor.FIXED,
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
    """Read a text as a notebook without outputs, before anything is written in it."""
    return nbformat.v4.new_notebook(cells=labels.cells(path), metadata=METADATA)


def written(name, raw, found, value):
    """A notebook for every viewer from the cells of a text.

    Parameters
    ----------
    name : str
    raw : notebook
        The cells of the text, run or not.
    found : labels.Labels
    value : callable (expression, cell) -> str
        What stands in place of an expression after the code cell of this index.
    """
    page = portable.Page(name, found, value, statement, listing, proof)
    cells, ran, shown, held = [], -1, portable.listed(raw), []
    for index, cell in enumerate(raw.cells):
        if cell.cell_type == "markdown":
            # Functions are listed where the run of cells ends that calls them.
            parts, held = [*held, page.words(cell.source, ran)], []
            if words := "\n\n".join(filter(None, parts)):
                cells.append(nbformat.v4.new_markdown_cell(words))
            continue
        needs = f"{NEEDS}\n" if ran < 0 else ""  # a notebook may be all that one has
        ran = index
        figure = cell.metadata.get("mystnb", {}).get("figure")
        cells.append(_code(cell, page, bool(figure), index, needs))
        if figure:
            value(READING, index)  # its words are held against it
            words = portable.caption(page, figure, index)
            cells.append(nbformat.v4.new_markdown_cell(words))
        held += portable.code_of(cell.source, name, raw, shown, listing)
    if held:
        cells.append(nbformat.v4.new_markdown_cell("\n\n".join(held)))
    words = [cell.source for cell in cells if cell.cell_type == "markdown"]
    if name != "bibliography":  # where sources are looked up
        told = portable.path_and_further(words)
        _head(cells, *(portable.minutes([each]) for each in told))
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:03d}"
    metadata = METADATA | {"nystheory": {"index": page.index}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _code(cell, page, draws, index, needs):
    """A code cell: what only draws, imports or asserts is folded."""
    tags = list(cell.metadata.get("tags", []))
    mystnb = dict(cell.metadata.get("mystnb", {}))
    metadata, jupyter = {}, {}
    mystnb.pop("figure", None)
    if "image" in mystnb:
        page.ran = index
        alt = " ".join(str(mystnb["image"]["alt"]).split())
        mystnb["image"] = {**mystnb["image"], "alt": page._line(alt)}
    if mystnb:
        metadata["mystnb"] = mystnb
    if page.solving:  # JupyterLab shows the first line of what is folded
        needs += SOLVES.format(page.labels[page.solving].words)
        tags += [tag for tag in ("solution", "hide-cell") if tag not in tags]
    elif (draws or portable.is_plumbing(cell.source)) and "show-input" not in tags:
        tags += [] if "hide-input" in tags else ["hide-input"]
    if {"hide-input", "hide-cell"} & {*tags}:
        jupyter["source_hidden"] = True
    if "hide-cell" in tags:
        jupyter["outputs_hidden"] = True
    if "show-input" in tags:
        tags.remove("show-input")
    if VERIFIES.search(cell.source) and not {*tags} & UNCHECKED:
        tags.append("nbval-check-output")
    metadata |= {"tags": tags} if tags else {}
    metadata |= {"jupyter": jupyter} if jupyter else {}
    if cell.metadata.get("said"):
        metadata["said"] = dict(cell.metadata.said)
    new = nbformat.v4.new_code_cell(needs + cell.source, metadata=metadata)
    new.outputs, new.execution_count = cell.outputs, cell.execution_count
    alt = mystnb.get("image", {}).get("alt", "")
    for output in new.outputs:
        if "image/png" in output.get("data", {}):  # for viewers that know no mystnb
            output.metadata.setdefault("image/png", {})["alt"] = alt
    return new


def _head(cells, path, further):
    """Say under the title how long the page takes to read, and what is further."""
    title, _, rest = cells[0].source.partition("\n")
    path, further = (5 * round(each / 5) for each in (path, further))
    if path >= 5:
        more = f", further {further}" if further else ""
        cells[0].source = f"{title}\n\n*{path} minutes{more}.*\n{rest}"


def statement(id, folds):
    """Title, source with a mark of what is open, and Markdown of a theorem."""
    from nystheory.chapters import theorems

    theorem = theorems[id]
    return theorem.title, theorem.headed, theorem.parts(folds)


def proof(id):
    """What takes the letters and the steps of the proof of a theorem."""
    from nystheory.chapters import theorems
    from nystheory.engine.trial.steps import Proof

    return Proof(theorems[id])


def proofs(name, book=BOOK, found=None):
    """The proofs of a chapter that state steps, as its text has them."""
    return [each for each in read(name, book, found).proofs if each.steps]


def boxes(name, book=BOOK, found=None):
    """The algorithms of a chapter, with the lines and costs in their boxes."""
    return read(name, book, found).boxes


def read(name, book=BOOK, found=None):
    """A text as a page that was never run, for what its words state."""
    found, raw = found or labels.read(book), from_text(text_path(name, book))
    unseen = ("", "", {"": ""})
    page = portable.Page(
        name, found, lambda *_: "", lambda *_: unseen, lambda _: unseen[:2], proof
    )
    for cell in raw.cells:
        if cell.cell_type == "markdown":
            page.words(cell.source, 0)
    return page


def listing(name):
    """Docstring and source of a function of the package."""
    from nystheory.engine.report import page

    return page.listing(name)


def wanted(name, raw, found):
    """The expressions of a text, by the index of the code cell after which they are."""
    asked = {}

    def note(expression, cell):
        if cell < 0:
            told = f"{expression!r} stands before the first code cell"
            raise ValueError(f"{name}: {told}")
        asked.setdefault(cell, dict.fromkeys([]))[expression] = None
        return ""

    written(name, raw, found, note)
    return asked


def differences(name, book=BOOK, found=None):
    """Return, as sentences, how the notebook of a chapter differs from its text.

    Whoever opens a notebook, runs some cells and saves it has changed nothing of this.
    """
    text, made = text_path(name, book), notebook_path(name, book)
    for path in (text, made):
        if not path.exists():
            return [f"{path.relative_to(book)} does not exist"]
    raw, have = from_text(text), nbformat.read(made, as_version=4)
    ran = [cell for cell in have.cells if cell.cell_type == "code"]
    code = [cell for cell in raw.cells if cell.cell_type == "code"]
    if len(ran) != len(code):
        return [f"{len(code)} code cells in the text, {len(ran)} in the notebook"]
    said = {}
    for old, new in zip(ran, code, strict=True):
        said[id(new)] = new.metadata["said"] = dict(old.metadata.get("said", {}))
        if old.get("execution_count") is None and old.source.strip():
            return [f"cell {old.id}: was never run"]

    unused = {key: set(values) for key, values in said.items()}

    def value(expression, cell):
        if expression.startswith("verdict("):
            return ""
        key = id(raw.cells[cell])
        unused[key].discard(expression)
        return said[key].get(expression, f"(never computed: {expression})")

    want = written(name, raw, found or labels.read(book), value)
    told = [f"said of no text: {each}" for some in unused.values() for each in some]
    if have.metadata.get("nystheory") != want.metadata["nystheory"]:
        told.append("the metadata of the notebook: another index than that of the text")
    if len(want.cells) != len(have.cells):
        counts = len(want.cells), len(have.cells)
        told.append("{} cells are wanted, {} in the notebook".format(*counts))
    for new, old in zip(want.cells, have.cells, strict=False):
        sources = map(portable.without_run, (new.source, old.source))
        for field, (one, other) in {
            "source": tuple(sources),
            "kind": (new.cell_type, old.cell_type),
            "metadata": (_kept(new), _kept(old)),
        }.items():
            if one != other:
                told.append(f"{old.id}: {field} differs near {first_line(new)!r}")
        if new.cell_type != old.cell_type:
            break  # all others are moved
    return told


def _kept(cell):
    """The metadata that are compared: not what an editor adds of its own."""
    return {key: cell.metadata[key] for key in OURS if key in cell.metadata}


def first_line(cell):
    """Return the first line of a cell, to find it by."""
    return cell.source.partition("\n")[0]


def reword(name, book=BOOK, found=None):
    """Write the words of a notebook anew, from its text and from the run it holds.

    Whoever changed a cell, or asks for a number that was not computed, has to run it.
    """
    start = time.perf_counter()
    raw, target = from_text(text_path(name, book)), notebook_path(name, book)
    have = nbformat.read(target, as_version=4)
    ran = [cell for cell in have.cells if cell.cell_type == "code"]
    code = [cell for cell in raw.cells if cell.cell_type == "code"]
    sources = [_own(cell.source) for cell in ran]
    if sources != [cell.source for cell in code]:
        return Made(name, 0.0, error=f"{name}: a cell was changed: run it")
    for old, new in zip(ran, code, strict=True):
        new.outputs, new.execution_count = old.outputs, old.execution_count
        new.metadata["said"] = dict(old.metadata.get("said", {}))
    verdicts = portable.runs(cell.source for cell in have.cells)
    found = found or labels.read(book)

    def value(expression, cell):
        if expression.startswith("verdict("):
            id = expression.removeprefix("verdict('").removesuffix("')")
            return verdicts[found[id].anchor]
        return raw.cells[cell].metadata.get("said", {})[expression]

    try:
        asked = wanted(name, raw, found)
        for index, cell in enumerate(raw.cells):  # what is said no more is forgotten
            if cell.cell_type == "code":
                said = cell.metadata.pop("said")
                kept = {x: said[x] for x in said if x in asked.get(index, ())}
                cell.metadata |= {"said": kept} if kept else {}
        notebook = written(name, raw, found, value)
    except KeyError as error:
        return Made(name, 0.0, error=f"{name}: run it, for {error}")
    return _stored(notebook, name, target, start)


def _own(source):
    """The code of a cell as its text has it."""
    lines = source.removeprefix(f"{NEEDS}\n").split("\n")
    return "\n".join(lines[lines[0].startswith(SOLVES.format("")[:-1]) :])


def _stored(notebook, name, target, start):
    """Store a notebook, if it is another one than before."""
    tidy(notebook)
    new = nbformat.writes(notebook) + "\n"
    changed = not target.exists() or target.read_text("utf-8") != new
    if changed:
        target.parent.mkdir(exist_ok=True)
        target.write_text(new, "utf-8")
    return Made(name, time.perf_counter() - start, changed)


def make(name, book=BOOK):
    """Turn the text of a chapter into a notebook, run it and store it."""
    start = time.perf_counter()
    text, target = text_path(name, book), notebook_path(name, book)
    if not text.exists():
        return Made(name, 0.0, error=f"{text.relative_to(book)} does not exist")
    try:
        found = labels.read(book)
        raw = from_text(text)
        asked = wanted(name, raw, found)
    except (KeyError, ValueError) as error:
        return Made(name, time.perf_counter() - start, error=f"{name}: {error}")
    running = {"cell": 0}
    try:
        values = run(raw, asked, running, target.parent)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        cell = raw.cells[running["cell"]]
        line = text.read_text("utf-8").partition(cell.source)[0].count("\n") + 1
        place = f"{text.relative_to(book)}, line {line}, cell {running['cell']}"
        seconds = time.perf_counter() - start
        return Made(name, seconds, error=f"{place}:\n{error}")
    notebook = written(name, raw, found, lambda x, cell: values[cell][x])
    return _stored(notebook, name, target, start)


def run(raw, asked, running, folder):
    """Run the cells of a text; return the values of its expressions by cell."""
    folder.mkdir(exist_ok=True)
    client = NotebookClient(
        raw,
        kernel_name="python3",
        timeout=CELL_SECONDS,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
    )
    env = dict(os.environ) | FIXED
    env.pop("NYSTHEORY_DATA", None)
    values = {}
    with client.setup_kernel(env=env):
        first = raw.cells[0]
        drawing = nbformat.v4.new_code_cell(FOR_PHONES)
        client.execute_cell(drawing, 0, store_history=False)
        raw.cells[0] = first  # where the client had put the other
        for index, cell in enumerate(raw.cells):
            if cell.cell_type != "code":
                continue
            running["cell"] = index
            client.execute_cell(cell, index)
            if index in asked:
                probe = nbformat.v4.new_code_cell(evaluating(asked[index]))
                client.execute_cell(probe, index, store_history=False)
                raw.cells[index] = cell  # where the client had put the probe
                values[index] = json.loads(probe.outputs[0].text)
                said = {
                    expression: value
                    for expression, value in values[index].items()
                    if not expression.startswith("verdict(")
                }
                if said:
                    cell.metadata["said"] = said
    return values


def evaluating(expressions):
    """Code that prints the values of some expressions as JSON.

    An expression is what stands between the braces of an f-string.
    """
    lines = []
    for each in expressions:
        code = f"f'''{{{each}}}'''"
        if each.startswith("verdict("):
            page = '__import__("nystheory.engine.report.page", fromlist=["verdict"])'
            id = each.removeprefix("verdict(").removesuffix(")")
            code = f'{page}.verdict(__import__("nystheory").theorems[{id}])'
        elif OF_A_FIGURE.search(each):
            page = '__import__("nystheory.engine.report.readings", fromlist=["of"])'
            asked = "reading, trend, place, side, pace, beyond"
            code = f"(lambda {asked}: {code})(*{page}.of({LAST}, globals()))"
        lines.append(f"{each!r}: {code},")
    body = "\n".join(lines)
    return f'print(__import__("json").dumps({{\n{body}\n}}))'


def tidy(notebook):
    """Keep of an executed notebook only what does not depend on where it ran."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, 1):
        cell.execution_count = number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
            if output.output_type == "error":
                # A traceback names the folders of the machine that it crosses.
                output.traceback = [f"{output.ename}: {output.evalue}"]


def number_theorems(book=BOOK, register=REGISTER):
    """Write the numbers of the boxes into the register; return whether any changed."""
    numbers = labels.read(book).numbers
    with open(register, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    new = [{**row, "book": numbers.get(row["id"], "")} for row in rows]
    if new != rows:
        with open(register, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(new[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(new)
    return new != rows


def check(chosen):
    """Print the differences between texts and notebooks; return how many differ."""
    found = labels.read()
    told = {name: differences(name, found=found) for name in chosen}
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
    parser.add_argument("--words", action="store_true", help="run nothing: new words")
    parser.add_argument("--jobs", type=int, default=2, help="chapters at a time")
    options = parser.parse_args(arguments)
    chosen = [Path(name).stem for name in options.names] or names()
    if options.check:
        return 1 if check(chosen) else 0
    number_theorems()
    if "NYSTHEORY_VERDICTS" not in os.environ:  # each theorem is verified once
        os.environ["NYSTHEORY_VERDICTS"] = tempfile.mkdtemp(prefix="verdicts-")
    failed = 0
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for made in pool.map(reword if options.words else make, chosen):
            state = "FAILED" if made.error else "made" if made.changed else "unchanged"
            print(f"{made.name:40s} {made.seconds:6.1f} s  {state}", flush=True)
            if made.error:
                failed += 1
                print(made.error, file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
