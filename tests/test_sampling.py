"""Sampling schemes: one signature, honest accounts, reproducible draws."""

import itertools
import tracemalloc
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import scipy.spatial
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import datasets, kernels, lowrank, sampling


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 5), st.booleans())
def test_uniform_draws_indices_and_asks_for_nothing(n, n_landmarks, seed, replace):
    K = kernels.linear(np.ones((n, 1)))
    n_landmarks = n_landmarks if replace else min(n, n_landmarks)
    draw = partial(sampling.uniform, K, n_landmarks, replace=replace)
    drawn = draw(np.random.default_rng(seed))
    assert drawn.indices.shape == (n_landmarks,) and len(drawn) == n_landmarks
    assert drawn.indices.min() >= 0 and drawn.indices.max() < n
    assert replace or len(set(drawn.indices.tolist())) == n_landmarks
    assert drawn.entries_asked == K.entries_asked == 0
    assert np.allclose(drawn.probabilities, 1 / n)
    assert (drawn.weights == n / n_landmarks).all() if replace else not drawn.weights
    again = sampling.uniform(
        K, n_landmarks, np.random.default_rng(seed), replace=replace
    )
    assert drawn == again and hash(drawn) == hash(again)


def test_the_same_draw_from_an_array_and_from_points():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((20, 2)))
    a = sampling.uniform(K, 5, np.random.default_rng(1))
    assert a == sampling.uniform(K.dense(), 5, np.random.default_rng(1))
    assert a != sampling.uniform(K, 5, np.random.default_rng(2))
    assert a != sampling.uniform(K, 5, np.random.default_rng(1), replace=True)
    assert a != "uniform"


def test_uniform_gives_every_subset_alike():
    # Chi-square of the 10 pairs of 5; 27.9 is the 0.999 quantile at 9 degrees.
    rng = np.random.default_rng(0)
    pairs = list(itertools.combinations(range(5), 2))
    counts = dict.fromkeys(pairs, 0)
    for _ in range(2000):
        counts[tuple(sorted(sampling.uniform(np.eye(5), 2, rng).indices))] += 1
    assert sum((c - 200) ** 2 / 200 for c in counts.values()) < 27.9


def test_time_is_no_part_of_equality_or_repr():
    drawn = sampling.uniform(np.eye(9), 9, np.random.default_rng(0))
    slow = replace(drawn, seconds=1e6)
    assert drawn == slow and repr(drawn) == repr(slow)
    assert drawn.seconds >= 0
    assert repr(drawn).startswith("Landmarks(uniform, l=9, indices=[")
    assert "..." in repr(drawn)
    assert drawn != replace(drawn, probabilities=None)
    assert drawn != replace(drawn, weights=np.ones(9))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda r: sampling.uniform(np.eye(3), 4, r), ValueError, "from 1 to 3.*got 4"),
        (
            lambda r: sampling.uniform(np.eye(3), 0, r),
            ValueError,
            "n_landmarks: .*got 0",
        ),
        (lambda r: sampling.uniform(np.eye(3), 1.5, r), TypeError, "integer.*got 1.5"),
        (lambda r: sampling.uniform(np.eye(3), True, r), TypeError, "got True"),
        (
            lambda r: sampling.uniform(np.eye(3), 0, r, replace=True),
            ValueError,
            "of at least 1, got 0",
        ),
        (lambda r: sampling.uniform(np.eye(3), 1, 0), TypeError, "rng: .*Generator"),
        (lambda r: sampling.uniform(np.ones((2, 3)), 1, r), ValueError, "K: .*square"),
    ],
)
def test_uniform_says_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call(np.random.default_rng(0))


def test_as_indices_takes_landmarks_and_sequences():
    drawn = sampling.uniform(np.eye(5), 3, np.random.default_rng(0))
    assert np.array_equal(sampling.as_indices(drawn, 5), drawn.indices)
    for given_ in ([1, 1, 0], (1, 1, 0), np.array([1, 1, 0], dtype=np.uint8)):
        indices = sampling.as_indices(given_, 2)
        assert indices.tolist() == [1, 1, 0] and indices.dtype == np.intp
    assert sampling.as_indices(drawn, 5) is not drawn.indices


@pytest.mark.parametrize(
    ("landmarks", "error", "says"),
    [
        ([3], IndexError, "landmarks: expected indices from 0 to 2, got 3"),
        ([-1], IndexError, "got -1"),
        ([], ValueError, r"non-empty sequence of indices, got \[\]"),
        ([[0]], ValueError, "non-empty sequence"),
        (2, ValueError, "non-empty sequence of indices, got 2"),
        ([0.0], TypeError, "integer indices"),
        ([True, False, True], TypeError, "integer indices"),
        (["0"], TypeError, "integer indices"),
    ],
)
def test_as_indices_says_what_is_wrong(landmarks, error, says):
    with pytest.raises(error, match=says):
        sampling.as_indices(landmarks, 3)


# ---- every scheme ----

SCHEMES = dict(sampling.SCHEMES)
SCHEMES |= {
    f"rp_cholesky, {method}": partial(sampling.rp_cholesky, method=method)
    for method in ("block", "accelerated")
}
OPTIONS = {"bless": {"alpha": 2.0}}
DETERMINISTIC = ("incomplete_cholesky", "farthest_point")
RANDOM_SIZE = ("dpp",)
# Entries of K asked for, in units of n l.
FRUGAL = {
    "uniform": 0.0,
    "diagonal": 0.2,
    "adaptive_partial": 1.0,
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


def options_of(name, n):
    if name == "user":
        return {"probabilities": np.arange(1.0, n + 1) / (n * (n + 1) / 2)}
    return OPTIONS.get(name, {})


def run(name, K, count, seed=0):
    options = options_of(name, len(K) if isinstance(K, np.ndarray) else K.n)
    return SCHEMES[name](K, count, np.random.default_rng(seed), **options)


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
def test_the_same_seed_gives_the_same_columns_on_every_path(name, kind, digits):
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
    options = {"alpha": 4.0} if name == "bless" else {}
    drawn = SCHEMES[name](K, 100, np.random.default_rng(0), **options)
    assert drawn.entries_asked == K.entries_asked <= FRUGAL[name] * 2000 * 100


@pytest.mark.parametrize("name", ["column_norm", "leverage", "adaptive_full", "k_dpp"])
def test_schemes_that_read_all_of_K_say_so(name, digits):
    assert run(name, digits, 10).entries_asked == 300**2


@pytest.mark.parametrize("name", [name for name in FRUGAL if name != "kmeans"])
def test_memory_is_that_of_the_columns(name):
    """At most 1.5 n l words, for the largest of all arrays alive at once."""
    n, count = 40_000, 150
    X = np.random.default_rng(0).standard_normal((n, 2))
    K = kernels.rbf(X, gamma=0.5)
    options = {"alpha": 40.0} if name == "bless" else {}
    if name == "sgma":
        options = {"candidates": 3}  # the number of candidates is not in the memory
    rng = np.random.default_rng(0)
    SCHEMES[name](kernels.rbf(X[:500]), 20, rng, **options)  # imports and caches
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        SCHEMES[name](K, count, rng, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1.5 * 8 * n * count


@pytest.mark.parametrize(
    "name", ["rp_cholesky", "rp_cholesky, block", "rp_cholesky, accelerated", "sgma"]
)
def test_the_factor_is_the_nystrom_approximation(name, digits):
    drawn = run(name, digits, 40)
    direct = lowrank.nystrom(digits, drawn)
    F = drawn.factor
    assert np.abs(F @ F.T - direct.spectral_reconstruction()).max() < 1e-10
    asked = digits.entries_asked
    again = lowrank.from_factor(drawn, 20)
    assert digits.entries_asked == asked
    expected = lowrank.nystrom(digits, drawn, 20)
    assert np.allclose(again.eigenvalues, expected.eigenvalues)
    assert np.allclose(
        again.spectral_reconstruction(), expected.spectral_reconstruction(), atol=1e-9
    )


def test_from_factor_needs_a_factor(digits):
    with pytest.raises(ValueError, match="keeps its factor.*uniform"):
        lowrank.from_factor(run("uniform", digits, 3))


# ---- what the deterministic schemes choose ----


def test_incomplete_cholesky_is_lapack_with_pivots(digits):
    from scipy.linalg.lapack import dpstrf

    dense = kernels.linear(datasets.digits(300).X).dense()
    _, order, _, _ = dpstrf(dense, lower=1)
    drawn = sampling.incomplete_cholesky(dense, 40)
    assert drawn.indices.tolist() == (order[:40] - 1).tolist()


def test_farthest_point_against_all_distances(digits):
    X = datasets.digits(300).X
    drawn = sampling.farthest_point(kernels.linear(X), 12).indices
    distance = scipy.spatial.distance.cdist(X, X)
    assert drawn[0] == (X**2).sum(axis=1).argmax()
    for t in range(1, 12):
        nearest = distance[:, drawn[:t]].min(axis=1)
        assert nearest[drawn[t]] == pytest.approx(nearest.max(), rel=1e-12)


def test_ties_go_to_the_smaller_index():
    K = np.diag([1.0, 2.0, 2.0, 1.0])
    for scheme in (sampling.incomplete_cholesky, sampling.farthest_point):
        assert scheme(K, 3).indices.tolist() == [1, 2, 0]
    nearly = K + np.diag([0, 0, 1e-13, 0])
    assert sampling.incomplete_cholesky(nearly, 1).indices.tolist() == [1]


def test_kmeans_gives_centroids_that_nystrom_takes(digits):
    drawn = run("kmeans", digits, 20)
    X, centres = digits.points, drawn.points
    nearest = scipy.spatial.distance.cdist(X, centres).argmin(axis=1)
    means = np.array([X[nearest == j].mean(axis=0) for j in range(20)])
    assert np.allclose(means, centres)
    approximation = lowrank.nystrom(digits, drawn)
    both = kernels.rbf(np.vstack([X, centres]), gamma=digits._rule._gamma).dense()
    C, W = both[:300, 300:], both[300:, 300:]
    expected = C @ np.linalg.solve(W, C.T)
    assert np.allclose(approximation.spectral_reconstruction(), expected, atol=1e-8)
    assert approximation.error(digits, "trace") > 0
    with pytest.raises(ValueError, match="20 points that are not among its points"):
        lowrank.column_sampling(digits, drawn)
    with pytest.raises(ValueError, match="K: expected a kernel of points"):
        lowrank.nystrom(digits.dense(), drawn)
    with pytest.raises(ValueError, match="K: expected a kernel of points.*clusters"):
        run("kmeans", digits.dense(), 3)


def test_minibatches_cluster_many_points():
    K = kernels.rbf(datasets.patches(5000).X)
    drawn = sampling.kmeans(K, 10, np.random.default_rng(0), minibatch=True)
    assert drawn.points.shape == (10, 64) and drawn.scheme == "kmeans, minibatch"


# ---- estimated scores are near the exact ones ----


def test_bless_weights_give_scores_within_a_factor(digits):
    """Within 2.1 of the exact scores, where uniform scores are not within 4."""
    K = kernels.rbf(datasets.digits(500).X)
    dense, alpha = K.dense(), 2.0
    drawn = sampling.bless(K, None, np.random.default_rng(0), alpha=alpha)
    J, w = drawn.indices, drawn.weights
    core = dense[np.ix_(J, J)] + np.diag(alpha / w)
    explained = np.einsum("ij,ji->i", dense[:, J], np.linalg.solve(core, dense[J]))
    ratio = (dense.diagonal() - explained) / alpha
    ratio /= sampling.ridge_leverage_scores(K, alpha)
    assert 1 / 2.1 < ratio.min() and ratio.max() < 2.1


def test_recursive_rls_finds_what_leverage_finds():
    """Two large clusters hide thirty lonely points, which uniform sampling misses."""
    X = np.repeat(np.eye(32), [2000, 1970] + [1] * 30, axis=0)
    K = kernels.linear(X)
    rng = np.random.default_rng(0)
    found = [
        len(set(sampling.recursive_rls(K, 200, rng).indices) & set(range(3970, 4000)))
        for _ in range(5)
    ]
    assert min(found) >= 25
    chance = [len(set(sampling.uniform(K, 200, rng).indices) & set(range(3970, 4000)))]
    assert max(chance) < 8


# ---- bad input, and too few points ----

FIXED_SIZE = [name for name in SCHEMES if name not in ("user", "bless", "dpp")]


@pytest.mark.parametrize("name", FIXED_SIZE)
@pytest.mark.parametrize("count", [0, 4, 1.5])
def test_the_number_of_landmarks_is_checked(name, count):
    K = kernels.linear(np.eye(3))
    with pytest.raises((ValueError, TypeError), match="n_landmarks: expected.*got"):
        SCHEMES[name](K, count, np.random.default_rng(0))


@pytest.mark.parametrize("name", [n for n in FIXED_SIZE if n not in DETERMINISTIC])
def test_a_generator_is_needed(name):
    with pytest.raises(TypeError, match="rng: expected a numpy.random.Generator"):
        SCHEMES[name](kernels.linear(np.eye(3)), 2, 0)


BY_SIZE = [n for n in SCHEMES if n not in ("uniform", "user", "kmeans")]


@pytest.mark.parametrize("name", [n for n in BY_SIZE if n != "adaptive_partial"])
def test_a_zero_matrix_has_nothing_to_prefer(name):
    with pytest.raises(ValueError, match="K: expected a matrix with a positive diag"):
        run(name, np.zeros((4, 4)), 2)


class Broken:
    """A kernel matrix of somebody's own, with a bad number on its diagonal."""

    n, shape, points, entries_asked = 3, (3, 3), None, 0

    def __init__(self, value):
        self.K = np.diag([1.0, value, 1.0])

    def diagonal(self):
        return self.K.diagonal()

    def __getitem__(self, key):
        return self.K[key[0]][:, key[1]]

    def __matmul__(self, B):
        return self.K @ B

    def dense(self):
        return self.K.copy()


@pytest.mark.parametrize("name", ["diagonal", "rp_cholesky", "farthest_point", "dpp"])
@pytest.mark.parametrize(("value", "says"), [(np.nan, "nan at index 1"), (-2, "-2")])
def test_a_bad_diagonal_is_named(name, value, says):
    with pytest.raises(ValueError, match=says):
        run(name, Broken(value), 2)


def test_arrays_with_nan_are_refused():
    K = np.eye(3)
    K[0, 0] = np.nan
    with pytest.raises(ValueError, match="K: expected finite numbers, got nan"):
        run("rp_cholesky", K, 2)


FEWER = [n for n in BY_SIZE if n not in ("adaptive_partial", "bless", "dpp")]


@pytest.mark.parametrize("name", [*FEWER, "kmeans"])
def test_fewer_different_points_than_landmarks(name):
    """What there is comes back, and a warning says how much that is."""
    X = np.zeros((9, 2))
    X[[1, 4]] = [[1.0, 0], [0, 2]]
    with pytest.warns(sampling.FewerLandmarks, match="returned 2|returned 3") as told:
        drawn = run(name, kernels.linear(X), 5)
    assert len(drawn) in (2, 3) and len(told) == 1
    assert "5 were asked for" in str(told[0].message)
    assert told[0].filename == __file__


def test_copies_of_points_end_the_pivots():
    X = np.repeat(np.random.default_rng(0).standard_normal((3, 4)), 5, axis=0)
    for method in ("simple", "block", "accelerated"):
        with pytest.warns(sampling.FewerLandmarks, match="returned 3 landmarks, 8"):
            drawn = sampling.rp_cholesky(
                kernels.linear(X), 8, np.random.default_rng(1), method=method
            )
        assert len({int(i) // 5 for i in drawn.indices}) == 3


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (dict(probabilities=[0.5, 0.6, -0.1]), "no negative number, got -0.1 at in"),
        (dict(probabilities=[0.5, 0.4, 0.0]), "sum 1, got sum 0.9"),
        (dict(probabilities=[0.5, 0.5]), "one for each of 3 points, got 2"),
        (dict(probabilities=[0.5, np.nan, 0.5]), "finite numbers, got nan at index 1"),
        (dict(indices=[0]), "indices: expected n_landmarks = 2"),
        (dict(indices=[0, 7]), "indices from 0 to 2, got 7"),
        (dict(), "expected indices or probabilities, got neither"),
        (dict(indices=[0, 1], probabilities=[1, 0, 0]), "got both"),
    ],
)
def test_own_choices_are_checked(call, says):
    with pytest.raises((ValueError, IndexError), match=says):
        sampling.user(np.eye(3), 2, np.random.default_rng(0), **call)


@pytest.mark.parametrize(
    ("scheme", "call", "says"),
    [
        ("rp_cholesky", dict(method="fast"), "method: expected one of 'simple'"),
        ("rp_cholesky", dict(method="block", block=9), "block: .* from 1 to 2"),
        ("adaptive_full", dict(batch=0), "batch: .*got 0"),
        ("adaptive_partial", dict(rank=3), "rank: .* from 1 to 2"),
        ("adaptive_partial", dict(initial=[1, 1, 0]), "initial: .*sum 1, got sum 2"),
        ("leverage", dict(rank=4), "rank: .* from 1 to 3"),
        ("ridge_leverage", dict(alpha=0), "alpha: expected a finite number above 0"),
        ("bless", dict(alpha=-1), "alpha: expected a finite number above 0"),
        ("bless", dict(alpha=1, step=1.0), "step: expected a number above 1"),
        ("dpp", dict(alpha=1.0), "expected n_landmarks or alpha, got both"),
        ("sgma", dict(candidates=0), "candidates: .*got 0"),
    ],
)
def test_options_are_checked(scheme, call, says):
    with pytest.raises((ValueError, TypeError), match=says):
        sampling.SCHEMES[scheme](np.eye(3), 2, np.random.default_rng(0), **call)


def test_a_mean_number_below_the_rank_is_needed():
    with pytest.raises(ValueError, match="below the rank of K, which is 3, got 3"):
        sampling.dpp(np.eye(3), 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="expected n_landmarks or alpha, got neither"):
        sampling.dpp(np.eye(3), None, np.random.default_rng(0))


def test_update_probabilities_are_checked():
    K = np.eye(3)
    with pytest.raises(ValueError, match="fewer than all 3 columns"):
        sampling.update_probability_partial(K, [0, 1, 2])
    with pytest.raises(ValueError, match="rank: .* from 1 to 1"):
        sampling.update_probability_partial(K, [0], rank=2)


# ---- how it shows ----


def test_schemes_show_as_a_table():
    assert "rp_cholesky" in repr(sampling.SCHEMES)
    shown = sampling.SCHEMES._repr_html_()
    assert all(f"<code>{name}</code>" in shown for name in sampling.SCHEMES)


@pytest.mark.parametrize("name", ["uniform", "kmeans", "rp_cholesky"])
def test_landmarks_show_as_a_row_and_as_a_picture(name, digits):
    drawn = run(name, digits, 7)
    assert name in drawn._repr_html_() and "factor" * (name[0] == "r") in repr(
        drawn._repr_html_()
    )
    axes = drawn.plot(digits).axes[0]
    points, chosen = (c.get_offsets() for c in axes.collections)
    assert len(points) == 300 and len(chosen) == 7
    assert "principal component" in axes.get_xlabel()


def test_pictures_without_points_and_in_the_plane(digits):
    stored = kernels.DenseKernel(digits.dense())
    drawn = run("uniform", stored, 7)
    assert "singular vector 1" in drawn.plot(stored).axes[0].get_xlabel()
    line = kernels.rbf(np.linspace(0, 1, 300)[:, None])
    assert run("uniform", line, 7).plot(line).axes[0].get_xlabel() == "$x_1$"
    with pytest.raises(ValueError, match="K: expected the matrix of 300 points"):
        drawn.plot(np.eye(5))
