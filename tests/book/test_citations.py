"""How sources are cited, and their list."""

import re

import citations
import pytest
from statements_of_texts import TEXTS

from nystheory.chapters import theorems


@pytest.mark.parametrize(
    ("argument", "in_brackets", "words"),
    [
        ("talwalkar2010", False, "Talwalkar (2010)"),
        ("talwalkar2010", True, "(Talwalkar 2010)"),
        ("talwalkar2010, section 3", False, "Talwalkar (2010, section 3)"),
        ("talwalkar2010, Theorem 5.2", True, "(Talwalkar 2010, Theorem 5.2)"),
        ("eckart1936", False, "Eckart and Young (1936)"),
    ],
)
def test_a_citation_is_a_link_that_says_whom(argument, in_brackets, words):
    key = argument.partition(",")[0]
    told = citations.cited(argument, in_brackets)
    assert told == f"[{words}](bibliography.ipynb#{key})"


def test_three_authors_are_the_first_and_others():
    three = [k for k, e in citations.entries().items() if len(e.persons["author"]) > 2]
    assert three and all(citations.authors(key).endswith(" et al.") for key in three)


def test_an_unknown_source_is_told():
    with pytest.raises(KeyError, match="no source 'nobody1900' in references.bib"):
        citations.cited("nobody1900", False)


def test_letters_stand_for_tex():
    assert citations.plain(r"Nystr{\"o}m") == "Nyström"


def test_the_list_has_every_source_once_and_in_order():
    listed = citations.listed()
    keys = re.findall(r'<a id="(.*?)"></a>', listed)
    assert sorted(keys) == sorted(citations.entries())
    names = [citations.authors(key).lower() for key in keys]
    assert names == sorted(names)
    assert not re.search(r"\\[a-z(]|[{}]", listed), "TeX is left in the list"


# --- Sources of theorems --------------------------------------------------------------

# "Dereziński, Khanna and Mahoney 2020", "Halko et al. 2011", "Bach 2013, 2016".
NAME = r"(?:El |van der |Della )?[A-Z][\w-]+"
SOURCE = re.compile(
    rf"({NAME}(?:(?:, | and | et al\.|, and ){NAME}| et al\.)*) (\d{{4}}(?:, \d{{4}})*)"
)


def surnames(key):
    people = citations.entries()[key].persons.get("author", [])
    return [citations.plain(" ".join(p.prelast_names + p.last_names)) for p in people]


def sources(number):
    """The sources that the number of a theorem names: words, and what they may be."""
    for names, years in SOURCE.findall(number):
        others = names.endswith(" et al.")
        named = re.split(r", | and ", names.removesuffix(" et al."))
        for year in years.split(", "):
            yield (
                f"{names} {year}",
                [
                    key
                    for key, entry in citations.entries().items()
                    if entry.fields["year"] == year
                    # El Alaoui is cited as Alaoui, and de Silva as Silva.
                    if _same(named, surnames(key)[: 1 if others else None])
                ],
            )


def _same(named, people):
    return [re.sub("^(El|de) ", "", n) for n in people] == named


def nowhere(theorem, number):
    """The sources that a number names, and the chapter of a theorem does not cite."""
    cited = {
        key
        for keys in re.findall(r"\{cite:[tp]\}`([^`]*)`", TEXTS[theorem.chapter])
        for key in re.split(r"[,;\s]+", keys)
    }
    return [words for words, keys in sources(number) if not cited & set(keys)]


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_a_theorem_is_of_a_source_that_its_chapter_cites(theorem):
    told = sum(len(years.split(", ")) for _, years in SOURCE.findall(theorem.number))
    assert told == len(re.findall(r"\b(?:19|20)\d\d\b", theorem.number))
    assert nowhere(theorem, theorem.number) == []


@pytest.mark.parametrize(
    ("id", "number"),
    [
        ("modern:uniform-coherence", "Bach 2013; Persson and Kressner 2023"),
        ("talwalkar2010:thm-5.4", "Theorem 5.4, from Recht 2011"),
        ("modern:uniform-coherence", "Gittens 2012"),
        ("modern:uniform-coherence", "Gittens and Bach 2013"),
    ],
)
def test_another_source_is_seen(id, number):
    assert nowhere(theorems[id], number)


def test_a_source_has_the_year_of_its_key():
    """A year that is changed in one of the two is seen."""
    years = {key: entry.fields["year"] for key, entry in citations.entries().items()}
    assert [key for key, year in years.items() if re.sub(r"\D", "", key) != year] == []
