"""What the texts of the book state, and what in them the page would not show so.

A text is read as ``book/portable.py`` reads it, directive by directive. What is left,
the words, is read as the site reads a notebook: there nothing may be but words.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import labels
import portable
import yaml
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from nystheory.chapters import theorems

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    path.stem: path.read_text("utf-8")
    for path in sorted((ROOT / "book" / "md").glob("*.md"))
}

# The words are read as the site reads them, with the extensions of its configuration.
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
EXTENSIONS = set(CONFIG["parse"]["myst_enable_extensions"])
MYST = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

# What words are made of. HTML, comments, attributes, footnotes, other directives and
# blocks of code by indentation are not there.
PAIRED = "paragraph heading bullet_list ordered_list list_item em strong link".split()
PAIRED += "table thead tbody tr th td".split()
SHOWN = {"text", "code_inline", "math_inline", "math_block", "math_inline_double"}
WORDS = {f"{name}_{end}" for name in PAIRED for end in ("open", "close")} | SHOWN
WORDS |= {"inline", "fence", "hr", "softbreak", "hardbreak", "myst_role", "amsmath"}
ROLES = {"ref", "term", "cite:t", "cite:p", "let", "letter", "line", "cost"}
ROLES |= {"right", "wrong"}
LISTINGS = {"", "bash", "console", "python", "text"}

KIND = (
    "(Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Observation|Fact|Claim"
    "|Conjecture|Axiom|Property|Criterion|Assumption|Result|Remark)"
)
# What stands out and begins like a result: '**Theorem.**', '### Lemma 2.1'; a remark
# is one only with a number.
OUTSTANDING = re.compile(rf"{KIND}s?\s*(\(?\d|(?<!remark)([.:(]|$))", re.I)
# What begins like a result and does not stand out: 'Theorem 99. Every matrix is good.'
PLAIN = re.compile(rf"{KIND}\s*\(?\d+(\.\d+)*\)?\s*[.:](?!\d)", re.I)

# In characters; the shortest of the book has 204.
SHORTEST_PROOF = 200


@dataclass(frozen=True)
class Block:
    """A directive: name, what follows it, its lines, and whether it stands free."""

    name: str
    argument: str
    inside: str
    free: bool
    closed: bool

    @property
    def title(self):
        """What stands on the page of the argument, if not only a label does."""
        if self.name == "algorithm":
            return self.argument.partition(" ")[2].strip()
        return self.argument


@cache
def cells(text):
    """The cells of words of a text."""
    found = labels.jupytext.reads(text, fmt="md:myst").cells
    return [cell for cell in found if cell.cell_type == "markdown"]


@cache
def read(text):
    """The directives of a text in their order, and its words, cell by cell."""
    reader = _Reader()
    for cell in cells(text):
        reader.read(cell.source)
    return reader.blocks, reader.words


class _Reader:
    """Reads cells of words as `portable.Page` does."""

    def __init__(self):
        self.blocks, self.words, self.solving = [], [], False

    def read(self, source):
        lines = source.split("\n")
        self._lines(lines, not self.solving)
        self.words.append("\n".join(lines))

    def _lines(self, lines, free, first=0, last=None):
        """Note the directives, and leave their words where they are."""
        at, last = first, len(lines) if last is None else last
        while at < last:
            line = lines[at]
            if line.startswith("```"):
                end = next((k for k in range(at + 1, last) if lines[k] == "```"), last)
                if end == last:
                    self.blocks.append(Block("listing", line, "", free, False))
                at = end
            elif found := labels.DIRECTIVE.match(line):
                at = self._directive(found, lines, at, last, free)
            elif self.solving and line.strip() == ":::":
                lines[at], self.solving, free = "", False, True
            elif labels.TARGET.match(line):
                lines[at] = ""
            at += 1

    def _directive(self, found, lines, at, last, free):
        fences = (k for k in range(at + 1, last) if lines[k].strip() == found["fence"])
        end = next(fences, last)
        name, argument = found["name"], found["argument"].strip()
        closed = end < last
        if not closed and name == "solution" and free:
            self.solving = closed = True  # it goes on in the next cells
        inside = "\n".join(lines[at + 1 : end])
        self.blocks.append(Block(name, argument, inside, free, closed))
        lines[at] = ""
        if end < last:
            lines[end] = ""
        if name == "line" or name in labels.STATEMENTS:  # what it says is made
            lines[at + 1 : end] = [""] * (end - at - 1)
        self._lines(lines, False, at + 1, end)
        return end


def tokens(text):
    """What the site reads in the words of a text, also inside of lines."""
    for words in read(text)[1]:
        for token in MYST.parse(words):
            yield token
            yield from token.children or ()


def visible(read):
    """What a reader sees of some tokens, with white space collapsed."""
    told = []
    for token in read:
        told.append(token.content if token.type in SHOWN | {"myst_role"} else " ")
        told.append(visible(token.children or ()))
    return folded("".join(told))


def folded(text):
    """The text with white space collapsed."""
    return " ".join(text.split())


def stated(text):
    """The boxes of a text that are written from objects."""
    return [block for block in read(text)[0] if block.name in labels.STATEMENTS]


def box(block):
    """The parts of a box, what is open under an empty name; None if a line is none."""
    try:
        folds = portable.folds_of(block.inside.split("\n"))
        theorem = theorems.get(block.argument)
        return theorem.parts(folds) if theorem else {"": ""} | folds
    except ValueError:
        return None


def surprises(text):
    """What the page would hide, or show otherwise than it is written."""
    told = [
        f"a cell of words with metadata: {cell.metadata}"
        for cell in cells(text)
        if cell.metadata
    ]
    for block in read(text)[0]:
        where = f"{block.name} {block.argument}".strip()
        if block.name not in portable.KNOWN:
            told.append(f"no such directive: {where}")
        if not block.closed:
            told.append(f"never closed: {where}")
        if block.name in labels.STATEMENTS and box(block) is None:
            told.append(f"words that no page shows, inside of {where}")
    for token in tokens(text):
        if token.type not in WORDS:
            told.append(f"not of the words of a text, {token.type}: {token.content}")
        if token.type == "myst_role" and token.meta["name"] not in ROLES:
            told.append(f"no such role: {token.meta['name']}")
        if token.type == "fence" and not (
            token.markup == "```" and token.info.strip() in LISTINGS
        ):
            told.append(f"no such listing: {token.markup}{token.info}")
        if token.type not in ("fence", "math_block", "amsmath") and token.attrs:
            if {*token.attrs} - {"href", "start", "style"}:
                told.append(f"attributes of {token.type}: {token.attrs}")
    return told


def loose(text):
    """The results of a text that have a head, and no box."""
    plain, outstanding = [], [b.title.strip("*_ ") for b in read(text)[0]]
    for words in read(text)[1]:
        before = None
        for token in MYST.parse(words):
            children = token.children or []
            kind = outstanding if before == "heading_open" else plain
            kind.append(visible(children))
            for start, child in enumerate(children):
                if child.type in ("strong_open", "em_open", "myst_role"):
                    outstanding.append(visible(children[start:]))
            before = token.type
    found = [x for x in plain if PLAIN.match(x)]
    return found + [x for x in outstanding if OUTSTANDING.match(x)]


def proved(text):
    """The ids of the boxes of a text after which their proofs come next."""
    told, id = [], None
    for block in read(text)[0]:
        if block.name in labels.STATEMENTS:
            id = block.argument
        elif block.name == "proof" and block.free:
            inside = "\n".join(read(block.inside)[1])
            if (
                id
                and block.closed
                and len(visible(MYST.parse(inside))) >= SHORTEST_PROOF
            ):
                told.append(id)
            id = None
    return told


def faults(name, text):
    """What is wrong with the boxes of a text, as sentences."""
    told = []
    for block in stated(text):
        theorem = theorems.get(block.argument)
        if theorem is None:
            told.append(f"{name}, {block.argument}: no registered object")
        elif theorem.chapter != name:
            told.append(f"{name}, {block.argument}: of chapter {theorem.chapter}")
        elif not block.free:
            told.append(f"{name}, {block.argument}: inside something else")
    return told


def complaints(text, name="planted"):
    """What is wrong with a text, its order and its proofs apart."""
    return faults(name, text) + surprises(text) + loose(text)


# --- Numbers without an owner ---------------------------------------------------------

NUMBERED = (
    r"(?:Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Observation|Remark"
    r"|Equation|Figure|Table|Exercise)s?"
)
NUMBER = r"(?:\(\d+(?:\.\d+)*\)|\d+(?:\.\d+)*[a-z]?)(?![\w%])"
ONE = rf"(?:\b{NUMBERED}\s+{NUMBER}|\([1-9]\.\d{{1,2}}\))"
JOINED = r"(?:,\s*|\s+)(?:(?:and|or|to|with|by|from|than)\s+)?"
GROUP = re.compile(rf"{ONE}(?:{JOINED}(?:{ONE}|{NUMBER}))*", re.IGNORECASE)
# "the thesis's own Theorem 5.2", "(Talwalkar 2010, Theorem 5.2)"; a citation is CITED.
OWNED_BEFORE = re.compile(
    r"(?:\w['\u2019]s?|\b(?:his|her|its|their)|CITED,?|\b(?:19|20)\d\d[a-z]?,)"
    r"(?:\s+(?:own|first|second|last|main|key))?(?:\s+(?:section|chapter)[\s\d.,]+)?"
    r"(?:\s+(?:inequality|display|formula|condition|bound))?\s*\(?$",
    re.IGNORECASE,
)
SOURCE = (
    r"(?:(?:both|the|his|her|their|that|this|these|same|first|second|whose)\s+)*"
    r"(?:CITED|thesis|paper|papers|book|report|source|article|survey|introduction"
    r"|[A-Z]\w+)"
)
# "Theorem 5.2 of the thesis"; "(5.3) and its proof are those of Bach".
OWNED_AFTER = re.compile(
    rf",?\s*(?:of|in|by|from|on p\w*\.? \d+ of)\s+{SOURCE}"
    rf"|[^.;:]{{0,60}}\b(?:is|are)\s+(?:that of|those of|from|in)\s+{SOURCE}"
)


def unowned(text):
    """The numbers of results in prose that are no links and have no owner.

    "the thesis's Theorem 5.2" and "(Talwalkar 2010, Theorem 5.2)" have one.
    """
    told = []
    titles = [block.title for block in read(text)[0] if " " in block.title]
    for words in (*read(text)[1], *titles, *said_of_figures(text)):
        for token in MYST.parse(words):
            told += _unowned(folded(_prose(token.children or [])))
    return told


def said_of_figures(text):
    """Captions and alternative texts."""
    told = []
    for cell in labels.jupytext.reads(text, fmt="md:myst").cells:
        shown = cell.metadata.get("mystnb", {})
        told.append(str(shown.get("figure", {}).get("caption", "")))
        told.append(str(shown.get("image", {}).get("alt", "")))
    return [" ".join(words.split()) for words in told if words]


def _prose(children):
    """The words of a paragraph; links, formulas and code are held by a place."""
    told, linked = [], 0
    for token in children:
        linked += token.type.startswith("link_") and token.nesting
        if token.type == "myst_role":
            told.append("CITED" if token.meta["name"].startswith("cite") else "LINK")
        elif token.type == "text" and not linked:
            told.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            told.append("\n")
        elif token.type in ("math_inline", "code_inline", "link_close"):
            told.append("LINK")
    return "".join(told)


def _unowned(prose):
    told = []
    for found in GROUP.finditer(prose):
        before, after = prose[: found.start()], prose[found.end() :]
        if not (OWNED_BEFORE.search(before) or OWNED_AFTER.match(after)):
            told.append(f"{before[-40:]}[{found[0]}]{after[:30]}")
    return told


# --- The prose, sentence by sentence --------------------------------------------------

# What is not said in words: expressions, links, code and formulas.
UNSAID = re.compile(r"(?<=\{\{).*?(?=\}\})|\{\w+(?::\w)?\}`[^`]*`|`[^`]*`|\$[^$]*\$")


def paragraphs(text):
    """The paragraphs of the prose, lists of their lines; nothing inside a directive."""
    found, open_fences, listing = [[]], [], False
    for line in text.split("\n"):
        opened = labels.DIRECTIVE.match(line)
        listing ^= line.startswith("```")
        if listing or line.startswith("```"):
            found.append([])
        elif opened:
            open_fences.append(opened["fence"])
            found.append([])
        elif open_fences:
            if line == open_fences[-1]:
                open_fences.pop()
        elif not line.strip() or line.startswith("#") or labels.TARGET.match(line):
            found.append([])
        else:
            found[-1].append(line)
    return [each for each in found if each]


def sentences(text):
    """The sentences of the prose, with "*Title.* Words." as two."""
    lines = (line for paragraph in paragraphs(text) for line in paragraph)
    return [x for line in lines for x in re.split(r"(?<=[.?])\*? ", line)]
