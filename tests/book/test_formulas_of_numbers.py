"""What formulas say of numbers alone is true: each link of each chain, as computed."""

import re

import pytest
from make_notebooks import BOOK
from numbers_of_formulas import NotANumber, holds, links, value

PAGES = sorted(path.stem for path in (BOOK / "md").glob("*.md"))
LISTING = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def false_links(text):
    """The links between two numbers that are false to the digits that they show."""
    return [link for link in links(LISTING.sub("", text)) if not holds(*link)]


@pytest.mark.parametrize("name", PAGES)
def test_formulas_between_numbers_hold(name):
    assert not false_links((BOOK / "md" / f"{name}.md").read_text("utf-8"))


def test_the_book_has_such_formulas():
    texts = [(BOOK / "md" / f"{name}.md").read_text("utf-8") for name in PAGES]
    assert sum(len(list(links(LISTING.sub("", text)))) for text in texts) > 40


@pytest.mark.parametrize(
    "formula, number",
    {
        r"\frac12": 0.5,
        r"\frac{0.75}{\sqrt{100}}": 0.075,
        r"-\frac12 (-1 + 4 - 1)": -1,
        r"2 \sqrt 2 \sqrt{50}": 20,
        r"51\,000": 51000,
        r"\binom63": 20,
        r"64^{1/4} \cdot 2^2": 4 * 64**0.25,
        r"\log_{10} 1000": 3,
        r"2^{-1} e^2 / e^2": 0.5,
        r"3!": 6,
    }.items(),
)
def test_formulas_are_read(formula, number):
    assert value(formula) == pytest.approx(number)


@pytest.mark.parametrize(
    "formula", ["n", r"2 \alpha", "", r"\frac1", "(1", "1)", "1/0"]
)
def test_what_is_no_number_has_no_value(formula):
    with pytest.raises(NotANumber):
        value(formula)


PLANTS = [
    r"$1.2^2 = 1.45$",
    r"$K = \sqrt 2 \sqrt{8} = 5$",
    r"$\frac1{1 + 10} = \frac1{12}$",
    r"$$x = 50^2 = 250, \quad y$$",
    r"$2 \log 2 > 1.4$",
    r"$3 < 2$",
    r"$\pi \approx 3.5$",
]


@pytest.mark.parametrize("planted", PLANTS)
def test_a_false_link_is_seen(planted):
    assert false_links(planted)


@pytest.mark.parametrize(
    "fair",
    [r"$\sqrt 2 = 1.41$", r"$x = 3$", r"$\frac13 = 0.33 < 1$", "```\n$1 = 2$\n```"],
)
def test_a_true_link_passes(fair):
    assert not false_links(fair)
