"""Classifiers in the span of the landmarks, against solvers of every other kind."""

import math
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import kernels, lowrank
from nystheory._progress import counter
from nystheory.features import RandomBinningFeatures, RandomFourierFeatures
from nystheory.kernels import _blocks
from nystheory.learners import (
    KernelLogistic,
    KernelRidge,
    KernelSVC,
    NotConverged,
    SubspaceClassifier,
    _coordinates,
    _margins,
    _pegasos,
)
from nystheory.learners._margins import LOSSES, Problem
from nystheory.learners._pegasos import Steps

RNG = np.random.default_rng(8)
N = 160
X, NEW = RNG.normal(size=(N, 3)), RNG.normal(size=(30, 3))
TWO = (X[:, 0] * X[:, 1] + 0.5 * RNG.normal(size=N) > 0).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 1] ** 2, (0.2, 1.2))]
SIGNS = 2.0 * TWO - 1
SOME = np.arange(0, N, 8)
GAMMA = {"gamma": 0.5, "landmarks": SOME, "random_state": 0}
NEAR = lowrank.nystrom(kernels.rbf(X, 0.5), SOME)
F = NEAR.factor
RIDGES = [0.3, 3.0, 30.0]
WAYS = [
    ("hinge", "interior"),
    ("hinge", "coordinates"),
    ("hinge", "pegasos"),
    ("logistic", "newton"),
    ("logistic", "pegasos"),
    ("square", "direct"),
]
quietly = pytest.mark.filterwarnings("ignore::nystheory.learners.NotConverged")


def model(ridge=1.0, loss="hinge", **given):
    return SubspaceClassifier(ridge, loss=loss, **GAMMA | {"tol": 1e-12} | given)


def value(w, loss, ridge, signs=SIGNS, weights=1.0):
    """The objective, by its definition."""
    margins = signs * (F @ w)
    each = {
        "hinge": np.maximum(0, 1 - margins),
        "logistic": np.log1p(np.exp(-margins)),
        "square": (1 - margins) ** 2 / 2,
    }
    return ridge / 2 * w @ w + (weights * each[loss]).sum()


def least(loss, ridge):
    """The minimum, by another solver."""
    if loss == "hinge":
        return KernelSVC(1 / ridge, tol=1e-12).fit(NEAR, TWO).coef_
    if loss == "logistic":
        return KernelLogistic(ridge, tol=1e-10).fit(NEAR, TWO).coef_
    return KernelRidge(ridge).fit(NEAR, SIGNS).coef_


# --- As scikit-learn's ----------------------------------------------------------------

ONLY_NEARLY = "the mean of iterates is that of a random order"
NO_KERNEL = "a matrix that is not a kernel matrix is passed as K"


def not_asked(estimator):
    if estimator.solver == "pegasos":
        return {
            "check_sample_weight_equivalence_on_dense_data": ONLY_NEARLY,
            "check_sample_weight_equivalence_on_sparse_data": ONLY_NEARLY,
        }
    if estimator.kernel == "precomputed":
        return {
            "check_positive_only_tag_during_fit": NO_KERNEL,
            "check_estimators_dtypes": NO_KERNEL,
            "check_classifiers_train": NO_KERNEL,
            "check_classifiers_one_label_sample_weights": NO_KERNEL,
        }
    return {}


@quietly
@pytest.mark.filterwarnings("ignore::nystheory.sampling.FewerLandmarks")
@parametrize_with_checks(
    [
        SubspaceClassifier(tol=1e-8),
        SubspaceClassifier(solver="pegasos", max_iter=20),
        SubspaceClassifier(loss="logistic", tol=1e-12),
        SubspaceClassifier(loss="square"),
        SubspaceClassifier(kernel="precomputed"),
        SubspaceClassifier(features=RandomFourierFeatures(gamma=0.05, random_state=0)),
    ],
    expected_failed_checks=not_asked,
)
def test_what_scikit_learn_asks_of_a_classifier(estimator, check):
    check(estimator)


# --- Other solvers of the same problems -----------------------------------------------


@pytest.mark.parametrize("ridge", RIDGES)
def test_the_hinge_loss_is_that_of_support_vectors(ridge):
    found = model(ridge).fit(X, TWO)
    interior = KernelSVC(1 / ridge, tol=1e-12).fit(NEAR, TWO)
    theirs = LinearSVC(
        C=1 / ridge, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=10**6
    ).fit(F, TWO)
    assert found.coef_ == pytest.approx(interior.coef_, abs=1e-6)
    assert found.coef_ == pytest.approx(theirs.coef_[0], abs=1e-3)
    assert found.decision_function(NEW) == pytest.approx(
        interior.decision_function(NEW), abs=1e-6
    )


@pytest.mark.parametrize("ridge", RIDGES)
def test_the_logistic_loss_is_that_of_logistic_regression(ridge):
    found = model(ridge, "logistic").fit(X, TWO)
    ours = KernelLogistic(ridge, tol=1e-10).fit(NEAR, TWO)
    theirs = LogisticRegression(
        C=1 / ridge, fit_intercept=False, solver="newton-cholesky", tol=1e-12
    ).fit(F, TWO)
    assert found.coef_ == pytest.approx(ours.coef_, abs=1e-6)
    assert found.objective_ == pytest.approx(ours.objective_, rel=1e-9)
    assert found.predict_proba(NEW) == pytest.approx(
        theirs.predict_proba(NEAR.transform(NEW)), abs=1e-6
    )


@pytest.mark.parametrize("ridge", RIDGES)
def test_the_square_loss_is_ridge_regression_on_labels(ridge):
    found = model(ridge, "square").fit(X, TWO)
    ours = KernelRidge(ridge, method="regressors", **GAMMA).fit(X, SIGNS)
    assert found.decision_function(NEW) == pytest.approx(ours.predict(NEW), abs=1e-9)


@quietly
@pytest.mark.parametrize(("loss", "solver"), WAYS)
def test_weights_are_repeated_points(loss, solver):
    counts = np.random.default_rng(0).integers(0, 4, N)
    kept = np.repeat(np.arange(N), counts)
    points = X[SOME] + 0.1
    given = dict(solver=solver, landmarks=points, tol=1e-13, max_iter=300)
    one = model(2.0, loss, **given).fit(X, TWO, counts)
    other = model(2.0, loss, **given).fit(X[kept], TWO[kept])
    digits = 0.2 if solver == "pegasos" else 1e-6
    assert one.coef_ == pytest.approx(other.coef_, abs=digits)
    assert one.objective_ == pytest.approx(other.objective_, rel=digits / 10)


@quietly
@pytest.mark.parametrize(
    ("loss", "solver"), [way for way in WAYS if "pe" not in way[1]]
)
def test_many_classes_are_one_against_the_rest(loss, solver):
    found = model(1.0, loss, solver=solver).fit(X, THREE)
    one = OneVsRestClassifier(model(1.0, loss, solver=solver)).fit(X, THREE)
    expected = np.column_stack([m.coef_ for m in one.estimators_])
    assert found.coef_.shape == (len(SOME), 3)
    digits = 0.03 if solver == "coordinates" else 1e-6
    assert found.coef_ == pytest.approx(expected, abs=digits)
    assert found.duality_gap_.shape == found.objective_.shape == (3,)
    assert (found.predict(NEW) == one.predict(NEW)).mean() > 0.96
    if loss == "logistic":
        shares = found.predict_proba(NEW)
        assert shares == pytest.approx(one.predict_proba(NEW), abs=1e-6)


# --- The steps, one by one ------------------------------------------------------------


def bar():
    return counter("points", 1)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_pegasos_takes_point_after_point(loss, monkeypatch):
    """The steps of the paper, without blocks."""
    monkeypatch.setattr(_pegasos, "BLOCK", 7)
    weights = RNG.uniform(0.5, 2, N)
    ridge, w, iterates = 2.0, np.zeros(F.shape[1]), []
    problem = Problem(F, SIGNS[:, None], weights, ridge, loss)
    state, rng = Steps.none(F.shape[1], 1).of_points(N), np.random.default_rng(1)
    for _ in range(3):
        state, _ = _pegasos.pegasos_pass(problem, state, rng, bar())
    rng, t, rate = np.random.default_rng(1), 0, ridge / N
    for _ in range(3):
        for i in rng.permutation(N):
            t += 1
            margin = SIGNS[i] * (F[i] @ w)
            slope = float(margin < 1) if loss == "hinge" else 1 / (1 + np.exp(margin))
            step = 1 / (rate * t)
            w = (1 - step * rate) * w + step * weights[i] * slope * SIGNS[i] * F[i]
            iterates.append(t * w)
    assert state.steps == t
    assert N * state.total[:, 0] / (ridge * t) == pytest.approx(w, abs=1e-9)
    expected = np.sum(iterates, axis=0) / (t * (t + 1) / 2)
    assert state.average(ridge)[:, 0] == pytest.approx(expected, abs=1e-9)


def test_coordinates_make_the_dual_as_large_as_one_can(monkeypatch):
    monkeypatch.setattr(_coordinates, "BLOCK", 7)
    ridge, weights = 2.0, RNG.uniform(0.5, 2, N)
    problem = Problem(F, SIGNS[:, None], weights, ridge, "hinge")
    dual, v = np.zeros((N, 1)), np.zeros((F.shape[1], 1))
    _coordinates._sweep(problem, dual, v, np.random.default_rng(1).permutation(N))
    a, w = np.zeros(N), np.zeros(F.shape[1])
    for i in np.random.default_rng(1).permutation(N):
        best = a[i] + ridge * (1 - SIGNS[i] * (F[i] @ w)) / (F[i] @ F[i])
        change = np.clip(best, 0, weights[i]) - a[i]
        a[i] += change
        w = w + change * SIGNS[i] * F[i] / ridge
    assert dual[:, 0] == pytest.approx(a, abs=1e-9)
    assert v[:, 0] / ridge == pytest.approx(w, abs=1e-9)


# --- The gap --------------------------------------------------------------------------


@quietly
@pytest.mark.parametrize("ridge", [0.05, 1.0, 20.0])
@pytest.mark.parametrize(("loss", "solver"), WAYS)
def test_the_gap_bounds_what_is_above_the_minimum(loss, solver, ridge):
    best, nearest = least(loss, ridge), 0.0
    minimum = value(best, loss, ridge)
    for passes in (1, 2, 5, 30):
        given = dict(solver=solver, max_iter=passes, tol=1e-3)
        found = model(ridge, loss, **given).fit(X, TWO)
        above = value(found.coef_, loss, ridge) - minimum
        assert above <= found.duality_gap_ * (1 + 1e-9)
        assert found.objective_ == pytest.approx(value(found.coef_, loss, ridge))
        apart = np.linalg.norm(found.coef_ - best)
        assert apart <= math.sqrt(2 * found.duality_gap_ / ridge) * (1 + 1e-6) + 1e-7
        nearest = max(nearest, above / found.duality_gap_)
    assert nearest > 0.1 or solver != "pegasos"


def test_the_gap_is_primal_minus_dual_in_fractions():
    """Rounding is covered, and by little."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, k, ridge = 6, 3, float(10.0 ** rng.integers(-3, 4))
        F, w = rng.normal(size=(n, k)), rng.normal(size=(k, 1))
        signs = rng.choice([-1.0, 1.0], (n, 1))
        c = rng.uniform(0, 2, n)
        a = (c * rng.choice([0, 0.3, 1], n))[:, None]
        problem = Problem(F, signs, c, ridge, "hinge")
        if seed % 2:  # where nearly nothing is left
            w = F.T @ (a * signs) / ridge
        found, gap, *_ = _margins.certified(problem, w, a)
        exact, dual = fraction_gap(F, signs[:, 0], c, ridge, w[:, 0], a[:, 0])
        assert Fraction(gap[0]) >= max(exact, Fraction(found[0]) - dual)
        assert float(gap[0]) <= float(exact) * (1 + 1e-9) + 1e-11


@quietly
@pytest.mark.parametrize("weighed", [False, True])
def test_what_is_told_of_the_square_loss_is_so_near_the_minimum_in_fractions(weighed):
    """The minimum is half of ``sum c y^2 - b'(F'CF + ridge I)^-1 b``, b = F'C y."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, ridge = int(rng.integers(4, 20)), float(10.0 ** rng.uniform(-4, 4))
        points, y = rng.normal(size=(n, 2)), np.arange(n) % 2
        c = 10.0 ** rng.uniform(-2, 2, n) if weighed else np.ones(n)
        given = dict(loss="square", landmarks=np.arange(3), gamma=0.5)
        found = SubspaceClassifier(ridge, **given, tol=1e-15).fit(points, y, c)
        F, C, b = (fmpq_mat(exactly(x)) for x in (found.approximation_.factor, c, y))
        signs = [[2 * x[0] - 1] for x in b.table()]
        pulled = fmpq_mat(
            [[p[0] * y[0]] for p, y in zip(C.table(), signs, strict=True)]
        )
        rows = zip(F.table(), C.table(), strict=True)
        H = F.transpose() * fmpq_mat([[p[0] * x for x in row] for row, p in rows])
        for i in range(H.nrows()):
            H[i, i] += exactly([ridge])[0][0]
        b = F.transpose() * pulled
        least = (sum(p[0] for p in C.table()) - (b.transpose() * H.solve(b))[0, 0]) / 2
        told, gap = (exactly([x])[0][0] for x in (found.objective_, found.duality_gap_))
        assert told - gap <= least
        assert found.duality_gap_ <= 1e-12 * c.sum()


def exactly(numbers):
    """Floats as fractions, a list of rows."""
    rows = np.asarray(numbers, float)
    rows = rows[:, None] if rows.ndim == 1 else rows
    return [[fmpq(*x.as_integer_ratio()) for x in row] for row in rows.tolist()]


def fraction_gap(F, signs, c, ridge, w, a):
    """Primal minus dual value, and the dual one, without rounding."""
    F = [[Fraction(x) for x in row] for row in F.tolist()]
    w, ridge = [Fraction(x) for x in w.tolist()], Fraction(ridge)
    signs, c, a = ([Fraction(x) for x in v.tolist()] for v in (signs, c, a))
    margins = [
        y * sum(x * z for x, z in zip(f, w, strict=True))
        for y, f in zip(signs, F, strict=True)
    ]
    primal = ridge / 2 * sum(x * x for x in w)
    primal += sum(b * max(0, 1 - m) for b, m in zip(c, margins, strict=True))
    v = [
        sum(b * y * f[j] for b, y, f in zip(a, signs, F, strict=True))
        for j in range(len(w))
    ]
    dual = sum(a) - sum(x * x for x in v) / (2 * ridge)
    return primal - dual, dual


def test_the_gap_of_a_smooth_loss_is_that_of_its_gradient():
    for loss in ("logistic", "square"):
        ridge, w = 0.7, RNG.normal(size=(F.shape[1], 1)) / 10
        problem = Problem(F, SIGNS[:, None], np.ones(N), ridge, loss)
        found, gap, *_ = _margins.certified(problem, w, None)
        step = 1e-6
        gradient = [
            (value(w[:, 0] + e, loss, ridge) - value(w[:, 0] - e, loss, ridge))
            / (2 * step)
            for e in step * np.eye(len(w))
        ]
        expected = np.linalg.norm(gradient) ** 2 / (2 * ridge)
        assert gap[0] == pytest.approx(expected, rel=1e-5)
        assert found[0] == pytest.approx(value(w[:, 0], loss, ridge))


def test_where_the_gap_stays_too_large_it_is_told():
    with pytest.warns(NotConverged, match="^tol: expected a duality gap of at most"):
        model(solver="pegasos", max_iter=2).fit(X, TWO)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(tol=1e-3).fit(X, TWO)


@pytest.mark.parametrize("size", [1e-8, 1e8])
def test_the_scale_of_the_kernel_does_not_matter(size):
    K = kernels.rbf(X, 0.5).dense()
    given = dict(kernel="precomputed", gamma=None)
    usual = model(2.0, **given).fit(K, TWO)
    scaled = model(2.0 * size, **given).fit(size * K, TWO)
    found = scaled.decision_function(size * K)
    assert found == pytest.approx(usual.decision_function(K), abs=1e-6)
    assert scaled.objective_ == pytest.approx(usual.objective_)


# --- Point after point ----------------------------------------------------------------


def test_square_loss_in_chunks_is_that_of_all_points():
    points = X[SOME] + 0.1
    whole = model(0.5, "square", landmarks=points).fit(X, THREE)
    parts = model(0.5, "square", landmarks=points)
    for rows in np.array_split(np.arange(N), 3):
        parts.partial_fit(X[rows], THREE[rows], classes=np.unique(THREE))
    assert parts.coef_ == pytest.approx(whole.coef_, abs=1e-9)
    assert parts.n_points_seen_ == N and parts.duality_gap_ is None


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_chunks_continue_pegasos(loss):
    """Of points that are seen once labels are as good as of a minimum."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(6000, 3))
    y = (points[:, 0] * points[:, 1] + 0.5 * rng.normal(size=6000) > 0).astype(int)
    chunks = model(3.0, loss, landmarks=X[SOME], tol=1e-3)
    for rows in np.array_split(np.arange(6000), 10):
        chunks.partial_fit(points[rows], y[rows])
        seen = slice(rows[-1] + 1)
        assert chunks.n_points_seen_ == chunks._steps.steps == seen.stop
        whole = clone(chunks).fit(points[seen], y[seen])
        margins = (2 * y[seen] - 1) * chunks.decision_function(points[seen])
        w, each = chunks.coef_, _margins.losses(loss, margins)
        above = (1.5 * w @ w + each.sum() - whole.objective_) / seen.stop
        assert 0 < above < 0.1
    scores = chunks.score(points, y), whole.score(points, y)
    assert abs(scores[0] - scores[1]) < 0.01


def test_a_chunk_goes_on_from_a_fit():
    fitted = model(2.0).fit(X, TWO)
    first = fitted.coef_
    fitted.partial_fit(X[:20], TWO[:20])
    assert fitted.n_points_seen_ == N + 20 and fitted.solver_ == "pegasos"
    assert 0 < np.linalg.norm(fitted.coef_ - first) < 0.3 * np.linalg.norm(first)


@pytest.mark.parametrize("loss", LOSSES)
def test_what_fails_leaves_the_model_as_it_was(loss):
    chunks = model(2.0, loss, landmarks=X[SOME]).partial_fit(X[:80], TWO[:80])
    before, scores = dict(vars(chunks)), chunks.decision_function(NEW)
    holes = X[80:].copy()
    holes[5, 1] = np.nan
    wrong = [
        (holes, TWO[80:], {}, "NaN"),
        (X[80:], TWO[80:] + 1, {}, r"^y: expected labels among \[0, 1\], got 2"),
        (X[80:], TWO[79:], {}, "^y: expected 80 labels"),
        (X[80:], TWO[80:], {"classes": [0, 2]}, "^classes: expected those of the"),
        (X[80:, :2], TWO[80:], {}, "features"),
        (X[80:], TWO[80:], {"sample_weight": -np.ones(80)}, "^sample_weight: exp"),
    ]
    for points, y, given, message in wrong:
        with pytest.raises(ValueError, match=message):
            chunks.partial_fit(points, y, **given)
        assert vars(chunks).keys() == before.keys()
        assert all(vars(chunks)[name] is before[name] for name in before)
        assert (chunks.decision_function(NEW) == scores).all()


def test_a_fit_that_fails_leaves_nothing():
    fresh = model()
    before = dict(vars(fresh))
    with pytest.raises(ValueError, match="^y: expected labels of two classes or more"):
        fresh.fit(X, np.ones(N))
    assert vars(fresh) == before


# --- Predictions ----------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
def test_clipped_scores_keep_the_labels_and_the_loss(loss):
    found = model(0.05, loss, tol=1e-2).fit(X, TWO)
    scores, clipped = found.decision_function(X), found.clipped(X)
    most = math.log(N) if loss == "logistic" else 1.0
    assert np.abs(clipped).max() <= most and np.abs(scores).max() > 1
    assert ((clipped > 0) == (scores > 0)).all()
    each = [_margins.losses(loss, SIGNS * s) for s in (clipped, scores)]
    slack = 1 / N if loss == "logistic" else 0
    assert (each[0] <= each[1] + slack + 1e-12).all()


def test_probabilities_are_those_of_the_logistic_loss_alone():
    found = model(1.0, "logistic").fit(X, THREE)
    assert found.predict_proba(NEW).sum(axis=1) == pytest.approx(1)
    assert not hasattr(model(), "predict_proba")


def test_a_new_point_asks_for_an_entry_a_landmark():
    K = kernels.rbf(X, 0.5)
    found = SubspaceClassifier(landmarks=SOME).fit(K, TWO)
    before = K.entries_asked
    found.decision_function(NEW)
    assert K.entries_asked - before == len(NEW) * len(SOME)


def test_landmarks_are_drawn_by_approximate_leverage():
    found = SubspaceClassifier(gamma=0.5, n_landmarks=20, random_state=3).fit(X, TWO)
    again = clone(found).fit(X, TWO)
    assert (
        found.approximation_.landmarks.tolist()
        == again.approximation_.landmarks.tolist()
    )
    named = clone(found).set_params(landmarks="recursive_rls").fit(X, TWO)
    assert (named.coef_ == found.coef_).all()


@pytest.mark.parametrize("kind", ["points", "stored", "sparse"])
def test_the_gaussian_subspace_is_that_of_the_sketch(kind):
    """``K G (G^T K G)^+ G^T K`` by its definition, with the same normal numbers."""
    thin = np.where(X > 0, X, 0) if kind == "sparse" else X
    K = kernels.rbf(thin, 0.5).dense()
    G = np.random.default_rng(0).standard_normal((N, 20))
    core = np.linalg.pinv(G.T @ K @ G, hermitian=True, rcond=1e-12)
    given = {"landmarks": "gaussian", "n_landmarks": 20}
    if kind == "stored":
        found = model(2.0, kernel="precomputed", **given | {"gamma": None}).fit(K, TWO)
    else:
        points = sparse.csr_array(thin) if kind == "sparse" else thin
        found = model(2.0, **given).fit(points, TWO)
    near = K @ G @ core @ G.T @ K
    F = found.approximation_.factor
    assert F @ F.T == pytest.approx(near, abs=1e-8)
    best = KernelSVC(0.5, kernel="precomputed", tol=1e-12).fit(near, TWO)
    new = thin[:7] + 0.3
    if kind == "sparse":
        new = sparse.csr_array(np.where(new > 0.5, new, 0))
    cross = kernels.rbf(thin, 0.5).between(
        new.toarray() if kind == "sparse" else new, np.arange(N)
    )
    expected = cross @ G @ core @ G.T @ K @ best.dual_coef_
    scores = found.decision_function(cross if kind == "stored" else new)
    assert scores == pytest.approx(expected, abs=1e-6)


def test_labels_may_be_any_two_and_signs_do_not_matter():
    scores = model(1.0).fit(X, TWO).decision_function(NEW)
    for labels in (TWO * 3 - 7, TWO == 1, np.where(TWO, "yes", "no")):
        found = model(1.0).fit(X, labels)
        assert found.decision_function(NEW) == pytest.approx(scores, abs=1e-9)
        assert set(found.predict(NEW)) <= set(labels.tolist())


@quietly
@pytest.mark.parametrize(("loss", "solver"), WAYS)
def test_sparse_features_stay_sparse(loss, solver):
    map = RandomBinningFeatures(gamma=0.5, n_grids=10, random_state=0)
    thin = map.fit_transform(X)
    given = dict(loss=loss, solver=solver, tol=1e-10, random_state=0)
    found = SubspaceClassifier(1.0, features=map, **given).fit(X, TWO)
    assert sparse.issparse(found.approximation_.factor) and found.kernel_ is None
    dense = SubspaceClassifier(1.0, kernel="linear", landmarks=np.arange(N), **given)
    dense.fit(thin.toarray(), TWO)
    expected = dense.decision_function(map.transform(NEW).toarray())
    # Which side of the kink a margin of 1 is on is rounding.
    digits = 0.1 if (loss, solver) == ("hinge", "pegasos") else 1e-4
    assert found.decision_function(NEW) == pytest.approx(expected, abs=digits)
    again = clone(found).partial_fit(X[:80], TWO[:80]).partial_fit(X[80:], TWO[80:])
    assert np.isfinite(again.decision_function(NEW)).all()


@quietly
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", ["coordinates", "pegasos"])
def test_nothing_has_the_size_of_the_features(solver, dtype, monkeypatch):
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 2**19)
    points = RNG.normal(size=(6000, 3)).astype(dtype)
    near = lowrank.nystrom(kernels.rbf(points, 0.5), np.arange(200))
    found = SubspaceClassifier(1e-3, solver=solver, max_iter=2, random_state=0)
    tracemalloc.start()
    found.fit(near, points[:, 0] > 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.3 * near.factor.size * 8


# --- Errors ---------------------------------------------------------------------------

WRONG = [
    ({"ridge": 0}, ValueError, "ridge: expected a finite number above 0"),
    ({"ridge": -1.0}, ValueError, "ridge: expected a finite number above 0"),
    ({"loss": "huber"}, ValueError, "loss: expected one of 'hinge'"),
    ({"solver": "newton"}, ValueError, "solver: expected one of 'auto', 'coordinates'"),
    ({"tol": 0}, ValueError, "tol: expected a finite number above 0"),
    ({"max_iter": 0}, ValueError, "max_iter: expected an integer"),
    ({"predict_with": "kernel"}, ValueError, "predict_with: expected one of 'approx"),
    ({"landmarks": "random"}, ValueError, "landmarks: expected one of"),
    ({"n_landmarks": 0}, ValueError, "n_landmarks: expected an integer of at least 1"),
]


@pytest.mark.parametrize(("parameters", "error", "message"), WRONG)
def test_an_error_names_the_parameter(parameters, error, message):
    for learn in ("fit", "partial_fit"):
        with pytest.raises(error, match=f"^{message}"):
            getattr(SubspaceClassifier(**parameters), learn)(X, TWO)


@pytest.mark.parametrize(("loss", "solver"), WAYS)
def test_what_overflows_is_told_and_what_does_not_is_learned(loss, solver):
    def fit(ridge, weight, **given):
        given |= dict(loss=loss, solver=solver, max_iter=3, tol=1e-3)
        return model(ridge, **given).fit(X, TWO, np.full(N, weight))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", NotConverged)
        for ridge, weight in ((1e-70, 1.0), (1.0, 1e70), (1e-290, 1e-20)):
            with pytest.raises(ValueError, match="^ridge: expected a number of at lea"):
                fit(ridge, weight)
        for weight in (1e151, 1e308, 1e-310):
            with pytest.raises(ValueError, match="^sample_weight: expected numbers up"):
                fit(1.0, weight)
        for ridge, weight in ((1e140, 1e140), (1e-140, 1e-140), (1e290, 1.0)):
            assert math.isfinite(fit(ridge, weight).duality_gap_)
        if loss != "square":  # whose own error names the rounding of the features
            assert math.isfinite(fit(1e-40, 1.0, landmarks=[0]).duality_gap_)


def test_the_loss_of_chunks_is_that_of_the_points_so_far():
    for first, then in zip(LOSSES, LOSSES[1:] + LOSSES[:1], strict=True):
        found = model(loss=first).fit(X, TWO).set_params(loss=then)
        with pytest.raises(ValueError, match=f"^loss: expected '{first}', that of the"):
            found.partial_fit(X, TWO)


def test_a_step_that_rounding_makes_singular_is_the_ridges():
    found = model(1e-20, "logistic", landmarks=np.arange(N))
    with pytest.raises(ValueError, match="^ridge: expected a number above .* rounding"):
        found.fit(X, TWO, 10.0 ** (30 * SIGNS))


@pytest.mark.parametrize("kind", ["S1", object])
def test_labels_are_no_bytes(kind):
    labels = np.array([b"a", b"b"], dtype=kind)[TWO]
    with pytest.raises(TypeError, match="^y: expected labels that are no bytes"):
        model().fit(X, labels)


def test_huge_labels_are_refused_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="^y: expected labels .* got continuous"):
            model().fit(X, SIGNS * 1e300)


def test_what_cannot_be_learned_is_told():
    with pytest.raises(ValueError, match="^y: expected labels of two classes or more"):
        model().fit(X, np.where(TWO, 1, 1))
    with pytest.raises(ValueError, match="^y: expected labels of two classes or more"):
        model().fit(X, TWO, np.where(TWO, 1.0, 0.0))
    with pytest.raises(ValueError, match="continuous"):
        model().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="^sample_weight: expected 160 numbers"):
        model().fit(X, TWO, np.zeros(N))
    zero = {"kernel": "precomputed", "n_landmarks": 5}
    for landmarks in (None, "gaussian", "uniform"):
        with pytest.raises(ValueError, match=r"^(X|landmarks): expected"):
            SubspaceClassifier(landmarks=landmarks, **zero).fit(np.zeros((N, N)), TWO)
