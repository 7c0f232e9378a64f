"""What the theorems on labels share."""

import numpy as np

from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import quantity


@quantity("M", "largest label in modulus", SAMPLE, unit=None)
def largest_label(i):
    return float(np.abs(i.y).max())
