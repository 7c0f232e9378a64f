"""What could state, hide or spoil a result in a text is seen: planted, one by one."""

import re

import pytest
from statements_of_texts import (
    TEXTS,
    complaints,
    faults,
    proved,
    stated,
    surprises,
    unowned,
)

# A chapter with one box and its proof, for what follows.
NAME = "kernel_matrices"
PAGE = TEXTS[NAME]
ID = "talwalkar2010:def-2.1"
BOX = re.search(rf"^:::\{{definition\}} {ID}\n.*?^:::$", PAGE, re.M | re.S)[0]
PROOF = re.search(r"^(:{3,})\{proof\}\n.*?^\1$", PAGE, re.M | re.S)[0]
FENCE = re.match(":+", PROOF)[0]
HEAD, ARGUMENT = re.match(rf"(.*?\n)(.*)\n{FENCE}$", PROOF, re.S).groups()


def test_the_chapter_itself_is_in_order():
    assert [block.argument for block in stated(PAGE)] == proved(PAGE) == [ID]
    assert complaints(PAGE, NAME) == [] and PAGE.count(BOX) == PAGE.count(PROOF) == 1


@pytest.mark.parametrize(
    "planted",
    [
        # boxes without an object, or of an object of another chapter
        ":::{theorem} book:new\n:::",
        ":::{theorem}\n:::",
        f"{BOX}",
        ":::{lemma} book:new\nIt is so.\n:::",
        # what is no directive of ours, or is none where it stands
        ":::{prf:theorem} A new one\nIt is so.\n:::",
        "  :::{theorem} book:new\n  It is so.\n  :::",
        "  ````{lemma}\n  It is so.\n  ````",
        "> :::{theorem} book:new\n> It is so.\n> :::",
        "~~~{theorem} book:new\nIt is so.\n~~~",
        "::: {theorem} book:new\nIt is so.\n:::",
        "- :::{theorem} book:new\n  It is so.\n  :::",
        "1. ```{theorem} book:new\n   It is so.\n   ```",
        ":::{THEOREM} book:new\nIt is so.\n:::",
        "[^1]: :::{theorem} book:new\n      It is so.\n      :::\n\nIt[^1].",
        ":::{admonition} New\nIt is so.\n:::",
        ":::{warning}\nIt is so.\n:::",
        ":::note\n**Theorem 99.** It is so.\n:::",
        "```{eval-rst}\n.. math:: 1\n```",
        "```{include} theorem.txt\n```",
        "```python\nTheorem(1)\n````",
        "~~~text\nIt is so.\n~~~",
        # results outside of a box
        ":::{note} Theorem 99\nIt is so.\n:::",
        ":::{note} **Theorem 99**\nIt is so.\n:::",
        ":::{fold} Lemma 9.9\nIt is so.\n:::",
        ":::{algorithm} alg-new Theorem 99\nIt is so.\n:::",
        ":::{note} New\n**Theorem 99.** It is so.\n:::",
        "::::{fold} New\n:::{note}\n**Theorem 99.** It is so.\n:::\n::::",
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
        "Theorem 99. Every matrix is good.",
        "- Theorem 2.1: Every matrix is good.",
        # HTML, attributes, comments, metadata
        "<b>Theorem 99</b> Every matrix is good.",
        "<div>Every matrix is good.</div>",
        "A matrix <em>is</em> good.",
        "{strong}`Theorem 99.` Every matrix is good.",
        "{math}`1 = 2` always.",
        "<!-- a comment -->",
        "% a comment",
        "{.d-none}\nEvery matrix is good.",
        "[Every matrix]{.d-none} is good.",
        "    indented by four",
        "![a picture](picture.png)",
        '+++ {"tags": ["remove-cell"]}\n\nEvery matrix is good.\n\n+++',
        # directives that do not end
        ":::{fold} New",
        "::::{note} New\nIt is so.\n:::",
    ],
)
def test_a_result_without_an_object_or_what_hides_one_is_seen(planted):
    assert complaints(planted)
    assert complaints(f"# A chapter\n\nWords.\n\n{planted}\n\nMore words.\n")


@pytest.mark.parametrize(
    "right",
    [
        "Theorem 5.4 of the thesis says so, and *theorem* is Greek.",
        ":::{note} Good to know\nWords, $x$, `code` and {ref}`sec-x`.\n:::",
        ":::{fold} More\n\n1. One\n2. Two\n\n```python\n1 + 1\n```\n:::",
        ":::{algorithm} alg-x The steps\n1. One\n2. Two\n\nCost: none.\n:::",
        "(sec-x)=\n## A section\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "$$\nx \\ge 0\n$$\n\nHere is {cite:t}`bach2013, section 3`.",
        ":::{solution} ex-x\nOne.\n\n```{code-cell}\n1\n```\n\nTwo.\n\n:::\n\nWords.",
    ],
)
def test_words_are_no_result(right):
    assert complaints(right) == []


def test_words_inside_a_box_are_seen():
    """No page would show them: the inside is the object's."""
    spoiled = PAGE.replace(BOX, BOX[:-3] + "It is never attained.\n:::")
    assert any("inside of definition" in line for line in surprises(spoiled))


def test_a_box_in_another_chapter_is_seen():
    assert faults("coherence", BOX) and not faults(NAME, BOX)


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!--\n{BOX}\n-->",
        f"~~~text\n{BOX}\n~~~",
        f"```text\n{BOX}\n```",
        re.sub("^", "% ", BOX, flags=re.M),
        re.sub("^", "    ", BOX, flags=re.M),
        re.sub("^", "> ", BOX, flags=re.M),
        f"- {BOX.replace(chr(10), chr(10) + '  ')}",
        f"::::{{fold}} More\n{BOX}\n::::",
        f"::::{{proof}}\n{BOX}\n::::",
        f"<div hidden>\n\n{BOX}\n\n</div>",
        f"{{.d-none}}\n{BOX}",
        f'+++ {{"tags": ["remove-cell"]}}\n\n{BOX}\n\n+++',
        f":::{{solution}} ex-x\n\n```{{code-cell}}\n1\n```\n\n{BOX}\n\n:::",
        f":::{{fold}} More\n\n{BOX}",
    ],
)
def test_a_box_that_is_hidden_is_seen_or_does_not_count(hidden):
    text = PAGE.replace(BOX, hidden)
    assert not stated(text) or complaints(text, NAME)


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        f"{HEAD}{FENCE}",
        f"{HEAD}Obvious.\n{FENCE}",
        f"{HEAD}Obvious.{' ' * 300}\n{FENCE}",
        f"{HEAD}<!--\n{ARGUMENT}\n-->\n{FENCE}",
        f"{HEAD}% {'Clearly. ' * 30}\n{FENCE}",
        f"<!--\n{PROOF}\n-->",
        f"~~~text\n{PROOF}\n~~~",
        f"```text\n{PROOF}\n```",
        f":{FENCE}{{fold}} Proof\n{PROOF}\n:{FENCE}",
        f":::{{lemma}} book:new\n:::\n\n{PROOF}",
        f"{HEAD}{ARGUMENT}",
        re.sub("^", "> ", PROOF, flags=re.M),
    ],
)
def test_a_box_without_its_proof_is_seen(spoiled):
    text = PAGE.replace(PROOF, spoiled)
    assert ID not in proved(text) or complaints(text, NAME)


def test_a_proof_before_its_box_is_no_proof():
    assert proved(f"{PROOF}\n\n{BOX}\n") == []
    assert proved(f"{BOX}\n\n{PROOF}\n") == [ID]


# ---- numbers without an owner ----


@pytest.mark.parametrize(
    "bare",
    [
        "By Theorem 5.2 it is small.",
        "Theorem 5.2 says so.",
        "This is (5.6).",
        "By Lemma 4.1 and (5.6) it is small.",
        "See *Theorem 5.2*.",
        "## The bound (5.6)",
        "- by Lemma 4.1",
        "| a | b |\n|---|---|\n| Theorem 5.2 | 1 |",
        ":::{fold} More on Theorem 5.2\nWords.\n:::",
        ":::{proof}\nBy Theorem 5.2.\n:::",
        "It is small, as theorem 5.2 says, and exercise 3 asks why.",
        "The thesis has it. Theorem 5.2 is sharp.",
        "```{code-cell}\n---\nmystnb:\n  figure:\n    caption: See Theorem 5.2.\n"
        "    name: fig-x\n---\n1\n```",
    ],
)
def test_a_bare_number_is_seen(bare):
    assert unowned(f"# A chapter\n\n{bare}\n")


@pytest.mark.parametrize(
    "owned",
    [
        "By the thesis's Theorem 5.2 it is small.",
        "Bach's Theorem 1 and the thesis's own Lemma 4.1 say so.",
        "It is there (Talwalkar 2010, Theorem 5.2).",
        "By {cite:t}`talwalkar2010, Theorem 5.2` and {ref}`talwalkar2010:thm-5.2`.",
        "By Theorems 5.2 and 5.3 of the thesis, and (5.6) of {cite:t}`bach2013`.",
        "{ref}`Theorem 5.2 <talwalkar2010:thm-5.2>` says so.",
        "[Theorem 9.5](error_bounds.ipynb#x) says so.",
        "His Theorem 1 says so.",
        "Between 1.5 and (mostly) 2.5 in 2010, `(5.6)`, $(5.6)$ and [0, 1].",
        "Theorem 5.2, (5.3) and their proofs are those of {cite:t}`talwalkar2010`.",
    ],
)
def test_a_number_with_an_owner_is_not(owned):
    assert unowned(f"# A chapter\n\n{owned}\n") == []
