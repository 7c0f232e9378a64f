"""The results that the chapter *Since 2010* states, in its order."""

from nystheory.theorems.since_2010 import (
    certificates,
    dpp_factor,
    gaussian_sketch,
    leave_one_out_sketch,
    log_determinant,
    lower_bound,
    modified_core,
    operator_monotone,
    preconditioner,
    resolvent,
    ridge_risk,
    risk_sampling,
    stability,
    trace_estimators,
    truncation,
)

THEOREMS = (
    certificates.ERROR_CHAIN,
    resolvent.RESOLVENT,
    log_determinant.LOG_DETERMINANT,
    leave_one_out_sketch.LEAVE_ONE_OUT_SKETCH,
    truncation.FIXED_RANK,
    operator_monotone.OPERATOR_MONOTONE,
    lower_bound.LOWER_BOUND,
    gaussian_sketch.GAUSSIAN_SKETCH,
    preconditioner.PRECONDITIONER,
    modified_core.MODIFIED_CORE,
    ridge_risk.RIDGE_RISK_CORE,
    risk_sampling.ALAOUI_MAHONEY,
    risk_sampling.BACH,
    risk_sampling.RUDI,
    dpp_factor.DPP_FACTOR,
    trace_estimators.TRACE_ESTIMATORS,
    stability.STABILITY,
)
