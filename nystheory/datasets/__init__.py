"""What are the points?  Real data sets that need no download, and generated ones.

Points are rows; where a matrix K is what is wanted, it is
``kernels.linear(dataset.X)``.
"""

from nystheory.datasets._base import Dataset, Table, table
from nystheory.datasets._generated import (
    clusters,
    documents,
    gaussian_clusters,
    identity_block,
    low_rank,
    robot_arm,
    spectrum,
    swiss_roll,
    two_balls,
)
from nystheory.datasets._poses import Scenes, poses, rendered, scenes
from nystheory.datasets._real import (
    breast_cancer,
    diabetes,
    digits,
    from_folder,
    patches,
)

__all__ = [
    "Dataset",
    "Scenes",
    "Table",
    "breast_cancer",
    "clusters",
    "diabetes",
    "digits",
    "documents",
    "from_folder",
    "gaussian_clusters",
    "identity_block",
    "low_rank",
    "patches",
    "poses",
    "rendered",
    "robot_arm",
    "scenes",
    "spectrum",
    "swiss_roll",
    "table",
    "two_balls",
]
