"""What is promised? Every numbered result as one object, in one registry.

One folder for each chapter, with the results that it states; `theorems` holds them all
by id, in the order of the book.  What a theorem is, and how one is checked, is in
`nystheory.engine`.
"""

from nystheory.engine.registry import Registry
from nystheory.theorems import (
    adaptive_sampling,
    coherence,
    concentration,
    ensembles,
    error_bounds,
    fixed_sampling,
    kernel_matrices,
    projection_or_reconstruction,
    since_2010,
    two_ways_to_learn_a_matrix,
)

CHAPTERS = (
    kernel_matrices,
    two_ways_to_learn_a_matrix,
    projection_or_reconstruction,
    fixed_sampling,
    adaptive_sampling,
    ensembles,
    concentration,
    error_bounds,
    coherence,
    since_2010,
)
theorems = Registry()
for _chapter in CHAPTERS:
    for _theorem in _chapter.THEOREMS:
        theorems.add(_theorem)

__all__ = ["CHAPTERS", "theorems"]
