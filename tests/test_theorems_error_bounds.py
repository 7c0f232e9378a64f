"""Section 5.1: bounds by hand, printed numbers, enumeration against closed forms."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import sympy as sp

from nystheory import lowrank
from nystheory.engine.concentration import value
from nystheory.theorems import Instance
from nystheory.theorems.error_bounds import ensemble_bound as ensembles
from nystheory.theorems.error_bounds import error_cases as cases
from nystheory.theorems.error_bounds import error_formulas as formulas
from nystheory.theorems.error_bounds import expert_samples as experts
from nystheory.theorems.error_bounds import replacement_bound as replacement
from nystheory.theorems.error_bounds import sampled_errors as samples
from nystheory.theorems.error_bounds import squared_error as squares
from nystheory.theorems.error_bounds.standard_method import FROBENIUS, SPECTRAL
from nystheory.theorems.quantities import tail_2, tail_F
from nystheory.verify import verify

THEOREMS = (
    SPECTRAL,
    FROBENIUS,
    ensembles.ENSEMBLE,
    replacement.REPLACED,
)


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.id)
def test_theorems_hold_and_what_is_false_falls(theorem):
    verdict = verify(theorem, rng(1), effort="quick")
    assert verdict, verdict.outcome


# --- Formulas by hand -------------------------------------------------------------

KNOWN = {"n": 100, "l": 10, "K_max": 2.0, "d_max": 1.5, "delta": 0.05}


def alpha_sharp(n, l):  # noqa: E741
    u = n - l
    drawn = u**2 * sum(1 / j**2 for j in range(u, n))
    left = l**2 * sum(1 / j**2 for j in range(l, n))
    return min(drawn, left)


def q(n, m):
    return (n - m) / (n - 0.5) / (1 - 1 / (2 * max(m, n - m)))


def test_bounds_of_theorem_5_2_by_hand():
    y = math.sqrt(q(100, 10) * math.log(20)) * 1.5 / math.sqrt(2)
    expected = 0.3 + 200 / math.sqrt(10) * 2 * (1 + y)
    assert SPECTRAL.claims[2].formula(**KNOWN, tail_2=0.3) == pytest.approx(expected)
    expected = 0.3 + (64 * 3 / 10) ** 0.25 * 100 * 2 * math.sqrt(1 + y)
    printed = formulas.PRINTED_F(**KNOWN, tail_F=0.3, k=3)
    assert printed == pytest.approx(expected)
    e_l = math.sqrt(100 * 90 / (10 * 99) * 40)
    # The pair of equal lengths: d = 1.5 is more than two thirds of the length.
    g = math.sqrt(2) * 0.75 * math.sqrt(8 - 1.5**2)
    excess = e_l + 10 * g * math.sqrt(alpha_sharp(100, 10) * math.log(20) / 2)
    bound = SPECTRAL.bound(**KNOWN, tail_2=0.3, spread=40.0)
    assert bound == pytest.approx(0.3 + math.sqrt(2) * excess)
    squared = FROBENIUS.claims[2].formula(**KNOWN, tail_F=0.3, spread=40.0, head_F=7)
    assert squared**2 == pytest.approx(0.09 + math.sqrt(8) * 7 * excess)


def test_bounds_of_theorem_5_3_by_hand():
    g = math.sqrt(2) * 0.75 * math.sqrt(8 - 1.5**2)
    e_l = math.sqrt(100 * 90 / (10 * 99) * 40)
    known = {**KNOWN, "tail_2": 0.3, "spread": 40.0, "mu_max": 0.25}
    for p, mu in ((4, 0.25), (4, 1.0)):
        A = min(alpha_sharp(100, 10), mu**2 * 10 * p * (1 + 10 * p / 100) ** 2)
        excess = e_l + 10 * g * math.sqrt(A * math.log(20) / 2)
        bound = ensembles.ENSEMBLE.bound(**{**known, "mu_max": mu}, experts=p)
        assert bound == pytest.approx(0.3 + math.sqrt(2) * excess)
    y = 0.25 * 2 * math.sqrt(q(100, 40) * math.log(20)) * 1.5 / math.sqrt(2)
    printed = ensembles.printed_2()(**known, experts=4)
    assert printed == pytest.approx(0.3 + 200 / math.sqrt(10) * 2 * (1 + y))
    with pytest.raises(ValueError, match="pl"):
        ensembles.ENSEMBLE.bound(**known, experts=11)


def test_bounds_of_corollary_5_6_by_hand():
    L = math.log(20)
    bound = replacement.REPLACED.bound(n=100, l=10, K_max=2, delta=0.05, tail_2=0.3)
    unit = 100 / math.sqrt(10) * 2
    assert bound == pytest.approx(0.3 + unit * (math.sqrt(2) + math.sqrt(2 * L)))
    printed = replacement.PRINTED(n=100, l=10, K_max=2, delta=0.05, tail_2=0.3)
    assert printed == pytest.approx(0.3 + unit * (2 + L))


def test_bound_from_a_matrix_and_for_one_expert():
    K = np.diag([3.0, 2.0, 1.0])
    one = SPECTRAL.bound(K, [0, 2], rank=1, delta=0.1)
    assert ensembles.ENSEMBLE.bound(K, [0, 2], rank=1, delta=0.1) == pytest.approx(one)
    assert SPECTRAL.bound(K, [0, 1, 2], rank=1, delta=0.1) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="delta"):
        SPECTRAL.bound(K, [0, 1], rank=1, delta=1.5)


@pytest.mark.parametrize("n", [2, 3, 10, 57])
def test_bounds_fall_with_the_number_of_landmarks(n):
    known = {"K_max": 1.0, "d_max": 1.0, "spread": 0.7 * n, "delta": 0.01, "n": n}
    known |= {"tail_2": 0.1, "tail_F": 0.1, "head_F": 0.9 * n, "k": 1}
    for bound in (
        formulas.ENDORSED_2,
        formulas.PRINTED_2,
        formulas.PRINTED_F,
        formulas.by_squares(),
        replacement.from_the_diagonal(tail_2),
        replacement.finer(tail_F),
        ensembles.any_weights(tail_2),
    ):
        values = [bound(**known, l=l, experts=1) for l in range(1, n + 1)]  # noqa: E741
        assert (np.diff(values) <= 1e-9 * n).all()


# --- Errors and laws --------------------------------------------------------------


def test_errors_are_those_of_the_package():
    X = rng().standard_normal((4, 7))
    K, x = X.T @ X, samples.principal(X)
    chosen = list(combinations(range(7), 3))
    for k in (1, 2, 3):
        seen = samples.sampled(x, chosen, k)
        for j in (0, 5, 20):
            S = list(chosen[j])
            E = K - lowrank.nystrom(K, S, k).spectral_reconstruction()
            assert seen["error_2"][j] == pytest.approx(np.linalg.norm(E, 2))
            assert seen["error_F"][j] == pytest.approx(np.linalg.norm(E))
            psi = np.linalg.norm(X @ X.T - 7 / 3 * X[:, S] @ X[:, S].T)
            assert seen["psi"][j] == pytest.approx(psi)


@pytest.mark.parametrize("replace", [False, True])
def test_two_clusters_by_enumeration(replace):
    X = np.repeat(np.eye(2), (4, 3), axis=1)
    if replace:
        (listed,) = [
            case for case in replacement.all_multisets(X, [3], [0.5], "") if case.l == 3
        ]
        listed = cases.with_repetitions(X, 3, 1, 0.5, "")
    else:
        (listed,) = samples.all_samples(X, [3], [1], [0.5], "")
    case = cases.two_clusters(4, 3, 3, delta=0.5, replace=replace)
    for name in ("error_2", "psi"):
        for seen in np.unique(case.outcomes[name].round(9)):
            mass = [
                c.chances[np.isclose(c.outcomes[name], seen)].sum()
                for c in (case, listed)
            ]
            assert mass[0] == pytest.approx(mass[1])
    for name in ("K_max", "d_max", "spread", "tail_2", "tail_F", "head_F"):
        assert case.values[name] == pytest.approx(listed.values[name])


def test_multisets_and_sequences_agree():
    X = rng(3).standard_normal((2, 3))
    (sets,) = replacement.all_multisets(X, [2], [0.5], "")
    sequences = cases.with_repetitions(X, 2, 2, 0.5, "")
    for name in ("error_2", "psi"):
        means = [c.chances @ c.outcomes[name] for c in (sets, sequences)]
        assert means[0] == pytest.approx(means[1])


@pytest.mark.parametrize(("a", "b", "l"), [(4, 3, 2), (4, 5, 2), (3, 3, 3), (2, 6, 2)])
def test_experts_on_clusters_by_enumeration(a, b, l):  # noqa: E741
    counted, total = {}, 0
    for parts in experts.decompositions(a + b, l, 2):
        missed_a = sum(min(part) >= a for part in parts) / 2
        missed_b = sum(max(part) < a for part in parts) / 2
        counted[missed_a, missed_b] = counted.get((missed_a, missed_b), 0) + 1
        total += 1
    listed = experts.ClusterExperts(a, b, l, 2, uniform=True).outcomes()
    for chance, missed in listed:
        assert chance == Fraction(counted.get(missed, 0), total)


def test_two_experts_that_flip_by_enumeration():
    case = experts.two_flipped(5, 3, 1, delta=0.5)
    assert case.chances[2] == pytest.approx(3 / 8 * 2 / 7)
    X = np.repeat(np.eye(2), (5, 3), axis=1)
    args = (X, 1, [0.5, 0.5], [1], [0.5], "")
    (listed,) = experts.all_decompositions(*args)
    for name in ("error_2", "error_F", "worst_2"):
        means = [c.chances @ c.outcomes[name] for c in (case, listed)]
        assert means[0] == pytest.approx(means[1])


def test_the_distance_alone_fails_by_exact_counts():
    """The same sum by integers, at a size where they are small."""
    case = cases.Halves(20, 0.7, nats=0.5)
    n, l = 40, 20  # noqa: E741
    bound = n / math.sqrt(l) * (1 + math.sqrt(q(n, l) * 0.5) * 0.3)
    weights = {h: math.comb(20, h) * math.comb(20, l - h) for h in range(21)}
    failed = sum(w for h, w in weights.items() if 0.51 * abs(2 * h - l) > bound)
    total = math.comb(40, 20)
    assert (failed == 0) == math.isinf(case.surprise())
    case = cases.Halves(20, 0.0, nats=0.5)
    bound = n / math.sqrt(l) * (1 + math.sqrt(q(n, l) * 0.5))
    failed = sum(w for h, w in weights.items() if abs(2 * h - l) > bound)
    assert failed and case.surprise() == pytest.approx(math.log(total / failed))


# --- Printed numbers --------------------------------------------------------------


def test_square_in_5_8_by_exact_fractions():
    t = Fraction(1, 100)
    excess = (2 * t) ** 2 - t**2
    printed = 8 * (t**2 + (2 * t) ** 2) * 2 * 2 * t
    assert (excess, printed) == (Fraction(3, 10_000), Fraction(16, 100_000))
    case = squares.SQUARED.printed["the distance squared"].on
    seen = value("error_F ** 2 - tail_F ** 2", case)
    bound = value("sqrt(64 * k) * distance_F ** 2 * n * K_max", case)
    assert seen == pytest.approx(float(excess))
    assert bound == pytest.approx(float(printed))


def test_numbers_of_the_counterexamples_to_theorem_5_3():
    uniform, lone, gap, frobenius, both = ensembles.ENSEMBLE.printed
    bound = formulas.at_log(ensembles.printed_2(), 1.0)
    assert bound(**uniform.instance.experts.values()) == pytest.approx(32.249, abs=5e-4)
    assert bound(**lone.instance.values) == pytest.approx(824.62, abs=5e-3)
    failing = lone.instance.chances[lone.instance.outcomes["error_2"] > 824.62].sum()
    assert failing == pytest.approx(1.579e-5, rel=1e-3)
    known = gap.instance.experts.values()
    for lost, expected in ((1, 3091.7), (sp.sqrt(2), 3786.4)):
        at = formulas.at_log(ensembles.printed_2(lost), gap.instance.nats)
        assert at(**known) == pytest.approx(expected, abs=0.05)
    bound = formulas.at_log(ensembles.printed_F(), 1.0)
    known = frobenius.instance.experts.values()
    assert bound(**known) == pytest.approx(3577.7, abs=0.05)
    known = both.instance.experts.values()
    assert bound(**known) == pytest.approx(5793.15, abs=5e-3)
    error = both.instance.experts.error((0.5, 0.5), "F")
    assert error == pytest.approx(5793.33, abs=5e-3)


def test_one_point_fewer_is_no_counterexample():
    """The smallest of its kind: 64 points in a cluster meet the bound exactly."""
    case = experts.Breach(experts.ClusterExperts(64, 64, 64, 2, uniform=True), 87.0)
    assert math.isinf(case.surprise(ensembles.printed_2(), 2))


def test_repaired_counterexample_by_hand():
    """Six points in two clusters, three of them for the expert that counts."""
    case = experts.ClusterExperts(3, 3, 3, 2).case(0.09)
    assert case.chances.tolist() == pytest.approx([0.05, 0.05, 0.9])
    assert case.outcomes["error_2"].tolist() == [3.0, 3.0, 0.0]
    e_l = math.sqrt(6 * 3 / (3 * 5) * (6 - 18 / 6))
    assert math.sqrt(2) * e_l < 3 < ensembles.fixed_weights(tail_2)(**case.values)


# --- Mutants ----------------------------------------------------------------------


def _fails(formula, seen, case):
    claim = samples.holds_often("mutant", seen, formula)
    theorem = SPECTRAL.but(
        claims=(claim,), instances=lambda _: [case], printed=(), derivation=None
    )
    return verify(theorem, rng(), effort="quick").outcome == "refuted"


def test_smaller_bounds_fail():
    case = cases.FLIPPED
    assert not _fails(formulas.ENDORSED_2, "error_2", case)
    assert not _fails(formulas.endorsed(tail_2, factor=0.85), "error_2", case)
    assert _fails(formulas.endorsed(tail_2, factor=0.78), "error_2", case)
    assert _fails(formulas.endorsed(tail_2, alpha=formulas.HALF), "error_2", case)
    assert _fails(formulas.endorsed(tail_F, log=sp.Integer(1)), "error_F", case)


def _breaks_in_turn():
    """Each norm errs in two of five cases, and never both at once."""
    case = cases.two_clusters(3, 2, 1, delta=0.5)
    seen = {
        "error_2": np.array([90.0, 2.0, 2.0]),
        "error_F": np.array([2.0, 90.0, 2.0]),
    }
    return replace(case, chances=np.array([0.4, 0.4, 0.2]), outcomes=seen)


def test_both_norms_at_once_is_more_than_each_of_them():
    case, bound = _breaks_in_turn(), FROBENIUS.claims[4].formula
    assert not _fails(formulas.ENDORSED_2, "error_2", case)
    assert not _fails(formulas.ENDORSED_F, "error_F", case)
    assert _fails(bound, lambda o: samples.excess_at_once(o) / math.sqrt(2), case)
    for theorem in (FROBENIUS, ensembles.ENSEMBLE):
        claim = theorem.claims[4]
        more = {**case.values, "experts": 1, "mu_max": 1.0}
        planted = theorem.but(
            claims=(claim,),
            instances=lambda _, more=more: [replace(case, values=more)],
            controls=(),
            printed=(),
        )
        assert verify(planted, rng(), effort="quick").outcome == "refuted"


def test_smaller_bounds_at_once_fail():
    shares = formulas.formula(formulas.concentration(factor=sp.Rational(3, 4)))
    claim = FROBENIUS.claims[4]
    for formula, outcome in ((claim.formula, False), (shares, True)):
        seen = partial(claim.observe, _=None)
        assert _fails(formula, seen, cases.FLIPPED) == outcome


def test_comparisons_of_bounds_can_fail():
    """Both sides exchanged."""
    for claim in replacement.REPLACED.claims[5:7]:
        turned = replacement.REPLACED.but(
            claims=(replace(claim, relation=">="),), controls=(), printed=()
        )
        assert verify(turned, rng(), effort="quick").outcome == "refuted"


def test_the_constant_of_the_squares_is_sharp():
    case = squares.nearly_equal(200, "1.000001")
    excess = value("(error_F ** 2 - tail_F ** 2) / (head_F * distance_F)", case)
    assert 2.815 < excess < 2 * math.sqrt(2)


def test_far_flips_agree_with_floats():
    near = cases.two_clusters(60, 40, 20)
    far = cases.FarFlip(60, 40, 20)
    assert math.exp(-far.surprise()) * 0.99 == pytest.approx(near.values["delta"])
    nats = far.allowed(formulas.ENDORSED_2)
    reached = formulas.at_log(formulas.ENDORSED_2, nats)(**near.values)
    assert reached == pytest.approx(60.0)


def test_cases_show_what_they_are():
    case = cases.two_clusters(3, 2, 1, delta=0.1)
    assert repr(case) == "Case(two orthogonal clusters: n=5, l=1, k=1, delta=0.1)"
    assert Instance.from_points(np.eye(2), [0], 1).k == case.k
