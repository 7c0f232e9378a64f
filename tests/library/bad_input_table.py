"""The kind of each argument of each callable."""

from functools import partial

import bad_input_kinds as kinds
import bad_input_learners
import bad_input_manifold
import bad_input_selection
from bad_input_calls import CALLS
from bad_input_world import N

# The kind of each argument by its name, and what is different at one callable.
OPTIONAL = object()  # None is right
KINDS = {
    "K": kinds.kernel,
    "array": kinds.square,
    "X": kinds.points,
    "points": kinds.other_points,
    "others": kinds.other_points,
    "own": kinds.other_points,
    "B": kinds.vector,
    "C": kinds.matrix,
    "W": kinds.square,
    "G": kinds.square,
    "U": kinds.matrix,
    "g": kinds.vector,
    "weights": kinds.vector,
    "probabilities": kinds.vector,
    "initial": kinds.vector,
    "errors": kinds.loose_vector,
    "eigenvalues": kinds.loose_vector,
    "values": kinds.loose_vector,
    "landmarks": kinds.landmarks,
    "indices": kinds.indices,
    "columns": kinds.columns,
    "rows": kinds.columns,
    "samples": kinds.samples,
    "sizes": kinds.sizes,
    "approximation": kinds.approximation,
    "experts": kinds.experts,
    "rng": kinds.generator,
    "alpha": kinds.positive,
    "gamma": kinds.positive,
    "step": kinds.positive,
    "coherence": kinds.positive,
    "tol": kinds.positive,
    "eta": kinds.not_negative,
    "ridge": kinds.not_negative,
    "coef0": kinds.not_negative,
    "noise": kinds.not_negative,
    "oversampling": kinds.pair,
    "replace": kinds.truth,
    "squared": kinds.truth,
    "minibatch": kinds.truth,
    "integer": kinds.truth,
    "fit_inverse": kinds.truth,
    "best": kinds.best,
    "seen": kinds.validation,
    "held_out": kinds.validation,
    "other": kinds.kernel_matrix,
    "kernel": kinds.choice,
    "metric": kinds.choice,
    "method": kinds.choice,
    "truncate": kinds.choice,
    "norm": kinds.choice,
    "of": kinds.choice,
    "name": kinds.choice,
    "n_jobs": kinds.jobs,
    **bad_input_manifold.KINDS,
}
# Integers: the largest one that is right, where there is one.
HIGHEST = {
    "rank": 4,
    "n_landmarks": N,
    "batch": 4,
    "block": 4,
    "n_experts": N,
    "beyond": N - 1,
    "n_validation": N,
    "n_holdout": N - 2,
    "degree": None,
    "n": None,
    "n_terms": None,
    "n_clusters": None,
    "n_redundant": None,
    "size": 64,
    "width": None,
    "itemsize": None,
    "candidates": None,
    **bad_input_learners.HIGHEST,
    **bad_input_manifold.HIGHEST,
}
LOWEST = {"beyond": 0, "n_redundant": 0}


def whole(low=1, high=None):
    return lambda base, w: kinds.integer(base, w, low, high)


OVERRIDES = {
    ("sampling.bless", "alpha"): kinds.ridge_of_bless,
    ("ensemble.combine", "weights"): kinds.choice,
    ("ensemble.uniform_weights", "n_experts"): whole(),
    ("ensemble.Validation.first", "n_experts"): whole(high=2),
    ("ensemble.Ensemble.truncated", "rank"): whole(high=N),
    ("kernels.row_blocks", "n"): whole(0),
    ("kernels.row_blocks", "width"): whole(0),
    ("datasets.identity_block", "rank"): whole(high=5),
    ("datasets.low_rank", "rank"): whole(high=5),
    ("sampling.log_elementary", "degree"): whole(0),
    ("sampling.as_indices", "n"): whole(),
    ("features.NystromFeatures", "n_landmarks"): whole(),
    ("features.NystromFeatures.inverse_transform", "X"): kinds.other_features,
    ("features.NystromFeatures", "kernel"): kinds.choice,
    ("kernels.rbf", "gamma"): kinds.optional(kinds.positive),
    ("sampling.kmeans", "K"): kinds.point_kernel,
    ("kernels.PointKernel.between", "own"): kinds.other_points,
    ("kernels.DenseKernel.between", "others"): kinds.rows_of_entries,
    ("kernels.DenseKernel.between", "own"): kinds.indices,
    ("kernels.same_matrix", "K"): kinds.kernel_matrix,
    ("kernels.pairwise", "gamma"): kinds.optional(kinds.positive),
    ("kernels.pairwise", "coef0"): kinds.optional(kinds.not_negative),
    ("kernels.pairwise", "degree"): kinds.optional(kinds.degree),
    ("sampling.as_indices", "landmarks"): kinds.landmarks,
    ("sampling.bless", "n_landmarks"): kinds.optional(whole()),
    ("lowrank.nystrom", "landmarks"): kinds.landmarks,
    ("lowrank.from_factor", "landmarks"): kinds.with_factor,
    ("certificates.residual_columns", "landmarks"): kinds.indices,
    ("features.NystromFeatures", "alpha"): kinds.positive,
    ("features.NystromFeatures, landmarks", "landmarks"): kinds.own_landmarks,
    ("features.NystromFeatures, polynomial", "landmarks"): kinds.choice,
    ("features.NystromFeatures, polynomial", "degree"): kinds.degree,
    ("features.NystromFeatures, polynomial", "random_state"): kinds.seed,
    ("features.NystromFeatures, polynomial", "n_landmarks"): whole(),
    ("features.RandomFourierFeatures", "kind"): kinds.choice,
    ("features.RandomFourierFeatures", "draws"): kinds.choice,
    ("features.RandomFourierFeatures", "random_state"): kinds.seed,
    ("features.RandomFourierFeatures", "n_components"): whole(),
    ("features.RandomFourierFeatures", "nu"): kinds.positive,
    ("features.RandomFourierFeatures.error", "probability"): kinds.positive,
    ("features.RandomBinningFeatures", "random_state"): kinds.seed,
    ("features.RandomBinningFeatures", "n_grids"): whole(),
    **{
        (f"features.{name}.variance", "Y"): kinds.new_features_points
        for name in ("RandomFourierFeatures", "RandomBinningFeatures")
    },
    **bad_input_learners.OVERRIDES,
    **bad_input_manifold.OVERRIDES,
    **bad_input_selection.OVERRIDES,
}
for _name in CALLS:
    if _name.startswith("features.") and "inverse" not in _name:
        OVERRIDES[_name, "X"] = (
            kinds.features_points if "fit" in _name else kinds.new_features_points
        )
    if _name.startswith("certificates.leave"):
        OVERRIDES[_name, "landmarks"] = partial(kinds.landmarks, repeated="clear")
for _name in (
    "lowrank.best_rank_k",
    "sampling.leverage",
    "sampling.leverage_scores",
    "coherence.of_matrix",
    "coherence.approximate_leverage_scores",
    "coherence.approximate_of_matrix",
):
    OVERRIDES[_name, "rank"] = whole(high=N)
