"""Properties of promises on any matrix: at their best, without units, without order."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from nystheory import guarantees
from nystheory.chapters import theorems
from nystheory.engine.promises.applied import AppliedClaim
from nystheory.engine.promises.promises import Promise, asks, kept

# A failing case is shown as it came: to shrink it takes minutes.
PHASES = [phase for phase in Phase if phase != Phase.shrink]
few = settings(deadline=None, derandomize=True, max_examples=5, phases=PHASES)
PROMISED = [
    (theorem, name)
    for theorem in theorems.values()
    for name, promise in theorem.promises.items()
    if isinstance(promise, Promise)
]
FREE = [(t, name) for t, name in PROMISED if t.promises[name].free]
MORE = {"experts": 2, "mu_max": 1 / 2, "block_size": 2}


@st.composite
def matrices(draw, n=24):
    """A few directions far above the rest, on axes or turned."""
    high = draw(st.lists(st.floats(1, 1e4), min_size=1, max_size=3))
    low = draw(st.floats(1e-4, 1))
    values = np.r_[high, low * 0.9 ** np.arange(n - len(high))]
    seed = draw(st.none() | st.integers(0, 99))
    if seed is None:
        return np.diag(values)
    turned = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    K = (turned * values) @ turned.T
    return (K + K.T) / 2


def as_case(theorem, name, K, l):  # noqa: E741
    case = theorem.world(K, range(l), l)
    return case.but(**{symbol: MORE[symbol] for symbol in asks(theorem, name, case)})


@few
@given(matrices(), st.integers(12, 23), st.data())
@pytest.mark.parametrize(
    ("theorem", "name"), FREE, ids=[f"{t.id}, {name}" for t, name in FREE]
)
def test_no_other_choice_promises_more(theorem, name, K, l, data):  # noqa: E741
    instance = as_case(theorem, name, K, l)
    best = kept(theorem, name, instance)
    case = AppliedClaim(theorem, name, instance, 0.1)
    for _ in range(5):
        chosen = {"delta": 0.1, "k": float(data.draw(st.integers(1, instance.l)))}
        for symbol in set(theorem.promises[name].free) - {"k"}:
            unit = np.trace(K) if symbol == "alpha" else 1.0
            chosen[symbol] = unit * 10.0 ** data.draw(st.floats(-6, 0))
        if case.holds(chosen):
            assert best.bound <= case.bound(chosen) * (1 + 1e-6)


def by_row(found):
    return {(row.id, row.norm, row.scheme): row.share for row in found.rows}


@few
@given(matrices(), st.integers(6, 23), st.integers(-20, 20), st.permutations(range(24)))
def test_promises_know_neither_units_nor_the_order_of_the_points(K, l, e, order):  # noqa: E741
    plain = by_row(guarantees.promises(K, l, experts=2, mu_max=0.5))
    other = 2.0**e * K[np.ix_(order, order)]
    found = by_row(guarantees.promises(other, l, experts=2, mu_max=0.5))
    assert plain.keys() == found.keys()
    for key, share in plain.items():
        assert found[key] == pytest.approx(share, rel=1e-5), key


@few
@given(matrices(), st.integers(6, 23), st.floats(0.01, 0.4), st.floats(0.1, 0.9))
def test_what_fails_less_often_promises_less(K, l, delta, share):  # noqa: E741
    often = by_row(guarantees.promises(K, l, delta))
    seldom = by_row(guarantees.promises(K, l, delta * share))
    assert often.keys() == seldom.keys()
    for key, share in often.items():
        assert share <= seldom[key] * (1 + 1e-6), key


@few
@given(matrices(), st.integers(6, 23))
def test_a_promise_is_below_what_is_known_without_it(K, l):  # noqa: E741
    found = guarantees.promises(K, l)
    largest = np.linalg.eigvalsh(K)[-1] / found.trace
    for row in found.rows:
        limit = 1 if row.norm in ("trace", "Frobenius") else largest
        assert row.share == np.inf or 0 <= row.share <= limit * (1 + 1e-9)
        assert row.fails is None or 0 <= row.fails <= 1
