"""FALKON: the minimum that the direct solve finds, in steps that are bounded."""

import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import kernels, lowrank, sampling
from nystheory.learners import (
    KernelLogistic,
    KernelPCA,
    KernelRidge,
    NotConverged,
    _falkon,
    falkon,
    logistic_falkon,
    newton,
    restricted,
)

RNG = np.random.default_rng(0)
N = 300
X = RNG.standard_normal((N, 3))
NEW = RNG.standard_normal((40, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.standard_normal(N)
TWO = np.column_stack([Y, np.cos(X[:, 1])])
LABELS = (Y > 0.2).astype(float)
K = kernels.rbf(X, 0.5)
SOME = np.arange(0, N, 10)
TIGHT = {"tol": 1e-12}


def drawn(name):
    """Landmarks of each kind, the singular cores among them."""
    rng = np.random.default_rng(1)
    if name == "copies":
        return [*SOME, *SOME, 3, 3, 3]
    if name == "weighted":
        return sampling.bless(K, 60, rng, alpha=1.0)
    if name == "centroids":
        return sampling.kmeans(K, 30, rng)
    return SOME if name == "some" else np.arange(N)


def columns(landmarks, kernel=K):
    """C and W."""
    if getattr(landmarks, "points", None) is not None:
        return kernel.columns_of(landmarks.points)
    S = getattr(landmarks, "indices", landmarks)
    return kernel[:, S], kernel[S, S]


# --- The minimum ----------------------------------------------------------------------


@pytest.mark.parametrize("y", [Y, TWO], ids=["one target", "two targets"])
@pytest.mark.parametrize("ridge", [1e-6, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("name", ["some", "copies", "weighted", "centroids"])
def test_it_predicts_as_the_direct_solve(name, ridge, y):
    landmarks = drawn(name)
    C, _ = columns(landmarks)
    found = falkon(K, landmarks, y, ridge, **TIGHT)
    expected = C @ restricted(K, landmarks, y, ridge).x
    assert found.residual <= 1e-12 and found.x.shape == (C.shape[1], *y.shape[1:])
    assert C @ found.x == pytest.approx(expected, abs=1e-7 * np.abs(y).max())


def test_a_core_that_is_all_but_singular():
    """A smooth kernel in one dimension: the rank of W is a tenth of its size."""
    line = kernels.rbf(np.linspace(0, 1, 400)[:, None], 1.0)
    y = np.sin(6 * np.linspace(0, 1, 400))
    S = np.arange(0, 400, 4)
    assert np.linalg.matrix_rank(line[S, S]) < 20
    for ridge in (1e-6, 1e-2):
        found = line[:, S] @ falkon(line, S, y, ridge, tol=1e-8).x
        direct = line[:, S] @ restricted(line, S, y, ridge).x
        assert found == pytest.approx(direct, abs=1e-5)


def test_weights_of_points_count_copies():
    """A point of weight two is one that is there twice, one of weight zero is not."""
    p = RNG.integers(0, 3, N).astype(float)
    again = np.repeat(np.arange(N), p.astype(int))
    C, W = columns(SOME)
    A = C[again].T @ C[again] + 0.5 * W
    expected = C @ scipy.linalg.solve(A, C[again].T @ Y[again], assume_a="sym")
    found = C @ falkon(K, SOME, Y, 0.5, weights=p, **TIGHT).x
    assert found == pytest.approx(expected, abs=1e-7)
    alike = falkon(K, SOME, Y, 0.5, weights=np.full(N, 1e-3), **TIGHT).x
    assert C @ alike == pytest.approx(C @ restricted(K, SOME, Y, 500.0).x, abs=1e-8)


@pytest.mark.parametrize("room", [0, 60 * 8 * N // 4, 2**31])
def test_it_does_not_matter_how_many_columns_are_kept(room, monkeypatch):
    whole = kernels.rbf(X, 0.5)
    monkeypatch.setattr(_falkon, "KEPT_BYTES", room)
    small = lambda n, width, size=8: kernels.row_blocks(n, 2**17, size)  # noqa: E731
    monkeypatch.setattr(_falkon, "row_blocks", small)
    found = falkon(whole, SOME, Y, 0.1)
    steps = found.iterations + 2  # the right-hand side, and the residual anew
    entries, cut = N * len(SOME), (steps - 1) * (room // (8 * 32 * 30)) * 32 * 30
    expected = entries if room == 2**31 else steps * entries - cut
    assert whole.entries_asked == expected + len(SOME) ** 2
    assert found.x == pytest.approx(falkon(K, SOME, Y, 0.1).x, rel=1e-12)


@pytest.mark.filterwarnings("error")
def test_targets_may_have_no_sum():
    found = falkon(K, SOME, np.full(N, 2.0**1023), 1e6).x
    assert found == pytest.approx(2.0**1023 * falkon(K, SOME, np.ones(N), 1e6).x)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
def test_the_size_of_targets_does_not_matter(size):
    y = np.column_stack([Y, size * Y, 0 * Y])
    found = falkon(K, SOME, y, 0.1, tol=1e-10)
    alone = falkon(K, SOME, Y, 0.1, tol=1e-10)
    assert 0 < found.residual <= 1e-10
    assert found.x[:, 1] / size == pytest.approx(alone.x, rel=1e-6, abs=1e-6)
    assert not found.x[:, 2].any()


def test_points_of_float32_are_summed_in_float64():
    """What float32 has lost is lost in the entries, not in the sums over points."""
    rng = np.random.default_rng(2)
    points = rng.standard_normal((5_000, 4)).astype(np.float32)
    y = points[:, 0] + 1.0
    small = kernels.rbf(points, 0.1)
    S = np.arange(0, 5_000, 100)
    found = falkon(small, S, y, 1.0, tol=1e-9)
    C = small[:, S].astype(np.float64)
    A = C.T @ C + C[S]
    left = C.T @ y - A @ found.x
    assert found.x.dtype == np.float64 and found.residual <= 1e-9
    assert np.linalg.norm(left) <= 1e-7 * np.linalg.norm(C.T @ y)
    model = KernelRidge(1.0, method="falkon", landmarks=S, gamma=0.1).fit(points, y)
    assert model.predict(points[:5]).dtype == np.float32


# --- What is certain ------------------------------------------------------------------


def features(landmarks):
    """F, and how coefficients b become its weights w."""
    C, W = columns(landmarks)
    L = np.linalg.cholesky(W)
    return scipy.linalg.solve_triangular(L, C.T, lower=True).T, L.T


@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-5])
@pytest.mark.parametrize("weights", [None, RNG.uniform(0.5, 2, N)])
def test_a_residual_is_that_of_the_coefficients(tol, weights):
    F, to = features(SOME)
    p = np.ones(N) if weights is None else weights
    found = falkon(K, SOME, Y, 0.1, weights=weights, tol=tol)
    right = F.T @ (p * Y)
    left = right - F.T @ (p * (F @ (to @ found.x))) - 0.1 * to @ found.x
    share = np.linalg.norm(left) / np.linalg.norm(right)
    assert found.residual == pytest.approx(share, rel=1e-5)
    assert 0 < found.residual <= tol


@pytest.mark.filterwarnings("ignore::nystheory.learners.NotConverged")
def test_predictions_differ_by_what_the_residual_tells_and_nearly_so_much():
    """Nearly, where all eigenvalues are near the ridge; other ridges leave room."""
    shares = []
    values, y = np.array([0.98, 1.0, 1.02]), np.array([1.0, -2.0, 3.0])
    wrong = sampling.Landmarks(
        np.arange(3), None, np.array([1.0, 4.0, 9.0]), 0, 0.0, "by hand"
    )
    for ridge in (1e-2, 1.0, 1e2):
        found = falkon(np.diag(values), wrong, y, ridge, max_iterations=1)
        length = found.residual * np.linalg.norm(np.sqrt(values) * y)
        off = values * found.x - values * y / (values + ridge)
        shares.append(np.linalg.norm(off) / (length / (2 * np.sqrt(ridge))))
        assert length <= found.residual * np.sqrt(values.sum()) * np.linalg.norm(y)
    assert max(shares) <= 1 and 0.99 < shares[1]


@pytest.mark.parametrize("ridge", [1e-2, 1e4])
def test_a_gradient_is_that_of_the_coefficients_and_tells_how_far_it_is(ridge):
    F, to = features(SOME)
    best = to @ logistic_falkon(K, SOME, LABELS, ridge, tol=1e-11).w
    for tol in (0.1, 1e-4):
        found = logistic_falkon(K, SOME, LABELS, ridge, tol=tol)
        w = to @ found.w
        gradient = ridge * w + F.T @ (expit(F @ w) - LABELS)
        assert found.gradient == pytest.approx(np.linalg.norm(gradient), rel=1e-5)
        away = np.linalg.norm(w - best) / (found.gradient / ridge)
        least = logistic_falkon(K, SOME, LABELS, ridge, tol=1e-11).value
        above = (found.value - least) / (found.gradient**2 / (2 * ridge))
        assert away <= 1 and above <= 1 + 1e-6
        assert ridge < 1 or (away > 0.9 and (above > 0.9 or tol < 0.1))  # rounding


# --- How many steps -------------------------------------------------------------------


def test_steps_do_not_grow_with_points_where_landmarks_are_enough():
    """Four points and their copies: the landmarks know all there is."""
    for copies in (1, 10, 100):
        points = np.repeat(np.eye(4), copies, axis=0)
        found = falkon(
            kernels.rbf(points),
            [0, copies, 2 * copies, -1 + 4 * copies],
            np.arange(4.0 * copies),
            1e-3,
            tol=1e-10,
        )
        assert found.iterations == 1


def condition(F, at, ridge):
    """The condition number of the preconditioned system, from its eigenvalues."""
    P = len(F) / len(at) * at.T @ at + ridge * np.eye(F.shape[1])
    A = F.T @ F + ridge * np.eye(F.shape[1])
    values = scipy.linalg.eigh(A, P, eigvals_only=True)
    return values[-1] / values[0]


@pytest.mark.parametrize("ridge", [1.0, 30.0])
def test_steps_are_those_of_the_condition_number(ridge):
    """Conjugate gradients gain (sqrt(c) - 1) / (sqrt(c) + 1) a step, or more."""
    F = lowrank.nystrom(K, SOME).factor
    c = condition(F, F[SOME], ridge)
    rate = (np.sqrt(c) - 1) / (np.sqrt(c) + 1)
    # From the norm of the error to that of the residual, at most this factor.
    spread = np.sqrt(np.linalg.cond(F.T @ F + ridge * np.eye(F.shape[1])))
    bound = np.log(1e-6 / (2 * spread)) / np.log(rate)
    assert falkon(K, SOME, Y, ridge).iterations <= np.ceil(bound)
    assert c < 40


def test_weights_of_landmarks_make_a_better_preconditioner():
    """Two clusters: of the small one a tenth of the points, of the large one few."""
    rng = np.random.default_rng(3)
    where = np.concatenate([rng.normal(size=(600, 2)), 20 + rng.normal(size=(60, 2))])
    whole, y = kernels.rbf(where, 1.0), rng.standard_normal(660)
    S = np.concatenate([np.arange(0, 600, 20), np.arange(600, 660)])
    w = np.where(S < 600, 20.0, 1.0)
    known = sampling.Landmarks(S, None, w, 0, 0.0, "by hand")
    steps = {
        name: falkon(whole, chosen, y, 0.1).iterations
        for name, chosen in (("known", known), ("plain", S))
    }
    assert steps["known"] < steps["plain"]


# --- Logistic regression --------------------------------------------------------------


@pytest.mark.parametrize("ridge", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("name", ["some", "copies", "weighted", "centroids"])
def test_logistic_regression_has_the_minimum_of_the_approximation(name, ridge):
    landmarks = drawn(name)
    C, W = columns(landmarks)
    found = logistic_falkon(K, landmarks, LABELS, ridge)
    near = lowrank.nystrom(K, landmarks)
    expected = KernelLogistic(ridge).fit(near, LABELS)
    scores = near.factor @ expected.coef_
    assert C @ found.w == pytest.approx(scores, abs=1e-6 * max(1, np.abs(scores).max()))
    assert found.value == pytest.approx(expected.objective_, rel=1e-9)
    loss = np.logaddexp(0, -(2 * LABELS - 1) * (C @ found.w)).sum()
    assert found.value == pytest.approx(ridge / 2 * found.w @ W @ found.w + loss)


def test_the_steps_of_newton_are_as_many_as_of_exact_ones():
    """Steps that are solved roughly are no more than half as many again."""
    for ridge in (1e-4, 1e-2, 1.0):
        F = lowrank.nystrom(K, SOME).factor
        exact = newton(F, LABELS, ridge).iterations
        assert logistic_falkon(K, SOME, LABELS, ridge).iterations <= 1.5 * exact + 2


def test_labels_that_columns_separate():
    separable = (X[:, 0] > 0).astype(float)
    found = logistic_falkon(K, SOME, separable, 1e-5)
    near = KernelLogistic(1e-5, landmarks=SOME).fit(K, separable)
    assert found.value == pytest.approx(near.objective_, rel=1e-7)


# --- The learners ---------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::nystheory.sampling.FewerLandmarks")
@parametrize_with_checks([KernelLogistic(method="falkon")])
def test_scikit_learn_can_use_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("landmarks", ["uniform", "kmeans", SOME, X[:20] + 0.1])
def test_learners_predict_as_their_other_methods(landmarks):
    given = {"gamma": 0.5, "landmarks": landmarks, "random_state": 0}
    if isinstance(landmarks, str):
        given["n_landmarks"] = 20
    ours = KernelRidge(0.1, method="falkon", tol=1e-11, **given).fit(X, TWO)
    theirs = KernelRidge(0.1, method="regressors", **given).fit(X, TWO)
    assert ours.predict(NEW) == pytest.approx(theirs.predict(NEW), abs=1e-7)
    assert np.array_equal(ours.regressors_, theirs.regressors_)
    assert ours.approximation_ is None and ours.n_iter_ > 1 and ours.residual_ <= 1e-11
    ours = KernelLogistic(0.1, method="falkon", **given).fit(X, LABELS)
    theirs = KernelLogistic(0.1, method="nystrom", **given).fit(X, LABELS)
    expected = theirs.decision_function(NEW)
    assert ours.decision_function(NEW) == pytest.approx(expected, abs=1e-6)
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-9)


def test_sparse_points_and_stored_matrices():
    thin = sparse.random(200, 30, 0.2, format="csr", rng=np.random.default_rng(0))
    y = np.asarray(thin.sum(axis=1)).ravel()
    whole = kernels.rbf(thin.toarray(), 0.1)
    expected = whole[:, range(20)] @ restricted(whole, range(20), y, 0.1).x
    for landmarks in (np.arange(20), thin[:20]):
        model = KernelRidge(0.1, method="falkon", tol=1e-11, landmarks=landmarks)
        found = model.set_params(gamma=0.1).fit(thin, y).predict(thin)
        assert found == pytest.approx(expected, abs=1e-7)
    stored = KernelRidge(0.1, kernel="precomputed", method="falkon", landmarks=SOME)
    lazy = KernelRidge(0.1, method="falkon", landmarks=SOME).fit(K, Y)
    dense = K.dense()
    assert stored.fit(dense, Y).predict(dense) == pytest.approx(lazy.predict(X))


def test_landmarks_are_uniform_where_none_are_given():
    model = KernelRidge(method="falkon", random_state=0).fit(X, Y)
    S = model.regressors_
    assert len(S) == 10 * 17 == len(set(S.tolist()))
    again = KernelRidge(
        method="falkon", landmarks="uniform", n_landmarks=170, random_state=0
    )
    assert np.array_equal(again.fit(X, Y).regressors_, S)
    given = {"landmarks": "rp_cholesky", "n_landmarks": 20, "random_state": 0}
    pivots = KernelRidge(method="falkon", **given).fit(X, Y)
    usual = KernelRidge(method="regressors", **given).fit(X, Y)
    assert np.array_equal(pivots.regressors_, usual.regressors_)


@pytest.mark.parametrize("name", ["recursive_rls", "bless"])
def test_landmarks_by_estimated_leverage(name):
    given = {"landmarks": name, "n_landmarks": 40, "random_state": 0}
    rng = np.random.default_rng(0)
    more = {"alpha": 0.3} if name == "bless" else {}
    S = sampling.SCHEMES[name](K, 40, rng, **more)
    ours = KernelRidge(0.3, method="falkon", **given).fit(K, Y)
    assert np.array_equal(ours.regressors_, S.indices)
    assert ours.n_iter_ == falkon(K, S, Y, 0.3).iterations  # with the weights of both
    for model in (KernelRidge(0.3, **given), KernelLogistic(0.3, **given)):
        fitted = model.fit(K, LABELS)
        assert np.array_equal(fitted.approximation_.landmarks, S.indices)


def test_bless_needs_a_ridge():
    with pytest.raises(ValueError, match="^ridge: expected a finite number above 0"):
        KernelRidge(0.0, landmarks="bless", method="regressors").fit(X, Y)
    with pytest.raises(ValueError, match="^landmarks: expected a scheme that needs no"):
        KernelPCA(landmarks="bless").fit(X)


# --- What is refused ------------------------------------------------------------------


@pytest.mark.parametrize("call", [falkon, logistic_falkon])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ridge": 0.0}, "ridge: expected a finite number above 0"),
        ({"ridge": -1.0}, "ridge: expected"),
        ({"ridge": np.nan}, "ridge: expected"),
        ({"landmarks": []}, "landmarks: expected a non-empty"),
        ({"landmarks": [N]}, "landmarks: expected indices from 0"),
        ({"landmarks": np.eye(3)}, "landmarks: expected"),
        ({"tol": 0.0}, "tol: expected"),
        ({"y": np.full(N, np.nan)}, "y: expected finite"),
        ({"y": np.ones(N - 1)}, f"y: expected {N} "),
        ({"y": np.r_[np.inf, -np.inf, np.ones(N - 2)]}, "y: expected finite"),
        ({"K": np.zeros((N, N))}, "landmarks: expected some that explain"),
        ({"K": -np.eye(N)}, "K: expected a positive semidefinite"),
    ],
)
def test_an_argument_out_of_range_is_named(call, given, told):
    usual = {"K": K, "landmarks": SOME, "y": LABELS, "ridge": 1.0}
    with pytest.raises((ValueError, TypeError, IndexError), match=f"^{told}"):
        call(**{**usual, **given})


@pytest.mark.parametrize(
    "weights", [np.ones(3), np.zeros(N), np.full(N, -1.0), np.full(N, np.inf)]
)
def test_weights_that_are_none(weights):
    with pytest.raises(ValueError, match="^weights: expected"):
        falkon(K, SOME, Y, 1.0, weights=weights)


def own(points, weights=None, indices=None):
    return sampling.Landmarks(indices, None, weights, 0, 0.0, "mine", points=points)


@pytest.mark.parametrize("call", [falkon, logistic_falkon])
@pytest.mark.parametrize(
    ("landmarks", "told"),
    [
        (own(X[:3, :2]), "expected points of 3 coordinates"),
        (own(X[0]), "expected 2 dimensions"),
        (own(X[:0]), "expected at least one point"),
        (own(np.full((2, 3), np.nan)), "expected finite numbers"),
        (own(sparse.csr_array(X[:3])), "expected a dense array"),
        *(
            (own(None, np.array(weights), np.arange(3)), "expected")
            for weights in ([1.0, 2.0], [-1.0, 1.0, 1.0], [np.nan, 1.0, 1.0])
        ),
    ],
)
def test_landmarks_that_are_none(call, landmarks, told):
    with pytest.raises((ValueError, TypeError), match=f"^landmarks: {told}"):
        call(K, landmarks, LABELS, 1.0)


def test_landmarks_of_sparse_points_have_their_coordinates():
    thin, told = sparse.csr_array(X), "^landmarks: expected points of 3 coordinates"
    for model in (KernelRidge, KernelLogistic):
        with pytest.raises(ValueError, match=told):
            model(method="falkon", landmarks=thin[:5, :2]).fit(thin, LABELS)


def test_centroids_need_points():
    with pytest.raises(ValueError, match="^landmarks: expected indices for"):
        falkon(K.dense(), drawn("centroids"), Y, 1.0)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (KernelRidge(0.0, method="falkon"), "ridge: expected a number above 0"),
        (KernelLogistic(0.0, method="falkon"), "ridge: expected"),
        (KernelLogistic(method="falkon", penalty="coefficients"), "penalty: expected"),
        (KernelRidge(method="falkon", kernel="linear"), "landmarks: expected some"),
        (KernelRidge(method="falkon", n_landmarks=0), "n_landmarks: expected"),
    ],
)
def test_a_learner_names_what_is_wrong(model, told):
    points = np.zeros_like(X) if getattr(model, "kernel", 0) == "linear" else X
    with pytest.raises(ValueError, match=f"^{told}"):
        model.fit(points, LABELS)
    assert not hasattr(model, "dual_coef_")


def test_an_approximation_is_no_matrix_to_ask():
    near = lowrank.nystrom(K, SOME)
    for model in (KernelRidge(method="falkon"), KernelLogistic(method="falkon")):
        with pytest.raises(ValueError, match="^X: expected points or a kernel matrix"):
            model.fit(near, LABELS)


@pytest.mark.parametrize("ridge", [1e-10, 1e-20, 1e-100])
@pytest.mark.parametrize("some", range(0, 30, 3))
def test_a_preconditioner_that_is_singular_is_an_error_or_told(some, ridge):
    """All of the weight on one point, of 30 landmarks: rank 1, and the ridge."""
    weights = (np.arange(N) == SOME[some]).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            assert falkon(K, SOME, Y, ridge, weights=weights).residual <= 1e-6
        except ValueError as error:
            assert str(error).startswith("ridge: expected a ridge above the rounding")
        except NotConverged as warning:
            assert "eigenvalue" not in str(warning)


def test_what_does_not_converge_is_told():
    with pytest.warns(NotConverged, match="^tol: expected a relative residual of 1e-"):
        found = falkon(K, SOME, Y, 1e-4, max_iterations=3)
    assert found.iterations == 3 and found.residual > 1e-6
    with pytest.warns(ConvergenceWarning, match="^tol: expected the gradient"):
        logistic_falkon(K, SOME, LABELS, 1e-4, max_iter=2)
