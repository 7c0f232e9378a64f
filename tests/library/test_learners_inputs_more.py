"""Logistic regression, support vectors, graphs, components and processes: inputs.

What every learner is asked alike stands in `test_learners_inputs`.
"""

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from nystheory import kernels, lowrank
from nystheory.learners import (
    GaussianProcess,
    KernelLogistic,
    KernelPCA,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
    newton,
)

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
NEW = RNG.normal(size=(7, 3))
Y = X[:, 0] * X[:, 1]
TWO = (Y > 0).astype(int)
K = kernels.rbf(X, 0.3)
NEAR = lowrank.nystrom(K, np.arange(0, 40, 4))
CLASSIFIERS = (KernelLogistic, KernelSVC)
REGRESSORS = (KernelSVR, LaplacianRegression, GaussianProcess)
PATH = np.array([[1.0, -1, 0], [-1, 2, -1], [0, -1, 1]])


def y_of(kind):
    return TWO if kind in CLASSIFIERS else Y


# --- Parameters -----------------------------------------------------------------------

WRONG = [
    (KernelLogistic(0), ValueError, "ridge: expected a finite number above 0"),
    (KernelLogistic("1"), TypeError, "ridge: expected a number"),
    (KernelLogistic(penalty="l1"), ValueError, "penalty: expected one of 'kernel'"),
    (KernelLogistic(tol=0), ValueError, "tol: expected a finite number above 0"),
    (KernelLogistic(max_iter=0), ValueError, "max_iter: expected an integer"),
    (KernelLogistic(method="newton"), ValueError, "method: expected one of 'auto'"),
    (KernelSVC(0), ValueError, "C: expected a finite number above 0"),
    (KernelSVC(np.nan), ValueError, "C: expected a finite number above 0"),
    (KernelSVC(tol=-1), ValueError, "tol: expected a finite number above 0"),
    (KernelSVC(max_iter=1.5), TypeError, "max_iter: expected an integer"),
    (KernelSVR(-1), ValueError, "C: expected a finite number above 0"),
    (KernelSVR(epsilon=-0.1), ValueError, "epsilon: expected a finite number of at"),
    (LaplacianRegression(0), ValueError, "C0: expected a finite number above 0"),
    (LaplacianRegression(graph="knn"), ValueError, "graph: expected one of 'kernel'"),
    (KernelPCA(0), ValueError, "n_components: expected an integer from 1 to 40"),
    (KernelPCA(41), ValueError, "n_components: expected an integer from 1 to 40"),
    (KernelPCA(centre="no"), TypeError, "centre: expected True or False"),
    (GaussianProcess(0), ValueError, "noise: expected a finite number above 0"),
    (GaussianProcess(method="fitc"), ValueError, "method: expected one of 'auto'"),
]


@pytest.mark.parametrize(("model", "error", "message"), WRONG, ids=lambda v: str(v))
def test_an_error_names_the_parameter(model, error, message):
    with pytest.raises(error, match=f"^{message}"):
        model.fit(X, y_of(type(model)))


# --- Labels ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_one_class_and_three_are_errors(kind):
    with pytest.raises(ValueError, match="^y: expected labels of two classes, got one"):
        kind().fit(X, np.ones(40))
    with pytest.raises(ValueError, match="^y: expected labels of two classes, got 3"):
        kind().fit(X, np.arange(40) % 3)
    with pytest.raises(ValueError, match="^y: expected 40 labels"):
        kind().fit(X, TWO[:-1])


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_labels_may_be_words_and_truths(kind):
    usual = kind(gamma=0.3).fit(X, TWO)
    words = kind(gamma=0.3).fit(X, np.where(TWO, "yes", "no"))
    truths = kind(gamma=0.3).fit(X, TWO == 1)
    assert words.classes_.tolist() == ["no", "yes"]
    assert words.decision_function(NEW) == pytest.approx(usual.decision_function(NEW))
    assert ((words.predict(NEW) == "yes") == truths.predict(NEW)).all()


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_labels_of_two_types_and_numbers_are_errors(kind):
    mixed = np.array(["a", 1] * 20, dtype=object)
    with pytest.raises(TypeError, match="^y: expected labels of one type, got int and"):
        kind().fit(X, mixed)
    with pytest.raises(
        ValueError, match=r"^y: .* got continuous values \(Unknown [^.]*\)$"
    ):
        kind().fit(X, Y)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_targets_that_are_no_numbers_are_errors(kind):
    spoilt = Y.copy()
    spoilt[3] = np.nan
    with pytest.raises(ValueError, match="^y: expected finite numbers, got nan"):
        kind().fit(X, spoilt)
    with pytest.raises(ValueError, match="^y: expected 40 targets"):
        kind().fit(X, Y[:-1])
    with pytest.raises(TypeError, match="^y: expected real numbers"):
        kind().fit(X, np.where(TWO, "yes", "no"))


def test_constant_targets_have_a_limit_that_is_told():
    ones = np.ones(40)
    graph = LaplacianRegression(gamma=0.3).fit(X, ones)
    assert (graph.values_ == 0).all() and (graph.predict(NEW) == 1).all()
    assert (KernelSVR(epsilon=1.0).fit(X, ones).dual_coef_ == 0).all()
    assert (GaussianProcess().fit(X, 0 * ones).predict(NEW) == 0).all()


# --- Points ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS, KernelPCA])
def test_points_that_are_not_finite_are_errors(kind):
    spoilt = X.copy()
    spoilt[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        kind().fit(spoilt, y_of(kind))
    fitted = kind().fit(X, y_of(kind))
    call = getattr(fitted, "decision_function", None) or getattr(
        fitted, "transform" if kind is KernelPCA else "predict"
    )
    with pytest.raises(ValueError, match="NaN"):
        call(spoilt)
    with pytest.raises(ValueError, match="2 features"):
        call(X[:, :2])


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS, KernelPCA])
def test_nothing_is_predicted_before_a_fit(kind):
    with pytest.raises(NotFittedError):
        getattr(kind(), "transform" if kind is KernelPCA else "predict")(NEW)


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS, KernelPCA])
def test_a_singular_kernel_has_a_solution(kind):
    """Every point is there twice, and the rank of K is 3 at most."""
    twice = np.vstack([X[:20], X[:20]])
    model = kind(kernel="linear" if kind is not LaplacianRegression else "rbf")
    y = np.concatenate([y_of(kind)[:20]] * 2)
    model.fit(twice, y)
    found = model.transform(NEW) if kind is KernelPCA else model.predict(NEW)
    assert np.isfinite(np.asarray(found, dtype=float)).all()


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS, KernelPCA])
def test_nothing_that_is_passed_is_changed(kind):
    points, y, stored = X.copy(), y_of(kind).copy(), K.dense()
    kind(n_landmarks=5).fit(points, y)
    kind().fit(points, y)
    before = stored.copy()
    kind(kernel="precomputed").fit(stored, y)
    assert (points == X).all() and (y == y_of(kind)).all() and (stored == before).all()
    factor = NEAR.factor.copy()
    kind().fit(NEAR, y)
    assert (NEAR.factor == factor).all()


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS, KernelPCA])
def test_an_approximation_is_never_made_a_square_matrix(kind):
    """100 000 points: n^2 words would be 80 GB."""
    points = np.random.default_rng(0).normal(size=(100_000, 2))
    y = points[:, 0] > 0 if kind in CLASSIFIERS else points[:, 0]
    model = kind(landmarks="uniform", n_landmarks=5, random_state=0)
    model.fit(points, y)
    assert model.kernel_.entries_asked <= 10 * 100_000


def test_float32_points_give_answers_to_their_digits():
    for kind in (*CLASSIFIERS, *REGRESSORS):
        full = kind(gamma=0.3).fit(X, y_of(kind))
        half = kind(gamma=0.3).fit(X.astype(np.float32), y_of(kind))
        call = "decision_function" if kind in CLASSIFIERS else "predict"
        found = getattr(half, call)(NEW.astype(np.float32))
        assert found == pytest.approx(getattr(full, call)(NEW), abs=1e-3)


@pytest.mark.parametrize("model", [KernelSVC(), KernelSVR(), KernelPCA()], ids=str)
def test_a_kernel_that_is_not_semidefinite_is_an_error(model):
    """It would have a gap of zero far from the optimum."""
    flipped = kernels.DenseKernel([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="^X: expected a kernel matrix that is posi"):
        model.fit(flipped, [0, 1])
    rounded = K.dense().astype(np.float32)
    np.fill_diagonal(rounded, rounded.diagonal() * (1 - np.float32(1e-6)))
    model.fit(kernels.DenseKernel(rounded), TWO)


def test_weights_of_errors_beyond_float64_are_an_error():
    with pytest.raises(ValueError, match="^C: expected a float64 times"):
        KernelSVC(1e200).fit(kernels.DenseKernel(1e149 * K.dense()), TWO)


# --- Newton's method by itself --------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"y": Y}, ValueError, "y: expected labels 0 and 1"),
        ({"y": TWO[:-1]}, ValueError, "y: expected 40 labels"),
        ({"ridge": 0}, ValueError, "ridge: expected a finite number above 0"),
        ({"columns": [3]}, IndexError, "columns: expected indices from 0 to 2"),
        ({"columns": []}, ValueError, "columns: expected a non-empty"),
        ({"X": X[0]}, ValueError, "X: expected 2 dimensions"),
        ({"max_iter": 0}, ValueError, "max_iter: expected an integer"),
        ({"tol": 0}, ValueError, "tol: expected a finite number above 0"),
    ],
)
def test_an_error_of_newton_names_the_argument(changed, error, message):
    good = {"X": X, "y": TWO, "ridge": 1.0}
    with pytest.raises(error, match=f"^{message}"):
        newton(**{**good, **changed})


def test_newton_where_zero_is_the_minimum():
    found = newton([[1.0], [1.0]], [0, 1], 1.0)
    assert found.iterations == 0 and found.w.tolist() == [0.0]
    assert newton(np.zeros((2, 1)), [1, 1], 1.0, columns=[0]).gradient == 0


def test_one_class_is_enough_for_newton_by_itself():
    found = newton(np.ones((4, 1)), np.ones(4), 2.0)
    w = found.w[0]
    assert 2 * w == pytest.approx(4 / (1 + np.exp(w)))


# --- Graphs ---------------------------------------------------------------------------


PAIR = np.array([[1.0, -1], [-1, 1]])


def test_a_component_without_a_label_is_an_error():
    learner = LaplacianRegression(graph="laplacian")
    for given, told in (
        (np.kron(np.eye(2), PAIR), "2 components .* got none in that of vertex 2"),
        (sparse.block_diag([PAIR, PAIR, [[0.0]]]), "got none in 2 of them, such as"),
    ):
        with pytest.raises(ValueError, match=f"^labelled: .*{told}"):
            learner.fit(given, [1.0, 2.0], labelled=[0, 1])
    apart = np.array([[0.0], [1.0], [1e3], [1e3 + 1]])  # the weights underflow
    with pytest.raises(ValueError, match="^labelled: .*that of vertex 2"):
        LaplacianRegression(gamma=1.0).fit(apart, [1.0], labelled=[0])


@pytest.mark.parametrize("make", [sparse.csr_array, np.array])
def test_a_graph_in_parts_is_learned_where_each_has_a_label(make):
    """Against the minimum on the hyperplane, in coordinates of it."""
    L = scipy.linalg.block_diag(3 * PAIR, PAIR, [[0.0]])
    labelled, y, C0 = [0, 2, 4], np.array([1.0, 2.0, 6.0]), 2.0
    learner = LaplacianRegression(C0, graph="laplacian")
    h = learner.fit(make(L), y, labelled=labelled).values_
    H = scipy.linalg.null_space(np.ones((1, 5)))
    S = np.diag([1.0, 0, 1, 0, 1])
    right = np.array([-2.0, 0, -1, 0, 3])  # less the mean
    M = H.T @ (len(y) / C0 * L + S) @ H
    assert np.allclose(h, H @ np.linalg.solve(M, H.T @ right))
    assert learner.mean_ == 3
    apart = np.array([[0.0], [1.0], [1e3], [1e3 + 1]])
    found = LaplacianRegression(gamma=1.0).fit(apart, [1.0, 2.0], labelled=[0, 2])
    assert np.allclose(found.values_, [-0.5, -0.5, 0.5, 0.5])


def test_a_graph_that_hangs_by_a_thread_is_an_error():
    thread = np.array([[1.0, -1, 0, 0], [-1, 1, 0, 0], [0, 0, 1, -1], [0, 0, -1, 1]])
    thread[np.ix_([1, 2], [1, 2])] += 1e-40 * np.array([[1, -1], [-1, 1]])
    thread[1, 2] = thread[2, 1] = -1e-40
    with pytest.raises(ValueError, match="^X: expected a graph that connects each"):
        LaplacianRegression(graph="laplacian").fit(thread, [1.0], labelled=[0])


@pytest.mark.parametrize("weight", [0.0, 1e-20, 1e-16])
@pytest.mark.parametrize("make", [sparse.csr_array, np.array])
def test_a_thread_is_an_error_sparse_or_dense(make, weight):
    """Two pairs; the entries between them are stored, zeros among them."""
    pairs = [(0, 1, 1.0), (2, 3, 1.0), (1, 2, weight)]
    entries = [(-w, i, j) for i, j, w in pairs] + [(-w, j, i) for i, j, w in pairs]
    entries += [(1.0, 0, 0), (1 + weight, 1, 1), (1 + weight, 2, 2), (1.0, 3, 3)]
    values, rows, columns = zip(*entries, strict=True)
    stored = sparse.csr_array((values, (rows, columns)), shape=(4, 4))
    given = stored if make is sparse.csr_array else stored.toarray()
    learner = LaplacianRegression(graph="laplacian")
    with pytest.raises(ValueError, match="^(X: .* connects each|labelled: )"):
        learner.fit(given, [1.0, 2.0], labelled=[0, 1])
    assert stored.nnz == 10
    if weight:  # labels on both sides
        assert learner.fit(given, [1.0, 2.0], labelled=[0, 3]).values_.sum() < 1e-9


def test_a_laplacian_in_float32():
    weights = K.dense().astype(np.float32)
    L = np.diag(weights.sum(axis=1)) - weights
    assert L.dtype == np.float32
    learner = LaplacianRegression(graph="laplacian").fit(L, Y)
    expected = LaplacianRegression().fit(K, Y).values_
    assert learner.values_ == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "bogus"}, "method: expected one of 'auto'"),
        ({"method": "nystrom"}, "method: expected 'auto' or 'exact' for graph='lap"),
        ({"gamma": 3}, "gamma: expected the default None for graph='laplacian'"),
        ({"n_landmarks": 5}, "n_landmarks: expected the default None"),
        ({"landmarks": [0, 1]}, "landmarks: expected the default None"),
        ({"kernel": "linear"}, "kernel: expected the default 'rbf'"),
        ({"predict_with": "kernel"}, "predict_with: expected the default"),
    ],
)
def test_a_laplacian_has_no_kernel(given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        LaplacianRegression(graph="laplacian", **given).fit(PATH, [1.0, 2.0, 3.0])


def test_a_laplacian_is_not_cut_into_folds():
    """A part of it is none: it is told by its shape, and not by the sums of rows."""
    search = GridSearchCV(
        LaplacianRegression(graph="laplacian"), {"C0": [1.0]}, cv=2, error_score="raise"
    )
    L = np.diag(K.dense().sum(axis=1)) - K.dense()
    with pytest.raises(ValueError, match="^X: expected a Laplacian, .N, N., got shape"):
        search.fit(L, Y)


def test_a_negative_mean_of_weights_is_no_matter_of_landmarks():
    model = LaplacianRegression(kernel="linear").fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="^X: expected points whose .*, got -3$"):
        model.predict([[-1.0]])


@pytest.mark.parametrize(
    ("L", "why"),
    [
        (np.eye(3), "rows that sum to 1"),
        (-PATH, "entries up to 1"),
        (np.array([[1.0, -1], [0, 0]]), "an asymmetry of 1"),
        (sparse.csr_array(np.eye(3)), "rows that sum to 1"),
    ],
)
def test_what_is_no_laplacian_is_told(L, why):
    with pytest.raises(ValueError, match=f"^X: expected a Laplacian, .*{why}"):
        LaplacianRegression(graph="laplacian").fit(L, np.ones(len(PATH)))
    with pytest.raises(ValueError, match="^X: expected a Laplacian, .N, N., got shape"):
        LaplacianRegression(graph="laplacian").fit(X, Y)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, np.array])
def test_every_kind_of_laplacian(make):
    learner = LaplacianRegression(graph="laplacian").fit(make(PATH), [1.0, 2, 3])
    expected = LaplacianRegression(graph="laplacian").fit(PATH, [1.0, 2, 3]).values_
    assert learner.values_ == pytest.approx(expected, abs=1e-12)
    assert learner.predict(make([[1.0, 0, 0]])) == learner.values_[0] + 2


def test_the_labelled_vertices_are_checked():
    learner = LaplacianRegression(graph="laplacian")
    for labelled, error, message in [
        ([0, 3], IndexError, "labelled: expected indices from 0 to 2"),
        ([0, 0], ValueError, "labelled: expected distinct vertices"),
        ([], ValueError, "labelled: expected a non-empty"),
        ([0], ValueError, "y: expected 1 targets"),
    ]:
        with pytest.raises(error, match=f"^{message}"):
            learner.fit(PATH, [1.0, 2.0], labelled=labelled)
    with pytest.raises(ValueError, match="^y: expected 3 targets"):
        learner.fit(PATH, [1.0, 2.0])


def test_negative_weights_are_errors():
    with pytest.raises(ValueError, match="^kernel: expected weights of edges of at"):
        LaplacianRegression(kernel="linear").fit(X, Y)
    learner = LaplacianRegression(graph="laplacian").fit(PATH, [1.0, 2, 3])
    with pytest.raises(ValueError, match="^X: expected weights of edges of at least 0"):
        learner.predict([[1.0, -1, 0]])


def test_an_approximate_graph_that_is_not_definite_is_an_error():
    signs = kernels.linear([[1.0], [1.0], [-1.0]])
    with pytest.raises(ValueError, match="^X: expected approximate weights whose"):
        LaplacianRegression(1e-3).fit(lowrank.nystrom(signs, [0]), [1.0, 2.0, 3.0])


# --- Components and processes ---------------------------------------------------------


def test_points_without_a_component_are_an_error():
    with pytest.raises(ValueError, match="^X: expected points with a component"):
        KernelPCA().fit(np.ones((3, 2)))
    with pytest.raises(ValueError, match="^X: .* that are all zero"):
        KernelPCA(kernel="linear", centre=False).fit(np.zeros((3, 2)))
    assert KernelPCA(centre=False).fit(np.ones((3, 2))).eigenvalues_ == pytest.approx(3)


def test_components_by_the_kernel_need_it():
    by_hand = lowrank.LowRank(
        "by hand", 40, None, 3, 3, False, lambda: None, np.array(NEAR.factor[:, :3])
    )
    with pytest.raises(ValueError, match="^X: expected an approximation that knows"):
        KernelPCA(predict_with="kernel").fit(by_hand)


def test_components_have_names():
    names = KernelPCA(2).fit(X).get_feature_names_out()
    assert names.tolist() == ["kernelpca0", "kernelpca1"]


def test_a_deviation_that_could_be_imaginary_is_an_error():
    model = GaussianProcess(n_landmarks=5, predict_with="kernel").fit(X, Y)
    assert np.isfinite(model.predict(NEW)).all()
    with pytest.raises(ValueError, match="^predict_with: expected 'approximation'"):
        model.predict(NEW, return_std=True)
    with pytest.raises(TypeError, match="^return_std: expected True or False"):
        model.predict(NEW, return_std=1)


def test_a_noise_that_rounding_swallows_is_an_error():
    with pytest.raises(ValueError, match="^noise: expected enough to make"):
        GaussianProcess(1e-30, kernel="linear").fit(X, Y)


def test_inducing_points_need_the_kernel():
    by_hand = lowrank.LowRank(
        "by hand", 40, None, 3, 3, False, lambda: None, np.array(NEAR.factor[:, :3])
    )
    wider = lowrank.column_sampling(K, np.arange(0, 40, 4))
    for given in (by_hand, wider):
        with pytest.raises(ValueError, match="^X: expected an approximation that is"):
            GaussianProcess(method="inducing").fit(given, Y)


def test_the_kernel_of_a_point_with_itself_is_asked_for_where_it_is_not_known():
    ones = np.ones(len(NEW))
    for options in ({}, {"landmarks": [0, 1]}, {"landmarks": [0], "method": "nystrom"}):
        model = GaussianProcess(**options).fit(X, Y)
        for deviation in (True, False):
            with pytest.raises(ValueError, match="^own: expected None for "):
                model.predict(NEW, return_std=deviation, own=ones)
    stored = GaussianProcess(kernel="precomputed").fit(K.dense(), Y)
    for wrong in (ones[1:], -ones):
        with pytest.raises(ValueError, match="^own: expected 7 numbers of at least 0"):
            stored.predict(np.ones((7, 40)), own=wrong)


def test_sparse_points_have_a_deviation():
    thin = sparse.csr_array(np.where(X > 0, X, 0))
    new = sparse.csr_array(np.where(NEW > 0, NEW, 0))
    for method in ("exact", "nystrom", "inducing"):
        options = {} if method == "exact" else {"landmarks": [1, 2, 3, 5, 8]}
        model = GaussianProcess(0.1, gamma=0.3, method=method, **options)
        expected = model.fit(thin.toarray(), Y).predict(new.toarray(), return_std=True)
        found = model.fit(thin, Y).predict(new, return_std=True)
        assert found[0] == pytest.approx(expected[0], abs=1e-8)
        assert found[1] == pytest.approx(expected[1], abs=1e-7)
