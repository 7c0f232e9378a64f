"""The results of *Concentration without replacement*, in its order."""

from nystheory.theorems.concentration import (
    bounded_difference,
    covariance_mean,
    mcdiarmid,
    selection,
)

THEOREMS = (
    selection.SELECTION,
    bounded_difference.BOUNDED_DIFFERENCE,
    covariance_mean.MEAN,
    mcdiarmid.MCDIARMID,
)
