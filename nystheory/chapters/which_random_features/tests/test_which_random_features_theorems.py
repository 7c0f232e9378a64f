"""Random features by hand, and beside the transformers of the package."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq

from nystheory import exact
from nystheory.chapters.which_random_features.theorems import (
    orthogonal_worse,
    uniform_bound,
)
from nystheory.chapters.which_random_features.theorems.binning import Grids
from nystheory.chapters.which_random_features.theorems.frequency_leverage import (
    DrawnFrequencies,
)
from nystheory.chapters.which_random_features.theorems.orthogonal import (
    OrthogonalFrequencies,
    product_of_cosines,
)
from nystheory.chapters.which_random_features.theorems.pairs_or_phases import Waves
from nystheory.exact.routes import route_of
from nystheory.features import RandomBinningFeatures, RandomFourierFeatures

routes = sys.modules["nystheory.chapters.which_random_features.exact_orthogonal"]


def measured(case, name):
    return case.measured(case.quantities[name]).value


def values(case, law, name):
    """A quantity with the chance of each outcome."""
    found = [(p, measured(o, name)) for p, o in case.outcomes(law)]
    p, x = np.array(found).T
    return p, x


# --- Pairs or phases ------------------------------------------------------------------


def test_the_smallest_counterexample_to_pairs():
    # Two frequencies, a cosine 1 and a cosine -1: kappa = 0, and 1 at twice of that.
    case = Waves(m=1, z=1.0, at_x=[0.0, 1], at_y=[0.0, -1], picked=[0], phased=[0, 0])
    assert measured(case, "kernel") == pytest.approx(0)
    p, x = values(case, "uniform_pairs", "pair_value")
    assert (p @ x**2, sorted(x)) == (pytest.approx(1), pytest.approx([-1, 1]))
    p, x = values(case, "four_phases", "phase_value")
    assert p @ x**2 == pytest.approx(3 / 4)


def test_four_phases_stand_for_all():
    """More phases at equal distances have the same means of squares."""
    x, y = 0.3, 1.1
    for count in (3, 4, 16):
        b = np.pi * np.arange(count) / count
        products = 2 * np.cos(x + b) * np.cos(y + b)
        assert products.mean() == pytest.approx(np.cos(x - y))
        square = np.cos(x - y) ** 2 + 1 / 2
        assert np.mean(products**2) == pytest.approx(square)
        distances = 2 * (np.cos(x + b) - np.cos(y + b)) ** 2
        assert np.mean(distances**2) == pytest.approx(6 * (1 - np.cos(x - y)) ** 2)


@pytest.mark.parametrize("kind", ["pairs", "phases"])
def test_the_package_knows_both_variances(kind):
    """For the Gaussian kernel exp(-z^2/2), by the formulas of the box."""
    made = RandomFourierFeatures(gamma=0.5, n_components=20, kind=kind, random_state=0)
    z = np.array([[0.5], [1.0], [2.0]])
    found = made.fit(z).variance(0 * z[:1], z)[0]
    k, k2 = np.exp(-(z[:, 0] ** 2) / 2), np.exp(-2 * z[:, 0] ** 2)
    by_hand = {
        "pairs": (1 + k2 - 2 * k**2) / 20,
        "phases": (2 + k2 - 2 * k**2) / 40,
    }
    assert found == pytest.approx(by_hand[kind])


# --- Orthogonal frequencies -----------------------------------------------------------


def rising(a, k):
    return math.prod((a + j for j in range(k)), start=Fraction(1))


@pytest.mark.parametrize("d", [2, 3, 4, 5, 8, 13])
def test_all_moments_of_a_sum_are_those_of_the_formula(d):
    """A coordinate of an isotropic vector whose squared length is chi^2 of 2 d.

    Its even moments make the series of 1F1; those of two columns of a frame are added
    up in fractions.
    """
    for k in range(1, 11):
        length = 2**k * rising(Fraction(d), k)
        closed = length * rising(Fraction(1, 2), k) / rising(Fraction(d, 2), k)
        assert routes._moment(fmpq(d), k) == fmpq(closed.numerator, closed.denominator)


def test_every_dimension_has_its_counterexample():
    """86 of them, each in ball arithmetic."""
    theorem, proved = orthogonal_worse.ORTHOGONAL_WORSE, set()
    claim = theorem.claims["witnesses"]
    for z, (first, last) in orthogonal_worse.WITNESSES.items():
        for d in range(first, last + 1):
            case = OrthogonalFrequencies.at(d, 2, z)
            proof = exact.prove(claim.line, exact.Case.of(**case.in_fractions()))
            assert proof.holds and proof.by == "enclosed", (d, z)
            proved.add(d)
    assert proved == set(range(3, 65))


def test_three_dimensions_by_a_differential_equation():
    """What the proof says of Dawson's function and its rational bound."""
    x = sympy.symbols("x", positive=True)
    Q = 4 * x**2 - 12 * x + 3
    G = (2 * x - 5) / Q
    left = sympy.Rational(1, 2) - G * (x + sympy.Rational(1, 2)) - x * sympy.diff(G, x)
    assert sympy.simplify(left - 12 / Q**2) == 0
    for z in (1.0, 2.0, 3.5, 5.0):
        half = z * z / 2
        root = math.sqrt(half)
        dawson = float(sympy.exp(-half) * sympy.erfi(root) * sympy.sqrt(sympy.pi) / 2)
        F = dawson / root
        by_hand = (F * (4 * half**2 - 12 * half + 3) + 5 - 2 * half) / 8
        assert product_of_cosines(3, z) == pytest.approx(by_hand, rel=1e-8)


def test_the_package_knows_the_variance_of_orthogonal_frequencies():
    z = np.sqrt(12.0)
    X = np.array([[0.0] * 4, [z / 2] * 4])
    made = RandomFourierFeatures(
        gamma=0.5, n_components=8, draws="orthogonal", random_state=0
    )
    found = made.fit(X).variance(X)[0, 1]
    case = OrthogonalFrequencies(d=4, m=4, z=z, projections=[0.0] * 4)
    independent = (1 - np.exp(-(z**2))) ** 2 / 8
    excess = 3 / 4 * (measured(case, "product_mean") - np.exp(-(z**2)))
    assert found == pytest.approx(independent + excess)
    # Worse than independent ones here, by one and a half percent.
    assert 1.014 < found / independent < 1.015


# --- Binning --------------------------------------------------------------------------


def test_a_grid_by_hand():
    # Pitch 1 and distance 1/4: an edge falls between with a chance of 1/4.
    case = Grids.of_points(["1/4"], [1])
    p, x = values(case, "grids", "shared")
    assert sorted(zip(p, x, strict=True)) == [(0.25, 0.0), (0.75, 1.0)]
    assert measured(case, "kernel") == 0.75


def test_the_package_draws_such_grids():
    X = np.array([[0.0, 0.0], [0.3, -0.2]])
    rng, shared = np.random.default_rng(0), []
    for seed in rng.integers(2**31, size=40):
        made = RandomBinningFeatures(gamma=1.0, n_grids=100, random_state=int(seed))
        Z = made.fit_transform(X)
        shared.append((Z @ Z.T).toarray()[0, 1])
    kernel = np.exp(-0.5)
    assert np.mean(shared) == pytest.approx(kernel, abs=0.03)
    assert made.variance(X)[0, 1] == pytest.approx(kernel * (1 - kernel) / 100)
    assert np.var(shared) == pytest.approx(kernel * (1 - kernel) / 100, rel=0.6)


# --- The largest error ----------------------------------------------------------------


def grid_of(case, error):
    """The largest modulus of an error on many points of a cube in one dimension."""
    x = np.linspace(0, float(case.ell), 400)
    return np.abs(error(x[:, None], x[None, :])).max()


def test_the_enclosed_error_is_that_of_a_fine_grid():
    w, times = np.array([1.0, 2.0]), np.array([[3.0, 1.0], [0.0, 2.0]])
    case = uniform_bound.Cube(
        D=6, d=1, epsilon=0.5, ell=3.0, w=w, axis=[0, 0], times=times
    )
    near, far = times.sum(axis=1) / 6 - 1 / 2, times @ [1, -1] / 6

    def error(x, y):
        waves = (near[j] * np.cos(w[j] * (x - y)) for j in (0, 1))
        sums = (far[j] * np.cos(w[j] * (x + y)) for j in (0, 1))
        return sum(waves) + sum(sums)

    on_grid = grid_of(case, error)
    found = measured(case, "phase_error")
    assert on_grid <= found + 1e-12 and found == pytest.approx(on_grid, rel=1e-4)
    before, ctx.prec = ctx.prec, 128
    try:
        held = exact.Case.of(**case.in_fractions())
        ball = route_of(held, "phase_error")(held)
    finally:
        ctx.prec = before
    assert ball.overlaps(arb(found, 1e-12)) and ball.rad() < 1e-12


def test_the_largest_slope_is_no_slope_at_a_fixed_point():
    """Four frequencies near 1 on a long interval: nearly 2.25 times the mean square.

    At each fixed point the mean square of the slope of s - kappa is at most the mean
    squared frequency; its supremum is another thing.
    """
    w = 1 + 0.01 * np.sqrt([0.0, 2, 3, 5]) * [1, 1, -1, 1]
    t = np.arange(0, 60000, 0.02)
    sines = w[:, None] * np.sin(np.outer(w, t))
    mean = sines.mean(axis=0)
    squares = [np.max(np.abs(one - mean)) ** 2 for one in sines]
    assert 2.2 < np.mean(squares) / np.mean(w**2) < 2.25


def test_the_constants_are_attained():
    """(d + 2) (c / d)^(d / (d + 2)) is at most 2 + c, with equality at d = c."""
    for c in (64, 81):
        found = [(d + 2) * (c / d) ** (d / (d + 2)) for d in range(1, 1000)]
        assert max(found) == pytest.approx(2 + c)
        assert 1 + int(np.argmax(found)) == c
    # With phases the dimension is twice as large, and the second constant 96.
    found = [(2 * d + 2) * (96 / (2 * d)) ** (d / (d + 1)) for d in range(1, 1000)]
    assert max(found) == pytest.approx(98) and 1 + int(np.argmax(found)) == 48


# --- Leverage -------------------------------------------------------------------------


def test_leverage_by_hand():
    # Two points that the frequencies leave apart or together: K = I.
    case = DrawnFrequencies.drawing(2, [[0, 0], [-1, 1]], ["1/2", "1/2"], alpha=1)
    assert measured(case, "K") == pytest.approx(np.eye(2))
    assert measured(case, "scores") == pytest.approx([1, 1])
    assert measured(case, "d_eff") == pytest.approx(1)
    # Both draws the first: 2 in one direction and nothing in the other.
    assert np.linalg.eigvalsh(measured(case, "approximation")) == pytest.approx([0, 2])
    fails = {
        float(case.but(accuracy=a).measured(case.quantities["spectral"]))
        for a in (0.4, 0.6)
    }
    assert fails == {0.0, 1.0}


def test_the_laws_draw_as_many_as_there_are_features():
    case = uniform_bound.Cube.along([1, 2], 6, "1/2", 1)
    for law, total in (("pair_counts", 3), ("quarter_counts", 6)):
        for _, each in case.outcomes(law):
            times = np.asarray(each.times)
            assert (times == np.rint(times)).all() and times.sum() == total
    squares = sum(
        p * np.asarray(each.times)[0, 0] ** 2
        for p, each in case.outcomes("quarter_counts")
    )
    assert squares == pytest.approx(6 * (1 / 4) * (3 / 4) + (6 / 4) ** 2)  # binomial
