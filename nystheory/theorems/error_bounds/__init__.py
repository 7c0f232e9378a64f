"""The results that the chapter *Error bounds* states, in its order."""

from nystheory.theorems.error_bounds import (
    covariance_bounds,
    ensemble_bound,
    replacement_bound,
    squared_error,
    standard_method,
)

THEOREMS = (
    covariance_bounds.GENERAL,
    covariance_bounds.SQRT2,
    squared_error.SQUARED,
    squared_error.MIXED,
    standard_method.SPECTRAL,
    standard_method.FROBENIUS,
    replacement_bound.REPLACED,
    ensemble_bound.ENSEMBLE,
)
