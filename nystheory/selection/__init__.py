"""Which kernel?  Criteria of a kernel matrix, their certain ends, and a search."""

from nystheory.selection._criterion import criterion
from nystheory.selection._enclosure import Enclosure, enclosure
from nystheory.selection._problem import MEASURES

__all__ = [
    "MEASURES",
    "Enclosure",
    "criterion",
    "enclosure",
]
