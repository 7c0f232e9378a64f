"""Plans of a course: which chapters fit into one session, four hours, twelve, a term.

The minutes are those of the chapters: of reading, as the head of a page says, and of
the exercises that are done in class. What a plan leaves out of what its chapters need
is told in a sentence.
"""

import re
from dataclasses import dataclass, field

import labels
import make_notebooks
import nbformat
import portable

from teaching.exercises import exercises

NEEDS = re.compile(r"^You need (.*)$", re.M)


@dataclass(frozen=True)
class Plan:
    """One kind of course.

    Attributes
    ----------
    title : str
    sessions, minutes : int
        How many there are, and how long each is.
    chapters : tuple of str
        In the order of the book; None takes every chapter.
    in_class : tuple of str
        The kinds of exercises that are done in a session.
    told : dict of str to str
        Chapters that are left out and needed: what to tell in their place.
    """

    title: str
    sessions: int
    minutes: int
    chapters: tuple | None
    in_class: tuple = ("warm-up",)
    told: dict = field(default_factory=dict)


PLANS = (
    Plan(
        "One session",
        1,
        90,
        ("a_few_columns", "what_to_use", "kernel_matrices"),
    ),
    Plan(
        "Four hours",
        2,
        120,
        (
            *("a_few_columns", "kernel_matrices", "two_ways_to_learn_a_matrix"),
            *("fixed_sampling", "certificates_afterwards"),
        ),
        told={
            "projection_or_reconstruction": "The relative accuracy is the error of the "
            "best approximation of that rank over the error of ours.",
        },
    ),
    Plan(
        "Twelve hours",
        6,
        120,
        (
            *("a_few_columns", "what_to_use", "kernel_matrices"),
            *("two_ways_to_learn_a_matrix", "how_to_read_this_book"),
            *("projection_or_reconstruction", "fixed_sampling", "adaptive_sampling"),
            *("pivots_and_volumes", "certificates_afterwards"),
            *("ridge_and_preconditioning", "solving_with_few_columns"),
            *("kernel_principal_components", "two_kinds_of_features"),
        ),
    ),
    Plan("A term, one lecture a week", 16, 90, None, in_class=()),
)


@dataclass(frozen=True)
class Chapter:
    """What a plan reads of a chapter."""

    name: str
    number: str
    title: str
    minutes: float
    needs: tuple
    words_of_needs: str
    exercises: tuple

    def in_class(self, kinds):
        """Minutes of reading and of the exercises of these kinds."""
        done = [each for each in self.exercises if {*each.kinds} <= {*kinds}]
        return self.minutes + sum(each.minutes for each in done)


def chapter(name, number="", book=make_notebooks.BOOK):
    """Read a chapter from its notebook."""
    path = make_notebooks.notebook_path(name, book)
    notebook = nbformat.read(path, as_version=4)
    words = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    needs = "\n".join(NEEDS.findall("\n".join(words))[:1])
    linked = dict.fromkeys(re.findall(r"\]\((\w+)\.ipynb", needs))
    return Chapter(
        name,
        number,
        words[0].partition("\n")[0].removeprefix("# "),
        portable.minutes(words),
        tuple(linked),
        needs,
        tuple(exercises(notebook)),
    )


def chapters(book=make_notebooks.BOOK):
    """All numbered chapters of the book by name, in its order."""
    numbers = labels.chapters(book)
    return {x: chapter(x, number, book) for x, number in numbers.items() if number}


def needed(name, known):
    """What a chapter needs that comes before it; a later one only reminds."""
    order = [*known]
    return {*known[name].needs} & {*order[: order.index(name)]}


def timetable(plan, known):
    """The chapters of each session: as many as fit, in the order of the book.

    Parameters
    ----------
    plan : Plan
    known : dict of str to Chapter
        All chapters.

    Returns
    -------
    list of lists of Chapter
    """
    found, left = [], 0
    for name in plan.chapters or known:
        minutes = known[name].in_class(plan.in_class)
        if minutes > left:
            found.append([])
            left = plan.minutes
        found[-1].append(known[name])
        left -= minutes
    return found


def complaints(plan, known):
    """What does not fit in a plan, as sentences; none where all does."""
    told, order = [], [*known]
    chosen = list(plan.chapters or known)
    if unknown := [name for name in chosen if name not in known]:
        return [f"{plan.title}: no chapter {name}" for name in unknown]
    if chosen != sorted(chosen, key=order.index):
        told.append(f"{plan.title}: the chapters are not in the order of the book")
    made = timetable(plan, known)
    for session in made:
        minutes = sum(each.in_class(plan.in_class) for each in session)
        if minutes > plan.minutes:
            told.append(f"{plan.title}: {session[0].name} takes {minutes:.0f} minutes")
    if len(made) > plan.sessions:
        told.append(f"{plan.title}: expected {plan.sessions} sessions, got {len(made)}")
    for at, name in enumerate(chosen):
        missing = needed(name, known) - {*chosen[:at]} - {*plan.told}
        told += [f"{plan.title}: {name} needs {each}" for each in sorted(missing)]
    asked = set().union(*(needed(name, known) for name in chosen)) - {*chosen}
    told += [f"{plan.title}: nobody needs {x}" for x in {*plan.told} - asked]
    return told


def page(known):
    """All plans, as a page of Markdown."""
    told = [
        "# Plans",
        "Minutes are those of reading, and of the exercises done in class; what is "
        "left of a session is for questions. Exercises at home come besides: their "
        "minutes are our guess, so try one chapter on your class first.",
    ]
    for plan in PLANS:
        told += _of(plan, timetable(plan, known), known)
    return "\n\n".join(told) + "\n"


def _of(plan, sessions, known):
    kinds = f"with these exercises in class: {', '.join(plan.in_class)}"
    kinds = kinds if plan.in_class else "all exercises at home or in another class"
    rows = ["| session | chapters | minutes | at home |", "|---|---|---:|---:|"]
    for number, session in enumerate(sessions, 1):
        titles = "; ".join(f"{each.number}. {each.title}" for each in session)
        taken = sum(each.in_class(plan.in_class) for each in session)
        read = sum(each.minutes for each in session)
        home = sum(x.minutes for each in session for x in each.exercises)
        home -= taken - read
        told = f"{taken:.0f} of {plan.minutes} | {home:.0f}"
        rows.append(f"| {number} | {titles} | {told} |")
    count = f"{len(sessions)} session{'s' * (len(sessions) > 1)}"
    told = [f"## {plan.title}", f"{count} of {plan.minutes} minutes, {kinds}."]
    told.append("\n".join(rows))
    for name, words in plan.told.items():
        told.append(f"Left out: {known[name].number}. {known[name].title}. {words}")
    return told
