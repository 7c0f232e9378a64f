"""What a theorem is and how one is broken; CONTRIBUTING.md shows how to write one."""

from nystheory.engine import (  # quantities
    columns,
    concentration,
    experts,
    two_kernels,
    volumes,
)
from nystheory.engine.claims import Claim, Control, Hypothesis, Printed, Rate, Where
from nystheory.engine.instances import Instance
from nystheory.engine.promises import Promise, kept
from nystheory.engine.quantities import QUANTITIES, value
from nystheory.engine.theorem import Theorem
from nystheory.engine.verification import verify

__all__ = [
    "QUANTITIES",
    "Claim",
    "Control",
    "Hypothesis",
    "Instance",
    "Printed",
    "Promise",
    "Rate",
    "Theorem",
    "Where",
    "columns",
    "concentration",
    "experts",
    "kept",
    "two_kernels",
    "value",
    "verify",
    "volumes",
]
