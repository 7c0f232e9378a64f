"""What the theorems of the chapter speak of, by hand on small cases."""

import ast
from itertools import product

import numpy as np
import pytest

from nystheory.chapters.two_kinds_of_features.theorems import (
    drawn_counts,
    random_waves,
)
from nystheory.chapters.two_kinds_of_features.theorems.eigenfunctions import (
    EIGENFUNCTIONS,
    Eigenfunctions,
)
from nystheory.chapters.two_kinds_of_features.theorems.landmark_machine import (
    LANDMARK_MACHINE,
    LandmarkMachine,
)
from nystheory.chapters.two_kinds_of_features.theorems.nystrom_properties import (
    FirstColumns,
)
from nystheory.chapters.two_kinds_of_features.theorems.random_waves import (
    RFF_VARIANCE,
    RandomWaves,
)
from nystheory.chapters.two_kinds_of_features.theorems.ridge_formulas import RIDGE
from nystheory.chapters.two_kinds_of_features.theorems.sinusoids import (
    SINUSOIDS,
    Sinusoids,
)
from nystheory.chapters.two_kinds_of_features.theorems.two_families import (
    RARE_FREQUENCY,
    FunctionSpan,
    RareFrequency,
)
from nystheory.engine import Claim, value
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import compare, reader


def measured(case, name):
    return case.measured(case.quantities[name]).value


# --- Functions of examples ------------------------------------------------------------


def test_eigenfunctions_by_hand():
    # K = diag(4, 1): eigenvalues 2 and 1/2 of L_2, along the axes.
    case = Eigenfunctions.from_points(np.diag([2.0, 1]), [1], 1)
    assert measured(case, "L_n") == pytest.approx(np.diag([2.0, 0.5]))
    assert measured(case, "Phi") == pytest.approx(np.eye(2))
    assert measured(case, "Phi_S").ravel() == pytest.approx([0, 1])
    assert measured(case, "L_l") == pytest.approx(np.diag([0.0, 1]))


def test_no_function_belongs_to_the_zero_matrix():
    case = Eigenfunctions.from_points(np.zeros((2, 3)), [0], 1)
    assert measured(case, "Phi").shape == (2, 0)
    claim = EIGENFUNCTIONS.claims["orthonormal"]
    assert not compare(claim, reader(EIGENFUNCTIONS, case)).violated


def test_weights_of_a_function_by_hand():
    # One landmark of length 2: its bump has the norm 2, and the weight 2 a.
    given = {"a": np.array([[3.0]]), "alpha": 1.0}
    case = LandmarkMachine.from_points([[2.0, 1]], [0], 1, **given)
    reading = reader(LANDMARK_MACHINE, case)
    assert abs(reading.value(parse("w")).value) == pytest.approx(np.array([[6.0]]))
    values = reading.value(parse("C @ a")).value
    assert values == pytest.approx(np.array([[12.0], [6]]))


def test_what_is_put_back_has_the_order_of_before():
    X = np.array([[1.0, 2, 0], [0, 1, 1]])
    case = FirstColumns.from_points(X, [2], 1, keys=np.array([2.0, 0, 1]))
    found = measured(case, "put_back")
    assert found == pytest.approx(np.outer(X[1], X[1]))


def test_another_matrix_has_the_sampled_columns():
    given = {"besides": np.arange(9.0).reshape(3, 3)}
    case = FirstColumns.from_points(np.eye(3), [1], 1, **given)
    found = measured(case, "M")
    assert found[:, 1] == pytest.approx([0, 1, 0])
    assert found[0, 2] == found[2, 0] == 2 + 6


def test_minimisers_of_two_equal_points_by_hand():
    case = RIDGE.controls["one minimiser only"].on
    reading = reader(RIDGE, case)
    assert reading.value(parse("c")).value == pytest.approx(np.array([[1.0], [0]]))
    # |(2, 0)|^2 / 2 + |1|^2
    assert reading.value(parse("F_b")).value == pytest.approx(3)
    assert reading.truth("F_b == F_c") is True


# --- Waves ----------------------------------------------------------------------------


def test_counts_have_the_chances_of_all_orders():
    listed = {}
    for S in product(range(3), repeat=4):
        key = tuple(sorted(S))
        listed[key] = listed.get(key, 0) + np.prod([(0.5, 0.3, 0.2)[j] for j in S])
    found = {tuple(S): p for p, S in drawn_counts.multinomial((0.5, 0.3, 0.2), 4)}
    assert found == pytest.approx(listed)
    orders = list(drawn_counts.multinomial((0.5, 0.5), 3, ordered=True))
    assert len(orders) == 8 and sum(p for p, _ in orders) == pytest.approx(1)
    assert drawn_counts.multinomial([0.1] * 10, 40) is None


def test_variances_by_hand():
    # Cosines 1 and -1: the kernel is 0 and 1, and one frequency has the variance 1.
    case = RandomWaves.at([1.0, 1], [1.0, -1], 2, 4)
    assert measured(case, "kernel") == pytest.approx(0, abs=1e-15)
    assert measured(case, "kernel_twice") == pytest.approx(1)
    values = {"kernel_twice": 1, "kernel": 0}
    assert RFF_VARIANCE.right_side("pairs", m=2, **values) == 1 / 2
    assert RFF_VARIANCE.right_side("phases", D=4, **values) == 3 / 8


def test_four_phases_have_the_moments_of_all():
    b = np.array([0, 1, 2, 3]) * random_waves.EIGHTH
    for theta in (0.0, 0.3, 2.0):
        wave = np.cos(theta + 2 * b)
        assert wave.mean() == pytest.approx(0, abs=1e-15)
        assert (wave**2).mean() == pytest.approx(1 / 2)


def test_a_rare_frequency_by_hand():
    # Four points: K = 3/4 + cos / 4; one of two draws is the rare one.
    case = RareFrequency.of_hits(4, 2, 1, alpha=0.25, delta=0.5)
    assert measured(case, "K")[0] == pytest.approx([1, 0.75, 0.5, 0.75])
    assert measured(case, "K_hat")[0] == pytest.approx([1, 0.5, 0, 0.5])
    assert measured(case, "hits") == 1
    assert RARE_FREQUENCY.right_side("chance", n=4, m=2) == 9 / 16
    assert RARE_FREQUENCY.right_side("error", alpha=0.25) == pytest.approx(2 / 3)


def test_until_half_the_points_are_drawn_no_draw_is_near():
    event = RARE_FREQUENCY.claims["error"].sides[0]
    for hits in range(6):
        case = RareFrequency.of_hits(10, 5, hits, alpha=0.25, delta=0.5)
        error = reader(RARE_FREQUENCY, case).value(event).value
        assert error >= 2 / 3 - 1e-12
    case = RareFrequency.of_hits(10, 20, 2, alpha=0.25, delta=0.5)
    assert reader(RARE_FREQUENCY, case).value(event).value < 1e-12


def test_a_span_is_as_large_as_its_functions():
    case = FunctionSpan(2 * np.eye(3), [0], 1, functions=np.ones((3, 2)))
    assert measured(case, "r") == 1
    assert measured(case, "all_frequencies") == pytest.approx(np.eye(3))


# --- Sums of sinusoids ----------------------------------------------------------------


def test_the_norm_of_a_wave_by_hand():
    # One cosine on three points of the circle, sigma = 1.
    case = Sinusoids(
        u=np.array([[1.0]]),
        ws=np.zeros(1),
        wc=np.ones(1),
        sigma=1.0,
        x=0.0,
        examples=np.zeros((1, 1)),
    )
    expected = np.sqrt(2 * np.pi) / 2 * np.exp(1 / 2)
    left = reader(SINUSOIDS, case).value(parse("f.T @ inv(K) @ f")).value
    assert left == pytest.approx(expected)
    assert measured(case, "norm_on_examples") == pytest.approx(1)
    assert measured(case, "images") == pytest.approx(1 + 2 * np.exp(-2 * np.pi**2))


def test_a_narrow_kernel_has_more_frequencies_than_are_added_up():
    case = Sinusoids.cosine([0]).but(sigma=1e-4)
    assert case.quantities["series"].fast(case) is None
    assert measured(case.but(sigma=0.05), "series") == pytest.approx(
        measured(case.but(sigma=0.05), "images")
    )


def test_norms_on_more_points_are_larger():
    norms = [
        measured(Sinusoids.cosine(range(-reach, reach + 1)), "norm_on_examples")
        for reach in (0, 2, 4, 6)
    ]
    assert norms[0] == pytest.approx(1) and (np.diff(norms) > 0).all()


def test_what_is_called_wrong_fails_on_its_instance():
    for printed in SINUSOIDS.printed.values():
        found = compare(Claim(printed.line), reader(SINUSOIDS, printed.on))
        assert found.violated


def test_chances_are_those_of_hoeffding():
    """For terms between -1 and 1 of pairs, and between -2 and 2 with phases."""
    case = RandomWaves.at([1.0, 1], [1.0, -1], 7, 9, 0.3)
    for name, number, half in (("pairs, chance", 7, 1), ("phases, chance", 9, 2)):
        _, allowed = RFF_VARIANCE.claims[name].sides
        wanted = 2 * np.exp(-2 * number * 0.3**2 / (2 * half) ** 2)
        assert value(ast.unparse(allowed), case) == pytest.approx(wanted)
