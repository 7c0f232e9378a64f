r"""What a caption says of a place is said of the panel that stands there.

"Left, eigenvalues of K. Right, the distance": titles, words at axes and names of curves
of the one panel, and not of the other, are words of its part of the text. So left and
right may not be exchanged. Parts without such a word are `SHOWN` or stand in `OPEN`.
"""

import re

import pytest
from figures_of_texts import figures

FIGURES = figures()
PLACE = re.compile(
    r"(?<![\w{-])(?<!to the )(?<!from the )(?<!at the )(?<!than the )"
    r"(?:(?:and )?(?:on|in) the )?"
    r"(left|middle|right)(?: panel)?(?![\w-])(?! (?:side|end|of|eigen\w*|sing\w*"
    r"|balls?|corners?|angles?|block|one)\b)",
    re.I,
)
COUNTED = re.compile(
    r"\{\{ ?[^{}]*?(\w+)(?:\[[^\]]*\])*\[([01])\][^{}]*\}\}"
)
ASKED = re.compile(r"\b(?:place|side|trend|pace)\([^)]*?, (\d)\b")
KNOWN = set(
    "with from over that this their each which both than left right and the for one "
    "mean".split()
)


def stems(words):
    """Beginnings of the words and symbols of a text."""
    plain = re.sub(r"\\[a-z]+", " ", words.replace("-", " "))
    found = {x.lower()[:5] for x in re.findall(r"[A-Za-zäöü]{3,}", plain)}
    return {x for x in found if x not in {k[:5] for k in KNOWN}}


def parts(text, count):
    """What is said of each panel, by its place: words behind it, or before it."""
    said, last = {}, 0
    marks = [x for x in PLACE.finditer(text) if count > 2 or x[1].lower() != "middle"]
    for k, mark in enumerate(marks):
        at = {"left": 0, "middle": 1, "right": count - 1}[mark[1].lower()]
        before, after = text[last : mark.start()], text[mark.end() :]
        begins = not before.strip() or re.search(r"[.;:,(] ?$", before)
        opens = not before.strip() or re.search(r"[.;] ?$", before)
        if begins and (opens or not re.match(r"[,;.):]", after)):
            end = marks[k + 1].start() if k + 1 < len(marks) else len(text)
            said[at] = f"{said.get(at, '')} {text[mark.end() : end]}"
            last = end
        else:
            clause = re.split(r"(?<=[.;]) ", before)[-1]
            said[at] = f"{said.get(at, '')} {clause}"
            last = mark.end()
    return said


def of_panels(figure):
    """The words that stand in one panel alone, or at one of its artists."""
    drawn = [{x.split(" | ")[0] for x in each["drawn"]} for each in figure.panels]
    every = set().union(*drawn)
    own = [
        stems(" ".join({*panel["words"]} - every | names))
        for panel, names in zip(figure.panels, drawn, strict=True)
    ]
    return [each - set().union(*own[:k], *own[k + 1 :]) for k, each in enumerate(own)]


def places(text):
    """The words of a text, and the keys of what the run says, ``of["uniform"]``."""
    return stems(re.sub(r"\{\{ ?(.*?)(?::[^:\"}]*)?\}\}", r" \1 ", text))


def numbered(said):
    """Names that the run counts from 0, ``passes[0]``, by the panel that has them."""
    found = {k: {*COUNTED.findall(text)} for k, text in said.items()}
    panels = [(k, int(i)) for k, x in said.items() for i in ASKED.findall(x)]
    straight = sum(k == i for k, i in panels)
    crossed = len(panels) - straight
    for k, names in found.items():
        for name, at in names:
            others = {i for x, each in found.items() if x != k for y, i in each
                      if y == name}
            if others and at not in others:
                straight += int(at) == k
                crossed += int(at) != k
    return straight, crossed


def weigh(figure, text):
    """How many words fit as they stand, and with the first and last exchanged."""
    count = len(figure.panels)
    if count not in (2, 3):
        return 0, 0
    own, said = of_panels(figure), parts(text, count)
    straight = sum(len(places(x) & own[k]) for k, x in said.items())
    crossed = sum(len(places(x) & own[count - 1 - k]) for k, x in said.items())
    if straight == crossed and count == 2:
        return numbered(said)
    return straight, crossed


# ---- As they stand, and exchanged

TEXTS = [(name, k) for name in FIGURES for k in (0, 1)]
# Parts whose words are those of both panels: a phrase with its place, and what of that
# panel, and of no other, has the pattern.
SHOWN = {
    ("fig-filled", 1): {
        "Left, {{ len(S) }} coloured columns": r"of \d+ columns",
        "Middle, the whole square": "filled",
        "Right, the sizes of the errors": "missed",
    },
    ("fig-clumps", 1): {
        "On the left rings are spread over both moons": "uniform",
        "on the right most of them crowd": "criterion-driven",
    },
    ("fig-coherence-of-data", 0): {
        "Left, coherence of six matrices of rank 50 in both ways": "its largest value",
        "Right, coherence mu of random principal": r"points \$n\$",
    },
    ("fig-ellipses", 1): {
        "Left, five points each": "^5 of",
        "Middle, twenty points each": "^20 of",
        "Right, fifty points each": "^50 of",
    },
    ("fig-on-data", 1): {"Curves fall on the left": "^digits"},
    ("fig-worst-case", 0): {
        "Left, against the columns": r"columns \$l\$",
        "Right, for 1000 columns, against that probability": "probability of failure",
    },
    ("fig-fast-and-slow-rates", 0): {
        "Left, the exponent of the bound on the excess risk": "exponent of the rate",
        "Right, that of the number of columns": "exponent of the columns",
    },
    ("fig-fast-and-slow-rates", 1): {
        "Left, a level line at 0.5": "is level",
        "Right, four curves that start at 0": r"slow, \(32\) \| grey : \| rises",
    },
    ("fig-fewer-columns", 1): {
        'by a factor of {{ share["half", "few", "p = 1/2"]:.1f }} at the end on the '
        "left": "p = 1/2",
        'and {{ share["half", "few", "p = 1/4"]:.1f }} on the right': "p = 1/4",
    },
    ("fig-spectra", 1): {
        "Left, on logarithmic axes, the eigenvalues": r"\\sigma_j / \\sigma_1",
        "Right, the cumulative shares": "share of the trace",
    },
    ("fig-certain-labels", 1): {
        "On the left a wide grey band": "^after 10 passes",
        "On the right the band is narrow": "^after 100 passes",
    },
    ("fig-bridges", 0): {
        "Left: how well the first coordinate follows": "correlation along the strip",
    },
    ("fig-centred", 1): {"Right, a thin parabola": "singly centred"},
    ("fig-one-row", 0): {
        "On the left Column-sampling is closer": "matrix projection",
        "on the right Nyström, which is exact": "spectral reconstruction",
    },
    ("fig-rank-and-size", 0): {
        "Left, Nyström minus Column-sampling reconstruction": "difference",
        "Right, the percentage of columns that Nyström needs": "needed",
    },
    ("fig-vector-moves", 1): {
        "On the left the sharper bound is {{ over(machine": "cell samples",
    },
    ("fig-two-machines", 0): {
        "on the left gamma is one over their number": "^(?!.*narrow)",
        "on the right 20 times that": "narrow",
    },
    ("fig-line", 1): {
        "Left a wave through a cloud": r"\| mean \|",
        "Right two curves near zero": r"\| variance \|",
    },
    ("fig-vectors", 1): {
        'Left: linear digits {{ listed("linear digits", "nystrom"': "^Nyström",
        'Right: linear digits {{ listed("linear digits", "straight"': "orthonormalised",
    },
    ("fig-inner-products", 0): {
        "Orthonormal vectors give the picture on the right": "Column-sampling",
    },
    ("fig-binning-on-data", 1): {
        "Left: on each row uniform columns have the smallest error": "Frobenius",
        "Right: binning and columns lie left of the line": "missed",
    },
}
# Here left and middle are places in a panel.
OPEN = {("fig-borders-of-few-columns", 1)}


def at(phrase, count):
    """Of which panel a phrase speaks."""
    places = [x[1].lower() for x in PLACE.finditer(phrase)]
    return {"left": 0, "middle": 1, "right": count - 1}[places[0]]


def told(panel):
    """Title, words and artists of a panel."""
    return " | ".join((panel["title"], *panel["words"], *panel["drawn"]))


def misplaced(name, k, text):
    """Phrases that are not there, or whose panel has not what the others lack."""
    panels = FIGURES[name].panels
    found = []
    for phrase, pattern in SHOWN[name, k].items():
        have = [i for i, x in enumerate(panels) if re.search(pattern, told(x))]
        if phrase not in text or have != [at(phrase, len(panels))]:
            found.append((phrase, have))
    return found


TWICE = re.compile(r"(?:^|[.;] )(left|right)[,:] .*[.;] \1[,:] ", re.I)


def has_places(name, k):
    figure = FIGURES[name]
    count = len(figure.panels)
    return count in (2, 3) and bool(parts(figure.texts[k], count))


def wrong(name, k, text):
    """What speaks of the other panel."""
    if (name, k) in SHOWN:
        return misplaced(name, k, text)
    if TWICE.search(text):
        return ["one side twice"]
    straight, crossed = weigh(FIGURES[name], text)
    return [] if straight > crossed else [(straight, crossed)]


PLACED = [x for x in TEXTS if has_places(*x) and x not in OPEN]


@pytest.mark.parametrize(("name", "k"), PLACED)
def test_each_side_is_said_of_its_panel(name, k):
    """Else enter phrases in SHOWN with what their panels alone have."""
    assert wrong(name, k, FIGURES[name].texts[k]) == []


def exchanged(text):
    """Left and right, the other way round."""
    def other(found):
        word = {"left": "right", "right": "left"}.get(found[0].lower(), found[0])
        return word.capitalize() if found[0][0].isupper() else word

    return re.sub(r"\b(left|right)\b(?! of)", other, text, flags=re.I)


@pytest.mark.parametrize(("name", "k"), PLACED)
def test_exchanged_sides_are_seen(name, k):
    assert wrong(name, k, exchanged(FIGURES[name].texts[k]))


def test_few_are_open():
    assert all(has_places(*x) for x in OPEN) and len(PLACED) > 90


# ---- Rows, corners and orders

# In words of captions; the numbers are those of the panels, from the upper left.
CORNERS = {
    ("fig-which-columns", 0): {"Above, data with rare parts": (0, 1, "uneven|rare")},
    ("fig-which-columns", 1): {
        "Above, on the circle with uneven points": (0, 1, "uneven|rare"),
        "Below, on the robot arm and the cell samples": (2, 3, "arm|cell"),
    },
    ("fig-three-kernels", 1): {
        "spectral norm above": (0, 0, "spectral error"),
        "Frobenius norm below": (3, 3, "Frobenius error"),
    },
    ("fig-leverage-or-uniform", 0): {
        "On the tight groups, in the lower right panel": (3, 3, "tight"),
    },
    ("fig-newton-columns", 0): {
        "Top left the test labels": (0, 0, "kernel|learned"),
        "below the steps and the operations": (2, 3, r"\| steps \||operations,"),
    },
    ("fig-crossed-experts", 1): {
        "The first expert has the upper block": (1, 1, "first"),
    },
}


@pytest.mark.parametrize(("name", "k"), CORNERS)
def test_what_stands_in_a_corner_is_said_of_it(name, k):
    figure = FIGURES[name]
    for phrase, (first, last, pattern) in CORNERS[name, k].items():
        assert phrase in figure.texts[k], "enter the new words"
        have = {i for i, x in enumerate(figure.panels) if re.search(pattern, told(x))}
        assert have == {*range(first, last + 1)}, phrase


# Marks at an axis, from the top of a picture or from its left, as the caption has them.
ORDERS = {
    ("fig-columns-asked", 0): (
        "The first row is the best possible, the second is observed on five samples, "
        "the third is computed from the sampled columns and the diagonal, the last two "
        "are theorems",
        ["best of that rank", "observed", "trace certificate", "proved", "printed"],
    ),
    ("fig-centred", 0): (
        "with C centred on both sides and on one",
        ["Column-sampling", "singly centred"],
    ),
    ("fig-crossed-experts", 1): (
        "The first expert has the upper block only and the second the lower one",
        ["first expert", "second expert", "their mean"],
    ),
    ("fig-three-kernels", 1): (
        "spectral norm above and Frobenius norm below, for patches, digits and "
        "documents",
        ["patches", "digits", "documents"],
    ),
    ("fig-best-ranks", 0): (
        "its best approximations of rank 1, 10 and 50",
        ["rank 1:", "rank 10:", "rank 50:"],
    ),
    ("fig-ellipses", 0): (
        "of 5, 20 and 50 points",
        ["5 of 60", "20 of 60", "50 of 60"],
    ),
    ("fig-chain", 1): (
        "On top the trace, from",
        ["trace", "Frobenius norm", "spectral norm", "largest entry"],
    ),
    ("fig-which-loss", 1): (
        "A square with r to the right and gamma upwards",
        ["exponent $r$ of the approximation error", r"noise exponent $\gamma$"],
    ),
    ("fig-criterion-moves", 1): ("Two panels, moons and waves", ["moons", "waves"]),
    ("fig-validation-size", 1): (
        "Two panels, digits with a linear and a Gaussian kernel",
        ["digits, linear", "digits, RBF"],
    ),
    ("fig-inverses", 0): (
        "for digits and for points in a square",
        ["digits", "points in a square"],
    ),
    ("fig-kinds-on-data", 1): (
        "from a Swiss roll to two balls",
        ["Swiss roll", "two balls"],
    ),
    ("fig-slopes", 1): (
        "less steep than it in the third, for exponential decay",
        ["p = 1/2", "p = 1/4", "exponential decay"],
    ),
}


# Marks that a reading has from the bottom to the top.
UPWARDS = {"fig-columns-asked"}


def order(figure, names):
    """Names in the order of titles, or of the marks at an axis from the top."""
    titles = [x for panel in figure.panels for x in names if x in panel["title"]]
    return titles or [x for x in figure.panels[0]["words"] if x in names]


@pytest.mark.parametrize(("name", "k"), ORDERS)
def test_what_comes_first_comes_first(name, k):
    phrase, names = ORDERS[name, k]
    figure = FIGURES[name]
    assert phrase in figure.texts[k], "enter the new words"
    assert order(figure, names) == (names[::-1] if name in UPWARDS else names)


# ---- Bands and dotted lines

BAND = re.compile(r"\b(one|two|three) standard\s+(?:deviations?|errors?)", re.I)
TIMES = {"one": 1, "two": 2, "three": 3}
SPREAD = re.compile(
    r"[-+] (?:(\d) \* )?(?:spread|deviation)\b|(\d)00 \* curves\.spread"
)


def bands(figure):
    """How many deviations a text says and how many the code draws."""
    for text in figure.texts:
        for found in BAND.finditer(text):
            drawn = {int(x[1] or x[2] or 1) for x in SPREAD.finditer(figure.code)}
            yield TIMES[found[1].lower()], drawn


@pytest.mark.parametrize("name", FIGURES)
def test_a_band_is_as_wide_as_it_is_said(name):
    assert all({said} == drawn for said, drawn in bands(FIGURES[name]))


def test_such_bands_are_there():
    assert sum(bool([*bands(x)]) for x in FIGURES.values()) >= 3


# What dotted lines are, where the caption has no verb: a name of theirs, and the look.
LOOKS = {
    ("fig-nodes", 0): {
        "Dots are eigenvectors": ("eigenvectors", " o"),
        "lines their extension by the kernel, dotted": ("first", " -"),
        "dotted lines the functions themselves": ("exact", " :"),
    },
}


@pytest.mark.parametrize(("name", "k"), LOOKS)
def test_a_look_is_that_of_its_name(name, k):
    figure = FIGURES[name]
    for phrase, (label, look) in LOOKS[name, k].items():
        assert phrase in figure.texts[k], "enter the new words"
        drawn = [x for panel in figure.drawn for x in panel if x[0] == label]
        assert drawn and all(x[1].endswith(look) for x in drawn)
