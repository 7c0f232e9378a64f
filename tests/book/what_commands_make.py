"""What commands make and print, for what the guides say of them."""

import re
import tomllib
from functools import cache
from pathlib import Path

import copies
import labels
import make_notebooks
import nbformat

from nystheory.__main__ import _parser

ROOT = Path(__file__).resolve().parents[2]


@cache
def counted():
    """The numbers of boxes, figures and exercises, chapter by chapter."""
    found = {}
    for target in labels.read().targets.values():
        kind, _, number = target.words.partition(" ")
        if re.fullmatch(r"\d+\.\d+", number):
            kind = "box" if kind in labels.BOXES.values() else kind
            found.setdefault((target.file, kind), []).append(number.split(".")[1])
    return {key: sorted(map(int, numbers)) for key, numbers in found.items()}


def each_for_itself():
    """Boxes of all kinds have one row of numbers, figures and exercises their own."""
    kinds = {kind for _, kind in counted()}
    from_one = all(
        numbers == [*range(1, len(numbers) + 1)] for numbers in counted().values()
    )
    return from_one and kinds == {"box", "Figure", "Exercise"}


@cache
def copied(kind, name="coherence"):
    """A copy of a chapter for a course: its cells of code and its words."""
    book = nbformat.read(make_notebooks.notebook_path(name), 4)
    cells = getattr(copies, kind)(book).cells
    tags = [x.metadata.get("tags", []) for x in cells if x.cell_type == "code"]
    return tags, " ".join(x.source for x in cells if x.cell_type == "markdown"), cells


def empty_to_work_in():
    """Of the student's no cell of a solution is left; what is worked in sets None."""
    tags, words, cells = copied("student")
    given = [x for x in cells if "work" in x.metadata.get("tags", [])]
    filled = [
        line for x in given for line in x.source.split("\n")
        if line and not re.match(r"#|[\w, ]+(= None)+|[\w =]+ = None$", line)
    ]
    solved = [each for each in tags if "solution" in each]
    return given and not solved and not filled and 'class="solution"' not in words


def every_solution_open():
    """The instructor's has those of the book, and none of them is folded."""
    words = copied("instructor")[1]
    return 0 < words.count('class="solution"') == words.count('class="solution" open')


@cache
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def brought(words):
    """Whether a sentence names what the package requires, and all of that."""
    asked = {re.match(r"[\w-]+", each)[0] for each in project()["dependencies"]}
    return {x.lower() for x in re.split(", | and ", words)} == asked


def large():
    """What is brought for very many points."""
    return project()["optional-dependencies"]["large"][0]


COMMENTED = re.compile(r"^\s*python -m nystheory (\w+)(.*?) {2,}# (.*)$", re.M)


@cache
def helped(command):
    """The words that a command has of itself."""
    commands = next(x for x in _parser()._actions if x.metavar == "command")
    (brief,) = (x.help for x in commands._choices_actions if x.dest == command)
    return brief + commands.choices[command].format_help()


def stems(words):
    return {x[:5] for x in re.findall(r"[a-z]{4,}", words.lower())}


def unlike_their_help(text):
    """Comments of commands that have no word of the help; *one of them* has none."""
    return [
        (command, words)
        for command, _, words in COMMENTED.findall(text)
        if words != "one of them" and not stems(words) & stems(helped(command))
    ]
