"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import log

import numpy as np

BY_HAND = {
    ("talwalkar2010:icl", "determinant"): lambda pivots: log(np.prod(pivots)),
}
