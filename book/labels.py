"""What the book refers to: every label with its number, its words and its place.

All texts are read once, in the order of the table of contents. Boxes, theorems and
algorithms alike, share one counter in a chapter, so that 9.5 is one thing; figures and
exercises have their own.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

import jupytext
import yaml

BOOK = Path(__file__).resolve().parent
# The names of boxes that are written from theorem objects, and the word on the page.
STATEMENTS = {
    "theorem": "Theorem",
    "lemma": "Lemma",
    "proposition": "Proposition",
    "corollary": "Corollary",
    "definition": "Definition",
    "observation": "Observation",
    "remark": "Remark",
}
BOXES = {**STATEMENTS, "algorithm": "Algorithm"}
DIRECTIVE = re.compile(r"^(?P<fence>:{3,})\{(?P<name>[\w:-]+)\}[ ]*(?P<argument>.*)$")
TARGET = re.compile(r"^\((?P<label>[^()\s]+)\)=$")
HEADING = re.compile(r"^(?P<level>#+) (?P<words>.+)$")


@dataclass(frozen=True)
class Target:
    """Something that can be referred to: how it is called, and where it stands."""

    words: str
    file: str
    anchor: str = ""
    title: str = ""

    @property
    def address(self) -> str:
        """Relative to any other page of the book."""
        return f"{self.file}.ipynb" + (f"#{self.anchor}" if self.anchor else "")


@dataclass
class Labels:
    """All targets by label, and the numbers of what has one."""

    targets: dict[str, Target] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)

    def add(self, label: str, target: Target) -> None:
        if label in self.targets:
            places = f"{self.targets[label].file} and {target.file}"
            raise ValueError(f"label {label!r}: expected one place, got {places}")
        self.targets[label] = target

    def __getitem__(self, label: str) -> Target:
        if label not in self.targets:
            raise KeyError(f"no label {label!r} in the book")
        return self.targets[label]


def chapters(book: Path = BOOK) -> dict[str, str]:
    """The pages in the order of the table of contents, with their numbers or ''."""
    toc = book.parent / "_toc.yml"
    if not toc.exists():  # a book of one page, in a test
        return {path.stem: "1" for path in sorted((book / "md").glob("*.md"))}
    numbers, count = {}, 0
    for part in yaml.safe_load(toc.read_text("utf-8"))["parts"]:
        for page in part["chapters"]:
            name = Path(page["file"]).name
            count += bool(part.get("numbered"))
            numbers[name] = str(count) if part.get("numbered") else ""
    return numbers


def cells(path: Path) -> list:
    """The cells of a text."""
    return jupytext.read(path, fmt="md:myst").cells


def read(book: Path = BOOK) -> Labels:
    """The labels of all texts of the book."""
    labels = Labels()
    for name, number in chapters(book).items():
        path = book / "md" / f"{name}.md"
        if path.exists():
            _Reader(labels, name, number).read(cells(path))
    return labels


def slug(words: str) -> str:
    """Words as an anchor.

    >>> slug("Leverage score, of rank $k$"), slug("Nyström method")
    ('leverage-score-of-rank-k', 'nystrom-method')
    """
    plain = unicodedata.normalize("NFKD", words.lower())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return "-".join(re.findall(r"[a-z0-9]+", plain))


class _Reader:
    """Reads one text; counts what it numbers."""

    def __init__(self, labels: Labels, name: str, number: str):
        self.labels, self.name, self.number = labels, name, number
        self.counts = {"box": 0, "Figure": 0, "Exercise": 0}
        self.pending = ""

    def read(self, cells) -> None:
        for cell in cells:
            if cell.cell_type == "code":
                self._figure(cell.metadata.get("mystnb", {}).get("figure", {}))
            else:
                self._words(cell.source)

    def _figure(self, figure) -> None:
        if figure:
            self._add(figure["name"], "Figure", slug(figure["name"]))

    def _words(self, source: str) -> None:
        fenced = False
        for line in source.splitlines():
            if line.startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            if found := DIRECTIVE.match(line):
                self._directive(found)
            elif found := TARGET.match(line):
                self.pending = found["label"]
            elif found := HEADING.match(line):
                self._heading(len(found["level"]), found["words"].strip())

    def _heading(self, level: int, words: str) -> None:
        file = self.name
        if level == 1:
            self.labels.add(file, Target(words, file, title=words))
            self.labels.numbers[file] = self.number
        if self.pending:
            self.labels.add(self.pending, Target(words, file, slug(self.pending)))
        elif self.name == "glossary" and level == 3:
            self.labels.add(f"term {words.lower()}", Target(words, file, slug(words)))
        self.pending = ""

    def _directive(self, found) -> None:
        name, argument = found["name"], found["argument"].strip()
        label, _, title = argument.partition(" ")
        if name in BOXES:
            anchor = slug(title or label) if name == "algorithm" else ""
            self._add(label, BOXES[name], anchor or anchor_of(label), title, "box")
        elif name == "exercise":
            self._add(label, "Exercise", slug(label))

    def _add(self, label, word, anchor, title="", counter="") -> None:
        counter = counter or word
        self.counts[counter] += 1
        number = f"{self.number}.{self.counts[counter]}".lstrip(".")
        words = f"{word} {number}"
        self.labels.add(label, Target(words, self.name, anchor, title))
        self.labels.numbers[label] = words


def anchor_of(id: str) -> str:
    """The place of a theorem on its page.

    >>> anchor_of("talwalkar2010:thm-5.2")
    'talwalkar2010-thm-5-2'
    """
    return slug(id)
