"""What is promised? Every numbered result as one object, in one registry.

One file for each part of the theory; `theorems` holds them all by id.
"""

from nystheory.theorems import (
    accelerated_pivoting,
    adaptive,
    best_rank,
    block_pivoting,
    determinantal,
    ensemble_regression,
    ensemble_woodbury,
    ensembles,
    frobenius_pivoting,
    geometry,
    incomplete_cholesky,
    leave_one_out,
    observations,
    optimality,
    pivoting,
    projections,
    reconstruction,
    recovery,
    ridge_leverage,
    spectra,
)
from nystheory.theorems.base import (
    Claim,
    Control,
    Hypothesis,
    Law,
    Printed,
    Rate,
    Registry,
    Theorem,
)
from nystheory.theorems.instance import Instance

theorems = Registry()
for _theorem in (
    best_rank.BEST_RANK_K,
    spectra.NYSTROM,
    spectra.NYSTROM_SVD,
    spectra.ORTHONORMALITY,
    spectra.COLUMN_SVD,
    projections.SAME_ONLY_IF,
    projections.COLUMN_PROJECTION,
    projections.NYSTROM_PROJECTION,
    projections.COLUMN_SAMPLING_PROJECTS_BEST,
    observations.OBSERVATION_1,
    observations.OBSERVATION_2,
    reconstruction.BLOCKS,
    reconstruction.COLUMN_RECONSTRUCTION,
    optimality.COMMON_FORM,
    optimality.OPTIMAL_CORE,
    recovery.RECOVERY,
    reconstruction.RELATIVE_ACCURACY,
    ridge_leverage.RIDGE_LEVERAGE,
    leave_one_out.LEAVE_ONE_OUT,
    adaptive.ADAPTIVE_FULL,
    adaptive.ADAPTIVE_PARTIAL,
    incomplete_cholesky.INCOMPLETE_CHOLESKY,
    geometry.GEOMETRY,
    determinantal.K_DPP,
    determinantal.DPP,
    pivoting.RPCHOLESKY,
    accelerated_pivoting.ACCELERATED,
    block_pivoting.BLOCK_RPCHOLESKY,
    frobenius_pivoting.FROBENIUS,
    ensembles.MIXTURE,
    ensembles.GIBBS,
    ensemble_regression.RIDGE_WEIGHTS,
    ensemble_woodbury.WOODBURY,
    ensemble_woodbury.ENSEMBLE_WOODBURY,
):
    theorems.add(_theorem)

__all__ = [
    "Claim",
    "Control",
    "Hypothesis",
    "Instance",
    "Law",
    "Printed",
    "Rate",
    "Registry",
    "Theorem",
    "theorems",
]
