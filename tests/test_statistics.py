"""Verification by chance, tried on textbook statements whose truth is known."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from nystheory.theorems import Claim, Control, Instance, Law, Rate, Theorem
from nystheory.theorems.laws import without_replacement
from nystheory.verify import statistics, verify


class Coins:
    """m fair coins; an outcome fixes how many show heads."""

    def __init__(self, m, heads=None):
        self.m, self.heads = m, heads


def draw(coins, rng):
    return Coins(coins.m, rng.binomial(coins.m, 0.5))


def outcomes(coins):
    for heads in range(coins.m + 1):
        yield scipy.stats.binom.pmf(heads, coins.m, 0.5), Coins(coins.m, heads)


def hoeffding(factor, exact, delta=0.1):
    """heads - m/2 <= factor * sqrt(m/2 ln(1/delta)), but for probability delta."""
    return Claim(
        "Hoeffding's inequality",
        observe=lambda c, _: c.heads - c.m / 2,
        expected=lambda c, _: factor * math.sqrt(c.m / 2 * math.log(1 / delta)),
        relation="<=",
        law=Law(draw, outcomes if exact else None, delta=lambda c: delta),
    )


def theorem(kind, claim, control, *instances):
    return Theorem(
        id=f"textbook:{kind}",
        part="test",
        kind=kind,
        status="holds",
        title="a textbook statement",
        number="-",
        statement="-",
        claims=(claim,),
        controls=(Control(control, instances[-1]),),
        instances=lambda rng: iter(instances),
        own_suite=True,
    )


@pytest.mark.parametrize("exact", [True, False])
def test_hoeffding_is_certified_and_a_weaker_bound_refuted(exact):
    """The exponent halved twice over: the radius shrunk to a fifth."""
    true, false = hoeffding(1, exact), hoeffding(0.2, exact)
    verdict = verify(
        theorem("probability", true, false, Coins(10), Coins(40)),
        np.random.default_rng(1),
    )
    assert verdict.outcome == "certified"
    assert verdict.control_refuted
    assert 0 < verdict.tightness <= 1
    assert verdict.tests == (0 if exact else 3)


def test_hoeffding_with_a_better_exponent_is_refuted():
    """exp(-4 t^2 / m) for exp(-2 t^2 / m) is false for coins in the tail."""
    delta, m = 1e-6, 200
    better = Claim(
        "Hoeffding with twice the exponent",
        observe=lambda c, _: c.heads - c.m / 2,
        expected=lambda c, _: math.sqrt(c.m / 4 * math.log(1 / delta)),
        relation="<=",
        law=Law(draw, outcomes, delta=lambda c: delta),
    )
    statement = theorem("probability", better, hoeffding(0.2, True), Coins(m))
    verdict = verify(statement, np.random.default_rng(2))
    assert not verdict
    assert verdict.outcome == "refuted"


def test_consistent_when_trials_cannot_certify():
    """P(heads > m/2) for odd m is exactly 1/2: never certified below 1/2."""
    fair = Claim(
        "more heads than tails with probability one half",
        observe=lambda c, _: c.heads,
        expected=lambda c, _: c.m / 2,
        relation="<=",
        law=Law(draw, delta=lambda c: 0.5),
    )
    statement = theorem("probability", fair, hoeffding(0.2, False), Coins(9))
    verdict = verify(statement, np.random.default_rng(3))
    assert verdict.outcome in ("consistent", "certified")
    assert verdict


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("relation", "value", "good"),
    [
        ("=", 5, True),
        ("<=", 5.5, True),
        (">=", 4.5, True),
        ("<=", 4.5, False),
        (">=", 5.5, False),
        ("=", 4.5, False),
    ],
)
def test_expectations(exact, relation, value, good):
    law = Law(draw, outcomes if exact else None, support=lambda c: (0, c.m))
    claim = Claim(
        "the mean number of heads",
        observe=lambda c, _: c.heads,
        expected=lambda c, _: value,
        relation=relation,
        law=law,
        scale=lambda c: c.m,
    )
    false = Claim("-", claim.observe, expected=lambda c, _: 3, relation="=", law=law)
    verdict = verify(
        theorem("expectation", claim, false, Coins(10)), np.random.default_rng(4)
    )
    assert bool(verdict) is good
    assert verdict.control_refuted


def paired(effect, spread=1.0):
    """A difference between two methods, measured on the same draw."""
    law = Law(lambda instance, rng: rng.standard_normal())
    return Claim(
        "one is better than the other",
        observe=lambda noise, _: effect + spread * noise,
        expected=lambda i, _: 0.0,
        relation=">=",
        law=law,
    )


@pytest.mark.parametrize(
    ("effect", "outcome"), [(0.5, "certified"), (-0.5, "refuted"), (0, "undecided")]
)
def test_experiments_must_establish_the_sign_of_an_effect(effect, outcome):
    statement = theorem("experiment", paired(effect), paired(-0.5), Coins(1))
    verdict = verify(statement, np.random.default_rng(8))
    assert verdict.outcome == outcome
    assert verdict.control_refuted


def misses_a_cluster(delta):
    """Two clusters of n/2 equal points: l columns miss one of them with some chance."""
    return Claim(
        "both clusters are seen",
        observe=lambda i, _: i.rank_W == 2,
        law=without_replacement(delta=lambda i: delta),
    )


@pytest.mark.parametrize(("n", "kind"), [(8, "enumerated"), (40, "binomial interval")])
def test_samples_of_columns(n, kind):
    """The chance to miss a cluster is 2 C(n/2, l) / C(n, l), by counting."""
    X = np.repeat(np.eye(2), n // 2, axis=1)
    case = Instance.from_points(X, [0, 1, 2], 2)
    chance = 2 * math.comb(n // 2, 3) / math.comb(n, 3)
    above, below = misses_a_cluster(1.2 * chance), misses_a_cluster(0.5 * chance)
    verdict = verify(
        theorem("probability", above, below, case), np.random.default_rng(9)
    )
    assert verdict.outcome == "certified" and verdict.control_refuted
    assert verdict.findings[0].evidence == (kind,)
    if kind == "enumerated":
        assert verdict.observed == pytest.approx(chance, rel=1e-12)


def test_mean_over_all_samples_of_columns():
    """The scaled trace of W is an unbiased estimate of the trace of K."""
    case = Instance(np.diag([1.0, 2, 4, 8]), [0, 1], 1)

    def trace(factor):
        return Claim(
            "unbiased",
            observe=lambda i, _: factor * i.n / i.l * np.trace(i.W),
            expected=lambda i, _: np.trace(i.K),
            law=without_replacement(),
        )

    verdict = verify(
        theorem("expectation", trace(1), trace(1.01), case), np.random.default_rng(10)
    )
    assert verdict.outcome == "certified" and verdict.control_refuted


def test_outcomes_must_have_probabilities_of_sum_one():
    wrong = Claim(
        "-",
        observe=lambda c, _: True,
        law=Law(draw, lambda c: [(0.5, c)], delta=lambda c: 0.1),
    )
    with pytest.raises(ValueError, match="sum 1"):
        verify(theorem("probability", wrong, wrong, Coins(1)), np.random.default_rng(0))


def power_law(exponent, claimed, rival):
    def observe(m, rng):
        return m**exponent * math.exp(0.1 * rng.standard_normal())

    rate = Rate(sizes=(100, 400, 1600, 6400), exponent=claimed, rival=rival)
    return Claim("a rate", observe=observe, rate=rate)


@pytest.mark.parametrize(
    ("exponent", "claimed", "rival", "outcome"),
    [
        (-0.5, -0.5, -1.0, "certified"),
        (-1.0, -1.0, -0.5, "certified"),
        (-0.5, -1.0, -0.5, "refuted"),
        (-1.0, -0.5, -1.0, "refuted"),
        (-0.5, -0.5, -0.501, "undecided"),
    ],
)
def test_rates(exponent, claimed, rival, outcome):
    claim = power_law(exponent, claimed, rival)
    false = power_law(-0.5, -0.75, -0.5)
    verdict = verify(theorem("rate", claim, false, None), np.random.default_rng(5))
    assert verdict.outcome == outcome
    assert bool(verdict) is (outcome == "certified")
    assert verdict.controls[0].outcome == "refuted"


def test_clopper_pearson_against_binomial_tails():
    for trials, failures in itertools.product((5, 40), (0, 1, 3, 5)):
        low, high = statistics.clopper_pearson(failures, trials, 0.01)
        if failures:
            assert scipy.stats.binom.sf(failures - 1, trials, low) == pytest.approx(
                0.01
            )
        if failures < trials:
            assert scipy.stats.binom.cdf(failures, trials, high) == pytest.approx(0.01)


def test_clopper_pearson_rejects_nonsense():
    with pytest.raises(ValueError, match="failures: expected 0 <= failures <= trials"):
        statistics.clopper_pearson(3, 2)


def test_trials_to_certify_are_enough_and_not_many_too_many():
    for delta in (0.2, 0.1, 0.01):
        trials = statistics.trials_to_certify(delta)
        assert statistics.clopper_pearson(0, trials)[1] <= delta
        assert statistics.clopper_pearson(0, int(0.7 * trials))[1] > delta


def test_mean_interval_holds_the_mean_at_its_level():
    """Coverage of the empirical Bernstein and Hoeffding limits, level 0.05."""
    rng, misses = np.random.default_rng(6), 0
    for _ in range(400):
        values = rng.random(200) ** 3
        interval = statistics.mean_interval(values, level=0.05, support=(0, 1))
        misses += not interval.low <= 0.25 <= interval.high
    # Two limits of level 0.05 each: at most 0.1, refuted only beyond LEVEL.
    low, _ = statistics.clopper_pearson(misses, 400, statistics.LEVEL)
    assert low <= 0.1


def test_mean_interval_is_narrow_for_small_variance():
    values = np.r_[np.zeros(9990), np.ones(10)]
    interval = statistics.mean_interval(values, level=0.01, support=(0, 1))
    assert interval.method == "empirical Bernstein"


def test_mean_interval_rejects_values_outside_the_support():
    with pytest.raises(ValueError, match="support: expected to hold every value"):
        statistics.mean_interval([0, 2], support=(0, 1))


def test_slope_needs_three_sizes_and_positive_errors():
    with pytest.raises(ValueError, match="sizes"):
        statistics.slope_interval([1, 2], np.ones((2, 5)))
    with pytest.raises(ValueError, match="errors"):
        statistics.slope_interval([1, 2, 3], np.zeros((3, 5)))
