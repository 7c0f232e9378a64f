"""Bad input of any scheme is named, whichever scheme it is."""

import numpy as np
import pytest
from sampling_cases import BATCHED, BY_SIZE, DETERMINISTIC, SCHEMES, options_of, run

from nystheory import kernels, sampling

FIXED_SIZE = [name for name in SCHEMES if name not in ("user", "bless", "dpp")]


@pytest.mark.parametrize("name", FIXED_SIZE)
@pytest.mark.parametrize("count", [0, 4, 1.5])
def test_the_number_of_landmarks_is_checked(name, count):
    K = kernels.linear(np.eye(3))
    with pytest.raises((ValueError, TypeError), match="n_landmarks: expected.*got"):
        SCHEMES[name](K, count, np.random.default_rng(0), **options_of(name, 3))


@pytest.mark.parametrize("name", [n for n in FIXED_SIZE if n not in DETERMINISTIC])
def test_a_generator_is_needed(name):
    with pytest.raises(TypeError, match="rng: expected a numpy.random.Generator"):
        SCHEMES[name](kernels.linear(np.eye(3)), 2, 0, **options_of(name, 3))


@pytest.mark.parametrize("name", [n for n in BY_SIZE if n not in BATCHED])
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


@pytest.mark.parametrize("name", ["incomplete_cholesky", "farthest_point"])
def test_what_needs_no_generator_takes_no_seed_for_one(name):
    with pytest.raises(TypeError, match="^rng: expected a numpy.random.Generator"):
        sampling.SCHEMES[name](np.eye(4), 2, 0)
    with pytest.raises(TypeError, match="^rng: expected a numpy.random.Generator"):
        sampling.user(np.eye(4), 2, 0, indices=[0, 1])
