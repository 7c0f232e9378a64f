"""Which guarantee applies to my matrix?  All of them, each at its best.

What the theorems promise for a number of columns before one is drawn, and how many
columns they require; and by how much the predictions of a learner move.  These numbers
come from the claims of the theorem objects, and each theorem that promises something is
found by what it says of itself.  Beside them: the effective dimension, how fast the
eigenvalues fall, and how many columns the rates of learning prescribe.
"""

from nystheory.guarantees._calculator import Columns
from nystheory.guarantees._catalogue import Bound, Catalogue, catalogue
from nystheory.guarantees._columns import required_landmarks
from nystheory.guarantees._decay import Decay, Fit, decay
from nystheory.guarantees._dimension import (
    Dimension,
    effective_dimension,
    population_dimension,
)
from nystheory.guarantees._estimate import estimate
from nystheory.guarantees._inverse import Demand, Demands, columns
from nystheory.guarantees._known import DELTA, know
from nystheory.guarantees._learning import landmarks_for_learning
from nystheory.guarantees._prescriptions import (
    Prescription,
    Prescriptions,
    Projection,
)
from nystheory.guarantees._stability import Stability, columns_for_change, stability
from nystheory.guarantees._table import Guarantee, Guarantees, promises

__all__ = [
    "DELTA",
    "Bound",
    "Catalogue",
    "Columns",
    "Decay",
    "Demand",
    "Demands",
    "Dimension",
    "Fit",
    "Guarantee",
    "Guarantees",
    "Prescription",
    "Prescriptions",
    "Projection",
    "Stability",
    "catalogue",
    "columns",
    "columns_for_change",
    "decay",
    "effective_dimension",
    "estimate",
    "know",
    "landmarks_for_learning",
    "population_dimension",
    "promises",
    "required_landmarks",
    "stability",
]
