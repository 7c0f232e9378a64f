"""Run with: pytest tests/benchmarks -n0 -s --benchmark-enable

Our time and scikit-learn's for the same work.  The two are run in turns, so that
other load on the machine meets both alike; medians are compared and the ratio is
printed.  BENCHMARK_SIZE=small (in the environment) takes a tenth of the points.
"""

import gc
import os
import statistics
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import solve
from scipy.spatial import procrustes
from sklearn.datasets import make_friedman1
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge, RidgeCV, SGDClassifier
from sklearn.manifold import Isomap as TheirIsomap
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters.choosing_the_kernel.experiments import GAMMAS
from nystheory.chapters.choosing_the_kernel.findings import FIGURE
from nystheory.features import RandomFourierFeatures
from nystheory.learners import (
    FeatureRidge,
    KernelRidge,
    Preconditioner,
    SubspaceClassifier,
    conjugate_gradients,
    falkon,
)
from nystheory.manifold import Isomap
from nystheory.selection import KernelSelector

SHARE = 10 if os.environ.get("BENCHMARK_SIZE") == "small" else 1


@pytest.fixture(autouse=True)
def all_cores():
    """Every core for both: the tests, which run in parallel, allow linear algebra one.

    Without this only our own threads would use a second core, and the ratios would
    flatter us.
    """
    with threadpool_limits(limits=os.cpu_count()):
        yield


def _points(n, d, dtype=np.float64):
    return np.random.default_rng(0).standard_normal((n, d)).astype(dtype)


def _in_turns(benchmark, ours, theirs, rounds, goal):
    """Time `ours` with pytest-benchmark and `theirs` before each of its rounds."""
    seconds = []

    def before():
        gc.collect()
        start = time.perf_counter()
        theirs()
        seconds.append(time.perf_counter() - start)
        gc.collect()

    benchmark.pedantic(ours, setup=before, rounds=rounds, warmup_rounds=1)
    if benchmark.stats is None:  # benchmarks are disabled: it only had to run
        return
    own = benchmark.stats.stats.median
    other = statistics.median(seconds[1:])
    benchmark.extra_info["theirs"] = other
    benchmark.extra_info["ratio"] = other / own
    print(
        f"\n{benchmark.name}: ours {own:.3f} s, theirs {other:.3f} s, "
        f"ratio {other / own:.2f} (goal {goal}), {rounds} rounds"
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rbf_block(benchmark, dtype):
    """A block of 20000 x 1000 of the RBF kernel, d = 64."""
    X = _points(20_000 // SHARE, 64, dtype)
    landmarks = np.random.default_rng(1).choice(len(X), 1000, replace=False)
    gamma = 1 / 64
    K, Y = kernels.rbf(X, gamma), X[landmarks]
    ours, theirs = K[:, landmarks], rbf_kernel(X, Y, gamma=gamma)
    assert np.abs(ours - theirs).max() < 100 * np.finfo(dtype).eps
    del ours, theirs
    _in_turns(
        benchmark,
        lambda: kernels.rbf(X, gamma)[:, landmarks],
        lambda: rbf_kernel(X, Y, gamma=gamma),
        rounds=25,
        goal=2,
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nystrom_factor(benchmark, dtype):
    """From points to F with F F^T = C W^+ C^T, n = 200000, l = 1000, d = 64."""
    X = _points(200_000 // SHARE, 64, dtype)
    gamma, l = 1 / 64, 1000  # noqa: E741
    transformer = Nystroem(gamma=gamma, n_components=l, random_state=0)
    landmarks = transformer.fit(X[: 10 * l]).component_indices_

    def ours():
        return lowrank.nystrom(kernels.rbf(X, gamma), landmarks).factor

    def theirs():
        # The landmarks are the same: all that scikit-learn fits comes from them.
        model = Nystroem(gamma=gamma, n_components=l, random_state=0)
        return model.fit(X[: 10 * l]).transform(X)

    some = slice(0, 300)
    a, b = ours()[some], theirs()[some]
    assert np.abs(a @ a.T - b @ b.T).max() < 1e4 * np.finfo(dtype).eps
    del a, b
    _in_turns(benchmark, ours, theirs, rounds=5, goal=1.8)


def test_peak_memory_of_the_factor(benchmark):
    """What the process holds at most, in words of n l (resident memory, sampled)."""
    n, l = 200_000 // SHARE, 1000  # noqa: E741
    X = _points(n, 64)
    landmarks = np.random.default_rng(1).choice(n, l, replace=False)
    K = kernels.rbf(X, 1 / 64)

    def theirs():
        model = Nystroem(gamma=1 / 64, n_components=l, random_state=0)
        return model.fit(X[: 10 * l]).transform(X)

    words = 8 * n * l
    other = _peak(theirs) / words
    own = benchmark.pedantic(
        lambda: _peak(lambda: lowrank.nystrom(K, landmarks).factor) / words, rounds=1
    )
    benchmark.extra_info["words"] = own
    print(f"\npeak memory: ours {own:.2f} n l words, theirs {other:.2f} (goal 1.2)")
    assert own < 1.2 + 2**27 / words  # what does not grow with n l, for small sizes


def _peak(work):
    """The largest resident memory while `work` runs, above that before, in bytes."""
    status = Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("resident memory is read where Linux tells it")
    page = os.sysconf("SC_PAGE_SIZE")

    def resident():
        return page * int(status.read_text().split()[1])

    gc.collect()
    before, highest, done = resident(), 0, threading.Event()

    def watch():
        nonlocal highest
        while not done.wait(0.005):
            highest = max(highest, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = work()
        highest = max(highest, resident())
        del result
    finally:
        done.set()
        watcher.join()
    return highest - before


def test_frobenius_error(benchmark):
    """Error in the Frobenius norm, K never stored, n = 20000, l = 500."""
    X = _points(20_000 // SHARE, 64)
    landmarks = np.random.default_rng(1).choice(len(X), 500, replace=False)
    K = kernels.rbf(X, 1 / 64)
    result = lowrank.nystrom(K, landmarks)

    def by_hand(step=1000):
        total = 0.0
        for i in range(0, len(X), step):
            block = rbf_kernel(X[i : i + step], X, gamma=1 / 64)
            block -= result.factor[i : i + step] @ result.factor.T
            total += np.vdot(block, block)
        return np.sqrt(total)

    assert np.isclose(result.error(K), by_hand())
    _in_turns(benchmark, lambda: result.error(K), by_hand, rounds=5, goal=1.6)


def test_ridge_regression(benchmark):
    """Fit and predict, n = 100000, l = 1000, d = 64, on the same landmarks."""
    n, l, gamma = 100_000 // SHARE, 1000, 1 / 64  # noqa: E741
    X, new = _points(n, 64), _points(2 * n, 64)[n:]
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    first = Nystroem(gamma=gamma, n_components=l, random_state=0)
    landmarks = first.fit(X).component_indices_

    def ours():
        model = KernelRidge(1.0, gamma=gamma, landmarks=landmarks)
        return model.fit(X, y).predict(new)

    def theirs():
        features = Nystroem(gamma=gamma, n_components=l, random_state=0)
        return make_pipeline(features, Ridge(1.0)).fit(X, y).predict(new)

    def without_offset():
        model = Ridge(1.0, fit_intercept=False).fit(first.transform(X), y)
        return model.predict(first.transform(new))

    expected = without_offset()
    assert np.abs(ours() - expected).max() < 1e-6 * np.abs(expected).max()
    _in_turns(benchmark, ours, theirs, rounds=5, goal=1.5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("landmarks", ["rp_cholesky", "uniform"])
def test_ridge_that_chooses_its_landmarks(benchmark, landmarks, dtype):
    """Fit and predict, n = 75000, l = 1000, d = 10, each with its own landmarks.

    ``rp_cholesky`` is the default.  The same points, kernel, ridge and new points for
    both; scikit-learn draws its landmarks uniformly.
    """
    n, l, gamma = 75_000 // SHARE, 1000, 0.5  # noqa: E741
    points = np.random.default_rng(0).uniform(size=(2 * n, 10)).astype(dtype)
    X, new = points[:n], points[n:]
    y = np.sin(np.pi * points[:, 0] * points[:, 1]) + (points[:, 2] - 0.5) ** 2
    y, expected = y[:n] - y[:n].mean(), y[n:] - y[:n].mean()

    def ours():
        model = KernelRidge(
            1.0, gamma=gamma, landmarks=landmarks, n_landmarks=l, random_state=0
        )
        return model.fit(X, y).predict(new)

    def theirs():
        features = Nystroem(gamma=gamma, n_components=l, random_state=0)
        return make_pipeline(features, Ridge(1.0)).fit(X, y).predict(new)

    errors = [np.sqrt(np.mean((fit() - expected) ** 2)) for fit in (ours, theirs)]
    print(f"\nerror: ours {errors[0]:.5f}, theirs {errors[1]:.5f}")
    assert errors[0] < 1.2 * errors[1]
    _in_turns(benchmark, ours, theirs, rounds=5, goal=1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("draws", "kind", "goal"),
    [
        ("independent", "pairs", 1),
        ("independent", "phases", 1),
        ("orthogonal", "pairs", 0.67),
        ("quasi-monte-carlo", "pairs", 0.67),
    ],
)
def test_random_fourier_features(benchmark, draws, kind, goal, dtype):
    """2000 features of 100000 points, d = 64, drawn and computed."""
    X = _points(100_000 // SHARE, 64, dtype)
    options = dict(gamma=1 / 64, n_components=2000, random_state=0)
    ours = RandomFourierFeatures(draws=draws, kind=kind, **options)
    theirs, some = RBFSampler(**options), X[:300]
    K = rbf_kernel(some, gamma=1 / 64)
    errors = [
        np.linalg.norm(Z @ Z.T - K) / 300
        for Z in (made.fit(X).transform(some) for made in (ours, theirs))
    ]
    print(f"\nerror: ours {errors[0]:.5f}, theirs {errors[1]:.5f}")
    assert errors[0] < 1.1 * errors[1]
    _in_turns(
        benchmark,
        lambda: ours.fit(X).transform(X),
        lambda: theirs.fit(X).transform(X),
        rounds=5,
        goal=goal,
    )


def test_preconditioned_conjugate_gradients(benchmark):
    """The exact system to a residual of 1e-6, n = 20000, d = 8; K made anew by both."""
    n = 20_000 // SHARE
    X, ridge = _points(n, 8), 1e-3 * n
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]

    def ours():
        K = kernels.rbf(X, 1 / 8)
        rng = np.random.default_rng(0)
        drawn = sampling.rp_cholesky(K, n // 20, rng, method="accelerated")
        P = Preconditioner(lowrank.from_factor(drawn), ridge)
        return conjugate_gradients(K, y, ridge, P, tol=1e-6)

    def theirs():
        A = rbf_kernel(X, gamma=1 / 8)
        A[np.diag_indices(n)] += ridge
        return solve(A, y, assume_a="pos", overwrite_a=True, check_finite=False)

    found = ours()
    assert found.residual <= 1e-6
    assert np.linalg.norm(found.x - theirs()) <= 2e-6 * np.linalg.norm(y) / ridge
    _in_turns(benchmark, ours, theirs, rounds=1, goal=2)


@pytest.mark.parametrize("kept", [True, False])
def test_falkon(benchmark, kept, monkeypatch):
    """Few columns, n = 200000, l = 1000, d = 20: the predictions of the direct solve.

    Theirs holds n l words; so does ours where columns are kept, and else a block.
    """
    if not kept:
        monkeypatch.setattr("nystheory.learners._falkon.KEPT_BYTES", 0)
    n, l = 200_000 // SHARE, 1000  # noqa: E741
    X, gamma, ridge = _points(n, 20), 1 / 40, 1e-3 * n
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    map = Nystroem(gamma=gamma, n_components=l, random_state=0)
    landmarks = map.fit(X[: 10 * l]).component_indices_

    def theirs():
        model = Nystroem(gamma=gamma, n_components=l, random_state=0).fit(X[: 10 * l])
        learner = Ridge(ridge, fit_intercept=False, solver="cholesky")
        return learner.fit(model.transform(X), y)

    def ours():
        return falkon(kernels.rbf(X, gamma), landmarks, y, ridge)

    some = X[:1000]
    expected = map.transform(some) @ theirs().coef_
    found = rbf_kernel(some, X[landmarks], gamma) @ ours().x
    assert np.linalg.norm(found - expected) < 1e-5 * np.linalg.norm(expected)
    _in_turns(benchmark, ours, theirs, rounds=1, goal=2 if kept else 1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::nystheory.learners.NotConverged")
@pytest.mark.parametrize("solver", ["coordinates", "pegasos"])
@pytest.mark.parametrize("name", ["LinearSVC", "SGDClassifier"])
def test_hinge_loss_on_few_columns(benchmark, name, solver):
    """Fit and predict, n = 200000, l = 1000, d = 10, uniform landmarks for both.

    Classes overlap; the errors on new points are as large.
    """
    n, l, ridge = 200_000 // SHARE, 1000, 1.0  # noqa: E741
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n + 20_000, 10))
    score = np.sin(3 * X[:, 0]) * X[:, 1] + X[:, 2] * X[:, 3] + 0.3 * X[:, 4] ** 2
    y = rng.random(len(X)) < 1 / (1 + np.exp(0.8 - 8 * score))
    X, new, y, expected = X[:n], X[n:], y[:n], y[n:]
    given = dict(gamma=0.3, random_state=0)

    def ours():
        model = SubspaceClassifier(
            ridge, solver=solver, max_iter=10, landmarks="uniform", n_landmarks=l
        )
        return model.set_params(**given).fit(X, y).predict(new)

    def theirs():
        learner = {
            "LinearSVC": LinearSVC(C=1 / ridge, loss="hinge", fit_intercept=False),
            "SGDClassifier": SGDClassifier(
                alpha=ridge / n, fit_intercept=False, average=True, random_state=0
            ),
        }[name]
        features = Nystroem(n_components=l, **given)
        return make_pipeline(features, learner).fit(X, y).predict(new)

    errors = [np.mean(fit() != expected) for fit in (ours, theirs)]
    print(f"\nerror: ours {errors[0]:.4f}, theirs {errors[1]:.4f}")
    assert errors[0] < errors[1] + 0.005
    _in_turns(benchmark, ours, theirs, rounds=1, goal=1)


@pytest.mark.filterwarnings("ignore::nystheory.manifold.NegativeEigenvalues")
def test_isomap(benchmark):
    """10000 pictures of 50 numbers, 5 neighbours: 500 landmarks and all points."""
    X = datasets.poses(10_000 // SHARE, np.random.default_rng(0)).X
    X = PCA(50, random_state=0).fit_transform(X)
    ours = Isomap(10, n_landmarks=500, random_state=0, search="exact")
    theirs = TheirIsomap(n_components=10, n_neighbors=5)
    distance = procrustes(theirs.fit_transform(X), ours.fit_transform(X))[2]
    print(f"\ndistance of the embeddings (Procrustes): {distance:.4f}")
    assert distance < 0.05
    _in_turns(benchmark, lambda: ours.fit(X), lambda: theirs.fit(X), rounds=2, goal=5)


def test_ridge_in_one_pass(benchmark):
    """Fit on random Fourier features, n = 100000, D = 1000, d = 64: the same map.

    Theirs holds n D words, ours a block of features.
    """
    X = _points(100_000 // SHARE, 64)
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    map = RBFSampler(gamma=1 / 64, n_components=1000, random_state=0)

    def theirs():
        return make_pipeline(map, Ridge(1.0, fit_intercept=False)).fit(X, y)

    def ours():
        return FeatureRidge(map, 1.0).fit(X, y)

    expected = theirs().predict(X[:1000])
    assert np.abs(ours().predict(X[:1000]) - expected).max() < 1e-8
    _in_turns(benchmark, ours, theirs, rounds=5, goal=1)


# Kernels that scikit-learn is timed on, of as many as there are: the others cost alike.
TIMED = 2
JOBS = 2


@pytest.mark.parametrize("path", ["in the grid", "in each fit"])
def test_kernel_selection(benchmark, path):
    """40 kernels, n = 20000, d = 10, l = 400, a path of 5 ridges: chosen and fitted.

    Theirs is a grid search over Nystroem with five folds, in two processes; the path of
    ridges is in the grid, or each fit is one of RidgeCV.  It is timed on a twentieth of
    the kernels, so that ours is five times as fast where the ratio is a quarter.
    """
    n, l = 20_000 // SHARE, min(400, 4000 // SHARE)  # noqa: E741
    X, y = make_friedman1(n + 5000, 10, noise=1.0, random_state=0)
    X, new, y, expected = X[:n], X[n:], y[:n], y[n:]
    ridges = n * 10.0 ** np.arange(-6, -1)
    grids = {
        "rbf": {"gamma": np.geomspace(1e-3, 30, 20).tolist()},
        "laplacian": {"gamma": np.geomspace(1e-3, 3, 10).tolist()},
        "polynomial": {"degree": [2, 3], "gamma": np.geomspace(0.01, 1, 5).tolist()},
    }
    grid = {"nystroem__gamma": grids["rbf"]["gamma"][8 : 8 + TIMED]}
    learner, goal = RidgeCV(ridges), 1
    if path == "in the grid":
        learner, goal = Ridge(), 5
        grid["ridge__alpha"] = ridges.tolist()

    def ours():
        options = {"n_landmarks": l, "random_state": 0, "n_jobs": JOBS}
        return KernelSelector(grids, ridges, **options).fit(X, y)

    def theirs():
        features = Nystroem(n_components=l, random_state=0)
        pipeline = make_pipeline(features, learner)
        return GridSearchCV(pipeline, grid, n_jobs=JOBS).fit(X, y)

    errors = [np.mean((fit().predict(new) - expected) ** 2) for fit in (ours, theirs)]
    print(f"\nerror: ours {errors[0]:.4f}, theirs {errors[1]:.4f}\n{ours().outcome_}")
    assert errors[0] < 1.05 * errors[1]
    _in_turns(benchmark, ours, theirs, rounds=1, goal=goal * TIMED / 40)


def test_kernel_selection_on_data():
    """The data sets of *Choosing the kernel*, its widths, 100 columns and 5 ridges.

    Errors on a quarter of the points, set aside, in the mean over draws; ours over
    that of a grid search with five folds.
    """
    ratios = {}
    for name, data in (FIGURE.shown | FIGURE.beyond).items():
        errors = np.mean([_errors(data, seed) for seed in range(DRAWS)], axis=0)
        ratios[name] = errors[0] / errors[1]
        print(f"\n{name}: {ratios[name]:.3f} of their error", end="")
    assert max(ratios.values()) < 1.1
    assert statistics.geometric_mean(ratios.values()) <= 1


DRAWS = 8


def _errors(data, seed):
    """Mean squares on new points, ours and theirs."""
    points = data.draw(1000 // SHARE, np.random.default_rng(seed))
    n = round(0.75 * len(points.y))
    learn, new = (points.X[:n], points.y[:n]), points.X[n:]
    ridges, columns = n * 10.0 ** np.arange(-6, -1), 100 // SHARE
    ours = KernelSelector(
        {"rbf": {"gamma": GAMMAS}}, ridges, n_landmarks=columns, random_state=seed
    )
    theirs = GridSearchCV(
        make_pipeline(Nystroem(n_components=columns, random_state=seed), Ridge()),
        {"nystroem__gamma": GAMMAS, "ridge__alpha": ridges},
    )
    found = (each.fit(*learn).predict(new) for each in (ours, theirs))
    return [np.mean((each - points.y[n:]) ** 2) for each in found]
