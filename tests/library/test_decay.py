"""Fits of decay, what an approximation leaves of them, and envelopes."""

import math

import mpmath
import numpy as np
import pytest

from nystheory import guarantees, kernels, lowrank, sampling

J = np.arange(1, 101.0)


def test_a_power_and_an_exponential_by_hand():
    found = guarantees.decay(7 * J**-2.5)
    assert found.best == "polynomial" and found.fit is found.polynomial
    assert found.polynomial.value == pytest.approx(0.4)
    assert found.polynomial.r_squared == pytest.approx(1)
    assert found.polynomial.factor == pytest.approx(1)
    assert (found.first, found.last, found.n) == (1, 25, 100)
    found = guarantees.decay(7 * np.exp(-0.3 * J))
    assert found.best == "exponential"
    assert found.exponential.value == pytest.approx(0.3)
    assert math.isnan(found.exponential.low)  # no halves of eigenvalues


def test_least_squares_is_that_of_numpy():
    values = np.sort(np.random.default_rng(0).pareto(1.0, 60))[::-1]
    found = guarantees.decay(values, ranks=(3, 40))
    j, logs = np.arange(3, 41.0), np.log(values[2:40])
    slope, level = np.polyfit(np.log(j), logs, 1)
    off = logs - slope * np.log(j) - level
    fit = found.polynomial
    assert fit.value == pytest.approx(-1 / slope)
    assert fit.r_squared == pytest.approx(1 - off.var() / logs.var())
    assert fit.factor == pytest.approx(np.exp(np.abs(off).max()))
    slope = np.polyfit(j, logs, 1)[0]
    assert found.exponential.value == pytest.approx(-slope)


@pytest.mark.parametrize("shift", [-480, 0, 480])
@pytest.mark.parametrize("ranks", [None, (1, 500), (496, 500)])
@pytest.mark.parametrize("fall", ["power", "exponential", "hardly"])
def test_the_slope_itself_lies_within_rounding_included(fall, ranks, shift):
    j = np.arange(1, 501.0)
    values = {"power": j**-2, "exponential": np.exp(-0.01 * j), "hardly": 1 - 1e-10 * j}
    values = np.ldexp(values[fall], shift)
    found = guarantees.decay(values, ranks=ranks)
    with mpmath.workdps(50):
        own = range(found.first, found.last + 1)
        logs = [mpmath.log(mpmath.mpf(values[i - 1])) for i in own]
        for fit, x in (
            (found.polynomial, [mpmath.log(i) for i in own]),
            (found.exponential, [mpmath.mpf(i) for i in own]),
        ):
            centred = [each - sum(x) / len(x) for each in x]
            slope = sum(a * b for a, b in zip(centred, logs, strict=True))
            slope /= sum(a * a for a in centred)
            value = -1 / slope if fit is found.polynomial else -slope
            low, high = fit.within
            assert low <= value <= high
            if fall != "hardly":
                assert high - low < 1e-5 * value


@pytest.mark.parametrize(
    "values",
    [np.ones(40), np.r_[np.ones(5), np.full(35, 1e-3)], 1 + 1e-14 * np.arange(40)],
)
def test_neither(values):
    found = guarantees.decay(values)
    assert found.best == "neither" and found.fit is None
    assert "neither" in repr(found)


def test_the_diagonal_of_a_diagonal_matrix():
    order = np.random.default_rng(0).permutation(100)
    found = guarantees.decay(np.diag((3 / J**2)[order]))
    assert found.polynomial.value == pytest.approx(0.5)
    low, high = found.polynomial.within
    assert low <= 0.5 <= high and high - low < 1e-9


def test_an_approximation_encloses_the_fit_of_the_matrix():
    narrow = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        gamma = 10.0 ** rng.uniform(-1.5, 0.5)
        K = kernels.rbf(rng.standard_normal((80, 2)), gamma)
        known = guarantees.estimate(
            K, lowrank.nystrom(K, sampling.rp_cholesky(K, 30, rng=rng))
        )
        few = guarantees.decay(known, ranks=(1, 12))
        all_of_it = guarantees.decay(K, ranks=(1, 12))
        for kind in ("polynomial", "exponential"):
            low, high = getattr(few, kind).within
            true = getattr(all_of_it, kind)
            assert low <= true.value <= high
            assert low <= getattr(few, kind).value <= high
            assert true.within[1] - true.within[0] < 1e-6
            narrow += high - low < 0.05 * true.value
        upper = few.envelope("polynomial", 0.4)
        assert upper >= all_of_it.envelope("polynomial", 0.4) * (1 - 1e-9)
    assert narrow >= 10


def test_halves():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((120, 3)), 1.0)
    one, two, other = (
        guarantees.decay(K, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    fit = one.polynomial
    assert fit == two.polynomial and fit != other.polynomial
    assert fit.low <= fit.value <= fit.high and fit.low < fit.high
    assert fit.value == guarantees.decay(K).polynomial.value
    # By hand: the same halves, each with its own line.
    rng, dense, slopes = np.random.default_rng(1), K.dense(), []
    for _ in range(39):
        some = rng.choice(120, 60, replace=False)
        values = np.linalg.eigvalsh(dense[np.ix_(some, some)])[::-1][: one.last]
        slopes.append(np.polyfit(np.log(np.arange(1, one.last + 1)), np.log(values), 1))
    values = [-1 / slope for slope, _ in slopes] + [fit.value]
    assert (fit.low, fit.high) == pytest.approx((min(values), max(values)))


def test_halves_of_an_approximation_are_those_of_its_rows():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((90, 2)), 0.2)
    rng = np.random.default_rng(5)
    near = lowrank.nystrom(K, sampling.rp_cholesky(K, 60, rng=rng))
    some = [
        guarantees.decay(each, ranks=(1, 9), rng=np.random.default_rng(1))
        for each in (K, guarantees.estimate(K, near))
    ]
    one, two = (each.exponential for each in some)
    assert (two.low, two.high) == pytest.approx((one.low, one.high), rel=1e-4)


# --- Envelopes ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_an_envelope_is_above_all_and_touches(seed):
    rng = np.random.default_rng(seed)
    values = np.sort(10.0 ** rng.uniform(-6, 2, 40))[::-1]
    found, j = guarantees.decay(values), np.arange(1, 41.0)
    for p in (0.2, 0.5, 0.9):
        gamma = found.envelope("polynomial", p)
        share = values / (gamma * j ** (-1 / p))
        assert share.max() <= 1 and share.max() == pytest.approx(1)
    for beta in (0.01, 0.5, 3.0):
        share = values / (found.envelope("exponential", beta) * np.exp(-beta * j))
        assert share.max() <= 1 and share.max() == pytest.approx(1)
    for alpha in 10.0 ** np.arange(-8, 4.0):
        true = (values / (values + alpha)).sum()
        for p in (0.2, 0.5, 0.9):
            assert found.dimension_bound(alpha, "polynomial", p) >= true
        for beta in (0.01, 0.5, 3.0):
            assert found.dimension_bound(alpha, "exponential", beta) >= true


def test_bounds_are_nearly_met():
    j = np.arange(1, 200_001.0)
    alpha = 1e-6
    values = j**-2.0
    found = guarantees.decay(values)
    true = (values / (values + alpha)).sum()
    assert true / found.dimension_bound(alpha, "polynomial", 0.5) > 0.99
    values = np.exp(-0.01 * j[:5000])
    true = (values / (values + 1e-4)).sum()
    assert true / guarantees.decay(values).dimension_bound(1e-4, "exponential") > 0.99


def test_gamma_has_the_exponent():
    """Control: with gamma in place of gamma^p the bound fails below 1."""
    p, gamma, alpha = 0.2, 0.01, 1e-5
    values = gamma * np.arange(1, 2001.0) ** (-1 / p)
    true = (values / (values + alpha)).sum()
    found = guarantees.decay(values, ranks=(1, 50))
    bound = found.dimension_bound(alpha, "polynomial", p)
    assert true <= bound < gamma**p / (1 - p) * alpha**-p
    assert true / (gamma / (1 - p) * alpha**-p) == pytest.approx(30, rel=0.05)


def test_an_envelope_without_a_float_is_infinite():
    assert guarantees.decay(J**-2).envelope("polynomial", 0.002) == np.inf


def test_it_is_shown():
    found = guarantees.decay(np.diag(1 / J**2), rng=np.random.default_rng(0))
    told = found._repr_html_()
    assert "<table>" in told and "fits better" in told and "1 to 25 of 100" in told
    assert repr(found).startswith("Decay(polynomial: p = 0.5 (")


GOOD = np.diag(1 / J**2)
BAD = {
    "NaN": (dict(K=np.diag(np.r_[J, np.nan])), "K: expected finite"),
    "NaN among eigenvalues": (dict(K=np.r_[J, np.nan]), "K: expected finite"),
    "negative eigenvalues": (dict(K=np.r_[J, -1]), "K: expected a positive"),
    "no eigenvalue": (dict(K=np.zeros(30)), "K: expected eigenvalues"),
    "none at all": (dict(K=np.array([])), "K: expected"),
    "not symmetric": (dict(K=np.triu(np.ones((30, 30)))), "K: expected a symmetric"),
    "not semidefinite": (dict(K=np.diag(np.r_[J, -1])), "K: expected a positive"),
    "few points": (dict(K=np.diag(J[:19])), "K: expected at least 5 eigenvalues"),
    "rank two": (dict(K=np.outer(J, J) + 1), "K: expected at least 5 eigenvalues"),
    "a rank": (dict(ranks=5), "ranks: expected the first"),
    "a short range": (dict(ranks=(1, 4)), "ranks: expected an integer from 5"),
    "from nothing": (dict(ranks=(0, 9)), "ranks: expected an integer from 1 to 5"),
    "beyond n": (dict(ranks=(1, 101)), "ranks: expected an integer from 5 to 100"),
    "backwards": (dict(ranks=(20, 10)), "ranks: expected an integer from 1 to 6"),
    "a seed": (dict(rng=0), "rng: expected"),
    "halves of numbers": (dict(K=J, rng=np.random.default_rng()), "rng: expected none"),
    "beyond halves": (
        dict(ranks=(1, 60), rng=np.random.default_rng()),
        "ranks: expected at most 50",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    given, words = BAD[name]
    with pytest.raises((ValueError, TypeError), match=words):
        guarantees.decay(**{"K": GOOD} | given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (dict(kind="linear"), "kind: expected one of"),
        (dict(value=0.0), "value: expected a finite number above 0"),
        (dict(value=1.0), "value: expected an exponent below 1"),
        (dict(alpha=0.0), "alpha: expected a finite number above 0"),
    ],
)
def test_bad_input_of_a_bound(given, words):
    found = guarantees.decay(GOOD)
    with pytest.raises(ValueError, match=words):
        found.dimension_bound(**{"alpha": 1.0, "kind": "polynomial"} | given)


def test_no_envelope_without_a_fit():
    with pytest.raises(ValueError, match="value: expected a number above 0, got none"):
        guarantees.decay(np.ones(40)).envelope("polynomial")
