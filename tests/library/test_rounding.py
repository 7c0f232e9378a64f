"""What rounding may do is told: floors, ends and accusations near a singular core."""

import numpy as np
import pytest

from nystheory import (
    certificates,
    coherence,
    ensemble,
    guarantees,
    kernels,
    lowrank,
    sampling,
)
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.features import NystromFeatures
from nystheory.guarantees._ends import ENDS
from nystheory.guarantees._spectrum import Spectrum
from nystheory.kernels import DenseKernel
from nystheory.lowrank import _missing


def near_pairs(seed, kind):
    """Points of which the first few nearly coincide, and one column of each."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 10)), int(rng.integers(2, 5))
    m = int(rng.integers(2, min(n - 1, d) + 1))
    if kind == "integers":
        X = rng.integers(-(2**23), 2**23, (n, d)).astype(float)
        for j in range(1, m):
            X[j] = X[j - 1] + rng.integers(-3, 4, d)
    elif kind == "float32":
        X = rng.integers(-1000, 1000, (n, d)).astype(np.float32)
        X[1:m] = X[0] + rng.integers(-2, 3, (m - 1, d))
    else:
        X = rng.standard_normal((n, d))
        X[1:m] = X[0] + 10.0 ** -rng.uniform(3, 8.5) * rng.standard_normal((m - 1, d))
    return kernels.linear(X), list(range(m))


@pytest.mark.parametrize("kind", ["integers", "float32", "near"])
def test_what_a_singular_core_lifts_above_K_is_allowed_for(kind):
    """The largest eigenvalue of ``K~ - K`` is below what certificates allow."""
    for seed in range(300):
        K, S = near_pairs(seed, kind)
        near = lowrank.nystrom(K, S)
        F = near.factor.astype(np.float64)
        above = np.linalg.eigvalsh(F @ F.T - K.dense())[-1]
        told = certificates.trace_certificate(K, near)
        assert above <= told.error, seed
        surely = told.value + told.error
        assert near.error(K, "spectral") <= surely * (1 + 1e-12), seed


@pytest.mark.parametrize("kind", ["integers", "near"])
def test_ends_allow_for_it_too(kind):
    for seed in range(60):
        K, S = near_pairs(seed, kind)
        known = guarantees.estimate(K, lowrank.nystrom(K, S))
        true = np.linalg.norm(K.dense())
        found = known.measured(QUANTITIES["norm_K_F"])
        assert abs(found.value - true) <= found.error * (1 + 1e-9), seed


def test_a_regular_core_is_not_blurred():
    """Control: what is allowed is small where the core is regular."""
    K = kernels.rbf(np.arange(20.0)[:, None], gamma=1.0)
    near = lowrank.nystrom(K, range(0, 20, 2))
    assert near.blur <= 1e-13 and certificates.trace_certificate(K, near).error < 1e-12


def test_valid_kernels_are_not_accused():
    X = np.random.default_rng(1).standard_normal((200, 3))
    K = kernels.rbf(X, 1e-6)
    for k in (10, 50, 200):
        assert lowrank.best_rank_k(K, k).error(K, "trace") < 1e-9
    rng = np.random.default_rng(0)
    X, P = rng.standard_normal((20, 3)), rng.standard_normal((2, 3))
    P[1] = P[0] + 1e-7 * rng.standard_normal(3)
    NystromFeatures("linear", landmarks=P).fit(X)
    rng = np.random.default_rng(17)
    X = rng.standard_normal((12, 3))
    X[1] = X[0] + 10 ** -rng.uniform(6, 8) * rng.standard_normal(3)
    K = kernels.linear(X)
    experts = [lowrank.nystrom(K, S) for S in ([0, 1, 2], [0, 1])]
    mixed = ensemble.Ensemble(experts, [0.5, 0.5])
    assert mixed.blur == pytest.approx(sum(x.blur for x in experts) / 2)
    certificates.trace_certificate(K, mixed)


def test_what_is_no_kernel_is_accused():
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    wrapped = DenseKernel(K)
    with pytest.raises(ValueError, match="semidefinite"):
        certificates.trace_certificate(wrapped, lowrank.nystrom(wrapped, [0]))
    with pytest.raises(ValueError, match="semidefinite"):
        sampling.rp_cholesky(wrapped, 2, np.random.default_rng(0))
    with pytest.raises(ValueError, match="symmetric"):
        kernels.pairwise(np.eye(3), lambda x, y: x @ y + 0.1 * (x[0] - y[0]))


def test_digits_are_those_of_what_has_fewest():
    X = np.random.default_rng(0).standard_normal((200, 4))
    floors = []
    for dtype in (np.float32, np.float64):
        K = kernels.rbf(X.astype(dtype), 0.2)
        near = lowrank.nystrom(K, range(20))
        floors.append(certificates.trace_certificate(K, near).error)
        some = certificates.leave_one_out_trace(K, range(20))
        floors.append(some.floor)
        known = guarantees.estimate(K, near)
        assert known.missed > _missing.missing(K, near).trace
        floors.append(known.matrix.blur)
    assert (np.array(floors[:3]) > 1e6 * np.array(floors[3:])).all()
    K, chosen = kernels.rbf(X.astype(np.float32), 0.2), range(20)
    drawn = sampling.incomplete_cholesky(K, len(chosen))
    assert drawn.factor.dtype == np.float64
    near = lowrank.from_factor(drawn)
    assert certificates.trace_certificate(K, near).error > 1e-7 * len(X)
    assert certificates.entry_certificate(K, near).error > 1e-7


def test_nothing_is_left_below_zero():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((30, 2)), 0.1)
    assert _missing.missing(K, lowrank.nystrom(K, range(30))).left.min() >= 0


def test_leave_one_out_by_hand():
    found = certificates.leave_one_out_trace(np.diag([1.0, 2.0, 3.0, 4.0]), [0, 1, 2])
    # (4 - 3 + 1) / 3 times the sum of 1, 2, 3; the error of a sum of three.
    assert found.value == pytest.approx(4.0)
    assert found.error == pytest.approx(2 / np.sqrt(3))
    twins = np.ones((2, 2))
    assert certificates.schur_complements(twins).tolist() == [0, 0]
    assert certificates.leave_one_out_trace(twins, [0, 1]).floor > 40 * 2.2e-16


def test_leave_one_out_does_not_depend_on_the_units_of_points():
    """Each point in a unit of its own."""
    W = np.array([[1.0, 1e-9], [1e-9, 1e-18]])
    assert certificates.schur_complements(W).tolist() == [0, 0]
    small = certificates.schur_complements(np.diag([1, 1e-12]))
    np.testing.assert_allclose(small, [1, 1e-12], rtol=1e-14)


def test_leave_one_out_refuses_other_laws():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((50, 2)), 0.5)
    drawn = sampling.rp_cholesky(K, 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="expected a uniform sample"):
        certificates.leave_one_out_trace(K, drawn)
    certificates.leave_one_out_trace(
        K, sampling.uniform(K, 5, np.random.default_rng(0))
    )
    certificates.leave_one_out_trace(K, drawn.indices)


def test_a_rank_that_may_be_zero():
    K = np.diag([1.0, 0.0])
    found = coherence.approximate_stable_rank(K, lowrank.nystrom(K, [0]), 1)
    assert found.low == 0 == coherence.stable_rank(K, 1)


# --- The ends of an estimate, by hand -------------------------------------------------


def case(K, S, **given):
    return guarantees.estimate(K, lowrank.nystrom(K, S)).but(**given)


def test_ends_by_hand():
    tail = case(np.diag([2.0, 1.0]), [0], rank=1).measured(QUANTITIES["tail_F"])
    assert tail.value + tail.error >= 1
    constant = case(np.diag([1.0, 1.005]), [0]).measured(
        QUANTITIES["constant_diagonal"]
    )
    assert constant is False
    X = np.zeros((40, 1))
    X[1], X[3] = 1.0, -1.0
    far = case(kernels.linear(X), [1]).measured(QUANTITIES["d_max"])
    assert far.value + far.error >= 2


def test_blur_moves_the_ends():
    """In float64 rounding is far below what is missed: here it is made to show."""
    K = kernels.rbf(np.random.default_rng(0).standard_normal((40, 3)), 0.05)
    known = guarantees.estimate(K, lowrank.nystrom(K, range(25)))
    known = known.but(count=5, rank=3, alpha=0.7, scores=None)
    before = {name: known.measured(QUANTITIES[name]) for name in BLURRED}
    clear = Spectrum(K, lowrank.nystrom(K, range(25)))
    clear.blur = 1e-3
    for name, found in before.items():
        low, high = ENDS[name](clear, known)
        assert high > found.value + found.error + 1e-7, name


BLURRED = ("d_eff", "largest_score", "leading_coherence", "tail_2", "norm_K", "tail_F")


def test_what_an_estimate_is():
    Z = np.random.default_rng(0).standard_normal((40, 9))
    K = DenseKernel(Z @ Z.T)
    known = guarantees.estimate(K, lowrank.nystrom(K, range(12)))
    assert known.rank_K <= 9 and not known.rank_is_clear
    assert not hasattr(known, "anything") and "points" in known._repr_html_()
    for name in ("tail_2", "tail_trace", "leading_coherence"):
        true = guarantees.know(K)
        found = known.but(count=40).over_ranks(QUANTITIES[name])[:8]
        exact = [true.but(rank=k).measured(QUANTITIES[name]).value for k in range(1, 9)]
        assert (found >= np.array(exact) * (1 - 1e-6)).all(), name
    for bad in (np.ones((1, 1)), np.zeros((4, 4))):
        with pytest.raises(ValueError, match="K: expected"):
            guarantees.estimate(bad, lowrank.nystrom(bad, [0]))


def test_columns_are_fewer_than_points_and_the_first_that_are_enough():
    from nystheory.guarantees._inverse import _first

    for least in range(1, 5000, 7):
        assert _first(lambda m, t=least: m >= t, 5000)[0] == least
    K = kernels.rbf(np.random.default_rng(0).standard_normal((30, 3)), 2.0)
    rows = guarantees.columns(K, 1e-9).rows
    assert all(row.count is None or row.count < 30 for row in rows)


def test_what_is_known_is_no_reason_for_advice():
    """At n = 1 both ends are 1; of the zero matrix nothing is rounding."""
    one = kernels.rbf([[1.0, 2.0]], 1.0)
    assert (
        coherence.approximate_stable_rank(one, lowrank.nystrom(one, [0])).advice == ""
    )
    assert certificates.leave_one_out_trace(np.zeros((4, 4)), [0, 1]).floor == 0


def test_a_chance_is_rounded_to_the_safe_side():
    row = guarantees.Guarantee("a", "b", "c", "trace", 0.1, {}, 0.0149)
    assert row.holds == "with probability 0.98"
