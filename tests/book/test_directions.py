"""A direction or a share in words beside the run is the line's, or is listed.

A word that compares, *larger*, *falls*, can be made by the line of a finding,
``{{ found["more"].puts("fair", "fewer") }}``, which raises an error where the line has
the other side.  What no line says, and a share in words, "nine tenths", beside a number
of the run, stand in `directions.csv`.  The table shows that such a sentence changed,
and not that it is true: who changes one looks at the figure or the cell beside it, and
makes the table anew, ``PYTHONPATH=book python tests/book/test_directions.py``.
"""

import csv
import re
from pathlib import Path

import pytest
from statements_of_texts import TEXTS, UNSAID, paragraphs, sentences
from test_beside_findings import QUOTE, experiments_of
from test_comparisons import OPEN, QUOTED, RUN, TOLD

TABLE = Path(__file__).with_name("directions.csv")
COMPARES = re.compile(
    r"\b(rises?|falls?|grows?|shrinks?|larger|smaller|longer|shorter|higher|lower"
    r"|closer|nearer|farther|wins?|loses?|helps?|hurts?|pays?|better|worse|faster"
    r"|slower|ahead|behind|cheaper|purer|misses|as well|hardly|gains?|more accurate)\b",
    re.I,
)
SHARES = re.compile(
    r"\b(half|halves|thirds?|quarters?|fifths?|sixths?|eighths?|tenths?|hundredths?"
    r"|thousandths?|twice|double|all but)\b"
)
# A theorem or a source says it.
SAID = re.compile(r"\{cite|\{ref\}`[^`]*\w:\w")


def beside(name, text):
    """The sentences beside findings, and those that have a number of the run."""
    bound = experiments_of(name, text)
    for paragraph in paragraphs(text):
        quotes = any(
            variable in bound
            for line in paragraph
            for variable, _ in QUOTE.findall(line)
        )
        for each in sentences("\n".join(paragraph)):
            if quotes or RUN.search(each):
                yield each


def typed(name, text):
    """Those that compare in words that no run and no line made."""
    return [
        each
        for each in beside(name, text)
        if COMPARES.search(UNSAID.sub(" ", each))
        and not any(x.search(each) for x in (TOLD, OPEN, SAID, QUOTED))
    ]


def shares(name, text):
    """Those with a number of the run that have a share in typed words besides."""
    return [
        each
        for each in beside(name, text)
        if RUN.search(each)
        and SHARES.search(UNSAID.sub(" ", each))
        and not any(x.search(each) for x in (TOLD, SAID, QUOTED))
    ]


READ = {"direction": typed, "share": shares}


def listed():
    """The rows of the table: page, direction or share, and sentence."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_direction_is_the_lines_or_listed(name):
    here = [(kind, each) for kind, of in READ.items() for each in of(name, TEXTS[name])]
    assert here == [row[1:] for row in listed() if row[0] == name], "what shows it?"


def test_most_directions_are_the_lines():
    """The table has less than a tenth of the sentences that are looked at, twice."""
    looked = [each for name, text in TEXTS.items() for each in beside(name, text)]
    for kind in READ:
        assert sum(row[1] == kind for row in listed()) < len(looked) / 10


def test_a_turned_direction_is_seen():
    name = "manifolds"
    text = TEXTS[name]
    made = '{{ centred["one"].puts("singly", "rises") }}'
    assert made in text
    assert len(typed(name, text.replace(made, "falls"))) == len(typed(name, text)) + 1


if __name__ == "__main__":
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        for name, text in TEXTS.items():
            for kind, of in READ.items():
                rows = ((name, kind, each) for each in of(name, text))
                csv.writer(file, lineterminator="\n").writerows(rows)
