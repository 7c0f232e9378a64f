"""Promises: what theorems tell of themselves, and each at its best on one matrix."""

import ast
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import nystheory
from nystheory import coherence, datasets, guarantees, kernels, sampling
from nystheory.chapters import theorems
from nystheory.engine.language import lines
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.promises.promises import NORMS, Promise, asks, kept, observed
from nystheory.engine.worlds.quantities import value

DIGITS = kernels.rbf(datasets.digits(60).X)
KNOWN = guarantees.know(DIGITS)
VALUES = np.sort(np.linalg.eigvalsh(DIGITS.dense()))[::-1]

# What bounds the error of an approximation is a promise, or says why not.
ERRORS = {
    *("E", "norm_E", "trace_E", "error_2", "error_F", "error_trace", "gap_2"),
    *("approximation", "spectral_miss", "largest_entry", "mixture_2", "mixture_F"),
    *("sketch_2", "cut_sketch_2", "cut_sketch_trace", "worst_2", "worst_F"),
}


def at(l, **given):  # noqa: E741
    return KNOWN.but(landmarks=np.arange(l), rank=l, **given)


# --- The metadata ---------------------------------------------------------------------


def bounds_of_errors():
    """Claims that an error, its mean or with a chance, is at most something known."""
    for theorem in theorems.values():
        for name, claim in theorem.claims.items():
            tree, table = theorem.bounding(name), theorem.quantities
            known = tree is not None and theorem.needed(tree)
            if known is False or claim.rate or claim.relation not in ("<=", "<", "=="):
                continue
            if any(table[symbol].when == SAMPLE for symbol in known):
                continue
            left = claim.sides[0]
            called = left.func.id if isinstance(left, ast.Call) else ""
            if claim.relation == "==" and called != "mean":
                continue
            if any(isinstance(node, ast.MatMult) for node in ast.walk(claim.tree)):
                continue
            names = [symbol for symbol in lines.names(left) if symbol in table]
            seen = {symbol for symbol in names if table[symbol].when == SAMPLE}
            if seen and seen <= ERRORS:
                yield theorem, name


def test_every_bound_of_an_error_is_a_promise_or_says_why_not():
    missing = [
        (theorem.id, name)
        for theorem, name in bounds_of_errors()
        if name not in theorem.promises
    ]
    assert missing == []


@pytest.mark.parametrize("norm", NORMS)
def test_a_promise_is_not_broken_by_what_it_promises_of(norm):
    """The quantity that it bounds is one of the sample, and of the norm it says."""
    symbols = {"trace": "tr|_*", "spectral": "_2", "Frobenius": "_F"}
    for theorem in theorems.values():
        for name, promise in theorem.promises.items():
            if not isinstance(promise, Promise) or promise.norm != norm:
                continue
            of = observed(theorem.claims[name])
            if of in ("", "E", "approximation"):
                continue
            known = theorem.quantities[of]
            assert known.when == SAMPLE, (theorem.id, name)
            marks = symbols.get(norm, "max").split("|")
            assert any(mark in known.latex for mark in marks), (of, norm)


def rare(number):
    """Whether a number has three digits or more: nobody writes it by chance.

    An integer is no constant of one theorem only: 16 and 67 may stand anywhere.
    """
    return (
        isinstance(number, float)
        and len(f"{number:.12g}".replace(".", "").strip("0")) >= 3
    )


def numbers(tree):
    """The numbers that a source writes: as they are, computed from some, in a text."""
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in texts:
                yield from map(float, re.findall(r"(?<![\w.])\d+\.\d+\b", node.value))
        elif isinstance(node, (ast.BinOp, ast.Call, ast.Constant)):
            try:
                yield float(eval(ast.unparse(node), {"Fraction": Fraction}))
            except Exception:  # noqa: BLE001 - no number
                continue


def test_numbers_are_seen_however_they_are_written():
    for text in ("6.52", "652 / 100", "13.04 / 2", "6 + 0.52", "float('6.52')"):
        assert 6.52 in [round(x, 12) for x in numbers(ast.parse(f"x = {text}"))], text
    assert 6.52 in list(numbers(ast.parse("x = Fraction(163, 25)")))
    assert 6.52 in list(numbers(ast.parse("x = 'l >= 6.52 * k'")))


def test_no_constant_of_a_theorem_is_written_outside_its_object():
    constants = {
        node.value: theorem.id
        for theorem in theorems.values()
        for each in (*theorem.claims.values(), *theorem.hypotheses.values())
        for node in ast.walk(lines.parse(each.line))
        if isinstance(node, ast.Constant) and rare(node.value)
    }
    assert {6.52, 9.25, 18.4} <= set(constants)
    package = Path(nystheory.__file__).parent
    for path in package.rglob("*.py"):
        if {"theorems", "exact", "tests"} & set(path.relative_to(package).parts):
            continue
        for number in numbers(ast.parse(path.read_text())):
            found = rare(number) and constants.get(round(number, 12))
            assert not found, (path, number, found)


# --- One promise at its best ----------------------------------------------------------


def test_what_is_known_is_what_the_package_measures():
    alpha = 0.05 * KNOWN.diagonal.sum()
    expected = coherence.effective_dimension(DIGITS, alpha)
    assert value("d_eff", KNOWN.but(alpha=alpha)) == pytest.approx(expected)
    assert guarantees.know(KNOWN) is KNOWN


def test_uniform_promises_solve_for_the_share_that_is_kept():
    """With its epsilon the columns are just enough, by the theorem's own hypothesis."""
    theorem = theorems["modern:uniform-coherence"]
    best = kept(theorem, "the spectral norm", at(59), 0.1)
    share, k = best.chosen["kept_share"], best.chosen["k"]
    given = {"n": 60, "l": 59, "k": k, "delta": 0.1, "tail_2": VALUES[int(k)]}
    there = at(59).but(rank=int(k))
    given["leading_coherence"] = value("leading_coherence", there)
    bound = theorem.bound(kept_share=share, **given, claim="the spectral norm")
    assert bound == pytest.approx(best.bound)
    with pytest.raises(ValueError, match="hypothesis"):
        theorem.bound(kept_share=share * (1 + 1e-4), **given)


def test_a_theorem_that_fails_twice_as_often_gets_half_the_delta():
    theorem = theorems["modern:uniform-coherence"]
    best = kept(theorem, "the trace", at(59), 0.1)
    assert best.fails == pytest.approx(0.1)
    k, share = best.chosen["k"], best.chosen["kept_share"]
    by_hand = (1 + 1 / (0.05 * share)) * VALUES[int(k) :].sum()
    assert best.bound == pytest.approx(by_hand)


def test_a_ridge_is_the_smallest_that_is_likely_enough():
    K = np.ones((100, 100)) + 1e-3 * np.eye(100)
    known, theorem = guarantees.know(K), theorems["modern:rudi"]
    claim, shares = "without replacement", []
    for m in (60, 90):
        best = kept(theorem, claim, known.but(landmarks=range(m), rank=m), 0.1)
        alpha = best.chosen["alpha"]
        there = known.but(landmarks=range(m), rank=m, alpha=alpha)
        chance = theorem.bound_on(there, claim, alpha=alpha)
        assert best.bound == pytest.approx(2 * alpha)
        assert chance == pytest.approx(0.1, rel=1e-6) and best.fails <= 0.1
        shares.append(best.bound)
    assert shares[1] < shares[0]


def test_a_random_number_of_columns_has_the_mean_that_is_asked_for():
    theorem = theorems["modern:dpp-expectation"]
    best = kept(theorem, "error", at(20))
    alpha = best.chosen["alpha"]
    assert (VALUES / (VALUES + alpha)).sum() == pytest.approx(20, rel=1e-6)
    assert best.bound == pytest.approx(20 * alpha) and best.fails is None


def test_the_root_of_a_mean_square_is_told():
    best = kept(theorems["modern:frobenius-pivoting"], "several", at(15))
    assert best.bound == pytest.approx(math.sqrt(0.75) * np.linalg.norm(VALUES))


def test_a_rank_that_float64_cannot_tell_is_at_least_what_is_clear():
    """Eigenvalues from 1 to 1e-15: nobody knows how many there are, but ten are."""
    known = guarantees.know(np.diag(10.0 ** -np.arange(16)))
    assert not known.rank_is_clear and known.rank_K >= 4
    there = known.but(landmarks=range(3), rank=3)
    assert np.isfinite(kept(theorems["modern:k-dpp-expectation"], "mean", there).bound)
    beyond = known.but(landmarks=range(15), rank=15)
    assert kept(theorems["modern:k-dpp-expectation"], "mean", beyond).bound == np.inf
    recovered = kept(theorems["modern:uniform-coherence"], "exact recovery", there)
    assert recovered.bound == np.inf


def test_what_is_asked_by_name():
    theorem = theorems["talwalkar2010:thm-5.3"]
    assert asks(theorem, "fixed weights", KNOWN) == ["experts", "mu_max"]
    with pytest.raises(ValueError, match="expected experts, mu_max by name"):
        kept(theorem, "fixed weights", KNOWN)


@pytest.mark.parametrize("change", [{"norm": "nuclear"}, {"free": {"k": "smallest"}}])
def test_bad_metadata(change):
    with pytest.raises(ValueError, match="expected"):
        Promise(**{"norm": "trace", "scheme": "uniform"} | change)


def test_a_promise_of_a_claim_that_is_not_there():
    theorem = theorems["modern:bach"]
    with pytest.raises(ValueError, match="no claim is called 'nothing'"):
        theorem.but(promises={"nothing": theorem.promises["error"]})


# --- What a scheme is -----------------------------------------------------------------

# The law by which the claim is checked, and what the scheme fixes of it.
SCHEMES = {
    "uniform": {"uniform", "uniform_hits"},
    "uniform, with replacement": {"with_replacement", "weighted_hits"},
    "uniform, in disjoint groups": {"decompositions"},
    "leverage scores, with replacement": {"weighted_hits"},
    "ridge leverage scores, with replacement": {"weighted_hits"},
    "ridge leverage scores, a random number": {"by_scores"},
    "k-DPP": {"determinantal"},
    "DPP, a random number": {"dpp"},
    "RPCholesky": {"pivoted"},
    "RPCholesky in blocks": {"pivoted_blocks"},
    "pivots by squared diagonal": {"pivoted_squared"},
    "Gaussian sketch": {"gaussian"},
    "locally largest volume": {""},
}
# What the probabilities of a scheme are, on a matrix and at a choice.
PROBABILITIES = {
    "uniform, with replacement": lambda K, chosen: np.ones(len(K)),
    "leverage scores, with replacement": lambda K, chosen: sampling.leverage_scores(
        K, int(chosen["k"])
    ),
    "ridge leverage scores, with replacement": lambda K, chosen: (
        sampling.ridge_leverage_scores(K, chosen["alpha"])
    ),
}
PROMISED = [
    (theorem, name)
    for theorem in theorems.values()
    for name, promise in theorem.promises.items()
    if isinstance(promise, Promise)
]
ALL = pytest.mark.parametrize(
    ("theorem", "name"), PROMISED, ids=[f"{t.id}, {name}" for t, name in PROMISED]
)
# One direction far above the rest; points that are nearly one; two directions only.
STEEP = guarantees.know(np.diag([400.0, 20.0, *0.99 ** np.arange(58)]))
EVEN = guarantees.know(np.ones((100, 100)) + 1e-3 * np.eye(100))
CLUSTERS = guarantees.know(kernels.linear(np.diag([2.0, 1.0]).repeat(30, axis=0)))
FEW = guarantees.know(
    np.array([[9, 1, 1, 0], [1, 3, 0, 1], [1, 0, 2, 1], [0, 1, 1, 1]]) + 0.0
)
SQUARES = guarantees.know(np.diag([4.0, 1.0, 1.0, 1.0]))
# All alike; and a large and a middling direction above a long flat tail.
ALIKE = guarantees.know(np.eye(40))
LONG = guarantees.know(np.diag([1.0, 1e-3, *[1e-8] * 118]))
CASES = [(STEEP, 42), (EVEN, 90), (CLUSTERS, 51), (FEW, 2), (FEW, 3), (SQUARES, 2)]
CASES += [(ALIKE, 21), (LONG, 60)]
MORE = {"experts": 3, "mu_max": 1 / 3}


@ALL
def test_a_scheme_is_the_law_by_which_the_claim_is_checked(theorem, name):
    assert theorem.claims[name].law in SCHEMES[theorem.promises[name].scheme]


def promised(theorem, name, known, l):  # noqa: E741
    """The best promise on a matrix, and the case as its scheme would draw it."""
    asked = asks(theorem, name, known)
    more = {**MORE, "block_size": l if known is LONG else 1}
    given = {x: more[x] for x in asked}
    case = theorem.world.of(known).but(landmarks=range(l), rank=l, **given)
    if "experts" in asked:
        case = case.but(weights=np.full(3, 1 / 3))
    best = kept(theorem, name, case)
    chosen = dict(best.chosen)
    case = case.but(rank=int(chosen.pop("k", l)), **chosen)
    scheme = theorem.promises[name].scheme
    if scheme in PROBABILITIES and np.isfinite(best.bound):
        p = PROBABILITIES[scheme](case.K, best.chosen)
        case = case.but(probabilities=p / p.sum())
    if "scores" in theorem.promises[name].given:
        scores = sampling.ridge_leverage_scores(case.K, case.given.get("alpha", 1.0))
        case = case.but(scores=scores, delta=best.fails)
    return best, case


BY_SHARE = [
    (theorem, name, symbol)
    for theorem, name in PROMISED
    for symbol in theorem.promises[name].given
    if symbol.endswith("share")
]


@pytest.mark.parametrize(("theorem", "name", "share"), BY_SHARE)
def test_a_scheme_draws_by_the_share_of_the_scores_that_it_says(theorem, name, share):
    assert len(BY_SHARE) >= 5
    for known, l in CASES:  # noqa: E741
        _, case = promised(theorem, name, known, l)
        if case.brings("probabilities"):
            fixed = theorem.promises[name].given[share]
            assert value(share, case) >= fixed * (1 - 1e-9)


def observed_error(theorem, name, case):
    """What the scheme leaves: by NumPy alone, where K~ is the Nyström matrix."""
    norm = theorem.promises[name].norm
    of = observed(theorem.claims[name])
    if of in OTHERS:
        assert norm == NORM_OF[of]
        return value(of, case)
    S = np.unique(case.landmarks)
    C = case.K[:, S]
    E = case.K - C @ np.linalg.pinv(C[S], rcond=1e-10, hermitian=True) @ C.T
    if norm == "largest entry":
        return np.abs(E).max()
    return np.linalg.norm(E, {"trace": "nuc", "spectral": 2, "Frobenius": "fro"}[norm])


# Errors of an ensemble, of a sketch and at a rank below the number of columns.
NORM_OF = {
    **dict.fromkeys(("mixture_2", "sketch_2", "cut_sketch_2", "error_2"), "spectral"),
    **dict.fromkeys(("mixture_F", "error_F"), "Frobenius"),
    "cut_sketch_trace": "trace",
}
OTHERS = set(NORM_OF)


def drawn(case, law, rng):
    """One sample; the laws without a draw of their own are drawn by the library."""
    if law == "determinantal":
        S = sampling.k_dpp(case.K, case.l, rng).indices
    elif law == "dpp":
        S = sampling.dpp(case.K, None, rng, alpha=case.alpha).indices
    else:
        return case.draw(law, rng)
    return case.but(landmarks=S, rank=len(S))


def errors(theorem, name, case, rng, draws=40):
    """All samples with their chances, or some draws; and how far their mean may be."""
    law = theorem.claims[name].law
    found = case.outcomes(law)
    if found is not None:
        found = [(p, observed_error(theorem, name, each)) for p, each in found]
        return *np.array(found).T, 0.0
    some = [drawn(case, law, rng) for _ in range(draws)]
    found = np.array([observed_error(theorem, name, each) for each in some])
    return np.full(draws, 1 / draws), found, 5 * found.std() / math.sqrt(draws)


@ALL
def test_a_promise_is_kept_by_its_scheme(theorem, name):
    """All samples of few points with their chances; some draws of many points."""
    rng, said = np.random.default_rng(0), 0
    for known, l in CASES:  # noqa: E741
        best, case = promised(theorem, name, known, l)
        if not np.isfinite(best.bound):
            continue
        said += 1
        if not theorem.claims[name].law:
            continue
        if theorem.promises[name].scheme.endswith("a random number"):
            counts = [drawn(case, theorem.claims[name].law, rng).l for _ in range(40)]
            assert np.mean(counts) <= l + 5 * np.std(counts) / math.sqrt(40)
        chances, found, doubt = errors(theorem, name, case, rng)
        limit = best.bound * (1 + 1e-9) + 1e-9 * known.norm_K
        if best.fails is None:
            assert chances @ found <= limit + doubt
        else:
            assert chances[found > limit].sum() <= best.fails
    assert said, "a promise that never says anything"
