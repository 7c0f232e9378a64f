"""From a text to cells that every viewer of notebooks shows as they are meant.

A text has directives, references and numbers that only the book knows. A notebook gets
CommonMark, formulas and a few HTML tags in their place, with every number written out:
so it reads the same in JupyterLab, on the site and on paper.

===========================  =========================================================
in a text                    on the page
===========================  =========================================================
``{{ expr:format }}``        the value in the run, after the code cell before it
``:::{theorem} id``          the box of a theorem object; also lemma, definition, ...
``:::{proof}``               folded; of the box before it
``:::{line} when c``         displayed: a step of a proof, tried with its theorem
``{line}`a <= b when c```    the same in a sentence; the condition is not shown
``{let}`M = X @ X.T```       a letter of a proof; ``{letter}`` shows the letter only
``:::{algorithm} label T``   numbered box with title T: the steps, and what they cost;
                             in it a ``{line}`` is one of Python, ``{cost}`` a count
``:::{exercise} label``      numbered; ``:::{solution} label`` folds it, cells too
``:::{note} title``          a box; ``:::{fold} title`` a folded one
``:::{quiz} question``       a question with options: see ``quizzes``
``:::{listing} name``        a function of the package, its docstring folded
``:::{bibliography}``        the list of sources
``{ref}`label```             link that says what it leads to; ``words <label>`` too
``{cite:t}`key, place```     Author (year, place); ``{cite:p}`` (Author year, place)
``{term}`words```            link into the glossary
===========================  =========================================================
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import citations
import quizzes
from labels import BOXES, DIRECTIVE, HEADING, STATEMENTS, TARGET, Labels, slug

from nystheory._formulas import displayed
from nystheory.engine.trial.boxes import Box

VALUE = re.compile(r"\{\{ (.+?) \}\}")
ROLE = re.compile(r"\{(ref|term|cite:t|cite:p|let|letter|line|cost)\}`([^`]+)`")
LEFT = re.compile(r"\{[a-z:]+\}`")  # of a role that is not known, or has no end
NAMED = re.compile(r"(?P<words>.+?)\s*<(?P<label>[^<>]+)>", re.DOTALL)
# Prose is read at this pace; a displayed formula, and as long a quiz, and an exercise
# take their own time.
WORDS_A_MINUTE, FORMULA_MINUTES, EXERCISE_MINUTES = 130, 0.25, 1.0
FOLDED = re.compile(r"<details(?:(?!<details).)*?</details>", re.DOTALL)
# A statement that shows verdicts or findings.
SHOWS = re.compile(r"verified\(.*|\w+|\w+ = findings\.\w+\.found\(\)", re.S)
FURTHER = re.compile(r"^## Further$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXERCISE = re.compile(r'<div class="exercise".*?</div>', re.DOTALL)
# What stands between these is of the run, and may differ in the last digits.
RUN, END_OF_RUN = "<!-- run -->", "<!-- end of run -->"


@dataclass
class Page:
    """A text on its way to a notebook.

    Parameters
    ----------
    name : str
    labels : Labels
    value : callable (expression, cell) -> str
        The value of an expression after the code cell of this index.
    statement : callable (id, folds) -> (title, source, parts)
        What a theorem object says of itself; the parts are Markdown, by the words
        under which they are folded, empty for what is open.
    listing : callable (name) -> (docstring, source)
        A function of the package.
    proof : callable (id) -> Proof, optional
        What takes the letters and the steps of the proof of a theorem object.
    """

    name: str
    labels: Labels
    value: Callable[[str, int], str]
    statement: Callable[[str, dict], tuple[str, str, dict]]
    listing: Callable[[str], tuple[str, str]]
    proof: Callable[[str], Any] | None = None
    solving: str = ""
    proved: str = ""
    index: list[list[str]] = field(default_factory=list)
    ran: int = -1
    proofs: list = field(default_factory=list)
    boxes: list = field(default_factory=list)
    boxed: bool = False

    def words(self, source: str, after: int) -> str:
        """A cell of words; `after` is the index of the code cell before it, or -1."""
        self.ran = after
        lines, out = source.split("\n"), []
        if self.solving:
            out += [_opened("solution", "Solution, continued"), ""]
        out += self._blocks(lines)
        if self.solving:
            out += ["", "</details>"]
        return _tidy("\n".join(out))

    def _blocks(self, lines: list[str]) -> list[str]:
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            if line.startswith("```"):  # a listing in the text: as it is
                end = next(k for k in range(at + 1, len(lines)) if lines[k] == "```")
                out += lines[at : end + 1]
                at = end + 1
            elif found := DIRECTIVE.match(line):
                end = _closing(lines, at, found["fence"])
                inside = lines[at + 1 : end]
                out += ["", *self._directive(found, inside, end == len(lines)), ""]
                at = end + 1
            elif self.solving and line.strip() == ":::":
                out += ["", "</details>", ""]
                self.solving = ""
                at += 1
            elif found := TARGET.match(line):
                out += [f'<a id="{slug(found["label"])}"></a>', ""]
                at += 1
            else:
                out.append(self._line(line))
                at += 1
        return out

    def _line(self, line: str) -> str:
        """References, citations and numbers of a line."""
        found = HEADING.match(line)
        if found and self.name == "glossary" and len(found["level"]) == 3:
            line = f'<a id="{slug(found["words"])}"></a>\n\n{line}'
        if self.boxed:
            self.boxes[-1].step(line)
        line = ROLE.sub(self._role, line)
        if found := LEFT.search(line):
            told = f"expected a role that is known and ends on its line, got {line!r}"
            raise ValueError(f"{self.name}: {found[0]} {told}")
        return VALUE.sub(lambda each: self.value(each[1].strip(), self.ran), line)

    def _role(self, found) -> str:
        role, argument = found[1], found[2]
        if role.startswith("cite"):
            return citations.cited(argument, role == "cite:p")
        if self.boxed and role in ("line", "cost"):
            return f"${getattr(self.boxes[-1], role)(argument)}$"
        if role == "cost":
            raise ValueError(f"{self.name}: a cost stands in an algorithm")
        if role == "line":
            return f"${self._proving().line(argument)}$"
        if role in ("let", "letter"):
            return f"${self._proving().letter(argument, whole=role == 'let')}$"
        named = NAMED.fullmatch(argument)
        label = named["label"] if named else argument
        if role == "term":
            target = self.labels[f"term {label.lower()}"]
            return f"[{named['words'] if named else argument}]({target.address})"
        target = self.labels[label]
        return f"[{named['words'] if named else target.words}]({target.address})"

    def _proving(self):
        """The proof of the box before: each letter and step goes there."""
        if not self.proofs:
            raise ValueError(f"{self.name}: a step stands before the first box")
        return self.proofs[-1]

    def _step(self, argument, inside, open_end) -> list[str]:
        word, _, when = argument.partition(" ")
        if open_end or (argument and (word != "when" or not when)):
            told = "no end" if open_end else repr(argument)
            wanted = "a fence of its own and nothing or 'when c' after its name"
            raise ValueError(f"{self.name}: a step: expected {wanted}, got {told}")
        formula = self._proving().line(" ".join(inside), when)
        return [f"$$\n{displayed(formula)}\n$$"]

    def _directive(self, found, inside, open_end) -> list[str]:
        name, argument = found["name"], found["argument"].strip()
        if name in STATEMENTS:
            return self._statement(argument, inside)
        if name == "quiz":
            return quizzes.written(quizzes.read(argument, inside), self._line)
        if name not in WRITTEN:
            raise ValueError(f"no directive {name!r}; there are {', '.join(KNOWN)}")
        if name == "algorithm":
            self.boxes.append(Box(argument.partition(" ")[0]))
        self.boxed = name == "algorithm"
        blocks = self._blocks(inside)
        self.boxed = False
        return WRITTEN[name](self, argument, blocks, open_end)

    def _statement(self, id: str, inside: list[str]) -> list[str]:
        target = self.labels[id]
        if self.proof:
            self.proofs.append(self.proof(id))
        title, source, parts = self.statement(id, folds_of(inside))
        variants = [
            _folded("variant", _sentence(words), [text])
            for words, text in parts.items()
            if words
        ]
        printed, _, _ = source.partition(" · ")  # without the mark of what is open
        self.proved = target.words
        self.index += [
            [f"{target.words}: {title}", target.anchor],
            [f"{printed} (here {target.words}): {title}", target.anchor],
        ]
        verdict = self.value(f"verdict({id!r})", self.ran)
        link = f"\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}[¶]({target.address})"
        head = f"**{target.words}** {title} · *{source}*{link}"
        return [
            f'<blockquote class="statement" id="{target.anchor}">\n',
            head,
            "",
            parts[""],
            *(line for each in variants for line in ["", *each]),
            f"\n{RUN}\n",
            verdict,
            f"\n{END_OF_RUN}\n",
            "</blockquote>",
        ]

    def _proof(self, argument, inside, open_end) -> list[str]:
        of = argument or (f"of {self.proved}" if self.proved else "")
        return _folded("proof", f"Proof {of}".strip(), inside)

    def _algorithm(self, argument, inside, open_end) -> list[str]:
        label, _, title = argument.partition(" ")
        target = self.labels[label]
        self.index.append([f"{target.words}: {title}", target.anchor])
        return [
            f'<blockquote class="algorithm" id="{target.anchor}">\n',
            f"**{target.words}** {title}\N{NO-BREAK SPACE}[¶]({target.address})",
            "",
            *inside,
            "\n</blockquote>",
        ]

    def _exercise(self, label, inside, open_end) -> list[str]:
        target = self.labels[label]
        self.index.append([target.words, target.anchor])
        first = next((k for k, line in enumerate(inside) if line.strip()), None)
        if first is not None:
            inside[first] = f"**{target.words}** {inside[first]}"
        return [f'<div class="exercise" id="{target.anchor}">\n', *inside, "\n</div>"]

    def _solution(self, label, inside, open_end) -> list[str]:
        target = self.labels[label]
        if open_end:  # it goes on in the next cells
            self.solving = label
            return [_opened("solution", f"Solution of {target.words}"), "", *inside]
        return _folded("solution", f"Solution of {target.words}", inside)

    def _note(self, title, inside, open_end) -> list[str]:
        head = [f"**{title}**", ""] if title else []
        return ['<blockquote class="note">\n', *head, *inside, "\n</blockquote>"]

    def _fold(self, title, inside, open_end) -> list[str]:
        return _folded("fold", title, inside)

    def _listing(self, name, inside, open_end) -> list[str]:
        docstring, source = self.listing(name)
        short = name.rpartition(".")[2] if name.startswith("chapters.") else name
        told = _folded("fold", f"What {short} promises", ["```text", docstring, "```"])
        return [*inside, "", "```python", source, "```", "", *told]

    def _bibliography(self, argument, inside, open_end) -> list[str]:
        return [citations.listed()]


def folds_of(inside: Sequence[str]) -> dict[str, list[str]]:
    """What the lines inside a box fold: claims, by the words that stand for them.

    >>> folds_of(["also without replacement: without replacement; angle, trace"])
    {'also without replacement': ['without replacement', 'angle, trace']}
    """
    found = {}
    for line in filter(None, map(str.strip, inside)):
        words, colon, names = line.rpartition(": ")
        if not colon or words in found:
            raise ValueError(f"a box: expected 'words: claim; claim', got {line!r}")
        found[words] = re.split(r";\s*", names)
    return found


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


WRITTEN = {
    "proof": Page._proof,
    "line": Page._step,
    "algorithm": Page._algorithm,
    "exercise": Page._exercise,
    "solution": Page._solution,
    "note": Page._note,
    "fold": Page._fold,
    "listing": Page._listing,
    "bibliography": Page._bibliography,
}
KNOWN = sorted({*WRITTEN, *BOXES, "quiz"})


def caption(page: Page, figure: dict, ran: int) -> str:
    """The cell of words under a figure."""
    page.ran = ran
    target = page.labels[figure["name"]]
    words = page._line(" ".join(str(figure["caption"]).split()))
    page.index.append([target.words, target.anchor])
    return (
        f'<div class="caption" id="{target.anchor}">\n\n'
        f"**{target.words}.** {words}\n\n</div>"
    )


def listed(raw) -> set[str]:
    """The functions that a text lists; they need no fold beside."""
    words = (cell.source for cell in raw.cells if cell.cell_type == "markdown")
    lines = (DIRECTIVE.match(line) for each in words for line in each.split("\n"))
    return {f["argument"].strip() for f in lines if f and f["name"] == "listing"}


def code_of(source: str, name: str, raw, shown: set, listing) -> list[str]:
    """What the functions of the chapter do that a cell calls, each folded, once."""
    rooms = _rooms_of(raw, name)
    told = []
    for node in ast.walk(_parsed(source)):
        found = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if not found or node.value.id not in rooms:
            continue
        path = f"{rooms[node.value.id]}.{node.attr}"
        if path in shown:
            continue
        shown.add(path)
        try:
            docstring, code = listing(path)
        except ValueError:  # a number or a table
            continue
        summary = f"Code of {path.split('.', 2)[2]}"
        lines = _folded("code", summary, ["```python", code, "```"])
        told.append("\n".join(lines))
    return told


def _rooms_of(raw, name) -> dict[str, str]:
    """Modules of the chapter that the text imports: the name there, and the path."""
    rooms = {}
    for cell in raw.cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(_parsed(cell.source)):
            here = isinstance(node, ast.ImportFrom)
            if here and node.module == f"nystheory.chapters.{name}":
                for each in node.names:
                    path = f"chapters.{name}.{each.name}"
                    rooms[each.asname or each.name] = path
    return rooms


def _parsed(source):
    try:
        return ast.parse(source)
    except SyntaxError:  # a magic of IPython
        return ast.parse("")


def is_plumbing(source: str) -> bool:
    """Whether a cell only imports, asserts and shows what came: no code to read."""
    kinds = (ast.Import, ast.ImportFrom, ast.Assert)
    body = _parsed(source).body
    return bool(body) and all(
        isinstance(statement, kinds) or SHOWS.fullmatch(ast.unparse(statement))
        for statement in body
    )


def path_and_further(sources) -> tuple[str, str]:
    r"""The words of a page that are its path, and those for who wants more.

    Further are the section of that name and the exercises that do not warm up.

    >>> path_and_further(["# A\n\nb", "## Further\n\nc", "## Sources\n\nd"])
    ('# A\n\nb\n\n## Sources\n\nd', '## Further\n\nc\n\n')
    """
    text, later = "\n\n".join(sources), []

    def moved(found):
        later.append(found[0])
        return ""

    def if_hard(found):
        return found[0] if "(warm-up)" in found[0] else moved(found)

    text = FURTHER.sub(moved, text)
    return EXERCISE.sub(if_hard, text), "\n\n".join(later)


def minutes(sources) -> float:
    r"""How long the words of a page take to read, as they are when all folds are shut.

    >>> minutes(["word " * 130, "$$\nx\n$$", "<details>word</details>"])
    1.25
    """
    text, count = "\n".join(sources), 1
    while count:  # from the inside out
        text, count = FOLDED.subn("", text)
    text = re.sub(r"(?m)^```.*?^```$", "", text, flags=re.DOTALL)
    exercises, quizzed = (text.count(f'<div class="{x}"') for x in ("exercise", "quiz"))
    text, formulas = re.subn(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>|\]\([^)]*\)", "", re.sub(r"\$[^$]*\$", "formula", text))
    words = len(re.findall(r"[A-Za-z]{2,}", text))
    return (
        words / WORDS_A_MINUTE
        + (formulas + quizzed) * FORMULA_MINUTES
        + exercises * EXERCISE_MINUTES
    )


def runs(sources) -> dict[str, str]:
    """What of the run stands in each box of a notebook, by its anchor."""
    box = re.compile(
        rf'<blockquote class="statement" id="([^"]+)">.*?{RUN}(.*?){END_OF_RUN}', re.S
    )
    return {
        anchor: told.strip() for each in sources for anchor, told in box.findall(each)
    }


def without_run(source: str) -> str:
    """A cell of words without what may differ between machines."""
    return re.sub(f"{RUN}.*?{END_OF_RUN}", "", source, flags=re.DOTALL)


def _closing(lines, at, fence) -> int:
    """The line that closes a directive; the number of lines if none does."""
    for k in range(at + 1, len(lines)):
        if lines[k].strip() == fence:
            return k
    return len(lines)


def _opened(kind, summary) -> str:
    return f'<details class="{kind}"><summary>{html.escape(summary)}</summary>'


def _folded(kind, summary, inside) -> list[str]:
    return [_opened(kind, summary), "", *inside, "", "</details>"]


def _tidy(text: str) -> str:
    """No folds around nothing, and one blank line at a time."""
    text = re.sub(r"<details [^>]*><summary>[^<]*</summary>\s*</details>", "", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")
