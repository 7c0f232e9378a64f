"""The five sources are done: what a first reading found in them is in the ledger.

The list of that reading stands beside this file and was written before the chapters
were, from the sources alone.  It holds what has come since 2006, too.  The ledger may
have more, with a reason, and no statement may go missing on either side.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from test_register import PARTS

from nystheory.chapters import theorems
from nystheory.engine import verify

SOURCES = ("talwalkar2010", "yang2012", "dellavecchia2024", "ding2019", "wikipedia")
# A paper that an article of Wikipedia cites for what it does not print; later papers.
CITED, LATER = "rahimi2007", "modern"

with open(Path(__file__).with_name("stated_in_sources.csv"), encoding="utf-8") as file:
    STATED = list(csv.DictReader(file))

# What the ledger has beyond the list, and why.
BEYOND = {
    "modern:preconditioning-trace": "the trace of the error bounds the condition",
    "modern:gp-inducing": "what inducing points do to a Gaussian process",
    "modern:landmark-mds": "the thesis's embedding is that of a later paper",
    "modern:geodesic-errors": "what errors of distances do to coordinates",
    "modern:landmark-coordinates": "the same for coordinates from landmarks",
    "modern:pairs-or-phases": "which of two kinds of random features is better",
    "modern:orthogonal-features": "the variance of orthogonal frequencies",
    "modern:orthogonal-worse": "where these are worse than independent ones",
    "modern:frequency-leverage": "how many frequencies ridge regression needs",
    "modern:rare-frequency": "a matrix on which drawn frequencies miss",
    "modern:flat-spectrum": "a matrix on which both kinds of features need all",
    "modern:too-few-columns": "a population on which fewer columns fail",
    "modern:duality-gap": "what certifies that a machine has learned",
    "modern:known-columns": "the sampled columns stay, for the opening",
    "modern:falkon": "the iteration that the package offers",
    "modern:criterion-enclosure": "certain ends of the criterion of a kernel",
    "modern:evidence-enclosure": "the same of the marginal likelihood",
    "modern:leave-one-out-enclosure": "the same of the error of leaving one out",
    "modern:surely-the-same-kernel": "when few columns choose as all of them do",
}
# Where the book's status is another than that of the first reading, and why.
WEIGHED_ANEW = {
    "talwalkar2010:obs-2.1": "the observation is right, its display goes too far",
    "talwalkar2010:alg-4.3": "the algorithm lacks its end, besides the misprint",
    "talwalkar2010:eq-3.16": "the thesis does not say where the iteration ends",
    "talwalkar2010:eq-3.1": "the solution is right, the objective beside it is not",
    "talwalkar2010:eq-3.3": "the solution is right, the objective beside it is not",
    "talwalkar2010:isomap-centering": "the thesis leaves open what it centres",
    "rahimi2007:uniform": "the article prints no bound, so nothing is corrected",
    "dellavecchia2024:prop-34": "the formula is lost, so it is corrected if it is so",
    "dellavecchia2024:exponents": "what was recovered is called reconstructed",
    "ding2019:adaptive": "it holds of projections, as it was published",
    "ding2019:volume-sampling": "what was recovered is called reconstructed",
}


def told(stated, ledger, beyond):
    """Where a list of statements and the ledger part, as sentences."""
    listed, held = {row["id"] for row in stated}, set(ledger)
    twice = [name for name, n in Counter(r["id"] for r in stated).items() if n > 1]
    faults = [f"{name}: twice in the list" for name in twice]
    faults += [f"{name}: not in the ledger" for name in sorted(listed - held)]
    extra = held - listed
    faults += [f"{name}: no reason to be there" for name in sorted(extra - {*beyond})]
    return faults + [f"{name}: a reason in vain" for name in sorted({*beyond} - extra)]


def test_the_list_and_the_ledger_are_the_same():
    assert told(STATED, theorems, BEYOND) == []
    assert all(BEYOND.values())


@pytest.mark.parametrize(
    ("stated", "ledger", "beyond", "says"),
    [
        (["a:1", "a:2"], ["a:1"], {}, "a:2: not in the ledger"),
        (["a:1"], ["a:1", "a:2"], {}, "a:2: no reason to be there"),
        (
            ["a:1"],
            ["a:1", "a:2"],
            {"a:2": "why", "a:3": "why"},
            "a:3: a reason in vain",
        ),
        (["a:1"], ["a:1"], {"a:1": "why"}, "a:1: a reason in vain"),
        (["a:1", "a:1"], ["a:1"], {}, "a:1: twice in the list"),
    ],
)
def test_a_planted_gap_is_seen(stated, ledger, beyond, says):
    rows = [{"id": name} for name in stated]
    assert told(rows, dict.fromkeys(ledger), beyond) == [says]


def test_each_source_has_as_many_statements_as_were_found():
    """The list is not shortened where the ledger is."""
    found = Counter(row["id"].split(":")[0] for row in STATED)
    of_sources = [found[source] for source in (*SOURCES, CITED, LATER)]
    assert of_sources == [72, 14, 14, 12, 5, 1, 29] and len(STATED) == 147


@pytest.mark.parametrize("row", STATED, ids=lambda row: row["id"])
def test_a_statement_has_its_part_and_its_status(row):
    """As found, or with a reason why it is weighed otherwise."""
    theorem = theorems[row["id"]]
    assert row["where"] and PARTS[theorem.chapter] == row["part"]
    changed = theorem.status != row["status"]
    assert changed == (row["id"] in WEIGHED_ANEW), (row["status"], theorem.status)


@pytest.mark.parametrize("row", STATED, ids=lambda row: row["id"])
def test_a_statement_has_a_control_that_is_refuted(row):
    """One at least for each of its claims, by the one verdict of the run."""
    verdict = verify(theorems[row["id"]])
    assert verdict, verdict.complaint()
    refuted = {control.of for control in verdict.controls if control.refuted}
    assert refuted == set(theorems[row["id"]].claims)
    assert all(control.refuted for control in verdict.controls)


# How the results of a source are called in ids.
KINDS = "thm|prop|lem|cor|def|alg|obs|fig|eq"


def numbered(id):
    """The number of a source that an id ends in; None if it has another name."""
    return re.match(rf"\w+:(?:{KINDS})-(\d+(?:\.\d+)*)(?!\d)", id)


def test_the_number_of_a_source_is_that_of_the_id():
    """An id has the number that was read first; a slip in `number=` is seen."""
    told = {
        theorem.id: theorem.number
        for theorem in theorems.values()
        if theorem.source != "modern" and numbered(theorem.id)
    }
    wrong = {
        id: number
        for id, number in told.items()
        if not re.search(rf"(?<![\d.]){re.escape(numbered(id)[1])}(?!\d)", number)
    }
    assert wrong == {} and len(told) > 70
