"""How many columns the rates of learning prescribe, and what is said of that."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from nystheory import guarantees, kernels, lowrank
from nystheory.guarantees._learning import RATES, _exponents
from nystheory.guarantees._prescriptions import _projection

J = np.arange(1, 401.0)
POWER = np.diag(400 / J**2)  # p = 1/2
TWO = np.arange(400) % 2
RULES = ("hinge", "logistic", "square")


def general(loss, p, r=1, theta=1):
    """(41) and Theorem 12 of the source for every r: at r = theta = 1 the table's."""
    if loss == "hinge":
        q = r * (2 - p - theta + theta * p) + p
        of_ridge = min(Fraction(2, r + 1), 1 / q)
        growth = min(2 * p, p * (r + 1) / q)
        return min(Fraction(2 * r, r + 1), r / q), of_ridge, of_ridge * (r + 1), growth
    q = r + p
    of_ridge = min(Fraction(2, r + 1), 1 / q)
    growth = min(2 * p / (r + 1), p / q)
    return min(Fraction(2 * r, r + 1), r / q), of_ridge, of_ridge, growth


@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("loss", RULES)
def test_exponents_are_those_of_the_general_theorem(loss, p):
    assert _exponents(loss, "fast", p) == pytest.approx(general(loss, p))
    assert _exponents(loss, "slow", p) == (0.5, 0.5, 1.0, p)


def test_by_hand():
    """p = 1/2, and tr K / n = pi^2 / 6, nearly: 400 / j^2 with n = 400."""
    found = guarantees.landmarks_for_learning(POWER, TWO, "hinge", delta=0.1)
    t = (1 / J**2).sum()
    assert found.scale == pytest.approx(t)
    slow, fast = found.rows
    assert (slow.risk, slow.lambda_) == (0.5, pytest.approx(t / 20))
    assert slow.ridge == pytest.approx(2 * 400 * t / 20)
    assert slow.alpha == pytest.approx(t) and slow.growth[0] == pytest.approx(0.5)
    assert fast.risk == pytest.approx(2 / 3)
    assert fast.lambda_ == pytest.approx(t * 400 ** (-2 / 3))
    assert fast.alpha == pytest.approx(400 * t * 400 ** (-4 / 3))
    assert fast.growth[0] == pytest.approx(2 / 3)
    for row in (slow, fast):
        values = 400 / J**2
        d = (values / (values + row.alpha)).sum()
        count = min(400, math.ceil(d * math.log(400 / 0.1)))
        assert row.columns == (count, count)
        assert row.dimension.low == pytest.approx(d)


def test_the_square_loss_has_its_own_ridge_and_level():
    """That of (K + ridge I) a = y: n lambda, beside a mean of squares."""
    row = guarantees.landmarks_for_learning(POWER, J, "square").of("fast")
    assert row.ridge == pytest.approx(400 * row.lambda_) == pytest.approx(row.alpha)
    assert row.growth[0] == pytest.approx(1 / 3)
    logistic = guarantees.landmarks_for_learning(POWER, TWO, "logistic").of("fast")
    assert logistic.ridge == pytest.approx(2 * row.ridge)
    assert logistic.columns == row.columns


@pytest.mark.parametrize("loss", RULES)
def test_ridges_scale_with_the_kernel_and_columns_do_not(loss):
    one, two = (
        guarantees.landmarks_for_learning(unit * POWER, TWO, loss) for unit in (1, 64.0)
    )
    for a, b in zip(one.rows, two.rows, strict=True):
        assert b.ridge == pytest.approx(64 * a.ridge)
        assert b.alpha == pytest.approx(64 * a.alpha)
        assert b.columns == a.columns


def test_exponential_decay_asks_for_the_square_of_a_logarithm():
    K = np.diag(np.exp(-0.2 * np.arange(80.0)))
    found = guarantees.landmarks_for_learning(K, TWO[:80], "hinge")
    assert found.decay.best == "exponential"
    assert [row.growth for row in found.rows] == [(0.0, 0.0, 0.0)] * 2
    assert found.of("fast").risk == 1 and "log^2 n" in str(found)


@pytest.mark.parametrize(
    ("K", "why"),
    [
        (np.eye(40), "neither decay fits"),
        (np.diag(J[:100] ** -0.8), "the exponent p = 1.25 is not below 1"),
        (np.outer(J[:40], J[:40]), "too few eigenvalues are known well"),
    ],
)
def test_without_a_decay_only_the_slow_rate_prescribes(K, why):
    y = TWO[: len(K)]
    found = guarantees.landmarks_for_learning(K, y, "hinge")
    slow, fast = found.rows
    assert why in fast.why and fast.columns is None and "not known" in repr(fast)
    assert slow.growth == (1.0, 1.0, 1.0) and slow.columns[0] >= 1
    assert why in found._repr_html_() and why in str(found)
    with pytest.raises(ValueError, match="rate: expected one that prescribes"):
        fast.projection(K, lowrank.nystrom(K, [0]))


def test_an_approximation_leaves_a_range():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((100, 1)), 0.5)
    near = lowrank.nystrom(K, range(0, 100, 8))
    exact = guarantees.landmarks_for_learning(K, TWO[:100])
    known = guarantees.estimate(K, near)
    found = guarantees.landmarks_for_learning(known, TWO[:100])
    for a, b in zip(exact.rows, found.rows, strict=True):
        assert b.dimension.low <= b.dimension.high
        if a.alpha == b.alpha:
            assert b.columns[0] <= a.columns[0] <= a.columns[1] <= b.columns[1]


def test_halves_give_the_exponents_a_range():
    X = np.random.default_rng(0).standard_normal((150, 2))
    K = kernels.pairwise(X, "laplacian", gamma=0.5)
    rng = np.random.default_rng(0)
    found = guarantees.landmarks_for_learning(K, TWO[:150], rng=rng)
    fitted, low, high = found.of("slow").growth
    fit = found.decay.polynomial
    assert low == pytest.approx(fit.low) and fitted == fit.value
    assert low < high == pytest.approx(min(fit.high, 1.0))
    assert f"({low:.2g} to {high:.2g})" in str(found)


# --- For a draw of columns ------------------------------------------------------------


def test_the_projection_is_that_of_the_source():
    """By the covariance and the projector, on points with a linear kernel."""
    seen = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((30, 6)) * 10.0 ** -np.arange(6.0)
        K = X @ X.T
        row = guarantees.landmarks_for_learning(K, TWO[:30]).of("slow")
        some = list(range(int(rng.integers(1, 4))))
        found = row.projection(K, lowrank.nystrom(K, some))
        alpha = row.alpha / 30
        covariance = X.T @ X / 30 + alpha * np.eye(6)
        rest = np.eye(6) - np.linalg.pinv(X[some]) @ X[some]
        size = np.linalg.norm(rest @ covariance @ rest, 2)
        assert found.holds is bool(size <= 3 * alpha)
        assert found.limit == pytest.approx(2 * row.alpha)
        error = np.linalg.norm(
            K - K[:, some] @ np.linalg.pinv(K[some][:, some]) @ K[some], 2
        )
        assert found.low <= error * (1 + 1e-9) + 1e-12
        assert error <= found.high * (1 + 1e-9) + 1e-12
        seen.add(found.holds)
    assert seen == {True, False}


@pytest.mark.parametrize("digits", [np.float32, np.float64])
def test_ends_of_a_projection_hold_to_the_last_digit(digits):
    """Of ``K - F F^T`` with the factor as it is stored, near the limit at both ends."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, wide = int(rng.integers(3, 8)), (1, 2, 9)[seed % 3]
        B = rng.integers(-5, 6, (n, wide)) * 2.0 ** rng.integers(-4, 4, (n, 1))
        K = (B @ B.T).astype(digits)
        if not K[0, 0]:
            continue
        near = lowrank.nystrom(K, rng.choice(np.flatnonzero(K.diagonal()), 2))
        with mpmath.workdps(40):
            F = mpmath.matrix(near.factor.astype(float).tolist())
            error = mpmath.matrix(K.astype(float).tolist()) - F * F.T
            norm = max(abs(x) for x in mpmath.eigsy(error, eigvals_only=True))
        for share in (0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 2.0):
            found = _projection(kernels.as_kernel(K), near, share * float(norm))
            assert found.low <= norm <= found.high
            assert found.holds in (None, bool(norm <= found.limit))


def test_a_projection_is_one_of_the_matrix_that_was_prescribed_for():
    X = np.random.default_rng(0).standard_normal((40, 3))
    K = X @ X.T
    row = guarantees.landmarks_for_learning(K, TWO[:40]).of("slow")
    half = K.astype(np.float32)
    assert row.projection(half, lowrank.nystrom(half, [0, 1, 2])).holds
    for other in (K[:30, :30], 100 * K):
        with pytest.raises(ValueError, match="^K: expected that of the prescription"):
            row.projection(other, lowrank.nystrom(other, [0]))


def test_what_is_not_known_of_a_projection():
    near = guarantees.Projection(1.0, 0.5, 2.0)
    assert near.holds is None and "not known" in repr(near)
    assert "not known" in near._repr_html_()


# --- What is said ---------------------------------------------------------------------


@pytest.mark.parametrize("loss", RULES)
def test_a_rate_is_no_certainty(loss):
    found = guarantees.landmarks_for_learning(POWER, TWO, loss)
    for told in (str(found), repr(found), found._repr_html_()):
        assert "surely" not in told and "guarantee" not in told
    assert "chosen and not proved" in str(found)
    assert "chosen and not proved" in found._repr_html_()
    for row in found.rows:
        known = dict(row.assumptions)
        assert known["the constants of the source are 1"] == "chosen"
        assert known["the points are drawn independently from one law"] == "assumed"
        assert "<table>" in row._repr_html_()
    rates = {rate for rate, _, _ in found.assumptions.rows}
    assert rates == set(RATES[loss]) == {row.rate for row in found.rows}


def test_what_each_rate_assumes():
    hinge = guarantees.landmarks_for_learning(POWER, TWO)
    told = " ".join(x for x, _ in hinge.of("fast").assumptions)
    assert "sub-gaussian" in told and "low noise" in told and "clipped" in told
    told = " ".join(x for x, _ in hinge.of("slow").assumptions)
    assert "sub-gaussian" in told and "low noise" not in told
    square = guarantees.landmarks_for_learning(POWER, J, "square").of("fast")
    known = dict(square.assumptions)
    assert "divide them by it" in known["targets are between -1 and 1"]
    assert "the features are bounded" in known


def test_labels_are_counted_and_no_more():
    words = np.where(TWO, "yes", "no")
    found = guarantees.landmarks_for_learning(POWER, words)
    other = guarantees.landmarks_for_learning(POWER, 1 - TWO)
    assert "200 of class no, 200 of class yes" in found.labels
    assert [row.columns for row in found.rows] == [row.columns for row in other.rows]


BAD = {
    "NaN": (dict(K=np.diag(np.r_[J[:-1], np.nan])), "K: expected finite"),
    "not symmetric": (dict(K=np.triu(np.ones((400, 400)))), "K: expected a symmetric"),
    "not semidefinite": (dict(K=np.diag(J - 5)), "K: expected a positive semidefinite"),
    "few points": (dict(K=np.diag(J[:19]), y=TWO[:19]), "K: expected at least 20"),
    "another length": (dict(y=TWO[:-1]), "y: expected 400 labels"),
    "one class": (dict(y=np.ones(400)), "y: expected labels of two classes"),
    "three classes": (dict(y=np.arange(400) % 3), "y: expected labels of two classes"),
    "numbers": (dict(y=J + 0.5), "y: expected labels of two classes"),
    "a NaN": (dict(y=np.r_[J[:-1], np.nan], loss="square"), "y: expected finite"),
    "words": (dict(y=np.full(400, "a"), loss="square"), "y: expected real numbers"),
    "too few numbers": (dict(y=J[:-1], loss="square"), "y: expected 400 targets"),
    "no labels": (dict(y=None), "y: expected one for each point"),
    "another loss": (dict(loss="log"), "loss: expected one of 'hinge', 'logistic'"),
    "a chance of 0": (dict(delta=0), "delta: expected"),
    "a chance of 2": (dict(delta=2), "delta: expected"),
    "ranks beyond": (dict(ranks=(1, 500)), "ranks: expected an integer"),
    "a seed": (dict(rng=1), "rng: expected"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    given, words = BAD[name]
    with pytest.raises((ValueError, TypeError), match=words):
        guarantees.landmarks_for_learning(**{"K": POWER, "y": TWO} | given)


def test_a_rate_that_a_loss_has_not():
    with pytest.raises(ValueError, match="rate: expected one of 'fast', got 'slow'"):
        guarantees.landmarks_for_learning(POWER, J, "square").of("slow")
