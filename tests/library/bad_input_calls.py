"""Every public callable of the rooms, with good arguments and the kind of each."""

import os
import tempfile
from functools import cache, partial
from unittest.mock import patch

import bad_input_learners
import bad_input_manifold
import bad_input_selection
import numpy as np
from bad_input_world import N

from nystheory import (
    certificates,
    coherence,
    datasets,
    ensemble,
    features,
    kernels,
    lowrank,
    sampling,
)

_NEW = np.random.default_rng(5).standard_normal((4, 3))
_UNIT = np.linalg.qr(np.random.default_rng(6).standard_normal((N, 3)))[0]
_SMALL = np.random.default_rng(7).standard_normal((N, 2))


def _scheme(name, **more):
    def make(w):
        options = {k: v(w) if callable(v) else v for k, v in more.items()}
        return sampling.SCHEMES[name], dict(K=w.K, n_landmarks=4, rng=w.rng, **options)

    return make


def _of_points(w):
    """K itself is one of points: what k-means asks for."""
    return sampling.kmeans, dict(K=w.kernel, n_landmarks=3, rng=w.rng, minibatch=False)


def _initial(w):
    return np.arange(1.0, w.n + 1) / (w.n * (w.n + 1) / 2)


def _features(**options):
    def fit(**given):
        return features.NystromFeatures(**{"random_state": 0} | given).fit(_SMALL)

    base = dict(kernel="rbf", n_landmarks=4, gamma=0.5)
    return lambda w: (fit, base | options)


@cache
def _folder():
    """A folder with one file, which is gone at the end."""
    folder = tempfile.TemporaryDirectory()
    np.savez(f"{folder.name}/digits.npz", X=_NEW)
    return folder


def _from_folder(name):
    with patch.dict(os.environ, NYSTHEORY_DATA=_folder().name):
        return datasets.from_folder(name)


def _fitted():
    return features.NystromFeatures(n_landmarks=4, random_state=0).fit(_SMALL)


def _inverse():
    made = features.NystromFeatures(n_landmarks=4, random_state=0, fit_inverse=True)
    return made.fit(_SMALL)


def _random(kind, base, **options):
    def fit(**given):
        return kind(**given).fit(_SMALL)

    return lambda w: (fit, base | options)


def _waves():
    made = features.RandomFourierFeatures(n_components=6, random_state=0)
    return made.fit(_SMALL)


def _bins():
    return features.RandomBinningFeatures(n_grids=6, random_state=0).fit(_SMALL)


def _methods(kind, made, names):
    """Of a fitted transformer that knows the variance of its inner products."""
    of_points = {
        f"{kind}.{name}": lambda w, name=name: (getattr(made(), name), dict(X=_SMALL))
        for name in names
    }
    both = dict(X=_SMALL, Y=_SMALL[:5])
    return of_points | {f"{kind}.variance": lambda w: (made().variance, both)}


CALLS = {
    # --- kernels
    "kernels.as_kernel": lambda w: (kernels.as_kernel, dict(K=w.K)),
    "kernels.DenseKernel": lambda w: (kernels.DenseKernel, dict(array=w.K)),
    "kernels.linear": lambda w: (kernels.linear, dict(X=_NEW)),
    "kernels.rbf": lambda w: (kernels.rbf, dict(X=_NEW, gamma=0.5)),
    "kernels.pairwise": lambda w: (
        kernels.pairwise,
        dict(X=_NEW, metric="polynomial", gamma=0.5, coef0=1.0, degree=2),
    ),
    "kernels.row_blocks": lambda w: (
        kernels.row_blocks,
        dict(n=7, width=3, itemsize=8),
    ),
    "kernels.same_matrix": lambda w: (
        kernels.same_matrix,
        dict(K=kernels.as_kernel(w.K), other=kernels.as_kernel(w.K)),
    ),
    "kernels.PointKernel.on": lambda w: (w.kernel.on, dict(points=_NEW)),
    "kernels.PointKernel.between": lambda w: (
        w.kernel.between,
        dict(others=_NEW, own=w.X[:2]),
    ),
    "kernels.DenseKernel.between": lambda w: (
        kernels.as_kernel(w.K).between,
        dict(others=np.asarray(w.K, dtype=float)[:4], own=w.S),
    ),
    "kernels.PointKernel.columns_of": lambda w: (
        w.kernel.columns_of,
        dict(others=_NEW),
    ),
    "kernels.PointKernel.__matmul__": lambda w: (
        lambda B: w.kernel @ B,
        dict(B=np.arange(1.0, w.n + 1)),
    ),
    "kernels.DenseKernel.__matmul__": lambda w: (
        lambda B: kernels.as_kernel(w.K) @ B,
        dict(B=np.arange(1.0, w.n + 1)),
    ),
    "kernels.PointKernel.__getitem__": lambda w: (
        lambda rows, columns: w.kernel[rows, columns],
        dict(rows=[0, 4], columns=[1, 2]),
    ),
    "kernels.DenseKernel.__getitem__": lambda w: (
        lambda rows, columns: kernels.as_kernel(w.K)[rows, columns],
        dict(rows=[0, 4], columns=[1, 2]),
    ),
    # --- sampling
    "sampling.uniform": _scheme("uniform", replace=False),
    "sampling.diagonal": _scheme("diagonal", replace=False),
    "sampling.column_norm": _scheme("column_norm", replace=False, squared=True),
    "sampling.user": _scheme("user", probabilities=_initial, replace=False),
    "sampling.user, indices": lambda w: (
        sampling.user,
        dict(K=w.K, n_landmarks=4, rng=w.rng, indices=w.S),
    ),
    "sampling.leverage": _scheme("leverage", rank=3, replace=False),
    "sampling.ridge_leverage": _scheme(
        "ridge_leverage", alpha=lambda w: 0.5 * w.unit, replace=False
    ),
    "sampling.recursive_rls": _scheme("recursive_rls"),
    "sampling.bless": _scheme(
        "bless", alpha=lambda w: 0.5 * w.unit, step=2.0, oversampling=(2.0, 8.0)
    ),
    "sampling.adaptive_full": _scheme("adaptive_full", batch=2, initial=_initial),
    "sampling.adaptive_partial": _scheme(
        "adaptive_partial", batch=2, rank=2, initial=_initial
    ),
    "sampling.criterion_driven": _scheme(
        "criterion_driven",
        y=bad_input_selection.targets_of,
        batch=2,
        rank=2,
        initial=_initial,
    ),
    "sampling.sgma": _scheme("sgma", candidates=5),
    "sampling.incomplete_cholesky": _scheme("incomplete_cholesky"),
    "sampling.farthest_point": _scheme("farthest_point"),
    "sampling.kmeans": _of_points,
    "sampling.dpp": _scheme("dpp"),
    "sampling.dpp, alpha": lambda w: (
        sampling.dpp,
        dict(K=w.K, n_landmarks=None, rng=w.rng, alpha=0.5 * w.unit),
    ),
    "sampling.k_dpp": _scheme("k_dpp"),
    "sampling.volume": _scheme("volume"),
    "sampling.rp_cholesky": _scheme("rp_cholesky", method="block", block=2),
    "sampling.leverage_scores": lambda w: (
        sampling.leverage_scores,
        dict(K=w.K, rank=3),
    ),
    "sampling.ridge_leverage_scores": lambda w: (
        sampling.ridge_leverage_scores,
        dict(K=w.K, alpha=0.5 * w.unit),
    ),
    "sampling.log_elementary": lambda w: (
        sampling.log_elementary,
        dict(values=np.array([3.0, 2.0, 1.0, 0.5]), degree=3),
    ),
    "sampling.as_indices": lambda w: (
        sampling.as_indices,
        dict(landmarks=w.S, n=w.n),
    ),
    "sampling.update_probability_full": lambda w: (
        sampling.update_probability_full,
        dict(K=w.K, indices=w.S),
    ),
    "sampling.update_probability_partial": lambda w: (
        sampling.update_probability_partial,
        dict(K=w.K, indices=w.S, rank=2),
    ),
    "sampling.update_probability_criterion": lambda w: (
        sampling.update_probability_criterion,
        dict(K=w.K, indices=w.S, y=bad_input_selection.targets_of(w), rank=2),
    ),
    "sampling.Landmarks.plot": lambda w: (w.drawn.plot, dict(K=w.K)),
    # --- lowrank
    "lowrank.best_rank_k": lambda w: (lowrank.best_rank_k, dict(K=w.K, rank=3)),
    "lowrank.nystrom": lambda w: (
        lowrank.nystrom,
        dict(K=w.K, landmarks=w.S, rank=3, truncate="core"),
    ),
    **{
        f"lowrank.{name}": lambda w, name=name: (
            getattr(lowrank, name),
            dict(K=w.K, landmarks=w.S, rank=3),
        )
        for name in ("column_sampling", "orthonormal_nystrom", "optimal_reconstruction")
    },
    "lowrank.from_factor": lambda w: (
        lowrank.from_factor,
        dict(landmarks=w.drawn, rank=3, truncate="core"),
    ),
    "lowrank.LowRank.error": lambda w: (
        w.near.error,
        dict(K=w.K, norm="trace", of="spectral_reconstruction"),
    ),
    "lowrank.LowRank.relative_accuracy": lambda w: (
        w.truncated.relative_accuracy,
        dict(K=w.K, of="spectral_reconstruction", best=lowrank.best_rank_k(w.K, 2)),
    ),
    "lowrank.LowRank.matrix_projection": lambda w: (
        w.near.matrix_projection,
        dict(K=w.K),
    ),
    "lowrank.LowRank.of": lambda w: (w.near.of, dict(K=w.K)),
    "lowrank.LowRank.transform": lambda w: (w.below.transform, dict(X=_NEW)),
    "lowrank.LowRank.extend": lambda w: (w.below.extend, dict(X=_NEW)),
    **{
        f"{kind}.{name}": partial(
            lambda w, attribute, make: make(getattr(w, attribute), w),
            attribute=attribute,
            make=make,
        )
        for kind, attribute in (
            ("lowrank.LowRank", "near"),
            ("ensemble.Ensemble", "mixture"),
        )
        for name, make in {
            "__matmul__": lambda near, w: (
                lambda B: near @ B,
                dict(B=np.arange(1.0, w.n + 1)),
            ),
            "block": lambda near, w: (near.block, dict(rows=[0, 4], columns=[1, 2])),
            "solve": lambda near, w: (
                near.solve,
                dict(B=np.arange(1.0, w.n + 1), alpha=0.5 * w.unit),
            ),
            "logdet": lambda near, w: (near.logdet, dict(alpha=0.5 * w.unit)),
            "inverse_diagonal": lambda near, w: (
                near.inverse_diagonal,
                dict(alpha=0.5 * w.unit),
            ),
        }.items()
    },
    # --- ensemble
    "ensemble.Ensemble": lambda w: (
        ensemble.Ensemble,
        dict(experts=w.made, weights=[0.25, 0.75]),
    ),
    "ensemble.Ensemble.error": lambda w: (
        w.mixture.error,
        dict(K=w.K, norm="trace"),
    ),
    "ensemble.Ensemble.of": lambda w: (w.mixture.of, dict(K=w.K)),
    "ensemble.Ensemble.truncated": lambda w: (w.mixture.truncated, dict(rank=3)),
    "ensemble.Ensemble.transform": lambda w: (
        ensemble.Ensemble([w.below], [1.0]).transform,
        dict(X=_NEW),
    ),
    "ensemble.Validation.error": lambda w: (w.seen.error, dict(weights=[0.25, 0.75])),
    "ensemble.Validation.first": lambda w: (w.seen.first, dict(n_experts=2)),
    "ensemble.best_learner": lambda w: (
        ensemble.best_learner,
        dict(K=w.K, experts=w.made, norm="trace"),
    ),
    "ensemble.mean_error": lambda w: (
        ensemble.mean_error,
        dict(K=w.K, experts=w.made, norm="trace"),
    ),
    "ensemble.choose_weights": lambda w: (
        ensemble.choose_weights,
        dict(method="ridge", seen=w.seen, held_out=w.held_out),
    ),
    "ensemble.combine": lambda w: (
        ensemble.combine,
        dict(
            K=w.K,
            experts=w.made,
            rng=w.rng,
            weights="exponential",
            n_validation=2,
            n_holdout=2,
        ),
    ),
    "ensemble.experts": lambda w: (
        ensemble.experts,
        dict(K=w.K, samples=[w.S, w.T], rank=3, n_jobs=1),
    ),
    "ensemble.exponential_weights": lambda w: (
        ensemble.exponential_weights,
        dict(errors=[2.0, 1.0, 3.0], eta=0.5),
    ),
    **{
        f"ensemble.{name}": lambda w, name=name: (
            getattr(ensemble, name),
            dict(G=w.regression[0], g=w.regression[1], ridge=0.5 * w.unit**2),
        )
        for name in ("nonnegative_weights", "ridge_weights")
    },
    "ensemble.normal_equations": lambda w: (
        ensemble.normal_equations,
        dict(K=w.K, experts=w.made, columns=w.V),
    ),
    "ensemble.validate": lambda w: (
        ensemble.validate,
        dict(K=w.K, experts=w.made, columns=w.V),
    ),
    "ensemble.samples": lambda w: (
        ensemble.samples,
        dict(K=w.K, n_experts=2, n_landmarks=4, rng=w.rng),
    ),
    "ensemble.uniform_weights": lambda w: (
        ensemble.uniform_weights,
        dict(n_experts=3),
    ),
    # --- coherence
    **{
        f"coherence.{name}": lambda w, name=name, more=more: (
            getattr(coherence, name),
            dict(K=w.K, approximation=w.near, **more(w)),
        )
        for name, more in {
            "approximate_effective_dimension": lambda w: dict(alpha=0.5 * w.unit),
            "approximate_ridge_scores": lambda w: dict(alpha=0.5 * w.unit),
            "approximate_leverage_scores": lambda w: dict(rank=1),
            "approximate_of_matrix": lambda w: dict(rank=1),
            "approximate_stable_rank": lambda w: dict(beyond=1),
        }.items()
    },
    "coherence.of_vectors": lambda w: (coherence.of_vectors, dict(U=_UNIT)),
    "coherence.basis_free": lambda w: (coherence.basis_free, dict(U=_UNIT)),
    "coherence.of_matrix": lambda w: (coherence.of_matrix, dict(K=w.K, rank=3)),
    "coherence.stable_rank": lambda w: (coherence.stable_rank, dict(K=w.K, beyond=1)),
    "coherence.effective_dimension": lambda w: (
        coherence.effective_dimension,
        dict(K=w.K, alpha=0.5 * w.unit),
    ),
    # --- certificates
    **{
        f"certificates.{name}": lambda w, name=name: (
            getattr(certificates, name),
            dict(K=w.K, approximation=w.near),
        )
        for name in ("trace_certificate", "entry_certificate")
    },
    **{
        f"certificates.leave_one_out_{name}": lambda w, name=name: (
            getattr(certificates, f"leave_one_out_{name}"),
            dict(K=w.K, landmarks=w.S),
        )
        for name in ("trace", "frobenius")
    },
    "certificates.residual_columns": lambda w: (
        certificates.residual_columns,
        dict(C=w.columns, landmarks=w.S),
    ),
    "certificates.schur_complements": lambda w: (
        certificates.schur_complements,
        dict(W=w.core),
    ),
    # --- features
    "features.NystromFeatures": _features(alpha=1.0, rank=3, fit_inverse=True),
    "features.NystromFeatures, polynomial": _features(
        kernel="polynomial", degree=2, coef0=1.0, landmarks="uniform", random_state=0
    ),
    "features.NystromFeatures, tol": _features(n_landmarks=None, tol=0.1),
    "features.NystromFeatures, landmarks": _features(
        n_landmarks=None, landmarks=[0, 3, 5, 8]
    ),
    "features.NystromFeatures.fit": lambda w: (
        features.NystromFeatures(n_landmarks=4, random_state=0).fit,
        dict(X=_SMALL),
    ),
    "features.NystromFeatures.fit_transform": lambda w: (
        features.NystromFeatures(n_landmarks=4, random_state=0).fit_transform,
        dict(X=_SMALL),
    ),
    "features.NystromFeatures.transform": lambda w: (
        _fitted().transform,
        dict(X=_SMALL),
    ),
    "features.NystromFeatures.inverse_transform": lambda w: (
        _inverse().inverse_transform,
        dict(X=_inverse().transform(_SMALL)),
    ),
    "features.RandomFourierFeatures": _random(
        features.RandomFourierFeatures,
        dict(kernel="matern", gamma=0.5, nu=1.5, n_components=6, kind="pairs"),
        draws="independent",
        random_state=0,
    ),
    "features.RandomFourierFeatures.error": lambda w: (
        _waves().error,
        dict(X=_SMALL, probability=0.9),
    ),
    "features.RandomBinningFeatures": _random(
        features.RandomBinningFeatures, dict(gamma=0.5, n_grids=6), random_state=0
    ),
    **_methods("features.RandomFourierFeatures", _waves, ("fit", "transform")),
    **_methods(
        "features.RandomBinningFeatures", _bins, ("fit", "fit_transform", "transform")
    ),
    # --- learners
    **bad_input_learners.CALLS,
    # --- manifold
    **bad_input_manifold.CALLS,
    # --- selection
    **bad_input_selection.CALLS,
    # --- datasets
    **{
        f"datasets.{name}": lambda w, name=name: (getattr(datasets, name), dict(n=20))
        for name in ("digits", "breast_cancer", "diabetes")
    },
    "datasets.clusters": lambda w: (datasets.clusters, dict(sizes=[3, 2])),
    "datasets.documents": lambda w: (
        datasets.documents,
        dict(n=5, n_terms=6, rng=w.rng),
    ),
    "datasets.gaussian_clusters": lambda w: (
        datasets.gaussian_clusters,
        dict(n=5, rng=w.rng, n_clusters=2),
    ),
    "datasets.identity_block": lambda w: (datasets.identity_block, dict(n=5, rank=2)),
    "datasets.low_rank": lambda w: (
        datasets.low_rank,
        dict(n=5, rank=2, rng=w.rng, integer=False),
    ),
    "datasets.robot_arm": lambda w: (
        datasets.robot_arm,
        dict(n=5, rng=w.rng, noise=0.1),
    ),
    "datasets.patches": lambda w: (datasets.patches, dict(n=5, size=4)),
    "datasets.spectrum": lambda w: (
        datasets.spectrum,
        dict(eigenvalues=[3.0, 2.0, 1.0], rng=w.rng, coherence=1.5),
    ),
    "datasets.two_balls": lambda w: (
        datasets.two_balls,
        dict(n=5, rng=w.rng, n_redundant=2),
    ),
    "datasets.from_folder": lambda w: (_from_folder, dict(name="digits")),
}
