"""Which guarantee applies to my matrix?  All of them, each at its best.

What the theorems promise for a number of columns before one is drawn, as shares of the
trace of K, with the rank or the ridge for which each promises most.  All numbers come
from the formulas of the theorem objects.
"""

from nystheory.guarantees._promises import (
    DELTA,
    NOTHING,
    RIDGES,
    Known,
    Promise,
    gaussian,
    leverage,
    pivoted,
    ridge_scores,
    uniform,
    uniform_ridge,
    volume,
)
from nystheory.guarantees._table import (
    NORMS,
    Guarantee,
    Guarantees,
    guarantees,
    how_often,
)

__all__ = [
    "DELTA",
    "NORMS",
    "NOTHING",
    "RIDGES",
    "Guarantee",
    "Guarantees",
    "Known",
    "Promise",
    "gaussian",
    "guarantees",
    "how_often",
    "leverage",
    "pivoted",
    "ridge_scores",
    "uniform",
    "uniform_ridge",
    "volume",
]
