"""What a page shows of the package: verdicts in a line, listings of its functions."""

import ast
from dataclasses import replace

import pytest

from nystheory import verified
from nystheory.chapters import theorems
from nystheory.engine.report import page
from nystheory.engine.trial import verification
from nystheory.engine.trial.verdict import VerdictError
from nystheory.engine.trial.verification import verify

QUICK = "talwalkar2010:eq-2.7"


def test_a_verdict_is_one_line_that_unfolds():
    told = page.verdict(theorems[QUICK])
    found = verify(theorems[QUICK])
    assert "\n" not in told, "a blank line would end the HTML of a Markdown cell"
    assert f"<summary>{found.outcome}: {found.mark}</summary>" in told
    assert told.startswith('<details class="nys-mark">') and told.endswith("</details>")
    assert told.count("<details") == told.count("</details>")


@pytest.mark.parametrize(
    "name", ["lowrank.nystrom", "sampling.uniform", "engine.trial.theorem.Theorem"]
)
def test_a_listing_is_the_source_without_its_docstring(name):
    docstring, source = page.listing(name)
    (node,) = ast.parse(source).body
    assert node.name == name.rpartition(".")[2]
    assert ast.get_docstring(node) is None
    assert len(docstring) > 100 and docstring.splitlines()[0] not in source


@pytest.mark.parametrize(
    "name", ["lowrank.nothing", "nowhere.nystrom", "style.COLOURS", "nystrom"]
)
def test_what_cannot_be_listed_is_told(name):
    with pytest.raises(ValueError, match="name: expected a function of the package"):
        page.listing(name)


# ---- verified ----


def test_good_verdicts_are_a_line_each():
    found = verified(QUICK, "talwalkar2010:eq-2.3")
    lines = repr(found).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["talwalkar2010"] * 2
    assert lines[0].startswith(f"{QUICK}: verified (")
    assert lines[0].endswith("1 of 1 controls refuted")
    assert [verdict.theorem.id for verdict in found] == [QUICK, "talwalkar2010:eq-2.3"]


def test_an_id_that_no_theorem_has_is_told():
    with pytest.raises(KeyError, match="did you mean"):
        verified("talwalkar2010:eq-2.71")


def test_nothing_is_verified_without_an_id():
    with pytest.raises(ValueError, match="at least one theorem"):
        verified()


def test_a_theorem_is_no_id():
    with pytest.raises(TypeError, match="ids: expected the id of a theorem, got"):
        verified(theorems[QUICK])


def test_a_claim_that_fell_is_named_with_instance_observed_and_bound(monkeypatch):
    """Of the two theorems one is wrong, and only that is complained of."""
    wrong = theorems["talwalkar2010:thm-2.1"]
    (name, claim), *_ = wrong.claims.items()
    planted = verify(wrong.asserting(planted="error_F <= 0.5 * tail_F"))
    fell = next(f for f in planted.results if f.name == "planted")

    def judged(theorem):
        return planted if theorem is wrong else verification.verify(theorem)

    monkeypatch.setattr("nystheory.chapters.verify", judged)
    with pytest.raises(VerdictError) as caught:
        verified(QUICK, wrong.id)
    told = str(caught.value)
    assert f"{wrong.id} is refuted" in told and QUICK not in told
    assert "claim 'planted' is refuted on " in told
    assert f"observed {fell.observed:.6g}, bound {fell.bound:.6g}" in told
    assert fell.observed > fell.bound
    assert "K = [[" in told or "n = " in told, "the instance is told"


def test_a_control_that_is_not_refuted_is_complained_of():
    good = verify(theorems[QUICK])
    result = good.results[0]
    kept = replace(result.controls[0], refuted=False)
    bad = replace(good, results=(replace(result, controls=(kept,)),))
    assert not bad and f"not refuted: {kept.name!r}" in bad.complaint()
