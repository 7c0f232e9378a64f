"""Every number of the library that speaks of certainty has an oracle that can fail.

The table below names, for each public object whose docstring speaks of certainty, the
tests that hold its numbers by a second route: by hand, by enumeration or by a search
for the worst case.  A search is asked twice: nothing is beyond an end that is stated,
and something comes near it, so that an end that is a tenth too near or too far is seen.
"""

import ast
import inspect
import re
import warnings
from importlib import import_module
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from of_promises import world_of
from scipy.sparse.csgraph import shortest_path
from sklearn.neighbors import kneighbors_graph

from nystheory import certificates, coherence, guarantees, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.engine.promises.known import Known
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.features import (
    NystromFeatures,
    RandomFourierFeatures,
    _accuracy,
)
from nystheory.guarantees import _ends
from nystheory.learners import (
    GaussianProcess,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
    Preconditioner,
    conjugate_gradients,
    restricted,
    tolerated_error,
)
from nystheory.manifold import Isomap, NegativeEigenvalues

HERE = "test_certainty"
ROOMS = "kernels sampling lowrank ensemble coherence certificates features learners "
ROOMS = (ROOMS + "manifold selection guarantees").split()
# What a docstring says of a number that speaks of certainty.
SPEAKS = re.compile(
    r"\bsurely\b|\bguarante|\bwith certainty\b|standard error|certif|\bbounds?\b|enclos"
    r"|duality gap|\bresidual_?\b|\bmay fail\b|\bcertain\b|\brounding may\b",
    re.I,
)
_ENCLOSED = (f"{HERE}.test_no_enclosure_is_left_and_every_end_is_nearly_met",)
_BETWEEN = (
    "test_selection_enclosure.test_ends_hold_in_fractions",
    "test_selection_enclosure.test_the_lower_end_is_attained_by_one_missed_direction",
)
_PROMISED = (
    "test_guarantees.test_a_row_is_the_promise_at_its_best",
    "test_guarantees.test_leverage_promises_by_hand",
    f"{HERE}.test_a_promise_fails_as_often_as_its_line_says",
)
_COUNTED = (
    "test_rounding.test_columns_are_fewer_than_points_and_the_first_that_are_enough",
    "test_required_landmarks.test_it_answers_what_the_table_of_columns_answers",
)
_MOVED = (
    f"{HERE}.test_what_the_bound_reads_of_labels",
    f"{HERE}.test_labels_on_graphs_move_by_no_more_and_nearly_so_much",
    "test_stability.test_the_numbers_by_hand",
    "test_stability.test_predictions_move_by_no_more",
    "test_stability.test_the_worst_targets_come_near_the_bound",
)
_ESTIMATED = (
    f"{HERE}.test_no_end_of_an_estimate_is_left_and_every_one_is_nearly_met",
    "test_estimates.test_every_quantity_lies_between_its_ends",
)
_LEFT_OUT = (
    f"{HERE}.test_a_standard_error_is_that_of_terms_left_out_one_by_one",
    f"{HERE}.test_a_standard_error_is_the_scatter_of_independent_terms",
    "test_certificates.test_estimates_are_unbiased",
)
_CERTIFIED = (
    "test_certificates.test_certificates_bound_every_norm",
    f"{HERE}.test_a_floor_of_rounding_covers_what_float64_loses",
    "test_rounding.test_what_a_singular_core_lifts_above_K_is_allowed_for",
    "test_rounding.test_digits_are_those_of_what_has_fewest",
)
_BLURRED = (
    "test_rounding.test_blur_moves_the_ends",
    "test_lowrank_accuracy.test_the_error_is_below_what_rounding_allows",
)
_GAPS = ("test_learners_agree.test_the_gap_is_primal_minus_dual_and_certified",)
_DRAWN = (
    f"{HERE}.test_norms_of_what_drawn_features_miss",
    f"{HERE}.test_ends_of_what_drawn_features_miss_are_met",
    "test_random_features.test_what_is_likely_holds_as_often_as_it_says",
    "test_random_features.test_what_is_likely_of_one_entry_and_of_all_is_by_hand",
    "test_random_features.test_the_root_mean_square_is_that_over_draws",
    "test_random_features.test_a_matern_kernel_is_right_to_the_digits_that_it_states",
)
_RESIDUALS = (f"{HERE}.test_a_residual_is_that_of_the_solution",)
_DIMENSIONS = (
    "test_effective_dimension.test_ends_hold_in_fractions_rounding_included",
    "test_effective_dimension.test_ends_from_an_approximation_are_nearly_met_and_the_nearest",
    "test_effective_dimension.test_coverage_counted_over_all_samples",
    "test_effective_dimension.test_the_upper_end_is_nearly_met_and_needs_its_factor",
    "test_effective_dimension.test_the_deviation_of_a_poisson_number",
)
_OF_LAWS = ("test_effective_dimension.test_coverage_of_a_law_counted_over_all_draws",)
_ENVELOPES = (
    "test_decay.test_an_envelope_is_above_all_and_touches",
    "test_decay.test_bounds_are_nearly_met",
)
_PROJECTED = (
    "test_landmarks_for_learning.test_the_projection_is_that_of_the_source",
    "test_landmarks_for_learning.test_ends_of_a_projection_hold_to_the_last_digit",
)
# By the name of the public object; each oracle is a module of tests and a test in it.
ORACLES = {
    "certificates.Estimate": (*_LEFT_OUT, *_CERTIFIED),
    "certificates.entry_certificate": _CERTIFIED,
    "certificates.leave_one_out_frobenius": _LEFT_OUT,
    "certificates.leave_one_out_trace": _LEFT_OUT,
    "certificates.trace_certificate": _CERTIFIED,
    "coherence.Enclosure": _ENCLOSED,
    "coherence.approximate_effective_dimension": _ENCLOSED,
    "coherence.approximate_leverage_scores": _ENCLOSED,
    "coherence.approximate_of_matrix": _ENCLOSED,
    "coherence.approximate_ridge_scores": _ENCLOSED,
    "coherence.approximate_stable_rank": _ENCLOSED,
    "ensemble.Ensemble.blur": _BLURRED,
    "features.Accuracy": _DRAWN,
    "features.NystromFeatures": (
        f"{HERE}.test_features_miss_what_is_certified_and_no_more_than_the_tolerance",
    ),
    "features.NystromFeatures.fit": (
        "test_features.test_the_certificate_is_the_true_trace_error",
    ),
    "features.RandomFourierFeatures.error": _DRAWN,
    "guarantees.Columns": _COUNTED,
    "guarantees.Decay.dimension_bound": _ENVELOPES,
    "guarantees.Decay.envelope": _ENVELOPES,
    "guarantees.Demand": _COUNTED,
    "guarantees.Demands": _COUNTED,
    "guarantees.Dimension": _DIMENSIONS,
    "guarantees.Dimension.certain": _DIMENSIONS,
    "guarantees.Dimension.holds": _DIMENSIONS,
    "guarantees.Fit": (
        "test_decay.test_an_approximation_encloses_the_fit_of_the_matrix",
        "test_decay.test_the_slope_itself_lies_within_rounding_included",
    ),
    "guarantees.Guarantee": _PROMISED,
    "guarantees.Guarantee.holds": ("test_guarantees.test_nothing_found_is_not_surely",),
    "guarantees.Guarantees": _PROMISED,
    "guarantees.Guarantees.best": _PROMISED,
    "guarantees.Guarantees.of": _PROMISED,
    "guarantees.Prescription.projection": _PROJECTED,
    "guarantees.Projection": _PROJECTED,
    "guarantees.Projection.holds": _PROJECTED,
    "guarantees.Stability": _MOVED,
    "guarantees.Stability.holds": _MOVED,
    "guarantees.columns": _COUNTED,
    "guarantees.columns_for_change": (
        "test_stability.test_so_many_columns_move_predictions_by_no_more",
    ),
    "guarantees.effective_dimension": _DIMENSIONS,
    "guarantees.estimate": _ESTIMATED,
    "guarantees.know": _PROMISED,
    "guarantees.population_dimension": _OF_LAWS,
    "guarantees.promises": _PROMISED,
    "guarantees.required_landmarks": _COUNTED,
    "guarantees.stability": _MOVED,
    "learners.GaussianProcess": (
        f"{HERE}.test_the_variance_with_inducing_points_at_landmarks",
    ),
    "learners.KernelPCA": (
        "test_learners_agree.test_the_residual_and_the_projections_are_their_definitions",
    ),
    "learners.KernelRidge": _RESIDUALS,
    "learners.KernelSVC": _GAPS,
    "learners.KernelSVR": (
        "test_learners_agree.test_the_gap_of_regression_is_primal_minus_dual",
    ),
    "learners.NotConverged": _RESIDUALS,
    "learners.Preconditioner.condition": (
        f"{HERE}.test_the_condition_is_bounded_and_nearly_reached",
    ),
    "learners.Solution": _RESIDUALS,
    "learners.SubspaceClassifier": (
        "test_subspace_classifier.test_the_gap_is_primal_minus_dual_in_fractions",
        "test_subspace_classifier.test_the_gap_of_a_smooth_loss_is_that_of_its_gradient",
        "test_subspace_classifier.test_the_gap_bounds_what_is_above_the_minimum",
    ),
    "learners.conjugate_gradients": _RESIDUALS,
    "learners.falkon": (
        "test_falkon.test_a_residual_is_that_of_the_coefficients",
        "test_falkon.test_predictions_differ_by_what_the_residual_tells_and_nearly_so_much",
    ),
    "learners.logistic_falkon": (
        "test_falkon.test_a_gradient_is_that_of_the_coefficients_and_tells_how_far_it_is",
    ),
    "learners.restricted": (
        f"{HERE}.test_a_residual_of_regressors_is_that_of_their_solution",
    ),
    "learners.tolerated_error": (
        f"{HERE}.test_what_is_tolerated_is_enough_and_no_less",
    ),
    "lowrank.Factored.logdet": (f"{HERE}.test_a_determinant_of_less_is_less",),
    "lowrank.LowRank": _CERTIFIED,
    "lowrank.LowRank.blur": _BLURRED,
    "manifold.Isomap": (f"{HERE}.test_isomap_tells_the_trace_that_is_left_out",),
    "manifold.LandmarkMDS": (
        "test_manifold.test_landmark_mds_is_nystrom_of_the_kernel_centred_at_the_landmarks",
    ),
    **dict.fromkeys(("selection.Enclosure", "selection.enclosure"), _BETWEEN),
    **dict.fromkeys(
        (
            *("selection.KernelSelector", "selection.select", "selection.Outcome"),
            *("selection.Outcome.certain", "selection.Outcome.summary"),
        ),
        ("test_selection_select.test_what_is_certain_is_true",),
    ),
}
# What speaks of certainty and tells no number of its own.
NO_NUMBER = {
    "guarantees.Bound": "a line of a theorem, which is verified",
    "guarantees.Catalogue": "the lines of theorems",
    "guarantees.catalogue": "the lines of theorems",
    "guarantees.landmarks_for_learning": "rates, and says that they are none",
    "guarantees.Prescriptions": "rates, and says that they are none",
    "guarantees.Prescriptions.of": "a row of these",
    "guarantees.Stability.says": "whether a bound is below the targets",
    "kernels.same_matrix": "whether two matrices are one",
    "learners.Learner": "what type its numbers keep; theirs have oracles of their own",
    "sampling.rp_cholesky": "the residual of a pivot is a step of the scheme",
    "sampling.sgma": "the residual of a column is a step of the scheme",
}


def told(thing) -> str:
    """What a docstring says, without its errors and sources."""
    words = inspect.getdoc(thing) or ""
    for section in ("Raises", "References"):
        whole = rf"{section}\n-+\n.*?(?=\n\n\w[\w ]*\n-+|\Z)"
        words = re.sub(whole, "", words, flags=re.S)
    return words


def public() -> dict:
    """Public functions and classes of the library, with what these show, by name."""
    found = {}
    for room in ROOMS:
        module = import_module(f"nystheory.{room}")
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                found[f"{room}.{name}"] = thing
            for part, each in vars(thing).items() if inspect.isclass(thing) else ():
                each = getattr(each, "fget", None) or getattr(each, "func", each)
                if not part.startswith("_") and inspect.isfunction(each):
                    found[f"{room}.{name}.{part}"] = each
    return found


def test_every_number_that_speaks_of_certainty_has_an_oracle():
    """A new one is red until it has a line in the table, or says no number."""
    speaks = {name for name, thing in public().items() if SPEAKS.search(told(thing))}
    speaks.add("certificates.leave_one_out_frobenius")  # as its twin, by its name
    assert speaks == set(ORACLES) | set(NO_NUMBER)
    assert not set(ORACLES) & set(NO_NUMBER)


def test_every_oracle_is_a_test():
    here = Path(__file__).parent
    for oracle in {each for some in ORACLES.values() for each in some}:
        module, _, name = oracle.partition(".")
        tree = ast.parse((here / f"{module}.py").read_text("utf-8"))
        defined = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        assert name in defined, oracle


# --- Small matrices on which ends are met ---------------------------------------------


def matrices(count):
    """Small kernel matrices, each with the number of its sampled columns.

    Diagonal ones, where what is missed is a direction of its own; one group and copies
    of it, where it is spread; eigenvalues of all sizes in directions of all kinds.
    """
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 7))
        values = 10.0 ** rng.uniform(-4, 1, n)
        level = np.where(np.arange(n) <= n // 2, 1.0, 10.0 ** rng.uniform(-6, 0))
        turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
        K = (
            np.diag(values),
            np.diag(level),
            np.eye(n) + 10.0 ** rng.uniform(-3, 3),
            (turn * values) @ turn.T,
        )[seed % 4]
        order = rng.permutation(n)
        yield rng, K[np.ix_(order, order)], int(rng.integers(1, n))


def nearness(cases, slack=1e-9):
    """How near the truth came to each end, none of which it may pass.

    Of (low, true, high): the largest low / true and true / high.
    """
    nearest = np.zeros(2)
    for low, true, high in cases:
        low, true, high = (np.ravel(x).astype(float) for x in (low, true, high))
        assert (low <= true * (1 + slack) + slack).all(), (low, true)
        assert (true <= high * (1 + slack) + slack).all(), (true, high)
        some = true > 1e-6
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (low / true)[some], (true / high)[some]
        for end, share in enumerate(shares):
            nearest[end] = max(nearest[end], share.max(initial=0.0))
    return nearest


# Least ends that say only that nothing is below zero.
NOTHING_BELOW = ("symmetric_ratio", "trace_after_pivots", "trace_after_blocks")
YES_OR_NO = ("constant_diagonal",)


@pytest.fixture(scope="module")
def estimated():
    """Ends of an estimate and true values, of each quantity, where much is missed."""
    found = {name: [] for name in _ends.ENDS}
    for rng, K, l in matrices(320):  # noqa: E741
        count = int(rng.integers(1, len(K)))
        given = {"alpha": 10.0 ** rng.uniform(-2, 2), "block_size": 1, "scores": None}
        size = {"count": count, "rank": int(rng.integers(1, count + 1)), **given}
        known = guarantees.estimate(K, lowrank.nystrom(K, range(l)))
        exact = Known(Instance(K, [0], 1), 1, 1)
        scores = exact.but(**given).measured(QUANTITIES["ridge_scores"]).value
        exact = exact.but(**{**size, "scores": scores})
        if known.missed < 1e-3 * np.trace(K):
            continue
        for name in set(found) - {*YES_OR_NO}:
            with np.errstate(all="ignore"):
                case = Known.of(known.but(**size), world_of(name))
                low, high = _ends.ENDS[name](known.matrix, case)
            true = Known.of(exact, case.world).measured(case.quantities[name]).value
            if np.isfinite([low, true, high]).all():
                found[name].append((low, true, high))
    return found


@pytest.mark.parametrize("name", sorted(set(_ends.ENDS) - {*YES_OR_NO}))
def test_no_end_of_an_estimate_is_left_and_every_one_is_nearly_met(name, estimated):
    low, high = nearness(estimated[name])
    assert high > 0.95
    assert low > 0.95 or name in NOTHING_BELOW


def enclosed():
    """Enclosures and true values of what they enclose, by name."""
    found = {}
    for rng, K, l in matrices(200):  # noqa: E741
        near, n = lowrank.nystrom(K, range(l)), len(K)
        values, vectors = np.linalg.eigh(K)
        values, vectors = values[::-1], vectors[:, ::-1]
        k, alpha = int(rng.integers(1, n)), 10.0 ** rng.uniform(-3, 3)
        scores = np.diag(K @ np.linalg.inv(K + alpha * np.eye(n)))
        true = {
            "ridge scores": scores,
            "effective dimension": scores.sum(),
            "stable rank": values[k:].sum() / max(values[k], 1e-300),
        }
        told = {
            "ridge scores": coherence.approximate_ridge_scores(K, near, alpha),
            "effective dimension": coherence.approximate_effective_dimension(
                K, near, alpha
            ),
            "stable rank": coherence.approximate_stable_rank(K, near, k),
        }
        if values[k - 1] > values[k] * 1.001:  # else they are not determined
            leading = (vectors[:, :k] ** 2).sum(axis=1)
            true |= {"leverage scores": leading, "coherence": n / k * leading.max()}
            told |= {
                "leverage scores": coherence.approximate_leverage_scores(K, near, k),
                "coherence": coherence.approximate_of_matrix(K, near, k),
            }
            true["coherence"] = n * leading.max()
        for name, each in told.items():
            found.setdefault(name, []).append((each.low, true[name], each.high))
    return found


def test_no_enclosure_is_left_and_every_end_is_nearly_met():
    found = enclosed()
    assert len(found) == 5
    for name, cases in found.items():
        low, high = nearness(cases, 1e-7)
        assert low > 0.95 and high > 0.95, name


# --- Certificates and estimates of the error ------------------------------------------

X = np.random.default_rng(4).standard_normal((7, 3))
K = X @ X.T + np.diag([0.5, 1, 2, 0.1, 0.3, 1, 0.7])


def left_out(S):
    """What the landmarks but one leave of its column, one by one, (n, l)."""
    columns = []
    for j in S:
        near = lowrank.nystrom(K, [i for i in S if i != j])
        columns.append((K - near.spectral_reconstruction())[:, j])
    return np.array(columns).T


@pytest.mark.parametrize("S", [*combinations(range(7), 4)])
def test_a_standard_error_is_that_of_terms_left_out_one_by_one(S):
    """The mean of l terms, times n - l + 1: its error is that of a mean."""
    left, n, l = left_out(S), 7, 4  # noqa: E741
    for call, terms in (
        (certificates.leave_one_out_trace, left[list(S), range(l)]),
        (certificates.leave_one_out_frobenius, (left**2).sum(axis=0)),
    ):
        found = call(K, S)
        mean = terms.sum() / l
        variance = ((terms - mean) ** 2).sum() / (l - 1)
        assert found.value == pytest.approx((n - l + 1) * mean)
        assert found.error == pytest.approx((n - l + 1) * np.sqrt(variance / l))
        assert not found.certain


@pytest.mark.parametrize("l", [2, 3, 5])
def test_a_standard_error_is_the_scatter_of_independent_terms(l):  # noqa: E741
    """Over all samples, where no column tells anything of another.

    Of a diagonal matrix the terms are entries drawn without replacement: the variance
    of their mean is (1 - l/n) of that with replacement, whose mean the square of the
    standard error is.
    """
    n, D = 8, np.diag([1.0, 2, 3, 5, 8, 13, 21, 34])
    for norm in ("trace", "frobenius"):
        call = getattr(certificates, f"leave_one_out_{norm}")
        found = [call(D, S) for S in combinations(range(n), l)]
        scatter = np.var([each.value for each in found])
        squares = np.mean([each.error**2 for each in found])
        assert squares * (1 - l / n) == pytest.approx(scatter)


def test_a_floor_of_rounding_covers_what_float64_loses():
    """Of integers, whose errors are known exactly: rank 3 from three columns is all."""
    lost = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = rng.integers(-9, 10, (60, 3)).astype(float)
        whole = points @ points.T
        near = lowrank.nystrom(whole, sampling.rp_cholesky(whole, 3, rng))
        for call in (certificates.trace_certificate, certificates.entry_certificate):
            found = call(whole, near)
            lost.append(found.value)
            assert found.certain and 0 <= found.value <= found.error
            assert found.error < 1e-9 * np.trace(whole)
    assert max(lost) > 0


def test_features_miss_what_is_certified_and_no_more_than_the_tolerance():
    points = np.random.default_rng(0).standard_normal((80, 2))
    for tol in (0.3, 0.1, 0.01):
        made = NystromFeatures(gamma=0.5, tol=tol, random_state=0).fit(points)
        whole = kernels.rbf(points, 0.5).dense()
        Z = made.transform(points)
        missed = np.trace(whole - Z @ Z.T)
        assert missed == pytest.approx(made.certificate_.value, abs=1e-9)
        assert missed <= tol * 80


def long_entries(kernel, points, gamma):
    """The kernel in long doubles, from its definition."""
    points = points.astype(np.longdouble)
    z = points[:, None] - points
    r = (z**2).sum(axis=2)
    if kernel == "matern":
        t = np.sqrt(6 * np.longdouble(gamma) * r)
        return (1 + t) * np.exp(-t)
    if kernel == "cauchy":
        return 1 / (1 + np.longdouble(gamma) * z**2).prod(axis=2)
    r = r if kernel == "rbf" else np.abs(z).sum(axis=2)
    return np.exp(-np.longdouble(gamma) * r)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "matern", "cauchy"])
def test_norms_of_what_drawn_features_miss(kernel, monkeypatch):
    """In long doubles, of near and far points, in blocks; float64 loses some of it."""
    monkeypatch.setattr(_accuracy, "SIDE", 5)
    lost = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        n, d, gamma = int(rng.integers(1, 14)), int(rng.integers(1, 40)), 0.3 / 40
        points = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-3, 1)
        points = points.astype((np.float64, np.float32)[seed % 2])
        made = RandomFourierFeatures(
            kernel,
            gamma=gamma,
            n_components=300,
            kind=("pairs", "phases")[seed // 2 % 2],
        )
        found = made.set_params(random_state=seed).fit(points).error(points)
        Z = made.transform(points).astype(np.longdouble)
        E = long_entries(kernel, points, gamma) - Z @ Z.T
        values = np.abs(np.linalg.eigvalsh(E.astype(float)))
        norm, largest = np.sqrt((E**2).sum()), np.abs(E).max()
        for told, true in ((found.frobenius, norm), (found.largest, largest)):
            lost.append(float(abs(told.value - true)))
            assert told.certain and lost[-1] <= told.error < 1e-11 * n
        for told, true in ((found.spectral, values.max()), (found.trace, values.sum())):
            assert true <= told.value + told.error + 1e-14 * n
        assert found.spectral.value <= found.frobenius.value
    assert max(lost) > 0


def test_ends_of_what_drawn_features_miss_are_met():
    """Two points: the largest row is the norm.  One with phases: so are all."""
    made = RandomFourierFeatures(gamma=0.5, n_components=20, random_state=0)
    found = made.fit([[0.0], [1.0]]).error([[0.0], [1.0]])
    e = found.largest.value
    assert (found.spectral.value, found.trace.value) == pytest.approx((e, 2 * e))
    found = made.set_params(kind="phases").fit([[0.0]]).error([[0.0]])
    values = [getattr(found, x).value for x in ("frobenius", "spectral", "trace")]
    assert values == pytest.approx([found.largest.value] * 3) and values[0] > 0.01


def test_a_determinant_of_less_is_less():
    met = []
    for rng, whole, l in matrices(60):  # noqa: E741
        alpha = 10.0 ** rng.uniform(-2, 2)
        near = lowrank.nystrom(whole, range(l))
        true = np.linalg.slogdet(whole + alpha * np.eye(len(whole)))[1]
        met.append(true - near.logdet(alpha))
        assert met[-1] >= -1e-9
        missed = np.trace(whole) - (near.factor**2).sum()
        assert met[-1] <= missed / alpha + 1e-9
    assert min(met) < 1e-3


# --- Systems --------------------------------------------------------------------------


def conditioned(whole, near, ridge, own):
    """The condition number of the preconditioned system, from its eigenvalues."""
    n = len(whole)
    P = near.spectral_reconstruction() + own * np.eye(n)
    values = scipy.linalg.eigvalsh(whole + ridge * np.eye(n), P)
    return values[-1] / values[0]


def test_the_condition_is_bounded_and_nearly_reached():
    cases = {"own": [], "another": []}
    for rng, whole, l in matrices(160):  # noqa: E741
        near, own = lowrank.nystrom(whole, range(l)), 10.0 ** rng.uniform(-3, 1)
        P = Preconditioner(near, own)
        true = conditioned(whole, near, own, own)
        cases["own"].append((1.0, true, P.condition(whole)))
        other = own * 10.0 ** rng.uniform(-1, 1)
        true = conditioned(whole, near, other, own)
        cases["another"].append((1.0, true, P.condition(whole, other)))
    for name, some in cases.items():
        assert nearness(some, 1e-6)[1] > 0.95, name


@pytest.mark.parametrize("condition", [1.5, 3.0, 20.0])
def test_what_is_tolerated_is_enough_and_no_less(condition):
    """By diagonal matrices: below K one direction, else one above and one below."""
    ridge = 0.25
    error = tolerated_error(ridge, condition)
    whole = np.diag([1e6, error])
    near = lowrank.nystrom(whole, [0])
    assert conditioned(whole, near, ridge, ridge) == pytest.approx(condition)
    error = tolerated_error(ridge, condition, below=False)
    above, below = np.diag([0.0, error]) + ridge * np.eye(2), np.diag([error, 0.0])
    values = scipy.linalg.eigvalsh(below + ridge * np.eye(2), above)
    assert values[-1] / values[0] == pytest.approx(condition)
    # Markov is attained by an error that is too large as often as it may be.
    for delta in (0.1, 0.5):
        mean = tolerated_error(ridge, condition, delta=delta)
        assert mean == pytest.approx(delta * tolerated_error(ridge, condition))


def relative(A, x, b):
    left = b - A @ x
    return np.max(np.linalg.norm(left, axis=0) / np.linalg.norm(b, axis=0))


@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-5])
def test_a_residual_is_that_of_the_solution(tol):
    """Far above rounding, so that a tenth less would be seen."""
    rng = np.random.default_rng(1)
    points = rng.standard_normal((60, 2))
    whole, b = kernels.rbf(points, 0.5), rng.standard_normal((60, 2))
    A = whole.dense() + 0.01 * np.eye(60)
    P = Preconditioner(lowrank.nystrom(whole, range(6)), 0.01)
    found = conjugate_gradients(whole, b, 0.01, P, tol=tol)
    assert found.residual == pytest.approx(relative(A, found.x, b), rel=1e-6)
    assert 0 < found.residual <= tol
    given = {"method": "preconditioned", "gamma": 0.5, "n_landmarks": 6, "tol": tol}
    model = KernelRidge(0.01, random_state=0, **given).fit(points, b[:, 0])
    left = relative(A, model.dual_coef_, b[:, 0])
    assert model.residual_ == pytest.approx(left, rel=1e-6) and left <= tol


@pytest.mark.parametrize("tol", [0.3, 1e-2, 1e-5])
def test_a_residual_of_regressors_is_that_of_their_solution(tol):
    """Of the system in the coordinates of the features, F = C L^-T."""
    rng = np.random.default_rng(1)
    whole, y = kernels.rbf(rng.standard_normal((60, 2)), 2.0), rng.standard_normal(60)
    S = list(range(0, 60, 4))
    given = {"sketch": 30, "rng": np.random.default_rng(0), "tol": tol}
    found = restricted(whole, S, y, 0.01, **given)
    L = np.linalg.cholesky(whole.dense()[np.ix_(S, S)])
    F = scipy.linalg.solve_triangular(L, whole.dense()[:, S].T, lower=True).T
    A, w = F.T @ F + 0.01 * np.eye(len(S)), L.T @ found.x
    assert found.residual == pytest.approx(relative(A, w, F.T @ y), rel=1e-5)
    assert 0 < found.residual <= tol


# --- Predictions ----------------------------------------------------------------------

WITH_KERNEL = {"predict_with": "kernel"}
LABELS = np.array([7.0, 0, -1, 0, 0.5])


def test_what_the_bound_reads_of_labels():
    """The largest or the longest, and not their mean; C_0 is n times C."""
    eye, n = np.eye(5), 5
    asked = {
        "largest_label": (KernelRidge(2.0, **WITH_KERNEL), 7.0),
        "norm_y": (KernelRidge(2.0), np.sqrt(49 + 1 + 0.25)),
    }
    for name, (learner, value) in asked.items():
        at = guarantees.stability(learner, eye, 0.1, LABELS).at
        assert at[name] == pytest.approx(value)
    process = GaussianProcess(2.0, **WITH_KERNEL)
    at = guarantees.stability(process, eye, 0.1, LABELS).at
    assert at["largest_label"] == 7 and at["n"] == n
    for learner, y in ((KernelSVC, LABELS > 0), (KernelSVR, LABELS)):
        at = guarantees.stability(learner(0.3, **WITH_KERNEL), eye, 0.1, y).at
        assert at["C_0"] == pytest.approx(0.3 * n)
    graph = LaplacianRegression(2.0, graph="laplacian")
    at = guarantees.stability(graph, n * eye - 1, 0.1, LABELS[:4]).at
    # Their mean is 3/2, and 7 is the farthest from it.
    assert at["largest_label"] == pytest.approx(5.5)
    assert (at["label_weight"], at["l"]) == (2.0, 4)


def graph_moves(count):
    """How far labels on two graphs move, and by how much at most: for adversaries."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 8))
        weights = np.triu(10.0 ** rng.uniform(-1, 1, (n, n)), 1)
        if seed % 2:
            weights = np.triu(np.ones((n, n)), 1)
        weights += weights.T
        L = np.diag(weights.sum(axis=1)) - weights
        other = L * 10.0 ** rng.uniform(0, 0.5)
        l = int(rng.integers(2, n + 1)) if seed % 3 else n  # noqa: E741
        y = rng.choice([-1.0, 1.0], l) if seed % 5 else np.eye(l)[0]
        if np.ptp(y) == 0:
            y[0] = -y[0]
        learner = LaplacianRegression(10.0 ** rng.uniform(-3, 1), graph="laplacian")
        bound = guarantees.stability(learner, L, other, y).bound
        one, two = (
            learner.fit(each, y, labelled=range(l)).values_ for each in (L, other)
        )
        yield 0.0, np.linalg.norm(two - one), bound


def test_labels_on_graphs_move_by_no_more_and_nearly_so_much():
    """It is approached on complete graphs, by labels of one size and a small weight."""
    assert nearness(graph_moves(240), 1e-7)[1] > 0.95


def test_the_variance_with_inducing_points_at_landmarks():
    """At most the exact one there, and for all points with all landmarks the same."""
    points = np.random.default_rng(2).standard_normal((30, 1))
    y, chosen = np.sin(points[:, 0]), [0, 4, 9, 17]
    exact = GaussianProcess(0.1, gamma=1.0).fit(points, y)
    near = GaussianProcess(0.1, gamma=1.0, method="inducing", landmarks=chosen)
    near = near.fit(points, y)
    _, wide = exact.predict(points[chosen], return_std=True)
    _, narrow = near.predict(points[chosen], return_std=True)
    assert (narrow <= wide + 1e-9).all() and (narrow > 0.5 * wide).all()


# --- Promises -------------------------------------------------------------------------

# The chance that a claim's line allows, typed once more: of the theorem's delta, or of
# what was chosen, for l columns of n.
ALLOWED = {
    ("modern:leverage", "the trace"): lambda delta, at, case: 0.2 + delta,
    ("modern:leverage", "the spectral norm"): lambda delta, at, case: 0.2 + delta,
    ("modern:leverage", "the Frobenius norm"): lambda delta, at, case: 0.2 + delta,
    ("modern:ridge-leverage", "error"): lambda delta, at, case: delta,
    ("modern:alaoui-mahoney", "error"): lambda delta, at, case: (
        case["n"]
        * np.exp(
            -case["l"]
            / (8 * ((case["values"] / (case["values"] + at["alpha"])).sum() + 1 / 6))
        )
    ),
}


@pytest.mark.parametrize("delta", [0.1, 0.02])
def test_a_promise_fails_as_often_as_its_line_says(delta):
    values = np.array([1000.0, 500.0, *np.full(198, 0.01)])
    table = guarantees.promises(np.diag(values), 150, delta)
    case, seen = {"n": 200, "l": 150, "values": values}, set()
    for row in (row for row in table.rows if row.says):
        kind = theorems[row.id].claims[row.claim].kind
        if kind != "probability":
            assert row.fails == (None if kind == "expectation" else 0)
            continue
        allowed = ALLOWED[row.id, row.claim](delta, row.chosen, case)
        assert row.fails == pytest.approx(allowed, rel=1e-6), row
        assert row.holds == f"with probability {1 - row.fails:.3g}"
        seen.add(row.id)
    assert {id for id, _ in ALLOWED} == seen


# --- Manifolds ------------------------------------------------------------------------


@pytest.mark.parametrize("count", [5, 12, 40])
def test_isomap_tells_the_trace_that_is_left_out(count):
    """Of geodesics of all pairs, by SciPy, centred at the landmarks."""
    points = np.random.default_rng(3).standard_normal((40, 2))
    model = Isomap(2, n_neighbors=8, landmarks=range(count), method="nystrom")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NegativeEigenvalues)
        model.fit(points)
    graph = kneighbors_graph(points, 8, mode="distance")
    squares = shortest_path(graph.maximum(graph.T), directed=False) ** 2
    S = np.arange(count)
    rows = squares[:, S].mean(axis=1)
    centred = -0.5 * (squares - rows[:, None] - rows + squares[np.ix_(S, S)].mean())
    left = np.trace(centred) - (model.embedding_**2).sum()
    assert model.residual_ == pytest.approx(left / np.trace(centred), rel=1e-5)
    assert model.residual_ > 0.005
