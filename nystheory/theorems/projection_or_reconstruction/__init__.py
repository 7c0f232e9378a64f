"""The results that the chapter *Projection or reconstruction* states, in its order."""

from nystheory.theorems.projection_or_reconstruction import (
    observations,
    optimality,
    projections,
    reconstruction,
    recovery,
)

THEOREMS = (
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
)
