"""Every scheme: one signature, honest accounts, reproducible draws."""

import tracemalloc
import warnings

import numpy as np
import pytest
from sampling_cases import DETERMINISTIC, RANDOM_SIZE, SCHEMES, options_of, run

from nystheory import datasets, kernels, sampling

# Entries of K asked for, in units of n l.
FRUGAL = {
    "uniform": 0.0,
    "diagonal": 0.2,
    "adaptive_partial": 1.0,
    "criterion_driven": 1.0,
    "incomplete_cholesky": 1.1,
    "farthest_point": 1.1,
    "sgma": 60.1,
    "rp_cholesky": 1.1,
    "rp_cholesky, block": 1.1,
    "rp_cholesky, accelerated": 2.1,
    "recursive_rls": 3.0,
    "bless": 8.0,
    "kmeans": 0.0,
}


@pytest.fixture(scope="module")
def digits():
    return kernels.rbf(datasets.digits(300).X)


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_returns_that_many_different_columns(name, digits):
    drawn = run(name, digits, 30)
    assert len(drawn) == 30 or name in RANDOM_SIZE
    assert drawn.seconds > 0 and drawn == run(name, digits, 30)
    assert drawn.scheme.partition(",")[0] == name.partition(",")[0]
    if drawn.indices is None:
        assert drawn.points.shape == (30, 64)
        return
    assert drawn.indices.dtype.kind == "i" and set(drawn.indices) <= set(range(300))
    assert name == "bless" or len(set(drawn.indices.tolist())) == len(drawn)
    if name not in DETERMINISTIC:
        assert drawn != run(name, digits, 30, seed=1)


@pytest.mark.parametrize("name", [name for name in SCHEMES if name != "kmeans"])
@pytest.mark.parametrize("kind", ["RBF", "linear", "scaled"])
def test_the_same_seed_gives_the_same_columns_on_every_path(name, kind):
    """From points, from a stored matrix and, without bless, from a plain array."""
    X = datasets.digits(200).X
    K = kernels.linear(X) if kind == "linear" else kernels.rbf(X)
    dense = K.dense() * (1e-6 if kind == "scaled" else 1)
    if kind == "scaled" and name == "bless":
        return  # its accuracy is in units of K
    a, b = run(name, K, 20), run(name, kernels.DenseKernel(dense), 20)
    assert np.array_equal(a.indices, b.indices)
    if kind != "scaled":
        assert a.entries_asked == b.entries_asked
        assert np.array_equal(a.indices, run(name, dense, 20).indices)


@pytest.mark.parametrize("name", FRUGAL)
def test_entries_asked_are_counted_and_few(name):
    K = kernels.rbf(datasets.patches(2000).X)
    options = {"alpha": 4.0} if name == "bless" else options_of(name, 2000)
    drawn = SCHEMES[name](K, 100, np.random.default_rng(0), **options)
    assert drawn.entries_asked == K.entries_asked <= FRUGAL[name] * 2000 * 100


@pytest.mark.parametrize("name", ["column_norm", "leverage", "adaptive_full", "k_dpp"])
def test_schemes_that_read_all_of_K_say_so(name, digits):
    assert run(name, kernels.rbf(digits.points), 10).entries_asked == 300**2


@pytest.mark.parametrize(
    "name", ["leverage", "ridge_leverage", "k_dpp", "dpp", "volume"]
)
def test_another_draw_has_the_eigenpairs_already(name, digits):
    """Kept with the kernel: no entry is asked for, and the law is the same."""
    K = kernels.rbf(digits.points)
    first, second = run(name, K, 10), run(name, K, 10)
    assert (first.entries_asked, second.entries_asked) == (300**2, 0)
    assert first == second


COSTLY = ["leverage", "ridge_leverage", "k_dpp", "dpp", "volume", "adaptive_full"]


@pytest.mark.parametrize("name", COSTLY)
def test_what_takes_long_is_told_before(name, monkeypatch, digits):
    monkeypatch.setattr(sampling._costs, "SECONDS", 0.0)
    with pytest.warns(sampling.Costly, match=f"{name}: needs all of K, about 0 sec"):
        run(name, kernels.rbf(digits.points), 5)


@pytest.mark.parametrize("name", COSTLY)
def test_what_no_memory_holds_is_told_before(name):
    K = kernels.rbf(np.zeros((3_000_000, 1)) + np.arange(3_000_000)[:, None], gamma=1.0)
    with pytest.raises(MemoryError, match=f"K: {name} needs all of it"):
        run(name, K, 5)


@pytest.mark.parametrize("name", [name for name in FRUGAL if name != "kmeans"])
def test_memory_is_that_of_the_columns(name):
    """At most 1.5 n l words, for the largest of all arrays alive at once."""
    n, count = 40_000, 150
    X = np.random.default_rng(0).standard_normal((n, 2))
    K = kernels.rbf(X, gamma=0.5)
    options = {"alpha": 40.0} if name == "bless" else options_of(name, n)
    if name == "sgma":
        options = {"candidates": 3}  # the number of candidates is not in the memory
    rng = np.random.default_rng(0)
    run(name, kernels.rbf(X[:500]), 20)  # imports and caches
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        SCHEMES[name](K, count, rng, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1.5 * 8 * n * count


def test_schemes_show_as_a_table():
    assert "rp_cholesky" in repr(sampling.SCHEMES)
    shown = sampling.SCHEMES._repr_html_()
    assert all(f"<code>{name}</code>" in shown for name in sampling.SCHEMES)


def test_formulas_of_the_table_are_typeset():
    shown = sampling.SCHEMES._repr_html_()
    for raw in ("K_ii.", "alpha^|S|", "<code>K[", "<code>det", "rank k"):
        assert raw not in shown
    assert r"\(\det(K_{SS} / \alpha)\)" in shown and r"\(K_{ii}\)" in shown
