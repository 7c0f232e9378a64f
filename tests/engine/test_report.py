"""What people see: the ledger, the errata, a theorem in words, the command line."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from planted_theorem import BASE

import nystheory
from nystheory import style
from nystheory.__main__ import main
from nystheory.chapters import theorems
from nystheory.engine import Instance, report
from nystheory.engine.report import artists, page, phones, words
from nystheory.engine.trial.results import BLURRED_SHARE, ENOUGH, Result
from nystheory.engine.trial.statistics import FALSE_ALARMS
from nystheory.engine.trial.verdict import FIELDS, Verdicts
from nystheory.engine.trial.verification import verify

SOME = [
    theorems[id]
    for id in (
        "talwalkar2010:thm-2.1",
        "talwalkar2010:eq-2.13",
        "talwalkar2010:eq-2.24",
    )
]
SLIP = theorems["talwalkar2010:eq-2.13"]


@pytest.fixture(scope="module")
def ledger():
    return report.run(SOME)


def test_ledger_has_the_fields(ledger):
    rows = json.loads(ledger.to_json())
    assert [list(row) for row in rows] == [list(FIELDS)] * len(SOME)
    assert FIELDS == (
        *("id", "source", "number", "kind", "status", "outcome", "evidence"),
        *("observed", "bound", "tightness", "control_refuted", "printed_refuted"),
        *("effort", "seconds", "reason", "claims"),
    )
    assert rows[0]["printed_refuted"] is True and rows[2]["printed_refuted"] is None
    assert all(row["control_refuted"] is True for row in rows)


def test_ledger_is_green_within_the_budget(ledger):
    assert ledger and not ledger.red
    assert ledger.false_alarms <= FALSE_ALARMS


def test_ledgers_add_up(ledger):
    parts = [report.run([theorem]) for theorem in SOME[:2]]
    joined = parts[0] + parts[1]
    assert [v.theorem for v in joined.verdicts] == SOME[:2]
    assert joined.tried == parts[0].tried + parts[1].tried


def test_ledger_shows_itself(ledger):
    assert "3 of 3 theorems green" in ledger.to_text()
    page = ledger._repr_html_()
    assert page.count("<details>") == 3
    assert "talwalkar2010:eq-2.13" in page


def test_bars_of_the_ledger_are_those_of_their_theorems(ledger):
    axes = ledger.plot().axes[0]
    shown = [v for v in ledger.verdicts if np.isfinite(v.tightness)]
    assert len(shown) == 2
    bars = [(x.get_x(), x.get_width(), x.get_y()) for x in axes.patches]
    assert bars == [(0, v.tightness, k - 0.4) for k, v in enumerate(shown)]
    numbers = [v.theorem.book_number for v in shown]
    assert artists.ticks(axes.yaxis) == dict(enumerate(numbers))
    assert artists.unnamed(axes)["black -"].tolist() == [[1, 1], [0, 1]]
    assert artists.words(axes)[:2] == ("tightness", "")
    assert axes.get_xlim() == (0, 1.1)


def test_many_bars_stand_in_three_panels_in_the_order_of_the_book(ledger):
    """On a sheet of paper, and on a phone with a line for each name."""
    (verdict,) = (v for v in ledger.verdicts if v.theorem is SOME[0])
    many = report.ledger.Ledger((verdict,) * (report.ledger.IN_ONE_PANEL + 1))
    figure = many.plot()
    counts = [len(axes.patches) for axes in figure.axes]
    assert counts == [9, 9, 8] and len({axes.get_ylim() for axes in figure.axes}) == 1
    tall = report.ledger.Ledger((verdict,) * 120).plot()
    assert tall.get_size_inches()[1] < 7.6 * 257 / 174  # a page of text
    on_a_phone = phones.stacked(tall).get_size_inches()
    assert on_a_phone[1] > 120 * phones.A_NAME


def test_verdict_does_not_depend_on_what_else_runs(ledger):
    alone = report.run(SOME[2:]).verdicts[0]
    assert alone._repr_html_() == ledger.verdicts[2]._repr_html_()


def test_processes_share_the_theorems(ledger):
    shared = report.run(SOME, workers=2)
    assert shared._repr_html_() == ledger._repr_html_()
    assert [v.theorem for v in shared] == SOME
    planted = [SOME[1].asserting(false="error_F <= 0.5 * tail_F")]
    assert not report.run(planted, workers=2)  # stands nowhere


def test_ratios_of_a_verdict_are_counted_claim_by_claim(ledger):
    verdict = ledger.verdicts[2]
    shown = [x for x in verdict.results if len(x.ratios)]
    (axes,) = verdict.plot(9).axes
    top = max(1.05, *(x.ratios.max() for x in shown))
    edges = np.linspace(0, top, 9)
    assert len(axes.patches) == len(shown)
    for outline, each in zip(axes.patches, shown, strict=True):
        label = f"{each.name}; largest {each.ratios.max():.3g}"
        assert outline.get_label() == label
        counts = np.histogram(each.ratios, edges)[0]
        assert outline.get_xy()[1:-1:2, 1].tolist() == counts.tolist()
    title = f"{verdict.theorem.book_number}: {verdict.tried} cases tried"
    x = "observed / bound (above 1 the statement would be false)"
    assert artists.words(axes) == (x, "comparisons", title, "linear log")


def test_verdict_plot_is_a_picture(ledger):
    figure = ledger.verdicts[2].plot()
    assert figure._repr_mimebundle_()[0]["image/png"].startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no bound"):
        verify(SOME[1], np.random.default_rng(0)).plot()


def test_errata_keep_four_weights_apart():
    errata = report.errata([*SOME, theorems["talwalkar2010:thm-2.2-form"]])
    assert len(errata) == 4
    assert len(errata.weight("false statement")) == 1
    assert all(result.outcome == "refuted" for _, _, result in errata.entries)
    assert "As proved" in errata._repr_html_()


def test_an_erratum_says_in_which_version_it_appeared():
    printed = replace(next(iter(SLIP.printed.values())), since="0.7.1")
    shown = report.errata([SLIP.but(printed={"one": printed})])._repr_html_()
    assert "version 0.7.1 of the book" in shown


def test_every_version_of_the_errata_is_in_the_changelog():
    told = (Path(__file__).parents[2] / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## ([\d.]+)", told, re.M)
    assert nystheory.__version__ in ("unknown", *versions)
    for theorem in theorems.values():
        assert {printed.since for printed in theorem.printed.values()} <= {*versions}


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_explain(theorem):
    told = words.explain(theorem)
    assert theorem.number in told
    assert ("\nAs printed (" in told) == bool(theorem.printed)
    assert "Controls" in told


def test_an_id_is_no_theorem():
    for tell in (words.explain, words.where):
        with pytest.raises(TypeError, match="^theorem: expected a Theorem, .*'book:x'"):
            tell("book:x")


def test_command_line_explains(capsys):
    assert main(["explain", "talwalkar2010:eq-2.13"]) == 0
    assert "Schur complement" in capsys.readouterr().out
    assert main(["explain", "talwalkar2010:eq-9.9"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert main(["explain", "talwalkar2010:thm-5.2"]) == 2
    assert "talwalkar2010:thm-5.2-spectral or" in capsys.readouterr().err
    assert main(["where", "Ridge", "regression"]) == 0
    with pytest.raises(SystemExit):
        main(["ledger", "--se", "3"])
    with pytest.raises(SystemExit):
        main(["ledger", "--quick", "--full"])
    assert "not allowed with" in capsys.readouterr().err


def test_command_line_runs_as_a_module():
    command = [sys.executable, "-m", "nystheory", "explain", "talwalkar2010:thm-2.3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Exact recovery")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.25, "0.25"),
        (3.0, "3"),
        (np.True_, "yes"),
        (None, "-"),
        (1e-12, "1.00e-12"),
        (123456.7, "1.23e+05"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_numbers(value, shown):
    assert style.number(value) == shown


def test_text_keeps_formulas_and_escapes_the_rest():
    assert style.text("a < b, $x_1 < y$, `f(x)`, *not*") == (
        'a &lt; b, <span class="nys-join">\\(x_1 \\lt y\\),</span> '
        "<code>f(x)</code>, <em>not</em>"
    )


def test_a_verdict_shows_where_it_came_closest():
    """The worst instance of every claim with a bound, as a matrix if it is small."""
    verdict = verify(
        theorems["talwalkar2010:eq-5.3"], np.random.default_rng(0), "quick"
    )
    shown = verdict._repr_html_()
    assert "Where it came closest to failing" in shown
    assert r"\begin{pmatrix}" in shown and "is claimed" in shown
    identity = verify(
        theorems["talwalkar2010:eq-2.2"], np.random.default_rng(0), "quick"
    )
    assert "closest" not in identity._repr_html_()


# ---- Every line of a verdict, against its results ----


def made_up(**fields):
    """A verdict of three claims, every number of which is another one."""
    base = verify(theorems["talwalkar2010:thm-2.1"], np.random.default_rng(0))
    good = base.results[0].controls
    small = Instance.exactly([0], 1, matrix=[[2, 1], [1, 3]])
    bounded = Result(
        *("above", "a", "inequality", "verified", ("exact", "own instances")),
        *(61, 7, 0.11, 0.22, 0.33),
        worst=small,
        controls=good,
    )
    allowed = Result(
        *("chance", "b", "probability", "certified", ("enumerated",)),
        *(72, 0, 0.44, 0.55, 0.66, 0.77),
        worst=small,
        controls=good,
    )
    below = Result(
        *("least", "c", "probability", "certified", ("enumerated",)),
        *(83, 0, 0.88, 0.85, 0.5, 0.5),
        from_below=True,
        reason="why not",
        controls=good,
    )
    of = base.theorem
    theorem = of.but(controls={c.name: of.controls[c.name] for c in good})
    known = {"theorem": theorem, "results": (bounded, allowed, below), "printed": ()}
    return replace(base, **known | {"derivation": "none", **fields})


def lines_of(shown, tag):
    """The words of each element of a kind."""
    found = re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", shown, re.S)
    return [re.sub(r"<br>", " / ", line) for line in found]


def words_of(line):
    return [re.sub(r"<[^>]*>", "", cell) for cell in lines_of(line, "td")]


def test_every_row_of_a_verdict_is_that_of_a_result():
    verdict = made_up()
    rows = [words_of(row) for row in lines_of(verdict._repr_html_(), "tr")]
    assert rows[1:4] == [
        ["verified", r"above: \(a\)", "61, 7 undecided", "exact, own instances"]
        + ["0.33"],
        ["certified", r"chance: \(b\)", "72", "enumerated", "0.66"],
        ["certified", r"least: \(c\)", "83", "enumerated", "0.5"],
    ]
    assert rows[4][0] == "rightly refuted" and rows[4][3] == "exact"
    # After whom it was proved, what was reached of it, and its controls.
    told = ["after Talwalkar 2010, Theorem 2.1", "Nyström is a projector"]
    allowed = "failed with 0.77 of the chance that is allowed"
    assert rows[6:] == [
        ["above", told[0], "0.33 of the bound", told[1]],
        ["chance", told[0], allowed, told[1]],
        ["least", told[0], "the bound was 0.5 of the chance", told[1]],
    ]
    followed = replace(verdict.results[0], evidence=("symbolic for every n", "exact"))
    derived = made_up(
        results=(followed, *verdict.results[1:]), derivation="checked, every n"
    )
    rows = [words_of(row) for row in lines_of(derived._repr_html_(), "tr")]
    assert rows[5] == ["checked", "derivation of above: every n", "", "", ""]
    assert rows[7][1] == "after Talwalkar 2010, Theorem 2.1; symbolic for every n"
    assert rows[1][3] == "symbolic for every n, exact"


def test_every_line_below_the_table_is_that_of_a_result():
    """Observed before bound, the chance that was met before the factor."""
    _, _, below = made_up()._repr_html_().partition("</table>")
    assert lines_of(below, "p") == [
        "chance: failed with at most 0.77 of the chance that is allowed; the check "
        "would still pass with 0.66 times the bound.",
        "least: the chance was never less than 2 times its bound, which could be "
        "multiplied by no more before the check refuted the claim.",
        "least: why not",
    ]
    summaries = ["Proved, reached, refuted", "Where it came closest to failing"]
    assert lines_of(below, "summary") == summaries
    told = [re.sub(r"<[^>]*>", "", line) for line in lines_of(below, "li")]
    where = (
        r"\(K\) \(= \begin{pmatrix}2 & 1\\1 & 3\end{pmatrix}\), columns 1, \(k = 1\)."
    )
    assert told == [
        f"above: 0.11 where 0.22 is claimed. {where}",
        f"chance: 0.44 where 0.55 is claimed. {where}",
    ]
    # The table that is folded is compared above, with the other one.
    below = re.sub(r"<table.*?</table>", "", below, flags=re.S)
    left = re.sub(r"<(p|summary|li)>.*?</\1>", "", below)
    assert re.sub(r"<[^>]*>", "", left) == "", "a line that is not compared here"


def test_the_caption_says_the_outcome():
    (caption,) = lines_of(made_up()._repr_html_(), "caption")
    assert caption.endswith(": certified")


# ---- Few cases: the reason stands beside the word ----

FEW = "there are nine of them"


def of_few_cases(decided, undecided=0):
    """A good verdict of one claim, with a reason why so many cases are enough."""
    good = verify(BASE, np.random.default_rng(1))
    counts = {"decided": decided, "undecided": undecided}
    one = replace(good.results[0], reason=FEW, **counts)
    return replace(good, results=(one,))


def lines_that_say_verified(verdict, monkeypatch):
    """Of everything that shows a verdict."""
    monkeypatch.setattr(page, "verify", lambda theorem: verdict)
    ledger = report.Ledger((verdict,))
    told = [repr(verdict), *repr(Verdicts((verdict,))).splitlines()]
    told += ledger.to_text().splitlines() + [str(row) for row in ledger.rows()]
    told += ledger.to_json().replace("\n", " ").split("}, {")
    box = page.verdict(verdict.theorem)
    for shown in (verdict._repr_html_(), ledger._repr_html_(), box):
        told += lines_of(shown.replace("<tr><td colspan", "</tr><tr><td colspan"), "tr")
        told += lines_of(shown, "caption") + lines_of(shown, "summary")
    # What the words mean is told on a pointer, and is no verdict.
    told = [re.sub(r'title="[^"]*"', "", line) for line in told]
    return [line for line in told if "verified" in line]


@pytest.mark.parametrize(
    ("decided", "undecided", "lacking"),
    [(9, 0, "few cases"), (49, 0, "few cases"), (75, 25, "many undecided")],
)
def test_where_cases_are_few_the_reason_stands_beside_verified(
    decided, undecided, lacking, monkeypatch
):
    verdict = of_few_cases(decided, undecided)
    assert verdict and verdict.outcome == "verified"
    told = lines_that_say_verified(verdict, monkeypatch)
    assert len(told) >= 10 and all(FEW in line for line in told)
    assert verdict.reason == f"{lacking} of spectral: {FEW}"


def test_where_cases_are_enough_it_does_not(monkeypatch):
    verdict = of_few_cases(50)
    told = lines_that_say_verified(verdict, monkeypatch)
    claims = [line for line in told if '"reason"' in line or "'reason'" in line]
    assert not any(FEW in line for line in told if line not in claims)
    assert verdict.reason is None
    assert FEW in verdict._repr_html_(), "below the table"


def test_what_verified_means_is_what_is_counted():
    """The page says 50, less than a quarter, and where the reason stands."""
    told = style.OUTCOMES["verified"]
    assert f"at least {ENOUGH} cases" in told and BLURRED_SHARE == 1 / 4
    assert "less than a quarter" in " ".join(told.split()) and "beside the word" in told
