"""Properties of what people see: ledgers, tables, words on a page, and promises.

The verdicts are made up, with names and formulas that try to break out of a page.
"""

import html
import json
import math
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import style
from nystheory.engine.promises.promises import EACH, LARGEST, NORMS, SMALLEST, Promise
from nystheory.engine.report.ledger import DerivationTable, Ledger
from nystheory.engine.trial.results import GOOD, STRENGTH, Refutation, Result
from nystheory.engine.trial.statistics import FALSE_ALARMS, LEVEL
from nystheory.engine.trial.verdict import FIELDS, Verdict

quick = settings(deadline=None, derandomize=True, max_examples=60)


def joined(*signs):
    """Words made of some signs."""
    return st.lists(st.sampled_from(signs), max_size=8).map("".join)


# Words without a sign that Markdown reads, and words with them; of a formula and of
# code only one, see the end.
PLAIN = ("a", "<b>", "&amp;", "<script>", "</td>", '"', "'", " ", "é", ">", "<!--")
MARKED = ("a", "b ", "<i>", "</p>", "&", "*", "_", "\n")
plain = joined(*PLAIN)
marked = joined(*MARKED, "$", "$$", "\\(") | joined(*MARKED, "`")
# The same for what is large, drawn faster.
said = st.sampled_from(
    (
        "",
        "a",
        "<b>x</b>",
        "&lt;",
        "</td></tr>",
        'x" onclick="y',
        "<script>alert(1)</script>",
    )
)
noted = said | st.sampled_from(("$x < y$", "*a*", "$$<i>$$", "a\n\nb", "`<p>`", "$<b>"))
line = said.map(lambda words: f"x{words}x")  # in a terminal a cell is never empty
floats = st.floats() | st.floats().map(np.float64)


class Page(HTMLParser):
    """The elements and the words of some HTML; what is not closed in order is told."""

    SINGLE = ("br",)

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.words, self.wrong, self._open = [], [], [], []
        self.feed(page)
        self.close()
        self.wrong += self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        known = ("class", "colspan", "scope", "title")
        self.wrong += [
            key
            for key, value in attrs
            if key not in known and (key, value) != ("style", "text-align:left")
        ]
        if tag not in self.SINGLE:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"/{tag}")

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        self.wrong.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


OURS = set("div table caption thead tbody tr th td details summary span p".split())
OURS |= {"code", "em", "br", "strong"}


def checked(page):
    """A page, if it has only our own elements, each closed in its place."""
    found = Page(page)
    assert set(found.tags) <= OURS and not found.wrong, page
    return found


# --- The ledger -----------------------------------------------------------------------

refutations = st.builds(
    Refutation,
    name=noted,
    line=said,
    latex=said,
    refuted=st.booleans(),
    by=st.sampled_from(("exact", "enclosed", "enumerated", "float")),
    left=said,
    right=said,
    reason=noted,
)
results = st.builds(
    Result,
    name=said,
    latex=said,
    kind=st.sampled_from(("inequality", "identity", "probability", "rate")),
    outcome=st.sampled_from((*GOOD, "refuted", "undecided")),
    evidence=st.lists(st.sampled_from(STRENGTH), max_size=4).map(tuple),
    decided=st.integers(0, 999),
    undecided=st.integers(0, 999),
    observed=floats,
    bound=floats,
    tightness=floats,
    excess=floats,
    tests=st.integers(0, 60),
    reason=said,
    controls=st.lists(refutations, max_size=3).map(tuple),
)


@st.composite
def verdicts(draw):
    found = draw(st.lists(results, min_size=1, max_size=3).map(tuple))
    controls = {c.name: None for f in found for c in f.controls}
    keys = ("id", "source", "number", "kind", "status", "title")
    keys += ("cited", "linked", "book_number", "address")
    told = {key: draw(line) for key in keys}
    without = {"hypotheses": {}, "where": {}, "loose": {}}
    theorem = SimpleNamespace(**told, controls=controls, **without)
    printed = draw(st.lists(refutations, max_size=2).map(tuple))
    derivation = draw(st.sampled_from(("none", "checked, scalars", "broken: line 2")))
    return Verdict(theorem, found, printed, derivation, "1", draw(st.floats(0, 1e3)))


ledgers = st.lists(verdicts(), max_size=3).map(tuple).map(Ledger)


def no_constant(name):
    raise AssertionError(f"{name} is no JSON")


@quick
@given(ledgers)
def test_json_has_a_row_each_and_is_read_by_any_reader(ledger):
    """No NaN and no Infinity, which JavaScript would refuse."""
    rows = json.loads(ledger.to_json(), parse_constant=no_constant)
    assert rows == ledger.rows() and len(rows) == len(ledger)
    for row, verdict in zip(rows, ledger, strict=True):
        assert tuple(row) == FIELDS and row["id"] == verdict.theorem.id
        assert len(row["claims"]) == len(verdict.results)
        one = json.loads(verdict.to_json(), parse_constant=no_constant)
        assert one == row
        tight = row["tightness"]
        assert tight is None or tight == verdict.tightness


@quick
@given(ledgers)
def test_text_is_an_aligned_table_with_a_line_each(ledger):
    header, *lines, summary = ledger.to_text().split("\n")
    keys = header.split()
    starts = [header.index(key) for key in keys]
    assert len(lines) == len(ledger) and summary.startswith(ledger.summary())
    for shown, row in zip(lines, ledger.rows(), strict=True):
        for key, start, end in zip(keys, starts, [*starts[1:], None], strict=True):
            assert shown[start:end].strip() == style.number(row[key]).strip()


@quick
@given(ledgers, ledgers)
def test_a_sum_of_ledgers_is_one_after_the_other(one, other):
    both = one + other
    assert both.rows() == one.rows() + other.rows()
    assert both.to_text().split("\n")[1:-1] == [
        *_cells(one, both),
        *_cells(other, both),
    ]
    assert [*both] == [*one, *other] and both.red == one.red + other.red
    for count in ("tried", "controls"):
        assert getattr(both, count) == getattr(one, count) + getattr(other, count)
    assert math.isclose(both.false_alarms, one.false_alarms + other.false_alarms)


def _cells(part, whole):
    """The lines of a ledger, as wide as those of another."""
    ids = {id(verdict) for verdict in part}
    lines = whole.to_text().split("\n")[1:-1]
    return [x for x, v in zip(lines, whole, strict=True) if id(v) in ids]


@quick
@given(ledgers)
def test_a_ledger_is_true_when_all_is_good_within_the_budget(ledger):
    good = all(verdict.outcome in GOOD for verdict in ledger)
    tests = sum(f.tests for verdict in ledger for f in verdict.results)
    assert bool(ledger) == (good and LEVEL * tests <= FALSE_ALARMS)
    assert bool(ledger.red) != good
    assert all(bool(verdict) != bool(verdict.complaint()) for verdict in ledger)


@quick
@given(ledgers)
def test_a_ledger_shows_itself_without_foreign_markup(ledger):
    page = checked(ledger._repr_html_())
    assert page.tags.count("details") == len(ledger)
    claims = sum(len(verdict.results) for verdict in ledger)
    # Two rows for each theorem, one for each claim, and a header for each table.
    assert page.tags.count("tr") == 1 + 3 * len(ledger) + claims


@quick
@given(verdicts())
def test_a_verdict_shows_itself_without_foreign_markup(verdict):
    page = checked(verdict._repr_html_())
    controls = len(verdict.controls) + len(verdict.printed)
    derived = verdict.derivation != "none"
    bounds = len(verdict.standing)
    folded = bounds + 1 if bounds else 0  # with their header
    rows = 1 + len(verdict.results) + controls + derived
    assert page.tags.count("tr") == rows + folded


@quick
@given(st.lists(st.tuples(plain, plain), max_size=4), plain, plain)
def test_a_derivation_shows_itself_without_foreign_markup(lines, title, number):
    page = checked(DerivationTable(title, number, lines)._repr_html_())
    assert page.tags.count("p") == 1 + len(lines)


# --- Words and tables -----------------------------------------------------------------


@quick
@given(plain)
def test_plain_words_are_shown_as_they_are(words):
    page = checked(style.text(words))
    assert "".join(page.words) == words and page.tags == []
    assert html.unescape(style.text(words)) == words


@settings(quick, max_examples=300)
@given(marked)
def test_marked_words_bring_only_our_markup(words):
    page = checked(style.text(words))
    assert set(page.tags) <= {"br", "em", "code"}


@quick
@given(plain, plain)
def test_formulas_and_code_are_escaped_too(inside, words):
    shown = style.text(f"{words} $y{inside}$ `y{inside}`")
    assert set(checked(shown).tags) == {"code"}
    formula = "\\(y" + html.escape(inside, quote=False) + "\\)"
    for entity, mark in (("&lt;", "\\lt "), ("&gt;", "\\gt "), ("&amp;", "& ")):
        formula = formula.replace(f"{entity} ", mark).replace(entity, mark)
    # Where it may break it is several, with spaces between.
    assert re.sub(r"\\\) \\\(|\s|\{\}", "", formula) in re.sub(
        r"\\\) \\\(|\s|\{\}", "", shown
    )


cells = plain | floats | st.integers(-(10**9), 10**9) | st.none() | st.booleans()


@quick
@given(
    st.lists(plain, min_size=1, max_size=3).flatmap(
        lambda header: st.tuples(
            st.just(header), st.lists(st.tuples(*[cells] * len(header)), max_size=4)
        )
    ),
    plain,
)
def test_a_table_has_its_cells_and_no_foreign_markup(table, caption):
    header, rows = table
    page = style.table(rows, header, caption)
    found = checked(page)
    assert found.tags.count("th") == len(header)
    assert found.tags.count("td") == len(header) * len(rows)
    assert found.tags.count("caption") == bool(caption)
    words = [caption, *header, *(style.number(x) for row in rows for x in row)]
    assert "".join(found.words) == "".join(words)
    assert style.Table(tuple(header), rows, caption)._repr_html_() == page


@quick
@given(st.lists(st.tuples(plain, plain), max_size=3), plain)
def test_a_folded_table_is_closed_and_escaped(rows, summary):
    folded = style.Folded(summary, ("one", "outcome"), rows)
    page = checked(style.table([(folded,)], ("x",)))
    assert page.tags.count("details") == page.tags.count("summary") == 1
    assert page.tags.count("tr") == 3 + len(rows)


# --- Promises -------------------------------------------------------------------------

WAYS = (EACH, SMALLEST, LARGEST)


@quick
@given(
    st.sampled_from(sorted(NORMS)) | plain,
    st.dictionaries(
        st.sampled_from(("k", "alpha", "accuracy")),
        st.sampled_from((*WAYS, "best", "")),
    ),
)
def test_a_promise_takes_a_norm_and_ways_that_there_are(norm, free):
    """Every rank is tried, of other numbers an end is taken; all else is an error."""
    fits = all(
        way in WAYS and (way == EACH) == (name == "k") for name, way in free.items()
    )
    if norm in NORMS and fits:
        assert Promise(norm, "uniform", free).free == free
        return
    with pytest.raises(
        ValueError, match="norm: expected" if norm not in NORMS else "free"
    ):
        Promise(norm, "uniform", free)


# --- What was wrong once --------------------------------------------------------------


def test_code_that_begins_in_a_formula_and_ends_in_stars():
    checked(style.text("$a`b$c*d` e*"))
