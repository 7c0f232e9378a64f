"""What the theorems of the chapter speak of, by hand on small cases."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from nystheory import exact
from nystheory.chapters.fast_and_slow_rates.tables import table
from nystheory.chapters.fast_and_slow_rates.theorems.calibration import (
    CALIBRATION,
    TwoClasses,
)
from nystheory.chapters.fast_and_slow_rates.theorems.effective_dimension import (
    EXPONENTIAL_DECAY,
    POWER_DECAY,
    PowerDecay,
)
from nystheory.chapters.fast_and_slow_rates.theorems.exponents import EXPONENTS
from nystheory.chapters.fast_and_slow_rates.theorems.losses import (
    CLIPPING,
    SQUARE_LOSS,
    Responses,
    Value,
)
from nystheory.chapters.fast_and_slow_rates.theorems.low_noise import (
    LOW_NOISE,
    LowNoise,
)
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS, TABLES, Q
from nystheory.engine import Claim
from nystheory.engine.language.lines import Reader, parse
from nystheory.engine.trial.compare import compare, reader
from nystheory.exact.routes import route_of


def measured(case, name):
    return case.measured(case.quantities[name]).value


def value(theorem, case, line):
    return reader(theorem, case).value(parse(line)).value


# --- Exponents ------------------------------------------------------------------------

GRID = [Fraction(k, 5) for k in range(1, 5)]


def number(line, **known):
    """An exponent at some numbers."""
    return float(Reader({}, None, known, {"q": Q}).value(parse(line)).value)


@pytest.mark.parametrize("name", ROWS)
def test_the_columns_of_a_row_are_its_effective_dimension(name):
    """And its rate is that of its terms, or of those of the row that it is a case of.

    The square loss for classes has its rate divided by 2 - gamma.
    """
    row = ROWS[name]
    general = ROWS[row.of] if row.of else row
    for p in GRID:
        for r in [*GRID, 1]:
            known = {"capacity": p, "source": r, "theta": 1 / 2, "gamma": 1 / 2}
            if "source == 1" in row.when:
                known["source"] = 1
            if "theta == 1" in row.when:
                known["theta"] = 1
            known = {symbol: float(x) for symbol, x in known.items()}
            if row.projection and "\\" not in row.columns:
                assert number(row.needed, **known) == pytest.approx(
                    number(row.columns, **known)
                )
            ends = f"({row.ridge})", f"({row.projection or 0})"
            rate = number(general.at(*ends), **known)
            if name == "square, classes":
                rate /= 2 - known["gamma"]
            assert number(row.rate, **known) == pytest.approx(rate)


def test_a_row_of_a_case_says_which():
    for row in ROWS.values():
        assert (not row.terms) or (row.at("a", "b").startswith("min("))
        assert row.of in ROWS or not row.of
    assert {name for names in TABLES.values() for name in names} == set(ROWS)


def test_the_hinge_loss_projects_finer_by_the_power_of_the_setting():
    known = {"capacity": 0.3, "source": 0.6, "theta": 0.5}
    row = ROWS["hinge"]
    assert number(row.projection, **known) == pytest.approx(
        1.6 * number(row.ridge, **known)
    )


def test_tables_have_a_row_for_each_result():
    rows = table(2).rows
    assert len(rows) == 6 and all(len(row) == 8 for row in rows)
    assert rows[3][-2:] == ("$n^{-1 / (1 + p)}$", "$n^{2 p / (1 + p)}$")
    assert rows[2][-1] == r"$\log^2 n$"
    assert r"q_\gamma" in table(4).rows[1][-1]
    with pytest.raises(ValueError, match="number: expected one of 2, 3, 4, got 5"):
        table(5)


def test_exponents_of_a_problem_by_hand():
    # p = r = theta = gamma = 1/2: q = (2 - 1/2 - 1/2 + 1/4) / 2 + 1/2 = 9/8.
    case = EXPONENTS.world.of_problem("1/2", "1/2", "1/2", "1/2")
    assert value(EXPONENTS, case, "q") == pytest.approx(9 / 8)
    assert value(EXPONENTS, case, "rate_h") == pytest.approx(4 / 9)
    assert value(EXPONENTS, case, "rate_sq") == pytest.approx(1 / 2)
    assert value(EXPONENTS, case, "columns_h") == pytest.approx(2 / 3)
    assert value(EXPONENTS, case, "columns_sq") == pytest.approx(1 / 2)


def test_a_balanced_bound_falls_with_the_rate():
    """The bound itself, minimised over a grid of ridges and projections."""
    p, r, theta = 0.5, 0.5, 0.5
    known = {"capacity": p, "source": r, "theta": theta}
    row, best = ROWS["hinge"], []
    sizes = 10.0 ** np.array([6, 9, 12])
    for n in sizes:
        ridge = n ** -np.linspace(0, 2, 801)
        approximation, alpha = ridge**r, ridge ** (r + 1)
        bound = (1 / (ridge**p * n)) ** (1 / (2 - p - theta + theta * p))
        bound = bound + np.sqrt(approximation / ridge) / n + approximation
        best.append((bound + np.sqrt(alpha * approximation / ridge)).min())
    slope = np.polyfit(np.log(sizes), np.log(best), 1)[0]
    assert -slope == pytest.approx(number(row.rate, **known), abs=0.01)


# --- Spectra --------------------------------------------------------------------------


def test_effective_dimensions_by_hand():
    # Eigenvalues 1 and 1/4 at alpha = 1/4: 4/5 + 1/2.
    case = PowerDecay.full(2, "1/2", 1, "1/4")
    assert value(POWER_DECAY, case, "d") == pytest.approx(1.3)
    assert value(POWER_DECAY, case, "constant") == pytest.approx(np.pi / 2)
    case = EXPONENTIAL_DECAY.world.full(1, 1, 1, 1)
    assert value(EXPONENTIAL_DECAY, case, "d") == pytest.approx(1 / (1 + np.e))


def test_the_threshold_of_the_constant_is_where_both_bounds_cross():
    for p, threshold in ((0.2, 0.822), (0.5, 0.617), (0.8, 0.457)):
        found = ((1 - p) * np.pi * p / np.sin(np.pi * p)) ** (1 / (1 - p))
        assert found == pytest.approx(threshold, abs=5e-4)
        case = PowerDecay(t=np.ones(3), capacity=p, alpha=1.0, gamma=found)
        sharp = value(POWER_DECAY, case, POWER_DECAY.claims["sharp"].line[5:])
        line = POWER_DECAY.claims["without the power"].line[5:]
        assert value(POWER_DECAY, case, line) == pytest.approx(sharp)


def test_a_small_constant_breaks_the_printed_form_by_far():
    s = 0.01 * np.arange(1.0, 10_001) ** -5
    d = np.sum(s / (s + 1e-5))
    assert d / (0.01 / 0.8 * 10) == pytest.approx(30.04, abs=0.01)


# --- Losses ---------------------------------------------------------------------------


def test_the_sharp_constant_of_the_square_loss_by_hand():
    # Mean 1/3 of the responses 1 and -1, prediction -1: losses 4, 0 and 4/9, 16/9.
    case = Responses.one([2, 1], [1, -1], -1)
    assert measured(case, "loss_f") == pytest.approx([4, 0])
    assert measured(case, "loss_best") == pytest.approx([4 / 9, 16 / 9])
    left, right = SQUARE_LOSS.claims["sharp"].line.split(" <= ")
    assert value(SQUARE_LOSS, case, left) == pytest.approx(
        value(SQUARE_LOSS, case, right)
    )


def test_clipped_values_by_hand():
    case = Value.exactly(y=1, v=3, n=10)
    assert value(CLIPPING, case, "u") == 1
    assert value(CLIPPING, case, "w") == pytest.approx(np.log(10))
    grown = np.log(1 + 1 / 10) - np.log(1 + np.exp(-3))
    assert 0 < grown < 1 / 10


def test_excess_losses_by_hand():
    case = TwoClasses.one("3/4", 0)
    assert measured(case, "sure") == pytest.approx([0.5])
    assert measured(case, "excess_01") == pytest.approx(0.5)
    assert measured(case, "excess_hinge") == pytest.approx(0.5)
    assert measured(case, "excess_sq") == pytest.approx(0.25)
    entropy = -0.75 * np.log(0.75) - 0.25 * np.log(0.25)
    assert measured(case, "excess_log") == pytest.approx(np.log(2) - entropy)
    assert measured(case, "excess_log2") == pytest.approx(1 - entropy / np.log(2))
    right = TwoClasses.one("3/4", 1)
    assert measured(right, "excess_01") == measured(right, "excess_hinge") == 0


def test_a_sure_point_has_finite_losses():
    case = TwoClasses.one(1, 2)
    assert measured(case, "excess_log") == pytest.approx(np.log(1 + np.exp(-2)))
    assert not compare(
        CALIBRATION.claims["logistic"], reader(CALIBRATION, case)
    ).violated


# --- Low noise ------------------------------------------------------------------------


def test_margins_by_hand():
    # Margins 1/4, 1/2, 3/4 and 1.
    case = LowNoise.level(4, "1/2", 1)
    assert measured(case, "visible") == pytest.approx([1 / 4, 1 / 2, 3 / 4, 1])
    assert measured(case, "visible_excess") == pytest.approx(
        [1 / 16, 3 / 16, 6 / 16, 10 / 16]
    )
    assert measured(case, "second") == pytest.approx(4)
    assert measured(case, "excess_hinge") == pytest.approx(2 * 10 / 16)
    line = LOW_NOISE.claims["hinge"].line.split(" <= ")[1]
    assert value(LOW_NOISE, case, line) == pytest.approx(4 * np.sqrt(20 / 16))


def test_even_classes_are_seen_by_the_hinge_loss_only():
    case = LowNoise.single("1/2", 1, tie=-1)
    assert measured(case, "visible") == measured(case, "visible_excess") == 0
    assert measured(case, "excess_hinge") == measured(case, "excess_01") == 0
    assert measured(case, "second") == pytest.approx(4)
    assert measured(LowNoise.single("1/2", 1, tie=0), "second") == pytest.approx(1)


def test_the_constant_of_the_hinge_loss_is_approached():
    """The ratio tends to 1 as the margins fill the law of a power."""
    for gamma, power in (("1/2", 1), ("1/3", 2), ("1/5", 4)):
        case = LowNoise.level(400, gamma, power)
        left, right = LOW_NOISE.claims["hinge"].line.split(" <= ")
        ratio = value(LOW_NOISE, case, left) / value(LOW_NOISE, case, right)
        assert 0.99 < ratio <= 1


def test_equal_margins_attain_the_square_loss():
    case = LowNoise.single("5/8", 0, b=2)
    left, right = LOW_NOISE.claims["square, sharper"].line.split(" <= ")
    assert value(LOW_NOISE, case, left) == pytest.approx(value(LOW_NOISE, case, right))


@pytest.mark.parametrize("theorem", [POWER_DECAY, LOW_NOISE], ids=lambda t: t.id)
def test_what_is_called_wrong_fails_on_its_instance(theorem):
    for printed in theorem.printed.values():
        found = compare(Claim(printed.line), reader(theorem, printed.on))
        assert found.violated


@pytest.mark.parametrize(("tie", "square"), [(-1, 4), (0, 1), (1, 0)])
def test_the_best_function_is_the_given_one_where_both_classes_are_equal(tie, square):
    """f = 1 with the losses 0 and 2, and of the best one 1 - tie and 1 + tie."""
    case = LowNoise.single("1/2", 1, tie=tie)
    found = exact.Case.of(**case.in_fractions())
    assert route_of(found, "second")(found) == fmpq(square)
    assert measured(case, "second") == pytest.approx(square)
