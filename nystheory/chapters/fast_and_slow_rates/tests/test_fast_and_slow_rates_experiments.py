"""What the simulations use, against other formulas for the same numbers."""

from fractions import Fraction
from math import pi

import numpy as np
import pytest
import scipy.stats
from sklearn.preprocessing import FunctionTransformer

from nystheory.chapters.fast_and_slow_rates import experiments
from nystheory.chapters.fast_and_slow_rates.experiments import Rule
from nystheory.chapters.fast_and_slow_rates.problems import (
    WAVES,
    GaussianVectors,
    Geometric,
    OnArcs,
    OnCircle,
    Powers,
    bernoulli_polynomial,
)
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS
from nystheory.engine.trial.statistics import mean_interval
from nystheory.learners import KernelSVC

KERNELS = (Powers(1), Powers(2), Powers(3), Powers(6), Geometric(0.5), Geometric(0.9))
SQUARE = "square, well specified"
FINE = (np.arange(1 << 14) + 0.5) / (1 << 14)

# ---- kernels ----


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_is_the_sum_of_its_waves(kernel):
    t, j = np.linspace(-1.3, 1.3, 41), np.arange(1, 20_001)
    series = 1 + 2 * np.cos(2 * pi * np.outer(t, j)) @ kernel.eigenvalues(j)
    # What is left out of the sum for s = 1 is at most 2 / 20000.
    assert kernel(t) == pytest.approx(series, abs=1e-4 if kernel == Powers(1) else 1e-8)


@pytest.mark.parametrize("kernel", KERNELS[:5])
def test_the_kernel_of_squares_is_the_convolution(kernel):
    t = np.array([0.0, 0.1, 0.37])
    folded = [np.mean(kernel(FINE) * kernel(x - FINE)) for x in t]
    assert kernel.squared()(t) == pytest.approx(np.array(folded), rel=1e-6)
    j = np.arange(1, 9)
    assert kernel.squared().eigenvalues(j) == pytest.approx(kernel.eigenvalues(j) ** 2)


def test_bernoulli_polynomials_are_those_of_their_recursion():
    """The derivative is n times the one before, and the mean over [0, 1] is 0."""
    for n in range(1, 13):
        one = bernoulli_polynomial(n)
        before = n * bernoulli_polynomial(n - 1)
        assert one.deriv().coef == pytest.approx(before.coef, abs=1e-9)
        assert one.integ()(1) == pytest.approx(0, abs=1e-9)


# ---- excess risks ----


@pytest.mark.parametrize("kernel", [Powers(1), Powers(2), Geometric(0.5)])
@pytest.mark.parametrize("turned", [False, True])
def test_the_excess_risk_is_a_mean_square_over_the_circle(kernel, turned):
    problem, rng = OnCircle(kernel, turned=turned), np.random.default_rng(0)
    z, a = problem.points(12, rng), rng.standard_normal((12, 2)) / 10
    apart = problem.similar(FINE, z) @ a - problem.target(FINE)[:, None]
    assert problem.excess(z, a) == pytest.approx(np.mean(apart**2, axis=0), rel=1e-6)


def test_the_target_is_just_in_the_space():
    problem = OnCircle(Powers(2))
    j = np.arange(1, WAVES + 1)
    weights = problem.coefficients**2 / problem.kernel.eigenvalues(j)
    assert weights == pytest.approx(j**-1.1)
    assert np.mean(problem.target(FINE) ** 2) == pytest.approx(
        np.sum(problem.coefficients**2)
    )


def test_the_excess_risk_on_vectors_is_a_mean_square():
    problem, rng = GaussianVectors(0.5), np.random.default_rng(0)
    z, a = problem.points(3, rng), rng.standard_normal((3, 1))
    x = problem.points(20_000, rng)
    squares = (problem.similar(x, z) @ a[:, 0] - problem.target(x)) ** 2
    reach = 5 * squares.std() / np.sqrt(len(x))
    assert abs(squares.mean() - problem.excess(z, a)[0]) < reach


def test_points_and_labels_have_their_laws():
    for problem in (OnArcs(Powers(1)), OnArcs(Powers(1), 0.02, 1.0, 3.0)):
        x, y = problem.drawn(20_000, np.random.default_rng(0))
        near = np.abs(x - 0.5 * np.round(2 * x))
        assert near.min() >= problem.gap
        upper = x < 0.5
        middle = np.where(upper, 0.25, 0.75)
        along = np.abs(x - middle) / (0.25 - problem.gap)
        surplus = np.where(upper, 1, -1) * problem.sure * along**problem.power
        assert abs(np.mean(y - surplus)) < 5 / np.sqrt(len(y))
        assert abs(np.mean(y * surplus) - np.mean(surplus**2)) < 5 / np.sqrt(len(y))


def test_the_noise_exponent_is_that_of_its_definition():
    problem = OnArcs(Powers(1), sure=1.0, power=3.0)
    _, surplus = problem.places(FINE)
    for least in (0.01, 0.1, 0.5):
        power = problem.gamma / (1 - problem.gamma)
        below = np.mean(np.abs(surplus) <= least)
        assert below == pytest.approx(least**power, abs=1e-3)


def risks(problem, f):
    """Of the hinge loss and the 0-1 loss, by both labels at each point."""
    _, surplus = problem.places(FINE)
    one = (1 + surplus) / 2
    hinge = one * np.maximum(0, 1 - f) + (1 - one) * np.maximum(0, 1 + f)
    wrong = one * (f <= 0) + (1 - one) * (f > 0)
    return np.mean(hinge), np.mean(wrong)


@pytest.mark.parametrize("power", [0.0, 3.0])
def test_excess_risks_are_those_over_the_best(power):
    problem, rng = OnArcs(Powers(1), power=power), np.random.default_rng(1)
    x, surplus = problem.places(FINE)
    z, a = problem.drawn(6, rng)[0], rng.standard_normal(6)
    f = np.clip(problem.similar(x, z) @ a, -1, 1)
    some, best = risks(problem, f), risks(problem, np.sign(surplus))
    # The least risks are known: 1 - |2 eta - 1|, and half of it.
    least = 1 - np.mean(np.abs(surplus))
    assert best == pytest.approx((least, least / 2))
    found = problem.excesses(z, a)
    assert found == pytest.approx(np.subtract(some, best), abs=2e-3)
    assert found[1] <= found[0]


# ---- what is prescribed ----


def test_prescriptions_are_those_of_the_statements():
    p, n = Fraction(1, 4), 800
    square, hinge = Rule(SQUARE, SQUARE), Rule("hinge", "hinge")
    known = {"capacity": 0.25, "source": 1, "theta": 1.0}
    rate = float(1 / (1 + p))
    assert square.rate(capacity=0.25) == pytest.approx(rate)
    assert hinge.rate(**known) == pytest.approx(rate)
    assert hinge.ridge_for(n, **known) == pytest.approx(n**-rate)
    few, more = n ** float(p / (1 + p)), n ** float(2 * p / (1 + p))
    assert square.columns_for(n, capacity=0.25) == int(np.ceil(few * np.log(n)))
    assert hinge.columns_for(n, **known) == int(np.ceil(more * np.log(n)))
    # Noise of exponent gamma: q = 2 - gamma (1 - p) for r = 1.
    q = 2 - 0.25 * (1 - 0.5)
    known = {"capacity": 0.5, "source": 1, "theta": 0.25}
    assert hinge.rate(**known) == pytest.approx(1 / q)
    slow = Rule("subspace", "subspace")
    assert slow.rate(capacity=0.5) == 0.5
    assert slow.columns_for(n, capacity=0.5) == int(np.ceil(n**0.5 * np.log(n)))


def test_rules_begin_alike_and_grow_with_a_share_of_the_exponent():
    rules = [Rule(SQUARE, SQUARE, share) for share in (0.0, 0.5)]
    first, last = experiments.SIZES[0], experiments.SIZES[-1]
    for p in (0.25, 0.5):
        start = Rule(SQUARE, SQUARE).columns_for(first, capacity=p)
        assert [x.columns_for(first, capacity=p) for x in rules] == [start] * 2
        grown = start * (last / first) ** (p / (1 + p) / 2)
        fixed, half = (x.columns_for(last, capacity=p) for x in rules)
        assert fixed == start and abs(half - grown) < 2
    assert Rule(SQUARE).columns_for(last, capacity=0.5) == last
    assert Rule(SQUARE, SQUARE).columns_for(last, capacity=0.0) == int(
        np.ceil(np.log(last) ** 2)
    )


# ---- what is learned ----


def test_a_span_of_all_points_is_the_kernel():
    problem, rng = OnCircle(Powers(1)), np.random.default_rng(0)
    x = problem.points(20, rng)
    F, T = experiments.in_span(problem, x, x)
    assert F @ F.T == pytest.approx(problem.similar(x, x), abs=1e-8)
    assert T.T @ problem.similar(x, x) @ T == pytest.approx(np.eye(20), abs=1e-8)


@pytest.mark.parametrize("count", [9, 40])
def test_ridge_regression_has_no_gradient_left(count):
    problem, rng = OnCircle(Powers(1)), np.random.default_rng(0)
    x, ridge = problem.points(40, rng), 0.02
    Y = rng.standard_normal((40, 3))
    a = experiments.ridge_regression(problem, x, Y, count, ridge)
    C, W = problem.similar(x, x[:count]), problem.similar(x[:count], x[:count])
    gradient = C.T @ (C @ a - Y) / 40 + ridge * W @ a
    assert gradient == pytest.approx(np.zeros_like(gradient), abs=1e-8)


def test_the_machine_is_that_of_the_library():
    problem, ridge = OnArcs(Powers(2)), 0.01
    x, y = problem.drawn(150, np.random.default_rng(0))
    a = experiments.vector_machine(problem, x, y, 12, ridge)
    F, T = experiments.in_span(problem, x, x[:12])
    machine = KernelSVC(1 / (2 * 150 * ridge), features=FunctionTransformer())
    exact = machine.fit(F, y).coef_

    def objective(w):
        return np.mean(np.maximum(0, 1 - y * (F @ w))) + ridge * w @ w

    found = np.linalg.lstsq(T, a, rcond=None)[0]
    assert 0 <= objective(found) - objective(exact) < 1e-4


def test_the_mean_excess_risk_is_that_of_its_formula():
    """For many points: what the ridge takes away, and what the noise adds."""
    problem, rng = OnCircle(Powers(1)), np.random.default_rng(0)
    n, ridge = 1600, 1600 ** (-2 / 3)
    x = problem.points(n, rng)
    Y = problem.target(x)[:, None] + 0.5 * rng.standard_normal((n, 40))
    a = experiments.ridge_regression(problem, x, Y, 300, ridge)
    j = np.arange(1, 5001)
    kept = problem.kernel.eigenvalues(j) / (problem.kernel.eigenvalues(j) + ridge)
    bias = np.sum(problem.coefficients**2 * (1 - kept[:WAVES]) ** 2)
    noise = 0.25 / n * (2 * np.sum(kept**2) + 1 / (1 + ridge) ** 2)
    found = problem.excess(x[:300], a).mean()
    assert found == pytest.approx(bias + noise, rel=0.15)


# ---- slopes ----


def test_slopes_are_those_of_a_regression():
    rng = np.random.default_rng(0)
    sizes = experiments.SIZES
    values = np.exp(rng.standard_normal(len(sizes))) / sizes
    fit = scipy.stats.linregress(np.log(sizes), np.log(values))
    assert experiments.slope(sizes, values) == pytest.approx(fit.slope)


def test_intervals_of_slopes_are_students():
    slopes = np.random.default_rng(0).standard_normal(20)
    seen = mean_interval(slopes, 0.025)
    low, high = scipy.stats.ttest_1samp(slopes, 0).confidence_interval(0.95)
    assert (seen.low, seen.high) == pytest.approx((low, high))


def test_a_verdict_follows_the_interval():
    told = {
        (-0.7, -0.6): "seen",
        (-0.7, -0.45): "undecided",
        (-0.9, -0.7): "faster than promised",
        (-0.6, -0.55): "slower",
        (-0.6, -0.45): "slower",
    }
    for limits, words in told.items():
        assert experiments.verdict(*limits, -2 / 3) == words


def test_smaller_samples_are_the_first_points():
    problem, rng = OnCircle(Powers(1)), np.random.default_rng(0)
    x, noise = problem.points(100, rng), rng.standard_normal((100, 4))
    rule = Rule(SQUARE, SQUARE)
    some = experiments.regressed(problem, x, noise, rule, (25, 50, 100))
    fewer = experiments.regressed(problem, x[:50], noise[:50], rule, (25, 50))
    assert some["excess"][:2] == pytest.approx(fewer["excess"])
    assert some["promised"] == pytest.approx(-2 / 3)


def test_rows_of_the_list_are_read_at_numbers():
    for p in (0.2, 0.7):
        rate = experiments.exponent(ROWS["random features"].rate, capacity=p)
        assert rate == pytest.approx(1 / (2 * p + 1))
        q = 0.5 * (2 - p - 0.3 + 0.3 * p) + p
        known = {"capacity": p, "source": 0.5, "theta": 0.3}
        found = experiments.exponent(ROWS["hinge"].columns, **known)
        assert found == pytest.approx(min(2 * p, 1.5 * p / q))
