"""Exact statistics; see `nystheory.engine.statistics`."""

from nystheory.engine.statistics import (
    CERTAINTY,
    FALSE_ALARMS,
    LEVEL,
    Interval,
    clopper_pearson,
    mean_interval,
    slope_interval,
    trials_to_certify,
)

__all__ = [
    "CERTAINTY",
    "FALSE_ALARMS",
    "LEVEL",
    "Interval",
    "clopper_pearson",
    "mean_interval",
    "slope_interval",
    "trials_to_certify",
]
