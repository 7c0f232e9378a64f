"""The two-way gate: the statements in the book and the registry are the same."""

import csv
import importlib.util
import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import Path

import jupytext
import pytest
import yaml
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from nystheory.theorems import CHAPTERS, theorems

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location(
    "make_notebooks", ROOT / "book" / "make_notebooks.py"
)
make_notebooks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_notebooks)

TEXTS = {
    path.stem: path.read_text("utf-8")
    for path in sorted((ROOT / "book" / "md").glob("*.md"))
}
with open(ROOT / "tests" / "data" / "register.csv", encoding="utf-8") as file:
    REGISTER = list(csv.DictReader(file))

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


BLOCKS = [b for name, text in TEXTS.items() for b in blocks(name, text)]
STATED = [b for b in BLOCKS if b.kind != "proof"]


def folded(text):
    """The text with white space collapsed."""
    return " ".join(text.split())


BY_LABEL = {theorem.label: theorem for theorem in theorems.values()}


@pytest.mark.parametrize("row", REGISTER, ids=lambda row: row["id"])
def test_every_row_of_the_register_is_a_theorem(row):
    theorem = theorems[row["id"]]
    assert (theorem.part, theorem.kind, theorem.status) == (
        row["part"],
        row["kind"],
        row["status"],
    )


def test_no_theorem_is_extra():
    assert [t.id for t in theorems.values()] == [row["id"] for row in REGISTER]


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


def test_every_block_is_what_an_object_says():
    """Nothing more, nothing less, and no block without an object."""
    assert faults(STATED) == []


@pytest.mark.parametrize("name", TEXTS)
def test_the_insides_of_the_boxes_are_written_by_the_objects(name):
    """Run python book/make_notebooks.py NAME when this fails."""
    same = make_notebooks.stated(TEXTS[name]) == TEXTS[name]
    assert same, "a box says something else than its object"


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_hidden_and_no_result_stands_outside_a_block(name):
    assert surprises(TEXTS[name]) + loose(TEXTS[name]) == []


@pytest.mark.parametrize(
    "planted",
    [
        ":::{prf:algorithm} A new one\n:label: alg-new\n\nDo it.\n:::",
        "  :::{prf:theorem} A new one\n  :label: thm-new\n\n  It is so.\n  :::",
        "  ````{prf:lemma}\n  It is so.\n  ````",
        "> :::{prf:theorem} A new one\n> It is so.\n> :::",
        "~~~{prf:theorem} A new one\nIt is so.\n~~~",
        "::: {prf:theorem} A new one\nIt is so.\n:::",
        "- :::{prf:theorem} A new one\n  It is so.\n  :::",
        "1. ```{prf:theorem} A new one\n   It is so.\n   ```",
        ":::{PRF:THEOREM} A new one\nIt is so.\n:::",
        "[^1]: :::{prf:theorem} A new one\n      It is so.\n      :::\n\nIt[^1].",
        "::::{admonition} New\n:::{prf:theorem} A new one\nIt is so.\n:::\n::::",
        "::::{prf:proof}\n:::{prf:theorem} A new one\nIt is so.\n:::\n::::",
        ":::{admonition} Theorem 99\nIt is so.\n:::",
        ":::{admonition} **Theorem 99**\nIt is so.\n:::",
        ":::{admonition} New\n:class: note\n**Theorem 99.** It is so.\n:::",
        ":::{note}\nIt is so.\n:::",
        ":::note\n**Theorem 99.** It is so.\n:::",
        "```{eval-rst}\n.. prf:theorem:: A new one\n\n   It is so.\n```",
        "```{include} theorem.txt\n```",
        "### Theorem 99",
        "Theorem 99\n==========",
        "**Theorem 99.** Every matrix is good.",
        "__Theorem 99.__ Every matrix is good.",
        "**Theorem.** Every matrix is good.",
        "**Theorem** 99. Every matrix is good.",
        "***Theorem 99.*** Every matrix is good.",
        "**THEOREM (folklore).** Every matrix is good.",
        "**Fact 9** Every matrix is good.",
        "Every matrix is good, says **Theorem 99**.",
        "*Remark 3.* Every matrix is good.",
        "<b>Theorem 99</b> Every matrix is good.",
        "<div>Theorem 99. Every matrix is good.</div>",
        "{strong}`Theorem 99.` Every matrix is good.",
        "Theorem 99. Every matrix is good.",
        "- Theorem 2.1: Every matrix is good.",
    ],
)
def test_a_result_without_an_object_is_seen(planted):
    assert complaints(planted)
    assert complaints(f"# A chapter\n\nWords.\n\n{planted}\n\nMore words.\n")


def test_words_about_a_result_are_not_a_result():
    assert (
        complaints("Theorem 5.4 of the thesis says so, and *theorem* is Greek.") == []
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\Z", "\nIt is never attained."),
        (r"\n\n", "\n:math:`1=2` always.\n\n"),
        (r"\n\n", "\n\n:math:`1=2` always.\n\n"),
        (r"\n\n", "\n:class: d-none\n\n"),
        (r"\n\n", "\n:nonumber:\n\n"),
        (r"\n\n", "\n\n<!-- not -->"),
    ],
)
def test_a_change_inside_a_box_is_seen(old, new):
    right = next(b for b in STATED if not faults([b]))
    inside = re.sub(old, new, right.inside, count=1)
    assert faults([replace(right, inside=inside)])


# A chapter with one box and its proof, for what follows.
PAGE = TEXTS["kernel_matrices"]
BOX = re.search(r"^:::{prf:definition}.*?^:::$", PAGE, re.M | re.S)[0]
PROOF = re.search(r"^\(proof-.*?^:::$", PAGE, re.M | re.S)[0]
TARGET, HEAD, ARGUMENT = re.match(r"(.*?\n)(.*?\n)(.*)\n:::$", PROOF, re.S).groups()


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!--\n{BOX}\n-->",
        f"~~~text\n{BOX}\n~~~",
        f"```\n{BOX}\n```",
        re.sub("^", "% ", BOX, flags=re.M),
        re.sub("^", "    ", BOX, flags=re.M),
    ],
)
def test_a_box_that_the_page_does_not_show_does_not_count(hidden):
    def stated(text):
        return [block for block in blocks("", text) if block.kind != "proof"]

    assert len(stated(PAGE)) == 1
    assert stated(PAGE.replace(BOX, hidden)) == []


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_a_box_inside_something_else_is_seen(mark):
    moved = mark + BOX.replace("\n", "\n" + mark.replace("-", " "))
    assert complaints(BOX) == []
    assert complaints(moved)
    assert [b.label for b in blocks("", moved)] == proved(PAGE)


@pytest.mark.parametrize(
    "hidden",
    [
        f"<div hidden>\n\n{BOX}\n\n</div>",
        f"{{.d-none}}\n{BOX}",
        f'+++ {{"tags": ["remove-cell"]}}\n\n{BOX}\n\n+++',
        f":::{{solution-start}} ex\n:hidden:\n:::\n\n{BOX}",
    ],
)
def test_what_could_hide_a_box_is_seen(hidden):
    assert surprises(PAGE) == []
    assert surprises(PAGE.replace(BOX, hidden))


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        f"{TARGET}{HEAD}:::",
        f"{TARGET}{HEAD}Obvious.\n:::",
        f"{TARGET}{HEAD}Obvious.{' ' * 300}\n:::",
        f"{TARGET}{HEAD}<!--\n{ARGUMENT}\n-->\n:::",
        f"{TARGET}{HEAD}% {'Clearly. ' * 30}\n:::",
        f"{TARGET}{HEAD}:class: {'dropdown ' * 30}\n:::",
        f"<!--\n{PROOF}\n-->",
        f"~~~text\n{PROOF}\n~~~",
        f"~~~text\n{TARGET}~~~\n\n{HEAD}{ARGUMENT}\n:::",
        f"(proof-of-something)=\n{HEAD}{ARGUMENT}\n:::",
        re.sub("^", "> ", PROOF, flags=re.M),
    ],
)
def test_a_box_without_its_proof_is_seen(spoiled):
    assert len(proved(PAGE)) == 1
    assert proved(PAGE.replace(PROOF, spoiled)) == []


def test_a_proof_before_its_box_is_no_proof():
    assert proved(f"{PROOF}\n\n{BOX}\n") == []
    assert proved(f"{BOX}\n\n{PROOF}\n") == proved(PAGE)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_is_stated_once_and_proved_there(theorem):
    """The run itself says whether it was verified there: see conftest."""
    found = [b for b in STATED if b.label == theorem.label]
    assert len(found) == 1, f"{theorem.label} is stated {len(found)} times"
    assert theorem.label in proved(TEXTS[found[0].chapter]), "no proof after the box"


@pytest.mark.parametrize("folder", CHAPTERS, ids=lambda folder: folder.__name__)
def test_a_folder_holds_what_its_chapter_states(folder):
    """In the same order, so that whoever reads one finds the other."""
    chapter = folder.__name__.rpartition(".")[2]
    stated = [block.label for block in STATED if block.chapter == chapter]
    assert [theorem.label for theorem in folder.THEOREMS] == stated


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_theorem_has_a_control(theorem):
    assert theorem.controls


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_what_is_called_wrong_comes_with_a_counterexample(theorem):
    if theorem.status in ("corrected", "misprint", "refuted"):
        assert theorem.printed
    for printed in theorem.printed.values():
        assert printed.instance is not None
        assert len(printed.why) > 80
