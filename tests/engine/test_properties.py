"""Properties of the small functions behind theorems, verdicts and tables."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import style
from nystheory.engine.trial import statistics
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import truncated_inverse

quick = settings(deadline=None, derandomize=True, max_examples=60)
counts = st.integers(1, 300).flatmap(
    lambda trials: st.tuples(st.integers(0, trials), st.just(trials))
)
integers = st.integers(-3, 3)


@quick
@given(counts, st.floats(1e-9, 0.4))
def test_clopper_pearson_holds_the_share_and_grows_with_confidence(count, level):
    low, high = statistics.clopper_pearson(*count, level)
    wider = statistics.clopper_pearson(*count, level / 2)
    assert 0 <= wider[0] <= low <= count[0] / count[1] <= high <= wider[1] <= 1


@quick
@given(st.lists(st.floats(0, 1), min_size=2, max_size=50), st.floats(1e-9, 0.4))
def test_mean_interval_is_about_the_mean_and_shifts_with_it(values, level):
    here = statistics.mean_interval(values, level, support=(0, 1))
    there = statistics.mean_interval(np.add(values, 5), level, support=(5, 6))
    assert here.low <= here.estimate <= here.high
    assert np.allclose(np.subtract(there[:3], 5), here[:3], atol=1e-9)


@quick
@given(st.floats(-3, 3), st.floats(0.1, 10))
def test_slope_of_a_power_law_is_its_exponent(exponent, factor):
    sizes = np.array([10, 40, 160])
    errors = factor * sizes[:, None] ** exponent * np.ones(5)
    slope = statistics.slope_interval(sizes, errors)
    assert math.isclose(slope.estimate, exponent, abs_tol=1e-9)


@quick
@given(st.lists(st.lists(integers, min_size=3, max_size=3), min_size=3, max_size=3))
def test_instances_know_their_ranks_and_inverses(rows):
    case = Instance.from_points(rows, [0, 1], 2)
    assert case.rank_K == np.linalg.matrix_rank(rows)
    assert case.rank_W == np.linalg.matrix_rank(np.array(rows)[:, :2])
    again = case.W @ truncated_inverse(case.W, 2) @ case.W
    assert np.allclose(again, case.W, atol=1e-9 * max(1, case.norm_K))


@quick
@given(st.floats(-1e300, 1e300))
def test_numbers_in_tables_are_short_and_close(x):
    shown = style.number(x)
    assert len(shown) <= 16
    assert math.isclose(float(shown), x, rel_tol=5.1e-3, abs_tol=1e-300)


@quick
@given(st.text(alphabet="ab<>&$x_ ", max_size=30))
def test_text_never_lets_markup_through(words):
    assert "<" not in style.text(words).replace("<br>", "")
