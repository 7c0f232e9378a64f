"""The map of the theorems: what proofs name."""

import base64
import re
from graphlib import TopologicalSorter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nystheory import theorems
from nystheory.engine.report.rests import map_of, proofs

PAGE = """
:::{lemma} a:1
:::

Words that name {ref}`a:2` are no proof.

:::{proof}
By {ref}`the second <a:2>`.
:::

:::{proof} of the rest
And {ref}`a:1`.
:::

:::{theorem} a:2
:::
"""


def test_proofs_are_those_after_a_box():
    found = proofs(PAGE, ["a:1", "a:2"])
    assert list(found) == ["a:1"]
    assert "the second <a:2>" in found["a:1"] and "And" in found["a:1"]
    assert "are no proof" not in found["a:1"]


def drawing(chart):
    """The picture of a map."""
    found = re.search(r"data:image/svg\+xml;base64,([^\"]+)", chart._repr_html_())
    return base64.b64decode(found[1]).decode()


def test_a_viewer_that_trusts_nobody_shows_a_picture():
    """JupyterLab throws a drawing away and keeps its words."""
    shown = map_of(theorems)._repr_html_()
    assert "<svg" not in shown and re.search(r'<img alt="[^"]{40,}"', shown)


def test_every_box_of_the_book_is_drawn_once_and_leads_to_its_place():
    chart = map_of(theorems)
    drawn = drawing(chart)
    ElementTree.fromstring(drawn)  # a picture has to be well-formed
    places = re.findall(r'<a href="([^"]+)"', drawn)
    stated = [t.address for t in theorems.values() if t.book_number]
    assert sorted(places) == sorted(stated)
    assert drawn.count("<path ") == chart.arrows


def test_what_rests_and_what_carries_are_two_sides_of_one():
    chart = map_of(theorems)
    pairs = {(id, other) for id, some in chart.rests_on.items() for other in some}
    turned = {(id, other) for other, some in chart.carries.items() for id in some}
    assert pairs == turned
    assert all(id != other for id, other in pairs)
    words = chart.in_words()
    assert words.count("rests on") == len(chart.rests_on)
    assert all(theorem.book_number in words for theorem in chart.theorems.values())
    assert words.count("<h3>") == len({t.chapter for t in chart.theorems.values()})


# ---- What a proof cites

CHART = map_of(theorems)
PROOFS = {
    id: proof
    for text in dict.fromkeys(theorem.text for theorem in CHART.theorems.values())
    for id, proof in proofs(Path(text).read_text("utf-8"), CHART.theorems).items()
}
# Speaks of a result or a proof; "Ky Fan's theorem" is one of the textbooks, but what
# has a box in the book is known by its name, too.
SPEAKS = re.compile(
    r"(?<!'s )\b(lemma|theorem|proposition|corollary|observation)\b|\bproofs?\b"
    r"|\bas (before|above|there)\b|\b(Woodbury|McDiarmid|Eckart)\b",
    re.IGNORECASE,
)
MEASURED = ("experiment", "rate")
LINK = re.compile(r"\{(ref|cite:[tp])\}")
UNSAID = re.compile(r"\$[^$]*\$|`[^`]*`")


def unlinked(proof):
    """The lines of a proof that speak of a result, before their paragraph links."""
    told, linked = [], False
    for line in proof.split("\n"):
        linked = bool(line.strip()) and (linked or bool(LINK.search(line)))
        if SPEAKS.search(UNSAID.sub("", line)) and not linked:
            told.append(line)
    return told


@pytest.mark.parametrize("id", PROOFS)
def test_a_result_that_a_proof_names_is_a_link(id):
    """``{ref}`id```: the map is drawn from it, and it has the number of today."""
    assert not unlinked(PROOFS[id])


@pytest.mark.parametrize(
    "bare",
    [
        "By the last proof it is small.",
        "The $\\sqrt 2$ lemma gives the rest.",
        "As before, it is small.",
        "By Woodbury's identity it is small.",
        "By {ref}`a:1` it is small.\n\nThe proposition says more.",
        "The proof of that is the proof of {line}`a <= b`.",
    ],
)
def test_a_result_without_its_link_is_seen(bare):
    assert unlinked(bare)


@pytest.mark.parametrize(
    "linked",
    [
        "By the proof of {ref}`a:1` it is small.\nThat proof says more.",
        "The $\\sqrt 2$ lemma ({ref}`a:1`) gives the rest.",
        "By Ky Fan's theorem and Slepian's lemma it is small.",
        "By McDiarmid's inequality {cite:p}`mcdiarmid1989` it is small.",
    ],
)
def test_a_link_or_a_theorem_of_the_textbooks_passes(linked):
    assert not unlinked(linked)


def test_no_proof_rests_on_itself():
    """Not through others either; a name ahead is no circle."""
    assert list(TopologicalSorter(CHART.rests_on).static_order())
    circular = [id for id, proof in PROOFS.items() if f"{{ref}}`{id}`" in proof]
    assert not circular


def test_a_proof_rests_on_what_is_proved():
    """On a box, whose claims are verified, and on none that an experiment backs."""
    assert set(CHART.carries) <= set(PROOFS)
    measured = {id for id in CHART.carries if theorems[id].kind in MEASURED}
    assert not measured
    assert {theorem.kind for theorem in CHART.theorems.values()} >= set(MEASURED)
