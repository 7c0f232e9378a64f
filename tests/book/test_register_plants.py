"""What could state, hide or spoil a result in a text is seen: planted, one by one."""

import re
from dataclasses import replace

import pytest
from statements_of_texts import (
    STATED,
    TEXTS,
    blocks,
    complaints,
    faults,
    proved,
    surprises,
)


@pytest.mark.parametrize(
    "planted",
    [
        ":::{prf:algorithm} A new one\n:label: alg-new\n\nDo it.\n:::",
        "  :::{prf:theorem} A new one\n  :label: thm-new\n\n  It is so.\n  :::",
        "  ````{prf:lemma}\n  It is so.\n  ````",
        "> :::{prf:theorem} A new one\n> It is so.\n> :::",
        "~~~{prf:theorem} A new one\nIt is so.\n~~~",
        "::: {prf:theorem} A new one\nIt is so.\n:::",
        "- :::{prf:theorem} A new one\n  It is so.\n  :::",
        "1. ```{prf:theorem} A new one\n   It is so.\n   ```",
        ":::{PRF:THEOREM} A new one\nIt is so.\n:::",
        "[^1]: :::{prf:theorem} A new one\n      It is so.\n      :::\n\nIt[^1].",
        "::::{admonition} New\n:::{prf:theorem} A new one\nIt is so.\n:::\n::::",
        "::::{prf:proof}\n:::{prf:theorem} A new one\nIt is so.\n:::\n::::",
        ":::{admonition} Theorem 99\nIt is so.\n:::",
        ":::{admonition} **Theorem 99**\nIt is so.\n:::",
        ":::{admonition} New\n:class: note\n**Theorem 99.** It is so.\n:::",
        ":::{note}\nIt is so.\n:::",
        ":::note\n**Theorem 99.** It is so.\n:::",
        "```{eval-rst}\n.. prf:theorem:: A new one\n\n   It is so.\n```",
        "```{include} theorem.txt\n```",
        "### Theorem 99",
        "Theorem 99\n==========",
        "**Theorem 99.** Every matrix is good.",
        "__Theorem 99.__ Every matrix is good.",
        "**Theorem.** Every matrix is good.",
        "**Theorem** 99. Every matrix is good.",
        "***Theorem 99.*** Every matrix is good.",
        "**THEOREM (folklore).** Every matrix is good.",
        "**Fact 9** Every matrix is good.",
        "Every matrix is good, says **Theorem 99**.",
        "*Remark 3.* Every matrix is good.",
        "<b>Theorem 99</b> Every matrix is good.",
        "<div>Theorem 99. Every matrix is good.</div>",
        "{strong}`Theorem 99.` Every matrix is good.",
        "Theorem 99. Every matrix is good.",
        "- Theorem 2.1: Every matrix is good.",
    ],
)
def test_a_result_without_an_object_is_seen(planted):
    assert complaints(planted)
    assert complaints(f"# A chapter\n\nWords.\n\n{planted}\n\nMore words.\n")


def test_words_about_a_result_are_not_a_result():
    assert (
        complaints("Theorem 5.4 of the thesis says so, and *theorem* is Greek.") == []
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\Z", "\nIt is never attained."),
        (r"\n\n", "\n:math:`1=2` always.\n\n"),
        (r"\n\n", "\n\n:math:`1=2` always.\n\n"),
        (r"\n\n", "\n:class: d-none\n\n"),
        (r"\n\n", "\n:nonumber:\n\n"),
        (r"\n\n", "\n\n<!-- not -->"),
    ],
)
def test_a_change_inside_a_box_is_seen(old, new):
    right = next(b for b in STATED if not faults([b]))
    inside = re.sub(old, new, right.inside, count=1)
    assert faults([replace(right, inside=inside)])


# A chapter with one box and its proof, for what follows.
PAGE = TEXTS["kernel_matrices"]

BOX = re.search(r"^:::{prf:definition}.*?^:::$", PAGE, re.M | re.S)[0]

PROOF = re.search(r"^\(proof-.*?^:::$", PAGE, re.M | re.S)[0]

TARGET, HEAD, ARGUMENT = re.match(r"(.*?\n)(.*?\n)(.*)\n:::$", PROOF, re.S).groups()


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!--\n{BOX}\n-->",
        f"~~~text\n{BOX}\n~~~",
        f"```\n{BOX}\n```",
        re.sub("^", "% ", BOX, flags=re.M),
        re.sub("^", "    ", BOX, flags=re.M),
    ],
)
def test_a_box_that_the_page_does_not_show_does_not_count(hidden):
    def stated(text):
        return [block for block in blocks("", text) if block.kind != "proof"]

    assert len(stated(PAGE)) == 1
    assert stated(PAGE.replace(BOX, hidden)) == []


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_a_box_inside_something_else_is_seen(mark):
    moved = mark + BOX.replace("\n", "\n" + mark.replace("-", " "))
    assert complaints(BOX) == []
    assert complaints(moved)
    assert [b.label for b in blocks("", moved)] == proved(PAGE)


@pytest.mark.parametrize(
    "hidden",
    [
        f"<div hidden>\n\n{BOX}\n\n</div>",
        f"{{.d-none}}\n{BOX}",
        f'+++ {{"tags": ["remove-cell"]}}\n\n{BOX}\n\n+++',
        f":::{{solution-start}} ex\n:hidden:\n:::\n\n{BOX}",
    ],
)
def test_what_could_hide_a_box_is_seen(hidden):
    assert surprises(PAGE) == []
    assert surprises(PAGE.replace(BOX, hidden))


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        f"{TARGET}{HEAD}:::",
        f"{TARGET}{HEAD}Obvious.\n:::",
        f"{TARGET}{HEAD}Obvious.{' ' * 300}\n:::",
        f"{TARGET}{HEAD}<!--\n{ARGUMENT}\n-->\n:::",
        f"{TARGET}{HEAD}% {'Clearly. ' * 30}\n:::",
        f"{TARGET}{HEAD}:class: {'dropdown ' * 30}\n:::",
        f"<!--\n{PROOF}\n-->",
        f"~~~text\n{PROOF}\n~~~",
        f"~~~text\n{TARGET}~~~\n\n{HEAD}{ARGUMENT}\n:::",
        f"(proof-of-something)=\n{HEAD}{ARGUMENT}\n:::",
        re.sub("^", "> ", PROOF, flags=re.M),
    ],
)
def test_a_box_without_its_proof_is_seen(spoiled):
    assert len(proved(PAGE)) == 1
    assert proved(PAGE.replace(PROOF, spoiled)) == []


def test_a_proof_before_its_box_is_no_proof():
    assert proved(f"{PROOF}\n\n{BOX}\n") == []
    assert proved(f"{BOX}\n\n{PROOF}\n") == proved(PAGE)
