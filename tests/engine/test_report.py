"""What people see: the ledger, the errata, a theorem in words, the command line."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nystheory
from nystheory import style
from nystheory.__main__ import main
from nystheory.chapters import theorems
from nystheory.engine import report, words
from nystheory.engine.statistics import FALSE_ALARMS
from nystheory.engine.verdict import FIELDS
from nystheory.engine.verification import verify

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
    return report.run(SOME, effort="quick")


def test_ledger_has_the_fields(ledger):
    rows = json.loads(ledger.to_json())
    assert [list(row) for row in rows] == [list(FIELDS)] * len(SOME)
    assert FIELDS == (
        *("id", "source", "number", "kind", "status", "outcome", "evidence"),
        *("observed", "bound", "tightness", "control_refuted", "printed_refuted"),
        *("effort", "seconds", "claims"),
    )
    assert rows[0]["printed_refuted"] is True and rows[2]["printed_refuted"] is None
    assert all(row["control_refuted"] is True for row in rows)


def test_ledger_is_green_within_the_budget(ledger):
    assert ledger and not ledger.red
    assert ledger.false_alarms <= FALSE_ALARMS


def test_ledgers_add_up(ledger):
    parts = [report.run([theorem], effort="quick") for theorem in SOME[:2]]
    joined = parts[0] + parts[1]
    assert [v.theorem for v in joined.verdicts] == SOME[:2]
    assert joined.tried == parts[0].tried + parts[1].tried


def test_ledger_shows_itself(ledger):
    assert "3 of 3 theorems green" in ledger.to_text()
    page = ledger._repr_html_()
    assert page.count("<details>") == 3
    assert "talwalkar2010:eq-2.13" in page
    axes = ledger.plot().axes[0]
    assert axes.get_xlabel()
    assert len(axes.patches) == 2


def test_verdict_does_not_depend_on_what_else_runs(ledger):
    alone = report.run(SOME[2:], effort="quick").verdicts[0]
    assert alone._repr_html_() == ledger.verdicts[2]._repr_html_()


def test_verdict_plot_is_a_picture(ledger):
    figure = ledger.verdicts[2].plot()
    assert figure._repr_mimebundle_()[0]["image/png"].startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no bound"):
        verify(SOME[1], np.random.default_rng(0), "quick").plot()


def test_errata_keep_four_weights_apart():
    errata = report.errata([*SOME, theorems["talwalkar2010:thm-2.2-form"]])
    assert len(errata) == 4
    assert len(errata.weight("false statement")) == 1
    assert all(finding.outcome == "refuted" for _, _, finding in errata.entries)
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
