"""What is allowed for rounding: each allowance by hand, and where it is needed.

All pass through `nystheory._rounding.allowed`, under names.  A test listens there: each
is a second time what its docstring says, on matrices whose numbers are known.  Then
one is left out: something passes an end, in fractions, that holds with it.
"""

import ast
import sys
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from allowance_cases import AT, CROSSED, turned

import nystheory
from nystheory import _rounding, certificates, coherence, guarantees, kernels, lowrank
from nystheory.features import RandomFourierFeatures
from nystheory.guarantees import _change, _decay
from nystheory.guarantees._ends import ENDS
from nystheory.learners import Preconditioner, _margins
from nystheory.lowrank import _missing
from nystheory.selection._bounds import Bounds, _Steps, ends_of_form
from nystheory.selection._problem import problem

PACKAGE = Path(nystheory.__file__).parent
EPS = 2.0**-52
FEW = 16
RIDGE = 0.5
X = np.random.default_rng(3).standard_normal((9, 2))
K = kernels.as_kernel(kernels.rbf(X, 0.5).dense())
S = [0, 3, 5, 8]
Y = np.sin(np.arange(9.0))


@cache
def named():
    """The names of all allowances in the package, as its source has them."""
    found = []
    sources = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    for source in sources:
        if "_rounding import allowed" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "allowed":
                found.append(node.args[0].value)
    return found


@pytest.fixture
def listening(monkeypatch):
    """The sizes of allowances, by name, the last one of each."""
    heard = {}

    def told(name, size):
        heard[name] = size
        return size

    put(monkeypatch, told)
    return heard


def put(monkeypatch, function):
    """Another function in the place of `allowed`, wherever it was imported."""
    own = _rounding.allowed
    for name, module in list(sys.modules.items()):
        if name.startswith("nystheory.") and vars(module).get("allowed") is own:
            monkeypatch.setattr(module, "allowed", function)


# --- By hand --------------------------------------------------------------------------


@cache
def near():
    return lowrank.nystrom(K, S)


def blur():
    """That of small pivots, by elimination; the largest entry is 1."""
    W, C = K[S, S].copy(), K[:, S].copy()
    own = np.zeros(4)
    for j in range(4):
        p = W[j, j]
        own[j] = (1 / p - 1) * (C[:, j] ** 2).sum() / p
        C, W = C - np.outer(C[:, j], W[j]) / p, W - np.outer(W[:, j], W[j]) / p
    # sqrt(r) eps of inner products; of entries a mean of eps, and FEW of one of them.
    return EPS * (2 * own.sum() + own.sum() + FEW * np.linalg.norm(own))


def of_the_trace():
    """k = 4 roundings of products, as independent ones, and 16 of an entry; n = 9."""
    return (2 + FEW) * EPS * 9 + blur()


def eigenvalues():
    return np.linalg.eigvalsh(near().factor.T @ near().factor)[::-1]


def lost(size):
    """Of an inner product of 4 numbers of this size, and of entries."""
    return (2 + FEW) * EPS * size


def certified_by_hand():
    certificates.trace_certificate(K, near())
    Preconditioner(near(), RIDGE).condition(K)
    lowrank.best_rank_k(K, 2)
    largest = np.linalg.eigvalsh(K.dense())[-1]
    return {
        "an entry": lost(1) + blur(),
        "the trace": of_the_trace(),
        "entries below zero": 0.0,
        "a small pivot": blur(),
        "the condition": of_the_trace(),
        "the best of rank k": 2 * 9 * EPS * largest,
    }


def enclosed_by_hand():
    for call in ("ridge_scores", "effective_dimension"):
        getattr(coherence, f"approximate_{call}")(K, near(), RIDGE)
    coherence.approximate_stable_rank(K, near(), 1)
    coherence.approximate_leverage_scores(K, near(), 1)
    values, missed = eigenvalues(), 9 - (near().factor ** 2).sum()
    whole = values[1:].sum() + missed
    share = lost(1) + blur() / values[0]
    return {
        "missed": of_the_trace(),
        "ridge scores": lost(1 + values.sum() / RIDGE) + blur() / RIDGE,
        "the dimension": 4 * lost(1 + values.sum() / RIDGE) + blur() / RIDGE,
        "the stable rank": 4 * lost(1) + blur() / whole,
        "an eigenvalue of zero": (4 * lost(1) + blur() / whole) * values[0] + blur(),
        "a quotient": 4 * share,
        "a gap": share * values[0],
        "an angle": np.sqrt(share),
    }


def estimated_by_hand():
    known, at = guarantees.estimate(K, near()).matrix, SimpleNamespace(
        k=np.array([1]), l=2, alpha=RIDGE, block_size=1
    )
    for name in (
        *("norm_K", "d_eff", "largest_score", "leading_coherence", "d_max"),
        *("symmetric_ratio", "trace_after_pivots", "trace_after_blocks"),
    ):
        ENDS[name](known, at)
    largest = eigenvalues()[0]
    own = 4 * lost(largest) + blur()
    return {
        "missed by an estimate": of_the_trace(),
        "an eigenvalue": own,
        "a sum of eigenvalues": own,
        "a ratio": own,
        "after pivots": own,
        "after blocks": own,
        "the least eigenvalue": own,
        "two ends": 2 * own,
        "an angle of an estimate": np.sqrt(own / largest),
        "the dimension of an estimate": 4 * own / RIDGE,
        "scores of an estimate": 4 * own / RIDGE,
        "a distance": FEW * 2.0**-23,
    }


def of_all_by_hand():
    D = np.array([[1.0, 2.0], [2.0, -3.0]])
    _change._norm_of(D)
    L = 3 * np.eye(3) - 1
    _change._second(L)
    guarantees.effective_dimension(K, RIDGE)
    found = guarantees.decay(np.diag(2.0 ** -np.arange(20.0)))
    log = np.log(found.envelope("exponential", 0.5))
    x = np.array([0.0, 1.0, 3.0, 4.0])
    _decay._rounding(x, x - 2, np.array([0.0, -5.0, 1.0]))
    return {
        "computed eigenvalues": None,  # of the last matrix, below
        "the dimension of a diagonal": FEW * EPS * 9 / RIDGE,
        "the norm of a difference": 3 * EPS * np.sqrt(1 + 4 + 4 + 9),
        "connected": 3 * EPS * 3,
        "a slope": (4 + 8) * EPS * (6 + 4 * 4) / 10 * 5,
        "an envelope": 1e-12 * (1 + abs(log)),
    }


def rows_by_hand():
    F = np.array([[3.0, 4.0], [1.0, 0.0]])
    given = F, np.ones((2, 1)), np.array([0.5, 0.25]), 2.0, "hinge"
    w, dual = np.array([[0.0], [0.1]]), np.array([[0.5], [0.25]])
    _margins.certified(_margins.Problem(*given), w, dual)
    value = 0.5 * 0.6 + 0.25 * 1 + 1.0 * 0.01
    off = EPS * (2 + 8) * (0.5 * 5 + 0.25 * 1)
    return {
        "a margin": EPS * (2 + 8) * np.array([[5.0], [1.0]]) * 0.1,
        "v": off,
        "the value": EPS * (8 * value + (2 + 8) * 1.0 * 0.01),
        "w beside v": off / 2 + 4 * EPS * 0.1,
    }


def waves_by_hand():
    made = RandomFourierFeatures(gamma=0.5, n_components=6, random_state=0).fit(X)
    found, Z = made.error(X), made.transform(X)
    E = np.abs(np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2)) - Z @ Z.T)
    W, longest = made.frequencies_, (X**2).sum(axis=1).max()
    wave = np.sqrt((W**2).sum(axis=1).max() * longest)
    assert found.largest.value == pytest.approx(E.max())
    return {
        "an entry of features": (2 + 16) * EPS + (6 + 4) * EPS * 1,
        "a Frobenius norm": 64 * EPS * np.sqrt((E**2).sum()),
        "a sum of a row": (64 + 1024 + 1) * EPS * E.sum(axis=1).max(),
        "a wave": 4 * (wave + 2 * np.pi) * EPS + 16 * EPS,
    }


def left_out_by_hand():
    certificates.leave_one_out_trace(K, S)
    inverse = np.linalg.inv(K[S, S])
    squares = (inverse / np.diag(inverse)) ** 2
    return {"an entry left out": 2 * (FEW + 4) * EPS * squares.sum(axis=0)}


def selection_by_hand():
    n, k, sums = 9, 4, (9 + FEW) * EPS
    bounds = Bounds.of(problem(n, Y, RIDGE, "criterion", None), near())
    length = np.linalg.norm(near().factor)
    bounds.factor(np.array([RIDGE]))
    after = ends_of_form(bounds, 1)[1]
    a, r = np.abs(after.a[:, 0]), np.abs(after.r[:, 0])
    taken = np.abs(Y - after.r[:, 0])
    roots = _Steps(bounds).roots
    both = roots * (roots @ a)
    off = (sums + FEW * EPS) * both
    off += FEW * EPS * (2 * RIDGE * a + taken + r + both)
    found = {
        "a form of the solution": a @ off + sums * (a @ (np.abs(Y) + r)),
        "a residual": off[:, None],
        "trace of a problem": of_the_trace() + (k + FEW) * EPS * 9,
        "a factorisation": sums * length,
        "F'F": 2 * sums * length**2,
    }
    bounds.energies(Y[:, None], np.zeros(1))
    found["a column"] = 2 * sums * np.linalg.norm(Y)
    found["an energy"] = sums
    lower, upper = bounds.logdet()
    top = np.abs(np.log(eigenvalues()[0] + bounds.high))
    size = n * (2 + np.abs(np.log(bounds.low)) + top)
    found["a determinant, below"] = sums * size
    found["a determinant, above"] = sums * (size + upper - lower)
    bounds.factor(np.array([RIDGE]))
    # A form is moved four times, and the inverse by e / (ridge - e): 8 are enough.
    found["forms"] = 8 * found["F'F"] / RIDGE
    return found


HANDS = (
    *(certified_by_hand, enclosed_by_hand, estimated_by_hand, of_all_by_hand),
    *(rows_by_hand, waves_by_hand, left_out_by_hand, selection_by_hand),
)


def test_each_allowance_is_what_its_docstring_says(listening):
    """To three digits: what is there in three numbers is not compared to the last."""
    seen = set()
    for hand in HANDS:
        for name, size in hand().items():
            seen.add(name)
            if size is not None:
                found = np.squeeze(listening[name])
                np.testing.assert_allclose(
                    found, np.squeeze(size), rtol=1e-3, err_msg=name
                )
    names = named()
    assert len(set(names)) == len(names) and seen == set(names)


def test_that_of_all_eigenvalues(listening):
    guarantees.effective_dimension(K, RIDGE)
    largest = np.linalg.eigvalsh(K.dense())[-1]
    size = FEW * EPS * 9 + 3 * EPS * largest
    assert listening["computed eigenvalues"] == pytest.approx(size, rel=1e-3, abs=0)


@pytest.mark.parametrize("lower", [60, 90])
def test_what_came_out_below_zero_is_allowed_for_twice_at_each_entry(lower):
    """Once for the entry, and once for others that may be as far above."""
    A, k = np.eye(101), 100
    A[100, :100] = A[:100, 100] = 0.1
    A[100, 100] = 1 - lower * EPS
    A = kernels.DenseKernel(A)
    near = lowrank.nystrom(A, range(k))
    below = (near.factor[100] ** 2).sum() - A.diagonal()[100]
    entry = (10 + FEW) * EPS
    assert near.blur == 0 and below > entry
    told = certificates.entry_certificate(A, near).error
    # Sums of squares in another order differ in the last digits.
    assert told == pytest.approx(entry + 2 * (below - entry), abs=4 * EPS)
    told = certificates.trace_certificate(A, near).error
    whole = (10 + FEW) * EPS * A.diagonal().sum()
    lifted = 101 * 2 * (below - entry)
    assert told == pytest.approx(whole + lifted, abs=101 * 4 * EPS)


def test_roundings_of_one_sign_by_hand():
    """All k = 4 of them add up, and those in the blur: of independent ones it has 2."""
    found = _missing._worst(EPS, near(), 1.0)
    assert found == pytest.approx((4 + FEW) * (EPS + blur() / (2 + FEW)), rel=1e-3)


@pytest.mark.parametrize("k", [25, 100])
def test_a_matrix_is_accused_of_what_roundings_of_one_sign_do_not_explain(
    k, monkeypatch
):
    """Of k + FEW of them; where landmarks are known, the entries decide besides."""
    A = np.eye(k + 1)
    A[k, :k] = A[:k, k] = k**-0.5
    monkeypatch.setattr(_missing, "_in_doubt", lambda *_: None)
    for lower in (k + FEW - 6, k + FEW + 6):
        A[k, k] = 1 - lower * EPS
        near = lowrank.nystrom(A, range(k))
        accused = pytest.raises(ValueError, match="negative eigenvalue")
        with accused if lower > k + FEW else nullcontext():
            certificates.trace_certificate(A, near)


# --- Where they are needed ------------------------------------------------------------


def test_nothing_passes_an_end():
    assert [case for case in {*CROSSED.values()} if case()] == []


@pytest.mark.parametrize("names", CROSSED, ids=", ".join)
def test_without_an_allowance_something_does(names, monkeypatch):
    assert set(names) <= set(named())
    put(monkeypatch, lambda name, size: 0 * size if name in names else size)
    assert CROSSED[names]()


@pytest.mark.parametrize("missed", [0.02, 0.2])
@pytest.mark.parametrize("tilt", [0.4, 0.6])
def test_ends_of_an_angle_are_met(tilt, missed):
    """Else they say less than is known: the trace may turn a space by so much."""
    K, near, true = turned(tilt, missed, -1)
    found = coherence.approximate_leverage_scores(K, near, 1)
    assert found.high[1] == pytest.approx(true, rel=1e-6)
    matrix = guarantees.estimate(K, near).matrix
    assert ENDS["leading_coherence"](matrix, AT)[1] == pytest.approx(3 * true, rel=1e-6)
    K, near, true = turned(tilt, missed, 1)
    found = coherence.approximate_leverage_scores(K, near, 1)
    assert found.low[1] == pytest.approx(true, rel=1e-6)
