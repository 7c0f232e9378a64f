"""A sentence that compares or advises stands beside what shows it.

Lexical tests, a help and no censor.  One looks for comparing words in the prose of the
chapters that have findings, and asks that their paragraph links to a theorem, a figure
or a section, quotes a finding or a number of the run, or cites.

What stands beside a number of the run could still have the wrong direction.  So in
such a sentence, and in one that links to a figure or a section, the comparing word is
the run's, too: ``{{ "ahead" if a < b else "behind" }}``, or a finding is quoted, whose
words are made from its line.  And *at most* is not said of a minimum, nor *at least* of
a maximum.  What a theorem or a source says, and what stands beside none of these, stays
the reader's.
"""

import re

import pytest
from make_notebooks import BOOK
from statements_of_texts import TEXTS, UNSAID, paragraphs, sentences

from nystheory.engine.findings import registry

CHAPTERS = sorted({id.split(":")[0] for id in registry.discover("nystheory.chapters")})
COMPARES = re.compile(
    r"\b(better|worse|faster|slower|ahead|behind(?! the exercises)|beats?|outperforms?"
    r"|prefer|recommend\w*|cheaper|purer|more accurate)\b",
    re.IGNORECASE,
)
LINKS = re.compile(r"\{ref\}|\{cite|\{line\}|\{\{ ")
# What a source found is no word of ours; a question says nothing; nor do goals.
TOLD = re.compile(r"\b(the thesis|the paper|the source)\b|\?$|^\d\. ", re.IGNORECASE)


def unlinked(text):
    """Sentences that compare, in paragraphs that link to nothing."""
    return [
        line
        for paragraph in paragraphs(text)
        if not any(map(LINKS.search, paragraph))
        for line in paragraph
        if COMPARES.search(line) and not TOLD.search(line)
    ]


# ---- Directions

BETTER = re.compile(
    r"\b(better|worse|faster|slower|ahead|behind|beats?|outperforms?|cheaper|purer"
    r"|more accurate)\b|\b(higher|lower|larger|smaller) by (a factor of )?\{\{"
    r"|\}\} (points?|percent|times) (more|fewer|less|higher|lower|larger|smaller)\b",
    re.IGNORECASE,
)
RUN = re.compile(r"\{\{ ")
# A link to a figure, a section or a chapter; that to a theorem has a colon.
PLACE = re.compile(r"\{ref\}`(?:[^`<]*<)?(?!ex-)[^`<>:]*>?`")
QUOTED = re.compile(r"\.(said|words)\b|tally\(|\{cite|\{ref\}`[^`]*\w:\w")
# Nothing is claimed.
OPEN = re.compile(r"\b(may|can|could|would|need not|whether|which (one|kind))\b", re.I)


def typed_directions(text):
    """Sentences beside a number of the run or a figure that compare in typed words."""
    return [
        told
        for told in sentences(text)
        if (RUN.search(told) or PLACE.search(told))
        and BETTER.search(UNSAID.sub(" ", told))
        and not any(each.search(told) for each in (TOLD, QUOTED, OPEN))
    ]


SIDED = re.compile(r"\bat (most|least)( \w+)?( \w+)? \{\{ (.*?) \}\}")
ENDS = {"most": r"max|ceil", "least": r"min|floor"}


def wrong_end(text):
    """What is *at most* a minimum, or *at least* a maximum.

    A name stands for what its page binds it to.
    """
    told = []
    for found in SIDED.finditer(text):
        made = [found[4]]
        for name in re.findall(r"[a-z_]\w*", found[4]):
            made += re.findall(rf"^ *{name} = .*(?:\n    .*)*", text, re.M)
        ends = {x for x, end in ENDS.items() if re.search(end, "\n".join(made))}
        if ends and found[1] not in ends:
            told.append(found[0])
    return told


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_comparison_links_to_what_shows_it(name):
    told = unlinked((BOOK / "md" / f"{name}.md").read_text("utf-8"))
    assert not told, f"{name}: nothing shows {told}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_direction_beside_a_number_of_the_run_is_the_runs(name):
    """Write {{ "faster" if a < b else "slower" }}, or quote a finding's words."""
    assert not typed_directions(TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_at_most_is_not_said_of_a_minimum(name):
    assert not wrong_end(TEXTS[name])


PLANTS = {
    "a boast": "Uniform columns are better than all others.",
    "an advice": "We recommend k-means.",
    "beside a listing": "```python\nx\n```\nPivots beat uniform columns.",
    "after a box": ":::{note}\nbetter\n:::\n\nPhases are slower.",
}
FAIR = {
    "a theorem": "Pivots are better ({ref}`modern:geometry`).",
    "its paragraph": "Pivots are better.\nSee {ref}`fig-one`.",
    "a finding": "{{ found['x'].said }}.\nSo pivots are ahead.",
    "a source": "The thesis finds it worse.",
    "a question": "Is it better?",
    "in a box": ":::{note}\nIt is better.\n:::",
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_bare_comparison_is_seen(name):
    assert unlinked(PLANTS[name])


@pytest.mark.parametrize("name", FAIR)
def test_a_shown_comparison_passes(name):
    assert not unlinked(FAIR[name])


@pytest.mark.parametrize(
    "turned",
    [
        "Pivots are ahead by {{ gap:.1f }} points.",
        "Pivots are worse, {{ a:.1f }} against {{ b:.1f }} percent.",
        "On the patches uniform columns are better ({ref}`fig-race`).",
        "It needs {{ quotient:.0f }} times more columns.",
        "*It is fast.* It is slower: {{ a:.1f }} seconds.",
    ],
)
def test_a_typed_direction_is_seen(turned):
    assert typed_directions(turned)


@pytest.mark.parametrize(
    "fair",
    [
        'Pivots are {{ "ahead" if gap > 0 else "behind" }} by {{ gap:.1f }} points.',
        '{{ found["x"].words }}, so pivots are better.',
        "It is never worse ({ref}`modern:fixed-rank`).",
        "Waves may be better, {{ count }} of them.",
        "Which kind is better says {ref}`which_random_features`.",
        "{ref}`ex-pivots` finds a better one.",
    ],
)
def test_a_direction_of_the_run_or_of_nobody_passes(fair):
    assert not typed_directions(fair)


def test_a_wrong_end_is_seen():
    text = "```\nlow = x.min()\n```\n"
    assert wrong_end(text + "It is at most {{ low:.1f }}.")
    assert wrong_end("It is at least {{ np.ceil(x.max()):.0f }}.")
    assert not wrong_end(text + "It is at least {{ low:.1f }} and at most {{ n }}.")


# ---- What is seen: each direction of the book, turned

TURN = "better worse faster slower ahead behind".split()
OTHER = dict(zip(TURN, [TURN[k ^ 1] for k in range(len(TURN))], strict=True))
CHOSEN = re.compile(r"\{\{ \"([a-z* ]+)\" if [^}]*? else \"[^\"]+\" \}\}")


def test_a_direction_of_the_run_that_is_typed_and_turned_is_seen():
    """Who types the opposite in the place of an expression is told."""
    chosen = [
        (told, each)
        for text in TEXTS.values()
        for told in sentences(text)
        for each in CHOSEN.finditer(told)
        if each[1] in OTHER
    ]
    for told, each in chosen:
        turned = told.replace(each[0], OTHER[each[1]])
        assert typed_directions(turned) or not RUN.search(turned), turned
    assert len(chosen) > 12


def test_an_end_that_is_turned_is_seen():
    seen = total = 0
    for text in TEXTS.values():
        for found in SIDED.finditer(text):
            side = {"most": "least", "least": "most"}[found[1]]
            new = found[0].replace(f"at {found[1]}", f"at {side}")
            total += 1
            seen += bool(wrong_end(text.replace(found[0], new)))
    assert seen > 0.7 * total
