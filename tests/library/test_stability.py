"""By how much predictions move: against learners that are fitted, and errors."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from nystheory import ensemble, kernels, lowrank, sampling
from nystheory.certificates import trace_certificate
from nystheory.chapters import theorems
from nystheory.guarantees import (
    Guarantee,
    Guarantees,
    Stability,
    _own,
    columns_for_change,
    estimate,
    promises,
    stability,
)
from nystheory.guarantees._rules import BY_FEATURES as BY_FEATURES_RULE
from nystheory.learners import (
    GaussianProcess,
    KernelLogistic,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
)

RNG = np.random.default_rng(0)
POINTS = RNG.uniform(-2, 2, (40, 2))
NEW = RNG.uniform(-3, 3, (25, 2))
K = kernels.rbf(POINTS, gamma=0.5)
NEAR = lowrank.nystrom(K, [0, 7, 14, 21, 28])
LABELS = np.where(POINTS[:, 0] > 0.3, 1, -1)
Y = np.sin(POINTS[:, 0]) + POINTS[:, 1]
WITH_KERNEL = {"predict_with": "kernel"}
TRIANGLE = np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])
LEARNERS = {
    "ridge": (KernelRidge(1.0, **WITH_KERNEL), Y),
    "large ridge": (KernelRidge(500.0, **WITH_KERNEL), Y),
    "process": (GaussianProcess(2.0, **WITH_KERNEL), Y),
    "machine": (KernelSVC(0.5, **WITH_KERNEL), LABELS),
    "regression": (KernelSVR(0.5, epsilon=0.05, **WITH_KERNEL), Y),
}
every_learner = pytest.mark.parametrize("name", LEARNERS)
# With features of the columns in the place of the kernel.
BY_FEATURES = {
    "ridge": KernelRidge(1.0),
    "small ridge": KernelRidge(0.01, method="nystrom"),
    "regressors": KernelRidge(1.0, method="regressors"),
    "regressors, always": KernelRidge(1.0, method="regressors", **WITH_KERNEL),
    "process": GaussianProcess(1.0),
    "inducing": GaussianProcess(1.0, method="inducing"),
}
# Promises that are not on C W^+ C' of some columns.
NO_COLUMNS = ("uniform, in disjoint groups", "Gaussian sketch")
by_features = pytest.mark.parametrize("name", BY_FEATURES)


def values(learner, X, y):
    learner.fit(X, y)
    scores = getattr(learner, "decision_function", learner.predict)
    return scores(NEW)


@every_learner
def test_predictions_move_by_no_more(name):
    learner, y = LEARNERS[name]
    moved = np.abs(values(learner, NEAR, y) - values(learner, K, y)).max()
    surely = stability(learner, K, NEAR, y)
    closer = stability(learner, K, NEAR.spectral_reconstruction(), y)
    assert 0 < moved <= closer.bound <= surely.bound
    assert (surely.holds, surely.fails) == ("surely", 0)
    told = stability(learner, K, closer.change, y)
    assert told.bound == pytest.approx(closer.bound, rel=1e-9)


@every_learner
def test_the_number_is_that_of_the_line(name):
    learner, y = LEARNERS[name]
    found = stability(learner, K, 0.25, y)
    assert found.bound == theorems[found.id].right_side(found.claim, **found.at)
    assert found.bound == theorems[found.id].bound(claim=found.claim, **found.at)
    assert found.at["n"] == 40 and found.at["change_2"] == found.change == 0.25


def test_the_numbers_by_hand():
    # kappa M n / alpha^2 |K' - K| = 2 / 100, and sqrt(n) M / (2 alpha^(3/2)) = 0.0447.
    eye, one = np.eye(2), np.ones(2)
    found = stability(KernelRidge(10.0, **WITH_KERNEL), eye, 1.0, one)
    assert (found.claim, found.bound) == ("bound", pytest.approx(0.02))
    # For a small ridge the other one: sqrt 2 / 2 / 0.1^(3/2).
    found = stability(KernelRidge(0.1, **WITH_KERNEL), eye, 1.0, one)
    assert found.claim == "small ridge"
    assert found.bound == pytest.approx(np.sqrt(0.5) / 0.1**1.5)
    # C_0 sqrt(kappa |K' - K| / n) with C_0 = n C = 6.
    machine = KernelSVC(3.0, **WITH_KERNEL)
    assert stability(machine, eye, 0.5, [0, 1]).bound == pytest.approx(3)
    far = stability(machine, eye, 0.5, [0, 1], point_bound=4.0)
    assert far.bound == pytest.approx(6)
    regression = stability(KernelSVR(3.0, **WITH_KERNEL), eye, 0.5, [0, 1])
    assert regression.bound == pytest.approx(3 * np.sqrt(8 / (3 * np.sqrt(3))))


def test_kappa_is_the_largest_diagonal_entry():
    """Of diag(4, 1, 1): neither the mean, nor as far as the points are many."""
    diagonal, one = np.diag([4.0, 1, 1]), np.ones(3)
    # kappa M n / alpha^2 |K' - K| = 4 * 3 / 10^4 / 2.
    learner = KernelRidge(100.0, **WITH_KERNEL)
    found = stability(learner, diagonal, 0.5, one)
    assert found.at["point_bound"] == 4 and found.bound == pytest.approx(6e-4)
    # That is 1/2 of a trace of 6.
    asked = columns_for_change(learner, diagonal, 6e-4, one)
    assert asked.share == pytest.approx(1 / 12)
    # Of a promise the share of the trace: 3 * 4 / 10^4 * 6 / 4.
    row = Guarantee("modern:k-dpp-expectation", "m", "k", "trace", 0.25, {}, None)
    assert stability(learner, diagonal, row, one).change == pytest.approx(1.5)


def test_what_rounding_hides_counts():
    """An approximation that is exact but for rounding, which only adds to the bound."""
    X = np.random.default_rng(3).standard_normal((60, 3))
    K = kernels.linear(X).dense()
    near = lowrank.nystrom(K, [0, 1, 2])
    off = np.linalg.norm(near.spectral_reconstruction() - K, 2)
    found = stability(KernelRidge(1.0, **WITH_KERNEL), K, near, np.ones(60))
    certificate = trace_certificate(K, near)
    assert found.change >= off and certificate.value - certificate.error < off
    assert found.change == certificate.value + certificate.error > 0


def test_several_targets_are_as_the_largest():
    learner = KernelRidge(1.0, **WITH_KERNEL)
    both = stability(learner, K, 0.1, np.column_stack([Y, 3 * Y]))
    assert both.bound == pytest.approx(3 * stability(learner, K, 0.1, Y).bound)


def test_promises_tell_the_change_before_a_column_is_drawn():
    learner, y = LEARNERS["machine"]
    table = promises(K, 20)
    row = table.best("trace")
    found = stability(learner, K, row, y)
    assert found.change == pytest.approx(row.share * 40)
    assert found.holds == "on average" and row.id in found.source
    assert stability(learner, K, table, y).bound <= found.bound
    told = "modern:k-dpp-expectation", "m", "k", "trace", 0.1, {}, 0.25
    mine = Guarantee(*told, n=40, trace=40.0)
    assert stability(learner, K, mine, y).holds == "with probability 0.75"
    # Of which nobody knows whose promise it is.
    found = stability(learner, K, Guarantee(*told), y)
    assert found.holds == (
        "with probability 0.75, if the promise is one for K, as given"
    )


def test_a_promise_on_average_is_kept_on_average():
    learner, y = LEARNERS["machine"]
    row = promises(K, 8).of("modern:rpcholesky", "trace")
    found = stability(learner, K, row, y)
    exact, moved = values(learner, K, y), []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        near = lowrank.nystrom(K, sampling.rp_cholesky(K, 8, rng))
        moved.append(np.abs(values(learner, near, y) - exact).max())
    assert np.mean(moved) <= found.bound


# --- Features of the columns ----------------------------------------------------------


def exactly(learner):
    """The same learner, solved with all points."""
    return type(learner)(getattr(learner, "ridge", None) or learner.noise)


@by_features
def test_predictions_with_features_move_by_no_more(name):
    learner = BY_FEATURES[name]
    moved = np.abs(values(learner, NEAR, Y) - values(exactly(learner), K, Y)).max()
    surely = stability(learner, K, NEAR, Y)
    norm = np.linalg.norm(K.dense() - NEAR.spectral_reconstruction(), 2)
    closer = stability(learner, K, float(norm), Y)
    assert 0 < moved <= closer.bound <= surely.bound
    assert (surely.id, surely.holds) == ("modern:gp-inducing", "surely")
    assert surely.bound == theorems[surely.id].bound(claim=surely.claim, **surely.at)


def test_falkon_is_as_regressors():
    for way in ({}, WITH_KERNEL):
        learner = KernelRidge(1.0, method="falkon", landmarks=NEAR.landmarks, **way)
        moved = values(learner, K, Y) - values(exactly(learner), K, Y)
        found = stability(learner, K, NEAR, Y)
        assert 0 < np.abs(moved).max() <= found.bound
        same = stability(BY_FEATURES["regressors"], K, NEAR, Y)
        assert (found.id, found.bound) == (same.id, same.bound)
        assert columns_for_change(learner, K, 1.0, Y).rows
        with pytest.raises(ValueError, match="^known: expected a number") as told:
            stability(learner, K, K, Y)
        assert "predict_with" not in str(told.value)


@pytest.mark.parametrize("missed", [1e-6, 1e-3, 1.0, 100.0])
def test_the_worst_targets_come_near_the_bound(missed):
    """A point that the landmark does not see, and targets that only it has."""
    both, y = np.diag([1.0, missed]), np.array([0.0, 3.0])
    exact = KernelRidge(1.0, kernel="precomputed").fit(both, y)
    here = exact.predict(both[1:])[0]
    known = stability(KernelRidge(1.0), both, missed, y, point_bound=max(1.0, missed))
    own = known.bound * np.sqrt(missed / max(1.0, missed))
    assert here == pytest.approx(own / np.sqrt(1 + missed))
    if missed < 0.01:
        assert here > 0.99 * own


def test_features_by_hand():
    # sqrt(kappa e) |y| / sqrt(s (s + e)) with e = 2, |y| = 5, s = 2.
    found = stability(KernelRidge(2.0), np.eye(2), 2.0, [3, 4], point_bound=4.0)
    assert found.bound == pytest.approx(5)
    # Of several targets the longest column counts, not all of them together.
    both = stability(KernelRidge(2.0), np.eye(2), 2.0, [[3, 3], [4, 0]])
    assert both.bound == pytest.approx(2.5)


@pytest.mark.parametrize("size", [1e-170, 1e-100, 1e100, 1e170])
def test_the_bound_of_features_is_as_large_as_the_targets(size):
    """Squares would be 0 or infinite."""
    once = stability(KernelRidge(1.0), np.eye(2), 0.5, [3, 4]).bound
    far = stability(KernelRidge(1.0), np.eye(2), 0.5, [3 * size, 4 * size]).bound
    assert far == pytest.approx(once * size)
    if 1e-150 < size < 1e150:  # which a kernel matrix may have
        both = stability(KernelRidge(size), size * np.eye(2), size / 2, [3, 4]).bound
        assert both == pytest.approx(once)


def test_a_bound_is_never_nan():
    learner = KernelRidge(1e-170, **WITH_KERNEL)
    found = stability(learner, np.eye(3), 5.0, np.ones(3))
    assert found.claim == "small ridge" and found.bound > 1e200
    machine = KernelSVC(1e200, **WITH_KERNEL)
    with np.errstate(all="ignore"):
        assert stability(machine, np.eye(2), 0.5, [0, 1]).bound > 1e150
        with pytest.raises(ValueError, match="^learner: expected numbers whose bound"):
            BY_FEATURES_RULE.best(
                {"noise": 0.0, "norm_E": 0.0, "norm_y": 1.0, "point_bound": 1.0}
            )


def test_features_are_those_of_columns():
    """Neither a matrix, nor a mixture, nor columns that were truncated or replaced."""
    learner = KernelRidge(1.0)
    experts = ensemble.experts(K, [[0, 1, 2, 3], [10, 11, 12, 13]])
    centres = sampling.kmeans(K, 3, np.random.default_rng(0))
    refused = [
        K,
        NEAR.spectral_reconstruction(),
        ensemble.Ensemble(experts, [0.5, 0.5]),
        lowrank.nystrom(K, [0, 7, 14], 2),
        lowrank.best_rank_k(K, 3),
        lowrank.column_sampling(K, [0, 7, 14]),
        lowrank.nystrom(K, centres),
        *(Guarantee("x", "m", scheme, "trace", 0.1, {}, None) for scheme in NO_COLUMNS),
    ]
    for known in refused:
        with pytest.raises(ValueError, match="^known: expected a number, what"):
            stability(learner, K, known, Y)
    with pytest.raises(ValueError) as told:
        stability(KernelRidge(1.0, method="regressors"), K, K, Y)
    assert "predict_with" not in str(told.value)
    # Repeated columns are seen once; a rank above their number takes nothing away.
    twice = lowrank.nystrom(K, [0, 7, 7, 14])
    once = stability(learner, K, lowrank.nystrom(K, [0, 7, 14]), Y)
    assert stability(learner, K, twice, Y).bound == pytest.approx(once.bound)


def test_promises_for_features_are_for_columns():
    learner, table = KernelRidge(1.0), promises(K, 20, experts=2, mu_max=0.5)
    schemes = {row.scheme for row in table.rows}
    assert set(NO_COLUMNS) <= schemes
    rows = [row for row in table.rows if row.scheme in NO_COLUMNS]
    with pytest.raises(ValueError, match="^known: expected promises for columns, got"):
        stability(learner, K, Guarantees(40, 20, 40.0, tuple(rows), {}), Y)
    assert stability(learner, K, table, Y).bound > 0
    aim = stability(learner, K, 0.5, Y).bound
    found = columns_for_change(learner, K, aim, Y)
    assert found.rows and not set(NO_COLUMNS) & {r.at.scheme for r in found.rows}
    assert found.share * 40 == pytest.approx(0.5)


# --- Graphs ---------------------------------------------------------------------------


def test_labels_on_a_graph():
    learner = LaplacianRegression(2.0, graph="laplacian")
    found = stability(learner, TRIANGLE, 10 * TRIANGLE, [1, -1])
    one, two = (
        learner.fit(L, [1, -1], labelled=[0, 1]).values_
        for L in (TRIANGLE, 10 * TRIANGLE)
    )
    assert np.linalg.norm(two - one) == pytest.approx(27 / 124 * np.sqrt(2))
    # C_0 M / (sqrt l lambda_2 lambda_2') |L' - L| = 2 / (sqrt 2 * 3 * 30) * 27
    assert found.bound == pytest.approx(0.6 / np.sqrt(2))
    # From a number, the second smallest eigenvalue of L' is at least 3 - 1.
    near = stability(learner, TRIANGLE, 1.0, [1, -1])
    assert near.at["other_lambda_2"] == pytest.approx(2)
    assert near.bound == pytest.approx(2 / np.sqrt(2) / 6)


def test_a_graph_may_be_a_kernel_matrix():
    learner = LaplacianRegression(2.0, graph="laplacian")
    one, two = (kernels.DenseKernel(L) for L in (TRIANGLE, 10 * TRIANGLE))
    found = stability(learner, one, two, [1, -1])
    assert found.bound == stability(learner, TRIANGLE, 10 * TRIANGLE, [1, -1]).bound
    with pytest.raises(ValueError, match="^point_bound: expected none with a graph"):
        stability(learner, TRIANGLE, 0.1, [1, -1], point_bound=-7)


def test_graphs_that_may_fall_apart_are_told():
    learner = LaplacianRegression(2.0, graph="laplacian")
    with pytest.raises(ValueError, match="^known: .*surely connected"):
        stability(learner, TRIANGLE, 3.0, [1, -1])
    apart = np.zeros((2, 2))
    with pytest.raises(ValueError, match="^K: .*surely connected"):
        stability(learner, apart, 0.0, [1, -1])
    with pytest.raises(ValueError, match="^graph: expected 'laplacian'"):
        stability(LaplacianRegression(), TRIANGLE, 0.0, [1, -1])
    with pytest.raises(ValueError, match="^K: expected a Laplacian"):
        stability(learner, np.eye(3), 0.0, [1, -1])
    with pytest.raises(ValueError, match="^known: expected shape"):
        stability(learner, TRIANGLE, [[1, -1], [-1, 1]], [1, -1])
    with pytest.raises(ValueError, match="^y: expected labels of at most 3"):
        stability(learner, TRIANGLE, 0.1, [1, -1, 1, -1])


# --- Columns --------------------------------------------------------------------------


@every_learner
def test_so_many_columns_move_predictions_by_no_more(name):
    learner, y = LEARNERS[name]
    aim = stability(learner, K, 0.5, y).bound
    found = columns_for_change(learner, K, aim, y)
    assert found.share * 40 == pytest.approx(0.5) and found.norm == "trace"
    best = found.rows[0]
    row = promises(K, best.count).of(best.at.id, "trace")
    assert stability(learner, K, row, y).bound <= aim * (1 + 1e-9)


def test_theorem_5_9_is_reached_by_its_two_parts():
    """Proposition 5.1 and Corollary 5.6: as many columns, of equal points."""
    n, ridge, aim = 800, 800.0, 0.2
    case = np.ones((n, n))
    learner, y = KernelRidge(ridge, **WITH_KERNEL), np.ones(n)
    found = columns_for_change(learner, case, aim, y, norm="spectral", delta=0.05)
    row = found.of("talwalkar2010:cor-5.6")
    known = {"n": n, "alpha": ridge, "point_bound": 1.0, "largest_label": 1.0}
    known |= {"K_max": 1.0, "tail_2": 0.0, "delta": 0.05}

    def whole(count):
        ask = theorems["talwalkar2010:thm-5.9"].right_side
        names = ("bound", "small ridge")
        return min(ask(name, l=count, k=1, **known) for name in names)

    assert row.count <= min(c for c in range(1, n) if whole(c) <= aim)


def test_a_change_that_no_columns_are_asked_for():
    learner, y = LEARNERS["large ridge"]
    most = stability(learner, K, float(np.linalg.norm(K.dense(), 2)), y).bound
    with pytest.raises(ValueError, match="^change: expected less than"):
        columns_for_change(learner, K, 1.01 * most, y, norm="spectral")
    for none in (0.0, 1e-30, 1e-200):
        with pytest.raises(ValueError, match="^change: "):
            columns_for_change(learner, K, none, y)
    with pytest.raises(ValueError, match="^y: expected targets that are not all 0"):
        columns_for_change(KernelRidge(1.0), K, 0.1, 0 * y)
    with pytest.raises(ValueError, match="^norm: "):
        columns_for_change(learner, K, most / 2, y, norm="largest entry")


# --- The matrix of the learner --------------------------------------------------------

OTHER = RNG.uniform(-2, 2, (40, 2))
GIVEN = "if the change is at most 0.1, as given"


def fitted_on(X, n=40, **given):
    return KernelRidge(1.0, **given).fit(X, Y[:n])


@pytest.mark.parametrize(
    ("learner", "matrix", "told"),
    [
        (KernelRidge(1.0, gamma=7.0), K, "K: .*gamma=7.0, got .*gamma=0.5, n=40"),
        (KernelRidge(1.0, kernel="linear"), K, "K: .*kernel='linear', got .*RBF"),
        (KernelRidge(1.0, kernel="linear", gamma=0.5), K, "K: .*kernel='linear'"),
        (KernelRidge(1.0, gamma="scale"), K, "K: .*gamma='scale'"),
        (
            KernelRidge(1.0, kernel="poly", kernel_params={"degree": 2}),
            K,
            "K: .*degree",
        ),
        (KernelRidge(1.0, gamma=7.0), 2 * np.eye(40), "K: .*diagonal is 1, .*up to 2"),
        (fitted_on(OTHER), K, r"K: .*was fitted on, .*where K\[\d+, \d+\] is"),
        (fitted_on(POINTS, gamma=7.0), K, "K: .*was fitted on, .*gamma=7"),
        (fitted_on(OTHER), K.dense(), "K: .*was fitted on"),
        (fitted_on(POINTS[:30], 30), K, "learner: expected .* 40 points of K.* on 30"),
        (fitted_on(np.eye(40), kernel="precomputed"), K, "K: .*was fitted on"),
        (fitted_on(NEAR.spectral_reconstruction(), kernel="precomputed"), K, "K: "),
        (fitted_on(POINTS).set_params(gamma=7.0), K, "K: .*gamma=7.0"),
        (fitted_on(lowrank.nystrom(K, [3, 5])), K.on(OTHER), "K: .*fitted on"),
    ],
)
def test_a_matrix_that_is_not_the_learners_is_an_error(learner, matrix, told):
    with pytest.raises(ValueError, match=f"^{told}"):
        stability(learner, matrix, 0.1, Y)
    with pytest.raises(ValueError, match=f"^{told}"):
        columns_for_change(learner, matrix, 0.5, Y)


@pytest.mark.parametrize(
    ("learner", "matrix"),
    [
        (KernelRidge(1.0), K),
        (KernelRidge(1.0, gamma=0.5), K),
        (KernelRidge(1.0, gamma=np.float32(0.5)), K),
        (KernelRidge(1.0, kernel="rbf", gamma=0.5), kernels.pairwise(POINTS, "rbf")),
        (KernelRidge(1.0, gamma="scale"), kernels.rbf(POINTS)),
        (KernelRidge(1.0, gamma=0.5), kernels.rbf(POINTS.astype(np.float32), 0.5)),
        (KernelRidge(1.0, kernel="precomputed"), K),
        (fitted_on(POINTS), K),
        (fitted_on(POINTS), K.dense()),
        (fitted_on(POINTS, gamma=0.5), K.dense()),
        (fitted_on(POINTS.astype(np.float32)), K),
        (fitted_on(POINTS + 1e4), kernels.rbf(POINTS + 1e4, 0.5).dense()),
        (fitted_on(K), K),
        (fitted_on(NEAR), K.dense()),
        (fitted_on(K.dense(), kernel="precomputed"), K),
        (fitted_on(K.dense().astype(np.float32), kernel="precomputed"), K.dense()),
        (fitted_on(kernels.linear(POINTS), kernel="linear"), kernels.linear(POINTS)),
    ],
)
def test_the_matrix_of_the_learner_is_taken(learner, matrix):
    found = stability(learner, matrix, 0.1, Y)
    assert found.given == ("the change is at most 0.1",) and found.bound > 0
    assert columns_for_change(learner, matrix, 0.5, Y).given == ()


def test_a_bound_of_zero_says_something():
    found = stability(KernelRidge(1.0), K, NEAR, np.zeros(40))
    assert found.bound == 0 and found.says and "nothing" not in repr(found)


def test_a_learner_of_sparse_points():
    X = sparse.csr_array(np.abs(POINTS))
    linear = kernels.linear(X.toarray())
    learner = fitted_on(X, kernel="linear")
    assert stability(learner, linear, 0.1, Y).given == ("the change is at most 0.1",)
    with pytest.raises(ValueError, match="^K: .*was fitted on"):
        stability(learner, kernels.linear(OTHER), 0.1, Y)
    own = learner.kernel_
    assert stability(KernelRidge(1.0, kernel="linear"), own, 0.1, Y).bound > 0
    with pytest.raises(ValueError, match="^K: .*kernel='poly'"):
        stability(KernelRidge(1.0, kernel="poly"), own, 0.1, Y)


def test_a_learner_may_be_fitted_on_what_K_is_replaced_by():
    whole = NEAR.spectral_reconstruction()
    whole = (whole + whole.T) / 2
    for given in (whole, kernels.DenseKernel(whole)):
        learner = fitted_on(whole, kernel="precomputed", **WITH_KERNEL)
        assert stability(learner, K, given, Y).holds == "surely"


def test_what_was_not_compared_is_said():
    learner = KernelRidge(1.0, gamma=7.0)
    found = stability(learner, K.dense(), 0.0, Y)
    told = "K is the matrix of the learner's kernel, kernel='rbf', gamma=7.0"
    assert told in found.given and told in found.holds and told in repr(found)
    assert told in found._repr_html_() and "surely" not in repr(found)
    asked = columns_for_change(learner, K.dense(), 0.5, Y)
    assert told in str(asked) and told in asked._repr_html_()
    # Of its points a learner with the usual kernel would make another one.
    wide = kernels.rbf(POINTS, gamma=0.1)
    near = lowrank.nystrom(wide, [0, 7, 14, 21, 28])
    found = stability(KernelRidge(1.0), wide, near, Y)
    assert "fitted on K itself" in found.holds and "gamma = 0.5" in found.holds
    fitted = stability(KernelRidge(1.0).fit(wide, Y), wide, near, Y)
    assert fitted.holds == "surely"
    # Of an array it would make a kernel of points, which its rows are not.
    stored = lowrank.nystrom(K.dense(), [0, 7, 14])
    found = stability(KernelRidge(1.0), K.dense(), stored, Y)
    assert "fitted on K itself, as_kernel(K)" in found.holds
    told = stability(KernelRidge(1.0, kernel="precomputed"), K.dense(), stored, Y)
    assert told.holds == "surely where K(x, x) <= 1"
    # An approximation that was made by hand knows no kernel.
    F = np.array(NEAR.factor)
    hand = lowrank.LowRank("by hand", 40, None, 5, 5, False, lambda: None, F)
    found = stability(KernelRidge(1.0).fit(hand, Y), K, NEAR, Y)
    assert "approximation was made of" in found.holds


def test_an_estimate_is_compared_with_the_learner():
    known = estimate(K, lowrank.nystrom(K, range(0, 40, 2)))
    aim = stability(KernelRidge(1.0), K, 1.0, Y).bound
    assert columns_for_change(KernelRidge(1.0, gamma=0.5), known, aim, Y).rows
    with pytest.raises(ValueError, match="^K: .*gamma=7.0"):
        columns_for_change(KernelRidge(1.0, gamma=7.0), known, aim, Y)


def test_promises_are_for_this_matrix():
    learner, half = KernelRidge(1.0, kernel="precomputed"), K.dense() / 2
    table = promises(half, 20)
    for known in (table, table.best("trace")):
        with pytest.raises(ValueError, match="^known: .*trace is 40, got .* of 20"):
            stability(learner, K, known, Y)
        assert stability(learner, half, known, Y).bound > 0
    with pytest.raises(ValueError, match="^known: expected promises for 40 points"):
        stability(learner, K, promises(np.eye(30), 5).best("trace"), Y)


# --- What surely means ----------------------------------------------------------------


@every_learner
def test_a_number_that_nobody_checked_is_not_surely(name):
    learner, y = LEARNERS[name]
    found = stability(learner, K, 0.1, y)
    assert found.holds == GIVEN and found.fails == 0
    assert GIVEN in repr(found) and GIVEN in found._repr_html_()
    assert "surely" not in repr(found) + found._repr_html_()


def test_a_number_for_a_graph_is_not_surely():
    learner = LaplacianRegression(2.0, graph="laplacian")
    assert stability(learner, TRIANGLE, 0.1, [1, -1]).holds == GIVEN
    assert stability(learner, TRIANGLE, 2 * TRIANGLE, [1, -1]).holds == "surely"


def test_a_bound_says_at_which_points_it_holds():
    linear = kernels.linear(POINTS)
    near = lowrank.nystrom(linear, [0, 7])
    learner = KernelRidge(10.0, kernel="linear")
    kappa = float(linear.diagonal().max())
    found = stability(learner, linear, near, Y)
    assert found.where == f"where K(x, x) <= {kappa:.6g}"
    assert found.holds == f"surely {found.where}" and found.where in repr(found)
    far = stability(learner, linear, near, Y, point_bound=100.0)
    assert far.holds == "surely where K(x, x) <= 100" and far.bound > found.bound
    assert stability(learner, linear, 0.1, Y).holds == f"{found.where}, {GIVEN}"
    # Of the Gaussian kernel it is 1 everywhere.
    assert stability(KernelRidge(1.0), K, NEAR, Y).where == ""
    asked = columns_for_change(learner, linear, found.bound, Y)
    assert f"no more {found.where}" in str(asked)


def test_the_norm_of_a_difference_counts_its_rounding():
    """Of rank one, where the largest eigenvalue is known: n / 3, in fractions."""
    n = 50
    K, other = np.ones((n, n)), np.full((n, n), 4 / 3)
    true = n * (Fraction(4 / 3) - 1)
    learner = KernelRidge(1.0, kernel="precomputed", **WITH_KERNEL)
    found = stability(learner, K, other, np.ones(n))
    assert true <= Fraction(found.change) <= true * (1 + Fraction(n + 3, 2**52))
    # In float32 neither is rounded again.
    some = [M.astype(np.float32) for M in (K, other)]
    true = n * (Fraction(float(some[1][0, 0])) - 1)
    found = stability(learner, *some, np.ones(n))
    assert true <= Fraction(found.change) <= true * (1 + Fraction(n + 3, 2**52))


@pytest.mark.parametrize("which", ["K", "known"])
def test_both_matrices_are_semidefinite(which):
    """Also those that are wrapped without a check, or too large for a whole one."""
    n = 1100
    good, bad = np.eye(n), np.eye(n)
    # Of points that a sample of 1000 leaves out, and no pair of them shows it.
    left = sorted({*range(n)} - {*np.linspace(0, n - 1, 1000).astype(int)})[:3]
    bad[np.ix_(left, left)] = 1.6 * np.eye(3) - 0.6
    if which == "known":
        one, two = good, bad
    else:
        one, two = bad, good
    learner = KernelRidge(1.0, kernel="precomputed", **WITH_KERNEL)
    with pytest.raises(ValueError, match=f"^{which}: expected a positive semidef"):
        stability(learner, one, two, np.ones(n))
    small = kernels.DenseKernel(np.array([[1.0, 2], [2, 1]]))
    both = (np.eye(2), small) if which == "known" else (small, np.eye(2))
    with pytest.raises(ValueError, match=f"^{which}: expected a positive semidef"):
        stability(learner, *both, np.ones(2))


@every_learner
def test_a_bound_above_the_targets_says_nothing(name):
    learner, y = LEARNERS[name]
    small, large = (stability(learner, K, x, y) for x in (1e-6, 1e6))
    size = 1 if name == "machine" else np.abs(y).max()
    assert small.size == large.size == size and small.says and not large.says
    assert "nothing: targets are up to" in repr(large)
    assert "nothing: targets are up to" in large._repr_html_()
    assert "nothing" not in repr(small) + small._repr_html_()


# --- What is not told -----------------------------------------------------------------


@pytest.mark.parametrize("call", [stability, columns_for_change])
@pytest.mark.parametrize(
    "learner", [KernelLogistic(**WITH_KERNEL), KernelRidge, "ridge", None]
)
def test_another_learner_is_told(call, learner):
    with pytest.raises(TypeError, match="^learner: expected KernelRidge, Gaussian"):
        call(learner, K, 0.1, Y)


def test_columns_of_a_graph_are_not_asked_for():
    with pytest.raises(TypeError, match="KernelSVC or KernelSVR"):
        columns_for_change(LaplacianRegression(), K, 0.1, Y)


@pytest.mark.parametrize(
    ("learner", "told"),
    [
        (KernelRidge(0.0, **WITH_KERNEL), "ridge: expected a number above 0"),
        (KernelRidge(-1.0, **WITH_KERNEL), "ridge: "),
        (KernelRidge(0.0), "ridge: expected a number above 0"),
        (GaussianProcess(0.0), "noise: "),
        (KernelRidge(1.0, predict_with="columns"), "predict_with: "),
        (KernelRidge(1.0, method="sampled"), "method: "),
        (KernelRidge(1.0, method="preconditioned"), "method: "),
        (KernelSVC(1.0), "predict_with: expected 'kernel'"),
        (KernelSVC(0.0, **WITH_KERNEL), "C: "),
        (KernelSVR(1.0, epsilon=-1.0, **WITH_KERNEL), "epsilon: "),
    ],
)
def test_a_hypothesis_that_is_not_met_is_told(learner, told):
    with pytest.raises(ValueError, match=f"^{re.escape(told)}"):
        stability(learner, K, 0.1, LABELS)


def test_an_exact_learner_may_predict_as_it_likes():
    assert stability(KernelRidge(1.0, method="exact"), K, 0.1, Y).bound > 0


@pytest.mark.parametrize(
    ("known", "error", "told"),
    [
        (-0.1, ValueError, "known: "),
        (np.nan, ValueError, "known: "),
        ([[1.0], [1.0, 2.0]], ValueError, "known: "),
        ("0.1", TypeError, "known: "),
        (None, TypeError, "known: "),
        (np.eye(3), ValueError, "known: expected shape"),
        (-np.eye(40), ValueError, "known: "),
        (Guarantees(40, 5, 40.0, (), {}), ValueError, "known: expected at least one"),
        (
            Guarantees(30, 5, 30.0, (), {}),
            ValueError,
            "known: expected promises for 40 points, got some for 30",
        ),
        (
            Guarantee("modern:geometry", "volume", "s", "largest entry", 0.1, {}, 0.0),
            ValueError,
            "known: expected a promise on one of",
        ),
        (
            Guarantee("modern:rpcholesky", "mean", "s", "trace", np.inf, {}, None),
            ValueError,
            "known: expected a promise on one of",
        ),
    ],
)
def test_what_tells_nothing_of_the_change(known, error, told):
    with pytest.raises(error, match=f"^{re.escape(told)}"):
        stability(LEARNERS["ridge"][0], K, known, Y)


def test_an_approximation_that_is_not_below():
    near = lowrank.column_sampling(K, [0, 7, 14])
    with pytest.raises(ValueError, match="^known: .* lies between 0 and K"):
        stability(LEARNERS["ridge"][0], K, near, Y)
    other = lowrank.nystrom(kernels.rbf(POINTS[:20], gamma=0.5), [0, 7])
    with pytest.raises(ValueError, match="^known: expected one of K, of shape .40, 40"):
        stability(LEARNERS["ridge"][0], K, other, Y)


def test_a_mixture_tells_its_change():
    experts = ensemble.experts(K, [[0, 1, 2, 3], [10, 11, 12, 13]])
    mixture = ensemble.Ensemble(experts, [0.5, 0.5])
    assert stability(LEARNERS["ridge"][0], K, mixture, Y).bound > 0


@pytest.mark.parametrize(
    ("name", "y"),
    [
        ("ridge", Y[:3]),
        ("ridge", [np.nan] * 40),
        ("machine", np.ones(40)),
        ("machine", np.arange(40) % 3),
        ("regression", Y[:3]),
    ],
)
def test_targets_are_checked(name, y):
    with pytest.raises(ValueError, match="^y: "):
        stability(LEARNERS[name][0], K, 0.1, y)


def test_a_process_has_one_target():
    for learner in (GaussianProcess(1.0), LEARNERS["process"][0]):
        with pytest.raises(ValueError, match="^y should be a 1d array"):
            stability(learner, K, 0.1, np.ones((40, 2)))


def test_points_are_within_the_bound():
    with pytest.raises(ValueError, match="^point_bound: expected at least"):
        stability(LEARNERS["ridge"][0], K, 0.1, Y, point_bound=0.5)
    with pytest.raises(ValueError, match="^point_bound: "):
        stability(LEARNERS["ridge"][0], K, 0.1, Y, point_bound=0.0)


def test_a_result_is_shown():
    found = stability(LEARNERS["ridge"][0], K, 0.1, Y)
    assert repr(found).startswith("Stability(predictions move by at most")
    assert "prop-5.1" in repr(found) and isinstance(found, Stability)
    shown, theorem = found._repr_html_(), theorems["talwalkar2010:prop-5.1"]
    assert (theorem.book_number or theorem.number) in shown


def test_every_entry_of_two_stored_matrices_is_compared():
    """Two entries that differ, in rows that are not among those that are sampled."""
    X = np.random.default_rng(0).standard_normal((100, 2))
    K = kernels.rbf(X, 0.1).dense()
    other = K.copy()
    other[1, 4] = other[4, 1] = K[1, 4] - 1e-3
    gap = _own._gap(*map(kernels.DenseKernel, (K, other)))
    assert gap == (1, 4)
