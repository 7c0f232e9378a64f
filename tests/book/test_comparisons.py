"""A sentence that compares or advises stands beside what shows it.

A lexical test, a help and no censor: it looks for comparing words in the prose of the
chapters that have findings, and asks that their paragraph links to a theorem, a figure
or a section, quotes a finding or a number of the run, or cites.
"""

import re

import labels
import pytest
from make_notebooks import BOOK

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


def paragraphs(text):
    """The paragraphs of the prose, lists of their lines; nothing inside a directive."""
    found, open_fences, listing = [[]], [], False
    for line in text.split("\n"):
        opened = labels.DIRECTIVE.match(line)
        listing ^= line.startswith("```")
        if listing or line.startswith("```"):
            found.append([])
        elif opened:
            open_fences.append(opened["fence"])
            found.append([])
        elif open_fences:
            if line == open_fences[-1]:
                open_fences.pop()
        elif not line.strip() or line.startswith("#") or labels.TARGET.match(line):
            found.append([])
        else:
            found[-1].append(line)
    return [each for each in found if each]


def unlinked(text):
    """Sentences that compare, in paragraphs that link to nothing."""
    return [
        line
        for paragraph in paragraphs(text)
        if not any(map(LINKS.search, paragraph))
        for line in paragraph
        if COMPARES.search(line) and not TOLD.search(line)
    ]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_comparison_links_to_what_shows_it(name):
    told = unlinked((BOOK / "md" / f"{name}.md").read_text("utf-8"))
    assert not told, f"{name}: nothing shows {told}"


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
