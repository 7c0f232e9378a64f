"""The results that the chapter *Adaptive sampling* states, in its order."""

from nystheory.theorems.adaptive_sampling import (
    accelerated_pivoting,
    adaptive,
    block_pivoting,
    determinantal,
    frobenius_pivoting,
    geometry,
    incomplete_cholesky,
    pivoting,
)

THEOREMS = (
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
)
