r"""Every letter of a box is one that its world knows, or that its words bring in.

A letter is known where a quantity of the world or a name of the box has it in its
symbol.  Else the words bring it in: a formula gives it a value, ``$H = I - J$``, or
it stands alone in the setting, ``errors $\xi$ of mean zero``; accents, indices and
arguments do not count.
"""

import re

import pytest

from nystheory.chapters import theorems

ACCENT = r"\\(?:tilde|hat|bar|breve|mathcal|mathbb|mathrm|wide\w+|overline|check)"
FORMULA = re.compile(r"\$([^$]+)\$")
LETTER = re.compile(rf"(?:{ACCENT}\s*\{{?\s*)?(\\[a-zA-Z]+|[A-Za-z])")
WORDS = re.compile(r"\\(?:operatorname\*?|text|mathrm|textrm|mathit)\{[^}]*\}")
GREEK = """
alpha beta gamma Gamma delta Delta varepsilon epsilon zeta eta theta vartheta Theta iota
kappa lambda Lambda mu nu xi Xi pi Pi rho varrho sigma Sigma tau upsilon phi varphi Phi
chi psi Psi omega Omega ell
""".split()
# Indices, Euler's number, the circle's, the identity and what is no letter of anything.
USUAL = {"i", "j", "e", "I", r"\pi"}
FREE = {
    "talwalkar2010:sec-5.2.3": ("the normal distribution function", {r"\Phi"}),
    "yang2012:prop-1": ("integers, the largest, an index", {"Z", "J", "a"}),
    "wikipedia:rff-variance": ("two points and a frequency", {"x", "y", r"\omega"}),
    "modern:rare-frequency": ("two points of the lattice", {"x", "y"}),
    "modern:pairs-or-phases": ("a frequency under a mean", {r"\omega"}),
    "modern:orthogonal-features": ("Kummer's function", {"x", "y", "F", "u"}),
    "modern:orthogonal-worse": (
        "Kummer's and Euler's functions",
        {"F", r"\Gamma", "x"},
    ),
    "wikipedia:random-binning": ("the law of that name", {r"\Gamma"}),
    "modern:frequency-leverage": ("two places", {"a", "b", "x", "M", r"\omega"}),
    "yang2012:objective-gap": ("a loss, its arguments", {"f", "z", r"\ell"}),
    "yang2012:thm-1": ("a loss, its arguments", {"f", "z", r"\ell"}),
    "yang2012:thm-2": ("a loss, its argument", {"z", r"\ell"}),
    "yang2012:fig-1": ("two points", {"x", "y"}),
    "ding2019:fig-1": ("the points", {"x"}),
    "dellavecchia2024:prop-23": ("an argument", {"A"}),
}


def letters(formula):
    """The letters of a formula without words, accents and commands."""
    found = LETTER.findall(WORDS.sub(" ", formula))
    return {x for x in found if not x.startswith("\\") or x[1:] in GREEK}


def subject(piece):
    """The letter that a piece of a formula is of, with what it is equal to."""
    head, is_given, _ = re.sub(r"\\(in|colon)\b|:", "=", piece).partition("=")
    head = re.sub(rf"^\s*{ACCENT}\s*", "", head.strip()).lstrip("{")
    one = LETTER.match(head)
    rest = head[one.end() :] if one else "more"
    rest = re.sub(r"[_^](\{[^}]*\}|\\\w+|.)|[{}'\s]|\([^()]*\)", "", rest)
    return (one[1], bool(is_given)) if not rest else ("", False)


def brought_in(theorem):
    """The letters that the words of a box bring in."""
    found = set()
    for words in [theorem.setting, *claimed(theorem)]:
        for piece in re.split(r"[,;]|\\q?quad", " , ".join(FORMULA.findall(words))):
            letter, is_given = subject(piece)
            found |= {letter} if is_given or words is theorem.setting else set()
    return found


def claimed(theorem):
    """The words of the hypotheses and claims of a box."""
    return [x.says for x in (*theorem.hypotheses.values(), *theorem.claims.values())]


def unknown(theorem):
    """The letters of the words of a box that come from nowhere."""
    symbols = [each.latex for each in theorem.quantities.values()]
    symbols += [each.latex for each in theorem.where.values()]
    known = USUAL.union(*map(letters, symbols)) | brought_in(theorem)
    formulas = FORMULA.findall(" ".join([theorem.setting, *claimed(theorem)]))
    return set().union(*map(letters, formulas)) - known


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_every_letter_of_a_box_is_known(theorem):
    """Bring it in by the setting, or enter what it is in the table."""
    assert unknown(theorem) == FREE.get(theorem.id, ("", set()))[1]


PLANTS = {
    "in the setting": ("Let $K$ have $K_{\\upsilon} = 1$.", "\\upsilon"),
    "in a bound": ("Let $K$ be such that $2 \\eta K$ is small.", "\\eta"),
    "with an accent": ("Let $K = \\tilde\\eta I$.", "\\eta"),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_letter_from_nowhere_is_seen(name):
    words, letter = PLANTS[name]
    theorem = theorems["talwalkar2010:def-2.1"].but(setting=words)
    assert unknown(theorem) == {letter}


@pytest.mark.parametrize(
    "words",
    ["Let $\\eta$ be small.", "With $\\hat\\eta_k = 2$, $\\eta > 1$.", "Let $K$ be."],
)
def test_a_letter_that_words_bring_in_is_known(words):
    assert not unknown(theorems["talwalkar2010:def-2.1"].but(setting=words))
