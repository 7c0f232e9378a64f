"""What stands between quotation marks was said by somebody, in these words.

`quoted.csv` lists the quotations of the pages with whose words they are: a source of
the book, another work of the bibliography, an address, or `-` for a sentence that
nobody wrote, a statement to be tried. Who changes a quotation reads its source, and
changes the table.
Where the variable NYSTHEORY_SOURCES names a folder with the texts of the five sources,
each quotation of them is looked up there, in the pages and in the printed forms, and
``python tests/book/test_quotations.py`` notes in `looked_up.txt` which were found.  So
words that are changed, in a page and in its table, are seen without the sources.
"""

import csv
import hashlib
import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from nystheory.chapters.adaptive_sampling import table_4_2
from nystheory.chapters.manifolds import experiments as manifolds

HERE = Path(__file__).parent
TEXTS = sorted(HERE.parents[1].glob("book/md/*.md"))
PRINTED = HERE.parent / "engine" / "printed.csv"
FOLDER = os.environ.get("NYSTHEORY_SOURCES", "")
# How the name of a source's file begins.
FILES = {
    "talwalkar2010": "talwalkar-2010",
    "yang2012": "yang-2012",
    "dellavecchia2024": "della-vecchia",
    "ding2019": "ding-2019",
    "wikipedia": "wikipedia",
}
FENCED = re.compile(r"^(`{3,})(?:\{code-cell\}|python).*?^\1\s*$", re.S | re.M)
COMPUTED = re.compile(r"\{\{.*?\}\}", re.S)
CODE = re.compile(r"(?<!`)`[^`\n]*`(?!`)")
QUOTED = re.compile(r'"([^"\n]+)"|“([^”\n]+)”')
FORMULA = re.compile(r"\$[^$]*\$|…|\[[^\]]*\]|\\[a-zA-Z]+")
LAYOUT = re.compile(
    r"\\(?:mathbf|boldsymbol|text|quad|[Bb]ig[lr]?)(?![a-z])"
    r"|\\(?:left|right)(?!arrow)|\\[\\,]|[\s{}$&*]|\\tag\{[\d.]+\}|\(\d\.\d+\)"
)
needs_sources = pytest.mark.skipif(
    not FOLDER, reason="the sources are not shipped: NYSTHEORY_SOURCES names a folder"
)


def quotations(text):
    """What a text quotes, of two words or more, code and numbers left out."""
    words = CODE.sub("code", COMPUTED.sub("number", FENCED.sub("", text)))
    found = [one or other for one, other in QUOTED.findall(words)]
    return [quoted for quoted in found if len(quoted.split()) >= 2]


def listed():
    """The rows of the table: page, source, words."""
    with (HERE / "quoted.csv").open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def printed():
    """The printed forms, with the source of each."""
    with PRINTED.open(encoding="utf-8", newline="") as file:
        return [(row[0], row[0].split(":")[0], row[2]) for row in csv.reader(file)]


def tabulated():
    """Rows of printed tables whose numbers stand in the code: table, source, row."""
    for name in ("ABN", "MNIST"):
        for row in table_4_2.printed(name).values():
            numbers = (x for pair in row.values() for x in pair if x is not None)
            yield "Table 4.2", "talwalkar2010", " ".join([name, *map(str, numbers)])
    names = {
        "exact Isomap": "Exact Isomap",
        "Column-sampling Isomap": "Col-Sampling Isomap",
        "Laplacian eigenmaps": "Laplacian Eigenmaps",
    }
    larger = manifolds.PRINTED_LARGER
    nearest = [str(row[1]) for row in larger.values() if 1 in row]
    yield "Table 3.5", "talwalkar2010", " ".join(nearest)
    for table in (manifolds.PRINTED, larger):
        for name, row in table.items():
            clusters = [row["purity"], row["accuracy"]]
            errors = [row[key] for key in manifolds.NEIGHBOURS if 3 in row]
            for some in filter(None, (clusters, errors)):
                words = " ".join([names.get(name, name), *map(str, some)])
                yield "Tables 3.2 to 3.5", "talwalkar2010", words


def unlike_its_row(row):
    """Whether no line of the source begins so and has these numbers, in this order.

    Deviations stand in the lines of Tables 3.2 to 3.5 and not in the code.
    """
    name, numbers = re.fullmatch(r"(.*?) ?([\d. ]+)", row[2]).groups()
    for line in text_of(row[1]).splitlines():
        plain = re.sub(r"<[^>]*>", "", line)
        if row[0] != "Table 4.2":
            plain = re.sub(r"\(.*?\)", "", plain)
        begins = re.match(rf"[^A-Z]*{re.escape(name)}" if name else "", plain)
        rest = plain[begins.end() :] if begins else ""
        if re.findall(r"\d+\.\d+", rest) == numbers.split():
            return []
    return [row[2]]


OF_SOURCES = [row for row in (*listed(), *printed()) if row[1] in FILES]
OF_TABLES = [*tabulated()]
ALL = OF_SOURCES + OF_TABLES


def letters(words):
    """Letters and digits alone: scans differ in spaces, hyphens and ligatures."""
    plain = unicodedata.normalize("NFKD", words).lower()
    return re.sub(r"[^a-z0-9]", "", plain)


def lost(quoted, source):
    """The pieces of words between formulas that a source does not have.

    Formulas are left out: in two of the sources most are damaged.
    """
    pieces = map(letters, FORMULA.split(quoted))
    return [each for each in pieces if len(each) > 3 and each not in source]


def flat(words):
    """Words and formulas without their layout."""
    plain = re.sub(r"\\(le|ge)q(?![a-z])", r"\\\1", words)
    return LAYOUT.sub("", plain.replace(r"\Delta", "Δ"))


@cache
def text_of(key):
    """The text of a source."""
    (path,) = Path(FOLDER).glob(f"{FILES[key]}*")
    text = path.read_text("utf-8")
    if path.suffix == ".json":  # a line's end is written there, not made
        text = re.sub(r"\\n", " ", text)
        text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
    return text


@cache
def source(key):
    """The letters of a source."""
    return letters(text_of(key))


def test_each_quotation_is_listed_with_whose_words_it_is():
    """And nothing is listed that no page quotes."""
    found = [
        (path.stem, quoted)
        for path in TEXTS
        for quoted in quotations(path.read_text("utf-8"))
    ]
    assert sorted(found) == sorted((page, words) for page, _, words in listed())


def test_whose_words_is_a_source_or_in_the_bibliography():
    """A sentence that nobody wrote belongs to `-`."""
    works = (HERE.parents[1] / "book" / "references.bib").read_text("utf-8")
    told = [
        row
        for row in listed()
        if row[1] not in {*FILES, "-"}
        and not row[1].startswith("https://")
        and f"{{{row[1]}," not in works
    ]
    assert told == []


def test_a_changed_word_is_seen():
    """Whatever the layout of the source."""
    text = letters("a rank- k approx-\nimation of K, with ﬁnite Nystr¨om error")
    assert not lost("approximation of $K$, with finite Nyström error", text)
    assert lost("approximation of $K$, with infinite Nyström error", text)
    assert quotations('{{ x["a b c d e"] }} says "one two three four", "one"') == [
        "one two three four"
    ]


def unlike(row):
    """The pieces of a quotation that its source has not; one may begin a sentence."""
    if row in OF_TABLES:
        return unlike_its_row(row)
    told = lost(row[2], source(row[1]))
    if row[1] == "talwalkar2010":
        there = flat(text_of(row[1]))
        told += [x for x in map(flat, row[2].split("…")) if x[1:] not in there]
    return told


def note(row):
    """What is noted of a quotation that was found."""
    return hashlib.sha256("\n".join(row[1:3]).encode()).hexdigest()[:12]


def test_each_quotation_was_found_in_its_source():
    """Look it up, ``NYSTHEORY_SOURCES=... python tests/book/test_quotations.py``."""
    noted = {*(HERE / "looked_up.txt").read_text("utf-8").split()}
    assert [row for row in ALL if note(row) not in noted] == []


def test_a_changed_digit_is_seen():
    (row,) = (x for x in OF_TABLES if x[2].startswith("MNIST 67.5"))
    assert note((*row[:2], row[2].replace("58.3", "53.8"))) != note(row)
    if FOLDER:
        assert unlike_its_row((*row[:2], row[2].replace("58.3", "53.8")))


@needs_sources
@pytest.mark.parametrize("row", ALL, ids=lambda row: f"{row[0]}, {row[2][:30]}")
def test_a_quotation_is_what_a_source_says(row):
    """On a page and in `printed.csv`; formulas are compared where they are legible."""
    assert unlike(row) == []


if __name__ == "__main__":
    assert FOLDER, "NYSTHEORY_SOURCES names the folder of the sources"
    found = sorted({note(row) for row in ALL if not unlike(row)})
    (HERE / "looked_up.txt").write_text("\n".join(found) + "\n", "utf-8")
