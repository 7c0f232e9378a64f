"""What a chapter says when a size in it is halved or doubled.

    python book/sizes.py NAME ...                     # all sizes halved at once
    python book/sizes.py NAME ... [--double] [--each]  # doubled; one at a time

A size is an integer from ten on that is an argument, an entry of a list or bound to a
name; not a seed, and nothing in a subscript, a formula or what draws a figure. The text
runs without solutions and `verified`, and past what fails. A conclusion may fail if it
says in words what it expected, and a size may be refused by an error that says what was
expected; an assert without words, or another error, makes it return 1.
"""

import argparse
import ast
import os
import sys
import tempfile
import warnings
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import make_notebooks

# What begins with these takes seeds, names of files, or what is tied to other sizes.
FIXED = "default_rng draw eye index log panels plot print set_ sqrt stored verify"


def statements(path):
    """The statements of a chapter in order, with their lines in its text."""
    text, found, at, solving = path.read_text("utf-8"), [], 0, False
    for cell in make_notebooks.from_text(path).cells:
        if cell.cell_type != "code":
            for line in cell.source.splitlines():
                opened = line.startswith(":::{solution}")
                solving = opened or solving and line.strip() != ":::"
            continue
        at = text.index(cell.source, at)
        raises = "raises-exception" in cell.metadata.get("tags", [])
        with suppress(SyntaxError):  # a magic of IPython
            body = [] if solving else ast.parse(cell.source).body
            for line in body[:-1] if raises else body:
                found.append(ast.increment_lineno(line, text[:at].count("\n")))
    return [line for line in found if not ast.unparse(line).startswith("verified(")]


def sizes(tree):
    """The integers in a statement that are sizes.

    >>> one = "n, k = 100, 5; S = f(K, 20, rng(3), seed=12)[11:]; assert g(30) < 40"
    >>> [size.value for line in ast.parse(one).body for size in sizes(line)]
    [100, 20]
    """
    if isinstance(tree, ast.Constant):
        return [tree] if type(tree.value) is int and tree.value >= 10 else []
    called = ast.unparse(tree.func) if isinstance(tree, ast.Call) else ""
    if called.rpartition(".")[2].startswith(tuple(FIXED.split())):
        return []
    if isinstance(tree, ast.Assert) or getattr(tree, "arg", "") == "seed":
        return []
    inside = [*ast.iter_child_nodes(tree)]
    if isinstance(tree, ast.Subscript):
        inside = [tree.value]
    elif isinstance(tree, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        inside = [part for part in inside if not isinstance(part, ast.Constant)]
    return [size for part in inside for size in sizes(part)]


def names(line, context):
    """The names that a statement binds (ast.Store) or uses (ast.Load).

    >>> sorted(names(ast.parse("for x in (1, 2): y = x + z"), ast.Load))
    ['z']
    """
    nodes = [*ast.walk(line)]
    found = {x.id for x in nodes if isinstance(x, ast.Name) and type(x.ctx) is context}
    named = {x.name for x in nodes if isinstance(x, ast.FunctionDef)}
    loops = [x.target for x in nodes if isinstance(x, (ast.For, ast.comprehension))]
    named |= {x.id for target in loops for x in ast.walk(target) if hasattr(x, "id")}
    return found | named if context is ast.Store else found - named


def run(lines):
    """Run statements; yield for each that fails its line, and what it is in words.

    What uses a name that a failed statement should have bound is not run.
    """
    known, lost = {}, set()
    for line in lines:
        binds = names(line, ast.Store)
        if names(line, ast.Load) & lost:
            lost |= binds
            continue
        try:
            code = compile(ast.Module([line], []), "<chapter>", "exec")
            with redirect_stdout(StringIO()):
                exec(code, known)
        except AssertionError as error:
            silent = f"no words. {ast.unparse(line)}"
            yield line.lineno, f"a conclusion. {error}" if str(error) else silent
        except Exception as error:
            lost |= binds
            kind = "a refusal" if "expected" in str(error) else "an error"
            yield line.lineno, f"{kind}. {type(error).__name__}: {error}"
        else:
            lost -= binds


def passes(lines, double, each):
    """Change sizes, all or one at a time; yield what was changed, and undo it."""
    found = [size for line in lines for size in sizes(line)]
    for chosen in [[size] for size in found] if each else [found]:
        old = [size.value for size in chosen]
        for size in chosen:
            size.value = 2 * size.value if double else size.value // 2
        yield [(s.lineno, o, s.value) for s, o in zip(chosen, old, strict=True)]
        for size, value in zip(chosen, old, strict=True):
            size.value = value


def main(arguments=None, book=make_notebooks.BOOK):
    """Try the chapters that are named; 1 if one fails without a conclusion."""
    parser = argparse.ArgumentParser(prog="book/sizes.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="+", metavar="NAME", help="chapters")
    for kind in ("--halve", "--double", "--each"):
        parser.add_argument(kind, action="store_true")
    options = parser.parse_args(arguments)
    os.environ["MPLBACKEND"] = "Agg"
    os.environ.setdefault("NYSTHEORY_VERDICTS", tempfile.mkdtemp(prefix="verdicts-"))
    warnings.simplefilter("ignore")
    hurt = 0
    for name in options.names:
        lines = statements(make_notebooks.text_path(Path(name).stem, book))
        for changed in passes(lines, options.double, options.each):
            told = ", ".join("{1} to {2} in line {0}".format(*one) for one in changed)
            print(f"{name}: {told}", flush=True)
            for at, words in run(lines):
                hurt += not words.startswith(("a conclusion", "a refusal"))
                print(f"    line {at}: {words}", flush=True)
    return 1 if hurt else 0


if __name__ == "__main__":
    sys.exit(main())
