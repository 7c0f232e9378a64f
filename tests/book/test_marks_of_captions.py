"""What a caption says that dots, circles or a dotted line are is what their label says.

"Circles are landmarks": an artist with that look has a name with one of these words,
in the legend or, where no legend shows it, behind an underscore, ``"_landmarks"``. Both
say *not*, or neither does.
"""

import re

import pytest
from figures_of_texts import figures
from test_words_of_figures import COLOURS, DASHES, MARKS

FIGURES = figures()
COLOURED = "|".join((*COLOURS, *DASHES))
LOOK = rf"(?:{COLOURED}) (?:lines?|curves?|dots?)|{'|'.join(MARKS)}"
LOOK += "|circles?|dots?|square|stars?|diamonds?|triangles?"
SAID = re.compile(
    rf"(?:^|[.;,] |\b(?:a|and|the) )(?P<look>{LOOK})(?: \w+){{0,2}}? "
    r"(?:is|are|marks?|means|stands? for|has) (?P<what>[^.;,]*)",
    re.I,
)
SHAPES = MARKS | {"dots": ("o", ".", "dots"), "circles": ("o", "rings", "dots")}
DENIED = re.compile(r"\b(not|no|never|without)\b")
# Where it lies, and how many there are, is said of the same marks.
PLACED = re.compile(
    r"^(?:at|all|ten|\d+|in|on|near|between|slightly|crossed|scattered|shaded)\b"
)


def looks(said, drawn):
    """The names of artists with the look that is said."""
    words = said.lower().split()
    shape = [SHAPES.get(f"{x.rstrip('s')}s", ()) for x in words]
    shape = [mark for marks in shape for mark in marks]
    wanted = [DASHES.get(x, x) for x in words if x in DASHES or x in COLOURS]
    for panel in drawn:
        for name, look, *_ in panel:
            parts = look.split()
            if all(x in parts for x in wanted) and (
                not shape or any(mark in parts for mark in shape)
            ):
                yield name


def content(words):
    """The words and formulas of a name, short: *pairs* and *pair* are one."""
    found = re.findall(r"\$[^$]*\$|[A-Za-z]{3,}", words)
    return {x if x.startswith("$") else x.lower().rstrip("s")[:6] for x in found}


def unlike(caption, drawn):
    """What marks are said to be that no name of theirs says."""
    told = []
    for found in SAID.finditer(caption):
        names = set(looks(found["look"], drawn))
        what = found["what"]
        if not names or PLACED.match(what):
            continue
        said = (content(what), bool(DENIED.search(what)))
        if not any(
            content(name) & said[0] - {"the"} and bool(DENIED.search(name)) == said[1]
            for name in names
        ):
            told.append(f"{found[0]}: {sorted(names)}")
    return told


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_marks_are_what_a_caption_says(name):
    figure = FIGURES[name]
    for said in (figure.caption, figure.alt):
        assert not unlike(said, figure.drawn)


DRAWN = [
    [("landmark", "black rings of 26 corners", "", 1), ("", "blue -", "falls", 1)],
    [("chance not to draw it", "grey --", "falls", 1), ("waves", "purple ^ -", "", 1)],
]


@pytest.mark.parametrize(
    ("caption", "is_seen"),
    [
        ("The score is 1, and circles are support vectors.", True),
        ("The score is 1, and circles are landmarks.", False),
        ("The dashed line is the chance that it is drawn.", True),
        ("The dashed line is the chance that it is not drawn.", False),
        ("Triangles are columns.", True),
        ("The blue line is what all columns miss.", True),
        ("Circles are near the border.", False),
    ],
)
def test_another_meaning_is_seen(caption, is_seen):
    assert bool(unlike(caption, DRAWN)) == is_seen
