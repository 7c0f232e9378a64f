"""The map of the theorems: what proofs name."""

import base64
import re
from xml.etree import ElementTree

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
    assert all(theorems[id].book_number in words for id in chart.carries)
