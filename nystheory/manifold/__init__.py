"""Which few coordinates keep the distances along a manifold?  From a few landmarks.

Neighbours make a graph; paths along it, to a few landmarks only, make columns of a
kernel; and the Nyström method, or Column-sampling, makes coordinates of these.
"""

from nystheory.manifold._eigenmaps import LaplacianEigenmaps
from nystheory.manifold._embedding import NegativeEigenvalues
from nystheory.manifold._evaluate import (
    accuracy,
    distance_preservation,
    neighbour_error,
    purity,
)
from nystheory.manifold._graph import NeighbourGraph
from nystheory.manifold._isomap import Isomap
from nystheory.manifold._landmark_mds import LandmarkMDS
from nystheory.manifold._neighbours import Components, Neighbours, neighbours
from nystheory.manifold._on_graph import InParts, LeftOut

__all__ = [
    "Components",
    "InParts",
    "Isomap",
    "LandmarkMDS",
    "LaplacianEigenmaps",
    "LeftOut",
    "NegativeEigenvalues",
    "NeighbourGraph",
    "Neighbours",
    "accuracy",
    "distance_preservation",
    "neighbour_error",
    "neighbours",
    "purity",
]
