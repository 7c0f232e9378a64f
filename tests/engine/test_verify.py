"""The engine: true theorems pass, false ones do not, and the adversary finds them."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.chapters.how_to_read_this_book import experiments as planted
from nystheory.engine import Claim, Control, Instance, verify
from nystheory.engine.language.numbers import Number
from nystheory.engine.trial import verification
from nystheory.engine.trial.compare import compare, reader, relate
from nystheory.engine.trial.results import STRENGTH
from nystheory.engine.trial.verification import EFFORTS
from nystheory.engine.worlds import suite
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.quantities import QUANTITIES

SEED = 2010


def rng(seed=SEED):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_theorem_is_verified_and_every_control_and_erratum_refuted(theorem):
    """The one verdict of the run: everybody else reads it."""
    verdict = verify(theorem)
    assert verdict, verdict.complaint()
    assert len(verdict.controls) == len(theorem.controls)
    assert {c.of for c in verdict.controls} == set(theorem.claims)


@pytest.mark.parametrize(
    "theorem", [t for t in theorems.values() if t.derivation], ids=lambda t: t.id
)
def test_a_derivation_is_evidence_for_its_claim_alone(theorem):
    """It ends in the line of one claim, and says nothing of the others."""
    verdict, grade = verify(theorem), theorem.derivation.grade
    derived = [
        f.name for f in verdict.results if any("symbolic" in g for g in f.evidence)
    ]
    assert derived == [theorem.derivation.claim]
    alone = len(theorem.claims) == 1
    every, _, partly = verdict.mark.partition("in part ")
    assert (grade in every, grade in partly) == (alone, not alone)
    assert ("symbolic" in verdict.evidence) == alone
    assert grade == "symbolic for every n"


def test_a_broken_derivation_is_no_evidence_and_no_verified_row():
    theorem = theorems["talwalkar2010:eq-2.7"]
    short = replace(theorem.derivation, steps=theorem.derivation.steps[:-1])
    verdict = verify(theorem.but(derivation=short), rng())
    assert verdict.outcome == "derivation broken"
    assert not any("symbolic" in g for f in verdict.results for g in f.evidence)
    shown = verdict._repr_html_()
    (row,) = re.findall(r"<tr>(?:(?!<tr>).)*derivation: .*?</tr>", shown)
    assert ">broken<" in row and "verified" not in row


# What the front page of the project says of every theorem, and the grades it names.
ROOT = Path(__file__).parents[2]
CLAIMS = (
    "Each of its claims is decided on at least fifty cases, or says beside its verdict "
    "why fewer are enough; and each has a control, the claim with one thing changed, "
    "which the same code must refute."
)
KINDS_OF_EVIDENCE = {
    "matrices that have broken programs before": ("stress suite",),
    "the theorem's own instances": ("own instances",),
    "a worst-case search": ("worst-case search",),
    "computation without rounding": ("exact", "enclosed", "to 30 digits"),
    "all samples of a small matrix": ("enumerated",),
    "statistics": tuple(grade for grade in STRENGTH if "interval" in grade),
    "computer algebra": tuple(grade for grade in STRENGTH if "symbolic" in grade),
}


def test_the_front_page_names_every_grade():
    told = (ROOT / "README.md").read_text("utf-8")
    assert CLAIMS in told
    (named,) = re.findall(r"names the evidence claim by claim: (.*)\.", told)
    assert named.split(", ") == [*KINDS_OF_EVIDENCE]
    assert sorted(sum(KINDS_OF_EVIDENCE.values(), ())) == sorted(STRENGTH)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_the_front_page_is_true_of_every_theorem(theorem):
    """Formula, setting, controls with one thing changed; cases, reasons, evidence."""
    assert theorem.setting
    for name, control in theorem.controls.items():
        changed = [*control.change, control.drops, control.lacks, control.law]
        assert len([each for each in changed if each]) == 1, name
    for result in verify(theorem).results:
        assert result.latex and result.evidence
        assert set(result.evidence) <= set(STRENGTH)
        assert not result.lacking or result.reason in result.cases
        assert result.decided >= 50 or result.reason
        assert result.controls and all(c.refuted for c in result.controls)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_a_grade_names_what_a_theorem_is_tried_on(theorem):
    """No stress suite where there is none, no own instances where it brings none."""
    verdict = verify(theorem)
    for result in verdict.results:
        if not theorem.suite:
            assert "stress suite" not in result.evidence
        if theorem.cases is None and issubclass(theorem.world, Instance):
            assert "own instances" not in result.evidence


def test_a_grade_is_that_of_a_claim():
    """Of a claim that speaks of no matrix of the suite the suite is no evidence."""
    verdict = verify(theorems["modern:error-chain"], rng())
    found = {f.name: f.evidence for f in verdict.results}
    assert "stress suite" in found["order"]
    assert "stress suite" not in found["identity"]
    assert "stress suite" not in verdict.evidence


@pytest.mark.parametrize("seed", range(5))
def test_planted_false_theorem_is_refuted_by_the_search(seed):
    verdict = verify(planted.CONSTANT_TOO_SMALL, rng(seed))
    assert not verdict
    assert verdict.outcome == "refuted"
    assert verdict.tightness > 1


def test_true_constant_survives_where_the_false_one_fell():
    claims = {"spectral": "error_2 <= tail_2 + 2 * distance_2"}
    controls = {"1.8": Control("spectral", planted.FLIPPED, {"2 *": "1.8 *"})}
    true = planted.CONSTANT_TOO_SMALL.but(claims=claims, controls=controls)
    verdict = verify(true, rng())
    assert verdict.outcome == "verified"
    assert verdict.tightness <= 1 + 1e-9


def test_demonstrations_do_not_refute_the_planted_theorem():
    generator, theorem = rng(), planted.CONSTANT_TOO_SMALL
    demos = (reader(theorem, planted.demo(generator)) for _ in range(500))
    found = [compare(theorem.claims["spectral"], demo) for demo in demos]
    assert not any(comparison.violated for comparison in found)
    assert sum(comparison.decided for comparison in found) > 400


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("talwalkar2010:eq-2.2", "one percent more"),
        ("talwalkar2010:eq-2.3", "the opposite sign"),
        ("talwalkar2010:rem-2.2.1", "another share"),
        ("talwalkar2010:eq-2.4", "as Nyström stretches"),
        ("talwalkar2010:eq-2.5", "the leading eigenpairs"),
        ("talwalkar2010:eq-2.6", "not truncated"),
        ("talwalkar2010:eq-2.7", "not shrunk"),
        ("talwalkar2010:thm-2.1", "Column-sampling is the best for every k"),
        ("talwalkar2010:obs-2.1", "one rank less"),
        ("talwalkar2010:eq-2.14", "no root"),
        ("talwalkar2010:thm-2.2-form", "the core of Nyström"),
        ("talwalkar2010:thm-2.2-optimum", "the largest singular value"),
        ("talwalkar2010:thm-2.3", "equal ranks"),
        ("talwalkar2010:eq-2.24", "a tenth better"),
        ("modern:rpcholesky", "a thousandth less"),
        ("modern:rpcholesky", "1.9 in place of 2"),
        ("modern:accelerated-rpcholesky-law", "all accepted"),
        ("modern:accelerated-rpcholesky-law", "the root"),
        ("modern:block-rpcholesky", "as good as single pivots"),
        ("modern:block-rpcholesky", "one more in the block"),
        ("modern:frobenius-pivoting", "a hundredth more"),
        ("modern:frobenius-pivoting", "pivots by the diagonal"),
    ],
)
def test_search_refutes_a_changed_line_without_being_told_where(id, name):
    theorem = theorems[id]
    false = theorem.asserting(false=theorem.changed(theorem.controls[name]))
    assert verify(false, rng()).outcome == "refuted"


def test_same_seed_same_verdict():
    theorem = theorems["talwalkar2010:thm-2.1"]
    first, second = (verify(theorem, rng(7)) for _ in range(2))
    assert first._repr_html_() == second._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"effort": "lazy", "rng": rng()}, ValueError),
        ({"rng": 7}, TypeError),
        ({"rng": np.random}, TypeError),
    ],
)
def test_verify_explains_bad_input(arguments, error):
    with pytest.raises(error, match="expected"):
        verify(theorems["talwalkar2010:eq-2.24"], **arguments)


@pytest.mark.parametrize(
    ("left", "right", "relation", "violated"),
    [
        (1.0, 1.0, "==", False),
        (1.0, 1.0 + 1e-14, "==", False),
        (1.0, 1.0 + 1e-9, "==", True),
        (1.0, 1.0 - 1e-9, "<=", True),
        (1.0, 1.0 + 1e-9, "<=", False),
        (1.0, 1.0 + 1e-9, ">=", True),
        (1e-9, 0.0, "<=", True),
        (-1.0, 0.0, "<=", False),
        (np.nan, 1.0, "==", False),
        (np.nan, 1.0, "<=", False),
        (np.array([1.0, 2.0]), np.array([1.0, 1.9]), "<=", True),
    ],
)
def test_two_sides(left, right, relation, violated):
    sides = (Number(x, 1e-12, 1.0) for x in (left, right))
    assert relate(relation, *sides).violated is violated


def test_a_rounding_error_of_the_size_of_the_numbers_decides_nothing():
    found = relate("<=", Number(1.0, 1.0, 1.0), Number.exact(2.0))
    assert not found.decided and not found.violated


def test_rounding_scales_with_the_matrix():
    """The same verdict for K and 1e-8 K: nothing absolute."""
    for scale in (1.0, 1e-8, 1e8):
        case = Instance(scale * np.eye(3), [0], 1)
        error = case.measured(QUANTITIES["trace_K"]).error
        assert error == pytest.approx(ROUNDING * 3 * np.finfo(float).eps * scale)


def test_stress_suite_has_what_it_promises():
    cases = suite.stress_suite(rng())
    names = {case.name for case in cases}
    for name in ("digits, RBF", "identity block (5.1)", "zero", "n = 1", "huge"):
        assert name in names
    assert any(len(set(c.landmarks.tolist())) < c.l for c in cases)
    assert any(c.k < c.l for c in cases) and any(c.l == c.n for c in cases)
    for case in cases:
        assert np.linalg.eigvalsh(case.K)[0] >= -1e-12 * case.norm_K
        assert 1 <= case.k <= case.l


def test_another_claim_changes_nothing_of_what_a_claim_about_chance_sees():
    theorem = theorems["modern:rpcholesky"]
    more = theorem.but(claims={"more": Claim("error_2 >= 0"), **theorem.claims})
    alone, beside = (
        {f.name: f for f in verification.examine(t, rng(), EFFORTS["quick"])}
        for t in (theorem, more)
    )
    chances = [n for n, c in theorem.claims.items() if c.kind == "expectation"]
    assert chances and "more" in beside
    for name in chances:
        for what in ("decided", "undecided", "observed", "bound", "tightness"):
            told = (str(getattr(each[name], what)) for each in (alone, beside))
            assert len({*told}) == 1, name


def test_claims_of_two_names_draw_differently():
    draws = [verification._stream(rng(), name).random() for name in ("one", "two")]
    assert draws[0] != draws[1]
    assert draws == [
        verification._stream(rng(), name).random() for name in ("one", "two")
    ]


def test_efforts_differ_in_size_only():
    full, quick = EFFORTS["full"], EFFORTS["quick"]
    assert all(getattr(full, f) > getattr(quick, f) for f in ("random", "local"))


# ---- red where it counts: the command line and a notebook ----

LEDGER = """
import sys
from nystheory import __main__ as command
from nystheory.chapters.how_to_read_this_book import experiments as planted
from nystheory.chapters import theorems
some = [theorems["talwalkar2010:eq-2.24"]]
if "planted" in sys.argv:
    some.append(planted.CONSTANT_TOO_SMALL)
theorems._theorems = {t.id: t for t in some}
sys.exit(command.main(["ledger", "--quick", "--json"]))
"""


@pytest.mark.parametrize("argument", ["planted", "true"])
def test_ledger_exit_code(argument):
    command = [sys.executable, "-c", LEDGER, argument]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout)
    assert done.returncode == (argument == "planted"), done.stderr
    outcomes = {row["id"]: row["outcome"] for row in rows}
    assert outcomes["talwalkar2010:eq-2.24"] == "verified"
    if argument == "planted":
        assert outcomes["planted:eq-5.3-constant-1.8"] == "refuted"


PLANTED = "how_to_read_this_book.experiments"
RECONSTRUCTION = "projection_or_reconstruction.theorems.reconstruction"


@pytest.mark.parametrize("name", ["CONSTANT_TOO_SMALL", "RELATIVE_ACCURACY"])
def test_notebook_turns_red(name, tmp_path):
    module = PLANTED if name == "CONSTANT_TOO_SMALL" else RECONSTRUCTION
    source = (
        "import numpy as np\n"
        f"from nystheory.chapters.{module} import {name}\n"
        "from nystheory.engine.trial.verification import verify\n"
        f"verdict = verify({name}, np.random.default_rng(0))\n"
        "assert verdict"
    )
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, tmp_path / "claim.ipynb")
    options = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path)]
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env"]
    done = subprocess.run(
        [*command, *options, str(tmp_path)], capture_output=True, text=True, check=False
    )
    red = module == PLANTED
    assert done.returncode == red, done.stdout
    assert ("1 failed" if red else "1 passed") in done.stdout


def test_tightness_of_a_lower_bound_is_at_most_one():
    """Of a mean that must be at least a bound: the bound over the mean."""
    verdict = verify(theorems["modern:log-determinant"], rng())
    assert all(not f.tightness > 1 + 1e-9 for f in verdict.results)


def test_an_id_is_no_theorem():
    with pytest.raises(TypeError, match="theorem: expected a Theorem, such as"):
        verify("talwalkar2010:thm-2.3")


# --- Chances and means ----------------------------------------------------------------

LARGEST_FACTOR = 3


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_a_loose_bound_on_a_chance_says_why(theorem):
    """Where less than a third of both, bound and allowed chance, was ever met."""
    for result in verify(theorem).results:
        claim = theorem.claims[result.name]
        if result.kind in ("probability", "expectation") and claim.relation != "==":
            share = np.nanmax([result.tightness, result.excess, 0.0])
            met = share * LARGEST_FACTOR >= 1
            assert met != (result.name in theorem.loose), (result.name, share)


def test_most_bounds_on_chances_are_nearly_met():
    of_chances = [
        name
        for theorem in theorems.values()
        for name, claim in theorem.claims.items()
        if claim.kind in ("probability", "expectation")
    ]
    loose = [name for theorem in theorems.values() for name in theorem.loose]
    assert len(loose) <= 0.4 * len(of_chances)


def test_a_bound_that_is_loose_and_says_nothing_is_seen():
    theorem = theorems["modern:bach"]
    assert theorem.loose and not theorem.but(loose={}).loose
    assert "loose, because" in verify(theorem)._repr_html_()
