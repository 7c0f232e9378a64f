"""Which kernel?  Criteria of a kernel matrix, their certain ends, and a search.

`criterion` is a number for a kernel matrix and targets, smaller where the kernel suits
them better; `enclosure` gives two ends of it from a few columns; `select` drops kernels
that certainly are not the best one, and `KernelSelector` does so for scikit-learn.
"""

from nystheory.selection._criterion import criterion
from nystheory.selection._enclosure import Enclosure, enclosure
from nystheory.selection._methods import METHODS, approximate
from nystheory.selection._outcome import STATUSES, Outcome
from nystheory.selection._problem import MEASURES
from nystheory.selection._selector import KernelSelector, select

__all__ = [
    "MEASURES",
    "METHODS",
    "STATUSES",
    "Enclosure",
    "KernelSelector",
    "Outcome",
    "approximate",
    "criterion",
    "enclosure",
    "select",
]
