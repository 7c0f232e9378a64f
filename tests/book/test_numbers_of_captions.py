"""A number that a caption or an alternative text types is one of the figure's code.

Of six or more: below it, digits are counts of panels and of curves.  A percentage may
stand in the code as a share.  What the run says is no matter of this check.
"""

import re

import pytest
from figures_of_texts import figures
from test_words_of_figures import counts_of_curves

from nystheory.chapters.kernel_matrices.experiments import TASKS

FIGURES = figures()
LEAST = 6
WORDS = "six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
COUNTED = {word: k for k, word in enumerate(WORDS.split(), LEAST)}
COUNTED |= {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
OTHERS = re.compile(
    r"\{\{.*?\}\}|\$[^$]*\$|\{[\w:]+\}`[^`]*`|\[[^\]]*\]\([^)]*\)"
    r"|(?:figures?|sections?|table|equation|theorem) \(?[\d.]+\)?|\b95 percent \w+s\b",
    re.I,
)
NUMBER = re.compile(rf"(?<![\w.^-])(\d[\d,]*\.?\d*)(?![\w^])|\b({'|'.join(COUNTED)})\b")
# What follows from the numbers of the code, or is counted in the picture.
FOLLOWS = {
    ("fig-picks", 6),
    ("fig-clumps", 40),
    ("fig-eight-criteria", 7),
    ("fig-two-orders", 10),
    ("fig-same-spectrum", 8),
    ("fig-same-spectrum", 40),
    ("fig-spectra", 90),
    ("fig-stairs", 20),
    ("fig-stairs", 170),
    ("fig-right-angles", 22),
}


def typed(figure):
    """Numbers that the words under a figure and its alternative text type."""
    for found in NUMBER.finditer(OTHERS.sub(" ", figure.typed)):
        number = (found[1] or "").replace(",", "").rstrip(".")
        number = float(number) if number else COUNTED[found[2]]
        if number >= LEAST:
            yield number


def of_code(figure):
    """The numbers in the code of a figure, in its words, and counts of its curves."""
    code = re.sub(r"(?<=\d)[_,](?=\d{3})", "", figure.code)
    told = f"{code} {' '.join((*figure.words, *figure.of))}"
    found = re.findall(r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?(?![\w.])", told)
    counts = {*counts_of_curves(figure), len(figure.panels)}
    return {*map(float, found), *counts}


def foreign(figure, numbers):
    """Those that are not numbers of the figure, nor percentages of them."""
    own = of_code(figure)
    return {(figure.name, x) for x in numbers if not {x, x / 100} & own}


@pytest.mark.parametrize("name", FIGURES)
def test_a_typed_number_of_a_caption_is_one_of_its_code(name):
    figure = FIGURES[name]
    assert foreign(figure, typed(figure)) <= FOLLOWS


def test_exceptions_stand_in_captions_and_are_few():
    every = [(name, x) for name, each in FIGURES.items() for x in typed(each)]
    assert set(every) >= FOLLOWS
    assert len(FOLLOWS) < len(every) / 10


def test_another_number_is_seen():
    """One more, one less, and a digit beside it."""
    seen = []
    for figure in FIGURES.values():
        for number in typed(figure):
            others = [x for x in (number + 1, number - 1, 4 * number) if x >= LEAST]
            seen += [bool(foreign(figure, [x])) for x in others]
    assert sum(seen) > 0.7 * len(seen) > 200, (sum(seen), len(seen))


def test_powers_of_a_cost_are_those_of_its_tasks():
    """The figure continues its lines with them."""
    (said,) = re.findall(
        r"is (\d) for all of \$K\$, (\d) for its eigenvectors and (\d) for \S+ columns",
        FIGURES["fig-cost"].typed,
    )
    assert [*map(int, said)] == [task.exponent for task in TASKS]
