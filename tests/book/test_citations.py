"""How sources are cited, and their list."""

import re

import citations
import pytest


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
