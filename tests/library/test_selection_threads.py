"""A search looks at several kernels at once, in threads that share what it knows."""

import os
import threading
import warnings

import numpy as np
import pytest
from joblib import parallel_config
from threadpoolctl import threadpool_info, threadpool_limits

from nystheory import kernels
from nystheory.features._choice import BY_NAME
from nystheory.kernels._base import entry_error, entry_rounding
from nystheory.kernels._rules import Pairwise
from nystheory.selection import MEASURES, KernelSelector, _threads, select
from nystheory.selection import _rounds as rounds
from nystheory.selection._candidates import WithDiagonal, of_matrices

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(X[:, 0]) + X[:, 1]
K = kernels.rbf(X, gamma=0.5)


def searched(given, y=Y, ridge=0.1, **options):
    return select(given, y, ridge, rng=np.random.default_rng(0), **options)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_number_of_jobs_has_no_influence(measure):
    """What a kernel shows counts for the next group, whoever is ready first."""
    given = {str(gamma): kernels.rbf(X, gamma) for gamma in np.geomspace(0.01, 9, 11)}
    ridge = 0.1 if measure == "criterion" else [0.1, 1.0]
    options = {"measure": measure, "n_landmarks": 16}
    one, two, all_cores = (
        searched(given, ridge=ridge, n_jobs=n_jobs, **options)
        for n_jobs in (None, 2, -1)
    )
    for other in (two, all_cores):
        assert other.columns.tolist() == one.columns.tolist()
        assert other.entries_asked == one.entries_asked
        np.testing.assert_allclose(other.lower, one.lower, rtol=1e-9)
        np.testing.assert_allclose(other.upper, one.upper, rtol=1e-9)
        assert other.status.tolist() == one.status.tolist()


def test_few_columns_warn_in_no_thread():
    wide = [kernels.linear(X) for _ in range(6)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        searched(wide, n_landmarks=16, n_jobs=3)
        assert warnings.filters == before


def test_an_error_in_a_thread_says_of_which_kernel():
    zeros = np.zeros((40, 40))
    with pytest.raises(ValueError, match="^kernels: second: "):
        searched({"first": K, "second": zeros}, n_landmarks=16, n_jobs=2)


def recorded_looks(monkeypatch, **options):
    """Who was looked at: the kernel, its ridges, the thread and its threads of BLAS."""
    looked, look = [], rounds.Search._look

    def recorded(search, standing, which, columns, products=0):
        blas = [
            each["num_threads"]
            for each in threadpool_info()
            if each["user_api"] == "blas"
        ]
        told = standing.candidate.name, columns, which.tolist(), threading.get_ident()
        looked.append((*told, max(blas)))
        look(search, standing, which, columns, products)

    monkeypatch.setattr(rounds.Search, "_look", recorded)
    given = {str(gamma): kernels.rbf(X, gamma) for gamma in np.geomspace(1e-3, 99, 10)}
    return looked, searched(given, n_landmarks=16, **options)


@pytest.mark.parametrize("n_jobs", [None, 3])
def test_a_group_learns_from_those_before_it(monkeypatch, n_jobs):
    """The last round shows that one is right: three more are looked at with it."""
    looked, look = [], rounds.Search._look

    def recorded(search, standing, which, columns, products=0):
        looked.append((columns, standing.candidate.name))
        look(search, standing, which, columns, products)

    monkeypatch.setattr(rounds.Search, "_look", recorded)
    F = RNG.normal(size=(40, 4))
    right = kernels.as_kernel(1e4 * F @ F.T)
    others = {str(i): kernels.rbf(F, 1.0 + i) for i in range(9)}
    options = {"measure": "criterion", "n_landmarks": 16, "n_jobs": n_jobs}
    found = searched({"right": right} | others, F.sum(axis=1), 1.0, **options)
    assert found.certain
    assert [columns for columns, _ in looked] == [2] * 10 + [16] * 4
    assert len(set(looked)) == 14


def test_each_kernel_is_looked_at_by_its_own_open_ridges(monkeypatch):
    own, ridges_of = [], rounds.Search._ridges_of

    def recorded(search, standing):
        own.append((standing.candidate.name, found := ridges_of(search, standing)))
        return found

    monkeypatch.setattr(rounds.Search, "_ridges_of", recorded)
    looked, _ = recorded_looks(monkeypatch, ridge=[1e-3, 0.1, 10.0], products=0)
    told = {(name, tuple(which.tolist())) for name, which in own}
    assert all((name, tuple(which)) in told for name, _, which, *_ in looked)
    assert len({tuple(each[2]) for each in looked}) > 1


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="threads need two cores")
def test_jobs_are_threads_with_one_thread_of_linear_algebra(monkeypatch):
    with threadpool_limits(2, "blas"):
        before = threadpool_info()
        for n_jobs, threads in ((None, {2}), (2, {1})):
            looked, _ = recorded_looks(monkeypatch, products=0, n_jobs=n_jobs)
            assert {each[-1] for each in looked} == threads
            own = {each[-2] for each in looked} - {threading.get_ident()}
            assert bool(own) == (n_jobs == 2)
        assert threadpool_info() == before


def test_limits_of_linear_algebra_are_taken_back():
    with threadpool_limits(2, "blas"):
        before = threadpool_info()
        with _threads._one_thread_of_blas():
            with pytest.raises(KeyError), _threads._one_thread_of_blas():
                raise KeyError
            assert {
                each["num_threads"]
                for each in threadpool_info()
                if each["user_api"] == "blas"
            } == {1}
        assert threadpool_info() == before


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_a_backend_of_joblib_does_not_matter(backend):
    given = {str(gamma): kernels.rbf(X, gamma) for gamma in (0.01, 0.5, 3.0)}
    for n_landmarks in (10, 30):
        told = searched(given, n_landmarks=n_landmarks)
        with parallel_config(backend, n_jobs=2):
            found = searched(given, n_landmarks=n_landmarks)
        assert found.columns.tolist() == told.columns.tolist()
        np.testing.assert_allclose(found.lower, told.lower, rtol=1e-9)


def test_threads_have_the_context_of_who_asks(monkeypatch):
    options = {"n_landmarks": 4, "n_jobs": 2, "random_state": 0}
    seen, threads = [], set()

    def look(*_):
        seen.append(np.geterr()["under"])
        threads.add(threading.get_ident())

    monkeypatch.setattr(rounds.Search, "_look", look)
    with np.errstate(under="raise"):
        KernelSelector(**options, products=0, refit=False).fit(X, Y)
    assert set(seen) == {"raise"}
    assert threading.get_ident() not in threads


def test_no_more_threads_than_kernels_of_a_group(monkeypatch):
    asked, pool = [], _threads.ThreadPoolExecutor
    recorded = lambda jobs: pool(asked.append(jobs) or jobs)  # noqa: E731
    monkeypatch.setattr(_threads, "ThreadPoolExecutor", recorded)
    assert searched([K, K], n_landmarks=10, n_jobs=1000).n == 40
    assert set(asked) == {rounds.TOGETHER}


def test_a_kernel_that_comes_twice_counts_twice():
    stored = kernels.as_kernel(K.dense())
    assert len({id(each.matrix()) for each in of_matrices([stored] * 3)}) == 3
    for n_landmarks in (10, 30):
        once = searched([stored], n_landmarks=n_landmarks, products=0)
        for n_jobs in (None, 4):
            options = {"n_landmarks": n_landmarks, "products": 0, "n_jobs": n_jobs}
            found = searched([stored] * 6, **options, eliminate=False)
            assert found.entries_asked % 6 == 0
            assert found.entries_asked >= 6 * once.entries_asked


def test_entries_of_one_kernel_are_its_diagonal_and_columns():
    options = {"n_landmarks": 10, "products": 0, "eliminate": False}
    found = searched([kernels.rbf(X, 0.5)], landmarks="uniform", **options)
    assert found.entries_asked == 40 + 40 * 10


def test_what_columns_and_products_cost(monkeypatch):
    class Budget(rounds.Search):
        def run(self):
            found = super().run()
            costs.append((self.budget, [each.spent for each in self.all]))
            return found

    costs = []
    stored = kernels.as_kernel(K.dense())
    assert rounds._cost(stored, 10) == 40 * 10 * (2 + 100)
    assert rounds._cost(K, 10) == 40 * 10 * (300 + 100)
    assert rounds._product_cost(stored, 3) == 40**2 * (2 + 6)
    assert rounds._product_cost(K, 3) == 40**2 * (300 + 6)
    made = of_matrices({"points": K, "stored": stored})
    plan = rounds._Plan("criterion", 10, None, "uniform", False, None)
    both = (160_000 + 483_200) + (40_800 + 6_400)
    for little, products in ((1e9, 1), (0, 0)):
        monkeypatch.setattr(rounds, "LITTLE", little)
        Budget(made, Y, np.array([0.1]), plan, np.random.default_rng(0)).run()
        budget, spent = costs.pop()
        assert spent == [(1 + products) * 160_000, (1 + products) * 40_800]
        assert budget == pytest.approx(max(little, 0.1 * 200_800) - both)


@pytest.mark.parametrize("landmarks", BY_NAME)
def test_kernels_of_points_keep_what_a_scheme_needs(landmarks):
    given = [kernels.rbf(X, gamma) for gamma in (0.1, 1.0)]
    options = {"n_landmarks": 8, "landmarks": landmarks, "eliminate": False}
    assert searched(given, **options).n == 40


class Bare:
    """No more than the protocol of a kernel matrix asks for."""

    def __init__(self, K):
        self._array, self.n, self.shape, self.points = K, len(K), K.shape, None
        self.entries_asked = 0

    def diagonal(self):
        return np.diag(self._array).copy()

    def __getitem__(self, key):
        return self._array[key[0]][:, key[1]]

    def __matmul__(self, B):
        return self._array @ B

    def dense(self):
        return self._array.copy()


def test_a_bare_kernel_matrix_is_enough():
    given = [Bare(K.dense()), Bare(kernels.rbf(X, 0.1).dense())]
    assert searched(given, n_landmarks=8, products=1).n == 40


def test_the_diagonal_is_computed_once(monkeypatch):
    """Of one of scikit-learn's kernels it is as much work as a hundred columns."""
    asked, diagonal = [], Pairwise.diagonal

    def recorded(rule, *given):
        asked.append(1)
        return diagonal(rule, *given)

    given = [kernels.pairwise(X, "laplacian", gamma=gamma) for gamma in (0.1, 1.0, 5.0)]
    monkeypatch.setattr(Pairwise, "diagonal", recorded)
    options = {"n_landmarks": 16, "eliminate": False, "products": 1}
    searched(given, **options)
    assert len(asked) == 3


def test_a_shared_diagonal_leaves_the_matrix_as_it_is():
    own = kernels.pairwise(X, "polynomial", degree=3)
    shared = WithDiagonal(own, own.diagonal())
    assert np.array_equal(shared.diagonal(), own.diagonal())
    assert shared.diagonal() is not shared.diagonal()
    assert np.array_equal(shared[3:9, [1, 7]], own[3:9, [1, 7]])
    assert np.array_equal(shared @ Y, own @ Y)
    assert np.array_equal(shared.dense(), own.dense())
    assert entry_rounding(shared) == entry_rounding(own)
    assert entry_error(shared) == entry_error(own)
    assert (shared.name, shared.dtype, shared.n) == (own.name, own.dtype, own.n)
