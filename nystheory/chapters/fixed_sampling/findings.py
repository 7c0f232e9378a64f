"""What the chapter concludes from experiments, tried on other draws and data.

The experiments stand in two rooms: which columns a scheme draws, and how far scores
and samples know what they are good for.
"""

from nystheory.chapters.fixed_sampling import measured
from nystheory.chapters.fixed_sampling.findings_of_schemes import (
    ACCURACY,
    AHEAD,
    COLUMNS,
    CROWDS,
    GAIN,
    PERCENT,
    SCHEMES,
)
from nystheory.chapters.fixed_sampling.findings_of_scores import (
    CONSTANT,
    FAILURES,
    LOOSE,
    SCORES,
    SELF,
)

__all__ = [
    "ACCURACY",
    "AHEAD",
    "COLUMNS",
    "CONSTANT",
    "CROWDS",
    "FAILURES",
    "GAIN",
    "LOOSE",
    "PERCENT",
    "SCHEMES",
    "SCORES",
    "SELF",
    "measured",
]
