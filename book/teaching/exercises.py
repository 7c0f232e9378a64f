"""The exercises of a chapter: points, minutes, and a rubric for each proof."""

import re
from dataclasses import dataclass

import copies

# Points and minutes in class by kind; an exercise of two kinds has both. They were
# chosen, not measured: change them here.
POINTS = {"warm-up": 2, "computer": 4, "break this bound": 4, "paper": 4}
MINUTES = {"warm-up": 3, "computer": 20, "break this bound": 25, "paper": 25}
DISPLAY = re.compile(r"\$\$\s*(.*?)\s*\$\$", re.S)
# What ends a sentence before the next one begins; formulas have no such place.
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z*(\x00])")


@dataclass(frozen=True)
class Exercise:
    """One exercise, and who grades what of it.

    Attributes
    ----------
    name, words : str
        ``Exercise 3.5``, and what it asks.
    kinds : tuple of str
        Of `POINTS`.
    solution : str
        Its words, in Markdown.
    parts : list of copies.Part
        The code.
    points : tuple of int
        For each part that a cell grades.
    by_a_person : int
        Points for what a person reads.
    """

    name: str
    words: str
    kinds: tuple
    solution: str
    parts: list
    points: tuple
    by_a_person: int

    @property
    def graded(self):
        """The parts that a cell grades."""
        return [part for part in self.parts if part.graded]

    @property
    def all_points(self):
        return sum(self.points) + self.by_a_person

    @property
    def minutes(self):
        return sum(MINUTES[kind] for kind in self.kinds)


def exercises(notebook):
    """The exercises of a notebook of the book, in their order."""
    said = solutions(notebook)
    return [_exercise(parts, said) for parts in copies.parts(notebook)]


def _exercise(parts, said):
    name, words = parts[0].exercise, parts[0].words
    named = " and ".join(copies.KIND.findall(words)).split(" and ")
    kinds = tuple(dict.fromkeys(kind for kind in named if kind in POINTS))
    graded = sum(bool(part.graded) for part in parts)
    person = copies.by_a_person(parts)
    machine = [kind for kind in kinds if kind != "paper"] if graded else []
    points = sum(POINTS[kind] for kind in machine)
    left = [kind for kind in kinds if kind not in machine] if person else []
    return Exercise(
        name,
        words.removeprefix(f"**{name}**").strip(),
        kinds,
        said.get(name, ""),
        parts,
        shared(points, graded),
        sum(POINTS[kind] for kind in left),
    )


def shared(points, count):
    """Points as whole numbers, the last part has what is left.

    >>> shared(5, 2), shared(4, 0)
    ((2, 3), ())
    """
    if not count:
        return ()
    each = points // count
    return (*[each] * (count - 1), points - each * (count - 1))


def solutions(notebook):
    """The words of the solution of each exercise, by its name."""
    found, name = {}, ""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        at = 0
        for solution in [*copies.SOLUTION.finditer(cell.source), None]:
            before = cell.source[at : solution.start() if solution else None]
            for asked in copies.EXERCISE.finditer(before):
                name = asked[1]
            if solution:
                found.setdefault(name, []).append(solution[2].strip())
                at = solution.end()
    return {name: "\n\n".join(filter(None, some)) for name, some in found.items()}


def steps(solution):
    r"""The steps of a solution, a sentence each, with the formula that it leads to.

    >>> steps("Let $a = 1. B$. Then\n\n$$\na + 1 = 2 .\n$$\n\nSo it is two.")
    ['Let $a = 1. B$.', 'Then $a + 1 = 2$.', 'So it is two.']
    """
    text = re.sub(r"^```.*?^```$|<[^>]*>", "", solution, flags=re.M | re.S)
    formulas = []

    def kept(found):
        formulas.append(" ".join(found[0].split()))
        return f"\x00{len(formulas) - 1}\x00"

    def in_a_line(found):  # a point that ends a display ends the sentence
        formula = found[1]
        return f"${formula.rstrip('. ')}${'.' * formula.endswith('.')}"

    text = DISPLAY.sub(in_a_line, text)
    text = " ".join(re.sub(r"\$[^$]*\$", kept, text).split())
    return [
        re.sub(r"\x00(\d+)\x00", lambda x: formulas[int(x[1])], sentence)
        for sentence in END.split(text)
        if sentence
    ]


def rubric(chapter, notebook):
    """A page with a table for each proof: one line a step, with its points."""
    told = [
        f"# {chapter}: rubric",
        "An answer may take another way: then give each step of its own the points of "
        "the step that it stands for.\n"
        "A step counts when it is said and its reason is right; strike a line that "
        "only comments, and share its points.\nRound the sum to a half.",
    ]
    for each in exercises(notebook):
        if each.by_a_person:
            told += _of(each)
    return "\n\n".join(told) + "\n" if len(told) > 2 else ""


def _of(exercise):
    lines = steps(exercise.solution)
    worth = exercise.by_a_person / max(len(lines), 1)
    table = ["| | step | points |", "|---|---|---:|"]
    table += [
        f"| ☐ | {escaped(copies.linked_words(line))} | {worth:.2f} |" for line in lines
    ]
    return [
        f"## {exercise.name}: {exercise.by_a_person} points",
        copies.linked_words(exercise.words),
        "\n".join(table),
    ]


def escaped(line):
    """A step as a cell of a table: a bar is written as LaTeX and Markdown want it."""
    return line.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
