"""Which guarantee applies: promises by hand, and the table of all of them."""

import numpy as np
import pytest

from nystheory import coherence, guarantees
from nystheory.experiments.since_2010 import digits_kernel
from nystheory.guarantees._promises import _largest_share as largest_share
from nystheory.theorems import theorems

DIGITS = digits_kernel(60)
KNOWN = guarantees.Known(DIGITS)
VALUES = np.sort(np.linalg.eigvalsh(DIGITS.dense()))[::-1]


def test_what_is_known_is_what_the_package_measures():
    alpha = 0.05 * KNOWN.trace
    expected = coherence.effective_dimension(DIGITS, alpha)
    assert KNOWN.effective_dimension(0.05) == pytest.approx(expected)
    assert KNOWN.scores(0.05).sum() == pytest.approx(expected)
    assert KNOWN.heads(3)[2] * 60 / 3 == pytest.approx(
        60 / 3 * (KNOWN.vectors[:, :3] ** 2).sum(axis=1).max()
    )


def test_gaussian_promises_are_the_smallest_by_hand():
    """The formulas of the page, written out again."""
    m, bounds = 20, []
    for k in range(1, m - 1):
        tail, spare = VALUES[k:].sum(), m - k - 1
        full = (1 + 2 * k / spare) * VALUES[k]
        full += 2 * np.e**2 * m / ((m - k) ** 2 - 1) * tail
        cut = VALUES[k] + k / spare * tail
        bounds.append(((1 + k / spare) * tail, min(full, cut)))
    trace, norm = np.min(bounds, axis=0) / VALUES.sum()
    found = guarantees.gaussian(KNOWN, m)
    assert found[0].share == pytest.approx(trace)
    assert found[1].share == pytest.approx(norm)


def test_leverage_promises_by_hand():
    known = guarantees.Known(np.diag([1000.0, 500.0, *np.ones(98)]))
    m, rows = 200, []
    for k in range(1, 101):
        if m >= 6.52 * k * np.log(k / 0.1):
            rows.append((1 + 20 * k / m) * known.values[k:].sum() / known.trace)
    assert guarantees.leverage(known, m)[0].share == pytest.approx(min(rows))


def test_uniform_promises_solve_for_the_share_that_is_kept():
    """With its epsilon the columns are just enough, by the theorem's own hypothesis."""
    theorem = theorems["modern:uniform-coherence"]
    given = {"n": 120, "l": 60, "k": 1, "delta": 0.1, "leading_coherence": 2.0}
    share = largest_share(theorem, given)
    tails = {"tail_2": 1.0, "tail_trace": 1.0}
    theorem.bound(kept_share=share * (1 - 1e-9), **given, **tails)
    with pytest.raises(ValueError, match="hypothesis"):
        theorem.bound(kept_share=share * (1 + 1e-6), **given, **tails)


@pytest.mark.parametrize("promise", [guarantees.uniform_ridge, guarantees.ridge_scores])
def test_ridges_are_the_smallest_that_are_likely_enough(promise):
    eigenvalues = np.r_[1000.0, np.full(99, 1e-3)]
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((100, 100)))[0]
    known = guarantees.Known((Q * eigenvalues) @ Q.T)
    more, fewer = promise(known, 5000), promise(known, 500)
    assert more.share < fewer.share <= 1
    assert promise(known, 5).share == guarantees.NOTHING


def test_all_of_them():
    found = guarantees.guarantees(DIGITS, 30)
    shares = [r.promise.share for r in found.rows if r.norm == "trace"]
    assert shares == sorted(shares)
    assert {row.id for row in found.rows} <= set(theorems)
    assert found.best("spectral").promise.share == min(
        row.promise.share for row in found.rows if row.norm == "spectral"
    )
    shown = found._repr_html_()
    assert "nothing" in shown and "with probability 0.9" in shown
    assert "30 of 60 columns" in repr(found)


def test_a_row_is_what_the_theorem_says():
    """With the parameter that the row names, the theorem gives its number."""
    found = guarantees.guarantees(DIGITS, 30)
    row = next(r for r in found.rows if r.scheme == "Gaussian sketch")
    k = row.promise.parameter
    bound = theorems[row.id].bound(l=30, k=k, tail_trace=VALUES[k:].sum())
    assert row.norm == "trace"
    assert row.promise.share * found.trace == pytest.approx(bound)


@pytest.mark.parametrize(
    ("K", "count", "delta", "says"),
    [
        (np.diag([1.0, -1.0, 1.0, 1.0]), 3, 0.1, "K: expected a positive semidef"),
        (np.eye(9), 9, 0.1, "n_landmarks: expected"),
        (np.eye(9), 2, 0.1, "n_landmarks: expected"),
        (np.eye(9), 4, 0.9, "delta: expected a number between 0 and 0.8"),
        (np.eye(9), 4, -0.1, "delta: expected"),
    ],
)
def test_bad_input(K, count, delta, says):
    with pytest.raises(ValueError, match=says):
        guarantees.guarantees(K, count, delta)


def test_an_unknown_norm():
    with pytest.raises(ValueError, match="norm: expected"):
        guarantees.guarantees(np.eye(9), 4).best("nuclear")
