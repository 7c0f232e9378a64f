"""The engine of lines: numbers that may be unknown, relations, formulas, algebra."""

import ast
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.chapters.sketches_and_limits.theorems.sketches import Sketched
from nystheory.engine import Claim, Control, Instance, Rate, Theorem, verify
from nystheory.engine.language.claims import shown
from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.language.latex import latex
from nystheory.engine.language.lines import Reader, decide, parse
from nystheory.engine.language.numbers import UNKNOWN, Number
from nystheory.engine.language.quantity import SAMPLE, Quantity
from nystheory.engine.trial.compare import Comparison, compare
from nystheory.engine.trial.derivation import Derivation, _Algebra
from nystheory.engine.trial.over_samples import OnInstance, over_samples
from nystheory.engine.trial.verification import _of_parts, judged, refute
from nystheory.engine.worlds.concentration import value
from nystheory.engine.worlds.matrices import eigen
from nystheory.engine.worlds.quantities import QUANTITIES

UNCLEAR = Quantity("unclear", "?", "", SAMPLE, lambda i: None)
EQUAL = Instance.exactly([0], 1, points=[[1, 1]])


def holds(line, instance=EQUAL):
    """By the float64 observers, and without rounding."""
    case = exact.Case.of(**instance.in_fractions())
    fast = Reader(QUANTITIES, instance).value(parse(line))
    return fast, exact.prove(line, case).holds


@pytest.mark.parametrize(
    ("line", "truth"),
    [
        ("below(0, K)", True),
        ("below(K, 0)", False),
        ("below(0, approximation - 1.01 * K)", False),
        ("W == identity(k)", True),
        ("W != identity(k)", False),
        ("W == 2 * identity(k)", False),
        ("(W == identity(k)) == (rank_K == n)", False),
        ("(W == identity(k)) == (rank_K == 1)", True),
        ("block(C, C) == K", True),
        ("(sqrt(2 * n) - 2 * sqrt(k)) ** 2 < k", True),
        ("block(W, W, W, 2 * W) == K", False),
    ],
)
def test_both_routes_decide_a_line(line, truth):
    assert holds(line) == (truth, truth)


def test_only_zero_stands_for_a_matrix():
    with pytest.raises(ValueError, match="expected matrices or 0"):
        holds("below(1, K)")
    with pytest.raises(ValueError, match="expected matrices or 0"):
        exact.prove("below(1, K)", exact.Case.of([0], 1, matrix=[[1]]))


def test_an_error_of_numpy_decides_too():
    a = Number(np.eye(2), np.float64(1e-12), 1.0)
    assert decide("==", a, Number.exact(np.eye(2))) is True


def test_a_claim_that_two_sides_differ_can_fall():
    assert compare(Claim("W != identity(k)"), Reader(QUANTITIES, EQUAL)).violated
    assert not compare(
        Claim("W != 2 * identity(k)"), Reader(QUANTITIES, EQUAL)
    ).violated


@pytest.mark.parametrize("name", ["trace", "diag", "inv", "pinv", "norm_2", "identity"])
def test_what_is_unknown_stays_unknown(name):
    assert FUNCTIONS[name](UNKNOWN).unknown


def test_a_product_with_an_unknown_matrix_is_unknown():
    matrix = Number.exact(np.eye(2))
    assert (matrix @ UNKNOWN.transposed()).unknown
    assert FUNCTIONS["below"](matrix, UNKNOWN) is None


@pytest.mark.parametrize("line", ["(W == 2 * W) == unclear", "not unclear"])
def test_a_truth_that_is_unknown_decides_nothing(line):
    reading = Reader({"unclear": UNCLEAR, **QUANTITIES}, EQUAL)
    line = line.replace("C", "W")
    assert not compare(Claim(line), reading).decided


def test_an_exponent_stands_on_a_bracket():
    """One exponent above another would be no formula."""
    symbols = {"G": "G_k^{1/2}", "H": "(G^{2})"}
    assert latex(parse("pinv(G) @ H.T"), symbols) == r"(G_k^{1/2})^+ (G^{2})^\top"


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("A @ A", "A^{2}"),
        ("2 * (A @ A) @ B", r"2 A^{2} B"),
        ("A @ B @ A", "A B A"),
        ("sum(2 * a * b) + sum(a + b)", r"\sum 2 a b + \sum(a + b)"),
        ("A.T @ A.T", r"A^\top A^\top"),
        ("sqrt(l / n) * A", r"\sqrt{l / n} A"),
        ("sqrt((l + 1) / n)", r"\sqrt{\frac{l + 1}{n}}"),
        ("exp(-2 * l / n)", "e^{-2 l / n}"),
        ("1 - -a * b", "1 - (-a b)"),
        ("(a < b) == c", r"a < b \quad\Longleftrightarrow\quad c"),
        ("pinv(W) @ pinv(W)", "(W^+)^{2}"),
        ("block(W, 0 * A)", r"[\,W \;\; 0\,]"),
        ("block(W, A, B, D)", r"\begin{pmatrix} W & A \\ B & D \end{pmatrix}"),
        ("(W == A) == known", r"W = A \quad\Longleftrightarrow\quad known"),
    ],
)
def test_formulas(line, formula):
    assert latex(parse(line), {}) == formula


def test_a_truth_is_no_bound():
    assert Claim("(W == C) == (rank_K == 1)").bounding(QUANTITIES) is None
    assert Claim("W == C").bounding(QUANTITIES) is not None


def test_numbers_before_a_matrix_commute():
    algebra = _Algebra(["sqrt(l / n) * C @ (n / l * S)", "C @ S"])
    assert algebra.matrices == {"C", "S"}
    assert algebra.of("n / l * C @ (l / n * S)") == algebra.of("C @ S")


DIAGONAL = Instance.exactly([0], 1, matrix=[[1, 0], [0, 2]])


@pytest.mark.parametrize(
    ("line", "truth"),
    [
        ("K @ diag(K) == diag(K) ** 2", True),
        ("diag(K).T @ K @ diag(K) == 9", True),
        ("diag(K).T @ K == diag(K).T", False),
        ("norm_2(K @ diag(K)) == 4", False),
        ("norm_2(diag(K) - K @ diag(inv(K))) == 1", True),
        ("diag(K) != diag(K @ K)", True),
        ("diag(K) != diag(K)", False),
    ],
)
def test_a_list_of_numbers_is_a_vector(line, truth):
    assert holds(line, DIAGONAL) == (truth, truth)


def test_zero_is_added_without_rounding():
    weights = Number.exact([0.0, 0.3, 0.7])
    assert decide(">=", weights, Number.exact(0.0)) is True
    assert decide(">=", Number.exact([-1e-17, 1.0]), Number.exact(0.0)) is False


def test_a_determinant_errs_as_much_as_its_matrix():
    found = FUNCTIONS["det"](Number(np.eye(3), 0.1, 1.0))
    worst = np.eye(3) - 0.1 / np.sqrt(3) * np.eye(3)
    assert 1 - np.linalg.det(worst) < found.error < 1.1**3


def test_a_bound_that_is_not_known_certifies_nothing():
    class Unlisted(Instance):
        def outcomes(self, law):
            return None

    case = Unlisted(np.eye(2), [0], 1)
    theorem = replace(theorems["talwalkar2010:def-2.1"], controls={}, printed={})
    for line in ("mean(error_2) <= 1 / 0", "chance(error_2 > 2) <= 1 / 0"):
        claim = Claim(line, law="uniform")
        part = over_samples(theorem, claim, case, np.random.default_rng(0), 20)
        assert part.outcome == "undecided"


def test_a_log_determinant_knows_its_error():
    low = Number(np.diag([4.0, 1e-3]), 1e-5, 4.0)
    found = FUNCTIONS["log_det"](low)
    moved = np.linalg.slogdet(low.value - 1e-5 * np.eye(2))[1]
    assert found.value == pytest.approx(np.log(4e-3))
    assert abs(found.value - moved) <= found.error < 0.02
    assert FUNCTIONS["log_det"](Number(low.value, 1e-3, 4.0)).unknown
    case = exact.Case.of([0], 1, matrix=[[2, 1], [1, 2]])
    proof = exact.prove("log_det(K) == log(3)", case)
    assert proof.near


def test_undecided_instances_of_a_mean_are_counted_and_tolerated_as_elsewhere():
    theorem = theorems["talwalkar2010:def-2.1"].asserting(
        first=Claim("mean(error_2) <= tail_2", law="uniform")
    )
    seen = Comparison(1, 1, 1, 1, True)
    told = OnInstance("certified", "enumerated", seen, 80, 0, EQUAL)
    blurred = replace(told, outcome="undecided", decided=20)
    found = judged(_of_parts(theorem, "first", [told, blurred]), Claim("True"))
    assert (found.outcome, found.decided, found.undecided) == ("certified", 80, 20)
    worse = replace(blurred, decided=80)
    found = judged(_of_parts(theorem, "first", [told, worse]), Claim("True"))
    assert found.outcome == "undecided"
    assert _of_parts(theorem, "first", [blurred]).outcome == "undecided"


# --- Derivations ---------------------------------------------------------------------

T = "identity(n) + K"


def inverted(*steps, rules):
    """A theorem that claims the inverse of I + K, derived from steps."""
    line = f"inv({T}) == identity(n) - inv({T}) @ K"
    lines = tuple((step, "") for step in steps)
    derivation = Derivation("inverse", lines, rules=rules)
    theorem = theorems["talwalkar2010:def-2.1"].asserting(inverse=line)
    return derivation.fault(theorem)


def test_an_inverse_is_derived_by_multiplying_out():
    first = f"({T}) @ (identity(n) - inv({T}) @ K)"
    rules = {f"K @ inv({T})": f"identity(n) - inv({T})"}
    assert inverted(first, "1", rules=rules) == ""
    assert "does not follow" in inverted(first, "1 + K", rules=rules)
    assert "last line" in inverted(first, first, rules=rules)
    assert "is false" in inverted(first, "1", rules=rules | {"K @ K": "K"})


def test_a_rule_that_no_instance_decides_is_not_checked():
    unknown = {f"K @ inv({T})": f"identity(n) - inv({T})", "inv(0 * K)": "K"}
    first = f"({T}) @ (identity(n) - inv({T}) @ K)"
    assert "not checked" in inverted(first, "1", rules=unknown)


def test_a_number_times_the_identity_is_a_number():
    algebra = _Algebra(["(alpha * identity(n) + K) @ K"])
    assert algebra.matrices == {"K"}


# --- Sums of inverse squares, composed quantities ------------------------------------


@pytest.mark.parametrize(("first", "last"), [(1, 1), (2, 7), (0, 3), (4, 3), (0, -1)])
def test_a_sum_of_inverse_squares(first, last):
    by_hand = sum(1 / j**2 for j in range(max(first, 1), last + 1))
    line = f"inverse_squares({first}, {last})"
    fast = Reader(QUANTITIES, None).value(parse(line))
    assert abs(fast.value - by_hand) <= fast.error + 1e-15
    tiny = "1 / 10 ** 15"
    assert holds(f"abs({line} - {by_hand!r}) <= {tiny}")[1] is True


def composed_theorem(line):
    """A theorem of one claim, on a symbol that is itself composed of another."""
    one = Instance.exactly([0], 1, points=[[1, 0]])
    control = Control("claim", one, {"<=": "<= 0.5 *"})
    return Theorem(
        id="test:composed",
        title="",
        number="",
        kind="inequality",
        status="new",
        setting="",
        claims={"claim": line},
        controls={"half": control},
    )


def test_the_box_opens_composed_quantities():
    theorem = composed_theorem("distance_F <= e_l")
    where = r"Write $e_l = \sqrt{\frac{n (n - l)}{l (n - 1)} V}$. Then"
    assert theorem.statement.strip().startswith(where)
    deep = composed_theorem("alpha_sharp <= e_l").statement
    told = "$u = n - l$", r"$\alpha_\sharp =", "$e_l =", r"\alpha_\sharp \le e_l"
    places = [deep.index(each) for each in told]
    assert places == sorted(places)


def test_a_fold_has_the_symbols_that_only_it_needs():
    theorem = composed_theorem("distance_F <= e_l")
    two = theorem.but(claims={**theorem.claims, "deep": "alpha_sharp <= e_l"})
    parts = two.parts({"more": ["deep"]})
    assert parts[""] == theorem.statement
    assert r"\alpha_\sharp =" in parts["more"] and "e_l =" not in parts["more"]


@pytest.mark.parametrize("names", [["claim"], ["nothing"], ["deep", "deep"]])
def test_a_fold_names_claims_once_and_leaves_one_open(names):
    theorem = composed_theorem("distance_F <= e_l")
    two = theorem.but(claims={**theorem.claims, "deep": "alpha_sharp <= e_l"})
    folds = {"more": names} | ({"rest": ["deep"]} if names == ["claim"] else {})
    with pytest.raises(ValueError, match="folds: expected some of claim, deep"):
        two.parts(folds)


def test_a_proof_opens_composed_quantities():
    theorem = composed_theorem("distance_F <= e_l")
    assert theorem.where_lines["e_l"] == QUANTITIES["e_l"].line
    assert refute(theorem, "half").by == "exact"
    assert refute(theorem, "half").refuted
    assert value("e_l", n=2, l=1, spread=0.5) == 1


@pytest.mark.parametrize("line", ["l <= k <= n", "k == l == rank_K", "W == W == W"])
def test_both_routes_decide_a_chain(line):
    assert holds(line) == (True, True)


def test_a_chain_falls_with_its_last_link():
    assert holds("k == l == n") == (False, False)


@pytest.mark.parametrize(
    ("line", "bound"),
    [
        ("chance(error_2 > 2 * tail_2) <= delta", "2 * tail_2"),
        ("chance(approximation != K) <= 2 * delta", "2 * delta"),
        ("chance(error_2 >= 1 / 2) <= delta", "delta"),
    ],
)
def test_the_bound_of_a_chance_is_what_somebody_computes(line, bound):
    assert ast.unparse(Claim(line).bounding(QUANTITIES)) == bound


def test_a_quotient_of_integers_has_no_error():
    three, two = Number.exact(3), Number.exact(2)
    assert (Number.exact(6) / two).error == 0 < (three / two).error


@pytest.mark.parametrize("law", ["uniform", "weighted"])
def test_what_is_hit_has_the_chance_of_all_its_samples(law):
    """By groups, in float64 and in fractions, and by a list of all samples."""
    chances = ["1/4", "1/4", "1/10", "1/10", "1/10", "1/5"]
    X, given = [[1] * 6], {"groups": (2, 3, 1), "probabilities": chances}
    case, group = Instance.exactly([0, 1, 2], 1, points=X, **given), "001112"
    listed, exactly = {}, {}
    for p, outcome in case.but(groups=()).outcomes(law):
        hit = frozenset(group[j] for j in outcome.landmarks)
        listed[hit] = listed.get(hit, 0) + p
    by_groups = {
        frozenset(group[j] for j in outcome.landmarks): p
        for p, outcome in case.outcomes(f"{law}_hits")
    }
    plain = exact.Case.of(**case.in_fractions())
    for p, outcome in exact.laws.LAWS[f"{law}_hits"](plain):
        assert outcome.l == 3
        exactly[frozenset(group[j] for j in outcome.landmarks)] = float(p)
    assert by_groups == pytest.approx(listed)
    assert exactly == pytest.approx(listed)


def test_a_card_says_what_fails_without_a_hypothesis_and_what_was_printed():
    page = theorems["talwalkar2010:rem-2.2.1"]._repr_html_()
    assert "talwalkar2010:rem-2.2.1" in page
    assert "Why the hypotheses are there" in page
    assert "As printed (missing hypothesis)" in page


# --- Means, rates and what a sample changes -------------------------------------------


def test_a_mean_with_a_support_has_an_exact_interval():
    theorem = theorems["modern:preconditioner"]
    rng, claim = np.random.default_rng(0), theorem.claims["mean"]
    case = [i for i in theorem.cases(rng) if i.brings("omega")][0]
    part = over_samples(theorem, claim, case, rng, 50)
    assert "Student" not in part.by and part.outcome != "refuted"
    free = over_samples(theorem, replace(claim, support=None), case, rng, 50)
    assert "Student" in free.by


def test_a_rate_is_refuted_by_another_measurement():
    def falling(exponent):
        def measure(size, rng):
            return size**exponent * np.exp(0.01 * rng.standard_normal())

        return Rate((10, 100, 1000), measure, -1, -0.5, width=0.1)

    claim = replace(
        theorems["modern:nystrom-plus-plus"].claims["decay"], rate=falling(-1)
    )
    slow = {"lacks": "speed", "inexact": "a slope"}
    theorem = theorems["modern:nystrom-plus-plus"].but(
        claims={"decay": claim},
        controls={"slow": Control("decay", falling(-0.5), **slow)},
    )
    assert verify(theorem, np.random.default_rng(0), "quick").good
    same = theorem.but(controls={"same": Control("decay", falling(-1), **slow)})
    verdict = verify(same, np.random.default_rng(0), "quick")
    assert verdict.outcome == "control not refuted"


def test_a_sample_keeps_what_is_known_of_the_matrix_and_nothing_else():
    case = Sketched(np.eye(2), [0], 1, omega=np.ones((2, 1)))
    norm = case.measured(QUANTITIES["norm_K"])
    omega = Sketched.quantities["omega"]
    assert case.measured(omega).value.sum() == 2
    other = case.but(omega=np.eye(2)[:, :1])
    assert other.measured(omega).value.sum() == 1
    assert other.measured(QUANTITIES["norm_K"]) is norm
    assert case.but(alpha=1.0).measured(QUANTITIES["norm_K"]) is not norm


def test_a_square_of_a_norm_has_no_brackets_and_a_minimum_is_as_tall_as_it_must():
    def formula(line):
        return shown(parse(line), QUANTITIES)

    assert formula("norm_F(K @ C.T)**2") == r"\|K C^\top\|_F^{2}"
    assert formula("min(1 / n, l)") == r"\min\left\{\frac{1}{n}, l\right\}"
    assert formula("min(n, l)") == r"\min\{n, l\}"


def test_eigenvalues_are_found_where_the_usual_driver_gives_up(monkeypatch):
    usual = scipy.linalg.eigh

    def moody(matrix, driver=None):
        if driver is None:
            raise np.linalg.LinAlgError("Internal Error.")
        return usual(matrix, driver=driver)

    monkeypatch.setattr(scipy.linalg, "eigh", moody)
    values, vectors = eigen(np.diag([1.0, 3.0, 2.0]))
    assert values.tolist() == [3, 2, 1]
    assert abs(vectors).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
