"""Which guarantee applies to my matrix?  All of them, each at its best.

What the theorems promise for a number of columns before one is drawn, and how many
columns they ask for; and by how much the predictions of a learner move.  All numbers
come from the claims of the theorem objects, and each theorem that promises something is
found by what it tells of itself.
"""

from nystheory.guarantees._calculator import Columns
from nystheory.guarantees._catalogue import Bound, Catalogue, catalogue
from nystheory.guarantees._columns import required_landmarks
from nystheory.guarantees._estimate import estimate
from nystheory.guarantees._inverse import Demand, Demands, columns
from nystheory.guarantees._known import DELTA, know
from nystheory.guarantees._stability import Stability, columns_for_change, stability
from nystheory.guarantees._table import Guarantee, Guarantees, promises

__all__ = [
    "DELTA",
    "Bound",
    "Catalogue",
    "Columns",
    "Demand",
    "Demands",
    "Guarantee",
    "Guarantees",
    "Stability",
    "catalogue",
    "columns",
    "columns_for_change",
    "estimate",
    "know",
    "promises",
    "required_landmarks",
    "stability",
]
