"""What is K?  Positive semidefinite kernel matrices that give entries on demand.

A kernel matrix gives blocks, its diagonal and products; a plain array becomes one
with `as_kernel`.  Every entry that is read is counted, since entries of K are
what a method that samples columns saves.
"""

from nystheory.kernels._base import Index, KernelMatrix, same_matrix
from nystheory.kernels._blocks import row_blocks
from nystheory.kernels._dense import DenseKernel, as_kernel
from nystheory.kernels._points import PointKernel, linear, pairwise, rbf

__all__ = [
    "DenseKernel",
    "Index",
    "KernelMatrix",
    "PointKernel",
    "as_kernel",
    "linear",
    "pairwise",
    "rbf",
    "row_blocks",
    "same_matrix",
]
