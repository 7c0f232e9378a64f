"""The results that the chapter *Ensembles* states, in its order."""

from nystheory.theorems.ensembles import (
    ensemble_regression,
    ensemble_woodbury,
    exponential_weights,
    mixture_error,
)

THEOREMS = (
    mixture_error.MIXTURE,
    exponential_weights.GIBBS,
    ensemble_regression.RIDGE_WEIGHTS,
    ensemble_woodbury.WOODBURY,
    ensemble_woodbury.ENSEMBLE_WOODBURY,
)
