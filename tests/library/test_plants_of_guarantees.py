"""Plants that the tests of the guarantees and of FALKON left green."""

from types import SimpleNamespace

import numpy as np
import pytest

from nystheory import certificates, guarantees, kernels, lowrank
from nystheory.guarantees import _learning, _prescriptions
from nystheory.learners import _falkon, falkon, logistic_falkon

RNG = np.random.default_rng(0)
X = RNG.standard_normal((80, 2))
K = kernels.rbf(X, 0.5)
Y = np.sin(X[:, 0]) + X[:, 1]


class Handed(np.random.Generator):
    """A generator whose next integers are known."""

    def __init__(self, given):
        super().__init__(np.random.PCG64(0))
        self.given = given

    def integers(self, *_, **__):
        return self.given


@pytest.mark.parametrize("alpha", [1e-7, 1e-6, 1e-5])
def test_a_sample_of_entries_of_few_digits_counts_as_such(alpha):
    single = kernels.rbf(X.astype(np.float32), 0.5).dense()
    one, other = (
        guarantees.effective_dimension(
            each, alpha, n_sample=40, rng=Handed(np.arange(40))
        )
        for each in (K.dense(), single)
    )
    assert other.low < one.low and one.high < other.high


def test_a_bound_of_points_is_no_less_than_the_largest_entry():
    """One that is a rounding too low is taken for what was seen."""
    largest = 1 + 5e-7
    low, seen = (
        guarantees.population_dimension(largest * np.eye(50), 5.0, point_bound=bound)
        for bound in (1.0, largest)
    )
    assert low.high == seen.high


def test_the_range_of_halves_has_the_slope_of_all_points_where_it_is_at_its_end():
    """The last eigenvalues of a half are smaller: its slopes are steeper, all."""
    found = guarantees.decay(K, ranks=(1, 40), rng=np.random.default_rng(0))
    for fit in (found.polynomial, found.exponential):
        assert fit.low <= fit.value <= fit.high
        assert fit.value in (fit.low, fit.high)


def test_weights_of_points_are_in_the_preconditioner():
    """With all points as landmarks it is the system itself, and one step is enough."""
    p = np.where(np.arange(80) % 8, 1e-3, 10.0)
    assert falkon(K, np.arange(80), Y, 1.0, weights=p).iterations == 1


def test_steps_of_newton_are_solved_for_more_and_more_digits(monkeypatch):
    """``min(0.1, sqrt(g))`` of the gradient, with g what is left of it."""
    shares, run = [], _falkon._run

    def told(times, right, solve, most, *rest):
        shares.append(most / np.linalg.norm(right))
        return run(times, right, solve, most, *rest)

    monkeypatch.setattr(_falkon, "_run", told)
    logistic_falkon(K, np.arange(0, 80, 4), (Y > 0).astype(float), 0.1)
    assert shares[0] == pytest.approx(0.1) and max(shares) <= 0.1 * (1 + 1e-12)
    assert shares[-1] < 1e-2


def test_the_exponent_of_columns_is_at_most_that_of_all_points():
    """Halves may have one above 1; there are n columns and no more."""
    fit = guarantees.Fit("polynomial", 0.9, 0.8, 1.3, (0.9, 0.9), 0.99, 1.1)
    fitted = SimpleNamespace(fit=fit, best="polynomial", polynomial=fit)
    assert _learning._exponent(fitted) == ((0.9, 0.8, 1.0), "")


def test_the_lower_end_of_a_projection_is_below_the_entry_by_its_rounding():
    whole = kernels.as_kernel(np.diag([3.0, 1.0, 1.0]) + 0.1)
    near = lowrank.nystrom(whole, [0])
    entry = certificates.entry_certificate(whole, near)
    found = _prescriptions._projection(whole, near, 0.1)
    assert entry.error > 0 and found.low == entry.value - entry.error
