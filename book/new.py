"""Begin a theorem or a chapter: the files that it is made of, ready to be changed.

    python book/new.py chapter NAME "Its title" --part III
    python book/new.py theorem CHAPTER NAME

A theorem gets its module, its box in the text and its row in the register; a chapter
its folder, its text and its line in the table of contents, where the next part begins
with it if there is none of that number. Nothing else knows of them:
what stands in a folder is found. What is made runs, says that it is a draft, and is
yours to rewrite; ``python book/make_notebooks.py CHAPTER`` makes the notebook, and
gives each theorem its number.
"""

import argparse
import csv
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

THEOREM = '''"""DRAFT: the errors of one approximation in two norms."""

from nystheory.engine import Control, Instance, Theorem

# Two points at a right angle and one landmark: what is missed has rank one.
two_points = Instance.exactly([0], 1, points=[[1, 0], [0, 1]])

{constant} = Theorem(
    id="{id}",
    title="DRAFT: norms of the error",
    number="this book",
    kind="inequality",
    status="new",
    setting="Let $K$ be positive semidefinite and $S$ any landmarks.",
    claims={{"Frobenius": "error_F <= error_trace"}},
    controls={{
        "nine tenths": Control("Frobenius", two_points, {{"<= e": "<= 0.9 * e"}})
    }},
)
'''

BOX = """:::{{theorem}} {id}
:::

:::{{proof}}

The error is symmetric, and both norms are norms of its eigenvalues.
The Frobenius norm is the root of the sum of their squares.
The trace norm is the sum of their moduli.
The square of the sum holds all squares, and products that are not negative besides.
So the first is at most the second.

:::

```{{code-cell}}
verified("{id}")
```

"""

CHAPTER = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# {title}

DRAFT: two to five sentences, and the question of the chapter.

```{{code-cell}}
import numpy as np

from nystheory import kernels, style, verified
```

```{{code-cell}}
---
mystnb:
  figure:
    caption: DRAFT. The largest of {{{{ len(spectrum) }}}} eigenvalues is
      {{{{ spectrum.max():.1f }}}}.
    name: fig-{anchor}
  image:
    alt: DRAFT. A falling curve, of {{{{ len(spectrum) }}}} eigenvalues from
      {{{{ spectrum.max():.1f }}}} on.
---
K = kernels.rbf(np.random.default_rng(0).standard_normal((20, 2)))
spectrum = np.linalg.eigvalsh(K.dense())[::-1]
figure, (axes,) = style.panels()
axes.plot(spectrum)
axes.set(xlabel="index", ylabel="eigenvalue")
figure
```

After this chapter you can DRAFT.

You need DRAFT of {{ref}}`kernel_matrices`.

## What can go wrong

## Exercises

{exercises}## Sources
"""

EXERCISE = """:::{{exercise}} ex-{anchor}-{number}
({kind}) DRAFT: what is the largest eigenvalue?
:::

:::{{solution}} ex-{anchor}-{number}
DRAFT: it is at most the trace, with equality for a matrix of rank one.

```{{code-cell}}
largest = spectrum[0]
assert np.isclose(largest, np.linalg.norm(K.dense(), 2)), "the norm of K"
```

:::

"""
KINDS = ("warm-up", "warm-up", "paper", "computer", "break this bound")
NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def theorem(chapter: str, name: str, root: Path = ROOT) -> list[Path]:
    """Begin a theorem; return the files that were made or changed.

    Raises
    ------
    ValueError
        If the chapter does not exist, or the theorem does.
    """
    folder, text = _places(_name(chapter, "chapter"), root)
    if not folder.is_dir() or not text.is_file():
        raise ValueError(f"chapter: expected a folder and a text, got {chapter!r}")
    module = folder / "theorems" / f"{_name(name)}.py"
    if module.exists():
        raise ValueError(f"name: {module.relative_to(root)} exists already")
    part = _part(chapter, root)
    id = f"book:{name.replace('_', '-')}"
    register = root / "nystheory" / "chapters" / "register.csv"
    if any(line.startswith(f"{id},") for line in register.read_text().splitlines()):
        raise ValueError(f"name: the register has {id} already")
    module.parent.mkdir(exist_ok=True)
    init = module.parent / "__init__.py"
    if not init.exists():
        init.write_text('"""What the chapter states: a subject, a module."""\n')
    module.write_text(THEOREM.format(id=id, constant=name.upper()), "utf-8")
    _into_text(text, BOX.format(id=id))
    _into_register(register, id, part, _ids(text))
    return [module, text, register]


def chapter(name: str, title: str, part: str, root: Path = ROOT) -> list[Path]:
    """Begin a chapter at the end of a part, or the next part; return the files.

    Raises
    ------
    ValueError
        If it exists, or the part is neither one of the book nor the next.
    """
    folder, text = _places(_name(name), root)
    if not title.strip() or set(title) & set('"\\\n'):
        raise ValueError(f"title: expected words in one line, no quotes, got {title!r}")
    if folder.exists() or text.exists():
        raise ValueError(f"name: the chapter {name!r} exists already")
    toc = root / "_toc.yml"
    told = _with_part(toc.read_text("utf-8"), part)
    line = f"      - file: book/notebooks/{name}\n"
    pattern = rf'(  - caption: "Part {part}:[^\n]*\n(?:    [^\n]*\n)*)'
    toc.write_text(re.sub(pattern, rf"\g<1>{line}", told), "utf-8")
    folder.mkdir()
    (folder / "__init__.py").write_text(f'"""The chapter *{title}*."""\n', "utf-8")
    anchor = name.replace("_", "-")
    exercises = "".join(
        EXERCISE.format(anchor=anchor, number=number, kind=kind)
        for number, kind in enumerate(KINDS, 1)
    )
    page = CHAPTER.format(title=title, anchor=anchor, exercises=exercises)
    text.write_text(page, "utf-8")
    return [folder, text, toc]


def _with_part(toc: str, part: str) -> str:
    """The table of contents with this part, after the last one if it is the next."""
    parts = list(re.finditer(r'  - caption: "Part (\w+):[^\n]*\n(?:    .*\n)*', toc))
    if part in (found[1] for found in parts):
        return toc
    following = NUMERALS[len(parts)]
    if part != following:
        raise ValueError(
            f"part: expected a part of _toc.yml, or {following}, the next, got {part!r}"
        )
    head = f'  - caption: "Part {part}: DRAFT"\n    numbered: true\n    chapters:\n'
    at = parts[-1].end()
    return toc[:at] + head + toc[at:]


def _name(name: str, argument: str = "name") -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(
            f"{argument}: expected small letters, digits and _, and no keyword of "
            f"Python, got {name!r}"
        )
    return name


def _places(chapter: str, root: Path) -> tuple[Path, Path]:
    """Folder and text of a chapter."""
    folder = root / "nystheory" / "chapters" / chapter
    return folder, root / "book" / "md" / f"{chapter}.md"


def _part(chapter: str, root: Path) -> str:
    """The part of the table of contents in which a chapter stands."""
    part = ""
    for line in (root / "_toc.yml").read_text("utf-8").splitlines():
        found = re.search(r'caption: "Part (\w+):', line)
        part = found[1] if found else part
        if line.endswith(f"/{chapter}"):
            return part
    raise ValueError(f"chapter: {chapter!r} is not in _toc.yml")


def _ids(text: Path) -> list[str]:
    """The ids of the boxes of a text, in their order."""
    box = re.compile(r"^:{3,}\{\w+\} (\w+:[\w.-]+)$", re.MULTILINE)
    return box.findall(text.read_text("utf-8"))


def _into_text(path: Path, box: str) -> None:
    """The box comes before what ends a chapter."""
    text = path.read_text("utf-8")
    end = re.search(r"^## (What can go wrong|Exercises|Sources)", text, re.MULTILINE)
    at = end.start() if end else len(text)
    path.write_text(text[:at] + box + text[at:], "utf-8")


def _into_register(path: Path, id: str, part: str, ids: list[str]) -> None:
    """The row comes after that of the box before it, or before that of the next."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    places = {row[0]: place for place, row in enumerate(rows)}
    at = ids.index(id)
    before = [places[x] + 1 for x in ids[:at] if x in places]
    after = [places[x] for x in ids[at + 1 :] if x in places]
    # make_notebooks gives it its number in the book.
    row = [id, part, "inequality", "new", "DRAFT", ""]
    rows.insert([*before[-1:], *after, len(rows)][0], row)
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def main(arguments=None) -> int:
    """Make what is asked for; 2 when it cannot be made."""
    parser = argparse.ArgumentParser(prog="book/new.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(required=True, metavar="what")
    one = commands.add_parser("theorem", help="module, box and row")
    one.add_argument("chapter")
    one.add_argument("name")
    one.set_defaults(make=lambda o: theorem(o.chapter, o.name))
    other = commands.add_parser("chapter", help="folder, text and table of contents")
    other.add_argument("name")
    other.add_argument("title")
    other.add_argument("--part", required=True, help="I, II, ...")
    other.set_defaults(make=lambda o: chapter(o.name, o.title, o.part))
    options = parser.parse_args(arguments)
    try:
        for path in options.make(options):
            print(path.relative_to(ROOT))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
