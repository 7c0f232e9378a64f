"""What the texts of the book state, read as the site reads them."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

import jupytext
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
BY_LABEL = {theorem.label: theorem for theorem in theorems.values()}

# The texts are read as the site reads them, with the extensions of its configuration.
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
EXTENSIONS = set(CONFIG["parse"]["myst_enable_extensions"])
MYST = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

# The directives that a text may hold besides those of sphinx-proof, and their options:
# these show all their words, and nothing else. Others (raw, include) may not.
DIRECTIVES = {"admonition", "exercise", "solution-start", "solution-end"}
OPTION = re.compile(r":label: \S+|:class: (dropdown|note)")
# Every first line that begins with one colon is taken for an option, and not shown.
OPTION_LINE = re.compile(r"\s*:(?!:)")
UNSEEN = {"html_block", "html_inline", "myst_line_comment"}
SHOWN = {"text", "code_inline", "math_inline", "math_block", "amsmath", "myst_role"}

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
class Directive:
    """A directive: its name, what follows it, its options, the rest of its inside."""

    name: str
    argument: str
    options: tuple
    body: str


@dataclass(frozen=True)
class Block:
    """A block of the book: where, of what kind, and all that is written in it."""

    chapter: str
    kind: str
    title: str
    label: str
    inside: str
    free: bool


@cache
def cells(text):
    """The cells of words of a text: each is parsed by itself."""
    found = jupytext.reads(text, fmt="md:myst").cells
    return [cell for cell in found if cell.cell_type == "markdown"]


@cache
def tokens(text):
    """What MyST reads in a text, without the insides of directives."""
    return [token for cell in cells(text) for token in MYST.parse(cell.source)]


def directive(token):
    """The directive that a token is, or None; a name is read in any case."""
    name, argument = (token.info.split(maxsplit=1) + ["", ""])[:2]
    braces = name.startswith("{") and name.endswith("}")
    if not (token.type == "colon_fence" or (token.type == "fence" and braces)):
        return None
    lines = token.content.strip().splitlines()
    options = tuple(takewhile(OPTION_LINE.match, lines))
    body = "\n".join(lines[len(options) :])
    return Directive(name.strip("{}").lower(), argument.strip(), options, body)


def everything(read, free=True):
    """Every token, also inside directives, and whether it stands on the page itself."""
    for token in read:
        yield token, free and token.level == 0
        for child in token.children or ():
            yield child, False
        if found := directive(token):
            yield from everything(MYST.parse(found.body), False)


def blocks(chapter, text):
    """Every block of a text, however it is fenced, and wherever it stands."""
    for token, free in everything(tokens(text)):
        found = directive(token)
        if found and found.name.startswith("prf:"):
            label = re.match(r":label: (\S+)", token.content)
            kind, label = found.name.removeprefix("prf:"), label and label[1]
            yield Block(chapter, kind, found.argument, label, token.content, free)


def visible(read):
    """What a reader sees of some tokens, with white space collapsed."""
    flat = (token for token, _ in everything(read))
    return folded("".join(t.content if t.type in SHOWN else " " for t in flat))


def surprises(text):
    """What hides something on a page, or shows what the tests cannot read."""
    told = [
        f"a cell of words with metadata: {c.metadata}"
        for c in cells(text)
        if c.metadata
    ]
    for token, _ in everything(tokens(text)):
        if token.type in UNSEEN:
            told.append(f"raw HTML or a comment: {token.content}")
        if not (found := directive(token)):
            continue
        if not (found.name in DIRECTIVES or found.name.startswith("prf:")):
            told.append(f"a directive that is not in DIRECTIVES: {found.name}")
        if token.attrs or found.body.startswith("---"):
            told.append(f"attributes of {found.name}: {token.attrs}")
        odd = [option for option in found.options if not OPTION.fullmatch(option)]
        told += [f"option of {found.name}: {option}" for option in odd]
    return told


def loose(text):
    """The results of a text that have a head, and no block."""
    plain, outstanding, before = [], [], None
    for token, _ in everything(tokens(text)):
        children = token.children or []
        (outstanding if before == "heading_open" else plain).append(visible(children))
        for start, child in enumerate(children):
            if child.type in ("strong_open", "em_open", "myst_role"):
                outstanding.append(visible(children[start:]))
        if found := directive(token):
            outstanding.append(found.argument.strip("*_ "))
        before = token.type
    found = [x for x in plain if PLAIN.match(x)]
    return found + [x for x in outstanding if OUTSTANDING.match(x)]


def proved(text):
    """The labels of the boxes of a text after which their proofs come next."""
    label, told, read = None, [], tokens(text)
    for before, token in zip(read[:1] + read, read, strict=False):
        found = directive(token)
        if not found or not found.name.startswith("prf:") or token.level:
            continue
        if found.name != "prf:proof":
            label = found.options and found.options[0].removeprefix(":label: ")
            continue
        named = before.type == "myst_target" and before.content == f"proof-{label}"
        if named and len(visible(MYST.parse(found.body))) >= SHORTEST_PROOF:
            told.append(label)
        label = None
    return told


def folded(text):
    """The text with white space collapsed."""
    return " ".join(text.split())


def faults(stated):
    """What is wrong with the numbered blocks of the book, as sentences."""
    told = []
    for block in stated:
        theorem, place = BY_LABEL.get(block.label), f"{block.chapter}, {block.label}"
        if theorem is None:
            told.append(f"{place}: no registered object")
        elif not block.free:
            told.append(f"{place}: inside something else")
        elif block.inside.strip() != f":label: {block.label}\n\n{theorem.statement}":
            told.append(f"{place}: says something else than the object")
        elif block.title != theorem.title:
            told.append(f"{place}: has another title than the object")
    return told


def complaints(text):
    """What is wrong with a text that states nothing itself."""
    stated = [block for block in blocks("planted", text) if block.kind != "proof"]
    return faults(stated) + surprises(text) + loose(text)


BLOCKS = [b for name, text in TEXTS.items() for b in blocks(name, text)]
STATED = [b for b in BLOCKS if b.kind != "proof"]
