"""One case on which a statement is tried; see `nystheory.engine.instances`."""

from nystheory.engine.instances import (
    EPS,
    GREY_HIGH,
    GREY_LOW,
    Instance,
    eigen,
    thin_svd,
    truncated_inverse,
)

__all__ = [
    "EPS",
    "GREY_HIGH",
    "GREY_LOW",
    "Instance",
    "eigen",
    "thin_svd",
    "truncated_inverse",
]
