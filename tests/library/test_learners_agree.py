"""Learners against scikit-learn and against definitions, where K is not replaced.

And with an approximation: as good as the same learner on its matrix, stored.
"""

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from scipy.optimize import minimize
from sklearn import svm
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import ensemble, kernels, lowrank
from nystheory.learners import (
    GaussianProcess,
    KernelLogistic,
    KernelPCA,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
    NotConverged,
    newton,
)

RNG = np.random.default_rng(7)
X = RNG.normal(size=(90, 4))
NEW = RNG.normal(size=(25, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=90)
TWO = (Y + 0.5 * RNG.normal(size=90) > 0).astype(int)
GAMMA = 0.3
K = kernels.rbf(X, GAMMA)
DENSE = K.dense()
CROSS = rbf_kernel(NEW, X, gamma=GAMMA)
SOME = np.arange(0, 90, 3)
NEAR = lowrank.nystrom(K, SOME)
# Ways to one K: itself, and two approximations with every point a landmark.
EXACT = {
    "points": dict(gamma=GAMMA),
    "all points are landmarks": dict(gamma=GAMMA, landmarks=np.arange(90)),
    "the kernel at new points": dict(
        gamma=GAMMA, landmarks=np.arange(90), predict_with="kernel"
    ),
}
WAYS = pytest.mark.parametrize("way", EXACT.values(), ids=EXACT)


# --- scikit-learn's own checks --------------------------------------------------------

MANY = {"landmarks": "uniform", "n_landmarks": 100}
SQUARE = "a matrix that is not square is passed as K"
DIGITS = "K in float64 with the digits of float32"


def not_asked(estimator):
    """Checks that pass as K a matrix that is not semidefinite."""
    if estimator.kernel != "precomputed":
        return {}
    return {
        "check_positive_only_tag_during_fit": "a mean was subtracted from K",
        "check_estimators_dtypes": DIGITS,
        "check_regressors_train": DIGITS,
        "check_classifiers_train": DIGITS,
        "check_decision_proba_consistency": SQUARE,
        "check_classifier_not_supporting_multiclass": SQUARE,
    }


@pytest.mark.filterwarnings("ignore::nystheory.sampling.FewerLandmarks")
@parametrize_with_checks(
    [
        *(kind() for kind in (KernelLogistic, KernelSVC, KernelSVR)),
        *(kind() for kind in (LaplacianRegression, KernelPCA, GaussianProcess)),
        KernelLogistic(penalty="coefficients", **MANY),
        KernelSVC(predict_with="kernel", **MANY),
        KernelSVR(**MANY),
        LaplacianRegression(**MANY),
        KernelPCA(2, centre=False, **MANY),
        KernelPCA(2, predict_with="kernel", landmarks="uniform", n_landmarks=5),
        GaussianProcess(method="inducing", **MANY),
        KernelLogistic(kernel="precomputed"),
        KernelSVC(kernel="precomputed"),
        KernelSVR(kernel="precomputed"),
        KernelPCA(kernel="precomputed"),
        GaussianProcess(kernel="precomputed"),
    ],
    expected_failed_checks=not_asked,
)
def test_what_scikit_learn_asks_of_a_learner(estimator, check):
    check(estimator)


# --- Logistic regression --------------------------------------------------------------


def theirs_on(features, ridge):
    """scikit-learn's, without an intercept, to the last digits that it reaches."""
    model = LogisticRegression(
        C=1 / ridge, fit_intercept=False, solver="newton-cholesky", tol=1e-12
    )
    return model.fit(features, TWO)


@pytest.mark.parametrize("ridge", [1e-2, 1.0, 100.0])
def test_with_a_linear_kernel_it_is_logistic_regression(ridge):
    theirs = theirs_on(X, ridge)
    for landmarks in ("rp_cholesky", [0, 1, 2, 3]):  # four points span the space
        ours = KernelLogistic(ridge, kernel="linear", landmarks=landmarks, tol=1e-12)
        ours.fit(X, TWO)
        expected = theirs.decision_function(NEW)
        assert ours.decision_function(NEW) == pytest.approx(expected, abs=1e-7)
        proba = theirs.predict_proba(NEW)
        assert ours.predict_proba(NEW) == pytest.approx(proba, abs=1e-8)
        assert (ours.predict(NEW) == theirs.predict(NEW)).all()


@WAYS
@pytest.mark.parametrize("ridge", [1e-2, 1.0, 100.0])
def test_with_features_it_is_logistic_regression(way, ridge):
    values, U = scipy.linalg.eigh(DENSE)
    theirs = theirs_on(U * np.sqrt(values.clip(0)), ridge)
    scores = U * np.sqrt(values.clip(0)) @ theirs.coef_[0]
    ours = KernelLogistic(ridge, tol=1e-12, **way).fit(X, TWO)
    assert ours.decision_function(X) == pytest.approx(scores, abs=1e-6)
    assert DENSE @ ours.dual_coef_ == pytest.approx(scores, abs=1e-6)


@WAYS
@pytest.mark.parametrize("ridge", [1e-2, 1.0, 100.0])
def test_the_other_penalty_is_the_empirical_kernel_map(way, ridge):
    theirs = theirs_on(DENSE, ridge)
    ours = KernelLogistic(ridge, penalty="coefficients", tol=1e-12, **way).fit(X, TWO)
    assert ours.dual_coef_ == pytest.approx(theirs.coef_[0], abs=1e-6)
    expected = CROSS @ theirs.coef_[0]
    assert ours.decision_function(NEW) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("penalty", ["kernel", "coefficients"])
def test_the_gradient_is_zero_for_the_approximation(penalty):
    """In all of R^n, though it was found in the coordinates of the factor."""
    B, ridge = NEAR.spectral_reconstruction(), 0.3
    model = KernelLogistic(ridge, penalty=penalty, tol=1e-11).fit(NEAR, TWO)
    a = model.dual_coef_
    s = 1 / (1 + np.exp(-B @ a))
    ahead = B @ a if penalty == "kernel" else a
    assert np.abs(ridge * ahead - B @ (TWO - s)).max() < 1e-8
    loss = np.logaddexp(0, B @ a).sum() - TWO @ (B @ a)
    assert model.objective_ == pytest.approx(ridge / 2 * (a @ ahead) + loss, rel=1e-10)


@pytest.mark.parametrize("ridge", [3.0, 30.0])
def test_columns_of_the_hessian_lead_to_the_minimum(ridge):
    """Not where the printed step (3.14) with an approximate T leads."""
    whole = newton(DENSE, TWO, ridge, tol=1e-12)
    cheap = newton(DENSE, TWO, ridge, columns=SOME[:15], tol=1e-10, max_iter=2000)
    assert cheap.w == pytest.approx(whole.w, abs=1e-8)
    assert cheap.iterations > whole.iterations
    assert whole.w == pytest.approx(theirs_on(DENSE, ridge).coef_[0], abs=1e-8)


def test_all_columns_of_the_hessian_are_newtons_method():
    whole = newton(X, TWO, 0.3)
    assert newton(X, TWO, 0.3, columns=[0, 1, 2, 3]).iterations == whole.iterations
    twice = newton(X, TWO, 0.3, columns=[0, 1, 2, 3, 3, 0])
    assert twice.w == pytest.approx(whole.w, abs=1e-10)


def test_nearly_separable_classes_are_learned_with_a_small_ridge():
    signs = np.where(X[:, 0] > 0, 1, 0)
    model = KernelLogistic(1e-6, kernel="linear").fit(X, signs)
    assert model.score(X, signs) == 1 and np.isfinite(model.dual_coef_).all()


# --- Support vectors ------------------------------------------------------------------


def _values(model):
    told = getattr(model, "decision_function", model.predict)
    return told(NEW)


def nearness(theirs, ours, objective, x):
    """How far apart h may be at the rows of x: the objective is strongly convex.

    |w - w*|^2 / 2 is at most the excess of w over the smallest value. Coordinate
    descent goes through its points in an order by chance, so where it stops differs
    from one processor to another; ours says how near it is by its duality gap.
    """
    w = np.linalg.lstsq(NEW, _values(ours))[0]
    gap = ours.duality_gap_ + 1e-14 * objective(w)
    excess = objective(np.ravel(theirs.coef_)) - objective(w) + gap
    assert excess >= 0
    return np.linalg.norm(x, axis=1) * (np.sqrt(2 * excess) + np.sqrt(2 * gap))


# LIBSVM keeps K in float32, whose rounding is 6e-8, for coefficients up to C.
IN_FLOAT32 = 2e-6


@pytest.mark.parametrize("C", [1e-2, 1.0, 30.0])
def test_with_a_linear_kernel_it_is_a_linear_machine_without_offset(C):
    def objective(w):
        return w @ w / 2 + C * np.maximum(0, 1 - (2 * TWO - 1) * (X @ w)).sum()

    theirs = svm.LinearSVC(
        C=C,
        loss="hinge",
        fit_intercept=False,
        tol=1e-10,
        max_iter=10**6,
        random_state=0,
    ).fit(X, TWO)
    for landmarks in ("rp_cholesky", [0, 1, 2, 3]):
        ours = KernelSVC(C, kernel="linear", landmarks=landmarks).fit(X, TWO)
        apart = ours.decision_function(NEW) - theirs.decision_function(NEW)
        assert np.all(np.abs(apart) <= nearness(theirs, ours, objective, NEW))


@WAYS
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_where_symmetry_makes_the_offset_zero_it_is_scikit_learns(way, C):
    """x -> -x changes the sign of every label, so of h, which leaves no offset."""
    both = np.vstack([X[:45], -X[:45]])
    signs = np.where(np.concatenate([Y[:45], -Y[:45]]) > 0, 1, -1)
    theirs = svm.SVC(C=C, gamma=GAMMA, tol=1e-10).fit(both, signs)
    ours = KernelSVC(C, **way).fit(both, signs)
    assert theirs.intercept_ == pytest.approx(0, abs=1e-6)
    expected = theirs.decision_function(NEW)
    assert ours.decision_function(NEW) == pytest.approx(expected, abs=IN_FLOAT32 * C)
    dense = np.zeros(90)
    dense[theirs.support_] = theirs.dual_coef_[0]
    assert ours.dual_coef_ == pytest.approx(dense, abs=1e-5 * C)


@WAYS
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_regression_where_symmetry_makes_the_offset_zero(way, C, epsilon):
    both, odd = np.vstack([X[:45], -X[:45]]), np.concatenate([Y[:45], -Y[:45]])
    theirs = svm.SVR(C=C, gamma=GAMMA, epsilon=epsilon, tol=1e-10).fit(both, odd)
    ours = KernelSVR(C, epsilon=epsilon, **way).fit(both, odd)
    expected = theirs.predict(NEW) - theirs.intercept_
    assert theirs.intercept_ == pytest.approx(0, abs=1e-6)
    assert ours.predict(NEW) == pytest.approx(expected, abs=IN_FLOAT32 * C)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_with_a_linear_kernel_it_is_linear_regression_without_offset(epsilon):
    def objective(w):
        return w @ w / 2 + 0.7 * np.maximum(0, np.abs(Y - X @ w) - epsilon).sum()

    theirs = svm.LinearSVR(
        C=0.7,
        epsilon=epsilon,
        fit_intercept=False,
        tol=1e-10,
        max_iter=10**6,
        random_state=0,
    ).fit(X, Y)
    ours = KernelSVR(0.7, epsilon=epsilon, kernel="linear").fit(X, Y)
    apart = ours.predict(NEW) - theirs.predict(NEW)
    assert np.all(np.abs(apart) <= nearness(theirs, ours, objective, NEW))


def test_an_independent_program_finds_no_better_dual():
    """L-BFGS-B on the dual, which is smooth over the box."""
    y = 2.0 * TWO - 1
    signed = y[:, None] * DENSE * y

    def downhill(alpha):
        return alpha @ signed @ alpha / 2 - alpha.sum(), signed @ alpha - 1

    options = {"ftol": 1e-16, "gtol": 1e-10, "maxiter": 10**5, "maxfun": 10**6}
    found = minimize(
        downhill, np.zeros(90), jac=True, bounds=[(0, 2.0)] * 90, options=options
    )
    ours = KernelSVC(2.0, gamma=GAMMA).fit(X, TWO)
    value = downhill(y * ours.dual_coef_)[0]
    assert value <= found.fun + ours.duality_gap_ + 1e-9
    assert value == pytest.approx(found.fun, rel=1e-6)


def gap_of(h, dual, loss, linear, B):
    """Primal minus dual value, from their definitions."""
    primal = dual @ B @ dual / 2 + loss(h).sum()
    return primal - (linear - dual @ B @ dual / 2)


@pytest.mark.parametrize("near", [None, NEAR], ids=["K", "approximation"])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_gap_is_primal_minus_dual_and_certified(near, C):
    B = DENSE if near is None else near.spectral_reconstruction()
    y, size = 2.0 * TWO - 1, 90 * C
    model = KernelSVC(C).fit(K if near is None else near, TWO)
    beta = model.dual_coef_
    assert ((y * beta >= 0) & (y * beta <= C)).all()
    gap = gap_of(B @ beta, beta, lambda h: C * np.maximum(0, 1 - y * h), y @ beta, B)
    assert model.duality_gap_ == pytest.approx(gap, abs=1e-10 * size)
    assert 0 <= model.duality_gap_ <= 1e-8 * size
    assert (np.flatnonzero(beta) == model.support_).all()


@pytest.mark.parametrize("near", [None, NEAR], ids=["K", "approximation"])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_the_gap_of_regression_is_primal_minus_dual(near, C, epsilon):
    B = DENSE if near is None else near.spectral_reconstruction()
    model = KernelSVR(C, epsilon=epsilon).fit(K if near is None else near, Y)
    beta, size = model.dual_coef_, C * np.abs(Y).sum()
    assert (np.abs(beta) <= C).all()
    gap = gap_of(
        B @ beta,
        beta,
        lambda h: C * np.maximum(0, np.abs(Y - h) - epsilon),
        Y @ beta - epsilon * np.abs(beta).sum(),
        B,
    )
    assert model.duality_gap_ == pytest.approx(gap, abs=1e-10 * size)
    assert 0 <= model.duality_gap_ <= 1e-8 * size


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_the_scale_of_the_kernel_and_of_the_labels_does_not_matter(scale):
    """c K with C / c is K with C; c y with c C and c epsilon is y with C, epsilon."""
    usual = KernelSVC(1.0).fit(K, TWO)
    scaled = KernelSVC(1 / scale, kernel="precomputed").fit(scale * DENSE, TWO)
    assert scale * scaled.dual_coef_ == pytest.approx(usual.dual_coef_, abs=1e-6)
    usual = KernelSVR(1.0).fit(K, Y)
    scaled = KernelSVR(scale, epsilon=0.1 * scale).fit(K, scale * Y)
    assert scaled.dual_coef_ / scale == pytest.approx(usual.dual_coef_, abs=1e-6)


def test_the_solution_of_a_singular_kernel_is_certified_all_the_same():
    ones = kernels.linear(np.ones((6, 1)))
    labels = [1, 1, 1, 1, 0, 0]
    model = KernelSVC(0.2).fit(ones, labels)
    # h = w: 4 (1 - w) + 2 (1 + w) falls until 0.2 * 2 = w.
    assert model.decision_function([[1.0]]) == pytest.approx(0.4, abs=1e-6)
    assert model.duality_gap_ < 1e-8


def test_a_gap_that_is_not_reached_is_told():
    with pytest.warns(NotConverged, match="^tol: expected a duality gap"):
        model = KernelSVC(1.0, tol=1e-30, max_iter=2).fit(K, TWO)
    assert model.duality_gap_ > 0
    with pytest.warns(NotConverged, match="^tol: expected the gradient"):
        KernelLogistic(1e-3, max_iter=1).fit(K, TWO)


@pytest.mark.parametrize("tol", [1e-8, 1e-3])
def test_coefficients_are_exactly_zero_or_C_where_a_margin_has_room(tol):
    rng = np.random.default_rng(22)
    points = rng.normal(size=(60, 2))
    y = 2 * points[:, 0] + rng.normal(size=60)
    machine = KernelSVC(1.0, gamma=0.5, tol=tol).fit(points, y > 0)
    margin = np.where(y > 0, 1, -1) * machine.decision_function(points)
    away, over = margin > 1.2, margin < 0.8
    assert away.sum() > 10 and over.sum() > 10
    assert (machine.dual_coef_[away] == 0).all()
    assert (np.abs(machine.dual_coef_[over]) == 1.0).all()
    assert len(machine.support_) == 30
    regression = KernelSVR(1.0, gamma=0.5, tol=tol).fit(points, y)
    away = np.abs(y - regression.predict(points))
    assert (regression.dual_coef_[away < 0.05] == 0).all()
    assert (np.abs(regression.dual_coef_[away > 0.2]) == 1.0).all()


def test_the_gap_of_a_loose_regression_is_that_of_its_coefficients():
    """Both of the pair of one point are above zero inside the box."""
    with pytest.warns(NotConverged):
        model = KernelSVR(100.0, epsilon=1.0, max_iter=3).fit(K, Y)
    beta, h = model.dual_coef_, DENSE @ model.dual_coef_
    gap = gap_of(
        h,
        beta,
        lambda h: 100 * np.maximum(0, np.abs(Y - h) - 1),
        Y @ beta - np.abs(beta).sum(),
        DENSE,
    )
    assert model.duality_gap_ == pytest.approx(gap, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-100, 1e30, 1e100])
def test_the_scale_of_the_kernel_alone(scale):
    """The classes are separable, and a large kernel is a machine without slack."""
    machine = KernelSVC(kernel="precomputed").fit(scale * DENSE, TWO)
    beta, y = machine.dual_coef_, 2.0 * TWO - 1
    gap = gap_of(
        scale * DENSE @ beta, beta, lambda h: np.maximum(0, 1 - y * h), y @ beta, DENSE
    )
    assert machine.duality_gap_ <= 90 * 1e-8 and np.isfinite(gap)
    if scale > 1:
        assert y * (scale * DENSE @ beta) == pytest.approx(
            np.maximum(1, y * (scale * DENSE @ beta)), abs=1e-5
        )


def test_the_best_is_kept_where_float64_does_not_suffice():
    points = [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]]
    model = KernelSVR(1e10, epsilon=0.0, kernel="linear").fit(points, [-0.5, 0.6, 2.4])
    assert model.duality_gap_ <= 1e-8 * 3.5e10
    assert model.predict([[1.0, 0.0]]) == pytest.approx(2.4, abs=1e-6)
    model = KernelSVR().fit(X, 1e300 * Y)
    assert (model.dual_coef_ == np.sign(Y)).all()


# --- The Laplacian of a graph ---------------------------------------------------------


def triangle(weight):
    return weight * np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])


def closed(L, y, labelled, C0):
    """``M_H^-1 y_S`` in coordinates of the hyperplane: the thesis's closed form."""
    H = scipy.linalg.null_space(np.ones((1, len(L))))
    inside, right = np.zeros(len(L)), np.zeros(len(L))
    inside[labelled], right[labelled] = 1, y - np.mean(y)
    M = H.T @ (len(y) / C0 * L + np.diag(inside)) @ H
    return H @ np.linalg.solve(M, H.T @ right)


def test_the_triangle_of_the_book():
    """Weights 1 and 10 on three vertices, two of them labelled: by hand."""
    learner = LaplacianRegression(2.0, graph="laplacian")
    h = [
        learner.fit(triangle(w), [1, -1], labelled=[0, 1]).values_ for w in (1.0, 10.0)
    ]
    assert h[0] == pytest.approx([1 / 4, -1 / 4, 0], abs=1e-14)
    assert h[1] == pytest.approx([1 / 31, -1 / 31, 0], abs=1e-14)
    assert np.linalg.norm(h[1] - h[0]) == pytest.approx(27 / 124 * np.sqrt(2))


@pytest.mark.parametrize("C0", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("labelled", [np.arange(90), SOME, [5, 80]], ids=len)
def test_the_minimum_is_the_closed_form(C0, labelled):
    L = np.diag(DENSE.sum(axis=1)) - DENSE
    y = Y[labelled]
    expected = closed(L, y, labelled, C0)
    for learner, given in [
        (LaplacianRegression(C0, gamma=GAMMA), X),
        (LaplacianRegression(C0, gamma=GAMMA, landmarks=np.arange(90)), X),
        (LaplacianRegression(C0, graph="laplacian"), L),
        (LaplacianRegression(C0, graph="laplacian"), sparse.csr_array(L)),
    ]:
        learner.fit(given, y, labelled=labelled)
        assert learner.values_ == pytest.approx(expected, rel=1e-6, abs=1e-9)
        assert learner.values_.sum() == pytest.approx(0, abs=1e-9)
        assert learner.mean_ == pytest.approx(y.mean())


def test_no_other_values_on_the_hyperplane_are_better():
    L = np.diag(DENSE.sum(axis=1)) - DENSE
    learner = LaplacianRegression(5.0, gamma=GAMMA).fit(X, Y[SOME], labelled=SOME)

    def cost(h):
        away = h[SOME] - (Y[SOME] - Y[SOME].mean())
        return h @ L @ h + 5.0 / len(SOME) * (away @ away)

    least = cost(learner.values_)
    for _ in range(20):
        step = RNG.normal(size=90)
        step -= step.mean()
        for size in (1e-1, 1e-3):
            assert cost(learner.values_ + size * step) > least


def test_an_approximate_graph_is_the_graph_of_the_approximation():
    B = NEAR.spectral_reconstruction()
    L = np.diag(B.sum(axis=1)) - B
    learner = LaplacianRegression(3.0).fit(NEAR, Y)
    expected = closed(L, Y, np.arange(90), 3.0)
    assert learner.values_ == pytest.approx(expected, abs=1e-10)
    weights = NEAR.extend(NEW)
    means = weights @ learner.values_ / weights.sum(axis=1) + Y.mean()
    assert learner.predict(NEW) == pytest.approx(means, abs=1e-9)


def test_a_new_vertex_takes_the_mean_of_its_neighbours():
    learner = LaplacianRegression(10.0, gamma=GAMMA).fit(X, Y)
    means = CROSS @ learner.values_ / CROSS.sum(axis=1) + Y.mean()
    assert learner.predict(NEW) == pytest.approx(means, abs=1e-12)
    assert learner.predict(np.full((1, 4), 1e3)) == Y.mean()  # no neighbour at all
    graph = LaplacianRegression(10.0, graph="laplacian")
    graph.fit(np.diag(DENSE.sum(axis=1)) - DENSE, Y)
    assert graph.predict(CROSS) == pytest.approx(means, abs=1e-9)
    assert graph.predict(sparse.csr_array(CROSS)) == pytest.approx(means, abs=1e-9)


# --- Components -----------------------------------------------------------------------


def up_to_sign(found, expected, **tolerance):
    assert found.shape == expected.shape
    signs = np.sign((found * expected).sum(axis=0))
    assert found * signs == pytest.approx(expected, **tolerance)


@WAYS
@pytest.mark.parametrize("k", [1, 5])
def test_components_are_scikit_learns(way, k):
    theirs = TheirPCA(k, kernel="rbf", gamma=GAMMA).fit(X)
    ours = KernelPCA(k, **way).fit(X)
    assert ours.eigenvalues_ == pytest.approx(theirs.eigenvalues_, rel=1e-9)
    up_to_sign(ours.transform(NEW), theirs.transform(NEW), abs=1e-7)
    up_to_sign(ours.fit_transform(X), theirs.transform(X), abs=1e-7)
    assert ours.transform(X) == pytest.approx(ours.fit_transform(X), abs=1e-7)


def test_with_a_linear_kernel_they_are_principal_components():
    theirs = PCA(3).fit(X)
    for options in ({}, {"landmarks": [0, 1, 2, 3]}):
        ours = KernelPCA(3, kernel="linear", **options).fit(X)
        up_to_sign(ours.transform(NEW), theirs.transform(NEW), abs=1e-9)
        left = PCA().fit(X).explained_variance_[3:].sum() * 89 / 90
        assert ours.residual_ == pytest.approx(left, rel=1e-9)


@pytest.mark.parametrize("near", [None, NEAR], ids=["K", "approximation"])
@pytest.mark.parametrize("centre", [True, False])
def test_the_residual_and_the_projections_are_their_definitions(near, centre):
    B = DENSE if near is None else near.spectral_reconstruction()
    P = np.eye(90) - centre * np.ones((90, 90)) / 90
    values, U = scipy.linalg.eigh(P @ B @ P)
    ours = KernelPCA(4, centre=centre).fit(K if near is None else near)
    assert ours.eigenvalues_ == pytest.approx(values[:-5:-1], rel=1e-9)
    assert ours.residual_ == pytest.approx(values[:-4].sum() / 90, rel=1e-8)
    rows = CROSS if near is None else near.extend(NEW)
    U, values = U[:, :-5:-1], values[:-5:-1]
    expected = (rows - centre * B.mean(axis=0)) @ P @ U / np.sqrt(values)
    up_to_sign(ours.transform(NEW), expected, abs=1e-8)


@pytest.mark.parametrize("centre", [True, False])
def test_components_with_the_kernel_itself_are_centred_by_it(centre):
    ours = KernelPCA(4, centre=centre, predict_with="kernel")
    at_points = ours.fit_transform(NEAR)
    rows = CROSS - centre * DENSE.mean(axis=0)
    assert ours.transform(NEW) == pytest.approx(rows @ ours.dual_coef_, abs=1e-9)
    assert at_points == pytest.approx(ours.transform(X), abs=1e-9)


# Points of float32 near 1e6 would be rounded to 0.06, and their products to 1e5.
@pytest.mark.parametrize(
    ("dtype", "shift"), [(np.float64, 0.0), (np.float64, 1e6), (np.float32, 0.0)]
)
@pytest.mark.parametrize("sampled", [{}, {"landmarks": SOME}], ids=["exact", "nystrom"])
def test_rounding_is_no_component(dtype, shift, sampled):
    given = (X + shift).astype(dtype)
    ours = KernelPCA(kernel="linear", **sampled).fit(given)
    assert len(ours.eigenvalues_) == 4
    alike = np.full((7, 2), 0.1)
    with pytest.raises(ValueError, match="^X: .* that are all the same, up to round"):
        KernelPCA(kernel="linear").fit(alike)
    with pytest.raises(ValueError, match="^X: .* that are all the same, up to round"):
        KernelPCA(kernel="linear", landmarks=[0]).fit(alike)


def test_all_components_leave_nothing():
    ours = KernelPCA().fit(NEAR)
    assert len(ours.eigenvalues_) == NEAR.rank
    assert ours.residual_ == pytest.approx(0, abs=1e-12)
    assert KernelPCA(80).fit(NEAR).fit_transform(NEAR).shape == (90, NEAR.rank)


# --- Gaussian processes ---------------------------------------------------------------


@pytest.mark.parametrize("noise", [1e-2, 1.0])
@pytest.mark.parametrize("method", ["exact", "nystrom", "inducing"])
def test_a_process_is_scikit_learns_where_the_approximation_is_exact(method, noise):
    theirs = GaussianProcessRegressor(
        RBF(np.sqrt(1 / (2 * GAMMA))), alpha=noise, optimizer=None
    ).fit(X, Y)
    landmarks = {} if method == "exact" else {"landmarks": np.arange(90)}
    ours = GaussianProcess(noise, method=method, gamma=GAMMA, **landmarks).fit(X, Y)
    at = X if method == "nystrom" else np.vstack([NEW, X])
    mean, deviation = theirs.predict(at, return_std=True)
    found, std = ours.predict(at, return_std=True)
    assert found == pytest.approx(mean, abs=1e-7)
    assert std == pytest.approx(deviation, abs=1e-6)
    assert ours.predict(NEW) == pytest.approx(theirs.predict(NEW), abs=1e-7)
    assert ours.dual_coef_ == pytest.approx(theirs.alpha_, abs=1e-6)


def test_the_mean_and_the_variances_are_their_definitions():
    B, noise = NEAR.spectral_reconstruction() + 0.2 * np.eye(90), 0.2
    rows, own = NEAR.extend(NEW), (NEAR.transform(NEW) ** 2).sum(axis=1)
    mean = rows @ np.linalg.solve(B, Y)
    variance = own - np.einsum("ij,ji->i", rows, np.linalg.solve(B, rows.T))
    near, inducing = (
        GaussianProcess(noise, method=method).fit(NEAR, Y).predict(NEW, return_std=True)
        for method in ("nystrom", "inducing")
    )
    assert near[0] == pytest.approx(mean, abs=1e-9)
    assert inducing[0] == pytest.approx(mean, abs=1e-9)
    assert near[1] ** 2 == pytest.approx(variance, abs=1e-9)
    assert inducing[1] ** 2 == pytest.approx(variance + 1 - own, abs=1e-9)


def test_a_stored_kernel_asks_for_the_kernel_of_a_point_with_itself():
    points = GaussianProcess(0.1, gamma=GAMMA).fit(X, Y)
    stored = GaussianProcess(0.1, kernel="precomputed").fit(DENSE, Y)
    expected = points.predict(NEW, return_std=True)
    found = stored.predict(CROSS, return_std=True, own=np.ones(25))
    assert found[0] == pytest.approx(expected[0], abs=1e-9)
    assert found[1] == pytest.approx(expected[1], abs=1e-8)
    with pytest.raises(ValueError, match="^own: expected the kernel of each new"):
        stored.predict(CROSS, return_std=True)
    with pytest.raises(ValueError, match="^own: expected 25 numbers"):
        stored.predict(CROSS, return_std=True, own=np.ones(3))


def test_at_the_landmarks_inducing_points_are_at_least_as_sure_as_all_points():
    exact = GaussianProcess(0.2).fit(K, Y).predict(X[SOME], return_std=True)[1]
    model = GaussianProcess(0.2, method="inducing").fit(NEAR, Y)
    found = model.predict(X[SOME], return_std=True)[1]
    assert (found <= exact + 1e-9).all() and (found < 0.99 * exact).any()


def test_far_from_the_landmarks_only_inducing_points_know_that_they_do_not_know():
    far = np.full((1, 4), 100.0)
    for method, deviation in (("exact", 1), ("inducing", 1), ("nystrom", 0)):
        landmarks = {} if method == "exact" else {"landmarks": SOME}
        model = GaussianProcess(0.1, method=method, gamma=GAMMA, **landmarks)
        found = model.fit(X, Y).predict(far, return_std=True)
        assert found[0] == pytest.approx(0) and found[1] == pytest.approx(deviation)


# --- One door -------------------------------------------------------------------------

LEARNERS = [
    KernelLogistic(),
    KernelLogistic(penalty="coefficients"),
    KernelSVC(),
    KernelSVR(),
    LaplacianRegression(),
    KernelPCA(3),
    GaussianProcess(0.1),
]


def at_new(model, new):
    for name in ("decision_function", "predict", "transform"):
        if hasattr(model, name):
            return getattr(model, name)(new)


@pytest.mark.parametrize("model", LEARNERS, ids=str)
@pytest.mark.parametrize("sampled", [{}, {"landmarks": SOME}], ids=["exact", "nystrom"])
def test_one_door_for_every_kind_of_kernel(model, sampled):
    y = TWO if isinstance(model, (KernelLogistic, KernelSVC)) else Y
    points = clone(model).set_params(gamma=GAMMA, **sampled).fit(X, y)
    expected = at_new(points, NEW)
    lazy = clone(model).set_params(**sampled).fit(K, y)
    assert at_new(lazy, NEW) == pytest.approx(expected, abs=1e-7)
    stored = clone(model).set_params(kernel="precomputed", **sampled).fit(DENSE, y)
    assert at_new(stored, CROSS) == pytest.approx(expected, abs=1e-5)
    if sampled:
        handed = clone(model).fit(NEAR, y)
        assert handed.method_ == "nystrom" and handed.approximation_ is NEAR
        assert at_new(handed, NEW) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_a_mixture_is_an_approximation_too(model):
    y = TWO if isinstance(model, (KernelLogistic, KernelSVC)) else Y
    pair = ensemble.experts(K, [SOME, SOME + 1])
    mixed = ensemble.Ensemble(pair, [0.3, 0.7])
    found = clone(model).fit(mixed, y)
    stored = lowrank.LowRank(
        "by hand", 90, None, 90, 90, False, lambda: None, np.array(mixed.factor)
    )
    by_hand = clone(model).fit(stored, y)
    name = "eigenvectors_" if isinstance(model, KernelPCA) else "dual_coef_"
    name = "values_" if isinstance(model, LaplacianRegression) else name
    assert getattr(by_hand, name) == pytest.approx(getattr(found, name), abs=1e-6)
    assert np.isfinite(at_new(found, NEW)).all()
