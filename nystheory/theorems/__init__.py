"""What is promised? Every numbered result as one object, in one registry.

One folder for each chapter, with the results that it states; `theorems` holds them all
by id, in the order of the book. Beside the folders lies what they share: what a
theorem is, what it is checked on, and the calculator.
"""

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
