"""Captions and alternative texts say what the figure shows.

A page keeps a reading of each figure, made in the run from its artists: the words in
it, its scales, names, looks and ways of its curves, and of what draws they are means.
The words below the figure and its alternative text are held against that: how many
panels and curves, which colours, marks and dashes, logarithmic axes, statistics of
draws; and norms, units, kernels, schemes and data are those that stand in the figure,
in its experiment, or in the code that it is made of.  How curves lie and go is the
run's word, ``{{ side("bound", "exact") }}``, or follows from two numbers beside it.
"""

import ast
import re
from collections import Counter
from dataclasses import replace

import pytest
from figures_of_texts import figures
from make_notebooks import OF_A_FIGURE

from nystheory.engine.findings import registry

FIGURES = figures()
FOUND = registry.discover("nystheory.chapters").values()
KEYS_OF_FINDINGS = {
    name
    for each in FOUND
    for name in (*each.data, *each.competitors, "")
}
NAMES = sorted(FIGURES)
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
NUMBERS = {word: number for number, word in enumerate(WORDS)} | {"both": 2}
COUNT = "|".join(NUMBERS)


# ---- How many

PANELS = re.compile(
    rf"(?<!first )\b({COUNT}) (?:square )?(panels|scatter plots|heat maps|pictures)\b",
    re.I,
)
CURVES = re.compile(
    rf"(?<!of )\b({COUNT}) (?:\w+, )?(?:nearly )?(?:\w+ )?(curves|lines)\b",
    re.I,
)


def wrong_counts(figure):
    """Numbers of panels and of curves in words that are not those of the figure."""
    told = []
    for found in PANELS.finditer(figure.alt):
        if NUMBERS[found[1].lower()] != len(figure.panels):
            told.append(f"{found[0]}: {len(figure.panels)}")
    for found in CURVES.finditer(figure.alt):
        count = NUMBERS[found[1].lower()]
        if found[1].lower() != "both" and count not in counts_of_curves(figure):
            told.append(f"{found[0]}: {counts_of_curves(figure)}")
    return told


def counts_of_curves(figure):
    """All counts of curves that a reader may make: by panel, name, look and way."""
    found = set()
    for panel in figure.drawn:
        curves = [each for each in panel if is_curve(each)]
        named, others = ([x for x in curves if bool(x[0]) == k] for k in (True, False))
        for kept in (curves, named, others):
            found |= {len(kept), sum(x[3] for x in kept)}
            for way in ("falls", "rises", "is level"):
                found |= {sum(x[3] for x in kept if x[2] == way)}
        found |= {each[3] for each in curves}
        for look in {each[:2] for each in curves}:
            found |= {sum(x[3] for x in curves if x[:2] == look)}
        for dash in ("--", ":", "-", "-."):
            found |= {sum(x[3] for x in curves if x[1].split()[-1] == dash)}
    return found


def is_curve(drawn):
    """Whether an artist of several places is joined by a line."""
    return drawn[1].split()[-1] in {"-", "--", ":", "-."} or "bars" in drawn[1]


# ---- How they look

COLOURS = "blue orange green vermilion purple sky grey black white".split()
DASHES = {"dotted": ":", "dashed": "--", "dash-dotted": "-.", "solid": "-"}
MARKS = {
    "circles": ("o", "rings"),
    "squares": ("s",),
    "triangles": ("^", "v"),
    "stars": ("*",),
    "crosses": ("x", "X", "+", "P"),
    "diamonds": ("D", "d"),
    "rings": ("rings", "o"),
}
GREY = re.compile(r"#(..)\1\1|middle grey")
STYLE = "|".join((*COLOURS, *DASHES))
LOOK = re.compile(rf"(?<![\w-])({STYLE})(?:,? ({STYLE}))*(?![\w-]| ground)", re.I)
MARK = re.compile(rf"\b({'|'.join(MARKS)})\b(?! (?:it|the|that|in)\b)", re.I)


def wrong_looks(figure):
    """Colours, dashes and marks of which the figure has no artist."""
    if any("picture" in each for panel in figure.drawn for each in panel):
        return []  # of colours that no name has
    looks = [GREY.sub("grey", x[1]).split() for panel in figure.drawn for x in panel]
    told = []
    for found in LOOK.finditer(figure.said):
        words = re.findall(STYLE, found[0].lower())
        wanted = [DASHES.get(each, each) for each in words]
        if not any(all(x in look for x in wanted) for look in looks):
            told.append(f"{found[0]}: {sorted(set(map(' '.join, looks)))}")
    for found in MARK.finditer(figure.said):
        if not any(x in look for look in looks for x in MARKS[found[1].lower()]):
            told.append(f"{found[0]}: {sorted(set(map(' '.join, looks)))}")
    return told


def wrong_scales(figure):
    """Logarithmic axes that are linear, or none said where there are some."""
    scales = " ".join(each["scales"] for each in figure.panels)
    if re.search(r"logarithmic", figure.alt) and "log" not in scales:
        return ["logarithmic"]
    told = []
    for axis, of in (("horizontal", 0), ("vertical", 1)):
        if re.search(rf"logarithmic {axis} ax|{axis} ax\w+ logarithmic", figure.alt):
            if not any(x["scales"].split()[of] == "log" for x in figure.panels):
                told.append(f"{axis}: {scales}")
    if re.search(r"\blogarithmic axes\b|\baxes logarithmic\b", figure.alt):
        if not any(x["scales"] == "log log" for x in figure.panels):
            told.append(f"logarithmic axes: {scales}")
    return told


# ---- What is drawn

STATISTIC = re.compile(
    r"(?<!draws of )\b(means?|medians?|largest|smallest|least|worst|best)"
    r"(?: ranges?)?(?: (?:of|over))?(?: the| its)? (\d+|ten|five|twelve) "
    r"(?:draws|samples|repeats|runs)",
    re.I,
)
SAME = {"means": "mean", "medians": "median", "least": "smallest", "best": "smallest"}
SAME |= {"worst": "largest"}
CODES = {
    "mean": r"\bmeans?\b|\.mean\(|_mean",
    "median": r"median",
    "largest": r"\.max\(|largest",
    "smallest": r"\.min\(|smallest",
}


def wrong_statistics(figure):
    """What is said to be a mean, a median or an end over draws, and is not."""
    told = []
    known = {each.split(" | ")[0] for each in figure.of}
    for found in STATISTIC.finditer(figure.said):
        word = SAME.get(found[1].lower(), found[1].lower())
        if known and word not in known:
            told.append(f"{found[0]}: {sorted(known)}")
        elif not known and not re.search(CODES[word], figure.code):
            told.append(f"{found[0]}: not in the code")
    return told


# Words of one kind, each with what stands for it in a figure or in code.
KINDS = {
    "norm": {
        r"Frobenius": r"[Ff]robenius|_F\b|'fro'|'F'|linalg\.norm\(",
        r"[Ss]pectral (?!recon)": r"spectral|\|_2|, 2\)|ord=2",
        r"[Nn]uclear": r"nuclear",
        r"trace(?! certificate)": r"trace(?! certificate)|nuclear|tail",
    },
    "kernel": {
        r"Gaussian (?!sketch|process)|RBF": r"Gaussian|RBF|rbf|np\.exp\(|aves|gamma",
        r"[Ll]inear (?=kernel)|kernel is linear": r"linear(?! ?regression)",
        r"[Ll]inear (?=digits|patches|documents|heads)": r"linear",
        r"Laplacian (?!eigenm)": r"Laplacian|laplacian",
        r"[Pp]olynomial": r"polynomial",
    },
    "scheme": {
        r"[Uu]niform (?=columns|sampl|landm|weights)|uniformly":
            r"[Uu]niform|permutation|\.choice\(|'some'|chance|clusters|samples",
        r"k-means": r"k.?means|K\$?-means",
        r"k-DPP": r"k.?DPP|dpp",
        r"RPCholesky|[Rr]andom pivots|randomly pivoted":
            r"RPCholesky|rp_cholesky|random pivots|pivots",
        r"incomplete Cholesky": r"ICL|incomplete",
        r"SGMA": r"SGMA|sgma",
        r"Adapt-Full": r"Adapt-Full|adaptive_full",
        r"Adapt-Part": r"Adapt-Part|adaptive_partial",
        r"[Cc]olumn[- ]norms?": r"column.norm|norm",
        r"[Dd]iagonal sampling": r"diagonal",
        r"[Ff]arthest point": r"farthest",
        r"(?:L|l)everage scores|by leverage": r"leverage|scores",
        r"BLESS": r"BLESS|bless",
        r"recursive": r"recursive",
        r"sketch": r"sketch",
        r"[Cc]riterion-driven": r"criterion.driven",
        r"Column-sampling": r"[Cc]olumn.sampling|'column'|column",
        r"Nyström": r"[Nn]ystr[öo]m|uniform|landmarks",
        r"[Ff]ourier": r"[Ff]ourier|waves",
        r"quasi-Monte Carlo": r"quasi",
        r"orthogonal (?!proj)": r"orthogonal",
        r"[Bb]inning": r"binning|grids",
        r"Pegasos": r"[Pp]egasos",
        r"(with|without) replacement": r"replace|uniform|sampl|rng\.choice",
    },
    "data": {
        r"[Dd]igits(?! right)|threes and eights": r"digit",
        r"[Pp]atches": r"patch",
        r"[Dd]ocuments": r"document",
        r"[Hh]eads": r"head|pipeline|million",
        r"[Mm]oons": r"moon",
        r"[Pp]atients": r"patient|diabetes",
        r"robot arm": r"robot|arm",
        r"[Cc]ells?(?= samples|\b)": r"cell",
        r"Swiss roll": r"[Ss]wiss|roll",
        r"[Tt]wo balls": r"balls",
        r"faces": r"face",
        r"[Cc]rowd\b(?! at)": r"crowd",
    },
    "loss": {
        r"hinge": r"hinge|machine|svm|SVM|support",
        r"square loss": r"square|ridge",
        r"[Ll]ogistic": r"[Ll]ogistic|newton|Newton",
    },
}


def foreign_words(figure):
    """Norms, kernels, schemes and data that neither the figure nor its code has.

    Where axes or titles name a norm, the first that the caption names is one of them.
    """
    own = " ".join((*figure.words, *figure.of))
    names = {each[0] for panel in figure.drawn for each in panel}
    axes = " ".join(each for each in figure.words if each not in names)
    told = []
    for kind, words in KINDS.items():
        there = f"{own} {figure.code}"
        for word, code in words.items():
            found = re.search(rf"(?<![\w-])(?:{word})", figure.said)
            if found and not re.search(code, there):
                told.append(f"{kind}: {found[0]}")
    norms = KINDS["norm"]
    first = re.search("|".join(f"({each})" for each in norms), figure.caption)
    if first and any(re.search(each, axes) for each in norms.values()):
        code = list(norms.values())[first.lastindex - 1]
        told += [f"norm: {first[0]}"] * (not re.search(code, axes))
    return told


UNIT = re.compile(
    r"(?:in units of|percent of|share of|% of|divided by|multiples? of|over) "
    r"(?:the|its|their) (\w+)(?: of)?"
)
UNITS = {"trace": "trace", "norm": r"norm|\\\||_F", "tail": "tail", "best": "best"}
UNITS |= {"variance": "variance", "diagonal": "diagonal", "geodesics": "geodesics"}


def wrong_units(figure):
    """Units in words that no axis of the figure has."""
    own = " ".join((*figure.words, *figure.of))
    # Where an axis has a denominator, that is the unit.
    labels = (re.findall(r" / ([^,]+)", each) for each in figure.words)
    under = " ".join(word for each in labels for word in each) or own
    named = {unit for unit, there in UNITS.items() if re.search(there, under)}
    return [
        found[0]
        for found in UNIT.finditer(figure.said)
        if found[1] in UNITS and found[1] not in named
        and (named or not re.search(UNITS[found[1]], figure.code))
    ]


# ---- How curves go and lie

# "falls from 3 percent with 20 columns to 1": the numbers have that order.
NUMBER = r"(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)"
GOES = re.compile(
    rf"\b(falls?|falling|rises?|rising|grows?)(?! as)(?: \w+){{0,3}} from {NUMBER}"
    rf"(?! (?:to|and) \d+ (?:columns|landmarks|points))"
    rf"(?:(?! and | while |[;.] |, and ).)*? to (?:only )?{NUMBER}"
)


def wrong_ways(said):
    """What falls to a larger number, or rises to a smaller."""
    told = []
    for found in GOES.finditer(said):
        first, last = (float(found[k].replace(",", "")) for k in (2, 3))
        if (last > first) == found[1].startswith("fall"):
            told.append(found[0])
    return told


MANY = re.compile(
    r"\b(falling|rising)(?:,? (?:nearly )?\w+)? (?:curves|lines|rows)"
    r"|\b(?:curves|lines)(?: on \w+ axes)? that (fall|rise)(?! and)",
    re.I,
)
ONE = re.compile(r"\b(falls?|falling|rises?|rising|grows?)\b", re.I)
# Against something else than the axis to the right.
BACKWARDS = re.compile(r"\bto the left\b|gets? smaller|\bas n grows|\brise towards")
SIDE = re.compile(r"\b(?:On the )?(left|middle|right)\b(?: panel)?(?:,|:| )", re.I)


def wrong_trends(figure):
    """What falls where no curve does, or where more curves rise."""
    told = []
    for sentence in re.split(r"(?<=[.;]) ", figure.alt):
        ways = [x for panel in scope(figure, sentence) for x in panel if x[2]]
        fall, rise = (sum(x[3] for x in ways if w in x[2]) for w in ("falls", "rises"))
        if BACKWARDS.search(sentence):
            continue
        for found in MANY.finditer(sentence):
            down = (found[1] or found[2]).lower().startswith("fall")
            if (rise > fall) if down else (fall > rise):
                told.append(f"{found[0]}: {fall} fall, {rise} rise")
        for found in ONE.finditer(sentence):
            if ways and not (fall if found[0].lower().startswith("fall") else rise):
                told.append(f"{sentence}: {fall} fall, {rise} rise")
    return told


def scope(figure, sentence):
    """The panels of which a sentence speaks: one, where it begins with its side."""
    begins, panels = SIDE.match(sentence), figure.drawn
    if not begins or len(panels) not in (2, 3):
        return panels
    at = {"left": 0, "middle": 1, "right": -1}[begins[1].lower()]
    return [panels[at]]


def other_side(figure):
    """What is said of one side of a figure, and stands above the other."""
    if len(figure.panels) != 2:
        return []
    titles = [
        set(re.findall(r"[a-z-]{4,}", each["title"].lower())) - {"linear"}
        for each in figure.panels
    ]
    told = []
    for text in (figure.caption, figure.alt):
        parts = re.split(r"\b(left|right)\b", text, flags=re.I)
        for side, words in zip(parts[1::2], parts[2::2], strict=True):
            k = side.lower() == "right"
            if not re.match(r"[,:]? ?(?:for |on )?", words)[0]:
                continue
            near = set(re.findall(r"[a-z-]{4,}", " ".join(words.split()[:5]).lower()))
            if near & (titles[1 - k] - titles[k]) and not near & titles[k]:
                told.append(f"{side}{words[:40]}: above it {titles[k]}")
    return told


# ---- What is said beside a number of the run: of what it is

KEYS = [
    {  # data
        "digits": "digits", "patches": "patches", "documents": "documents",
        "heads": "heads", "moons": "moons", "patients": "patients", "arm": "arm",
        "balls": "balls", "cells": "cells?", "Swiss roll": "Swiss roll",
        "crowd": "crowd", "clusters": "clusters",
    },
    {  # schemes and methods
        "uniform": "uniform|equal weights", "pivots": "pivots?|RPCholesky",
        "leverage": "leverage|scores", "kmeans": "k-means", "k_dpp": "k-DPP",
        "sgma": "SGMA", "adaptive_full": "Adapt-Full",
        "adaptive_partial": "Adapt-Part", "rp_cholesky": "RPCholesky|pivots",
        "ridge": "ridge", "optimal": "optimal|best rank", "cut": "truncated",
        "nystrom": "Nyström", "sketch": "sketch(?:es)?", "pairs": "pairs",
        "phases": "phases", "binning": "binning|grids",
    },
    {  # sizes and bounds
        "trace": "trace", "frobenius": "Frobenius", "spectral": "spectral",
        "printed": "printed|thesis's", "proved": "proved",
        "observed": "observed|enough", "of_norm": "norm", "of_trace": "trace",
    },
]  # fmt: skip
EXPRESSION = re.compile(r"\{\{ (.*?) \}\}")
AFTER = re.compile(r"(?: percent| GB| times)? (?:for|on|with|by)(?: the)? ")


def misplaced(typed):
    """Numbers of the run beside the name of something else of the same kind."""
    told = []
    for text in re.split(r"(?<=[.;])\s", typed):
        parts = EXPRESSION.split(text)
        for k in range(1, len(parts), 2):
            for kind in KEYS:
                told += _misplaced(parts, k, kind)
    return told


def _misplaced(parts, k, kind):
    code = re.sub(r":[^:\"]*$", "", parts[k])
    if OF_A_FIGURE.search(code):
        return []
    keys = [x for x in kind if re.search(rf"(?<![A-Za-z_]){x}(?![a-z])", code)]
    if len(keys) != 1:
        return []
    before = re.sub(rf"^{AFTER.pattern}(?:\w+ )?[\w-]+", "", parts[k - 1])
    names = {x for x in kind if re.search(rf"(?<![\w-])(?:{kind[x]})\b", before)}
    after = AFTER.match(parts[k + 1])
    if after:
        rest = parts[k + 1][after.end() :]
        here = {x for x in kind if re.match(rf"(?:\w+ )?(?:{kind[x]})\b", rest)}
        names = here or names
    if re.match(rf".{{0,30}}\b(?:{kind[keys[0]]})\b", parts[k + 1]):
        return []
    if not names or any(kind[keys[0]] == kind[x] or x == keys[0] for x in names):
        return []
    return [f"{parts[k - 1][-40:]}{{{{ {parts[k]} }}}}{parts[k + 1][:20]}"]


# ---- How curves lie to one another

VERB = r"(?:lies?|runs?|are|is|stays?|bends? away|falls?|begins?|starts?|ends?)"
ORDER = re.compile(
    r"\b(lowest|highest(?! dim)|fastest|slowest|steeper|more slowly|smaller through)\b"
    rf"|\b{VERB} (?:\w+ ){{0,2}}(above|below|beyond|under)\b"
)
# Numbers that say it: "2.1 to 3.5 times above", "by at most", "between 1 and 2".
BY_NUMBERS = re.compile(
    r"\}\} times (?:above|the|higher)|above \{\{ np\.ceil"
    r"|below zero, to|lowest at \{\{ min"
)
# What a colour or a mark means.
MEANS = re.compile(r"\b(if|because|means that)\b")


def typed_orders(typed):
    """Sentences that say in typed words how curves lie."""
    return [
        part
        for part in re.split(r"(?<=[.;:])\s", typed)
        if ORDER.search(EXPRESSION.sub("", part))
        and "{{ beyond(" not in part
        and not BY_NUMBERS.search(part)
        and not MEANS.search(part)
    ]


# Exceptions: what no curve of the figure decides.
UNDECIDED = {
    "fig-eigenvectors",  # dots below zero on the left, above it on the right
    "fig-gaps",  # at one of the components alone
    "fig-machines-slopes",  # slopes, a panel at a time
    "fig-spectra-of-data",  # points off the picture
    "fig-vector-moves",  # slopes of several bounds
    "fig-eight-criteria",  # two highest at once
    "fig-slopes",  # a slope
    "fig-what-columns-tell",  # at first
    "fig-one-number",  # marks on a parabola
}


def wrong_orders(figure):
    """How curves lie, in typed words, and no exception."""
    return [] if figure.name in UNDECIDED else typed_orders(figure.typed)


RULES = {
    "counts": wrong_counts,
    "looks": wrong_looks,
    "scales": wrong_scales,
    "statistics": wrong_statistics,
    "names": foreign_words,
    "units": wrong_units,
    "trends": wrong_trends,
    "orders": wrong_orders,
    "sides": other_side,
    "numbers": lambda figure: misplaced(figure.typed),
    "ways": lambda figure: wrong_ways(figure.caption) + wrong_ways(figure.alt),
}


def complaints(figure):
    """What is said of a figure and is not so, by rule."""
    return {rule: found for rule, see in RULES.items() if (found := see(figure))}


@pytest.mark.parametrize("name", NAMES)
def test_words_of_a_figure_are_true_of_it(name):
    assert not complaints(FIGURES[name])


def test_exceptions_are_needed():
    assert all(typed_orders(FIGURES[name].typed) for name in UNDECIDED)


# ---- Names in a figure come from what is drawn

# Exceptions: titles of panels that a page types.
TITLED = {"fig-coupons", "fig-eigenvectors", "fig-uniform-ahead", "fig-bridges"}


def typed_names(figure):
    """Entries of the legend and titles that stand as words in the cell of a page.

    The name of a data set or a competitor is none: it chooses what is drawn.
    """
    names = {each[0] for panel in figure.drawn for each in panel}
    names |= {panel["title"] for panel in figure.panels}
    return {
        each.value
        for call in ast.walk(ast.parse(figure.cells[-1]))
        if re.match(r"draw|plot|set|legend", called(call))
        for part in (*call.args, *(x.value for x in call.keywords))
        for each in ast.walk(part)
        if isinstance(each, ast.Constant) and each.value in names - KEYS_OF_FINDINGS
    }


def called(call):
    """The name of the function that is called, or ''."""
    if not isinstance(call, ast.Call):
        return ""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def test_legends_and_titles_come_from_what_is_drawn():
    assert {name for name, each in FIGURES.items() if typed_names(each)} == TITLED


# ---- Plants: does the test see what it should?

# Words that are exchanged, each for the next of its kind.
EXCHANGED = {
    "norms": ["Frobenius", "spectral"],
    "kernels": ["Gaussian kernel", "linear kernel", "Laplacian kernel"],
    "schemes": ["uniform columns", "k-means", "RPCholesky", "SGMA", "BLESS"],
    "data": ["digits", "heads", "documents", "moons", "patients", "robot arm"],
    "statistics": ["mean of", "largest of", "median of"],
    "means": ["Means over", "Medians over"],
    "colours": ["blue", "orange", "vermilion"],
    "dashes": ["dotted", "dashed", "dash-dotted"],
    "panels": ["Two panels", "Three panels", "Four panels"],
    "curves": ["four falling", "three rising", "six falling"],
    "ways": ["falling curves", "rising curves"],
    "numbers": ["falls from", "rises from"],
}


def exchanged():
    """Each figure with a word exchanged, by the kind of the word."""
    for figure in FIGURES.values():
        for kind, words in EXCHANGED.items():
            for word, other in zip(words, words[1:] + words[:1], strict=True):
                for field in ("caption", "alt", "typed"):
                    text = getattr(figure, field)
                    if field != "typed" and re.search(rf"(?<![\w-]){word}\b", text):
                        new = re.sub(rf"(?<![\w-]){word}\b", other, text, count=1)
                        yield kind, replace(figure, **{field: new})


def test_exchanged_words_are_seen():
    seen, total = Counter(), Counter()
    for kind, figure in exchanged():
        figure.__dict__["code"] = FIGURES[figure.name].code
        total[kind] += 1
        seen[kind] += bool(complaints(figure))
    shares = {kind: seen[kind] / total[kind] for kind in total}
    assert sum(seen.values()) > 0.7 * sum(total.values()), shares


@pytest.mark.parametrize(
    "typed",
    [
        "Nyström features are lowest.",
        "Circles run above a solid curve.",
        "Uniform columns fall fastest.",
        "On the left it lies far beyond {{ few }} columns.",
    ],
)
def test_a_typed_order_is_seen(typed):
    assert typed_orders(typed)
    assert not typed_orders('It lies {{ side("bound", "exact") }} the other.')


@pytest.mark.parametrize(
    ("said", "is_seen"),
    [
        ("falls from 3.5 percent with 20 columns to 4", True),
        ("rises from 1,200 to 900", True),
        ("falls from 3.5 percent with 20 columns to 1", False),
        ("rises from 0.5 to 0.75", False),
    ],
)
def test_a_fall_to_a_larger_number_is_seen(said, is_seen):
    assert bool(wrong_ways(said)) == is_seen
