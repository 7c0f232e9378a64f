"""What is promised? Every numbered result as one object, in one registry.

One file for each part of the theory; `theorems` holds them all by id.
"""

from nystheory.theorems import projections, reconstruction, spectra
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
    spectra.BEST_RANK_K,
    spectra.NYSTROM,
    spectra.NYSTROM_SVD,
    spectra.ORTHONORMALITY,
    spectra.COLUMN_SVD,
    projections.SAME_ONLY_IF,
    projections.COLUMN_PROJECTION,
    projections.NYSTROM_PROJECTION,
    projections.COLUMN_SAMPLING_PROJECTS_BEST,
    projections.OBSERVATION_1,
    projections.OBSERVATION_2,
    reconstruction.BLOCKS,
    reconstruction.COLUMN_RECONSTRUCTION,
    reconstruction.COMMON_FORM,
    reconstruction.OPTIMAL_CORE,
    reconstruction.RECOVERY,
    reconstruction.RELATIVE_ACCURACY,
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
